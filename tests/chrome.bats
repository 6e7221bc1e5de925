#!/usr/bin/env bats
# tq-chrome: a stream as Chrome trace JSON

load helper

setup() {
	need tq-chrome
	cd "$BATS_TEST_TMPDIR"
}

# ---- helpers ----

# draw [OPTION ...]: the records on stdin, a section, become out; what is
# said on stderr becomes err.  All of it is strict JSON.
draw() {
	stream > in
	tq-chrome "$@" in > out 2> err || return 1
	jq empty out
}

# shows FILTER EXPECT: what jq makes of each event, a line each
shows() {
	local got

	got=$(jq -c ".traceEvents[] | $1" out)
	if [[ $got != "$2" ]]; then
		printf 'expected:\n%s\ngot:\n%s\n' "$2" "$got"
		return 1
	fi
}

# says TEXT: this is all that stderr said, but for the summary
says() {
	local got

	got=$(grep -v 'events in, ' err || true)
	if [[ $got != "$1" ]]; then
		echo "said: $got"
		return 1
	fi
}

# where each slice and instant stands: name, process and thread by name
places='(map(select(.ph == "M" and .name == "process_name")
	| {key: "\(.pid)", value: .args.name}) | from_entries) as $p
    | (map(select(.ph == "M" and .name == "thread_name")
	| {key: "\(.pid) \(.tid)", value: .args.name}) | from_entries) as $t
    | .[] | select(.ph == "X" or .ph == "i")
    | [.name, $p["\(.pid)"], $t["\(.pid) \(.tid)"]]'

stands() {
	local got

	got=$(jq -c ".traceEvents | $places" out)
	if [[ $got != "$1" ]]; then
		printf 'expected:\n%s\ngot:\n%s\n' "$1" "$got"
		return 1
	fi
}

# kernel CORR TS END [MORE]
kernel() {
	echo '{"kind":"kernel","ts":'"$2"',"dur":'"$(($3 - $2))"',"pid":1,'\
'"corr":'"$1"',"name":"k'"$1"'","device":0,"context":1,"stream":7'"$4"'}'
}

# call CORR TS END [MORE]
call() {
	echo '{"kind":"api","ts":'"$2"',"dur":'"$(($3 - $2))"',"pid":1,'\
'"tid":1,"corr":'"$1"',"name":"launch","api":"cuda-runtime"'"$4"'}'
}

# range NAME TS END [MORE]
range() {
	echo '{"kind":"range","ts":'"$2"',"dur":'"$(($3 - $2))"',"pid":1,'\
'"tid":1,"name":"'"$1"'"'"$4"'}'
}

# ---- the file ----

@test "an event stands on a line, between a line before and a line behind" {
	range a 1000 3000 | draw
	[ "$(head -n 1 out)" = '{"displayTimeUnit":"ns","traceEvents":[' ]
	[ "$(tail -n 1 out)" = '],"otherData":{"converter":"'"$(
		tq-chrome --version)"'","version":1,"source":"test"}}' ]
	sed '1d;$d; s/,$//' out | jq -c . | wc -l > count
	[ "$(cat count)" -eq "$(($(wc -l < out) - 2))" ]
	shows 'select(.ph == "X")' '{"ph":"X","cat":"user_annotation",'\
'"name":"a","pid":1,"tid":1,"ts":1,"dur":2,"args":{}}'
}

@test "nothing to draw gives a trace of nothing" {
	: | draw
	[ "$(jq -c .traceEvents out)" = '[]' ]
	[ "$(cat err)" = 'tq-chrome: 0 events in, 0 out, 0 lanes added; '\
'0 slices, 0 arrows' ]
	run --separate-stderr tq-chrome -q /dev/null
	[ "$status" -eq 1 ]
	[ "$(jq -c '[.traceEvents, .otherData.truncated]' <<< "$output")" = \
	    '[[],true]' ]
}

@test "the summary counts events, lanes, slices and arrows; -q leaves it out" {
	{
		call 1 1000 2000
		kernel 1 1500 2500
		kernel 2 2000 3000
		echo '{"kind":"counter","ts":3000,"pid":1,"counter":1,"value":5}'
		echo '{"kind":"stack","id":1,"frames":["f"]}'
	} | draw
	[ "$(cat err)" = 'tq-chrome: 4 events in, 4 out, 1 lanes added; '\
'3 slices, 1 arrows' ]
	tq-chrome -q in 2>&1 > again | grep . && false
	cmp out again
}

@test "the origin of the trace is said, when it is known" {
	{
		echo '{"kind":"trace","origin_utc_ns":"1700000000000000000"}'
		range a 1000 2000
		echo '{"kind":"end","events":1}'
	} | tq-chrome > out
	grep -F '"baseTimeNanoseconds":1700000000000000000,' out
}

@test "metadata of a track come before its first event" {
	{
		kernel 1 100 200
		range a 150 300
		call 2 310 320
	} | draw
	jq -e '.traceEvents | . as $e | range(length) as $i
	    | select($e[$i].ph == "X")
	    | [$e[:$i][] | select(.ph == "M" and .pid == $e[$i].pid)
		| select(.tid == null or .tid == $e[$i].tid) | .name]
	    | contains(["process_name", "process_sort_index", "thread_name",
		"thread_sort_index"])' out
}

@test "the same input gives the same bytes" {
	for i in 1 2 3 4 5 6 7 8 9; do
		call $i "${i}000" "${i}500" | sed "s/\"tid\":1/\"tid\":$i/"
		kernel $i "${i}600" "${i}900" ",\"x$i\":1,\"a$i\":2" |
		    sed "s/\"stream\":7/\"stream\":$i/"
	done | draw
	for i in 1 2 3; do
		tq-chrome -q in | cmp - out
	done
}

