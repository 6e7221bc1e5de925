#!/bin/sh
# fleet.sh - the steps of tq fleet, which fleet.c runs as "sh -c": a task for each
# recording, the clocks of all, a second task for each, and the reduce.
#
#	run SOURCE OUT		all of it: SOURCE is a folder, or a list of paths
#	on_this_machine OUT	the steps below, without Slurm
#	task OUT LIST I N	of every N-th line of LIST, from line I: the stream,
#				its sums, what it knows of clocks
#	solve OUT		the clocks of all ranks
#	place OUT LIST I N	likewise: what reports on ranks need, on one clock
#	reduce OUT		the sums and the page of all
#
# OUT has for each recording
#
#	NAME.tq.zst	its stream, correlated
#	NAME.part	its sums
#	NAME.points	what it knows of clocks
#	NAME.ranks	what reports on ranks need of it
#	NAME.log	warnings and errors, where there are any
#
# and of all
#
#	report.txt		what the reduce found
#	index.html		the page of it
#	job.tq.zst		the streams of all, on one clock, and
#	ranks.html		a row for each rank: where the streams are small,
#				so that the page is that of tq-stats over them
#	sums.part		sums, for tq-stats --merge
#	ranks.tables		tables on ranks, likewise
#	clocks.tq		for tq-align --apply; clocks.html has them, too
#	trace.json.gz		of the ranks of FLEET_TRACE
#	recordings		a line for each: NAME, a tab, its path
#	reports, version	what the sums are of, and who made it all: what
#				is older is made again
#
# Each file is made under another name, and is as old as the task that made it:
# an input that changes in the meantime is newer, so that the next run makes what
# is missing or older than its input, and no more.
#
# set -e does not hold in a function whose status is tested ("f || g", "if f"): a
# step is a process of its own, and made() runs what prints a file.
set -eu
unset CDPATH

sums=cuda_gpu_kern_sum,cuda_gpu_mem_time_sum,cuda_api_sum,nvtx_sum:folded
sums=${FLEET_REPORTS:-$sums}
ranks=stragglers,ranks:worst,critical,ranks,ranks:spread,collectives
most_rows=500           # of a table of the page
longest_command=1500000 # bytes
# bytes of streams, compressed, of all ranks; tests set FLEET_SMALL, which is no
# part of the interface
small=${FLEET_SMALL:-100000000}
no_trace=3 # exit status of the reduce: all but the trace is there
tab=$(printf '\t')
newline='
'

on_terminal() {
	[ "${FLEET_QUIET-}" = "" ] && [ -t 2 ]
}

# clear_progress: the line of it, for a message
clear_progress() {
	! on_terminal || printf '\r\033[K' >&2 || :
}

# Nobody may be there to read it: that is no failure.
complain() {
	clear_progress
	printf 'tq fleet: %s\n' "$*" >&2 || :
}

# print: stdin is what the user gets; where the reader left there is no message
print() {
	printed=0
	{
		error=$(cat 2>&1 >&3) || printed=1
	} 3>&1
	[ $printed != 0 ] || return 0
	[ "$error" = "" ] || complain "<stdout>: ${error##*: }"
	exit 1
}

# problem STATUS MESSAGES: why a file was not made, in a line
problem() {
	case $2 in
	*"No space left on device"*) echo "No space left on device" ;;
	*"cannot create "*) printf '%s\n' "${2##*: }" ;;
	*"cannot be written"* | *": I/O error"*) # the latter of echo or printf
		echo "cannot be written"
		;;
	'') echo "not complete: a command ended with status $1" ;;
	*) printf '%s\n' "$2" | head -n 1 ;;
	esac
}

# made FILE COMMAND ...: FILE is what the command prints, and where it fails,
# this step ends; FILE may be in $work, before it gets its name in $out
made() {
	made=$1
	shift
	set +e
	messages=$( (
		set -e
		"$@" > "$made"
	) 2>&1)
	failed=$?
	set -e
	if [ $failed != 0 ]; then
		complain "$out/${made##*/}: $(problem $failed "$messages")"
		exit 1
	fi
	[ "$messages" = "" ] || printf '%s\n' "$messages" >&2 || :
}

# older FILE INPUT ...: FILE is not there, or older than one of its inputs
older() {
	[ -e "$1" ] || return 0
	older=$1
	shift
	[ -n "$(find "$@" -newer "$older")" ]
}

# ---- the recordings ----

