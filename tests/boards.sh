#!/bin/sh
# boards.sh - make boards: tests that try many, with more than make check tries
#
#	BOARDS=10 SEED=1 sh tests/boards.sh [faults | properties | deaths |
#	    attach | mutants ...]
#
# BOARDS is how many times as many points of failure, streams, mutants and
# combinations are tried; SEED, the number of the first stream or combination.
# A board that has passed with the same programs, tests, BOARDS and SEED is not
# run again: $BUILD/boards has what passed.  Prints what failed, with the number
# or the command that shows it again, a line for each board, and last "N passed,
# N failed"; exits 1 where one failed.  BUILD and JOBS are those of check.sh.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=$(cd "${BUILD:-build}" && pwd) || exit 1
BOARDS=${BOARDS:-10} SEED=${SEED:-1}
export BUILD BOARDS SEED

# ---- a board: its tests, and what it reads ----

tests_of() {
	case $1 in
	deaths | attach) echo "$here/capture_$1.bats" ;;
	mutants) echo "$here/properties.bats" ;;
	*) echo "$here/$1.bats" ;;
	esac
}

# which of them, where boards share a file
tags_of() {
	case $1 in
	mutants) echo mutants ;;
	properties) echo '!mutants' ;;
	esac
}

# prints a hash of what decides whether it passes
state_of() {
	{
		echo "$BOARDS $SEED"
		case $1 in
		deaths | attach)
			find "$BUILD/capture/stand-in" "$here/boards" -type f
			ls "$BUILD"/tq-capture "$BUILD"/libtq-*.so
			;;
		*)
			ls "$BUILD"/tq-* "$BUILD"/libtq-*.so
			find "$here/faults" "$here/properties" "$here/oracle" \
			    "$here/data" "$BUILD/faults" -type f
			;;
		esac | LC_ALL=C sort |
		    grep -v '\.d$\|/__pycache__/' | tr '\n' '\0' |
		    xargs -0 cat -- "$(tests_of "$1")" "$here/helper.bash" \
			"$here/capture.bash"
	} | sha256sum
}

# ---- one board, or all ----

one() { # BOARD: prints its line, or also what failed
	state=$(state_of "$1")
	if [ "$state" = "$(cat "$BUILD/boards/$1" 2> /dev/null)" ]; then
		echo "$1: 1 passed, 0 failed; nothing changed since"
		return
	fi
	log=$BUILD/boards/$1.log
	start=$(date +%s)
	tags=$(tags_of "$1")
	if bats --formatter tap ${tags:+--filter-tags "$tags"} \
	    "$(tests_of "$1")" > "$log" 2>&1; then
		echo "$state" > "$BUILD/boards/$1"
	fi
	awk -v board="$1" -v seconds=$(($(date +%s) - start)) '
	/^1\.\./ { plan = substr($0, 4) + 0 }
	/^ok / { passed++; bad = 0 }
	/^not ok / { failed++; bad = 1 }
	bad { print }
	END {
		failed += plan - passed - failed
		if (plan == 0)
			failed = 1
		printf "%s: %d passed, %d failed, %d s\n", board, passed,
		    failed, seconds
	}' "$log"
}

mkdir -p "$BUILD/boards" || exit 1
if [ "${1-}" = --one ]; then
	one "$2"
	exit 0
fi
[ $# -gt 0 ] || set -- faults properties mutants deaths attach
printf '%s\0' "$@" |
    xargs -0 -n 1 -P "${JOBS:-$(nproc)}" sh "$here/boards.sh" --one |
    awk '
	{ print; fflush() }
	/^[a-z]+: [0-9]+ passed, [0-9]+ failed/ { passed += $2; failed += $4 }
	END {
		printf "%d passed, %d failed\n", passed, failed
		exit failed > 0 || passed == 0
	}'
