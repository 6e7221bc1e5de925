/*
 * chrome_pairs.c - a begin and an end become one range
 *
 * Begins and ends are sorted by time; then each end looks for its begin among
 * the open ranges.  Memory grows with the ranges that are open at one time.
 */

#include <err.h>
#include <stdlib.h>

#include "chrome_pairs.h"
#include "trace_args.h"
#include "tq/base/hash.h"
#include "tq/io/status.h"
#include "tq/io/temporary.h"
#include "tq/line/json.h"

enum { CROSSED_MAX = 256 };

/* an event as it waits; its name and its args, as JSON, stand behind it */
struct half {
	int64_t ts, pid, tid;
	uint64_t a, b;  /* equal for events that may pair */
	uint64_t count; /* its place in c->counts */
	uint32_t category;
	uint32_t name_len;
	enum chrome_pair what;
};

/* one that is open; those of one key are chained, the innermost first */
struct open_half {
	struct half half;
	struct text text;
	uint64_t outer; /* place + 1 */
};

struct open_halves {
	struct chrome *c;
	struct open_half *all;
	size_t count, cap;
	uint64_t unused;      /* a chain of them */
	struct map innermost; /* of a key: place + 1 */
	struct text args;
};

/* ---- holding ---- */

static struct span
text_of(const struct chrome *c, enum trace_member m)
{
	struct span s = c->event->member[m];

	return s.p != NULL ? s : SPAN("");
}

/*
 * The id in the member id2, which is valid in the process (local) or
 * everywhere; false if there is none.
 */
static bool
find_id2(struct span id2, struct span *id, bool *local)
{
	struct lenient l;
	struct span name;
	const char *p;

	if (id2.p == NULL || *id2.p != '{')
		return false;
	l = (struct lenient){id2.p + id2.len, false};
	p = id2.p + 1;
	while (
	    (p = lenient_member(&l, p, &name, id)) != NULL && name.p != NULL) {
		*local = span_eq(name, SPAN("local"));
		if (*local || span_eq(name, SPAN("global")))
			return true;
	}
	return false;
}

/* two words for the id of an asynchronous event */
static void
hash_id(struct chrome *c, struct half *h)
{
	struct text key = {0};
	struct span id;
	bool local;

	text_add_span(&key, text_of(c, TRACE_CAT));
	text_add_char(&key, '\0');
	if (find_id2(c->event->member[TRACE_ID2], &id, &local)) {
		text_add_span(&key, lenient_inner(id));
		if (local)
			text_printf(&key, "%c%lld", '\0', (long long)h->pid);
	} else {
		text_add_span(&key, text_of(c, TRACE_SCOPE));
		text_add_char(&key, '\0');
		text_add_span(&key, lenient_inner(text_of(c, TRACE_ID)));
		if (strchr("STFp", text_of(c, TRACE_PH).p[1]) != NULL) {
			text_add_char(&key, '\0');
			text_add_span(&key, text_of(c, TRACE_NAME));
		}
	}
	h->a = hash_text(text_span(&key));
	h->b = span_hash(text_span(&key));
	text_free(&key);
}

void
chrome_pairs_add(struct chrome *c, int64_t ts, enum chrome_pair what)
{
	struct span args = c->event->member[TRACE_ARGS];
	struct span name = lenient_inner(text_of(c, TRACE_NAME));
	struct half h = {.ts = ts,
	    .pid = trace_args_pid(c),
	    .tid = trace_args_tid(c),
	    .count = (uint64_t)(c->count - c->counts.all),
	    .category = (uint32_t)(c->category - c->category_of),
	    .name_len = (uint32_t)name.len,
	    .what = what};
	struct text line = {0};

	chrome_ids_thread(&c->ids, h.pid, h.tid);
	h.a = (uint64_t)h.pid;
	h.b = (uint64_t)h.tid;
	if (what >= PAIR_ASYNC_BEGIN)
		hash_id(c, &h);
	text_add(&line, (const char *)&h, sizeof(h));
	text_add_span(&line, name);
	if (args.p != NULL && *args.p == '{')
		c->records.repaired += (int64_t)lenient_write(&line, args);
	if (!sorter_add(c->pairs, ts, 0, text_span(&line), 0))
		err(TQ_FAIL, "%s", temporary_directory());
	text_free(&line);
}

/* ---- pairing ---- */

static struct span
name_in(const struct half *h, struct span text)
{
	if (h->name_len == 0)
		return SPAN("");
	return (struct span){text.p, h->name_len};
}

static struct span
args_in(const struct half *h, struct span text)
{
	if (text.len == h->name_len)
		return SPAN("");
	return (struct span){text.p + h->name_len, text.len - h->name_len};
}

static void
open_half(struct open_halves *s, const struct half *h, struct span text)
{
	uint64_t *innermost = map_get(&s->innermost,
	    h->a ^ (uint64_t)(h->what >= PAIR_ASYNC_BEGIN), h->b);
	struct open_half *o;
	uint64_t place = s->unused;

	if (place == 0) {
		*array_add(&s->all, &s->count, &s->cap) =
		    (struct open_half){.outer = 0};
		place = s->count;
	} else {
		s->unused = s->all[place - 1].outer;
	}
	o = &s->all[place - 1];
	o->half = *h;
	o->outer = *innermost;
	o->text.len = 0;
	text_add_span(&o->text, text);
	*innermost = place;
}

/*
 * The link to the begin of an end: the innermost of its name, if fewer than
 * CROSSED_MAX others are open within; else the innermost of all.
 */
