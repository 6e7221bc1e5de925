#!/usr/bin/env bats
# tq: the tools by their short names, and tq view.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	cp "$(demo)" 'a run.sqlite'
}

teardown() {
	if [[ -n ${server:-} ]]; then
		kill "$server" 2> /dev/null || true
	fi
}

@test "a command is the tool of that name, with its arguments and its status" {
	tq-extract 'a run.sqlite' > a.tq
	tq filter 'kind == "kernel"' a.tq > got
	tq-filter 'kind == "kernel"' a.tq | cmp - got
	run -2 tq filter 'kind = "kernel"' a.tq
	run -125 tq capture --no-such-option
}

@test "an export goes through tq-extract, and where launches matter through tq-correlate" {
	tq stats -r cuda_kern_exec_sum,nvtx_gpu_proj_sum 'a run.sqlite' > got
	tq-extract 'a run.sqlite' | tq-correlate |
	    tq-stats -r cuda_kern_exec_sum,nvtx_gpu_proj_sum | cmp - got
	tq filter 'dur > 1us' 'a run.sqlite' > got 2> /dev/null
	tq-extract 'a run.sqlite' | tq-filter 'dur > 1us' 2> /dev/null |
	    cmp - got
	tq correlate 'a run.sqlite' > got
	tq-extract 'a run.sqlite' | tq-correlate | cmp - got
}

@test "each export that is compared goes through both on its own" {
	tq-extract 'a run.sqlite' | tq-correlate > a.tq
	sqlite3 'a run.sqlite' 'UPDATE CUPTI_ACTIVITY_KIND_KERNEL
	    SET end = end + 1000; UPDATE TARGET_INFO_SESSION_START_TIME
	    SET utcEpochNs = utcEpochNs + 1'
	tq-extract 'a run.sqlite' | tq-correlate > b.tq
	tq-diff a.tq b.tq > expected
	tq diff a.tq 'a run.sqlite' | cmp - expected
	cp "$(demo)" before.sqlite
	tq diff before.sqlite 'a run.sqlite' | cmp - expected
	tq diff --fail-if 'launches > 0' -o out before.sqlite : 'a run.sqlite' a.tq
	run -3 tq diff --fail-if 'launches < 0' --fail-if 'lost < 1' before.sqlite 'a run.sqlite'
	run -2 tq diff before.sqlite
	# nor does an export that cannot be read pass
	head -c 30000 'a run.sqlite' > cut.sqlite
	run -1 tq diff before.sqlite cut.sqlite
}

@test "what a pipe is of, tq alone says: variables of the user name no input" {
	files() { jq -c .file; }
	tq extract 'a run.sqlite' > demo.tq
	export TQ_RECORDINGS=other.sqlite TQ_FEED_0=other.sqlite
	for fd in {3..20}; do export TQ_FEED_$fd=other.sqlite TQ_RECORDINGS_$fd=other.sqlite; done
	run -0 files < <(tq-stats -q -f json -r cuda_api_sum < <(cat demo.tq))
	[[ $output = '[]' ]]
	run -0 files < <(tq-diff -f json <(cat demo.tq) demo.tq)
	[[ $output != *other* && $output = '["/dev/fd/'*',"demo.tq"]' ]]
	run -0 files < <(tq stats -q -f json -r cuda_api_sum 'a run.sqlite')
	[[ $output = '["a run.sqlite"]' ]]
	run -0 files < <(tq diff -f json 'a run.sqlite' 'a run.sqlite')
	[[ $output = '["a run.sqlite","a run.sqlite"]' ]]
	run -0 tq stats -r next -f csv 'a run.sqlite'
	[[ $output = *"'a run.sqlite'"* && $output != *other.sqlite* ]]
	# a program that a tool starts reads another pipe
	run -0 env TQ_PAGER='sh -c "cat demo.tq | tq-stats -q -f json -r cuda_api_sum > inner; cat > /dev/null"' \
	    script -qec "tq stats 'a run.sqlite'" log < /dev/null
	run -0 files < inner
	[[ $output = '[]' ]]
}

@test "exports that stand next to each other are one stream" {
	cp 'a run.sqlite' b.sqlite
	tq stats 'a run.sqlite' b.sqlite -r cuda_gpu_kern_sum > got
	tq-extract 'a run.sqlite' b.sqlite | tq-correlate |
	    tq-stats -r cuda_gpu_kern_sum | cmp - got
	tq-extract b.sqlite > b.tq
	run -2 tq stats 'a run.sqlite' b.tq b.sqlite
	[[ $output = *'exports have to stand next to each other' ]]
}

@test "a file that is to be written is no operand" {
	cp 'a run.sqlite' out
	tq stats -o out 'a run.sqlite' -r cuda_gpu_kern_sum
	grep -q 'CUDA GPU Kernel Summary' out
}

