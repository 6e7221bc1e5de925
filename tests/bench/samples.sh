#!/bin/sh
# samples.sh - what samples cost: a program of eight threads; the launcher, for
# each stack of that program, and for each stack of Python; and the table by which
# the launcher follows stacks, for libLLVM, where that is
#
# Each round runs the program without samples and with them, 1000 a second of a
# processor; what is printed is the least of all rounds.  Last come verdicts, and
# the exit status is 1 where one is "too much".
set -eu

# Environment: BUILD, where the programs are; ROUNDS.
: "${BUILD:?is not set}"
ROUNDS=${ROUNDS:-5}
PROGRAM_PERCENT=4 # more of the processors' time of the program
STACK_US=5        # of the launcher, for a stack of 25 frames
PYTHON_US=5       # the same, for one of Python
TABLE_MB=6        # for 100 MB of a library
TABLE_MS=200      # the same
SORTS=2000        # of each thread
LC_ALL=C
export LC_ALL

here=$(dirname "$0")
work=$BUILD/bench
raw=$work/samples.raw
result=$work/samples.txt
out=$work/samples.tq
spin=$BUILD/capture/stand-in/spin

# sampled HOW: prints "threads-HOW", ns of the program, ns of the launcher, and
# how many samples there are
sampled()
{
	all=$("$work/measure" -n x -o "$work/samples.own" \
	    "$BUILD/tq-capture" -q -o "$out" -t none -s "$1" \
	    "$spin" crowd "$SORTS" | jq '.stages[0] | .user_ns + .system_ns')
	own=$(($(cat "$work/samples.own") * 1000000)) # it prints ms
	count=$(grep -c '"kind":"sample"' "$out") || :
	echo "threads-$1 $own $((all - own)) $count"
}

# python_stacks: prints "python", and ns of a stack
python_stacks()
{
	python3 "$here/python_busy.py" &
	sleep 0.5
	if ns=$("$work/python_stacks" "$!"); then
		echo "python $ns"
	fi
	kill "$!"
	wait "$!" || :
}

mkdir -p "$work"
: >"$raw"
round=0
while [ "$round" -lt "$ROUNDS" ]; do
	{
		sampled none
		sampled process-tree
		python_stacks 2>/dev/null
	} >>"$raw"
	round=$((round + 1))
done
rm -f "$out" "$work/samples.own"

library=$(ldconfig -p | sed -n 's/.*=> \(.*libLLVM.*\)/\1/p' | tail -n 1)
[ -z "$library" ] ||
    echo "table $("$work/unwind_table" "$library") ${library##*/}" >>"$raw"

awk -v program="$PROGRAM_PERCENT" -v stack="$STACK_US" -v python="$PYTHON_US" \
    -v megabytes="$TABLE_MB" -v ms="$TABLE_MS" '
function judge(what, is, bar, unit) {
	printf "%-44s %8.1f of at most %5.1f %s: %s\n", what, is, bar, unit,
	    is <= bar ? "ok" : "too much"
	bad += is > bar
}
$1 == "table" {
	parts = $2 / 1e8
	table_mb = $3 / 1e6 / parts
	table_ms = $4 / 1e6 / parts
	library = $5
	next
}
$1 == "python" {
	if (!python_ns || $2 < python_ns)
		python_ns = $2
	next
}
!($1 in own) || $2 < own[$1] { own[$1] = $2 }
!($1 in launcher) || $3 < launcher[$1] { launcher[$1] = $3; samples[$1] = $4 }
END {
	with = "threads-process-tree"
	without = "threads-none"
	if (samples[with] > 0) {
		judge("eight threads, 1000 samples a second: more by",
		    100 * (own[with] / own[without] - 1), program, "%")
		each = (launcher[with] - launcher[without]) / samples[with]
		judge("the launcher, for a stack of 25 frames", each / 1e3, stack,
		    "us")
	}
	if (python_ns > 0)
		judge("the same, for a stack of Python of 20",
		    python_ns / 1e3, python, "us")
	if (parts > 0) {
		judge("the table of 100 MB of " library, table_mb, megabytes,
		    "MB")
		judge("to make it", table_ms, ms, "ms")
	}
	exit bad > 0
}' "$raw" >"$result" && status=0 || status=$?
cat "$result"
exit "$status"
