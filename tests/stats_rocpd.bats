#!/usr/bin/env bats
# tq-stats on what AMD's profilers record: the reports of AMD by their names

load helper

# databases that have the views, whose output is golden
VIEWS=(mi300x-2025-11-21-bmm mi300x-2025-12-11-bmm mi300x-2025-12-23-ck-att
	mi300x-2025-12-30-bmm synthetic-full synthetic-graph synthetic-two)

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
}

# extract NAME: NAME.tq is made of that database
extract() {
	data "rocpd/$1.db.zst"
	zstd -dqc "$data" > db
	tq-extract -o "$1.tq" db 2> /dev/null
}

@test "top, top_kernels and kernels_summary are AMD's views, byte for byte" {
	for name in "${VIEWS[@]}"; do
		extract "$name"
		for report in top top_kernels kernels_summary; do
			tq-stats -f tsv -r $report "$name.tq" |
			    cmp - "$DATA/rocpd/golden/$name.$report.tsv"
		done
	done
}

@test "busy is AMD's view, but for the numbers of CPUs, which a stream lacks" {
	for name in "${VIEWS[@]}"; do
		extract "$name"
		tq-stats -f tsv -r busy "$name.tq" |
		    cmp - <(sed 's/^0\tCPU/\tCPU/' \
			"$DATA/rocpd/golden/$name.busy.tsv")
	done
}

@test "a database without views has these reports, too" {
	local suffix=00003fdc92cb72cb9169c7e541b1fcd1

	extract synthetic-edge
	# AMD's view leaves out a kernel whose symbol is not there, and has one
	# that ends before its start
	tq-stats -f tsv -r top_kernels synthetic-edge.tq | grep -v '^#404' > got
	sqlite3 -header -separator $'\t' db "
	    select s.display_name as name, count(*) as total_calls,
	    sum(end - start) / 1000.0 as total_duration,
	    (sum(end - start) / count(*)) / 1000.0 as average,
	    sum(end - start) * 100.0 / (select sum(end - start)
	    from rocpd_kernel_dispatch$suffix where end >= start) as percentage
	    from rocpd_kernel_dispatch$suffix k
	    join rocpd_info_kernel_symbol$suffix s on s.id = k.kernel_id
	    where end >= start group by 1 order by 3 desc" | diff got -
	extract synthetic-v4
	run -0 tq-stats -f csv -r top_kernels,busy synthetic-v4.tq
	[[ $output = 'name,total_calls,total_duration,average,percentage
"vecAdd(float*, int)",20,50.19,2.509,100.0

agent_id,type,GpuTime,WallTime,Busy
4,GPU,50290,98600,0.510040567951318' ]]
}

@test "top: calls whose names were lost are left out, those of no time are not" {
	stream '{"kind":"api","ts":1,"dur":0,"pid":1,"name":"HIP_RUNTIME_API"}' \
	    '{"kind":"api","ts":2,"dur":0,"pid":1,"name":"hipFree"}' \
	    '{"kind":"range","ts":3,"dur":5,"pid":1,"name":"a","domain":"roctx"}' \
	    '{"kind":"range","ts":3,"pid":1,"name":"b","domain":"x","open":true}' \
	    '{"kind":"memset","ts":9,"dur":1,"pid":1}' > in
	run -0 tq-stats -f csv -r top in
	[[ $output = 'name,total_calls,total_duration,average,percentage
roctxThreadRangeA,1,0.005,0.005,83.3333333333333
[CUDA memset],1,0.001,0.001,16.6666666666667
hipFree,1,0.0,0.0,0.0' ]]
	# and no time at all
	grep -v range in | grep -v memset | tq-stats -f csv -r top |
	    tail -n 1 > got
	[[ $(< got) = hipFree,1,0.0,0.0, ]]
}

@test "busy: a copy is of the agent that it goes to, and work adds up" {
	stream '{"kind":"device","pid":1,"device":0,"gpu":4}' \
	    '{"kind":"kernel","ts":0,"dur":6,"pid":1,"name":"k","device":0}' \
	    '{"kind":"kernel","ts":2,"dur":6,"pid":1,"name":"k","device":0}' \
	    '{"kind":"memcpy","ts":3,"dur":2,"pid":1,"dst":"Device","src_device":0,"dst_device":1}' \
	    '{"kind":"memcpy","ts":4,"dur":3,"pid":1,"device":0,"dst":"Host"}' \
	    '{"kind":"kernel","ts":5,"pid":1,"name":"open","open":true}' \
	    '{"kind":"kernel","ts":10,"dur":6,"pid":1,"name":"k"}' > in
	run -0 tq-stats -f csv -r busy in
	[[ $output = 'agent_id,type,GpuTime,WallTime,Busy
,CPU,3,16,0.1875
,,6,16,0.375
1,GPU,2,16,0.125
4,GPU,12,16,0.75' ]]
	run -1 tq-stats -r busy <(stream < /dev/null)
	tq-stats --partial -r busy in > part
	[[ $(tq-stats -f csv --merge part) = "$(tq-stats -f csv -r busy in)" ]]
}

@test "these sums can be merged, filtered, sorted and cut" {
	extract synthetic-full
	local all=top,top_kernels,kernels_summary part

	cp synthetic-full.tq 1.tq
	sed '/"kind":"process"/s/"rank":0/"rank":1/' 1.tq > 2.tq
	tq-stats -f csv -r $all 1.tq 2.tq > whole
	for part in 1 2; do
		tq-stats --partial -r $all $part.tq > $part.part
	done
	tq-stats --merge -f csv -r $all 1.part 2.part | cmp - whole
	tq-stats -f csv -r top --sort total_calls --top 1 synthetic-full.tq |
	    grep -c '^hipLaunchKernel,101,'
	run -0 tq-stats -f json1 --plain-keys -r kernels_summary synthetic-full.tq
	jq -e '.[0] | .duration_nsec == 1676824 and
	    .average_nsec == 30487.7090909091' <<< "$output"
	tq-stats --time 0.501s: -f csv -r top_kernels synthetic-full.tq |
	    grep -vc ,55,
}
