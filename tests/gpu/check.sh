#!/bin/sh
# check.sh - tq-capture on a GPU: is all there that programs did, are the times
# those of the GPU's own clock, and what does it cost
#
# Prints a line for each check, and for what was measured, also to
# $BUILD/gpu/report.txt; exits 1 where a check failed.  What CUPTI wrote is kept
# in $BUILD/gpu/corpus, for tests/gpu/corpus.  Without a GPU it says so, and
# exits 0.  With FAKE=1 the programs run on the CUDA of tests/fakecuda, which
# tries this script, and nothing else.
#
# It needs python3 and awk, and nvcc only if there is no folder "programs" beside
# it: "make gpu-kit" makes a folder with all that a bare machine with a driver
# needs; there BUILD is that folder.
# shellcheck disable=SC2317 # checks are called by their names
set -eu

here=$(cd "$(dirname "$0")" && pwd)
if [ -z "${BUILD:-}" ] && [ -x "$here/tq-capture" ]; then
	BUILD=$here
fi
: "${BUILD:?is not set}"
NVCC=${NVCC:-nvcc}
FAKE=${FAKE:-}
ROUNDS=${ROUNDS:-5}
LAUNCHES=${LAUNCHES:-20000}
DRIFT=${DRIFT:-60} # seconds
EACH=${EACH:-120}  # seconds that a program may take
LC_ALL=C
export LC_ALL

work=$BUILD/gpu
report=$work/report.txt
corpus=$work/corpus
fake=$BUILD/fakecuda
out=$work/out.tq
said=$work/said
failed=0
PATH=$BUILD:$PATH

# the programs, compiled before or now
programs=$here/programs
[ -x "$programs/storm" ] && [ -z "$FAKE" ] || programs=$work

if [ -z "$FAKE" ] && [ ! -e /dev/nvidiactl ]; then
	echo "check-gpu: no GPU here, nothing was checked"
	exit 0
fi
if [ "$programs" = "$work" ] && ! command -v "$NVCC" >/dev/null; then
	echo "check-gpu: no nvcc, nothing was checked" >&2
	exit 1
fi
if [ "$(python3 -c 'print(1)' 2>/dev/null)" != 1 ]; then
	echo "check-gpu: no python3, nothing was checked" >&2
	exit 1
fi
if [ -d "$here/lib" ]; then
	LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
	export LD_LIBRARY_PATH
fi

