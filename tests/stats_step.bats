#!/usr/bin/env bats
# tq-stats: training steps, memory, and histograms

load helper
load step

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# what has steps
READ=(demo)
[[ ! ${EXPORTS-} ]] || READ+=(2025.3.1-cupy-nvtx)

# ---- step ----

@test "the time of a step is divided between compute, communication, copies and idle" {
	run -0 rows step < <(
		step "step 7" 100 100
		op kernel 110 30 '"name":"gemm"'
		op kernel 120 40 '"name":"ncclDevKernel_AllReduce"'
		op memcpy 130 50 '"bytes":1'
	)
	((${#lines[@]} == 1))
	# of the idle time before the first operation a step 0 has its own
	[[ ${lines[0]} == "0,step 7,1,0,100,80,30,20,20,10,10,0,0,40,20,50.0,100" ]]
}

@test "a step has what it launched, wherever that runs, and the gaps that this ends" {
	run -0 rows step < <(
		op kernel 50 70 '"name":"a"'
		step "step 0" 100 100
		op memset 190 40
		step "step 1" 200 50
		op kernel 250 10 '"name":"b"'
		op kernel 270 80 '"name":"b","api_ts":240'
		step "step 2" 300 10
		op kernel 380 10 '"name":"b","api_ts":305'
	)
	((${#lines[@]} == 3))
	# 50-120 and 250-260 are of none; 120-190 ends with the fill of step 0
	[[ ${lines[0]} == "0,step 0,1,0,100,110,0,0,40,70,70,0,0,0,0,,100" ]]
	[[ ${lines[1]} == "1,step 1,1,0,200,90,80,0,0,10,0,0,10,0,0,,50" ]]
	[[ ${lines[2]} == "2,step 2,1,0,300,40,10,0,0,30,0,0,30,0,0,,10" ]]
}

@test "steps that launch equal work are equal, however long the host is in them" {
	run -0 rows step < <(
		step "step 0" 0 10
		step "step 1" 10 500
		step "step 2" 510 10
		for i in 0 1 2; do
			at=(1 11 511)
			op kernel $((600 + i * 100)) 90 '"name":"a","api_ts":'"${at[i]}"
		done
	)
	[[ $(cut -d, -f 1,6,7,17 <<< "$output") == $'0,690,90,10\n1,100,90,500\n2,100,90,10' ]]
}

@test "before no known call idle time is Sync while the thread of the step waits" {
	# both nested calls, one from before the step, one of another thread
	run -0 rows step < <(
		call cudaDeviceSynchronize 90 20
		step "step 0" 100 100
		op kernel 105 10 '"name":"a"'
		call cuStreamSynchronize 110 50
		call cuCtxSynchronize 120 20
		op kernel 150 5 '"name":"a"'
		call cudaStreamSynchronize 165 10 2
		call cudaMemcpy 176 4
		call cudaEventSynchronize 190 30
	)
	# idle: 100-105, 115-150; waiting: 100-160
	[[ ${lines[0]} == "0,step 0,1,0,100,55,15,0,0,40,0,40,0,0,0,,100" ]]
}

@test "each device of a process has a row, by number; a device that a step has no work on took no time" {
	run -0 rows step < <(
		step "step 0" 0 10
		call cudaDeviceSynchronize 2 3
		step "step 1" 10 10
		call cudaDeviceSynchronize 12 3
		op kernel 14 2 '"name":"a","device":3'
		op kernel 15 1 '"name":"a","device":1'
	)
	((${#lines[@]} == 4))
	[[ ${lines[0]} == "0,step 0,1,1,0,0,0,0,0,0,0,0,0,0,0,,10" ]]
	[[ ${lines[1]} == "0,step 0,1,3,0,0,0,0,0,0,0,0,0,0,0,,10" ]]
	[[ ${lines[2]} == "1,step 1,1,1,10,16,1,0,0,15,9,6,0,0,0,,10" ]]
	[[ ${lines[3]} == "1,step 1,1,3,10,16,2,0,0,14,9,5,0,0,0,,10" ]]
}

@test "of two threads an operation is of the step of that which launched it, else of the later one" {
	run -0 rows step < <(
		step "step 0" 0 100
		step "step 1" 10 80 2
		op kernel 20 10 '"name":"a","tid":1'
		op kernel 30 20 '"name":"a","tid":2'
		op kernel 50 5 '"name":"a","tid":3'
		op kernel 95 1 '"name":"a","tid":2'
	)
	[[ $(cut -d, -f 2,7 <<< "$output") == $'step 0,11\nstep 1,25' ]]
}

@test "steps within a step of their thread are a part of it" {
	run -0 rows step < <(
		step "step 0" 0 10
		step "ProfilerStep#0" 0 10 1 '"domain":"torch"'
		step "batch 1" 5 5
		step "iteration 4" 6 2 2
		op kernel 7 2 '"name":"a"'
		step "step 1" 9 4
		step forward 10 1
	)
	((${#lines[@]} == 3))
	[[ $(cut -d, -f 1-4,7,17 <<< "$output") == "0,step 0,1,0,0,10
1,iteration 4,1,0,2,2
2,step 1,1,0,0,4" ]]
}

@test "steps that never ended or were cut are left out" {
	run -0 rows step < <(
		echo '{"kind":"range","ts":0,"pid":1,"tid":1,"name":"step 0","open":true}'
		step "step 1" 1 9 1 '"cut":true'
		step "step 2" 2 5
		op kernel 3 1 '"name":"a"'
	)
	((${#lines[@]} == 1))
	[[ ${lines[0]} == "0,step 2,1,0,2,2,1,0,0,1,1,0,0,0,0,,5" ]]
}

@test "processes and sections have steps and devices of their own" {
	{
		stream "$(step "step 0" 0 10)" "$(op kernel 1 4 '"name":"a"')" \
			"$(step "step 0" 2 10 | sed 's/"pid":1/"pid":2/')"
		stream "$(step "step 0" 0 10)" "$(op kernel 2 3 '"name":"a"')"
	} > two
	run -0 tq-stats -f csv -r step two
	((${#lines[@]} == 3))
	[[ ${lines[1]} == "0,step 0,1,0,0,5,4,"* ]]
	[[ ${lines[2]} == "0,step 0,1,0,0,5,3,"* ]]
}

@test "a step without operations of its process says that there is none" {
	step "step 0" 0 10 | stream > in
	run -1 tq-stats -r step in
	[[ $output == "tq-stats: step: no step with operations of its process in the stream" ]]
	{ step "step 0" 0 10; op kernel 1 1; } | stream > in
	run -1 tq-stats -r step_sum in
	[[ $output == "tq-stats: step_sum: no two steps with operations of their process in the stream" ]]
}

@test "the steps of the demo and of a real export are what jq makes of them" {
	local name

	for name in "${READ[@]}"; do
		# the first steps are enough for the quadratic one
		tq-filter --time 0:600ms "$(extracted "$name")" |
			jq -c 'select(.cut != true)' |
			grep -vE '"kind":"(trace|end)"' > part
		steps part > theirs
		reported part > ours
		[[ -s ours ]]
		diff ours theirs
	done
}

@test "the parts of each step add up to its duration" {
	local name

	for name in "${READ[@]}"; do
		tq-stats -f json1 -r step "$(extracted "$name")" > steps
		jq -e 'length > 2 and all(.[];
		    with_entries(.key |= sub(" \\(.*"; "")) |
		    .Compute + .["Exposed Communication"] +
			.["Exposed Copy"] + .Idle == .Duration and
		    .Starved + .Sync + .Stalled == .Idle and
		    .Starved >= 0 and .Sync >= 0 and .Stalled >= 0)' \
			steps
	done
}

@test "step_sum leaves out the first step of each process" {
	run -0 rows step_sum < <(
		step "step 0" 0 100
		op kernel 10 80 '"name":"a"'
		step "step 1" 100 10
		op kernel 101 4 '"name":"a"'
		step "step 2" 110 15
		op kernel 111 4 '"name":"a"'
		op memset 116 1
		call cudaDeviceSynchronize 117 2
	)
	((${#lines[@]} == 11))
	[[ ${lines[0]} == "1,0,2,Duration,100.0,13.5,12,15,2.1,125.0" ]]
	[[ ${lines[1]} == "1,0,2,Compute,29.6,4.0,4,4,0.0,100.0" ]]
	[[ ${lines[2]} == "1,0,2,Exposed Communication,0.0,0.0,0,0,0.0," ]]
	[[ ${lines[3]} == "1,0,2,Exposed Copy,3.7,0.5,0,1,0.7," ]]
	[[ ${lines[4]} == "1,0,2,Idle,66.7,9.0,7,11,2.8,157.1" ]]
	[[ ${lines[5]} == "1,0,2,Starved,66.7,9.0,7,11,2.8,157.1" ]]
	[[ ${lines[6]} == "1,0,2,Sync,0.0,0.0,0,0,0.0," ]]
	[[ ${lines[7]} == "1,0,2,Stalled,0.0,0.0,0,0,0.0," ]]
	[[ ${lines[8]} == "1,0,2,Communication,0.0,0.0,0,0,0.0," ]]
	[[ ${lines[9]} == "1,0,2,Overlapped Communication,0.0,0.0,0,0,0.0," ]]
	[[ ${lines[10]} == "1,0,2,Host,92.6,12.5,10,15,3.5,150.0" ]]
}

# ---- memory ----

copies() {
	op memcpy 0 1000 '"bytes":4000000,"copy":"HtoD","src":"Pinned","dst":"Device"'
	op memcpy 1 3000 '"bytes":2000000,"copy":"HtoD","src":"Pinned","dst":"Device"'
	op memcpy 2 2000 '"bytes":1000000,"copy":"HtoD","src":"Pageable","dst":"Device"'
	op memset 3 0 '"bytes":1048576,"mem":"Device"'
	op memset 4 10 '"bytes":0,"mem":"Device"'
	echo '{"kind":"memcpy","ts":5,"pid":1,"device":0,"bytes":9,"copy":"HtoD","open":true}'
	op memcpy 6 7 '"copy":"DtoH"'
}

@test "memory has copies and fills by direction and kinds of memory" {
	run -0 rows memory < <(copies)
	((${#lines[@]} == 3))
	[[ ${lines[0]} == "2,6.000,4000,1500000.000,3.000,2.000,4.000,HtoD,Pinned,Device" ]]
	[[ ${lines[1]} == "2,1.049,10,104857600.000,0.524,0.000,1.049,memset,,Device" ]]
	[[ ${lines[2]} == "1,1.000,2000,500000.000,1.000,1.000,1.000,HtoD,Pageable,Device" ]]
}

@test "memory_sizes has them by powers of two" {
	run -0 rows memory_sizes < <(copies)
	((${#lines[@]} == 5))
	[[ ${lines[0]} == "524288,1048576,1,1.000,2000,500000.000,HtoD" ]]
	[[ ${lines[1]} == "1048576,2097152,1,2.000,3000,666666.667,HtoD" ]]
	[[ ${lines[2]} == "2097152,4194304,1,4.000,1000,4000000.000,HtoD" ]]
	[[ ${lines[3]} == "0,1,1,0.000,10,0.000,memset" ]]
	[[ ${lines[4]} == "1048576,2097152,1,1.049,0,,memset" ]]
}

@test "memory and memory_sizes of the demo and of a real export add up" {
	local file name report

	for name in "${READ[@]}"; do
		file=$(extracted "$name")
		oracle memory sum "$file" > theirs
		for report in memory memory_sizes; do
			tq-stats -f json1 -r "$report" "$file" |
				jq -c '[(map(.Count) | add),
				    (map(.["Total (B)"]) | add),
				    (map(.["Time (ns)"]) | add)]' > ours
			diff ours theirs
		done
		oracle memory copies "$file" > theirs
		tq-stats -f json1 -r memory "$file" |
			jq -c 'map(select(.Operation != "memset")) |
			    sort_by(.Operation, .Src, .Dst)[] |
			    [.Operation, .Src, .Dst, .Count, .["Total (B)"],
			    .["Min (B)"], .["Max (B)"]]' > ours
		diff ours theirs
	done
}

# ---- alloc ----

alloc() { # OP TS BYTES ADDRESS [MEM]
	echo '{"kind":"alloc","ts":'"$2"',"pid":1,"device":0,"bytes":'"$3"',"mem":"'"${5:-Device}"'","address":"'"$4"'","op":"'"$1"'"}'
}

@test "alloc has the peak, when it was, and what is left" {
	run -0 rows alloc < <(
		alloc alloc 1 1000000 0x10
		alloc alloc 2 3000000 0x20
		alloc free 3 1000000 0x10
		alloc alloc 4 1000000 0x10
		alloc alloc 5 7000000 0x30 Managed
		alloc free 6 3000000 0x20
		echo '{"kind":"alloc","ts":7,"pid":1,"device":0,"address":"0x99","op":"pool created"}'
	)
	((${#lines[@]} == 2))
	[[ ${lines[0]} == "1,0,4.000,2,1.000,3,2,Device," ]]
	[[ ${lines[1]} == "1,0,7.000,5,7.000,1,0,Managed," ]]
}

@test "a free of what the stream did not see allocated is only counted" {
	run -0 rows alloc < <(
		alloc alloc 1 1000000 0x10
		alloc free 2 9000000 0x77
		alloc free 3 1000000 0x10
		alloc free 4 1000000 0x10
	)
	[[ ${lines[0]} == "1,0,1.000,1,0.000,1,3,Device," ]]
}

@test "a free before any allocation is only counted" {
	run -0 rows alloc < <(alloc free 1 1000000 0x10)
	[[ ${lines[0]} == "1,0,0.000,,0.000,0,1,Device," ]]
}

@test "alloc of the demo is what jq makes of it" {
	oracle memory allocations "$(extracted demo)" > theirs
	tq-stats -f json1 -r alloc "$(extracted demo)" |
		jq -c 'sort_by(.PID)[] | [.PID, .["Peak (B)"],
		    .["Peak Start (ns)"], .["Last (B)"], .Allocs, .Frees]' > ours
	[[ -s ours ]]
	diff ours theirs
}

# ---- hist ----

@test "hist draws the durations of kernels" {
	{
		for i in {1..8}; do op kernel "$i" 1024 '"name":"gemm"'; done
		op kernel 10 2047 '"name":"gemm"'
		op kernel 11 4096 '"name":"gemm"'
		op kernel 12 0 '"name":"x\ny"'
	} | stream > in
	local full
	printf -v full '█%.0s' {1..57}
	run -0 --keep-empty-lines tq-stats -r hist in
	[[ ${lines[0]} == gemm ]]
	[[ ${lines[1]} == "  10, median 1.02 us, total 14.3 us" ]]
	[[ ${lines[2]} == "  1.02 us - 2.05 us  $full 9" ]]
	[[ ${lines[3]} == "  2.05 us - 4.10 us  0" ]]
	[[ ${lines[4]} == "  4.10 us - 8.19 us  ██████▎ 1" ]]
	[[ ${lines[5]} == "" ]]
	[[ ${lines[6]} == "x y" ]]
	[[ ${lines[7]} == "  1, median 0 ns, total 0 ns" ]]
	[[ ${lines[8]} == "     0 ns -    1 ns  $full 1" ]]
}

@test "hist has ten kernels, the longest first, in 80 columns" {
	{
		for i in {1..12}; do
			op kernel "$i" $((i * 1000)) '"name":"k'"$i"'"'
		done
		op kernel 90 99000 '"name":"'"$(printf 'é%.0s' {1..100})"'"'
		for i in {1..2000}; do op kernel 91 60 '"name":"many"'; done
	} | stream > in
	tq-stats -r hist in > out
	[[ $(grep -c median out) == 10 ]]
	[[ $(head -n 1 out) == many ]]
	[[ $(wc -L < out) == 80 ]]
	grep -q '^é*…$' out
	[[ $(grep '^k' out | tr '\n' ' ') == "k12 k11 k10 k9 k8 k7 k6 k5 " ]]
}

@test "a step that crosses another one of its thread is a step in all tools" {
	{ for i in 0 1 2; do
		step "step $i" $((i * 50)) 60
		op kernel $((i * 50 + 5)) 10
		step "step $i" $((i * 50 + 20)) 30 # a part of it
	  done; } | stream > in
	[[ $(tq-stats -f csv -r step in | cut -d, -f1,2 | tail -n +2) = \
	    "0,step 0
1,step 1
2,step 2" ]]
	[[ $(tq-stats -q -f csv -r account in | tail -n +2 | cut -d, -f3,4 |
	    sort -u) = "step,2" ]]
	tq-advise in | head -1 | grep -q ' 3 steps'
	tq-filter --step 2 in | grep -q '"ts":100,.*"name":"step 2"'
	run -1 tq-filter --step 3 in
	[[ $output = *'the trace has steps 0 to 2'* ]]
}
