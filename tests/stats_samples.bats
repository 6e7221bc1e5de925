#!/usr/bin/env bats
# functions of tq-stats: functions in samples of processors

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# functions FILE: name, self, total of each row
functions() {
	tq-stats -f json1 -r functions "$1" |
	    jq -r '.[] | "\(.Function) \(.Self) \(.Total)"'
}

@test "functions: self for the innermost function, total once per stack" {
	{
		echo '{"kind":"stack","id":1,"frames":["f (x.py:3)","f (x.py:4)","main (x.py:9)"]}'
		echo '{"kind":"stack","id":2,"frames":["f (x.py:7)","main (x.py:9)"]}'
		echo '{"kind":"stack","id":3,"frames":["main (x.py:9)"]}'
		echo '{"kind":"stack","id":4,"frames":["g:12","h)",":1)","1)"]}'
		echo '{"kind":"sample","ts":1,"pid":1,"tid":1,"stack":1}'
		echo '{"kind":"sample","ts":2,"pid":1,"tid":2,"stack":1,"count":3}'
		echo '{"kind":"sample","ts":3,"pid":1,"tid":1,"stack":2}'
		echo '{"kind":"sample","ts":4,"pid":1,"tid":1,"stack":3,"count":0}'
		echo '{"kind":"sample","ts":5,"pid":1,"tid":1,"stack":4}'
		echo '{"kind":"sample","ts":6,"pid":1,"tid":1,"stack":99}'
		echo '{"kind":"sample","ts":7,"pid":1,"tid":1}'
	} | stream > in
	[[ $(functions in) = 'f (x.py) 5 5
[no stack] 2 2
g:12 1 1
main (x.py) 0 5
1) 0 1
:1) 0 1
h) 0 1' ]]
	# each trace has stacks of its own
	{
		echo '{"kind":"stack","id":1,"frames":["z"]}'
		echo '{"kind":"sample","ts":1,"pid":1,"tid":1,"stack":1}'
	} | stream > in2
	cat in in2 > two
	functions two | grep -x 'z 1 1'
	functions two | grep -x 'f (x.py) 5 5'
	for file in in in2; do
		tq-stats --partial -r functions $file
	done > parts
	tq-stats --merge -f csv -r functions parts > merged
	tq-stats -f csv -r functions two | cmp - merged
	echo '{"kind":"osrt","ts":1,"dur":1,"pid":1,"tid":1,"name":"f"}' |
	    stream > none
	run -1 tq-stats -r functions none
	[[ $output = *'no sample of a running thread in the stream'* ]]
}

@test "functions: what folded stacks have, by function" {
	need data
	for name in perf/perf-cycles-instructions-01.txt.zst \
	    speedscope/py-spy-record.speedscope.json.zst \
	    perf/perf-vertx-stacks-01-collapsed.txt.zst; do
		tq-extract "$DATA/other/$name" > in.tq
		tq-stats -r folded:samples in.tq | awk '
		{
			n = $NF
			sub(/ [0-9]+$/, "")
			count = split($0, frames, ";")
			split("", seen)
			# the first is the thread, but for samples without one
			for (i = count; i >= first; i--) {
				name = frames[i]
				sub(/:[0-9]+\)$/, ")", name)
				if (i == count)
					self[name] += n
				if (!(name in seen))
					total[name] += n
				seen[name]
			}
		}
		END {
			for (name in total)
				print name, self[name] + 0, total[name]
		}' first="$([[ $name = *collapsed* ]] && echo 1 || echo 2)" | sort > want
		functions in.tq | tr \; : | sort > got
		cmp want got
	done
}

# ---- samples of one time ----

# sample TS STACK [MEMBERS]
sample() {
	echo '{"kind":"sample","ts":'"$1"',"pid":1,"tid":1,"stack":'"$2${3+,}${3-}"'}'
}

