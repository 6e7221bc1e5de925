#!/usr/bin/env bats
# tq-extract: recordings of JSON that are no Chrome traces: wprof, NCCL
# Inspector, PyTorch's memory timeline, speedscope; and what is known, but not
# read

load helper

# the sources of files in the real data
SOURCES=(wprof:other/wprof-format-examples.ndjson
	nccl:other/nccl-inspector-examples.jsonl
	memory:other/torch-memory-timeline.raw.json.zst
	speedscope:other/speedscope/0.0.1-simple.speedscope.json
	speedscope:other/speedscope/0.1.2-simple-sampled.speedscope.json
	speedscope:other/speedscope/0.6.0-two-sampled.speedscope.json
	speedscope:other/speedscope/invalid-incomplete-trace.json
	speedscope:other/speedscope/invalid-out-of-order-events.json
	speedscope:other/speedscope/py-spy-record.speedscope.json.zst
	chrome:other/viztracer-vdb_basic.json
	chrome:other/viztracer-logging.json.zst
	chrome:other/trace-event/multiprocess.json
	chrome:other/trace-event/simple-object.json
	chrome:other/trace-event/hermes-multiple-frames.json
	chrome:other/trace-event/tensorflow-profiler-trace.json
	kineto:kineto/torch-2020-bare-array.json.zst
	kineto:kineto/torch-2024-cuda-sync.json.zst
	kineto:kineto/rocm6.4-mi210-gpu-only.json.zst
	kineto:kineto/broken/member-order.json
	nsys:nsys/2026.1.1-vectoradd.sqlite
	rpd:rocpd/rpd-torch-mytrace.rpd.zst)

# input TEXT: write it to the file in
input() {
	printf '%s\n' "$@" > in
}

# records [FILTER]: what tq-extract makes of in, but for its frame
records() {
	tq-extract in 2> warnings |
	    jq -c 'select(.kind | IN("trace", "end", "process", "thread") | not)'"${1+ | $1}"
}

# balanced FILE: do its events add up, as --check prints them?
balanced() {
	tq-extract --check "$1" 2> warnings | awk '
	    /lost/ { next }
	    NF >= 7 && $(NF - 5) ~ /^[0-9]+$/ {
	    if ($(NF - 5) != $(NF - 4) + $(NF - 3) + $(NF - 2) + $(NF - 1) + $NF)
		exit bad = 1
	    n++ }
	    END { exit bad || n == 0 }'
}

HEADER='{"version":"3.1","dur":1.0,"stack_cnt":0,"pmus":[]}'
TASK='"task":{"tid":12,"pid":10,"comm":"w"}'
FRAMES='"shared":{"frames":[{"name":"a"},{"name":"b","file":"x.py","line":7}]}'

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# ---- which source ----

@test "every recording is read by its own source, compressed or not, from a file or a pipe" {
	need data
	for of in "${SOURCES[@]}"; do
		data "${of#*:}"
		[ "$(tq-extract "$data" 2> warnings | head -n 1 | jq -r .source)" = "${of%%:*}" ]
		[[ $data = *.zst || $data = *.sqlite ]] ||
		    [ "$(gzip -c "$data" | tq-extract 2> warnings | head -n 1 | jq -r .source)" = "${of%%:*}" ]
	done
}

@test "a stream stays a stream, whatever its first keys" {
	input '{"version":1,"kind":"trace","source":"x","args":{"stack_cnt":1}}' '{"kind":"end","events":0,"dropped":0}'
	cmp in <(tq-extract in)
	input '{"kind":"trace","version":1,"args":{"header":1,"coll_perf":{},"$schema":"speedscope","shared":{"frames":[]}}}' \
	    '{"kind":"end","events":0,"dropped":0}'
	cmp in <(tq-extract in)
}

@test "a Chrome trace stays one, whatever stands in its events" {
	for members in '"shared":{"x":1},' '"$schema":"y",' '"header":{},' '"version":"3",' \
	    '"otherData":{"kind":"z"},' '"device":1,'; do
		input "{$members\"traceEvents\":[{\"ph\":\"X\",\"name\":\"stack_cnt\",\"ts\":1,\"dur\":2,\"args\":{\"kind\":\"k\",\"coll_perf\":1}}]}"
		run -0 tq-extract --format chrome in
		[[ $members = *version* || $members = *device* ]] || cmp <(echo "$output") <(tq-extract in)
		[[ $output = *'"source":"chrome"'* ]]
	done
}

