/* call_line.c - the line of a call of a thread */

#include "lines.h"

/* ---- args ---- */

static void
add_name(struct text *t, const char *name)
{
	if (t->p[t->len - 1] != '{')
		text_add_char(t, ',');
	text_add_char(t, '"');
	text_add_str(t, name);
	text_add_str(t, "\":");
}

void
call_line_number(struct text *t, const char *name, int64_t number, bool has)
{
	if (!has)
		return;
	add_name(t, name);
	text_add_int(t, number);
}

void
call_line_string(struct text *t, const char *name, struct span s)
{
	if (s.len == 0)
		return;
	add_name(t, name);
	text_add_json(t, s.p, s.len);
}

/* its native stack is there if the key stack has Python's */
static bool
has_native(const struct call_line *c)
{
	return c->python > 0 && c->native > 0;
}

/* -1 is none, as of mmap() without a file */
static bool
has_descriptor(const int32_t *fd)
{
	return fd != NULL && *fd >= 0;
}

static bool
has_args(const struct call_line *c)
{
	return has_descriptor(c->fd) || has_descriptor(c->to) || c->owner > 0 ||
	       c->source.len > 0 || has_native(c);
}

static void
write_args(struct output *o, const struct call_line *c)
{
	struct text *t = &o->buf;

	emit_key(o, KEY_args);
	text_add_char(t, '{');
	if (has_descriptor(c->fd))
		call_line_number(t, "fd", *c->fd, true);
	if (has_descriptor(c->to))
		call_line_number(t, "to", *c->to, true);
	call_line_string(t, "to_file", c->to_file);
	call_line_number(t, "owner", c->owner, c->owner > 0);
	call_line_number(t, "native", c->native, has_native(c));
	call_line_string(t, "source", c->source);
	text_add_char(t, '}');
}

/* ---- the line ---- */

static void
write_address(struct output *o, uint64_t address)
{
	emit_key(o, KEY_address);
	text_add_char(&o->buf, '"');
	text_add_hex(&o->buf, address);
	text_add_char(&o->buf, '"');
}

void
call_line_begin(struct lines *l, const struct call_line *c)
{
	struct output *o = lines_begin(l, c->kind, c->ts, c->dur, c->tid);
	int64_t stack = c->python > 0 ? c->python : c->native;

	emit_str(o, KEY_name, c->name);
	if (c->api != NULL)
		emit_str(o, KEY_api, span_of(c->api));
	if (c->bytes != NULL)
		emit_int(o, KEY_bytes, *c->bytes);
	if (c->ret != NULL)
		emit_int(o, KEY_ret, *c->ret);
	if (c->dur == DUR_OPEN)
		emit_bool(o, KEY_open, true);
	if (c->file.len > 0)
		emit_str(o, KEY_file, c->file);
	if (stack > 0)
		emit_int(o, KEY_stack, stack);
	if (c->lock != 0)
		write_address(o, c->lock);
}

void
call_line_write(struct lines *l, const struct call_line *c)
{
	call_line_begin(l, c);
	if (has_args(c))
		write_args(&l->out->line, c);
	lines_put(l, c->ts, c->dur);
}
