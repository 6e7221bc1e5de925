#!/usr/bin/env bats
# tq-capture records what a program does with CUDA, on a GPU that is none:
# every record there must be is there

load helper
load fakecuda
load capture
load storm

setup() {
	need cupti.h
	cd "$BATS_TEST_TMPDIR"
}

EVERY="kernel memcpy memcpy2 memset runtime driver sync stream context device
overhead graph range mark"
MIXTURE="-n 500 -t 2 -s 3 -c 31 -p 3 -f 11 -a 10 -g 5 -k 4 -q 10 -d 7 -N"

@test "with every generation of CUDA all that was done is recorded, once" {
	local generation

	for generation in $GENERATIONS; do
		# shellcheck disable=SC2086 # options, kinds
		storm "$generation" "--cuda-nested --cuda-memory" $MIXTURE
		whole
		# shellcheck disable=SC2086
		same all $EVERY memory pool
		[ "$(dropped) $(count diagnostic)" = "0 0" ]
	done
}

@test "a call of the driver by the runtime is left out, its own is not" {
	# shellcheck disable=SC2086
	storm 13.0 "" $MIXTURE
	whole
	same all kernel memcpy memset runtime graph sync
	[ "$(records driver)" = 14 ] # 7 by each thread
	[ "$(said_of api 'select(.api == "cuda-driver") | .name' |
	    sort -u)" = cuLaunchKernel ]
}

@test "memory is recorded only with --cuda-memory" {
	storm 13.0 "" -a 10
	[ "$(records memory) $(records pool)" = "0 0" ]
	storm 13.0 --cuda-memory -a 10
	same all memory pool
	[ "$(ask 'map(select(.kind == "alloc" and .op == "alloc")) |
	    all(.bytes > 0 and (.address | test("^0x[0-9a-f]+$")) and
	    .device == 0)')" = true ]
}

@test "-t cuda leaves out annotations, -t nvtx all of CUDA" {
	storm 13.0 "-t cuda" -n 10 -N
	same all kernel runtime
	[ "$(count range)" = 0 ]
	storm 13.0 "-t nvtx" -n 10 -N
	same all range
	[ "$(count kernel) $(count api) $(count context)" = "0 0 0" ]
}

@test "calls that only ask are left out" {
	storm 13.0 "" -n 10 -q 100
	same all runtime
	[ "$(done_of all silent)" -ge 100 ]
}

@test "--cuda-graph: a graph as a whole, or each of its nodes" {
	storm 13.0 "" -n 0 -g 5 -k 4
	[ "$(count graph) $(count kernel)" = "5 0" ]
	storm 13.0 "--cuda-graph graph" -n 0 -g 5 -k 4
	[ "$(count graph) $(count kernel)" = "5 0" ]
	storm 13.0 "--cuda-graph node" -n 0 -g 5 -k 4
	[ "$(count graph) $(count kernel)" = "0 20" ]
	[ "$(said_of kernel .graph_node | sort -u | wc -l)" = 4 ]
	[ "$(said_of kernel .corr | sort -u | wc -l)" = 5 ]
}

@test "nodes of graphs: their creation is recorded, and names what is replayed" {
	storm 13.0 "--cuda-graph node" -n 0 -g 5 -k 4
	# four are captured; each is copied once
	[ "$(said_of api 'select(.name == "Graph Node Creation") |
	    [.api, (.args | keys | length)] | @csv' | sort | uniq -c |
	    awk '{ printf "%s %s,", $1, $2 }')" = \
	    '4 "cuda-graph",1,4 "cuda-graph",2,' ]
	tq-correlate "$tq" > correlated
	tail -n 1 correlated | jq -e '.args == {"graph_ops": 20,
	    "graph_named": 20, "graph_ambiguous": 0, "graph_refused": 0}'
	[ "$(jq -r 'select(.kind == "kernel").proof' correlated | uniq -c |
	    xargs)" = "20 node" ]
	storm 13.0 "" -n 0 -g 5 -k 4
	[ "$(grep -c "Graph Node" "$tq")" = 0 ]
}

