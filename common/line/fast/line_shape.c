/* line_shape.c - lines that have the same keys in the same order */

#include <stdlib.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "tq/line/find_members.h"
#include "scan.h"
#include "line_shape.h"
#include "sequential.h"
#include "tq/base/mem.h"
#include "tq/base/plain.h"

enum {
	SETS = 16,    /* of shapes of a kind, by how many marks they have */
	WAYS = 4,     /* shapes of a set, the latest ones first */
	PATIENCE = 64 /* misses; then none is looked for in UCHAR_MAX lines */
};

typedef uint64_t pair __attribute__((vector_size(16)));

#define KEY(id, type, unit, redact, doc) \
	_Static_assert(sizeof(#id) + 2 <= sizeof(pair), "\"key\": fits");
#include "tq/events.def"

/* "key": stands at a mark; the value behind it ends before another one */
struct member {
	pair text, mask;
	unsigned char mark, len, next; /* len: of the text */
	unsigned char key;
};

struct line_shape {
	uint64_t number; /* from 1 */
	size_t count;    /* of marks */
	size_t quotes;   /* but for those inside of arrays and objects */
	struct keyset has;
	struct keyset want, found; /* of has, the keys of the last call */
	/* outlined: the two are known; the shape of the outlines of its lines,
	   or 0, and the marks at which their members begin */
	bool outlined;
	uint16_t outline;
	unsigned char order[OUTLINE_MEMBERS + 1]; /* marks */
	/* integers come first, then strings, then all others */
	size_t strings, others, all;
	struct member members[];
};

/* the keys that a line of a known outline has, for the last call */
struct outlined_keys {
	struct keyset want, found;
	size_t count; /* of members up to the last of these */
};

struct line_shapes {
	struct member_starts marks;       /* of the line at hand */
	bool marked;                      /* they are known */
	unsigned char missed[KIND_COUNT]; /* lines in a row, of the kind */
	uint64_t learnt;                  /* shapes */
	struct line_shape *last; /* the shape of the line at hand, or NULL */
	struct outlined_keys *outlined; /* by the shapes of outlines */
	size_t outlined_count;
	struct line_shape *sets[KIND_COUNT][SETS][WAYS];
};

struct line_shapes *
line_shape_new(void)
{
	return mem_alloc(sizeof(struct line_shapes));
}

void
line_shape_free(struct line_shapes *all)
{
	if (all == NULL)
		return;
	for (size_t k = 0; k < KIND_COUNT; k++)
		for (size_t i = 0; i < SETS * WAYS; i++)
			free(all->sets[k][i / WAYS][i % WAYS]);
	free(all->outlined);
	free(all);
}

/* where the shape of the line is, if it is known */
static struct line_shape **
set_of(struct line_shapes *all, const struct event *ev)
{
	return all->sets[ev->kind][all->marks.count % SETS];
}

/* ---- a line of a known shape ---- */

/*
 * Set the value of x by *v; false where there is none.  The bits in which its
 * key differs are added to differ.
 */
static inline bool
set_value(struct event *ev, const struct member *x,
    const struct member_starts *m, struct span *v, pair *differ)
{
	const char *key = ev->line.p + m->at[x->mark];
	uint32_t len = m->at[x->next] - m->at[x->mark] - x->len;
	pair text;

	memcpy(&text, key, sizeof(text)); /* may read the padding */
	*differ |= (text ^ x->text) & x->mask;
	*v = (struct span){key + x->len, len - 1}; /* the comma */
	ev->value[x->key] = *v;
	return (int32_t)len > 1;
}

/* is the value, which is not empty, an integer?  A long one is not plain */
static inline bool
is_int(struct span v, bool *plain)
{
	if (scan_digits(v.p) == v.len) /* may read the padding */
		return *v.p != '0' || v.len == 1;
	*plain &= v.len <= EVENT_PLAIN_DIGITS;
	return scan_any_int(v.p) == v.p + v.len;
}

static inline bool
is_string(struct span v)
{
	return *v.p == '"' && v.p[v.len - 1] == '"' && v.len > 1;
}

static size_t
count_quotes(struct span s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.len; i++)
		n += s.p[i] == '"';
	return n;
}

/* the values that are neither integers nor strings, and the quotes in them */
static bool
set_others(struct event *ev, const struct line_shape *s,
    const struct member_starts *m, size_t *quotes, pair *differ)
{
	enum { BRACKETS = 2 };

	for (size_t i = s->others; i < s->all; i++) {
		const struct member *x = &s->members[i];
		enum type type = schema_keys[x->key].type;
		struct span v;

		if (!set_value(ev, x, m, &v, differ) ||
		    scan_value(v.p, v.p + v.len, type) != v.p + v.len)
			return false;
		if (type == TYPE_OBJ || type == TYPE_STRS)
			*quotes += count_quotes(v);
		ev->plain &=
		    type != TYPE_INTS || v.len <= EVENT_PLAIN_DIGITS + BRACKETS;
	}
	return true;
}

/*
 * True if the line has the keys of the shape, and each value ends where the
 * next member begins.  A string begins and ends with a quote; it has no others
 * if their number in the line is right.
 */
static bool
set_values(
    struct event *ev, const struct line_shape *s, const struct member_starts *m)
{
	const struct member *x = s->members, *strings = x + s->strings;
	const struct member *others = x + s->others;
	size_t quotes = s->quotes;
	pair differ = {0};
	bool plain = m->plain;
	struct span v;

	for (; x < strings; x++)
		if (!set_value(ev, x, m, &v, &differ) || !is_int(v, &plain))
			return false;
	for (; x < others; x++)
		if (!set_value(ev, x, m, &v, &differ) || !is_string(v))
			return false;
	ev->plain = plain;
	return set_others(ev, s, m, &quotes, &differ) && quotes == m->quotes &&
	       (differ[0] | differ[1]) == 0;
}

/*
 * The keys that are found where only some are to be read: all up to the last of
 * them, or all of the line if one of them is not there.
 */
static struct keyset
found(struct line_shape *s, const struct keyset *want)
{
	struct keyset left = *want;
	size_t last = 0;

	if (keyset_equals(&s->want, want))
		return s->found;
	s->want = *want;
	s->found = s->has;
	for (size_t i = 0; i < s->all; i++) {
		const struct member *x = &s->members[i];

		if (keyset_has(&left, (enum key)x->key) && x->mark > last)
			last = x->mark;
		keyset_remove(&left, (enum key)x->key);
	}
	keyset_remove(&left, KEY_kind);
	for (size_t i = 0; keyset_is_empty(&left) && i < s->all; i++)
		if (s->members[i].mark > last)
			keyset_remove(&s->found, (enum key)s->members[i].key);
	return s->found;
}

/* the mark behind the last one is the end of the line */
static bool
find_marks(struct member_starts *m, const struct event *ev)
{
	struct span line = ev->line;

	if (line.len > INT32_MAX || !find_members->marks(m, line.p, line.len))
		return false;
	if (!m->plain && memchr(line.p, 0x7f, line.len) != NULL)
		return false; /* canonical strings escape it */
	m->at[m->count] = (uint32_t)line.len;
	return line.p + m->at[0] == ev->kind_name.p + ev->kind_name.len + 2;
}

bool
line_shape_wanted(const struct line_shapes *all)
{
	return all->marked;
}

/* the shape that the line has, or NULL */
static struct line_shape *
find_shape(struct line_shapes *all, struct event *ev)
{
	struct line_shape **set = set_of(all, ev), *s;

	for (size_t i = 0; i < WAYS; i++) {
		s = set[i];
		if (s == NULL || s->count != all->marks.count ||
		    !set_values(ev, s, &all->marks))
			continue;
		if (i > 0) {
			set[i] = set[i - 1];
			set[i - 1] = s;
		}
		return s;
	}
	return NULL;
}

bool
line_shape_parse(
    struct line_shapes *all, struct event *ev, const struct keyset *want)
{
	unsigned char *missed = &all->missed[ev->kind];
	struct line_shape *s;

	all->marked = false;
	all->last = NULL;
	if (*missed > PATIENCE && ++*missed != 0)
		return false;
	all->marked = find_marks(&all->marks, ev);
	if (!all->marked || (s = find_shape(all, ev)) == NULL) {
		++*missed;
		ev->plain = false;
		return false;
	}
	*missed = 0;
	all->last = s;
	ev->shape = s->number;
	ev->has = want != NULL ? found(s, want) : s->has;
	return true;
}

/* ---- a new shape ---- */

static unsigned
rank(enum key k)
{
	enum type type = schema_keys[k].type;

	return type == TYPE_INT ? 0 : type == TYPE_STR ? 1 : 2;
}

static int
compare(const void *pa, const void *pb)
{
	const struct member *a = pa, *b = pb;
	int order = (int)rank(a->key) - (int)rank(b->key);

	return order != 0 ? order : a->mark - b->mark;
}

/* integers first */
static void
sort_members(struct line_shape *s)
{
	qsort(s->members, s->all, sizeof(s->members[0]), compare);
	for (size_t i = 0; i < s->all; i++) {
		s->strings += rank(s->members[i].key) < 1;
		s->others += rank(s->members[i].key) < 2;
	}
	s->quotes = 4 + 2 * s->all + 2 * (s->others - s->strings);
}

static struct member
member_of(enum key key, size_t mark, size_t next)
{
	const struct schema_key *k = &schema_keys[key];
	struct member x = {.mark = (unsigned char)mark,
	    .len = (unsigned char)(k->len + 3),
	    .next = (unsigned char)next,
	    .key = (unsigned char)key};
	char text[sizeof(pair)] = "\"", mask[sizeof(pair)] = "";

	memcpy(text + 1, k->name, k->len);
	memcpy(text + 1 + k->len, "\":", 2);
	memset(mask, 0xff, x.len);
	memcpy(&x.text, text, sizeof(text));
	memcpy(&x.mask, mask, sizeof(mask));
	return x;
}

/* the key at p, which the event has, and which was not seen before */
static enum key
new_key(const struct line_shape *s, const struct event *ev, const char *p)
{
	const char *quote = scan_key(p + 1, ev->line.p + ev->line.len);
	enum key k = KEY_NONE;

	if (quote != NULL)
		k = schema_key(p + 1, (size_t)(quote - p - 1));
	return k != KEY_NONE && event_has(ev, k) && !keyset_has(&s->has, k)
		   ? k
		   : KEY_NONE;
}

/* the members whose marks do not stand inside of a value */
static bool
add_members(
    struct line_shape *s, const struct event *ev, const struct member_starts *m)
{
	const char *comma = ev->kind_name.p + ev->kind_name.len + 1;

	for (size_t i = 0; i < s->count; i++) {
		const char *p = ev->line.p + m->at[i];
		enum key k;

		if (p - 1 < comma)
			continue;
		if (p - 1 > comma || (k = new_key(s, ev, p)) == KEY_NONE)
			return false;
		keyset_add(&s->has, k);
		if (s->all > 0)
			s->members[s->all - 1].next = (unsigned char)i;
		s->members[s->all++] = member_of(k, i, s->count);
		comma = ev->value[k].p + ev->value[k].len;
	}
	return comma == ev->line.p + ev->line.len - 1;
}

void
line_shape_learn(struct line_shapes *all, const struct event *ev)
{
	const struct member_starts *m = &all->marks;
	struct line_shape *s, **set = set_of(all, ev);

	if (ev->unknown_count > 0)
		return;
	s = mem_alloc(sizeof(*s) + m->count * sizeof(s->members[0]));
	s->count = m->count;
	keyset_add(&s->has, KEY_kind);
	if (!add_members(s, ev, m)) {
		free(s);
		return;
	}
	sort_members(s);
	s->number = ++all->learnt;
	s->found = s->has; /* want is empty */
	free(set[WAYS - 1]);
	memmove(set + 1, set, (WAYS - 1) * sizeof(struct line_shape *));
	set[0] = s;
}

/* ---- outlines ---- */

/* numbers of shapes that were learnt are lower */
static const uint64_t outline_numbers = (uint64_t)1 << 32;

/* as found() of a line that is read */
static void
find_outlined(struct outlined_keys *x, const struct outline_shape *s)
{
	struct keyset left = x->want;

	keyset_remove(&left, KEY_kind);
	x->found = (struct keyset){0};
	keyset_add(&x->found, KEY_kind);
	for (x->count = 0; x->count < s->count && !keyset_is_empty(&left);
	     x->count++) {
		keyset_add(&x->found, (enum key)s->keys[x->count]);
		keyset_remove(&left, (enum key)s->keys[x->count]);
	}
}

__attribute__((noinline)) static void
more_outlined(struct line_shapes *all, uint16_t number)
{
	size_t n = all->outlined_count, more = (size_t)number * 2;

	all->outlined = mem_resize(all->outlined, more, sizeof(*all->outlined));
	memset(all->outlined + n, 0, (more - n) * sizeof(*all->outlined));
	all->outlined_count = more;
}

static inline const struct outlined_keys *
outlined_keys(struct line_shapes *all, uint16_t number,
    const struct outline_shape *s, const struct keyset *want)
{
	struct outlined_keys *x;

	if (number >= all->outlined_count)
		more_outlined(all, number);
	x = &all->outlined[number];
	if (!keyset_equals(&x->want, want) || keyset_is_empty(&x->found)) {
		x->want = *want;
		find_outlined(x, s);
	}
	return x;
}

/* True if each member has room for its key and a value. */
static inline bool
outline_fits(
    const struct outline_shape *s, const struct outline *outline, bool *plain)
{
	plain_block few = {0}, many = few;

	for (size_t i = 0; i < s->count; i += PLAIN_BLOCK) {
		plain_block len = plain_load((const char *)outline->len + i);

		few |=
		    (plain_block)(len < plain_load((const char *)s->least + i));
		many |=
		    (plain_block)(len > plain_load((const char *)s->most + i));
	}
	*plain = plain_none(many);
	return plain_none(few);
}

bool
line_shape_outlined(struct line_shapes *all, struct event *ev,
    const struct outline *outline, const struct keyset *want)
{
	const struct outline_shape *s = outline_shapes[outline->shape];
	const char *p = ev->line.p + s->opening;
	const struct keyset *has = &s->has;
	size_t count = s->count;
	bool plain;

	if (!outline_fits(s, outline, &plain))
		return false;
	if (want != NULL) {
		const struct outlined_keys *x =
		    outlined_keys(all, outline->shape, s, &want[s->kind]);

		has = &x->found;
		count = x->count;
	}
	ev->kind = s->kind;
	event_set(ev, KEY_kind, p - schema_kinds[s->kind].len - 2, p);
	ev->kind_name = event_inside(ev->value[KEY_kind]);
	for (size_t i = 0; i < count; i++) {
		size_t before = s->before[i], len = outline->len[i];

		ev->value[s->keys[i]] = (struct span){p + before, len - before};
		p += len;
	}
	if (p > ev->line.p + ev->line.len - 1)
		return false;
	ev->plain = plain;
	ev->shape = outline_numbers + outline->shape;
	ev->has = *has;
	ev->outline = outline;
	return true;
}

/* the shape of the outlines that lines of s have */
static void
find_outline(struct line_shape *s, enum kind kind)
{
	unsigned char at[MARKS_MAX];
	uint16_t shape = (uint16_t)(1 + kind);

	s->outlined = true;
	if (s->all > OUTLINE_MEMBERS)
		return;
	memset(at, 0, sizeof(at));
	for (size_t i = 0; i < s->all; i++)
		at[s->members[i].mark] = (unsigned char)(i + 1);
	for (size_t mark = 0, n = 0; mark < s->count; mark++) {
		if (at[mark] == 0)
			continue;
		s->order[n++] = (unsigned char)mark;
		shape = outline_shape_locked(
		    shape, (enum key)s->members[at[mark] - 1].key);
		if (shape == 0)
			return;
	}
	s->order[s->all] = (unsigned char)s->count;
	s->outline = shape;
}

void
line_shape_outline(const struct line_shapes *all, const struct event *ev,
    struct outline *outline)
{
	struct line_shape *s = all != NULL ? all->last : NULL;
	const uint32_t *at;
	uint32_t longest = 0;

	outline->shape = 0;
	if (s == NULL || ev->shape != s->number || !ev->plain)
		return;
	if (!s->outlined)
		find_outline(s, ev->kind);
	if (s->outline == 0)
		return;
	at = all->marks.at;
	for (size_t i = 0; i < s->all; i++) {
		uint32_t len = at[s->order[i + 1]] - at[s->order[i]];

		outline->len[i] = (unsigned char)len;
		longest |= len;
	}
	if (longest > UINT8_MAX)
		return;
	outline->shape = s->outline;
	outline->bytes = (uint16_t)(ev->line.len - 1);
}
