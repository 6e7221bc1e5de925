#!/usr/bin/env bats
# The programs in examples/ run under tq-capture, and what they say and do is
# in the stream.  Those of CUDA run on the GPU that is none, see
# fakecuda/fakecuda.h.

load helper
load fakecuda

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# nvtx_of HEADER: print the path of examples/nvtx.c, built with the stand-in
# for the header of NVTX, or with the real one ("nvtx")
nvtx_of() {
	echo "$BUILD/capture/$1/nvtx"
}

# names KIND FILE: how many records of this kind have which name
names() {
	jq -r "select(.kind == \"$1\").name" "$2" | sort | uniq -c |
	    awk '{ n = $1; sub(/^ *[0-9]+ /, ""); printf "%s %s, ", n, $0 }'
}

# what examples/nvtx.c says in 5 steps
is_training() {
	[ "$(names range "$1")" = \
	    "5 backward, 5 batch, 5 forward, 5 load, 5 step, " ]
	[ "$(jq -c 'select(.kind == "mark") |
	    [.name, .category, .color, .args.doubleValue]' "$1")" = \
	    '["end of epoch","epoch","#76b900",0.25]' ]
	[ "$(jq -r 'select(.domain == "trainer").name' "$1" | sort -u |
	    paste -sd ' ')" = "backward forward step" ]
	# the life of a batch begins in one thread and ends in another
	jq -es 'map(select(.name == "batch")) |
	    all(.mode == "start" and .end_tid == .pid and .tid != .pid)' "$1"
	jq -es 'map(select(.kind == "thread")) | any(.name == "loader")' "$1"
}

@test "nvtx.c: all that it says is recorded, with either header" {
	for header in stand-in nvtx; do
		[[ -x $BUILD/capture/$header/nvtx ]] || continue
		tq-capture -o out.tq "$(nvtx_of $header)" 5 100
		is_training out.tq
	done
}

@test "nvtx.c: phases lie in steps, and a viewer gets it all" {
	tq-capture "$(nvtx_of stand-in)" 5 100 | tq-correlate > out.tq
	jq -es '(map(select(.name == "step").id)) as $steps |
	    map(select(.name == "forward" or .name == "backward")) |
	    length == 10 and all(.parent | IN($steps[]))' out.tq
	tq-chrome -q out.tq | jq -e '.traceEvents |
	    map(select(.name == "backward")) | length == 5'
	tq-stats -r nvtx_sum -f csv out.tq | grep ',trainer:step$' |
	    cut -d, -f 3 | grep -x 5
}

@test "nvtx.c: a range of it is captured alone" {
	tq-capture -p load --capture-range-end repeat:2 -o out.tq \
	    "$(nvtx_of stand-in)" 5 1000
	[ "$(jq -s 'map(select(.name == "load")) | length' out.tq)" = 2 ]
}

@test "nvtx.py: each of its processes is in the stream" {
	need python3
	for loader in "" 1; do
		NVTX_EXAMPLE_LOADER=$loader tq-capture -o out.tq \
		    python3 "$top/examples/nvtx.py" 6 2
		[ "$(names range out.tq | sed 's/1 item [0-5], //g')" = \
		    "1 all, 6 work, " ]
		[ "$(grep -c '"item [0-5]"' out.tq)" = 6 ]
		[ "$(names mark out.tq)" = "1 sum 55, " ]
		[ "$(jq -s 'map(select(.kind == "process")) | length' \
		    out.tq)" = 3 ]
		[ "$(jq -s 'map(select(.name == "work").pid) | unique |
		    length' out.tq)" -le 2 ]
	done
}

@test "nvtx.py: without a tool it runs as if there were no NVTX" {
	need python3
	for loader in "" 1; do
		run env -u NVTX_INJECTION64_PATH NVTX_EXAMPLE_LOADER=$loader \
		    python3 "$top/examples/nvtx.py" 2
		((status == 0))
		[[ -z $output ]]
	done
}

@test "saxpy.cu: its copies and kernels belong to the ranges of its pieces" {
	need cupti.h
	need nvcc
	fake 13.0 tq-capture "$FAKE/saxpy" 6 1000 | tq-correlate > out.tq
	[ "$(names kernel out.tq)" = "6 saxpy, " ]
	jq -es 'map(select(.kind == "symbol")) | map(.demangled) ==
	    ["saxpy(int, float, float const*, float*)"]' out.tq
	[ "$(jq -r 'select(.kind == "memcpy").copy' out.tq | sort | uniq -c |
	    tr -s ' \n' ' ')" = " 6 DtoH 12 HtoD " ]
	jq -es 'map(select(.kind == "gpu-range")) |
	    length == 6 and all(.name == "piece" and .ops == 4)' out.tq
	[ "$(tq-stats -r nvtx_gpu_proj_sum -f csv out.tq | grep -c piece)" = 1 ]
}

@test "saxpy.cu: what comes before the loop is left out on demand" {
	need cupti.h
	need nvcc
	fake 13.0 tq-capture -c cudaProfilerApi --capture-range-end stop \
	    -o out.tq "$FAKE/saxpy" 6 1000
	[ "$(names kernel out.tq)" = "6 saxpy, " ]
	run ! grep -q '"cudaMalloc"\|"cudaStreamCreate"' out.tq
	grep -q '"cudaMemcpyAsync"' out.tq
}
