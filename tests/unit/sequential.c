/*
 * sequential.c - random lines, as tools write them and changed in every way,
 * are the same events to the fast path as to the complete one: with white
 * space before it, no line is canonical
 */

#include "check.h"
#include "respell.h"

enum { LINES = 60000 };

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static uint64_t state = 1;

static size_t
below(size_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (size_t)(state >> 33) % n;
}

/* one of ten thousand lines and one of two: seldom, and often */
static bool
one_of(size_t n)
{
	return below(n) == 0;
}

/* ---- lines ---- */

static const char *const strings[] = {"", "a", "gemm", "cudaLaunchKernel",
    "ends with a comma,", ",", ":", "{}", "[1,2]", "aten::add_, op_id = 4",
    "void f<(int)4, T>(T *, unsigned long)", "\xc3\xa9\xe2\x82\xac",
    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"};

static const char *const objects[] = {"{}", "{\"copyCount\":1}",
    "{\"a\":1,\"b\":{\"c\":[1,\"x\"]}}", "{\"a\":\"x\",\"tid\":5}",
    "{\"a\":\"x\",\"tid\":5,\"name\":\"y\"}", "{ \"a\" : 1 , \"ts\" : 2 }"};

static const char *const numbers[] = {"0", "1", "-1", "1.5", "-2e3", "17"};

static void
add_int(struct text *t)
{
	static const int64_t least[] = {0, 1, 7, 99, 12345678, 999999999,
	    1234567890123456, 99999999999999999, 999999999999999999};

	if (one_of(20))
		text_add_char(t, '-');
	if (one_of(2))
		text_add_int(t, (int64_t)below(100000));
	else
		text_add_int(t, least[below(COUNT(least))]);
}

static void
add_string(struct text *t)
{
	const char *s = strings[below(COUNT(strings))];

	text_add_json(t, s, strlen(s));
}

static void
add_value(struct text *t, enum type type)
{
	size_t n;

	switch (type) {
	case TYPE_INT:
		add_int(t);
		break;
	case TYPE_STR:
		add_string(t);
		break;
	case TYPE_BOOL:
		text_add_str(t, one_of(2) ? "true" : "false");
		break;
	case TYPE_NUM:
		text_add_str(t, numbers[below(COUNT(numbers))]);
		break;
	case TYPE_OBJ:
		text_add_str(t, objects[below(COUNT(objects))]);
		break;
	case TYPE_INTS:
	case TYPE_STRS:
		text_add_char(t, '[');
		n = below(4);
		for (size_t i = 0; i < n; i++) {
			if (i > 0)
				text_add_char(t, ',');
			add_value(t, type == TYPE_INTS ? TYPE_INT : TYPE_STR);
		}
		text_add_char(t, ']');
	}
}

struct member {
	struct text key, value;
};

/* the members of a line */
struct line {
	struct member members[16];
	size_t count;
};

static void
add_member(struct line *l, const char *key, enum type type)
{
	struct member *m = &l->members[l->count++];

	m->key.len = m->value.len = 0;
	text_add_str(&m->key, key);
	add_value(&m->value, type);
}

/* few kinds with few keys, so that a shape comes again */
static void
new_line(struct line *l)
{
	static const char *const kinds[] = {
	    "\"api\"", "\"gpu-range\"", "\"mark\"", "\"note\""};
	size_t kind = below(COUNT(kinds));
	enum key keys[] = {KEY_ts, KEY_dur, KEY_tid, KEY_name, KEY_grid,
	    KEY_open, KEY_value, KEY_frames, KEY_range, KEY_args};

	l->count = 0;
	add_member(l, "kind", TYPE_INT);
	l->members[0].value.len = 0;
	text_add_str(&l->members[0].value, kinds[kind]);
	for (size_t i = 0; i < COUNT(keys); i++)
		if (one_of(12) == ((kind + i) % 3 > 0))
			add_member(l, schema_keys[keys[i]].name,
			    schema_keys[keys[i]].type);
}

/* ---- what is changed ---- */

static void
swap_members(struct line *l)
{
	size_t a = below(l->count), b = below(l->count);
	struct member m = l->members[a];

	l->members[a] = l->members[b];
	l->members[b] = m;
}

static void
change_member(struct line *l)
{
	struct member *m = &l->members[below(l->count)];

	switch (below(5)) {
	case 0: /* stands there again */
		m->key.len = 0;
		text_add_span(&m->key, text_span(&l->members[0].key));
		break;
	case 1: /* a value of another type */
		m->value.len = 0;
		add_value(&m->value, (enum type)below(TYPE_OBJ + 1));
		break;
	case 2:
		m->value.len = 0;
		text_add_str(&m->value, "null");
		break;
	case 3: /* unknown */
		text_add_char(&m->key, 'x');
		break;
	default:
		l->members[below(l->count)].key.len = 0;
	}
}

static void
spell(struct text *t, const struct line *l)
{
	t->len = 0;
	text_add_char(t, '{');
	for (size_t i = 0; i < l->count; i++) {
		if (i > 0)
			text_add_char(t, ',');
		text_add_char(t, '"');
		text_add_span(t, text_span(&l->members[i].key));
		text_add_str(t, "\":");
		text_add_span(t, text_span(&l->members[i].value));
	}
	text_add_char(t, '}');
}

static void
change_bytes(struct text *t)
{
	static const char bytes[] = "{}[]\",: \\\t01-.enu\x80";
	char c = bytes[below(sizeof(bytes) - 1)];
	size_t at = below(t->len);

	switch (below(4)) {
	case 0:
		t->p[at] = c;
		break;
	case 1:
		text_add_char(t, ' ');
		memmove(t->p + at + 1, t->p + at, t->len - at - 1);
		t->p[at] = c;
		break;
	case 2:
		memmove(t->p + at, t->p + at + 1, t->len - at - 1);
		t->len--;
		break;
	default:
		t->len = at;
		if (one_of(2))
			text_add_char(t, '}');
	}
}

static void
random_line(struct text *t, struct line *l)
{
	new_line(l);
	if (one_of(4))
		swap_members(l);
	if (one_of(4))
		change_member(l);
	spell(t, l);
	while (one_of(3) && t->len > 0)
		change_bytes(t);
}

/* ---- both paths ---- */

/* the line behind so many spaces, with bytes behind it that mislead */
static struct span
padded(struct text *t, struct span line, size_t spaces)
{
	t->len = 0;
	while (spaces-- > 0)
		text_add_char(t, ' ');
	text_add_span(t, line);
	line.len = t->len;
	text_add_str(t, "\",]}1\"]},\"ts\":1}");
	return (struct span){t->p, line.len};
}

/* is it known to be, and is not? */
static const char *
not_plain(const struct event *ev)
{
	struct span s = ev->line;

	for (size_t i = 0; ev->plain && i < s.len; i++)
		if (s.p[i] == '\\' || (unsigned char)s.p[i] >= 0x7f)
			return "the line is not plain";
	for (enum key k = 0; ev->plain && k < KEY_COUNT; k++)
		if (event_has(ev, k) && schema_keys[k].type == TYPE_INT &&
		    ev->value[k].len > EVENT_PLAIN_DIGITS)
			return "an integer is not plain";
	return NULL;
}

/* where values stand that no other line of the shape may have elsewhere */
static const char *
not_of_shape(const struct event *ev)
{
	enum { SHAPES = 4096 };
	static struct {
		struct keyset has;
		enum kind kind;
		enum key order[KEY_COUNT];
	} known[SHAPES], now;
	size_t n = 0;

	if (ev->shape == 0 || ev->shape >= SHAPES)
		return NULL;
	now.kind = ev->kind;
	now.has = ev->has;
	for (enum key k = 0; k < KEY_COUNT; k++) {
		size_t i;

		if (!event_has(ev, k))
			continue;
		for (i = n++;
		     i > 0 && ev->value[now.order[i - 1]].p > ev->value[k].p;
		     i--)
			now.order[i] = now.order[i - 1];
		now.order[i] = k;
	}
	if (known[ev->shape].has.bits[0] == 0)
		known[ev->shape] = now;
	return known[ev->shape].kind == now.kind &&
		       memcmp(known[ev->shape].order, now.order,
			   n * sizeof(now.order[0])) == 0
		   ? NULL
		   : "the shape";
}

static void
test_all(struct event *fast, struct event *plain, struct span line)
{
	struct text a = {0}, b = {0};
	bool x = event_parse(fast, padded(&a, line, 0), NULL);
	bool y = event_parse(plain, padded(&b, line, 1), NULL);
	const char *difference = NULL;

	if (x && y)
		difference = event_difference(fast, plain, NULL);
	else if (!x && !y && strcmp(fast->error, plain->error) != 0)
		difference = "the message";
	if (difference == NULL && x)
		difference = not_plain(fast);
	if (difference == NULL && x)
		difference = not_of_shape(fast);
	CHECK(x == y && difference == NULL, "%.*s: %d, %d, %s", (int)line.len,
	    line.p, x, y, shown(difference));
	text_free(&a);
	text_free(&b);
}

/* a key that stands there twice may be read at its first place */
static void
test_some(struct event *fast, struct event *plain, struct span line)
{
	struct keyset want[KIND_COUNT + 1] = {0};
	struct text a = {0}, b = {0}, t = {0};

	for (size_t i = 0; i <= KIND_COUNT; i++) {
		keyset_add(&want[i], KEY_kind);
		for (enum key k = 0; k < KEY_COUNT; k++)
			if (one_of(3))
				keyset_add(&want[i], k);
	}
	if (event_parse(plain, padded(&b, line, 1), NULL) &&
	    respell(&t, line, 0)) {
		bool x = event_parse(fast, padded(&a, line, 0), want);
		const char *difference =
		    event_difference(plain, fast, &want[plain->kind]);

		CHECK(x && difference == NULL, "%.*s: %s", (int)line.len,
		    line.p, x ? shown(difference) : fast->error);
	}
	text_free(&a);
	text_free(&b);
	text_free(&t);
}

int
main(void)
{
	struct event fast = {0}, plain = {0};
	struct line l = {0};
	struct text t = {0};

	for (size_t i = 0; i < LINES; i++) {
		random_line(&t, &l);
		test_all(&fast, &plain, text_span(&t));
		test_some(&fast, &plain, text_span(&t));
	}
	for (size_t i = 0; i < COUNT(l.members); i++) {
		text_free(&l.members[i].key);
		text_free(&l.members[i].value);
	}
	event_free(&fast);
	event_free(&plain);
	text_free(&t);
	return check_status();
}
