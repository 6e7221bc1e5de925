/* heads.c - ranges that come inside out */

#include <stdlib.h>

#include "tq/heads.h"
#include "tq/mem.h"

enum { WAITING = 1024 }; /* heads, at most */

/* the first slices inside of a range that is still to come */
struct head {
	void *row;
	int64_t range;
	int64_t ts;        /* at which all of them start */
	struct text lines; /* outermost first */
};

static void
put_lines(struct heads *h, void *row, const struct text *lines)
{
	for (size_t at = 0; at < lines->len;) {
		const char *p = lines->p + at;
		const char *newline = memchr(p, '\n', lines->len - at);
		struct span line = {p, (size_t)(newline - p)};

		h->put(h->arg, row, line);
		at += line.len + 1;
	}
}

/* the lines are not freed */
static void
drop(struct heads *h, struct head *head)
{
	struct head *end = h->head + h->count;

	memmove(head, head + 1, (size_t)(end - head - 1) * sizeof(*head));
	h->count--;
}

static void
put_head(struct heads *h, struct head *head)
{
	struct head old = *head;

	drop(h, head);
	put_lines(h, old.row, &old.lines);
	text_free(&old.lines);
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
	static const char padding[EVENT_PADDING];

	text_add_span(t, lines);
	text_add(t, padding, sizeof(padding));
	t->len -= sizeof(padding);
}

/* a line, and others inside of it */
static struct text
join(struct span line, const struct text *inside)
{
	struct text t = {0};

	text_add_span(&t, line);
	text_add_char(&t, '\n');
	add_lines(&t, text_span(inside));
	return t;
}

static void
become_head(struct heads *h, struct head head)
{
	if (h->head == NULL)
		h->head = mem_resize(NULL, WAITING, sizeof(*h->head));
	if (h->count == WAITING)
		put_head(h, h->head);
	h->head[h->count++] = head;
}

/* wait for a range that comes later; true if that is not needed */
static bool
wait_for(struct heads *h, void *row, int64_t range, int64_t ts,
    struct span line, const struct text *inside)
{
	struct head *head = find(h, row, range);
	struct text lines;

	if (head != NULL && head->ts < ts)
		return true;
	lines = join(line, inside);
	if (head != NULL && head->ts == ts) {
		add_lines(&head->lines, text_span(&lines));
		text_free(&lines);
		return false;
	}
	if (head != NULL)
		put_head(h, head);
	become_head(h, (struct head){row, range, ts, lines});
	return false;
}

void
heads_add(struct heads *h, void *row, int64_t id, int64_t parent, int64_t ts,
    struct span line)
{
	struct head *own = id != HEADS_NONE ? find(h, row, id) : NULL;
	struct text inside = {0};

	if (own != NULL && own->ts != ts)
		put_head(h, own);
	else if (own != NULL) {
		inside = own->lines;
		drop(h, own);
	}
	if (parent == HEADS_NONE ||
	    wait_for(h, row, parent, ts, line, &inside)) {
		h->put(h->arg, row, line);
		put_lines(h, row, &inside);
	}
	text_free(&inside);
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
