#!/usr/bin/env bats
# tq-extract on rocpd databases of AMD's profilers: the section rocpd of its
# man page

load helper

# the databases with golden records: real ones, and synthetic ones
ROCPD=(mi300x-2025-11-21-bmm mi300x-2025-12-11-bmm mi300x-2025-12-23-ck-att
	mi300x-2025-12-30-bmm synthetic-edge synthetic-full synthetic-graph
	synthetic-two synthetic-v4)

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
}

# the records of a kind, as jq sees them: records KIND FILTER
records() {
	tq-extract "$(fixture rocpd)" 2> /dev/null |
	    jq -c "select(.kind == \"$1\") | $2"
}

# a copy of the fixture as r.db, changed by SQL
changed() {
	cp "$(fixture rocpd)" r.db
	chmod u+w r.db
	sqlite3 -bail r.db "$1"
}

# ---- records ----

@test "rocpd: every record is as the reference program has it" {
	for name in "${ROCPD[@]}"; do
		data "rocpd/$name.db.zst"
		zstd -dqc "$data" > "$name.db"
		for reader in direct sqlite; do
			tq-extract --reader "$reader" "$name.db" 2> /dev/null |
			    jq -cS 'select(.kind | IN("trace", "end", "process",
			        "thread", "stream", "lost") | not) |
			        if .kind == "symbol" then del(.args) else . end |
			        del(.args.src_address?, .args.dst_address?) |
			        if .args == {} then del(.args) else . end' |
			    sort > ours
			zstd -dqc "$DATA/rocpd/golden/$name.ref.ndjson.zst" |
			    sort > theirs
			if [[ $name = synthetic-edge ]]; then
				# a counter and a sample without an event: theirs
				# takes NULL for an event that both have; and a
				# kernel that ends before it starts, which ours
				# leaves out
				grep -v '"ts":9000000[63]00' theirs > t && mv t theirs
				grep -v '"ts":9000000600' ours > t && mv t ours
			fi
			cmp ours theirs
		done
	done
}

@test "rocpd: both readers give the same stream, also compressed" {
	tq-extract "$(fixture rocpd)" > direct
	tq-extract --reader sqlite "$(fixture rocpd)" | cmp - direct
	zstd -qc "$(fixture rocpd)" | tq-extract | cmp - direct
}

@test "rocpd: lines are canonical, times ascend, the longer comes first" {
	tq-extract "$(fixture rocpd)" > s
	jq -c . s | cmp - s
	jq -r 'select(.ts and .kind != "lost") | [.ts,
	    if .open then -9e15 else -(.dur // 0) end] | @tsv' s |
	    sort -c -k 1,1n -k 2,2n
}

@test "rocpd: the trace record tells producer, schema, clock and its origin" {
	run records trace '[.source, .producer, .schema, .clock, .origin_clock,
	    .host, .os, .command, .origin_utc_ns]'
	[ "$output" = '["rocpd","rocm-7.1.1","3.0.2","boottime","1000000",'\
'"node1","Linux 6.8.0","/opt/app/train --fast",null]' ]
	! tq-extract "$(fixture rocpd)" | grep -q '/root'
}

@test "rocpd: ids are unique within a suffix, processes of other hosts differ" {
	run records process '[.pid, .name, .host, .rank]'
	[ "${lines[0]}" = '[500,"train","node1",3]' ]
	[ "${lines[1]}" = '[16777716,"train","node2",null]' ]
	run records api 'select(.pid == 16777716) | [.ts, .tid, .name, .api]'
	[ "$output" = '[-1000,7,"hsa_init","hsa"]' ]
}

@test "rocpd: a grid has work-groups, and not work-items" {
	run records kernel 'select(.name == "axpy") | [.grid, .block]'
	[ "$output" = '[[304,1,1],[256,1,1]]' ]
}