@test "a closed stdin, stdout or stderr is no pipe between the tools" {
	cp 'a run.sqlite' b.sqlite
	for command in 'stats a.sqlite' 'stats a.sqlite b.sqlite' \
	    'advise a.sqlite' 'diff a.sqlite b.sqlite' 'correlate a.sqlite' \
	    'filter true a.sqlite' 'chrome a.sqlite' 'perfetto a.sqlite'; do
		cp b.sqlite a.sqlite
		tq $command > expected 2> /dev/null
		for closed in '<&-' '2>&-' '<&- 2>&-'; do
			bash -c "tq $command $closed > got"
			cmp expected got
		done
		for closed in '>&-' '<&- >&-'; do
			run -1 bash -c "tq $command $closed"
			[[ $output = "tq-${command%% *}: <stdout>: "`
			    `"Bad file descriptor" ]]
		done
	done
	bash -c 'tq view a.sqlite <&- 2>&-' | grep -qx '    tq view --serve a.pftrace'
	run -1 bash -c 'tq view a.sqlite >&-'
	[ "$output" = "tq: <stdout>: Bad file descriptor" ]
}

@test "behind -- a name that begins with a dash is an operand" {
	mkdir dashes && cd dashes
	cp '../a run.sqlite' -- -o.sqlite
	cp '../a run.sqlite' -- -x.sqlite
	cp '../a run.sqlite' x.sqlite
	cp '../a run.sqlite' abcdef.sqlite # as long as ./'-o.sqlite'
	for command in stats advise correlate 'filter true' chrome perfetto extract; do
		tq $command abcdef.sqlite > expected 2> /dev/null
		tq $command -- -o.sqlite > got 2> /dev/null
		# the page and its commands have the name of the file
		sed "s/\.\/'-o\.sqlite'/abcdef.sqlite/g; s/-o\.sqlite/abcdef.sqlite/" got |
		    cmp expected -
	done
	cp x.sqlite y.sqlite
	tq diff x.sqlite y.sqlite > expected
	tq diff -- -o.sqlite -x.sqlite |
	    sed 's/-o\.sqlite/x.sqlite/; s/-x\.sqlite/y.sqlite/' | cmp expected -
	tq align -- -o.sqlite -x.sqlite > got 2> /dev/null
	tq align x.sqlite x.sqlite 2> /dev/null | cmp got -
	tq stats -r run x.sqlite -- -o.sqlite > got
	! cmp -s got <(tq stats x.sqlite -r run) || return 1
	tq view -- -o.sqlite > said
	[[ -s ./-o.pftrace ]]
	grep -qx "    tq view --serve ./'-o.pftrace'" said
}

@test "an output is known by all spellings of its option" {
	cp 'a run.sqlite' in.sqlite
	for option in '-o in.sqlite' -oin.sqlite '-qo in.sqlite' -vqoin.sqlite \
	    --output=in.sqlite '--outp in.sqlite' --outpu=in.sqlite; do
		run -2 tq stats $option in.sqlite
		[ "$output" = "tq: input and output are the same file: in.sqlite" ]
		cmp in.sqlite 'a run.sqlite'
	done
	# behind -- it is none
	run -1 tq stats -- in.sqlite -o
	[ "$output" = "tq-stats: -o: No such file or directory" ]
}

@test "an export that cannot be read fails, though the stages behind it do not" {
	head -c 30000 'a run.sqlite' > cut.sqlite
	run -1 tq correlate cut.sqlite
	# a reader that left is no failure of its writers
	bash -o pipefail -c 'tq correlate "a run.sqlite" | head -n 1' |
	    grep '"kind":"trace"'
}

@test "a command that there is not is answered with those that were meant" {
	run -2 tq stat x
	[[ $output = "tq: no command is named 'stat': did you mean stats?" ]]
	run -2 tq xyzzy
	[[ $output = "tq: no command is named 'xyzzy' (extract, correlate, "*', help)' ]]
	run -2 tq
	[[ $output = 'usage: tq '*'  stats '* ]]
}

@test "words of other suites lead to the commands that do the same" {
	run -2 tq export x
	[[ $output = "tq: no command is named 'export': did you mean extract or view?" ]]
	run -2 tq analyze
	[[ $output = "tq: no command is named 'analyze': did you mean advise?" ]]
	run -2 tq profile ./train
	[[ $output = "tq: no command is named 'profile': did you mean capture?" ]]
}

@test "tq FILE is tq stats FILE" {
	tq 'a run.sqlite' > short
	tq stats 'a run.sqlite' | cmp - short
	cp 'a run.sqlite' stat
	run -2 tq stats.sqlite
	[[ $output = "tq: no command is named 'stats.sqlite'"* ]]
}

@test "tq --help says what to start with, and lists the commands" {
	tq --help > help
	grep -x '    tq stats FILE' help
	# each question has a command that there is
	cp 'a run.sqlite' FILE
	grep '^    tq .*?$' help | sed 's/^ *//; s/  .*//' | grep -v 'tq diff\|tq view' > asked
	(($(wc -l < asked) >= 4))
	while read -r command; do
		run -0 sh -c "$command" < /dev/null
		[[ -n $output ]]
	done < asked
	for command in $(tq --list | awk '{ print $1 }'); do
		grep "^  $command " help
	done
	tq -h | cmp - help
}

@test "tq help shows what --help shows where no manual is" {
	mkdir empty bin
	cp "$(command -v tq)" "$(command -v tq-stats)" bin
	MANPATH=$PWD/empty bin/tq help stats > got
	tq-stats --help | cmp - got
	MANPATH=$PWD/empty bin/tq help tq | grep -x '    tq stats FILE'
}

