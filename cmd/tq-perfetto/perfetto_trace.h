/*
 * perfetto_trace.h - a trace as Perfetto's packets.
 */
#ifndef PERFETTO_TRACE_H
#define PERFETTO_TRACE_H

#include "describe.h"
#include "hue.h"
#include "perfetto_args.h"
#include "profile.h"
#include "stages.h"
#include "tq/draw/colors.h"
#include "tq/draw/sink.h"

enum { TRACE_HUES = 64 };

struct perfetto_trace {
	struct packets packets;
	struct perfetto_args *args;
	struct describe describe;
	struct stages stages;
	struct profile profile;
	bool with_profile;     /* beside the slices of samples */
	bool with_stages;      /* instead of slices on streams */
	struct colors *colors; /* or NULL: Perfetto chooses all of them */
	const char *made_of;   /* see made_of.h; NULL: no mark */
	struct packet_prefix *prefixes; /* per track */
	size_t prefix_count, prefix_cap;
	struct map flows; /* (track, ts) -> flow to a slice to come */
	bool begun;
	bool with_late_ends; /* arrows of the section may come */

	/* correlation ids for colours, by a hash of the colour */
	struct {
		unsigned rgb;
		bool known, is_grey;
		char id[HUE_ID];
	} hue[TRACE_HUES];

	/* the last slice; a flow to it may still come */
	struct {
		bool is_open, is_stage;
		size_t packet, event; /* where they begin in the buffer */
		size_t track;         /* its number, since a track may go */
		int64_t ts, dur;
		uint64_t flow; /* to a stage */
	} slice;
};

extern const struct sink perfetto_trace_sink; /* for a struct perfetto_trace */

void perfetto_trace_init(
    struct perfetto_trace *t, struct output *out, const struct names *names);

void perfetto_trace_free(struct perfetto_trace *t);

#endif
