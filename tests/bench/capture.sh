#!/bin/sh
# capture.sh - what a program pays for being under tq-capture: for each call of
# NVTX, for its Python stack, for calls of a function of Python, for calls of the
# C library with -t osrt, for those of MPI with -t mpi where there is mpicc, for
# events of NCCL, and for its start
#
# Each round runs the same program without the library, with it but paused, and
# recording; what is printed is the least of all rounds, in ns.  Last come
# verdicts, and the exit status is 1 where one is "too slow".
set -eu

# Environment: BUILD, where the programs are; ROUNDS; STARTS, of a process.
: "${BUILD:?is not set}"
ROUNDS=${ROUNDS:-5}
STARTS=${STARTS:-200}
PAIR_NS=25  # besides two readings of the clock
PAUSED_NS=8 # of a pair
START_MS=3
CALL_NS=5   # of a call of the C library, besides two readings of the clock
LOCK_NS=3   # of a free mutex or semaphore, locked and unlocked
GIL_NS=8    # of a free mutex with -t python-gil
BYTE_NS=3   # of a byte in the buffer of a file
MPI_NS=60   # of a call of MPI, besides two readings of the clock
POLL_NS=25  # of one that finds nothing
NCCL_NS=60  # of an event of NCCL
FUNCTION_NS=300 # of a call of a function of Python
STACK_NS=150   # of a Python stack of 20 frames, besides a reading
PRELOAD_US=100 # for the start of a process that records nothing
LC_ALL=C
export LC_ALL

work=$BUILD/bench
raw=$work/capture.raw
result=$work/capture.txt
header=nvtx # the real header, or our stand-in for it
[ -x "$BUILD/capture/$header/bench" ] || header=stand-in
bench=$BUILD/capture/$header/bench
client=$BUILD/capture/$header/client
oscost=$BUILD/capture/stand-in/oscost
mpicost=$work/mpicost
nccl=$BUILD/capture/stand-in/ncclcalls
out=$work/capture.tq

# how MODE COMMAND ...: run it so; its stdout is ours
how()
{
	mode=$1
	shift
	case $mode in
	none) "$@" ;;
	paused) "$BUILD/tq-capture" -q -t nvtx -c signal -o "$out" "$@" ;;
	on) "$BUILD/tq-capture" -q -t nvtx -o "$out" "$@" ;;
	stacks)
		"$BUILD/tq-capture" -q -t nvtx --python-backtrace nvtx \
		    -o "$out" "$@"
		;;
	functions)
		"$BUILD/tq-capture" -q -t none --python-functions-trace \
		    "$work/functions.json" -o "$out" "$@"
		;;
	gil) "$BUILD/tq-capture" -q -t python-gil -o "$out" "$@" ;;
	mpi) "$BUILD/tq-capture" -q -t mpi -o "$out" "$@" ;;
	nccl) "$BUILD/tq-capture" -q -t nccl -o "$out" "$@" ;;
	osrt) "$BUILD/tq-capture" -q -t osrt --osrt-threshold 1h -o "$out" "$@" ;;
	esac 2>"$work/capture.err"
}

# starts MODE: prints "start MODE NS"; one process does it all, so that the
# launcher's own start counts as little as it does in life
starts()
{
	# shellcheck disable=SC2016 # the inner shell is to expand it
	how "$1" sh -c '
		n=$1
		from=$(date +%s%N)
		while [ "$n" -gt 0 ]; do
			"$2" marks 1
			n=$((n - 1))
		done
		echo $((($(date +%s%N) - from) / $1))
	' sh "$STARTS" "$client" | sed "s/^/start $1 /"
}

mkdir -p "$work"
: >"$raw"
rm -f "$mpicost"
if command -v mpicc >/dev/null; then
	mpicc -O2 -w -o "$mpicost" "$(dirname "$0")/../capture/mpicost.c"
fi
echo '[{"module": "python_function", "functions": ["function"]}]' \
    >"$work/functions.json"
round=0
while [ "$round" -lt "$ROUNDS" ]; do
	for mode in none paused on; do
		how "$mode" "$bench" | sed "s/ / $mode /" >>"$raw"
		starts "$mode" >>"$raw"
	done
	for mode in none osrt gil; do
		how "$mode" "$oscost" | sed "s/ / $mode /" >>"$raw"
	done
	for mode in none mpi; do
		[ ! -x "$mpicost" ] ||
		    how "$mode" "$mpicost" | sed "s/ / $mode /" >>"$raw"
	done
	for mode in none nccl; do
		how "$mode" "$nccl" 5 cost | sed "s/ / $mode /" >>"$raw"
	done
	for mode in none functions; do
		how "$mode" python3 "$(dirname "$0")/python_function.py" |
		sed "s/ / $mode /" >>"$raw"
	done
	for mode in on stacks; do
		how "$mode" python3 "$(dirname "$0")/python_stack.py" |
		sed "s/ / $mode /" >>"$raw"
	done
	round=$((round + 1))
