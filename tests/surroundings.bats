#!/usr/bin/env bats
# Signals, the time of day, file systems and users around the programs: outputs
# and recordings stay what they are without, or the failure is named

load helper
load capture

setup() {
	cd "$BATS_TEST_TMPDIR"
	shim=$BUILD/faults/shim.so
}

teardown() {
	! mountpoint -q "$BATS_TEST_TMPDIR/disk" ||
	    umount "$BATS_TEST_TMPDIR/disk"
}

# ---- signals ----

# from_pipe COMMAND ...: its output of a stream that comes bit by bit
from_pipe() {
	{
		head -n 20 "$stream"
		sleep 0.05
		tail -n +21 "$stream"
	} | "$@" | cat
}

@test "signals that interrupt system calls change no output of a tool" {
	need no-sanitizer # which has to be the first library
	local command stream

	stream=$(correlated demo)
	for command in tq-extract 'tq-filter true' 'tq-filter --top 3' \
	    'tq-correlate --gaps' 'tq-stats -q' 'tq-stats -q --approx' \
	    tq-advise 'tq-chrome -q' 'tq-perfetto -q' 'tq-align --points'; do
		# shellcheck disable=SC2086 # words
		from_pipe $command > plain 2> plain.err
		# shellcheck disable=SC2086
		from_pipe env FAULT="${command%% *} storm 200" \
		    LD_PRELOAD="$shim" $command > storm 2> storm.err
		cmp plain storm
		diff plain.err storm.err
	done
}

@test "signals that interrupt system calls change no table" {
	need no-sanitizer
	local stream

	stream=$(correlated demo)
	from_pipe tq-table -o plain 2> plain.err
	from_pipe env FAULT="tq-table storm 200" LD_PRELOAD="$shim" \
	    tq-table -o storm 2> storm.err
	diff -r plain storm
	diff plain.err storm.err
}

@test "tq-capture that is stopped and continues, again and again, loses nothing" {
	local launcher i

	tq-capture -q --buffer 8MiB --counters cpu -o x.tq sh -c '
	    "$1" marks 1000 fork 0 500; touch begun
	    while [ ! -e go ]; do "$1" marks 10 fork 1 10; echo; done > rounds
	    exit 7' sh "$CLIENT" &
	launcher=$!
	until_true test -e begun
	for ((i = 0; i < 200; i++)); do
		kill -STOP "$launcher"
		kill -CONT "$launcher"
	done
	touch go
	ends 7 wait "$launcher"
	whole x.tq
	[ "$(count mark x.tq)" = $((1500 + 20 * $(wc -l < rounds))) ]
	[ "$(dropped x.tq)" = 0 ]
}

# ---- the time of day ----

@test "steps of the time of day change neither times nor the end of a recording" {
	need no-sanitizer
	local by i

	# the first, second or third time that it is asked for is wrong
	for by in 3600 -3600; do
		for i in 1 2 3; do
			FAULT="tq-capture step $by" LD_PRELOAD=$shim \
			    tq-capture -q --counters cpu -o x.tq "$CLIENT" \
			    marks $((1000 * i)) wait 120 pairs 10 2> "$said"
			[ ! -s "$said" ]
			whole x.tq
			[ "$(count mark x.tq)" = $((1000 * i)) ]
			(($(count counter x.tq) > 0))
			# it took less than the step
			[ "$(ask 'map(.ts // 0) | max - min < 3000e9' x.tq)" = \
			    true ]
		done
	done
}

# ---- a full file system ----

# full_disk: the folder disk has a file with something in it, and no room
full_disk() {
	need mount
	mkdir disk
	mount -t tmpfs -o size=64k tmpfs disk 2> none ||
	    skip "mount(8) is not allowed"
	echo "an old file" > disk/out
	cat /dev/zero > disk/filler 2> none || true
	! echo x > disk/x 2> none || { echo "there is room"; return 1; }
	rm -f disk/x
}

@test "on a full file system each tool names the file, and the old one stays" {
	local command

	cp "$(correlated demo)" demo.tq
	tq-filter --redact --key=k true demo.tq > other.tq
	full_disk
	for command in "tq-extract $(demo)" 'tq-filter true demo.tq' \
	    'tq-correlate demo.tq' 'tq-stats demo.tq' \
	    'tq-stats -f html demo.tq' 'tq-stats --partial demo.tq' \
	    'tq-advise demo.tq' 'tq-chrome demo.tq' 'tq-chrome -z demo.tq' \
	    'tq-perfetto demo.tq' 'tq-filter -z true demo.tq' \
	    'tq-diff demo.tq other.tq' 'tq-align --rank=0 demo.tq'; do
		# shellcheck disable=SC2086 # words
		run -1 --separate-stderr $command -o disk/out
		echo "$command: $stderr"
		[[ $stderr = *"${command%% *}: disk/out: No space left on device" ]]
		[ "$(< disk/out)" = "an old file" ]
		[ "$(ls -A disk | xargs)" = "filler out" ]
	done
}

@test "a recording onto a full file system says so, and its program ends as without" {
	full_disk
	run -125 --separate-stderr tq-capture -q -o disk/x.tq sh -c '
	    "$1" marks 9000; touch ended; exit 3' sh "$CLIENT"
	[[ $stderr = *"tq-capture: disk/x.tq: No space left on device"* ]]
	[ -e ended ]
}

# ---- users ----

@test "a program that gives up being root is recorded on, and so are its children" {
	need other-user
	capture -q "$CLIENT" marks 10 user 65534 marks 20 fork 0 30 fork 1 40 \
	    forks 2 50 exec marks 60
	whole
	[ "$(count mark) $(dropped)" = "260 0" ]
}

# set_user_id OWNER: the program other, of that user, with the set-user-ID bit
set_user_id() {
	rm -f other
	cp "$CLIENT" other
	chown "$1" other
	chmod 4755 other
	chmod 711 .
}

@test "a program with the set-user-ID bit is recorded as its callers are" {
	need other-user
	set_user_id 65534
	capture -q sh -c '"$1" marks 10; ./other marks 20 fork 0 30
	    "$1" marks 5; ./other marks 40 kill; exit 3' sh "$CLIENT" || [ $? = 3 ]
	whole
	[ "$(count mark) $(dropped)" = "105 0" ]
}

@test "a program that becomes root is unharmed, and its callers are recorded" {
	need other-user
	set_user_id 0
	setpriv --reuid 65534 --clear-groups "$(type -P tq-capture)" -q sh -c '
	    "$1" marks 10; ./other marks 20 fork 0 30 || exit 4
	    "$1" marks 5; exit 3' sh "$CLIENT" > "$tq" 2> "$said" || [ $? = 3 ]
	whole
	# all, where the file system ignores the bit
	(($(count mark) == 15 || $(count mark) == 65))
	[ "$(dropped)" = 0 ]
}