# list_folder DIR: their paths, a line each; of a report of nsys and its export,
# the report
list_folder() {
	for recording in "$1"/*; do
		# a link to nothing is named with its error
		[ -f "$recording" ] || {
			[ -h "$recording" ] && [ ! -e "$recording" ]
		} || continue
		case $recording in
		*-wal | *-shm | *-journal) continue ;;
		esac
		if [ "${recording%.sqlite}" = "$recording" ] ||
		    [ ! -e "${recording%.sqlite}.nsys-rep" ]; then
			printf '%s\n' "$recording"
		fi
	done
}

# refuse_name PATH: lists have a line for each name, and a tab behind it
refuse_name() {
	complain "$(printf %s "$1" | tr '\t\n' '??'): a tab or newline (?) in" \
	    "the name: rename it"
	exit 1
}

# check_names DIR: of its files
check_names() {
	for recording in "$1"/*"$tab"* "$1"/*"$newline"*; do
		if [ -f "$recording" ] || [ -h "$recording" ]; then
			refuse_name "$recording"
		fi
	done
}

# name_all: each path on stdin behind its name, which is that of the file, or
# the whole path where two files have the same one
name_all() {
	DIR=$PWD awk '{
		path[NR] = $0 ~ /^\// ? $0 : ENVIRON["DIR"] "/" $0
		name = $0
		sub(/.*\//, "", name)
		count[name]++
		short[NR] = name
	}
	END {
		for (i = 1; i <= NR; i++) {
			name = short[i]
			if (count[name] > 1) {
				name = path[i]
				sub(/^\/+/, "", name)
				gsub(/[\/\t]/, "_", name)
			}
			print name "\t" path[i]
		}
	}'
}

recordings() { # SOURCE
	case $PWD/$1 in
	*"$newline"*) refuse_name "$PWD/$1" ;;
	esac
	if [ -d "$1" ]; then
		check_names "$1"
		list_folder "$1" | name_all
		return
	fi
	paths=$(grep -v '^[[:space:]]*\(#\|$\)' -- "$1") || :
	[ "$paths" ] || return 0
	wrong=$(printf '%s\n' "$paths" | grep -m 1 "$tab"'[^/]*$') || :
	[ ! "$wrong" ] || refuse_name "$wrong"
	printf '%s\n' "$paths" | name_all
}

# path_of OUT NAME
path_of() {
	# "01" is not "1", and a backslash is one
	NAME=$2 awk -F '\t' '$1 "" == ENVIRON["NAME"] "" {
		print substr($0, length($1) + 2)
		exit
	}' "$1/recordings"
}

# ---- tasks ----

# unfinished FOLDER: what a step has not finished goes with it
unfinished() {
	work=$1
	trap 'rm -rf "$work"' EXIT
	trap 'exit 1' HUP INT TERM
	rm -rf "$work" && mkdir "$work" && touch "$work/began" || exit 1
}

keep() { # NEW FILE
	touch -r "$work/began" "$1" && mv "$1" "$2"
}

# the exit status of a pipe is that of its last command, and an extract that fails
# at once leaves a legal empty stream
correlate() { # RECORDING FILE
	{ tq-extract -- "$1" && touch "$work/extracted"; } |
	    tq-correlate -o "$2" && [ -e "$work/extracted" ]
}

make_sums() { # OUT NAME RECORDING
	stream=$1/$2.tq.zst
	if [ ! -e "$3" ] || older "$stream" "$3" "$1/version"; then
		correlate "$3" "$work/stream.tq.zst" || return 1
		keep "$work/stream.tq.zst" "$stream" || return 1
	fi
	if older "$1/$2.part" "$stream" "$1/reports"; then
		tq-stats -q --partial -r "$sums" "$stream" > "$work/part" ||
		    return 1
		keep "$work/part" "$1/$2.part" || return 1
	fi
	if older "$1/$2.points" "$stream"; then
		rank=$(tq fleet --step rank -- "$2") || return 1
		tq-align --points ${rank:+--rank "$rank"} -o "$work/points" \
		    "$stream" || return 1
		keep "$work/points" "$1/$2.points" || return 1
	fi
}

# rank_of POINTS: what its first line says
rank_of() {
	head -n 1 "$1" | sed -n 's/.*"rank":\([0-9]*\).*/\1/p'
}

# clocked OUT NAME OPTION ...: its stream on the clock of all
clocked() {
	points=$1/$2.points clocks=$1/clocks.tq stream=$1/$2.tq.zst
	shift 2
	tq-align "$@" --apply "$clocks" --rank "$(rank_of "$points")" "$stream"
}

