#!/usr/bin/env bats
# What Perfetto makes of operations in its model of a GPU, of real exports and
# of the demo
#
# Needs Perfetto's trace processor, which is not part of this project; see
# viewers.bats for VIEW and TP_DIR.

load helper

@test "Perfetto's tables of GPUs have each operation, and its call" {
	need Perfetto
	cd "$BATS_TEST_TMPDIR"
	for name in demo "${COSTLY[@]}"; do
		in=$(correlated "$name")
		kernels=$(grep -c '^{"kind":"kernel"' "$in") || continue
		((kernels < 2000)) || continue # it takes a while
		tq-perfetto -q --gpu-model render-stages "$in" > stages.pftrace
		node "$VIEW/tp.mjs" --check stages.pftrace "SELECT count(*) n,
		    sum(dur) sum, (SELECT count(*) FROM flow) arrows
		    FROM gpu_slice" > got
		arrows=$(tq-chrome -q "$in" | grep -c '"ph":"f".*"ac2g"')
		jq -sc --argjson arrows "$arrows" '
		    map(select(.kind | IN("kernel", "memcpy", "memset",
			"graph"))) | {n: length, sum: map(.dur) | add,
			arrows: $arrows}' "$in" > expect
		diff expect got || {
			echo "$name"
			return 1
		}
	done
}
