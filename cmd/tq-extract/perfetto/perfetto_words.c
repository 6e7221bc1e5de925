/* perfetto_words.c - what categories and arguments of a trace mean */

#include "perfetto_words.h"

/* clang-format off */
static const struct perfetto_word words[] = {
    /* rocprofv3 */
    {"kernel_dispatch", KIND_kernel, KEY_NONE, NULL},
    {"memory_copy", KIND_memcpy, KEY_NONE, NULL},
    {"hip_api", KIND_api, KEY_api, "hip"},
    {"hip_runtime_api", KIND_api, KEY_api, "hip"},
    {"hip_runtime_api_ext", KIND_api, KEY_api, "hip"},
    {"hip_compiler_api", KIND_api, KEY_api, "hip"},
    {"hip_compiler_api_ext", KIND_api, KEY_api, "hip"},
    {"hsa_api", KIND_api, KEY_api, "hsa"},
    {"hsa_core_api", KIND_api, KEY_api, "hsa"},
    {"hsa_amd_ext_api", KIND_api, KEY_api, "hsa"},
    {"hsa_image_ext_api", KIND_api, KEY_api, "hsa"},
    {"hsa_finalize_ext_api", KIND_api, KEY_api, "hsa"},
    {"rccl_api", KIND_api, KEY_api, "rccl"},
    {"rocdecode_api", KIND_api, KEY_api, "rocdecode"},
    {"rocjpeg_api", KIND_api, KEY_api, "rocjpeg"},
    {"marker_api", KIND_range, KEY_domain, "roctx"},
    {"marker_core_api", KIND_range, KEY_domain, "roctx"},
    {"marker_core_range_api", KIND_range, KEY_domain, "roctx"},
    /* PyTorch, by Kineto's words */
    {"cpu_op", KIND_range, KEY_domain, "torch"},
    {"user_annotation", KIND_range, KEY_domain, "torch"},
    {"python_function", KIND_range, KEY_domain, "python"},
    {"cuda_runtime", KIND_api, KEY_api, "cuda-runtime"},
    {"cuda_driver", KIND_api, KEY_api, "cuda-driver"},
    {"kernel", KIND_kernel, KEY_NONE, NULL},
    {"gpu_memcpy", KIND_memcpy, KEY_NONE, NULL},
    {"gpu_memset", KIND_memset, KEY_NONE, NULL},
    {"cuda_sync", KIND_sync, KEY_NONE, NULL},
    {"gpu_user_annotation", KIND_gpu_range, KEY_NONE, NULL},
    {"overhead", KIND_overhead, KEY_NONE, NULL},
};

static const struct {
	const char *name;
	enum key key;
} arguments[] = {
    {"corr_id", KEY_corr},
    {"correlation", KEY_corr},
    {"correlation_id", KEY_corr},
    {"External id", KEY_ext},
    {"device", KEY_device},
    {"context", KEY_context},
    {"stream", KEY_stream},
    {"queue", KEY_queue},
    {"tid", KEY_tid},
    {"bytes", KEY_bytes},
    {"grid", KEY_grid},
    {"block", KEY_block},
    {"registers_per_thread", KEY_regs},
    {"registers per thread", KEY_regs},
    {"shared_mem_static", KEY_smem_static},
    {"shared_mem_dynamic", KEY_smem_dynamic},
    {"shared memory", KEY_smem},
    {"graph node id", KEY_graph_node},
};

static const char *const copies[][2] = {
    {"HOST_TO_DEVICE", "HtoD"},
    {"DEVICE_TO_HOST", "DtoH"},
    {"DEVICE_TO_DEVICE", "DtoD"},
    {"HOST_TO_HOST", "HtoH"},
};
/* clang-format on */

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

const struct perfetto_word *
perfetto_words_category(struct span category)
{
	for (size_t i = 0; i < COUNT(words); i++)
		if (span_eq(category, span_of(words[i].category)))
			return &words[i];
	return NULL;
}

enum kind
perfetto_words_our_category(struct span category)
{
	if (span_eq(category, SPAN("cuda_runtime")) ||
	    span_eq(category, SPAN("cuda_driver")))
		return KIND_api;
	for (enum kind k = 0; k < KIND_COUNT; k++)
		if (schema_role(k) != ROLE_DEF &&
		    schema_role(k) != ROLE_FRAME &&
		    span_eq(category, span_of(schema_kinds[k].category)))
			return k;
	return KIND_UNKNOWN;
}

enum key
perfetto_words_key(struct span argument)
{
	for (size_t i = 0; i < COUNT(arguments); i++)
		if (span_eq(argument, span_of(arguments[i].name)))
			return arguments[i].key;
	return KEY_NONE;
}

struct span
perfetto_words_copy(struct span name)
{
	struct span word = {name.p + 7, 0};

	if (span_begins(name, SPAN("Memcpy ")))
		while (word.len < name.len - 7 && word.p[word.len] != ' ')
			word.len++;
	for (size_t i = 0; i < COUNT(copies); i++)
		if (span_ends(name, span_of(copies[i][0])))
			return span_of(copies[i][1]);
	return word;
}
