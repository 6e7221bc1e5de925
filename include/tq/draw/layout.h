/*
 * layout.h - what of a stream is drawn where, for any viewer: which record
 * is a slice, an instant or a value, on which track, under which name, and
 * from where to where flows go.
 */
#ifndef TQ_DRAW_LAYOUT_H
#define TQ_DRAW_LAYOUT_H

#include "tq/draw/sink.h"
#include "tq/names.h"

struct layout;
struct rank_flows;

enum {
	LAYOUT_FLOWS = 1, /* draw flows from calls to operations */
	LAYOUT_APART = 2, /* no slice ends where an earlier one starts */
	LAYOUT_WAITS = 4, /* draw flows to operations that waited for others */
	LAYOUT_CALLS_INSIDE = 8 /* draw OS calls on the row of their thread */
};

/* Options are those above; *sink and *arg are borrowed until layout_free. */
struct layout *layout_new(const struct sink *sink, void *arg, unsigned options);
void layout_free(struct layout *l);

/*
 * Draw a record, or save it for later; the record may go then.  All records
 * are read by one event: the sink may go by their shapes.
 */
void layout_record(struct layout *l, const struct event *ev);

/* From the first record on: draw this between ranks, see rank_flows.h. */
void layout_ranks(struct layout *l, struct rank_flows *ranks);

/* Draw what waits for the end of the section. */
void layout_end(struct layout *l);

/* The definitions of the section. */
const struct names *layout_names(const struct layout *l);

/* The time of a record that is drawn at 0, in the section. */
int64_t layout_zero(const struct layout *l);

/* Print warnings about events that are not drawn as they are; a summary. */
void layout_warn(const struct layout *l);
void layout_summarize(const struct layout *l);

#endif
