#!/usr/bin/env bats
# What a program does once is told apart from what costs time all the time: two
# groups of findings, and how much of a recording is start-up.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# call TS DUR NAME: an API call of the thread that launches
call() {
	echo '{"kind":"api","ts":'"$1"',"dur":'"$2"',"pid":1,"tid":1,"name":"'"$3"'"}'
}

# kernel TS DUR NAME [CALL DUR]: launched at CALL, 2 us before it
kernel() {
	local at=${4:-$(($1 - 2000))} dur=${5:-1000}
	call "$at" "$dur" cudaLaunchKernel |
	    sed "s/}$/,\"corr\":$1}/"
	echo '{"kind":"kernel","ts":'"$1"',"dur":'"$2"',"pid":1,"tid":1,"corr":'"$1"`
	    `',"name":"'"$3"'","device":0,"stream":1,"api_ts":'"$at"`
	    `',"api_dur":'"$dur"',"api_name":"cudaLaunchKernel"}'
}

# copy TS DUR: to the device
copy() {
	echo '{"kind":"memcpy","ts":'"$1"',"dur":'"$2"',"pid":1,"tid":1,"corr":'"$1"`
	    `',"copy":"HtoD","bytes":1000000,"device":0,"stream":1}'
}

# mark TS: the recording goes on until then
mark() {
	echo '{"kind":"mark","ts":'"$1"',"pid":1,"tid":1,"name":"end"}'
}

# in_order: records by time, as a stream
in_order() {
	jq -sc 'sort_by(.ts)[]' | stream
}

# work N FROM: N kernels of 90 us, each 10 us after the one before
work() {
	local i
	for ((i = 0; i < $1; i++)); do
		kernel $(($2 + i * 100000)) 90000 k
	done
}

# groups FILE: RULE GROUP of each finding of tq-advise
groups() {
	tq-advise -f ndjson "$1" | jq -r 'select(.finding) | "\(.finding) \(.group)"'
}

# share FILE: the percents of the recording that are start-up
share() {
	tq-advise -f ndjson "$1" |
	    jq 'select(.account) | 100 * .start_up_ns / .recorded_ns | round'
}

# found FILE: the names of the findings of the page
found() {
	tq-stats -f json1 "$1" | jq -r '.next[] | "\(.Finding) \(.Group)"'
}

# first_uses N DUR: N kernels of new names, whose launches take DUR each
first_uses() {
	local i
	for ((i = 0; i < $1; i++)); do
		kernel $((i * ($2 + 100000) + $2)) 90000 "k$i" \
		    $((i * ($2 + 100000))) "$2"
	done
}

# ---- two groups ----

@test "what happens once is a group of its own, and does not lead below half of the recording" {
	{
		first_uses 10 200000
		work 60 4000000
	} | in_order > in
	[[ $(share in) -lt 50 ]]
	[[ $(groups in) = *'module-loading one-time'* ]]
	[[ $(groups in | grep -v 'recording\|note' | sed q) = *' steady' ]]
	[[ $(tq-advise in) = *$'\nsteady, at most '*$'\none-time, at most '* ]]
	tq-stats in > page
	grep -x 'Steady, .* %:' page
	grep -x 'One-time, .* %:' page
	[[ $(tq-stats -f html in) = *'>Steady<'*'>One-time<'* ]]
}

@test "the columns of findings have the group: json, csv, markdown, the table next" {
	{
		first_uses 10 200000
		work 60 4000000
	} | in_order > in
	[[ $(tq-advise -f csv in) = *'Class,Group,'*',one-time,'* ]]
	[[ $(tq-advise -f markdown in) = *'| Group'* ]]
	[[ $(tq-stats -f csv -r next in 2> /dev/null || tq-stats -f csv in) = *Group* ]]
	found in | grep -qx 'module-loading one-time'
}

