#!/usr/bin/env bats
# What holds for every stream, tried on small ones that are made of numbers
# (properties/streams.py) and on real ones; make properties tries many.

load helper

setup() {
	need python3 jq perl
	check=$top/tests/properties/check.py
	export PYTHONDONTWRITEBYTECODE=1
}

# holds N PROPERTY: for N streams from number SEED on; with CHECK_ALL for twice
# as many, with BOARDS for that many times as many, see boards.sh
holds() {
	python3 "$check" --seed "${SEED:-1}" \
	    --count $(($1 * (${CHECK_ALL:+1} + 1) * ${BOARDS:-1})) "$2"
}

# holds_for PROPERTY: for demo, some fixtures and some real exports
holds_for() {
	local name files=()

	for name in demo base graph ranges overlap odd "${SMALL[@]}"; do
		files+=(--file "$(extracted "$name")")
	done
	python3 "$check" --seed "${SEED:-1}" "${files[@]}" "$1"
}

@test "tq-correlate prints what an oracle makes of its man page" {
	holds 200 oracle
	holds_for oracle
}

@test "tq-filter true is cat" {
	holds 50 cat
	holds_for cat
}

@test "a tool changes nothing in its own output" {
	holds 40 idempotence
	holds_for idempotence
}

@test "an expression and its contrary share the records" {
	holds 30 halves
	holds_for halves
}

@test "another spelling of a record, as jq's, changes nothing downstream" {
	holds 15 spelling
}

@test "every report, trace and comparison is the same in any spelling of JSON" {
	local name files=()

	holds 5 respelling
	for name in demo base mpi hosts documented; do
		files+=(--file "$(extracted "$name")")
	done
	python3 "$check" "${files[@]}" respelling
}

@test "a negative duration counts as 0 in every report, trace and comparison" {
	holds 8 durations
}

@test "sections one after the other become what each becomes alone" {
	holds 30 concatenation
}

@test "sums of parts, merged, are the sums of the whole" {
	holds 40 merge
}

@test "of consecutive windows of time each operation is in exactly one" {
	holds 50 windows
	holds_for windows
}

@test "to filter and to correlate commute" {
	holds 50 commuting
	holds_for commuting
}

@test "tq-chrome and tq-perfetto draw the same" {
	holds 30 viewers
	holds_for viewers
}

# bats test_tags=mutants
@test "every tool notices that a stream was cut, wherever that was" {
	holds 50 truncation
	holds_for truncation
}

# bats test_tags=mutants
@test "no change of bytes makes a tool crash, hang or fail in silence" {
	holds 50 mutants
	holds_for mutants
}
