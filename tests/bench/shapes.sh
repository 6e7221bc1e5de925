#!/bin/sh
# shapes.sh - how the work of the tools grows with the input, where ranges,
# calls and operations nest, touch and cross as no program means them to
#
# Prints for each shape of shapes.awk and each tool the instructions per record
# at each size, and the exponent from the last size but one to the last: 1 is in
# proportion to the records, n log n about 1.1, quadratic 2.  Instructions are
# counted by perf, or by valgrind where perf cannot read the processor's
# counters, so that no load of the machine disturbs them.
#
# Environment: BUILD, where the programs are; SIZES, in records, two or more;
# SHAPES and TOOLS: only these.

set -eu

: "${BUILD:?is not set}"
SIZES=${SIZES:-10000 40000 160000}
SHAPES=${SHAPES:-touching overlapping nested open domains crossing requests\
    kernels corr streams threads names sections}
TOOLS=${TOOLS:-filter depth correlate path chrome perfetto stats page advise}
LC_ALL=C
export LC_ALL

here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

if perf stat -x, -e instructions:u true 2>&1 | grep -q '^[0-9]'; then
	counter=perf
elif command -v valgrind >/dev/null; then
	counter=valgrind
else
	echo 'shapes.sh: neither perf nor valgrind counts instructions' >&2
	exit 0
fi

# count COMMAND ...: prints its instructions
count()
{
	case $counter in
	perf)
		perf stat -x, -o "$work/count" -e instructions:u "$@" \
		    >/dev/null 2>"$work/err" || return 1
		sed -n 's/^\([0-9]*\),.*instructions.*/\1/p' "$work/count"
		;;
	valgrind)
		valgrind --tool=cachegrind --cache-sim=no \
		    --cachegrind-out-file=/dev/null "$@" \
		    >/dev/null 2>"$work/err" || return 1
		sed -n 's/.*I *refs: *//p' "$work/err" | tr -d ,
		;;
	esac
}

# measure TOOL STREAM CORRELATED: prints the instructions of a tool
measure()
{
	case $1 in
	filter)
		count "$BUILD/tq-filter" 'kind == "kernel" && dur > 1' "$2"
		;;
	depth)
		count "$BUILD/tq-filter" --depth 2 'kind == "kernel"' "$2"
		;;
	correlate)
		count "$BUILD/tq-correlate" "$2"
		;;
	path)
		count "$BUILD/tq-correlate" --path "$2"
		;;
	chrome | perfetto)
		count "$BUILD/tq-$1" -q "$3"
		;;
	stats)
		count "$BUILD/tq-stats" -q --step range -r "$reports" "$3"
		;;
	page)
		count "$BUILD/tq-stats" -q "$3"
		;;
	advise)
		count "$BUILD/tq-advise" "$3"
		;;
	esac
}
reports=overview,step,gaps,launch,range_self,nvtx_sum,nvtx_kern_sum
reports=$reports,nvtx_gpu_proj_sum,account

# row SHAPE TOOL: prints a row of the table
row()
{
	: >"$work/counts"
	for n in $SIZES; do
		instructions=$(measure "$2" "$work/$n.tq" \
		    "$work/$n.correlated.tq") || {
			echo "shapes.sh: $1, $2: failed" >&2
			cat "$work/err" >&2
			return 1
		}
		echo "$n $instructions" >>"$work/counts"
	done
	awk -v shape="$1" -v tool="$2" '
	{
		row = row sprintf(" %9.0f", $2 / $1)
		if (NR > 1)
			exponent = log($2 / last) / log($1 / size)
		size = $1
		last = $2
	}
	END { printf "%-12s %-10s%s %9.2f\n", shape, tool, row, exponent }
	' "$work/counts"
}

printf '%-12s %-10s' shape tool
for n in $SIZES; do
	printf ' %9s' "$n"
done
printf ' %9s\n' exponent
for shape in $SHAPES; do
	for n in $SIZES; do
		awk -v shape="$shape" -v records="$n" -f "$here/shapes.awk" \
		    >"$work/$n.tq"
		"$BUILD/tq-correlate" -o "$work/$n.correlated.tq" "$work/$n.tq"
	done
	for tool in $TOOLS; do
		case $tool,$shape in
		# a path names all ranges that are open
		path,nested | path,open | path,crossing | path,requests) ;;
		*) row "$shape" "$tool" ;;
		esac
	done
done
