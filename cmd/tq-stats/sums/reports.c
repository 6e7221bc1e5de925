/*
 * reports.c - sums of API calls, of the work of devices, and of calls of the
 * host
 *
 * A record that never ended has no duration, and is in none of them.  A graph
 * that was traced as a whole is an operation too, but for nsys, which ignores
 * it.
 */

#include "tq/line/json.h"
#include "tq/line/record_args.h"
#include "tq/names/model.h"
#include "tq/names/twice.h"

#include "compat/missing.h"
#include "cuda.h"
#include "sums.h"

/* ---- CUDA ---- */

/* nsys counts the calls twice that an export has twice */
static bool
is_call(struct report *r, const struct event *ev)
{
	return api_call_is_of_gpu(ev) &&
	       (r->settings->compat || !twice_seen(r->state, ev));
}

static void
forget_calls(struct report *r)
{
	twice_reset(r->state);
}

static void
free_calls(struct report *r)
{
	twice_free(r->state);
}

/* nsys leaves out a copy in a direction that the export has no name for */
static bool
is_copy(struct report *r, const struct event *ev)
{
	if (!r->settings->compat || ev->kind != KIND_memcpy)
		return true;
	r->scratch.len = 0;
	return !missing_is(event_str(ev, KEY_copy, &r->scratch));
}

static bool
is_operation(struct report *r, const struct event *ev)
{
	if (ev->kind == KIND_api)
		return is_call(r, ev);
	if (ev->kind == KIND_memcpy)
		return is_copy(r, ev);
	return ev->kind != KIND_graph || !r->settings->compat;
}

/*
 * nsys keeps names apart that it shows as the same in cuda_api_sum and
 * osrt_sum: versions of a call, and names that are missing
 */
static struct span
version(const struct report *r, const struct event *ev, struct text *t)
{
	if (!r->settings->compat)
		return (struct span){NULL, 0};
	return event_str(ev, event_has(ev, KEY_raw) ? KEY_raw : KEY_name, t);
}

static struct span
grid(const struct report *r, const struct event *ev, struct text *t)
{
	(void)r;
	return cuda_dims_text(ev, KEY_grid, t);
}

static struct span
block(const struct report *r, const struct event *ev, struct text *t)
{
	(void)r;
	return cuda_dims_text(ev, KEY_block, t);
}

static struct span
operation(const struct report *r, const struct event *ev, struct text *t)
{
	if (ev->kind == KIND_api)
		return cuda_api_name(r, ev, t);
	if (ev->kind == KIND_kernel)
		return cuda_kernel_name(r, ev, t);
	return cuda_operation_name(ev, t);
}

static struct span
category(const struct report *r, const struct event *ev, struct text *t)
{
	(void)r, (void)t;
	switch (ev->kind) {
	case KIND_api:
		return SPAN("CUDA_API");
	case KIND_kernel:
		return SPAN("CUDA_KERNEL");
	case KIND_graph:
		return SPAN("CUDA_GRAPH");
	default:
		return SPAN("MEMORY_OPER");
	}
}

/* Of a graph that was traced as a whole; ids of two processes are one. */
static struct group **
known_graph(struct report *r, const struct event *ev)
{
	return sums_words(r, (uint64_t)event_int(ev, KEY_graph, 0), 0);
}

/* Only nsys keeps calls apart that have one name. */
static struct group **
known_call(struct report *r, const struct event *ev)
{
	return r->settings->compat ? NULL : sums_symbol(r, ev);
}

static struct group **
known_grid(struct report *r, const struct event *ev)
{
	int64_t g[3], k[3];
	uint64_t blocks, threads;

	if (!cuda_dims(ev, KEY_grid, g) || !cuda_dims(ev, KEY_block, k) ||
	    g[0] > UINT32_MAX || g[1] > UINT16_MAX || g[2] > UINT16_MAX ||
	    k[0] >= 4096 || k[1] >= 1024 || k[2] >= 1024)
		return NULL;
	blocks = (uint64_t)g[0] << 32 | (uint64_t)g[1] << 16 | (uint64_t)g[2];
	threads = (uint64_t)k[0] << 20 | (uint64_t)k[1] << 10 | (uint64_t)k[2];
	return sums_words(
	    r, (uint64_t)model_symbol(ev) << 32 | threads, blocks);
}

