#!/usr/bin/env bats
# tq-stats: gaps, gaps_sum, launch and launch_queue: small streams with what
# has to come of them, and all real exports against jq

load helper
load gaps

# ---- causes ----

@test "host: the call of what comes next starts in the gap, most of it later" {
	{ op kernel 100 50 10 20; op kernel 400 10 390 20; } | cause_of_gap |
	    is "150,250,240,1,0,host,k,launch"
	# from the start of the call on it is being launched
	{ op kernel 100 50 10 20; op kernel 400 10 151 20; } | cause_of_gap |
	    is "150,250,1,1,0,launch,k,launch"
	# at the very end of the work it has not come too late
	{ op kernel 100 50 10 20; op kernel 400 10 150 20; } | cause_of_gap |
	    is "150,250,0,1,0,launch,k,launch"
}

@test "sync: the thread that launches waited for the device most of the gap" {
	{ call 50 300 cudaDeviceSynchronize; op kernel 100 50 10 20
	  op kernel 400 10 380 20; } | cause_of_gap |
	    is "150,250,230,1,0,sync,k,launch"
	{ call 60 270 cudaMemcpy; op memcpy 100 50 60 270 '"copy":"DtoH"'
	  op kernel 400 10 380 20; } | cause_of_gap |
	    is "150,250,230,1,0,sync,k,launch"
}

# split: duration, Until Call and Sync of the gap of a stream, and the sums of
# its causes
split() {
	stream > one
	table gaps one | cut -d, -f 2-4
	table gaps_sum one | cut -d, -f 3,5 |
	    grep -vE '^(busy|before|after)' | paste -sd ' '
}

@test "a gap is sync only as long as the thread that launches was in a call that waits" {
	ops() { op kernel 100 50 10 20; op kernel 400 10 300 20; }

	# to 155, and 200 to 210; not in 300 to 310, when the call had started
	{ call 50 105 cudaDeviceSynchronize; op kernel 100 50 10 20
	  call 160 20 cudaEventSynchronize 2; call 200 10 cuStreamSynchronize
	  op kernel 400 10 300 20; } | split | is "250,150,15
host,135 sync,15 launch,100"
	# calls within each other count once
	{ call 140 100 cudaDeviceSynchronize; call 150 50 cuCtxSynchronize
	  ops; } | jq -sc 'sort_by(.ts)[]' | split | is "250,150,90
host,60 sync,90 launch,100"
	# a call that starts in the gap waits as well
	{ op kernel 100 50 10 20; call 290 30 cudaDeviceSynchronize
	  op kernel 400 10 300 20; } | split | is "250,150,10
host,140 sync,10 launch,100"
}

@test "cudaMemcpyAsync waits where the memory of the host is pageable" {
	copy() { # SRC DST
		{ call 60 100 cudaMemcpyAsync
		  op memcpy 100 50 60 100 '"copy":"DtoH","src":"'"$1"'","dst":"'"$2"'"'
		  op kernel 400 10 300 20; } | split
	}

	copy Device Pageable | is "250,150,10
host,140 sync,10 launch,100"
	copy Pageable Device | is "250,150,10
host,140 sync,10 launch,100"
	copy Device Pinned | is "250,150,0
host,150 launch,100"
}

@test "the wait of a copy is found though the copy comes after later waits" {
	{
		call 20 30 cudaMemcpyAsync
		op kernel 10 30 1 1
		call 60 10 cudaStreamSynchronize
		call 80 5 cudaStreamSynchronize
		op memcpy 90 10 20 30 '"device":1,"src":"Pageable","dst":"Device"'
		op kernel 200 10 150 20
	} | jq -sc 'sort_by(.ts)[]' | stream > in
	# 40 to 50, 60 to 70, 80 to 85
	table gaps in | cut -d, -f 1-4 | is "40,160,110,25"
}

@test "it is host where the wait ended before, began after, or was another's" {
	ops() { op kernel 100 50 10 20; op kernel 400 10 300 20; }
	host="150,250,150,1,0,host,k,launch"

	{ call 50 99 cudaDeviceSynchronize; ops; } | cause_of_gap | is "$host"
	{ call 50 105 cudaDeviceSynchronize 2; ops; } | cause_of_gap | is "$host"
	{ call 50 105 cudaMemcpyAsync; ops; } | cause_of_gap | is "$host"
	{ call 50 105 cudaGraphAddMemcpyNode; ops; } | cause_of_gap | is "$host"
	{ op kernel 100 50 10 20; call 151 5 cudaDeviceSynchronize
	  op kernel 400 10 300 20; } | cause_of_gap | is "$host"
}

