#!/usr/bin/env bats
# tq-advise: the account, claims, gates, files of rules.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# ---- helpers ----

# advice NAME: "FINDING SEVERITY TENTHS" of an export, but for notes
advice() {
	tq-advise -f ndjson "$(correlated "$1")" |
	    jq -r 'select(.finding and .severity != "note") |
	        "\(.finding) \(.severity) \(.share_ppm / 1000 | round)"'
}

# busy: a stream of 60 kernels of 100 us, 10 us apart: 9 us of host, 1 us of
# launch
busy() {
	awk 'BEGIN { for (i = 0; i < 60; i++) {
		printf "{\"kind\":\"api\",\"ts\":%d,\"dur\":1000,\"pid\":1,\"tid\":1,\"corr\":%d,\"name\":\"cudaLaunchKernel\"}\n", i * 110000 + 9000, i
		printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":100000,\"pid\":1,\"tid\":1,\"corr\":%d,\"name\":\"k\",\"device\":0,\"api_ts\":%d,\"api_dur\":1000,\"api_name\":\"cudaLaunchKernel\"}\n", i * 110000 + 10000, i, i * 110000 + 9000
	} }' | stream > busy.tq
}

# ---- real exports ----

@test "on the real exports at most two warnings are printed, and the right ones" {
	need data
	[[ $(advice 2024.6.2-torch-2.7b) = "loading critical 568" ]]
	[[ $(advice 2025.3.1-cupy-nvtx) = "host-late critical 360" ]]
	[[ $(advice 2026.2.1-h100-2gpu) = $'launches-without-operation critical 0\nexposed-copy critical 957' ]]
	[[ $(advice 2021.2.1-osrt-callchains) = "file-io warning 190" ]]
	[[ $(advice 2021-sched-sampling) = "host-late critical 329" ]]
	[[ $(advice 2023.1.2-julia) = "failed-calls warning 0" ]]
	for name in 2022.2.1-nonlazy-mpi \
	    2024.5.1-cloverleaf 2024.6.2-cuda-graphs \
	    2024.6.2-nvfuser 2024.6.2-nvfuser-h200-a \
	    2024.6.2-nvfuser-h200-b 2026.1.1-vectoradd \
	    2026.2.1-mfu-2gpu; do
		[[ -z $(advice "$name") ]] || { echo "$name"; advice "$name"; return 1; }
	done
}

@test "parts of each device add up to its wall, findings to no more" {
	for file in "$(correlated demo)" ; do
		tq-advise -f ndjson "$file" > out
		jq -es '.[0].account | map(.wall_ns == .compute + .communication +
		    .copy + .sync + .host + .launch + .next + .queue + .unknown) |
		    all' out
		jq -es '[.[] | select(.finding) | .gain_ns] | add <= 112000000' out
	done
}

@test "runs are those that a comparison of all sequences finds" {
	need data
	printf '%s\n' 'rule r' 'when kind == "gap" and .run >= 8' 'claim gaps' \
	    'least 0%' 'title {runs} {longest}' > r.rules
	for name in 2024.6.2-torch-2.7b 2025.3.1-cupy-nvtx; do
		# without ranges, and so without steps
		tq-extract -k cuda "$DATA/nsys/$name.sqlite" |
		    tq-correlate --gaps > gaps.tq
		perl "$top/tests/oracle/runs.pl" gaps.tq > theirs
		read -r covered all longest ns < theirs
		tq-advise -R none -R r.rules -f ndjson gaps.tq |
		    jq -r 'select(.finding) | "\(.title) \(.gain_ns)"' > ours
		[[ $(cat ours) = "$(jq -n "$covered * 1000 / $all | round / 10") % $longest $ns" ]] ||
		    { cat theirs ours; return 1; }
	done
}

# ---- claims ----

@test "a gain is of idle time in the call and after it, not of all that it took" {
	# a call of 1 ms, in which the device works for all but 10 us
	busy
	sed 's/"ts":9000,"dur":1000/"ts":9000,"dur":1000000/' busy.tq > long.tq
	printf '%s\n' 'rule r' 'when kind == "api" and dur > 100us' \
	    'claim gaps over, host after' 'least 0.1%' 'title t' > r.rules
	[[ $(tq-advise -R none -R r.rules -f ndjson long.tq |
	    jq 'select(.finding) | .gain_ns') -le 100000 ]]
}

@test "two rules never claim the same time" {
	busy
	for name in a b; do
		printf '%s\n' "rule $name" 'when kind == "gap"' 'claim gaps' \
		    "title $name" ''
	done > ab.rules
	tq-advise -R none -R ab.rules -f ndjson busy.tq |
	    jq -r 'select(.finding) | "\(.finding) \(.gain_ns)"' > out
	[[ $(cat out) = "a 590000" ]]
}

@test "what is below its least share is a part of the rule behind it" {
	busy
	printf '%s\n' 'rule launch' 'when kind == "gap" and cause == "launch"' \
	    'claim gaps' 'least 50%' 'title t' '' \
	    'rule all' 'when kind == "gap"' 'claim gaps' 'title t' > r.rules
	tq-advise -R none -R r.rules -f ndjson busy.tq |
	    jq -ec 'select(.finding) | .finding == "all" and .gain_ns == 590000 and
	        .parts == [{"rule":"launch","share_ppm":8952}]'
}

@test "a second signal that lacks makes a note, an also silence" {
	busy
	printf '%s\n' 'rule r' 'when kind == "kernel"' 'claim exposed' 'title t' \
	    'second count(kind == "kernel") >= 61' > second.rules
	sed s/second/also/ second.rules > also.rules
	sed 's/second.*/also share(dur > 50us of kind == "kernel") >= 100%/' \
	    second.rules > share.rules
	severity() {
		tq-advise -R none -R "$1" -f ndjson busy.tq |
		    jq -r 'select(.finding).severity'
	}
	[[ $(severity second.rules) = note ]]
	[[ -z $(severity also.rules) ]]
	[[ $(severity share.rules) = critical ]]
}