@test "rocpd: a kernel has the correlation id of the call, by its event" {
	tq-extract "$(fixture rocpd)" 2> /dev/null | tq-correlate 2> /dev/null |
	    jq -c 'select(.kind == "kernel") | [.name, .api_name]' > got
	[ "$(cat got)" = '["axpy","hipLaunchKernel"]
["#10",null]' ]
}

@test "rocpd: a device is the number among GPUs, gpu the one among agents" {
	run records device '[.device, .gpu, .bus, .sms, .cc, .vendor]'
	[ "${lines[0]}" = '[0,1,"0001:0c:00.0",304,"gfx942","AMD"]' ]
	[ "${lines[1]}" = '[1,2,null,null,"gfx942","AMD"]' ]
}

@test "rocpd: a roctx range has its message as name, and where it is none, the function" {
	run records range '[.name, .mode, .domain, .dur]'
	[ "${lines[0]}" = '["step \"0\"","push","roctx",450]' ]
	[ "${lines[1]}" = '["roctxProcessRangeA","start","roctx",10]' ]
	[ "${lines[2]}" = '["roctxThreadRangeA","push","roctx",-5]' ]
	[ "${lines[3]}" = '["#404","push","compute",10]' ]
	run records mark '[.ts, .name, .domain]'
	[ "$output" = '[320,"here","roctx"]' ]
}

@test "rocpd: a call without time keeps its category, one without end is open" {
	run records api 'select(.dur == 0 or .open) | [.name, .dur, .open]'
	[ "${lines[0]}" = '["HIP_RUNTIME_API_EXT",0,null]' ]
	[ "${lines[1]}" = '["hipStreamSynchronize",null,true]' ]
}

@test "rocpd: two arguments of one name stay apart" {
	run records api 'select(.corr == 2 and .pid == 500) | .args'
	[ "$output" = '{"f":"axpy","n":"{x=1}","n#2":"{x=2}"}' ]
	tq-extract --no-args "$(fixture rocpd)" 2> /dev/null |
	    jq -se 'all(.ts == null or .args == null)'
}

@test "rocpd: arguments that do not stand in the order of events are found" {
	tq-extract "$(fixture rocpd)" > s 2> /dev/null
	changed 'UPDATE rocpd_arg_a SET id = -id'
	tq-extract r.db 2> /dev/null |
	    jq -c 'select(.args.sizeBytes) | .ts' > got
	[ "$(cat got)" = 400 ]
	changed 'CREATE TABLE e AS SELECT * FROM rocpd_event_a ORDER BY -id;
	    DROP TABLE rocpd_event_a; ALTER TABLE e RENAME TO rocpd_event_a'
	tq-extract r.db 2> /dev/null | cmp - s
}

@test "rocpd: directions of copies come from agents, else from the name" {
	run records memcpy '[.copy, .src, .dst, .src_device, .dst_device]'
	[ "${lines[0]}" = '["HtoD","Host","Device",null,null]' ]
	[ "${lines[1]}" = '["HtoD",null,null,null,null]' ]
	[ "${lines[2]}" = '["PtoP","Device","Device",0,1]' ]
}

@test "rocpd: addresses of copies are args" {
	changed 'ALTER TABLE rocpd_memory_copy_a ADD COLUMN src_address;
	    ALTER TABLE rocpd_memory_copy_a ADD COLUMN dst_address;
	    UPDATE rocpd_memory_copy_a SET src_address = 4096, dst_address = 0
	        WHERE id = 1;
	    UPDATE rocpd_memory_copy_a SET dst_address = -4096 WHERE id = 2'
	[ "$(tq-extract r.db 2> /dev/null | jq -c 'select(.kind == "memcpy") | .args')" = \
	    '{"src_address":"0x1000"}
{"dst_address":"0xfffffffffffff000"}
null' ]
	! tq-extract --no-args r.db 2> /dev/null | grep -q _address
}

@test "rocpd: a call stack is a stack, or an argument where it is none" {
	changed "UPDATE rocpd_event_a SET call_stack = '[\"leaf\", {\"line\": 3, \"function\": \"root\"}]'
	        WHERE id IN (2, 5);
	    UPDATE rocpd_event_a SET call_stack = '{\"depth\": 2}',
	        line_info = '{\"file\": \"a.c\"}' WHERE id = 1;
	    UPDATE rocpd_event_a SET call_stack = '[\"', line_info = '[]' WHERE id = 14"
	tq-extract r.db > s 2> /dev/null
	[ "$(jq -c 'select(.kind == "stack")' s)" = '{"kind":"stack","id":1,"frames":["leaf","root"]}' ]
	[ "$(jq -c 'select(.stack) | [.kind, .ts, .stack]' s | xargs)" = '[api,200,1] [api,400,1]' ]
	[ "$(jq -c 'select(.args.call_stack) | .args' s)" = '{"call_stack":{"depth":2},"line_info":{"file":"a.c"}}' ]
	tq-extract --reader sqlite r.db 2> /dev/null | cmp - s
	run -1 tq-extract --check r.db
	[[ $output = *"note: 2 values of extdata are no JSON"* ]]
}

@test "rocpd: a schema that is not known is read as far as it goes, and told once" {
	changed "UPDATE rocpd_metadata_a SET value = '5.1' WHERE tag = 'schema_version'"
	tq-extract "$(fixture rocpd)" 2> /dev/null | sed 1d > s
	tq-extract r.db 2> err | sed 1d | cmp - s
	[ "$(grep -c "r.db: unknown rocpd schema 5.1, read as 3; some tables may be missing" err)" = 1 ]
}

@test "rocpd: counters have the time of their kernel or sample" {
	run records counter '[.ts, .device, .corr, .counter, .value]'
	[ "${lines[0]}" = '[350,0,2,1,7]' ]
	[ "${lines[1]}" = '[700,null,null,1,2.5]' ]
}

@test "rocpd: a counter is an instant: a window within its kernel has none" {
	tq-extract "$(fixture rocpd)" 2> /dev/null |
	    jq -c 'select(.kind == "kernel" and .ts == 350)' > kernel
	[[ $(jq .dur kernel) -gt 1 ]]
	for from in 350 351; do
		tq-extract --time "${from}ns:" "$(fixture rocpd)" 2> /dev/null > got
		grep -qF "$(cat kernel)" got
		jq -r 'select(.kind == "counter").ts' got
	done | xargs > times
	[[ $(cat times) = '350 700 700' ]]
}

@test "rocpd: a graph launch is folded where its kernels are known" {
	run records graph '[.ts, .graph]'
	[ "$output" = '[800,6]' ]
}

@test "rocpd: times of schema 4.0 are in a table of their own" {
	tq-extract "$(fixture rocpd)" > s
	changed 'CREATE TABLE rocpd_timestamp_b (id INTEGER PRIMARY KEY, value);
	    INSERT INTO rocpd_timestamp_b VALUES (5, 999000), (6, 1000201);
	    ALTER TABLE rocpd_region_b RENAME TO r;
	    CREATE TABLE rocpd_region_b AS SELECT id, pid, tid, 5 AS start_id,
	        6 AS end_id, name_id, event_id FROM r;
	    DROP TABLE r'
	tq-extract r.db | cmp - s
}

@test "rocpd: rows in no order at all are sorted" {
	changed "DELETE FROM rocpd_region_b;
	    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n
	        WHERE i < 2000) INSERT INTO rocpd_region_b
	    SELECT i, 1, 7, 2000000 - i * 10, 2000001 - i * 10, 2, 2 FROM n"
	tq-extract r.db > s
	[ "$(grep -c hsa_init s)" = 2000 ]
	jq -r 'select(.name == "hsa_init") | .ts' s | sort -cn
}

@test "rocpd: kernels have the calls and sums of AMD's view top_kernels" {
	for name in "${ROCPD[@]}"; do
		[[ $name != synthetic-@(edge|two|v4) ]] || continue
		data "rocpd/$name.db.zst"
		zstd -dqc "$data" | tq-extract -k kernel |
		    tq-stats -r cuda_gpu_kern_sum -f json1 |
		    jq -r '.[] | [.Name, .Instances, ."Total Time (ns)"] | @tsv' |
		    sort > ours
		awk -F '\t' 'NR > 1 { printf "%s\t%d\t%.0f\n", $1, $2, $3 * 1000 }' \
		    "$DATA/rocpd/golden/$name.top_kernels.tsv" | sort > theirs
		cmp ours theirs
	done
}

# ---- losses ----

@test "rocpd: --check accounts for every row" {
	run --separate-stderr tq-extract --check "$(fixture rocpd)"
	((status == 1)) && [ -z "$stderr" ]
	awk 'NR > 2 && $2 ~ /^[0-9]+$/ {
	    if ($2 != $3 + $4 + $5 + $6) exit 1; n++ }
	    END { exit n < 10 }' <<< "$output"
	[[ $output = *"rocpd, schema 3.0.2"* ]]
	[[ $output = *"rocpd_kernel_dispatch_a"*"1 no start"* ]]
	[[ $output = *"rocpd_pmc_event_a"*"1 not a number  1 no event"* ]]
	[[ $output =~ rocpd_gpu_pc_sample_a\ +2\ +0\ +0\ +0\ +2 ]]
	[[ $output = *"note: 1 values of extdata are no JSON"* ]]
}

