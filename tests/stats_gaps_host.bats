#!/usr/bin/env bats
# tq-stats: gaps as HTA sorts them, and what the launching thread did in them

load helper
load gaps

# hosts [OPTION ...]: what the threads did in the gaps of the stream in
# standard input, longest first: duration, HTA, thread, call, ns and range
hosts() {
	stream > one
	table gaps one | cut -d, -f 2,8,11-13,15
}

# ---- HTA ----

@test "host_wait, kernel_wait and other are what HTA makes of a gap" {
	hta() { # [DELAY]
		stream > one
		table "gaps:delay=${1-30ns}" one | cut -d, -f 2,8
	}

	{ op kernel 100 50 10 20; op kernel 400 10 151 20; } | hta |
	    is "250,host_wait"
	{ call 50 105 cudaDeviceSynchronize; op kernel 100 50 10 20
	  op kernel 160 10 151 5; } | hta | is "10,host_wait"
	{ op kernel 100 50 10 20; op kernel 400 10 150 20; } | hta |
	    is "250,other"
	{ op kernel 100 50 10 20; op kernel 180 10 11 20; } | hta |
	    is "30,other"
	{ op kernel 100 50 10 20; op kernel 179 10 11 20; } | hta |
	    is "29,kernel_wait"
	# of what was not correlated it knows no call either
	{ op kernel 100 50; op kernel 179 10; } | hta | is "29,kernel_wait"
	{ op kernel 100 50; op kernel 179 10; } | hta 0ns | is "29,other"
	# HTA compares its 30 ns with us
	{ op kernel 100 50 10 20; op kernel 30149 10 11 20; } | stream > in
	table gaps in | cut -d, -f 2,8 | is "29999,kernel_wait"
	{ op kernel 100 50 10 20; op kernel 30150 10 11 20; } | stream > in
	table gaps in | cut -d, -f 2,8 | is "30000,other"
}

@test "hta_idle: the idle time of each stream by HTA's rule" {
	{ op kernel 100 50 10 20; op kernel 160 10 151 5
	  op kernel 180 10 161 5; op kernel 1000 10 162 5
	  op kernel 2000 10 162 900; } | stream > in
	tq-stats -f csv -r hta_idle:delay=20ns in | cut -d, -f 5- | tail -n +2 |
	    is "host_wait,10,0.5,1
kernel_wait,10,0.5,1
other,1800,98.9,2"
	tq-stats -f csv -r hta_idle:delay=811ns in | cut -d, -f 5- | tail -n +2 |
	    is "host_wait,10,0.5,1
kernel_wait,820,45.1,2
other,990,54.4,1"
	run -2 tq-stats -r hta_idle:delay=30 in
	[[ $output = "tq-stats: hta_idle takes no argument 'delay=30' \
(delay=30us)" ]]
	run -2 tq-stats -r hta_idle:delay=-1us in
	run -2 tq-stats -r hta_idle:delay= in
	stream > none < /dev/null
	run -1 tq-stats -r hta_idle none
}

@test "gaps_sum has what HTA makes of them beside the causes" {
	{ op kernel 100 50 10 20; op kernel 160 10 151 5
	  op kernel 180 10 161 5; op kernel 1000 10 162 5
	  op kernel 2000 10 162 900; } | stream > in
	table gaps_sum:delay=30ns in | cut -d, -f3-5,12-14 | is "busy,5,90,,,
host,1,1,1,0,0
launch,2,999,9,0,990
next,2,820,0,10,810"
}

# ---- what the thread did ----

@test "a gap has the calls of its thread that took most of it, and for how long" {
	{ call 0 9 cudaMalloc; op kernel 100 50 10 20; call 140 30 read
	  call 200 25 write; call 230 10 write; call 260 40 write 2
	  op kernel 400 10 300 20; } | hosts |
	    is "250,host_wait,1,write,35,"
	# of equal ones that which began first; and none at all
	{ op kernel 100 50 10 20; call 160 30 a; call 200 30 b
	  op kernel 400 10 300 20; } | hosts | is "250,host_wait,1,a,30,"
	{ op kernel 100 50 10 20; call 160 90 a 2; op kernel 400 10 300 20
	} | hosts | is "250,host_wait,1,,,"
	{ op kernel 100 50; call 160 90 a; op kernel 400 10; } | hosts |
	    is "250,kernel_wait,,,,"
}

