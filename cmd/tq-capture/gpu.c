/* gpu.c - the records of CUPTI as lines */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tq/line/cuda_words.h"
#include "tq/base/mem.h"

#include "demangle.h"
#include "gpu_line.h"

enum { HELD_MAX = 16 << 20 }; /* bytes of records that wait */

/* enumerations of CUPTI (cupti_activity.h), in the words of nsys exports */

static const char *const copy_kinds[] = {
#define COPY(cupti, nsys, word, name) [cupti] = word,
#include "tq/cuda.def"
};

static const char *const memory_kinds[] = {
#define MEMORY(cupti, nsys, word) [cupti] = word,
#include "tq/cuda.def"
};

static const char *const sync_types[] = {
#define SYNC(cupti, nsys, word) [cupti] = word,
#include "tq/cuda.def"
};

static const char *const launch_types[] = {
#define LAUNCH(cupti, nsys, word) [cupti] = word,
#include "tq/cuda.def"
};

static const char *const alloc_ops[] = {
#define MEMORY_OP(cupti, nsys, word) [cupti] = word,
#include "tq/cuda.def"
};

static const char *const pool_ops[] = {
#define POOL_OP(cupti, nsys, word) [cupti] = word,
#include "tq/cuda.def"
};

static const char *const pool_types[] = {NULL, "Local", "Imported"};

static const struct {
	uint32_t kind;
	const char *name;
} overheads[] = {
#define OVERHEAD(cupti, nsys, word) {cupti, word},
#define OVERHEAD_CUPTI(cupti, word) {cupti, word},
#include "tq/cuda.def"
};

/* ---- parts of lines ---- */

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
put_hex(struct output *o, enum key key, uint64_t v)
{
	emit_key(o, key);
	text_add_char(&o->buf, '"');
	text_add_hex(&o->buf, v);
	text_add_char(&o->buf, '"');
}

/* graph nodes and the like may be wider than numbers in JSON are exact */
static void
put_wide(struct output *o, enum key key, uint64_t v)
{
	if (v != 0)
		emit_int(o, key, (int64_t)(v & ((UINT64_C(1) << 53) - 1)));
}

struct times {
	int64_t ts, dur;
};

static struct times
times_of(const struct source *from, uint64_t start, uint64_t end)
{
	struct times t = {clock_ns(from->clock, start), 0};

	if (end > start)
		t.dur = clock_ns(from->clock, end) - t.ts;
	return t;
}

/* {"kind":...,"ts":...,"dur":...,"pid":...,"corr":... */
static void
begin(const struct source *from, enum line_class which, enum kind kind,
    struct times t, uint32_t tid, uint32_t corr)
{
	struct output *o = &from->out->line;

	stream_begin(from->out, which, from->process, corr);
	emit_open(o, kind);
	emit_int(o, KEY_ts, t.ts);
	emit_int(o, KEY_dur, t.dur);
	emit_int(o, KEY_pid, from->pid);
	gpu_put_nonzero(o, KEY_tid, tid);
	gpu_put_nonzero(o, KEY_corr, corr);
}

static int
end(const struct source *from, struct times t)
{
	emit_close(&from->out->line);
	stream_put(from->out, t.ts, t.dur);
	return 1;
}

/* ---- kernels ---- */

static void
write_symbol(struct symbols *symbols, const struct source *from, struct name *n)
{
	struct output *o = &from->out->line;
	char *full = demangle(n->text.p);
	struct span name = full != NULL ? span_of(full) : n->text;
	uint64_t hash = span_hash(n->text);
	uint64_t *at = map_get(&symbols->by_name, hash, from->out->id);

	n->base = full != NULL ? demangle_base(name) : demangle_source(n->text);
	if (n->base.len == 0)
		n->base = name;
	n->base.p = mem_copy(n->base.p, n->base.len);
	if (*at == 0) {
		*at = (uint64_t)++symbols->count;
		emit_open(o, KIND_symbol);
		emit_str(o, KEY_name, n->base);
		emit_int(o, KEY_id, symbols->count);
		emit_str(o, KEY_demangled, name);
		emit_str(o, KEY_mangled, n->text);
		emit_close(o);
		stream_define(from->out);
	}
	n->number = (int64_t)*at;
	free(full);
}