@test "rocpd: each loss has a record, and a warning tells how many there are" {
	run --separate-stderr tq-extract "$(fixture rocpd)"
	((status == 0))
	[ "$stderr" = "tq-extract: warning: $(fixture rocpd): 3 rows dropped; \
--check lists them" ]
	run records lost '[.reason, .what, .count]'
	[ "${lines[0]}" = '["no start","rocpd_kernel_dispatch_a",1]' ]
	[ "${lines[1]}" = '["not a number","rocpd_pmc_event_a",1]' ]
	[ "${lines[2]}" = '["no event","rocpd_pmc_event_a",1]' ]
}

@test "rocpd: --kinds counts what a stream has, --keys and -k choose" {
	tq-extract "$(fixture rocpd)" 2> /dev/null |
	    jq -r 'select(.ts != null) | .kind' | sort | uniq -c |
	    awk '{ print $2 "\t" $1 }' > stream
	tq-extract --kinds "$(fixture rocpd)" | sort | cmp - stream
	run --separate-stderr tq-extract --only -k kernel --keys name "$(fixture rocpd)"
	[ "${lines[0]}" = '{"kind":"kernel","ts":350,"name":"axpy"}' ]
}

@test "rocpd: a database without a table, or a column, gives what is left" {
	changed 'DROP TABLE rocpd_string_a; DROP TABLE rocpd_event_a;
	    DROP TABLE rocpd_info_agent_a; DROP TABLE rocpd_track_a;
	    ALTER TABLE rocpd_region_a DROP COLUMN tid;
	    DROP TABLE rocpd_arg_a'
	tq-extract r.db > s
	[ "$(jq -c 'select(.ts == 200)' s)" = '{"kind":"range","ts":200,"dur":100,'\
'"pid":500,"name":"#2","mode":"push"}' ]
	jq -se 'map(select(.kind == "kernel" and .device)) == []' s
}

