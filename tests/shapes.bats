#!/usr/bin/env bats
# No input makes a tool slow: instructions, counted at two sizes of streams in
# which ranges, calls and operations nest, touch and cross (bench/shapes.awk).

load helper

# at_most_n_log_n TOOLS SHAPES: from the smaller size to the larger, four times
# that, work that is quadratic grows by 16, and n log n by 5
at_most_n_log_n() {
	local table

	need valgrind native no-sanitizer
	table=$(TOOLS=$1 SHAPES=$2 SIZES="4000 16000" \
	    sh "$top/tests/bench/shapes.sh")
	echo "$table"
	# shellcheck disable=SC2086 # words
	[[ $(wc -l <<< "$table") -eq $(($(wc -w <<< "$1") * \
	    $(wc -w <<< "$2") + 1)) ]]
	awk 'NR > 1 && $NF > 1.3 { bad = 1 } END { exit bad }' <<< "$table"
}

@test "tq-filter: ranges that touch, overlap, nest or have domains of their own cost n log n" {
	at_most_n_log_n filter "touching overlapping nested domains crossing"
}

@test "tq-filter --depth: ranges that cross, or have domains of their own, cost n log n" {
	at_most_n_log_n depth "domains crossing"
}

@test "tq-correlate: deep nesting with calls, ranges that nothing ends, domains and crossing cost n log n" {
	at_most_n_log_n correlate "nested open domains crossing requests corr"
}

@test "tq-correlate --path: ranges one after another cost n log n" {
	at_most_n_log_n path "touching domains"
}

@test "tq-chrome, tq-perfetto: slices of a row that cross cost n log n" {
	at_most_n_log_n "chrome perfetto" "crossing kernels corr"
}

@test "tq-chrome, tq-perfetto: slices that nest deep cost n log n" {
	at_most_n_log_n "chrome perfetto" "nested open"
}

@test "tq-stats: reports on ranges, calls and steps cost n log n" {
	at_most_n_log_n stats "nested crossing corr"
}
