#!/bin/sh
# What sort of kernels takes the time of the devices?
set -eu
. "$(dirname "$0")/prepare"

tq-extract -k kernel "$file" | tq-filter --tag default | jq -nr '
    reduce (inputs | select(.kind == "kernel" and .dur)) as $k ({};
	.[$k.category // "other"] += $k.dur) |
    add as $all | to_entries | sort_by(-.value)[] |
    "\(.key): \(.value / 1e6) ms, \(.value * 1000 / $all | round / 10) %"'
