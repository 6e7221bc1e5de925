#!/usr/bin/env bats
# What works with nsys profile works with tq-capture, or it says what does not

load helper
load capture

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# mask OPTION ...: what the agent is to record with these options.
mask() {
	tq-capture -q -o x.tq "$@" sh -c 'echo "$TQ_CAPTURE"' |
	    grep -o ' on=[0-9]*'
}

# said: the messages, but for that of an agent that was built without CUDA
said() {
	grep -v 'this agent was built without CUPTI' "$said"
}

@test "a recipe of nsys records, with a line for each thing that is not there" {
	capture -q -t cuda,nvtx,mpi,cublas,cudnn --samples-per-backtrace 4 \
	    -w true -f true -x true -e A=1 -n true \
	    --cuda-memory-usage true --cudabacktrace=none --kill none \
	    --gpu-metrics-device=all --pytorch=none --stats=true \
	    --capture-range=none -d 60 \
	    "$CLIENT" marks 3
	whole
	[ "$(count mark)" = 3 ]
	said | diff - /dev/fd/3 3<<- 'END'
	tq-capture: --trace cublas,cudnn: not recorded; cuda, nvtx, osrt, python-gil, mpi and nccl are
	tq-capture: --gpu-metrics-device all: hardware counters are not recorded; --counters gpu
	tq-capture: --samples-per-backtrace 4: each sample has its stack
	tq-capture: --stats true: tq-stats prints reports of the stream
	END
}

@test "what asks for nothing that is missing is taken without a word" {
	need cupti.h # else CUDA is missing
	capture -q -t cuda,nvtx -s none -b none --cpuctxsw=none -w true \
	    -f true -x true -n true --cudabacktrace=none --python-sampling false \
	    --gpu-metrics-devices none --cuda-graph-trace=node:host-only \
	    --stats=false --export=none --trace-fork-before-exec=true \
	    --flush-on-cudaprofilerstop=true --resolve-symbols=false --strict \
	    "$CLIENT" marks 3
	[[ -z $(said) ]]
	[ "$(count mark)" = 3 ]
}

@test "--strict makes it an error, and the command is not run" {
	run -125 tq-capture --strict --ftrace a/b -o x.tq touch run
	[ "$output" = "tq-capture: --ftrace a/b: ftrace is not recorded" ]
	run -125 tq-capture --strict -t nvtx,cublas -o x.tq touch run
	[ ! -e run ] && [ ! -e x.tq ]
}

@test "options of nsys for CUDA are those of tq-capture with other names" {
	[ "$(mask --cuda-memory-usage=true)" = "$(mask --cuda-memory)" ]
	[ "$(mask --cuda-memory-usage=false)" = "$(mask)" ]
	[ "$(mask --cuda-graph-trace=node)" = "$(mask --cuda-graph node)" ]
	[ "$(mask --cuda-graph-trace=graph:host-and-device)" = "$(mask)" ]
	[ "$(mask --cuda-event-trace=true)" = "$(mask --cuda-events)" ]
	[ "$(mask -t cuda-sw)" = "$(mask -t cuda)" ]
}

@test "-f false keeps a file that is there, and the command is not run" {
	echo before > x.tq
	run -125 tq-capture -f false -o x.tq touch run
	[ "$output" = "tq-capture: x.tq: File exists" ]
	[ "$(< x.tq)" = before ] && [ ! -e run ]
	tq-capture -q -f false -o y.tq "$CLIENT" marks 2
	[ "$(count mark y.tq)" = 2 ]
	tq-capture -q --force-overwrite true -o x.tq "$CLIENT" marks 2
	[ "$(count mark x.tq)" = 2 ]
}

@test "-w false hides what the command prints" {
	capture -w false sh -c 'echo out; echo err >&2; exec "$1" marks 2' sh \
	    "$CLIENT"
	run ! grep -xE 'out|err' "$said"
	grep -q '^tq-capture: .* records' "$said"
	[ "$(count mark)" = 2 ]
	[ "$(tq-capture -q -o x.tq --show-output=false echo out)" = "" ]
	[ "$(tq-capture -q -o x.tq --show-output=true echo out)" = out ]
}

