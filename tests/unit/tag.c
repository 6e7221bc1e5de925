/* tag.c - the categories of kernels, and the rules that say so */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "change/tag.h"
#include "check.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* ---- a kernel and its symbol ---- */

struct symbol {
	const char *demangled;
	int asked; /* how often */
};

static bool
find_symbol(void *arg, int64_t sym, bool mangled, struct span *name)
{
	struct symbol *s = arg;

	(void)sym;
	s->asked++;
	if (mangled || s->demangled == NULL)
		return false;
	*name = span_of(s->demangled);
	return true;
}

/* the category, as JSON, that t gives to a record of that kind, or "" */
static struct span
tag_record(struct tag *t, struct symbol *s, const char *kind, const char *more,
    const char *name)
{
	const struct expr_symbols symbols = {find_symbol, s};
	struct event ev = {0};
	struct edit edit = {0};
	struct text line = {0};
	const char *error = NULL;

	text_printf(&line, "{\"kind\":\"%s\",\"name\":", kind);
	text_add_json(&line, name, strlen(name));
	text_printf(&line, "%s}", more);
	text_reserve(&line, EVENT_PADDING);
	CHECK(event_parse(&ev, text_span(&line), NULL), "%s", shown(ev.error));
	tag_apply(t, &ev, &symbols, &edit, &error);
	CHECK(error == NULL, "%s: %s", name, shown(error));
	text_free(&line);
	event_free(&ev);
	return keyset_has(&edit.set, KEY_category) ? edit.value[KEY_category]
						   : SPAN("");
}

static bool
is_category(struct span json, const char *category)
{
	if (category == NULL || json.len == 0)
		return category == NULL && json.len == 0;
	return span_eq(
	    (struct span){json.p + 1, json.len - 2}, span_of(category));
}

/* demangled is NULL where the stream does not define the symbol */
static void
check_symbol(struct tag *t, const char *name, const char *demangled,
    const char *category)
{
	struct symbol s = {.demangled = demangled};
	struct span json;

	tag_reset(t);
	json = tag_record(t, &s, "kernel", ",\"sym\":1", name);
	CHECK(is_category(json, category), "%s: %.*s", name, (int)json.len,
	    json.p);
}

/* a kernel that has only that */
static void
check_name(struct tag *t, const char *name, const char *category)
{
	struct symbol s = {0};
	struct span json = tag_record(t, &s, "kernel", "", name);

	CHECK(is_category(json, category), "%s: %.*s", name, (int)json.len,
	    json.p);
}

/* ---- the default rules ---- */

