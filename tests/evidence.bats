#!/usr/bin/env bats
# Evidence before a verdict: what a recording lacks comes first, in tq-advise and
# on the page, and takes away what it can't prove.
#
# The cases are files of cases/ among the real data, which its README names.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# ---- helpers ----

# recording NAME.sql | NAME.json: in.tq is the stream of the case
recording() {
	data "cases/$1"
	case $1 in
	*.sql)
		rm -f in.sqlite
		sqlite3 in.sqlite < "$data"
		tq-extract in.sqlite 2> messages | tq-correlate > in.tq
		;;
	*)
		tq-extract "$data" 2> messages | tq-correlate > in.tq
		;;
	esac
}

# facts FILE: "NAME SEVERITY TAKES: TITLE" of what is found of the recording
facts() {
	tq-advise -f ndjson "$1" | jq -r 'select(.takes) |
	    "\(.finding) \(.severity) \(.takes | join(",")): \(.title)"'
}

# advice FILE: the other findings, by name
advice() {
	tq-advise -f ndjson "$1" | jq -r 'select(.finding and (has("takes") | not)).finding'
}

# page FILE: the page, without breaks of lines
page() {
	COLUMNS=500 tq-stats "$1"
}

# first FILE: the first finding on the page
first() {
	tq-stats -f json1 "$1" | jq -r '.next[0].Evidence'
}

# agree FILE: text, HTML and JSON of the page have the first fact, and none of
# them "nothing lost"
agree() {
	local title

	title=$(tq-advise -f ndjson "$1" | jq -rs 'map(select(.takes))[0].title')
	[[ $(first "$1") = "$title. "* ]]
	page "$1" | grep -q "^ 1    note  ${title//[.*]/.}[.]"
	tq-stats -f html "$1" > page.html
	grep -qF "$title" page.html
	[[ $(page "$1") != *'nothing lost'* ]]
	! grep -q 'nothing lost' page.html || return 1
}

# whole: a stream of the records, in order of time
whole() {
	echo '{"kind":"trace","version":1,"source":"test"}'
	jq -cs 'sort_by(.ts) | .[], {"kind":"end","events":length,"dropped":0}'
}

# calls N NAME ...: N calls of 1 us, 10 us apart, with the ids from 1 on and these
# members
calls() {
	local i
	for ((i = 1; i <= $1; i++)); do
		echo '{"kind":"api","ts":'$((i * 10000))',"dur":1000,"pid":1,"tid":1,"corr":'$i',"name":"'"$2"'"'"${3-}"'}'
	done
}

# kernels N [PID]: N kernels of 5 us, for the calls
kernels() {
	local i
	for ((i = 1; i <= $1; i++)); do
		echo '{"kind":"kernel","ts":'$((i * 10000 + 2000))',"dur":5000,"pid":'"${2:-1}"',"corr":'$i',"name":"k","device":0,"context":1,"stream":7}'
	done
}

# ---- failed calls ----

@test "failed launches come first, by call and name of the code, and nothing else is advised" {
	recording failed-launches.sql
	[[ $(facts in.tq) = 'failed-calls critical advice: 21 of 21 cudaLaunchKernel failed: 222 cudaErrorUnsupportedPtxVersion' ]]
	[[ $(advice in.tq) != *overhead* ]]
	[[ $(page in.tq) = *$'\nNo verdict: 21 of 21 cudaLaunchKernel failed: '* ]]
	agree in.tq
}

@test "a synchronisation that returns an illegal address is found" {
	recording illegal-access.sql
	[[ $(facts in.tq | sed q) = 'failed-calls critical advice: 1 of 1 cudaDeviceSynchronize failed: 700 cudaErrorIllegalAddress' ]]
	agree in.tq
}

@test "codes have the names of their API" {
	for case in 'cudaMemcpy 1 cudaErrorInvalidValue' \
	    'cuMemcpyHtoD_v2 700 CUDA_ERROR_ILLEGAL_ADDRESS' \
	    'hipLaunchKernel 719 hipErrorLaunchFailure' \
	    'hipMalloc 2 hipErrorOutOfMemory'; do
		read -r call code name <<< "$case"
		calls 3 "$call" ',"ret":'"$code" | whole > in
		[[ $(facts in) = *": 3 of 3 $call failed: $code $name" ]] ||
		    { facts in; return 1; }
	done
	calls 1 cudaMemcpy ',"ret":4242' | whole > in
	[[ $(facts in) = *': 1 of 1 cudaMemcpy failed: 4242' ]]
}

