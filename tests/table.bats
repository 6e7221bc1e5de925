#!/usr/bin/env bats
# tq-table: a Parquet file for each kind.  parquet.pl reads them a second way,
# and checks that they are as the format wants them.

load helper

setup() {
	need perl zstd
	cd "$BATS_TEST_TMPDIR"
}

# rows FILE ...: the rows as records, with keys in order of the alphabet
rows() {
	perl "$top/tests/parquet.pl" "$@"
}

footer() {
	perl "$top/tests/parquet.pl" -m "$1"
}

# records KIND FILE: those of the stream, likewise; summaries in order of time
records() {
	grep "^{\"kind\":\"$1\"[,}]" "$2" | by_time "$1" |
	    perl "$top/tests/parquet.pl" -l
}

# by_time KIND: gpu-range and gap, which follow what they summarise
by_time() {
	case $1 in
	gpu-range | gap)
		sed 's/\(.*"ts":\([-0-9]*\),"dur":\([0-9]*\).*\)/\2 \3 \1/' |
		    sort -s -k 1,1n -k 2,2nr | cut -d ' ' -f 3-
		;;
	*) cat ;;
	esac
}

# same STREAM FOLDER: each table has the records of its kind, all of them
same() {
	local file kind

	for file in "$2"/*.parquet; do
		kind=${file##*/}
		kind=${kind%.parquet}
		rows "$file" > got
		records "$kind" "$1" | cmp - got
		echo "$kind"
	done | sort > kinds
	# and no kind is left out
	sed 's/^{"kind":"\([^"]*\)".*/\1/' "$1" | sort -u | diff - kinds
}

# fails LINE COMMAND ...: status 1, this one line, and no file
fails() {
	run -1 --separate-stderr "${@:2}"
	echo "$stderr"
	[[ $stderr = "$1" && -z $output ]]
}

# nothing FOLDER: it is not there
nothing() {
	[[ ! -e $1 ]]
}

@test "the rows of each table are the records of its kind" {
	for name in demo odd graph mpi; do
		tq-extract "$(export_of "$name")" 2> err | tq-correlate --path \
		    --gaps -o in.tq 2> err
		rm -rf out
		run -0 --separate-stderr tq-table -q -o out in.tq
		[[ -z $stderr && -z $output ]]
		same in.tq out
	done
}

@test "the rows of real recordings are their records" {
	need data
	for name in "${COSTLY[@]}"; do
		in=$(correlated "$name")
		rm -rf out
		tq-table -q -o out "$in"
		(($(stat -c %s "$in") < 20000000)) || continue # perl is slow
		same "$in" out
	done
}

@test "a table has a column for each key of its kind, with its type, unit and doc" {
	tq-extract "$(demo)" | tq-correlate | tq-table -q -o out
	for file in out/*.parquet; do
		kind=${file##*/}
		kind=${kind%.parquet}
		tq-extract --schema | jq -r --arg kind "$kind" '
		    select(.kind == $kind) | "\(.key) \(.type | {
			int: "int", string: "text", bool: "bool", number: "double",
			"int[]": "int[]", "string[]": "text[]",
			object: "text"}[.])"' | sort -u > expect
		footer "$file" > footer
		sed -n 's/ required$//; s/^column //p' footer |
		    grep -v -e '^section ' -e '^kind ' -e '^args ' | sort |
		    diff <(grep -v -e '^kind ' -e '^args ' expect) -
		grep -qx 'column kind text required' footer
		grep -qx 'column section int required' footer
		grep -qx 'column args text' footer
		grep -qx 'kind.doc=what the record is' footer
		# definitions are of columns with values, and of no others
		rows "$file" | jq -r 'keys[]' | sort -u > used
		tq-extract --schema | jq -r --arg kind "$kind" '
		    select(.kind == $kind and .key != "args") |
			"\(.key) \(.key).doc=\(.doc)",
			(.unit // "" | select(. != "")) as $u |
			"\(.key) \(.key).unit=\($u)"' | sort |
		    join - used > expect
		sed -n 's/^\([a-z_]*\)\.\(doc\|unit\)=/\1 &/p' footer |
		    grep -v -e '^table ' -e '^section ' -e '^kind ' -e '^args ' |
		    sort | diff expect -
	done
	footer out/kernel.parquet > footer
	grep -qx 'table.kind=kernel' footer
	grep -qx 'table.doc=a kernel execution' footer
	grep -qx 'table.complete=true' footer
	grep -qx 'ts.unit=ns' footer
	grep -qx 'created by=tq-table version [0-9.]*' footer
	grep -qx 'rows=372 sorted' footer
}

