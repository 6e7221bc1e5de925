#!/bin/sh
# run.sh - make same OLD=...: do the programs print what they printed before?
#
# Runs the programs of OLD, an older build, and of BUILD over the same inputs
# with the options of tests/same/TOOL.runs, and compares the standard output,
# the standard error and the exit status, byte for byte.  Then callgrind counts
# the instructions of the commands in tests/same/counts, which may not be more
# than 2 % above those of OLD.  Prints what differs, and last a line with the
# numbers; exits 1 where anything differs.
#
# Environment:
#	OLD	the build to compare with
#	BUILD	the build that is compared
#	TOOLS	only these tools, separated by blanks
#	CHANGED	what is meant to differ; tests/same/changed if unset
#	JOBS	how many run at once
#	COUNTS	empty: count no instructions
#
# What OLD printed is kept as checksums in $OLD/same, or in $BUILD/same where
# OLD is read-only: another comparison with it runs only the new programs.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
limit=2.0  # percent of instructions more than before
shown=10   # differences that are printed
size=40    # runs of one job

# ---- one job of runs, or one run: called by xargs ----

# run_all PROGRAMS: run the numbered commands on stdin in the current folder,
# each with its output in NUMBER.out and its messages and status in NUMBER.err.
# The files that a command makes have names of one letter and a suffix.
run_all()
{
	PATH=$1:$PATH
	export PATH
	while IFS='	' read -r number command; do
		eval "$command" > "$number.out" 2> "$number.err" < /dev/null
		echo "exit status $?" >> "$number.err"
		case $command in
		*' -o '* | *' > '* | *' 2> '* | 'cp '*) rm -rf [a-z] [a-z].* ;;
		esac
	done
}

limit_time()
{
	# shellcheck disable=SC3045 # dash and bash have it
	ulimit -t 60 # seconds of processor time for a program
}

# folder NAME: an empty folder with the inputs in it, for runs
folder()
{
	rm -rf "$1"
	mkdir -p "$1" && cd "$1" && ln -s "$SAME_IN" in || exit 1
}

case ${1-} in
--job) # PROGRAMS FILE: put the checksums of the runs in FILE into FILE.sums
	folder "$3.d"
	limit_time
	run_all "$2" < "$3"
	cut -f 1 "$3" | sed 's/.*/&.out\n&.err/' | xargs md5sum |
	    sed 's/\.[a-z]*$//' | paste - - |
	    awk '{ print $2 "\t" $1 $3 }' > "$3.sums"
	cd / && rm -rf "$3.d"
	exit
	;;
--differ) # OLD NEW FOLDER NUMBER: what differs in a run, once more
	folder "$4/$5.d"
	limit_time
	grep "^$5	" "$4/differ" > run
	for side in old new; do
		mkdir "$side" && cd "$side" && ln -s "$SAME_IN" in || exit 1
		programs=$2
		[ "$side" = old ] || programs=$3
		run_all "$programs" < ../run
		cd ..
	done
	for kind in out err; do
		LC_ALL=C sed -f "$4/both" "old/$5.$kind" |
		    LC_ALL=C sed -f "$4/edits" > expected
		LC_ALL=C sed -f "$4/both" "new/$5.$kind" |
		    diff -u --label old --label new expected -
	done | cut -c 1-300 | sed -n '1,12p' > "$4/$5.diff"
	cd "$4" && rm -rf "$5.d"
	exit
	;;
--count) # PROGRAMS FOLDER NAME COMMAND: a line NAME COMMAND INSTRUCTIONS
	PATH=$2:$PATH
	cd "$SAME_IN/.." || exit
	eval "valgrind --tool=callgrind --callgrind-out-file='$3/$4.callgrind' $5" \
	    > /dev/null 2> "$3/$4.log" < /dev/null
	sed -n 's/^summary: //p' "$3/$4.callgrind" | {
		read -r number && printf '%s\t%s\t%s\n' "$4" "$5" "$number"
	} > "$3/$4.count" || cat "$3/$4.log" >&2
	rm -f "$3/$4.callgrind"
	exit
	;;
esac

# ---- what is compared ----

fail()
{
	echo "same: $*" >&2
	exit 1
}

top=$(cd "$here/../.." && pwd)
[ -n "${OLD-}" ] || fail 'make same OLD=/path/to/an/older/build'
OLD=$(cd "$OLD" && pwd) || exit 1
BUILD=$(cd "$top" && cd "${BUILD:-build}" && pwd) || exit 1
data=$(cd "$top" && cd "${TQ_DATA:-../shared/data}" 2> /dev/null && pwd)
changed=${CHANGED:-$here/changed}
jobs=${JOBS:-$(nproc)}
all='tq-extract tq-filter tq-correlate tq-stats tq-chrome tq-perfetto
    tq-table tq-capture tq-diff tq-advise tq-align tq'
