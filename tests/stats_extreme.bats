#!/usr/bin/env bats
# tq-stats: times at both ends of 64 bits, and sums beyond them

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# table REPORT [FILE]: what tq-stats says, as csv, without the heading
table() {
	tq-stats -f csv -r "$@" | tail -n +2
}

most=9223372036854775807
least=-9223372036854775808

# kernels N KEYS: kernels of 2^63 - 1 ns
kernels() {
	local i

	for ((i = 0; i < $1; i++)); do
		echo '{"kind":"kernel","ts":'$i',"dur":'$most',"pid":1,"tid":1,"corr":'$i',"name":"k","device":0,"context":1,"stream":7'"$2"'}'
	done
}

# range ID TS DUR NAME [KEYS]
range() {
	echo '{"kind":"range","ts":'"$2"',"dur":'"$3"',"pid":1,"tid":1,"name":"'"$4"'","id":'"$1"',"mode":"push"'"${5-}"'}'
}

@test "a sum beyond 64 bits stops there, and a message says so" {
	local warning="tq-stats: warning: a sum is 2^63 - 1 or more, and shown as that"

	{
		kernels 20 ',"api_ts":'$least',"api_dur":'$most',"api_name":"f"'
		for i in 1 2; do
			echo '{"kind":"memcpy","ts":'$((20 + i))',"dur":1,"pid":1,"device":0,"bytes":'$most',"copy":"HtoD"}'
		done
	} | stream > in
	while read -r report columns row; do
		echo "$report"
		run -0 --separate-stderr table "$report" in
		[[ $(head -n 1 <<< "$output" | cut -d, -f"$columns") = "$row" ]]
		[[ $stderr = "$warning" ]]
	done <<- END
		cuda_gpu_kern_sum 2,3,4,6 $most,20,$most.0,$most
		launch 1,2,3 20,$most,$most.0
		cuda_gpu_mem_size_sum 1,2 9223372036854.776,2
		memory 1,2 2,9223372036854.776
		cuda_gpu_sum:pct 2 $most
	END
	# it is the order of the whole sums
	{
		kernels 2 ''
		kernels 3 '' | sed 's/"k"/"more"/'
	} | sort -t, -k 2,2 | stream > in
	[[ $(table cuda_gpu_kern_sum in 2> err | cut -d, -f1,2,9) = \
	    "60.0,$most,more"$'\n'"40.0,$most,k" ]]
	[[ $(< err) = "$warning" ]]
	# the ranks are rows of one table
	run -0 --separate-stderr tq-stats --by-rank -r cuda_gpu_kern_sum in
	[[ $stderr = "$warning" ]]
	kernels 2 '' | sed 's/'$most'/1000/' | stream > in
	run -0 --separate-stderr table cuda_gpu_kern_sum in
	[[ -z $stderr ]]
}

@test "parts of a sum beyond 64 bits make the whole" {
	kernels 5 '' | stream > in
	tq-stats --partial -r cuda_gpu_kern_sum in > p
	tq-stats -f csv -r cuda_gpu_kern_sum in > whole 2> whole.err
	tq-stats -f csv --merge p > merged 2> merged.err
	cmp whole merged
	cmp whole.err merged.err
	[[ -s merged.err ]]
}

@test "the time of children, and what a range launched, stop at 64 bits" {
	local half=4611686018427387904 i

	# three children of 2^62 ns each
	{
		range 1 $least $most all
		for i in 2 3 4; do range $i $((least + i)) $half c; done
	} | stream > in
	[[ $(table nvtx_pushpop_trace in 2> err | grep ',all,' |
	    cut -d, -f4) = "$most" ]]
	[[ -s err ]]
	for i in 1 2 3; do
		echo '{"kind":"gpu-range","ts":'$i',"dur":1,"pid":1,"tid":1,"name":"r","device":'$i',"range":1,"depth":0,"ops":1,"launches":'$half',"busy":1,"range_ts":0,"range_dur":'$most'}'
	done | stream > in
	[[ $(table nvtx_gpu_proj_trace in | cut -d, -f9) = "$most" ]]
	[[ $(table nvtx_gpu_proj_sum in 2> err | cut -d, -f11) = "$most" ]]
	[[ -s err ]]
	# ranges of a name that were never closed, from one end to the other
	{
		for i in 1 2 3; do
			range "$i" $((least + i)) 1 open,"\"tid\":$i" |
			    sed 's/"dur":1,/"open":true,/; s/"open,"tid":\([0-9]\)"/"open"/'
		done
		range 9 0 $most last
	} | stream > in
	[[ $(table nvtx_sum:pct in 2> err | grep open | cut -d, -f14) = "$most" ]]
}