@test "a wait is found however many others there were since" {
	{
		call 50 105 cuStreamSynchronize
		op kernel 100 50 10 20
		for ((i = 0; i < 1000; i++)); do
			call $((200 + i)) 1 cudaStreamSynchronize 2
		done
		op kernel 4000 10 300 20
	} | stream > in
	table gaps in | cut -d, -f 1-4 | is "150,3850,150,5"
}

@test "all waits of a gap count, however many there were" {
	{
		op kernel 100 50 10 20
		awk 'BEGIN { for (i = 0; i < 5000; i++)
		    printf "{\"kind\":\"api\",\"ts\":%d,\"dur\":3,\"pid\":1,\"tid\":1,\"name\":\"cudaEventSynchronize\"}\n", 200 + i * 10 }'
		op kernel 100010 10 100000 20
	} | stream > in
	table gaps in | cut -d, -f 1-4 | is "150,99860,99850,15000"
	table gaps_sum in | cut -d, -f 3,5 | grep sync | is "sync,15000"
}

@test "launch: the call was under way; next, queue: it was over" {
	{ op kernel 100 50 10 20; op kernel 40000 1 120 31; } | cause_of_gap |
	    is "150,39850,0,1,0,launch,k,launch"
	{ op kernel 100 50 10 20; op kernel 10149 1 40 110; } | cause_of_gap |
	    is "150,9999,0,1,0,next,k,launch"
	{ op kernel 100 50 10 20; op kernel 10150 1 40 110; } | cause_of_gap |
	    is "150,10000,0,1,0,queue,k,launch"
}

@test "unknown: the operation has no call" {
	{ op kernel 100 50 10 20; op memset 300 1; } | cause_of_gap |
	    is "150,150,,1,0,unknown,[CUDA memset],"
}

@test "copy, kernel: of a stream that waited while another was at work" {
	first() { op kernel 100 50 10 20; }
	last() { op kernel 40000 1 40 20; }

	{ first; op memcpy 160 9000 45 1 '"stream":8,"copy":"HtoD"'; last; } |
	    cause_of_gap :stream | is "150,39850,0,1,0,1,7,copy,k,launch"
	{ first; op kernel 160 9000 45 1 '"stream":8'; last; } |
	    cause_of_gap :stream | is "150,39850,0,1,0,1,7,kernel,k,launch"
	{ op memcpy 90 60 45 1 '"stream":8,"copy":"HtoD"'; first; last; } |
	    cause_of_gap :stream | is "150,39850,0,1,0,1,7,queue,k,launch"
}

# ---- gaps ----

@test "gaps are those of a device: what overlaps leaves none" {
	{ op kernel 100 100 1 1; op kernel 150 10 2 1 '"stream":8'
	  op kernel 200 10 3 1; op kernel 215 5 4 1 '"stream":8'
	  op kernel 220 5 4 1 '"device":1'; } | stream > in
	# the last one is on a device of its own
	gaps "" in | is "210,5,0,1,0,next,k,launch"
	gaps :stream in | is "160,55,0,1,0,1,8,next,k,launch"
}

@test "the 100 longest gaps come, longest first, of equal ones the first" {
	for ((i = 0; i < 300; i++)); do
		op kernel $((i * 1000 + i * 7919 % 13)) 10 0 1 "\"name\":\"k$i\""
	done | stream > in
	gaps "" in | cut -d, -f1,2,7 > got
	jq -nr '[inputs | select(.kind == "kernel")] |
	    [range(1; length) as $i | (.[$i - 1].ts + 10) as $from |
	    [$from, .[$i].ts - $from, .[$i].name]] |
	    sort_by(-.[1], .[0])[:100][] | map(tostring) | join(",")' in |
	    diff - got
	(($(wc -l < got) == 100))
}