@test "a stream from a pipe is recognised before it goes on" {
	mkfifo pipe
	tq-extract --live < pipe > out &
	exec 7> pipe
	echo '{"kind":"trace","version":1,"slack":5,"args":{"a":"bbbbbbbbbbbbbbbbbbbbbbbbb"}}' >&7
	echo '{"kind":"mark","ts":1}' >&7
	echo '{"kind":"mark","ts":9}' >&7
	until [ "$(grep -c . out)" -ge 2 ]; do sleep 0.05; done
	exec 7>&-
	wait $! || true
	[ "$(grep -c '"mark"' out)" = 2 ]
}

@test "--check: the events of every recording are records, paired, folded, lost or not read" {
	need data
	for of in "${SOURCES[@]:0:9}"; do
		data "${of#*:}"
		balanced "$data"
	done
}

@test "what one tool makes of these recordings, the others read" {
	need data
	for of in "${SOURCES[@]:0:9}"; do
		data "${of#*:}"
		tq-extract "$data" > s.tq
		tq-extract s.tq | cmp - s.tq
		jq -c . s.tq > loose.tq
		tq-correlate s.tq > c.tq
		tq-stats c.tq > page
		tq-chrome -o t.json c.tq
		tq-perfetto -o t.pftrace c.tq
		run -0 tq-extract --kinds "$data"
		cmp <(echo "$output" | sort) \
		    <(jq -r 'select(.ts != null) | .kind' s.tq | sort | uniq -c | awk '{ print $2 "\t" $1 }' | sort)
	done
}

# ---- wprof ----

