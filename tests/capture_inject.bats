#!/usr/bin/env bats
# --attach -t cuda: the agent is loaded into a process that runs already

load helper
load fakecuda
load capture

setup() {
	need cupti.h
	[[ $(uname -m) = x86_64 ]] || skip "programs are entered on x86-64 only"
	cd "$BATS_TEST_TMPDIR"
	cat > work.py <<-'EOF'
	import ctypes, os, threading, time
	cudart = ctypes.CDLL("libcudart.so.13")
	where, memory = ctypes.c_void_p(), (ctypes.c_char * 64)()
	cudart.cudaMalloc(ctypes.byref(where), ctypes.c_size_t(64))
	def churn():
	    while not os.path.exists("stop"): bytearray(1 << 20)
	threading.Thread(target=churn).start()
	steps = 0
	while not os.path.exists("stop"):
	    if cudart.cudaMemcpy(where, memory, ctypes.c_size_t(64), 1): break
	    steps += 1
	    if steps == 5: print(os.getpid(), flush=True)
	    time.sleep(0.005)
	print("steps", steps > 5, flush=True)
	EOF
	cat > wait.py <<-'EOF'
	import os, select, signal, sys, threading, time
	caught = []
	signal.signal(signal.SIGUSR1, lambda *a: caught.append(1))
	how = sys.argv[1]
	r, w = os.pipe()
	def end():
	    while not os.path.exists("stop"): time.sleep(0.01)
	    os.write(w, b"x")
	    lock.release()
	lock = threading.Lock()
	lock.acquire()
	if how != "sleep": threading.Thread(target=end).start()
	print(os.getpid(), flush=True)
	begin = time.monotonic()
	if how == "sleep": time.sleep(2)
	if how == "read": os.read(r, 1)
	if how == "futex": lock.acquire()
	if how == "poll":
	    p = select.poll()
	    p.register(r, select.POLLIN)
	    p.poll()
	print("ended", how != "sleep" or time.monotonic() - begin >= 2, len(caught))
	EOF
}

teardown() {
	touch "$BATS_TEST_TMPDIR/stop"
	[[ -z ${pid-} ]] || kill -CONT "$pid" 2> "$BATS_TEST_TMPDIR/none" || true
	wait
}

# running COMMAND ...: it runs, as $pid
running() {
	rm -f out
	fake 13.0 "$@" > out &
	child=$!
	until_true test -s out
	pid=$(head -n 1 out)
}

# attached OPTION ...: to it, into x.tq
attached() {
	tq-capture -q --attach "$pid" -t cuda -o x.tq "$@" 2> "$said"
}

@test "copies and calls are recorded of a program that uses CUDA already" {
	running python3 work.py
	attached -d 1
	whole x.tq
	[ "$(dropped x.tq)" = 0 ]
	(($(count memcpy x.tq) > 10))
	# each copy has its call
	[ "$(ask '[.[] | select(.kind == "memcpy").corr] -
	    [.[] | select(.kind == "api").corr] | length' x.tq)" = 0 ]
	[ "$(ask '[.[] | select(.kind == "memcpy").corr] | unique | length' x.tq)" = \
	    "$(count memcpy x.tq)" ]
	# the program goes on, and is not entered again
	run -125 attached -d 1
	[[ $(< "$said") = *": CUDA is not recorded: it was captured before" ]]
	touch stop
	ends 0 wait "$child"
	[ "$(tail -n 1 out)" = "steps True" ]
}

@test "system calls in which threads wait go on" {
	for how in sleep read futex poll; do
		rm -f stop
		running python3 wait.py $how
		attached -d 0.2
		grep -q libtq-capture.so "/proc/$pid/maps"
		[ "$(awk '/^TracerPid/ { print $2 }' "/proc/$pid/status")" = 0 ]
		touch stop
		ends 0 wait "$child"
		[ "$(tail -n 1 out)" = "ended True 0" ]
	done
}

@test "a signal that comes meanwhile reaches its handler" {
	running python3 wait.py sleep
	for _ in $(seq 50); do kill -USR1 "$pid"; done &
	attached -d 0.2
	wait $!
	ends 0 wait "$child"
	[[ $(tail -n 1 out) = "ended True "[1-9]* ]]
}

@test "an end of the program, or of tq-capture, ends it" {
	running python3 work.py
	attached &
	launcher=$!
	until_true grep -q libtq-capture.so "/proc/$pid/maps"
	touch stop
	ends 0 wait "$child"
	ends 0 wait $launcher
	whole x.tq
	rm -f stop
	running python3 work.py
	tq-capture -q --attach "$pid" -t cuda -o x.tq &
	launcher=$!
	until_true grep -q libtq-capture.so "/proc/$pid/maps"
	sleep 0.3
	kill -TERM $launcher
	ends 0 wait $launcher
	whole x.tq
	kill -0 "$pid"
}

@test "a stopped program, and one that is linked statically, stay as they are" {
	running python3 wait.py sleep
	kill -STOP "$pid"
	run -125 attached -d 1
	[[ $(< "$said") = *": no thread of it waits where the agent can be loaded" ]]
	[ "$(awk '/^State/ { print $2 }' "/proc/$pid/status")" = T ]
	run -1 grep libtq-capture.so "/proc/$pid/maps"
	kill -CONT "$pid"
	ends 0 wait "$child"
	[ "$(tail -n 1 out)" = "ended True 0" ]
	echo 'int pause(void); int main(void) { return pause(); }' > still.c
	"${CC:-cc}" -static -o still still.c 2> none || skip "no static libc"
	./still &
	pid=$!
	run -125 attached -d 1
	[[ $(< "$said") = *": it has no dlopen: "* ]]
	kill $pid
}