# twice: a thread with native samples and samples of Python of the same ms, and
# one with samples of Python alone, which sleeps half of the time
twice() {
	echo '{"kind":"process","pid":1,"name":"train"}'
	echo '{"kind":"thread","pid":1,"tid":1,"name":"main"}'
	echo '{"kind":"thread","pid":1,"tid":2,"name":"loader"}'
	echo '{"kind":"stack","id":1,"frames":["memcpy (libc.so.6)","array_copy (np.so)","_PyEval_EvalFrameDefault (python3.11)","list_sort (python3.11)","_PyEval_EvalFrameDefault (python3.11)","main (python3.11)"]}'
	echo '{"kind":"stack","id":2,"frames":["copy (a.py:3)","<module> (a.py:9)"]}'
	echo '{"kind":"stack","id":3,"frames":["get (q.py:7)","run (t.py:1)"]}'
	echo '{"kind":"stack","id":4,"frames":["_dl_start (ld.so)"]}'
	sample 500000 4 '"state":"Running"'
	for i in {1..8}; do
		sample $((i * 1000000)) 1 '"cpu":0,"state":"Running"'
		sample $((i * 1000000 + 300000)) 2 '"state":"Running","what":"python"'
		echo '{"kind":"sample","ts":'$((i * 1000000 + 300000))',"pid":1,"tid":2,"state":"'"$([[ $i -gt 4 ]] && echo Running || echo Interruptible)"'","stack":3,"what":"python"}'
	done
	[[ $# = 0 ]] || echo "$1"
	# nothing of Python is near
	sample 90000000 1 '"cpu":0,"state":"Running"'
}

# with_modes: a stream whose trace record has the periods of tq-capture
with_modes() {
	stream | sed 's/"kind":"trace",/&"origin_utc_ns":"1000000000000000005","mode":"none,sample:timers@1000:dwarf,python:read@500",/'
}

@test "a thread with native samples and samples of Python has its time once, and the sleeping one does not run" {
	twice | with_modes > in
	# 10 native samples of 1 ms, and 4 of Python of 2 ms
	jq -s 'map(select(.kind == "sample")) | length' in | grep -x 26
	tq-stats -r folded:samples in > folded
	[ "$(awk '{ n += $NF } END { print n }' folded)" = 14 ]
	[[ $(grep '^loader' folded) = 'loader;run (t.py:1);get (q.py:7) 4' ]]
	tq-stats -f csv -r cpu_sum in | cut -d , -f 2,9,10,12 > cpu
	diff cpu - <<- 'END'
	Total Time (ns),Samples,State,Thread
	8000000,4,Blocked,loader (2)
	8000000,4,Running,loader (2)
	10000000,10,Running,main (1)
	END
	tq-stats -f json1 -r functions in | jq -e '(map(.Self) | add) == 14 and
	    (map(."Self Time (ns)") | add) == 18000000'
	COLUMNS=200 tq-stats in | grep -x 'FUNCTIONS  of 18.0 ms on processors, by samples'
	tq-diff -f ndjson in in > diff
	grep -q '18.000 -> 18.000 ms' <(tq-diff in in)
}

@test "a thread without a native sample of the kernel did not run where its process has some" {
	twice | with_modes | sed 's/sample:timers/sample:perf/' > in
	run ! grep loader <(tq-stats -r folded:samples in)
	tq-stats -f csv -r cpu_sum in | cut -d , -f 2,9,10,12 > cpu
	diff cpu - <<- 'END'
	Total Time (ns),Samples,State,Thread
	8000000,4,Blocked,loader (2)
	10000000,10,Running,main (1)
	END
	# a process that has none at all was not sampled so
	twice | with_modes |
	    sed 's/sample:timers/sample:perf/; s/"pid":1,"tid":2/"pid":2,"tid":2/' > in
	tq-stats -r folded:samples in | grep -x 'loader;run (t.py:1);get (q.py:7) 4'
}

@test "the words native, python and all choose the samples of functions and folded:samples" {
	local word want

	twice | with_modes > in
	while read -r word want; do
		[ "$(tq-stats -r "folded:samples:$word" in |
		    awk '{ n += $NF } END { print n }')" = "$want" ]
		[ "$(tq-stats -f json1 -r "functions:$word" in |
		    jq 'map(.Self) | add')" = "$want" ]
	done <<- 'END'
	native 10
	python 12
	all 26
	END
	run -2 tq-stats -r folded:native in
	[ "$output" = "tq-stats: folded takes no argument 'native' (samples, waits, launches or python)" ]
	run -2 tq-stats -r folded:launches:all in
	# a word of both lists is of the first one where that has none yet
	run -1 tq-stats -r folded:python in
	[ "$output" = 'tq-stats: folded: no function of Python in the stream' ]
	# and where nothing runs
	twice | grep -v '"state":"Running"' | stream > sleep
	run -1 tq-stats -r functions sleep
	[ "$output" = 'tq-stats: functions: no sample of a running thread in the stream' ]
}

@test "native frames stand below the Python frames that were read next to them" {
	twice | with_modes > in
	tq-stats -r folded:samples in | sort > folded
	diff folded - <<- 'END'
	loader;run (t.py:1);get (q.py:7) 4
	main;<module> (a.py:9);copy (a.py:3);array_copy (np.so);memcpy (libc.so.6) 8
	main;_dl_start (ld.so) 1
	main;main (python3.11);_PyEval_EvalFrameDefault (python3.11);list_sort (python3.11);_PyEval_EvalFrameDefault (python3.11);array_copy (np.so);memcpy (libc.so.6) 1
	END
	functions in | grep -x 'copy (a.py) 0 8'
	# two periods of Python away, and not more, before and behind
	for ts in 3999999 4000000 4000001 8000000 8000001; do
		{
			twice | grep '"stack","id"'
			sample 1 2 '"what":"python"' # there is Python
			[[ $ts = 8* ]] || sample $ts 1
			sample 6000001 2 '"what":"python"'
			[[ $ts != 8* ]] || sample $((ts + 2000001)) 1
			sample 20000000 1
		} | with_modes > in
		tq-stats -r folded:samples:native in | grep -c 'main (python' > native
		echo "$ts $(tq-stats -r folded:samples in | grep -c 'copy (a.py:3);array_copy') "
	done > near
	diff near <(printf '%s \n' '3999999 1' '4000000 1' '4000001 1' '8000000 1' '8000001 0')
}

@test "of two events of perf the first one of the recording counts, weighed by its periods" {
	{
		echo '{"kind":"stack","id":1,"frames":["f","main"]}'
		echo '{"kind":"stack","id":2,"frames":["g","main"]}'
		sample 1 1 '"args":{"event":"cycles","period":900}'
		sample 2 1 '"args":{"event":"instructions","period":7000}'
		sample 3 2 '"args":{"event":"cycles","period":50}'
		sample 4 2 '"args":{"event":"cycles","period":50}'
	} | stream > in
	tq-stats -f csv -r functions in > got
	diff got - <<- 'END'
	Self (%),Self,Self Time (ns),Total (%),Total,Total Time (ns),Function
	90.0,1,,90.0,1,,f
	10.0,2,,10.0,2,,g
	0.0,0,,100.0,3,,main
	END
	[ "$(tq-stats -r folded:samples:all in | awk '{ n += $NF } END { print n }')" = 4 ]
	# the periods of a clock are ns, and so are weights of py-spy
	sed 's/"cycles"/"cpu-clock:u"/' in > clock
	sed 's/"event":"[a-z]*","period"/"weight_ns"/' in > weights
	tq-stats -f json1 -r functions clock | jq -e '.[0]."Self Time (ns)" == 900'
	tq-stats -f json1 -r functions weights | jq -e 'map([.Function, ."Self Time (ns)"]) ==
	    [["f", 7900], ["g", 100], ["main", 0]]'
	tq-stats -f json1 -r cpu_sum weights | jq -e '.[0]."Total Time (ns)" == 8000'
}

@test "functions by process and by thread add up to functions" {
	{ twice; twice | sed 's/"pid":1/"pid":2/; /"stack","id"/d'; } |
	    jq -cs 'sort_by(.ts // 0)[]' | with_modes > in
	tq-stats -f json1 -r functions in > all
	for by in process thread; do
		tq-stats -f json1 -r "functions:$by" in > rows
		jq -es '(.[0] | map({key: .Function, value: [.Self, .Total]}) | from_entries) ==
		    (.[1] | group_by(.Function) | map({key: .[0].Function,
			value: [(map(.Self) | add), (map(.Total) | add)]}) | from_entries)' all rows
	done
	jq -e 'map([.Process, .Thread]) | unique == [["train (1)", "loader (2)"],
	    ["train (1)", "main (1)"], ["train (2)", "loader (2)"], ["train (2)", "main (1)"]]' rows
	tq-stats -f json1 -r functions:thread:python in |
	    jq -e 'map(select(.Function == "copy (a.py)" and .Thread == "main (1)").Self) == [8, 8]'
	# parts add up, too
	tq-stats --partial -r functions:process in > part
	tq-stats --merge -f csv -r functions:process part > merged
	tq-stats -f csv -r functions:process in | cmp - merged
}

# ---- profiles ----

# profile REPORT FILE: its stacks as folded text, sorted; the head is in "head"
profile() {
	tq-stats -f pprof -r "$1" -o p.pb.gz "$2"
	python3 "$top/tests/oracle/pprof.py" p.pb.gz thread > decoded
	head -n 1 decoded > head
	sed 1d decoded | cut -f 2- | awk '{
		n = NF
		while (n > 0 && $n ~ /^[0-9]+$/) n--
		value = $(n + 1)
		sub(/( [0-9]+)+$/, "")
		print $0 " " value
	}' | sort
}