# ---- time ----

@test "times are exact: microseconds with three decimals" {
	{
		range a 0 1
		range b 1 1000
		range c 999999999999999 1000000000000001
		range d 4503599627370495 4503599627370496
	} | draw
	grep -o '"ts":[^,]*,"dur":[^,]*' out > got
	cat > expect <<-'E'
	"ts":0.000,"dur":0.001
	"ts":0.001,"dur":0.999
	"ts":999999999999.999,"dur":0.002
	"ts":4503599627370.495,"dur":0.001
	E
	diff expect got
}

@test "a trace that begins before its origin is drawn from its first record on" {
	{
		range a -3000 -1000
		range b 1000 2000
	} | draw
	shows 'select(.ph == "X") | [.name, .ts, .dur]' '["a",0,2]
["b",4,1]'
	says ''
}

@test "a trace that begins beyond what viewers know exactly is, too" {
	{
		range a 1700000000000000001 1700000000000000003
		range b 1700000000000001001 1700000000000001003
	} | draw
	grep -F '"ts":0.000,"dur":0.002' out
	grep -F '"ts":1.000,"dur":0.002' out
}

@test "no time is negative: what is before the beginning is drawn at it" {
	{
		range a -3000 -1000
		range b -5000 1000
	} | draw
	shows 'select(.ph == "X") | [.name, .ts, .dur, .args.ts]' \
	    '["a",0,2,null]
["b",0,4,-5000]'
	says 'tq-chrome: warning: 1 event from before the beginning drawn at it'
}

@test "messages from long before do not move the beginning" {
	{
		echo '{"kind":"diagnostic","ts":-9000000,"text":"early"}'
		range a 1000 2000
	} | draw
	shows 'select(.ph == "X" or .ph == "i") | [.name, .ts, .args.ts]' \
	    '["early",0,-9000000]
["a",1,null]'
	says ''
	echo '{"kind":"diagnostic","ts":-9000000,"text":"early"}' | draw
	shows 'select(.ph == "i") | [.name, .ts]' '["early",0]'
}

@test "a negative duration counts as none, and is told" {
	range a 1000 500 | draw
	shows 'select(.ph == "X") | [.dur, .args.dur]' '[0,-500]'
}

@test "times near the limits of 64 bits do no harm" {
	{
		range a -9223372036854775808 -9223372036854775807
		echo '{"kind":"range","ts":9223372036854775807,'\
'"dur":9223372036854775807,"pid":1,"tid":1,"name":"b"}'
		range c 0 5
	} | draw
	shows 'select(.ph == "X") | select(.ts < 0 or .dur < 0)' ''
	shows 'select(.ph == "X") | .name' '"a"
"b"
"c"'
}

# ---- lanes ----

@test "siblings that cross get a lane, also where neither ends last" {
	{
		range outer 0 100000
		range a 10000 20000
		range b 15000 25000
		range c 21000 24000
	} | draw
	stands '["outer","process 1","thread 1"]
["a","process 1","thread 1"]
["b","process 1","thread 1 (overlap)"]
["c","process 1","thread 1"]'
	grep -F ' 1 lanes added' err
}

@test "nothing on a stream lies in something else" {
	{
		kernel 1 0 1000
		kernel 2 100 200
		kernel 3 150 900
		kernel 4 1000 1000
		kernel 5 1000 1100
	} | draw
	stands '["k1","GPU 0 · process 1","stream 7"]
["k2","GPU 0 · process 1","stream 7 (overlap)"]
["k3","GPU 0 · process 1","stream 7 (overlap 2)"]
["k4","GPU 0 · process 1","stream 7"]
["k5","GPU 0 · process 1","stream 7 (overlap)"]'
}

@test "lanes follow their row, and have thread ids of their own" {
	{
		kernel 1 0 1000
		kernel 2 500 1500
		kernel 3 2000 3000 | sed 's/"stream":7/"stream":8/'
	} | draw
	jq -r '.traceEvents | sort_by(.args.sort_index) | .[]
	    | select(.name == "thread_sort_index") | .tid' out > tids
	[ "$(tr '\n' ' ' < tids)" = '7 1000000000 8 ' ]
}

@test "a range that takes no time, and one in one, stay where they are" {
	{
		range a 1000 1000
		range b 2000 3000
		range c 2000 2000
		range d 3000 3000
	} | draw
	grep -F ' 0 lanes added' err
	shows 'select(.ph == "X") | [.name, .dur]' '["a",0]
["b",1]
["c",0]
["d",0]'
}

@test "start and end ranges that cross leave push and pop ranges in place" {
	{
		range push 0 10000 ',"mode":"push"'
		range start 5000 15000 ',"mode":"start"'
		range inner 6000 7000 ',"mode":"push"'
	} | draw
	stands '["push","process 1","thread 1"]
["start","process 1","thread 1 (overlap)"]
["inner","process 1","thread 1"]'
}

@test "a range that never ended lasts to the end, and holds what came in it" {
	{
		range before 0 1000
		echo '{"kind":"range","ts":2000,"pid":1,"tid":1,"name":"open",'\
'"open":true}'
		range in 3000 4000
		kernel 1 5000 9000
	} | draw
	stands '["before","process 1","thread 1"]
["in","process 1","thread 1"]
["k1","GPU 0 · process 1","stream 7"]
["open","process 1","thread 1"]'
	shows 'select(.name == "open") | [.ts, .dur, .args.open]' '[2,7,true]'
}

