#!/usr/bin/env bats
# tq-extract: Chrome Trace Event JSON, which PyTorch's profiler writes

load helper

# the traces of the real data; those that are small
SMALL_TRACES=(cuda13-kineto-2026 hta-backward-thread hta-critical-path-overlay
	hta-large-integer rocm6.2-mi250-steps rocm6.4-compile-triton
	rocm6.4-mi210-gpu-only rocm7-vllm-graph torch-2022-steps
	torch-2023-cupti-counters torch-2024-cuda-sync)
TRACES=("${SMALL_TRACES[@]}" cuda12.4-h100-qwen-stacks-memory
	cuda12.9-b200-eager-overhead torch-1.9-memory torch-2.4-nccl-ddp
	torch-2020-bare-array torch-2022-sampled-rank0 torch-2022-sampled-rank1
	torch-2026-mtia)
# the awkward ones of other programs
ODD=(bex-interaction end-event-with-empty-stack end-non-top-of-stack
	event-reordering-name-match hermes-multiple-frames invalid-x-nesting
	matching-x mismatched-args mismatched-name multi-thread-with-samples
	multiprocess must-retain-original-order not-enough-end-events
	only-begin-events out-of-order out-of-order-unbalanced-name
	perfetto-flow_events_json_v1 perfetto-flow_events_json_v2 simple
	simple-hermes simple-object simple-partial
	simple-partial-trailing-comma simple-partial-whitespace
	simple-with-samples simultaneous-anonymous-calls
	tensorflow-profiler-trace too-many-end-events unbalanced-args
	unbalanced-name x-events-matching-end x-events-matching-start
	zero-duration-events)
# those whose records were written down
WHOLE=(cuda13-kineto-2026 hta-backward-thread hta-large-integer
	rocm6.2-mi250-steps rocm6.4-compile-triton torch-2024-cuda-sync)
BROKEN=(bom-string-ids control-characters decimals member-order
	truncated-array two-hosts)

# trace TEXT: write it to the file t.json
trace() {
	printf '%s' "$1" > t.json
}

# records [KEYS]: what tq-extract makes of t.json but for its frame, a line each
records() {
	tq-extract t.json |
	    jq -c 'select(.kind | IN("trace", "end", "process") | not)'"${1+ | $1}"
}

# as the reference has them: definitions other than symbols, losses, ids of
# ranges, stacks, and where an arrow is bound, are ours alone.  A counter is a
# number with us, and its name with them.
as_reference() {
	jq -cS 'select(.kind | IN("trace", "end", "process", "thread", "device",
	    "stream", "stack", "counterdef", "lost", "diagnostic") | not) |
	    del(.args.bp?, .stack, .counter) |
	    if .kind == "range" then del(.id) else . end |
	    if .args == {} then del(.args) else . end'
}