# each row of r.db is accounted for, and the stream is whole
accounted() {
	status=0
	tq-extract --check r.db > check 2> err || status=$?
	awk -v "what=$1" 'NR > 2 && $2 ~ /^-?[0-9]+$/ && $6 ~ /^-?[0-9]+$/ {
	    for (i = 2; i <= 6; i++) if ($i < 0) bad = 1
	    if (bad || $2 != $3 + $4 + $5 + $6) { print what, $0; exit 1 } }' check
	((status == 0)) || grep -Eq ' [1-9][0-9]* rows dropped$' check
	told=0
	tq-extract r.db > s 2> /dev/null || told=$?
	((told == 0)) && tail -n 1 s | grep -q '"kind":"end"'
}

@test "rocpd: without any table or column, and with any value odd, rows are accounted for" {
	sqlite3 "$(fixture rocpd)" "SELECT t.name, c.name FROM sqlite_master t,
	    pragma_table_info(t.name) c WHERE t.type = 'table' AND c.pk = 0
	    AND t.name LIKE 'rocpd_%_a'" > columns
	while IFS='|' read -r table column; do
		changed "ALTER TABLE $table DROP COLUMN \"$column\""
		accounted "$table.$column"
	done < columns
	cut -d '|' -f 1 columns | grep -v metadata | sort -u > tables
	while read -r table; do
		changed "DROP TABLE $table"
		accounted "$table"
	done < tables
	for value in NULL -1 0 9223372036854775807 1.5 "'x'" "x'00ff'" 2; do
		changed "$(awk -F '|' -v "v=$value" '$1 !~ /metadata|info_/ {
		    print "UPDATE " $1 " SET \"" $2 "\" = " v " WHERE rowid % 3 = " NR % 3 ";" }' columns)"
		accounted "$value"
	done
}

