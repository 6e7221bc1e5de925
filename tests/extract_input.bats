#!/usr/bin/env bats
# tq-extract on odd input, on what is no export, and on reports

load helper

# the records of a kind, as jq sees them: extract FIXTURE KIND FILTER
extract() {
	tq-extract "$(fixture "$1")" 2> /dev/null |
	    jq -c "select(.kind == \"$2\") | $3"
}

# both readers must agree on a database
agree() {
	cmp <(tq-extract "$1" 2>&1) <(tq-extract --reader=sqlite "$1" 2>&1)
}

# ---- odd input ----

@test "a name without a string is its number" {
	run extract odd kernel 'select(.ts == 3000) | .name'
	[ "$output" = '"#404"' ]
	run extract odd kernel 'select(.ts == 4000 or .ts == 5000) | .name'
	[ "${lines[*]}" = '"big id" "biggest id"' ]
}

@test "NUL, control characters, bad UTF-8 and long strings become valid JSON" {
	run extract odd range 'select(.ts == 10100 or .ts == 10200) | .name'
	[ "${lines[*]}" = '"a\u0000b" "a\u0000b"' ]
	run extract odd range 'select(.ts == 10300) | .name | explode'
	[[ "$output" = *'65533,65533'* ]]
	run extract odd range 'select(.ts == 11600) | .name | length'
	[ "$output" = 300000 ]
	run extract odd range 'select(.ts == 11500) | .name'
	[ "$output" = '"of textId"' ]
}

@test "zero and missing durations are kept, what ends before its start is lost" {
	run extract odd kernel 'select(.ts == 6000 or .ts == 7000 or .ts == 8000) | [.dur,.open]'
	[ "${lines[*]}" = '[0,null] [null,true]' ]
	run extract odd lost 'select(.reason == "end before start") | .count'
	[ "$output" = 1 ]
}

@test "a missing column leaves out its key and nothing else" {
	run --separate-stderr jq -r 'select(.ts) | .kind' \
	    <(tq-extract "$(fixture missing)" 2> /dev/null)
	[ "$(grep -c kernel <<< "$output")" -eq 2 ]
	run tq-extract --check "$(fixture missing)"
	[ "$status" -eq 1 ]
	[[ "$output" =~ SYNCHRONIZATION\ +sync\ +1\ +0\ +1\ +1\ no\ start\ time ]]
}

@test "integers beyond 2^53 are strings under args" {
	run extract extreme kernel 'select(.args.corr) | .args.corr'
	[[ "$output" = *'"9007199254740993"'* ]]
}

@test "processes of two hosts that share a pid stay apart" {
	run extract hosts process '[.pid,.name,.host]'
	[ "${lines[0]}" = '[4096,"a",null]' ]
	[ "${lines[1]}" = '[16781312,"b","1.1"]' ]
	run extract hosts kernel '.pid'
	[ "$(sort -u <<< "$output" | wc -l)" -eq 3 ]
}

@test "a real that is no number is left out, for both readers" {
	db=$BATS_TEST_TMPDIR/nan.sqlite
	cp "$(demo)" "$db"
	sqlite3 "$db" "UPDATE NVTX_EVENTS SET doubleValue = 0.3 WHERE rowid = 20"
	printf '\x3f\xd3\x33\x33\x33\x33\x33\x33' > "$BATS_TEST_TMPDIR/bits"
	offset=$(grep -obUaF -f "$BATS_TEST_TMPDIR/bits" "$db" | head -n 1 | cut -d : -f 1)
	printf '\x7f\xf8' | dd of="$db" bs=1 seek="$offset" conv=notrunc status=none
	run jq -c 'select(.kind == "range" and .id == 20) | .args' \
	    <(tq-extract "$db")
	[[ "$output" != *doubleValue* ]]
	agree "$db"
}

# ---- what is no export ----

listed="'tq-extract --list-sources' lists these"

