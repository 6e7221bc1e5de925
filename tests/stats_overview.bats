#!/usr/bin/env bats
# tq-stats: the page that comes without -r, and what of a stream it is of.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# work KIND TS DUR DEVICE NAME [KEYS]: an operation
work() {
	echo '{"kind":"'"$1"'","ts":'"$2"',"dur":'"$3"',"pid":1,"tid":1,"corr":'"$2"`
	    `',"name":"'"$5"'","device":'"$4"',"context":1,"stream":7'"${6:-}"'}'
}

# launched TS DUR CALL NAME: a kernel whose call of 1 us starts at CALL
launched() {
	work kernel "$1" "$2" 0 "$4" ',"api_ts":'"$3"',"api_dur":1000,'`
	    `'"api_name":"cudaLaunchKernel"'
}

# ask REPORT FILE: its table as compact JSON
ask() {
	tq-stats -r "$1" -f json "$2" | jq -c '.[]'
}

# ---- run ----

@test "run: what was recorded, where, when, of which processes and devices" {
	{
		echo '{"kind":"trace","dur":5,"version":1,"source":"nsys",'`
		    `'"producer":"2024.6","schema":"3.16.1",'`
		    `'"origin_utc_ns":"1700000000000000001","os":"Linux",'`
		    `'"command":"./a.out -x","host":"node7"}'
		echo '{"kind":"process","pid":1,"name":"a.out","rank":3}'
		echo '{"kind":"process","pid":2,"name":"idle"}'
		echo '{"kind":"device","pid":1,"name":"GPU X","device":0,'`
		    `'"sms":4,"memory":1048576,"cc":"9.0"}'
		echo '{"kind":"device","pid":1,"name":"GPU Y","device":1}'
		work kernel -5 10 0 k ',"api_ts":-9,"api_dur":1'
		echo '{"kind":"range","ts":2,"dur":1,"pid":1,"tid":1,"name":"r"}'
		echo '{"kind":"lost","ts":3,"pid":1,"reason":"full","count":4}'
		work memcpy 1000000000 7 0 c
		echo '{"kind":"end","events":8,"dropped":0}'
	} > in
	run -0 --separate-stderr tq-stats -r run -f csv in
	[[ $output = 'Trace,What,Value
0,Recorded By,"nsys 2024.6, schema 3.16.1"
0,Command,./a.out -x
0,Host,"node7, Linux"
0,Start,2023-11-14 22:13:20.000000001 UTC
0,Wall,"1.000000012 s, from -0.000000005 s to 1.000000007 s: '`
	    `'first to last record of the program"
0,Device,"0 of process 1: 2 operations: GPU X, 4 SMs, 1 MiB, compute capability 9.0"
0,Process,"1 a.out, rank 3: 2 operations, 1 range, 1 other event"
0,Process,1 more without an event
0,Events,"1 kernel, 1 memcpy, 1 range, 1 lost"
0,Launches,known of 1 of 2 operations
0,Lost,4 events' ]]
}

@test "run: each trace has its rows, and one that was cut says so" {
	{
		stream '{"kind":"mark","ts":1,"pid":1,"tid":1,"name":"a"}'
		stream '{"kind":"mark","ts":1,"pid":1,"tid":1,"name":"a"}' |
		    head -n 2
	} > in
	run -1 --separate-stderr tq-stats -r run -f csv in
	[[ $output = *'0,Lost,nothing'*'1,Lost,the stream was cut before its end' ]]
	[[ $stderr = *'without its end record' ]]
}

# ---- the page ----

@test "without -r: the overview, in the order of what a person asks" {
	{
		work kernel 0 10 0 a
		work memcpy 20 5 0 c ',"bytes":8,"copy":"HtoD"'
		echo '{"kind":"api","ts":30,"dur":1,"pid":1,"tid":1,"name":"f",'`
		    `'"api":"cuda-runtime"}'
		echo '{"kind":"range","ts":40,"dur":1,"pid":1,"tid":1,"name":"r"}'
		echo '{"kind":"osrt","ts":50,"dur":1,"pid":1,"tid":1,"name":"o"}'
	} | stream > in
	run -0 --separate-stderr tq-stats in
	[[ -z $stderr ]]
	got=$(sed -n 's/.*(\([a-z_:]*\)):$/\1/p' <<< "$output" | paste -sd ' ')
	[[ $got = 'run device_time cuda_gpu_kern_sum cuda_gpu_mem_time_sum '`
	    `'cuda_gpu_mem_size_sum cuda_api_sum nvtx_sum:folded osrt_sum '`
	    `'gaps_sum gaps next' ]]
	[[ $(tq-stats -r overview in) = "$output" ]]
}

@test "the page shows the first rows of what is long, and says how to get all" {
	for i in {1..12}; do work kernel "$i" 1 0 "k$i"; done | stream > in
	run -0 tq-stats in
	[[ $output = *' ... 2 more: -r cuda_gpu_kern_sum'* ]]
	(($(grep -c ' k[0-9]*$' <<< "$output") == 10))
	run -0 tq-stats -f markdown in
	[[ $output = *$'\n2 more: -r cuda_gpu_kern_sum\n'* ]]
	run -0 tq-stats -f html in
	[[ $output = *'<p>2 more: <code>-r cuda_gpu_kern_sum</code></p>'* ]]
	run -0 tq-stats -r cuda_gpu_kern_sum in
	(($(grep -c ' k[0-9]*$' <<< "$output") == 12))
}

@test "a stream in which nothing happened has no page" {
	stream '{"kind":"process","pid":1,"name":"a"}' > in
	run -1 --separate-stderr tq-stats in
	[[ -z $output ]]
	[[ $stderr = 'tq-stats: all reports are empty' ]]
}

# ---- what to look at next ----

@test "next: a device that waits for the host" {
	{
		launched 0 10000 -2000 k
		launched 100000 10000 99000 k
	} | stream > in
	run -0 ask overview in
	run -0 bash -c 'tq-stats -f json in | jq -c ".next[0]"'
	[[ $output = '{"Finding":"GPU idle until the host launches",'`
	    `'"Evidence":"idle for 81.8 % of the time from its first to its '`
	    `'last operation: device 0 of process 1, 98.8 % of the idle time '`
	    `'so","Look At":"gaps, range_self"}' ]]
}

@test "next: a device that waits for a host that waited for it" {
	{
		launched 0 10000 -2000 k
		echo '{"kind":"api","ts":1000,"dur":62000,"pid":1,"tid":1,'`
		    `'"name":"cudaDeviceSynchronize"}'
		launched 100000 10000 99000 k
	} | stream > in
	run -0 bash -c 'tq-stats -f json in | jq -r ".next[0].Finding"'
	[[ $output = 'GPU idle after host synchronisation' ]]
}

@test "next: tq-correlate only where the stream did not go through it" {
	look() {
		tq-stats -f json "$@" | jq -r '.next[0]["Look At"],
		    (.run[] | select(.What == "Launches").Value)'
	}

	{ work kernel 0 10 0 a; work kernel 90 10 0 a; } | stream > in
	[[ $(look in) = $'tq-correlate, then gaps\nunknown, until tq-correlate '`
	    `'finds them' ]]
	# that found no call of them
	tq-correlate in > correlated
	[[ $(look correlated) = $'gaps\nknown of 0 of 2 operations' ]]
	# nor does a queue need it
	{
		launched 0 10000 -20000 k
		launched 100000 10000 -15000 k
	} | stream > in
	[[ $(look in) = $'gaps\nknown of 2 of 2 operations' ]]
}

@test "next: communication and copies that nothing hides, short kernels" {
	{
		work kernel 0 10 0 a ',"api_ts":-90,"api_dur":80'
		work kernel 10 5 0 ncclAllReduce ',"api_ts":-5,"api_dur":80'
		work memcpy 15 5 0 c ',"bytes":8,"copy":"HtoD"'
	} | stream > in
	run -0 bash -c 'tq-stats -f json in | jq -r ".next[]|[.[]]|@tsv"'
	[[ ${lines[0]} = 'communication is not hidden'$'\t''25.0 % of the time '`
	    `'in which it is busy: device 0 of process 1'$'\t''overlap, step' ]]
	[[ ${lines[1]} = 'copies are not hidden'$'\t''25.0 %'* ]]
	[[ ${lines[2]} = 'kernels are short'$'\t''100.0 % of the launches of '`
	    `'kernels and graphs with a known call ran shorter than that call'`
	    `$'\t''launch' ]]
	[[ ${lines[3]} = 'one kernel takes the most'$'\t''66.6 % of the time of '`
	    `'all kernels: a'$'\t''hist' ]]
}

@test "next: the graph takes the time, not the short kernels beside it" {
	{
		work kernel 0 10 0 a ',"api_ts":-90,"api_dur":80'
		work graph 100 9000 0 "" ',"graph":3,"api_ts":15,"api_dur":50,'`
		    `'"api_name":"cudaGraphLaunch"'
		work kernel 9101 10 0 b ',"api_ts":70,"api_dur":30'
	} | stream > in
	run -0 bash -c 'tq-stats -f json in | jq -r ".next[]|[.[]]|@tsv"'
	[[ $output = 'one graph takes the most'$'\t''99.7 % of the time of what '`
	    `'was launched: [CUDA graph 3]'$'\t''launch, cuda_gpu_sum' ]]
	# the same without the calls: the kernels are not what takes the most
	run -0 bash -c 'sed "s/,\"api_.*}/}/" in | tq-stats -f json |
	    jq -r ".next[].Finding"'
	[[ $output = 'nothing stands out' ]]
}

@test "2024.6.2-cuda-graphs: ten launches of one graph take 7.8 s" {
	need data
	run -0 bash -c "tq-stats -f json '$(correlated 2024.6.2-cuda-graphs)' |"'
	    jq -r ".launch[0].Count, .next[].Finding"'
	[[ ${lines[0]} = 10 && $output = *'one graph takes the most' ]]
	[[ $output != *'short'* && $output != *'one kernel'* ]]
}

@test "next: kernels are short only where their calls take a tenth of their time" {
	{
		work kernel 0 10 0 a ',"api_ts":-90,"api_dur":80'
		work kernel 10 10 0 a ',"api_ts":-5,"api_dur":80'
		work kernel 20 5000 0 b ',"api_ts":-5,"api_dur":80'
	} | stream > in
	[[ $(tq-stats -f json in) != *'kernels are short'* ]]
	sed -i s/5000/200/ in
	[[ $(tq-stats -f json in) = *'kernels are short'*'66.6 % of the launches'* ]]
}

@test "next: where nothing stands out, it says so" {
	for i in {0..4}; do work kernel $((i * 10)) 10 0 "k$i"; done |
	    stream > in
	run -0 bash -c 'tq-stats -f json in | jq -r ".next[].Finding"'
	[[ $output = 'nothing stands out' ]]
}

@test "next: alone it has no table to look at" {
	work kernel 0 10 0 k | stream > in
	run -1 tq-stats -r next in
	[[ $output = *'it is a part of overview' ]]
}

# ---- by rank ----

@test "--by-rank: each rank has its rows, those without one come last" {
	{
		echo '{"kind":"process","pid":1,"name":"a","rank":1}'
		echo '{"kind":"process","pid":2,"name":"a","rank":0}'
		echo '{"kind":"process","pid":3,"name":"a"}'
		for p in 3 1 1 2; do
			echo '{"kind":"osrt","ts":1,"dur":'"$p"',"pid":'"$p"`
			    `',"tid":1,"name":"f"}'
		done
	} | stream > in
	run -0 bash -c 'tq-stats --by-rank -r osrt_sum -f json in |
	    jq -c ".[]|[.Rank,.[\"Num Calls\"],.[\"Total Time (ns)\"],.Name]"'
	[[ $output = '[0,1,2,"f"]
[1,2,2,"f"]
[null,1,3,"f"]' ]]
}

@test "--by-rank: streams that know of no rank are ranks by their number" {
	for i in 1 2; do
		echo '{"kind":"osrt","ts":1,"dur":'"$i"',"pid":1,"tid":1,"name":"f"}' |
		    stream > "$i"
	done
	sed '1s/"source"/"rank":7,&/' 2 > 3
	run -0 bash -c 'tq-stats --by-rank -r osrt_sum -f json 1 2 1 3 |
	    jq -c ".[]|[.Rank,.[\"Total Time (ns)\"]]" | paste -sd " "'
	[[ $output = '[0,1] [1,2] [2,1] [7,2]' ]]
}

@test "--by-rank: the ranks together are the whole, for each sum" {
	need data
	sed 's/"pid":144,"name":"python3"/&,"rank":0/
	    s/"pid":145,"name":"python3"/&,"rank":1/' "$(extracted 2026.2.1-mfu-2gpu)" | tq-correlate > in
	for r in cuda_gpu_kern_sum cuda_api_sum nvtx_gpu_proj_sum device_time; do
		tq-stats -r "$r" -f ndjson in > whole
		tq-stats --by-rank -r "$r" -f ndjson in > parts
		for f in whole parts; do
			jq -s 'map(to_entries|map(select(.key|test("Total|Compute|Instances|Calls")).value // 0)|add)|add' $f
		done | uniq | wc -l > n
		(($(cat n) == 1))
	done
	[[ $(jq -c .Rank parts | sort -u | paste -sd ' ') = '0 1' ]]
}

@test "--by-rank is not of text, nor of partials" {
	stream > in
	run -2 tq-stats --by-rank -r hist in
	run -2 tq-stats --by-rank --partial in
	run -2 tq-stats --by-rank --merge in
}
