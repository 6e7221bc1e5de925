#!/usr/bin/env bats
# tq-filter: ranges, steps and windows, and what stays with what is chosen

load helper

setup_file() {
	need tq-filter tq-correlate tq-extract
	wholes
}

setup() {
	need tq-filter tq-correlate tq-extract
	cd "$BATS_TEST_TMPDIR"
}

# ---- streams by hand ----

# records TEXT: divided by ";", "rID START END", a range, "cCORR START END", a call,
# "kCORR START END", a kernel, or "mTS", a mark, of thread 1 of process 1, with
# KEY=VALUE behind it to change that, or KEY= to be without; "+" is a space
records() {
	sed 's/;/\n/g' <<< "$1" | awk '
	/^[ \t]*\{/ { sub(/^[ \t]+/, ""); print; next }
	NF {
		sort = substr($1, 1, 1); no = substr($1, 2)
		text = "pid=1 tid=1 corr=" no " name=" no
		text = sort == "m" ? text " corr= kind=mark" : "dur=" $3 - $2 " " text
		if (sort == "r") text = text " kind=range corr= name=r" no " id=" no
		if (sort == "c") text = text " kind=api name=launch"
		if (sort == "k") text = text " kind=kernel tid= name=k device=0 stream=7"
		for (i = sort == "m" ? 2 : 4; i <= NF; i++) text = text " " $i
		m = split(text, words, " "); n = split("", value)
		for (i = 1; i <= m; i++) {
			at = index(words[i], "="); key = substr(words[i], 1, at - 1)
			x = substr(words[i], at + 1); gsub(/\+/, " ", x)
			if (!(key in value) && key != "kind") keys[++n] = key
			bare = x == "" || x ~ /^(-?[0-9]+|true)$/ && key != "name"
			value[key] = bare ? x : "\"" x "\""
		}
		out = "{\"kind\":" value["kind"] ",\"ts\":" (sort == "m" ? no : $2)
		for (i = 1; i <= n; i++) if (value[keys[i]] != "")
			out = out ",\"" keys[i] "\":" value[keys[i]]
		print out "}"
	}'
}

# lines TEXT: these into the file in, as a section
lines() {
	records "$1" | stream > in
}

# filter OPTION ...: from in to out, of which the end has to tell how many
# records there are; what is said is in err
filter() {
	tq-filter "$@" in > out 2> err
	awk '/^{"kind":"trace"/ { n = -1 } { n++ } /^{"kind":"end"/ &&
	    !index($0, "\"events\":" n - 1 ",") { exit 1 }' out
}

# chooses TEXT OPTION ...: the records that stay, in short, with "!" where one is cut
chooses() {
	local got

	filter "${@:2}"
	got=$(jq -r 'select(.kind != "trace" and .kind != "end") | . as $r | {range: "r", api: "c",
	    kernel: "k", mark: "m"}[.kind] // .kind | . + "\($r.id // $r.corr // $r.name //
	    $r.tid // $r.stream // $r.device // $r.pid)\(if $r.cut then "!" else "" end)"' out)
	got=${got//$'\n'/ }
	if [[ $got != "$1" ]] || grep -v 'have no call in the stream' err; then
		printf '%s\n' "${*:2}:" "$got" "instead of" "$1"
		return 1
	fi
}

# refuses TEXT OPTION ...: with status 1, and nothing but this
refuses() {
	run -1 --separate-stderr tq-filter -o new "${@:2}" in
	[[ ! -e new && -z $output && $stderr = "tq-filter: $1" ]]
}

# ---- whole streams ----

definition='^\{"kind":"(process|thread|device|context|stream|symbol|counterdef|stack)"'

# wholes: a folder of streams of the demo, fixtures, real exports, and random
# ones: NAME.tq, where each record has a number as its key n, which tells it
# from all others wherever it goes; NAME.table; with ranges NAME.thread and
# NAME.process, made by tq-correlate with these scopes, and NAME.picks
wholes() {
	local dir=$BATS_FILE_TMPDIR/wholes from name scope

	mkdir "$dir"
	for from in demo {base,collide,documented,graph,hosts,odd,ranges,unsorted}.sql \
	    "${TQ_DATA:-$top/../shared/data}"/nsys/{,synthetic/}*.sqlite {1..24}; do
		name=$dir/$(basename "${from%.sql*}")
		case $from in
		demo) tq-extract "$(demo)" ;;
		*.sql) tq-extract "$(fixture "${from%.sql}")" ;;
		*.sqlite) tq-extract "$from" ;;
		*) random "$from" ;;
		esac 2> /dev/null | awk '!/^{"kind":"(trace|end)"/ {
			$0 = substr($0, 1, length($0) - 1) ",\"n\":" NR "}" } 1' > "$name.tq"
		[[ -s $name.tq ]] || { rm "$name.tq"; continue; }
		table "$name.tq" | sort -s -t$'\t' -k3,3n -k9,9 > "$name.table"
		grep -q '^{"kind":"range"' "$name.tq" || continue
		for scope in thread process; do
			tq-correlate --scope $scope "$name.tq" > "$name.$scope"
		done
		picks "$name.tq" > "$name.picks"
	done
}

