#!/bin/sh
# shapes.sh - how the work of the tools grows with the input, where ranges,
# calls and operations nest, touch and cross as no program means them to
#
# Prints for each shape of shapes.awk and each tool the instructions per record
# of each size, and the exponent from the last size but one to the last: 1 is
# proportional to the records, n log n is about 1.1, and 2 is quadratic.
# Instructions are counted by perf, or by valgrind where the processor's counters
# cannot be read, so that no load of the machine disturbs them.
#
# Environment: BUILD, where the programs are; SIZES, in records, at least two;
# SHAPES and TOOLS, words: only these.

set -eu

: "${BUILD:?is not set}"
SIZES=${SIZES:-10000 40000 160000}
SHAPES=${SHAPES:-touching overlapping nested open domains crossing kernels corr}
TOOLS=${TOOLS:-filter depth correlate path chrome perfetto stats}
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

# run TOOL SHAPE STREAM CORRELATED: prints the instructions of a tool; nothing
# where what it writes is longer than n log n itself
run()
{
	case $1 in
	filter)
		count "$BUILD/tq-filter" 'kind == "kernel" && dur > 1' "$3"
		;;
	depth)
		count "$BUILD/tq-filter" --depth 2 'kind == "kernel"' "$3"
		;;
	correlate)
		count "$BUILD/tq-correlate" "$3"
		;;
	path)
		case $2 in
		nested | open) ;; # a path of each range
		*) count "$BUILD/tq-correlate" --path "$3" ;;
		esac
		;;
	chrome | perfetto)
		count "$BUILD/tq-$1" -q "$4"
		;;
	stats)
		count "$BUILD/tq-stats" -q --step range -r overview,step,gaps,launch \
		    -r range_self,nvtx_sum,nvtx_kern_sum,nvtx_gpu_proj_sum "$4"
		;;
	esac
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
		for n in $SIZES; do
			run "$tool" "$shape" "$work/$n.tq" \
			    "$work/$n.correlated.tq" >"$work/$n.count" || {
				echo "shapes.sh: $shape, $tool: failed" >&2
				cat "$work/err" >&2
				exit 1
			}
			echo "$n $(cat "$work/$n.count")"
		done | awk -v shape="$shape" -v tool="$tool" '
		NF == 2 {
			row = row sprintf(" %9.0f", $2 / $1)
			if (last > 0)
				power = log($2 / last) / log($1 / size)
			size = $1
			last = $2
		}
		END {
			if (row != "")
				printf "%-12s %-10s%s %9.2f\n", shape, tool,
				    row, power
		}'
	done
done
