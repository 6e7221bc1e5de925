#!/usr/bin/env bats
# Arrows of a recording: records of kind flow.  Both tools draw the same.

load helper
load chrome

# section [LINE ...]: records of Chrome's format, in order of time
section() {
	{
		echo '{"kind":"trace","version":1,"source":"chrome"}'
		sort -s -t: -k3,3n
		echo '{"kind":"end","events":'"$1"',"dropped":0}'
	}
}

# flow PHASE ID TS [TID [NAME]]: an end of an arrow
flow() {
	echo '{"kind":"flow","ts":'"$3"',"pid":1,"tid":'"${4:-1}"',"name":"'\
"${5:-fwdbwd}"'","flow":"'"$2"'","phase":"'"$1"'","category":"fwdbwd"}'
}

# on THREAD NAME TS END: a range of another thread
on() {
	range "${@:2}" | sed 's/"tid":1/"tid":'"$1"'/'
}

# both: draw the records on stdin with both tools; arrows become got, what was
# said on stderr becomes err
both() {
	cat > records
	section "$(wc -l < records)" < records > in
	tq-chrome "$@" in > out.json 2> err || return 1
	tq-perfetto "$@" in > out.pftrace 2> err.perfetto || return 1
	sed s/tq-perfetto/tq-chrome/ err.perfetto | diff err -
	jq -c '[.traceEvents[] | select(.ph == "X")] as $slices
	    | .traceEvents | map(select(.ph == "s" or .ph == "f"))
	    | def slice: . as $e | [$slices[] | select(.pid == $e.pid
		and .tid == $e.tid and .ts <= $e.ts
		and .ts + .dur >= $e.ts)] | max_by(.ts) | .name;
	    group_by(.id)[] | [map(select(.ph == "s"), select(.ph == "f"))[]
	    | slice]' out.json | sort > got
	perl "$top/tests/perfetto.pl" out.pftrace |
	    jq -c 'select(.what == "arrow") | [.from, .to]' | sort | diff got -
}

# leads EXPECT: from where to where
leads() {
	if [[ $(cat got) != "$1" ]]; then
		cat got
		return 1
	fi
}

@test "an arrow leads from slice to slice, and is no slice" {
	{
		range forward 1000 2000
		flow s 7 1000
		on 2 backward 5000 6000
		flow f 7 5000 2
	} | both
	leads '["forward","backward"]'
	jq -c ".traceEvents[] | select(.ph != \"M\") | [.ph, .name, .id, .tid, .ts,
	    .bp] | $plain" out.json > events
	diff - events <<-'END'
	["X","forward",null,1,1,null]
	["X","backward",null,2,5,null]
	["s","fwdbwd",1,1,1,null]
	["f","fwdbwd",1,2,5,"e"]
	END
	grep -q '4 events in, 2 out, 0 lanes added; 2 slices, 1 arrows$' err
}

@test "an end is in the innermost slice, or in one that ends then" {
	{
		range outer 1000 9000
		range inner 2000 3000
		flow s 1 2500
		flow s 2 3000
		range next 3500 4000
		flow s 3 5000
		on 2 to 9500 9600
		for i in 1 2 3; do
			flow f $i 9550 2
		done
	} | both
	leads '["inner","to"]
["inner","to"]
["outer","to"]'
	jq -c '.traceEvents[] | select(.ph == "s") | .ts + 0' out.json |
	    diff <(printf '2.5\n2.999\n1\n') -
}

@test "slices that start together, and a mark before an end, take no arrow away" {
	{
		range outer 1000 9000
		range inner 1000 2000
		flow s 1 1000
		range later 3000 4000
		echo '{"kind":"mark","ts":3500,"pid":1,"tid":1,"name":"m"}'
		flow f 1 3600
		flow s 2 3700
		on 2 to 5000 6000
		flow f 2 5000 2
	} | both
	leads '["inner","later"]
["later","to"]'
}

