#!/usr/bin/env bats
# tq-extract, in the order of its man page

load helper

# the records of a kind, as jq sees them: extract FIXTURE KIND FILTER
extract() {
	tq-extract "$(fixture "$1")" 2> /dev/null |
	    jq -c "select(.kind == \"$2\") | $3"
}

# both readers must agree on a database
agree() {
	cmp <(tq-extract "$1" 2>&1) <(tq-extract --reader=sqlite "$1" 2>&1)
}

# ---- the stream ----

@test "a section opens with trace, closes with end, and end counts the lines" {
	tq-extract "$(fixture base)" > "$BATS_TEST_TMPDIR/s"
	[ "$(head -n 1 "$BATS_TEST_TMPDIR/s" | jq -r .kind)" = trace ]
	n=$(($(wc -l < "$BATS_TEST_TMPDIR/s") - 2))
	[ "$(tail -n 1 "$BATS_TEST_TMPDIR/s")" = \
	    "{\"kind\":\"end\",\"events\":$n,\"dropped\":0}" ]
}

@test "the trace record tells producer, schema, origin, host and command" {
	run jq -c 'select(.kind == "trace") |
	    [.version, .source, .producer, .schema, .origin_utc_ns|type]' \
	    <(tq-extract "$(demo)")
	[ "$output" = '["number","string","string","string","string"]' ]
	run jq -r 'select(.kind == "trace") |
	    [.source, .producer, .schema, .host] | join(" ")' \
	    <(tq-extract "$(demo)")
	[ "$output" = "nsys 2026.2.1.210 3.25.0 node01" ]
}

@test "all lines are canonical: jq -c gives them back byte for byte" {
	for name in base demo documented odd ranges graph collide; do
		db=$(export_of $name)
		tq-extract "$db" > "$BATS_TEST_TMPDIR/s" 2> /dev/null
		jq -c . "$BATS_TEST_TMPDIR/s" | cmp - "$BATS_TEST_TMPDIR/s"
	done
}

@test "keys stand in the order of the schema" {
	tq-extract --schema | jq -r .key | awk '!seen[$0]++' \
	    > "$BATS_TEST_TMPDIR/keys"
	tq-extract "$(fixture documented)" | jq -se --rawfile schema \
	    <(tq-extract --schema) '
	    ($schema | split("\n") | map(select(. != "") | fromjson)
	        | group_by(.kind) | map({(.[0].kind): map(.key)}) | add) as $s
	    | all(.[]; (keys_unsorted | map(select(. != "kind"))) as $k
	        | ($k - $s[.kind]) == [])'
}

@test "every key has the type of the schema, and one type everywhere" {
	tq-extract --schema | jq -se '
	    group_by(.key) | all(map(.type) | unique | length == 1)'
}

@test "the same input gives the same bytes" {
	db=$(demo)
	cmp <(tq-extract "$db") <(tq-extract "$db")
}

@test "several files are several sections" {
	run jq -r 'select(.kind == "trace" or .kind == "end") | .kind' \
	    <(tq-extract "$(fixture base)" "$(fixture graph)")
	[ "${lines[*]}" = "trace end trace end" ]
}

# ---- what is read ----

@test "a kernel has names, symbol, launch configuration and identities" {
	run extract base kernel '[.ts,.dur,.pid,.corr,.name,.device,.context,.stream]'
	[ "${lines[0]}" = '[7000,2000,4096,3,"axpy",0,1,7]' ]
	run extract base symbol '[.id,.name,.demangled]'
	[ "${#lines[@]}" -eq 4 ]
	[[ "${lines[0]}" = '[1,"axpy",'*'axpy<float>'* ]]
	# each symbol is defined before the kernel that refers to it
	tq-extract "$(fixture base)" | jq -ne '
	    reduce inputs as $e ({seen: {}, bad: 0};
	        if $e.kind == "symbol" then .seen["\($e.id)"] = true
	        elif $e.kind == "kernel" and (.seen["\($e.sym)"] | not)
	        then .bad += 1 else . end) | .bad == 0'
}

