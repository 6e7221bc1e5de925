#!/usr/bin/env bats
# tq-stats -r serve: the steps of inference servers

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# step TS DUR NAME [KEYS]: a range of thread 1
step() {
	printf '{"kind":"range","ts":%d,"dur":%d,"pid":1,"tid":1,"name":"%s","depth":0%s}\n' "$@" ""
}

# kernel TS DUR CALL NAME [KEYS]: of thread 1, launched at CALL
kernel() {
	printf '{"kind":"kernel","ts":%d,"dur":%d,"pid":1,"tid":1,"name":"%s","device":0,"api_ts":%d,"api_name":"cudaLaunchKernel"%s}\n' \
	    "$1" "$2" "$4" "$3" "${5-}"
}

# rows REPORT FIELDS: of the file in; an empty cell is "-"
rows() {
	tq-stats -f json1 --plain-keys -r "$1" in |
	    jq -r ".[] | [$2] | map(if . == null then \"-\" else . end) | @tsv"
}

# counts NAME: engine, class, requests, tokens of prefill, of decode, of both
counts() {
	step 0 10 "$1" | stream > in
	rows serve:each '.engine, .class, .requests, .ctx_tokens, .gen_tokens, .tokens' | tr '\t' ' '
}

@test "names of steps of all servers are read, and what they lack is empty" {
	while IFS='|' read -r name want; do
		got=$(counts "$name")
		[ "$got" = "$want" ] || { echo "$name: $got"; return 1; }
	done <<- 'EOF'
		execute_new_2_cached_30|vllm mixed 32 - - -
		execute_new_0_cached_30|vllm decode 30 0 - -
		execute_new_2_cached_0|vllm prefill 2 - 0 -
		execute_new_0_cached_0|vllm idle 0 - - -
		execute_context_2(6144)_generation_3(3)|vllm mixed 5 6144 3 6147
		execute_8192_context_9(sq8155sk8430sqsq1sqsk2)_generation_37(sq37sk1sqsq1sqsk2)|vllm mixed 46 8155 37 8192
		decode_batch|vllm decode - 0 - -
		step[EXTEND bs=15 toks=15360]|sglang prefill 15 15360 0 15360
		step[DECODE bs=32]|sglang decode 32 0 32 32
		step[DECODE bs=32 g_sqsq=1 g_sqsk=2 g_sk=3]|sglang decode 32 0 32 32
		step[MIXED bs=6]|sglang mixed 6 - - -
		step[MIXED bs=6 c=2 g=4 c_sq=99 c_sk=99 c_sqsq=1 c_sqsk=1 g_sq=4 g_sk=9]|sglang mixed 6 99 4 103
		step[mixed bs=6 ext=99 dec=4]|sglang mixed 6 99 4 103
		step[TARGET_VERIFY bs=4]|sglang verify 4 - - -
		step[idle]|sglang idle 0 0 0 0
		[Executor] _forward_step: 1 ctx reqs, 30 gen reqs|trtllm mixed 31 - - -
		[Executor] _forward_step 12: 0 ctx reqs, 30 gen reqs|trtllm decode 30 0 - -
		[Executor] _forward_step 12: 1 ctx reqs, 512 ctx tokens, 30 gen reqs|trtllm mixed 31 512 - -
		prefill[bs=2 tok=14721 ctx=[1, 2]]|atom prefill 2 14721 0 14721
		decode[bs=117/128 tok=117 d=117]|atom decode 117 0 117 117
		execute_diffusion_1_256x256|diffusion denoise 1 - - -
	EOF
	[ "$(counts capture_32_FULL)" = "" ]
	[ "$(counts "execute_new_99999999999999999999_cached_3")" = "vllm decode - 0 - -" ]
}

