/* known.c - what the definitions of a section say */

#include "tq/line/json.h"

#include "known.h"
#include "tq/base/time.h"

/* what is kept of a definition stands in texts */
struct entry {
	int64_t number; /* priority of a thread, or INT64_MIN */
	size_t len[2];  /* of texts that follow */
};

static void
keep(struct known *k, uint64_t *slot, int64_t number, const struct event *ev,
    const enum key keys[2])
{
	struct entry e = {.number = number};
	size_t at = k->texts.len;

	text_add(&k->texts, (const char *)&e, sizeof(e));
	for (size_t i = 0; i < 2; i++) {
		size_t start = k->texts.len;

		if (keys[i] != KEY_NONE && event_has(ev, keys[i]))
			json_decode(&k->texts, ev->value[keys[i]]);
		e.len[i] = k->texts.len - start;
	}
	memcpy(k->texts.p + at, &e, sizeof(e));
	*slot = at + 1;
}

void
known_define(struct known *k, const struct event *ev)
{
	static const enum key symbol[2] = {KEY_demangled, KEY_mangled};
	static const enum key name[2] = {KEY_name, KEY_NONE};
	uint64_t pid = (uint64_t)event_int(ev, KEY_pid, INT64_MIN);

	switch (ev->kind) {
	case KIND_process:
		if (event_has(ev, KEY_rank))
			*map_get(&k->ranks, pid, 0) =
			    (uint64_t)event_int(ev, KEY_rank, 0);
		break;
	case KIND_symbol:
		keep(k,
		    map_get(&k->symbols,
			(uint64_t)event_int(ev, KEY_id, INT64_MIN), 0),
		    0, ev, symbol);
		break;
	case KIND_thread:
		keep(k,
		    map_get(&k->threads, pid,
			(uint64_t)event_int(ev, KEY_tid, INT64_MIN)),
		    event_int(ev, KEY_priority, INT64_MIN), ev, name);
		break;
	case KIND_device:
		keep(k,
		    map_get(&k->devices, pid,
			(uint64_t)event_int(ev, KEY_device, INT64_MIN)),
		    0, ev, name);
		break;
	default:
		break;
	}
}

static struct span
find(const struct known *k, const struct map *m, int64_t a, int64_t b,
    size_t which, int64_t *number)
{
	const uint64_t *slot = map_find(m, (uint64_t)a, (uint64_t)b);
	struct entry e;
	const char *p;

	if (slot == NULL)
		return (struct span){"", 0};
	p = k->texts.p + *slot - 1;
	memcpy(&e, p, sizeof(e));
	if (number != NULL)
		*number = e.number;
	return (struct span){
	    p + sizeof(e) + (which > 0 ? e.len[0] : 0), e.len[which]};
}

struct span
known_demangled(const struct known *k, int64_t sym)
{
	return find(k, &k->symbols, sym, 0, 0, NULL);
}

struct span
known_mangled(const struct known *k, int64_t sym)
{
	return find(k, &k->symbols, sym, 0, 1, NULL);
}

struct span
known_thread(const struct known *k, int64_t pid, int64_t tid)
{
	return find(k, &k->threads, pid, tid, 0, NULL);
}

bool
known_priority(
    const struct known *k, int64_t pid, int64_t tid, int64_t *priority)
{
	*priority = INT64_MIN;
	find(k, &k->threads, pid, tid, 0, priority);
	return *priority != INT64_MIN;
}

bool
known_rank(const struct known *k, int64_t pid, int64_t *rank)
{
	const uint64_t *slot = map_find(&k->ranks, (uint64_t)pid, 0);

	if (slot != NULL)
		*rank = (int64_t)*slot;
	return slot != NULL;
}

struct span
known_device(const struct known *k, int64_t pid, int64_t device)
{
	struct span name = find(k, &k->devices, pid, device, 0, NULL);

	/* some number the devices of all processes together */
	return name.len > 0 ? name
			    : find(k, &k->devices, INT64_MIN, device, 0, NULL);
}

void
known_cover(struct known *k, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);

	if (end == INT64_MAX) /* it was never closed */
		end = ts;
	if (!k->any || k->from > ts)
		k->from = ts;
	if (!k->any || k->to < end)
		k->to = end;
	k->any = true;
}

void
known_reset(struct known *k)
{
	int64_t wall;

	if (k->any && !__builtin_sub_overflow(k->to, k->from, &wall))
		k->wall = time_end(k->wall, wall);
	k->any = false;
	map_clear(&k->symbols);
	map_clear(&k->threads);
	map_clear(&k->devices);
	map_clear(&k->ranks);
	k->texts.len = 0;
}

void
known_free(struct known *k)
{
	map_free(&k->symbols);
	map_free(&k->threads);
	map_free(&k->devices);
	map_free(&k->ranks);
	text_free(&k->texts);
}