@test "a recording comes through a pipe, or as standard input, as from a file" {
	tq stats -q -r cuda_api_sum 'a run.sqlite' > want
	cat 'a run.sqlite' | tq stats -q -r cuda_api_sum | cmp - want
	cat 'a run.sqlite' | tq stats -q -r cuda_api_sum - | cmp - want
	tq stats -q -r cuda_api_sum < 'a run.sqlite' | cmp - want
	zstd -c 'a run.sqlite' | tq stats -q -r cuda_api_sum | cmp - want
	gzip -c 'a run.sqlite' | tq stats -q -r cuda_api_sum | cmp - want
	# a writer that is slow
	{
		head -c 3 'a run.sqlite'
		sleep 0.2
		tail -c +4 'a run.sqlite'
	} | tq stats -q -r cuda_api_sum | cmp - want
	tq filter -k kernel 'dur > 0' 'a run.sqlite' > want
	cat 'a run.sqlite' | tq filter -k kernel 'dur > 0' | cmp - want
	# a stream is left as it is
	tq extract 'a run.sqlite' | tq stats -q -r cuda_api_sum > got
	tq stats -q -r cuda_api_sum 'a run.sqlite' | cmp - got
	# not onto itself
	cp 'a run.sqlite' own.sqlite
	run -2 tq stats -o own.sqlite < own.sqlite
	[[ $output = *'input and output are the same file'* ]]
	cmp own.sqlite 'a run.sqlite'
	# whose commands have no file to name
	cat 'a run.sqlite' | tq stats > page
	! grep -F '<stdin>' page || return 1
	# they are for a recording, too
	grep -q '^tq stats -f html -o page.html FILE ' page
	! grep -E '(^|[|$] )tq-' page || return 1
	tq extract 'a run.sqlite' | tq stats | grep -q '^tq-stats -f html -o page.html FILE '
}

@test "what tq-extract recognises, tq recognises: text of perf, folded stacks, through any pipe" {
	printf 'main;f;g 3\nmain;h 2\n' > folded.txt
	tq extract folded.txt | tq-stats -r functions -f csv > want
	tq stats -r functions -f csv folded.txt | cmp - want
	tq stats -r functions -f csv < folded.txt | cmp - want
	cat folded.txt | tq stats -r functions -f csv | cmp - want
	gzip -k folded.txt
	tq stats -q -r functions -f csv folded.txt.gz | cmp - want
	[[ $(tq diff folded.txt folded.txt) = *'the same recording twice'* ]]
	# one sentence for what is none, whoever reads it
	echo hello > none.txt
	echo '# Title' > README.md
	printf '\x89PNG\r\n' > picture.png
	: > empty
	mkdir folder
	for command in stats advise info view chrome perfetto correlate 'filter dur>1'; do
		for file in none.txt README.md; do
			run -1 tq $command $file
			[[ $output = "tq-extract: $file: is text, but no recording that tq reads: 'tq-extract --list-sources' lists these" ]]
		done
		run -1 tq $command picture.png
		[[ $output = 'tq-extract: picture.png: is a picture, no recording' ]]
		run -1 tq $command empty
		[[ $output = 'tq-extract: empty: is empty' ]]
		run -1 tq $command folder
		[[ $output = 'tq: folder: '@('no recording is in this folder'|'is a folder: give one recording of it') ]]
		run -1 tq $command missing
		[[ ${lines[-1]} = @(tq|tq-*)': missing: No such file or directory' || $command = chrome ]]
	done
	# the value of an option is no recording
	cp folded.txt Name
	[[ $(tq stats -r cuda_gpu_kern_sum --sort Name -f csv 'a run.sqlite' | wc -l) -gt 3 ]]
	if [[ -e $DATA/other/perf/perf-cycles-instructions-01.txt.zst ]]; then
		run -0 tq stats "$DATA/other/perf/perf-cycles-instructions-01.txt.zst"
		[[ $output = *FUNCTIONS* ]]
	fi
}

@test "behind an option without a value a file is a recording, whatever it has; tq knows these options" {
	printf 'main;f;g 3\nmain;h 2\n' > folded.txt
	tq extract folded.txt | tq-chrome --no-flows > want
	tq chrome --no-flows folded.txt | cmp - want
	tq-extract folded.txt | tq-correlate --gaps > want
	tq correlate --gaps folded.txt | cmp - want
	sed -n '/long_flags\[\] = {/,/};/p' "$top/cmd/tq/arguments.c" |
	    grep -o '"[^"]*"' | tr -d '"' | sort > known
	# of the tools that read recordings, but for what has a value in one
	for tool in advise align chrome correlate diff extract filter perfetto stats table; do
		"tq-$tool" --help
	done | sed -nE 's/^ +(-[a-zA-Z], )?--([a-z-]+)(.?)(.?).*/\2 \3\4/p' |
	    awk '{ value[$1] += $2 != "" } END {
		for (name in value) if (!value[name]) print name }' |
	    sort > want
	diff known want
}

@test "a file that is not there is an error, also where standard input is a pipe" {
	mkfifo pipe
	exec 9<> pipe # which nobody writes to
	run -1 timeout 10 tq stats not-there.sqlite < pipe
	exec 9>&-
	[[ $output = 'tq-stats: not-there.sqlite: No such file or directory' ]]
}

