#!/usr/bin/env bats
# Ctrl-C in a pipeline: what was recorded is delivered

load helper
load capture

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	{
		echo '{"kind":"trace","version":1,"source":"test"}'
		for i in 1 2 3 4 5 6; do
			printf '{"kind":"range","ts":%d,"dur":50,"pid":1,"tid":2,"name":"r%d"}\n' \
			    $((i * 1000)) "$i"
		done
		echo '{"kind":"end","events":6,"dropped":0}'
	} > whole.tq
	# what a recorder does: at SIGINT it writes the rest, and ends
	cat > recorder <<- 'END'
	trap 'stop=1' INT
	head -n 4 whole.tq
	: > ready
	until test -n "$stop"; do sleep 0.02; done
	tail -n +5 whole.tq
	END
}

# more than a pipe holds
many() {
	{
		head -n 1 whole.tq
		sed '2!d' whole.tq | awk '{ for (i = 0; i < 50000; i++) print }'
		echo '{"kind":"end","events":50000,"dropped":0}'
	} > many.tq
}

# keys N COMMAND: the signal of N Ctrl-C for all processes of a command of sh
keys() {
	local n=$1 status=0
	shift
	rm -f ready
	env --default-signal=INT setsid sh -c "$1" sh > shell.out 2> shell.err &
	pid=$!
	until_true test -e ready
	sleep 0.5 # the others are there, too
	while [ "$n" -gt 0 ]; do
		kill -INT -- "-$pid"
		n=$((n - 1))
		sleep 0.1
	done
	wait "$pid" || status=$?
	return "$status"
}

@test "a tool that reads a pipe finishes its output after the first SIGINT" {
	for command in 'tq-filter true' tq-correlate 'tq-stats -r nvtx_sum' \
	    tq-stats tq-advise tq-chrome 'tq-perfetto -o -' tq-extract \
	    'tq-align' 'tq stats'; do
		echo "$command"
		sh -c "cat whole.tq | $command" > expected 2>/dev/null || true
		[ -s expected ]
		keys 1 "trap '' INT; (trap - INT; exec sh recorder) |
		    env --default-signal=INT $command > out" || true
		cmp expected out
	done
}

@test "so does each tool of a longer pipeline, and one that writes a file" {
	tq-correlate whole.tq | tq-chrome > expected
	keys 1 "trap '' INT; (trap - INT; exec sh recorder) |
	    (trap - INT; tq-correlate) | (trap - INT; tq-chrome -o out.json)"
	cmp expected out.json
}

@test "a second SIGINT ends it, and leaves nothing that looks whole" {
	cat > endless <<- 'END'
	trap '' INT
	cat whole.tq
	: > ready
	until test -e stop; do sleep 0.02; done
	END
	keys 2 "trap '' INT; sh endless | {
	    env --default-signal=INT tq-chrome -o out.json; echo \$? > status; touch stop; }"
	[ "$(cat status)" = 130 ]
	[ ! -e out.json ]
	[ -z "$(find . -name '.out*')" ]
}

@test "a tool that reads a file ends at the first SIGINT" {
	mkfifo full
	many
	keys 1 "trap '' INT; { : > ready; sleep 1; } < full & exec 3> full
	    env --default-signal=INT tq-filter true many.tq >&3; echo \$? > status"
	[ "$(cat status)" = 130 ]
}

@test "tq ends all of its commands at the first SIGINT, where they read files" {
	many
	mkfifo full
	keys 1 "trap '' INT; { : > ready; sleep 1; } < full & exec 3> full
	    env --default-signal=INT tq filter true many.tq >&3; echo \$? > status"
	[ "$(cat status)" = 130 ]
}

@test "what tq-capture recorded until Ctrl-C is in the report" {
	cat > program <<- 'END'
	"$1" mark a mark b
	: > ready
	exec sleep 100
	END
	keys 1 "trap '' INT; env --default-signal=INT tq-capture sh program \
	    '$ANNOTATE' | env --default-signal=INT tq-stats -r run -f csv > out"
	cat shell.err out
	grep -q 'mark' out
}