tools=${TOOLS:-$all}
export LC_ALL=C.UTF-8 TZ=UTC PAGER=cat # nobody is there to quit another
unset COLUMNS POSIXLY_CORRECT BASH_ENV NO_COLOR TQ_PAGER

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
export TMPDIR="$work"

# the old programs, and the new ones with those that are not compared
mkdir "$work/bin.old" "$work/bin.new"
for tool in $all; do
	[ -x "$OLD/$tool" ] || fail "no $tool in $OLD"
	ln -s "$OLD/$tool" "$work/bin.old/$tool"
	ln -s "$OLD/$tool" "$work/bin.new/$tool"
done
for tool in $tools; do
	[ -x "$BUILD/$tool" ] || fail "no $tool in $BUILD"
	[ -e "$here/$tool.runs" ] || fail "no $tool.runs"
	ln -sf "$BUILD/$tool" "$work/bin.new/$tool"
done

# ---- the inputs ----

# sources: GROUPS, a tab and FILE of each input that is there
sources()
{
	sed '/^#/d; /^$/d' "$here/inputs" | while read -r how name groups; do
		case $how in
		sql) file=$top/$name.sql ;;
		rule) file=$top/tests/data/rules/$name ;;
		real) file=$data/nsys/$name.sqlite ;;
		*) file=$data/$name ;;
		esac
		if [ -e "$file" ]; then
			printf '%s\t%s\n' "$groups" "$file"
		else
			echo "same: no $name: left out" >&2
		fi
	done
}

