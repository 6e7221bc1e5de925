#!/usr/bin/env bats
# tq-stats: what the page finds, of what, where, and the command that shows it.

load helper
load page

# called TS: the keys of an operation whose call of 1 us starts at TS
called() {
	echo ',"api_ts":'"$1"',"api_dur":1000,"api_name":"cudaLaunchKernel"'
}

# range TS DUR NAME: of the thread that launches
range() {
	echo '{"kind":"range","ts":'"$1"',"dur":'"$2"',"pid":1,"tid":1,"name":"'"$3"'"}'
}

# late N: N kernels of 10 us, each 90 us after the one before it, launched late
late() {
	local i
	for ((i = 0; i < $1; i++)); do
		work kernel $((i * 100000)) 10000 0 k "$(called $((i * 100000 - 2000)))"
	done
}

# found FILE: "NAME SHARE EVIDENCE" for each finding
found() {
	tq-stats -f json1 "$@" | jq -r '.next[] |
	    "\(.Finding) \((.["Share (%)"] | numbers + 0) // "note") \(.Evidence)"'
}

# page FILE ...: the page, with a command in one line
page() {
	COLUMNS=500 tq-stats "$@"
}

# ---- real recordings ----

@test "the command of each finding runs as it stands, and prints rows" {
	need data
	for name in "${EXPORTS[@]}"; do
		cp "$(correlated "$name")" "$name.tq"
		page "$name.tq" | page_commands > commands
		page < "$name.tq" | page_commands |
		    sed "s/ FILE\$/ $name.tq/; s/ FILE / $name.tq /" >> commands
		while read -r command; do
			bash -o pipefail -c "$command" > rows 2> errors && [[ -s rows ]] ||
			    { echo "$name: $command: $(cat errors)" >&2; false; }
		done < commands
	done
}

@test "the sums are those of device_time and gaps_sum, to the nanosecond" {
	need data
	[[ -x $BUILD/unit/page_sums ]] || skip "no unit tests"
	for name in "${EXPORTS[@]}" "${SYNTHETIC[@]}"; do
		"$BUILD/unit/page_sums" "$(correlated "$name")"
	done
}

# The page says of itself: not-correlated.
@test "the findings are those of tq-advise: the same rules, and no others" {
	need data
	for name in "${EXPORTS[@]}"; do
		in=$(correlated "$name")
		tq-stats -f json1 "$in" | jq -r '.next[]?.Finding' |
		    grep -vx 'not-correlated\|nothing stands out' |
		    sort > page || :
		tq-advise -f ndjson "$in" | jq -r '.finding // empty' | sort > advice
		(($(wc -l < advice) <= 6)) || continue # the page has 7
		diff page advice || { echo "$name" >&2; false; }
	done
}

# numbers FILE: "NAME SHARE" of each finding that has a share, in the order of
# the page, of each form of the page and of tq-advise in files of that name
numbers() {
	tq-stats -f json1 "$1" | jq -r '.next[] | select(.["Share (%)"]) |
	    "\(.Finding) \(.["Share (%)"] + 0)"' > page
	tq-advise -v -f ndjson "$1" | jq -r 'select(.gain_ns > 0) |
	    "\(.finding) \((.gain_ns * 1000 / .of_ns + 0.5 | floor) / 10)"' |
	    while read -r name share; do
		! grep -q "^$name " page || echo "$name $share"
	done > advice
	tq-advise -f csv "$1" | awk -F , '
	    !share { for (i = 1; i <= NF; i++) { if ($i ~ /^Share/) share = i
	        if ($i == "Finding") name = i }; next }
	    NF > share { print $name, $share + 0 }' |
	    while read -r name share; do
		! grep -q "^$name " page || echo "$name $share"
	done > csv
	tq-stats -f html "$1" > html
	while read -r name share; do
		[[ $share = *.* ]] || share=$share.0
		tq-advise -v -n 99 "$1" | grep -qE \
		    "^ +$name: at most (([0-9.]+|<\.1)-)?$share % \(" || echo "$name: text"
		page "$1" | grep -qE "^ *[0-9]+ +$share %  " || echo "$name: page"
		grep -q "<span>$share %</span></h3>" html || echo "$name: HTML"
	done < page > others
}

