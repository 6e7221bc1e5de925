/* vocabulary.c - the names that a synthetic trace is made of */

#include <stdio.h>
#include <string.h>

#include "vocabulary.h"

/*
 * Kernel names are made from patterns:
 *	%t %T	an element type, and how it is mangled
 *	%f %F	a functor, and how it is mangled
 *	%v	2, 4 or 8
 *	%m %n	the sides of a tile
 *	%c %C	a collective kernel, and how it is mangled
 *	%i	the number within the family
 * An empty brief or mangled name is the same as the demangled one.
 */
struct family {
	size_t size;
	int launch;
	const char *demangled, *brief, *mangled;
};

static const struct family families[] = {
    {KERNELS_NCCL, CALL_LAUNCH_EX,
	"%c(ncclDevKernelArgsStorage<(unsigned long)4096>)", "%c",
	"_Z%C24ncclDevKernelArgsStorageILm4096EE"},
    {96, CALL_LAUNCH,
	"void at::native::vectorized_elementwise_kernel<(int)%v, "
	"at::native::%f<%t>, std::array<char *, (unsigned long)3>>"
	"(int, T2, T3)",
	"vectorized_elementwise_kernel",
	"_ZN2at6native29vectorized_elementwise_kernelILi%vENS0_%FI%TEE"
	"St5arrayIPcLm3EEEEviT0_T1_"},
    {24, CALL_LAUNCH,
	"void at::native::unrolled_elementwise_kernel<at::native::%f<%t>, "
	"std::array<char *, (unsigned long)2>, (int)4, "
	"TrivialOffsetCalculator<(int)1, unsigned int>, "
	"TrivialOffsetCalculator<(int)1, unsigned int>, "
	"at::native::memory::LoadWithCast<(int)1>, "
	"at::native::memory::StoreWithCast<(int)1>>"
	"(int, T1, T2, T4, T5, T6, T7)",
	"unrolled_elementwise_kernel",
	"_ZN2at6native27unrolled_elementwise_kernelINS0_%FI%TEE"
	"St5arrayIPcLm2EELi4E23TrivialOffsetCalculatorILi1EjES7_NS0_6"
	"memory12LoadWithCastILi1EEENS8_13StoreWithCastILi1EEEEEviT_T0_"
	"T2_T3_T4_T5_"},
    {32, CALL_LAUNCH,
	"void at::native::elementwise_kernel<(int)128, (int)%v, void "
	"at::native::gpu_kernel_impl_nocast<at::native::BinaryFunctor"
	"<%t, %t, %t, at::native::binary_internal::%f<%t>>>"
	"(at::TensorIteratorBase &, const T1 &)"
	"::[lambda(int) (instance 1)]>(int, T3)",
	"elementwise_kernel",
	"_ZN2at6native18elementwise_kernelILi128ELi%vEZNS0_22gpu_kernel_"
	"impl_nocastINS0_13BinaryFunctorI%T%T%TNS0_15binary_internal%F"
	"I%TEEEEEEvRNS_18TensorIteratorBaseERKT_EUliE_EEviT1_"},
    {24, CALL_LAUNCH,
	"void at::native::reduce_kernel<(int)512, (int)1, "
	"at::native::ReduceOp<%t, at::native::func_wrapper_t<%t, "
	"at::native::%f<%t>>, unsigned int, %t, (int)%v, (int)%v>>(T3)",
	"reduce_kernel",
	"_ZN2at6native13reduce_kernelILi512ELi1ENS0_8ReduceOpI%TNS0_14"
	"func_wrapper_tI%TNS0_%FI%TEEEEj%TLi%vELi%vEEEEEvT1_"},
    {38, CALL_LAUNCH,
	"sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize%mx%nx8_stage3_"
	"warpsize%vx2x1_ffma_aligna4_alignc4_execute_kernel__5x_cublas",
	"", ""},
    {30, CALL_LAUNCH_EX, "nvjet_tst_%mx%n_64x%v_2x1_v_bz_coopB_bias_TNN", "",
	""},
    {12, CALL_LAUNCH_EX,
	"void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<(int)%m, "
	"(int)%n, (int)64, (int)%v, (bool)0, (bool)0, cutlass::%t, "
	"Flash_kernel_traits<(int)%m, (int)%n, (int)64, (int)%v, "
	"cutlass::%t>>, (bool)0, (bool)0, (bool)1>"
	"(flash::Flash_fwd_params)",
	"flash_fwd_kernel",
	"_ZN5flash16flash_fwd_kernelI23Flash_fwd_kernel_traitsILi%mELi%n"
	"ELi64ELi%vELb0ELb0EN7cutlass%TE19Flash_kernel_traitsILi%mELi%n"
	"ELi64ELi%vES3_EELb0ELb0ELb1EEEvNS_16Flash_fwd_paramsE"},
    {37, CALL_DRIVER_LAUNCH, "triton_poi_fused__to_copy_add_mul_%i", "", ""},
    {1, CALL_LAUNCH, "vectorAdd(const float *, const float *, float *, int)",
	"vectorAdd", "_Z9vectorAddPKfS0_Pfi"}};