@test "integers are exact, up to the last of 64 bits" {
	stream '{"kind":"kernel","ts":-9223372036854775808,"dur":9223372036854775807,"pid":9007199254740993,"grid":[9223372036854775807,-9223372036854775808,0],"path":[]}' \
	    '{"kind":"kernel","ts":-1,"dur":0,"corr":9223372036854775807,"grid":[]}' \
	    '{"kind":"kernel","ts":9223372036854775807,"dur":-9223372036854775808}' > in
	tq-table -q -o out in
	same in out
}

@test "text is what it was: empty, long, with escapes, in any script" {
	long=$(printf '%0300000d' 7)
	stream '{"kind":"mark","ts":1,"name":""}' '{"kind":"mark","ts":2}' \
	    '{"kind":"mark","ts":3,"name":"'"$long"'","category":"'"$long"'"}' \
	    '{"kind":"mark","ts":4,"name":"a\"b\\c\n\u0000\u007f\u001b"}' \
	    '{"kind":"mark","ts":5,"name":"übung 漢字 🙂"}' \
	    '{"kind":"mark","ts":6,"name":"'"$long"'"}' \
	    '{"kind":"stack","id":1,"frames":["","a\"b","übung","'"$long"'"]}' \
	    '{"kind":"stack","id":2,"frames":[]}' '{"kind":"stack","id":3}' > in
	tq-table -q -o out in
	same in out
}

@test "any spelling of a record is the same row" {
	stream '{"kind":"kernel","ts":1000,"dur":5,"name":"a","grid":[1,2,3],"args":{"x":1.50,"y":"é"}}' > in
	tq-table -q -o out in
	sed '2s/.*/{ "args" : {"x":1.50, "y":"\\u00e9"}, "grid":[1,2.0,3e0],"name":"\\u0061","kind":"kernel","dur":5.0,"ts":1e3,"tid":null}/' in |
	    tq-table -q -o again
	cmp out/kernel.parquet again/kernel.parquet
}

@test "of a key that stands twice in a record the last one counts" {
	stream '{"kind":"mark","ts":1,"name":"a","ts":2,"ts":null}' \
	    '{"kind":"mark","ts":3,"x":1,"y":2,"x":3}' \
	    '{"kind":"mark","ts":4,"\u0078":1,"x":2,"name":"b","\u006eame":"c"}' > in
	tq-table -q -o out in
	rows out/mark.parquet > got
	diff - got <<-'END'
	{"kind":"mark","name":"a","ts":2}
	{"args":{"x":3,"y":2},"kind":"mark","ts":3}
	{"args":{"x":2},"kind":"mark","name":"c","ts":4}
	END
	[[ $(tq-filter 'ts == 2 && name == "a" || .x == 3 || name == "c"' in |
	    grep -c mark) = 3 ]] # as other tools read them
}

@test "what has no column is in args, and nothing is lost where names collide" {
	stream '{"kind":"mark","ts":1,"bytes":5,"new":[1,{"a":"b"}],"args":{"x":1}}' \
	    '{"kind":"mark","ts":2,"new":"é"}' \
	    '{"kind":"mark","ts":3,"x":2,"args":{"x":1}}' \
	    '{"kind":"mark","ts":4,"x":2,"args":{}}' \
	    '{"kind":"gap","ts":5,"dur":1,"args":{"x":1}}' > in
	tq-table -q -o out in
	rows out/mark.parquet > got
	diff - got <<-'END'
	{"args":{"x":1,"bytes":5,"new":[1,{"a":"b"}]},"kind":"mark","ts":1}
	{"args":{"new":"é"},"kind":"mark","ts":2}
	{"args":{"x":2,"args":{"x":1}},"kind":"mark","ts":3}
	{"args":{"x":2},"kind":"mark","ts":4}
	END
	[[ $(rows out/gap.parquet) = '{"args":{"x":1},"dur":1,"kind":"gap","ts":5}' ]]
}

