#!/usr/bin/env bats
# tq-stats, names for people: ranges whose names are folded, against regular
# expressions that say what is folded; kernels whose names are shortened, against
# the prototype of the design.

load helper

# the prototype, which is not part of the project
PROTOTYPE=${PROTOTYPE:-$top/../shared/prototypes/names.py}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# ranges NAME ...: each a push/pop range of 1 ns, after 10 ns
ranges() {
	local name ts=0

	for name; do
		echo '{"kind":"range","ts":'$((ts += 10))',"dur":1,"pid":1,'`
		    `'"tid":1,"mode":"push","name":"'"$name"'"}'
	done | stream
}

# folded [OPTION ...] FILE: name and number of the rows of nvtx_sum:folded
folded() {
	tq-stats -f json1 -r nvtx_sum:folded "$@" |
	    jq -r '.[] | "\(.Range) \(.Instances)"' | sort
}

# style, name, number and total of each row of nvtx_sum REPORT FILE
rows() {
	tq-stats -f json1 -r "$1" "$2" | jq -r '.[] |
	    [.Style, .Range, .Instances, ."Total Time (ns)"] | @tsv' | sort
}

@test "nvtx_sum:folded: the arguments that PyTorch adds to a name go" {
	ranges 'aten::mm, op_id = 3, sizes = [[2, 3], []]' 'aten::mm' \
	    'aten::mm, seq = 17, op_id = 4, sizes = [[]]' \
	    'aten::mm input_op_ids=[(1,0), (2,[3,[4]])]' \
	    'aten::mm, sizes = [[2, 3' 'aten::mm, sequence = 3' > in
	[[ $(folded in) = $'aten::mm 5\naten::mm, sequence = 3 1' ]]
	ranges 'f(0x7f00ab12)' 'f(0x7f00ab13)' 'g(0xab)' > in
	[[ $(folded in) = $'f(0x*) 2\ng(0xab) 1' ]]
}

@test "numbers that stand alone, or count steps and the like, are folded" {
	ranges {'Step 0 to 1','Step 1 to 2'} {'Iter#7 of 5.5','Iter#8 of 6.5'} \
	    {layer1.bias,layer2.bias} {x_1_y,x_2_y} {conv2d,conv3d} \
	    {AllToAll4D,AllToAll8D} {3D_backbone,4D_backbone} \
	    {a.microbatch3,a.microbatch4} {upstep3,upstep4} > in
	diff - <(folded in) <<'END'
3D_backbone 1
4D_backbone 1
AllToAll4D 1
AllToAll8D 1
Iter#* of * 2
Step * to * 2
a.microbatch* 2
conv2d 1
conv3d 1
layer*.bias 2
upstep3 1
upstep4 1
x_*_y 2
END
}

@test "names with many instances each are identities, and stay apart" {
	local i

	# two names of five instances, then nine of eight, then nine of nine
	ranges $(for i in {1..5}; do echo /blocks.{0,1}/mlp; done) > in
	[[ $(folded in) = $'/blocks.0/mlp 5\n/blocks.1/mlp 5' ]]
	ranges $(for i in {1..8}; do echo /blocks.{0..8}/mlp; done) > in
	[[ $(folded in) = '/blocks.*/mlp 72' ]]
	ranges $(for i in {1..9}; do echo /blocks.{0..8}/mlp; done) > in
	(($(folded in | grep -c ' 9$') == 9))
	# whatever their instances, more than 64 names are one row
	ranges $(for i in {1..9}; do echo /blocks.{0..64}/mlp; done) > in
	[[ $(folded in) = '/blocks.*/mlp 585' ]]
	ranges $(for i in {1..9}; do echo /blocks.{0..63}/mlp; done) > in
	(($(folded in | grep -c ' 9$') == 64))
}