@test "a profile of pprof has the stacks and sums of the folded text, its periods and its times" {
	twice '{"kind":"module","pid":1,"name":"/usr/lib/libc.so.6","address":"0x1000","build":"abc"}' |
	    with_modes > in2
	for word in '' :native :python :all; do
		diff <(profile "folded:samples$word" in2) \
		    <(tq-stats -r "folded:samples$word" in2 | sort)
		cp p.pb.gz folded.pb.gz
		tq-stats -f pprof -r "functions$word" in2 | cmp - folded.pb.gz
	done
	profile functions in2 > /dev/null
	[[ $(< head) = "samples/count cpu/nanoseconds period [1000000] time [1000000000000000005] duration [89500000] default cpu mappings [('/usr/lib/libc.so.6', 'abc')]" ]]
	sed 1d decoded | cut -f 1 | jq -es 'unique == [
	    {process: "train", thread: "loader", pid: 1, tid: 2},
	    {process: "train", thread: "main", pid: 1, tid: 1}]'
	# without a period there is no time
	twice | stream > plain
	profile functions plain > /dev/null
	[[ $(< head) = 'samples/count period [] time []'*' default samples mappings []' ]]
}

@test "each folded report makes a profile" {
	cp "$(correlated demo)" in
	for report in folded folded:samples; do
		profile "$report" in > got
		awk '{ n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n }
		    END { for (s in sum) print s, sum[s] }' got | sort |
		    diff - <(tq-stats -r "$report" in | sort)
	done
	{
		echo '{"kind":"stack","id":1,"frames":["launch (x.so)","main"]}'
		echo '{"kind":"kernel","ts":5,"dur":8,"pid":1,"device":0,"stream":1,"name":"k","stack":1}'
		echo '{"kind":"kernel","ts":15,"dur":4,"pid":1,"device":0,"stream":1,"name":"k"}'
	} | stream > launches
	diff <(profile folded:launches launches) <(tq-stats -r folded:launches launches | sort)
	[[ $(< head) = 'gpu/nanoseconds '* ]]
	{
		echo '{"kind":"stack","id":1,"frames":["poll","main"]}'
		echo '{"kind":"sched","ts":5,"pid":1,"tid":1,"on":false}'
		sample 7 1 '"count":0'
		echo '{"kind":"sched","ts":25,"pid":1,"tid":1,"on":true}'
	} | stream > waits
	diff <(profile folded:waits waits) <(tq-stats -r folded:waits waits)
	[[ $(< head) = 'wait/nanoseconds '* ]]
	echo '{"kind":"range","ts":5,"dur":9,"pid":1,"tid":1,"name":"f","category":"python_function","args":{"Python id":1}}' |
	    stream > python
	diff <(profile folded:python python) <(tq-stats -r folded:python python)
}

