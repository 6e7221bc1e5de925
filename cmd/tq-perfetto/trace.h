/*
 * trace.h - Perfetto's packets: how that what layout.h draws is written.
 */
#ifndef TRACE_H
#define TRACE_H

#include "args.h"
#include "describe.h"
#include "hue.h"
#include "stages.h"
#include "tq/draw/colors.h"
#include "tq/draw/layout.h"

enum { TRACE_HUES = 64 };

struct trace {
	struct packets packets;
	struct args args;
	struct describe describe;
	const struct layout *layout;
	struct stages stages;
	bool with_stages;      /* instead of slices on streams */
	struct colors *colors; /* or NULL: Perfetto chooses all of them */
	struct place *place;   /* per strip */
	struct map arrows;     /* (strip, ts) -> arrow to a slice to come */
	bool begun;

	/* ids of colours, by some bits of these */
	struct {
		unsigned rgb;
		bool known, is_grey;
		char id[HUE_ID];
	} hue[TRACE_HUES];

	/* the slice that was drawn last: it may get an arrow yet */
	struct {
		bool is_open, is_stage;
		size_t packet, event; /* where they begin in the buffer */
		size_t strip;         /* its number: it may be gone by now */
		int64_t ts, dur;
		uint64_t arrow; /* to a stage */
	} slice;
};

extern const struct sink trace_sink; /* for a struct trace */

void trace_init(
    struct trace *t, struct output *out, const struct layout *layout);

void trace_free(struct trace *t);

#endif