make_ranks() { # OUT NAME
	older "$1/$2.ranks" "$1/$2.tq.zst" "$1/clocks.tq" || return 0
	{
		clocked "$1" "$2" && touch "$work/clocked"
	} | tq-stats -q --partial -r "$ranks" > "$work/ranks" || return 1
	[ -e "$work/clocked" ] && keep "$work/ranks" "$1/$2.ranks"
}

# add_log FILE MESSAGES: on a full disk they are seen at least
add_log() {
	[ "$2" != "" ] || return 0
	printf '%s\n' "$2" >> "$1" || complain "$1: $2" 2>&4
}

# one task of a recording: its messages are in NAME.log; that a signal has ended
# one of its commands is none
task() { # OUT NAME STEP
	(
		unfinished "$1/.$2.$3"
		recording=$(path_of "$1" "$2")
		if older "$work/began" "$recording" 2> /dev/null; then
			touch -r "$recording" "$work/began" # another clock
		fi
		if [ "$3" = task ]; then
			rm -f "$1/$2.log"
			log=$(make_sums "$1" "$2" "$recording" 2>&1) || :
		else
			log=$(make_ranks "$1" "$2" 2>&1) || :
		fi
		add_log "$1/$2.log" "$log"
	) 4>&2 2> /dev/null || :
	{ printf . >> "$1/.done"; } 2> /dev/null || :
}

# tasks OUT LIST I N STEP: every N-th line
tasks() {
	awk -v i="$3" -v n="$4" '(NR - i) % n == 0' "$2" |
	    while IFS= read -r name; do
		task "$1" "$name" "$5"
	done
}

# ---- clocks, and the reduce ----

# states OUT: see fleet_states(); a dry run has no list there, and all is to be
# made where it would be of other reports or of another version
states() {
	if [ "${FLEET_DRY_RUN-}" = "" ]; then
		tq fleet --step states "$1"
	elif has_setting "$1/reports" "$sums" &&
	    has_setting "$1/version" "$version"; then
		printf '%s\n' "$list" | tq fleet --step states "$1" -
	else
		printf '%s\n' "$list" | awk -F '\t' '{ print $1 "\ttodo\t" }'
	fi
}

# names_in OUT STATE: the names of recordings that are so
names_in() {
	states "$1" | awk -F '\t' -v state="$2" '$2 == state { print $1 }'
}

# whole OUT: those whose tasks ended well, and of each rank one
whole() {
	states "$1" |
	    awk -F '\t' '$2 != "todo" && ($3 < 0 || !seen[$3]++) { print $1 }'
}

# name_of OUT RANK: that of them
name_of() {
	states "$1" | awk -F '\t' -v rank="$2" '
	$2 != "todo" && $3 == rank {
		print $1
		exit
	}'
}

# with_files LIST SUFFIX COMMAND ...: with the files of the names in LIST behind it
with_files() {
	list=$1 suffix=$2
	shift 2
	sed "s|.*|./&.$suffix|" "$list" | tr '\n' '\0' |
	    xargs -0 -x -s "$longest_command" "$@"
}

# none_left LOST MESSAGE: the step ends, for there is nothing to go on with
none_left() {
	clear_progress
	sed 's/^/tq fleet: not used: /' "$1" >&2 || :
	complain "$2"
	exit 1
}

solve() { # OUT
	cd "$1"
	out=$PWD
	unfinished "$out/.solve"
	# without new names the reduce, a job of its own, is not to use old ones
	[ ! -e names ] || mv names "$work/old"
	made "$work/names" whole .
	if [ ! -s "$work/names" ]; then
		mv "$work/names" names
		made "$work/lost" lost .
		rm -f names
		none_left "$work/lost" "no recording could be read"
	fi
	made "$work/clocks.html" with_files "$work/names" points \
	    tq-align --solve --report -f html -o "$work/clocks.tq"
	for file in clocks.html clocks.tq; do
		cmp -s "$work/$file" "$file" || mv "$work/$file" "$file"
	done
	if cmp -s "$work/names" "$work/old"; then
		mv "$work/old" names
	else
		mv "$work/names" names
	fi
}

# why OUT NAME RANK: that there is no result; RANK is empty where it has none
why() {
	if [ -s "$1/$2.log" ]; then
		head -n 1 "$1/$2.log"
	elif [ "$3" ]; then
		printf 'rank %s is that of %s already\n' "$3" \
		    "$(name_of "$1" "$3")"
	else
		echo "its task did not end"
	fi
}

