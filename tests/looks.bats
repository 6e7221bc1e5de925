#!/usr/bin/env bats
# Every command that a page, a finding or a comparison prints runs as it stands
# and prints something, for recordings of all sources, as a file and as a pipe.

load helper

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return
	recordings
	planted
}

setup() {
	files=$BATS_FILE_TMPDIR
	cd "$BATS_TEST_TMPDIR" || return
}

# ---- recordings ----

# add NAME FILE: NAME.tq is the correlated stream of a recording
add() {
	[[ -e $2 ]] || return 0
	mkdir -p sources
	tq-extract "$2" 2> /dev/null | tq-correlate -o "sources/$1.tq" 2> /dev/null
}

# recordings: one or more of each source; those of the project, and real ones
# where they are
recordings() {
	local name

	for name in base mpi odd rocpd rpd; do
		add $name "$(fixture $name)"
	done
	add demo "$(demo)"
	cp "$(extracted demo)" sources/uncorrelated.tq
	"$BUILD/report" < "$top/tests/data/report.txt" > report.nsys-rep
	add report report.nsys-rep
	tq-perfetto -q -o demo.pftrace "$(correlated demo)"
	add perfetto demo.pftrace
	tq-perfetto -q --gpu-model=render-stages --cpu-profile -o stages.pftrace \
	    "$(correlated demo)"
	add stages stages.pftrace
	add torch "$top/examples/torch.json"
	printf '%s\n' 'a 7/8 [000] 1.000000: 1 cycles:' '	1 f (x)' '	2 g (x)' '' \
	    'a 7/8 [000] 1.500000: 1 cycles:' '	1 f (x)' '' > perf.txt
	add perf perf.txt
	printf '%s\n' 'a;b 5' 'a;c 2' > folded.txt
	add folded folded.txt
	for name in other/{nccl-inspector-examples.jsonl,wprof-format-examples.ndjson} \
	    other/{torch-memory-timeline.raw,viztracer-multithread}.json.zst \
	    other/speedscope/0.6.0-two-sampled.speedscope.json \
	    other/perf/perf-cycles-instructions-01.txt.zst \
	    kineto/{torch-2022-steps,rocm7-vllm-graph,torch-2024-cuda-sync}.json.zst \
	    rocpd/{synthetic-full,mi300x-2025-12-11-bmm}.db.zst \
	    nsys-rep/NVIDIA-1ef9a364.nsys-rep \
	    cases/{ascend-torch-npu.json,streams/evil.tq} \
	    nsys/{2026.1.1-vectoradd,synthetic/rules}.sqlite; do
		add "$(basename "${name%%.zst}" | tr . -)" "$DATA/$name"
	done
}

# planted: the faults that the rules of tq-advise find; cases has a line for each
planted() {
	mkdir faults
	(cd "$top/tests/data/rules" &&
	    find . -type f ! -name README -printf '%P\0' |
	    xargs -0 awk -v dir="$BATS_FILE_TMPDIR/faults" \
	        -f "$top/tests/rules.awk") |
	    awk '$3 == "fault" { print $1, $1 "." $2 }' > cases
	while read -r _ name; do
		tq-extract "faults/$name.tq" | tq-correlate -o "faults/$name.c.tq"
	done < cases 2> /dev/null
}

# ---- commands ----

# text_commands: those of a page of text that is wide enough
text_commands() {
	local text
	text=$(cat)
	page_commands <<< "$text"
	awk '
	match($0, /(^|: )tq-[a-z]+ .*/) {
		line = substr($0, RSTART)
		sub(/^: /, "", line)
		sub(/  +.*/, "", line)
		print line
	}' <<< "$text"
}

# html_commands: those of a page of HTML
html_commands() {
	grep -oE '(<code[^>]*>|: )tq-[a-z]+ [^<]*' |
	    sed "s/^<[^>]*>//; s/^: //; s/&quot;/\"/g; s/&lt;/</g; s/&gt;/>/g
	        s/&#39;/'/g; s/&amp;/\\&/g"
}