@test "conditions ask for the launches in runs, and for time that is exposed" {
	# 60 equal launches, nothing beside them
	busy
	fires() {
		printf '%s\n' 'rule r' 'when kind == "kernel"' 'claim exposed' \
		    "also $1" 'title t' > r.rules
		tq-advise -R none -R r.rules -f ndjson busy.tq | grep -q '"r"'
	}
	fires 'runs() >= 100%'
	run ! fires 'runs() < 100%'
	fires 'exposed() >= 100%'
	run ! fires 'exposed() < 100%'
	fires 'count(kind == "gap" and .run == 60) >= 1'
	run -2 tq-advise -R <(printf 'rule r\nalso runs(true) < 1%%\n') busy.tq
	[[ $output = *"expected nothing between ( and ) of 'runs(true) < 1%'" ]]
}

@test "a multiple of the median of a group is allowed, and what is above it is claimed" {
	# 60 kernels of 100 ns and of 200 ns, one of 1000 ns of each name: above
	# 3 times the median are 700 and 400 ns
	awk 'BEGIN { for (i = 0; i < 122; i++) {
		dur = (i % 2 + 1) * 100
		if (i >= 120) dur = 1000
		printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"name\":\"k%d\",\"device\":0,\"stream\":%d}\n", i * 1000, dur, i % 2, i % 3
	} }' | stream > long.tq
	excess() {
		printf '%s\n' 'rule r' 'when kind == "kernel"' \
		    "claim excess($1)" "by $2" 'least 0%' 'title t' > r.rules
		tq-advise -R none -R r.rules -f ndjson long.tq |
		    jq -c 'select(.finding) | [.gain_ns, (.evidence | map(.dur))]'
	}
	[[ $(excess 3 name) = "[1100,[700,400]]" ]]
	[[ $(excess 5 name) = "[500,[500]]" ]]
	[[ $(excess 4 "name, device") = "[800,[600,200]]" ]]
}

@test "the parts of an operation that rules claim are parts of each other" {
	# 20 of 100 multiprocessors, and 1000 ns of which 900 are above the median
	awk 'BEGIN { for (i = 0; i < 101; i++)
		printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"name\":\"k\",\"device\":0,\"grid\":[%d,1,1]}\n", i * 1000, i < 100 ? 100 : 1000, i < 100 ? 100 : 20
	}' > k
	{ echo '{"kind":"device","device":0,"name":"g","sms":100}'; cat k; } |
	    stream > two.tq
	for claim in "slack(sm_share)" "excess(1)"; do
		printf '%s\n' "rule r${claim:0:1}" 'when kind == "kernel"' \
		    "claim $claim" 'least 0%' 'title t' ''
	done > r.rules
	[[ $(tq-advise -R none -R r.rules -f ndjson two.tq | jq -c 'select(.finding) |
	    [.finding, .gain_ns]' | sort | xargs) = "[re,100] [rs,800]" ]]
}

@test "the manual names each rule that comes with tq-advise, and its class" {
	tq-advise --rules | awk '$1 == "rule" { rule = $2 }
	    $1 == "class" { print $2, rule }' | sort > rules
	sed -n '/^.Ss Rules that come/,/^.El/p' "$top/man/tq-advise.1" |
	    awk '/^.It/ { class = $3; next } /^[a-z]/ { gsub(",", "")
	        for (i = 1; i <= NF; i++) print class, $i }' | sort > named
	diff rules named
}

# ---- steps and time ----

# steps: 50 kernels of 100 us without a step, 10 us apart; 1 ms; then 4 steps of
# 20 kernels of 100 us, 50 us apart; 1 ms; then 10 kernels, 10 us apart
steps() {
	awk '
	function kernel(gap) {
		printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":100000,\"pid\":1,\"tid\":1,\"corr\":%d,\"name\":\"k\",\"device\":0,\"api_ts\":%d,\"api_dur\":1000,\"api_name\":\"cudaLaunchKernel\"}\n", now, ++n, now - 2000
		now += 100000 + gap
	}
	BEGIN {
		now = 10000
		for (i = 0; i < 50; i++)
			kernel(10000)
		now += 1000000
		for (s = 0; s < 4; s++) {
			printf "{\"kind\":\"range\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"tid\":1,\"name\":\"step %d\",\"id\":%d,\"mode\":\"push\"}\n", now - 5000, 20 * 150000, s, s + 1
			for (i = 0; i < 20; i++)
				kernel(50000)
		}
		now += 1000000
		for (i = 0; i < 10; i++)
			kernel(10000)
	}' | stream > steps.tq
	printf '%s\n' 'rule r' 'when kind == "gap"' 'claim gaps' 'title t' > r.rules
}

# gain OPTION ...: "GAIN WALL RECORDS OPERATIONS" of the rule r
gain() {
	tq-advise -R none -R r.rules -f ndjson "$@" |
	    jq -s -r '[(.[1] | .gain_ns, .of_ns, .count), .[0].operations] |
	        join(" ")'
}

@test "where there are steps, shares are of them: what is before and after is left out" {
	steps
	# 80 kernels, and 79 gaps between, each of host and of launch
	[[ $(gain steps.tq) = "3950000 11950000 158 80" ]]
	# with two steps, all: 139 gaps, of which 58 last 10 us, 79 50 us, and two
	# 1010 and 1050 us
	grep -v '"name":"step [23]"' steps.tq | sed s/:144,/:142,/ > two.tq
	[[ $(gain two.tq) = "6590000 20590000 278 140" ]]
}

@test "--step looks at the chosen steps, --time at a time" {
	steps
	[[ $(gain --step 1 steps.tq) = "950000 2950000 38 20" ]]
	[[ $(gain --step 1..2 steps.tq) = "1950000 5950000 78 40" ]]
	run -1 tq-advise --step 7 steps.tq
	[[ $output = "tq-advise: no range matches --step" ]]
	run -2 tq-advise --step median steps.tq
	# steps 1 and 2 begin at 9.51 and 12.51 ms
	grep -F '"ts":9505000' steps.tq | grep -q '"step 1"'
	[[ $(gain --time 9.51ms:12.46ms --step 0.. steps.tq) = "950000 2950000 38 20" ]]
	[[ $(gain --time 9.56ms:9.83ms steps.tq) = "100000 270000 4 2" ]]
	run -2 tq-advise --time 5ns:5ns steps.tq
	run -2 tq-advise --time 1ns: -r nsys steps.tq
	[[ $output = "tq-advise: --step and --time exclude -r" ]]
	tq-advise --time -1s:-2s steps.tq || [[ $? = 2 ]]
	run -1 --separate-stderr tq-advise --time 100s: steps.tq
	[[ -z $output && $stderr = *'outside of the trace, which covers 10us to '* ]]
}

# ---- where the host is ----

# reads TS: behind it a thread reads for 650 us, one of its calls in another one
reads() {
	local call ts dur name file stack

	for call in 100000,400000,fread,/a,1 150000,300000,read,/a,2 \
	    600000,250000,read,/b,1; do
		IFS=, read -r ts dur name file stack <<< "$call"
		echo '{"kind":"osrt","ts":'$(($1 + ts))',"dur":'"$dur"',"pid":1,"tid":1,"name":"'"$name"'","file":"'"$file"'","stack":'"$stack"'}'
	done
}

stacks() {
	echo '{"kind":"stack","id":1,"frames":["load (a.py:1)","main (a.py:9)"]}'
	echo '{"kind":"stack","id":2,"frames":["load (a.py:2)","main (a.py:9)"]}'
}

# step TS DUR NUMBER [TID]: its range
step() {
	echo '{"kind":"range","ts":'"$1"',"dur":'"$2"',"pid":1,"tid":'"${4:-1}"',"name":"step '"$3"'","id":'"$1"',"mode":"push"}'
}

# where FILE: "NAME NS" of each part of the place of file-io
where() {
	tq-advise -f ndjson "$@" | jq -r 'select(.finding == "file-io").where |
	    to_entries[] | "\(.key) \(.value.text) \(.value.ns)"' | xargs
}

@test "a range named as a step within a step of its thread is a part of it" {
	steps
	# a batch in each step, and one of another thread
	awk '{ print } /"kind":"range"/ {
	    sub(/"dur":[0-9]*/, "\"dur\":70000"); sub(/"step [0-9]"/, "\"batch\"")
	    sub(/"id":/, "&10"); print
	}' steps.tq | grep -v '"kind":"end"' > parts.tq
	tail -n 1 steps.tq | sed s/:144,/:148,/ >> parts.tq
	for options in "" "--step 1" "--step 1..2"; do
		# shellcheck disable=SC2086 # words
		[[ $(gain $options parts.tq) = "$(gain $options steps.tq)" ]]
	done
	tq-advise parts.tq | head -n 1 | grep ", 4 steps"
}

