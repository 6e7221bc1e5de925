#!/usr/bin/env bats
# tq-perfetto: a stream as a trace in Perfetto's own format

load helper
load chrome
load perfetto

# ---- the file ----

@test "a slice has its name, category, times and arguments" {
	range a 1000 3000 ',"domain":"d","depth":-7' | draw
	shows 'select(.what == "slice") | del(.what, .uuid)' '{"args":'\
'{"depth":-7,"domain":"d"},"cat":"user_annotation","depth":0,"dur":2000,'\
'"name":"a","track":"process 1 · threads/thread 1","ts":1000}'
}

@test "times are exact, up to the last that 64 bits hold" {
	{
		range a 0 1
		range b 1 1000
		range c 999999999999999 1000000000000001
		range d 4503599627370495 4503599627370496
	} | draw
	shows 'select(.what == "slice") | [.ts, .dur]' '[0,1]
[1,999]
[999999999999999,2]
[4503599627370495,1]'
	{
		range a -9223372036854775808 -9223372036854775807
		echo '{"kind":"range","ts":9223372036854775807,'\
'"dur":9223372036854775807,"pid":1,"tid":1,"name":"b"}'
	} | draw
	shows 'select(.what == "slice") | [.name, .dur]' '["a",1]
["b",0]'
}

@test "a great many slices at a time have their ends" {
	seq 1 3000 | sed 's/.*/{"kind":"range","ts":&,"dur":1000000,"pid":1,'\
'"tid":&,"name":"r"}/' | draw
	shows 'select(.what == "slice") | select(.dur != 1000000)' ''
	[ "$(grep -c '"what":"slice"' out)" = 3000 ]
}

@test "what comes late, or in another section, is drawn at its time" {
	{
		stream "$(range a 5000 6000)" "$(range b 100 200)" \
		    "$(range c 5500 5600)"
		stream "$(range d 10 20)"
	} > in
	tq-perfetto -q in > out.pftrace 2> err || true # out of order
	decode out.pftrace > out
	shows 'select(.what == "slice") | [.name, .ts, .dur]' '["d",10,10]
["b",100,100]
["a",5000,1000]
["c",5500,100]'
}

@test "nothing to draw gives a trace of nothing" {
	: | draw
	shows 'select(.what == "slice")' ''
	[ -s out.pftrace ]
	[ "$(cat err)" = 'tq-perfetto: 0 events in, 0 out, 0 lanes added; '\
'0 slices, 0 arrows' ]
}

@test "the summary is that of tq-chrome; -q leaves it out" {
	{
		call 1 1000 2000
		kernel 1 1500 2500
		kernel 2 2000 3000
		echo '{"kind":"counter","ts":3000,"pid":1,"counter":1,"value":5}'
	} | draw
	tq-chrome in 2>&1 > /dev/null | sed 's/chrome/perfetto/' | cmp - err
	tq-perfetto -q in 2>&1 > again | grep . && false
	cmp again out.pftrace
}

@test "the clock of the wall is told, when it is known" {
	{
		echo '{"kind":"trace","origin_utc_ns":"1700000000000000000"}'
		range a 1000 2000
		echo '{"kind":"end","events":1}'
	} | tq-perfetto -q > out.pftrace
	decode out.pftrace > out
	grep -Fx '{"what":"clock","1":1700000000000000000,"6":0,"64":0}' out
}

@test "the state is renewed, so that the rest of a cut file can be read" {
	# every 8 MB
	long=$(head -c 8000 /dev/zero | tr '\0' x)
	seq 1 2400 | sed 's/.*/{"kind":"range","ts":&000,"dur":500,"pid":1,'\
'"tid":1,"name":"r","id":&,"domain":"a domain with a long name '"$long"' &"}/' | draw
	cleared=$(tail -n 1 out | jq .cleared)
	[ "$cleared" -gt 2 ]
	# where the second state begins: that packet, its sequence, the flags
	at=$(LC_ALL=C grep -abo -P '\x50\x01\x68\x01\x62' out.pftrace |
	    sed -n '1s/:.*//p')
	# its tag and the length are in front of that
	for before in 3 4 5; do
		tail -c "+$((at - before + 1))" out.pftrace > cut.pftrace
		decode cut.pftrace > cut || continue
		found=yes
		break
	done 2> /dev/null
	[ "$found" ]
	[ "$(grep -c '"what":"slice"' cut)" -gt 900 ]
	grep -q '"name":"process 1 · threads/thread 1"' cut
}

