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
	tq-correlate -q -v in 2> err | cmp out -
	[ ! -s err ]
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

# ---- captures: --graph and -g ----

# record KIND TS DUR REST: of process and thread 1
record() {
	printf '{"kind":"%s","ts":%d,"dur":%d,"pid":1,"tid":1,%s}\n' "$@"
}

# capture TS NAME MODEL KERNEL ...: within a range NAME, a kernel every 10 ns,
# each in a range MODEL.N; ends at TS + 10 * KERNELS + 20
capture() {
	local t=$1 name=$2 model=$3 n=0
	shift 3
	record range "$t" $((10 * $# + 20)) '"name":"'"$name"'"'
	record api $((t + 1)) 1 '"corr":1,"name":"hipStreamBeginCapture"'
	for kernel; do
		t=$((t + 10))
		n=$((n + 1))
		record range $t 9 '"name":"'"$model.$n"'"'
		record range $((t + 1)) 7 '"name":"aten::mm","category":"cpu_op","args":{"Input Dims":[['"$n"',8],[]]}'
		record api $((t + 2)) 1 '"corr":'$t',"name":"hipLaunchKernel","args":{"kernel":"'"$kernel"'"}'
	done
	record api $((t + 11)) 1 '"corr":2,"name":"hipStreamEndCapture"'
}

# replay CORR TS KERNEL ...: a launch of a graph of these, one every 10 ns
replay() {
	local corr=$1 t=$2
	shift 2
	record api "$t" 5 '"corr":'"$corr"',"name":"hipGraphLaunch"'
	for kernel; do
		t=$((t + 10))
		record kernel $t 5 '"corr":'"$corr"',"name":"'"$kernel"'","device":0,"stream":'"${STREAM:-0}${KEYS-}" | sed 's/"tid":1,//'
	done
}

# names_of OPTION ...: path, operator, module, shapes, place and proof of kernels
# of the file in, and what is said of them
names_of() {
	tq-correlate "$@" in > out 2> err || return
	jq -r 'select(.kind == "kernel") | [(.path // ["-"] | join("/")), .op_name,
	    .shapes, .node_index, .proof] | map(. // "-") | join(" ")' out
}

@test "--graph: a launch with the names of one capture has its labels" {
	{
		capture 0 capture_1_FULL model a b
		replay 7 100 a b
		replay 8 200 a b
	} | stream > in
	names_of --graph > got
	diff got - <<- 'EOF'
		model.1/aten::mm aten::mm [[1,8],[]] 0 sequence
		model.2/aten::mm aten::mm [[2,8],[]] 1 sequence
		model.1/aten::mm aten::mm [[1,8],[]] 0 sequence
		model.2/aten::mm aten::mm [[2,8],[]] 1 sequence
	EOF
	grep -qx 'tq-correlate: 4 operations of graphs: 4 named, 0 ambiguous, 0 not (sequence)' err
	shows end .args.graph_named 4
	# without the option nothing is read twice, and nothing is named
	[ "$(names_of | sort -u)" = "- - - - -" ]
	[ ! -s err ]
	# and from a pipe
	tq-correlate --graph < in 2> /dev/null | cmp - <(tq-correlate --graph in 2> /dev/null)
}

@test "-g: the capture is in another file, and of any process" {
	capture 0 capture_1_FULL model a b | sed 's/"pid":1/"pid":77/' | stream > capture
	replay 7 100 a b | stream > in
	names_of -g capture > got
	diff got - <<- 'EOF'
		model.1/aten::mm aten::mm [[1,8],[]] 0 sequence
		model.2/aten::mm aten::mm [[2,8],[]] 1 sequence
	EOF
	# two files of which one fits
	capture 0 capture_2_FULL other a c | stream > another
	names_of -g another -g capture | cmp - got
	# a file that is cut off is told
	head -n 3 capture > cut
	run -1 tq-correlate -g cut in
	[[ $output = *"cut: stream ends without its end record"* ]]
	[[ $output != *"(sequence)"* ]]
	run -1 tq-correlate -g nothing in
}

@test "the last one or two operations may be missing, and no other" {
	capture 0 capture_1_FULL model a b c d | stream > capture
	replay 7 100 a b c | stream > in
	[ "$(names_of -g capture | tail -1)" = "model.3/aten::mm aten::mm [[3,8],[]] 2 sequence" ]
	grep -q 'the last operations of launches are not recorded' err
	replay 7 100 a b | stream > in
	[ "$(names_of -g capture | wc -l)" = 2 ]
	[ "$(names_of -g capture | grep -c sequence)" = 2 ]
	# all else is no such sequence, but resembles it
	for kernels in "a" "b c d" "a c d" "a b d" "a b c e" "b a c d" "a b c d e"; do
		# shellcheck disable=SC2086
		replay 7 100 $kernels | stream > in
		[ "$(names_of -g capture | grep -c sequence)" = 0 ] || { echo "$kernels"; return 1; }
	done
	replay 7 100 e f b | stream > in
	[ "$(names_of -g capture | sort -u)" = "- - - - -" ]
	grep -q 'not named: no capture has the same sequence of names' err
}

@test "grids count where both sides have them" {
	capture 0 capture_1_FULL model a |
		sed 's/"kernel":"a"/"kernel":"a","grid":[8,1,1],"block":[1,1,1]/' |
		stream > capture
	KEYS=',"grid":[8,1,1],"block":[1,1,1]' replay 7 100 a | stream > in
	[ "$(names_of -g capture | cut -d' ' -f5)" = sequence ]
	KEYS=',"grid":[9,1,1],"block":[1,1,1]' replay 7 100 a | stream > in
	[ "$(names_of -g capture | cut -d' ' -f3,5)" = "- aligned" ]
}

@test "captures of one sequence: in order within a step, else what they agree on" {
	{
		record range 0 1000 '"name":"capture_9_PIECEWISE"'
		capture 10 x model.0 a b
		capture 110 x model.1 a b
	} | stream > capture
	# two launches of one step are the two captures, in order
	{
		record range 90 300 '"name":"execute_new_0_cached_9"'
		replay 7 100 a b
		replay 8 200 a b
	} | stream > in
	names_of -g capture | cut -d' ' -f1,5 > got
	diff got - <<- 'EOF'
		execute_new_0_cached_9/x/model.0.1/aten::mm order
		execute_new_0_cached_9/x/model.0.2/aten::mm order
		execute_new_0_cached_9/x/model.1.1/aten::mm order
		execute_new_0_cached_9/x/model.1.2/aten::mm order
	EOF
	# three launches are not two captures
	{
		record range 90 300 '"name":"execute_new_0_cached_9"'
		replay 7 100 a b
		replay 8 200 a b
		replay 9 300 a b
	} | stream > in
	names_of -g capture | sort -u > got
	diff got - <<- 'EOF'
		execute_new_0_cached_9/x aten::mm [[1,8],[]] 0 common
		execute_new_0_cached_9/x aten::mm [[2,8],[]] 1 common
	EOF
	shows end .args '{"graph_ops":6,"graph_named":0,"graph_ambiguous":6,"graph_refused":0}'
	# captures that agree are one
	{
		capture 0 capture_1 model a
		capture 100 capture_2 model a
	} | stream > capture
	replay 7 100 a | stream > in
	[ "$(names_of -g capture)" = "model.1/aten::mm aten::mm [[1,8],[]] 0 sequence" ]
}

@test "without names counts are no proof, but for one capture or the order of ids" {
	local id='"name":"k"'
	nameless() {
		capture "$@" | sed 's/,"args":{"kernel":"[^"]*"}//'
	}
	# replays of graph ID, whose kernels come in another order than their nodes
	graph() {
		record api "$2" 5 '"corr":'"$1"',"name":"cudaGraphLaunch"'
		for n in 1 0; do
			record kernel $(($2 + 10 + n)) 1 '"corr":'"$1"','"$id"',"device":0,"stream":1,"graph":'"$3"',"graph_node":'$((($3 << 32) + n)) |
				sed 's/"tid":1,//'
		done | sort -t: -k3n
	}
	{
		nameless 0 capture_1 one x x
		nameless 100 capture_2 two x x
	} | stream > capture
	{
		graph 7 200 8
		graph 8 300 4
	} | stream > in
	names_of -g capture | cut -d' ' -f1,5 > got
	diff got - <<- 'EOF'
		two.1/aten::mm ordinal
		two.2/aten::mm ordinal
		one.1/aten::mm ordinal
		one.2/aten::mm ordinal
	EOF
	# three graphs and two captures prove nothing
	{
		graph 7 200 8
		graph 8 300 4
		graph 9 400 5
	} | stream > in
	[ "$(names_of -g capture | sort -u)" = "- - - - -" ]
	# one capture and one sequence
	nameless 0 capture_1 one x x | stream > capture
	replay 7 100 k j | stream > in
	[ "$(names_of -g capture | cut -d' ' -f5 | sort -u)" = ordinal ]
	{
		replay 7 100 k j
		replay 8 200 j k
	} | stream > in
	[ "$(names_of -g capture | cut -d' ' -f5 | sort -u)" = - ]
}

@test "two streams without nodes have no order, and calls within a call are its parts" {
	capture 0 capture_1_FULL model a b | stream > capture
	{
		replay 7 100 a
		STREAM=1 replay 7 110 b | sed 1d
	} | stream > in
	[ "$(names_of -g capture | sort -u)" = "- - - - -" ]
	{
		capture 0 capture_1_FULL model a b
		record api 12 1 '"corr":10,"name":"cuLaunchKernel"'
	} | sort -s -t: -k3n | stream > capture
	replay 7 100 a b | stream > in
	[ "$(names_of -g capture | cut -d' ' -f5 | sort -u)" = sequence ]
}

@test "a host function is a node, but no operation" {
	capture 0 capture_1_FULL model a b |
		sed '/"corr":10,/{p;s/hipLaunchKernel/hipLaunchHostFunc/;s/"ts":12/"ts":14/;s/"corr":10/"corr":11/}' |
		stream > capture
	KEYS=',"graph_node":4294967296' replay 7 100 a > one
	KEYS=',"graph_node":4294967298' replay 7 110 b | sed 1d > two
	cat one two | stream > in
	names_of -g capture | cut -d' ' -f1,4,5 > got
	diff got - <<< $'model.1/aten::mm 0 sequence\nmodel.2/aten::mm 2 sequence'
	replay 7 100 a b | stream > in
	names_of -g capture | cut -d' ' -f1,4,5 > got
	diff got - <<< $'model.1/aten::mm 0 sequence\nmodel.2/aten::mm 1 sequence'
}

@test "captures and launches are of their process and section" {
	capture 0 capture_1_FULL model a | sed 's/"pid":1/"pid":2/' > of_another
	{
		cat of_another
		replay 7 100 a
	} | stream > in
	[ "$(names_of --graph)" = "- - - - -" ]
	{
		capture 0 capture_1_FULL one a | stream
		{
			capture 0 capture_1_FULL two b
			replay 7 100 b
		} | stream
	} > in
	[ "$(names_of --graph | cut -d' ' -f1,5)" = "two.1/aten::mm sequence" ]
}

# ---- what no capture has ----

@test "a launch that resembles a capture has its labels without shapes, where all alignments agree" {
	capture 0 capture_1_FULL model a b c b d | stream > capture
	replay 7 100 a x b d | stream > in
	names_of -g capture > got
	# b is the second or the fourth call
	diff got - <<- 'EOF'
		model.1/aten::mm aten::mm - 0 aligned
		- - - - -
		- - - - -
		model.5/aten::mm aten::mm - 3 aligned
	EOF
	grep -qx 'tq-correlate: 4 operations of graphs: 2 named, 0 ambiguous, 2 not (aligned)' err
	# an operation that some alignments leave out has none
	replay 7 100 b a c d | stream > in
	names_of -g capture | cut -d' ' -f1,5 > got
	diff got - <<- 'EOF'
		- -
		- -
		model.3/aten::mm aligned
		model.5/aten::mm aligned
	EOF
	# several captures that it resembles as much have to agree, too
	capture 0 capture_2_FULL other a b c b e | stream > another
	replay 7 100 a c b | stream > in
	[ "$(names_of -g capture | grep -c aligned)" = 3 ]
	[ "$(names_of -g capture -g another | sort -u)" = "- - - - -" ]
}

@test "what resembles no capture enough is refused, with the best; --graph-min is the least" {
	capture 0 capture_1_FULL model a b c d e | stream > capture
	replay 7 100 a b x y z | stream > in
	[ "$(names_of -g capture | sort -u)" = "- - - - -" ]
	grep -qx 'tq-correlate: graph launches resemble no capture (best: 40 % of the names)' err
	[ "$(names_of -g capture --graph-min 40 | grep -c aligned)" = 2 ]
	[ "$(names_of -g capture --graph-min=41% | grep -c aligned)" = 0 ]
	for bad in 0 101 -1 x 5x ''; do
		run -2 tq-correlate "--graph-min=$bad" in
		[ "$output" = "tq-correlate: --graph-min ${bad:-''}: expected a whole percentage from 1 to 100" ]
	done
}

@test "what is too long to be compared is said" {
	awk 'BEGIN {
		rest = ",\"dur\":1,\"pid\":1,\"tid\":1,\"corr\":"
		printf "{\"kind\":\"api\",\"ts\":0%s1,\"name\":\"hipStreamBeginCapture\"}\n", rest
		for (i = 10; i < 8210; i++)
			printf "{\"kind\":\"api\",\"ts\":%d%s%d,\"name\":\"hipLaunchKernel\",\"args\":{\"kernel\":\"a\"}}\n", i * 2, rest, i
		printf "{\"kind\":\"api\",\"ts\":30000%s2,\"name\":\"hipStreamEndCapture\"}\n", rest
		printf "{\"kind\":\"api\",\"ts\":40000%s7,\"name\":\"hipGraphLaunch\"}\n", rest
		for (i = 0; i < 8300; i++)
			printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":1,\"pid\":1,\"corr\":7,\"name\":\"a\",\"device\":0,\"stream\":0}\n", 40001 + i
	}' | stream > in
	[ "$(names_of --graph | sort -u)" = "- - - - -" ]
	grep -qx 'tq-correlate: a graph of 8300 operations is not compared with 8200 calls: more than 64 M pairs' err
}

@test "--graph-loose: kernels resemble each other by their families" {
	capture 0 capture_1_FULL model 'Cijk_Ailk_Bljk_BBS_MT16x16' 'void f<float, 4>(x)' 'gelu_128' e |
		stream > capture
	replay 7 100 'Cijk_Ailk_Bljk_HHS_MT32' 'f<half>(y)' 'gelu_64' e | stream > in
	[ "$(names_of -g capture | sort -u)" = "- - - - -" ]
	names_of -g capture --graph-loose | cut -d' ' -f1,3,5 > got
	diff got - <<- 'EOF'
		model.1/aten::mm - aligned
		model.2/aten::mm - aligned
		model.3/aten::mm - aligned
		model.4/aten::mm - aligned
	EOF
	# at least 80 %
	replay 7 100 'Cijk_Ailk_Bljk_HHS_MT32' 'f<half>(y)' 'gelu_64' x | stream > in
	[ "$(names_of -g capture --graph-loose | sort -u)" = "- - - - -" ]
	grep -q 'best: 75 % of the names' err
}

@test "the calls of a range of captures are one sequence, with those between that are not captured" {
	{
		record range 0 1000 '"name":"capture_9_PIECEWISE"'
		capture 10 x one a b
		record range 60 9 '"name":"between"'
		record api 61 1 '"corr":61,"name":"hipLaunchKernel","args":{"kernel":"m"}'
		capture 110 x two c d
	} | stream > capture
	replay 7 100 a m c z d | stream > in
	names_of -g capture | cut -d' ' -f1,5 > got
	diff got - <<- 'EOF'
		x/one.1/aten::mm aligned
		between aligned
		x/two.1/aten::mm aligned
		- -
		x/two.2/aten::mm aligned
	EOF
}

@test "--graph-eager: steps that are no graphs, of a file or of the input itself" {
	eager() {
		local t=$1 kernel
		record range "$t" $((10 * $# + 20)) '"name":"execute_new_0_cached_9"'
		for kernel in "${@:2}"; do
			t=$((t + 10))
			record range $t 9 '"name":"eager.'"$kernel"'"'
			record api $((t + 1)) 2 '"corr":'$t',"name":"cudaLaunchKernel"'
			record kernel $((t + 4)) 2 '"corr":'$t',"name":"'"$kernel"'","device":0,"stream":0' | sed 's/"tid":1,//'
		done
	}
	eager 0 a b c d | stream > steps
	replay 700 1000 a b x d | stream > in
	[ "$(names_of --graph | sort -u)" = "- - - - -" ]
	names_of --graph-eager=steps | cut -d' ' -f1,5 > got
	diff got - <<- 'EOF'
		eager.a aligned
		eager.b aligned
		- -
		eager.d aligned
	EOF
	{
		eager 0 a b c d
		eager 500 q r
		replay 700 1000 a b x d
	} | stream > in
	names_of --graph-eager - | tail -n 4 | cut -d' ' -f1,5 | diff got -
	tq-correlate --graph-eager=- < in 2> /dev/null | cmp - out
	# of another process they are no steps of this one
	{
		eager 0 a b c d | sed 's/"pid":1/"pid":2/'
		replay 700 1000 a b x d
	} | stream > in
	[ "$(names_of --graph-eager=- | tail -n 4 | sort -u)" = "- - - - -" ]
	run -1 tq-correlate --graph-eager=nothing in
	[[ $output = *"nothing: No such file or directory"* ]]
}

# ---- annotations ----

@test "-g: a file of PyTorch's annotations names nodes; the last of a list counts" {
	replay() {
		record api 100 5 '"corr":7,"name":"cudaGraphLaunch"'
		for n in 0 1 2 3 4; do
			record kernel $((110 + n)) 1 '"corr":7,"name":"k","device":0,"stream":1,"graph":2,"graph_node":'$(((2 << 32) + n)) |
				sed 's/"tid":1,//'
		done
	}
	replay | stream > in
	cat > ann.json <<- 'EOF'
		{"8589934592": [{"name": "first"}, {"name": "last"}],
		 "8589934593": "bare",
		 "8589934594": [{"name": "mm", "fqn_map": {"a": "model.layers.0.mlp.up", "b": "model.layers.0.mlp.down"}}],
		 "8589934595": [{"name": "all \"reduce\"", "str": "old", "In msg nelems": 64}]}
	EOF
	tq-correlate -g ann.json in > out 2> err
	shows kernel '[.path, .op_name, .module, .shapes, .node_index, .proof]' '[["last"],null,"last",null,0,"node"]
[["bare"],null,"bare",null,1,"node"]
[["model.layers.0.mlp"],"mm","model.layers.0.mlp",null,2,"node"]
[["old"],"all \"reduce\"","old","64",3,"node"]
[null,null,null,null,null,null]'
	grep -qx 'tq-correlate: 5 operations of graphs: 4 named, 0 ambiguous, 1 not (node)' err
}

@test "-g: a pickle, and JSON that is wrong, are refused with what to do" {
	stream < /dev/null > in
	printf '\200\005xyz' > ann.pkl
	run -1 tq-correlate -g ann.pkl in
	[ "$output" = 'tq-correlate: ann.pkl is a pickle: write JSON: json.dump({str(k): v for k, v in get_kernel_annotations().items()}, f)' ]
	echo '{"12": [{"name": ' > ann.json
	run -1 tq-correlate -g ann.json in
	[[ $output = "tq-correlate: ann.json: "* ]]
	echo '{"12": [], "x": []}' > ann.json
	run -1 tq-correlate -g ann.json in
	[ "$output" = "tq-correlate: ann.json: expected the id of a node, not 'x'" ]
}

@test "annotations by the ids of captured nodes name what is made of them" {
	captured > in.rest
	{
		cat in.rest
		node "$(id 3 1)" 114 "$(id 2 1)"
		launch 7 210 220
		kernel 7 230 240 ",\"graph_node\":$(id 2 0)"
		kernel 7 250 260 ",\"graph_node\":$(id 3 1)"
	} | stream > in
	echo "{\"$(id 1 0)\": [{\"name\": \"mm\", \"module_fqn\": \"layers.0.up\"}],
	    \"$(id 1 1)\": [\"layers.0.down\"]}" > ann.json
	tq-correlate -g ann.json in > out 2> err
	shows kernel '[.path, .op_name, .module, .node_index, .proof]' \
	    '[["layers.0.up"],"mm","layers.0.up",0,"node"]
[["layers.0.down"],null,"layers.0.down",1,"node"]'
	# the id of the node itself counts more
	echo "{\"$(id 1 0)\": \"captured\", \"$(id 2 0)\": \"ready\"}" > ann.json
	tq-correlate -g ann.json in > out 2> err
	shows kernel '[.module, .proof]' '["ready","node"]
["layers.0.mlp","node"]'
}

@test "annotations among the args of kernels name their nodes" {
	{
		range 6 200 300
		launch 7 210 220
		kernel 7 230 240 ",\"graph_node\":$(id 2 0),\"args\":{\"queued\":0,\"name\":\"attn \\\"x\\\"\",\"In msg nelems\":64}"
		kernel 7 240 250 ",\"graph_node\":$(id 2 1),\"args\":{\"queued\":0}"
		kernel 7 250 260 ",\"graph_node\":$(id 2 2)"
		launch 8 270 280
		kernel 8 280 290 ",\"graph_node\":$(id 2 0),\"args\":{\"name\":\"attn \\\"x\\\"\",\"In msg nelems\":64}"
		# of no graph it is no annotation
		call 9 300 310
		kernel 9 310 320 ',"args":{"name":"other"}'
	} | correlate
	shows kernel '[.path, .graph_depth, .module, .shapes, .node_index, .proof]' \
	    '[["r6","attn \"x\""],1,"attn \"x\"","64",0,"node"]
[null,null,null,null,null,null]
[null,null,null,null,null,null]
[["r6","attn \"x\""],1,"attn \"x\"","64",0,"node"]
[null,null,null,null,null,null]'
	shows end .args '{"graph_ops":4,"graph_named":2,"graph_ambiguous":0,"graph_refused":2}'
	tq-correlate out | cmp - out
}

@test "an annotated trace of PyTorch: tq stats finds modules and operators" {
	cat > trace.json <<- 'EOF'
		{"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "x"}], "traceEvents": [
		{"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch", "pid": 1, "tid": 1, "ts": 10, "dur": 5,
		 "args": {"correlation": 7}},
		{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 41, "ts": 20, "dur": 5,
		 "args": {"device": 0, "context": 1, "stream": 7, "correlation": 7, "graph id": 2, "graph node id": 8589934592,
		 "module_fqn": "layers.0.mlp", "name": "mm"}},
		{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 41, "ts": 30, "dur": 3,
		 "args": {"device": 0, "context": 1, "stream": 7, "correlation": 7, "graph id": 2, "graph node id": 1,
		 "name": "norm"}}
		]}
	EOF
	tq stats -q -f csv -r module trace.json | cut -d, -f 2,3,9 > got
	diff got - <<< $'Total Time (ns),Ops,Module\n5000,1,layers.0.mlp\n3000,1,norm'
	tq stats -q -f csv -r torch_ops trace.json | grep ^mm, | cut -d, -f 7,13 > got
	diff got - <<< "5000,1"
	tq extract trace.json | jq -c 'select(.kind == "kernel") | .graph_node' > got
	diff got - <<< $'8589934592\n8589934593'
}
