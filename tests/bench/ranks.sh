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
