#!/usr/bin/env bats
# tq-chrome: a stream as Chrome trace JSON

load helper
load chrome

# ---- the file ----

@test "an event stands on a line, between a line before and a line behind" {
	range a 1000 3000 | draw
	[ "$(head -n 1 out)" = '{"displayTimeUnit":"ns","traceEvents":[' ]
	[ "$(tail -n 1 out)" = '],"otherData":{"converter":"'"$(
		tq-chrome --version)"'","version":1,"source":"test"}}' ]
	sed '1d;$d; s/,$//' out | jq -c . | wc -l > count
	[ "$(cat count)" -eq "$(($(wc -l < out) - 2))" ]
	shows 'select(.ph == "X")' '{"ph":"X","cat":"user_annotation",'\
'"name":"a","pid":1,"tid":1,"ts":1,"dur":2,"args":{}}'
}

@test "nothing to draw gives a trace of nothing" {
	: | draw
	[ "$(jq -c .traceEvents out)" = '[]' ]
	[ "$(cat err)" = 'tq-chrome: 0 events in, 0 out, 0 lanes added; '\
'0 slices, 0 arrows' ]
	run --separate-stderr tq-chrome -q /dev/null
	[ "$status" -eq 1 ]
	[ "$(jq -c '[.traceEvents, .otherData.truncated]' <<< "$output")" = \
	    '[[],true]' ]
}

@test "the summary counts events, lanes, slices and arrows; -q leaves it out" {
	{
		call 1 1000 2000
		kernel 1 1500 2500
		kernel 2 2000 3000
		echo '{"kind":"counter","ts":3000,"pid":1,"counter":1,"value":5}'
		echo '{"kind":"stack","id":1,"frames":["f"]}'
	} | draw
	[ "$(cat err)" = 'tq-chrome: 4 events in, 4 out, 1 lanes added; '\
'3 slices, 1 arrows' ]
	tq-chrome -q in 2>&1 > again | grep . && false
	cmp out again
}

@test "the origin of the trace is said, when it is known" {
	{
		echo '{"kind":"trace","origin_utc_ns":"1700000000000000000"}'
		range a 1000 2000
		echo '{"kind":"end","events":1}'
	} | tq-chrome > out
	grep -F '"baseTimeNanoseconds":1700000000000000000,' out
}

@test "metadata of a track come before its first event" {
	{
		kernel 1 100 200
		range a 150 300
		call 2 310 320
	} | draw
	jq -e '.traceEvents | . as $e | range(length) as $i
	    | select($e[$i].ph == "X")
	    | [$e[:$i][] | select(.ph == "M" and .pid == $e[$i].pid)
		| select(.tid == null or .tid == $e[$i].tid) | .name]
	    | contains(["process_name", "process_sort_index", "thread_name",
		"thread_sort_index"])' out
}

@test "the same input gives the same bytes" {
	for i in 1 2 3 4 5 6 7 8 9; do
		call $i "${i}000" "${i}500" | sed "s/\"tid\":1/\"tid\":$i/"
		kernel $i "${i}600" "${i}900" ",\"x$i\":1,\"a$i\":2" |
		    sed "s/\"stream\":7/\"stream\":$i/"
	done | draw
	for i in 1 2 3; do
		tq-chrome -q in | cmp - out
	done
}

# ---- time ----

@test "times are exact: microseconds with three decimals" {
	{
		range a 0 1
		range b 1 1000
		range c 999999999999999 1000000000000001
		range d 4503599627370495 4503599627370496
	} | draw
	grep -o '"ts":[^,]*,"dur":[^,]*' out > got
	cat > expect <<-'E'
	"ts":0.000,"dur":0.001
	"ts":0.001,"dur":0.999
	"ts":999999999999.999,"dur":0.002
	"ts":4503599627370.495,"dur":0.001
	E
	diff expect got
}

@test "a trace that begins before its origin is drawn from its first record on" {
	{
		range a -3000 -1000
		range b 1000 2000
	} | draw
	shows 'select(.ph == "X") | [.name, .ts, .dur]' '["a",0,2]
["b",4,1]'
	says ''
}

@test "a trace that begins beyond what viewers know exactly is, too" {
	{
		range a 1700000000000000001 1700000000000000003
		range b 1700000000000001001 1700000000000001003
	} | draw
	grep -F '"ts":0.000,"dur":0.002' out
	grep -F '"ts":1.000,"dur":0.002' out
}