# a libcupti of pip, for programs that load no library of pip
find_cupti()
{
	[ -z "$FAKE" ] && [ -z "${TQ_CUPTI:-}" ] || return 0
	[ ! -e /usr/local/cuda/lib64/libcupti.so ] || return 0
	TQ_CUPTI=$(python3 -c '
import glob, os, site, sys
for path in site.getsitepackages() + [site.getusersitepackages()] + sys.path:
    for below in ("cu*/lib", "cuda_cupti/lib"):
        found = glob.glob(os.path.join(path, "nvidia", below, "libcupti.so.*"))
        if found:
            print(found[0])
            sys.exit()
')
	[ -n "$TQ_CUPTI" ] || unset TQ_CUPTI
	[ -z "${TQ_CUPTI:-}" ] || export TQ_CUPTI
	say "libcupti: ${TQ_CUPTI:-as the agent finds it}"
}

say()
{
	printf '%s\n' "$*" | tee -a "$report"
}

# is WHAT EXPECTED GOT
is()
{
	if [ "$2" = "$3" ]; then
		say "ok: $1: $3"
	else
		fail "$1: $3 instead of $2"
	fi
}

# fail WHAT
fail()
{
	say "FAILED: $*"
	failed=1
}

# within WHAT LEAST MOST GOT
within()
{
	if awk -v v="$4" -v a="$2" -v b="$3" \
	    'BEGIN { exit !(v != "" && v >= a && v <= b) }'; then
		say "ok: $1: $4, of $2 to $3"
	else
		fail "$1: $4, not of $2 to $3"
	fi
}

# capture [OPTION ...] PROGRAM [ARGUMENT ...]: the stream is in $out, what
# the program said in $said; tq-capture runs under the command $UNDER
UNDER=
capture()
{
	rm -f "$out"
	status=0
	# shellcheck disable=SC2086 # it is words, or none
	$UNDER timeout -k 10 "$EACH" tq-capture -q -o "$out" "$@" >"$said" ||
	    status=$?
	[ "$status" -eq 0 ] || say "note: $* exited $status"
}

# ask EXPRESSION [FILE]: of all records, see ask.py
ask()
{
	python3 "$here/ask.py" "$1" "${2:-$out}"
}

# did KEY: what the program says that it did
did()
{
	ask "sum([r.get('$1', 0) for r in all])" "$said"
}

# count EXPRESSION: how many records r it is true of
count()
{
	ask "len([r for r in all if $1])"
}

kernels()
{
	count "r['kind'] == 'kernel'"
}

same()
{
	is "$1, $2" "$(did "$2")" "$(count "r['kind'] == '$2'")"
}

build()
{
	[ "$programs" = "$work" ] || return 0
	for source in storm graph copies risks ${FAKE:-memory}; do
		[ -f "$here/$source.cu" ] || continue
		if [ -n "$FAKE" ]; then
			"$NVCC" -DFAKE -cudart none -o "$work/$source" \
			    "$here/$source.cu" \
			    -Xlinker "$fake/libcudart.so.13" \
			    -Xlinker "$fake/libcuda.so.1"
		else
			"$NVCC" -O2 -o "$work/$source" "$here/$source.cu"
		fi
	done
}

describe()
{
	say "date: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
	if [ -n "$FAKE" ]; then
		device=fake
		say "device: none, see tests/fakecuda/fakecuda.h"
	else
		device=$(nvidia-smi \
		    --query-gpu=name,driver_version --format=csv,noheader |
		    head -n 1)
		say "device: $device"
		device=$(echo "$device" | tr -cs 'A-Za-z0-9.\n' -)
	fi
	[ "$programs" != "$work" ] ||
	    say "nvcc: $("$NVCC" --version | grep release)"
}

# ---- counts ----

check_counts()
{
	capture "$programs/storm" -n "$LAUNCHES"
	same "launches on a stream" kernel
	is "nothing lost" 0 "$(ask "kind('end')[0]['dropped']")"
	is "every kernel has its call" "$(did kernel)" \
	    "$(tq-correlate "$out" | grep '"kind":"kernel"' | grep -c api_ts)"
	capture "$programs/storm" -n "$LAUNCHES" -s 16
	same "launches on 16 streams" kernel
	# shellcheck disable=SC2016 # the inner shell is to expand it
	capture sh -c 'for i in 1 2 3 4; do "$1" -n 500 & done; wait' \
	    sh "$programs/storm"
	same "four processes" kernel
	is "each process has its own" 4 "$(ask \
	    "len(set([r['pid'] for r in kind('kernel')]))")"
	capture -c cudaProfilerApi --capture-range-end stop \
	    "$programs/storm" -n 2000 -r
	is "between cudaProfilerStart and Stop" "$(did range_kernel)" \
	    "$(kernels)"
	capture "$programs/copies" 20
	same "copies" memset
	for direction in HtoD DtoH DtoD; do
		is "copies, $direction" "$(did "$direction")" \
		    "$(count "r.get('copy') == '$direction'")"
	done
	is "copies, bytes" "$(did bytes)" "$(ask \
	    "sum([r['bytes'] for r in kind('memcpy')])")"
}

check_graphs()
{
	capture "$programs/graph" 100 5
	same "graphs as a whole" graph
	is "graphs as a whole, kernels" 0 "$(kernels)"
	capture --cuda-graph node "$programs/graph" 100 5
	same "graphs by node" kernel
	is "graphs by node, of a node" "$(did kernel)" "$(count "'graph_node' in r")"
}

# One that is killed tells how much CUPTI had written by then.
check_death()
{
	for pause in $(seq 3); do
		capture "$programs/storm" -n 5000 -k
		say "measured: killed, run $pause: $(kernels)" \
		    "of $(did kernel) kernels, $(count \
		    "r.get('name') == 'cudaLaunchKernel'") calls"
	done
}

# ---- risks that were known before any GPU was seen ----

# risk NAME ARGUMENT ...: risks under tq-capture, with all of its kernels
risk()
{
	what=$1
	shift
	capture "$@"
	is "$what, kernels" "$(did kernel)" "$(kernels)"
	is "$what, lost" 0 "$(ask "kind('end')[0]['dropped']")"
}

# the clock that CUPTI is given, and what its times are
check_clocks()
{
	for clock in tsc monotonic; do
		capture --clock "$clock" "$programs/risks" steps 20 5 || continue
		[ "$status" -eq 0 ] || continue
		tq-correlate "$out" >"$work/correlated.tq"
		within "clock $clock, ns from call to kernel" 0 5000000 "$(ask \
		    "median([r['ts'] - r['api_ts'] for r in kind('kernel')
		    if 'api_ts' in r])" "$work/correlated.tq")"
	done
	risk "drift in $DRIFT s" "$programs/risks" drift "$DRIFT"
	tq-correlate "$out" >"$work/correlated.tq"
	within "drift, ns" -1000000 1000000 "$(ask "median([r['ts'] - r['api_ts']
	    for r in kind('kernel') if 'api_ts' in r][-20:]) -
	    median([r['ts'] - r['api_ts']
	    for r in kind('kernel') if 'api_ts' in r][:20])" \
	    "$work/correlated.tq")"
}

# records that CUPTI holds back, and those that it never has
check_buffers()
{
	risk "a long kernel among short ones" "$programs/risks" long 700
	risk "48 threads" "$programs/risks" threads 48 100
	capture "$programs/risks" queued 20
	say "measured: exit with 20 kernels queued: $(kernels) recorded," \
	    "$(ask "kind('end')[0]['dropped']") lost"
	risk "fork after the first call" "$programs/risks" forked 10
	is "fork, processes" 1 "$(ask "len(kind('process'))")"
	capture --cuda-nested "$programs/storm" -n 1000
	say "measured: records of a launch: runtime $(count \
	    "r.get('name') == 'cudaLaunchKernel'"), driver $(count \
	    "r.get('name') == 'cuLaunchKernel'"), kernels $(kernels), of 1001"
	is "launches by callback and by record agree" 0 \
	    "$(count "r['kind'] == 'lost'")"
}

check_rest()
{
	capture -c signal "$programs/risks" steps 10 10
	is "armed, and never switched on" 0 "$(kernels)"
	CUDA_VISIBLE_DEVICES=0 capture "$programs/risks" steps 5 1
	is "CUDA_VISIBLE_DEVICES, kernels" 5 "$(kernels)"
	is "CUDA_VISIBLE_DEVICES, one device" 1 "$(ask "len(kind('device'))")"
	capture "$programs/risks" managed
	say "measured: managed memory: $(cat "$said"), status $status," \
	    "$(count "r['kind'] == 'memset'") memset"
}

# Another client of CUPTI takes the buffers: the CUDA without a GPU plays it.
# torch.profiler may, too; that of 2.11 subscribes, and is refused.
check_taken()
{
	if [ -n "$FAKE" ]; then
		FAKECUDA_TAKEN=500
		export FAKECUDA_TAKEN
		capture "$programs/storm" -n 1000
		unset FAKECUDA_TAKEN
		is "CUPTI taken over, told" 1 "$(taken)"
	elif has_torch; then
		capture python3 "$here/torch_steps.py" profile 2>"$work/err"
		if grep -q MULTIPLE_SUBSCRIBERS "$work/err"; then
			is "torch.profiler refused, kernels of ours" \
			    "$(($(did kernel) * 3))" "$(kernels_in_ranges)"
			is "torch.profiler refused, lost" 0 "$(taken)"
		else
			is "CUPTI taken over, told" 1 "$(taken)"
		fi
	fi
}

# how many records say that launches were lost
taken()
{
	count "r['kind'] == 'lost' and r['what'] == 'launch'"
}

kernels_in_ranges()
{
	tq-correlate "$out" >"$work/correlated.tq"
	ask "sum([r['ops'] for r in kind('gpu-range')])" "$work/correlated.tq"
}

has_torch()
{
	python3 -c 'import torch; assert torch.cuda.is_available()' 2>/dev/null
}

check_torch()
{
	has_torch || {
		say "skipped: no PyTorch that has a GPU"
		return
	}
	capture python3 "$here/torch_steps.py"
	is "PyTorch, ranges" "$(did range)" \
	    "$(count "r['kind'] == 'range' and r['name'].startswith('step')")"
	is "PyTorch, kernels launched in them" "$(did kernel)" \
	    "$(kernels_in_ranges)"
}

# What CUPTI writes, for tests without a GPU: $BUILD/gpu/raw.bin, below 1 MB.
record()
{
	record_raw || fail "raw buffers: could not be recorded"
}

record_raw()
{
	if [ "$programs" != "$work" ]; then
		[ -x "$programs/raw" ] || return 0
		cp "$programs/raw" "$work/raw"
	elif [ -n "$FAKE" ]; then
		"$NVCC" -cudart none -o "$work/raw" "$here/raw.cu" \
		    -Xlinker "$fake/libcudart.so.13" \
		    -Xlinker "$fake/libcuda.so.1" \
		    -Xlinker "$fake/13.0/libcupti.so.13"
	else
		home=$(dirname "$(dirname "$(command -v "$NVCC")")")
		cupti=$home/extras/CUPTI
		"$NVCC" -o "$work/raw" "$here/raw.cu" -I "$cupti/include" \
		    -L "$cupti/lib64" -Xlinker -rpath="$cupti/lib64" \
		    -L "$home/lib64" -Xlinker -rpath="$home/lib64" -lcupti
	fi
	"$work/raw" "$work/raw.bin" >"$said"
	within "raw buffers, bytes" 1000 1000000 "$(did bytes)"
}

# ---- times ----

check_times()
{
	capture "$programs/storm" -n 200 -w 100000
	tq-correlate "$out" >"$work/correlated.tq"
	is "kernels that start before their call" 0 "$(ask "len([r for r in
	    kind('kernel') if r['ts'] < r.get('api_ts', 0)])" \
	    "$work/correlated.tq")"
	is "kernels without times" 0 "$(count "r['kind'] == 'kernel' and
	    r.get('dur', 0) <= 0")"
	[ -z "$FAKE" ] || return 0
	# the first launch was before the events
	elapsed=$(did event_ns)
	within "from first to last kernel, times what events say" 0.95 1.01 \
	    "$(ask "(max([r['ts'] + r['dur'] for r in kind('kernel')]) -
	    sorted([r['ts'] for r in kind('kernel')])[1]) / $elapsed")"
	within "the median kernel, ns" 99000 110000 "$(ask \
	    "median([r['dur'] for r in kind('kernel')])")"
}

# ---- cost ----

# launch_ns MODE: of a launch, the least of all rounds
launch_ns()
{
	case $1 in
	without) set -- ;;
	nvtx) set -- tq-capture -q -o "$out" -t nvtx ;;
	waiting) set -- tq-capture -q -o "$out" -c signal ;;
	cuda) set -- tq-capture -q -o "$out" ;;
	osrt) set -- tq-capture -q -o "$out" -t cuda,osrt ;;
	samples)
		set -- tq-capture -q -o "$out" -s process-tree \
		    --cpuctxsw process-tree
		;;
	stacks) set -- tq-capture -q -o "$out" --cudabacktrace all:1s ;;
	host)
		# shellcheck disable=SC2086 # these are words
		set -- tq-capture -q -o "$out" $HOST
		;;
	*) set -- tq-capture -q -o "$out" --cuda-graph node --cuda-memory ;;
	esac
	round=0
	while [ "$round" -lt "$ROUNDS" ]; do
		"$@" "$programs/risks" sync "$LAUNCHES" 500 2>"$work/err"
		round=$((round + 1))
	done >"$work/rounds"
	ask "min([r['launch_ns'] for r in all])" "$work/rounds"
}

