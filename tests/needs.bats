#!/usr/bin/env bats
# Only what is needed is read: tq-extract --keys, --only, --kinds, --launches;
# tq-correlate -k; tq-stats --needs; tq stats.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# ---- what reports need ----

@test "a report that reads stacks makes no other one need tq-correlate" {
	for reports in osrt_lines,cuda_gpu_kern_sum folded:samples,cuda_gpu_kern_sum; do
		run -0 tq-stats --needs -r $reports
		[[ $output != *correlate* && $output != *api* && $output != *kernel.stack* ]]
	done
	run -0 tq-stats --needs -r gpu_lines
	[[ $output == *correlate* && $output == *api.stack* ]]
}

@test "what names operations of graphs is read for reports of their ranges, operators and modules" {
	local report

	cp "$(fixture graph)" graph.sqlite
	sqlite3 graph.sqlite "
	INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid) VALUES
	    (5000, 5100, 59, 'nn.Module: Layer_0', 0x1001000001000),
	    (5005, 5035, 59, 'aten::mm, seq = 1, op_id = 2', 0x1001000001000)"
	tq-extract graph.sqlite | tq-correlate > whole.tq
	for report in folded range_self:path torch_ops module; do
		tq-stats -q -r "$report" whole.tq > whole
		tq stats -q -r "$report" graph.sqlite | diff whole - || { echo "$report"; return 1; }
		grep -q -e aten::mm -e Layer_0 whole
	done
	tq-extract --launches -k api --keys ts graph.sqlite |
	    jq -c 'select(.api == "cuda-graph") | .args' > got
	[[ $(wc -l < got) = 10 && $(tail -n 1 got) = '{"graphNodeId":45,"originalGraphNodeId":35}' ]]
	[[ $(tq-extract --no-args graph.sqlite | grep -c graphNodeId) = 0 ]]
}

# ---- tq-extract ----

# without_definitions: records, but for those that --keys may leave out
without_definitions() {
	grep -v -e '"kind":"symbol"' -e '"kind":"stack"' -e '"kind":"end"'
}

@test "--keys writes these keys of events, and always kind and ts" {
	tq-extract -k kernel --keys name,dur,sym "$(demo)" > got
	grep '"kind":"kernel"' got | jq -r 'keys_unsorted | join(",")' |
	    sort -u > keys
	echo kind,ts,dur,name,sym | diff - keys
	# as jq chooses them of the whole stream
	tq-extract -k kernel "$(demo)" |
	    jq -c 'if .kind == "kernel"
	        then {kind, ts, dur, name, sym} else . end' | diff - got
}

@test "--keys leaves a valid stream: definitions, losses and the end are whole" {
	tq-extract --keys dur "$(fixture odd)" 2> /dev/null > got
	tq-extract --keys ts got | tail -n 1 | jq -e '.kind == "end"'
	for kind in trace process thread device context stream lost; do
		diff <(grep "\"kind\":\"$kind\"" got) \
		    <(tq-extract "$(fixture odd)" 2> /dev/null |
			grep "\"kind\":\"$kind\"") || return 1
	done
}

@test "--keys brings symbols and stacks only where their ids are written" {
	tq-extract --keys dur "$(fixture base)" > got
	run -1 grep -c -e '"kind":"symbol"' -e '"kind":"stack"' got
	tq-extract --keys sym,stack "$(fixture base)" > got
	for kind in symbol stack; do
		grep -q "\"kind\":\"$kind\"" got
	done
}

@test "--keys KIND.KEY writes a key of one kind only" {
	tq-extract -k kernel,api --keys dur,api.name "$(demo)" > got
	jq -e -s 'map(select(.kind == "api")) | all(has("name") and has("dur"))' got
	jq -e -s 'map(select(.kind == "kernel")) |
	    all((has("name") | not) and has("dur"))' got
}

@test "a key that says nothing alone brings the other one" {
	tq-extract -k api --keys tid "$(demo)" |
	    jq -e -s 'map(select(.kind == "api")) | all(has("pid"))'
	tq-extract -k range --keys dur "$(fixture ranges)" |
	    jq -e -s 'map(select(.kind == "range" and (has("dur") | not))) |
	        length > 0 and all(.open)'
}

@test "columns that no chosen key needs are not decoded" {
	tq-extract --check "$(fixture odd)" > whole || true
	grep 'left out: ' whole
	tq-extract --check --keys dur "$(fixture odd)" > part || true
	run -1 grep 'left out: ' part
}

