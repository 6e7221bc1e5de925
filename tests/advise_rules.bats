#!/usr/bin/env bats
# The rules of tq-advise: each finds the fault that was planted, and what it
# costs to the nanosecond, and is silent where it is nearly there.
#
# tests/data/rules/RULE has the cases of a rule; its README says how.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# ---- helpers ----

# rules: the rules that come with tq-advise
rules() {
	tq-advise --rules | awk '$1 == "rule" { print $2 }'
}

# findings FILE: "NAME SEVERITY GAIN" of each; "false NAME" of one whose share
# is not that of its gain, or that lacks evidence, the longest first
findings() {
	tq-extract "$1" | tq-correlate | tq-advise -f ndjson |
	    jq -r 'select(.finding) | "\(.finding) \(.severity) \(.gain_ns)",
	        if .gain_ns > 0 and .share_ppm != (.gain_ns * 1000000 / .of_ns | floor)
	            or (.evidence | length) != ([3, .pieces] | min)
	            or .evidence != (.evidence | sort_by(-.dur, .ts))
	        then "false \(.finding)" else empty end'
}

# cases RULE ...: what is wrong with their cases
cases() {
	local rule number what hole gain also name found

	(cd "$top/tests/data/rules" && awk -v dir="$BATS_TEST_TMPDIR" \
	    -f "$top/tests/rules.awk" "$@") > cases
	while read -r rule number what hole gain also name; do
		findings "$rule.$number.tq" > found
		if [[ $what = fault ]]; then
			grep -qE "^$rule [a-z]+ $gain\$" found ||
			    echo "$rule, $name: not found with $gain"
			# no warning but of it, and of what goes with it
			grep -vE " note |^($rule|${also//,/|}) " found |
			    sed "s/^/$rule, $name: /"
		else
			grep "^$rule " found | sed "s/^/$rule, $name: /"
			grep -vE " note |^(${also//,/|}) " found |
			    sed "s/^/$rule, $name: /"
		fi
	done < cases
}

# ---- rules ----

@test "each rule has a fault that it finds, and one that it nearly has" {
	for rule in $(rules); do
		[[ $(grep -c '^fault' "$top/tests/data/rules/$rule") -ge 1 &&
		    $(grep -c '^clean' "$top/tests/data/rules/$rule") -ge 1 ]] ||
		    missing+=" $rule"
	done
	[[ -z ${missing-} ]] || { echo "no cases:$missing"; return 1; }
}

@test "what was planted comes back to the nanosecond, what nearly is stays out" {
	# shellcheck disable=SC2046 # a file each
	wrong=$(cases $(rules))
	[[ -z $wrong ]] || { echo "$wrong"; return 1; }
}

# ---- the machine and the program ----

# products NAME DEVICE [RECORD]: the findings of 60 kernels of a name on a device,
# whose definition goes on like that
products() {
	{
		[[ -z $2 ]] ||
		    printf '{"kind":"device","pid":1,"device":0,%s}\n' "$2"
		[[ -z ${3-} ]] || printf '%s\n' "$3"
		awk -v name="$1" 'BEGIN { for (i = 0; i < 60; i++)
			printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":100000,\"pid\":1,\"name\":\"%s\",\"sym\":1,\"device\":0,\"stream\":7}\n", i * 100000, name
		}'
	} | stream | tq-advise -f ndjson > findings
}

# remedy RULE: what it says to do, or nothing
remedy() {
	jq -r --arg rule "$1" 'select(.finding == $rule).do' findings
}

@test "TF32 and bf16 are for compute capability 8.0 and later, FP16 for 7.x" {
	for device in '"cc":"8.0"' '"cc":"9.0"' '"cc":"12.1"' '"cc":"13.0"' \
	    '"name":"NVIDIA A100-SXM4-80GB"' '"name":"NVIDIA H100 PCIe"' \
	    '"name":"NVIDIA GeForce RTX 4090"' '"name":"NVIDIA L40S"'; do
		products ampere_sgemm_128x64_tn "$device"
		[[ $(remedy fp32-gemm) = 'Allow TF32'*'bf16 or FP16.' ]]
	done
	for device in '"cc":"7.0"' '"cc":"7.5"' '"name":"Tesla V100-SXM2-16GB"' \
	    '"name":"Tesla T4"' '"name":"Quadro RTX 6000"'; do
		products volta_sgemm_128x64_tn "$device"
		[[ $(remedy fp32-gemm) = 'Compute in FP16: the tensor cores of this device multiply neither TF32 nor bf16.' ]]
	done
	for device in '"cc":"6.0"' '"cc":"6.1"' '"name":"Tesla P100-PCIE-16GB"' \
	    '"name":"NVIDIA GeForce GTX 1080 Ti"' '"name":"Tesla K80"' \
	    '"name":"NVIDIA GeForce GTX 1650","cc":"7.5"'; do
		products maxwell_sgemm_128x64_tn "$device"
		[[ -z $(remedy fp32-gemm) ]]
	done
	# unknown: said of each
	for device in '' '"name":"GPU"' '"vendor":"NVIDIA"'; do
		products ampere_sgemm_128x64_tn "$device"
		[[ $(remedy fp32-gemm) = 'From compute capability 8.0 on, allow TF32'*'; on 7.x compute in FP16.' ]]
	done
}

