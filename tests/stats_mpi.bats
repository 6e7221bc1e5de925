#!/usr/bin/env bats
# tq-stats: calls of MPI, and unified memory, against what SQL says of the
# same database

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	in=$(extracted mpi)
}

# ---- helpers ----

# sql: what the fixture answers to the query on stdin, as csv
sql() {
	cat "$top/tests/oracle/mpi.sql" - | sqlite3 -csv "$(fixture mpi)" |
	    tr -d '\r'
}

# table REPORT [OPTION ...]: its rows; nsys ends a table with a blank line
table() {
	tq-stats -f csv -r "$@" "$in" | sed '1d; ${/^$/d}'
}

# sums FROM WHAT ORDER: the numbers of a sum of v by source and name
sums() {
	cat <<-EOF
	WITH ranked AS (SELECT *, row_number() OVER w AS r, count(*) OVER
		(PARTITION BY source, name) AS c FROM ($1)
		WINDOW w AS (PARTITION BY source, name ORDER BY v))
	SELECT $2 count(*), printf('%.1f', avg(v)),
		printf('%.1f', avg(CASE WHEN r * 2 IN (c, c + 1, c + 2)
			THEN v END)),
		min(v), max(v), printf('%.1f', CASE WHEN count(*) > 1 THEN
			sqrt((total(v * v) - total(v) * avg(v)) /
			(count(*) - 1)) ELSE 0 END),
		source, name FROM ranked GROUP BY source, name
		ORDER BY $3, source || char(0) || name;
	EOF
}

# ---- MPI ----

@test "mpi_event_sum is what SQL adds up" {
	table mpi_event_sum > ours
	sums "SELECT DISTINCT source, name, end - start AS v,
		CASE WHEN name GLOB '*endrecv' THEN start ELSE n END,
		globalTid, file
		FROM named WHERE end IS NOT NULL" \
	    "printf('%.1f', 100.0 * sum(v) / sum(sum(v)) OVER ()),
		sum(v)," "sum(v) DESC, count(*)" | sql > theirs
	diff ours theirs
	(($(wc -l < ours) == 18))
	run -0 tq-stats -f csv -r mpi_event_sum "$in"
	[[ ${lines[0]} == "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Source,Name" ]]
}