# piped COMMAND: run it; it fails where one of a pipeline does
piped() {
	(set -o pipefail && eval "$1")
}

# prints COMMAND: run it; it succeeds, and prints or writes something
prints() {
	local command=${1/.\/program/true} file written=(page.html t.pftrace r.tq)

	for file in "${written[@]}"; do
		[[ ! -e $file ]] || rm "$file"
	done
	piped "$command" > rows 2> errors && printed || {
		echo "$1: status $?: $(cat errors)" >&2
		return 1
	}
}

# printed: is there something in one of the files of prints?
printed() {
	local file begin

	for file in rows "${written[@]}"; do
		[[ -s $file ]] || continue
		# no process for it
		IFS= read -r -d '' -n 1000 begin < "$file" || true
		[[ -z ${begin//$'\n'/} ]] || return 0
	done
	return 1
}

# prints_all WHAT: the commands on stdin, whose file is x.tq or FILE; each with
# the file, and without it from a pipe
prints_all() {
	local command bad=0

	sort -u > commands
	while IFS= read -r command; do
		command=${command/ FILE/ x.tq}
		{ prints "$command" < /dev/null &&
		    prints "${command/ x.tq}" < x.tq; } ||
		    { echo "  of $1" >&2; bad=1; }
	done < commands
	return $bad
}

# ---- the tests ----

@test "there is a recording of each source that tq-extract reads" {
	need data
	cat "$files"/sources/*.tq | jq -r 'select(.kind == "trace").source' |
	    sort -u > have
	for source in nsys rocpd rpd perfetto kineto chrome perf folded wprof nccl \
	    speedscope memory; do
		grep -x "$source.*" have || { echo "none of $source"; cat have; false; }
	done
}

@test "each rule's command prints what the rule found" {
	while read -r rule name; do
		cp "$files/faults/$name.c.tq" x.tq
		tq-advise -f ndjson x.tq |
		    jq -r "select(.finding == \"$rule\").look" > look
		grep -q ' x\.tq' look || { echo "$name: $(cat look)"; false; }
		prints_all "$name" < look
	done < "$files/cases"
}

@test "no rule's command is an error of usage, whatever the recording" {
	tq-advise --rules | awk '
	/^(when|look) / { key = $1; text = $0; sub(/^[a-z]+ +/, "", text); next_ = 1; value[key] = text; next }
	/^ / && key == "when" { sub(/^ +/, " "); value[key] = value[key] $0; next }
	{ key = "" }
	/^rule / && value["look"] != "" { put() }
	END { put() }
	function put() {
		gsub(/\{osrt\}/, "osrt_sum", value["look"])
		at = index(value["look"], "{when}")
		if (at > 0)
			value["look"] = substr(value["look"], 1, at - 1) value["when"] substr(value["look"], at + 6)
		print value["look"]
	}' | sort -u > looks
	(($(wc -l < looks) > 50))
	for name in demo report rocpd rpd perfetto torch perf folded mpi \
	    nccl-inspector-examples-jsonl wprof-format-examples-ndjson \
	    torch-memory-timeline-raw-json 0-6-0-two-sampled-speedscope-json; do
		file=$files/sources/$name.tq
		[[ -e $file ]] || continue # real data
		while IFS= read -r look; do
			for command in "${look/ FILE/ $file}" "${look/ FILE}"; do
				piped "$command" < "$file" > rows 2> errors ||
				    (($? == 1)) || { echo "$command: $(cat errors)"; false; }
			done
		done < looks
	done
}

@test "what a rule says of options names those that there are" {
	tq-advise --rules | grep -oE 'tq-[a-z]+( --[a-z-]+((, | or | and )--[a-z-]+)*)' |
	    while read -r tool options; do
		for option in $(grep -oE -- '--[a-z-]+' <<< "$options"); do
			"$tool" --help | grep -qE -- " $option( |\$)" ||
			    echo "$tool has no $option"
		done
	done > wrong
	diff /dev/null wrong
}

@test "each command of the page runs, and prints something" {
	for file in "$files"/sources/*.tq; do
		cp "$file" x.tq
		{
			COLUMNS=999 tq-stats x.tq
			COLUMNS=999 tq-stats < x.tq
		} 2> /dev/null > page || true
		text_commands < page > text
		{ tq-stats -f html x.tq && tq-stats -f html < x.tq; } 2> /dev/null \
		    > page.web || true
		html_commands < page.web > web
		(($(wc -l < text) >= 2 && $(wc -l < web) >= 2)) ||
		    { echo "$file has no commands"; false; }
		cat text web | prints_all "${file##*/}"
	done
}

# next_rows: of csv the rows of the findings, each in one line
next_rows() {
	awk '
	/^Finding,/ { begun = 1; next }
	begun { line = line $0; if (gsub(/"/, "&", line) % 2 == 0) { print line; line = "" } }'
}

# table_commands FORMAT: the cells "Look At" of tables
table_commands() {
	case $1 in
	json)
		jq -r '.reports[]? | select(.report == "next").rows[] |
		    .look_at // empty'
		;;
	csv)
		next_rows | sed -n 's/.*,"\(tq.*\)"$/\1/p; t; s/.*,\(tq.*\)$/\1/p' | sed 's/""/"/g'
		;;
	markdown)
		sed -n '/^| Finding /,$p' | sed -n 's/.* | \(tq.*\) |$/\1/p' |
		    sed 's/\\\([^a-zA-Z0-9 ]\)/\1/g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g'
		;;
	esac
}

@test "a command of tq stats or tq advise names the recording in all forms, and runs" {
	cp "$(fixture base)" "a b's.sqlite"
	cp "$(fixture rocpd)" "a b's.db"
	cp "$(fixture rpd)" "a b's.rpd"
	cp "$top/examples/torch.json" "a b's.json"
	cp "$files/demo.pftrace" "a b's.pftrace"
	cp "$files/report.nsys-rep" "a b's.nsys-rep"
	for file in "a b's".*; do
		word="'a b'\\''s${file#"a b's"}'"
		{
			COLUMNS=999 tq stats "$file" | text_commands
			tq stats -f html "$file" | html_commands
			for form in json csv markdown; do
				tq stats -f $form "$file" | table_commands $form
			done
			tq advise -f ndjson "$file" | jq -r '.look // empty'
		} 2> /dev/null | sort -u > all
		grep -q '^tq stats -r ' all
		while IFS= read -r command; do
			[[ $command = *"$word"* || $command = 'tq stats --help-reports' ||
			    $command = *./program ]] ||
			    { echo "$file: $command"; false; }
			[[ $command != *FILE* && $command != *tq-* ]] ||
			    { echo "$file: $command"; false; }
			prints "$command" < /dev/null || { echo "  of $file"; false; }
		done < all
	done
}

@test "a command names the file in tables, too; of a pipe it has FILE" {
	word="'a b'\\''s.tq'"
	cp "$(correlated demo)" "a b's.tq"
	for form in json csv markdown; do
		tq-stats -f $form "a b's.tq" | table_commands $form > file
		tq-stats -f $form < "a b's.tq" | table_commands $form > pipe
		[[ -s file ]]
		while IFS= read -r command; do
			echo "${command/FILE/$word}"
		done < pipe | diff - file
	done
	tq-advise -f ndjson "a b's.tq" "a b's.tq" | jq -r '.look // empty' > two
	(($(grep -c "'a b'.*'a b'" two) == $(wc -l < two)))
}

# shares FORMAT: of each finding of a page its share, or "note"
shares() {
	case $1 in
	table)
		# a number, a share or note, a title
		sed -n '/^GPU TIME/q; s/^ *[0-9][0-9]*  *\([<.0-9]*\) %  *[^ ].*/\1/p; t; s/^ *[0-9][0-9]*  *note  .*/note/p'
		;;
	html)
		sed -n 's/^.*<span[^>]*>\([^<]*\)<\/span><\/h3>$/\1/p' |
		    sed 's/&lt;/</; s/ %$//'
		;;
	json) jq -r '.next[]? | select(.Finding != "nothing stands out")["Share (%)"] // "note"' ;;
	csv)
		next_rows | grep -v '^nothing stands out' |
		    cut -d , -f 2 | sed 's/^$/note/'
		;;
	esac | sed 's/^0$/0.0/; s/^\([0-9]*\)$/\1.0/'
}