@test "a product of matrices in FP32 is one by its full name" {
	local simt='{"kind":"symbol","id":1,"name":"Kernel2","demangled":"void cutlass::Kernel2<cutlass_80_simt_sgemm_128x64_8x5_nn_align1>()"}'

	products Kernel2 '"cc":"8.0"' "$simt"
	[[ $(remedy fp32-gemm) = 'Allow TF32'* ]]
	products Kernel2 '"cc":"8.0"' "${simt/simt_sgemm/tensorop_s1688gemm}"
	[[ -z $(remedy fp32-gemm) ]]
	products Kernel2 '"cc":"8.0"' "${simt/cutlass_80_simt_sgemm_128x64_8x5_nn_align1/cutlass::gemm::kernel::Gemm<cutlass::gemm::threadblock::MmaPipelined<cutlass::arch::OpClassSimt, float>>}"
	[[ -n $(remedy fp32-gemm) ]]
	for name in nvjet_tst_128x64_64x6_1x2_h_bz_TNN volta_fp16_sgemm_fp16_128x32_nn \
	    sm80_xmma_gemm_f32f32_tf32f32_f32_nn_n_tilesize128x128x16 \
	    turing_fp16_s1688gemm_fp16_128x128_ldg8_f2f_tn ampere_dgemm_64x64_nn; do
		products $name '"cc":"8.0"'
		[[ -z $(remedy fp32-gemm) ]]
	done
	products volta_scudnn_128x64_relu_interior_nn_v1 '"cc":"8.6"'
	[[ -n $(remedy fp32-gemm) ]]
}

# bounded WAIT [AHEAD]: "GAIN BEHIND SEVERITY" of fp32-gemm, of 60 kernels of 100 us.
# Each is launched 7 us after the one before is over, 2 us from its call to its
# start; until then the host is in a range, or for the last WAIT ns of a kernel
# waits.  AHEAD: all are launched at once.
bounded() {
	{
		printf '{"kind":"device","pid":1,"device":0,"cc":"8.0"}\n'
		awk -v wait="$1" -v ahead="${2:+1}" 'BEGIN { for (i = 0; i < 60; i++) {
			t = i * 110000
			call = ahead ? i * 2000 : t + 7000
			printf "{\"kind\":\"api\",\"ts\":%d,\"dur\":1000,\"pid\":1,\"tid\":1,\"corr\":%d,\"name\":\"cudaLaunchKernel\"}\n", call, i
			if (!ahead && !wait)
				printf "{\"kind\":\"range\",\"ts\":%d,\"dur\":106000,\"pid\":1,\"tid\":1,\"name\":\"prepare\",\"id\":%d}\n", t + 9000, i + 1
			printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":100000,\"pid\":1,\"tid\":1,\"corr\":%d,\"name\":\"ampere_sgemm_128x64_tn\",\"device\":0,\"stream\":7,\"api_ts\":%d,\"api_dur\":1000,\"api_name\":\"cudaLaunchKernel\"}\n", t + 10000, i, call
			if (wait) {
				printf "{\"kind\":\"api\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"tid\":1,\"name\":\"cudaStreamSynchronize\"}\n", t + 110000 - wait, wait
				printf "{\"kind\":\"range\",\"ts\":%d,\"dur\":5000,\"pid\":1,\"tid\":1,\"name\":\"prepare\",\"id\":%d}\n", t + 110000, i + 1
			}
		} }'
	} | stream | tq-extract > bounded.tq 2> /dev/null
	tq-advise -f ndjson bounded.tq | jq -r 'select(.finding == "fp32-gemm") |
	    "\(.gain_ns) \(.behind_host_ns // 0) \(.severity)"'
}

@test "where the host is the bound, a device gains no more than the host waits for it" {
	# half of 6 ms, as all of it is waited for, or launched ahead
	[[ $(bounded 100000) = '3000000 0 note' ]]
	[[ $(bounded 0 ahead) = '3000000 0 note' ]]
	# what is waited for 59 times, the 2 us of the last launch and its kernel
	[[ $(bounded 20000) = '1232000 1768000 note' ]]
	tq-advise bounded.tq | grep -F 'fp32-gemm: at most 18.7 % (1.23 ms), 50.0 % of 6.00 ms, and 1.77 ms more that would only be idle time behind the host, likely'
	# nothing: the rule has no gain, but a note
	[[ $(bounded 0) = '52000 2948000 note' ]]
	tq-advise bounded.tq > text
	! grep 'fp32-gemm:' text || return 1
	grep -E 'fp32-gemm 0.8 %' text
	# a page says the same
	tq-stats bounded.tq | tr -s ' \n' ' ' |
	    grep -F 'At most 52.0 us, 50.0 % of their time, and 2.95 ms more that would only be idle time behind the host (likely).'
}