# random SEED: a stream of ranges, calls and operations close to each other
random() {
	records "$(awk -v seed="$1" '
	function any(n) { seed = seed * 16807 % 2147483647; return int(seed / 7) % n }
	BEGIN {
		for (i = 1; i < 20; i++) {
			at = any(40); to = at + any(20) * any(3); how = any(9)
			pid = " pid=" 1 + i % 2; thread = pid " tid=" 1 + any(2)
			print "r" i, at, to thread (any(2) ? " name=a" : "") \
			    (how == 0 ? " dur= open=true" : "") \
			    (how == 1 ? " mode=start end_tid=" 1 + any(2) : "")
			at += any(9); print "c" i, at, at + any(4) thread (i % 5 ? "" : " corr=")
			for (k = i % 5 ? any(3) : 0; k > 0; k--) {
				start = at + any(20) - 3; print "k" i, start, start + any(6) pid }
		}
	}' | sort -s -k2,2n -k3,3nr | paste -sd ';')" | stream
}

# table FILE: of each record n kind ts end pid tid corr, whether another thread
# ended it, whether it is no range, and the numbers of the definitions it needs
table() {
	jq -r --slurpfile all <(grep -E "$definition" "$1") '
	def id($kind; $device): [$kind] + if $kind == "thread" then [.pid, .tid]
	    elif $kind == "context" then [.pid, $device, .context]
	    elif $kind == "stream" then [.pid, $device, .context, .stream]
	    else [.id] end | tojson;
	(reduce $all[] as $d ({}; .[$d | id(.kind; .device)] += [$d.n])) as $defined |
	select(.n) | .n as $n | (if .ts then [(("thread", "context", "stream") as $kind |
	    $defined[id($kind; .device)] // $defined[id($kind; null)]),
	    $defined[(["symbol", .sym], ["stack", .stack], ["counterdef", .counter],
		["thread", .pid, .end_tid]) | tojson] | .[]? | select(. < $n)] else [] end) as $needs |
	[.n, .kind, .ts, if .dur then .ts + .dur elif .open then 1e18 else .ts end,
	    .pid, .tid, .corr, .end_tid and .end_tid != .tid, .kind != "range"] |
	    map(if . == null then "-" else . end) + [$needs | join(" ")] | @tsv' "$1"
}

# picks FILE: some ranges, each as what --range takes, process, thread, times
picks() {
	jq -rn '[inputs | select(.kind == "range")] | . as $ranges |
	    sort_by(.dur) | reverse | .[(0, length / 50, length / 3) | floor] |
	    select(.name and .dur and (.name | length) < 999) | . as $r | $ranges |
	    map(select(.name == $r.name and .domain == $r.domain).n == $r.n) |
	    def text: gsub("(?<c>[\\\\@/~*])"; "\\\(.c)");
	    [($r.name | text) + ($r.domain // "" | if . == "" then . else "@" + text end)
		+ "/\(index(true))", $r.pid, $r.tid, $r.ts, $r.ts + $r.dur] |
	    map(tostring) | join("\t")' "$1"
}

# closed [OPTION ...]: the numbers of what has to stay with what is chosen,
# with "cut" where it has to be cut.  Chosen are those in chosen, or what was
# launched from a time to another, perhaps of a pid, and a tid if it is no process.
closed() {
	awk -F'\t' "$@" '
	function inside(i) {
		return (!pid || pid == $5 && (process || tid == $6)) && from <= ts[i] &&
		    (ts[i] < till || pid && ts[i] == till && to[i] == till)
	}
	# those of a list of ranges that are open when i starts, or end just then
	function open(list, i, ended,   j, m, r, got) {
		m = split(list, r, " ")
		for (j = 1; j <= m; j++)
			if (to[r[j]] > ts[i] ||
			    to[r[j]] == ts[i] && (ended || to[i] == ts[i]))
				got = got " " r[j]
		return got
	}
	function add(set, list,   j, m, r) {
		m = split(list, r, " ")
		for (j = 1; j <= m; j++) set[r[j]] = 1
	}
	function keep(n) { add(stays, n twins[n] around[n]) }
	BEGIN { add(is_chosen, chosen) }
	{ n = $1; kind[n] = $2; defined[n] = $10 }
	$3 == "-" { if ($2 ~ /^(process|device)$/) stays[n] = 1; next }
	{
		ts[n] = $3 + 0; to[n] = $4 + 0
		at[n] = process ? $5 : $5 " " $6
		id = $7 == "-" ? "" : $5 " " $7
		if (till && inside(n)) is_inside[n] = 1
	}
	$2 == "range" || $2 == "api" || !id { around[n] = open(list[at[n]], n) }
	$2 == "range" && ($8 == "false" || process) {
		list[at[n]] = open(list[at[n]], n, 1) " " n
	}
	$2 != "api" { of[n] = id }
	$2 == "api" && id {
		if (id in calls) twins[calls[id]] = twins[calls[id]] " " n
		else calls[id] = n
	}
	END {
		for (n in ts) {
			c = calls[of[n]]
			if (is_inside[c ? c : n]) is_chosen[n] = 1
			if (is_chosen[n]) keep(n)
			if (is_chosen[n] && c) keep(c)
		}
		for (n in ts) {
			c = calls[of[n]]
			if (c && is_chosen[c]) stays[n] = 1
			if (c && !stays[n] && kind[n] ~ /^(kernel|mem...|graph)$/)
				add(cut, around[c])
		}
		for (n in ts) if (stays[n]) add(stays, defined[n])
		for (n in kind) if (stays[n])
			print n (kind[n] == "range" && (cut[n] ||
			    till && (!is_inside[n] || to[n] > till)) ? " cut" : "")
	}' "$wholes/$whole.table" | sort -n
}

# agrees [OPTION ...]: the records of out are those that closed prints, events
# in their order, definitions before what refers to them
agrees() {
	closed "$@" > expected
	sed -nE 's/,"cut":true\}$/} cut/; s/.*"n":([0-9]+)\}/\1/p' out > got
	sort -n got | diff expected - > difference || { head -n 9 difference; return 1; }
	awk -F'\t' 'NR == FNR { defined[$1] = $10; event[$1] = $3 != "-"; next }
	    {
		n = $1 + 0; seen[n] = 1
		m = split(defined[n], numbers, " ")
		for (i = 1; i <= m; i++) if (!seen[numbers[i]]) exit 1
		if (event[n] && n < last) exit 1
		if (event[n]) last = n
	    }' "$wholes/$whole.table" FS=' ' got
}

# each COMMAND: for each whole stream, whose name is in $whole
each() {
	local failed=0 wholes=$BATS_FILE_TMPDIR/wholes whole

	for whole in "$wholes"/*.tq; do
		whole=$(basename "$whole" .tq)
		"$@"
	done
	return $failed
}

# fails TEXT: say so, and go on
fails() {
	echo "$whole: $1"
	failed=1
}

# ---- what stays with what is chosen ----

@test "a definition stands before the first record that refers to it, or nowhere" {
	lines '{"kind":"process","pid":1}; {"kind":"device","pid":1,"device":5};
	    {"kind":"thread","pid":1,"tid":1}; {"kind":"thread","pid":1,"tid":2};
	    {"kind":"context","pid":1,"device":0,"context":1};
	    {"kind":"stream","pid":1,"context":1,"stream":7}; {"kind":"symbol","id":1};
	    {"kind":"symbol","id":2}; {"kind":"stack","id":4,"frames":["f"]}; m5 tid=2;
	    c1 10 20 stack=4; c2 30 40; k1 50 60 sym=1 context=1;
	    k2 70 80 sym=2 context=1; {"kind":"counterdef","id":6,"name":"c"};
	    {"kind":"counter","ts":90,"counter":6,"value":1,"name":"c"};
	    {"kind":"process","pid":3}; r7 95 97 mode=start end_tid=2'
	chooses 'process1 device5 process3' 'corr > 2'
	chooses 'process1 device5 thread1 c2 context0 stream7 symbol2 k2 process3' 'sym == 2'
	chooses 'process1 device5 thread1 stack4 c1 context0 stream7 symbol1 k1 counterdef6 counterc process3' 'stack == 4 || has(counter)'
}

@test "with an operation stay its call, and the ranges around that" {
	lines 'r1 0 100; r2 5 8; r3 10 50; c1 20 25; r4 22 24; c2 30 40; k1 60 70; k2 80 90'
	chooses 'r1! r3! c1 k1' 'ts == 60'
	chooses 'r1 r3 c1 c2 k1 k2' 'has(stream)'
	chooses 'k1' --no-closure 'ts == 60'
}

@test "with a call stay operations of all kinds, with one of these not the others" {
	lines 'r1 0 100; c9 10 12; k9 30 40 pid=2; k9 30 40; k9 30 40 kind=memcpy;
	    k9 30 40 kind=memset; k9 30 40 kind=graph; k9 30 40 kind=sync;
	    k9 30 40 kind=alloc; k9 30 40 kind=overhead'
	chooses 'r1 c9 k9 memcpy9 memset9 graph9 sync9 alloc9 overhead9' 'kind == "api"'
	chooses 'r1! c9 sync9' 'kind == "sync"'
	chooses 'r1 c9 k9 memcpy9 memset9 graph9' 'pid == 1 && kind in ("kernel", "memcpy", "memset", "graph")'
}

@test "a call that is told twice is one" {
	lines 'r1 5 100; c1 10 20 name=cuda; c1 12 18 name=cu; k1 30 40'
	chooses 'r1 c1 c1 k1' 'has(stream)'
	chooses 'r1 c1 c1 k1' 'name == "cu"'
	chooses 'r1 c1 c1 k1' 'name == "cuda"'
}

@test "a range is around what starts before its end, and what starts and ends then" {
	lines 'r1 0 10; r2 10 20; c1 10 12; r3 10 10; m10; r5 12 30 tid=2; r6 13 30 pid=2;
	    r4 20 20; m20'
	chooses 'r2 c1' 'has(corr)'
	chooses 'r1 r2 r3 m10' 'name == "10"'
	chooses 'r2 r4 m20' 'name == "20"'
	chooses 'r2 r4' 'id == 4'
	lines 'c1 10 30; m10; r1 10 20; r2 10 20; k1 10 12' # in any order
	chooses 'c1 r1 r2 k1' 'kind == "kernel"'
	chooses 'm10 r1! r2!' 'kind == "mark"'
	chooses 'c1 m10 r1 r2 k1' --range r1
}

@test "ranges that cross are both around what starts in both" {
	lines 'r1 0 20; r2 10 40; c1 15 16; c2 17 18; c3 30 31; k1 50 60; k2 60 70; k3 70 80'
	chooses 'r1! r2! c1 k1' 'ts == 50'
	chooses 'r1 r2! c1 c2 k1 k2' 'ts in (50, 60)'
	chooses 'r2! c3 k3' 'ts == 70'
}

@test "a range that never ended is around all that follows" {
	lines 'r1 0 0 dur= open=true; r2 1 9 mode=push dur= open=true; c1 10 20; k1 30 40;
	    r3 50 60; m55'
	chooses 'r1 r2 c1 k1' 'has(stream)'
	chooses 'r1! r2! r3 m55' 'kind == "mark"'
	chooses 'r1 r2 c1 k1 r3 m55' --range r1
	chooses 'r1! r2 c1 k1 r3 m55' --range r2
}

@test "a range that another thread ended is around nothing, but of a process" {
	lines 'r1 0 100; r2 5 90 mode=start end_tid=2; c1 10 20; c2 12 20 tid=3; k1 30 40;
	    k2 40 50'
	chooses 'r1 c1 k1' 'ts == 30'
	chooses 'c2 k2' 'ts == 40'
	chooses 'r1! r2! c1 k1' --scope process 'ts == 30'
	chooses 'r1! r2! c2 k2' --scope process 'ts == 40'
	chooses 'r1! r2' 'id == 2'
}

@test "a graph launches many kernels with one call" {
	lines "r1 0 50; c1 10 20; $(printf 'k1 %d 400;' {100..399})"
	for selection in 'kind == "api"' --time=:50 --range=r1; do
		filter "$selection"
		cmp in out
	done
	chooses 'r1! c1 k1 k1' 'ts == 100 || ts == 399'
	chooses '' --time 50:
}

@test "calls are told apart by their process, and all ids by their section" {
	lines 'r1 0 100; r2 0 100 pid=2; c1 10 20; c1 11 20 pid=2; k1 30 40 pid=2; k1 50 60'
	chooses 'r1 c1 k1' --pid 1 -e 'has(stream)'
	chooses 'r2 c1 k1' --range r2
	cp in first
	lines '{"kind":"symbol","id":1}; r3 0 100; k1 2 3; c2 5 6; k2 7 8 sym=1'
	cat in >> first
	lines '{"kind":"symbol","id":1}; c2 5 6; k1 2 3 sym=1'
	cat first in > all
	mv all in
	chooses 'r3 k1 c2 symbol1 k2 symbol1 k1' 'ts in (2, 7)'
}

@test "an operation may start up to 1 ms before its call" {
	lines 'k1 0 10; r1 500000 2000000; c1 1000000 1000001; k2 3000000 3000010;
	    c2 4000001 4000002; k2 5000000 5000010'
	chooses 'k1 r1 c1' --range r1
	chooses 'k1 r1 c1' 'kind == "api" && corr == 1'
	chooses 'k1 r1 c1' 'ts == 0'
	chooses 'k1 r1! c1' --time 600us:3ms
	chooses 'k2 c2 k2' --time 2ms:5ms
}

# ---- ranges ----

@test "a range has what was launched in it, and by time what ran in it" {
	lines 'c1 5 6; r1 10 20 name=a; m10; m11 tid=2; c2 12 30; k1 13 14; c3 14 15 tid=2;
	    k3 16 17; m18 pid=2; k2 19 22; c4 20 21; m20; k4 22 23'
	chooses 'r1 m10 c2 k2 m20' --range a
	chooses 'r1 m10 m11 c2 c3 k3 k2 m20' --range a --scope process
	chooses 'c1 r1 m10 m11 c2 k1 c3 k3 k2 m20' --range a --by time
}

@test "several ranges add up, other selections have to agree" {
	lines 'r0 0 10 name=a/b; m1; r1 10 20 name=a domain=d; m11; r2 20 30 name=a; m21;
	    r3 30 40 name=a; m31; r4 40 50 name=a'
	chooses 'r2 m21 r3 m31 r4' --range a
	chooses 'r1 m11' --range a@d
	chooses 'r1 m11 r2 m21' --range 'a@*/0..1'
	chooses 'r0 m1 r3 m31 r4' --range a/1.. --range a/b
	chooses 'r0 m1 r4' --range '~^a.b$' --range a/2
	chooses 'r3! m31' --range a --time 25:35 'kind == "mark"'
	chooses 'r3 m31' --range a --time 25:40 '!(id == 4)'
}

@test "a range is cut where it reaches out of what was asked for, and only there" {
	lines 'r1 0 100; r2 10 20; r3 10 20; r4 12 25 mode=start; r5 15 20; c1 16 17;
	    r6 20 30 name=r3; r7 20 20; k1 90 95'
	chooses 'r1! r2 r3 r4! r5 c1 r6! r7 k1' --range r3/0
	chooses 'r1! r2 r3 r4 r5 c1 r6 r7 k1' --range r3
	chooses 'r1! r2 r3 r4! r5 c1 k1' --range r3/0 'has(stream)'
	chooses 'r1! r2! r3! r4! r5 c1 k1' --time 15:20
}

@test "a range that there is not is a warning, and leaves an empty section" {
	lines 'r1 0 10; m5'
	run -1 chooses '' --range nope
	[[ $output = 'tq-filter: warning: no range has the name that was asked for'* ]]
	run -1 chooses '' --range r1/3..5
	[[ $output = 'tq-filter: warning: the last range of the name is number 0'* ]]
	[ "$(wc -l < out)" = 2 ]
}

# ---- steps, windows ----

@test "steps are counted for each process, those within others are not" {
	lines 'r1 0 10 name=ProfilerStep#7; r2 1 9 name=step+3;
	    r3 2 9 pid=2 name=Step+0+to+10; r4 10 20 name=iteration+4;
	    r5 12 15 name=AdamW.step; r6 20 30 name=other; r7 30 40 name=batch domain=x;
	    m35; r8 31 50 name=step pid=2'
	chooses 'r1 r2 r3' --step 0
	chooses 'r4 r5 r8' --step 1
	chooses 'r4 r5 r7 m35 r8' --step 1..2
	chooses 'r1 r2 r3 r7 m35' --step 0 --step 2
	chooses 'r6' --step other/0
	chooses 'r7 m35' --step 'batch@x/0'
	chooses 'r1 r2 r3 r6' --step 0 --step other/0
	refuses 'no such step: the trace has steps 0 to 2' --step 3
	refuses 'no range in the trace is named like a step' --step 'batch/0'
}

@test "the median step is the lower middle of those behind the first" {
	lines 'r0 0 1 name=step; r1 10 19 name=step; r2 20 25 name=step; r3 30 38 name=step;
	    r4 40 46 name=step; r5 45 49 name=step pid=2; r6 50 57 name=x; r7 60 62 name=x'
	chooses 'r4 r5' --step median
	chooses 'r7' --step x/median
}

@test "a window has what was launched in it, wherever that ran" {
	lines 'r1 10 40; c1 19 21; c2 20 22; k1 25 26; m29; m30; k2 50 60; k3 70 80'
	chooses 'r1! c2 m29 k2' --time 20:30
	chooses 'r1! c1 c2 k1 m29' --time 20:30 --by time
	chooses 'k3' --time -40:
	chooses 'r1! m30 k3' --time 30:-1ns
	chooses 'r1! c1 k1' --time :-60
	lines 'm10; m80'
	refuses 'the window is outside of the trace, which covers 10ns to 80ns' --time 81:
	refuses 'the window is outside of the trace, which covers 10ns to 80ns' --time :10
}

@test "between calls of the profiler is what a process launched from the one's end on" {
	lines 'c1 0 5 name=cudaProfilerStart; m4; m5; c2 6 7 tid=2; r1 8 30; r2 9 10;
	    m11 pid=2; c3 20 25 name=cudaProfilerStop; m22; k2 40 50;
	    c4 60 61 name=cuProfilerStart; m70'
	chooses 'm5 c2 r1! r2 k2 m70' --between-profiler-calls
	lines 'm1'
	refuses 'no call of cudaProfilerStart in the trace' --between-profiler-calls
}

# ---- whole streams ----

@test "the real exports are among the streams of these tests" {
	data nsys
	[ -e "$BATS_FILE_TMPDIR/wholes/2026.2.1-mfu-2gpu.tq" ]
}

ranges() {
	local spec pid tid from till scope=process

	[[ -e $wholes/$whole.picks ]] || return 0
	while IFS=$'\t' read -r spec pid tid from till; do
		[[ $scope = thread ]] && scope=process || scope=thread
		tq-filter --scope $scope --range "$spec" "$wholes/$whole.tq" > out 2> err
		agrees -v pid="$pid" -v tid="$tid" -v from="$from" -v till="$till" \
		    -v process="${scope#thread}" || fails "$scope $spec"
	done < "$wholes/$whole.picks"
}

@test "of a range there is what was launched in it, and the closure of that" {
	each ranges
}

windows() {
	local times i from till operation='^\{"kind":"(kernel|memcpy|memset|graph|sync)"'

	mapfile -t times < <(awk -F'\t' '$3 == "-" { next } !n++ { from = $3 }
	    $4 < 1e18 && $4 > to { to = $4 } END { for (i = 1; n && i < 7; i++)
		printf "%.0f\n", from + (to - from) * i / 7 }' "$wholes/$whole.table")
	for ((i = 0; i <= ${#times[@]} && ${#times[@]}; i++)); do
		from= till=${times[i]-}
		((i == 0)) || from=${times[i - 1]}
		tq-filter --time "$from:$till" "$wholes/$whole.tq" 2> err > out
		grep -E "$operation" out >> all || true
		((i == 3)) || continue
		agrees -v from="$from" -v till="$till" || fails "$from:$till"
		tq-correlate out | tq-chrome 2>&1 > /dev/null | grep warning && fails chrome
	done
	grep -E "$operation" "$wholes/$whole.tq" | sort | cmp - <(sort all) || fails operations
	: > all
}

@test "windows that follow one another have each operation once, with its closure" {
	: > all
	each windows
}

expressions() {
	tq-filter 'kind in ("kernel", "api", "range", "osrt") && ts % 3 == 0' \
	    "$wholes/$whole.tq" > out
	agrees -v chosen="$(awk -F'\t' '$2 ~ /^(kernel|api|range|osrt)$/ && $3 % 3 == 0 {
	    print $1 }' "$wholes/$whole.table" | tr '\n' ' ')" || fails expression
}

@test "of what an expression is true of there is the closure" {
	each expressions
}

# gathered: what there is to compare of the stream on stdin
gathered() {
	grep -E '^\{"kind":"(kernel|memcpy|memset|graph|range|gpu-range)"' |
	    sed 's/,"cut":true//' | sort
}

commutes() {
	local scope option

	[[ -e $wholes/$whole.picks ]] || return 0
	for scope in thread process; do
		while read -r option; do
			tq-filter --scope $scope "$option" "$wholes/$whole.tq" 2> err |
			    tq-correlate --scope $scope 2> err | gathered > one
			tq-filter --scope $scope "$option" "$wholes/$whole.$scope" 2> err |
			    gathered | diff one - > two || fails "$scope $option $(< two)"
		done < <(cut -f1 "$wholes/$whole.picks" | sed 's/^/--range=/'
		    printf '%s\n' --step={0,1..2,median} --time={10:25,:-10ms})
	done
}

@test "to cut and to correlate is to correlate and to cut" {
	each commutes
}