@test "a folder stands for the recordings in it" {
	mkdir job none
	cp 'a run.sqlite' job/b.sqlite
	cp 'a run.sqlite' 'job/a run.sqlite'
	tq extract 'a run.sqlite' > job/c.tq
	echo '{}' > job/package.json
	echo text > job/notes
	cp 'a run.sqlite' job/.hidden.sqlite
	tq stats -r cuda_api_sum 'job/a run.sqlite' job/b.sqlite job/c.tq > want
	tq stats -r cuda_api_sum job | cmp - want
	tq stats -r cuda_api_sum job/ | cmp - want
	run -1 tq stats none
	[[ $output = 'tq: none: no recording is in this folder' ]]
	# the value of an option is none
	mkdir cuda_api_sum
	tq stats -r cuda_api_sum job | cmp - want
}

# ranks: recordings of a job in ranks/, each with its own clock
ranks() {
	mkdir ranks
	"$BUILD/ranks" ranks ranks=3 ops=100 work=2 straggler=1 late=30
	rm ranks/truth
}

@test "recordings of several ranks are brought onto one clock" {
	ranks
	run -0 tq -x stats ranks
	[[ $output = "tq-align --auto -- ranks/rank-0.tq ranks/rank-1.tq ranks/rank-2.tq | tq-stats" ]]
	run -0 tq -x stats -r stragglers ranks/rank-0.tq 'a run.sqlite' ranks/rank-2.tq
	[[ $output = "tq-extract "*" -- 'a run.sqlite' | tq-correlate "*" | tq-align --auto -- ranks/rank-0.tq - ranks/rank-2.tq | tq-stats -r stragglers" ]]
	run -0 tq -x stats -r stragglers 'a run.sqlite' 'a run.sqlite'
	[[ $output = *" | tq-correlate "*" | tq-align --auto | tq-stats -r stragglers" ]]
	for tool in advise chrome perfetto table; do
		run -0 tq -x $tool -o out ranks/rank-0.tq ranks/rank-1.tq
		[[ $output = "tq-align --auto -- ranks/rank-0.tq ranks/rank-1.tq | tq-$tool -o out" ]]
	done
	# where clocks do not matter
	for words in "-r cuda_gpu_kern_sum,hist ranks" "-r run ranks" ranks/rank-0.tq \
	    "--merge ranks/rank-0.tq ranks/rank-1.tq" "--partial ranks"; do
		# shellcheck disable=SC2086 # words
		run -0 tq -x stats $words
		[[ $output = tq-stats* ]]
	done
	run -0 tq -x stats ranks/rank-0.tq - < ranks/rank-1.tq
	[[ $output = "tq-align --auto -- ranks/rank-0.tq - | tq-stats" ]]
	tq-align ranks/*.tq | tq-stats -q -r stragglers,gaps > want
	cat ranks/rank-2.tq | tq stats -q -r stragglers,gaps ranks/rank-[01].tq - | cmp - want
	tq stats -q -r stragglers,gaps ranks | cmp - want
	grep -q compute want
	tq-align ranks/*.tq | tq-chrome > want
	tq chrome ranks | cmp - want
}

@test "an output is none of the recordings that are brought onto one clock" {
	ranks
	cp ranks/rank-1.tq kept
	run -2 tq stats -o ranks/rank-1.tq ranks
	[[ $output = *"input and output are the same file: ranks/rank-1.tq" ]]
	run -2 tq chrome ranks/rank-0.tq -o ranks/rank-1.tq ranks/rank-1.tq
	cmp kept ranks/rank-1.tq
}

@test "a page of ranks has commands that bring them onto one clock, too" {
	ranks
	tq stats ranks > page
	grep -q '^RANKS  of 3 ranks; clocks wrong by at most ' page
	grep -q 'The others wait for rank 1' page
	run -0 sh -c "$(awk '/^ *\$ tq stats -r stragglers/ { more = 1 }
	    more { sub(/^ *\$ /, ""); print; more = /\\$/ }' page)"
	[[ $output = *"Which Ranks the Others Wait for"*compute* ]]
	[[ $(grep -c '^ *\$ ' page) -gt 1 ]]
	run ! grep '^ *\$ tq-' page
}

@test "recordings that are no ranks of one job are read as they are" {
	ranks
	cp ranks/rank-1.tq ranks/rank-3.tq
	tq-stats -q -r gaps,cuda_gpu_trace ranks/*.tq > want
	tq stats -q -r gaps,cuda_gpu_trace ranks | cmp - want
	run -0 --separate-stderr tq stats ranks
	[[ $stderr = "" && $output != *RANKS* ]]
}

@test "parts are merged by tq stats as by tq-stats" {
	tq stats --partial -r cuda_gpu_kern_sum 'a run.sqlite' > part
	tq stats --merge part part > got
	tq-stats --merge part part | cmp - got
	grep -q 'Instances' got
	tq stats --partial -r account 'a run.sqlite' > account
	tq diff account account > got
	tq-diff account account | cmp - got
}

@test "a program in PATH whose name begins with tq- is a command" {
	mkdir bin
	printf '#!/bin/sh\necho own "$@"\nexit 3\n' > bin/tq-own
	chmod +x bin/tq-own
	PATH=$PATH:$PWD/bin run -3 tq own 1 '2 3'
	[[ $output = 'own 1 2 3' ]]
}

@test "tq --list names every tool that was built" {
	tq --list | awk '{ print "tq-" $1 }' | grep -vxE 'tq-(help|info|view|fleet)' |
	    sort > listed
	tools | sort | diff - listed
}

@test "tq help shows the manual" {
	if ! type man > /dev/null 2>&1; then
		skip 'man is not here'
	fi
	# where the programs were built may be far from the sources
	mkdir -p man/man1
	cp "$top"/man/*.1 man/man1
	export MANPATH=$PWD/man
	MANPAGER=cat tq help stats | grep -i '^NAME'
	MANPAGER=cat tq help tq-stats | grep 'tq-stats'
	# without a command it lists them
	tq help | diff - <(tq --help | sed -n '/^Start with/,$p')
	run -2 tq help stat
}

# unmarked FILE: a trace of tq view without its first packet, which is its mark
unmarked() {
	tail -c +$((3 + $(od -An -tu1 -j1 -N1 "$1"))) "$1"
}

@test "tq view makes the trace beside the recording, and says how to open it" {
	tq view 'a run.sqlite' > said 2> /dev/null
	tq-extract 'a run.sqlite' | tq-correlate | tq-perfetto 2> /dev/null |
	    cmp - <(unmarked 'a run.pftrace')
	grep -x 'a run.pftrace: [0-9]* bytes' said
	grep -xF "    tq view --serve 'a run.pftrace'" said
	tq-extract 'a run.sqlite' | zstd > b.tq.zst
	tq view --json b.tq.zst 2> /dev/null | grep chrome://tracing
	jq -e '.traceEvents | length > 0' b.json > /dev/null
}

@test "tq help with an output that takes nothing is an error" {
	for command in stats tq fleet; do
		run -1 bash -c "tq help $command > /dev/full"
		[[ $output = tq*": <stdout>: No space left on device" ]]
	done
}

@test "tq view -o - writes the trace alone, and --serve refuses that" {
	tq view -o trace 'a run.sqlite' > /dev/null 2>&1
	run -0 --separate-stderr bash -c 'tq view -o - "a run.sqlite" > got'
	cmp <(unmarked trace) <(unmarked got)
	[[ ! $stderr && ! -e ./- ]]
	run -2 tq view --serve -o - 'a run.sqlite'
	[[ $output = "tq: --output -: --serve needs a file" ]]
}

@test "tq view prints the command for the page and the port it was given" {
	tq view --page 'http://localhost:10000/a b' --port 9002 -o x.pftrace 'a run.sqlite' > said 2> /dev/null
	grep -qxF "    tq view --serve --page 'http://localhost:10000/a b' --port 9002 x.pftrace" said
	for serve in "" --serve; do
		run -2 tq view $serve --page foo -o y.pftrace 'a run.sqlite'
		[[ $output = "tq: --page: not a URL: 'foo'" ]]
	done
	[[ ! -e y.pftrace ]]
}

# shown OPTION FILE: the range in the trace that tq view says to open
shown() {
	tq view "$@" > said 2> /dev/null
	file=$(sed -n '1s/: [0-9]* bytes$//p' said)
	strings -n 3 "$file" | grep -o -m 1 'from_[a-z]*'
}

@test "tq view shows the recording, whatever trace is there of another one" {
	need strings
	for name in one two three; do
		stream '{"kind":"range","ts":1,"dur":2,"pid":1,"tid":1,"name":"from_'$name'"}' \
		    > $name.tq
	done
	zstd -q two.tq -o run.tq.zst
	gzip -c three.tq > run.gz
	for json in '' --json; do
		cp one.tq run.tq
		for round in 1 2; do
			[[ $(shown $json run.tq) = from_one ]]
			[[ $(shown $json run.tq.zst) = from_two ]]
			[[ $(shown $json run.gz) = from_three ]]
		done
		# in the same second, and an older one
		cp one.tq run.tq
		[[ $(shown $json run.tq) = from_one ]]
		cp two.tq run.tq
		[[ $(shown $json run.tq) = from_two ]]
		touch -d '2 days ago' three.tq
		cp -p three.tq run.tq
		[[ $(shown $json run.tq) = from_three ]]
	done
}

@test "tq view makes no trace twice of a recording that is as it was" {
	for json in '' --json; do
		tq view $json 'a run.sqlite' > said 2> /dev/null
		file=$(sed -n '1s/: [0-9]* bytes$//p' said)
		before=$(stat -c %i.%y "$file")
		tq view $json 'a run.sqlite' | cmp - said
		[[ $(stat -c %i.%y "$file") = "$before" ]]
	done
	# it may move, with its trace
	mkdir other
	mv 'a run'* other
	before=$(stat -c %i.%y "other/a run.pftrace")
	tq view 'other/a run.sqlite'
	[[ $(stat -c %i.%y 'other/a run.pftrace') = "$before" ]]
}

@test "tq view replaces no file that it did not make" {
	for age in '1 hour ago' now; do
		echo 'of another profiler' > 'a run.pftrace'
		touch -d "$age" 'a run.pftrace'
		run -1 tq view 'a run.sqlite'
		[ "$output" = "tq: a run.pftrace exists, and tq view did not "`
		    `"make it of a run.sqlite: -o replaces it" ]
		[[ $(cat 'a run.pftrace') = 'of another profiler' ]]
	done
	tq view -o 'a run.pftrace' 'a run.sqlite' 2> /dev/null
	[[ $(head -c 2 'a run.pftrace') != of ]]
	tq view 'a run.sqlite'
	run -1 tq view none.sqlite
	[[ $output = 'tq: none.sqlite: No such file or directory' ]]
}

@test "half a trace is no trace for the next tq view" {
	tq-extract 'a run.sqlite' | head -n -1 > cut.tq
	for round in 1 2; do
		run -1 tq view cut.tq
		[[ $output = *"cut.tq: stream ends without its end record"* ]]
		[[ ! -e cut.pftrace ]]
	done
	run -1 tq view -o kept.pftrace cut.tq
	[[ -s kept.pftrace ]]
}

@test "tq view opens what a viewer reads, and tq-extract judges all else" {
	printf '\x89PNG\r\n\x1a\n\0\0\0\rIHDR' > pic.png
	echo '{"name":"left-pad","version":"1.0.0"}' > package.json
	printf 'version https://git-lfs.github.com/spec/v1\noid sha256:0\n' > pointer.gz
	: > empty
	echo 'a;b 3' > perf.folded
	for file in pic.png package.json pointer.gz empty; do
		run --separate-stderr -1 tq view $file
		[[ $stderr = "tq-extract: $file:"* && $stderr != *$'\n'* ]]
		[ -z "$output" ]
	done
	run -0 tq view perf.folded
	[[ -s perf.folded.pftrace ]]
	# a trace is opened as it is, but for zstd, another form, or another name
	tq-extract 'a run.sqlite' | tq-correlate > a.tq
	tq-perfetto -q -o p.pftrace a.tq
	tq-chrome -q -o c.json a.tq
	gzip -k c.json
	zstd -q c.json p.pftrace
	for file in p.pftrace c.json c.json.gz; do
		tq view $file > said
		(($(wc -l < said) == 2))
		grep -qx "    tq view --serve $file" said
	done
	tq view -o f c.json.gz
	[[ $(tq-extract f | grep -c '"kind":"kernel"') = \
	    $(grep -c '"kind":"kernel"' a.tq) ]]
	tq view c.json.zst
	[[ -s c.json.pftrace ]]
	tq view --json p.pftrace
	jq -e '.traceEvents | length > 0' p.json > /dev/null
}

@test "viewers and tq-extract read a trace with the mark of tq view" {
	tq view 'a run.sqlite'
	tq view --json 'a run.sqlite'
	tq-extract 'a run.sqlite' | tq-correlate > a.tq
	tq-perfetto -q a.tq | tq-extract > expected
	tq-extract 'a run.pftrace' | cmp expected -
	tq-chrome -q a.tq | tq-extract > expected
	tq-extract 'a run.json' | sed 's/"madeOf":"[^"]*",//' | cmp expected -
	need Perfetto
	node "$VIEW/tp.mjs" 'a run.pftrace' 'select count(*) from slice' > marked
	tq-perfetto -q -o plain.pftrace a.tq
	node "$VIEW/tp.mjs" plain.pftrace 'select count(*) from slice' |
	    cmp - marked
}

# serving FILE: tq view --serve of it; sets $server, $port and $url
serving() {
	port=$((20000 + RANDOM % 20000))
	tq view --serve --port $port "$@" > said 2> /dev/null 3>&- &
	server=$!
	until_true grep -q open said
	url=$(sed 's/.*url=//; s/&.*//' said)
}

