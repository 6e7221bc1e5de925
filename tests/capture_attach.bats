#!/usr/bin/env bats
# --attach: a process that runs already, looked at from outside

load helper
load capture

SPIN=$CLIENTS/spin

setup() {
	cd "$BATS_TEST_TMPDIR"
	cat > run.py <<-'EOF'
	import os, threading, time
	def work():
	    while not os.path.exists("stop"): sum(range(1000))
	def sleeper():
	    while not os.path.exists("stop"): time.sleep(0.01)
	threading.Thread(target=work).start()
	threading.Thread(target=sleeper).start()
	if os.fork() == 0:
	    work()
	    os._exit(0)
	print(os.getpid(), flush=True)
	work()
	os.wait()
	EOF
}

teardown() {
	touch "$BATS_TEST_TMPDIR/stop"
	wait
}

# running: run.py runs, as $pid
running() {
	python3 run.py > pid &
	until_true test -s pid
	pid=$(< pid)
}

# attached OPTION ...: to it, for a moment, into x.tq
attached() {
	tq-capture -q --attach "$pid" -o x.tq "$@" 2> "$said"
}

# of TID JQ: how many samples of that thread it is true of
of() {
	jq -s "map(select(.kind == \"sample\" and .tid == $1 and ($2))) | length" x.tq
}