# lost OUT: a line for each recording without results, and why
lost() {
	states "$1" | awk -F '\t' '
	FILENAME != "-" { used[$0] = 1 }
	FILENAME == "-" && !($1 in used) { print $1 "\t" $3 }
	' "$1/names" - | while IFS=$tab read -r name rank; do
		printf '%s: %s\n' "$name" "$(why "$1" "$name" "$rank")"
	done
}

# lost_in_all FOLDER: those, and the ones whose second task failed
lost_in_all() {
	lost .
	grep -Fxv -f "$1/placed" names | while IFS= read -r name; do
		printf '%s: %s\n' "$name" "$(why . "$name" "")"
	done
}

# used OUT STATE: those that are so, of the ones in $OUT/names
used() {
	names_in "$1" "$2" | grep -Fx -f "$1/names" || [ $? = 1 ]
}

# is_small FOLDER: the streams of all in one are
is_small() {
	sed 's|.*|./&.tq.zst|' "$1/placed" | tr '\n' '\0' |
	    xargs -0 ls -ln |
	    awk -v most="$small" '
		{ bytes += $5 }
		END { exit NR == 0 || bytes > most }'
}

# streams FOLDER: of all, one after the other, on one clock
streams() {
	while IFS= read -r name; do
		clocked . "$name" -z
	done < "$1/placed"
}

# job FOLDER: the streams of all in a file, where they are small
job() {
	if is_small "$1"; then
		made "$1/job.tq.zst" streams "$1"
		mv "$1/job.tq.zst" .
	else
		rm -f job.tq.zst ranks.html
	fi
}

