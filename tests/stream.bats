#!/usr/bin/env bats
# The stream as tq-events(5) has it, seen through the tools that read it.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# ---- helpers ----

# The tools that read one stream, and those of them that also write one; tq-diff
# reads two, see diff.bats; tq-table writes a folder, see table.bats.
readers() {
	tools | grep -vxE 'tq-(extract|capture|diff|table)'
}

filters() {
	tools | grep -xE 'tq-(correlate|filter)'
}

# body: a stream without its end records, which each tool writes anew
body() {
	sed '/^{"kind":"end"/d'
}

# end_counts: does the end record of every section count its lines?
end_counts() {
	jq -ne 'reduce inputs as $r ({n: 0, ok: true, ends: 0};
		if $r.kind == "trace" then .n = 0
		elif $r.kind == "end" then
		    .ends += 1 | .ok = (.ok and $r.events == .n)
		else .n += 1 end) | .ok and .ends > 0' > /dev/null
}

# ends FILE N: it has so many end records
ends() {
	[[ $(grep -c '"kind":"end"' "$1") = "$2" ]]
}

# says TEXT: all of stderr
says() {
	if [[ $stderr != "$1" ]]; then
		echo "$tool said: $stderr"
		echo "instead of: $1"
		return 1
	fi
}

# whole: status 0, and not a word
whole() {
	if ((status != 0)) || [[ -n $stderr ]]; then
		echo "$tool: status $status: $stderr"
		return 1
	fi
}

# cut_short NAME: what is said of a section that does not reach its end
cut_short() {
	((status == 1))
	says "$tool: warning: $1: stream ends without its end record"
}

# records that no tool of the suite changes
strange() {
	cat <<'EOF'
{"kind":"note","text":"unknown kind"}
{"kind":"note-2","ts":5,"nested":{"a":[1,{"b":null}]}}
{ "kind" : "note" , "spaces" : [ 1, 2 ] }
{"ts":6,"kind":"note","name":"kind is not first"}
{"kind":"note","kind":"note","twice":1,"twice":2}
{"kind":"no\u0074e","n\u0061me":"escapes \u00e9\n\"\\\/"}
{"kind":"note","name":"é € 😀"}
{"kind":"note","ts":1e1,"dur":null,"big":123456789012345678901234567890}
{"kind":"mark","ts":10,"pid":1,"tid":1,"name":"m","color":"#102030","new":[true]}
{"kind":"","empty":""}
EOF
}

# ---- what passes ----

@test "records that are not changed pass byte for byte" {
	strange | stream > in.tq
	for tool in $(filters); do
		run --separate-stderr "$tool" -o out in.tq
		whole
		diff <(body < in.tq) <(body < out)
		end_counts < out
	done
}

@test "CR LF and blank lines are accepted, and a last line without LF" {
	strange | stream > in.tq
	sed 's/$/\r/' in.tq > crlf
	sed 's/$/\r\r/' in.tq > crcrlf
	sed 's/$/\n\r\n  \t/' in.tq > blank
	head -c -1 in.tq > partial
	for tool in $(filters); do
		"$tool" in.tq > expect
		for file in crlf crcrlf blank partial; do
			run --separate-stderr "$tool" -o out $file
			whole
			cmp expect out
		done
	done
}

# Whoever was to write it may have died before the first line.
@test "an operand without a line is said to be empty, and exits 1" {
	printf '' | gzip > empty.gz
	for tool in $(readers); do
		for file in /dev/null empty.gz; do
			run --separate-stderr "$tool" $file
			((status == 1))
			[[ ${stderr_lines[0]} = "$tool: warning: $file: is empty" ]]
			# nothing is concluded of it
			[[ $tool != tq-@(stats|advise) || -z $output$(tail -n +2 <<< "$stderr") ]]
		done
	done
}

@test "a section without events is one" {
	stream < /dev/null > in.tq
	for tool in $(filters); do
		run --separate-stderr "$tool" -o out in.tq
		whole
		[[ $(wc -l < out) = 2 ]]
		end_counts < out
	done
}

@test "lines without a trace record are a stream" {
	strange > in.tq
	for tool in $(filters); do
		run --separate-stderr "$tool" -o out in.tq
		whole
		cmp in.tq out
	done
}