@test "a range that never ended in one that did gets a lane" {
	{
		range outer 0 5000
		echo '{"kind":"range","ts":2000,"pid":1,"tid":1,"name":"open",'\
'"open":true}'
		range next 6000 7000
	} | draw
	stands '["outer","process 1","thread 1"]
["next","process 1","thread 1"]
["open","process 1","thread 1 (overlap)"]'
}

@test "records out of order get lanes rather than lost" {
	{
		range a 5000 6000
		range b 5500 5600
		range c 1000 5500
		range d 5600 8000
	} | draw
	stands '["a","process 1","thread 1"]
["b","process 1","thread 1"]
["c","process 1","thread 1 (overlap)"]
["d","process 1","thread 1 (overlap)"]'
}

# ---- who and where ----

@test "pids and tids are numbers, and real ones where they can be" {
	{
		range a 0 10
		echo '{"kind":"range","ts":1,"dur":1,"pid":0,"tid":0,"name":"b"}'
		echo '{"kind":"range","ts":2,"dur":1,"pid":281474976710800,'\
'"tid":-5,"name":"c"}'
		kernel 1 10 20 | sed 's/"stream":7/"stream":0/'
	} | draw
	shows 'select(.ph == "X") | [.name, .pid, .tid]' '["a",1,1]
["b",4194305,1000000000]
["c",4194306,1000000000]
["k1",4194307,1000000000]'
	stands '["a","process 1","thread 1"]
["b","process 0","thread 0"]
["c","process 281474976710800","thread -5"]
["k1","GPU 0 · process 1","stream 0"]'
}

@test "processes, threads, devices and streams have their names" {
	{
		echo '{"kind":"process","pid":1,"name":"python3","host":"h"}'
		echo '{"kind":"thread","pid":1,"tid":1,"name":"main"}'
		echo '{"kind":"thread","pid":1,"tid":2,"name":"loader"}'
		echo '{"kind":"device","pid":1,"name":"H100","device":0,'\
'"gpu":3,"bus":"0000:1B:00.0"}'
		echo '{"kind":"stream","pid":1,"device":0,"context":1,'\
'"stream":7,"flags":"null"}'
		echo '{"kind":"stream","pid":1,"context":1,"stream":8,'\
'"flags":"default","name":"copies"}'
		range a 0 10
		range b 1 2 | sed 's/"tid":1/"tid":2/'
		kernel 1 10 20
		kernel 2 10 20 | sed 's/"stream":7/"stream":8/'
	} | draw
	stands '["a","python3","main"]
["b","python3","loader"]
["k1","GPU 0 H100 · python3 1","stream 7 (null)"]
["k2","GPU 0 H100 · python3 1","stream 8 copies"]'
	shows 'select(.name == "process_labels") | .args.labels' \
	    '"host h"
"physical GPU 3,0000:1B:00.0,host h"'
}

@test "a rank is named, and processes stand in the order of their ranks" {
	{
		echo '{"kind":"process","pid":30,"name":"a","rank":0}'
		echo '{"kind":"process","pid":20,"name":"b","rank":1}'
		echo '{"kind":"process","pid":10,"name":"sh"}'
		range z 0 9 | sed 's/"pid":1/"pid":10/'
		range y 1 9 | sed 's/"pid":1/"pid":20/'
		range x 2 9 | sed 's/"pid":1/"pid":30/'
		kernel 1 3 9 | sed 's/"pid":1/"pid":30/'
	} | draw
	jq -r '.traceEvents | (map(select(.name == "process_name")
	    | {key: "\(.pid)", value: .args.name}) | from_entries) as $n
	    | map(select(.name == "process_sort_index"))
	    | sort_by(.args.sort_index)[] | $n["\(.pid)"]' out > got
	diff - got <<-'E'
	GPU 0 · rank 0 a 30
	rank 0 a
	rank 1 b
	sh
	E
}

@test "rows stand in order: streams, ranges, syncs; threads, each with its own" {
	{
		echo '{"kind":"sched","ts":0,"pid":1,"tid":2,"cpu":0,"on":true}'
		echo '{"kind":"osrt","ts":1,"dur":1,"pid":1,"tid":2,"name":"r"}'
		range a 2 3 | sed 's/"tid":1/"tid":2/'
		echo '{"kind":"osrt","ts":3,"dur":1,"pid":1,"tid":1,"name":"r"}'
		range b 4 5
		kernel 1 10 20
		kernel 2 10 20 | sed 's/"stream":7/"stream":3/'
		echo '{"kind":"sync","ts":10,"dur":1,"pid":1,"device":0,'\
'"context":1,"stream":3,"sync":"stream"}'
		echo '{"kind":"gpu-range","ts":10,"dur":10,"pid":1,"tid":1,'\
'"name":"b","device":0}'
	} | draw
	jq -r '.traceEvents | (map(select(.name == "thread_name")
	    | {key: "\(.pid) \(.tid)", value: .args.name}) | from_entries) as $n
	    | map(select(.name == "thread_sort_index"))
	    | sort_by(-.pid, .args.sort_index)[] | $n["\(.pid) \(.tid)"]' \
	    out > got
	diff - got <<-'E'
	stream 3
	stream 7
	projected ranges
	sync stream 3
	thread 1
	thread 1 OS calls
	thread 2
	thread 2 OS calls
	thread 2 on CPU
	E
}

@test "two processes that call their devices 0 keep them apart" {
	{
		kernel 1 0 100
		kernel 1 50 150 | sed 's/"pid":1/"pid":2/'
	} | draw
	stands '["k1","GPU 0 · process 1","stream 7"]
["k1","GPU 0 · process 2","stream 7"]'
	grep -F ' 0 lanes added' err
}