trace() { # FOLDER: of FLEET_TRACE; all else is there
	for rank in $(echo "$FLEET_TRACE" | tr , ' '); do
		found=$(name_of . "$rank")
		[ "$found" ] || {
			complain "no recording is of rank $rank"
			exit $no_trace
		}
		made "$1/$(printf %06d "$rank").tq.zst" clocked . "$found" -z
	done
	tq-chrome -q -o "$1/trace.json.gz" "$1"/*.tq.zst
	mv "$1/trace.json.gz" .
}

# ask FORMAT OPTION ...: $rows becomes a table; it is empty where that has none,
# which is status 1 without a message
ask() {
	rows=$(tq-stats -q --no-pager --merge -f "$@") && return
	[ $? = 1 ] && [ "$(tq-stats -q --no-pager --merge -f "$@" \
	    2>&1 > /dev/null)" = "" ]
}

# headline TABLES: in a sentence, which rank the others wait for, with those of its
# coordinates that are not the same for all
headline() {
	ask tsv --plain-keys -r stragglers "$1"
	printf '%s\n' "$rows" | awk -F '\t' '
	BEGIN { axes = split("dp pp cp tp dcp ep", axis, " ") }
	NR == 1 {
		for (i = 1; i <= NF; i++)
			at[$i] = i
		next
	}
	{
		for (i = 1; i <= axes; i++) {
			value = axis[i] in at ? $at[axis[i]] : ""
			if (value != "" && axis[i] in seen && seen[axis[i]] != value)
				differ[axis[i]] = 1
			if (value != "")
				seen[axis[i]] = value
		}
	}
	$at["finding"] != "" && (worst == "" || $at["lead_ns"] + 0 > lead) {
		worst = $at["rank"]
		lead = $at["lead_ns"] + 0
		for (i = 1; i <= axes; i++)
			place[i] = axis[i] in at ? $at[axis[i]] : ""
		text = sprintf(" on %s holds the others up, by its %s: last " \
		    "in %s of %s collectives, the others wait %.3f s in all.",
		    $at["node"], $at["finding"], $at["last"],
		    $at["instances"], $at["cost_ns"] / 1e9)
	}
	{ rows++ }
	END {
		for (i = 1; i <= axes; i++)
			if (axis[i] in differ && place[i] != "")
				mesh = mesh (mesh == "" ? " (" : ", ") \
				    axis[i] " " place[i]
		if (worst != "")
			print "Rank " worst mesh (mesh == "" ? "" : ")") text
		else if (rows > 0)
			print "No rank holds the others up."
		else
			print "No two ranks have a collective in common on one clock."
	}'
}

# counts FOLDER: in a sentence, how many recordings are in the results
counts() {
	printf '%s recordings summed up, %s not used' \
	    "$(wc -l < names)" "$(wc -l < "$1/lost")"
}

# first_rows FILE: a page, its tables cut like those of tq-stats --top
first_rows() {
	awk -v most=$most_rows '
	/^<tbody>/ { rows = 0 }
	/^<tr>/ && ++rows > most { next }
	/^<\/table>/ && rows > most {
		print
		print "<p>... " rows - most " more</p>"
		next
	}
	{ print }' "$1"
}

# clocks: how far they are proved, in a sentence
clocks() {
	awk '
	function value(key, text) {
		if (!match($0, "\"" key "\":\"?[^,\"}]*"))
			return ""
		text = substr($0, RSTART, RLENGTH)
		sub(/^[^:]*:"?/, "", text)
		return text
	}
	!/"kind":"clock"/ { next }
	{
		by[value("clock_by")]++
		error = value("clock_error")
	}
	error == "" { unknown++ }
	error != "" { known++ }
	error != "" && error + 0 >= most {
		most = error + 0
		rank = value("rank")
	}
	END {
		text = ""
		n = split("collectives sequence utc none", words, " ")
		for (i = 1; i <= n; i++)
			if (words[i] in by)
				text = text (text == "" ? "" : ", ") \
				    by[words[i]] " by " words[i]
		if (known > 1) # the reference is right by definition
			text = text sprintf("; wrong by at most %.1f us (rank %s)",
			    most / 1e3, rank)
		if (unknown > 0)
			text = text "; " unknown " without a known error"
		print "Clocks: " text "."
	}' clocks.tq
}

# shown FORMAT OPTION ...: a table that has rows, behind an empty line in text
shown() {
	ask "$@"
	[ "$rows" ] || return 0
	[ "$1" != table ] || echo
	printf '%s\n' "$rows"
}

# sum FORMAT REPORT FILE: what is text has no first rows, and is in no page
sum() {
	refused=0
	tq-stats -q --merge -f "$1" -r "$2" --top 15 "$3" > /dev/null 2>&1 ||
	    refused=$?
	if [ $refused != 2 ]; then
		shown "$1" -r "$2" --top 15 "$3"
	elif [ "$1" = table ]; then
		shown "$1" -r "$2" "$3"
	fi
}

# summed FORMAT FILE: the sums
summed() {
	for report in $(printf '%s\n' "$sums" | tr , ' '); do
		sum "$1" "$report" "$2"
	done
}

# sections FOLDER FORMAT: what people read first
sections() {
	for table in "stragglers --sort lead --top 10" ranks:worst \
	    "critical --sort lead --top 10" ranks:spread \
	    "collectives --top 15"; do
		# shellcheck disable=SC2086 # these are words
		shown "$2" -r $table "$1/ranks.tables"
	done
	summed "$2" "$1/sums.part"
}

# lists FOLDER: a row for each rank, as pages
lists() {
	shown html -r ranks --top $most_rows "$1/ranks.tables"
	first_rows clocks.html
}

report() { # FOLDER
	headline "$1/ranks.tables"
	clocks
	if [ -s "$1/lost" ]; then
		printf '\nNot used:\n'
		sed 's/^/    /' "$1/lost"
	fi
	if [ -e job.tq.zst ]; then
		echo
		tq-stats -q --no-pager "$PWD/job.tq.zst"
		[ "${FLEET_REPORTS-}" = "" ] || summed table "$1/sums.part"
	else
		sections "$1" table
	fi
}

escaped() {
	sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'
}

# not_used FOLDER: the recordings without results, and why
not_used() {
	[ -s "$1/lost" ] || return 0
	echo '<h2>Not used</h2>'
	echo '<ul>'
	escaped < "$1/lost" | sed 's|.*|<li>&</li>|'
	echo '</ul>'
}

# more FOLDER: what the page of tq-stats cannot know
more() {
	counted=$(counts "$1")
	proved=$(clocks)
	printf '<section class="c">\n<p>%s.\n%s</p>\n' "$counted" "$proved"
	not_used "$1"
	echo '<p><a href="ranks.html">A row for each rank</a></p>'
	echo '</section>'
}

# job_page FOLDER: that of tq-stats, and more
job_page() {
	made "$1/page" tq-stats -q -f html "$PWD/job.tq.zst"
	made "$1/more" more "$1"
	MORE=$1/more awk '
	/^<\/main>$/ && !added++ {
		while ((getline line < ENVIRON["MORE"]) > 0)
			print line
	}
	{ print }' "$1/page"
}

# rank_tables FOLDER: each one is in a page of its own
rank_tables() {
	sections "$1" html
	lists "$1"
}

# rank_page FOLDER: they become one
rank_page() {
	made "$1/pages" rank_tables "$1"
	title=$(headline "$1/ranks.tables")
	counted=$(counts "$1")
	proved=$(clocks)
	sed -n '/<body>/q; s|<title>.*</title>|<title>tq fleet</title>|; p' \
	    "$1/pages"
	printf '<body>\n<h1>%s</h1>\n<p>%s.\n%s</p>\n' \
	    "$(printf '%s\n' "$title" | escaped)" "$counted" "$proved"
	not_used "$1"
	awk '/^<body>$/ { inside = 1; next }
	     /^<script>$/ { inside = 0 }
	     inside' "$1/pages"
	echo '<p>All rows, in this folder:' \
	    '<code>tq-stats --merge -r stragglers,ranks ranks.tables</code></p>'
	sed -n '/^<script>$/,/^<\/html>$/p; /^<\/html>$/q' "$1/pages"
}

# Nothing has changed since the last reduce.
fresh() {
	[ -e report.txt ] && [ ! "${FLEET_TRACE-}" ] &&
	    [ ! "$(find . ! -name . -newer report.txt ! -name '.*' ! -name lost \
		! -name "*.html" ! -name trace.json.gz)" ]
}

reduce() { # OUT
	cd "$1"
	out=$PWD
	[ -e names ] || exit 1 # no recording could be read
	! fresh || exit 0
	unfinished "$out/.reduce"
	made "$work/placed" used . placed
	made "$work/lost" lost_in_all "$work"
	[ -s "$work/placed" ] ||
	    none_left "$work/lost" "no rank has results on the common clock"
	made "$work/sums.part" with_files names part \
	    tq-stats -q --merge --partial -r "$sums"
	made "$work/ranks.tables" with_files "$work/placed" ranks \
	    tq-stats -q --merge --tables -r "$ranks"
	job "$work"
	made "$work/report.txt" report "$work"
	if [ -e job.tq.zst ]; then
		made "$work/ranks.html" rank_page "$work"
		made "$work/index.html" job_page "$work"
		mv "$work/ranks.html" .
	else
		made "$work/index.html" rank_page "$work"
	fi
	touch "$work/report.txt"
	mv "$work/sums.part" "$work/ranks.tables" "$work/index.html" \
	    "$work/lost" .
	mv "$work/report.txt" .
	[ ! "${FLEET_TRACE-}" ] || trace "$work"
}

# ---- all of it ----

# here OUT LIST STEP: several at once on this machine, where LIST is in OUT.
# moreutils has another program called parallel.
here() (
	cd "$1" || exit 1 # no word of the command has braces then
	count=$(wc -l < "$2")
	[ "$count" -gt 0 ] || exit 0
	if parallel --version 2> /dev/null < /dev/null |
	    grep -q '^GNU parallel'; then
		seq "$count" | parallel -q -j "$FLEET_JOBS" \
		    tq fleet --step "$3" . "$2" {} "$count"
	else
		seq "$count" | xargs -P "$FLEET_JOBS" -I '{}' \
		    tq fleet --step "$3" . "$2" '{}' "$count"
	fi
)

# progress OUT: how many tasks have ended, while the shell that began it runs
progress() {
	while sleep 1 && kill -0 $$ 2> /dev/null; do
		total=$(cat "$1/.todo" "$1/.all" 2> /dev/null | wc -l)
		ended=$(wc -c 2> /dev/null < "$1/.done") || continue
		printf '\r\033[K%s of %s tasks' "$ended" "$total" >&2
	done
}

todo() { # OUT: the names whose first task is missing or out of date
	names_in "$1" todo
}

unplaced() { # OUT: likewise the second task, of those with results
	used "$1" made
}

# say COMMAND ...: print it, as one that would print JOB
say() {
	printf '%s' "$1" >&2
	shift
	printf " '%s'" "$@" >&2
	echo >&2
	echo JOB
}

# submit OPTION ... -- STEP ARGUMENT ...: a job of Slurm, whose number becomes $job
submit() {
	before=
	while [ "$1" != -- ]; do
		before="$before $1"
		shift
	done
	shift
	to=$out/.job
	[ "${FLEET_DRY_RUN-}" = "" ] || to=/dev/null
	# shellcheck disable=SC2086 # options are words
	${FLEET_DRY_RUN:+say} sbatch --parsable --job-name=tq-fleet \
	    --ntasks=1 ${FLEET_PARTITION:+--partition="$FLEET_PARTITION"} \
	    ${FLEET_ACCOUNT:+--account="$FLEET_ACCOUNT"} \
	    --open-mode=append --output="$out/jobs.log" $before \
	    --wrap "$(step_words "$@")" > "$to" || return 1
	last_job
}

# the number of the job that was submitted last; behind it may be a cluster
last_job() {
	job=JOB
	[ "${FLEET_DRY_RUN-}" ] ||
	    job=$(sed 's/;.*//' "$out/.job" 2> /dev/null) || job=
}

