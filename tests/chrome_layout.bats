#!/usr/bin/env bats
# tq-chrome: what is drawn where

load helper
load chrome

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
	stands '["k1","process 1 · GPU 0","stream 7"]
["k2","process 1 · GPU 0","stream 7 (overlap)"]
["k3","process 1 · GPU 0","stream 7 (overlap 2)"]
["k4","process 1 · GPU 0","stream 7"]
["k5","process 1 · GPU 0","stream 7 (overlap)"]'
}

@test "lanes follow their row, and have thread ids of their own, in that order" {
	{
		kernel 1 0 1000
		kernel 2 500 1500
		kernel 3 2000 3000 | sed 's/"stream":7/"stream":8/'
	} | draw
	jq -r '.traceEvents | sort_by(.args.sort_index) | .[]
	    | select(.name == "thread_sort_index") | .tid' out > tids
	[ "$(tr '\n' ' ' < tids)" = '7 1000001793 8 ' ]
}

@test "thread ids that are made up are in the order of the rows" {
	{
		echo '{"kind":"sample","ts":0,"pid":1,"tid":3}'
		range a 0 1500
		range b 1000 2000
		echo '{"kind":"sample","ts":2000,"pid":1,"tid":2}'
	} | draw
	jq -r '.traceEvents | sort_by(.args.sort_index) | .[]
	    | select(.name == "thread_sort_index" and .tid >= 1e9) | .tid' \
	    out > tids
	[ "$(wc -l < tids)" = 3 ]
	sort -nc tids
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
["k1","process 1 · GPU 0","stream 7"]
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
	} | draw || true # which it says
	stands '["a","process 1","thread 1"]
["b","process 1","thread 1"]
["c","process 1","thread 1 (overlap)"]
["d","process 1","thread 1 (overlap)"]'
}

# ---- who and where ----

# in_order: the processes, under the titles that Perfetto shows, from the top
in_order() {
	jq -r '.traceEvents | (map(select(.name == "process_name")
	    | {key: "\(.pid)", value: "\(.args.name) \(.pid)"})
	    | from_entries) as $title
	    | map(select(.name == "process_sort_index"))
	    | sort_by(.args.sort_index)[] | $title["\(.pid)"]' out > got
	diff - got
}

# rows_in_order: the threads, of each process from the top
rows_in_order() {
	jq -r '.traceEvents | (map(select(.name == "thread_name")
	    | {key: "\(.pid) \(.tid)", value: .args.name}) | from_entries) as $n
	    | map(select(.name == "thread_sort_index"))
	    | sort_by(.pid, .args.sort_index)[] | $n["\(.pid) \(.tid)"]' \
	    out > got
	diff - got
}

@test "pids and tids are numbers, and real ones where they can be" {
	{
		range a 0 10
		echo '{"kind":"range","ts":1,"dur":1,"pid":0,"tid":0,"name":"b"}'
		echo '{"kind":"range","ts":2,"dur":1,"pid":281474976710800,'\
'"tid":-5,"name":"c"}'
		kernel 1 10 20 | sed 's/"stream":7/"stream":0/'
	} | draw
	shows 'select(.ph == "X") | [.name, .pid, .tid]' '["a",1,1]
["b",2,1000000000]
["c",3,2073742080]
["k1",0,1000000000]'
	stands '["a","process 1","thread 1"]
["b","process 0 · group 2","thread 0"]
["c","process 281474976710800 · group 3","thread -5"]
["k1","process 1 · GPU 0","stream 0"]'
}

@test "processes that use a device come before others, with their devices" {
	{
		for pid in 1 2 3; do
			echo '{"kind":"process","pid":'$pid'}'
		done
		echo '{"kind":"stream","pid":2,"device":0,"context":1,"stream":7}'
		range a 0 10 | sed 's/"pid":1/"pid":3/'
		range b 0 10
		range c 0 10 | sed 's/"pid":1/"pid":2/'
		# it was without a stream when it was first seen
		echo '{"kind":"stream","pid":3,"device":0,"context":1,"stream":7}'
		kernel 1 20 30 | sed 's/"pid":1/"pid":2/'
		kernel 2 20 30 | sed 's/"pid":1/"pid":3/'
	} | draw
	in_order <<-'E'
	process 2 · GPU 0
	process 2
	process 1
	process 3 · GPU 0 · group 4
	process 3
	E
}

