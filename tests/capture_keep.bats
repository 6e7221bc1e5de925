#!/usr/bin/env bats
# --keep: the last seconds stay in memory, and are written when asked for

load helper
load fakecuda
load capture
load storm

setup() {
	cd "$BATS_TEST_TMPDIR"
	session=$BATS_TEST_NAME-$$
}

teardown() {
	touch "$BATS_TEST_TMPDIR"/{a,b,c,d,e}.go
	wait
}

# kept OPTION ... VERB ...: annotations, kept, behind, into x.tq
kept() {
	tq-capture -q --session "$session" -o x.tq "$@" &
	launcher=$!
}

dump() {
	tq-capture dump --session "$session"
}

# section N [FILE]: the lines of that section
section() {
	awk -v n="$1" '/^{"kind":"trace",/ { k++ } k == n' "${2:-x.tq}"
}

# marks N: the names of the marks of that section
marks() {
	section "$1" | jq -r 'select(.kind == "mark").name' | paste -sd ' '
}

sections() {
	grep -c '^{"kind":"end",' x.tq || true
}

has_sections() {
	[ "$(sections)" = "$1" ]
}

@test "what is older than the time is not in the stream" {
	capture -q --keep 2s "$ANNOTATE" push old pop mark older tell a.go \
	    await b.go mark new &
	until_true test -e a.go
	sleep 2.5
	touch b.go
	wait $!
	whole
	[ "$(said_of mark .name)" = new ]
	[ "$(count range)" = 0 ]
	[ "$(dropped)" = 0 ]
	[[ $(said_of trace .mode) = *,keep:2000ms* ]]
}

@test "OS calls that are older are in no memory and in no temporary file" {
	# two calls each, of more than 64 MB, and little of it in 20 ms
	TMPDIR=$PWD/none capture -q --buffer 1M --keep 20ms -t osrt \
	    --osrt-threshold 0 --on-full block \
	    dd if=/dev/zero of=/dev/null bs=1 count=400000
	whole
	[ "$(dropped)" = 0 ]
	[ "$(count osrt)" -lt 700000 ]
}

@test "a stream of what was kept is that without --keep, where time is enough" {
	need cupti.h
	storm 13.0 "--keep 1h --cuda-nested" -n 500 -t 2 -s 3 -c 31 -p 3 -f 11 \
	    -a 10 -g 5 -k 4 -q 10 -d 7 -N
	same all kernel memcpy memset runtime driver sync stream context graph \
	    range mark
	whole
	[ "$(dropped)" = 0 ]
}

@test "dump writes a whole section; each event is in one of them" {
	kept --keep 1h "$ANNOTATE" mark 1 tell a.go await b.go mark 2 tell c.go \
	    await d.go mark 3
	until_true test -e a.go
	run -0 dump
	[[ $output = "dumped "*" events" ]]
	[ "$(sections)" = 1 ]
	touch b.go
	until_true test -e c.go
	dump
	[ "$(sections)" = 2 ]
	touch d.go
	wait "$launcher"
	[ "$(sections)" = 3 ]
	for n in 1 2 3; do
		section $n > s.tq
		whole s.tq
		[ "$(count process s.tq)" = 1 ]
		[ "$(count thread s.tq)" -ge 1 ]
		[ "$(marks $n)" = $n ]
	done
	run -0 --separate-stderr tq-filter -k mark x.tq
	[ -z "$stderr" ]
}

@test "SIGUSR1 asks for a dump, and the command does not get it" {
	kept --keep 1h "$ANNOTATE" mark 1 tell a.go await b.go mark 2
	until_true test -e a.go
	kill -USR1 "$launcher"
	until_true has_sections 1
	touch b.go
	ends 0 wait "$launcher"
	[ "$(marks 1)" = 1 ]
	[ "$(marks 2)" = 2 ]
}

@test "the end of a range asks for a dump" {
	kept --keep 1h -c nvtx -p slow "$ANNOTATE" mark 0 push quick pop \
	    push slow mark 1 pop tell a.go await b.go mark 2 push slow \
	    mark 3 pop tell c.go await d.go mark 4
	until_true has_sections 1
	touch b.go
	until_true has_sections 2
	touch d.go
	ends 0 wait "$launcher"
	[ "$(marks 1)" = "0 1" ]
	[ "$(marks 2)" = "2 3" ]
	[ "$(marks 3)" = 4 ]
}