# step_words STEP ARGUMENT ...: the command, for a shell; "INDEX" becomes the
# number of the task in its array
step_words() {
	printf 'tq fleet --step'
	for word; do
		if [ "$word" = INDEX ]; then
			# shellcheck disable=SC2016 # the job expands it
			printf ' "$SLURM_ARRAY_TASK_ID"'
		else
			printf " '%s'" \
			    "$(printf %s "$word" | sed "s/'/'\\\\''/g")"
		fi
	done
}

# tasks_of NAMES: how many tasks an array has for them
tasks_of() {
	[ "$1" = "" ] || printf '%s\n' "$1" | head -n 1000 | wc -l
}

# submit_tasks: of what is to do, and what each of the next steps waits for; what
# is up to date is found out here, without a job
submit_tasks() {
	names=$(todo "$out")
	tasks=$(tasks_of "$names")
	if [ "$tasks" ]; then
		write_list .todo "$names"
		names=$(printf '%s\n' "$list" | cut -f 1)
		write_list .all "$names"
		submit "--array=1-$tasks" -- task "$out" "$out/.todo" INDEX \
		    "$tasks" || return 1
		after=--dependency=afterany:$job jobs=$job
		submit "$after" -- solve "$out" || return 1
		after=--dependency=afterany:$job jobs="$job $jobs"
	else
		[ "${FLEET_DRY_RUN-}" ] || tq fleet --step solve "$out" ||
		    return 1
		[ ! -e "$out/names" ] || names=$(unplaced "$out")
		write_list .all "$names"
	fi
	all=$(tasks_of "$names")
	[ "$all" ] || return 0
	submit ${after:+"$after"} "--array=1-$all" -- place "$out" \
	    "$out/.all" INDEX "$all" || return 1
	after=--dependency=afterany:$job jobs="$job $jobs"
}

