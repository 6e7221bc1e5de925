#!/usr/bin/env bats
# tq-chrome: how each kind of record is drawn

load helper
load chrome

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
	stands '["Memcpy HtoD (Pinned -> Device)","process 1 · GPU 0","stream 7"]
["Memset (Device)","process 1 · GPU 0","stream 7"]
["graph 4","process 1 · GPU 0","stream 7"]
["sync event","process 1 · GPU 0","sync stream 7"]
["sync context","process 1 · GPU 0","sync device"]'
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
'"domain":"NCCL","category":"c","dur":7}' | draw
	shows 'select(.ph == "i")' '{"ph":"i","s":"t","cat":"mark",'\
'"name":"here","pid":1,"tid":2,"ts":5,'\
'"args":{"dur":7,"domain":"NCCL","category":"c"}}'
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

@test "values of a GPU stand in the group of the process that alone has streams there" {
	values() {
		local pid

		for pid in "$@"; do
			echo '{"kind":"device","pid":'"$pid"',"device":0,"gpu":3}'
			echo '{"kind":"stream","pid":'"$pid"',"device":0,"context":1,"stream":7}'
		done
		# it counts GPUs, not those of a process
		echo '{"kind":"counter","ts":1000,"device":3,"counter":1,"value":5}'
		echo '{"kind":"counter","ts":2000,"device":0,"counter":1,"value":6}'
	}
	of_groups='.traceEvents | (map(select(.name == "process_name")
	    | {key: "\(.pid)", value: .args.name}) | from_entries) as $groups
	    | .[] | select(.ph == "C") | [.args.value, $groups["\(.pid)"]]'
	values 5 | draw
	[[ $(jq -c "$of_groups" out | xargs) = '[5,process 5 · GPU] [6,GPU 0 · group]' ]]
	values 5 6 | draw
	[[ $(jq -c "$of_groups" out | xargs) = '[5,GPU] [6,GPU]' ]]
}

@test "counters have name, unit and exact value, on their device" {
	{
		echo '{"kind":"counterdef","name":"SM active","id":1,"unit":"Throughput %"}'
		echo '{"kind":"counterdef","name":"SM active","id":2,"unit":"%"}'
		echo '{"kind":"counter","ts":1000,"device":0,"counter":1,'\
'"value":0.1}'
		echo '{"kind":"counter","ts":2000,"device":0,"counter":2,'\
'"value":9007199254740991}'
		echo '{"kind":"counter","ts":3000,"pid":1,"counter":3,"value":-2}'
	} | draw
	shows 'select(.ph == "C")' \
	    '{"ph":"C","name":"SM active","pid":0,"ts":1,"args":{"[%]":0.1}}
{"ph":"C","name":"SM active 2","pid":0,"ts":2,"args":{"[%]":9007199254740991}}
{"ph":"C","name":"counter 3","pid":1,"ts":3,"args":{"value":-2}}'
	shows 'select(.name == "process_name") | .args.name' '"GPU"
"process"'
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
	    '["memory Device",{"[bytes]":100}]
["memory Pinned",{"[bytes]":50}]
["memory Device",{"[bytes]":0}]'
	stands '["alloc Device","process 1 · GPU 0","memory"]
["Allocation Pinned","process 1 · GPU 0","memory"]
["free Device","process 1 · GPU 0","memory"]
["pool created Local","process 1 · GPU 0","memory"]'
}

@test "page faults are on the row of memory: of the host instants, of a device slices" {
	{
		echo '{"kind":"fault","ts":1000,"pid":1,"name":"CPU page fault",'\
'"address":"0x10"}'
		echo '{"kind":"fault","ts":2000,"dur":500,"pid":1,"device":0,'\
'"name":"GPU page fault","address":"0x10","count":3}'
	} | draw
	shows 'select(.ph == "X" or .ph == "i") | [.ph, .name, .ts, .dur]' \
	    '["i","CPU page fault",1,null]
["X","GPU page fault",2,0.5]'
	stands '["CPU page fault","process 1","memory"]
["GPU page fault","process 1 · GPU 0","memory"]'
}

@test "overhead, messages and losses have rows, OS calls that of their thread" {
	{
		echo '{"kind":"osrt","ts":0,"dur":9,"pid":1,"tid":1,"name":"read"}'
		echo '{"kind":"overhead","ts":1,"dur":9,"pid":1,"tid":1,'\
'"what":"Buffer flush"}'
		echo '{"kind":"diagnostic","ts":2,"pid":1,"severity":"info",'\
'"text":"started"}'
		echo '{"kind":"lost","ts":3,"what":"kernel","count":5}'
	} | draw
	stands '["read","process 1","thread 1"]
["Buffer flush","process 1","profiler overhead"]
["started","process 1","messages"]
["lost kernel","trace · group 2","messages"]'
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
	    osrt sched sample counter alloc fault overhead lost diagnostic; do
		echo '{"kind":"'$kind'","ts":1000}'
	done | draw
	shows 'select(.ph == "X" or .ph == "i") | .name | length > 0' "$(
		for i in {1..17}; do echo true; done)"
	grep -F 'tq-chrome: 18 events in, 17 out, ' err
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

