#!/usr/bin/env bats
# The calls of the programs fail, one after the other; see faults/sweep.c for
# what they have to do then.  make faults lets every call fail.

load helper

setup() {
	need native no-sanitizer # which has an allocator of its own
	export POINTS=$((6 * ${BOARDS:-1})) # see boards.sh
}

# sweep WORD: the commands with this word in them breach no law
sweep() {
	run sh "$top/tests/faults/run.sh" "$1"
	echo "$output"
	((status == 0))
	[[ $output = *" commands, "*" executions, 0 breaches" ]]
}

# a shim that fails nothing would prove nothing
@test "the shim makes the call that it is told fail, and no other program's" {
	export LD_PRELOAD=$BUILD/faults/shim.so
	in=$(operand tq-filter)

	FAULT="tq-filter read 1" run -1 tq-filter true "$in"
	[[ $output = "tq-filter: $in: Input/output error" ]]
	FAULT="tq-filter malloc 2+" run -1 tq-filter true "$in"
	[[ $output = "tq-filter: out of memory" ]]
	FAULT="tq-filter write 1" run -1 tq-filter true "$in"
	[[ $output = "tq-filter: <stdout>: No space left on device" ]]
	FAULT="tq-filter read 1000" run -0 tq-filter true "$in"
	FAULT="tq-stats read 1" run -0 tq-filter true "$in"
}

@test "tq-extract fails with a message, or its output is right" {
	sweep tq-extract
}

@test "tq-filter fails with a message, or its output is right" {
	sweep tq-filter
}

@test "tq-correlate fails with a message, or its output is right" {
	sweep tq-correlate
}

@test "tq-stats fails with a message, or its output is right" {
	sweep tq-stats
}

@test "tq-advise fails with a message, or its output is right" {
	sweep tq-advise
}

@test "tq-chrome and tq-perfetto fail with a message, or their output is right" {
	sweep tq-chrome
	sweep tq-perfetto
}

@test "tq-capture fails with a message, or its recording is right" {
	sweep tq-capture
}
