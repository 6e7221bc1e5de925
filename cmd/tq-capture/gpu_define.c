/* gpu_define.c - devices, contexts and streams, told once */

#include <inttypes.h>
#include <stdio.h>

#include "tq/mem.h"

#include "gpu_line.h"

/* CUpti_ActivityStreamFlag */
static const char *const stream_flags[] = {
    NULL, "default", "non-blocking", "null"};

enum defined { DEFINED_DEVICE, DEFINED_CONTEXT, DEFINED_STREAM };

/* true the first time */
static bool
is_new(struct gpu *g, enum defined what, uint64_t id)
{
	uint64_t *at = map_get(&g->defined, what, id);

	return (*at)++ == 0;
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
	gpu_put_word(o, KEY_uuid, text);
}

int
gpu_device(struct gpu *g, const struct source *from, const struct record *rec)
{
	const struct record_device *d = (const void *)rec;
	struct output *o = &from->out->line;
	struct parts x;
	char cc[24];

	if (!parts_parse(&x, rec, sizeof(*d)) ||
	    !is_new(g, DEFINED_DEVICE, d->device))
		return 0;
	emit_open(o, KIND_device);
	emit_int(o, KEY_pid, from->pid);
	if (x.text.len > 0)
		emit_str(o, KEY_name, x.text);
	emit_int(o, KEY_device, d->device);
	put_uuid(o, d->uuid);
	gpu_put_nonzero(o, KEY_sms, d->sms);
	gpu_put_nonzero(o, KEY_memory, (int64_t)d->memory);
	snprintf(
	    cc, sizeof(cc), "%" PRIu32 ".%" PRIu32, d->cc_major, d->cc_minor);
	gpu_put_word(o, KEY_cc, cc);
	gpu_put_word(o, KEY_vendor, "nvidia");
	emit_close(o);
	stream_define(from->out);
	return 0;
}

static void
write_stream(
    struct gpu *g, const struct source *from, const struct record_stream *s)
{
	struct output *o = &from->out->line;

	emit_open(o, KIND_stream);
	emit_int(o, KEY_pid, from->pid);
	gpu_put_nonzero(o, KEY_priority, s->priority);
	gpu_put_place(
	    from, gpu_device_of(g, s->context), s->context, s->stream);
	gpu_put_word(o, KEY_flags, WORD(stream_flags, s->flags));
	emit_close(o);
	stream_define(from->out);
}

/* those of this context, whose device is known now; of all: UINT32_MAX */
static void
write_waiting(struct gpu *g, const struct source *from, uint32_t context)
{
	size_t left = 0;

	for (size_t i = 0; i < g->waiting_count; i++)
		if (context == UINT32_MAX || g->waiting[i].context == context)
			write_stream(g, from, &g->waiting[i]);
		else
			g->waiting[left++] = g->waiting[i];
	g->waiting_count = left;
}

int
gpu_context(struct gpu *g, const struct source *from, const struct record *rec)
{
	const struct record_context *c = (const void *)rec;
	struct output *o = &from->out->line;

	*map_get(&g->device_of, c->context, 0) = (uint64_t)c->device + 1;
	if (!is_new(g, DEFINED_CONTEXT, c->context))
		return 0;
	emit_open(o, KIND_context);
	emit_int(o, KEY_pid, from->pid);
	emit_int(o, KEY_device, c->device);
	emit_int(o, KEY_context, c->context);
	emit_close(o);
	stream_define(from->out);
	write_waiting(g, from, c->context);
	return 0;
}

int
gpu_stream(struct gpu *g, const struct source *from, const struct record *rec)
{
	const struct record_stream *s = (const void *)rec;

	if (!is_new(g, DEFINED_STREAM, (uint64_t)s->context << 32 | s->stream))
		return 0;
	if (gpu_device_of(g, s->context) != UINT32_MAX) {
		write_stream(g, from, s);
		return 0;
	}
	/* its context comes in another buffer */
	g->waiting =
	    mem_resize(g->waiting, g->waiting_count + 1, sizeof(*g->waiting));
	g->waiting[g->waiting_count++] = *s;
	return 0;
}

void
gpu_finish(struct gpu *g, const struct source *from)
{
	write_waiting(g, from, UINT32_MAX);
}
