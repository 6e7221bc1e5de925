/*
 * xprof_map.c - events of a GPU as XProf, the profiler of JAX and TensorFlow,
 * has them
 */

#include "chrome_records.h"
#include "trace_args.h"
#include "xprof_map.h"

/* take a string out of the args; empty if there is none */
static struct span
take_string(struct chrome *c, struct span name)
{
	struct json_member *a = trace_args_find(c, name);

	if (a == NULL || !lenient_is_string(a->value))
		return SPAN("");
	a->taken = true;
	return lenient_inner(a->value);
}

/* the value of a word, "regs:", in details like "regs:168 grid:64,2,1" */
static struct span
detail(struct span details, struct span word)
{
	const char *p = details.p, *end = p + details.len, *q;

	for (; p < end; p = q + 1) {
		q = memchr(p, ' ', (size_t)(end - p));
		if (q == NULL)
			q = end;
		if (span_begins((struct span){p, (size_t)(q - p)}, word))
			return (struct span){
			    p + word.len, (size_t)(q - p) - word.len};
	}
	return SPAN("");
}

static void
add_int(struct chrome *c, enum key key, struct span text)
{
	struct sorted_records *h = &c->section.records;
	int64_t v;

	if (lenient_int(text, &v))
		sorted_records_int(h, key, v);
}

/* three numbers: "64,2,1" */
static void
add_dimensions(struct chrome *c, enum key key, struct span text)
{
	struct sorted_records *h = &c->section.records;
	struct text json = {0};
	int numbers = 0;
	size_t n;

	text_add_char(&json, '[');
	while (text.len > 0) {
		const char *comma = memchr(text.p, ',', text.len);
		int64_t v;

		n = comma != NULL ? (size_t)(comma - text.p) : text.len;
		if (!lenient_int((struct span){text.p, n}, &v))
			break;
		if (numbers++ > 0)
			text_add_char(&json, ',');
		text_add_int(&json, v);
		n += comma != NULL;
		text = (struct span){text.p + n, text.len - n};
	}
	text_add_char(&json, ']');
	if (numbers == 3 && text.len == 0)
		sorted_records_json(h, key, text_span(&json));
	text_free(&json);
}

/* device, context and stream; a context is "$$1" */
static void
add_place(struct chrome *c, int64_t device, int64_t stream)
{
	struct sorted_records *h = &c->section.records;
	struct span context = take_string(c, SPAN("context_id"));

	if (span_begins(context, SPAN("$$")))
		context = (struct span){context.p + 2, context.len - 2};
	sorted_records_int(h, KEY_device, device);
	add_int(c, KEY_context, context);
	sorted_records_int(h, KEY_stream, stream);
}

static void
add_kernel(struct chrome *c, int64_t device, int64_t stream)
{
	struct sorted_records *h = &c->section.records;
	struct span d = take_string(c, SPAN("kernel_details")), base;
	int64_t sym =
	    trace_args_symbol(c, trace_args_inner(c, TRACE_NAME), &base);

	sorted_records_json(h, KEY_name, base);
	sorted_records_int(h, KEY_sym, sym);
	add_place(c, device, stream);
	add_dimensions(c, KEY_grid, detail(d, SPAN("grid:")));
	add_dimensions(c, KEY_block, detail(d, SPAN("block:")));
	add_int(c, KEY_regs, detail(d, SPAN("regs:")));
	add_int(c, KEY_smem_static, detail(d, SPAN("static_shared:")));
	add_int(c, KEY_smem_dynamic, detail(d, SPAN("dynamic_shared:")));
	sorted_records_int(
	    h, KEY_graph, trace_args_int(c, SPAN("cuda_graph_id")));
	sorted_records_int(
	    h, KEY_graph_node, trace_args_int(c, SPAN("cuda_graph_node_id")));
}

/* a kind of memory, with a capital: "pinned" is Pinned */
static void
add_memory(struct chrome *c, enum key key, struct span kind)
{
	struct sorted_records *h = &c->section.records;
	char word[16];

	if (kind.len == 0 || kind.len >= sizeof(word) ||
	    span_eq(kind, SPAN("unknown")))
		return;
	memcpy(word, kind.p, kind.len);
	if (word[0] >= 'a' && word[0] <= 'z')
		word[0] -= 'a' - 'A';
	sorted_records_value(h, key, (struct span){word, kind.len});
}

