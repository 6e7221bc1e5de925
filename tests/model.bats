#!/usr/bin/env bats
# Processes, threads, devices, streams and symbols are known by their ids, in the
# section that has them, whatever the ids are.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# ---- records ----

# launched PID TID DEVICE STREAM CORRELATION TS NAME: a call, and its kernel 2 us
# later
launched() {
	echo '{"kind":"api","ts":'"$6"',"dur":1000,"pid":'"$1"',"tid":'"$2"`
	    `',"corr":'"$5"',"name":"cudaLaunchKernel","api":"cuda-runtime"}'
	echo '{"kind":"kernel","ts":'$(($6 + 2000))',"dur":500,"pid":'"$1"`
	    `',"corr":'"$5"',"name":"'"$7"'","device":'"$3"',"context":1,"stream":'"$4"'}'
}

# kernel TS SYMBOL: of device 0
kernel() {
	echo '{"kind":"kernel","ts":'"$1"',"dur":100,"pid":1,"sym":'"$2"`
	    `',"name":"k","device":0,"context":1,"stream":7}'
}

# symbol ID NAME
symbol() {
	echo '{"kind":"symbol","id":'"$1"',"name":"k","demangled":"'"$2"'"}'
}

# table REPORT: without its titles
table() {
	tq-stats -q -f csv -r "$1" in.tq 2> /dev/null | sed 1d
}

# ---- ids ----

B=4294967296 # 2^32: no bit of the lower half

@test "ids of more than 32 bits are apart from those of the same lower half" {
	{
		launched 1 1 0 7 1 10000 a
		launched $((1 + B)) 1 0 7 1 20000 b
		launched 1 $((1 + B)) $B 7 2 30000 c
		launched 1 1 0 $((7 + B)) 3 40000 d
		launched -1 -1 -1 -7 4 50000 e
		launched $(((B / 2) * B - 1)) 1 $((B / 2)) 7 1 60000 f
	} | stream | tq-correlate > in.tq
	# each kernel has the call of its own process
	[ "$(jq -r 'select(.kind == "kernel") | .ts - .api_ts' in.tq | sort -u)" = 2000 ]
	printf '%s\n' 1,0,2 $((1 + B)),0,1 1,$B,1 -1,-1,1 \
	    $(((B / 2) * B - 1)),$((B / 2)),1 |
	    diff - <(table device_time | cut -d, -f1,2,12)
	[ "$(table launch_queue | cut -d, -f1,2,4 | sort -u | wc -l)" = 6 ]
	[ "$(tq-chrome -q in.tq | jq '[.traceEvents[] | select(.ph == "X" and
	    (.name | length == 1)) | [.pid, .tid]] | unique | length')" = 6 ]
	[ "$(tq-stats -f json1 in.tq | jq '.device_time | length')" = 5 ]
	[ "$(tq-filter --no-closure "pid == $((1 + B))" in.tq | grep -c '"kind":"kernel"')" = 1 ]
	[ "$(tq-filter --no-closure -k kernel --device 0 in.tq | grep -c '"kind":"kernel"')" = 3 ]
	[ "$(tq-filter --no-closure -k kernel --stream 7 in.tq | grep -c '"kind":"kernel"')" = 4 ]
	tq-advise -f ndjson in.tq | jq -se '.[0].account | length == 5'
}

@test "a correlation id that comes again is that of the call before it" {
	for ts in 1000 10000 20000; do
		launched 1 1 0 7 5 $ts k
	done | stream | tq-correlate 2> /dev/null > in.tq
	[ "$(jq -r 'select(.kind == "kernel") | .ts - .api_ts' in.tq | sort -u)" = 2000 ]
}

