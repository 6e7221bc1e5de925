/*
 * kineto_map.c - what Kineto's categories mean: a row each
 */

#include <inttypes.h>
#include <stdio.h>
#include <strings.h>

#include "kineto_map.h"
#include "trace_args.h"
#include "tq/base/ascii.h"
#include "tq/names/api_call.h"

/* ---- categories ---- */

static const struct category_row {
	const char *name;
	enum chrome_class class;
	const char *api;
	const char *now; /* today's name of an old category */
} rows[] = {
    {"cpu_op", CLASS_CPU_OP, NULL, NULL},
    {"operator", CLASS_CPU_OP, NULL, "cpu_op"},
    {"user_annotation", CLASS_USER_ANNOTATION, NULL, NULL},
    {"python_function", CLASS_PYTHON, NULL, NULL},
    {"gpu_user_annotation", CLASS_GPU_ANNOTATION, NULL, NULL},
    {"overhead", CLASS_OVERHEAD, NULL, NULL},
    {"cpu_instant_event", CLASS_INSTANT, NULL, NULL},
    {"cuda_runtime", CLASS_API, "cuda-runtime", NULL},
    {"runtime", CLASS_API, "cuda-runtime", NULL},
    {"cuda_driver", CLASS_API, "cuda-driver", NULL},
    {"mtia_runtime", CLASS_API, "mtia", NULL},
    {"xpu_runtime", CLASS_API, "xpu", NULL},
    {"xpu_driver", CLASS_API, "xpu", NULL},
    {"hpu_runtime", CLASS_API, "hpu", NULL},
    {"privateuse1_runtime", CLASS_API, "privateuse1", NULL},
    {"privateuse1_driver", CLASS_API, "privateuse1", NULL},
    {"kernel", CLASS_KERNEL, NULL, NULL},
    {"concurrent_kernel", CLASS_KERNEL, NULL, NULL},
    {"gpu_memcpy", CLASS_MEMCPY, NULL, NULL},
    {"memcpy", CLASS_MEMCPY, NULL, NULL},
    {"gpu_memset", CLASS_MEMSET, NULL, NULL},
    {"memset", CLASS_MEMSET, NULL, NULL},
    {"cuda_sync", CLASS_SYNC, NULL, NULL},
    {"ac2g", CLASS_IMPLIED, NULL, NULL},
    {"async", CLASS_IMPLIED, NULL, NULL},
    {"async_cpu_to_gpu", CLASS_IMPLIED, NULL, NULL},
    {"async_gpu", CLASS_IMPLIED, NULL, NULL},
};

static bool
equal_without_case(struct span s, const char *word)
{
	return strlen(word) == s.len && strncasecmp(s.p, word, s.len) == 0;
}

struct chrome_category
kineto_map_category(struct span name)
{
	struct chrome_category c = {.name = name, .now = name};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (equal_without_case(name, rows[i].name)) {
			c.class = rows[i].class;
			c.api = rows[i].api;
			c.now = span_of(
			    rows[i].now != NULL ? rows[i].now : rows[i].name);
		}
	return c;
}

/* ---- args ---- */

/* three of them */
static bool
take_dimensions(struct chrome *c, struct span name, enum key key)
{
	struct sorted_records *h = &c->section.records;
	struct json_member *a = trace_args_find(c, name);
	struct lenient l;
	const char *p;
	char json[3 * TEXT_INT_MAX + 8], *to = json;
	int64_t v;

	if (a == NULL || *a->value.p != '[')
		return false;
	l = (struct lenient){a->value.p + a->value.len, false};
	p = a->value.p + 1;
	for (int i = 0; i < 3; i++) {
		const char *start = lenient_space(&l, p);

		p = lenient_value(&l, start);
		if (p == NULL ||
		    !lenient_int((struct span){start, (size_t)(p - start)}, &v))
			return false;
		*to++ = i == 0 ? '[' : ',';
		to = text_digits_int(to, v);
		p = lenient_space(&l, p);
		if (*p != (i < 2 ? ',' : ']'))
			return false;
		p++;
	}
	a->taken = true;
	*to++ = ']';
	sorted_records_json(h, key, (struct span){json, (size_t)(to - json)});
	return true;
}

