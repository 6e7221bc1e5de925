#!/usr/bin/env bats
# tq-perfetto: what is drawn where

load helper
load chrome
load perfetto

# ---- tracks ----

# tree PATH: the tracks whose paths begin with that, from the top
tree() {
	jq -rs --arg below "$1" '
	    map(select(.what == "track" and (.name | startswith($below))))
	    | (map({key: .name, value: .rank}) | from_entries) as $rank
	    | sort_by(.name | split("/") as $p
		| [range(1; $p | length + 1) | $p[:.] | join("/") | $rank[.]])
	    | .[].name[($below | length):]' out > got
	diff - got
}

@test "devices and processes are at the top, a process has threads and their rows" {
	{
		echo '{"kind":"process","pid":1,"name":"python3","host":"h"}'
		echo '{"kind":"thread","pid":1,"tid":1,"name":"main"}'
		echo '{"kind":"thread","pid":1,"tid":2,"name":"loader"}'
		echo '{"kind":"device","pid":1,"name":"H100","device":0,'\
'"gpu":3,"bus":"0000:1B:00.0"}'
		echo '{"kind":"stream","pid":1,"device":0,"context":1,'\
'"stream":7,"flags":"null"}'
		range a 0 10
		echo '{"kind":"osrt","ts":1,"dur":1,"pid":1,"tid":2,"name":"r"}'
		kernel 1 10 20
		kernel 2 10 20 | sed 's/"device":0/"device":1/'
	} | draw
	shows 'select(.what == "track") | select(.label != "") | [.name, .label]' \
	    '["python3 1 · threads","host h"]
["python3 1 · GPU 0","H100,physical GPU 3,0000:1B:00.0,host h"]
["python3 1 · GPU 1","host h"]'
	tree '' <<-'E'
	python3 1 · GPU 0
	python3 1 · GPU 0/stream 7 (null stream)
	python3 1 · GPU 1
	python3 1 · GPU 1/stream 7
	python3 1 · threads
	python3 1 · threads/main 1
	python3 1 · threads/loader 2
	python3 1 · threads/loader 2/OS calls
	E
}

@test "rows of a process: the main thread first, overhead last, the rest folded" {
	{
		for tid in 1 2 3; do
			echo '{"kind":"thread","pid":1,"tid":'$tid',"name":"t"}'
		done
		for ts in 0 10; do
			range a $ts $((ts + 9)) | sed 's/"tid":1/"tid":2/'
			range b $ts $((ts + 9))
			while read -r tid name; do
				echo '{"kind":"osrt","ts":'$ts',"dur":5,"pid":1,'\
'"tid":'$tid',"name":"'$name'"}'
			done <<-'E'
			2 read
			3 poll
			4 read
			E
			echo '{"kind":"overhead","ts":'$ts',"dur":1,"pid":1,'\
'"tid":'$((ts + 1))',"what":"o"}'
			echo '{"kind":"diagnostic","ts":'$ts',"pid":1,"text":"m"}'
		done
		echo '{"kind":"sched","ts":20,"pid":1,"tid":3,"cpu":0,"on":true}'
		echo '{"kind":"sched","ts":21,"pid":1,"tid":3,"cpu":0,"on":false}'
		echo '{"kind":"osrt","ts":25,"dur":1,"pid":1,"tid":5,"name":"r"}'
	} | draw
	tree 'process 1 · threads/' <<-'E'
	t 1
	t 2
	t 2/OS calls
	thread 4
	thread 4/OS calls
	messages
	profiler overhead
	rows of one slice
	rows of one slice/thread 5 OS calls
	waiting threads
	waiting threads/t 3
	waiting threads/t 3 on CPU
	E
	shows 'select(.name == "o") | [.track, .args.tid]' \
	    '["process 1 · threads/profiler overhead",1]
["process 1 · threads/profiler overhead",11]'
}

@test "a track is described when its place is known, behind its slices" {
	{
		echo '{"kind":"osrt","ts":0,"dur":5,"pid":1,"tid":3,"name":"poll"}'
		echo '{"kind":"osrt","ts":9,"dur":5,"pid":1,"tid":3,"name":"read"}'
		range a 20 30
		range b 30 40
	} | draw
	shows 'select(.what == "track") | .name' '"process 1 · threads"
"process 1 · threads/thread 1"
"process 1 · threads/thread 3"
"process 1 · threads/thread 3/OS calls"'
	[ "$(grep -abo poll out.pftrace | head -n 1 | cut -d : -f 1)" -lt \
	    "$(grep -abo 'thread 3' out.pftrace | cut -d : -f 1)" ]
}