@test "a call counts as far as it is in the gap, and once where it is in itself" {
	{ call 50 120 poll; call 60 100 poll; op kernel 100 50 10 20
	  call 170 10 read; call 390 70 read; op kernel 400 10 300 20; } |
	    hosts | is "250,host_wait,1,poll,20,"
	# one that never ended
	{ echo '{"kind":"api","ts":40,"pid":1,"tid":1,"name":"a","open":true}'
	  op kernel 100 50 10 20; op kernel 400 10 300 20; } |
	    hosts | is "250,host_wait,1,a,250,"
}

@test "calls of the operating system count, and what the profiler did" {
	{ op kernel 100 50 10 20
	  echo '{"kind":"osrt","ts":160,"dur":20,"pid":1,"tid":1,"name":"poll"}'
	  op kernel 400 10 300 20
	  echo '{"kind":"overhead","ts":420,"dur":20,"pid":1,"tid":1,"name":"flush"}'
	  op kernel 500 10 480 20; } | hosts |
	    is "250,host_wait,1,poll,20,
90,host_wait,1,flush,20,"
}

@test "the range of the next launch is none of the host's time, which has ranges and calls" {
	range() { # ID TS DUR NAME
		echo '{"kind":"range","ts":'"$2"',"dur":'"$3"',"pid":1,"tid":1,"name":"'"$4"'","id":'"$1"'}'
	}

	# from 150 to 400: 20 in poll, 80 in load, 30 in none, 100 in next,
	# and 20 in its launch
	{ op kernel 100 50 10 20
	  echo '{"kind":"osrt","ts":150,"dur":20,"pid":1,"tid":1,"name":"poll"}'
	  range 7 170 80 load; range 8 280 200 next
	  op kernel 400 10 380 20 '"range":8'; } | stream > one
	tq-stats -f json1 --plain-keys -r gaps one | jq -c '.[] | [.duration_ns,
	    .next_range, .host_range, .host_range_ns, .in_calls_ns, .in_none_ns]' > got
	diff got - <<< '[250,"next","next",100,40,210]'
	{ op kernel 100 50 10 20
	  range 7 170 180 load; range 8 370 100 next
	  op kernel 400 10 380 20 '"range":8'; } | stream > one
	tq-stats -f json1 --plain-keys -r gaps one | jq -c '.[] |
	    [.next_range, .host_range, .host_range_ns, .in_calls_ns, .in_none_ns]' > got
	diff got - <<< '["next","load",180,20,230]'
}

@test "a gap has the innermost range of the operation that ended it" {
	range() { # ID TS DUR NAME
		echo '{"kind":"range","ts":'"$2"',"dur":'"$3"',"pid":1,"tid":1,"name":"'"$4"'","id":'"$1"'}'
	}

	# the second is known only behind it, and the last not at all
	{ range 8 0 1000 step; op kernel 100 50 10 20 '"range":8'
	  op kernel 400 10 300 20 '"range":8'
	  op kernel 500 10 420 20 '"range":9'; range 9 505 10 late
	  op kernel 580 10 520 20 '"range":10'
	  op kernel 650 10 620 20; } | hosts | cut -d, -f 1,6 |
	    is "250,step
90,late
70,
60,"
	# a path says it itself
	{ op kernel 100 50 10 20; op kernel 400 10 300 20 \
	    '"range":7,"path":["step","a\"b"]'; } | hosts |
	    is '250,host_wait,1,,,"a""b"'
	{ op kernel 100 50 10 20; op kernel 400 10 300 20 '"path":[]'; } |
	    hosts | is "250,host_wait,1,,,"
}

@test "ranges that are over are known while 16384 others come, open ones always" {
	{
		echo '{"kind":"range","ts":0,"dur":100000000,"pid":1,"tid":1,"name":"outer","id":1}'
		echo '{"kind":"range","ts":1,"dur":1,"pid":1,"tid":1,"name":"inner","id":2}'
		op kernel 100 50 10 20
		op kernel 400 10 300 20 '"range":2'
		awk 'BEGIN { for (i = 0; i < 100000; i++)
		    printf "{\"kind\":\"range\",\"ts\":%d,\"dur\":1,\"pid\":1,\"tid\":1,\"name\":\"r%d\",\"id\":%d}\n", 500 + i, i, i + 10 }'
		op kernel 200500 10 200001 9 '"range":1'
		op kernel 200600 10 200511 9 '"range":99000'
	} | hosts | cut -d, -f 1,6 | is "200090,outer
250,inner
90,r98990"
}

