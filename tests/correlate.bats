#!/usr/bin/env bats
# tq-correlate: which call launched an operation

load helper
load correlate

@test "an operation gets thread, time and name of its call, behind its keys" {
	{
		call 9 100 150
		kernel 9 200 300 ',"args":{"x":[1]}'
	} | correlate
	line=$(kernel 9 200 300 ',"args":{"x":[1]}')
	added='"tid":1,"api_ts":100,"api_dur":50,"api_name":"cudaLaunchKernel"'
	[ "$(sed -n 3p out)" = "${line%\}},$added}" ]
}

@test "copies, fills and graphs get them too" {
	{
		call 1 10 20
		call 2 30 40
		call 3 50 60
		kernel 1 100 200 | sed s/kernel/memcpy/
		kernel 2 100 200 | sed s/kernel/memset/
		kernel 3 100 200 | sed s/kernel/graph/
	} | correlate
	shows memcpy .api_ts 10
	shows memset .api_ts 30
	shows graph .api_ts 50
}

@test "an operation gets the stack of its call, else that of its range or above" {
	range() {
		printf '{"kind":"range","ts":%d,"dur":%d,"pid":1,"tid":1,"id":%d,"name":"r","mode":"push"%s}\n' "$@"
	}
	{
		call 1 10 20 ',"gpu":1,"stack":5'
		range 25 30 1 ',"stack":8'
		range 26 28 2 ''
		call 2 30 40 ',"gpu":1,"stack":6'
		call 3 41 45
		call 4 46 50
		call 5 60 65
		kernel 1 100 200
		kernel 2 200 210 | sed s/kernel/memcpy/
		kernel 3 210 220 | sed s/kernel/memset/
		kernel 4 220 230 ',"stack":77'
		kernel 5 230 240
	} | correlate
	shows kernel '[.corr, .stack]' '[1,5]
[4,77]
[5,null]'
	shows memcpy .stack 6
	shows memset '[.stack, .range]' '[8,2]'
	tail -n +2 out | sed 1d | grep -c '"stack":77' | grep -x 1
	tq-correlate out | cmp - out
}

@test "all other records pass byte for byte, also of unknown kinds" {
	{
		echo '{ "ts" : 1.0e1, "kind" : "api", "new": {"a" :1} }'
		echo '{"kind":"new","ts":20,"text":"x\u0041"}'
		echo '{"kind":"stack","id":1,"frames":["a"]}'
		mark 30
	} > lines
	correlate < lines
	sed '1d;$d' out | cmp - lines
}

@test "one correlation id in two processes is two calls" {
	{
		call 1 10 20
		call 1 11 21 ',"gpu":1' | sed 's/"pid":1,"tid":1/"pid":2,"tid":5/'
		kernel 1 30 40
		kernel 1 31 40 | sed s/'"pid":1'/'"pid":2'/
	} | correlate
	shows kernel '[.pid, .tid, .api_ts]' '[1,1,10]
[2,5,11]'
}

@test "a graph launch serves all of its kernels" {
	{
		range 1 0 100
		call 5 10 20 ',"gpu":3'
		kernel 5 30 40 ',"graph_node":1'
		kernel 5 50 60 ',"graph_node":2'
		kernel 5 70 90 ',"graph_node":3'
		mark 200
	} | correlate
	shows kernel .api_ts '10
10
10'
	shows gpu-range '[.ops, .launches, .busy]' '[3,1,40]'
	shows end '[.resolved, .by_graph]' '[3,3]'
}

@test "an operation is by a graph when its call launched several, or it says so" {
	{
		call 1 10 20 ',"gpu":2'
		call 2 30 40
		call 3 50 60
		kernel 1 100 110
		kernel 1 101 110
		kernel 2 102 110 ',"graph":7'
		kernel 3 103 110
	} | correlate
	shows end .by_graph 3
	# where calls are not counted, the second operation tells of the first
	{
		call 1 10 20 ''
		call 2 30 40 ''
		kernel 1 100 110
		kernel 2 101 110
		kernel 1 102 110
	} | correlate
	shows end .by_graph 2
}

@test "of a runtime call and the driver call inside it the outer one counts" {
	{
		range 1 10 50
		call 7 10 50
		range 2 15 45
		call 7 20 40 | sed s/cudaLaunchKernel/cuLaunchKernel/
		kernel 7 60 70
		mark 80
	} | correlate
	shows kernel '[.api_ts, .api_name, .range]' '[10,"cudaLaunchKernel",1]'
	shows gpu-range '[.range, .launches]' '[1,1]'
	shows end '[.resolved, .ambiguous]' '[1,0]'
}

