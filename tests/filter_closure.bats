#!/usr/bin/env bats
# tq-filter: ranges, steps and windows, and what stays with what is chosen

load helper
load filter

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# ---- what stays with what is chosen ----

@test "a definition stands before the first record that refers to it, or nowhere" {
	lines '{"kind":"process","pid":1}; {"kind":"device","pid":1,"device":5};
	    {"kind":"thread","pid":1,"tid":1}; {"kind":"thread","pid":1,"tid":2};
	    {"kind":"context","pid":1,"device":0,"context":1};
	    {"kind":"stream","pid":1,"context":1,"stream":7}; {"kind":"symbol","id":1};
	    {"kind":"symbol","id":2}; {"kind":"stack","id":4,"frames":["f"]}; m5 tid=2;
	    c1 10 20 stack=4; c2 30 40; k1 50 60 sym=1 context=1;
	    k2 70 80 sym=2 context=1; {"kind":"counterdef","id":6,"name":"c"};
	    {"kind":"counter","ts":90,"counter":6,"value":1,"name":"c"};
	    {"kind":"process","pid":3}; r7 95 97 mode=start end_tid=2'
	chooses 'process1 device5 process3' 'corr > 2'
	chooses 'process1 device5 thread1 c2 context0 stream7 symbol2 k2 process3' 'sym == 2'
	chooses 'process1 device5 thread1 stack4 c1 context0 stream7 symbol1 k1 counterdef6 counterc process3' \
	    'stack == 4 || has(counter)'
	chooses 'process1 device5 process3 thread1 thread2 r7' 'id == 7'
}

@test "with an operation stay its call, and the ranges around that" {
	lines 'r1 0 100; r2 5 8; r3 10 50; c1 20 25; r4 22 24; c2 30 40; k1 60 70; k2 80 90'
	chooses 'r1! r3! c1 k1' 'ts == 60'
	chooses 'r1 r3 c1 c2 k1 k2' 'has(stream)'
	chooses 'k1' --no-closure 'ts == 60'
}

@test "with a call stay operations of all kinds, with one of these not the others" {
	lines 'r1 0 100; c9 10 12; k9 30 40 pid=2; k9 30 40; k9 30 40 kind=memcpy;
	    k9 30 40 kind=memset; k9 30 40 kind=graph; k9 30 40 kind=sync;
	    k9 30 40 kind=alloc; k9 30 40 kind=overhead'
	chooses 'r1 c9 k9 memcpy9 memset9 graph9 sync9 alloc9 overhead9' 'kind == "api"'
	chooses 'r1! c9 sync9' 'kind == "sync"'
	chooses 'r1 c9 k9 memcpy9 memset9 graph9' 'pid == 1 && kind in ("kernel", "memcpy", "memset", "graph")'
}

@test "a call that is told twice is one" {
	lines 'r1 5 100; c1 10 20 name=cuda; c1 12 18 name=cu; k1 30 40'
	chooses 'r1 c1 c1 k1' 'has(stream)'
	chooses 'r1 c1 c1 k1' 'name == "cu"'
	chooses 'r1 c1 c1 k1' 'name == "cuda"'
	chooses 'r1! c1 c1 k1' --time :11ns
	filter --time 11ns:
	run -1 grep kernel out # it was in the window before
}

@test "a range is around what starts before its end, and what starts and ends then" {
	lines 'r1 0 10; r2 10 20; c1 10 12; r3 10 10; m10; r5 12 30 tid=2; r6 13 30 pid=2;
	    r4 20 20; m20'
	chooses 'r2 c1' 'has(corr)'
	chooses 'r1 r2 r3 m10' 'name == "10"'
	chooses 'r2 r4 m20' 'name == "20"'
	chooses 'r2 r4' 'id == 4'
	lines 'c1 10 30; m10; r1 10 20; r2 10 20; k1 10 12' # in any order
	chooses 'c1 r1 r2 k1' 'kind == "kernel"'
	chooses 'm10 r1! r2!' 'kind == "mark"'
	chooses 'c1 m10 r1 r2 k1' --range r1
}

@test "ranges that cross are both around what starts in both" {
	lines 'r1 0 20; r2 10 40; c1 15 16; c2 17 18; c3 30 31; k1 50 60; k2 60 70; k3 70 80'
	chooses 'r1! r2! c1 k1' 'ts == 50'
	chooses 'r1 r2! c1 c2 k1 k2' 'ts in (50, 60)'
	chooses 'r2! c3 k3' 'ts == 70'
}

