/*
 * selection.h - the selections by the keys of a record itself.
 */
#ifndef SELECTION_H
#define SELECTION_H

#include "tq/ask/expr.h"
#include "tq/base/map.h"
#include "tq/base/time.h"

#include "absent.h"

/* a key that has to have one of these values */
struct choice {
	enum key key;
	int64_t *ids;
	size_t count;
};

enum { SELECTION_CHOICES = 4 }; /* device, stream, pid, tid */

struct selection {
	uint64_t kinds; /* a bit each; 0: all, unknown ones too */
	struct expr *expr;
	struct choice choices[SELECTION_CHOICES];
	struct choice ranks;
	int64_t min_dur; /* or NO_ID */
	int64_t depth;   /* or NO_ID */

	struct map processes; /* of these ranks */
	bool section_of_rank; /* the section is of one */
	struct absent absent;
	const char *error; /* an expression was given up on */
};

void selection_init(struct selection *s);

/* True if there is one besides kinds. */
bool selection_given(const struct selection *s);

/* True if every record matches. */
bool selection_all(const struct selection *s);

/* True if no record of the kind matches. */
bool selection_none(const struct selection *s, enum kind kind);

/* Add to want the keys that selection_matches needs. */
void selection_keys(const struct selection *s, struct keyset *want);

/* After the options: the selection is complete. */
void selection_begin(struct selection *s);

/* A trace record, which begins a section, and the definitions of the section.
 */
void selection_trace(struct selection *s, const struct event *ev);
void selection_definition(struct selection *s, const struct event *ev);

/*
 * True if the record may stay, for its own sake or another's.  depth is the
 * depth of a range that lacks the key.
 */
bool selection_allows(
    const struct selection *s, const struct event *ev, int64_t depth);

/* True if the record matches. */
bool selection_matches(struct selection *s, const struct event *ev,
    const struct expr_symbols *symbols);

/* True if the selection names kinds, and so definitions like this. */
bool selection_names_definition(const struct selection *s, enum kind kind);

void selection_free(struct selection *s);

#endif
