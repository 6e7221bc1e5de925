#!/usr/bin/env bats
# tq-stats on traces of PyTorch's profiler: the reports of HTA and of PyTorch,
# against what golden/report_ref.py makes of the real traces

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
}

# extract NAME: NAME.tq is made of that trace
extract() {
	data "kineto/$1.json.zst"
	tq-extract -o "$1.tq" "$data" 2> /dev/null
}

# rows REPORT FIELDS FILE: as the golden tables have them; an empty cell is "-"
rows() {
	tq-stats -f json1 --plain-keys -r "$1" "$3" |
	    jq -r ".[] | [$2] | map(if . == null then \"-\" else . end) | @tsv"
}

# golden NAME REPORT: its rows; absent or zero is "-" in columns after the first
golden() {
	sed 1d "$DATA/kineto/golden/$1.$2.tsv"
}

# ---- HTA ----

@test "hta_breakdown is the temporal breakdown of HTA, in ns" {
	for name in cuda12.4-h100-qwen-stacks-memory rocm7-vllm-graph \
	    torch-2.4-nccl-ddp torch-2022-sampled-rank0 \
	    torch-2022-sampled-rank1; do
		extract $name
		rows hta_breakdown '.device, .kernel_ns, .idle_ns, .compute_ns,
		    .non_compute_ns, .communication_ns, .memory_ns,
		    .overlapped_ns, .exposed_communication_ns,
		    .exposed_memory_ns' $name.tq |
		    diff - <(golden $name breakdown)
	done
}

@test "hta_breakdown: communication is what HTA takes for it, by the full name" {
	stream '{"kind":"symbol","id":1,"name":"x","demangled":"void ncclKernel<1>(x)"}' \
	    '{"kind":"kernel","ts":10,"dur":10,"pid":1,"name":"x","sym":1}' \
	    '{"kind":"kernel","ts":30,"dur":10,"pid":1,"name":"hipX"}' \
	    '{"kind":"kernel","ts":50,"dur":10,"pid":1,"name":"hcclX"}' \
	    '{"kind":"kernel","ts":55,"dur":10,"pid":1,"name":"rcclX"}' \
	    '{"kind":"memset","ts":58,"dur":12,"pid":1}' \
	    '{"kind":"graph","ts":80,"dur":20,"pid":1}' > in
	rows hta_breakdown '.kernel_ns, .idle_ns, .compute_ns, .non_compute_ns,
	    .communication_ns, .memory_ns, .overlapped_ns' in > got
	[[ $(< got) = $'90\t30\t30\t30\t30\t12\t5' ]]
	rows hta_breakdown '.idle_pct, .compute_pct, .non_compute_pct,
	    .overlap_pct' in > got
	[[ $(< got) = $'33.3\t33.3\t33.3\t16.7' ]]
}

# ---- PyTorch ----

@test "torch_ops is key_averages of PyTorch: operators, annotations and calls" {
	for name in cuda12.4-h100-qwen-stacks-memory rocm6.2-mi250-steps \
	    torch-2.4-nccl-ddp torch-2022-steps; do
		extract $name
		# what no call in the trace has launched has no name
		rows torch_ops '.name, .calls, .self_cpu_ns, .cpu_total_ns,
		    .self_device_ns, .device_total_ns' $name.tq |
		    grep -v $'^\t' | sort > got
		# the golden tables count a call in a call of its name twice
		python3 "$top/tests/oracle/twins.py" < $name.tq > twins
		golden $name ops | awk -F '\t' -v OFS='\t' '
		    FILENAME == "twins" { twins[$1] = $2; next }
		    { $2 -= twins[$1]; print }' twins - | sort | diff got -
	done
}

# range ID EXT TS DUR NAME, call CORR TS DUR NAME, kernel TS DUR [KEY ...]
range() {
	echo '{"kind":"range","ts":'"$3"',"dur":'"$4"',"pid":1,"tid":1,"name":"'"$5"'","id":'"$1"',"mode":"push","ext":'"$2"',"domain":"torch"}'
}