@test "a range that never ended is around all that follows" {
	lines 'r1 0 0 dur= open=true; r2 1 9 mode=push dur= open=true; c1 10 20; k1 30 40;
	    r3 50 60; m55'
	chooses 'r1 r2 c1 k1' 'has(stream)'
	chooses 'r1! r2! r3 m55' 'kind == "mark"'
	chooses 'r1 r2 c1 k1 r3 m55' --range r1
	chooses 'r1! r2 c1 k1 r3 m55' --range r2
}

@test "a range that another thread ended is around nothing, but of a process" {
	lines 'r1 0 100; r2 5 90 mode=start end_tid=2; c1 10 20; c2 12 20 tid=3; k1 30 40;
	    k2 40 50'
	chooses 'r1 c1 k1' 'ts == 30'
	chooses 'c2 k2' 'ts == 40'
	chooses 'r1! r2! c1 k1' --scope process 'ts == 30'
	chooses 'r1! r2! c2 k2' --scope process 'ts == 40'
	chooses 'r1! r2' 'id == 2'
}

@test "a graph launches many kernels with one call" {
	lines "r1 0 50; c1 10 20; $(printf 'k1 %d 400;' {100..399})"
	for selection in 'kind == "api"' --time=:50ns --range=r1; do
		filter "$selection"
		cmp in out
	done
	chooses 'r1! c1 k1 k1' 'ts == 100 || ts == 399'
	chooses '' --time 50ns:
}

@test "calls are told apart by their process, and all ids by their section" {
	lines 'r1 0 100; r2 0 100 pid=2; c1 10 20; c1 11 20 pid=2; k1 30 40 pid=2; k1 50 60'
	chooses 'r1 c1 k1' --pid 1 -e 'has(stream)'
	chooses 'r2 c1 k1' --range r2
	cp in first
	lines '{"kind":"symbol","id":1}; r3 0 100; k1 2 3; c2 5 6; k2 7 8 sym=1'
	cat in >> first
	lines '{"kind":"symbol","id":1}; c2 5 6; k1 2 3 sym=1'
	cat first in > all
	mv all in
	chooses 'r3 k1 c2 symbol1 k2 symbol1 k1' 'ts in (2, 7)'
}

@test "an operation may start up to 1 ms before its call" {
	lines 'k1 0 10; r1 500000 2000000; c1 1000000 1000001; k2 3000000 3000010;
	    c2 4000001 4000002; k2 5000000 5000010'
	chooses 'k1 r1 c1' --range r1
	chooses 'k1 r1 c1' 'kind == "api" && corr == 1'
	chooses 'k1 r1 c1' 'ts == 0'
	chooses 'k1 r1! c1' --time 600us:3ms
	chooses 'k2 c2 k2' --time 2ms:5ms
}

# ---- ranges ----

@test "a range has what was launched in it, and by time what ran in it" {
	lines 'c1 5 6; r1 10 20 name=a; m10; m11 tid=2; c2 12 30; k1 13 14; c3 14 15 tid=2;
	    k3 16 17; m18 pid=2; k2 19 22; c4 20 21; m20; k4 22 23'
	chooses 'r1 m10 c2 k2 m20' --range a
	chooses 'r1 m10 m11 c2 c3 k3 k2 m20' --range a --scope process
	chooses 'c1 r1 m10 m11 c2 k1 c3 k3 k2 m20' --range a --by time
}

@test "several ranges add up, other selections have to agree" {
	lines 'r0 0 10 name=a/b; m1; r1 10 20 name=a domain=d; m11; r2 20 30 name=a; m21;
	    r3 30 40 name=a; m31; r4 40 50 name=a'
	chooses 'r2 m21 r3 m31 r4' --range a
	chooses 'r1 m11' --range a@d
	chooses 'r1 m11 r2 m21' --range 'a@*/0..1'
	chooses 'r0 m1 r3 m31 r4' --range a/1.. --range a/b
	chooses 'r0 m1 r4' --range '~^a.b$' --range a/2
	chooses 'r3! m31' --range a --time 25ns:35ns 'kind == "mark"'
	chooses 'r3 m31' --range a --time 25ns:40ns '!(id == 4)'
}

@test "a range is cut where it reaches out of what was asked for, and only there" {
	lines 'r1 0 100; r2 10 20; r3 10 20; r4 12 25 mode=start; r5 15 20; c1 16 17;
	    r6 20 30 name=r3; r7 20 20; k1 90 95'
	chooses 'r1! r2 r3 r4! r5 c1 r6! r7 k1' --range r3/0
	chooses 'r1! r2 r3 r4 r5 c1 r6 r7 k1' --range r3
	chooses 'r1! r2 r3 r4! r5 c1 k1' --range r3/0 'has(stream)'
	chooses 'r1! r2! r3! r4! r5 c1 k1' --time 15ns:20ns
}

