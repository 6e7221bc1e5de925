/*
 * cuda.c - sums of calls of CUDA, and of what they did on devices
 *
 * What never ended has no duration, and is in none of them.  Executions of
 * graphs that were traced as a whole are operations too, but for nsys, which
 * does not see them.
 */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "cuda.h"
#include "cuda_sums.h"

/* ---- groups ---- */

static void
key_begin(struct cuda_sums *s, const char *category)
{
	s->key.len = s->t.len = 0;
	if (category != NULL)
		groups_part(&s->key, span_of(category));
}

/* category, when not NULL, is the first part of the key */
static void
add_api(struct report *r, const struct event *ev, const char *category)
{
	struct cuda_sums *s = r->state;

	if (!cuda_is_call(ev))
		return;
	key_begin(s, category);
	groups_part(&s->key, cuda_api_name(r, ev, &s->t));
	if (r->ask->compat) /* nsys keeps versions apart, but for the eye */
		groups_part(&s->key, event_str(ev, KEY_raw, &s->t));
	cuda_sums_add(groups_get(&s->gs, text_span(&s->key)), ev);
}

static void
add_kernel(struct report *r, const struct event *ev, const char *category)
{
	struct cuda_sums *s = r->state;
	uint64_t *slot = NULL;
	struct group *g;

	if (event_has(ev, KEY_sym)) {
		slot =
		    map_get(&s->known, (uint64_t)event_int(ev, KEY_sym, 0), 0);
		if (*slot != 0) {
			cuda_sums_add((struct group *)(uintptr_t)*slot, ev);
			return;
		}
	}
	key_begin(s, category);
	groups_part(&s->key, cuda_kernel_name(r, ev, &s->t));
	g = groups_get(&s->gs, text_span(&s->key));
	if (slot != NULL)
		*slot = (uint64_t)(uintptr_t)g;
	cuda_sums_add(g, ev);
}

static void
add_operation(struct report *r, const struct event *ev, const char *category)
{
	struct cuda_sums *s = r->state;

	if (ev->kind == KIND_graph) {
		if (r->ask->compat)
			return;
		category = "CUDA_GRAPH";
	}
	key_begin(s, category);
	groups_part(&s->key, cuda_operation_name(ev, &s->t));
	cuda_sums_add(groups_get(&s->gs, text_span(&s->key)), ev);
}

/* ---- cuda_gpu_kern_sum ---- */

static void
kern_event(struct report *r, const struct event *ev)
{
	if (ev->kind == KIND_kernel && event_has(ev, KEY_dur))
		add_kernel(r, ev, NULL);
}

/* ---- cuda_gpu_kern_gb_sum ---- */

/* grid, block and symbol in two words; false if they do not fit */
static bool
pack(const struct event *ev, uint64_t *a, uint64_t *b)
{
	int64_t g[3], k[3], sym = event_int(ev, KEY_sym, -1);

	if (!cuda_dims(ev, KEY_grid, g) || !cuda_dims(ev, KEY_block, k))
		return false;
	*a = (uint64_t)g[0] << 32 | (uint64_t)g[1] << 16 | (uint64_t)g[2];
	*b = (uint64_t)sym << 32 | (uint64_t)k[0] << 20 | (uint64_t)k[1] << 10 |
	     (uint64_t)k[2];
	return g[0] <= UINT32_MAX && g[1] <= UINT16_MAX && g[2] <= UINT16_MAX &&
	       k[0] < 4096 && k[1] < 1024 && k[2] < 1024 && sym >= 0 &&
	       sym <= UINT32_MAX;
}

static void
gb_event(struct report *r, const struct event *ev)
{
	struct cuda_sums *s = r->state;
	uint64_t a, b, *slot = NULL;
	struct group *g;

	if (!event_has(ev, KEY_dur))
		return;
	if (pack(ev, &a, &b)) {
		slot = map_get(&s->known, a, b);
		if (*slot != 0) {
			cuda_sums_add((struct group *)(uintptr_t)*slot, ev);
			return;
		}
	}
	key_begin(s, NULL);
	groups_part(&s->key, cuda_dims_text(ev, KEY_grid, &s->t));
	groups_part(&s->key, cuda_dims_text(ev, KEY_block, &s->t));
	groups_part(&s->key, cuda_kernel_name(r, ev, &s->t));
	g = groups_get(&s->gs, text_span(&s->key));
	if (slot != NULL)
		*slot = (uint64_t)(uintptr_t)g;
	cuda_sums_add(g, ev);
}