@test "sections one after the other are one stream" {
	strange | stream > a.tq
	stream '{"kind":"note","n":1}' '{"kind":"note","n":2}' > b.tq
	cat a.tq b.tq a.tq > aba.tq
	for tool in $(filters); do
		{ "$tool" a.tq; "$tool" b.tq; "$tool" a.tq; } > expect
		run --separate-stderr "$tool" -o out aba.tq
		whole
		cmp expect out
		end_counts < out
		run --separate-stderr "$tool" -o out a.tq b.tq a.tq
		whole
		cmp expect out
		"$tool" a.tq - a.tq < b.tq | cmp expect -
	done
}

@test "any spelling of a stream gives the same result" {
	cp "$(extracted demo)" demo.tq
	jq -c . demo.tq > jq.tq
	jq -cS . demo.tq > sorted.tq
	sed 's/[{,]"[a-z_]*":/& /g; s/^/ /; s/}$/ } /' demo.tq > spaced.tq
	for tool in $(readers); do
		form=(jq -cS .)
		[[ $tool != tq-@(stats|advise|perfetto) ]] || form=(cat)
		"$tool" < demo.tq | "${form[@]}" > expect
		for file in jq.tq sorted.tq spaced.tq; do
			"$tool" < $file | "${form[@]}" | cmp expect -
		done
	done
}

@test "long lines pass, whatever the size of a buffer" {
	for size in 4096 131000 261990 262143 262144 262145 524288 1048576; do
		printf '{"kind":"note","text":"%s"}\n' \
		    "$(head -c $size /dev/zero | tr '\0' x)"
		echo '{"kind":"note","short":1}'
	done | stream > in.tq
	gzip -k in.tq
	zstd -q in.tq
	for tool in $(filters); do
		for file in in.tq in.tq.gz in.tq.zst; do
			run --separate-stderr "$tool" -o out $file
			whole
			cmp <(body < in.tq) <(body < out)
		done
		cat in.tq | "$tool" | cmp out -
	done
}

@test "what has been read is passed on before more is waited for" {
	mkfifo in out
	long=$(head -c 300000 /dev/zero | tr '\0' x) # more than a buffer holds
	for tool in $(filters); do
		"$tool" -z < in | "$tool" > out &
		exec {to}> in {from}< out
		for line in '{"kind":"trace","version":1}' \
		    '{"kind":"note","short":1}' '{"kind":"note","long":"'$long'"}'; do
			echo "$line" >&"$to"
			read -r -t 120 -u "$from" got
			[[ $got = "$line" ]]
		done
		exec {to}>&- {from}<&-
		wait || true
	done
}

# ---- compression ----

@test "zstd and gzip are recognised, whatever the name" {
	strange | stream > in.tq
	gzip -c in.tq > a
	zstd -qc in.tq > b
	zstd -qc --no-check -19 in.tq > c.gz
	for tool in $(filters); do
		"$tool" in.tq > expect
		for file in a b c.gz; do
			run --separate-stderr "$tool" -o out $file
			whole
			cmp expect out
			"$tool" < $file | cmp expect -
			"$tool" <(cat $file) | cmp expect -
		done
	done
}

@test "frames and members one after the other are one text" {
	strange | stream > in.tq
	{
		printf '\x50\x2a\x4d\x18\x02\x00\x00\x00ab' # to be skipped
		head -c 100 in.tq | zstd -qc
		tail -c +101 in.tq | zstd -qc
	} > zst
	{ head -c 100 in.tq | gzip; tail -c +101 in.tq | gzip; } > gz
	for tool in $(filters); do
		"$tool" in.tq > expect
		"$tool" zst | cmp expect -
		"$tool" gz | cmp expect -
		cat in.tq in.tq | "$tool" > expect
		cat zst zst | "$tool" | cmp expect -
	done
}