# what the reference program makes of a trace, but where it is wrong: it cuts
# the name of a kernel at a ">" between parentheses, and it changes the id of an
# arrow from hexadecimal to decimal
from_reference() {
	python3 "$DATA/kineto/golden/chrome_ref.py" "$1" |
	    jq -cS 'del(.counter) |
	    if .name == "enable_if" then .name = "fused_add_rms_norm_kernel" else . end |
	    {"1026": "0x402", "1027": "0x403"}[.flow // ""] as $hex |
	    if $hex then .flow = $hex else . end'
}

# balanced [OPTION ...] FILE: does --check tell of each event what became of it?  Prints how
# many there are.
balanced() {
	tq-extract --check "$@" | balance
}

# balance: the same of the tables on stdin
balance() {
	awk '
	/ [0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+$/ {
		if ($(NF - 4) != $(NF - 3) + $(NF - 2) + $(NF - 1) + $NF) bad++
		events += $(NF - 4)
	} END { print events; exit bad > 0 }'
}

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# ---- real traces ----

@test "real traces become the records that the reference makes, one by one" {
	data kineto
	for name in "${WHOLE[@]}"; do
		cmp <(tq-extract "$data/$name.json.zst" | as_reference) \
		    <(zstd -dc "$data/golden/$name.ref.ndjson.zst" | jq -cS .)
	done
	for name in "${BROKEN[@]}"; do
		cmp <(tq-extract "$data/broken/$name.json" | as_reference) \
		    <(jq -cS . "$data/broken/$name.json.ref.ndjson")
	done
}

@test "every trace becomes the records that the reference program makes of it now" {
	need python3
	data kineto
	traces=("${SMALL_TRACES[@]}")
	[[ ! ${CHECK_ALL-} ]] || traces=("${TRACES[@]}")
	for name in "${traces[@]}"; do
		cmp <(tq-extract "$data/$name.json.zst" | as_reference) \
		    <(from_reference "$data/$name.json.zst")
	done
}

@test "traces of other programs, and awkward ones, are as the reference has them" {
	need python3
	data other
	for name in viztracer-async.json.zst viztracer-logging.json.zst \
	    viztracer-multithread.json.zst viztracer-vdb_basic.json \
	    "${ODD[@]/#/trace-event/}"; do
		[[ $name = *.json* ]] || name=$name.json
		cmp <(tq-extract "$data/$name" 2> /dev/null | as_reference) \
		    <(from_reference "$data/$name")
		balanced "$data/$name" > n
	done
}

@test "of every real trace, kinds have the records, durations and bytes of the reference" {
	data kineto
	for name in "${TRACES[@]}"; do
		tq-extract "$data/$name.json.zst" | jq -r '
		    select(.ts != null and .kind != "diagnostic") |
		    [.kind, .api // .copy // .op // .sync // .phase //
		    ([.domain, .category | values | select(. != "")] |
		    join("/") | select(. != "")) // "-",
		    .ts, .dur // 0, .bytes // 0] | @tsv' | awk -F'\t' -v OFS='\t' '
		    { k = $1 FS $2; n[k]++; dur[k] += $4; bytes[k] += $5; end = $3 + $4
		    if (!(k in min) || $3 < min[k]) min[k] = $3
		    if (!(k in max) || end > max[k]) max[k] = end }
		    END { for (k in n)
		    printf "%s\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\n", k, n[k], dur[k], min[k], max[k], bytes[k] }' |
		    sort > ours
		sed '1d; /^#/d' "$data/golden/$name.counts.tsv" | sort > theirs
		diff ours theirs
	done
}

@test "--check: of every real trace, events are records, halves, folded and lost" {
	data kineto
	for name in "${TRACES[@]}"; do
		[ "$(balanced "$data/$name.json.zst")" = \
		    "$(awk '$1 == "#events" { print $2 }' "$data/golden/$name.counts.tsv")" ]
	done
}

@test "a trace of PyTorch goes through the whole suite" {
	data kineto/torch-2.4-nccl-ddp.json.zst
	tq-extract -o t.tq "$data"
	run -0 --separate-stderr tq-correlate -v -o c.tq t.tq
	[[ $stderr = *'3774 operations: 3774 resolved'* ]]
	tq-stats c.tq > page
	grep -q 'ncclKernel_AllReduce' page
	tq-chrome -o t.json c.tq
	tq-perfetto -o t.pftrace c.tq
	[ "$(tq-filter -k kernel c.tq | grep -c '"kind":"kernel"')" = 2700 ]
}

@test "operators have the times on the device that the reference has" {
	data kineto
	for name in torch-2022-steps torch-2.4-nccl-ddp rocm6.2-mi250-steps; do
		sed 1d "$data/golden/$name.ops.tsv" | cut -f 1,5,6 | grep -v '	0	0$' | sort > theirs
		tq-extract "$data/$name.json.zst" | tq-correlate |
		    tq-stats -r key_averages -f json1 --plain-keys |
		    jq -r '.[] | select(.name != "" and .device_total_ns > 0) |
		    [(.name | sub("^(torch|python):"; "")), .self_device_ns, .device_total_ns] | @tsv' |
		    sort > ours
		diff ours theirs
	done
}

@test "tq runs tq-extract before the tools that read streams" {
	trace '[{"ph": "X", "cat": "cpu_op", "name": "o", "pid": 9, "tid": 9, "ts": 1, "dur": 9}]'
	cmp <(tq stats -r nvtx_sum t.json) <(tq-extract t.json | tq-stats -r nvtx_sum)
}

@test "all kernels of AMD are resolved, also those of a graph" {
	data kineto/rocm7-vllm-graph.json.zst
	run -0 --separate-stderr tq-correlate -v -o c.tq <(tq-extract "$data")
	[[ $stderr = *'434 operations: 434 resolved (421 launched by a graph)'* ]]
	[ "$(jq -r 'select(.kind == "api") | .api' c.tq | sort -u)" = hip ]
}

# ---- what is no JSON ----

@test "an event that is no JSON is lost alone, and told" {
	data kineto/broken/unescaped-name.json
	run -1 --separate-stderr tq-extract "$data"
	[ "$(jq -r 'select(.kind == "range") | .name' <<< "$output" | xargs)" = \
	    "aten::add aten::mul" ]
	[ "$(jq -c 'select(.kind == "lost") | [.reason, .count]' <<< "$output")" = '["syntax",1]' ]
	[ "$(jq 'select(.kind == "end") | .dropped' <<< "$output")" = 1 ]
	[[ $stderr = *'byte 208: an event that is not JSON'* ]]
}

@test "NaN, Infinity, commas before brackets and raw control characters are read" {
	trace '{"traceEvents": [{"ph": "X", "name": "a	b", "pid": 5, "tid": 5, "ts": 1,
	    "dur": 1, "args": {"x": NaN, "y": [Infinity, -Infinity,],}},],}'
	[ "$(records '[.name, .args.x, .args.y]')" = '["a\tb","NaN",["Infinity","-Infinity"]]' ]
}

@test "a backslash that escapes nothing stands for itself" {
	trace '[{"ph": "i", "name": "C:\temp\q\u00e9\ud83d\ude00\u12", "ts": 1}]'
	[ "$(records .name)" = '"C:\temp\\qé😀\\u12"' ]
	run -0 tq-extract --check t.json
	[[ $output = *'strings repaired: 1'* ]]
}

@test "a file that was cut has its events, no end, a warning and status 1" {
	trace '{"traceEvents": [{"ph": "i", "name": "a", "ts": 1}, {"ph": "i", "na'
	run -1 --separate-stderr tq-extract t.json
	[ "$(jq -r .kind <<< "$output" | xargs)" = 'trace mark' ]
	[[ $stderr = *'t.json: byte 52: the file ends within an event' ]]
	trace '[{"ph": "i", "name": "a", "ts": 1},'
	run -0 --separate-stderr tq-extract t.json
	[ "$(jq -r .kind <<< "$output" | xargs)" = 'trace mark end' ]
	trace '{"traceEvents": [{"ph": "i", "name": "a", "ts": 1}] "x": 1}'
	run -0 tq-extract t.json # a comma too few loses nothing
	trace '{"traceEvents": [{"ph": "i", "name": "a", "ts": 1}], x: 1}'
	run -1 --separate-stderr tq-extract t.json
	[[ $stderr = *'byte 53: is not JSON' ]]
}

@test "a compressed file that was cut is an error" {
	trace "[$(yes '{"ph": "i", "name": "a", "ts": 1},' | head -5000)"
	gzip -k t.json
	head -c 200 t.json.gz > cut.json.gz
	run -1 --separate-stderr tq-extract cut.json.gz
	[[ $stderr = *'cut.json.gz: byte '*'gzip data is truncated' ]]
	cmp <(tq-extract t.json.gz) <(tq-extract t.json)
	zstd -q t.json
	cmp <(tq-extract t.json.zst) <(tq-extract - < t.json)
}

@test "empty arrays, elements that are no events, unknown phases" {
	trace '{"traceEvents": []}'
	[ "$(tq-extract t.json | jq -r .kind | xargs)" = 'trace end' ]
	trace '[{}, {"name": 1}, 7, "x", {"ph": "Q", "ts": 1}, {"ph": "X", "name": "no time"},
	    {"ph": "X", "ts": "1e", "dur": 1}, {"ph": "C", "ts": 1, "args": {"a": "x"}},
	    {"ph": "E", "ts": 1}]'
	run -1 --separate-stderr tq-extract t.json
	[ "$(jq -c 'select(.kind == "lost") | [.reason, .count]' <<< "$output" | xargs)" = \
	    '[not an object,2] [no phase,1] [unknown phase,1] [no time,2] [counter value,1] [end without begin,1]' ]
}

