/*
 * gpu_line.h - parts of the lines that gpu.c and gpu_define.c write
 */
#ifndef TQ_CAPTURE_GPU_LINE_H
#define TQ_CAPTURE_GPU_LINE_H

#include "gpu.h"

/* the word for a number of an enumeration, NULL: none */
#define WORD(words, i) \
	((i) < sizeof(words) / sizeof((words)[0]) ? (words)[i] : NULL)

static inline void
gpu_put_word(struct output *o, enum key key, const char *word)
{
	if (word != NULL)
		emit_str(o, key, span_of(word));
}

static inline void
gpu_put_nonzero(struct output *o, enum key key, int64_t v)
{
	if (v != 0)
		emit_int(o, key, v);
}

static inline void
gpu_put_known(struct output *o, enum key key, uint32_t id)
{
	if (id != UINT32_MAX)
		emit_int(o, key, id);
}

static inline uint32_t
gpu_device_of(const struct gpu *g, uint32_t context)
{
	const uint64_t *at = map_find(&g->device_of, context, 0);

	return at != NULL ? (uint32_t)(*at - 1) : UINT32_MAX;
}

/* where an operation ran; ids that CUPTI does not know are UINT32_MAX */
static inline void
gpu_put_place(const struct source *from, uint32_t device, uint32_t context,
    uint32_t stream)
{
	struct output *o = &from->out->line;

	gpu_put_known(o, KEY_device, device);
	gpu_put_known(o, KEY_context, context);
	gpu_put_known(o, KEY_stream, stream);
}

/* See gpu_record; the record is long enough. */
int gpu_device(
    struct gpu *g, const struct source *from, const struct record *rec);
int gpu_context(
    struct gpu *g, const struct source *from, const struct record *rec);
int gpu_stream(
    struct gpu *g, const struct source *from, const struct record *rec);
/* NVTX names a stream, which FLAG_RANGE has as CUPTI numbers it. */
int gpu_object(
    struct gpu *g, const struct source *from, const struct record *rec);
/* Define what is still waiting for its context. */
void gpu_define_rest(struct gpu *g, const struct source *from);

#endif
