#!/usr/bin/env bats
# tq-capture -t python-gil: who waits for the lock of Python, and who holds it

load helper
load capture

setup() {
	cd "$BATS_TEST_TMPDIR"
	# until each has had the lock 20 times, however busy the machine is
	cat > two.py <<-'EOF'
	import threading, time
	last, turns = None, [0, 0]
	def work(me):
	    global last
	    end = time.monotonic() + 60
	    while min(turns) < 20 and time.monotonic() < end:
	        if last != me:
	            last = me
	            turns[me] += 1
	        sum(range(1000))
	threads = [threading.Thread(target=work, args=(i,)) for i in range(2)]
	for t in threads: t.start()
	for t in threads: t.join()
	print("done")
	EOF
}

# gil JQ: what it says of the records of the lock, sorted by time
gil() {
	jq -cs "map(select(.kind == \"gil\")) | sort_by(.ts) | $1" x.tq
}

# The holds of a process never overlap; a wait of a thread ends where a hold of
# it begins; the waits of a thread do not overlap.
ORDERLY='group_by(.pid) | all(
    (map(select(.name == "hold")) | . as $h |
	all(range(1; length); $h[.].ts >= $h[. - 1].ts + $h[. - 1].dur)) and
    (group_by(.tid) | all(
	(map(select(.name == "hold").ts) | map({key: "\(.)", value: 1}) |
	    from_entries) as $begins |
	(map(select(.name == "wait")) | . as $w |
	    all(range(1; length); $w[.].ts >= $w[. - 1].ts + $w[. - 1].dur)) and
	([.[] | select(.name == "wait") | $begins["\(.ts + .dur)"] // 0] |
	    map(select(. == 0)) | length <= 1))))'

@test "a hold that takes long is in order on the standard output" {
	local i actions=()

	[[ -n $(pythons) ]] || skip "no python3.8 to 3.13"
	for i in {1..80}; do
		actions+=(marks 1 wait 20)
	done
	# what calls foreign code with the lock holds it for 0.3 s
	cat > holds.py <<-'EOF'
	import ctypes, threading, time
	def look():
	    for i in range(200): time.sleep(0.002)
	other = threading.Thread(target=look)
	other.start()
	for i in range(3): ctypes.PyDLL(None).usleep(300000)
	other.join()
	EOF
	capture -q -t nvtx,python-gil sh -c '"$1" holds.py & shift; "$@"; wait' \
	    sh "$(pythons | head -n 1)" "$CLIENT" "${actions[@]}"
	whole
	[ "$(count mark)" = 80 ]
	ask 'any(.kind == "gil" and .name == "hold" and .dur > 250000000)' |
	    grep -qx true
}

@test "in all versions that there are, holds take turns, and waits end in them" {
	[[ -n $(pythons) ]] || skip "no python3.8 to 3.13"
	for python in $(pythons); do
		rm -f x.tq
		run -0 --separate-stderr tq-capture -q -t python-gil \
		    --osrt-threshold 0 -o x.tq "$python" two.py
		[ "$output$stderr" = "done" ]
		whole x.tq
		[ "$(dropped x.tq)" = 0 ]
		[ "$(gil "$ORDERLY")" = true ] || { echo "$python" >&2; false; }
		[ "$(gil 'group_by(.tid) | map(select(map(select(.name == "hold" and
		    .dur > 1000000)) | length >= 5)) | length')" = 2 ]
		# a take has its drop; of each thread the last one may be missing,
		# where the process ends before the thread has written it
		[ "$(gil 'group_by(.tid) | all(
		    (map(select(.name == "hold")) | length) -
		    (map(select(.name == "wait")) | length) | . >= -1)')" = true ]
	done
}

