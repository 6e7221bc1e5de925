#!/usr/bin/env bats
# tq-chrome and tq-perfetto --rank-flows: who waits for whom, between ranks on
# one clock.  Both tools draw the same.

load helper

setup() {
	need perl
	cd "$BATS_TEST_TMPDIR" || return
}

# job [NAME=NUMBER ...]: ranks on one clock, in job.tq; see ranks/ranks.c
job() {
	rm -rf job
	mkdir job
	"$BUILD/ranks" job offset=0 drift=0 "$@"
	cat job/rank-*.tq | sed '/"kind":"trace"/s/}$/,"clock_by":"sequence"}/' \
	    > job.tq
}

# both [FILE]: draw it with both tools; arrows between ranks become got, as
# FROM TO TIMES, what was said on stderr becomes err
both() {
	tq-chrome --rank-flows "${1-job.tq}" > out.json 2> err || return 1
	tq-perfetto --rank-flows "${1-job.tq}" > out.pftrace 2> err.perfetto
	sed s/tq-perfetto/tq-chrome/ err.perfetto | diff err -
	jq -c '.traceEvents as $all
	    | (reduce ($all[] | select(.ph == "X")) as $x ({};
		.["\($x.pid) \($x.tid) \($x.ts)"] = $x.name)) as $slices
	    | [$all[] | select(.cat == "rank")] | group_by(.id)[]
	    | sort_by(.ph) | reverse
	    | map($slices["\(.pid) \(.tid) \(.ts)"])' out.json | sort > got
	perl "$top/tests/perfetto.pl" out.pftrace |
	    jq -c 'select(.what == "arrow") | [.from, .to]' | sort > drawn
	diff got <(grep -E '^\["(wait|nccl)' drawn)
}

# waits: ns of each slice that waits, of what tq-chrome drew
waits() {
	jq '.traceEvents[] | select(.cat == "wait") | .dur * 1000 | round' \
	    out.json
}

@test "an arrow leads from who waits to who came last" {
	job ranks=3 ops=1 jitter=50
	both
	[[ $(cat got) == '["wait","ncclDevKernel_Generic"]
["wait","ncclDevKernel_Generic"]' ]]
	# a wait ends where the kernel begins that it waits for
	jq -e '[.traceEvents[] | select(.cat == "wait")
	    | (.ts + .dur) * 1000 | round] == ([.traceEvents[]
	    | select(.cat == "kernel").ts * 1000 | round] | [max, max])' \
	    out.json
	last=$(table=$(tq-stats -q -f ndjson --plain-keys -r stragglers job.tq) &&
	    jq 'select(.last == 1).rank' <<< "$table")
	jq -e --argjson last "$last" '[.traceEvents[] | select(.cat == "wait")
	    .args["for rank"]] == [$last, $last]' out.json
}

@test "waits are those of stragglers, and all else is drawn as without" {
	for settings in 'ranks=8 ops=100 steps=10 work=3 late=20' \
	    'ranks=8 ops=100 kind=0 late=20' 'ranks=16 groups=4 ops=30'; do
		read -ra words <<< "$settings"
		job "${words[@]}" seed=3
		both
		[[ $(waits | jq -s add) == $(tq-stats -q -f ndjson \
		    --plain-keys -r stragglers job.tq | jq .wait_ns |
		    jq -s add) ]]
		tq-chrome -q job.tq | jq -c '.traceEvents[]
		    | select(.ph == "X")' | sort > without
		jq -c '.traceEvents[] | select(.ph == "X" and .cat != "wait")' \
		    out.json | sort | cmp - without
		grep -F "$(wc -l < got) arrows" err
	done
}

@test "a root that came first leads to the others, and nobody waits" {
	job ranks=4 ops=8 kind=6 jitter=100 seed=2
	both
	grep -F '["ncclDevKernel_Generic","ncclDevKernel_Generic"]' got
	grep -F '["wait","ncclDevKernel_Generic"]' got
	(($(wc -l < got) <= 24))
}

@test "ranks stand below each other, each wait above its stream" {
	job ranks=12 ops=5
	both
	jq -r '[.traceEvents[] | select(.name == "process_sort_index")
	    | {(.pid | tostring): .args.sort_index}] | add as $order |
	    $order' out.json > order
	jq -r --slurpfile order order '[.traceEvents[]
	    | select(.name == "process_name" and (.args.name | test("GPU")))]
	    | sort_by($order[0][.pid | tostring])[].args.name' out.json |
	    grep -o 'rank [0-9]*' > names
	diff names <(seq 0 11 | sed 's/^/rank /')
	jq -e '[.traceEvents[] | select(.name == "thread_sort_index" and
	    .pid == 0)] as $order | [.traceEvents[]
	    | select(.name == "thread_name" and .pid == 0)]
	    | map({(.args.name): .tid}) | add
	    | map_values(. as $tid | $order[] | select(.tid == $tid)
		.args.sort_index)
	    | .["waits of stream 7"] < .["stream 7"]' out.json
}

@test "a pipe is drawn as a file is" {
	job ranks=3 ops=20
	both
	tq-chrome -q --rank-flows < job.tq | cmp - out.json
	cat job.tq | tq-perfetto -q --rank-flows | cmp - out.pftrace
}

@test "without one clock nothing is drawn between ranks, and that is said" {
	job ranks=3 ops=20
	cat job/rank-*.tq > apart.tq
	both apart.tq
	[[ ! -s got ]]
	grep -F "warning: no two ranks are on one clock: nothing is drawn between ranks, see tq-align(1)" err
	tq-chrome -q apart.tq | cmp - out.json
}

@test "what cannot be matched is counted" {
	job ranks=3 ops=20 late=5 seed=4
	both
	left=$(tq-stats -q -f ndjson --plain-keys -r collectives job.tq |
	    jq .unmatched)
	((left > 0))
	grep -F "warning: $left operations of communication not matched with those of other ranks" err
}

@test "two processes of one recording" {
	data nsys/2026.2.1-mfu-2gpu.sqlite
	tq-extract "$data" | tq-correlate -o mfu.tq
	both mfu.tq
	[[ $(grep -c wait got) == 32 ]]
	[[ $(waits | wc -l) == 32 ]]
	[[ $(waits | jq -s add) == 13349041 ]]
}
