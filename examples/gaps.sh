#!/bin/sh
# When is a stream idle longest between two operations, and what came after?
set -eu
. "$(dirname "$0")/prepare"

echo "     gap us        at ms  process  device  stream  before"
tq-extract -k kernel,memcpy,memset "$file" | jq -nr 'foreach
    (inputs | select(.stream and .dur)) as $op ({};
	($op | "\(.pid) \(.device) \(.stream)") as $stream |
	.gap = $op.ts - (.until[$stream] // $op.ts) |
	.until[$stream] = ([.until[$stream] // 0, $op.ts + $op.dur] | max);
	[.gap, $op.ts, $op.pid, $op.device, $op.stream, $op.name // $op.kind] |
	@tsv)' |
    sort -k 1,1nr -k 2,2n | head -n 10 | awk -F '\t' '{
	printf "%11.1f %12.3f %8d %7d %7d  %s\n", $1 / 1e3, $2 / 1e6, $3, $4, $5, $6 }'