@test "wprof: every type of event becomes its record, and nothing of it is lost" {
	data other/wprof-format-examples.ndjson
	tq-extract "$data" | jq -r 'select(.ts != null) |
	    [.kind, .ts, .dur // "-", .tid // "-", .name // .cpu, .domain // .op // .copy // .sync // "-"] | join(" ")' > ours
	diff ours - <<'END'
sample 5148 - - 96 -
osrt 117859 84638 2525993 btrfs-delalloc -
osrt 222607 11568 - nvme1q30 -
osrt 296649 411 - rcu -
mark 1234000 - 1234 syscall #1 -
mark 4985681 - 1318694 fork -
range 5000000 - 1234 sched_switch utrace
sample 10012345 - 1234 5 -
mark 32690002 - 2688142 task_rename -
mark 32770664 - 2688142 exec -
mark 36811976 - 2688143 task_exit -
mark 62299945 - 2688143 task_free -
mark 100500000 - 1234 ipi_send -
osrt 100500700 800 5678 reschedule -
mark 200000000 - 1234 req_event -
mark 200100000 - 1234 req_task_event -
mark 300500000 - 1234 scx_dsq -
range 500100000 100000 1234 module.MyClass.process python
mark 500100000 - 9999 waking -
sched 500123456 - 1234 3 -
sched 500123456 - 5678 3 -
range 600100000 100000 1234 aten::mm torch
kernel 998250000 2000000 - volta_sgemm_128x64_nn -
api 1000150000 50000 1234 cudaLaunchKernel -
overhead 1000270000 30000 1234 cupti_buffer_flush -
memcpy 1004500000 500000 -  HtoD
memset 1005990000 10000 -  -
sync 1009000000 1000000 -  stream
END
	# all that the examples say is in a record, but for types, earlier names of
	# threads, and times
	tq-extract "$data" | jq -r '.. | scalars | tostring' | sort -u > have
	jq -r '.. | scalars | tostring' "$data" | sort -u > want
	[ "$(comm -13 have want | grep -vE '^[0-9.e-]*$|^\[U\]|^src/|^swapper/|_(entry|exit|instant)$' | xargs)" = \
	    "cuda_api cuda_kernel cuda_memcpy cuda_memset cuda_overhead cuda_sync device pageable pmu_event pt_autograd_0 python3 server switch" ]
}

@test "wprof: an operation finds its call; a name of C++ is a symbol" {
	input "$HEADER" \
	    "{\"ts\":2,\"t\":\"cuda_api\",$TASK,\"dur\":1,\"name\":\"cuLaunchKernel_v2\",\"corr_id\":5}" \
	    "{\"ts\":4,\"t\":\"cuda_kernel\",$TASK,\"dur\":1,\"name\":\"void n::k<int>(int*)\",\"device_id\":1,\"stream_id\":7,\"corr_id\":5,\"grid\":[1,2],\"kind\":3}"
	run -0 --separate-stderr tq-correlate -v -o c.tq <(tq-extract in)
	[[ $stderr = *'1 operations: 1 resolved'* || $stderr = *'1 operation: 1 resolved'* ]]
	[ "$(jq -c 'select(.kind == "kernel") | [.name, .sym, .device, .api_name, .args]' c.tq)" = \
	    '["k",1,1,"cuLaunchKernel",{"grid":[1,2],"kind":3}]' ]
	[ "$(jq -c 'select(.kind == "api") | [.api, .raw]' c.tq)" = '["cuda-driver","cuLaunchKernel_v2"]' ]
	[ "$(jq -r 'select(.kind == "symbol") | .demangled' c.tq)" = 'void n::k<int>(int*)' ]
}

@test "wprof: a stack has its leaf first, with its places; kinds of memory are those of CUDA" {
	data other/wprof-format-examples.ndjson
	[ "$(tq-extract "$data" | jq -r 'select(.kind == "stack") | .frames | first, last')" = \
	    $'[K] schedule+0x8e\n[U] main+0x1a (src/main.c:42)' ]
	[ "$(tq-extract "$data" | jq -c 'select(.kind == "memcpy") | [.src, .dst, .bytes]')" = '["Pageable","Device",4194304]' ]
}

@test "wprof: a time is digits, and an event that began before the session has none of its start" {
	input "$HEADER" \
	    "{\"ts\":4503599.377370497,\"t\":\"timer\",$TASK,\"cpu\":1}" \
	    "{\"ts\":0.5,\"t\":\"softirq\",$TASK,\"dur\":0.75,\"action\":\"rcu\"}" \
	    "{\"ts\":3,\"t\":\"softirq\",$TASK,\"dur\":0.1,\"start_ts\":2.900000001,\"action\":\"tasklet\"}"
	[ "$(records '[.kind, .ts, .dur]')" = '["osrt",0,750000000]
["osrt",3150000001,100000000]
["sample",4503599627370497,null]' ]
}

@test "wprof: ranges pair by thread and domain; what is left open is open, an end alone is lost" {
	input "$HEADER" \
	    "{\"ts\":1,\"t\":\"pytorch_entry\",$TASK,\"name\":\"a\"}" \
	    "{\"ts\":2,\"t\":\"pytrace_entry\",$TASK,\"name\":\"f\",\"lineno\":3}" \
	    "{\"ts\":3,\"t\":\"pytorch_entry\",$TASK,\"name\":\"b\"}" \
	    "{\"ts\":4,\"t\":\"pytorch_exit\",$TASK,\"name\":\"b\"}" \
	    "{\"ts\":5,\"t\":\"pytorch_exit\",$TASK,\"name\":\"a\"}" \
	    "{\"ts\":6,\"t\":\"pytorch_exit\",$TASK,\"name\":\"a\"}"
	run -1 --separate-stderr tq-extract in
	[ "$(jq -c 'select(.kind == "range") | [.domain, .name, .dur, .open, .args]' <<< "$output")" = \
	    '["torch","a",4000000000,null,null]
["python","f",null,true,{"lineno":3}]
["torch","b",1000000000,null,null]' ]
	[ "$(jq -c 'select(.kind == "lost") | [.reason, .count]' <<< "$output")" = '["end without begin",1]' ]
	balanced in
}

@test "wprof: a switch from an idle processor is one record, between idle ones none" {
	idle='{"pid":0,"comm":"swapper/1"}'
	input "$HEADER" \
	    "{\"ts\":1,\"t\":\"switch\",\"prev\":$idle,\"next\":{\"tid\":12,\"pid\":10,\"comm\":\"w\"},\"cpu\":4,\"prev_prio\":9}" \
	    "{\"ts\":2,\"t\":\"switch\",\"prev\":$idle,\"next\":$idle,\"cpu\":4}"
	[ "$(records)" = '{"kind":"sched","ts":1000000000,"pid":10,"tid":12,"cpu":4,"on":true,"args":{"prev_prio":9}}' ]
	balanced in
}

@test "wprof: a type that is not known is a mark with all that it says" {
	input "$HEADER" "{\"ts\":1,\"t\":\"new thing\",$TASK,\"cpu\":1,\"x\":{\"y\":[1]}}"
	[ "$(records)" = '{"kind":"mark","ts":1000000000,"pid":10,"tid":12,"name":"new thing","args":{"cpu":1,"x":{"y":[1]}}}' ]
}

@test "a line that is no JSON is lost alone, one that is torn too" {
	input "$HEADER" "{\"ts\":1,\"t\":\"timer\",$TASK}" '{"ts":1,"t":"tim' \
	    "{\"ts\":2,\"t\":\"timer\",$TASK}" '[1]' '{"x":1}' '{"t":"timer"}' '{"frames":["a"]}' "{\"ts\":3,\"t\":\"timer\",$TASK}"
	run -1 --separate-stderr tq-extract in
	[ "$(jq -s 'map(select(.kind == "sample")) | length' <<< "$output")" = 3 ]
	[ "$(jq -c 'select(.kind == "lost") | [.reason, .count]' <<< "$output")" = \
	    '["syntax",1]
["not an object",1]
["no type",1]
["no time",1]
["not a number",1]' ]
	[ "$(jq 'select(.kind == "end") | .dropped' <<< "$output")" = 5 ]
	[[ $stderr = *'in: byte '*': an event that is not JSON'* ]]
}

@test "a recording that was cut has its events, no end, a warning and status 1" {
	input "$HEADER" "{\"ts\":1,\"t\":\"timer\",$TASK}"
	printf '{"ts":2,"t":"timer","task":{"tid' >> in
	run -1 --separate-stderr tq-extract in
	[ "$(jq -r .kind <<< "$output" | xargs)" = "trace process thread sample" ]
	[[ $stderr = *'in: byte '*': the file ends too early' ]]
	run -1 --separate-stderr tq-extract --kinds in
	[ "$(head -n 1 <<< "$output")" = "sample	1" ]
}

# ---- NCCL Inspector ----

@test "NCCL Inspector: a start that was traced counts, else the end is when it was printed" {
	data other/nccl-inspector-examples.jsonl
	[ "$(tq-extract "$data" | jq -c 'select(.kind == "range") | [.name, .ts, .dur, .args.ts, .args.comm, .args.bytes]')" = \
	    '["AllReduce",0,61974000,"dump","0x7f8c496ae9f661",17179869184]
["ReduceScatter",1459851400743000,110000,"dump","0x9e7a479f95a66c",65536]
["ReduceScatter",4836851548953000,41057000,null,"0xe62dedaa97644a",2147483648]' ]
	[ "$(tq-extract "$data" | jq -r 'select(.kind == "trace") | .origin_utc_ns, .schema')" = $'1748030377686228000\nv4.0' ]
	[ "$(tq-extract "$data" | jq -c 'select(.pid == 468528 and .kind == "process") | [.host, .rank]')" = '["example-hostname",31]' ]
}

@test "NCCL Inspector: objects need no lines, and messages have peers" {
	printf '%s' '{"header":{"id":"0x1","rank":0,"n_ranks":2},
	    "metadata":{"dump_timestamp_us":1700000000000010,"pid":5},"p2p_perf":{"p2p":"Send",
	    "p2p_sn":3,"p2p_peer":1,"p2p_exec_time_us":4,"event_trace_ts":{"p2p_start_ts":1700000000000001,"kernel_events":[]}}}{"header":{"id":"0x1","rank":7,"n_ranks":8},"metadata":{"dump_timestamp_us":1700000000000020,"pid":5},"coll_perf":{"coll":"AllGather","coll_exec_time_us":1}}' > in
	[ "$(records '[.name, .ts, .dur, .args.peer]')" = '["Send",0,4000,1]
["AllGather",18000,1000,null]' ]
	[ "$(tq-extract in | jq -c 'select(.kind == "process") | .rank')" = 7 ]
}

@test "NCCL Inspector: what an object lacks is absent, or lost where it is the time" {
	input '{"coll_perf":{"coll":"x","coll_exec_time_us":3,"event_trace_ts":{"coll_start_ts":7}}}' \
	    '{"header":5,"metadata":[],"coll_perf":{"coll":"x","coll_exec_time_us":3}}' '{"header":{},"p2p_perf":0}' '{"dump_stats":1}'
	run -1 --separate-stderr tq-extract --format nccl in
	[ "$(jq -c 'select(.kind == "range")' <<< "$output")" = \
	    '{"kind":"range","ts":0,"dur":3000,"name":"x","id":1,"mode":"start","domain":"nccl","args":{"event_trace_ts":{"coll_start_ts":7}}}' ]
	[ "$(jq -c 'select(.kind == "lost") | [.reason, .count]' <<< "$output")" = '["no time",2]' ]
}

@test "NCCL Inspector: what the plugin dropped is lost" {
	input '{"header":{"id":"0x1"},"metadata":{"dump_timestamp_us":1,"pid":5},"dump_stats":{"coll_records":1,"coll_dropped_total":9,"coll_dropped_since_last_dump":3,"p2p_dropped_since_last_dump":4}}' \
	    '{"header":{"id":"0x1"},"metadata":{"dump_timestamp_us":1700000000000010,"pid":5},"coll_perf":{"coll":"AllReduce","coll_exec_time_us":4}}'
	run -0 --separate-stderr tq-extract in
	[ "$(jq -c 'select(.kind == "lost") | [.reason, .count]' <<< "$output")" = '["dropped by the profiler",7]' ]
	[ "$(tail -n 1 <<< "$output")" = '{"kind":"end","events":3,"dropped":7}' ]
	[ "$stderr" = 'tq-extract: warning: in: 7 rows dropped; --check lists them' ]
	balanced in
}

# ---- memory ----

@test "memory: the running sum of a timeline is what it was in the file" {
	data other/torch-memory-timeline.raw.json.zst
	sums='[foreach .[] as $e ({m: 0, n: 0}; .m += $e | .n += 1; .m)] | [length, max, last]'
	[ "$(tq-extract "$data" | jq -s "[.[] | select(.op == \"alloc\" or .op == \"free\") |
	    if .op == \"free\" then 0 - .bytes else .bytes end] | $sums" -c)" = \
	    "$(zstd -dc "$data" | jq -c "[.[] | select(.[1] != 3) | .[2]] | $sums")" ]
	[ "$(tq-extract "$data" | jq -s '[.[] | select(.op == "recategorize") | .args.size] | [length, add]' -c)" = '[9510,0]' ]
	[ "$(tq-extract "$data" | jq -r 'select(.kind == "trace") | .origin_utc_ns')" = \
	    "$(zstd -dc "$data" | tr -d ' ' | grep -oE '\[[0-9]+' | tr -d '[' | sort -n | head -n 1)" ]
}

@test "memory: times in microseconds are since 1970 too, and what was there before is at the origin" {
	input '[[1700000000000002, 4, -8, 5], [-1, 1, 64, 0], [1700000000000001, 2, 8, 7], [1, 9, 8, 0], ["x", 2, 8, 0], [1]]'
	run -1 --separate-stderr tq-extract in
	[ "$(grep '"alloc"' <<< "$output")" = \
	    '{"kind":"alloc","ts":0,"bytes":64,"op":"alloc","pool":"torch","args":{"action":"PREEXISTING","category":"PARAMETER"}}
{"kind":"alloc","ts":0,"bytes":8,"op":"alloc","pool":"torch","args":{"action":"CREATE"}}
{"kind":"alloc","ts":1000,"bytes":8,"op":"free","pool":"torch","args":{"action":"DESTROY","category":"GRADIENT"}}' ]
	[[ $output = *'"origin_utc_ns":"1700000000000001000"'* ]]
	[[ $output = *'"dropped":3}' ]]
}

# ---- speedscope ----

@test "speedscope: samples of py-spy have the sums of the file, by thread and stack" {
	data other/speedscope/py-spy-record.speedscope.json.zst
	zstd -dc "$data" | jq -r '.shared.frames as $f | .profiles[] |
	    (.name | capture("Thread 0x(?<x>[0-9A-F]+) \"(?<n>.*)\"")) as $t |
	    range(.samples | length) as $i | [$t.n, ([.samples[$i][] | $f[.].name] | join(";")),
	    (.weights[$i] * 1e9 | round)] | @tsv' |
	    awk -F'\t' '{ n[$1 FS $2]++; s[$1 FS $2] += $3 } END { for (k in n) printf "%s\t%d\t%.0f\n", k, n[k], s[k] }' | sort > theirs
	tq-extract "$data" | jq -nr 'reduce inputs as $e ({t: {}, s: {}};
	    if $e.kind == "thread" then .t[$e.tid | tostring] = $e.name
	    elif $e.kind == "stack" then .s[$e.id | tostring] = ($e.frames | reverse | map(sub(" \\(.*"; "")) | join(";"))
	    elif $e.kind == "sample" then .o += [[.t[$e.tid | tostring], .s[$e.stack | tostring], $e.args.weight_ns]]
	    else . end) | .o[] | @tsv' |
	    awk -F'\t' '{ n[$1 FS $2]++; s[$1 FS $2] += $3 } END { for (k in n) printf "%s\t%d\t%.0f\n", k, n[k], s[k] }' | sort > ours
	diff ours theirs
	[ "$(grep -c . ours)" -gt 20 ]
}

@test "speedscope: a thread has the number and the name in its profile's name" {
	for name in 'Thread 0x1F \"w (x)\"' 'Thread 31 \"w (x)\"' 'Process 7 Thread 31 \"w (x)\"' 'main'; do
		input "{\"profiles\":[{\"type\":\"sampled\",\"name\":\"$name\",\"unit\":\"seconds\",\"startValue\":0,\"samples\":[[0]],\"weights\":[1]}],$FRAMES,\"\$schema\":\"speedscope\"}"
		tq-extract --format speedscope in | jq -c 'select(.kind == "thread") | [.pid, .tid, .name]'
	done > ours
	diff ours - <<'END'
[null,31,"w (x)"]
[null,31,"w (x)"]
[7,31,"w (x)"]
[null,1073741824,"main"]
END
}

@test "speedscope: frames that open and close are ranges, the outer one first, also where they cross" {
	data other/speedscope/0.0.1-simple.speedscope.json
	[ "$(tq-extract "$data" | jq -r 'select(.kind == "range") | [.name, .ts, .dur] | join(" ")')" = \
	    $'a 0 14\nb 0 14\nc 0 2\nd 2 4\nc 6 3' ]
	data other/speedscope/invalid-out-of-order-events.json
	[ "$(tq-extract "$data" | jq -r 'select(.kind == "range") | [.name, .ts, .dur] | join(" ")')" = \
	    $'A 0 1\nA 2 3\nB 2 2\nA 3 1' ]
	data other/speedscope/invalid-incomplete-trace.json
	[ "$(tq-extract "$data" | jq -c 'select(.kind == "range") | [.name, .open]')" = '["A",true]' ]
}

@test "speedscope: times have the unit of their profile, to the nanosecond" {
	for unit in nanoseconds microseconds milliseconds seconds none bytes; do
		input "{\"\$schema\":\"speedscope\",$FRAMES,\"profiles\":[{\"type\":\"sampled\",\"name\":\"n\",\"unit\":\"$unit\",\"startValue\":2,\"samples\":[[0],[1,0],[]],\"weights\":[1.5,4503599.627370497,1e1]}]}"
		records 'select(.ts != null) | [.ts, .args[]]' | xargs
	done > ours
	diff ours - <<'END'
[0,2] [2,4503600] [4503602,10]
[0,1500] [1500,4503599627] [4503601127,10000]
[0,1500000] [1500000,4503599627370] [4503601127370,10000000]
[0,1500000000] [1500000000,4503599627370497] [4503601127370497,10000000000]
[0,2] [2,4503600] [4503602,10]
[0,2] [2,4503600] [4503602,10]
END
}

@test "speedscope: wrong frames, types, weights and ends are lost one by one, or named by number" {
	input "{\"\$schema\":\"speedscope\",$FRAMES,\"profiles\":[{\"type\":\"evented\",\"name\":\"n\",\"unit\":\"seconds\",\"events\":[
	    {\"type\":\"O\",\"frame\":9,\"at\":1},{\"type\":\"O\",\"frame\":-1,\"at\":1},{\"type\":\"Q\",\"frame\":0,\"at\":1},
	    {\"type\":\"O\",\"frame\":1,\"at\":\"x\"},{\"type\":\"C\",\"frame\":0,\"at\":2},{\"type\":\"C\",\"frame\":9,\"at\":2},7]},
	    {\"type\":\"sampled\",\"name\":\"m\",\"unit\":\"seconds\",\"samples\":[[0,5],[0]],\"weights\":[1]},{\"type\":\"x\"}]}"
	run -1 --separate-stderr tq-extract in
	[ "$(jq -r 'select(.kind == "range") | [.name, .ts, .dur] | join(" ")' <<< "$output")" = '#9 1000000000 1000000000' ]
	[ "$(jq -c 'select(.kind == "stack") | .frames' <<< "$output")" = '["#5","a"]' ]
	[ "$(jq -r 'select(.kind == "lost") | "\(.reason) \(.count)"' <<< "$output")" = \
	    $'no type 3\nno time 1\nnot a number 1\nno such frame 1\nend without begin 1' ]
	run -1 tq-extract --check in
}

# ---- all of them ----

@test "--no-args, --keys, -k, --from and --to choose as elsewhere" {
	data other/wprof-format-examples.ndjson
	[ "$(tq-extract --no-args "$data" | sed 1d | grep -c '"args"')" = 0 ]
	[ "$(tq-extract -k range --keys name "$data" | grep '"range"')" = \
	    '{"kind":"range","ts":5000000,"name":"sched_switch"}
{"kind":"range","ts":500100000,"name":"module.MyClass.process"}
{"kind":"range","ts":600100000,"name":"aten::mm"}' ]
	[ "$(tq-extract --from 1s --to 1004ms "$data" | jq -r 'select(.ts != null) | .kind' | xargs)" = "range kernel api overhead" ]
	tq-extract --only "$data" | cmp - <(tq-extract "$data" | grep '"ts"')
	data other/speedscope/0.0.1-simple.speedscope.json
	[ "$(tq-extract --keys dur "$data" | grep -c '"name"')" = 1 ]
}

@test "--from counts for --kinds" {
	data other/wprof-format-examples.ndjson
	[ "$(tq-extract --kinds --from 1004ms "$data" | sort | tr '\t\n' ' ,')" = "memcpy 1,memset 1,range 1,sync 1," ]
}

@test "names of 300 KB, bytes that are no UTF-8, NaN and deep nesting are read" {
	long=$(head -c 300000 /dev/zero | tr '\0' n)
	printf '%s\n{"ts":1,"t":"pytorch_entry",%s,"name":"%s\xff","x":[NaN,-Infinity],"y":{"z":{"z":{"z":1}}}}\n' \
	    "$HEADER" "$TASK" "$long" > in
	[ "$(records '[(.name | length), (.name | endswith("\ufffd")), .args.x]')" = '[300001,true,["NaN","-Infinity"]]' ]
	nested=$(head -c 100000 /dev/zero | tr '\0' '[')
	input "$HEADER" "{\"t\":$nested" "{\"ts\":1,\"t\":\"timer\",$TASK}"
	run -1 --separate-stderr tq-extract in
	[[ $output = *'"kind":"sample"'* ]]
}

@test "every prefix of a recording is read without harm" {
	need data
	for of in "${SOURCES[@]:0:2}" "${SOURCES[@]:3:3}"; do
		data "${of#*:}"
		for n in 1 2 60 64 65 200 333 450 700 900; do
			head -c "$n" "$data" > in
			tq-extract --format "${of%%:*}" in > out 2> warnings || [ $? = 1 ]
			[ ! -s out ] || jq -c . out > loose
		done
	done
}

# ---- known, and not read ----

# refuses WHAT BYTES: a file of these bytes (of printf) is refused with WHAT
refuses() {
	printf "$2" > in
	run -1 --separate-stderr tq-extract in
	[ "$stderr" = "tq-extract: in: is $1" ]
	[ -z "$output" ]
	gzip -c in > in.gz
	run -1 --separate-stderr tq-extract in.gz
	[ "$stderr" = "tq-extract: in.gz: is $1" ]
	for tool in tq-stats tq-filter tq-correlate tq-chrome tq-perfetto tq-advise; do
		run -1 --separate-stderr "$tool" in.gz
		[ "$stderr" = "$tool: in.gz: is $1" ]
	done
	run -1 --separate-stderr tq chrome in
	[[ $stderr = "tq-"@(chrome|extract)": in: is $1"* ]]
}

@test "files that are known and not read say what they are, and what to do" {
	snapshot="a memory snapshot of PyTorch, which tq does not read yet: pytorch.org/memory_viz shows it"
	flight="a dump of the flight recorder of PyTorch, which tq does not read yet: torchfrtrace of PyTorch does"
	pickle="a pickle of Python, of which tq reads none: pytorch.org/memory_viz shows a memory snapshot of PyTorch, torchfrtrace reads dumps of its flight recorder"
	rocpd="(rocprofv3 --output-format rocpd)"
	for version in 2 3 4 5; do
		refuses "$pickle" "\\x80\\x0$version}q"
		refuses "$snapshot" "\\x80\\x0$version}q\\n\\x8c\\x08segments"
	done
	for start in '(dp0\nS\n' '(lp0\n' 'ccopy_reg\n_reconstructor\n'; do
		refuses "$pickle" "$start"
	done
	refuses "$flight" '\x80\x02}q\0(X\x09\0\0\0pg_configq\1'
	refuses "$flight" '{"version":"2.10","pg_config":{"0":{}}}'
	refuses "$flight" '{"entries":[{"collective_seq_id":1,"duration_ms":'
	refuses "$snapshot" '{"segments":[],"device_traces":[[]]}'
	refuses "a page of HTML, perhaps instead of a download: save the file itself" '\n<!DOCTYPE html>\n<html>'
	refuses "a program or library, no recording: tq-capture records a program" '\x7fELF\2\1\1\0'
	refuses "a picture, no recording" '\x89PNG\r\n\x1a\n'
	refuses "compressed in a way that tq does not know: unpack it" '\xfd7zXZ\0'
	refuses "text that NCCL printed, an answer of its RAS or a log, without times of operations: record with NCCL's profiler plugin or tq-capture" 'NCCL version 2.24.3 compiled with CUDA 12.4\n'
	refuses "a report of Nsight Compute, without a time line: record a trace with nsys or tq-capture" 'NVR\0\01\02'
	refuses "a zip archive: unpack it, and give the recording in it" 'PK\03\04\024\0'
	refuses "data of perf: give what perf script prints" 'PERFILE2h\0'
	for first in '{(' '{)' '{\xa8' '{\xa9' '\xfb(' '\xfb)' '\xfb\xa8' '\xfb\xa9'; do
		refuses "totals of cProfile, without times: tq-stats --pstats FILE shows them" "$first\\03z\\01a"
	done
	for line in '"Index","KernelName","gpu-id"' 'Index,KernelName,gpu-id' '"Name","Calls","TotalDurationNs"'; do
		refuses "made by rocprof v1 or v2: record with rocprofv3, which writes a database" "$line\\n"
	done
	for line in '"Kind","Agent_Id","Queue_Id"' '"Domain","Function","Process_Id"' '"Correlation_Id","Dispatch_Id","Agent_Id"'; do
		refuses "a table of rocprofv3, without ids: give its database $rocpd" "$line\\n"
	done
	refuses "counters of rocprof-compute, without times: record a trace with rocprofv3" 'Dispatch_ID,GPU_ID,Queue_ID\n'
	refuses "JSON of rocprofv3, which is for debugging: give its database $rocpd" '{"rocprofiler-sdk-tool": [{"metadata":'
	for name in host:CPU device:GPU:0 task:0; do
		refuses "a profile of XLA: give the trace.json.gz beside it" "\\n\\xe8\\x07\\x08\\x01\\x12\\x09/$name\\n"
	done
}

@test "databases that are known and not read say so" {
	sqlite3 v1.db 'CREATE TABLE A ("Index" INTEGER, "KernelName" TEXT)'
	run -1 --separate-stderr tq-extract v1.db
	[ "$stderr" = "tq-extract: v1.db: is made by rocprof v1 or v2: record with rocprofv3, which writes a database" ]
	sqlite3 compute.db 'CREATE TABLE compute_workload (id INTEGER)'
	run -1 --separate-stderr tq-extract compute.db
	[ "$stderr" = "tq-extract: compute.db: is counters of rocprof-compute, without times: record a trace with rocprofv3" ]
}

@test "files of the real data that are not read are refused by name" {
	data other/torch-memory-snapshot.pickle.zst
	run -1 --separate-stderr tq-extract "$data"
	[[ $stderr = *': is a memory snapshot of PyTorch, which tq does not read yet: '* ]]
	data other/cprofile-3.11.prof
	run -1 --separate-stderr tq-extract "$data"
	[[ $stderr = *': is totals of cProfile, without times: '* ]]
}

@test "--list-sources names them, and --format reads what it names" {
	run -0 tq-extract --list-sources
	for name in wprof nccl memory speedscope; do
		[[ $output = *$'\n'"$name "* ]]
	done
	input '{"ts":1,"t":"timer","task":{"pid":1,"tid":1}}'
	[ "$(tq-extract --format wprof in | jq -r 'select(.ts != null) | .kind')" = sample ]
}

@test "a comma that separates nothing is not written" {
	echo '{"header":{"id":"0x1","rank":2},"metadata":{"pid":3},"coll_perf":{"coll":"AllReduce","coll_exec_time_us":5,"event_trace_ts":{"kernel_events":[{,"kernel_start_ts":2}]}}}' > in.json
	[ "$(tq-extract --format nccl in.json | jq -c 'select(.kind == "range").args.event_trace_ts')" = \
	    '{"kernel_events":[{"kernel_start_ts":2}]}' ]
}
