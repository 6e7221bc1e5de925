/* host_places.c - in which calls, files and lines the time of the host is */

#include "tq/base/time.h"
#include "tq/names/fold_name.h"
#include "tq/names/model.h"

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

static uint32_t
intern_folded(struct host_places *h, struct span name)
{
	struct text *t = &h->folded;

	t->len = 0;
	text_add_span(t, name);
	t->len = fold_name_always(t->p, t->len);
	t->len = fold_name_numbers(t->p, t->len);
	return intern(h, text_span(t));
}

static uint32_t
intern_name(struct host_places *h, const struct event *ev)
{
	h->scratch.len = 0;
	return ev->kind == KIND_range
		   ? intern_folded(h, event_str(ev, KEY_name, &h->scratch))
		   : intern_key(h, ev, KEY_name);
}

/* An address is no line. */
static uint32_t
intern_line(struct host_places *h, struct span line)
{
	return span_begins(line, SPAN("0x")) ? INTERN_NONE : intern(h, line);
}

/* The number of a place, from 1; 0: it has none. */
static uint32_t
number(struct host_places *h, struct host_place p)
{
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

static uint32_t
find_number(struct host_places *h, const struct event *ev)
{
	return number(h,
	    (struct host_place){.text = {[PLACE_NAME] = intern_name(h, ev),
				    [PLACE_FILE] = intern_key(h, ev, KEY_file),
				    [PLACE_LINE] = intern_line(
					h, names_innermost(&h->names, ev))}});
}

uint32_t
host_places_range(struct host_places *h, struct span name)
{
	return name.len == 0
		   ? 0
		   : number(
			 h, (struct host_place){
				.text = {[PLACE_NAME] = intern_folded(h, name),
				    [PLACE_FILE] = INTERN_NONE,
				    [PLACE_LINE] = INTERN_NONE}});
}

uint32_t
host_places_named(struct host_places *h, struct span name)
{
	return number(
	    h, (struct host_place){.text = {[PLACE_NAME] = intern(h, name),
				       [PLACE_FILE] = INTERN_NONE,
				       [PLACE_LINE] = INTERN_NONE}});
}

uint32_t
host_places_after(struct host_places *h, uint32_t call, struct span what)
{
	struct host_place p;

	if (call == 0 || what.len == 0 ||
	    h->all.all[call - 1].text[PLACE_NAME] == INTERN_NONE)
		return call;
	p = h->all.all[call - 1];
	h->folded.len = 0;
	text_add_span(&h->folded, intern_text(&h->texts, p.text[PLACE_NAME]));
	text_add_str(&h->folded, " after ");
	text_add_span(&h->folded, what);
	p.text[PLACE_NAME] = intern(h, text_span(&h->folded));
	return number(h, p);
}

/* Most calls have a name alone, and its symbol a number. */
uint32_t
host_places_number(struct host_places *h, const struct event *ev)
{
	uint32_t *place;
	bool fresh;

	if (ev->kind == KIND_range || !event_has(ev, KEY_name) ||
	    event_has(ev, KEY_file) || event_has(ev, KEY_stack))
		return find_number(h, ev);
	place = numbered_get(&h->of_symbol, model_symbol(ev), &fresh);
	if (fresh)
		*place = find_number(h, ev);
	return *place;
}

void
host_places_add(struct host_places *h, size_t row, uint32_t place, int64_t ns)
{
	struct place_time *t;
	bool fresh;

	if (place == 0)
		return;
	t = keyed_get(&h->times, row, place, &fresh);
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
	numbered_clear(&h->of_symbol);
}

void
host_places_free(struct host_places *h)
{
	names_free(&h->names);
	intern_free(&h->texts);
	keyed_free(&h->all);
	keyed_free(&h->times);
	numbered_free(&h->of_symbol);
	text_free(&h->scratch);
	text_free(&h->folded);
}