@test "AMD's matrix cores multiply bf16 and FP16, of the devices that have some" {
	for device in '"cc":"gfx942","vendor":"AMD"' '"name":"AMD Instinct MI250X"'; do
		products Cijk_Ailk_Bljk_SB_MT64x64x8_SN "$device"
		[[ $(remedy fp32-gemm) = 'Compute in bf16 or FP16.' ]]
	done
	for name in Cijk_Ailk_Bljk_HHS_BH_MT128x128x32 Cijk_Alik_Bljk_S_MX_B_MT64x64 \
	    Cijk_Ailk_Bljk_DB_MT64x64x8; do
		products $name '"cc":"gfx942","vendor":"AMD"'
		[[ -z $(remedy fp32-gemm) ]]
	done
	products Cijk_Ailk_Bljk_SB_MT64x64x8_SN '"cc":"gfx906","vendor":"AMD"'
	[[ -z $(remedy fp32-gemm) ]]
	products Cijk_Ailk_Bljk_S_B_MT64x64x8_SN '"vendor":"AMD"'
	[[ $(remedy fp32-gemm) = 'Compute in bf16 or FP16, if the device has matrix cores.' ]]
}

@test "one kernel is one, where another has 30 % of the work, too" {
	{
		echo '{"kind":"device","pid":1,"device":0,"cc":"9.0"}'
		for i in {0..59}; do
			echo '{"kind":"kernel","ts":'$((i * 1000))',"dur":600,"pid":1,"name":"k","device":0,"stream":7}'
			echo '{"kind":"kernel","ts":'$((i * 1000 + 600))',"dur":400,"pid":1,"name":"k_swiglu","device":0,"stream":7}'
		done
	} | stream | tq-advise -f ndjson |
	    jq -es 'map(select(.finding == "one-kernel"))[0] | .count == 60 and
	        .share_ppm == 600000 and (.title | endswith("more: k"))'
}

# kernels DEVICE NAME DUR: 60 of them, one each ms
kernels() {
	awk -v device="$1" -v name="$2" -v dur="$3" 'BEGIN { for (i = 0; i < 60; i++)
		printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"name\":\"%s\",\"device\":%d,\"stream\":7}\n", i * 1000000, dur, name, device
	}'
}

@test "one kernel is named with the time of the devices that have most of it" {
	{ kernels 0 alpha 900000; kernels 1 beta 850000; } |
	    jq -sc 'sort_by(.ts)[]' | stream > two.tq
	tq-advise -f ndjson two.tq | jq -es 'map(select(.finding == "one-kernel"))[0] |
	    (.title | endswith("more: alpha")) and .count == 60 and
	    (.evidence | map(.what) | unique) == ["alpha"]'
	tq-advise -v two.tq | grep -E 'one-kernel: 9[0-9.]+ %, sure'
	tq-stats two.tq | tr -s ' \n' ' ' |
	    grep -F 'more: alpha. 54.0 ms on GPU 0. Look at it'
	# both devices, if it is the first on both
	{ kernels 0 alpha 900000; kernels 1 alpha 850000; } |
	    jq -sc 'sort_by(.ts)[]' | stream > two.tq
	tq-stats two.tq | tr -s ' \n' ' ' |
	    grep -F 'more: alpha. 54.0 ms on GPU 0 and 51.0 ms on GPU 1. Look at it'
}

@test "kernels without a duration are of no device" {
	{
		kernels 0 alpha 900000
		for i in 1 2 3; do kernels $i beta 0 | head -n 4; done
	} | jq -sc 'sort_by(.ts)[]' | stream | tq-advise -f ndjson |
	    jq -es 'map(select(.finding == "one-kernel"))[0].title | endswith("more: alpha")'
}

@test "of kernels with several names the one that has most time is named, not the longest" {
	{
		kernels 0 ampere_sgemm_128x128_tn 900000
		echo '{"kind":"kernel","ts":60000000,"dur":5000000,"pid":1,"name":"ampere_sgemm_64x64_nn","device":0,"stream":7}'
	} | stream | tq-advise -f ndjson |
	    jq -es 'map(select(.finding == "fp32-gemm"))[0] |
	        (.title | endswith("most in ampere_sgemm_128x128_tn")) and .count == 61'
}

