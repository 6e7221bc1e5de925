# helper.bash - what the test files share; they open with "load helper"
#
# BUILD says which programs are tested (default: build); they come first in
# PATH, and a test calls them by name, as a user would.  CHECK_ALL=1: costly
# tests read all real exports, not just small ones.

bats_require_minimum_version 1.5.0
top=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
# without spaces: LD_PRELOAD is a list of words
BUILD=$(cd "$top" && cd "${BUILD:-build}" && sh "$top/tests/build_folder.sh" "$PWD")
export BUILD PATH="$BUILD:$PATH" LC_ALL=C.UTF-8
unset BASH_ENV POSIXLY_CORRECT NO_COLOR COLUMNS TQ_PAGER
export PAGER=cat # nobody is there to quit another
export SHELL=/bin/sh # of script(1) and others

# ---- real data ----

# The real exports of nsys that tests read.  They are not part of the project.
DATA=${TQ_DATA:-$top/../shared/data}
EXPORTS=(2021-sched-sampling 2021.2.1-osrt-callchains 2021.3.2-no-cuda-tables
	2022.2.1-nonlazy-mpi 2022.4.2-nvtx-domains 2023.1.2-julia
	2024.5.1-cloverleaf 2024.6.2-cuda-graphs 2024.6.2-nvfuser
	2024.6.2-nvfuser-h200-a 2024.6.2-nvfuser-h200-b 2024.6.2-torch-2.7b
	2025.3.1-cupy-nvtx 2025.5.1-osrt-files 2026.1.1-vectoradd
	2026.2.1-h100-2gpu 2026.2.1-mfu-2gpu synthetic-missing-strings)
SYNTHETIC=(synthetic/a synthetic/b synthetic/c synthetic/rules)
# graphs; ranges and calls; copies, threads on CPUs and samples
SMALL=(2024.6.2-cuda-graphs 2024.6.2-nvfuser-h200-a 2026.1.1-vectoradd)

# what a costly test reads
if [[ ! -d $DATA/nsys ]]; then
	EXPORTS=() SYNTHETIC=() SMALL=() COSTLY=()
elif [[ ${CHECK_ALL-} ]]; then
	COSTLY=("${EXPORTS[@]}" "${SYNTHETIC[@]}")
else
	COSTLY=("${SMALL[@]}" "${SYNTHETIC[@]}")
fi

# without NAMES NAME ...: print these but for some, which stand between blanks.
without() {
	local name

	for name in "${@:2}"; do
		[[ " $1 " = *" $name "* ]] || echo "$name"
	done
}

# scripts that load traces into viewers, which are not part of the project
VIEW=${VIEW:-$top/../shared/tools/view}

# data FILE: set $data to its path among the real data; skip the test where
# that is not there.  Not to be called in $(...).
data() {
	need data
	data=$DATA/$1
	[[ -e $data ]] || skip "no $1 in the real data"
}

# ---- what a test needs ----

# need THING ...: skip the test where this machine has none of these things: a
# command, or one of those in has.
need() {
	local thing

	for thing; do
		has "$thing" || skip "${why:-no $thing}"
	done
}

# has THING: is it there?  Sets $why where "no THING" does not tell.
has() {
	why=
	case $1 in
	data) # real exports
		why="no real data"
		[[ -d $DATA/nsys ]]
		;;
	cupti.h) # and so what is built with it
		[[ -x $BUILD/fakecuda/storm && -x $BUILD/capture/replay ]]
		;;
	nvToolsExt.h)
		[[ -x $BUILD/capture/nvtx/client ]]
		;;
	nvcc)
		nvcc=$(command -v nvcc || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")
		[[ -x $nvcc ]]
		;;
	libcupti.so.13) # that of a toolkit
		for libcupti in "${CUDA_HOME:-/usr/local/cuda}"/{lib64,lib,extras/CUPTI/lib64}/$1; do
			[[ ! -e $libcupti ]] || return 0
		done
		return 1
		;;
	native) # not qemu, whose own memory a limit or valgrind would see
		why="qemu runs the programs"
		[[ -z ${TQ_EMULATED-} ]]
		;;
	no-GPU)
		why="there is a GPU"
		[[ ! -e /dev/nvidiactl ]]
		;;
	no-sanitizer)
		why="a sanitizer needs the memory"
		! grep -q __asan_init "$BUILD/tq-stats"
		;;
	no-root)
		why="root may read everything"
		((EUID != 0))
		;;
	other-user) # who can reach what was built
		why="no other user can reach $BUILD"
		setpriv --reuid 65534 --clear-groups test -x "$BUILD/tq-capture" \
		    2> /dev/null
		;;
	mount)
		why="mount(8) is not allowed"
		unshare -m mount -t tmpfs tmpfs "$BATS_TEST_TMPDIR" 2> /dev/null
		;;
	unshare)
		why="unshare(1) is not allowed"
		unshare -fp true 2> /dev/null
		;;
	Perfetto) # its trace processor, and tp.mjs, which loads traces into it
		why="no Perfetto in TP_DIR"
		command -v node > /dev/null && [[ -e $VIEW/tp.mjs &&
		    -e ${TP_DIR-}/trace_processor.wasm ]]
		;;
	chrome://tracing) # and a browser for it
		why="no chrome://tracing in CATAPULT"
		NODE_MODULES=${NODE_MODULES:-${CATAPULT-}/../node_modules}
		command -v node > /dev/null && command -v chromium > /dev/null &&
		    [[ -e $VIEW/catapult.mjs &&
		    -e ${CATAPULT-}/trace_viewer_full.html &&
		    -e $NODE_MODULES/playwright-core ]]
		;;
	tqtrace.proto)
		[[ -e $VIEW/$1 ]]
		;;
	corpus) # buffers that make check-gpu kept of a GPU
		why="no tests/gpu/corpus"
		[[ -d $top/tests/gpu/corpus ]]
		;;
	C.UTF-8) # a locale
		locale -a | grep -qi 'c\.utf-*8'
		;;
	python3) # pyenv's may be without a version
		[[ $(python3 -c 'print(1)' 2> /dev/null) = 1 ]]
		;;
	script) # BusyBox has another
		[[ $(script --version 2>&1) = script* ]]
		;;
	*)
		command -v "$1" > /dev/null
		;;
	esac
}

