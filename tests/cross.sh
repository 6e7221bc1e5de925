#!/bin/sh
# cross.sh - make check-cross: unit tests, and tests of readers, of programs for
# another processor, which qemu runs
#
#	BUILD=build RELEASE=build/release ARCH=aarch64 sh tests/cross.sh UNIT ...
#
# The unit tests are for the C library in $RELEASE/$ARCH-glibc/libc, the readers
# are the one program in $RELEASE/$ARCH-musl.  FILES are the bats files that are
# run; a test that cannot hold under qemu needs "native", see helper.bash.
set -u

cd "$(dirname "$0")/.." || exit 1
BUILD=$(cd "$BUILD" && pwd) RELEASE=$(cd "$RELEASE" && pwd) || exit 1
qemu=$(command -v "qemu-$ARCH") || qemu=$(command -v "qemu-$ARCH-static") || {
	echo "make check-cross: no qemu-$ARCH (qemu-user)" >&2
	exit 1
}
FILES=${FILES:-tests/filter.bats tests/schema.bats}

# ---- unit tests ----

passed=0 failed=0
for unit; do
	case $unit in
	*/agent) # qemu changes errno while the agent starts
		echo "unit test agent: need native"
		continue
		;;
	esac
	if "$qemu" -L "$RELEASE/$ARCH-glibc/libc" "$unit" > "$RELEASE/unit.log" 2>&1
	then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "not ok: ${unit##*/}"
		cat "$RELEASE/unit.log"
	fi
done
echo "unit tests of $ARCH: $passed passed, $failed failed"

# ---- readers ----

# a program in this folder runs its counterpart: the one program is alone in
# its own, so that tq finds these
run=$RELEASE/$ARCH-run
rm -rf "$run"
mkdir -p "$run/one"
cp "$RELEASE/$ARCH-musl/tq/one/tq" "$run/one"
for tool in "$BUILD"/tq "$BUILD"/tq-*; do
	name=${tool##*/}
	[ "$name" != tq-capture ] || continue
	[ -f "$tool" ] || continue
	printf '#!/bin/sh\nexec %s -0 %s %s "$@"\n' "$qemu" "$name" \
	    "'$run/one/tq'" > "$run/$name"
	chmod +x "$run/$name"
done
cp "$BUILD/report" "$BUILD/ranks" "$run"
# shellcheck disable=SC2086 # files are words
BUILD=$run TQ_EMULATED=1 bats --formatter tap $FILES > "$RELEASE/cross.log" 2>&1
grep -A 20 '^not ok' "$RELEASE/cross.log"
good=$(grep -c '^ok' "$RELEASE/cross.log") bad=$(grep -c '^not ok' "$RELEASE/cross.log")
echo "readers of $ARCH: $good passed, $bad failed"
passed=$((passed + good)) failed=$((failed + bad))
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$good" != 0 ]