@test "an API call has its name without the version suffix, and raw has it" {
	run extract base api 'select(.corr == 3) | [.name,.raw,.api,.ret,.tid]'
	[ "$output" = '["cudaLaunchKernel","cudaLaunchKernel_v7000","cuda-runtime",0,4096]' ]
	run extract odd api 'select(.ts == 13400) | [.name,.raw]'
	[ "$output" = '["cudaStreamGetCaptureInfo_v2","cudaStreamGetCaptureInfo_v2_v11030"]' ]
	run extract odd api 'select(.ts == 13200) | has("raw")'
	[ "$output" = false ]
}

@test "an API call tells how many operations it launched" {
	run extract graph api 'select(.gpu) | [.pid,.corr,.gpu]'
	[ "${#lines[@]}" -gt 3 ]
	tq-extract "$(fixture graph)" | jq -se '
	    (map(select(.kind == "kernel" or .kind == "memcpy" or
	        .kind == "memset" or .kind == "graph"))
	        | group_by([.pid, .corr]) | map({key: "\(.[0].pid) \(.[0].corr)",
	            value: length}) | from_entries) as $ops
	    | map(select(.kind == "api" and .gpu))
	    | all(.gpu == $ops["\(.pid) \(.corr)"])'
}

@test "without the kinds of operations no call promises any" {
	run jq -c 'select(has("gpu") and .kind == "api")' \
	    <(tq-extract -k api "$(fixture base)")
	[ -z "$output" ]
}

@test "copies, fills and synchronisations say what they did" {
	run extract base memcpy '[.copy,.bytes,.corr]'
	[ "${lines[0]}" = '["HtoD",8192,2]' ]
	[ "${lines[1]}" = '["DtoH",4096,7]' ]
	run extract base memset '[.bytes,.fill]'
	[ "$output" = '[4096,0]' ]
	run extract base sync '[.sync,has("stream")]'
	[ "${lines[0]}" = '["stream",true]' ]
	[ "${lines[1]}" = '["context",false]' ]
}

@test "a synchronisation is on the device of its context" {
	# nsys writes device 0 for each of them
	cp "$(fixture base)" "$BATS_TEST_TMPDIR/d.sqlite"
	sqlite3 "$BATS_TEST_TMPDIR/d.sqlite" "
	    UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET deviceId = 3;
	    UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET deviceId = 3;
	    UPDATE CUPTI_ACTIVITY_KIND_MEMSET SET deviceId = 3;
	    DELETE FROM TARGET_INFO_CUDA_CONTEXT_INFO"
	run jq -c 'select(.kind == "sync") | .device' \
	    <(tq-extract "$BATS_TEST_TMPDIR/d.sqlite")
	[ "${lines[*]}" = "3 3" ]
	agree "$BATS_TEST_TMPDIR/d.sqlite"
}

@test "the payload of a range is its fields where the export has their schema" {
	db=$BATS_TEST_TMPDIR/p.sqlite
	cp "$(fixture base)" "$db"
	# as of ncclSend: communicator, size, peer; a float and a signed byte
	sqlite3 "$db" "
	    CREATE TABLE NVTX_PAYLOAD_SCHEMA_ENTRIES (domainId, schemaId, idx, flags,
		type, name, description, arrayOrUnionDetail, offset);
	    INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES
		(1, 16777226, 0, NULL, 18, 'NCCL communicator ID', NULL, NULL, NULL),
		(1, 16777226, 1, NULL, 22, 'Message size [bytes]', NULL, NULL, 8),
		(1, 16777226, 2, NULL, 5, 'Peer rank', NULL, NULL, 16),
		(2, 7, 0, NULL, 19, 'a \"float\"', NULL, NULL, NULL),
		(2, 7, 1, NULL, 11, NULL, NULL, NULL, NULL),
		(2, 8, 0, 16, 5, 'an array', NULL, 4, NULL);
	    INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES SELECT * FROM NVTX_PAYLOAD_SCHEMA_ENTRIES;
	    UPDATE NVTX_EVENTS SET binaryData = CAST(
		x'01000000000000000a000001000000001800000000000000380000000000000088776655443322110010000000000000ffffffff00000000'
		AS TEXT) WHERE start = 2500;
	    UPDATE NVTX_EVENTS SET binaryData =
		x'0200000000000000070000000000000005000000000000002500000000000000' || x'0000c03ffe'
	    WHERE start = 5000;
	    UPDATE NVTX_EVENTS SET binaryData =
		x'0200000000000000080000000000000004000000000000002400000000000000' || x'01000000'
	    WHERE start = 15800"
	run jq -c 'select(.args.payload or .args.binaryData) | [.ts, .args]' <(tq-extract "$db")
	[ "${lines[0]}" = '[2500,{"payload":{"NCCL communicator ID":"1234605616436508552","Message size [bytes]":4096,"Peer rank":-1}}]' ]
	[[ "${lines[1]}" = '[5000,{"payload":{"a \"float\"":1.5,"#1":-2}'* ]]
	[ "${lines[2]}" = '[15800,{"binaryData":"020000000000000008000000000000000400000000000000240000000000000001000000"}]' ]
	agree "$db"
}

