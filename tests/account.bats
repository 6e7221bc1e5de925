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
	jq -c "select(.$1) | .$1"
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
	[[ $(jq -c 'select(.row) | [.row[2], .on]' <<< "$account") == '["a",[0,4,35,15]]
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
	[[ $(jq -r 'select(.account) | .by' <<< "$output") == span ]]
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
	[[ $(jq -c 'select(.account) | .left' <<< "$output") == '[1,20]' ]]
	[[ $(lines unit <<< "$output") == '[0,1,50,1,1,20,0,0,0,0,0,0,0,40]' ]]
	run -0 account < <(
		step "step 0" 0 50
		op kernel 10 10 '"name":"k"'
	)
	[[ $(jq -c 'select(.account) | .left' <<< "$output") == '[0,0]' ]]
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
	[[ $(jq -c 'select(.row) | [.graph, .on, .shapes, .shapeless]' <<< "$output") == \
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
	[[ $(jq -c 'select(.unit) | .unit[5:]' <<< "$output") == \
	    '[294404540,0,9390923,3098756,17183112,17969496,292217,68766,0]' ]]
	[[ $(jq -s 'map(select(.row) | .on[3]) | add' <<< "$output") == 303795463 ]]
	# the causes of gaps, from "host" to "queue"
	[[ $(tq-stats -f json -r gaps_sum "$stream" | jq -c '
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
	[[ ${lines[1]} == '1,0,span,1,unknown,50.0,20.0,20,0,0,' ]]
	[[ ${lines[2]} == '1,0,span,1,compute,50.0,20.0,20,0,2,k' ]]
}

@test "account stands alone with --partial, and a wrong unit is shown" {
	run -2 tq-stats --partial -r account,osrt_sum /dev/null
	[[ $output == "tq-stats: account cannot be merged" ]]
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
