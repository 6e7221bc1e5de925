#!/usr/bin/env bats
# Small inputs of cases/ among the real data, and what is right of them; their
# README names the kind of mistake that each stands for.  The cases that are
# about evidence are in evidence.bats, those about idle time in advise_idle.bats.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# ---- helpers ----

# stream NAME.tq: in.tq is the case of streams/
stream() {
	data "cases/streams/$1"
	cp "$data" in.tq
}

# one_line TOOL ...: it ends with 1, prints one line of error, and nothing else
one_line() {
	run --separate-stderr -1 "$@"
	# shellcheck disable=SC2154 # set by run
	[[ $stderr != *$'\n'* && $stderr = *:* ]] ||
	    { echo "$*: $stderr"; return 1; }
}

# ---- what is no recording ----

@test "JSON that is no recording is an error of one line, whoever reads it" {
	data cases/not-a-trace.json
	cp "$data" profile.json
	echo '{}' > object.json
	echo '[]' > array.json
	for file in profile.json object.json array.json; do
		for tool in stats advise correlate align 'filter true' \
		    'chrome -o out' 'perfetto -o out' view; do
			# shellcheck disable=SC2086 # words
			one_line tq $tool "$file"
		done
		for tool in extract 'extract --check' stats advise correlate \
		    align 'filter true' perfetto "diff $file"; do
			# shellcheck disable=SC2086 # words
			one_line tq-$tool "$file"
		done
		one_line tq-extract "$file"
		[[ $stderr = "tq-extract: $file: is JSON, but no recording: no traceEvents" ]]
		one_line tq view "$file"
		[[ $stderr = "tq: $file: is JSON, but no trace: no traceEvents" ]]
		[[ ! -e out ]]
	done
}

@test "an empty trace is one, and so is an array that is not closed" {
	echo '{"traceEvents":[]}' > a.json
	run -0 tq-extract a.json
	run -0 tq view a.json
	echo '[{"ph":"X","name":"a","ts":1,"dur":1,"pid":1,"tid":1}' > b.json
	run -0 tq-extract b.json
	[[ $output = *'"name":"a"'* ]]
	run -0 tq view b.json
}

@test "a git-lfs pointer is named by every tool" {
	data cases/lfs-pointer.sqlite
	cp "$data" r.sqlite
	cp "$data" r.tq
	for file in r.sqlite r.tq; do
		for tool in stats advise correlate align 'filter true' \
		    'chrome -o out' 'perfetto -o out' view 'extract --check'; do
			# shellcheck disable=SC2086 # words
			one_line tq $tool "$file"
			[[ $stderr = "tq-extract: $file: a git-lfs pointer, not the file: run 'git lfs pull'" ]]
		done
		for tool in stats advise correlate align 'filter true' \
		    perfetto "diff $file"; do
			# shellcheck disable=SC2086 # words
			one_line tq-$tool "$file"
			[[ $stderr = "tq-${tool%% *}: $file: a git-lfs pointer, not the file: run 'git lfs pull'" ]]
		done
	done
	[[ ! -e out && ! -e r.pftrace ]]
}

# ---- Ascend ----

@test "operations of an NPU are operations of a device, each with its launch" {
	data cases/ascend-torch-npu.json
	tq-extract "$data" | tq-correlate > in.tq
	run -0 jq -rs 'group_by(.kind) | map("\(length) \(.[0].kind)") | .[]' in.tq
	[[ $output = *'88 api'* && $output = *'76 kernel'* ]]
	[[ $(jq -c 'select(.kind == "kernel") | [.pid, .device, .stream, has("api_ts")]' in.tq |
	    sort -u) = '[437675,0,3,true]' ]]
	# what the profiler computed is no range, and no process
	[[ $(grep -c '"Free"\|"Computing"\|Overlap Analysis' in.tq) = 0 ]]
	[[ $(jq -c 'select(.kind == "process") | .name' in.tq) = '"Python"' ]]
	run -0 tq-stats in.tq
	[[ $output = *'1 GPU · 76 operations'* ]]
	[[ $output = *'launch known of 76 of 76 operations'* ]]
}
