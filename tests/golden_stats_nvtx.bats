#!/usr/bin/env bats
# tq-stats, the reports of NVTX ranges: against what nsys stats 2023.4.4 prints
# for the same exports (byte for byte, with --compat 2023.4), and what they say
# without --compat, where nsys is wrong.
#
# nsys ends a table with an empty line, which is left out here.

load helper

exports=(2025.3.1-cupy-nvtx 2026.2.1-h100-2gpu 2026.2.1-mfu-2gpu)

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# ---- helpers ----

# goldens REPORT[:ARGUMENT] EXPORT ...: print the same as nsys did
goldens() {
	local report=$1 file golden

	shift
	for file; do
		case $file in
		synthetic/*) golden=${file}_${report/:/_}.csv ;;
		*) golden=$file/${report/:/_}.csv ;;
		esac
		data "nsys/golden/nsys-2023.4.4/$golden"
		tq-stats --compat 2023.4 -f csv -r "$report" \
		    "$(correlated "$file")" | sed '${/^$/d}' > ours
		sed '${/^$/d}' "$data" > theirs
		echo "$file"
		diff ours theirs | head
		cmp ours theirs
	done
}

# range ID TS DUR NAME [KEY ...]: a line of the stream; DUR -: never closed
range() {
	local dur=,\"dur\":$3 open=''

	if [[ $3 = - ]]; then
		dur='' open=,\"open\":true
	fi
	echo '{"kind":"range","ts":'"$2$dur"',"pid":1,"tid":1,"name":"'"$4"'",' \
	    '"id":'"$1"',"mode":"push"'"$open${5:+,$5}"'}'
}

# kernel CORR TS NAME: its call takes [TS, TS + 2], itself [TS + 50, TS + 60]
kernel() {
	echo '{"kind":"api","ts":'"$2"',"dur":2,"pid":1,"tid":1,"corr":'"$1"',' \
	    '"name":"cudaLaunchKernel","api":"cuda-runtime","gpu":1}'
	echo '{"kind":"kernel","ts":'$(($2 + 50))',"dur":10,"pid":1,' \
	    '"corr":'"$1"',"name":"'"$3"'","device":0,"context":1,"stream":7}'
}

# section: what stdin has, in order of ts, as a correlated stream
section() {
	local lines

	mapfile -t lines < <(jq -sc 'sort_by(.ts)[]')
	stream "${lines[@]}" | tq-correlate
}

# csv REPORT COLUMNS: of the stream on stdin
csv() {
	tq-stats -f csv -r "$1" | sed '1d; /^$/d' | cut -d, -f"$2"
}

# ---- as nsys does it ----

@test "nvtx_sum: all ranges by name and style, as nsys" {
	goldens nvtx_sum "${exports[@]}" synthetic/a synthetic/b
}

@test "nvtx_pushpop_sum: as nsys" {
	goldens nvtx_pushpop_sum "${exports[@]}"
}

@test "nvtx_pushpop_trace: as nsys, twins lost and all" {
	goldens nvtx_pushpop_trace "${exports[@]}" synthetic/a synthetic/b
}

@test "nvtx_gpu_proj_sum: as nsys" {
	goldens nvtx_gpu_proj_sum "${exports[@]}" synthetic/a synthetic/b
}

@test "nvtx_gpu_proj_trace: as nsys, with a row for what is in no range" {
	goldens nvtx_gpu_proj_trace "${exports[@]}" synthetic/a synthetic/b synthetic/c
}

@test "nvtx_kern_sum: as nsys" {
	goldens nvtx_kern_sum "${exports[@]}" synthetic/a synthetic/b
}

@test "nvtx_kern_sum:base: as nsys" {
	goldens nvtx_kern_sum:base "${exports[@]}"
}

@test "the names of before 2023 mean the same reports" {
	need data
	in=$(correlated synthetic/a)
	while read -r old new; do
		tq-stats -f csv -r "$old" "$in" > before
		tq-stats -f csv -r "$new" "$in" > now
		cmp before now
	done <<-EOF
		nvtxsum nvtx_sum
		nvtxppsum nvtx_pushpop_sum
		nvtxsesum nvtx_startend_sum
		nvtxpptrace nvtx_pushpop_trace
		nvtxgpuproj nvtx_gpu_proj_trace
		nvtxkernsum nvtx_kern_sum
	EOF
}

@test "2024.6 writes :name in the default domain, and no row without a range" {
	need data
	tq-stats --compat 2024.6 -f csv -r nvtx_gpu_proj_trace \
	    "$(correlated synthetic/a)" > trace
	grep -q '^:outer,' trace
	grep -q '^DomA:inA,' trace
	grep -q '^:,8100,' trace # has no name
	run -1 grep '^,' trace
}

# ---- as it is ----

@test "without twins, open ranges and domains the default is what nsys says" {
	need data
	in=$(correlated 2026.2.1-h100-2gpu)
	for report in nvtx_sum nvtx_pushpop_trace nvtx_gpu_proj_sum \
	    nvtx_gpu_proj_trace nvtx_kern_sum; do
		tq-stats -f csv -r $report "$in" > ours
		tq-stats --compat 2023.4 -f csv -r $report "$in" > theirs
		cmp <(cat ours; echo) theirs
	done
}

@test "levels and parents of the trace are those of tq-correlate" {
	need data
	for file in "${exports[@]}"; do
		in=$(correlated "$file")
		jq -r 'select(.kind == "range") | [.id, .depth, .parent] |
		    map(if . == null then "" else tostring end) | join(",")' \
		    "$in" | sort > theirs
		tq-stats -f tsv -r nvtx_pushpop_trace "$in" | sed '1d; /^$/d' |
		    cut -f 9,11,12 | awk -F '\t' -v OFS=, '{print $2, $1, $3}' |
		    grep -v "^\[\"\"" | sort > ours
		[ -s ours ]
		cmp ours theirs
	done
}

@test "twins are parent and child, and what is in them is not lost" {
	{
		range 1 100 100 a
		range 2 100 100 b
		range 3 120 10 c
		kernel 1 122 k
	} | section > s
	[ "$(csv nvtx_pushpop_trace 6,9,10,11,12,13,14 < s)" = "$(printf '%s\n' \
	    a,0,1,1,,:1,a b,1,1,2,1,:1:2,--b c,2,0,3,2,:1:2:3,----c)" ]
	[ "$(csv nvtx_gpu_proj_trace 1,2,3,10,11,12,13,14 < s)" = "$(
	    printf '%s\n' a,172,10,0,1,1,,:1 b,172,10,1,1,2,1,:1:2 \
		c,172,10,2,0,3,2,:1:2:3)" ]
}

@test "a range that was not closed lasts to the end and is nobody's parent" {
	{
		range 1 100 - lost
		range 2 200 100 a
		kernel 1 210 k
		kernel 2 900 k
	} | section > s
	[ "$(csv nvtx_pushpop_trace 1-5,6,9,10,13 < s)" = "$(printf '%s\n' \
	    100,960,860,0,860,lost,0,0,:1 200,300,100,0,100,a,0,0,:2)" ]
	[ "$(csv nvtx_sum 2,10 < s)" = "$(printf '%s\n' 860,lost 100,a)" ]
	[ "$(csv nvtx_gpu_proj_trace 1-5,9-11 < s)" = "$(printf '%s\n' \
	    lost,260,700,100,860,2,0,0 a,260,10,200,100,1,0,0)" ]
	[ "$(csv nvtx_kern_sum 1,5,6,13 < s)" = "$(printf '%s\n' \
	    a,1,1,k lost,1,2,k)" ]
}

@test "with --compat it ends with the last range, and is a parent" {
	{
		range 1 100 - lost
		range 2 200 100 a
		kernel 1 210 k
		kernel 2 900 k
	} | section > s
	tq-stats --compat 2023.4 -f csv -r nvtx_gpu_proj_trace s > out
	[ "$(sed '1d; /^$/d' out | cut -d, -f1-5,9-14)" = "$(printf '%s\n' \
	    ,950,10,,,1,,0,,, lost,260,10,100,200,1,0,1,1,,:1 \
	    a,260,10,200,100,1,1,0,2,1,:1:2)" ]
}

@test "a parent is of the same domain, and its name stands before the text" {
	{
		range 1 100 100 a
		range 2 110 80 lib '"domain":"Lib"'
		range 3 120 60 b
		range 4 130 40 deep '"domain":"Lib"'
		kernel 1 140 k
	} | section > s
	[ "$(csv nvtx_pushpop_trace 6,9,13 < s)" = "$(printf '%s\n' a,0,:1 \
	    Lib:lib,0,:2 b,1,:1:3 Lib:deep,1,:2:4)" ]
	[ "$(csv nvtx_gpu_proj_trace 1,10,11,14 < s)" = "$(printf '%s\n' \
	    a,0,1,:1 Lib:lib,0,1,:2 b,1,0,:1:3 Lib:deep,1,0,:2:4)" ]
	tq-stats --compat 2023.4 -f csv -r nvtx_pushpop_trace s > out
	[ "$(sed '1d; /^$/d' out | cut -d, -f6,9,13)" = "$(printf '%s\n' \
	    a,0,:1 Lib:lib,1,:1:2 b,2,:1:2:3 Lib:deep,3,:1:2:3:4)" ]
}

@test "ranges that cross are not parent and child" {
	{
		range 1 100 100 a
		range 2 150 100 b
		range 3 160 20 in
	} | section > s
	[ "$(csv nvtx_pushpop_trace 6,9,13 < s)" = "$(printf '%s\n' a,0,:1 \
	    b,0,:2 in,1,:2:3)" ]
}

@test "a range on two devices has one row" {
	{
		range 1 100 100 a
		kernel 1 110 k
		kernel 2 120 k | sed 's/"device":0/"device":1/'
	} | section > s
	[ "$(jq -r 'select(.kind == "gpu-range") | .device' s | sort |
	    xargs)" = "0 1" ]
	[ "$(csv nvtx_gpu_proj_trace 1,2,3,9 < s)" = a,160,20,2 ]
}

@test "nvtx_kern_sum: a kernel counts where its whole call lies" {
	{
		range 1 100 50 a
		range 2 140 12 late
		kernel 1 110 k
		kernel 2 149 k # ends after a
		kernel 3 300 k
	} | section > s
	[ "$(csv nvtx_kern_sum 1-7,13 < s)" = "$(printf '%s\n' \
	    ,,1,1,0,1,10,k a,PushPop,1,1,1,1,10,k late,PushPop,1,1,1,1,10,k)" ]
}

@test "nvtx_kern_sum: ranges of a name within each other are two" {
	{
		range 1 100 100 f
		range 2 120 50 f
		kernel 1 105 k
		kernel 2 125 k
		kernel 3 180 k
	} | section > s
	[ "$(csv nvtx_kern_sum 1,5,6,7 < s)" = f,2,4,40 ]
}

@test "nvtx_kern_sum: nsys counts a kernel once, and its time twice, in ranges of a name" {
	{
		range 1 100 100 f
		range 2 120 50 f
		kernel 1 105 k
		kernel 2 125 k
		kernel 3 180 k
	} | section > s
	tq-stats --compat 2023.4 -f csv -r nvtx_kern_sum s > out
	[ "$(sed '1d; /^$/d' out | cut -d, -f1,5,6,7)" = f,2,3,40 ]
}

@test "sections are added up, each on its own clock" {
	{
		range 1 100 100 a
		kernel 1 110 k
	} | section > s
	cat s s > two
	[ "$(csv nvtx_sum 2,3,10 < two)" = 200,2,a ]
	[ "$(tq-stats -f csv -r nvtx_sum:pct two | sed 1d | cut -d, -f14)" = 200 ]
	[ "$(csv nvtx_gpu_proj_sum 1,3,5,11 < two)" = a,20,2,2 ]
	[ "$(csv nvtx_kern_sum 1,5,6 < two)" = a,2,2 ]
	[ "$(csv nvtx_pushpop_trace 1,11 < two)" = "$(printf '%s\n' 100,1 \
	    100,1)" ]
}

@test "the time a name was open is busy once, also if it was never closed" {
	{
		range 1 100 100 a
		range 2 150 100 a
		range 3 300 - a
		range 4 310 10 a
		range 5 380 20 b
	} | section > s
	tq-stats -f csv -r nvtx_pushpop_sum:pct s > out
	[ "$(sed -n 2p out | cut -d, -f14,17)" = 250,a ]
}

@test "--scope=process counts in the projection" {
	{
		range 1 100 100 a
		kernel 1 110 k | sed 's/"tid":1/"tid":2/'
	} | jq -sc 'sort_by(.ts)[]' > lines
	stream < lines > s
	run -1 tq-stats -r nvtx_gpu_proj_sum <(tq-correlate s)
	[ "$output" = "tq-stats: nvtx_gpu_proj_sum: no range in the stream that \
launched an operation" ]
	[ "$(tq-correlate --scope=process s | csv nvtx_gpu_proj_sum 1,3)" = a,10 ]
}

@test "what is missing is said" {
	{
		range 1 100 100 a
		kernel 1 110 k
	} > lines
	stream < lines > s
	for report in nvtx_gpu_proj_sum nvtx_gpu_proj_trace nvtx_kern_sum; do
		run -1 tq-stats -r $report s
		[ "$output" = "tq-stats: $report: the stream did not go \
through tq-correlate" ]
	done
	run -1 tq-stats -r nvtx_startend_sum s
	[ "$output" = "tq-stats: nvtx_startend_sum: no range of start and end \
in the stream" ]
	stream '{"kind":"mark","ts":1,"pid":1,"tid":1,"name":"a"}' > none
	run -1 tq-stats -r nvtx_sum none
	[ "$output" = "tq-stats: nvtx_sum: no range in the stream" ]
	run -1 tq-stats -r nvtx_pushpop_trace none
	[ "$output" = "tq-stats: nvtx_pushpop_trace: no range of push and pop \
in the stream" ]
}

@test "nvtx_kern_sum takes base, mangled and pct" {
	{
		range 1 100 100 a
		kernel 1 110 k | sed 's/"kernel",/&"sym":1,/'
	} | section | sed '1a {"kind":"symbol","name":"k","id":1,'\
'"demangled":"void k<int>()","mangled":"_Z1kIiEvv"}' | sed '/"end"/d' > s
	echo '{"kind":"end","events":5,"dropped":0}' >> s
	tq-stats -f csv -r nvtx_kern_sum s | grep -qF ',void k<int>()'
	tq-stats -f csv -r nvtx_kern_sum:base s | grep -q ',k$'
	tq-stats -f csv -r nvtx_kern_sum:mangled s | grep -q ',_Z1kIiEvv$'
	tq-stats -f csv -r nvtx_kern_sum:pct:base s | head -n 1 |
	    grep -qF 'P50 (ns),P90 (ns),P95 (ns),P99 (ns),CV,Kernel Name'
	run -2 tq-stats -r nvtx_kern_sum:x s
}

# ---- many ranges ----

# 300 ranges around 600 kernels, most of them never closed
many() {
	jq -nc '
	[range(300) as $i | { kind: "range", ts: ($i * 7 % 900) }
	    + (if $i % 5 == 0 then { dur: ($i * 11 % 400) } else {} end)
	    + { pid: 1, tid: 1,
		name: "step \(if $i % 3 == 0 then 7 else $i end)", id: $i,
		mode: "push" }
	    + (if $i % 5 == 0 then {} else { open: true } end)
	    + { depth: 0 }] as $ranges
	| [range(600) as $i | { kind: "kernel", ts: ($i * 13 % 1000 + 9),
		dur: ($i * $i % 97), pid: 1, corr: $i, name: "k\($i % 2)",
		device: 0, tid: 1, api_ts: ($i * 13 % 1000), api_dur: 4,
		api_name: "cudaLaunchKernel" }] as $kernels
	| $ranges + $kernels | sort_by(.ts) | .[]'
}

# Time goes with the rows then, which are made in another way.
@test "nvtx_kern_sum: very many ranges around each kernel, as jq by brute force" {
	many > s
	tq-stats -r nvtx_kern_sum -f ndjson s | jq -c '[.nvtx_range,
	    .nvtx_inst, .kern_inst, .total_ns, .med_ns, .min_ns, .max_ns,
	    .stddev_ns, .kernel_name] |
	    '"$plain" | grep -v "^\[\"\"" | sort > ours
	oracle kern_sum rows s | sort > theirs
	[ "$(wc -l < ours)" -gt 300 ]
	diff ours theirs
}

@test "nvtx_gpu_proj_sum: gpu-range records may come in any order" {
	local id

	for id in 1 2 3; do
		for device in 0 1; do
			echo '{"kind":"gpu-range","ts":'$((100 * id + device))',"dur":'$((10 * id))',"pid":1,"tid":1,"name":"r '$((id % 2))'","device":'$device',"range":'$id',"parent":'$((id - 1))',"depth":'$id',"ops":1,"launches":1,"busy":1,"range_ts":'$id',"range_dur":50}'
		done
	done > a
	sort -r a > b
	for file in a b; do
		run -0 tq-stats -r nvtx_gpu_proj_sum -f csv "$file"
		[ "$(cut -d, -f 1,3-5,11- <<< "$output")" = "Range,Total Proj Time (ns),Total Range Time (ns),Range Instances,Total GPU Ops,Avg GPU Ops,Avg Range Lvl,Avg Num Child
r 1,42,100,2,4,2.0,2.0,0.5
r 0,21,50,1,2,2.0,2.0,1.0" ]
	done
}

@test "of equal totals names are in order of their letters, numbers too" {
	local i names=("x 9" "x 10" "x" "x 09" "x 1" "x 1a" "x 100000000000000000000" "7" "007")

	for i in "${!names[@]}"; do
		echo '{"kind":"gpu-range","ts":1,"dur":1,"range":'"$i"',"name":"'"${names[i]}"'","range_ts":0,"range_dur":1}'
	done > s
	run -0 tq-stats -r nvtx_gpu_proj_sum -f csv s
	[ "$(tail -n +2 <<< "$output" | cut -d, -f1)" = "$(
	    printf '%s\n' "${names[@]}" | LC_ALL=C sort)" ]
}
