#!/usr/bin/env bats
# coordinates of ranks (mesh): from process groups and names of files to columns

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# trace RANK WORLD GROUPS [FILE]: of Kineto; GROUPS are "DESCRIPTION N,N,...;..."
trace() {
	jq -nc --arg groups "$3" --argjson rank "$1" --argjson world "$2" '
	    {schemaVersion: 1, distributedInfo: {backend: "nccl", $rank,
		world_size: $world, pg_config: ($groups | split(";") |
		map(split(" ") | {pg_desc: .[0],
		    ranks: (.[1] | split(",") | map(tonumber))} |
		    .pg_size = (.ranks | length)))},
	    traceEvents: [{ph: "X", cat: "cpu_op", name: "aten::add", pid: 7,
		tid: 7, ts: 1, dur: 1}]}' > "${4-t.json}"
}

# mesh [FILE]: of the process, the same in the trace record
mesh() {
	tq-extract "${1-t.json}" |
	    jq -sc 'map(select(.kind == "trace" or .kind == "process").mesh) |
		unique | if length == 1 then .[0] else . end'
}

# named NAME: rank and coordinates of a trace without groups under this name
named() {
	echo '{"schemaVersion":1,"traceEvents":[{"ph":"X","cat":"cpu_op",
	    "name":"aten::add","pid":7,"tid":7,"ts":1,"dur":1}]}' > "$1"
	tq-extract "$1" |
	    jq -c 'select(.kind == "process") | [.rank, .mesh // []] | flatten'
	rm "$1"
}

@test "a coordinate is the place of the rank in its process group" {
	trace 5 8 'default_pg 0,1,2,3,4,5,6,7;TENSOR_MODEL_PARALLEL_GROUP 4,5;DATA_PARALLEL_GROUP 1,3,5,7'
	[[ $(mesh) == '["dp 2","tp 1"]' ]]
	trace 5 8 'PIPELINE_MODEL_PARALLEL_GROUP 5,7;CONTEXT_PARALLEL_GROUP 4,5;EXPERT_MODEL_PARALLEL_GROUP 1,5'
	[[ $(mesh) == '["pp 0","cp 1","ep 1"]' ]]
	trace 5 8 'mesh_pp 1,5;mesh_tp 4,5'
	[[ $(mesh) == '["pp 1","tp 1"]' ]]
	trace 5 8 'dp 1,5;tp 4,5;dcp 5,6'
	[[ $(mesh) == '["dp 1","tp 1","dcp 0"]' ]]
}

@test "a group of several kinds, and one without a known description, is none" {
	trace 5 8 'DATA_PARALLEL_GROUP_WITH_CP 1,5;MODEL_PARALLEL_GROUP 4,5;undefined 5,6;EXPERT_DATA_PARALLEL_GROUP 1,5;TENSOR_AND_DATA_PARALLEL_GROUP 5,7'
	[[ $(mesh) == null ]]
}

@test "a group of one rank, of all ranks, or not of this one says nothing" {
	trace 5 8 'tp 5;dp 0,1,2,3,4,5,6,7;pp 1,6'
	[[ $(mesh) == null ]]
}

@test "two groups of a kind say nothing if they differ, and all if they are one" {
	trace 5 8 'dp 1,5;dp 5,7;tp 4,5'
	[[ $(mesh) == '["tp 1"]' ]]
	trace 5 8 'dp 1,5;dp 1,5;tp 4,5'
	[[ $(mesh) == '["dp 1","tp 1"]' ]]
	# other groups of the job are no matter
	trace 5 8 'tp 0,1;tp 2,3;tp 4,5;tp 6,7'
	[[ $(mesh) == '["tp 1"]' ]]
}

@test "a shortened list of ranks says nothing" {
	trace 5 8 'tp 4,5,6'
	jq -c '.distributedInfo.pg_config[0].pg_size = 4' t.json > short.json
	[[ $(mesh short.json) == null ]]
}

@test "names of vLLM and SGLang say coordinates, and vLLM's the rank" {
	[[ $(named dp1_pp0_tp1_dcp0_ep3_rank5.1764400000000000000.pt.trace.json) == \
	    '[5,"dp 1","pp 0","tp 1","dcp 0","ep 3"]' ]]
	[[ $(named run_dp1_pp0_tp1_dcp0_ep3_rank5.17.pt.trace.json) == \
	    '[5,"dp 1","pp 0","tp 1","dcp 0","ep 3"]' ]]
	[[ $(named 1764400000.5-TP-3-DP-0.trace.json) == '[null,"dp 0","tp 3"]' ]]
	[[ $(named 17-TP-3-PP-1-EP-2-DECODE.trace.json) == \
	    '[null,"pp 1","tp 3","ep 2"]' ]]
}

@test "a rank in the name counts where the recording does not say it" {
	[[ $(named rank-7.json) == '[7]' ]]
	[[ $(named rank0_trace.json) == '[0]' ]]
	[[ $(named 'exp[llama]-rank[3].json') == '[3]' ]]
	[[ $(named run_rank12.17.pt.trace.json) == '[12]' ]]
	trace 5 8 'undefined 5,6' rank3.json
	[[ $(tq-extract rank3.json | jq -s '.[0].rank') == 5 ]]
}

@test "sizes in a name, other ranks and coordinators are no rank" {
	[[ $(named llama_tp8_pp2.json) == '[null]' ]]
	[[ $(named llama-TP-8.json) == '[null]' ]]
	[[ $(named local_rank3.json) == '[null]' ]]
	[[ $(named host_47.1764400000000000000.pt.trace.json) == '[null]' ]]
	[[ $(named host_47.async_llm.1764400000000000000.pt.trace.json) == '[null]' ]]
}

