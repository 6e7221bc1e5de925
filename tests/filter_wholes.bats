#!/usr/bin/env bats
# tq-filter: what stays, on whole streams, by an independent computation

load helper
load filter

setup_file() {
	wholes
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# ---- whole streams ----

# what is large says no more, and takes minutes
mapfile -t READ < <(without "2022.4.2-nvtx-domains 2024.6.2-torch-2.7b" \
    "${COSTLY[@]}")

# wholes: a folder of streams of the demo, fixtures, real exports, and random
# ones: NAME.tq, where each record has a number as its key n, which tells it
# from all others wherever it goes; NAME.table and NAME.picks of oracle/closure.jq
wholes() {
	local dir=$BATS_FILE_TMPDIR/wholes from in name

	mkdir "$dir"
	for from in demo base collide documented graph hosts odd ranges unsorted \
	    "${READ[@]}" {1..9}; do
		name=$dir/${from##*/}
		case $from in
		[1-9])
			in=$dir/random
			random "$from" > "$in"
			;;
		*)
			in=$(extracted "$from")
			;;
		esac
		awk '!/^{"kind":"(trace|end)"/ {
			$0 = substr($0, 1, length($0) - 1) ",\"n\":" NR "}" } 1' \
		    "$in" > "$name.tq"
		oracle closure 'table($all)' --slurpfile all \
		    <(grep -E "$definition" "$name.tq") "$name.tq" |
		    sort -s -t$'\t' -k3,3n -k9,9 > "$name.table"
		oracle closure picks "$name.tq" > "$name.picks"
	done
}

definition='^\{"kind":"(process|thread|device|context|stream|symbol|counterdef|stack)"'

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

# closed [OPTION ...]: the numbers of what has to stay, by oracle/closure.awk
closed() {
	awk -F '\t' "$@" -f "$top/tests/oracle/closure.awk" \
	    "$wholes/$whole.table" | sort -n
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
	awk -f "$top/tests/oracle/order.awk" "$wholes/$whole.table" FS=' ' got
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
	need data
	for name in "${READ[@]}"; do
		[ -s "$BATS_FILE_TMPDIR/wholes/${name##*/}.tq" ]
	done
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
		tq-filter --time "${from:+${from}ns}:${till:+${till}ns}" \
		    "$wholes/$whole.tq" 2> err > out
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

# gathered FILE.N ...: what there is to compare of these streams, behind their N
gathered() {
	awk '/^[{]"kind":"(kernel|memcpy|memset|graph|range|gpu-range)"/ {
		sub(/,"cut":true/, "")
		n = FILENAME
		sub(/.*[.]/, "", n)
		print n, $0
	}' "$@" | sort
}

commutes() {
	local scope n options

	[[ -s $wholes/$whole.picks ]] || return 0
	mapfile -t options < <(cut -f1 "$wholes/$whole.picks" | sed 's/^/--range=/'
	    printf '%s\n' --step={0,1..2,median} --time={10ns:25ns,20ms:60ms})
	for scope in thread process; do
		tq-correlate --scope $scope "$wholes/$whole.tq" > whole
		rm -f one.* other.*
		for n in "${!options[@]}"; do
			# there may be no such range
			tq-filter --scope $scope "${options[n]}" "$wholes/$whole.tq" 2> err |
			    tq-correlate --scope $scope > one.$n 2> err || true
			tq-filter --scope $scope "${options[n]}" whole > other.$n 2> err || true
		done
		gathered one.* > gathered
		[[ -s gathered ]] || { echo "nothing to compare"; return 1; }
		gathered other.* | diff gathered - ||
		    { printf '%s\n' "$scope" "${options[@]}"; return 1; }
	done
}

@test "to cut and to correlate is to correlate and to cut" {
	each commutes
}