@test "copies to the host count as far as the host waits for them" {
	{
		# in a call that lasts as long, in one behind it, and in none
		awk 'BEGIN { for (i = 0; i < 60; i++) {
			t = i * 1000000
			printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":100000,\"pid\":1,\"name\":\"k\",\"device\":0,\"stream\":7,\"api_ts\":%d,\"api_dur\":2000,\"api_name\":\"cudaLaunchKernel\",\"tid\":1}\n", t + 3000, t
			name = "cudaMemcpy" (i % 3 == 0 ? "" : "Async")
			printf "{\"kind\":\"memcpy\",\"ts\":%d,\"dur\":1000,\"pid\":1,\"device\":0,\"stream\":7,\"bytes\":8,\"copy\":\"DtoH\",\"src\":\"Device\",\"dst\":\"Pinned\",\"api_ts\":%d,\"api_dur\":%d,\"api_name\":\"%s\",\"tid\":1}\n", t + 104000, t + 3000, i % 3 == 0 ? 103000 : 2000, name
			if (i % 3 == 1)
				printf "{\"kind\":\"api\",\"ts\":%d,\"dur\":100000,\"pid\":1,\"tid\":1,\"name\":\"cudaStreamSynchronize\"}\n", t + 6000
		} }'
	} | jq -sc 'sort_by(.ts)[]' | stream > copies.tq
	tq-advise -f ndjson copies.tq | jq -es 'map(select(.finding == "readback"))[0] |
	    .count == 40 and (.title | startswith("40 copies to the host "))'
	printf 'rule a\nwhen kind == "memcpy"\nclaim none\nonly some\ntitle a\n' > rules
	run -2 --separate-stderr tq-advise -R rules copies.tq
	[[ $stderr = *'rules:4: expected waited, not '*some* ]]
}

@test "fills are no copies, and load nothing" {
	{
		awk 'BEGIN { for (i = 0; i < 60; i++)
			printf "{\"kind\":\"memset\",\"ts\":%d,\"dur\":900000,\"pid\":1,\"device\":0,\"stream\":7,\"bytes\":1000000}\n", i * 1000000
		}'
		kernels 0 k 900000 | jq -c '.ts += 60000000'
	} | stream > fills.tq
	tq-advise -v fills.tq > text
	grep 'exposed-fill: at most 4[0-9.]* %' text
	! grep -i 'copies\|loads\|keep data' text || return 1
	tq-stats fills.tq | tr -s ' \n' ' ' > page
	grep -F 'Fills run with nothing beside them. At most 54.0 ms. Leave out fills of buffers ' page
	! grep -F 'loading' page || return 1
}

@test "a thread that asks the device says how often in a row, at most" {
	{
		awk 'BEGIN { for (i = 0; i < 60; i++) {
			t = i * 1000000
			printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":900000,\"pid\":1,\"name\":\"k\",\"device\":0,\"stream\":7}\n", t
			for (n = 0; n < (i == 7 ? 21 : 20); n++)
				printf "{\"kind\":\"api\",\"ts\":%d,\"dur\":9000,\"pid\":1,\"tid\":1,\"name\":\"cudaEventQuery\"}\n", t + 1000 + n * 10000
		} }'
	} | stream | tq-advise -f ndjson |
	    jq -es 'map(select(.finding == "core-spin"))[0] | .count == 661 and
	        (.title | endswith(" whether the device is done, 21 times in a row at most"))'
}

# uneven: ten steps of 10 ms, in each of which GPU 0 computes 4 ms and GPU 1 6 ms
uneven() {
	jq -nc '
	    {kind: "device", pid: 1, device: (0, 1), name: "NVIDIA A100", cc: "8.0"},
	    (range(10) as $s | ($s * 10000000) as $t |
		{kind: "range", ts: $t, dur: 9900000, pid: 1, tid: 1, name: "step \($s)"},
		(range(2) as $d | range(10) as $k | ($t + $k * 990000 + 1000) as $c |
		    {kind: "kernel", ts: ($c + 5000 + $d), pid: 1, tid: 1, name: "k",
			dur: (400000 + $d * 200000), device: $d, stream: 7,
			api_ts: $c, api_dur: 4000, api_name: "cudaLaunchKernel"}))' |
	    jq -sc 'sort_by(.ts // -1)[]' | stream
}

@test "what a device costs is its own, and what a process costs is of no device" {
	uneven > uneven.tq
	tq-advise -f ndjson uneven.tq | jq -es 'map(select(.finding == "imbalance"))[0] |
	    .count == 9 and .gain_ns == 18000000 and .devices == 1'
	tq-stats uneven.tq | tr -s ' \n' ' ' |
	    grep -F 'computes longer than the others. At most 18.0 ms on GPU 1 (likely).'
	# of two devices neither has the time of a step
	jq -c 'if .ts != null and .ts >= 60000000 then .ts += 10000000 |
	        if .api_ts then .api_ts += 10000000 else . end
	    elif .name == "step 5" then .dur += 10000000 else . end' uneven.tq > slow.tq
	tq-advise -f ndjson slow.tq | jq -es 'map(select(.finding == "slow-steps"))[0].count == 1'
	tq-stats slow.tq | tr -s ' \n' ' ' > page
	grep -E 'times the median, or more. At most [0-9.]+ ms. Look at' page
}

@test "steps become slower by a share that is rounded" {
	local more

	for more in 99500=10 159900=16 94000=9; do
		jq -nc --argjson more "${more%=*}" '
		    {kind: "device", pid: 1, device: 0, name: "NVIDIA A100", cc: "8.0"},
		    (range(20) as $s | ($s * 10000000) as $t |
			{kind: "range", ts: $t, dur: 9900000, pid: 1, tid: 1, name: "step \($s)"},
			(range(5) as $k | ($t + $k * 1900000 + 1000) as $c |
			    {kind: "kernel", ts: ($c + 5000), pid: 1, tid: 1, name: "k",
				dur: (1000000 + (if $s >= 10 then $more else 0 end)),
				device: 0, stream: 7, grid: [9, 1, 1],
				api_ts: $c, api_dur: 4000, api_name: "cudaLaunchKernel"}))' |
		    stream | tq-advise -f ndjson |
		    jq -r 'select(.finding == "drift").title' > title
		[[ $(< title) = "Steps become slower, by ${more#*=} % from step 10 on" ]]
	done
}

