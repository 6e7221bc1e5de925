/* runs.c - launches that repeat */

#include "tq/account/device_time.h"
#include "tq/advice/runs.h"
#include "tq/base/hash.h"
#include "tq/base/time.h"
#include "tq/names/model.h"

static const enum key identity[] = {
    KEY_name, KEY_sym, KEY_grid, KEY_block, KEY_bytes, KEY_copy, KEY_NONE};

static const enum key of_launch[] = {KEY_context, KEY_stream, KEY_graph,
    KEY_graph_node, KEY_category, KEY_tid, KEY_api_ts, KEY_api_name, KEY_NONE};

void
runs_keys(struct keyset *want)
{
	for (size_t k = 0; k < KIND_COUNT; k++) {
		if (schema_role((enum kind)k) != ROLE_WORK)
			continue;
		keyset_add_all(&want[k], identity);
		keyset_add_all(&want[k], of_launch);
	}
	keyset_add(&want[KIND_api], KEY_tid);
	keyset_add(&want[KIND_api], KEY_name);
}

/* A launch that a graph could have: no collective, which others wait for. */
static bool
is_launch(const struct event *ev)
{
	enum device_class c;

	return !model_is_of_graph(ev) && device_time_class(ev, &c) &&
	       c != DEVICE_COMMUNICATION;
}

/* ---- sequences ---- */

static uint64_t
mix(uint64_t h, uint64_t v)
{
	return hash_mix(h ^ 0x9e3779b97f4a7c15u, v ^ 0xd6e8feb86659fd93u);
}

static uint64_t
hash_launch(const struct event *ev)
{
	uint64_t h = ev->kind + 1u;

	for (const enum key *k = identity; *k != KEY_NONE; k++)
		h = mix(h, event_has(ev, *k) ? hash_text(ev->value[*k]) : *k);
	return h;
}

/* The sequence that ends with the last launch; 0 if it is not that long. */
static uint64_t
hash_window(const struct run_stream *s, size_t stream)
{
	uint64_t h = stream + 1;

	if (s->row < RUNS_SHORTEST)
		return 0;
	for (int64_t i = s->next; i < s->next + RUNS_SHORTEST; i++)
		h = mix(h, s->last[i % RUNS_SHORTEST]);
	return h | 1;
}

enum { NOWHERE = -1 };

/* The number of the set of a sequence. */
static size_t
set_of(uint64_t hash)
{
	return hash / 2 % (RUNS_TABLE / RUNS_WAYS);
}

/* The place of a sequence in its set, or NOWHERE. */
static int
find_way(const struct run_set *set, uint64_t hash)
{
	for (int i = 0; i < RUNS_WAYS; i++)
		if (set->hash[i] == hash && set->credit[i] > 0)
			return i;
	return NOWHERE;
}

static const struct run_window *
find_window(const struct runs *r, uint64_t hash)
{
	size_t set = set_of(hash);
	int way = r->sets != NULL ? find_way(&r->sets[set], hash) : NOWHERE;

	return way != NOWHERE ? &r->windows[set * RUNS_WAYS + (size_t)way]
			      : NULL;
}

/* A place for a sequence that has none; NOWHERE if others are seen more often.
 */
static int
make_way(struct run_set *set, uint64_t hash)
{
	int least = 0;

	for (int i = 1; i < RUNS_WAYS; i++)
		if (set->credit[least] > set->credit[i])
			least = i;
	if (set->credit[least] > 0 && --set->credit[least] > 0)
		return NOWHERE;
	set->hash[least] = hash;
	set->credit[least] = 0;
	return least;
}

/* The window of a sequence, which is seen once more; NULL if it has no place.
 */
static struct run_window *
see_window(struct runs *r, uint64_t hash)
{
	size_t number = set_of(hash);
	struct run_set *set = &r->sets[number];
	struct run_window *windows = &r->windows[number * RUNS_WAYS];
	int way = find_way(set, hash);

	if (way == NOWHERE) {
		if ((way = make_way(set, hash)) == NOWHERE)
			return NULL;
		windows[way] = (struct run_window){.end = -1};
	}
	set->credit[way] += set->credit[way] < UINT32_MAX;
	return &windows[way];
}

static void
count_window(
    struct runs *r, const struct run_stream *s, uint64_t hash, int64_t ts)
{
	int64_t last = s->next - 1;
	struct run_window *w;

	if (r->sets == NULL) {
		r->sets = mem_alloc(RUNS_TABLE / RUNS_WAYS * sizeof(*r->sets));
		r->windows = mem_alloc(RUNS_TABLE * sizeof(*r->windows));
	}
	w = see_window(r, hash);
	if (w == NULL || (w->times > 0 && last - w->end < RUNS_SHORTEST))
		return;
	w->end = last;
	w->times++;
	memmove(&w->ts[1], &w->ts[0], sizeof(w->ts) - sizeof(*w->ts));
	w->ts[0] = ts;
}

/* ---- streams ---- */

