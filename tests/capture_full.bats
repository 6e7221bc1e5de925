#!/usr/bin/env bats
# When there is no room, no reader, no disk or no launcher any more: the
# program goes on, and what is lost is counted

load helper
load capture

setup() {
	cd "$BATS_TEST_TMPDIR"
}

teardown() {
	touch "$BATS_TEST_TMPDIR"/{go,done}
	wait
}

# accounted KIND N: the records of that kind, and those lost, are N.
accounted() {
	local n lost

	n=$(count "$1")
	lost=$(lost "$1")
	[[ $((n + lost)) = "$2" ]] ||
	    { echo "$n recorded + $lost lost, not $2"; return 1; }
	[ "$(dropped)" = "$(lost)" ]
}

# slow [OPTION ...] COMMAND ...: as capture, and nobody reads until there is a
# file "done"
slow() {
	[[ -p fifo ]] || mkfifo fifo
	tq-capture -q "$@" > fifo 2> "$said" &
	launcher=$!
	{
		until_true test -e done
		cat
	} < fifo > "$tq"
	wait "$launcher"
}

# ---- no room ----

@test "delivered and lost are what was emitted, however small the buffer" {
	local size

	for size in 256KiB 1MiB 8MiB; do
		capture -q --buffer "$size" "$CLIENT" marks 500000
		whole
		accounted mark 500000
	done
}

# few N COMMAND ...: with so few descriptors, also for the command
few() {
	(ulimit -n "$1" && "${@:2}")
}

@test "processes for which no descriptor is left wait until others end" {
	local n

	for n in 20 24; do
		few $n capture sh -c 'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
		    do "$1" marks 10 wait 200 marks 10 & done; wait' sh "$CLIENT"
		whole
		[ "$(count mark) $(count process) $(count diagnostic)" = "300 15 0" ]
		grep -q ' of 15 processes in ' "$said"
		run ! grep 'not captured' "$said"
	done
}

