#!/usr/bin/env bats
# The arrows between streams that tq-chrome and tq-perfetto draw: from the
# operation that a stream waited for

load helper
load chrome

setup() {
	need perl
	cd "$BATS_TEST_TMPDIR"
}

# on STREAM CORR TS END: a kernel
on() {
	kernel "$2" "$3" "$4" | sed 's/"stream":7/"stream":'"$1"'/'
}

# waits STREAM CORR TS OTHER RECORDED [MORE]
waits() {
	echo '{"kind":"sync","ts":'"$3"',"dur":1,"pid":1,"corr":'"$2"','\
'"device":0,"context":1,"stream":'"$1"',"sync":"stream wait event",'\
'"event":2,"wait_stream":'"$4"',"wait_corr":'"$5$6"'}'
}

# both [OPTION ...]: what both viewers draw of the records on stdin
both() {
	stream > in
	tq-chrome "$@" -o out.json in 2> chrome.err
	tq-perfetto "$@" -o out.pftrace in 2> perfetto.err
	perl "$top/tests/perfetto.pl" out.pftrace > out
	diff <(sed 's/.*slices, //' chrome.err) <(sed 's/.*slices, //' perfetto.err)
}

# arrows EXPECT: between operations, by both viewers; tq-chrome's have a
# category of their own, and start at the last ns of a slice
arrows() {
	jq -r '.traceEvents as $all
	    | $all[] | select(.ph == "f" and .cat == "wait" and .name == "wait")
	    | . as $f | ($all[] | select(.ph == "s" and .cat == "wait" and
		.id == $f.id)) as $s
	    | [$s, $f] | map(. as $e | $all[] | select(.ph == "X" and
		.pid == $e.pid and .tid == $e.tid and .ts <= $e.ts and
		.ts + .dur > $e.ts) | .name) | join(" ")' \
	    out.json | sort > chrome.arrows
	jq -r 'select(.what == "arrow" and .from != "launch")
	    | "\(.from) \(.to)"' out | sort > perfetto.arrows
	diff <(printf '%s' "${1:+$1$'\n'}") chrome.arrows
	diff chrome.arrows perfetto.arrows
}

# what the streams 7 and 13 do; 7 was busy when 13 was told to wait
busy() {
	on 7 1 1000 5000
	waits 13 4 1100 7 3
	on 7 2 5000 6000
	on 7 6 6000 6500
	on 13 5 6100 7000
	on 13 8 7000 8000
}

@test "an arrow leads from the last operation before the event to the first one after the wait" {
	busy | both
	arrows 'k2 k5'
	grep -F ' 1 arrows' chrome.err
	grep -F ' 1 arrows' perfetto.err
}

@test "arrows to operations of several streams come from one operation, and one waits for several" {
	{
		waits 13 3 800 7 2
		waits 14 4 900 7 2
		on 7 1 1000 5000
		waits 15 9 1300 13 8
		waits 15 10 1400 14 8
		on 13 5 5000 6000
		on 14 6 5100 6000
		on 15 11 6000 7000
	} | both
	arrows 'k1 k5
k1 k6
k5 k11
k6 k11'
}

@test "a stream waits for one of another context" {
	{
		on 7 1 1000 5000 | sed 's/"context":1/"context":2/'
		on 7 2 1000 1900
		waits 7 4 1100 7 3 ',"wait_context":2'
		on 7 5 5000 6000
	} | both
	# the wait was told after the operation had started
	arrows ''
	{
		waits 7 4 900 7 3 ',"wait_context":2'
		on 7 1 1000 5000 | sed 's/"context":1/"context":2/'
		on 7 5 5000 6000
	} | both
	arrows 'k1 k5'
}

@test "a stream that was idle has arrows from its second wait on" {
	{
		on 7 1 1000 1100
		waits 13 3 1200 7 2
		on 13 4 1300 1400
		on 7 5 2000 2100
		waits 13 7 2200 7 6
		on 13 8 2300 2400
	} | both
	arrows 'k5 k8'
}

@test "waits for what is not drawn, did not end or lies too far back have no arrow" {
	{
		waits 13 2 900 9 1
		waits 13 4 1000 7 3
		waits 13 5 1000 13 3
		on 7 3 1000 1100
		on 13 6 1200 1300
		waits 14 12 1400 7 11
		on 7 10 1500 1800
		on 14 13 1700 1750
		waits 15 22 1800 7 21
		on 7 20 1900 2000
		seq 100 400 | while read -r i; do
			on 7 "$i" "$((i * 100))" "$((i * 100 + 50))"
		done
		on 15 500 50000 50100
		waits 15 600 50100 7 401
	} | both
	arrows ''
}

@test "the host's waits and --no-flows have no arrow" {
	{
		waits 13 4 900 7 3 | sed 's/stream wait event/event/'
		on 7 1 1000 5000
		on 13 5 6100 7000
	} | both
	arrows ''
	busy | both --no-flows
	arrows ''
	grep -F ' 0 arrows' chrome.err
	busy | stream > in
	tq-perfetto -q --gpu-model render-stages -o out.pftrace in
	tq-perfetto --gpu-model render-stages -o out.pftrace in 2>&1 | grep -F ' 0 arrows'
}

@test "Perfetto imports the arrows between streams without an error" {
	need Perfetto
	busy | both
	for trace in out.json out.pftrace; do
		run node "$VIEW/tp.mjs" --check "$trace" "SELECT o.name a, i.name b
		    FROM flow JOIN slice o ON o.id = slice_out
		    JOIN slice i ON i.id = slice_in"
		[ "$output" = '{"a":"k2","b":"k5"}' ]
	done
}