/* ---- the others ---- */

static void
api_event(struct report *r, const struct event *ev)
{
	if (event_has(ev, KEY_dur))
		add_api(r, ev, NULL);
}

static void
time_event(struct report *r, const struct event *ev)
{
	if (event_has(ev, KEY_dur))
		add_operation(r, ev, NULL);
}

static void
size_event(struct report *r, const struct event *ev)
{
	struct cuda_sums *s = r->state;

	key_begin(s, NULL);
	groups_part(&s->key, cuda_operation_name(ev, &s->t));
	dist_add(&groups_get(&s->gs, text_span(&s->key))->values,
	    event_int(ev, KEY_bytes, 0));
}

static void
all_event(struct report *r, const struct event *ev)
{
	if (!event_has(ev, KEY_dur))
		return;
	if (ev->kind == KIND_api)
		add_api(r, ev, "CUDA_API");
	else if (ev->kind == KIND_kernel)
		add_kernel(r, ev, "CUDA_KERNEL");
	else
		add_operation(r, ev, "MEMORY_OPER");
}

static void
section_end(struct report *r)
{
	struct cuda_sums *s = r->state;

	cuda_nvtx_section_end(s);
	map_clear(&s->known);
}

/* ---- tables ---- */

static void
table(struct report *r, struct table *t, const char *count,
    const char *const *labels)
{
	struct cuda_sums *s = r->state;

	groups_table(&s->gs, t, count, labels, r);
}

static void
api_table(struct report *r, struct table *t)
{
	table(r, t, "Num Calls", (const char *const[]){"Name", NULL});
}

static void
kern_table(struct report *r, struct table *t)
{
	table(r, t, "Instances", (const char *const[]){"Name", NULL});
}

/* without calls no kernel can be in a range */
static void
nvtx_table(struct report *r, struct table *t)
{
	if (r->correlated)
		kern_table(r, t);
}

static void
gb_table(struct report *r, struct table *t)
{
	table(r, t, "Instances",
	    (const char *const[]){"GridXYZ", "BlockXYZ", "Name", NULL});
}

static void
time_table(struct report *r, struct table *t)
{
	table(r, t, "Count", (const char *const[]){"Operation", NULL});
}

static void
all_table(struct report *r, struct table *t)
{
	table(r, t, "Instances",
	    (const char *const[]){"Category", "Operation", NULL});
}

static void
size_table(struct report *r, struct table *t)
{
	static const char *const names[5] = {
	    "Avg", "Med", "Min", "Max", "StdDev"};
	static const char *const more[4] = {"P50", "P90", "P95", "P99"};
	static const unsigned permille[4] = {500, 900, 950, 990};
	struct groups *gs = &((struct cuda_sums *)r->state)->gs;

	groups_sort(gs);
	table_column(t, "Total", UNIT_SIZE);
	table_column(t, "Count", UNIT_NONE);
	groups_columns(t, names, UNIT_SIZE);
	for (size_t i = 0; r->pct && i < 4; i++)
		table_column(t, more[i], UNIT_SIZE);
	table_text_column(t, "Operation");
	for (size_t n = 0; n < gs->count; n++) {
		struct group *g = gs->all[n];

		table_int(t, (int64_t)g->values.sum);
		table_int(t, (int64_t)g->values.count);
		groups_cells(t, &g->values);
		for (size_t i = 0; r->pct && i < 4; i++)
			table_int(t, dist_quantile(&g->values, permille[i]));
		table_text(t, groups_key(g, 0));
	}
}

static struct groups *
groups_of(const struct report *r)
{
	return &((struct cuda_sums *)r->state)->gs;
}

static void
close_sums(struct report *r)
{
	struct cuda_sums *s = r->state;

	groups_free(&s->gs);
	map_free(&s->known);
	text_free(&s->key);
	text_free(&s->t);
	cuda_nvtx_free(s);
}

/* ---- the reports ---- */

static const enum key api_keys[] = {
    KEY_ts, KEY_dur, KEY_name, KEY_api, KEY_raw, KEY_NONE};