@test "each section has its own devices and its own time" {
	{ op kernel 100 50 10 20; op kernel 400 10 300 20; } | stream > in
	gaps "" in in | sort | uniq -c | awk '{ print $1, $2 }' |
	    is "2 150,250,150,1,0,host,k,launch"
	table gaps_sum in in | cut -d, -f1-5 | is "1,0,busy,2,60
1,0,host,1,150
1,0,launch,1,100
1,0,busy,2,60
1,0,host,1,150
1,0,launch,1,100"
}

# ---- gaps_sum ----

@test "gaps_sum tells what all of the time went into" {
	{ call 0 5 cudaMalloc; op kernel 100 50 10 20; op kernel 160 40 20 20
	  op kernel 300 100 250 20; call 990 10 cudaFree; } | stream > in
	tq-stats -f csv -r gaps_sum in | is "PID,Device,Cause,Count,Total (ns),\
Of Wall (%),Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),\
HTA Host Wait (ns),HTA Kernel Wait (ns),HTA Other (ns),Shared GPU,Meaning,\
Finer Cause,Thing,Thing Time (ns)
1,0,before,1,100,10.0,100.0,100.0,100,100,0.0,,,,,nothing was launched yet,,,
1,0,busy,3,190,19.0,63.3,50.0,40,100,32.1,,,,,an operation ran,,,
1,0,host,1,50,5.0,50.0,50.0,50,50,0.0,50,0,0,,the next operation was not launched yet,host,,50
1,0,launch,1,50,5.0,50.0,50.0,50,50,0.0,50,0,0,,the next operation was being launched,launch,launch,50
1,0,next,1,10,1.0,10.0,10.0,10,10,0.0,0,10,0,,\"from one operation to the next, less than 10 us\",next,,10
1,0,after,1,600,60.0,600.0,600.0,600,600,0.0,,,,,nothing came any more,,,"
}

# things: cause, finer cause, thing and time of gaps_sum:thing
things() {
	stream > one
	tq-stats -q -f csv -r gaps_sum:thing one | tail -n +2 | cut -d, -f 3-5,7
}

@test "gaps_sum:thing has what the launching thread was in, and for how long" {
	{ op kernel 0 100 0 10 '"tid":1'
	  echo '{"kind":"range","ts":90,"dur":800,"pid":1,"tid":1,"name":"load 7","id":9}'
	  call 120 100 cudaMalloc
	  echo '{"kind":"osrt","ts":150,"dur":20,"pid":1,"tid":1,"name":"ioctl"}'
	  echo '{"kind":"osrt","ts":300,"dur":200,"pid":1,"tid":1,"name":"read","file":"/data/x"}'
	  echo '{"kind":"osrt","ts":400,"dur":200,"pid":1,"tid":2,"name":"poll"}'
	  echo '{"kind":"gil","ts":600,"dur":50,"pid":1,"tid":1,"name":"wait"}'
	  op kernel 1100 10 1000 20 '"tid":1'; } | jq -sc 'sort_by(.ts)[]' |
	    things | is "host,host,load *,440
host,io,read /data/x,200
host,host,,110
host,alloc,cudaMalloc,100
launch,launch,launch,100
host,python-lock,load *,50"
}

@test "of a gap with more than 65536 stretches the sums stay, of each thing and of all ranges" {
	{
		op kernel 100 100 50 10
		awk 'BEGIN {
		    for (i = 0; i < 150000; i++)
			printf "{\"kind\":\"osrt\",\"ts\":%d,\"dur\":4,\"pid\":1,\"tid\":1,\"name\":\"%s\"}\n", 1000 + i * 10, i % 3 ? "read" : "usleep"
		    for (i = 0; i < 60000; i++)
			printf "{\"kind\":\"range\",\"ts\":%d,\"dur\":5,\"pid\":1,\"tid\":1,\"id\":%d,\"name\":\"r%c%c%c%c\",\"mode\":\"push\"}\n", 2000000 + i * 10, i, 97 + i % 26, 97 + i / 26 % 26, 97 + i / 676 % 26, 97 + i / 17576 }'
		op kernel 3000000 100 2999000 10
	} | things > rows
	grep -x 'host,io,read,400000' rows
	grep -x 'host,sleep,usleep,200000' rows
	# the whole gap is 2999800 ns, of which 1000 are in the launch
	awk -F, '$2 == "host" { n += $4 } END { exit n != 2998800 - 600000 }' rows
	(($(grep -c '^host,host,,' rows) == 1))
}