on_slurm() {
	# shellcheck disable=SC2086 # numbers
	submit_tasks || cancel $jobs
	if [ ! "$after" ] && (cd "$out" && fresh); then
		return
	fi
	# in the background: a signal does not wait for it
	submit --wait ${after:+"$after"} -- reduce "$out" &
	work=$!
	reduced=0
	wait "$work" || reduced=$?
	[ $reduced = 0 ] || complain "the last job failed: see $out/jobs.log"
	return $reduced
}

# The step of this name: its processes are a group, which ends with a signal.
on_this_machine() { # OUT
	out=$1
	made "$out/.todo" todo "$out"
	# the second tasks are not known yet: at most so many
	if [ -s "$out/.todo" ]; then
		made "$out/.all" cut -f 1 "$out/recordings"
	fi
	here "$out" .todo task || :
	tq fleet --step solve "$out"
	made "$out/.all" unplaced "$out"
	here "$out" .all place || :
	tq fleet --step reduce "$out"
}

plan() {
	names=$(todo "$out")
	echo "$(printf '%s\n' "$list" | wc -l) recordings," \
	    "$(printf %s "${names:+$names$newline}" | wc -l) to do:"
	[ ! "$names" ] || printf '%s\n' "$names" | sed 's/^/    /'
	[ "$FLEET_ON" != slurm ] || on_slurm 2>&1
}

# Where do tasks run?
choose_place() {
	case $FLEET_ON in
	local) return ;;
	slurm) ;;
	auto) FLEET_ON=local ;;
	esac
	if command -v sbatch > /dev/null; then
		if [ "$FLEET_ON" = slurm ] || sinfo > /dev/null 2>&1; then
			FLEET_ON=slurm
		else
			complain "no Slurm answers: tasks run on this machine"
		fi
	elif [ "$FLEET_ON" = slurm ]; then
		echo "tq: --on slurm: no sbatch in PATH" >&2
		exit 1
	fi
}

has_setting() { # FILE TEXT
	[ "$(cat "$1" 2> /dev/null)" = "$2" ]
}

# write_list NAME LINES: a file of the folder, but for a dry run
write_list() {
	[ "${FLEET_DRY_RUN-}" = "" ] || return 0
	made "$out/$1" printf '%s\n' "$2"
}

