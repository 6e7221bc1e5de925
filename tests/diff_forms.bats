#!/usr/bin/env bats
# tq-diff: the screen, HTML, Markdown, csv, tsv, json and ndjson have the same
# sections, with the same numbers, and the page of HTML is whole at all widths.

load helper
load diff
load browser

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return
	for seed in 1 2 3 4 5 6 7 8; do
		random $seed > r$seed.tq
	done
	# a row of several grids, another mix of them; calls, ranges, a step
	steps 1 20000 > steps1.tq
	steps 2 26000 > steps2.tq
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	files=$BATS_FILE_TMPDIR
}

# steps SEED NS: eight steps of a range, whose kernels take NS, with calls
steps() {
	awk -v seed="$1" -v ns="$2" '
	BEGIN {
		print "{\"kind\":\"trace\",\"version\":1,\"source\":\"nsys\"," \
		    "\"origin_utc_ns\":\"1700000000000000" seed "00\"," \
		    "\"host\":\"h\",\"command\":\"python train.py --seed " seed "\"}"
		print "{\"kind\":\"device\",\"pid\":1,\"device\":0,\"name\":\"NVIDIA H100\"}"
		for (s = 0; s < 8; s++) {
			t = 1000000 + s * 20 * ns
			printf "{\"kind\":\"range\",\"ts\":%d,\"dur\":%d,\"pid\":1," \
			    "\"tid\":1,\"name\":\"step %d\"}\n", t, 18 * ns, s
			for (k = 0; k < 6; k++) {
				at = t + (2 * k + 1) * ns
				printf "{\"kind\":\"api\",\"ts\":%d,\"dur\":%d,\"pid\":1," \
				    "\"tid\":1,\"corr\":%d,\"name\":\"cudaLaunchKernel\"}\n",
				    at, 5000, ++corr
				printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":%d,\"pid\":1," \
				    "\"corr\":%d,\"name\":\"k%d\",\"device\":0," \
				    "\"context\":1,\"stream\":7,\"grid\":[%d,1,1]," \
				    "\"block\":[32,1,1]}\n", at + 6000,
				    ns + (k == 3) * 1000 * seed, corr, k, 1 + s % 2
			}
		}
		print "{\"kind\":\"end\",\"events\":" 1 + 8 * 13 ",\"dropped\":0}"
	}' | tq-correlate --path
}

# pairs: the arguments of comparisons of all sorts, one a line
pairs() {
	cat <<- END
	$files/r1.tq $files/r2.tq
	--per span $files/r1.tq $files/r2.tq
	--per launch $files/steps1.tq $files/steps2.tq
	$files/steps1.tq $files/steps2.tq
	--by name,grid $files/steps1.tq $files/steps2.tq
	--by path $files/steps1.tq $files/steps2.tq
	$files/steps2.tq $files/steps1.tq
	-n 2 $files/steps1.tq $files/steps2.tq
	$files/r1.tq $files/r2.tq $files/r3.tq $files/r4.tq : $files/r5.tq $files/r6.tq $files/r7.tq $files/r8.tq
	--fail-if wall>+3% --fail-if launches>0 --or-pass $files/r1.tq $files/r2.tq
	$files/r1.tq $files/r1.tq
	$files/r1.tq $files/steps1.tq
	--across programs --per span $files/r1.tq $files/steps1.tq
	END
}

# plain: HTML or Markdown without its marks, in one line with single blanks
plain() {
	sed 's/<span class="o">\([^<]*\)<\/span>/\1/g; s/<[^>]*>/ /g; s/\\\([]\\`*_[<>&|~@]\)/\1/g; s/ | / /g; s/^| //; s/\*\*//g
	    s/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&#39;/'\''/g; s/&amp;/\&/g' "$@" |
	    tr -s '\n\t ' ' '
}

