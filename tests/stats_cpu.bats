#!/usr/bin/env bats
# cpu_sum of tq-stats: time of threads on and off processors

load helper
load capture

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# switch TS TID ON [MEMBERS]
switch() {
	echo '{"kind":"sched","ts":'"$1"',"pid":1,"tid":'"$2"',"cpu":0,"on":'"$3${4+,}${4-}"'}'
}

# sample TS TID [MEMBERS]
sample() {
	echo '{"kind":"sample","ts":'"$1"',"pid":1,"tid":'"$2${3+,}${3-}"'}'
}

switches() {
	echo '{"kind":"process","pid":1,"name":"train"}'
	echo '{"kind":"thread","pid":1,"tid":1,"name":"main"}'
	switch 100 1 true
	switch 150 1 false '"reason":"preempted"'
	switch 170 1 true
	sample 180 1
	switch 200 1 false '"reason":"blocked"'
	switch 300 2 true
	switch 340 2 false '"state":"Running"'
	switch 400 2 true
	switch 500 2 true
	switch 510 2 false '"state":"Interruptible"'
	sample 600 3 '"count":3'
	sample 700 3 '"state":"Interruptible"'
	sample 800 3 '"state":"Unscheduled","count":4'
	switch 1200 1 true
	switch 1300 4 false
	switch 1400 4 true
	switch 1450 4 false '"state":"running"'
	switch 1452 4 true
}

# ours FILE: its rows as those of the oracle
ours() {
	tq-stats -f json1 -r cpu_sum "$1" | jq -r '.[] | [.Process, .Thread,
	    .State, .Instances, ."Total Time (ns)" // "", ."Max (ns)" // "",
	    .Samples] | @tsv' | sort
}

theirs() {
	python3 "$top/tests/oracle/cpu.py" < "$1" | sort
}

@test "cpu_sum has the time of each state of a thread, and its samples" {
	switches | stream > x.tq
	run -0 tq-stats -r cpu_sum -f csv x.tq
	diff - <(printf '%s\n' "${lines[@]}" | cut -d , -f 1-3,7,9-12) <<- 'END'
	Time (%),Total Time (ns),Instances,Max (ns),Samples,State,Process,Thread
	28.6,60,1,60,0,Preempted,train (1),2
	23.8,50,2,40,0,Running,train (1),2
	47.6,100,1,100,0,Unknown,train (1),2
	,,0,,1,Blocked,train (1),3
	,,0,,4,Off CPU,train (1),3
	,,0,,3,Running,train (1),3
	65.8,100,1,100,0,Off CPU,train (1),4
	1.3,2,1,2,0,Preempted,train (1),4
	32.9,50,1,50,0,Running,train (1),4
	90.9,1000,1,1000,0,Blocked,train (1),main (1)
	1.8,20,1,20,0,Preempted,train (1),main (1)
	7.3,80,2,50,1,Running,train (1),main (1)
	END
}

@test "a thread that has samples alone runs for their period" {
	switches | stream | sed 's/"kind":"trace",/&"mode":"nvtx,sample:perf@500:dwarf",/' > x.tq
	tq-stats -f json1 -r cpu_sum x.tq > rows
	jq -e 'map(select(.Thread == "3")) | map([.State, .["Total Time (ns)"],
	    .["Time (%)"]]) == [["Blocked", 2000000, 12.5],
	    ["Off CPU", 8000000, 50], ["Running", 6000000, 37.5]]' rows
	jq -e 'map(select(.Thread == "main (1)"))[2]["Total Time (ns)"] == 80' rows
}

@test "its rows add up as another program adds them up" {
	{ switches | stream; switches | stream; } > x.tq
	diff <(ours x.tq) <(theirs x.tq)
	sed 's/"kind":"trace",/&"mode":"sample:perf@1000:fp",/' x.tq > y.tq
	diff <(ours y.tq) <(theirs y.tq)
}

@test "so do those of nsys, perf and wprof" {
	local file

	need data
	for file in nsys/2021-sched-sampling.sqlite \
	    nsys/2026.1.1-vectoradd.sqlite other/wprof-format-examples.ndjson \
	    other/perf/perf-cycles-instructions-01.txt.zst; do
		data "$file"
		tq-extract "$data" > x.tq 2> said
		diff <(ours x.tq) <(theirs x.tq)
		[ -s x.tq ]
	done
}

@test "a captured program blocks in sleep and runs in its loop" {
	need native
	tq-capture -q -s process-tree -o probe.tq true 2> said
	! grep -q perf_event_open said || skip "no perf_event_open"
	tq-capture -q -t none -s process-tree --cpuctxsw process-tree -o x.tq \
	    bash -c 'for ((i = 0; i < 100000; i++)); do :; done; sleep 0.2'
	diff <(ours x.tq) <(theirs x.tq)
	tq-stats -f json1 -r cpu_sum x.tq |
	    jq -e 'map(select(.State == "Blocked")["Total Time (ns)"]) | max > 150000000'
}

@test "parts of a stream with whole threads make the rows of the whole" {
	switches | stream > x.tq
	for k in 1 2 3 4; do
		{
			grep -v sched x.tq | grep '"process"\|"thread"'
			grep '"tid":'$k'[,}]' x.tq | grep 'sched\|sample'
		} | stream | tq-stats --partial -r cpu_sum > $k.part
	done
	diff <(tq-stats -f csv -r cpu_sum x.tq) <(tq-stats -f csv --merge *.part)
}

@test "a stream without switches and samples says so" {
	run ! tq-stats -r cpu_sum < <(stream < /dev/null)
	[[ $output = *'cpu_sum: no context switch and no sample in the stream' ]]
}

@test "the state of a sample is not that of the switch behind it" {
	{
		switch 100 1 true
		sample 110 1 '"state":"Running"'
		switch 120 1 false '"reason":"blocked"'
		switch 150 1 true
	} | stream > x.tq
	tq-stats -f json1 -r cpu_sum x.tq |
	    jq -e 'map(.State) == ["Blocked", "Running"]'
}