@test "OS calls name the files of an export that has them, and bytes read or written" {
	cp "$(fixture base)" "$BATS_TEST_TMPDIR/f.sqlite"
	sqlite3 "$BATS_TEST_TMPDIR/f.sqlite" "
	    CREATE TABLE OSRT_FILE_ACCESS_DESCRIPTORS (fileAccessId, processId,
		openedAt, closedAt, filePath);
	    CREATE TABLE OSRT_FILE_ACCESS_EVENTS (fileAccessId, threadId, startedAt,
		endedAt, eventType, apiCallId, bytesProcessed);
	    INSERT INTO OSRT_FILE_ACCESS_DESCRIPTORS
	    SELECT rowid, globalTid >> 24 & 0xffffff, 0, 0, '/tmp/\"' || rowid FROM OSRT_API;
	    INSERT INTO OSRT_FILE_ACCESS_EVENTS
	    SELECT rowid, globalTid & 0xffffff, start, end, rowid + 1, nameId, rowid * 10
	    FROM OSRT_API ORDER BY start DESC"
	run jq -c 'select(.kind == "osrt") | [.file, .bytes]' \
	    <(tq-extract "$BATS_TEST_TMPDIR/f.sqlite")
	[ "${lines[*]}" = '["/tmp/\"2",20] ["/tmp/\"1",null]' ]
	agree "$BATS_TEST_TMPDIR/f.sqlite"
}

@test "every file access of a real export is in the record of its OS call" {
	data nsys/2025.5.1-osrt-files.sqlite
	[ "$(tq-extract "$data" | jq -c 'select(.file) | [.ts, .tid, .file]')" = \
	    "$(sqlite3 "file:$data?immutable=1" "SELECT json_array(startedAt, threadId, filePath)
	    FROM OSRT_FILE_ACCESS_EVENTS JOIN OSRT_FILE_ACCESS_DESCRIPTORS
	    USING (fileAccessId) ORDER BY startedAt")" ]
}

@test "a device of a file of 2020 has its UUID, bus, memory and compute capability" {
	run jq -c 'select(.kind == "device") | [.uuid, .bus, .sms, .memory, .cc]' \
	    <(tq-extract "$(fixture v2020)")
	[ "$output" = '["01234567-89ab-cdef-0123-456789abcdef",null,80,16945512448,"7.0"]' ]
	cp "$(fixture v2020)" "$BATS_TEST_TMPDIR/d.sqlite"
	sqlite3 "$BATS_TEST_TMPDIR/d.sqlite" "
	    CREATE TABLE TARGET_INFO_GPU (vmId, deviceId, name, busLocation, isDiscrete);
	    INSERT INTO TARGET_INFO_GPU VALUES (1, 0, 'Tesla V100', '0000:00:1e.0', 1)"
	run jq -c 'select(.kind == "device") | [.bus, .sms, .memory, .cc]' \
	    <(tq-extract "$BATS_TEST_TMPDIR/d.sqlite")
	[ "$output" = '["0000:00:1e.0",80,16945512448,"7.0"]' ]
}