@test "titles sort in the order of GPUs, also where pids do not" {
	{
		for pid in 1 2 3; do
			echo '{"kind":"stream","pid":'$pid',"device":'\
$((pid % 3))',"context":1,"stream":7}'
		done
		for pid in 1 2 3; do
			range a 0 10 | sed 's/"pid":1/"pid":'$pid/
			kernel 1 0 10 | sed 's/"pid":1,/"pid":'$pid,/
		done
	} | draw
	shows 'select(.what == "track" and (.name | contains("/") | not)) | .name' \
	    '"process 1 · threads"
"process 1 · GPU 0"
"process 2 · threads"
"process 2 · GPU 0"
" process 3 · threads"
" process 3 · GPU 0"'
}

@test "processes without a GPU are below all others, if one has a GPU" {
	lines() {
		for pid in 9 2; do
			echo '{"kind":"process","pid":'$pid',"name":"sh"}'
			range a 0 10 | sed 's/"pid":1,"tid":1/"pid":'$pid,'"tid":'$pid/
		done
		range b 10 20
		kernel 1 20 30
		echo '{"kind":"lost","ts":33,"what":"kernel","count":5}'
	}
	lines | draw
	tree '' <<-'E'
	sh 9 · threads
	sh 9 · threads/thread 9
	sh 2 · threads
	sh 2 · threads/thread 2
	process 1 · GPU 0
	process 1 · GPU 0/stream 7
	process 1 · threads
	process 1 · threads/thread 1
	trace
	trace/messages
	E
	{
		echo '{"kind":"stream","pid":1,"device":0,"context":1,"stream":7}'
		lines
	} | draw
	tree '' <<-'E'
	process 1 · GPU 0
	process 1 · GPU 0/stream 7
	process 1 · threads
	process 1 · threads/thread 1
	· everything else
	· everything else/sh 9
	· everything else/sh 9/thread 9
	· everything else/sh 2
	· everything else/sh 2/thread 2
	· everything else/trace
	· everything else/trace/messages
	E
}

@test "rows of a device stand in order: counters, streams, ranges, syncs" {
	{
		echo '{"kind":"counterdef","id":5,"name":"SM active","unit":"%"}'
		projected 1 0 10
		kernel 1 1 2 | sed 's/"stream":7/"stream":20/'
		kernel 1 1 2
		echo '{"kind":"sync","ts":3,"dur":1,"pid":1,"device":0,'\
'"context":1,"stream":7}'
		echo '{"kind":"counter","ts":4,"pid":1,"device":0,"counter":5,'\
'"value":12.5}'
		echo '{"kind":"counter","ts":5,"pid":1,"device":0,"counter":5,'\
'"value":-3}'
	} | draw
	jq -s 'map(select(.what == "track" and (.name | contains("/"))))
	    | sort_by(.rank)[] | .name' -r out > got
	diff - got <<-'E'
	process 1 · GPU 0/SM active [%]
	process 1 · GPU 0/stream 7
	process 1 · GPU 0/stream 20
	process 1 · GPU 0/projected ranges
	process 1 · GPU 0/sync stream 7
	E
	shows 'select(.kind == "counter") | [.unit, .axis]' '["%","%"]'
	shows 'select(.what == "counter") | [.ts, .value]' '[4,12.5]
[5,-3]'
}

@test "ids that are no thread or process have rows all the same" {
	{
		echo '{"kind":"range","ts":1,"dur":9,"pid":0,"tid":0,"name":"b"}'
		echo '{"kind":"range","ts":2,"dur":9,"pid":281474976710800,'\
'"tid":-5,"name":"c"}'
		echo '{"kind":"osrt","ts":2,"dur":1,"pid":0,"tid":-6,"name":"r"}'
		echo '{"kind":"range","ts":3,"dur":18,"pid":281474976710800,'\
'"tid":-5,"name":"d"}'
		echo '{"kind":"diagnostic","ts":9,"text":"m"}'
	} | draw
	stands '["b","process 0 · threads/thread 0"]
["c","process 281474976710800 · threads/thread -5"]
["r","process 0 · threads/thread -6/OS calls"]
["d","process 281474976710800 · threads/thread -5"]
["m","trace/messages"]'
}

