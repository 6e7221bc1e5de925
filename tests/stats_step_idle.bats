#!/usr/bin/env bats
# tq-stats: what the idle time of a step is put down to, what a step is, and
# the overlap of communication and computation

load helper
load step

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# those with ranges
READ=(demo)
[[ ! ${EXPORTS-} ]] ||
	READ+=(2025.3.1-cupy-nvtx 2026.2.1-h100-2gpu 2026.2.1-mfu-2gpu)

# k TS DUR API_TS [MORE]: a kernel that was launched at API_TS
k() {
	op kernel "$1" "$2" '"name":"k","api_ts":'"$3"',"api_dur":2'"${4:+,$4}"
}

# idle [OPTION ...]: name, device, idle, starved, sync and stalled of steps
idle() {
	stream > in
	tq-stats -f csv -r step "$@" in | tail -n +2 | cut -d, -f 2,4,10-13
}

# ---- what idle time is put down to ----

@test "idle time is Starved until the next operation is launched, then Stalled" {
	run -0 idle < <(
		step "step 0" 100 100
		k 110 20 100
		k 150 10 138
		k 190 10 101
	)
	# 100-110 was launched at 100; 130-138 is starved, 138-150 stalled;
	# 160-190 was launched long before
	[[ $output == "step 0,0,60,8,0,52" ]]
}

@test "it is Sync where the thread of the step waits and nothing was launched" {
	run -0 idle < <(
		call cudaStreamSynchronize 95 20
		step "step 0" 100 100
		k 120 10 110
		call cudaDeviceSynchronize 125 10
		call cudaDeviceSynchronize 150 5 2
		call cudaEventSynchronize 160 15
		k 180 20 170
	)
	# sync 100-110, 130-135, 160-170; starved 135-160; stalled 110-120, 170-180
	[[ $output == "step 0,0,70,25,25,20" ]]
}

@test "Sync is a wait of the thread that launches the next operation" {
	run -0 idle < <(
		call cudaStreamSynchronize 95 25
		step "step 0" 100 100
		call cudaDeviceSynchronize 100 50 2
		k 160 40 155 '"tid":2'
	)
	# 100-150 of thread 2
	[[ $output == "step 0,0,60,5,50,5" ]]
}