@test "JSON of which no object has a phase is no trace" {
	# as Triton, the server, writes the times of its requests
	local times='{"id": 1, "timestamps": [{"name": "QUEUE_START", "ns": 5}]}'

	for objects in "[$times, $times]" '[{"name": "a"}]' '[{"a": 1}, {"b": 2}]' \
	    "{\"traceEvents\": [{\"name\": \"a\"}]}"; do
		trace "$objects"
		run -1 --separate-stderr tq-extract t.json
		[[ -z $output ]]
		[ "$stderr" = 'tq-extract: t.json: is JSON, but no recording: no event has a phase' ]
	done
	trace '[{"ph": "XX", "ts": 1}]' # a phase, which nobody knows
	run -1 tq-extract t.json
	[[ $output = *'"reason":"unknown phase"'* ]]
	trace '{"traceEvents": [{}]}' # as XProf ends its traces
	[ "$(tq-extract t.json | jq -r .kind | xargs)" = 'trace end' ]
}

@test "only numbers are values of counters, and versions of devices" {
	trace '{"deviceProperties": [{"id": 0, "computeMajor": "9", "computeMinor": [1]}],
	    "traceEvents": [{"ph": "C", "name": "c", "ts": 1, "args": {"a": "2024-01-02",
	    "b": "10.0.0.1", "c": "007", "d": -2.5e1}}]}'
	run -1 --separate-stderr tq-extract t.json
	[ "$(jq -c 'select(.kind == "counter") | .value' <<< "$output")" = -25 ]
	[ "$(jq -c 'select(.kind == "lost") | .count' <<< "$output")" = 3 ]
	[ "$(jq -c 'select(.kind == "device") | .cc' <<< "$output")" = null ]
}

@test "--kinds of a file that was cut exits 1" {
	trace '{"traceEvents": [{"ph": "i", "name": "a", "ts": 1}, {"ph": "i", "na'
	run -1 --separate-stderr tq-extract --kinds t.json
	[ "$output" = "mark	1" ]
}

