#!/usr/bin/env bats
# tq-stats --time and --filter-nvtx: the part of a stream that counts.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# call TS DUR NAME [TID]
call() {
	echo '{"kind":"api","ts":'"$1"',"dur":'"$2"',"pid":1,"tid":'"${4:-1}"`
	    `',"corr":'"$1"',"name":"'"$3"'","api":"cuda-runtime","gpu":1}'
}

# kernel TS DUR NAME CORR: launched by the call of that ts
kernel() {
	echo '{"kind":"kernel","ts":'"$1"',"dur":'"$2"',"pid":1,"corr":'"$4"`
	    `',"name":"'"$3"'","device":0,"context":1,"stream":7}'
}

# range TS DUR NAME [TID [KEYS]]
range() {
	echo '{"kind":"range","ts":'"$1"',"dur":'"$2"',"pid":1,"tid":'"${4:-1}"`
	    `',"name":"'"$3"'","mode":"push"'"${5:-}"'}'
}

# names REPORT [OPTION ...] FILE: what is in it
names() {
	tq-stats -r "$1" -f json1 "${@:2}" |
	    jq -r '.[] | .Name // .Range' | sort | paste -sd ' '
}

@test "--time: what starts or ends in the window, or covers it" {
	for f in before:0:9 ends:0:10 covers:0:99 starts:19:99 within:12:1 \
	    at:10:0 after:20:1; do
		IFS=: read -r name ts dur <<< "$f"
		call "$ts" "$dur" "$name"
	done | sort -t: -k3n | stream > in
	[[ $(names cuda_api_sum --time 10ns:20ns in) = \
	    'at covers ends starts within' ]]
	[[ $(names cuda_api_sum --time :10ns in) = 'before covers ends' ]]
	[[ $(names cuda_api_sum --time 20ns: in) = 'after covers starts' ]]
	[[ $(names cuda_api_sum --time=0:1s2ms3us4ns in | wc -w) = 7 ]]
	[[ $(names cuda_api_sum --time 10ns/20ns in) = \
	    'at covers ends starts within' ]]
}

@test "--time counts from the end where a time is negative, in each section" {
	call 0 10 early | stream > short
	call 80 10 late | stream >> short
	{ call 0 10 early; call 70 5 middle; call 80 20 late; } | stream > in
	[[ $(names cuda_api_sum --time -20ns: in) = late ]]
	[[ $(names cuda_api_sum --time :-26ns in) = 'early middle' ]]
	[[ $(names cuda_api_sum --time -99ns:-26ns in) = 'early middle' ]]
	[[ $(cat in | tq-stats --time -20ns: -r cuda_api_sum -f csv --plain-keys | wc -l) = 2 ]]
	# the sections of short end at 10 and at 90
	[[ $(names cuda_api_sum --time -15ns: short) = 'early late' ]]
	run -0 tq-stats --needs --time -1s: -r cuda_api_sum
	[[ $output != *' -k '* ]]
}

@test "--time: an event counts whole" {
	call 0 100 f | stream > in
	run -0 bash -c 'tq-stats --time 50ns:60ns -r cuda_api_sum -f json1 in |
	    jq ".[].\"Total Time (ns)\""'
	[[ $output = 100 ]]
}

@test "a window in which nothing is exits 1 and says so" {
	call 0 100 f | stream > in
	run -1 --separate-stderr tq-stats --time 200ns:300ns -r cuda_api_sum in
	[[ -z $output && $stderr = *'outside of the trace, which covers 0ns to 100ns' ]]
}

@test "what is no window exits 2 and says what is expected" {
	stream > in
	run -2 tq-stats --time 5ns in
	[[ $output = 'tq-stats: --time 5ns: expected A:B, two times of which one may be left out' ]]
	run -2 tq-stats --time 1x:2s in
	run -2 tq-stats --time 2ns:1ns in
	[[ $output = *'the window ends before it starts' ]]
	run -2 tq-stats --filter-nvtx a/1..2 in
	[[ $output = *'expected one index' ]]
}

