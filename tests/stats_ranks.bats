#!/usr/bin/env bats
# tq-stats: who waits for whom, of ranks on one clock

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# job [NAME=NUMBER ...]: ranks on one clock, in job.tq; see ranks/ranks.c
job() {
	rm -rf job
	mkdir job
	"$BUILD/ranks" job offset=0 drift=0 "$@"
	one_clock job/rank-*.tq > job.tq
}

# one_clock FILE ...: as if tq-align had found that they are on one
one_clock() {
	cat "$@" |
	    sed '/"kind":"trace"/s/}$/,"clock_by":"collectives","clock_spread":900}/'
}

# table REPORT FILTER [FILE]: of its rows
table() {
	tq-stats -q -f ndjson --plain-keys -r "$1" "${3-job.tq}" | jq -rc "$2"
}

# as_defined FILE: the four reports have what the oracle has
as_defined() {
	python3 "$top/tests/oracle/waiting.py" < "$1" > want
	[[ -s want ]]
	table collectives,stragglers,ranks,critical . "$1" |
	    jq -c --slurpfile want want '
	    (INDEX($want[]; .report) | map_values(keys)) as $keys |
	    . as $row | with_entries(select(.key | IN($keys[$row.report][])))' \
		> got
	diff <(jq -cS . want | sort) <(jq -cS . got | sort)
}

# findings: what stragglers finds, by rank
findings() {
	table stragglers 'select(.finding != "") | "\(.rank) \(.finding)"'
}

@test "the four reports are what their definitions say: an oracle restates them" {
	need python3
	job ranks=2 ops=60 work=3
	as_defined job.tq
	job ranks=8 ops=200 late=40 steps=7 work=2 seed=2
	as_defined job.tq
	job ranks=16 groups=4 ops=100 seed=3
	as_defined job.tq
	job ranks=8 ops=100 leave=50000 transfer=5000 seed=4
	as_defined job.tq
	job ranks=24 ops=60 comm=0 late=20 straggler=9 work=1 jitter=1
	as_defined job.tq

	tq-extract "$(demo)" | tq-correlate -o demo.tq
	as_defined demo.tq
}

@test "in a broadcast all wait for the root, in a reduce the root for all" {
	need python3
	job ranks=8 kind=6 ops=100 seed=5
	as_defined job.tq
	job ranks=8 kind=6 ops=200 late=60 work=1
	as_defined job.tq
	job ranks=8 kind=8 ops=100 seed=5
	as_defined job.tq
}

@test "a rank that computes 10 % longer is found, and nobody else" {
	job ranks=8 ops=480 work=4 jitter=3 straggler=3 slow=10
	[[ $(findings) == "3 compute" ]]
	table stragglers 'select(.rank == 3) | .last >= 420 and
	    .excess_compute_ns > 0.09 * 480 * 270000 and
	    .excess_compute_ns < 0.13 * 480 * 270000 and
	    .excess_late_ns < 10000' | grep -x true
	table stragglers 'select(.rank != 3) |
	    .excess_compute_ns < 0.003 * 480 * 450000' | sort -u | grep -x true
}