@test "rocpd: a file that is cut short is an error, and leaves nothing whole" {
	head -c 30000 "$(fixture rocpd)" > cut.db
	run --separate-stderr tq-extract -o out cut.db
	((status == 1))
	[[ $stderr = "tq-extract: cut.db: "* && ! -e out ]]
}

@test "rocpd: an AMD pipeline of the examples tells kernels by range" {
	run sh "$top/examples/amd.sh"
	((status == 0))
	[[ ${#lines[@]} = 9 && $output = *"roctx:step 3"*"relu"* ]]
}

# ---- RPD ----

@test "rpd: calls, ranges, operations and counters become records" {
	tq-extract "$(fixture rpd)" 2> /dev/null > s
	[ "$(grep -v '"lost"' s)" = "$(cat <<- 'END'
	{"kind":"trace","version":1,"source":"rpd","schema":"2","origin_clock":"900","clock":"monotonic"}
	{"kind":"process","pid":10}
	{"kind":"device","pid":10,"device":2,"vendor":"AMD"}
	{"kind":"range","ts":0,"dur":300,"pid":10,"tid":11,"name":"aten::add","mode":"push","domain":"roctx"}
	{"kind":"api","ts":100,"dur":100,"pid":10,"tid":11,"corr":4294967297,"name":"hipLaunchKernel","api":"hip"}
	{"kind":"counterdef","name":"gpu sclk","id":1,"device":2}
	{"kind":"counter","ts":100,"pid":10,"device":2,"counter":1,"value":134}
	{"kind":"api","ts":210,"dur":40,"pid":10,"tid":11,"corr":4294967299,"name":"hipMemcpyAsync","api":"hip"}
	{"kind":"api","ts":260,"dur":10,"pid":10,"tid":11,"corr":4294967301,"name":"hipExtModuleLaunchKernel","api":"hip"}
	{"kind":"symbol","name":"add","id":1,"demangled":"void add<float>(float*)"}
	{"kind":"kernel","ts":400,"dur":100,"pid":10,"tid":11,"corr":4294967297,"name":"add","sym":1,"device":2,"stream":3,"queue":3,"grid":[8,1,1],"block":[256,1,1],"smem_dynamic":0,"local":0}
	{"kind":"kernel","ts":500,"dur":50,"pid":10,"tid":11,"corr":4294967297,"name":"add","sym":1,"device":2,"stream":3,"queue":3,"grid":[8,1,1],"block":[256,1,1],"smem_dynamic":0,"local":0}
	{"kind":"memcpy","ts":600,"dur":100,"pid":10,"tid":11,"corr":4294967299,"device":2,"stream":3,"queue":3,"bytes":4096,"copy":"HtoD"}
	{"kind":"kernel","ts":700,"dur":100,"pid":10,"tid":11,"corr":4294967301,"name":"add","sym":1,"device":2,"stream":3,"queue":3,"grid":[4,1,1],"block":[256,1,1],"smem_dynamic":64,"local":0}
	{"kind":"sync","ts":800,"dur":0,"pid":10,"device":2,"stream":3,"queue":3,"sync":"Barrier"}
	{"kind":"overhead","ts":1100,"dur":100,"pid":10,"tid":12,"name":"OpTable::writeRows"}
	{"kind":"end","events":16,"dropped":1}
	END
	)" ]
	run --separate-stderr tq-extract --check "$(fixture rpd)"
	((status == 1))
	[[ $output =~ rocpd_monitor\ +2\ +1\ +1\ +0 ]]
	[[ $output = *"note: 1 operations have several calls"* ]]
}

@test "rpd: a real recording has the rows and durations of its tables" {
	data rocpd/rpd-torch-mytrace.rpd.zst
	zstd -dqc "$data" > r.rpd
	tq-extract r.rpd > s
	golden=$DATA/rocpd/golden/rpd-torch-mytrace.counts.tsv
	awk -F '\t' '{ k = "" }
	    $1 == "op" { k = "kernel" }
	    $1 == "op" && $2 ~ /^Copy/ { k = "memcpy" }
	    $1 == "api" { k = "overhead" }
	    $1 == "api" && $2 ~ /^hip/ { k = "api" }
	    $2 == "UserMarker" { k = "range" }
	    $1 == "monitor" { k = "counter" }
	    k != "" { n[k] += $3; d[k] += $4 }
	    END { for (k in n) printf "%s %d %.0f\n", k, n[k], d[k] }' "$golden" | sort > theirs
	jq -rn 'reduce (inputs | select(.ts != null)) as $r ({};
	        .[$r.kind] |= [(.[0] // 0) + 1, (.[1] // 0) + ($r.dur // 0)]) |
	    to_entries[] | "\(.key) \(.value[0]) \(.value[1])"' s |
	    sort > ours
	cmp ours theirs
	tq-correlate < s | tail -n 1 | jq -e '.resolved == 10124'
}

@test "rpd: each event of a real recording is as SQL has it" {
	data rocpd/rpd-torch-mytrace.rpd.zst
	zstd -dqc "$data" > r.rpd
	sqlite3 r.rpd < "$top/tests/oracle/rpd.sql" | jq -cS 'del(..|nulls)' | sort > theirs
	# a kernel has the name that its symbol has
	tq-extract r.rpd | jq -ncS 'foreach (inputs | select(.kind != "counter")) as $r ({};
	    if $r.kind == "symbol" then .["\($r.id)"] = $r.demangled else . end;
	    $r + {demangled: .["\($r.sym)"]} | select(.ts) |
	    if .sym then .name = null else . end |
	    {kind, ts, dur, pid, tid, corr, name, device, queue, demangled,
	        bytes, grid, block}) | del(..|nulls)' | sort > ours
	cmp ours theirs
}

@test "rpd: what a recording has is read without the tables and columns it lacks" {
	events() {
		tq-extract "$1" 2> /dev/null | jq -r 'select(.ts) | .kind' |
		    sort | uniq -c | awk '{ print $2 $1 }' | xargs
	}
	for lacks in 'rocpd_kernelapi' 'rocpd_copyapi' 'rocpd_api_ops' \
	    'rocpd_string' 'rocpd_monitor' 'rocpd_metadata'; do
		cp "$(fixture rpd)" r.rpd
		chmod u+w r.rpd
		sqlite3 r.rpd "DROP TABLE $lacks"
		echo "$lacks: $(events r.rpd)"
	done > got
	cp "$(fixture rpd)" r.rpd
	chmod u+w r.rpd
	sqlite3 r.rpd 'ALTER TABLE rocpd_copyapi DROP COLUMN size;
	    ALTER TABLE rocpd_op DROP COLUMN queueId;
	    ALTER TABLE rocpd_api DROP COLUMN args_id;
	    UPDATE rocpd_monitor SET value = 2.5 WHERE id = 2;
	    UPDATE rocpd_monitor SET value = "134.25" WHERE id = 1'
	echo "columns: $(events r.rpd)" >> got
	diff got - <<- 'END'
	rocpd_kernelapi: api3 counter1 kernel3 lost1 memcpy1 overhead1 range1 sync1
	rocpd_copyapi: api3 counter1 kernel3 lost1 memcpy1 overhead1 range1 sync1
	rocpd_api_ops: api3 counter1 kernel3 lost1 memcpy1 overhead1 range1 sync1
	rocpd_string: api5 counter1 lost1 sync5
	rocpd_monitor: api3 kernel3 memcpy1 overhead1 range1 sync1
	rocpd_metadata: api3 counter1 kernel3 lost1 memcpy1 overhead1 range1 sync1
	columns: api3 counter2 kernel3 memcpy1 overhead1 range1 sync1
	END
	[ "$(tq-extract r.rpd | jq '.value | values' | xargs)" = '134.25 2.5' ]
	run -0 tq-extract --check r.rpd
	[[ $output =~ rocpd_op\ +5\ +5\ +0\ +0 ]]
}
