#!/usr/bin/env bats
# tq-filter: what it passes on of whole streams, against jq: of the demo,
# fixtures, and real exports

load helper

setup_file() {
	streams
}

setup() {
	streams=$BATS_FILE_TMPDIR/streams
	cd "$BATS_TEST_TMPDIR"
}

# ---- helpers ----

READ=("${COSTLY[@]}")

# streams: a folder of streams of one section each, with all that tq-correlate
# adds: whole as NAME.whole, and as NAME.tq with fewer records of the kinds that
# there are many of.  All of the latter are the file all, and lasts has when
# each of its sections ends.
streams() {
	local dir=$BATS_FILE_TMPDIR/streams name whole

	mkdir "$dir"
	for name in demo base graph odd ranges documented "${READ[@]}"; do
		whole=$(correlated "$name" --path)
		name=$dir/${name##*/}
		ln -s "$whole" "$name.whole"
		awk -F, '/^{"kind":"end"/ { sub(/[0-9]+/, n - 1); print; next }
		    ++seen[$1] <= 200 || NR % 11 == 0 { n++; print }' \
		    "$name.whole" > "$name.tq"
	done
	cat "$dir"/*.tq > "$dir/all"
	oracle select lasts "$dir/all" > "$dir/lasts"
}

# selects CONDITION OPTION ...: without closure tq-filter with these options
# passes on the records of which the condition of jq is true, and with -v the
# others.  $last is where the section ends, $rank that of the record's process,
# $full the demangled name of its symbol.  It is agree that looks.
selects() {
	conditions+=("$1")
	filter "${@:2}"
}

# filter OPTION ...: what tq-filter makes of all streams
filter() {
	options+=("$*")
	tq-filter --no-closure "$@" "$streams"/*.tq > yes.${#options[@]}
	tq-filter -v "$@" "$streams"/*.tq > no.${#options[@]}
}

# ask FILTER: what jq says, for each record a line
ask() {
	oracle select 'in_context($lasts[0]) as {$r, $section, $last, $rank, $full} |
	    $r | '"$1" --slurpfile lasts "$streams/lasts" "$streams/all"
}

# bits CONDITION ...: a filter that makes a list of a 1 or 0 for each
bits() {
	printf '([.'
	printf ', (%s)' "$@"
	printf '] | .[1:] | map(if . then 1 else 0 end))'
}

# agree: tq-filter and jq, in all that was said with selects
agree() {
	ask "$(bits "${conditions[@]}") | join(\"\")" > verdicts
	split verdicts
}

# split VERDICTS: that many lines of all, with those of filter
split() {
	local i

	paste -d '' "$1" "$streams/all" | LC_ALL=C awk -v n=${#options[@]} \
	    -f "$top/tests/oracle/split.awk"
	for ((i = 1; i <= ${#options[@]}; i++)); do
		cmp "jq.yes.$i" "yes.$i" && cmp "jq.no.$i" "no.$i" || {
			echo "${options[i - 1]}:"
			diff "jq.yes.$i" "yes.$i" | cut -c1-300 | head
			return 1
		}
	done
	rm -f jq.* yes.* no.*
}

# some KEY: every seventh number that threads have as that, 30 at most
some() {
	sed -n 's/^{"kind":"thread",.*"'"$1"'":\([0-9]*\),.*/\1/p' \
	    "$streams/all" | sort -u | sed -n 1~7p | head -n 30 | paste -sd,
}

# ---- all, and nothing ----

@test "the real exports are among the streams of these tests" {
	need data
	for name in "${READ[@]}"; do
		[ -s "$streams/${name##*/}.tq" ]
	done
}

@test "a selection that is true of everything is cat, byte for byte" {
	cat "$streams"/*.whole > whole
	for selection in '' true 'has(kind)' '1 < 2 || ts > 1' '!(2 < 1)'; do
		tq-filter ${selection:+"$selection"} "$streams"/*.whole |
		    cmp - whole
	done
	zstd -qc whole | tq-filter true -o out.zst
	zstd -qdc out.zst | cmp - whole
	tq-filter -z true < whole | zstd -dc | cmp - whole
}

@test "and one that is false of everything leaves sections, processes, devices" {
	grep -hE '^{"kind":"(trace|process|device)"' "$streams"/*.whole > rest
	tq-filter false "$streams"/*.whole > out
	grep -v '^{"kind":"end"' out | cmp - rest
	tq-filter -v true "$streams"/*.whole > out
	grep -v '^{"kind":"end"' out | cmp - <(grep '"kind":"trace"' rest)
}

@test "what is chosen, and what -v chooses, are together the input" {
	for selection in 'dur > 10us' 'name ~ /[A-Z]{2}/' 'grid[0] > 1' \
	    'end % 2 == 0 or path !~ /step/' 'frames ~ /lib/ || raw == name' \
	    'has(args.copyCount) && ts < 1s' 'demangled ~ /void/' \
	    '.device == 0 or .stream != 7 or args.x == 1'; do
		tq-filter --no-closure "$selection" "$streams"/*.whole > yes
		tq-filter -v "$selection" "$streams"/*.whole > no
		cat "$streams"/*.whole | awk '
		function next_of(file) {
			while ((getline line < file) > 0)
				if (line !~ /^{"kind":"(trace|end)"/)
					return line
			return ""
		}
		BEGIN { yes = next_of("yes"); no = next_of("no") }
		/^{"kind":"(trace|end)"/ { next }
		$0 == yes { yes = next_of("yes"); next }
		$0 == no { no = next_of("no"); next }
		{ print "lost: " $0; exit 1 }
		END { if (yes no != "") exit 1 }'
	done
}

# ---- options ----

@test "-k chooses kinds by their names and the names of groups" {
	selects '.kind == "kernel"' -k kernel
	selects '.kind | IN("alloc", "counter")' -k counter -k alloc
	selects '.kind | IN("range", "mark")' -k nvtx
	selects '.kind == "gpu-range"' --kinds nvtx-kernel
	selects '.kind == "api"' -k cuda-api
	selects '.kind | IN("kernel", "memcpy", "memset", "sync", "graph", "api")' \
	    -k cuda
	selects '.kind | IN("process", "thread", "symbol", "stack")' \
	    -k process,thread,stack,symbol
	agree
}

@test "--device, --stream, --pid and --tid choose what has one of the numbers" {
	pids=$(some pid) tids=$(some tid)
	selects '.device | IN(1, 3, 5)' --device=1,3 --device 5
	selects '.stream | IN(7, 13, 15, 20)' --stream 20,7,15,13
	selects ".pid | IN($pids)" --pid "$pids"
	selects ".tid | IN($tids)" --tid "$tids"
	selects ".stream == 7 and .device == 1 and (.pid | IN($pids) | not)" \
	    --stream 7 --device 1 "pid not in ($pids)"
	agree
}

@test "--rank chooses processes of a rank" {
	selects '$rank == 0' --rank 0
	selects '$rank == 1' --rank 1,7
	selects '$rank and .dur >= 1' --rank 0,1 --min-dur 1ns
	agree
}

@test "--rank chooses sections of a rank" {
	for rank in 3 4; do
		stream '{"kind":"mark","ts":1}' | sed '1s/}$/,"rank":'$rank'}/'
	done > in
	tq-filter --no-closure --rank 4 in > out
	sed '2d; 3s/1/0/' in | cmp - out
}

@test "--min-dur chooses what lasts that long" {
	selects '.dur >= 100000' --min-dur 100us
	selects '.dur >= 2500' --min-dur=2.5us
	selects '.dur' --min-dur 0 # a negative one counts as 0
	agree
}

@test "--time chooses what starts from A on and before B, in each section" {
	selects '.ts >= 50000000' --time 50ms:
	selects '.ts and .ts < 20000000' --time :20ms
	selects '.ts >= 10000000 and .ts < 1500000000' --time 10ms:1.5s
	selects '.ts >= 0 and .ts < 3000000000' --time 0:3s --by time
	selects '.ts >= $last - 100000000' --time=-100ms:
	selects '.ts and .ts < $last - 1000000' --time :-1ms
	selects '.ts >= $last - 30000000 and .ts < $last - 2000000' \
	    --time=-30ms:-2000us
	selects '.ts >= 1000000 and .ts < $last - 1000000' --time 1ms:-1ms
	agree
}

@test "--depth chooses ranges and their projections, of all else everything" {
	ranges='(.kind | IN("range", "gpu-range") | not)'
	selects "$ranges or .depth == 0" --depth 0
	selects "$ranges or .depth <= 2" --depth 2
	selects '.kind == "gpu-range" and .depth <= 1' --depth 1 -k gpu-range
	agree
}

@test "where ranges do not tell their depth, it is that of tq-correlate" {
	for name in demo ranges odd documented; do
		raw=$(extracted $name)
		for depth in 0 1 3; do
			tq-filter --no-closure -k range --depth $depth \
			    "$raw" > out
			tq-filter --no-closure -k range --depth $depth \
			    "$streams/$name.whole" |
			    sed -E 's/(,"parent":[0-9]+)?,"depth":[0-9]+}$/}/' |
			    cmp - out
		done
	done
}

@test "--top chooses the longest of each kind and section, of equals the first" {
	longest=(1 5 3 100)
	conditions=('true' '.kind | IN("kernel", "osrt")'
	    '.tid and .depth != 1' '.device == 0 and .dur < 5000')
	filter --top 1
	filter --top 5 -k kernel,osrt
	filter --top 3 'has(tid) and not depth == 1'
	filter --top 100 'device == 0 and dur < 5us'
	ask '"\($section) \(.kind) \(.dur // "-") " +
	    ('"$(bits "${conditions[@]}")"' | join(" "))' > asked
	for i in 1 2 3 4; do
		awk -v c=$((i + 3)) '$3 != "-" && $c { print $0, NR }' asked |
		    sort -k1,1n -k2,2 -k3,3nr -k8,8n |
		    awk -v n=${longest[i - 1]} '++seen[$1, $2] <= n { print $8 }' |
		    awk 'NR == FNR { top[$1]; next }
			{ print FNR in top ? 1 : 0 }' - asked > verdicts.$i
	done
	paste -d '' verdicts.? > verdicts
	split verdicts
}

@test "options of all sorts have to agree" {
	selects '.kind == "kernel" and .dur >= 5000 and .device == 0 and
	    .ts < 500000000' -k kernel --min-dur 5us --device 0 --time :500ms
	selects '.stream and .ts >= $last - 30000000 and .name and
	    (.name | startswith("void") | not) and (.kind | IN("range") | not)' \
	    --time=-30ms: 'name !~ /^void/' --depth 0 --stream "$(seq -s, 0 999)"
	selects '.kind == "mark" and .ts < 2e9' -k mark --time :2s
	agree
}

# both OPTIONS OPTIONS: one filter after the other is both at once
both() {
	tq-filter --no-closure $1 "$streams"/*.whole |
	    tq-filter --no-closure $2 2> /dev/null > both
	tq-filter --no-closure $1 $2 "$streams"/*.whole | cmp - both
}

@test "one filter after another is both of them at once" {
	both 'dur>5us' '--device 0'
	both '-k nvtx,nvtx-kernel' '--depth 0'
	both '--min-dur 5us' '--top 7'
	both '--time=-30ms:-2ms' 'tid!=1'
}

@test "also where one is a window, and the other needs a pass of its own" {
	both '--time 2ms:20ms' '--top 3'
	both '--time 2ms:20ms' '--depth 1'
	tq-filter --no-closure --time 5ms:-40ms "$streams/demo.whole" |
	    cmp - <(tq-filter --no-closure --time 5ms:20ms "$streams/demo.whole")
}

# ---- expressions ----

@test "expressions about kinds and numbers" {
	selects '.kind == "kernel" and .dur > 1000' 'dur>1us && kind=="kernel"'
	selects '.stream and .device != 0' 'has(stream) && !(device == 0)'
	selects '.ts and (.dur or (.open | not)) and
	    .ts + (.dur // 0) > 1000000000' 'end > 1s'
	selects '(.kind | IN("api", "osrt", "memcpy")) and .ret != 0' \
	    'kind in ("api", "osrt", "memcpy") and !(ret == 0)'
	selects '.bytes and .dur > 0 and (.bytes / .dur | floor) >= 4 and
	    .bytes >= 1048576' \
	    'bytes / dur >= 4 and bytes >= 1MiB'
	agree
}

@test "expressions about strings" {
	selects '.name // "" | contains("cuda")' 'name ~ /cuda/'
	selects '.name and (.name | contains("cuda") | not)' \
	    'name not glob "*cuda*"'
	selects '.name // "" | startswith("cuda") and endswith("Async")' \
	    'name glob "cuda*Async"'
	selects '.name // "" | ascii_downcase | contains("gemm")' \
	    'name ~ /GeMM/i'
	selects '.name and .name < "c"' 'name < "c"'
	selects '.copy | IN("HtoD", "DtoD")' "copy in ('HtoD', 'DtoD')"
	selects '$full // "" | contains("<float")' 'demangled ~ /<float/'
	agree
}

@test "expressions about arrays, truth values and what the schema lacks" {
	selects '.grid and .grid[0] > 1' 'grid[0] > 1'
	selects '.block and .block[0] * .block[1] * .block[-1] >= 256' \
	    'block[0] * block[1] * block[-1] >= 256'
	selects '.path // [] | any(contains("f"))' 'path ~ /f/'
	selects '.path and (.path | index("forward") == null)' \
	    'path != "forward"'
	selects '.frames // [] | any(startswith("0x"))' 'frames glob "0x*"'
	selects '.on or .open' 'on or open'
	selects '.on == false' '!on && has(on)'
	agree
}

@test "operations of graphs are chosen by operator, module and proof" {
	local n
	for n in 1 2 3 4; do
		case $n in
		1) more='"op_name":"aten::mm","module":"layers.0.mlp","proof":"node"' ;;
		2) more='"op_name":"aten::addmm","module":"layers.1.mlp","proof":"order"' ;;
		3) more='"op_name":"aten::mm","proof":"common"' ;;
		4) more='"regs":4' ;;
		esac
		echo '{"kind":"kernel","ts":'$n',"dur":1,"pid":1,"name":"k","device":0,'"$more}"
	done | stream > graphs
	choice() {
		tq-filter --only -k kernel "$1" graphs | jq .ts | xargs
	}
	[ "$(choice 'op_name == "aten::mm"')" = "1 3" ]
	[ "$(choice 'module glob "layers.*.mlp"')" = "1 2" ]
	[ "$(choice 'module ~ /\.1\./ || proof == "common"')" = "2 3" ]
	[ "$(choice '!has(op_name)')" = 4 ]
	[ "$(tq-stats -q -f csv -g module,op_name graphs | tail -n 4 | cut -d, -f 9- | sort | xargs)" = \
	    ", ,aten::mm layers.0.mlp,aten::mm layers.1.mlp,aten::addmm" ]
}

# ---- streams ----

@test "what a filter says does not hang on the spelling of the records" {
	jq -cS . "$streams/all" > respelt
	for selection in 'dur > 50us && device == 0' --time=5ms:12ms \
	    'kind == "kernel" && demangled ~ /float/' 'name ~ /step/'; do
		tq-filter "$selection" "$streams/all" 2> warnings |
		    jq -cS . > one
		tq-filter "$selection" respelt 2>&1 > out | cmp - warnings
		jq -cS . out | cmp - one
	done
}

@test "of several streams each is filtered as if it were alone" {
	for selection in 'dur>5us' '--top=3' '--range=~(?i)step@*' \
	    '--range=~(?i)step@*/1..2'; do
		for file in "$streams"/*.whole; do
			tq-filter "$selection" "$file" 2> /dev/null || true
		done > each
		tq-filter "$selection" "$streams"/*.whole 2> /dev/null |
		    cmp - each
		cat "$streams"/*.whole > in
		tq-filter "$selection" < in 2> /dev/null | cmp - each
	done
}

@test "a definition that is told again is chosen for itself without closure" {
	thread='{"kind":"thread","pid":1,"tid":1,"name":'
	stream "$thread\"a\"}" "$thread\"b\"}" > in
	tq-filter --no-closure 'name == "a"' in | cmp - <(stream "$thread\"a\"}")
	tq-filter -v 'name == "a"' in | cmp - <(stream "$thread\"b\"}")
}

@test "a window may begin before the end of the last record, not behind it" {
	stream '{"kind":"mark","ts":1000}' \
	    '{"kind":"osrt","ts":2000,"dur":500000}' > in
	tq-filter --time 502us: in > out
	tq-filter --no-closure --time 502us: in | cmp - out
	run -1 --separate-stderr tq-filter --no-closure --time 502001ns: in
	[ "$stderr" = "tq-filter: the window is outside of the trace, which covers 1us to 502us" ]
}

@test "where there is nothing to be chosen from it is said, and status is 1" {
	stream '{"kind":"mark","ts":1000}' \
	    '{"kind":"osrt","ts":2000,"dur":500000}' > in
	stream < /dev/null > empty
	while read -r options; do
		read -r message
		run --separate-stderr tq-filter $options
		[ "$status" = 1 ]
		[[ $output != *'"end"'* ]]
		[ "$stderr" = "tq-filter: $message" ]
	done <<'END'
--time :1us in
the window is outside of the trace, which covers 1us to 502us
--time=502001ns: in in
the window is outside of the trace, which covers 1us to 502us, 1us to 502us
--time 0:1s empty
no window: there is no event in the trace
--step 0 in
no range in the trace is named like a step
--between-profiler-calls in
no call of cudaProfilerStart in the trace
END
}

@test "a section without matches stays, and its end record counts" {
	stream '{"kind":"mark","ts":1}' '{"kind":"mark","ts":2}' |
	    sed 's/"dropped":0/"dropped":5/' > in
	tq-filter --no-closure 'ts > 1' in in > out
	sed 's/"events":2/"events":1/; /"ts":1/d' in in | cmp - out
	tq-filter 'ts > 2' in > out
	sed 's/"events":2/"events":0/; /"ts"/d' in | cmp - out
}

@test "lines outside of any section are filtered, with - for standard input" {
	mark='{"kind":"mark","ts":2}'
	stream "$mark" > in
	echo "$mark" | tq-filter --no-closure 'ts > 1' in - in |
	    cmp - <(cat in; echo "$mark"; cat in)
}

@test "of a stream that was cut all is filtered, but there is no end, and status is 1" {
	stream '{"kind":"mark","ts":1}' '{"kind":"mark","ts":2}' > whole
	sed '$d' whole > cut
	sed 's/"events":2/"events":3/' whole > short
	for how in --no-closure --by=launch; do
		for file in cut short; do
			run --separate-stderr tq-filter $how 'ts > 1' $file whole
			[ "$status" = 1 ]
			[ "$stderr" = "tq-filter: warning: $file: stream ends without its end record" ]
			[ "$output" = "$(sed 2d cut; stream '{"kind":"mark","ts":2}')" ]
		done
	done
}

@test "a line that is no record ends the run, by file and line" {
	stream '{"kind":"mark","ts":1}' garbage > in
	for how in --no-closure --by=launch; do
		run --separate-stderr tq-filter $how 'ts > 0' -o out in
		[ "$status" = 1 ]
		[ "$stderr" = "tq-filter: in:3: expected '{'" ]
		[ ! -e out ]
	done
	run -1 --separate-stderr tq-filter --no-closure 'ts > 0' \
	    < <(stream '{"kind":"mark","ts":"x"}')
	[ "$stderr" = "tq-filter: <stdin>:2: ts: expected an integer" ]
}

@test "kinds, and expressions without closure, pass as they come" {
	stream '{"kind":"mark","ts":1}' '{"kind":"kernel","ts":2}' > in
	for how in '-k mark' '--no-closure ts<2' '-k kernel -v' true; do
		coproc tq-filter $how
		sed 2q in >&"${COPROC[1]}"
		read -r -t 120 first <&"${COPROC[0]}"
		read -r -t 120 second <&"${COPROC[0]}"
		[ "$second" = "$(sed -n 2p in)" ]
		kill "$COPROC_PID"
		wait "$COPROC_PID" || true
	done
}

@test "a pipe that has to be read twice is copied, in silence" {
	stream '{"kind":"mark","ts":1}' '{"kind":"mark","ts":2}' > in
	tq-filter 'ts > 1' in > expected
	for file in - /dev/fd/0; do
		run --separate-stderr tq-filter 'ts > 1' $file < <(cat in)
		[ -z "$stderr" ]
		[ "$output" = "$(< expected)" ]
	done
	tq-filter 'ts > 1' < in 2>&1 | cmp - expected
	tq-filter -o out 'ts > 1' < in
	cmp out expected
}