static int64_t
take_ext(struct chrome *c)
{
	int64_t v = trace_args_int(c, SPAN("External id"));

	return v != NO_ID ? v : trace_args_int(c, SPAN("external id"));
}

/* ---- operations of a device ---- */

/* where an operation ran */
struct place {
	int64_t device, context, stream;
};

static struct place
take_place(struct chrome *c)
{
	struct span tid = trace_args_member(c, TRACE_TID);
	struct place p = {trace_args_int(c, SPAN("device")),
	    trace_args_int(c, SPAN("context")),
	    trace_args_int(c, SPAN("stream"))};
	struct span word = SPAN("stream ");

	if (p.device == NO_ID)
		p.device = trace_args_pid(c);
	if (p.stream == NO_ID && c->category->class != CLASS_SYNC &&
	    tid.p != NULL) {
		tid = lenient_inner(tid);
		if (span_begins(tid, word))
			tid =
			    (struct span){tid.p + word.len, tid.len - word.len};
		if (!lenient_int(tid, &p.stream))
			p.stream = NO_ID;
	}
	if (p.stream < 0)
		p.stream = NO_ID; /* -1: all of the device */
	return p;
}

static void
add_place(struct chrome *c, const struct place *p, int64_t ext)
{
	struct sorted_records *h = &c->section.records;

	sorted_records_int(h, KEY_device, p->device);
	sorted_records_int(h, KEY_context, p->context);
	sorted_records_int(h, KEY_stream, p->stream);
	sorted_records_int(h, KEY_ext, ext);
}

static void
add_kernel(struct chrome *c, const struct place *p, int64_t ext)
{
	struct sorted_records *h = &c->section.records;
	struct span base;
	int64_t sym =
	    trace_args_symbol(c, trace_args_inner(c, TRACE_NAME), &base);
	int64_t graph, node;

	sorted_records_json(h, KEY_name, base);
	sorted_records_int(h, KEY_sym, sym);
	add_place(c, p, ext);
	take_dimensions(c, SPAN("grid"), KEY_grid);
	take_dimensions(c, SPAN("block"), KEY_block);
	sorted_records_int(
	    h, KEY_regs, trace_args_int(c, SPAN("registers per thread")));
	sorted_records_int(
	    h, KEY_smem, trace_args_int(c, SPAN("shared memory")));
	graph = trace_args_int(c, SPAN("graph id"));
	node = trace_args_int(c, SPAN("graph node id"));
	if (graph > 0 && graph <= INT32_MAX && node >= 0 && node <= UINT32_MAX)
		node |= graph << 32; /* Cuspy has the place in the graph */
	if (graph != 0 || node != 0) {
		sorted_records_int(h, KEY_graph, graph);
		sorted_records_int(h, KEY_graph_node, node);
	}
}

/* "Memcpy HtoD (Pageable -> Device)" and "Memset (Device)", taken apart */
struct transfer {
	struct span copy, src, dst; /* of a memset, only src */
};

static bool
read_transfer(struct span name, bool copy, struct transfer *t)
{
	struct span word = copy ? SPAN("Memcpy ") : SPAN("Memset (");
	const char *p, *end = name.p + name.len - 1, *arrow;

	if (!span_begins(name, word) || name.len == word.len || *end != ')')
		return false;
	p = name.p + word.len;
	if (!copy) {
		t->src = (struct span){p, (size_t)(end - p)};
		return t->src.len > 0;
	}
	t->copy.p = p;
	while (p < end && *p != ' ')
		p++;
	t->copy.len = (size_t)(p - t->copy.p);
	if (end - p < 2 || p[1] != '(')
		return false;
	p += 2;
	arrow = memmem(p, (size_t)(end - p), " -> ", 4);
	if (arrow == NULL)
		return false;
	t->src = (struct span){p, (size_t)(arrow - p)};
	t->dst = (struct span){arrow + 4, (size_t)(end - arrow - 4)};
	return t->copy.len > 0 && t->src.len > 0 && t->dst.len > 0;
}

