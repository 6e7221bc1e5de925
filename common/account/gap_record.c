/* gap_record.c - idle time of a device as a record of kind gap */

#include "tq/io/emit.h"
#include "tq/names/model.h"

#include "tq/account/gap_record.h"

static const char *const causes[ACCOUNT_PARTS] = {[PART_SYNC] = "sync",
    [PART_HOST] = "host",
    [PART_LAUNCH] = "launch",
    [PART_NEXT] = "next",
    [PART_QUEUE] = "queue",
    [PART_UNKNOWN] = "unknown"};

bool
gap_record_is(const struct device_pieces *p, const struct piece *piece)
{
	return piece->operation == NULL && piece->ev != NULL &&
	       device_pieces_lane(p, piece->device)->ops > 0;
}

static void
add_key(struct text *t, enum key k)
{
	const struct emit_prefix *x = &emit_prefixes[k];

	text_add(t, x->text, x->len);
}

static void
add_int(struct text *t, enum key k, int64_t v)
{
	if (v == NO_ID)
		return;
	add_key(t, k);
	text_add_int(t, v);
}

static void
add_str(struct text *t, enum key k, struct span s)
{
	if (s.len == 0)
		return;
	add_key(t, k);
	text_add_json(t, s.p, s.len);
}

/* Members of the record that ended the gap, as they are. */
static void
add_same(struct text *t, const struct event *ev, enum key k)
{
	if (!event_has(ev, k))
		return;
	add_key(t, k);
	text_add_span(t, ev->value[k]);
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

void
gap_record_add(struct text *t, struct device_pieces *p,
    const struct piece *piece, const struct keyset *keys)
{
	static const enum key same[] = {
	    KEY_api_name, KEY_range, KEY_path, KEY_NONE};
	const struct device_lane *d = device_pieces_lane(p, piece->device);
	const struct event *ev = piece->ev;

	text_add_str(t, "{\"kind\":\"gap\"");
	add_int(t, KEY_ts, piece->ts);
	add_int(t, KEY_dur, time_between(piece->ts, piece->end));
	add_int(t, KEY_pid, d->pid);
	if (is_wanted(keys, KEY_tid))
		add_int(t, KEY_tid, event_int(ev, KEY_tid, NO_ID));
	if (is_wanted(keys, KEY_corr))
		add_same(t, ev, KEY_corr);
	if (is_wanted(keys, KEY_host))
		add_str(t, KEY_host, find_host(p, piece));
	add_int(t, KEY_device, d->device);
	for (size_t i = 0; same[i] != KEY_NONE; i++)
		if (is_wanted(keys, same[i]))
			add_same(t, ev, same[i]);
	add_str(t, KEY_cause, span_of(causes[piece->part]));
	if (is_wanted(keys, KEY_wait))
		add_str(t, KEY_wait, find_wait(p, piece));
	text_add_char(t, '}');
}