@test "a kernel has its names, its size, its place and its call" {
	storm 13.0 "" -n 30 -s 2
	[ "$(said_of kernel '.name[:5]' | sort | uniq -c |
	    awk '{ printf "%s %s,", $1, $2 }')" = "10 add,10 long_,10 storm," ]
	[ "$(said_of symbol 'select(.name == "add") | [.demangled, .mangled]')" = \
	    '["void add<float>(float*, float const*, int)","_Z3addIfEvPT_PKS0_i"]' ]
	[ "$(count symbol)" = 3 ]
	[ "$(ask '(map(select(.kind == "symbol")) | map({(.id | tostring): .name})
	    | add) as $names | map(select(.kind == "kernel")) |
	    all($names[.sym | tostring] == .name and .device == 0 and
	    .block == [128, 1, 1] and (.grid | length) == 3 and .dur > 0)')" = \
	    true ]
	[ "$(said_of kernel .stream | sort -u | wc -l)" = 2 ]
}

@test "streams, contexts and devices are defined before their use" {
	# shellcheck disable=SC2086
	FAKECUDA_DEVICES=2 storm 13.0 "" $MIXTURE -G 2
	# shellcheck disable=SC2086
	same all kernel memcpy memcpy2 memset runtime sync device context
	[ "$(count device) $(count context)" = "2 2" ]
	[ "$(ask '
	    (map(select(.kind == "stream")) |
	        map({("\(.context) \(.stream)"): .device}) | add) as $streams |
	    map(select(.kind | IN("kernel", "memcpy", "memset"))) |
	    all($streams["\(.context) \(.stream)"] == .device)')" = true ]
}

@test "a call has its thread, and work starts after its call" {
	storm 13.0 "" -n 500 -t 3
	[ "$(said_of api 'select(.name == "cudaLaunchKernel") | .tid' | sort |
	    uniq -c | awk '{ print $1 }' | sort -u)" = 500 ]
	[ "$(said_of thread .tid | sort -u | wc -l)" -ge 3 ]
	[ "$(ask '(map(select(.kind == "api" and (.name | test("Launch")))) |
	    map({(.corr | tostring): .ts}) | add) as $calls |
	    map(select(.kind == "kernel")) | length == 1500 and
	    all(.ts >= $calls[.corr | tostring])')" = true ]
}

@test "tq-correlate finds the call and the range of each operation" {
	local generation

	for generation in $GENERATIONS; do
		# shellcheck disable=SC2086
		storm "$generation" "--cuda-graph node" $MIXTURE
		tq-correlate "$tq" > correlated
		tail -n 1 correlated | jq -e '.unresolved == 0 and
		    .ambiguous == 0 and .resolved > 1000'
	done
	# each launch has a range of its own around it
	need nvToolsExt.h
	[ "$(jq -s 'map(select(.kind == "kernel" and .graph_node == null and
	    .range != null).range) | unique | length' correlated)" = 1000 ]
}

@test "what is captured goes through all tools" {
	# shellcheck disable=SC2086
	storm 13.0 "--cuda-memory" $MIXTURE
	tq-correlate "$tq" | tq-chrome -q -o trace.json
	[ "$(jq '[.traceEvents[] | select(.ph == "X" and .name == "add")] |
	    length' trace.json)" = "$(said_of kernel 'select(.name == "add")' |
	    wc -l)" ]
	tq-correlate "$tq" | tq-perfetto -q -o trace.pftrace
	[ -s trace.pftrace ]
	tq-stats -r cuda_gpu_kern_sum -f csv "$tq" > sum
	[ "$(awk -F, 'NR > 1 { n += $3 } END { print n }' sum)" = \
	    "$(done_of all kernel)" ]
	tq-stats -r cuda_api_sum -f csv "$tq" > sum
	[ "$(awk -F, 'NR > 1 { n += $3 } END { print n }' sum)" = \
	    "$(count api)" ]
}

@test "a program that is killed, or ends at once, loses nothing" {
	local how

	for how in kill _exit abort segv; do
		# shellcheck disable=SC2086
		storm 13.0 --cuda-nested $MIXTURE -e "$how" || true
		whole
		# shellcheck disable=SC2086
		same all $EVERY
		[ "$(dropped)" = 0 ]
		tq-correlate "$tq" | tail -n 1 | jq -e '.unresolved == 0'
	done
}

# open_calls FILE: calls of CUDA that never returned
open_calls() {
	jq -c 'select(.kind == "api" and .open) |
	    [.name, .api, .tid == .pid, has("dur"), .stack > 0]' "$1"
}

