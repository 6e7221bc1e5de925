/*
 * select.h - the selections that look at a record alone.
 */
#ifndef SELECT_H
#define SELECT_H

#include "tq/ask/expr.h"
#include "tq/base/map.h"

#include "tq/base/time.h"

/* numbers, of which a key has to be one */
struct choice {
	enum key key;
	int64_t *ids;
	size_t count;
};

enum { SELECT_CHOICES = 4 }; /* device, stream, pid, tid */

struct select {
	uint64_t kinds; /* a bit each; 0: all, and unknown ones too */
	struct expr *expr;
	struct choice choices[SELECT_CHOICES];
	struct choice ranks;
	int64_t min_dur; /* or NO_ID */
	int64_t depth;   /* or NO_ID */

	struct map processes; /* that are of these ranks */
	bool section_of_rank;
	const char *error; /* an expression was given up on */
};

void select_init(struct select *s);

/* Is there any but kinds? */
bool select_given(const struct select *s);

/* Has every record what is asked for? */
bool select_all(const struct select *s);

/* Is it the kind alone that no such record has it? */
bool select_none(const struct select *s, enum kind kind);

/* What select_record needs to know of records is added to want. */
void select_keys(const struct select *s, struct keyset *want);

/* A trace record begins a section; a process may be of a rank. */
void select_trace(struct select *s, const struct event *ev);
void select_process(struct select *s, const struct event *ev);

/*
 * May the record be passed on at all, even if others ask for it?  depth is
 * that of a range that does not tell it.
 */
bool select_allows(
    const struct select *s, const struct event *ev, int64_t depth);

/* Has the record all that is asked for? */
bool select_record(struct select *s, const struct event *ev,
    const struct expr_symbols *symbols);

/* Was a definition asked for as such, by its kind? */
bool select_asks_definition(const struct select *s, enum kind kind);

void select_free(struct select *s);

#endif
