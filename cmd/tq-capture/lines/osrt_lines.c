/* osrt_lines.c - calls of the C library become lines */

#include <inttypes.h>

#include "osrt_lines.h"
#include "lines.h"
#include "python_lines.h"
#include "sample_lines.h"

static const char *const names[OSRT_CALLS] = {
#define CALL(result, type, name, ...) #name,
#define OWN(name) #name,
#include "arena/osrt_calls.def"
};

/* "__read_chk", "__open_2" and "_IO_getc" are read, open and getc */
static struct span
name_of(unsigned call)
{
	struct span s = span_of(names[call]);

	if (span_begins(s, SPAN("_IO_")))
		return (struct span){s.p + 4, s.len - 4};
	if (!span_begins(s, SPAN("__")))
		return s;
	s = (struct span){s.p + 2, s.len - 2};
	while (s.len > 0 && s.p[s.len - 1] != '_')
		s.len--;
	return (struct span){s.p, s.len - (s.len > 0)};
}

void
osrt_lines_module(struct lines *l, const struct record *r)
{
	struct module_place place;
	struct record_parts x;

	if (!record_parts_parse_gathered(&l->gathered, &x, r) ||
	    x.blob.len < sizeof(place)) {
		l->garbage++;
		return;
	}
	memcpy(&place, x.blob.p, sizeof(place));
	if (x.text.p == NULL)
		x.text.p = "";
	code_map_add_module(&l->code, &l->stacks->names.modules,
	    &(struct module_key){.path = x.text,
		.device = place.device,
		.inode = place.inode,
		.start = x.id,
		.end = place.end,
		.offset = place.offset,
		.pid = l->pid});
}

static void
write_address(struct output *o, uint64_t address)
{
	emit_key(o, KEY_address);
	text_add_char(&o->buf, '"');
	text_add_hex(&o->buf, address);
	text_add_char(&o->buf, '"');
}

/*
 * The args of a call: its descriptor, unless fd is -1, and its native stack,
 * unless that is 0, where the key stack has the one of Python.
 */
static void
add_args(struct text *t, int32_t fd, int64_t native)
{
	if (fd < 0 && native <= 0)
		return;
	text_add_str(t, ",\"args\":{");
	if (fd >= 0)
		text_printf(t, "\"fd\":%d", (int)fd);
	if (native > 0)
		text_printf(
		    t, "%s\"native\":%" PRId64, fd >= 0 ? "," : "", native);
	text_add_char(t, '}');
}

static void
write_line(struct lines *l, int32_t tid, const struct record_osrt *r,
    const struct record_parts *x, int64_t native)
{
	struct output *o = &l->out->line;
	int64_t python = python_lines_stack(l, r->python);
	int64_t ts = clock_ns(l->clock, r->head.ticks);
	int64_t dur = clock_ns(l->clock, r->end) - ts;

	out_stream_begin(l->out, LINE_EVENT, l->process, 0);
	emit_open(o, KIND_osrt);
	emit_int(o, KEY_ts, ts);
	emit_int(o, KEY_dur, dur > 0 ? dur : 0);
	emit_int(o, KEY_pid, l->pid);
	emit_int(o, KEY_tid, tid);
	emit_str(o, KEY_name, name_of(r->call));
	if (r->bytes > 0)
		emit_int(o, KEY_bytes, r->bytes);
	if (r->has & OSRT_HAS_RET)
		emit_int(o, KEY_ret, r->ret);
	if (x->text.len > 0)
		emit_str(o, KEY_file, x->text);
	if (python > 0 || native > 0)
		emit_int(o, KEY_stack, python > 0 ? python : native);
	if (r->object != 0)
		write_address(o, r->object);
	add_args(&o->buf, r->fd, python > 0 ? native : 0);
	emit_close(o);
	lines_put(l, ts, dur > 0 ? dur : 0);
}

int
osrt_lines_record(struct lines *l, int32_t tid, const struct record *r)
{
	struct record_parts x;
	struct record_osrt call;

	if (!record_parts_parse(&x, r, sizeof(call))) {
		l->garbage++;
		return 0;
	}
	memcpy(&call, r, sizeof(call));
	if (call.call >= OSRT_CALLS) {
		l->garbage++;
		return 0;
	}
	open_calls_over(&l->open_calls, tid, clock_ns(l->clock, call.end));
	write_line(l, tid, &call, &x, sample_lines_stack(l, &x));
	return 1;
}