@test "a range has the launches of its own process, though another has its id" {
	{
		for pid in 1 $((1 + B)); do
			echo '{"kind":"range","ts":'$((pid % B * 100))',"dur":90000,"pid":'$pid`
			    `',"tid":1,"id":1,"mode":"push","name":"r'$pid'"}'
			launched $pid 1 0 7 1 $((1000 + pid / B * 10000)) k
		done
	} | stream | tq-extract | tq-correlate --path > in.tq
	[ "$(jq -r 'select(.kind == "kernel") | "\(.pid) \(.path[])"' in.tq)" = "1 r1
$((1 + B)) r$((1 + B))" ]
}

# ---- sections and definitions ----

@test "what a section defines does not outlive it" {
	for name in first second none; do
		{
			if [[ $name != none ]]; then
				echo '{"kind":"process","pid":1,"name":"'$name'"}'
				echo '{"kind":"device","pid":1,"device":0,"name":"GPU '$name'"}'
				symbol 1 "$name(int)"
			fi
			kernel 1000 1
		} | stream
	done > in.tq
	[ "$(table cuda_gpu_kern_sum | cut -d, -f9 | sort | paste -sd ' ')" = \
	    'first(int) k second(int)' ]
	[ "$(table device_time | cut -d, -f1,2,15)" = '1,0,GPU first
1,0,GPU second
1,0,' ]
	[ "$(tq-filter --no-closure 'demangled == "second(int)"' in.tq |
	    grep -c '"kind":"kernel"')" = 1 ]
	for name in first second 'process'; do
		tq-chrome -q in.tq 2> /dev/null |
		    jq -r '.traceEvents[] | select(.name == "process_name").args.name' |
		    grep "^$name 1 "
	done
}

@test "a symbol that is defined again has its new name from then on" {
	{
		symbol 1 'first(int)'
		kernel 1000 1
		kernel 2000 1
		symbol 1 'second(int)'
		kernel 3000 1
	} | stream > in.tq
	for report in cuda_gpu_kern_sum cuda_gpu_kern_gb_sum; do
		[ "$(table $report | sed 's/^[^,]*,\([0-9]*\),\([0-9]*\),.*,/\2 /')" = '2 first(int)
1 second(int)' ]
	done
	for name in first:2 second:1; do
		[ "$(tq-filter --no-closure "demangled == \"${name%:*}(int)\"" in.tq |
		    grep -c '"kind":"kernel"')" = "${name#*:}" ]
	done
}

@test "a definition that comes late is that of what follows" {
	{
		kernel 1000 1
		symbol 1 'first(int)'
		kernel 2000 1
		kernel 3000 1
	} | stream > in.tq
	for report in cuda_gpu_kern_sum cuda_gpu_kern_gb_sum; do
		[ "$(table $report | sed 's/^[^,]*,\([0-9]*\),\([0-9]*\),.*,/\2 /')" = '2 first(int)
1 k' ]
	done
	[ "$(table device_time | wc -l)" = 1 ]
	[ "$(tq-filter --no-closure 'demangled == "first(int)"' in.tq |
	    grep -c '"kind":"kernel"')" = 2 ]
}

@test "each kernel of a trace has the name that its symbol has at that time" {
	{
		kernel 1000 1
		symbol 1 'first(int)'
		kernel 2000 1
		symbol 1 'second(int)'
		kernel 3000 1
	} | stream > in.tq
	[ "$(table cuda_gpu_trace | sed 's/.*,//' | paste -sd ' ')" = \
	    'k first(int) second(int)' ]
}

@test "a kernel has its share of the work in both passes of the advice, wherever its symbol is defined" {
	for defined in 1 1000 3000; do
		for ((ts = 1000; ts <= 6000; ts += 1000)); do
			if ((ts == defined)); then symbol 1 'f(int)'; fi
			kernel $ts 1
		done | stream > in.tq
		tq-advise -f ndjson in.tq | grep -F '"finding":"one-kernel"'
		tq-stats -f json1 in.tq | grep -F one-kernel
	done
}

# ---- devices ----

# counts_of FILE: "GPUS OPERATIONS" of the page, and of the head of tq-advise
counts_of() {
	tq-stats "$1" 2> /dev/null | sed -n '1,3s/.* · \([0-9,]*\) GPUs\{0,1\}\b.* · \([0-9,]*\) operations\{0,1\} .*/\1 \2/p'
	tq-advise "$1" 2> /dev/null |
	    sed -n '1s/.* of \([0-9,]*\) devices\{0,1\}: .*; \([0-9,]* of \)\{0,1\}\([0-9,]*\) operations\{0,1\}.*/\1 \3/p'
}

@test "the head of tq-advise counts GPUs and operations as the page does" {
	data cases/streams/two.tq
	for name in two page_idle page_shares same_uuid_one_process page_gaps; do
		tq-correlate "${data%/*}/$name.tq" > in.tq 2> /dev/null
		counts_of in.tq > counts
		(($(wc -l < counts) == 2 && $(sort -u counts | wc -l) == 1)) ||
		    { echo "$name"; cat counts; false; }
	done
	# two sections, a GPU that two processes share in each
	tq-correlate "${data%/*}/two.tq" > in.tq 2> /dev/null
	cat in.tq in.tq > both.tq
	counts_of both.tq > counts
	[[ $(xargs < counts) = '2 8 2 8' ]]
	# operations outside of the steps are told apart
	counts_of "$(correlated demo)" > counts
	[[ $(sort -u counts) = '2 408' ]]
}

@test "no share of the page is above 100 %, whatever devices share a UUID" {
	data cases/streams/same_uuid_one_process.tq
	for name in same_uuid_one_process page_gaps page_idle page_shares two; do
		tq-correlate "${data%/*}/$name.tq" > in.tq 2> /dev/null
		tq-stats in.tq > page 2> /dev/null
		awk '
		$1 ~ /^[0-9.]+$/ && $1 ~ /\./ && !/^  / && $1 > 100 { bad = 1 }
		{ for (i = 1; i < NF; i++) if ($(i + 1) == "%" && $i > 100.0) bad = 1 }
		END { exit bad }' page || { cat page; false; }
	done
}