static uint64_t *
find_begin(struct open_halves *s, const struct half *h, struct span text,
    uint64_t *innermost)
{
	struct span name = name_in(h, text);
	uint64_t *link = innermost;

	if (h->what != PAIR_END || h->name_len == 0)
		return innermost;
	for (int n = 0; *link != 0 && n < CROSSED_MAX; n++) {
		struct open_half *o = &s->all[*link - 1];

		if (span_eq(name_in(&o->half, text_span(&o->text)), name))
			return link;
		link = &o->outer;
	}
	return innermost;
}

/* take the begin of an end out of its chain; NULL if there is none */
static struct open_half *
close_half(struct open_halves *s, const struct half *h, struct span text)
{
	uint64_t a = h->a ^ (uint64_t)(h->what >= PAIR_ASYNC_BEGIN);
	uint64_t *innermost = map_find(&s->innermost, a, h->b), *link, place;
	struct open_half *o;

	if (innermost == NULL)
		return NULL;
	link = find_begin(s, h, text, innermost);
	place = *link;
	o = &s->all[place - 1];
	*link = o->outer;
	if (*innermost == 0)
		map_remove(&s->innermost, a, h->b);
	o->outer = s->unused;
	s->unused = place;
	return o;
}

/* append the members of an object that without lacks */
static void
add_members(struct text *to, struct span object, struct span without, bool *any)
{
	struct json j, other;
	struct text key = {0}, name = {0};
	struct span value, v;

	json_open(&j, object);
	while (json_next(&j, &key, &value)) {
		bool there = false;

		json_open(&other, without);
		while (!there && json_next(&other, &name, &v))
			there = span_eq(text_span(&key), text_span(&name));
		if (there)
			continue;
		if (*any)
			text_add_char(to, ',');
		*any = true;
		text_add_json(to, key.p, key.len);
		text_add_char(to, ':');
		text_add_span(to, value);
	}
	text_free(&key);
	text_free(&name);
}

/* the args of both; those of the end count more */
static struct span
merged_args(struct text *to, struct span begin, struct span end)
{
	bool any = false;

	if (end.len <= 2)
		return begin;
	to->len = 0;
	text_add_char(to, '{');
	add_members(to, begin, end, &any);
	add_members(to, end, (struct span){NULL, 0}, &any);
	text_add_char(to, '}');
	return text_span(to);
}

/* the range of a begin; end is NULL where there is none */
static void
write_range(struct open_halves *s, const struct open_half *o,
    const struct half *end, struct span end_text)
{
	struct chrome *c = s->c;
	struct sorted_records *r = &c->records;
	const struct half *h = &o->half;
	const struct chrome_category *cat = &c->category_of[h->category];
	struct span args = args_in(h, text_span(&o->text));
	bool async = h->what == PAIR_ASYNC_BEGIN;

	c->count = &c->counts.all[h->count];
	chrome_records_begin(c,
	    &(struct chrome_record){.kind = KIND_range,
		.ts = h->ts,
		.dur = end != NULL ? time_between(h->ts, end->ts) : NEVER_ENDED,
		.pid = h->pid,
		.corr = NO_ID});
	sorted_records_int(r, KEY_tid, h->tid);
	sorted_records_value(r, KEY_name, name_in(h, text_span(&o->text)));
	sorted_records_int(r, KEY_id, ++c->ranges);
	sorted_records_value(r, KEY_mode, async ? SPAN("start") : SPAN("push"));
	if (cat->name.len > 0)
		sorted_records_value(r, KEY_category, cat->name);
	if (async && end != NULL && end->tid != h->tid)
		sorted_records_int(r, KEY_end_tid, end->tid);
	if (end == NULL)
		sorted_records_json(r, KEY_open, SPAN("true"));
	else
		args = merged_args(&s->args, args, args_in(end, end_text));
	if (args.len > 2)
		sorted_records_json(r, KEY_args, args);
	sorted_records_end(r);
}

static void
pair(void *halves, const struct sorter_line *l)
{
	struct open_halves *s = halves;
	const struct open_half *begin;
	struct half h;
	struct span text;

	memcpy(&h, l->line.p, sizeof(h));
	text = (struct span){l->line.p + sizeof(h), l->line.len - sizeof(h)};
	if (h.what == PAIR_BEGIN || h.what == PAIR_ASYNC_BEGIN) {
		open_half(s, &h, text);
		return;
	}
	begin = close_half(s, &h, text);
	s->c->count = &s->c->counts.all[h.count];
	if (begin == NULL) {
		chrome_lose(s->c, CHROME_LOST_END);
		return;
	}
	s->c->count->paired++;
	write_range(s, begin, &h, text);
}

static void
write_open(struct open_halves *s)
{
	for (size_t i = 0; i < s->innermost.size; i++) {
		if (!s->innermost.used[i])
			continue;
		for (uint64_t place = s->innermost.slots[i].value; place != 0;
		     place = s->all[place - 1].outer)
			write_range(s, &s->all[place - 1], NULL,
			    (struct span){NULL, 0});
	}
}

void
chrome_pairs_finish(struct chrome *c)
{
	struct open_halves s = {.c = c};

	if (!sorter_finish(c->pairs, pair, &s))
		err(TQ_FAIL, "%s", temporary_directory());
	write_open(&s);
	for (size_t i = 0; i < s.count; i++)
		text_free(&s.all[i].text);
	free(s.all);
	map_free(&s.innermost);
	text_free(&s.args);
}
