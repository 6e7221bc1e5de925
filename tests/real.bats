#!/usr/bin/env bats
# Real exports of all ages: what SQL counts is what the stream has

load helper

setup() {
	need data
}

counted_in_stream() {
	jq -rn 'reduce (inputs | select(.ts and .sync != "event record")) as $e ({};
	        .[$e.kind][0] += 1 | .[$e.kind][1] += ($e.dur // 0))
	    | to_entries[] | "\(.key) \(.value[0]) \(.value[1])"' | sort
}

@test "every kind's count and durations are those of its tables, in every file" {
	for name in "${COSTLY[@]}"; do
		diff <(sh "$top/tests/oracle/counts.sh" "$(export_of "$name")") \
		    <(counted_in_stream < "$(extracted "$name")") ||
		    { echo "$name" >&2; false; }
	done
}

@test "--check finds nothing dropped and no unknown column in any file" {
	for name in "${EXPORTS[@]}"; do
		run tq-extract --check "$(export_of "$name")"
		[ "$status" -eq 0 ]
		grep -q ', 0 rows dropped$' <<< "$output"
		# one file had a column added by another program
		[[ "$output" != *"columns not known"* || $name = *nonlazy-mpi ]] ||
		    { echo "$output" >&2; false; }
	done
}

@test "--check reads the tables of page faults where there are such" {
	data nsys/2022.2.1-nonlazy-mpi.sqlite
	run tq-extract --check "$data"
	[[ "$output" =~ CUDA_UM_CPU_PAGE_FAULT_EVENTS\ +fault\ +0 ]]
	[[ "$output" =~ CUDA_UM_GPU_PAGE_FAULT_EVENTS\ +fault\ +0 ]]
	for report in um_sum um_total_sum um_cpu_page_faults_sum; do
		run tq-stats -r $report <(tq-extract "$data")
		[ "$status" -eq 1 ]
		[[ "$output" = "tq-stats: $report: no "*" in the stream" ]]
	done
}

@test "both readers agree on every file" {
	for name in "${EXPORTS[@]}" "${SYNTHETIC[@]}"; do
		tq-extract --reader=sqlite "$(export_of "$name")" |
		    cmp - "$(extracted "$name")"
	done
}

@test "every file comes in order of time" {
	for name in "${COSTLY[@]}"; do
		jq -ne 'reduce (inputs | select(.ts)) as $e
		    ({ts: -1e30, bad: 0}; (if $e.ts < .ts then .bad += 1
		    else . end) | .ts = $e.ts) | .bad == 0' \
		    < "$(extracted "$name")"
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
	for name in "${COSTLY[@]}"; do
		tq-extract "$(export_of "$name")" | tq-correlate | tq-chrome -q \
		    > "$BATS_TEST_TMPDIR/t.json"
		jq -e '.traceEvents | type == "array"' "$BATS_TEST_TMPDIR/t.json" \
		    > /dev/null
	done
}

@test "jq between any two tools changes nothing in the end" {
	local read=("${SMALL[@]}")

	[[ ! ${CHECK_ALL-} ]] || read=(2026.2.1-h100-2gpu 2025.3.1-cupy-nvtx
	    2026.1.1-vectoradd 2022.4.2-nvtx-domains 2024.6.2-cuda-graphs)
	for name in "${read[@]}"; do
		data "nsys/$name.sqlite"
		tq-extract "$data" | tq-correlate --path | tq-chrome -q \
		    > "$BATS_TEST_TMPDIR/plain"
		for jq in "jq -c ." "jq -c --sort-keys ."; do
			tq-extract "$data" | $jq | tq-correlate --path | $jq |
			    tq-chrome -q | cmp - "$BATS_TEST_TMPDIR/plain"
		done
	done
}

@test "compression between the tools changes nothing" {
	data nsys/2025.3.1-cupy-nvtx.sqlite
	tq-extract "$data" | tq-correlate | tq-chrome -q > "$BATS_TEST_TMPDIR/plain"
	tq-extract -z "$data" | tq-correlate -z | tq-chrome -q |
	    cmp - "$BATS_TEST_TMPDIR/plain"
	tq-extract "$data" | zstd -q | tq-correlate | gzip | tq-chrome -q |
	    cmp - "$BATS_TEST_TMPDIR/plain"
}