@test "the 64 longest calls of any time are known, however many others came" {
	{
		op kernel 100 50 10 20
		call 200 150 before
		awk 'BEGIN { for (i = 0; i < 20000; i++)
		    printf "{\"kind\":\"api\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"tid\":1,\"name\":\"%s\"}\n", \
			1000 + i * 10, (i % 400 == 7 ? 9 : 1 + i % 3), \
			(i % 400 == 7 ? "long" : "short") }'
		op kernel 300000 10 299900 20
	} > in
	# 50 of them
	hosts < in | is "299850,host_wait,1,long,450,"
}

@test "a Host Time is called a lower bound where calls of the gap were dropped" {
	some_calls() { # COUNT
		op kernel 100 50 10 20
		awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++)
		    printf "{\"kind\":\"api\",\"ts\":%d,\"dur\":4,\"pid\":1,\"tid\":1,\"name\":\"a\"}\n", 1000 + i * 10 }'
		op kernel 300000 10 299900 20
		# dropped calls that ended before the gap do not matter
		op kernel 300400 10 300350 20
	}

	some_calls 150 | stream > in
	table gaps in | cut -d, -f 2,12-14 | is "299850,a,600,exact
390,,,"
	some_calls 20000 | stream > in
	table gaps in | cut -d, -f 2,12-14 > got
	[[ $(head -n 1 got) == 299850,a,*,"lower bound" ]]
	(($(head -n 1 got | cut -d, -f 3) < 80000))
	[[ $(tail -n 1 got) == 390,,, ]]
	{ some_calls 20000; call 300410 20 b; op kernel 300500 10 300450 20; } |
	    stream > in
	table gaps in | cut -d, -f 2,12-14 | tail -n 2 | is "390,,,
90,b,20,exact"
}

# some: a stream of one process, two devices, three threads, by a seed
some() { # SEED
	awk -v seed="$1" '
	function r(n) { return int(rand() * n) }
	BEGIN {
		srand(seed)
		for (i = 0; i < 30; i++)
			printf "{\"kind\":\"range\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"tid\":%d,\"name\":\"r%d\",\"id\":%d}\n", \
			    r(2000), r(300), r(3), r(5), i
		for (i = 0; i < 100; i++)
			printf "{\"kind\":\"%s\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"tid\":%d,\"name\":\"c%d\"}\n", \
			    r(2) ? "api" : "osrt", r(2000), r(r(9) ? 20 : 200), r(3), r(4)
		for (i = 0; i < 60; i++) {
			ts = r(2000)
			printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"tid\":%d,\"name\":\"k\",\"device\":%d,\"api_ts\":%d,\"api_dur\":5,\"range\":%d}\n", \
			    ts, r(40), r(3), r(2), ts - 1 - r(60), r(35)
		}
	}' | jq -sc 'sort_by(.ts, -.dur)[]' | stream
}

@test "HTA, calls and ranges of gaps are those of a search through all of it" {
	local seed

	for seed in {1..12}; do
		some "$seed" > one
		oracle gaps details one | sort > theirs
		[[ -s theirs ]]
		table gaps:delay=30ns one |
		    cut -d, -f 1,2,6,8,11-13,15 | sort |
		    diff - theirs
	done
}

# ---- real exports, against oracle/gaps.jq ----

# of the ten longest
compare_hosts() { # FILE
	tq-stats -q -f ndjson -r gaps "$1" | head > rows
	oracle gaps 'wrong_calls($rows)' --slurpfile rows rows \
	    <(grep -E '"kind":"(api|osrt|overhead)"' "$1") > wrong
	[[ ! -s wrong ]] || { head -n 3 wrong; return 1; }
}

@test "the calls in the longest gaps are those that jq finds, in every file" {
	each compare_hosts
}

compare_hta() { # FILE
	oracle gaps hta "$1" | sort > theirs
	table gaps_sum:stream "$1" | awk -F, '
	    { k = $1 "," $2 "," $3 "," $4; a[k] += $14; b[k] += $15; c[k] += $16 }
	    END { for (k in a) printf "%s,%.0f,%.0f,%.0f\n", k, a[k], b[k], c[k] }' |
	    sort > ours
	# streams whose operations overlap are not among theirs
	comm -13 ours theirs > wrong
	[[ ! -s wrong ]] || { head -n 3 wrong; return 1; }
	table hta_idle "$1" | awk -F, '
	    { k = $1 "," $2 "," $3 "," $4; all[k]; t[k, $5] = $6 }
	    END { for (k in all) printf "%s,%.0f,%.0f,%.0f\n", k,
	    t[k, "host_wait"], t[k, "kernel_wait"], t[k, "other"] }' |
	    sort | diff - <(grep -v ,0,0,0 ours)
}

@test "gaps_sum:stream and hta_idle have the sums of HTA, in every file" {
	each compare_hta
}
