#!/usr/bin/env bats
# What holds for every tool that was built, whatever it does.

load helper

setup_file() {
	[[ -n $(tools) ]]
}

setup() {
	mkdir "$BATS_TEST_TMPDIR/here"
	cd "$BATS_TEST_TMPDIR/here"
}

# ---- helpers ----

# filters: the tools that read files and write what they make of them.
# tq-capture runs a command, and capture*.bats say what holds for that; tq-diff
# reads two, see diff.bats; tq-table writes a folder, see table.bats.
filters() {
	tools | grep -vx -e tq-capture -e tq-diff -e tq-table
}

# writers: those of them that write much where they read much; findings are few
writers() {
	filters | grep -vx tq-advise
}

# nameless: stdin without the command of tq-advise, which names the operand
nameless() {
	sed '/^ *look  tq-stats /d'
}

# plain tq-x [ARGUMENT ...]: its output, which does not name the operands
plain() {
	if [[ $1 = tq-stats ]]; then
		set -- "$1" -f csv "${@:2}"
	fi
	"$@"
}

# wrong tq-x: how it exits where its command line makes no sense
wrong() {
	if [[ $1 = tq-capture ]]; then
		echo 125 # all below is the command's
	else
		echo 2
	fi
}

# options tq-x [COMMAND]: a line for each option of its --help: its names, its value
options() {
	"$@" --help | grep -E '^(  |      )-' |
	    sed 's/^  *//; s/  .*//; s/, / /g; s/\[\{0,1\}=/ /'
}

# value_options tq-x: the long names of options that only take some values
value_options() {
	options "$1" | awk '$NF !~ /^-/ &&
	    $NF !~ /FILE|DIR|NAME|TEXT|REGEX|PATTERN|STRING|EXPR/ {
		print $(NF - 1)
	}'
}

# says TEXT: stderr is this one line
says() {
	if [[ $stderr != "$1" ]]; then
		echo "$tool said: $stderr"
		return 1
	fi
}

# fails STATUS: it exited so, with nothing on stdout, or with a document that
# says itself that it is not whole
fails() {
	if ((status != $1)) ||
	    [[ -n $output && $output != *'"truncated":true'* ]]; then
		echo "$tool: status $status, stdout: ${output:0:200}"
		echo "stderr: $stderr"
		return 1
	fi
}

# many tq-x: print the path of an operand whose output is over a megabyte
many() {
	local file=$BATS_TEST_TMPDIR/many.tq

	if [[ $1 = tq-extract ]]; then
		file=$BATS_TEST_TMPDIR/many.sqlite
		if [[ ! -e $file ]]; then
			cp "$(demo)" "$file"
			sqlite3 "$file" 'INSERT INTO OSRT_API SELECT o.*
			    FROM OSRT_API o, generate_series(1, 400)'
		fi
	elif [[ ! -e $file ]]; then
		# calls too, of as many names, that tq-stats has rows to print
		seq 1 20000 | sed 's/.*/{"kind":"mark","ts":&,"pid":1,"tid":1,'`
		    `'"name":"a mark with a rather long name & to fill pipes"}\n'`
		    `'{"kind":"osrt","ts":&,"dur":9,"pid":1,"tid":1,'`
		    `'"name":"a call & that has one as well"}/' |
		    stream > "$file"
	fi
	echo "$file"
}

# wordy tq-x: the command that writes about as much as it reads
wordy() {
	case $1 in
	tq-stats) echo "$1 -r osrt_sum" ;;
	*) echo "$1" ;;
	esac
}

# alone FILE: it is the only file here; "": there is none
alone() {
	local left
	left=$(ls -A)
	if [[ $left != "$1" ]]; then
		echo "$tool left: $left"
		return 1
	fi
}

# ---- options ----