@test "what is no export is told for what it is, and never created" {
	cd "$BATS_TEST_TMPDIR"
	message "no.sqlite: No such file or directory" tq-extract no.sqlite
	[ ! -e no.sqlite ]
	echo "hello, this is a text of more than sixteen bytes" > text
	message "text: is text, but no recording that tq reads: $listed" tq-extract text
	printf '# Title\n\nwords\n' > README.md
	message "README.md: is text, but no recording that tq reads: $listed" \
	    tq-extract README.md
	: > empty
	message "empty: is empty" tq-extract empty
	printf 'SQLite format 3\0%096d' 0 > cut.db
	message "cut.db: begins like an SQLite database, and is none: it is damaged or encrypted" \
	    tq-extract cut.db
	for start in '\x89PNG\r\n' '\xff\xd8\xff\xe0' GIF89a; do
		printf "$start" > picture
		message "picture: is a picture, no recording" tq-extract picture
	done
	mkdir dir
	message "dir: is a directory" tq-extract dir
	printf 'version https://git-lfs.github.com/spec/v1\noid sha256:0\n' > lfs
	message "lfs: a git-lfs pointer, not the file: run 'git lfs pull'" \
	    tq-extract lfs
	cp "$(fixture notnsys)" n.sqlite
	message "n.sqlite: no table of an nsys export in it" tq-extract n.sqlite
}

@test "a view that has no end is refused" {
	cd "$BATS_TEST_TMPDIR"
	cp "$(fixture base)" v.sqlite
	chmod u+w v.sqlite
	sqlite3 v.sqlite "ALTER TABLE CUPTI_ACTIVITY_KIND_MEMSET RENAME TO old;
	    CREATE VIEW CUPTI_ACTIVITY_KIND_MEMSET AS
	    WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT 1 FROM c)
	    SELECT old.* FROM c, old"
	message "v.sqlite: a view in it has no end, or too many rows" \
	    tq-extract v.sqlite
}

@test "a database cut short is an error, without an end record" {
	head -c 20000 "$(demo)" > "$BATS_TEST_TMPDIR/cut.sqlite"
	for reader in direct sqlite; do
		run --separate-stderr tq-extract --reader $reader \
		    "$BATS_TEST_TMPDIR/cut.sqlite"
		[ "$status" -eq 1 ]
		[[ "$stderr" = *"database disk image is malformed"* ]]
		[[ "$output" != *'"kind":"end"'* ]]
	done
}

@test "a database with damaged pages ends in an error, not in a crash" {
	demo=$(demo)
	size=$(stat -c %s "$demo")
	for seed in 1 2 3 4 5 6 7 8; do
		cp "$demo" "$BATS_TEST_TMPDIR/d.sqlite"
		for k in 1 2 3 4 5 6 7 8 9; do
			printf '\377\177\001' | dd of="$BATS_TEST_TMPDIR/d.sqlite" \
			    bs=1 conv=notrunc status=none \
			    seek=$((4096 + (seed * 7919 * k + k * 104729) % (size - 5000)))
		done
		run tq-extract "$BATS_TEST_TMPDIR/d.sqlite"
		[ "$status" -le 1 ]
	done
}

@test "a database comes through a pipe, and compressed" {
	db=$(fixture base)
	tq-extract "$db" > "$BATS_TEST_TMPDIR/s"
	cat "$db" | tq-extract | cmp - "$BATS_TEST_TMPDIR/s"
	tq-extract < "$db" | cmp - "$BATS_TEST_TMPDIR/s"
	zstd -q -c "$db" > "$BATS_TEST_TMPDIR/b.zst"
	tq-extract "$BATS_TEST_TMPDIR/b.zst" | cmp - "$BATS_TEST_TMPDIR/s"
	gzip -c "$db" | tq-extract - | cmp - "$BATS_TEST_TMPDIR/s"
}

@test "a file name may hold any character" {
	cp "$(fixture base)" "$BATS_TEST_TMPDIR/a b?#%41'\".sqlite"
	agree "$BATS_TEST_TMPDIR/a b?#%41'\".sqlite"
	[ "$(ls "$BATS_TEST_TMPDIR" | grep -c sqlite)" -eq 1 ]
}

# ---- files that another program writes ----

# reads_as LINES COMMAND ...: so many API calls, as from every way in
reads_as() {
	[ "$("${@:2}" | grep -c '"kind":"api"')" -eq "$1" ]
}

@test "changes in a -wal beside the real file are read, by whatever path and from stdin" {
	cd "$BATS_TEST_TMPDIR"
	cp "$(fixture base)" w.sqlite
	sqlite3 w.sqlite > /dev/null <<- SQL
		PRAGMA journal_mode = wal;
		.dbconfig no_ckpt_on_close on
		DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE rowid > 2;
	SQL
	[ -s w.sqlite-wal ]
	mkdir other
	ln -s ../w.sqlite other/link.sqlite
	reads_as 2 tq-extract w.sqlite
	reads_as 2 tq-extract other/link.sqlite
	reads_as 2 tq-extract < w.sqlite
	reads_as 2 tq-extract - < other/link.sqlite
	reads_as 2 tq-extract /proc/self/fd/4 4< w.sqlite
	reads_as 2 tq-extract /dev/stdin < w.sqlite
}