static void
add_memcpy(struct chrome *c, int64_t device, int64_t stream)
{
	struct sorted_records *h = &c->section.records;
	struct span d = take_string(c, SPAN("memcpy_details"));
	struct span name = trace_args_inner(c, TRACE_NAME);
	char copy[] = "?to?"; /* of MemcpyH2D */

	add_place(c, device, stream);
	add_int(c, KEY_bytes, detail(d, SPAN("size:")));
	if (span_begins(name, SPAN("Memcpy")) && name.len == 9 &&
	    name.p[7] == '2') {
		copy[0] = name.p[6];
		copy[3] = name.p[8];
		sorted_records_value(h, KEY_copy, span_of(copy));
	} else {
		sorted_records_value(h, KEY_copy, SPAN("Unknown"));
	}
	add_memory(c, KEY_src, detail(d, SPAN("kind_src:")));
	add_memory(c, KEY_dst, detail(d, SPAN("kind_dst:")));
}

static void
add_memset(struct chrome *c, int64_t device, int64_t stream)
{
	struct span d = take_string(c, SPAN("Memset_details"));

	add_place(c, device, stream);
	add_int(c, KEY_bytes, detail(d, SPAN("num_bytes:")));
	add_memory(c, KEY_mem, detail(d, SPAN("kind:")));
}

/* the arg of an operation, and its kind */
static const struct xprof_operation {
	const char *arg;
	enum kind kind;
	void (*add)(struct chrome *, int64_t device, int64_t stream);
} operations[] = {
    {"kernel_details", KIND_kernel, add_kernel},
    {"memcpy_details", KIND_memcpy, add_memcpy},
    {"Memset_details", KIND_memset, add_memset},
};

static bool
write_operation(struct chrome *c, int64_t ts, int64_t dur, int64_t device)
{
	struct sorted_records *h = &c->section.records;
	const struct xprof_operation *o = operations;
	const struct xprof_operation *end = o + 3;
	int64_t stream = trace_args_tid(c);
	int64_t corr;

	while (o < end && trace_args_find(c, span_of(o->arg)) == NULL)
		o++;
	if (o == end || !chrome_ids_is_stream(&c->ids, device, stream))
		return false;
	if (chrome_untimed(c, ts, dur))
		return true;
	corr = trace_args_int(c, SPAN("correlation_id"));
	chrome_records_begin(c, &(struct chrome_record){.kind = o->kind,
				    .ts = ts,
				    .dur = dur,
				    .pid = NO_ID,
				    .corr = corr,
				    .owner = OWNER_CALLER});
	sorted_records_int(h, KEY_corr, corr);
	o->add(c, device, stream);
	chrome_records_end(c);
	return true;
}

/*
 * A call has the name of its kernel; a call that launches a graph has the
 * function's.
 */
static void
write_call(struct chrome *c, int64_t ts, int64_t dur, int64_t pid)
{
	struct sorted_records *h = &c->section.records;
	int64_t tid = trace_args_tid(c);
	int64_t corr = trace_args_int(c, SPAN("correlation_id"));

	chrome_ids_thread(&c->ids, pid, tid);
	chrome_records_begin(c, &(struct chrome_record){.kind = KIND_api,
				    .ts = ts,
				    .dur = dur,
				    .pid = pid,
				    .corr = corr});
	sorted_records_int(h, KEY_tid, tid);
	sorted_records_int(h, KEY_corr, corr);
	sorted_records_value(h, KEY_name, trace_args_inner(c, TRACE_NAME));
	sorted_records_value(h, KEY_api, SPAN("xla"));
	chrome_records_end(c);
}

bool
xprof_map_complete(struct chrome *c, int64_t ts, int64_t dur)
{
	int64_t pid, device;

	if (!c->ids.xprof || c->category->name.len > 0 || dur == NEVER_ENDED ||
	    trace_args_find(c, SPAN("correlation_id")) == NULL)
		return false;
	pid = trace_args_pid(c);
	device = chrome_ids_plane(&c->ids, pid);
	if (device != NO_ID)
		return write_operation(c, ts, dur, device);
	if (trace_args_find(c, SPAN("device_id")) == NULL)
		return false;
	write_call(c, ts, dur, pid);
	return true;
}
