#!/bin/sh
# fleet.sh - the steps of tq fleet, which fleet.c runs as "sh -c": a task for each
# recording, the clocks of all, a second task for each, and the reduce.
#
#	run SOURCE OUT		all of it: SOURCE is a folder, or a list of paths
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
set -eu

sums=cuda_gpu_kern_sum,cuda_gpu_mem_time_sum,cuda_api_sum,nvtx_sum:folded
sums=${FLEET_REPORTS:-$sums}
ranks=stragglers,ranks:worst,critical,ranks,ranks:spread,collectives
most_rows=500           # of a table of the page
longest_command=1500000 # bytes
small=${FLEET_SMALL:-100000000} # bytes of streams, compressed, of all ranks

complain() {
	echo "tq fleet: $*" >&2
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
		[ -f "$recording" ] || continue
		case $recording in
		*-wal | *-shm | *-journal) continue ;;
		esac
		if [ "${recording%.sqlite}" = "$recording" ] ||
		    [ ! -e "${recording%.sqlite}.nsys-rep" ]; then
			printf '%s\n' "$recording"
		fi
	done
}

# name_all DIR: each path on stdin behind its name, which is that of the file, or
# the whole path where two files have the same one
name_all() {
	awk -v dir="$1" '{
		path[NR] = $0 ~ /^\// ? $0 : dir "/" $0
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
				gsub(/\//, "_", name)
			}
			print name "\t" path[i]
		}
	}'
}

recordings() { # SOURCE
	if [ -d "$1" ]; then
		list_folder "$1" | name_all "$PWD"
	else
		grep -v '^[[:space:]]*\(#\|$\)' "$1" | name_all "$PWD"
	fi
}

# path_of OUT NAME
path_of() {
	awk -F '\t' -v name="$2" '$1 == name {
		print substr($0, length($1) + 2)
		exit
	}' "$1/recordings"
}

# ---- tasks ----

# unfinished FOLDER: what a step has not finished goes with it
unfinished() {
	work=$1
	rm -rf "$work"
	mkdir "$work"
	trap 'rm -rf "$work"' EXIT
	trap 'exit 1' HUP INT TERM
	touch "$work/began"
}

keep() { # NEW FILE
	touch -r "$work/began" "$1"
	mv "$1" "$2"
}

# the exit status of a pipe is that of its last command, and an extract that fails
# at once leaves a legal empty stream
correlate() { # RECORDING FILE
	{ tq-extract -- "$1" || touch "$work/failed"; } | tq-correlate -o "$2"
	[ ! -e "$work/failed" ]
}

make_sums() { # OUT NAME RECORDING
	stream=$1/$2.tq.zst
	if older "$stream" "$3" "$1/version"; then
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
		clocked "$1" "$2" || touch "$work/failed"
	} | tq-stats -q --partial -r "$ranks" > "$work/ranks" || return 1
	[ ! -e "$work/failed" ] || return 1
	keep "$work/ranks" "$1/$2.ranks"
}

# one task of a recording: its messages are in NAME.log
task() { # OUT NAME STEP
	(
		unfinished "$1/.$2.$3"
		recording=$(path_of "$1" "$2")
		if older "$work/began" "$recording" 2> /dev/null; then
			touch -r "$recording" "$work/began" # another clock
		fi
		log=$1/$2.log
		status=0
		if [ "$3" = task ]; then
			make_sums "$1" "$2" "$recording" 2> "$log" || status=1
		else
			make_ranks "$1" "$2" 2>> "$log" || status=1
		fi
		[ -s "$log" ] || rm -f "$log"
		exit $status
	) || :
	printf . >> "$1/.done"
}

# tasks OUT LIST I N STEP: every N-th line
tasks() {
	awk -v i="$3" -v n="$4" '(NR - i) % n == 0' "$2" |
	    while IFS= read -r name; do
		task "$1" "$name" "$5"
	done
}

# ---- clocks, and the reduce ----

# names_in OUT STATE: the names of recordings that are so, see fleet_states()
names_in() {
	tq fleet --step states "$1" |
	    awk -F '\t' -v state="$2" '$2 == state { print $1 }'
}

# whole OUT: those whose tasks ended well, and of each rank one
whole() {
	tq fleet --step states "$1" |
	    awk -F '\t' '$2 != "todo" && ($3 < 0 || !seen[$3]++) { print $1 }'
}