static int
kernel(struct symbols *symbols, const struct source *from,
    const struct record *rec)
{
	const struct record_kernel *k = (const void *)rec;
	struct output *o = &from->out->line;
	struct times t = times_of(from, rec->ticks, k->end);
	struct name *n =
	    k->symbol != 0
		? names_find(from->names, RECORD_SYMBOL, 0, k->symbol)
		: names_at(from->names, RECORD_SYMBOL, k->address);

	if (n != NULL && n->number == 0)
		write_symbol(symbols, from, n);
	begin(from, LINE_WORK, KIND_kernel, t, 0, k->corr);
	if (n != NULL) {
		emit_str(o, KEY_name, n->base);
		emit_int(o, KEY_sym, n->number);
	} else {
		emit_str(o, KEY_name, SPAN("unknown kernel"));
	}
	gpu_put_place(from, k->device, k->context, k->stream);
	put_dims(o, KEY_grid, k->grid);
	put_dims(o, KEY_block, k->block);
	if (k->cluster[0] > 0)
		put_dims(o, KEY_cluster, k->cluster);
	emit_int(o, KEY_regs, k->regs);
	emit_int(o, KEY_smem_static, k->smem_static);
	emit_int(o, KEY_smem_dynamic, k->smem_dynamic);
	gpu_put_nonzero(o, KEY_local, (int64_t)k->local);
	put_wide(o, KEY_graph, k->graph);
	put_wide(o, KEY_graph_node, k->graph_node);
	gpu_put_word(o, KEY_launch, WORD(launch_types, k->launch));
	return end(from, t);
}

/* ---- other operations ---- */

static int
memcpy_(const struct source *from, const struct record *rec)
{
	const struct record_memcpy *m = (const void *)rec;
	struct output *o = &from->out->line;
	struct times t = times_of(from, rec->ticks, m->end);

	begin(from, LINE_WORK, KIND_memcpy, t, 0, m->corr);
	gpu_put_place(from, m->device, m->context, m->stream);
	emit_int(o, KEY_bytes, (int64_t)m->bytes);
	gpu_put_word(o, KEY_copy, WORD(copy_kinds, m->copy));
	gpu_put_word(o, KEY_src, WORD(memory_kinds, m->src));
	gpu_put_word(o, KEY_dst, WORD(memory_kinds, m->dst));
	gpu_put_known(o, KEY_src_device, m->src_device);
	gpu_put_known(o, KEY_dst_device, m->dst_device);
	put_wide(o, KEY_graph_node, m->graph_node);
	return end(from, t);
}

static int
memset_(const struct source *from, const struct record *rec)
{
	const struct record_memset *m = (const void *)rec;
	struct output *o = &from->out->line;
	struct times t = times_of(from, rec->ticks, m->end);

	begin(from, LINE_WORK, KIND_memset, t, 0, m->corr);
	gpu_put_place(from, m->device, m->context, m->stream);
	emit_int(o, KEY_bytes, (int64_t)m->bytes);
	emit_int(o, KEY_fill, m->value);
	gpu_put_word(o, KEY_mem, WORD(memory_kinds, m->mem));
	put_wide(o, KEY_graph_node, m->graph_node);
	return end(from, t);
}

static int
graph(const struct source *from, const struct record *rec)
{
	const struct record_graph *g = (const void *)rec;
	struct times t = times_of(from, rec->ticks, g->end);

	begin(from, LINE_WORK, KIND_graph, t, 0, g->corr);
	gpu_put_place(from, g->device, g->context, g->stream);
	put_wide(&from->out->line, KEY_graph, g->graph);
	return end(from, t);
}

