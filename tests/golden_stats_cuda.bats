#!/usr/bin/env bats
# The CUDA reports of tq-stats against those of nsys 2023.4.4, byte for byte,
# and what they do right where nsys does not.
#
# nsys ends each table with a blank line, which is no part of it and is taken
# off here.  It does not say in which order rows stand that start at the same
# time: of the synthetic export c, whose two copies do, the lines of
# cuda_gpu_trace are compared in sorted order.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# ---- helpers ----

# table REPORT [FILE]: what tq-stats says, as csv
table() {
	tq-stats -f csv -r "$@"
}

# the reports of all exports with kernels, as their files are named
SUMS="cuda_api_gpu_sum cuda_api_sum cuda_api_trace cuda_gpu_mem_size_sum
	cuda_gpu_mem_time_sum cuda_gpu_sum"
KERNELS="cuda_gpu_kern_gb_sum cuda_gpu_kern_sum cuda_gpu_kern_sum_base
	cuda_gpu_kern_sum_mangled cuda_gpu_kern_sum_nvtx-name
	cuda_kern_exec_sum cuda_kern_exec_trace"

# golden NAME GOLDEN REPORT: compare; a report is named as its file
golden() {
	local filter=cat report=$3

	case $1-$report in
	synthetic/c-cuda_gpu_trace) filter=sort ;;
	*_base | *_mangled | *_nvtx-name) report=${report%_*}:${report##*_} ;;
	esac
	tq-stats --compat 2023.4 -f csv -r "$report" "$(correlated "$1")" > ours ||
	    return 1
	sed '${/^$/d}' "$2" | $filter > theirs
	sed '${/^$/d}' ours | $filter > ours.filtered
	cmp ours.filtered theirs ||
	    { diff ours.filtered theirs | head -n 10; return 1; }
}

