#!/usr/bin/env bats
# tq-stats, what ranges have themselves: range_self, folded, key_averages.
# Streams made by hand, and the real exports against what jq makes of them.

load helper

# those with ranges
READ=(synthetic/a synthetic/b 2024.6.2-nvfuser-h200-a)
if [[ ${CHECK_ALL-} ]]; then
	READ+=(2022.2.1-nonlazy-mpi 2022.4.2-nvtx-domains 2024.6.2-nvfuser
		2025.3.1-cupy-nvtx 2026.2.1-h100-2gpu 2026.2.1-mfu-2gpu)
fi

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# ---- helpers ----

# range ID TS DUR NAME [KEY ...]: a line of the stream; DUR -: never closed
range() {
	local dur=,\"dur\":$3

	[[ $3 != - ]] || dur=',"open":true'
	echo '{"kind":"range","ts":'"$2$dur"',"pid":1,"tid":1,"name":"'"$4"'",' \
	    '"id":'"$1"',"mode":"push"'"${5:+,$5}"',"depth":0}'
}

# kernel TS DUR NAME RANGE [KEY ...]: RANGE -: in none
kernel() {
	local range=,\"range\":$4

	[[ $4 != - ]] || range=
	echo '{"kind":"kernel","ts":'"$1"',"dur":'"$2"',"pid":1,"name":"'"$3"'",' \
	    '"device":0,"tid":1,"api_ts":1'"$range${5:+,$5}"'}'
}

# rows REPORT COLUMNS FILE: in jq, a line each
rows() {
	tq-stats -f json1 -r "$1" "${@:3}" | jq -c ".[] | [$2]"
}

averages() {
	rows key_averages '.Name, .Calls, ."CPU Total (ns)", ."Self CPU (ns)",
	    ."Device Total (ns)", ."Self Device (ns)"' "$@"
}

# each FUNCTION [--path]: call it for real exports with ranges, correlated
each() {
	local name

	need data
	for name in "${READ[@]}"; do
		echo "# $name"
		"$1" "$(correlated "$name" ${2+"$2"})"
	done
}

# sum FILE: time and number of all operations
sum() {
	oracle self sum "$1"
}

# ---- range_self ----

one() {
	{
		range 1 0 100 step
		range 2 10 50 attn '"domain":"M","parent":1'
		range 3 70 10 attn '"domain":"M","parent":1'
		range 4 72 5 step '"parent":3'
		kernel 100 7 k 2
		kernel 110 5 k 3
		kernel 120 11 'a;b\nc' 1
		kernel 130 3 k -
		kernel 140 2 k 4
		echo '{"kind":"memcpy","ts":150,"dur":13,"pid":1,"device":0,' \
		    '"copy":"HtoD","api_ts":2,"range":2}'
		kernel 160 17 far 99
		echo '{"kind":"kernel","ts":170,"pid":1,"name":"open",' \
		    '"open":true,"range":1}'
	} | stream
}

