#!/bin/sh
# sources.sh - what tq-extract pays for an event of a Kineto trace, and for a
# record of a rocpd database, beside those who read the same files
#
# Prints the medians of all rounds, and writes them to BUILD/bench.  A ratio is
# of CPU times in this run, so that it holds on any machine.
#
# Environment: BUILD, where the programs are; N, events of the trace, and
# records of the database; ROUNDS.

set -eu

: "${BUILD:?is not set}"
N=${N:-1000000}
ROUNDS=${ROUNDS:-3}
LC_ALL=C
export LC_ALL

here=$(dirname "$0")
work=$BUILD/bench
trace=$work/kineto-$N.json
database=$work/rocpd-$N.db
raw=$work/sources-$N.raw
result=$work/sources-$N.ndjson

# run NAME RECORDS BESIDE ARGUMENTS-OF-MEASURE ...
# BESIDE is the name of what it is compared with, or empty.
run()
{
	name=$1 records=$2 beside=$3
	shift 3
	line=$("$work/measure" -n "$name" "$@") || {
		echo "sources.sh: $name: failed" >&2
		exit 1
	}
	printf '%s\n' "$line" | jq -c --argjson records "$records" \
	    --arg beside "$beside" '. + { $records, $beside }' >>"$raw"
}

kineto()
{
	python3 -c 'import json' 2>/dev/null &&
	run 'python json.load' "$N" '' python3 -c \
	    'import json, sys; json.load(open(sys.argv[1]))' "$trace"
	run 'jq length' "$N" '' jq length "$trace"
	run 'gzip -dc' "$N" '' gzip -dc "$trace.gz"
	run 'tq-extract, Kineto' "$N" 'jq length' "$BUILD/tq-extract" "$trace"
	run 'the same --no-args' "$N" 'jq length' \
	    "$BUILD/tq-extract" --no-args "$trace"
	run 'the same of .json.gz' "$N" 'gzip -dc' \
	    "$BUILD/tq-extract" "$trace.gz"
}

rocpd()
{
	# what rocpd convert reads
	run "AMD's views" "$N" '' sqlite3 -readonly "$database" \
	    'SELECT * FROM regions; SELECT * FROM kernels'
	run 'tq-extract, rocpd' "$N" "AMD's views" \
	    "$BUILD/tq-extract" "$database"
	run 'rocpd --no-args' "$N" "AMD's views" \
	    "$BUILD/tq-extract" --no-args "$database"
}

# five events, and two records, are of one operator or call
[ -n "$(find "$trace.gz" -newer "$work/kineto" 2>/dev/null)" ] || {
	"$work/kineto" $((N / 5)) >"$trace"
	gzip -c "$trace" >"$trace.gz"
}
[ -n "$(find "$database" -newer "$here/rocpd.sql" 2>/dev/null)" ] || {
	rm -f "$database"
	{
		echo '.parameter init'
		echo ".parameter set :n $((N / 2))"
		cat "$here/rocpd.sql"
	} | sqlite3 -batch -bail "$database" >/dev/null
}

rm -f "$raw"
i=0
while [ "$i" -lt "$ROUNDS" ]; do
	kineto
	rocpd
	i=$((i + 1))
done
jq -s -c '
	def median: sort | .[(length - 1) / 2 | floor];
	def cpu: .stages[0].user_ns + .stages[0].system_ns;
	. as $runs
	| reduce .[].name as $n ([]; if index($n) then . else . + [$n] end)
	| map(. as $n | [$runs[] | select(.name == $n)] | {
	    name: $n, records: .[0].records, beside: .[0].beside,
	    cpu_ns: map(cpu) | median,
	    max_rss_bytes: map(.stages[0].max_rss_bytes) | median })
	| . as $all | .[] | . as $row
	| ([$all[] | select(.name == $row.beside) | .cpu_ns][0]) as $floor
	| if $floor then . + { ratio: (.cpu_ns / $floor) } else . end' \
    "$raw" >"$result"
rm -f "$raw"

echo "$N events or records, medians of $ROUNDS rounds"
jq -r '[.name, .cpu_ns, .records, .max_rss_bytes, .ratio // 0, .beside] |
    @tsv' "$result" |
awk -F '\t' '
	BEGIN { printf "%-24s %8s %9s %8s\n", "", "CPU s", "ns/record", "peak MB" }
	{
		printf "%-24s %8.2f %9.0f %8.0f", $1, $2 / 1e9, $2 / $3, $4 / 1e6
		if ($5 > 0) printf "  %.2f times %s", $5, $6
		print ""
	}'