# packet_ends FILE: where each packet ends
packet_ends() {
	perl -0777 -ne '
	    for (my $at = 0; $at++ < length;) {
		my ($len, $shift, $byte) = (0, 0);
		do {
			$byte = ord substr $_, $at++, 1;
			$len |= ($byte & 127) << $shift;
			$shift += 7;
		} while $byte & 128;
		$at += $len;
		print "$at\n";
	    }' "$1"
}

@test "a slice of which the beginning is there has its end, wherever a file is cut" {
	{
		range outer 0 1000000000000
		for i in {1..20}; do
			range "inner $i" $((i * 1000)) $((i * 1000 + 5000))
		done
	} | draw
	packet_ends out.pftrace | tail -n 21 | head -n 20 > ends
	while read -r len; do
		head -c "$len" out.pftrace > cut.pftrace
		decode cut.pftrace > cut 2> /dev/null || continue
		some=yes
		[ "$(grep -F '"name":"outer"' cut | grep -o '"dur":[0-9]*')" = \
		    '"dur":1000000000000' ]
	done < ends
	[ "$some" ]
}

@test "a name that was forgotten for many others is itself again" {
	awk 'BEGIN {
		for (i = 0; i < 12000; i++)
			printf "{\"kind\":\"range\",\"ts\":%d,\"dur\":9," \
			    "\"pid\":1,\"tid\":1,\"name\":\"n %d\"}\n",
			    i * 1000, i % 6000 + 1
	}' | draw
	jq -r 'select(.what == "slice") | .name' out > names
	for turn in 1 2; do seq -f 'n %g' 6000; done | cmp - names
}

@test "many names do not take memory, or stay unknown" {
	need native no-sanitizer
	# 4096 are remembered; perl takes long to read more
	local read=10000

	[[ ! ${CHECK_ALL-} ]] || read=300000
	awk 'BEGIN {
		for (i = 1; i <= 300000; i++)
			printf "{\"kind\":\"range\",\"ts\":%d,\"dur\":900," \
			    "\"pid\":1,\"tid\":%d,\"name\":\"range number %d\"," \
			    "\"unknown %d\":\"value %d\"}\n",
			    i * 1000, i % 8 + 1, i, i % 1000, i
	}' > in
	(ulimit -v 48000 && tq-perfetto -q in > out.pftrace)
	head -n $read in | tq-perfetto -q > out.pftrace
	decode out.pftrace > out
	[ "$(grep '"what":"slice"' out | jq -r .name | sort -u | wc -l)" = $read ]
}

@test "memory does not grow with the input" {
	need native no-sanitizer
	awk 'BEGIN {
		for (i = 1; i <= 300000; i++) {
			t = i * 1000
			printf "{\"kind\":\"api\",\"ts\":%d,\"dur\":90," \
			    "\"pid\":1,\"tid\":%d,\"corr\":%d,\"gpu\":1," \
			    "\"name\":\"l\"}\n", t + 10, i % 8 + 1, i
			printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":900," \
			    "\"pid\":1,\"corr\":%d,\"device\":0," \
			    "\"stream\":7,\"name\":\"k\"}\n", t + 50, i
		}
	}' > in
	(ulimit -v 48000 && tq-perfetto in > out 2> err)
	grep -F ' 300000 arrows' err
}

