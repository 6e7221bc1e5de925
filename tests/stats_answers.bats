#!/usr/bin/env bats
# Reports that answer one question: api_errors, overhead, sync_sum, phases

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# rows REPORT: its rows of the stream on the standard input
rows() {
	tq-stats -r "$1" --plain-keys -f csv
}

# sql TEXT: what it prints of the database $data
sql() {
	sqlite3 -separator , "file:$data?mode=ro" "$1"
}

# call TS DUR CORR NAME RET
call() {
	echo '{"kind":"api","ts":'"$1"',"dur":'"$2"',"pid":1,"tid":1,"corr":'"$3"',"name":"'"$4"'","api":"cuda-runtime","ret":'"$5"'}'
}

# ---- api_errors ----

@test "api_errors has failed calls by call and code, with the name of the code" {
	{
		call 0 5 1 cudaMalloc 2
		call 10 5 2 cudaLaunchKernel 0
		call 20 5 3 cudaLaunchKernel 222
		call 30 5 4 cudaLaunchKernel 222
		call 40 5 5 cudaEventQuery 600
		call 50 5 6 cudaMalloc 98765
	} | stream > s.tq
	rows api_errors < s.tq | diff - <(cat <<- 'END'
	failed,calls,first_ns,pid,code,error,call
	2,3,20,1,222,cudaErrorUnsupportedPtxVersion,cudaLaunchKernel
	1,2,0,1,2,cudaErrorMemoryAllocation,cudaMalloc
	1,2,50,1,98765,unknown,cudaMalloc
	END
	)
	run -0 tq-stats -r api_errors s.tq
	[[ $output = *cudaErrorUnsupportedPtxVersion* ]]
}

@test "api_errors says that no call failed, which is an answer" {
	{
		call 0 5 1 cudaMalloc 0
		call 40 5 5 cudaEventQuery 600
	} | stream > s.tq
	run -0 tq-stats -r api_errors s.tq
	[[ ${lines[1]} = ' none of 2 calls failed' ]]
	sed 's/,"ret":[0-9]*//' s.tq > uncoded.tq
	run -0 tq-stats -r api_errors uncoded.tq
	[[ ${lines[1]} = ' what calls returned is not recorded' ]]
	run -1 tq-stats -r api_errors <(stream)
	[[ $output = *'api_errors: no call of CUDA or HIP in the stream' ]]
}

