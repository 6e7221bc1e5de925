/*
 * short_names.c - short forms of the names of kernels
 *
 *	short_names WIDTH < names
 *
 * prints the short form of each line, for comparison with an oracle.
 */

#include <stdlib.h>

#include "check.h"
#include "tq/show/short_names.h"
#include "tq/base/array.h"

static int
print_forms(size_t width)
{
	struct span *names = NULL, *shorts;
	struct region life = {0};
	size_t count = 0, cap = 0, size = 0;
	char *line = NULL;
	ssize_t len;

	while ((len = getline(&line, &size, stdin)) > 0)
		*array_add(&names, &count, &cap) =
		    region_copy(&life, (struct span){line, (size_t)len - 1});
	shorts = mem_alloc((count + 1) * sizeof(*shorts));
	short_names(names, count, width, "…", shorts, &life);
	for (size_t i = 0; i < count; i++)
		printf("%.*s\n", (int)shorts[i].len, shorts[i].p);
	free(line);
	free(names);
	free(shorts);
	region_free(&life);
	return 0;
}

#define AT "at::native::"
#define LOOP "gpu_kernel_impl_nocast<"
#define CALL \
	">(at::TensorIteratorBase &, const T1 &)::[lambda(int) " \
	"(instance 1)]"

/* names of one table, and their forms in 30 and 50 columns; NULL ends them */
struct row {
	const char *name, *narrow, *wide;
};

static const struct row alone[] = {
    {"void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<(int)128, (int)64, "
     "(int)32, (int)4, cutlass::bfloat16_t>, (bool)1>(flash::Params)",
	"flash_fwd_kernel", "flash_fwd_kernel<128,64,32,4,bf16>"},
    {"ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<(unsigned long)4096>)",
	"ncclDevKernel_SendRecv", "ncclDevKernel_SendRecv"},
    {"broadcast_kernel(CuKernelContext, CuDeviceArray<float, 1>)",
	"broadcast_kernel", "broadcast_kernel"},
    {"void cub::CUB_200600_900::DeviceReduceSingleTileKernel<cub::CUB_200600_"
     "900::DeviceReducePolicy<int, thrust::plus<int>>::Policy600, int *, "
     "thrust::plus<int>, int>(T2, T3)",
	"DeviceReduceSingleTileK…<plus>", "DeviceReduceSingleTileKernel<plus>"},
    {"void " AT "vectorized_elementwise_kernel<(int)4, " AT
     "<unnamed>::pow_tensor_scalar_kernel_impl<float, float>(at::"
     "TensorIteratorBase &, T2)::[lambda(float) (instance 1)], std::array<"
     "char *, (unsigned long)2>>(int, T2, T3)",
	"vectorize…<pow_tenso…scalar#1>",
	"vectorized_elementwise_kernel<pow_tensor_scalar#1>"},
    {"void (anonymous namespace)::elementwise_kernel_with_index<int, "
     "arange_cuda_out(at::Tensor const&)::{lambda()#1}::operator()() "
     "const::{lambda(long)#4}>(int)",
	"elementwi…<arange_…da_out#1.4>",
	"elementwise_kernel_with_index<arange_cuda_out#1.4>"},
    {"nvjet_tst_64x64_64x4_2x1_v_bz_coopB_bias_TNN",
	"nvjet_tst_64x64_6…opB_bias_TNN",
	"nvjet_tst_64x64_64x4_2x1_v_bz_coopB_bias_TNN"},
    {NULL}};

static const struct row types[] = {
    {"void " AT "elementwise_kernel<(int)128, (int)2, " AT LOOP AT
     "BinaryFunctor<float, float, float, " AT
     "binary_internal::MulFunctor<float>>" CALL ">(int, T3)",
	"elementwise_kernel<Mul,f32>", "elementwise_kernel<Mul,f32>"},
    {"void " AT "elementwise_kernel<(int)128, (int)2, " AT LOOP AT
     "BinaryFunctor<double, double, double, " AT
     "binary_internal::MulFunctor<double>>" CALL ">(int, T3)",
	"elementwise_kernel<Mul,f64>", "elementwise_kernel<Mul,f64>"},
    {"void " AT "elementwise_kernel<(int)128, (int)2, " AT LOOP AT
     "CUDAFunctor_add<float>" CALL ">(int, T3)",
	"elementwise_kernel<add>", "elementwise_kernel<add>"},
    {NULL}};

static const struct row numbers[] = {
    {"void copy<OpaqueType<(unsigned int)2>, unsigned int, (int)1>(int)",
	"copy<OpaqueType,1>", "copy<OpaqueType,1>"},
    {"void copy<OpaqueType<(unsigned int)2>, unsigned int, (int)-2>(int)",
	"copy<OpaqueType,-2>", "copy<OpaqueType,-2>"},
    {NULL}};

/* what all of them share goes, the longest first */
static const struct row gemms[] = {
    {"sm80_xmma_gemm_f32f32_f32_tn_tile64x64x8_split_cublas",
	"sm80_xmma…f32_tn_tile64x64x8…",
	"sm80_xmma_gemm_f32f32_f32_tn_tile64x64x8_split…"},
    {"sm80_xmma_gemm_f32f32_f32_nn_tile32x64x8_split_cublas",
	"sm80_xmma…f32_nn_tile32x64x8…",
	"sm80_xmma_gemm_f32f32_f32_nn_tile32x64x8_split…"},
    {NULL}};

/* a form that a name has stays its own */
static const struct row equal[] = {{"int a::f(int)", "f~2", "f~2"},
    {"int b::f(int)", "f~3", "f~3"}, {"f~1", "f~1", "f~1"}, {NULL}};

static void
test_table(const struct row *rows, size_t width)
{
	enum { MOST = 16 };
	struct span names[MOST] = {{0}}, shorts[MOST];
	struct region life = {0};
	size_t count = 0;

	for (; rows[count].name != NULL; count++)
		names[count] = span_of(rows[count].name);
	short_names(names, count, width, "…", shorts, &life);
	for (size_t i = 0; i < count; i++) {
		const char *want = width == 30 ? rows[i].narrow : rows[i].wide;

		CHECK(span_eq(shorts[i], span_of(want)), "%s: %.*s, not %s",
		    rows[i].name, (int)shorts[i].len, shorts[i].p, want);
	}
	region_free(&life);
}

int
main(int argc, char *argv[])
{
	static const struct row *const tables[] = {
	    types, numbers, gemms, equal};
	static const struct row one[2];

	if (argc > 1)
		return print_forms((size_t)strtoul(argv[1], NULL, 10));
	for (size_t width = 30; width <= 50; width += 20) {
		for (size_t i = 0; alone[i].name != NULL; i++) {
			const struct row row[2] = {alone[i], one[0]};

			test_table(row, width);
		}
		for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
			test_table(tables[i], width);
	}
	return check_status();
}