@test "compressed data that is cut or wrong exits 1, and no end is written" {
	seq 10000 | sed 's/.*/{"kind":"note","n":&}/' | stream > in.tq
	zstd -qc in.tq > whole.zstd
	gzip -c in.tq > whole.gzip
	for format in zstd gzip; do
		head -c 2000 whole.$format > cut.$format
		{
			head -c 1000 whole.$format
			echo garbage
			tail -c +1009 whole.$format
		} > bad.$format
	done
	for tool in $(filters); do
		for format in zstd gzip; do
			rm -f out
			run --separate-stderr "$tool" -o out cut.$format
			((status == 1))
			[[ ${stderr_lines[0]} = \
			    "$tool: cut.$format: $format data is truncated" ]]
			ends out 0
			rm -f out
			run --separate-stderr "$tool" -o out bad.$format
			((status == 1))
			[[ ${stderr_lines[0]} = \
			    "$tool: bad.$format: $format data is corrupt" ]]
			ends out 0
		done
	done
}

@test "-z and -o FILE.zst write zstd, -o FILE.gz gzip" {
	strange | stream > in.tq
	for tool in $(filters); do
		"$tool" in.tq > expect
		"$tool" -z in.tq > out
		zstd -qdc < out | cmp expect -
		"$tool" -o out.zst in.tq
		zstd -qdc out.zst | cmp expect -
		"$tool" -z -o out in.tq
		zstd -qdc < out | cmp expect -
		"$tool" -o out.gz in.tq
		gzip -dc out.gz | cmp expect -
		# and what one tool wrote the next one reads
		"$tool" -z in.tq | "$tool" | "$tool" -z | "$tool" |
		    cmp expect -
	done
}

# ---- what is lost is said ----

@test "a stream without its end record is passed on, without an end, and exits 1" {
	strange | stream > in.tq
	for lines in 1 5 11; do
		head -n $lines in.tq > cut.tq
		for tool in $(filters); do
			rm -f out
			run --separate-stderr "$tool" -o out cut.tq
			cut_short cut.tq
			cmp cut.tq out
			run --separate-stderr "$tool" < cut.tq
			cut_short "<stdin>"
		done
	done
}

@test "every reader tells of a stream that was cut" {
	strange | stream | body > cut.tq
	for tool in $(readers); do
		run --separate-stderr "$tool" cut.tq
		stderr=${stderr_lines[0]} # a summary may follow
		cut_short cut.tq
	done
}

@test "a stream that was cut within a line is one that was cut" {
	stream '{"kind":"note","n":1}' '{"kind":"note","n":2}' > in.tq
	size=$(wc -c < in.tq)
	for tool in $(filters); do
		for ((n = 45; n < size - 1; n += 3)); do
			head -c $n in.tq > cut.tq
			rm -f out
			run --separate-stderr "$tool" -o out cut.tq
			cut_short cut.tq
			ends out 0
		done
	done
}

@test "an end record that counts other lines is none" {
	strange | stream | sed 3d > less.tq
	strange | stream | sed 3p > more.tq
	strange | stream | sed 's/,"events":[0-9]*//' > uncounted.tq
	for tool in $(filters); do
		for file in less.tq more.tq uncounted.tq; do
			rm -f out
			run --separate-stderr "$tool" -o out $file
			cut_short $file
			diff <(body < $file) out
		done
	done
}

