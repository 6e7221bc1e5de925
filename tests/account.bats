#!/usr/bin/env bats
# The account of a recording: the report account of tq-stats, and its file

load helper
load step

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# account [OPTION ...]: of the stream on stdin, as a file
account() {
	stream > in
	tq-stats --partial -r account "$@" in
}

# lines KEY: these arrays of an account on stdin
lines() {
	jq -c ".args | select(.$1) | .$1"
}

@test "the parts of a unit are what each moment is said to be" {
	need python3
	run -0 python3 "$top/tests/properties/account.py" {1..150}
}

@test "a unit lasts from every Nth start of a kernel to the next, and what runs across is cut" {
	run -0 account --per 'kernel~^a$/2' < <(
		op kernel 100 10 '"name":"b"'
		op kernel 110 10 '"name":"a"'
		op kernel 120 50 '"name":"b"'
		op kernel 130 10 '"name":"a","stream":2'
		op kernel 150 10 '"name":"a"'
		op kernel 165 5 '"name":"b"'
		op kernel 180 5 '"name":"a"'
		op kernel 190 5 '"name":"a"'
		op kernel 195 5 '"name":"b"'
	)
	account=$output
	# the third has no end
	[[ $(lines unit <<< "$account") == '[0,0,110,3,1,40,0,0,0,0,0,0,0,0]
[0,1,150,3,1,25,0,0,0,0,0,0,0,15]' ]]
	[[ $(jq -c '.args | select(.row) | [.row[2], .on]' <<< "$account") == '["a",[0,4,35,15]]
["b",[0,2,55,50]]' ]]
}

@test "a range is a unit wherever it is called, but not within another of its thread" {
	run -0 account --per 'range~^decode' < <(
		step "decode 1" 0 100
		op kernel 10 10 '"name":"k"'
		step "decode 2" 20 10
		step "decode 3" 50 100 2
		op kernel 60 10 '"name":"k"'
	)
	# the second has the gap that its kernel ends
	[[ $(lines unit <<< "$output") == '[0,0,0,1,1,10,0,0,0,0,0,0,0,10]
[0,1,50,1,1,10,0,0,0,0,0,0,0,40]' ]]
}

@test "a step or a range is what it launched, whenever that runs" {
	run -0 account --per 'range~^decode' < <(
		step "decode 1" 0 100
		step "decode 2" 100 10
		op kernel 120 200 '"name":"k","tid":1,"api_ts":20,"api_dur":5'
		op kernel 330 50 '"name":"k","tid":1,"api_ts":102,"api_dur":5'
		op memcpy 340 100 '"copy":"HtoD","tid":1,"api_ts":50,"api_dur":5'
		op kernel 400 50 '"name":"k","tid":1,"api_ts":390,"api_dur":5'
	)
	# 0-20 host, 20-120 launch, 320-330 launched long ago; 380-400 is of the
	# copy, 400-440 of a kernel that is of none
	[[ $(lines unit <<< "$output") == '[0,0,0,2,1,200,0,20,0,20,100,0,0,0]
[0,1,100,1,2,50,0,0,0,0,0,10,0,0]' ]]
}

@test "without steps the unit is the active span of each device" {
	run -0 account < <(
		op kernel 100 10 '"name":"k"'
		op memcpy 130 10 '"copy":"HtoD","bytes":7,"src":"Pinned","dst":"Device"'
		op kernel 500 10 '"name":"k","device":3'
	)
	[[ $(jq -r '.args | select(.account) | .by' <<< "$output") == span ]]
	[[ $(lines unit <<< "$output") == '[0,0,100,2,1,10,0,10,0,0,0,0,0,20]
[1,0,500,1,2,10,0,0,0,0,0,0,0,0]' ]]
	[[ $(lines copy <<< "$output") == '["HtoD","Pinned","Device",1,7,10]' ]]
}

@test "the first step of a process is left out, unless it is the only one" {
	run -0 account < <(
		step "step 0" 0 50
		op kernel 10 10 '"name":"k"'
		step "step 1" 50 40
		op kernel 60 20 '"name":"k"'
	)
	[[ $(jq -c '.args | select(.account) | .left' <<< "$output") == '[1,20]' ]]
	[[ $(lines unit <<< "$output") == '[0,1,50,1,1,20,0,0,0,0,0,0,0,40]' ]]
	run -0 account < <(
		step "step 0" 0 50
		op kernel 10 10 '"name":"k"'
	)
	[[ $(jq -c '.args | select(.account) | .left' <<< "$output") == '[0,0]' ]]
	[[ $(lines unit <<< "$output" | wc -l) == 1 ]]
}

@test "of a path the numbers are taken out, and it has what its operations expose" {
	run -0 account --per span < <(
		step "step 1" 0 100 1 '"id":1'
		step "layer 7" 10 20 1 '"id":2,"parent":1'
		op kernel 40 10 '"name":"k","tid":1,"api_ts":12,"api_dur":2,"range":2'
		op kernel 60 10 '"name":"k","tid":1,"api_ts":14,"api_dur":2,"range":2'
		op kernel 65 20 '"name":"k","tid":1,"api_ts":14,"api_dur":2,"range":2,"stream":8'
	)
	# ranges, their time, idle time; launches, their time, exposed
	[[ $(lines path <<< "$output") == '[["step *","layer *"],0,0,10,3,40,35]
[["step *"],0,0,0,0,0,0]' ]]
}

@test "of a grid there are launches, and what they expose; nodes of graphs have rows of their own" {
	run -0 account --per span < <(
		op kernel 0 10 '"name":"k","grid":[2,1,1],"block":[64,1,1]'
		op kernel 5 10 '"name":"k","grid":[4,1,1],"block":[64,1,1],"stream":8'
		op kernel 20 10 '"name":"k"'
		op kernel 40 10 '"name":"k","graph_node":7'
	)
	[[ $(jq -c '.args | select(.row) | [.graph, .on, .shapes, .shapeless]' <<< "$output") == \
	    '[null,[0,3,30,25],["[2,1,1] [64,1,1]",1,10,10,"[4,1,1] [64,1,1]",1,10,5],1]
[true,[0,1,10,10],null,1]' ]]
}

@test "sections of other ranks are one recording, sections without a rank are several" {
	for rank in '"rank":0,' '"rank":1,'; do
		op kernel 1 2 '"name":"k"' | stream | sed "1s/\"source\"/$rank&/"
	done > ranks
	run -0 tq-stats --partial -r account ranks
	[[ $(lines account <<< "$output" | wc -l) == 1 ]]
	[[ $(lines device <<< "$output" | wc -l) == 2 ]]
	op kernel 1 2 '"name":"k"' | stream > one
	cat one one > two
	run -0 tq-stats --partial -r account two
	[[ $(lines account <<< "$output" | wc -l) == 2 ]]
}

@test "the account of a real recording adds up, and to what gaps_sum has" {
	data nsys/2024.5.1-cloverleaf.sqlite
	stream=$(correlated 2024.5.1-cloverleaf)
	run -0 tq-stats --partial -r account --per span "$stream"
	[[ $(jq -c '.args | select(.unit) | .unit[5:]' <<< "$output") == \
	    '[294404540,0,9390923,3098756,17183112,17969496,292217,68766,0]' ]]
	[[ $(jq -s 'map(.args | select(.row) | .on[3]) | add' <<< "$output") == 303795463 ]]
	# the causes of gaps, from "host" to "queue"
	[[ $(tq-stats -f json1 -r gaps_sum "$stream" | jq -c '
	    map({(.Cause): .["Total (ns)"]}) | add |
	    [.sync, .host, .launch, .next, .queue]') == \
	    '[3098756,17183112,17969496,292217,68766]' ]]
}

@test "the table of account has the rows of each device, and idle time by cause" {
	stream < <(
		op kernel 100 10 '"name":"k"'
		op kernel 130 10 '"name":"k"'
	) > in
	run -0 tq-stats -f csv -r account in
	[[ ${lines[1]} == '1,0,span,1,unknown,50.0,20.0,20,0,0,,unknown,20' ]]
	[[ ${lines[2]} == '1,0,span,1,compute,50.0,20.0,20,0,2,k,,' ]]
}

# Two kernels at 0 and 1000 ns, of 100 ns each.  Thread 1 launches the second
# from 900 to 950; before that it reads a file from 200 to 500, allocates
# from 500 to 620, and waits from 700 to 800.
idle_time() {
	op kernel 0 100 '"name":"k","tid":1,"api_ts":-20,"api_dur":10'
	osrt read 200 300
	call cudaMalloc 500 120
	call cudaStreamSynchronize 700 100
	op kernel 1000 100 '"name":"k","tid":1,"api_ts":900,"api_dur":50'
}

# osrt NAME TS DUR
osrt() {
	echo '{"kind":"osrt","ts":'"$2"',"dur":'"$3"',"pid":1,"tid":1,"name":"'"$1"'"}'
}

@test "a cause of idle time has the finer cause that most of it is of, and account:cause a row for each" {
	idle_time | stream > in
	# host: [100, 200) [620, 700) [800, 900) no record, 280 in all; io 300
	run -0 tq-stats -q -f csv -r account in
	[[ $(grep host <<< "$output") == '1,0,span,1,host,63.6,700.0,700,0,0,,io,300' ]]
	[[ $(awk -F, '{ n += $8 } END { print n }' <<< "$output") == 1100 ]]
	run -0 tq-stats -q -f csv -r account:cause in
	[[ $(cut -d, -f5,8,12,13 <<< "$output") == 'Part,Exposed (ns),Finer Cause,Finer Time (ns)
host,300,io,300
host,280,host,280
compute,200,,
host,120,alloc,120
sync,100,sync,100
launch,100,launch,100' ]]
}

@test "a step has the finer causes of the gaps that its operations end" {
	stream < <(
		step iteration_0 0 400
		op kernel 10 10 '"name":"k","tid":1,"api_ts":5,"api_dur":2'
		osrt read 100 200
		step iteration_1 400 500
		op kernel 420 10 '"name":"k","tid":1,"api_ts":405,"api_dur":2'
		osrt nanosleep 450 300
		op kernel 800 10 '"name":"k","tid":1,"api_ts":790,"api_dur":2'
	) > in
	# step 0 is left out, but the gap with its read ends with a kernel of step 1:
	# [20, 405) without the read, and [430, 790) without the sleep
	run -0 tq-stats -q -f csv -r account:cause in
	[[ $(cut -d, -f3,5,8,12 <<< "$output" | grep ,host,) == 'step,host,300,sleep
step,host,245,host
step,host,200,io' ]]
}

@test "an account file has the finer causes of each device, and a wrong one is an error" {
	idle_time | account > a
	run -0 jq -c '.args | select(.device) | .idle' a
	[[ $output == '["sync","sync",100,"host","host",280,"host","io",300,"host","alloc",120,"launch","launch",100]' ]]
	tq-diff a a > /dev/null
	sed 's/"host","io",300/"compute","io",300/' a > bad
	run -1 tq-diff bad a
	[[ $output == *"not a line of an account"* ]]
}

# finer REPORT VALUES [OPTION ...] STREAM: cause, finer cause and ns of each device
finer() {
	tq-stats -q -f json1 -r "$1" "${@:3}" | jq -c "[.[] |
	    select(.[\"Finer Cause\"] != null and .PID != null) |
	    [.PID, .Device, $2]] | group_by(.[:4])[] |
	    .[0][:4] + [map(.[4]) | add]" | sort
}

@test "finer causes are those of gaps_sum:thing to the ns: account, device_time, and the file of an account" {
	local name f
	data nsys/2021-sched-sampling.sqlite
	idle_time | stream > small
	for name in small 2021-sched-sampling 2021.2.1-osrt-callchains \
	    2024.5.1-cloverleaf 2026.2.1-mfu-2gpu 2026.2.1-h100-2gpu \
	    2025.3.1-cupy-nvtx 2024.6.2-cuda-graphs; do
		f=$name
		[[ $name == small ]] || f=$(correlated "$name")
		finer gaps_sum:thing '.Cause, .["Finer Cause"], .["Total (ns)"]' "$f" > gaps
		[[ -s gaps ]]
		finer account:cause '.Part, .["Finer Cause"], .["Exposed (ns)"]' --per span "$f" |
		    cmp - gaps
		finer device_time:cause '.Part, .["Finer Cause"], .["Time (ns)"]' "$f" |
		    cmp - gaps
		tq-stats --partial -r account --per span "$f" | jq -c '.args | select(.device) |
		    .device[1:3] as $d | .idle as $i | range(0; $i | length; 3) |
		    $d + $i[.:. + 3]' | sort | cmp - gaps
	done
}

@test "a stream without a gap has no finer causes" {
	stream < <(
		op kernel 0 100 '"name":"k","api_ts":-20,"api_dur":10'
		op kernel 100 100 '"name":"k","api_ts":-8,"api_dur":2'
	) > in
	run -1 tq-stats -r gaps_sum:thing in
	[[ $output == "tq-stats: gaps_sum: no gap between operations in the stream" ]]
	run -0 tq-stats -q -f csv -r device_time:cause in
	[[ $(cut -d, -f4-6 <<< "$output") == 'Part,Finer Cause,Time (ns)
compute,,200' ]]
}

@test "the rows of device_time:cause are the wall of each device" {
	data nsys/2026.2.1-mfu-2gpu.sqlite
	run -0 tq-stats -q -f json1 -r device_time:cause "$(correlated 2026.2.1-mfu-2gpu)"
	[[ $(jq -c 'group_by(.PID)[] | [.[0]["Wall (ns)"],
	    (map(.["Time (ns)"]) | add)]' <<< "$output") == '[299986072,299986072]
[299986072,299986072]' ]]
	idle_time | stream > in
	run -0 tq-stats -q -f csv -r device_time:cause in
	[[ $(cut -d, -f4-6 <<< "$output") == 'Part,Finer Cause,Time (ns)
compute,,200
host,host,280
host,io,300
host,alloc,120
sync,sync,100
launch,launch,100' ]]
}

@test "account stands alone with --partial, and a wrong unit is shown" {
	run -2 tq-stats --partial -r account,osrt_sum /dev/null
	[[ $output == "tq-stats: account cannot be merged: its lines stand alone, for tq-diff" ]]
	run -2 tq-stats -r account --per kernel /dev/null
	[[ $output == *"expected step, kernel~REGEX, range~REGEX, graph, span or launch"* ]]
	run -2 tq-stats -r account --per 'kernel~a/0' /dev/null
	[[ $output == *"expected a number from 1 behind the last '/'"* ]]
	run -2 tq-stats -r account --step median /dev/null
	[[ $output == *"expected steps, not their median"* ]]
}

@test "--per auto takes the shortest period of both, the same in each of its units" {
	for i in {0..39}; do
		for n in 0 1 2 3 4 5 6 7; do
			op kernel $((i * 1000 + n * 100)) 50 '"name":"layer_'$((n % 4))'"'
		done
		op kernel $((i * 1000 + 850)) 100 '"name":"update"'
	done | stream > a.tq
	sed 's/"dur":100/"dur":110/' a.tq > b.tq
	run -0 tq-diff --per auto -f ndjson a.tq b.tq
	[[ $(jq -c 'select(.kind == "unit") | [.units, .wall]' <<< "$output") == \
	    $'[39,1000]\n[39,1000]' ]]
	[[ $(jq -c 'select(.kind == "verdict") | [.unit, .period, .every, .fit, .equal]' <<< "$output") == \
	    '["kernel","update",1,1,1]' ]]
	# it is what is meant without --per, and a pipe is read twice, too
	tq-diff --per auto a.tq b.tq > auto
	run -0 tq-diff a.tq b.tq
	[[ $output == *"
period     from each launch of update to the next; 100.0 % of them have the same launches, by time 100.0 %
"* ]]
	diff auto - <<< "$output"
	tq-diff <(cat a.tq) <(zstd < b.tq) | diff auto -
	tq-diff - b.tq < a.tq | diff auto -
	tq-diff - b.tq < <(cat a.tq) | diff auto -
	# not where one side does something else in it
	sed 's/layer_1/layer_2/' b.tq > c.tq
	tq-diff -f ndjson a.tq c.tq | jq -es '.[0].unit == "span"'
	# steps come first
	{ step "step 1" 0 2000; step "step 2" 2000 2000; cat a.tq; } | grep -v '"trace"\|"end"' | sort -t: -k 3n | stream > steps.tq
	tq-diff -f ndjson steps.tq steps.tq | jq -es '.[0].unit == "step"'
}

# nest N: so many ranges around each other, and a kernel in each
nest() {
	awk -v n="$1" 'BEGIN {
		for (i = 0; i < n; i++)
			printf "{\"kind\":\"range\",\"ts\":%d,\"dur\":%d,\"pid\":1," \
			    "\"tid\":1,\"name\":\"r\",\"id\":%d}\n", i, 10 * n - 2 * i, i + 1
		for (i = 0; i < n; i++)
			printf "{\"kind\":\"api\",\"ts\":%d,\"dur\":2,\"pid\":1,\"tid\":1," \
			    "\"corr\":%d,\"name\":\"cudaLaunchKernel\"}\n", n + 2 * i, i + 1
		for (i = 0; i < n; i++)
			printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":1,\"pid\":1," \
			    "\"corr\":%d,\"name\":\"k\",\"device\":0}\n", 3 * n + 2 * i, i + 1
	}' | stream | tq-correlate
}

@test "ranges that nest 20,000 deep take little memory, for a path has its 256 outermost names" {
	local depth

	need native no-sanitizer
	for depth in 255 256 257 20000; do
		nest $depth > x.tq
		(
			ulimit -v 300000
			tq-stats --partial -r account x.tq > account
		)
		[ "$(lines path < account | jq -s 'map(.[0] | length) | max')" = \
		    $((depth < 256 ? depth : 256)) ] || { lines path < account | tail -n 2 | cut -c 1-300; return 1; }
	done
}
