/* sorted_records.c - records that wait until their recording ends */

#include <err.h>

#include "sorted_records.h"
#include "read/lenient.h"
#include "tq/io/emit.h"
#include "tq/io/status.h"
#include "tq/io/temporary.h"

/* of the sorter, and of the one that lines in order go on to */
enum { MEMORY = 128 << 20, MEMORY_IN_ORDER = 8 << 20 };

/* the bits of a tag: a kind, and what else it has or is */
enum {
	TAG_KIND = 255,
	TAG_DUR = 1 << 8,
	TAG_PATCH = 1 << 9,
	TAG_PROVISIONAL = 1 << 10
};

/* the tail of a record with a patch, behind its text */
struct sorted_patch {
	uint32_t at, len;
};

void
sorted_records_init(
    struct sorted_records *h, const struct source_settings *settings)
{
	*h = (struct sorted_records){.settings = settings,
	    .first = INT64_MAX,
	    .first_provisional = INT64_MAX,
	    .sorter = sorter_open(MEMORY)};
}

void
sorted_records_free(struct sorted_records *h)
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
is_wanted(const struct sorted_records *h, enum kind kind)
{
	return is_definition(kind) || (h->settings->kinds >> kind & 1) != 0;
}

/* ---- a record ---- */

void
sorted_records_begin(struct sorted_records *h, const struct sorted_record *r)
{
	h->record = *r;
	h->tail.len = 0;
	h->patch_len = 0;
	h->provisional = false;
	h->held = is_wanted(h, r->kind);
	h->chosen = (struct keyset){{0}};
	if (h->held)
		h->chosen = key_choice_of(&h->settings->keys, r->kind);
}

void
sorted_records_int(struct sorted_records *h, enum key key, int64_t v)
{
	if (v != NO_ID && keyset_has(&h->chosen, key))
		emit_add_int(&h->tail, key, v);
}

void
sorted_records_json(struct sorted_records *h, enum key key, struct span json)
{
	if (keyset_has(&h->chosen, key))
		emit_add_json(&h->tail, key, json);
}

void
sorted_records_open(struct sorted_records *h)
{
	if (h->record.dur == NEVER_ENDED)
		sorted_records_json(h, KEY_open, SPAN("true"));
}

void
sorted_records_str(struct sorted_records *h, enum key key, struct span value)
{
	if (!keyset_has(&h->chosen, key))
		return;
	emit_add_key(&h->tail, key);
	text_add_json(&h->tail, value.p, value.len);
}

void
sorted_records_value(struct sorted_records *h, enum key key, struct span value)
{
	if (value.p == NULL || !keyset_has(&h->chosen, key))
		return;
	emit_add_key(&h->tail, key);
	h->repaired +=
	    (int64_t)lenient_write_string(&h->tail, lenient_inner(value));
}

void
sorted_records_patch(struct sorted_records *h, const void *bytes, size_t n)
{
	h->patch_at = (uint32_t)h->tail.len;
	h->patch_len = (uint32_t)n;
	text_add(&h->tail, bytes, n);
}

void
sorted_records_args(struct sorted_records *h, struct span members)
{
	if (members.len == 0 || !keyset_has(&h->chosen, KEY_args))
		return;
	emit_add_json(&h->tail, KEY_args, SPAN("{"));
	text_add_span(&h->tail, members);
	text_add_char(&h->tail, '}');
}

static void
hold(struct sorted_records *h, int64_t ts, int64_t dur, struct span line,
    uint32_t tag)
{
	if (!sorter_add(h->sorter, ts, dur, line, tag))
		err(TQ_FAIL, "%s", temporary_directory());
}

static void
note_time(struct sorted_records *h, int64_t ts)
{
	int64_t *first = h->provisional ? &h->first_provisional : &h->first;

	if (ts < *first)
		*first = ts;
}

