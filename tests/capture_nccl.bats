#!/usr/bin/env bats
# Events of NCCL under tq-capture -t nccl, with a stand-in for NCCL

load helper
load capture

NCCL=$CLIENTS/ncclcalls
VERSIONS=(1 2 3 4 5)

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# recorded VERSION ACTION [OPTION ...]: the stand-in with that; what it says of
# its events is in expected
recorded() {
	ends 0 tq-capture -q -t nccl "${@:3}" -o "$tq" "$NCCL" "$1" "$2" \
	    > expected 2> "$said"
	whole
	[ ! -s "$said" ]
}

# events: what the records say, as the stand-in does
events() {
	jq -r 'select(.api == "nccl") | .open as $open | .bytes as $bytes |
	    .name as $name | .args | [.class, $name, $bytes, .comm, .commName,
	        .rank, .ranks, .root, .peer, .datatype, .count, .algorithm,
	        .protocol, .channels, .sn, .captured,
	        if $open then "open" elif .end_tid then "other" else null end] |
	    map(. // "-" | tostring) | join(" ")' "$tq"
}

# as_expected: the records are those that the stand-in told of, in any order
as_expected() {
	events | sort > got
	sort expected | diff - got
}

# ---- events ----

@test "each event has its name, bytes, communicator and the others" {
	local v

	for v in "${VERSIONS[@]}"; do
		recorded "$v" known
		as_expected
		[ "$(dropped)" = 0 ]
		ask '.[0].mode' | grep -qx none,nccl
	done
	# the last one
	grep -c '^group-api' expected | grep -qx 8
	grep -c '^launch' expected | grep -qx 8
}

@test "an event lies in its parent, in time and by number" {
	local v

	for v in "${VERSIONS[@]}"; do
		recorded "$v" known
		# all but a collective of version 5, which follows its call
		ask 'map(select(.api == "nccl")) | INDEX(.args.event) as $of |
		    map(select(.args.parent) | . as $e |
		        $of[.args.parent | tostring] | select(
		            ($e.args.class == "collective" or
		                $e.args.class == "p2p") and
		            (.args.class | endswith("-api")) or
		            .ts <= $e.ts and .ts + .dur >= $e.ts + $e.dur)) |
		    length' | grep -qx "$((v < 5 ? 8 : 24))"
		ask '[.[] | select(.api == "nccl") |
		    (.pid == .tid), .dur >= 0] | all' | grep -qx true
	done
	# the call of the program has the operation's name and bytes
	ask 'map(select(.api == "nccl")) | INDEX(.args.event) as $of |
	    map(select(.args.class == "collective" or .args.class == "p2p") |
	        . as $e | $of[.args.parent | tostring] |
	        .name == $e.name + "Api" and .bytes == $e.bytes and
	        .ts + .dur <= $e.ts) | [length, all]' | grep -qx '\[8,true\]'
}

@test "threads that end the events of others: each is recorded once" {
	local v

	for v in "${VERSIONS[@]}"; do
		recorded "$v" threads
		as_expected
		[ "$(wc -l < got)" = 4000 ]
		# 8 threads, each with the ends of the next one
		ask 'map(select(.api == "nccl")) | group_by(.tid) |
		    map((map(.args.end_tid) | unique | length) == 1 and
		        .[0].tid != .[0].args.end_tid and length == 500) |
		    [length, all]' | grep -qx '\[8,true\]'
		ask '[.[] | select(.api == "nccl").args.event] | unique |
		    length' | grep -qx 4000
	done
}

@test "an event that never ends is open, in a file and in a pipe" {
	local v

	for v in "${VERSIONS[@]}"; do
		recorded "$v" open
		as_expected
		[ "$(grep -c ' open$' got)" = 1 ]
		ask '[.[] | select(.open) | has("dur")]' | grep -qx '\[false\]'
	done
	capture -q -t nccl "$NCCL" 4 open > /dev/null
	[ "$(grep -c '"open":true' "$tq")" = 1 ]
	whole
}

@test "no words, long words, strange types and handles do no harm" {
	local name v

	for v in "${VERSIONS[@]}"; do
		recorded "$v" hostile
		! grep strange expected || return 1
		[ "$(count api)" = 4 ]
		sed -n 's/.*"name":"\([^"]*\)".*"count":\([0-9]*\),.*/\1 \2/p' \
		    "$tq" | head -n 2 > got
		[ "$(head -n 1 got)" = "ncclUnknown 18446744073709551615" ]
		# the words of version 1 are numbers
		name=Unknown
		((v == 1)) || name=$(printf 'x%.0s' {1..23})
		[ "$(tail -n 1 got)" = "nccl$name 18446744073709551615" ]
		ask 'map(select(.api == "nccl"))[:2] |
		    map(has("bytes"), has("open")) | any' | grep -qx false
		[ "$(dropped)" = 0 ]
	done
}

