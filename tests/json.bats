#!/usr/bin/env bats
# -f json: one object of one shape, as tq.schema.json has it, see tq-json(5).

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# valid: standard input breaks nothing of the schema
valid() {
	jq -r --slurpfile schema "$top/examples/tq.schema.json" \
	    -f "$top/tests/oracle/schema.jq" > broken
	[[ ! -s broken ]] || { head -n 5 broken; return 1; }
}

# all reports that have tables, in one list
tables() {
	tq-stats --help-reports |
	    awk '/^ / && $1 !~ /^(group|overview|hist|folded)$/ { print $1 }' |
	    paste -sd,
}

# these, and each with each of its arguments
tables_with_arguments() {
	tables
	tq-stats --help-reports | awk '
	    /^ / && $1 !~ /^(group|overview|hist|folded)$/ {
		name = $1
		for (s = $0; match(s, /:[a-z|=0-9-]+/); s = substr(s, RSTART + RLENGTH)) {
			n = split(substr(s, RSTART + 1, RLENGTH - 1), words, "|")
			for (i = 1; i <= n; i++)
				print name ":" words[i]
		}
	    }' | paste -sd,
}

# every FILE: the output of every tool for a stream
every() {
	local reports

	reports=$(tables)
	tq-stats -q -f json -r "$reports" "$1" | valid || return 1
	tq-stats -q -f json -g kind,name "$1" | valid || return 1
	tq-stats -q -f json -r cuda_api_sum:pct,gaps_sum:stream --top 1 "$1" |
	    valid || return 1
	tq-stats -q -f json "$1" | valid || return 1
	tq-advise -f json "$1" | valid || return 1
	tq-advise -f json -r nsys "$1" | valid || return 1
	tq-diff -f json "$1" "$1" | valid || return 1
	tq-diff -f json --noise "$1" "$1" | valid
}

@test "json of every report and tool is valid, of recordings made up and empty" {
	local name

	for name in demo base overlap mpi ranges; do
		every "$(correlated "$name")" || { echo "$name"; return 1; }
	done
	stream > empty.tq
	every empty.tq
	every "$(correlated demo)" --by-rank
}

@test "json of every report and tool is valid, of real recordings" {
	data nsys/2024.6.2-nvfuser-h200-a.sqlite
	every "$(correlated 2024.6.2-nvfuser-h200-a)"
	data nsys/2026.1.1-vectoradd.sqlite
	every "$(correlated 2026.1.1-vectoradd)"
}

@test "json of every report with every argument is valid" {
	local name all

	all=$(tables_with_arguments | paste -sd,)
	[[ $all = *,nvtx_kern_sum:folded,* && $all = *,gaps:stream,* ]]
	for name in demo mpi rpd; do
		tq-stats -q -f json -r "$all" "$(correlated "$name")" > out
		valid < out || { echo "$name"; return 1; }
		jq -e --arg all "$all" '(.reports | length) == ($all | split(",") | length)' out
	done
}

@test "json of every report is valid, of a recording of each source" {
	local file

	printf 'main;f;g 3\nmain;h 2\n' > folded.txt
	for file in folded.txt \
	    "$DATA"/nsys-rep/NVIDIA-1ef9a364.nsys-rep \
	    "$DATA"/rocpd/synthetic-v4.db.zst \
	    "$DATA"/kineto/hta-large-integer.json.zst \
	    "$DATA"/other/{wprof-format-examples.ndjson,torch-memory-timeline.raw.json.zst} \
	    "$DATA"/other/nccl-inspector-examples.jsonl \
	    "$DATA"/other/perf/perf-cycles-instructions-01.txt.zst \
	    "$DATA"/other/speedscope/speedscope-one-sample.txt.zst; do
		[[ -e $file ]] || continue
		tq-extract "$file" 2> /dev/null | tq-correlate > in.tq 2> /dev/null
		tq-stats -q -f json -r "$(tables)" in.tq 2> /dev/null | valid ||
		    { echo "$file"; return 1; }
		tq-advise -f json in.tq 2> /dev/null | valid || { echo "$file"; return 1; }
		tq-extract --check -f json "$file" 2> /dev/null > check || true
		valid < check || { echo "$file"; return 1; }
	done
}