@test "the driver call may even begin after its operation did" {
	{
		range 1 0 50
		call 7 10 40
		kernel 7 11 60
		call 7 12 30 | sed s/cudaLaunchKernel/cuLaunchKernel/
		call 8 41 42
		mark 70
		kernel 8 80 90
	} | correlate
	shows kernel .api_ts '10
41'
	shows gpu-range '[.ops, .launches]' '[2,2]'
	kinds "trace range api kernel api api mark kernel gpu-range end"
}

@test "an operation whose call is not in the stream keeps all it has" {
	{
		kernel 99 10 20 ',"launch":"regular"'
		echo '{"kind":"kernel","ts":30,"dur":5,"pid":1,"name":"nocorr"}'
		mark 40
	} > lines
	correlate < lines
	sed '1d;$d' out | cmp - lines
	shows end '[.resolved, .unresolved]' '[0,2]'
}

@test "of two calls with one id the newer counts, and it is said" {
	{
		call 1 10 20
		call 1 30 40
		kernel 1 50 60
	} | correlate
	shows kernel .api_ts 30
	shows end '[.resolved, .ambiguous]' '[1,1]'
}

@test "an id that comes again after its operation is another call" {
	{
		call 1 10 20
		kernel 1 50 60
		call 1 70 80
		kernel 1 90 95
	} | correlate
	shows kernel .api_ts '10
70'
	shows end .ambiguous 0
}

@test "where calls are counted, one without a count launched nothing" {
	{
		call 1 10 20
		call 2 30 40 ''
		call 3 50 60 ',"gpu":0'
		kernel 1 100 110
		kernel 2 100 110
		kernel 3 100 110
	} | correlate
	shows end '[.resolved, .unresolved]' '[1,2]'
}

@test "where calls are not counted, each may launch something" {
	{
		call 1 10 20 ''
		call 2 30 40 ''
		kernel 1 100 110
		kernel 2 100 110
	} | correlate
	shows kernel .api_ts '10
30'
}

@test "a call whose operations do not come is forgotten after 131072 others" {
	call 1 1 2 '' | awk -F '"corr":1,' '{ for (i = 1; i <= 131073; i++)
	    print $1 "\"corr\":" i "," $2 }' > calls
	{
		cat calls
		kernel 1 10 20
		kernel 2 11 20
	} | correlate
	[ "$(tail -n 1 out | jq -c '[.resolved, .unresolved]')" = '[1,1]' ]
	sed 's/}$/,"gpu":1}/' calls | {
		cat
		kernel 1 10 20
		kernel 2 11 20
	} | correlate
	[ "$(tail -n 1 out | jq -c '[.resolved, .unresolved]')" = '[1,1]' ]
}

@test "keys that an operation has are not added again" {
	{
		call 1 10 20
		kernel 1 100 110 ',"tid":4'
	} | correlate
	[ "$(grep -o '"tid"' out | wc -l)" = 2 ]
	shows kernel '[.tid, .api_ts]' '[4,10]'
}

# ---- operations before their call ----

@test "an operation that starts before its call waits for it, all behind it too" {
	{
		range 1 0 5000
		kernel 7 1000 1500
		mark 1100
		call 8 1200 1300
		call 7 1400 1450
		kernel 8 1500 1600
		mark 9000
	} | correlate
	kinds "trace range kernel mark api api kernel gpu-range mark end"
	shows kernel .api_ts '1400
1200'
	shows gpu-range '[.ts, .dur, .ops, .busy]' '[1000,600,2,600]'
	shows end '[.events, .resolved]' '[8,2]'
}

@test "it waits no longer than a millisecond of the trace" {
	{
		kernel 7 1000 1500
		mark 1001000
		call 7 1001001 1001002
	} | correlate
	shows end '[.resolved, .unresolved]' '[0,1]'
	{
		kernel 7 1000 1500
		mark 1001000
		call 7 1001000 1001002
	} | correlate
	shows end '[.resolved, .unresolved]' '[1,0]'
}

@test "it waits for no more than 16384 lines" {
	{
		kernel 7 1000 1500
		mark 1001 | awk '{ for (i = 0; i < 16384; i++) print }'
		call 7 1002 1003
	} | correlate
	shows end '[.events, .resolved, .unresolved]' '[16386,0,1]'
	sed '$d' in | cmp - <(sed '$d' out)
}

@test "operations without calls do not change the order of anything" {
	for ((i = 0; i < 4000; i++)); do
		echo '{"kind":"kernel","ts":'$((i * 700))',"dur":9,"corr":'$i'}'
		echo '{"kind":"mark","ts":'$((i * 700 + 1))',"name":"m'$i'"}'
	done | correlate
	sed '$d' in | cmp - <(sed '$d' out)
	shows end '[.events, .unresolved]' '[8000,4000]'
}
