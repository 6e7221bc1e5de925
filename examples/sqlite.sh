#!/bin/sh
# A recording as a view of SQLite: which API calls take the most time?
# Operand: an export; without one the demo.
set -eu
. "$(dirname "$0")/prepare"

# a file, since a pipe would be read only once
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tq-extract "$file" | tq-correlate > "$work/run.tq"
tq-extract --schema=sqlite | sqlite3 "$work/run.db"
sqlite3 -box "$work/run.db" '.mode ascii' '.separator "\037" "\n"' \
    ".import $work/run.tq line" '.mode box' "
	SELECT name, count(*) AS calls, sum(dur) AS total_ns, max(dur) AS max_ns
	FROM event WHERE kind = 'api'
	GROUP BY name ORDER BY total_ns DESC"