static const char *const types[][2] = {{"float", "f"},
    {"c10::BFloat16", "N3c108BFloat16E"}, {"c10::Half", "N3c104HalfE"},
    {"double", "d"}, {"long", "l"}};

static const char *const functors[] = {"AddFunctor", "MulFunctor",
    "CUDAFunctorOnSelf_add", "FillFunctor", "AbsFunctor", "sum_functor",
    "ClampFunctor"};

static const char *const collectives[] = {
    "ncclDevKernel_AllReduce_Sum_bf16_RING_LL",
    "ncclDevKernel_AllReduce_Sum_f32_TREE_LL",
    "ncclDevKernel_AllGather_RING_LL",
    "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL",
    "ncclDevKernel_Broadcast_RING_LL", "ncclDevKernel_SendRecv"};

static const int widths[] = {4, 2, 8};
static const int tiles[] = {64, 128, 192, 256, 32, 96, 208};

const struct call vocabulary_calls[CALLS] = {
    [CALL_LAUNCH] = {"cudaLaunchKernel_v7000", 0, 3600},
    [CALL_LAUNCH_EX] = {"cudaLaunchKernelExC_v11060", 0, 4100},
    [CALL_DRIVER_LAUNCH] = {"cuLaunchKernelEx", 1, 3300},
    [CALL_GRAPH_LAUNCH] = {"cudaGraphLaunch_v10000", 0, 21000},
    [CALL_MEMCPY] = {"cudaMemcpyAsync_v3020", 0, 4800},
    [CALL_MEMSET] = {"cudaMemsetAsync_v3020", 0, 3500},
    [CALL_RECORD] = {"cudaEventRecord_v3020", 0, 1700},
    [CALL_WAIT_EVENT] = {"cudaStreamWaitEvent_v3020", 0, 1500},
    [CALL_STREAM_SYNC] = {"cudaStreamSynchronize_v3020", 0, 4900},
    [CALL_EVENT_SYNC] = {"cudaEventSynchronize_v3020", 0, 2900},
    [CALL_DEVICE_SYNC] = {"cudaDeviceSynchronize_v3020", 0, 5200},
    [CALL_QUERY] = {"cudaEventQuery_v3020", 0, 1300},
    [CALL_QUESTION] = {"cudaStreamIsCapturing_v10000", 0, 390},
    {"cudaStreamIsCapturing_v10000", 0, 350},
    {"cudaStreamGetCaptureInfo_v2_v11030", 0, 1040},
    {"cuKernelGetAttribute", 1, 210},
    {"cudaThreadExchangeStreamCaptureMode_v10010", 0, 310},
    {"cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags_v7000", 0, 540},
    {"cudaGetFuncBySymbol_v11000", 0, 500}};

const char *const vocabulary_ranges[RANGES] = {[RANGE_STEP] = "iteration",
    [RANGE_ENGINE] = "autograd::engine",
    [RANGE_FORWARD] = "forward",
    [RANGE_BACKWARD] = "backward",
    [RANGE_OPTIMIZER] = "optimizer",
    [RANGE_ALLREDUCE] = "ncclAllReduce",
    [RANGE_PREFETCH] = "prefetch batch",
    [RANGE_MARK] = "loss is known",
    [RANGE_LAYER] = "TransformerLayer.0",
    "TransformerLayer.1",
    "TransformerLayer.2",
    "TransformerLayer.3",
    "TransformerLayer.4",
    "TransformerLayer.5",
    "TransformerLayer.6",
    "TransformerLayer.7",
    "TransformerLayer.8",
    "TransformerLayer.9",
    "TransformerLayer.10",
    "TransformerLayer.11"};

