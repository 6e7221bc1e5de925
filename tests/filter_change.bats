#!/usr/bin/env bats
# tq-filter: what it changes of whole streams, against other ways to the same;
# and its passes over what is no file

load helper
load filter

setup_file() {
	wholes
}

setup() {
	wholes=$BATS_FILE_TMPDIR/wholes
	cd "$BATS_TEST_TMPDIR" || return
}

# ---- helpers ----

READ=("${COSTLY[@]}")

# wholes: a folder of streams of the demo, fixtures and real exports
wholes() {
	local name

	mkdir "$BATS_FILE_TMPDIR/wholes"
	for name in demo base collide documented graph hosts odd ranges \
	    "${READ[@]}"; do
		ln -s "$(extracted "$name")" \
		    "$BATS_FILE_TMPDIR/wholes/${name##*/}.tq"
	done
}

# each COMMAND: for each whole stream, whose path is in $whole
each() {
	local whole failed=0

	for whole in "$wholes"/*.tq; do
		"$@" || { echo "with $whole"; failed=1; }
	done
	return $failed
}

# valid FILE: tq-correlate has nothing to warn of
valid() {
	local said
	said=$(tq-correlate "$1" 2>&1 > correlated)
	[[ -z $said ]] || { echo "$said"; return 1; }
}

@test "the real exports are among the streams of these tests" {
	need data
	for name in "${READ[@]}"; do
		[ -s "$wholes/${name##*/}.tq" ]
	done
}

# ---- --set ----

@test "a key that there is gets its value in its place, others at the end" {
	lines '{"kind":"kernel","ts":1,"dur":5,"pid":1,"name":"k\"","mine":5,"grid":[1,2],"args":{"a":"s","b":4}}'
	for expect in 'name=args.a "name":"s","mine":5,"grid":[1,2],"args":{"a":"s","b":4}}' \
	    'mine=name "name":"k\"","mine":"k\"","grid":[1,2],"args":{"a":"s","b":4}}' \
	    'grid=.grid "name":"k\"","mine":5,"grid":[1,2],"args":{"a":"s","b":4}}' \
	    'block=grid "name":"k\"","mine":5,"grid":[1,2],"args":{"a":"s","b":4},"block":[1,2]}' \
	    'open=dur>4 "name":"k\"","mine":5,"grid":[1,2],"args":{"a":"s","b":4},"open":true}' \
	    'value=args.b "name":"k\"","mine":5,"grid":[1,2],"args":{"a":"s","b":4},"value":4}' \
	    'x=args.none "name":"k\"","mine":5,"grid":[1,2],"args":{"a":"s","b":4}}' \
	    'x=.args "name":"k\"","mine":5,"grid":[1,2],"args":{"a":"s","b":4},"x":{"a":"s","b":4}}'; do
		filter --set "${expect%% *}"
		[ "$(sed -n 2p out)" = '{"kind":"kernel","ts":1,"dur":5,"pid":1,'"${expect#* }" ]
	done
}

@test "a value that turns out to be of another type leaves the key alone" {
	lines '{"kind":"kernel","ts":1,"pid":1,"name":"k","args":{"s":"1","f":1.5,"b":true,"n":2,"l":[1]}}'
	for setting in pid=args.s pid=args.f name=args.n open=args.n grid=args.n \
	    value=args.s name=args.l stream=args.b; do
		filter --set $setting
		cmp in out
	done
}

@test "definitions are set too, and records that were not chosen are not" {
	tq-filter --set 'pid=pid+1000000' "$wholes/demo.tq" > moved
	tq-filter --set 'pid=pid-1000000' moved | cmp - "$wholes/demo.tq"
	tq-correlate moved | tail -n 1 > end
	tq-correlate "$wholes/demo.tq" | tail -n 1 | cmp - end
	lines 'r1 0 9; m1'
	filter 'kind == "mark"' --set 'x=1'
	[ "$(jq -c 'select(.ts).x' out | tr '\n' ' ')" = '1 1 ' ] # the range is around it
	filter --no-closure 'kind == "mark"' --set 'x=1'
	[ "$(jq -c 'select(.ts) | [.kind, .x]' out)" = '["mark",1]' ]
}

# ---- --tag ----