@test "a finding says in which call, on which file, at which line the host is" {
	kernels() {
		awk -v from="$1" 'BEGIN { for (i = 0; i < 30; i++) {
			ts = from + i * 101000
			printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":100000,\"pid\":1,\"tid\":1,\"corr\":%d,\"name\":\"k\",\"device\":0,\"api_ts\":%d,\"api_dur\":500,\"api_name\":\"cudaLaunchKernel\"}\n", ts, ts, ts - 900
		} }'
	}
	# a gap of 1 ms from 3.039 ms on
	{ stacks; kernels 10000; reads 3039000; kernels 4039000; } | stream > in
	[[ $(where in) = "name read 550000 file /a 400000 line load (a.py:1) 350000" ]]
	# 550 of 650 us
	run tq-advise -v in
	[[ $output = *$'\n          file-io: at most 9.2 % (650 us), sure\n'* ]]
	[[ $output = *$'\n          where 550 us in read, 100 us in fread, 400 us on the file /a, 350 us at load (a.py:1)\n'* ]]
	[[ $output = *$'\n          look  tq-stats -r osrt_lines,io_sum in\n'* ]]
	[[ $output = *" 300 us  gap: host, in read "* ]]
	# with neither: the report that shows the calls
	sed 's/,"file":"[^"]*","stack":[12]//' in > bare
	[[ $(where bare) = "name read 550000" ]]
	tq-advise -v bare | grep -q '  look  tq-stats -r osrt_sum bare$'
	# the page has the same
	tq-stats in | tr -s "\n " " " | grep -F " Of it the host is 550 us in read, 100 us in fread, 400 us on the file /a and 350 us at load (a.py:1). "
}

@test "what is in many places is said of none, and they do not fill the memory" {
	{
		stacks
		step 0 1000 0
		step 1000 1000 1
		step 2000 70000000 2
		awk 'BEGIN { for (i = 0; i < 70000; i++)
			printf "{\"kind\":\"osrt\",\"ts\":%d,\"dur\":1000,\"pid\":1,\"tid\":1,\"name\":\"read\",\"file\":\"/%d\",\"stack\":1}\n", 2000 + i * 1000, i }'
	} | stream > in
	[[ $(where in) = "name read 70000000 line load (a.py:1) 70000000" ]]
}

