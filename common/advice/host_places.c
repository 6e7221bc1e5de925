/* host_places.c - in which calls, files and lines the time of the host is */

#include "tq/base/time.h"

#include "tq/advice/host_places.h"

void
host_places_define(struct host_places *h, const struct event *ev)
{
	names_define(&h->names, ev);
}

static uint32_t
intern(struct host_places *h, struct span s)
{
	uint32_t n = s.len > 0 ? intern_find(&h->texts, s) : INTERN_NONE;

	if (n != INTERN_NONE || s.len == 0 || h->texts.count == PLACE_TEXTS ||
	    s.len > PLACE_BYTES - h->bytes)
		return n;
	h->bytes += s.len;
	return intern_get(&h->texts, s);
}

static uint32_t
intern_key(struct host_places *h, const struct event *ev, enum key key)
{
	h->scratch.len = 0;
	return intern(h, event_str(ev, key, &h->scratch));
}

uint32_t
host_places_number(struct host_places *h, const struct event *ev)
{
	struct host_place p = {
	    .text = {[PLACE_NAME] = intern_key(h, ev, KEY_name),
		[PLACE_FILE] = intern_key(h, ev, KEY_file),
		[PLACE_LINE] = intern(h, names_innermost(&h->names, ev))}};
	uint64_t a = (uint64_t)p.text[PLACE_NAME] << 32 | p.text[PLACE_FILE];
	struct host_place *place;
	bool fresh;

	if (a == UINT64_MAX && p.text[PLACE_LINE] == INTERN_NONE)
		return 0;
	if (h->all.count == PLACES_MOST) {
		place = keyed_find(&h->all, a, p.text[PLACE_LINE]);
		return place != NULL ? (uint32_t)(place - h->all.all) + 1 : 0;
	}
	place = keyed_get(&h->all, a, p.text[PLACE_LINE], &fresh);
	if (fresh)
		*place = p;
	return (uint32_t)(place - h->all.all) + 1;
}

void
host_places_add(struct host_places *h, uint64_t mask, size_t row,
    uint32_t place, int64_t ns)
{
	struct place_time *t;
	bool fresh;

	if (place == 0)
		return;
	t = keyed_get(&h->times, mask, place, &fresh);
	if (fresh)
		*t = (struct place_time){.row = row, .place = place};
	t->ns = time_end(t->ns, ns);
}

struct span
host_places_text(
    const struct host_places *h, uint32_t place, enum place_part part)
{
	uint32_t text =
	    place > 0 ? h->all.all[place - 1].text[part] : INTERN_NONE;

	return text != INTERN_NONE ? intern_text(&h->texts, text) : SPAN("");
}

void
host_places_reset(struct host_places *h)
{
	names_reset(&h->names);
}

void
host_places_free(struct host_places *h)
{
	names_free(&h->names);
	intern_free(&h->texts);
	keyed_free(&h->all);
	keyed_free(&h->times);
	text_free(&h->scratch);
}
