#!/usr/bin/env bats
# examples/fleet.sh and fleet.slurm: folders of recordings, a task for each

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	fleet=$top/examples/fleet.sh
	mkdir "my job" bin
	"$BUILD/ranks" "my job" ranks=4 ops=60 work=2
	rm "my job/truth"
	out=$PWD/my\ job.fleet
	# not GNU's, as that of moreutils: xargs does it
	printf '#!/bin/sh\necho other\nexit 1\n' > bin/parallel
	chmod +x bin/parallel
	PATH=$PWD/bin:$PATH
}

# the clocks and sums are those of one command over all recordings
same_as_one_command() {
	tq-align --solve "$@" | cmp - "$out/clocks.tq"
	for rank; do
		tq-correlate "$rank"
	done | tq-stats -r "$(< "$out/reports")" 2> /dev/null |
	    cmp - "$out/stats.txt"
	[[ -s $out/stats.txt ]]
}

# outputs: what is there, and when it was made
outputs() {
	(cd "$out" && stat -c '%n %i %y' -- *.tq.zst *.part *.points) | sort
}

@test "a folder becomes sums and clocks: those of one command over all of it" {
	run -0 --separate-stderr sh "$fleet" "my job"
	[[ $output = "$out: 4 recordings summed up, 0 missing" ]]
	same_as_one_command "my job"/rank-*.tq
	run -0 ls -A "$out"
	[[ $output = "$(printf '%s\n' clocks.tq \
	    rank-{0,1,2,3}.tq.{part,points,tq.zst} reports stats.txt)" ]]
}