@test "where no device works, findings are of the steps of threads" {
	{
		stacks
		step 0 1000000 0
		step 10000 5000 7 # within another one
		reads 1000000 # between steps
		step 2000000 1000000 1
		step 2000000 1000000 0 2
		reads 2000000
		step 4000000 1000000 2
	} | stream > in
	run tq-advise in
	[[ ${lines[0]} = "tq-advise: no operation of a device; 4 steps of 2 threads, at most 3.00 ms of one" ]]
	[[ $output = *$'\ncritical  The thread of the steps reads or writes files\n          file-io: at most 21.7 % (650 us), sure\n'* ]]
	grep -qE ' 300 us  step 1, in read +  thread 1$' <<< "$output"
	[[ $(where in) = "name read 550000 file /a 400000 line load (a.py:1) 350000" ]]
	tq-advise -f ndjson in | jq -es '
	    (map(select(.account))[0].account | map([.pid, .tid, .wall_ns, .host]) ==
	        [[1, 1, 3000000, 3000000], [1, 2, 1000000, 1000000]]) and
	    (map(select(.finding)) | length == 1 and
	        (.[0] | .worst_thread == [1, 1] and .devices == 1 and
	        .gain_ns == 650000 and .of_ns == 3000000 and .pieces == 4))'
	tq-advise -f ndjson in | jq -es 'map(select(.finding))[0].evidence[0] |
	    .tid == 1 and .what == "step 1, in read"'
	tq-advise --marks in | jq -es 'map(select(.domain == "tq-advise") |
	    [.tid, .args.what]) | index([[1, "step 1, in fread"]]) != null'
	# a part of them, and a time
	[[ $(tq-advise --step 3 in | head -n 1) = *"; 1 step of 1 thread, 1.00 ms" ]]
	[[ $(tq-advise --time 1.2ms:1.3ms in) = *"operation of a device, and no step of a thread"* ]]
	[[ $(tq-advise -f ndjson --time 2.2ms: in | jq -c 'select(.finding) |
	    [.gain_ns, .of_ns]') = "[550000,1800000]" ]]
	# the page
	tq-stats in | grep -x "No GPU works in this recording; its steps wait 16.3 % of the time."
	tq-stats in | grep -q '^tq-advise in  '
	tq-stats in | tr -s "\n " " " | grep -F "The thread of the steps reads or writes files. At most 650 us in thread 1. Of it the host is 550 us in read,"
}

@test "a step that was never closed ends with the next one, or the last record" {
	open_step() {
		step "$1" 0 "$2" | sed 's/"dur":0/"open":true/'
	}
	{
		stacks
		step 0 1000000 0
		open_step 2000000 1
		reads 2000000
		step 4000000 1000000 2
		open_step 6000000 3
		reads 6000000
		echo '{"kind":"osrt","ts":8000000,"dur":500000,"pid":1,"tid":1,"name":"read"}'
		echo '{"kind":"osrt","ts":8600000,"pid":1,"tid":1,"name":"read","open":true}'
	} | stream > in
	# 1, 2, 1, and from 6 to 8.6 ms; 650 us twice, and 500 us
	tq-advise -f ndjson in | jq -es '(.[0].account[0].wall_ns == 6600000) and
	    (map(select(.finding))[0] | .gain_ns == 1800000)'
	[[ $(tq-advise in | head -n 1) = *"; 4 steps of 1 thread, 6.60 ms" ]]
}

@test "a step of many records is the sum of its parts, whatever is around them" {
	{
		stacks
		step 0 1000 0
		step 1000 1000 1
		step 2000 30000000 2
		echo '{"kind":"range","ts":2000,"dur":29000000,"pid":1,"tid":1,"name":"load batch","id":9}'
		awk 'BEGIN { for (i = 0; i < 30000; i++)
			printf "{\"kind\":\"osrt\",\"ts\":%d,\"dur\":900,\"pid\":1,\"tid\":1,\"name\":\"read\"}\n", 2000 + i * 1000 }'
	} | stream > in
	tq-advise -f ndjson in | jq -es 'map(select(.finding) |
	    {key: .finding, value: .gain_ns}) | from_entries ==
	    {"file-io": 27000000, "data-loading": 2900000}'
}

@test "memory does not grow with steps, or records in them" {
	need native no-sanitizer
	long() {
		echo '{"kind":"trace","version":1}'
		awk -v steps="$1" -v n="$2" 'BEGIN {
			for (i = 0; i < steps; i++) {
				printf "{\"kind\":\"range\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"tid\":1,\"name\":\"step %d\",\"id\":%d}\n", i * n * 1000, n * 1000, i, i
				for (k = 0; k < n; k++)
					printf "{\"kind\":\"osrt\",\"ts\":%d,\"dur\":900,\"pid\":1,\"tid\":1,\"name\":\"read\"}\n", i * n * 1000 + k * 1000
			}
			print "{\"kind\":\"end\",\"events\":" steps * (n + 1) "}"
		}'
	}
	for many in "200000 1" "3 200000"; do
		# shellcheck disable=SC2086 # two words
		long $many > in
		(
			ulimit -v 48000
			tq-advise -f ndjson in
		) | jq -es 'map(select(.finding).share_ppm) == [900000]'
	done
}

@test "memory does not grow with a gap: of its records those that enclose others stay" {
	need native no-sanitizer
	{
		echo '{"kind":"kernel","ts":0,"dur":1000,"pid":1,"tid":1,"name":"k","device":0,"api_ts":0,"api_dur":500,"api_name":"cudaLaunchKernel"}'
		awk 'BEGIN {
			n = 400000
			printf "{\"kind\":\"range\",\"ts\":2000,\"dur\":%d,\"pid\":1,\"tid\":1,\"name\":\"next_batch\",\"id\":1}\n", n * 1000
			for (i = 0; i < n; i++)
				printf "{\"kind\":\"range\",\"ts\":%d,\"dur\":900,\"pid\":1,\"tid\":1,\"name\":\"read_batch\",\"id\":2}\n", 2000 + i * 1000
			end = 2000 + n * 1000
			printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":1000,\"pid\":1,\"tid\":1,\"name\":\"k\",\"device\":0,\"api_ts\":%d,\"api_dur\":500,\"api_name\":\"cudaLaunchKernel\"}\n", end + 1000, end
		}'
	} | stream > in
	printf '%s\n' 'rule r' 'when kind == "range"' 'claim gaps over' \
	    'title t' > r.rules
	(
		ulimit -v 48000
		tq-advise -R none -R r.rules -f ndjson in
	) | jq -es 'map(select(.finding).gain_ns) == [400000000]'
}

@test "what the profiler does is in no place of the program" {
	{
		stacks
		for i in 0 1 2; do
			step $((i * 1000000)) 1000000 $i
			echo '{"kind":"overhead","ts":'$((i * 1000000))',"dur":900000,"pid":1,"name":"flush"}'
			reads $((i * 1000000))
		done
	} | stream > in
	tq-advise -f ndjson in | jq -es 'map(select(.finding))[0] |
	    .finding == "profiler-overhead" and (has("where") | not)'
}

