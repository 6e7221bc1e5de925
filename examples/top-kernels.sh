#!/bin/sh
# Which kernels take the most time?  Operand: an export; without one the demo.
set -eu
. "$(dirname "$0")/prepare"

echo "   total ms  count   mean us  kernel"
tq-extract -k kernel "$file" | jq -r 'select(.ts) | [.name, .dur] | @tsv' |
    awk -F '\t' '
	{ n[$1]++; sum[$1] += $2 }
	END {
		for (k in n)
			printf "%11.3f %6d %9.1f  %s\n", sum[k] / 1e6, n[k],
			    sum[k] / n[k] / 1e3, k
	}' | sort -k 1,1nr -k 4 | head -n 15
