#!/bin/sh
# ranks.sh - what many ranks cost, each figure beside its budget, and how well
# their clocks are found
#
# A ratio is of CPU times in this run, so that it holds on any machine; seconds
# are those of this one.  Points of 16 ranks are copied to RANKS of them.
#
# Environment: BUILD, where the programs are; RANKS; N, collectives of a rank.

set -eu

: "${BUILD:?is not set}"
N=${N:-20000}
RANKS=${RANKS:-1024}
LC_ALL=C
export LC_ALL

here=$(dirname "$0")
work=$BUILD/bench/ranks-$RANKS-$N
mkdir -p "$work"

# stream FOLDER [NAME=NUMBER ...]: recordings of ranks, made once
stream()
{
	[ -e "$1/truth" ] && return
	mkdir -p "$1"
	"$BUILD/ranks" "$@"
}

# cost COMMAND ...: sets $seconds of CPU and $megabytes at most
cost()
{
	line=$("$BUILD/bench/measure" -n x "$@")
	seconds=$(echo "$line" | jq '.stages[0] |
	    (.user_ns + .system_ns) / 1e9 * 1000 | round / 1000')
	megabytes=$(echo "$line" | jq '.stages[0].max_rss_bytes / 1e6 | round')
}

size()
{
	wc -c <"$1" | tr -d ' '
}

# row WHAT MEASURED BUDGET
row()
{
	printf '%-54s %14s  %s\n' "$1" "$2" "$3"
}

# what is summed up of a rank, and of all
partials()
{
	[ -e "$work/demo.part" ] || {
		rm -f "$work/demo.sqlite"
		sqlite3 -batch "$work/demo.sqlite" <"$here/../../examples/demo.sql"
		"$BUILD/tq-extract" "$work/demo.sqlite" |
		"$BUILD/tq-correlate" |
		"$BUILD/tq-stats" --partial -o "$work/demo.part"
	}
	row 'partial of a rank, bytes' "$(size "$work/demo.part")" 200000
	i=0
	set --
	while [ "$i" -lt "$RANKS" ]; do
		set -- "$@" "$work/demo.part"
		i=$((i + 1))
	done
	cost "$BUILD/tq-stats" --merge "$@"
	row "$RANKS partials merged, s" "$seconds" 3
	row "$RANKS partials merged, MB" "$megabytes" 200
}

# a million kernels, some of them collectives
points()
{
	stream "$work/long" ranks=2 "ops=$N" work=$((1000000 / N - 1))
	"$BUILD/tq-align" --points -o "$work/long.points" "$work/long/rank-0.tq"
	row "points of $N collectives, bytes" "$(size "$work/long.points")" \
	    700000
	cost "$BUILD/tq-filter" 'dur > 1s' "$work/long/rank-0.tq"
	floor=$seconds
	cost "$BUILD/tq-align" --points "$work/long/rank-0.tq"
	row '--points of a million kernels, s' "$seconds" "$floor, tq-filter"
}

# copies of 16 ranks
solve()
{
	stream "$work/ranks" ranks=16 "ops=$N"
	set --
	i=0
	while [ "$i" -lt "$RANKS" ]; do
		of=$((i % 16))
		[ "$i" -ge 16 ] || "$BUILD/tq-align" --points \
		    -o "$work/of-$of.points" "$work/ranks/rank-$of.tq"
		sed "1s/\"rank\":[0-9]*/\"rank\":$i/" "$work/of-$of.points" \
		    >"$work/$i.points"
		set -- "$@" "$work/$i.points"
		i=$((i + 1))
	done
	cost "$BUILD/tq-align" --solve --reference 0 "$@"
	row "--solve of $RANKS ranks, s" "$seconds" 6
	row "--solve of $RANKS ranks, MB" "$megabytes" 100
	rm -f "$@"
}

# who waits for whom
reports()
{
	[ -e "$work/job.tq" ] || {
		stream "$work/one" ranks=16 "ops=$N" offset=0 drift=0 work=4
		cat "$work"/one/rank-*.tq |
		sed '/"kind":"trace"/s/}$/,"clock_by":"sequence"}/' \
		    >"$work/job.tq"
	}
	cost "$BUILD/tq-stats" -r gaps,step "$work/job.tq"
	floor=$seconds
	cost "$BUILD/tq-stats" -r stragglers "$work/job.tq"
	row '-r stragglers of 16 ranks, s' "$seconds" "$floor, gaps and step"
	row '-r stragglers of 16 ranks, MB' "$megabytes" ''
}

# with_all SUFFIX COMMAND ...: with the files of all ranks behind it
with_all()
{
	seq -f "$work/fleet/rank-%.0f.$1" 0 $((RANKS - 1)) >"$work/files"
	shift
	# shellcheck disable=SC2016 # the shell that is measured expands them
	cost sh -c 'files=$1; shift; xargs -x -s 1500000 "$@" <"$files"' sh \
	    "$work/files" "$@"
}

# what tq fleet does with recordings of RANKS ranks that are all different
fleet()
{
	tables=stragglers,ranks:worst,critical,ranks,ranks:spread,collectives
	fleet=$work/fleet
	# shellcheck disable=SC3045 # a file for each rank is open
	ulimit -n "$(ulimit -H -n)"
	stream "$fleet" "ranks=$RANKS" ops=2000 steps=10 straggler=37
	for file in "$fleet"/rank-*.tq; do
		"$BUILD/tq-align" --points -o "${file%.tq}.points" "$file"
	done
	with_all points "$BUILD/tq-align" --solve --report -f html \
	    -o "$fleet/clocks.tq"
	row "2,000 collectives each: clocks of $RANKS, s" "$seconds" ''
	row "clocks of $RANKS, MB" "$megabytes" 500
	for file in "$fleet"/rank-*.tq; do
		rank=${file##*/rank-}
		"$BUILD/tq-align" --apply "$fleet/clocks.tq" \
		    --rank "${rank%.tq}" "$file" |
		"$BUILD/tq-stats" -q --partial -r $tables -o "${file%.tq}.part"
	done
	row 'part of a rank, bytes' "$(size "$fleet/rank-0.part")" 200000
	with_all part "$BUILD/tq-stats" -q --merge --tables -r $tables \
	    -o "$fleet/tables"
	row "tables of $RANKS, s" "$seconds" '60 of 10,000'
	row "tables of $RANKS, MB" "$megabytes" 500
	row 'ranks that are named' "$("$BUILD/tq-stats" --merge -f ndjson \
	    -r stragglers "$fleet/tables" |
	    jq -r 'select(.finding != "").rank' | xargs)" 37
}

# kind NUMBER NAME: how far clocks are off, and what was proved
kind()
{
	for ops in 100 200 800; do
		for seed in 1 2 3 4 5; do
			rm -rf "$work/judged"
			mkdir "$work/judged"
			"$BUILD/ranks" "$work/judged" ranks=8 "ops=$ops" \
			    "kind=$1" "seed=$seed"
			"$BUILD/tq-align" --solve --reference 0 \
			    "$work"/judged/rank-*.tq >"$work/clocks" 2>/dev/null
			end=$(tail -n 2 "$work/judged/rank-0.tq" |
			    jq -r '.ts // empty' | head -n 1)
			awk -v "end=$end" -f "$here/../ranks/judge.awk" \
			    "$work/judged/truth" "$work/clocks"
		done | awk -v "name=$2" -v "ops=$ops" '
		$1 == "missed" { missed += $2; next }
		$1 == "misled" { misled += $2; next }
		$1 == "collectives" { found += $2; if ($4 > worst) worst = $4
			if ($6 > error) error = $6 }
		$1 == "sequence" { guessed += $2 }
		$1 !~ /^(collectives|sequence)$/ { lost += $2 }
		END { printf "%-14s %5d %7d %7d %9.1f %10.1f %8d %7d %7d\n",
			name, ops, found, missed, worst / 1000, error / 1000,
			guessed, misled, lost }'
	done
}

row "ranks: $RANKS, collectives of each: $N" measured budget
partials
points
solve
reports
fleet
# a send is proved in one direction only, a pair of ranks knows only itself
printf '\n%-14s %5s %7s %7s %9s %10s %8s %7s %7s\n' '5 x 8 ranks' ops \
    proved missed 'off, us' 'error, us' sequence misled none
kind 1 all-reduce
kind 2 all-gather
kind 3 reduce-scatter
kind 5 all-to-all
kind 6 broadcast
kind 8 reduce
kind 10 send
kind 12 send-receive