@test "--help prints a synopsis and a line per option, and exits 0" {
	for tool in $(tools); do
		run --separate-stderr "$tool" --help
		((status == 0))
		[[ -z $stderr ]]
		[[ ${lines[0]} = "usage: $tool "* ]]
		printf '%s\n' "$output" | awk -v tool="$tool" '
			length > 80 { print tool ": too wide: " $0; bad = 1 }
			/^$/ { table = 1; next }
			!table || /^  (-[a-zA-Z0-9](, --[a-z0-9-]+)?|    --[a-z0-9-]+)([[]?[ =[][A-Z|a-z.:-]+[]]?)?  / {
				next
			}
			/^                 *[^ ]/ { next } # of the option above
			{ print tool ": no option: " $0; bad = 1 }
			END { exit bad || !table }'
		[[ $output = *"  -h, --help"* && $output = *"  -V, --version"* ]]
		all=$output
		run "$tool" -h
		((status == 0))
		[[ $output = "$all" ]]
	done
}

@test "--help names the options in order: those with a letter, then the others" {
	for tool in $(tools); do
		options "$tool" | grep -v '^--' | cut -c2 | tr A-Z a-z > short
		LC_ALL=C sort short | diff short -
		options "$tool" | sed -n 's/^\(--[a-z0-9-]*\).*/\1/p' > long
		LC_ALL=C sort long | diff long -
	done
}

@test "the synopsis names every option" {
	for tool in $(tools); do
		"$tool" --help | sed '/^$/,$d' > synopsis
		letters=$(sed -n 's/.*\[-\([a-zA-Z0-9]*\)\].*/\1/p' synopsis |
		    head -n 1)
		options "$tool" | while read -r name _ value; do
			if [[ $name = --* ]]; then
				# without [ where a form needs it
				grep -q -e "[[ ]$name" synopsis
			elif [[ -z $value ]]; then
				[[ $letters = *${name#-}* ]]
			else
				grep -q -e "[[ ]$name " synopsis
			fi || {
				echo "$tool: $name is not in the synopsis"
				exit 1
			}
		done
	done
}

@test "--version prints name and version, and exits 0" {
	version=$(sed -n 's/^VERSION[	 ]*= *//p' "$top/Makefile")
	for tool in $(tools); do
		for option in --version -V; do
			run --separate-stderr "$tool" "$option"
			((status == 0))
			[[ -z $stderr ]]
			[[ $output = "$tool $version" ]]
		done
	done
}

@test "--help and --version to a full device exit 1" {
	for tool in $(tools); do
		for option in --help --version; do
			run bash -c "$tool $option > /dev/full"
			((status == 1))
			[[ $output = "$tool: <stdout>: No space left on device" ]]
		done
	done
}

@test "an unknown option exits 2, or 125, with one line and where options are listed" {
	for tool in $(tools); do
		run --separate-stderr "$tool" --no-such-option
		fails "$(wrong "$tool")"
		[[ ${stderr_lines[0]} = "$tool: unrecognized option '--no-such-option'" ]]
		[[ ${stderr_lines[1]} = "$tool: --help lists the options" ]]
		((${#stderr_lines[@]} == 2))
		run --separate-stderr "$tool" -@
		fails "$(wrong "$tool")"
		[[ ${stderr_lines[0]} = "$tool: invalid option -- '@'" ]]
		[[ ${stderr_lines[1]} = "$tool: --help lists the options" ]]
		((${#stderr_lines[@]} == 2))
	done
}

@test "an option without its value exits 2, or 125" {
	for tool in $(tools); do
		run --separate-stderr "$tool" -o
		fails "$(wrong "$tool")"
		[[ ${stderr_lines[0]} = "$tool: option requires an argument -- 'o'" ]]
		[[ ${stderr_lines[1]} = "$tool: --help lists the options" ]]
		((${#stderr_lines[@]} == 2))
	done
}

@test "a value that an option does not take exits 2, or 125, with one line" {
	for tool in $(tools); do
		for option in $(value_options "$tool"); do
			files=("$(operand "$tool")")
			[[ $tool != tq-diff ]] || files+=("${files[0]}")
			run --separate-stderr "$tool" "$option=@no@" "${files[@]}"
			fails "$(wrong "$tool")"
			# but for the caret below an expression, and lists
			[[ $(grep -vc '^[	 ]' <<< "$stderr") = 1 ]]
			[[ $stderr = "$tool: "* ]]
		done
	done
}

# -v inverts in tq-filter, as in grep
@test "the same letter is the same option in every tool" {
	for tool in $(tools); do
		options "$tool" | grep -E '^-[hVozqv]( |$)' |
		    grep -v -e '^-v --invert' |
		    awk '{ print $1, $2, ($3 == "") ? "" : "VALUE" }'
	done | sort -u > letters
	cat letters
	[[ -z $(cut -d' ' -f1 letters | uniq -d) ]]
	grep -q '^-h --help' letters
	grep -q '^-V --version' letters
	grep -q '^-o --output VALUE' letters
}

@test "-q leaves only warnings and errors on stderr, and changes no status" {
	head -n -1 "$(operand tq-filter)" > cut.tq
	for tool in $(tools); do
		"$tool" --help | grep -q '^  -q, --quiet '
		# with another meaning, as in grep; of a command
		[[ $tool != tq-filter && $tool != tq-capture ]] || continue
		for file in "$(operand "$tool")" cut.tq; do
			set -- "$file"
			[[ $tool != tq-diff ]] || set -- "$file" "$file"
			[[ $tool != tq-table ]] || set -- -o folder "$file"
			rm -rf folder
			run "$tool" "$@"
			want=$status
			rm -rf folder
			run --separate-stderr "$tool" -q "$@"
			((status == want))
			grep -v "^$tool: warning: " <<< "$stderr" > other || :
			[[ ! -s other || $stderr = '' ]]
		done
		[[ $stderr = *"cut.tq: stream ends without its end record"* ]]
	done
}

@test "the man page and --help have the same options" {
	for tool in $(tools); do
		page=$top/man/$tool.1
		[[ -e $page ]] || continue
		options "$tool" | tr ' ' '\n' | grep '^-' | sort > help
		# .It Fl o Ar file , Fl -output Ns = Ns Ar file
		awk '/^\.It Fl/ {
			for (i = 2; i < NF; i++)
				if ($i == "Fl")
					print "-" $(i + 1)
		}' "$page" | sort > page
		diff help page || {
			echo "$tool: --help < > man page"
			false
		}
		checked=yes
	done
	[[ ${checked-} ]]
}

# page_synopsis FILE: a line for each option of the SYNOPSIS of a man page, with
# VALUE where it takes one
page_synopsis() {
	awk '/^\.Sh/ { on = $2 == "SYNOPSIS" }
	on && sub(/^\.(Op )?Fl /, "") && $1 != "-" { # .Op Fl - is [--]
		if ($1 ~ /^-/ || NF > 1)
			print "-" $1 (NF > 1 ? " VALUE" : "")
		else # .Op Fl hqVz
			for (i = 1; i <= length($1); i++)
				print "-" substr($1, i, 1)
	}' "$1" | sort -u
}

@test "the SYNOPSIS of the man page and --help have the same options and values" {
	for tool in $(tools) tq; do
		{
			options "$tool"
			[[ $tool != tq ]] || options tq view
			[[ $tool != tq ]] || options tq fleet
		} | awk '{ print $1 ($NF ~ /^-/ ? "" : " VALUE") }' |
		    sort -u > help
		page_synopsis "$top/man/$tool.1" > page
		[[ -s page ]]
		diff help page || {
			echo "$tool: --help < > SYNOPSIS of the man page"
			false
		}
	done
}

@test "a name that an option had before works, and --help does not list it" {
	in=$(correlated demo)
	while read -r tool old new; do
		# shellcheck disable=SC2086 # words
		$tool $old "$in" > want
		# shellcheck disable=SC2086
		$tool $new "$in" | cmp want -
		! "$tool" --help | grep -e "${old%%=*}\>" || return 1
	done <<-'END'
	tq-filter --kinds=kernel --kind=kernel
	tq-filter --kinds=kernel -kkernel
	tq-advise --most=1 -n1
	tq-advise --most=1 --top=1
	tq-stats --filter-time=10ms/20ms --time=10ms:20ms
	END
	tq-diff --rows 1 "$in" "$in" > want
	tq-diff --top 1 "$in" "$in" | cmp want -
	tq-diff -n 1 "$in" "$in" | cmp want -
	tq-stats -n 1 -r cuda_api_sum "$in" > want
	tq-stats --top 1 -r cuda_api_sum "$in" | cmp want -
	tq-filter -n 1 true "$in" > want
	tq-filter --top 1 true "$in" | cmp want -
	tq-extract --time 10ms:20ms "$(demo)" > want
	tq-extract --from 10ms --to=20ms "$(demo)" | cmp want -
	! tq-extract --help | grep -e '--from\>' -e '--to\>' || return 1
}

# ---- operands ----

@test "no operand and - are stdin, and -- ends the options" {
	for tool in $(filters); do
		file=$(operand "$tool")
		cp "$file" ./-h
		plain "$tool" "$file" | nameless > expect
		[[ -s expect ]]
		plain "$tool" < "$file" | nameless | cmp expect -
		plain "$tool" - < "$file" | nameless | cmp expect -
		plain "$tool" -- -h | nameless | cmp expect -
	done
}

@test "the same input gives the same bytes" {
	for tool in $(filters); do
		"$tool" "$(operand "$tool")" > expect
		for i in 1 2 3; do
			"$tool" "$(operand "$tool")" | cmp expect -
		done
	done
}

@test "an operand that is not there exits 1 and is named, and is not made" {
	for tool in $(filters); do
		run --separate-stderr "$tool" nowhere.tq
		fails 1
		says "$tool: nowhere.tq: No such file or directory"
		[[ ! -e nowhere.tq ]]
	done
}

@test "a directory as operand exits 1 and is named" {
	mkdir -p folder
	for tool in $(filters); do
		run "$tool" folder
		((status == 1))
		[[ ${output,,} = *"$tool: folder: is a directory"* ]]
	done
}

@test "a file that may not be read exits 1 and is named" {
	need no-root
	touch secret
	chmod 0 secret
	for tool in $(filters); do
		run --separate-stderr "$tool" secret
		fails 1
		says "$tool: secret: Permission denied"
	done
}

# ---- stdout ----

@test "stdout on a full device exits 1 and says so" {
	for tool in $(filters); do
		run bash -c "$tool '$(operand "$tool")' > /dev/full"
		((status == 1))
		[[ $output = "$tool: <stdout>: No space left on device" ]]
		run bash -c "$tool '$(many "$tool")' > /dev/full"
		((status == 1))
		[[ $output = "$tool: <stdout>: No space left on device" ]]
	done
}

@test "a closed stdout exits 1 and says so" {
	for tool in $(filters); do
		run bash -c "$tool '$(operand "$tool")' >&-"
		((status == 1))
		[[ $output = "$tool: <stdout>: Bad file descriptor" ]]
	done
}

@test "a closed stdin, stdout or stderr changes nothing of what a file gives" {
	for tool in $(filters) tq-diff; do
		file=$(operand "$tool")
		set -- "$file"
		[[ $tool != tq-diff ]] || set -- "$file" "$file"
		"$tool" -o expected "$@"
		for closed in '<&-' '2>&-' '<&- 2>&-' '<&- >&-' \
		    '>&- 2>&-' '<&- >&- 2>&-'; do
			rm -f got
			bash -c '"$@" '"$closed" - "$tool" -o got "$@"
			cmp expected got
		done
		bash -c '"$@" <&- > got' - "$tool" "$@"
		cmp expected got
	done
}

@test "a message for a closed stderr does not reach a file" {
	head -n -1 "$(operand tq-filter)" > cut.tq
	for tool in $(filters | grep -vx -e tq-extract -e tq-advise); do
		rm -f expected
		run -1 "$tool" -o expected cut.tq
		[[ $output = *"stream ends without its end record"* ]]
		for closed in '2>&-' '>&- 2>&-' '<&- >&- 2>&-'; do
			rm -f got
			run -1 bash -c '"$@" '"$closed" - "$tool" -o got cut.tq
			cmp expected got
		done
	done
}

@test "a reader that leaves early ends the tool without a message" {
	for tool in $(writers); do
		run --separate-stderr bash -c "$(wordy "$tool") '$(many "$tool")' |
		    head -c 1 | wc -c;"'echo ${PIPESTATUS[0]}'
		((status == 0 && ${#lines[@]} == 2))
		# SIGPIPE, or exit 1 where it is ignored
		[[ ${lines[1]} = 141 ]]
		[[ -z $stderr ]]
		run --separate-stderr bash -c "trap '' PIPE;"`
		    `"$(wordy "$tool") '$(many "$tool")' |
		    head -c 1 | wc -c;"'echo ${PIPESTATUS[0]}'
		[[ ${lines[1]} = 1 ]]
		[[ -z $stderr ]]
	done
}

@test "no memory exits 1 and says so" {
	need native no-sanitizer
	head -c 300M /dev/zero | tr '\0' 7 > ../bad
	for tool in $(filters); do
		[[ $tool != tq-extract ]] || continue
		run --separate-stderr bash -c "ulimit -v 250000; $tool ../bad"
		fails 1
		says "$tool: out of memory"
	done
}

# ---- -o ----

@test "-o writes what stdout would get" {
	for tool in $(filters); do
		"$tool" "$(operand "$tool")" > expect
		(umask 027 && "$tool" -o out "$(operand "$tool")") > stdout
		cmp expect out
		[[ ! -s stdout ]]
		[[ $(stat -c %a out) = 640 ]]
		rm expect out stdout
		alone ""
	done
}

@test "a terminal gets no compressed output" {
	local on=()

	need script
	for tool in $(tools); do
		[[ $tool != tq-capture ]] && options "$tool" | grep -q '^-z ' || continue
		on=("$(operand "$tool")")
		[[ $tool != tq-diff ]] || on+=("${on[0]}")
		for file in '<stdout>' /dev/tty; do
			run script -qec "$tool -z $([[ $file = '<stdout>' ]] ||
			    echo "-o $file") ${on[*]}" /dev/null < /dev/null
			[ "$status" -eq 2 ]
			[ "${output%$'\r'}" = "$tool: $file: is a terminal; use -o or a pipe" ]
		done
		script -qec "$tool -z ${on[*]} > out" /dev/null < /dev/null
		zstd -tq out
	done
	[ -s out ]
	rm out
}

@test "-o replaces a file, and keeps a symbolic link" {
	for tool in $(filters); do
		plain "$tool" "$(operand "$tool")" > expect
		echo old > target
		ln -sf target link
		plain "$tool" -o link "$(operand "$tool")"
		[[ -L link ]]
		cmp expect target
	done
}

@test "-o into a folder that takes no files exits 1 and is named" {
	for tool in $(filters); do
		run --separate-stderr "$tool" -o nowhere/out "$(operand "$tool")"
		fails 1
		says "$tool: nowhere/out: No such file or directory"
		run --separate-stderr "$tool" -o /proc/out "$(operand "$tool")"
		fails 1
		[[ $stderr = "$tool: /proc/out: "* ]]
		[[ $tool != tq-align ]] || continue # writes a file there
		run --separate-stderr "$tool" -o . "$(operand "$tool")"
		fails 1
		says "$tool: .: Is a directory"
	done
}

@test "-o on a full device exits 1, and nothing is left" {
	for tool in $(writers); do
		run --separate-stderr "$tool" -o /dev/full "$(operand "$tool")"
		fails 1
		says "$tool: /dev/full: No space left on device"
		# a limit is as good as a full disk
		run --separate-stderr bash -c "trap '' XFSZ; ulimit -f 64;"`
		    `"$(wordy "$tool") -o out '$(many "$tool")'"
		fails 1
		says "$tool: out: File too large"
		alone ""
	done
}

@test "a run that fails leaves the old file, and no other" {
	for tool in $(filters); do
		echo old > out
		{
			cat "$(operand "$tool")" 2> /dev/null | head -c 100
			echo
			echo garbage
		} > ../bad
		run --separate-stderr "$tool" -o out ../bad
		fails 1
		run --separate-stderr "$tool" -o out nowhere.tq
		fails 1
		alone out
		[[ $(cat out) = old ]]
	done
}

@test "a signal midway leaves the old file, and no other" {
	for tool in $(writers); do
		file=$(many "$tool")
		echo old > out
		run bash -c "ulimit -c 0; ulimit -f 64; $(wordy "$tool") -o out '$file'"
		((status > 128))
		alone out
		[[ $(cat out) = old ]]
	done
}

@test "killed while it waits, a tool leaves nothing" {
	mkfifo ../pipe
	for tool in $(filters); do
		[[ $tool != tq-extract ]] || continue
		"$tool" -o out ../pipe &
		# more than pipe and buffers hold, so that it has begun to write
		exec {hold}> ../pipe
		for i in 1 2 3; do
			grep '"mark"' "$(many "$tool")" >&"$hold"
		done
		kill -KILL $!
		wait $! || true
		exec {hold}>&-
		alone ""
	done
}

# ---- files that are no streams ----

@test "a file that is no stream is called what it is" {
	cp "$(demo)" r.sqlite
	printf '{"traceEvents": [\n]}\n' > chrome.json
	printf '{\n  "schemaVersion": 1\n}\n' > kineto.json
	printf '[\n{"ph": "X"}]\n' > array.json
	printf '\n\n\003abc\n' > x.pftrace
	printf 'abc\n' > r.nsys-rep
	tq-extract r.sqlite | tq-stats -r cuda_gpu_kern_sum --partial > p
	while IFS='|' read -r file what; do
		for tool in tq-stats tq-correlate tq-chrome; do
			run --separate-stderr -1 "$tool" "$file"
			says "$tool: $file: ${what/TOOL/$tool}"
		done
	done <<-'END'
	r.sqlite|is an SQLite database: tq-extract r.sqlite | TOOL
	chrome.json|is a Chrome trace: tq-extract chrome.json | TOOL
	kineto.json|is JSON, perhaps a Chrome trace: tq-extract kineto.json | TOOL
	array.json|is a JSON array, perhaps a Chrome trace: tq-extract array.json | TOOL
	x.pftrace|is a trace for Perfetto: tq-extract x.pftrace | TOOL
	r.nsys-rep|is a report of Nsight Systems: tq-extract r.nsys-rep | TOOL
	p|is a partial: tq-stats --merge reads it
	END
}

# ---- words that are not known ----

@test "a word that is not known is answered with the ones it may have meant" {
	while IFS='|' read -r command answer; do
		run -2 $command < /dev/null
		if [[ ${lines[0]} != *": $answer" &&
		    ${lines[1]:-} != *": $answer" ]]; then
			echo "$command: $output"
			return 1
		fi
	done <<-'END'
	tq-stats -r kern_sum|no report is named 'kern_sum': did you mean cuda_gpu_kern_sum or nvtx_kern_sum?
	tq-stats -r nvtx_pushpop_sums|no report is named 'nvtx_pushpop_sums': did you mean nvtx_pushpop_sum?
	tq-stats -g durr|'durr' is no key of a record: did you mean dur?
	tq-extract -k kernels|no kind of record is named 'kernels': did you mean kernel?
	tq-filter -k kernal|no kind of record is named 'kernal': did you mean kernel?
	tq-filter duration>1|no key is named 'duration': did you mean dur?
	tq-filter --ranges x|did you mean --range?
	tq-chrome --colour-map x|did you mean --color-map?
	END
}

@test "an expression about a kind that there is not is a warning" {
	tq-extract "$(demo)" > in.tq
	run -0 --separate-stderr tq-filter 'kind == "kernal" || dur > 1' in.tq
	[[ $stderr = "tq-filter: warning: no kind of record is named 'kernal': did you mean kernel?" ]]
	run -0 --separate-stderr tq-filter 'dur > 1 && kind in ("range", "apis")' in.tq
	[[ $stderr = "tq-filter: warning: no kind of record is named 'apis': did you mean api?" ]]
	run -0 --separate-stderr tq-filter 'kind in ("range", "api") or kind == "kernel"' in.tq
	[[ -z $stderr ]]
}

@test "a word where only some are possible is answered with all of them" {
	need native
	while IFS='|' read -r command answer; do
		run $command < /dev/null
		((status == 2 || status == 125))
		if [[ ${lines[0]} != *": $answer" ]]; then
			echo "$command: $output"
			return 1
		fi
	done <<-'END'
	tq-extract --schema=x|--schema x: expected ndjson, duckdb, clickhouse or sqlite
	tq-extract -k x|no kind of record is named 'x'; there are:
	tq-stats -r x|no report is named 'x'; there are:
	tq-stats -r gaps:x|gaps takes no argument 'x' (device, stream or delay=30us)
	tq-stats -g xyzzy|'xyzzy' is no key of a record: tq-extract --schema lists them
	tq-stats --timeunit x|--timeunit x: expected ns, us, ms or s
	tq-stats --compat x|--compat x: expected 2023.4 or 2024.6
	tq-capture -t x true|--trace x: expected cuda, nvtx, osrt, python-gil, mpi, nccl or none
	END
	# a choice of the usage or of --help is a choice of the message
	for tool in $(tools) "tq view" "tq fleet"; do
		$tool --help | grep -oE -- '(--[a-z-]+|-[a-z]) [a-zA-Z]+(\|[a-zA-Z-]+)+' |
		    while read -r option words; do
			run $tool "$option" xyzzy x
			echo "$tool $option: $output"
			[[ ${lines[0]} = *" xyzzy: expected "* ]]
			for word in ${words//|/ }; do
				[[ ${lines[0]//[\[\]:(),]/ }\  = *" $word "* ]]
			done
		done
	done
}

@test "a process that does not occur is named, where nothing matched" {
	tq-extract "$(demo)" | tq-correlate > in.tq
	while IFS='#' read -r arguments answer; do
		run -0 --separate-stderr tq-filter $arguments in.tq
		echo "$arguments: $stderr"
		[[ $stderr = "${answer:+tq-filter: warning: }$answer" ]]
	done <<-'END'
	pid==42#no record has pid 42; there are 1, 48190, 48211, 48212
	--no-closure pid==42#no record has pid 42; there are 1, 48190, 48211, 48212
	pid==48211&&dur>1h#
	pid==42||dur>1ms#
	pid!=42#
	-v pid==42#
	tid==42#no record has tid 42; there are 48211, 48212, 48371, 48372, 48391, 48392
	--pid 48212,42#
	--pid 41,42#no record has pid 41; there are 1, 48190, 48211, 48212
	--device 7#no record has device 7; there are 0, 1
	--stream 1#no record has stream 1; there are 7, 20, 24
	--rank 3#no record has rank 3, nor any other
	-k kernel stream==1#no record has stream 1; there are 7, 20, 24
	device==7&&kind!="api"#no record has device 7; there are 0, 1
	END
	# where there are many, some of them
	for i in {1..20}; do
		echo '{"kind":"mark","ts":'$i',"pid":'$i',"name":"a"}'
	done | stream > many.tq
	run -0 --separate-stderr tq-filter 'pid == 42' many.tq
	[[ $stderr = *"; there are 1, 2, 3, 4, 5, 6, ..." ]]
	run -1 tq-filter -q 'pid == 42' many.tq
	[[ -z $output ]]
}

@test "--range that misses says which ranges are near" {
	{
		echo '{"kind":"trace","version":1}'
		echo '{"kind":"range","ts":1,"dur":5,"name":"forward pass","pid":1,"tid":1}'
		echo '{"kind":"range","ts":2,"dur":1,"name":"groupEnd","domain":"NCCL","pid":1,"tid":1}'
		echo '{"kind":"end","events":2}'
	} > in.tq
	while IFS='|' read -r range answer; do
		run -0 --separate-stderr tq-filter --range "$range" in.tq
		[[ $stderr = "tq-filter: warning: no range $answer" ]]
	done <<-'END'
	forward|is named 'forward': did you mean 'forward pass'?
	forwerd pass|is named 'forwerd pass': did you mean 'forward pass'?
	groupEnd|has the name in --range; in the domain 'NCCL' there is one: NAME@NCCL, or NAME@* for any
	forward pass@NCCL|has the name in --range; without a domain there is one
	backward|is named 'backward'
	END
}

@test "names of a stream in hints of --range send no command to a terminal" {
	{
		echo '{"kind":"trace","version":1}'
		echo '{"kind":"range","ts":1,"dur":5,"name":"a\u001b[2Jb c","pid":1,"tid":1}'
		echo '{"kind":"range","ts":2,"dur":1,"name":"x","domain":"\u001b[2J","pid":1,"tid":1}'
		echo '{"kind":"end","events":2}'
	} > in.tq
	run -0 --separate-stderr tq-filter --range 2Jb in.tq
	[[ $stderr = *": did you mean 'a?[2Jb c'?" ]]
	run -0 --separate-stderr tq-filter --range x in.tq
	[[ $stderr = *"in the domain '?[2J' there is one: NAME@?[2J, or"* ]]
}

@test "a trace of the other viewer's suffix is refused with the right tool's name" {
	run -2 tq-chrome -o x.pftrace < /dev/null
	[[ $output = 'tq-chrome: x.pftrace: tq-perfetto writes such a file' ]]
	run -2 tq-perfetto -o x.json < /dev/null
	[[ $output = 'tq-perfetto: x.json: tq-chrome writes such a file' ]]
	[[ -z $(ls) ]]
}

@test "without operands at a terminal a tool prints its usage, and does not wait" {
	need script
	for tool in $(filters) tq "tq view" tq-capture; do
		command=$tool expected=2
		case $tool in
		tq-filter) command="$tool true" ;;
		tq-capture) expected=125 ;; # as of env(1)
		esac
		run script -qec "timeout 20 $command > out" /dev/null < /dev/null
		if ((status != expected)) || [[ $output != "usage: $tool "* || -s out ]]; then
			echo "$tool: status $status, $output"
			return 1
		fi
	done
	rm out
}

@test "a time of an option has a unit, in every tool, or is 0" {
	demo > /dev/null
	for option in 'extract --from=' 'extract --to=' 'extract --time=:' \
	    'filter --time=:' 'filter --min-dur=' 'filter --merge-short=' \
	    'advise --time=:' 'stats --time=:' 'stats --filter-time=:' \
	    'stats --every='; do
		for time in 60.2 12 1.; do
			# shellcheck disable=SC2086 # a tool and its option
			run -2 tq-$option$time "$(demo)"
			echo "$option$time: $output"
			[[ $output = "tq-${option%% *}: --"*"$time: a time has no unit: s, ms, us or ns?" ]]
		done
	done
	run -0 tq-extract --from 0 "$(demo)"
}

@test "-k help lists the kinds" {
	for tool in tq-extract tq-filter; do
		run -0 "$tool" -k help
		[[ $output = *'  kernel       a kernel execution'* ]]
	done
}

# ---- the completion ----

# complete_with WORD ...: what bash would offer for the last word
complete_with() {
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	_tq
	printf '%s\n' "${COMPREPLY[@]}"
}

@test "the completion knows the options of each tool, and their values" {
	source "$BUILD/tq.bash"
	for tool in $(tools); do
		complete -p "$tool"
		complete_with "$tool" - | sort > got
		options "$tool" | tr ' ' '\n' | grep '^-' | sort | diff - got
		[[ $(complete_with "$tool" --versio) = --version ]]
		[[ -z $(complete_with "$tool" "") ]]
		[[ -z $(complete_with "$tool" -o "") ]]
		"$tool" --help | grep -oE -e '--[a-z-]+[ =][a-z0-9-]+[|][a-z0-9|-]+' |
		    sort -u | while read -r name values; do
			tr '|' '\n' <<< "$values" > expect
			complete_with "$tool" "$name" "" | diff expect -
			complete_with "$tool" "$name" = "" | diff expect -
		done
	done
}

@test "the completion knows the words that an option takes, which its tool lists" {
	source "$BUILD/tq.bash"
	complete_with tq stats --color "" | diff <(printf '%s\n' auto always never) -
	[[ $(complete_with tq stats --timeunit m | paste -sd ' ') = ms ]]
	[[ $(complete_with tq advise -f markd) = markdown ]]
	[[ $(complete_with tq-diff --format ht) = html ]]
	[[ $(complete_with tq align -f md) = '' ]]
	[[ $(complete_with tq capture --kill sigt) = sigterm ]]
	[[ $(complete_with tq advise --explain failed-c) = failed-calls ]]
	[[ $(complete_with tq extract --format rocp) = rocpd ]]
	[[ $(complete_with tq correlate -k kern) = kernel ]]
	[[ -z $(complete_with tq stats --top "") ]]
}

@test "the completion knows reports, kinds, columns and traces, in a list, too" {
	source "$BUILD/tq.bash"
	[[ $(complete_with tq-stats -r cuda_gpu_kern_s) = cuda_gpu_kern_sum ]]
	[[ $(complete_with tq stats -r step,gaps_s) = step,gaps_sum ]]
	[[ $(complete_with tq stats --help-reports gaps_s) = gaps_sum ]]
	tq-stats --help-reports | awk '/^ / { print $1 }' > expect
	complete_with tq-stats -r "" | grep -vx kernels | diff expect -
	[[ $(complete_with tq-stats --sort of_w) = of_wall_pct ]]
	[[ $(complete_with tq filter -k kern) = kernel ]]
	[[ $(complete_with tq filter --kind kernel,memc) = kernel,memcpy ]]
	tq-extract -k help | awk '/^ / { print $1 }' > expect
	complete_with tq extract -k "" | diff expect -
	complete_with tq-capture -t "" > got
	printf '%s\n' cuda nvtx osrt python-gil mpi nccl none | diff - got
	[[ $(complete_with tq capture -t cuda,os) = cuda,osrt ]]
}

@test "bash completes the commands of tq, and the options behind them" {
	source "$BUILD/tq.bash"
	[[ $(complete_with tq sta) = stats ]]
	[[ $(complete_with tq correlate --sco) = --scope ]]
	[[ $(complete_with tq correlate --scope th) = thread ]]
	[[ $(complete_with tq view --s) = --serve ]]
	[[ $(complete_with tq help ex) = extract ]]
}

# in_zsh LINE: what zsh makes of a line and a tab
in_zsh() {
	zsh -f "$top/tests/complete.zsh" "$PWD/functions" "$1"
}

@test "zsh completes commands, options and values, when a tab is typed" {
	need zsh
	zsh -n "$BUILD/tq.zsh"
	mkdir functions
	cp "$BUILD/tq.zsh" functions/_tq
	: > 'a run.tq'
	[[ $(in_zsh 'tq sta') = 'tq stats ' ]]
	[[ $(in_zsh 'tq help ex') = 'tq help extract ' ]]
	[[ $(in_zsh 'tq correlate --sco') = 'tq correlate --scope='* ]]
	[[ $(in_zsh 'tq stats -r gaps,nvtx_k') = 'tq stats -r gaps,nvtx_kern_sum'* ]]
	[[ $(in_zsh 'tq-stats --sort of_w') = 'tq-stats --sort of_wall_pct'* ]]
	[[ $(in_zsh 'tq-stats --color al') = 'tq-stats --color always ' ]]
	[[ $(in_zsh 'tq-capture -t cuda,os') = 'tq-capture -t cuda,osrt'* ]]
	[[ $(in_zsh 'tq stats -r kernels a') = 'tq stats -r kernels a\ run.tq ' ]]
	[[ $(in_zsh 'tq view --ser') = 'tq view --serve ' ]]
}

@test "fish completes commands, options and values" {
	need fish
	fish -c 'source $BUILD/tq.fish; complete -C "tq sta"' | grep -x stats
	fish -c 'source $BUILD/tq.fish; complete -C "tq correlate --sco"' |
	    grep -P '^--scope\t'
	[[ $(fish -c 'source $BUILD/tq.fish
	    complete -C "tq-correlate --scope th"') = thread* ]]
	[[ $(fish -c 'source $BUILD/tq.fish
	    complete -C "tq stats -r gaps,nvtx_k"') = gaps,nvtx_kern_sum* ]]
	[[ $(fish -c 'source $BUILD/tq.fish
	    complete -C "tq-stats --color al"') = always* ]]
	[[ $(fish -c 'source $BUILD/tq.fish
	    complete -C "tq extract -k kern"') = kernel* ]]
}
