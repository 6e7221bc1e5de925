#!/usr/bin/env bats
# Idle time of a device belongs to what the thread that launches did then: the
# claims of the rules of tq-advise, on small streams, planted faults of known
# cost, and cases of real recordings.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# ---- helpers ----

# gains FILE ...: "NAME GAIN" of each finding of a stream, without those of no
# time
gains() {
	tq-advise -f ndjson "$@" |
	    jq -r 'select(.finding and .gain_ns > 0) | "\(.finding) \(.gain_ns)"'
}

# gain NAME FILE: what a finding may gain, in ns; 0 if there is none
gain() {
	local got

	got=$(gains "$2" | awk -v name="$1" '$1 == name { print $2 }')
	echo "${got:-0}"
}

# case_of FILE: the recording of shared/data/cases as correlated stream; the test
# is skipped where it is absent
case_of() {
	local in=$DATA/cases/$1

	[[ -e $in ]] || skip "no case $1"
	case $1 in
	*.sql)
		sqlite3 -batch -bail case.sqlite < "$in"
		tq-extract case.sqlite ;;
	*.json) tq-extract "$in" ;;
	*) cat "$in" ;;
	esac | tq-correlate > case.tq
}

# ---- claims ----

@test "each nanosecond of a gap is claimed once, by what the thread did in it, and has one finer cause in all reports" {
	need python3
	run -0 python3 "$top/tests/properties/idle.py" {1..150}
}

# ---- planted faults ----

@test "the cost of a planted fault comes back as a claim of the rule about it" {
	local plants=$DATA/../tools/plants

	need python3
	[[ -e $plants/run.py ]] || skip "no planted faults"
	# shellcheck disable=SC2046 # a name each
	run -0 python3 "$plants/run.py" -d . \
	    clean_item clean_nosync clean_small clean_nosteps sync_mid sync_all \
	    item_loop pageable pageable_ckpt blocking_copy tiny_kernels \
	    tiny_varied few_blocks low_occ gc_named gc_unnamed loader_range \
	    loader_osrt loader_unnamed serial throttle throttle_nocounter leak \
	    malloc_loop mallocasync_pool pingpong jit_in_steps lazy_first uvm \
	    graph_relaunch graph_instantiate logging_ lock_ event_sync \
	    stream_churn spills slow4 cpu_contention profiler_oh tiny_copies \
	    slow_copy_numa unoverlapped_h2d python_gil redundant_h2d \
	    ddp_range_trap offload_trap nanosleep_srv worker_fork mmap_weights \
	    tail2 loader_bound loader_bound_async ddp_trap_async \
	    optimizer_step_trap first_step_compile compile_mid eval_mid \
	    h2d_same_stream_overlappable half_idle_unknown dist_clean_overlap \
	    dist_exposed dist_same_stream dist_straggler10 \
	    dist_straggler10_overlap
	[[ ${lines[-1]} = '64 right, 0 wrong' ]]
}

# ---- cases ----

@test "a loader of 10 ms is data loading in four steps and in five" {
	for name in min4 min5; do
		case_of "streams/$name.tq"
		run -0 gains case.tq
		[[ ${lines[0]} =~ ^data-loading\ [34]0000[0-9]{3}$ ]]
	done
}

@test "calls that allocate claim no launch that follows them" {
	# 60 times a cudaMalloc of 6 us and a launch of 1 ms
	case_of alloc-claims-launch.json
	(($(gain allocation case.tq) <= 360000))
	case_of pt-gpu.trimmed.json
	(($(gain allocation case.tq) <= 2500000))
}

@test "the first launch of a kernel, if it takes long, is the time that loads it" {
	case_of pt-gpu.trimmed.json
	[[ $(gain module-loading case.tq) = 1337124303 ]]
	case_of first-use-lazy-loading.json
	run -0 gains case.tq
	[[ ${lines[*]} =~ ^module-loading\ 195[0-9]{6}$ ]]
	# a graph would gain a tenth of that
	case_of sw-4b.trimmed.json
	run -0 gains case.tq
	[[ ${lines[0]} =~ ^module-loading\ 18[0-9]{7}$ ]]
	(($(gain graph-candidate case.tq) < 30000000))
	(($(gain launch-bound case.tq) == 0))
}