@test "the devices of one process are apart, and so are contexts" {
	{
		kernel 1 0 100
		kernel 2 50 150 | sed 's/"device":0/"device":1/'
		kernel 3 50 150 | sed 's/"context":1/"context":2/'
	} | draw
	stands '["k1","GPU 0 · process 1","stream 7"]
["k2","GPU 1 · process 1","stream 7"]
["k3","GPU 0 · process 1","stream 7 context 2"]'
}

# ---- arrows ----

arrows='select(.ph == "s" or .ph == "f") | [.ph, .id, .pid, .tid, .ts, .bp]'

@test "an arrow leads from a call to its operation, without any range" {
	{
		call 5 1000 2000
		kernel 5 3000 4000
	} | draw
	shows "$arrows" '["s",1,1,1,1,null]
["f",1,4194305,7,3,"e"]'
	shows 'select(.ph == "s" or .ph == "f") | .cat + .name' '"ac2gac2g"
"ac2gac2g"'
}

@test "correlation ids that collide between processes do not mix arrows" {
	{
		call 5 1000 2000
		call 5 1100 2100 | sed 's/"pid":1,"tid":1/"pid":2,"tid":2/'
		kernel 5 3000 4000 | sed 's/"pid":1/"pid":2/'
		kernel 5 3100 4100
	} | draw
	shows "$arrows" '["s",1,2,2,1.1,null]
["f",1,4194305,7,3,"e"]
["s",2,1,1,1,null]
["f",2,4194306,7,3.1,"e"]'
}

@test "a graph launch has an arrow to each of its kernels, each of its own" {
	{
		call 5 1000 2000 ',"gpu":3'
		kernel 5 3000 4000
		kernel 5 4000 5000
		kernel 5 5000 6000 | sed 's/"device":0/"device":1/'
		kernel 5 6000 7000
	} | draw
	shows "$arrows"' | select(.[0] == "s")' '["s",1,1,1,1,null]
["s",2,1,1,1,null]
["s",3,1,1,1,null]'
}

@test "where calls are counted, one without a count launches nothing" {
	{
		call 5 1000 2000 ',"gpu":1'
		kernel 5 3000 4000
		call 6 5000 6000
		kernel 6 7000 8000
	} | draw
	grep -F ' 1 arrows' err
}

@test "of calls in one another under one id the outer one has the arrow" {
	{
		call 5 1000 2000
		call 5 1100 1200 | sed s/cuda-runtime/cuda-driver/
		kernel 5 3000 4000
		call 5 5000 6000
		kernel 5 7000 8000
	} | draw
	shows "$arrows"' | select(.[0] == "s")' '["s",1,1,1,1,null]
["s",2,1,1,5,null]'
}

@test "an arrow starts where the call is the innermost slice" {
	{
		call 5 1000 2000
		range a 1000 1200
		echo '{"kind":"mark","ts":1200,"pid":1,"tid":1,"name":"m"}'
		kernel 5 3000 4000
	} | draw
	shows "$arrows"' | select(.[0] == "s")' '["s",1,1,1,1.201,null]'
}

@test "an arrow starts on the lane of its call" {
	{
		range a 0 1500
		call 5 1000 2000
		kernel 5 3000 4000
	} | draw
	shows "$arrows"' | select(.[0] == "s")' '["s",1,1,1000000000,1,null]'
}

@test "no arrow leads backwards, or to what has no call" {
	{
		kernel 4 500 600
		call 5 1000 2000
		kernel 5 900 1100
		kernel 6 3000 4000
	} | draw
	grep -F ' 0 arrows' err
}

@test "an operation that starts before its call returns has its arrow" {
	{
		call 5 1000 9000
		kernel 5 1000 1100
	} | draw
	grep -F ' 1 arrows' err
}

@test "--no-flows draws none" {
	{
		call 5 1000 2000
		kernel 5 3000 4000
	} | draw --no-flows
	shows 'select(.ph == "s" or .ph == "f")' ''
	grep -F ' 0 arrows' err
}

# ---- projected ranges ----

# projected ID TS END [MORE]
projected() {
	echo '{"kind":"gpu-range","ts":'"$2"',"dur":'"$(($3 - $2))"',"pid":1,'\
'"tid":1,"name":"r'"$1"'","device":0,"range":'"$1$4"'}'
}

@test "projected ranges come inside out, and nest" {
	{
		projected 3 2000 3000 ',"parent":2'
		projected 4 3000 4000 ',"parent":2'
		projected 2 1000 5000 ',"parent":1'
		projected 5 6000 7000 ',"parent":1'
		projected 1 500 8000
	} | draw
	stands '["r4","GPU 0 · process 1","projected ranges"]
["r3","GPU 0 · process 1","projected ranges"]
["r5","GPU 0 · process 1","projected ranges"]
["r2","GPU 0 · process 1","projected ranges"]
["r1","GPU 0 · process 1","projected ranges"]'
	grep -F ' 0 lanes added' err
}

@test "of projected ranges with the same start the outer one comes first" {
	{
		projected 3 1000 2000 ',"parent":2'
		projected 2 1000 3000 ',"parent":1'
		projected 4 4000 5000 ',"parent":1'
		projected 1 1000 5000
	} | draw
	shows 'select(.ph == "X") | .name' '"r4"
"r1"
"r2"
"r3"'
	grep -F ' 0 lanes added' err
}

