/*
 * nvtx_names.c - names of ranges, and other texts by number
 *
 * Programs number what they do: "aten::mm, op_id = 17".  So a text is held as
 * a stem, which there is once, and the number that it ends with.
 */

#include <stdlib.h>

#include "tq/line/json.h"
#include "tq/base/mem.h"

#include "nvtx.h"

enum { DIGITS = 18 }; /* of a number, so that ten times it fits */

#define NO_NUMBER UINT64_MAX

static const uint64_t powers[DIGITS + 1] = {1, 10, 100, 1000, 10000, 100000,
    1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000,
    1000000000000, 10000000000000, 100000000000000, 1000000000000000,
    10000000000000000, 100000000000000000, 1000000000000000000};

/* ---- hashes ---- */

static uint64_t
mix(uint64_t h)
{
	h *= 0xd6e8feb86659fd93u;
	h ^= h >> 32;
	return h * 0x9e3779b97f4a7c15u;
}

static uint64_t
hash_text(struct span s, unsigned char tag)
{
	uint64_t h = s.len << 8 | tag, v;

	for (; s.len >= sizeof(v); s.p += sizeof(v), s.len -= sizeof(v)) {
		memcpy(&v, s.p, sizeof(v));
		h = mix(h ^ v);
	}
	for (v = 0; s.len > 0; s.len--)
		v = v << 8 | (unsigned char)*s.p++;
	return mix(h ^ v);
}

static struct span
stem_text(const struct nvtx_names *names, uint32_t stem)
{
	const struct nvtx_stem *s = &names->stems[stem];

	return (struct span){s->len > 0 ? names->texts.p + s->at : "", s->len};
}

/* the first slot for a hash, of which 32 bits are looked at */
static size_t
home(const struct nvtx_slots *s, uint64_t hash)
{
	return (hash >> 32) & (s->size - 1);
}

static void
fill_slot(struct nvtx_slot *slot, uint64_t hash, size_t number)
{
	*slot =
	    (struct nvtx_slot){(uint32_t)(hash >> 32), (uint32_t)number + 1};
}

/* Room for one more than count. */
static void
make_room(struct nvtx_slots *s, size_t count)
{
	struct nvtx_slots old = *s;

	if (count < old.size / 4 * 3)
		return;
	s->size = old.size > 0 ? old.size * 2 : 64;
	s->all = mem_alloc(s->size * sizeof(*s->all));
	for (size_t n = 0; n < old.size; n++) {
		size_t i = old.all[n].hash & (s->size - 1);

		if (old.all[n].number == 0)
			continue;
		while (s->all[i].number != 0)
			i = (i + 1) & (s->size - 1);
		s->all[i] = old.all[n];
	}
	free(old.all);
}

/* ---- texts ---- */

/* the stem of a text, without the number that it ends with */
static struct span
split(struct span s, uint64_t *number)
{
	size_t i = s.len, end = s.len > DIGITS ? s.len - DIGITS : 0;

	while (i > end && s.p[i - 1] >= '0' && s.p[i - 1] <= '9')
		i--;
	while (i + 1 < s.len && s.p[i] == '0')
		i++; /* which a number does not begin with */
	*number = i < s.len ? 0 : NO_NUMBER;
	for (size_t n = i; n < s.len; n++)
		*number = *number * 10 + (uint64_t)(s.p[n] - '0');
	return (struct span){s.p, i};
}

static uint32_t
find_stem(struct nvtx_names *names, struct span s, unsigned char tag)
{
	struct nvtx_slots *slots = &names->stem_slots;
	uint64_t hash = hash_text(s, tag);
	size_t i;

	make_room(slots, names->stem_count);
	i = home(slots, hash);
	for (; slots->all[i].number != 0; i = (i + 1) & (slots->size - 1)) {
		uint32_t stem = slots->all[i].number - 1;

		if (slots->all[i].hash == hash >> 32 &&
		    names->stems[stem].tag == tag &&
		    span_eq(stem_text(names, stem), s))
			return stem;
	}
	if (names->stem_count == names->stem_cap) {
		names->stem_cap = names->stem_cap * 2 + 64;
		names->stems = mem_resize(
		    names->stems, names->stem_cap, sizeof(*names->stems));
	}
	names->stems[names->stem_count] =
	    (struct nvtx_stem){names->texts.len, s.len, tag};
	text_add_span(&names->texts, s);
	fill_slot(&slots->all[i], hash, names->stem_count);
	return (uint32_t)names->stem_count++;
}

struct nvtx_key
nvtx_name_key(struct nvtx_names *names, struct span s, unsigned char tag)
{
	struct nvtx_key key;
	uint64_t number;

	if (names->scratch == NULL)
		names->scratch = mem_alloc(sizeof(*names->scratch));
	make_room(&names->slots, names->count);
	key.name.stem = find_stem(names, split(s, &number), tag);
	key.name.low = (uint32_t)number;
	key.name.high = (uint32_t)(number >> 32);
	key.hash = mix(key.name.stem ^ mix(number));
	__builtin_prefetch(&names->slots.all[home(&names->slots, key.hash)]);
	return key;
}