@test "sections keep their processes apart, and their arrows" {
	{
		stream "$(call 5 0 10 ',"gpu":1')" "$(kernel 5 20 30)"
		stream "$(call 5 40 50 ',"gpu":1')" "$(kernel 5 60 70)"
		stream "$(kernel 5 80 90)"
	} > in
	tq-perfetto -q in > out.pftrace 2> err
	decode out.pftrace > out
	arrows '["launch",0,"k5",20]
["launch",40,"k5",60]'
	shows 'select(.what == "track" and (.name | contains("/") | not)) | .name' '"process 1 · threads"
"process 1 · GPU 0"
"process 1 · threads"
"process 1 · GPU 0"
"process 1 · GPU 0"'
	[ "$(jq -r 'select(.what == "slice") | .uuid' out | sort -u | wc -l)" \
	    -eq 5 ]
}

# ---- slices on tracks ----

@test "slices that cross on a stream are on tracks of the same name" {
	{
		kernel 1 0 1000
		kernel 2 100 200
		kernel 3 1000 1100
	} | draw
	stands '["k1","process 1 · GPU 0/stream 7"]
["k2","process 1 · GPU 0/stream 7"]
["k3","process 1 · GPU 0/stream 7"]'
	shows 'select(.what == "slice") | [.dur, .depth]' '[1000,0]
[100,0]
[100,0]'
	[ "$(jq 'select(.what == "slice") | .uuid' out | sort -u | wc -l)" = 2 ]
	grep -F ' 1 lanes added' err
}

@test "slices one behind the other, in one another, of no time" {
	{
		range a 0 1000
		range b 0 500
		range c 500 500
		range d 500 1000
		range e 1000 1000
		range f 1000 2000
		range g 2000 2000
	} | draw
	shows 'select(.what == "slice") | [.name, .dur]' '["a",1000]
["b",500]
["c",0]
["d",500]
["e",0]
["f",1000]
["g",0]'
}

@test "what ends where one starts that came before it has a lane" {
	{
		range b 5000 6000
		range a 1000 5000
		range c 6000 7000
	} | draw || decode out.pftrace > out # out of order
	shows 'select(.what == "slice") | [.name, .ts, .dur, .depth]' \
	    '["a",1000,4000,0]
["b",5000,1000,0]
["c",6000,1000,0]'
	{
		projected 2 2000 3000 ',"parent":1'
		projected 3 3000 4000 ',"parent":1'
		projected 1 2000 5000
	} | draw
	shows 'select(.what == "slice") | [.name, .ts, .dur]' \
	    '["r1",2000,3000]
["r2",2000,1000]
["r3",3000,1000]'
}

@test "a range that never ended lasts to the end" {
	{
		range before 0 1000
		echo '{"kind":"range","ts":2000,"pid":1,"tid":1,"name":"open",'\
'"open":true}'
		range in 3000 4000
		kernel 1 5000 9000
	} | draw
	shows 'select(.name == "open") | [.ts, .dur, .args.open]' '[2000,7000,true]'
}

@test "instants, time on processors and messages are where tq-chrome has them" {
	{
		echo '{"kind":"mark","ts":5,"pid":1,"tid":1,"name":"m"}'
		echo '{"kind":"sched","ts":10,"pid":1,"tid":1,"cpu":3,"on":true}'
		echo '{"kind":"sched","ts":30,"pid":1,"tid":1,"cpu":3,"on":false}'
		echo '{"kind":"alloc","ts":40,"pid":1,"device":0,"op":"alloc",'\
'"bytes":100,"address":"0xa"}'
	} | draw
	shows 'select(.what == "slice") | [.name, .ts, .dur, .track]' \
	    '["m",5,-1,"process 1 · threads/thread 1"]
["CPU 3",10,20,"process 1 · threads/thread 1/on CPU"]
["alloc",40,-1,"process 1 · GPU 0/memory"]'
	shows 'select(.what == "counter") | [.track, .value]' \
	    '["process 1 · GPU 0/memory [bytes]",100]'
}

# ---- arrows ----

@test "an arrow leads from a call to its operation" {
	{
		call 5 1000 2000 ',"gpu":1'
		kernel 5 3000 4000
	} | draw
	arrows '["launch",1000,"k5",3000]'
}