@test "a section that was cut does not hide the next one" {
	stream '{"kind":"note","n":1}' | body > cut.tq
	stream '{"kind":"note","n":2}' > whole.tq
	cat cut.tq whole.tq > both.tq
	for tool in $(filters); do
		rm -f out
		run --separate-stderr "$tool" -o out both.tq
		cut_short both.tq
		ends out 1
		end_counts < out
		rm -f out
		run --separate-stderr "$tool" -o out cut.tq whole.tq cut.tq
		((status == 1))
		((${#stderr_lines[@]} == 2))
		ends out 1
	done
}

@test "a cut stream is told through a whole pipeline" {
	for tool in $(filters); do
		strange | stream | body | "$tool" 2> /dev/null | "$tool" \
		    2> /dev/null > out || true
		run --separate-stderr "$tool" out
		cut_short out
	done
}

@test "a lost beginning is said: an end record of no section" {
	strange | stream > in.tq
	strange | tail -n +4 > tail
	tail -n +5 in.tq > headless.tq
	{ cat in.tq; tail -n 1 in.tq; } > twice.tq
	for tool in $(readers); do
		for file in headless twice; do
			rm -f out
			run --separate-stderr "$tool" -o out $file.tq
			((status == 1))
			[[ ${stderr_lines[0]} = "$tool: warning: $file.tq: stream "`
			    `"begins without its trace record" ]]
		done
		[[ $tool != tq-filter && $tool != tq-correlate ]] ||
		    "$tool" headless.tq 2> /dev/null | cmp tail -
	done
	# what grep leaves of a stream is one
	tool=tq-filter
	run --separate-stderr tq-filter -o out tail
	whole
}

# ---- what is out of order ----

# disorder: events, of which two come behind later ones
disorder() {
	for ts in -5 100 20 99 100 123456789012345678; do
		echo '{"kind":"osrt","ts":'$ts',"dur":1,"pid":1,"tid":1,"name":"read"}'
	done
}

# unordered NAME COUNT: what is said of it
unordered() {
	((status == 1))
	[[ $stderr = *"$tool: warning: $1: $2 not in order of time: put it "`
	    `"through tq-extract first"* ]]
}

@test "records that are out of order without slack are counted, and exit 1" {
	disorder | stream > in.tq
	jq -c . in.tq > spelt.tq
	disorder | sed 3d | stream > one.tq
	tq-extract in.tq > sorted.tq
	for tool in tq-correlate tq-stats tq-chrome tq-perfetto; do
		for file in in.tq spelt.tq; do
			run --separate-stderr bash -c "$tool $file > out"
			unordered $file "2 records are"
			[[ $tool != tq-correlate ]] || ends out 0
		done
		run --separate-stderr bash -c "$tool one.tq > out"
		unordered one.tq "1 record is"
		run bash -c "$tool sorted.tq > out"
		((status == 0))
	done
	# where the order is not needed, or not promised
	tool=tq-filter
	run --separate-stderr tq-filter -o out true in.tq
	whole
	rm out
	run --separate-stderr tq-filter -o out --merge-short 1us in.tq
	unordered in.tq "2 records are"
	disorder > lines
	run tq-stats -r osrt_sum lines
	((status == 0))
	tool=tq-correlate
	run --separate-stderr tq-correlate lines
	unordered lines "2 records are"
}

@test "the order is that of a section, and of an operand without one" {
	disorder | sed -n 1,2p > a
	{ stream < a; stream < a; } > sections.tq
	for tool in tq-correlate tq-stats tq-chrome; do
		run bash -c "$tool sections.tq > out"
		((status == 0))
		run bash -c "$tool a a a > out"
		((status == 0))
	done
	# each operand with its own count
	disorder | stream > in.tq
	run --separate-stderr tq-correlate in.tq sections.tq in.tq
	[[ $(grep -c "in.tq: 2 records are not in order" <<< "$stderr") = 2 ]]
	[[ $(grep -c '"kind":"end"' <<< "$output") = 2 ]]
}

@test "shuffled records of a real stream are noticed" {
	data nsys/2026.1.1-vectoradd.sqlite
	tq-extract "$data" > in.tq
	{
		head -n 1 in.tq
		sed '1d;$d' in.tq | shuf --random-source=in.tq
		tail -n 1 in.tq
	} > shuffled.tq
	for tool in $(readers); do
		[[ $tool != tq-filter ]] || continue
		run --separate-stderr bash -c "$tool shuffled.tq > out"
		((status == 1))
		[[ $stderr = *"records are not in order of time"* ]]
	done
}

# ---- what is checked ----

# The table is of tq-events(5), "What is checked".
@test "a record that a tool passes on is checked to its end, with file and line" {
	needs='"ts":1,"dur":1,"pid":1,"tid":1,"corr":1,"name":"k","device":0'
	while IFS=$'\t' read -r bad problem; do
		for kind in kernel api range osrt; do
			{
				echo '{"kind":"trace","version":1}'
				for ((i = 0; i < 100; i++)); do
					echo '{"kind":"'$kind'",'"$needs"'}'
				done
				echo '{"kind":"'$kind'",'"$needs$bad"
				echo '{"kind":"end","events":101,"dropped":0}'
			} > bad.tq
			sed '1d; $d' bad.tq > lines
			for tool in tq-filter "tq-filter dur>0" "tq-filter -k $kind" \
			    tq-chrome tq-perfetto tq-stats tq-correlate \
			    'tq-filter --no-closure name=="k"' 'tq-table -o out'; do
				[[ $tool-$kind != tq-correlate-osrt ]] || continue
				run --separate-stderr $tool bad.tq
				((status == 1))
				if [[ ${stderr_lines[0]} != "${tool%% *}: bad.tq:102: $problem" ]]; then
					echo "$tool: $kind: $stderr"
					return 1
				fi
			done
			# what is not looked at
			tq-filter --no-closure 'ts > 0' lines | grep -qF "$bad"
			tq-extract lines | grep -qF "$bad"
		done
		tq-correlate lines | grep -qF "$bad"
	done <<'EOF'
,"foo":NaN}	expected a value
,"args":{"a":[}}	expected a value
}{"kind":"mark"}	text after the object
,"value":"abc"}	value: expected a number
,"foo":1,}	expected a key
EOF
	for tool in $(readers); do
		echo '{"kind":"trace","version":1,"host":NaN}' > bad.tq
		run --separate-stderr "$tool" bad.tq
		((status == 1))
		says "$tool: bad.tq:1: expected a value"
		printf '%s\n' '{"kind":"trace","version":1}' \
		    '{"kind":"end","events":0,"dropped":no}' > bad.tq
		run --separate-stderr "$tool" bad.tq
		((status == 1))
		says "$tool: bad.tq:2: expected a value"
	done
}