@test "a trace is at most a quarter of the JSON" {
	awk 'BEGIN {
		for (i = 1; i <= 20000; i++) {
			t = i * 9000
			printf "{\"kind\":\"api\",\"ts\":%d,\"dur\":3900," \
			    "\"pid\":2101,\"tid\":2101,\"corr\":%d," \
			    "\"name\":\"cudaLaunchKernel\",\"api\":" \
			    "\"cuda-runtime\",\"ret\":0,\"raw\":" \
			    "\"cudaLaunchKernel_v7000\",\"gpu\":1}\n", t, i
			printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":2912," \
			    "\"pid\":2101,\"corr\":%d,\"name\":\"kernel %d\"," \
			    "\"device\":0,\"context\":1,\"stream\":7," \
			    "\"grid\":[%d,2,1],\"block\":[256,1,1]," \
			    "\"regs\":32,\"smem_static\":12288," \
			    "\"smem_dynamic\":65536}\n", t + 4000, i,
			    i % 100, i % 3000
		}
	}' > in
	tq-perfetto -q in > out.pftrace
	tq-chrome -q in > out.json
	[ $((4 * $(stat -c %s out.pftrace))) -le "$(stat -c %s out.json)" ]
}

# ---- strings ----

@test "names are UTF-8, whatever came" {
	printf '%s\n' '{"kind":"range","ts":0,"dur":1,"pid":1,"tid":1,'\
'"name":"a\ud83d\ude00\u0007\"b","domain":"\u00e9"}' > lines
	printf '{"kind":"range","ts":2,"dur":1,"pid":1,"tid":1,"name":"x\xffy",'\
'"category":"\xc3(","k\xfe":"\xed\xa0\x80"}\n' >> lines
	draw < lines
	shows 'select(.what == "slice") | [.name, .args]' \
	    '["a😀\u0007\"b",{"domain":"é"}]
["x�y",{"category":"�(","k�":"���"}]'
}

@test "long strings are whole, and not kept" {
	long=$(head -c 5000 /dev/zero | tr '\0' x)
	{
		range "$long" 0 1 ',"domain":"'"$long"'"'
		range "$long" 2 3 ',"'"$long"'":1'
	} | draw
	shows 'select(.what == "slice") | [(.name | length),
	    (.args | to_entries[0] | .key, .value | tostring | length)]' \
	    '[5000,6,5000]
[5000,5000,1]'
}

@test "numbers are numbers, of all sizes" {
	range a 0 1 ',"x":1,"y":-1,"z":9223372036854775807,'\
'"u":18446744073709551615,"v":1.5,"w":1e30,"b":true,"n":null,'\
'"args":{"m":{"b":[1,"two",{"c":false}],"a":0}}' | draw
	shows 'select(.what == "slice") | .args | del(.z, .u)' \
	    '{"b":true,"m":{"a":0,"b":[1,"two",{"c":false}]},"v":1.5,'\
'"w":1e+30,"x":1,"y":-1}'
	grep -F '"u":18446744073709551615' out
	grep -F '"z":9223372036854775807' out
}

@test "an operation of a graph shows its operator, module and shapes, and their proof" {
	kernel 5 0 10 ',"graph_depth":1,"op_name":"aten::mm","module":"mlp",'\
'"shapes":"[[8, 64]]","node_index":3,"proof":"sequence"' | draw
	shows 'select(.what == "slice") | .args | [.op_name, ."module", .shapes,
	    .node_index, .proof]' '["aten::mm","mlp","[[8, 64]]",3,"sequence"]'
}

@test "of equal keys the last counts, and a name that is taken says args" {
	range a 0 1 ',"depth":1,"x":1,"args":{"depth":2,"x":3,"y":4,"y":5}' |
	    draw
	shows 'select(.what == "slice") | .args' \
	    '{"args.depth":2,"args.x":3,"depth":1,"x":1,"y":5}'
}

@test "a kernel has its full name, and a sample its stack, outermost first" {
	{
		echo '{"kind":"symbol","id":3,"name":"k","demangled":"void k<int>()"}'
		echo '{"kind":"stack","id":1,"frames":["leaf","middle","main"]}'
		kernel 1 100 200 ',"sym":3'
		echo '{"kind":"sample","ts":150,"pid":1,"tid":1,"stack":1}'
		echo '{"kind":"sample","ts":160,"pid":1,"tid":1,"stack":1}'
	} | draw
	shows 'select(.what == "slice") | [.name, .args.demangled, .stack]' \
	    '["k1","void k<int>()",null]
["leaf",null,["main","middle","leaf"]]
["leaf",null,["main","middle","leaf"]]'
}

