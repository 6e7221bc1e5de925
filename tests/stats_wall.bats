#!/usr/bin/env bats
# tq-stats: the wall, which shares of time are of; what reports of time make of
# a part of it; GPUs that processes share; that these reports agree

load helper
load gaps

# recorded NS: records of standard input as a stream with a window of NS
recorded() {
	stream | sed '1s/"version"/"dur":'"$1"',&/'
}

# wall: of the device in standard input, and what it is; and the times before
# and after its operations
wall() {
	cat > in
	tq-stats -f csv -r device_time in | tail -n +2 | cut -d, -f 3,13
	tq-stats -f csv -r gaps_sum in |
	    awk -F, '$3 == "before" || $3 == "after" { print $3, $5 }'
}

# ---- what the wall is ----

@test "the wall is the recorded window, if records reach from one end to the other" {
	{
		echo '{"kind":"diagnostic","ts":-500,"text":"start"}'
		echo '{"kind":"sample","ts":30,"pid":1,"tid":1}'
		op kernel 100 50 10 20
		call 160 40 cudaFree
		echo '{"kind":"diagnostic","ts":9000,"text":"end"}'
	} | recorded 300 | wall | is "300,recorded window
before 100
after 150"
}

@test "without a window the wall is from the first to the last record of the program" {
	{
		echo '{"kind":"overhead","ts":-500,"dur":400,"pid":1}'
		echo '{"kind":"diagnostic","ts":-90,"text":"start"}'
		echo '{"kind":"osrt","ts":30,"dur":10,"pid":1,"tid":1,"name":"f"}'
		op kernel 100 50 10 20
		call 160 40 cudaFree
		echo '{"kind":"lost","ts":9000,"pid":1,"count":1}'
	} | stream | wall | is "170,first to last record of the program
before 70
after 50"
}

@test "where a file was cropped or filtered, the wall is of the records in the window" {
	{
		echo '{"kind":"api","ts":-900,"dur":0,"pid":1,"tid":1,"name":"Graph Creation"}'
		echo '{"kind":"sched","ts":30,"pid":1,"tid":1,"cpu":0,"on":true}'
		op kernel 100 50 10 20
		echo '{"kind":"osrt","ts":200,"dur":300,"pid":1,"tid":1,"name":"poll"}'
	} > records
	# no record reaches the end of the window
	recorded 1000 < records | wall |
	    is "470,first to last record of the program
before 70
after 350"
	# none reaches its beginning
	sed 1d records | recorded 400 | wall |
	    is "370,first to last record of the program
before 70
after 250"
	# one record lasts beyond it, another was before time 0
	recorded 400 < records | wall | is "400,recorded window
before 100
after 250"
}

@test "a window in which an operation does not start is not the wall" {
	{
		echo '{"kind":"diagnostic","ts":0,"text":"start"}'
		op kernel 5000 50 10 20
		echo '{"kind":"diagnostic","ts":9000,"text":"end"}'
	} | recorded 1000 | wall | is "50,first to last record of the program"
	# one that ends behind the window extends it
	{
		echo '{"kind":"diagnostic","ts":0,"text":"start"}'
		op kernel 900 200 10 20
		echo '{"kind":"diagnostic","ts":9000,"text":"end"}'
	} | recorded 1000 | wall | is "1100,recorded window
before 900"
}

@test "real recordings are as busy as their program was, not their profiler" {
	local name busy

	while read -r name busy; do
		data "nsys/$name.sqlite"
		tq-stats -r device_time -f csv "$(extracted "$name")" |
		    tail -n +2 | cut -d, -f 8,13 | is "$busy,recorded window"
	done <<- 'END'
		2024.6.2-cuda-graphs 99.3
		2025.3.1-cupy-nvtx 62.4
		2024.5.1-cloverleaf 25.4
	END
	# it was cropped to the last of 295 s
	data nsys/2026.2.1-h100-2gpu.sqlite
	tq-stats -r device_time -f csv "$(extracted 2026.2.1-h100-2gpu)" |
	    tail -n +2 | cut -d, -f 3,13 | sort -u |
	    is "969447605,first to last record of the program"
}