@test "a projected range whose outer one never comes is drawn" {
	{
		projected 3 1000 2000 ',"parent":2'
		projected 4 1500 2500
	} | draw
	stands '["r4","GPU 0 · process 1","projected ranges"]
["r3","GPU 0 · process 1","projected ranges (overlap)"]'
}

@test "the projected ranges of each thread have a row" {
	{
		projected 1 1000 2000
		projected 2 1500 2500 | sed 's/"tid":1/"tid":9/'
	} | draw
	stands '["r1","GPU 0 · process 1","projected ranges"]
["r2","GPU 0 · process 1","projected ranges of thread 9"]'
}

# ---- kinds ----

@test "copies, fills, graphs and syncs have names, and Kineto's categories" {
	at=',"pid":1,"device":0,"context":1,"stream":7'
	{
		echo '{"kind":"memcpy","ts":0,"dur":9'"$at"',"bytes":5,'\
'"copy":"HtoD","src":"Pinned","dst":"Device"}'
		echo '{"kind":"memset","ts":10,"dur":9'"$at"',"mem":"Device"}'
		echo '{"kind":"graph","ts":20,"dur":9'"$at"',"graph":4}'
		echo '{"kind":"sync","ts":30,"dur":9'"$at"',"sync":"event"}'
		echo '{"kind":"sync","ts":40,"dur":9,"pid":1,"device":0,'\
'"context":1,"sync":"context"}'
	} | draw
	shows 'select(.ph == "X") | [.name, .cat]' \
	    '["Memcpy HtoD (Pinned -> Device)","gpu_memcpy"]
["Memset (Device)","gpu_memset"]
["graph 4","graph"]
["sync event","cuda_sync"]
["sync context","cuda_sync"]'
	stands '["Memcpy HtoD (Pinned -> Device)","GPU 0 · process 1","stream 7"]
["Memset (Device)","GPU 0 · process 1","stream 7"]
["graph 4","GPU 0 · process 1","stream 7"]
["sync event","GPU 0 · process 1","sync stream 7"]
["sync context","GPU 0 · process 1","sync device"]'
}

@test "calls, ranges and kernels have Kineto's categories" {
	{
		call 1 0 10
		call 2 20 30 | sed s/cuda-runtime/cuda-driver/
		call 3 40 50 | sed s/cuda-runtime/mpi/
		range a 60 70
		kernel 1 80 90
		projected 1 80 90
	} | draw
	shows 'select(.ph == "X") | .cat' '"cuda_runtime"
"cuda_driver"
"mpi"
"user_annotation"
"kernel"
"gpu_user_annotation"'
}

@test "a kernel has the full name of its symbol, or its name from there" {
	{
		echo '{"kind":"symbol","name":"gemm","id":3,'\
'"demangled":"void gemm<float>(int)"}'
		kernel 1 0 10 ',"sym":3'
		kernel 2 10 20 ',"sym":3' | sed 's/"name":"k2",//'
		kernel 3 20 30 ',"sym":4'
	} | draw
	shows 'select(.ph == "X") | [.name, .args.demangled, .args.sym]' \
	    '["k1","void gemm<float>(int)",null]
["gemm","void gemm<float>(int)",null]
["k3",null,4]'
}

@test "a mark is an instant on its thread, with its domain" {
	echo '{"kind":"mark","ts":5000,"pid":1,"tid":2,"name":"here",'\
'"domain":"NCCL","category":"c"}' | draw
	shows 'select(.ph == "i")' '{"ph":"i","s":"t","cat":"mark",'\
'"name":"here","pid":1,"tid":2,"ts":5,'\
'"args":{"domain":"NCCL","category":"c"}}'
}

@test "a thread on a processor is a slice, from when it came to when it left" {
	{
		echo '{"kind":"sched","ts":1000,"pid":1,"tid":1,"cpu":3,'\
'"on":false,"state":"Sleeping"}'
		echo '{"kind":"sched","ts":2000,"pid":1,"tid":1,"cpu":3,"on":true}'
		echo '{"kind":"sched","ts":5000,"pid":1,"tid":1,"cpu":3,'\
'"on":false,"state":"Waiting","reason":"futex"}'
		echo '{"kind":"sched","ts":6000,"pid":1,"tid":1,"cpu":4,"on":true}'
		echo '{"kind":"sched","ts":7000,"pid":1,"tid":1,"cpu":5,"on":true}'
		range a 8000 9000
	} | draw
	shows 'select(.cat == "sched") | [.ph, .name, .ts, .dur, .args]' \
	    '["i","off CPU 3",1,null,{"tid":1,"cpu":3,"state":"Sleeping"}]
["X","CPU 3",2,3,{"tid":1,"cpu":3,"state":"Waiting","reason":"futex"}]
["X","CPU 4",6,1,{"tid":1,"cpu":4}]
["X","CPU 5",7,2,{"tid":1,"cpu":5}]'
}

@test "a sample has the name of its innermost frame, and all frames" {
	{
		echo '{"kind":"stack","id":1,"frames":["f \"x\"","main"]}'
		echo '{"kind":"sample","ts":1,"pid":1,"tid":1,"cpu":0,"stack":1}'
		echo '{"kind":"sample","ts":2,"pid":1,"tid":1,"stack":2}'
		call 1 3 4 ',"stack":1'
	} | draw
	shows 'select(.ph == "i" or .ph == "X") | [.name, .args.stack]' \
	    '["f \"x\"",["f \"x\"","main"]]
["(no name)",2]
["launch",["f \"x\"","main"]]'
}