@test "with fewer than three steps and no device there is no finding" {
	{ stacks; step 0 1000000 0; step 2000000 1000000 1; reads 2000000; } |
	    stream > in
	run tq-advise in
	[[ ${lines[0]} = "tq-advise: nothing stands out: no operation of a device, and fewer than 3 steps" ]]
	# but for those that are asked for
	tq-advise --step 1 in | grep -F 'file-io: at most 65.0 % (650 us), sure'
}

# ---- what is printed ----

@test "a rule abstains where its records lack, and says so" {
	busy
	[[ $(tq-advise busy.tq | grep abstained) = \
	    "abstained warm-up, sync-in-step, round-trip, imbalance, slow-steps, drift, memory-growth: no steps; file-io, lock, wait-for-others: no records of kind osrt; cpu-contention: no records of kind sched; garbage-collection, annotation-overhead, data-loading: no records of kind range; tail, low-occupancy: no compute capability that is known; throttling: no records of kind counter" ]]
	tq-advise -f ndjson busy.tq | jq -es 'map(select(.abstained == "lock")) ==
	    [{"abstained":"lock","reason":"no records","needs":"osrt"}]'
}

@test "where no device works, the look is the report with the time of the host" {
	look() { tq-advise -R none in | sed -n 's/^ *look  //p'; }
	local range='{"kind":"range","ts":1,"dur":5,"pid":1,"tid":1,"name":"aten::add","domain":"torch"}'
	stream "$range" > in
	[[ $(look) = 'tq-stats -r nvtx_sum:folded in' ]]
	{ echo '{"kind":"trace","version":1,"source":"kineto"}'; grep -v '"trace"' in; } > kineto
	mv kineto in
	[[ $(look) = 'tq-stats -r torch_ops in' ]]
	[[ $(tq-advise -R none -f json in | jq -r .recording.look) = "$(look)" ]]
	run -0 sh -c "$(look)"
	[[ $output = *aten::add* ]]
	stream '{"kind":"stack","id":1,"frames":["f"]}' '{"kind":"sample","ts":1,"pid":1,"tid":1,"stack":1}' > in
	[[ $(look) = 'tq-stats -r functions in' ]]
	stream '{"kind":"osrt","ts":1,"dur":5,"pid":1,"tid":1,"name":"read"}' > in
	[[ $(look) = 'tq-stats -r osrt_sum in' ]]
	stream '{"kind":"mark","ts":1,"name":"m"}' > in
	[[ -z $(look) ]]
}

@test "where no device works, operators of PyTorch are named by the time of their own, as torch_ops has it" {
	op() { echo '{"kind":"range","ts":'$1',"dur":'$2',"pid":1,"tid":'$3',"name":"'"$4"'","domain":"torch"'"$5"'}'; }
	{
		op 0 1000 1 'step 1' ',"category":"user_annotation"'
		op 10 600 1 aten::linear
		op 20 100 1 aten::t
		op 200 400 1 aten::addmm
		# which crosses
		op 300 500 1 aten::add
		op 700 200 2 aten::mul
		op 700 3 2 aten::tiny
		echo '{"kind":"api","ts":850,"dur":20,"pid":1,"tid":1,"name":"cudaMalloc","corr":1}'
	} | stream | sed '1s/"test"/"kineto"/' > in
	run tq-advise -R none in
	[[ ${lines[0]} = 'tq-advise: no operation of a device, and fewer than 3 steps; 1.51 us of operators, annotations and calls: aten::add 33.1 %, aten::addmm 26.5 %, aten::mul 13.0 %' ]]
	tq-advise -f json -R none in > json
	jq -c '.recording.operators[] | [.name, .own_ns]' json > got
	tq-stats -q -f json -r torch_ops in > all
	jq -c '.reports[0].rows |
	    sort_by([-.self_cpu_ns, .name])[:3][] | [.name, .self_cpu_ns]' all | diff - got
	[[ $(jq .recording.operators_ns json) = $(jq '[.reports[0].rows[].self_cpu_ns] | add' all) ]]
	[[ -z $(jq -r --slurpfile schema "$top/examples/tq.schema.json" \
	    -f "$top/tests/oracle/schema.jq" json) ]]
	# an annotation is one of them
	sed 's/"dur":1000,/"dur":4000,/' in > annotated
	[[ $(tq-advise -R none annotated) = *' calls: step 1 '[0-9]*' %, aten::add '* ]]
	[[ $(COLUMNS=120 tq-stats annotated | sed -n '/^OPERATORS/{n;n;p}') = *' step 1' ]]
	# of another source, or with a device, there are none
	sed '1s/kineto/nsys/' in > nsys
	[[ $(tq-advise -R none nsys) != *operators* ]]
	sed '$d' in | { cat; echo '{"kind":"kernel","ts":900,"dur":1,"pid":1,"device":0,"name":"k"}'; } | sed 1d | stream > gpu
	[[ $(tq-advise -R none gpu) != *operators* ]]
	if [[ -e $DATA/kineto/torch-2024-cuda-sync.json.zst ]]; then
		tq-extract "$DATA/kineto/torch-2024-cuda-sync.json.zst" 2> /dev/null |
		    tq-filter -v 'kind == "kernel" or kind == "memcpy" or kind == "memset"' \
			> in 2> /dev/null
		tq-advise -f json in 2> /dev/null |
		    jq -c '.recording.operators[] | [.name, .own_ns]' > got
		tq-stats -q -f json -r torch_ops in 2> /dev/null |
		    jq -c '.reports[0].rows |
			sort_by([-.self_cpu_ns, .name])[:3][] | [.name, .self_cpu_ns]' | diff - got
	fi
}

@test "nothing found and nothing abstained says that nothing stands out" {
	busy
	run tq-advise -R none busy.tq
	[[ ${lines[0]} = "tq-advise: nothing stands out: 6.59 ms of 1 device: compute 91.0 %, host 8.1 %, launch 0.9 %; 60 operations, no steps, no ranges" ]]
	run tq-advise -R none <(stream '{"kind":"mark","ts":1,"name":"m"}')
	[[ $output = "tq-advise: nothing stands out: no operation of a device, and no steps" ]]
}

