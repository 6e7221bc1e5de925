#!/usr/bin/env bats
# tq-stats: what the page finds, of what, where, and the command that shows it.

load helper
load page

# called TS: the keys of an operation whose call of 1 us starts at TS
called() {
	echo ',"api_ts":'"$1"',"api_dur":1000,"api_name":"cudaLaunchKernel"'
}

# range TS DUR NAME: of the thread that launches
range() {
	echo '{"kind":"range","ts":'"$1"',"dur":'"$2"',"pid":1,"tid":1,"name":"'"$3"'"}'
}

# late N: N kernels of 10 us, each 90 us after the one before it, launched late
late() {
	local i
	for ((i = 0; i < $1; i++)); do
		work kernel $((i * 100000)) 10000 0 k "$(called $((i * 100000 - 2000)))"
	done
}

# found FILE: "NAME SHARE EVIDENCE" for each finding
found() {
	tq-stats -f json "$@" | jq -r '.next[] |
	    "\(.Finding) \(.["Share (%)"] // "note") \(.Evidence)"'
}

# page FILE ...: the page, with a command in one line
page() {
	COLUMNS=500 tq-stats "$@"
}

# ---- real recordings ----

@test "the command of each finding runs as it stands, and prints rows" {
	need data
	for name in "${EXPORTS[@]}"; do
		cp "$(correlated "$name")" "$name.tq"
		page "$name.tq" | sed -n 's/^ *\$ //p' > commands
		page < "$name.tq" | sed -n "s/^ *\\$ //p; s/ FILE\$//" |
		    sed "s/ FILE\$/ $name.tq/; s/ FILE / $name.tq /" >> commands
		while read -r command; do
			bash -o pipefail -c "$command" > rows 2> errors && [[ -s rows ]] ||
			    { echo "$name: $command: $(cat errors)" >&2; false; }
		done < commands
	done
}

@test "the sums are those of device_time and gaps_sum, to the nanosecond" {
	need data
	[[ -x $BUILD/unit/page_sums ]] || skip "no unit tests"
	for name in "${EXPORTS[@]}" "${SYNTHETIC[@]}"; do
		"$BUILD/unit/page_sums" "$(correlated "$name")"
	done
}