@test "a rule may look at the whole record, at symbols, and at those of each section" {
	printf 'big grid[0] > 9 && dur < 5\r\n\n# no rule\nfloat demangled ~ /<float>/\nsame name == "k"\n' > rules
	lines '{"kind":"symbol","id":1,"demangled":"k<float>"}; {"kind":"symbol","id":2,"demangled":"k<int>"};
	    k1 1 4 sym=1; k2 5 9 sym=2; k3 9 10 sym=1 name=; m20'
	{ cat in; lines '{"kind":"symbol","id":2,"demangled":"k<float>"};
	    {"kind":"kernel","ts":1,"dur":9,"grid":[10,1,1]}; k2 5 9 sym=2 name=other;
	    {"kind":"kernel","ts":11,"dur":4,"grid":[10,1,1]}; k2 50 60 name=other'; cat in; } > two
	mv two in
	filter --tag rules
	[ "$(jq -r 'select(.kind == "kernel").category' out | tr '\n' ' ')" = \
	    'float same float null float big null ' ]
	diff <(jq -c 'del(.category)' in) <(jq -c 'del(.category)' out)
}

tags() {
	tq-filter --tag default "$whole" > out && valid out &&
	    cmp <(grep '"kernel"' out | jq -c 'del(.category)') <(grep '"kernel"' "$whole" | jq -c .) &&
	    cmp <(grep -v '"kernel"' out) <(grep -v '"kernel"' "$whole") &&
	    tq-filter --tag default out | cmp - out
}

@test "--tag=default gives a kernel one category, and changes nothing else" {
	each tags
}

# ---- --merge-short ----

merges() {
	local limit

	jq -r 'select(.kind | IN("kernel", "memcpy", "memset", "graph")) |
	    ["\(.pid) \(.device) \(.context) \(.stream)", .kind, .ts, .dur] | @tsv' "$whole" > work
	for limit in 5000 1000000; do
		tq-filter --merge-short ${limit}ns "$whole" > out
		valid out
		grep '^{"kind":"kernel"' out | jq -r '"\(.ts) \(.dur // "") \(.count // 1) \(
		    .busy // .dur // "")"' | sort | cmp - <(awk -F '\t' -v limit=$limit \
		    -f "$top/tests/oracle/merge_short.awk" work | sort) || return 1
		cmp <(grep -v '^{"kind":"\(kernel\|end\)"' out) \
		    <(grep -v '^{"kind":"\(kernel\|end\)"' "$whole") || return 1
		grep -o '^{"kind":"[a-z]*","ts":-\?[0-9]*' out | cut -d: -f3 | sort -nc || return 1
	done
}

@test "runs of short kernels are those that awk finds" {
	each merges
}