@test "above half of the recording it leads, and the first advice is to record later or longer" {
	{
		first_uses 40 2000000
		work 60 90000000
	} | in_order > in
	[[ $(share in) -gt 50 ]]
	[[ $(groups in | sed q) = 'module-loading one-time' ]]
	[[ $(found in | sed q) = 'module-loading one-time' ]]
	tq-stats -f json1 in | jq -e '.next[0] |
	    (.Evidence | test("Record later, or longer, with tq-capture --delay [0-9]+ms --duration 10s")) and
	    (.["Look At"] | test("^tq-advise --time [0-9]+us: in$"))'
	command=$(tq-advise in | sed -n 's/^ *look *\(tq-advise --time.*\)/\1/p' | sed q)
	[[ $command = *' in' ]]
	[[ $($command) = *'operations'* ]]
	tq-advise -f ndjson in | jq -es 'map(select(.account))[0] |
	    (.do | test("^Record later")) and (.look | test(" in$"))'
}

@test "most of it before the first operation: the page leads with the long way, and says when to begin" {
	{
		call 0 5000 cudaMalloc
		work 60 9000000000
	} | in_order > in
	[[ $(found in | sed q) = 'long-way one-time' ]]
	tq-stats -f json1 in | jq -e '.next[0].Evidence |
	    test("Record later, or longer, with tq-capture --delay 9s --duration 10s")'
	[[ $(tq-advise in) = *'99.9 % of the 9.01 s recorded is start-up'* ]]
}

# later SOURCE FROM [N]: what tq-advise says of N operations from then on
later() {
	{
		call 0 5000 cudaMalloc
		work "${3-60}" "$2"
	} | in_order | sed "1s/\"source\":\"[^\"]*\"/\"source\":\"$1\"/" > in
	tq-advise in
}

@test "the command to record later is that of the source, and begins no later than the work" {
	for pair in 'nsys|nsys profile --delay=90 --duration=10.' \
	    'kineto|torch.profiler.schedule(' \
	    'rocpd|rocprofv3 --collection-period 90700:10000:1 --collection-period-unit msec.'; do
		[[ $(later "${pair%%|*}" 90700000000) = *"Record later, or longer, with ${pair#*|}"* ]]
	done
	# nsys has no delay of less than a second
	[[ $(later nsys 700000000) = *'with nsys profile --capture-range=cudaProfilerApi, and cudaProfilerStart() behind the start-up.'* ]]
	[[ $(later tq-capture 700000000) = *'with tq-capture --delay 700ms --duration 10s.'* ]]
}

@test "where the times of a recording are below 0, no command to record later is known" {
	{
		call -99000000000 5000 cudaMalloc
		work 60 -9000000000
	} | in_order > in
	tq-advise in > said
	grep -F 'Record later, or longer.' said
	! grep -F -e '--delay' said || return 1
}

@test "where too little is recorded behind the start-up, to record later is no advice" {
	later nsys 90000000000 49 > said
	grep -F 'Record more of its work: what is recorded of it behind the start-up is too little.' said
	! grep -F 'Record later' said || return 1
}

# ---- how much is start-up ----

@test "page and tq-advise have the same share of start-up, of the same recording" {
	{
		mark 0
		work 60 3000000
		mark 12000000
	} | in_order > in
	[[ $(tq-advise in) = *'; 25.0 % of the 12.0 ms recorded is start-up'* ]]
	[[ $(COLUMNS=300 tq-stats in) = *'. 25.0 % of the 12.0 ms recorded is start-up.'* ]]
	[[ $(tq-stats -f html in) = *'25.0 % of the 12.0 ms recorded is start-up.</h1>'* ]]
}

@test "copies before the first kernels load data, once; copies between kernels do not" {
	{
		for i in {0..9}; do copy $((i * 1000000)) 1000000; done
		work 100 10000000
	} | in_order > in
	[[ $(groups in) = *'loading one-time'* ]]
	{
		for i in {0..59}; do
			copy $((i * 300000)) 100000
			kernel $((i * 300000 + 150000)) 100000 k
		done
	} | in_order > in
	[[ $(groups in) != *'loading one-time'* ]]
}

