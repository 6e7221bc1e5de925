#!/usr/bin/env bats
# tq-extract: Perfetto's own format

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# trace [TEXT]: write the trace that proto.pl makes of it, or of stdin, to the
# file in
trace() {
	if (($# > 0)); then
		printf '%s' "$1"
	else
		cat
	fi | perl "$top/tests/proto.pl" > in
}

# records FILTER: what tq-extract makes of the file in, without its frame
records() {
	tq-extract in | jq -c 'select(.kind | IN("trace", "end") | not) | '"$1"
}

# as_drawn: what Perfetto's format holds of a stream: events without the ids of
# definitions, in ns from the first of them on
as_drawn() {
	jq -ncS '[inputs] | (map(.ts | values) | min) as $t | .[] |
	    select(.ts) | del(.sym, .stack, .counter) | .ts -= $t' | sort
}

# names: the names, and the call stacks, that records refer to
names() {
	jq -ncS '[inputs] | map(select(.kind | IN("symbol", "stack")) |
	    {("\(.kind) \(.id)"): (.demangled // .frames)}) | add as $n |
	    .[] | select(.ts) | ["symbol \(.sym)", "stack \(.stack)"] |
	    map($n[.]) | select(any)' | sort
}

# all_accounted ROWS: is every packet of --check in $output something?
all_accounted() {
	grep -v 'lost: \|^evidence: ' <<< "$output" | awk -v rows="$1" 'NR > 2 { n = NF; got++
	    sum = $(n - 4) + $(n - 3) + $(n - 2) + $(n - 1) + $n
	    if ($(n - 5) != sum) bad = 1 } END { exit bad || got < rows }'
}

# ---- what tq-perfetto writes ----

@test "what tq-perfetto draws comes back, record by record" {
	need jq
	for name in demo ranges graph; do
		file=$(correlated "$name")
		tq-perfetto -q -o drawn "$file"
		tq-extract drawn > back
		diff <(as_drawn < "$file") <(as_drawn < back)
		diff <(names < "$file") <(names < back)
	done
}

@test "so do render stages, threads, processes, streams and counters" {
	file=$(correlated demo)
	tq-perfetto -q --gpu-model render-stages -o drawn "$file"
	tq-extract drawn > back
	diff <(as_drawn < "$file") <(as_drawn < back)
	tq-perfetto -q -o drawn "$file"
	tq-extract drawn > back
	diff <(jq -cS 'select(.kind | IN("thread", "stream")) |
	    del(.priority)' "$file" | sort) \
	    <(jq -cS 'select(.kind | IN("thread", "stream"))' back | sort)
	[ "$(jq -r 'select(.kind == "process") | "\(.pid) \(.name)"' back | xargs)" = \
	    '48211 python3 48212 python3' ]
	[ "$(jq -r 'select(.kind == "counterdef") | "\(.name) \(.unit)"' back | head -1)" = \
	    'SMs Active %' ]
	[ "$(jq -r 'select(.kind == "trace") | .origin_utc_ns' back)" = 1778578200000000000 ]
}

@test "why a thread left a processor comes back with that switch alone" {
	stream '{"kind":"sched","ts":10,"pid":1,"tid":2,"cpu":3,"on":true}' \
	    '{"kind":"sched","ts":20,"pid":1,"tid":2,"cpu":3,"on":false,"state":"Waiting","reason":"CondVar"}' \
	    '{"kind":"sched","ts":30,"pid":1,"tid":2,"cpu":3,"on":true}' \
	    '{"kind":"sched","ts":40,"pid":1,"tid":2,"cpu":3,"on":false,"state":"Waiting","reason":"Sleep"}' > in.tq
	tq-perfetto -q -o switches.pftrace in.tq
	tq-extract --only -k sched switches.pftrace |
	    jq -c '[.ts, .on, .reason]' | xargs > got
	[[ $(cat got) = "$(jq -c 'select(.kind == "sched") | [.ts, .on, .reason]' in.tq | xargs)" ]]
}

@test "a switch comes back as it was: one that no other ends or begins, too" {
	stream '{"kind":"sched","ts":5,"pid":1,"tid":2,"cpu":3,"on":false,"state":"Waiting"}' \
	    '{"kind":"sched","ts":10,"pid":1,"tid":2,"cpu":3,"on":true}' \
	    '{"kind":"sched","ts":20,"pid":1,"tid":2,"cpu":3,"on":false,"reason":"CondVar"}' \
	    '{"kind":"sched","ts":30,"pid":1,"tid":2,"cpu":3,"on":true}' \
	    '{"kind":"sched","ts":40,"pid":1,"tid":2,"cpu":4,"on":true}' \
	    '{"kind":"mark","ts":50,"pid":1,"tid":2,"name":"last"}' > in.tq
	tq-perfetto -q -o switches.pftrace in.tq
	diff <(grep '"sched"' in.tq) <(tq-extract --only -k sched switches.pftrace |
	    grep '"sched"')
}

@test "arguments come back whatever their names and values are" {
	args='{"args":{"a":1},"args.q":2,"device":9,"dur":7,"open":true,"stream":"x","sym":4,"begin_ns":3,"correlation":4,"e":[],"end_ns":100,"f":{},"g":{"h":[{}]}}'
	stream '{"kind":"range","ts":45,"dur":10,"pid":1,"tid":2,"name":"r","args":'"$args}" \
	    '{"kind":"mark","ts":50,"pid":1,"tid":2,"name":"m","args":{"dur":7,"kind":"k","name":"n","ts":1}}' > in.tq
	tq-perfetto -q -o drawn in.tq
	diff <(jq -cS 'select(.args) | [.ts, .dur, .name, .args]' in.tq) \
	    <(tq-extract drawn | jq -cS 'select(.args) | [.ts, .dur, .name, .args]')
}

# a rank that launches at 1 us by its own clock
rank() {
	printf '{"kind":"trace","version":1,"source":"nsys","origin_utc_ns":"%s"}\n' "$1"
	cat <<- END
		{"kind":"api","ts":$3,"dur":100,"name":"cudaLaunchKernel","pid":$2,"tid":$2,"corr":1,"api":"runtime"}
		{"kind":"kernel","ts":1700,"dur":100,"name":"k","pid":$2,"device":0,"context":1,"stream":7,"corr":1}
		{"kind":"end","events":2}
	END
}

@test "the call that launched an operation is where it is drawn, in each rank" {
	for first in 1000 -7000; do
		{
			rank 1000000000 1 $first
			rank 1000005000 2 1000
		} | tq-correlate > ranks.tq
		tq-perfetto -q -o drawn ranks.tq
		diff <(tq-stats -f csv -r cuda_kern_exec_sum ranks.tq) \
		    <(tq-extract drawn | tq-stats -f csv -r cuda_kern_exec_sum)
		[ "$(tq-extract drawn | jq -r 'select(.api_ts) | .api_ts' | xargs)" = \
		    "$(tq-extract drawn | jq -r 'select(.kind == "api") | .ts' | xargs)" ]
		[ "$(tq-chrome -q ranks.tq | jq -r '.traceEvents[] | select(.args.api_ts) | .args.api_ts' | xargs)" = \
		    "$(tq-extract drawn | jq -r 'select(.kind == "api") | .ts' | xargs)" ]
	done
}

@test "tq runs tq-extract before the tools that read streams, and views the trace itself" {
	tq-perfetto -q -o demo.pftrace "$(correlated demo)"
	cmp <(tq stats -r cuda_gpu_kern_sum demo.pftrace) \
	    <(tq-stats -r cuda_gpu_kern_sum "$(correlated demo)")
	tq view demo.pftrace > said
	grep -q 'ui.perfetto.dev' said
}

@test "--check accounts for every packet of what tq-perfetto writes" {
	tq-perfetto -q -o drawn "$(correlated demo)"
	run -0 tq-extract --check drawn
	[[ ${lines[0]} = 'drawn: perfetto, written by tq-perfetto' ]]
	all_accounted 2
	[ "$(awk 'NR > 2 { n += $(NF - 5) } END { print n }' <<< "$output")" -gt 3000 ]
}

@test "real exports come back from tq-perfetto, but for messages before the first event" {
	data nsys/2026.1.1-vectoradd.sqlite
	for name in 2026.1.1-vectoradd 2024.6.2-nvfuser-h200-a; do
		file=$(extracted "$name")
		tq-perfetto -q -o drawn "$file"
		cmp <(grep -v '"kind":"diagnostic"' "$file" | as_drawn) \
		    <(tq-extract drawn | grep -v '"kind":"diagnostic"' | as_drawn)
		[ "$(tq-extract drawn | grep -c '"kind":"diagnostic"')" = \
		    "$(grep -c '"kind":"diagnostic"' "$file")" ]
	done
}

# ---- traces of others ----

@test "slices, instants, counters, flows and annotations of any trace" {
	trace <<'END'
1{10:7 13:1 6{1{1:6 2:1000} 1{1:1 2:1778578200000001000} 1{1:64 2:0 3:1}}
  59{58:64 11{11:43}}}
1{10:7 60{1:42 3{1:9 6="app"}}} 1{10:7 60{1:43 5:42 4{1:9 2:11 5="main"}}}
1{10:7 8:100 12{1{1:1 2="cat"} 2{1:1 2="outer"} 3{1:1 2="note"} 29{1:1 2="text"}}
  11{9:1 3:1 10:1 47@5 4{1:1 17:1} 4{10="d" 11{10="x" 4:-3}
  11{10="y" 12{2:1} 12{5~1.5}}} 4{10="p" 7:255} 55{1{1="main"} 1{1="leaf"}}}}
1{10:7 8:50 11{9:1 23="inner"}} 1{10:7 8:50 11{9:2}}
1{10:7 8:100 11{9:2 4{10="note" 3:9007199254740993}}}
1{10:7 58:6 8:1350 11{9:3 23="step" 48@5}}
1{10:7 60{1:60 2="queue" 5:42 8{3:3 4:2}}}
1{10:7 58:6 8:1360 11{9:4 11:60 30:21}} 1{10:7 58:6 8:1370 11{9:4 11:60 44~0.25}}
1{10:7 8:5 77{1:1}} 1{10:7 58:6 8:1400 11{9:1 23="left"}}
END
	records '.' > out
	diff out - <<'END'
{"kind":"process","pid":9,"name":"app"}
{"kind":"thread","pid":9,"tid":11,"name":"main"}
{"kind":"counterdef","name":"queue","id":1,"unit":"bytes"}
{"kind":"stack","id":1,"frames":["leaf","main"]}
{"kind":"range","ts":0,"dur":200,"pid":9,"tid":11,"name":"outer","id":2,"mode":"push","category":"cat","stack":1,"args":{"note":"9007199254740993","d":{"x":-3,"y":[true,1.5]},"p":"0xff"}}
{"kind":"flow","ts":0,"pid":9,"tid":11,"name":"outer","flow":"5","phase":"s"}
{"kind":"range","ts":50,"dur":50,"pid":9,"tid":11,"name":"inner","id":1,"mode":"push"}
{"kind":"mark","ts":250,"pid":9,"tid":11,"name":"step"}
{"kind":"flow","ts":250,"pid":9,"tid":11,"name":"step","flow":"5","phase":"f"}
{"kind":"counter","ts":260,"pid":9,"counter":1,"value":42}
{"kind":"counter","ts":270,"pid":9,"counter":1,"value":0.5}
{"kind":"range","ts":300,"pid":9,"tid":11,"name":"left","id":3,"mode":"push","open":true}
END
	[ "$(tq-extract in | jq -r '.origin_utc_ns | values')" = 1778578200000001100 ]
	run -0 tq-extract --check in
	[[ $output =~ packet\ of\ field\ 77\ +1\ +0\ +0\ +0\ +0\ +1 ]]
	[ "$(tq-extract --kinds in | xargs)" = 'range 3 mark 1 flow 2 counter 2' ]
}

@test "an annotation of JSON is its value, unless it is none, or too deep" {
	deep=$(printf '[%.0s' {1..40})$(printf ']%.0s' {1..40})
	trace <<- END
		1{10:7 60{1:1 2="t"}}
		1{10:7 8:1 11{9:3 11:1 23="m" 4{10="list" 9="[1, [], {}]"}
		  4{10="number" 9="1.5"} 4{10="none" 9="[1"} 4{10="deep" 9="$deep"}}}
	END
	diff <(records 'select(.args) | .args') - <<- END
		{"list":[1,[],{}],"number":1.5,"none":"[1","deep":"$deep"}
	END
}

@test "a trace of rocprofv3: kernels, copies, calls, and times that were moved" {
	trace <<'END'
1{10:1 60{1:1 3{1:2800 6="app"}}} 1{10:1 60{1:2 2="THREAD 1 (2801)" 5:1}}
1{10:1 60{1:3 2="COMPUTE AGENT [4] STREAM [1] (GPU)"}}
1{10:1 60{1:4 2="COPY to AGENT [4] STREAM [2]"}}
1{10:1 8:100 11{9:1 11:2 22="hip_api" 23="hipLaunchKernel" 47@77
  4{10="begin_ns" 3:100} 4{10="end_ns" 3:150} 4{10="delta_ns" 3:50}
  4{10="tid" 3:2801} 4{10="corr_id" 3:77} 4{10="kind" 3:3}}}
1{10:1 8:150 11{9:2 11:2}}
1{10:1 8:210 11{9:1 11:3 22="kernel_dispatch" 23="void ns::k<int>(float*)"
  47@77 4{10="begin_ns" 3:205} 4{10="end_ns" 3:260} 4{10="corr_id" 3:77}}}
1{10:1 8:250 11{9:2 11:3}}
1{10:1 8:300 11{9:1 11:4 22="memory_copy" 23="MEMORY_COPY_HOST_TO_DEVICE"
  4{10="bytes" 3:4096}}} 1{10:1 8:340 11{9:2 11:4}}
1{10:1 8:400 11{9:1 11:2 22="marker_api" 23="step"}} 1{10:1 8:450 11{9:2 11:2}}
END
	records '. | select(.ts) | del(.id)' > out
	diff out - <<'END'
{"kind":"api","ts":0,"dur":50,"pid":2800,"tid":2801,"corr":77,"name":"hipLaunchKernel","api":"hip","args":{"kind":3}}
{"kind":"kernel","ts":105,"dur":55,"pid":2800,"corr":77,"name":"k","sym":1,"device":4,"stream":1}
{"kind":"memcpy","ts":200,"dur":40,"pid":2800,"name":"MEMORY_COPY_HOST_TO_DEVICE","device":4,"stream":2,"bytes":4096,"copy":"HtoD"}
{"kind":"range","ts":300,"dur":50,"pid":2800,"tid":2801,"name":"step","mode":"push","domain":"roctx"}
END
	run -0 --separate-stderr tq-correlate -v -o c.tq <(tq-extract in)
	[[ $stderr = *'2 operations: 1 resolved'* ]]
}

@test "sequences have strings and clocks of their own, which are forgotten" {
	trace <<'END'
1{10:1 13:1 12{2{1:1 2="one"}} 8:10 58:6 11{9:3 10:1}}
1{10:2 13:1 12{2{1:1 2="two"}} 6{1{1:6 2:1000} 1{1:70 2:5 4:10}} 59{58:70}}
1{10:2 8:6 11{9:3 10:1}} 1{10:1 8:20 11{9:3 10:1}}
1{10:1 13:1 8:30 11{9:3 10:1}} 1{10:3 8:40 58:99 11{9:3 23="?"}}
END
	[ "$(records 'select(.ts) | [.ts, .name]' | xargs)" = \
	    '[0,one] [10,one] [20,] [30,?] [1000,two]' ]
	run -0 tq-extract --check in
	[[ $output = *'times of clocks that are not known: 1' ]]
}

@test "compressed packets are read; those that cannot be are lost" {
	trace '1{50z{1{8:5 11{9:3 23="in"}} 1{8:6 11{9:3 23="too"}}}} 1{8:7 11{9:3 23="out"}}'
	[ "$(records 'select(.ts) | .name' | xargs)" = 'in too out' ]
	trace '1{50="no zlib"} 1{8:7 11{9:3 23="out"}}'
	run -1 --separate-stderr tq-extract in
	[ "$(jq -c 'select(.kind == "lost") | [.reason, .count]' <<< "$output")" = \
	    '["compressed packet",1]' ]
	[[ $stderr = *'1 rows dropped'* ]]
	run -1 tq-extract --check in
	tq-perfetto -q --gzip -o drawn.gz "$(correlated demo)"
	tq-perfetto -q -o drawn "$(correlated demo)"
	cmp <(tq-extract drawn.gz) <(tq-extract drawn)
}

# ---- what is broken ----

@test "a trace that was cut has its events, no end, a warning and status 1" {
	trace '1{10:1 8:5 11{9:3 23="one"}} 1{10:1 8:6 11{9:3 23="two"}}'
	size=$(stat -c %s in)
	for n in 6 "$((size / 2 + 3))" "$((size - 1))"; do
		head -c "$n" in > cut
		run -1 --separate-stderr tq-extract cut
		[[ $stderr = *'the file ends within a packet' ]]
		[[ $output != *'"kind":"end"'* ]]
	done
	[[ $output = *'"name":"one"'* ]]
}

@test "a length that passes the file is the end of it" {
	for bytes in '\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f' '\x0a\xff\xff\xff\x3f\x08' \
	    '\x0a\x04\x5a\x09\x48\x03\x0a' '\x0a\x02\x50\x01\x0b\x01' '\x0a\x01\x01'; do
		printf "$bytes" > in
		run -1 --separate-stderr timeout 20 tq-extract --format perfetto in
		[[ $stderr = *"tq-extract: warning: in: "* ]]
	done
}

@test "ends without begins, events without times or values, broken messages" {
	trace '1{10:1 8:5 11{9:2 11:1}} 1{10:1 11{9:3 23="when?"}} 1{10:1 8:6 11{9:4 11:1}}
	    1{10:1 8:7 11="~~~"} 1{8="x" 10:1 8:8 11{9:3 4="~~~" 23="ok"}} 1{10:1 8:9 11{23="no type"}}
	    1{10:1 8:9 11="~"}'
	run -1 --separate-stderr tq-extract in
	[ "$(jq -c 'select(.kind == "lost") | [.reason, .count]' <<< "$output" | xargs)" = \
	    '[syntax,2] [no time,1] [end without begin,1] [counter value,1]' ]
	[ "$(jq -r '.name | values' <<< "$output")" = ok ]
	run -1 tq-extract --check in
	all_accounted 4
}

@test "deep annotations, long names and circles of tracks are no trouble" {
	trace "1{8:5 11{9:3 23=\"deep\" $(printf '4{10="a" %0.s' 1)$(printf '12{%.0s' {1..1000})$(printf '}%.0s' {1..1001})}}
	    1{8:6 11{9:3 23=\"$(head -c 300000 /dev/zero | tr '\0' x)\"}}
	    1{60{1:1 5:2}} 1{60{1:2 5:1}} 1{60{1:3 5:3}} 1{8:7 11{9:3 11:1 23=\"circle\"}} 1{8:8 11{9:3 11:3}}"
	[ "$(records 'select(.ts) | .name | length' | xargs)" = '4 300000 6 0' ]
	[ "$(records 'select(.name == "deep") | .args.a | tostring | length')" -lt 100 ]
}

# ---- what it is ----

@test "what begins like a trace and is none is not taken for one" {
	for text in '\n{"kind":"mark","ts":1}\n' '\n[{"ph": "i", "name": "a", "ts": 1}]\n' \
	    '\na;b 1\n' '\n'; do
		printf "$text" > in
		run tq-extract --kinds in
		[[ $output != *perfetto* ]]
	done
	printf '\n{"kind":"mark","ts":1,"pid":1,"tid":1,"name":"a"}\n' > in
	[ "$(tq-extract in | jq -r .name)" = a ]
	trace "1{8:5 11{9:3 23=\"{'kind':'mark'}\"}}"
	[ "$(tq-extract --kinds in)" = 'mark	1' ]
}