@test "an operation of a graph shows its operator, module and shapes, and their proof" {
	kernel 5 0 10 ',"path":["step","aten::mm"],"graph_depth":1,
	    "op_name":"aten::mm","module":"layers.0.mlp","shapes":"[[8, 64]]",
	    "node_index":3,"proof":"sequence"' | tr -d '\n\t' | draw
	shows 'select(.ph == "X") | .args | del(.pid, .correlation, .device,
	    .context, .stream)' '{"path":["step","aten::mm"],"graph_depth":1,'\
'"op_name":"aten::mm","module":"layers.0.mlp","shapes":"[[8, 64]]",'\
'"node_index":3,"proof":"sequence"}'
}

@test "unknown keys and what is under args are sorted behind, all by name" {
	range a 0 10 ',"z":1,"b":{"y":1,"x":[true,null]},"z":2,
	    "args":{"d":1,"a":{"k":1,"j":2},"d":3}' | tr -d '\n\t' | draw
	grep -F '"args":{"a":{"j":2,"k":1},"b":{"x":[true,null],"y":1},'\
'"d":3,"z":2}' out
}

@test "numbers that are spelt anew do not run together" {
	# "unknown" is as long as what stands before the value of "ops"
	echo '{ "kind":"mark","ts":1,"name":"a","depth":1e0,"unknown":true,'\
'"ops":2}' | draw
	shows 'select(.ph == "i") | .args' '{"depth":1,"ops":2,"unknown":true}'
}

@test "-0 is 0, however its line is spelt" {
	echo '{"kind":"range","ts":1,"dur":-0,"name":"a","id":-0}' | draw
	shows 'select(.ph == "X") | .args' '{"id":0}'
	echo '{ "kind":"range","ts":1,"dur":-0,"name":"a","id":-0}' | draw
	shows 'select(.ph == "X") | .args' '{"id":0}'
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

@test "what lines have in common says nothing of other lines" {
	# keys in many orders; ranges, and what runs, wait among the others
	awk 'BEGIN {
		split("kernel api range gpu-range sched mark", kind, " ")
		split("corr device stream category nesting on grid", key, " ")
		split("1 2 3 4 5 6 7", value, " ")
		value[4] = "\"c\""
		value[6] = "true"
		value[7] = "[1,2,3]"
		for (i = 0; i < 6000; i++) {
			n = int(i / 3) + i % 2
			k = kind[1 + n % 6]
			printf "{\"kind\":\"%s\",\"ts\":%d", k, i * 1000
			if (k == "range" && n % 9 == 0)
				printf ",\"open\":true"
			else
				printf ",\"dur\":%d", (i % 7) * 500
			printf ",\"pid\":%d,\"tid\":1", 1 + n % 2
			printf ",\"name\":\"%s%d\"", i % 11 ? "n" : "é", i
			value[1] = i % 13 ? i : "9007199254740993"
			if (k == "gpu-range")
				printf ",\"range\":%d,\"parent\":%d", i, i + 9
			for (j = 1; j <= 7; j++) {
				x = (j * (1 + n % 6) + n) % 7 + 1
				if (int(n / 2 ^ x) % 2)
					printf ",\"%s\":%s", key[x], value[x]
			}
			print i % 100 ? "}" : ",\"other\":1}"
		}
	}' > lines
	{ stream < lines; tail -n 2000 lines | stream; } > in
	tq-chrome in > out
	jq empty out
	sed 's/^{/{ /' in | tq-chrome -q | cmp - out
}

@test "a symbol that is defined anew has its new name from then on" {
	symbol() { echo '{"kind":"symbol","id":3,"name":"f"'"$1"'}'; }
	more() { kernel "$1" "${1}000" "${1}500" ',"sym":3'; }
	{
		more 1
		symbol ',"demangled":"f<1>"'
		more 2
		more 3
		symbol ',"demangled":"f<2>"'
		more 4
		kernel 5 5000 5500 ',"sym":3,"demangled":"own"'
	} | stream > in
	more 6 | stream >> in
	tq-chrome -q in > out
	shows 'select(.ph == "X") | [.name, .args.sym, .args.demangled]' \
	    '["k1",3,null]
["k2",null,"f<1>"]
["k3",null,"f<1>"]
["k4",null,"f<2>"]
["k5",null,"own"]
["k6",3,null]'
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

@test "the colour of a range becomes the nearest on which text is read" {
	{
		range a 0 10 ',"color":"#ff0000"'
		range b 10 20 ',"color":"#00ff01"'
		range c 20 30 ',"color":"#FFFFFE"'
		range d 30 40 ',"color":"red"'
		range e 40 50
		range f 50 60 ',"color":"#0000ff"'
	} | draw
	shows 'select(.ph == "X") | [.cname, .args.color]' \
	    '["rail_animation","#ff0000"]
["cq_build_attempt_passed","#00ff01"]
["white","#FFFFFE"]
[null,"red"]
[null,null]
["rail_response","#0000ff"]'
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
		[ "$status" -eq 2 ]
		[ "$output" = '' ]
		[ "$stderr" = "tq-chrome: map:$2" ]
	}
	check 'a good\n\nb\n' '3: expected a regex and a colour'
	check '# x\na purple\n' '2: unknown colour: purple'
	check 'a #12345\n' '1: unknown colour: #12345'
	check 'a( good\n' '1: a(: a ( is not closed'
	check '(((a{255}){255}){255}){255} good\n' \
	    '1: (((a{255}){255}){255}){255}: the regular expression is too large'
	run --separate-stderr tq-chrome --color-map no /dev/null
	[ "$status" -eq 1 ]
	[ "$stderr" = 'tq-chrome: no: No such file or directory' ]
}