# Built with a sanitizer, the program ends where an integer overflows.
@test "every report takes times at both ends" {
	local i report options kind
	local kinds=(kernel memcpy graph api range gpu-range osrt alloc) times=("$least" $((least + 1)) -4611686018427387905
	    -4611686018427387904 -1 0 1 4611686018427387903 4611686018427387904
	    $((most - 1)) "$most") durations=(0 1 4611686018427387904 "$most" -5
	    "$least")

	for ((i = 0; i < 400; i++)); do
		kind=${kinds[i * 7 % 8]}
		printf '{"kind":"%s","ts":%s,"dur":%s,"pid":%d,"tid":%d,"corr":%d,"name":"step %d","id":%d,"device":%d,"context":1,"stream":7,"bytes":%s,"api_ts":%s,"api_dur":%s,"api_name":"f","range":%d,"depth":%d,"launches":%s,"range_ts":%s,"range_dur":%s,"op":"alloc","address":"0x1"}\n' \
		    "$kind" "${times[i * 11 / 400]}" "${durations[i % 6]}" \
		    $((i % 2)) $((i % 3)) $((i % 20)) $((i % 5)) "$i" \
		    $((i % 2)) "${durations[i % 5]}" "${times[i * 3 % 11]}" \
		    "${durations[i * 5 % 6]}" $((i % 10)) $((i % 4)) \
		    "${durations[i % 4]}" "${times[i * 5 % 11]}" \
		    "${durations[i * 3 % 6]}"
	done | sed '/"kind":"\(kernel\|memcpy\|graph\)"/s/"id":[0-9]*,//; /"kind":"\(api\|range\|osrt\)"/s/"api_.*}/}/; /"kind":"alloc"/s/"dur":[-0-9]*,//; s/,}/}/' |
	    stream > in
	tq-stats --help-reports | awk '/^ / { print $1 }' | grep -v '^group$' > reports
	echo gaps:stream >> reports
	while read -r report; do
		for options in '' '--compat=2023.4' '--step=median' '--timeunit=s'; do
			# an account has no median step
			[[ $report$options != account--step=median ]] || continue
			# shellcheck disable=SC2086 # one or none
			tq-stats -q $options -r "$report" in > out 2> err ||
			    [[ $? = 1 ]]
			! grep 'runtime error' err || return 1
		done
	done < reports
	run -0 tq-stats in
	[[ $output != *' of the time of kernels: '*'-'*'%'* ]]
}

# So does it here.
@test "the time of threads without a device stops at 64 bits, and a poll may follow another after all time" {
	stream '{"kind":"api","ts":-9223372036854775807,"dur":100,"pid":1,"tid":1,"corr":2,"name":"step 1"}' \
	    '{"kind":"osrt","ts":-1,"dur":9223372036854775807,"pid":1,"tid":1,"name":"read"}' \
	    '{"kind":"overhead","ts":467,"dur":100,"pid":1,"tid":1,"name":"o"}' > host.tq
	tq-stats -f csv -r account host.tq > account
	grep -q "$most" account
	tq-diff --per launch host.tq host.tq > /dev/null
	stream '{"kind":"api","ts":-9223372036854775807,"dur":0,"pid":1,"tid":1,"name":"cudaEventQuery"}' \
	    '{"kind":"api","ts":9223372036854775807,"dur":0,"pid":1,"tid":1,"name":"cudaEventQuery"}' \
	    '{"kind":"kernel","ts":9223372036854775807,"dur":0,"pid":1,"device":0,"name":"k"}' > polls.tq
	tq-advise polls.tq > /dev/null
	tq-stats polls.tq > /dev/null
}

@test "step: one long step does not slow down the others" {
	local n

	need valgrind native no-sanitizer
	for n in 1000 4000; do
		awk -v n=$n 'BEGIN {
			for (i = 0; i < n; i++) {
				printf "{\"kind\":\"range\",\"ts\":%d,\"dur\":%s,\"pid\":1,\"tid\":%d,\"name\":\"step %d\",\"id\":%d,\"mode\":\"push\"}\n",
				    i * 1000, i ? 900 : "4611686018427387904",
				    i ? 1 : 2, i, i
				printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":100,\"pid\":1,\"tid\":1,\"corr\":%d,\"name\":\"k\",\"device\":0,\"api_ts\":%d,\"api_dur\":9}\n",
				    i * 1000 + 500, i, i * 1000 + 100
			}
		}' | stream > in
		valgrind --tool=cachegrind --cache-sim=no \
		    --cachegrind-out-file=/dev/null tq-stats -q -r step_sum in \
		    2> log > out
		sed -n 's/.*I *refs: *//p' log | tr -d , >> counts
	done
	cat counts
	awk '{ n[NR] = $1 } END { exit !(n[2] < 6 * n[1]) }' counts
}