/* the kind of a transfer is left out where the name has it */
static void
take_kind(struct chrome *c, struct span said)
{
	struct json_member *a = trace_args_find(c, SPAN("kind"));

	if (a != NULL && span_eq(lenient_inner(a->value), said))
		a->taken = true;
}

static void
add_transfer(struct chrome *c, const struct place *p, int64_t ext)
{
	struct sorted_records *h = &c->section.records;
	bool copy = c->category->class == CLASS_MEMCPY;
	struct transfer t;
	bool known = read_transfer(trace_args_inner(c, TRACE_NAME), copy, &t);

	if (!known)
		sorted_records_value(
		    h, KEY_name, trace_args_inner(c, TRACE_NAME));
	add_place(c, p, ext);
	sorted_records_int(h, KEY_bytes, trace_args_int(c, SPAN("bytes")));
	if (known)
		take_kind(c, copy ? t.copy : t.src);
	if (copy)
		sorted_records_value(
		    h, KEY_copy, known ? t.copy : SPAN("Unknown"));
	if (copy && known) {
		sorted_records_value(h, KEY_src, t.src);
		sorted_records_value(h, KEY_dst, t.dst);
	} else if (known) {
		sorted_records_value(h, KEY_mem, t.src);
	}
}

/*
 * the object that was synchronised, in words of tq; others as they are, in
 * small letters
 */
static void
add_sync_kind(struct chrome *c, struct span kind)
{
	struct sorted_records *h = &c->section.records;
	static const char *const words[][2] = {{"Stream Sync", "stream"},
	    {"Event Sync", "event"}, {"Context Sync", "context"}};
	struct text lower = {0};

	for (size_t i = 0; i < 3; i++)
		if (span_eq(kind, span_of(words[i][0])))
			kind = span_of(words[i][1]);
	text_add_span(&lower, kind);
	for (size_t i = 0; i < lower.len; i++)
		if (lower.p[i] >= 'A' && lower.p[i] <= 'Z')
			lower.p[i] |= 32;
	sorted_records_value(
	    h, KEY_sync, lower.len > 0 ? text_span(&lower) : SPAN(""));
	text_free(&lower);
}

static void
add_sync(struct chrome *c, const struct place *p, int64_t ext)
{
	struct sorted_records *h = &c->section.records;
	struct json_member *kind = trace_args_find(c, SPAN("cuda_sync_kind"));

	add_place(c, p, ext);
	if (kind != NULL)
		kind->taken = true;
	add_sync_kind(c, kind != NULL ? lenient_inner(kind->value)
				      : trace_args_inner(c, TRACE_NAME));
	sorted_records_int(
	    h, KEY_event, trace_args_int(c, SPAN("wait_on_cuda_event_id")));
}

static const struct operation {
	enum kind kind;
	void (*add)(struct chrome *, const struct place *, int64_t ext);
} operations[] = {
    [CLASS_KERNEL] = {KIND_kernel, add_kernel},
    [CLASS_MEMCPY] = {KIND_memcpy, add_transfer},
    [CLASS_MEMSET] = {KIND_memset, add_transfer},
    [CLASS_SYNC] = {KIND_sync, add_sync},
};

static void
write_operation(struct chrome *c, int64_t ts, int64_t dur)
{
	struct sorted_records *h = &c->section.records;
	const struct operation *o = &operations[c->category->class];
	int64_t corr = trace_args_int(c, SPAN("correlation")),
		ext = take_ext(c);
	struct place p = take_place(c);

	chrome_records_begin(c, &(struct chrome_record){.kind = o->kind,
				    .ts = ts,
				    .dur = dur,
				    .pid = NO_ID,
				    .corr = corr,
				    .owner = OWNER_CALLER});
	sorted_records_int(h, KEY_corr, corr);
	o->add(c, &p, ext);
	sorted_records_open(h);
	chrome_records_end(c);
}

