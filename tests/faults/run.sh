#!/bin/sh
# run.sh - make faults: what do the programs do where a call of theirs fails?
#
# Sweeps each of tests/faults/commands (see sweep.c for the law), or those with
# the words of the arguments in them.  Prints each breach, and last a line with
# the numbers; exits 1 where there is a breach.
#
# Environment:
#	BUILD	the programs, with report, faults/sweep and faults/shim.so
#	POINTS	of each kind of call, how many fail; all if unset
#	JOBS	how many commands are swept at once
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 1

# ---- one command: called by xargs ----

if [ "${1-}" = --one ]; then # FOLDER LINE
	mkdir "$2/of" && cd "$2/of" || exit 1
	line=$3
	set -- # the options of sweep
	case $line in
	%*)
		set -- -l
		line=${line#%}
		;;
	'<'*)
		input=${line#<}
		set -- -i "../../${input%% *}"
		line=${line#* }
		;;
	esac
	if [ -n "${POINTS-}" ]; then
		set -- "$@" -n "$POINTS"
	else
		set -- "$@" -a
	fi
	# in one piece: others print, too
	eval "sweep \"\$@\" \"\$BUILD/faults/shim.so\" $line" > ../report 2>&1
	exec cat ../report
fi

# ---- all commands ----

BUILD=$(cd "${BUILD:-build}" && pwd) || exit 1
PATH=$BUILD/faults:$BUILD:$PATH
export BUILD PATH
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# a stream that is in order but for its slack: each record up to 4 places late
shuffle()
{
	awk '
	/"kind":"trace"/ { sub(/}$/, ",\"slack\":2000000000}"); print; next }
	/"kind":"end"/ { last = $0; next }
	{ line[n++ % 4] = $0 }
	n % 4 == 0 { for (i = 3; i >= 0; i--) print line[i] }
	END { for (i = 0; i < n % 4; i++) print line[i]; print last }'
}

# a stream between two calls for the profiler
profile()
{
	awk '
	/"kind":"api"/ && ++n == 10 { sub(/"name":"[^"]*"/, "\"name\":\"cudaProfilerStart\"") }
	/"kind":"api"/ && n == 200 { sub(/"name":"[^"]*"/, "\"name\":\"cudaProfilerStop\"") }
	{ print }'
}

make_inputs()
(
	set -e
	cd "$work"
	for name in base mpi odd unsorted; do
		sh "$here/../data/make.sh" "$name" | sqlite3 "$name.sqlite"
	done
	sqlite3 demo.sqlite < "$here/../../examples/demo.sql"
	tq-extract -o demo.tq demo.sqlite
	tq-extract -o base.tq base.sqlite
	tq-correlate -o cor.tq demo.tq
	for file in base.sqlite demo.tq cor.tq; do
		zstd -q "$file"
		gzip -nk "$file"
	done
	shuffle < base.tq > slack.tq
	tq-stats --partial -r cuda_gpu_kern_sum,nvtx_sum -o a.part cor.tq
	tq-stats --partial -r cuda_gpu_kern_sum,nvtx_sum -o b.part demo.tq
	echo 'gemm #ff0000' > colors
	echo 'gemm name ~ /gemm/' > tags
	profile < demo.tq > profiled.tq
	report < "$here/../data/report.txt" > report.nsys-rep
)

make_inputs || exit 1
grep -v '^#\|^$' "$here/commands" > "$work/all"
for word; do
	grep -F -- "$word" "$work/all" > "$work/some"
	mv "$work/some" "$work/all"
done
n=0
while IFS= read -r line; do
	n=$((n + 1))
	mkdir "$work/$n"
	printf '%s\0%s\0' "$work/$n" "$line"
done < "$work/all" |
    xargs -0 -n 2 -P "${JOBS:-$(nproc)}" sh "$here/run.sh" --one 2>&1 |
    awk '
	/^[0-9]+ executions, / {
		commands++
		executions += $1
		breaches += $3
		if ($3 > 0)
			print
		next
	}
	{ print; other++ }
	END {
		printf "%d commands, %d executions, %d breaches\n", commands,
		    executions, breaches
		exit (breaches > 0 || other > 0 || commands == 0)
	}'
