#!/usr/bin/env bats
# tq-correlate: parents, the ranges of a call, and what was done for a range

load helper
load correlate

# ---- parents ----

@test "the parent is the enclosing range with the least slack" {
	{
		range 1 0 100
		range 2 10 100
		range 3 10 90
		range 4 20 80
		range 5 85 90
		range 6 100 110
	} | correlate
	shows range '[.id, .parent, .depth]' '[1,null,0]
[2,1,1]
[3,2,2]
[4,3,3]
[5,3,3]
[6,null,0]'
}

@test "of identical ranges the earlier is the parent of the later" {
	{
		range 1 0 10
		range 2 0 10
		range 3 0 10
		range 4 5 10
	} | correlate
	shows range '[.id, .parent, .depth]' '[1,null,0]
[2,1,1]
[3,2,2]
[4,3,3]'
}

@test "ranges that cross are no parents of each other, but of what they enclose" {
	{
		range 1 0 49 ',"mode":"start"'
		range 2 40 90 ',"mode":"start"'
		range 3 42 48
		range 4 45 80
		range 5 60 70
	} | correlate
	shows range '[.id, .parent]' '[1,null]
[2,null]
[3,1]
[4,2]
[5,4]'
}

@test "parents are of the same domain, thread and process" {
	{
		range 1 0 100
		range 2 10 90 ',"domain":"lib"'
		range 3 20 80
		range 4 30 70 ',"domain":"lib"'
		range 5 31 60 | sed 's/"tid":1/"tid":2/'
		range 6 32 60 | sed 's/"pid":1/"pid":2/'
		range 7 33 60 ',"domain":"l\u0069b"'
	} | correlate
	shows range '[.id, .parent, .depth]' '[1,null,0]
[2,null,0]
[3,1,1]
[4,2,1]
[5,null,0]
[6,null,0]
[7,4,2]'
}

@test "a range of no length has a parent, and is one of its equals" {
	{
		range 1 10 20
		range 2 10 10
		range 3 10 10
		range 4 20 20
		range 5 21 21
	} | correlate
	shows range '[.id, .parent, .depth]' '[1,null,0]
[2,1,1]
[3,2,2]
[4,1,1]
[5,null,0]'
}

@test "a range that was never closed is nobody's parent and adds no depth" {
	{
		range 1 0 100
		echo '{"kind":"range","ts":10,"pid":1,"tid":1,"id":2,"open":true}'
		range 3 20 30
		range 4 200 300
	} | correlate
	shows range '[.id, .parent, .depth]' '[1,null,0]
[2,null,0]
[3,1,1]
[4,null,0]'
}

@test "a range that another thread ended has no parent and is none" {
	{
		range 1 0 100
		range 2 10 90 ',"end_tid":2'
		range 3 20 80 ',"end_tid":1'
	} > lines
	for scope in thread process; do
		correlate --scope $scope < lines
		shows range '[.id, .parent, .depth]' '[1,null,0]
[2,null,0]
[3,1,1]'
	done
}

# ---- the innermost range, and the path ----

@test "range is the innermost one that was open when the call started" {
	{
		range 1 0 1000
		range 2 10 500 ',"mode":"start"'
		range 3 20 30
		range 4 40 120
		call 1 100 150
		range 5 110 140
		kernel 1 200 300
	} | correlate
	shows kernel .range 4
}

@test "a range that ended at that moment is not open, unless the call did too" {
	{
		range 1 0 100
		range 2 10 50
		call 1 50 60
		call 2 50 50
		kernel 1 200 300
		kernel 2 300 400
	} | correlate
	shows kernel .range '1
2'
}

@test "records of one moment may stand in any order" {
	call 1 50 60 > call
	kernel 1 50 90 > kernel
	range 1 50 60 > range
	{ mark 70; } > mark
	cat range call kernel mark | correlate
	shows kernel .range 1
	shows gpu-range .ops 1
	cat call range kernel mark | correlate
	shows kernel .range 1
	cat call kernel range mark | correlate
	shows kernel .range 1
	shows gpu-range .ops 1
	cat kernel call range mark | correlate
	shows kernel .range 1
}