static size_t
find_stream(struct runs *r, const struct event *ev)
{
	bool fresh;
	struct run_stream *s =
	    numbered_get(&r->streams, model_stream(ev), &fresh);

	if (fresh)
		*s = (struct run_stream){.first = -1, .until = -1};
	return (size_t)(s - r->streams.all);
}

/* ---- waits ---- */

void
runs_call(struct runs *r, const struct event *ev)
{
	struct run_thread *t;
	bool fresh;

	if (!api_call_waits(api_call_of_event(ev)))
		return;
	t = numbered_get(&r->threads, model_thread(ev), &fresh);
	if (fresh)
		*t = (struct run_thread){0};
	t->waits[t->count++ % RUNS_WAITS] = event_int(ev, KEY_ts, 0);
}

/* The waits of the launching thread before the launch; -1: unknown. */
static int64_t
waits_before(const struct runs *r, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_api_ts, 0), n;
	const struct run_thread *t;

	if (!event_has(ev, KEY_api_ts) || !event_has(ev, KEY_tid))
		return -1;
	t = numbered_find(&r->threads, model_thread(ev));
	n = t != NULL ? t->count : 0;
	while (n > 0 && n > t->count - RUNS_WAITS &&
	       t->waits[(n - 1) % RUNS_WAITS] >= ts)
		n--;
	return n;
}

/* The next launch follows none. */
static void
break_stream(struct run_stream *s)
{
	s->next += RUNS_SHORTEST;
	s->row = 0;
}

static size_t
add_launch(struct runs *r, const struct event *ev)
{
	size_t stream = find_stream(r, ev);
	struct run_stream *s = &r->streams.all[stream];
	int64_t waits;

	if (r->from == r->to)
		r->from = r->to = stream;
	if (r->from > stream)
		r->from = stream;
	if (r->to <= stream)
		r->to = stream + 1;
	s->launched = is_launch(ev);
	if (s->launched) {
		waits = waits_before(r, ev);
		if (s->row > 0 && s->waits != waits)
			break_stream(s);
		s->waits = waits;
		s->last[s->next++ % RUNS_SHORTEST] = hash_launch(ev);
		s->row++;
	} else
		break_stream(s);
	return stream;
}

void
runs_count(struct runs *r, const struct event *ev)
{
	size_t stream = add_launch(r, ev);
	const struct run_stream *s = &r->streams.all[stream];
	uint64_t hash = hash_window(s, stream);

	if (hash != 0)
		count_window(r, s, hash, event_int(ev, KEY_ts, 0));
}

void
runs_second_pass(struct runs *r)
{
	numbered_clear(&r->threads);
	r->from = r->to = 0;
	for (size_t i = 0; i < r->streams.count; i++)
		r->streams.all[i] =
		    (struct run_stream){.first = -1, .until = -1};
}

/* The sequence that ends with the last launch repeats. */
static void
extend_run(struct runs *r, struct run_stream *s)
{
	int64_t last = s->next - 1, first = s->next - RUNS_SHORTEST;

	if (s->until >= 0 && first <= s->until)
		r->covered += last - s->until;
	else {
		r->covered += RUNS_SHORTEST;
		s->first = first;
	}
	s->until = last;
	if (r->longest < last - s->first + 1)
		r->longest = last - s->first + 1;
}

size_t
runs_add(struct runs *r, const struct event *ev, int64_t steady_from)
{
	size_t stream = add_launch(r, ev);
	struct run_stream *s = &r->streams.all[stream];
	uint64_t hash = hash_window(s, stream);
	const struct run_window *w = hash != 0 ? find_window(r, hash) : NULL;

	r->launches += s->launched;
	if (w != NULL && w->times >= RUNS_TIMES &&
	    w->ts[RUNS_TIMES - 1] >= steady_from)
		extend_run(r, s);
	return stream;
}

int64_t
runs_last(const struct runs *r, size_t stream)
{
	const struct run_stream *s = &r->streams.all[stream];

	return s->launched ? s->next - 1 : -1;
}

int64_t
runs_length(const struct runs *r, size_t stream, int64_t launch)
{
	const struct run_stream *s = &r->streams.all[stream];
	int64_t last = s->next - 1, length = s->until - s->first + 1;

	if (launch <= s->first || launch <= 0)
		return 0;
	if (launch > s->until) /* up to the last sequence that has both */
		return last - launch >= RUNS_SHORTEST - 2 ? 0 : -1;
	if (length >= RUNS_LONGEST)
		return RUNS_LONGEST;
	return last - s->until >= RUNS_SHORTEST - 1 ? length : -1;
}

void
runs_break(struct runs *r)
{
	for (size_t i = r->from; i < r->to; i++)
		break_stream(&r->streams.all[i]);
	r->from = r->to = 0;
}

void
runs_free(struct runs *r)
{
	free(r->sets);
	free(r->windows);
	numbered_free(&r->streams);
	numbered_free(&r->threads);
}