#define MEMORY (KINDS(memcpy) | KINDS(memset))

static const enum key all_keys[] = {KEY_ts, KEY_dur, KEY_name, KEY_sym, KEY_api,
    KEY_copy, KEY_graph, KEY_raw, KEY_NONE};

static const struct sum all_sum = {KEY_dur, "Instances",
    {{"Category", .make = category}, {"Operation", .make = operation}},
    is_operation, sums_kernel};

static void
calls_wanted(struct keyset *want)
{
	static const enum key keys[] = {TWICE_KEYS};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		keyset_add(&want[KIND_api], keys[i]);
}

#define CALLS \
	.size = sizeof(struct twice), .section_end = forget_calls, \
	.close = free_calls

const struct report_kind reports_cuda[] = {
    {.name = "cuda_api_sum",
	.question = ASKS_HOST,
	.old = "cudaapisum",
	.title = "CUDA API Summary",
	.missing = "no CUDA API call in the stream",
	.kinds = KINDS(api),
	.keys = KEYS(TWICE_KEYS, KEY_api),
	.sum = SUM(KEY_dur, "Num Calls",
	    {{"Name", .make = cuda_api_name}, {.make = version}}, is_call,
	    .known = known_call),
	CALLS},
    {.name = "cuda_gpu_kern_sum",
	.question = ASKS_DEVICES,
	.rows = KINDS(kernel),
	.old = "gpukernsum",
	.title = "CUDA GPU Kernel Summary",
	.args = "base|mangled|nvtx-name",
	.kernels = "Name",
	.missing = "no kernel in the stream",
	.kinds = KINDS(kernel),
	.keys = KEYS(KEY_ts, KEY_dur, KEY_name, KEY_sym),
	.open = cuda_nvtx_open,
	.sum = SUM(KEY_dur, "Instances", {{"Name", .make = cuda_kernel_name}},
	    .known = sums_kernel)},
    {.name = "cuda_gpu_kern_gb_sum",
	.question = ASKS_DEVICES,
	.old = "gpukerngbsum",
	.title = "CUDA GPU Kernel/Grid/Block Summary",
	.args = "base|mangled",
	.kernels = "Name",
	.missing = "no kernel in the stream",
	.kinds = KINDS(kernel),
	.keys = KEYS(KEY_ts, KEY_dur, KEY_name, KEY_sym, KEY_grid, KEY_block),
	.sum = SUM(KEY_dur, "Instances",
	    {{"GridXYZ", .make = grid}, {"BlockXYZ", .make = block},
		{"Name", .make = cuda_kernel_name}},
	    .known = known_grid)},
    {.name = "cuda_gpu_graph_sum",
	.question = ASKS_DEVICES,
	.title = "CUDA GPU Graph Summary",
	.missing = "no graph in the stream that was traced as a whole",
	.kinds = KINDS(graph),
	.keys = KEYS(KEY_ts, KEY_dur, KEY_graph),
	.sum = SUM(KEY_dur, "Launches", {{"Name", .make = operation}},
	    .known = known_graph)},
    {.name = "cuda_gpu_mem_time_sum",
	.question = ASKS_DEVICES,
	.old = "gpumemtimesum",
	.title = "CUDA GPU MemOps Summary (by Time)",
	.missing = "no memcpy or memset in the stream",
	.kinds = MEMORY,
	.keys = KEYS(KEY_ts, KEY_dur, KEY_copy),
	.sum =
	    SUM(KEY_dur, "Count", {{"Operation", .make = operation}}, is_copy)},
    {.name = "cuda_gpu_mem_size_sum",
	.question = ASKS_DEVICES,
	.old = "gpumemsizesum",
	.title = "CUDA GPU MemOps Summary (by Size)",
	.missing = "no memcpy or memset in the stream",
	.kinds = MEMORY,
	.keys = KEYS(KEY_bytes, KEY_copy),
	.sum = SUM(
	    KEY_bytes, "Count", {{"Operation", .make = operation}}, is_copy)},
    {.name = "cuda_gpu_sum",
	.question = ASKS_DEVICES,
	.old = "gpusum",
	.title = "CUDA GPU Summary (Kernels/MemOps)",
	.args = "base|mangled",
	.missing = "no operation of a device in the stream",
	.kinds = KINDS(kernel) | MEMORY | KINDS(graph),
	.keys = all_keys,
	.sum = &all_sum},
    {.name = "cuda_api_gpu_sum",
	.question = ASKS_DEVICES,
	.old = "apigpusum",
	.title = "CUDA Summary (API/Kernels/MemOps)",
	.args = "base|mangled",
	.missing =
	    "neither a CUDA API call nor a device operation in the stream",
	.kinds = KINDS(api) | KINDS(kernel) | MEMORY | KINDS(graph),
	.keys = all_keys,
	.wanted = calls_wanted,
	.sum = &all_sum,
	CALLS},
    {0},
};