@test "--keys of an export, by either reader, and of its stream, are the same" {
	local name keys

	for name in base ranges odd hosts overlap v2020 v2026 demo; do
		for keys in dur,name,sym pid,corr,gpu domain,category,open,raw \
		    tid,device,stream,sync,wait_stream grid,stack,bytes,copy; do
			tq-extract --keys "$keys" "$(extracted "$name")" \
			    2> /dev/null | without_definitions > want
			tq-extract --keys "$keys" "$(export_of "$name")" \
			    2> /dev/null | without_definitions | diff want -
			tq-extract --keys "$keys" --reader sqlite \
			    "$(export_of "$name")" 2> /dev/null |
			    without_definitions | diff want -
		done || return 1
	done
}

@test "--keys leaves out keys of a stream that the schema lacks; --no-args keeps them" {
	stream '{"kind":"mark","ts":1,"name":"a","args":{"x":1},"own":2}' > a.tq
	tq-extract --only --keys name a.tq > got
	echo '{"kind":"mark","ts":1,"name":"a"}' | diff - got
	tq-extract --only --no-args a.tq > got
	echo '{"kind":"mark","ts":1,"name":"a","own":2}' | diff - got
}

@test "a key or kind that there is not is a usage error that names it" {
	run -2 tq-extract --keys dur,nam "$(demo)"
	[[ $output = "tq-extract: 'nam' is no key of a record: did you mean name"* ]]
	run -2 tq-extract --keys kernels.dur "$(demo)"
	[[ $output = "tq-extract: no kind of record is named 'kernels'"*kernel* ]]
	run -2 tq-extract --keys '' "$(demo)"
}

@test "--only writes events, without definitions, trace, end and losses" {
	tq-extract -k kernel --only "$(demo)" > got
	tq-extract -k kernel "$(demo)" | grep '"kind":"kernel"' | diff - got
	tq-extract "$(demo)" | tq-extract -k kernel --only | diff - got
	tq-extract --only "$(fixture odd)" 2> err |
	    run -1 grep -e '"kind":"lost"' -e '"kind":"process"'
	grep 'rows dropped' err
}

@test "--kinds counts the events of each kind that -k, --from and --to select" {
	tq-extract --kinds "$(demo)" > got
	grep -P '^kernel\t372$' got
	tq-extract --only "$(demo)" | jq -r .kind | sort | uniq -c |
	    awk '{ print $2 "\t" $1 }' | diff - <(sort got)
	tq-extract "$(demo)" | tq-extract --kinds | diff got -
	tq-extract --kinds "$(fixture odd)" "$(demo)" > two
	tq-extract "$(fixture odd)" "$(demo)" 2> /dev/null |
	    tq-extract --kinds | diff two -
	tq-extract --kinds -k memcpy --to 3ms "$(demo)" > got
	printf 'memcpy\t4\n' | diff - got
	run -0 tq-extract -k help
	[[ $output = *'tq-extract --kinds FILE'* ]]
	run -2 tq-extract --kinds --check "$(demo)"
	[[ $output = 'tq-extract: --kinds excludes --check' ]]
}

# events_of FILE OPTION ...: its events, but for what depends on other kinds: the
# count of operations of a call, and the numbers of stacks
events_of() {
	tq-extract --only "$@" 2> /dev/null |
	    sed -E 's/,"(gpu|stack)":[0-9]+//g'
}

@test "records of a kind are the same, whatever other kinds are read" {
	for name in demo base graph ranges mpi unsorted odd rocpd rpd torch; do
		events_of "$(export_of "$name")" > whole
		[[ -s whole ]]
		for kind in $(jq -r .kind whole | sort -u); do
			events_of "$(export_of "$name")" -k "$kind" |
			    diff <(grep "^{\"kind\":\"$kind\"" whole) - || {
				echo "$name: $kind"
				return 1
			}
		done
	done
}

