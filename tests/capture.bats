#!/usr/bin/env bats
# tq-capture runs a command and writes what it does as a stream: its options,
# its status, its files

load helper
load capture

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# ---- the command ----

@test "the stream has standard output, the command writes to standard error" {
	capture sh -c 'echo out; echo err >&2'
	whole
	[ "$(wc -l < "$tq")" = 2 ]
	grep -qx out "$said"
	grep -qx err "$said"
}

@test "with -o the command keeps its standard output, and its input always" {
	run -0 --separate-stderr tq-capture -o x.tq cat <<< "in"
	[ "$output" = in ]
	whole x.tq
	capture -q cat <<< "in"
	[ "$(< "$said")" = in ]
}

@test "the status is that of the command, 128 and more for a signal" {
	capture true
	run -7 capture sh -c 'exit 7'
	run -137 capture sh -c 'kill -KILL $$'
	run -143 capture sh -c 'kill -TERM $$'
	whole
}

@test "127 is a command that is not there, 126 one that can't be run" {
	run -127 --separate-stderr tq-capture -o x.tq /nonexistent
	[ "$stderr" = "tq-capture: /nonexistent: No such file or directory" ]
	[ ! -e x.tq ]
	run -126 --separate-stderr tq-capture -o x.tq "$BATS_TEST_TMPDIR"
	[ "$stderr" = \
	    "tq-capture: $BATS_TEST_TMPDIR: Permission denied" ]
	[ "$output" = "" ]
	[ ! -e x.tq ]
}

@test "a command without its interpreter leaves the file that was there" {
	echo before > x.tq
	printf '#!/nonexistent/sh\n' > script
	chmod +x script
	run -127 --separate-stderr tq-capture -o x.tq ./script
	[ "$stderr" = "tq-capture: ./script: No such file or directory" ]
	[ "$(< x.tq)" = before ]
	echo before | gzip > x.tq.gz
	cp x.tq.gz same.gz
	run -127 tq-capture -o x.tq.gz ./script
	cmp x.tq.gz same.gz
	# and none where there was none
	run -127 tq-capture -o y.tq ./script
	[ ! -e y.tq ]
	# a longer file is cut
	seq 100000 > x.tq
	tq-capture -q -o x.tq true
	[ "$(tail -n 1 x.tq | jq -r .kind)" = end ]
}

@test "125 is trouble of tq-capture itself, and the command is not run" {
	run -125 --separate-stderr tq-capture -o /nonexistent/x touch run
	[ "$stderr" = "tq-capture: /nonexistent/x: No such file or directory" ]
	TQ_CAPTURE_AGENT='' run -125 tq-capture --session
	cp "$BUILD/tq-capture" alone
	run -125 --separate-stderr ./alone touch run
	[ "$stderr" = "alone: libtq-capture.so is neither beside this program\
 nor in ../lib/tq" ]
	[ ! -e run ]
}

@test "125 is also an output that is closed" {
	run -125 sh -c 'tq-capture true >&-'
	[[ $output = "tq-capture: <stdout>: Bad file descriptor"* ]]
	run -0 sh -c 'tq-capture -q -o x.tq true <&- >&- 2>&-'
	whole x.tq
}

@test "a capture that can't begin leaves the file that was there" {
	echo before > x.tq
	run -125 setsid tq-capture --hotkey -o x.tq true < /dev/null
	[ "$(< x.tq)" = before ]
}