@test "a process that has GPU 0 stands before that of GPU 1, whatever their pids" {
	{
		for pid in 1 2 3; do
			echo '{"kind":"process","pid":'$pid'}'
			echo '{"kind":"stream","pid":'$pid',"device":'$((3 - pid))\
',"context":1,"stream":7}'
		done
		# the number that a process gives to its device may be another one
		echo '{"kind":"device","pid":3,"device":0,"gpu":5}'
		for pid in 1 2 3; do
			range a 0 10 | sed 's/"pid":1/"pid":'$pid/
		done
	} | draw
	in_order <<-'E'
	process 2
	process 1
	process 3
	E
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
	stands '["a","python3 1","main"]
["b","python3 1","loader"]
["k1","python3 1 · GPU 0","stream 7 (null stream)"]
["k2","python3 1 · GPU 0","stream 8 copies"]'
	shows 'select(.name == "process_labels") | .args.labels' \
	    '"host h"
"H100,physical GPU 3,0000:1B:00.0,host h"'
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
	in_order <<-'E'
	rank 0 a 30 · GPU 0
	rank 0 a 30
	rank 1 b 20
	sh 10
	E
}

@test "rows stand in order: streams, ranges, syncs; threads, the main one first" {
	{
		echo '{"kind":"sched","ts":0,"pid":1,"tid":2,"cpu":0,"on":true}'
		echo '{"kind":"osrt","ts":1,"dur":1,"pid":1,"tid":2,"name":"r"}'
		range a 2 3 | sed 's/"tid":1/"tid":2/'
		echo '{"kind":"osrt","ts":3,"dur":1,"pid":1,"tid":1,"name":"r"}'
		range b 4 5
		for tid in 1 2; do
			echo '{"kind":"overhead","ts":5,"dur":1,"pid":1,"tid":'$tid\
',"what":"Buffer flush"}'
		done
		echo '{"kind":"diagnostic","ts":6,"pid":1,"text":"started"}'
		kernel 1 10 20
		kernel 2 10 20 | sed 's/"stream":7/"stream":3/'
		echo '{"kind":"sync","ts":10,"dur":1,"pid":1,"device":0,'\
'"context":1,"stream":3,"sync":"stream"}'
		echo '{"kind":"gpu-range","ts":10,"dur":10,"pid":1,"tid":1,'\
'"name":"b","device":0}'
	} | draw
	rows_in_order <<-'E'
	stream 3
	stream 7
	projected ranges
	sync stream 3
	thread 1
	thread 2
	thread 2 on CPU
	profiler overhead
	messages
	E
	shows 'select(.cat == "overhead") | .args.tid' '1
2'
}

@test "rows of one slice come last where others have more, behind them waiting threads" {
	{
		range a 0 1 | sed 's/"tid":1/"tid":3/'
		for ts in 1 3; do
			for tid in 2 4; do
				echo '{"kind":"osrt","ts":'$ts',"dur":1,"pid":1,'\
'"tid":'$tid',"name":"'$([ $tid = 2 ] && echo poll || echo read)'"}'
			done
			range a $ts $((ts + 1)) | sed 's/"tid":1/"tid":5/'
			kernel 1 $ts $((ts + 1))
		done
		kernel 1 5 6 | sed 's/"stream":7/"stream":3/'
	} | draw
	rows_in_order <<-'E'
	stream 7
	stream 3
	thread 4
	thread 5
	thread 3
	thread 2
	E
	# where nothing has more than one slice, nothing is moved
	{
		range a 0 1 | sed 's/"tid":1/"tid":3/'
		range a 0 1
	} | draw
	rows_in_order <<-'E'
	thread 1
	thread 3
	E
}

