/* gpu_define.c - devices, contexts and streams, told once */

#include <inttypes.h>
#include <stdio.h>

#include "tq/base/mem.h"

#include "gpu_line.h"

/* CUpti_ActivityStreamFlag */
static const char *const stream_flags[] = {
#define STREAM_FLAG(cupti, word) [cupti] = word,
#include "tq/cuda.def"
};

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

/* where the device of its context is known */
static void
write_stream(struct gpu *g, const struct source *from, struct gpu_stream *s)
{
	const struct record_stream *r = &s->record;
	struct output *o = &from->out->line;

	emit_open(o, KIND_stream);
	emit_int(o, KEY_pid, from->pid);
	if (s->name.len > 0)
		emit_str(o, KEY_name, text_span(&s->name));
	gpu_put_nonzero(o, KEY_priority, r->priority);
	gpu_put_place(
	    from, gpu_device_of(g, r->context), r->context, r->stream);
	gpu_put_word(o, KEY_flags, WORD(stream_flags, r->flags));
	emit_close(o);
	stream_define(from->out);
	s->is_written = true;
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
	for (size_t i = 0; i < g->stream_count; i++)
		if (g->streams[i].is_known &&
		    g->streams[i].record.context == c->context)
			write_stream(g, from, &g->streams[i]);
	return 0;
}

/* the stream with that number; a new one with nothing but that */
static struct gpu_stream *
find_stream(struct gpu *g, uint32_t stream, bool known)
{
	for (size_t i = 0; i < g->stream_count; i++)
		if (g->streams[i].record.stream == stream &&
		    (known || !g->streams[i].is_known))
			return &g->streams[i];
	g->streams =
	    mem_resize(g->streams, g->stream_count + 1, sizeof(*g->streams));
	g->streams[g->stream_count] =
	    (struct gpu_stream){.record = {.stream = stream}};
	return &g->streams[g->stream_count++];
}

int
gpu_stream(struct gpu *g, const struct source *from, const struct record *rec)
{
	const struct record_stream *r = (const void *)rec;
	struct gpu_stream *s;

	if (!is_new(g, DEFINED_STREAM, (uint64_t)r->context << 32 | r->stream))
		return 0;
	s = find_stream(g, r->stream, false);
	s->record = *r;
	s->is_known = true;
	/* else its context comes in another buffer */
	if (gpu_device_of(g, r->context) != UINT32_MAX)
		write_stream(g, from, s);
	return 0;
}

/* numbers of streams are unique in a context only, which NVTX does not tell */
static bool
is_ambiguous(const struct gpu *g, uint64_t stream)
{
	size_t n = 0;

	for (size_t i = 0; i < g->stream_count; i++)
		n += g->streams[i].is_known &&
		     g->streams[i].record.stream == stream;
	return n > 1;
}

int
gpu_object(struct gpu *g, const struct source *from, const struct record *rec)
{
	struct gpu_stream *s;
	struct parts x;

	if (!parts_parse(&x, rec, sizeof(*rec)) || !(rec->flags & FLAG_RANGE) ||
	    (rec->domain != OBJECT_CU_STREAM &&
		rec->domain != OBJECT_CUDA_STREAM) ||
	    is_ambiguous(g, x.range))
		return 0;
	s = find_stream(g, (uint32_t)x.range, true);
	s->name.len = 0;
	text_add_span(&s->name, x.text);
	if (s->is_written)
		write_stream(g, from, s);
	return 0;
}

void
gpu_define_rest(struct gpu *g, const struct source *from)
{
	for (size_t i = 0; i < g->stream_count; i++)
		if (g->streams[i].is_known && !g->streams[i].is_written)
			write_stream(g, from, &g->streams[i]);
}