@test "nor do communicators without a name, parents that are over, and ends in a child" {
	local name v

	for v in "${VERSIONS[@]}"; do
		capture -q -t nccl "$NCCL" "$v" nameless > /dev/null
		whole
		[ "$(dropped)" = 0 ]
		# the parent has a group and each type twice, the child one message
		ask 'map(select(.kind == "api")) | group_by(.pid) | map(length) |
		    sort | tostring' | grep -x "\[1,$((v < 5 ? 4 : 10))\]"
		ask 'map(select(.kind == "api")) | map(.open // (.dur < 0)) | any' |
		    grep -x false
		# the words of version 1 are numbers
		name=ncclUnknown
		((v > 1)) || name=ncclBroadcast
		ask 'map(select(.args.class == "p2p") | .name) | unique[]' |
		    grep -x "$name"
		((v < 4)) || ask 'map(.args.commName? // empty | length) |
		    unique | map(tostring) | join(" ")' | grep -x '5 39'
	done
}

# ---- when it is recorded ----

@test "NCCL is asked for nothing where nothing is recorded" {
	local v

	for v in "${VERSIONS[@]}"; do
		# with the profiler, of tq-capture without -t nccl, and without it
		NCCL_PROFILER_PLUGIN=$BUILD/libtq-capture.so \
		    "$NCCL" "$v" known > out
		[ ! -s out ]
		NCCL_PROFILER_PLUGIN=$BUILD/libtq-capture.so \
		    tq-capture -q -t nvtx -o "$tq" "$NCCL" "$v" known > out
		[ ! -s out ]
		[ "$(count api)" = 0 ]
		"$NCCL" "$v" known > out
		[ ! -s out ]
	done
}

@test "the profiler that the user names stays, and it is said" {
	local why="tq-capture: --trace nccl: NCCL_PROFILER_PLUGIN is mine.so:\
 NCCL is not recorded"

	export NCCL_PROFILER_PLUGIN=mine.so
	capture -q -t nccl,nvtx sh -c 'echo $NCCL_PROFILER_PLUGIN > named'
	[ "$(cat named)" = mine.so ]
	[ "$(cat "$said")" = "$why" ]
	whole
	ask '.[0].mode' | grep -qx nvtx
	said_of diagnostic .text | grep -qxFe "${why#tq-capture: }"
	run -125 tq-capture --strict -t nccl -o x.tq touch run
	[ "$output" = "$why" ]
	[ ! -e run ] && [ ! -e x.tq ]
	tq-capture status --environment | grep -qxF -e \
	    '--trace nccl: no: NCCL_PROFILER_PLUGIN is mine.so'
	# without -t nccl it is nobody's business
	capture -q -t nvtx true
	[ ! -s "$said" ]
	# of the environment that the command gets
	unset NCCL_PROFILER_PLUGIN
	run -125 tq-capture --strict -t nccl -e NCCL_PROFILER_PLUGIN=mine.so \
	    -o x.tq touch run
	[ "$output" = "$why" ]
	export NCCL_PROFILER_PLUGIN=mine.so
	ends 0 tq-capture -q --strict -t nccl -n false -o "$tq" "$NCCL" 5 known \
	    > expected
	as_expected
	# our own, and an empty one, are none
	NCCL_PROFILER_PLUGIN=$BUILD/libtq-capture.so recorded 5 known --strict
	as_expected
	NCCL_PROFILER_PLUGIN='' recorded 5 known --strict
	as_expected
}

@test "a path that is too long for NCCL is said" {
	local deep=$PWD

	while ((${#deep} < 240)); do
		deep+=/a_folder_with_a_long_name
	done
	mkdir -p "$deep"
	cp "$BUILD/libtq-capture.so" "$deep"
	export TQ_CAPTURE_AGENT=$deep/libtq-capture.so
	run -125 tq-capture --strict -t nccl touch run
	[ "$output" = "tq-capture: --trace nccl: $deep/libtq-capture.so: too\
 long a path for NCCL, which is not recorded" ]
	[ ! -e run ]
}

@test "a full buffer drops events, counts them, and says of none that it is open" {
	local told v

	for v in "${VERSIONS[@]}"; do
		tq-capture -q -t nccl --buffer 256KiB -o "$tq" "$NCCL" "$v" \
		    storm > expected 2> "$said"
		whole
		[ "$(lost nccl)" -gt 0 ]
		[ "$(dropped)" = "$(lost nccl)" ]
		# NCCL tells of all, also where a group of them is lost
		told=$(wc -l < expected)
		[ "$told" = "$((v < 5 ? 10000 : 20000))" ]
		[ "$(($(count api) + $(lost nccl)))" = "$told" ]
		! grep -q '"open":true' "$tq" || return 1
	done
	recorded 4 threads --buffer 1MiB --on-full block
	as_expected
}

@test "it is recorded beside NVTX and OS calls" {
	recorded 5 threads -t nccl,nvtx,osrt --osrt-threshold 0
	as_expected
	ask '.[0].mode' | grep -qx nvtx,osrt,nccl
	[ "$(count osrt)" -gt 0 ]
}

@test "a flight recorder has events of its time, and those that are open" {
	recorded 5 open --keep 1m
	as_expected
}

@test "reports of CUDA and MPI leave events of NCCL out" {
	recorded 5 known
	run tq-stats -q -r cuda_api_sum,mpi_event_sum "$tq"
	! grep nccl <<< "$output"
}