# ---- the profile of processors ----

@test "--cpu-profile has a sample for each period that a thread ran, with names" {
	{
		echo '{"kind":"stack","id":1,"frames":["leaf","main"]}'
		echo '{"kind":"stack","id":2,"frames":["wait"]}'
		echo '{"kind":"process","pid":7,"name":"train"}'
		echo '{"kind":"thread","pid":7,"tid":8,"name":"worker"}'
		sample() { printf '{"kind":"sample","ts":%d,"pid":7,"tid":%d,%s}\n' "$@"; }
		sample 100 8 '"cpu":3,"stack":1'
		sample 110 8 '"cpu":2,"count":3,"state":"Running","stack":1'
		# those that stand for no time on a processor, or have no stack
		sample 120 8 '"count":10,"state":"Interruptible","stack":2'
		sample 130 8 '"count":0,"stack":1'
		sample 140 8 '"stack":9'
		sample 150 8 '"cpu":1'
		sample 160 9 '"stack":2'
		echo '{"kind":"sample","ts":170,"stack":1}'
		sample 180 4294967296 '"stack":1'
		# more than any timer leaves out
		sample 190 9 '"count":9223372036854775807,"stack":2'
	} > records
	draw --cpu-profile < records
	shows 'select(.what == "sample") | [.ts, .cpu, .pid, .tid, .stack]' \
	    '[100,3,7,8,["main","leaf"]]
[110,2,7,8,["main","leaf"]]
[110,2,7,8,["main","leaf"]]
[110,2,7,8,["main","leaf"]]
[160,0,7,9,["wait"]]'"$(printf '\n[190,0,7,9,["wait"]]%.0s' {1..100})"
	shows 'select(.what == "names") | [.processes, .threads]' \
	    '[["train"],["worker"]]
[["train"],[]]'
	# the slices are those without it
	shows 'select(.what == "slice")' "$(draw < records
	    jq -c "select(.what == \"slice\") | $plain" out)"
	run ! grep '"what":"sample"' out
}

@test "stacks of the profile are there again where the trace begins anew" {
	{
		echo '{"kind":"stack","id":1,"frames":["leaf","main"]}'
		# between samples so many bytes that it does
		awk '
		function samples(from) {
			for (i = from; i < from + 2000; i++)
				printf "{\"kind\":\"sample\",\"ts\":%d,\"pid\":7,\"tid\":%d,\"count\":2,\"stack\":1}\n",
				    i, 7 + i % 20
		}
		BEGIN {
			for (text = "x"; length(text) < 50000;)
				text = text text
			samples(0)
			for (i = 2000; i < 2200; i++)
				printf "{\"kind\":\"mark\",\"ts\":%d,\"pid\":7,\"tid\":7,\"name\":\"m\",\"args\":{\"text\":\"%s\"}}\n",
				    i, text
			samples(2200)
		}'
	} | draw --cpu-profile
	[ "$(jq -r 'select(.what == "file").cleared' out)" -ge 2 ]
	[ "$(jq -c 'select(.what == "sample").stack' out | sort | uniq -c | xargs)" = \
	    '8000 [main,leaf]' ]
}

# ---- input that ends early ----

@test "a cut stream gives a whole file, and exits 1" {
	{
		call 1 1000 2000
		kernel 1 3000 4000
		echo '{"kind":"range","ts":4000,"pid":1,"tid":1,"name":"open",'\
'"open":true}'
	} | stream | sed '$d' > cut
	run --separate-stderr tq-perfetto -o out.pftrace cut
	[ "$status" -eq 1 ]
	[[ $stderr = *'tq-perfetto: warning: cut: stream ends without its end record'* ]]
	decode out.pftrace > out
	stands '["launch","process 1 · threads/thread 1"]
["k1","process 1 · GPU 0/stream 7"]
["open","process 1 · threads/thread 1"]'
}

