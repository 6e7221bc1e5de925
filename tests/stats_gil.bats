#!/usr/bin/env bats
# gil_sum of tq-stats: waits for the lock of Python, and holds of it

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# gil TS DUR TID NAME
gil() {
	echo '{"kind":"gil","ts":'"$1"',"dur":'"$2"',"pid":1,"tid":'"$3"',"name":"'"$4"'"}'
}

records() {
	echo '{"kind":"process","pid":1,"name":"train"}'
	echo '{"kind":"thread","pid":1,"tid":2,"name":"loader"}'
	gil 0 100 1 hold
	gil 20 80 2 wait
	gil 100 300 2 hold
	gil 150 250 1 wait
	gil 400 100 1 hold
	gil 450 50 3 wait
}

@test "gil_sum has the waits and holds of each thread, and their shares" {
	records | stream > x.tq
	run -0 tq-stats -r gil_sum -f csv x.tq
	diff - <(printf '%s\n' "${lines[@]}" | cut -d , -f 1-4,7,9-11) <<- 'END'
	Time (%),Total Time (ns),Instances,Avg (ns),Max (ns),Name,Process,Thread
	60.0,300,1,300.0,300,hold,train (1),loader (2)
	65.8,250,1,250.0,250,wait,train (1),1
	40.0,200,2,100.0,100,hold,train (1),1
	21.1,80,1,80.0,80,wait,train (1),loader (2)
	13.2,50,1,50.0,50,wait,train (1),3
	END
}

# ours FILE: its rows as those of the oracle
ours() {
	tq-stats -f json1 -r gil_sum "$1" | jq -c '
	    def id: capture("(?<id>[0-9]+)[)]?$").id | tonumber;
	    group_by(.Name)[] | (map(.["Total Time (ns)"]) | add) as $all |
	    sort_by([(.Process | id), (.Thread | id)])[] |
	    [.Name, (.Process | id), (.Thread | id), .Instances,
	    .["Total Time (ns)"], $all, .["Min (ns)"], .["Med (ns)"] * 2,
	    .["Max (ns)"]]'
}

@test "its rows add up as another program adds them up" {
	awk 'BEGIN {
		for (i = 0; i < 3000; i++) {
			r = (r * 7919 + 12345) % 1000003
			printf "{\"kind\":\"gil\",\"ts\":%d,\"dur\":%d,\"pid\":%d,\"tid\":%d,\"name\":\"%s\"}\n",
			    i * 1000, r % 1000, 1 + r % 3, 10 + r % 7,
			    r % 2 ? "hold" : "wait"
		}
		print "{\"kind\":\"gil\",\"ts\":3000000,\"pid\":1,\"tid\":10,\"name\":\"hold\",\"open\":true}"
	}' | stream > x.tq
	oracle gil threads x.tq > theirs
	[ "$(wc -l < theirs)" -gt 30 ]
	diff <(ours x.tq) theirs
}

@test "sums of parts are those of the whole" {
	records | stream > x.tq
	for k in 0 1 2; do
		records | awk -v k=$k '!/"ts"/ || n++ % 3 == k' | stream |
		    tq-stats --partial -r gil_sum > $k.part
	done
	diff <(tq-stats -f csv -r gil_sum x.tq) <(tq-stats -f csv --merge *.part)
}

@test "a stream without the lock says so" {
	run ! tq-stats -r gil_sum < <(stream < /dev/null)
	[[ $output = *'gil_sum: no wait for the lock of Python in the stream' ]]
}