@test "launch-bound says no more than half of the kernels, which is what it asks for" {
	awk 'BEGIN { for (i = 0; i < 120; i++) {
		t = i * 60000
		printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"tid\":1,\"name\":\"k%d\",\"device\":0,\"stream\":7,\"api_ts\":%d,\"api_dur\":8000,\"api_name\":\"cudaLaunchKernel\"}\n", t + 9000, i % 2 ? 2000 : 20000, i, t
	} }' | stream | tq-advise -f ndjson |
	    jq -es 'map(select(.finding == "launch-bound"))[0].title ==
	        "Half of the kernels or more are shorter than their launches"'
}

@test "one record has the words of one" {
	{
		echo '{"kind":"memcpy","ts":0,"dur":20000000,"pid":1,"device":0,"stream":7,"bytes":200000000,"copy":"HtoD"}'
		kernels 0 k 500000 | jq -c '.ts += 20000000'
	} | stream > one.tq
	tq-advise one.tq | grep -F ' 1 copy before the first kernels loads data'
	tq-stats one.tq | tr -s ' \n' ' ' > page
	grep -F ' 1 copy before the first kernels loads data. At most ' page
	tq-advise --explain=slow-steps | grep -F '{count} steps take 1.5 times'
	uneven | jq -c 'if .name == "step 5" then .dur += 10000000
	    elif .ts != null and .ts >= 60000000 then .ts += 10000000 |
	        if .api_ts then .api_ts += 10000000 else . end
	    else . end' > slow.tq
	tq-advise -v slow.tq > text
	grep '1 step takes 1.5 times the median, or more' text
	grep 'Something happens in it that does not in the others' text
	{
		echo '{"kind":"kernel","ts":0,"dur":9000,"pid":1,"tid":1,"name":"k","device":0,"stream":7,"api_ts":100,"api_dur":4000,"api_name":"cudaLaunchKernel"}'
	} | stream > early.tq
	tq-stats early.tq > page
	! grep -E '(^|[^0-9.,])1 (operations|kernels|steps|copies)' page || return 1
}

@test "of notes, what could be gained comes before what has no gain" {
	{
		echo '{"kind":"device","pid":1,"device":0,"sms":100,"cc":"9.0"}'
		for i in {0..9}; do
			echo '{"kind":"kernel","ts":'$((i * 1000))',"dur":1000,"pid":1,"name":"k","device":0,"stream":7,"grid":[10,1,1],"block":[16,1,1]}'
		done
	} | stream | tq-advise -f ndjson |
	    jq -r 'select(.evidence) | "\(.finding) \(.severity) \(.share_ppm)" +
	        " \(.evidence | map(.dur))"' > found
	# and evidence has the whole time of a kernel, of which others claim a part
	diff <(head -n 3 found) - <<- 'END'
	few-blocks note 900000 [900,900,900]
	block-size note 1000000 [1000,1000,1000]
	one-kernel note 1000000 [1000,1000,1000]
	END
}

@test "PyTorch is named to a program that may be Python, whatever else runs on the machine" {
	local other='{"kind":"process","pid":9,"name":"/usr/bin/python3"}'

	for name in python3 pt_main_thread; do
		products ampere_sgemm_128x64_tn '"cc":"8.0"' \
		    '{"kind":"process","pid":1,"name":"'$name'"}'
		[[ $(remedy fp32-gemm) = *torch* ]]
	done
	products ampere_sgemm_128x64_tn '"cc":"8.0"' "$other"
	[[ $(remedy fp32-gemm) = *torch* ]] # a process without a name
	products ampere_sgemm_128x64_tn '"cc":"8.0"' "$other"$'\n'`
	    `'{"kind":"process","pid":1,"name":"./saxpy"}'
	[[ $(remedy fp32-gemm) = 'Allow TF32, '* ]]
}

