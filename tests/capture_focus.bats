#!/usr/bin/env bats
# Of a command only what is of interest: ranges, times, signals, sessions

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

# focused OPTIONS [VERB ...]: the names of the marks that these annotations
# leave, with these options.
focused() {
	# shellcheck disable=SC2086 # options
	capture -q $1 "$ANNOTATE" "${@:2}"
	whole
	said_of mark .name | paste -sd ' '
}

# started OPTION ... COMMAND ...: run it behind, as a session, into x.tq
started() {
	tq-capture -q --session "$session" -o x.tq "$@" &
	launcher=$!
}

# order WORD: to the session
order() {
	tq-capture "$1" --session "$session"
}

# is WORD: the session says that it is so
is() {
	[[ $(order status 2>&1) = "$1,"* ]]
}

is_off() {
	is over || is waiting
}

# ---- ranges ----

A="mark 0 push a mark 1 pop mark 2"
D="in D push a mark 3 pop mark 4 in -"
STOP="--capture-range-end stop -p"

@test "-p NAME is a range of the default domain" {
	# shellcheck disable=SC2086 # verbs
	[ "$(focused "$STOP a" $D $A)" = "1" ]
	# shellcheck disable=SC2086
	[ "$(focused "-c nvtx $STOP a" $D $A)" = "1" ]
}

@test "-p NAME@DOMAIN is one of that domain, NAME@* of any" {
	# shellcheck disable=SC2086
	[ "$(focused "$STOP a@D" $A $D)" = "3" ]
	# shellcheck disable=SC2086
	[ "$(focused "$STOP a@*" $A $D)" = "1" ]
	# shellcheck disable=SC2086
	[ "$(focused "$STOP a@*" $D $A)" = "3" ]
}

@test "-p takes escapes, expressions and instances, as tq-filter does" {
	[ "$(focused "$STOP a\\@b" push a mark 1 pop push a@b mark 2 pop)" = 2 ]
	[ "$(focused "$STOP ~^step@*" push a mark 1 pop in S push "step 7" \
	    mark 2 pop)" = 2 ]
	[ "$(focused "$STOP a/1" push a mark 1 pop push a mark 2 pop \
	    push a mark 3 pop)" = 2 ]
}

@test "ranges may have plain, wide and registered names" {
	local how

	for how in plain wide registered; do
		# shellcheck disable=SC2086
		[ "$(focused "$STOP a" "$how" $A)" = "1" ]
	done
}

@test "--registered-only: only registered names count, as with nsys" {
	# shellcheck disable=SC2086
	[ "$(focused "$STOP a --registered-only" $A registered $A)" = "1" ]
	# shellcheck disable=SC2086
	[ "$(focused "$STOP a --registered-only" $A)" = "" ]
	grep -q "never began" "$said"
}