static int
sync(const struct gpu *g, const struct source *from, const struct record *rec)
{
	const struct record_sync *s = (const void *)rec;
	struct output *o = &from->out->line;
	struct times t = times_of(from, rec->ticks, s->end);

	begin(from, LINE_WORK, KIND_sync, t, 0, s->corr);
	gpu_put_place(
	    from, gpu_device_of(g, s->context), s->context, s->stream);
	gpu_put_word(o, KEY_sync, WORD(sync_types, s->sync));
	gpu_put_known(o, KEY_event, s->event);
	return end(from, t);
}

static int
event(const struct gpu *g, const struct source *from, const struct record *rec)
{
	const struct record_event *e = (const void *)rec;
	struct output *o = &from->out->line;
	int64_t ts = clock_ns(from->clock, rec->ticks);

	stream_begin(from->out, LINE_WORK, from->process, e->corr);
	emit_open(o, KIND_sync);
	emit_int(o, KEY_ts, ts);
	emit_int(o, KEY_pid, from->pid);
	gpu_put_nonzero(o, KEY_corr, e->corr);
	gpu_put_place(
	    from, gpu_device_of(g, e->context), e->context, e->stream);
	gpu_put_word(o, KEY_sync, "event record");
	gpu_put_known(o, KEY_event, e->event);
	return end(from, (struct times){ts, 0});
}

static int
alloc(const struct source *from, const struct record *rec)
{
	const struct record_alloc *a = (const void *)rec;
	struct output *o = &from->out->line;
	int64_t ts = clock_ns(from->clock, rec->ticks);

	stream_begin(from->out, LINE_EVENT, from->process, 0);
	emit_open(o, KIND_alloc);
	emit_int(o, KEY_ts, ts);
	emit_int(o, KEY_pid, from->pid);
	gpu_put_nonzero(o, KEY_corr, a->corr);
	gpu_put_place(from, a->device, a->context, a->stream);
	emit_int(o, KEY_bytes, (int64_t)a->bytes);
	gpu_put_word(o, KEY_mem, WORD(memory_kinds, a->mem));
	put_hex(o, KEY_address, a->address);
	if (a->op >= ALLOC_POOL)
		gpu_put_word(o, KEY_op, WORD(pool_ops, a->op - ALLOC_POOL));
	else
		gpu_put_word(o, KEY_op, WORD(alloc_ops, a->op));
	gpu_put_word(o, KEY_pool, WORD(pool_types, a->pool_type));
	if (a->pool != 0) {
		text_add_str(
		    &o->buf, ",\"args\":{\"localMemoryPoolAddress\":\"");
		text_add_hex(&o->buf, a->pool);
		text_add_str(&o->buf, "\"}");
	}
	return end(from, (struct times){ts, 0});
}

static int
overhead(const struct source *from, const struct record *rec)
{
	const struct record_overhead *v = (const void *)rec;
	struct times t = times_of(from, rec->ticks, v->end);
	const char *what = "Unknown";

	for (size_t i = 0; i < sizeof(overheads) / sizeof(overheads[0]); i++)
		if (overheads[i].kind == v->what)
			what = overheads[i].name;
	begin(from, LINE_EVENT, KIND_overhead, t, v->tid, 0);
	gpu_put_word(&from->out->line, KEY_what, what);
	return end(from, t);
}

/* ---- calls ---- */

static int
api(const struct source *from, const struct record *rec)
{
	const struct record_api *a = (const void *)rec;
	struct output *o = &from->out->line;
	struct times t = times_of(from, rec->ticks, a->end);
	const struct name *n = names_find(from->names, RECORD_FUNCTION, 0,
	    (uint64_t)a->source << 32 | a->callback);
	struct span name = {NULL, 0};
	char unknown[32];

	begin(from, a->source == API_DRIVER ? LINE_DRIVER : LINE_API, KIND_api,
	    t, a->tid, a->corr);
	if (n != NULL) {
		name = cuda_words_function(n->text);
		emit_str(o, KEY_name, name);
	} else {
		snprintf(
		    unknown, sizeof(unknown), "call %" PRIu32, a->callback);
		emit_str(o, KEY_name, span_of(unknown));
	}
	gpu_put_word(o, KEY_api,
	    a->source == API_RUNTIME ? "cuda-runtime" : "cuda-driver");
	emit_int(o, KEY_ret, a->ret);
	if (n != NULL && name.len != n->text.len)
		emit_json(o, KEY_raw, n->json);
	return end(from, t);
}

