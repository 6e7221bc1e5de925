#!/usr/bin/env bats
# Real exports of all ages: what SQL counts is what the stream has

load helper

setup() {
	need tq-extract
}

# table and the rows of it that are events of a kind
TABLES="
CUPTI_ACTIVITY_KIND_KERNEL kernel 1
CUPTI_ACTIVITY_KIND_MEMCPY memcpy 1
CUPTI_ACTIVITY_KIND_MEMSET memset 1
CUPTI_ACTIVITY_KIND_SYNCHRONIZATION sync 1
CUPTI_ACTIVITY_KIND_GRAPH_TRACE graph 1
CUPTI_ACTIVITY_KIND_RUNTIME api 1
CUDA_GRAPH_EVENTS api 1
NVTX_EVENTS range eventType in (59,60,70,71)
NVTX_EVENTS mark eventType=34
OSRT_API osrt eventClass=27
OSRT_API diagnostic eventClass<>27
SCHED_EVENTS sched 1
COMPOSITE_EVENTS sample 1
PROFILER_OVERHEAD overhead 1
CUPTI_ACTIVITY_KIND_OVERHEAD overhead 1
DIAGNOSTIC_EVENT diagnostic 1
"

sql() { # FILE QUERY
	sqlite3 -readonly "file:$1?immutable=1" "$2"
}