# name_of OUT RANK: that of them
name_of() {
	tq fleet --step states "$1" | awk -F '\t' -v rank="$2" '
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

solve() ( # OUT
	unfinished "$1/.solve"
	cd "$1"
	whole . > "$work/names"
	if [ ! -s "$work/names" ]; then
		: > names
		lost . | sed 's/^/tq fleet: not used: /' >&2
		complain "no recording could be read"
		rm -f names
		exit 1
	fi
	with_files "$work/names" points tq-align --solve --report -f html \
	    -o "$work/clocks.tq" > "$work/clocks.html" || exit 1
	for file in clocks.html clocks.tq names; do
		cmp -s "$work/$file" "$file" ||
		    mv "$work/$file" "$file" || exit 1
	done
)

# why OUT NAME RANK: that there is no result; RANK is empty where it has none
why() {
	if [ -s "$1/$2.log" ]; then
		head -n 1 "$1/$2.log"
	elif [ "$3" ]; then
		echo "rank $3 is that of $(name_of "$1" "$3") already"
	else
		echo "its task did not end"
	fi
}

# lost OUT: a line for each recording without results, and why
lost() {
	tq fleet --step states "$1" > "$1/.states"
	cut -f 1 "$1/recordings" | grep -Fxv -f "$1/names" |
	    while IFS= read -r name; do
		rank=$(awk -F '\t' -v name="$name" \
		    '$1 == name { print $3 }' "$1/.states")
		printf '%s: %s\n' "$name" "$(why "$1" "$name" "$rank")"
	done
	rm "$1/.states"
}

# job FOLDER: the streams of all, one after the other, where they are small
job() {
	sed 's|.*|./&.tq.zst|' "$1/placed" | tr '\n' '\0' |
	    xargs -0 ls -ln > "$1/sizes"
	awk -v most="$small" '
	{ bytes += $5 }
	END { exit NR == 0 || bytes > most }' "$1/sizes" || {
		rm -f job.tq.zst ranks.html
		return 0
	}
	while IFS= read -r name; do
		clocked . "$name" -z >> "$1/job.tq.zst" || return 1
	done < "$1/placed"
	mv "$1/job.tq.zst" .
}