@test "a copy of a database in WAL mode may lack changes, and is refused" {
	cd "$BATS_TEST_TMPDIR"
	cp "$(fixture base)" w.sqlite
	sqlite3 w.sqlite "PRAGMA journal_mode = wal" > /dev/null
	tq-extract w.sqlite | cmp - <(tq-extract "$(fixture base)")
	zstd -q w.sqlite
	message "w.sqlite.zst: a database in WAL mode without its -wal file: name the file itself, or set its journal_mode to delete" \
	    tq-extract w.sqlite.zst
	message "<stdin>: a database in WAL mode without its -wal file: name the file itself, or set its journal_mode to delete" \
	    bash -c "cat w.sqlite | tq-extract"
	exec 4< w.sqlite
	rm w.sqlite
	message "/proc/self/fd/4: a database in WAL mode without its -wal file: name the file itself, or set its journal_mode to delete" \
	    tq-extract /proc/self/fd/4
	exec 4<&-
}

@test "a database with a transaction to be undone is refused, by whatever path and from stdin" {
	cd "$BATS_TEST_TMPDIR"
	cp "$(demo)" j.sqlite
	sqlite3 j.sqlite <<- SQL
		PRAGMA cache_size = 5;
		BEGIN;
		UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET start = 1;
		UPDATE NVTX_EVENTS SET start = 1;
		.system cp j.sqlite hot.sqlite; cp j.sqlite-journal hot.sqlite-journal
		ROLLBACK;
	SQL
	ln -s hot.sqlite link.sqlite
	for name in hot.sqlite link.sqlite; do
		message "$name: a program died while it wrote to it: sqlite3 undoes that when it opens the file and its -journal" \
		    tq-extract $name
	done
	message "<stdin>: a program died while it wrote to it: sqlite3 undoes that when it opens the file and its -journal" \
	    tq-extract < hot.sqlite
}

# big FILE: an export with more records than a pipe has room for
big() {
	cp "$(demo)" "$1"
	sqlite3 "$1" "WITH n(i) AS (VALUES (1) UNION SELECT i + 1 FROM n WHERE i < 50)
	    INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME
	    SELECT r.* FROM CUPTI_ACTIVITY_KIND_RUNTIME r, n"
}

# while_read COMMAND: run it when tq-extract has read a part of d.sqlite;
# $status and $stderr are those of tq-extract then
while_read() {
	mkfifo out
	tq-extract d.sqlite > out 2> errors 3>&- &
	pid=$!
	exec 4< out
	head -c 1000 <&4 > part
	until_true sleeps $pid
	eval "$1"
	cat <&4 >> part
	exec 4<&-
	status=0
	wait $pid || status=$?
	stderr=$(< errors)
}

@test "an export that is written while it is read is an error, without an end record" {
	local -A changes=(
		[commit]='sqlite3 d.sqlite "DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME"'
		[bytes]='printf x | dd of=d.sqlite bs=1 seek=50000 conv=notrunc status=none'
		[size]='printf x >> d.sqlite'
		[wal]='echo x > d.sqlite-wal'
		[journal]='echo x > d.sqlite-journal'
	)

	for change in "${!changes[@]}"; do
		mkdir "$BATS_TEST_TMPDIR/$change"
		cd "$BATS_TEST_TMPDIR/$change"
		cp "$(made big.sqlite big)" d.sqlite
		while_read "${changes[$change]}"
		[ "$status" -eq 1 ]
		[ "$stderr" = "tq-extract: d.sqlite: was written while it was read" ]
		! grep -q '"kind":"end"' part || return 1
	done
}

@test "an export that is only read by others meanwhile, or replaced, is read whole" {
	for change in 'sqlite3 d.sqlite "SELECT count(*) FROM StringIds"' \
	    'cp d.sqlite n; mv n d.sqlite' 'rm d.sqlite'; do
		rm -rf "$BATS_TEST_TMPDIR/d"
		mkdir "$BATS_TEST_TMPDIR/d"
		cd "$BATS_TEST_TMPDIR/d"
		cp "$(made big.sqlite big)" d.sqlite
		while_read "$change" > /dev/null
		[ "$status" -eq 0 ]
		[ -z "$stderr" ]
		cmp part <(tq-extract "$(made big.sqlite big)")
	done
}

# ---- damage ----