@test "a finding has the words of the vendor" {
	local tool

	for tool in '"cc":"9.0"=ncu' '"vendor":"AMD","cc":"gfx90a"=rocprof-compute' \
	    '"name":"Intel(R) Data Center GPU Max 1550"=vtune -collect gpu-hotspots' \
	    '"name":"Ascend 910B"=msprof op' '"name":"GPU"=ncu'; do
		products k "${tool%=*}"
		[[ $(remedy one-kernel) = "Look at it with ${tool#*=}, or "* ]]
	done
	for tool in '"cc":"9.0"=NVTX' '"vendor":"AMD","cc":"gfx90a"=ROCTX' \
	    '"name":"Intel(R) Data Center GPU Max 1550"=ITT' '"name":"Ascend 910B"=mstx'; do
		products k "${tool%=*}"
		[[ $(remedy no-annotations) = "Annotate steps and phases with ${tool#*=}." ]]
	done
	# of its blocks and of what runs them
	{
		echo '{"kind":"device","pid":1,"device":0,"vendor":"AMD","cc":"gfx90a"}'
		for i in {0..59}; do
			echo '{"kind":"kernel","ts":'$((i * 100000))',"dur":100000,"pid":1,"name":"k","device":0,"stream":7,"grid":[9,1,1],"block":[16,1,1]}'
		done
	} | stream | tq-advise -f ndjson |
	    jq -r 'select(.finding == "block-size") | .title, .why, .do' > words
	grep 'wavefronts of 32 or 64 threads' words
	! grep -i 'warp\|multiprocessor\|block' words || return 1
	# by the first API that is called
	products k '' '{"kind":"api","ts":0,"dur":1,"pid":1,"tid":1,"name":"hipInit"}'
	[[ $(remedy one-kernel) = *rocprof-compute* ]]
	# a kernel that communicates is none that ncu could look at
	products ncclDevKernel_AllReduce_Sum_f32_RING_LL '"cc":"9.0"'
	[[ -z $(remedy one-kernel) ]]
}

@test "no rule has a word of NVIDIA that other vendors have another one for" {
	tq-advise --rules | grep -E '^(title|why|do|not) ' |
	    sed ':a; s/{\(PyTorch\|JAX\): \([^{}]*\)}/\2/; ta; s/{[^{}]*}//; ta' > words
	(($(wc -l < words) > 150))
	! grep -Ew '[cC]uda[A-Za-z_.]*|CUDA.*|nsys|ncu|nvcc|NVTX|warps?|multiprocessors?|torch[.]cuda.*|tensor cores' words ||
	    return 1
	# an NPU of Ascend compiles no operators while the work goes on
	data cases/ascend-torch-npu.json
	tq advise -f ndjson "$data" 2> /dev/null |
	    jq -r 'select(.finding == "module-loading").do' > do
	grep -F 'ship code for this NPU (atc, torch.npu.set_compile_mode(jit_compile=False))' do
}

# loads NAME [CALL]: the first finding of 20 kernels, before each of which the host
# is 200 us in a range of that name, and there in a call
loads() {
	awk -v name="$1" -v call="${2-}" 'BEGIN { for (i = 0; i < 60; i++) {
		t = i * 300000
		printf "{\"kind\":\"range\",\"ts\":%d,\"dur\":200000,\"pid\":1,\"tid\":1,\"name\":\"%s\",\"id\":%d}\n", t, name, i + 1
		if (call != "")
			printf "{\"kind\":\"api\",\"ts\":%d,\"dur\":2000,\"pid\":1,\"tid\":1,\"name\":\"%s\"}\n", t + 1000, call
		printf "{\"kind\":\"api\",\"ts\":%d,\"dur\":2000,\"pid\":1,\"tid\":1,\"corr\":%d,\"name\":\"cudaLaunchKernel\"}\n", t + 200500, i
		printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":90000,\"pid\":1,\"tid\":1,\"corr\":%d,\"name\":\"k%d\",\"device\":0,\"stream\":7,\"api_ts\":%d,\"api_dur\":2000,\"api_name\":\"cudaLaunchKernel\"}\n", t + 205000, i, i, t + 200500
	} }' | stream | tq-advise -f ndjson |
	    jq -rs 'map(select(.finding and .gain_ns > 0))[0].finding'
}

@test "loading data is a whole word of a range that launches no kernels" {
	for name in next_batch DataLoader 'enumerate(DataLoader)#_Iter.__next__' \
	    train_dataloader_next Trainer.get_batch load_data collate_fn data \
	    prefetch_batch 'data loading' IteratorGetNext; do
		[[ $(loads "$name") = data-loading ]] || { echo "$name"; false; }
	done
	for name in DistributedDataParallel.forward load_balancing_loss \
	    update_metadata payload offload get_data_parallel_rank forward; do
		[[ $(loads "$name") = host-late ]] || { echo "$name"; false; }
	done
	[[ $(loads next_batch cudaLaunchKernel) = host-late ]]
	[[ $(loads next_batch hipGraphLaunch) = host-late ]]
	[[ $(loads next_batch cudaMemcpyAsync) = data-loading ]]
}

# copies NAME MEMORY: the rules that find 20 copies of 1 MiB to the device, each of
# which its call lasts as long as
copies() {
	awk -v name="$1" -v memory="$2" 'BEGIN { for (i = 0; i < 60; i++) {
		t = i * 300000
		printf "{\"kind\":\"api\",\"ts\":%d,\"dur\":110000,\"pid\":1,\"tid\":1,\"corr\":%d,\"name\":\"%s\"}\n", t, i, name
		printf "{\"kind\":\"memcpy\",\"ts\":%d,\"dur\":100000,\"pid\":1,\"tid\":1,\"corr\":%d,\"device\":0,\"stream\":7,\"bytes\":1048576,\"copy\":\"HtoD\",\"src\":\"%s\",\"dst\":\"Device\",\"api_ts\":%d,\"api_dur\":110000,\"api_name\":\"%s\"}\n", t + 5000, i, memory, t, name
		printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":190000,\"pid\":1,\"name\":\"k%d\",\"device\":0,\"stream\":7}\n", t + 110000, i
	} }' | stream | tq-advise -f ndjson > findings
	jq -rs 'map(select(.finding and .gain_ns > 0).finding) | join(" ")' findings
}