@test "-e sets variables of the command, whose values may have commas" {
	run -0 tq-capture -q -o x.tq -e A=1,B=x=y,CUDA_VISIBLE_DEVICES=0,1 \
	    -e C= sh -c 'echo "$A|$B|$CUDA_VISIBLE_DEVICES|${C-none}"'
	[ "$output" = "1|x=y|0,1|" ]
}

@test "-n false: the command gets the variables of -e, and is recorded" {
	OTHER=1 run -0 tq-capture -q -o x.tq -n false -e A=1 \
	    sh -c 'echo "${A-}|${OTHER-none}|${HOME-none}"'
	[ "$output" = "1|none|none" ]
	capture -q -n false "$CLIENT" marks 3
	[ "$(count mark)" = 3 ]
}

@test "--kill says which signal ends the command with the recording" {
	run -137 capture -q -p a --kill sigkill \
	    "$ANNOTATE" push a mark 1 pop await never
	whole
	[ "$(said_of mark .name)" = 1 ]
	run -138 capture -q -p a --kill 10 "$ANNOTATE" push a pop await never
	run -143 capture -q -d 0.1 --kill sigterm "$ANNOTATE" mark 1 await never
	capture -q -p a --kill none "$ANNOTATE" push a mark 1 pop mark 2
	[ "$(said_of mark .name)" = 1 ]
	capture -q -d 0.1 "$CLIENT" marks 1 wait 200
}

@test "--nvtx-domain-include and --nvtx-domain-exclude choose domains" {
	local verbs="mark 0 push 1 pop in D mark 2 start 3 end in a,b mark 4 \
	    push 5 pop"

	# names OPTION ...: of the marks and ranges that are left
	names() {
		# shellcheck disable=SC2086 # verbs
		capture -q "$@" "$ANNOTATE" $verbs
		whole
		jq -r 'select(.kind | IN("mark", "range")).name' "$tq" |
		    sort | paste -sd ' '
	}
	[ "$(names)" = "0 1 2 3 4 5" ]
	[ "$(names --nvtx-domain-include=D)" = "2 3" ]
	[ "$(names --nvtx-domain-include=default,D)" = "0 1 2 3" ]
	[ "$(names --nvtx-domain-exclude='a\,b')" = "0 1 2 3" ]
	[ "$(names --nvtx-domain-exclude='a\,b,default')" = "2 3" ]
	# what starts the recording need not be in it
	[ "$(names --nvtx-domain-include=D -p 1 --capture-range-end none)" = \
	    "2 3" ]
	run -125 tq-capture --nvtx-domain-include=a --nvtx-domain-exclude=b true
	[ "$output" = "tq-capture: --nvtx-domain-include and\
 --nvtx-domain-exclude exclude each other" ]
}

@test "repeat-shutdown:N ends the command after N ranges" {
	run -143 capture -q -p a --capture-range-end repeat-shutdown:2 \
	    "$ANNOTATE" push a mark 1 pop mark 2 push a mark 3 pop await never
	[ "$(said_of mark .name | paste -sd ' ')" = "1 3" ]
}

@test "a time without a unit is in seconds" {
	capture -q -d 60 "$CLIENT" marks 1 wait 20 marks 1
	[ "$(count mark)" = 2 ]
	capture -q -y 0.1 "$CLIENT" marks 1 wait 200 marks 1
	[ "$(count mark)" = 1 ]
}

@test "the table of the man page has each option of nsys that is taken" {
	local name

	sed -n 's/^NSYS([A-Z0-9_]*, [^,]*, "\([a-z0-9-]*\)".*/\1/p' \
	    "$top/cmd/tq-capture/nsys.def" > names
	[ "$(wc -l < names)" -gt 31 ]
	while read -r name; do
		grep -qE -e "^--$name( |$|,)|, --$name( |$|,)" \
		    "$top/man/tq-capture.1" || {
			echo "no $name"
			return 1
		}
		run -0 tq-capture -q -o x.tq "--$name=x" true
		[[ $output = *"--$name x: "* ]]
	done < names
}