@test "a rank that launches late is found as late, in its worst moments" {
	job ranks=8 ops=480 work=4 jitter=3 held=5 hold=200000
	[[ $(findings) == "5 late" ]]
	read -r late cost lead < <(table stragglers 'select(.rank == 5) |
	    "\(.excess_late_ns) \(.cost_ns) \(.lead_ns)"')
	((late > 479 * 199000 && late < 480 * 201000))
	((cost > 7 * lead && lead > 400 * 190000))
	# the windows are those that tq-filter takes
	read -r first rest < <(table stragglers 'select(.rank == 5) | .worst')
	[[ $rest == *:* ]]
	tq-filter --time "$first" 'pid == 6 && kind == "kernel"' job.tq |
	    grep nccl > /dev/null
}

@test "a slow rank behind a later one is found, though it is never last" {
	job ranks=8 ops=480 work=4 jitter=3 straggler=3 slow=10 held=5 \
	    hold=100000
	[[ $(findings) == $'3 compute\n5 late' ]]
	[[ $(table stragglers 'select(.rank == 3).last') == 0 ]]
	[[ $(table stragglers 'select(.rank == 5).last') == 480 ]]
}

@test "a rank that is always late by the same time is found" {
	job ranks=4 ops=50 jitter=0 leave=0 straggler=2 work=1
	[[ $(findings) == "2 "* && $(findings | wc -l) == 1 ]]
	[[ $(table stragglers 'select(.rank == 2).standard_errors') == null ]]
}

@test "where nothing is planted nothing is found" {
	for seed in 1 2 3 4 5 6; do
		job ranks=8 ops=480 work=4 jitter=$((seed % 2 ? 3 : 10)) \
		    seed=$seed
		[[ -z $(findings) ]]
	done
}

@test "the rank that decides a step, and by what" {
	job ranks=8 ops=100 work=4 jitter=3 steps=10 held=5 hold=100000
	[[ $(table critical '"\(.rank) \(.part)"' | sort | uniq -c) == \
	    *"10 5 late" ]]
	[[ $(table critical '.step' | tr '\n' ' ') == "0 1 2 3 4 5 6 7 8 9 " ]]
	[[ $(table critical '.instances' | sort -u) == 10 ]]
}

@test "costs are what others waited, and no operation is lost" {
	for settings in 'ranks=8 ops=200 late=30 steps=5 work=2' \
	    'ranks=8 ops=300 kind=0 late=30' 'ranks=6 groups=3 kind=12'; do
		read -ra words <<< "$settings"
		job "${words[@]}" seed=9
		read -r wait ops left < <(tq-stats -q -f json1 --plain-keys \
		    -r collectives job.tq | jq -r '[.[] | .wait_ns // 0,
		    .operations, .unmatched] | [_nwise(3)] | transpose |
		    map(add) | @tsv' 2> /dev/null)
		((ops == $(grep -c nccl.*Kernel job.tq)))
		((left < ops / 3))
		read -r own cost < <(table stragglers '[.wait_ns, .cost_ns]' |
		    jq -rs 'transpose | map(add) | @tsv')
		((own == wait))
		((cost <= wait))
	done
}

@test "the parts of a rank add up to its time, in steps or of all" {
	job ranks=4 ops=60 work=2 steps=6
	table ranks '.time_ns == ([.compute_ns,
	    .communication_ns, .copy_ns, .idle_sync_ns, .idle_host_ns,
	    .idle_launch_ns, .idle_next_ns, .idle_queue_ns,
	    .idle_unknown_ns] | add)' | sort -u | grep -x true
	# in steps only what lies in them
	read -r time steps < <(table ranks \
	    'select(.rank == 0) | "\(.time_ns) \(.steps)"')
	((steps == 10))
	[[ $time == $(jq -c 'select(.name | tostring | startswith("step "))
	    .dur' job/rank-0.tq | jq -s add) ]]
	# the spread is the largest value by the least
	table ranks .compute_ns | jq -s 'max / min' > ratio
	tq-stats -q -f ndjson --plain-keys -r ranks:spread job.tq |
	    jq -e --slurpfile ratio ratio '.ranks == 4 and .steps == 1 and
		(.compute - $ratio[0] | fabs) < 0.01'
}

@test "the rank that the others wait for stands beside the median of all" {
	job ranks=4 ops=60 work=2 steps=6 straggler=2 late=0 jitter=0 slow=20
	table ranks:worst 'select(.part == "Compute")' > worst
	table ranks .compute_ns | sort -n | jq -s '.[1]' > median
	jq -e --slurpfile median median --argjson time "$(table ranks \
	    'select(.rank == 2).compute_ns')" '.rank == 2 and
	    .time_ns == $time and .median_of_ranks_ns == $median[0] and
	    .difference_ns == $time - $median[0] and .difference_ns > 0' worst
	run -1 tq-stats -r ranks:worst job/rank-0.tq
	[[ $output == "tq-stats: ranks: the stream has one rank" ]]
}

@test "ranks of a node and ranks of a communicator add up to all" {
	job ranks=16 groups=4 ops=50 work=1
	[[ $(table stragglers:node '.node' | tr '\n' ' ') == "n0 n1 " ]]
	[[ $(table stragglers:node .wait_ns | jq -s add) == \
	    $(table stragglers .wait_ns | jq -s add) ]]
	[[ $(table stragglers:communicator .cost_ns | jq -s add) == \
	    $(table stragglers .cost_ns | jq -s add) ]]
	[[ $(table stragglers:communicator .communicator | sort -u |
	    wc -l) == 4 ]]
	[[ $(table ranks:node 'select(.node == "n1").compute_ns') == \
	    $(table ranks 'select(.node == "n1").compute_ns' | jq -s add) ]]
}

# operation RANK KIND START DUR BYTES: of two ranks, in a section of its own
operation() {
	local call=$(($3 - 100))

	jq -cn --argjson rank "$1" '{kind: "trace", version: 1, source: "test",
	    rank: $rank, clock_by: "collectives"}'
	jq -cn --argjson pid "$1" --arg kind "$2" --argjson ts $((call - 100)) \
	    --argjson bytes "$5" '{kind: "range", $ts, dur: 200, $pid, tid: 1,
	    name: "nccl\($kind)", domain: "NCCL", args: {comm: "c",
	    "Message size [bytes]": $bytes, "No. of ranks": 2, Rank: $pid}}'
	jq -cn --argjson pid "$1" --argjson ts "$3" --argjson dur "$4" \
	    --argjson call "$call" '{kind: "kernel", $ts, $dur, $pid,
	    name: "ncclDevKernel_Generic", device: 0, stream: 1, tid: 1,
	    api_ts: $call, api_dur: 10}'
	echo '{"kind":"end","events":2,"dropped":0}'
}