@test "things and their times are those of a search through each ns, of random streams" {
	need python3
	run -0 python3 "$top/tests/properties/things.py" {1..100}
}

@test "a launch that loads its kernel is first-use, a long time after it queue" {
	{ op kernel 0 100 0 10
	  op kernel 70000 10 1000 60000 '"name":"slow"'
	  op kernel 90000 10 80000 5
	  op kernel 200000 10 95000 60000 '"name":"slow"'; } | things |
	    is "launch,launch,launch,70000
launch,first-use,slow,69000
launch,queue,,45000
host,host,,15880"
}

# waits_for EVENT: a gap of 100 us, in which the host waits for 10 us, and then the
# kernel in its queue, behind a wait of its stream for that
waits_for() {
	op kernel 100 100 10 20 '"name":"gemm"'
	op memcpy 150 40 15 1 '"copy":"HtoD"'
	call 150 10050 cudaDeviceSynchronize
	echo '{"kind":"sync","ts":10300,"dur":1,"pid":1,"corr":3,"device":0,"context":1,"stream":20,"sync":"stream wait event"'"$1"'}'
	op kernel 100200 10 10320 10 '"name":"relu","stream":20'
}

@test "a wait is named with what ran last on the device, time in a queue by the event and its stream" {
	local host="sync,sync,cudaDeviceSynchronize after gemm,10000
host,host,,120
launch,launch,launch,10"

	waits_for ',"event":3,"wait_stream":9,"wait_corr":2' | things |
	    is "launch,queue,event 3 of stream 9,89870
$host"
	waits_for ',"event":3,"wait_stream":9,"wait_context":2' | things |
	    is "launch,queue,event 3 of stream 9 of context 2,89870
$host"
	waits_for '' | things | is "launch,queue,an event,89870
$host"
	# the wait of another stream, and one that a launch before it had
	waits_for ',"event":3' | sed 's/"stream":20,"sync"/"stream":21,"sync"/' |
	    things | is "launch,queue,,89870
$host"
	{ waits_for ',"event":3'; op kernel 200200 10 10400 10 '"stream":20'
	} | things | grep -x 'queue,queue,,99990'
	# a copy that ends later than the kernel before it
	waits_for ',"event":3' | sed 's/"dur":40/"dur":90/' | things |
	    grep -F 'cudaDeviceSynchronize after [CUDA memcpy Host-to-Device],9960'
	# also in the list of gaps, and where the launch was long ago
	waits_for ',"event":3' | stream > in
	table gaps in | cut -d, -f 17-19 | is "queue,event 3,89870"
	waits_for ',"event":3' | sed 's/"api_ts":10320/"api_ts":60/
	    s/"ts":10300/"ts":50/' | jq -sc 'sort_by(.ts)[]' | things |
	    is "queue,queue,event 3,100000"
}

@test "pages of unified memory that were touched are page-fault, prefetched ones not" {
	moved() { # TS COPY CAUSE
		printf '{"kind":"memcpy","ts":%s,"dur":10,"pid":1,"device":0,"copy":"UVM %s","args":{"n":1,"migrationCause":"%s"}}\n' "$@"
	}

	# of equal members of args the last one counts
	{ op kernel 0 100; moved 200 DtoH 'User prefetch","migrationCause":"Page fault'
	  moved 260 HtoD "Speculative prefetch"; moved 300 HtoD "User prefetch"; } |
	    things | is "unknown,page-fault,touched by the host,100
unknown,page-fault,touched by the device,50
unknown,unknown,,30"
}

@test "all threads wait for the profiler, and for code that is loaded" {
	over() { # TS DUR NAME
		printf '{"kind":"overhead","ts":%s,"dur":%s,"pid":1,"name":"%s"}\n' "$@"
	}

	{ op kernel 0 100 0 10; over 150 50 'Buffer Flush'
	  over 300 100 'Lazy Module Loading'; op kernel 500 10 350 20
	  op kernel 600 10 550 20; } | things | is "host,host,,190
launch,launch,launch,150
host,load,Lazy Module Loading,50
host,profiler,Buffer Flush,50
launch,first-use,k,50"
}