call() {
	echo '{"kind":"api","ts":'"$2"',"dur":'"$3"',"pid":1,"tid":1,"corr":'"$1"',"name":"'"$4"'"}'
}

kernel() {
	echo '{"kind":"kernel","ts":'"$1"',"dur":'"$2"',"pid":1,"name":"k"'"${3:+,$3}"'}'
}

@test "torch_ops: device time goes by call, else by operator, else to no name" {
	{
		range 1 7 0 100 op
		range 2 8 10 50 op
		range 3 9 60 10 other
		call 5 20 10 launch
		call 5 22 5 inner
		call 6 200 10 launch
		kernel 300 40 '"corr":5,"ext":9'  # by its call
		kernel 340 2 '"corr":5,"ext":9'
		kernel 350 3 '"corr":6'           # of a call in no range
		kernel 360 5 '"corr":99,"ext":9'  # the call is missing
		kernel 370 6 '"ext":9'
		kernel 380 7 '"corr":98'
		kernel 390 8
		echo '{"kind":"range","ts":400,"dur":9,"pid":1,"tid":1,"name":"op","domain":"x"}'
	} | jq -sc 'sort_by(.ts, -.dur)[]' | stream > in
	rows torch_ops '.name, .calls, .self_cpu_ns, .cpu_total_ns,
	    .self_device_ns, .device_total_ns' in > got
	diff got - <<< $'op\t2\t80\t100\t42\t53
\t0\t0\t0\t15\t15
other\t1\t10\t10\t11\t11
launch\t2\t15\t20\t3\t3
inner\t1\t5\t5\t0\t0'
	# a section has ids of its own
	cat in in > two
	rows torch_ops '.name, .self_device_ns' two | head -n 2 > got
	diff got - <<< $'op\t84\n\t30'
	tq-stats --partial -r torch_ops in > part
	tq-stats --merge -f csv part part > merged
	tq-stats -f csv -r torch_ops two | cmp - merged
}

# nvtx ID TS DUR NAME: a range of emit_nvtx(), which has no domain
nvtx() {
	echo '{"kind":"range","ts":'"$2"',"dur":'"$3"',"pid":1,"tid":1,"name":"'"$4"'","id":'"$1"',"mode":"push"}'
}

@test "torch_ops: NVTX ranges of emit_nvtx are operators, those beside them annotations" {
	{
		nvtx 1 0 100 'train'
		nvtx 2 10 40 'aten::mm, seq = 3, op_id = 5'
		call 5 20 10 launch
		nvtx 3 60 20 'aten::mm, seq = 4, op_id = 6'
		nvtx 4 85 5 'my::op, op_id = 7, sizes = [[2, 3], []]'
		echo '{"kind":"range","ts":95,"dur":2,"pid":1,"tid":1,"name":"other","domain":"x"}'
		kernel 300 40 '"corr":5'
	} | jq -sc 'sort_by(.ts, -.dur)[]' | stream > in
	rows torch_ops '.name, .calls, .self_cpu_ns, .cpu_total_ns,
	    .self_device_ns, .device_total_ns, .type' in > got
	diff got - <<< $'aten::mm\t2\t50\t60\t40\t40\toperator
train\t1\t35\t100\t0\t40\tannotation
launch\t1\t10\t10\t0\t0\truntime call
my::op\t1\t5\t5\t0\t0\toperator'
	# without an operator they are no ranges of PyTorch
	{ nvtx 1 0 100 train; call 5 20 10 launch; } | stream > in
	rows torch_ops '.name, .type' in > got
	diff got - <<< $'launch\truntime call'
}