@test "copies block, and pageable ones do so unseen, whatever the API is called" {
	for name in cudaMemcpy hipMemcpy hipMemcpyWithStream cuMemcpyHtoD_v2 \
	    aclrtMemcpy; do
		[[ $(copies $name Pinned) = blocking-copy ]] || { echo $name; false; }
	done
	for name in cudaMemcpyAsync hipMemcpyAsync urEnqueueUSMMemcpy \
	    aclrtMemcpyAsync; do
		[[ $(copies $name Pageable) = pageable-copy ]] || { echo $name; false; }
		[[ $(copies $name Pinned) = exposed-copy ]] || { echo $name; false; }
	done
}

# numbered PATTERN: how many ranges a rule counts whose names match
numbered() {
	cat > user.rules <<- END
	rule  numbered
	class host
	when  kind == "range" and name ~ /$1/
	claim none
	least 0%
	count 1
	title {count} of them
	END
	{
		for name in 'phase 10' 'phase 11' 'phase 11' 'caf\u00e8' 'caf\u00e9' \
		    'op 7, seq = 12' 'op 7, seq = 21'; do
			t=$((${t:-0} + 1000))
			printf '{"kind":"range","ts":%d,"dur":500,"pid":1,"tid":1,"name":"%s"}\n' \
			    $t "$name"
		done
		echo '{"kind":"kernel","ts":9000,"dur":50,"pid":1,"name":"k","device":0,"stream":7}'
	} | stream | tq-advise -R none -R user.rules -f ndjson |
	    jq -rs 'map(select(.finding == "numbered").count) | add // 0'
}

@test "names that differ in digits are told apart, where a rule has some, and are alike elsewhere" {
	[[ $(numbered 'phase 1[1]') = 2 ]]
	[[ $(numbered 'phase \d+') = 3 ]]
	[[ $(numbered 'phase [0-9]+$') = 3 ]]
	[[ $(numbered 'phase [0-1]+$') = 3 ]]
	[[ $(numbered 'seq = \x32') = 1 ]]
	[[ $(numbered '^caf.$') = 2 ]]
	[[ $(numbered 'café') = 1 ]]
	[[ $(numbered '[^0-9]7,') = 2 ]]
	[[ $(numbered 'seq') = 2 ]]
}