@test "the range itself is recorded, with what it is made of" {
	# shellcheck disable=SC2086
	focused "$STOP a" in D category 3 name-category 3 three in - push out $A
	[ "$(said_of range .name)" = a ]
	[ "$(ask 'map(select(.kind | IN("range", "mark"))) |
	    .[1].ts >= .[0].ts and .[1].ts <= .[0].ts + .[0].dur')" = true ]
}

@test "ranges that are started count as those that are pushed" {
	[ "$(focused "$STOP a" mark 0 start a mark 1 elsewhere mark 2)" = 1 ]
}

@test "what is captured ends with the last of the ranges" {
	[ "$(focused "$STOP a" push a mark 1 start a mark 2 pop mark 3 end \
	    mark 4)" = "1 2 3" ]
}

@test "--capture-range-end: the first range, each, some, or for ever" {
	local verbs="mark 0 push a mark 1 pop mark 2 push a mark 3 pop mark 4 \
	    push a mark 5 pop mark 6"

	# shellcheck disable=SC2086
	for how in "stop:1" "none:1 2 3 4 5 6" "repeat:1 3 5"; do
		[ "$(focused "-p a --capture-range-end ${how%:*}" $verbs)" = \
		    "${how#*:}" ]
	done
	# shellcheck disable=SC2086
	[ "$(focused "-p a --capture-range-end repeat:2" $verbs)" = "1 3" ]
	# shellcheck disable=SC2086
	[ "$(focused "-p a --capture-range-end repeat:1" $verbs)" = "1" ]
}

@test "by default the program is told to end when the range has ended" {
	run -143 capture -q -p a "$ANNOTATE" mark 0 push a mark 1 pop mark 2 \
	    await never
	whole
	[ "$(said_of mark .name)" = 1 ]
	run -143 capture -q -p a --capture-range-end stop-shutdown \
	    "$ANNOTATE" push a pop await never
	# it may do something then, and end as it likes
	run -9 capture -q -p a sh -c 'trap "exit 9" TERM
	    "$1" push a pop; while :; do sleep 0.01; done' sh "$ANNOTATE"
}

@test "a range that is left open ends with the program" {
	[ "$(focused "$STOP a" mark 0 push a mark 1)" = "1" ]
	[ "$(said_of range '[.name, .open]')" = '["a",true]' ]
}

@test "a range that never comes is told, and is an error if it is required" {
	# shellcheck disable=SC2086
	[ "$(focused "-p nothing" $A)" = "" ]
	grep -qx "tq-capture: the range to capture never began" "$said"
	[ "$(count process)" = 1 ]
	# shellcheck disable=SC2086
	run -125 capture -q --require-range -p nothing "$ANNOTATE" $A
	# shellcheck disable=SC2086
	capture -q --require-range $STOP a "$ANNOTATE" $A
}

@test "all processes of a tree follow one range" {
	capture -q -p a --capture-range-end repeat sh -c '
	    "$1" mark b0 tell b.go await a.go mark b1 tell c.go \
		await d.go mark b2 &
	    "$1" await b.go push a tell a.go await c.go pop tell d.go
	    wait' sh "$ANNOTATE"
	whole
	[ "$(said_of mark .name | paste -sd ' ')" = b1 ]
}

@test "a child that is forked in the range is in it" {
	capture -q -p "left open" --capture-range-end stop \
	    "$CLIENT" marks 5 push fork 0 100
	whole
	[ "$(count mark)" = 100 ]
}

@test "a range of the 100000th event is found as well as of the first" {
	[ "$(focused "$STOP a" times 100000 mark 0 push a mark 1 pop \
	    times 100000 mark 2)" = "1" ]
}

# ---- times ----

# a program that marks each 5 ms
TICKS=$(printf 'marks 1 wait 5 %.0s' {1..60})

@test "--delay: what is earlier is not recorded" {
	# shellcheck disable=SC2086
	capture -q -y 150ms "$CLIENT" $TICKS marks 1000
	whole
	[ "$(count mark)" -ge 1000 ]
	[ "$(ask 'map(select(.kind == "mark").ts) | min >= 150e6')" = true ]
}

@test "--duration: what is later is not recorded, and the program goes on" {
	# shellcheck disable=SC2086
	capture -q -d 150ms "$CLIENT" marks 1 $TICKS marks 1000
	whole
	[ "$(count mark)" -lt 1000 ]
	[ "$(ask 'map(select(.kind == "mark").ts) | all(. < 150e6)')" = true ]
}

@test "both: a window" {
	# shellcheck disable=SC2086
	capture -q -y 100ms -d 100ms "$CLIENT" $TICKS marks 1000
	whole
	[ "$(ask 'map(select(.kind == "mark").ts) |
	    all(. >= 100e6 and . < 200e6) and length < 1000')" = true ]
}

@test "of a range a duration takes the beginning" {
	# shellcheck disable=SC2086
	capture -q -p "left open" -d 50ms --capture-range-end stop \
	    "$CLIENT" marks 1 push $TICKS
	whole
	[ "$(ask '(map(select(.kind == "range").ts) | .[0]) as $t |
	    map(select(.kind == "mark").ts) |
	    length > 0 and all(. >= $t and . < $t + 50e6)')" = true ]
}

# ---- signals, sessions, keys ----

# what the program marks before, in and after the time that is wanted
VERBS="mark 0 tell a.go await b.go mark 1 tell c.go await d.go mark 2"

# between START STOP: commands that start and stop the capture
between() {
	until_true test -e a.go
	until_true is waiting
	eval "$1"
	until_true is on
	touch b.go
	until_true test -e c.go
	eval "$2"
	until_true is_off
	touch d.go
	wait "$launcher"
	whole x.tq
	[ "$(jq -r 'select(.kind == "mark").name' x.tq | paste -sd ' ')" = 1 ]
}

@test "-c signal: SIGUSR1 starts, SIGUSR2 stops" {
	# shellcheck disable=SC2086
	started -c signal "$ANNOTATE" $VERBS
	between "kill -USR1 $launcher" "kill -USR2 $launcher"
}

@test "a session is started and stopped by its name" {
	# shellcheck disable=SC2086
	started -c signal "$ANNOTATE" $VERBS
	between '[ "$(order start)" = started ]
	    [ "$(order start)" = "already on" ]' '[ "$(order stop)" = stopped ]
	    [ "$(order stop)" = "already off" ]'
	run -125 order status
	[ "$output" = "tq-capture: $session: no such session" ]
}

@test "what runs can be stopped, and started again" {
	# shellcheck disable=SC2086
	started "$ANNOTATE" mark 0 tell a.go await b.go mark 1 tell c.go \
	    await d.go mark 2
	until_true test -e a.go
	order stop
	touch b.go
	until_true test -e c.go
	order start
	touch d.go
	wait "$launcher"
	[ "$(jq -r 'select(.kind == "mark").name' x.tq | paste -sd ' ')" = \
	    "0 2" ]
}

@test "the status tells processes, events and losses" {
	started "$ANNOTATE" times 50 mark 0 tell a.go await b.go
	until_true test -e a.go
	has_all() {
		[ "$(order status)" = "on, 1 processes running of 1, 50 events\
 recorded, 0 lost" ]
	}
	until_true has_all
	touch b.go
	wait "$launcher"
}

@test "two sessions can't have one name" {
	started "$ANNOTATE" tell a.go await b.go
	until_true test -e a.go
	run -125 tq-capture --session "$session" true
	[ "$output" = "tq-capture: session $session: Address already in use" ]
	touch b.go
	wait "$launcher"
}

@test "--hotkey: a key on the terminal starts and stops" {
	local keys

	need script
	mkfifo keys
	script -qec "tq-capture -q --session $session -c signal --hotkey=x \
	    -o x.tq $ANNOTATE $VERBS" /dev/null < keys > /dev/null 2>&1 &
	launcher=$!
	exec {keys}> keys
	between "printf ax >&$keys" "printf xb >&$keys"
	exec {keys}>&-
}

@test "--hotkey without a terminal is trouble" {
	run -125 setsid tq-capture --hotkey true < /dev/null
	[ "$output" = "tq-capture: /dev/tty: No such device or address" ]
}

# ---- CUDA ----

MIXTURE="-n 50 -t 2 -s 3 -c 31 -f 11 -a 10 -g 5 -k 4 -q 5 -N -r"

@test "-c cudaProfilerApi: what was done between Start and Stop" {
	local generation

	need cupti.h
	for generation in $GENERATIONS; do
		# shellcheck disable=SC2086
		storm "$generation" "-c cudaProfilerApi --cuda-memory
		    --capture-range-end stop" $MIXTURE
		whole
		same range kernel memcpy memset runtime graph sync memory \
		    range mark
		[ "$(count kernel)" = 100 ]
		# those of before are defined; a stream that is named later, again
		[ "$(count device) $(count context)" = "1 1" ]
		[ "$(ask 'map(select(.kind == "stream").stream) | unique |
		    length')" = 7 ]
		tq-correlate "$tq" | tail -n 1 | jq -e '.unresolved == 0'
	done
}

@test "by default the program is told to end at cudaProfilerStop" {
	need cupti.h
	run -143 storm 13.0 "-c cudaProfilerApi" -n 10 -r -w 20000
	whole
	[ "$(count kernel)" = 10 ]
}

@test "cudaProfilerStart that never comes is told" {
	need cupti.h
	storm 13.0 "-c cudaProfilerApi" -n 10
	grep -qx "tq-capture: the range to capture never began" "$said"
	[ "$(count kernel)" = 0 ]
}

@test "work belongs to the range of its call, though it runs later" {
	need cupti.h nvToolsExt.h
	FAKECUDA_KERNEL_NS=2000000 storm 13.0 "-p launch
	    --capture-range-end repeat" -n 20 -N
	whole
	same all kernel range
	tq-correlate "$tq" | tail -n 1 | jq -e '.unresolved == 0'
	[ "$(ask '(map(select(.kind == "range") | .ts + .dur) | max) as $last |
	    map(select(.kind == "kernel" and .ts > $last)) | length')" -gt 5 ]
}

@test "-p takes kernels and calls of the range, of each where it repeats" {
	need cupti.h nvToolsExt.h
	storm 13.0 "-p launch --capture-range-end repeat" -n 50 -c 50 -N
	whole
	same all kernel range
	[ "$(count memcpy) $(count mark)" = "0 0" ]
	[ "$(said_of api .name | sort -u)" = cudaLaunchKernel ]
	storm 13.0 "-p launch/3 --capture-range-end stop" -n 50 -c 50 -N
	[ "$(count kernel) $(count api) $(count range)" = "1 1 1" ]
}