@test "a launch of several has an arrow to each" {
	{
		call 5 1000 2000 ',"gpu":3'
		kernel 5 3000 4000
		kernel 5 4000 5000
		kernel 5 5000 6000 | sed 's/"device":0/"device":1/'
		kernel 5 6000 7000
	} | draw
	arrows '["launch",1000,"k5",3000]
["launch",1000,"k5",4000]
["launch",1000,"k5",5000]'
}

@test "where a stream does not say how many, the others follow the first" {
	{
		call 5 1000 2000
		kernel 5 3000 4000
		kernel 5 4000 5000
	} | draw
	arrows '["launch",1000,"k5",3000]
["k5",3000,"k5",4000]'
	grep -F ' 2 arrows' err
}

@test "correlation ids that collide between processes do not mix arrows" {
	{
		call 5 1000 2000 ',"gpu":1'
		call 5 1100 2100 ',"gpu":1' |
		    sed 's/"pid":1,"tid":1/"pid":2,"tid":2/'
		kernel 5 3000 4000 | sed 's/"pid":1/"pid":2/'
		kernel 5 3100 4100
	} | draw
	arrows '["launch",1000,"k5",3100]
["launch",1100,"k5",3000]' || arrows '["launch",1100,"k5",3000]
["launch",1000,"k5",3100]'
}

@test "of calls in one another under one id the outer one has the arrow" {
	{
		call 5 1000 2000 ',"gpu":1'
		call 5 1100 1200 ',"gpu":1' | sed 's/launch/inner/'
		call 6 1300 1400 ',"gpu":1' | sed 's/launch/other/'
		kernel 5 3000 4000
		kernel 6 5000 6000
	} | draw
	arrows '["launch",1000,"k5",3000]
["other",1300,"k6",5000]'
}

@test "calls and operations that never ended have their arrows" {
	{
		echo '{"kind":"api","ts":1000,"pid":1,"tid":1,"corr":5,'\
'"name":"launch","open":true,"gpu":2}'
		kernel 5 2000 3000
		echo '{"kind":"kernel","ts":3000,"pid":1,"corr":5,"name":"k",'\
'"device":0,"context":1,"stream":7,"open":true}'
		range a 4000 5000
	} | draw
	arrows '["launch",1000,"k5",2000]
["launch",1000,"k",3000]'
}

@test "a call that says it launches a great many does no harm" {
	{
		call 5 1000 2000 ',"gpu":9000000000000000000'
		seq 1 5000 | while read -r i; do
			kernel 5 "${i}0000" "${i}5000"
		done
	} | draw
	[ "$(grep -c '"what":"arrow"' out)" -eq 5000 ]
}

@test "no arrow leads backwards, and --no-flows draws none" {
	{
		kernel 4 500 600
		kernel 5 900 1100
		call 5 1000 2000 ',"gpu":1'
		call 6 3000 3100 ',"gpu":1'
		kernel 6 3200 3300
	} | draw
	arrows '["launch",3000,"k6",3200]'
	tq-perfetto -q --no-flows in > out.pftrace
	decode out.pftrace > out
	arrows ''
}

# ---- the model of a GPU ----

# ---- colours ----

@test "--color-map gives slices of one colour an id in common" {
	{
		range 'nccl a' 0 10
		range 'gemm 1' 20 30
		range 'gemm 2' 40 50
		range 'other' 60 70
		range 'own' 80 90 ',"color":"#ff0000"'
		range 'grey' 100 110
	} > lines
	printf '# map\n^nccl #ff0000\n^gemm [0-9] good\ngrey grey\n' > map
	draw --color-map map < lines
	jq -r 'select(.what == "slice") | .color // "none"' out > ids
	red=$(sed -n 1p ids)
	green=$(sed -n 2p ids)
	[ "$red" != "$green" ]
	printf '%s\n' "$red" "$green" "$green" none "$red" none | diff - ids
	draw < lines
	shows 'select(.what == "slice") | .color | select(.)' ''
}