@test "a thread waits if nearly all of its time is in OS calls that wait" {
	os_call() { # TID DUR NAME
		echo '{"kind":"osrt","ts":1,"dur":'"$2"',"pid":1,"tid":'"$1"','\
'"name":"'"$3"'"}'
	}
	{
		os_call 2 91 poll
		os_call 2 10 read
		os_call 3 90 sem_wait
		os_call 3 11 read
		os_call 4 9 futex
		os_call 5 90 epoll_wait
		echo '{"kind":"sched","ts":10,"pid":1,"tid":5,"cpu":3,"on":true}'
		echo '{"kind":"sched","ts":30,"pid":1,"tid":5,"cpu":3,"on":false}'
		echo '{"kind":"mark","ts":50,"pid":1,"tid":4,"name":"it works"}'
		range a 100 101
		range a 102 103
	} | draw
	rows_in_order <<-'E'
	thread 1
	thread 3
	thread 4
	thread 5
	thread 5 on CPU
	thread 2
	E
}

@test "two processes that call their devices 0 keep them apart" {
	{
		kernel 1 0 100
		kernel 1 50 150 | sed 's/"pid":1/"pid":2/'
	} | draw
	stands '["k1","process 1 · GPU 0","stream 7"]
["k1","process 2 · GPU 0 · group 1","stream 7"]'
	grep -F ' 0 lanes added' err
}

@test "the devices of one process are apart, and so are contexts" {
	{
		kernel 1 0 100
		kernel 2 50 150 | sed 's/"device":0/"device":1/'
		kernel 3 50 150 | sed 's/"context":1/"context":2/'
	} | draw
	stands '["k1","process 1 · GPU 0","stream 7"]
["k2","process 1 · GPU 1","stream 7"]
["k3","process 1 · GPU 0","stream 7 context 2"]'
}

# ---- arrows ----

arrows='select(.ph == "s" or .ph == "f") | [.ph, .id, .pid, .tid, .ts, .bp]'

@test "an arrow leads from a call to its operation, without any range" {
	{
		call 5 1000 2000
		kernel 5 3000 4000
	} | draw
	shows "$arrows" '["s",1,1,1,1,null]
["f",1,0,7,3,"e"]'
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
["f",1,0,7,3,"e"]
["s",2,1,1,1,null]
["f",2,3,7,3.1,"e"]'
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
	shows "$arrows"' | select(.[0] == "s")' '["s",1,1,1000000001,1,null]'
}

@test "no arrow leads backwards, or to what has no call" {
	{
		kernel 4 500 600
		kernel 5 900 1100
		call 5 1000 2000
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

@test "projected ranges come inside out, and nest" {
	{
		projected 3 2000 3000 ',"parent":2'
		projected 4 3000 4000 ',"parent":2'
		projected 2 1000 5000 ',"parent":1'
		projected 5 6000 7000 ',"parent":1'
		projected 1 500 8000
	} | draw
	stands '["r4","process 1 · GPU 0","projected ranges"]
["r3","process 1 · GPU 0","projected ranges"]
["r5","process 1 · GPU 0","projected ranges"]
["r2","process 1 · GPU 0","projected ranges"]
["r1","process 1 · GPU 0","projected ranges"]'
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

@test "two that start with the range around them wait for it" {
	{
		projected 3 1000 4000 ',"parent":1'
		projected 2 1000 2000 ',"parent":1'
		projected 1 1000 5000
	} | draw
	shows 'select(.ph == "X") | .name' '"r1"
"r3"
"r2"'
	grep -F ' 0 lanes added' err
}

@test "a projected range whose outer one never comes is drawn" {
	{
		projected 3 1000 2000 ',"parent":2'
		projected 4 1500 2500
	} | draw
	stands '["r4","process 1 · GPU 0","projected ranges"]
["r3","process 1 · GPU 0","projected ranges (overlap)"]'
}

@test "the projected ranges of each thread have a row" {
	{
		projected 1 1000 2000
		projected 2 1500 2500 | sed 's/"tid":1/"tid":9/'
	} | draw
	stands '["r1","process 1 · GPU 0","projected ranges"]
["r2","process 1 · GPU 0","thread 9 projected ranges"]'
}