@test "a process that launches after a failure keeps its advice" {
	{
		calls 60 cudaLaunchKernel
		kernels 60
		echo '{"kind":"api","ts":5000,"dur":100,"pid":1,"tid":1,"corr":900,"name":"cudaMalloc","ret":2}'
	} | whole > in
	run -0 facts in
	[[ $output = 'failed-calls warning : 1 of 1 cudaMalloc failed: 2 cudaErrorMemoryAllocation' ]]
	[[ -n $(advice in) ]]
	[[ $(first in) = *' The first at 5.00 us. Its process went on.' ]]
	# of a failure at the end it is not known
	sed 's/"ts":5000/"ts":999000000/' in > late.tq
	[[ $(first late.tq) = *' The first at 999 ms.' ]]
}

@test "a failure that ended the work of its process comes before more failures of another" {
	{
		calls 60 cudaLaunchKernel
		kernels 60
		for ts in 100 200 300; do
			echo '{"kind":"api","ts":'$ts',"dur":10,"pid":1,"tid":1,"corr":90'$ts',"name":"cudaMalloc","ret":2}'
		done
		echo '{"kind":"api","ts":50,"dur":10,"pid":2,"tid":2,"corr":1,"name":"cudaLaunchKernel","ret":700}'
	} | whole > in
	[[ $(facts in) = 'failed-calls critical advice: 1 of 1 cudaLaunchKernel failed: 700 cudaErrorIllegalAddress' ]]
	[[ $(first in) = *' The first at 50 ns. No launch of its process succeeded after that, so nothing else is advised on it. 3 of 3 cudaMalloc failed: 2 cudaErrorMemoryAllocation.' ]]
}

@test "the first line of tq-advise has no share that the recording does not prove" {
	recording launches-without-kernels.json
	run -0 tq-advise in.tq
	[[ ${lines[0]} = 'tq-advise: 13.0 ms of 1 device, whose shares are not proved; 250 operations, no steps, no ranges' ]]
}

@test "calls that fail all, and operations beside them, are both there" {
	{ calls 60 cudaLaunchKernel ',"ret":999'; kernels 60; } | whole > in
	[[ $(facts in) = 'failed-calls critical advice: 60 of 60 cudaLaunchKernel failed: 999 cudaErrorUnknown' ]]
	[[ $(page in) = *'60 operations'* ]]
	[[ $(first in) = *'No launch of its process succeeded after that, so nothing else is advised on it. Yet 60 operations of it were recorded.' ]]
}

# ---- launches without operation ----

@test "an export without the side of the device has it in its first finding" {
	recording no-device-side.sql
	[[ $(facts in.tq) = 'launches-without-operation critical verdict,idle,graphs: 91 of 91 launches and 91 of 91 copies have no operation' ]]
	[[ $(first in.tq) = *'No operation of a device was recorded at all, only calls of the host. '* ]]
	agree in.tq
}

@test "an export of WSL2 has the reason, where only the release of the system names it" {
	data cases/no-device-side.sql
	sqlite3 wsl.sqlite < "$data"
	sqlite3 wsl.sqlite "CREATE TABLE TARGET_INFO_SYSTEM_ENV (globalVid INTEGER,
	    devStateName TEXT, name TEXT, nameEnum INTEGER, value TEXT);
	    INSERT INTO TARGET_INFO_SYSTEM_ENV (name, value) VALUES
	    ('OsDescription', 'Ubuntu 22.04.4 LTS'),
	    ('SoftwareReleaseVersion', '5.15.153.1-microsoft-standard-WSL2')"
	tq-extract wsl.sqlite 2> /dev/null | tq-correlate > in.tq
	[[ $(head -n 1 in.tq | jq -r .os) = 'Ubuntu 22.04.4 LTS (WSL2)' ]]
	[[ $(first in.tq) = *'It was recorded in WSL2, whose driver gives operations only where the profiler supports it. '* ]]
	agree in.tq
	# and of the system itself, as tq-capture names it
	{
		echo '{"kind":"trace","version":1,"source":"tq-capture","os":"Linux 5.15.90.1-microsoft-standard-WSL2"}'
		calls 60 cudaLaunchKernel
		echo '{"kind":"end","events":60,"dropped":0}'
	} > in.tq
	[[ $(first in.tq) = *'It was recorded in WSL2, '* ]]
}