@test "run, device_time, gaps_sum and :pct have one wall, and say what it is" {
	{
		echo '{"kind":"diagnostic","ts":-500,"text":"start"}'
		op kernel 100 50 10 20
		echo '{"kind":"diagnostic","ts":9000,"text":"end"}'
	} | recorded 200 > in
	run -0 tq-stats -r run,device_time,gaps_sum,cuda_gpu_kern_sum:pct in
	[[ $output = *'Wall '*' 0.000000200 s, from 0.000000000 s to '`
	    `'0.000000200 s: recorded window'* ]]
	for r in device_time gaps_sum cuda_gpu_kern_sum:pct; do
		[[ $output = *": the wall is the recorded window ($r):"* ]]
	done
	tq-stats -r cuda_gpu_kern_sum:pct -f json1 in |
	    jq '.[0]["Total of Wall (%)"] + 0' | is 25
	tq-stats -r device_time -f json1 in | jq '.[0]["Busy of Wall (%)"] + 0' | is 25
	tq-stats -r gaps_sum -f json1 in | jq '.[1]["Of Wall (%)"] + 0' | is 25
	# of two sections with different ones
	op kernel 100 50 10 20 | stream > other
	run -0 tq-stats -r gaps_sum in other
	[[ $output = *'the wall is, by section, the recorded window or the first '`
	    `'to last record of the program'* ]]
}

@test "every percentage of the page names what it is of" {
	{
		op kernel 100 50 10 20
		op memcpy 160 10 90 5 '"copy":"DtoH","bytes":8'
		echo '{"kind":"api","ts":10,"dur":20,"pid":1,"tid":1,"name":"launch","api":"cuda-runtime"}'
		echo '{"kind":"range","ts":40,"dur":1,"pid":1,"tid":1,"name":"r"}'
		echo '{"kind":"osrt","ts":50,"dur":1,"pid":1,"tid":1,"name":"o"}'
	} | jq -sc 'sort_by(.ts)[]' | stream > in
	COLUMNS=120 tq-stats in > page
	# the title of each table with a column of percent
	awk '/^[A-Z][A-Z]/ { title = $0 }
	    / % / && !/[0-9]/ { n++; if (title !~ " of ") print title }
	    END { if (n != 4) print n " tables" }' page > unnamed
	[[ ! -s unnamed ]]
	grep -q '^GPU TIME  of ' page
}

# ---- parts of the time ----

@test "--time: device_time and gaps_sum are cut at the borders" {
	{
		echo '{"kind":"osrt","ts":0,"dur":1000,"pid":1,"tid":1,"name":"wait"}'
		op kernel 100 50 10 20
		op kernel 400 100 390 20
	} | stream > in
	table device_time in --time 120ns:450ns | cut -d, -f 3,13 |
	    is "330,first to last record of the program"
	tq-stats --time 120ns:450ns -f csv -r device_time in | tail -n +2 |
	    cut -d, -f 4,7,8 | is "80,250,24.2"
	table gaps_sum in --time 120ns:450ns | cut -d, -f 3,5 |
	    is "busy,80
host,240
launch,10"
	# all windows together are the whole
	for w in /120ns 120ns/450ns 450ns/; do
		table gaps_sum in --time $w
	done | awk -F, '$3 == "busy" { n += $5 } END { print n }' | is 150
}

