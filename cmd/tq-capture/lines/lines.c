/* lines.c - each record of a process goes to the module that writes its line */

#include <err.h>

#include "gil_lines.h"
#include "lines.h"
#include "sample_lines.h"

const char *const lines_count_names[COUNTS] = {"ranges", "marks", "API calls",
    "device operations", "OS calls", "MPI calls", "NCCL events", "samples",
    "other records"};

void
lines_note(struct lines *l, int64_t ts, int32_t tid,
    enum note_severity severity, struct span note)
{
	static const char *const severities[] = {"info", "warning", "error"};
	struct output *o = &l->out->line;
	struct text json = {0}; /* no escapes for the terminal */

	out_stream_begin(l->out, LINE_NOTE, l->process, 0);
	emit_open(o, KIND_diagnostic);
	emit_int(o, KEY_ts, ts);
	emit_int(o, KEY_pid, l->pid);
	emit_int(o, KEY_tid, tid);
	emit_str(o, KEY_source, SPAN("tq-capture"));
	emit_str(o, KEY_severity, span_of(severities[severity]));
	emit_str(o, KEY_text, note);
	emit_close(o);
	out_stream_put(l->out, ts, 0);
	if (severity == NOTE_INFO)
		return;
	text_add_json(&json, note.p, note.len);
	warnx("process %d: %.*s", l->pid, (int)json.len - 2, json.p + 1);
	text_free(&json);
}

static void
write_note(struct lines *l, const struct record *r, int32_t tid)
{
	struct record_parts x;

	if (record_parts_parse(&x, r, sizeof(*r)) && r->domain <= NOTE_ERROR)
		lines_note(l, clock_ns(l->clock, r->ticks), tid,
		    (enum note_severity)r->domain, x.text);
}

static enum count_kind
count_kind_of(unsigned type)
{
	static const uint8_t kinds[] = {
	    /* enum count_kind + 1 */
	    [RECORD_POP] = COUNT_RANGES + 1,
	    [RECORD_END] = COUNT_RANGES + 1,
	    [RECORD_MARK] = COUNT_MARKS + 1,
	    [RECORD_COUNTER] = COUNT_MARKS + 1,
	    [RECORD_OSRT] = COUNT_OSRT + 1,
	    [RECORD_MPI] = COUNT_MPI + 1,
	    [RECORD_NCCL] = COUNT_NCCL + 1,
	    [RECORD_NCCL_END] = COUNT_NCCL + 1,
	    [RECORD_SAMPLE] = COUNT_SAMPLES + 1,
#define EVENT(TYPE, name, newest, oldest, kind, class, count) \
	[RECORD_##TYPE] = COUNT_##count + 1,
#include "arena/records.def"
	};

	return type < sizeof(kinds) && kinds[type] != 0
		   ? (enum count_kind)(kinds[type] - 1)
		   : COUNT_OTHER;
}

/* the thread of a chunk, with its definition if this is its first record */
static struct target_thread *
thread_of(struct lines *l, const struct chunk *c)
{
	struct target_thread *t = nvtx_lines_thread(&l->annotations, c->tid);

	if (!t->is_defined)
		nvtx_lines_define(l, t,
		    (struct span){c->name, strnlen(c->name, sizeof(c->name))});
	return t;
}

static void
gather_part(struct lines *l, const struct chunk *c, const struct record *r)
{
	struct gathered_parts *g = &l->gathered;

	if (c->type != CHUNK_NAMES)
		g = &nvtx_lines_thread(&l->annotations, c->tid)->gathered;
	record_parts_gather(g, r);
}

static void
define_name(struct lines *l, const struct record *r)
{
	struct record_parts x;

	if (record_parts_parse_gathered(&l->gathered, &x, r))
		dictionary_define(&l->names, r, &x);
	else
		l->garbage++;
}

static void
change_focus(struct lines *l, const struct record *r)
{
	if (l->focus->trigger == FOCUS_PROFILER)
		focus_change(l->focus, clock_ns(l->clock, r->ticks),
		    r->type == RECORD_PROFILER_START ? 1 : -1);
}

void
lines_dispatch(struct lines *l, const struct chunk *c, const struct record *r)
{
	int n = 0;

	switch (r->type) {
	case RECORD_PART:
		gather_part(l, c, r);
		return;
	case RECORD_PUSH:
	case RECORD_POP:
	case RECORD_START:
	case RECORD_END:
	case RECORD_MARK:
	case RECORD_COUNTER:
	case RECORD_THREAD:
		n = nvtx_lines_record(l, thread_of(l, c), r);
		break;
	case RECORD_OSRT:
		n = osrt_lines_record(l, thread_of(l, c)->tid, r);
		break;
	case RECORD_API_STACK:
		call_stacks_add(l, r);
		break;
	case RECORD_GIL:
		n = gil_lines_record(l, thread_of(l, c)->tid, r);
		break;
	case RECORD_SAMPLE:
		n = sample_lines_record(l, thread_of(l, c)->tid, r);
		break;
	case RECORD_MPI:
		n = mpi_lines_record(l, thread_of(l, c)->tid, r);
		break;
	case RECORD_NCCL:
	case RECORD_NCCL_END:
		n = nccl_lines_record(l, thread_of(l, c)->tid, r);
		break;
	case RECORD_MODULE:
		osrt_lines_module(l, r);
		break;
	case RECORD_PROFILER_START:
	case RECORD_PROFILER_STOP:
		change_focus(l, r);
		break;
	case RECORD_NOTE:
		write_note(l, r, c->tid);
		break;
	default:
		if (r->type >= RECORD_STRING && r->type <= RECORD_PYTHON_STACK)
			define_name(l, r);
		else
			n = gpu_record(l, r);
	}
	l->counts[count_kind_of(r->type)] += n;
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