@test "a hundred launches without their kernels take the advice on graphs away" {
	recording kernels-lost.sql
	[[ $(facts in.tq) = 'launches-without-operation critical verdict,idle,graphs: 100 of 200 launches have no operation' ]]
	[[ $(advice in.tq) != *graph* && $(advice in.tq) != *host-late* ]]
	tq-advise -f ndjson in.tq | jq -es 'map(select(.abstained == "graph-candidate"))[0] |
	    .reason == "the recording does not show it" and .needs == "evidence"'
	[[ $(page in.tq) != *' computes '* ]]
	agree in.tq
}

@test "Kineto: launches before the first kernel was recorded are counted" {
	recording launches-without-kernels.json
	[[ $(facts in.tq) = 'launches-without-operation critical verdict,idle,graphs: 150 of 400 launches have no operation' ]]
	[[ $(first in.tq) = *'the profiler began later on the device. '* ]]
	[[ $(page in.tq) != *' computes '* ]]
	agree in.tq
}

@test "the same stream before tq-correlate has the same launches without operation" {
	recording launches-without-kernels.json
	tq-extract "$data" > plain.tq
	[[ $(facts plain.tq) = "$(facts in.tq)" ]]
	recording kernels-lost.sql
	tq-extract in.sqlite > plain.tq
	[[ $(facts plain.tq) = "$(facts in.tq)" ]]
}

@test "below 1 % of a process nothing is said, below 5 % nothing is taken away" {
	for case in '1 101 ' '2 100 note' '4 100 note' '5 100 critical'; do
		read -r without all severity <<< "$case"
		{ calls "$all" cudaLaunchKernel; kernels $((all - without)); } |
		    whole > in
		got=$(facts in)
		[[ ${got% : *} = "${severity:+launches-without-operation $severity}"* ]] ||
		    { echo "$case: $got"; return 1; }
		[[ -n $severity || -z $got ]] || { echo "$case: $got"; return 1; }
	done
}

@test "more launches than may wait: an older one is without operation" {
	{
		awk 'BEGIN { for (i = 1; i <= 70000; i++)
			printf "{\"kind\":\"api\",\"ts\":%d,\"dur\":10,\"pid\":1,\"tid\":1,\"corr\":%d,\"name\":\"cudaLaunchKernel\"}\n", i * 100, i }'
		awk 'BEGIN { for (i = 1; i <= 70000; i++)
			printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":10,\"pid\":1,\"corr\":%d,\"name\":\"k\",\"device\":0,\"stream\":7}\n", 7000000 + i * 100, i }'
	} | whole > in
	[[ $(facts in) = 'launches-without-operation critical verdict,idle,graphs: 4,464 of 70,000 launches have no operation' ]]
}

# ---- times ----

@test "eight processes with a thousand launches in their queues have all their operations" {
	# their ids meet again and again
	awk 'BEGIN {
		for (p = 0; p < 8; p++)
			for (i = 1; i <= 8000; i++) {
				ts = i * (3000 + p * 170)
				printf "%d\t0\t{\"kind\":\"api\",\"ts\":%d,\"dur\":1000,\"pid\":%d,\"tid\":1,\"corr\":%d,\"name\":\"cudaLaunchKernel\"}\n", ts, ts, p, i + p * 7919
				ts += 1000 * (3000 + p * 170)
				printf "%d\t1\t{\"kind\":\"kernel\",\"ts\":%d,\"dur\":9,\"pid\":%d,\"device\":0,\"corr\":%d,\"name\":\"k\"}\n", ts, ts, p, i + p * 7919
			}
	}' | sort -n -k1,1 -k2,2 | cut -f 3 | stream > in.tq
	[[ -z $(facts in.tq) ]]
}

