/*
 * clip.h - --clip: ranges that stay for the records they enclose are shortened
 * to the time of the remaining records.
 *
 * Ranges that are clipped start together with the first record of the section.
 * They wait, with the records that start with them, and are sorted: the longer
 * first.
 */
#ifndef CLIP_H
#define CLIP_H

#include "tq/line/edit.h"

#include "section.h"

struct clip_line {
	int64_t dur;
	size_t at, len, order;
};

/* {0} is empty */
struct clip {
	struct clip_line *waiting;
	size_t count, cap;
	struct text lines;

	char digits[3][TEXT_INT_MAX]; /* of the last edit */
};

/*
 * Shorten a range by *edit, whose values are good until the next clip_range.
 * The new duration of a range that now starts with the section, else -1.
 */
int64_t clip_range(struct clip *c, const struct event *ev,
    const struct section *s, struct edit *edit);

/* A line of that duration waits. */
void clip_wait(struct clip *c, struct span line, int64_t dur);

/* Sort the lines that wait. */
void clip_sort(struct clip *c);

/* Line i of count; EVENT_PADDING bytes behind it are readable. */
static inline struct span
clip_line(const struct clip *c, size_t i)
{
	return (struct span){c->lines.p + c->waiting[i].at, c->waiting[i].len};
}

/* Forget the lines. */
static inline void
clip_clear(struct clip *c)
{
	c->count = c->lines.len = 0;
}

void clip_free(struct clip *c);

#endif