@test "no time is negative: what is before the beginning is drawn at it" {
	{
		range a -3000 -1000
		range b -5000 1000
	} | draw || true # out of order
	shows 'select(.ph == "X") | [.name, .ts, .dur, .args.ts]' \
	    '["a",0,2,null]
["b",0,4,-5000]'
	says 'tq-chrome: warning: in: 1 record is not in order of time: put it through tq-extract first
tq-chrome: warning: 1 event from before the beginning drawn at it'
}

@test "messages from long before do not move the beginning" {
	{
		echo '{"kind":"diagnostic","ts":-9000000,"text":"early"}'
		range a 1000 2000
	} | draw
	shows 'select(.ph == "X" or .ph == "i") | [.name, .ts, .args.ts]' \
	    '["early",0,-9000000]
["a",1,null]'
	says ''
	echo '{"kind":"diagnostic","ts":-9000000,"text":"early"}' | draw
	shows 'select(.ph == "i") | [.name, .ts]' '["early",0]'
}

@test "a negative duration counts as none, and is told" {
	{
		range a 1000 500
		range b 10000 5000
	} | draw
	shows 'select(.ph == "X") | [.dur, .args.dur]' '[0,-500]
[0,-5000]'
}

@test "times near the limits of 64 bits do no harm" {
	{
		range a -9223372036854775808 -9223372036854775807
		echo '{"kind":"range","ts":9223372036854775807,'\
'"dur":9223372036854775807,"pid":1,"tid":1,"name":"b"}'
		range c 0 5
	} | draw || true # out of order
	jq empty out
	shows 'select(.ph == "X") | select(.ts < 0 or .dur < 0)' ''
	shows 'select(.ph == "X") | .name' '"a"
"b"
"c"'
}

# ---- input that ends early ----

@test "a cut stream gives a whole file, which says so, and exits 1" {
	{
		call 1 1000 2000
		kernel 1 3000 4000
		echo '{"kind":"range","ts":4000,"pid":1,"tid":1,"name":"open",'\
'"open":true}'
	} | stream > in
	sed '$d' in > cut
	run --separate-stderr tq-chrome cut
	[ "$status" -eq 1 ]
	jq -e '.otherData.truncated' <<< "$output"
	[ "$(jq -c '[.traceEvents[] | select(.ph == "X") | .name]' \
	    <<< "$output")" = '["launch","k1","open"]' ]
	[[ $stderr = *'tq-chrome: warning: cut: stream ends without its end record'* ]]
	size=$(stat -c %s in)
	for at in 60 150 200 $((size - 3)); do
		head -c $at in > cut
		run --separate-stderr -1 tq-chrome -q cut
		jq -e .otherData.truncated <<< "$output"
	done
}

@test "a line that is no record ends the file there, closed, and exits 1" {
	{
		stream < /dev/null | head -n 1
		range a 0 10
		echo '{"kind":'
		range b 10 20
	} > in
	run --separate-stderr tq-chrome in
	[ "$status" -eq 1 ]
	[ "$stderr" = 'tq-chrome: in:3: expected a value' ]
	[ "$(jq -c '[.otherData.truncated, (.traceEvents[]
	    | select(.ph == "X") | .name)]' <<< "$output")" = '[true,"a"]' ]
	run tq-chrome -o new in
	[ "$status" -eq 1 ]
	[ ! -e new ]
}

# ---- sections ----

@test "sections keep their processes apart" {
	{
		stream "$(range a 0 10)"
		stream "$(range b 20 30)" "$(kernel 1 20 30)"
	} > in
	tq-chrome in > out 2> err
	stands '["a","process 1","thread 1"]
["b","process 1 · group 2","thread 1"]
["k1","process 1 · GPU 0","stream 7"]'
	shows 'select(.ph == "X") | [.pid, .tid]' '[1,1]
[2,1]
[0,7]'
	shows 'select(.name == "process_labels") | .args.labels' '"section 2"
"section 2"'
	says 'tq-chrome: warning: 1 section not aligned in time with the first'
}

