/*
 * change.h - the changes to the records that stay, on their way out.
 */
#ifndef CHANGE_H
#define CHANGE_H

#include "tq/io/output.h"

#include "clip.h"
#include "merge_short.h"
#include "redact.h"
#include "set.h"
#include "tag.h"

struct change {
	struct set set;
	struct tag *tag;
	struct redact *redact;
	int64_t merge_short; /* ns, or 0 */
	bool clip;
	const struct expr_symbols *symbols;
	struct output *out;
	const char *error; /* an expression was given up on */

	struct merge_short *merge;
	struct event event; /* a changed record */
	struct text line, spare;
	struct clip clipped;
};

/* The settings are complete. */
void change_begin(struct change *c, struct output *out);

/* True if there is a change, so that records have to be parsed in full. */
bool change_any(const struct change *c);

/*
 * Write the record, changed.  ev was parsed in full, if change_any; cut: the
 * record is a range that stays in part; s is of its section, or NULL.
 */
void change_write(struct change *c, const struct event *ev, bool cut,
    const struct section *s);

/* The same for a trace record, which only --redact changes. */
void change_trace(struct change *c, const struct event *ev);

/* The section is over: write the records that wait. */
void change_section_end(struct change *c);

void change_free(struct change *c);

#endif
