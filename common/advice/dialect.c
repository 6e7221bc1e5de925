/* dialect.c - what a recording shows of the program, and the words for it */

#include <string.h>

#include "tq/advice/dialect.h"
#include "tq/names/model.h"

/* ---- words ---- */

enum { VENDORS = HARDWARE_ASCEND + 1 };

/*
 * A word of NVIDIA, and those of AMD, Intel (SYCL) and Ascend; "" has none, and
 * NULL is the same word.
 */
static const char *const words[][VENDORS - 1] = {
    {"CUDA graph", "HIP graph", "SYCL graph", "ACL graph"},
    {"cudaStreamBeginCapture", "hipStreamBeginCapture",
	"ext::oneapi::experimental::command_graph", "aclmdlRICaptureBegin"},
    {"cudaMemcpyAsync", "hipMemcpyAsync", "queue::memcpy", "aclrtMemcpyAsync"},
    {"cudaMemset", "hipMemset", "A fill", "aclrtMemset"},
    {"cudaMemsetAsync", "hipMemsetAsync", "queue::memset", "aclrtMemsetAsync"},
    {"cudaMallocAsync", "hipMallocAsync", "a pool of one's own",
	"a pool of one's own"},
    {"cudaMallocHost", "hipHostMalloc", "sycl::malloc_host", "aclrtMallocHost"},
    {"cudaFree", "hipFree", "sycl::free", "aclrtFree"},
    {"cudaFreeAsync", "hipFreeAsync", "a pool of one's own",
	"a pool of one's own"},
    {"cudaMemPrefetchAsync", "hipMemPrefetchAsync", "queue::prefetch", NULL},
    {"cudaCpuDeviceId", "hipCpuDeviceId", "the host", NULL},
    {"CUDA_MODULE_LOADING=EAGER", "HIP_ENABLE_DEFERRED_LOADING=0",
	"SYCL_CACHE_PERSISTENT=1", "ACL_OP_COMPILER_CACHE_MODE=enable"},
    {"nvcc -gencode", "hipcc --offload-arch", "icpx -fsycl-targets", "atc"},
    {"TORCH_CUDA_ARCH_LIST", "PYTORCH_ROCM_ARCH", "TORCH_XPU_ARCH_LIST",
	"torch.npu.set_compile_mode(jit_compile=False)"},
    {"ncu", "rocprof-compute", "vtune -collect gpu-hotspots", "msprof op"},
    {"nsys", "rocprof-sys (omnitrace)", "unitrace", "msprof"},
    {"in FP32 do without the tensor cores", "are in FP32", "are in FP32",
	"are in FP32"},
    {"tensor cores", "matrix cores", "XMX units", "cube units"},
    {"cudaEventSynchronize", "hipEventSynchronize", "event::wait",
	"aclrtSynchronizeEvent"},
    {"cudaEventBlockingSync", "hipEventBlockingSync", "event::wait",
	"ACL_EVENT_SYNC"},
    {"cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync)",
	"hipSetDeviceFlags(hipDeviceScheduleBlockingSync)", NULL, NULL},
    {"cudaEventQuery", "hipEventQuery", "event::get_info",
	"aclrtQueryEventStatus"},
    {"torch.cuda.graph, or torch.compile with mode=\"reduce-overhead\"", NULL,
	"torch.xpu.XPUGraph", "torch.npu.graph"},
    {"nsys profile --cuda-graph-trace=node", "rocprofv3 --kernel-trace",
	"unitrace", "msprof"},
    {"NVTX", "ROCTX", "ITT", "mstx"},
    {"GPU", NULL, NULL, "NPU"},
    {"multiprocessor", "compute unit", "Xe core", "AI core"},
    {"multiprocessors", "compute units", "Xe cores", "AI cores"},
    {"warp", "wavefront", "sub-group", NULL},
    {"warps", "wavefronts", "sub-groups", NULL},
    {"warps of 32 threads", "wavefronts of 32 or 64 threads",
	"sub-groups of 8 to 32 work-items", NULL},
    {"a multiple of 32 threads", "a multiple of 64 threads",
	"a multiple of 32 work-items", NULL},
    {"threads", NULL, "work-items", NULL},
    {"block", "workgroup", "work-group", NULL},
    {"blocks", "workgroups", "work-groups", NULL},
    {"Blocks", "Workgroups", "Work-groups", NULL},
};

enum { WORDS = sizeof(words) / sizeof(*words) };

static struct span
word_of(enum hardware_vendor vendor, const char *const *row)
{
	const char *word = vendor == HARDWARE_UNKNOWN ? NULL : row[vendor - 1];

	return span_of(word != NULL ? word : row[0]);
}

/* Add the word of {WORD}, with which a text begins; its length, or 0. */
static size_t
add_word(const struct dialect *p, struct span text, struct text *t)
{
	enum hardware_vendor vendor = p != NULL ? p->vendor : HARDWARE_UNKNOWN;
	struct span rest = {text.p + 1, text.len - 1};

	for (size_t i = 0; i < WORDS; i++) {
		struct span word = span_of(words[i][0]);

		if (!span_begins(rest, word) || rest.len == word.len ||
		    rest.p[word.len] != '}')
			continue;
		text_add_span(t, word_of(vendor, words[i]));
		return word.len + 2;
	}
	return 0;
}

