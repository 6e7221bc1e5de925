#!/usr/bin/env bats
# A file is always left: programs that are killed as frameworks, launchers, batch
# systems and timeout(1) kill them.  All that they had recorded is in it.

load helper
load capture

setup() {
	need python3
	# not the script of pyenv, which is many processes
	python=$(python3 -c 'import sys; print(sys.executable)')
	killed=$top/examples/killed.py
	cd "$BATS_TEST_TMPDIR"
	export ITEMS=25
}

# items FILE: how many ranges, and sleeps of the processes that have them
items() {
	jq -rs '(map(select(.name == "item")) | group_by(.pid)) as $ranges |
	    ($ranges | map(.[0].pid)) as $pids |
	    "\($ranges | map(length)) \(map(select(.kind == "osrt" and
		(.pid | IN($pids[])) and .name == "clock_nanosleep")) |
		group_by(.pid) | map(length))"' "$1"
}

# reads FILE RANGES: the reports read it, and so many ranges are in them
reads() {
	tq-stats -r nvtx_sum -f csv --plain-keys "$1" > stats.csv
	[ "$(csvs < stats.csv)" = "$2" ] || { cat stats.csv; return 1; }
	tq-stats -r osrt_sum "$1" | grep -q clock_nanosleep
}

# csvs: the instances of the range, of nvtx_sum on stdin
csvs() {
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "instances") n = i }
	    /:?item/ { print $n }'
}

# waiting COMMAND ...: start it in the background; killed.py rank of it has done
# its items, and waits.  The process is $!.
waiting() {
	[[ -p never ]] || mkfifo never
	: > arrived
	ARRIVED=8 FAILS=9 "$@" 8>> arrived 9<> never &
	until_true test -s arrived
}

# wrote_items FILE: all items are there, before the end is
wrote_items() {
	[[ $(grep -c '^{"kind":"range".*"item"' "$1") = 25 ]] &&
	    [[ $(grep -c '"name":"clock_nanosleep"' "$1") = 25 ]]
}

@test "workers of multiprocessing that get a SIGKILL lose nothing" {
	tq-capture -q -t nvtx,osrt -o x.tq "$python" "$killed" workers 3
	whole x.tq
	[ "$(items x.tq)" = "[25,25,25] [25,25,25]" ]
	reads x.tq 75
	# what they were in
	[ "$(jq -r 'select(.kind == "osrt" and .open).name' x.tq | uniq -c |
	    tr -s ' ')" = " 3 read" ]
}

@test "nor do workers that end by os._exit" {
	tq-capture -q -t nvtx,osrt -o x.tq "$python" "$killed" exits 3
	whole x.tq
	[ "$(items x.tq)" = "[25,25,25] [25,25,25]" ]
	reads x.tq 75
}

@test "a launcher that ends its ranks as one has failed: the file of all is whole" {
	run -1 tq-capture -q -t nvtx,osrt -o x.tq "$python" "$killed" ranks 4
	whole x.tq
	[ "$(items x.tq)" = "[25,25,25,25] [25,25,25,25]" ]
	[ "$(jq -s 'map(select(.rank).rank) | unique' -c x.tq)" = "[0,1,2,3]" ]
	reads x.tq 100
}

@test "below a launcher each rank has a whole file, the one that failed too" {
	local i
	run -1 "$python" "$killed" ranks 3 tq-capture -q -t nvtx,osrt \
	    -o 'run-%{rank}.tq' "$python" "$killed" rank
	for i in 0 1 2; do
		whole run-$i.tq
		[ "$(items run-$i.tq)" = "[25] [25]" ]
		reads run-$i.tq 25
	done
	tq-stats --by-rank -r nvtx_sum -f csv run-*.tq | grep -c item | grep -qx 3
}

@test "timeout around tq-capture: status 124, and the file is whole" {
	waiting timeout 1000 tq-capture -q -t nvtx,osrt -o x.tq \
	    "$python" "$killed" rank
	kill -ALRM $! # the time is over
	ends 124 wait $!
	whole x.tq
	[ "$(items x.tq)" = "[25] [25]" ]
	reads x.tq 25
}

@test "timeout within, that has to use SIGKILL: the file is whole" {
	# shellcheck disable=SC2016 # of the inner shell
	waiting tq-capture -q -t nvtx,osrt -o x.tq sh -c 'echo $$ > pid
	    exec timeout -s KILL 1000 "$@"' sh "$python" "$killed" rank
	kill -ALRM "$(< pid)"
	ends 137 wait $!
	whole x.tq
	[ "$(items x.tq)" = "[25] [25]" ]
	reads x.tq 25
}

@test "SIGKILL of a whole step, tq-capture with it: tq reads what there is" {
	local how group limit
	for how in timeout setsid; do
		limit=()
		[[ $how = setsid ]] || limit=(timeout -s KILL 1000)
		# shellcheck disable=SC2016 # of the inner shell
		waiting setsid sh -c 'echo $$ > pid; exec "$@"' sh \
		    "${limit[@]}" tq-capture -q -t nvtx,osrt -o x.tq "$python" "$killed" rank
		group=$!
		until_true wrote_items x.tq # it is written once a second
		if [[ $how = timeout ]]; then
			kill -ALRM "$(< pid)"
		else
			kill -KILL -- "-$(< pid)"
		fi
		ends 137 wait "$group"
		run ! grep -q '^{"kind":"end"' x.tq
		run -1 --separate-stderr tq stats -r nvtx_sum -f csv --plain-keys x.tq
		[ "$(csvs <<< "$output")" = 25 ]
		[[ $stderr = "tq-extract: warning: x.tq: stream ends without its end record"* ]]
		run -1 --separate-stderr tq filter 'kind == "osrt"' x.tq
		[ "$(grep -c '"name":"clock_nanosleep"' <<< "$output")" = 25 ]
		rm x.tq
	done
}