@test "a gap is of the step that launched the operation which ends it, whenever that runs" {
	run -0 idle < <(
		step "step 0" 100 100
		k 100 50 100
		call cudaDeviceSynchronize 140 30
		step "step 1" 200 100
		k 220 10 180
		step "step 2" 300 100
		k 330 10 320
	)
	((${#lines[@]} == 3))
	# 150-170 sync, 170-180 starved, from 180 on stalled, to 220
	[[ ${lines[0]} == "step 0,0,70,10,20,40" ]]
	[[ ${lines[1]} == "step 1,0,0,0,0,0" ]]
	# 230-320 starved
	[[ ${lines[2]} == "step 2,0,100,90,0,10" ]]
}

@test "the first gap of a device is of the step that ends it, in step 0 from its begin on" {
	run -0 idle < <(
		call cudaDeviceSynchronize 0 30
		step "step 0" 10 100
		call cudaDeviceSynchronize 50 30
		k 80 20 79
		step "step 1" 110 100
		k 190 5 150 '"device":1'
	)
	((${#lines[@]} == 4))
	[[ ${lines[0]} == "step 0,0,70,20,49,1" ]]
	[[ ${lines[1]} == "step 0,1,0,0,0,0" ]]
	[[ ${lines[2]} == "step 1,0,0,0,0,0" ]]
	# from the first record on
	[[ ${lines[3]} == "step 1,1,190,90,60,40" ]]
}

@test "of operations that start together the first of the stream decides" {
	run -0 idle < <(
		step "step 0" 0 100
		k 50 20 40
		k 50 10 20
	)
	[[ $output == "step 0,0,50,40,0,10" ]]
}

@test "an operation whose call is not known leaves what it ends to the thread" {
	run -0 idle < <(
		step "step 0" 0 100
		call cudaDeviceSynchronize 10 20
		op kernel 50 10 '"name":"k"'
		k 80 10 60
	)
	[[ $output == "step 0,0,70,30,20,20" ]]
}

# some SEED: steps, calls, and operations of two devices by two threads
some() {
	awk -v seed="$1" '
	function r(n) { return int(rand() * n) }
	BEGIN {
		srand(seed)
		for (t = 1; t <= 2; t++)
			for (ts = r(200); ts < 2000; ts += most) {
				most = 40 + r(300)
				printf "{\"kind\":\"range\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"tid\":%d,\"name\":\"step %d\"}\n", \
				    ts, 1 + r(most), t, ts
			}
		for (i = 0; i < 60; i++)
			printf "{\"kind\":\"api\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"tid\":%d,\"name\":\"%s\"}\n", \
			    r(2000), r(r(9) ? 30 : 400), 1 + r(2), \
			    (r(4) ? "cuStreamSynchronize" : "cudaMalloc")
		for (i = 0; i < 80; i++) {
			ts = r(2000)
			d = r(3) ? 0 : 1
			if (d == 1 && ts < 900)
				continue
			call = ""
			if (r(6))
				call = ",\"api_ts\":" (ts - 1 - r(r(5) ? 60 : 900))
			if (r(3))
				call = call ",\"tid\":" (1 + r(2))
			printf "{\"kind\":\"%s\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"device\":%d,\"name\":\"%s\"%s}\n", \
			    (r(4) ? "kernel" : "memcpy"), ts, r(40), d, \
			    (r(3) ? "gemm" : "nccl"), call
		}
	}' | jq -sc 'sort_by(.ts, -.dur)[]' | stream
}

@test "all parts of any stream are those of a search through all of it" {
	local seed

	for seed in {1..25}; do
		some "$seed" > part
		steps part > theirs
		reported part > ours
		[[ -s ours ]]
		diff ours theirs
	done
}

# each FUNCTION: of every stream
each() {
	local name

	for name in "${READ[@]}"; do
		"$1" "$(correlated "$name")" || { echo "$name"; return 1; }
	done
}

# the parts of steps, and of ranges that most exports have
add_up() { # FILE
	local steps

	for steps in 0.. '~^FSDP::pre_forward@*' '~^aten::(copy_|mm)\b@*'; do
		tq-stats -q -f ndjson -r step --step "$steps" "$1" > rows ||
		    continue
		jq -e 'with_entries(.key |= sub("_ns$"; "")) |
		    .compute + .exposed_communication +
			.exposed_copy + .starved + .sync + .stalled ==
			.duration and .starved + .sync + .stalled == .idle and
		    .overlapped_communication +
			.exposed_communication == .communication and
		    ([.starved, .sync, .stalled,
			.overlapped_communication] | min) >= 0 and
		    .overlapped_communication <= .compute' rows > ok ||
		    { echo "$steps"; return 1; }
	done
}

@test "the parts of steps add up to the ns, in every file" {
	each add_up
}

against_jq() { # FILE
	# what is quadratic has enough of the first steps
	tq-filter --time 0:600ms "$1" | jq -c 'select(.cut != true)' |
	    grep -vE '"kind":"(trace|end)"' > part || return 0
	tq-stats -q -r step part > out || return 0
	steps part > theirs
	reported part | diff - theirs
}

@test "Starved, Sync and Stalled are those that jq finds, in every file" {
	each against_jq
}

@test "without tq-correlate no call is known, and nothing stalls" {
	run -0 idle < <(
		step "step 0" 100 100
		op kernel 110 20 '"name":"k"'
		call cudaDeviceSynchronize 130 20
		op kernel 190 10 '"name":"k"'
	)
	[[ $output == "step 0,0,70,50,20,0" ]]
}

# ---- --step ----

# named [OPTION ...]: number and name of the steps that are found
named() {
	{
		step warmup 0 10
		for i in 1 2 3 4; do
			step "train $i" $((i * 100)) $((80 - i * 10 % 30))
			step "part" $((i * 100 + 1)) 5
			step "train" $((i * 100 + 10)) 5 1 '"domain":"lib"'
		done
		step "step 9" 600 50
		k 620 5 601
	} | stream > in
	tq-stats -f csv -r step "$@" in | tail -n +2 | cut -d, -f 1,2
}

@test "--step names what a step is: a range, a pattern, of a domain, some of them" {
	[[ $(named) == "0,step 9" ]]
	[[ $(named --step warmup) == "0,warmup" ]]
	[[ $(named --step '~^train') == $'0,train 1\n1,train 2\n2,train 3\n3,train 4' ]]
	[[ $(named --step 'train@lib/1..2') == $'1,train\n2,train' ]]
	[[ $(named --step '~train@*' | grep -c .) == 4 ]]
	[[ $(named --step '~^train/1') == "1,train 2" ]]
	[[ $(named --step '~^train/2..') == $'2,train 3\n3,train 4' ]]
	[[ $(named --step 0) == "0,step 9" ]]
}

@test "--step median is the step of median duration, as in tq-filter" {
	# 70, 60, 80, 70 ns, of which the first does not count
	[[ $(named --step '~^train/median') == "3,train 4" ]]
	# of one there is no other
	[[ $(named --step warmup/median) == "0,warmup" ]]
}

@test "step_sum has the steps that --step names" {
	named > out
	run -0 tq-stats -f csv -r step_sum --step '~^train' in
	[[ ${lines[1]} == "1,0,3,Duration,,0.0,0,0,0.0," ]]
	[[ ${lines[11]} == "1,0,3,Host,,70.0,60,80,10.0,133.3" ]]
}

@test "a --step that nothing matches says so" {
	named > out
	run -1 tq-stats -r step --step nosuch in
	[[ $output == "tq-stats: step: no range in the stream is such a step" ]]
	run -1 tq-stats -r step_sum --step part@lib in
	[[ $output == "tq-stats: step_sum: no range in the stream is such a step" ]]
	run -1 tq-stats -r step --step '~^train/7' in
	[[ $output == "tq-stats: step: the stream has no step of that number" ]]
}

@test "a --step that makes no sense is a mistake of usage, and shown" {
	run -2 tq-stats -r step --step '~train(' /dev/null
	[[ ${lines[0]} == "tq-stats: "* ]]
	[[ ${lines[1]} == $'\t~train(' ]]
	run -2 tq-stats -r step --step 'a/3..1' /dev/null
	[[ ${lines[0]} == "tq-stats: the last index is before the first" ]]
	run -2 tq-stats -r step --step 'a@b@c' /dev/null
	[[ ${lines[0]} == "tq-stats: a second '@': in a name it is \\@" ]]
}

# ---- overlap ----

@test "overlap is the share of the communication that a computation hides" {
	{
		op kernel 100 40 '"name":"gemm"'
		op kernel 110 10 '"name":"ncclKernel"'
		op kernel 115 50 '"name":"ncclKernel"'
		op kernel 150 40 '"name":"gemm"'
		op memcpy 160 90
		op kernel 300 10 '"name":"ncclKernel","device":1'
		op kernel 300 10 '"name":"gemm","device":2'
		echo '{"kind":"graph","ts":305,"dur":1,"pid":1,"device":1}'
	} | stream > in
	run -0 tq-stats -f csv -r overlap in
	# communication 110-165, of which 110-140 and 150-165 are hidden
	((${#lines[@]} == 3))
	[[ ${lines[0]} == "PID,Device,Communication (ns),Overlapped (ns),Exposed (ns),Overlap (%),Compute (ns),Shared GPU,Name" ]]
	[[ ${lines[1]} == "1,0,55,45,10,81.8,80,," ]]
	[[ ${lines[2]} == "1,1,10,1,9,10.0,1,," ]]
}

@test "overlap goes by the category of a kernel, where it has one" {
	{
		op kernel 0 10 '"name":"ncclKernel","category":"compute"'
		op kernel 5 10 '"name":"mine","category":"communication"'
	} | stream > in
	run -0 tq-stats -f csv -r overlap in
	[[ ${lines[1]} == "1,0,10,5,5,50.0,10,," ]]
}

@test "overlap needs a communication" {
	op kernel 0 10 '"name":"gemm"' | stream > in
	run -1 tq-stats -r overlap in
	[[ $output == "tq-stats: overlap: no communication kernel in the stream" ]]
}

same_overlap() { # FILE
	oracle steps overlap "$1" | sort > theirs
	tq-stats -q -f csv -r overlap "$1" | tail -n +2 | cut -d, -f 1-4,7 |
	    sort | diff - theirs
}

@test "overlap is what jq finds, in every file" {
	each same_overlap
}

@test "times at both ends of 64 bits are taken, and end nothing" {
	{
		step "step 1" -9223372036854775808 9223372036854775807
		op kernel -9223372036854775808 9223372036854775807 '"name":"ncclKernel"'
		k -5 9223372036854775807 -9223372036854775808
		k 9223372036854775800 7 9223372036854775000
	} | stream > in
	run -0 tq-stats -r device_time,overlap,step,gaps,gaps_sum in
}
