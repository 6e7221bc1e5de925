/*
 * change.h - what is done to the records that stay, on their way out.
 */
#ifndef CHANGE_H
#define CHANGE_H

#include "tq/line/edit.h"
#include "tq/ask/expr.h"
#include "tq/io/output.h"

#include "merge.h"
#include "redact.h"
#include "tag.h"
#include "where.h"

/* --set key=expr */
struct setting {
	struct span name; /* of a key, perhaps not of the schema */
	enum key key;     /* or KEY_NONE */
	struct expr *value;
};

struct clipped;

struct change {
	struct setting *settings;
	size_t setting_count;
	struct tag *tag;
	struct redact *redact;
	int64_t merge_short; /* ns, or 0 */
	bool clip;
	const struct expr_symbols *symbols;
	struct output *out;
	const char *error; /* an expression was given up on */

	struct merge *merge;
	struct event event; /* a changed record */
	struct text line, spare, values;
	struct clipped *clipped; /* ranges that now start together */
	size_t clipped_count, clipped_cap;
	struct text clipped_lines;
};

/*
 * Add "KEY=EXPRESSION" to the settings.  What is wrong with it is printed, and
 * ends the program with status 2.
 */
void change_add_setting(struct change *c, const char *text);

/* The settings are complete. */
void change_begin(struct change *c, struct output *out);

/* Do records have to be parsed whole? */
bool change_any(const struct change *c);

/*
 * Write the record, changed.  ev was parsed whole, if change_any; cut: not all
 * of this range stays; s is of its section, or NULL.
 */
void change_write(struct change *c, const struct event *ev, bool cut,
    const struct section *s);

/* The same for a trace record, which only --redact changes. */
void change_trace(struct change *c, const struct event *ev);

/* The section is over: write what waits. */
void change_section_end(struct change *c);

void change_free(struct change *c);

#endif