@test "a value that no double is equal to is in args" {
	stream '{"kind":"counter","ts":1,"counter":1,"value":0.1}' \
	    '{"kind":"counter","ts":2,"counter":1,"value":9007199254740992}' \
	    '{"kind":"counter","ts":3,"counter":1,"value":9007199254740993}' \
	    '{"kind":"counter","ts":4,"counter":1,"value":1e999}' \
	    '{"kind":"counter","ts":5,"counter":1,"value":-1.5e-3}' > in
	tq-table -q -o out in
	rows out/counter.parquet > got
	diff - got <<-'END'
	{"counter":1,"kind":"counter","ts":1,"value":0.1}
	{"counter":1,"kind":"counter","ts":2,"value":9007199254740992}
	{"args":{"value":9007199254740993},"counter":1,"kind":"counter","ts":3}
	{"args":{"value":1e999},"counter":1,"kind":"counter","ts":4}
	{"counter":1,"kind":"counter","ts":5,"value":-0.0015}
	END
}

@test "kinds that are not known are in one table" {
	stream '{"kind":"mine","ts":1,"pid":2,"what":"x"}' \
	    '{"kind":"../yours","ts":2,"a":[true]}' > in
	tq-table -q -o out in
	rows out/other.parquet > got
	diff - got <<-'END'
	{"args":{"what":"x"},"kind":"mine","pid":2,"ts":1}
	{"args":{"a":[true]},"kind":"../yours","ts":2}
	END
	tq-table -q --hive -o hive in
	rows hive/kind=other/rank=__HIVE_DEFAULT_PARTITION__/part-0.parquet > got
	diff - got <<-'END'
	{"args":{"kind":"mine","what":"x"},"pid":2,"ts":1}
	{"args":{"kind":"../yours","a":[true]},"ts":2}
	END
}

@test "a record that cannot be a row is named by its line, and nothing is left" {
	while read -r line what; do
		stream '{"kind":"mark","ts":1}' "$line" > in
		fails "tq-table: in:3: $what" tq-table -o out in
		nothing out
	done <<-'END'
	{"kind":"mark","ts":"1"} ts: expected an integer
	{"kind":"mark","ts":1.5} ts: expected an integer
	{"kind":"mark","ts":9223372036854775808} ts: expected an integer
	{"kind":"mark","name":7} name: expected a string
	{"kind":"kernel","grid":[1,"2"]} grid: expected an array of integers
	{"kind":"sched","on":1} on: expected true or false
	{"kind":"mark","args":[]} args: expected an object
	{"kind":"mark" expected ',' or '}'
	END
}

@test "bytes that are no UTF-8 become U+FFFD, and are counted" {
	printf '{"kind":"mark","ts":1,"name":"a\377b\300","domain":"\\n\377"}\n{"kind":"mark","ts":2,"name":"ok"}\n{"kind":"stack","id":1,"frames":["\200"]}\n' |
	    stream > in
	run -0 --separate-stderr tq-table -q -o out in
	[[ $stderr = "tq-table: warning: 3 texts are not UTF-8: U+FFFD stands for each byte that is none" ]]
	[[ $(rows out/mark.parquet | head -n 1) = '{"domain":"\n�","kind":"mark","name":"a�b�","ts":1}' ]]
	[[ $(rows out/stack.parquet) = '{"frames":["�"],"id":1,"kind":"stack"}' ]]
}

@test "a row group has 131072 rows, and says from when to when" {
	seq 1 300000 | sed 's/.*/{"kind":"osrt","ts":&,"dur":7,"pid":1,"tid":1,"name":"read"}/' |
	    stream > in
	tq-table -q -o out in
	[[ $(footer out/osrt.parquet | grep ^rows | paste -sd ' ') = \
	    'rows=131072 sorted rows=131072 sorted rows=37856 sorted' ]]
	same in out
}

# values that repeat, that never do, that first do and then do not, and holes
@test "columns of all shapes are read back" {
	awk 'BEGIN {
		srand(7)
		for (i = 0; i < 90000; i++) {
			printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":%d,\"pid\":1", i * 10, rand() * 1e6
			if (i % 3) printf ",\"tid\":%d", i < 40000 ? i % 7 : i
			if (i > 50000 && i % 2) printf ",\"corr\":%d", -i * 1e9
			printf ",\"name\":\"k%d\"", i < 30000 ? i % 300 : i
			if (i % 5 == 0) printf ",\"sym\":%d", i % 40000
			if (i % 4) printf ",\"grid\":[%d,1,%d]", i % 9, i
			if (i % 11 == 0) printf ",\"open\":%s", i % 2 ? "true" : "false"
			if (i % 6 == 0) {
				printf ",\"path\":["
				for (j = 0; j < i % 4; j++) printf "%s\"p%d\"", j ? "," : "", (i + j) % 50
				printf "]"
			}
			print "}"
		}
	}' | stream > in
	tq-table -q -o out in
	same in out
	footer out/kernel.parquet | grep -qx 'rows=90000 sorted'
}