# deep FILE: an export whose table of API calls has three levels of pages
deep() {
	cp "$(demo)" "$1"
	sqlite3 "$1" "WITH n(i) AS (VALUES (1) UNION SELECT i + 1 FROM n WHERE i < 4)
	    INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME
	    SELECT r.* FROM CUPTI_ACTIVITY_KIND_RUNTIME r, n;
	    PRAGMA page_size = 512; VACUUM"
}

# pages TYPE: the pages of this type of its API calls, but the root
pages() {
	sqlite3 "$(made deep.sqlite deep)" "SELECT pageno FROM dbstat
	    WHERE name = 'CUPTI_ACTIVITY_KIND_RUNTIME' AND pagetype = '$1' AND path <> '/'"
}

# damaged PAGE OFFSET BYTES: $db is that export with these bytes in that page
damaged() {
	db=$BATS_TEST_TMPDIR/damaged.sqlite
	cp "$(made deep.sqlite deep)" "$db"
	printf "$3" | dd of="$db" bs=1 seek=$((($1 - 1) * 512 + $2)) \
	    conv=notrunc status=none
}

# refused [READER]: tq-extract says that $db is malformed, and ends nothing
refused() {
	run --separate-stderr tq-extract --reader="${1-direct}" "$db"
	[ "$status" -eq 1 ]
	[[ "$stderr" = *": database disk image is malformed"* ]]
	[[ "$output" != *'"kind":"end"'* ]]
	run --separate-stderr tq-extract --reader="${1-direct}" --check "$db"
	[ "$status" -eq 1 ]
}

@test "a page below the root without cells is malformed, for both readers" {
	local leaves inner

	sqlite3 "$(demo)" "SELECT 1 FROM dbstat LIMIT 1" > /dev/null ||
	    skip "sqlite3 has no dbstat"
	mapfile -t leaves < <(pages leaf)
	mapfile -t inner < <(pages internal)
	[ "${#leaves[@]}" -gt 100 ]
	[ "${#inner[@]}" -gt 2 ]
	for page in "${leaves[0]}" "${leaves[50]}" "${leaves[-1]}" "${inner[@]}"; do
		damaged "$page" 3 '\0\0'
		refused
		refused sqlite
	done
}

@test "rows that are not where the keys of the page above them say are malformed" {
	local inner cell

	sqlite3 "$(demo)" "SELECT 1 FROM dbstat LIMIT 1" > /dev/null ||
	    skip "sqlite3 has no dbstat"
	mapfile -t inner < <(pages internal)
	# the key of its first cell becomes 1, or 16383
	for page in "${inner[@]}"; do
		for key in '\001' '\377\177'; do
			damaged "$page" 0 ''
			cell=$(od -An -j $(((page - 1) * 512 + 12)) -N 2 --endian=big -tu2 "$db")
			damaged "$page" $((cell + 4)) "$key"
			refused
		done
	done
}

@test "a view in the place of a table of events is read like the table" {
	local views=
	db=$BATS_TEST_TMPDIR/views.sqlite
	cp "$(demo)" "$db"
	for table in $(sqlite3 "$db" "SELECT name FROM sqlite_master WHERE type = 'table'
	    AND (name GLOB 'CUPTI_*' OR name GLOB '*_EVENTS' OR name GLOB '*_API')"); do
		views+="ALTER TABLE $table RENAME TO old_$table;
		    CREATE VIEW $table AS SELECT * FROM old_$table;"
	done
	sqlite3 "$db" "$views"
	tq-extract "$db" | cmp - "$(extracted demo)"
	tq-extract --reader=sqlite "$db" | cmp - "$(extracted demo)"
}

@test "a view of what is not there is an error" {
	db=$BATS_TEST_TMPDIR/views.sqlite
	cp "$(demo)" "$db"
	sqlite3 "$db" "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL RENAME TO old;
	    CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS SELECT * FROM old; DROP TABLE old"
	run --separate-stderr tq-extract "$db"
	[ "$status" -eq 1 ]
	[ "$stderr" = "tq-extract: $db: no such table: main.old" ]
}

# ---- reports that nsys exports ----

@test "--via-nsys without nsys in PATH says what to do" {
	echo x > "$BATS_TEST_TMPDIR/r.nsys-rep"
	cd "$BATS_TEST_TMPDIR"
	message "r.nsys-rep: a report, not an export: nsys is needed to convert it and is not in PATH; run 'nsys export --type=sqlite r.nsys-rep' where it is" \
	    env PATH=/nonexistent "$BUILD/tq-extract" --via-nsys r.nsys-rep
}

@test "--via-nsys: a report is exported by nsys, in TMPDIR, and nothing is left there" {
	mkdir "$BATS_TEST_TMPDIR/bin" "$BATS_TEST_TMPDIR/tmp"
	cat > "$BATS_TEST_TMPDIR/bin/nsys" <<- SH
		#!/bin/sh
		echo "\$@" > "$BATS_TEST_TMPDIR/called"
		echo "progress on stdout"
		for a; do case \$a in --output=*) cp "$(fixture base)" "\${a#*=}";; esac; done
	SH
	chmod +x "$BATS_TEST_TMPDIR/bin/nsys"
	echo x > "$BATS_TEST_TMPDIR/r.nsys-rep"
	PATH=$BATS_TEST_TMPDIR/bin:$PATH TMPDIR=$BATS_TEST_TMPDIR/tmp \
	    tq-extract --via-nsys "$BATS_TEST_TMPDIR/r.nsys-rep" |
	    cmp - <(tq-extract "$(fixture base)")
	grep -q -- '--tables=' "$BATS_TEST_TMPDIR/called"
	[ -z "$(ls -A "$BATS_TEST_TMPDIR/tmp")" ]
}