@test "a line that is no record ends the trace there, whole, and exits 1" {
	{
		stream < /dev/null | head -n 1
		range a 0 10
		echo '{"kind":'
		range b 10 20
	} > in
	run --separate-stderr bash -c 'tq-perfetto in > out.pftrace'
	[ "$status" -eq 1 ]
	[ "$stderr" = 'tq-perfetto: in:3: expected a value' ]
	decode out.pftrace > out
	stands '["a","process 1 · threads/thread 1"]'
	run tq-perfetto -o new in
	[ "$status" -eq 1 ]
	[ ! -e new ]
}

# ---- output ----

@test "a terminal gets no trace" {
	range a 0 10 | stream > in
	need script
	run script -qec "tq-perfetto in" /dev/null
	[ "$status" -eq 2 ]
	[[ $output = 'tq-perfetto: <stdout>: is a terminal; use -o or a pipe'* ]]
}

@test "gzip and zstd are written by an option or by the name of the file" {
	range a 0 10 | draw
	tq-perfetto -q --gzip in | gzip -dc | cmp - out.pftrace
	tq-perfetto -q -o x.pftrace.gz in
	gzip -dc x.pftrace.gz | cmp - out.pftrace
	tq-perfetto -qz in | zstd -dc | cmp - out.pftrace
	tq-perfetto -q -o x.pftrace.zst in
	zstd -dc x.pftrace.zst | cmp - out.pftrace
}

@test "a stream that waits is drawn up to where it is" {
	mkfifo pipe
	tq-perfetto -q pipe > out.pftrace &
	pid=$!
	exec 7> pipe
	{
		range a 0 10
		range b 20 30
	} >&7
	until_true test -s out.pftrace
	decode out.pftrace > out
	shows 'select(.what == "slice") | [.name, .dur]' '["a",10]
["b",10]'
	exec 7>&-
	wait $pid
	decode out.pftrace | cmp - out
}

@test "a stream that waits is the same trace as a file" {
	# of Chrome's format: ends wait for arrows
	stream '{"kind":"range","ts":0,"dur":10,"pid":1,"tid":1,"name":"a"}' \
	    '{"kind":"range","ts":20,"dur":10,"pid":1,"tid":2,"name":"b"}' \
	    '{"kind":"range","ts":40,"dur":10,"pid":1,"tid":2,"name":"c"}' |
	    sed 's/"source":"test"/"source":"kineto"/' > in
	tq-perfetto -q in > want
	mkfifo pipe
	tq-perfetto -q pipe > out.pftrace &
	pid=$!
	exec 7> pipe
	head -n 3 in >&7
	until_true test -s out.pftrace
	tail -n 2 in >&7
	exec 7>&-
	wait $pid
	cmp out.pftrace want
}

@test "protoc knows every field" {
	need protoc tqtrace.proto
	# it has all but call stacks, and what extends track events
	sed 's/^message InternedData {/&\
  repeated InternedString function_names = 5; repeated Frame frames = 6;\
  repeated Callstack callstacks = 7;/
	s/^message TracePacket {/&\
  optional bytes extension_descriptor = 72;/
	s/^message TrackEvent {/&\
  optional bytes debug = 9900;/' "$VIEW/tqtrace.proto" > all.proto
	cat >> all.proto <<-'E'
	message Frame { optional uint64 iid = 1;
	    optional uint64 function_name_id = 2; }
	message Callstack { optional uint64 iid = 1;
	    repeated uint64 frame_ids = 2; }
	E
	cp "$(correlated demo)" in
	for model in render-stages tracks; do
		tq-perfetto -q --gpu-model "$model" in > out.pftrace
		protoc --decode=perfetto.protos.Trace all.proto \
		    < out.pftrace > out
		if grep -E '^ *[0-9]+(:| \{)' out; then
			false
		fi
	done
	grep -q 'callstack_iid: 1$' out
	grep -q 'terminating_flow_ids: ' out
}