@test "operations without a time are counted, and left out of all times" {
	recording zero-timestamps.sql
	[[ $(facts in.tq) = 'operations-without-time note : 5 operations have no time' ]]
	[[ $(page in.tq) = *$'\n10.0 ms recorded'*'95 operations'* ]]
	jq -es 'map(select(.kind == "lost")) |
	    .[0].reason == "no time was collected" and .[0].count == 5' in.tq
	! grep -q '"kind":"kernel","ts":0,' in.tq || return 1
	agree in.tq
}

@test "Kineto: kernels at 0 are no reason for a recording of centuries" {
	recording kernel-ts0.json
	[[ $(facts in.tq) = 'operations-without-time note : 10 operations have no time' ]]
	[[ $(page in.tq) = *$'\n3.00 ms recorded'* ]]
	agree in.tq
}

@test "negative durations are counted, and never summed" {
	recording negative-dur.json
	[[ $(facts in.tq) = 'impossible-durations note : 4 events end before the start' ]]
	! grep -q '"dur":-' in.tq || return 1
	agree in.tq
}

@test "a kernel that runs over 49 later ones of its stream takes all shares away" {
	recording kernel-dur-overflow.json
	[[ $(facts in.tq) = 'impossible-durations critical verdict,shares: 1 event has an impossible duration' ]]
	[[ $(first in.tq) = *'1 operation runs over the start of up to 49 later ones of the same stream. '* ]]
	[[ $(page in.tq) != *'computes 100'* && -z $(advice in.tq) ]]
	agree in.tq
}

# migrations FIRST OTHERS: ten copies begin in one, which has the value FIRST of
# the key copy, as the driver writes those of unified memory: with one number
migrations()
{
	printf '%s\n' '{"kind":"trace","version":1,"source":"nsys"}' \
	    '{"kind":"kernel","ts":1000,"dur":9000000,"pid":1,"corr":5,"name":"k","device":0,"context":1,"stream":7}' \
	    '{"kind":"memcpy","ts":2000,"dur":1000000,"pid":1,"corr":0,"device":0,"context":0,"stream":0,"bytes":4096,"copy":"'"$1"'"}'
	for ts in {3000..12000..1000}; do
		echo '{"kind":"memcpy","ts":'$ts',"dur":500,"pid":1,"corr":0,"device":0,"context":0,"stream":0,"bytes":4096,"copy":"'"${2:-UVM HtoD}"'"}'
	done
	echo '{"kind":"end","events":12}'
}

@test "migrations of unified memory are on no stream, and cross each other" {
	migrations 'UVM DtoH' > in.tq
	[[ -z $(facts in.tq) ]]
	migrations DtoH HtoD > in.tq # of copies, that is impossible
	[[ $(facts in.tq) = 'impossible-durations '*': 1 event has an impossible duration' ]]
}

@test "a device whose clock is early: how many, how much, and a note" {
	recording device-clock-early.sql
	[[ $(facts in.tq) = 'clocks-differ note queue: The clock of the device is up to 5.00 us early' ]]
	[[ $(first in.tq) = *'100 of 100 operations start before their calls begin, so no arrow is drawn to them. '* ]]
	agree in.tq
}

# ---- the recording ----

@test "two ranks in one file are named, with and without a process of the kernels" {
	for name in device0 same-pid; do
		recording two-ranks-$name-merged.json
		[[ $(facts in.tq) = 'merged-ranks critical verdict,shares: Two ranks or more are in one recording' ]]
		[[ $(first in.tq) = *'give the ranks as files of their own.'* ]]
		[[ -z $(advice in.tq) ]]
		agree in.tq
	done
}

@test "two processes of one recording may have the same ids" {
	{
		calls 60 cudaLaunchKernel
		calls 60 cudaLaunchKernel | sed 's/"pid":1/"pid":2/'
		kernels 60
		kernels 60 2
	} | whole > in
	[[ -z $(facts in) ]]
}

@test "a message about CPU samples means that, and not that events were lost" {
	recording diagnostic-error.sql
	[[ $(facts in.tq) = 'diagnostics note : CPU samples were not recorded' ]]
	[[ $(page in.tq) != *'not whole'* && $(page in.tq) != *'Record less'* ]]
	agree in.tq
}