@test "a second run makes only what is missing or older than its input" {
	sh "$fleet" "my job" 2> /dev/null
	outputs > first
	sh "$fleet" "my job" 2> /dev/null
	outputs | cmp - first
	rm "$out/rank-1.tq.points"
	touch -d '1 hour' "my job/rank-2.tq"
	[[ $(sh "$fleet" --todo "my job" "$out") = "$PWD/my job/rank-1.tq
$PWD/my job/rank-2.tq" ]]
	sh "$fleet" "my job" 2> /dev/null
	outputs | diff first - > changes || true
	[[ $(awk '/^>/ { print $2 }' changes | xargs) = "rank-1.tq.points \
rank-2.tq.part rank-2.tq.points rank-2.tq.tq.zst" ]]
}

@test "other reports make the sums again, and nothing else" {
	sh "$fleet" "my job" 2> /dev/null
	outputs > first
	REPORTS=nvtx_sum sh "$fleet" "my job"
	same_as_one_command "my job"/rank-*.tq
	outputs | diff first - > changes || true
	[[ $(awk '/^>/ { print $2 }' changes | xargs) = \
	    "rank-0.tq.part rank-1.tq.part rank-2.tq.part rank-3.tq.part" ]]
}

@test "recordings that fail are named with their error, and the rest is summed up" {
	head -n 50 "my job/rank-1.tq" > cut
	mv cut "my job/rank-1.tq"
	echo nonsense > "my job/rank-9.sqlite"
	run -1 --separate-stderr sh "$fleet" "my job"
	[[ $output = "$out: 3 recordings summed up, 2 missing" ]]
	[[ $stderr = *"fleet.sh: missing: rank-1.tq: tq-"*"
fleet.sh: missing: rank-9.sqlite: tq-"* ]]
	[[ $stderr = *"rank-9.sqlite: $(tail -n 1 "$out/rank-9.sqlite.log")"* ]]
	same_as_one_command "my job"/rank-{0,2,3}.tq
	# nothing looks whole, and nothing is left over
	run ls -A "$out"
	[[ $output != *rank-1.tq.[!l]* && $output != *rank-9.sqlite.[!l]* &&
	    $output != *.new* && $output != *.reduce* ]]
	# once they are whole, a run does only them
	rm "my job/rank-9.sqlite"
	"$BUILD/ranks" "my job" ranks=4 ops=60 work=2
	rm "my job/truth"
	run -0 --separate-stderr sh "$fleet" "my job"
	[[ $output = "$out: 4 recordings summed up, 0 missing" ]]
	[[ ! -e $out/rank-1.tq.log ]]
}

@test "results of a recording that has changed and now fails are not used" {
	sh "$fleet" "my job" 2> /dev/null
	echo nonsense > "my job/rank-2.tq"
	touch -d '1 hour' "my job/rank-2.tq"
	run -1 --separate-stderr sh "$fleet" "my job"
	[[ $output = "$out: 3 recordings summed up, 1 missing" ]]
	same_as_one_command "my job"/rank-{0,1,3}.tq
}

@test "chosen ranks become a trace on one clock" {
	RANKS=3,0 sh "$fleet" "my job" 2> /dev/null
	for rank in 3 0; do
		tq-correlate -o "rank-$rank.tq" "my job/rank-$rank.tq"
	done
	tq-align --apply "$out/clocks.tq" rank-3.tq rank-0.tq |
	    tq-chrome 2> /dev/null > trace.json
	gzip -dc "$out/trace.json.gz" | cmp - trace.json
	RANKS=7 run -1 --separate-stderr sh "$fleet" "my job"
	[[ $stderr = *"fleet.sh: no recording is of rank 7" ]]
}

@test "a recording that does not say its rank has the number of its name" {
	sed -i 's/,"rank":[0-9]*//' "my job"/rank-*.tq
	mv "my job/rank-2.tq" "my job/rank-0012.tq"
	sh "$fleet" "my job" 2> said
	[[ $(jq -r 'select(.kind == "clock").rank' "$out/clocks.tq" | sort -n | xargs) = \
	    "0 1 3 12" ]]
	[[ $(< said) != *"does not say"* ]]
	# what it says counts
	"$BUILD/ranks" "my job" ranks=2 ops=60
	rm "my job/"{truth,rank-3.tq,rank-0012.tq}
	mv "my job/rank-1.tq" "my job/run-77.tq"
	sh "$fleet" "my job" other 2> /dev/null
	[[ $(jq -r 'select(.kind == "clock").rank' other/clocks.tq | xargs) = \
	    "0 1" ]]
}

@test "GNU parallel does the same" {
	rm bin/parallel
	need parallel
	run -0 --separate-stderr sh "$fleet" "my job"
	[[ $output = "$out: 4 recordings summed up, 0 missing" ]]
	same_as_one_command "my job"/rank-*.tq
}

@test "what makes no sense is refused" {
	for args in "" "nowhere" "a b c" "--fast" "--task x" "--reduce"; do
		# shellcheck disable=SC2086 # they are words
		run -2 sh "$fleet" $args
		[[ $output = "usage: fleet.sh dir [out]" ]]
	done
	mkdir empty
	run -1 sh "$fleet" empty
	[[ $output = "fleet.sh: no recording to sum up in $PWD/empty" ]]
}

# ---- Slurm ----

# a sbatch that runs a job at once, as far as fleet.slurm can tell
fake_sbatch() {
	cat > bin/sbatch <<-'END'
	#!/bin/bash
	echo "$*" >> "$FAKE"
	array=0
	while [[ $1 = --* ]]; do
		case $1 in
		--array=1-*) array=${1#*-*-*-} ;;
		--output=*) output=${1#*=} ;;
		esac
		shift
	done
	script=$FAKE.script # Slurm runs a copy
	cp "$1" "$script"
	status=0
	for ((i = array > 0; i <= array; i++)); do
		SLURM_ARRAY_TASK_ID=$i sh "$script" "${@:2}" >> "$output" 2>&1 ||
		    status=$?
	done
	echo "$((100 + $(wc -l < "$FAKE")));cluster"
	exit $status
	END
	chmod +x bin/sbatch
	export FAKE=$PWD/calls
}

@test "fleet.slurm submits an array, and a reduce after it" {
	fake_sbatch
	WAIT=1 ARRAY=3 run -0 sh "$top/examples/fleet.slurm" "my job"
	[[ ${lines[0]} = "job 101: 4 recordings, 3 tasks" ]]
	[[ ${lines[1]} = "job 102 reduces: $out/reduce.out" ]]
	[[ $output = *"$out: 4 recordings summed up, 0 missing"* ]]
	[[ $(sed -n 1p calls) = "--parsable --array=1-3 "* ]]
	[[ $(sed -n 2p calls) = "--parsable --wait --dependency=afterany:101 "* ]]
	same_as_one_command "my job"/rank-*.tq
	run ls "$out"
	[[ $output != *todo* ]]
	# again: nothing is to do but the reduce
	echo nonsense > "my job/rank-4.tq"
	WAIT=1 run -1 sh "$top/examples/fleet.slurm" "my job"
	[[ ${lines[0]} = "job 103: 1 recordings, 1 tasks" ]]
	[[ $output = *"fleet.sh: missing: rank-4.tq: tq-"* ]]
}

# in_slurm COMMAND ...: run it where srun and sbatch have four nodes
in_slurm() {
	local cluster=$top/../shared/tools/slurm/cluster.sh slurm

	need slurmctld munged
	[[ -e $cluster ]] || skip "no script that starts a Slurm"
	((EUID == 0)) || skip "Slurm needs root"
	slurm=$(mktemp -d)
	sh "$cluster" start "$slurm"
	SLURM_CONF=$slurm/slurm.conf run "$@"
	sh "$cluster" stop "$slurm"
	rm -rf "$slurm" || { # a daemon still writes
		sleep 1
		rm -rf "$slurm"
	}
	((status == 0))
}

@test "fleet.slurm on a real Slurm" {
	WAIT=1 in_slurm sh "$top/examples/fleet.slurm" "my job"
	[[ $output = *"$out: 4 recordings summed up, 0 missing"* ]]
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
	sh "$top/examples/fleet.sh" captured fleet
	[[ $(tq-stats -q --merge -f ndjson --plain-keys -r nvtx_sum \
	    fleet/*.part | jq -s 'map(.instances) | add') == \
	    $((8 * $(zstdcat captured/*-0.tq.zst | grep -c '"kind":"range"'))) ]]
	tq-align --by utc -o all.tq captured/*
	[[ $(grep -c '"kind":"trace"' all.tq) == 8 ]]
}

@test "of a report and its export beside it, the report is read" {
	mkdir runs
	printf 'version 2026.1.1.204\nkernel 1 2 corr=1 name="of the report"\n' |
	    report > runs/rank-0.nsys-rep
	cp "$(demo)" runs/rank-0.sqlite
	run -0 sh "$fleet" --todo runs out
	[ "$output" = "$PWD/runs/rank-0.nsys-rep" ]
}
