/* gap_record.c - idle time of a device as a record of kind gap */

#include "tq/io/emit.h"
#include "tq/names/model.h"

#include "tq/account/gap_record.h"

/* the values of KEY_cause, with the padding of a line */
static const char causes[ACCOUNT_PARTS][32] = {[PART_SYNC] = "\"sync\"",
    [PART_HOST] = "\"host\"",
    [PART_LAUNCH] = "\"launch\"",
    [PART_NEXT] = "\"next\"",
    [PART_QUEUE] = "\"queue\"",
    [PART_UNKNOWN] = "\"unknown\""};

bool
gap_record_is(const struct device_pieces *p, const struct piece *piece)
{
	return piece->operation == NULL && piece->ev != NULL &&
	       device_pieces_lane(p, piece->device)->ops > 0;
}

static bool
is_wanted(const struct keyset *keys, enum key k)
{
	return keys == NULL || keyset_has(keys, k);
}

/* The call that took most of the piece. */
static struct span
find_host(struct device_pieces *p, const struct piece *piece)
{
	struct host_share most;

	if (!p->calls || !event_has(piece->ev, KEY_tid))
		return SPAN("");
	most = gaps_host_most(
	    &p->lanes.host, model_thread(piece->ev), piece->ts, piece->end);
	return gaps_host_call_name(&p->lanes.host, most.name);
}

/* The call in which the thread was when the gap began. */
static struct span
find_wait(const struct device_pieces *p, const struct piece *piece)
{
	const struct device_lane *d = device_pieces_lane(p, piece->device);
	struct host_call call;

	if (!p->calls || !event_has(piece->ev, KEY_tid) ||
	    !gaps_host_at(
		&p->lanes.host, model_thread(piece->ev), d->until, &call))
		return SPAN("");
	return gaps_host_call_name(&p->lanes.host, call.name);
}

static void
give_int(struct gap_record *g, enum key k, struct gap_number *number, int64_t v)
{
	char *p = number->digits;

	if (v == NO_ID)
		return;
	event_give(&g->event, k,
	    (struct span){p, (size_t)(text_digits_int(p, v) - p)});
}

static void
give_str(struct gap_record *g, enum key k, struct text *t, struct span s)
{
	if (s.len == 0)
		return;
	t->len = 0;
	text_add_json(t, s.p, s.len);
	text_reserve(t, EVENT_PADDING);
	event_give(&g->event, k, text_span(t));
}

/* A value of the record that ended the gap, as it is. */
static void
give_same(struct gap_record *g, const struct event *ev, enum key k)
{
	if (event_has(ev, k))
		event_give(&g->event, k, ev->value[k]);
}

void
gap_record_make(struct gap_record *g, struct device_pieces *p,
    const struct piece *piece, const struct keyset *keys)
{
	static const enum key same[] = {
	    KEY_corr, KEY_api_name, KEY_range, KEY_path, KEY_NONE};
	const struct device_lane *d = device_pieces_lane(p, piece->device);
	const struct event *ev = piece->ev;

	event_make(&g->event, KIND_gap);
	g->event.model = ev->model;
	give_int(g, KEY_ts, &g->ts, piece->ts);
	give_int(g, KEY_dur, &g->dur, time_between(piece->ts, piece->end));
	give_int(g, KEY_pid, &g->pid, d->pid);
	give_int(g, KEY_device, &g->device, d->device);
	event_give(&g->event, KEY_cause, span_of(causes[piece->part]));
	if (is_wanted(keys, KEY_tid))
		give_int(g, KEY_tid, &g->tid, event_int(ev, KEY_tid, NO_ID));
	if (is_wanted(keys, KEY_host))
		give_str(g, KEY_host, &g->host, find_host(p, piece));
	if (is_wanted(keys, KEY_wait))
		give_str(g, KEY_wait, &g->wait, find_wait(p, piece));
	for (size_t i = 0; same[i] != KEY_NONE; i++)
		if (is_wanted(keys, same[i]))
			give_same(g, ev, same[i]);
}

void
gap_record_add(struct text *t, const struct gap_record *g)
{
	/* in the order of the schema */
	static const enum key keys[] = {KEY_ts, KEY_dur, KEY_pid, KEY_tid,
	    KEY_corr, KEY_host, KEY_device, KEY_api_name, KEY_range, KEY_path,
	    KEY_cause, KEY_wait, KEY_NONE};

	text_add_str(t, "{\"kind\":\"gap\"");
	for (size_t i = 0; keys[i] != KEY_NONE; i++) {
		const struct emit_prefix *x = &emit_prefixes[keys[i]];

		if (!event_has(&g->event, keys[i]))
			continue;
		text_add(t, x->text, x->len);
		text_add_span(t, g->event.value[keys[i]]);
	}
	text_add_char(t, '}');
}

void
gap_record_free(struct gap_record *g)
{
	event_free(&g->event);
	text_free(&g->host);
	text_free(&g->wait);
}