@test "the ranges of a row are busy once where they overlap" {
	{
		echo '{"kind":"range","ts":0,"dur":10,"pid":1,"tid":1,"name":"step 1"}'
		echo '{"kind":"range","ts":5,"dur":10,"pid":1,"tid":2,"name":"step 2"}'
		echo '{"kind":"range","ts":12,"open":true,"pid":1,"tid":3,"name":"step 3"}'
		echo '{"kind":"mark","ts":40,"pid":1,"tid":1,"name":"m"}'
	} | stream > in
	tq-stats -f json1 -r nvtx_sum:folded:pct in > got
	[[ $(jq -c '.[] | [.Range, .Instances, ."Total Time (ns)",
	    ."Busy (ns)"]' got) = '["step *",3,48,40]' ]]
}

@test "nvtx_gpu_proj_sum:folded and nvtx_kern_sum:folded: as of a stream with folded names" {
	local report

	cp "$(correlated demo)" demo.tq
	# a number that counts: three steps of each rank
	sed -E '/"kind":"(range|gpu-range)"/s/"name":"step [0-9]+"/"name":"step *"/' \
	    demo.tq > want.tq
	sed -E '/"kind":"(range|gpu-range)"/s/("name":"[^"]*)"(.*"(id|range)":([0-9]+))/\1, op_id = \4"\2/' \
	    demo.tq > args.tq
	grep -q '"name":"forward, op_id = ' args.tq
	for report in nvtx_gpu_proj_sum nvtx_kern_sum; do
		tq-stats -f csv -r $report want.tq | sort > want
		tq-stats -f csv -r $report:folded demo.tq | sort | diff want -
		(($(wc -l < want) < $(tq-stats -f csv -r $report demo.tq | wc -l)))
		# in parts, and with what PyTorch adds
		tq-stats --partial -r $report:folded demo.tq |
		    tq-stats --merge -f csv -r $report:folded | sort | diff want -
		tq-stats -f csv -r $report demo.tq | sort > plain
		tq-stats -f csv -r $report args.tq | wc -l > rows
		(($(< rows) > $(wc -l < plain)))
		tq-stats -f csv -r $report:folded:pct args.tq > /dev/null
		[[ $(tq-stats -f csv -r $report:folded args.tq) != *op_id* ]]
	done
	[[ $(tq-stats -r nvtx_gpu_proj_sum --top 2 args.tq | tail -n 1) = \
	    *' more; names that differ in numbers as one row: -r nvtx_gpu_proj_sum:folded' ]]
	[[ $(tq-stats -r nvtx_kern_sum --top 2 args.tq | tail -n 1) = *' -r nvtx_kern_sum:folded' ]]
	[[ $(tq-stats -r nvtx_kern_sum --top 2 demo.tq | tail -n 1) != *:folded* ]]
	# a stream without what tq-correlate adds says so
	run -1 tq-stats -r nvtx_kern_sum:folded "$(extracted demo)"
	[[ $output = *'did not go through tq-correlate' ]]
}

@test "-g range:name and range:folded are the names of ranges, whose key is a number" {
	{
		for i in 1 2 3 4; do
			echo '{"kind":"range","ts":'$i'0,"dur":9,"pid":1,"tid":1,"id":'$i',"name":"aten::mm, op_id = '$i'"}'
			echo '{"kind":"kernel","ts":'$i'1,"dur":'$i',"pid":1,"device":0,"api_name":"step '$i'","range":'$i',"name":"k"}'
		done
		echo '{"kind":"kernel","ts":60,"dur":7,"pid":1,"device":0,"range":77,"name":"k"}'
	} | stream > in
	of_kernels() { tq-stats -f csv -g "kind,$1" "${@:2}" | grep kernel | cut -d, -f 2,9-; }
	[[ $(of_kernels range:folded in) = '10,kernel,aten::mm
7,kernel,77' ]]
	[[ $(of_kernels range:name in | tail -1) = '1,kernel,"aten::mm, op_id = 1"' ]]
	[[ $(of_kernels range in | tail -1) = 1,kernel,1 ]]
	[[ $(of_kernels api_name:folded in | wc -l) = 2 ]]
	# ids are of their section, and parts name their keys
	cat in in > twice
	[[ $(of_kernels range:folded twice) = '20,kernel,aten::mm
14,kernel,77' ]]
	tq-stats --partial -g kind,range:folded in > part
	[[ $(grep -o '"group":"[^"]*"' part) = '"group":"kind,range:folded"' ]]
	[[ $(of_kernels range:folded --merge part) = "$(of_kernels range:folded in)" ]]
	# where names are numbers, the table says how they are one row
	[[ $(tq-stats -g range:name --top 1 in | tail -1) = *' more; names that differ in numbers as one row: -g range:folded' ]]
	[[ $(tq-stats -g kind,range --top 1 in | tail -1) = *' -g kind,range:folded' ]]
	for key in dur:folded kind:name range:bar :folded; do
		run -2 tq-stats -g $key in
		[[ $output = "tq-stats: '$key' is no key of a record"* ]]
	done
}

@test "-g name:folded folds the names of any records" {
	{
		ranges 'step 1' 'step 2' | sed 1d | sed \$d
		echo '{"kind":"osrt","ts":99,"dur":4,"pid":1,"tid":1,"name":"read 3"}'
	} | stream > in
	[[ $(tq-stats -f csv -g kind,name:folded in | sed 1d | cut -d, -f 2,3,9-) = \
	    $'4,1,osrt,read 3\n2,2,range,step *' ]]
	[[ $(tq-stats -f csv -g name:folded in | sed -n 1p | cut -d, -f 9-) = name ]]
	run -2 tq-stats -g pid:folded in
	[[ $output = "tq-stats: 'pid:folded' is no key of a record"* ]]
}

@test "parts of a stream that are merged fold as the whole does" {
	local i report

	ranges step\ {1..9} $(for i in {1..9}; do echo blk.{0..64} b.{0..3}; done) > all
	sed '1d; $d; 302,$d' all | stream > a
	sed '1,301d; $d' all | stream > b
	for report in '-r nvtx_sum:folded:pct' '-g name:folded,kind' \
	    '-r nvtx_pushpop_sum:folded --approx'; do
		tq-stats --partial $report a > a.part
		tq-stats --partial $report b > b.part
		tq-stats --merge -f csv a.part b.part > got 2> err
		tq-stats -f csv $report all > want 2> err
		(($(wc -l < want) == 7))
		# but for shares of the wall, which has two parts
		diff <(cut -d, -f 1-14,17- want) <(cut -d, -f 1-14,17- got)
	done
}

@test "the ranges of the page are folded, and nvtx_sum has nsys's names" {
	ranges aten::to,\ op_id\ =\ {1..20} > in
	[[ $(tq-stats in) = *' 20 '*'  aten::to'$'\n'* ]]
	[[ $(tq-stats -f csv -r nvtx_sum in | wc -l) = 21 ]]
}

@test "2026.2.1-mfu-2gpu: 18,499 rows of nvtx_sum become 61" {
	local file

	data nsys/2026.2.1-mfu-2gpu.sqlite
	file=$(extracted 2026.2.1-mfu-2gpu)
	(($(rows nvtx_sum "$file" | wc -l) == 18499))
	(($(rows nvtx_sum:folded "$file" | wc -l) == 61))
}

@test "real exports: nvtx_sum:folded is nvtx_sum, folded by expressions" {
	local name file

	need data python3
	for name in "${EXPORTS[@]}" "${SYNTHETIC[@]}"; do
		echo "# $name"
		file=$(extracted "$name")
		tq-stats -q -f json1 -r nvtx_sum "$file" > sum || continue
		python3 "$top/tests/oracle/fold.py" < sum > want
		diff <(sort want) <(rows nvtx_sum:folded "$file")
	done
}

# ---- kernels ----

# kernels NAME ...: each a kernel of 1 us, after 10 us
kernels() {
	local name ts=0

	for name; do
		echo '{"kind":"kernel","ts":'$((ts += 10000))',"dur":1000,'`
		    `'"pid":1,"device":0,"name":"'"$name"'"}'
	done | stream
}

# page COLUMNS FILE: the names of the kernels on a page on a terminal
page() {
	script -qec "stty cols $1; tq-stats --color=never $2" /dev/null \
	    < /dev/null |
	    tr -d '\r' | awk '
	/^[A-Z]/ { here = /^KERNELS/ }
	here && /^ *[0-9]/' | sed 's/.*  //' | sort
}

@test "on a terminal the page shortens names of kernels, which stay different" {
	local functor='void at::elementwise_kernel<(int)128, at::MulFunctor'

	need script
	kernels "$functor<float>>(int)" "$functor<double>>(int)" \
	    'void a::f<(int)3>(int)' 'void b::g<x>(T1)' 'void c::g<x>(T1)' > in
	[[ $(page 200 in | paste -sd ' ') = 'elementwise_kernel<Mul,f32> '`
	    `'elementwise_kernel<Mul,f64> f<3> g<x>~1 g<x>~2' ]]
	sed 's/elementwise_kernel/vectorized_and_unrolled_&/' in > long
	page 60 long > narrow
	(($(wc -L < narrow) == 42 && $(sort -u narrow | wc -l) == 5))
	[[ $(< narrow) = *'vectorized_and_unrolled_elementw…<Mul,f32>'* ]]
	# where a machine reads it, names are whole
	[[ $(tq-stats -f csv in) = *"$functor<float>>(int)"* ]]
}

@test "a table of a report has whole names where they fit a terminal, else short ones that stay different" {
	local functor='void at::elementwise_kernel<(int)128, at::MulFunctor' width file

	need script
	# table COLUMNS FILE: the names of its kernels
	table() {
		script -qec "stty cols $1; tq-stats --color=never -r cuda_gpu_kern_sum $2" \
		    /dev/null < /dev/null | tr -d '\r' |
		    awk '/^ *[0-9]/ { print }' | sed 's/.*[mun]\{0,1\}s  //'
	}
	kernels "$functor<float>>(int)" "$functor<double>>(int)" > in
	[[ $(table 200 in | sort) = "$functor<double>>(int)
$functor<float>>(int)" ]]
	[[ $(table 90 in | sort -u | wc -l) == 2 ]]
	need data
	for file in "$DATA/nsys/2026.2.1-mfu-2gpu.sqlite" \
	    "$DATA/nsys/2024.6.2-torch-2.7b.sqlite"; do
		[[ -e $file ]] || continue
		tq-extract -k kernel -o all "$file" 2> /dev/null
		for width in 60 80 120 160 200; do
			table $width all > names
			(($(wc -l < names) > 2))
			[[ $(sort names | uniq -d) = '' ]]
		done
	done
}

@test "ranges whose names differ in the middle alone look different in every width" {
	local layer=TensorRT:/backbone/stage.0/block.2/attention

	need script
	ranges "$layer/query/MatMul_and_Softmax_and_Projection" \
	    "$layer/value/MatMul_and_Softmax_and_Projection" \
	    "$layer/gate/MatMul_and_Softmax_and_Projection" | tq-correlate > in
	for width in 60 80 120; do
		for report in nvtx_sum key_averages overview; do
			script -qec "stty cols $width; tq-stats --no-pager --color=never -r $report in" \
			    /dev/null < /dev/null | grep -o 'Tens[^ ]*' > names
			(($(sort -u names | wc -l) == 3))
		done
	done
}

@test "real recordings: no two different names look alike in a table of a report in 80 columns" {
	local file reports

	need data python3
	# those that have no columns, and those that are read from other files
	mapfile -t reports < <(tq-stats --help-reports |
	    sed -n 's/^  \([a-z_]*\) .*/\1/p' |
	    grep -vx 'folded\|group\|hist\|next\|overview\|pstats')
	for file in nsys/{2026.2.1-mfu-2gpu,2024.5.1-cloverleaf,2022.4.2-nvtx-domains}.sqlite \
	    kineto/torch-2.4-nccl-ddp.json.zst \
	    rocpd/mi300x-2025-12-11-bmm.db.zst; do
		data "$file"
		tq-extract "$data" 2> /dev/null | tq-correlate -o in 2> /dev/null
		python3 "$top/tests/properties/names_apart.py" \
		    "$(command -v tq-stats)" 80 in "${reports[@]}" > said
		grep -vx '[1-9][0-9]* tables' said && return 1
	done
	return 0
}

@test "real exports: short names of kernels are those of the prototype" {
	local name width

	need data python3
	[[ -e $PROTOTYPE ]] || skip "no names.py in PROTOTYPE"
	[[ -x $BUILD/unit/short_names ]] || skip "the unit tests are not built"
	for name in "${EXPORTS[@]}"; do
		echo "# $name"
		jq -r 'select(.kind == "symbol") | .demangled // .name' \
		    "$(extracted "$name")" | awk '!seen[$0]++' > names
		for width in 30 50; do
			PYTHONPATH=${PROTOTYPE%/*} python3 -Bc '
import sys, names
all = sys.stdin.read().splitlines()
short = names.shorten_all(all, int(sys.argv[1]))
sys.stdout.writelines(short[name] + "\n" for name in all)' $width < names > want
			"$BUILD/unit/short_names" $width < names > got
			diff want got
		done
	done
}
