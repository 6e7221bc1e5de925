#!/usr/bin/env bats
# tq-stats: the page that comes without -r, and what of a stream it is of.

load helper
load page

# one_of_each: a stream with an operation or call of each kind
one_of_each() {
	{
		work kernel 0 10 0 a
		work memcpy 20 5 0 c ',"bytes":8,"copy":"HtoD"'
		echo '{"kind":"api","ts":30,"dur":1,"pid":1,"tid":1,"name":"f",'`
		    `'"api":"cuda-runtime"}'
		echo '{"kind":"range","ts":40,"dur":1,"pid":1,"tid":1,"name":"r"}'
		echo '{"kind":"osrt","ts":50,"dur":1,"pid":1,"tid":1,"name":"o"}'
	} | stream
}

# launched TS DUR CALL NAME: a kernel whose call of 1 us starts at CALL
launched() {
	work kernel "$1" "$2" 0 "$4" ',"api_ts":'"$3"',"api_dur":1000,'`
	    `'"api_name":"cudaLaunchKernel"'
}

# ask REPORT FILE: its table as compact JSON
ask() {
	tq-stats -r "$1" -f json1 "$2" | jq -c '.[]'
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

@test "without -r: the page, in the order of what a person asks" {
	one_of_each > in
	run -0 --separate-stderr tq-stats in
	[[ -z $stderr ]]
	got=$(sed -n 's/^\([A-Z][A-Z ]*[A-Z]\)\(  .*\)*$/\1/p' <<< "$output" | paste -sd ,)
	[[ $got = 'GPU TIME,KERNELS,WHERE THE GPU WAITS,MEMCPY AND MEMSET,'`
	    `'CUDA API CALLS,RANGES,RECORDED,GO ON' ]]
	[[ $(tq-stats -r overview in) = "$output" ]]
}

@test "for machines the overview is tables, in the order of what a person asks" {
	one_of_each > in
	run -0 bash -c 'tq-stats -f json1 in | jq -r "keys_unsorted | join(\" \")"'
	[[ $output = 'run device_time cuda_gpu_kern_sum cuda_gpu_mem_time_sum '`
	    `'cuda_gpu_mem_size_sum cuda_api_sum nvtx_sum:folded osrt_sum '`
	    `'gaps_sum gaps_sum:thing gaps next' ]]
	# likewise where rows are chosen
	run -0 tq-stats --top 1 in
	got=$(sed -n 's/.*(\([a-z_:]*\)):$/\1/p' <<< "$output" | paste -sd ' ')
	[[ $got = 'run device_time '*' gaps_sum gaps_sum:thing gaps next' ]]
}

@test "the page shows the first rows of what is long, and says how to get all" {
	for i in {1..12}; do work kernel "$i" 1 0 "k$i"; done | stream > in
	run -0 tq-stats in
	[[ $output = *$'\n 58.3  in 7 more: tq-stats -r cuda_gpu_kern_sum in\n'* ]]
	(($(grep -c ' k[0-9]*$' <<< "$output") == 5))
	run -0 tq-stats -f markdown in
	[[ $output = *$'\n2 more: -r cuda_gpu_kern_sum\n'* ]]
	run -0 tq-stats -f html in
	[[ $output = *'4 more, 33.3 %: <code>tq-stats -r cuda_gpu_kern_sum in</code>'* ]]
	run -0 tq-stats -r cuda_gpu_kern_sum in
	(($(grep -c ' k[0-9]*$' <<< "$output") == 12))
}

@test "an empty recording says so, with the producer, and how to record" {
	stream '{"kind":"process","pid":1,"name":"a"}' > in
	run -0 --separate-stderr tq-stats in
	[[ $output = *$'\nNothing was recorded but names of processes and threads.\n'* ]]
	[[ $output = *$'\nRECORDED\ntest\n'*$'\nGO ON\ntq-capture -o r.tq ./program '* ]]
	[[ $output != *'tq-perfetto'* && -z $stderr ]]
	# for machines there is no table
	run -1 --separate-stderr tq-stats -f csv in
	[[ -z $output && $stderr = 'tq-stats: all reports are empty' ]]
	# nor is there a page of nothing
	echo -n > nothing
	run -1 tq-stats nothing
}

@test "sums that do not fit, and negative durations, make a page" {
	local i dur

	for i in {1..30}; do
		dur=$((i % 3 == 0 ? -i : 9223372036854775807 - i))
		echo '{"kind":"osrt","ts":'"$i"',"dur":'"$dur"',"pid":1,"tid":1,"name":"f'"$i"'"}'
		echo '{"kind":"range","ts":'"$i"',"dur":'"$dur"',"pid":1,"tid":1,"name":"r'"$i"'"}'
	done | stream > in
	for format in table html json; do
		run -0 tq-stats -q -f $format in
		[[ -n $output ]]
	done
	[[ $(tq-stats -q in) = *' more: tq-stats -r osrt_sum in'* ]]
}

@test "without GPU operations: ranges by time of the host, OS calls, samples" {
	{
		echo '{"kind":"range","ts":0,"dur":9,"pid":1,"tid":1,"name":"r"}'
		echo '{"kind":"range","ts":1,"dur":5,"pid":1,"tid":1,"name":"s"}'
		echo '{"kind":"osrt","ts":2,"dur":3,"pid":1,"tid":1,"name":"poll"}'
		echo '{"kind":"sample","ts":3,"pid":1,"tid":1}'
	} | stream > in
	run -0 tq-stats in
	[[ $output = *$'\nNo GPU operation is in this recording.\n'* ]]
	[[ $output = *$'\nOS CALLS  of 3 ns in calls, all threads\n'*' poll'* ]]
	[[ $output = *$'\nFUNCTIONS  of 1 sample\n'*' [no stack]'* ]]
	[[ $output = *$'\nRANGES'*$'\nOn host  N  Mean  Range\n   9 ns  1  9 ns  r\n'* ]]
	[[ $output != *'KERNELS'* && $output != *'GPU TIME'* ]]
	[[ $output != *'capture kernels too'* ]]
	# with calls of CUDA, kernels could have been recorded
	echo '{"kind":"api","ts":4,"dur":1,"pid":1,"tid":1,"name":"cudaMalloc",'`
	    `'"api":"cuda-runtime"}' | cat <(sed '$d' in) - > in2
	run tq-stats in2
	[[ $output = *'capture kernels too'* && $output = *'cudaMalloc'* ]]
}

@test "without GPU operations, functions of samples lead, then operators of PyTorch" {
	{
		echo '{"kind":"stack","id":1,"frames":["f (x.py:3)","main (x.py:9)"]}'
		echo '{"kind":"range","ts":0,"dur":90,"pid":1,"tid":1,"domain":"torch","name":"aten::linear"}'
		echo '{"kind":"api","ts":1,"dur":5,"pid":1,"tid":1,"name":"cudaMalloc","corr":1}'
		echo '{"kind":"range","ts":10,"dur":70,"pid":1,"tid":1,"domain":"torch","name":"aten::addmm"}'
		echo '{"kind":"sample","ts":20,"pid":1,"tid":1,"stack":1}'
		echo '{"kind":"osrt","ts":22,"dur":3,"pid":1,"tid":1,"name":"poll"}'
	} | stream > in
	titles=$(printf '%s\n' FUNCTIONS OPERATORS 'CUDA API CALLS' 'OS CALLS' RANGES)
	run -0 tq-stats in
	[[ $(grep -oE '^[A-Z][A-Z ]*[A-Z]\b' <<< "$output" |
	    grep -v 'RECORDED\|GO ON') = "$titles" ]]
	[[ $output = *$'\nOPERATORS  of 90 ns of their own, all threads\n   %   Self  Total  N  Operator\n77.8  70 ns  70 ns  1  aten::addmm\n16.7  15 ns  90 ns  1  aten::linear\n 5.6   5 ns   5 ns  1  cudaMalloc\n'* ]]
	[[ $output = *$'\nFUNCTIONS  of 1 sample\n    %  Self  Total  Function\n100.0     1      1  f (x.py)\n  0.0     0      1  main (x.py)\n'* ]]
	run -0 tq-stats -f html in
	[[ $(grep -o '<h2>[^<]*' <<< "$output" | head -n 2) = \
	    $'<h2>Functions\n<h2>Operators' ]]
	run -0 tq-stats -f json1 in
	[[ $(jq -c 'keys_unsorted[:3]' <<< "$output") = \
	    '["run","torch_ops","functions"]' ]]
	# with an operation of a device the page is about that
	echo '{"kind":"kernel","ts":50,"dur":1,"pid":1,"device":0,"stream":1,"name":"k"}' |
	    cat <(sed '1d; $d' in) - | stream > gpu
	run -0 tq-stats gpu
	[[ $output != *OPERATORS* && $output = *KERNELS*FUNCTIONS* ]]
	run -0 tq-stats -f json1 gpu
	[[ $(jq 'has("torch_ops")' <<< "$output") = false ]]
}

@test "GPU busy of ranges counts once what is within ranges of its name" {
	range() {
		echo '{"kind":"range","ts":'"$2"',"dur":'"$3"',"pid":1,"tid":'"$4"',"name":"'"$1"'","id":'$((++ids))'}'
	}
	# op TS DUR: and the call of it, 100 before, on thread 1
	op() {
		echo '{"kind":"api","ts":'$(($1 - 100))',"dur":1,"pid":1,"tid":1,"name":"cudaLaunchKernel","api":"cuda-runtime","corr":'"$1"'}'
		echo '{"kind":"kernel","ts":'"$1"',"dur":'"$2"',"pid":1,"device":0,"stream":1,"name":"k","corr":'"$1"'}'
	}
	ids=0
	{
		range outer 0 500 1; range f 10 400 1; range f 20 300 1
		range g 30 200 1; range f 40 100 1
		range f 600 100 1; range f 600 100 1
		for i in {1..9}; do # a family in itself
			range "layer.$i" $((790 + i)) $((200 - 2 * i)) 1
		done
		range f 20 300 2 # on another thread; no operation
		op 150 30; op 250 20; op 450 10 # of f 30 + 20
		op 750 7                        # of both of one time
		op 1000 5                       # of all layers
	} > events
	jq -sc 'sort_by(.ts, -.dur)[]' events | stream | tq-correlate -o in
	run -0 tq-stats in
	table=$(sed -n '/^RANGES/,/^$/p' <<< "$output")
	grep -E '^ *60 ns .* outer$' <<< "$table"
	grep -E '^ *67 ns .* f$' <<< "$table"
	grep -E '^ *50 ns .* g$' <<< "$table"
	grep -E '^ *5 ns .* layer\.\*$' <<< "$table"
}

@test "9 GPUs or more: the least, the median and the most busy are shown" {
	gpus() {
		local i
		for ((i = 0; i < $1; i++)); do
			work kernel 0 $((1000 - i * 10)) $i k
		done | stream > in
		tq-stats in | sed -n '/^GPU TIME/,/^$/p' | grep -o '^GPU [0-9]* ' |
		    tr -d '\n'
	}

	[[ $(gpus 8) = 'GPU 0 GPU 1 GPU 2 GPU 3 GPU 4 GPU 5 GPU 6 GPU 7 ' ]]
	[[ $(gpus 9) = 'GPU 8 GPU 4 GPU 0 ' ]]
	tq-stats in | grep -q '6 more'
}

@test "a GPU of two processes is one" {
	{
		for p in 1 2; do
			echo '{"kind":"device","pid":'"$p"',"name":"X","device":0,"uuid":"a1"}'
		done
		work kernel 0 50 0 a
		work kernel 40 60 0 b | sed 's/"pid":1/"pid":2/'
	} | stream > in
	run -0 tq-stats in
	[[ $output = *'The GPU computes 100.0 % of the time.'* ]]
	[[ $output = *' 1 GPU (X) '* ]]
}

@test "overview: reports that its page has, too, may stand before and behind it" {
	one_of_each > in
	tq-stats -f csv -r overview in > page
	for report in gaps gaps:stream gaps,run cuda_gpu_kern_sum; do
		tq-stats -f csv -r "$report" in > alone
		run -0 --separate-stderr tq-stats -f csv -r "overview,$report" in
		[[ $output = "$(cat page; echo; cat alone)" ]]
		run -0 --separate-stderr tq-stats -f csv -r "$report,overview" in
		[[ $output = "$(cat alone; echo; cat page)" ]]
	done
	run -0 --separate-stderr tq-stats -f csv -r overview,overview in
	[[ $output = "$(cat page; echo; cat page)" ]]
}

@test "overview: two devices of a process are two GPUs, whatever their UUIDs say" {
	{ for d in 0 1; do
		echo '{"kind":"device","pid":1,"device":'$d',"name":"G","uuid":"GPU-1"}'
	  done
	  for ts in 0 900; do for d in 0 1; do
		echo '{"kind":"kernel","ts":'$ts',"dur":100,"pid":1,"device":'$d',"context":1,"stream":7,"name":"k"}'
	  done; done; } | stream > in
	tq-stats -q in > page
	grep -q ' 2 GPUs (G) ' page
	grep -q '^The GPUs compute 20.0 % of the time, idle 80.0 %.$' page
	[[ $(tq-stats -q -f csv -r device_time in | tail -n +2 |
	    cut -d, -f1-4,7) = "1,0,1000,200,800
1,1,1000,200,800" ]]
}

@test "of steps the median, the least and the most; not the first" {
	for i in 0 1 2 3; do
		echo '{"kind":"range","ts":'$((i * 500))',"dur":'$((400 - i * 100))`
		    `',"pid":1,"tid":1,"name":"step '"$i"'"}'
		# they end 700, 400 and 560 ns one after the other
		dur=(100 300 200 260)
		work kernel $((i * 500 + 10)) "${dur[i]}" 0 k
	done | stream > in
	run -0 tq-stats in
	[[ $output = *$'\nSTEPS  of 4 steps, the first left out\n'* ]]
	got=$(sed -n '/^STEPS/,/^$/p' <<< "$output" | awk '/ns/ { print $1, $2, $NF }' |
	    paste -sd ,)
	[[ $got = 'median 560 3,least 400 2,most 700 1' ]]
}

# ---- what to look at next ----

@test "next has the findings of the page as a table" {
	{
		launched 0 10000 -2000 k
		launched 100000 10000 99000 k
	} | stream > in
	run -0 bash -c 'tq-stats -f json1 in | jq -c ".next[0]"'
	[[ $output = '{"Finding":"one-time","Share (%)":null,"Group":"one-time","Evidence":"A single '`
	    `'gap of 90.0 us is a fifth of all time, or more. At most 89.0 us '`
	    `'(hint). Of it the host is 89.0 us in nothing that was recorded. Longest: 89.0 us before k. '*'","Look At":'`
	    `'"tq-stats -r gaps in"}' ]]
}

@test "run says that launches are unknown only where tq-correlate did not run" {
	look() {
		tq-stats -f json1 "$@" | jq -r '.next[0].Finding,
		    (.run[] | select(.What == "Launches").Value)'
	}

	{ work kernel 0 10 0 a; work kernel 90 10 0 a; } | stream > in
	[[ $(look in) = $'not-correlated\nunknown, until tq-correlate finds them' ]]
	tq-correlate in > correlated
	[[ $(look correlated) != *'not-correlated'* ]]
	[[ $(look correlated) = *$'\nknown of 0 of 2 operations' ]]
}

@test "a gpu-range that PyTorch recorded does not mean that tq-correlate ran" {
	launches() {
		tq-stats -f json1 -r run |
		    jq -r '.[] | select(.What == "Launches").Value'
	}
	own='{"kind":"gpu-range","ts":0,"dur":9,"device":0,"name":"step"}'

	{ work kernel 0 10 0 a; echo "$own"; } | stream > in
	[[ $(launches < in) = 'unknown, until tq-correlate finds them' ]]
	[[ $(sed 's/"name":"step"/&,"range":1/' in | launches) = 'known of 0 of 1 operation' ]]
}

@test "2024.6.2-cuda-graphs: ten launches of one graph take 7.8 s" {
	need data
	run -0 bash -c "tq-stats -f json1 '$(correlated 2024.6.2-cuda-graphs)' |"'
	    jq -r ".launch[0].Count, .next[].Finding"'
	[[ $output = $'10\n'* && $output = *$'\ngraphs-as-a-whole'* ]]
	run -0 tq-stats "$(correlated 2024.6.2-cuda-graphs)"
	[[ $output = *$'\n99.9  ████████  7.81 s  10  781 ms '*' [CUDA graph 4]'* ]]
}

# graphs: three launches of one graph and one of another, as a whole, and kernels
graphs() {
	{
		for i in 0 1 2 3; do
			echo '{"kind":"graph","ts":'$((i * 1000))',"dur":'$((i * 100 + 100))',"pid":1,"device":0,"stream":7,"graph":'$((i / 3 + 4))'}'
		done
		work kernel 5000 300 0 a
		work kernel 6000 700 0 b
	} | stream
}

@test "cuda_gpu_graph_sum: launches and times of each graph that was traced as a whole" {
	graphs > in
	run -0 tq-stats -f csv -r cuda_gpu_graph_sum in
	[[ $output = 'Time (%),Total Time (ns),Launches,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name
60.0,600,3,200.0,200.0,100,300,100.0,[CUDA graph 4]
40.0,400,1,400.0,400.0,400,400,0.0,[CUDA graph 5]' ]]
	# graphs that were traced by node are kernels
	tq-stats -f csv -r cuda_gpu_graph_sum "$(extracted graph)" | cut -d, -f 2,3,9 > rows
	[[ $(< rows) = $'Total Time (ns),Launches,Name\n9300,3,[CUDA graph 4]' ]]
}

@test "the page has graphs that were traced as a whole; shares of them and of kernels have one base" {
	graphs > in
	run -0 tq-stats in
	[[ $output = *$'\nGRAPHS  of 2.00 us of graphs and kernels\n'* ]]
	[[ $output = *$'\nKERNELS  of 2.00 us of graphs and kernels\n'* ]]
	shares=$(awk '/^GRAPHS/, /^WHERE/ { if ($1 ~ /^[0-9]/) print $1, $NF }' <<< "$output")
	[[ $shares = $'30.0 4]\n20.0 5]\n35.0 b\n15.0 a' ]]
	run -0 tq-stats -f html in
	[[ $output = *'<h2>Graphs</h2>'*'[CUDA graph 4]'*'<h2>Kernels</h2>'* ]]
	run -0 bash -c 'tq-stats -f json1 in | jq -c "[.cuda_gpu_graph_sum[].Name]"'
	[[ $output = '["[CUDA graph 4]","[CUDA graph 5]"]' ]]
	# without a graph there is neither
	grep '"kind":"kernel"' in | stream > plain
	run -0 tq-stats -q plain
	[[ $output != *GRAPHS* && $output = *$'\nKERNELS  of 1.00 us of kernel time\n'* ]]
}

@test "the share behind the rows of a table has the base of the rows" {
	# 6 directions of 100 ns in 2 us
	{
		for copy in HtoD DtoH DtoD PtoP HtoA AtoH; do
			echo '{"kind":"memcpy","ts":'$((at += 100))',"dur":100,"pid":1,"device":0,"stream":7,"bytes":8,"copy":"'$copy'"}'
		done
		work kernel 2000 100 0 k
	} | stream > in
	run -0 tq-stats in
	[[ $output = *$'\n  5.0  in 1 more: tq-stats -r memory in\n'* ]]
}

@test "next: where nothing stands out, it says so" {
	for i in {0..4}; do launched $((i * 10)) 10 -5000 "k$i"; done | stream > in
	run -0 bash -c 'tq-stats -f json1 in | jq -r ".next[].Finding"'
	[[ $output = 'nothing stands out' ]]
	[[ $(tq-stats in) != *'$ '* ]]
}

@test "next: alone and beside others it is the table of overview" {
	tq-extract "$(demo)" | tq-correlate > in
	tq-stats -f json1 in | jq -c '.next' > got
	[[ $(< got) = '[{'* ]]
	tq-stats -f json1 -r next in | jq -c . | cmp got -
	tq-stats -f json1 -r gaps,next in | jq -c .next | cmp got -
	tq-stats -f json1 -r next,overview in | jq -c .next | cmp got -
	run -2 tq-stats --partial -r next in
	[ "$output" = 'tq-stats: next cannot be merged: a finding needs all records together' ]
	echo '{"kind":"mark","ts":1,"pid":1,"tid":1,"name":"m"}' | stream > in
	run -1 tq-stats -r next in
	[ "$output" = 'tq-stats: next: no finding, and no operation of a device in the stream' ]
}

@test "every report that is listed prints, or names the records that are not there" {
	local name

	tq-extract "$(demo)" | tq-correlate > in
	while read -r name _; do
		[[ $name != @(group) ]] || continue # it needs -g
		run --separate-stderr tq-stats -r "$name" in
		if [ "$status" -eq 0 ]; then
			[ "${#lines[@]}" -ge 1 ]
			continue
		fi
		[ "$status" -eq 1 ]
		[[ $stderr = *"tq-stats: $name: no"*" in the stream"* ]] ||
		    { echo "$name: $stderr"; return 1; }
	done < <(tq-stats --help-reports | grep '^ ')
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
	run -0 bash -c 'tq-stats --by-rank -r osrt_sum -f json1 in |
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
	run -0 bash -c 'tq-stats --by-rank -r osrt_sum -f json1 1 2 1 3 |
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
			jq -s 'map(to_entries|map(select(.key|test("total|compute|instances|calls")).value // 0)|add)|add' $f
		done | uniq | wc -l > n
		(($(cat n) == 1))
	done
	[[ $(jq -c .rank parts | sort -u | paste -sd ' ') = '0 1' ]]
}

@test "--by-rank is not of text, nor of partials" {
	stream > in
	run -2 tq-stats --by-rank -r hist in
	run -2 tq-stats --by-rank --partial in
	run -2 tq-stats --by-rank --merge in
}

# recording COMMAND START [RANK]: a stream with a kernel
recording() {
	stream '{"kind":"kernel","ts":1,"dur":5,"pid":1,"device":0,"name":"k"}' |
	    jq -c --arg command "$1" --arg start "$2" --argjson rank "${3:-null}" '
		if .kind == "trace" then
			. + {$command, host: "h", origin_utc_ns: $start}
			+ if $rank then {$rank} else {} end
		else . end'
}

@test "recordings that are not the ranks of a job have a line each" {
	recording './a --x' 1700000000000000000 > a.tq
	recording './b' 1700000001000000000 > b.tq
	tq-stats a.tq b.tq > page
	[[ $(head -n 1 page) = '2 recordings' ]]
	grep -qx 'trace 0: a.tq, a --x, h, 2023-11-14 22:13:20.000000000 UTC' page
	grep -qx 'trace 1: b.tq, b, h, 2023-11-14 22:13:21.000000000 UTC' page
	# at the top, once
	sed -n '3,/^$/p' page | diff - <(grep '^trace .: ' page; echo)
	tq-stats --digest a.tq b.tq | grep -qx 'trace 1: b.tq, b, .*'
	tq-stats -f html a.tq b.tq > page
	grep -q 'trace 1: b.tq, b, h' page
	# of a file with both none is named
	cat a.tq b.tq > both.tq
	tq-stats both.tq | grep -qx 'trace 1: b, h, .*'
	# the same command again
	recording './a --x' 1700000001000000000 > c.tq
	[[ $(tq-stats a.tq c.tq | head -n 1) = '2 recordings: a --x' ]]
	! grep -q 'read twice' <(tq-stats a.tq c.tq) || return 1
	# one, and ranks, are what they were
	[[ $(tq-stats a.tq | head -n 1) = 'a.tq: a --x' ]]
	recording './a --x' 1700000000000000000 0 > r0.tq
	recording './a --x --rank 1' 1700000000000000001 1 > r1.tq
	tq-stats r0.tq r1.tq > page
	[[ $(head -n 1 page) = 'a --x' ]]
	! grep -q '^trace 0: ' page || return 1
	recording './a --x' 1700000000000000005 1 > again.tq
	[[ $(tq-stats r0.tq r1.tq again.tq | head -n 1) = '3 recordings' ]]
}

@test "a recording that is given twice is said to be" {
	recording './a' 1700000000000000000 > a.tq
	recording './b' 1700000001000000000 > b.tq
	for format in table html; do
		COLUMNS=200 tq-stats -f $format a.tq b.tq a.tq > page
		grep -q 'A recording is read twice' page
		grep -q 'Traces .*0.* and .*2.* have the same start' page
	done
	! grep -q 'read twice' <(tq-stats a.tq b.tq) || return 1
}