@test "samples of Python are of all threads that run, and of descendants" {
	running
	attached --python-sampling true -d 1s
	whole x.tq
	[ "$(jq -rs 'map(select(.kind == "trace").command)[]' x.tq)" = \
	    "$(tr '\0' ' ' < "/proc/$pid/cmdline" | sed 's/ $//')" ]
	[ "$(jq -rs 'map(select(.kind == "sample") | [.pid, .tid]) | unique |
	    length' x.tq)" = 4 ]
	[ "$(jq -rs 'map(select(.kind == "sample").pid) | unique | length' x.tq)" = 2 ]
	run -0 tq-stats -r folded:samples x.tq
	[[ $output = *"work (run.py:3)"* && $output = *"sleeper (run.py:5)"* ]]
	kill -0 "$pid"
}

# two threads have samples of their stacks, and switches were recorded; or that
# is denied, or tq-capture has ended
sampled_or_refused() {
	grep -q perf_event_open "$said" || ! kill -0 "$launcher" 2> none || awk '
	/^{"kind":"sched"/ { switches++ }
	/^{"kind":"sample"/ && match($0, /"stack":[1-9]/) &&
	    match($0, /"tid":[0-9]+/) {
		if (++n[substr($0, RSTART, RLENGTH)] == 51)
			threads++
	}
	END { exit !(threads >= 2 && switches > 10) }' x.tq
}

@test "samples of processors and switches are of threads from before and after" {
	cat > late.py <<-'EOF'
	import os, threading, time
	def work():
	    while not os.path.exists("stop"): sum(range(1000))
	def late():
	    while not os.path.exists("go"): time.sleep(0.01)
	    threading.Thread(target=work).start()
	threading.Thread(target=late).start()
	print(os.getpid(), flush=True)
	work()
	EOF
	python3 late.py > pid &
	until_true test -s pid
	pid=$(< pid)
	tq-capture -q --attach "$pid" -s process-tree --cpuctxsw process-tree \
	    -o x.tq 2> "$said" &
	launcher=$!
	until_true test -s x.tq
	touch go
	until_true sampled_or_refused
	kill "$launcher" 2> none || true
	ends 0 wait "$launcher"
	! grep -q perf_event_open "$said" || skip "no perf_event_open"
	whole x.tq
	(($(of "$pid" '.stack > 0') > 50))
	grep -q '_PyEval_EvalFrameDefault' x.tq
	(($(count sched x.tq) > 10))
	kill -0 "$pid"
}

# staff [staff | heirs]: a program with 200 threads, that makes more of them, or
# these make them, runs as $pid
staff() {
	"$SPIN" "${1:-staff}" 1000000 > none &
	pid=$!
	until_true has_staff
}

has_staff() {
	(($(find "/proc/$pid/task" -mindepth 1 -maxdepth 1 | wc -l) > 150))
}

@test "a thread that is made while others are joined is recorded once" {
	for who in staff heirs staff; do
		staff $who
		attached -s process-tree --cpuctxsw process-tree -b none -d 0.2s
		kill "$pid" || true # it may have ended
		! grep -q perf_event_open "$said" || skip "no perf_event_open"
		whole x.tq
		(($(count sched x.tq) > 100))
		(($(count lost x.tq) == 0)) || continue
		# switched twice in a row to the same
		[ "$(jq -n 'reduce (inputs | select(.kind == "sched")) as {$tid, $on}
		    ({}; .twice += if .on["\($tid)"] == $on then 1 else 0 end |
		    .on["\($tid)"] = $on) | .twice' x.tq)" = 0 ]
	done
}

@test "threads that cannot be joined are counted" {
	staff
	(
		ulimit -n $((2 * $(nproc) + 100))
		attached -s process-tree -b none -d 0.2s
	)
	kill "$pid"
	! grep -q perf_event_open "$said" || skip "no perf_event_open"
	whole x.tq
	grep -qE '^tq-capture: --attach: [0-9]+ threads are not sampled: Too many open files$' \
	    "$said"
}

@test "it ends with the process, and with SIGTERM, which the process does not get" {
	running
	tq-capture -q --attach "$pid" -o x.tq --counters cpu &
	launcher=$!
	sleep 0.5
	kill $launcher
	ends 0 wait $launcher
	whole x.tq
	kill -0 "$pid"
	(($(count counter x.tq) > 0))
	attached --counters cpu &
	launcher=$!
	sleep 0.5
	touch stop
	ends 0 wait $launcher
	whole x.tq
}

@test "processes and threads have their names" {
	running
	attached --counters cpu -d 0.3
	[ "$(jq -rs 'map(select(.kind == "process").pid) | unique | length' x.tq)" = 2 ]
	[ "$(jq -rs "map(select(.kind == \"thread\" and .pid == $pid).tid) | unique |
	    length" x.tq)" = 3 ]
	[ "$(jq -rs 'map(select(.kind == "process").name) | unique[]' x.tq)" = \
	    "$(< "/proc/$pid/comm")" ]
}

@test "--keep and sessions work as with a command" {
	running
	tq-capture -q --attach "$pid" --python-sampling true --keep 1h \
	    --session "$BATS_TEST_NAME-$$" -o x.tq &
	launcher=$!
	sleep 0.7
	run -0 tq-capture dump --session "$BATS_TEST_NAME-$$"
	[ "$(grep -c '"kind":"end"' x.tq)" = 1 ]
	kill $launcher
	ends 0 wait $launcher
	[ "$(grep -c '"kind":"end"' x.tq)" = 2 ]
}

@test "what cannot be had is refused" {
	run -125 tq-capture --attach 0 --counters cpu
	[ "$output" = "tq-capture: --attach 0: expected a number from 1 to 2147483647" ]
	run -125 tq-capture --attach 4194305 --counters cpu -o x.tq
	[[ $output = "tq-capture: --attach 4194305: "* ]]
	run -125 tq-capture --attach $$ -t cuda,nvtx
	[[ $output = *"are recorded only of a command that tq-capture starts" ]]
	for option in '--pytorch functions-trace' '--python-functions-trace f.json' \
	    '--cudabacktrace all'; do
		# shellcheck disable=SC2086 # options
		run -125 tq-capture --attach $$ $option --counters cpu
		[[ $output = *"are recorded only of a command that tq-capture starts" ]]
	done
	run -125 tq-capture --attach $$
	[[ $output = *": nothing to record: --sample, "* ]]
	run -125 tq-capture --attach $$ --counters cpu true
	[ "$output" = "tq-capture: --attach: a command is not started as well: true" ]
	run -125 tq-capture --attach $$ --counters cpu -c nvtx -p x
	[[ $output = *"see --duration" ]]
	run -125 tq-capture --attach $$ --counters cpu --split -o %p.tq
	[ "$output" = "tq-capture: --attach and --split exclude each other" ]
	[ ! -e x.tq ]
}

@test "a wait that goes on lasts until the recording ends" {
	python3 -c 'import time; print(flush=True); time.sleep(100)' > go &
	pid=$!
	until_true test -s go
	attached -s process-tree --cpuctxsw process-tree -d 2
	kill "$pid"
	whole x.tq
	[[ ! -s $said ]] || skip "$(< "$said")"
	# when it was seen first, and at the end
	[ "$(of "$pid" '.state == "Interruptible" and .count == 0')" = 2 ]
	[ "$(jq -s 'map(select(.count == 0).ts) | .[0] < .[1] and .[1] > 19e8 and
	    .[1] < 2e9' x.tq)" = true ]
	[ "$(tq-stats -r waits -f csv x.tq | awk -F , 'NR == 2 { print $1 }')" = \
	    "$(jq -s 'map(select(.count == 0).ts) | .[1] - .[0]' x.tq)" ]
}

@test "where perf_event_open is denied, waits are looked at from outside" {
	"$SPIN" deny true || skip "no seccomp filter"
	python3 -c 'import time; print(flush=True); time.sleep(100)' > go &
	pid=$!
	until_true test -s go
	"$SPIN" deny tq-capture -q --attach "$pid" -s process-tree \
	    --cpuctxsw process-tree -d 0.5 -o x.tq 2> "$said"
	kill "$pid"
	whole x.tq
	[ "$(jq -r 'select(.kind == "trace").mode' x.tq)" = \
	    none,counters:cpu@20,blocked:read ]
	# one for the whole wait, in sleep(3)
	[ "$(of "$pid" '.state == "Interruptible" and .count == 0')" = 1 ]
	[ "$(jq -s 'map(select(.kind == "stack") | .frames[] |
	    select(test("nanosleep"))) | length > 0' x.tq)" = true ]
}

@test "samples of Python of a process whose memory may not be read are refused, with status 125" {
	((UID == 0)) || skip "only root is another user"
	running
	mkdir -m 777 theirs
	as_nobody() {
		run "$1" setpriv --reuid 65534 --clear-groups \
		    "$(type -P tq-capture)" -q --attach "$pid" -o theirs/x.tq \
		    --python-sampling true -d 1s "${@:2}"
	}
	as_nobody -125
	[ "$output" = "tq-capture: --attach $pid: Python is not sampled: its memory may not be read" ]
	[ ! -e theirs/x.tq ]
	as_nobody -125 --strict --counters cpu
	# what else is asked for is recorded, with a note
	as_nobody -0 --counters cpu
	[[ $output = *"tq-capture: process $pid is not sampled: its memory may not be read"* ]]
	whole theirs/x.tq
	jq -es 'any(.[]; .kind == "diagnostic" and (.text | test("may not be read")))' theirs/x.tq
}

@test "where perf_event_open is denied, that is said, and the rest is recorded" {
	"$SPIN" deny true || skip "no seccomp filter"
	running
	"$SPIN" deny tq-capture -q --attach "$pid" -s process-tree \
	    --python-sampling true -d 0.5 -o x.tq 2> "$said"
	[[ $(< "$said") = *": CPU samples are not recorded" ]]
	whole x.tq
	(($(of "$pid" '.what == "python"') > 0))
}

@test "a pipe in the place of the file of a program or of Python is not waited for" {
	need python3
	cp "$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))')" \
	    python3.99
	PYTHONHOME=$(python3 -c 'import sys; print(sys.prefix)') ./python3.99 \
	    run.py > pid &
	until_true test -s pid
	pid=$(< pid)
	rm python3.99
	# its name in the list of what the process has mapped
	mkfifo python3.99 'python3.99 (deleted)'
	for option in --python-sampling=true --sample=process-tree; do
		timeout -s KILL 60 tq-capture -q --attach "$pid" $option \
		    --counters cpu -d 300ms -o x.tq 2> "$said"
		whole x.tq
	done
}

@test "however the two end, the recording is whole and the process as before" {
	need python3
	board attach 12
}
