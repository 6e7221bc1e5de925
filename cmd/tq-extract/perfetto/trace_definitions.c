/* trace_definitions.c - the definitions that records of a trace refer to */

#include "trace_definitions.h"
#include "tq/io/emit.h"

static void
put_id(struct output *o, enum key key, int64_t v)
{
	if (v != NO_ID)
		emit_int(o, key, v);
}

static void
put_str(struct output *o, enum key key, struct span s)
{
	if (s.len > 0)
		emit_str(o, key, s);
}

/* the lanes of a thread are tracks of one name */
static void
define_threads(const struct pftrace *p)
{
	struct output *o = p->frames;
	struct map defined = {0};

	for (size_t i = 0; i < p->tracks.all.count; i++) {
		const struct described_track *k = &p->tracks.all.all[i];

		if (k->pid == NO_ID || k->process_name.len == 0 ||
		    (*map_get(&defined, (uint64_t)k->pid, 0))++ > 0)
			continue;
		emit_open(o, KIND_process);
		emit_int(o, KEY_pid, k->pid);
		emit_str(o, KEY_name, k->process_name);
		emit_close(o);
	}
	map_clear(&defined);
	for (size_t i = 0; i < p->tracks.all.count; i++) {
		const struct described_track *k = &p->tracks.all.all[i];

		if (k->tid == NO_ID || k->name.len == 0 ||
		    (*map_get(&defined, (uint64_t)k->process,
			(uint64_t)k->tid))++ > 0)
			continue;
		emit_open(o, KIND_thread);
		put_id(o, KEY_pid, k->process);
		emit_int(o, KEY_tid, k->tid);
		emit_str(o, KEY_name, k->name);
		emit_close(o);
	}
	map_free(&defined);
}

static void
define_streams(const struct pftrace *p)
{
	struct output *o = p->frames;

	for (size_t i = 0; i < p->streams.count; i++) {
		const struct pftrace_stream *s = &p->streams.all[i];

		emit_open(o, KIND_stream);
		put_id(o, KEY_pid, s->pid);
		put_str(o, KEY_name, s->name);
		put_id(o, KEY_device, s->device);
		put_id(o, KEY_context, s->context);
		emit_int(o, KEY_stream, s->stream);
		put_str(o, KEY_flags, s->flags);
		emit_close(o);
	}
}

void
trace_definitions_write(const struct pftrace *p)
{
	struct output *o = p->frames;

	define_threads(p);
	define_streams(p);
	for (size_t i = 0; i < p->symbol_count; i++) {
		emit_open(o, KIND_symbol);
		emit_json(o, KEY_name, p->symbol_of[i].name);
		emit_int(o, KEY_id, (int64_t)i + 1);
		emit_str(
		    o, KEY_demangled, intern_text(&p->symbols, (uint32_t)i));
		emit_close(o);
	}
	for (size_t i = 0; i < p->counters.count; i++) {
		emit_open(o, KIND_counterdef);
		emit_str(o, KEY_name, intern_text(&p->counters, (uint32_t)i));
		emit_int(o, KEY_id, (int64_t)i + 1);
		put_str(o, KEY_unit, p->units[i]);
		emit_close(o);
	}
	stack_list_write(&p->stacks, o);
}