@test "counters have name, unit and exact value, on their device" {
	{
		echo '{"kind":"counterdef","name":"SM active","id":1,"unit":"%"}'
		echo '{"kind":"counterdef","name":"SM active","id":2,"unit":"%"}'
		echo '{"kind":"counter","ts":1000,"device":0,"counter":1,'\
'"value":0.1}'
		echo '{"kind":"counter","ts":2000,"device":0,"counter":2,'\
'"value":9007199254740991}'
		echo '{"kind":"counter","ts":3000,"pid":1,"counter":3,"value":-2}'
	} | draw
	shows 'select(.ph == "C")' \
	    '{"ph":"C","name":"SM active","pid":4194305,"ts":1,"args":{"%":0.1}}
{"ph":"C","name":"SM active 2","pid":4194305,"ts":2,"args":{"%":9007199254740991}}
{"ph":"C","name":"counter 3","pid":1,"ts":3,"args":{"value":-2}}'
	shows 'select(.name == "process_name") | .args.name' '"GPU 0"
"process 1"'
}

@test "memory is an instant for each operation, and the total in use" {
	at='"pid":1,"device":0,"context":1'
	{
		echo '{"kind":"alloc","ts":1000,'"$at"',"bytes":100,'\
'"mem":"Device","address":"0x10","op":"alloc"}'
		echo '{"kind":"alloc","ts":2000,'"$at"',"bytes":50,'\
'"mem":"Pinned","op":"Allocation"}'
		echo '{"kind":"alloc","ts":3000,'"$at"',"bytes":100,'\
'"mem":"Device","address":"0x10","op":"free"}'
		echo '{"kind":"alloc","ts":4000,'"$at"',"op":"pool created",'\
'"pool":"Local"}'
	} | draw
	shows 'select(.ph == "C") | [.name, .args]' \
	    '["memory Device",{"bytes":100}]
["memory Pinned",{"bytes":50}]
["memory Device",{"bytes":0}]'
	stands '["alloc Device","GPU 0 · process 1","memory"]
["Allocation Pinned","GPU 0 · process 1","memory"]
["free Device","GPU 0 · process 1","memory"]
["pool created Local","GPU 0 · process 1","memory"]'
}

@test "OS calls, overhead, messages and losses have rows" {
	{
		echo '{"kind":"osrt","ts":0,"dur":9,"pid":1,"tid":1,"name":"read"}'
		echo '{"kind":"overhead","ts":1,"dur":9,"pid":1,"tid":1,'\
'"what":"Buffer flush"}'
		echo '{"kind":"diagnostic","ts":2,"pid":1,"severity":"info",'\
'"text":"started"}'
		echo '{"kind":"lost","ts":3,"what":"kernel","count":5}'
	} | draw
	stands '["read","process 1","thread 1 OS calls"]
["Buffer flush","process 1","thread 1 overhead"]
["started","process 1","messages"]
["lost kernel","trace","messages"]'
}

@test "kinds that nobody knows are drawn all the same" {
	{
		echo '{"kind":"gc","ts":1000,"dur":5000,"pid":1,"tid":1,"gen":2}'
		echo '{"kind":"tick \"x\"","ts":2000,"pid":1,"tid":1,"name":"t"}'
		echo '{"kind":"new definition","id":1}'
	} | draw
	shows 'select(.ph == "X" or .ph == "i") | [.ph, .cat, .name, .args]' \
	    '["X","gc","gc",{"tid":1,"gen":2}]
["i","tick \"x\"","t",{"tid":1}]'
	grep -F 'tq-chrome: 2 events in, 2 out,' err
}

@test "what is missing from a record stops nothing" {
	for kind in kernel memcpy memset sync graph api range mark gpu-range \
	    osrt sched sample counter alloc overhead lost diagnostic; do
		echo '{"kind":"'$kind'","ts":1000}'
	done | draw
	shows 'select(.ph == "X" or .ph == "i") | .name | length > 0' "$(
		for i in {1..16}; do echo true; done)"
	grep -F 'tq-chrome: 17 events in, 16 out, ' err
	says ''
}

# ---- args ----

@test "everything that a record knew goes to args" {
	kernel 5 0 10 ',"grid":[1,2,3],"regs":32,"launch":"cooperative",
	    "tid":9,"api_ts":5,"path":["a","b"],"range":4' | tr -d '\n\t' | draw
	shows 'select(.ph == "X") | .args' '{"pid":1,"tid":9,"correlation":5,'\
'"device":0,"context":1,"stream":7,"grid":[1,2,3],"regs":32,'\
'"launch":"cooperative","api_ts":5,"range":4,"path":["a","b"]}'
}

@test "unknown keys and what is under args are sorted behind, all by name" {
	range a 0 10 ',"z":1,"b":{"y":1,"x":[true,null]},"z":2,
	    "args":{"d":1,"a":{"k":1,"j":2},"d":3}' | tr -d '\n\t' | draw
	grep -F '"args":{"a":{"j":2,"k":1},"b":{"x":[true,null],"y":1},'\
'"d":3,"z":2}' out
}

@test "a name under args that is taken is told apart" {
	kernel 5 0 10 ',"new":1,"args":{"new":2,"stream":3,"correlation":4}' |
	    draw
	shows 'select(.ph == "X") | .args' '{"pid":1,"correlation":5,'\
'"device":0,"context":1,"stream":7,"args.correlation":4,"args.new":2,'\
'"args.stream":3,"new":1}'
}

@test "numbers that viewers would round are strings" {
	range a 0 10 ',"id":9007199254740993,"args":{"a":9007199254740991,
	    "b":-9007199254740993,"c":[18446744073709551616],"d":1.50,
	    "e":1e2}' | tr -d '\n\t' | draw
	shows 'select(.ph == "X") | .args' '{"id":"9007199254740993",'\