@test "range_self: each operation counts for its innermost range, once" {
	one > in
	run -0 rows range_self '.Range, ."Total Time (ns)", .Ops' in
	[[ $output = '["M:attn",25,3]
["",20,2]
["step",13,2]' ]]
	run -0 rows range_self:pct '.Range, ."Busy (ns)"' in
	[[ $output = '["M:attn",25]
["",20]
["step",13]' ]]
}

@test "range_self:path: by the names of all that encloses it" {
	one > in
	run -0 rows range_self:path '.Range, ."Total Time (ns)", .Ops' in
	[[ $output = '["step / M:attn",25,3]
["",20,2]
["step",11,1]
["step / M:attn / step",2,1]' ]]
}

@test "range_self:path: the key path counts more than parents" {
	{
		range 1 0 100 a
		kernel 1 5 k 1 '"path":["x","a\"b"]'
		kernel 2 6 k 1
	} | stream > in
	run -0 rows range_self:path '.Range, ."Total Time (ns)"' in
	[[ $output = '["a",6]
["x / a\"b",5]' ]]
	run -0 rows range_self '.Range, ."Total Time (ns)"' in
	[[ $output = '["a",11]' ]]
}

@test "range_self: an operation of a graph counts for the innermost range of its capture" {
	{
		range 1 0 100 launch
		kernel 1 5 k 1 '"path":["launch","model","mlp"],"graph_depth":1'
		kernel 2 6 k 1 '"path":["launch"],"graph_depth":1'
		kernel 3 7 k - '"path":["model","mlp"],"graph_depth":0'
	} | stream > in
	run -0 rows range_self '.Range, ."Total Time (ns)", .Ops' in
	[[ $output = '["mlp",12,2]
["launch",6,1]' ]]
	run -0 rows range_self:path '.Range, ."Total Time (ns)"' in
	[[ $output = '["model / mlp",7]
["launch",6]
["launch / model / mlp",5]' ]]
}

@test "range_self: an operation may stand before its range" {
	{
		kernel 0 5 k 1
		range 1 10 100 late
	} | stream > in
	run -0 rows range_self '.Range, ."Total Time (ns)"' in
	[[ $output = '["late",5]' ]]
}

@test "range_self: ids are those of a section" {
	{
		{ range 1 0 9 a; kernel 1 5 k 1; } | stream
		{ range 1 0 9 b; kernel 1 7 k 1; } | stream
		kernel 1 2 k 1 | stream
	} > in
	run -0 rows range_self '.Range, ."Total Time (ns)", .Ops' in
	[[ $output = '["b",7,1]
["a",5,1]
["",2,1]' ]]
	run -0 tq-stats -r folded in
	[[ $output = 'a;k 5
b;k 7
k 2' ]]
}

@test "parents in a circle end" {
	{
		range 1 0 9 a '"parent":2'
		range 2 0 9 b '"parent":1'
		range 3 0 9 c '"parent":3'
		kernel 1 5 k 1
		kernel 2 5 k 2
		kernel 3 5 k 3
	} | stream > in
	run -0 tq-stats -r folded in
	[[ $output = 'a;b;k 5
a;k 5
c;k 5' ]]
}

@test "without tq-correlate there is nothing to tell" {
	stream '{"kind":"range","ts":0,"dur":5,"pid":1,"tid":1,"name":"a","id":1}' \
	    '{"kind":"kernel","ts":1,"dur":5,"pid":1,"name":"k"}' > in
	for report in range_self range_self:path folded key_averages; do
		run -1 tq-stats -r "$report" in
		[[ $output = "tq-stats: ${report%:*}: the stream did not go \
through tq-correlate" ]]
	done
}

@test "a correlated stream in which no call was found has its operations" {
	{
		echo '{"kind":"trace","version":1,"source":"test"}'
		echo '{"kind":"kernel","ts":1,"dur":5,"pid":1,"name":"k"}'
		echo '{"kind":"end","events":1,"dropped":0,"resolved":0}'
	} > in
	run -0 rows range_self '.Range, ."Total Time (ns)"' in
	[[ $output = '["",5]' ]]
	run -0 tq-stats -r folded in
	[[ $output = 'k 5' ]]
}

# ---- folded ----

@test "folded: ranges and operations, with their time" {
	one > in
	run -0 tq-stats -r folded in
	[[ $output = 'far 17
k 3
step;M:attn;[CUDA memcpy Host-to-Device] 13
step;M:attn;k 12
step;M:attn;step;k 2
step;a:b c 11' ]]
}

@test "folded: what has no name is a frame all the same" {
	{
		range 1 0 9 ''
		range 2 0 9 'x;y' '"parent":1'
		kernel 1 5 k 2
		kernel 1 5 '' 2 '"path":["p;q",""]'
	} | stream > in
	run -0 tq-stats -r folded in
	[[ $output = '[no name];x:y;k 5
p:q;[no name];[no name] 5' ]]
}

@test "folded:samples: a stream without samples" {
	one > in
	run -1 tq-stats -r folded:samples in
	[[ $output = 'tq-stats: folded: no sample of a running thread in the stream' ]]
}

# ---- key_averages ----

@test "key_averages: self is without children of any domain" {
	{
		range 1 0 100 outer
		range 2 10 40 lib '"domain":"D"'
		range 3 20 10 inner
		range 4 60 20 lib '"domain":"D"'
		kernel 100 7 k 3
		kernel 110 5 k 1
		kernel 120 3 k 4
		kernel 130 2 k -
	} | stream > in
	run -0 averages in
	[[ $output = '["inner",1,10,10,7,7]
["outer",1,100,40,15,5]
["D:lib",2,60,50,10,3]
["",0,0,0,2,2]' ]]
	run -0 tq-stats -f csv -r key_averages in
	[[ $(cut -d, -f 1,2,6,8,10 <<< "$output") = \
'Name,Self CPU (%),CPU Avg (ns),Self Device (%),Device Avg (ns)
inner,10.0,10.0,41.2,7.0
outer,40.0,100.0,29.4,15.0
D:lib,50.0,30.0,17.6,5.0
,0.0,,11.8,' ]]
}

@test ":folded: names that differ in numbers are one row of range_self and key_averages" {
	local i

	{
		range 1 0 1000 'loop, op_id = 1'
		for i in {1..9}; do
			range $((1 + i)) $((i * 100)) 50 "step $i, op_id = $i"
		done
		for i in {1..9}; do
			kernel $((2000 + i * 100)) $i k $((1 + i))
		done
		kernel 3000 7 k 1
	} | stream > in
	tq-stats -f csv -r range_self:folded in | cut -d, -f 2,3,9 > got
	diff got - <<< $'Total Time (ns),Ops,Range\n45,9,step *\n7,1,loop'
	tq-stats -f csv -r range_self:path:folded in | cut -d, -f 2,3,9 > got
	diff got - <<< $'Total Time (ns),Ops,Range\n45,9,step *\n7,1,loop'
	rows key_averages:folded '.Name, .Calls, ."CPU Total (ns)",
	    ."Self CPU (ns)", ."Device Total (ns)", ."Self Device (ns)"' in > got
	diff got - <<< '["step *",9,450,450,45,45]
["loop",1,1000,550,52,7]'
}

@test "a table that is cut offers :folded where it has at most half of the rows" {
	local i

	for i in {1..9}; do
		range $i $((i * 100)) 50 "op, op_id = $i"
	done | stream > in
	run -0 tq-stats -r key_averages --top 2 in
	[ "${lines[-1]}" = ' ... 7 more; names that differ in numbers as one row: -r key_averages:folded' ]
	run -0 tq-stats -r nvtx_sum --top 2 in
	[ "${lines[-1]}" = ' ... 7 more; names that differ in numbers as one row: -r nvtx_sum:folded' ]
	run -0 tq-stats -r nvtx_sum:folded --top 2 in
	[[ $output != *more* ]]
	{ range 1 0 5 a; range 2 10 5 b; range 3 20 5 c; } | stream > in
	run -0 tq-stats -r nvtx_sum --top 2 in
	[ "${lines[-1]}" = ' ... 1 more' ]
}

@test "key_averages: what is within its own name counts once" {
	{
		range 1 0 100 f
		range 2 10 80 g
		range 3 20 50 f
		range 4 30 10 f
		range 5 200 10 f
		kernel 300 7 k 4
		kernel 310 5 k 2
		kernel 320 1 k 5
	} | stream > in
	run -0 averages in
	[[ $output = '["f",4,110,80,13,8]
["g",1,80,30,12,5]' ]]
}

@test "key_averages: ranges that cross, equal ones, other threads" {
	{
		range 1 0 100 all
		range 7 5 10 there '"tid":2'
		range 2 10 40 x
		range 3 30 40 y
		range 4 35 10 z
		range 5 80 10 twin1
		range 6 80 10 twin2
		kernel 300 1 k 4
		kernel 301 2 k 6
	} | stream > in
	run -0 averages in
	# x, y cover 60 of all; z is in the later of the equally long x, y
	[[ $output = '["twin2",1,10,10,2,2]
["z",1,10,10,1,1]
["x",1,40,40,0,0]
["all",1,100,30,3,0]
["y",1,40,30,1,0]
["there",1,10,10,0,0]
["twin1",1,10,0,2,0]' ]]
}

@test "key_averages: one that was never closed lasts to the end" {
	{
		range 3 5 50 crossed '"end_tid":7'
		range 1 10 - open
		range 2 20 30 inner
		kernel 300 20 k 2
	} | stream > in
	run -0 averages in
	[[ $output = '["inner",1,30,30,20,20]
["open",1,310,280,20,0]
["crossed",1,50,50,0,0]' ]]
}

@test "key_averages: sections are added up" {
	{
		{ range 1 0 10 a; range 2 2 3 a; kernel 9 5 k 1; } | stream
		{ range 1 0 20 b; range 2 2 7 a; kernel 9 6 k 2; } | stream
	} > in
	run -0 averages in
	[[ $output = '["a",3,17,17,11,11]
["b",1,20,13,6,0]' ]]
}

@test "key_averages: a stream without ranges" {
	kernel 1 2 k - | stream > in
	run -1 tq-stats -r key_averages in
	[[ $output = 'tq-stats: key_averages: no range in the stream' ]]
}

# ---- the real exports ----

# ranges and operations alone: jq takes its time
relevant() {
	grep -E '^\{"kind":"(range|kernel|memcpy|memset|graph)"' "$1"
}

check_self() {
	local all

	all=$(sum "$1")
	[[ $all != '[0,0]' ]] || return 0
	rows range_self '.Range, ."Total Time (ns)", .Ops' "$1" | sort > ours
	relevant "$1" | oracle self by_range | sort > theirs
	diff ours theirs
	rows range_self:path '.Range, ."Total Time (ns)", .Ops' "$1" |
	    sort > ours
	relevant "$1" | oracle self by_path | sort > theirs
	diff ours theirs
	[[ $(jq -sc 'map(.[1:]) | transpose | map(add)' ours) = "$all" ]]
}

@test "range_self: real exports, as jq; rows add up to all operations" {
	each check_self
	each check_self --path
}

check_folded() {
	local all

	all=$(sum "$1")
	[[ $all != '[0,0]' ]] || return 0
	tq-stats -r folded "$1" > out
	sort -c <(sed 's/ [0-9]*$//' out) -u
	run -1 grep -Ev '^[^ ;][^;]*(;[^;]+)* [0-9]+$' out
	[[ $(awk '{ n += $NF } END { printf "%d", n }' out) = \
	    "$(jq -n "${all}[0]")" ]]
	# by path, the same as range_self:path
	awk '{ n = $NF; sub(/ [0-9]+$/, ""); sub(/;?[^;]*$/, ""); print n "\t" $0 }' out |
	    jq -Rnc '[inputs | split("\t") | {n: (.[0] | tonumber), p: .[1]}] |
		group_by(.p)[] | [.[0].p, (map(.n) | add)]' | sort > ours
	rows range_self:path '(.Range | split(" / ") | map(gsub(";"; ":") |
	    gsub("\n"; " ") | if . == "" then "[no name]" else . end) |
	    join(";")), ."Total Time (ns)"' "$1" | sort > theirs
	diff ours theirs
}

@test "folded: real exports; the numbers add up to all operations" {
	each check_folded
	each check_folded --path
}

# ---- module ----

modules() {
	{
		range 1 0 100 'step'
		range 2 10 50 'nn.Module: Layer_0' '"domain":"torch","parent":1'
		range 3 20 10 'aten::mm' '"domain":"torch","parent":2'
		range 4 62 20 "{'Module': 'model.layers.12.mlp', 'Inputs': [[8]]}" '"parent":1'
		range 5 64 5 "{'Inputs': [[8]]}" '"parent":4'
		launched 100 7 22
		launched 110 5 58
		launched 120 11 1
		launched 130 3 120
		launched 140 2 65
		launched 145 6 22 '"tid":2'
		launched 150 13 1 '"op_name":"aten::mm","module":"model.layers.9.mlp","proof":"node"'
		launched 170 1 11 '"op_name":"aten::mm","proof":"node"'
		echo '{"kind":"memcpy","ts":180,"dur":4,"pid":1,"tid":1,"device":0,' \
		    '"copy":"HtoD","api_ts":12}'
	} | stream
}

# launched TS DUR CALL [KEYS]: a kernel of thread 1 whose call starts at CALL
launched() {
	echo '{"kind":"kernel","ts":'"$1"',"dur":'"$2"',"pid":1,"tid":1,"name":"k",' \
	    '"device":0,"api_ts":'"$3"',"api_dur":1'"${4:+,$4}"'}' |
	    sed '/"tid":2/s/"tid":1,//'
}

@test "module: each operation counts once, for the module of its graph, or the innermost around its launch" {
	modules > in
	run -0 rows module '.Module, ."Total Time (ns)", .Ops' in
	[[ $output = '["",20,3]
["Layer_0",17,4]
["model.layers.9.mlp",13,1]
["model.layers.12.mlp",2,1]' ]]
	run -0 rows module:type '.Module, ."Total Time (ns)", .Ops' in
	[[ $output = '["",20,3]
["Layer_*",17,4]
["model.layers.*.mlp",15,2]' ]]
	# all of it is what ranges have, too
	[[ $(rows module '."Total Time (ns)"' in | jq -s 'map(.[0]) | add') = \
	    $(rows range_self '."Total Time (ns)"' in | jq -s 'map(.[0]) | add') ]]
}

@test "module: without a module it is empty, and says what it looks for" {
	one > in
	run -1 tq-stats -r module in
	[[ $output = *"no module in the stream: no range nn.Module: NAME of PyTorch, no layer of vLLM or SGLang"* ]]
	[[ -z $(rows module .Module in 2> /dev/null) ]]
}

@test "module: ranges of PyTorch's profiler, against the path of each operation" {
	local name

	need data
	for name in cuda12.4-h100-qwen-stacks-memory rocm7-vllm-graph; do
		data "kineto/$name.json.zst"
		tq-extract "$data" 2> /dev/null | tq-correlate --path > in
		[[ $name != cuda12* || $(rows module .Module in | wc -l) -gt 9 ]]
		rows module '.Module, ."Total Time (ns)"' in | sort > got
		jq -nc 'reduce (inputs | select(.kind | IN("kernel", "memcpy",
		    "memset")) | select(.dur)) as $k ({};
		    .[[($k.path // [])[] | ltrimstr("python:")
			| select(startswith("nn.Module: "))]
			| last // "" | ltrimstr("nn.Module: ")] += $k.dur)
		    | to_entries[] | [.key, .value]' in | sort > expect
		if [[ $(< expect) = '["",'* && $(wc -l < expect) = 1 ]]; then
			: > expect
		fi
		diff expect got
	done
}

check_averages() {
	averages "$1" | sort > ours
	oracle self averages "$1" | sort > theirs
	diff ours theirs
	[[ $(jq -sc 'map(.[5]) | add' ours) = $(jq -n "$(sum "$1") | .[0]") ]]
	jq -se 'all(.[2] >= 0 and .[3] >= 0 and .[4] >= .[5])' ours
}

@test "key_averages: real exports, as jq by brute force" {
	each check_averages
}

check_sections() {
	cat "$1" "$1" > twice
	averages "$1" | jq -c '[.[0]] + (.[1:] | map(. * 2))' > once
	averages twice > ours
	diff once ours
	[[ $(sum "$1") != '[0,0]' ]] || return 0
	diff <(tq-stats -r folded "$1" |
	    awk '{ n = $NF; sub(/ [0-9]+$/, ""); print $0, 2 * n }') \
	    <(tq-stats -r folded twice)
}

@test "a stream twice is twice as much" {
	each check_sections
}

@test "the example: steps, and samples of its threads" {
	cp "$(correlated demo)" in
	check_self in
	check_folded in
	check_averages in
	tq-stats -r folded:samples in > out
	[[ $(awk '{ n += $NF } END { print n }' out) = \
	    "$(grep -c '"kind":"sample"' in)" ]]
	oracle self samples in | sort > theirs
	diff <(sort out) theirs
}
