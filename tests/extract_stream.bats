#!/usr/bin/env bats
# tq-extract on streams that are not in order of time, and what other tools
# say of those

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# live SLACK [LINE ...]: a section as live capture writes it
live() {
	local slack=$1
	shift
	stream "$@" | sed "1s/}\$/,\"slack\":$slack}/"
}

# mark TS, range TS DUR: a record
mark() {
	echo '{"kind":"mark","ts":'"$1"',"pid":1,"tid":1,"name":"m"}'
}
range() {
	echo '{"kind":"range","ts":'"$1"',"dur":'"$2"',"pid":1,"tid":1,"name":"r"}'
}

# times: ts and dur of each event on stdin, the open ones with "open"
times() {
	jq -c 'select(.ts) | [.ts, if .open then "open" else .dur end]' |
	    tr '\n' ' ' | tr -d '" '
}

# shuffled: the demo, its events in any order, as live capture would be
shuffled() {
	local file=$BATS_FILE_TMPDIR/shuffled.tq

	if [[ ! -e $file ]]; then
		cp "$(extracted demo)" demo.tq
		{
			head -n 1 demo.tq | sed 's/}$/,"slack":60000000}/'
			sed '1d; $d' demo.tq | shuf --random-source=demo.tq
			tail -n 1 demo.tq
		} > "$file.new"
		mv "$file.new" "$file"
	fi
	echo "$file"
}

# ---- order ----

@test "events come out in order of ts, and of equal ts the longer first" {
	live 100 "$(mark 50)" "$(range 10 5)" "$(range -3 200)" "$(mark 10)" \
	    "$(range 10 70)" '{"kind":"range","ts":10,"pid":1,"open":true}' > s
	[[ $(tq-extract s | times) = \
	    '[-3,200][10,open][10,70][10,5][10,null][50,null]' ]]
}

@test "of equal events the one that came first is first" {
	live 9 '{"kind":"mark","ts":5,"name":"a"}' \
	    '{"kind":"sched","ts":5,"cpu":1}' '{"kind":"mark","ts":1}' \
	    '{"kind":"mark","ts":5,"name":"b"}' > s
	[[ $(tq-extract s | jq -r 'select(.ts == 5) | .name // .kind' | tr '\n' ' ') = \
	    'a sched b ' ]]
}

@test "definitions come before all events of their section, as they came" {
	live 9 "$(mark 5)" '{"kind":"symbol","name":"k","id":2}' "$(mark 1)" \
	    '{"kind":"thread","pid":1,"tid":1,"name":"t"}' > s
	[[ $(tq-extract s | jq -r .kind | tr '\n' ' ') = \
	    'trace symbol thread mark mark end ' ]]
}

@test "an unknown kind with a time is an event, one without a definition" {
	live 9 "$(mark 5)" '{"kind":"news","ts":3}' '{"kind":"fashion","id":1}' > s
	[[ $(tq-extract s | jq -r .kind | tr '\n' ' ') = \
	    'trace fashion news mark end ' ]]
}

@test "a summary of a range and what has no time stay behind what they followed" {
	live 9 "$(mark 5)" "$(range 7 1)" \
	    '{"kind":"gpu-range","ts":1,"dur":6,"device":0}' \
	    '{"kind":"diagnostic","text":"d"}' "$(mark 2)" "$(mark 9)" > s
	[[ $(tq-extract s | jq -r '.kind' | tr '\n' ' ') = \
	    'trace mark mark range gpu-range diagnostic mark end ' ]]
}

@test "a shuffled stream has the events of the ordered one, in order" {
	tq-extract "$(shuffled)" > s.tq
	cp "$(extracted demo)" demo.tq
	cmp <(sort demo.tq) <(sort s.tq)
	cmp <(times < demo.tq) <(times < s.tq)
	cmp <(tq-correlate demo.tq | tail -n 1) <(tq-correlate s.tq | tail -n 1)
}

