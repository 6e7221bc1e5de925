/*
 * gpu.c - records of CUPTI become lines: see arena/records.def for the members
 * of a record, and the order in which they are written
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tq/base/cpp_name.h"
#include "tq/base/array.h"
#include "tq/line/cuda_words.h"

#include "demangle.h"
#include "lines.h"

enum { WAITING_MAX = 16 << 20 }; /* bytes */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- values of members ---- */

static inline void
put_int(struct output *o, enum key key, int64_t v)
{
	emit_int(o, key, v);
}

static inline void
put_nonzero(struct output *o, enum key key, int64_t v)
{
	if (v != 0)
		emit_int(o, key, v);
}

/* an id, which is UINT32_MAX where CUPTI has none */
static inline void
put_known(struct output *o, enum key key, uint32_t id)
{
	if (id != UINT32_MAX)
		emit_int(o, key, id);
}

/*
 * ids of graphs and nodes, cut to the bits that a number in JSON holds exactly
 */
static inline void
put_wide(struct output *o, enum key key, uint64_t v)
{
	if (v != 0)
		emit_int(o, key, (int64_t)(v & ((UINT64_C(1) << 53) - 1)));
}

static void
put_hex(struct output *o, enum key key, uint64_t v)
{
	emit_key(o, key);
	text_add_char(&o->buf, '"');
	text_add_hex(&o->buf, v);
	text_add_char(&o->buf, '"');
}

static void
put_dims(struct output *o, enum key key, const int32_t *v)
{
	struct text *t = &o->buf;

	emit_key(o, key);
	for (int i = 0; i < 3; i++) {
		text_add_char(t, i == 0 ? '[' : ',');
		text_add_int(t, v[i]);
	}
	text_add_char(t, ']');
}

static void
put_some_dims(struct output *o, enum key key, const int32_t *v)
{
	if (v[0] > 0)
		put_dims(o, key, v);
}

static void
put_pool_address(struct output *o, enum key key, uint64_t v)
{
	if (v == 0)
		return;
	emit_key(o, key);
	text_add_str(&o->buf, "{\"localMemoryPoolAddress\":\"");
	text_add_hex(&o->buf, v);
	text_add_str(&o->buf, "\"}");
}

static void
put_word(struct output *o, enum key key, const char *word)
{
	if (word != NULL)
		emit_str(o, key, span_of(word));
}

/*
 * put_NAME writes the word for a number of an enumeration of CUPTI; nothing for
 * a number that has none.  The words are those of cuda.def.
 */
