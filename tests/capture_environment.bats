#!/usr/bin/env bats
# tq-capture status --environment: what this machine allows; and --strict, which
# refuses to go on without it

load helper
load capture

SPIN=$CLIENTS/spin
NO_PERF='perf_event_open: Operation not permitted (denied by seccomp; a container can be given CAP_PERFMON)'

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# lines [COMMAND ...]: what it says of the environment, run by COMMAND
lines() {
	"$@" tq-capture status --environment
}

# refused TEXT OPTION ...: --strict ends it with that text, and runs nothing
refused() {
	run -125 --separate-stderr tq-capture --strict -o x.tq "${@:2}" touch run
	[ "$stderr" = "tq-capture: $1" ]
	[ ! -e run ] && [ ! -e x.tq ]
}

# library NAME FUNCTION-BODY: a library in this folder that does that when it is
# loaded
library() {
	need gcc
	printf '#include <unistd.h>
	__attribute__((constructor)) static void begin(void) { %s }' "$2" |
	    gcc -shared -fPIC -x c -o "$1" -
}

@test "each thing that can be asked for has a line, with ok or why not" {
	lines > said 2> messages
	[ ! -s messages ]
	[ "$(sed 's/: .*//' said | paste -sd,)" = "--trace cuda,--trace\
 nvtx,--trace osrt,--trace python-gil,--trace mpi,--trace nccl,stacks of calls that hang,--sample,--cpuctxsw,--python-sampling\
,--python-functions-trace,--counters gpu,--counters cpu,--counters io,--counters net" ]
	run -1 grep -Ev ': (ok(, .+)?|no: .+)$' said
	grep -qx -e '--trace nvtx: ok' said
	# its functions are in data
	grep -q -e '^--trace nccl: ok' said
	grep -qx -e '--python-functions-trace: ok, of CPython 3.8 to 3.13' said
	# the option may stand before the word
	tq-capture --environment status | cmp - said
}

@test "the line of Python functions says where the folder with them was looked for" {
	cp "$BUILD/libtq-capture.so" .
	TQ_CAPTURE_AGENT=$PWD/libtq-capture.so lines > said
	grep -qxF -e "--python-functions-trace: no: $PWD/python/sitecustomize.py:\
 No such file or directory" said
}

@test "what a line says of samples is what a recording finds" {
	lines > said
	for option in --sample --cpuctxsw; do
		run tq-capture -q --strict -t none "$option=process-tree" -o x.tq true
		((status == 0 || status == 125))
		grep -q -e "^$option: $( ((status)) && echo no || echo ok)" said
	done
}

@test "without perf_event_open the lines and --strict say why" {
	"$SPIN" deny true || skip "no seccomp filter"
	lines "$SPIN" deny > said
	grep -Fq -e "--sample: no: $NO_PERF: timers in the program are used, at\
 most " said
	grep -Fqx -e "--cpuctxsw: no: $NO_PERF: time on and off processors is\
 counted" said
	grep -v -e '^--sample' -e '^--cpuctxsw' said > rest
	[ "$(lines | grep -v -e '^--sample' -e '^--cpuctxsw')" = "$(< rest)" ]
	for option in -s --cpuctxsw; do
		run -125 "$SPIN" deny tq-capture --strict -o x.tq \
		    "$option" process-tree touch run
		[[ $output = *"$NO_PERF"*": "* ]]
		[ ! -e run ] && [ ! -e x.tq ]
	done
}

@test "without process_vm_readv too, calls that hang have no stack, and Python no samples" {
	"$SPIN" blind true || skip "no seccomp filter"
	lines "$SPIN" blind > said
	grep -Fq -e "--sample: no: $NO_PERF: timers" said
	grep -q '^stacks of calls that hang: no: process_vm_readv: Operation not permitted (' said
	grep -q -e '^--python-sampling: no: process_vm_readv: Operation not permitted (' said
	run -125 "$SPIN" blind tq-capture --strict -t none --python-sampling true \
	    -o x.tq touch run
	[ ! -e run ]
	"$SPIN" blind tq-capture -q -t osrt -o x.tq sh -c 'kill -9 $$' || true
	tail -n 1 x.tq | grep -q '"kind":"end"'
}