@test "what is in order passes unchanged, and everything the second time" {
	stream '{"kind":"thread","pid":1,"tid":1,"name":"t"}' "$(range 1 9)" \
	    "$(range 1 8)" "$(mark 4)" > s
	tq-extract s | cmp - s
	tq-extract "$(shuffled)" > once
	tq-extract once | cmp - once
}

# ---- lines and sections ----

@test "slack goes, and all other lines pass byte for byte" {
	{
		echo '{ "slack":5, "kind":"trace","version":1, "x":[1, 2] }'
		echo ' { "name":"\u0061", "ts":5,"kind" : "mark"}'
		echo '{"kind":"mark","ts":1,"name":"é","args":{"a":{"b":1.50}}}'
		echo '{"events":2, "kind":"end", "dropped":7, "more":true}'
	} > s
	tq-extract s > out
	[[ $(head -n 1 out | jq -c .) = '{"kind":"trace","version":1,"x":[1,2]}' ]]
	for i in 3 2 4; do sed -n ${i}p s; done | cmp - <(tail -n 3 out)
}

@test "each section is ordered by itself" {
	{
		live 9 "$(mark 8)" "$(mark 7)"
		stream "$(mark 2)" "$(mark 1)"
		mark 6
		mark 3
	} > s
	[[ $(tq-extract s | jq -c '.ts // .kind' | tr -d '"' | tr '\n' ' ') = \
	    'trace 7 8 end trace 1 2 end 3 6 ' ]]
}

@test "end counts what was written, and keeps what was dropped" {
	{
		echo '{"kind":"trace","version":1,"slack":1}'
		mark 5
		range 1 2
		echo '{"kind":"end","events":2,"dropped":7,"more":1}'
	} > s
	[[ $(tq-extract -k range s | tail -n 1) = \
	    '{"kind":"end","events":1,"dropped":7,"more":1}' ]]
}

@test "a section that was cut short is ordered, has no end, and exits 1" {
	live 9 "$(mark 8)" "$(mark 7)" | sed '$d' > s
	run --separate-stderr tq-extract s
	((status == 1))
	[[ $stderr = "tq-extract: warning: s: stream ends without its end record" ]]
	[[ $(times <<< "$output") = '[7,null][8,null]' ]]
	[[ $output != *'"end"'* ]]
}

@test "a compressed stream that was cut short is read up to there" {
	live 9 "$(mark 8)" "$(mark 7)" | zstd -q | head -c -5 > s.zst
	run --separate-stderr tq-extract s.zst
	((status == 1))
	[[ ${stderr_lines[0]} = "tq-extract: s.zst: zstd data is truncated" ]]
	[[ $output != *'"end"'* ]]
}

@test "a line that is no record exits 1 and is named" {
	live 9 "$(mark 8)" '{"kind":"mark","ts":"x"}' > s
	run --separate-stderr tq-extract s
	((status == 1))
	[[ $stderr = "tq-extract: s:3: ts: expected an integer" ]]
}

# ---- how it comes ----

@test "a stream comes from a file, stdin or a pipe, plain or compressed" {
	tq-extract "$(shuffled)" > expect
	tq-extract < "$(shuffled)" | cmp - expect
	cat "$(shuffled)" | tq-extract - | cmp - expect
	zstd -q -c "$(shuffled)" > s
	tq-extract s | cmp - expect
	gzip -c "$(shuffled)" | tq-extract | cmp - expect
	{
		echo
		cat "$(shuffled)"
	} | tq-extract | cmp - expect
}

@test "exports and streams may stand side by side" {
	cp "$(extracted demo)" demo.tq
	tq-extract "$(shuffled)" > s.tq
	tq-extract "$(shuffled)" "$(demo)" "$(shuffled)" |
	    cmp - <(cat s.tq demo.tq s.tq)
}

