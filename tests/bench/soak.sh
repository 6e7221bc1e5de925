#!/bin/sh
# soak.sh - show that the tools hold as much of a long stream as of a short one
#
# Environment: BUILD, where the programs are; N, how many records; SLACK, by how
# many kB the peak may grow, which is less than a bit for each of many records.
# Exits 1 where one grows more.

set -eu

: "${BUILD:?is not set}"
N=${N:-200000000}
SLACK=${SLACK:-8192}
work=$BUILD/bench
short=$((N / 20))

# peak RECORDS TOOL [ARGUMENT ...]: kB of the last of what is measured
peak()
{
	records=$1
	shift
	"$work/measure" "$work/soak" "$records" '|' "$@" 2>"$work/soak.log" |
	jq '.stages[-1] | if .status == 0 then .max_rss_bytes / 1024
	    else error("\(.command): status \(.status)") end'
}

# soak NAME TOOL [ARGUMENT ...]
soak()
{
	name=$1
	shift
	before=$(peak "$short" "$@")
	after=$(peak "$N" "$@")
	printf '%-28s %8d %8d\n' "$name" "$before" "$after"
	[ $((after - before)) -le "$SLACK" ] || grown="$grown $name"
}

grown=
printf '%-28s %8s %8s\n' 'peak kB, records:' "$short" "$N"
soak tq-filter "$BUILD/tq-filter" --no-closure 'dur > 1us'
soak tq-correlate "$BUILD/tq-correlate"
soak tq-chrome "$BUILD/tq-correlate" '|' "$BUILD/tq-chrome" -q
soak tq-perfetto "$BUILD/tq-correlate" '|' "$BUILD/tq-perfetto" -q
soak 'tq-stats --approx' "$BUILD/tq-stats" -q --approx \
    -r cuda_gpu_kern_sum,cuda_api_sum,nvtx_sum
if [ -n "$grown" ]; then
	echo "soak.sh: grew by more than $SLACK kB:$grown" >&2
	exit 1
fi