measure_cost()
{
	base=$(launch_ns without)
	say "measured: ns of a launch, without tq-capture: $base"
	for mode in nvtx waiting cuda all; do
		ns=$(launch_ns "$mode")
		say "measured: ns of a launch, $mode: $ns, $(awk \
		    -v a="$base" -v b="$ns" 'BEGIN { printf "%+.0f", b - a }')"
	done
}

# ---- what tests without a GPU can go on with ----

# keep NAME [OPTION ...] PROGRAM ...: what CUPTI wrote, and what was made of it
keep()
{
	name=$corpus/$device-$1
	shift
	mkdir "$name"
	TQ_CUPTI_RAW=$name
	export TQ_CUPTI_RAW
	capture "$@"
	unset TQ_CUPTI_RAW
	for made in graph kernel memcpy memset sync; do
		echo "$made $(count "r['kind'] == '$made'")"
	done | grep -v ' 0$' >"$name.counts"
	[ -x "$BUILD/capture/replay" ] || return 0
	is "${name##*/}, replayed" "$(tr '\n' ' ' <"$name.counts")" \
	    "$("$BUILD/capture/replay" -c "$name"/*.cupti |
	    grep -Ff "$name.counts" -x | sort | tr '\n' ' ')"
}

# A folder to be put in place of tests/gpu/corpus, or beside what is there.
keep_corpus()
{
	rm -rf "$corpus"
	mkdir "$corpus"
	keep storm "$programs/storm" -n 100 -s 3
	keep copies "$programs/copies" 4
	keep graph "$programs/graph" 5 5
	keep nodes --cuda-graph node "$programs/graph" 5 5
	find "$corpus" -name '*.cupti' | while read -r raw; do
		gzip -9n <"$raw" | base64 >"$raw.gz.b64"
		rm "$raw"
	done
	within "bytes of $corpus" 1 1000000 \
	    "$(find "$corpus" -type f -exec cat {} + | wc -c)"
}

. "$here/host.sh"
. "$here/frameworks.sh"

mkdir -p "$work"
: >"$report"
describe
find_cupti
build
if [ -n "$FAKE" ]; then
	LD_LIBRARY_PATH=$fake/13.0:$fake:$BUILD/capture/nvml
	export LD_LIBRARY_PATH
fi
for check in ${CHECKS:-check_counts check_graphs check_death check_times \
    check_clocks check_buffers check_rest check_taken check_torch keep_corpus \
    measure_cost record check_environment check_everything check_counters \
    check_keep check_attach check_attach_torch check_python_stacks check_train \
    check_nccl check_memory check_order check_limits check_launches \
    check_model check_workers check_hang measure_host_cost \
    measure_training}; do
	$check
done
exit "$failed"