@test "a run has what is equal in its kernels, in the place of the first" {
	lines 'k1 0 4 regs=3 mine=a; m1; k2 5 6 regs=3 mine=b; k3 5 7 stream=9; k4 6 8 regs=3;
	    k5 9 10 regs=3 kind=memcpy; k6 11 12 regs=8; m12; k7 13 14 regs=8 name=l; k8 30 31'
	filter --merge-short 10ns
	[ "$(sed 1d out)" = "$(records 'k0 0 8 corr= regs=3 count=3 busy=7; m1; k3 5 7 stream=9;
	    k5 9 10 regs=3 kind=memcpy; k0 11 14 corr= name=2+kernels regs=8 count=2 busy=2;
	    m12; k8 30 31'; sed -n '$p' out)" ] || { cat out; return 1; }
	mv out in
	filter --merge-short 100ns
	[ "$(jq -c 'select(.count) | [.ts, .count]' out | tr '\n' ' ')" = '[0,3] [11,2] ' ]
}

# ---- --redact ----

# kept: the keys of kinds under which strings of the file some are no pseudonyms
kept() {
	jq -r '.kind as $kind | paths(strings) as $p | getpath($p) |
	    select(split(":") | all(test("^([a-z]+_[0-9a-f]{12})?$")) | not) |
	    $kind + " " + ($p | map(strings) | join("."))' some | sort -u
}

redacts() {
	tq-filter --redact --key k "$whole" > out && valid out || return 1
	awk -F, '++seen[$1] <= 300 || NR % 29 == 0' out > some
	kept | grep -vxE '[^ ]* kind|trace (source|producer|schema|origin_utc_ns|os)|device (name|cc|vendor)|stream flags|counterdef (name|unit)|(api|osrt) (name|raw)|api api|mem(cpy|set) (copy|src|dst|mem|name)|sync (name|sync)|graph name|range (mode|color)|mark color|sched (state|reason)|sample state|alloc (mem|address|op|pool)|fault (name|address)|overhead (name|what)|lost (reason|what)|diagnostic (severity|source)|kernel launch' &&
		return 1
	awk -F, '++seen[$1] <= 300 || NR % 29 == 0' "$whole" |
	    jq -c 'walk(if type == "string" then "" else . end)' |
	    cmp - <(jq -c 'walk(if type == "string" then "" else . end)' some)
}

@test "pseudonyms are in all places but those that tell nothing" {
	each redacts
}

agrees() {
	tq-filter --redact --key k "$whole" | tq-correlate --path > one
	tq-correlate --path "$whole" | tq-filter --redact --key k | diff one - |
	    head -n 4 > difference
	[[ ! -s difference ]] || { cut -c1-300 difference; return 1; }
}

@test "to redact and to correlate is to correlate and to redact, names in paths too" {
	each agrees
}

@test "a name is the same in files of one key, whatever else there is in them" {
	tq-filter --redact --key k "$wholes/demo.tq" > one
	tq-filter --redact --key k -k kernel --step 1 "$wholes/demo.tq" > two
	run -1 grep -vxF -f one <(grep '"kind":"\(kernel\|symbol\)"' two)
	tq-filter --redact --key k "$wholes/demo.tq" "$wholes/base.tq" | tail -n 50 > both
	tq-filter --redact --key k "$wholes/base.tq" | tail -n 40 | cmp - <(tail -n 40 both)
	tq-filter --redact --key l "$wholes/demo.tq" > other
	run -1 grep -oxF -f <(grep -oE '[a-z]+_[0-9a-f]{12}' one) <(grep -oE '[a-z]+_[0-9a-f]{12}' other)
}

# ---- --clip ----

@test "a range that ended before the first record that is left keeps a length" {
	lines 'r1 6 11; r2 10 28 mode=start; r3 15 16'
	filter --time 10ns:25ns --clip
	jq -en 'all(inputs; .dur == null or .dur >= 0)' out
	chooses 'r1! r2! r3' --time 10ns:25ns --clip
	lines 'r1 10 50; m60' # nothing is left besides
	filter --time :20ns --clip
	jq -en 'all(inputs; .kind != "range" or .ts == 10 and .dur >= 0 and .dur <= 40)' out
}

@test "of what then starts together the longer goes first" {
	lines 'r1 6 15; r2 7 13; r3 11 23 mode=start; m11; m12'
	chooses 'r3 r1! r2! m11 m12' --time 10ns:25ns --clip
	[ "$(jq -c 'select(.cut) | [.ts, .dur, .range_ts, .range_dur]' out | tr '\n' ' ')" = \
	    '[11,4,6,9] [11,2,7,6] ' ]
}

clips() {
	local option

	grep -q '^{"kind":"range"' "$whole" || return 0
	for option in --time=20ms:40ms --step=1 --time=1s:1500ms 'kind == "kernel" && ts % 7 == 0'; do
		tq-filter "$option" "$whole" 2> err > cut || continue
		tq-filter --clip "$option" "$whole" 2> err > out
		valid out
		jq -en '[inputs | select(.ts) | [.ts, if .open then -1e18 else 0 - (.dur // 0) end]] |
		    . == sort' out > sorted || { echo "$option: order"; return 1; }
		jq -en 'all(inputs; .range_ts == null or .range_ts <= .ts and
		    (.dur == null or .dur >= 0 and .ts + .dur <= .range_ts + .range_dur))' out > sorted ||
			{ echo "$option: shorter"; return 1; }
		# what they were, and nothing else
		jq -c 'if .range_ts then .ts = .range_ts | if .dur then .dur = .range_dur else . end else . end |
		    del(.range_ts, .range_dur)' out | sort | diff - <(jq -c . cut | sort) > difference || {
			echo "$option"; head -n 4 difference; return 1; }
		tq-correlate out 2> err | jq -c 'select(.corr) | [.pid, .corr, .range]' |
		    cmp - <(tq-correlate cut 2> err | jq -c 'select(.corr) | [.pid, .corr, .range]') ||
		    return 1
	done
}

@test "clipped ranges are those that were cut, and operations are in the same" {
	each clips
}

# ---- passes ----

@test "what is no file is read twice too, and gives the same" {
	local option

	cd "$wholes"
	mkdir "$BATS_TEST_TMPDIR/tmp"
	export TMPDIR=$BATS_TEST_TMPDIR/tmp
	gzip -c demo.tq > "$TMPDIR/../demo.gz"
	zstd -qc < demo.tq > "$TMPDIR/../demo.zst"
	for option in --step=1 --step=median --time=-30ms: --top=3 --range=backward 'kind == "kernel"'; do
		tq-filter "$option" demo.tq > "$TMPDIR/../one"
		cd "$TMPDIR/.."
		tq-filter "$option" < "$wholes/demo.tq" 2>&1 | cmp - one
		tq-filter "$option" demo.gz 2>&1 | cmp - one
		tq-filter "$option" demo.zst 2>&1 | cmp - one
		tq-filter "$option" < demo.zst 2>&1 | cmp - one
		cat demo.gz | tq-filter "$option" 2> err | cmp - one
		[ ! -s err ]
		mkfifo fifo
		cat "$wholes/demo.tq" > fifo &
		tq-filter "$option" fifo 2> err | cmp - one
		[ ! -s err ]
		rm fifo
		tq-filter "$option" "$wholes/base.tq" demo.gz > two || true
		cat demo.zst | tq-filter "$option" "$wholes/base.tq" - 2> err | cmp - two
		cd "$wholes"
	done
	[ -z "$(ls "$TMPDIR")" ]
}
