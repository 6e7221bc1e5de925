/*
 * self.h - operations by the range they were launched in, each once.
 *
 * Operations, 32 bytes each, and ranges, 16, are held to the end of the
 * section: where the clock of a device is behind, an operation comes before its
 * range. tq-correlate has written the parent of each range into the stream, so
 * that this needs no tree of ranges.
 */
#ifndef SELF_H
#define SELF_H

#include "tq/base/numbered_texts.h"

#include "range.h"

/* how the ranges of an operation are written */
struct self_style {
	const char *separator; /* of a path; NULL: the innermost alone */
	bool folded;           /* no ';' within a name, and no name is empty */
	bool short_names;      /* see fold_name_always() */
};

struct self_op {
	int64_t ts, dur, range;
	uint32_t path; /* number + 1, or 0 */
	uint32_t name; /* for the reports */
};

struct self_range {
	int64_t parent;
	uint32_t name;
	uint32_t path; /* number + 1, or 0: not made yet */
};

/* {0} is empty */
struct self_ops {
	struct self_style style;
	struct numbered_texts names; /* of ranges, of all sections */
	struct numbered_texts paths; /* in the style; of all sections, too */
	struct map ids;              /* of ranges -> index + 1 */
	struct self_range *ranges;
	size_t range_count, range_cap;
	struct self_op *all;
	size_t count, cap;
	size_t *chain; /* indices of ranges, the innermost first */
	size_t chain_count, chain_cap;
	struct text scratch, path;
	bool correlated;
};

/* True if tq-correlate has seen the record. */
bool self_correlated(const struct event *ev);

/* True for an operation with a duration. */
bool self_is_op(const struct event *ev);

/* Add an operation or a range; NULL if it is no operation with a duration. */
struct self_op *self_add(struct self_ops *s, const struct event *ev);

/* Add a range, whose parent comes before it; parent: an id, or NO_ID. */
void self_add_range(
    struct self_ops *s, int64_t id, int64_t parent, struct span name);

/*
 * The section is over: the number in s->paths of the range or path of an
 * operation; an empty text if its range is unknown.
 */
uint32_t self_path(struct self_ops *s, const struct self_op *op);

/* A new section: forget all but the texts. */
void self_reset(struct self_ops *s);

void self_free(struct self_ops *s);

/* Append a name in the folded style. */
void self_append_folded(struct text *t, struct span name);

/* These reports are none of nsys: --compat does not change their names. */
extern const struct report_settings self_settings;

#endif