# goldens NAME REPORT ...: these of an export; those of a synthetic one are
# beside each other
goldens() {
	local name=$1 report status=0

	data "nsys/golden/nsys-2023.4.4"
	for report in "${@:2}"; do
		echo "$report"
		case $name in
		synthetic/*) golden "$name" "$data/${name}_$report.csv" "$report" ;;
		*) golden "$name" "$data/$name/$report.csv" "$report" ;;
		esac || status=1
	done
	return $status
}

# api TS DUR NAME RAW
api() {
	echo '{"kind":"api","ts":'"$1"',"dur":'"$2"',"pid":1,"tid":1,"name":"'"$3"'","api":"cuda-runtime","raw":"'"$4"'"}'
}

# ---- nsys ----

@test "2025.3.1-cupy-nvtx: 14 reports are those of nsys" {
	# shellcheck disable=SC2086 # a report each
	goldens 2025.3.1-cupy-nvtx $SUMS $KERNELS cuda_gpu_trace
}

@test "2025.5.1-osrt-files: 7 reports are those of nsys" {
	# shellcheck disable=SC2086
	goldens 2025.5.1-osrt-files $SUMS cuda_gpu_trace
}

@test "2026.2.1-h100-2gpu: 13 reports are those of nsys" {
	# shellcheck disable=SC2086
	goldens 2026.2.1-h100-2gpu $SUMS $KERNELS
}

@test "2026.2.1-mfu-2gpu: 13 reports are those of nsys" {
	# shellcheck disable=SC2086
	goldens 2026.2.1-mfu-2gpu $SUMS $KERNELS
}

@test "synthetic/a: 5 reports are those of nsys" {
	goldens synthetic/a cuda_api_sum cuda_gpu_kern_sum \
	    cuda_gpu_kern_sum_nvtx-name cuda_gpu_trace cuda_kern_exec_sum
}

@test "synthetic/b: 5 reports are those of nsys" {
	goldens synthetic/b cuda_api_sum cuda_gpu_kern_sum \
	    cuda_gpu_kern_sum_nvtx-name cuda_gpu_trace cuda_kern_exec_sum
}

@test "synthetic/c: 2 reports are those of nsys" {
	goldens synthetic/c cuda_api_sum cuda_gpu_trace
}

# What nsys 2023.4.4 prints for exports whose goldens are not among the data.

@test "2022.2.1-nonlazy-mpi: nsys joins each kernel with both records of its call" {
	local k='"saxpy(double *, double *, double *, double, int)"'

	need data
	in=$(correlated 2022.2.1-nonlazy-mpi)
	tq-stats --compat 2023.4 -f csv -r cuda_kern_exec_sum "$in" > out
	[ "$(sed -n '2,$p' out | grep .)" = \
	    "1230493,1230493,0,10,6,17747286.2,17746235.5,17733281,17766636,12489.6,32304.3,31616.0,30138,35939,2027.2,1683.0,1804.0,1243,1962,295.2,17714696.0,17713960.0,17700808,17733416,12249.0,cudaLaunchKernel,$k" ]
	tq-stats --compat 2023.4 -f csv -r cuda_kern_exec_trace "$in" > out
	[ "$(sed '1d; /^$/d' out | wc -l)" = 10 ]
	grep -qxF "924890173,32953,,,924922186,17704808,17736821,1230493,1230493,0,cudaLaunchKernel,   2    1    1, 512    1    1,$k" out
	tq-stats --compat 2023.4 -f csv -r nvtx_kern_sum "$in" > out
	[ "$(sed '1d; /^$/d' out)" = \
	    "saxpy,PushPop,1230493,1230493,5,5,177146960,17714696.0,17713960.0,17700808,17733416,12249.0,$k" ]
}

@test "nsys sums up cuda_api_gpu_sum by names without versions" {
	stream "$(api 1 5 cudaMalloc cudaMalloc_v3020)" \
	    "$(api 10 7 cudaMalloc cudaMalloc_v3030)" > s
	[ "$(table cuda_api_gpu_sum --compat 2023.4 s | sed '1d; /^$/d' |
	    cut -d, -f2,3,9-)" = 12,2,CUDA_API,cudaMalloc ]
}

@test "nsys shows a blank for a device without a name" {
	stream '{"kind":"kernel","ts":1,"dur":9,"pid":1,"name":"k","device":0}' > s
	[ "$(table cuda_gpu_trace --compat 2023.4 s | sed '1d; /^$/d' |
	    cut -d, -f17)" = " (0)" ]
	[ "$(table cuda_gpu_trace s | tail -n 1 | cut -d, -f17)" = "(0)" ]
}

@test "nsys shows nothing for a name that the export lacks" {
	{
		echo '{"kind":"thread","pid":1,"tid":1,"name":"#8"}'
		echo '{"kind":"range","ts":0,"dur":99,"pid":1,"tid":1,"name":"#9","id":1,"mode":"push"}'
		echo '{"kind":"api","ts":1,"dur":5,"pid":1,"tid":1,"corr":1,"name":"#7","api":"cuda-runtime"}'
		echo '{"kind":"kernel","ts":10,"dur":9,"pid":1,"corr":1,"name":"#3","device":0}'
		echo '{"kind":"memcpy","ts":20,"dur":9,"pid":1,"bytes":1,"copy":"#77","src":"#66","dst":"Device","device":0}'
		echo '{"kind":"osrt","ts":30,"dur":4,"pid":1,"tid":1,"name":"#5"}'
		echo '{"kind":"osrt","ts":40,"dur":3,"pid":1,"tid":1,"name":"#6"}'
	} | stream | tq-correlate > s
	while IFS=/ read -r report columns rows; do
		echo "$report"
		[ "$(table "$report" --compat 2023.4 s | sed '1d; /^$/d' |
		    cut -d, -f"$columns" | paste -sd ' ')" = "$rows" ]
	done <<- 'END'
		cuda_api_sum/2,9/5,
		cuda_api_trace/3,9/,
		cuda_gpu_kern_sum/2,9/9,
		cuda_gpu_kern_sum:nvtx-name/2,9/9,
		cuda_gpu_trace/15,16,20,21/,,, ,Device,,
		cuda_kern_exec_sum/26,27/,
		nvtx_sum/2,9,10/99,PushPop,
		nvtx_kern_sum/1,2,13/,PushPop,
		osrt_sum/2,9/4, 3,
	END
	run -1 table cuda_gpu_mem_time_sum --compat 2023.4 s
	# they are names like others otherwise
	[ "$(table cuda_gpu_kern_sum s | tail -n 1 | cut -d, -f9)" = "#3" ]
}

@test "nsys has kernels by their ranges where no call of theirs is known" {
	stream '{"kind":"kernel","ts":10,"dur":9,"pid":1,"name":"k"}' |
	    tq-correlate > s
	[ "$(table cuda_gpu_kern_sum:nvtx-name --compat 2023.4 s |
	    sed '1d; /^$/d' | cut -d, -f2,9)" = 9,k ]
}

@test "the names before 2023 are those of the same reports" {
	need data
	in=$(correlated synthetic/a)
	while read -r old new; do
		echo "$old"
		table "$old" "$in" > old || true
		table "$new" "$in" > new || true
		cmp old new
	done <<- 'END'
		cudaapisum cuda_api_sum
		gpukernsum:base cuda_gpu_kern_sum:base
		gpukerngbsum cuda_gpu_kern_gb_sum
		gpumemtimesum cuda_gpu_mem_time_sum
		gpumemsizesum cuda_gpu_mem_size_sum
		gpusum cuda_gpu_sum
		apigpusum cuda_api_gpu_sum
		cudaapitrace cuda_api_trace
		gputrace cuda_gpu_trace
		kernexecsum cuda_kern_exec_sum
		kernexectrace cuda_kern_exec_trace
	END
}

@test "an export without green contexts has its cuda_gpu_trace" {
	need data
	table cuda_gpu_trace "$(extracted 2023.1.2-julia)" > out
	data nsys/golden/2023.1.2-julia.cuda_gpu_trace.csv
	[ "$(tail -n +2 "$data" | cut -d, -f1-11)" = \
	    "$(tail -n +2 out | cut -d, -f1-11)" ]
}

# ---- calls ----

@test "versions of an API are one, but for nsys" {
	stream "$(api 1 5 cudaMalloc cudaMalloc_v3020)" \
	    "$(api 10 7 cudaMalloc cudaMalloc_v10000)" \
	    "$(api 20 9 cuMemAlloc cuMemAlloc_v2)" > s
	[ "$(table cuda_api_sum s | cut -d, -f2,3,9)" = "$(
		printf '%s\n' 'Total Time (ns),Num Calls,Name' \
		    12,2,cudaMalloc 9,1,cuMemAlloc
	)" ]
	[ "$(table cuda_api_sum --compat 2023.4 s | cut -d, -f2,3,9)" = "$(
		printf '%s\n' 'Total Time (ns),Num Calls,Name' \
		    9,1,cuMemAlloc_v2 7,1,cudaMalloc_v10000 5,1,cudaMalloc
	)" ]
	stream "$(api 1 5 cudaMalloc cudaMalloc_v3020)" \
	    "$(api 10 7 cudaMalloc cudaMalloc_v3030)" > s
	[ "$(table cuda_api_sum --compat 2023.4 s | cut -d, -f2,9)" = "$(
		printf '%s\n' 'Total Time (ns),Name' 7,cudaMalloc 5,cudaMalloc
	)" ]
}

# twin TID TS DUR CORR NAME [RAW]: a call of which there may be two records
twin() {
	echo '{"kind":"api","ts":'"$2"',"dur":'"$3"',"pid":1,"tid":'"$1"',"corr":'"$4"',"name":"'"$5"'","api":"cuda-runtime"'"${6:+,\"raw\":\"$6\"}"'}'
}

@test "a call and its versioned entry point count once, but for nsys" {
	stream "$(twin 1 10 90 7 cudaMemcpy)" \
	    "$(twin 2 11 50 8 cudaMemcpy)" \
	    "$(twin 1 12 80 7 cudaMemcpy cudaMemcpy_v3020)" \
	    "$(twin 2 13 50 8 cudaMemcpy cudaMemcpy_v3020)" \
	    "$(twin 1 14 70 7 cuMemcpyHtoD cuMemcpyHtoD_v2)" \
	    "$(twin 1 20 10 9 cudaMemcpy cudaMemcpy_v3020)" > s
	# 90 + 50 + 50 + 10: the one of thread 2 reaches beyond the other
	[ "$(table cuda_api_sum s | tail -n +2 | cut -d, -f2,3,9)" = "$(
		printf '%s\n' 200,4,cudaMemcpy 70,1,cuMemcpyHtoD
	)" ]
	[ "$(table cuda_api_gpu_sum s | tail -n +2 | cut -d, -f2,3,10)" = "$(
		printf '%s\n' 200,4,cudaMemcpy 70,1,cuMemcpyHtoD
	)" ]
	[[ $(table run s) = *'5 API calls'* ]]
	[ "$(table cuda_api_sum --compat 2023.4 s | tail -n +2 |
	    cut -d, -f2,3,9)" = "$(printf '%s\n' 140,2,cudaMemcpy \
	    140,3,cudaMemcpy 70,1,cuMemcpyHtoD_v2)" ]
}

@test "2022.2.1-nonlazy-mpi, which has calls twice: 15 copies, 374 ms" {
	need data
	in=$(correlated 2022.2.1-nonlazy-mpi)
	for r in cuda_api_sum cuda_api_gpu_sum; do
		table $r "$in" > out
		grep -q '^[^,]*,374343896,15,.*,cudaMemcpy$' out
	done
	tq-stats -f json1 "$in" | jq -e '.cuda_api_sum[0] |
	    .["Num Calls"] == 15 and .["Total Time (ns)"] == 374343896'
}

@test "a second record of a thread does not take the priority away" {
	stream '{"kind":"thread","pid":1,"tid":1,"name":"a","priority":7}' \
	    '{"kind":"thread","pid":1,"tid":1,"name":"b"}' \
	    "$(api 1 5 cudaMalloc cudaMalloc_v3020)" > s
	[ "$(table cuda_api_trace s | tail -n 1 | cut -d, -f8,9)" = 7,b ]
}

@test "calls of an export without classes are CUDA calls" {
	stream '{"kind":"api","ts":1,"dur":5,"pid":1,"tid":1,"name":"cudaMalloc"}' > s
	[ "$(table cuda_api_sum s | tail -n 1 | cut -d, -f2,9)" = 5,cudaMalloc ]
}

@test "calls of libraries are no CUDA calls" {
	stream '{"kind":"api","ts":1,"dur":5,"pid":1,"tid":1,"name":"MPI_Send","api":"mpi"}' \
	    '{"kind":"api","ts":2,"dur":5,"pid":1,"tid":1,"name":"cuMemAlloc","api":"cuda-driver"}' > s
	[ "$(table cuda_api_sum s | tail -n +2 | cut -d, -f9)" = cuMemAlloc ]
	[ "$(table cuda_api_gpu_sum s | tail -n +2 | cut -d, -f9-)" = \
	    CUDA_API,cuMemAlloc ]
	[ "$(table cuda_api_trace s | tail -n +2)" = \
	    2,5,cuMemAlloc,,,1,1,, ]
}

@test "a call that never ended is in the trace, and in no sum" {
	stream '{"kind":"api","ts":1,"pid":1,"tid":1,"name":"cudaMalloc","api":"cuda-runtime","open":true}' > s
	[ "$(table cuda_api_trace s | tail -n +2)" = 1,,cudaMalloc,,,1,1,, ]
	run -1 --separate-stderr table cuda_api_sum s
}

# ---- operations ----

@test "the throughput of a copy that takes long is not 0" {
	stream '{"kind":"memcpy","ts":1,"dur":2000000000,"pid":1,"corr":1,"device":0,"bytes":5000000,"copy":"DtoH"}' > s
	[ "$(table cuda_gpu_trace s | tail -n +2 | cut -d, -f13,14)" = \
	    5.000,2.500 ]
	[ "$(table cuda_gpu_trace --compat 2023.4 s | tail -n +2 |
	    cut -d, -f13,14)" = 5.000,0.000 ]
}

@test "a copy that took no time has no throughput" {
	stream '{"kind":"memcpy","ts":1,"dur":0,"pid":1,"corr":1,"device":0,"bytes":5000000,"copy":"DtoH"}' > s
	[ "$(table cuda_gpu_trace s | tail -n +2)" = \
	    '1,0,1,,,,,,,,,,5.000,,,,(0),,,,[CUDA memcpy Device-to-Host]' ]
}

@test "operations on memory have the names of nsys" {
	stream '{"kind":"memcpy","ts":1,"dur":9,"pid":1,"bytes":1,"copy":"HtoD"}' \
	    '{"kind":"memcpy","ts":2,"dur":8,"pid":1,"bytes":1,"copy":"PtoP"}' \
	    '{"kind":"memcpy","ts":3,"dur":7,"pid":1,"bytes":1,"copy":"UVM DtoH"}' \
	    '{"kind":"memcpy","ts":4,"dur":6,"pid":1,"bytes":1,"copy":"HtoA"}' \
	    '{"kind":"memcpy","ts":5,"dur":5,"pid":1,"bytes":1,"copy":"by \"hand\""}' \
	    '{"kind":"memcpy","ts":6,"dur":4,"pid":1,"bytes":1}' \
	    '{"kind":"memset","ts":7,"dur":3,"pid":1,"bytes":1}' > s
	diff <(tq-stats -f tsv -r cuda_gpu_mem_time_sum s | tail -n +2 |
	    cut -f9) - <<- 'END'
		[CUDA memcpy Host-to-Device]
		[CUDA memcpy Peer-to-Peer]
		[CUDA memcpy Unified Device-to-Host]
		[CUDA memcpy Host-to-Array]
		[CUDA memcpy by "hand"]
		[CUDA memcpy]
		[CUDA memset]
	END
}

@test "graphs that were traced as a whole count, but for nsys" {
	stream '{"kind":"graph","ts":1,"dur":9,"pid":1,"corr":1,"device":0,"graph":4}' > s
	[ "$(table cuda_gpu_sum s | tail -n +2 | cut -d, -f2,3,9-)" = \
	    '9,1,CUDA_GRAPH,[CUDA graph 4]' ]
	run -1 --separate-stderr table cuda_gpu_sum --compat 2023.4 s
	run -1 --separate-stderr table cuda_gpu_trace --compat 2023.4 s
}

@test "a kernel without its symbol has its own name, whatever is asked for" {
	stream '{"kind":"kernel","ts":1,"dur":9,"pid":1,"name":"k"}' \
	    '{"kind":"kernel","ts":2,"dur":9,"pid":1,"name":"k","sym":3}' > s
	for arg in '' :base :mangled; do
		[ "$(table "cuda_gpu_kern_sum$arg" s | tail -n +2 |
		    cut -d, -f3,9)" = 2,k ]
	done
}

@test "ids of symbols are those of their section" {
	stream '{"kind":"symbol","name":"a","id":1,"demangled":"a<int>"}' \
	    '{"kind":"kernel","ts":1,"dur":9,"pid":1,"name":"a","sym":1}' > s
	stream '{"kind":"symbol","name":"b","id":1,"demangled":"b<int>"}' \
	    '{"kind":"kernel","ts":1,"dur":8,"pid":1,"name":"b","sym":1}' >> s
	[ "$(table cuda_gpu_kern_sum s | tail -n +2 | cut -d, -f2,9)" = "$(
		printf '%s\n' '9,a<int>' '8,b<int>'
	)" ]
	[ "$(table cuda_gpu_trace s | tail -n +2 | cut -d, -f2,21)" = "$(
		printf '%s\n' '9,a<int>' '8,b<int>'
	)" ]
}

# ---- kernels and their calls ----

# two kernels of one call, and one whose call is not known
launches() {
	stream '{"kind":"range","ts":5,"dur":10,"pid":1,"tid":1,"name":"r","id":7,"mode":"push"}' \
	    '{"kind":"api","ts":10,"dur":20,"pid":1,"tid":1,"corr":3,"name":"cudaGraphLaunch","api":"cuda-runtime"}' \
	    '{"kind":"kernel","ts":25,"dur":10,"pid":1,"corr":3,"name":"k","device":0,"graph_node":1}' \
	    '{"kind":"kernel","ts":40,"dur":10,"pid":1,"corr":3,"name":"k","device":0,"graph_node":2}' \
	    '{"kind":"kernel","ts":60,"dur":10,"pid":1,"name":"k","device":0}'
}

@test "a kernel whose call is not known is in no execution" {
	launches | tq-correlate > s
	[ "$(table cuda_kern_exec_trace s | tail -n +2)" = "$(
		printf '%s\n' \
		    10,20,,,25,10,25,1,1,0,cudaGraphLaunch,,,k \
		    10,20,30,10,40,10,40,1,1,0,cudaGraphLaunch,,,k
	)" ]
	[ "$(table cuda_kern_exec_sum s | tail -n +2 | cut -d, -f1-7,16-20)" = \
	    1,1,0,2,1,32.5,32.5,10.0,10.0,10,10,0.0 ]
}

@test "no wait at all is no wait of 0" {
	launches | grep -v -e '"ts":40' -e '"trace"' -e '"end"' |
	    tq-correlate > s
	[ "$(table cuda_kern_exec_sum s | tail -n +2 | cut -d, -f4,5,16-20)" = \
	    1,0,,,,,0.0 ]
}

@test "nvtx-name: the range that was open when the call started; for nsys one around all of it" {
	launches | tq-correlate > s
	[ "$(table cuda_gpu_kern_sum:nvtx-name s | tail -n +2 |
	    cut -d, -f3,9)" = "$(printf '%s\n' 2,r/k 1,k)" ]
	[ "$(table cuda_gpu_kern_sum:nvtx-name --compat 2023.4 s |
	    tail -n +2 | cut -d, -f3,9)" = 3,k ]
}

@test "a stream without calls of its kernels did not go through tq-correlate" {
	launches > s
	for r in cuda_kern_exec_sum cuda_kern_exec_trace; do
		run -1 --separate-stderr table $r s
		[ -z "$output" ]
		[ "$stderr" = "tq-stats: $r: the stream did not go through tq-correlate" ]
	done
	run -1 --separate-stderr table cuda_gpu_kern_sum:nvtx-name s
	[ "$stderr" = "tq-stats: cuda_gpu_kern_sum: the stream did not go through tq-correlate" ]
}

# ---- nothing to tell ----

@test "a report says what is not in the stream, and the status is 1" {
	stream < /dev/null > s
	while IFS=, read -r report missing; do
		run -1 --separate-stderr table "$report" s
		[ -z "$output" ]
		[ "$stderr" = "tq-stats: $report: $missing" ]
	done <<- 'END'
		cuda_api_sum,no CUDA API call in the stream
		cuda_api_trace,no CUDA API call in the stream
		cuda_gpu_kern_sum,no kernel in the stream
		cuda_gpu_kern_gb_sum,no kernel in the stream
		cuda_gpu_graph_sum,no graph in the stream that was traced as a whole
		cuda_gpu_mem_time_sum,no memcpy or memset in the stream
		cuda_gpu_mem_size_sum,no memcpy or memset in the stream
		cuda_gpu_sum,no operation of a device in the stream
		cuda_gpu_trace,no operation of a device in the stream
		cuda_api_gpu_sum,neither a CUDA API call nor a device operation in the stream
	END
}
