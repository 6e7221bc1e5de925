#!/bin/sh
# Run the unit tests of $BUILD and all tests/*.bats, several files at once.
# Prints what failed, what was skipped and why, a line for each file, and
# last "N passed, N failed", with ", N skipped" where some were.
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
jobs=${JOBS:-$(nproc)}
limit=900 # seconds for one file

# ---- one file: its results, as TAP ----

if [ "${1:-}" = --one ]; then
	case $2 in
	*.bats)
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
	exit 0
fi

# ---- all files ----

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
if [ $# -eq 0 ]; then
	set -- "$here"/*.bats "$BUILD"/unit/*
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

while read -r name; do
	awk -v file="$name" '
	/^1\.\.[0-9]+/ { plan = substr($0, 4) + 0; planned = 1; next }
	/^ok .* # skip/ {
		skipped++
		sub(/^ok [0-9]+ /, "")
		sub(/ # skip */, ": ")
		print "skipped: " file ": " $0
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
		printf "counts %s %d %d %d\n", file, passed, failed, skipped
	}' "$work/$name.tap"
done < "$work/order" | awk '
	function counts(passed, failed, skipped) {
		return sprintf("%d passed, %d failed", passed, failed) \
		    (skipped > 0 ? sprintf(", %d skipped", skipped) : "")
	}
	$1 == "counts" {
		printf "%-20s %s\n", $2, counts($3, $4, $5)
		passed += $3
		failed += $4
		skipped += $5
		next
	}
	{ print }
	END {
		print counts(passed, failed, skipped)
		exit (failed > 0 || passed == 0)
	}'