@test "--path adds the names of all ranges around the call, outermost first" {
	{
		range 1 0 1000 ',"name":"a\"b"'
		range 2 10 900 ',"domain":"lib"'
		range 3 15 18
		range 4 20 800
		call 1 100 110
		kernel 1 200 300
		call 2 1001 1002
		kernel 2 1100 1200
	} | correlate --path
	shows kernel .path '["a\"b","lib:r2","r4"]
null'
	shows gpu-range '[.range, .path]' '[4,["a\"b","lib:r2","r4"]]
[2,["a\"b","lib:r2"]]
[1,["a\"b"]]'
	correlate < <(sed '1d;$d' in)
	[ "$(grep -c path out)" = 0 ]
}

# ---- gpu-range ----

@test "a range has the operations of the calls that lie in it, edges included" {
	{
		call 1 90 110
		range 1 100 200
		call 2 100 110
		call 3 150 200
		call 4 195 201
		call 5 200 200
		kernel 1 300 310
		kernel 2 310 320
		kernel 3 320 330
		kernel 4 330 340
		kernel 5 340 350
	} | correlate
	shows gpu-range '[.range, .ts, .dur, .ops]' '[1,310,40,3]'
}

@test "a gpu-range has the keys of its range, and these in schema order" {
	{
		range 1 0 1000
		range 2 10 990 \
		    ',"domain":"d","category":"c","color":"#00ff00","x":1'
		call 1 20 30
		kernel 1 40 50
		mark 2000
	} | correlate --path
	[ "$(grep '"range":2,.*busy' out)" = '{"kind":"gpu-range","ts":40,"dur":10,"pid":1,"tid":1,"name":"r2","device":0,"domain":"d","category":"c","color":"#00ff00","range":2,"path":["r1","d:r2"],"depth":0,"ops":1,"launches":1,"busy":10,"range_ts":10,"range_dur":980}' ]
}

@test "busy is the time in which at least one operation ran" {
	{
		range 1 0 100
		call 1 10 20 ',"gpu":5'
		kernel 1 200 300
		kernel 1 220 250
		kernel 1 280 310
		kernel 1 400 400
		kernel 1 500 510
	} | correlate
	shows gpu-range '[.ts, .dur, .ops, .busy]' '[200,310,5,120]'
}

@test "a range has one gpu-range for each device it worked on" {
	{
		range 1 0 100
		call 1 10 20
		call 2 30 40
		call 3 50 60 ',"gpu":3'
		kernel 1 100 110
		kernel 2 120 140 | sed 's/"device":0/"device":1/'
		kernel 3 150 160 | sed 's/"device":0/"device":1/'
		kernel 3 160 170 | sed 's/"device":0/"device":1/'
		kernel 3 170 190
	} | correlate
	shows gpu-range '[.device, .ts, .dur, .ops, .launches, .busy]' \
	    '[0,100,90,2,2,30]
[1,120,50,3,2,40]'
}

@test "a launch on another thread widens a range only with --scope process" {
	{
		range 1 0 100
		range 2 5 90 | sed 's/"tid":1/"tid":2/'
		call 1 10 20
		call 2 30 40 | sed 's/"tid":1/"tid":3/'
		kernel 1 100 110
		kernel 2 200 210
	} > lines
	correlate < lines
	shows gpu-range '[.range, .ops]' '[1,1]'
	shows kernel .range '1
null'
	correlate --scope process < lines
	shows gpu-range '[.range, .tid, .ops]' '[2,2,2]
[1,1,2]'
	shows kernel '[.tid, .range]' '[1,2]
[3,2]'
	correlate --scope process < <(sed 's/"pid":1,"tid":3/"pid":2,"tid":3/' lines)
	shows end .unresolved 1
}

@test "a range that another thread ended has operations with --scope process only" {
	{
		range 1 0 100 ',"mode":"start","end_tid":2'
		call 1 10 20
		kernel 1 100 110
	} > lines
	correlate < lines
	shows gpu-range . ''
	shows kernel .range null
	correlate --scope process < lines
	shows gpu-range '[.range, .ops, .depth]' '[1,1,0]'
	shows kernel .range 1
}

@test "a range that was never closed lasts to the end of the trace" {
	{
		echo '{"kind":"range","ts":0,"pid":1,"tid":1,"id":1,"open":true}'
		range 2 10 100
		call 1 20 30
		kernel 1 40 50
		call 2 5000000000 5000000001
		kernel 2 5000000002 5000000003
	} | correlate
	shows gpu-range '[.range, .ops, .range_ts, .range_dur]' '[2,1,10,90]
[1,2,0,null]'
	kinds "trace range range api kernel gpu-range api kernel gpu-range end"
}

