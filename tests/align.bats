#!/usr/bin/env bats
# tq-align: recordings of many ranks on one clock

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# generate [NAME=NUMBER ...]: streams of ranks in job/, see ranks/ranks.c
generate() {
	rm -rf job
	mkdir job
	"$BUILD/ranks" job "$@"
	mapfile -t ranks < <(ls job/rank-*.tq | sort -t- -k2n)
}

# judged [OPTION ...]: what became of the clocks, against the truth
judged() {
	local end

	tq-align --solve --reference 0 -o job/clocks "$@" "${ranks[@]}"
	end=$(tail -n 2 job/rank-0.tq | jq -r '.ts // empty' | head -n 1)
	awk -v end="$end" -f "$top/tests/ranks/judge.awk" job/truth job/clocks |
	    tee judgement
}

# within BY COUNT NS: so many clocks were found so, and none is wrong by more
within() {
	awk -v by="$1" -v count="$2" -v most="$3" '
	$1 == by { ok = $2 == count && $4 <= most }
	$1 == "missed" && $2 > 0 { bad = 1 }
	END { exit !ok || bad }' judgement
}

# report: what is said of each clock
report() {
	tq-align --solve --report --reference 0 "${ranks[@]}"
}

# ---- the truth ----

@test "two ranks with 100 all-reduces: within 5 us, and in the proved interval" {
	generate ranks=2 ops=100 seed=1
	judged
	within collectives 1 5000
	awk '$1 == "collectives" { exit !($6 > 75000 && $6 < 160000) }' judgement
}

