#!/bin/sh
# A recording in ClickHouse: which kernels take the most time, and how much do
# their durations differ?  Operand: an export; without one the demo.
set -eu
. "$(dirname "$0")/prepare"

# the recording goes through a pipe, in memory that does not grow with it
tq-extract "$file" | tq-correlate | clickhouse-local \
    --structure "$(tq-extract --schema=clickhouse)" \
    --input-format JSONEachRow --input_format_skip_unknown_fields 1 --query "
	SELECT name, count() AS kernels, sum(dur) AS total_ns, max(dur) AS max_ns,
	    quantileExact(0.9)(dur) AS p90_ns
	FROM table WHERE kind = 'kernel'
	GROUP BY name ORDER BY total_ns DESC, name LIMIT 10
	FORMAT TSVWithNames"