# all phases, and Kineto's categories
everything() {
	cat <<- 'END'
	{"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "G"}],
	"baseTimeNanoseconds": 1711964646000000000, "traceEvents": [
	{"ph": "M", "name": "process_name", "pid": 9, "args": {"name": "python"}},
	{"ph": "X", "cat": "cpu_op", "name": "o", "pid": 9, "tid": 9, "ts": 1, "dur": 9.125,
	 "args": {"External id": 4, "Input Dims": [[2, 3], []], "s": "a\u00e9\n"}},
	{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel_v7000", "pid": 9, "tid": 9,
	 "ts": 2.5, "dur": 1, "args": {"correlation": 7, "External id": 4}},
	{"ph": "X", "cat": "kernel", "name": "void k<int>(float*)", "pid": 0, "tid": 7, "ts": 3,
	 "dur": 4, "args": {"correlation": 7, "stream": 7, "device": 0, "grid": [1, 2, 3],
	 "block": [4, 5, 6], "registers per thread": 8}},
	{"ph": "s", "cat": "ac2g", "id": 7, "name": "ac2g", "pid": 9, "tid": 9, "ts": 2.5},
	{"ph": "f", "cat": "fwdbwd", "id": 7, "bp": "e", "name": "w", "pid": 9, "tid": 9, "ts": 2.5},
	{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pageable -> Device)", "pid": 0,
	 "tid": 7, "ts": 8, "dur": 1, "args": {"bytes": 64, "kind": "HtoD"}},
	{"ph": "i", "name": "[memory]", "pid": 9, "tid": 9, "ts": 4, "s": "t",
	 "args": {"Bytes": -64, "Device Type": 1, "Device Id": 0, "Addr": 4096}},
	{"ph": "B", "name": "b", "pid": 9, "tid": 8, "ts": 1}, {"ph": "E", "pid": 9, "tid": 8, "ts": 2},
	{"ph": "b", "cat": "c", "id": "0x1", "name": "n", "pid": 9, "tid": 8, "ts": 1},
	{"ph": "e", "cat": "c", "id": "0x1", "name": "n", "pid": 9, "tid": 9, "ts": 3},
	{"ph": "C", "name": "mem", "pid": 9, "ts": 1, "args": {"a": 1, "b": 2.5}},
	{"ph": "P", "sf": "2", "pid": 9, "tid": 9, "ts": 1}, {"ph": "N", "ts": 1}
	], "stackFrames": {"1": {"name": "m"}, "2": {"name": "f", "parent": "1"}}}
	END
}

@test "whatever is broken in a trace, each event is accounted for, and its status right" {
	everything > t.json
	for seed in {1..120}; do
		awk -v "seed=$seed" -f "$top/tests/mutate.awk" t.json > m.json
		told=0
		tq-extract --format chrome m.json > s 2> err || told=$?
		cat s >> all
		checked=0
		tq-extract --format chrome --check m.json > check 2> said || checked=$?
		balance < check > n || [[ ! -s check && ! -s said ]]
		# 1 says why: a warning, or an error
		[[ $told$checked = @(00|11) ]]
		((told == 0)) || [[ -s err ]]
		if ((told == 0)); then
			awk -F '[:,]' '{ last = $0; n = $4 } END {
				exit !(last ~ /"kind":"end".*"dropped":0}$/ &&
				    last ~ /^[{]"kind":"end","events":[0-9]+,/ && n == NR - 2)
			}' s
		fi
	done
	jq -c . all | cmp - <(jq -c . all | jq -c .) # all lines are JSON
	[ "$(wc -l < all)" = "$(jq -c . all | wc -l)" ]
}

@test "a compressed trace that is broken anywhere is an error, and never whole" {
	everything > t.json
	gzip -nk t.json
	zstd -q t.json
	for f in t.json.gz t.json.zst; do
		size=$(wc -c < $f)
		for tenth in 1 2 3 4 5 6 7 8 9; do
			head -c $((size * tenth / 10)) $f > cut
			run -1 --separate-stderr tq-extract --format chrome cut
			[[ $stderr = 'tq-extract: cut: '* && $output != *'"kind":"end"'* ]]
		done
	done
}

# ---- times ----

@test "times are exact decimals: halves to the even ns, exponents, strings of digits" {
	trace '[{"ph": "X", "name": "a", "ts": 0, "dur": 0.0005},
	    {"ph": "X", "name": "b", "ts": 0.0015, "dur": 1e-3},
	    {"ph": "X", "name": "c", "ts": "4203669603454.206", "dur": 12E-1},
	    {"ph": "X", "name": "d", "ts": 9223372036854775.806, "dur": 0.00049999},
	    {"ph": "X", "name": "e", "ts": 9223372036854775.808, "dur": 1}]'
	run -1 --separate-stderr tq-extract t.json
	[ "$(jq -c 'select(.kind == "range") | [.name, .ts, .dur]' <<< "$output" | head -3 | xargs)" = \
	    '[a,0,0] [b,2,1] [c,4203669603454206,1200]' ]
	[[ $output = *'"ts":9223372036854775806,"dur":0,'* ]]
	[[ $output = *'"reason":"no time"'*'"count":1'* ]]
}