@test "an id is used again, and a name tells arrows apart" {
	{
		range a 1000 2000
		flow s 1 1000
		range b 3000 4000
		flow f 1 3000
		flow s 1 3500
		flow s 1 3500 1 other
		range c 5000 6000
		flow f 1 5000
		range d 7000 8000
		flow f 1 7000 1 other
	} | both
	leads '["a","b"]
["b","c"]
["b","d"]'
}

@test "an arrow has steps, and further ends" {
	{
		range a 1000 2000
		flow s 1 1000
		range b 3000 4000
		flow t 1 3000
		range c 5000 6000
		flow f 1 5000
	} | both
	leads '["a","b"]
["b","c"]'
	{
		range a 1000 2000
		flow s 1 1000
		range b 3000 4000
		flow f 1 3000
		range c 5000 6000
		flow f 1 5000
	} > records
	section 6 < records | tq-chrome -q |
	    jq -c '.traceEvents[] | select(.ph == "s") | .ts + 0' |
	    diff <(printf '1\n1\n') -
}

@test "an arrow may end in a slice that began before the one it comes from" {
	{
		range outer 1000 9000
		on 2 from 3000 4000
		flow s 1 3500 2
		flow f 1 5000
	} > records
	section 4 < records > in
	tq-chrome -q in > out.json
	tq-perfetto -q in > out.pftrace
	# Perfetto draws it from the slice that began first
	perl "$top/tests/perfetto.pl" out.pftrace |
	    jq -c 'select(.what == "arrow") | [.from, .to]' |
	    diff <(echo '["outer","from"]') -
	jq -c '.traceEvents[] | select(.ph == "s" or .ph == "f") | .ts + 0' out.json |
	    diff <(printf '3.5\n5\n') -
}

@test "ends without another one, or a slice, are counted and not drawn" {
	{
		range a 1000 2000
		flow s 1 1000
		flow s 2 1500 77
		flow x 3 1600
		range b 3000 4000
		flow f 4 3000
		flow s 5 3500
		flow f 5 8000
	} | both
	leads ''
	grep -qx 'tq-chrome: warning: 6 ends of arrows without a slice or another end' err
	! jq -e '.traceEvents[] | select(.ph == "s" or .ph == "f")' out.json
}

@test "an arrow to a stream is one to the device and stream of these numbers" {
	{
		call 5 1000 2000 ',"gpu":1'
		flow s 1 1500
		kernel 5 3000 4000
		flow f 1 3000 7 | sed 's/"pid":1/"pid":0/'
	} | both
	leads '["launch","k5"]
["launch","k5"]'
}

@test "frames of Python are on a row of their own, and have arrows" {
	{
		range step 1000 5000
		range frame 1500 6000 ',"domain":"python"'
		range inner 2000 3000 ',"domain":"python"'
		flow s 1 2500
		range op 5500 5600
		flow f 1 5500
	} | both
	leads '["inner","op"]'
	grep -q '0 lanes added' err
	cp out.json out
	stands '["step","process 1","thread 1"]
["frame","process 1","thread 1 python"]
["inner","process 1","thread 1 python"]
["op","process 1","thread 1"]'
}

@test "--no-flows draws none, and misses none" {
	{
		range a 1000 2000
		flow s 1 1000
		flow f 2 1000
	} | both --no-flows
	leads ''
	! grep warning err
}

@test "of a great many ends the oldest are forgotten, and counted" {
	{
		range a 0 9000000
		awk 'BEGIN { for (i = 1; i <= 262146; i++)
		    printf "{\"kind\":\"flow\",\"ts\":%d,\"pid\":1,\"tid\":1," \
			"\"name\":\"n\",\"flow\":\"%d\",\"phase\":\"s\"}\n", i, i }'
		for i in 1 2 262146; do
			flow f $i 8000000 1 n | sed 's/,"category":"fwdbwd"//'
		done
	} > records
	section 262150 < records > in
	tq-chrome in 2> err > out
	grep -q '; 1 slices, 1 arrows$' err
	grep -q ' 262147 ends of arrows' err
}