uint32_t
nvtx_name_number(struct nvtx_names *names, const struct nvtx_key *key)
{
	struct nvtx_slots *slots = &names->slots;
	size_t i = home(slots, key->hash);

	for (; slots->all[i].number != 0; i = (i + 1) & (slots->size - 1))
		if (slots->all[i].hash == key->hash >> 32 &&
		    memcmp(&names->all[slots->all[i].number - 1], &key->name,
			sizeof(key->name)) == 0)
			return slots->all[i].number - 1;
	if (names->count == names->cap) {
		names->cap = names->cap * 2 + 64;
		names->all =
		    mem_resize(names->all, names->cap, sizeof(*names->all));
	}
	names->all[names->count] = key->name;
	fill_slot(&slots->all[i], key->hash, names->count);
	return (uint32_t)names->count++;
}

uint32_t
nvtx_name(struct nvtx_names *names, struct span s)
{
	struct nvtx_key key = nvtx_name_key(names, s, 0);

	return nvtx_name_number(names, &key);
}

static uint64_t
number_of(const struct nvtx_numbered *n)
{
	return (uint64_t)n->high << 32 | n->low;
}

/* the whole text, where it is not a stem alone at the end of *t */
static struct span
text_of(const struct nvtx_names *names, uint32_t name, struct text *t)
{
	const struct nvtx_numbered *n = &names->all[name];
	struct span stem = stem_text(names, n->stem);

	if (number_of(n) == NO_NUMBER)
		return stem;
	t->len = 0;
	text_add_span(t, stem);
	text_add_int(t, (int64_t)number_of(n));
	return text_span(t);
}

struct span
nvtx_name_text(const struct nvtx_names *names, uint32_t name)
{
	return text_of(names, name, names->scratch);
}

unsigned char
nvtx_name_tag(const struct nvtx_names *names, uint32_t name)
{
	return names->stems[names->all[name].stem].tag;
}

/* ---- order ---- */

static unsigned
digits(uint64_t v)
{
	unsigned n = 1;

	while (n <= DIGITS && v >= powers[n])
		n++;
	return n;
}

/* as texts: "10" comes before "9" */
static int
compare_numbers(uint64_t a, uint64_t b)
{
	unsigned na, nb;

	if (a == NO_NUMBER || b == NO_NUMBER)
		return (a != NO_NUMBER) - (b != NO_NUMBER);
	na = digits(a);
	nb = digits(b);
	if (na < nb)
		a *= powers[nb - na];
	else
		b *= powers[na - nb];
	if (a != b)
		return a < b ? -1 : 1;
	return (na > nb) - (na < nb);
}

int
nvtx_name_cmp(const struct nvtx_names *names, uint32_t a, uint32_t b)
{
	const struct nvtx_numbered *na = &names->all[a], *nb = &names->all[b];
	struct text ta = {0}, tb = {0};
	struct span sa, sb;
	size_t common;
	int c;

	if (na->stem == nb->stem)
		return compare_numbers(number_of(na), number_of(nb));
	sa = stem_text(names, na->stem);
	sb = stem_text(names, nb->stem);
	common = sa.len < sb.len ? sa.len : sb.len;
	if ((c = memcmp(sa.p, sb.p, common)) != 0)
		return c;
	c = span_cmp(text_of(names, a, &ta), text_of(names, b, &tb));
	text_free(&ta);
	text_free(&tb);
	return c != 0 ? c
		      : (int)nvtx_name_tag(names, a) -
			    (int)nvtx_name_tag(names, b);
}

void
nvtx_names_free(struct nvtx_names *names)
{
	free(names->stem_slots.all);
	free(names->slots.all);
	free(names->stems);
	free(names->all);
	text_free(&names->texts);
	if (names->scratch != NULL)
		text_free(names->scratch);
	free(names->scratch);
	*names = (struct nvtx_names){0};
}

/* ---- what ranges are called ---- */

struct span
nvtx_style_text(enum nvtx_style style)
{
	if (style == NVTX_NONE)
		return (struct span){"", 0};
	return style == NVTX_START ? SPAN("StartEnd") : SPAN("PushPop");
}

enum nvtx_style
nvtx_style(const struct event *ev)
{
	struct text t = {0};
	bool start = span_eq(event_str(ev, KEY_mode, &t), SPAN("start"));

	text_free(&t);
	return start ? NVTX_START : NVTX_PUSH;
}

/* A domain that the export has no name of is #1 and so on in the stream. */
static bool
nameless(const struct text *domain)
{
	size_t i = 1;

	while (i < domain->len && domain->p[i] >= '0' && domain->p[i] <= '9')
		i++;
	return domain->len > 1 && i == domain->len && domain->p[0] == '#';
}

/*
 * nsys 2023.4 writes domain:text, and the text alone for the default domain;
 * that is also what is written without --compat.  2024.6 has :text for the
 * default domain.  For both a domain without a name is the default one.
 */
bool
nvtx_event_name(struct text *t, const struct ask *ask, const struct event *ev)
{
	bool colon = ask->compat && ask->version >= 2024;

	t->len = 0;
	if (ask->compat && !colon && !event_has(ev, KEY_name))
		return false;
	if (event_has(ev, KEY_domain))
		json_decode(t, ev->value[KEY_domain]);
	if (ask->compat && nameless(t))
		t->len = 0;
	if (t->len > 0 || colon)
		text_add_char(t, ':');
	if (event_has(ev, KEY_name))
		json_decode(t, ev->value[KEY_name]);
	return true;
}