'"a":9007199254740991,"b":"-9007199254740993",'\
'"c":["18446744073709551616"],"d":1.5,"e":100}'
}

# ---- strings ----

@test "names are raw UTF-8, whatever they were" {
	{
		range 'caf\u00e9 \ud83d\ude00 \u007f' 0 10
		range $'caf\xc3\xa9 \xff\xed\xa0\x80' 20 30
		range 'say \"hi\" \\ \/ \n\u0001' 40 50
		range '\ud800 half' 60 70
		range '' 80 90
	} | draw
	grep -F '"name":"café 😀 \u007f"' out
	grep -F '"name":"café '$'\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd''"' out
	grep -F '"name":"say \"hi\" \\ / \n\u0001"' out
	grep -F '"name":"'$'\xef\xbf\xbd'' half"' out
	grep -F '"name":"(no name)"' out
}

@test "jq before it, with and without --sort-keys, changes no byte" {
	{
		echo '{"kind":"process","pid":1,"name":"p\u0041"}'
		echo '{"kind":"symbol","name":"g","id":3,"demangled":"g<\"x\">"}'
		echo '{"kind":"stack","id":1,"frames":["f\u007f","main"]}'
		call 5 1000 2000 ',"gpu":1,"stack":1,"args":{"b":1.0,"a":1e3}'
		kernel 5 3000 4000 ',"sym":3,"grid":[1,2,3],"zz":{"b":1,"a":2}'
		range 'x\u00e9\ud83d\ude00\u007f\/' 5000 6000 ',"color":"#ff0000"'
		range $'\x7f caf\xc3\xa9' 5000 6000 $',"domain":"\x7f12345678"'
		echo '{"kind":"range","ts":6000,"pid":1,"tid":1,"name":"open",'\
'"open":true}'
		projected 3 7000 8000 ',"parent":2,"path":["\u0061"]'
		projected 2 7000 9000
		echo '{"kind":"counter","ts":9000,"counter":1,"value":0.1}'
		echo '{"kind":"counter","ts":9000,"counter":1,"value":1.0}'
		echo '{"kind":"counter","ts":9000,"counter":1,"value":-0.30e-5}'
		echo '{"kind":"sched","ts":9000,"pid":1,"tid":1,"cpu":3,"on":true}'
		echo '{"kind":"n\u0065w","ts":9500,"\u0061":"\u0062"}'
		echo '{ "kind" : "mark", "ts" : 9.6e3, "args" : {} }'
	} | draw
	jq -c . in | tq-chrome -q | cmp - out
	jq -c --sort-keys . in | tq-chrome -q | cmp - out
}

# ---- colours ----

@test "the colour of a range becomes the nearest that the viewer knows" {
	{
		range a 0 10 ',"color":"#ff0000"'
		range b 10 20 ',"color":"#00ff01"'
		range c 20 30 ',"color":"#FFFFFE"'
		range d 30 40 ',"color":"red"'
		range e 40 50
	} | draw
	shows 'select(.ph == "X") | [.cname, .args.color]' \
	    '["terrible","#ff0000"]
["cq_build_attempt_passed","#00ff01"]
["white","#FFFFFE"]
[null,"red"]
[null,null]'
}

@test "--color-map colours by the first regex that matches the name" {
	cat > map <<-'E'
	# a comment

	^k[0-9]+$	good
	x y           #ff8c00
	.             black
	E
	{
		kernel 1 0 10
		range 'a x y' 20 30 ',"color":"#ffffff"'
		call 2 40 50
	} | draw --color-map map
	shows 'select(.ph == "X") | [.name, .cname]' '["k1","good"]
["a x y","thread_state_iowait"]
["launch","black"]'
}

@test "what is wrong with a colour map is said with its line" {
	check() {
		printf '%b' "$1" > map
		run --separate-stderr tq-chrome --color-map map /dev/null
		[ "$status" -eq 1 ]
		[ "$output" = '' ]
		[ "$stderr" = "tq-chrome: map:$2" ]
	}
	check 'a good\n\nb\n' '3: expected a regex and a colour'
	check '# x\na purple\n' '2: unknown colour: purple'
	check 'a #12345\n' '1: unknown colour: #12345'
	check 'a( good\n' '1: a(: Unmatched ( or \('
	run --separate-stderr tq-chrome --color-map no /dev/null
	[ "$status" -eq 1 ]
	[ "$stderr" = 'tq-chrome: no: No such file or directory' ]
}

# ---- input that ends early ----

@test "a cut stream gives a whole file, which says so, and exits 1" {
	{
		call 1 1000 2000
		kernel 1 3000 4000
		echo '{"kind":"range","ts":4000,"pid":1,"tid":1,"name":"open",'\
'"open":true}'
	} | stream > in
	sed '$d' in > cut
	run --separate-stderr tq-chrome cut
	[ "$status" -eq 1 ]
	jq -e '.otherData.truncated' <<< "$output"
	[ "$(jq -c '[.traceEvents[] | select(.ph == "X") | .name]' \
	    <<< "$output")" = '["launch","k1","open"]' ]
	[[ $stderr = *'tq-chrome: warning: cut: stream ends without its end record'* ]]
	size=$(stat -c %s in)
	for at in 60 150 200 $((size - 3)); do
		head -c $at in > cut
		! tq-chrome cut > out 2> err
		jq -e .otherData.truncated out
	done
}