@test "torch_ops: an operation of a graph counts for the operator that was captured" {
	{
		range 1 7 0 100 step
		range 2 8 10 30 aten::mm
		call 5 20 10 launch
		call 6 50 10 graph
		call 9 200 10 graph
		kernel 300 40 '"corr":5'
		kernel 340 2 '"corr":6,"op_name":"aten::mm"'
		kernel 350 3 '"corr":6,"op_name":"aten::mm"'
		kernel 360 5 '"corr":6,"op_name":"my::op_7"'
		kernel 370 6 '"corr":6'                      # of no operator
		kernel 380 7 '"corr":9,"op_name":"my::op_8"' # of a call in no range
	} | jq -sc 'sort_by(.ts, -.dur)[]' | stream > in
	rows torch_ops '.name, .calls, .self_device_ns, .device_total_ns,
	    .replayed, .type' in > got
	diff got - <<< $'aten::mm\t1\t45\t45\t2\toperator
my::op_8\t0\t7\t7\t1\toperator
step\t1\t6\t56\t0\toperator
my::op_7\t0\t5\t5\t1\toperator
graph\t2\t0\t7\t0\truntime call
launch\t1\t0\t0\t0\truntime call'
	cat in in > two
	rows torch_ops '.name, .self_device_ns, .replayed' two | head -n 1 > got
	[[ $(< got) = $'aten::mm\t90\t4' ]]
	tq-stats --partial -r torch_ops in > part
	tq-stats --merge -f csv -r torch_ops part part |
	    cmp - <(tq-stats -f csv -r torch_ops two)
	rows torch_ops:folded '.name, .self_device_ns, .device_total_ns,
	    .replayed' in | grep my:: > got
	diff got - <<< $'my::op_*\t12\t12\t2'
}

@test "torch_ops:folded: names that differ in numbers are one row, counted once within itself" {
	{
		range 1 1 0 100 'layer 1'
		range 2 2 10 60 'layer 2'
		range 3 3 100 30 'layer 3'
		range 4 4 140 5 '/blocks.0/x'
		call 5 20 10 launch
		kernel 300 40 '"corr":5'
	} | jq -sc 'sort_by(.ts, -.dur)[]' | stream > in
	rows torch_ops:folded '.name, .calls, .self_cpu_ns, .cpu_total_ns,
	    .self_device_ns, .device_total_ns, .type' in > got
	diff got - <<< $'layer *\t3\t120\t130\t40\t40\toperator
launch\t1\t10\t10\t0\t0\truntime call
/blocks.0/x\t1\t5\t5\t0\t0\toperator'
	tq-stats -f csv -r torch_ops:folded in > whole
	tq-stats --partial -r torch_ops:folded in > part
	tq-stats --merge -f csv part | cmp - whole
}

@test "torch_ops: a call of the same time as a range is inside of it" {
	{ call 1 10 5 launch; range 1 1 10 5 op; kernel 20 3 '"corr":1'; } |
	    stream > in
	rows torch_ops '.name, .self_cpu_ns, .self_device_ns' in > got
	diff got - <<< $'op\t0\t3\nlaunch\t5\t0'
}

@test "torch_ops: the only call in a call of its name is a part of it, and not counted" {
	{
		range 1 1 0 100 sum
		range 2 2 10 80 sum
		range 3 3 20 60 sum
		range 4 4 200 100 sum
		range 5 5 210 20 sum
		range 6 6 240 20 sum
		range 7 7 400 100 sum
		range 8 8 410 20 sum
		call 1 440 5 launch
		kernel 450 40 '"corr":1,"ext":7'
	} | stream > in
	rows torch_ops '.name, .calls, .self_cpu_ns, .cpu_total_ns' in > got
	# three in a row are one; two in one are three, and so are those with a
	# call beside them
	diff got - <<< $'sum\t6\t295\t300\nlaunch\t1\t5\t5'
}

@test "torch_steps: the operations that were launched in a step, their union" {
	for name in rocm6.2-mi250-steps torch-1.9-memory; do
		extract $name
		tq-correlate -o c $name.tq
		rows torch_steps '.step, .pid, .tid, .start_ns, .duration_ns,
		    .gpu_ops, .gpu_busy_ns' c | diff - <(golden $name steps)
	done
	run -1 tq-stats -r torch_steps $name.tq
	[[ $output = "tq-stats: torch_steps: the stream did not go through \
tq-correlate" ]]
}

