/* lines.c - each record of a process goes to the module that writes its line */

#include <err.h>

#include "lines.h"

const char *const lines_count_names[COUNTS] = {"ranges", "marks", "API calls",
    "device operations", "OS calls", "MPI calls", "NCCL events", "samples",
    "other records"};

void
lines_note(struct lines *l, int64_t ts, int32_t tid,
    enum note_severity severity, struct span note)
{
	static const char *const severities[] = {"info", "warning", "error"};
	struct output *o =
	    out_stream_begin(l->out, KIND_diagnostic, LINE_NOTE, l->process, 0);
	struct text json = {0}; /* no escapes for the terminal */

	emit_int(o, KEY_ts, ts);
	emit_int(o, KEY_pid, l->pid);
	emit_int(o, KEY_tid, tid);
	emit_str(o, KEY_source, SPAN("tq-capture"));
	emit_str(o, KEY_severity, span_of(severities[severity]));
	emit_str(o, KEY_text, note);
	out_stream_put(l->out, ts, 0);
	if (severity == NOTE_INFO)
		return;
	text_add_json(&json, note.p, note.len);
	warnx("process %d: %.*s", l->pid, (int)json.len - 2, json.p + 1);
	text_free(&json);
}

int
lines_read_note(struct lines *l, const struct chunk *c, const struct record *r)
{
	struct record_parts x;

	if (!record_parts_parse(&x, r, sizeof(*r)) || r->domain > NOTE_ERROR)
		return 0;
	lines_note(l, clock_ns(l->clock, r->ticks), c->tid,
	    (enum note_severity)r->domain, x.text);
	return 0;
}

struct target_thread *
lines_thread(struct lines *l, const struct chunk *c)
{
	struct target_thread *t = nvtx_lines_thread(&l->annotations, c->tid);

	if (!t->is_defined)
		nvtx_lines_define(l, t,
		    (struct span){c->name, strnlen(c->name, sizeof(c->name))});
	return t;
}

int
lines_read_part(struct lines *l, const struct chunk *c, const struct record *r)
{
	struct gathered_parts *g = &l->gathered;

	if (c->type != CHUNK_NAMES)
		g = &nvtx_lines_thread(&l->annotations, c->tid)->gathered;
	record_parts_gather(g, r);
	return 0;
}

int
lines_read_name(struct lines *l, const struct chunk *c, const struct record *r)
{
	struct record_parts x;

	(void)c;
	if (!record_parts_parse_gathered(&l->gathered, &x, r))
		return LINES_GARBAGE;
	dictionary_define(&l->names, r, &x);
	return 0;
}

int
lines_read_profiler(
    struct lines *l, const struct chunk *c, const struct record *r)
{
	(void)c;
	if (l->focus->trigger == FOCUS_PROFILER)
		focus_change(l->focus, clock_ns(l->clock, r->ticks),
		    r->type == RECORD_PROFILER_START ? 1 : -1);
	return 0;
}

/* by type; one that has no function is unknown */
static const struct {
	int (*read)(
	    struct lines *l, const struct chunk *c, const struct record *r);
	uint16_t bytes; /* at least */
	uint8_t count;  /* enum count_kind */
} types[] = {
#define RECORD(TYPE, read, count) \
	[RECORD_##TYPE] = {read, sizeof(struct record), COUNT_##count},
#define NAME(TYPE, read) RECORD(TYPE, read, OTHER)
#define INSTRUMENT(TYPE, name, read, count) \
	[RECORD_##TYPE] = {read, sizeof(struct record_##name), COUNT_##count},
#define EVENT(TYPE, name, newest, oldest, kind, class, count) \
	INSTRUMENT(TYPE, name, gpu_record, count)
#define DEFINITION(TYPE, name, ...) INSTRUMENT(TYPE, name, gpu_record, OTHER)
#include "arena/records.def"
};

void
lines_dispatch(struct lines *l, const struct chunk *c, const struct record *r)
{
	int n = LINES_GARBAGE;

	if (r->type < sizeof(types) / sizeof(types[0]) &&
	    types[r->type].read != NULL &&
	    (size_t)r->words * 8 >= types[r->type].bytes)
		n = types[r->type].read(l, c, r);
	if (n == LINES_GARBAGE)
		l->garbage++;
	else
		l->counts[types[r->type].count] += n;
}

void
lines_settle(struct lines *l)
{
	l->counts[COUNT_CALLS] += gpu_settle(l);
}

void
lines_finish(struct lines *l)
{
	l->latest = clock_now(l->clock);
	l->counts[COUNT_OTHER] += gpu_finish(l);
	l->counts[COUNT_RANGES] += nvtx_lines_finish(l);
	l->counts[COUNT_OTHER] += open_calls_write(l, true);
	l->counts[COUNT_OTHER] += gil_lines_open(l);
	l->counts[COUNT_MPI] += mpi_lines_open(l);
	l->counts[COUNT_NCCL] += nccl_lines_open(l);
}

void
lines_free(struct lines *l)
{
	dictionary_free(&l->names);
	record_parts_free(&l->gathered);
	nvtx_lines_free(&l->annotations);
	map_free(&l->counters);
	gpu_free(&l->gpu);
	call_stacks_free(&l->call_stacks);
	code_map_free(&l->code);
	open_calls_free(&l->open_calls);
	python_look_free(&l->python);
	mpi_lines_free(&l->mpi);
	nccl_lines_free(&l->nccl);
}
