#!/usr/bin/env bats
# What the manual and the examples say is what happens.
#
# In the EXAMPLES of man/*.[157], a line of ".Dl" or of a ".Bd -literal" block
# that begins with "$ " is a command; one that ends with "\e" goes on in the
# next line.  The lines after it, up to the next command or the end of the
# block, are what it prints, stdout and stderr; where there are none, it may
# print what it likes, but has to succeed.  "..." stands for any lines that are
# left out.  Blocks without "$ " are not run: programs, configuration, what
# needs a GPU.  README.md and examples/SKILL.md have the same between their lines
# of "```".
#
# The commands of a page run one after the other in an empty folder with
# demo.sqlite, made of examples/demo.sql, the program nvtx, made of
# examples/nvtx.c, and killed.py, loader.py and nvtx.py of examples in it.

load helper

PAGES=("$top"/man/*.[157])

# examples PAGE: the lines of its examples, as a reader sees them: "block"
# before each of the blocks, and its lines with a tab before them
examples() {
	if [[ $1 = *.md ]]; then
		awk '/^```/ { inside = !inside; if (inside) print "block"; next }
		inside { print "\t" $0 }' "$1"
		return
	fi
	awk '
	function plain(s) {
		gsub(/\\&/, "", s)
		gsub(/\\\(aq/, "\047", s)
		gsub(/\\\(dq/, "\"", s)
		gsub(/\\\(ga/, "`", s)
		gsub(/\\\(ha/, "^", s)
		gsub(/\\\(ti/, "~", s)
		gsub(/\\-/, "-", s)
		gsub(/\\e|\\\(rs/, "\\", s)
		return s
	}
	/^\.Sh / { inside = $0 ~ /EXAMPLES/; next }
	!inside { next }
	/^\.Dl / { print "block"; print "\t" plain(substr($0, 5)); next }
	/^\.Bd .*-literal/ { print "block"; block = 1; next }
	/^\.Ed/ { block = 0; next }
	block { print "\t" plain($0) }' "$1"
}

# expected GOT EXPECT: is it what was expected, where "..." is any lines?
expected() {
	awk -v got="$1" '
	function same(i, j) { # from line i on, what is expected from j on
		while (j <= wanted && want[j] != "...")
			if (i > lines || line[i++] != want[j++])
				return 0
		if (j > wanted)
			return i > lines
		for (; i <= lines + 1; i++)
			if (same(i, j + 1))
				return 1
		return 0
	}
	{ want[++wanted] = $0 }
	END {
		while ((getline text < got) > 0)
			line[++lines] = text
		exit !same(1, 1)
	}' "$2"
}

# try PAGE COMMAND: run it, and hold it against the file "expect"
try() {
	local status=0

	bash -e -o pipefail -c "$2" > ../got 2>&1 < /dev/null || status=$?
	if [[ -s ../expect ]]; then
		expected ../got ../expect && return
	elif ((status == 0)); then
		return
	fi
	{
		echo "${1##*/}: $ $2"
		echo "status $status, and it printed:"
		head -n 20 ../got
		if [[ -s ../expect ]]; then
			echo "instead of:"
			cat ../expect
		fi
	} >> ../failures
}