@test "a synchronisation has the device of its context, whatever is read besides, and when" {
	local context last

	cp "$(fixture base)" base.sqlite
	# the operations alone tell the device of a context
	context=$(sqlite3 base.sqlite 'SELECT contextId FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION
	    ORDER BY start LIMIT 1')
	sqlite3 base.sqlite "DROP TABLE IF EXISTS TARGET_INFO_CUDA_CONTEXT_INFO;
	    UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET deviceId = 5, contextId = $context;
	    DELETE FROM CUPTI_ACTIVITY_KIND_MEMCPY; DELETE FROM CUPTI_ACTIVITY_KIND_MEMSET;
	    DELETE FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION WHERE contextId != $context"
	devices() {
		tq-extract -k "$@" base.sqlite 2> /dev/null |
		    jq -r 'select(.kind == "sync").device' | uniq | xargs
	}
	[[ $(devices sync,kernel) = 5 ]]
	[[ $(devices sync) = 5 ]]
	# behind the last kernel
	last=$(sqlite3 base.sqlite 'SELECT max(end) + 1 FROM CUPTI_ACTIVITY_KIND_KERNEL')
	sqlite3 base.sqlite "UPDATE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION
	    SET start = $last, end = $last + 10"
	[[ $(devices sync --time 10ns:) = 5 ]]
	[[ $(devices sync,kernel --time "$((last - 1))ns:") = 5 ]]
	# of operations that are lost, too
	sqlite3 base.sqlite 'UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = start - 5'
	[[ $(devices sync) = 5 ]]
	[[ $(devices sync,kernel) = 5 ]]
}

@test "--launches leaves out the API calls that launched nothing" {
	tq-extract -k api,kernel,memcpy,memset,graph --only "$(demo)" > whole
	tq-extract -k api,kernel,memcpy,memset,graph --only --launches \
	    "$(demo)" > got
	jq -c 'select(.kind != "api" or has("gpu"))' whole | diff - got
	[[ $(wc -l < got) -lt $(wc -l < whole) ]]
	tq-extract -k api,kernel --launches --keys dur --only "$(demo)" |
	    jq -e -s 'map(select(.kind == "api")) | length > 0 and all(.gpu)'
}

# ---- tq-correlate ----

@test "tq-correlate -k writes these kinds, with what all others tell of them" {
	for name in demo graph ranges; do
		tq-correlate -k kernel,gpu-range "$(extracted "$name")" > got
		grep -v '"kind":"end"' "$(correlated "$name")" |
		    jq -c 'select(.kind as $k | ["kernel", "gpu-range", "trace",
		        "process", "thread", "device", "context", "stream",
		        "symbol", "stack", "counterdef", "lost"] | index($k))' |
		    diff - <(grep -v '"kind":"end"' got) || return 1
		tq-filter true got > /dev/null
	done
}

# ---- tq-stats ----

@test "tq-stats --needs prints the arguments of tq-extract" {
	run -0 tq-stats --needs -r cuda_gpu_kern_sum
	[[ $output = '-k kernel --keys dur,name,sym' ]]
	run -0 tq-stats --needs -r osrt_sum,cuda_gpu_mem_size_sum
	[[ $output = '-k memcpy,memset,osrt --keys osrt.dur,osrt.name,'*,copy,* ]]
	# the wall is the time of all records
	run -0 tq-stats --needs -r cuda_gpu_kern_sum:pct
	[[ $output = '--keys '* ]]
	run -0 tq-stats --needs -r cuda_gpu_kern_sum --time 1s:2s
	[[ $output = '-k kernel --keys dur,name,sym,open' ]]
	# shellcheck disable=SC2046 # arguments
	tq-extract $(tq-stats --needs -r cuda_gpu_kern_sum) "$(demo)" |
	    tq-stats -r cuda_gpu_kern_sum |
	    diff - <(tq-stats -r cuda_gpu_kern_sum "$(extracted demo)")
	run -2 tq-stats --needs --merge
	[[ $output = 'tq-stats: --merge reads no stream: it excludes --needs' ]]
}

@test "tq-stats --needs names tq-correlate where a report reads what it writes" {
	run -0 tq-stats --needs -r cuda_kern_exec_sum
	[[ ${lines[0]} = '-k kernel,api --launches --keys '*gpu* ]]
	[[ ${lines[1]} = 'tq-correlate -k kernel' ]]
	run -0 tq-stats --needs -g api_name
	[[ ${lines[1]} = tq-correlate ]]
	run -0 tq-stats --needs -r cuda_gpu_kern_sum --filter-nvtx step
	[[ ${lines[0]} = *range.domain* || ${lines[0]} = *,domain,* ]]
	[[ ${lines[1]} = 'tq-correlate -k '* ]]
}