# ---- what is no stream ----

# A tool does not look at all of each canonical line; the space that these have
# makes it.
@test "a line that is no record exits 1 and names file, line and problem" {
	while IFS=$'\t' read -r line problem; do
		{
			stream < /dev/null
			echo
			echo "${line/#'{'/'{ '}"
			echo '{"kind":"note"}'
		} > bad.tq
		for tool in $(readers); do
			run --separate-stderr "$tool" bad.tq
			((status == 1))
			says "$tool: bad.tq:4: $problem"
			run --separate-stderr "$tool" < bad.tq
			((status == 1))
			says "$tool: <stdin>:4: $problem"
		done
	done <<'EOF'
garbage	expected '{'
[1]	expected '{'
{}	no kind
{"ts":1}	no kind
{"kind":7}	kind: expected a string
{"kind":"mark" "ts":1}	expected ',' or '}'
{"kind":"mark","ts"}	expected ':'
{"kind":"mark",ts:1}	expected a key
{"kind":"mark","ts":}	expected a value
{"kind":"mark","ts":-}	bad number
{"kind":"mark","ts":"1"}	ts: expected an integer
{"kind":"mark","ts":1.5}	ts: expected an integer
{"kind":"mark","ts":99999999999999999999}	ts: expected an integer
{"kind":"mark","name":7}	name: expected a string
{"kind":"mark","name":"a\x"}	bad escape in a string
{"kind":"mark","name":"a\u12"}	bad \u escape
{"kind":"mark","name":"a}	string does not end
{"kind":"sched","on":1}	on: expected true or false
{"kind":"counter","value":"1"}	value: expected a number
{"kind":"kernel","grid":[1,"2"]}	grid: expected an array of integers
{"kind":"stack","frames":["a",2]}	frames: expected an array of strings
{"kind":"mark","args":[]}	args: expected an object
{"kind":"mark"} {"kind":"mark"}	text after the object
EOF
}

@test "binary files are no streams" {
	head -c 100000 /dev/urandom | sed '1s/^/x/' > random
	printf '\0\0\0\0' > zeros
	for tool in $(filters); do
		for file in random zeros; do
			run --separate-stderr "$tool" $file
			((status == 1))
			[[ -z $output ]]
			says "$tool: $file: is no stream; if it is a recording: tq-extract $file | $tool"
		done
	done
}

@test "values may be nested 64 deep, and no deeper" {
	for depth in 64 65 100000; do
		open=$(printf "%${depth}s" | tr ' ' '[')
		echo '{ "kind":"note","a":'"$open$(tr '[' ']' <<< "$open")}" > $depth
		# for tq-stats to have something to tell
		echo '{"kind":"osrt","ts":1,"dur":1,"name":"read"}' >> $depth
	done
	for tool in $(readers); do
		"$tool" 64 > out
		for depth in 65 100000; do
			run --separate-stderr "$tool" $depth
			((status == 1))
			says "$tool: $depth:1: nested too deep"
		done
	done
	for tool in $(filters); do
		"$tool" 64 | cmp 64 -
	done
}