@test "the earliest time is the origin, and UTC where it is known" {
	trace '{"traceEvents": [{"ph": "X", "name": "b", "ts": 20.5, "dur": 1},
	    {"ph": "X", "name": "a", "ts": 10.25, "dur": 1}], "baseTimeNanoseconds": 1711964646000000000}'
	[ "$(records '[.name, .ts]' | xargs)" = '[a,0] [b,10250]' ]
	[ "$(tq-extract t.json | jq -r '.origin_utc_ns | values')" = 1711964646000010250 ]
	[ "$(tq-extract --from 5us t.json | jq -r '.name | values')" = b ]
}

# ---- phases ----

@test "B and E pair by thread and name, in order of time, whatever their order in the file" {
	trace '[{"ph": "E", "name": "in", "pid": 1, "tid": 1, "ts": 3, "args": {"b": 2, "c": 3}},
	    {"ph": "B", "name": "in", "pid": 1, "tid": 1, "ts": 2, "args": {"a": 1, "b": 1}},
	    {"ph": "B", "name": "out", "pid": 1, "tid": 1, "ts": 1},
	    {"ph": "E", "pid": 1, "tid": 1, "ts": 9},
	    {"ph": "B", "name": "left", "pid": 1, "tid": 2, "ts": 4}]'
	[ "$(records '[.name, .ts, .dur, .mode, .open, .args]')" = \
	    '["out",0,8000,"push",null,null]
["in",1000,1000,"push",null,{"a":1,"b":2,"c":3}]
["left",3000,null,"push",true,null]' ]
	run -0 tq-extract --check t.json
	[[ $output =~ \ E\ .*\ 2\ +0\ +2\ +0\ +0 ]]
}

@test "asynchronous events pair by id, across threads" {
	trace '[{"ph": "b", "cat": "x", "id": "1", "name": "n", "pid": 1, "tid": 1, "ts": 1},
	    {"ph": "b", "cat": "x", "id2": {"local": "1"}, "name": "l", "pid": 1, "tid": 1, "ts": 1},
	    {"ph": "b", "cat": "x", "id2": {"local": "1"}, "name": "m", "pid": 2, "tid": 1, "ts": 1},
	    {"ph": "e", "cat": "x", "id2": {"local": "1"}, "name": "m", "pid": 2, "tid": 1, "ts": 4},
	    {"ph": "e", "cat": "x", "id2": {"local": "1"}, "name": "l", "pid": 1, "tid": 1, "ts": 3},
	    {"ph": "n", "cat": "x", "id": "1", "name": "step", "pid": 1, "tid": 7, "ts": 2},
	    {"ph": "e", "cat": "x", "id": "1", "name": "n", "pid": 1, "tid": 2, "ts": 2}]'
	[ "$(records '[.kind, .name, .dur, .mode, .end_tid]' | sort | xargs)" = \
	    '[mark,step,null,null,null] [range,l,2000,start,null] [range,m,3000,start,null] [range,n,1000,start,2]' ]
}

@test "a counter has a value for each number, under names of its own" {
	trace '[{"ph": "C", "name": "mem", "id": 3, "pid": 1, "ts": 1, "args": {"used": 5, "free": 1.5e3}},
	    {"ph": "C", "name": "t", "pid": 1, "ts": 2, "args": {"v": "12.5"}}]'
	# jq 1.7 prints a number as it is spelt
	[ "$(records '[.kind, .name, .id, .counter, (.value | numbers + 0) // null]')" = \
	    '["counterdef","mem.used[3]",1,null,null]
["counterdef","mem.free[3]",2,null,null]
["counterdef","t",3,null,null]
["counter",null,null,1,5]
["counter",null,null,2,1500]
["counter",null,null,3,12.5]' ]
}

@test "arrows are flows, but for those that say what correlation ids say" {
	trace '[{"ph": "s", "cat": "async", "id": 7, "name": "n", "pid": 1, "tid": 2, "ts": 1},
	    {"ph": "f", "cat": "mine", "id": "x", "bp": "e", "name": "n", "pid": 1, "tid": 2, "ts": 2}]'
	[ "$(records '[.flow, .phase, .category, .args.bp]' | xargs)" = '[7,s,async,null] [x,f,mine,e]' ]
	sed -i 's/^\[/[{"ph": "X", "cat": "cpu_op", "name": "o", "ts": 9, "dur": 1},/' t.json
	[ "$(records 'select(.kind == "flow") | .flow' | xargs)" = x ]
	[ "$(tq-extract --kinds t.json | xargs)" = 'range 1 flow 1' ]
}