# "kind rows sum-of-durations" of all kinds, as SQL counts them
counted_by_sql() {
	local table kind where duration

	while read -r table kind where; do
		[[ $table && $(sql "$1" "SELECT count(*) FROM sqlite_master
		    WHERE name = '$table'") = 1 ]] || continue
		duration=0
		case $kind in
		sched | sample | mark | diagnostic) ;;
		*) duration='end - start' ;;
		esac
		sql "$1" "SELECT '$kind', count(*), coalesce(sum($duration), 0)
		    FROM $table WHERE $where"
	done <<< "$TABLES" | awk -F '|' '
	    { n[$1] += $2; sum[$1] += $3 }
	    END { for (k in n) if (n[k]) printf "%s %.0f %.0f\n", k, n[k], sum[k] }' |
	    sort
}

counted_in_stream() {
	jq -rn 'reduce (inputs | select(.ts and .sync != "event record")) as $e ({};
	        .[$e.kind][0] += 1 | .[$e.kind][1] += ($e.dur // 0))
	    | to_entries[] | "\(.key) \(.value[0]) \(.value[1])"' | sort
}

@test "every kind's count and durations are those of its tables, in every file" {
	data nsys/2026.2.1-mfu-2gpu.sqlite
	for f in "${data%/*}"/*.sqlite; do
		diff <(counted_by_sql "$f") \
		    <(tq-extract "$f" | counted_in_stream) ||
		    { echo "$f" >&2; false; }
	done
}

@test "--check finds nothing dropped and no unknown column in any file" {
	data nsys/2026.2.1-mfu-2gpu.sqlite
	for f in "${data%/*}"/*.sqlite; do
		run tq-extract --check "$f"
		[ "$status" -eq 0 ]
		[[ "${lines[-1]}" = *", 0 rows dropped" ]]
		# one file had a column added by another program
		[[ "$output" != *"columns not known"* || $f = *nonlazy-mpi* ]] ||
		    { echo "$output" >&2; false; }
	done
}

@test "--check reads the tables of page faults where there are such" {
	data nsys/2022.2.1-nonlazy-mpi.sqlite
	run tq-extract --check "$data"
	[[ "$output" =~ CUDA_UM_CPU_PAGE_FAULT_EVENTS\ +fault\ +0 ]]
	[[ "$output" =~ CUDA_UM_GPU_PAGE_FAULT_EVENTS\ +fault\ +0 ]]
	for report in mpi_event_sum mpi_event_trace mpi_msg_size_sum um_sum \
	    um_total_sum um_cpu_page_faults_sum; do
		run tq-stats -r $report <(tq-extract "$data")
		[ "$status" -eq 1 ]
		[[ "$output" = "tq-stats: $report: no "*" in the stream" ]]
	done
}

@test "both readers agree on every file" {
	data nsys/2026.2.1-mfu-2gpu.sqlite
	for f in "${data%/*}"/*.sqlite "${data%/*}"/synthetic/*.sqlite; do
		cmp <(tq-extract "$f") <(tq-extract --reader=sqlite "$f")
	done
}

@test "every file comes in order of time" {
	data nsys/2026.2.1-mfu-2gpu.sqlite
	for f in "${data%/*}"/*.sqlite; do
		tq-extract "$f" | jq -ne 'reduce (inputs | select(.ts)) as $e
		    ({ts: -1e30, bad: 0}; (if $e.ts < .ts then .bad += 1
		    else . end) | .ts = $e.ts) | .bad == 0'
	done
}

@test "kernels and copies of cloverleaf start and end as its golden trace says" {
	data nsys/golden/cloverleaf_gpu_trace.csv
	golden=$data
	data nsys/2024.5.1-cloverleaf.sqlite
	diff <(tail -n +2 "$golden" | awk -F, '$6 == "Enter" { print $7, $9 }' |
	    sed 's/\.0//g' | sort) \
	    <(tq-extract "$data" | jq -r 'select(.kind == "kernel" or
	        .kind == "memcpy" or .kind == "memset")
	        | "\(.ts) \(.ts + .dur)"' | sort)
}

@test "calls of cloverleaf start and end as its golden trace says" {
	data nsys/golden/cloverleaf-cuda_api_trace.csv
	golden=$data
	data nsys/2024.5.1-cloverleaf.sqlite
	diff <(tail -n +2 "$golden" |
	    awk -F, '$5 == "Enter" { sub(/_v[0-9]+$/, "", $1); print $1, $6, $8 }' |
	    sed 's/\.0//g' | sort) \
	    <(tq-extract "$data" | jq -r 'select(.kind == "api")
	        | "\(.name) \(.ts) \(.ts + .dur)"' | sort)
}

@test "all of the pipeline takes every file, and the JSON is strict" {
	need tq-correlate tq-chrome
	data nsys/2026.2.1-mfu-2gpu.sqlite
	for f in "${data%/*}"/*.sqlite "${data%/*}"/synthetic/*.sqlite; do
		tq-extract "$f" | tq-correlate | tq-chrome -q \
		    > "$BATS_TEST_TMPDIR/t.json"
		jq -e '.traceEvents | type == "array"' "$BATS_TEST_TMPDIR/t.json" \
		    > /dev/null
	done
}

@test "jq between any two tools changes nothing in the end" {
	need tq-correlate tq-chrome
	for f in 2026.2.1-h100-2gpu 2025.3.1-cupy-nvtx 2026.1.1-vectoradd \
	    2022.4.2-nvtx-domains 2024.6.2-cuda-graphs; do
		data nsys/$f.sqlite
		tq-extract "$data" | tq-correlate --path | tq-chrome -q \
		    > "$BATS_TEST_TMPDIR/plain"
		for jq in "jq -c ." "jq -c --sort-keys ."; do
			tq-extract "$data" | $jq | tq-correlate --path | $jq |
			    tq-chrome -q | cmp - "$BATS_TEST_TMPDIR/plain"
		done
	done
}

@test "compression between the tools changes nothing" {
	need tq-correlate tq-chrome
	data nsys/2025.3.1-cupy-nvtx.sqlite
	tq-extract "$data" | tq-correlate | tq-chrome -q > "$BATS_TEST_TMPDIR/plain"
	tq-extract -z "$data" | tq-correlate -z | tq-chrome -q |
	    cmp - "$BATS_TEST_TMPDIR/plain"
	tq-extract "$data" | zstd -q | tq-correlate | gzip | tq-chrome -q |
	    cmp - "$BATS_TEST_TMPDIR/plain"
}
