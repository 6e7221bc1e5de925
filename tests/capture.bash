# capture.bash - commands under tq-capture, and what came of it

# programs with annotations; the same is in nvtx/, with the real header
CLIENTS=$BUILD/capture/stand-in
CLIENT=$CLIENTS/client
ANNOTATE=$CLIENTS/annotate

tq=$BATS_TEST_TMPDIR/capture.tq
said=$BATS_TEST_TMPDIR/said

# capture [OPTION ...] COMMAND ...: run it under tq-capture.  The stream is in
# $tq, what was said in $said; the status is that of tq-capture.
capture() {
	tq-capture "$@" > "$tq" 2> "$said"
}

# count KIND [FILE]: how many records of that kind there are.
count() {
	grep -c "^{\"kind\":\"$1\"," "${2:-$tq}" || true
}

# ask JQ-EXPRESSION [FILE]: what the records of the stream, in an array, say.
ask() {
	jq -rcs "$1" "${2:-$tq}"
}

# dropped [FILE]: what the end of the stream says was lost.
dropped() {
	tail -n 1 "${1:-$tq}" | jq .dropped
}

# lost [WHAT]: the sum of the lost records, all or those of that kind.
lost() {
	grep '^{"kind":"lost"' "$tq" | jq -s --arg what "${1:-}" '
	    map(select($what == "" or .what == $what).count) | add // 0'
}

# said_of KIND JQ-EXPRESSION: what it says of each record of that kind, a line
# each.
said_of() {
	jq -rc --arg kind "$1" "select(.kind == \$kind) | $2" "$tq"
}

# whole [FILE]: it has a beginning, an end whose count agrees, and is in order.
whole() {
	awk '
	NR == 1 { bad = !/^{"kind":"trace",/; slack = /"slack":/ }
	match($0, /^{"kind":"[a-z-]*","ts":-?[0-9]+/) {
		ts = substr($0, RSTART, RLENGTH)
		sub(/.*:/, "", ts)
		if (!slack && ts + 0 < last + 0)
			bad = 1
		last = ts
	}
	END {
		split($0, end, /[:,]/)
		if (!/^{"kind":"end","events":[0-9]+,"dropped":[0-9]+}$/ ||
		    end[4] != NR - 2)
			bad = 1
		exit bad
	}' "${1:-$tq}"
}

# ends STATUS COMMAND ...: it has that status, also where it is wait.
ends() {
	local status=0

	"${@:2}" || status=$?
	[[ $status = "$1" ]] || { echo "status $status, not $1"; return 1; }
}

# Print what grep found in /proc/PID/status of signals, on stdin, as numbers and
# without 32 and 33: these are the C library's own, in a process with threads.
classic() {
	local key set

	while read -r key set; do
		echo "$key $((0x$set & 0x7fffffff))"
	done
}

# Print MODE as the trace record has it: an agent that was built without
# CUPTI records no CUDA.
mode() {
	if nm -D --defined-only "$BUILD/libtq-capture.so" |
	    grep -q ' InitializeInjection$'; then
		echo "$1"
		return
	fi
	case $1 in
	cuda,nvtx) echo nvtx ;;
	cuda) echo none ;;
	*) echo "$1" ;;
	esac
}

# pythons: the interpreters there are, of each version that tq-capture knows
pythons() {
	cat "$(made pythons find_pythons)"
}

# find_pythons FILE: write them there, once for all tests: it starts them all
find_pythons() {
	local v p
	for v in 8 9 10 11 12 13; do
		for p in "/usr/bin/python3.$v" "$HOME"/.pyenv/versions/3.$v.*/bin/python3.$v; do
			[[ -x $p ]] && "$p" -c 'import ctypes' 2> /dev/null && echo "$p"
		done
	done > "$1"
	return 0
}

# python_tests FILE MODULES COMMAND ...: the last result of each of these modules
# of the tests of the Python that it runs, a line each, beside those in FILE
python_tests() {
	# shellcheck disable=SC2086 # a list of words
	"${@:3}" -m test -j2 --timeout=200 $2 < /dev/null >> "$1.log" 2>&1 || true
	sed -n 's/.*\] \(test_[a-z0-9_]*\) \([a-z]*\).*/\1 \2/p' "$1.log" |
	    awk '{ last[$1] = $2 } END { for (m in last) print m, last[m] }' > "$1"
}

# python_tests_differ: modules that don't pass in with, and end otherwise in plain
python_tests_differ() {
	grep -vFx -f plain with | sed -n '/ passed$/!s/ .*//p'
}

# python_tests_alike COMMAND ...: results of $modules of Python's own tests are
# the same under this command; the test is skipped where there are none.  Only
# those that don't pass are run without the command: they may not pass there
# either.  One that differs is given a second chance, alone: some hang on a clock.
python_tests_alike() {
	local python module
	for python in /usr/bin/python3.11 python3 ''; do
		"$python" -c 'import test.test_fork1' 2> none && break
	done
	[[ -n $python ]] || skip "no tests of Python itself"
	: > plain
	# shellcheck disable=SC2154 # the test sets them
	python_tests with "$modules" "$@" "$python"
	[ "$(wc -l < with)" = "$(wc -w <<< "$modules")" ] || { cat with.log >&2; false; }
	modules=$(python_tests_differ)
	[[ -n $modules ]] || return 0
	python_tests plain "$modules" "$python"
	for module in $(python_tests_differ); do
		python_tests with "$module" "$@" "$python"
		python_tests plain "$module" "$python"
	done
	[ -z "$(python_tests_differ)" ] || { cat with.log >&2; false; }
}

# board NAME N: of N combinations of boards/NAME.py none is broken; of more
# with BOARDS, and of others with SEED, see boards.sh
board() {
	CLIENT=$CLIENT SPIN=$CLIENTS/spin PYTHONDONTWRITEBYTECODE=1 \
	    python3 "$top/tests/boards/$1.py" \
	    --count $(($2 * ${BOARDS:-1})) --seed "${SEED:-1}"
}