#define WORDS(name) \
	static void put_##name(struct output *o, enum key key, uint32_t v) \
	{ \
		put_word(o, key, v < COUNT(name##s) ? name##s[v] : NULL); \
	}

static const char *const copy_kinds[] = {
#define COPY(cupti, nsys, word, name) [cupti] = (word),
#include "tq/cuda.def"
};
WORDS(copy_kind)

static const char *const memory_kinds[] = {
#define MEMORY(cupti, nsys, word) [cupti] = (word),
#include "tq/cuda.def"
};
WORDS(memory_kind)

static const char *const sync_types[] = {
#define SYNC(cupti, nsys, word) [cupti] = (word),
#include "tq/cuda.def"
};
WORDS(sync_type)

static const char *const launch_types[] = {
#define LAUNCH(cupti, nsys, word) [cupti] = (word),
#include "tq/cuda.def"
};
WORDS(launch_type)

static const char *const alloc_ops[] = {
#define MEMORY_OP(cupti, nsys, word) [cupti] = (word),
#include "tq/cuda.def"
};
WORDS(alloc_op)

static const char *const pool_ops[] = {
#define POOL_OP(cupti, nsys, word) [cupti] = (word),
#include "tq/cuda.def"
};
WORDS(pool_op)

static const char *const pool_types[] = {NULL, "Local", "Imported"};
WORDS(pool_type)

static const char *const stream_flags[] = {
#define STREAM_FLAG(cupti, word) [cupti] = (word),
#include "tq/cuda.def"
};
WORDS(stream_flag)

/* these numbers are too wide for an array */
static void
put_overhead_kind(struct output *o, enum key key, uint32_t v)
{
	static const struct {
		uint32_t kind;
		const char *word;
	} words[] = {
#define OVERHEAD(cupti, nsys, word) {cupti, (word)},
#define OVERHEAD_CUPTI(cupti, word) {cupti, (word)},
#include "tq/cuda.def"
	};
	const char *word = "Unknown";

	for (size_t i = 0; i < COUNT(words); i++)
		if (words[i].kind == v)
			word = words[i].word;
	put_word(o, key, word);
}

/* ---- definitions ---- */

enum defined { DEFINED_DEVICE, DEFINED_CONTEXT, DEFINED_STREAM };

/* true the first time */
static bool
is_new(struct gpu *g, enum defined what, uint64_t id)
{
	uint64_t *at = map_get(&g->defined, what, id);

	return (*at)++ == 0;
}

/* UINT32_MAX: not known yet */
static uint32_t
device_of(const struct gpu *g, uint32_t context)
{
	const uint64_t *at = map_find(&g->device_of, context, 0);

	return at != NULL ? (uint32_t)(*at - 1) : UINT32_MAX;
}

static void
put_uuid(struct output *o, const uint8_t *u)
{
	char text[40];

	snprintf(text, sizeof(text),
	    "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x"
	    "%02x",
	    u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10],
	    u[11], u[12], u[13], u[14], u[15]);
	put_word(o, KEY_uuid, text);
}

static void
define_device(struct lines *l, const struct record_device *d)
{
	struct output *o = &l->out->line;
	struct record_parts x;
	char cc[24];

	if (!record_parts_parse(&x, &d->head, sizeof(*d)) ||
	    !is_new(&l->gpu, DEFINED_DEVICE, d->device))
		return;
	emit_open(o, KIND_device);
	emit_int(o, KEY_pid, l->pid);
	if (x.text.len > 0)
		emit_str(o, KEY_name, x.text);
	emit_int(o, KEY_device, d->device);
	put_uuid(o, d->uuid);
	put_nonzero(o, KEY_sms, d->sms);
	put_nonzero(o, KEY_memory, (int64_t)d->memory);
	snprintf(
	    cc, sizeof(cc), "%" PRIu32 ".%" PRIu32, d->cc_major, d->cc_minor);
	put_word(o, KEY_cc, cc);
	put_word(o, KEY_vendor, "nvidia");
	out_stream_define(l->out);
}

static void
write_stream(struct lines *l, struct gpu_stream *s)
{
	const struct record_stream *r = &s->record;
	struct output *o = &l->out->line;

	emit_open(o, KIND_stream);
	emit_int(o, KEY_pid, l->pid);
	if (s->name.len > 0)
		emit_str(o, KEY_name, text_span(&s->name));
	put_nonzero(o, KEY_priority, r->priority);
	put_known(o, KEY_device, device_of(&l->gpu, r->context));
	put_known(o, KEY_context, r->context);
	put_known(o, KEY_stream, r->stream);
	put_stream_flag(o, KEY_flags, r->flags);
	out_stream_define(l->out);
	s->is_written = true;
}

/* and the streams that waited for it */
static void
define_context(struct lines *l, const struct record_context *c)
{
	struct output *o = &l->out->line;
	struct gpu *g = &l->gpu;

	*map_get(&g->device_of, c->context, 0) = (uint64_t)c->device + 1;
	if (!is_new(g, DEFINED_CONTEXT, c->context))
		return;
	emit_open(o, KIND_context);
	emit_int(o, KEY_pid, l->pid);
	emit_int(o, KEY_device, c->device);
	emit_int(o, KEY_context, c->context);
	out_stream_define(l->out);
	for (size_t i = 0; i < g->stream_count; i++)
		if (g->streams[i].is_known &&
		    g->streams[i].record.context == c->context)
			write_stream(l, &g->streams[i]);
}

/* the stream of that number: any, or one that only has a name; else a new one
 */
static struct gpu_stream *
find_stream(struct gpu *g, uint32_t stream, bool any)
{
	struct gpu_stream *s;

	for (size_t i = 0; i < g->stream_count; i++)
		if (g->streams[i].record.stream == stream &&
		    (any || !g->streams[i].is_known))
			return &g->streams[i];
	s = array_add(&g->streams, &g->stream_count, &g->stream_cap);
	*s = (struct gpu_stream){.record = {.stream = stream}};
	return s;
}

static void
define_stream(struct lines *l, const struct record_stream *r)
{
	struct gpu *g = &l->gpu;
	struct gpu_stream *s;

	if (!is_new(g, DEFINED_STREAM, (uint64_t)r->context << 32 | r->stream))
		return;
	s = find_stream(g, r->stream, false);
	s->record = *r;
	s->is_known = true;
	/* else its context comes in another buffer */
	if (device_of(g, r->context) != UINT32_MAX)
		write_stream(l, s);
}

/*
 * true if several contexts have a stream of that number: NVTX has no context
 * with it
 */
static bool
is_ambiguous(const struct gpu *g, uint64_t stream)
{
	size_t n = 0;

	for (size_t i = 0; i < g->stream_count; i++)
		n += g->streams[i].is_known &&
		     g->streams[i].record.stream == stream;
	return n > 1;
}

/* NVTX names an object of CUDA: streams have numbers of CUPTI */
int
gpu_name_object(struct lines *l, const struct chunk *c, const struct record *r)
{
	struct gpu_stream *s;
	struct record_parts x;

	(void)c;
	if (!record_parts_parse(&x, r, sizeof(*r)) ||
	    !(r->flags & FLAG_RANGE) ||
	    (r->domain != OBJECT_CU_STREAM &&
		r->domain != OBJECT_CUDA_STREAM) ||
	    is_ambiguous(&l->gpu, x.range))
		return 0;
	s = find_stream(&l->gpu, (uint32_t)x.range, true);
	s->name.len = 0;
	text_add_span(&s->name, x.text);
	if (s->is_written)
		write_stream(l, s);
	return 0;
}

static void
define_symbol(struct lines *l, struct named_id *n)
{
	struct output *o = &l->out->line;
	char *full = demangle(n->text.p);
	struct span name = full != NULL ? span_of(full) : n->text;
	uint64_t *at =
	    map_get(&l->ids->symbol_ids, span_hash(n->text), l->out->id);

	n->base = full != NULL ? cpp_name_base(name) : demangle_source(n->text);
	if (n->base.len == 0)
		n->base = name;
	n->base = region_copy(&l->names.region, n->base);
	if (*at == 0) {
		*at = (uint64_t)++l->ids->symbols;
		emit_open(o, KIND_symbol);
		emit_str(o, KEY_name, n->base);
		emit_int(o, KEY_id, l->ids->symbols);
		emit_str(o, KEY_demangled, name);
		emit_str(o, KEY_mangled, n->text);
		out_stream_define(l->out);
	}
	n->number = (int64_t)*at;
	free(full);
}

/* the symbol of the kernel is defined before its line begins */
static void
find_symbol(struct lines *l, const struct record_kernel *k)
{
	struct named_id *n =
	    k->symbol != 0
		? dictionary_find(&l->names, RECORD_SYMBOL, 0, k->symbol)
		: dictionary_find_address(&l->names, RECORD_SYMBOL, k->address);

	if (n != NULL && n->number == 0)
		define_symbol(l, n);
	l->gpu.symbol = n;
}

/* ---- hooks: members of a line that no row describes ---- */

static void
write_symbol(struct lines *l, const struct record_kernel *k)
{
	struct output *o = &l->out->line;
	const struct named_id *n = l->gpu.symbol;

	(void)k;
	if (n != NULL) {
		emit_str(o, KEY_name, n->base);
		emit_int(o, KEY_sym, n->number);
	} else {
		emit_str(o, KEY_name, SPAN("unknown kernel"));
	}
}

static const struct named_id *
find_function(const struct lines *l, uint32_t source, uint32_t callback)
{
	return dictionary_find(
	    &l->names, RECORD_FUNCTION, 0, (uint64_t)source << 32 | callback);
}

struct span
gpu_call_name(const struct lines *l, enum api_source source, uint32_t callback,
    char to[GPU_CALL_NAME])
{
	const struct named_id *n = find_function(l, source, callback);

	if (n != NULL)
		return cuda_words_function(n->text);
	snprintf(to, GPU_CALL_NAME, "call %" PRIu32, callback);
	return span_of(to);
}

static void
write_call(struct lines *l, const struct record_api *a)
{
	struct output *o = &l->out->line;
	const struct named_id *n = find_function(l, a->source, a->callback);
	int64_t python = l->gpu.stacks[CALL_PYTHON];
	int64_t native = l->gpu.stacks[CALL_NATIVE];
	char unknown[GPU_CALL_NAME];
	struct span name = gpu_call_name(l, a->source, a->callback, unknown);

	emit_str(o, KEY_name, name);
	put_word(o, KEY_api,
	    a->source == API_RUNTIME ? "cuda-runtime" : "cuda-driver");
	emit_int(o, KEY_ret, a->ret);
	if (n != NULL && name.len != n->text.len)
		emit_json(o, KEY_raw, n->json);
	put_nonzero(o, KEY_stack, python > 0 ? python : native);
	if (python > 0 && native > 0)
		text_printf(
		    &o->buf, ",\"args\":{\"native\":%" PRId64 "}", native);
}

/* The record that nsys has for it; a node id loses its bits above 53, as the
   graph_node of a kernel does. */
static void
write_node_creation(struct lines *l, const struct record_node *n)
{
	struct output *o = &l->out->line;
	const uint64_t exact = (UINT64_C(1) << 53) - 1;

	put_word(o, KEY_name, "Graph Node Creation");
	put_word(o, KEY_api, "cuda-graph");
	text_printf(
	    &o->buf, ",\"args\":{\"graphNodeId\":%" PRIu64, n->node & exact);
	if (n->original != 0)
		text_printf(&o->buf, ",\"originalGraphNodeId\":%" PRIu64,
		    n->original & exact);
	text_add_char(&o->buf, '}');
}

static void
write_tid_and_cost(struct lines *l, const struct record_overhead *v)
{
	put_nonzero(&l->out->line, KEY_tid, v->tid);
	l->overhead += (double)clock_span(l->clock, v->end - v->head.ticks);
}

static void
write_device_of_sync(struct lines *l, const struct record_sync *s)
{
	put_known(&l->out->line, KEY_device, device_of(&l->gpu, s->context));
}

static void
write_device_of_event(struct lines *l, const struct record_cuda_event *e)
{
	put_known(&l->out->line, KEY_device, device_of(&l->gpu, e->context));
}

static void
write_event_record(struct lines *l, const struct record_cuda_event *e)
{
	(void)e;
	put_word(&l->out->line, KEY_sync, "event record");
}

static void
write_no_memory_kind(struct lines *l, const struct record_pool *p)
{
	(void)p;
	put_word(&l->out->line, KEY_mem, "Unknown");
}

/* ---- events ---- */

/* write_members_NAME: the members of a line behind its pid */
#define EVENT(TYPE, name, ...) \
	static void write_members_##name( \
	    struct lines *l, const struct record *record) \
	{ \
		const struct record_##name *r = (const void *)record; \
		struct output *o = &l->out->line;
#define CORR(from) put_nonzero(o, KEY_corr, r->corr);
#define FIELD(type, member, from, how, key) put_##how(o, KEY_##key, r->member);
#define DIMS(member, from, how, key) put_##how(o, KEY_##key, r->member);
#define HOOK(name) write_##name(l, r);
#define END_EVENT(name) }
#include "arena/records.def"

/* by type */
static const struct {
	void (*write_members)(struct lines *l, const struct record *r);
	enum kind kind;
	enum line_class class;
	bool lasts;
} rows[RECORD_CUPTI_END] = {
/* clang-format off */
#define EVENT(TYPE, name, newest, oldest, kind, class, count) \
	[RECORD_##TYPE] = {write_members_##name, KIND_##kind, LINE_##class,
#define TIMES(start, end) .lasts = true,
#define END_EVENT(name) },
/* clang-format on */
#include "arena/records.def"
};

static int
write_event(struct lines *l, const struct record *r)
{
	const struct record_event *e = (const struct record_event *)r;
	const struct record_api *api = (const struct record_api *)r;
	enum line_class class = rows[r->type].class;
	int64_t ts = clock_ns(l->clock, r->ticks), dur = 0;
	struct output *o;

	if (r->type == RECORD_API) {
		class = api->source == API_DRIVER ? LINE_DRIVER : class;
		call_stacks_take(l, api, l->gpu.stacks);
	}
	if (rows[r->type].lasts && e->end > r->ticks)
		dur = clock_ns(l->clock, e->end) - ts;
	o = out_stream_begin(
	    l->out, rows[r->type].kind, class, l->process, e->corr);
	emit_int(o, KEY_ts, ts);
	if (rows[r->type].lasts)
		emit_int(o, KEY_dur, dur);
	emit_int(o, KEY_pid, l->pid);
	rows[r->type].write_members(l, r);
	out_stream_put(l->out, ts, dur);
	return 1;
}

/* ---- records that wait for their context, which has the device ---- */

static bool
waits(const struct gpu *g, const struct record *r)
{
	uint32_t context;

	if (r->type == RECORD_SYNC)
		context = ((const struct record_sync *)r)->context;
	else if (r->type == RECORD_CUDA_EVENT)
		context = ((const struct record_cuda_event *)r)->context;
	else
		return false;
	return device_of(g, context) == UINT32_MAX;
}

/* records that wait no more, or all; returns how many */
static int
release(struct lines *l, bool all)
{
	struct gpu *g = &l->gpu;
	size_t n, left = 0;
	int count = 0;

	for (size_t at = 0; at < g->waiting.len; at += n) {
		const struct record *r = (const void *)(g->waiting.p + at);

		n = (size_t)r->words * 8;
		if (all || !waits(g, r)) {
			count += write_event(l, r);
			continue;
		}
		memmove(g->waiting.p + left, r, n);
		left += n;
	}
	g->waiting.len = left;
	return count;
}

int
gpu_record(struct lines *l, const struct chunk *c, const struct record *r)
{
	struct gpu *g = &l->gpu;

	(void)c;
	switch (r->type) {
	case RECORD_DEVICE:
		define_device(l, (const void *)r);
		return 0;
	case RECORD_CONTEXT:
		define_context(l, (const void *)r);
		return release(l, false);
	case RECORD_STREAM:
		define_stream(l, (const void *)r);
		return 0;
	case RECORD_KERNEL:
		find_symbol(l, (const void *)r);
		break;
	case RECORD_API:
		nvtx_lines_define_thread(
		    l, (int32_t)((const struct record_api *)r)->tid);
		if (call_stacks_hold(l, (const void *)r))
			return 0;
		break;
	default:
		break;
	}
	if (waits(g, r) && g->waiting.len <= WAITING_MAX) {
		text_add(&g->waiting, (const char *)r, (size_t)r->words * 8);
		return 0;
	}
	return write_event(l, r);
}

int
gpu_settle(struct lines *l)
{
	return call_stacks_release(l, false, write_event);
}

int
gpu_finish(struct lines *l)
{
	struct gpu *g = &l->gpu;
	int n = release(l, true) + call_stacks_release(l, true, write_event);

	for (size_t i = 0; i < g->stream_count; i++)
		if (g->streams[i].is_known && !g->streams[i].is_written)
			write_stream(l, &g->streams[i]);
	return n;
}

void
gpu_free(struct gpu *g)
{
	map_free(&g->defined);
	map_free(&g->device_of);
	for (size_t i = 0; i < g->stream_count; i++)
		text_free(&g->streams[i].name);
	free(g->streams);
	text_free(&g->waiting);
}