@test "a first step above the median is one-time, as far as it is above" {
	{
		for i in {0..5}; do
			at=$((i > 0 ? 9000000 + i * 1000000 : 0))
			echo '{"kind":"range","ts":'"$at"',"dur":'$((i > 0 ? 1000000 : 10000000))`
			    `',"pid":1,"tid":1,"name":"step '"$i"'"}'
			kernel $((at + 10000)) 100000 k
			kernel $((at + (i > 0 ? 500000 : 5000000))) 400000 k
			for j in {1..9}; do
				kernel $((at + (i > 0 ? 900000 : 9900000) + j * 5000)) 4000 k
			done
		done
	} | in_order > in
	[[ $(groups in) = *'warm-up one-time'* ]]
	tq-advise -f ndjson in | jq -es '([.[] | select(.finding == "warm-up")][0] |
	    .gain_ns > 4000000 and .gain_ns <= 9000000) and
	    ([.[] | select(.finding) | .gain_ns] | add) <=
	    ([.[] | select(.account)][0].account[0].wall_ns)'
}

@test "a single gap has its own length, also where the rule claims a part of it" {
	{
		work 30 0
		work 30 6000000
	} | in_order > in
	[[ $(tq-advise -v in) = *'A single gap of 3.01 ms is a fifth of all time, or more'* ]]
	{
		work 20 0
		work 20 5000000
		work 20 10000000
	} | in_order > in
	[[ $(tq-advise -v in) = *'Single gaps, the longest of 3.01 ms, are a fifth of all time, or more'* ]]
}

@test "what was chosen, and what evidence takes away, has no start-up" {
	{
		call 0 5000 cudaMalloc
		work 60 90000000000
	} | in_order > in
	[[ $(tq-advise --time 1s: in) != *start-up* ]]
	{
		for i in {1..40}; do
			call $((i * 1000)) 500 cudaLaunchKernel | sed "s/}$/,\"corr\":$i}/"
		done
		work 60 90000000000
	} | in_order > in
	[[ $(tq-advise in) = *launches-without-operation* ]]
	[[ $(tq-advise in) != *'is start-up'* ]]
	[[ $(tq-stats in) != *'is start-up'* ]]
}

# ---- hardly anything ----