@test "--filter-nvtx: the first range of that name, or the one of that index" {
	{
		range 0 10 step
		call 1 1 a
		range 20 10 step
		call 21 1 b
		range 40 10 other
		call 41 1 c
		call 60 1 d
	} | stream > in
	[[ $(names cuda_api_sum --filter-nvtx step in) = a ]]
	[[ $(names cuda_api_sum --filter-nvtx step/1 in) = b ]]
	[[ $(names cuda_api_sum --filter-nvtx other/0 in) = c ]]
	run -1 --separate-stderr tq-stats --filter-nvtx step/2 in
	[[ -z $output ]]
	[[ $stderr = 'tq-stats: no range of that name is in the stream' ]]
}

@test "--filter-nvtx: without a domain it is the default one, @* is any" {
	{
		range 0 10 step 1 ',"domain":"lib"'
		call 1 1 a
		range 20 10 step
		call 21 1 b
	} | stream > in
	[[ $(names cuda_api_sum --filter-nvtx step in) = b ]]
	[[ $(names cuda_api_sum --filter-nvtx step@lib in) = a ]]
	[[ $(names cuda_api_sum --filter-nvtx 'step@*/1' in) = b ]]
}

@test "--filter-nvtx: the thread of the range, and what it launched" {
	{
		range 10 10 step
		call 11 1 mine
		call 12 1 other 2
		kernel 13 1 early 5
		kernel 15 1 theirs 12
		kernel 99 1 late 11
	} | stream > in
	[[ $(names cuda_api_sum --filter-nvtx step in) = mine ]]
	[[ $(names cuda_gpu_kern_sum --filter-nvtx step in) = late ]]
	# nsys: the main thread is the process, kernels go by their time
	[[ $(names cuda_api_sum --compat 2023.4 --filter-nvtx step in) = \
	    'mine other' ]]
	[[ $(names cuda_gpu_kern_sum --compat 2023.4 --filter-nvtx step in) = \
	    'early theirs' ]]
}

@test "--filter-nvtx: a start/end range is of all threads of its process" {
	{
		range 10 10 step | sed 's/push/start/'
		call 11 1 a
		call 12 1 b 2
		kernel 15 1 k 12
	} | stream > in
	[[ $(names cuda_api_sum --filter-nvtx step in) = 'a b' ]]
	[[ $(names cuda_gpu_kern_sum --filter-nvtx step in) = k ]]
}

@test "--filter-nvtx: correlated or not, operations are the same" {
	{
		range 10 10 step
		call 11 5 mine
		call 13 1 other 2
		kernel 14 1 theirs 13
		kernel 99 1 late 11
	} | stream > in
	tq-correlate in > correlated
	for f in in correlated; do
		[[ $(names cuda_gpu_kern_sum --filter-nvtx step "$f") = late ]]
	done
}

@test "--filter-nvtx: each stream has its own range, and may have none" {
	{
		range 10 10 step
		call 11 1 a
	} | stream > 1
	{
		call 11 1 b
		range 50 10 step
		call 51 1 c
	} | stream > 2
	call 11 1 d | stream > 3
	[[ $(names cuda_api_sum --filter-nvtx step 1 2 3) = 'a c' ]]
}

@test "--filter-nvtx reads a pipe through a temporary file" {
	{
		range 10 10 step
		call 11 1 a
	} | stream > in
	run -0 --separate-stderr bash -c \
	    'cat in | tq-stats --filter-nvtx step -r cuda_api_sum -f csv'
	[[ $output = *,a ]]
	[[ -z $stderr ]]
}

@test "filters of real streams agree with jq" {
	need data
	in=$(extracted 2025.3.1-cupy-nvtx)
	run -0 jq -s '[.[] | select(.kind == "range")] | sort_by(.ts) |
	    .[length / 2 | floor] | .ts, .dur' "$in"
	s=${lines[0]} e=$((lines[0] + lines[1]))
	tq-stats --time "${s}ns:${e}ns" -r cuda_api_sum -f json1 "$in" |
	    jq -c '[.[] | [.Name, ."Num Calls", ."Total Time (ns)"]] | sort[]' > got
	oracle filter_time "calls($s; $e)" "$in" > expect
	[[ -s expect ]]
	diff expect got
}