@test "a step owns what its thread launches until the next begins" {
	{
		step 0 100 'step[DECODE bs=2]'
		kernel 200 50 10 flash_fwd
		kernel 240 20 150 argmax
		step 300 100 'step[DECODE bs=2]'
		kernel 320 10 299 gemm_x
		kernel 420 30 310 gemm_x
		kernel 500 10 450 triton_poi_fused
		kernel 700 10 600 nccl
		step 800 10 'step[EXTEND bs=1 toks=8]'
	} | stream > in
	rows serve:each '.class, .ops, .late_ops, .span_ns, .busy_ns, .gap_ns' > got
	diff got - <<< $'decode\t3\t2\t130\t70\t-
decode\t3\t2\t290\t50\t90
prefill\t0\t0\t-\t-\t-'
	# behind the last step of a thread it is its own duration
	sed -i '$d' in
	sed -i '/EXTEND/d' in
	rows serve:each '.ops' > got
	diff got - <<< $'3\n2'
}

@test "rows are of classes, with their sum, and of batches" {
	{
		step 0 10 'step[DECODE bs=2]'
		kernel 20 10 5 flash_fwd
		step 40 10 'step[DECODE bs=4]'
		kernel 60 30 45 gemm
		step 100 10 'step[EXTEND bs=1 toks=100]'
		kernel 120 60 105 fused_moe
	} | stream > in
	rows serve '.class, .steps, .requests, .tokens, .span_ns, .gap_ns, .med_ns, .p99_ns, .time_per_token_ns' > got
	diff got - <<< $'prefill\t1\t1\t100\t60\t30\t60\t60\t0.6
decode\t2\t6\t6\t40\t30\t10\t30\t6.7
all\t3\t7\t106\t100\t60\t30\t60\t0.9'
	rows serve:batch '.class, .batch, .steps' > got
	diff got - <<< $'prefill\t1\t1\ndecode\t2\t1\ndecode\t4\t1\nall\t-\t3'
	rows serve '.attention_pct, .gemm_pct, .moe_pct' | head -1 > got
	jq -Re '[splits("\t") | tonumber] == [0, 0, 100]' got
}

@test "nested names are one step: SGLang's, with the numbers of both" {
	{
		step 0 100 'execute_context_0(0)_generation_32(32)'
		step 10 50 'step[DECODE bs=32]'
		kernel 200 50 20 k
	} | stream > in
	rows serve:each '.engine, .class, .requests, .tokens, .ops' > got
	diff got - <<< $'sglang\tdecode\t32\t32\t1'
}

@test "the operator of an operation of a graph says what it is for" {
	{
		step 0 100 'step[DECODE bs=2]'
		kernel 200 10 20 triton_poi_fused ',"graph_node":7,"op_name":"vllm::unified_attention","proof":"node"'
		kernel 210 30 20 triton_poi_fused
		kernel 240 10 20 x ',"op_name":"aten::mm"'
	} | stream > in
	rows serve '.attention_pct, .norm_and_act_pct, .other_pct, .in_graphs_pct' > got
	jq -Re '[splits("\t") | tonumber] == [20, 60, 20, 33.3]' got
}

@test "rules of a file replace the built-in ones; wrong ones are refused" {
	printf '# own\nmine\tstep\t^forward (?<bs>\\d+)$\nsampling\tabc\n' > rules
	{
		step 0 100 'forward 7'
		kernel 200 10 20 xABCx
		step 300 100 'step[DECODE bs=2]'
	} | stream > in
	tq-stats -f json1 --plain-keys --serve-rules rules -r serve in |
	    jq -e 'map([.engine, .requests, .sampling_pct]) == [["mine", 7, 100]]'
	[[ $(tq-stats -f json1 -r serve in | jq length) = 1 ]]
	printf 'mine\tstop\tx\n' > bad
	run -2 tq-stats --serve-rules bad -r serve in
	[[ $output = "tq-stats: bad:1: expected step, denoise or ignore, not 'stop'" ]]
	printf '\n\nmoo\tx\n' > bad
	run -2 tq-stats --serve-rules bad -r serve in
	[[ $output = "tq-stats: bad:3: expected one of attention gemm moe comm norm-act sampling copy other, not 'moo'" ]]
	printf 'moe\t(\n' > bad
	run -2 tq-stats --serve-rules bad -r serve in
	[[ $output = "tq-stats: bad:1: a ( is not closed" ]]
	echo moe > bad
	run -2 tq-stats --serve-rules bad -r serve in
	[[ $output = "tq-stats: bad:1: expected columns with tabs between" ]]
	run -1 tq-stats --serve-rules none -r serve in
}