@test "a gpu-range follows the last operation it has, inner ranges first" {
	{
		range 1 0 100
		range 2 10 90
		call 1 20 30
		call 2 40 50
		mark 110
		kernel 1 200 210
		kernel 2 220 230
		mark 300
	} | correlate
	kinds "trace range range api api mark kernel kernel gpu-range gpu-range mark end"
	shows gpu-range .range '2
1'
}

@test "or the end of its range, where that is later" {
	{
		range 1 0 100
		range 2 10 100
		call 1 20 30
		kernel 1 40 50
		mark 100
		mark 101
	} | correlate
	kinds "trace range range api kernel mark gpu-range gpu-range mark end"
	shows gpu-range .range '2
1'
}

@test "ranges stay when they are projected, and those without work too" {
	{
		range 1 0 100
		call 1 10 20
		range 2 50 60
		kernel 1 200 210
	} | correlate
	shows range .id '1
2'
	shows gpu-range .range 1
}

@test "times before the origin, and beyond all measure, are no trouble" {
	{
		range 1 -9223372036854775807 -9223372036854775800
		range 2 -500 -100
		call 1 -400 -300
		kernel 1 -200 -150
		range 3 9223372036854775800 9223372036854775806
		call 2 9223372036854775801 9223372036854775802 ',"gpu":2'
		kernel 2 9223372036854775803 9223372036854775807
		kernel 2 9223372036854775805 9223372036854775805 |
		    sed 's/"dur":0/"dur":9223372036854775807/'
	} | correlate
	grep -q '"gpu-range","ts":-200,"dur":50,' out
	grep -q '"gpu-range","ts":9223372036854775803,"dur":4,' out
	grep -q '"ops":2,"launches":1,"busy":4,' out
}

# ---- operations of PyTorch ----

@test "a backward operation has the Python stack of its forward operation" {
	cat > "$BATS_TEST_TMPDIR/torch.tq" <<-'EOF'
	{"kind":"trace","version":1,"origin_utc_ns":"0"}
	{"kind":"stack","id":7,"frames":["forward (net.py:12)"]}
	{"kind":"stack","id":8,"frames":["loss (net.py:30)"]}
	{"kind":"range","ts":1,"dur":9,"pid":1,"tid":1,"id":1,"name":"aten::linear, seq = 40, op_id = 3","mode":"push","stack":7}
	{"kind":"range","ts":2,"dur":2,"pid":1,"tid":1,"id":2,"name":"aten::t","mode":"push","stack":7}
	{"kind":"range","ts":12,"dur":2,"pid":1,"tid":1,"id":3,"name":"aten::sum, seq = 4","mode":"push","stack":8}
	{"kind":"range","ts":20,"dur":5,"pid":1,"tid":2,"id":4,"name":"SumBackward0, seq = 4, op_id = 9, sizes = [[1]]","mode":"push"}
	{"kind":"range","ts":30,"dur":5,"pid":1,"tid":2,"id":5,"name":"AddmmBackward0, seq = 40","mode":"push"}
	{"kind":"range","ts":31,"dur":2,"pid":1,"tid":2,"id":6,"name":"aten::mm","mode":"push"}
	{"kind":"api","ts":32,"dur":1,"pid":1,"tid":2,"corr":3,"name":"cudaLaunchKernel"}
	{"kind":"kernel","ts":33,"dur":2,"pid":1,"corr":3,"name":"gemm","device":0}
	{"kind":"range","ts":36,"dur":5,"pid":2,"tid":2,"id":7,"name":"AddmmBackward0, seq = 40","mode":"push"}
	{"kind":"range","ts":42,"dur":5,"pid":1,"tid":2,"id":8,"name":"AddmmBackward0, seq = 400","mode":"push"}
	{"kind":"range","ts":48,"dur":5,"pid":1,"tid":2,"id":9,"name":"OddBackward0, seq = ","mode":"push"}
	{"kind":"end","events":13}
	EOF
	tq-correlate "$BATS_TEST_TMPDIR/torch.tq" > "$BATS_TEST_TMPDIR/once.tq"
	[ "$(jq -rc 'select(.kind == "range") | [.id, .stack]' "$BATS_TEST_TMPDIR/once.tq" | paste -sd ' ')" = \
	    "[1,7] [2,7] [3,8] [4,8] [5,7] [6,null] [7,null] [8,null] [9,null]" ]
	# and so have the operations that it launched
	[ "$(jq -rc 'select(.kind == "kernel") | [.stack, .range]' "$BATS_TEST_TMPDIR/once.tq")" = "[7,6]" ]
	[ "$(tq-stats -r folded:launches "$BATS_TEST_TMPDIR/once.tq")" = "forward (net.py:12);gemm 2" ]
	# a second time, and through a filter that keeps the stack
	tq-correlate "$BATS_TEST_TMPDIR/once.tq" | cmp - "$BATS_TEST_TMPDIR/once.tq"
	tq-filter 'name ~ "SumBackward"' "$BATS_TEST_TMPDIR/once.tq" | grep -c '"loss (net.py:30)"' | grep -x 1
}