@test "a line that is no record ends the file there, closed, and exits 1" {
	{
		stream < /dev/null | head -n 1
		range a 0 10
		echo '{"kind":'
		range b 10 20
	} > in
	run --separate-stderr tq-chrome in
	[ "$status" -eq 1 ]
	[ "$stderr" = 'tq-chrome: in:3: expected a value' ]
	[ "$(jq -c '[.otherData.truncated, (.traceEvents[]
	    | select(.ph == "X") | .name)]' <<< "$output")" = '[true,"a"]' ]
	run tq-chrome -o new in
	[ "$status" -eq 1 ]
	[ ! -e new ]
}

# ---- sections ----

@test "sections keep their processes apart" {
	{
		stream "$(range a 0 10)"
		stream "$(range b 20 30)" "$(kernel 1 20 30)"
	} > in
	tq-chrome in > out 2> err
	stands '["a","process 1","thread 1"]
["b","process 1","thread 1"]
["k1","GPU 0 · process 1","stream 7"]'
	shows 'select(.ph == "X") | [.pid, .tid]' '[1,1]
[4194305,1]
[4194306,7]'
	shows 'select(.name == "process_labels") | .args.labels' '"section 2"
"section 2"'
	says 'tq-chrome: warning: 1 section not aligned in time with the first'
}

@test "sections with a clock are aligned" {
	section() {
		echo '{"kind":"trace","origin_utc_ns":"'"$1"'","rank":'"$2"'}'
		range a 1000 3000
		echo '{"kind":"end","events":1}'
	}
	{
		section 1700000000000000000 0
		section 1700000000000005000 1
		section 1699999999999999999 2
	} | tq-chrome > out 2> err
	shows 'select(.ph == "X") | [.ts, .dur]' '[1,2]
[6,2]
[1,2]'
	shows 'select(.name == "process_name") | .args.name' '"rank 0 process 1"
"rank 1 process 1"
"rank 2 process 1"'
	says 'tq-chrome: warning: 1 section not aligned in time with the first'
}

@test "a section does not use the definitions or calls of another" {
	{
		stream '{"kind":"thread","pid":1,"tid":1,"name":"main"}' \
		    "$(call 5 0 10)"
		stream "$(range a 0 10)" "$(kernel 5 20 30)"
	} > in
	tq-chrome in > out 2> err
	stands '["launch","process 1","main"]
["a","process 1","thread 1"]
["k5","GPU 0 · process 1","stream 7"]'
	grep -F ' 0 arrows' err
}

@test "lines without a section are drawn, and nothing is missed" {
	{
		range a 0 10
		kernel 1 5 15
	} > in
	tq-chrome in > out 2> err
	says ''
	shows 'select(.ph == "X") | .name' '"a"
"k1"'
}

# ---- output ----

@test "gzip is one member, by --gzip or by the name of the file" {
	range a 0 10 | draw
	tq-chrome -q --gzip in > out.gz
	gzip -dc out.gz | cmp - out
	[ "$(LC_ALL=C grep -c -a -F $'\x1f\x8b\x08' out.gz)" -eq 1 ]
	tq-chrome -q -o x.json.gz in
	cmp x.json.gz out.gz
}

@test "zstd is written by -z or by the name of the file" {
	range a 0 10 | draw
	tq-chrome -qz in | zstd -dc | cmp - out
	tq-chrome -q -o x.json.zst in
	zstd -dc x.json.zst | cmp - out
}

@test "a stream that waits is drawn up to where it is" {
	mkfifo pipe
	tq-chrome -q pipe > out &
	pid=$!
	exec 7> pipe
	range a 0 10 >&7
	for _ in {1..500}; do
		! grep -q '"name":"a"' out || break
		sleep 0.02
	done
	grep -q '"name":"a"' out
	exec 7>&-
	wait $pid
	jq empty out
}

@test "JSON that is too large for a browser is warned of, but not as gzip" {
	{
		name=$(head -c 1000000 /dev/zero | tr '\0' x)
		for i in {1..501}; do
			echo '{"kind":"mark","ts":'"$i"',"name":"'"$name"'"}'
		done
	} > in
	tq-chrome -q in 2> err > /dev/null
	says 'tq-chrome: warning: 501 MB are too much for chrome://tracing: '\
'write gzip, or draw less'
	tq-chrome -q --gzip in 2> err > /dev/null
	says ''
}

@test "memory does not grow with the input" {
	if grep -q __asan_init "$BUILD/tq-chrome"; then
		skip "a sanitizer needs the memory"
	fi
	awk 'BEGIN {
		for (i = 1; i <= 300000; i++) {
			t = i * 1000
			printf "{\"kind\":\"range\",\"ts\":%d,\"dur\":900," \
			    "\"pid\":1,\"tid\":%d,\"name\":\"r%d\"}\n",
			    t, i % 8 + 1, i
			printf "{\"kind\":\"api\",\"ts\":%d,\"dur\":90," \
			    "\"pid\":1,\"tid\":%d,\"corr\":%d,\"gpu\":1," \
			    "\"name\":\"l\"}\n", t + 10, i % 8 + 1, i
			printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":900," \
			    "\"pid\":1,\"corr\":%d,\"device\":0," \
			    "\"stream\":7,\"name\":\"k\"}\n", t + 50, i
			printf "{\"kind\":\"gpu-range\",\"ts\":%d,\"dur\":900," \
			    "\"pid\":1,\"tid\":%d,\"device\":0," \
			    "\"range\":%d,\"parent\":%d,\"name\":\"r\"}\n",
			    t + 50, i % 8 + 1, i, -i
		}
	}' > in
	(ulimit -v 48000 && tq-chrome in > out 2> err)
	grep -F 'tq-chrome: 1200000 events in, 1200000 out, ' err
	grep -F ' 300000 arrows' err
}