@test "what never ended lasts to the end of the section" {
	{ echo '{"kind":"kernel","ts":100,"pid":1,"name":"k","device":0,"open":true}'
	  call 990 10 cudaFree; } | stream > in
	table gaps_sum in | cut -d, -f3-5 | is "busy,1,900"
}

@test "a stream that was not correlated has gaps of unknown cause" {
	{ op kernel 100 50; op kernel 400 10; } | stream > in
	table gaps_sum in | cut -d, -f3-5 | is "busy,2,60
unknown,1,250"
	gaps "" in | is "150,250,,1,0,unknown,k,"
}

# ---- launch ----

@test "launch tells of calls, of waiting in the queue, and of the kernels" {
	{ op kernel 100 50 10 20; op kernel 160 10 20 30
	  op kernel 171 9 165 11; op memcpy 190 5 1 1
	  op kernel 200 5 180 6 '"graph_node":3,"api_name":"cudaGraphLaunch"'
	  op kernel 300 5; } | stream > in
	tq-stats -f csv -r launch in | is "Count,API Total (ns),API Avg (ns),\
API Med (ns),Queue Avg (ns),Queue Med (ns),Queue Max (ns),Kernel Avg (ns),\
Kernel Med (ns),Short (%),Graph,API Name,Name
3,61,20.3,20.0,60.0,70.0,110,23.0,10.0,66.7,no,launch,k
1,6,6.0,6.0,14.0,14.0,14,5.0,5.0,100.0,yes,cudaGraphLaunch,[CUDA graph]"
}

@test "launch: a graph is launched once for all of its operations" {
	# twice 64 kernels and a copy, of one call each; then one of another
	# graph that was traced as a whole
	{ for at in 1000 5000; do
		for i in {0..63}; do
			op kernel $((at + 30 * i)) 20 $((at - 100)) 40 \
			    '"corr":'$at',"graph":4,"graph_node":'"$i"',"api_name":"cudaGraphLaunch"'
		done
		op memcpy $((at + 1920)) 15 $((at - 100)) 40 \
		    '"corr":'$at',"graph":4,"graph_node":99,"api_name":"cudaGraphLaunch"'
	  done
	  op graph 9000 7000 8000 50 '"graph":7,"api_name":"cudaGraphLaunch"'
	} | stream > in
	tq-stats -f csv -r launch in | tail -n +2 | is "\
2,80,40.0,40.0,60.0,60.0,60,1935.0,1935.0,0.0,yes,cudaGraphLaunch,[CUDA graph 4]
1,50,50.0,50.0,950.0,950.0,950,7000.0,7000.0,0.0,yes,cudaGraphLaunch,[CUDA graph 7]"
}

@test "launch: the sections of a stream have graphs of their own" {
	{ op kernel 100 20 10 40 '"corr":1,"graph_node":1'
	  op kernel 200 20 10 40 '"corr":1,"graph_node":2'; } | stream > one
	cat one one > in
	[[ $(tq-stats -f csv -r launch in | tail -n 1 | cut -d, -f1,2,8) = \
	    2,80,120.0 ]]
}

@test "launch and launch_queue say that a stream is not correlated" {
	op kernel 100 50 | stream > in
	run -1 --separate-stderr tq-stats -r launch in
	[[ $stderr == "tq-stats: launch: the stream did not go through tq-correlate" ]]
	run -1 --separate-stderr tq-stats -r launch_queue in
	[[ $stderr == "tq-stats: launch_queue: the stream did not go through tq-correlate" ]]
}

# ---- launch_queue ----

@test "launch_queue counts what was launched and has not finished" {
	# in the queue: [0,100] [10,150] [20,200] and, of one call, twice
	# [150,400], where the second has left it
	{ op kernel 50 50 0 5; op kernel 100 50 10 5; op memset 150 50 20 5
	  op kernel 200 200 150 5; op kernel 200 200 150 5; } | stream > in
	tq-stats -f csv -r launch_queue in | is "PID,Device,Context,Stream,Ops,\
Launches,Max Depth,Max At (ns),Avg Depth,Span (ns)
1,0,1,7,5,4,3,20,2.30,400"
}