@test "--via-nsys shows on a terminal what nsys does, unless -q is given" {
	need script
	cd "$BATS_TEST_TMPDIR"
	mkdir bin
	cat > bin/nsys <<- SH
		#!/bin/sh
		echo "progress on stdout"
		for a; do case \$a in --output=*) cp "$(fixture base)" "\${a#*=}";; esac; done
	SH
	chmod +x bin/nsys
	echo x > r.nsys-rep
	export PATH=$PWD/bin:$PATH
	script -qec 'tq-extract --via-nsys r.nsys-rep > loud' shown > /dev/null < /dev/null
	grep -q 'tq-extract: r.nsys-rep: converting with nsys export' shown
	grep -q 'progress on stdout' shown
	script -qec 'tq-extract -q --via-nsys r.nsys-rep > silent' shown > /dev/null < /dev/null
	! grep -e converting -e progress shown || return 1
	cmp loud silent
}

@test "--via-nsys: an export that fails is an error, and leaves nothing" {
	mkdir "$BATS_TEST_TMPDIR/bin" "$BATS_TEST_TMPDIR/tmp"
	printf '#!/bin/sh\nexit 3\n' > "$BATS_TEST_TMPDIR/bin/nsys"
	chmod +x "$BATS_TEST_TMPDIR/bin/nsys"
	cd "$BATS_TEST_TMPDIR"
	echo x > r.nsys-rep
	PATH=$BATS_TEST_TMPDIR/bin:$PATH TMPDIR=$BATS_TEST_TMPDIR/tmp \
	    message "r.nsys-rep: nsys export failed with status 3" \
	    tq-extract --via-nsys r.nsys-rep
	[ -z "$(ls -A tmp)" ]
}

@test "a signal leaves no copy of a piped database behind" {
	mkdir "$BATS_TEST_TMPDIR/tmp"
	mkfifo "$BATS_TEST_TMPDIR/pipe"
	TMPDIR=$BATS_TEST_TMPDIR/tmp tq-extract "$BATS_TEST_TMPDIR/pipe" \
	    > /dev/null 2>&1 3>&- &
	pid=$!
	exec 4> "$BATS_TEST_TMPDIR/pipe"
	head -c 5000 "$(demo)" >&4
	until [ -n "$(ls -A "$BATS_TEST_TMPDIR/tmp")" ]; do :; done
	kill -TERM $pid
	run wait $pid
	exec 4>&-
	[ -z "$(ls -A "$BATS_TEST_TMPDIR/tmp")" ]
}

# copies_little COMMAND ...: it ends by itself, with status 1, and writes less
# than 400 MB to TMPDIR; its message is $stderr
copies_little() {
	mkdir -p "$BATS_TEST_TMPDIR/tmp"
	run --separate-stderr timeout 120 \
	    bash -c 'ulimit -f 400000; TMPDIR=$0 "$@"' \
	    "$BATS_TEST_TMPDIR/tmp" "$@"
	((status == 1)) && [ -z "$(ls -A "$BATS_TEST_TMPDIR/tmp")" ]
}