@test "sections with a clock are aligned" {
	section() {
		echo '{"kind":"trace","origin_utc_ns":"'"$1"'","rank":'"$2"'}'
		range a 1000 3000
		echo '{"kind":"end","events":1}'
	}
	{
		section 1700000000000000000 0
		section 1700000000000005000 1
		section 1699999999999999999 2
	} | tq-chrome > out 2> err
	shows 'select(.ph == "X") | [.ts, .dur]' '[1,2]
[6,2]
[1,2]'
	shows 'select(.name == "process_name") | .args.name' '"rank 0 process"
"rank 1 process 1 · group"
"rank 2 process 1 · group"'
	says 'tq-chrome: warning: 1 section not aligned in time with the first'
}

@test "a section does not use the definitions or calls of another" {
	{
		stream '{"kind":"thread","pid":1,"tid":1,"name":"main"}' \
		    "$(call 5 0 10)"
		stream "$(range a 0 10)" "$(kernel 5 20 30)"
	} > in
	tq-chrome in > out 2> err
	stands '["launch","process 1","main"]
["a","process 1 · group 2","thread 1"]
["k5","process 1 · GPU 0","stream 7"]'
	grep -F ' 0 arrows' err
}

@test "lines without a section are drawn, and nothing is missed" {
	{
		range a 0 10
		kernel 1 5 15
	} > in
	tq-chrome in > out 2> err
	says ''
	shows 'select(.ph == "X") | .name' '"a"
"k1"'
}

# ---- output ----

@test "gzip is one member, by --gzip or by the name of the file" {
	range a 0 10 | draw
	tq-chrome -q --gzip in > out.gz
	gzip -dc out.gz | cmp - out
	[ "$(LC_ALL=C grep -c -a -F $'\x1f\x8b\x08' out.gz)" -eq 1 ]
	tq-chrome -q -o x.json.gz in
	cmp x.json.gz out.gz
}

@test "zstd is written by -z or by the name of the file" {
	range a 0 10 | draw
	tq-chrome -qz in | zstd -dc | cmp - out
	tq-chrome -q -o x.json.zst in
	zstd -dc x.json.zst | cmp - out
}

@test "a stream that waits is drawn up to where it is" {
	mkfifo pipe
	tq-chrome -q pipe > out &
	pid=$!
	exec 7> pipe
	range a 0 10 >&7
	until_true grep -q '"name":"a"' out
	exec 7>&-
	wait $pid
	jq empty out
}

@test "JSON that is too large for a browser is warned of, but not as gzip" {
	marks() {
		awk 'BEGIN {
			for (name = "x"; length(name) < 1000000;)
				name = name name
			name = substr(name, 1, 1000000)
			for (i = 1; i <= 501; i++)
				print "{\"kind\":\"mark\",\"ts\":" i ",\"name\":\"" name "\"}"
		}'
	}
	marks | tq-chrome -q 2> err > /dev/null
	says 'tq-chrome: warning: 501 MB are too much for chrome://tracing: '\
'write gzip, or draw less'
	marks | tq-chrome -q --gzip 2> err > /dev/null
	says ''
}

@test "memory does not grow with the input" {
	need native no-sanitizer
	awk 'BEGIN {
		for (i = 1; i <= 300000; i++) {
			t = i * 1000
			printf "{\"kind\":\"range\",\"ts\":%d,\"dur\":900," \
			    "\"pid\":1,\"tid\":%d,\"name\":\"r%d\"}\n",
			    t, i % 8 + 1, i
			printf "{\"kind\":\"api\",\"ts\":%d,\"dur\":90," \
			    "\"pid\":1,\"tid\":%d,\"corr\":%d,\"gpu\":1," \
			    "\"name\":\"l\"}\n", t + 10, i % 8 + 1, i
			printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":900," \
			    "\"pid\":1,\"corr\":%d,\"device\":0," \
			    "\"stream\":7,\"name\":\"k\"}\n", t + 50, i
			printf "{\"kind\":\"gpu-range\",\"ts\":%d,\"dur\":900," \
			    "\"pid\":1,\"tid\":%d,\"device\":0," \
			    "\"range\":%d,\"parent\":%d,\"name\":\"r\"}\n",
			    t + 50, i % 8 + 1, i, -i
		}
	}' > in
	(ulimit -v 48000 && tq-chrome in > out 2> err)
	grep -F 'tq-chrome: 1200000 events in, 1200000 out, ' err
	grep -F ' 300000 arrows' err
}