@test "kernels of one name are told apart by their category, and gaps by their cause" {
	awk 'BEGIN { for (i = 0; i < 6; i++) {
		printf "{\"kind\":\"api\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"tid\":1,\"corr\":%d,\"name\":\"cudaLaunchKernel\"}\n", i * 1000 + (i % 2 ? 0 : 300), i % 2 ? 500 : 200, i
		printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":300,\"pid\":1,\"tid\":1,\"corr\":%d,\"name\":\"k\"%s,\"device\":0,\"stream\":7}\n", i * 1000 + 500, i, i % 3 ? "" : ",\"category\":\"communication\""
	} }' | stream > same.tq
	printf '%s\n' 'rule talks' 'when kind == "kernel" and category == "communication"' \
	    'claim exposed' 'least 0%' 'title t' '' \
	    'rule works' 'when kind == "kernel" and not (category == "communication")' \
	    'claim exposed' 'least 0%' 'title t' '' \
	    'rule late' 'when kind == "gap" and cause == "host"' 'claim gaps' \
	    'least 0%' 'title t' '' \
	    'rule slow' 'when kind == "gap" and cause == "launch"' \
	    'claim gaps' 'least 0%' 'title t' > same.rules
	tq-correlate same.tq | tq-advise -R none -R same.rules -f ndjson |
	    jq -r 'select(.finding) | "\(.finding) \(.count) \(.claimed_ns)"' |
	    sort > out
	cat out
	[[ $(cut -d ' ' -f 1,2 out) = "late 5
slow 5
talks 2
works 4" ]]
}

@test "a rule reads names of kernels that only definitions have, those of each section" {
	local section='{ print }
	    /"kind":"trace"/ && !n++ {
		printf "{\"kind\":\"symbol\",\"name\":\"k\",\"id\":1,\"demangled\":\"void k<int>()\",\"mangled\":\"_Z1k\"}\n"
		for (i = 0; i < 60; i++)
			printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":900,\"pid\":1,\"corr\":%d,\"name\":\"k\",\"sym\":%d,\"device\":0,\"stream\":7}\n", i * 1000, i, 1 + i % 2
	    }'

	stream < /dev/null | awk "$section" > first.tq
	sed 's/void k<int>()/other/; s/_Z1k/other/' first.tq > second.tq
	printf '%s\n' 'rule full' 'when kind == "kernel" and demangled ~ /<int>/' \
	    'claim exposed' 'least 0%' 'title t' '' \
	    'rule long' 'when kind == "kernel" and mangled == "_Z1k"' \
	    'claim none' 'least 0%' 'also count(kind == "kernel" and demangled == "other") >= 30' \
	    'title t' > full.rules
	cat first.tq second.tq | tq-advise -R none -R full.rules -f ndjson |
	    jq -r 'select(.finding) | "\(.finding) \(.count)"' > out
	cat out
	[[ $(cat out) = "full 30
long 30" ]]
	tq-advise -R none -R full.rules -f ndjson first.tq |
	    jq -r 'select(.finding) | "\(.finding) \(.count)"' > out
	[[ $(cat out) = "full 30" ]]
}

@test "a rule compares the keys that tq-advise adds with numbers, at both ends of a range" {
	awk 'BEGIN { for (i = 0; i < 60; i++) {
		printf "{\"kind\":\"api\",\"ts\":%d,\"dur\":50,\"pid\":1,\"tid\":1,\"corr\":%d,\"name\":\"cudaLaunchKernel\"}\n", i * 1000, i
		printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":800,\"pid\":1,\"tid\":1,\"corr\":%d,\"name\":\"k\",\"device\":0,\"stream\":7,\"block\":[%d,1,1]}\n", i * 1000 + 100, i, 32 * (1 + i % 3)
	} }' | stream | tq-correlate > blocks.tq
	within() {
		printf '%s\n' 'rule r' "when kind == \"kernel\" and $1" \
		    'claim exposed' 'least 0%' 'title t' > r.rules
		tq-advise -R none -R r.rules -f ndjson blocks.tq |
		    jq -r 'select(.finding) | .count'
	}
	[[ $(within '.threads < 64') = 20 ]]
	[[ $(within '.threads <= 64') = 40 ]]
	[[ $(within '.threads > 32 and .threads < 96') = 20 ]]
	[[ $(within '.threads >= 32 and .threads <= 96 and .threads != 64') = 40 ]]
	[[ $(within '64 == .threads') = 20 ]]
	[[ $(within 'not (.threads == 64)') = 40 ]]
	[[ $(within '.threads > 63.5') = 40 ]]
	[[ $(within '.threads == "64"') = "" ]]
	[[ $(within '.threads > 9223372036854775807') = "" ]]
}

# ---- what work is made of ----

@test "what work is made of ranks by the gain that its rule estimates" {
	# 60 kernels of 100 us, 10 us apart
	awk 'BEGIN { for (i = 0; i < 60; i++)
		printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":100000,\"pid\":1,\"tid\":1,\"corr\":%d,\"name\":\"%s\",\"device\":0,\"stream\":7}\n", i * 110000, i, i % 3 ? "mul" : "add"
	}' | stream > work.tq
	printf '%s\n' 'rule mul' 'when kind == "kernel" and name == "mul"' \
	    'claim none' 'gain 50%' 'most note' 'title t' '' \
	    'rule add' 'when kind == "kernel"' 'claim none' 'gain 10%' \
	    'least 0%' 'title t' '' \
	    'rule idle' 'when kind == "gap"' 'claim gaps' 'title t' > gain.rules
	tq-advise -R none -R gain.rules -f ndjson work.tq |
	    jq -r 'select(.finding) | [.finding, .severity, .gain_ns,
	        .matched_ns] | map(tostring) | join(" ")' > out
	# a time is claimed once: of all kernels the second rule has a third
	[[ $(cat out) = "mul note 2000000 4000000
idle note 590000 null
add note 200000 2000000" ]]
	# it is shown where its gain is that of a warning
	tq-advise -R none -R gain.rules work.tq |
	    grep -F 'mul: at most 30.3 % (2.00 ms), 50.0 % of 4.00 ms, sure'
}

@test "a rule with a gain claims nothing else" {
	printf '%s\n' 'rule r' 'when kind == "kernel"' 'claim exposed' \
	    'gain 50%' 'title t' > bad.rules
	run -2 --separate-stderr tq-advise -R bad.rules --rules
	[[ $stderr = "tq-advise: bad.rules:5: gain needs claim none, and no cost: 'r'" ]]
	printf '%s\n' 'rule r' 'when kind == "kernel"' 'claim none' \
	    'gain 101%' 'title t' > bad.rules
	run -2 --separate-stderr tq-advise -R bad.rules --rules
	[[ $stderr = "tq-advise: bad.rules:5: a gain is 100% at most: 'r'" ]]
}

@test "the command of copies that block shows as many as the finding counts" {
	data nsys/2024.5.1-cloverleaf.sqlite
	tq-extract -q "$data" | tq-correlate > in
	tq-advise -v -f ndjson in |
	    jq -c 'select(.finding == "blocking-copy")' > found
	[[ $(jq -r .title found) = '244 copies block the host' ]]
	eval "$(jq -r .look found | sed 's/ | tq-stats.*//')" > copies
	[[ $(grep -c '"kind":"memcpy"' copies) = 244 ]]
}