@test "a Sendrecv is one call, with halves that differ in two rows" {
	[[ $(table mpi_event_sum | grep endrecv | cut -d, -f2,3,9-) == \
"2700,3,p2p,MPI_Sendrecv
900,1,p2p,MPI_Isendrecv" ]]
	[[ $(table mpi_event_sum --compat 2024.6 | grep endrecv |
	    cut -d, -f2,3,9-) == "3600,4,p2p,MPI_Sendrecv
1800,2,p2p,MPI_Isendrecv" ]]
	[[ $(table mpi_event_trace | grep endrecv | cut -d, -f1,4-11) == \
"10000,MPI_Sendrecv,4096,4096,7,3,1,,4096
11000,MPI_Sendrecv,4096,4096,7,3,1,,4096
11000,MPI_Sendrecv,8192,8192,7,5,3,,1000
11000,MPI_Sendrecv,4096,4096,8,3,2,,8192
12000,MPI_Isendrecv,8192,8192,1,5,3,,512
12000,MPI_Isendrecv,8192,8192,2,5,3,,512" ]]
	[[ $(table mpi_msg_size_sum | grep endrecv | cut -d, -f1,2,8-) == \
"17384,4,p2p,MPI_Sendrecv
1024,2,p2p,MPI_Isendrecv" ]]
}

@test "a Sendrecv is two rows too where one record tells of both halves" {
	local call='{"kind":"api","ts":5,"dur":9,"pid":1,"tid":2,"name":"MPI_Sendrecv","api":"mpi","args":{"class":"p2p","remoteRank":3,"size":10,"tag":1'

	stream "$call"',"recvTag":2,"recvSize":20}}' > in
	in=in
	[[ $(table mpi_event_trace) == \
"5,14,9,MPI_Sendrecv,1,2,1,,3,,10,,
5,14,9,MPI_Sendrecv,1,2,2,,3,,20,," ]]
	[[ $(table mpi_msg_size_sum) == 30,2,15.0,15.0,10,20,7.1,p2p,* ]]
	[[ $(table mpi_event_sum) == 100.0,9,1,* ]]
	stream "$call"',"recvTag":1,"recvSize":10}}' > in
	[[ $(table mpi_event_trace) == "5,14,9,MPI_Sendrecv,1,2,1,,3,,10,," ]]
	[[ $(table mpi_msg_size_sum) == 10,1,* ]]
}

@test "mpi_event_trace is each call, with the rank of its process" {
	table mpi_event_trace > ours
	sql > theirs <<-'EOF'
	SELECT start, end, end - start, name,
		globalTid >> 24 & 0xffffff, globalTid & 0xffffff, tag,
		(SELECT rank FROM MPI_RANKS r WHERE
			r.globalTid >> 24 = named.globalTid >> 24),
		peer, root, size, sent, received FROM named
		ORDER BY start, end IS NOT NULL, end - start DESC,
		file, n;
	EOF
	diff ours theirs
	(($(wc -l < ours) == 1210))
	run -0 tq-stats -f csv -r mpi_event_trace "$in"
	[[ ${lines[0]} == "Start (ns),End (ns),Duration (ns),Event,Pid,Tid,Tag,Rank,PeerRank,RootRank,Size (B),CollSendSize (B),CollRecvSize (B)" ]]
}

@test "mpi_msg_size_sum is what SQL adds up, the most bytes first" {
	table mpi_msg_size_sum > ours
	sums "SELECT * FROM messages WHERE v IS NOT NULL" "sum(v)," \
	    "sum(v) DESC, count(*)" | sql > theirs
	diff ours theirs
	(($(wc -l < ours) == 16))
	run -0 tq-stats -f csv -r mpi_msg_size_sum "$in"
	[[ ${lines[0]} == "Total Message Volume (B),Instances,Avg (B),Med (B),Min (B),Max (B),StdDev (B),Source,Name" ]]
}

@test "mpi_msg_size_sum --compat has the most instances first" {
	table mpi_msg_size_sum --compat 2024.6 > ours
	diff <(sort ours) <(table mpi_msg_size_sum | sort)
	cut -d, -f2 ours | sort -c -k 1,1nr
	! table mpi_msg_size_sum | cut -d, -f2 | sort -c -k 1,1nr
}

@test "a name that is both a message and a call without one is told apart" {
	stream '{"kind":"api","ts":1,"dur":2,"pid":1,"tid":1,"name":"x","api":"mpi","args":{"class":"p2p","size":5}}' \
	    '{"kind":"api","ts":2,"dur":2,"pid":1,"tid":1,"name":"x","api":"mpi","args":{"class":"other"}}' \
	    '{"kind":"api","ts":3,"dur":2,"pid":1,"tid":1,"name":"x","api":"ucx","args":{"size":5}}' > in
	in=in
	[[ $(table mpi_event_sum | cut -d, -f2,9-) == "2,other,x
2,p2p,x" ]]
	[[ $(table mpi_msg_size_sum | cut -d, -f1,8-) == 5,p2p,x ]]
}

@test "NVTX ranges of the domain MPI are calls, without sizes; not with --compat" {
	stream '{"kind":"range","ts":0,"dur":5,"pid":1,"tid":1,"name":"MPI_Send","domain":"MPI","id":1}' \
	    '{"kind":"range","ts":6,"dur":5,"pid":1,"tid":1,"name":"MPI_Send","domain":"mine","id":2}' \
	    '{"kind":"range","ts":12,"dur":7,"pid":1,"tid":1,"name":"MPI_Send","domain":"MPI","id":3}' \
	    '{"kind":"range","ts":20,"dur":5,"pid":1,"tid":1,"name":"phase","domain":"MPI","id":4}' > in
	tq-stats -f csv -r mpi_event_sum in | tail -n 1 > got
	diff got - <<< '100.0,12,2,6.0,6.0,5,7,1.4,nvtx,MPI_Send'
	tq-stats -f csv -r mpi_event_trace in | cut -d , -f 1-4 > got
	diff got - <<< $'Start (ns),End (ns),Duration (ns),Event
0,5,5,MPI_Send\n12,19,7,MPI_Send'
	run -1 tq-stats -r mpi_msg_size_sum in
	[ "$output" = 'tq-stats: mpi_msg_size_sum: MPI calls are NVTX ranges here, which have no sizes' ]
	run -1 tq-stats --compat 2024.6 -r mpi_event_sum in
	[ "$output" = 'tq-stats: mpi_event_sum: no MPI call in the stream' ]
}

@test "calls whose class is not known are told by what they have" {
	tq-filter --redact --key k "$in" > redacted
	! grep -F '"class":"p2p"' redacted || return 1
	table mpi_msg_size_sum | grep -v '#99$' > ours
	in=redacted
	table mpi_msg_size_sum | grep -v 'text_' | diff ours -
}

# ---- unified memory ----

# places COLUMNS: a row for each process and page, with sums
places() {
	cat <<-EOF
	WITH places AS (SELECT printf('0x%x', a) AS a, sum(htod) AS h, sum(dtoh) AS d,
		sum(cpu) AS c, sum(gpu) AS g, sum(t) AS t FROM happened
		WHERE a IS NOT NULL GROUP BY $1 a),
	speeds AS (SELECT *, CASE WHEN t > 0 THEN
		(ifnull(h, 0) + ifnull(d, 0)) * 1e9 / t END AS s FROM places)
	SELECT a, h, d, c, g, CASE WHEN s > 0 THEN printf('%.0f', s) END
		FROM speeds ORDER BY s DESC NULLS LAST,
		ifnull(c, 0) + ifnull(g, 0) DESC, a
	EOF
}

# bytes REPORT [OPTION ...]: rows of values as they are, as csv
bytes() {
	tq-stats -f ndjson -r "$@" "$in" |
	    jq -r '[.[]] | .[1:] | map(. // "" | tostring) | join(",")'
}

@test "um_sum is what SQL adds up for each process and address" {
	bytes um_sum:rows=-1 > ours
	{ places pid,; echo ';'; } | sql > theirs
	diff <(sort ours) <(sort theirs)
	diff <(cut -d, -f6 ours) <(cut -d, -f6 theirs)
	(($(wc -l < ours) == 31))
	run -0 tq-stats -f csv -r um_sum "$in"
	[[ ${lines[0]} == "Virtual Address,HtoD Migration Size (MB),DtoH Migration Size (MB),CPU Page Faults,GPU Page Faults,Migration Throughput (MB/s)" ]]
	bytes um_sum:rows=-1 --compat 2024.6 > ours
	{ places; echo ';'; } | sql > theirs
	diff ours theirs
	(($(wc -l < ours) == 16))
}

@test "um_sum takes as many rows as it is told, or ten" {
	bytes um_sum:rows=-1 > all
	bytes um_sum | diff - <(head -n 10 all)
	bytes unifiedmemory | diff - <(head -n 10 all)
	bytes um_sum:rows=3 | diff - <(head -n 3 all)
	bytes um_sum:rows=1000 | diff - all
	bytes um_sum:rows=3:rows=5 | diff - <(head -n 5 all)
	for arg in rows rows= rows=0 rows=-2 rows=x rows=1.5 "rows= 1" rows=+1 \
	    rows=99999999999999999999 row=1 3; do
		run -2 tq-stats -r "um_sum:$arg" "$in"
		[[ $output == "tq-stats: um_sum takes no argument '$arg' (rows=10)" ]]
	done
	tq-stats --help-reports | grep -F ', :rows=10'
}

@test "um_total_sum is what SQL adds up" {
	bytes um_total_sum > ours
	sql > theirs <<-'EOF'
	WITH a AS (
		SELECT virtualAddress AS a FROM CUPTI_ACTIVITY_KIND_MEMCPY
			WHERE copyKind IN (11, 12)
		UNION ALL SELECT address FROM CUDA_UM_CPU_PAGE_FAULT_EVENTS
		UNION ALL SELECT address FROM CUDA_UM_GPU_PAGE_FAULT_EVENTS)
	SELECT (SELECT sum(bytes) FROM CUPTI_ACTIVITY_KIND_MEMCPY
			WHERE copyKind = 11),
		(SELECT sum(bytes) FROM CUPTI_ACTIVITY_KIND_MEMCPY
			WHERE copyKind = 12),
		(SELECT count(*) FROM CUDA_UM_CPU_PAGE_FAULT_EVENTS),
		(SELECT sum(numberOfPageFaults) FROM CUDA_UM_GPU_PAGE_FAULT_EVENTS),
		printf('0x%x', min(a)), printf('0x%x', max(a)) FROM a;
	EOF
	diff ours theirs
	bytes unifiedmemorytotals | diff - ours
	run -0 tq-stats -f csv -r um_total_sum "$in"
	[[ ${lines[0]} == "Total HtoD Migration Size (MB),Total DtoH Migration Size (MB),Total CPU Page Faults,Total GPU PageFaults,Minimum Virtual Address,Maximum Virtual Address" ]]
}

@test "um_total_sum needs no more than one of its sources" {
	stream '{"kind":"fault","ts":1,"pid":1,"name":"GPU page fault","device":0,"address":"0xffffffffffffffff","count":7}' \
	    '{"kind":"fault","ts":2,"pid":1,"name":"GPU page fault","device":0,"address":"0x10","count":5}' > in
	in=in
	[[ $(bytes um_total_sum) == ,,,12,0x10,0xffffffffffffffff ]]
	stream '{"kind":"memcpy","ts":1,"dur":2,"pid":1,"bytes":9,"copy":"UVM DtoH"}' > in
	[[ $(bytes um_total_sum) == ,9,,,, ]]
	run -1 tq-stats -r um_sum in
	[[ $output == "tq-stats: um_sum: no migration or page fault with an address in the stream" ]]
}

@test "um_cpu_page_faults_sum is what SQL counts, by instruction and source" {
	table um_cpu_page_faults_sum > ours
	sql > theirs <<-'EOF'
	SELECT count(*), i.value, f.value, sourceLine
		FROM CUDA_UM_CPU_PAGE_FAULT_EVENTS
		JOIN StringIds i ON i.id = CpuInstruction
		LEFT JOIN StringIds f ON f.id = sourceFile
		GROUP BY 2, 3, 4 ORDER BY 1 DESC, 2, 3, 4;
	EOF
	diff <(jq -Rrc 'gsub("\"\""; "\u0001")' ours) \
	    <(jq -Rrc 'gsub("\"\""; "\u0001")' theirs)
	(($(wc -l < ours) == 6))
	run -0 tq-stats -f json1 -r umcpupagefaults --compat 2023.4 "$in"
	[[ $(jq -c 'map([.[]])' <<< "$output") == \
	    '[[102,"0x55d0c0ffee00"],[100,"in \"it\""],[100,"solve"]]' ]]
	run -0 tq-stats -f csv -r um_cpu_page_faults_sum "$in"
	[[ ${lines[0]} == "CPU Page Faults,CPU Instruction Address,Source File,Source Line" ]]
}

# ---- all of them ----

reports=mpi_event_sum,mpi_event_sum:pct,mpi_msg_size_sum,um_sum,um_sum:rows=3
reports+=,um_total_sum,um_cpu_page_faults_sum

@test "parts of a stream, one of each process, make the whole" {
	local version

	for version in '' '--compat 2023.4' '--compat 2024.6'; do
		for pid in 4096 8192; do
			tq-filter "pid == $pid" "$in" |
			    tq-stats --partial $version -r $reports > $pid.part
		done
		tq-stats -f json1 $version -r $reports "$in" > whole
		tq-stats -f json1 $version --merge 8192.part 4096.part > merged
		diff <(jq 'del(.[][]["Busy (ns)", "Total of Wall (%)", "Busy of Wall (%)"])' whole) \
		    <(jq 'del(.[][]["Busy (ns)", "Total of Wall (%)", "Busy of Wall (%)"])' merged)
	done
	# how many rows are shown is no matter of the parts
	tq-stats -f csv --merge -r um_sum:rows=5 4096.part 8192.part > merged
	diff <(tq-stats -f csv --compat 2024.6 -r um_sum:rows=5 "$in") merged
}

@test "two sections count twice, each with a clock of its own" {
	cat "$in" "$in" > twice
	tq-stats -f json1 -r mpi_event_sum:pct twice > two
	tq-stats -f json1 -r mpi_event_sum:pct "$in" > one
	for key in Instances "Total Time (ns)" "Busy (ns)"; do
		jq --arg key "$key" \
		    'map({key: .Name, value: .[$key]}) | from_entries' one > 1
		jq --arg key "$key" 'map({key: .Name, value: (.[$key] / 2)}) |
		    from_entries' two | jq -S . | diff <(jq -S . 1) -
	done
}

@test "what nothing is there of is said, and is an error" {
	local report text

	while IFS='~' read -r report text; do
		stream '{"kind":"memcpy","ts":1,"dur":2,"pid":1,"bytes":9,"copy":"HtoD"}' \
		    '{"kind":"api","ts":3,"dur":2,"pid":1,"name":"cudaMalloc","api":"cuda-runtime"}' > in
		run -1 tq-stats -r "$report" in
		[[ $output == "tq-stats: $report: $text in the stream" ]]
		run -1 tq-stats -q -r "$report" in
		[[ -z $output ]]
	done <<-'EOF'
	mpi_event_sum~no MPI call
	mpi_event_trace~no MPI call
	mpi_msg_size_sum~no message of MPI with a size
	um_sum~no migration or page fault with an address
	um_total_sum~no migration or page fault
	um_cpu_page_faults_sum~no page fault of the host
	EOF
}

@test "odd values stop nothing" {
	stream > in <<-'EOF'
	{"kind":"process","pid":1,"rank":-4}
	{"kind":"api","ts":-5,"dur":-1,"pid":1,"name":"a","api":"mpi","args":{"class":"p2p","size":"9007199254740993","tag":"x","remoteRank":1.5}}
	{"kind":"api","ts":1,"dur":9223372036854775807,"pid":1,"name":"a\u0000\n\"b","api":"mpi","args":{"class":["p2p"],"size":-1,"recvSize":null}}
	{"kind":"api","ts":1,"name":"","api":"mpi","args":{"class":"collectives","size":9223372036854775807,"recvSize":9223372036854775807}}
	{"kind":"api","ts":1,"api":"mpi"}
	{"kind":"api","api":"mpi"}
	{"kind":"memcpy","ts":2,"dur":-9223372036854775808,"bytes":-5,"copy":"UVM HtoD","args":{"virtualAddress":"0x"}}
	{"kind":"memcpy","ts":2,"dur":9223372036854775807,"bytes":9223372036854775807,"copy":"UVM HtoD","args":{"virtualAddress":"0xFF"}}
	{"kind":"memcpy","ts":2,"dur":9223372036854775807,"bytes":9223372036854775807,"copy":"UVM HtoD","args":{"virtualAddress":"0xff"}}
	{"kind":"memcpy","ts":2,"copy":"UVM DtoH","args":{"virtualAddress":255}}
	{"kind":"fault","ts":3}
	{"kind":"fault","ts":3,"count":-1,"address":"0x10000000000000000"}
	{"kind":"fault","ts":3,"address":"ff","args":{"CpuInstruction":"\ud800\u0000","sourceLine":"12a","sourceFile":7}}
	EOF
	in=in
	tq-stats -r $reports,mpi_event_trace in > out
	[[ $(table mpi_event_trace | head -n 1) == "-5,-5,0,a,1,,,-4,,,9007199254740993,," ]]
	[[ $(table um_sum | cut -d, -f1) == 0xff ]]
	run -0 tq-stats -f ndjson -r um_total_sum in
	[[ $output == *":9223372036854775807,"*":0,"*":2,"*":null,"*'"0xff"'*'"0xff"}' ]]
	tq-stats -f json1 -r $reports,mpi_event_trace in | jq -e 'length == 8'
	tq-stats --partial -r $reports in | tq-stats --merge -r $reports \
	    > merged
	diff <(tq-stats -r $reports in) merged
}
