#!/usr/bin/env bats
# tq-correlate: sections, what it says of them, and pipelines that must agree

load helper
load correlate

@test "the end record counts lines and operations, and passes dropped on" {
	{
		range 1 0 100
		call 1 10 20
		kernel 1 30 40
		kernel 2 50 60
		mark 3000000
	} | correlate
	sed -i '$s/"dropped":0/"dropped":12/' in
	tq-correlate in > out
	[ "$(tail -n 1 out)" = '{"kind":"end","events":6,"dropped":12,"resolved":1,"by_graph":0,"unresolved":1,"ambiguous":0}' ]
}

@test "-v tells of each section what became of its operations" {
	{
		call 1 10 20 ',"gpu":2'
		kernel 1 30 40
		kernel 1 50 60
		kernel 3 70 80
	} | stream > a
	{
		echo '{"kind":"range","ts":0,"pid":1,"tid":1,"open":true}'
	} | stream > b
	run --separate-stderr tq-correlate -v a b
	[ "$stderr" = "tq-correlate: 3 operations: 2 resolved (2 launched by a graph), 1 without an API call in the stream, 0 ambiguous; 0 ranges never closed
tq-correlate: 0 operations: 0 resolved (0 launched by a graph), 0 without an API call in the stream, 0 ambiguous; 1 range never closed" ]
}

@test "nothing is carried from one section into the next" {
	{
		range 1 0 1000
		call 1 10 20
	} | stream > a
	{
		kernel 1 30 40
		range 2 100 200
	} | stream > b
	cat a b | tq-correlate > out
	shows end '[.events, .unresolved]' '[2,0]
[2,1]'
	shows range '[.id, .depth]' '[1,0]
[2,0]'
}

@test "of a stream that was cut all is written, but no end, and status is 1" {
	{
		range 1 0 1000
		call 1 10 20
		kernel 1 30 40
		kernel 9 50 60
	} | stream | sed '$d' > cut
	run --separate-stderr tq-correlate cut
	[ "$status" = 1 ]
	[ "$stderr" = "tq-correlate: warning: cut: stream ends without its end record" ]
	printf '%s\n' "$output" > out
	kinds "trace range api kernel kernel gpu-range"
	# what follows it does not belong to it
	run --separate-stderr tq-correlate cut <(kernel 1 70 80)
	printf '%s\n' "$output" > out
	kinds "trace range api kernel kernel gpu-range kernel"
	shows kernel .api_ts '10
null
null'
}

@test "lines outside of any section are correlated as well" {
	{
		range 1 0 1000
		call 1 10 20
		kernel 1 30 40
	} | tq-correlate > out
	kinds "range api kernel gpu-range"
	shows kernel .range 1
}

@test "the same input gives the same bytes" {
	zoo > in
	tq-correlate --path in > one
	tq-correlate --path < in > two
	cmp one two
}

@test "a --scope that is none is refused" {
	run --separate-stderr tq-correlate --scope threads
	[ "$status" = 2 ]
	[ "$stderr" = "tq-correlate: --scope threads: expected thread or process" ]
}

# ---- pipelines that must agree ----

# zoo: a stream with some of everything
zoo() {
	{
		kernel 900 -50 -40
		range 1 0 4000000
		for ((i = 1; i <= 60; i++)); do
			t=$((i * 50000))
			range $((i * 10)) $t $((t + 20000)) ',"color":"#010203"'
			((i % 7)) || range $((i * 10 + 1)) $t $((t + 20000))
			((i % 11)) ||
			    echo '{"kind":"range","ts":'$t',"pid":1,"tid":1,"name":"\u00fc\"","id":'$((i * 10 + 6))',"open":true}'
			((i % 3)) || range $((i * 10 + 2)) $((t + 5)) \
			    $((t + 25000)) ',"mode":"start","domain":"A\tB"'
			((i % 5)) || range $((i * 10 + 3)) $((t + 6)) \
			    $((t + 90000)) ',"mode":"start","end_tid":2'
			((i % 4)) || kernel $i $((t + 8)) $((t + 9000))
			call $i $((t + 10)) $((t + 40))
			call $((i + 1000)) $((t + 50)) $((t + 80)) ',"gpu":2'
			((i % 4)) && kernel $i $((t + 60)) $((t + 9000))
			kernel $((i + 1000)) $((t + 70)) $((t + 100))
			range $((i * 10 + 4)) $((t + 90)) $((t + 90))
			((i % 6)) || call 77 $((t + 91)) $((t + 92))
			kernel $((i + 1000)) $((t + 95)) $((t + 110)) |
			    sed 's/"device":0/"device":1/'
			kernel $((i + 2000)) $((t + 99)) $((t + 100))
		done
	} | stream
}

@test "a stream that was correlated already goes through unchanged" {
	zoo > in
	for options in "" --path "--scope process" "--path --scope process"; do
		tq-correlate $options in > once
		tq-correlate $options once > twice
		cmp once twice
		grep -q '"kind":"gpu-range"' once
	done
}

@test "any spelling of the stream gives the same" {
	zoo > in
	tq-correlate --path in | jq -cS . > out
	jq -c . in | tq-correlate --path | jq -cS . | cmp - out
	jq -cS . in | tq-correlate --path | jq -cS . | cmp - out
	jq . in | sed 's/^ *//' | tr -d '\n' | sed 's/}{/}\n{/g; s/:/ :\t/' |
	    tq-correlate --path | jq -cS . | cmp - out
}

@test "what is taken away from the output is the input" {
	zoo > in
	tq-correlate --path in |
	    jq -c 'select(.kind != "gpu-range" and .kind != "end") |
		if .api_ts then del(.tid, .api_ts, .api_dur, .api_name, .stack,
		.range, .path) else . end | if .kind == "range" then
		del(.parent, .depth) else . end' > less
	jq -c 'select(.kind != "end")' in | cmp - less
}

@test "a range has all operations that name it, where calls cross no edge" {
	zoo > in
	tq-correlate in > out
	jq -s -e '
	    (map(select(.kind == "kernel" and .range) | .range) |
		group_by(.) | map({key: (.[0]|tostring), value: length}) |
		from_entries) as $named |
	    map(select(.kind == "gpu-range")) | group_by(.range) |
	    map((map(.ops) | add) >= ($named[.[0].range|tostring] // 0)) |
	    length > 60 and all' out
}

@test "memory does not grow with the stream" {
	need native no-sanitizer
	long() {
		echo '{"kind":"trace","version":1}'
		awk -v n="$1" 'BEGIN {
			for (i = 0; i < n; i++) {
				t = i * 1000
				if (i % 10 == 0)
					printf "{\"kind\":\"range\",\"ts\":%d," \
					    "\"dur\":9900,\"pid\":1," \
					    "\"tid\":1,\"name\":\"step %d\"," \
					    "\"id\":%d}\n", t, i, i
				printf "{\"kind\":\"api\",\"ts\":%d," \
				    "\"dur\":50,\"pid\":1,\"tid\":1," \
				    "\"corr\":%d,\"name\":\"cudaLaunchKernel" \
				    "\",\"gpu\":1}\n", t + 10, i
				if (i >= 500)
					printf "{\"kind\":\"kernel\"," \
					    "\"ts\":%d,\"dur\":900,\"pid\":1," \
					    "\"corr\":%d,\"name\":\"k\"," \
					    "\"device\":0}\n", t + 20, i - 500
			}
		}'
	}
	(
		ulimit -v 16000
		long 300000 | tq-correlate > out || true
	)
	[ "$(grep -c gpu-range out)" = 29950 ]
}

@test "a live stream in a pipe gets its calls, in any order, and stays live" {
	printf '%s\n' '{"kind":"trace","version":1,"slack":9007199254740991}' \
	    '{"kind":"kernel","ts":90,"dur":2,"pid":1,"corr":7,"device":0}' \
	    '{"kind":"range","ts":10,"dur":99,"pid":1,"tid":2,"id":1,"name":"r"}' \
	    '{"kind":"api","ts":50,"dur":3,"pid":1,"tid":2,"corr":7,"name":"c"}' \
	    '{"kind":"kernel","ts":60,"dur":2,"pid":1,"corr":8,"device":0}' \
	    '{"kind":"end","events":4,"dropped":0}' > live.tq
	cat live.tq | tq-correlate > out
	[ "$(head -n 1 out)" = "$(head -n 1 live.tq)" ]
	[ "$(grep '"corr":7,"device"' out)" = \
	    '{"kind":"kernel","ts":90,"dur":2,"pid":1,"corr":7,"device":0,"tid":2,"api_ts":50,"api_dur":3,"api_name":"c"}' ]
	[ "$(grep '"range"' out)" = "$(grep '"range"' live.tq)" ]
	[ "$(tail -n 1 out)" = \
	    '{"kind":"end","events":4,"dropped":0,"resolved":1,"by_graph":0,"unresolved":1,"ambiguous":0}' ]
	# a file can be sorted first
	run -1 tq-correlate live.tq
}