@test "what the host does behind a launch is no place of idle time" {
	{
		for i in {0..59}; do
			api=$((i * 100000)) corr=$((i + 1))
			echo '{"kind":"api","ts":'$api',"dur":5000,"pid":1,"tid":1,"corr":'$corr',"name":"cudaLaunchKernel"}'
			echo '{"kind":"api","ts":'$((api + 6000))',"dur":90000,"pid":1,"tid":1,"corr":'$((corr + 100))',"name":"cudaDeviceSynchronize"}'
			echo '{"kind":"kernel","ts":'$((api + 60000))',"dur":30000,"pid":1,"corr":'$corr',"name":"k","device":0,"stream":7}'
		done
	} | stream | tq-correlate > in
	# 55 us in a queue, of which the host is in cudaDeviceSynchronize for 54
	tq-advise -f ndjson in |
	    jq -es 'map(select(.finding == "queue-stall"))[0] | .gain_ns > 0 and
	        (has("names") or has("where") | not) and
	        (.evidence | all(.what | contains(", in ") | not))'
}

@test "where the host waits after each kernel, the waits come first" {
	case_of sync-each.sql
	run -0 gains case.tq
	# 1.5 ms of kernels could hide so much of the host, and 0.8 ms pass in
	# the waits until they return
	[[ ${lines[0]} = 'sync-each 22'* ]]
}

# waiting HOST: 20 steps of a kernel of 100 us, a wait for it, and HOST us of
# the host, in a range "work" if there is a second operand
waiting() {
	awk -v host="$1" -v range="$2" 'function put(s) { printf "%s,\"pid\":1,\"tid\":1}\n", s }
	BEGIN { t = 0; for (i = 0; i < 20; i++) {
		put(sprintf("{\"kind\":\"range\",\"ts\":%d,\"dur\":%d,\"id\":%d,\"name\":\"step %d\",\"mode\":\"push\"", t, 110000 + host * 1000, i * 2 + 1, i))
		put(sprintf("{\"kind\":\"api\",\"ts\":%d,\"dur\":4000,\"corr\":%d,\"name\":\"cudaLaunchKernel\"", t + 1000, i * 2))
		put(sprintf("{\"kind\":\"kernel\",\"ts\":%d,\"dur\":100000,\"corr\":%d,\"name\":\"k\",\"device\":0,\"stream\":7", t + 5000, i * 2))
		put(sprintf("{\"kind\":\"api\",\"ts\":%d,\"dur\":99000,\"corr\":%d,\"name\":\"cudaDeviceSynchronize\"", t + 7000, i * 2 + 1))
		if (range)
			put(sprintf("{\"kind\":\"range\",\"ts\":%d,\"dur\":%d,\"id\":%d,\"name\":\"work\",\"mode\":\"push\"", t + 107000, host * 1000, i * 2 + 2))
		t += 110000 + host * 1000
	} }' | stream | tq-correlate > waiting.tq
}

# of_waits: the gain of a rule of these waits, and of all else
of_waits() {
	printf '%s\n' 'rule wait' 'when kind == "api" and .role == "wait"' \
	    'claim gaps over, host after' 'least 0%' 'title t' '' \
	    'rule rest' 'when kind == "gap"' 'claim gaps' 'least 0%' \
	    'title t' > waits.rules
	tq-advise -v -n 20 -R none -R waits.rules -f ndjson waiting.tq |
	    jq -r 'select(.finding) | "\(.finding) \(.gain_ns / 19 | round)"' |
	    sort
}

@test "what removing a wait could gain is at most what the device works in the step" {
	# of each gap 1 us is in the wait, and 5 us are behind the host's time
	waiting 50
	of_waits > out
	grep -x 'wait 60000' out
	waiting 400
	of_waits > out
	grep -x 'wait 101000' out # 100 us of work, and the wait itself
	grep -x 'rest 309000' out
}

@test "time of the host is said to be exposed by the waits that steps end with" {
	waiting 50 range
	tq-advise -v waiting.tq > out
	grep -F '950 us in work, 95.0 us in nothing that was recorded; exposed because each step ends with a wait (cudaDeviceSynchronize)' out
	tq-advise -f ndjson waiting.tq | jq -es '[.[] | select(.exposed)][0].exposed |
	    .ns == .step_ns and .waits[0].text == "cudaDeviceSynchronize"'
	tq stats waiting.tq | tr -s ' \n' ' ' > page
	grep -F 'It is exposed because each step ends with a wait (cudaDeviceSynchronize).' page
	# a wait hides no more than the device works
	waiting 400 range
	tq-advise -v waiting.tq > out
	! grep -F 'exposed because' out || return 1
}