@test "all formats have the same findings" {
	busy
	[[ $(tq-advise -f json1 busy.tq | jq -r '.[] | select(.finding).finding') = \
	    $(tq-advise -f ndjson busy.tq | jq -r 'select(.finding).finding') ]]
	[[ $(tq-advise -f csv busy.tq | sed -n '2,$p' | cut -d, -f2 | grep .) = \
	    $(tq-advise -f ndjson busy.tq | jq -r 'select(.finding).finding') ]]
	tq-advise -f markdown busy.tq | grep -F '| no-annotations |'
}

@test "-n says how many findings are shown, -v shows notes" {
	busy
	for name in a b c; do
		printf '%s\n' "rule $name" 'when kind == "kernel"' 'claim none' \
		    "title $name" ''
	done > abc.rules
	[[ $(tq-advise -R none -R abc.rules -n 1 busy.tq | grep -c '^critical') = 1 ]]
	tq-advise -R none -R abc.rules -n 1 busy.tq | grep -x '2 more (-n)'
	tq-advise busy.tq | grep -E '^[0-9] notes?: '
	tq-advise -v busy.tq | grep -E '^note '
}

# ---- marks ----

# evidence FILE ...: "ts pid device rule severity" of what text shows
evidence() {
	tq-advise -f ndjson "$@" | jq -r 'select(.finding and
	    (.severity != "note" or (.matched_ns and .share_ppm >= 100000))) |
	    . as $f | .evidence[] |
	    "\(.ts) \(.pid) \(.device) \($f.finding) \($f.severity) \(.dur) \($f.gain_ns)"' |
	    sort
}

# marks FILE: the same of marks
marks() {
	jq -r 'select(.kind == "mark" and .domain == "tq-advise") |
	    "\(.ts) \(.pid) \(.device) \(.name) \(.category) \(.args.lasts_ns) \(.args.gain_ns)"' \
	    "$1" | sort
}

@test "--marks is the stream, with the evidence of its findings" {
	busy
	printf '%s\n' 'rule r' 'when kind == "kernel"' 'claim exposed' \
	    'title {count} kernels' > r.rules
	tq-advise -R r.rules --marks busy.tq > marks.tq
	[[ $(evidence -R r.rules busy.tq) = "$(marks marks.tq)" ]]
	[[ $(marks marks.tq | wc -l) = 3 ]]
	[[ $(jq -r 'select(.kind == "mark").args.title' marks.tq | sort -u) = "60 kernels" ]]
	grep -v '"kind":"mark"' marks.tq | sed '/"kind":"end"/d' |
	    cmp - <(sed '/"kind":"end"/d' busy.tq)
	# the end counts them, and times are in order
	[[ $(jq 'select(.kind == "end").events' marks.tq) = \
	    $(($(jq 'select(.kind == "end").events' busy.tq) + 3)) ]]
	jq -r 'select(.ts).ts' marks.tq | sort -nc
	# marks of an earlier run go
	tq-advise -R r.rules --marks marks.tq | cmp - marks.tq
	tq-advise -R r.rules --marks < busy.tq | cmp - marks.tq
	run -2 tq-advise --marks -r nsys busy.tq
	[[ $output = "tq-advise: --marks and -r exclude each other" ]]
}

@test "marks of a stream that is cut short make it no whole one" {
	busy
	printf '%s\n' 'rule r' 'when kind == "kernel"' 'claim exposed' \
	    'title t' > r.rules
	head -n 110 busy.tq > cut.tq
	run -1 --separate-stderr tq-advise -R none -R r.rules --marks cut.tq
	[[ $(grep -c '"kind":"mark"' <<< "$output") = 3 ]]
	[[ $output != *'"kind":"end"'* ]]
	[[ $(grep -c 'ends without its end record' <<< "$stderr") = 1 ]]
}

@test "marks stand in the section that they are of" {
	busy
	cat busy.tq busy.tq > two.tq
	printf '%s\n' 'rule r' 'when kind == "kernel" and corr == 7' \
	    'claim exposed' 'least 0%' 'title t' > r.rules
	tq-advise -v -R none -R r.rules --marks two.tq > marks.tq
	[[ $(awk '/"kind":"trace"/ { n++ } /"kind":"mark"/ { print n }' marks.tq |
	    xargs) = "1 2" ]]
}

@test "marks of real exports are the evidence of their findings" {
	need data
	for name in 2024.6.2-torch-2.7b 2025.3.1-cupy-nvtx 2026.2.1-h100-2gpu; do
		file=$(correlated "$name")
		tq-advise --marks "$file" > marks.tq
		[[ $(marks marks.tq) = "$(evidence "$file")" ]]
		tq-filter -k kernel true marks.tq > filtered.tq
	done
}

@test "viewers draw marks on a row of findings, of their device" {
	busy
	printf '%s\n' 'rule r' 'when kind == "kernel"' 'claim exposed' \
	    'title {count} kernels' > r.rules
	tq-advise -R r.rules --marks busy.tq > marks.tq
	tq-chrome marks.tq > marks.json
	jq -es '[.[] | if type == "array" then .[] else (.traceEvents? // empty)[] end] as $all |
	    ([$all[] | select(.name == "thread_name" and .args.name == "findings")][0]) as $row |
	    [$all[] | select(.cat == "mark")] | length == 3 and
	    all(.ph == "i" and .tid == $row.tid and .pid == $row.pid and
	        .args.title == "60 kernels")' marks.json
	tq-perfetto marks.tq | grep -aq findings
}

# ---- gates ----