@test "a call that waits for the device when the program is killed is open" {
	local spin

	# the thread sleeps, or asks the device again and again
	for spin in 0 1; do
		FAKECUDA_SPIN=$spin FAKECUDA_KERNEL_NS=60000000000 fake 13.0 \
		    tq-capture -q -d 2 --kill sigkill -o x.tq \
		    "$FAKE/storm" -n 3 || true
		whole x.tq
		open_calls x.tq |
		    grep -E '^[[]"cudaEventSynchronize","cuda-runtime",false,false,'
	done
	# one that sleeps has the stack, too
	FAKECUDA_KERNEL_NS=60000000000 fake 13.0 tq-capture -q -t cuda,osrt \
	    -d 2 --kill sigkill -o x.tq "$FAKE/storm" -n 3 -t 3 || true
	[ "$(open_calls x.tq | grep -c true)" = 3 ]
	jq -c 'select(.kind == "stack").frames' x.tq |
	    grep '"cudaEventSynchronize (libcudart.so.13)","work_round (storm)"'
	tq-stats -r waits x.tq | grep -c cudaEventSynchronize | grep -x 3
	tq-correlate x.tq | tq-advise > advice
	grep -E '3 threads in cudaEventSynchronize at work[.]c:[0-9]+ in work_round [(]storm[)]' \
	    advice
}

@test "a launch into a full queue when the program is killed is open, and a finding" {
	FAKECUDA_QUEUE=2 FAKECUDA_KERNEL_NS=60000000000 fake 13.0 \
	    tq-capture -q -t cuda,osrt -d 3 --kill sigkill -o x.tq \
	    "$FAKE/storm" -n 5 || true
	whole x.tq
	open_calls x.tq | grep -F '["cuLaunchKernel","cuda-driver",'
	[ "$(open_calls x.tq | wc -l)" = 1 ]
	tq-stats -r waits x.tq | grep cuLaunchKernel
	tq-correlate x.tq | tq-advise > advice
	grep -E "in cuLaunchKernel at work[.]c:[0-9]+ in launch [(]storm[)]" advice
	# one that finds room in time is not
	FAKECUDA_QUEUE=2 FAKECUDA_KERNEL_NS=20000000 fake 13.0 \
	    tq-capture -q -t cuda -o x.tq "$FAKE/storm" -n 10
	whole x.tq
	[ "$(open_calls x.tq)" = "" ]
	[ "$(count kernel x.tq)" = 10 ]
}

@test "and none that returned in time" {
	FAKECUDA_KERNEL_NS=100000000 fake 13.0 tq-capture -q -d 0.5 -o x.tq \
	    "$FAKE/storm" -n 10
	whole x.tq
	[ "$(open_calls x.tq)" = "" ]
	[ "$(grep -c '"name":"cudaEventSynchronize"' x.tq)" -gt 0 ]
}

@test "nor does one with more work than fits into a buffer" {
	storm 13.0 "" -n 20000 -t 2 -e kill || true
	whole
	same all kernel runtime
}

@test "processes of a tree are told apart" {
	storm 13.0 "" -n 100 -F
	whole
	[ "$(count process) $(count context) $(count kernel)" = "2 2 200" ]
	[ "$(said_of kernel .pid | sort | uniq -c | awk '{ print $1 }' |
	    paste -sd ' ')" = "100 100" ]
	storm 13.0 "" -n 100 -L # a fork late is no process of CUDA
	whole
	same all kernel
}

