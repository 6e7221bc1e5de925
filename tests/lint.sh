#!/bin/sh
# Print what is wrong with the form of the sources, and nothing else; exits 1
# where something is: layout, rooms and names (house.sh) and bugs of the C files,
# the man pages, the scripts, lines of tests that cannot fail (bats.awk), and what
# was left for later.
set -u

cd "$(dirname "$0")/.." || exit 1
jobs=$(nproc)
layout=14   # the version of clang-format that .clang-format was written for

c_files() {
	find cmd common include packaging tests -name '*.[ch]' | sort
}

scripts() {
	find .ci/run cmd tests examples man packaging -type f \
	    \( -name '*.sh' -o -name run -o -name prepare \) | sort
}

check_layout() {
	version=$(clang-format --version | sed 's/.*version \([0-9]*\).*/\1/')
	if [ "$version" != "$layout" ]; then
		echo "lint.sh: clang-format is $version, not $layout, and has" \
		    "no say about the layout" >&2
		return
	fi
	c_files | xargs clang-format --dry-run 2>&1 |
	    grep -F ': warning: ' | cut -d: -f1 | sort | uniq -c |
	    while read -r places file; do
		echo "$file: clang-format -i would change $places places"
	done
}

check_c() {
	cuda=${CUDA_INC:-${CUDA_HOME:-/usr/local/cuda}/include}
	# only mpicc knows where mpi.h is, and only make release readers.def
	without='/mpic[ao]\|^packaging/one'
	[ -e /usr/include/elfutils/libdwfl.h ] ||
	    without="$without\|/unwind_oracle"
	[ -e "$cuda/cupti.h" ] || without="$without\|^tests/fakecuda/\|/cupti"
	set -- -std=c11 -D_GNU_SOURCE '-DTQ_VERSION="0"' -Iinclude \
	    -isystem "$cuda" -isystem tests/capture
	for tool in cmd/*; do
		set -- "$@" -iquote "$tool"
	done
	# shellcheck disable=SC2016 # the inner shell is to expand it
	c_files | grep '\.c$' | grep -v "$without" |
	    xargs -P "$jobs" -I '{}' sh -c '
		file=$1
		shift
		clang-tidy --quiet ${LINT_QUICK:+--checks=-clang-analyzer-*} \
		    "$file" -- "$@" 2> /dev/null' sh '{}' "$@"
}

check_pages() {
	for page in man/*.[157]; do
		[ ! -e "$page" ] || mandoc -T lint -W warning "$page"
	done
}

# spelt so that this file is not found itself
check_left() {
	grep -rnwE 'TO''DO|FIX''ME|XX''X' cmd common include tests examples \
	    man packaging Makefile .ci
}

if {
	check_layout
	sh tests/house.sh
	check_c
	check_pages
	scripts | xargs shellcheck -x -P SCRIPTDIR
	awk -f tests/bats.awk tests/*.bats tests/*.bash
	check_left
} 2>&1 | grep .; then
	exit 1
fi