trace() { # FOLDER: of FLEET_TRACE
	for rank in $(echo "$FLEET_TRACE" | tr , ' '); do
		found=$(name_of . "$rank")
		[ "$found" ] || {
			complain "no recording is of rank $rank"
			return 1
		}
		clocked . "$found" -z > "$1/$(printf %06d "$rank").tq.zst" ||
		    return 1
	done
	tq-chrome -q -o "$1/trace.json.gz" "$1"/*.tq.zst
}

# headline TABLES: in a sentence, which rank the others wait for, with those of its
# coordinates that are not the same for all
headline() {
	{ tq-stats -q --merge -f tsv --plain-keys -r stragglers "$1" || :; } |
	    awk -F '\t' '
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

# shown FORMAT OPTION ...: a table, behind an empty line in text; false where it
# has no row
shown() {
	format=$1
	shift
	rows=$(tq-stats -q --no-pager --merge -f "$format" "$@") || return 1
	[ "$format" != table ] || echo
	printf '%s\n' "$rows"
}

# summed FORMAT FILE: the sums; those that are text have no first rows
summed() {
	shown "$1" -r "$sums" --top 15 "$2" 2> /dev/null ||
	    shown "$1" -r "$sums" "$2" || :
}

# sections FOLDER FORMAT: what people read first
sections() {
	for table in "stragglers --sort lead --top 10" ranks:worst \
	    "critical --sort lead --top 10" ranks:spread \
	    "collectives --top 15"; do
		# shellcheck disable=SC2086 # these are words
		shown "$2" -r $table "$1/ranks.tables" || :
	done
	summed "$2" "$1/sums.part"
}

# lists FOLDER: a row for each rank, as pages
lists() {
	tq-stats -q --merge -f html -r ranks --top $most_rows \
	    "$1/ranks.tables" || :
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

# job_page FOLDER: that of tq-stats, and what it cannot know
job_page() {
	tq-stats -q -f html "$PWD/job.tq.zst" > "$1/page" || return 1
	{
		printf '<section class="c">\n<p>%s.\n%s</p>\n' \
		    "$(counts "$1")" "$(clocks)"
		not_used "$1"
		echo '<p><a href="ranks.html">A row for each rank</a></p>'
		echo '</section>'
	} > "$1/more"
	awk -v more="$1/more" '
	/^<\/main>$/ && !added++ {
		while ((getline line < more) > 0)
			print line
	}
	{ print }' "$1/page"
}

# rank_page FOLDER: each table is in a page of its own; they become one
rank_page() {
	{
		sections "$1" html
		lists "$1"
	} > "$1/pages"
	sed -n '/<body>/q; s|<title>.*</title>|<title>tq fleet</title>|; p' \
	    "$1/pages"
	printf '<body>\n<h1>%s</h1>\n<p>%s.\n%s</p>\n' \
	    "$(headline "$1/ranks.tables" | escaped)" "$(counts "$1")" \
	    "$(clocks)"
	not_used "$1"
	awk '/^<body>$/ { inside = 1; next }
	     /^<script>$/ { inside = 0 }
	     inside' "$1/pages"
	echo '<p>All rows, in this folder:' \
	    '<code>tq-stats --merge -r stragglers,ranks ranks.tables</code></p>'
	sed -n '/^<script>$/,/^<\/html>$/p; /^<\/html>$/q' "$1/pages"
	rm "$1/pages"
}

# Nothing has changed since the last reduce.
fresh() {
	[ -e report.txt ] && [ ! "${FLEET_TRACE-}" ] &&
	    [ ! "$(find . ! -name . -newer report.txt ! -name '.*' ! -name lost \
		! -name "*.html")" ]
}

reduce() ( # OUT
	cd "$1"
	[ -e names ] || exit 1 # no recording could be read
	! fresh || exit 0
	unfinished "$PWD/.reduce"
	lost . > "$work/lost"
	names_in . placed | grep -Fx -f names > "$work/placed" || :
	grep -Fxv -f "$work/placed" names | while IFS= read -r name; do
		echo "$name: $(why . "$name" "")"
	done >> "$work/lost"
	# set -e does not hold where somebody asks for the status
	with_files names part tq-stats -q --merge --partial -r "$sums" \
	    > "$work/sums.part" || exit 1
	with_files "$work/placed" ranks tq-stats -q --merge --tables -r "$ranks" \
	    > "$work/ranks.tables" || exit 1
	job "$work" || exit 1
	report "$work" > "$work/report.txt" || exit 1
	if [ -e job.tq.zst ]; then
		rank_page "$work" > "$work/ranks.html" &&
		    job_page "$work" > "$work/index.html" &&
		    mv "$work/ranks.html" . || exit 1
	else
		rank_page "$work" > "$work/index.html" || exit 1
	fi
	if [ "${FLEET_TRACE-}" ]; then
		trace "$work" && mv "$work/trace.json.gz" . || exit 1
	fi
	touch "$work/report.txt"
	mv "$work/sums.part" "$work/ranks.tables" "$work/index.html" \
	    "$work/lost" . && mv "$work/report.txt" .
)

# ---- all of it ----

# here OUT LIST STEP: several at once on this machine.  moreutils has another
# program called parallel.
here() {
	count=$(wc -l < "$2")
	[ "$count" -gt 0 ] || return 0
	if parallel --version 2> /dev/null < /dev/null |
	    grep -q '^GNU parallel'; then
		seq "$count" | parallel -q -j "$FLEET_JOBS" \
		    tq fleet --step "$3" "$1" "$2" {} "$count"
	else
		seq "$count" | xargs -P "$FLEET_JOBS" -I '{}' \
		    tq fleet --step "$3" "$1" "$2" '{}' "$count"
	fi
}

# progress OUT ALL: while a step runs
progress() {
	[ "${FLEET_QUIET-}" = "" ] && [ -t 2 ] || return 0
	while sleep 1; do
		printf '\r%s of %s' "$(wc -c < "$1/.done")" "$2" >&2
	done
}

todo() { # OUT: the names whose first task is missing or out of date
	names_in "$1" todo
}

unplaced() { # OUT: likewise the second task, of those with results
	names_in "$1" made | grep -Fx -f "$1/names" || :
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
	# shellcheck disable=SC2086 # options are words
	${FLEET_DRY_RUN:+say} sbatch --parsable --job-name=tq-fleet \
	    --ntasks=1 ${FLEET_PARTITION:+--partition="$FLEET_PARTITION"} \
	    ${FLEET_ACCOUNT:+--account="$FLEET_ACCOUNT"} \
	    --open-mode=append --output="$out/jobs.log" $before \
	    --wrap "$(step_words "$@")" > "$out/.job" || return 1
	last_job
}

# the number of the job that was submitted last; behind it may be a cluster
last_job() {
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

# cancel JOB ...: with what is behind them, the last first: each starts once the
# one before it has ended
cancel() {
	trap - HUP INT TERM
	last_job
	if [ "$job" ]; then
		scancel "$job" "$@" 2> /dev/null || :
		complain "stopped: its jobs are cancelled"
	fi
	kill "$progress" 2> /dev/null || :
	rm -f "$out/.done" "$out/.todo" "$out/.all" "$out/.job"
	exit 1
}

# submit_tasks: those of $out/.todo, and what each of the next steps waits for;
# what is up to date is found out here, without a job
submit_tasks() {
	tasks=$(head -n 1000 "$out/.todo" | wc -l)
	if [ "$tasks" -gt 0 ]; then
		cut -f 1 "$out/recordings" > "$out/.all"
		submit "--array=1-$tasks" -- task "$out" "$out/.todo" INDEX \
		    "$tasks" || return 1
		after=--dependency=afterany:$job jobs=$job
		submit "$after" -- solve "$out" || return 1
		after=--dependency=afterany:$job jobs="$job $jobs"
	else
		[ "${FLEET_DRY_RUN-}" ] || solve "$out" || return 1
		[ ! -e "$out/names" ] || unplaced "$out" > "$out/.all"
	fi
	all=$(head -n 1000 "$out/.all" | wc -l)
	[ "$all" -gt 0 ] || return 0
	submit ${after:+"$after"} "--array=1-$all" -- place "$out" \
	    "$out/.all" INDEX "$all" || return 1
	after=--dependency=afterany:$job jobs="$job $jobs"
}

on_slurm() { # OUT
	out=$1
	after=
	jobs=
	# shellcheck disable=SC2086 # numbers
	trap 'cancel $jobs' HUP INT TERM
	todo "$out" > "$out/.todo"
	: > "$out/.all"
	# shellcheck disable=SC2086 # numbers
	submit_tasks || cancel $jobs
	if [ ! "$after" ] && (cd "$out" && fresh); then
		return
	fi
	# in the background: a signal does not wait for it
	submit --wait ${after:+"$after"} -- reduce "$out" &
	reduced=0
	wait $! || reduced=1
	trap - HUP INT TERM
	[ $reduced = 0 ] || complain "the last job failed: see $out/jobs.log"
	return $reduced
}

on_this_machine() { # OUT
	todo "$1" > "$1/.todo"
	here "$1" "$1/.todo" task
	solve "$1" || return 1
	unplaced "$1" > "$1/.todo"
	here "$1" "$1/.todo" place
	reduce "$1"
}

plan() { # OUT
	count=$(todo "$1" | wc -l)
	echo "$(wc -l < "$1/recordings") recordings, $count to do:"
	todo "$1" | sed 's/^/    /'
	if [ "$FLEET_ON" = slurm ]; then
		on_slurm "$1" 2>&1
		rm -f "$1/.todo" "$1/.all" "$1/.job"
	fi
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

# keep_setting FILE TEXT: what it has is as old as the first run that had it
keep_setting() {
	if [ "$(cat "$1" 2> /dev/null)" != "$2" ]; then
		echo "$2" > "$out/.setting"
		mv "$out/.setting" "$1"
	fi
}

run() { # SOURCE OUT
	choose_place
	mkdir -p "$2"
	out=$(cd "$2" && pwd)
	recordings "$1" | tq fleet --step of-ranks > "$out/.recordings"
	if [ ! -s "$out/.recordings" ]; then
		rm -f "$out/.recordings"
		rmdir "$out" 2> /dev/null || :
		complain "no recording in $1"
		return 1
	fi
	cmp -s "$out/.recordings" "$out/recordings" ||
	    cp "$out/.recordings" "$out/recordings"
	rm "$out/.recordings"
	keep_setting "$out/reports" "$sums"
	keep_setting "$out/version" "$(tq-stats --version) $ranks"
	if [ "${FLEET_DRY_RUN-}" ]; then
		plan "$out"
		return
	fi
	: > "$out/.done"
	progress "$out" "$(wc -l < "$out/recordings")" &
	progress=$!
	status=0
	if [ "$FLEET_ON" = slurm ]; then
		on_slurm "$out" || status=1
	else
		on_this_machine "$out" || status=1
	fi
	kill $progress 2> /dev/null || :
	rm -f "$out/.done" "$out/.todo" "$out/.all" "$out/.job"
	[ $status -eq 0 ] || return 1
	if [ -t 1 ]; then # as wide as the terminal
		(cd "$out" && report .)
	else
		cat "$out/report.txt"
	fi
	sed 's/^/tq fleet: not used: /' "$out/lost" >&2
	complain "$(cd "$out" && counts .): $out/index.html"
	[ ! -s "$out/lost" ]
}

step=$1
shift
case $step in
task | place) tasks "$@" "$step" ;;
run | solve | reduce) "$step" "$@" ;;
*)
	complain "no step is named '$step'"
	exit 2
	;;
esac