@test "json with other options is valid: ranks, units of time, order, partials, windows" {
	in=$(correlated demo)
	tq-stats -q -f json --by-rank -r cuda_gpu_kern_sum,gaps "$in" | valid
	tq-stats -q -f json --timeunit ms -r cuda_gpu_kern_sum "$in" > ms
	valid < ms
	jq -e '.reports[0].columns[1] | .key == "total_ms" and .unit == "ms"' ms
	tq-stats -q -f json --sort name --top 3 -r cuda_api_sum "$in" | valid
	tq-stats --partial -r cuda_api_sum "$in" |
	    tq-stats --merge -f json -r cuda_api_sum | valid
	tq-stats -q -f json --time 10ms:20ms -r gaps_sum "$in" > cut
	valid < cut
	jq -e '.window == {from_ns: 10000000, to_ns: 20000000, kind: "asked"}' cut
}

@test "json of tq-extract --check is valid, and has the numbers of its text" {
	local name db sum

	for name in demo base overlap mpi ranges rocpd rpd; do
		db=$(export_of $name)
		tq-extract --check -f json "$db" > check || true
		valid < check || { echo $name; return 1; }
		# the sum of the text
		sum=$(tq-extract --check "$db" | sed -n 's/^  \([0-9]*\) records, \([0-9]*\) rows dropped$/[\1,\2]/p')
		[[ $(jq -c '.reports[] | select(.report == "sources").rows[] |
		    [.records, .lost]' check) = "$sum" ]]
		jq -e '[.reports[] | select(.report == "tables").rows[].records] | add > 0' check
	done
	tq-extract --check -f json "$(demo)" "$(fixture base)" > two
	valid < two
	jq -e '[.reports[].report] == ["tables","tables","sources","notes","evidence"] and
	    (.file | length) == 2' two
	tq-extract --check -f json -k kernel --to 20ms "$(demo)" > part
	valid < part
	jq -e '.window.to_ns == 20000000 and .window.from_ns == null and
	    (.reports[-1].reason | startswith("not looked for"))' part
	# a file that is none has no half of an object
	echo hello > none.txt
	run -1 --separate-stderr tq-extract --check -f json none.txt
	[[ -z $output ]]
	run -2 tq-extract -f json "$(demo)"
	[[ $output = 'tq-extract: -f is of --check: a stream is lines of JSON anyway' ]]
}

@test "json of --check is valid for sources of text and for traces" {
	printf 'main;f;g 3\nmain;h 2\n' > folded.txt
	tq-extract --check -f json folded.txt | valid
	echo '{"traceEvents":[{"ph":"X","name":"a","ts":1,"dur":2,"pid":1,"tid":1}]}' > x.json
	tq-extract --check -f json x.json | valid
	tq-perfetto -q "$(extracted demo)" > x.pftrace
	tq-extract --check -f json x.pftrace > check || true
	valid < check
}

@test "the check of the schema finds what is broken" {
	local edit want

	tq-stats -q -f json -r cuda_api_sum,mpi_event_sum "$(correlated demo)" > good
	valid < good
	while IFS='|' read -r edit want; do
		jq -c "$edit" good > bad
		! valid < bad > said || { echo "$edit"; return 1; }
		grep -qF "$want" broken || { cat broken; return 1; }
	done <<- 'END'
	del(.window)|document: lacks window
	.more = 1|document: has more
	.file = "x"|document.file: is string, not array
	.window = {}|document.window: is none of what it may be
	.reports[0].shown = -1|document.reports[0].shown: is below 0
	.reports[0].shown += 1|report cuda_api_sum: shown is not the number of rows
	.reports[0].columns[0].unit = "hours"|is none of
	.reports[0].columns[0].key = "Total Time"|does not match
	.reports[0].columns[0].doc = ""|is too short
	del(.reports[0].rows[1].row)|document.reports[0].rows[1]: lacks row
	del(.reports[0].rows[1].total_ns)|report cuda_api_sum, row 1: lacks total_ns
	.reports[1].reason = null|report mpi_event_sum: a reason without rows
	END
	jq '."$defs".row.maxProperties = 1' "$top/examples/tq.schema.json" > odd
	run ! jq --slurpfile schema odd -f "$top/tests/oracle/schema.jq" good
	[[ $output = *'unknown keyword maxProperties' ]]
}

@test "an empty report has its reason and its columns, and is no failure" {
	run -0 tq-stats -q -f json -r mpi_event_sum "$(correlated demo)"
	jq -e '.reports[0] | .rows == [] and .reason == "no MPI call in the stream" and
	    (.columns | length) > 5' <<< "$output"
	run -0 tq-stats -q -f json -r stragglers "$(correlated demo)"
	jq -e '.reports | length == 1' <<< "$output"
	stream > empty.tq
	run -0 --separate-stderr tq-stats -f json empty.tq
	jq -e '[.reports[] | select(.total == 0 and .reason == null)] == []' <<< "$output"
}

@test "one report and several have one shape" {
	in=$(correlated demo)
	tq-stats -f json -r cuda_api_sum "$in" | jq .reports[0] > one
	tq-stats -f json -r osrt_sum,cuda_api_sum "$in" 2> /dev/null |
	    jq '.reports[] | select(.report == "cuda_api_sum")' | diff one -
}

@test "a row has the same key in another recording, however long its name is" {
	local a b

	# other pids, threads and times; names of 70 bytes that differ at the end
	a=$(printf 'k%.0s' {1..70})
	for b in 1 2; do
		stream '{"kind":"process","pid":'$b'7,"name":"train"}' \
		    '{"kind":"kernel","ts":1,"dur":'$b'0,"pid":'$b'7,"device":0,"name":"'$a'x"}' \
		    '{"kind":"kernel","ts":50,"dur":'$b'0,"pid":'$b'7,"device":0,"name":"'$a'y"}' \
		    '{"kind":"kernel","ts":99,"dur":'$b'0,"pid":'$b'7,"device":0,"name":"short"}' \
		    > $b.tq
		tq-stats -q -f json -r cuda_gpu_kern_sum,gaps_sum,device_time $b.tq |
		    jq -c '.reports[].rows[].row' | sort > $b
	done
	diff 1 2
	[[ $(grep -c '^"k\{60\}~[0-9a-f]\{8\}"$' 1) = 2 ]]
	[[ $(grep -c '^"k' <(sort -u 1)) = 2 ]]
	grep -x '"short"' 1
	grep -x '"GPU 0"' 1
	tq-stats -f json -r cuda_gpu_trace 1.tq | jq -e 'all(.reports[].rows[]; .row == null)'
}

@test "shares are of the base" {
	tq-stats -f json -r cuda_gpu_kern_sum,cuda_api_sum,gaps_sum "$(correlated demo)" |
	    jq -e 'all(.reports[] | .base.ns as $base | .rows[] |
		(100 * .total_ns / $base - (.time_pct // .of_wall_pct)); fabs <= 0.051)'
}

@test "the files are those that tq was given" {
	cp "$(demo)" "a 'b.sqlite"
	tq stats -f json -r kernels "a 'b.sqlite" | jq -e ".file == [\"a 'b.sqlite\"]"
	tq diff -f json "a 'b.sqlite" "a 'b.sqlite" |
	    jq -e ".file == [\"a 'b.sqlite\", \"a 'b.sqlite\"]"
	tq-extract "a 'b.sqlite" > x.tq
	tq-stats -f json -r kernels x.tq | jq -e '.file == ["x.tq"]'
	tq-stats -f json -r kernels < x.tq | jq -e '.file == []'
}

@test "commands of next run" {
	local command

	cp "$(demo)" demo.sqlite
	tq stats -q -f json -r "$(tables)" demo.sqlite | jq -r '.reports[].next[]' |
	    sort -u > commands
	(($(wc -l < commands) > 10))
	while read -r command; do
		[[ $command = *demo.sqlite* ]]
		# without rows it says so, and fails
		$command > out 2> said || grep -q '^tq-stats: [a-z_]*: ' said ||
		    { echo "$command"; return 1; }
	done < commands
}

@test "each column of each report says what it is" {
	stream > empty.tq
	tq-stats -q -f json -r "$(tables)" empty.tq |
	    jq -r '.reports[] | .report as $r | .columns[] |
		select(.doc == "") | "\($r): \(.title)"' > without
	diff /dev/null without
}

@test "json1 is what json was" {
	in=$(correlated demo)
	tq-stats -f json1 -r cuda_api_sum "$in" | jq -e '.[0]["Total Time (ns)"] > 0'
	tq-stats -q -f json1 -r cuda_api_sum,osrt_sum "$in" | jq -e 'has("cuda_api_sum")'
	tq-advise -f json1 "$in" | jq -e '.[0].account[0].wall_ns > 0'
	tq-diff -f json1 "$in" "$in" | jq -e '.verdict[0].metric == "wall"'
}

@test "what a call returned is ret, in csv with the titles of nsys too" {
	in=$(correlated demo)
	tq-stats -f json -r cuda_api_trace "$in" | jq -e '.reports[0].rows[0] | has("ret")'
	tq-stats -f ndjson -r cuda_api_trace "$in" | head -n 1 | jq -e 'has("ret")'
	tq-stats -f csv -r cuda_api_trace "$in" | sed q | grep -F ,Result,
	tq-stats -f csv --plain-keys -r cuda_api_trace "$in" | sed q | grep -F ,ret,
}