@test "what makes no sense is told, with status 125" {
	local options said

	while IFS='|' read -r options said; do
		# shellcheck disable=SC2086 # options
		run -125 tq-capture $options touch run
		[ "$output" = "tq-capture: $said" ]
	done <<- 'END'
	-t foo|--trace foo: expected cuda, nvtx, osrt, python-gil, mpi, nccl or none
	-w some|--show-output some: expected true or false
	--wait some|--wait some: expected all or primary
	-f some|--force-overwrite some: expected true or false
	-n some|--inherit-environment some: expected true or false
	-e A|--env-var A: expected NAME=VALUE
	-e A=1,=2|--env-var A=1,=2: expected NAME=VALUE
	--kill sigfoo|--kill sigfoo: expected none, sigterm, sigkill or the number of a signal
	--kill 4294967305|--kill 4294967305: expected none, sigterm, sigkill or the number of a signal
	--cuda-graph-trace x:y|--cuda-graph-trace x: expected graph or node
	-c nvtx|--capture-range nvtx needs --nvtx-capture
	-c foo|--capture-range foo: expected none, cudaProfilerApi, nvtx or signal
	-p a@|--nvtx-capture a@: expected a domain behind the '@'
	-p a -c signal|--nvtx-capture needs --capture-range nvtx
	-d x|--duration x: expected a time, as in 1.5s or 200ms
	-d 0|--duration 0: expected a duration above 0
	-y -1s|--delay -1s: a duration is not negative
	--split|--split needs --output
	--ranks 1-2|--ranks 1-2: expected numbers, as in 0,2,5
	--buffer 1KiB|--buffer 1KiB: expected a size from 256KiB to 256MiB
	--max-overhead x|--max-overhead x: expected a percentage above 0
	--max-overhead 0|--max-overhead 0: expected a percentage above 0
	--capture-range-end x|--capture-range-end x: expected none, stop, stop-shutdown, repeat, repeat:N or repeat-shutdown:N
	--capture-range-end repeat:0|--capture-range-end repeat:0: expected a number from 1 behind the ':'
	--clock sundial|--clock sundial: expected auto, tsc or monotonic
	--cuda-graph x|--cuda-graph x: expected graph or node
	--on-full x|--on-full x: expected drop, block or spill
	END
	[ ! -e run ]
}

@test "options end at the command; behind -- any word is one" {
	capture -q echo -o x --bad
	[ "$(< "$said")" = "-o x --bad" ]
	mkdir bin
	printf '#!/bin/sh\necho I start\n' > bin/start
	chmod +x bin/start
	PATH=$PWD/bin:$PATH capture -q -- start
	[ "$(< "$said")" = "I start" ]
}

@test "signals, limits and file descriptors are for the command as they were" {
	ulimit -a > plain
	capture -q bash -c 'ulimit -a'
	diff plain "$said"
	ls /proc/self/fd > plain
	capture -q ls /proc/self/fd
	diff plain "$said"
	capture -q grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status
	diff <(classic < "$said") \
	    <(grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status | classic)
}

# ---- what is said ----

@test "at the end it tells records, processes, and what it cost them" {
	capture "$CLIENT" marks 10
	grep -qE "^tq-capture: $(($(wc -l < "$tq") - 1)) records \([0-9.]+ k?B\)\
 of 1 process in [0-9.]+ m?s$" "$said"
	grep -qE '^tq-capture: it cost the programs about .* 10 marks ' "$said"
	run ! grep -q lost "$said"
}

# nothing OPTIONS COMMAND ...: nothing is recorded; print the line that says so,
# up to the options that would have recorded something
nothing() {
	# shellcheck disable=SC2086 # a list of options
	capture $1 "${@:2}"
	sed -n 's/^tq-capture: nothing was recorded: //p' "$said"
}

@test "where nothing was recorded a line says what would have been" {
	local calls=NVTX more="; this build records no CUDA"
	local osrt="-t osrt records OS calls"
	local samples="-s process-tree records where processor time goes"
	local python="--python-sampling=true records stacks of Python programs"
	local library="no call of the C library, as long as --osrt-threshold, in a process with the library"
	if [[ $(mode cuda) = cuda ]]; then
		calls="CUDA or NVTX" more=
	fi
	[ "$(nothing "" true)" = "no call of $calls$more; $osrt, $samples, $python" ]
	[ "$(nothing "-t osrt --osrt-threshold 100s" true)" = "$library; $samples, $python" ]
	[ "$(nothing "-t nvtx" true)" = "no call of NVTX; $osrt, $samples, $python" ]
	[ "$(nothing "-t mpi --python-sampling=true" true)" = "no call of MPI, in a process with the library, no stack of Python; $osrt, $samples" ]
	[ -z "$(nothing "" "$CLIENT" marks 1)" ]
}