@test "1 to 64 ranks, with late starts, drifts and jitter" {
	for settings in 'ranks=1' 'ranks=8 ops=100 late=20' \
	    'ranks=8 ops=800 jitter=30' 'ranks=64 ops=200 transfer=20000' \
	    'ranks=8 ops=200 straggler=3'; do
		read -ra words <<< "$settings"
		generate "${words[@]}" seed=7
		judged
		n=${words[0]#ranks=}
		((n == 1)) || within collectives $((n - 1)) 5000
	done
}

@test "20 jobs: no proved interval misses the truth" {
	for seed in {1..20}; do
		generate ranks=6 ops=150 late=10 kind=0 jitter=40 "seed=$seed" \
		    offset=40000000
		judged > /dev/null
		grep -qx 'missed 0' judgement
	done
}

@test "1024 ranks are solved, a file after the other" {
	generate ranks=1024 ops=20 jitter=30
	for rank in "${ranks[@]}"; do
		tq-align --points -o "${rank%.tq}.points" "$rank"
	done
	mapfile -t ranks < <(ls job/*.points | sort -t- -k2n)
	judged
	within collectives 1023 20000
}

@test "short collectives prove more" {
	generate ranks=4 ops=200 transfer=150000
	judged
	long=$(awk '$1 == "collectives" { print $6 }' judgement)
	generate ranks=4 ops=200 transfer=20000
	judged
	short=$(awk '$1 == "collectives" { print $6 }' judgement)
	((short * 5 < long))
}

# ---- what proves nothing ----

@test "messages in one direction bound a clock on one side only, and it is said" {
	generate ranks=2 kind=10 ops=8 offset=40000000
	judged
	within utc 1 99999999
	report | grep -q 'its operations bound its clock on one side only'
}

@test "broadcasts with roots that are not known prove nothing" {
	generate ranks=2 kind=6 offset=40000000
	sed -i 's/"Root":[0-9]*,//' job/rank-*.tq
	judged
	within utc 1 99999999
}

@test "messages of ranks that are not each other's peers prove nothing" {
	generate ranks=2 kind=12 ops=8 offset=40000000
	judged
	within collectives 1 400000
	sed -i 's/"Peer rank":[0-9]*/"Peer rank":5/' job/rank-1.tq
	judged
	within utc 1 99999999
}

@test "operations of both roots, and messages in both directions, prove both sides" {
	generate ranks=2 kind=6 jitter=50 offset=40000000
	judged
	within collectives 1 400000
	generate ranks=2 kind=12 jitter=30 offset=40000000
	judged
	within collectives 1 5000
}

@test "without communicators the order of operations has to do: sequence" {
	generate ranks=8 ops=200 late=20 comm=0
	judged
	within sequence 7 5000
	run -0 report
	[[ $output != *proved* ]]
}

@test "a communicator of others ties ranks, and errors add" {
	generate ranks=3 ops=200
	# 0 and 1 share one, 1 and 2 another
	sed -i 's/"comm":"0x1"/"comm":"a"/' job/rank-0.tq
	sed -i 's/"comm":"0x1"/"comm":"b"/' job/rank-2.tq
	awk '{ c = /"kind":"range"/ && n++ % 2 ? "b" : "a"
	    sub(/"comm":"0x1"/, "\"comm\":\"" c "\""); print }' \
	    job/rank-1.tq > x && mv x job/rank-1.tq
	awk '/"kind":"range"/ { drop = m++ % 2 } /"kind":"end"/ { drop = 0 }
	    !drop' job/rank-0.tq | sed '$s/"events":400/"events":200/' > x
	mv x job/rank-0.tq
	awk '/"kind":"range"/ { drop = !(m++ % 2) } /"kind":"end"/ { drop = 0 }
	    !drop' job/rank-2.tq | sed '$s/"events":400/"events":200/' > x
	mv x job/rank-2.tq
	judged
	within collectives 2 10000
	awk '/"rank":1,/ { match($0, /clock_error":[0-9]+/)
	    one = substr($0, RSTART + 13, RLENGTH - 13) + 0 }
	/"rank":2,/ { match($0, /clock_error":[0-9]+/)
	    two = substr($0, RSTART + 13, RLENGTH - 13) + 0 }
	END { exit !(one > 0 && two > one) }' job/clocks
}

@test "--report has the formats of tables, and json is that of all tools" {
	generate ranks=2
	tq-align --report -f json --reference 0 job/rank-0.tq job/rank-1.tq > got
	[[ -z $(jq -r --slurpfile schema "$top/examples/tq.schema.json" \
	    -f "$top/tests/oracle/schema.jq" got) ]]
	[[ $(jq -c '.file, (.reports[] | .report, .total, .reason)' got | paste -sd ' ') = \
	    '["job/rank-0.tq","job/rank-1.tq"] "clocks" 2 null' ]]
	[[ $(jq -r '.reports[].rows[] | "\(.rank) \(.by) \(.offset_ns) \(.row)"' got) = \
	    "$(tq-align --report -f csv --reference 0 job/rank-0.tq job/rank-1.tq |
	        awk -F, 'NR > 1 { print $1, $2, $4, "rank " $1 }')" ]]
	[[ $(jq '.reports[0].columns | all(.doc != null)' got) = true ]]
	tq-align --solve -o clocks.tq --reference 0 job/rank-0.tq job/rank-1.tq
	tq-align --solve --report -f json -o both.tq --reference 0 job/rank-0.tq \
	    job/rank-1.tq | cmp - got
	cmp clocks.tq both.tq
	tq-align --report -o clocks.json --reference 0 job/rank-0.tq job/rank-1.tq
	cmp got clocks.json
	tq-align --report -f ndjson job/rank-0.tq job/rank-1.tq | jq -se 'length == 2'
	run -2 tq-align -f json job/rank-0.tq job/rank-1.tq
	[[ $output = 'tq-align: -f needs --report' ]]
}

@test "ranks that share nothing keep UTC, and two of one rank are refused" {
	generate ranks=4 groups=2
	judged
	grep -q '^utc 2 ' judgement
	grep -q '^collectives 1 ' judgement
	run -1 tq-align --report job/rank-1.tq job/rank-1.tq
	[ "$output" = "tq-align: two recordings are of rank 1" ]
}

@test "steps that repeat themselves to the microsecond are ambiguous, and it is said" {
	generate ranks=2 jitter=0 leave=3000 drift=0 late=0 offset=0
	sed -i 's/,"origin_utc_ns":"[0-9]*"//' job/rank-1.tq
	run -0 report
	[[ $output = *': ambiguous: shifts '* ]]
	[[ $output = *$'\n   1  none '* ]]
}

@test "a clock that was set while it recorded is a conflict, from 20 us on" {
	for by in 20000 50000 200000 1000000; do
		generate ranks=2 ops=200 step=1 by=$by
		judged
		grep -q '^conflict 1 ' judgement
		report | grep -qE 'its clock was set near|contradict each other'
	done
	generate ranks=2 ops=200
	judged
	within collectives 1 5000
}

# ---- real recordings ----

@test "2026.2.1-mfu-2gpu, split by process and moved: the truth is in the interval" {
	data nsys/2026.2.1-mfu-2gpu.sqlite
	tq-extract "$data" | tq-correlate -o all.tq
	for pid in 144 145; do
		tq-filter "pid == $pid" all.tq |
		    sed "1s/}\$/,\"rank\":$((pid - 144))}/" > r$pid.tq
	done
	move() { # OFFSET DRIFT: rank 1 with another clock
		jq -c --argjson o "$1" --argjson d "$2" '
		def m: . + $o + ((. * $d / 1000000000) | floor);
		if .kind == "trace" then . else
		    reduce ("ts", "api_ts", "range_ts") as $k
		    (.; if .[$k] then .[$k] |= m else . end) end' r145.tq
	}
	for clock in '0 0' '3700000000 0' '-3700000000 0' '0 5000' '0 -50000' \
	    '1000000 50000'; do
		read -r offset drift <<< "$clock"
		move "$offset" "$drift" > moved.tq
		tq-align --solve r144.tq moved.tq | tee clocks
		[ "$(jq -r 'select(.rank == 1).clock_by' clocks)" = sequence ]
		# at both ends: the true time, that of the moved clock, its line
		jq -se --argjson o "$offset" --argjson d "$drift" '
		(map(select(.rank == 1)) | first) as $c |
		[60111541307, 60411416408] | all(
		. as $t | ($t + $o + $t * $d / 1e9) as $own |
		($own + $c.clock_offset + $own * $c.clock_drift / 1e9 - $t) |
		fabs <= $c.clock_error and ($c.clock_error < 160000))' clocks
	done
	tq-align --solve r144.tq r145.tq |
	    jq -se 'map(select(.rank == 1))[0].clock_offset | fabs < 30000'
}

@test "sampled operations of two ranks of 128 are refused" {
	data kineto/torch-2022-sampled-rank0.json.zst
	for rank in 0 1; do
		tq-extract "${data/rank0/rank$rank}" | tq-correlate -o k$rank.tq
	done
	run -0 tq-align --report k0.tq k1.tq
	[[ $output = *$'\n   1  utc '*'no shift of operations is possible'* ]]
}

# ---- one command, and many ----

@test "points, solve and apply give the bytes of one command" {
	generate ranks=4 ops=100 late=5 work=3
	tq-align -o whole.tq "${ranks[@]}"
	for rank in "${ranks[@]}"; do
		tq-align --points "$rank" > "${rank%.tq}.points"
	done
	tq-align --solve job/*.points > clocks.tq
	for rank in "${ranks[@]}"; do
		tq-align --apply clocks.tq "$rank"
	done | cmp - whole.tq
	tq-align --apply clocks.tq "${ranks[@]}" | cmp - whole.tq
	mkdir out
	tq-align -o out "${ranks[@]}"
	cat out/rank-{0,1,2,3}.tq | cmp - whole.tq
	# and from pipes
	tq-align <(cat job/rank-0.tq) <(cat job/rank-1.tq) job/rank-2.tq \
	    job/rank-3.tq 2> said | cmp - whole.tq
	[[ ! -s said ]]
	# an origin that is not the common one stays
	sed -i 's/,"origin_utc_ns":"[0-9]*"//' job/rank-0.tq
	for by in none utc collectives; do
		tq-align --by $by -o whole.tq "${ranks[@]}"
		tq-align --solve --by $by -o clocks.tq "${ranks[@]}"
		tq-align --apply clocks.tq "${ranks[@]}" | cmp - whole.tq
	done
}

@test "times are changed, each with the end of its duration, and nothing else" {
	generate ranks=2 ops=60
	tq-align -o whole.tq "${ranks[@]}"
	tq-stats -r none whole.tq || tq-filter true whole.tq > /dev/null
	strip='del(.ts, .dur, .api_ts, .api_dur, .origin_utc_ns, .clock_offset,
	    .clock_drift, .clock_error, .clock_spread, .clock_by, .rank)'
	cmp <(jq -c "$strip" whole.tq) <(jq -c "$strip" "${ranks[@]}")
	# a section that needs no change is what it was, but for its first line
	head -n "$(wc -l < job/rank-0.tq)" whole.tq | tail -n +2 |
	    cmp - <(tail -n +2 job/rank-0.tq)
	[ "$(jq -r 'select(.kind == "trace").clock_by' whole.tq | xargs)" = \
	    'collectives collectives' ]
}

@test "collectives of all ranks overlap once they are on one clock" {
	generate ranks=4 ops=100
	tq-align "${ranks[@]}" | jq -cs '
	map(select(.kind == "kernel")) | group_by(.corr) |
	all((map(.ts) | max) <= (map(.ts + .dur) | min))' | grep -qx true
}

@test "--by none leaves all times, --by utc knows the origins only" {
	generate ranks=2 ops=20
	sed -i 's/"origin_utc_ns":"1700000000000000000"/"origin_utc_ns":"1700000000000000500"/' \
	    job/rank-1.tq
	cmp <(tq-align --by none "${ranks[@]}" | jq -c 'select(.ts) | .ts') \
	    <(jq -c 'select(.ts) | .ts' "${ranks[@]}")
	cmp <(tq-align --by utc "${ranks[@]}" | jq -c 'select(.ts and .pid == 2) | .ts') \
	    <(jq -c 'select(.ts) | .ts + 500' job/rank-1.tq)
}

@test "ranks that recordings do not say are those of their places, with a warning" {
	generate ranks=2 ops=50
	sed -i 's/,"rank":[01]//' job/rank-*.tq
	run --separate-stderr -0 tq-align --solve "${ranks[@]}"
	[ "$stderr" = "tq-align: warning: recording 1 does not say its rank: it is taken for 0
tq-align: warning: recording 2 does not say its rank: it is taken for 1" ]
	tq-align --points --rank 5 job/rank-0.tq | head -n 1 | jq -e '.rank == 5'
	tq-align --solve "${ranks[@]}" > clocks 2> /dev/null
	run -1 tq-align --apply clocks job/rank-0.tq
	[[ $output = *'does not say its rank: --rank does' ]]
	run -1 tq-align --apply clocks --rank 9 job/rank-0.tq
	[[ $output = *'has no clock of rank 9' ]]
}

# ---- bad input ----

@test "what makes no sense is refused" {
	generate ranks=2 ops=20
	for options in '--points --solve' '--apply x --points' '--reference no' \
	    '--rank -1' '--by tides'; do
		# shellcheck disable=SC2086 # they are words
		run -2 tq-align $options job/rank-0.tq
	done
	run -2 tq-align --points "${ranks[@]}"
	[ "$output" = "tq-align: --points takes exactly one file" ]
	run -1 tq-align --reference 7 "${ranks[@]}"
	[ "$output" = "tq-align: no recording is of rank 7" ]
	mkdir a out
	cp job/rank-0.tq a/rank-1.tq
	run -2 tq-align -o out a/rank-1.tq job/rank-1.tq
	[[ $output = *'a/rank-1.tq and job/rank-1.tq would be one file in out' ]]
	run -2 tq-align -o out - < job/rank-1.tq
	[ "$output" = 'tq-align: stdin has no name for a file in out' ]
	run -2 tq-align -o job job/rank-1.tq
	[ "$output" = "tq-align: input and output are the same file: job/rank-1.tq" ]
	run -2 tq-align --report --points job/rank-0.tq
	cat "${ranks[@]}" > both.tq
	for mode in --points --solve "--apply clocks"; do
		tq-align --solve -o clocks "${ranks[@]}"
		# shellcheck disable=SC2086 # words
		run -1 tq-align $mode both.tq
		[[ $output = *'a second section: a file is of one rank' ]]
	done
	run -1 tq-align --apply job/rank-0.tq job/rank-1.tq
	[[ $output = *'no clocks of ranks in it' ]]
}

@test "points whose columns do not agree are refused, with their line" {
	generate ranks=2 ops=20
	tq-align --points -o good job/rank-1.tq
	for change in 's/"durs":\[[0-9]*,/"durs":[/' 's/"which":\[0/"which":[9/' \
	    's/"durs":\[/"durs":[-5,/' 's/"sizes":\[[0-9]*/"sizes":["x"/' \
	    's/"gaps":\[0/"gaps":[40960000000000000000000/'; do
		sed "$change" good > bad
		run -1 tq-align --solve job/rank-0.tq bad
		[ "$output" = "tq-align: bad:2: points with columns that do not agree" ]
	done
	sed 's/"peers":[^]]*],//' good > bad
	run -1 tq-align --solve job/rank-0.tq bad
	[ "$output" = "tq-align: bad:2: points without all of their columns" ]
	sed '2{p; s/"first":0/"first":3/}' good | sed '$s/1/2/' > bad
	run -1 tq-align --solve job/rank-0.tq bad
	[ "$output" = "tq-align: bad:3: points that do not follow those before" ]
	tq-align --solve job/rank-0.tq good > clocks
	sed '3{p}' clocks | sed '$s/2/3/' > bad
	run -1 tq-align --apply bad job/rank-0.tq
	[ "$output" = "tq-align: bad:4: a second clock of rank 1" ]
}

@test "a recording that was cut short is used, and the status is 1" {
	generate ranks=2 ops=50
	head -n 90 job/rank-1.tq > x
	mv x job/rank-1.tq
	run --separate-stderr -1 tq-align --solve "${ranks[@]}"
	[[ $stderr = *'job/rank-1.tq: stream ends without its end record' ]]
	[[ $output = *'"rank":1,'*'"clock_by":"collectives"'* ]]
}

@test "operations at times that no clock has are refused" {
	generate ranks=2 ops=12 drift=0
	for ts in 9223372036854775807 -9223372036854775807; do
		sed "3s/\"ts\":[-0-9]*/\"ts\":$ts/" job/rank-1.tq > odd.tq
		run -1 tq-align job/rank-0.tq odd.tq
		[[ $output = *'tq-align: odd.tq:3: operation outside the range its clock covers'* ]]
	done
}

@test "an operand may have several recordings: in files of their own they become the same" {
	local clocks

	generate ranks=3 ops=40
	cat "${ranks[@]}" > all.tq
	tq-align "${ranks[@]}" > want
	tq-align all.tq | cmp - want
	tq-align < all.tq | cmp - want
	cat all.tq | tq-align | cmp - want
	tq-align "${ranks[0]}" <(cat "${ranks[@]:1}") | cmp - want
	for clocks in ndjson table; do
		tq-align --report -f $clocks "${ranks[@]}" > want
		tq-align --report -f $clocks all.tq | cmp - want
	done
	tq-align --solve -o clocks "${ranks[@]}"
	tq-align --apply clocks "${ranks[1]}" > want
	cat "${ranks[1]}" | tq-align --apply clocks | cmp - want
}

@test "--auto changes ranks whose clocks are proved, and nothing else" {
	generate ranks=3 ops=40
	tq-align "${ranks[@]}" > want
	tq-align --auto "${ranks[@]}" | cmp - want
	cat "${ranks[@]}" | tq-align --auto | cmp - want
	run ! cmp -s want <(cat "${ranks[@]}")
	# one recording, a rank twice, a recording without one
	tq-align --auto "${ranks[1]}" | cmp - "${ranks[1]}"
	cat "${ranks[0]}" "${ranks[1]}" "${ranks[0]}" > twice
	run -0 --separate-stderr tq-align --auto -o out twice
	[ -z "$stderr" ]
	cmp out twice
	sed 's/,"rank":1}$/}/' "${ranks[1]}" | cat "${ranks[0]}" - > unknown
	run ! cmp -s unknown <(cat "${ranks[@]:0:2}")
	run -0 --separate-stderr tq-align --auto -o out unknown
	[ -z "$stderr" ]
	cmp out unknown
	# ranks without a collective in common have UTC at most
	sed 's/"0x/"1x/' "${ranks[1]}" | cat "${ranks[0]}" - > alone
	tq-align --auto alone | cmp - alone
	for option in --points --solve --report "--apply alone"; do
		# shellcheck disable=SC2086 # words
		run -2 tq-align --auto $option alone
		[[ $output = *"--auto excludes --points, --solve, --apply and --report" ]]
	done
}

@test "a rank on another clock was recorded for as long, busy and idle" {
	file=$(correlated demo)
	jq -c 'if .kind == "trace" then .rank = 0 else . end' "$file" > w0.tq
	for later in 1778578200001000000 1778578199999000000; do
		jq -c 'if .kind == "trace" then .rank = 1 | .origin_utc_ns = "'$later'"
		    else . end' "$file" > w1.tq
		tq-stats -q -f csv -r device_time w0.tq > time
		tq-stats -q -f csv -r gaps_sum w0.tq > gaps
		for options in '' '--reference 1'; do
			tq-align -q --by utc $options -o both.tq w0.tq w1.tq
			for n in 0 1; do
				tq-stats -q -f csv --by-rank -r device_time both.tq |
				    sed -n "s/^$n,//p" | diff <(tail -n +2 time) -
				tq-stats -q -f csv --by-rank -r gaps_sum both.tq |
				    sed -n "s/^$n,//p" | diff <(tail -n +2 gaps) -
			done
			# what was added to the times stays known when a stream is aligned again
			tq-align -q --by utc -o again.tq both.tq
			cmp both.tq again.tq
		done
	done
}