@test "where groups and name disagree the coordinate is unknown" {
	trace 5 8 'tp 4,5;dp 1,5' dp1_pp0_tp3_dcp0_ep3_rank5.1.pt.trace.json
	[[ $(mesh dp1_pp0_tp3_dcp0_ep3_rank5.1.pt.trace.json) == \
	    '["dp 1","pp 0","dcp 0","ep 3"]' ]]
}

# job OPTION ...: ranks of tp 2 on one clock, in job.tq; the first has no
# coordinate of dp
job() {
	rm -rf job
	mkdir job
	"$BUILD/ranks" job offset=0 drift=0 ranks=8 ops=480 steps=7 work=4 \
	    jitter=3 "$@"
	for file in job/rank-*.tq; do
		awk '/"kind":"trace"/ && match($0, /"rank":[0-9]+/) {
			rank = substr($0, RSTART + 7, RLENGTH - 7)
			$0 = substr($0, 1, RSTART + RLENGTH - 1) ",\"mesh\":[" \
			    (rank > 0 ? "\"dp " int(rank / 2) "\"," : "") \
			    "\"tp " rank % 2 "\"]" substr($0, RSTART + RLENGTH)
		}
		/"kind":"trace"/ {
			sub(/}$/, ",\"clock_by\":\"collectives\",\"clock_spread\":900}")
		}
		{ print }' "$file" > new
		mv new "$file"
	done
	cat job/rank-*.tq > job.tq
}

@test "coordinates are columns of reports on ranks" {
	job straggler=5 slow=10
	for report in ranks stragglers stragglers:communicator critical; do
		tq-stats -q -f ndjson --plain-keys -r $report job.tq > rows
		jq -e '.dp == (if .rank == 0 then null else .rank / 2 | floor end) and
		    .tp == .rank % 2 and (has("pp") | not)' rows > /dev/null ||
		    { cat rows; return 1; }
	done
	run -0 tq-stats -q -r stragglers job.tq
	[[ $output == *" Rank  DP  TP  PID "* ]]
	[[ $(tq-stats -q -f ndjson --plain-keys -r stragglers job.tq |
	    jq -c 'select(.finding != "") | [.dp, .tp]') == '[2,1]' ]]
}

@test "rows of several ranks have no coordinates" {
	job
	for report in ranks:node ranks:spread stragglers:node collectives; do
		tq-stats -q -f ndjson --plain-keys -r $report job.tq > rows
		[[ -s rows ]]
		jq -se 'all(has("tp") | not)' rows
	done
}

@test "parts of ranks keep coordinates: merged, they are those of one pass" {
	job straggler=5 slow=10
	tq-stats -q -f json1 -r ranks,stragglers,critical job.tq > want
	grep -q '"TP"' want
	for file in job/rank-*.tq; do
		tq-stats -q --partial -r ranks,stragglers,critical "$file" > "$file.part"
	done
	tq-stats -q -f json1 --merge job/*.part | cmp - want
	tq-stats -q --merge --partial job/*[0-3].tq.part > a.part
	tq-stats -q --merge --partial job/*[4-7].tq.part > b.part
	tq-stats -q -f json1 --merge a.part b.part | cmp - want
}

@test "processes of one recording have their own coordinates" {
	for pid in 1 2; do
		echo '{"kind":"process","pid":'$pid',"rank":'$pid',"mesh":["ep '$pid'"]}'
		echo '{"kind":"kernel","ts":1,"dur":5,"pid":'$pid',"name":"k","device":0,"stream":7}'
	done > two.tq
	[[ $(tq-stats -q -f ndjson --plain-keys -r ranks two.tq |
	    jq -c '[.rank, .ep]' | xargs) == '[1,1] [2,2]' ]]
}

@test "tq fleet names the coordinates of the rank that holds the others up" {
	job straggler=5 slow=10
	rm job/truth
	run -0 --separate-stderr tq fleet --on local job
	[[ $output == "Rank 5 (dp 2, tp 1) on "*" holds the others up"* ]]
	[[ $output == *" rank 5 (dp 2, tp 1) on "*": compute"* ]]
	tq-stats --merge -r stragglers job.fleet/ranks.tables > rows
	grep -q ' Rank  DP  TP  PID ' rows
}

@test "tq fleet takes ranks from names, but no coordinator's" {
	mkdir names
	"$BUILD/ranks" names ranks=3 ops=20
	rm names/truth
	sed -i 's/,"rank":[0-9]*//' names/*.tq
	mv names/rank-0.tq names/rank4_step100.tq
	mv names/rank-1.tq names/dp0_pp0_tp1_dcp0_ep1_rank7.1764400000000000000.tq
	mv names/rank-2.tq names/node-2.tq
	cp names/node-2.tq names/host_7.async_llm.1764400000000000000.tq
	run -0 --separate-stderr tq fleet --on local names
	[[ $stderr == "tq fleet: left out: host_7.async_llm.1764400000000000000.tq: its process hands work to ranks, and is none"* ]]
	[[ $(tq-filter 'kind == "clock"' names.fleet/clocks.tq |
	    jq -c 'select(.kind == "clock").rank' | sort | xargs) == "2 4 7" ]]
}

@test "advice names the coordinates of the rank that the others wait for" {
	job straggler=5 slow=10
	tq-advise -v job.tq > advice
	grep -F "The others wait for rank 5 (dp 2, tp 1)" advice
}