done
rm -f "$out" "$work/capture.err"

awk -v pair="$PAIR_NS" -v paused="$PAUSED_NS" -v start="$START_MS" \
    -v call="$CALL_NS" -v lock="$LOCK_NS" -v byte="$BYTE_NS" \
    -v gil="$GIL_NS" -v preload="$PRELOAD_US" -v stack="$STACK_NS" \
    -v mpi="$MPI_NS" -v poll="$POLL_NS" -v python="$FUNCTION_NS" \
    -v nccl="$NCCL_NS" '
function judge(what, is, bar, unit) {
	printf "%-34s %8.1f of at most %5.1f %s: %s\n", what, is, bar, unit,
	    is <= bar ? "ok" : "too slow"
	bad += is > bar
}
function more(what, name, bar)
{
	judge(what, least[name, "osrt"] - least[name, "none"], bar, "ns")
}
function more_mpi(what, name, bar)
{
	judge(what, least[name, "mpi"] - least[name, "none"], bar, "ns")
}
!(($1, $2) in least) || $3 < least[$1, $2] { least[$1, $2] = $3 }
$2 ~ /^(osrt|mpi|nccl)$/ { calls[$1] = $2 }
!($1 in seen) { seen[$1] = 1; name[++names] = $1 }
END {
	printf "%-12s %10s %10s %10s %12s\n", "ns", "none", "paused", "on",
	    "on/2 clocks"
	clock = least["clock", "none"]
	for (i = 1; i <= names; i++) {
		n = name[i]
		if (n in calls) {
			printf "%-12s %10.1f %10s %10.1f  (%s)\n", n,
			    least[n, "none"], "", least[n, calls[n]], calls[n]
			continue
		}
		if (n == "preload" || n == "mark20" || n == "function")
			continue
		printf "%-12s %10.1f %10.1f %10.1f", n, least[n, "none"],
		    least[n, "paused"], least[n, "on"]
		if (n == "clock" || n == "start")
			print ""
		else
			printf " %12.2f\n", least[n, "on"] / (2 * clock)
	}
	print ""
	n = split("registered ascii styled", pairs, " ")
	for (i = 1; i <= n; i++) {
		judge("a pair, " pairs[i] ", recorded", least[pairs[i], "on"],
		    2 * clock + pair, "ns")
		judge("a pair, " pairs[i] ", paused",
		    least[pairs[i], "paused"], paused, "ns")
	}
	judge("more for the start of a process",
	    (least["start", "on"] - least["start", "none"]) / 1e6, start, "ms")
	judge("a Python stack of 20 frames",
	    least["mark20", "stacks"] - least["mark20", "on"], stack + clock,
	    "ns")
	judge("a call of a function of Python: more",
	    least["function", "functions"] - least["function", "none"],
	    python, "ns")
	n = split("read write poll", kinds, " ")
	for (i = 1; i <= n; i++)
		more(kinds[i] ", not recorded: more by", kinds[i],
		    2 * clock + call)
	more("a free mutex: more by", "mutex", lock)
	judge("the same with -t python-gil",
	    least["mutex", "gil"] - least["mutex", "none"], gil, "ns")
	more("a free semaphore: more by", "semaphore", lock)
	more("fgetc: more by", "fgetc", byte)
	more("fread of 8 bytes: more by", "fread", byte)
	if ("mpi_send" in calls) {
		more_mpi("MPI_Send to nobody: more by", "mpi_send",
		    2 * clock + mpi)
		more_mpi("MPI_Iprobe, finds nothing: more by", "mpi_probe",
		    2 * clock + poll)
		more_mpi("MPI_Comm_rank, no wrapper: more by", "mpi_rank", 2)
	}
	judge("an event of NCCL: more by",
	    least["nccl", "nccl"] - least["nccl", "none"], 2 * clock + nccl,
	    "ns")
	judge("osrt: more for the start of a process",
	    (least["preload", "osrt"] - least["preload", "none"]) / 1e3,
	    preload, "us")
	exit bad > 0
}' "$raw" >"$result" && status=0 || status=$?
cat "$result"
exit "$status"