# told: what the screen says, piece by piece, with single blanks, as plain has
# it: texts of lines, numbers of rows
told() {
	awk '
	function say(s) {
		gsub(/ +/, " ", s)
		sub(/^ /, "", s)
		sub(/ $/, "", s)
		if (s != "")
			print s
	}
	/^fail-if / { say($0); gates = 1; next }
	gates { gates = 0; next } # the blank line below them
	# what a name is below
	/^(verdict|sides|period|pace|within) / && !tables {
		sub(/^[a-z]+ +/, "")
		say($0)
		next
	}
	/^(look at    |           )tq[- ]/ { sub(/^(look at)? +/, ""); say($0); next }
	# the titles of a table, or of the sum
	/^$/ { tables = 1; title = 1; next }
	!tables { # a check: values and what they mean
		sub(/^[-a-z]+ +/, "")
		n = split($0, part, / \| |: /)
		for (i = 1; i <= n; i++)
			if (part[i] !~ /\.\.\.$/)
				say(part[i])
		next
	}
	title {
		title = 0
		host = /On the host$/
		if (/ =$/) {
			say($1)
			sum = 1
		} else {
			sum = 0
			say($NF)
		}
		next
	}
	sum { say($NF); next }
	host { say($1); next }
	{ # numbers, and texts like a name and a verdict, two blanks apart
		sub(/^ +/, "")
		n = split($0, part, /  +/)
		numbers = ""
		for (i = 1; i <= n; i++)
			if (part[i] ~ /^[-+]?[0-9][0-9.]*( %)?$/)
				numbers = numbers " " part[i]
			else if (part[i] !~ /\.\.\./)
				say(part[i])
		say(numbers)
	}'
}

# missing FILE PIECES: the pieces that are not in the file
missing() {
	local piece text

	text=$(plain "$1")
	while IFS= read -r piece; do
		[[ $text = *"$piece"* ]] || printf '%s: %s\n' "$1" "$piece"
	done < "$2"
}

# ---- sections ----

@test "HTML and Markdown have each line and number that the screen has" {
	while read -r -a arguments; do
		tq-diff "${arguments[@]}" > screen
		tq-diff -f html "${arguments[@]}" > html
		tq-diff -f markdown "${arguments[@]}" > markdown
		told < screen > pieces
		(($(wc -l < pieces) >= 2))
		missing html pieces
		missing markdown pieces
	done < <(pairs) > all
	diff /dev/null all
}

@test "a section of the screen is lines of its kind in ndjson, json, csv and tsv" {
	while read -r -a arguments; do
		tq-diff "${arguments[@]}" > screen
		tq-diff -f ndjson "${arguments[@]}" > lines
		jq -r .kind lines | sort -u > kinds
		{
			echo verdict
			echo check
			grep -q '^fail-if ' screen && echo gate
			grep -q ' =$' screen && printf '%s\n' sum part unit
			grep -qE '(Slower|Faster|Replaced|Same)$' screen && echo row
			grep -q 'Device$' screen && echo device
			grep -q '^ .*  range ' screen && echo range
			grep -q '^ .*  call ' screen && echo call
			grep -q '^look at ' screen && echo look
		} | sort > wanted
		comm -13 kinds wanted
		tq-diff -f json1 "${arguments[@]}" | jq -c '.[][]' > json
		jq -c . lines | diff - json
		tq-diff -f tsv "${arguments[@]}" | tail -n +2 | cut -f1 > tsv
		jq -r .kind lines | diff - tsv
		need python3
		tq-diff -f csv "${arguments[@]}" > csv
		python3 - <<- 'PY'
		import csv, json
		lines = [json.loads(x) for x in open('lines')]
		rows = list(csv.DictReader(open('csv', newline='')))
		assert len(lines) == len(rows), (len(lines), len(rows))
		for line, row in zip(lines, rows):
		    for key, value in line.items():
		        text = row.pop(key)
		        same = (text == value if isinstance(value, str)
		                else float(text) == value)
		        assert same, (line, key, text)
		    assert not any(row.values()), row
		PY
	done < <(pairs) > all
	diff /dev/null all
}

