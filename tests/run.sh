#!/bin/sh
# Install what the tests need (Debian 12, Ubuntu 24.04, or later), build, and
# run all of them.  Asks nothing, and needs neither root nor a network where
# everything is there.  The last line is "N passed, N failed".  BUILD and CC
# are those of make.
set -u

cd "$(dirname "$0")/.." || exit 1
BUILD=${BUILD:-build}
export BUILD

if ! sh tests/packages.sh build demo test lint ||
    ! make -s -j "$(nproc)" BUILD="$BUILD" programs; then
	echo "0 passed, 1 failed"
	exit 1
fi
exec sh tests/check.sh
