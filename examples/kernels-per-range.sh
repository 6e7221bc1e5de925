#!/bin/sh
# How much GPU time was launched in each range, the ranges inside it included?
set -eu
. "$(dirname "$0")/prepare"

echo "    busy ms  ranges     ops  range"
tq-extract -k cuda,range "$file" | tq-correlate |
    jq -r 'select(.kind == "gpu-range") | [.name, .busy, .ops] | @tsv' |
    awk -F '\t' '
	{ n[$1]++; busy[$1] += $2; ops[$1] += $3 }
	END {
		for (r in n)
			printf "%11.3f %7d %7d  %s\n", busy[r] / 1e6, n[r], ops[r], r
	}' | sort -k 1,1nr -k 4 | head -n 20
