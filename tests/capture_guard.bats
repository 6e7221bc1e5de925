#!/usr/bin/env bats
# What other users of the machine, and values that a program sets, can't do to a
# capture and to the programs in it

load helper
load capture

setup() {
	cd "$BATS_TEST_TMPDIR"
	session=guard-$BATS_TEST_NUMBER-$$
}

teardown() {
	touch "$BATS_TEST_TMPDIR"/{a,b}.go
	[[ -z ${to-} ]] || exec {to}>&-
	[[ -z ${hold-} ]] || exec {hold}>&-
	wait
}

# as_nobody COMMAND ...: run it as user 65534.
as_nobody() {
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

# greeted NAME: a launcher of tests has the arena of a program of this user that
# looks for a launcher of that name; prefix: how the launcher is started.
greeted() {
	rm -f hold said
	mkfifo hold
	"${prefix[@]}" "$BUILD/capture/launcher" -s "$1" \
	    sh -c 'echo ready; cat' < hold > said &
	exec {hold}> hold
	until_true grep -q ready said
	TQ_CAPTURE="socket=$1 clock=monotonic on=1 chunks=8" \
	    NVTX_INJECTION64_PATH=$BUILD/libtq-capture.so "$CLIENT" marks 5
	exec {hold}>&-
	hold=
	wait $!
	grep -qx "arena 1" said && grep -qx "mark 5" said
}

# ---- the arena of a program ----

@test "a program gives its arena to root and to its own user, to nobody else" {
	local prefix

	need other-user
	prefix=()
	greeted "$session-own"
	prefix=(setpriv --reuid 65534 --clear-groups)
	run ! greeted "$session-other"
	grep -qx "arena 0" said
}

@test "no number in the arena leads a program out of it" {
	local client

	for client in "$BUILD"/capture/*/client; do
		run -0 "$BUILD/capture/launcher" -x -a "chunks=8" \
		    "$client" marks 1 wait 20 marks 100000 threads 4 5000
	done
}

# ---- the stream of a capture ----

# recording COMMAND ...: run it while a capture records, and then end that.
recording() {
	rm -f ./*.go
	tq-capture --session "$session" -o x.tq \
	    "$ANNOTATE" mark own tell a.go await b.go 2> said &
	until_true test -e a.go
	"$@"
	touch b.go
	wait $!
}

# the name of the socket of the capture that runs last
programs() {
	grep -o '@tq-capture-[0-9]*-[0-9a-f]*' /proc/net/unix |
	    grep "^@tq-capture-$!-" | head -n 1 | cut -c 2-
}

strange() {
	TQ_CAPTURE="socket=$(programs) clock=monotonic on=1 chunks=8" \
	    NVTX_INJECTION64_PATH=$BUILD/libtq-capture.so \
	    "$@" "$CLIENT" marks 5
}

@test "a process that is not of the command is not in the recording" {
	recording strange env
	[ "$(count mark x.tq) $(count process x.tq)" = "1 1" ]
	grep -q "is not captured: its agent is of another version\$" said
}

@test "nor is one of another user in that of root, which says nothing of it" {
	need other-user
	((EUID == 0)) || skip "not root"
	recording strange as_nobody
	[ "$(count mark x.tq) $(count process x.tq)" = "1 1" ]
	run ! grep "not captured" said
}

# ---- orders ----

@test "orders come from the same user and from root only" {
	need other-user python3
	recording python3 "$top/tests/capture/stranger.py" order stop \
	    tq-capture-orders- > answers
	[ "$(tr -d '\n' < answers)" = "" ]
	# the mark after a stop would not be there
	rm -f ./*.go
	tq-capture -q --session "$session" -o x.tq "$ANNOTATE" mark own \
	    tell a.go await b.go mark later &
	until_true test -e a.go
	python3 "$top/tests/capture/stranger.py" order stop tq-capture-orders-
	touch b.go
	wait $!
	[ "$(count mark x.tq)" = 2 ]
}

@test "the name of a session can't be taken, nor its answers be made up" {
	need other-user python3
	mkfifo to
	rm -f ./*.go
	tq-capture -q --session "$session" -o x.tq "$ANNOTATE" tell a.go \
	    await b.go &
	until_true test -e a.go
	python3 "$top/tests/capture/stranger.py" answer tq-capture-orders- \
	    < to > said &
	exec {to}> to
	until_true grep -q known said
	touch b.go
	wait %1
	echo >&"$to"
	until_true grep -q ready said
	run -125 tq-capture status --session "$session"
	[ "$output" = "tq-capture: $session: no such session" ]
	tq-capture -q --session "$session" -o x.tq true
}

# ---- files ----

@test "no value in the name of an output leads out of its folder" {
	local up=/../../../../../../../../../$PWD/out

	mkdir -p d/e out
	JOB=$up/job tq-capture -q -o 'd/e/%q{JOB}' true
	JOB=.. tq-capture -q -o 'd/%q{JOB}/x' true || true
	RANK=$up/rank tq-capture -q -o 'd/e/r%{rank}' true
	JOB=$'a\n\e[2Jb' tq-capture -q -o 'd/e/%q{JOB}' true
	tq-capture -q --split -o 'd/e/%q{JOB}.tq' \
	    env JOB="$up/split" "$CLIENT" marks 1
	tq-capture -q --split -o '%q{JOB}/split.tq' \
	    env JOB= "$CLIENT" marks 1 || true
	[ "$(ls out)" = "" ]
	[ ! -e d/x ] && [ ! -e /split.tq ]
	[ "$(ls d/e | wc -l)" = 4 ]
	ls d/e/_*job "d/e/r_"*rank d/e/a__\[2Jb d/e/_*split.tq
}
