/* heads.c - ranges that come inside out */

#include <stdlib.h>

#include "tq/heads.h"
#include "tq/mem.h"

enum { WAITING = 1024 }; /* heads, at most */

/* the first slices inside of a range that is still to come */
struct head {
	void *row;
	int64_t range;
	int64_t ts;	   /* at which all of them start */
	struct text lines; /* outermost first */
};

static void
put_lines(struct heads *h, void *row, const struct text *lines)
{
	const char *p = lines->p, *end = p + lines->len;

	while (p < end) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));

		h->put(h->arg, row, (struct span){p, (size_t)(newline - p)});
		p = newline + 1;
	}
}

static void
drop(struct heads *h, struct head *head)
{
	struct head *end = h->head + h->count;

	text_free(&head->lines);
	memmove(head, head + 1, (size_t)(end - head - 1) * sizeof(*head));
	h->count--;
}

static void
put_head(struct heads *h, struct head *head)
{
	put_lines(h, head->row, &head->lines);
	drop(h, head);
}

/* what waits for a range; the newest are the likeliest */
static struct head *
find(struct heads *h, const void *row, int64_t range)
{
	for (size_t i = h->count; i > 0; i--)
		if (h->head[i - 1].row == row && h->head[i - 1].range == range)
			return &h->head[i - 1];
	return NULL;
}

/* behind the last line event_parse may read on */
static void
add_lines(struct text *t, struct span lines)
{
	text_reserve(t, lines.len + 1 + EVENT_PADDING);
	text_add_span(t, lines);
	memset(t->p + t->len, 0, 1 + EVENT_PADDING);
}

static void
wait_for(struct heads *h, void *row, int64_t range, int64_t ts,
    struct text *lines)
{
	struct head *head = find(h, row, range);

	if (head != NULL && head->ts <= ts) {
		put_lines(h, row, lines);
		return;
	}
	if (head != NULL)
		put_head(h, head);
	if (h->head == NULL)
		h->head = mem_resize(NULL, WAITING, sizeof(*h->head));
	if (h->count == WAITING)
		put_head(h, h->head);
	h->head[h->count++] = (struct head){row, range, ts, *lines};
	*lines = (struct text){0};
}

void
heads_add(struct heads *h, void *row, int64_t id, int64_t parent, int64_t ts,
    struct span line)
{
	struct head *head = id != HEADS_NONE ? find(h, row, id) : NULL;
	struct text lines = {0};

	if (head != NULL && head->ts != ts) {
		put_head(h, head);
		head = NULL;
	}
	if (head == NULL && parent == HEADS_NONE) {
		h->put(h->arg, row, line);
		return;
	}
	add_lines(&lines, line);
	text_add_char(&lines, '\n');
	if (head != NULL) {
		add_lines(&lines, text_span(&head->lines));
		drop(h, head);
	}
	if (parent != HEADS_NONE)
		wait_for(h, row, parent, ts, &lines);
	else
		put_lines(h, row, &lines);
	text_free(&lines);
}

void
heads_finish(struct heads *h)
{
	while (h->count > 0)
		put_head(h, h->head);
}

void
heads_free(struct heads *h)
{
	for (size_t i = 0; i < h->count; i++)
		text_free(&h->head[i].lines);
	free(h->head);
	h->head = NULL;
	h->count = 0;
}