@test "--fail-if exits 3 if there is what it names" {
	busy
	printf '%s\n' 'rule r' 'when kind == "gap"' 'claim gaps' 'title t' > r.rules
	run -3 tq-advise -R none -R r.rules --fail-if note busy.tq
	run -3 tq-advise -R none -R r.rules --fail-if r busy.tq
	run -0 tq-advise -R none -R r.rules --fail-if warning busy.tq
	run -0 tq-advise -R none -R r.rules --set r.least=9.9% --fail-if r busy.tq
	run -3 tq-advise --fail-if lock busy.tq
	run -0 tq-advise --fail-if lock --or-pass busy.tq
	run -2 tq-advise --fail-if nosuch busy.tq
	[[ $output = "tq-advise: --fail-if: expected note, warning, critical or a rule, not 'nosuch'" ]]
}

# ---- rules ----

@test "a rule of the same name replaces, a new one comes first" {
	busy
	printf '%s\n' '# mine' 'rule no-annotations' 'when kind == "kernel" and' \
	    '  dur > 1us # no comment' 'claim exposed' 'title x' > bad.rules
	run -2 tq-advise -R bad.rules busy.tq
	printf '%s\n' '# mine' 'rule no-annotations' 'when kind == "kernel" and' \
	    '  dur > 1us' 'claim exposed' 'title replaced' > r.rules
	tq-advise -R r.rules busy.tq | grep -x 'critical  replaced'
	tq-advise --explain readback | grep '^readback: '
	[[ $(tq-advise --explain file-io) != *[{}]* ]]
	tq-advise --rules > default.rules
	tq-advise -R none -R default.rules busy.tq > ours
	tq-advise busy.tq | cmp - ours
}