@test "no operation, one, two, one step, only one-time work: true sentences, no share above 100 %" {
	mark 5 | in_order > none
	{ mark 0; kernel 1000000 1000 k; } | in_order > one
	{ mark 0; kernel 1000000 1000 k; kernel 5000000 1000 k; } | in_order > two
	{
		echo '{"kind":"range","ts":0,"dur":9000000,"pid":1,"tid":1,"name":"step 0"}'
		work 60 1000000
	} | in_order > step
	first_uses 60 1000000 | in_order > once
	for i in {0..59}; do copy $((i * 1000)) 1000; done | in_order > copies
	{ kernel 0 0 k; kernel 0 0 k; } | in_order > empty
	for name in none one two step once copies empty; do
		tq-advise -f ndjson "$name" > got
		jq -es 'all(.[]; (.share_ppm // 0) <= 1000000 and
		    (.start_up_ns // 0) <= (.recorded_ns // 0))' got ||
		    { cat got; return 1; }
		tq-stats "$name" > page
		! grep -E '[0-9]{3,}\.[0-9] %' page | grep -vE '[^0-9]100\.0 %' ||
		    { cat page; return 1; }
	done
	[[ $(tq-advise none) != *start-up* ]]
	[[ $(tq-advise one) = *'% of the 1.00 ms recorded is start-up'* ]]
}

@test "a rule of a user has a group, and another word is an error" {
	work 60 0 | in_order > in
	printf '%s\n' 'rule r' 'group one-time' 'when kind == "gap"' 'claim gaps' \
	    'least 0%' 'title t' > my.rules
	[[ $(tq-advise -f ndjson -R none -R my.rules in | jq -r 'select(.finding).group') = one-time ]]
	sed -i s/one-time/twice/ my.rules
	run -2 tq-advise -R my.rules in
	[[ $output = *"expected steady or one-time, not 'twice'" ]]
}

# ---- the time before the first operation ----

# os TS DUR NAME: an OS call of the thread that launches
os() {
	echo '{"kind":"osrt","ts":'"$1"',"dur":'"$2"',"pid":1,"tid":1,"name":"'"$3"'"}'
}

@test "the long way names what the host does before: innermost ranges, calls with what the OS does in them, OS calls" {
	{
		echo '{"kind":"range","ts":0,"dur":100000000,"pid":1,"tid":1,"name":"load model"}'
		call 10000000 30000000 cudaMalloc
		os 11000000 20000000 ioctl
		os 50000000 20000000 read
		os 0 99000000 poll | sed 's/"tid":1/"tid":2/'
		work 60 100000000
	} | in_order > in
	tq-stats -f json1 in | jq -e '.next[0] | .Finding == "long-way" and (.Evidence |
	    test("Before the first the host is 50.0 ms in load model, 30.0 ms in cudaMalloc, 20.0 ms in read[.]"))'
	{
		call 10000000 30000000 cudaMalloc
		work 60 100000000
		mark 0
	} | in_order > in
	tq-stats -f json1 in | jq -r '.next[].Evidence' |
	    grep -F 'Before the first the host is 30.0 ms in cudaMalloc.'
}

@test "before the first operation 65536 names are kept, and the time of more has none" {
	{
		call 0 3000000 cudaMalloc
		awk 'BEGIN { for (i = 0; i < 65535; i++)
		    printf "{\"kind\":\"range\",\"ts\":%d,\"dur\":10,\"pid\":1,\"tid\":1,\"name\":\"r%d\"}\n", 10000000 + i * 20, i }'
		os 20000000 40000000 read
		work 60 100000000
	} | in_order > in
	tq-stats -f json1 in | jq -r '.next[].Evidence' > said
	grep -F 'Before the first the host is 3.00 ms in cudaMalloc.' said || {
		cat said
		return 1
	}
	! grep -F ' in read' said || return 1
}

@test "tq-advise, its records, gates and marks have the long way with the number and the words of the page" {
	{
		call 10000000 30000000 cudaMalloc
		work 60 100000000
		mark 0
	} | in_order > in
	words='Before the first the host is 30.0 ms in cudaMalloc.'
	tq-stats -f json1 in | jq -r '.next[] | select(.Finding == "long-way").Evidence' > page
	tq-advise -f ndjson in | jq -c 'select(.finding == "long-way")' > record
	[[ $(cat page) = *"$words"* ]]
	cat page record
	[[ $(cat page) = "$(jq -r '"\(.title). \(.why)"' record)"* ]]
	jq -e '.group == "one-time" and .severity == "note" and .gain_ns == 0 and
	    .share_ppm == 0 and .before_ns == 100000000 and .after_ns == 0 and
	    .recorded_ns == 105990000 and (has("takes") | not)' record
	tq-advise in | grep -A3 'It is a long way to the first operation' > text
	grep -F 'long-way: of the recording itself' text
	grep -F "$words" text
	run -3 tq-advise --fail-if long-way in
	tq-stats -f html in | grep -F 'It is a long way to the first operation'
	# a window, and steps that were chosen, have no edges
	[[ $(tq-advise -f ndjson --time 1ms: in) != *long-way* ]]
}