@test "api_errors counts what SQL counts" {
	data nsys/2026.1.1-vectoradd.sqlite
	[[ $(sql 'SELECT count(*), sum(returnValue != 0)
	    FROM CUPTI_ACTIVITY_KIND_RUNTIME') = 45,0 ]]
	run -0 tq stats -r api_errors "$data"
	[[ ${lines[1]} = ' none of 45 calls failed' ]]
}

# ---- overhead ----

@test "overhead has time by name, its union, and the call around the longest" {
	{
		echo '{"kind":"overhead","ts":0,"dur":10,"pid":1,"tid":1,"name":"TLS allocation"}'
		echo '{"kind":"overhead","ts":5,"dur":10,"pid":1,"tid":2,"name":"TLS allocation"}'
		call 100 50 1 cudaLaunchKernel 0
		echo '{"kind":"overhead","ts":110,"dur":30,"pid":1,"tid":1,"name":"Lazy Function Loading","what":"Lazy function loading (CUDA)"}'
		call 200 7 2 cuLibraryLoadData 0
		call 300 50 3 cudaLaunchKernel 0
		echo '{"kind":"overhead","ts":360,"dur":20,"pid":1,"tid":1,"name":"Lazy Function Loading","what":"Lazy function loading (CUDA)"}'
	} | stream | rows overhead | diff - <(cat <<- 'END'
	count,total_ns,union_ns,longest_ns,at_ns,of,name,in_call,call_ns
	2,50,50,30,110,loading,Lazy Function Loading,cudaLaunchKernel,50
	2,20,15,10,0,profiler,TLS allocation,,
	1,7,7,7,200,loading,cuLibraryLoadData,,
	END
	)
}

@test "the loading of code is what SQL says, and so is the call around it" {
	data nsys/2026.1.1-vectoradd.sqlite
	tq stats -r overhead --plain-keys -f ndjson "$data" > rows
	[[ $(sql 'SELECT sum(end - start) FROM CUPTI_ACTIVITY_KIND_OVERHEAD') = \
	    $(jq -s 'map(select(.of == "loading").total_ns) | add' rows) ]]
	[[ $(sql "SELECT max(r.end - r.start) FROM CUPTI_ACTIVITY_KIND_RUNTIME r
	    JOIN StringIds ON id = nameId WHERE value LIKE 'cudaLaunchKernel%'") = \
	    $(jq -s 'map(select(.name == "Runtime Triggered Module Loading").call_ns)[0]' rows) ]]
	jq -s -e 'map(select(.of == "loading").total_ns) | add == 32552051' rows
}

# ---- sync_sum ----

@test "sync_sum has waits by what they are for, and the operation that ended last" {
	{
		echo '{"kind":"kernel","ts":0,"dur":100,"pid":1,"corr":9,"name":"early","device":0,"context":1,"stream":7}'
		echo '{"kind":"kernel","ts":5,"dur":900,"pid":1,"corr":8,"name":"other","device":0,"context":1,"stream":8}'
		call 10 300 1 cudaStreamSynchronize 0
		echo '{"kind":"kernel","ts":100,"dur":150,"pid":1,"corr":10,"name":"late","device":0,"context":1,"stream":7}'
		call 400 20 2 cudaStreamSynchronize 0
		call 500 20 3 cudaMemcpy 0
		call 600 20 4 cudaMemcpyAsync 0
	} | stream | rows sync_sum | diff - <(cat <<- 'END'
	calls,total_ns,longest_ns,at_ns,waits_for,call,longest_ends_with
	2,320,300,10,stream,cudaStreamSynchronize,late
	1,20,20,500,blocking copy,cudaMemcpy,
	0,0,,,device,,
	0,0,,,event,,
	END
	)
}

@test "sync_sum counts the waits that SQL counts" {
	data nsys/2026.2.1-h100-2gpu.sqlite
	want=$(sql "SELECT count(*), sum(r.end - r.start), max(r.end - r.start)
	    FROM CUPTI_ACTIVITY_KIND_RUNTIME r JOIN StringIds ON id = nameId
	    WHERE value LIKE 'cudaStreamSynchronize%'")
	[[ $want = 8,* ]]
	tq stats -r sync_sum --plain-keys -f csv "$data" > rows
	grep "^$want,[0-9]*,stream,cudaStreamSynchronize," rows
	grep '^0,0,,,device' rows
	grep '^0,0,,,event' rows
}

# ---- phases ----

# operation KIND TS DUR BYTES
operation() {
	echo '{"kind":"'"$1"'","ts":'"$2"',"dur":'"$3"',"pid":1,"device":0,"context":1,"stream":7'"${4:+,\"bytes\":$4,\"copy\":\"HtoD\"}"',"name":"k"}'
}

phases_of() {
	rows phases | cut -d , -f 3-11
}

@test "phases are the time before, loading, the steady phase and the tail" {
	{
		echo '{"kind":"api","ts":0,"dur":10,"pid":1,"tid":1,"name":"cudaMalloc","api":"cuda-runtime"}'
		operation memcpy 100 300 6000
		operation memcpy 500 400 3000
		operation kernel 1000 200
		operation kernel 1300 300
		operation memcpy 1500 200 1000 # 100 of it behind the last kernel
		operation memcpy 1800 50 500
		echo '{"kind":"api","ts":1900,"dur":100,"pid":1,"tid":1,"name":"cudaFree","api":"cuda-runtime"}'
	} | stream > s.tq
	tq-stats -r phases --plain-keys -f ndjson s.tq > rows
	jq -r '[.phase, .start_ns, .length_ns, .copied_b, .copy_ns,
	    .kernels, .kernel_ns] | map(tostring) | join(",")' rows > got
	diff got - <<- 'END'
	before,0,100,0,0,0,0
	loading,100,900,9000,700,0,0
	steady,1000,600,1000,200,2,500
	tail,1600,400,500,50,0,0
	END
	# busy: 700 of 900; 200 + 300 of 600; 100 + 50 of 400
	jq -se 'map(.busy_pct) == [0, 77.8, 83.3, 37.5]' rows
}

@test "without copies before the kernels there is no loading, and kernels need not be" {
	{
		operation kernel 100 200
		operation memcpy 400 100 5
	} | stream | phases_of | cut -d , -f 1-3 | diff - <(cat <<- 'END'
	phase,start_ns,length_ns
	steady,100,200
	tail,300,200
	END
	)
	operation memcpy 400 100 5 | stream | phases_of | cut -d , -f 1-3 |
	    diff - <(printf 'phase,start_ns,length_ns\nsteady,400,100\n')
}

@test "phases are what SQL says" {
	data nsys/2024.6.2-torch-2.7b.sqlite
	tq stats -r phases --plain-keys -f ndjson "$data" > rows
	first=$(sql 'SELECT min(start) FROM CUPTI_ACTIVITY_KIND_KERNEL')
	last=$(sql 'SELECT max(end) FROM CUPTI_ACTIVITY_KIND_KERNEL')
	copy=$(sql "SELECT sum(end - start) FROM CUPTI_ACTIVITY_KIND_MEMCPY
	    WHERE start < $first")
	((first / 1000000 == 36699 && copy / 1000000 == 4460))
	jq -s -e --argjson first "$first" --argjson last "$last" \
	    --argjson copy "$copy" 'map({key: .phase, value: .}) | from_entries |
	    .steady.start_ns == $first and .steady.length_ns == $last - $first and
	    .loading.copy_ns == $copy and .steady.busy_pct == 86.3 and
	    .steady.kernels == 7328' rows
}

# ---- all of them ----

@test "each has all formats, and the columns that it lists" {
	{
		call 0 5 1 cudaMalloc 2
		operation kernel 100 200
		echo '{"kind":"overhead","ts":400,"dur":10,"pid":1,"name":"x"}'
	} | stream > s.tq
	for report in api_errors overhead sync_sum phases; do
		tq-stats --help-reports=$report | grep "^  $report "
		for format in table csv tsv json ndjson html markdown; do
			run -0 tq-stats -r $report -f $format s.tq
			((${#lines[@]} >= 1)) || return 1
		done
		tq-stats -r $report -f json s.tq | jq -e .
		run -0 tq-stats -r $report --by-rank s.tq
		[[ ${lines[1]} = ' Rank '* ]] || return 1
	done
}
