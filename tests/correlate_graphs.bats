#!/usr/bin/env bats
# tq-correlate: operations of graphs get the names of their capture

load helper
load correlate

# node ID TIME [ORIGINAL] [KEYS]: a node of a graph is created
node() {
	local original=
	[ -z "${3-}" ] || original=",\"originalGraphNodeId\":$3"
	printf '{"kind":"api","ts":%d,"dur":0,"pid":1,"tid":1,"name":"Graph Node Creation","api":"cuda-graph","args":{"graphNodeId":%s%s}%s}\n' \
	    "$2" "$1" "$original" "${4-}"
}

# launch CORR START END: a graph of two operations
launch() {
	call "$1" "$2" "$3" ',"gpu":2' | sed s/cudaLaunchKernel/cudaGraphLaunch/
}

# named ID START END NAME [KEYS]
named() {
	range "$1" "$2" "$3" "${5-}" | sed "s|\"r$1\"|\"$4\"|"
}

# ID of a node: GRAPH ORDINAL
id() {
	echo $((($1 << 32) + $2))
}

# two nodes in ranges, made ready to run, and a launch within a range
captured() {
	named 1 0 100 "capture_8_FULL"
	named 2 1 90 model
	named 3 2 40 "nn.Module: Attention_0" ',"category":"python_function"'
	named 4 3 30 "aten::mm" ',"category":"cpu_op"'
	node "$(id 1 0)" 10
	named 5 50 80 "{'Module': 'layers.0.mlp', 'Inputs': [[8, 64], []], 'x': 1}"
	node "$(id 1 1)" 60
	node "$(id 2 0)" 110
	node "$(id 2 0)" 111 "$(id 1 0)"
	node "$(id 2 1)" 112
	node "$(id 2 1)" 113 "$(id 1 1)"
}

@test "an operation of a graph gets the ranges of its capture behind those of its launch" {
	{
		captured
		named 6 200 300 step
		launch 7 210 220
		kernel 7 230 240 ",\"graph_node\":$(id 2 0)"
		kernel 7 250 260 ",\"graph_node\":$(id 2 1)"
	} | correlate
	shows kernel '[.path, .graph_depth, .op_name, .module, .shapes, .node_index, .proof, .range]' \
	    '[["step","model","nn.Module: Attention_0","aten::mm"],1,"aten::mm","Attention_0",null,0,"node",6]
[["step","model","layers.0.mlp"],1,null,"layers.0.mlp","[[8, 64], []]",1,"node",6]'
	shows end '[.by_graph, .args]' \
	    '[2,{"graph_ops":2,"graph_named":2,"graph_ambiguous":0,"graph_refused":0}]'
	tq-correlate out | cmp - out
}

@test "a text of emit_nvtx is an operator with its shapes" {
	{
		named 1 0 90 "aten::addmm, seq = 3, sizes = [[8], [8, 64]], op_id = 2"
		node "$(id 1 0)" 10
		launch 7 210 220
		kernel 7 230 240 ",\"graph_node\":$(id 1 0)"
	} | correlate
	shows kernel '[.path, .graph_depth, .op_name, .shapes]' \
	    '[["aten::addmm"],0,"aten::addmm","[[8], [8, 64]]"]'
}

@test "a copy of a copy has the names of the original; the launch may lack a range" {
	{
		captured
		node "$(id 3 0)" 120 "$(id 2 0)"
		launch 7 210 220
		kernel 7 230 240 ",\"graph_node\":$(id 3 0)" |
			sed s/kernel/memcpy/
	} | correlate
	shows memcpy '[.path[0], .graph_depth, .node_index]' '["model",0,0]'
}

@test "a graph that was captured before the recording is not named, and -v says so" {
	{
		captured
		launch 7 210 220
		kernel 7 230 240 ",\"graph_node\":$(id 9 0)"
		kernel 7 240 250 ",\"graph_node\":$(id 2 0)"
	} | stream > in
	tq-correlate -v in > out 2> err
	shows kernel .proof 'null
"node"'
	shows end .args '{"graph_ops":2,"graph_named":1,"graph_ambiguous":0,"graph_refused":1}'
	grep -qx 'tq-correlate: 2 operations of graphs: 1 named, 0 ambiguous, 1 not' err
	grep -qx 'tq-correlate: graph 9: 1 operation not named: captured before the recording began' err
	{
		launch 7 210 220
		kernel 7 230 240
	} | stream | tq-correlate -v 2> err > out
	grep -q '1 operation of graphs not named: no capture in the recording: record it' err
	shows end .args.graph_refused 1
}

@test "a copy whose original is unknown is not named by the ranges of its copying" {
	{
		named 1 0 90 instantiate
		node "$(id 2 0)" 10
		node "$(id 2 0)" 11 "$(id 1 0)"
		launch 7 210 220
		kernel 7 230 240 ",\"graph_node\":$(id 2 0)"
	} | correlate
	shows kernel '[.path, .proof]' '[null,null]'
}

@test "equal nodes of two processes are two" {
	{
		named 1 0 90 one
		named 2 0 90 two ',"pid":2' | sed 's/"pid":1,//'
		node "$(id 1 0)" 10
		node "$(id 1 0)" 10 "" ',"pid":2' | sed 's/"pid":1,//'
		launch 7 210 220
		kernel 7 230 240 ",\"graph_node\":$(id 1 0)"
		kernel 7 230 240 ",\"graph_node\":$(id 1 0),\"pid\":2" |
			sed 's/"pid":1,//'
	} | correlate
	shows kernel '[.pid, .path]' '[1,["one"]]
[2,["two"]]'
}

@test "originals that go round in a circle end" {
	{
		node "$(id 1 0)" 10 "$(id 2 0)"
		node "$(id 2 0)" 11 "$(id 1 0)"
		launch 7 210 220
		kernel 7 230 240 ",\"graph_node\":$(id 1 0)"
	} | correlate
	shows kernel .proof null
}

@test "cudaGraphExecUpdate is reported with -v, for names are of the first capture" {
	{
		captured
		call 6 150 160 ',"gpu":0' | sed s/cudaLaunchKernel/cudaGraphExecUpdate/
		launch 7 210 220
		kernel 7 230 240 ",\"graph_node\":$(id 2 0)"
	} | stream | tq-correlate -v 2>&1 > out |
		grep -qx 'tq-correlate: cudaGraphExecUpdate was called: names are those of the first capture'
}

@test "without operations of graphs the end has no counts of them" {
	{
		call 9 100 150
		kernel 9 200 300
	} | correlate
	shows end .args null
}

@test "--path and folded stacks have the captured ranges" {
	{
		captured
		named 6 200 300 step
		launch 7 210 220
		kernel 7 230 240 ",\"graph_node\":$(id 2 0)"
	} | correlate --path
	shows kernel .path '["step","model","nn.Module: Attention_0","aten::mm"]'
	[ "$(tq-stats -r folded out)" = 'step;model;nn.Module: Attention_0;aten::mm;k 10' ]
}
