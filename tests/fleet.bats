#!/usr/bin/env bats
# tq fleet: folders of recordings, a task for each

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	mkdir "my job" bin
	"$BUILD/ranks" "my job" ranks=4 ops=60 work=2
	rm "my job/truth"
	out=$PWD/my\ job.fleet
	# not GNU's, as that of moreutils: xargs does it
	printf '#!/bin/sh\necho other\nexit 1\n' > bin/parallel
	chmod +x bin/parallel
	PATH=$PWD/bin:$PATH
	sums=cuda_gpu_kern_sum,cuda_gpu_mem_time_sum,cuda_api_sum,nvtx_sum:folded
	ranks=stragglers,ranks:worst,critical,ranks,ranks:spread,collectives
}

fleet() {
	tq fleet --on local "$@"
}

# clocks, sums and reports on ranks are those of one command over all of them
same_as_one_command() {
	local rank

	tq-align --solve "$@" | cmp - "$out/clocks.tq"
	for rank; do
		tq-correlate "$rank"
	done > all.tq
	tq-stats -q -f json1 -r $sums all.tq > want
	tq-stats -q -f json1 --merge "$out/sums.part" | cmp - want
	tq-align --apply "$out/clocks.tq" "$@" > clocked.tq
	tq-stats -q -f json1 -r $ranks clocked.tq > want
	tq-stats -q -f json1 --merge "$out/ranks.tables" | cmp - want
	jq -e '.stragglers | length > 1' want
}

# outputs: what is there, and when it was made
outputs() {
	(cd "$out" && stat -c '%n %i %y' -- rank-*.tq.zst rank-*.part *.points *.ranks) | sort
}

# changed FILE: what is not as it was there
changed() {
	outputs | diff "$1" - | awk '/^>/ { print $2 }' | xargs
}

@test "a folder becomes sums and clocks: those of one command over all of it" {
	run -0 --separate-stderr fleet "my job"
	[[ $stderr = "tq fleet: 4 recordings summed up, 0 not used: $out/index.html" ]]
	same_as_one_command "my job"/rank-*.tq
	[[ $output = "$(< "$out/report.txt")" ]]
	grep -q '^No rank holds the others up\.$' "$out/report.txt"
	grep -q '^RANKS  of 4 ranks, none holds the others up; clocks wrong by at most ' \
	    "$out/report.txt"
	grep -q '^KERNELS ' "$out/report.txt"
	grep -q '</html>' "$out/index.html"
	run -0 ls -A "$out"
	[[ $output = "$(printf '%s\n' clocks.html clocks.tq index.html job.tq.zst \
	    lost names rank-{0,1,2,3}.tq.{part,points,ranks,tq.zst} ranks.html ranks.tables \
	    recordings report.txt reports sums.part version)" ]]
	# on a terminal the report is as wide as that
	[[ ! -s $out/lost ]]
}

@test "the rank that the others wait for is named first" {
	"$BUILD/ranks" "my job" ranks=4 ops=100 work=2 steps=5 straggler=2 late=30
	rm "my job/truth"
	fleet -q "my job" > said 2> /dev/null
	[[ $(head -n 1 said) = "Rank 2 on n0 holds the others up, by its compute: last in "* ]]
	[[ $(sed -n 2p said) = "Clocks: 4 by collectives; wrong by at most "+([0-9]).[0-9]" us (rank "[0-3]")." ]]
	# what the others do less of stands beside it
	tq-stats -f ndjson --merge -r ranks:worst "$out/ranks.tables" |
	    jq -se 'all(.rank == 2) and
		any(.part == "Compute" and .difference_ns > 0) and
		any(.part == "Wait" and .difference_ns < 0)'
}

# has_tables PAGE: those of ranks and of sums, a row for each rank
has_tables() {
	local page=$1 table

	[[ $(grep -c '^<body>$\|^</html>$\|^<!DOCTYPE html>$\|^<script>$' "$page") = 4 ]]
	grep -qF "<h1>$(head -n 1 "$out/report.txt")</h1>" "$page"
	grep -qF "$(sed -n 2p "$out/report.txt")</p>" "$page"
	grep -q '^<p>4 recordings summed up, 1 not used\.$' "$page"
	grep -q '^<li>a&amp;b&lt;i&gt;.sqlite: tq-extract: .*</li>$' "$page"
	for table in stragglers critical ranks:spread collectives ranks \
	    cuda_gpu_kern_sum; do
		grep -q "<h2>.*<code>$table</code></h2>" "$page"
	done
	grep -q '<h2>Clocks of ranks</h2>' "$page"
	# the command that it prints
	(cd "$out" && sh -c "$(sed -n 's|^<p>All rows.*<code>\(.*\)</code></p>$|\1|p' "$page")") > rows
	for table in stragglers ranks; do
		grep -q "($table):" rows
	done
}