/* ---- the host ---- */

/* the name without the version of its entry point: cudaMalloc_v3020 */
static struct span
without_version(struct span name)
{
	size_t n = name.len;

	while (n > 0 && ascii_is_digit(name.p[n - 1]))
		n--;
	if (n < name.len && n > 2 && memcmp(name.p + n - 2, "_v", 2) == 0)
		name.len = n - 2;
	return name;
}

static void
write_call(struct chrome *c, int64_t ts, int64_t dur)
{
	struct sorted_records *h = &c->section.records;
	struct span raw = trace_args_inner(c, TRACE_NAME),
		    name = without_version(raw);
	const char *api = c->category->api;
	int64_t pid = trace_args_pid(c);
	int64_t tid = trace_args_tid(c);
	int64_t corr = trace_args_int(c, SPAN("correlation")),
		ext = take_ext(c);

	/* AMD's calls have the category of CUDA's */
	if (strcmp(api, "cuda-runtime") == 0 &&
	    api_call_of(raw).family == API_HIP)
		api = "hip";
	chrome_ids_thread(&c->ids, pid, tid);
	chrome_records_begin(c, &(struct chrome_record){.kind = KIND_api,
				    .ts = ts,
				    .dur = dur,
				    .pid = pid,
				    .corr = corr});
	sorted_records_int(h, KEY_tid, tid);
	sorted_records_int(h, KEY_corr, corr);
	sorted_records_value(h, KEY_name, name);
	sorted_records_value(h, KEY_api, span_of(api));
	sorted_records_int(h, KEY_ext, ext);
	if (name.len < raw.len)
		sorted_records_value(h, KEY_raw, raw);
	sorted_records_open(h);
	chrome_records_end(c);
}

static void
write_overhead(struct chrome *c, int64_t ts, int64_t dur)
{
	struct sorted_records *h = &c->section.records;
	int64_t pid = trace_args_pid(c);
	int64_t corr = trace_args_int(c, SPAN("correlation")),
		ext = take_ext(c);
	bool named = pid != NO_ID && pid >= 0; /* else: -1 */

	chrome_records_begin(c, &(struct chrome_record){.kind = KIND_overhead,
				    .ts = ts,
				    .dur = dur,
				    .pid = named ? pid : NO_ID,
				    .corr = corr,
				    .owner = named ? OWNER_PID : OWNER_CALLER});
	sorted_records_int(h, KEY_corr, corr);
	sorted_records_value(h, KEY_name, trace_args_inner(c, TRACE_NAME));
	sorted_records_int(h, KEY_ext, ext);
	sorted_records_open(h);
	sorted_records_value(h, KEY_what, trace_args_inner(c, TRACE_NAME));
	chrome_records_end(c);
}

static void
write_gpu_range(struct chrome *c, int64_t ts, int64_t dur)
{
	struct sorted_records *h = &c->section.records;
	struct place p = take_place(c);
	int64_t ext = take_ext(c);

	chrome_records_begin(c, &(struct chrome_record){.kind = KIND_gpu_range,
				    .ts = ts,
				    .dur = dur,
				    .pid = NO_ID,
				    .corr = NO_ID,
				    .owner = OWNER_CALLER});
	sorted_records_value(h, KEY_name, trace_args_inner(c, TRACE_NAME));
	sorted_records_int(h, KEY_device, p.device);
	sorted_records_int(h, KEY_stream, p.stream);
	sorted_records_int(h, KEY_ext, ext);
	sorted_records_value(h, KEY_domain, SPAN("torch"));
	sorted_records_value(h, KEY_category, c->category->now);
	chrome_records_end(c);
}