@test "what is after the last operation leads where it is longer, and less than a tenth is no long way" {
	{
		work 60 1000000
		mark 90000000
	} | in_order > in
	tq-advise -f ndjson in | jq -es 'map(select(.finding == "long-way"))[0] |
	    .title == "The recording goes on long after the last operation" and
	    (.why | test("^83[.]0 ms of 89[.]0 ms recorded [(]93[.]3 %[)] pass after the last GPU operation, 2[.]00 us before the first[.]$")) or error(.why)'
	{
		mark 0
		work 60 600000
		mark 7200000
	} | in_order > in
	[[ $(tq-advise -f ndjson in) != *long-way* ]]
}

@test "the command of what is after the last operation shows calls, OS calls or ranges from then on" {
	{
		work 60 1000000
		os 5000000 1000000 write
		os 20000000 60000000 poll
		mark 90000000
	} | in_order > in
	look() {
		tq-advise -f ndjson in | jq -r 'select(.finding == "long-way").look'
	}
	[[ $(look) = 'tq-stats -r osrt_sum --time=6990us: in' ]]
	[[ $($(look)) = *poll* && $($(look)) != *write* ]]
	work 60 1000000 | (cat; mark 90000000) | in_order > in
	[[ $(look) = 'tq-stats -r run in' ]]
}

@test "the span of the profiler of PyTorch is nothing that the host does" {
	{
		echo '{"kind":"range","ts":0,"dur":200000000,"pid":9,"tid":9,"name":"PyTorch Profiler (0)","category":"Trace"}'
		echo '{"kind":"range","ts":1000000,"dur":20000000,"pid":1,"tid":1,"name":"aten::empty"}'
		work 60 50000000
	} | in_order > in
	tq-stats -f json1 in | jq -r '.next[].Evidence' > said
	grep -F 'Before the first the host is 20.0 ms in aten::empty.' said
}

@test "a call that lasts into the first operation counts until then, and not beyond" {
	{
		mark 0
		call 20000000 90000000 cudaDeviceSynchronize
		work 60 50000000
	} | in_order > in
	tq-stats -f json1 in | jq -r '.next[].Evidence' |
	    grep -F 'Before the first the host is 30.0 ms in cudaDeviceSynchronize.'
}

@test "the long way names the functions of samples, and the page of a recording with a GPU has their table" {
	{
		echo '{"kind":"stack","id":1,"frames":["parse (a.so)","main (a.out)"]}'
		echo '{"kind":"stack","id":2,"frames":["dlopen (b.so)","main (a.out)"]}'
		for i in {0..11}; do
			echo '{"kind":"sample","ts":'$((i * 1000000))',"pid":1,"tid":1,"stack":'$((i < 9 ? 1 : 2))'}'
		done
		work 60 50000000
	} | stream > in
	COLUMNS=300 tq-stats in > page
	tq-stats -f json1 in | jq -r '.next[].Evidence' | grep -F 'Of its 12 samples 9 are in parse (a.so), 3 in dlopen (b.so).'
	grep -A3 '^FUNCTIONS  of 12 samples' page | grep '75.0 .*parse (a.so)'
	[[ $(tq-stats -f html in) = *'Functions'* ]]
}

@test "shares of the time of GPUs are marked where there is no verdict, and GPU TIME has none" {
	{
		for i in {1..40}; do
			call $((i * 1000)) 500 cudaLaunchKernel | sed "s/}$/,\"corr\":$i}/"
		done
		work 60 1000000
	} | in_order > in
	tq-stats in > page
	grep '^No verdict: ' page
	grep '^GPU TIME .*; not proved: recorded in part$' page
	grep '^GPU 0 .* no shares$' page
	grep '^WHERE THE GPU WAITS .*; not proved: recorded in part$' page
	# bars of HTML have none, either
	tq-stats -f html in | sed -n '/<h2>GPU time/,/<\/section>/p' > time
	grep 'not proved: recorded in part</small><small>no shares; ' time
	grep '<div class="bar"><i ' time
	grep '<title>' time
	! grep '[0-9] %' time || return 1
}
