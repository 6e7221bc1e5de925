#!/usr/bin/env bats
# guest.bats - tq-capture and its agent as guests of programs that are started
# in odd ways, or do odd things

load helper
load capture

# ignoring SIGNAL COMMAND ...: run it as one that ignores the signal
ignoring() {
	timeout -k 1 120 python3 -c 'if True:
		import os, signal, sys
		signal.signal(getattr(signal, sys.argv[1]), signal.SIG_IGN)
		os.execvp(sys.argv[2], sys.argv[2:])' "$@"
}

@test "who ignores SIGCHLD gets the command's end and status all the same" {
	need python3
	run -3 ignoring SIGCHLD tq-capture -q -o "$tq" sh -c 'exit 3'
	whole
}

@test "the command ignores the signals that it would without a capture" {
	local signal want status=/proc/self/status

	need python3
	for signal in SIGPIPE SIGXFSZ SIGCHLD SIGHUP; do
		want=$(ignoring $signal grep SigIgn $status | classic)
		[[ $(ignoring $signal tq-capture -q -o "$tq" \
		    grep SigIgn $status | classic) = "$want" ]]
	done
}

@test "a category has the name that it was given last, also one it had before" {
	capture -q "$CLIENT" renamed 2
	[[ $(said_of mark .category) = first ]]
}

@test "a program that outlives the capture records no more" {
	need python3
	cd "$BATS_TEST_TMPDIR"
	cat > outlive.py <<- 'EOF'
	import os, resource, subprocess, sys
	subprocess.run([sys.argv[1], "mark", "a", "tell", "begun", "await",
	    "over", "times", "1000000", "mark", "b"], check=True)
	kib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
	with open(sys.argv[2] + ".new", "w") as f:
	    print(kib, file=f)
	os.rename(sys.argv[2] + ".new", sys.argv[2])
	EOF
	# shellcheck disable=SC2016 # the inner shell is to expand it
	capture -q --live --wait primary sh -c '
	    python3 "$0" "$1" "$2" > "$2.said" 2>&1 &
	    "$1" mark a await begun' \
	    outlive.py "$ANNOTATE" kib
	[[ $(count mark) -eq 2 ]]
	touch over
	until_true test -e kib
	# a million marks are 32 MB
	(($(< kib) < 24000))
}

@test "no descriptor of the agent's takes the place of a standard one" {
	need python3
	capture -q python3 -c 'if True:
		import ctypes, os, resource, sys
		os.close(0), os.close(1)
		resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
		ctypes.CDLL(sys.argv[1]).dso_pairs(ctypes.c_long(1))
		null = lambda: os.open("/dev/null", os.O_RDONLY)
		print(null(), null(), file=sys.stderr)' "$CLIENTS/dso.so"
	[[ $(count range) -eq 1 ]]
	[[ $(< "$said") = '0 1' ]]
}

@test "what has no room in the environment is an error" {
	run -125 capture --ranks "$(seq -s, 3000)" true
	[[ $(< "$said") = "tq-capture: too long for the environment: the list\
 of --ranks, or the variables in the name of the output" ]]
}

@test "TQ_CAPTURE_AGENT may be relative to where tq-capture is started" {
	cd "$BUILD"
	TQ_CAPTURE_AGENT=./libtq-capture.so capture -q \
	    env -C / "$CLIENT" marks 3
	[[ $(count mark) -eq 3 ]]
}
