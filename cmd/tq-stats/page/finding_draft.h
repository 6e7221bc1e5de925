/*
 * finding_draft.h - the findings of the page, while their sentences are made.
 */
#ifndef FINDING_DRAFT_H
#define FINDING_DRAFT_H

#include "tq/advice/start_up.h"

#include "page_draft.h"

/* set f and p */
struct finding_draft {
	struct page_draft *f;
	struct page *p;
	struct page_finding *now; /* the last one */
	size_t cap;
};

/* A new finding, which is a note unless it gets a cost.  Texts live. */
void finding_draft_begin(
    struct finding_draft *x, struct span name, struct span title);

/*
 * Add to its sentences.  %t is an int64_t as a time, %z a size, %r a rate, %c a
 * count, %p a share of two, %n a struct span with a name, %s text that lives.
 */
void finding_draft_add(struct finding_draft *x, const char *format, ...);

/* The same of a text that lives. */
void finding_draft_words(struct finding_draft *x, struct span words);

/* " (likely)", " (hint)", or nothing */
void finding_draft_confidence(struct finding_draft *x, enum page_confidence c);

/* Its command, whose word FILE is the input. */
void finding_draft_command(struct finding_draft *x, struct span command);

/* Its command is the one that shows the time after the start-up. */
void finding_draft_rest(struct finding_draft *x, const struct start_up *s);

/* Add the remark that the launches of operations are not known. */
void recording_remarks(struct finding_draft *x);

#endif
