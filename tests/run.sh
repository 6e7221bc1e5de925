#!/bin/sh
# Install what the tests need (Debian 12, Ubuntu 24.04, or later), build, and
# run all of them.  What make lint and the tests of MPI need is not installed:
# where it is missing, that is said.  Asks nothing, and needs neither root nor a
# network where everything is there.  The last line is "N passed, N failed",
# with ", N skipped" where some were.  BUILD and CC are those of make, CHECK_ALL
# that of check.sh.
set -u

cd "$(dirname "$0")/.." || exit 1
BUILD=${BUILD:-build}
export BUILD

if ! sh tests/packages.sh build demo test ||
    ! make -s -j "$(nproc)" BUILD="$BUILD" programs; then
	echo "0 passed, 1 failed"
	exit 1
fi
missing=$(sh tests/packages.sh --missing lint)
[ -z "$missing" ] || printf 'make lint was left out, it needs:\n%s\n' "$missing"
missing=$(sh tests/packages.sh --missing mpi)
[ -z "$missing" ] || printf 'tests of MPI are left out, they need:\n%s\n' "$missing"
exec sh tests/check.sh