/* ---- the host ---- */

static bool
is_syscall(struct report *r, const struct event *ev)
{
	static const char *const name[] = {"class"};
	struct span value;

	record_args_find(ev, name, 1, &value, &r->scratch);
	return record_args_is(value, "syscall");
}

static bool
is_os_call(struct report *r, const struct event *ev)
{
	return !is_syscall(r, ev);
}

static bool
is_openmp(struct report *r, const struct event *ev)
{
	r->scratch.len = 0;
	return span_eq(event_str(ev, KEY_api, &r->scratch), SPAN("openmp"));
}

static bool
is_openacc(struct report *r, const struct event *ev)
{
	r->scratch.len = 0;
	return span_eq(event_str(ev, KEY_api, &r->scratch), SPAN("openacc"));
}

static struct span
host_name(const struct report *r, const struct event *ev, struct text *t)
{
	return cuda_shown(r, event_str(ev, KEY_name, t));
}

/* event@file:line */
static struct span
openacc_name(const struct report *r, const struct event *ev, struct text *t)
{
	static const char *const names[] = {"srcFile", "lineNo"};
	struct span values[2];

	(void)r;
	record_args_find(ev, names, 2, values, t);
	t->len = 0;
	text_reserve(t, 1); /* so that no name is not no part */
	if (event_has(ev, KEY_name))
		json_decode(t, ev->value[KEY_name]);
	if (values[0].len > 1 && *values[0].p == '"') {
		text_add_char(t, '@');
		json_decode(t, values[0]);
		if (values[1].len > 0) {
			text_add_char(t, ':');
			text_add_span(t, values[1]);
		}
	}
	return text_span(t);
}

const struct report_kind reports_host[] = {
    {.name = "osrt_sum",
	.question = ASKS_HOST,
	.old = "osrtsum",
	.title = "OS Runtime Summary",
	.missing = "no OS runtime call in the stream",
	.kinds = KINDS(osrt),
	.keys = KEYS(KEY_ts, KEY_dur, KEY_name, KEY_args),
	.sum = SUM(KEY_dur, "Num Calls",
	    {{"Name", .make = host_name}, {.make = version}}, is_os_call,
	    .known = known_call)},
    {.name = "syscall_sum",
	.question = ASKS_HOST,
	.title = "Syscall Summary",
	.missing = "no system call in the stream",
	.kinds = KINDS(osrt),
	.keys = KEYS(KEY_ts, KEY_dur, KEY_name, KEY_args),
	.sum = SUM(KEY_dur, "Num Calls", {{"Name", KEY_name}}, is_syscall)},
    {.name = "openmp_sum",
	.question = ASKS_HOST,
	.old = "openmpevtsum",
	.title = "OpenMP Summary",
	.missing = "no event of OpenMP in the stream",
	.kinds = KINDS(api),
	.keys = KEYS(KEY_ts, KEY_dur, KEY_name, KEY_api),
	.sum = SUM(KEY_dur, "Count", {{"Name", KEY_name}}, is_openmp)},
    {.name = "openacc_sum",
	.question = ASKS_HOST,
	.old = "openaccsum",
	.title = "OpenACC Summary",
	.missing = "no event of OpenACC in the stream",
	.kinds = KINDS(api),
	.keys = KEYS(KEY_ts, KEY_dur, KEY_name, KEY_api, KEY_args),
	.sum = SUM(KEY_dur, "Num Calls", {{"Name", .make = openacc_name}},
	    is_openacc)},
    {0},
};
