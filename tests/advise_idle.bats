#!/usr/bin/env bats
# Idle time of a device belongs to what the thread that launches did then: the
# claims of the rules of tq-advise, on small streams, planted faults of known
# cost, and cases of real recordings.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# ---- helpers ----

# gains FILE ...: "NAME GAIN" of each finding of a stream, without those of no
# time
gains() {
	tq-advise -f ndjson "$@" |
	    jq -r 'select(.finding and .gain_ns > 0) | "\(.finding) \(.gain_ns)"'
}

# gain NAME FILE: what a finding may gain, in ns; 0 if there is none
gain() {
	local got

	got=$(gains "$2" | awk -v name="$1" '$1 == name { print $2 }')
	echo "${got:-0}"
}

# case_of FILE: the recording of shared/data/cases as correlated stream; the test
# is skipped where it is absent
case_of() {
	local in=$DATA/cases/$1

	[[ -e $in ]] || skip "no case $1"
	case $1 in
	*.sql)
		sqlite3 -batch -bail case.sqlite < "$in"
		tq-extract case.sqlite ;;
	*.json) tq-extract "$in" ;;
	*) cat "$in" ;;
	esac | tq-correlate > case.tq
}

# ---- claims ----

@test "each nanosecond of a gap is claimed once, by what the thread did in it" {
	need python3
	run -0 python3 "$top/tests/properties/idle.py" {1..150}
}

# ---- planted faults ----

@test "the cost of a planted fault comes back as a claim of the rule about it" {
	local plants=$DATA/../tools/plants

	need python3
	[[ -e $plants/run.py ]] || skip "no planted faults"
	# shellcheck disable=SC2046 # a name each
	run -0 python3 "$plants/run.py" -d . \
	    clean_item clean_nosync clean_small clean_nosteps sync_mid sync_all \
	    item_loop pageable pageable_ckpt blocking_copy tiny_kernels \
	    tiny_varied few_blocks low_occ gc_named gc_unnamed loader_range \
	    loader_osrt loader_unnamed serial throttle throttle_nocounter leak \
	    malloc_loop mallocasync_pool pingpong jit_in_steps lazy_first uvm \
	    graph_relaunch graph_instantiate logging_ lock_ event_sync \
	    stream_churn spills slow4 cpu_contention profiler_oh tiny_copies \
	    slow_copy_numa unoverlapped_h2d python_gil redundant_h2d \
	    ddp_range_trap offload_trap nanosleep_srv worker_fork mmap_weights \
	    tail2 loader_bound loader_bound_async ddp_trap_async \
	    optimizer_step_trap first_step_compile compile_mid eval_mid \
	    h2d_same_stream_overlappable half_idle_unknown dist_clean_overlap \
	    dist_exposed dist_same_stream dist_straggler10 \
	    dist_straggler10_overlap
	[[ ${lines[-1]} = '64 right, 0 wrong' ]]
}

# ---- cases ----

@test "a loader of 10 ms is data loading in four steps and in five" {
	for name in min4 min5; do
		case_of "streams/$name.tq"
		run -0 gains case.tq
		[[ ${lines[0]} =~ ^data-loading\ [34]0000[0-9]{3}$ ]]
	done
}

@test "calls that allocate claim no launch that follows them" {
	# 60 times a cudaMalloc of 6 us and a launch of 1 ms
	case_of alloc-claims-launch.json
	(($(gain allocation case.tq) <= 360000))
	case_of pt-gpu.trimmed.json
	(($(gain allocation case.tq) <= 2500000))
}

@test "the first launch of a kernel, if it takes long, is the time that loads it" {
	case_of pt-gpu.trimmed.json
	[[ $(gain module-loading case.tq) = 1337124303 ]]
	case_of first-use-lazy-loading.json
	run -0 gains case.tq
	[[ ${lines[*]} =~ ^module-loading\ 195[0-9]{6}$ ]]
	# a graph would gain a tenth of that
	case_of sw-4b.trimmed.json
	run -0 gains case.tq
	[[ ${lines[0]} =~ ^module-loading\ 18[0-9]{7}$ ]]
	(($(gain graph-candidate case.tq) < 30000000))
	(($(gain launch-bound case.tq) == 0))
}

@test "where the host waits after each kernel, the waits come first" {
	case_of sync-each.sql
	run -0 gains case.tq
	[[ ${lines[0]} = 'sync-each 3192'* ]]
}

@test "pages that the host touches on the device are a finding, prefetched ones not" {
	case_of uvm-host-fault.sql
	run -0 gains case.tq
	[[ ${lines[*]} = 'host-faults 295'* ]]
}

@test "HIP has the findings of CUDA" {
	case_of alloc-cuda.json
	gains case.tq > cuda
	case_of alloc-hip.json
	gains case.tq > hip
	[[ $(head -n 1 cuda) = 'allocation 31600000' ]]
	diff cuda hip
}
