#!/bin/sh
# check.sh - tq-capture on a GPU: is all there that programs did, are the times
# those of the GPU's own clock, and what does it cost
#
# Prints a line for each check, and for what was measured, also to
# $BUILD/gpu/report.txt; exits 1 where a check failed.  What CUPTI wrote is kept
# in $BUILD/gpu/corpus, for tests/gpu/corpus.  Without a GPU it says so, and
# exits 0.  With FAKE=1 the programs run on the CUDA of tests/fakecuda, which
# tries this script, and nothing else.
set -eu

: "${BUILD:?is not set}"
NVCC=${NVCC:-nvcc}
FAKE=${FAKE:-}
ROUNDS=${ROUNDS:-5}
LAUNCHES=${LAUNCHES:-20000}
LC_ALL=C
export LC_ALL

here=$(dirname "$0")
work=$BUILD/gpu
report=$work/report.txt
corpus=$work/corpus
fake=$BUILD/fakecuda
out=$work/out.tq
said=$work/said
failed=0
PATH=$BUILD:$PATH

if [ -z "$FAKE" ] && [ ! -e /dev/nvidiactl ]; then
	echo "check-gpu: no GPU here, nothing was checked"
	exit 0
fi
if ! command -v "$NVCC" >/dev/null; then
	echo "check-gpu: no nvcc, nothing was checked" >&2
	exit 1
fi

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
		say "FAILED: $1: $3 instead of $2"
		failed=1
	fi
}

# within WHAT LEAST MOST GOT
within()
{
	if awk -v v="$4" -v a="$2" -v b="$3" \
	    'BEGIN { exit !(v != "" && v >= a && v <= b) }'; then
		say "ok: $1: $4, of $2 to $3"
	else
		say "FAILED: $1: $4, not of $2 to $3"
		failed=1
	fi
}

# capture [OPTION ...] PROGRAM [ARGUMENT ...]: the stream is in $out, what
# the program said in $said
capture()
{
	rm -f "$out"
	status=0
	tq-capture -q -o "$out" "$@" >"$said" || status=$?
	[ "$status" -eq 0 ] || say "note: $* exited $status"
}

# did KEY: what the program says that it did
did()
{
	jq -s "map(.$1) | add" "$said"
}

# count FILTER: how many records it is true of
count()
{
	jq -n "[inputs | select($1)] | length" "$out"
}

same()
{
	is "$1, $2" "$(did "$2")" "$(count ".kind == \"$2\"")"
}

build()
{
	for source in storm graph copies; do
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
	say "nvcc: $("$NVCC" --version | grep release)"
}

# ---- counts ----

check_counts()
{
	capture "$work/storm" -n "$LAUNCHES"
	same "launches on a stream" kernel
	is "nothing lost" 0 "$(jq -r 'select(.kind == "end").dropped' "$out")"
	is "every kernel has its call" "$(did kernel)" \
	    "$(tq-correlate "$out" | grep '"kind":"kernel"' | grep -c api_ts)"
	capture "$work/storm" -n "$LAUNCHES" -s 16
	same "launches on 16 streams" kernel
	# shellcheck disable=SC2016 # the inner shell is to expand it
	capture sh -c 'for i in 1 2 3 4; do "$1" -n 500 & done; wait' \
	    sh "$work/storm"
	same "four processes" kernel
	is "each process has its own" 4 "$(jq -n '
	    [inputs | select(.kind == "kernel").pid] | unique | length' "$out")"
	capture -c cudaProfilerApi --capture-range-end stop \
	    "$work/storm" -n 2000 -r
	is "between cudaProfilerStart and Stop" "$(did range_kernel)" \
	    "$(count '.kind == "kernel"')"
	capture "$work/copies" 20
	same "copies" memset
	for direction in HtoD DtoH DtoD; do
		is "copies, $direction" "$(did $direction)" \
		    "$(count ".copy == \"$direction\"")"
	done
	is "copies, bytes" "$(did bytes)" "$(jq -n '
	    [inputs | select(.kind == "memcpy").bytes] | add' "$out")"
}

check_graphs()
{
	capture "$work/graph" 100 5
	same "graphs as a whole" graph
	is "graphs as a whole, kernels" 0 "$(count '.kind == "kernel"')"
	capture --cuda-graph node "$work/graph" 100 5
	same "graphs by node" kernel
	is "graphs by node, of a node" "$(did kernel)" "$(count .graph_node)"
}

