#!/usr/bin/env bats
# tq-correlate against nsys: what nvtx_gpu_proj_trace of nsys 2023.4.4 prints
# for real exports, and what SQL joins.
#
# nsys differs on purpose of ours, or by a defect of its own, in this:
#
# - It prints a row without RangeId for the operations that are in no range.
# - A range that was never closed ends for it with the last annotation; here
#   it lasts to the end of the trace.
# - Its parents cross domains, and equal ranges lose theirs; so levels and
#   parents are compared only where there is neither.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# ---- helpers ----

# golden CSV: "id start duration range-start range-duration style pid tid
# launches level parent" of each row, commas between
golden() {
	tr -d '\r' < "$1" | sed -E '1d; s/^("([^"]|"")*"|[^",]*),//' |
	    awk -F, -v OFS=, '$11 != "" {
		print $11, $1, $2, $3, $4, $5, $6, $7, $8, $9, $12
	    }' | sort
}

# projected EXPORT: the same from a stream
projected() {
	oracle projection rows "$(correlated "$1")" | sort
}

# without levels and parents
flat() {
	cut -d, -f1-9
}

# same FILE FILE ROWS
same() {
	[[ $(wc -l < "$1") = "$3" ]]
	diff "$1" "$2" | head -n 20
	cmp -s "$1" "$2"
}

# ---- nsys ----

@test "2026.2.1-h100-2gpu: 3242 ranges as nsys projects them, levels and all" {
	need data
	projected 2026.2.1-h100-2gpu > ours
	data nsys/golden/nsys-2023.4.4/2026.2.1-h100-2gpu
	golden "$data/nvtx_gpu_proj_trace.csv" > theirs
	same ours theirs 3242
}

@test "2026.2.1-mfu-2gpu: 9621 ranges as nsys projects them" {
	need data
	projected 2026.2.1-mfu-2gpu > ours
	data nsys/golden/nsys-2023.4.4/2026.2.1-mfu-2gpu
	golden "$data/nvtx_gpu_proj_trace.csv" > theirs
	flat < ours > ours.flat
	flat < theirs > theirs.flat
	same ours.flat theirs.flat 9621
	# ncclGroupEnd is of a domain of its own, all others of the default one
	diff ours theirs > difference || true
	[ "$(grep -c '^<' difference)" = 64 ]
	[ "$(grep '^<' difference | grep -cv ',0,$')" = 0 ]
}

@test "2025.3.1-cupy-nvtx: 742 ranges as nsys projects them" {
	need data
	projected 2025.3.1-cupy-nvtx | flat > ours
	data nsys/golden/nsys-2023.4.4/2025.3.1-cupy-nvtx
	golden "$data/nvtx_gpu_proj_trace.csv" | flat > theirs
	same ours theirs 742
}

@test "synthetic/a: all but the range that was never closed" {
	need data
	projected synthetic/a | flat > ours
	data nsys/golden/nsys-2023.4.4/synthetic/a_nvtx_gpu_proj_trace.csv
	golden "$data" | flat > theirs
	grep -qx 8,5100,15150,4000,5600,PushPop,100,100,4 theirs
	sed -i s/^8,.*/8,5100,25000,4000,,PushPop,100,100,5/ theirs
	same ours theirs 11
}

@test "synthetic/b and c: processes whose ids collide, and no ranges at all" {
	need data
	projected synthetic/b > ours
	data nsys/golden/nsys-2023.4.4/synthetic/b_nvtx_gpu_proj_trace.csv
	golden "$data" > theirs
	same ours theirs 2
	[ -z "$(projected synthetic/c)" ]
}

# ---- SQL ----

@test "an operation is resolved where SQL finds a call of its process and id" {
	local export n

	need data
	for export in 2023.1.2-julia 2024.5.1-cloverleaf 2024.6.2-cuda-graphs \
	    2024.6.2-nvfuser 2024.6.2-torch-2.7b 2025.3.1-cupy-nvtx \
	    2026.1.1-vectoradd 2026.2.1-h100-2gpu 2026.2.1-mfu-2gpu; do
		n=$(tail -n 1 "$(correlated $export)" | jq .resolved)
		echo "$export: $n"
		[ "$n" = "$(sh \
		    "$top/tests/oracle/resolved.sh" "$(export_of $export)")" ]
	done
}

@test "the range of an operation is the innermost that SQL finds" {
	need data
	jq -r 'select(.kind == "kernel" and .range) |
	    [.pid, .corr, .range] | join("|")' \
	    "$(correlated 2026.2.1-mfu-2gpu)" | sort > ours
	sqlite3 -readonly "file:$(export_of 2026.2.1-mfu-2gpu)?immutable=1" \
	    < "$top/tests/oracle/innermost.sql" | sort > theirs
	[ "$(wc -l < ours)" -gt 3900 ]
	diff ours theirs | head
	cmp ours theirs
}