@test "2026.2.1-mfu-2gpu: what it costs on each GPU, of what, and where" {
	data nsys/2026.2.1-mfu-2gpu.sqlite
	run -0 found "$(correlated 2026.2.1-mfu-2gpu)"
	[[ ${lines[0]} = 'host-late 6.8 The GPUs wait for the host to launch: '`
	    `'24.2 ms on GPU 1 and 16.9 ms on GPU 0, of 300 ms recorded each. '`
	    `'Longest: 4.49 ms before vectorized_layer_norm_kernel in '`
	    `'aten::native_layer_norm.' ]]
	[[ ${lines[1]} = 'exposed-communication 4.2 Communication runs without '`
	    `'compute beside it: 17.2 ms on GPU 0 and 8.23 ms on GPU 1, of 300 ms '`
	    `'recorded each; compute hides none of it. GPU 0 is in it 8.94 ms '`
	    `'longer than GPU 1: it waits for its peer (likely).' ]]
	[[ ${lines[2]} = 'one-kernel note flash_fwd_kernel takes 272 ms of 535 ms '`
	    `'of kernel time (50.9 %): 68 launches of 151 us to 7.87 ms.' ]]
	[[ ${lines[3]} = 'elementwise note Elementwise and cast kernels take 168 ms '`
	    `'of 535 ms of kernel time (31.3 %) in 3,303 of 4,010 launches:'* ]]
	[[ ${lines[4]} = 'host-stops note The host waits for the GPU in 33 calls of '`
	    `'*Synchronize, 9.83 ms each, all in aten::copy_; after each the launch '`
	    `'queue is empty.' ]]
	((${#lines[@]} == 5))
}

@test "2024.6.2-torch-2.7b: loading, FP32, and a long way to the first operation" {
	data nsys/2024.6.2-torch-2.7b.sqlite
	run -0 found "$(correlated 2024.6.2-torch-2.7b)"
	[[ ${lines[0]} = 'exposed-copy 48.2 Copies run while nothing computes: 4.46 s '`
	    `'of the 9.24 s from first to last GPU operation. 13.6 GB HtoD of '`
	    `'pageable memory at 3.06 GB/s; pinned memory would be several times '`
	    `'faster. Nearly all in the first 5.02 s, before the kernels: loading '`
	    `'(likely).' ]]
	[[ ${lines[1]} = 'fp32-gemm 33.5 Matrix products in FP32, without tensor '`
	    `'cores: 3.10 s of 3.39 s of kernel time (91.3 %) on A100-SXM4-80GB, '`
	    `'most in ampere_sgemm_128x64_tn. TF32 or bf16 would use them.' ]]
	[[ ${lines[-1]} = 'long-way note 31.4 s of 46.7 s recorded (67.2 %) pass before '`
	    `'the first GPU operation, 6.09 s after the last. All shares here are of '`
	    `'the 9.24 s between.' ]]
}

@test "2025.3.1-cupy-nvtx: the range in which a host that is late is" {
	data nsys/2025.3.1-cupy-nvtx.sqlite
	run -0 found "$(correlated 2025.3.1-cupy-nvtx)"
	[[ ${lines[0]} = 'host-late 36 The GPU waits for the host to launch: 653 ms of '`
	    `'1.81 s recorded. For 652 ms of it the host is in the range IO *.'* ]]
}

# ---- idle time ----

@test "a host that is late: how long, the longest, and the range it was in" {
	{
		late 60
		# the middle of each gap is in an inner range of many names
		range -9000 6000000 "outer"
		for i in {0..58}; do
			range $((i * 100000 + 40000)) 30000 "load $i"
		done
	} | jq -sc 'sort_by(.ts)[]' | stream > in
	run -0 found in
	[[ ${lines[0]} = 'host-late 86.5 The GPU waits for the host to launch: 5.19 ms '`
	    `'of 6.00 ms recorded. For 5.19 ms of it the host is in the range load *. '`
	    `'Longest: 90.0 us before k.' ]]
	# 30 of 59 gaps are enough, 20 are not
	sed 's/"load [0-9]*[02468]"/"a"/' in > half
	[[ $(found half) = *' For 2.70 ms of it the host is in the range a. '* ]]
	sed 's/"load [0-9]*[0369]"/"a"/; s/"load [0-9]*[147]"/"b"/;
	    s/"load [0-9]*[258]"/"c"/' in > third
	[[ $(found third | head -n 1) != *'in the range'* ]]
}

@test "a host that waited for the GPU launched nothing" {
	{
		late 60
		for i in {0..58}; do
			echo '{"kind":"api","ts":'$((i * 100000 + 11000))',"dur":80000,'`
			    `'"pid":1,"tid":1,"name":"cudaDeviceSynchronize"}'
		done
	} | jq -sc 'sort_by(.ts)[]' | stream > in
	run -0 found in
	[[ ${lines[0]} = 'sync-wait '*' While the host waited for the GPU nothing was '`
	    `'launched: the GPU then idles 4.7'*' ms of '*', in 59 gaps.' ]]
	[[ $output = *'host-stops note The host waits for the GPU in 59 calls of '`
	    `'*Synchronize, 80.0 us each; after each the launch queue is empty.'* ]]
}

@test "without tq-correlate there are no causes, and the first note says so" {
	for i in {0..59}; do work kernel $((i * 100)) 10 0 a; done | stream > in
	run -0 found in
	[[ ${lines[0]} = 'not-correlated note Causes need tq-correlate'* ]]
	[[ $(page in) = *'$ tq-correlate in | tq-stats'* ]]
	# a stream that went through it, and has no call
	tq-correlate in > correlated
	[[ $(found correlated) != *'tq-correlate'* ]]
}

# ---- work ----

@test "communication and copies that nothing hides, with what they are of" {
	{
		for i in {0..59}; do
			work kernel $((i * 100)) 50 0 a "$(called -9000)"
			work kernel $((i * 100 + 40)) 35 0 ncclAllReduce "$(called -9000)"
			work memcpy $((i * 100 + 75)) 25 0 c \
			    "$(called -9000)"',"bytes":800,"copy":"DtoH","src":"Device","dst":"Pageable"'
		done
	} | stream > in
	run -0 found in
	[[ ${lines[0]} = 'exposed-communication 25 Communication runs without compute '`
	    `'beside it: 1.50 us of 6.00 us recorded; compute hides 28.6 % of all '`
	    `'communication.' ]]
	[[ ${lines[1]} = 'exposed-copy 25 Copies run while nothing computes: 1.50 us of '`
	    `'6.00 us recorded. 48.0 kB DtoH of pageable memory at 32.0 GB/s; pinned '`
	    `'memory would be several times faster.' ]]
}

@test "kernels shorter than their launch, where the GPU idles for that" {
	for i in {0..59}; do
		work kernel $((i * 1000)) 400 0 a ',"api_ts":'$((i * 1000 - 100))`
		    `',"api_dur":900,"api_name":"cudaLaunchKernel"'
	done | stream > in
	[[ $(found in) = *'short-kernels note 60 of 60 launches of kernels and graphs '`
	    `'with a known call (100.0 %) ran shorter than that call'*'(hint).'* ]]
	# calls that take less than a tenth of the time of what they launch
	{
		for i in {0..59}; do
			work kernel $((i * 1000)) 400 0 a ',"api_ts":'$((i * 1000 - 100))`
			    `',"api_dur":900,"api_name":"cudaLaunchKernel"'
		done
		work kernel 60000 900000 0 b "$(called 59000)"
	} | stream > in
	[[ $(found in) != *'short-kernels'* ]]
}

@test "FP32 products are said where GPUs have tensor cores, and the kernels say so" {
	gemms() { # NAME CC
		{
			echo '{"kind":"device","pid":1,"name":"G","device":0,"cc":"'"$2"'"}'
			for i in {0..59}; do work kernel $((i * 100)) 99 0 "$1"; done
		} | stream > in
		found in
	}

	[[ $(gemms ampere_sgemm_128x64_tn 8.0) = *'fp32-gemm 99 '*'TF32 or bf16'* ]]
	[[ $(gemms volta_sgemm_128x64_tn 7.0) = *'fp32-gemm'*'FP16 would'* ]]
	[[ $(gemms ampere_sgemm_128x64_tn 6.1) != *'fp32-gemm'* ]]
	[[ $(gemms ampere_s16816gemm_bf16_128x64_tn 8.0) != *'fp32-gemm'* ]]
	[[ $(gemms cutlass_80_tensorop_s1688gemm_128x128 8.0) != *'fp32-gemm'* ]]
}

@test "one kernel; the graph takes the time, not the kernels beside it" {
	{
		work kernel 0 10 0 a "$(called -9000)"
		for i in {1..50}; do work memset $((i * 20)) 1 0 s "$(called -9000)"; done
		work graph 2000 9000 0 "" ',"graph":3,"api_ts":1900,"api_dur":50,'`
		    `'"api_name":"cudaGraphLaunch"'
		work kernel 12000 10 0 b "$(called 9000)"
	} | stream > in
	run -0 found in
	[[ $output = *'one-graph note [CUDA graph 3] takes 9.00 us of 9.02 us of all '`
	    `'that was launched (99.8 %), in 1 launch.'* ]]
	[[ $output != *'one-kernel'* ]]
	# the same without the calls: the kernels are not what takes the most
	run -0 bash -c 'sed "s/,\"api_[^}]*}/}/" in | tq-stats -f json | jq -r ".next[].Finding"'
	[[ $output != *'one-'* ]]
	for i in {0..59}; do work kernel $((i * 100)) 99 0 a; done | stream > in
	[[ $(found in) = *'one-kernel note a takes 5.94 us of 5.94 us of kernel time '`
	    `'(100.0 %): 60 launches of 99 ns to 99 ns.'* ]]
}

# ---- the recording ----

@test "losses come first, in red, and name what may be low" {
	{
		late 60
		echo '{"kind":"lost","ts":6000000,"pid":1,"reason":"full","count":4}'
	} | stream > in
	run -0 found in
	[[ ${lines[0]} = 'lost note 4 events were lost, first at 6.00 ms. Counts, times and '`
	    `'the shares of compute, communication and copies may be too low, those of '`
	    `'idle time too high.' ]]
	[[ $(page in) = *'$ tq-filter -k lost in'* ]]
}

@test "a stream that was cut says so, and exits 1" {
	late 60 | stream | head -n 40 > in
	run -1 --separate-stderr page in
	[[ $output = *'The stream was cut before its end. '* ]]
	[[ $stderr = *'without its end record' ]]
}

@test "below 50 operations there are at most notes" {
	late 49 | stream > in
	run -0 found in
	[[ ${lines[0]} = 'host-late note '* ]]
	late 50 | stream > in
	run -0 found in
	[[ ${lines[0]} = 'host-late 8'* ]]
}

@test "shares are of the active span where a twentieth lies outside of it" {
	{
		echo '{"kind":"mark","ts":0,"pid":1,"tid":1,"name":"a"}'
		work kernel 6 94 0 a
	} | stream > in
	[[ $(page in) = *'100 ns recorded'*'94 ns active'*'The GPU computes 100.0 %'* ]]
	{
		echo '{"kind":"mark","ts":0,"pid":1,"tid":1,"name":"a"}'
		work kernel 5 95 0 a
	} | stream > in
	[[ $(page in) = *'The GPU computes 95.0 % of the time, idles 5.0 %.'* ]]
	[[ $(page in) != *'active'* ]]
}

@test "the time before the first operation, with the calls that were in it" {
	{
		echo '{"kind":"api","ts":0,"dur":5000,"pid":1,"tid":1,"name":"cudaMalloc",'`
		    `'"api":"cuda-runtime"}'
		late 60 | jq -c '.ts += 90000000000 | .api_ts += 90000000000'
	} | stream > in
	[[ $(found in) = *'long-way note '* ]]
	command=$(page in | sed -n 's/^ *\$ \(.*--filter-time.*\)/\1/p')
	[[ $command = 'tq-stats -r cuda_api_sum --filter-time=/'*' in' ]]
	[[ $($command) = *'cudaMalloc'* ]]
}

@test "GPUs of many: the worst and the median are named, of ranks by their rank" {
	{
		for r in {0..8}; do
			echo '{"kind":"process","pid":'"$r"',"name":"a","rank":'"$r"'}'
		done
		for r in {0..8}; do
			work memcpy 0 $((100 - r)) 0 c ',"copy":"HtoD"' | sed "s/\"pid\":1/\"pid\":$r/"
			for i in {1..8}; do
				work kernel $((i * 100)) 99 0 k | sed "s/\"pid\":1/\"pid\":$r/"
			done
		done | jq -sc 'sort_by(.ts)[]'
	} | stream > in
	[[ $(found in) = *'exposed-copy '*' 100 ns on rank 0 GPU 0, the most of 9 GPUs, and '`
	    `'96 ns on rank 4 GPU 0, their median, of 899 ns recorded each.'* ]]
}

@test "commands have the operand as it was typed, quoted; FILE for a pipe" {
	late 60 | stream > "it's a file"
	[[ $(page "it's a file") = *"\$ tq-stats -r gaps,range_self 'it'\\''s a file'"* ]]
	command=$(page "it's a file" | sed -n 's/^ *\$ \(.*gaps.*\)/\1/p')
	[[ $(bash -c "$command") = *'Longest Gaps'* ]]
	[[ $(page - < "it's a file") = *'$ tq-stats -r gaps,range_self FILE'* ]]
	mkdir x && mv "it's a file" ./x/-a
	[[ $(cd x && page ./-a) = *'$ tq-stats -r gaps,range_self ./-a'* ]]
}
