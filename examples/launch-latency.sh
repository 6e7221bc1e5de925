#!/bin/sh
# How long from the call that launches a kernel until the kernel starts?
set -eu
. "$(dirname "$0")/prepare"

tq-extract -k kernel,api "$file" | tq-correlate | jq -nr '
    [inputs | select(.kind == "kernel" and .api_ts)] | group_by(.api_name) |
    (["call", "kernels", "min us", "median us", "max us"] | @tsv),
    (.[] | .[0].api_name as $call | map(.ts - .api_ts) | sort |
	[$call, length, (.[0], .[length / 2 | floor], .[-1]) / 1000] | @tsv)' |
    awk -F '\t' '{ printf "%-24s %8s %11s %11s %11s\n", $1, $2, $3, $4, $5 }'