@test "torch_steps: steps of two threads share the operations of their process" {
	local k='"pid":1,"name":"k","api_ts"'

	stream '{"kind":"range","ts":0,"dur":100,"pid":1,"tid":1,"name":"ProfilerStep#1","depth":0}' \
	    '{"kind":"range","ts":10,"dur":20,"pid":1,"tid":2,"name":"ProfilerStep#1","depth":0}' \
	    '{"kind":"range","ts":20,"dur":20,"pid":1,"tid":2,"name":"ProfilerStep#x","depth":0}' \
	    '{"kind":"range","ts":20,"dur":20,"pid":1,"tid":2,"name":"ProfilerStep#99999999999999999999","depth":0}' \
	    '{"kind":"range","ts":40,"dur":20,"pid":2,"tid":2,"name":"ProfilerStep#7 x","depth":0}' \
	    '{"kind":"kernel","ts":50,"dur":9,'"$k"':5}' \
	    '{"kind":"kernel","ts":55,"dur":9,'"$k"':10,"device":1}' \
	    '{"kind":"kernel","ts":200,"dur":9,'"$k"':29}' \
	    '{"kind":"kernel","ts":210,"dur":9,'"$k"':30}' \
	    '{"kind":"kernel","ts":220,"dur":9,'"$k"':100}' > in
	rows torch_steps '.step, .pid, .tid, .gpu_ops, .gpu_busy_ns' in > got
	diff got - <<< $'1\t1\t1\t4\t32\n1\t1\t2\t2\t18\n7\t2\t2\t0\t0'
}

@test "torch_memory: what the allocator allocates, frees, and has at most" {
	for name in torch-1.9-memory cuda12.4-h100-qwen-stacks-memory; do
		extract $name
		# 0 where the allocator does not tell; its own total is the peak
		rows torch_memory '.device // "host", .allocs, .frees,
		    .allocated_b, .freed_b, .peak_b, .peak_start_ns,
		    .max_total_reserved_b // 0' $name.tq | sort > got
		golden $name memory | awk -F '\t' -v OFS='\t' '
		    $8 > 0 { $6 = $8 }
		    { print $1, $2, $3, $4, $5, $6, $7, $9 }' | sort | diff got -
	done
}