@test "bandwidths are those of nccl-tests" {
	# 2 ranks; 1000 ns from the entry at 2000 to the last end at 3000
	while read -r kind size bus; do
		{
			operation 0 "$kind" 1000 2000 4096
			operation 1 "$kind" 2000 900 4096
		} > two.tq
		[[ $(table collectives '"\(.wait_ns) \(.transfer_ns) \(
		    .algorithm_bw_b_per_s / 1e9) \(.bus_bw_b_per_s / 1e9) \(
		    .skew_max_ns)"' two.tq) == "1000 1900 $size $bus 1000" ]]
	done <<- 'END'
	AllReduce 4.096 4.096
	AllGather 8.192 4.096
	ReduceScatter 8.192 4.096
	AllToAll 8.192 4.096
	END
}

@test "messages of one instance may differ: each counts with its own size" {
	{
		operation 0 AllGather 1000 2000 4096
		operation 1 AllGather 2000 900 65536
	} > two.tq
	[[ $(table collectives '[.size_from_b, .operations, .instances,
	    .unmatched, .total_ns, .wait_ns, .transfer_ns]' two.tq) == \
	    "[4096,1,null,0,2000,1000,1000]
[65536,1,1,0,900,0,900]" ]]
	# 4096 and 65536 bytes in 1000 ns
	[[ $(table collectives 'select(.instances).algorithm_bw_b_per_s' \
	    two.tq) == 69632000000 ]]
	# in any order of ranks, and where one does not know its size
	{
		operation 0 AllGather 1000 2000 null
		operation 1 AllGather 2000 900 4096
	} > two.tq
	table collectives .unmatched two.tq | sort -u | grep -x 0
	[[ $(table collectives 'select(.instances).algorithm_bw_b_per_s' \
	    two.tq) == 8192000000 ]]
	# nothing has a negative size
	operation 0 AllReduce 1000 2000 -5 > two.tq
	operation 1 AllReduce 2000 900 -5 >> two.tq
	[[ $(table collectives '[.size_from_b, .instances, .bytes_b,
	    .algorithm_bw_b_per_s]' two.tq) == "[null,1,null,null]" ]]
}

@test "what is no number is unknown, and not 0" {
	# a root of 0 that nobody named would be waited for
	for root in null '"none"' '"0x"' 1e400; do
		{
			operation 0 Broadcast 2000 900 8
			operation 1 Broadcast 1000 2000 8
		} | sed "s/\"Rank\"/\"Root\":$root,&/" > two.tq
		[[ $(table stragglers '[.rank, .wait_ns, .last]' two.tq) == \
		    "[0,0,0]
[1,0,0]" ]]
	done
}

@test "who left before another entered is not of one instance with it" {
	{
		operation 0 AllReduce 1000 500 64
		operation 1 AllReduce 9000 500 64
	} > two.tq
	run -0 --separate-stderr tq-stats -f ndjson --plain-keys \
	    -r collectives two.tq
	[[ $(jq -c '[.instances, .unmatched]' <<< "$output") == "[null,2]" ]]
	[[ $stderr == *"2 operations are unmatched"* ]]
	{
		operation 0 AllReduce 1000 9000 64
		operation 1 AllGather 9000 500 64
	} > two.tq
	[[ $(table collectives .unmatched two.tq | jq -s add) == 2 ]]
}

@test "a name that stands for several communicators matches nothing" {
	job ranks=4 ops=20
	sed -i 's/"No. of ranks":4/"No. of ranks":2/' job.tq
	[[ $(table collectives .unmatched) == 80 ]]
}

@test "ranks that are not on one clock are not matched, and that is said" {
	job ranks=4 ops=20 work=1 steps=5
	cat job/rank-*.tq > apart.tq
	run -0 --separate-stderr tq-stats -r ranks,collectives apart.tq
	[[ $stderr == "tq-stats: ranks: the ranks are not on one clock, so that operations are not matched: see tq-align(1)" ]]
	[[ $(table ranks .wait_ns apart.tq | sort -u) == null ]]
	[[ $(table collectives .instances apart.tq) == null ]]
	run -1 tq-stats -r stragglers apart.tq
	[[ $output == *"the ranks are not on one clock: tq-align(1) puts them on one" ]]
	# one of them, whose clock was not found
	{
		one_clock job/rank-[012].tq
		sed '/"kind":"trace"/s/}$/,"clock_by":"utc"}/' job/rank-3.tq
	} > some.tq
	run -0 --separate-stderr tq-stats -r stragglers some.tq
	[[ $stderr == *"1 of 4 ranks are not on the clock of the others: their operations are not matched"* ]]
	[[ $(table stragglers .rank some.tq | tr '\n' ' ') == "0 1 2 " ]]
	run -1 tq-stats -r critical job/rank-0.tq
	[[ $output == *"the stream has one rank" ]]
}

@test "a rank that lacks operations is named" {
	job ranks=4 ops=40 work=1
	awk '/"kind":"trace"/ { rank++ } rank != 3 || !/nccl.*Kernel/ ||
	    ++n < 11 || n > 15' job.tq > less.tq
	run -1 --separate-stderr tq-stats -r collectives less.tq
	[[ $stderr == *"15 operations are unmatched: rank 2 lacks 15 of them"* ]]
}

@test "--by-rank excludes them" {
	touch demo.tq
	run -2 tq-stats --by-rank -r stragglers demo.tq
	[[ $output == "tq-stats: stragglers compares ranks: --by-rank has one" ]]
}

@test "reports beside each other are those that stand alone" {

	tq-extract "$(demo)" | tq-correlate -o demo.tq
	for r in collectives stragglers ranks critical; do
		table $r . demo.tq
	done > alone
	table collectives,stragglers,ranks,critical . demo.tq | cmp - alone
	table critical,ranks . demo.tq |
	    cmp - <(grep '"report":"critical"' alone
		grep '"report":"ranks"' alone)
}

@test "messages are matched by pair and direction; to nobody here, not at all" {
	job ranks=4 kind=10 ops=40 # 0 sends to 1, 2 to 3
	[[ $(table collectives '[.operation, .ranks, .instances, .unmatched]') \
	    == '["send",2,80,0]' ]]
	# only receivers wait, and only senders cost
	table stragglers 'select(.rank % 2 == 0) | [.wait_ns, .last > 0]' |
	    sort -u | grep -x '\[0,true\]'
	table stragglers 'select(.rank % 2 == 1) | [.wait_ns > 0, .last]' |
	    sort -u | grep -x '\[true,0\]'
	one_clock job/rank-[023].tq > part.tq
	[[ $(table collectives '[.instances, .unmatched]' part.tq) == \
	    "[40,40]" ]]
}

@test "times of no clock, open ranges and odd numbers do no harm" {
	job ranks=2 ops=10 steps=2
	sed -E 's/"ts":1[0-9]{9}/&999999999/; s/"dur":1[0-9]{5}/&999999999999/' \
	    job.tq > far.tq
	tq-stats -q -r collectives,stragglers,ranks,critical far.tq > /dev/null
	sed -E 's/"Rank":[01]/"Rank":99999999999/; s/"Root":0/"Root":-7/' \
	    job.tq > odd.tq
	tq-stats -q -r collectives,stragglers,ranks,critical odd.tq > /dev/null
	grep -v '"kind":"trace"' job.tq > headless.tq
	run -1 --separate-stderr tq-stats -q -r ranks headless.tq
	[[ ${#lines[@]} -gt 4 ]]
}

@test "two processes of one recording: their 33 kernels of all-to-all" {
	data nsys/2026.2.1-mfu-2gpu.sqlite
	tq-extract "$DATA/nsys/2026.2.1-mfu-2gpu.sqlite" |
	    tq-correlate -o mfu.tq
	[[ $(table collectives 'select(.operation == "all-to-all") |
	    [.ranks, .instances, .unmatched]' mfu.tq) == "[2,32,0]" ]]
	[[ $(table stragglers '[.instances, .last]' mfu.tq | tr '\n' ' ') == \
	    "[32,10] [32,22] " ]]
}

# ---- parts ----

# of_parts: parts of each rank of job.tq make what the whole makes
of_parts() {
	local f reports=collectives,stragglers,ranks,critical,stragglers:node,stragglers:communicator,ranks:spread,ranks:worst,ranks:node

	rm -f -- *.part
	for f in job/rank-*.tq; do
		one_clock "$f" | tq-stats --partial -r "$reports" > "${f##*/}.part"
	done
	tq-stats -f json1 -r "$reports" job.tq > whole 2> whole.err
	tq-stats -f json1 --merge -r "$reports" ./*.part > merged 2> merged.err
	cmp whole merged
	cmp whole.err merged.err
	# any tree of merges
	set -- *.part
	tq-stats --merge --partial "$1" > a
	tq-stats --merge --partial "${@:2}" > b
	tq-stats --merge --partial a b > tree
	tq-stats --merge --partial "$@" | cmp - tree
	tq-stats -f json1 --merge tree 2> /dev/null | cmp whole
}

@test "parts of ranks are matched as ranks of one stream" {
	job ranks=2 ops=60 work=3
	of_parts
	job ranks=8 ops=1000 late=40 steps=7 work=2 seed=2
	of_parts
	jq -e '[.collectives, .stragglers, .ranks, .critical] |
	    all(length > 0)' whole
	job ranks=16 groups=4 ops=100 seed=3
	of_parts
	job ranks=24 ops=60 comm=0 late=20 straggler=9 work=1 jitter=1
	of_parts
	# not on one clock
	"$BUILD/ranks" job ranks=3 ops=20
	cat job/rank-*.tq > job.tq
	one_clock() {
		cat "$@"
	}
	of_parts
	grep -q 'not on one clock' merged.err
}

@test "a part of a rank has few bytes for each collective" {
	job ranks=2 ops=2000 work=1 steps=10
	of_parts
	(($(wc -c < rank-1.tq.part) < 200000))
}

@test "the recording of a rank is merged once" {
	local f

	job ranks=3 ops=5 steps=2
	for f in job/rank-*.tq; do
		tq-stats --partial -r cuda_gpu_kern_sum "$f" > "${f##*/}.part"
	done
	cp rank-1.tq.part again.part
	run -1 tq-stats --merge rank-*.part again.part
	[[ $output == "tq-stats: again.part:"*": the recording of rank 1 is in rank-1.tq.part already" ]]
	tq-stats --merge --partial rank-[12].tq.part > both
	run -1 tq-stats --merge rank-0.tq.part both again.part
	[[ $output == *": the recording of rank 1 is in both already" ]]
	run -0 tq-stats --merge rank-0.tq.part both
	# parts of one recording are another thing
	awk '{ print > ("half-" (/"kind":"kernel"/ && ++n % 2)) }
	    /"kind":"(trace|process)"/ { print > "half-1" }' job/rank-0.tq
	for f in half-?; do
		tq-stats -q --partial -r cuda_gpu_kern_sum "$f" > "$f.part" 2> /dev/null || :
	done
	tq-stats -f csv --merge half-?.part | cut -d, -f 1-3 |
	    cmp - <(tq-stats -f csv -r cuda_gpu_kern_sum job/rank-0.tq | cut -d, -f 1-3)
	# what is no list of them
	sed 's/"recordings":\[\[/&"a",/' both > bad
	run -1 tq-stats --merge bad
	[[ $output == *": a recording is not four integers" ]]
}

@test "a part of ranks that is damaged is named with its line" {
	local bad

	job ranks=2 ops=5 steps=2
	one_clock job/rank-0.tq | tq-stats --partial -r ranks > p
	for bad in '2s/"sections":1/"sections":-1/' '2s/"comms":\[/&5,/' \
	    '3s/"rank":\[0/"rank":[1/' '3s/"parts":\[0/"parts":[-1/' \
	    '3s/"sequences":\[0/"sequences":[7/' '3s/"steps":\[/&1,/' \
	    '3{p;}' '4s/"operations":\[0/"operations":[1/' '4s/"start":\[/&1,/' \
	    '4s/"kind":\[/&9/' '4s/"length":\[/&-/'; do
		sed "$bad" p > q
		cmp -s p q && return 1
		run -1 tq-stats --merge q
		[[ $output == "tq-stats: q:"[234]": "* ]] || return 1
	done
	# half of it
	head -n 3 p > q
	run -1 tq-stats --merge q
	[[ $output == *"q: stream ends without its end record"* ]]
}

# on_page TITLE FILE: the numbers of each row of that table of the page
on_page() {
	sed -n "/<h2>$1<\\/h2>/,/<\\/section>/p" "$2" | grep '^<tr><td' |
	    grep -o 'data-v="[^"]*"\|^<tr>' | sed 's/data-v=//; s/"//g' |
	    xargs | sed 's/<tr> /\n/g' | sed '1d; s/ $//'
}

@test "the page says for whom the others wait, with the numbers of the reports" {
	job ranks=8 ops=480 work=4 jitter=3 straggler=3 slow=10
	tq-stats -q -f html -o page.html job.tq
	table stragglers '[.lead_ns, .cost_ns, .wait_ns, .last, .instances] | join(" ")' |
	    sort -s -k 1,1nr -k 2,2nr > want
	on_page Ranks page.html | diff - want
	table ranks:worst '[.time_ns, .median_of_ranks_ns] | join(" ")' > want
	on_page 'Rank 3 beside the median' page.html | diff - want
	table collectives '[.total_ns, .wait_ns, .operations, .instances,
	    (.bus_bw_b_per_s | values | floor)] | join(" ")' > want
	on_page Collectives page.html | diff - want
	tq-stats job.tq > page
	grep -q '^RANKS  of 8 ranks; clocks without a known error$' page
	grep -q ' rank 3 on n[0-9]*: compute$' page
	sed 's/"clock_spread":900/&,"clock_error":1500/' job.tq | tq-stats > page
	grep -q '^RANKS  of 8 ranks; clocks wrong by at most 1.50 us$' page
}

@test "the page says that none holds the others up, and who is not on the clock" {
	job ranks=4 ops=240 work=4 jitter=3
	tq-stats job.tq > page
	grep -q '^RANKS  of 4 ranks, none holds the others up; clocks ' page
	[[ $(findings) = "" ]]
	# the last one has UTC
	sed '/"rank":3/s/"clock_by":"collectives"/"clock_by":"utc"/' job.tq | tq-stats > page
	grep -q '^RANKS  of 3 of 4 ranks, none holds the others up; clocks ' page
}

@test "the page has no ranks where they are not on one clock" {
	job ranks=4 ops=60
	cat job/rank-*.tq | tq-stats > page 2> said
	run ! grep -E '^(RANKS|COLLECTIVES|RANK )' page
	[[ ! -s said ]]
	tq-stats job/rank-0.tq > page
	run ! grep -E '^(RANKS|COLLECTIVES|RANK )' page
}

@test "several ranks of one recording are on one clock: the page has them, too" {
	tq-stats "$(correlated demo)" > page
	grep -A 3 '^RANKS  of 2 ranks$' page > ranks
	[[ $(sed -n 3p ranks) = *" 12  12  rank 1 on node01: compute" ]]
	[[ $(sed -n 4p ranks) = *" 0  12  rank 0 on node01" ]]
	# a single device is none of several
	jq -c 'select(.kind != "device" or .pid == 48211)' "$(correlated demo)" |
	    tq-stats 2> /dev/null > page || true
	run ! grep '^RANKS' page
}
