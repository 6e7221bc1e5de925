#!/usr/bin/env bats
# Streams of CUDA have the names that programs give them by NVTX

load helper
load fakecuda
load capture

setup() {
	need cupti.h
	cd "$BATS_TEST_TMPDIR"
	unset TQ_CUPTI CUDA_INJECTION64_PATH
	need nvToolsExt.h # storm has names with the real header only
}

# the last definition of each stream: its number, its name
streams() {
	jq -rs 'map(select(.kind == "stream")) | group_by(.stream)[] | last |
	    "\(.stream) \(.name)"' "$1"
}

@test "a stream has the name that NVTX gives it, in every generation" {
	local generation

	for generation in $GENERATIONS; do
		fake "$generation" tq-capture -q -o x.tq "$FAKE/storm" -N \
		    -n 3 -s 3 > storm.json
		[ "$(streams x.tq | tr '\n' ,)" = \
		    "7 null,13 stream 0,14 stream 1,15 stream 2," ]
		[ "$(count kernel x.tq) $(count range x.tq)" = "3 3" ]
	done
}

@test "so it does where the program is killed" {
	fake 13.0 tq-capture -q -o x.tq "$FAKE/storm" -N -n 3 -s 2 -e kill \
	    > storm.json || true
	[ "$(streams x.tq | tr '\n' ,)" = "7 null,13 stream 0,14 stream 1," ]
}

@test "without CUDA in the capture, names of streams do no harm" {
	fake 13.0 tq-capture -q -t nvtx -o x.tq "$FAKE/storm" -N -n 3 -s 2 \
	    > storm.json
	[ "$(count stream x.tq) $(count range x.tq)" = "0 3" ]
	# handles that are none
	fake 13.0 tq-capture -q -o x.tq "$BUILD/capture/nvtx/client" names 1
	[ "$(count end x.tq)" = 1 ]
}

@test "the names are those of drawn tracks" {
	fake 13.0 tq-capture -q "$FAKE/storm" -N -n 3 -s 2 2> storm.json |
	    tq-chrome -q -o trace.json
	jq -r '.traceEvents[] | select(.name == "thread_name").args.name' \
	    trace.json > tracks
	grep -q 'stream 0' tracks
	grep -q 'stream 1' tracks
}