@test "memory_peak: what holds the memory at its peak, by range, and what was there before" {
	alloc() {
		echo '{"kind":"alloc","ts":'"$1"',"pid":1,"tid":'"${6:-1}"',"device":0,"bytes":'"$3"',"address":"0x'"$4"'","mem":"Device","op":"'"$2"'","args":{"Total Allocated":'"$5"'}}'
	}
	range() { echo '{"kind":"range","ts":'"$1"',"dur":'"$2"',"pid":1,"tid":1,"name":"'"$3"'"}'; }
	{
		range 0 50 outer
		range 1 9 'aten::a, op_id = 1'
		alloc 2 alloc 10 a 110
		alloc 3 alloc 20 b 130
		alloc 11 alloc 5 c 135
		range 20 5 'aten::a, op_id = 2'
		alloc 21 alloc 40 d 175
		alloc 22 free 10 a 165
		range 30 5 late
		alloc 31 alloc 3 e 168 # no peak
		alloc 60 free 40 d 128
		alloc 61 alloc 50 f 178 7 # the peak, on a thread without ranges
		alloc 62 free 20 b 158
		alloc 63 free 99 77 59 # allocated before
		alloc 64 alloc 1 a 60
	} | stream > in
	rows() { tq-stats -r memory_peak"$1" -f ndjson in | jq -r '"\(.held_b) \(.blocks) \(.holder) \(.peak_start_ns)"'; }
	[[ $(rows '') = '100 null (before the recording) 61
50 1 (no range) 61
20 1 aten::a 61
5 1 outer 61
3 1 late 61' ]]
	[[ $(rows :path | sed -n 3p) = '20 1 outer;aten::a 61' ]]
	[[ $(tq-stats -r alloc -f ndjson in | jq .peak_b) = 178 ]]
	# without addresses no free is of a range
	sed 's/"address":"[^"]*",//; s/,"args":{[^}]*}//' in > none
	[[ $(tq-stats -r memory_peak -f ndjson none | jq -r '.holder, .held_b' | paste -sd ' ') = \
	    "(no address) $(tq-stats -r alloc -f ndjson none | jq .peak_b)" ]]
	run -1 tq-stats -r memory_peak <(stream)
	[[ $output = *'nothing is allocated in the stream' ]]
}

@test "memory_peak: the rows of real recordings add up to the peak that alloc has" {
	data kineto/cuda12.4-h100-qwen-stacks-memory.json.zst
	for name in cuda12.4-h100-qwen-stacks-memory torch-1.9-memory; do
		tq-extract "$DATA/kineto/$name.json.zst" > in.tq
		for arg in '' :path; do
			diff <(tq-stats -r memory_peak$arg -f json in.tq |
			    jq '.reports[].rows | group_by(.device) | map(map(.held_b) | add) | sort') \
			    <(tq-stats -r alloc -f json in.tq | jq '.reports[].rows | map(.peak_b) | sort')
		done
	done
	[[ $(tq-extract "$data" | tq-stats -r memory_peak -f ndjson |
	    jq -r 'select(.device == 0) | "\(.held_b) \(.holder)"' | head -n 2) = \
	    '984742400 (before the recording)
476250112 torch:aten::add' ]]
}

@test "alloc, torch_memory: one peak, with what was allocated before, where the allocator tells" {
	alloc() {
		echo '{"kind":"alloc","ts":'"$1"',"pid":1,"device":0,"bytes":'"$3"',"address":"0x'"$4"'","mem":"Device","op":"'"$2"'","pool":"torch","args":{"Total Allocated":'"$5"'}}'
	}
	{
		alloc 1 alloc 10 a 110
		alloc 2 free 60 b 50
		alloc 3 alloc 70 c 120
		alloc 4 free 70 c 50
	} | stream > in
	rows torch_memory '.peak_b, .peak_start_ns, .last_b, .held_before_b' \
	    in > got
	diff got - <<< $'120\t3\t50\t100'
	# a free of what was never seen allocated has no size in alloc
	rows alloc '.peak_b, .peak_start_ns, .held_before_b' in > got
	diff got - <<< $'120\t3\t100'
}

@test "torch_memory: the sum may begin below 0, and is that of a section" {
	alloc() {
		echo '{"kind":"alloc","ts":'"$1"',"pid":1,"device":0,"bytes":'"$3"',"mem":"Device","op":"'"$2"'","pool":"'"${4-torch}"'"}'
	}
	{ alloc 1 free 10; alloc 2 alloc 4; alloc 3 alloc 9; alloc 4 alloc 5 x
	} | stream > in
	rows torch_memory '.allocs, .frees, .peak_b, .peak_start_ns, .last_b' \
	    in > got
	diff got - <<< $'2\t1\t3\t3\t3'
	rows torch_memory .last_b <(cat in in) > got
	diff got - <<< $'3\n3'
	run -1 tq-stats -r torch_memory <(alloc 1 alloc 1 x | stream)
}

@test "torch_collectives: kernels, time and bytes by collective, group and type" {
	extract torch-2.4-nccl-ddp
	rows torch_collectives '.collective, .group, .group_size, .type,
	    .kernels, .total_ns, .in_b, .out_b' torch-2.4-nccl-ddp.tq | sort |
	    diff - <(golden torch-2.4-nccl-ddp collectives | sort)
	tq-stats --partial -r torch_collectives torch-2.4-nccl-ddp.tq > part
	tq-stats --merge -f csv part > merged
	tq-stats -f csv -r torch_collectives torch-2.4-nccl-ddp.tq |
	    cmp - merged
}

@test "torch_collectives: bandwidth is of the larger side; args may be anything" {
	coll() {
		echo '{"kind":"kernel","ts":'"$1"',"dur":100,"pid":1,"name":"k","args":{"Collective name":"'"$2"'"'"${3:+,$3}"'}}'
	}
	{
		coll 1 gather '"In msg nelems":"2","Out msg nelems":8,"dtype":"Half","Process Group Name":"0","Process Group Description":""'
		coll 2 x '"In msg nelems":-2,"Out msg nelems":[],"dtype":"Half","Group size":"8"'
		coll 3 y '"In msg nelems":9223372036854775807,"dtype":"Double"'
		coll 4 z '"In msg nelems":7,"dtype":"Odd"'
		kernel 5 9 '"args":{"dtype":"Half"}'
	} | stream > in
	rows torch_collectives '.collective, .group, .group_size, .type, .in_b,
	    .out_b, .algorithm_bandwidth_b_per_s |
	    if type == "number" and . > 1e18 then "much" else . end' in \
	    > got 2> err
	diff got - <<< $'gather\t0\t\tHalf\t4\t16\t160000000
x\t\t8\tHalf\t0\t0\t0
y\t\t\tDouble\tmuch\t0\tmuch
z\t\t\tOdd\t0\t0\t0'
	grep 'a sum is 2^63 - 1 or more' err
}

# ---- stacks of Python ----

# py TS DUR NAME ID PARENT [TID]
py() {
	echo '{"kind":"range","ts":'"$1"',"dur":'"$2"',"pid":1,"tid":'"${6-0}"',"name":"'"$3"'","domain":"python","category":"python_function","args":{"Python parent id":'"$5"',"Python id":'"$4"'}}'
}

@test "folded:python: by the ids of calls, not by their times" {
	{
		py 0 100 main.py:1 1 null
		py 5 50 other 2 99      # its caller is not in the trace
		py 10 40 'f;g' 3 1      # crosses other
		py 20 70 h 4 1
		py 25 5 'f;g' 5 4
		py 31 9 k 6 4
		echo '{"kind":"range","ts":40,"dur":3,"pid":1,"tid":0,"name":"x","domain":"python"}'
		echo '{"kind":"range","ts":50,"dur":3,"pid":1,"tid":0,"name":"y","category":"python_function"}'
	} | stream > in
	run -0 tq-stats -r folded:python in
	[[ $output = 'main.py:1;f:g 40
main.py:1;h 56
main.py:1;h;f:g 5
main.py:1;h;k 9
other 50
y 3' ]]
	run -1 tq-stats -r folded:python <(stream < /dev/null)
	[[ $output = "tq-stats: folded: no function of Python in the stream" ]]
}

@test "folded:python: the real stacks, by another program" {
	for name in cuda12.4-h100-qwen-stacks-memory \
	    cuda12.9-b200-eager-overhead rocm7-vllm-graph; do
		extract $name
		tq-stats -r folded:python $name.tq | LC_ALL=C sort > got
		oracle self python $name.tq | LC_ALL=C sort | cmp - got
	done
}

# ---- from an export ----

@test "tq stats makes these reports of the files themselves" {
	local name reports=hta_breakdown,hta_idle,torch_ops,torch_steps

	reports+=,torch_memory,torch_collectives,folded:python
	reports+=,top,top_kernels,busy,kernels_summary
	for name in cuda12.4-h100-qwen-stacks-memory torch-2.4-nccl-ddp; do
		extract $name
		tq-correlate -o c $name.tq
		for report in ${reports//,/ }; do
			tq-stats -q -r $report c > want || true
			tq stats -q -r $report "$data" 2> /dev/null |
			    diff want - > wrong || {
				echo "$name: $report"
				head -n 3 wrong
				return 1
			}
		done
	done
	tq-stats --help-reports > list
	for report in ${reports//,/ }; do
		grep "^  ${report%:*} " list
	done
}
