/*
 * tree.h - the ranges of a section, and which of them encloses which.
 *
 * A range record comes before its children, with the end of the range.  The
 * tree holds all ranges of a section, about 100 bytes each with their names,
 * and finds the parents when the section is over.
 */
#ifndef TREE_H
#define TREE_H

#include "tq/base/numbered_texts.h"

#include "range.h"

struct tree_range {
	int64_t ts, end, pid, tid, id;
	uint32_t name, domain, order; /* order: in the stream */
	uint32_t parent;              /* index + 1, or 0 */
	int32_t depth;                /* -1: nsys lost the range */
	unsigned char style;
	bool named;     /* false if the name is NULL in nsys */
	bool open;      /* never closed */
	bool elsewhere; /* another thread closed it */
};

/*
 * Which range is the parent of another.  It is of the same thread and encloses
 * that range; of several the shortest is the parent, of equal ones the last.
 */
enum tree_how {
	TREE_SORTED,    /* no parents */
	TREE_BY_DOMAIN, /* of the same domain; both were closed on the thread */
	TREE_ACROSS,    /* of any domain; no other thread closed them */
	TREE_AS_NSYS    /* of any domain, but for ranges that nsys loses */
};

/* as tree_init() leaves it */
struct tree {
	const struct report_settings *settings;
	enum tree_how how;
	bool short_names; /* see fold_name_always() */
	struct tree_range *all;
	size_t count, cap;
	struct numbered_texts names; /* of all sections */
	struct range_time time;
	struct text scratch;
	uint32_t *outer; /* see tree_enclosing() */
};

/* The settings decide on names, and where a range ends that was not closed. */
void tree_init(
    struct tree *t, const struct report_settings *settings, enum tree_how how);

/* Add a range record. */
void tree_add(struct tree *t, const struct event *ev);

/* The same without name and domain; good until the next. */
struct tree_range *tree_add_unnamed(struct tree *t, const struct event *ev);

/*
 * The section is over, and t->time has seen all of its records: ranges that
 * were never closed get their ends; all are in order of process, thread (domain
 * with TREE_BY_DOMAIN), start, the longest first; parents and depths are found.
 * A range that cannot have a parent has the depth 0.
 */
void tree_finish(struct tree *t);

/*
 * The range of a thread that encloses [ts, end] and starts last; of several
 * the one with the least id; NULL if there is none.  Not for TREE_BY_DOMAIN.
 */
const struct tree_range *tree_enclosing(
    struct tree *t, int64_t pid, int64_t tid, int64_t ts, int64_t end);

/* The RangeStack of a range; good until *s changes. */
struct span tree_stack(
    const struct tree *t, const struct tree_range *r, struct range_stack *s);

/* A new section: forget all but the names. */
void tree_reset(struct tree *t);

void tree_free(struct tree *t);

#endif
