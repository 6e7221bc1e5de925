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
		[[ $stderr = "tq-extract: $file: is JSON, but no recording: no traceEvents" ]]
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

# ---- devices ----

# busy FILE: of each device that runs no other, busy % of its wall
shares() {
	tq-stats -q -f csv -r gaps_sum,device_time,hta_breakdown,account "$1" |
	    awk -F , '
	/^PID/ { delete share; for (i = 1; i <= NF; i++) share[i] = /dummy/ || $i ~ /\(%\)/; next }
	{ for (i = 1; i <= NF; i++) if (share[i] && $i != "") print $i }'
	tq-stats -q -f json1 "$1" | grep -o '[0-9.]* %' | tr -d ' %'
	tq-stats -q "$1" | grep -o '[0-9.]* %' | tr -d ' %'
	tq-advise -v "$1" | grep -o '[0-9.]* %' | tr -d ' %'
}

@test "no share is above 100 %, whatever devices share a uuid" {
	for name in same_uuid_one_process two page_gaps page_idle page_shares \
	    open_op min4 min5; do
		stream $name.tq
		tq-correlate in.tq > c.tq 2> /dev/null
		for file in in.tq c.tq; do
			shares $file > shares
			[[ -s shares ]]
			awk '$1 > 100 { print; bad = 1 } END { exit bad }' shares ||
			    { echo "$name $file"; return 1; }
		done
	done
}

@test "a GPU that two processes share is one on the page, two devices of a process that share a uuid are two" {
	stream two.tq
	[[ $(tq-stats in.tq) = *' · 1 GPU (G) · 4 operations'* ]]
	# 4 us busy of 952 us, in all reports
	[[ $(tq-stats -q -f csv -r device_time in.tq | tail -n 1) = ,,952000,4000,* ]]
	[[ $(tq-stats -q -f csv -r gaps_sum in.tq | grep ^,,busy) = ,,busy,4,4000,0.4,* ]]
	[[ $(tq-stats in.tq) = *'The GPU idles 99.6 % of the time.'* ]]
	stream same_uuid_one_process.tq
	[[ $(tq-stats in.tq) = *' · 2 GPUs (G) · 4 operations'* ]]
	[[ $(tq-stats -q -f csv -r device_time in.tq | cut -d , -f 2,4 | tail -n 2 | xargs) = '0,2000 1,2000' ]]
	[[ $(tq-stats in.tq) = *'The GPUs idle 99.8 % of the time.'* ]]
}

@test "a gap before an operation without a name is before nothing" {
	stream page_shares.tq
	run -0 tq-stats in.tq
	[[ $output = *'Longest: '* && $output != *'before .'* ]]
}

@test "a kernel that never ended is busy to the end in all reports" {
	stream open_op.tq
	tq-correlate in.tq > c.tq
	[[ $(tq-stats -q -f csv -r gaps_sum c.tq | grep ,busy, | cut -d , -f 6) = 90.1 ]]
	[[ $(tq-stats -q -f csv -r device_time c.tq | tail -n 1 | cut -d , -f 4,8) = 891100,90.1 ]]
	[[ $(tq-stats -q -f csv -r hta_breakdown c.tq | tail -n 1 | cut -d , -f 5,8) = 891100,90.2 ]]
	[[ $(tq-stats -q -f csv -r account c.tq | awk -F , '$5 == "compute" { n += $7 } END { print n }') = 891100 ]]
	[[ $(tq-stats c.tq) = *'The GPU computes 90.1 % of the time, idles 9.9 %.'* ]]
	[[ $(tq-advise c.tq) = *': compute 90.2 %, '* ]]
}

# ---- spelling ----

@test "an API that is spelt with escapes counts as itself" {
	stream escaped_api.tq
	run -0 tq-stats -q -f csv -r cuda_api_sum in.tq
	[[ ${lines[1]} = 100.0,10,1,*,cuLaunch ]]
}

@test "words of the stream mean the same with escapes in them" {
	data cases/streams/min5.tq
	# the last character of each word as \uXXXX
	jq -c . "$data" > plain.tq
	python3 - plain.tq > escaped.tq <<-'PY'
	import re, sys
	keys = "api|domain|category|copy|src|dst|mode|op|mem|state|reason|sync"
	for line in open(sys.argv[1]):
	    print(re.sub(r'"(%s)":"([^"\\]*)([^"\\])"' % keys,
	        lambda m: '"%s":"%s\\u%04x"' % (m[1], m[2], ord(m[3])),
	        line), end="")
	PY
	grep -q '\\u0065' escaped.tq
	for tool in 'tq-stats -q -f json1' 'tq-advise -f ndjson' \
	    'tq-stats -q -f csv -r cuda_api_sum,memory,gaps_sum,torch_ops,step'; do
		$tool plain.tq | sed 's/plain/F/g' > expected 2>&1 || true
		$tool escaped.tq | sed 's/escaped/F/g' > got 2>&1 || true
		diff expected got
	done
}

@test "members of args stay JSON on the way through render stages" {
	stream render_stages_args.tq
	tq-perfetto -q --gpu-model render-stages in.tq 2> /dev/null |
	    tq-extract 2> /dev/null > out.tq
	jq -c . out.tq > /dev/null
	[[ $(jq -c 'select(.kind == "kernel" or .kind == "memcpy") | .args.a' out.tq | xargs) = '1 1' ]]
}

# ---- hostile names ----

@test "names with escapes, HTML and line ends reach nobody raw" {
	need jq
	for name in evil evil2 diff_b md; do
		stream $name.tq
		data cases/streams/diff_a.tq
		for format in table markdown html csv; do
			tq-stats -q -f $format in.tq > out 2>&1 || true
			tq-stats -q -f $format -r next,run,cuda_gpu_kern_sum in.tq >> out 2>&1 || true
			case $format in
			table)
				tq-advise -v in.tq >> out 2>&1
				tq-align --report in.tq >> out 2>&1 || true
				tq-diff "$data" in.tq >> out 2>&1
				;;
			*)
				[[ $format = html ]] ||
				    tq-advise -f $format in.tq >> out 2>&1
				tq-diff -f $format "$data" in.tq >> out 2>&1
				;;
			esac
			[[ -s out ]]
			# escapes, C1, and what turns the direction of a text
			if LC_ALL=C grep -naP '[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]' out; then
				echo "$name $format"
				return 1
			fi
			case $format in
			html) (($(grep -c '<img\|<script>alert' out) == 0)) ;;
			markdown) (($(sed 's/\\\\//g' out | grep -c '[^\\]<img\|[^\\]<script') == 0)) ;;
			esac
		done
	done
}

# ---- captures ----

@test "a recording of tq-capture that is out of order is said to be, and read" {
	stream capture_out_of_order.tq
	run --separate-stderr tq-stats in.tq
	((status <= 1))
	[[ -n $output ]]
	run --separate-stderr tq-extract in.tq
	((status <= 1))
	jq -s -e '[.[] | select(.kind != "end" and has("ts")) | .ts] | . == sort' <<< "$output"
}
