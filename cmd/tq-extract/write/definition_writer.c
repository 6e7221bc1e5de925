/* definition_writer.c - records in front of events */

#include "definition_writer.h"
#include "tq/io/emit.h"

static size_t
write_text(struct output *o, enum key key, struct span s)
{
	return s.len > 0 ? emit_str(o, key, s) : 0;
}

static void
write_digits(struct output *o, enum key key, const int64_t *v)
{
	char digits[TEXT_INT_MAX];

	if (v != NULL)
		emit_str(o, key,
		    (struct span){digits,
			(size_t)(text_digits_int(digits, *v) - digits)});
}

static void
write_members(
    struct output *o, enum key key, const char *brackets, struct span members)
{
	emit_key(o, key);
	text_add_char(&o->buf, brackets[0]);
	text_add_span(&o->buf, members);
	text_add_char(&o->buf, brackets[1]);
}

size_t
definition_writer_trace(struct output *o, const struct trace_record *t)
{
	size_t bad = 0;

	emit_open(o, KIND_trace);
	emit_int(o, KEY_version, EMIT_VERSION);
	emit_str(o, KEY_source, t->source);
	bad += write_text(o, KEY_producer, t->producer);
	bad += write_text(o, KEY_schema, t->schema);
	write_digits(o, KEY_origin_utc_ns, t->origin_utc);
	write_digits(o, KEY_origin_clock, t->origin_clock);
	bad += write_text(o, KEY_os, t->os);
	bad += write_text(o, KEY_command, t->command);
	bad += write_text(o, KEY_clock, t->clock);
	bad += write_text(o, KEY_host, t->host);
	if (t->rank != NULL)
		emit_int(o, KEY_rank, *t->rank);
	if (t->mesh != NULL)
		mesh_emit(o, t->mesh);
	if (t->args.len > 0)
		write_members(o, KEY_args, "{}", t->args);
	emit_close(o);
	o->lines = 0;
	return bad;
}

void
definition_writer_stack(struct output *o, int64_t id, struct span frames)
{
	emit_open(o, KIND_stack);
	emit_int(o, KEY_id, id);
	write_members(o, KEY_frames, "[]", frames);
	emit_close(o);
}
