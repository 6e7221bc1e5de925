# An operation that never ended keeps its device busy to the end of the
# recording, in all reports alike.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	# 1 us, and then one that hangs from 100 us to the end at 1000 us, of
	# which a step has 600 us
	stream > raw << 'END'
{"kind":"api","ts":0,"dur":100,"pid":1,"tid":1,"corr":1,"name":"cudaLaunchKernel"}
{"kind":"kernel","ts":1000,"dur":1000,"pid":1,"corr":1,"name":"k1","device":0,"context":1,"stream":7}
{"kind":"range","ts":40000,"dur":660000,"pid":1,"tid":1,"name":"ProfilerStep#1"}
{"kind":"api","ts":90000,"dur":100,"pid":1,"tid":1,"corr":2,"name":"cudaLaunchKernel"}
{"kind":"kernel","ts":100000,"pid":1,"corr":2,"name":"k2","device":0,"context":1,"stream":8,"open":true}
{"kind":"memcpy","ts":500000,"dur":1000,"pid":1,"device":0,"context":1,"stream":7,"copy":"DtoH","bytes":8}
{"kind":"api","ts":990000,"dur":10000,"pid":1,"tid":1,"corr":3,"name":"cudaDeviceSynchronize"}
END
	tq-correlate raw > in
}

# table REPORT COLUMN ...: rows of a report, with these columns
table() {
	tq-stats -q -f json1 -r "$1" in |
	    jq -c --args '.[] | [.[$ARGS.positional[]]]' "${@:2}"
}

@test "an operation that never ended lasts to the end in reports of devices" {
	[[ $(table device_time "Compute (ns)" "Idle (ns)" "Exposed Copy (ns)") \
	    = "[901000,99000,0]" ]]
	[[ $(table hta_breakdown "Compute (ns)" "Idle (ns)") = \
	    "[901000,98000]" ]]
	[[ $(table gaps_sum Cause "Total (ns)") = '["before",1000]
["busy",901000]
["host",88000]
["launch",10000]' ]]
	[[ $(table gaps "Start (ns)" "Duration (ns)") = "[2000,98000]" ]]
	[[ $(tq-correlate --gaps raw | jq -c 'select(.kind == "gap") |
	    [.ts, .dur]') = "[2000,88000]
[90000,10000]" ]]
}

@test "an operation that never ended lasts to the end of each stream" {
	tq-stats -q -f json1 -r gaps_sum:stream in |
	    jq -c '.[] | select(.Cause == "busy") | [.Stream, ."Total (ns)"]' \
	    > got
	[[ $(< got) = "[7,2000]
[8,900000]" ]]
}

@test "an operation that never ended lasts to the end of a step" {
	[[ $(table step "Compute (ns)" "Idle (ns)" "Stalled (ns)") = \
	    "[900000,60000,10000]" ]]
	[[ $(table torch_steps "GPU Ops" "GPU Busy (ns)") = "[1,900000]" ]]
}

@test "an operation that never ended lasts to the end on the page" {
	tq-stats -q in > page
	grep -q '^The GPU computes 90.1 % of the time, idles 9.9 %' page
	grep -q '^GPU 0 .* compute  90.1 %  .* idle  9.9 %' page
}

@test "an operation that never ended lasts to the end in an account" {
	[[ $(table account Name "Exposed (ns)" "Hidden (ns)" Launches) = \
	    '["k2",900000,0,1]
["",50000,0,0]
["",10000,0,0]
["[CUDA memcpy DtoH]",0,1000,1]' ]]
	for unit in span launch; do
		tq-stats -q -f json1 --per $unit -r account in |
		    jq -c '.[] | select(.Name == "k2") |
			[."Exposed (ns)", ."Hidden (ns)"]' > got
		[[ $(< got) = "[900000,0]" ]]
	done
}

@test "an operation that never ended lasts to the end in tq-diff" {
	tq-diff --per span -f json1 in in |
	    jq -c '(.units[0].wall, (.parts[] | select(.name == "compute").a),
		(.rows[] | select(.name == "k2") | .a, .exposed_a))' > got
	[[ $(< got) = "999000
901000
900000
900000" ]]
}

@test "an operation that never ended lasts to the end in tq-advise" {
	tq-advise -f json1 in > got
	jq -e '.[0].account[0] |
	    .compute == 901000 and .wall_ns == 999000' got
}
