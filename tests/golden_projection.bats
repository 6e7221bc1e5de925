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
	need tq-extract tq-correlate
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

# projected EXPORT: the same from a stream; the devices of a range together
projected() {
	tq-extract "$1" | tq-correlate | jq -rn '
	    reduce (inputs | select(.kind == "range" or .kind == "gpu-range"))
		as $r ({};
		if $r.kind == "range" then
		    .[$r.id|tostring].range = $r
		else
		    .[$r.range|tostring].gpu += [$r]
		end) |
	    .[] | select(.gpu) |
	    (.gpu | map(.ts) | min) as $first |
	    (.gpu | map(.ts + .dur) | max) as $last |
	    (.gpu | map(.launches) | add) as $launches | .range |
	    [.id, $first, $last - $first, .ts, .dur,
		{push: "PushPop", start: "StartEnd"}[.mode], .pid, .tid,
		$launches, .depth, .parent] |
	    map(if . == null then "" else tostring end) | join(",")' | sort
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

# resolved EXPORT: how many operations have a call, as SQL joins them
resolved_by_sql() {
	local table queries=()

	for table in KERNEL MEMCPY MEMSET GRAPH_TRACE; do
		table=CUPTI_ACTIVITY_KIND_$table
		[[ $(sqlite3 "$1" "SELECT count(*) FROM sqlite_master
		    WHERE name = '$table'") = 1 ]] || continue
		queries+=("SELECT count(*) AS n FROM $table AS o WHERE EXISTS
		    (SELECT 1 FROM calls AS c
		    WHERE c.corr = o.correlationId AND
			c.pid = o.globalPid >> 24)")
	done
	sqlite3 "$1" "CREATE TEMP TABLE calls AS
		SELECT correlationId AS corr, globalTid >> 24 AS pid
		FROM CUPTI_ACTIVITY_KIND_RUNTIME;
	    CREATE INDEX temp.i ON calls (corr, pid);
	    SELECT sum(n) FROM ($(printf '%s UNION ALL ' "${queries[@]}")
		SELECT 0)"
}

# ---- nsys ----

@test "2026.2.1-h100-2gpu: 3242 ranges as nsys projects them, levels and all" {
	data nsys/2026.2.1-h100-2gpu.sqlite
	projected "$data" > ours
	data nsys/golden/nsys-2023.4.4/2026.2.1-h100-2gpu
	golden "$data/nvtx_gpu_proj_trace.csv" > theirs
	same ours theirs 3242
}

@test "2026.2.1-mfu-2gpu: 9621 ranges as nsys projects them" {
	data nsys/2026.2.1-mfu-2gpu.sqlite
	projected "$data" > ours
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
	data nsys/2025.3.1-cupy-nvtx.sqlite
	projected "$data" | flat > ours
	data nsys/golden/nsys-2023.4.4/2025.3.1-cupy-nvtx
	golden "$data/nvtx_gpu_proj_trace.csv" | flat > theirs
	same ours theirs 742
}

@test "synthetic/a: all but the range that was never closed" {
	data nsys/synthetic/a.sqlite
	projected "$data" | flat > ours
	data nsys/golden/nsys-2023.4.4/synthetic/a_nvtx_gpu_proj_trace.csv
	golden "$data" | flat > theirs
	grep -qx 8,5100,15150,4000,5600,PushPop,100,100,4 theirs
	sed -i s/^8,.*/8,5100,25000,4000,,PushPop,100,100,5/ theirs
	same ours theirs 11
}

@test "synthetic/b and c: processes whose ids collide, and no ranges at all" {
	data nsys/synthetic/b.sqlite
	projected "$data" > ours
	data nsys/golden/nsys-2023.4.4/synthetic/b_nvtx_gpu_proj_trace.csv
	golden "$data" > theirs
	same ours theirs 2
	data nsys/synthetic/c.sqlite
	[ -z "$(projected "$data")" ]
}

# ---- SQL ----

@test "an operation is resolved where SQL finds a call of its process and id" {
	for export in 2023.1.2-julia 2024.5.1-cloverleaf 2024.6.2-cuda-graphs \
	    2024.6.2-nvfuser 2024.6.2-torch-2.7b 2025.3.1-cupy-nvtx \
	    2026.1.1-vectoradd 2026.2.1-h100-2gpu 2026.2.1-mfu-2gpu; do
		data nsys/$export.sqlite
		cp "$data" db
		chmod u+w db
		n=$(tq-extract db | tq-correlate | tail -n 1 | jq .resolved)
		echo "$export: $n"
		[ "$n" = "$(resolved_by_sql db)" ]
	done
}

@test "the range of an operation is the innermost that SQL finds" {
	data nsys/2026.2.1-mfu-2gpu.sqlite
	cp "$data" db
	chmod u+w db
	tq-extract db | tq-correlate | jq -r '
	    select(.kind == "kernel" and .range) |
	    [.pid, .corr, .range] | join("|")' | sort > ours
	sqlite3 db "CREATE INDEX n ON NVTX_EVENTS (globalTid, start);
	    CREATE INDEX r ON CUPTI_ACTIVITY_KIND_RUNTIME (correlationId);
	    SELECT pid, corr, range FROM (
		SELECT (k.globalPid >> 24) & 0xffffff AS pid,
		    k.correlationId AS corr,
		    (SELECT n.rowid FROM NVTX_EVENTS AS n
			WHERE n.globalTid = c.globalTid AND
			    n.start <= c.start AND n.end > c.start
			ORDER BY n.start DESC LIMIT 1) AS range
		FROM CUPTI_ACTIVITY_KIND_KERNEL AS k
		JOIN CUPTI_ACTIVITY_KIND_RUNTIME AS c
		ON c.correlationId = k.correlationId AND
		    c.globalTid >> 24 = k.globalPid >> 24)
	    WHERE range IS NOT NULL" | sort > theirs
	[ "$(wc -l < ours)" -gt 3900 ]
	diff ours theirs | head
	cmp ours theirs
}
