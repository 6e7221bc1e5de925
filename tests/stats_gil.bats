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