static const enum key kern_keys[] = {
    KEY_ts, KEY_dur, KEY_name, KEY_sym, KEY_NONE};
static const enum key nvtx_keys[] = {KEY_ts, KEY_dur, KEY_pid, KEY_tid,
    KEY_name, KEY_sym, KEY_api_ts, KEY_api_dur, KEY_range, KEY_id, KEY_open,
    KEY_end_tid, KEY_NONE};
static const enum key gb_keys[] = {
    KEY_ts, KEY_dur, KEY_name, KEY_sym, KEY_grid, KEY_block, KEY_NONE};
static const enum key time_keys[] = {KEY_ts, KEY_dur, KEY_copy, KEY_NONE};
static const enum key size_keys[] = {KEY_bytes, KEY_copy, KEY_NONE};
static const enum key all_keys[] = {KEY_ts, KEY_dur, KEY_name, KEY_sym, KEY_api,
    KEY_copy, KEY_graph, KEY_raw, KEY_NONE};

#define MEMORY (KINDS(memcpy) | KINDS(memset))
#define COMMON \
	.size = sizeof(struct cuda_sums), .section_end = section_end, \
	.close = close_sums, .groups = groups_of

/* What cuda_gpu_kern_sum:nvtx-name is. */
static const struct report_kind kern_nvtx = {
    COMMON,
    .name = "cuda_gpu_kern_sum",
    .title = "CUDA GPU Kernel Summary",
    .missing = "no kernel with its call in the stream",
    .correlated = true,
    .kinds = KINDS(kernel) | KINDS(range),
    .keys = nvtx_keys,
    .event = cuda_nvtx_event,
    .table = nvtx_table,
};

static void
kern_open(struct report *r)
{
	if (r->arg != NULL && strcmp(r->arg, "nvtx-name") == 0)
		r->kind = &kern_nvtx;
}

const struct report_kind report_cuda[] = {
    {COMMON, .name = "cuda_api_sum", .old = "cudaapisum",
	.title = "CUDA API Summary", .missing = "no CUDA call in the stream",
	.kinds = KINDS(api), .keys = api_keys, .event = api_event,
	.table = api_table},
    {COMMON, .name = "cuda_gpu_kern_sum", .old = "gpukernsum",
	.title = "CUDA GPU Kernel Summary", .args = "base|mangled|nvtx-name",
	.missing = "no kernel in the stream", .open = kern_open,
	.kinds = KINDS(kernel), .keys = kern_keys, .event = kern_event,
	.table = kern_table},
    {COMMON, .name = "cuda_gpu_kern_gb_sum", .old = "gpukerngbsum",
	.title = "CUDA GPU Kernel/Grid/Block Summary", .args = "base|mangled",
	.missing = "no kernel in the stream", .kinds = KINDS(kernel),
	.keys = gb_keys, .event = gb_event, .table = gb_table},
    {COMMON, .name = "cuda_gpu_mem_time_sum", .old = "gpumemtimesum",
	.title = "CUDA GPU MemOps Summary (by Time)",
	.missing = "no copy or fill of memory in the stream", .kinds = MEMORY,
	.keys = time_keys, .event = time_event, .table = time_table},
    {COMMON, .name = "cuda_gpu_mem_size_sum", .old = "gpumemsizesum",
	.title = "CUDA GPU MemOps Summary (by Size)",
	.missing = "no copy or fill of memory in the stream", .kinds = MEMORY,
	.keys = size_keys, .event = size_event, .table = size_table},
    {COMMON, .name = "cuda_gpu_sum", .old = "gpusum",
	.title = "CUDA GPU Summary (Kernels/MemOps)", .args = "base|mangled",
	.missing = "no operation of a device in the stream",
	.kinds = KINDS(kernel) | MEMORY | KINDS(graph), .keys = all_keys,
	.event = all_event, .table = all_table},
    {COMMON, .name = "cuda_api_gpu_sum", .old = "apigpusum",
	.title = "CUDA Summary (API/Kernels/MemOps)", .args = "base|mangled",
	.missing =
	    "neither a CUDA call nor an operation of a device in the stream",
	.kinds = KINDS(api) | KINDS(kernel) | MEMORY | KINDS(graph),
	.keys = all_keys, .event = all_event, .table = all_table},
    {0},
};
