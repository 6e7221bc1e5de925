#!/usr/bin/env bats
# tq-diff: differences that were planted, and what always adds up

load helper

setup() {
	need python3 jq
	cd "$BATS_TEST_TMPDIR" || return
	export PYTHONDONTWRITEBYTECODE=1
}

# planted WHAT NS: the terms of a real recording and the same with this, of
# which plant.py says that it is so many ns, but for those that are 0
planted() {
	stream=$(correlated 2024.5.1-cloverleaf)
	python3 "$top/tests/properties/plant.py" "$1" < "$stream" > b.tq 2> ns
	(($(< ns) == $2))
	tq-diff -f ndjson -n 0 --per span "$stream" b.tq > found
	tq-diff -f ndjson -n 0 --per span b.tq "$stream" > back
	(($(jq 'select(.kind == "verdict") | .delta' found) == $2))
	(($(jq 'select(.kind == "verdict") | .delta' back) == -($2)))
	jq -rc 'if .kind == "row" then .name as $name |
		{calls, per_call, overlap, new, gone, replaced} | to_entries[] |
		select(.value != 0) | "\($name) \(.key) \(.value)"
	    elif .kind == "part" and .delta != 0 and
		(.name | IN("compute", "communication", "copy") | not)
	    then "\(.name) \(.delta)" else empty end' found
}

@test "a kernel that is a fifth longer or shorter is that per call, to the ns, and nothing else" {
	data nsys/2024.5.1-cloverleaf.sqlite
	run -0 planted slow:par_ranged2d_kernel:20 53411238
	[[ $output == "par_ranged2d_kernel per_call 53411238" ]]
	run -0 planted slow:par_ranged2d_kernel:-20 -53411501
	[[ $output == "par_ranged2d_kernel per_call -53411501" ]]
}

@test "a kernel that is gone is gone, and a renamed one is found by its place" {
	data nsys/2024.5.1-cloverleaf.sqlite
	run -0 planted drop:par_ranged1d_kernel -4693354
	# what was one gap before and one after it is one now
	[[ ${lines[-1]} == "par_ranged1d_kernel gone -4693354" ]]
	[[ $output != *[a-z]_call* && $output != *overlap* ]]
	run -0 planted rename:par_ranged1d_kernel:other_kernel 0
	[[ $output == "" ]]
	run -0 jq -r 'select(.kind == "row" and .level == 4) |
	    "\(.name) \(.launches_a) \(.launches_b)"' found
	[[ $output == "{par_ranged1d_kernel} -> {other_kernel} 968 968" ]]
}

@test "launches that come late are idle time, and what runs meanwhile lasts longer" {
	data nsys/2024.5.1-cloverleaf.sqlite
	run -0 planted idle:10:50000 6550000
	[[ $output == "host 5800000
[CUDA memcpy HtoD] per_call 750000" ]]
}

@test "the terms of any two streams add up, the opposite is their negative, none is of one itself" {
	run -0 python3 "$top/tests/properties/differences.py" {1..60}
	((output > 30))
}
