#!/usr/bin/env bats
# tq-extract: the text of perf script, and folded stacks

load helper

# the texts of the real data, of which FlameGraph made folded stacks
FOLDED=(cycles-instructions-01 iperf-stacks-pidtid-01 java-faults-01
	js-stacks-01 mirageos-stacks-01)

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# records FILTER: what tq-extract makes of the file in, without its frame
records() {
	tq-extract in | jq -c 'select(.kind | IN("trace", "end") | not) | '"$1"
}

# perf_text LINE ...: write them to the file in
perf_text() {
	printf '%s\n' "$@" > in
}

# what FlameGraph does beyond: it takes the first event only, adds up its
# periods, misses a last sample that no blank line follows, and shortens names:
# arguments of C++, quotes, and the L of Java
as_flamegraph() {
	jq -c --arg name "$1" '
	    if .kind == "sample" then .count = (.args.period // 1) else . end |
	    select(.kind != "sample" or .args.event != "cycles") |
	    if .kind == "stack" then .frames[] |= (gsub(";"; ":") |
	    if test("[.][(].*[)][.]") then . else sub("[(].*"; "") end |
	    gsub("[\"'\'']"; "") |
	    if $name == "java-faults-01" and test("/") then sub("^L"; "")
	    else . end) else . end'
}

@test "samples of perf fold to what FlameGraph makes of them" {
	data other/perf
	for name in "${FOLDED[@]}"; do
		zstd -dc "$data/perf-$name.txt.zst" > in
		if [[ $(tail -n 1 in) ]]; then # the last sample goes
			tac in | sed '1,/^$/d' | tac > cut
			mv cut in
		fi
		diff <(tq-extract in | as_flamegraph "$name" |
		    tq-stats -r folded:samples | sort) \
		    <(zstd -dc "$data/../golden/perf-$name-collapsed-all.txt.zst" |
		    sed 's/_\[[kj]\]//g' | sort)
	done
}

@test "folded stacks come back as they were, an empty name as [no name]" {
	data other/perf/perf-vertx-stacks-01-collapsed.txt.zst
	cmp <(tq-extract "$data" | tq-stats -r folded:samples | sort) \
	    <(zstd -dc "$data" | sed 's/;  /;[no name] /' | sort)
}

@test "an event of perf has a time in decimals, a processor, a period and a name" {
	perf_text 'V8 Worker/1 24636/25607 [003] 4794564.109216: 250000 cpu/cycles/u: ' \
	    '	ffffffff8103ce3b native_safe_halt+0x6 ([kernel.kallsyms])' \
	    '	 4093d0 a b(int) (/usr/bin/x)' '	 1 [unknown] (/lib/libc.so.6)' \
	    '	 2 g(int)+0x1 (/tmp/y.so (deleted))' \
	    '	 3 [unknown] (/tmp/y.so (deleted))' '' \
	    '     ab 7 4794564.109216001: cycles: ' '	 2 [unknown] ([unknown])' '' \
	    'old 31912 cpu-clock: ' '	 1 f (x)' ''
	records 'del(.kind)' > out
	diff out - <<'END'
{"pid":24636,"tid":25607,"name":"V8 Worker/1"}
{"tid":7,"name":"ab"}
{"tid":31912,"name":"old"}
{"id":1,"frames":["native_safe_halt","a b(int)","[libc.so.6]","g(int)","[y.so (deleted)]"]}
{"id":2,"frames":["[unknown]"]}
{"id":3,"frames":["f"]}
{"ts":0,"pid":24636,"tid":25607,"cpu":3,"stack":1,"args":{"event":"cpu/cycles/u","period":250000}}
{"ts":1,"tid":7,"stack":2,"args":{"event":"cycles"}}
{"ts":1,"tid":31912,"stack":3,"args":{"event":"cpu-clock"}}
END
	[ "$(tq-extract in | jq -r '.origin_clock | values')" = 4794564109216000 ]
}

@test "events of perf that are out of order are sorted, and need no stack" {
	perf_text '# ========' '# captured on: today' '# hostname : node01' '#' \
	    'b 2/2 [001] 2.000002: cycles:  ffffffff81 g+0x1 ([kernel.kallsyms])' \
	    'a 1/1 [000] 1.5: cycles: ' 'c -1/-1 [000] 3.25:     cycles:'
	[ "$(records 'select(.ts) | [.ts, .pid, .stack]' | xargs)" = \
	    '[0,1,null] [500002000,2,1] [1750000000,null,null]' ]
	[ "$(tq-extract in | jq -r '.host | values')" = node01 ]
	[ "$(records 'select(.kind == "process") | .name' | xargs)" = 'b a' ]
}

@test "a switch of perf, in both spellings, is that of two threads" {
	perf_text 'my app 9/10 [002] 1.0: sched:sched_switch: prev_comm=my app prev_pid=10 prev_prio=120 prev_state=S ==> next_comm=other next_pid=20 next_prio=120' \
	    'other 20/20 [002] 2.0: sched:sched_switch: other:20 [120] R+ ==> my app:10 [120]' \
	    'other 20/20 [002] 2.5: sched:sched_wakeup: my app:10 [120] success=1 CPU:002'
	[ "$(records 'select(.ts) | [.kind, .ts / 1e6, .pid, .tid, .cpu, .on, .state]')" = \
	    '["sched",0,9,10,2,false,"Interruptible"]
["sched",0,null,20,2,true,null]
["sched",1000,20,20,2,false,"Running"]
["sched",1000,9,10,2,true,null]
["mark",1500,20,20,null,null,null]' ]
	run -0 tq-extract --check in
	[ "$(grep sched: <<< "$output" | tr -s ' ')" = ' sched:sched_switch 4 4 0 0 0 0
 sched:sched_wakeup 1 1 0 0 0 0' ]
	[ "$(tq-extract --kinds in | xargs)" = 'mark 1 sched 4' ]
}

@test "a thread that runs another program has a new name from then on" {
	perf_text 'sh 7/7 1.0: c: ' '	1 f (x)' '' 'ls 7/7 2.0: c: ' '	1 f (x)' ''
	[ "$(tq-extract in | tq-stats -r folded:samples | sort)" = 'ls;f 1
sh;f 1' ]
}

@test "a long line of perf is no event where no thread can have its name" {
	{
		printf 'x%0130d 1/1 [000] 1.5: cycles: \n' 0
		printf '1 %.0s' {1..60000}
		printf '%60000s\n' ''
		printf 'x%0120d 1/1 [000] 1.5: cycles: \n' 0
	} > in
	run -1 tq-extract --format perf --check in
	[[ $output = *'  lost: 2 (syntax)'* ]]
	[ "$(tq-extract --format perf --kinds in | xargs)" = 'sample 1 lost 1' ]
}

@test "lines of perf that are no events are counted, and told" {
	perf_text 'a 1/1 [000] 1.5: cycles: ' '	1 f (x)' 'what is this' ''
	run -1 --separate-stderr tq-extract in
	[ "$(jq -c 'select(.kind == "lost") | [.reason, .count]' <<< "$output")" = '["syntax",1]' ]
	[ "$stderr" = "tq-extract: warning: in:3: neither an event nor a frame
tq-extract: warning: in: 1 rows dropped; --check lists them" ]
	run -1 --separate-stderr tq-extract --check in
	[[ $output = *'  lost: 1 (syntax)'* ]]
}

@test "what perf itself prints on this machine is read" {
	need perf
	perf record -q -g -e cpu-clock -o p.data -- sh -c \
	    'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done' 2> /dev/null ||
	    skip "perf may not record"
	perf script -i p.data > in 2> /dev/null
	[ "$(tq-extract --check in | awk '$1 == "cpu-clock" { print $3 }')" = \
	    "$(grep -c 'cpu-clock' in)" ]
	run -0 --separate-stderr tq-extract in
	[ "$stderr" = "" ]
}

# ---- folded stacks ----

@test "folded stacks: CR LF, a byte order mark, UTF-16, and names with blanks" {
	printf '\xef\xbb\xbf%s\r\n' 'main;f x;g  3' > in
	printf '%s\r\n' 'main (a.py:3);é😀 1' >> in
	records 'del(.kind)' > out
	diff out - <<'END'
{"id":1,"frames":["g","f x","main"]}
{"id":2,"frames":["é😀","main (a.py:3)"]}
{"ts":0,"stack":1,"count":3}
{"ts":3,"stack":2,"count":1}
END
	need iconv
	mv in utf8
	for encoding in LE BE; do
		printf '\xff\xfe' > in
		[ "$encoding" = LE ] || printf '\xfe\xff' > in
		tail -c +4 utf8 | iconv -f UTF-8 -t UTF-16$encoding >> in
		diff out <(records 'del(.kind)')
	done
}

@test "lines of folded stacks without a count are counted, and told" {
	printf '%s\n' 'a;b 2' 'no count' '' '7' 'a;b 99999999999999999999' 'a; 4' > in
	run -1 --separate-stderr tq-extract in
	[ "$(jq -c 'select(.kind == "lost") | [.reason, .count]' <<< "$output")" = '["syntax",3]' ]
	[[ $stderr = *'in:2: no count at the end of a line'* ]]
	[ "$(tq-extract in 2> /dev/null | tq-stats -r folded:samples)" = 'a;[no name] 4
a;b 2' ]
	run -1 tq-extract --check in
	[[ $output =~ \ 5\ +2\ +0\ +0\ +3\ +0 ]]
}

@test "text that is neither is refused, and --format takes a source by its name" {
	for text in 'a,b,c 1' 'CREATE TABLE x (a); ' 'main 12' '# a comment; 3' \
	    'Mon 22 Nov 12:00:01 2026 sshd[17]: x'; do
		printf '%s\n' "$text" > in
		run -1 tq-extract in
	done
	printf '%s\n' 'main 12' > in
	[ "$(tq-extract --format folded in | jq '.count | values')" = 12 ]
	printf '%s\n' 'a;b 1/1 [000] 1.5: cycles: ' > in
	[ "$(tq-extract --kinds in)" = 'sample	1' ]
	[ "$(tq-extract in | jq -r '.source | values')" = perf ]
}