@test "names of any bytes and length come through a profile" {
	python3 - <<- 'END'
	import json
	names = ["x" * 300000, 'a"b\\c\td', "f;g (x.py:3)", "", "(", "f (", "f ()",
	    "f (:3)", "f (x:0)", "f (x:12345678901)", "\u00e9\u20ac\U0001f600 (y.py:1)",
	    "operator() (a.so)", "bad"]
	with open("records", "wb") as f:
	    def put(o):
	        f.write(json.dumps(o).encode().replace(b"bad", b"\xff\xc3(\xe2\x82") + b"\n")
	    for i, name in enumerate(names):
	        put({"kind": "stack", "id": i, "frames": [name, "main"]})
	        put({"kind": "sample", "ts": i, "stack": i, "count": i + 1})
	    put({"kind": "sample", "ts": 99})
	END
	stream < records > in
	profile functions in > got
	diff got <(tq-stats -r folded:samples in | sed 's/^\[no thread\]/[no stack]/' | sort)
	[ "$(wc -l < got)" = 14 ]
}

@test "-f pprof is for one report with stacks, and never for a terminal" {
	twice | with_modes > in
	run -2 tq-stats -f pprof in
	[ "$output" = 'tq-stats: -f pprof needs -r functions or folded' ]
	run -2 tq-stats -f pprof -r functions,folded in
	[ "$output" = 'tq-stats: -f pprof has one report, not 2' ]
	run -2 tq-stats -f pprof -r cpu_sum in
	[ "$output" = 'tq-stats: cpu_sum has no stacks: -f pprof needs functions or folded' ]
	run -2 tq-stats -f pprof -r functions:thread in
	[ "$output" = 'tq-stats: functions:thread: a profile has all processes and threads' ]
	run -2 tq-stats -f pprof -r functions --top 3 in
	[ "$output" = 'tq-stats: -f pprof excludes --by-rank, --merge, --partial, --sort and --top' ]
	run -2 script -qec 'tq-stats -f pprof -r functions in' /dev/null
	[[ $output = *'is a terminal; use -o or a pipe'* ]]
	# nothing is left where there is no sample
	echo '{"kind":"mark","ts":1,"name":"m"}' | stream > none
	run -1 tq-stats -f pprof -r functions -o p.pb.gz none
	[ "$output" = 'tq-stats: folded: no sample of a running thread in the stream' ]
	[ ! -e p.pb.gz ]
}