@test "of small recordings, the page is that of tq stats over them" {
	"$BUILD/ranks" "my job" ranks=4 ops=100 work=2 steps=5 straggler=2 late=30
	rm "my job/truth"
	echo nonsense > "my job/a&b<i>.sqlite"
	run -1 fleet "my job"
	has_tables "$out/ranks.html"
	# what only tq fleet knows
	page=$out/index.html
	[[ $(grep -c '^<body>$\|^</html>$\|^<!DOCTYPE html>$' "$page") = 3 ]]
	grep -q '^<p>4 recordings summed up, 1 not used\.$' "$page"
	grep -q '^<li>a&amp;b&lt;i&gt;.sqlite: tq-extract: .*</li>$' "$page"
	grep -q '<a href="ranks.html">' "$page"
	# all else, but for commands and the name of the input
	rm "my job/a&b<i>.sqlite"
	tq stats "my job" | sed -n '/^GPU TIME/,/^GO ON/p' > want
	sed -n '/^GPU TIME/,/^GO ON/p' "$out/report.txt" | diff - want
	grep -q '^RANKS ' want
	tq-stats -f html "$out/job.tq.zst" > want
	run diff want "$page"
	[[ $(grep -c '^<' <<< "$output") = 0 ]]
	# a command of it
	sh -c "$(sed -n 's/^ *\$ //p' "$out/report.txt" | head -n 1)" | grep -q '(stragglers)'
}

@test "of larger ones, the page is the tables of parts" {
	"$BUILD/ranks" "my job" ranks=4 ops=100 work=2 steps=5 straggler=2 late=30
	rm "my job/truth"
	echo nonsense > "my job/a&b<i>.sqlite"
	FLEET_SMALL=1 run -1 fleet "my job"
	has_tables "$out/index.html"
	[[ ! -e $out/job.tq.zst && ! -e $out/ranks.html ]]
	grep -q 'CUDA GPU Kernel Summary' "$out/report.txt"
	run -1 fleet -r cuda_gpu_kern_sum,hist "my job"
	grep -q '^RANKS ' "$out/report.txt"
	grep -q 'CUDA GPU Kernel Summary' "$out/report.txt"
	grep -q '^ *131 us - *262 us .* 746$' "$out/report.txt"
	[[ -e $out/job.tq.zst && -e $out/ranks.html ]]
	# they go where recordings are larger than they were
	touch "my job/rank-0.tq"
	FLEET_SMALL=1 run -1 fleet "my job"
	[[ ! -e $out/job.tq.zst && ! -e $out/ranks.html ]]
}

@test "another version of the tools makes all of it again" {
	fleet "my job" > report 2> /dev/null
	outputs > first
	echo "tq 0.0.1" > "$out/version"
	touch -d '1 hour ago' "$out/version"
	fleet "my job" 2> /dev/null | cmp - report
	[[ $(changed first | wc -w) = 16 ]]
}