@test "stacks come out of stackFrames, leaf first, wherever it stands" {
	trace '{"traceEvents": [{"ph": "P", "sf": "3", "pid": 1, "tid": 1, "ts": 1},
	    {"ph": "X", "sf": 9, "name": "loop", "pid": 1, "tid": 1, "ts": 2, "dur": 1},
	    {"ph": "X", "stack": ["leaf", "root"], "name": "r", "pid": 1, "tid": 1, "ts": 3, "dur": 1}],
	    "stackFrames": {"1": {"name": "main"}, "3": {"name": "f", "parent": "1"},
	    "9": {"name": "g", "parent": "9"}}}'
	[ "$(records 'select(.kind == "stack") | [.id, .frames]' | xargs)" = \
	    '[1,[f,main]] [2,[g,g,g]] [3,[leaf,root]]' ]
	[ "$(records 'select(.kind == "sample") | .stack')" = 1 ]
}

# ---- who is who ----

@test "the category decides what is a device, and whose it is" {
	trace '{"traceEvents": [
	    {"ph": "M", "name": "process_name", "pid": 9, "args": {"name": "python"}},
	    {"ph": "M", "name": "process_labels", "pid": 0, "args": {"labels": "GPU 0"}},
	    {"ph": "M", "name": "process_name", "pid": 0, "args": {"name": "python"}},
	    {"ph": "M", "name": "thread_name", "pid": 0, "tid": 7, "args": {"name": "stream 7 "}},
	    {"ph": "M", "name": "thread_name", "pid": 9, "tid": 9, "args": {"name": "main"}},
	    {"ph": "X", "cat": "cpu_op", "name": "o", "pid": 9, "tid": "9", "ts": 1, "dur": 9},
	    {"ph": "X", "cat": "python_function", "name": "p", "pid": 0, "tid": 0, "ts": 1, "dur": 9},
	    {"ph": "X", "cat": "Kernel", "name": "void n::k<int>(float)", "pid": 0, "tid": "stream 7", "ts": 2, "dur": 1},
	    {"ph": "X", "cat": "overhead", "name": "Buffer", "pid": -1, "tid": 0, "ts": 3, "dur": 1}]}'
	[ "$(tq-extract t.json | jq -c 'select(.kind == "process" or .kind == "thread" or .kind == "stream") |
	    [.kind, .pid, .tid, .name, .device, .stream]' | xargs)" = \
	    '[process,9,null,python,null,null] [thread,9,9,main,null,null] [stream,9,null,null,0,7]' ]
	[ "$(records 'select(.ts) | [.kind, .name, .pid, .tid, .device, .stream]' | xargs)" = \
	    '[range,o,9,9,null,null] [range,p,9,0,null,null] [kernel,k,9,null,0,7] [overhead,Buffer,9,null,null,null]' ]
}

@test "XProf, of JAX: planes are devices, correlation_id joins calls and operations" {
	local gpu='"ph":"X","pid":1,"tid":14' host='"ph":"X","pid":701,"tid":9'
	local ids='"context_id":"$$1","correlation_id"'

	trace '{"displayTimeUnit":"ns","traceEvents":[
	{"ph":"M","pid":1,"name":"process_name","args":{"name":"/device:GPU:3"}},
	{"ph":"M","pid":1,"tid":14,"name":"thread_name",
	    "args":{"name":"Stream #14(MemcpyH2D,Compute,Memset)"}},
	{"ph":"M","pid":1,"tid":15,"name":"thread_name","args":{"name":"Steps"}},
	{"ph":"M","pid":701,"name":"process_name","args":{"name":"/host:CPU"}},
	{'"$host"',"ts":1,"dur":9,"name":"train","args":{"step_num":"0"}},
	{'"$host"',"ts":2,"dur":1.5,"name":"loop_add",
	    "args":{'"$ids"':"1","device_id":"3"}},
	{'"$gpu"',"ts":5,"dur":1,"name":"loop_add","args":{'"$ids"':"1",
	    "cuda_graph_id":"4","cuda_graph_node_id":"17179869191",
	    "hlo_op":"add","kernel_details":"regs:168 static_shared:32 dynamic_shared:231424 grid:64,2,1 block:384,1,1 occ_pct:18.75"}},
	{'"$gpu"',"ts":6,"dur":0.5,"name":"MemcpyH2D","args":{'"$ids"':"2",
	    "memcpy_details":"kind_src:pinned kind_dst:device size:524288 dest:0 async:1"}},
	{'"$gpu"',"ts":7,"dur":0.5,"name":"Memset","args":{'"$ids"':"3",
	    "Memset_details":"kind:unknown num_bytes:144 async:1"}},
	{"ph":"X","pid":1,"tid":15,"ts":5,"dur":3,"name":"0",
	    "args":{'"$ids"':"1","kernel_details":"regs:1"}},
	{}]}'
	run -0 records
	[ "$output" = '{"kind":"stream","pid":701,"device":3,"stream":14}
{"kind":"symbol","name":"loop_add","id":1,"demangled":"loop_add"}
{"kind":"range","ts":0,"dur":9000,"pid":701,"tid":9,"name":"train","id":1,"mode":"push","args":{"step_num":"0"}}
{"kind":"api","ts":1000,"dur":1500,"pid":701,"tid":9,"corr":1,"name":"loop_add","api":"xla","args":{"context_id":"$$1","device_id":"3"}}
{"kind":"range","ts":4000,"dur":3000,"pid":1,"tid":15,"name":"0","id":2,"mode":"push","args":{"context_id":"$$1","correlation_id":"1","kernel_details":"regs:1"}}
{"kind":"kernel","ts":4000,"dur":1000,"pid":701,"corr":1,"name":"loop_add","sym":1,"device":3,"context":1,"stream":14,"grid":[64,2,1],"block":[384,1,1],"regs":168,"smem_static":32,"smem_dynamic":231424,"graph":4,"graph_node":17179869191,"args":{"hlo_op":"add"}}
{"kind":"memcpy","ts":5000,"dur":500,"pid":701,"corr":2,"device":3,"context":1,"stream":14,"bytes":524288,"copy":"HtoD","src":"Pinned","dst":"Device"}
{"kind":"memset","ts":6000,"dur":500,"pid":701,"corr":3,"device":3,"context":1,"stream":14,"bytes":144}' ]
	tq-extract --check t.json | grep -qx '  ?  .* 1 *0 *0 *1 *0'
	tq-extract t.json | grep -q '"source":"xprof"'
	tq-extract t.json | tq-correlate | tq-stats -r cuda_gpu_kern_sum -f csv |
	    grep -q ',loop_add$'
}