@test "text, HTML, JSON and csv have the same findings with the same shares, as a file and as a pipe" {
	for file in "$files"/sources/*.tq "$files"/faults/*.c.tq; do
		tq-stats -f json1 "$file" 2> /dev/null | shares json > want
		for form in table html csv; do
			COLUMNS=999 tq-stats -f $form "$file" 2> /dev/null | shares $form > have
			COLUMNS=999 tq-stats -f $form < "$file" 2> /dev/null | shares $form > pipe
			cmp have pipe
			# "<.1" of a page is a share below 0.1 of a table
			sed 's/^<\.1$/0.0/' have | diff want - ||
			    { echo "$form of $file"; false; }
		done
	done
}

@test "the command of a comparison prints rows of both sides" {
	local pairs='kernel.*flash_fwd_kernel memcpy memset'

	cp "$(correlated demo)" a.tq
	for slow in $pairs; do
		sed "/\"kind\":\"$slow/s/\"dur\":/&1/; s/\"origin_utc_ns\":\"/&7/" \
		    a.tq > b.tq
		for by in base name name,grid family category path; do
			tq-diff --by $by a.tq b.tq |
			    sed -n 's/^look at    \(tq-.*\)/\1/p; s/^           \(tq-.*\)/\1/p' > looks
			[[ $by != base || -s looks ]] || { echo "none of $slow"; false; }
			[[ ! -s looks ]] || [[ $(sed 's/.* //' looks) = $'a.tq\nb.tq' ]]
			while IFS= read -r command; do
				prints "$command"
				# more than the frame and definitions
				grep -q "\"kind\":\"$slow" rows
			done < looks
		done
	done
}

@test "the commands of tq diff are those of tq, and none is of an account" {
	local command

	cp "$(demo)" 'a b.sqlite'
	cp "$(demo)" b.sqlite
	chmod u+w b.sqlite
	sqlite3 b.sqlite 'UPDATE CUPTI_ACTIVITY_KIND_KERNEL
		SET end = end + 1000000
		WHERE shortName = (SELECT id FROM StringIds
			WHERE value = "flash_fwd_kernel");
		UPDATE TARGET_INFO_SESSION_START_TIME
		SET utcEpochNs = utcEpochNs + 1000000000'
	tq-extract 'a b.sqlite' > a.tq
	tq-extract b.sqlite > b.tq
	tq diff 'a b.sqlite' b.sqlite > screen
	sed -n 's/^look at    //p; s/^           \(tq \)/\1/p' screen > looks
	[[ $(wc -l < looks) = 2 ]]
	grep -q "^tq extract 'a b.sqlite' | tq correlate | tq filter '" looks
	while IFS= read -r command; do
		prints "$command"
		grep -q '"kind":"kernel' rows
	done < looks
	# what is unknown is FILE, once
	tq-diff <(cat a.tq) <(cat b.tq) > screen
	[[ $(grep -c FILE screen) = 1 ]]
	grep -q "^look at    tq-filter '.*' FILE\$" screen
	# tq-filter reads no account
	tq-stats --partial -r account -o a.account a.tq
	tq-diff a.account b.tq > screen
	[[ $(sed -n '/^look at/,$p' screen) = "look at    tq-filter '"*"' b.tq" ]]
}
