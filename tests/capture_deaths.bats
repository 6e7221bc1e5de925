#!/usr/bin/env bats
# However processes end and come, tq-capture has all that they recorded

load helper
load capture

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# recorded KIND N [ACTION ...]: so many records of that kind come of these
# actions of client, and nothing is lost.
recorded() {
	local n

	capture -q "$CLIENT" "${@:3}" || true
	whole
	n=$(count "$1")
	[[ $n = "$2" && $(dropped) = 0 ]] ||
	    { echo "${*:3}: $n of $2, lost $(dropped)"; return 1; }
}

# ---- ends ----

@test "an end by exit, _exit, exit_group, abort or a signal loses nothing" {
	local how

	for how in "" _exit exit_group abort crash kill; do
		# shellcheck disable=SC2086 # none is no argument
		recorded mark 1000 marks 1000 $how
		# shellcheck disable=SC2086
		recorded range 1000 pairs 1000 $how
	done
}

@test "nor does an end at once, after the first event" {
	local how i

	for how in _exit abort kill; do
		for i in 1 2 3 4 5; do
			recorded mark 1 marks 1 "$how"
		done
	done
}

@test "what was open when the process died is open" {
	recorded range 11 push pairs 10 kill
	[ "$(said_of range 'select(.open) | .name')" = "left open" ]
}

@test "a signal from elsewhere loses nothing" {
	local pid

	tq-capture -q -o x.tq sh -c 'echo $$ > pid
	    exec "$1" times 1000 mark a tell ready await never' \
	    sh "$ANNOTATE" &
	pid=$!
	until_true test -e ready
	kill -KILL "$(< pid)"
	ends 137 wait "$pid"
	whole x.tq
	[ "$(count mark x.tq)" = 1000 ]
}

@test "closing all file descriptors loses nothing, before nor after" {
	recorded mark 3000 marks 1000 closeall marks 2000
	recorded mark 3000 closeall marks 1000 closeall marks 2000 kill
}

@test "nor does a child of a process that closed them all" {
	recorded mark 1200 marks 100 closeall fork 0 1000 marks 100
}

@test "few file descriptors are enough" {
	capture -q sh -c 'ulimit -n 8; exec "$1" marks 100 fork 0 100' sh \
	    "$CLIENT"
	whole
	[ "$(count mark)" = 200 ]
}

# ---- beginnings ----

@test "a child after fork is recorded by itself, and its parent goes on" {
	recorded mark 3000 marks 1000 fork 0 1000 marks 1000
	[ "$(count process)" = 2 ]
	[ "$(said_of mark .pid | sort | uniq -c | awk '{ print $1 }' |
	    sort -n | paste -sd ' ')" = "1000 2000" ]
	recorded mark 3000 marks 1000 fork 1 1000 marks 1000 # the raw call
}

@test "a range that is open at a fork is the parent's" {
	recorded range 2 push fork 0 10
	[ "$(said_of range 'select(.open) | .pid' | wc -l)" = 1 ]
	[ "$(said_of range 'select(.open) | .pid')" = \
	    "$(said_of process .pid | head -n 1)" ]
}

@test "a child whose parent never recorded anything is recorded" {
	recorded mark 1000 fork 0 1000
	recorded mark 5000 forks 5 1000
}