@test "what to do about messages and launches is of their reason" {
	# message TEXT: what to do about it
	message() {
		{
			calls 60 cudaLaunchKernel
			kernels 60
			echo '{"kind":"diagnostic","ts":0,"severity":"error","text":"'"$1"'"}'
		} | whole > in
		tq-advise in | sed -n 's/^ *do *//p'
	}
	[[ $(message 'backtrace samples are disabled') = 'Lower /proc/sys/kernel/perf_event_paranoid to 1,'* ]]
	[[ $(message 'The driver version 12.0 is not supported by this build') = 'Record with a profiler that is as new as the driver.' ]]
	[[ $(message 'Unified Memory cannot be traced') = 'Record on a machine where it can: '* ]]
	[[ $(message ERR_NVGPUCTRPERM) = 'Record as root, '* ]]
	[[ $(message 'the disk is on fire') = 'Do what its messages ask for, '* ]]
	{ calls 200 cudaLaunchKernel; kernels 100; } | whole > in
	[[ $(tq-advise in) = *'do    Let the recording go on until the GPU is done:'* ]]
	{
		calls 60 hipLaunchKernel
		kernels 60
		calls 3 hipMemcpy | sed 's/"corr":/"corr":900/'
	} | whole | sed '1s/"source":"[^"]*"/"source":"rocpd"/' > in
	[[ $(tq-advise in) = *'do    rocprofv3 records copies with --memory-copy-trace.'* ]]
}

@test "an error of the profiler of no known meaning is quoted" {
	{
		calls 60 cudaLaunchKernel
		kernels 60
		echo '{"kind":"diagnostic","ts":0,"severity":"error","text":"the disk is on fire"}'
	} | whole > in
	[[ $(facts in) = 'diagnostics note : The profiler reports errors' ]]
	[[ $(first in) = *'The first one: the disk is on fire'* ]]
}

@test "what the driver compiles or loads is the program's: module-loading, and no overhead" {
	for case in jit-is-not-profiler.sql overhead-module-loading.json; do
		recording "$case"
		[[ -z $(facts in.tq) ]]
		[[ $(advice in.tq | sed q) = module-loading ]]
		[[ $(advice in.tq) != *profiler-overhead* ]]
		[[ $(page in.tq) = *'nothing lost'* ]]
	done
}

@test "the flush of the profiler after the last operation costs nothing" {
	recording exit-flush.sql
	[[ -z $(facts in.tq) ]]
	[[ $(advice in.tq) != *profiler-overhead* ]]
	[[ $(page in.tq) = *'nothing lost'* ]]
}

# ---- tq-diff ----

@test "tq-diff has a verdict where the profiler flushes after the last operation" {
	data cases/exit-flush.sh
	cp "$data" "${data%.sh}.sql" .
	run -0 sh exit-flush.sh
	[[ $output = *'verdict    no change within '* && $output = *': held '* ]]
	[[ $output != *overhead* ]]
}

# took TS:DUR ...: 60 kernels, 10 us apart, and the profiler at these us
took() {
	local x
	{
		calls 60 cudaLaunchKernel
		kernels 60
		for x; do
			echo '{"kind":"overhead","ts":'"${x%:*}"'000,"dur":'"${x#*:}"'000,"pid":1,"name":"CUPTI Buffer flush"}'
		done
	} | whole
}

@test "tq-diff counts the time of the profiler once, between the first and the last operation" {
	took > none
	# operations from 12 to 607 us: 0 of the first 9 us, 150 of the next two, and
	# 7 of the last
	took 0:9 50:100 100:100 600:300 > some
	run -0 tq-diff none some
	[[ $output = *$'\noverhead   0 ns, 0.0 % | 157 us, 26.4 %: of the profiler: no verdict on the wall'* ]]
}

@test "code that is compiled is no time of the profiler for tq-diff" {
	took > none
	took 50:200 | sed 's/CUPTI Buffer flush/Driver JIT compiler/' > jit
	run -0 tq-diff none jit
	[[ $output != *$'\noverhead'* ]]
}

@test "tq-diff has no verdict of recordings in part, and says what they lack" {
	recording kernels-lost.sql
	run -0 tq-diff in.tq in.tq
	[[ $output = *$'\nlaunches-without-operation '*'100 of 200 launches have no operation: no verdict on counts and wall'* ]]
	recording diagnostic-error.sql
	run -0 tq-diff in.tq in.tq
	[[ $output != *losses* ]]
}