@test "after as many ranges as --capture-range-end says, nothing is recorded" {
	kept --keep 1h -p slow --capture-range-end repeat:1 "$ANNOTATE" mark 0 \
	    push slow mark 1 pop await b.go mark 2 push slow mark 3 pop
	until_true has_sections 1
	touch b.go
	ends 0 wait "$launcher"
	[ "$(marks 1)" = "0 1" ]
	[ "$(marks 2)" = "" ]
}

@test "a range that is open at a dump is there, as such, and later whole" {
	kept --keep 1h "$ANNOTATE" push outer push inner tell a.go await b.go \
	    pop pop
	until_true test -e a.go
	dump
	touch b.go
	wait "$launcher"
	[ "$(section 1 | jq -r 'select(.kind == "range") |
	    [.name, .open, .dur] | @csv')" = '"outer",true,
"inner",true,' ]
	[ "$(section 2 | jq -r 'select(.kind == "range") |
	    [.name, .open, .dur > 0] | @csv')" = '"outer",,true
"inner",,true' ]
}

@test "a command that dies leaves its last seconds" {
	# shellcheck disable=SC2016 # of the shell below
	ends 137 capture -q --keep 1h sh -c '"$0" mark 1; kill -9 $$' "$ANNOTATE"
	whole
	[ "$(said_of mark .name)" = 1 ]
}

@test "what was lost in the time that is kept is in the end of the section" {
	capture -q --keep 1h --buffer 256KiB --on-full drop "$ANNOTATE" \
	    times 300000 mark x
	whole
	[ "$(lost)" -gt 0 ]
	[ "$(dropped)" = "$(lost)" ]
	[ $(($(count mark) + $(lost))) = 300000 ]
}

@test "with --split each file has its own sections" {
	# shellcheck disable=SC2016 # of the shell below
	kept --split -o x.%p.tq --keep 1h sh -c '"$0" mark 1 tell a.go await b.go &
	    "$0" mark 2 tell c.go await b.go; wait' "$ANNOTATE"
	until_true test -e a.go
	until_true test -e c.go
	dump
	touch b.go
	wait "$launcher"
	[ "$(cat x.*.tq | grep -c '"kind":"trace"')" = 4 ]
	[ "$(cat x.*.tq | jq -r 'select(.kind == "mark").name' | sort |
	    paste -sd ' ')" = "1 2" ]
}

@test "a compressed file can be read after a dump, while the capture goes on" {
	kept -z --keep 1h "$ANNOTATE" mark 1 tell a.go await b.go
	until_true test -e a.go
	dump
	zstd -dcq x.tq > now.tq 2> /dev/null || true # its frame is not closed
	whole now.tq
	touch b.go
	wait "$launcher"
	[ "$(zstd -dcq x.tq | grep -c '"kind":"end"')" = 2 ]
}

@test "a dump to a reader that is slow is answered when it has been read" {
	mkfifo pipe
	tq-capture -q --session "$session" --keep 1h "$ANNOTATE" \
	    times 20000 mark "$(head -c 300 /dev/zero | tr '\0' x)" \
	    tell a.go await b.go > pipe &
	launcher=$!
	exec 5< pipe
	until_true test -e a.go
	dump > answer &
	asked=$!
	sleep 1
	[ ! -s answer ]
	cat <&5 > all.tq &
	wait $asked
	[[ $(cat answer) = "dumped "*" events" ]]
	touch b.go
	wait $launcher
	exec 5<&-
	wait
	[ "$(count mark all.tq)" = 20000 ]
}

@test "a session without --keep has nothing to dump" {
	kept "$ANNOTATE" mark 1 tell a.go await b.go
	until_true test -e a.go
	run -125 dump
	[ "$output" = "tq-capture: $session: the session keeps no events: it has no --keep" ]
	touch b.go
	wait "$launcher"
	[ "$(count mark x.tq)" = 1 ]
}

@test "--keep is a time, and excludes -c signal" {
	run -125 tq-capture --keep 0 true
	[ "$output" = "tq-capture: --keep 0: expected a duration above 0" ]
	run -125 tq-capture --keep soon true
	[ "$output" = "tq-capture: --keep soon: expected a time, as in 1.5s or 200ms" ]
	run -125 tq-capture --keep 1s -c signal true
	[ "$output" = "tq-capture: --keep and --capture-range signal exclude\
 each other: SIGUSR1 asks for a dump" ]
}

@test "a range that never ended is said, and --require-range makes it an error" {
	ends 125 capture --keep 1h -p never --require-range "$ANNOTATE" mark 1
	grep -q "the range to capture never ended" "$said"
	whole
	[ "$(count mark)" = 1 ]
}