@test "a range that another thread ended keeps the ranges around its start, also those that began after another such range" {
	lines 'r1 0 90; r2 5 60 mode=start end_tid=2; r3 10 80; r4 15 20;
	    r5 30 70 mode=start end_tid=2; m99'
	chooses 'r1 r2' 'id == 2'
	chooses 'r1 r2 r3 r5' 'id == 2 || id == 5'
}

@test "--range finds no range in an empty stream, and says so" {
	run -1 --separate-stderr tq-filter --range nope < /dev/null
	[[ $output = "" && $stderr = *"no range is named 'nope'" ]]
}

@test "a range that there is not is a warning, and leaves an empty section" {
	lines 'r1 0 10; m5'
	run -1 chooses '' --range nope
	[[ $output = "tq-filter: warning: no range is named 'nope'"* ]]
	run -1 chooses '' --range r1/3..5
	[[ $output = 'tq-filter: warning: the last range of that name has index 0'* ]]
	[ "$(wc -l < out)" = 2 ]
}

# ---- steps, windows ----

@test "steps are counted for each process, those within others are not" {
	lines 'r1 0 10 name=ProfilerStep#7; r2 1 9 name=step+3;
	    r3 2 9 pid=2 name=Step+0+to+10; r4 10 20 name=iteration+4;
	    r5 12 15 name=AdamW.step; r6 20 30 name=other; r7 30 40 name=batch domain=x;
	    r8 31 50 name=step pid=2; m35'
	chooses 'r1 r2 r3' --step 0
	chooses 'r4 r5 r8' --step 1
	chooses 'r4 r5 r7 r8 m35' --step 1..2
	chooses 'r1 r2 r3 r7 m35' --step 0 --step 2
	chooses 'r6' --step other/0
	chooses 'r7 m35' --step 'batch@x/0'
	chooses 'r1 r2 r3 r6' --step 0 --step other/0
	refuses 'no such step: the trace has steps 0 to 2' --step 3
	refuses 'no range in the trace is named like a step' --step 'batch/0'
}

@test "the median step is the lower middle of those behind the first" {
	lines 'r0 0 1 name=step; r1 10 19 name=step; r2 20 25 name=step; r3 30 38 name=step;
	    r4 40 46 name=step; r5 45 49 name=step pid=2; r6 50 57 name=x; r7 60 62 name=x'
	chooses 'r4 r5' --step median
	chooses 'r7' --step x/median
}

@test "a window has what was launched in it, wherever that ran" {
	lines 'r1 10 40; c1 19 21; c2 20 22; k1 25 26; m29; m30; k2 50 60; k3 70 80'
	chooses 'r1! c2 m29 k2' --time 20ns:30ns
	chooses 'r1! c1 c2 k1 m29' --time 20ns:30ns --by time
	chooses 'k3' --time -40ns:
	chooses 'r1! m30 k3' --time 30ns:-1ns
	chooses 'r1! c1 k1' --time :-60ns
	lines 'm10; m80'
	refuses 'the window is outside of the trace, which covers 10ns to 80ns' --time 81ns:
	refuses 'the window is outside of the trace, which covers 10ns to 80ns' --time :10ns
}

@test "between calls of the profiler is what a process launched from the one's end on" {
	lines 'c1 0 5 name=cudaProfilerStart; m4; m5; c2 6 7 tid=2; r1 8 30; r2 9 10;
	    m11 pid=2; c3 20 25 name=cudaProfilerStop; m22; k2 40 50;
	    c4 60 61 name=cuProfilerStart; m70'
	chooses 'm5 c2 r1! r2 k2 m70' --between-profiler-calls
	lines 'm1'
	refuses 'no call of cudaProfilerStart in the trace' --between-profiler-calls
}

# the driver's part has no count, and with the same times may stand first
@test "of two calls with one start the one that counts keeps its operations" {
	{
		echo '{"kind":"api","ts":100,"dur":0,"pid":1,"tid":1,"corr":1,"name":"c","gpu":1}'
		echo '{"kind":"kernel","ts":110,"dur":5,"pid":1,"corr":1,"name":"k"}'
		echo '{"kind":"api","ts":200,"dur":0,"pid":1,"tid":1,"corr":2,"name":"driver"}'
		echo '{"kind":"api","ts":200,"dur":0,"pid":1,"tid":1,"corr":2,"name":"runtime","gpu":1}'
		echo '{"kind":"mark","ts":1900000,"pid":1,"tid":1,"name":"m"}'
		echo '{"kind":"mark","ts":1900001,"pid":1,"tid":1,"name":"m"}'
		echo '{"kind":"kernel","ts":2000000,"dur":7,"pid":1,"corr":2,"name":"k"}'
	} | stream > in
	run -0 tq-filter 'kind == "kernel" && dur == 7' in
	[[ $output = *'"runtime"'* && $output = *'"driver"'* ]]
}