@test "a call that hangs has its name where libc has none for what is inside of it" {
	cat > x.tq <<- 'END'
	{"kind":"trace","version":1}
	{"kind":"stack","id":1,"frames":["0x9a72e (libc.so.6)","0x8f387 (libc.so.6)","main (a)"]}
	{"kind":"stack","id":2,"frames":["0x9a72e (libc.so.6)","0x8f387 (libc.so.6)"]}
	{"kind":"stack","id":3,"frames":["0x1234 (a)","main (a)"]}
	{"kind":"osrt","ts":100,"pid":1,"tid":1,"name":"pthread_join","open":true,"stack":1}
	{"kind":"osrt","ts":200,"pid":1,"tid":2,"name":"read","open":true,"stack":2}
	{"kind":"osrt","ts":300,"pid":1,"tid":3,"name":"read","open":true,"stack":3}
	{"kind":"overhead","ts":1000,"dur":0,"pid":1,"name":"tq-capture"}
	{"kind":"end","events":7,"dropped":0}
	END
	run -0 tq-stats -r folded:waits x.tq
	[[ $output = 'thread 1;main (a);pthread_join 900
thread 2;read 800
thread 3;main (a);0x1234 (a) 700' ]]
}

@test "a thread that was never seen to run waits from its first sample on" {
	cat > x.tq <<- 'END'
	{"kind":"trace","version":1}
	{"kind":"thread","pid":1,"tid":1,"name":"main"}
	{"kind":"stack","id":1,"frames":["lock (a)","main (a)"]}
	{"kind":"sample","ts":100,"pid":1,"tid":1,"state":"Interruptible","stack":1,"count":0}
	{"kind":"sample","ts":150,"pid":1,"tid":2,"stack":1}
	{"kind":"sample","ts":200,"pid":1,"tid":2,"state":"Interruptible","stack":1,"count":0}
	{"kind":"osrt","ts":300,"pid":1,"tid":3,"name":"open","open":true,"file":"/x","args":{"owner":1}}
	{"kind":"overhead","ts":1000,"dur":0,"pid":1,"name":"tq-capture"}
	{"kind":"end","events":7,"dropped":0}
	END
	run -0 tq-stats -r waits -f csv x.tq
	[[ ${lines[1]} = '900,main (1),,,,,1,lock (a) < main (a)' ]]
	[[ ${lines[2]} = '700,3,open,/x,main (1),,1,' ]]
	[ "${#lines[@]}" = 3 ]
	run -0 tq-stats -r folded:waits x.tq
	[[ $output = $'main;main (a);lock (a) 900\nthread 3;open 700' ]]
	# parts that have whole threads
	for k in 1 2 3; do
		grep -v '"kind":"end"' x.tq | grep -E "kind\":\"[a-rt-z]|stack\",|\"tid\":$k," |
		    grep -vE "\"(osrt|sample)\".*\"tid\":[^$k]," > part
		{ cat part; printf '{"kind":"end","events":%d,"dropped":0}\n' $(($(wc -l < part) - 1)); } |
		    tq-stats --partial -r waits > $k.part
	done
	diff <(tq-stats -f csv -r waits x.tq) <(tq-stats -f csv --merge [123].part)
}