# run_page PAGE: all commands of its examples; what failed is in ../failures
run_page() {
	local line command="" more=""

	: > ../expect
	: > ../count
	while IFS= read -r line; do
		if [[ $more ]]; then
			command+=$'\n'${line#$'\t'}
		elif [[ $line = block || $line = $'\t$ '* ]]; then
			if [[ $command ]]; then
				try "$1" "$command"
				echo >> ../count
			fi
			command=""
			: > ../expect
			[[ $line = block ]] || command=${line#$'\t$ '}
		elif [[ $command ]]; then
			echo "${line#$'\t'}" >> ../expect
		fi
		more=""
		[[ ! $command || $line != *\\ ]] || more=yes
	done < <(examples "$1"; echo block)
}

@test "every page has examples" {
	for page in "${PAGES[@]}"; do
		if ! examples "$page" | grep -q '^	'; then
			echo "${page##*/}: no EXAMPLES"
			failed=yes
		fi
	done
	[[ ! ${failed-} ]]
}

@test "every tool has a page, and its page has the sections it needs" {
	for tool in $(tools); do
		page=$top/man/$tool.1
		for section in NAME SYNOPSIS DESCRIPTION 'EXIT STATUS' EXAMPLES; do
			grep -q "^\.Sh $section" "$page" || {
				echo "${page##*/}: no $section"
				failed=yes
			}
		done
	done
	[[ ! ${failed-} ]]
}

@test "the pages refer to pages that are there" {
	grep -hoE '^\.Xr tq[a-z-]* [0-9]' "$top"/man/*.[157] | sort -u |
	    while read -r _ name section; do
		[[ -e $top/man/$name.$section ]] || {
			echo "$name($section) is not there"
			exit 1
		}
	done
}

@test "what README.md and CONTRIBUTING.md link to is there" {
	grep -ohE '\]\([^)#]+' "$top"/{README,CONTRIBUTING}.md | grep -v '](https:' |
	    while read -r link; do
		[[ -s $top/${link#*(} ]] || {
			echo "$link"
			exit 1
		}
	done
}

@test "the files, make targets and commits that CONTRIBUTING.md names are there" {
	cd "$top"
	grep -oE '\b(cmd|common|examples|include|man|tests)/[^])` ]*|\.ci/run' \
	    CONTRIBUTING.md | grep -v '[A-Z][A-Z]' | sort -u > "$BATS_TEST_TMPDIR/files"
	(($(wc -l < "$BATS_TEST_TMPDIR/files") > 20))
	while read -r file; do
		compgen -G "$file" > /dev/null || {
			echo "$file"
			return 1
		}
	done < "$BATS_TEST_TMPDIR/files"
	for target in $(grep -oE '\bmake [a-z][a-z-]*' CONTRIBUTING.md | cut -d ' ' -f 2 |
	    sort -u); do
		grep -qE "^([a-z-]+ )*$target\b.*:" Makefile packaging/release.mk || {
			echo "make $target"
			return 1
		}
	done
	[[ $(git rev-parse --is-shallow-repository 2>&1) = false ]] || return 0
	for commit in $(grep -oE '\b[0-9a-f]{8}\b' CONTRIBUTING.md); do
		git cat-file -e "$commit^{commit}"
	done
}

@test "the files that common/README names are there" {
	cd "$top"
	grep -oE '[A-Za-z_/-]+[.](c|def)\b' common/README |
	    grep -v 'TOOL\|^foo\|^x' | sort -u > "$BATS_TEST_TMPDIR/files"
	(($(wc -l < "$BATS_TEST_TMPDIR/files") > 10))
	while read -r file; do
		[[ $(find cmd common include -path "*/${file#cmd/}") ]] || {
			echo "$file"
			return 1
		}
	done < "$BATS_TEST_TMPDIR/files"
}

# a result of make bench: NAME WALL, the seconds of wall time
bench_result()
{
	jq -c -n --arg name "$1" --argjson wall "$2" '{$name, kernels: 1000,
	    date: "2026-01-02", commit: "0123456789", cpus: "8", cpu: "CPU",
	    wall_ns: ($wall * 1e9), user_ns: 250000000, system_ns: 0,
	    stages: [{max_rss_bytes: 3e6}, {max_rss_bytes: 7e6}]}'
}

@test "make bench-table replaces the tables of README.md and tq-measured(7)" {
	local here=$BATS_TEST_TMPDIR/sources

	mkdir -p "$here"/{man,tests/bench}
	cp "$top/README.md" "$here"
	cp "$top/man/tq-measured.7" "$here/man"
	cp "$top/tests/bench/table.sh" "$here/tests/bench"
	{
		bench_result 'extract|correlate|chrome' 12.34
		bench_result 'tq-correlate' 0.126
	} > "$BATS_TEST_TMPDIR/result"
	for _ in 1 2; do # the second time replaces what the first has written
		sh "$here/tests/bench/table.sh" "$BATS_TEST_TMPDIR/result"
	done
	[ "$(sed -n '/^<!-- make bench-table/,/^<!-- end/p' "$here/README.md")" = \
"<!-- make bench-table writes these rows -->
| 1,000 kernels (2026-01-02, commit 0123456789, 8 processors) | CPU s | wall s | MB |
|---|---|---|---|
| the same as a pipe: \`tq-extract \\| tq-correlate \\| tq-chrome\` | 0.25 | 12 | 7 |
<!-- end of the table -->" ]
	sed -n '/bench-table writes/,/end of the table/p' \
	    "$here/man/tq-measured.7" > "$BATS_TEST_TMPDIR/table"
	grep -xq 'On 2026-01-02, commit 0123456789, .*' "$BATS_TEST_TMPDIR/table"
	(($(grep -cE ' 0\.25 +(12|0\.13) +7$' "$BATS_TEST_TMPDIR/table") == 2))
	diff <(sed '/make bench-table/,/end of/d' "$top/README.md") \
	    <(sed '/make bench-table/,/end of/d' "$here/README.md")
	sed -i /bench-table/d "$here/README.md"
	run -1 sh "$here/tests/bench/table.sh" "$BATS_TEST_TMPDIR/result"
	[ "$output" = 'table.sh: README.md has no place for the table' ]
}

@test "the tables of README.md and tq-measured(7) are of one commit, which is here" {
	local readme manual

	readme=$(sed -nE 's/^\| [0-9,]+ kernels \((.*), commit (\w+),.*/\1 \2/p' \
	    "$top/README.md")
	manual=$(sed -nE 's/^On (.*), commit (\w+),.*/\1 \2/p' \
	    "$top/man/tq-measured.7")
	[[ -n $readme && $readme = "$manual" ]]
	cd "$top"
	[[ $(git rev-parse --is-shallow-repository 2>&1) = false ]] || return 0
	git cat-file -e "${readme#* }^{commit}"
}

@test "README.md is short, and says first what tq is for" {
	(($(wc -l < "$top/README.md") <= 250))
	[[ $(sed -n 3p "$top/README.md") = '**Find out why your GPUs are idle.**'* ]]
	# the licence of nsys does not allow to publish its timings
	! grep -nE 'nsys.*[0-9] (s|ms)\b' "$top"/README.md "$top"/man/tq-measured.7 ||
	    return 1
}

@test "the page for agents is short, and begins as agents want it" {
	(($(wc -c < "$top/examples/SKILL.md") <= 8192))
	[[ $(sed -n 1,2p "$top/examples/SKILL.md") = $'---\nname: gpu-traces' ]]
	sed -n 3p "$top/examples/SKILL.md" | grep -q '^description: .*tq'
}

@test "every example of the man pages and of README.md does what it says" {
	for page in "${PAGES[@]}" "$top"/{README,examples/SKILL}.md; do
		mkdir "$BATS_TEST_TMPDIR/${page##*/}"
		cd "$BATS_TEST_TMPDIR/${page##*/}"
		cp "$(demo)" demo.sqlite
		cp "$BUILD/capture/stand-in/nvtx" "$top"/examples/{killed,loader,nvtx}.py .
		run_page "$page"
		echo "${page##*/}: $(wc -l < ../count) examples"
	done
	cat ../failures 2> /dev/null || true
	[[ ! -s ../failures ]]
}

# The way from a page to its commands is long enough to have a test itself.
@test "the examples of a page are found and checked" {
	mkdir "$BATS_TEST_TMPDIR/x"
	cd "$BATS_TEST_TMPDIR/x"
	cat > ../page.1 <<'EOF'
.Sh NAME
.Dl $ false
.Sh EXAMPLES
Text.
.Dl $ echo a > file
.Bd -literal -offset indent
not run
$ cat file \e
    file | sed \(aqs/a/\e(b\e)/\(aq; \e
    echo \-c
(b)
(b)
-c
$ seq 9
1
\&...
4
...
9
$ seq 3
.Ed
.Sh SEE ALSO
.Dl $ false
EOF
	run_page ../page.1
	[[ $(wc -l < ../count) = 4 ]]
	[[ ! -e ../failures ]]
	sed 's/^9$/8/; s/echo a/echo c; false/; s/seq 3/false/' ../page.1 \
	    > ../wrong.1
	run_page ../wrong.1
	[[ $(grep -c '^status' ../failures) = 4 ]]
}

# The recipes are paragraphs: what one types for nsys, and for tq-capture.
@test "the recipes of tq-capture(1) for those who know nsys make recordings" {
	mkdir "$BATS_TEST_TMPDIR/bin" "$BATS_TEST_TMPDIR/here"
	cd "$BATS_TEST_TMPDIR/here"
	cp "$BUILD/capture/stand-in/nvtx" .
	cat > train <<-'END'
	#!/bin/sh
	./nvtx 5
	while [ -e hold ]; do sleep 0.1; done
	END
	cat > ../bin/mpirun <<-'END'
	#!/bin/sh
	shift 2
	for OMPI_COMM_WORLD_RANK in 0 1 2 3; do
		export OMPI_COMM_WORLD_RANK
		"$@" || exit 1
	done
	END
	chmod +x train ../bin/mpirun
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
	sed -n '/^\.Ss From nsys/,/^\.Ed/p' "$top/man/tq-capture.1" |
	    sed '1,/^\.Bd/d; /^\.Ed/d; s/\\(aq/'\''/g; s/\\e$/\\/' > recipes
	# a paragraph, without the lines for nsys; a session waits to be stopped
	awk -v RS= '{
		gsub(/\\\n/, " ")
		n = split($0, line, "\n")
		for (i = 1; i <= n; i++)
			if (line[i] !~ /nsys /)
				print line[i] > "recipe." NR
	}' recipes
	sed -i '/&$/{s/^/touch hold; /; s/$/ until tq-capture status --session=train; do sleep 0.1; done/}
		s/^\(tq-capture start.*\)$/\1; rm hold; wait/' recipe.*
	count=0
	for recipe in recipe.*; do
		rm -f run*.tq
		echo "$(< "$recipe")"
		bash -e -o pipefail "$recipe" > out 2> err
		if [[ $(< "$recipe") = *tq-stats* ]]; then
			grep -q trainer out
		else
			tail -qn 1 run*.tq | grep '"kind":"end"'
		fi
		count=$((count + 1))
	done
	((count == $(grep -c '^$' recipes) + 1 && count > 5))
}

@test "every pipeline in examples/ runs, on the demo and on a file" {
	cd "$BATS_TEST_TMPDIR"
	cp "$(demo)" own.sqlite
	for script in "$top"/examples/*.sh; do
		[[ ${script##*/} != demo.sh ]] || continue
		[[ $(sed -n 2p "$script") = "# "* ]]
		case ${script##*/} in # what Debian does not have
		duckdb.sh) command -v duckdb > /dev/null || continue ;;
		clickhouse.sh)
			command -v clickhouse-local > /dev/null || continue
			;;
		esac
		echo "${script##*/}"
		run --separate-stderr sh "$script"
		((status == 0))
		[[ -z $stderr && -n $output ]]
		all=$output
		run --separate-stderr sh "$script" own.sqlite
		((status == 0))
		[[ -z $stderr ]]
		[[ ${script##*/} = @(one-step|amd|torch).sh || $output = "$all" ]]
	done
}

@test "the examples for databases give the numbers of tq-stats" {
	cd "$BATS_TEST_TMPDIR"
	cp "$(demo)" own.sqlite
	tq-extract own.sqlite |
	    tq-stats -r cuda_api_sum -f json1 | jq -r '.[] |
		[.Name, ."Num Calls", ."Total Time (ns)", ."Max (ns)"] | @tsv' |
	    sort > expect
	sh "$top/examples/sqlite.sh" own.sqlite | tr -d ' ' |
	    awk -F '│' -v OFS='\t' 'NF > 4 && $3 != "calls" {
		print $2, $3, $4, $5 }' | sort | diff expect -
}

@test "the example for ClickHouse gives it a stream, and the columns of its query" {
	mkdir "$BATS_TEST_TMPDIR/bin"
	cd "$BATS_TEST_TMPDIR"
	cat > bin/clickhouse-local <<-'END'
	#!/bin/sh
	while [ $# -gt 0 ]; do
		echo "$2" > "got.${1#--}"
		shift 2
	done
	tail -n 1 > got.end
	END
	chmod +x bin/clickhouse-local
	PATH=$PWD/bin:$PATH sh "$top/examples/clickhouse.sh" "$(demo)"
	grep -q '"kind":"end"' got.end
	[[ $(< got.input-format) = JSONEachRow ]]
	for column in kind name dur; do
		grep -q "^\`$column\` Nullable" got.structure
		grep -qw "$column" got.query
	done
}

@test "a stream is a table of pandas with exact times" {
	cd "$BATS_TEST_TMPDIR"
	for python in python3 /usr/bin/python3; do
		if "$python" -c 'import pandas' 2> err; then
			break
		fi
	done
	"$python" -c 'import pandas' 2> err || skip "no pandas"
	{
		echo '{"kind":"kernel","ts":9223372036854775806,"dur":1,"name":"a"}'
		echo '{"kind":"kernel","ts":1,"dur":9007199254740993,"name":"a"}'
		echo '{"kind":"mark","ts":1,"name":"b"}'
	} > in.tq
	"$python" "$top/examples/events_table.py" < in.tq |
	    grep -E '^a +2 +9007199254740994 +9007199254740993$'
}

# typed: run the commands that the demo printed last, into "out"
typed() {
	sed -n '/^  cd /,$p' <<< "$output" | grep -v -- --serve > commands
	"$@" env -i PATH=/usr/local/bin:/usr/bin:/bin LC_ALL=C.UTF-8 \
	    bash -e commands > out
	grep -q '"kind": "kernel"' out
}

@test "the demo makes a trace, from any folder, and a second time" {
	cd "$BATS_TEST_TMPDIR"
	for i in 1 2; do
		run env -u MAKEFLAGS -u MAKELEVEL sh "$top/examples/demo.sh"
		echo "$output"
		((status == 0))
		[[ $output = *"made, in $BUILD/demo:"* ]]
		[[ $output = *"The GPUs compute "*" % of the time, "* ]]
		jq -e '.traceEvents | length > 1000' "$BUILD/demo/demo.json"
		tq-perfetto -q "$BUILD/demo/demo.tq" |
		    cmp - "$BUILD/demo/demo.pftrace"
		[[ $(head -n 1 "$BUILD/demo/demo.html") = '<!DOCTYPE html>' ]]
		[[ $output = *" kernel"* && $output = *ui.perfetto.dev* ]]
		typed
	done
}

@test "the demo is made of sources that cannot be written, with spaces in all names" {
	mkdir "$BATS_TEST_TMPDIR/it's here" "$BATS_TEST_TMPDIR/the build"
	cd "$BATS_TEST_TMPDIR/it's here"
	cp -r "$top"/{Makefile,README.md,CHANGELOG.md,cmd,common,examples,include,man,packaging,tests} .
	rm -rf tests/gpu/corpus
	chmod -R a-w .
	chmod 777 "$BATS_TEST_TMPDIR/the build" "$BATS_TEST_TMPDIR"
	chmod 755 "$BATS_RUN_TMPDIR"
	user=()
	((EUID != 0)) || user=(setpriv --reuid 65534 --clear-groups)
	"${user[@]}" test -r "$PWD/Makefile" || skip "no other user reads $PWD"
	# neither a terminal, nor the environment of a user
	run setsid "${user[@]}" env -i PATH="$PATH" CFLAGS=-O0 \
	    BUILD="$BATS_TEST_TMPDIR/the build" \
	    sh examples/demo.sh < /dev/null
	echo "$output"
	((status == 0))
	[[ $output = *"made, in $BATS_TEST_TMPDIR/the build/demo:"* ]]
	cd ..
	typed "${user[@]}"
	[[ -z $(find "it's here" -newer "the build/libtq.a") ]]
	env -u MAKEFLAGS -u MAKELEVEL make -s -C "it's here" CFLAGS=-O0 \
	    BUILD="$BATS_TEST_TMPDIR/the build" \
	    DESTDIR="$BATS_TEST_TMPDIR/a root" install
	"a root/usr/local/bin/tq-extract" "the build/demo/demo.sqlite" |
	    grep -q '"kind":"end"'
	chmod -R u+w .
}