@test "a pipe is not copied before its first bytes are those of a database" {
	copies_little tq-extract < /dev/zero
	[ "$stderr" = "tq-extract: <stdin>: is no recording that tq reads: $listed" ]
	for format in '--format nsys' '--format rocpd' '--format rpd'; do
		copies_little tq-extract $format < /dev/zero
		[ "$stderr" = "tq-extract: <stdin>: not a database" ]
	done
	copies_little tq-extract --format nsys-rep < /dev/zero
	[ "$stderr" = "tq-extract: <stdin>: does not begin like a report of Nsight Systems" ]
	head -c 600M /dev/zero | zstd -q > "$BATS_TEST_TMPDIR/bomb.zst"
	copies_little tq-extract "$BATS_TEST_TMPDIR/bomb.zst"
	[[ $stderr = *"bomb.zst: is no recording that tq reads: $listed" ]]
}

@test "compressed data that grow beyond all measure are no recording" {
	cd "$BATS_TEST_TMPDIR"
	{ head -c 24 "$(demo)" && head -c 600M /dev/zero; } > bomb
	zstd -q bomb
	gzip -1 bomb
	{ printf 'NVIDIA Tegra Profiler Report ' && head -c 600M /dev/zero; } |
	    zstd -q > bomb.nsys-rep
	for file in bomb.zst bomb.gz bomb.nsys-rep; do
		copies_little tq-extract $file
		[ "$stderr" = "tq-extract: $file: grows to more than 200 times "`
		    `"its size: decompress it first, if that is right" ]
	done
	copies_little tq-extract < bomb.zst
	[[ $stderr = "tq-extract: <stdin>: grows to more than 200 times "* ]]
}

@test "a copy ends where its database ends" {
	copies_little tq-extract < <(cat "$(demo)" /dev/zero 2> /dev/null)
	[ "$stderr" = "tq-extract: <stdin>: goes on behind the 262144 bytes of its database" ]
	# what SQLite has in reserve is no error
	{ cat "$(demo)" && head -c 1M /dev/zero; } | tq-extract |
	    cmp - "$(extracted demo)"
}

@test "a terminal shows how much of a pipe was copied" {
	need script
	cd "$BATS_TEST_TMPDIR"
	mkfifo pipe
	script -qec 'tq-extract pipe > out' typescript > /dev/null 2>&1 < /dev/null 3>&- &
	exec 4> pipe
	head -c 4096 "$(demo)" >&4
	bytes=4096
	until grep -q 'tq-extract: pipe: 0 MB copied' typescript; do
		((bytes < 200000)) # one step is far less than the file
		head -c $((bytes + 128)) "$(demo)" | tail -c 128 >&4
		bytes=$((bytes + 128))
		sleep 0.02
	done
	tail -c +$((bytes + 1)) "$(demo)" >&4
	exec 4>&-
	wait $!
	cmp out "$(extracted demo)"
}

@test "a stream that NVTX named has that name" {
	run jq -r 'select(.kind == "stream" and .name) | .name' \
	    <(tq-extract "$(demo)")
	[ "$(sort -u <<< "$output" | tr '\n' ' ')" = "copies nccl " ]
}

@test "--check of some kinds speaks of their tables only" {
	run tq-extract --check -k kernel "$(fixture base)"
	[ "$status" -eq 0 ]
	[[ "$output" != *"absent: "* && "$output" != *"not read: "* ]]
}

@test "a tool that died before its first line is noticed down the pipe" {
	run --separate-stderr bash -c "tq-extract nowhere.sqlite | tq-correlate"
	[ "$status" -eq 1 ]
	[[ "$stderr" = *"tq-correlate: warning: <stdin>: is empty" ]]
}

# ---- sources ----

@test "--list-sources prints a line for each source, and reads no input" {
	run --separate-stderr tq-extract --list-sources /nonexistent
	((status == 0)) && [ -z "$stderr" ]
	[[ $output = *"nsys       Nsight Systems"* ]]
	[[ $output = *"tq         a stream"* ]]
}

@test "--format reads the input as a source, whatever it looks like" {
	tq-extract --format nsys "$(fixture base)" |
	    cmp - "$(extracted base)"
	run --separate-stderr tq-extract --format tq "$(fixture base)"
	((status == 1)) && [ -z "$output" ]
	run --separate-stderr tq-extract --format nsys "$(extracted base)"
	((status == 1))
	[ "$stderr" = "tq-extract: $(extracted base): not a database" ]
}

@test "an unknown --format is a usage error that names it" {
	run --separate-stderr tq-extract --format vtune "$(fixture base)"
	((status == 2))
	[ "$stderr" = "tq-extract: --format vtune: expected a source of --list-sources" ]
}