void
sorted_records_end(struct sorted_records *h)
{
	const struct sorted_record *r = &h->record;
	uint32_t tag = (uint32_t)r->kind;
	int64_t dur = is_definition(r->kind) ? NEVER_ENDED : r->dur;

	if (!is_definition(r->kind) && r->ts != SORTED_AT_ORIGIN)
		note_time(h, r->ts);
	if (!h->held)
		return;
	if (dur != NO_ID && dur != NEVER_ENDED)
		tag |= TAG_DUR;
	if (h->provisional)
		tag |= TAG_PROVISIONAL;
	if (h->patch_len > 0) {
		const struct sorted_patch p = {h->patch_at, h->patch_len};

		text_add(&h->tail, (const char *)&p, sizeof(p));
		tag |= TAG_PATCH;
	}
	hold(h, r->ts, dur == NO_ID ? 0 : dur, text_span(&h->tail), tag);
}

/* ---- all of them ---- */

int64_t
sorted_records_origin(const struct sorted_records *h)
{
	return h->first == INT64_MAX ? 0 : h->first;
}

static void
write_definition(struct sorted_records *h, enum kind kind, struct span keys)
{
	struct output *o = h->frames;

	if (o == NULL)
		return;
	emit_open(o, kind);
	text_add_span(&o->buf, keys);
	emit_close(o);
}

static struct span
patch_of(const struct sorter_line *l)
{
	struct sorted_patch p;

	memcpy(&p, l->line.p + l->line.len - sizeof(p), sizeof(p));
	return (struct span){l->line.p + p.at, p.len};
}

/* keys, with the source's keys in the place of a patch */
static void
write_keys(struct sorted_records *h, const struct sorter_line *l,
    const struct keyset *chosen)
{
	struct text *to = &h->out->buf;
	const char *p = l->line.p, *end = p + l->line.len;

	if ((l->tag & TAG_PATCH) != 0) {
		struct span patch = patch_of(l);

		text_add(to, p, (size_t)(patch.p - p));
		h->patch(h->arg, to, patch, chosen);
		p = patch.p + patch.len;
		end -= sizeof(struct sorted_patch);
	}
	text_add(to, p, (size_t)(end - p));
}

static enum kind
kind_of(const struct sorter_line *l)
{
	return (enum kind)(l->tag & TAG_KIND);
}

static void
write_line(void *arg, const struct sorter_line *l)
{
	struct sorted_records *h = arg;
	enum kind kind = kind_of(l);
	int64_t ts = time_between(sorted_records_origin(h), l->ts);
	struct keyset keys = key_choice_of(&h->settings->keys, kind);

	if (is_definition(kind)) {
		write_definition(h, kind, l->line);
		return;
	}
	if (ts == INT64_MAX)
		ts--; /* where all windows end */
	if (!is_wanted(h, kind) ||
	    (h->drop_provisional && (l->tag & TAG_PROVISIONAL) != 0) ||
	    !time_window_overlaps(&h->settings->window, ts, l->dur))
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
	write_keys(h, l, &keys);
	emit_close(h->out);
}

static void
finish(struct sorted_records *h, struct sorter *all,
    void (*put)(void *arg, const struct sorter_line *))
{
	if (!sorter_finish(all, put, h))
		err(TQ_FAIL, "%s", temporary_directory());
}

static void
look_at(void *arg, const struct sorter_line *l)
{
	struct sorted_records *h = arg;

	if ((l->tag & TAG_PATCH) != 0)
		h->look(h->arg, kind_of(l), patch_of(l));
	hold(h, l->ts, l->dur, l->line, l->tag);
}

void
sorted_records_look(struct sorted_records *h)
{
	struct sorter *all = h->sorter;

	h->sorter = sorter_open(MEMORY_IN_ORDER);
	finish(h, all, look_at);
	sorter_free(all);
}

void
sorted_records_decide(struct sorted_records *h, bool keep)
{
	h->drop_provisional = !keep;
	if (keep && h->first_provisional < h->first)
		h->first = h->first_provisional;
}

void
sorted_records_write(
    struct sorted_records *h, struct output *out, struct output *frames)
{
	h->out = out;
	h->frames = frames;
	finish(h, h->sorter, write_line);
}

void
sorted_records_count(struct sorted_records *h, int64_t counts[KIND_COUNT])
{
	h->counts = counts;
	finish(h, h->sorter, write_line);
}
