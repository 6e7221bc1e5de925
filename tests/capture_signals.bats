#!/usr/bin/env bats
# Signals are those of a run without tq-capture

load helper
load capture

setup() {
	cd "$BATS_TEST_TMPDIR"
}

@test "each signal comes once, however sent, and does what it does alone" {
	need python3
	python3 "$top/tests/capture/signals.py" table > alone
	python3 "$top/tests/capture/signals.py" table \
	    tq-capture -q -o x.tq > captured
	diff alone captured
	grep -q '^to the group .*SIGTERM .*SIGRTMAX$' alone
	grep -qx 'keys SIGINT SIGQUIT SIGTSTP' alone
	grep -qx 'hang-up SIGHUP SIGCONT' alone
	grep -qx 'a timer from before SIGALRM' alone
	grep -qx 'to the process SIGTSTP stops SIGTSTP' alone
}

@test "without -c signal SIGUSR1 and SIGUSR2 are for the command alone" {
	capture -q sh -c 'trap "echo told" USR2; kill -USR2 $PPID
	    while :; do sleep 0.01; "$1" mark a; break; done' sh "$ANNOTATE"
	[ "$(< "$said")" = told ]
	[ "$(count mark)" = 1 ]
}

@test "the value of a queued signal is passed on" {
	need python3
	# shellcheck disable=SC2016 # the inner shell is to expand it
	capture -q python3 -c 'if True:
		import ctypes, os, signal
		signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
		ctypes.CDLL(None).sigqueue(os.getppid(), int(signal.SIGUSR1),
		    ctypes.c_void_p(77))
		class Info(ctypes.Structure):
			_fields_ = [("n", ctypes.c_int * 6),
			    ("value", ctypes.c_long), ("rest", ctypes.c_char * 96)]
		info, mask = Info(), (ctypes.c_ulong * 16)(1 << 9)
		ctypes.CDLL(None).sigwaitinfo(mask, ctypes.byref(info))
		print(info.value)'
	[ "$(< "$said")" = 77 ]
}

# on_terminal COMMAND ...: run it on a terminal of its own
on_terminal() {
	python3 -c '
import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))' "$@" | tr -d '\r'
}

@test "on a terminal the stream goes to a new file, which the summary names" {
	need python3
	mkdir shown && cd shown
	on_terminal sh -c 'touch tq-capture.$$.tq; exec tq-capture -t osrt echo hi' > out
	grep -qx hi out
	! grep -q '"trace"' out || return 1
	[ "$(ls tq-capture.*.tq | wc -l)" = 2 ]
	read -r file < <(find . -name 'tq-capture.*-2.tq' -size +0)
	[ -s "$file" ] && [ ! -s "${file/-2/}" ]
	cp "$file" "$tq"
	whole
	command=$(sed -n 's/^tq-capture: the stream is in .*: \(tq stats .*\)/\1/p' out)
	[ "$command" = "tq stats ${file#./}" ]
	$command -r osrt_sum | grep -q 'OS Runtime'
	on_terminal tq-capture -q -o - -t osrt echo hi > out
	grep -q '^{"kind":"trace"' out
	[ "$(ls tq-capture.*.tq | wc -l)" = 2 ]
}

@test "a terminal that is closed ends the command, its workers and the capture" {
	need python3
	cat > work.py <<- 'END'
	import multiprocessing, os, sys, time
	def work():
	    open("worker%d" % os.getpid(), "w").close()
	    time.sleep(100)
	if __name__ == "__main__":
	    for _ in range(2):
	        multiprocessing.Process(target=work).start()
	    time.sleep(100)
	END
	# the capture leads the session, as with ssh -t and docker run -it
	cat > close.py <<- 'END'
	import glob, os, pty, sys, time
	pid, terminal = pty.fork()
	if pid == 0:
	    os.execvp(sys.argv[1], sys.argv[1:])
	while len(glob.glob("worker*")) < 2:
	    time.sleep(0.02)
	os.close(terminal)
	print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
	END
	run -0 python3 close.py tq-capture -q -t osrt -o x.tq python3 work.py
	[ "$output" = 129 ]
	whole x.tq
	for worker in worker*; do
		until_true sh -c "! kill -0 ${worker#worker} 2> /dev/null"
	done
}

@test "a signal ends the wait for the reader of a FIFO, before the command runs" {
	local signal

	mkfifo fifo
	# waits for its reader
	waits_to_open() {
		[[ $(< "/proc/$1/comm") = tq-capture ]] && sleeps "$1"
	}
	for signal in TERM HUP; do
		tq-capture -q -o fifo touch run &
		until_true waits_to_open $!
		kill -s $signal $!
		ends $((128 + $(kill -l $signal))) wait $!
	done
	[ ! -e run ]
	tq-capture -q -o fifo "$CLIENT" marks 3 &
	cat fifo > "$tq"
	wait $!
	whole
	[ "$(count mark)" = 3 ]
}