@test "Ascend: tasks are operations of a device, launched by the call around the arrow's start" {
	local cann='"ph":"X","pid":702,"tid":8' npu='"ph":"X","pid":5,"tid":3'
	local arrow='"cat":"HostToDevice","name":"x"'

	trace '[
	{"ph":"M","pid":7,"name":"process_name","args":{"name":"Python"}},
	{"ph":"M","pid":5,"name":"process_name","args":{"name":"Ascend Hardware"}},
	{"ph":"M","pid":5,"name":"process_labels","args":{"labels":"NPU 4"}},
	{"ph":"M","pid":5,"tid":3,"name":"thread_name","args":{"name":"Stream 3"}},
	{"ph":"M","pid":702,"name":"process_name","args":{"name":"CANN"}},
	{"ph":"M","pid":702,"tid":8,"name":"thread_name","args":{"name":"Thread 8"}},
	{"ph":"M","pid":711,"name":"process_name","args":{"name":"Overlap Analysis"}},
	{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":7,"tid":8,"ts":0,"dur":30},
	{'"$npu"',"ts":9,"dur":1,"name":"MatMul","args":{"Task Type":"AI_CORE","Stream Id":3,"connection_id":21}},
	{'"$npu"',"ts":10,"dur":1,"name":"Cast","args":{"Task Type":"AI_CORE","Stream Id":3,"connection_id":22}},
	{'"$npu"',"ts":11,"dur":1,"name":"MEMCPY_ASYNC","args":{"Stream Id":3,"connection_id":30}},
	{'"$npu"',"ts":12,"dur":1,"name":"EVENT_WAIT","args":{"Stream Id":3}},
	{"ph":"s",'"$arrow"',"id":"94489280511","pid":702,"tid":8,"ts":6},
	{"ph":"f",'"$arrow"',"id":"94489280511","pid":5,"tid":3,"ts":9},
	{"ph":"s",'"$arrow"',"id":"98784247807","pid":702,"tid":8,"ts":7},
	{'"$cann"',"ts":1,"dur":2,"name":"AscendCL@aclnnRelu","args":{"connection_id":1}},
	{'"$cann"',"ts":4,"dur":6,"name":"AscendCL@aclnnMm","args":{"connection_id":2}},
	{'"$cann"',"ts":5,"dur":4,"name":"AscendCL@opCompile","args":{"connection_id":3}},
	{'"$cann"',"ts":6,"dur":1,"name":"Node@launch","args":{"connection_id":21}},
	{"ph":"s","cat":"async_npu","name":"torch_to_npu","id":9,"pid":7,"tid":8,"ts":1},
	{"ph":"X","pid":711,"tid":0,"ts":9,"dur":2,"name":"Computing"}]'
	run -0 records
	[ "$(grep -v '"kind":"symbol"' <<< "$output")" = '{"kind":"stream","pid":7,"device":4,"stream":3}
{"kind":"range","ts":0,"dur":30000,"pid":7,"tid":8,"name":"aten::mm","id":1,"mode":"push","domain":"torch","category":"cpu_op"}
{"kind":"api","ts":1000,"dur":2000,"pid":7,"tid":8,"corr":1,"name":"aclnnRelu","api":"acl"}
{"kind":"api","ts":4000,"dur":6000,"pid":7,"tid":8,"corr":2,"name":"aclnnMm","api":"acl"}
{"kind":"api","ts":5000,"dur":4000,"pid":7,"tid":8,"corr":3,"name":"opCompile","api":"acl"}
{"kind":"range","ts":6000,"dur":1000,"pid":7,"tid":8,"name":"Node@launch","id":2,"mode":"push","args":{"connection_id":21}}
{"kind":"kernel","ts":9000,"dur":1000,"pid":7,"corr":3,"name":"MatMul","sym":1,"device":4,"stream":3,"args":{"Task Type":"AI_CORE"}}
{"kind":"kernel","ts":10000,"dur":1000,"pid":7,"corr":3,"name":"Cast","sym":2,"device":4,"stream":3,"args":{"Task Type":"AI_CORE"}}
{"kind":"memcpy","ts":11000,"dur":1000,"pid":7,"corr":30,"name":"MEMCPY_ASYNC","device":4,"stream":3,"copy":"Unknown"}
{"kind":"sync","ts":12000,"dur":1000,"pid":7,"name":"EVENT_WAIT","device":4,"stream":3}' ]
	[ "$(tq-extract t.json | grep -c '"process"')" = 1 ]
}

@test "Ascend: a trace of the device and its runtime alone has the runtime's process" {
	trace '[
	{"ph":"M","pid":5,"name":"process_name","args":{"name":"Ascend Hardware"}},
	{"ph":"M","pid":6,"name":"process_name","args":{"name":"Ascend Hardware"}},
	{"ph":"M","pid":702,"name":"process_name","args":{"name":"CANN"}},
	{"ph":"X","pid":702,"tid":8,"ts":1,"dur":6,"name":"AscendCL@aclnnMm","args":{"connection_id":2}},
	{"ph":"X","pid":6,"tid":3,"ts":9,"dur":1,"name":"MatMul","args":{"Stream Id":3,"connection_id":2}}]'
	run -0 records
	[ "$(grep -v '"kind":"symbol"' <<< "$output")" = '{"kind":"api","ts":0,"dur":6000,"pid":702,"tid":8,"corr":2,"name":"aclnnMm","api":"acl"}
{"kind":"kernel","ts":8000,"dur":1000,"pid":702,"corr":2,"name":"MatMul","sym":1,"device":1,"stream":3}' ]
	[ "$(tq-extract t.json | grep '"process"')" = '{"kind":"process","pid":702,"name":"CANN"}' ]
}

@test "names of threads that are repeated are defined once" {
	trace "[$(yes '{"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "t"}},' | head -3000)
	    {\"ph\": \"i\", \"name\": \"m\", \"pid\": 1, \"tid\": 2, \"ts\": 1}]"
	[ "$(tq-extract t.json | grep -c '"kind":"thread"')" = 1 ]
}

