#!/usr/bin/env bats
# tq-stats --partial, --merge: sums of parts are the sums of the whole

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# All tables that can be merged, with their arguments, but for group and those
# that need more than a record at a time.  mergeable "rows": those whose rows
# are each of one recording.
mergeable() {
	local name args arg list= rows=${1:-}

	stream > none
	while read -r name args; do
		[[ $name != @(group|hist|launch|cpu_sum|folded|range_self|module|key_averages|torch_ops|nvtx_gpu_proj_sum|nvtx_kern_sum|account) ]] ||
		    continue
		tq-stats --partial -r "$name" none > none.part 2> none.err ||
		    continue
		if grep -q '"columns":\|"sections":' none.part; then
			[[ $rows ]] || continue
		else
			[[ ! $rows ]] || continue
		fi
		list+=,$name
		[[ $args == *", :"* ]] || continue
		args=${args##*, :}
		for arg in ${args//|/ }; do
			# to be split, it needs all ranges: a test of its own
			[[ $arg == nvtx-name ]] || list+=,$name:$arg
		done
	done < <(tq-stats --help-reports | grep '^ ')
	echo "${list#,}"
}

# split FILE N [SEED [KINDS]]: N streams, split-0.tq and so on, which have the
# events of FILE, in turn or as chance has it; all have the definitions, and
# the records of KINDS, a regular expression.
split() {
	rm -f split-*
	awk -v n="$2" -v seed="${3:-}" -v both="^{\"kind\":\"(${4:-none})\"" '
	BEGIN { if (seed != "") srand(seed) }
	function put(i, line) {
		count[i]++
		print line > ("split-" i ".tq")
	}
	/^\{"kind":"trace"/ {
		for (i = 0; i < n; i++) print > ("split-" i ".tq")
		next
	}
	/^\{"kind":"end"/ { next }
	!/"ts":/ || $0 ~ both { for (i = 0; i < n; i++) put(i, $0); next }
	{ put(seed != "" ? int(rand() * n) : events++ % n, $0) }
	END {
		for (i = 0; i < n; i++)
			printf "{\"kind\":\"end\",\"events\":%d,\"dropped\":0}\n",
			    count[i] > ("split-" i ".tq")
	}' "$1"
}

# partials OPTION...: of each stream that split made
partials() {
	local f

	for f in split-*.tq; do
		tq-stats --partial "$@" "$f" > "${f%.tq}.part" || return 1
	done
}

# same FILE OPTION...: the partials in split-*.part make what FILE makes
same() {
	local file=$1 format

	shift
	for format in ${formats:-csv json1}; do
		tq-stats -q -f $format "$@" "$file" > "whole.$format" || :
		tq-stats -q -f $format --merge split-*.part > "merged.$format" || :
		cmp "whole.$format" "merged.$format" || return 1
	done
}

# each FILE REPORTS: likewise each of these reports alone, of some
each() {
	local report

	for report in ${2//,/ }; do
		tq-stats -q -f ndjson -r "$report" "$1" > whole || :
		tq-stats -q -f ndjson --merge -r "$report" split-*.part > merged || :
		cmp whole merged || return 1
	done
}

calls() {
	stream <<-'EOF'
	{"kind":"osrt","ts":1,"dur":10,"pid":1,"tid":1,"name":"read"}
	{"kind":"osrt","ts":2,"dur":7,"pid":1,"tid":1,"name":"a \"b\"\\\n\t\u007f\u00e9"}
	{"kind":"osrt","ts":20,"dur":12,"pid":1,"tid":1,"name":"read"}
	EOF
}

# header MEMBERS: the first line of a partial
header() {
	echo '{"kind":"trace","version":1,"source":"tq-stats","args":{"partial":2,'"$1"'}}'
}

# part LINE...: a partial of osrt_sum with these groups
part() {
	header '"reports":["osrt_sum"]'
	(($# == 0)) || printf '%s\n' "$@"
	echo '{"kind":"end","events":'$#'}'
}

row() { # VALUES [COUNT [BUSY]]
	echo '{"kind":"partial","args":{"report":"osrt_sum","key":["read"],"count":'"${2:-1}"',"busy":'"${3:-0}"',"values":['"$1"']}}'
}

# first_version: the partial on stdin as version 1 has it
first_version() {
	sed -E 's/^\{"kind":"trace",.*"args":\{"partial":2,(.*)\}\}$/{"partial":1,\1}/
	    s/^\{"kind":"partial","args":\{(.*)\}\}$/{"partial":1,\1}/
	    s/^\{"kind":"end","events":([0-9]*),"args":\{(.*)\}\}$/{"partial":1,"end":\1,\2}/
	    s/^\{"kind":"end","events":([0-9]*)\}$/{"partial":1,"end":\1}/'
}

# ---- the whole is the sum of its parts ----

@test "parts of the demo, in turn and at random, make the whole" {
	local reports n

	cp "$(correlated demo)" demo.tq
	reports=$(mergeable)
	[[ $reports == *cuda_gpu_kern_sum:base* && $reports == *nvtx_sum* ]]
	[[ $reports == *cuda_kern_exec_sum:base* ]]
	[[ $reports == *,memory,memory_sizes* ]]
	for n in 1 2 7; do
		split demo.tq $n
		partials -r "$reports"
		same demo.tq -r "$reports"
		split demo.tq $n $n
		partials -r "$reports"
		same demo.tq -r "$reports"
	done
	[[ -s whole.csv && -s whole.json1 ]]
}

@test "each report alone, of parts that have no other" {
	local report

	cp "$(correlated demo)" demo.tq
	split demo.tq 5 2
	for report in $(mergeable | tr , ' '); do
		partials -r "$report"
		same demo.tq -r "$report"
	done
}

@test "a hundred parts at random, each report" {
	cp "$(correlated demo)" demo.tq
	split demo.tq 100 3
	partials -r "$(mergeable)"
	same demo.tq -r "$(mergeable)"
	each demo.tq "$(mergeable)"
	# a kernel that waited, in rows of its own
	jq -es 'any(.[]; .qcount > 0 and .qmed_ns > 0)' \
		<(tq-stats --merge -f ndjson -r cuda_kern_exec_sum split-*.part)
}

@test "a hundred parts at random of a real export, each report" {
	need data
	in=$(correlated 2026.2.1-h100-2gpu)
	split "$in" 100 4
	partials -r "$(mergeable)"
	each "$in" "$(mergeable)"
}

@test "launches of kernels make the whole, where no graph is in two parts" {
	local in

	need data
	for in in "$(correlated demo)" "$(correlated 2026.2.1-h100-2gpu)"; do
		grep -vi -e graph -e '"kind":"trace"' -e '"kind":"end"' "$in" |
		    stream > kernels.tq
		split kernels.tq 7 1
		partials -r launch
		same kernels.tq -r launch
	done
	[[ -s whole.csv ]]
}

@test "lines of text: histograms, and folded samples" {
	local formats=table

	cp "$(correlated demo)" demo.tq
	split demo.tq 100 5
	partials -r hist
	same demo.tq -r hist
	grep -q median whole.table
	run -2 tq-stats --merge -f csv split-0.part
	[[ $output == "tq-stats: hist is text: only -f table prints it" ]]
	stream <<-'EOF' > samples.tq
	{"kind":"stack","id":1,"frames":["b","a"]}
	{"kind":"sample","ts":1,"pid":1,"tid":1,"stack":1}
	{"kind":"sample","ts":2,"pid":1,"tid":1}
	{"kind":"sample","ts":3,"pid":1,"tid":2,"stack":1}
	{"kind":"sample","ts":4,"pid":1,"tid":1,"stack":1}
	EOF
	split samples.tq 3
	partials -r folded:samples
	same samples.tq -r folded:samples
	grep -qx 'thread 1;a;b 2' whole.table
	stream <<-'EOF' > launches.tq
	{"kind":"stack","id":1,"frames":["b","a"]}
	{"kind":"kernel","ts":1,"dur":5,"pid":1,"name":"k","api_ts":0,"stack":1}
	{"kind":"kernel","ts":7,"dur":3,"pid":1,"name":"k","api_ts":0}
	{"kind":"kernel","ts":11,"dur":4,"pid":1,"name":"k","api_ts":0,"stack":1}
	EOF
	split launches.tq 2
	partials -r folded:launches
	same launches.tq -r folded:launches
	grep -qx 'a;b;k 9' whole.table
	partials -r gpu_lines
	same launches.tq -r gpu_lines
}

@test "operations by their ranges, where all parts have the ranges" {
	local formats reports=cuda_gpu_kern_sum:nvtx-name,range_self,range_self:path

	cp "$(correlated demo)" demo.tq
	split demo.tq 100 1 range
	partials -r "$reports,folded"
	each demo.tq "$reports"
	grep -q / whole
	partials -r folded
	formats=table
	same demo.tq -r folded
	grep -q ';' whole.table
	# of a stream without calls there is nothing to tell
	tq-stats --partial -r cuda_gpu_kern_sum:nvtx-name \
		"$(extracted demo)" > alone
	run -1 tq-stats --merge -r cuda_gpu_kern_sum:nvtx-name alone
	[[ $output == "tq-stats: cuda_gpu_kern_sum: the stream did not go through tq-correlate" ]]
}

@test "whole files: all that can be merged, and Busy" {
	local f i=0 reports

	rm -f split-*
	for f in demo graph ranges overlap; do
		cp "$(correlated $f)" "split-$i.tq"
		((++i))
	done
	cat split-*.tq > all.tq
	reports=$(mergeable | sed 's/,/:pct,/g'):pct
	reports+=,cuda_gpu_kern_sum:nvtx-name:pct,range_self:pct,range_self:path:pct,module:pct,key_averages,torch_ops,launch
	reports+=,nvtx_gpu_proj_sum:pct,nvtx_kern_sum:pct,nvtx_kern_sum:base
	partials -r "$reports"
	same all.tq -r "$reports"
	jq -e 'any(.["cuda_api_sum:pct"][]; .["Busy (ns)"] > 0)' whole.json1
	partials -r folded,hist
	formats=table same all.tq -r folded,hist
}

@test "whole files: reports whose rows are each of one recording" {
	local f i=0 reports

	rm -f split-*
	for f in demo graph ranges overlap mpi; do
		cp "$(correlated $f)" "split-$i.tq"
		((++i))
	done
	cat split-*.tq > all.tq
	reports=$(mergeable rows)
	for f in api_errors overhead sync_sum phases device_time:cause overlap \
	    hta_breakdown gaps:stream gaps_sum:thing hta_idle step step_sum \
	    launch_queue cuda_gpu_trace:base cuda_api_trace nvtx_pushpop_trace \
	    nvtx_gpu_proj_trace cuda_kern_exec_trace mpi_event_trace alloc \
	    torch_memory memory_peak:path torch_steps busy run; do
		[[ ,$reports, == *,"$f",* ]] || return 1
	done
	partials -r "$reports"
	same all.tq -r "$reports"
	jq -e '[.gaps, .gaps_sum, .device_time, .cuda_gpu_trace, .sync_sum,
	    .mpi_event_trace] | all(length > 1)' whole.json1
	# partials of partials
	tq-stats --merge --partial split-[01].part > a
	tq-stats --merge --partial split-[234].part > b
	tq-stats -q -f json1 --merge a b | cmp whole.json1 -
	tq-stats --merge --partial split-*.part |
	    cmp - <(tq-stats --merge --partial a b)
}

@test "whole real files: reports whose rows are each of one recording" {
	local f i=0 reports names=(2026.2.1-h100-2gpu 2024.6.2-cuda-graphs
	    2026.2.1-mfu-2gpu 2022.2.1-nonlazy-mpi synthetic/a)

	need data
	for f in "${names[@]}"; do
		cp "$(correlated "$f")" "split-$((i++)).tq"
	done
	cat split-*.tq > all.tq
	reports=$(mergeable rows)
	partials -r "$reports"
	each all.tq "$reports"
	# only the 100 longest of all
	tq-stats --merge -r gaps -f ndjson split-*.part > gaps
	(($(wc -l < gaps) == 100))
}

@test "ranges projected, and kernels by their ranges, of whole recordings" {
	local f i=0 names=(2026.2.1-h100-2gpu 2025.3.1-cupy-nvtx synthetic/a
	    synthetic/a 2022.2.1-nonlazy-mpi) compat
	local reports=nvtx_gpu_proj_sum,nvtx_gpu_proj_sum:pct,nvtx_kern_sum:pct,nvtx_kern_sum:base

	need data
	for f in "${names[@]}"; do
		cp "$(correlated "$f")" "split-$((i++)).tq"
	done
	cat split-*.tq > all.tq
	for compat in '' --compat=2023.4; do
		# shellcheck disable=SC2086 # one or none
		partials $compat -r "$reports"
		# shellcheck disable=SC2086
		same all.tq $compat -r "$reports"
		# partials of partials
		tq-stats --merge --partial split-[01].part > a
		tq-stats --merge --partial split-[234].part > b
		tq-stats -f json1 --merge a b | cmp whole.json1 -
	done
	jq -e '.nvtx_gpu_proj_sum | length > 100' whole.json1
	# of a stream without calls there is nothing to tell
	tq-stats --partial -r nvtx_kern_sum "$(extracted demo)" > alone
	run -1 tq-stats --merge -r nvtx_kern_sum alone
	[[ $output == "tq-stats: nvtx_kern_sum: the stream did not go through tq-correlate" ]]
}

@test "parts of real exports make the whole" {
	local name reports

	need data
	reports=$(mergeable)
	# one has a range that never ended: it lasts to the end of each part;
	# another has calls twice, which are of one part
	for name in $(without "synthetic/a 2022.2.1-nonlazy-mpi" \
	    "${COSTLY[@]}"); do
		split "$(correlated "$name")" 4 1
		partials -r "$reports"
		same "$(correlated "$name")" -r "$reports"
	done
}

@test "--group and --compat are kept" {
	cp "$(extracted demo)" demo.tq
	split demo.tq 3
	partials -g kind,pid,name
	same demo.tq -g kind,pid,name
	partials --compat 2024.6 -r cuda_api_sum,nvtx_sum
	same demo.tq --compat 2024.6 -r cuda_api_sum,nvtx_sum
	run -1 tq-stats --merge --compat 2023.4 split-*.part
	[[ $output == "tq-stats: split-0.part:1: made with another --compat" ]]
}

@test "other columns: percentiles are exact, busy is summed" {
	cp "$(extracted demo)" demo.tq
	split demo.tq 3
	partials -r osrt_sum:pct,cuda_gpu_kern_sum
	tq-stats --merge -f json1 split-*.part > merged
	tq-stats -f json1 -r osrt_sum:pct,cuda_gpu_kern_sum demo.tq > whole
	run -0 diff <(jq 'del(.[][]["Busy (ns)", "Total of Wall (%)", "Busy of Wall (%)"])' whole) \
		<(jq 'del(.[][]["Busy (ns)", "Total of Wall (%)", "Busy of Wall (%)"])' merged)
	# two parts in which the same ran at the same time
	calls > split-0.tq
	tq-stats --partial -r osrt_sum split-0.tq > p
	tq-stats --merge -f json1 -r osrt_sum:pct p p |
		jq -e '.[0]["Busy (ns)"] == 44 and .[0]["P99 (ns)"] == 12'
}

@test "any order, concatenated, compressed, and partials of partials" {
	cp "$(extracted demo)" demo.tq
	split demo.tq 4
	partials -r osrt_sum,cuda_api_sum
	tq-stats -r osrt_sum,cuda_api_sum demo.tq > whole
	run -0 cmp whole <(tq-stats --merge split-3.part split-0.part \
		split-2.part split-1.part)
	run -0 cmp whole <(cat split-*.part | tq-stats --merge)
	gzip -k split-0.part
	zstd -q split-1.part
	run -0 cmp whole <(tq-stats --merge split-0.part.gz split-1.part.zst \
		split-2.part - < split-3.part)
	tq-stats --merge --partial split-[01].part > a
	tq-stats --merge --partial split-[23].part > b
	run -0 cmp whole <(tq-stats --merge a b)
	tq-stats --merge --partial split-*.part > all
	run -0 cmp all <(tq-stats --merge --partial a b)
}

@test "-r takes some of the reports, and what differs in columns only" {
	calls > in
	tq-stats --partial -r osrt_sum,syscall_sum in > p
	run -0 cmp <(tq-stats -r osrt_sum:pct,osrtsum in) \
		<(tq-stats --merge -r osrt_sum:pct,osrtsum p)
	tq-stats --partial -r osrt_sum:pct,osrtsum in > p
	run -0 cmp <(tq-stats -r osrt_sum:pct,osrtsum in) \
		<(tq-stats --merge p)
	run -1 tq-stats --merge -r cuda_api_sum p
	[[ $output == "tq-stats: p:1: has no cuda_api_sum" ]]
	tq-stats --partial -r osrt_sum in > q
	tq-stats --partial -r osrt_sum,openmp_sum in > r
	run -1 tq-stats --merge q r
	[[ $output == "tq-stats: r:1: has openmp_sum, which others have not" ]]
	run -1 tq-stats --merge r q
	[[ $output == "tq-stats: q:1: has no openmp_sum" ]]
	run -0 tq-stats --merge -r osrt_sum q r
}

# ---- the file ----

@test "a partial is a line per group between two of its own" {
	calls | tq-stats --partial -r osrt_sum > p
	run -0 jq -c . p
	[[ ${lines[0]} == '{"kind":"trace","version":1,"source":"tq-stats","args":{"partial":2,"reports":["osrt_sum"],"wall":'[0-9]*'}}' ]]
	[[ ${lines[1]} == '{"kind":"partial","args":{"report":"osrt_sum","key":["read"],"count":2,"busy":22,"values":[10,2]}}' ]]
	[[ ${lines[3]} == '{"kind":"end","events":2}' ]]
	((${#lines[@]} == 4))
	run -0 cmp <(calls | tq-stats -f json1 -r osrt_sum) \
		<(tq-stats --merge -f json1 p)
}

@test "an empty partial is one" {
	stream | tq-stats --partial -r osrt_sum > empty
	run -0 cat empty
	[[ ${#lines[@]} == 2 && ${lines[1]} == '{"kind":"end","events":0}' ]]
	calls | tq-stats --partial -r osrt_sum > p
	run -0 cmp <(calls | tq-stats -r osrt_sum) \
		<(tq-stats --merge empty p empty)
	run -1 tq-stats --merge empty
	run -1 tq-stats --merge /dev/null
	[[ ${lines[1]} == "tq-stats: no partial to merge" ]]
}

@test "the first and the last of 64 bits" {
	part "$(row '-9223372036854775808,18446744073709551615' 2)" > p
	tq-stats --merge --partial p > q
	run -0 cmp p q
	run -0 tq-stats --merge -f csv p
	[[ ${lines[1]} == *,-9223372036854775808,9223372036854775807,* ]]
}

# ---- what is wrong ----

@test "a report that needs all records at once cannot be merged" {
	local report why

	calls > in
	while read -r report why; do
		run -2 tq-stats --partial -r "$report" in
		[[ $output == "tq-stats: $report cannot be merged: $why" ]]
		run -2 tq-stats --merge -r "$report" in
		[[ $output == "tq-stats: $report cannot be merged: $why" ]]
	done <<-'EOF'
	info it weighs the evidence of all records together
	next a finding needs all records together
	EOF
	# nobody asked for those among the default ones
	run -0 tq-stats --partial in
	[[ ${lines[0]} != *'"next"'* && ${lines[0]} == *'"run"'* &&
	    ${lines[0]} == *osrt_sum* ]]
}

@test "rows of other columns, or of other cells, are no part" {
	local begin='{"kind":"trace","version":1,"source":"tq-stats","args":{"partial":2,"reports":["device_time"]}}'
	local line='{"kind":"partial","args":{"report":"device_time"'
	local columns="$line,\"columns\":[[\"PID\",\"\"],[\"Wall\",\"ns\"],[\"Busy\",\"%\"],[\"Name\",\"text\"]]}}"
	local bad row="$line,\"row\":[1,5,[\"0x1.8p+1\",1],\"a\\nb\"]}}"

	printf '%s\n' "$begin" "$columns" "$row" "$line,\"row\":[null,-5,null,\"\"]}}" \
	    '{"kind":"end","events":3}' > p
	run -0 tq-stats --merge -f csv p p
	[[ ${lines[0]} == 'PID,Wall (ns),Busy (%),Name' && ${lines[1]} == '1,5,3.0,"a' ]]
	for bad in "$row" \
	    "$line,\"columns\":[]}}" "$line,\"columns\":[[\"PID\"]]}}" \
	    "$line,\"columns\":[[\"PID\",\"hours\"]]}}" \
	    "$line,\"columns\":[[\"a\\u0000b\",\"\"]]}}" "$line,\"columns\":5}}"; do
		printf '%s\n' "$begin" "$bad" > q
		run -1 tq-stats --merge q
		[[ $output == "tq-stats: q:2: "* ]] || return 1
	done
	for bad in "$line,\"row\":[1,5,3]}}" "$line,\"row\":[1,5,3,\"\",5]}}" \
	    "$line,\"row\":[1,5,[\"inf\",1],\"\"]}}" \
	    "$line,\"row\":[1,5,[\"0x1p+1\",99],\"\"]}}" \
	    "$line,\"row\":[1,5,[3,1],\"\"]}}" "$line,\"row\":[1,5,{},\"\"]}}" \
	    "$line,\"row\":[99999999999999999999,5,null,\"\"]}}" \
	    "$line,\"columns\":[[\"PID\",\"\"]]}}" \
	    "$line,\"key\":[\"read\"],\"count\":1,\"busy\":0,\"values\":[1]}}"; do
		printf '%s\n' "$begin" "$columns" "$row" "$bad" > q
		run -1 tq-stats --merge q
		[[ $output == "tq-stats: q:4: "* ]] || return 1
	done
	# a part that another made later
	sed 's/Wall/Walls/' p > q
	run -1 tq-stats --merge p q
	[[ $output == "tq-stats: q:2: columns are not those of the report" ]]
	for bad in sync_sum overhead serve busy run; do # which read them again
		run -1 tq-stats --merge -r $bad <(sed "s/device_time/$bad/" p)
		[[ $output == *":2: columns are not those of the report" ]] || return 1
		calls | tq-stats --partial -r $bad | grep '"columns"' > columns
		printf '%s\n' "${begin/device_time/$bad}" "$(< columns)" \
		    "${line/device_time/$bad},\"row\":[$(jq -r '.args.columns |
			map("null") | join(",")' columns)]}}" > q
		run -1 tq-stats --merge q
		[[ $output == "tq-stats: q:3: a row is not as the columns have it" ]]
	done
}

@test "sections of run and agents of busy are those of one pass" {
	echo '{"kind":"thread","pid":1,"tid":1}' | stream > split-0.tq # no event
	{ calls; cat "$(correlated demo)"; } > split-1.tq
	stream < /dev/null > split-2.tq
	calls > split-3.tq
	stream '{"kind":"kernel","ts":1,"dur":9223372036854775807,"pid":1,"device":0,"name":"k"}' \
	    '{"kind":"kernel","ts":2,"dur":9223372036854775806,"pid":1,"device":0,"name":"k"}' \
	    '{"kind":"memcpy","ts":3,"dur":5,"pid":1,"device":0,"dst":"Pageable","name":"c"}' > split-4.tq
	cat split-?.tq > all.tq
	partials -r run,busy
	same all.tq -r run,busy
	jq -e '(.run | map(.Trace) | unique == [0, 1, 2, 3, 4, 5]) and
	    (.busy | length == 6)' whole.json1
	tq-stats --merge --partial split-[01].part > a
	tq-stats --merge --partial split-[234].part > b
	tq-stats -q -f json1 --merge a b | cmp whole.json1 -
	# nothing but definitions
	rm split-[1-9].*
	partials -r run
	run -1 tq-stats --merge split-0.part
	[[ $output = "tq-stats: all reports are empty" ]]
}

@test "finished tables are printed as the parts that they are of, in all formats" {
	local f i=0 reports

	for f in demo graph ranges overlap mpi; do
		cp "$(correlated $f)" "split-$((i++)).tq"
	done
	reports=$(mergeable),$(mergeable rows),cuda_gpu_kern_sum:pct
	reports+=,launch,module,ranks,stragglers,collectives,critical
	partials -r "$reports"
	tq-stats --merge --tables split-*.part > all.tables
	[[ $(grep -c '"columns"' all.tables) -gt 60 ]]
	# not those that are more than a table for people
	reports=$(head -n 1 all.tables | jq -r '.args.reports | join(",")')
	for f in table csv tsv ndjson markdown html json1; do
		tq-stats -q --merge -r "$reports" -f $f split-*.part |
		    sed 's|<title>.*</title>||' > want # has the first file
		tq-stats -q --merge -f $f all.tables |
		    sed 's|<title>.*</title>||' | cmp - want
	done
	# and so have documents; why an empty report is so is not in tables
	tq-stats -q --merge -r "$reports" -f json split-*.part |
	    jq -c '.reports[] | del(.reason)' > want
	tq-stats -q --merge -f json all.tables |
	    jq -c '.reports[] | del(.reason)' | cmp - want
	# with rows in another order, and of a part of the reports
	tq-stats -q --merge -r gaps_sum,nvtx_sum --sort max_ns --top 3 split-*.part > want
	tq-stats -q --merge -r gaps_sum,nvtx_sum --sort max_ns --top 3 all.tables |
	    cmp - want
	tq-stats --merge --tables -r ranks all.tables | tq-stats --merge -r ranks |
	    cmp - <(tq-stats --merge -r ranks all.tables)
	# of a stream, without parts
	seq 5000 | sed 's|.*|{"kind":"osrt","ts":&,"dur":&,"name":"read"}|' > many
	tq-stats --tables --approx -r osrt_sum,step many > one
	tq-stats --merge --partial one | cmp - one
	tq-stats -q --approx -r osrt_sum,step many > want
	grep -q 'are within 1/256' want
	tq-stats -q --merge one | cmp - want
}

@test "finished tables are not merged" {
	local part

	tq-stats --partial "$(correlated demo)" > a.part
	tq-stats --tables "$(correlated demo)" > a.tables
	for part in a.tables a.part; do
		run -1 tq-stats --merge a.tables $part
		[[ $output == "tq-stats: $part:1: finished tables cannot be merged" ]]
	done
	run -1 tq-stats --merge a.part a.tables
	[[ $output == "tq-stats: a.tables:1: finished tables cannot be merged" ]]
	run -2 tq-stats --tables -r hist a.part
	[[ $output == "tq-stats: hist cannot be a finished table" ]]
	run -1 tq-stats --merge -r cuda_gpu_kern_sum:mangled a.tables
	[[ $output == "tq-stats: a.tables:1: has no cuda_gpu_kern_sum:mangled" ]]
	sed 's/"title":"[^"]*"/"title":7/' a.tables > wrong
	run -1 tq-stats --merge wrong
	[[ $output == "tq-stats: wrong:2: a table has no title" ]]
	sed 's/"base_ns":[0-9]*/"base_ns":"x"/' a.tables > wrong
	run -1 tq-stats --merge wrong
	[[ $output == "tq-stats: wrong:"+([0-9])": base_ns is no number" ]]
}

# refused_cut_anywhere FILE: no beginning of the partial FILE is a whole one
refused_cut_anywhere() {
	local n size

	size=$(stat -c %s "$1")
	for ((n = 0; n < size - 1; n += 3)); do
		head -c $n "$1" > torn
		run -1 tq-stats --merge -q torn
	done
}

@test "a partial that was cut short is noticed" {
	local n lines

	calls | tq-stats --partial -r osrt_sum > p
	lines=$(wc -l < p)
	for ((n = 1; n < lines; n++)); do
		head -n $n p > torn
		run -1 --separate-stderr tq-stats --merge -q torn
		[[ $stderr == "tq-stats: warning: torn: stream ends without its end record" ]]
	done
	refused_cut_anywhere p
	# a line less
	sed 2d p > torn
	run -1 tq-stats --merge torn
	[[ $output == *"torn: stream ends without its end record"* ]]
	# and the next partial goes on behind it
	head -n 2 p | cat - p > torn
	run -1 tq-stats --merge torn
	[[ $output == *"torn: stream ends without its end record"* ]]
}

@test "what is no partial is named with its line" {
	local line message

	while IFS='~' read -r message line; do
		part "$line" > p
		run -1 --separate-stderr tq-stats --merge p
		[[ -z $output && $stderr == "tq-stats: p:2: $message" ]] || {
			echo "$line: $stderr"
			return 1
		}
	done <<-EOF
	a value is no integer, or too large~$(row 9223372036854775808)
	a value is no integer, or too large~$(row 1.5)
	a value is no integer, or too large~$(row '1,-1' 2)
	a value is no integer, or too large~$(row '1,1.0' 2)
	a value is no integer, or too large~$(row '-1,18446744073709551616' 2)
	a value is no integer, or too large~$(row '[1]')
	a value is no integer, or too large~$(row '"1"')
	a value is too large~$(row '1,9223372036854775807' 2)
	count is not the number of values~$(row '1,1' 1)
	count is not the number of values~$(row 1 2)
	count is no integer, or too large~$(row 1 99999999999999999999)
	busy is no integer, or too large~$(row 1 1 9223372036854775808)
	expected a value~$(row '1,' 2)
	expected ',' or ']'~$(row '1 1' 2)
	expected '{'~[]
	expected '{'~hello
	no line of a partial~{}
	no line of a partial~{"kind":"mark","ts":1}
	no line of a partial~{"kind":"partial"}
	no line of a partial~{"kind":"partial","args":{}}
	no line of a partial~{"kind":"partials","args":{"report":"osrt_sum"}}
	args: expected an object~{"kind":"partial","args":5}
	a line of a report that the partial does not have~{"kind":"partial","args":{"report":"syscall_sum"}}
	report is no string~{"kind":"partial","args":{"report":7}}
	expected a key~{"kind":"partial","args":{"report":"osrt_sum"}}
	expected a key~{"kind":"partial","args":{"report":"osrt_sum","key":[]}}
	expected a key~{"kind":"partial","args":{"report":"osrt_sum","key":"read"}}
	a part of the key is no string~{"kind":"partial","args":{"report":"osrt_sum","key":[1]}}
	busy is no integer, or too large~{"kind":"partial","args":{"report":"osrt_sum","key":["a"]}}
	expected values~{"kind":"partial","args":{"report":"osrt_sum","key":["a"],"busy":0,"count":0,"values":[]}}
	expected values~{"kind":"partial","args":{"report":"osrt_sum","key":["a"],"busy":0,"count":1}}
	count is no integer, or too large~{"kind":"partial","args":{"report":"osrt_sum","key":["a"],"busy":0,"values":[1]}}
	EOF
}

@test "what is wrong with other sums is named with its line" {
	local line message

	while IFS='~' read -r message line; do
		{
			header '"reports":["launch"]'
			echo '{"kind":"partial","args":{"report":"launch","key":["no","a","b"],"count":1,"busy":0,"values":[1]'"$line"'}}'
		} > p
		run -1 --separate-stderr tq-stats --merge p
		[[ -z $output && $stderr == "tq-stats: p:2: $message" ]] || {
			echo "$line: $stderr"
			return 1
		}
	done <<-EOF
	numbers are not those of the report~
	numbers are not those of the report~,"numbers":1
	numbers are not those of the report~,"numbers":[]
	numbers are not those of the report~,"numbers":[1,2]
	numbers are not those of the report~,"numbers":[-1]
	numbers are not those of the report~,"numbers":["1"]
	more is not what the report has~,"numbers":[1]
	more is not what the report has~,"numbers":[1],"more":{}
	more is not what the report has~,"numbers":[1],"more":[1,2]
	more is not what the report has~,"numbers":[1],"more":[{"count":1,"values":[1]}]
	more is not what the report has~,"numbers":[1],"more":[{"count":0,"values":[]},{"count":0,"values":[]},{}]
	count is no integer, or too large~,"numbers":[1],"more":[{}]
	expected values~,"numbers":[1],"more":[{"count":1}]
	count is not the number of values~,"numbers":[1],"more":[{"count":2,"values":[1]}]
	EOF
}

@test "a header that is wrong, and what is no header" {
	local line message

	while IFS='~' read -r message line; do
		echo "$line" > p
		run -1 tq-stats --merge p
		[[ $output == "tq-stats: p:1: $message" ]]
	done <<-EOF
	no line of a partial~{"kind":"trace","version":1,"source":"test"}
	no line of a partial~{"kind":"trace","version":1,"source":"test","args":{"partial":2,"reports":[]}}
	version 2 of the stream is not known~{"kind":"trace","version":2,"source":"tq-stats","args":{"partial":2,"reports":[]}}
	partial is no version~{"kind":"trace","version":1,"source":"tq-stats","args":{"partial":"2"}}
	the version of the partial is not known~{"kind":"trace","version":1,"source":"tq-stats","args":{"partial":1,"reports":[]}}
	the version of the partial is not known~{"kind":"trace","version":1,"source":"tq-stats","args":{"partial":3,"reports":[]}}
	expected the first line of a partial~$(row 1)
	group is no list of keys~$(header '"reports":["group"],"group":"name,nothing"')
	group is no list of keys~$(header '"reports":["group"],"group":""')
	grouped by other keys~$(header '"reports":["group"],"group":"name\u0000"')
	group is no string~$(header '"reports":["group"],"group":1')
	compat is of no version that is known~$(header '"reports":[],"compat":"1"')
	compat is no string~$(header '"reports":[],"compat":1')
	a report that is not known or cannot be merged~$(header '"reports":["info"]')
	a report that is not known or cannot be merged~$(header '"reports":[""]')
	a report that is not known or cannot be merged~$(header '"reports":["osrt_sum:x"]')
	a report without the keys that it groups by~$(header '"reports":["group"]')
	a name is no string~$(header '"reports":[1]')
	reports is no array~$(header '"reports":1')
	reports is no array~$(header '"report":[]')
	expected ',' or '}'~{"kind":"trace","version":1,"source":"tq-stats","args":{"partial":2,"reports":[]}
	EOF
	part "$(row 1 1 9223372036854775807)" > p
	run -1 tq-stats --merge p p
	[[ $output == "tq-stats: p:2: busy becomes too large" ]]
	run -1 tq-stats --merge nowhere
	[[ $output == "tq-stats: nowhere: No such file or directory"* ]]
}

# ---- version 1 ----

@test "partials of version 1 merge as those of version 2 do, mixed or alone" {
	local f i=0 reports

	for f in demo graph ranges overlap mpi; do
		cp "$(correlated $f)" "split-$((i++)).tq"
	done
	reports=$(mergeable),$(mergeable rows),launch,hist
	partials -r "$reports,ranks,stragglers,collectives"
	for f in split-?.part; do
		first_version < "$f" > "old-$f"
		grep -qv '"kind"' "old-$f"
		! grep -q '"kind":"\(trace\|partial\|end\)"' "old-$f" || return 1
	done
	tq-stats -q --merge --partial split-?.part > want
	tq-stats -q --merge --partial old-split-?.part | cmp want -
	tq-stats -q --merge --partial split-[01].part old-split-[2-4].part | cmp want -
	tq-stats -q --merge --partial old-split-0.part split-[1-3].part old-split-4.part |
	    cmp want -
	cat old-split-0.part split-[12].part old-split-[34].part |
	    zstd -q | tq-stats -q --merge --partial | cmp want -
	tq-stats --merge --tables split-?.part > all.tables
	first_version < all.tables > old.tables
	tq-stats -q --merge all.tables > want
	tq-stats -q --merge old.tables | cmp want -
	# sketches, and the recordings of ranks
	ranked() { sed '1s/"version":1/&,"rank":3/' "$1"; }
	ranked split-0.tq | tq-stats --approx --partial -r osrt_sum > p
	first_version < p > old
	grep -q '"end":.*"recordings":' old
	tq-stats -q --merge -f csv p > want
	tq-stats -q --merge -f csv old | cmp want -
	for f in "p old" "old p" "old old"; do
		# shellcheck disable=SC2086 # two files
		run -1 tq-stats --merge $f
		[[ $output == "tq-stats: "*": the recording of rank 3 is in "*" already" ]]
	done
}

@test "a partial of version 1 that was cut short is noticed" {
	local n

	calls | tq-stats --partial -r osrt_sum > new
	first_version < new > p
	for n in 1 2 3; do
		head -n $n p > torn
		for f in torn "torn new" "torn p"; do
			# shellcheck disable=SC2086 # one or two
			run -1 --separate-stderr tq-stats --merge -q $f
			[[ $stderr == "tq-stats: warning: torn: partial ends without its end line" ]]
		done
		cat new >> torn
		run -1 --separate-stderr tq-stats --merge -q torn
		[[ $stderr == "tq-stats: warning: torn: partial ends without its end line" ]]
		head -n $n new | cat - p > torn
		run -1 --separate-stderr tq-stats --merge -q torn
		[[ $stderr == "tq-stats: warning: torn: stream ends without its end record" ]]
	done
	refused_cut_anywhere p
	sed 2d p > torn
	run -1 tq-stats --merge torn
	[[ $output == *"torn: partial ends without its end line"* ]]
}

@test "what is no partial of version 1 is named with its line" {
	local line message

	while IFS='~' read -r message line; do
		part "$line" | first_version > p
		run -1 --separate-stderr tq-stats --merge p
		[[ -z $output && $stderr == "tq-stats: p:2: $message" ]] || {
			echo "$line: $stderr"
			return 1
		}
	done <<-EOF
	a value is no integer, or too large~$(row 9223372036854775808)
	count is not the number of values~$(row 1 2)
	expected ',' or ']'~$(row '1 1' 2)
	expected '{'~[]
	no line of a partial~{}
	no line of a partial~{"partial":1}
	no line of a partial~{"kind":"mark","ts":1}
	partial is no version~{"partial":"1"}
	the version of the partial is not known~{"partial":2}
	a line of a report that the partial does not have~{"partial":1,"report":"syscall_sum"}
	a report that is not known or cannot be merged~{"partial":1,"reports":["info"]}
	reports is no array~{"partial":1,"reports":1}
	EOF
	row 1 | first_version > p
	run -1 tq-stats --merge p
	[[ $output == "tq-stats: p:1: expected the first line of a partial" ]]
	# lines of one version in a partial of the other
	{
		part | head -n 1
		row 1 | first_version
	} > p
	run -1 tq-stats --merge p
	[[ $output == "tq-stats: p:2: expected the first line of a partial" ]]
	{
		part | first_version | head -n 1
		row 1
	} > p
	run -1 tq-stats --merge p
	[[ $output == "tq-stats: p:2: expected the first line of a partial" ]]
}

@test "a merge whose reports are all empty says so" {
	calls | tq-stats --partial -r api_errors > p
	for format in table csv; do
		run -1 tq-stats --merge -f $format p p
		[[ $output == "tq-stats: all reports are empty" ]]
	done
}

@test "tools that read streams name a partial, and select no part of it" {
	local tool

	calls | tq-stats --partial -r osrt_sum > p
	first_version < p > old
	for tool in tq-filter tq-stats tq-advise tq-correlate tq-chrome tq-perfetto tq-align; do
		for f in p old; do
			run -1 --separate-stderr $tool $f
			[[ $stderr == "$tool: $f: is a partial: tq-stats --merge reads it" ]]
		done
	done
	for f in p old; do
		run -1 --separate-stderr tq-diff $f $f
		[[ $stderr == "tq-diff: $f: is a partial: tq-stats --merge reads it" ]]
	done
	# also where it has no line
	part > p
	run -1 tq-stats p
	[[ $output == "tq-stats: p: is a partial: tq-stats --merge reads it" ]]
	# and an account
	calls | tq-stats --partial -r account > p
	run -1 tq-stats p
	[[ $output == "tq-stats: p: is an account: tq-diff reads it" ]]
	run -1 tq-stats --merge p
	[[ $output == "tq-stats: p: is an account: tq-diff reads it" ]]
}