@test "GPUs are found by libnvidia-ml, and not by one without a driver" {
	export LD_LIBRARY_PATH=$BUILD/capture/nvml
	lines | grep -qx -e '--counters gpu: ok'
	FAKE_NVML_BROKEN=1 lines |
	    grep -q -e '^--counters gpu: no: libnvidia-ml finds no driver'
	CUDA_VISIBLE_DEVICES='' lines |
	    grep -q -e '^--counters gpu: no: libnvidia-ml finds no GPU'
}

@test "--strict refuses counters of GPUs that cannot be read" {
	export LD_LIBRARY_PATH=$BUILD/capture/nvml
	tq-capture -q --strict -t none --counters gpu,cpu,io,net -o good.tq true
	[ -e /dev/nvidiactl ] && skip "the text says more where there is a GPU"
	FAKE_NVML_BROKEN=1 refused \
	    '--counters gpu: libnvidia-ml finds no driver' --counters cpu,gpu
	# without it the program runs
	FAKE_NVML_BROKEN=1 tq-capture -q -t none --counters gpu -o x.tq true
}

@test "--strict refuses OS calls without the library of their wrappers" {
	mkdir alone
	cp "$BUILD"/{tq-capture,libtq-capture.so} alone
	PATH=$PWD/alone:$PATH
	refused "--trace osrt: $PWD/alone/libtq-preload.so: No such file or directory" \
	    -t osrt
	lines | grep -q -e '^--trace osrt: no: .*: No such file or directory$'
	rm alone/libtq-capture.so
	lines | grep -q -e '^--trace nvtx: no: libtq-capture.so is neither'
}

@test "an agent that cannot be loaded is an error, and its reason is printed" {
	echo no library > agent.so
	export TQ_CAPTURE_AGENT=$PWD/agent.so
	run -125 tq-capture -t nvtx -o x.tq touch run
	[ "$output" = "tq-capture: $PWD/agent.so: not a library" ]
	[ ! -e run ] && [ ! -e x.tq ]
	lines | grep -q -e '^--trace nvtx: no: .*agent.so: not a library$'
	# nothing of it is needed
	tq-capture -q -t none -o x.tq true
}

@test "an agent that needs a newer C library is an error that names both versions" {
	need readelf
	readelf -V "$BUILD/libtq-capture.so" | grep -q 'Name: GLIBC_2\.' ||
	    skip "the agent needs no version of glibc"
	sed 's/GLIBC_2\.[1-9][0-9]\x00/GLIBC_2.99\x00/g' \
	    "$BUILD/libtq-capture.so" > agent.so
	here=$(getconf GNU_LIBC_VERSION)
	export TQ_CAPTURE_AGENT=$PWD/agent.so
	run -125 tq-capture -t nvtx -o x.tq touch run
	[ "$output" = "tq-capture: $PWD/agent.so needs glibc 2.99, and this system has ${here#* }" ]
	[ ! -e run ] && [ ! -e x.tq ]
}

@test "an agent for another processor is an error" {
	# e_machine
	printf '\x08\x00' | cat <(head -c 18 "$BUILD/libtq-capture.so") - \
	    <(tail -c +21 "$BUILD/libtq-capture.so") > agent.so
	TQ_CAPTURE_AGENT=$PWD/agent.so run -125 tq-capture -t nvtx touch run
	[ "$output" = "tq-capture: $PWD/agent.so: for another processor" ]
}

@test "a library of a driver that crashes, or never returns, is one line" {
	library libcuda.so.1 'for (;;) pause();'
	library libnvidia-ml.so.1 '_exit(*(volatile int *)0);'
	lines env LD_LIBRARY_PATH="$PWD" > said
	grep -q -e '^--counters gpu: no: its library crashes' said
	grep -q -e '^--trace cuda: no: ' said
	grep -q -e '^--counters net: ' said
}

@test "--environment is of status alone, and of no session" {
	for words in '--environment true' 'start --environment' \
	    'status --environment --session x' 'status --environment x'; do
		# shellcheck disable=SC2086 # they are words
		run -125 tq-capture $words
		[[ $output = usage:* ]]
	done
}