/* Add a text, with the words of the vendor. */
static void
add_words(const struct dialect *p, struct span text, struct text *t)
{
	for (size_t i = 0, n; i<text.len; i += n> 0 ? n : 1) {
		n = text.p[i] == '{'
			? add_word(
			      p, (struct span){text.p + i, text.len - i}, t)
			: 0;
		if (n == 0)
			text_add_char(t, text.p[i]);
	}
}

static bool
may_be_torch(const struct dialect *p)
{
	return p == NULL || p->torch || (!p->xla && (p->python || !p->named));
}

/* The place of the '}' that belongs to the '{' at the begin; 0: none does. */
static size_t
find_close(struct span text)
{
	size_t depth = 0;

	for (size_t i = 0; i < text.len; i++) {
		depth += text.p[i] == '{';
		depth -= text.p[i] == '}';
		if (depth == 0)
			return i;
	}
	return 0;
}

size_t
dialect_place(const struct dialect *p, struct span text, struct text *t)
{
	static const struct span torch = {"{PyTorch: ", 10},
				 jax = {"{JAX: ", 6};
	size_t close, i;
	bool shown;

	if (text.len == 0 || *text.p != '{' || (close = find_close(text)) == 0)
		return 0;
	if (span_begins(text, torch)) {
		i = torch.len;
		shown = may_be_torch(p);
	} else if (span_begins(text, jax)) {
		i = jax.len;
		shown = p != NULL && p->xla;
	} else
		return add_word(p, text, t);
	if (shown)
		add_words(p, (struct span){text.p + i, close - i}, t);
	return close + 1;
}

/* ---- the recording ---- */

/* By its API's functions. */
static enum hardware_vendor
vendor_of_call(const struct event *ev)
{
	switch (api_call_of_event(ev).family) {
	case API_CUDA_RUNTIME:
	case API_CUDA_DRIVER:
		return HARDWARE_NVIDIA;
	case API_HIP:
	case API_HSA:
		return HARDWARE_AMD;
	case API_LEVEL_ZERO:
	case API_UNIFIED_RUNTIME:
		return HARDWARE_INTEL;
	case API_ACL:
		return HARDWARE_ASCEND;
	default:
		return HARDWARE_UNKNOWN;
	}
}

static bool
has(struct span s, const char *word)
{
	return memmem(s.p, s.len, word, strlen(word)) != NULL;
}

/* Behind the quote. */
static bool
begins(struct span json, const char *word)
{
	return json.len > 1 &&
	       span_begins(
		   (struct span){json.p + 1, json.len - 1}, span_of(word));
}

static void
look_at_kernel(struct dialect *p, struct span name)
{
	p->torch |= has(name, "at::native") || has(name, "2at6native") ||
		    has(name, "c10::");
	p->xla |= has(name, "loop_") && has(name, "_fusion");
}

static void
look_at_range(struct dialect *p, struct span name)
{
	p->torch |= begins(name, "aten::") || begins(name, "ProfilerStep#") ||
		    begins(name, "torch");
	p->xla |= begins(name, "XlaModule:") || begins(name, "Thunk:") ||
		  begins(name, "PjitFunction") || begins(name, "jit(");
}

static void
look_at_process(struct dialect *p, const struct event *ev)
{
	const struct span name = ev->value[KEY_name];
	bool fresh;

	if (name.len <= 2)
		return;
	*numbered_get(&p->processes, model_process(ev), &fresh) =
	    has(name, "ython") || has(name, "torchrun") ||
	    has(name, "pt_main_thread") || has(name, "ray::");
}

/* The process of a call or an operation is one of the program. */
static void
look_at_program(struct dialect *p, const struct event *ev)
{
	const bool *python;

	if (model_process(ev) == p->process)
		return;
	p->process = model_process(ev);
	python = numbered_find(&p->processes, p->process);
	p->named |= python != NULL;
	p->python |= python != NULL && *python;
}

static void
look_at_device(struct dialect *p, const struct event *ev)
{
	enum hardware_vendor vendor = hardware_of(ev).vendor;

	if (vendor != HARDWARE_UNKNOWN)
		p->vendor = vendor;
}

void
dialect_event(struct dialect *p, const struct event *ev)
{
	const struct span name = ev->value[KEY_name];

	if (ev->kind == KIND_api || ev->kind == KIND_kernel)
		look_at_program(p, ev);
	if (ev->kind == KIND_trace)
		p->torch |= event_is(ev, KEY_source, SPAN("kineto"));
	else if (ev->kind == KIND_device)
		look_at_device(p, ev);
	else if (ev->kind == KIND_symbol && !p->torch &&
		 event_has(ev, KEY_demangled))
		look_at_kernel(p, ev->value[KEY_demangled]);
	else if (!event_has(ev, KEY_name))
		return;
	else if (ev->kind == KIND_process)
		look_at_process(p, ev);
	else if (ev->kind == KIND_api && p->vendor == HARDWARE_UNKNOWN)
		p->vendor = vendor_of_call(ev);
	else if (ev->kind == KIND_range && !p->torch)
		look_at_range(p, name);
	else if (ev->kind == KIND_kernel && !p->torch &&
		 p->symbol < model_symbol(ev)) {
		p->symbol = model_symbol(ev);
		look_at_kernel(p, name);
	}
}

void
dialect_free(struct dialect *p)
{
	numbered_free(&p->processes);
}
