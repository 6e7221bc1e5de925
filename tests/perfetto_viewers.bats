#!/usr/bin/env bats
# What Perfetto makes of the traces of tq-perfetto: the same as tq-chrome
# says, for real exports and for the demo
#
# Needs Perfetto's trace processor, which is not part of this project; see
# viewers.bats for VIEW and TP_DIR.

load helper

# what is asked of Perfetto, once for each trace; each row says what it is
asked=(
    "SELECT 'slices' what, t.name row, a.name first, b.name second,
	c.name third, s.name, s.category cat, count(*) n, sum(dur) sum
	FROM slice s JOIN track t ON t.id = s.track_id
	LEFT JOIN track a ON a.id = t.parent_id
	LEFT JOIN track b ON b.id = a.parent_id
	LEFT JOIN track c ON c.id = b.parent_id
	GROUP BY 2, 3, 4, 5, 6, 7"
    "SELECT 'arrows' what, f.ts - trace_start() to_ts, f.name key
	FROM flow JOIN slice f ON f.id = slice_in"
    "SELECT 'wrong' what, count(*) arrows FROM flow
	JOIN slice s ON s.id = slice_out
	JOIN slice f ON f.id = slice_in
	WHERE s.category GLOB 'cuda*' AND (
	extract_arg(s.arg_set_id, 'debug.correlation')
	    IS NOT extract_arg(f.arg_set_id, 'debug.correlation')
	OR s.ts > f.ts OR f.category NOT IN ('kernel', 'graph',
	    'gpu_memcpy', 'gpu_memset'))"
    "SELECT 'depth' what, coalesce(max(depth), 0) depth FROM slice
	JOIN track t ON t.id = track_id WHERE t.name GLOB 'stream *'"
    "SELECT 'counters' what, t.name key, count(*) n, min(value) min,
	max(value) max FROM counter JOIN track t ON t.id = track_id
	GROUP BY 2"
    "SELECT 'invented' what, flat_key key, count(*) n
	FROM slice JOIN args USING (arg_set_id)
	WHERE flat_key NOT GLOB 'debug.*' GROUP BY 2"
)