@test "memory is bounded: row groups end early where there is much" {
	need no-sanitizer native
	awk 'BEGIN {
		for (i = 0; i < 40000; i++)
			printf "{\"kind\":\"%s\",\"ts\":%d,\"name\":\"%s %d %0900d\"}\n",
			    i % 2 ? "mark" : "flow", i, i * 7919 % 104729, i, rand() * 1e9
	}' | stream > in
	(ulimit -v 120000; tq-table -q -o out in)
	same in out
}

@test "sections have numbers, and their ranks are known" {
	{
		stream '{"kind":"mark","ts":5,"name":"a"}'
		stream '{"kind":"mark","ts":1,"name":"b"}' | sed 's/"source"/"rank":3,&/'
	} > in
	tq-table -q -o out in
	perl "$top/tests/parquet.pl" -s out/mark.parquet | diff - <(cat <<-'END'
	{"kind":"mark","name":"a","section":1,"ts":5}
	{"kind":"mark","name":"b","section":2,"ts":1}
	END
	)
	footer out/mark.parquet | grep -qx 'rows=2' # not sorted
	[[ $(rows out/trace.parquet | tail -n 1) = *'"rank":3,'* ]]
}

@test "--hive has a file for each kind and rank, of the process or the section" {
	{
		stream '{"kind":"process","pid":1,"rank":0}' \
		    '{"kind":"process","pid":2,"rank":1}' '{"kind":"process","pid":3}' \
		    '{"kind":"mark","ts":1,"pid":1,"name":"a"}' \
		    '{"kind":"mark","ts":2,"pid":2,"name":"b"}' \
		    '{"kind":"mark","ts":3,"pid":3,"name":"c"}'
		stream '{"kind":"mark","ts":1,"pid":1,"name":"d"}' |
		    sed 's/"source"/"rank":1,&/'
	} > in
	run -0 --separate-stderr tq-table --hive -o out in
	[[ $stderr = 'tq-table: 11 records in, 11 files of '*' bytes out' ]]
	(cd out && find . -type f | sort) | diff - <(cat <<-'END'
	./kind=end/rank=1/part-0.parquet
	./kind=end/rank=__HIVE_DEFAULT_PARTITION__/part-0.parquet
	./kind=mark/rank=0/part-0.parquet
	./kind=mark/rank=1/part-0.parquet
	./kind=mark/rank=1/part-1.parquet
	./kind=mark/rank=__HIVE_DEFAULT_PARTITION__/part-0.parquet
	./kind=process/rank=0/part-0.parquet
	./kind=process/rank=1/part-0.parquet
	./kind=process/rank=__HIVE_DEFAULT_PARTITION__/part-0.parquet
	./kind=trace/rank=1/part-0.parquet
	./kind=trace/rank=__HIVE_DEFAULT_PARTITION__/part-0.parquet
	END
	)
	[[ $(rows out/kind=mark/rank=1/*) = '{"name":"b","pid":2,"ts":2}
{"name":"d","pid":1,"ts":1}' ]]
	! footer out/kind=process/rank=0/part-0.parquet | grep -e '^column rank' -e '^column kind' || return 1
	# another rank may come later, this one may not
	stream '{"kind":"mark","ts":1}' | sed 's/"source"/"rank":7,&/' > seven
	tq-table -q --hive -o out seven
	[[ -e out/kind=mark/rank=7/part-0.parquet ]]
	find out | sort > before
	fails "tq-table: out/kind=trace/rank=7/part-0.parquet: is there already" \
	    tq-table -q --hive -o out seven
	find out | sort | diff before -
}

@test "a stream that is cut gives what came, says so, and exits 1" {
	tq-extract "$(demo)" > in
	head -n 1000 in > cut
	run -1 --separate-stderr tq-table -q -o out cut
	[[ $stderr = "tq-table: warning: cut: stream ends without its end record" ]]
	same cut out
	footer out/api.parquet | grep -qx 'table.complete=false'
	run -1 --separate-stderr tq-table -q --hive -o hive cut in
	for file in hive/kind=api/*/part-0.parquet; do
		footer "$file" | grep -qx 'table.complete=false'
	done
	for file in hive/kind=api/*/part-1.parquet; do
		footer "$file" | grep -qx 'table.complete=true'
	done
}

@test "records out of order stay so, are counted, and no row group is called sorted" {
	stream '{"kind":"mark","ts":2}' '{"kind":"mark","ts":1}' > in
	run -1 --separate-stderr tq-table -q -o out in
	[[ $stderr = "tq-table: warning: in: 1 record is not in order of time: put it through tq-extract first" ]]
	footer out/mark.parquet | grep -qx 'rows=2'
	head -n -1 in > seen
	same seen out
}

@test "lines without a section are rows, too" {
	tq-extract "$(demo)" | grep '"kind":"kernel"' > in
	run -0 tq-table -q -o out in
	same in out
}

@test "-o is required, and no file of the folder is replaced" {
	run -2 --separate-stderr tq-table < /dev/null
	[[ $stderr = "tq-table: no folder: -o DIR" ]]
	stream '{"kind":"mark","ts":1}' > in
	mkdir out
	echo old > out/notes
	tq-table -q -o out in # a file of another sort is no hindrance
	[[ $(cat out/notes) = old ]]
	cp -r out before
	fails "tq-table: out/$(ls -U out | grep -m 1 parquet): is there already" \
	    tq-table -o out in
	diff -r before out
	fails "tq-table: in: Not a directory" tq-table -o in in
	fails "tq-table: nowhere/out: No such file or directory" \
	    tq-table -o nowhere/out in
	(umask 027; tq-table -q -o mode in)
	[[ $(stat -c %a mode mode/mark.parquet | paste -sd ' ') = '750 640' ]]
	(mkdir here && cd here && tq-table -q -o . ../in && [[ -e mark.parquet ]])
}

@test "input that is bad or missing leaves no file, and no folder that was not there" {
	{
		tq-extract "$(demo)"
		echo garbage
	} > in
	fails "tq-table: in:$(grep -c '' in): expected '{'" tq-table -o out in
	nothing out
	fails "tq-table: gone.tq: No such file or directory" tq-table -o out gone.tq
	nothing out
	mkdir out
	echo old > out/notes
	fails "tq-table: gone.tq: No such file or directory" tq-table -o out gone.tq
	[[ $(ls -A out) = notes ]]
	run -1 --separate-stderr tq-table -q -o none < /dev/null
	[[ $stderr = "tq-table: warning: <stdin>: is empty" ]]
	nothing none
}

@test "a full disk is named with the file, and nothing is left" {
	seq 1 200000 | sed 's/.*/{"kind":"osrt","ts":&,"dur":&,"name":"read & &&&"}/' |
	    stream > in
	# a limit is as good as a full disk
	fails "tq-table: out/osrt.parquet: File too large" \
	    bash -c "trap '' XFSZ; ulimit -f 64; tq-table -o out in"
	nothing out
	need mount
	unshare -m sh -c 'mkdir small && mount -t tmpfs -o size=300k tmpfs small &&
	    { tq-table -o small/out in 2> said; ls -A small > left; }'
	[[ $(< said) = "tq-table: small/out/"*".parquet: No space left on device" ]]
	[[ ! -s left ]]
}

# cut_or_gone FOLDER: its tables say that input is missing, or it is not there
cut_or_gone() {
	[[ ! -e $1 ]] ||
	    footer "$1/trace.parquet" | grep -qx 'table.complete=false'
}

@test "a call that fails is an error without a file, or changes nothing" {
	need native no-sanitizer # which has an allocator of its own
	in=$(correlated demo)
	tq-table -q -o expected "$in"
	for call in malloc read write close open stat fsync rename; do
		for n in 1 2 3 5 8 13 20 21 22 40 60 100 400 2000+; do
			rm -rf out
			status=0
			LD_PRELOAD=$BUILD/faults/shim.so FAULT="tq-table $call $n" tq-table -q -o out "$in" 2> said ||
			    status=$?
			if ((status == 0)); then
				diff -r expected out
			else
				[[ $status = 1 && $(< said) = "tq-table: "* ]] &&
				    cut_or_gone out
			fi || {
				echo "$call $n: status $status"
				cat said
				find out
				return 1
			}
		done
	done
}

@test "a signal midway leaves nothing, not even a name" {
	tq-extract "$(demo)" > in
	mkfifo pipe
	for signal in TERM HUP; do
		env --default-signal="$signal" tq-table -o out pipe &
		exec {hold}> pipe
		for i in {1..20}; do cat in; done >&"$hold"
		until_true test -e out
		kill -"$signal" $!
		exec {hold}>&-
		wait $! || true
		nothing out
	done
}

@test "killed, it leaves nothing that looks whole" {
	tq-extract "$(demo)" > in
	mkfifo pipe
	tq-table -o out pipe &
	exec {hold}> pipe
	for i in {1..20}; do cat in; done >&"$hold"
	until_true test -e out
	kill -KILL $!
	exec {hold}>&-
	wait $! || true
	[[ -z $(ls out) ]]
}

@test "the same input gives the same bytes, from a file, a pipe, compressed" {
	in=$(correlated demo)
	tq-table -q -o a "$in"
	tq-table -q -o b < "$in"
	zstd -qc "$in" | tq-table -q -o c -
	diff -r a b
	diff -r a c
}

@test "the summary counts records, files and bytes" {
	in=$(correlated demo)
	run -0 --separate-stderr tq-table -o out "$in"
	[[ $stderr = "tq-table: $(grep -c '' "$in") records in, $(ls out | wc -l) files of $(cat out/* | wc -c) bytes out" ]]
}

@test "tq table reads a recording" {
	cp "$(demo)" 'a run.sqlite'
	tq table -q -o a 'a run.sqlite'
	tq-extract 'a run.sqlite' | tq-correlate | tq-table -q -o b
	diff -r a b
}

# each file tells what its columns mean, in some kilobytes
@test "tables of a long recording are smaller than its stream is, compressed" {
	data nsys/2024.6.2-torch-2.7b.sqlite
	in=$(correlated 2024.6.2-torch-2.7b)
	tq-table -q -o out "$in"
	(($(cat out/* | wc -c) < $(zstd -qc "$in" | wc -c)))
}

# a column without a value takes about 100 bytes
@test "columns of a small table take few bytes" {
	stream '{"kind":"kernel","ts":1,"dur":2,"pid":3,"name":"k"}' > in
	tq-table -q -o out in
	columns=$(footer out/kernel.parquet | grep -c ^column)
	(($(stat -c %s out/kernel.parquet) < columns * 110 + 400))
}

# NODE_MODULES: a folder with hyparquet and hyparquet-compressors in it
@test "hyparquet reads the same rows" {
	need node
	[[ -e ${NODE_MODULES-}/hyparquet-compressors ]] ||
	    skip "no hyparquet in NODE_MODULES"
	in=$(correlated demo)
	tq-table -q -o out "$in"
	ln -s "$NODE_MODULES" node_modules
	cat > read.mjs <<-'END'
	import { readFileSync } from 'node:fs'
	import { parquetReadObjects } from 'hyparquet'
	import { compressors } from 'hyparquet-compressors'
	for (const path of process.argv.slice(2)) {
		const b = readFileSync(path)
		const file = b.buffer.slice(b.byteOffset, b.byteOffset + b.length)
		for (const row of await parquetReadObjects({ file, compressors })) {
			for (const k in row)
				if (row[k] === null || k === 'section') delete row[k]
			if (row.args) row.args = JSON.parse(row.args)
			console.log(JSON.stringify(row,
			    (k, v) => typeof v === 'bigint' ? Number(v) : v))
		}
	}
	END
	for file in out/*.parquet; do
		kind=${file##*/}
		kind=${kind%.parquet}
		node read.mjs "$file" | jq -cS . > got
		grep "^{\"kind\":\"$kind\"" "$in" | by_time "$kind" | jq -cS . | cmp - got
	done
}