# As PyTorch 2.11 makes them: what autograd does for the results of a backward
# operation is beside it, in one range around both.
@test "a backward operation has the forward line rather than a native stack" {
	cat > "$BATS_TEST_TMPDIR/torch.tq" <<-'EOF'
	{"kind":"trace","version":1,"origin_utc_ns":"0"}
	{"kind":"stack","id":7,"frames":["forward (net.py:12)"]}
	{"kind":"stack","id":8,"frames":["cudaLaunchKernel (libcudart.so.13)","run (libtorch.so)"]}
	{"kind":"stack","id":9,"frames":["launch (kernels.py:3)","backward (ops.py:50)"]}
	{"kind":"range","ts":1,"dur":9,"pid":1,"tid":1,"id":1,"name":"aten::addmm, seq = 40","mode":"push","stack":7}
	{"kind":"range","ts":29,"dur":31,"pid":1,"tid":2,"id":2,"name":"autograd::engine::evaluate_function: AddmmBackward0, op_id = 1","mode":"push"}
	{"kind":"api","ts":29,"dur":1,"pid":1,"tid":2,"corr":1,"name":"cudaLaunchKernel","stack":8}
	{"kind":"range","ts":30,"dur":9,"pid":1,"tid":2,"id":3,"name":"AddmmBackward0, seq = 40","mode":"push"}
	{"kind":"range","ts":31,"dur":7,"pid":1,"tid":2,"id":4,"name":"aten::mm","mode":"push"}
	{"kind":"api","ts":32,"dur":1,"pid":1,"tid":2,"corr":2,"name":"cudaLaunchKernel","stack":8}
	{"kind":"kernel","ts":33,"dur":2,"pid":1,"corr":2,"name":"native","device":0}
	{"kind":"api","ts":36,"dur":1,"pid":1,"tid":2,"corr":3,"name":"cudaLaunchKernel","stack":9}
	{"kind":"kernel","ts":37,"dur":2,"pid":1,"corr":3,"name":"python","device":0}
	{"kind":"range","ts":41,"dur":5,"pid":1,"tid":2,"id":5,"name":"aten::sum","mode":"push"}
	{"kind":"api","ts":42,"dur":1,"pid":1,"tid":2,"corr":4,"name":"cudaLaunchKernel","stack":8}
	{"kind":"kernel","ts":43,"dur":2,"pid":1,"corr":4,"name":"sum","device":0}
	{"kind":"api","ts":70,"dur":1,"pid":1,"tid":2,"corr":5,"name":"cudaLaunchKernel","stack":8}
	{"kind":"kernel","ts":71,"dur":2,"pid":1,"corr":5,"name":"outside","device":0}
	{"kind":"end","events":17}
	EOF
	tq-correlate "$BATS_TEST_TMPDIR/torch.tq" > "$BATS_TEST_TMPDIR/once.tq"
	[ "$(jq -rc 'select(.kind == "kernel") | [.name, .stack] | join(" ")' "$BATS_TEST_TMPDIR/once.tq" | paste -sd ,)" = \
	    "native 7,python 9,sum 7,outside 8" ]
	# the calls keep theirs, and an operation has one stack
	[ "$(jq -rc 'select(.kind == "api").stack' "$BATS_TEST_TMPDIR/once.tq" | paste -sd ,)" = 8,8,9,8,8 ]
	run ! grep -E '"stack":.*"stack":' "$BATS_TEST_TMPDIR/once.tq"
	tq-correlate "$BATS_TEST_TMPDIR/once.tq" | cmp - "$BATS_TEST_TMPDIR/once.tq"
}