@test "a finding has one share, and one place, in all forms of the page and of tq-advise" {
	local seen=0 in

	for in in "$DATA"/nsys/{2025.3.1-cupy-nvtx,2026.2.1-mfu-2gpu,2024.6.2-torch-2.7b}.sqlite \
	    "$DATA"/kineto/{torch-2.4-nccl-ddp,torch-2022-steps}.json.zst; do
		[[ -e $in ]] || continue
		tq-extract "$in" | tq-correlate > in
		numbers in
		diff page advice && diff page csv && [[ ! -s others ]] ||
		    { cat others; echo "$in"; return 1; } >&2
		seen=$((seen + $(wc -l < page)))
	done
	[[ ! -d $DATA/nsys ]] || ((seen >= 7))
}

@test "2026.2.1-mfu-2gpu: what it costs on each GPU, of what, and where" {
	data nsys/2026.2.1-mfu-2gpu.sqlite
	run -0 found "$(correlated 2026.2.1-mfu-2gpu)"
	[[ ${lines[0]} = 'elementwise 8.3 3303 elementwise and cast kernels. At '`
	    `'most 24.8 ms on GPU 0 and 24.1 ms on GPU 1, 50.0 % of their time, and '`
	    `'16.7 ms more that would only be idle time behind the host (likely). '* ]]
	[[ ${lines[1]} = 'graph-candidate 6.9 97.4 % of the launches repeat, 135 in '`
	    `'a row, and the device waits between them. At most 20.6 ms on GPU 1 and '`
	    `'14.2 ms on GPU 0 (likely). Of it the host is '*'. Longest: 477 us '`
	    `'before flash_fwd_kernel in flash_attn::_flash_attn_forward. Capture '`
	    `'the sequence in a CUDA graph: '* ]]
	[[ ${lines[2]} = 'same-stream 5.7 Communication runs on the stream that '`
	    `'computes. At most 17.0 ms on GPU 0 and 7.34 ms on GPU 1, and 206 us '`
	    `'more that would only be idle time behind the host '`
	    `'(likely). Compute hides no communication. '* ]]
	[[ ${lines[3]} = 'one-kernel note One kernel has 30 % of the work or more: '`
	    `'flash_fwd_kernel. 136 ms on GPU 1 and 136 ms on GPU 0. '* ]]
	((${#lines[@]} == 4))
}

@test "2024.6.2-torch-2.7b: loading, FP32, and a long way to the first operation" {
	data nsys/2024.6.2-torch-2.7b.sqlite
	run -0 found "$(correlated 2024.6.2-torch-2.7b)"
	[[ ${lines[0]} = 'diagnostics note CPU samples were not recorded. '* ]]
	[[ ${lines[1]} = 'long-way note It is a long way to the first operation. '`
	    `'31.4 s of 46.7 s recorded (67.2 %) pass before the first GPU operation, '`
	    `'6.09 s after the last. '*'Record later, or longer, with nsys profile --delay=36 --duration=10.' ]]
	[[ ${lines[2]} = 'loading 56.8 294 copies before the first kernels load data. '`
	    `'At most 5.25 s. '*'Most is 13.6 GB HtoD pageable at 3.06 GB/s. Nearly all '`
	    `'in the first 5.02 s, before the kernels: loading (likely). Load '* ]]
	[[ ${lines[3]} = 'module-loading 2 Kernels are loaded while the work goes on. '`
	    `'At most 182 ms. '* ]]
	[[ ${lines[4]} = 'fp32-gemm 16.7 Matrix products in FP32 do without the '`
	    `'tensor cores, most in ampere_sgemm_128x64_tn. At most 1.54 s, 50.0 % of '`
	    `'their time (likely). '* ]]
}

@test "2025.3.1-cupy-nvtx: the range in which a host that is late is" {
	data nsys/2025.3.1-cupy-nvtx.sqlite
	run -0 found "$(correlated 2025.3.1-cupy-nvtx)"
	[[ ${lines[0]} = 'host-late 36 The host launches late. At most 638 ms. '`
	    `'Of it the host is 614 ms in IO * and 10.5 ms in write. '* ]]
}

# ---- idle time ----

@test "a host that is late: how long, the longest, and the range it was in" {
	{
		# gaps too long for a graph; the middle of each is in an inner range
		for i in {0..59}; do
			work kernel $((i * 1000000)) 100000 0 k "$(called $((i * 1000000 - 2000)))"
		done
		range -9000 60000000 "outer"
		for i in {0..58}; do
			range $((i * 1000000 + 400000)) 300000 "walk $i"
		done
	} | jq -sc 'sort_by(.ts)[]' | stream > in
	run -0 found in
	[[ ${lines[0]} = 'host-late 89.6 The host launches late. At most 53.0 ms. '`
	    `'Of it the host is 35.3 ms in outer and 17.7 ms in walk *. '`
	    `'Longest: 898 us before k. Shorten '* ]]
	# the three ranges with most of it, however small they are
	sed 's/"walk [0-9]*[0369]"/"a"/; s/"walk [0-9]*[147]"/"b"/;
	    s/"walk [0-9]*[258]"/"c"/' in > three
	[[ $(found three | head -n 1) = *' Of it the host is 35.3 ms in outer, '`
	    `'6.90 ms in a and 5.40 ms in b. '* ]]
}

@test "what to record is said where time has no name, and of what is not recorded" {
	late 60 > work
	stream < work > in
	tq-advise --set host-late.least=1% --set graph-candidate.least=99% \
	    --set launch-bound.least=99% -f ndjson in |
	    jq -r 'select(.finding == "host-late").do' > bare
	grep -F ' To name 5.19 ms more of it, record ranges, OS calls, scheduling or CPU samples.' bare
	{ cat work; range -9000 1000 a; } | jq -sc 'sort_by(.ts)[]' | stream > in
	tq-advise --set host-late.least=1% --set graph-candidate.least=99% \
	    --set launch-bound.least=99% -f ndjson in |
	    jq -r 'select(.finding == "host-late").do' > some
	grep -F ' To name 5.19 ms more of it, record OS calls, scheduling or CPU samples.' some
	{
		cat work
		echo '{"kind":"sample","ts":1,"pid":1,"tid":1}'
	} | jq -sc 'sort_by(.ts)[]' | stream > in
	tq-advise --set host-late.least=1% --set graph-candidate.least=99% \
	    --set launch-bound.least=99% -f ndjson in |
	    jq -r 'select(.finding == "host-late").do' > samples
	grep -F ' tq-stats -r functions counts the CPU samples of the recording. To name 5.19 ms more of it, record ranges, OS calls or scheduling.' samples
	# all of it has a name
	{ cat work; range -9000 9000000 a; } | jq -sc 'sort_by(.ts)[]' | stream > in
	tq-advise --set host-late.least=1% --set graph-candidate.least=99% \
	    --set launch-bound.least=99% -f ndjson in |
	    jq -es 'map(select(.finding == "host-late"))[0] | (.do | contains("record") | not) and
	        .names[0].text == "a" and .unnamed_ns == null'
}

@test "a host that waited for the GPU launched nothing" {
	{
		late 60
		for i in {0..58}; do
			echo '{"kind":"api","ts":'$((i * 100000 - 2000))',"dur":1000,'`
			    `'"pid":1,"tid":1,"name":"cudaLaunchKernel"}'
			echo '{"kind":"api","ts":'$((i * 100000 + 11000))',"dur":80000,'`
			    `'"pid":1,"tid":1,"name":"cudaDeviceSynchronize"}'
		done
	} | jq -sc 'sort_by(.ts)[]' | stream > in
	run -0 found in
	[[ ${lines[0]} = 'sync-each '*' Again and again the host waits for the device '`
	    `'after a kernel or two. At most '*' ms. '* ]]
}

@test "without tq-correlate there are no causes, and the first note says so" {
	for i in {0..59}; do work kernel $((i * 100)) 10 0 a; done | stream > in
	run -0 found in
	[[ ${lines[0]} = 'not-correlated note Why GPUs wait is unknown. Causes need '`
	    `'tq-correlate'* ]]
	[[ $(page in) = *'$ tq-correlate in | tq-stats'* ]]
	# a stream that went through it, and has no call
	tq-correlate in > correlated
	[[ $(found correlated) != *'tq-correlate'* ]]
}

# ---- work ----

@test "communication and copies that nothing hides, with what they are of" {
	{
		for i in {0..59}; do
			work kernel $((i * 100)) 50 0 a "$(called -9000)"
			work kernel $((i * 100 + 40)) 35 0 ncclAllReduce "$(called -9000)"
			work memcpy $((i * 100 + 75)) 25 0 c \
			    "$(called -9000)"',"bytes":800,"copy":"DtoH","src":"Device","dst":"Pageable"'
		done
	} | stream > in
	run -0 found in
	[[ ${lines[0]} = 'same-stream 25 Communication runs on the stream that '`
	    `'computes. At most 1.50 us (likely). Compute hides '`
	    `'28.6 % of all communication. '* ]]
	[[ ${lines[1]} = 'exposed-copy 25 Copies run with nothing beside them. At most '`
	    `'1.50 us. Most is 48.0 kB DtoH pageable at '`
	    `'32.0 GB/s. Pin the memory of the host first '* ]]
	# what matched without a claim has no share, and none of these sentences
	[[ ${lines[2]} = 'one-kernel note One kernel has 30 % of the work or more: a. '`
	    `'3.00 us. Look at it'* ]]
}

@test "what shares are of is said once: the GPU's time, of each GPU, in its steps" {
	for i in {0..4}; do
		range $((i * 1000000)) 900000 "step $i"
		for k in {0..11}; do
			work kernel $((i * 1000000 + k * 50000)) 9000 0 "k$k" \
			    "$(called $((i * 1000000 + k * 50000 - 1500)))"
		done
	done | jq -sc 'sort_by(.ts)[]' | stream > in
	page in | grep -x 'Shares of findings are of the [0-9.]* ms in 5 steps.'
	late 60 | stream > in
	run -0 page in
	[[ $output = *$'\nShares of findings are of the 5.91 ms from first to last operation.\n'* ]]
	{ late 60; late 60 | sed 's/"device":0/"device":1/'; } | jq -sc 'sort_by(.ts)[]' |
	    stream > in
	[[ $(page in) = *' are of the 5.91 ms of each GPU from first to last operation.'* ]]
	{ late 60; late 30 | sed 's/"device":0/"device":1/'; } | jq -sc 'sort_by(.ts)[]' |
	    stream > in
	[[ $(page in) = *' are of the time of each GPU from first to last operation, at most 5.91 ms.'* ]]
	# once: no finding says it again
	[[ $(found in) != *'5.91 ms'* ]]
}

# ---- how the stream is read ----

@test "a pipe has the findings of a file" {
	{ late 60; } | stream > in
	[[ $(found < in) = "$(found in | sed 's/ in$/ FILE/')" ]]
}

@test "a window and a range choose what the rules look at" {
	late 120 | stream > in
	[[ $(page --time 0:6ms in) = *'are of the 6.00 ms in the window.'* ]]
	{ range -9000 3000000 half; late 120; } | jq -sc 'sort_by(.ts)[]' | stream > in
	all=$(found in | sed -n 's/^graph-candidate .*At most \([^ ]*\) ms.*/\1/p')
	part=$(found --filter-nvtx half in |
	    sed -n 's/^graph-candidate .*At most \([^ ]*\) ms.*/\1/p')
	[[ -n $part && $(jq -n "$part < $all") = true ]]
}

# twelve steps of a host that launches late, of which the first one begins at 1 ms
late_steps() {
	jq -nc '{kind: "trace", version: 1, source: "nsys"}, {kind: "process", pid: 1},
	    {kind: "device", pid: 1, device: 0, name: "NVIDIA A100", cc: "8.0", sms: 108},
	    (range(12) as $s | (1000000 + $s * 2000000) as $t0 |
		{kind: "range", ts: $t0, dur: 1999500, pid: 1, tid: 1,
		    name: "step \($s)", id: ($s + 1), mode: "push"},
		(range(10) as $k | ($t0 + $k * 200000) as $t | ($s * 10 + $k + 1) as $c |
		    {kind: "api", ts: $t, dur: 5000, pid: 1, tid: 1, corr: $c,
			name: "cudaLaunchKernel", api: "cuda-runtime", ret: 0},
		    {kind: "kernel", ts: ($t + 7000), dur: 100000, pid: 1, corr: $c,
			name: "k\($k)", device: 0, context: 1, stream: 7,
			grid: [1000, 1, 1], block: [128, 1, 1]})),
	    {kind: "end", events: 254, dropped: 0}' | tq-correlate -q
}

@test "in a window the page has the findings of tq-advise, which knows the steps before it" {
	local window threads

	late_steps > late.tq
	for window in 9500us:20ms 9ms:15ms -9ms: :3ms; do
		for threads in 1 2; do
			export TQ_THREADS=$threads
			tq-advise -f csv --time="$window" late.tq |
			    cut -d, -f 2 | grep . | sort > advise
			tq-stats -q -r next -f csv --time="$window" late.tq |
			    cut -d, -f 1 | sort | diff advise -
			[[ $(wc -l < advise) -gt 1 ]]
		done
	done
	[[ $(tq-stats -q -r next -f csv --time 9500us:20ms late.tq | sed -n 2p) = \
	    graph-candidate,50.4,* ]]
}

# counted FILE OPTION ...: how many steps the title STEPS, the sentence on
# shares, and tq-advise have, as text and as a number
counted() {
	page "${@:2}" "$1" > paged
	sed -n 's/^STEPS  of \([0-9]*\) steps\?.*/\1/p
	    s/^Shares .* \([0-9]*\) steps\?.*/\1/p' paged | sort -n
	tq-advise "${@:2}" "$1" | sed -n '1s/.* operations\?, \([0-9]*\) steps\?$/\1/p'
	tq-advise -f ndjson "${@:2}" "$1" | jq -r '.steps // empty'
}

@test "the number of steps is one: of all processes and threads, in the window" {
	late_steps > late.tq
	[[ $(counted late.tq | uniq) = 12 ]]
	grep -q '^STEPS  of 12 steps, the first left out$' paged
	# the last one never ended
	jq -c 'if .name == "step 11" then del(.dur) + {open: true} else . end' \
	    late.tq > open.tq
	[[ $(counted open.tq | uniq -c) = *' 4 12' ]]
	grep -q '^STEPS  of 12 steps, the first and one incomplete left out$' paged
	# a process with ten steps beside it
	{
		cat late.tq
		sed '1d; $d; s/"pid":1,/"pid":2,/; /"name":"step 1[01]"/d' late.tq
	} | jq -sc 'sort_by(if .kind == "trace" then -2 elif .kind == "end" then 9e18
	    else .ts // -1 end)[] | del(.events)' > two.tq
	[[ $(counted two.tq | uniq -c) = *' 4 22' ]]
	grep -q '^STEPS  of 22 steps, the first of each process left out$' paged
	grep -q '^Shares of findings are of .* of each GPU in its steps.*; 22 steps in all[.]$' paged
	# of a window those that overlap it
	for window in 9500us:20ms -9ms:; do
		[[ $(counted late.tq --time=$window | uniq -c) = *' 3 '[1-9]* ]]
	done
}

@test "commands that are printed of a window look at the window" {
	local window

	late_steps > late.tq
	for window in 9ms:15ms -9ms:; do
		COLUMNS=500 tq-stats --time="$window" late.tq > page
		tq-advise --time="$window" late.tq >> page
		grep -o 'tq-[a-z]* .*late.tq' page | grep -e stats -e advise > commands
		[[ $(wc -l < commands) -gt 3 ]]
		run ! grep -v -e "--time[= ]$window" commands
		sh -ec "$(sed 's/$/ > out/' commands)"
	done
}

@test "commands that are printed of chosen steps choose them" {
	late_steps > late.tq
	COLUMNS=500 tq-stats --step 2..8 late.tq > page
	tq-advise --step 2..8 late.tq >> page
	grep -qx 'tq-advise --step 2..8 late.tq  *the evidence of findings' page
	grep -qx 'tq-stats -f html -o page.html --step 2..8 late.tq' page
	grep -o 'tq-[a-z]* .*late.tq' page | grep -e '-r step' -e advise > commands
	run ! grep -v -e '--step 2..8 ' commands
	sh -ec "$(sed 's/$/ > out/' commands)"
	# the rules know no median, which tq-advise does not take
	COLUMNS=500 tq-stats --step median late.tq > page
	grep -qx 'tq-advise late.tq  *the evidence of findings' page
	grep -qx 'tq-stats -f html -o page.html --step median late.tq' page
}

@test "a window outside of the trace is an error that says what the trace covers" {
	local command

	file=$(correlated demo)
	for command in 'tq-stats -q' 'tq-stats -r next' 'tq-advise' \
	    'tq-advise --fail-if note' 'tq-stats -f json -r busy'; do
		run -1 --separate-stderr $command --time 5s:6s "$file"
		[[ -z $output ]]
		[[ $stderr = *': the window is outside of the trace, which covers 0ns to 60ms' ]]
	done
	run -0 tq-stats --time 59ms: "$file" # within it
}

@test "sums of partials have no stream, and so no findings of rules" {
	late 60 | stream > in
	tq-stats --partial in > part
	run -0 bash -c 'tq-stats --merge -f json1 part | jq -r ".next[]?.Finding"'
	[[ $output != *'host-late'* && $output != *'graph'* ]]
}

# ---- the recording ----

@test "losses come first, in red, and name what may be low" {
	{
		late 60
		echo '{"kind":"lost","ts":6000000,"pid":1,"reason":"full","count":4}'
	} | stream > in
	run -0 found in
	[[ ${lines[0]} = 'losses note Events were lost. 4 of them, the first at '`
	    `'6.00 ms. Counts, times and '`
	    `'the shares of compute, communication and copies may be too low, those of '`
	    `'idle time too high.' ]]
	[[ $(page in) = *'$ tq-filter -k lost in'* ]]
}

@test "a stream that was cut says so, and exits 1" {
	late 60 | stream | head -n 40 > in
	run -1 --separate-stderr page in
	[[ $output = *'The stream was cut before its end. Counts, '* ]]
	[[ $stderr = *'without its end record' ]]
}

@test "below 50 operations there are at most notes" {
	late 49 | stream > in
	run -0 found in
	[[ ${lines[0]} = 'graph-candidate note '* ]]
	late 50 | stream > in
	run -0 found in
	[[ ${lines[0]} = 'graph-candidate 7'* ]]
}

@test "shares are of the active span where a twentieth lies outside of it" {
	{
		echo '{"kind":"mark","ts":0,"pid":1,"tid":1,"name":"a"}'
		work kernel 6 94 0 a
	} | stream > in
	[[ $(page in) = *'100 ns recorded'*'94 ns active'*'The GPU computes 100.0 %'* ]]
	{
		echo '{"kind":"mark","ts":0,"pid":1,"tid":1,"name":"a"}'
		work kernel 5 95 0 a
	} | stream > in
	[[ $(page in) = *'The GPU computes 95.0 % of the time, idles 5.0 %.'* ]]
	[[ $(page in) != *'active'* ]]
}

@test "the time before the first operation, with the calls that were in it" {
	{
		echo '{"kind":"api","ts":0,"dur":5000,"pid":1,"tid":1,"name":"cudaMalloc",'`
		    `'"api":"cuda-runtime"}'
		late 60 | jq -c '.ts += 5000000 | .api_ts += 5000000'
	} | stream > in
	[[ $(found in) = *'long-way note '* ]]
	command=$(page in | sed -n 's/^ *\$ \(.*--time.*\)/\1/p')
	[[ $command = 'tq-stats -r cuda_api_sum --time=:'*' in' ]]
	[[ $($command) = *'cudaMalloc'* ]]
}

@test "GPUs of many: the worst and the median are named, of ranks by their rank" {
	{
		for r in {0..8}; do
			echo '{"kind":"process","pid":'"$r"',"name":"a","rank":'"$r"'}'
		done
		for r in {0..8}; do
			work memcpy 0 $((100 - r)) 0 c ',"copy":"HtoD"' | sed "s/\"pid\":1/\"pid\":$r/"
			for i in {1..8}; do
				work kernel $((i * 100)) 99 0 k | sed "s/\"pid\":1/\"pid\":$r/"
			done
		done | jq -sc 'sort_by(.ts)[]'
	} | stream > in
	[[ $(found in) = *'loading '*' 100 ns on rank 0 GPU 0, the most of 9 GPUs, and '`
	    `'96 ns on rank 4 GPU 0, their median.'* ]]
}

# busy DEVICE UNTIL: a kernel of 960 us in each ms until then
busy() {
	local i

	for ((i = 0; i < $2; i++)); do
		work kernel $((i * 1000000)) 960000 "$1" k
	done
}

@test "a GPU that hardly works is not the worst one, and the largest share not called the most" {
	{ busy 0 100; work memcpy 500000 10000 1 c ',"bytes":4000000,"copy":"HtoD"'; } |
	    jq -sc 'sort_by(.ts)[]' | stream > in
	run ! grep -q 'critical' <(tq-advise in)
	[[ $(found in) != *'Copies run with nothing beside them'* ]]
	# 40 us of each ms of GPU 0, 1 ms of the 2 ms of GPU 2
	{
		busy 0 100
		busy 1 100
		work kernel 0 1000000 2 k
		work memcpy 1000000 1000000 2 c ',"bytes":4000000,"copy":"HtoD"'
		for i in {0..99}; do
			work memcpy $((i * 1000000 + 960000)) 30000 0 c ',"bytes":4000000,"copy":"HtoD"'
			work memcpy $((i * 1000000 + 960000)) 30000 1 c ',"bytes":4000000,"copy":"HtoD"'
		done
	} | jq -sc 'sort_by(.ts)[]' | stream > in
	[[ $(found in) = *'At most 1.00 ms on GPU 2, the largest share of 3 GPUs, and 3.00 ms on GPU '[01]', their median'* ]]
}

@test "the longest gap of a finding is whole, and that of the page" {
	for i in {0..59}; do
		t=$((i * 10000000))
		echo '{"kind":"osrt","ts":'$t',"dur":8000000,"pid":1,"tid":1,"name":"read"}'
		work kernel $((t + 8110000)) 1500000 0 k "$(called $((t + 8100000)))"
		echo '{"kind":"api","ts":'$((t + 8200000))',"dur":1500000,"pid":1,"tid":1,"corr":9'$i',"name":"cudaDeviceSynchronize","api":"cuda-runtime","ret":0}'
	done | jq -sc 'sort_by(.ts)[]' | stream > in
	[[ $(found in) = *'file-io '*' Longest: 8.00 ms before k. '* ]]
	[[ $(page in) = *' 8.00 ms  8.00 ms  io '* ]]
	tq-advise in | grep -q ' 8.00 ms  gap: host, in read '
}

@test "of processes that share a GPU no gap is called idle time of the GPU" {
	share() { # UUID of the second process
		echo '{"kind":"device","pid":1,"device":0,"name":"A100","uuid":"u"}'
		echo '{"kind":"device","pid":2,"device":0,"name":"A100","uuid":"'"$1"'"}'
		for i in {0..99}; do
			echo '{"kind":"kernel","ts":'$((i * 1000000))',"dur":400000,"pid":1,"tid":1,"corr":'$i',"name":"a","device":0,"context":1,"stream":7'"$(called $((i * 1000000 - 2000)))"'}'
			echo '{"kind":"kernel","ts":'$((i * 1000000 + 500000))',"dur":'"$2"',"pid":2,"tid":2,"corr":'$i',"name":"b","device":0,"context":1,"stream":7'"$(called $((i * 1000000 + 498000)))"'}'
		done
	}
	share u 400000 | stream > in
	[[ $(found in) != *'host launches late'* && $(found in) != *graph-candidate* ]]
	[[ $(tq-advise in) = 'tq-advise: 99.4 ms of 1 device, on which several processes work; 200 operations, no steps, no ranges'* ]]
	tq-advise -f json in | grep -q 'several processes work on the GPU'
	[[ $(page in) = *' 1 GPU (A100) '* ]]
	tq-stats -r info in | grep -q '^GPUs *1: A100$'
	# what the other one does is next to nothing, or it has a GPU of its own
	share u 1000 | stream > in
	[[ $(found in) = *'host-late 59.'* ]]
	share v 400000 | stream > in
	[[ $(found in) = *'host-late 59.'* ]]
}

@test "commands have the operand as it was typed, quoted; FILE for a pipe" {
	late 60 | stream > "it's a file"
	[[ $(page "it's a file") = *"\$ tq-stats -r launch,gaps 'it'\\''s a file'"* ]]
	command=$(page "it's a file" | sed -n 's/^ *\$ \(.*gaps.*\)/\1/p')
	[[ $(bash -c "$command") = *'Longest Gaps'* ]]
	[[ $(page - < "it's a file") = *'$ tq-stats -r launch,gaps FILE'* ]]
	mkdir x && mv "it's a file" ./x/-a
	[[ $(cd x && page ./-a) = *'$ tq-stats -r launch,gaps ./-a'* ]]
}