# arguments: those of the address behind the trace, decoded, one a line
arguments() {
	local line

	sed 's/[^&]*&//' said | tr '&' '\n' | while read -r line; do
		printf '%b\n' "${line//%/\\x}"
	done
}

# fetch CURL-OPTION ...: what the page of the viewer gets; prints the status
fetch() {
	curl -s -w '%{http_code}' -H 'Origin: https://ui.perfetto.dev' "$@"
}

# talk CODE: Python that has connect(), a socket of the server; request, the
# one of the viewer; and rest(s), what comes until the server closes
talk() {
	need python3
	python3 - "$port" "$url" <<-PY
	import socket, sys, time
	port, url = int(sys.argv[1]), sys.argv[2]
	path = url[url.index('/', 8):]
	def head(path=path, host='127.0.0.1:%d' % port, more=''):
	    return ('GET %s HTTP/1.1\r\nHost: %s\r\nOrigin: '
	        'https://ui.perfetto.dev\r\n%s\r\n' % (path, host, more)).encode()
	request = head()
	def connect():
	    s = socket.create_connection(('127.0.0.1', port))
	    s.settimeout(120) # for what hangs
	    return s
	def rest(s):
	    all = b''
	    while True:
	        try: part = s.recv(1 << 16)
	        except ConnectionResetError: return all
	        if not part: return all
	        all += part
	def status(s): return rest(s)[9:12].decode()
	${1//$'\n\t'/$'\n'}
	PY
}

@test "tq view --serve goes on after a browser that left in the midst of the trace" {
	need curl
	{ printf '\n\x0e\xa2\x38\x0b\x0a\x09a packet.' && head -c 32M /dev/zero; } > big.pftrace
	serving big.pftrace
	talk 's = connect(); s.sendall(request); s.recv(100); s.close()'
	[[ $(fetch -o got "$url") = 200 ]]
	cmp got big.pftrace
	wait "$server"
	server=
}

@test "tq view --serve gives the trace to the page of the viewer once, and ends" {
	need curl
	serving 'a run.sqlite'
	[[ $url =~ ^http://127\.0\.0\.1:$port/[0-9a-f]{32}/a%20run\.pftrace$ ]]
	grep -qF "open https://ui.perfetto.dev/#!/?url=$url" said
	[[ $(fetch -X OPTIONS "$url") = 204 ]]
	[[ $(fetch -I -o head "$url") = 200 ]]
	[[ $(fetch -D head -o got "$url") = 200 ]]
	cmp got 'a run.pftrace'
	grep -i '^Access-Control-Allow-Origin: https://ui.perfetto.dev' head
	wait $server
	server=
	# each time another secret
	old=$url
	serving 'a run.sqlite'
	[[ ${old#*:*:*/} != "${url#*:*:*/}" ]]
}

@test "the address of --serve opens the trace at what tq advise finds first, its GPU and thread unfolded" {
	need jq curl
	for format in '' --json; do
		# shellcheck disable=SC2086 # there may be none
		serving $format "$(correlated demo)"
		tq-advise -f ndjson "$(correlated demo)" | jq -s '
		    map(select(.evidence and .evidence != []))[0]' > first
		arguments > of_page
		jq -r '.evidence[0] | .ts, .ts + .dur' first > seen
		from=$(sed -n 's/^visStart=//p' of_page)
		to=$(sed -n 's/^visEnd=//p' of_page)
		((from < $(head -n 1 seen) && to > $(tail -n 1 seen)))
		((to - from < 60000000)) # all of it
		sed -n 's/^startupCommands=//p' of_page > commands
		# those that the page promises to keep
		jq -e 'all(.[]; .id | IN("dev.perfetto.ExpandTracksByRegex",
		    "dev.perfetto.AddNoteAtTimestamp"))' commands
		jq -e --slurpfile first first '.[-1].args ==
		    ($first[0] | [(.evidence[0].ts | tostring), .title])' commands
		pid=$(jq '.evidence[0].pid' first)
		for row in "python3 $pid · GPU 0" " rank 7 python3 $pid · GPU 0 · group 3" \
		    "python3 $pid · threads" "python3 $pid"; do
			jq -e --arg row "$row" 'any(.[:-1][].args[0];
			    . as $x | $row | test($x))' commands
		done
		for row in "python3 1$pid · GPU 0" "python3 $pid · GPU 01" "python3 ${pid}1"; do
			jq -e --arg row "$row" 'all(.[:-1][].args[0];
			    . as $x | $row | test($x) | not)' commands
		done
		[[ $(fetch -o got "$url") = 200 ]]
		wait $server
		server=
	done
}

@test "the address of --serve has rows, and no time, where the times are the greatest that there are" {
	need curl
	stream > far.tq <<-'EOF'
	{"kind":"process","pid":1,"name":"a'\"&x=1#é"}
	{"kind":"kernel","ts":100,"dur":9223372036854775000,"pid":1,"name":"k","device":0,"context":1,"stream":7}
	{"kind":"kernel","ts":9223372036854775300,"dur":9223372036854775807,"pid":1,"name":"k3","device":0,"context":1,"stream":8}
	EOF
	serving far.tq
	arguments > of_page
	grep -F 'ExpandTracksByRegex' of_page
	! grep '^vis' of_page || return 1
	[[ $(fetch -o got "$url") = 200 ]]
	wait $server
	server=
}

@test "the address of a trace that tq view did not make, or that tells nothing, has no more than the trace" {
	need curl
	echo '{"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1}]}' > other.json
	{ printf '\n\x0e\xa2\x38\x0b\x0a\x09a packet.' && head -c 100 /dev/zero; } > broken.pftrace
	for file in other.json broken.pftrace; do
		serving $file
		grep -qxF "open https://ui.perfetto.dev/#!/?url=$url" said
		[[ $(fetch -o got "$url") = 200 ]]
		wait $server
		server=
	done
}

@test "tq view --serve gives nothing without the secret, the origin and the host" {
	need curl
	serving 'a run.sqlite'
	site=${url%/*/*}
	for path in / /said '/a%20run.pftrace' "/$(printf %032d 0)/a%20run.pftrace" \
	    "${url#"$site"}/" "${url#"$site"}?" "${url#"$site"}/../../said"; do
		[[ $(fetch -o got --path-as-is "$site$path") = 404 ]]
		[[ ! -s got ]]
	done
	[[ $(fetch -o got -H "Host: evil.example:$port" "$url") = 403 ]]
	[[ $(fetch -o got -H "Host: 127.0.0.1" "$url") = 403 ]]
	[[ $(fetch -o got -X POST "$url") = 405 ]]
	# whom the viewer is not, is not told that there is something
	for origin in https://evil.example https://ui.perfetto.dev.evil.example \
	    http://ui.perfetto.dev null ''; do
		for method in GET HEAD OPTIONS; do
			code=$(curl -s -m 60 -D head -o got -w '%{http_code}' -X $method \
			    -H "Origin: $origin" "$url" || true)
			[[ $code = 403 && ! -s got ]]
			! grep -i '^Access-Control' head || return 1
		done
	done
	[[ $(fetch -o got "$url") = 200 ]]
	cmp got 'a run.pftrace'
	wait $server
	server=
}

@test "tq view --serve refuses requests that two readers may read in two ways" {
	need curl
	serving 'a run.sqlite'
	talk '
	def is_wrong(data, code="400"):
	    s = connect(); s.sendall(data); got = status(s)
	    assert got == code, (data[:300], got)
	host = "127.0.0.1:%d" % port
	is_wrong(head(more="Host: evil.example\r\n"))
	is_wrong(head(more="host: %s\r\n" % host))
	is_wrong(head(more="Origin: https://evil.example\r\n"))
	is_wrong(head(more=" folded\r\n"))
	is_wrong(head(more="Host : evil\r\n"))
	is_wrong(head(more="no colon\r\n"))
	is_wrong(head(more="a: b\0c\r\n"))
	is_wrong(head(more="a: b\nHost: evil\r\n"))
	is_wrong(head(path=path + " x"))
	is_wrong(head(host=""))
	is_wrong(request.replace(b"Host", b"Hos"))
	is_wrong(request.replace(b"HTTP/1.1", b"HTTP/2"))
	is_wrong(b"\0\r\n\r\n")
	is_wrong(head(host=host + ".evil.example"), "403")
	is_wrong(head(host=host + "0"), "403")
	is_wrong(head(more="a: " + 20000 * "x"), "431")
	is_wrong(b"x" * 16384, "431")
	# the head may come byte by byte, and another one behind it
	s = connect()
	for b in request: s.sendall(bytes([b]))
	s.sendall(request + request)
	got = rest(s)
	assert got.count(b"HTTP/1.1 ") == 1 and got[9:12] == b"200"
	assert got[got.index(b"\r\n\r\n") + 4:] == open("a run.pftrace", "rb").read()
	s.close()'
	wait $server
	server=
}

@test "tq view --serve is held by no slow client, and lets none stay" {
	need curl
	{ printf '\n\x0e\xa2\x38\x0b\x0a\x09a packet.' && head -c 32M /dev/zero; } > big.pftrace
	serving big.pftrace
	talk '
	# one that sends a byte now and then is left, however it goes on
	s = connect()
	try:
	    for i in range(60): # s
	        s.sendall(b"G")
	        time.sleep(1)
	    assert False, "never left"
	except (BrokenPipeError, ConnectionResetError): pass
	# so is one that does not read
	s = connect(); s.sendall(request); s.recv(10)
	ended = False
	for i in range(60):
	    time.sleep(1)
	    t = open("/proc/net/tcp").read()
	    if "%04X 0100007F:%04X 01" % (port, s.getsockname()[1]) not in t:
	        ended = True
	        break
	assert ended'
	kill -0 $server
	# many that say nothing, one that reads nothing, and the viewer
	talk '
	silent = [connect() for i in range(40)]
	slow = connect(); slow.sendall(request); slow.recv(10)
	s = connect(); s.sendall(request)
	got = rest(s)
	assert got[got.index(b"\r\n\r\n") + 4:] == open("big.pftrace", "rb").read()
	s.close()'
	wait $server
	server=
}

# ---- what a command stands for ----

@test "-q of a tool is of tq-extract before it, too" {
	for quiet in -q --quiet; do
		run -0 tq -x stats $quiet 'a run.sqlite'
		[[ $output = 'tq-extract -q '*"tq-stats $quiet"* ]]
		run -0 tq -x diff $quiet 'a run.sqlite' 'a run.sqlite'
		[[ $output = "tq-diff $quiet <(tq-extract -q "*" <(tq-extract -q "* ]]
	done
	run -0 tq -x stats 'a run.sqlite'
	[[ $output != *' -q '* ]]
}

@test "the captures of graphs are files of tq-correlate, and no recordings" {
	for option in '-g ' -g '--graph-file ' --graph-file= '--graph-eager '; do
		eval "run -0 tq -x correlate $option'a run.sqlite' 'a run.sqlite'"
		[[ $output = 'tq-extract -- '"'a run.sqlite' | tq-correlate $option'a run.sqlite' -" ||
		    $output = 'tq-extract -- '"'a run.sqlite' | tq-correlate '${option}a run.sqlite' -" ]]
	done
	run ! tq correlate -g 'a run.sqlite' 'a run.sqlite'
	[[ $output = *"tq-correlate: a run.sqlite: is an SQLite database: "* ]]
}

@test "tq -x prints the pipe of a command, and running that does the same" {
	data nsys/2024.5.1-cloverleaf.sqlite
	cp "$data" "a b.sqlite"
	tq-extract "$data" > s.tq
	local words
	while read -ra words; do
		eval "words=(${words[*]})"
		tq -x "${words[@]}" > pipe
		[ "$(wc -l < pipe)" = 1 ]
		run ! grep '^tq ' pipe
		bash pipe | sed 's,/dev/fd/[0-9]*,a b.sqlite,' > got
		tq "${words[@]}" > expected
		cmp got expected
		[ -s got ]
	done <<- 'END'
	stats -r cuda_gpu_kern_sum -f csv 'a b.sqlite'
	stats -r nvtx_kern_sum,cuda_api_sum -f csv --top 3 s.tq
	filter --count 'dur > 1us && name == "it'"'"'s"' 'a b.sqlite'
	filter -k kernel 'dur > 100us' 'a b.sqlite'
	stats -r account,gaps_sum -f csv 'a b.sqlite'
	diff -f csv 'a b.sqlite' s.tq
	chrome -q 'a b.sqlite'
	END
	run -0 tq -x view 'a b.sqlite'
	[[ $output = "tq-extract -- 'a b.sqlite' | tq-correlate | tq-perfetto -q "*' -o '* ]]
	[ ! -e 'a b.pftrace' ]
	run -0 tq -x stats -r gaps s.tq
	[ "$output" = 'tq-stats -r gaps s.tq' ]
}
