#!/usr/bin/env bats
# tq-capture --cudabacktrace: the native stacks of calls of CUDA

load helper
load fakecuda
load capture
load storm

setup() {
	need cupti.h
	[[ $(uname -m) = x86_64 ]] || skip "stacks are followed on x86-64 only"
	cd "$BATS_TEST_TMPDIR"
}

WORK=(-n 40 -t 2 -s 2 -c 9 -f 11 -a 10 -g 7 -q 10)

# stacks [FILE]: "NAME [frames]" of each call, null where it has none
stacks() {
	jq -rs '
	    (map(select(.kind == "stack") | {key: "\(.id)", value: .frames}) |
	        from_entries) as $frames |
	    .[] | select(.kind == "api") |
	    .name + " " + ($frames["\(.stack)"] | tojson)' "${1:-$tq}"
}

# with, without: names of calls that have a stack, or have none
with() {
	stacks | grep -v ' null$' | cut -d ' ' -f 1 | sort -u | xargs
}
without() {
	stacks | grep ' null$' | cut -d ' ' -f 1 | sort -u | xargs
}

@test "each call has its callers, to the end, with every generation of CUDA" {
	for generation in $GENERATIONS; do
		storm "$generation" "--cudabacktrace all:0" "${WORK[@]}"
		whole
		same all kernel memcpy memset runtime sync graph
		[ "$(dropped)" = 0 ]
		[ "$(without)" = "" ]
		stacks > stacks
		# ours and CUPTI's frames are in none
		run ! grep -E 'libtq|libcupti' stacks
		# each is whole: it ends where a thread or the program begins
		[ "$(grep -cE '"[_GI]*clone3? \([^"]*"\]$|"_start \(storm\)"\]$' stacks)" = \
		    "$(wc -l < stacks)" ]
		# and goes through the call itself, and the function that made it
		[ "$(grep -c '^cudaLaunchKernel .*"cudaLaunchKernel (libcudart.so.[0-9]*)","launch (storm)",' stacks)" = \
		    "$(grep -c '^cudaLaunchKernel ' stacks)" ]
	done
}

@test "kernel, memory, sync and other choose calls by what they do" {
	storm 13.0 "--cudabacktrace kernel:0" "${WORK[@]}"
	[[ $(with) = *cudaLaunchKernel* ]]
	[ "$(with | tr ' ' '\n' | grep -vc Launch)" = 0 ]
	[[ $(without) != *cudaLaunchKernel* ]]
	storm 13.0 "--cudabacktrace memory:0,sync:0" "${WORK[@]}"
	[ "$(with | tr ' ' '\n' | grep -vcE 'Memcpy|Memset|Malloc|Free|Synchronize|Wait')" = 0 ]
	[[ $(with) = *cudaMemcpyAsync*cudaStreamSynchronize* ]]
	[ "$(without | tr ' ' '\n' | grep -cE 'Memcpy|Memset|cudaMalloc|Synchronize|WaitEvent')" = 0 ]
	[ "$(head -n 1 "$tq" | jq -r .mode)" = cuda,nvtx,cudabacktrace:memory,sync ]
	storm 13.0 "--cudabacktrace other:0" "${WORK[@]}"
	[[ $(with) = *cudaEventRecord* ]]
	[ "$(with | tr ' ' '\n' | grep -cE 'cudaLaunchKernel|Memcpy|Memset|Synchronize')" = 0 ]
}

@test "a call has a stack from its threshold on" {
	storm 13.0 "--cudabacktrace all:1000000000" "${WORK[@]}"
	[ "$(with)" = "" ]
	storm 13.0 "--cudabacktrace all:1h,sync:0" "${WORK[@]}"
	[ "$(with | tr ' ' '\n' | grep -vcE 'Synchronize|Wait')" = 0 ]
	# calls that are recorded as shorter by far have none, but where the thread
	# lost its processor before they began; and longer ones have one
	storm 13.0 "--cudabacktrace all:100000" "${WORK[@]}"
	[ "$(jq -s 'map(select(.kind == "api" and .dur < 20000)) | length > 0 and
	    (map(select(.stack)) | length) * 20 <= length' "$tq")" = true ]
	[ "$(jq -s 'map(select(.kind == "api" and .dur >= 100000)) | all(.stack)' "$tq")" = true ]
	# 1 us unless it is said, which a slow machine makes the shortest there are
	storm 13.0 "--cudabacktrace all" "${WORK[@]}"
	[ "$(jq -s 'map(select(.kind == "api" and .dur < 500)) |
	    (map(select(.stack)) | length) * 20 <= length + 20' "$tq")" = true ]
	[ "$(jq -s 'map(select(.kind == "api" and .dur >= 1000)) | length > 0 and
	    all(.stack)' "$tq")" = true ]
	storm 13.0 "" "${WORK[@]}"
	[ "$(count stack)" = 0 ]
}

@test "nested calls of the driver have none, and the Python stack goes before" {
	storm 13.0 "--cuda-nested --cudabacktrace all:0" "${WORK[@]}"
	same all runtime driver
	[ "$(jq -r 'select(.kind == "api" and .api == "cuda-driver" and .stack).name' "$tq" |
	    grep -c .)" = 0 ]
	python=$(pythons | tail -n 1)
	[[ -n $python ]] || skip "no python3.8 to 3.13"
	fake 13.0 tq-capture -q --cudabacktrace all:0 --python-backtrace cuda \
	    -o x.tq "$python" "$top/tests/capture/cuda_stacks.py" said.py
	jq -es '(map(select(.kind == "stack") | {key: "\(.id)", value: .frames}) |
	        from_entries) as $f |
	    map(select(.kind == "api" and .args.native)) | length >= 26 and
	    all(.[]; ($f["\(.stack)"][-1] | test("cuda_stacks.py")) and
	        ($f["\(.args.native)"] | any(test("_ctypes"))))' x.tq
	# who keeps a call keeps both
	tq-filter 'name == "cudaMemcpy"' x.tq > y.tq
	jq -es '(map(select(.kind == "stack").id)) as $ids |
	    map(select(.kind == "api")) | length > 0 and
	    all(.[]; [.stack, .args.native] - $ids == [])' y.tq
}

@test "GPU time by the native stacks of its launches" {
	storm 13.0 "--cudabacktrace kernel:0" -n 20
	jq -rs '(map(select(.kind == "stack") | {key: "\(.id)", value: .frames}) |
	        from_entries) as $f |
	    (map(select(.kind == "api") | {key: "\(.corr)", value: $f["\(.stack)"]}) |
	        from_entries) as $of |
	    map(select(.kind == "kernel")) | all(.[]; $of["\(.corr)"] |
	        any(. == "work_round (storm)"))' "$tq" | grep -x true
}

@test "what makes no sense is refused" {
	for value in '' x kernel: kernel:x kernel:-1 'kernel,,sync'; do
		run -125 tq-capture --cudabacktrace "$value" touch run
	done
	run -125 tq-capture --cudabacktrace nothing touch run
	[ "$output" = "tq-capture: --cudabacktrace nothing: expected kernel, memory, sync, other, all or none" ]
	[ ! -e run ]
	run -0 tq-capture -q --cudabacktrace none -o x.tq true
	run -0 tq-capture -q -t nvtx --cudabacktrace all -o x.tq true
	[ "$(head -n 1 x.tq | jq -r .mode)" = nvtx ]
}