sources > "$work/sources"
key=$({
	cat "$here/inputs.sh" "$top"/tests/data/make.sh \
	    "$top"/tests/data/parts/* "$top/tests/rules.awk" \
	    "$top/tests/ranks/ranks.c" "$top/tests/data/report.txt" \
	    "$top"/tests/data/rules/*
	[ ! -x "$BUILD/ranks" ] || echo ranks
	[ ! -x "$BUILD/report" ] || echo report
	cut -f 2 "$work/sources" | tr '\n' '\0' | xargs -0 md5sum | cut -c 1-32
	for tool in $all; do
		md5sum < "$OLD/$tool"
	done
} | md5sum | cut -c 1-16)
kept=$OLD/same
{ mkdir -p "$kept" && [ -w "$kept" ]; } 2> /dev/null ||
    { kept=$BUILD/same && mkdir -p "$kept"; } || exit 1
kept=$kept/$key
export SAME_IN="$kept/in"
if [ ! -d "$kept" ]; then
	# another may make them at the same time
	new=$(mktemp -d "$kept.XXXXXX") || exit 1
	trap 'rm -rf "$work" "$new"' EXIT
	chmod 755 "$new"
	PATH=$OLD:$PATH sh "$here/inputs.sh" "$work/sources" "$new" "$BUILD" ||
	    fail 'the inputs could not be made'
	mv -T "$new" "$kept" 2> /dev/null || [ -d "$kept" ] || exit 1
fi

# ---- the runs ----

# what is meant to differ
sed -n 's/^run[ 	]*//p' "$changed" > "$work/may"
sed -n 's/^both[ 	]*//p' "$changed" > "$work/both"
sed '/^\(run\|both\)[ 	]/d' "$changed" > "$work/edits"
for tool in $tools; do
	awk -f "$here/expand.awk" "$kept/names" "$here/$tool.runs"
done > "$work/commands"
[ ! -s "$work/may" ] || {
	grep -vE -f "$work/may" "$work/commands" > "$work/left"
	mv "$work/left" "$work/commands"
}
awk '!seen[$0]++ { printf "%d\t%s\n", ++n, $0 }' "$work/commands" \
    > "$work/runs"
total=$(wc -l < "$work/runs")
cut -f 2 "$work/runs" | sh -n || fail 'a run is no command of the shell'

# checksums SIDE PROGRAMS: those of the runs on stdin are put in SIDE.sums, as
# lines of number and checksums
checksums()
{
	mkdir "$work/$1"
	# neighbours take about as long as each other: deal them out
	awk -v size="$size" -v to="$work/$1/job." '
	{ line[NR] = $0 }
	END {
		jobs = int((NR + size - 1) / size)
		for (i = 1; i <= NR; i++)
			print line[i] > (to (i % jobs))
	}'
	find "$work/$1" -name 'job.*' -print0 |
	    xargs -0 -r -n 1 -P "$jobs" sh "$here/run.sh" --job "$2" >&2
	find "$work/$1" -name '*.sums' -exec cat {} + > "$work/$1.sums"
	for job in "$work/$1"/job.*[0-9]; do
		[ -e "$job.sums" ] || [ ! -e "$job" ] ||
		    fail "some runs were lost:
$(cat "$job")"
	done
}

touch "$kept/sums"
awk -F '\t' 'FILENAME == ARGV[1] { known[$2] = 1; next } !($2 in known)' \
    "$kept/sums" "$work/runs" > "$work/unknown"
checksums old "$work/bin.old" < "$work/unknown"
awk -F '\t' '
FILENAME == ARGV[1] { command[$1] = $2; next }
{ print $2 "\t" command[$1] }' "$work/unknown" "$work/old.sums" > "$work/add"
cat "$work/add" >> "$kept/sums"
checksums new "$work/bin.new" < "$work/runs"

# those that differ, with their numbers; they run once more to say how
awk -F '\t' '
FILENAME ~ /runs$/ { command[$1] = $2; next }
FILENAME ~ /new.sums$/ { new[command[$1]] = $2; next }
{ old[$2] = $1 }
END {
	for (number in command)
		if (old[command[number]] != new[command[number]])
			print number "\t" command[number]
}' "$work/runs" "$work/new.sums" "$kept/sums" | sort -n > "$work/differ"
again=$shown
if grep -q '^[^#]' "$work/edits"; then
	again=$total # most may be meant
fi
head -n "$again" "$work/differ" | cut -f 1 | xargs -r -n 1 -P "$jobs" \
    sh "$here/run.sh" --differ "$work/bin.old" "$work/bin.new" "$work"
differ=0
while IFS='	' read -r number command; do
	if [ -e "$work/$number.diff" ] && [ ! -s "$work/$number.diff" ]; then
		[ "$again" = "$shown" ] || continue
		echo 'the same once more: not deterministic' \
		    > "$work/$number.diff"
	fi
	differ=$((differ + 1))
	[ "$differ" -le "$shown" ] || continue
	echo "DIFFERS: $command"
	sed 's/^/    /' "$work/$number.diff"
done < "$work/differ"
[ "$differ" -le "$shown" ] || echo "... and $((differ - shown)) more"

# ---- the instructions ----

# counts SIDE PROGRAMS: NAME, COMMAND and instructions of those on stdin
counts()
{
	mkdir "$work/counts.$1"
	tr '\t\n' '\0\0' |
	    xargs -0 -r -n 2 -P "$jobs" sh "$here/run.sh" --count "$2" \
	    "$work/counts.$1"
	find "$work/counts.$1" -name '*.count' -exec cat {} +
}

status=0
ratios=
if [ -n "${COUNTS-yes}" ]; then
	read -r name < "$kept/counted"
	for tool in $tools; do
		sed '/^#/d' "$here/counts" |
		    awk -v tool="$tool" '$2 == tool'
	done | sed "s,{db},in/$name.sqlite,; s,{raw},in/$name.tq,
	    s,{cor},in/$name.c.tq," > "$work/count"
	touch "$kept/counts"
	awk -F '\t' 'FILENAME == ARGV[1] { known[$2] = 1; next } !($2 in known)' \
	    "$kept/counts" "$work/count" > "$work/unknown"
	counts old "$work/bin.old" < "$work/unknown" > "$work/add"
	cat "$work/add" >> "$kept/counts"
	counts new "$work/bin.new" < "$work/count" > "$work/new.counts"
	ratios=$(awk -F '\t' -v limit="$limit" '
	FILENAME ~ /count$/ { name[++n] = $1; command[n] = $2; next }
	FILENAME ~ /new.counts$/ { new[$2] = $3; next }
	{ old[$2] = $3 }
	END {
		for (i = 1; i <= n; i++) {
			was = old[command[i]]
			is = new[command[i]]
			more = is > was * (1 + limit / 100)
			printf " %s %s%s", name[i],
			    was && is ? sprintf("%.3f", is / was) : "failed",
			    more ? " (too many)" : ""
			bad = bad || !was || !is || more
		}
		exit bad
	}' "$work/count" "$work/new.counts" "$kept/counts") || status=1
	ratios="; instructions:$ratios"
fi
[ "$differ" -eq 0 ] || status=1
echo "same: $total runs, $differ differ$ratios"
exit "$status"