@test "a second run makes only what is missing or older than its input" {
	fleet "my job" > report 2> /dev/null
	outputs > first
	stat -c %y "$out/report.txt" > reduced
	fleet "my job" 2> /dev/null | cmp - report
	[[ ! $(changed first) ]]
	stat -c %y "$out/report.txt" | cmp - reduced
	rm "$out/rank-1.tq.points"
	touch -d '1 hour' "my job/rank-2.tq"
	run -0 fleet -n "my job"
	[[ $output = "4 recordings, 2 to do:
    rank-1.tq
    rank-2.tq" ]]
	[[ ! -e $out/rank-1.tq.points ]]
	fleet "my job" 2> /dev/null | cmp - report
	[[ $(changed first) = "rank-1.tq.points \
rank-2.tq.part rank-2.tq.points rank-2.tq.ranks rank-2.tq.tq.zst" ]]
}

@test "other reports make the sums again, and nothing else" {
	fleet "my job" > /dev/null 2>&1
	outputs > first
	sums=nvtx_sum
	fleet -r nvtx_sum "my job" > /dev/null 2>&1
	same_as_one_command "my job"/rank-*.tq
	[[ $(changed first) = \
	    "rank-0.tq.part rank-1.tq.part rank-2.tq.part rank-3.tq.part" ]]
}

@test "recordings that fail are named with their error, and the rest is summed up" {
	head -n 50 "my job/rank-1.tq" > cut
	mv cut "my job/rank-1.tq"
	echo nonsense > "my job/rank-9.sqlite"
	cp "my job/rank-2.tq" "my job/rank-8.tq"
	run -1 --separate-stderr fleet "my job"
	[[ $stderr = *"tq fleet: not used: rank-1.tq: tq-"*"
tq fleet: not used: rank-8.tq: rank 2 is that of rank-2.tq already
tq fleet: not used: rank-9.sqlite: tq-extract: "*"
tq fleet: 3 recordings summed up, 3 not used: "* ]]
	[[ $output = *"
Not used:
    rank-1.tq: "* ]]
	same_as_one_command "my job"/rank-{0,2,3}.tq
	# nothing looks whole, and nothing is left over
	run ls -A "$out"
	[[ $output != *rank-1.tq.[!l]* && $output != *rank-9.sqlite.[!l]* ]]
	[[ ! $(find "$out" -name '.?*') ]]
	# once they are whole, a run does only them
	rm "my job/"rank-[89]*
	"$BUILD/ranks" "my job" ranks=4 ops=60 work=2
	rm "my job/truth"
	run -0 --separate-stderr fleet "my job"
	[[ $stderr = *"4 recordings summed up, 0 not used"* ]]
	[[ ! -e $out/rank-1.tq.log ]]
}

@test "results of a recording that has changed and now fails are not used" {
	fleet "my job" > /dev/null 2>&1
	echo nonsense > "my job/rank-2.tq"
	touch -d '1 hour' "my job/rank-2.tq"
	run -1 --separate-stderr fleet "my job"
	[[ $stderr = *"3 recordings summed up, 1 not used"* ]]
	same_as_one_command "my job"/rank-{0,1,3}.tq
}

@test "chosen ranks become a trace on one clock" {
	fleet --trace 3,0 "my job" > /dev/null 2>&1
	for rank in 0 3; do
		tq-correlate -o "rank-$rank.tq" "my job/rank-$rank.tq"
	done
	tq-align --apply "$out/clocks.tq" rank-0.tq rank-3.tq |
	    tq-chrome 2> /dev/null > trace.json
	gzip -dc "$out/trace.json.gz" | cmp - trace.json
	run -1 --separate-stderr fleet --trace 7 "my job"
	[[ $stderr = *"tq fleet: no recording is of rank 7"* ]]
}

@test "a recording that does not say its rank has the number of its name" {
	sed -i 's/,"rank":[0-9]*//' "my job"/rank-*.tq
	mv "my job/rank-2.tq" "my job/rank-0012.tq"
	fleet "my job" > /dev/null 2>&1
	[[ $(jq -r 'select(.kind == "clock").rank' "$out/clocks.tq" | sort -n | xargs) = \
	    "0 1 3 12" ]]
}

@test "a list names recordings anywhere, some of one name" {
	mkdir -p a/b "c d"
	cp "my job/rank-0.tq" a/b/run.tq
	cp "my job/rank-1.tq" "c d/run.tq"
	printf '%s\n' '# two of them' a/b/run.tq '' "$PWD/c d/run.tq" > list
	run -0 --separate-stderr fleet -o lists list
	[[ $stderr = *"2 recordings summed up, 0 not used: $PWD/lists/index.html" ]]
	[[ $(< lists/names) == *"_a_b_run.tq
"*"_c d_run.tq" ]]
}

@test "GNU parallel does the same" {
	rm bin/parallel
	need parallel
	run -0 --separate-stderr fleet "my job"
	same_as_one_command "my job"/rank-*.tq
}

@test "what makes no sense is refused" {
	for args in "" "a b" "--fast x" "-j 0 x" "-j many x" "--on moon x" "--step fly x"; do
		# shellcheck disable=SC2086 # they are words
		run -2 tq fleet $args
	done
	run -1 tq fleet nowhere
	[[ $output = "tq: nowhere: No such file or directory" ]]
	mkdir empty
	run -1 fleet empty
	[[ $output = "tq fleet: no recording in empty" ]]
	[[ ! -e empty.fleet ]]
	echo nonsense > empty/x
	run -1 fleet empty
	[[ $output = *"tq fleet: not used: x: tq-extract: "*"
tq fleet: no recording could be read" ]]
	rm bin/parallel
	PATH=${PATH/$PWD\/bin:/} run -1 tq fleet --on slurm "my job"
	[[ $output = "tq: --on slurm: no sbatch in PATH" ]] || need no-sbatch
}

@test "of a report and its export beside it, the report is read" {
	mkdir runs
	printf 'version 2026.1.1.204\nkernel 1 2 corr=1 name="of the report"\n' |
	    report > runs/rank-0.nsys-rep
	cp "$(demo)" runs/rank-0.sqlite
	run -0 fleet -n runs
	[ "$output" = "1 recordings, 1 to do:
    rank-0.nsys-rep" ]
}

@test "a file that cannot be written ends the run, and leaves no report" {
	FLEET_SMALL=1 fleet -q "my job" > want
	mv "$out" whole
	failed=0
	for limit in 1 2 3 4 5 6 8 10 12 14 16 18 20 24 28 32 64 1000; do
		# shellcheck disable=SC2016
		run --separate-stderr bash -c 'ulimit -f "$1"
			FLEET_SMALL=1 exec tq fleet --on local -q "my job"' - $limit
		((status == 1)) || break
		failed=$((failed + 1))
		[[ ! -e $out/report.txt && ! -e $out/index.html && $stderr = *"tq fleet: "* ]]
		[[ ! $(find "$out" -name '.?*') ]]
	done
	((status == 0 && failed > 4))
	[[ $output = "$(< want)" ]]
	cmp whole/index.html "$out/index.html"
}

@test "a full disk is named with the file, and a run with room is whole" {
	need mount
	export FLEET_SMALL=1
	fleet -q "my job" > want
	mkdir disk
	size=$(du -sk "$out")
	# shellcheck disable=SC2016
	size=$((${size%%[!0-9]*} * 3 / 4)) run -0 unshare -m bash -c '
		mount -t tmpfs -o size="${size}k" tmpfs disk
		tq fleet --on local -q -o disk/x "my job" > /dev/null 2> failed
		[[ $? = 1 && ! -e disk/x/report.txt && ! -e disk/x/index.html ]] || exit 1
		mount -o remount,size=64m tmpfs disk
		tq fleet --on local -q -o disk/x "my job" 2> /dev/null |
		    cmp want -'
	grep -q "^tq fleet: $PWD/disk/x/.*: \(No space left on device\|cannot be written\)\$" failed
}

@test "without clocks nothing is summed up, not even with those of the run before" {
	fleet "my job" > /dev/null 2>&1
	rm "$out/report.txt"
	echo nonsense > "$out/rank-1.tq.points"
	touch -d '1 hour' "$out/rank-1.tq.points"
	for step in solve reduce; do
		run -1 tq fleet --step $step "$out"
	done
	[[ ! -e $out/report.txt && ! -e $out/names ]]
	rm "$out/rank-1.tq.points"
	run -0 --separate-stderr fleet "my job"
	[[ $stderr = *"4 recordings summed up, 0 not used: "* ]]
}

# a list of two, where the task of one waits: nobody writes into the pipe
waiting() {
	mkfifo pipe
	printf '%s\n' pipe "my job/rank-0.tq" > list
}

# works FOLDER: does a process of tq fleet have this folder?
works() {
	grep -qsa "${1%?}[${1: -1}]" /proc/[0-9]*/cmdline
}

does_not_work() {
	! works "$1"
}

@test "a signal ends all work, and is the status" {
	waiting
	for signal in TERM HUP; do
		bash -c 'exec tq fleet --on local -o "$PWD/results" list' 2> said 3>&- &
		until_true test -e results/.pipe.task/began
		kill -$signal $!
		status=0
		wait $! || status=$?
		((status == 128 + $(kill -l $signal)))
		[[ ! -s said ]]
		until_true does_not_work "$PWD/results"
		until_true does_not_work "$PWD/pipe"
		[[ ! $(find results -name '.?*') ]]
	done
}

@test "Ctrl-C on a terminal ends the work and its progress" {
	need script
	waiting
	{
		until_true test -e results/.pipe.task/began
		printf '\003'
		until_true test ! -e results/.todo
	} | script -qec "env --default-signal=INT tq fleet --on local -o $PWD/results list" \
	    typescript > /dev/null 3>&- || status=$?
	((status == 130))
	until_true does_not_work "$PWD/results"
	until_true does_not_work "$PWD/pipe"
	[[ ! $(find results -name '.?*') ]]
}

@test "progress counts tasks up to their number, and its line is cleared" {
	need script
	waiting
	script -qefc "tq fleet --on local -o results list > report" typescript \
	    > /dev/null 3>&- < /dev/null &
	until_true grep -q "1 of 4 tasks" typescript
	cat "my job/rank-1.tq" > pipe
	wait $! || :
	[[ $(< typescript) = *$'\r\e[Ktq fleet: '*" recordings summed up, "* ]]
	grep -ao '[0-9]* of [0-9]* tasks' typescript |
	    awk '$1 > $3 { wrong = 1 } END { exit wrong || NR == 0 }'
}

@test "one recording is no job" {
	cp "$(demo)" demo.sqlite
	for file in demo.sqlite "my job/rank-0.tq"; do
		run -2 tq fleet "$file"
		[[ $output = "tq: $file is one recording, and no list of the recordings of a job: tq stats "* ]]
		[[ ! -e $file.fleet ]]
		[[ $(sh -c "${output##*: }") = "$(tq stats "$file")" ]]
	done
}

@test "options are checked before any work" {
	run -2 fleet -r nosuch "my job"
	[[ ${lines[0]} = "tq-stats: no report is named 'nosuch'; there are:" ]]
	run -2 fleet -r info "my job"
	[[ $output = "tq-stats: info cannot be merged: "* ]]
	run -2 fleet -j 999999999999999 "my job"
	[[ $output = "tq: --jobs 999999999999999: expected a number from 1 to 4096" ]]
	[[ ! -e $out ]]
}

@test "the folder of results is not that of the recordings" {
	for to in "my job" "./my job/"; do
		run -2 fleet -o "$to" "my job"
		[[ $output = "tq: --output $to: has the recordings: give another folder for the results" ]]
	done
	(cd "my job" && fleet . > /dev/null 2>&1)
	[[ -e $out/report.txt ]]
	run -0 ls -A
	[[ $output != *..* ]]
}

@test "--dry-run writes nothing" {
	fake_sbatch
	run -0 tq fleet --on slurm -n "my job"
	[[ $output = "4 recordings, 4 to do:"*"sbatch '--parsable'"* && ! -e $out ]]
	fleet "my job" > /dev/null 2>&1
	outputs > first
	ls -la --time-style=full-iso "$out" > all
	for options in "" "-r nvtx_sum" "--on slurm"; do
		# shellcheck disable=SC2086
		run -0 fleet -n $options "my job"
		[[ $output = "4 recordings, $([[ $options = -r* ]] && echo 4 || echo 0) to do:"* ]]
	done
	ls -la --time-style=full-iso "$out" | cmp all -
	fleet "my job" > /dev/null 2>&1
	[[ ! $(changed first) ]]
	need mount
	# shellcheck disable=SC2016
	run -0 unshare -m bash -c 'mount --bind "$PWD" "$PWD" &&
		cd "$PWD" && mount -o remount,bind,ro "$PWD" && ! touch x 2> /dev/null &&
		tq fleet --on local -n "my job" && tq fleet --on local -n -o new "my job"'
	[[ $output = "4 recordings, 0 to do:
4 recordings, 4 to do:"* ]]
}

@test "a trace of a rank that is not there costs nothing else" {
	run -1 --separate-stderr fleet --trace 0,7 "my job"
	[[ $stderr = "tq fleet: no recording is of rank 7
tq fleet: 4 recordings summed up, 0 not used: "* ]]
	[[ $output = "$(< "$out/report.txt")" && -e $out/index.html ]]
	[[ ! -e $out/trace.json.gz ]]
	run -0 fleet --trace 0,3 "my job"
	[[ -e $out/trace.json.gz ]]
}

@test "recordings may have any name but one with a tab or newline" {
	cd "my job"
	mv rank-0.tq 'a\tb.tq'
	mv rank-1.tq 1
	mv rank-2.tq 01
	mv rank-3.tq -- '-x{}&.tq'
	ln -s nowhere rank-7.tq
	mkdir '../{} \n=1'
	run -1 --separate-stderr fleet -o '../{} \n=1/out' .
	[[ $stderr = "tq fleet: not used: rank-7.tq: tq-extract: "*"/rank-7.tq: No such file or directory
tq fleet: 4 recordings summed up, 1 not used: "*'/{} \n=1/out/index.html' ]]
	for name in $'a\tb.tq' $'a\nb.tq'; do
		cp 1 "$name"
		run -1 fleet .
		[[ $output = "tq fleet: ./a?b.tq: a tab or newline (?) in the name: rename it" ]]
		rm "$name"
	done
	printf 'x/y.tq\nx/a\tb.tq\n' > ../list
	run -1 fleet ../list
	[[ $output = "tq fleet: x/a?b.tq: a tab or newline (?) in the name: rename it" ]]
	[[ ! -e ../list.fleet ]]
}

@test "what cannot be printed is an error, but for messages" {
	for way in '>/dev/full' '>&-' '-n >/dev/full'; do
		run -1 bash -c "tq fleet --on local 'my job' $way"
		[[ $output = "tq fleet: <stdout>: "@("No space left on device"|"Bad file descriptor") ]]
	done
	fleet "my job" 2> /dev/null > want
	for way in '2>&-' '2>/dev/full'; do
		run -0 bash -c "tq fleet --on local 'my job' $way"
		[[ $output = "$(< want)" ]]
	done
}

@test "variables of the environment are no options" {
	export FLEET_DRY_RUN=1 FLEET_TRACE=9 FLEET_REPORTS=nvtx_sum FLEET_QUIET=1
	fleet "my job" > said 2> /dev/null
	[[ $(< "$out/reports") = "$sums" ]]
	cmp said "$out/report.txt"
}

# ---- Slurm ----

# a sbatch that runs a job at once, as far as tq fleet can tell
fake_sbatch() {
	cat > bin/sbatch <<-'END'
	#!/bin/bash
	echo "$*" >> "$FAKE"
	array=0 output=/dev/null
	while [[ $1 = --* ]]; do
		case $1 in
		--array=1-*) array=${1#*-*-*-} ;;
		--output=*) output=${1#*=} ;;
		--wrap) break ;;
		esac
		shift
	done
	status=0
	for ((i = array > 0; i <= array; i++)); do
		SLURM_ARRAY_TASK_ID=$i sh -c "$2" >> "$output" 2>&1 || status=$?
	done
	echo "$((100 + $(wc -l < "$FAKE")));cluster"
	exit $status
	END
	printf '#!/bin/sh\n' > bin/sinfo
	chmod +x bin/sbatch bin/sinfo
	export FAKE=$PWD/calls
}

@test "jobs of Slurm depend on each other, and do the same" {
	fake_sbatch
	run -0 --separate-stderr tq fleet --partition gpu --account me "my job"
	[[ $stderr = *"4 recordings summed up, 0 not used"* ]]
	same_as_one_command "my job"/rank-*.tq
	run -0 cat calls
	((${#lines[@]} == 4))
	[[ ${lines[0]} = *" --partition=gpu --account=me "*" --array=1-4 "*" 'task' "* ]]
	[[ ${lines[1]} = *" --dependency=afterany:101 "*" 'solve' "* ]]
	[[ ${lines[2]} = *" --dependency=afterany:102 --array=1-4 "*" 'place' "* ]]
	[[ ${lines[3]} = *" --wait --dependency=afterany:103 "*" 'reduce' "* ]]
	# again, with one that fails
	echo nonsense > "my job/rank-4.tq"
	rm calls
	run -1 --separate-stderr tq fleet "my job"
	[[ $(head -n 1 calls) = *" --array=1-1 "* ]]
	[[ $stderr = *"tq fleet: not used: rank-4.tq: tq-"* ]]
	# what would be submitted
	rm -r "$out" calls
	run -0 tq fleet -n "my job"
	[[ $output = "5 recordings, 5 to do:"*"sbatch '--parsable'"*"tq fleet --step "* ]]
	[[ ! -e calls ]]
}

@test "a signal cancels the jobs, the last one first" {
	fake_sbatch
	# the reduce goes on
	sed -i 's/^array=0/[[ $* != *--wait* ]] || { echo "103;cluster"; touch waits; exec sleep 60; }\n&/' bin/sbatch
	printf '#!/bin/sh\necho "$*" > cancelled\npkill -P "$PPID" sbatch\n' > bin/scancel
	chmod +x bin/scancel
	tq fleet "my job" > said 2>&1 3>&- &
	until [[ -e waits ]]; do
		sleep 0.1
	done
	kill -TERM $!
	wait $! || status=$?
	[[ $status = 1 && $(< said) = *"tq fleet: stopped: its jobs are cancelled" ]]
	[[ $(< cancelled) = "103 103 102 101" ]]
	[[ ! $(find "$out" -name '.[dtaj]*') ]]
	pkill -f 'sleep 60' || :
}

@test "a partition that Slurm does not have" {
	printf '#!/bin/sh\necho "sbatch: error: invalid partition" >&2\nexit 1\n' > bin/sbatch
	printf '#!/bin/sh\n' > bin/sinfo
	chmod +x bin/sbatch bin/sinfo
	run -1 tq fleet --partition moon "my job"
	[[ $output = "sbatch: error: invalid partition" ]]
	[[ ! $(find "$out" -name '.?*') ]]
}

@test "where sbatch is and no Slurm answers, tasks run here" {
	printf '#!/bin/sh\nexit 1\n' > bin/sbatch
	cp bin/sbatch bin/sinfo
	chmod +x bin/sbatch bin/sinfo
	run -0 --separate-stderr tq fleet "my job"
	[[ $stderr = "tq fleet: no Slurm answers: tasks run on this machine
tq fleet: 4 recordings summed up, 0 not used: "* ]]
	rm "$out/rank-1.tq.part"
	run -1 tq fleet --on slurm "my job"
}

# in_slurm COMMAND ...: run it where srun and sbatch have four nodes
in_slurm() {
	local cluster=$top/../shared/tools/slurm/cluster.sh slurm

	need slurmctld munged
	[[ -e $cluster ]] || skip "no script that starts a Slurm"
	((EUID == 0)) || skip "Slurm needs root"
	slurm=$(mktemp -d)
	sh "$cluster" start "$slurm" 3>&- # daemons keep what they inherit
	SLURM_CONF=$slurm/slurm.conf run "$@"
	sh "$cluster" stop "$slurm"
	pkill -f "munged.*$slurm" || :
	rm -rf "$slurm" || { # a daemon still writes
		sleep 1
		rm -rf "$slurm"
	}
	((status == 0))
}

@test "tq fleet on a real Slurm" {
	in_slurm tq fleet --on slurm "my job"
	[[ $output = *"4 recordings summed up, 0 not used"* ]]
	same_as_one_command "my job"/rank-*.tq
}

@test "a job of Slurm is captured, a file for each rank, and summed up as one" {
	need native
	mkdir captured
	in_slurm srun -N4 -n8 tq-capture -q --split \
	    -o 'captured/%q{SLURM_JOB_ID}-%{rank}.tq.zst' -- \
	    "$BUILD/capture/stand-in/nvtx" 3
	[[ $(ls captured | sed 's/.*-//' | tr '\n' ' ') == \
	    "0.tq.zst 1.tq.zst 2.tq.zst 3.tq.zst 4.tq.zst 5.tq.zst 6.tq.zst 7.tq.zst " ]]
	for f in captured/*; do
		r=${f##*-}
		zstdcat "$f" | head -n 1 | jq -e ".rank == ${r%%.*}"
		[[ $(zstdcat "$f" | tail -n 1) = *'"dropped":0}' ]]
	done
	tq fleet --on local -q -o fleet captured > report
	[[ $(tq-stats -q --merge -f ndjson --plain-keys -r nvtx_sum:folded \
	    fleet/sums.part | jq -s 'map(.instances) | add') == \
	    $((8 * $(zstdcat captured/*-0.tq.zst | grep -c '"kind":"range"'))) ]]
	tq-align --by utc -o all.tq captured/*
	[[ $(grep -c '"kind":"trace"' all.tq) == 8 ]]
}
