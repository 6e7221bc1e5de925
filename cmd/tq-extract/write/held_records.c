/* held_records.c - records that wait until their recording ends */

#include <err.h>

#include "held_records.h"
#include "tq/io/emit.h"
#include "tq/io/status.h"
#include "tq/io/temporary.h"

enum { MEMORY = 128 << 20 };

/* the bits of a tag: a kind, and whether it has a dur */
enum { TAG_KIND = 255, TAG_DUR = 256 };

void
held_records_init(
    struct held_records *h, const struct source_settings *settings)
{
	*h = (struct held_records){.settings = settings,
	    .first = INT64_MAX,
	    .sorter = sorter_open(MEMORY)};
}

void
held_records_free(struct held_records *h)
{
	sorter_free(h->sorter);
	text_free(&h->tail);
}

static bool
is_definition(enum kind kind)
{
	return schema_role(kind) == ROLE_DEF;
}

static bool
is_wanted(const struct held_records *h, enum kind kind)
{
	return is_definition(kind) || (h->settings->kinds >> kind & 1) != 0;
}

/* ---- a record ---- */

void
held_records_begin(struct held_records *h, const struct held_record *r)
{
	h->record = *r;
	h->tail.len = 0;
	h->chosen = (struct keyset){{0}};
	if (is_definition(r->kind))
		h->chosen = (struct keyset){{UINT64_MAX, UINT64_MAX}};
	else if (is_wanted(h, r->kind))
		h->chosen = key_choice_of(&h->settings->keys, r->kind);
}

void
held_records_int(struct held_records *h, enum key key, int64_t v)
{
	if (v != NO_ID && keyset_has(&h->chosen, key))
		emit_add_int(&h->tail, key, v);
}

void
held_records_json(struct held_records *h, enum key key, struct span json)
{
	if (keyset_has(&h->chosen, key))
		emit_add_json(&h->tail, key, json);
}

void
held_records_str(struct held_records *h, enum key key, struct span value)
{
	if (!keyset_has(&h->chosen, key))
		return;
	emit_add_json(&h->tail, key, SPAN(""));
	text_add_json(&h->tail, value.p, value.len);
}

void
held_records_args(struct held_records *h, struct span members)
{
	if (members.len == 0 || !keyset_has(&h->chosen, KEY_args))
		return;
	emit_add_json(&h->tail, KEY_args, SPAN("{"));
	text_add_span(&h->tail, members);
	text_add_char(&h->tail, '}');
}

void
held_records_end(struct held_records *h)
{
	const struct held_record *r = &h->record;
	uint32_t tag = (uint32_t)r->kind;
	int64_t dur = is_definition(r->kind) ? NEVER_ENDED : r->dur;

	if (!is_definition(r->kind) && r->ts < h->first)
		h->first = r->ts;
	if (dur != NO_ID && dur != NEVER_ENDED)
		tag |= TAG_DUR;
	if (is_wanted(h, r->kind) &&
	    !sorter_add(h->sorter, r->ts, dur == NO_ID ? 0 : dur,
		text_span(&h->tail), tag))
		err(TQ_FAIL, "%s", temporary_directory());
}

/* ---- all of them ---- */

int64_t
held_records_origin(const struct held_records *h)
{
	return h->first == INT64_MAX ? 0 : h->first;
}

static void
write_definition(struct held_records *h, enum kind kind, struct span keys)
{
	struct output *o = h->frames;

	if (o == NULL)
		return;
	emit_open(o, kind);
	text_add_span(&o->buf, keys);
	emit_close(o);
}

static void
write_line(void *arg, const struct sorter_line *l)
{
	struct held_records *h = arg;
	enum kind kind = (enum kind)(l->tag & TAG_KIND);
	int64_t ts = time_between(held_records_origin(h), l->ts);
	struct keyset keys = key_choice_of(&h->settings->keys, kind);

	if (is_definition(kind)) {
		write_definition(h, kind, l->line);
		return;
	}
	if (ts == INT64_MAX)
		ts--; /* where all windows end */
	if (!time_window_overlaps(&h->settings->window, ts, l->dur))
		return;
	h->last = ts;
	if (h->counts != NULL) {
		h->counts[kind]++;
		return;
	}
	emit_open(h->out, kind);
	emit_int(h->out, KEY_ts, ts);
	if ((l->tag & TAG_DUR) != 0 && keyset_has(&keys, KEY_dur))
		emit_int(h->out, KEY_dur, l->dur);
	text_add_span(&h->out->buf, l->line);
	emit_close(h->out);
}

static void
finish(struct held_records *h)
{
	if (!sorter_finish(h->sorter, write_line, h))
		err(TQ_FAIL, "%s", temporary_directory());
}

void
held_records_write(
    struct held_records *h, struct output *out, struct output *frames)
{
	h->out = out;
	h->frames = frames;
	finish(h);
}

void
held_records_count(struct held_records *h, int64_t counts[KIND_COUNT])
{
	h->counts = counts;
	finish(h);
}
