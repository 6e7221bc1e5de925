#!/bin/sh
# How many bytes are copied in which direction, and how fast?
set -eu
. "$(dirname "$0")/prepare"

tq-extract -k memcpy "$file" | jq -nr '
    [inputs | select(.kind == "memcpy")] | group_by([.copy, .src, .dst]) |
    (["copy", "from", "to", "count", "bytes", "GB/s"] | @tsv),
    (.[] | (map(.bytes) | add) as $bytes | (map(.dur) | add) as $ns |
	[.[0].copy, .[0].src // "-", .[0].dst // "-", length, $bytes,
	    ($bytes / ([$ns, 1] | max) * 100 | round / 100)] | @tsv)' |
    awk -F '\t' '{ printf "%-6s %-10s %-10s %6s %14s %9s\n", $1, $2, $3, $4, $5, $6 }'