@test "the terms and idle parts of the line sum add up to its delta, and to the lines of rows and parts" {
	while read -r -a arguments; do
		tq-diff -f ndjson "${arguments[@]}" | jq -cs '
		    map(select(.kind == "sum")) as $sum |
		    map(select(.kind == "row")) as $rows |
		    map(select(.kind == "part")) as $parts |
		    $sum[] | . as $s | select(.delta != .calls + .per_call +
			.overlap + .new + .gone + .replaced + .sync + .host +
			.launch + .next + .queue + .unknown or
			([$rows[].delta] | add // 0) != .calls + .per_call +
			.overlap + .new + .gone + .replaced or
			any($parts[]; $s[.name] != null and $s[.name] != .delta))'
	done < <(pairs) > all
	diff /dev/null all
}

# ---- the page ----

@test "the page is well-formed, loads nothing, and is the same each time" {
	while read -r -a arguments; do
		tq-diff -f html "${arguments[@]}" > html
		[[ $(head -n 1 html) = '<!DOCTYPE html>' ]]
		grep -nE '(src|href) *=|url\(|@import|https?:|="[^"]*(nan|inf)' html ||
		    true
		tq-diff -f html "${arguments[@]}" | cmp html -
		need xmllint
		xmllint --noout html
	done < <(pairs) > all
	diff /dev/null all
}

# Built with a sanitizer, the program ends where it copies from nowhere.
@test "HTML has a side without a record" {
	stream '{"kind":"kernel","ts":1,"dur":5,"pid":1,"name":"k","device":0}' > one.tq
	: > empty.tq
	run -1 --separate-stderr tq-diff -f html one.tq empty.tq
	[[ $output = '<!DOCTYPE html>'* ]]
	[[ $stderr = "tq-diff: warning: empty.tq: is empty" ]]
}

@test "the page names the recordings, and has what it compares, as cards" {
	cp "$files/steps1.tq" before.tq
	cp "$files/steps2.tq" after.tq
	tq-diff -f html before.tq after.tq > html
	grep -qF '<title>before.tq and after.tq - tq-diff</title>' html
	grep -qF '<div class="m">tq diff before.tq after.tq</div>' html
	grep -qF '<b>A</b> python train.py --seed 1, NVIDIA H100' html
	grep -qF '2023-11-14 22:13 UTC' html
	grep -o '<h2>[^<]*' html > cards
	diff cards - <<- 'END'
	<h2>Where the +120.000 us come from
	<h2>The device's time
	<h2>On the host
	<h2>How sure
	<h2>Slower
	<h2>Checks
	<h2>Look at
	END
	# recordings that tq-extract reads for it, too
	tq-chrome -o before.json before.tq
	tq-chrome -o after.json after.tq
	tq diff -f html before.json after.json > html
	grep -qF '<title>before.json and after.json - tq-diff</title>' html
	grep -qF '<div class="m">tq diff before.json after.json</div>' html
	run -1 grep -F /dev/fd html
	# several are named in one order, six of them
	cd "$files"
	tq-diff -f html r8.tq r1.tq r2.tq r3.tq r4.tq r5.tq r6.tq : r7.tq > \
	    "$BATS_TEST_TMPDIR/html"
	cd -
	grep -qF '>tq diff r1.tq r2.tq r3.tq r4.tq r5.tq r6.tq ... (1 more) : r7.tq<' html
}

@test "the bars of the page go from the wall of A to that of B, term by term" {
	tq-diff -f html "$files/steps1.tq" "$files/steps2.tq" > html
	# each begins where the one before ended
	grep -o '<div class="tr"><i style="left:[0-9.]*%;width:[0-9.]*%' html |
	    sed 's/.*left://; s/%;width:/ /; s/%//' > bars
	awk 'NR == 1 { at = $1 + $2; next }
	{ from = $1; to = $1 + $2; left = $1 + 0; end = left + $2 }
	{ n++; last = end }
	n && !(at - left < .4 && left - at < .4) && !(at - end < .4 && end - at < .4) && left > 0 {
		print "bar " n ": " at " " left " " end; bad = 1 }
	{ at = (at - left < .4 && left - at < .4) ? end : left }
	END { exit bad || n < 2 || last < 99 }' bars
}

@test "the bars of the parts are as long as the walls, and add up" {
	tq-diff -f html "$files/steps1.tq" "$files/steps2.tq" > html
	grep -o '<div class="bar" style="width:[0-9.]*%">.*' html > sides
	(($(wc -l < sides) == 2))
	while read -r side; do
		grep -o '<i style="width:[0-9.]*' <<< "$side" | sed 's/.*://' |
		    awk '{ sum += $1 } END { exit !(sum > 99.9 && sum < 100.1) }'
	done < sides
}

@test "a page of what is refused has the reason, and no table" {
	tq-diff -f html "$files/r1.tq" "$files/steps1.tq" > html
	grep -q '<h1>.*other program: .*see <span class="o">--across</span>' html
	run -1 grep '<table' html
	grep -q '<h2>Checks' html
	# an empty recording is one, too
	stream < /dev/null > empty.tq
	tq-diff -f html "$files/r1.tq" empty.tq > html
	grep -q '<h1>' html
	need xmllint
	xmllint --noout html
}

@test "a gate is on the page, green or red" {
	run -3 tq-diff -f html -o html --fail-if 'launches < 1' --fail-if 'time("<b>") > 1%' \
	    "$files/r1.tq" "$files/r2.tq"
	grep -qF '<div class="m bad">fail-if launches &lt; 1: failed (' html
	grep -qF 'fail-if time(&quot;&lt;b&gt;&quot;) &gt; 1%: cannot tell' html
	tq-diff -f html --fail-if 'launches > 1' "$files/r1.tq" "$files/r2.tq" |
	    grep -qF '<div class="m ok">fail-if launches &gt; 1: held ('
}

@test "names on the page are text: of files, commands, devices, kernels, ranges" {
	bad='</title><script>alert(1)</script><b title=\\"x\&amp;'
	for n in 1 2; do
		sed 's|"name":"k1"|"name":"k'"$bad"'\\u0001"|; s|NVIDIA|'"$bad"'|
		    s|"name":"step|"name":"'"$bad"' step|; s|python|'"$bad$n"'|' \
		    "$files/steps$n.tq" > "<i>a&b$n.tq"
	done
	tq-diff -f html '<i>a&b1.tq' '<i>a&b2.tq' > html
	[[ $(grep -c '<script>' html) == 1 ]]
	run -1 grep -E 'alert\(1\)<|<i>a' html
	run -1 grep $'\x01' html
	grep -qF '&lt;i&gt;a&amp;b2.tq' html
	(($(grep -o 'alert(1)&lt;/script' html | wc -l) >= 6))
	need xmllint
	xmllint --noout html
}

@test "nothing of the page passes the right edge, from telephones to desktops" {
	need chromium
	long=$(printf 'x%.0s' {1..600})
	sed "s/\"name\":\"k1\"/\"name\":\"k$long\"/; s/train.py/$long/
	    s/\"name\":\"step/\"name\":\"$long step/" "$files/steps1.tq" > long1.tq
	sed "s/\"name\":\"k1\"/\"name\":\"k$long\"/; s/train.py/$long.2/
	    s/\"name\":\"step/\"name\":\"$long step/" "$files/steps2.tq" > long2.tq
	while read -r -a arguments; do
		tq-diff -f html "${arguments[@]}" > html
		check_widths html
	done < <(pairs; echo long1.tq long2.tq; echo --per launch long1.tq long2.tq)
	tq-diff -f html "$files/steps1.tq" "$files/steps2.tq" > html
	for w in 390 1280; do
		check_picture html "$w"
	done
}

# reads READ ALLOC: a device is idle from 100 to 700 + READ; its thread reads,
# allocates for ALLOC, and launches for the last 100.
reads() {
	printf '%s\n' \
	    '{"kind":"kernel","ts":0,"dur":100,"pid":1,"device":0,"name":"k","tid":1,"api_ts":-20,"api_dur":10}' \
	    '{"kind":"osrt","ts":200,"dur":'"$1"',"pid":1,"tid":1,"name":"read"}' \
	    '{"kind":"api","ts":'$((200 + $1))',"dur":'"$2"',"pid":1,"tid":1,"name":"cudaMalloc"}' \
	    '{"kind":"kernel","ts":'$((700 + $1))',"dur":100,"pid":1,"device":0,"name":"k","tid":1,"api_ts":'$((600 + $1))',"api_dur":50}' |
	    stream
}

@test "idle time has its finer causes in all forms, which add up to it" {
	reads 300 120 > a
	reads 500 90 > b
	# host: 500 + READ, of which READ is io, ALLOC alloc, the rest host
	run -0 tq-diff a b
	[[ $output == *"
+0.200 us a span =
  host         +0.200
    host       +0.030
    io         +0.200
    alloc      -0.030
"* ]]
	run -0 tq-diff -f ndjson a b
	[[ $(jq -c 'select(.kind == "idle") | [.name, .cause, .a, .b, .delta]' <<< "$output") == \
	    '["host","host",380,410,30]
["host","io",300,500,200]
["host","alloc",120,90,-30]
["launch","launch",100,100,0]' ]]
	run -0 tq-diff -f json1 a b
	[[ $(jq -c '.idle | map(.delta) | add' <<< "$output") == 200 ]]
	run -0 tq-diff -f csv a b
	[[ $(head -n 1 <<< "$output") == *,cause ]]
	[[ $(grep -c ^idle, <<< "$output") == 4 ]]
	run -0 tq-diff -f tsv a b
	[[ $(grep -c "^idle	host	" <<< "$output") == 3 ]]
	run -0 tq-diff -f markdown a b
	[[ $output == *'| of these: io | +0.200 |'* ]]
	run -0 tq-diff -f html a b
	[[ $(grep -o '<div class="lab of">[a-z-]*' <<< "$output") == '<div class="lab of">host
<div class="lab of">io
<div class="lab of">alloc' ]]
	# an account of before has none
	tq-stats --partial -r account a | sed 's/,"idle":\[.*\]}}/}}/' > old
	run -0 tq-diff -f ndjson old b
	! grep '"kind":"idle"' <<< "$output" || return 1
}

@test "a part that is the same has its finer causes where they are not" {
	reads 300 120 > a
	reads 300 90 > b
	run -0 tq-diff a b
	[[ $output == *"
0.000 us a span =
  host         0.000
    host       +0.030
    alloc      -0.030
"* ]]
	run -0 tq-diff -f markdown a b
	[[ $output == *$'| host | 0.000 |\n| of these: host | +0.030 |\n| of these: alloc | -0.030 |'* ]]
	run -0 tq-diff -f html a b
	[[ $(grep -o '<div class="lab[^<]*' <<< "$output") == *'<div class="lab">host
<div class="lab of">host
<div class="lab of">alloc'* ]]
	[[ $output == *'The difference is 0.000 us<'* ]]
	# none where nothing moved
	run -0 tq-diff a a
	[[ $output != *'  host '* ]]
}

@test "finer causes of idle time are those of gaps_sum:thing, in a comparison of real recordings" {
	data nsys/2024.6.2-nvfuser-h200-a.sqlite
	local a b name

	a=$(correlated 2024.6.2-nvfuser-h200-a) b=$(correlated 2024.6.2-nvfuser-h200-b)
	run -0 tq-diff --per span -f ndjson "$a" "$b"
	for name in a b; do
		tq-stats -q -f json1 -r gaps_sum:thing "${!name}" | jq -c '
		    group_by([.Cause, .["Finer Cause"]])[] | [.[0].Cause,
		    .[0]["Finer Cause"], (map(.["Total (ns)"]) | add)]' | sort > gaps
		[[ -s gaps ]]
		jq -c "select(.kind == \"idle\" and .$name > 0) | [.name, .cause, .$name]" \
		    <<< "$output" | sort | cmp - gaps
	done
}