@test "a process for which there never is a descriptor is named, counted, and 125 with --strict" {
	local strict status=0 refused

	for strict in --live --strict; do
		rm -f ./*.go done
		status=0
		# shellcheck disable=SC2016 # the inner shell is to expand it
		few 20 capture $strict --wait primary sh -c '
		    all="1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"
		    for i in $all; do "$1" mark a tell $i.go await done & done
		    for i in $all; do
		        until [ -e $i.go ]; do sleep 0.01; done
		    done' sh "$ANNOTATE" || status=$?
		touch done
		whole
		refused=$((15 - $(count process)))
		((refused > 1))
		[ $status = "$([[ $strict = --live ]] && echo 0 || echo 125)" ]
		[ "$(count mark)" = "$(count process)" ]
		[ "$(said_of diagnostic .text | sort)" = "$(sed -n \
		    's/^tq-capture: \(.* is not captured: Too many open files\)$/\1/p' \
		    "$said" | sort)" ]
		[ "$(count diagnostic)" = $refused ]
		grep -qx "tq-capture: $refused processes were not captured: their events are lost" \
		    "$said"
	done
}

@test "of ranges the end is never lost without the beginning" {
	capture -q --buffer 256KiB "$CLIENT" pairs 500000
	whole
	accounted range 500000
	[ "$(said_of range 'select(.open)' | wc -l)" = 0 ]
	capture -q --buffer 256KiB "$CLIENT" threads 8 50000
	whole
	accounted range 400000
	capture -q --buffer 256KiB "$CLIENT" ranges 300000
	whole
	accounted range 300000
	capture -q --buffer 256KiB "$CLIENT" nested 20000
	whole
	accounted range 20000
}

@test "threads leave their room to others between two calls, and lose nothing" {
	local buffer

	for buffer in 4MiB 64MiB; do
		capture -q --buffer "$buffer" "$CLIENT" crowd 1500 3
		whole
		[ "$(count mark) $(count range) $(dropped)" = "9000 4500 0" ]
		[ "$(said_of mark .tid | sort | uniq -c |
		    awk '{ print $1 }' | sort -u)" = 6 ]
		[ "$(count thread)" = 1500 ]
	done
}

@test "each process has room of its own, and losses of its own" {
	capture -q --buffer 256KiB "$CLIENT" forks 4 100000
	whole
	accounted mark 400000
	[ "$(ask '[(map(select(.kind == "mark")) | group_by(.pid) |
	    map({(.[0].pid | tostring): length}) | .[]),
	    (map(select(.kind == "lost")) | map({(.pid | tostring): .count}) |
	    .[])] | map(to_entries[]) | group_by(.key) |
	    map(map(.value) | add) | unique')" = "[100000]" ]
}

@test "names that have no room are counted, too" {
	capture -q --buffer 256KiB "$CLIENT" strings 50000
	whole
	[ $(($(count mark) + $(lost mark))) = 50000 ]
	[ "$(dropped)" = "$(lost)" ]
}

@test "a loss says what, how many, of whom and why" {
	capture --buffer 256KiB "$CLIENT" marks 1000000
	[ "$(lost)" -gt 0 ]
	[ "$(ask 'map(select(.kind == "lost")) | all(.what == "mark" and
	    .count > 0 and .pid > 0 and .ts > 0 and .reason == "buffer full")')" \
	    = true ]
	grep -qx "tq-capture: lost: $(lost) of mark (buffer full)" "$said"
}

@test "--on-full block: nothing is lost, and the program waits" {
	# less than a chunk for each thread would not do
	capture -q --on-full block --buffer 1MiB "$CLIENT" marks 500000 \
	    threads 4 50000
	whole
	[ "$(count mark) $(count range) $(dropped)" = "500000 200000 0" ]
	grep '^{"kind":"overhead"' "$tq" | grep -q '"waiting for space"'
}

@test "--on-full spill: what is lost is counted as well" {
	capture -q --on-full spill --buffer 1MiB "$CLIENT" marks 500000
	whole
	accounted mark 500000
	capture -q --on-full spill "$CLIENT" marks 500000
	whole
	accounted mark 500000
}

@test "a range that is open while a million events pass is in its place" {
	capture -q --on-full block "$ANNOTATE" push outer times 1000000 mark a pop
	whole
	[ "$(count mark) $(dropped)" = "1000000 0" ]
	grep -m 1 -E '^{"kind":"(range|mark)"' "$tq" | grep -q '"outer"'
}

# ---- a slow reader, or none ----

@test "a slow reader is not waited for, and what it misses is counted" {
	slow --buffer 256KiB sh -c '"$1" marks 2000000; touch done' sh "$CLIENT"
	whole
	[ "$(count mark)" -gt 1000 ]
	accounted mark 2000000
}

@test "--on-full spill keeps for it what it can" {
	slow --on-full spill sh -c '"$1" marks 1500000; touch done' sh "$CLIENT"
	whole
	accounted mark 1500000
}

@test "--on-full block waits for it" {
	# nobody reads until the client has nothing more to do than to wait
	slow --on-full block --buffer 256KiB sh -c '
	    "$1" marks 100000 fork 0 1400000 &
	    until grep -qF ") S " /proc/$!/stat; do :; done
	    touch done; wait' sh "$CLIENT"
	whole
	grep '^{"kind":"overhead"' "$tq" | grep -q '"waiting for space"'
	[ "$(count mark) $(dropped)" = "1500000 0" ]
}

@test "a reader that leaves: the program runs on, and its status is kept" {
	local status

	set +o pipefail
	tq-capture -q sh -c 'until test -e left; do "$1" marks 1000; done
	    "$1" marks 100000; touch ended; exit 5' sh "$CLIENT" 2> said |
	    { head -n 1 > first; exec < /dev/null; touch left; }
	status=("${PIPESTATUS[@]}")
	[ "${status[0]}" = 5 ]
	[ -e ended ]
	grep -Eqx 'tq-capture: the reader left, which ended the recording: [0-9]+ records were not delivered' said
	grep -q '"trace"' first
}

@test "a reader that leaves is the status, where the program has none of its own" {
	local status

	set +o pipefail
	tq-capture -q sh -c 'until test -e left; do "$1" marks 1000; done
	    "$1" marks 1000' sh "$CLIENT" 2> said |
	    { head -n 1 > first; exec < /dev/null; touch left; }
	status=("${PIPESTATUS[@]}")
	[ "${status[0]}" = 125 ]
	grep -q 'the reader left, .*: [0-9]* records were not delivered$' said
}

@test "nobody is blocked by a reader that left" {
	tq-capture -q --on-full block --buffer 256KiB sh -c '
	    until test -e left; do "$1" marks 1000; done
	    "$1" marks 2000000; touch ended' sh "$CLIENT" |
	    { head -n 1 > /dev/null; exec < /dev/null; touch left; }
	[ -e ended ]
}

# ---- no disk ----

@test "a full disk is told, the program runs on, and the status is 125" {
	run -125 --separate-stderr tq-capture -q -o /dev/full sh -c '
	    "$1" marks 10; touch ended; exit 5' sh "$CLIENT"
	[ "$stderr" = "tq-capture: /dev/full: No space left on device" ]
	[ -e ended ]
	rm ended
	run -125 sh -c 'tq-capture -q "$0" marks 10 tell > /dev/full' "$CLIENT" ||
	    true
	[ "$output" != "" ]
}

@test "so is a file that may not grow" {
	# for tq-capture alone
	run -125 --separate-stderr bash -c 'ulimit -S -f 64
	    tq-capture -q -o x.tq bash -c "ulimit -f unlimited
	        \"\$0\" marks 100000; exit 5" "$0"' "$CLIENT"
	[ "$stderr" = "tq-capture: x.tq: File too large" ]
	run -1 tq-filter 'kind == "mark"' x.tq
	[[ $output = *"stream ends without its end record"* ]]
}

@test "a disk for temporary files that takes none is named itself" {
	# a range that stays open, and more events than memory holds
	TMPDIR=/nonexistent tq-capture -q --buffer 256MiB "$CLIENT" push \
	    marks 1000000 2> "$said" > "$tq" && return 1
	[ "$(< "$said")" = "tq-capture: /nonexistent: No such file or directory" ]
}

@test "--on-full spill: a disk that takes nothing is told, once" {
	local message='--on-full spill: /nonexistent: No such file or directory'

	TMPDIR=/nonexistent tq-capture -q --on-full spill --buffer 256KiB \
	    -o x.tq "$ANNOTATE" tell a.go await b.go times 100000 mark x \
	    tell c.go await d.go 2> "$said" &
	launcher=$!
	until_true test -e a.go
	kill -STOP $launcher # so the buffer is full
	touch b.go
	until_true test -e c.go
	kill -CONT $launcher
	until_true grep -q -e "$message" "$said"
	touch d.go
	wait $launcher
	[ "$(grep -c -e "$message" "$said")" = 1 ]
}

@test "a program whose files may not grow is not recorded, and unharmed" {
	ends 5 capture -q bash -c 'ulimit -f 64; "$0" marks 10; exit 5' "$CLIENT"
	whole
	[ "$(count mark)" = 0 ]
}

@test "where a file can't be put in order, it stays as it is" {
	need mount
	mkdir disk
	mount -t tmpfs -o size=1m tmpfs disk
	run -125 --separate-stderr tq-capture -q -o disk/x.tq "$CLIENT" \
	    marks 9000
	whole disk/x.tq || { umount disk; false; }
	n=$(count mark disk/x.tq)
	slack=$(head -n 1 disk/x.tq | jq .slack)
	umount disk
	[ "$n" = 9000 ]
	[ "$slack" != null ]
	[[ $stderr = *"No space left on device"* ]]
}

# ---- no launcher ----

@test "SIGTERM, SIGINT and SIGHUP are forwarded, and the stream is whole" {
	local pid sig

	for sig in TERM:143 INT:130 HUP:129; do
		rm -f ready
		env --default-signal=INT tq-capture -q -o x.tq "$ANNOTATE" \
		    times 100 mark a tell ready await never &
		pid=$!
		until_true test -e ready
		kill -s "${sig%:*}" "$pid"
		ends "${sig#*:}" wait "$pid"
		whole x.tq
		[ "$(count mark x.tq)" = 100 ]
	done
}

@test "a command that goes on after SIGTERM is captured on" {
	local pid

	tq-capture -q -o x.tq sh -c 'trap ": > go" TERM
	    "$1" mark a tell ready await go mark b & child=$!
	    wait $child; wait $child; exit 7' sh "$ANNOTATE" &
	pid=$!
	until_true test -e ready
	kill -TERM "$pid"
	ends 7 wait "$pid"
	whole x.tq
	[ "$(count mark x.tq)" = 2 ]
}

@test "^C on the terminal comes to the command once" {
	local keys pid

	need script
	mkfifo keys
	cat > trapped <<- 'END'
	trap 'echo INT >> ints' INT
	"$1" mark a tell ready
	until test -e go; do sleep 0.01; done
	"$1" mark b
	exit 7
	END
	# a job of a script ignores SIGINT; the shell of script(1) is to be gone:
	# bash is without a word, dash would end by the signal
	env --default-signal=INT script -qec \
	    "exec tq-capture -q -o x.tq sh trapped $ANNOTATE" /dev/null \
	    < keys > /dev/null 2>&1 &
	pid=$!
	exec {keys}> keys
	until_true test -e ready
	printf '\003' >&"$keys"
	until_true test -s ints
	touch go
	exec {keys}>&-
	ends 7 wait "$pid"
	[ "$(cat ints)" = INT ]
	whole x.tq
	[ "$(count mark x.tq)" = 2 ]
}

@test "a killed launcher leaves a file that is read to its last second" {
	local pid

	tq-capture -q -o x.tq.zst "$ANNOTATE" times 1000 mark a tell ready \
	    await go times 1000 mark b tell ended &
	pid=$!
	has_all() {
		[ "$(zstd -dcq x.tq.zst 2> /dev/null | grep -c '"mark"')" = 1000 ]
	}
	until_true has_all
	kill -KILL "$pid"
	wait "$pid" || true
	touch go
	until_true test -e ended
	has_all
	run -1 --separate-stderr tq-filter 'kind == "mark"' x.tq.zst
	[ "$(grep -c '"kind":"mark"' <<< "$output")" = 1000 ]
	[[ $stderr = *"stream ends without its end record"* ]]
}

@test "a program is not blocked by a launcher that was killed" {
	local pid

	tq-capture -q --on-full block --buffer 256KiB -o x.tq sh -c '
	    "$1" mark a tell ready await go; "$2" marks 2000000
	    "$1" tell ended' sh "$ANNOTATE" "$CLIENT" &
	pid=$!
	until_true test -e ready
	kill -KILL "$pid"
	wait "$pid" || true
	touch go
	until_true test -e ended
}

@test "nor in the middle of its waiting" {
	local pid

	tq-capture -q --on-full block --buffer 256KiB -o x.tq sh -c '
	    "$2" marks 4000000 & echo $! > client; wait
	    "$1" tell ended' sh "$ANNOTATE" "$CLIENT" &
	pid=$!
	until_true grep -qs '"kind":"mark"' x.tq
	kill -STOP "$pid"
	until_true sleeps "$(< client)"
	kill -KILL "$pid"
	wait "$pid" || true
	until_true test -e ended
}

# ---- too dear ----

@test "--max-overhead gives up what costs more, and says so" {
	{
		until_true grep -qs "no more NVTX" said
		touch go
	} &
	capture -t nvtx --max-overhead 0.0001% "$ANNOTATE" \
	    times 1000 mark early await go times 1000 mark late
	whole
	[ "$(said_of mark .name | sort | uniq -c | awk '{ print $1, $2 }')" = \
	    "1000 early" ]
	[ "$(said_of diagnostic '.severity + ": " + .text')" = \
	    "warning: the capture costs more than --max-overhead; no more NVTX" ]
	grep -qE '^tq-capture: the capture takes [0-9.]+ % of the time: no more NVTX$' \
	    said
}

@test "of OS calls it gives up stacks first, then locks, then all" {
	{
		until_true grep -qs "no more OS calls$" said
		touch go
	} &
	capture -t osrt --max-overhead 0.0001% \
	    sh -c 'until [ -e go ]; do sleep .01; done'
	whole
	[ "$(sed -n 's/.* of the time: //p' said)" = "\
no more stacks of OS calls
no more OS calls that take locks
no more OS calls" ]
}