setup_file() {
	local name in

	cd "$BATS_FILE_TMPDIR"
	for name in demo "${COSTLY[@]}"; do
		in=$(correlated "$name")
		name=${name##*/}
		ln -s "$in" "$name.tq"
		tq-chrome -o "$name.json" "$in" 2> "$name.chrome.err"
		tq-perfetto -o "$name.pftrace" "$in" 2> "$name.err"
		if has Perfetto; then
			node "$VIEW/tp.mjs" --check "$name.pftrace" \
			    "${asked[@]}" > "$name.perfetto" \
			    2> "$name.refused" || true
		fi
	done
}

setup() {
	cd "$BATS_FILE_TMPDIR"
	exports=(demo "${COSTLY[@]##*/}")
}

# answer NAME WHAT: what Perfetto said to one of the questions
answer() {
	if [[ -s $1.refused ]]; then
		echo "$1: $(cat "$1.refused")"
		return 1
	fi >&2
	jq -c "select(.what == \"$2\") | del(.what)" "$1.perfetto"
}

# the same FILE FILE NAME
same() {
	diff "$1" "$2" > difference || {
		echo "$3:"
		head -n 20 difference
		return 1
	}
}

@test "slices, their number and time are the same per name, and per track of a device" {
	need Perfetto
	for name in "${exports[@]}"; do
		oracle drawn 'input | slices' "$name.json" > expect
		answer "$name" slices | oracle drawn of_tracks > got
		same expect got "$name"
	done
}

@test "arrows lead to the same operations at the same times" {
	need Perfetto
	for name in "${exports[@]}"; do
		start=$(jq '[.traceEvents[] | select(.ts) | .ts * 1000 | round]
		    | min // 0' "$name.json")
		jq -c ".traceEvents[] | select(.ph == \"f\")
		    | (.ts * 1000 | round) - $start" "$name.json" |
		    sort -n > expect
		answer "$name" arrows | jq .to_ts | sort -n > got
		same expect got "$name"
		echo '{"arrows":0}' > expect
		answer "$name" wrong > got
		same expect got "$name"
	done
}

@test "nothing is inside of anything on a stream" {
	need Perfetto
	for name in "${exports[@]}"; do
		echo '{"depth":0}' > expect
		answer "$name" depth > got
		same expect got "$name"
	done
}

@test "values are the same" {
	need Perfetto
	for name in "${exports[@]}"; do
		jq -c '[.traceEvents[] | select(.ph == "C")] | group_by(.name)[]
		    | {key: "\(.[0].name) \(.[0].args | keys[0])", n: length,
			min: (map(.args[] + 0) | min),
			max: (map(.args[] + 0) | max)}' "$name.json" |
		    sort > expect
		answer "$name" counters | jq -c '.min += 0 | .max += 0' |
		    sort > got
		same expect got "$name"
	done
}

@test "slices have no argument that tq-perfetto did not write" {
	need Perfetto
	for name in "${exports[@]}"; do
		answer "$name" invented > got
		same /dev/null got "$name"
	done
}

@test "the summaries are the same but for lanes" {
	for name in "${exports[@]}"; do
		sed 's/^tq-chrome//; s/[0-9]* lanes//' "$name.chrome.err" > expect
		sed 's/^tq-perfetto//; s/[0-9]* lanes//' "$name.err" > got
		same expect got "$name"
	done
}

@test "a trace of some size is less than half of the JSON" {
	for name in "${exports[@]}"; do
		json=$(stat -c %s "$name.json")
		size=$(stat -c %s "$name.pftrace")
		echo "$name: $size of $json"
		((json < 100000 || size < json / 2))
	done
}

# sql N: the Nth statement of the man page
sql() {
	awk -v n="$1" '
	/^\.Ss Questions/ { on = 1; next }
	/^\.S[sh] / { on = 0 }
	on && /^\.Bd/ { inside = ++block == n; next }
	/^\.Ed/ { inside = 0 }
	inside' "$top/man/tq-perfetto.1"
}

@test "the questions of the man page have answers, which the other tools give" {
	need Perfetto
	node "$VIEW/tp.mjs" demo.pftrace "$(sql 1)" "$(sql 2)" "$(sql 3)" \
	    "$(sql 4)" > got
	jq -sc 'map(select(.kind == "kernel")) | group_by(.name)
	    | map({name: .[0].name, n: length, ns: map(.dur) | add})
	    | sort_by(-.ns)[:3][]' demo.tq > expect
	jq -sc 'map(select(.kind | IN("kernel", "memcpy", "memset", "graph")))
	    | group_by(.pid)[]
	    | reduce .[] as $e ({busy: .[0].ts, gaps: []};
		if $e.ts > .busy then .gaps += [$e.ts - .busy] else . end
		| .busy = ([.busy, $e.ts + $e.dur] | max))
	    | [(.gaps | add), (.gaps | max)]' demo.tq > idle
	jq -c 'select(.gpu) | [.idle, .longest]' got | diff idle -
	jq -sc 'map(select(.kind == "kernel") | .ts - .api_ts)
	    | {n: length, mean: (add / length | floor), longest: max}' \
	    demo.tq >> expect
	jq -c 'select(.gpu | not)' got | head -n 4 | diff expect -
	[ "$(jq -s 'map(select(.kind == "kernel") | .grid[0]) | max' demo.tq)" \
	    = "$(jq 'select(.grid) | .grid' got)" ]
}

@test "Perfetto's profile of processors has each sample, and its stack" {
	need Perfetto
	{
		echo '{"kind":"trace","version":1}'
		echo '{"kind":"stack","id":1,"frames":["leaf","main"]}'
		echo '{"kind":"stack","id":2,"frames":["other","main"]}'
		echo '{"kind":"process","pid":7,"name":"train"}'
		echo '{"kind":"thread","pid":7,"tid":8,"name":"worker"}'
		for i in 1 2 3; do
			echo "{\"kind\":\"sample\",\"ts\":${i}00,\"pid\":7,\"tid\":8,\"cpu\":$i,\"count\":$i,\"stack\":$((i / 3 + 1))}"
		done
		echo '{"kind":"end","events":7}'
	} | tq-perfetto -q --cpu-profile > profile.pftrace
	node "$VIEW/tp.mjs" --check profile.pftrace "SELECT p.name process,
	    t.name thread, s.cpu, f.name, g.name caller, count(*) n
	    FROM perf_sample s JOIN thread t USING (utid)
	    JOIN process p USING (upid)
	    JOIN stack_profile_callsite c ON c.id = s.callsite_id
	    JOIN stack_profile_frame f ON f.id = c.frame_id
	    JOIN stack_profile_callsite d ON d.id = c.parent_id
	    JOIN stack_profile_frame g ON g.id = d.frame_id
	    GROUP BY 1, 2, 3, 4, 5" > got
	diff got - <<-'EOF'
	{"process":"train","thread":"worker","cpu":1,"name":"leaf","caller":"main","n":1}
	{"process":"train","thread":"worker","cpu":2,"name":"leaf","caller":"main","n":2}
	{"process":"train","thread":"worker","cpu":3,"name":"other","caller":"main","n":3}
	EOF
}
