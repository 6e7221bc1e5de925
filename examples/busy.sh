#!/bin/sh
# For how much of the time from its first to its last operation is a GPU busy?
set -eu
. "$(dirname "$0")/prepare"

tq-extract -k kernel,memcpy,memset "$file" | jq -nr '
    reduce (inputs | select(.stream and .dur)) as $op ({};
	"process \($op.pid), device \($op.device)" as $gpu |
	.[$gpu] |= ((.first // $op.ts) as $first | (.until // 0) as $until |
	    ([$until, $op.ts + $op.dur] | max) as $now |
	    {first: $first, until: $now,
		busy: (.busy + $now - ([$until, $op.ts] | max))})) |
    to_entries[] | (.value.until - .value.first) as $all |
    "\(.key): busy \(.value.busy / 1e6) of \($all / 1e6) ms, \(
	.value.busy * 1000 / $all | round / 10) %"'