# ---- tq-extract --check ----

@test "tq-extract --check prints what the recording lacks, behind its report" {
	data cases/launches-without-kernels.json
	run -0 tq-extract --check "$data"
	[[ ${lines[-1]} = 'evidence: launches-without-operation: 150 of 400 launches have no operation. '* ]]
	recording failed-launches.sql
	run -0 tq-extract --check in.sqlite
	[[ ${lines[-2]} = *' records, 0 rows dropped' ]]
	[[ ${lines[-1]} = 'evidence: failed-calls: 21 of 21 cudaLaunchKernel failed: 222 cudaErrorUnsupportedPtxVersion. '* ]]
	recording zero-timestamps.sql
	run -1 tq-extract --check in.sqlite
	[[ $output = *'5 no time was collected'* && $output = *$'\nevidence: operations-without-time: '* ]]
}

@test "tq-extract --check concludes nothing from some kinds, keys or times" {
	recording kernels-lost.sql
	for option in '-k api' '--keys pid' '--to 1s'; do
		# shellcheck disable=SC2086 # two words
		run -0 tq-extract --check $option in.sqlite
		[[ $output != *evidence:* ]]
	done
}

# ---- all of it ----

@test "evidence comes before all other findings" {
	{
		calls 60 cudaLaunchKernel
		kernels 60 | sed 's/"dur":5000/"dur":2000/'
		echo '{"kind":"lost","ts":0,"reason":"full","count":3}'
	} | whole > in
	tq-correlate in | tq-advise -f ndjson | jq -es 'map(select(.finding)) |
	    .[0].finding == "losses" and .[0].severity == "note" and
	    .[1].severity != "note"'
	run -0 tq-advise in
	[[ ${lines[1]} = 'note      Events were lost' ]]
	[[ ${lines[2]} = '          losses: of the recording itself, sure' ]]
}

@test "a recording without a fault is quiet" {
	{ calls 60 cudaLaunchKernel; kernels 60; } | whole > in
	[[ -z $(facts in) && $(page in) = *'nothing lost'* ]]
	for n in 0 1 2; do
		{ calls $n cudaLaunchKernel; kernels $n; } | whole > in
		[[ -z $(facts in) ]] || { facts in; return 1; }
	done
}

@test "a rule that claims evidence is one of those that there are" {
	printf '%s\n' 'rule mine' 'claim evidence' 'title t' > r.rules
	run -2 tq-advise -R r.rules in
	[[ $output = *'no evidence has the name: mine' || $output = *"no evidence has the name 'mine'"* ]]
}

@test "what was lost is one number on the page, in run, in findings and live, with and without counts" {
	{
		echo '{"kind":"trace","version":1,"source":"test"}'
		echo '{"kind":"lost","ts":100,"pid":1,"what":"kernel","count":2,"reason":"r"}'
		echo '{"kind":"lost","ts":200,"pid":1,"what":"kernel"}'
		echo '{"kind":"kernel","ts":1000,"dur":10,"pid":1,"device":0,"stream":7,"name":"k"}'
		echo '{"kind":"end","events":3,"dropped":9}'
	} > one
	# the records of a section, or what its end has beyond them
	sed 's/"dropped":9/"dropped":0/' one | cat one - > in.tq
	[[ $(tq-stats in.tq) = *' 12 events lost'* ]]
	[[ $(tq-stats -r run -f csv in.tq | grep Lost | cut -d , -f 3 | xargs) = '9 events 3 events' ]]
	[[ $(tq-advise -f ndjson in.tq | jq -r 'select(.finding == "losses").why') = '12 of them, '* ]]
	[[ $(tq-stats --every 1s -f ndjson in.tq | tail -n 1 | jq .total.lost) = 12 ]]
	# also where some of it has a finding of its own
	sed 's/"reason":"r"/"reason":"end before start"/; s/"dropped":9/"dropped":0/' \
	    one > in.tq
	[[ $(tq-stats in.tq) = *' 3 events lost'*'Events were lost. 3 of them, 2 for an impossible time, '* ]]
	[[ $(tq-advise -f ndjson in.tq | jq -r 'select(.finding == "losses").why') = '3 of them, 2 for an impossible time, the first at '* ]]
}