# One that is killed tells how much CUPTI had written by then.
check_death()
{
	for pause in $(seq 3); do
		capture "$work/storm" -n 5000 -k
		say "measured: killed, run $pause: $(count '.kind == "kernel"')" \
		    "of $(did kernel) kernels, $(count \
		    '.kind == "api" and .name == "cudaLaunchKernel"') calls"
	done
}

check_torch()
{
	python3 -c 'import torch; assert torch.cuda.is_available()' \
	    2>/dev/null || {
		say "skipped: no PyTorch that has a GPU"
		return
	}
	capture python3 "$here/torch_steps.py"
	is "PyTorch, ranges" "$(did range)" \
	    "$(count '.kind == "range" and (.name | startswith("step"))')"
	tq-correlate "$out" >"$work/correlated.tq"
	is "PyTorch, kernels launched in them" "$(did kernel)" "$(jq -n '
	    [inputs | select(.kind == "gpu-range").ops] | add' \
	    "$work/correlated.tq")"
}

# What CUPTI writes, for tests without a GPU: $BUILD/gpu/raw.bin, below 1 MB.
record_raw()
{
	if [ -n "$FAKE" ]; then
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
	capture "$work/storm" -n 200 -w 100000
	tq-correlate "$out" >"$work/correlated.tq"
	is "kernels that start before their call" 0 "$(jq -n '[inputs |
	    select(.kind == "kernel" and .ts < .api_ts)] | length' \
	    "$work/correlated.tq")"
	is "kernels without times" 0 "$(count '.kind == "kernel" and
	    (.dur == null or .dur <= 0)')"
	[ -z "$FAKE" ] || return 0
	# the first launch was before the events
	elapsed=$(did event_ns)
	within "from first to last kernel, times what events say" 0.95 1.01 \
	    "$(jq -n --argjson e "$elapsed" '
	    [inputs | select(.kind == "kernel")] | .[1:] |
	    (.[-1].ts + .[-1].dur - .[0].ts) / $e' "$out")"
	within "the median kernel, ns" 99000 110000 "$(jq -n '
	    [inputs | select(.kind == "kernel").dur] | sort |
	    .[length / 2 | floor]' "$out")"
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
	*) set -- tq-capture -q -o "$out" --cuda-graph node --cuda-memory ;;
	esac
	round=0
	while [ "$round" -lt "$ROUNDS" ]; do
		"$@" "$work/storm" -n "$LAUNCHES" 2>"$work/err"
		round=$((round + 1))
	done | jq -s 'map(.launch_ns) | min'
}

measure_cost()
{
	base=$(launch_ns without)
	say "measured: ns of a launch, without tq-capture: $base"
	for mode in nvtx waiting cuda all; do
		ns=$(launch_ns $mode)
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
	jq -rn '[inputs.kind | select(IN("kernel", "memcpy", "memset", "sync",
	    "graph"))] | group_by(.)[] | "\(.[0]) \(length)"' "$out" \
	    >"$name.counts"
	is "${name##*/}, replayed" "$(tr '\n' ' ' <"$name.counts")" \
	    "$("$BUILD/capture/replay" -c "$name"/*.cupti |
	    grep -Ff "$name.counts" -x | sort | tr '\n' ' ')"
}

# A folder to be put in place of tests/gpu/corpus, or beside what is there.
keep_corpus()
{
	rm -rf "$corpus"
	mkdir "$corpus"
	keep storm "$work/storm" -n 100 -s 3
	keep copies "$work/copies" 4
	keep graph "$work/graph" 5 5
	keep nodes --cuda-graph node "$work/graph" 5 5
	within "bytes of $corpus" 1 1000000 \
	    "$(find "$corpus" -type f -exec cat {} + | wc -c)"
}

mkdir -p "$work"
: >"$report"
describe
build
if [ -n "$FAKE" ]; then
	LD_LIBRARY_PATH=$fake/13.0:$fake
	export LD_LIBRARY_PATH
fi
check_counts
check_graphs
check_death
check_times
check_torch
keep_corpus
measure_cost
record_raw || {
	say "FAILED: raw buffers: could not be recorded"
	failed=1
}
exit "$failed"
