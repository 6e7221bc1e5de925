#!/bin/sh
# Run each fuzz target given as argument for SECONDS_EACH seconds, several at
# once: NAME with the words of NAME.dict, from the seeds in corpus/NAME.
# Prints a line for each; exits 1 if one found something.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
seconds=${SECONDS_EACH:-60}

if [ "${1:-}" = --one ]; then
	target=$2
	name=${target##*/}
	work=$target.work
	# what was found is kept in the first folder, and tried again next time
	mkdir -p "$work/corpus" "$work/found"
	set -- "$work/corpus"
	[ -d "$here/corpus/$name" ] && set -- "$@" "$here/corpus/$name"
	[ -f "$here/$name.dict" ] && set -- "-dict=$here/$name.dict" "$@"
	if "$target" -max_total_time="$seconds" -max_len=4096 -timeout=10 \
	    -rss_limit_mb=2048 -artifact_prefix="$work/found/" \
	    -print_final_stats=1 "$@" > "$work/log" 2>&1; then
		runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")
		echo "ok fuzz/$name: $runs runs"
		exit 0
	fi
	echo "not ok fuzz/$name: see $work/log and $work/found"
	tail -n 40 "$work/log"
	exit 1
fi

[ $# -gt 0 ] || { echo "usage: sh tests/fuzz/run.sh target ..." >&2; exit 2; }
printf '%s\n' "$@" |
    xargs -P "$(nproc)" -I '{}' sh "$here/run.sh" --one '{}' || exit 1
