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

# files about tq-capture, about what make does, and about texts alone
native=' build fakecuda gpu guest install interrupt lint man package release
    shapes surroundings '
if [ -z "${FILES-}" ]; then
	for file in tests/*.bats; do
		name=$(basename "$file" .bats)
		case "$name $native" in
		capture* | "$name "*[[:space:]]"$name"[[:space:]]*) ;;
		*) FILES="${FILES-} $file" ;;
		esac
	done
fi

# as $BUILD, but for this processor: program NAME COMMAND
run=$RELEASE/$ARCH-run
rm -rf "$run"
mkdir -p "$run/one" "$run/unit"
program() {
	printf '#!/bin/sh\nexec %s "$@"\n' "$2" > "$run/$1"
	chmod +x "$run/$1"
}

for unit; do
	case $unit in
	*/agent) ;; # qemu changes errno while the agent starts
	*) program "unit/${unit##*/}" "$qemu -L '$RELEASE/$ARCH-glibc/libc' '$unit'" ;;
	esac
done

# the one program is alone in its folder, so that tq finds these
cp "$RELEASE/$ARCH-musl/tq/one/tq" "$run/one"
for tool in "$BUILD"/tq "$BUILD"/tq-*; do
	name=${tool##*/}
	if [ "$name" = tq-capture ] || [ ! -f "$tool" ]; then
		continue
	fi
	program "$name" "$qemu -0 $name '$run/one/tq'"
done
cp "$BUILD/report" "$BUILD/ranks" "$run"

# shellcheck disable=SC2086 # files are words
BUILD=$run TQ_EMULATED=1 LIMIT=3600 sh tests/check.sh $FILES "$run"/unit/*
