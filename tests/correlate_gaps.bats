#!/usr/bin/env bats
# tq-correlate --gaps: when devices had nothing to do, and why.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# ---- helpers ----

# sums FILE: "PID DEVICE CAUSE NS" of its records of kind gap
sums() {
	jq -r 'select(.kind == "gap") | [.pid, .device, .cause, .dur] | join(" ")' "$1" |
	    awk '{ sum[$1 " " $2 " " $3] += $4 }
	    END { for (k in sum) printf "%s %.0f\n", k, sum[k] }' | sort
}

# report FILE: the same of the report gaps_sum
report() {
	tq-stats -f json1 -r gaps_sum "$1" | jq -r '.[] |
	    select(.Cause | IN("sync", "host", "launch", "next", "queue", "unknown")) |
	    select(.PID != null and .Device != null and .["Shared GPU"] == null) |
	    [.PID, .Device, .Cause, .["Total (ns)"]] | join(" ")' | sort
}

# agree NAME ...: the sums of these exports
agree() {
	local name

	need data
	for name; do
		tq-correlate --gaps "$(correlated "$name")" > gaps.tq
		sums gaps.tq > ours
		report "$(correlated "$name")" > theirs
		diff ours theirs || { echo "$name"; return 1; }
	done
}

# ---- gaps ----

@test "gaps add up to what gaps_sum says, on the real exports" {
	agree 2021-sched-sampling 2021.2.1-osrt-callchains 2022.2.1-nonlazy-mpi \
	    2024.5.1-cloverleaf 2024.6.2-cuda-graphs 2024.6.2-nvfuser \
	    2024.6.2-nvfuser-h200-a 2024.6.2-nvfuser-h200-b 2024.6.2-torch-2.7b \
	    2025.3.1-cupy-nvtx 2026.1.1-vectoradd 2026.2.1-h100-2gpu \
	    2026.2.1-mfu-2gpu synthetic/a synthetic/b synthetic/c synthetic/rules
}

@test "a gap follows the operation that ends it, with its call, range and cause" {
	stream '{"kind":"range","ts":0,"dur":900,"pid":1,"tid":2,"name":"r","id":3}' \
	    '{"kind":"api","ts":10,"dur":20,"pid":1,"tid":2,"corr":1,"name":"launch"}' \
	    '{"kind":"kernel","ts":40,"dur":60,"pid":1,"corr":1,"name":"k","device":0}' \
	    '{"kind":"api","ts":50,"dur":70,"pid":1,"tid":2,"corr":2,"name":"cudaStreamSynchronize"}' \
	    '{"kind":"osrt","ts":130,"dur":60,"pid":1,"tid":2,"name":"write"}' \
	    '{"kind":"api","ts":200,"dur":20,"pid":1,"tid":2,"corr":3,"name":"launch"}' \
	    '{"kind":"kernel","ts":230,"dur":10,"pid":1,"corr":3,"name":"k","device":0}' > in.tq
	tq-correlate --gaps --path in.tq > out.tq
	[[ $(jq -r .kind out.tq | xargs) = \
	    "trace range api kernel api osrt api kernel gap gap gap gpu-range end" ]]
	[[ $(grep '"kind":"gap"' out.tq) = \
	    '{"kind":"gap","ts":100,"dur":20,"pid":1,"tid":2,"corr":3,"host":"cudaStreamSynchronize","device":0,"api_name":"launch","range":3,"path":["r"],"cause":"sync","wait":"cudaStreamSynchronize"}
{"kind":"gap","ts":120,"dur":80,"pid":1,"tid":2,"corr":3,"host":"write","device":0,"api_name":"launch","range":3,"path":["r"],"cause":"host","wait":"cudaStreamSynchronize"}
{"kind":"gap","ts":200,"dur":30,"pid":1,"tid":2,"corr":3,"host":"launch","device":0,"api_name":"launch","range":3,"path":["r"],"cause":"launch","wait":"cudaStreamSynchronize"}' ]]
	[[ $(tail -n 1 out.tq | jq .events) = 11 ]]
	# the suite reads it, keeps its order, and makes it no second time
	tq-extract out.tq | cmp - out.tq
	tq-filter true out.tq | cmp - out.tq
	tq-correlate --gaps out.tq | cmp - out.tq
	[[ $(tq-filter -k gap 'cause == "host"' out.tq | grep -c '"gap"') = 1 ]]
	[[ $(tq-stats -f json1 -g cause,host out.tq | jq -r '.[] |
	    select(.cause == "host") | .["Total Time (ns)"]') = 80 ]]
	tq-chrome -q out.tq | grep '"name":"host in write"'
}

@test "--kind leaves out gaps, or what they are made of" {
	stream '{"kind":"kernel","ts":40,"dur":60,"pid":1,"device":0}' \
	    '{"kind":"kernel","ts":230,"dur":10,"pid":1,"device":0}' > in.tq
	[[ $(tq-correlate --gaps -k gap in.tq | jq -r .kind | xargs) = "trace gap end" ]]
	[[ $(tq-correlate --gaps -k kernel in.tq | jq -r .kind | xargs) = \
	    "trace kernel kernel end" ]]
}
