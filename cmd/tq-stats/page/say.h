/*
 * say.h - the findings of the page, while their sentences are made.
 */
#ifndef SAY_H
#define SAY_H

#include "fill.h"

/* set f and p */
struct say {
	struct fill *f;
	struct page *p;
	struct page_finding *now; /* the last one */
	size_t cap;
};

/* A new finding, which is a note unless it gets a cost.  Texts live. */
void say_begin(struct say *x, struct span name, struct span title);

/*
 * Add to its sentences.  %t is an int64_t as a time, %z a size, %r a rate, %c a
 * count, %p a share of two, %n a struct span with a name, %s text that lives.
 */
void say_add(struct say *x, const char *format, ...);

/* The same of a text that lives. */
void say_words(struct say *x, struct span words);

/* " (likely)", " (hint)", or nothing */
void say_confidence(struct say *x, enum page_confidence c);

/* Its command: before, the operands, after, where NULL is nothing. */
void say_command(struct say *x, const char *before, const char *after);

/* Find remarks of the page on itself: losses, and unknown values. */
void recording_remarks(struct say *x);

#endif