@test "64 rules match records at most, facts about the recording not counted" {
	local known

	many() {
		for ((i = 0; i < $1; i++)); do
			printf '%s\n' "rule r$i" 'when kind == "kernel"' \
			    'claim none' 'title t' ''
		done > many.rules
	}
	busy
	known=$(tq-advise --rules | awk '/^rule/ { rules++ }
	    /^claim +evidence/ { rules-- } END { print rules }')
	grep -qx "At most 64 rules match records; $known of these come with" \
	    "$top/man/tq-advise.1"
	many $((64 - known))
	run -0 tq-advise -R many.rules busy.tq
	many $((65 - known))
	run -2 tq-advise -R many.rules busy.tq
	[[ ${lines[-1]} = *'more than 64 rules match records: '* ]]
	# one that replaces a fact is one more
	printf '%s\n' 'rule losses' 'when kind == "lost"' 'claim none' \
	    'title mine' > losses.rules
	many $((64 - known))
	run -2 tq-advise -R many.rules -R losses.rules busy.tq
	[[ $(tq-advise -R losses.rules --rules | head -n 1) = 'rule losses' ]]
	[[ $(tq-advise -R losses.rules --rules | grep -c '^rule.*losses') = 1 ]]
}

@test "--rules and --explain write to the file of -o, with the rules of -R" {
	busy
	printf '%s\n' 'rule mine' 'when kind == "kernel" and' '  dur > 1us' \
	    'claim exposed' 'title m' '' 'rule host-late' 'when kind == "gap"' \
	    'claim gaps' 'title h' > r.rules
	run -0 tq-advise -R r.rules --set mine.least=7% --rules -o all.rules
	[[ -z $output ]]
	[[ $(head -n 5 all.rules) = $'rule mine\nwhen kind == "kernel" and dur > 1us\nclaim exposed\ntitle m\nleast 7%' ]]
	tq-advise -R none -R all.rules -v busy.tq > ours
	tq-advise -R r.rules --set mine.least=7% -v busy.tq | cmp - ours
	run -0 tq-advise -R r.rules --explain mine -o mine.txt
	[[ -z $output ]]
	grep -x 'mine: m' mine.txt
	tq-advise --rules -o default.rules
	tq-advise --rules | cmp - default.rules
}

@test "a look has the file as a shell reads it, in place of the word FILE" {
	busy
	mv busy.tq "a file's.tq"
	printf '%s\n' 'rule r' "when kind == \"kernel\" and name != \"it's\"" \
	    'claim none' 'title t' "look PROFILE tq-filter '{when}' FILE FILES" > r.rules
	look=$(tq-advise -R none -R r.rules -f ndjson "a file's.tq" |
	    jq -r 'select(.finding).look')
	[[ $look = "PROFILE tq-filter 'kind == \"kernel\" and name != \"it'\\''s\"' 'a file'\\''s.tq' FILES" ]]
	look=${look#PROFILE }
	[[ $(eval "${look% FILES}" | grep -c '"kind":"kernel"') = 60 ]]
}

@test "what is wrong with a file of rules is said, with its line" {
	wrong() {
		printf '%b' "$2" > r.rules
		run -2 tq-advise -R r.rules busy.tq
		[[ ${lines[0]} = "tq-advise: r.rules:$1" ]] || { echo "$output"; return 1; }
	}
	busy
	wrong "2: no key of a rule: did you mean title? 'titel'" 'rule x\ntitel y\n'
	wrong "1: expected a key before the blank '  rule x'" '  rule x\n'
	wrong "1: expected a rule before 'when'" 'when true\n'
	wrong "1: expected a value behind 'rule'" 'rule\n'
	wrong "1: a rule needs when, claim and title, which it lacks: 'x'" 'rule x\n'
	wrong "2: expected a share like 5% or 0.5%, not '5'" 'rule x\nleast 5\n'
	wrong "2: expected kinds of records, steps or cc, not 'foo'" 'rule x\nneeds foo\n'
	wrong "2: expected count(...), share(... of ...), time(...), runs(), exposed() or host(), not 'x'" 'rule x\nalso x\n'
	wrong "2: no key is named 'nam': did you mean name, smem_dynamic or api_name?" 'rule x\nwhen nam == 1\n'
	wrong "2: expected a share like 5% or 0.5%, not '44444444444444444444%'" 'rule x\nleast 44444444444444444444%\n'
	wrong "2: expected a key that begins with a point, not 'dur'" 'rule x\ncost dur\n'
	wrong "2: expected a key that begins with a point, not '.nosuch'" 'rule x\ncost .nosuch\n'
	wrong "2: expected keys of records, not 'nam'" 'rule x\nby nam\n'
	wrong "2: more than 4 keys: 'dur'" 'rule x\nby name, pid, tid, corr, dur\n'
	wrong "2: write 'gaps over, host after': a gap belongs to what the host did in it, no more to the call that it began in, as with 'gaps after'" 'rule x\nclaim exposed, gaps after\n'
	wrong "2: expected sure, likely or hint, not 'x'" 'rule x\nconfidence x\n'
	wrong "1: expected a name of small letters, digits, '-' and '_', not 'X'" 'rule X\n'
	run -1 tq-advise -R nosuch busy.tq
	[[ $output = "tq-advise: nosuch: No such file or directory" ]]
	run -2 tq-advise --set readback.least busy.tq
	[[ $output = "tq-advise: expected RULE.KEY=VALUE, not 'readback.least'" ]]
	run -2 tq-advise --set nosuch.least=1% busy.tq
	[[ $output = "tq-advise: no rule is named 'nosuch'" ]]
	run -2 tq-advise --explain readbck
	[[ $output = "tq-advise: no rule is named 'readbck': did you mean readback?" ]]
}

@test "a stream that is cut short is advised on, and exits 1" {
	busy
	head -n 50 busy.tq > cut.tq
	run -1 --separate-stderr tq-advise cut.tq
	[[ $output = "tq-advise: "* && $stderr = *"ends without its end record" ]]
}

@test "records out of order, and ends beyond all times, end no tool" {
	printf '%s\n' '{"kind":"trace","version":1}' \
	    '{"kind":"kernel","ts":9000,"dur":10,"pid":1,"device":0,"name":"k"}' \
	    '{"kind":"kernel","ts":100,"dur":10,"pid":1,"device":0,"name":"k"}' \
	    '{"kind":"end","events":2,"dropped":0}' > back.tq
	run -1 tq-advise -r gpu_time_util back.tq
	[[ $output = *"not in order of time"* ]]
	printf '%s\n' '{"kind":"trace","version":1}' \
	    '{"kind":"range","ts":-9997114604,"dur":9223372036854775807,"pid":1,"tid":1,"id":1,"name":"step 1","mode":"push"}' \
	    '{"kind":"end","events":1,"dropped":0}' > late.tq
	run -0 tq-diff late.tq late.tq
}

@test "times at the ends of what a number holds are advised on" {
	for ts in -9223372036854775807 -1 9223372036854775807; do
		for dur in -1 0 1 9223372036854775807; do
			for n in 0 1 2; do
				echo "{\"kind\":\"range\",\"ts\":$ts,\"dur\":$dur,\"pid\":1,\"tid\":1,\"id\":$n,\"name\":\"step $n\",\"mode\":\"push\"}"
			done > lines
			at="\"ts\":$ts,\"dur\":$dur,\"pid\":1,\"tid\":1"
			call="\"api_ts\":$dur,\"api_dur\":$ts,\"api_name\":\"cudaMemcpyAsync\""
			printf '%s\n' "{\"kind\":\"api\",$at,\"corr\":1,\"name\":\"cudaMemcpy\"}" \
			    "{\"kind\":\"osrt\",$at,\"name\":\"read\"}" \
			    "{\"kind\":\"kernel\",$at,\"corr\":1,\"name\":\"k\",\"device\":0,$call}" \
			    "{\"kind\":\"memcpy\",\"ts\":9223372036854775807,\"dur\":$dur,\"pid\":1,\"tid\":1,\"corr\":2,\"device\":0,\"bytes\":9223372036854775807,\"copy\":\"DtoH\",\"src\":\"Pageable\",$call}" >> lines
			stream < lines > extreme.tq
			for option in -v --marks --step=0 --time=-5ns: --time=:1ns; do
				run tq-advise "$option" extreme.tq
				[[ $status = 0 || ($option = --time* && $status = 1 &&
				    $output = *': the window is outside of the trace, which covers '*) ]]
			done
		done
	done
}

@test "a gate beside the rules of nsys is refused" {
	run -2 tq-advise -r nsys --fail-if note /dev/null
	[[ $output = "tq-advise: --fail-if and -r exclude each other: "* ]]
}

# ---- steps ----

@test "rules of steps abstain without three steps, and without records of memory" {
	echo '{"kind":"kernel","ts":1,"dur":5,"pid":1,"name":"k","device":0}' |
	    tq-advise -f ndjson |
	    jq -r 'select(.abstained) | "\(.abstained) \(.needs)"' | sort > got
	for rule in sync-in-step imbalance slow-steps warm-up drift memory-growth; do
		grep -qx "$rule steps" got || { echo "$rule"; cat got; return 1; }
	done
	for i in 1 2 3; do
		echo '{"kind":"range","ts":'$i'0,"dur":9,"pid":1,"tid":1,"name":"step '$i'"}'
		echo '{"kind":"kernel","ts":'$i'1,"dur":5,"pid":1,"name":"k","device":0}'
	done | tq-advise -f ndjson | jq -r 'select(.abstained) | "\(.abstained) \(.needs)"' > got
	grep -qx 'memory-growth alloc' got
	! grep -qE '^(slow-steps|warm-up|drift|sync-in-step) ' got
}

@test "steps whose times are near 2^63, negative or empty are no fault" {
	for ts in -9223372036854775807 -5 0 9223372036854775000 9223372036854775806; do
		for dur in -1 0 9223372036854775807; do
			echo '{"kind":"range","ts":'$ts',"dur":'$dur',"pid":1,"tid":1,"name":"step 1"}'
			echo '{"kind":"alloc","ts":'$ts',"pid":1,"bytes":9223372036854775807,"op":"alloc"}'
			echo '{"kind":"api","ts":'$ts',"dur":1,"pid":1,"tid":1,"name":"cudaDeviceSynchronize"}'
			echo '{"kind":"kernel","ts":'$ts',"dur":'$dur',"pid":1,"name":"k","device":0,"grid":[1,1,1]}'
		done
	done > hostile.tq
	tq-advise -f ndjson hostile.tq > out
	jq -es 'map(select(.share_ppm != null and (.share_ppm < 0 or .share_ppm > 1000000))) | length == 0' out
}