@test "where an option or a refusal left events out, the line names that" {
	local calls=NVTX
	if [[ $(mode cuda) = cuda ]]; then
		calls="CUDA or NVTX"
	fi
	more() { # OPTIONS COMMAND ...: up to what this build, or others, record
		nothing "$@" | sed 's/;.*//'
	}
	[ "$(RANK=1 nothing "--ranks 0,8 -t nvtx" "$CLIENT" marks 1)" = \
	    "no call of NVTX in a process of --ranks" ]
	[ "$(more "--nvtx-domain-include foo" "$CLIENT" marks 1)" = \
	    "no call of $calls in a domain of --nvtx-domain-include" ]
	[ "$(more "--nvtx-domain-exclude default" "$CLIENT" marks 1)" = \
	    "no call of $calls outside of --nvtx-domain-exclude" ]
	[ "$(nothing "-t nvtx -y 100" "$CLIENT" marks 1)" = "no call of NVTX after --delay" ]
	[ "$(nothing "" sh -c 'ulimit -v 60000; exec "$1" marks 1' sh "$CLIENT")" = \
	    "1 process was not captured: its events are lost" ]
	run -125 --separate-stderr tq-capture --split -o '%q{NOT}/x.tq' "$CLIENT" marks 1
	[[ ${stderr##*nothing was recorded: } = "1 process was not captured: its events are lost"* ]]
}

@test "what the line names records something of shells, Python and computations" {
	need python3
	local program
	shows_something() { # OPTIONS COMMAND ...
		local line
		line=$(nothing "$1" "${@:2}")
		[[ -z $line ]] || { echo "$*: $line"; return 1; }
	}
	for program in "sleep .01" "bash -c :" python3; do
		# shellcheck disable=SC2086 # a command
		[[ $(nothing "" $program < /dev/null) = *"; -t osrt records "* ]]
		# shellcheck disable=SC2086
		shows_something "-t osrt" $program < /dev/null
	done
	printf '%s\n' 'int main(void) { volatile unsigned long n = 0;' \
	    'while (n < 500000000) n++; return 0; }' > spin.c
	"${CC:-cc}" -o spin spin.c
	[[ $(nothing "-t osrt" ./spin) = *"; -s process-tree records "* ]]
	shows_something "-s process-tree" ./spin
	"${CC:-cc}" -static -o spin spin.c 2> none || skip "no static libc"
	[[ $(nothing "" ./spin) = *"; ./spin is linked statically: no library is loaded; -"* ]]
	program=$(sed -n 's/.* is loaded; \(-[^ ]*\( process-tree\)*\) records.*/\1/p' "$said")
	[[ $program = @(-s process-tree|--counters=cpu) ]]
	shows_something "$program" ./spin
}

@test "-q says nothing, -v tells of each process" {
	capture -q "$CLIENT" marks 1
	[ ! -s "$said" ]
	capture -v "$CLIENT" marks 1 fork 0 1
	[ "$(grep -c "^tq-capture: process [0-9]*: $CLIENT marks 1 fork 0 1\$" \
	    "$said")" = 2 ]
}

# ---- the stream ----

@test "the stream begins with what is recorded, how, and when" {
	local before after

	before=$(date +%s%N)
	capture "$CLIENT" marks 1
	after=$(date +%s%N)
	head -n 1 "$tq" | jq -e --arg host "$(uname -n)" \
	    --arg command "$CLIENT marks 1" --arg mode "$(mode cuda,nvtx)" '
	    .kind == "trace" and .version == 1 and .source == "tq-capture" and
	    .host == $host and .command == $command and .mode == $mode and
	    (.clock == "tsc" or .clock == "monotonic") and .slack == null'
	origin=$(head -n 1 "$tq" | jq -r .origin_utc_ns)
	[[ $before < $origin && $origin < $after ]]
}

@test "times count from the origin" {
	capture "$CLIENT" marks 1 wait 50 marks 1
	ask 'map(select(.kind == "mark").ts) |
	    .[0] >= 0 and .[1] - .[0] >= 50e6 and .[1] < 20e9' | grep -qx true
}

@test "the clock is that of --clock, and tells the same time" {
	capture --clock monotonic "$CLIENT" marks 1 wait 50 marks 1
	[ "$(head -n 1 "$tq" | jq -r .clock)" = monotonic ]
	ask 'map(select(.kind == "mark").ts) |
	    .[0] >= 0 and .[1] - .[0] >= 50e6 and .[1] < 20e9' | grep -qx true
}

# faked COMMAND ...: it runs with a clock_gettime(3) of its own, as libfaketime
# makes one: ten days ago, five times as fast
faked() {
	cat > fake.c <<- 'END'
	#define _GNU_SOURCE
	#include <dlfcn.h>
	#include <time.h>
	int clock_gettime(clockid_t clock, struct timespec *t)
	{
		int (*real)(clockid_t, struct timespec *) =
		    (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
		int r = real(clock, t);
		t->tv_sec = t->tv_sec * 5 - 864000;
		return r;
	}
	END
	${CC:-cc} -w -shared -fPIC -o fake.so fake.c -ldl
	# shellcheck disable=SC2016 # of the inner shell
	capture -q -t osrt,nvtx --clock monotonic sh -c '
	    LD_PRELOAD=$0:$LD_PRELOAD exec "$@"' "$PWD/fake.so" "$@"
}

@test "a program whose clock_gettime(3) is replaced has the times of the kernel" {
	cd "$BATS_TEST_TMPDIR"
	faked "$CLIENT" marks 1 wait 50 marks 1
	whole
	[ "$(count lost)" = 0 ]
	ask 'map(select(.kind == "mark").ts) |
	    .[0] >= 0 and .[1] - .[0] >= 50e6 and .[1] < 20e9' | grep -qx true
	ask 'map(select(.kind == "osrt") | .ts, .ts + .dur) |
	    length > 0 and min >= 0 and max < 20e9' | grep -qx true
}

@test "it is in order of time, the longer range first" {
	capture "$CLIENT" nested 100 threads 4 500 ranges 50 marks 10
	whole
	[ "$(count range)" = 2150 ]
	ask '[.[] | select(.kind == "range")] | . == sort_by(.ts, -.dur)' |
	    grep -qx true
}

@test "a definition stands before what uses it" {
	capture "$CLIENT" threads 4 50 fork 0 10
	awk -F '[:,]' '
	/^{"kind":"process"/ { process[$4] = 1 }
	/^{"kind":"thread"/ { thread[$4, $6] = 1 }
	/^{"kind":"(range|mark)"/ {
		match($0, /"pid":[0-9]+,"tid":[0-9]+/)
		split(substr($0, RSTART, RLENGTH), id, /[:,]/)
		bad += !(id[2] in process) || !((id[2], id[4]) in thread)
		n++
	}
	END { exit bad || n != 211 }' "$tq"
}

@test "-t says what is recorded" {
	capture -t nvtx "$CLIENT" marks 3
	[ "$(count mark)" = 3 ]
	[ "$(head -n 1 "$tq" | jq -r .mode)" = nvtx ]
	capture -t cuda "$CLIENT" marks 3
	[ "$(count mark)" = 0 ]
	[ "$(head -n 1 "$tq" | jq -r .mode)" = "$(mode cuda)" ]
	capture -t none "$CLIENT" marks 3
	[ "$(count mark)" = 0 ]
	[ "$(head -n 1 "$tq" | jq -r .mode)" = none ]
	capture -t nvtx,cuda "$CLIENT" marks 3
	[ "$(count mark)" = 3 ]
	whole
}

@test "what it cost is in the stream, for each process" {
	capture "$CLIENT" marks 30 pairs 20
	grep '^{"kind":"overhead"' "$tq" | jq -se '
	    map({(.what): .args.events}) | add ==
	    {"ranges": 20, "marks": 30}'
	grep '^{"kind":"overhead"' "$tq" |
	    jq -se 'all(.args.spent_ns > 0 and .name == "tq-capture")'
}

# ---- files ----

@test "a file is in order when the command has ended" {
	tq-capture -q -o x.tq "$CLIENT" nested 50 pairs 50
	[ "$(head -n 1 x.tq | jq .slack)" = null ]
	whole x.tq
	[ "$(count range x.tq)" = 100 ]
}

@test "--live writes each event at once, and says that they are in no order" {
	capture --live "$CLIENT" nested 50 pairs 50
	[ "$(head -n 1 "$tq" | jq .slack)" -gt 0 ]
	whole
	[ "$(count range)" = 100 ]
}

@test "a file that is there is replaced" {
	printf 'a line that is long\n%.0s' {1..100} > x.tq
	tq-capture -q -o x.tq true
	[ "$(wc -l < x.tq)" = 2 ]
	whole x.tq
}

@test "-z and the name of the file compress" {
	tq-capture -q -o x.tq.zst "$CLIENT" marks 10
	tq-capture -q -z -o x.tq "$CLIENT" marks 10
	capture -z "$CLIENT" marks 10
	for tq in x.tq.zst x.tq capture.tq; do
		zstd -dcq < "$tq" > plain
		whole plain
		[ "$(count mark plain)" = 10 ]
	done
}

@test "the name of the file has the host, the process and variables in it" {
	OF=gold RANK=3 tq-capture -q -o '%h-%q{OF}-%q{NOT}-%{rank}-%%-%x' true
	whole "$(uname -n)-gold--3-%-%x"
	tq-capture -q -o 'p%p' sh -c 'echo $PPID > parent'
	whole "p$(< parent)"
}

@test "--split: each process has a file of its own, and all are whole" {
	local f

	RANK=5 tq-capture -q --split -o '%{rank}-%p.tq' \
	    "$CLIENT" marks 3 fork 0 7 fork 1 7
	[ "$(ls -- 5-*.tq | wc -l)" = 3 ]
	for f in 5-*.tq; do
		whole "$f"
		[ "$(count process "$f")" = 1 ]
		[ "$(head -n 1 "$f" | jq .rank)" = 5 ]
		[ "5-$(jq -rs 'map(.pid // empty) | unique | join(" ")' \
		    "$f").tq" = "$f" ]
	done
	[ "$(cat -- 5-*.tq | grep -c '^{"kind":"mark"')" = 17 ]
}

@test "--split: variables are those of each process; who shares shares" {
	tq-capture -q --split -o '%q{OF}.tq' sh -c '
	    OF=gold "$1" marks 1; OF=tin "$1" marks 2; OF=tin "$1" marks 4' \
	    sh "$CLIENT"
	whole gold.tq
	whole tin.tq
	[ "$(count mark gold.tq) $(count mark tin.tq)" = "1 6" ]
	[ "$(count process tin.tq)" = 2 ]
}

@test "--split: a file that no process can have is 125 before the command runs" {
	run -125 --separate-stderr tq-capture --split -o 'nodir/%{rank}.tq.zst' \
	    touch run
	[ "$stderr" = "tq-capture: nodir/%{rank}.tq.zst: No such file or directory" ]
	: > file
	run -125 --separate-stderr tq-capture --split -o 'file/100%%-%p.tq' touch run
	[ "$stderr" = "tq-capture: file/100%%-%p.tq: Not a directory" ]
	echo before > e.tq
	run -125 --separate-stderr tq-capture -f false --split -o e.tq touch run
	[ "$stderr" = "tq-capture: e.tq: File exists" ]
	[ "$(< e.tq)" = before ]
	[ ! -e run ]
}

@test "--split: a file that one process can't have is 125 when the command has ended" {
	mkdir there
	run -125 --separate-stderr tq-capture --split -o '%q{OF}/x.tq' sh -c '
	    OF=there "$1" marks 3; OF=nodir "$1" marks 4; exit 3' sh "$CLIENT"
	whole there/x.tq
	[ "$(count mark there/x.tq)" = 3 ]
	[[ $stderr = "tq-capture: nodir/x.tq: No such file or directory"$'\n'"tq-capture: process "+([0-9])" is not captured: no output for it"$'\n'* ]]
}

# ---- ranks ----

@test "ranks are known by the variables of those that start them" {
	local name

	for name in RANK SLURM_PROCID OMPI_COMM_WORLD_RANK PMI_RANK PMIX_RANK; do
		capture env "$name=12" "$CLIENT" marks 1
		[ "$(ask 'map(select(.kind == "process").rank) | .[0]')" = 12 ]
	done
	capture "$CLIENT" marks 1
	[ "$(ask 'map(select(.kind == "process").rank) | .[0]')" = null ]
}

@test "--ranks: only those are recorded" {
	capture --ranks 0,8 sh -c '
	    for i in 0 1 7 8 80; do RANK=$i "$1" marks $((i + 1)); done
	    "$1" marks 1000' sh "$CLIENT"
	whole
	[ "$(count process) $(count mark)" = "2 10" ]
}

# ---- other tools ----

@test "what is captured goes through a pipeline" {
	tq-capture -q "$CLIENT" nested 5 registered 3 marks 2 | tq-correlate |
	    tq-chrome -q -o trace.json
	[ "$(jq '[.traceEvents[] | select(.ph == "X")] | length' \
	    trace.json)" -ge 8 ]
	tq-capture -q "$CLIENT" pairs 10 | tq-stats -r nvtx_sum -f csv > sum
	grep -q 'a range' sum
	tq-capture -q -o x.tq.zst "$CLIENT" pairs 10
	[ "$(tq-filter 'kind == "range"' x.tq.zst | grep -c '"range"')" = 10 ]
}

@test "a reader that leaves early does no harm" {
	{ tq-capture -q "$CLIENT" pairs 1000 || [ $? = 125 ]; } |
	    head -n 1 | grep -q '"trace"'
}

@test "under itself it records what the inner one does not take" {
	capture tq-capture -q -o inner.tq "$CLIENT" marks 5
	whole
	whole inner.tq
	[ "$(count mark inner.tq)" = 5 ]
}
