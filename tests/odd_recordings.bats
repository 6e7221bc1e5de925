#!/usr/bin/env bats
# Recordings that are hardly any, that contradict themselves, or that are much of
# one thing: each gets sentences that are true, and no number that is none.

load helper

setup_file() {
	need jq
	cd "$BATS_FILE_TMPDIR" || return
	nothing | whole > none.tq
	kernels 1 1 > one; whole < one > one.tq
	kernels 1 2 > two; whole < two > two.tq
	{ steps 1 0 90000; work 1 4; } | whole > one_step.tq
	{ steps 6 100000 250000; work 6 4; } | whole > overlap.tq
	{ steps 6 100000 90000; steps 1 0 1000000; work 6 4; } | whole > nested.tq
	{ steps 6 100000 90000; work 6 4; } | whole | head -n 33 > cut.tq
	{ steps 6 100000 90000; work 6 4; } | whole > steps.tq
	{ steps 6 100000 0; work 6 4; } | whole > empty_steps.tq
	{ steps 6 100000 90000; work 6 4 700; } | whole > contradiction.tq
	migrations 300 | whole > migrations.tq
	for file in *.tq; do
		tq-correlate -o "c_$file" "$file" 2> /dev/null || true
	done
	rm -f one two
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return
}

# ---- helpers ----

nothing() {
	:
}

# whole: a stream of the records, in order of time
whole() {
	echo '{"kind":"trace","version":1,"source":"test"}'
	jq -cs 'sort_by(.ts) | .[], {"kind":"end","events":length,"dropped":0}'
}

# kernels FROM TO: kernels of 5 us without calls
kernels() {
	local i

	for ((i = $1; i <= $2; i++)); do
		echo '{"kind":"kernel","ts":'$((i * 10000))',"dur":5000,"pid":1,"corr":'$i',"name":"k","device":0,"context":1,"stream":7}'
	done
}

# steps N APART NS: N steps of NS, which begin APART
steps() {
	local i

	for ((i = 1; i <= $1; i++)); do
		echo '{"kind":"range","ts":'$((i * $2))',"dur":'"$3"',"pid":1,"tid":1,"name":"step '$i'","id":'$((i + $3))',"mode":"push"}'
	done
}

# work N M [RET]: in each of N steps M launches and their kernels
work() {
	local s i at

	for ((s = 1; s <= $1; s++)); do
		for ((i = 1; i <= $2; i++)); do
			at=$((s * 100000 + i * 10000))
			echo '{"kind":"api","ts":'$at',"dur":1000,"pid":1,"tid":1,"corr":'$((s * 10 + i))',"name":"cudaLaunchKernel","ret":'"${3:-0}"'}'
			echo '{"kind":"kernel","ts":'$((at + 2000))',"dur":5000,"pid":1,"corr":'$((s * 10 + i))',"name":"k","device":0,"context":1,"stream":7}'
		done
	done
}

# migrations N: of unified memory, to the host
migrations() {
	local i

	for ((i = 1; i <= $1; i++)); do
		echo '{"kind":"memcpy","ts":'$((i * 1000))',"dur":900,"pid":1,"device":0,"context":1,"bytes":65536,"copy":"UVM DtoH","cause":"page fault"}'
	done
}

# true_numbers COMMAND ...: it ends with 0 or 1, and prints no share above 100 %,
# and nothing that is no number
true_numbers() {
	run "$@"
	((status <= 1)) || { echo "$*: status $status: $output"; return 1; }
	if grep -iwE -- '-?(nan|inf|infinity)' <<< "$output" ||
	    grep -oE '[0-9.]+ %' <<< "$output" | awk '$1 > 100' | grep . ||
	    grep -E '(^|[^-+a-zA-Z0-9.])-[0-9.]+ (ns|us|ms|s|%)' <<< "$output"; then
		echo "$*"
		return 1
	fi
}

# ---- every form of them ----

@test "the page has true numbers, as text, HTML and JSON" {
	for file in *.tq; do
		for format in table html json; do
			true_numbers tq-stats -f $format "$file"
		done
	done
}

@test "reports of steps, gaps and units have true numbers" {
	for file in *.tq; do
		true_numbers tq-stats -r step,step_sum,gaps,gaps_sum,hta_idle,torch_steps "$file"
		true_numbers tq-stats -r account "$file"
		true_numbers tq-stats -r account --per step "$file"
	done
}

@test "tq-advise has true numbers" {
	for file in *.tq; do
		true_numbers tq-advise -v "$file"
		true_numbers tq-advise -f json1 "$file"
		true_numbers tq-advise -r nsys "$file"
	done
}

