#!/bin/sh
# Sum up a folder of recordings, one of each rank, and find their common clock.
#
#	fleet.sh DIR [OUT]		OUT is DIR.fleet by default
#	RANKS=0,3 fleet.sh DIR [OUT]	and a trace of these ranks on one clock
#
# One task for each recording writes into OUT
#
#	NAME.tq.zst	its stream, correlated
#	NAME.part	its sums
#	NAME.points	what it knows of clocks
#	NAME.log	warnings and errors, where there are any
#
# and then the reduce writes
#
#	stats.txt	the sums of all; REPORTS names the reports
#	clocks.tq	the clock of each rank, for tq-align --apply
#	trace.json.gz	the trace of RANKS
#
# A second run makes what is missing or older than its input, and reduces again.
# Recordings that failed are named, the others are summed up, and the exit status
# is 1.  A recording that does not say its rank has the last number in its name.
# JOBS tasks run at once, by GNU parallel where it is installed.  Two runs must
# not write into one folder at the same time.
#
# fleet.slurm runs the steps as jobs of Slurm:
#
#	fleet.sh --todo DIR OUT		print the recordings that need a task
#	fleet.sh --task OUT RECORDING	do one
#	fleet.sh --reduce DIR OUT
set -eu

reports=cuda_gpu_kern_sum,cuda_gpu_mem_time_sum,cuda_api_sum,nvtx_sum

complain() {
	echo "fleet.sh: $*" >&2
}

usage() {
	echo "usage: fleet.sh dir [out]" >&2
	exit 2
}

# path FILE: the same from everywhere
path() {
	case $1 in
	/*) printf '%s\n' "$1" ;;
	*) printf '%s\n' "$PWD/$1" ;;
	esac
}

# older FILE INPUT ...: FILE is not there, or older than one of its inputs
older() {
	[ -e "$1" ] || return 0
	older=$1
	shift
	[ -n "$(find "$@" -newer "$older")" ]
}

# done_with OUT RECORDING: all of its files are there and new
done_with() {
	name=${2##*/}
	! older "$1/$name.tq.zst" "$2" &&
	    ! older "$1/$name.part" "$1/$name.tq.zst" "$1/reports" &&
	    ! older "$1/$name.points" "$1/$name.tq.zst"
}

