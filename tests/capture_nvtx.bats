#!/usr/bin/env bats
# tq-capture records each kind of annotation as the program made it

load helper
load capture

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# annotated [VERB ...]: what these annotations come to
annotated() {
	capture -q "$ANNOTATE" "$@"
	whole
}

@test "a mark has a time and a name" {
	annotated mark "a mark" mark ""
	[ "$(said_of mark '[.name, .ts > 0, .dur, .domain]')" = \
	    '["a mark",true,null,null]
["",true,null,null]' ]
}

@test "ranges that are pushed end when they are popped, innermost first" {
	annotated push outer push inner pop pop push next pop
	[ "$(said_of range '.name + " " + .mode')" = "outer push
inner push
next push" ]
	[ "$(ask 'map(select(.kind == "range")) | .[0].ts <= .[1].ts and
	    .[0].ts + .[0].dur >= .[1].ts + .[1].dur and
	    .[2].ts >= .[0].ts + .[0].dur')" = true ]
}

@test "each domain has a stack of its own" {
	annotated push d0 in A push a1 in - pop in A push a2 pop pop
	[ "$(said_of range '[.name, .domain]' | paste -sd ' ')" = \
	    '["d0",null] ["a1","A"] ["a2","A"]' ]
	[ "$(ask 'map(select(.kind == "range")) |
	    .[0].ts + .[0].dur < .[2].ts and
	    .[1].ts + .[1].dur >= .[2].ts + .[2].dur')" = true ]
}

@test "depths come out as the program made them" {
	capture -q "$CLIENT" nested 30
	whole
	tq-correlate "$tq" |
	    jq -se 'map(select(.kind == "range").depth) == [range(30)]'
}

@test "ranges that are started end by their number, also on another thread" {
	annotated start one start two end elsewhere start three elsewhere
	[ "$(said_of range '.name + " " + .mode')" = "one start
two start
three start" ]
	[ "$(said_of range '.end_tid != null and .end_tid != .tid' |
	    paste -sd ' ')" = "true false true" ]
}

@test "ranges that a younger thread started are ended, each by its own end" {
	for n in 1 1000 5000; do
		capture -q "$CLIENT" handed "$n"
		whole
		[ "$(count range)" = "$n" ]
		[ "$(ask 'map(select(.kind == "range")) | map(.id) | unique | length')" = "$n" ]
		[ "$(ask 'map(select(.kind == "range" and .open)) | length')" = 0 ]
		[ "$(ask 'map(select(.kind == "range" and .end_tid == .pid and
		    .tid != .pid and .dur > 0)) | length')" = "$n" ]
	done
}

@test "ranges have ids, each its own" {
	annotated times 50 push a times 50 pop times 50 start b times 50 end
	[ "$(ask 'map(select(.kind == "range").id) | unique | length')" = 100 ]
}

@test "what was never ended is open, and has no duration" {
	annotated push left start begun in D push there
	[ "$(said_of range '[.name, .mode, .open, .dur, .domain]')" = \
	    '["left","push",true,null,null]
["begun","start",true,null,null]
["there","push",true,null,"D"]' ]
}

@test "an end that nothing began is nothing" {
	annotated pop end in D pop mark after
	[ "$(count range) $(count mark)" = "0 1" ]
	capture -q "$CLIENT" odd 20
	whole
	[ "$(count range) $(count mark)" = "0 101" ]
}

@test "names are the same plain, wide and registered" {
	annotated plain mark text wide mark text registered mark text mark text \
	    push text pop in D mark text wide start text end
	[ "$(jq -r '.name | select(. == "text")' "$tq" | wc -l)" = 7 ]
}

@test "wide characters become UTF-8" {
	capture -q "$CLIENT" wide 3
	[ "$(said_of mark .name | sort -u)" = "ü€😀." ]
}

@test "what is not UTF-8 is replaced, what is special is escaped" {
	annotated mark $'bad \xff\xc3 byte' mark $'a "quote" \\ \t\n\x01' \
	    registered mark $'bad \xe2\x82'
	[ "$(ask 'map(select(.kind == "mark").name)')" = \
	    "$(jq -nc '["bad \ufffd\ufffd byte", "a \"quote\" \\ \t\n\u0001",
	        "bad \ufffd\ufffd"]')" ]
}

@test "a name may be long, at any size" {
	local n

	for n in 31000 32000 33000 65000 66000 99999 300000; do
		capture -q "$CLIENT" long "$n" marks 1 long "$n"
		whole
		[ "$(said_of mark '.name | length' | paste -sd ' ')" = \
		    "$n 6 $n" ]
		said_of mark .name | head -n 1 | awk '
		{
			for (i = 1; i <= length($0); i += 26)
				bad += index("abcdefghijklmnopqrstuvwxyz",
				    substr($0, i, 26)) != 1
			exit bad
		}'
	done
}

@test "colors, categories and payloads are those of the event" {
	annotated name-category 7 seven category 7 color ff336699 mark all \
	    payload i32 -2 push all pop bare mark none
	[ "$(said_of mark '[.category, .color, .args]')" = \
	    '["seven","#336699",null]
[null,null,null]' ]
	[ "$(said_of range '[.category, .color, .args]')" = \
	    '["seven","#336699",{"int32Value":-2}]' ]
}

@test "categories are those of the domain, or a number without a name" {
	annotated name-category 1 default in A name-category 1 of-A \
	    category 1 mark a in - mark d in B mark b
	[ "$(said_of mark '[.name, .domain, .category]')" = \
	    '["a","A","of-A"]
["d",null,"default"]
["b","B","1"]' ]
}

@test "a payload is a number of its type" {
	annotated payload u64 9007199254740991 mark a \
	    payload u64 18446744073709551615 mark a \
	    payload i64 -9007199254740993 mark a \
	    payload f64 0.25 mark a payload u32 4294967295 mark a \
	    payload i32 -2147483648 mark a payload f32 0.5 mark a
	grep -o '"args":{[^}]*}' "$tq" | grep -v events > args
	diff args - <<- 'END'
	"args":{"uint64Value":9007199254740991}
	"args":{"uint64Value":"18446744073709551615"}
	"args":{"int64Value":"-9007199254740993"}
	"args":{"doubleValue":0.25}
	"args":{"uint32Value":4294967295}
	"args":{"int32Value":-2147483648}
	"args":{"floatValue":0.5}
	END
}

@test "extended payloads are told by their schemas" {
	capture -q "$CLIENT" payloads 3
	whole
	[ "$(said_of mark '[.name, .domain, .args]' | sort -u)" = \
	    '["sample","payloads",{"payload":{"rank":3,"loss":0.5}}]' ]
	[ "$(said_of range '[.args.payload, .args.endPayload]' | sort -u)" = \
	    '[{"rank":3,"loss":0.5},{"rank":3,"loss":0.5}]' ]
	[ "$(count mark) $(count range)" = "3 3" ]
}

@test "counters are defined, and have their samples" {
	capture -q "$CLIENT" counters 4
	whole
	[ "$(said_of counterdef '[.name, .id]')" = '["a counter",1]' ]
	[ "$(said_of counter '[.counter, .value]' | paste -sd ' ')" = \
	    "[1,0] [1,0] [1,1] [1,0.5] [1,2] [1,1] [1,3] [1,1.5]" ]
}

@test "attributes end where their size says" {
	capture -q "$CLIENT" odd 1
	[ "$(said_of mark .name | grep -c beyond)" = 0 ]
}

@test "threads are told apart, and have the names that they are given" {
	capture -q "$CLIENT" threads 8 100
	whole
	[ "$(count thread) $(count range)" = "8 800" ]
	[ "$(said_of range .tid | sort | uniq -c | awk '{ print $1 }' |
	    sort -u)" = 100 ]
	annotated mark a name-thread "data loader" mark b
	[ "$(said_of thread .name | tail -n 1)" = "data loader" ]
}

@test "many strings have each its own name" {
	capture -q "$CLIENT" strings 5000
	whole
	[ "$(said_of mark .name)" = "$(seq -f 'string %.0f' 0 4999)" ]
}

@test "a library that is loaded late shares domains and strings" {
	capture -q "$CLIENT" registered 3 dso "$CLIENTS/dso.so" 4
	whole
	[ "$(said_of range '.domain + ":" + .name' | sort | uniq -c |
	    awk '{ print $1, $2, $3 }')" = "7 a domain:registered" ]
}

@test "annotations in a signal handler are recorded, or counted" {
	capture -q "$CLIENT" interrupted 200000
	whole
	alarms=$(cat "$said")
	[ "$(count range)" = 200000 ]
	# one more before there were alarms
	[ $(($(count mark) + $(lost))) = $((alarms + 1)) ]
	[ "$(dropped)" = "$(lost)" ]
}

@test "a signal handler that jumps out of NVTX leaves the thread as it was" {
	local i jumps

	for i in 1 2 3; do
		capture -q "$CLIENT" jumps 300000
		whole
		jumps=$(cat "$said")
		[ "$(said_of mark 'select(.name == "after all jumps") | .pid' |
		    wc -l)" = 1 ]
		[ "$(count mark)" -ge $((300000 - 2 * jumps)) ]
		[ "$(lost)" -le "$jumps" ]
	done
}

@test "naming categories takes a time in proportion to their number" {
	# the square of 200000 is minutes
	timeout 20 "$BUILD/tq-capture" -q -t nvtx --buffer 256MiB -o "$tq" \
	    "$CLIENT" categories 200000
	[ "$(count mark)" = 1 ]
}

@test "annotations while several threads begin are all there" {
	local i

	for i in 1 2 3 4 5; do
		capture -q "$CLIENT" threads 32 3
		[ "$(count range)" = 96 ]
	done
}

@test "a program without capture does as if there were none" {
	NVTX_INJECTION64_PATH=$BUILD/libtq-capture.so \
	    run -0 "$CLIENT" marks 10 pairs 10 forks 2 10
	[ "$output" = "" ]
}

@test "with the header of a toolkit it is all the same" {
	local which args

	need nvToolsExt.h
	for which in stand-in nvtx; do
		args=(push a in D registered push b category 3
		    name-category 3 three color ff102030 payload f64 1.5 push c
		    pop pop bare wide start s elsewhere name-thread T
		    in - pop payload i64 -3 mark m plain mark $'\xff' push open)
		capture -q "$BUILD/capture/$which/annotate" "${args[@]}"
		whole
		jq -c 'select(.kind | IN("range", "mark")) |
		    .end_tid |= (. != null) |
		    del(.ts, .dur, .pid, .tid)' "$tq" > "$which"
		said_of thread .name | sort >> "$which"
		capture -q "$BUILD/capture/$which/client" marks 3 nested 3 \
		    registered 2 styled 1 wide 1 ranges 2 odd 1 strings 3 \
		    dso "$BUILD/capture/$which/dso.so" 2 long 100000 push
		whole
		jq -c 'select(.kind | IN("range", "mark")) |
		    del(.ts, .dur, .pid, .tid)' "$tq" >> "$which"
	done
	[ "$(wc -l < nvtx)" -gt 30 ]
	diff stand-in nvtx
}
