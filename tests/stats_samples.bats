#!/usr/bin/env bats
# tq-stats, CPU samples as folded stacks.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

@test "folded:samples: threads and frames, the outermost first" {
	sample() {
		echo '{"kind":"sample","ts":'"$1"',"pid":1,"tid":'"$2$3"'}'
	}
	{
		{
			echo '{"kind":"thread","pid":1,"tid":1,"name":"main;1"}'
			echo '{"kind":"stack","id":5,"frames":["leaf","mid","_start"]}'
			printf '%s\n' '{"kind":"stack","id":6,"frames":["a;b\n"]}'
			echo '{"kind":"stack","id":7,"frames":[]}'
			sample 1 1 ',"stack":5'
			sample 2 1 ',"stack":6'
			sample 3 1 ',"stack":5'
			sample 4 2 ',"stack":5'
			sample 5 1 ''
			sample 6 1 ',"stack":7'
		} | stream
		{
			echo '{"kind":"thread","pid":1,"tid":1,"name":"main;1"}'
			echo '{"kind":"stack","id":5,"frames":["other"]}'
			sample 1 1 ',"stack":5'
			sample 2 1 ',"stack":6'
		} | stream
	} > in
	run -0 tq-stats -r folded:samples in
	[[ $output = 'main:1 3
main:1;_start;mid;leaf 2
main:1;a:b  1
main:1;other 1
thread 2;_start;mid;leaf 1' ]]
}

@test "folded:waits: how long threads waited where they were looked at" {
	off() {
		echo '{"kind":"sched","ts":'"$1"',"pid":1,"tid":'"$2"',"cpu":0,"on":false,"reason":"blocked"}'
	}
	on() {
		echo '{"kind":"sched","ts":'"$1"',"pid":1,"tid":'"$2"',"cpu":0,"on":true}'
	}
	look() {
		echo '{"kind":"sample","ts":'"$1"',"pid":1,"tid":'"$2"',"state":"Interruptible","stack":'"$3"',"count":0}'
	}
	{
		echo '{"kind":"thread","pid":1,"tid":1,"name":"main"}'
		echo '{"kind":"stack","id":5,"frames":["read","load"]}'
		echo '{"kind":"stack","id":6,"frames":["lock"]}'
		off 10 1
		look 40 1 5
		off 50 2
		on 60 1
		look 80 2 6
		# nobody looked
		off 100 1
		on 105 1
		# of a thread that runs
		look 110 1 6
		off 120 1
		on 130 1
		off 140 1
		look 170 1 5
		on 190 1
		echo '{"kind":"sample","ts":200,"pid":1,"tid":1,"stack":5}'
	} | stream > in
	run -0 tq-stats -r folded:waits in
	# 50 and 50 ns; from 50 to the end
	[[ $output = 'main;load;read 100
thread 2;lock 150' ]]
	# one that never ends lasts until the last record, and an unknown stack says
	# nothing
	{
		echo '{"kind":"stack","id":6,"frames":["lock"]}'
		off 50 2
		look 80 2 6
		look 90 2 77
		echo '{"kind":"osrt","ts":900,"dur":100,"pid":1,"tid":1,"name":"read"}'
	} | stream > hang
	[[ $(tq-stats -r folded:waits hang) = 'thread 2;lock 950' ]]
	# two sections
	cat in in > two
	[[ $(tq-stats -r folded:waits two) = 'main;load;read 200
thread 2;lock 300' ]]
	run -1 tq-stats -r folded:waits <(grep -v sched in | sed 's/:19,/:11,/')
	[[ $output = *'no wait in the stream has a stack and context switches' ]]
}

@test "folded:launches, gpu_lines: device time by what launched it" {
	{
		echo '{"kind":"stack","id":1,"frames":["cudaLaunchKernel (libcudart.so.13)","step (a.py:3)","main (a.py:9)"]}'
		echo '{"kind":"stack","id":2,"frames":["memcpy (/lib/libc.so.6)","copy (a.py:4)"]}'
		for i in 1 2 3; do
			echo '{"kind":"api","ts":'"$i"'0,"dur":1,"pid":1,"tid":1,"corr":'"$i"',"name":"cudaLaunchKernel","stack":'$((i > 1 ? 2 : 1))'}'
		done
		echo '{"kind":"kernel","ts":100,"dur":50,"pid":1,"corr":1,"name":"k;1","device":0}'
		echo '{"kind":"kernel","ts":150,"dur":7,"pid":1,"corr":2,"name":"k;1","device":0}'
		echo '{"kind":"memcpy","ts":160,"dur":9,"pid":1,"corr":3,"copy":"HtoD","device":0}'
		echo '{"kind":"kernel","ts":170,"dur":4,"pid":1,"corr":9,"name":"other","device":0}'
	} | stream > in
	tq-correlate in > c.tq 2> said
	run -0 tq-stats -r folded:launches c.tq
	[[ $output = '[no stack];other 4
copy (a.py:4);memcpy (/lib/libc.so.6);[CUDA memcpy Host-to-Device] 9
copy (a.py:4);memcpy (/lib/libc.so.6);k:1 7
main (a.py:9);step (a.py:3);cudaLaunchKernel (libcudart.so.13);k:1 50' ]]
	tq-stats -r gpu_lines -f csv c.tq | cut -d, -f 2,3,9,10 | diff - /dev/fd/3 3<<- 'END'
	Total Time (ns),Instances,Name,Line
	50,1,k;1,step (a.py:3)
	9,1,[CUDA memcpy Host-to-Device],copy (a.py:4)
	7,1,k;1,copy (a.py:4)
	END
	run -1 tq-stats -r folded:launches in
	[[ $output = *'the stream did not go through tq-correlate' ]]
	run -1 tq-stats -r folded:launches,gpu_lines <(sed 's/,"stack":[0-9]//' c.tq)
	[[ $output = *'no operation in the stream has the stack of its call'* ]]
}

@test "folded:launches, gpu_lines: of an export, and of what they need of it" {
	data nsys/2022.2.1-nonlazy-mpi.sqlite
	run -0 tq stats -q -r gpu_lines,folded:launches "$data"
	grep -q 'saxpy.*saxpy-mpi-cuda)' <<< "$output"
	# all device time is in a stack
	tq stats -q -r folded:launches "$data" | awk '{ n += $NF } END { print n }' > folded
	tq-stats -q -f csv -r cuda_gpu_sum "$(correlated 2022.2.1-nonlazy-mpi)" |
	    awk -F , 'NR > 1 { n += $2 } END { print n }' | diff - folded
	tq-stats -q -r gpu_lines,folded:launches "$(correlated 2022.2.1-nonlazy-mpi)" |
	    diff - <(echo "$output")
}