# recordings DIR: print their paths, a line each; of a report of nsys and its
# export, the report
recordings() {
	for recording in "$1"/*; do
		[ -f "$recording" ] || continue
		case $recording in
		*-wal | *-shm | *-journal) continue ;;
		*"
"*)
			complain "a name with a line break: $recording"
			return 1
			;;
		esac
		if [ "${recording%.sqlite}" = "$recording" ] ||
		    [ ! -e "${recording%.sqlite}.nsys-rep" ]; then
			printf '%s\n' "$recording"
		fi
	done
}

# prepare OUT: the folder, and the reports that all parts have
prepare() {
	mkdir -p "$1"
	wanted=${REPORTS:-$reports}
	if [ ! -e "$1/reports" ] || [ "$(cat "$1/reports")" != "$wanted" ]; then
		echo "$wanted" > "$1/reports.new"
		mv "$1/reports.new" "$1/reports"
	fi
}

todo() { # DIR OUT
	recordings "$1" | while IFS= read -r recording; do
		done_with "$2" "$recording" || printf '%s\n' "$recording"
	done
}

# keep NEW FILE: it is renamed, and as old as the task, so that an input that changes in
# the meantime is newer
keep() {
	touch -r "$work/began" "$1"
	mv "$1" "$2"
}

# correlate RECORDING FILE: the exit status of a pipe is that of its last
# command, and an extract that fails at once leaves a legal empty stream
correlate() {
	{ tq-extract "$1" || touch "$work/failed"; } | tq-correlate -o "$2"
	[ ! -e "$work/failed" ]
}

make_all() { # OUT RECORDING
	stream=$1/${2##*/}.tq.zst
	part=$1/${2##*/}.part
	points=$1/${2##*/}.points
	if older "$stream" "$2"; then
		correlate "$2" "$work/stream.tq.zst" || return 1
		keep "$work/stream.tq.zst" "$stream" || return 1
	fi
	if older "$part" "$stream" "$1/reports"; then
		tq-stats --partial -r "$(cat "$1/reports")" "$stream" \
		    > "$work/part" || return 1
		keep "$work/part" "$part" || return 1
	fi
	if older "$points" "$stream"; then
		rank=$(printf %s "${2##*/}" |
		    sed -nE 's/^(.*[^0-9])?([0-9]{1,6})[^0-9]*$/\2/p')
		tq-align --points ${rank:+--rank "$rank"} \
		    -o "$work/points" "$stream" || return 1
		keep "$work/points" "$points" || return 1
	fi
}

# unfinished FOLDER: what a task or a reduce has not finished goes with it
unfinished() {
	work=$1
	rm -rf "$work"
	mkdir "$work"
	trap 'rm -rf "$work"' EXIT
	trap 'exit 1' HUP INT TERM
	touch "$work/began"
}

task() { # OUT RECORDING
	unfinished "$1/${2##*/}.new"
	if older "$work/began" "$2"; then # by the clock of another machine
		touch -r "$2" "$work/began"
	fi
	log=$1/${2##*/}.log
	status=0
	make_all "$1" "$2" 2> "$log" || status=1
	[ -s "$log" ] || rm -f "$log"
	return $status
}

# complain_of OUT LIST: a line for each recording without results, and why
complain_of() {
	while IFS= read -r recording; do
		log=$1/${recording##*/}.log
		why="its task did not end"
		[ ! -s "$log" ] || why=$(tail -n 1 "$log")
		complain "missing: ${recording##*/}: $why"
	done < "$2"
}

# rank_of POINTS: what its first line says
rank_of() {
	head -n 1 "$1" | sed -n 's/.*"rank":\([0-9]*\).*/\1/p'
}

trace() { # POINTS ...
	streams=0
	for rank in $(echo "$RANKS" | tr , ' '); do
		found=
		for points; do
			[ "$(rank_of "$points")" = "$rank" ] || continue
			found=${points%.points}.tq.zst
		done
		if [ ! "$found" ]; then
			complain "no recording is of rank $rank"
			return 1
		fi
		streams=$((streams + 1))
		tq-align --apply "$work/clocks.tq" --rank "$rank" \
		    -o "$work/$(printf %05d $streams).tq.zst" "$found" || return 1
	done
	tq-chrome -o "$work/trace.json.gz" "$work"/*.tq.zst
}

reduce() { # DIR OUT
	unfinished "$2/.reduce"
	todo "$1" "$2" > "$work/lost"
	lost=$(wc -l < "$work/lost")
	complain_of "$2" "$work/lost"
	recordings "$1" | grep -Fxv -f "$work/lost" | sed 's/.*\///' \
	    > "$work/names"
	if [ ! -s "$work/names" ]; then
		complain "no recording to sum up in $1"
		return 1
	fi
	cd "$2" # so that the names of many files fit a command line
	set --
	while IFS= read -r name; do
		set -- "$@" "./$name.part"
	done < "$work/names"
	all=$#
	tq-stats --merge -r "$(cat reports)" "$@" > "$work/stats.txt" || return 1
	set --
	while IFS= read -r name; do
		set -- "$@" "./$name.points"
	done < "$work/names"
	tq-align --solve -o "$work/clocks.tq" "$@" || return 1
	if [ "${RANKS-}" ]; then
		trace "$@" || return 1
		mv "$work/trace.json.gz" trace.json.gz
	fi
	mv "$work/stats.txt" stats.txt
	mv "$work/clocks.tq" clocks.tq
	echo "$PWD: $all recordings summed up, $lost missing"
	[ "$lost" -eq 0 ]
}

# each OUT: do the recordings on stdin, several at once.  moreutils has another
# program called parallel.
each() {
	jobs=${JOBS:-$(nproc)}
	if parallel --version 2> /dev/null < /dev/null |
	    grep -q '^GNU parallel'; then
		tr '\n' '\0' | parallel -0 -q -j "$jobs" sh "$0" --task "$1" {}
	else
		tr '\n' '\0' | xargs -0 -r -n 1 -P "$jobs" sh "$0" --task "$1"
	fi
}

step=
case ${1-} in
--todo | --task | --reduce)
	step=${1#--}
	shift
	[ $# -eq 2 ] || usage
	;;
-*) usage ;;
esac
if [ $# -lt 1 ] || [ $# -gt 2 ] || [ ! -d "$1" ]; then
	usage
fi
first=$(path "${1%/}")
second=$(path "${2:-${1%/}.fleet}")

case $step in
todo)
	prepare "$second"
	todo "$first" "$second"
	;;
task) task "$first" "$second" ;;
reduce) reduce "$first" "$second" ;;
*)
	prepare "$second"
	todo "$first" "$second" | each "$second" || : # the reduce says what failed
	reduce "$first" "$second"
	;;
esac