@test "tq stats runs tq-correlate only where a report needs it" {
	mkdir bin
	cp "$BUILD"/tq "$BUILD"/tq-extract "$BUILD"/tq-stats bin
	PATH=$PWD/bin:/usr/bin:/bin run -0 bin/tq stats -r cuda_gpu_kern_sum \
	    "$(demo)"
	PATH=$PWD/bin:/usr/bin:/bin run bin/tq stats -r cuda_kern_exec_sum \
	    "$(demo)"
	[[ $status -ne 0 && $output = *tq-correlate* ]]
}

@test "tq stats: what tq-stats refuses, it says once, and nothing else runs" {
	run -2 tq stats -r kern_sum "$(demo)"
	[[ $output = "tq-stats: no report is named 'kern_sum'"* ]]
	[[ ${#lines[@]} -eq 1 ]]
	run -0 tq stats --help "$(demo)"
	[[ $output = 'usage: tq-stats'* ]]
}

# reports_by_need OPTION ...: a line for each different need of a report with
# these options: the reports, separated by commas.  Text is only printed as
# such, info names its input (info.bats), and group needs -g.
reports_by_need() {
	local report needs more='cuda_gpu_kern_sum:base cuda_gpu_kern_sum:mangled
	    cuda_gpu_kern_sum:nvtx-name cuda_gpu_kern_sum:pct nvtx_sum:folded
	    range_self:path gaps:stream gaps_sum:thing device_time:cause
	    nvtx_kern_sum:base'

	for report in $(tq-stats --help-reports | awk '/^ / { print $1 }') $more; do
		# info and next name the file
		case $report in
		group | overview | folded | hist | info | next) continue ;;
		esac
		needs=$(tq-stats "$@" --needs -r "$report")
		printf '%s\t%s\n' "${needs//$'\n'/|}" "$report"
	done | sort | awk -F '\t' '
	$1 != last { if (NR > 1) print all; all = $2; last = $1; next }
	{ all = all "," $2 }
	END { print all }'
}

# write_needs OPTION ... FILE: the same there
write_needs() {
	reports_by_need "${@:1:$#-1}" > "${!#}"
}

# same_reports OPTION ... -- NAME ...: of these exports, reports of as much as
# they need are those of the whole stream.  One call makes all reports that
# need the same.
same_reports() {
	local options=() name file

	while [[ $1 != -- ]]; do
		options+=("$1")
		shift
	done
	shift
	cp "$(made "needs${options[*]}" write_needs "${options[@]}")" needs
	for name; do
		file=$(export_of "$name")
		[[ -s $(correlated "$name") ]]
		tq-stats -q "${options[@]}" -f ndjson \
		    -r "$(paste -sd , needs)" "$(correlated "$name")" \
		    > whole 2> /dev/null || true
		while read -r reports; do
			tq stats -q "${options[@]}" -f ndjson -r "$reports" \
			    "$file" 2> /dev/null || true
		done < needs > parts
		cmp whole parts || {
			echo "$name ${options[*]}"
			return 1
		}
	done
}

@test "reports of what they need are those of the whole stream: fixtures" {
	same_reports -- demo base graph ranges mpi unsorted
	same_reports --compat 2024.6 -- base graph ranges
	# which have the threads of operations, and the ranges of devices, themselves
	same_reports -- rocpd rpd torch
}

@test "reports of what they need are those of the whole stream: real exports" {
	need data
	same_reports -- "${EXPORTS[@]}" "${SYNTHETIC[@]}"
}

@test "the same in nsys's own words, and with other options" {
	same_reports --compat 2023.4 -- demo "${SMALL[@]}"
	for options in '-g name' '-g device,range' '-g stack' '-r overview' \
	    '-r folded,hist' '-r folded:samples' \
	    '--by-rank -r cuda_gpu_kern_sum,device_time,cuda_api_sum' \
	    '--time 1ms:50ms -r cuda_gpu_sum,nvtx_sum,device_time'; do
		for name in demo "${SMALL[@]}"; do
			# commands on the page name the file, as tq has it
			# shellcheck disable=SC2016,SC2086 # options
			cat "$(correlated "$name")" | sh -c 'export="$1" && shift
			    exec env "TQ_RECORDINGS_$(stat -Lc %i /dev/stdin)=$export" "$@"' \
			    sh "$(export_of "$name")" tq-stats -q $options \
			    > whole 2> /dev/null || true
			# shellcheck disable=SC2086
			tq stats -q $options "$(export_of "$name")" \
			    2> /dev/null | cmp whole - || return 1
		done
	done
}