@test "what delays a launch counts while the device still works, too, up to a wait" {
	# kernels of 4 us every 10 us: 5 us in ranges, 3 of them while the kernel
	# before still runs; then 5 us of launch.  With waits there are no ranges
	# behind the wait.
	local wait

	printf '%s\n' 'rule ranges' 'when kind == "range"' 'claim gaps since' \
	    'least 0%' 'title t' '' 'rule rest' 'when kind == "gap"' \
	    'claim gaps' 'least 0%' 'title t' > since.rules
	for wait in 0 1; do
		awk -v wait="$wait" 'function put(s) { printf "%s,\"pid\":1,\"tid\":1}\n", s }
		BEGIN { for (i = 0; i < 51; i++) { t = i * 10000
			for (k = 0; k < 5; k++)
				put(sprintf("{\"kind\":\"range\",\"ts\":%d,\"dur\":1000,\"id\":%d,\"name\":\"r\",\"mode\":\"push\"", t + k * 1000, i * 5 + k + 1))
			if (wait)
				put(sprintf("{\"kind\":\"api\",\"ts\":%d,\"dur\":100,\"corr\":%d,\"name\":\"cudaDeviceSynchronize\"", t + 5000, i * 2 + 1))
			put(sprintf("{\"kind\":\"api\",\"ts\":%d,\"dur\":4500,\"corr\":%d,\"name\":\"cudaLaunchKernel\"", t + 5200, i * 2))
			put(sprintf("{\"kind\":\"kernel\",\"ts\":%d,\"dur\":4000,\"corr\":%d,\"name\":\"k\",\"device\":0,\"stream\":7", t + 9000, i * 2))
		} }' | stream | tq-correlate > since.tq
		tq-advise -v -R none -R since.rules -f ndjson since.tq |
		    jq -r 'select(.finding and .gain_ns > 0) |
		        "\(.finding) \(.gain_ns)"' | sort > out
		case $wait in
		0) [[ $(cat out) = $'ranges 250000\nrest 50000' ]] ;;
		1) [[ $(cat out) = 'rest 300000' ]] ;;
		esac || { cat out; return 1; }
	done
}

@test "what computing could hide of copies is a number" {
	need data
	tq-advise -f ndjson "$(correlated 2026.2.1-h100-2gpu)" |
	    jq -es '.[] | select(.finding == "exposed-copy") |
	        .overlap_ns > 0 and .overlap_ns < .gain_ns / 10'
	tq-advise -f csv "$(correlated 2026.2.1-h100-2gpu)" > out.csv
	head -n 1 out.csv | grep -F 'Overlap (ns)'
}

@test "pages that the host touches on the device are a finding, prefetched ones not" {
	case_of uvm-host-fault.sql
	run -0 gains case.tq
	[[ ${lines[*]} = 'host-faults 295'* ]]
}

@test "HIP has the findings of CUDA" {
	case_of alloc-cuda.json
	gains case.tq > cuda
	case_of alloc-hip.json
	gains case.tq > hip
	[[ $(head -n 1 cuda) = 'allocation 31600000' ]]
	diff cuda hip
}

@test "the first line has the time in a queue behind a call, as much as the page" {
	# of each ms the kernel waits 694 us in its queue; 9 us are none
	for i in {0..99}; do
		local t=$((i * 1000000))
		echo '{"kind":"kernel","ts":'"$t"',"dur":300000,"pid":1,"tid":1,"device":0,"stream":7,"name":"k","api_ts":'"$((t - 700000))"',"api_dur":6000,"api_name":"cudaLaunchKernel"}'
	done | stream > in
	tq-advise in | grep -F 'compute 30.2 %, launch 69.8 % (in a queue 69.2 %); 100 operations'
	tq-stats in | grep '^69\.2.* queue '
	# and records have it
	tq-advise -f ndjson in | jq -es '.[0].account[0].launch_queued == 99 * 694000'
	tq-advise -f json in | jq -e '.reports[] | select(.report == "account") |
	    .rows[0].launch_queued == 99 * 694000'
	sed 's/"api_dur":6000/"api_dur":691000/' in > short
	tq-advise short | grep -F 'compute 30.2 %, launch 69.8 %; 100 operations'
	tq-advise -f ndjson short | jq -es '.[0].account[0].launch_queued == 0'
}

# sampled [WHAT]: of each ms a kernel has 100 us, and samples of its thread are 250,
# 550 and 850 us behind its start: two in load(), one in main()
sampled() {
	{
		printf '{"kind":"stack","id":%d,"frames":["%s (data.py:%d)"]}\n' 1 load 630 2 main 7 3 native 9
		awk -v what="${1-}" 'BEGIN { for (i = 0; i < 60; i++) {
			t = i * 1000000
			printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":100000,\"pid\":1,\"tid\":1,\"device\":0,\"stream\":7,\"name\":\"k\",\"api_ts\":%d,\"api_dur\":5000,\"api_name\":\"cudaLaunchKernel\"}\n", t, t - 7000
			for (k = 0; k < 3; k++)
				printf "{\"kind\":\"sample\",\"ts\":%d,\"pid\":1,\"tid\":1,\"stack\":%d%s}\n", t + 250000 + k * 300000, k < 2 ? 1 : 2, what
		} }'
	} | stream
}

