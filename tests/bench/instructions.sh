#!/bin/sh
# instructions.sh - instructions per record of each tool, counted by callgrind,
# which no load of the machine disturbs
#
# Environment: BUILD, where the programs are; N, how many kernels.

set -eu

: "${BUILD:?is not set}"
N=${N:-20000}
work=$BUILD/bench
database=$work/export-$N.sqlite
stream=$work/count.tq
correlated=$work/count.correlated.tq
repeating=$work/count.repeating.tq # its names repeat, as in training

command -v valgrind >/dev/null || {
	echo 'instructions.sh: valgrind: not found' >&2
	exit 1
}
trap 'rm -f "$stream" "$correlated" "$repeating" "$work/count.out" \
    "$work/count.sqlite"' EXIT
trap 'exit 1' HUP INT TERM
[ -n "$(find "$database" -newer "$work/generate" 2>/dev/null)" ] ||
	"$work/generate" -n "$N" "$database"
"$BUILD/tq-extract" "$database" >"$stream"
"$BUILD/tq-correlate" "$stream" >"$correlated"
"$work/generate" -k -n "$N" "$work/count.sqlite"
"$BUILD/tq-extract" "$work/count.sqlite" |
"$BUILD/tq-correlate" >"$repeating"

# count NAME FILE TOOL [ARGUMENT ...]: FILE has the records
count()
{
	name=$1 records=$(wc -l <"$2")
	shift 2
	valgrind --tool=callgrind --callgrind-out-file="$work/count.out" \
	    "$@" 2>/dev/null >/dev/null || {
		echo "instructions.sh: $name: failed" >&2
		exit 1
	}
	sed -n 's/^summary: //p' "$work/count.out" |
	awk -v name="$name" -v n="$records" \
	    '{ printf "%-26s %8.0f\n", name, $1 / n }'
}

echo "instructions per record, $N kernels:"
count tq-extract "$stream" "$BUILD/tq-extract" "$database"
count tq-correlate "$stream" "$BUILD/tq-correlate" "$stream"
count tq-chrome "$correlated" "$BUILD/tq-chrome" -q "$correlated"
count tq-perfetto "$correlated" "$BUILD/tq-perfetto" -q "$correlated"
count tq-table "$correlated" "$BUILD/tq-table" -q -o "$work/tables" \
    "$correlated"
rm -rf "$work/tables"
count 'tq-filter, two keys' "$stream" "$BUILD/tq-filter" --no-closure \
    'kind == "kernel" && dur > 100us' "$stream"
count 'tq-filter, closure' "$stream" "$BUILD/tq-filter" \
    'kind == "kernel" && dur > 100us' "$stream"
count 'tq-stats, kernels' "$stream" "$BUILD/tq-stats" -r cuda_gpu_kern_sum \
    "$stream"
for file in "$correlated" "$repeating"; do
	names=${file#"$work/count."}
	count "tq-stats, page, ${names%.tq}" "$file" "$BUILD/tq-stats" "$file"
	count "tq-advise, ${names%.tq}" "$file" "$BUILD/tq-advise" "$file"
done
count 'tq-stats, projection' "$correlated" "$BUILD/tq-stats" \
    -r nvtx_gpu_proj_sum "$correlated"

# a table costs at most 1.5 times its csv
for report in nvtx_kern_sum nvtx_sum cuda_gpu_trace; do
	for format in csv table; do
		count "$report, $format" "$correlated" "$BUILD/tq-stats" \
		    -r $report -f $format "$correlated"
	done
done
