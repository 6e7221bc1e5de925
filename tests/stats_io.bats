#!/usr/bin/env bats
# io_sum of tq-stats: calls of the operating system by file

load helper
load capture

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# call NAME TS DUR FILE BYTES
call() {
	echo '{"kind":"osrt","ts":'"$2"',"dur":'"$3"',"pid":1,"tid":1,"name":"'"$1"'","bytes":'"$5"',"ret":0,"file":"'"$4"'"}' |
	    sed 's/"bytes":0,//; s/,"file":""//'
}

calls() {
	{
		call open 1 500 /data/a 0
		call read 1000 2000 /data/a 4000
		call read 4000 6000 /data/a 12000
		call accept 20000 900 socket 0
		call recv 21000 100 socket:10.0.0.1:80 50
		call read 22000 300 pipe 1
		call epoll_wait 23000 400 'anon_inode:[eventpoll]' 0
		call write 24000 10 /dev/null 5
		call write 25000 20 '/memfd:x (deleted)' 7
		call read 26000 40 '' 8
		call poll 27000 1000000 '' 0
		echo '{"kind":"osrt","ts":30000,"pid":1,"tid":1,"name":"read","file":"pipe","open":true}'
	} | stream
}

# ours FILE: its rows as those of the oracle
ours() {
	tq-stats -f json1 -r io_sum "$1" | jq -c 'sort_by(.File)[] |
	    [.Kind, .File, .Calls, .["Bytes (B)"], .["Total Time (ns)"],
	    .["Wait (ns)"], .["Max (ns)"]]'
}

theirs() {
	oracle io files "$1"
}

@test "io_sum has calls, bytes, rate, time and wait of each file" {
	run -0 tq-stats -r io_sum -f csv <(calls)
	diff - <(printf '%s\n' "${lines[@]}") <<- 'END'
	Calls,Bytes (MB),Rate (MB/s),Total Time (ns),Wait (ns),Max (ns),Kind,File
	3,0.016,2000.000,8500,500,6000,file,/data/a
	1,0.000,,900,900,900,socket,socket
	1,0.000,,400,400,400,anonymous,anon_inode:[eventpoll]
	2,0.000,3.333,300,0,300,pipe,pipe
	1,0.000,500.000,100,0,100,socket,socket:10.0.0.1:80
	1,0.000,200.000,40,0,40,unknown,
	1,0.000,350.000,20,0,20,memory,/memfd:x (deleted)
	1,0.000,500.000,10,0,10,device,/dev/null
	END
}

@test "its rows add up as another program adds them up" {
	need native
	calls > x.tq
	diff <(ours x.tq) <(theirs x.tq)
	tq-capture -q -t osrt --osrt-file-access true -o y.tq \
	    "$CLIENTS/oscalls" sockets stdio polling fork > out
	[ "$(theirs y.tq | wc -l)" -gt 5 ]
	diff <(ours y.tq) <(theirs y.tq)
}

@test "parts of a stream make the rows of the whole" {
	calls > x.tq
	for k in 0 1 2; do
		grep '"osrt"' x.tq | awk -v k=$k 'NR % 3 == k' | stream |
		    tq-stats --partial -r io_sum > $k.part
	done
	diff <(tq-stats -f csv -r io_sum x.tq) <(tq-stats -f csv --merge *.part)
}

@test "a stream without files says so" {
	run ! tq-stats -r io_sum < <(call poll 1 2 '' 0 | stream)
	[[ $output = *'io_sum: no OS runtime call in the stream has a file' ]]
}

# ---- by line ----

# call with a stack
lined() {
	call "$1" "$2" "$3" "$4" "$5" | sed 's/}$/,"stack":'"$6"'}/'
}

@test "osrt_lines has calls, bytes and time of each line, function and file" {
	{
		echo '{"kind":"stack","id":1,"frames":["f \"x\" (a.py:3)","main (a.py:9)"]}'
		echo '{"kind":"stack","id":2,"frames":["g (b.py:4)"]}'
		echo '{"kind":"stack","id":3,"frames":["f \"x\" (a.py:3)","other (a.py:8)"]}'
		echo '{"kind":"stack","id":4,"frames":[]}'
		echo '{"kind":"stack","id":5,"frames":["__read (/lib/libc.so.6)","get (libstdc++.so.6.0.25)","h (./prog)","i (libc.so.6)"]}'
		echo '{"kind":"stack","id":6,"frames":["start (/lib64/ld-linux-x86-64.so.2)"]}'
		lined read 10 100 /data/a 1000 1
		lined read 200 300 /data/a 2000 3
		lined read 600 50 /data/b 5 1
		lined poll 700 7 '' 0 2
		lined poll 710 6 '' 0 5
		lined poll 720 5 '' 0 6
		lined poll 800 9 '' 0 4
		lined poll 900 9 '' 0 77
		call poll 1000 9 '' 0
	} | stream > x.tq
	run -0 tq-stats -r osrt_lines -f csv x.tq
	diff - <(printf '%s\n' "${lines[@]}") <<- 'END'
	Calls,Bytes (MB),Total Time (ns),Max (ns),Name,Line,File
	2,0.003,400,300,read,"f ""x"" (a.py:3)",/data/a
	1,0.000,50,50,read,"f ""x"" (a.py:3)",/data/b
	1,0.000,7,7,poll,g (b.py:4),
	1,0.000,6,6,poll,h (./prog),
	1,0.000,5,5,poll,start (/lib64/ld-linux-x86-64.so.2),
	END
	# ids are of their section
	cat x.tq <(sed 's/a.py/c.py/g' x.tq) > two.tq
	[[ $(tq-stats -r osrt_lines -f csv two.tq | grep -c 'c.py:3') = 2 ]]
	# in parts
	tq-stats --partial -r osrt_lines x.tq > x.part
	diff <(tq-stats -f csv -r osrt_lines x.tq) <(tq-stats -f csv --merge x.part)
}

@test "without a stack it says so" {
	run ! tq-stats -r osrt_lines < <(call poll 1 2 '' 0 | stream)
	[[ $output = *'osrt_lines: no OS runtime call in the stream has a stack' ]]
}