const char *const vocabulary_domains[DOMAINS] = {NULL, "NCCL", "train"};

const char *const vocabulary_ops[OPS] = {"aten::view", "aten::linear",
    "aten::addmm", "aten::to", "aten::_to_copy", "aten::empty_strided",
    "aten::as_strided", "aten::mul", "aten::add_", "aten::layer_norm",
    "aten::native_layer_norm", "aten::scaled_dot_product_attention",
    "aten::_scaled_dot_product_flash_attention", "aten::gelu", "aten::copy_",
    "aten::permute", "aten::empty", "aten::zero_", "aten::softmax",
    "aten::_softmax", "autograd::engine::evaluate_function: AddmmBackward0",
    "autograd::engine::evaluate_function: MulBackward0", "AddmmBackward0",
    "torch::autograd::AccumulateGrad"};

const char *const vocabulary_osrts[OSRTS] = {"ioctl", "write", "read",
    "pthread_mutex_lock", "mmap64", "munmap", "pthread_cond_timedwait",
    "sem_wait", "poll", "fopen64", "pthread_cond_signal", "pthread_cond_wait"};

const char *const vocabulary_symbols[SYMBOLS] = {"_PyEval_EvalFrameDefault",
    "PyObject_Vectorcall", "_PyFunction_Vectorcall", "Py_RunMain",
    "0x71391f00cb57",
    "at::_ops::addmm::call(at::Tensor const&, at::Tensor const&)",
    "c10::Dispatcher::callBoxed(c10::OperatorHandle const&)",
    "torch::autograd::Engine::thread_main", "cudaLaunchKernel",
    "0x71391e8cea18", "__libc_start_main", "_start", "PyEval_RestoreThread",
    "__GI___ioctl", "PyDict_GetItem", "[Broken backtraces]"};

const char *const vocabulary_modules[MODULES] = {"/usr/bin/python3.11",
    "/usr/lib/x86_64-linux-gnu/libc.so.6",
    "/usr/lib/x86_64-linux-gnu/libcuda.so.580.95.05",
    "/usr/lib/python3/dist-packages/torch/lib/libtorch_cuda.so"};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct family *
find(size_t *number)
{
	const struct family *f = families;

	while (*number >= f->size)
		*number -= f++->size;
	return f;
}

/* One % of a pattern; returns how long it is in full. */
static int
substitute(char *out, size_t size, char letter, size_t n)
{
	const char *const *type = types[n % COUNT(types)];
	const char *functor = functors[n % COUNT(functors)];
	const char *collective = collectives[n % COUNT(collectives)];

	switch (letter) {
	case 't':
		return snprintf(out, size, "%s", type[0]);
	case 'T':
		return snprintf(out, size, "%s", type[1]);
	case 'f':
		return snprintf(out, size, "%s", functor);
	case 'F':
		return snprintf(out, size, "%zu%s", strlen(functor), functor);
	case 'c':
		return snprintf(out, size, "%s", collective);
	case 'C':
		return snprintf(
		    out, size, "%zu%s", strlen(collective), collective);
	case 'v':
		return snprintf(out, size, "%d", widths[n % COUNT(widths)]);
	case 'm':
		return snprintf(out, size, "%d", tiles[n % COUNT(tiles)]);
	case 'n':
		return snprintf(
		    out, size, "%d", tiles[n / COUNT(tiles) % COUNT(tiles)]);
	default:
		return snprintf(out, size, "%zu", n);
	}
}

static void
expand(char *out, size_t size, const char *pattern, size_t n)
{
	size_t used = 0;

	for (; *pattern != '\0' && used + 1 < size; pattern++)
		if (*pattern != '%')
			out[used++] = *pattern;
		else
			used += (size_t)substitute(
			    out + used, size - used, *++pattern, n);
	out[used < size ? used : size - 1] = '\0';
}

void
vocabulary_kernel(struct kernel_name *name, size_t number)
{
	const struct family *f = find(&number);
	const char *brief = f->brief[0] != '\0' ? f->brief : f->demangled;
	const char *mangled = f->mangled[0] != '\0' ? f->mangled : f->demangled;

	expand(name->demangled, sizeof(name->demangled), f->demangled, number);
	expand(name->brief, sizeof(name->brief), brief, number);
	expand(name->mangled, sizeof(name->mangled), mangled, number);
}

int
vocabulary_launch(size_t number)
{
	return find(&number)->launch;
}
