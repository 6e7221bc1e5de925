#!/usr/bin/env bats
# Buffers of CUPTI that were kept as they were give the same records again: of
# the CUDA without a GPU, and of GPUs, as many as gpu/corpus/ has

load helper
load fakecuda

MIXTURE="-n 200 -t 2 -s 3 -c 31 -f 11 -a 10 -g 5 -k 4 -q 10 -p 7 -d 20"

setup() {
	need cupti.h
	cd "$BATS_TEST_TMPDIR"
	mkdir raw
}

# keep GENERATION SETTINGS [OPTION ...]: storm under the agent, which keeps
# what it gets in raw/; what it made of it is in out
keep() {
	TQ_CUPTI_RAW=$PWD/raw fake "$1" "$BUILD/capture/reap" \
	    "clock=monotonic chunks=1024 buffers=16 flush=50 $2" \
	    "$FAKE/storm" -o numbers "${@:3}" > out
}

# replay [OPTION ...] FILE ...
replay() {
	"$BUILD/capture/replay" "$@"
}

# the records of out, without what reap says else
records() {
	grep -Ev '^(process|cupti|stride|busy|note|lost) ' out | sort
}

@test "in each generation a replay makes what the agent made" {
	local generation

	for generation in $GENERATIONS; do
		rm -f raw/*
		# shellcheck disable=SC2086 # options
		keep "$generation" on=191 $MIXTURE
		[ "$(grep -c '^kernel' out)" = 440 ]
		fake "$generation" "$BUILD/capture/replay" raw/* | sort |
		    diff - <(records)
	done
}

@test "what was off is not replayed, what has no times is counted" {
	keep 13.0 on=4 -n 10
	fake 13.0 "$BUILD/capture/replay" raw/* | sort | diff - <(records)
	rm raw/*
	FAKECUDA_NOTIME=4 keep 13.0 on=2 -n 100 -c 0
	replay -c raw/* | grep -qx 'kernel 75'
	replay -c raw/* | grep -qx 'incomplete 25'
	grep -qx 'lost gpu 25' out
}

@test "a replay has the counts, names and times of tq-capture" {
	need cupti.h
	export TQ_CUPTI_RAW=$PWD/raw
	fake 13.0 tq-capture -q -o x.tq "$FAKE/storm" -n 90 -s 3 -c 30 -f 11
	replay -c raw/* > counts
	jq -r 'select(.kind == ("kernel", "memcpy", "memset", "sync")).kind' \
	    x.tq | sort | uniq -c | while read -r n kind; do
		grep -qx "$kind $n" counts
	done
	replay raw/* | awk '$1 == "kernel" { print $2, $3, $4, $6 }' |
	    sort -n > replayed
	# names are cut in the replay
	jq -r 'if .kind == "symbol" then [.kind, .id, .mangled]
	    elif .kind == "kernel" then [.kind, .corr, .ts, .ts + .dur, .sym]
	    else empty end | @tsv' x.tq | awk '
	$1 == "symbol" { name[$2] = substr($3, 1, 63) }
	$1 == "kernel" { print $2, $3, $4, name[$5] }' | sort -n > captured
	diff <(awk '{ print $1, $4 }' replayed) <(awk '{ print $1, $4 }' \
	    captured)
	# ticks of a clock, ns: in proportion
	paste replayed captured | awk '
	NR == 1 { ticks = $2; ns = $6 }
	{ t[NR] = $3 - ticks; n[NR] = $7 - ns }
	END {
		for (i = 1; i <= NR; i++) {
			off = n[i] - t[i] * n[NR] / t[NR]
			bad += off < -1000 || off > 1000
		}
		exit bad > 0 || NR != 90
	}'
}

@test "all fields are told on a line of their own" {
	keep 13.0 on=63 -n 1
	replay -f raw/* | grep -A 1 '^kernel' > kernel
	sed -n '2s/ address [0-9]*\( .*\) stream [0-9]*/\1/p' kernel > members
	[ "$(cat members)" = "$(printf '\t')\
 device 0 context 1 grid 1 2 1 block 128 1 1 cluster 1 1 1 regs 32\
 smem_static 0 smem_dynamic 64 local 0 graph 0 graph_node 0 launch 0" ]
	replay -f raw/* | grep -A 1 '^device Fake GPU$' | grep -q 'sms 132 cc_major 9'
}

@test "no more than a megabyte is kept, and that is told" {
	keep 13.0 on=63 -n 30000
	grep -qx 'note TQ_CUPTI_RAW has as much as it may have' out
	[ "$(grep -c '^kernel' out)" = 30000 ]
	cat raw/* | wc -c | awk '{ exit !($1 > 900000 && $1 <= 1000000) }'
	# whole records, and the first of all
	replay raw/* | grep '^kernel' > kernels
	grep -Fxc -f kernels out | grep -qx "$(wc -l < kernels)"
}

@test "a folder that can't be written to does no harm" {
	local where

	for where in /nonexistent /dev/null "$(printf 'x%.0s' {1..5000})"; do
		TQ_CUPTI_RAW=$where fake 13.0 "$BUILD/capture/reap" \
		    "clock=monotonic chunks=1024 buffers=4 flush=50 on=63" \
		    "$FAKE/storm" -n 10 > out
		[ "$(grep -c '^kernel' out)" = 10 ]
		[ "$(grep -c '^note .*TQ_CUPTI_RAW' out)" = 1 ]
	done
	# a file that is larger than is allowed ends a program: KiB
	(
		ulimit -f 300
		TQ_CUPTI_RAW=$PWD/raw fake 13.0 "$BUILD/capture/reap" \
		    "clock=monotonic chunks=2 buffers=0 flush=0 on=63" \
		    "$FAKE/storm" -n 3000 > /dev/null
	)
	[ -z "$(ls raw)" ]
}

@test "a file that is cut off or is none is told, and the others are read" {
	local file n size

	keep 13.0 on=63 -n 20
	for file in raw/*; do
		size=$(wc -c < "$file")
		for n in 0 1 151 152 153 $((size / 2)) $((size - 1)); do
			head -c "$n" "$file" > cut
			run -1 replay cut
			[ "$output" = "replay: cut: cut off" ]
		done
	done
	{ cat "$file"; echo; } > more
	run -1 replay more
	[ "$output" = "replay: more: longer than it says" ]
	head -c 4096 /dev/zero > none
	run -1 --separate-stderr replay -c none raw/*
	[ "$stderr" = "replay: none: not a buffer of CUPTI" ]
	grep -qx 'kernel 20' <<< "$output"
}

@test "corrupted files crash nothing" {
	local i

	keep 13.0 on=63 -n 20 -c 9
	cat raw/* > all
	for i in {1..40}; do
		# one byte of the first 152, and some of the records
		perl -e 'srand($ARGV[0]); local $/; $_ = <STDIN>;
		    substr($_, 8 + int(rand(144)), 1) = chr(rand(256));
		    substr($_, rand(length), 1) = chr(rand(256)) for 1 .. 20;
		    print' "$i" < "$(find raw -size +4k | head -n 1)" > bad
		run replay -f bad
		((status == 0 || status == 1))
	done
}

@test "what GPUs wrote is read as it was when it was written" {
	local counts line name packed

	need corpus
	for counts in "$top"/tests/gpu/corpus/*.counts; do
		name=$(basename "$counts" .counts)
		mkdir "$name"
		for packed in "${counts%.counts}"/*.gz.b64; do
			base64 -d "$packed" | gzip -dc \
			    > "$name/$(basename "$packed" .gz.b64)"
		done
		replay -c "$name"/*.cupti > replayed
		while read -r line; do
			grep -Fqx "$line" replayed
		done < "$counts"
	done
}
