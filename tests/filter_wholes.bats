#!/usr/bin/env bats
# tq-filter: what stays, on whole streams, by an independent computation

load helper
load filter

setup_file() {
	need tq-chrome tq-correlate tq-extract tq-filter
	wholes
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# ---- whole streams ----

definition='^\{"kind":"(process|thread|device|context|stream|symbol|counterdef|stack)"'

# wholes: a folder of streams of the demo, fixtures, real exports, and random
# ones: NAME.tq, where each record has a number as its key n, which tells it
# from all others wherever it goes; NAME.table and NAME.picks
wholes() {
	local dir=$BATS_FILE_TMPDIR/wholes from name

	mkdir "$dir"
	for from in demo {base,collide,documented,graph,hosts,odd,ranges,unsorted}.sql \
	    "${TQ_DATA:-$top/../shared/data}"/nsys/{,synthetic/}*.sqlite {1..9}; do
		name=$dir/$(basename "${from%.sql*}")
		case $from in
		demo) tq-extract "$(demo)" ;;
		*.sql) tq-extract "$(fixture "${from%.sql}")" ;;
		*.sqlite) tq-extract "$from" ;;
		*) random "$from" ;;
		esac 2> /dev/null | awk '!/^{"kind":"(trace|end)"/ {
			$0 = substr($0, 1, length($0) - 1) ",\"n\":" NR "}" } 1' > "$name.tq"
		# what is large says no more, and takes minutes
		if [[ ! -s $name.tq || $(wc -c < "$name.tq") -gt 7000000 ]]; then
			rm "$name.tq"
			continue
		fi
		table "$name.tq" | sort -s -t$'\t' -k3,3n -k9,9 > "$name.table"
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
	jq -rn --slurpfile all <(grep -E "$definition" "$1") '
	def stream($device): "context \(.pid) \($device) \(.context)",
	    "stream \(.pid) \($device) \(.context) \(.stream)";
	(reduce $all[] as $d ({}; .[$d | if .kind == "thread" then "thread \(.pid) \(.tid)"
	    elif .context then first(stream(.device) | select(startswith($d.kind)))
	    else "\(.kind) \(.id)" end] += [$d.n])) as $defined |
	inputs | select(.n) | .n as $n |
	[if .ts then $defined["thread \(.pid) \(.tid, .end_tid // empty)"],
	    if .context then $defined[stream(.device)] // $defined[stream(null)] else null end,
	    if .sym then $defined["symbol \(.sym)"] else null end,
	    if .stack then $defined["stack \(.stack)"] else null end,
	    if .counter then $defined["counterdef \(.counter)"] else null end
	    else null end | .[]? | select(. < $n)] as $needs |
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
		if (!(id in calls)) calls[id] = n
		else { twins[calls[id]] = twins[calls[id]] " " n
			if (n in is_chosen) is_chosen[calls[id]] = 1 }
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
	sort -n got | diff expected - > difference || {
		echo "$*" | cut -c1-99
		head -n 9 difference
		return 1
	}
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
		"$@" || { echo "with $whole"; failed=1; }
	done
	return $failed
}

# ---- tests ----

@test "the real exports are among the streams of these tests" {
	data nsys
	[ -e "$BATS_FILE_TMPDIR/wholes/2026.2.1-mfu-2gpu.tq" ]
}

ranges() {
	local spec pid tid from till scope=process

	while IFS=$'\t' read -r spec pid tid from till; do
		[[ $scope = thread ]] && scope=process || scope=thread
		tq-filter --scope $scope --range "$spec" "$wholes/$whole.tq" > out 2> err
		agrees -v pid="$pid" -v tid="$tid" -v from="$from" -v till="$till" \
		    -v process="${scope#thread}" || return 1
	done < "$wholes/$whole.picks"
}

@test "of a range there is what was launched in it, and the closure of that" {
	each ranges
}

conditions() {
	local kinds

	for kinds in kernel,memcpy,sync api,range,osrt,mark; do
		tq-filter "kind in (\"${kinds//,/\",\"}\") && ts % 3 == 0" "$wholes/$whole.tq" > out
		agrees -v chosen="$(awk "\$2 ~ /^(${kinds//,/|})\$/ && \$3 % 3 == 0 { print \$1 }" \
		    FS='\t' "$wholes/$whole.table" | tr '\n' ' ')" || return 1
	done
}

@test "of what a condition is true of there is the closure" {
	each conditions
}

windows() {
	local times i from till operation='^\{"kind":"(kernel|memcpy|memset|graph|sync)"'

	mapfile -t times < <(awk -v n="$(wc -l < "$wholes/$whole.table")" \
	    '$3 != "-" && NR % int(n / 7 + 1) == 0 { print $3 }' FS='\t' "$wholes/$whole.table" | uniq)
	: > all
	for ((i = 0; i <= ${#times[@]} && ${#times[@]}; i++)); do
		from= till=${times[i]-}
		((i == 0)) || from=${times[i - 1]}
		tq-filter --time "$from:$till" "$wholes/$whole.tq" 2> err > out
		grep -E "$operation" out >> all || true
		((i == 3)) || continue
		agrees -v from="${from:--1e18}" -v till="${till:-1e18}" || return 1
		! tq-correlate out | tq-chrome 2>&1 > /dev/null | grep warning || return 1
	done
	grep -E "$operation" "$wholes/$whole.tq" | sort | cmp - <(sort all)
}

@test "windows that follow one another have each operation once, with its closure" {
	each windows
}

# gathered: what there is to compare of the stream on stdin
gathered() {
	grep -E '^\{"kind":"(kernel|memcpy|memset|graph|range|gpu-range)"' |
	    sed 's/,"cut":true//' | sort
}

commutes() {
	local scope option

	[[ -s $wholes/$whole.picks ]] || return 0
	for scope in thread process; do
		tq-correlate --scope $scope "$wholes/$whole.tq" > whole
		while read -r option; do
			tq-filter --scope $scope "$option" "$wholes/$whole.tq" 2> err |
			    tq-correlate --scope $scope 2> err | gathered > one
			tq-filter --scope $scope "$option" whole 2> err |
			    gathered | diff one - || return 1
		done < <(cut -f1 "$wholes/$whole.picks" | sed 's/^/--range=/'
		    printf '%s\n' --step={0,1..2,median} --time={10:25,20ms:60ms})
	done
}

@test "to cut and to correlate is to correlate and to cut" {
	each commutes
}
