#!/bin/sh
# A recording in DuckDB: how long do kernels wait for the GPU after their
# launch?  Leaves the stream as kernels.parquet in the current folder.
# Operand: an export; without one the demo.
set -eu
. "$(dirname "$0")/prepare"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tq-extract "$file" | tq-correlate > "$work/run.tq"
duckdb -c "
	CREATE VIEW event AS SELECT * FROM read_json('$work/run.tq',
	    format = 'newline_delimited',
	    columns = $(tq-extract --schema=duckdb));
	COPY (SELECT ts, dur, pid, device, stream, name, api_ts, api_dur
	    FROM event WHERE kind = 'kernel') TO 'kernels.parquet';
	SELECT name, count(*) AS kernels,
	    median(ts - api_ts - api_dur) AS median_wait_ns
	FROM 'kernels.parquet' WHERE api_ts IS NOT NULL
	GROUP BY name ORDER BY kernels DESC LIMIT 10"