@test "launch_queue keeps streams apart, and takes calls in any order" {
	{ op kernel 50 50 30 5; op kernel 60 30 0 5 '"stream":8'
	  op kernel 100 50 20 5; } | stream > in
	table launch_queue in | is "1,0,1,7,2,2,2,30,1.54,130
1,0,1,8,1,1,1,0,1.00,90"
}

# ---- real exports, against oracle/gaps.jq ----

compare_gaps() { # FILE
	oracle gaps longest "$1" > theirs
	table gaps "$1" | cut -d, -f2,5,6 | sort > ours || true
	# of equal gaps at the end others may have been kept
	diff <(cut -d, -f1 ours) <(sort theirs | cut -d, -f1)
}

# what all of the time of devices or streams went into, with one line for gaps
compare_sums() { # FILE REPORT KEY COLUMNS
	oracle gaps "sums($3)" "$1" | sort > theirs
	table "$2" "$1" > rows || true
	awk -F, -v n="$4" '
	    { key = $1; for (i = 2; i <= n; i++) key = key "," $i
	      cause = $(n + 1); all[key] += $(n + 3)
	      if (cause != "before" && cause != "busy" && cause != "after")
		cause = "gaps"
	      sum[key "," cause] += $(n + 3) }
	    END { for (k in sum) printf "%s,%.0f\n", k, sum[k]
		  for (k in all) printf "%s,wall,%.0f\n", k, all[k] }' rows |
	    sort | grep -v ",0\$" | diff - theirs
}

compare_causes() { # FILE
	oracle gaps causes "$1" | sort > theirs
	table gaps_sum "$1" > rows || true
	cut -d, -f1-5 rows | grep -vE ',(before|busy|after),' |
	    sort | diff - theirs
}

compare_launches() { # FILE
	oracle gaps launches "$1" | sort > theirs
	tq-stats -q -f json1 -r launch "$1" > rows || true
	jq -rc '.[] | [.["Name"], .["API Name"], .["Count"],
	    .["API Total (ns)"], .["Queue Max (ns)"]]' rows |
	    sort | diff - theirs
}

compare_queues() { # FILE
	oracle gaps queues "$1" | sort > theirs
	table launch_queue "$1" > rows || true
	cut -d, -f1-7,10 rows | sort | diff - theirs
}

sums_of_devices() { compare_sums "$1" gaps_sum device 2; }
sums_of_streams() { compare_sums "$1" gaps_sum:stream stream 4; }

# the four of device_time are the busy ones here, and its idle all others
agree_with_device_time() { # FILE
	table device_time "$1" | awk -F, \
	    '{ printf "%s,%s,%.0f,%.0f\n", $1, $2, $3 - $7, $3 }' |
	    sort > theirs
	table gaps_sum "$1" > rows || true
	awk -F, '{ k = $1 "," $2; wall[k] += $5 }
	    $3 == "busy" { busy[k] = $5 }
	    END { for (k in wall)
		printf "%s,%.0f,%.0f\n", k, busy[k], wall[k] }' rows |
	    sort | diff - theirs
}

@test "the longest gaps are those that jq finds, in every file" {
	each compare_gaps
}

@test "busy, gaps, and both ends of each device add up to the wall" {
	each sums_of_devices
}

@test "so they do of each stream" {
	each sums_of_streams
}

@test "busy and wall are those of device_time" {
	each agree_with_device_time
}

@test "the causes are those that jq finds, in every file" {
	each compare_causes
}

@test "the sums of launches are those of jq, in every file" {
	each compare_launches
}

@test "the depths of queues are those of jq, in every file" {
	each compare_queues
}

@test "a gap at the border of a window says that it is one of the window" {
	gap_causes() {
		tq-stats -q -f csv -r gaps_sum "$@" | cut -d, -f 3,16 | grep -e before -e after
	}
	file=$(correlated demo)
	[[ $(gap_causes --time 1ms:59ms "$file" | sort -u | xargs) = \
	    'after,nothing came any more in the window before,nothing ran yet in the window' ]]
	[[ $(gap_causes --time :59ms "$file" | sort -u | xargs) = \
	    'after,nothing came any more in the window before,nothing was launched yet' ]]
}