@test "ranges and marks have text, domain, colour, mode, and category names" {
	run extract base range '[.ts,.dur,.tid,.name,.mode,.color,.domain]'
	[ "${lines[0]}" = '[2500,13100,4096,"iteration","push","#76b900",null]' ]
	[[ "$output" = *'[5000,7000,4096,"request 1","start",'* ]]
	[[ "$output" = *'"compute","push","#0000ff","App"]'* ]]
	run extract base mark '[.ts,.name]'
	[ "$output" = '[15800,"checkpoint"]' ]
	run extract documented range 'select(.name == "push/pop") | .category'
	[ "$output" = '"io"' ]
}

@test "a domain without a name is # and its number, as the schema says" {
	local db=$BATS_TEST_TMPDIR/d.sqlite

	cp "$(fixture base)" "$db"
	chmod u+w "$db"
	sqlite3 "$db" "UPDATE NVTX_EVENTS SET domainId = 9 WHERE text = 'iteration'"
	run jq -c 'select(.domain == "#9") | .name' <(tq-extract "$db")
	[ "$output" = '"iteration"' ]
	run jq -r 'select(.kind == "range" and .key == "domain") | .doc' \
	    <(tq-extract --schema)
	[ "$output" = "domain, or #N without a name; absent for the default" ]
}

@test "the payload of a range is under args" {
	run extract documented range 'select(.name == "int64") | .args.int64Value'
	[ "$output" = -5 ]
	run extract documented range 'select(.name == "uint64") | .args.uint64Value'
	[ "$output" = '"18446744073709551615"' ]
	run extract documented range 'select(.args.json) | .args.json | type'
	[ "$(sort -u <<< "$output")" = '"string"' ]
}

@test "a back trace is a stack, defined once, before its first use" {
	tq-extract "$(demo)" | jq -ne '
	    reduce inputs as $e ({seen: {}, bad: 0, uses: 0};
	        if $e.kind == "stack" then
	            (if .seen["\($e.id)"] then .bad += 1 else . end)
	            | .seen["\($e.id)"] = true
	        elif $e.stack then .uses += 1
	            | (if .seen["\($e.stack)"] then . else .bad += 1 end)
	        else . end) | .bad == 0 and .uses > (.seen | length)'
}

@test "counters have a definition with name and unit" {
	run extract documented counterdef '[.id,.name]'
	[ "${#lines[@]}" -ge 2 ]
	run extract documented counter '[.device,.counter,.value]'
	[ "${#lines[@]}" -eq 24 ]
}

@test "memory operations, overhead, and messages of the producer are there" {
	run extract documented alloc '.op'
	[ "$(grep -c '"alloc"' <<< "$output")" -eq 4 ]
	[ "$(grep -c '"free"' <<< "$output")" -eq 2 ]
	run extract v2026 overhead '[.name,.what]'
	[ "${#lines[@]}" -ge 2 ]
	run extract v2026 diagnostic '.severity'
	[ "${#lines[@]}" -eq 2 ]
}

@test "calls of libraries are api records that name the library" {
	run jq -r 'select(.kind == "api") | .api' <(tq-extract "$(fixture documented)")
	[ "$(sort -u <<< "$output" | tr '\n' ' ')" = \
	    "cublas cuda-graph cuda-runtime cudnn mpi openacc openmp ucx " ]
	run extract documented api 'select(.name == "MPI_Recv") | [.open, has("dur")]'
	[ "$output" = '[true,false]' ]
}