# keep_setting NAME TEXT: what it has is as old as the first run that had it
keep_setting() {
	has_setting "$out/$1" "$2" || {
		write_list ".$1" "$2"
		mv "$out/.$1" "$out/$1"
	}
}

# ---- ends ----

remove_lists() {
	rm -f "$out/.done" "$out/.todo" "$out/.all" "$out/.job" \
	    "$out/.recordings" "$out/.reports" "$out/.version"
}

# end_progress: in a trap nothing may be waited for, as bash would wait for ever
# in a trap that has come during another wait
end_progress() {
	[ ! "$progress" ] || kill "$progress" 2> /dev/null || :
	progress=
	clear_progress
}

# cancel JOB ...: with what is behind them, the last first: each starts once the
# one before it has ended
cancel() {
	trap - EXIT HUP INT TERM
	last_job
	if [ "$job" ]; then
		scancel "$job" "$@" 2> /dev/null || :
		complain "stopped: its jobs are cancelled"
	fi
	end_progress
	remove_lists
	exit 1
}

# unfinished_steps: is there a folder of one?
unfinished_steps() {
	for folder in "$out"/.*.task "$out"/.*.place "$out/.solve" \
	    "$out/.reduce"; do
		[ ! -d "$folder" ] || return 0
	done
	return 1
}

# end_work: its processes, which have a moment to remove their folders; one that
# a shell has started between the signal and its trap gets the next signal
end_work() {
	kill -s TERM -- "-$work" 2> /dev/null ||
	    kill -s TERM "$work" 2> /dev/null || : # it is no group yet
	tries=0
	while unfinished_steps && [ $tries -lt 20 ]; do
		sleep 0.1 2> /dev/null || sleep 1
		kill -s TERM -- "-$work" 2> /dev/null || :
		tries=$((tries + 1))
	done
}

# stop SIGNAL: it ends all, and the status is that of the signal
stop() {
	trap '' HUP INT TERM
	# shellcheck disable=SC2086 # numbers
	[ "$FLEET_ON" != slurm ] || cancel $jobs
	end_progress
	[ ! "$work" ] || end_work
	remove_lists
	trap - EXIT HUP INT TERM
	kill -s "$1" $$
}

# make_all: with the exit status of the reduce
make_all() {
	made "$out/.done" true
	if on_terminal; then
		progress "$out" &
		progress=$!
	fi
	status=0
	if [ "$FLEET_ON" = slurm ]; then
		on_slurm || status=$?
	else
		tq fleet --step on_this_machine "$out" &
		work=$!
		wait "$work" || status=$?
	fi
	work=
	shown_by=$progress
	end_progress
	[ ! "$shown_by" ] || wait "$shown_by" 2> /dev/null || :
	remove_lists
}

show_report() {
	if [ -t 1 ]; then # as wide as the terminal
		(
			cd "$out"
			report .
		)
	else
		print < "$out/report.txt"
	fi
}

run() { # SOURCE OUT
	choose_place
	list=$(recordings "$1")
	[ ! "$list" ] ||
	    list=$(printf '%s\n' "$list" | tq fleet --step of-ranks)
	if [ ! "$list" ]; then
		complain "no recording in $1"
		return 1
	fi
	version="$(tq-stats --version) $ranks"
	after='' jobs='' work='' progress=''
	case $2 in
	/*) out=$2 ;;
	*) out=$PWD/$2 ;;
	esac
	if [ "${FLEET_DRY_RUN-}" ]; then
		planned=$(plan)
		printf '%s\n' "$planned" | print
		return
	fi
	mkdir -p "$out"
	out=$(cd "$out" && pwd)
	trap remove_lists EXIT
	for signal in HUP INT TERM; do
		# shellcheck disable=SC2064 # it is this signal
		trap "stop $signal" $signal
	done
	keep_setting recordings "$list"
	keep_setting reports "$sums"
	keep_setting version "$version"
	make_all
	[ $status = 0 ] || [ $status = $no_trace ] || return 1
	show_report
	sed 's/^/tq fleet: not used: /' "$out/lost" >&2 || :
	complain "$(cd "$out" && counts .): $out/index.html"
	[ $status = 0 ] && [ ! -s "$out/lost" ]
}

step=$1
shift
case $step in
task | place) tasks "$(cd "$1" && pwd)" "$2" "$3" "$4" "$step" ;;
run | on_this_machine | solve | reduce) "$step" "$@" ;;
*)
	complain "no step is named '$step'"
	exit 2
	;;
esac