/* those of a context that is not known wait: their device is its */
static bool
hold(struct gpu *g, const struct record *rec, uint32_t context)
{
	if (gpu_device_of(g, context) != UINT32_MAX || g->held.len > HELD_MAX)
		return false;
	text_add(&g->held, (const char *)rec, (size_t)rec->words * 8);
	return true;
}

int
gpu_release(struct gpu *g, const struct source *from, bool is_over)
{
	size_t n, left = 0;
	int count = 0;

	for (size_t at = 0; at < g->held.len; at += n) {
		const struct record *rec = (const void *)(g->held.p + at);
		bool is_sync = rec->type == RECORD_SYNC;
		uint32_t context =
		    is_sync ? ((const struct record_sync *)(const void *)rec)
				  ->context
			    : ((const struct record_event *)(const void *)rec)
				  ->context;

		n = (size_t)rec->words * 8;
		if (is_over || gpu_device_of(g, context) != UINT32_MAX) {
			count +=
			    is_sync ? sync(g, from, rec) : event(g, from, rec);
			continue;
		}
		memmove(g->held.p + left, rec, n);
		left += n;
	}
	g->held.len = left;
	if (is_over)
		gpu_define_rest(g, from);
	return count;
}

int
gpu_record(struct gpu *g, struct symbols *symbols, const struct source *from,
    const struct record *rec)
{
	static const size_t fixed[] = {
	    [RECORD_KERNEL] = sizeof(struct record_kernel),
	    [RECORD_MEMCPY] = sizeof(struct record_memcpy),
	    [RECORD_MEMSET] = sizeof(struct record_memset),
	    [RECORD_SYNC] = sizeof(struct record_sync),
	    [RECORD_GRAPH] = sizeof(struct record_graph),
	    [RECORD_API] = sizeof(struct record_api),
	    [RECORD_ALLOC] = sizeof(struct record_alloc),
	    [RECORD_OVERHEAD] = sizeof(struct record_overhead),
	    [RECORD_DEVICE] = sizeof(struct record_device),
	    [RECORD_CONTEXT] = sizeof(struct record_context),
	    [RECORD_STREAM] = sizeof(struct record_stream),
	    [RECORD_EVENT] = sizeof(struct record_event),
	};
	const void *p = rec;

	if (rec->type >= sizeof(fixed) / sizeof(fixed[0]) ||
	    fixed[rec->type] > (size_t)rec->words * 8)
		return 0;
	switch (rec->type) {
	case RECORD_KERNEL:
		return kernel(symbols, from, rec);
	case RECORD_MEMCPY:
		return memcpy_(from, rec);
	case RECORD_MEMSET:
		return memset_(from, rec);
	case RECORD_SYNC:
		return hold(g, rec, ((const struct record_sync *)p)->context)
			   ? 0
			   : sync(g, from, rec);
	case RECORD_GRAPH:
		return graph(from, rec);
	case RECORD_API:
		return api(from, rec);
	case RECORD_ALLOC:
		return alloc(from, rec);
	case RECORD_OVERHEAD:
		return overhead(from, rec);
	case RECORD_DEVICE:
		return gpu_device(g, from, rec);
	case RECORD_CONTEXT:
		gpu_context(g, from, rec);
		return gpu_release(g, from, false);
	case RECORD_STREAM:
		return gpu_stream(g, from, rec);
	case RECORD_OBJECT:
		return gpu_object(g, from, rec);
	case RECORD_EVENT:
		return hold(g, rec, ((const struct record_event *)p)->context)
			   ? 0
			   : event(g, from, rec);
	default:
		return 0;
	}
}

void
gpu_free(struct gpu *g)
{
	map_free(&g->defined);
	map_free(&g->device_of);
	for (size_t i = 0; i < g->stream_count; i++)
		text_free(&g->streams[i].name);
	free(g->streams);
	text_free(&g->held);
}
