/* held_records.c - records that wait until all of the input has been read */

#include <err.h>

#include "held_records.h"
#include "read/lenient.h"
#include "tq/io/status.h"
#include "tq/io/temporary.h"

enum { MEMORY = 128 << 20 }; /* of the sorter */

/* what stands before the text of a record that waits */
struct held_head {
	uint32_t patch_at, patch_len; /* in the text; len 0: it has none */
};

/* the bits of a tag: a kind, and whether it has a duration */
enum { TAG_DUR = 1 << 8 };

void
held_records_open(struct held_records *h, const struct source_input *in)
{
	*h = (struct held_records){.settings = in->settings,
	    .out = in->out,
	    .sorter = sorter_open(MEMORY),
	    .first = INT64_MAX};
}

void
held_records_free(struct held_records *h)
{
	sorter_free(h->sorter);
	text_free(&h->tail);
}

/* ---- making ---- */

static bool
is_wanted(const struct held_records *h, enum kind kind)
{
	return (h->settings->kinds >> kind & 1) != 0;
}

void
held_records_begin(struct held_records *h, enum kind kind)
{
	static const struct held_head none;

	h->tail.len = 0;
	text_add(&h->tail, (const char *)&none, sizeof(none));
	h->chosen = (struct keyset){{0}};
	if (is_wanted(h, kind))
		h->chosen = key_choice_of(&h->settings->keys, kind);
}

static bool
add_key(struct held_records *h, enum key key)
{
	if (!keyset_has(&h->chosen, key))
		return false;
	text_end(
	    &h->tail, emit_put_key(text_reserve(&h->tail, EMIT_KEY_ROOM), key));
	return true;
}

void
held_records_int(struct held_records *h, enum key key, int64_t v)
{
	if (v != NO_ID && keyset_has(&h->chosen, key))
		emit_add_int(&h->tail, key, v);
}

void
held_records_str(struct held_records *h, enum key key, struct span s)
{
	if (add_key(h, key))
		text_add_json(&h->tail, s.p, s.len);
}

void
held_records_value(struct held_records *h, enum key key, struct span value)
{
	if (value.p != NULL && add_key(h, key))
		lenient_write_string(&h->tail, lenient_inner(value));
}

void
held_records_json(struct held_records *h, enum key key, struct span json)
{
	if (add_key(h, key))
		text_add_span(&h->tail, json);
}

void
held_records_patch(
    struct held_records *h, enum key key, const void *bytes, size_t n)
{
	struct held_head head = {
	    (uint32_t)(h->tail.len - sizeof(head)), (uint32_t)n};

	if (!keyset_has(&h->chosen, key))
		return;
	memcpy(h->tail.p, &head, sizeof(head));
	text_add(&h->tail, bytes, n);
}

void
held_records_add(
    struct held_records *h, enum kind kind, int64_t ts, int64_t dur)
{
	uint32_t tag = (uint32_t)kind;

	h->of_kind[kind]++;
	if (ts != HELD_AT_ORIGIN && ts < h->first)
		h->first = ts;
	if (dur != NO_ID && dur != NEVER_ENDED &&
	    keyset_has(&h->chosen, KEY_dur))
		tag |= TAG_DUR;
	if (is_wanted(h, kind) &&
	    !sorter_add(h->sorter, ts, dur == NO_ID ? 0 : dur,
		text_span(&h->tail), tag))
		err(TQ_FAIL, "%s", temporary_directory());
}

/* ---- writing ---- */

int64_t
held_records_origin(const struct held_records *h)
{
	return h->first < INT64_MAX ? h->first : 0;
}

static void
write_line(void *held, const struct sorter_line *l)
{
	struct held_records *h = held;
	struct output *o = h->out;
	enum kind kind = (enum kind)(l->tag & (TAG_DUR - 1));
	int64_t ts = time_between(held_records_origin(h), l->ts);
	const char *p = l->line.p + sizeof(struct held_head);
	size_t len = l->line.len - sizeof(struct held_head);
	struct held_head head;

	if (ts == INT64_MAX)
		ts--; /* where all windows end */
	if (!time_window_overlaps(&h->settings->window, ts, l->dur))
		return;
	h->last = ts;
	memcpy(&head, l->line.p, sizeof(head));
	emit_open(o, kind);
	emit_int(o, KEY_ts, ts);
	if ((l->tag & TAG_DUR) != 0)
		emit_int(o, KEY_dur, l->dur);
	if (head.patch_len > 0) {
		text_add(&o->buf, p, head.patch_at);
		p += head.patch_at;
		h->patch(h->arg, &o->buf, (struct span){p, head.patch_len});
		p += head.patch_len;
		len -= head.patch_at + head.patch_len;
	}
	text_add(&o->buf, p, len);
	emit_close(o);
}

void
held_records_write(struct held_records *h)
{
	if (!sorter_finish(h->sorter, write_line, h))
		err(TQ_FAIL, "%s", temporary_directory());
}

void
held_records_count(const struct held_records *h, int64_t counts[KIND_COUNT])
{
	for (enum kind k = 0; k < KIND_COUNT; k++)
		if (is_wanted(h, k))
			counts[k] += h->of_kind[k];
}