/* names that tell by themselves, or that no rule is honest about */
static const char *const names[][2] = {
    {"communication", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL"},
    {"communication", "ncclKernel_AllGather_RING_LL_Sum_int8_t"},
    {"communication", "ncclSymkDevKernel_AllReduce_RSxLDMC_AGxSTMC_sum_bf16"},
    {"communication", "rcclGenericKernel"},
    {"communication", "mscclKernel_Sum_half_Simple"},
    {"communication", "nvshmemi_transfer_kernel"},
    {"communication", "barrier_on_stream_kernel_threadgroup"},
    {"communication", "kuserbuffers_pushrecv"},
    {"communication", "userbuffers_fp16_sum_inplace_gpu_rr_rs_oop"},
    {"communication", "cross_device_reduce_1stage"},
    {"communication", "oneShotAllReduceKernel"},
    {"communication", "twoShotAllReduceKernel"},
    {"communication", "allreduce_fusion_kernel_oneshot_lamport"},
    {"communication", "moereduce_allreduce_fusion_kernel_oneshot_lamport"},
    {"communication", "lamport_style_one_shot_all_reduce_norm_kernel"},
    {"communication", "multimem_one_shot_all_reduce_kernel"},
    {"communication", "two_shot_all_reduce_kernel"},
    {"attention", "triton_tem_fused_flex_attention_0"},
    {"gemm", "triton_tem_fused_addmm_gelu_12"},
    {"convolution", "triton_tem_fused_convolution_2"},
    {"norm", "triton_red_fused_add_native_layer_norm_3"},
    {"norm", "triton_per_fused__to_copy_add_native_layer_norm_backward_4"},
    {"softmax", "triton_per_fused__softmax_div_5"},
    {"reduction", "triton_red_fused_mean_pow_1"},
    {"elementwise",
	"triton_poi_fused_embedding_gather_add_native_layer_norm_7"},
    {"elementwise", "triton_poi_fused_cat_0"},
    {"scan", "triton_spl_fused_cumsum_0"},
    {"attention", "flash_fwd_kernel"},
    {"attention", "flash_fwd_splitkv_combine_kernel"},
    {"attention", "flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel"},
    {"attention", "flash_bwd_convert_dq_kernel"},
    {"attention", "flash_fwd_splitkv_mla_kernel"},
    {"attention", "fmha_cutlassF_bf16_aligned_64x64_rf_sm80"},
    {"attention", "fmhaSm100aKernel_QkvBfloat16OBfloat16H128PagedKvDense"},
    {"attention", "FmhaSm100Kernel_QBfloat16KvBfloat16"},
    {"attention", "cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma"},
    {"attention", "paged_attention_v2_kernel"},
    {"attention", "paged_attention_v2_reduce_kernel"},
    {"attention", "kernel_unified_attention_2d"},
    {"attention", "BatchPrefillWithPagedKVCacheKernel"},
    {"attention", "BatchDecodeWithPagedKVCacheKernel"},
    {"attention", "SinglePrefillWithKVCacheKernel"},
    {"attention", "PersistentVariableLengthMergeStatesKernel"},
    {"attention", "kernel_mha"},
    {"attention", "masked_multihead_attention_kernel"},
    {"attention", "_attn_fwd"},
    {"attention", "_sparse_attn_decode_gfx950_partial_kernel"},
    {"moe", "fused_moe_kernel"},
    {"moe", "moe_align_block_size_kernel"},
    {"moe", "topkGatingSoftmax"},
    {"moe", "computeExpertFirstTokenOffsetKernel"},
    {"moe", "finalizeMoeRoutingKernel"},
    {"moe", "count_and_sort_expert_tokens_kernel"},
    {"moe", "routingIndicesClusterKernel"},
    {"convolution", "implicit_convolve_sgemm"},
    {"convolution", "sm80_xmma_fprop_implicit_gemm_f16f16_f16f32_f32_nhwckrsc"},
    {"convolution", "sm80_xmma_dgrad_implicit_gemm_indexed_tf32f32"},
    {"convolution", "sm80_xmma_wgrad_implicit_gemm_indexed_f16f16"},
    {"convolution", "conv2d_grouped_direct_kernel"},
    {"convolution", "conv_depthwise2d_forward_kernel"},
    {"convolution", "winogradForwardFilter4x4"},
    {"convolution", "_causal_conv1d_update_kernel"},
    {"convolution", "im2col_kernel"},
    {"convolution", "miopenSp3AsmConv_v30_3_1_gfx9_fp32_f2x3_stride1"},
    {"gemm", "ampere_fp16_s16816gemm_fp16_128x128_ldg8_f2f_stages_32x5_nn"},
    {"gemm", "volta_sgemm_128x64_nt"},
    {"gemm", "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128"},
    {"gemm", "cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_256x128"},
    {"gemm", "gemvNSP_kernel"},
    {"gemm", "gemmSN_TN_kernel"},
    {"gemm", "Cijk_Ailk_Bljk_HHS_BH_MT128x128x32_MI32x32x8x1_SE"},
    {"gemm", "kernel_gemm_xdl_cshuffle_v1"},
    {"gemm", "sm90_fp8_gemm_1d2d_impl"},
    {"gemm", "bmm_E4m3_E4m3E4m3_Fp32_t128x128x128u2_s6"},
    {"gemm", "Marlin"},
    {"gemm", "matmul_kernel"},
    {"gemm", "nvjet_tst_192x192_64x4_2x1_v_bz_coopB_bias_TNN"},
    {"optimizer", "multi_tensor_apply_kernel"},
    {"optimizer", "kOptimizerStatic8bit2StateBlockwise"},
    {"norm", "vectorized_layer_norm_kernel"},
    {"norm", "layer_norm_grad_input_kernel_vectorized"},
    {"norm", "GammaBetaBackwardCUDAKernelTemplate"},
    {"norm", "cuComputeGradInput"},
    {"norm", "rmsnorm_fwd_tuned_kernel"},
    {"norm", "ln_bwd_finalize_kernel"},
    {"norm", "fused_add_rms_norm_kernel"},
    {"norm", "FusedAddRMSNormKernel"},
    {"norm", "bn_fw_tr_1C11_kernel_NCHW"},
    {"norm", "batch_norm_collect_statistics_channels_last_kernel"},
    {"norm", "RowwiseMomentsCUDAKernel"},
    {"softmax", "softmax_warp_forward"},
    {"softmax", "cunn_SoftMaxForward"},
    {"softmax", "scaled_upper_triang_masked_softmax_warp_backward"},
    {"loss", "nll_loss_forward_reduce_cuda_kernel_2d"},
    {"loss", "liger_cross_entropy_kernel"},
    {"random", "distribution_elementwise_grid_stride_kernel"},
    {"random", "fused_dropout_kernel_vec"},
    {"random", "generate_seed_pseudo"},
    {"elementwise", "rotary_embedding_kernel"},
    {"elementwise", "fused_rope_forward"},
    {"embedding", "embedding_backward_feature_kernel"},
    {"embedding", "EmbeddingBag_updateOutputKernel_sum_mean"},
    {"index", "indexSelectSmallIndex"},
    {"index", "vectorized_gather_kernel"},
    {"index", "_scatter_gather_elementwise_kernel"},
    {"index", "index_elementwise_kernel"},
    {"index", "indexing_backward_kernel"},
    {"quantization", "scaled_fp8_quant_kernel"},
    {"quantization", "per_token_group_quant_8bit_kernel"},
    {"quantization", "kDequantizeBlockwise"},
    {"copy", "CatArrayBatchedCopy_aligned16_contig"},
    {"copy", "cast_transpose_fused_kernel"},
    {"copy", "nchwToNhwcKernel"},
    {"copy", "split_with_sizes_copy_out_contiguous_no_cast_kernel"},
    {"copy", "reshape_and_cache_flash_kernel"},
    {"copy", "__amd_rocclr_copyBuffer"},
    {"elementwise", "act_and_mul_kernel"},
    {"elementwise", "cupy_multiply__float64_float64_float64"},
    {"elementwise", "loop_add_fusion"},
    {"elementwise", "__amd_rocclr_fillBufferAligned"},
    {"fft", "regular_fft"},
    {"fft", "vector_fft"},
    {"sparse", "csrmv_v3_kernel"},
    {"topk", "gatherTopK"},
    {"topk", "radixFindKthValues"},
    {"sort", "DeviceRadixSortOnesweepKernel"},
    {"sort", "bitonicSortKVInPlace"},
    {"scan", "DeviceScanKernel"},
    {"scan", "tensor_kernel_scan_innermost_dim"},
    {"scan", "DeviceSelectSweepKernel"},
    {"reduction", "reduce_kernel"},
    {"reduction", "DeviceReduceSingleTileKernel"},
    {"reduction", "reduce_1Block_kernel"},
    {"reduction", "dot_kernel"},
    {"reduction", "partial_mapreduce_grid"},
    {"pooling", "max_pool_forward_nchw"},
    {"pooling", "MaxPoolBackward"},
    {"pooling", "adaptive_average_pool"},
    {"resampling", "upsample_bilinear2d_out_frame"},
    {"rnn", "RNN_blockPersist_fp_LSTM"},
    {NULL, "vectorAdd"},
    {NULL, "saxpy"},
    {NULL, "convert_kernel"},
    {NULL, "nvfuser_none_f0_c0_r0_g0"},
    {NULL, "_fwd_kernel"},
    {NULL, "step_kernel"},
    {NULL, "lambda_kernel"},
    {NULL, "alpha_beta_kernel"},
    {NULL, "main_kernel"},
};

/* base names that need the rest */
static const char *const symbols[][3] = {
    {"communication", "dispatch",
	"void deep_ep::intranode::dispatch<8, 768>(int4*, float*)"},
    {"communication", "barrier_kernel",
	"c10d::symmetric_memory::barrier_kernel(unsigned int **)"},
    {"attention", "device_kernel",
	"void "
	"cutlass::device_kernel<flash::enable_sm90_or_later<flash::"
	"FlashAttnFwdSm90<2>>>(T1::Params)"},
    {"convolution", "Kernel",
	"void "
	"cutlass__5x_cudnn::Kernel<cutlass_tensorop_f16_s16816fprop_f16>(T1::"
	"Params)"},
    {"gemm", "Kernel2",
	"void "
	"cutlass::Kernel2<cutlass_80_tensorop_bf16_s161616gemm>(T1::Params)"},
    {"gemm", "device_kernel",
	"void "
	"cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<1>>(T1::"
	"Params)"},
    {"gemm", "splitKreduce_kernel",
	"void cublasLt::splitKreduce_kernel<32, 16, "
	"int>(cublasLt::cublasSplitKParams<T6>)"},
    {"optimizer", "multi_tensor_apply_kernel",
	"void at::native::multi_tensor_apply_kernel<L<4>, "
	"at::native::FusedAdamMathFunctor<float, 4>>(T1)"},
    {"optimizer", "multi_tensor_apply_kernel",
	"void multi_tensor_apply_kernel<L<4>, AdamFunctor<float, float, int>, "
	"float>(long, int volatile *)"},
    {"copy", "multi_tensor_apply_kernel",
	"void at::native::multi_tensor_apply_kernel<L<2>, "
	"at::native::UnaryOpFunctor<long>, at::native::Copy<long, long>>(T1)"},
    {"reduction", "multi_tensor_apply_kernel",
	"void at::native::multi_tensor_apply_kernel<L<1>, "
	"at::native::LpNormFunctor<float, 2>>(T1)"},
    {"elementwise", "multi_tensor_apply_kernel",
	"void at::native::multi_tensor_apply_kernel<L<2>, "
	"at::native::BinaryOpListAlphaFunctor<float>>(T1)"},
    {"copy", "unrolled_elementwise_kernel",
	"void "
	"at::native::unrolled_elementwise_kernel<at::native::direct_copy_"
	"kernel_cuda>(int, T1)"},
    {"elementwise", "vectorized_elementwise_kernel",
	"void at::native::vectorized_elementwise_kernel<4, "
	"at::native::CUDAFunctor_add<float>>(int, T2, T3)"},
    {"sparse", "load_balancing_kernel",
	"void cusparse::load_balancing_kernel<256>(int)"},
    {"sort", "_kernel_agent",
	"void "
	"thrust::cuda_cub::core::_kernel_agent<thrust::cuda_cub::__merge_sort::"
	"BlockSortAgent<int>>(int)"},
    {NULL, "Kernel", "void mine::Kernel<int>(int)"},
};

static void
test_default(void)
{
	struct tag *t = tag_open("default");

	for (size_t i = 0; i < COUNT(names); i++)
		check_name(t, names[i][1], names[i][0]);
	for (size_t i = 0; i < COUNT(symbols); i++) {
		check_symbol(t, symbols[i][1], symbols[i][2], symbols[i][0]);
		/* of a producer that gives whole names only */
		check_symbol(t, symbols[i][2], NULL, symbols[i][0]);
	}
	tag_free(t);
}

static void
test_only_kernels(void)
{
	struct tag *t = tag_open("default");
	struct symbol s = {0};

	CHECK(tag_record(t, &s, "memcpy", "", "sgemm").len == 0, "memcpy");
	CHECK(tag_record(t, &s, "new", "", "sgemm").len == 0, "new");
	CHECK(
	    tag_record(t, &s, "kernel", ",\"category\":\"\"", "sgemm").len == 0,
	    "has one");
	CHECK(
	    tag_record(t, &s, "kernel", ",\"category\":null", "sgemm").len > 0,
	    "has none");
	tag_free(t);
}

/* ---- what is remembered ---- */

static void
test_remembered(void)
{
	struct tag *t = tag_open("default");
	struct symbol s = {.demangled = "void cutlass::Kernel<sgemm>()"};
	const char *sym = ",\"sym\":1";

	CHECK(is_category(tag_record(t, &s, "kernel", sym, "Kernel"), "gemm"),
	    "first");
	CHECK(s.asked > 0, "not asked");
	s.asked = 0;
	CHECK(is_category(tag_record(t, &s, "kernel", sym, "Kernel"), "gemm"),
	    "again");
	CHECK(s.asked == 0, "asked again");
	/* names count, not only ids */
	CHECK(is_category(tag_record(t, &s, "kernel", sym, "fft"), "fft"),
	    "another name");
	CHECK(tag_record(t, &s, "kernel", "", "Kernel").len == 0, "no sym");

	tag_reset(t);
	s.demangled = "void cutlass::Kernel<fprop>()";
	CHECK(is_category(
		  tag_record(t, &s, "kernel", sym, "Kernel"), "convolution"),
	    "after a reset");
	tag_free(t);
}

static void
test_many_names(void)
{
	enum { MANY = 1 << 17 };
	struct tag *t = tag_open("default");
	char name[32];

	for (int i = 0; i < MANY; i++) {
		snprintf(
		    name, sizeof(name), "%s_%d", i % 2 != 0 ? "fft" : "k", i);
		check_name(t, name, i % 2 != 0 ? "fft" : NULL);
	}
	tag_free(t);
}

/* ---- rules from a file ---- */

static struct tag *
open_rules(const char *rules)
{
	char file[] = "/tmp/tq-unit-tag-XXXXXX";
	int fd = mkstemp(file);
	struct tag *t;

	if (fd < 0 || write(fd, rules, strlen(rules)) < 0) {
		perror(file);
		exit(1);
	}
	close(fd);
	t = tag_open(file);
	unlink(file);
	return t;
}

static void
test_file(void)
{
	struct tag *t = open_rules("# a comment\n\n  # another\n\t\r\n"
				   "first name == 'a'\r\n"
				   "second\t name ~ /^[ab]$/ \n"
				   "A-1_.z  true");

	check_name(t, "a", "first");
	check_name(t, "b", "second");
	check_name(t, "c", "A-1_.z");
	tag_free(t);

	t = open_rules("");
	check_name(t, "a", NULL);
	tag_free(t);
}

/* what hangs on more than names is asked each time */
static void
test_other_keys(void)
{
	static const char *const rules[] = {
	    "x dur > 10", "x args.n == 20", "x end > 10", "x has(.mine)"};
	static const char *const yes[] = {",\"dur\":11", ",\"args\":{\"n\":20}",
	    ",\"ts\":1,\"dur\":10", ",\"mine\":1"};

	for (size_t i = 0; i < COUNT(rules); i++) {
		struct tag *t = open_rules(rules[i]);
		struct symbol s = {0};

		for (int j = 0; j < 2; j++) {
			CHECK(tag_record(t, &s, "kernel", "", "a").len == 0,
			    "%s: without", rules[i]);
			CHECK(
			    is_category(
				tag_record(t, &s, "kernel", yes[i], "a"), "x"),
			    "%s: with", rules[i]);
		}
		tag_free(t);
	}
}

int
main(void)
{
	test_default();
	test_only_kernels();
	test_remembered();
	test_many_names();
	test_file();
	test_other_keys();
	return check_status();
}
