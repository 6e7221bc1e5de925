#!/usr/bin/env bats
# tq-filter: its command line, and the language of its expressions

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# ---- helpers ----

# refused TEXT OPTION ...: status 2, and nothing but this said
refused() {
	run --separate-stderr tq-filter "${@:2}" < /dev/null
	if [[ $status != 2 || -n $output || $stderr != "tq-filter: $1" ]]; then
		echo "${*:2}: $status: $output$stderr"
		return 1
	fi
}

# shown [OPTION]: on stdin, expressions with a ^ before the place that is wrong,
# and behind tabs what is said of it
shown() {
	local text message before

	while IFS=$'\t' read -r text message; do
		before=${text%%^*}
		refused "$message
	$before${text#*^}
	${before//?/ }^" "$@" "$before${text#*^}"
	done
}

# records: a file of one record of each sort, without a section, so that what
# is chosen of it is the output; and the file respelt, of the same records:
# keys from last to first, each letter an escape, spaces, exponents
records() {
	cat > records <<'END'
{"kind":"symbol","name":"gemm","id":1,"demangled":"void gemm<float>(int)","mangled":"_Z4gemmIfEvi"}
{"kind":"symbol","name":"plain","id":2}
{"kind":"stack","id":1,"frames":["malloc","main"]}
{"kind":"range","ts":-100,"dur":3000000,"pid":1,"tid":1,"name":"step \"1\"","id":1,"mode":"push","domain":"lib/a","depth":0}
{"kind":"range","ts":0,"pid":1,"tid":1,"name":"é\\\t","id":2,"open":true,"depth":1}
{"kind":"api","ts":1000,"dur":5000,"pid":1,"tid":1,"corr":7,"name":"cudaLaunchKernel","api":"cuda-runtime","ret":0}
{"kind":"kernel","ts":7000,"dur":2000000,"pid":1,"corr":7,"name":"gemm","sym":1,"device":0,"stream":7,"grid":[128,2,1],"path":["step \"1\"","fwd"]}
{"kind":"kernel","ts":8000,"dur":100000,"pid":1,"corr":8,"name":"plain","sym":2,"device":1,"stream":13,"grid":[1,1,1],"path":[]}
{"kind":"kernel","ts":9000,"dur":999,"pid":1,"corr":9,"name":"Gemv","sym":9,"device":1,"stream":7}
{"kind":"memcpy","ts":10000,"dur":1000,"pid":1,"corr":10,"device":0,"bytes":1048576,"copy":"HtoD","args":{"a b":{"c":[1,"x",2.5]},"n":null,"yes":true}}
{"kind":"counter","ts":20000,"counter":1,"value":-1.5}
{"kind":"new","ts":30000,"x":{"y":[1,"z",true]},"odd key":5,"flag":true}
END
	jq -r '
	def hex: . as $n | [4096, 256, 16, 1] |
	    map($n / . | floor % 16 | "0123456789abcdef"[.:. + 1]) | add;
	def spell:
	    if type == "string" then
		"\"" + (explode | map("\\u" + hex) | add // "") + "\""
	    elif type == "array" then
		"[ " + (map(spell) | join(" , ")) + " ]"
	    elif type == "object" then
		"{ " + (to_entries | reverse |
		    map((.key | spell) + " : " + (.value | spell)) |
		    join(" , ")) + " }"
	    elif type == "number" then tojson + "e0"
	    else tojson
	    end;
	spell' records > respelt
}

# chosen EXPRESSION [NUMBER ...]: of both spellings of the records these are
# passed on, untouched, and with -v all others
chosen() {
	local file lines=${*:2}

	for file in records respelt; do
		sed -n "${lines:+${lines// /p;}p}" $file > yes
		sed "${lines:+${lines// /d;}d}" $file > no
		tq-filter --no-closure "$1" $file > out
		diff out yes
		tq-filter -v "$1" $file > out
		diff out no
	done
}

# ---- the command line ----

@test "an option that there is not, or without its value, says what lists them" {
	refused "invalid option -- 'y'
tq-filter: --help lists the options" -y true
	refused "option requires an argument -- 'k'
tq-filter: --help lists the options" -k
	refused "option requires an argument -- 'k'
tq-filter: --help lists the options" -qk
	refused "option '--time' requires an argument
tq-filter: --help lists the options" --time
	refused "option '--quiet' doesn't allow an argument
tq-filter: --help lists the options" --quiet=3
	refused "option '--ti' is ambiguous; possibilities: '--tid' '--time'
tq-filter: --help lists the options" --ti 1:2
	refused "unrecognized option '--zzzz=3'
tq-filter: --help lists the options" --zzzz=3
	refused "unrecognized option '--tme'
tq-filter: did you mean --time?" --tme 1:2
}

@test "an option is refused when its value makes no sense" {
	kinds=$(tq-filter -k help)
	refused "no kind of record is named 'foo'; there are:
$kinds" -k kernel,foo
	refused "no kind of record is named ''; there are:
$kinds" -k ''
	for option in --device --stream --pid --tid --rank; do
		for list in '' x -1 0, ,0 0,,1 0,1x 99999999999999999999; do
			refused "$option ${list:-''}: expected numbers, as in 0,2,5" \
			    $option "$list"
		done
	done
	refused "--min-dur long: expected a time, as in 1.5s or 200ms" --min-dur long
	refused "--min-dur -1us: a duration is not negative" --min-dur=-1us
	refused "--min-dur 4KiB: expected a time, as in 1.5s or 200ms" --min-dur 4KiB
	refused "--depth -1: expected a number" --depth -1
	refused "--depth 1x: expected a number" --depth 1x
	refused "--top '': expected a number from 1" --top ''
	refused "--top 0: expected a number from 1" --top 0
	refused "--top 9223372036854775808: expected a number from 1" --top 9223372036854775808
	refused "--by start: expected launch or time" --by start true
	refused "--scope all: expected thread or process" --scope all true
	refused "--merge-short 0: expected a duration above 0" --merge-short 0
}

@test "a window is refused when it is none" {
	refused "--time 1s: expected A:B, two times of which one may be left out" \
	    --time 1s
	refused "--time :: expected a time before or after the ':'" --time :
	refused "--time 1s:x: expected a time, as in 1.5s or 200ms" \
	    --time 1s:x
	refused "--time 2ms:1ms: the window ends before it starts" \
	    --time 2ms:1ms
}

@test "what is wrong with the name of a range is shown" {
	shown --range <<'END'
^		expected the name of a range
a@b^@c		a second '@': in a name it is \@
step@^/3	expected a domain behind the '@'
step/^3..2	the last index is before the first
~a(^/2		a ( is not closed
END
	shown --step <<'END'
step^	expected an index, as 3, 0..4, NAME/3 or median
END
}

@test "options that do not go together are refused" {
	refused "only one expression is possible: join them with && or ||" \
	    -e true -e true
	refused "--key needs --redact" --key x true
	refused "--clip excludes --count, --invert, --no-closure and --only" --clip -v true
	refused "--clip excludes --count, --invert, --no-closure and --only" \
	    --no-closure --clip true
}

@test "the first operand is the expression, unless it is a file or -" {
	stream '{"kind":"mark","ts":1}' > in
	tq-filter 'ts < 0' in > out
	stream < /dev/null | cmp - out
	cp in 'ts < 0'
	tq-filter 'ts < 0' in > out
	cat in in | cmp - out
	tq-filter - 'ts < 0' < in > out
	cat in in | cmp - out
}

@test "what can only be the name of a file is one" {
	for name in r.tq ./r folder/r r.tq.zst; do
		run --separate-stderr tq-filter $name
		[ "$status" = 1 ]
		[ -z "$output" ]
		[ "$stderr" = "tq-filter: $name: No such file or directory" ]
	done
	refused "no key is named 'r' (.r is a key outside of the schema)
	r
	^" r
}

@test "without an expression and a selection everything passes" {
	stream '{"kind":"mark","ts":1}' > in
	tq-filter < in | cmp - in
	tq-filter in | cmp - in
	tq-filter -o out - < in
	cmp out in
}

@test "with -e all operands are files" {
	stream '{"kind":"mark","ts":1}' > in
	tq-filter -e true in in > out
	cat in in | cmp - out
	tq-filter in --expression 'ts < 0' > out
	stream < /dev/null | cmp - out
	run --separate-stderr tq-filter -e true 'ts < 0' in
	[ "$status" = 1 ]
	[ "$stderr" = "tq-filter: ts < 0: No such file or directory" ]
}

@test "-q writes nothing: status 0 says that something matched, 1 that nothing" {
	stream '{"kind":"mark","ts":1}' '{"kind":"mark","ts":2}' > in
	for how in '' --no-closure; do
		run --separate-stderr tq-filter -q $how 'ts > 1' in
		[ "$status$output$stderr" = 0 ]
		run --separate-stderr tq-filter -q $how 'ts > 2' in
		[ "$status$output$stderr" = 1 ]
		run --separate-stderr tq-filter -q $how 'ts > 1' -o out in
		[ "$status$output$stderr" = 0 ]
		[ ! -e out ]
	done
	for selection in '-v ts>0' '-k kernel' '--top 1'; do
		run --separate-stderr tq-filter -q $selection in
		[ "$status$output$stderr" = 1 ]
	done
}

@test "-q may have to wait for its input" {
	run --separate-stderr tq-filter -q -k kernel \
	    < <(seq 40000 | sed 's/.*/{"kind":"mark","ts":&}/' | stream |
	    awk '{ print; fflush() }')
	[ "$status$output$stderr" = 1 ]
}

@test "-q knows of definitions too, but not of those that only stay with others" {
	stream '{"kind":"process","pid":1}' '{"kind":"thread","pid":1}' > in
	for selection in '-k thread' 'kind=="thread"' '-k process' \
	    'kind=="process"' true '--no-closure has(pid)'; do
		tq-filter -q $selection in
	done
	for selection in '-k mark' 'has(pid)' false 'kind=="device"'; do
		run -1 tq-filter -q $selection in
	done
}

# ---- mistakes in expressions ----

@test "what is missing from an expression is shown" {
	shown <<'END'
^			expected a condition, not the end
dur > ^			expected a number or a "string", not the end
end > ^&& name		expected a number or a "string"
dur > 5 && name^	expected a comparison, not the end
dur ^&& open		expected a comparison
ts > 1 ^ts		expected an operator
(dur > 1^		expected ')', not the end
dur > 1^)		a ) closes nothing
dur in ^5		expected '('
dur in (1 ^2)		expected ',' or ')'
has(^5)			expected a key
dur not ^5		expected in or glob
name == ^"x		the string does not end
name ~ ^/x		the regular expression does not end
END
}

@test "an operator that is another one elsewhere is shown" {
	shown <<'END'
dur ^= 1	use == to compare
dur ^<> 1	use != to compare
name ^=~ /x/	use ~ to match
dur > 1 ^& open	use && for and
dur > 1 ^| open	use || for or
1 < dur ^< 2	comparisons do not chain: use &&
END
}

@test "a key that is unknown is shown, with one that is like it" {
	shown <<'END'
ts > 1 and ^durr > 1	no key is named 'durr': did you mean dur?
kind == ^kernel		no key is named 'kernel': did you mean "kernel"?
^xyz > 1		no key is named 'xyz' (.xyz is a key outside of the schema)
END
}

@test "values of types that do not agree are shown" {
	shown <<'END'
name ^> 5		name is a string: it cannot be compared with a number
name in ("a", ^5)	name is a string: it cannot be compared with a number
1 ^== open		open is true or false: it cannot be compared with a number
open ^< true		only == and != compare true and false
dur ^~ /x/		dur is a number: ~ needs a string
name ^+ 1 > 2		name is a string: + needs a number
grid ^== 1		grid is an array: grid[0] is its first element
dur^[0] == 1		dur is not an array
args ^== 1		args is an object: args.KEY is one of its members
dur^.x == 1		dur has no members
END
}

@test "a number, string or pattern that is none is shown" {
	shown <<'END'
dur > ^9223372036854775808	number is too large
9223372036854775807 ^+ 1 < dur	number is too large
dur ^/ 0 > 1			division by zero
dur > ^5q			the units of numbers are ns us ms s m h, B K M G T kB MB GB TB KiB MiB GiB TiB
name == "x^\q"			bad escape in a string
name ~ /x/^g			the only flag of a regular expression is i
name ~ /a\/(^/			a ( is not closed
name ~ "^*a"			there is nothing to repeat
name glob 'a^[b'		a [ is not closed
END
}

@test "the caret counts characters, also behind letters of more bytes and tabs" {
	refused "expected a comparison, not the end
	name == 'é€' && raw 
	                    ^" "$(printf "name\t== 'é€'\n&& raw\t")"
	long=$(printf ' && ts > %d' {1..50})
	run --separate-stderr tq-filter "ts > 0$long && tss > 1$long"
	[ "$status" = 2 ]
	[[ $stderr = "tq-filter: no key is named 'tss': did you mean ts?"* ]]
	[[ $stderr =~ (.*)$'\n\t'(\.\.\..*\.\.\.)$'\n\t'(\ *)\^$ ]]
	[[ ${BASH_REMATCH[2]:${#BASH_REMATCH[3]}} = "tss > 1"* ]]
}

@test "nesting, and the length of an expression, have a limit" {
	stream '{"kind":"mark","ts":1}' > in
	open=$(printf '(%.0s' {1..100}) close=$(printf ')%.0s' {1..100})
	tq-filter "${open}ts > 0$close" in | cmp - in
	run --separate-stderr tq-filter "($open ts > 0$close)" in
	[ "$status" = 2 ]
	[[ $stderr = "tq-filter: nested too deeply"* ]]
	run --separate-stderr tq-filter "ts > 0$(printf ' && ts > %d' {1..9000})"
	[ "$status" = 2 ]
	[[ $stderr = "tq-filter: the expression is too long"* ]]
}

# ---- expressions ----

@test "numbers are compared by == != < <= > >=, with the key on either side" {
	records
	chosen 'dur == 1000' 10
	chosen 'dur != 1000' 4 6 7 8 9
	chosen 'dur < 1000' 9
	chosen 'dur <= 1000' 9 10
	chosen 'dur > 100000' 4 7
	chosen 'dur >= 100000' 4 7 8
	chosen '100000 > dur' 6 9 10
	chosen '100000 <= dur' 4 7 8
	chosen 'value == -1.5 && value < -1 && value > -1.75' 11
}

@test "numbers have units of time and of sizes, fractions and exponents" {
	records
	chosen 'dur == 1ms1000us || dur == 100us' 7 8
	chosen 'dur == 0.1ms or dur == 2e6 or dur == 999ns' 7 8 9
	chosen 'dur > 0.0019s and dur < 1m' 4 7
	chosen 'bytes == 1MiB && bytes == 1024K && bytes > 1MB' 10
	chosen 'dur in (3ms, 0.005ms)' 4 6
}

@test "strings are compared by their bytes, in whatever spelling" {
	records
	chosen 'name == "gemm"' 1 7
	chosen "name == 'step \"1\"'" 4
	chosen 'name == "step \"1\""' 4
	chosen 'name == "\u00e9\\\t"' 5
	chosen "name == 'é\\\\\\u0009'" 5
	chosen 'name != "gemm"' 2 4 5 6 8 9
	chosen 'name >= "plain" && "t" > name' 2 4 8
	chosen 'name < "a"' 9
}

@test "~ and !~ search for a regular expression, with /i in any case" {
	records
	chosen 'name ~ /gem/' 1 7
	chosen 'name ~ /GEM/i' 1 7 9
	chosen 'name ~ "(?i)^GEM[mv]$"' 1 7 9
	chosen 'name !~ /^./'
	chosen 'name !~ /e/' 2 5 8
	chosen 'domain ~ /^lib\/a$/' 4
	chosen "name ~ '^..\\\\t'" 5
	chosen 'name ~ /^.\\\t$/' 5
}

@test "glob matches the whole text: * ? [a-z] [!a-z], and \\ takes their meaning" {
	records
	chosen 'name glob "gem"'
	chosen 'name glob "*em*"' 1 7 9
	chosen 'name glob "[A-Z]em?"' 9
	chosen 'name glob "[!A-Z]em?"' 1 7
	chosen 'name glob "?\\\\\t"' 5
	chosen "name not glob '*e*'" 2 5 8
}

@test "in and not in are of a list of values" {
	records
	chosen 'stream not in (7)' 8
	chosen 'kind in ("memcpy", "new", "x")' 10 12
	chosen 'kind not in ("kernel", "range", "symbol", "api")' 3 10 11 12
	chosen 'ts in (-100, 0, 1us)' 4 5 6
	chosen 'open in (true)' 5
}

@test "a key that a record does not have makes each comparison false" {
	records
	chosen 'raw == "x" || raw != "x" || raw ~ /x/ || raw !~ /x/'
	chosen 'raw in ("x") || raw not in ("x") || raw not glob "x"'
	chosen 'regs < 1 || regs >= 1 || regs + 1 > 0 || -regs < 0'
	chosen '!(raw == "x")' 1 2 3 4 5 6 7 8 9 10 11 12
}

@test "has asks whether a record has a key" {
	records
	chosen 'has(dur)' 4 6 7 8 9 10
	chosen 'has(ts) && !has(pid)' 11 12
	chosen 'has(grid[2])' 7 8
	chosen 'has(path[0])' 7
	chosen 'has(path)' 7 8
	chosen 'has(end) && !has(dur)' 11 12
}

@test "&& binds more than ||, ! more than both; and, or, not say the same" {
	records
	chosen 'ts == 0 || ts == 1000 && dur == 0' 5
	chosen '! ts == 0 && !has(sym) && has(ts)' 4 6 10 11 12
	chosen 'not ts == 0 and not has(sym) and has(ts)' 4 6 10 11 12
	chosen 'not (has(ts) and not open)' 1 2 3 5
	chosen '(dur > 1ms) == (device == 0)' 1 2 3 5 6 7 8 9 11 12
}

@test "+ - * / % reckon with integers, and with fractions where there is one" {
	records
	chosen 'dur + ts * 2 - 1 == 6999' 6
	chosen '(dur + ts) * 2 == 12us' 6
	chosen 'dur / 1000 * 1000 != dur' 9
	chosen 'dur % 1000 == 999' 9
	chosen '100 == -ts && - -ts < 0 && ts / 3 == -33 && ts % 3 == -1' 4
	chosen 'value * 2 == -3' 11
}

@test "what cannot be reckoned is as if it were not there" {
	records
	chosen 'dur / (ts - 10000) <= 0' 4 6 7 8 9
	chosen '9223372036854775807 - ts > 0' 5 6 7 8 9 10 11 12
	chosen 'has(dur) && !(9223372036854775807 + dur > 0)' 4 6 7 8 9 10
}

@test "end is where a record ends: of an instant its ts, of an open one never" {
	records
	chosen 'end == 2007us' 7
	chosen 'end - ts == dur' 4 6 7 8 9 10
	chosen 'end == ts' 11 12
}

@test "elements of arrays count from 0, and from the end below it" {
	records
	chosen 'grid[0] > 1' 7
	chosen 'grid[-1] == 1' 7 8
	chosen 'frames[-1] == "main" || path[1] ~ /^f/' 3 7
	chosen 'grid[3] == 1 || grid[-4] == 1'
}

@test "an array of strings is equal to, or matches, what one of them does" {
	records
	chosen 'path == "fwd"' 7
	chosen 'path ~ /^step/ && path glob "f*" && path in ("fwd")' 7
	chosen 'frames == "main" || "fwd" == path' 3 7
	chosen 'path != "fwd"' 8
	chosen 'path !~ /x/' 7 8
	chosen 'path not in ("a", "fwd") or frames not glob "m*"' 8
}

@test "demangled and mangled are of a kernel's symbol, or else its name" {
	records
	chosen 'demangled ~ /<float>/ && mangled == "_Z4gemmIfEvi"' 1 7
	chosen 'demangled == "plain" && mangled glob "pl*"' 8
	chosen 'demangled == "Gemv" && mangled == name' 9
	chosen 'demangled == "gemm" || demangled == "cudaLaunchKernel"'
	chosen 'has(demangled)' 1 7 8 9
}

@test "a symbol is one of its section" {
	kernel='{"kind":"kernel","ts":1,"name":"k","sym":1}'
	stream '{"kind":"symbol","name":"k","id":1,"demangled":"A"}' \
	    "$kernel" > a
	stream '{"kind":"symbol","name":"k","id":1,"demangled":"B"}' \
	    "$kernel" > b
	stream "$kernel" > c
	tq-filter --no-closure 'kind == "kernel" && demangled == "A"' a b c |
	    cmp - <(stream "$kernel"; stream < /dev/null; stream < /dev/null)
	tq-filter 'demangled == "A"' a b c |
	    cmp - <(cat a; stream < /dev/null; stream < /dev/null)
	tq-filter --no-closure 'demangled == "k"' a b c |
	    cmp - <(stream < /dev/null; stream < /dev/null; cat c)
}

@test ".key asks for a key of any name, args.key for what is in args" {
	records
	chosen '.flag' 12
	chosen '.flag == true && .x.y == "z" && .x.y[0] == 1' 12
	chosen '."odd key" > 4.5 && .'"'odd key'"' + 1 == 6' 12
	chosen '.dur == 2ms || .name ~ /é/' 5 7
	chosen 'args."a b".c[1] == "x" && args."a b".c == 2.5' 10
	chosen '.args.yes && !has(args.n) && has(args."a b") && has(args)' 10
	chosen '.none == 1 || .x == 1 || .x.y.z == 1 || .flag == 1'
	chosen '.dur ~ /2/ || .name > 5 || .end > 0'
}

@test "a regular expression that would take for ever ends the run" {
	a=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
	stream '{"kind":"mark","ts":1,"name":"a"}' \
	    '{"kind":"mark","ts":2,"name":"'$a'"}' > in
	run --separate-stderr timeout 60 \
	    tq-filter --no-closure 'name ~ /(a+)+[=~]$/' in
	[ "$status" = 1 ]
	[ "$stderr" = "tq-filter: in:3: a regular expression took too many steps" ]
	[[ $output != *'"end"'* ]]
}

@test "--only writes what matches alone, --count says how many" {
	sqlite3 demo.sqlite < "$top/examples/demo.sql"
	tq-extract demo.sqlite -o demo.tq
	tq-filter -k kernel 'dur > 1ms' demo.tq | grep '"kind":"kernel"' > want
	tq-filter -k kernel --only 'dur > 1ms' demo.tq | cmp - want
	[[ $(tq-filter -k kernel --count 'dur > 1ms' demo.tq) = "$(wc -l < want)" ]]
	# a window has the same records, by their launch
	tq-filter -k kernel --time 10ms:20ms demo.tq | grep '"kind":"kernel"' > want
	tq-filter -k kernel --time 10ms:20ms --only demo.tq | cmp - want
	[[ $(tq-filter -k kernel --time 10ms:20ms --count demo.tq) = "$(wc -l < want)" ]]
	tq-extract --only demo.sqlite > want
	tq-filter --only demo.tq | cmp - want
	[[ $(tq-filter --count demo.tq) = "$(wc -l < want)" ]]
	[[ $(tq-filter --count 'dur < 0' demo.tq) = 0 ]]
	[[ $(cat demo.tq demo.tq | tq-filter --count) = $((2 * $(wc -l < want))) ]]
	run -2 tq-filter --clip --only demo.tq
}