@test "what does not fit into memory goes to TMPDIR" {
	for i in {1..140}; do
		echo '{"kind":"mark","ts":'$((i * 37 % 141))',"name":"'
		head -c 1M /dev/zero | tr '\0' x
		echo '"}'
	done | paste -d '\0' - - > s
	tq-extract s | jq -c .ts | cmp - <(seq 140)
	run --separate-stderr env TMPDIR=/nowhere tq-extract s
	((status == 1))
	[[ $stderr = "tq-extract: /nowhere: No such file or directory" ]]
}

# ---- options ----

@test "-k chooses events; definitions and what was lost stay" {
	live 9 "$(mark 5)" "$(range 3 1)" '{"kind":"news","ts":3}' \
	    '{"kind":"lost","ts":9,"reason":"r","count":1}' \
	    '{"kind":"thread","pid":1,"tid":1,"name":"t"}' > s
	[[ $(tq-extract -k range s | jq -r .kind | tr '\n' ' ') = \
	    'trace thread range lost end ' ]]
}

@test "--from and --to choose what overlaps the window" {
	live 9 "$(mark 9)" "$(range 3 1)" "$(range 3 3)" "$(mark 4)" \
	    "$(mark 5)" '{"kind":"range","ts":1,"open":true}' > s
	[[ $(tq-extract --from 5ns --to 9ns s | times) = '[1,open][3,3][5,null]' ]]
}

@test "--check reads recordings, not streams" {
	live 9 > s
	run --separate-stderr tq-extract --check s
	((status == 1))
	[[ $stderr = "tq-extract: s: is a stream: --check reads recordings only" ]]
	[[ -z $output ]]
}

@test "--live writes what is older than the slack, before the end" {
	mkfifo in out
	tq-extract --live < in > out 3>&- &
	exec 8> in 9< out
	live 10 "$(mark 3)" "$(mark 1)" "$(mark 50)" "$(mark 45)" > s
	sed '$d' s >&8
	read -r -t 120 -u 9 line
	[[ $line = *'"trace"'* ]]
	read -r -t 120 -u 9 line
	[[ $line = "$(mark 1)" ]]
	read -r -t 120 -u 9 line
	[[ $line = "$(mark 3)" ]]
	tail -n 1 s >&8
	exec 8>&-
	[[ $(jq -c .ts <&9 | tr '\n' ' ') = '45 50 null ' ]]
	exec 9<&-
	wait
}

@test "--live gives the same events, and definitions before their first use" {
	tq-extract --live "$(shuffled)" > live.tq
	tq-extract "$(shuffled)" > s.tq
	cmp <(sort live.tq) <(sort s.tq)
	cmp <(times < live.tq) <(times < s.tq)
}

@test "--live tells of records that are later than the slack, and exits 1" {
	live 10 "$(mark 100)" "$(mark 95)" "$(mark 200)" "$(mark 20)" > s
	run --separate-stderr tq-extract --live s
	((status == 1))
	[[ $stderr = "tq-extract: warning: s: 1 record came later than the slack of its section" ]]
	[[ $output != *'"end"'* ]]
	tq-extract s
}

# ---- other tools ----

@test "a tool that needs the order refuses a section with slack" {
	live 10 "$(mark 3)" "$(mark 1)" > s
	for tool in tq-correlate tq-chrome tq-perfetto tq-stats; do
		[[ -x $BUILD/$tool ]] || continue
		run --separate-stderr "$tool" s
		((status == 1))
		[[ $stderr = "$tool: s: is not in order of time: put it through tq-extract first" ]]
		[[ $output != *'"end"'* ]]
	done
	tq-extract s | tq-correlate
	live 0 "$(mark 1)" "$(mark 3)" | tq-correlate
}

@test "tq-filter needs the order only for ranges, steps, profilers and merging" {
	live 10 "$(mark 3)" "$(range 1 9)" > s
	tq-filter -k mark s | grep -q '"slack":10'
	for option in --range=r --step=0 --between-profiler-calls \
	    --merge-short=1us; do
		run --separate-stderr tq-filter "$option" s
		((status == 1))
		[[ $stderr = "tq-filter: s: is not in order of time: put it through tq-extract first" ]]
	done
}