# ---- programs ----

# The names of the programs that were built.
tools() {
	local f
	for f in "$BUILD"/tq-*; do
		if [[ -f $f && -x $f ]]; then
			echo "${f##*/}"
		fi
	done
}

# operand tq-x: print the path of a file that this tool can read.
operand() {
	local file=$BATS_TEST_TMPDIR/operand.tq

	if [[ $1 = tq-extract ]]; then
		demo
	else
		stream '{"kind":"mark","ts":1,"pid":1,"tid":1,"name":"a"}' \
		    '{"kind":"osrt","ts":2,"dur":1,"pid":1,"tid":1,"name":"b"}' > "$file"
		echo "$file"
	fi
}

# ---- databases and streams, made once for all tests ----

# made FILE COMMAND ...: print the path of FILE, which the command writes into
# the path behind it if it is not there.  It is not to be changed.
made() {
	local file=${TQ_MADE:-$BATS_RUN_TMPDIR/made}/$1 new

	echo "$file"
	if [[ ! -e $file ]]; then
		new=$file.$BASHPID # another test may make it at the same time
		mkdir -p "${file%/*}" && "${@:2}" "$new" >&2 && mv "$new" "$file"
	fi
}

# fixture NAME: print the path of the database made of tests/data/NAME.sql.
fixture() {
	made "$1.sqlite" database sh "$top/tests/data/make.sh" "$1"
}

# demo: the same for examples/demo.sql.
demo() {
	made demo.sqlite database cat "$top/examples/demo.sql"
}

# database COMMAND ... FILE: FILE becomes the database of the SQL that the
# command prints.
database() {
	"${@:1:$#-1}" | sqlite3 -batch -bail "${!#}"
}

# export_of NAME: print the path of the database of demo, of a fixture, which may
# be JSON, or of a real export.
export_of() {
	if [[ $1 = demo ]]; then
		demo
	elif [[ -e $top/tests/data/$1.sql ]]; then
		fixture "$1"
	elif [[ -e $top/tests/data/$1.json ]]; then
		echo "$top/tests/data/$1.json"
	else
		echo "$DATA/nsys/$1.sqlite"
	fi
}

# extracted NAME, correlated NAME [--path]: print the path of the stream that
# tq-extract makes of that database, or tq-correlate of that.
extracted() {
	made "$1.tq" write_extracted "$(export_of "$1")"
}

correlated() {
	made "$1.correlated${2-}.tq" write_correlated \
	    "$(extracted "$1")" ${2+"$2"}
}

write_extracted() {
	tq-extract -o "$2" "$1" 2> /dev/null
}

write_correlated() {
	tq-correlate "${@:2:$#-2}" -o "${!#}" "$1" 2> /dev/null
}

# stream [LINE ...]: a valid section of these records, or of those on stdin.
stream() {
	if (($# == 0)) && [[ ! -t 0 ]]; then
		awk '
		BEGIN { print "{\"kind\":\"trace\",\"version\":1,\"source\":\"test\"}" }
		{ print }
		END { print "{\"kind\":\"end\",\"events\":" NR ",\"dropped\":0}" }'
		return
	fi
	echo '{"kind":"trace","version":1,"source":"test"}'
	(($# == 0)) || printf '%s\n' "$@"
	echo '{"kind":"end","events":'$#',"dropped":0}'
}

# ---- waiting ----

# until_true COMMAND ...: wait until it succeeds.  The limit is for what hangs,
# on a machine however slow.
until_true() {
	local end=$((SECONDS + 120))

	until "$@"; do
		if ((SECONDS > end)); then
			echo "it did not come true: $*"
			return 1
		fi
		sleep 0.01
	done
}

# sleeps PID: does this process wait for something?
sleeps() {
	[[ $(< "/proc/$1/stat") = *') S '* ]]
}

# ---- numbers ----

# a filter for jq: the same with numbers as jq 1.6 spells them; newer ones keep
# 120.0 unless they calculate with it
# shellcheck disable=SC2034
plain='walk(if type == "number" then . + 0 else . end)'

# ---- oracles: what computes again what a tool says ----

# oracle SUBJECT FILTER [JQ-OPTION | FILE ...]: what a filter of oracle/SUBJECT.jq
# makes of the records, each on a line; where it fails there is a line that no
# tool prints.
oracle() {
	jq -nrc -L "$top/tests/oracle" "include \"$1\"; $2" "${@:3}" ||
	    echo "no answer from the oracle"
}

# ---- messages ----

# message EXPECTED COMMAND ...: tq-extract fails with this one line
message() {
	local expected=$1
	shift
	run --separate-stderr "$@"
	[ "$status" -eq 1 ]
	[ "$stderr" = "tq-extract: $expected" ]
}

# page_commands: the commands of a page on stdin, each in one line
page_commands() {
	awk '
	/^ *\$ / { sub(/^ *\$ /, ""); line = ""; open = 1 }
	open {
		sub(/^ */, "")
		line = line $0
		bare = line
		gsub(/\\\047/, "", bare)
		open = gsub(/\\$/, "", line) || line ~ /\|$/ ||
		    gsub(/\047/, "&", bare) % 2 == 1
		if (open) line = line " "
		else print line
	}'
}