static void
write_range(struct chrome *c, int64_t ts, int64_t dur)
{
	struct sorted_records *h = &c->section.records;
	bool python = c->category->class == CLASS_PYTHON;
	int64_t pid = trace_args_pid(c);
	int64_t tid = trace_args_tid(c);
	int64_t corr = trace_args_int(c, SPAN("correlation")),
		ext = take_ext(c);

	chrome_ids_thread(&c->ids, pid, tid);
	chrome_records_begin(c, &(struct chrome_record){.kind = KIND_range,
				    .ts = ts,
				    .dur = dur,
				    .pid = pid,
				    .corr = corr,
				    .owner = python ? OWNER_HOST : OWNER_PID});
	sorted_records_int(h, KEY_tid, tid);
	sorted_records_int(h, KEY_corr, corr);
	sorted_records_value(h, KEY_name, trace_args_inner(c, TRACE_NAME));
	sorted_records_int(h, KEY_id, ++c->ranges);
	sorted_records_int(h, KEY_ext, ext);
	sorted_records_value(h, KEY_mode, SPAN("push"));
	sorted_records_value(
	    h, KEY_domain, python ? SPAN("python") : SPAN("torch"));
	sorted_records_value(h, KEY_category, c->category->now);
	sorted_records_open(h);
	chrome_records_end(c);
}

bool
kineto_map_complete(struct chrome *c, int64_t ts, int64_t dur)
{
	switch (c->category->class) {
	case CLASS_KERNEL:
	case CLASS_MEMCPY:
	case CLASS_MEMSET:
	case CLASS_SYNC:
		if (!chrome_untimed(c, ts, dur))
			write_operation(c, ts, dur);
		return true;
	case CLASS_API:
		write_call(c, ts, dur);
		return true;
	case CLASS_CPU_OP:
	case CLASS_USER_ANNOTATION:
	case CLASS_PYTHON:
		write_range(c, ts, dur);
		return true;
	case CLASS_OVERHEAD:
		write_overhead(c, ts, dur);
		return true;
	case CLASS_GPU_ANNOTATION:
		write_gpu_range(c, ts, dur);
		return true;
	default:
		return false;
	}
}

/* ---- instants ---- */

/* the memory of the caching allocator, which is taken or given back */
static void
add_memory(struct chrome *c, int64_t bytes)
{
	struct sorted_records *h = &c->section.records;
	struct json_member *type = trace_args_find(c, SPAN("Device Type"));
	int64_t device = trace_args_int(c, SPAN("Device Id")), where = 0;
	int64_t address = trace_args_int(c, SPAN("Addr"));
	char hex[24];

	if (type == NULL || !lenient_int(type->value, &where))
		type = NULL;
	if (device >= 0 && type != NULL && where != 0)
		sorted_records_int(h, KEY_device, device);
	sorted_records_int(h, KEY_bytes, bytes < 0 ? 0 - bytes : bytes);
	if (type != NULL)
		sorted_records_value(
		    h, KEY_mem, where == 0 ? SPAN("Host") : SPAN("Device"));
	if (address != NO_ID) {
		snprintf(hex, sizeof(hex), "%#" PRIx64, (uint64_t)address);
		sorted_records_value(h, KEY_address, span_of(hex));
	}
	sorted_records_value(
	    h, KEY_op, bytes >= 0 ? SPAN("alloc") : SPAN("free"));
	sorted_records_value(h, KEY_pool, SPAN("torch"));
}

bool
kineto_map_instant(struct chrome *c, int64_t ts)
{
	struct sorted_records *h = &c->section.records;
	int64_t pid, tid, bytes;

	if (!span_eq(trace_args_inner(c, TRACE_NAME), SPAN("[memory]")) ||
	    (bytes = trace_args_int(c, SPAN("Bytes"))) == NO_ID)
		return false;
	pid = trace_args_pid(c);
	tid = trace_args_tid(c);
	chrome_ids_thread(&c->ids, pid, tid);
	chrome_records_begin(c, &(struct chrome_record){.kind = KIND_alloc,
				    .ts = ts,
				    .dur = NO_ID,
				    .pid = pid,
				    .corr = NO_ID});
	sorted_records_int(h, KEY_tid, tid);
	add_memory(c, bytes);
	chrome_records_end(c);
	return true;
}
