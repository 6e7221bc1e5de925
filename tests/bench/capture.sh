#!/bin/sh
# What a call of NVTX costs a program under capture, in ns: the best of many
# bursts, without the agent, with it but paused, and recorded; and with the
# two reads of the clock that a recorded range is made of left out.  The reader
# is that of the tests, so this measures the agent alone.
# usage: BUILD=... sh tests/bench/capture.sh
set -eu

BUILD=${BUILD:-build}
case $BUILD in
/*) ;;
*) BUILD=$PWD/$BUILD ;;
esac
export BUILD
launcher=$BUILD/capture/launcher

for bench in "$BUILD"/capture/*/bench; do
	header=${bench%/bench}
	echo "header: ${header##*/}"
	{
		"$bench" | sed 's/^/none /'
		"$launcher" -a on=0 "$bench" | sed 's/^/paused /'
		"$launcher" -a chunks=2048 "$bench" | sed 's/^/on /'
	} | awk '
	$2 ~ /^(clock|ascii|registered|styled|mark|start-end)$/ && $3 ~ /\./ {
		if (!($2 in seen)) {
			seen[$2] = 1
			order[++n] = $2
		}
		ns[$1, $2] = $3
	}
	$1 == "on" && $2 ~ /^lost/ { lost += $3 }
	END {
		clock = ns["on", "clock"]
		printf "%-12s %8s %8s %8s %14s\n", "", "none", "paused", "on",
		    "on, no clock"
		for (i = 1; i <= n; i++) {
			what = order[i]
			reads = what == "clock" || what == "mark" ? 1 : 2
			printf "%-12s %8.1f %8.1f %8.1f %14.1f\n", what,
			    ns["none", what], ns["paused", what],
			    ns["on", what], ns["on", what] - reads * clock
		}
		if (lost > 0)
			printf "%d events were lost: the reader was too slow\n", lost
	}'
done