@test "--time: step has whole steps, and all of what they are made of" {
	{
		for i in 0 1 2 3 4; do
			echo '{"kind":"range","ts":'$i'000,"dur":900,"pid":1,"tid":1,"name":"step '$i'"}'
			op kernel ${i}050 300 $((i * 1000 + 40)) 5
			op kernel ${i}500 200 $((i * 1000 + 480)) 5
			call ${i}300 420 cudaDeviceSynchronize
		done
	} | jq -sc 'sort_by(.ts)[]' | stream > in
	table step in > all
	for w in 1600ns:2100ns 1100ns:1150ns 2500ns:2600ns 0: ; do
		table step in --time $w > part
		[[ -s part ]]
		comm -13 <(sort all) <(sort part) | is ""
	done
	table step in --time 1600ns:2100ns | cut -d, -f 1 | paste -sd ' ' |
	    is "1 2"
	table step in --filter-nvtx 'step 2' | is "$(sed -n 3p all)"
	run -1 tq-stats -r step --time 940ns:950ns in
	[[ $output = 'tq-stats: step: no step overlaps the window, or is in the range' ]]
}

# ---- a GPU that processes share ----

# two processes on one GPU, and the first of them on another
shared() {
	{
		echo '{"kind":"device","pid":1,"name":"A","device":0,"gpu":3,"uuid":"77-1"}'
		echo '{"kind":"device","pid":1,"name":"B","device":1,"gpu":4,"uuid":"77-2"}'
		echo '{"kind":"device","pid":2,"name":"A","device":0,"gpu":3,"uuid":"77-1"}'
		op kernel 0 40 -5 2
		op kernel 20 40 10 2 '"device":1'
		op kernel 60 20 50 2
		op kernel 70 20 55 2 | sed 's/"pid":1/"pid":2/'
		op kernel 95 5 92 2
	} | stream > in
}

@test "a GPU that processes share has a row of its own in device_time" {
	shared
	table device_time in | cut -d, -f 1-4,7,8,12,14,15 |
	    is "1,0,100,65,35,65.0,3,3,A
1,1,100,40,60,40.0,1,,B
2,0,100,20,80,20.0,1,3,A
,,100,75,25,75.0,4,3,A"
	# a process alone has none
	grep -v '"pid":2' in > one
	table device_time one | cut -d, -f 1,2,14 | is "1,0,
1,1,"
}

# two_devices PID ...: two devices of one UUID in each of the processes
two_devices() {
	for pid; do
		for d in 0 1; do
			echo '{"kind":"device","pid":'"$pid"',"name":"G","device":'$d',"uuid":"GPU-1"}'
		done
	done
	for ts in 0 900; do
		for pid; do
			for d in 0 1; do
				echo '{"kind":"kernel","ts":'$((ts + d * 10))',"dur":90,"pid":'"$pid"',"device":'$d',"context":1,"stream":7,"name":"k"}'
			done
		done
	done
}

@test "two devices of a process are two in all reports, whatever their UUIDs say" {
	two_devices 1 | stream > in
	table device_time in | cut -d, -f 1-4,7,14 |
	    is "1,0,1000,180,820,
1,1,1000,180,820,"
	table gaps_sum in | cut -d, -f 1-5,15 | is "1,0,busy,2,180,
1,0,unknown,1,810,
1,0,after,1,10,
1,1,before,1,10,
1,1,busy,2,180,
1,1,unknown,1,810,"
	tq-stats -q in > page
	grep -q ' 2 GPUs (G) ' page
	grep -q ' idle 82.0 %' page
	tq-advise in | grep -q '^tq-advise: 990 ns of 2 devices: compute 18.2 %'
	tq-stats -f csv -r account in | cut -d, -f 1,2,5,8 | grep compute |
	    is "1,0,compute,180
1,1,compute,180"
	tq-diff in in | grep -c '^ .*  GPU [01] G$' | is 2
}

@test "of two processes with two such devices, the first ones are one GPU, and the second ones" {
	two_devices 1 2 | stream > in
	table device_time in | cut -d, -f 1-4,12 | is "1,0,1000,180,2
1,1,1000,180,2
2,0,1000,180,2
,,1000,180,4
2,1,1000,180,2
,,1000,180,4"
}