@test "without steps, and of requests, the report says why it is empty" {
	{
		step 0 100 'forward 7'
		kernel 200 10 20 x
	} | stream > in
	run -1 tq-stats -r serve in
	[[ $output = *"no steps of vLLM, SGLang, TensorRT-LLM or ATOM in the stream; --serve-rules FILE adds rules"* ]]
	{
		step 0 100 'step[DECODE bs=2]'
		kernel 200 10 20 x
	} | stream > in
	run -1 tq-stats -r serve:requests in
	[[ $output = *"no range of these servers names its requests"* ]]
}

@test "the page leads with the steps of a server, and has no such table without" {
	{
		step 0 10 'step[DECODE bs=2]'
		kernel 20 10 5 flash_fwd
		step 40 10 'step[DECODE bs=4]'
		kernel 60 30 45 gemm
		step 100 10 'step[MIXED bs=3]'
		kernel 120 60 105 fused_moe
	} | stream > in
	tq-stats in > page
	# before all other tables
	[[ $(grep '^[A-Z][A-Z]' page | head -1) = "SERVING STEPS  of 3 steps" ]]
	grep -A 3 '^SERVING' page > got
	[[ $(sed -n 3p got | tr -s ' ') = *"60 ns 1 60 ns 30 ns mixed sglang: MoE 100.0 %" ]]
	[[ $(sed -n 4p got | tr -s ' ') = *"40 ns 2 10 ns 30 ns 6 6 ns decode sglang: GEMM 75.0 %, Attention 25.0 %" ]]
	tq-stats -f html in | grep -qi 'serving steps'
	grep -v step in > without
	run ! grep SERVING <(tq-stats without 2> /dev/null)
}

@test "tq-filter --step serve:CLASS selects what steps of a class launched" {
	{
		step 0 100 'step[DECODE bs=2]'
		kernel 120 10 20 a ',"corr":1'
		step 200 100 'step[EXTEND bs=1 toks=8]'
		kernel 320 10 220 b ',"corr":2'
		step 400 100 'step[DECODE bs=2]'
		kernel 520 10 420 c ',"corr":3'
	} | stream > in
	names() {
		tq-filter -k kernel --only "$@" in | jq -r .name | xargs
	}
	[ "$(names --step serve:decode)" = "a c" ]
	[ "$(names --step serve:decode/1)" = "c" ]
	[ "$(names --step serve:prefill)" = "b" ]
	[ "$(names --step serve:all)" = "a b c" ]
	run -2 tq-filter --step serve:decoded in
	[[ $output = *"expected all, prefill, decode, mixed"* ]]
}

@test "steps of several parts are those of one stream" {
	local reports=serve,serve:each,serve:batch n

	for n in 1 2 3; do
		{
			step 0 100 "step[DECODE bs=$n]"
			kernel 10 $((60 * n)) 5 gemm
			step 200 100 "step[DECODE bs=3]"
			kernel 210 30 205 gemm
			step 400 50 "step[EXTEND bs=1 toks=7]"
			kernel 410 20 405 attention_kernel
		} | stream > in-$n
		tq-stats --partial -r $reports in-$n > part-$n
	done
	cat in-? > in
	tq-stats -f json1 -r $reports in > whole
	tq-stats -f json1 --merge part-? | cmp whole
	jq -e '[.serve[].Steps] == [3, 6, 9]' whole
	tq-stats --merge --partial part-1 part-2 > a
	tq-stats -f json1 --merge a part-3 | cmp whole
	run -1 tq-stats --merge <(sed 's/"decode"/"dozing"/' part-1)
	[[ $output == *": a row is not as the columns have it" ]]
}
