#!/usr/bin/env bats
# tq info, which is the report info of tq-stats

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# value WHAT: its values in the report of the stream on the standard input
value() {
	tq-stats -r info --plain-keys -f ndjson |
	    jq -r --arg what "$1" 'select(.what == $what).value'
}

records() {
	cat <<- 'END'
	{"kind":"process","pid":1,"name":"train","rank":0}
	{"kind":"device","pid":1,"device":0,"name":"H100","bus":"0:1"}
	{"kind":"api","ts":0,"dur":10,"pid":1,"tid":1,"corr":1,"name":"cudaLaunchKernel","api":"cuda-runtime","ret":0}
	{"kind":"kernel","ts":20,"dur":100,"pid":1,"corr":1,"name":"k","device":0,"context":1,"stream":7,"api_ts":0}
	{"kind":"api","ts":30,"dur":1000,"pid":1,"tid":1,"corr":2,"name":"cudaDeviceSynchronize","api":"cuda-runtime","ret":0}
	{"kind":"memcpy","ts":520,"dur":1500,"pid":1,"corr":3,"copy":"HtoD","bytes":8,"device":0,"context":1,"stream":7}
	END
}

@test "info says what is in a recording, in a line for each thing" {
	run -0 tq-stats -r info <(records | stream)
	diff - <(printf '%s\n' "${lines[@]}" | grep -v -e ^Files -e ^Next -e ^Reports) <<- 'END'
	Recorded By   test
	GPUs          1: H100
	Window        2.02 us, from 0.000 s to 0.000 s: first to last record of the program
	Active        2.00 us from the first to the last operation of a GPU, from 0.000 s to 0.000 s
	Processes     1 with records, 1 with operations of a GPU
	Ranks         1: 0
	Events        1 kernel, 1 memcpy, 2 api
	Launches      known of 1 of 2 operations
	API Calls     1 launch, 1 wait; none of 2 calls failed
	Lost          nothing
	Evidence      nothing found against it
	Not Recorded  ranges, calls of the OS, switches of threads, CPU samples, allocations, counters
	END
}

@test "tq info is the same, of whatever tq reads" {
	cp "$(demo)" 'a run.sqlite'
	tq info 'a run.sqlite' > got
	tq stats -r info 'a run.sqlite' | cmp - got
	(($(wc -l < got) >= 12 && $(wc -l < got) <= 18))
	tq extract 'a run.sqlite' | tq correlate > a.tq
	for input in a.tq - .; do
		[[ $input != . ]] || rm a.tq
		tq info $input < 'a run.sqlite' |
		    grep -v -e ^Files -e ^Next > other
		grep -v -e ^Files -e ^Next got | diff - other || return 1
	done
	tq info -f json 'a run.sqlite' | jq -e .
	[[ $(tq info --plain-keys -f ndjson 'a run.sqlite' |
	    jq -r 'select(.what == "Files").value') = "'a run.sqlite'" ]]
	$(tq info --plain-keys -f ndjson 'a run.sqlite' |
	    jq -r 'select(.what == "Next").value' | sed "s/ 'a run.sqlite'//") \
	    'a run.sqlite' | grep -q .
}

@test "info has the evidence, what it takes away, and calls that failed" {
	records | sed 's/"corr":1,"name":"cudaL\(.*\)"ret":0/"corr":9,"name":"cudaL\1"ret":222/' |
	    stream > failed.tq
	[[ $(value 'API Calls' < failed.tq) = *'1 of 2 calls failed' ]]
	[[ $(value Evidence < failed.tq) = '1 of 1 cudaLaunchKernel failed'*'takes away: advice'* ]]
	records | sed 's/,"ret":0//' | stream > uncoded.tq
	[[ $(value 'API Calls' < uncoded.tq) = *'what calls returned is not recorded' ]]
	records | stream | sed '$d' > cut.tq
	run -1 tq-stats -q -r info cut.tq
	[[ $output = *'the stream was cut before its end'* ]]
}

@test "info sums up all recordings, and counts their ranks" {
	for rank in 0 1 2 5; do
		records | sed "s/\"rank\":0/\"rank\":$rank/" | stream
	done > all.tq
	[[ $(value Ranks < all.tq) = '4: 0 to 2, 5' ]]
	[[ $(value GPUs < all.tq) = '4: H100' ]]
	[[ $(value Events < all.tq) = '4 kernel, 4 memcpy, 8 api' ]]
	[[ $(value Window < all.tq) = '8.08 us of 4 recordings together' ]]
	[[ $(value Active < all.tq) = '8.00 us from'* ]]
}