@test "a child lives on whose handlers of fork make calls of the C library" {
	cat > handlers.c <<-'EOF'
	#define _GNU_SOURCE
	#include <dlfcn.h>
	#include <pthread.h>
	#include <stdio.h>
	#include <string.h>
	#include <sys/wait.h>
	#include <unistd.h>
	/* long enough to be recorded: the child has an arena of its own then */
	static void in_child(void) { usleep(1000); }
	int main(void) {
	    int (*init)(unsigned), status;
	    void *cuda, *p;
	    pid_t child;
	    pthread_atfork(NULL, NULL, in_child);
	    if ((cuda = dlopen("libcuda.so.1", RTLD_NOW)) == NULL ||
	        (p = dlsym(cuda, "cuInit")) == NULL)
	        return 2;
	    memcpy(&init, &p, sizeof(p));
	    init(0); /* loads the agent, which has a handler of its own */
	    if ((child = fork()) == 0) {
	        usleep(1000);
	        _exit(7);
	    }
	    printf("%d\n", child);
	    return waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
	        WEXITSTATUS(status) != 7;
	}
	EOF
	${CC:-cc} -O1 -o handlers handlers.c -ldl -lpthread
	fake 13.0 tq-capture -q -t cuda,osrt -o x.tq ./handlers > child
	whole x.tq
	[ "$(jq -c "select(.name == \"usleep\" and .pid == $(< child)).dur" x.tq |
	    wc -l)" = 2 ]
}

@test "--split has the work of each process in its own file" {
	local f

	fake 13.0 tq-capture -q --split -o '%p.tq' "$FAKE/storm" -n 100 -F \
	    > numbers
	[ "$(ls -- *.tq | wc -l)" = 2 ]
	for f in *.tq; do
		whole "$f"
		[ "$(count kernel "$f") $(count symbol "$f")" = "100 3" ]
		tq-correlate "$f" | tail -n 1 | jq -e '.unresolved == 0'
	done
}

@test "correlation ids may wrap, records be torn, late and out of order" {
	local what

	FAKECUDA_CORRELATION=4294967290 storm 13.0 --cuda-nested -n 100 -c 9
	whole
	same all kernel memcpy runtime driver
	tq-correlate "$tq" | tail -n 1 | jq -e '.unresolved == 0'
	for what in TORN REVERSE CALLER; do
		export "FAKECUDA_$what=1"
		storm 13.0 --cuda-nested -n 100 -c 9
		unset "FAKECUDA_$what"
		whole
		same all kernel memcpy runtime driver
	done
}

@test "what CUPTI drops or has no times for is counted as lost" {
	FAKECUDA_NOTIME=4 storm 13.0 "-t cuda" -n 100 -c 0
	whole
	[ $(($(count kernel) + $(lost "device operation"))) = 100 ]
	[ "$(dropped)" = "$(lost)" ]
	FAKECUDA_DROP=10 storm 13.0 "-t cuda" -n 100 -c 0
	[ "$(lost)" -gt 0 ]
	[ "$(dropped)" = "$(lost)" ]
}

# ---- when it can't ----

@test "another profiler is named, and annotations are recorded still" {
	FAKECUDA_BUSY="Nsight Systems" storm 13.0 "" -n 10 -N
	whole
	same all range
	[ "$(count kernel)" = 0 ]
	[ "$(said_of diagnostic '[.severity, .text]')" = \
	    '["warning","Nsight Systems uses CUPTI: CUDA is not recorded"]' ]
	grep -qE '^tq-capture: process [0-9]+: Nsight Systems uses CUPTI: CUDA is not recorded$' \
	    "$said"
	FAKECUDA_BUSY="Nsight Systems" storm 12.4 "" -n 10
	[ "$(said_of diagnostic .text)" = \
	    "another profiler uses CUPTI: CUDA is not recorded" ]
}

@test "a driver that CUPTI can't use is told, and nothing else changes" {
	local generation

	for generation in 12.4 13.0; do
		FAKECUDA_NODRIVER=1 storm "$generation" "" -n 10 -N
		whole
		same all range
		[ "$(said_of diagnostic .text)" = "no libcupti that works with\
 this CUDA driver: CUDA is not recorded" ]
	done
}

@test "the libcupti of a toolkit without a driver is told" {
	need libcupti.so.13
	mkdir real
	ln -s "$libcupti" real
	numbers=$PWD/numbers
	LD_LIBRARY_PATH=real:$FAKE capture -q "$FAKE/storm" -n 10 -o numbers -N
	whole
	same all range
	[ "$(count kernel)" = 0 ]
	[ "$(said_of diagnostic .text)" = "no libcupti that works with this CUDA\
 driver: CUDA is not recorded" ]
}

@test "a program without CUDA knows nothing of it" {
	capture "$CLIENT" marks 10
	[ "$(count diagnostic) $(count device)" = "0 0" ]
	run ! grep -qi cuda "$said"
}

@test "launches after another CUPTI client took its buffers are lost, and told" {
	local generation

	for generation in 11.8 13.0; do
		FAKECUDA_TAKEN=2000 storm "$generation" --cuda-nested -n 3000
		whole
		[ "$(count kernel)" -lt 3000 ]
		[ $(($(grep -c '"name":"cuLaunchKernel"' "$tq") + $(lost launch))) = \
		    3000 ]
		[ "$(lost launch)" -gt 0 ]
		[ "$(dropped)" = "$(lost)" ]
		[ "$(said_of lost .reason)" = "not handed over by CUPTI" ]
		grep -q "another CUPTI client, such as torch.profiler, took its\
 place" "$said"
		[ "$(said_of diagnostic '.severity')" = warning ]
	done
	# a program that is killed is told of as well
	FAKECUDA_TAKEN=1000 storm 13.0 --cuda-nested -n 30000 -e kill || true
	[ $(($(grep -c '"name":"cuLaunchKernel"' "$tq") + $(lost launch))) = \
	    30000 ]
}