@test "tq-diff of a recording with itself finds no change" {
	for file in c_*.tq; do
		true_numbers tq-diff "$file" "$file"
		[[ $output = *verdict* ]]
		[[ $output != *slower* && $output != *faster* ]] ||
		    { echo "$file: $output"; return 1; }
		true_numbers tq-diff --per step "$file" "$file"
	done
}

@test "tq-diff of any two of them ends, and prints a verdict" {
	for a in c_*.tq; do
		for b in c_none.tq c_two.tq c_steps.tq; do
			run tq-diff "$a" "$b"
			((status <= 1))
			[[ $output = *verdict* ]]
			if grep -iwE -- '-?(nan|inf)' <<< "$output"; then
				echo "$a $b"
				return 1
			fi
		done
	done
}

# ---- what they say ----

@test "0, 1 and 2 operations" {
	run -0 tq-stats c_none.tq
	[[ $output = *'Nothing was recorded but names of processes and threads.'* ]]
	run -0 tq-advise c_none.tq
	[[ $output = 'tq-advise: nothing stands out: no operation of a device, and no steps' ]]
	run -0 tq-stats c_one.tq
	[[ $output = *'The GPU computes 100.0 % of the time.'* ]]
	run -0 tq-stats c_two.tq
	[[ $output = *'The GPU computes 66.7 % of the time, idles 33.3 %.'* ]]
}

@test "a recording that was cut in a step says so, and counts what it has" {
	run tq-stats c_cut.tq
	((status == 1))
	[[ $output = *' · cut before its end'* ]]
	[[ $output = *'The stream was cut before its end.'* ]]
	[[ $output != *'nothing lost'* ]]
	run tq-advise c_cut.tq
	[[ $output = *'The stream was cut before its end'* ]]
}

@test "one step, and steps that nest or overlap, are counted as they are" {
	[[ $(tq-advise c_one_step.tq) = *', 1 step'* ]]
	[[ $(tq-advise c_overlap.tq) = *', 6 steps'* ]]
	# the outermost range of the name
	[[ $(tq-advise c_nested.tq) = *', 1 step'* ]]
}

@test "operations of calls that all failed are there, and contradict them" {
	run -0 tq-advise c_contradiction.tq
	[[ $output = *'24 of 24 cudaLaunchKernel failed: 700 cudaErrorIllegalAddress'* ]]
	[[ $output = *'Yet 24 operations of it were recorded.'* ]]
	[[ $(tq-stats c_contradiction.tq) = *'No verdict: 24 of 24 cudaLaunchKernel failed'* ]]
}

@test "only migrations: they are copies, and their cause is named" {
	[[ $(tq-stats c_migrations.tq) = *'The GPU idles 10.0 % of the time, copies 90.0 %.'* ]]
	run -0 tq-advise -v c_migrations.tq
	[[ $output = *'The host touches managed memory that is on the device: 300 migrations'* ]]
}

@test "copies beside which nothing computes are told to be fewer, and not to overlap" {
	copies() {
		for i in {0..59}; do
			echo '{"kind":"memcpy","ts":'$((i * 1000000))',"dur":900000,"pid":1,"corr":'$i',"copy":"DtoD","bytes":1000000,"device":0,"stream":7}'
		done
	}
	copies | whole > copies.tq
	tq-advise copies.tq | grep -F 'do    The device computes nothing that could hide it. Copy less: keep data on the device, or use smaller types.'
}

@test "a rule file that asks for gaps after a call is told what to write" {
	printf '%s\n' 'rule x' 'when kind == "api"' 'claim gaps after' 'title t' > old.rules
	run -2 --separate-stderr tq-advise -R old.rules c_steps.tq
	# shellcheck disable=SC2154 # set by run
	[[ $stderr = "tq-advise: old.rules:3: write 'gaps over, host after': "* ]]
}

@test "100,000 streams take seconds, and memory for them only" {
	need native no-sanitizer # which needs addresses
	awk 'BEGIN {
		print "{\"kind\":\"trace\",\"version\":1,\"source\":\"test\"}"
		for (i = 1; i <= 100000; i++)
			printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":500,\"pid\":1,\"corr\":%d,\"name\":\"k\",\"device\":0,\"context\":1,\"stream\":%d,\"api_ts\":%d,\"api_dur\":100,\"api_name\":\"cudaLaunchKernel\",\"tid\":1}\n", i * 1000, i, i, i * 1000 - 200
		print "{\"kind\":\"end\",\"events\":100000,\"dropped\":0}"
	}' > many
	for tool in 'tq-stats' 'tq-stats -f html' 'tq-stats -r gaps,gaps_sum,step' \
	    tq-advise 'tq-diff many'; do
		# 256 MB; 60 s of processor
		# shellcheck disable=SC2086 # words
		(ulimit -v 262144 -t 60; $tool many > out) ||
		    { echo "$tool"; return 1; }
		[[ -s out ]]
	done
	rm many
}