@test "time of the host without a name has that of the functions in which samples found it" {
	# load() from the end of a kernel to the middle of the second and the third
	# sample, main() from there to the call 7 us before the next kernel
	for what in '' ',"what":"python"'; do
		sampled "$what" > in
		tq-advise -f ndjson in | jq -es 'map(select(.finding == "host-late"))[0] |
		    .names == [{"text": "load (data.py) by samples", "ns": (59 * 600000)},
		        {"text": "main (data.py) by samples", "ns": (59 * 293000)}] and
		    (has("unnamed_ns") | not)'
		tq-advise in | grep -F 'where 35.4 ms in load (data.py) by samples, 17.3 ms in main (data.py) by samples'
		tq-stats in | tr -s ' \n' ' ' |
		    grep -F 'Of it the host is 35.4 ms in load (data.py) by samples and 17.3 ms in main (data.py) by samples.'
	done
	# samples of Python come before native ones
	sed '/"kind":"sample"/{p;s/000,"pid"/001,"pid"/;s/"stack":.*/"stack":3}/}' in |
	    tq-advise -f ndjson | jq -es 'map(select(.finding == "host-late"))[0].names |
	        map(.text) == ["load (data.py) by samples", "main (data.py) by samples"]'
	# those of other threads say nothing
	sampled | sed '/"sample"/s/"tid":1/"tid":2/' | tq-advise -f ndjson |
	    jq -es 'map(select(.finding == "host-late"))[0] | (has("names") | not) and
	        .unnamed_ns == 59 * 893000'
	# a sample has 5 ms on either side
	sampled | sed 's/\([0-9]\)000\([,}]\)/\1000000\2/g' | tq-advise -f ndjson |
	    jq -es 'map(select(.finding == "host-late"))[0] |
	        (.names | map(.ns)) == [59 * 20000000, 59 * 10000000]'
}

# ---- what it was for ----

@test "findings of waits name what ran last on the device, those of a queue the event and its stream" {
	# of each ms the second kernel waits 294 us in its queue, and the host
	# 250 us longer than the device works
	for i in {0..199}; do
		local t=$((i * 1000000 + 1000)) at='"pid":1,"tid":1'
		local on='"device":0,"context":1'

		echo '{"kind":"api","ts":'"$t"',"dur":5000,'"$at"',"corr":'$((2 * i + 1))',"name":"cudaLaunchKernel"}'
		echo '{"kind":"kernel","ts":'$((t + 6000))',"dur":200000,'"$at,$on"',"corr":'$((2 * i + 1))',"stream":7,"name":"gemm"}'
		echo '{"kind":"sync","ts":'$((t + 7000))',"dur":100,"pid":1,'"$on"',"corr":'$((1000 + i))',"stream":20,"sync":"stream wait event","event":3,"wait_stream":9}'
		echo '{"kind":"api","ts":'$((t + 8000))',"dur":5000,'"$at"',"corr":'$((2 * i + 2))',"name":"cudaLaunchKernel"}'
		echo '{"kind":"api","ts":'$((t + 20000))',"dur":930000,'"$at"',"name":"cudaDeviceSynchronize"}'
		echo '{"kind":"kernel","ts":'$((t + 500000))',"dur":200000,'"$at,$on"',"corr":'$((2 * i + 2))',"stream":20,"name":"relu"}'
	done | stream | tq-correlate > in
	tq-advise -f ndjson in > found
	jq -se 'map(select(.finding == "queue-stall"))[0] | .names ==
	    [{text: "event 3 of stream 9", ns: 58800000}]' found
	jq -se 'map(select(.finding == "sync-each"))[0].where.name.text ==
	    "cudaDeviceSynchronize after relu"' found
	tq-advise -v in > text
	grep -F 'gap: queue, behind event 3 of stream 9' text
	grep -F 'where 58.8 ms in the queue, behind event 3 of stream 9' text
	tq-stats -f json1 in | jq -r '.next[].Evidence' |
	    grep -F 'Of it 58.8 ms pass in the queue, behind event 3 of stream 9.'
	# the same times and names as in the table
	tq-stats -q -f csv -r gaps_sum:thing in | cut -d, -f 3-5,7 > table
	grep -x 'queue,queue,event 3 of stream 9,58800000' table
	grep -x 'sync,sync,cudaDeviceSynchronize after relu,49750000' table
}