@test "reports that info names have rows" {
	local names name

	((${#EXPORTS[@]} > 0)) || skip 'no real data'
	for name in 2021.3.2-no-cuda-tables 2022.4.2-nvtx-domains \
	    2022.2.1-nonlazy-mpi 2023.1.2-julia 2025.3.1-cupy-nvtx \
	    2026.1.1-vectoradd; do
		tq-extract "$DATA/nsys/$name.sqlite" 2> extract.err |
		    tq-correlate > s.tq
		names=$(value Reports < s.tq | tr -d ' ')
		# nothing but what has no event at all names none
		[[ $names || $name = 2021.3.2* ]]
		for report in ${names//,/ }; do
			run -0 tq-stats -q -r "$report" s.tq
			[[ $output ]] || return 1
		done
	done
}

@test "the numbers of info are those of SQL" {
	data nsys/2026.2.1-h100-2gpu.sqlite
	launches=$(sqlite3 "$data" "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_RUNTIME
	    JOIN StringIds ON id = nameId WHERE value LIKE 'cudaLaunchKernel%'")
	((launches == 3346))
	tq info "$data" | grep "^API Calls  *3,346 launch, .* 8 wait, .*; none of 5,796 calls failed$"
}

@test "names of the stream are one line of info, without control characters" {
	stream '{"kind":"device","pid":1,"device":0,"name":"H\u001b[31m1\n00"}' \
	    '{"kind":"kernel","ts":0,"dur":5,"pid":1,"device":0,"name":"k"}' |
	    jq -c 'if .kind == "trace" then . + {command: "a\nb \u001b]0;t\u0007"} else . end' > in
	tq-stats -r info in > got
	[[ $(grep ^Command got) = 'Command       a b ?]0;t?' ]]
	[[ $(grep ^GPUs got) = 'GPUs          1: H?[31m1 00' ]]
	! grep -q '^[^A-Z]' got || return 1
	# programs read them as they are
	[[ $(value Command < in) = $'a\nb \e]0;t\a' ]]
}

@test "info counts models and facts that it does not name" {
	{
		for i in {1..6}; do
			echo '{"kind":"device","pid":1,"device":'"$i"',"name":"model '"$i"'"}'
		done
		for i in {1..6}; do
			echo '{"kind":"kernel","ts":'"$i"',"dur":5,"pid":1,"device":'"$i"',"name":"k"}'
		done
	} | stream > in
	[[ $(value GPUs < in | tail -n 2) = $'1: model 4\n2 more models' ]]
}

@test "operations that never end are active to the end of the recording" {
	stream '{"kind":"api","ts":0,"dur":500,"pid":1,"tid":1,"name":"a"}' \
	    '{"kind":"kernel","ts":100,"open":true,"pid":1,"device":0,"name":"k"}' > in
	[[ $(value Active < in) = '400 ns from the first'* ]]
}

@test "a failed call that an export has twice is one" {
	{
		echo '{"kind":"api","ts":0,"dur":50,"pid":1,"tid":1,"corr":1,"name":"cudaMalloc","api":"cuda-runtime","ret":2}'
		echo '{"kind":"api","ts":1,"dur":40,"pid":1,"tid":1,"corr":1,"name":"cudaMalloc","raw":"cudaMalloc_v3020","api":"cuda-runtime","ret":2}'
		echo '{"kind":"api","ts":90,"dur":5,"pid":1,"tid":1,"corr":2,"name":"cudaMalloc","raw":"cudaMalloc_v3020","api":"cuda-runtime","ret":0}'
	} | stream > in
	[[ $(value 'API Calls' < in) = '2 alloc; 1 of 2 calls failed' ]]
	[[ $(value Evidence < in) = '1 of 2 cudaMalloc failed: '* ]]
	[[ $(tq-stats -f csv -r api_errors in | sed -n 2p) = 1,2,0,1,2,* ]]
	[[ $(tq-stats -f csv -r cuda_api_sum in | sed -n 2p | cut -d, -f 3) = 2 ]]
	tq-advise in | grep -q '1 of 2 cudaMalloc failed'
}

@test "folded stacks have counts, and neither times nor processes" {
	printf '%s\n' 'main;a;b 100' 'main;c 1000' > in.folded
	tq-extract in.folded > in
	tq-stats -r info in > rows
	run ! grep -E '^Window|[0-9] ns' rows
	grep -qx 'Processes     unknown: no record names its process' rows
	COLUMNS=80 tq-stats in > page
	[[ $(sed -n 2p page) = 'nothing lost' ]]
	grep -q '^FUNCTIONS  of 1,100 samples$' page
	tq-stats -f html in > html
	run ! grep ' recorded<' html
	# samples of perf have times, but may have no process
	printf '%s\n' 'a 7 [000] 1.000000: 1 cycles:' '	1 f (x)' '' \
	    'a 7 [000] 1.500000: 1 cycles:' '	1 f (x)' '' > perf.txt
	tq-extract perf.txt | tq-stats -r info > rows
	grep -q '^Window        500 ms' rows
	grep -qx 'Processes     unknown: no record names its process' rows
}

@test "the last sample of speedscope lasts as long as its weight" {
	cat > in.json <<- 'END'
	{"$schema": "https://www.speedscope.app/file-format-schema.json",
	 "version": "0.1.2", "shared": {"frames": [{"name": "a"}, {"name": "b"}]},
	 "profiles": [{"type": "sampled", "name": "p", "unit": "seconds",
	  "startValue": 0, "endValue": 14, "samples": [[0], [0, 1]], "weights": [9, 5]}]}
	END
	tq-extract in.json > in
	tq-stats -r info in | grep '^Window        14.0 s, from 0.000 s to 14.000 s'
	COLUMNS=80 tq-stats in > page
	[[ $(sed -n 2p page) = '14.0 s recorded '* ]]
	grep -q '^FUNCTIONS  of 14.0 s on processors, by samples$' page
}