@test "calls of MPI tell their table as class, and all values that it has" {
	for name in documented documented-old mpi; do
		for class in p2p collectives start-wait other; do
			table=${class//-/_}
			sqlite3 -json "$(fixture $name)" \
			    "SELECT '$class' AS class, * FROM MPI_${table^^}_EVENTS"
		done | jq -cS '.[] | del(.start, .end, .globalTid, .textId) |
		    with_entries(select(.value != null))' |
		    sort > "$BATS_TEST_TMPDIR/theirs"
		extract $name api 'select(.api == "mpi") | .args' |
		    jq -cS . | sort | diff - "$BATS_TEST_TMPDIR/theirs"
		[ "$(sort -u "$BATS_TEST_TMPDIR/theirs" | wc -l)" -ge 4 ]
	done
}

@test "page faults of unified memory are records of their own" {
	run extract documented fault .
	[ "${#lines[@]}" -eq 4 ]
	[ "${lines[0]}" = '{"kind":"fault","ts":8000,"pid":4096,"name":"CPU page fault","address":"0x7fedf5ee2e80","args":{"CpuInstruction":"solve","module":"/usr/bin/solver","originalFaultPc":"0x401200","sourceFile":"solver.c","sourceLine":112,"unresolvedFaultPc":false}}' ]
	[ "${lines[1]}" = '{"kind":"fault","ts":8100,"pid":4096,"name":"CPU page fault","address":"0x7fedf5ee3e80","args":{"CpuInstruction":"solve","module":"/usr/bin/solver","originalFaultPc":"0x401208","unresolvedFaultPc":true}}' ]
	[ "${lines[2]}" = '{"kind":"fault","ts":8200,"dur":100,"pid":4096,"name":"GPU page fault","device":0,"address":"0x7fedf5ee4e80","count":12,"args":{"faultAccessType":"Read"}}' ]
	run extract documented-old fault '[.ts, .dur, .count, .args.CpuInstruction]'
	[ "${lines[*]}" = '[8000,null,null,"solve"] [8200,100,12,null]' ]
	# what is newer than we are
	run extract mpi fault 'select(.ts == 40050) | .args.faultAccessType'
	[ "$output" = '"#5"' ]
	run tq-extract -k fault "$(fixture mpi)"
	[ "$(grep -c '"kind":"fault"' <<< "$output")" -eq 602 ]
	[ "$(grep -c '"ts":' <<< "$output")" -eq 602 ]
}

@test "exports of 2020 to 2026 of one run give the same events" {
	for v in v2020 v2021 v2022 v2023 v2026; do
		tq-extract -k kernel,memcpy,memset,sync,api,nvtx,osrt,sched \
		    "$(fixture $v)" | jq -c '
		    select(.ts and .sync != "event record")
		    | [.kind,.ts,.dur,.name,.corr,.stream]' \
		    > "$BATS_TEST_TMPDIR/$v"
		[ -s "$BATS_TEST_TMPDIR/$v" ]
		cmp "$BATS_TEST_TMPDIR/v2020" "$BATS_TEST_TMPDIR/$v"
	done
	[ "$(wc -l < "$BATS_TEST_TMPDIR/v2020")" -eq 14 ]
}

@test "of tables with a version in their name the newest is read" {
	tq-extract "$(fixture suffix)" > "$BATS_TEST_TMPDIR/s"
	run jq -c 'select(.ts) | [.kind,.ts,.name]' "$BATS_TEST_TMPDIR/s"
	[ "${lines[*]}" = '["range",900,"step"] ["api",1000,"cudaLaunchKernel"] ["kernel",2000,"newest"] ["api",3000,"cudaLaunchKernel"] ["kernel",4000,"newest"]' ]
	run jq -r 'select(.kind == "device") | .name' "$BATS_TEST_TMPDIR/s"
	[ "$output" = "GPU of V2" ]
}

# ---- order ----

@test "events are in order of time, of equal times the longer first" {
	for name in unsorted base documented odd collide; do
		tq-extract "$(fixture $name)" 2> /dev/null | jq -ne '
		    reduce (inputs | select(.ts)) as $e
		        ({ts: -1e30, dur: 0, bad: 0};
		        (if $e.open then 1e30 else $e.dur // 0 end) as $d
		        | (if $e.ts < .ts or ($e.ts == .ts and $d > .dur)
		            then .bad += 1 else . end)
		        | .ts = $e.ts | .dur = $d) | .bad == 0'
	done
}

@test "unsorted tables lose no row" {
	run jq -s 'map(select(.ts)) | group_by(.kind)
	    | map("\(.[0].kind) \(length)") | join(" ")' -r \
	    <(tq-extract "$(fixture unsorted)")
	[ "$output" = "api 63 kernel 63 mark 1 memcpy 3 memset 2 osrt 3 range 64 sample 3 sched 5 sync 2" ]
}

@test "a table with more runs than readers is sorted all the same" {
	sqlite3 "$BATS_TEST_TMPDIR/r.sqlite" "
	    CREATE TABLE SCHED_EVENTS (start INTEGER NOT NULL,
	        cpu INTEGER NOT NULL, isSchedIn INTEGER NOT NULL,
	        globalTid INTEGER);
	    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n
	        WHERE i < 4999)
	    INSERT INTO SCHED_EVENTS SELECT (i * 7919) % 5000, 0, i % 2,
	        0x1000001000001 FROM n"
	tq-extract "$BATS_TEST_TMPDIR/r.sqlite" |
	    jq -se 'map(select(.ts) | .ts) == [range(0; 5000)]'
}

# ---- selections ----

@test "-k takes kinds and the names the field knows" {
	run jq -r 'select(.ts) | .kind' <(tq-extract -k kernel,nvtx "$(fixture base)")
	[ "$(sort -u <<< "$output" | tr '\n' ' ')" = "kernel mark range " ]
	run jq -r 'select(.ts) | .kind' <(tq-extract -k cuda "$(fixture base)")
	[ "$(sort -u <<< "$output" | tr '\n' ' ')" = "api kernel memcpy memset sync " ]
}

@test "an unknown kind is a usage error that names it" {
	run --separate-stderr tq-extract -k kernel,nope "$(fixture base)"
	[ "$status" -eq 2 ]
	[[ $stderr = "tq-extract: no kind of record is named 'nope'; there are:"* ]]
	[ -z "$output" ]
}

@test "--from and --to keep what overlaps the window, and nothing else" {
	db=$(fixture base)
	for reader in direct sqlite; do
		tq-extract --reader $reader --from 7us --to 10us "$db" |
		    jq -c 'select(.ts) | [.kind,.ts,.dur]' > "$BATS_TEST_TMPDIR/cut"
		tq-extract "$db" | jq -c 'select(.ts)
		    | select(.ts < 10000 and (.ts >= 7000 or
		        (.ts + (.dur // 0)) > 7000)) | [.kind,.ts,.dur]' |
		    cmp - "$BATS_TEST_TMPDIR/cut"
		[ -s "$BATS_TEST_TMPDIR/cut" ]
	done
}

@test "a window keeps a range that never ended" {
	run jq -c 'select(.open) | .name' \
	    <(tq-extract --from 1s --to 2s "$(fixture ranges)")
	[ -n "$output" ]
}

@test "a time without sense is a usage error" {
	run --separate-stderr tq-extract --from 5parsec "$(fixture base)"
	[ "$status" -eq 2 ]
	[ "$stderr" = "tq-extract: --from 5parsec: expected a time, as in 1.5s or 200ms" ]
	run --separate-stderr tq-extract --from 2s --to 1s "$(fixture base)"
	[ "$status" -eq 2 ]
	[ "$stderr" = "tq-extract: --from is not before --to" ]
}

@test "--time A:B is --from A and --to B" {
	demo > /dev/null
	tq-extract --from 10ms --to 20ms "$(demo)" > "$BATS_TEST_TMPDIR/want"
	for window in 10ms:20ms 10ms/20ms; do
		tq-extract --time $window "$(demo)" | cmp - "$BATS_TEST_TMPDIR/want"
	done
	tq-extract --time :20ms "$(demo)" | cmp - <(tq-extract --to 20ms "$(demo)")
	run -2 tq-extract --time -1ms: "$(demo)"
	[[ $output = 'tq-extract: --time -1ms:: a time before the end is for --time of tq-filter' ]]
}

# ---- --check, --schema ----

@test "--check tells rows, records, losses and versions, and writes no stream" {
	run tq-extract --check "$(fixture base)"
	[ "$status" -eq 0 ]
	[[ "${lines[0]}" = *"nsys 2025.5.1"*"schema 3.23.3" ]]
	[[ "$output" =~ CUPTI_ACTIVITY_KIND_KERNEL\ +kernel\ +4\ +4\ +0 ]]
	[[ "$output" = *"absent: "*GPU_METRICS* ]]
	[[ "${lines[-1]}" = *"records, 0 rows dropped" ]]
}

@test "--check exits 1 and says why when a row had to be dropped" {
	run tq-extract --check "$(fixture odd)"
	[ "$status" -eq 1 ]
	[[ "$output" = *"2 no start time  1 end before start"* ]]
	[[ "$output" = *"bytes that were no UTF-8"* ]]
}

@test "--check names what is in the export and not read" {
	run tq-extract --check "$(fixture documented)"
	[[ "$output" = *"not read: "*"CUDA_HOST_CALLBACK (1 rows)"* ]]
	[[ "$output" =~ CUDA_UM_CPU_PAGE_FAULT_EVENTS\ +fault\ +2\ +2\ +0 ]]
	[[ "$output" =~ CUDA_UM_GPU_PAGE_FAULT_EVENTS\ +fault\ +2\ +2\ +0 ]]
	[[ "$output" = *"FUTURE_EVENTS ("* ]]
	[[ "$output" = *"producer: error: "* ]]
}

@test "a dropped row is counted in end, told by a lost record, and warned of" {
	run --separate-stderr tq-extract "$(fixture odd)"
	[ "$status" -eq 0 ]
	[ "$(jq .dropped <<< "${lines[-1]}")" -eq 3 ]
	[ "$(jq -r .kind <<< "${lines[-2]}")" = lost ]
	[ "$(jq -r .reason <<< "${lines[-2]}")" = 'end before start' ]
	[[ "$stderr" = *"warning: "*"3 rows dropped; --check lists them" ]]
}

@test "--schema prints a record for each key of each kind" {
	tq-extract --schema > "$BATS_TEST_TMPDIR/schema"
	jq -se 'all(keys == ["doc","key","kind","type","unit"]) and
	    (map(.kind) | unique | length) > 20 and
	    any(.kind == "kernel" and .key == "dur" and .unit == "ns")' \
	    "$BATS_TEST_TMPDIR/schema"
}

# ---- both readers ----

@test "the direct reader and SQLite give the same bytes" {
	for f in "$BATS_TEST_DIRNAME"/data/*.sql; do
		name=${f##*/}
		[ "$name" = notnsys.sql ] || agree "$(fixture "${name%.sql}")"
	done
	agree "$(demo)"
}

@test "the direct reader copes with pages of all sizes, and with deep trees" {
	for size in 512 1024 8192 65536; do
		db=$BATS_TEST_TMPDIR/$size.sqlite
		{ echo "PRAGMA page_size=$size;"; sh "$top/tests/data/make.sh" odd
		  echo "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1
		      FROM n WHERE i < 20000)
		      INSERT INTO SCHED_EVENTS (start, cpu, isSchedIn, globalTid)
		      SELECT i * 1000, i % 64, i % 2, 0x1000001000001 FROM n;"
		} | sqlite3 "$db"
		agree "$db"
	done
}

@test "columns that were added later are NULL in rows from before" {
	cp "$(fixture base)" "$BATS_TEST_TMPDIR/a.sqlite"
	sqlite3 "$BATS_TEST_TMPDIR/a.sqlite" \
	    "ALTER TABLE SCHED_EVENTS ADD COLUMN newer INTEGER;
	     ALTER TABLE CUPTI_ACTIVITY_KIND_RUNTIME ADD COLUMN more TEXT DEFAULT 'x'"
	agree "$BATS_TEST_TMPDIR/a.sqlite"
}

@test "changes that wait in a write-ahead log are read" {
	cp "$(fixture base)" "$BATS_TEST_TMPDIR/w.sqlite"
	sqlite3 "$BATS_TEST_TMPDIR/w.sqlite" "PRAGMA journal_mode=WAL" \
	    "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = start + 1" \
	    ".shell cp $BATS_TEST_TMPDIR/w.sqlite $BATS_TEST_TMPDIR/v.sqlite; cp $BATS_TEST_TMPDIR/w.sqlite-wal $BATS_TEST_TMPDIR/v.sqlite-wal" > /dev/null
	[ -s "$BATS_TEST_TMPDIR/v.sqlite-wal" ]
	run jq -r 'select(.kind == "kernel") | .ts' \
	    <(tq-extract "$BATS_TEST_TMPDIR/v.sqlite")
	[ "${lines[0]}" = 7001 ]
}
