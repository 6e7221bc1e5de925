#!/bin/sh
# Install what is missing of the named groups of packages, on Debian and
# Ubuntu: says what and why, asks for nothing.  With all of it there it needs
# neither root nor a network.  Elsewhere it says what is missing and exits 1.
#
#	sh tests/packages.sh build demo test deb release lint
#	sh tests/packages.sh --missing lint		only says what is missing
set -u

# group, package, how to see that it is there, what it is for; what is there
# is a command, a C header, or clang's run-time library
table() {
	cat <<'EOF'
build gcc             cc            compiles the tools
build libc6-dev       stdlib.h      headers of the C library
build make            make          builds everything
build libsqlite3-dev  sqlite3.h     tq-extract reads SQLite
build liblz4-dev      lz4.h         tq-extract reads reports of Nsight Systems
build libzstd-dev     zstd.h        compressed streams
build zlib1g-dev      zlib.h        compressed streams
build libpcre2-dev    pcre2.h       regular expressions
demo  sqlite3         sqlite3       makes databases of SQL text
demo  jq              jq            looks into streams
test  bats            bats          runs the tests
test  zstd            zstd          makes compressed input for the tests
test  libdw-dev       elfutils/libdwfl.h judges stacks that are followed
test  mandoc          mandoc        shows and checks the man pages
test  python3         python3       programs that are recorded, and oracles
test  perl            prove         programs of the tests, with their modules
test  procps          ps            tests look at processes
test  git             git           tests of the archive of the sources
mpi   mpich           mpicc.mpich   runs the tests of MPI
mpi   libmpich-dev    mpich/mpi_proto.h runs the tests of MPI
mpi   libopenmpi-dev  mpicc.openmpi runs the tests of MPI
mpi   openmpi-bin     mpiexec.openmpi runs the tests of MPI
deb   build-essential dpkg-buildpackage builds the package
deb   debhelper       dh            builds the package
deb   lintian         lintian       checks the package
release curl          curl          fetches packages of Debian
release dpkg-dev      dpkg-source   unpacks their sources
release tcl           tclsh         makes the amalgamation of SQLite
release binutils      objcopy       one program of all readers
cross gcc-aarch64-linux-gnu aarch64-linux-gnu-gcc compiles for aarch64
cross linux-libc-dev-arm64-cross /usr/aarch64-linux-gnu/include/linux/futex.h headers of the kernel
cross qemu-user       qemu-aarch64  runs these programs
lint  shellcheck      shellcheck    checks the shell scripts
lint  clang           clang         a second compiler, and fuzzing
lint  clang-format    clang-format  checks the layout of the C files
lint  clang-tidy      clang-tidy    checks the C files
lint  clang-runtime   clang-runtime sanitizers and libFuzzer for clang
EOF
}

present() {
	case $1 in
	*.h)
		echo "#include <$1>" | cc -DPCRE2_CODE_UNIT_WIDTH=8 -E - > /dev/null 2>&1
		;;
	clang-runtime)
		ls "$(clang -print-resource-dir 2> /dev/null)"/lib/*/libclang_rt.fuzzer* \
		    > /dev/null 2>&1
		;;
	*)
		command -v "$1" > /dev/null 2>&1
		;;
	esac
}

# the lines of the table that are asked for and not there: package, reason
missing() {
	table | while read -r group package probe why; do
		case " $* " in
		*" $group "*)
			present "$probe" || echo "$package: $why"
			;;
		esac
	done
}

# the package with the run-time library of the clang that there is, or will be
clang_runtime() {
	version=$(clang -dumpversion 2> /dev/null | cut -d. -f1)
	[ -n "$version" ] || version=$(apt-cache depends clang |
	    sed -n 's/.*Depends: clang-\([0-9]*\)$/\1/p' | head -n 1)
	for package in "libclang-rt-$version-dev" "libclang-common-$version-dev"; do
		if apt-cache show "$package" > /dev/null 2>&1; then
			echo "$package"
			return
		fi
	done
}

as_root() {
	if [ "$(id -u)" = 0 ]; then
		env DEBIAN_FRONTEND=noninteractive "$@"
	else
		sudo -n env DEBIAN_FRONTEND=noninteractive "$@"
	fi
}

wanted=$(missing "$@")
[ -n "$wanted" ] || exit 0
if [ "$1" = --missing ]; then
	echo "$wanted" | sed 's/^/  /'
	exit 0
fi

if ! command -v apt-get > /dev/null 2>&1; then
	echo "these are missing, and there is no apt-get to install them:"
elif [ "$(id -u)" != 0 ] && ! sudo -n true 2> /dev/null; then
	echo "these are missing, and only root can install them:"
else
	echo "installing with apt-get:"
	install=yes
fi
echo "$wanted" | sed 's/^/  /'
names=$(echo "$wanted" | sed 's/:.*//; /^clang-runtime$/d')
if [ "${install:-no}" = no ]; then
	# shellcheck disable=SC2086 # one word for each package
	command -v apt-get > /dev/null 2>&1 &&
	    echo "root can type: apt-get install" $names
	exit 1
fi

as_root apt-get -q -y update || exit 1
case $wanted in
*clang-runtime*) names="$names $(clang_runtime)" ;;
esac
# shellcheck disable=SC2086 # one word for each package
as_root apt-get -q -y install --no-install-recommends $names || exit 1

wanted=$(missing "$@")
[ -z "$wanted" ] || {
	echo "still missing:"
	echo "$wanted" | sed 's/^/  /'
	exit 1
}
