#!/usr/bin/env bats
# tq-stats --pstats: the totals that cProfile writes, as Python's pstats prints
# them

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
}

# text TEXT: in marshal, as format of printf
text() { printf 'z\\x%02x%s' ${#1} "$1"; }

# number N, up to 255
number() { printf 'i\\x%02x\\0\\0\\0' "$1"; }

second='g\0\0\0\0\0\0\360\77'        # 1.0
tiny='g\xb0\x94\xff\x94\xbe\x3a\x01\x3f' # 0.000032863

# function FILE LINE NAME PRIMITIVE CALLS OWN ALL [CALLERS]: an entry
function_() {
	printf '%s' ")\\x03$(text "$1")$(number "$2")$(text "$3"))\\x05" \
	    "$(number "$4")$(number "$5")$6$7{${8-}0"
}

# fails MESSAGE BYTES: the file of these bytes is refused
fails() {
	printf "$2" > bad.prof
	run -1 --separate-stderr tq-stats --pstats bad.prof
	[ "$stderr" = "tq-stats: bad.prof: $1" ]
	[ -z "$output" ]
}

@test "totals are shown by cumulative time, with names as pstats has them" {
	printf "{$(function_ a.py 7 f 1 3 "$tiny" "$second")$(
	    function_ '~' 0 '<len>' 2 2 "$second" "${second/77/100}")0" > in.prof
	run -0 tq-stats -f csv --plain-keys --pstats in.prof
	[ "${lines[0]}" = calls,primitive_calls,own_ns,own_per_call_ns,cumulative_ns,cumulative_per_call_ns,function ]
	all=$(printf '%s\n' "${lines[@]:1}")
	[[ $all = *'3,1,'*',1000000000,1000000000,a.py:7(f)'* ]]
	[[ ${lines[1]} = 2,2,1000000000,500000000,*'{len}' ]]
	for format in table tsv json ndjson markdown html; do
		tq-stats -f $format --pstats in.prof | grep -Fq 'a.py:7(f)'
	done
	[[ $(gzip < in.prof | tq-stats -f csv --pstats -) = "$(tq-stats -f csv --pstats in.prof)" ]]
	run -0 tq-stats -f ndjson --sort calls --top 1 --pstats in.prof
	[[ $output = *'"calls":3,'* && ${#lines[@]} = 1 ]]
	run -2 tq-stats --sort nope --pstats in.prof
	[[ ${lines[0]} = *"no column is named 'nope'; there are:" && $output = *primitive_calls* ]]
	run -0 tq stats -f ndjson --top 1 in.prof
	[[ $output = *'{len}'* ]]
}

@test "a reference is what it names, a reference to nothing is an error" {
	first=$(function_ a 1 f 1 1 "$second" "$second")
	# the first flagged value is the dictionary
	printf "\\xfb${first/)/'\xa9'}0" > a.prof
	printf "\\xfb)\\x03\\xfa\\x01a$(number 1)r\\x01\\0\\0\\0)\\x05$(number 1)$(number 1)$second$second{00" > b.prof
	run -0 tq-stats -f ndjson --pstats a.prof
	[[ $output = *'"a:1(f)"}' ]]
	run -0 tq-stats -f ndjson --pstats b.prof
	[[ $output = *'"a:1(a)"}' ]]
	fails 'byte 8: a reference to nothing' '{)\x03r\01\0\0\0'
	# one to a value that holds it
	fails 'byte 18: not the value that cProfile has here' '\xfb)\x03r\0\0\0\0r\0\0\0\0r\0\0\0\0'
}

@test "what is no totals of cProfile is an error with the byte" {
	fails 'byte 0: the file is cut short' ''
	fails 'byte 0: not a dictionary of cProfile' 'N'
	fails 'no function is in it' '{0'
	fails 'byte 1: the file is cut short' '{'
	fails 'byte 2: more behind the totals' '{00'
	fails 'byte 1: no type that totals of cProfile have' '{c'
	fails 'byte 2: the file is cut short' '{('
	fails 'byte 6: not the tuple that cProfile writes here' '{(\xff\xff\xff\xff'
	fails 'byte 8: the file is cut short' '{)\x03a\xff\xff\xff\x7f'
	nan='g\0\0\0\0\0\0\xf8\x7f'
	fails 'byte 35: no time' "{$(function_ a 1 f 1 1 "$nan" "$second")0"
	deep=$(printf '{%.0s' {1..40})
	fails 'byte 60: values are nested too deeply' "{$(function_ a 1 f 1 1 "$second" "$second" "$deep")0"
	run -1 tq-stats --pstats none.prof
	[[ $output = 'tq-stats: none.prof: No such file or directory' ]]
	run -2 tq-stats --pstats bad.prof in
	[[ $output = *'--pstats reads its file only'* ]]
}

@test "a real file: the table is that of Python's pstats" {
	data other/cprofile-3.11.prof
	golden=$DATA/other/golden/cprofile-3.11.pstats.tsv
	[[ -e $golden ]] || skip "no $golden"
	tq-stats -f ndjson --plain-keys --pstats "$data" > rows
	[[ $(jq -s 'map(.cumulative_ns) | . == (sort | reverse)' rows) = true ]]
	jq -r '[.calls, .primitive_calls, .own_ns, .cumulative_ns, .function] | @tsv' rows |
	    sort > got
	sed 1d "$golden" | awk -F'\t' -v OFS='\t' '
	    function ns(s) { sub(/\./, "", s); sub(/^0+/, "", s); return s == "" ? 0 : s }
	    {
		name = $1 ":" $2 "(" $3 ")"
		if ($1 == "~" && $2 == 0)
			name = $3 ~ /^<.*>$/ ? "{" substr($3, 2, length($3) - 2) "}" : $3
		print $5, $4, ns($6), ns($7), name
	    }' | sort > wanted
	diff got wanted
}
