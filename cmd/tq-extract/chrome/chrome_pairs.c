/*
 * chrome_pairs.c - a begin and an end become one range
 *
 * Begins and ends are sorted by time; then each end looks for its begin among
 * the open ranges.  Memory grows with the ranges that are open at one time.
 */

#include <err.h>

#include "chrome_pairs.h"
#include "trace_args.h"
#include "tq/base/hash.h"
#include "tq/io/status.h"
#include "tq/io/temporary.h"
#include "tq/line/json.h"
#include "write/open_ranges.h"

/* an event as it waits; its name and its args, as JSON, stand behind it */
struct half {
	int64_t pid, tid;
	uint64_t a, b;  /* equal for events that may pair */
	uint64_t count; /* its place in c->counts */
	uint32_t name_len;
	enum chrome_pair what;
};

/* the end of a range */
struct range_end {
	int64_t ts, tid;
	struct span args;
};

struct chrome_pairing {
	struct chrome *c;
	struct open_ranges open; /* whose type is half.count */
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
	h->a = hash_text(text_span(&key)) ^ 1; /* it is no thread's */
	h->b = span_hash(text_span(&key));
	text_free(&key);
}

void
chrome_pairs_add(struct chrome *c, int64_t ts, enum chrome_pair what)
{
	struct span args = c->event->member[TRACE_ARGS];
	struct span name = lenient_inner(text_of(c, TRACE_NAME));
	struct half h = {.pid = trace_args_pid(c),
	    .tid = trace_args_tid(c),
	    .count = (uint64_t)(c->count - c->counts.all),
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
		c->section.records.repaired +=
		    (int64_t)lenient_write(&line, args);
	if (!sorter_add(c->pairs, ts, 0, text_span(&line), 0))
		err(TQ_FAIL, "%s", temporary_directory());
	text_free(&line);
}

/* ---- pairing ---- */

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
write_range(struct chrome_pairing *p, const struct open_range *o,
    const struct range_end *end)
{
	struct chrome *c = p->c;
	struct sorted_records *h = &c->section.records;
	struct span args = text_span(&o->text), category;
	bool async;

	c->count = &c->counts.all[o->type];
	async = c->count->phase != 'B';
	category = c->category_of[c->count->category].name;
	chrome_records_begin(c,
	    &(struct chrome_record){.kind = KIND_range,
		.ts = o->ts,
		.dur = end != NULL ? time_between(o->ts, end->ts) : NEVER_ENDED,
		.pid = o->pid,
		.corr = NO_ID});
	sorted_records_int(h, KEY_tid, o->tid);
	sorted_records_value(
	    h, KEY_name, o->name.len > 0 ? text_span(&o->name) : SPAN(""));
	sorted_records_int(h, KEY_id, ++c->ranges);
	sorted_records_value(h, KEY_mode, async ? SPAN("start") : SPAN("push"));
	if (category.len > 0)
		sorted_records_value(h, KEY_category, category);
	if (async && end != NULL && end->tid != o->tid)
		sorted_records_int(h, KEY_end_tid, end->tid);
	if (end == NULL)
		sorted_records_open(h);
	else
		args = merged_args(&p->args, args, end->args);
	if (args.len > 2)
		sorted_records_json(h, KEY_args, args);
	sorted_records_end(h);
}

static void
open_half(struct chrome_pairing *p, const struct half *h, int64_t ts,
    struct span name, struct span args)
{
	struct open_range *o = open_ranges_begin(&p->open, h->a, h->b);

	o->ts = ts;
	o->pid = h->pid;
	o->tid = h->tid;
	o->type = h->count;
	text_add_span(&o->name, name);
	text_add_span(&o->text, args);
}

static void
pair(void *pairing, const struct sorter_line *l)
{
	struct chrome_pairing *p = pairing;
	const struct open_range *begin;
	struct half h;
	struct span name, args;

	memcpy(&h, l->line.p, sizeof(h));
	name = (struct span){l->line.p + sizeof(h), h.name_len};
	args.p = name.p + name.len;
	args.len = (size_t)(l->line.p + l->line.len - args.p);
	if (h.what == PAIR_BEGIN || h.what == PAIR_ASYNC_BEGIN) {
		open_half(p, &h, l->ts, name, args);
		return;
	}
	begin = open_ranges_end(
	    &p->open, h.a, h.b, h.what == PAIR_END ? name : SPAN(""));
	p->c->count = &p->c->counts.all[h.count];
	if (begin == NULL) {
		chrome_lose(p->c, EVENT_LOST_END);
		return;
	}
	p->c->count->n.paired++;
	write_range(p, begin, &(struct range_end){l->ts, h.tid, args});
}

static void
write_open(void *pairing, const struct open_range *o)
{
	write_range(pairing, o, NULL);
}

void
chrome_pairs_finish(struct chrome *c)
{
	struct chrome_pairing p = {.c = c};

	if (!sorter_finish(c->pairs, pair, &p))
		err(TQ_FAIL, "%s", temporary_directory());
	open_ranges_rest(&p.open, write_open, &p);
	open_ranges_free(&p.open);
	text_free(&p.args);
}