@test "gaps and gaps_sum have the gaps of a GPU that processes share" {
	shared
	table gaps_sum in | cut -d, -f 1-5,15 | grep ',3$' | is "1,0,busy,3,65,3
1,0,host,2,22,3
1,0,launch,2,13,3
2,0,before,1,70,3
2,0,busy,1,20,3
2,0,after,1,10,3
,,busy,3,75,3
,,host,2,12,3
,,launch,2,13,3"
	table gaps in | cut -d, -f 1,2,5,6,16 | is "40,20,1,0,3
40,20,,,3
80,15,1,0,3
90,5,,,3"
	table gaps_sum:stream in | cut -d, -f 17 | sort -u | is ""
}

@test "a UUID of zeros is none: then the host and its number say which GPU it is" {
	shared
	sed -i 's/77-[12]/0000-00/' in
	table device_time in | cut -d, -f 1,2,14 | is "1,0,3
1,1,
2,0,3
,,3"
	# devices without a definition by their process are not known to be one
	sed -i 's/"device","pid":[12]/"device"/' in
	table device_time in | cut -d, -f 14 | sort -u | is ""
}

@test "next has of a shared GPU the process with most, as tq-advise" {
	shared
	tq-stats -f json1 in | jq -r '.next[].Evidence' | grep 'One kernel' |
	    is "One kernel has 30 % of the work or more: k. 40 ns on GPU 4 and `
		`65 ns on GPU 3. `
		`Look at it with ncu, or call it less often."
}

# ---- reports agree ----

# one step from the first to the last operation of a stream with one device
with_step() { # FILE
	jq -sc '
	    (map(select(.kind | IN("kernel", "memcpy", "memset", "graph")))) as $ops |
	    ($ops | map(.ts) | min) as $from |
	    ($ops | map(.ts + .dur) | max) as $to |
	    map(select(.kind | IN("range", "end", "trace") | not)) +
	    [{kind: "range", ts: $from, dur: ($to - $from), pid: $ops[0].pid,
		tid: $ops[0].tid, name: "step 1"}] | sort_by(.ts)[]' "$1" | stream
}

agree() { # FILE
	with_step "$1" > in
	tq-stats -q -f json1 -r step in |
	    jq -c '.[0] | [.["Starved (ns)"], .["Sync (ns)"], .["Stalled (ns)"]]' > theirs
	[[ -s theirs ]]
	tq-stats -q -f json1 -r gaps_sum in | jq -c '
	    (map({key: .Cause, value: .["Total (ns)"]}) | from_entries) as $sum |
	    [($sum.host // 0), ($sum.sync // 0), ([$sum |
		(.launch, .next, .queue) // 0] | add)]' | diff - theirs
}

@test "step and gaps_sum divide idle time alike, to the ns, in real files" {
	local name

	need data
	for name in 2024.6.2-cuda-graphs 2024.5.1-cloverleaf 2025.3.1-cupy-nvtx \
	    2022.2.1-nonlazy-mpi; do
		agree "$(correlated "$name")" || { echo "$name"; return 1; }
	done
}

@test "gaps adds up to gaps_sum, and the page to both" {
	local name

	need data
	for name in 2022.2.1-nonlazy-mpi 2026.1.1-vectoradd; do
		file=$(correlated "$name")
		tq-stats -f json1 -r gaps "$file" | jq -c '[(map(select(.HTA == "host_wait")) |
		    ((map(.["Until Call (ns)"] - .["Sync (ns)"]) | add // 0),
		    (map(.["Sync (ns)"]) | add // 0))), (map(.["Duration (ns)"]) | add)]' > sums
		tq-stats -f json1 -r gaps_sum "$file" |
		    jq -c '(map({key: .Cause, value: .["Total (ns)"]}) | from_entries) |
			[.host // 0, .sync // 0,
			(del(.before, .busy, .after) | add)]' | diff - sums
		diff <(tq-stats -f json1 "$file" | jq .gaps_sum) \
		    <(tq-stats -f json1 -r gaps_sum "$file" | jq .)
	done
}
