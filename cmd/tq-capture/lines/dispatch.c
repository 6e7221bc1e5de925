/* take.c - a record of a process, told to whom it concerns */

#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "launcher/target.h"

/* a thread of which there is no chunk: what the kernel calls it */
static void
define_thread(struct target *p, int32_t tid)
{
	struct target_thread *t = nvtx_lines_thread(&p->ranges, tid);
	char file[64], name[32];
	ssize_t n = 0;
	int fd;

	if (t->is_defined)
		return;
	snprintf(file, sizeof(file), "/proc/%d/task/%d/comm", p->pid, (int)tid);
	if ((fd = open(file, O_RDONLY | O_CLOEXEC)) >= 0) {
		n = read(fd, name, sizeof(name));
		close(fd);
	}
	if (n > 0 && name[n - 1] == '\n')
		n--;
	if (n <= 0 && tid == p->pid && p->name != NULL)
		nvtx_lines_define(t, &p->from, span_of(p->name));
	else
		nvtx_lines_define(
		    t, &p->from, (struct span){name, n > 0 ? (size_t)n : 0});
}

static void
write_note(struct target *p, const struct record *r, int32_t tid)
{
	static const char *const severities[] = {"info", "warning", "error"};
	struct output *o = &p->from.out->line;
	int64_t ts = clock_ns(p->from.clock, r->ticks);
	struct record_parts x;

	if (!record_parts_parse(&x, r, sizeof(*r)) || r->domain > NOTE_ERROR)
		return;
	out_stream_begin(p->from.out, LINE_ALWAYS, p->from.process, 0);
	emit_open(o, KIND_diagnostic);
	emit_int(o, KEY_ts, ts);
	emit_int(o, KEY_pid, p->pid);
	emit_int(o, KEY_tid, tid);
	emit_str(o, KEY_source, SPAN("tq-capture"));
	emit_str(o, KEY_severity, span_of(severities[r->domain]));
	emit_str(o, KEY_text, x.text);
	emit_close(o);
	out_stream_put(p->from.out, ts, 0);
	if (r->domain > NOTE_INFO) {
		struct text json = {0}; /* no escapes for the terminal */

		text_add_json(&json, x.text.p, x.text.len);
		warnx(
		    "process %d: %.*s", p->pid, (int)json.len - 2, json.p + 1);
		text_free(&json);
	}
}

static enum count_kind
counted_as(unsigned type)
{
	switch (type) {
	case RECORD_POP:
	case RECORD_END:
		return COUNT_RANGES;
	case RECORD_MARK:
	case RECORD_COUNTER:
		return COUNT_MARKS;
	case RECORD_API:
		return COUNT_CALLS;
	case RECORD_KERNEL:
	case RECORD_MEMCPY:
	case RECORD_MEMSET:
	case RECORD_GRAPH:
		return COUNT_WORK;
	default:
		return COUNT_OTHER;
	}
}

void
lines_dispatch(struct target *p, const struct chunk *c, const struct record *r)
{
	const struct record_api *api = (const void *)r;
	const struct record_overhead *overhead = (const void *)r;
	struct target_thread *t;
	struct record_parts x;
	int n = 0;

	switch (r->type) {
	case RECORD_PART:
		record_parts_gather(
		    c->type == CHUNK_NAMES
			? &p->gather
			: &nvtx_lines_thread(&p->ranges, c->tid)->gather,
		    r);
		return;
	case RECORD_PUSH:
	case RECORD_POP:
	case RECORD_START:
	case RECORD_END:
	case RECORD_MARK:
	case RECORD_COUNTER:
	case RECORD_THREAD:
		t = nvtx_lines_thread(&p->ranges, c->tid);
		if (!t->is_defined)
			nvtx_lines_define(t, &p->from,
			    (struct span){
				c->name, strnlen(c->name, sizeof(c->name))});
		n = nvtx_lines_record(&p->ranges, t, &p->from, r);
		break;
	case RECORD_PROFILER_START:
	case RECORD_PROFILER_STOP:
		if (p->from.focus->trigger == FOCUS_PROFILER)
			focus_change(p->from.focus,
			    clock_ns(p->from.clock, r->ticks),
			    r->type == RECORD_PROFILER_START ? 1 : -1);
		break;
	case RECORD_NOTE:
		write_note(p, r, c->tid);
		break;
	case RECORD_STRING:
	case RECORD_DOMAIN:
	case RECORD_CATEGORY:
	case RECORD_SYMBOL:
	case RECORD_FUNCTION:
	case RECORD_SCHEMA:
	case RECORD_ENUM:
	case RECORD_COUNTERDEF:
		if (record_parts_parse_gathered(&p->gather, &x, r))
			dictionary_define(&p->names, r, &x);
		else
			p->garbage++;
		break;
	case RECORD_API:
		if (r->words * 8 >= (int)sizeof(struct record_api))
			define_thread(p, (int32_t)api->tid);
		n = gpu_record(&p->gpu, p->symbols, &p->from, r);
		break;
	case RECORD_OVERHEAD:
		if (r->words * 8 >= (int)sizeof(struct record_overhead))
			p->cupti += (double)clock_span(
			    p->from.clock, overhead->end - r->ticks);
		n = gpu_record(&p->gpu, p->symbols, &p->from, r);
		break;
	default:
		n = gpu_record(&p->gpu, p->symbols, &p->from, r);
	}
	p->counts[counted_as(r->type)] += n;
}
