#!/bin/sh
# Run the unit tests of $BUILD and all tests/*.bats, several files at once.
# Prints what failed, a line for each file with its seconds, how many were skipped
# for which reason, and last "N passed, N failed", with ", N skipped" where some were.
# CHECK_ALL=1: costly tests read all real exports, not just small ones.
# CHECK_INPUT=1: only the unit tests and the tests of what is read and written.
# CHECK_TWICE=1: a test that fails is run again when all others are over, and
# counts as passed if it passes then; its name is printed.
#
#	sh tests/check.sh [file.bats ...]
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1
BUILD=${BUILD:-build}
case $BUILD in
/*) ;;
*) BUILD=$here/../$BUILD ;;
esac
export BUILD
jobs=${JOBS:-$(($(nproc) + 1))} # for some wait
# python3 that a script starts, as pyenv's, takes ten times as long as alone
python=$(python3 -c 'import sys; print(sys.executable)' 2> /dev/null)
[ "${python:-none}" = none ] || [ "$python" = "$(command -v python3)" ] ||
    PATH=${python%/*}:$PATH
limit=${LIMIT:-900} # seconds for one file
# those that take long begin first
long="capture_osrt package capture_everything capture_timers capture_gil
	stats_torch properties extract_nsysrep looks man extract_chrome
	perfetto filter_wholes gpu stats_gaps needs stats_sort shapes diff
	stats_names capture_attach stats_self filter_select edges
	capture_functions capture_python faults filter_change
	extract_rocpd stats_findings stats_merge start_up tq stream real cli"
# what comes from elsewhere, damaged or extreme, and what is made of it
input="extract_nsysrep extract_chrome extract_rocpd extract_json man
	extract extract_input extract_perf extract_perfetto extract_stream
	extract_sync stream odd_recordings correlate correlate_gaps correlate_ranges
	correlate_stream filter filter_closure filter_reduce chrome
	chrome_layout chrome_records perfetto_layout perfetto_stages info json
	model stats_extreme stats_format stats_names stats_page_html
	stats_pstats capture_deaths capture_keep capture_nvtx capture_raw"

# ---- one file: its results, as TAP ----

# With sanitizers, leaks are looked for in the unit tests, and in the examples
# of the manuals, which call each tool: to look for them doubles the time of a
# short program.
look_for_leaks() {
	case ${1##*/} in
	man.bats) ;;
	*) export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" ;;
	esac
}

if [ "${1:-}" = --one ]; then
	began=$(date +%s)
	case $2 in
	*.bats)
		look_for_leaks "$2"
		timeout "$limit" bats --formatter tap "$2" > "$3" 2>&1
		;;
	*)
		if timeout "$limit" "$2" > "$3.log" 2>&1; then
			echo "ok 1 unit ${2##*/}" > "$3"
		else
			echo "not ok 1 unit ${2##*/}" > "$3"
			sed 's/^/# /' "$3.log" >> "$3"
		fi
		echo 1..1 >> "$3"
		;;
	esac
	echo "seconds $(($(date +%s) - began))" >> "$3"
	exit 0
fi

# ---- all files ----

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
chmod 755 "$work" # for tests that are another user
TQ_MADE=$work/made # databases and streams, for all files
export TQ_MADE
mkdir "$TQ_MADE" || exit 1
if [ $# -eq 0 ] && [ "${CHECK_INPUT:-}" ]; then
	for name in $input; do
		set -- "$@" "$here/$name.bats"
	done
	set -- "$@" "$BUILD"/unit/*
elif [ $# -eq 0 ]; then
	for name in $long; do
		set -- "$@" "$here/$name.bats"
	done
	for file in "$here"/*.bats "$BUILD"/unit/*; do
		case " $* " in
		*" $file "*) ;;
		*) set -- "$@" "$file" ;;
		esac
	done
fi
for file; do
	case $file in
	*.d | *'*'*) continue ;;
	esac
	name=${file##*/}
	[ "$name" = "${name%.bats}" ] && name=unit-$name
	printf '%s\n' "$name" >> "$work/order"
	printf '%s\0%s\0' "$file" "$work/$name.tap"
done | xargs -0 -n 2 -P "$jobs" sh "$here/check.sh" --one

# ---- those that failed once more, alone ----

# FILE.tap: "ok" for each test that passes now
try_again() {
	sed -n 's/^not ok [0-9]* //p' "$1" > "$1.failed"
	while IFS= read -r name; do
		pattern=$(printf '%s\n' "$name" | sed 's/[][\\.*^$+?(){}|/]/\\&/g')
		timeout "$limit" bats --formatter tap -f "^$pattern\$" "$2" \
		    < /dev/null > "$1.again" 2>&1 || continue
		printf '%s: %s: passed when run again\n' "${2##*/}" "$name"
		NAME=$name awk '{
			rest = $0
			sub(/^not ok [0-9]+ /, "", rest)
			if (/^not ok / && rest == ENVIRON["NAME"])
				sub(/^not /, "")
			print
		}' "$1" > "$1.now" && mv "$1.now" "$1"
	done < "$1.failed"
}

if [ "${CHECK_TWICE:-}" ]; then
	for file; do
		[ -e "$work/${file##*/}.tap" ] && [ "$file" != "${file%.bats}" ] &&
		    try_again "$work/${file##*/}.tap" "$file"
	done
fi

sort "$work/order" | while read -r name; do
	awk -v file="$name" '
	/^seconds / { seconds = $2; next }
	/^1\.\.[0-9]+/ { plan = substr($0, 4) + 0; planned = 1; next }
	/^ok .* # skip/ {
		skipped++
		sub(/.* # skip */, "")
		print "skipped " $0
		next
	}
	/^ok / { passed++; bad = 0; next }
	/^not ok / {
		failed++
		bad = 1
		sub(/^not ok [0-9]+ /, "")
		print "FAILED: " file ": " $0
		next
	}
	/^#/ { if (bad) print "    " substr($0, 3); next }
	{ other = other "    " $0 "\n" }
	END {
		lost = plan - passed - failed - skipped
		if (!planned)
			lost = 1
		if (lost > 0) {
			print "FAILED: " file ": " lost " tests did not run"
			failed += lost
		}
		if (failed > 0)
			printf "%s", other
		printf "counts %s %d %d %d %d\n", file, passed, failed, \
		    skipped, seconds
	}' "$work/$name.tap"
done | awk '
	function counts(passed, failed, skipped) {
		return sprintf("%d passed, %d failed", passed, failed) \
		    (skipped > 0 ? sprintf(", %d skipped", skipped) : "")
	}
	$1 == "counts" {
		printf "%-20s %s%s\n", $2, counts($3, $4, $5),
		    ($6 > 0 ? ", " $6 " s" : "")
		passed += $3
		failed += $4
		skipped += $5
		next
	}
	$1 == "skipped" {
		reason = substr($0, 9)
		if (!(reason in times))
			reasons[++n] = reason
		times[reason]++
		next
	}
	{ print }
	END {
		# the most frequent reason first
		for (i = 1; i <= n; i++) {
			most = i
			for (j = i + 1; j <= n; j++)
				if (times[reasons[j]] > times[reasons[most]])
					most = j
			reason = reasons[most]
			reasons[most] = reasons[i]
			why = why (i > 1 ? ", " : "") reason " " times[reason]
		}
		if (n > 0)
			print skipped " skipped: " why
		print counts(passed, failed, skipped)
		exit (failed > 0 || passed == 0)
	}'