@test "a child that is forked in the first call of another thread is recorded" {
	local us

	for ((us = 0; us < 1500; us += 47)); do
		for client in "$BUILD"/capture/*/client; do
			capture -q "$client" fork-first "${us}000" 5
			[ "$(count mark) $(count range)" = "5 1" ]
		done
	done
}

@test "children of children are recorded" {
	capture -q sh -c '"$1" marks 10 fork 0 10 exec marks 10 fork 1 10 \
	    exec fork 0 10 spawn 10' sh "$CLIENT"
	whole
	[ "$(count mark)" = 60 ]
}

@test "50 children at once lose nothing" {
	recorded mark 51000 marks 1000 forks 50 1000
	[ "$(count process)" = 51 ]
}

@test "nor do 100 that hardly live" {
	recorded mark 101 marks 1 forks 100 1
	capture -q sh -c 'for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
	    "$1" marks 2 _exit & done; wait' sh "$CLIENT"
	whole
	[ "$(count mark)" = 32 ]
}

@test "a process that comes while tq-capture has no processor is in order" {
	local i actions=()

	need no-sanitizer # which has to be the first library
	# what the parent does while the launcher stands still comes after what
	# a child did, of which the launcher does not know yet
	for i in {1..40}; do
		actions+=(fork 0 1 marks 1 wait 20)
	done
	FAULT="tq-capture late 300" LD_PRELOAD=$BUILD/faults/shim.so \
	    tq-capture -q "$CLIENT" marks 1 wait 100 "${actions[@]}" > "$tq"
	whole
	[ "$(count mark)" = 81 ]
}

@test "a thread that stands still in the midst of a record holds later lines back" {
	capture -q "$CLIENT" halted 20
	whole
}

@test "after exec a process has the same number, and is another" {
	recorded mark 2000 marks 1000 exec marks 1000
	[ "$(count process)" = 2 ]
	[ "$(said_of mark .pid | sort -u | wc -l)" = 1 ]
	recorded mark 5 marks 1 exec marks 1 exec marks 1 exec marks 1 \
	    exec marks 1 kill
}

@test "a range that is open at exec is left open" {
	recorded range 2 push exec pairs 1
	[ "$(said_of range 'select(.open) | .name')" = "left open" ]
}

@test "a program that is spawned, and killed, loses nothing" {
	recorded mark 2000 marks 1000 spawn 1000
	recorded mark 1000 spawn 1000
}

@test "a shell, pipelines and background jobs are a tree as well" {
	capture -q sh -c '
	    "$1" marks 10 | cat
	    "$1" marks 100 & "$1" marks 1000 kill & wait
	    (cd / && "$1" marks 10000)' sh "$CLIENT"
	whole
	[ "$(count mark)" = 11110 ]
}

@test "a program without the variables is not recorded, and unharmed" {
	capture -q env -i "$CLIENT" marks 10
	whole
	[ "$(count mark)" = 0 ]
	capture -q env -u TQ_CAPTURE "$CLIENT" marks 10
	whole
	[ "$(count mark)" = 0 ]
}

@test "a program without memory for it is named, not recorded, and unharmed" {
	capture -q sh -c 'ulimit -v 60000; exec "$1" marks 10' sh "$CLIENT"
	whole
	[ "$(count mark)" = 0 ]
	grep -qE '^tq-capture: process [0-9]+ is not captured: Cannot alloc' \
	    "$said"
}

@test "a program that can't make the memory is named, with the reason" {
	capture -q sh -c 'ulimit -n 4; exec "$1" marks 10' sh "$CLIENT" \
	    3>&-
	grep -qE 'process [0-9]+ is not captured: Too many open files$' "$said"
	capture -q "$CLIENT" old-kernel marks 10
	grep -qE 'process [0-9]+ is not captured: Function not implemented$' \
	    "$said"
	capture -q sh -c 'ulimit -f 64; exec "$1" marks 10' sh "$CLIENT"
	grep -qE 'process [0-9]+ is not captured: File too large$' "$said"
}

@test "a program in name spaces of its own is recorded" {
	need unshare
	capture -q unshare -fp --kill-child "$CLIENT" marks 10 fork 0 20
	whole
	# the numbers are those that tq-capture sees
	[ "$(said_of mark .pid | sort -n | uniq -c | awk '$2 > 2 { print $1 }' |
	    paste -sd ' ')" = "10 20" ]
	need mount
	capture -q unshare -m "$CLIENT" marks 10
	[ "$(count mark)" = 10 ]
}

@test "a program of another user is recorded" {
	need other-user
	capture -q setpriv --reuid 65534 --clear-groups "$CLIENT" marks 10 \
	    fork 0 10
	whole
	[ "$(count mark)" = 20 ]
}

# ---- daemons ----

@test "where memory is short the kernel ends the command before its capture" {
	(echo 500 > /proc/self/oom_score_adj && echo 0 > /proc/self/oom_score_adj) 2> none ||
	    skip "no right to set oom_score_adj"
	# shellcheck disable=SC2016 # of the inner shell
	(
		echo 500 > /proc/self/oom_score_adj
		exec tq-capture -q -o x.tq sh -c '
		    cat /proc/$PPID/oom_score_adj /proc/self/oom_score_adj'
	) > out
	# root may ask for less
	grep -qxE '0|-900' <(head -n 1 out)
	[ "$(tail -n 1 out)" = 500 ]
}

@test "tq reads a recording whose capture was killed, and says that it has no end" {
	local started
	# shellcheck disable=SC2016 # of the inner shell
	tq-capture -q -t nvtx,osrt -o x.tq sh -c '
	    "$1" marks 100 ranges 10 & "$1" marks 100; wait
	    echo $$ > started; exec sleep 600' sh "$CLIENT" &
	started=$!
	until [[ -s started ]]; do sleep .05; done
	# written once a second
	until [[ $(grep -c '^{"kind":"mark"' x.tq) = 200 ]]; do sleep .05; done
	kill -KILL "$started"
	ends 137 wait "$started"
	kill "$(< started)"
	head -n 1 x.tq | grep -q '"slack":'
	run -1 --separate-stderr tq stats -r osrt_sum x.tq
	[[ $output = *" wait"* ]]
	[[ $stderr = "tq-extract: warning: x.tq: stream ends without its end record"* ]]
	run -1 --separate-stderr tq filter -k mark x.tq
	[ "$(grep -c '^{"kind":"mark"' <<< "$output")" = 200 ]
	for tool in advise correlate chrome perfetto view "diff x.tq"; do
		# shellcheck disable=SC2086 # an operand
		run -1 tq $tool x.tq
		[[ $output != *"is not in order"* ]]
	done
	run -1 tq view -o x.pftrace x.tq
	[ -s x.pftrace ]
}

@test "a daemon is waited for, and loses nothing" {
	# it begins when the command is gone
	capture -q sh -c '
	    (setsid sh -c "tail -s 0.01 --pid=$$ -f /dev/null
	        exec \"\$0\" marks 1000 closeall marks 1000" "$1" &)
	    "$1" marks 1' sh "$CLIENT"
	whole
	[ "$(count mark)" = 2001 ]
}

@test "--wait primary does not wait for it, nor is it blocked then" {
	tq-capture -q --wait primary --on-full block --buffer 256KiB -o x.tq sh -c '
	    (setsid "$1" times 100 mark a tell ready await go \
		times 1000000 mark c tell gone &)
	    "$1" await ready mark b' sh "$ANNOTATE"
	whole x.tq
	[ "$(count mark x.tq)" = 101 ]
	touch go
	until_true test -e gone
}

# ---- frameworks ----

@test "workers of Python, by fork, spawn and forkserver, lose nothing" {
	need python3
	capture -q python3 "$top/tests/capture/tree.py" "$CLIENTS/dso.so" 100
	whole
	[ "$(cat "$said")" = "13 1300" ]
	[ "$(count range) $(count process)" = "1300 13" ]
}

@test "a launcher of ranks, one of which is killed, loses nothing" {
	capture -q sh -c '
	    for RANK in 0 1 2 3; do
		export RANK
		[ $RANK != 2 ] || end=kill
		setsid "$1" marks 500 fork 0 500 marks 500 $end &
		end=
	    done
	    wait' sh "$CLIENT"
	whole
	[ "$(count mark)" = 6000 ]
	[ "$(said_of process .rank | sort | uniq -c | awk '{ print $1 $2 }' |
	    paste -sd ' ')" = "20 21 22 23" ]
}

# ---- any of these ----

@test "of beginnings and ends in any combination nothing is lost" {
	need python3
	! has other-user || export OTHER=65534
	board deaths 40
}