@test "the same file gives the same bytes, whether it fits memory or not, --keys and --no-args" {
	trace '[{"ph": "X", "cat": "cpu_op", "name": "o", "pid": 9, "tid": 9, "ts": 1, "dur": 9,
	    "args": {"External id": 4, "big": 9007199254740993, "s": "12"}}]'
	[ "$(records)" = '{"kind":"range","ts":0,"dur":9000,"pid":9,"tid":9,"name":"o","id":1,"ext":4,"mode":"push","domain":"torch","category":"cpu_op","args":{"big":"9007199254740993","s":"12"}}' ]
	[ "$(tq-extract --no-args --only t.json)" = \
	    '{"kind":"range","ts":0,"dur":9000,"pid":9,"tid":9,"name":"o","id":1,"ext":4,"mode":"push","domain":"torch","category":"cpu_op"}' ]
	[ "$(tq-extract --keys name,dur --only t.json)" = '{"kind":"range","ts":0,"dur":9000,"name":"o"}' ]
	[ "$(tq-extract -k kernel --only t.json)" = '' ]
}

@test "a trace that is larger than memory for it is sorted on disk" {
	awk 'BEGIN { printf "["; for (i = 600000; i > 0; i--)
	    printf "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"operator %d\", \"pid\": 1, \"tid\": %d, \"ts\": %d.5, \"dur\": 3, \"args\": {\"External id\": %d, \"Input Dims\": [[2048, 2048], [2048, 256]], \"Input type\": [\"float\", \"float\"], \"Sequence number\": %d}},\n", i % 100, i % 7, i, i, i; print "]" }' > t.json
	tq-extract t.json | awk -F'[:,]' '/"kind":"range"/ { n++; if ($4 < last) exit 1; last = $4 }
	    END { exit n != 600000 }'
}

# ---- what it is ----

@test "a stream is a stream, also where its first key is another than kind" {
	printf '{"version":1,"kind":"trace"}\n{"kind":"end","events":0}\n' > t.tq
	[ "$(tq-extract t.tq | wc -l)" = 2 ]
	run -0 tq-extract --list-sources
	[[ $output = *'chrome     Chrome trace JSON: PyTorch'* ]]
}