@test "the id has the hue and the lightness that is wanted" {
	need node
	# red, green, blue: as in Perfetto's page
	while read -r rgb hue lightness; do
		range a 0 10 ',"color":"'"$rgb"'"' | draw --color-map /dev/null
		node -e '
			const [id, hue, light] = process.argv.slice(1)
			function hash(s, max) {
				let h = 0x811c9dc5 & 0xfffffff
				for (const c of s)
					h = ((h ^ c.charCodeAt(0)) * 16777619)
					    & 0xffffffff
				return Math.abs(h) % max
			}
			if (Math.abs(hash(id, 360) - hue) > 4 ||
			    Math.abs(hash(id + "x", 40) + 40 - light) > 4)
				process.exit(1)' \
		    "$(jq -r 'select(.what == "slice") | .color' out)" \
		    "$hue" "$lightness"
	done <<-'E'
	#ff0000 12 53
	#00c000 128 68
	#4040ff 266 40
	E
}

@test "a call that does not say how many stages it submits has the first" {
	{
		call 5 1000 2000
		kernel 5 3000 4000
		kernel 5 3500 4500
		kernel 5 5000 6000
	} | draw --gpu-model render-stages
	first=$(jq 'select(.what == "stage" and .ts == 3000).id' out)
	shows 'select(.what == "submits").ids' "[$first]"
	[ "$(jq 'select(.what == "stage").id' out | sort -u | wc -l)" = 3 ]
}

@test "members of a render stage's arguments are in the order of their keys" {
	for extra in '"zeta":[{"b":1,"a":2}],"args":{"y":1,"x":{"d":[],"c":"e"}},"alpha":7' \
	    '"args":{"x":{"c":"\u0065","d":[ ]},"y":1},"alpha":7,"zeta": [{"a":2,"b":1}]'; do
		kernel 5 3000 4000 ",$extra" | draw --gpu-model render-stages
		tq-perfetto -q --gpu-model render-stages in > trace
		[[ ! -e first ]] || cmp first trace
		mv trace first
	done
	shows 'select(.what == "stage").extra' '{"alpha":"7","args":'\
'"{\"x\":{\"c\":\"e\",\"d\":[]},\"y\":1}","zeta":"[{\"a\":2,\"b\":1}]"}'
}

@test "render stages have queues, launches, and the calls that submitted them" {
	{
		echo '{"kind":"device","pid":1,"name":"H100","device":0}'
		echo '{"kind":"symbol","id":3,"name":"k5","demangled":"k<int>()"}'
		range a 0 9000
		call 5 1000 2000 ',"gpu":2'
		kernel 5 3000 4000 ',"sym":3,"grid":[4,5,6],"regs":32,'\
'"cluster":[1,1,1],"args":{"x":1}'
		kernel 5 3500 4500
		kernel 9 5000 6000 | sed 's/"pid":1/"pid":2/'
	} | draw --gpu-model render-stages
	shows 'select(.what == "stage") | del(.what, .id)' '{"args":'\
'{"context":1,"correlation":5,"device":0,"pid":1,'\
'"registers_per_thread":32,"stream":7},"dur":1000,"extra":'\
'{"args":"{\"x\":1}","cluster":"[1,1,1]"},"gpu":0,"grid":[4,5,6],'\
'"kernel":"k<int>()","name":"k5","pid":"1","queue":"stream 7",'\
'"stage":"kernel","ts":3000}
{"args":{"context":1,"correlation":5,"device":0,"pid":1,"stream":7},'\
'"dur":1000,"extra":{},"gpu":0,"grid":[0,0,0],"kernel":"k5","name":"k5",'\
'"pid":"1","queue":"stream 7","stage":"kernel","ts":3500}
{"args":{"context":1,"correlation":9,"device":0,"pid":2,"stream":7},'\
'"dur":1000,"extra":{},"gpu":1,"grid":[0,0,0],"kernel":"k9","name":"k9",'\
'"pid":"2","queue":"stream 7","stage":"kernel","ts":5000}'
	shows 'select(.what == "gpus") | .names[-1]' '"process 1 · GPU 0"
"process 2 · GPU 0"'
	ids=$(jq -c 'select(.what == "submits") | .ids' out)
	[ "$(jq -sc 'map(select(.what == "stage") | .id)[:2]' out)" = "$ids" ]
	shows 'select(.what == "slice") | .name' '"a"
"launch"'
	run tq-perfetto --gpu-model=x in
	[ "$status" -eq 2 ]
	[ "$output" = "tq-perfetto: --gpu-model x: expected tracks or render-stages" ]
}