@test "a hold that has no end is open: the program was killed, or left" {
	cat > leave.py <<-'EOF'
	import os, signal, sys, threading, time
	exec(open("two.py").read())
	first = time.monotonic_ns()
	{"kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
	 "_exit": lambda: os._exit(0),
	 "exec": lambda: os.execv("/bin/true", ["true"]),
	 "abort": os.abort}[sys.argv[1]]()
	EOF
	for how in kill _exit exec abort; do
		rm -f x.tq
		tq-capture -q -t python-gil -o x.tq python3 leave.py $how > out || true
		whole x.tq
		[ "$(gil 'map(select(.open)) | map([.name, .tid == .pid, .dur]) | tojson')" = \
		    '"[[\"hold\",true,null]]"' ]
		# it is the last of all, and begins where no other goes on
		[ "$(gil 'map(select(.name == "hold")) | last | .open')" = true ]
		[ "$(gil 'map(select(.name == "hold")) | .[-2:] |
		    .[0].ts + .[0].dur <= .[1].ts')" = true ]
	done
	rm -f x.tq
	tq-capture -q -t python-gil -o x.tq python3 two.py > out
	[ "$(gil 'map(select(.open)) | length')" = 0 ]
}

@test "a thread that has the lock for ever is seen by who asks" {
	cat > stuck.py <<-'EOF'
	import ctypes, threading, time
	exec(open("two.py").read())
	open("stuck", "w").close()
	# the lock is kept in a call of a C function
	ctypes.PyDLL(None).pause()
	EOF
	tq-capture -q -t python-gil --keep 1h --session gil$$ -o x.tq \
	    python3 stuck.py > out &
	until_true test -e stuck
	sleep 0.3
	tq-capture dump --session gil$$
	pkill -9 -P $!
	wait
	[ "$(jq -c 'select(.kind == "gil" and .open) | [.name, .tid == .pid]' x.tq | sort -u)" = '["hold",true]' ]
}

@test "threads that compute hold the lock most of the time, one after the other" {
	tq-capture -q -t python-gil -o x.tq python3 two.py > out
	[ "$(gil '(map(select(.name == "hold").dur) | add) as $held |
	    ((map(.ts + .dur) | max) - (map(.ts) | min)) as $all |
	    $held <= $all and $held * 10 >= $all * 7')" = true ]
	run -0 tq-stats -f csv -r gil_sum x.tq
	[ "${lines[0]}" = "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),\
Min (ns),Max (ns),StdDev (ns),Name,Process,Thread" ]
	(($(grep -c ',hold,' <<< "$output") >= 2))
	(($(grep -c ',wait,' <<< "$output") >= 2))
}

@test "a program with one thread has no wait, and records nothing" {
	tq-capture -q -t python-gil --osrt-threshold 0 -o x.tq \
	    python3 -c 'sum(range(100000)); open("/dev/null").read()'
	whole x.tq
	[ "$(count gil x.tq)" = 0 ]
}

@test "short waits and holds are left out" {
	tq-capture -q -t python-gil --osrt-threshold 2000000 -o x.tq \
	    python3 two.py > out
	[ "$(gil 'length > 5 and all(.dur >= 2000000)')" = true ]
}

@test "a child of a fork has a lock of its own" {
	cat > fork.py <<-'EOF'
	import os
	exec(open("two.py").read())
	if os.fork() == 0:
	    exec(open("two.py").read())
	    os._exit(3)
	print(os.wait()[1] >> 8)
	EOF
	tq-capture -q -t python-gil --osrt-threshold 0 -o x.tq python3 fork.py > out
	[ "$(tail -n 1 out)" = 3 ]
	whole x.tq
	[ "$(gil 'map(.pid) | unique | length')" = 2 ]
	[ "$(gil "$ORDERLY")" = true ]
}

@test "it is recorded with OS calls and Python stacks, and without them" {
	tq-capture -q -t osrt,python-gil --python-backtrace osrt -o x.tq \
	    python3 two.py > out
	whole x.tq
	[ "$(jq -r 'select(.kind == "trace").mode' x.tq)" = \
	    "none,osrt,python-gil,python-backtrace:osrt" ]
	(($(count gil x.tq) > 10))
	(($(count osrt x.tq) > 10))
	# a wait for the lock is made of waits with a limit
	jq -es 'any(.kind == "osrt" and .name == "pthread_cond_timedwait")' x.tq
	! grep -q '"kind":"gil".*"stack"' x.tq
}

@test "a program that is no Python, and its locks, are as without" {
	run -0 "$CLIENTS/spin" pingpong 2000
	tq-capture -q -t python-gil -o x.tq "$CLIENTS/spin" pingpong 2000
	whole x.tq
	[ "$(count gil x.tq)" = 0 ]
}

@test "viewers draw it on a row of its thread, filters keep it" {
	tq-capture -q -t python-gil -o x.tq python3 two.py > out
	n=$(count gil x.tq)
	tq-filter -k gil x.tq > y.tq
	[ "$(count gil y.tq)" = "$n" ]
	tq-chrome x.tq > x.json
	[ "$(jq '[.traceEvents[] | select(.cat == "gil" and .ph == "X")] |
	    length' x.json)" = "$n" ]
	jq -r '.traceEvents[] | select(.name == "thread_name").args.name' x.json |
	    grep -q ' GIL$'
	[ "$(tq-perfetto x.tq | tq-extract | grep -c '"hold"\|"wait"')" = "$n" ]
}

@test "Python's own tests of threads end as without" {
	modules='test_thread test_threading test_queue test_fork1 test_subprocess'
	python_tests_alike tq-capture -q -t python-gil -o x.tq
}
