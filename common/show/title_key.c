/* title_key.c - the title of a column as a name that needs no quotes */

#include "tq/show/title_key.h"

static bool
is_key_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

void
title_key_add_text(struct text *t, struct span s)
{
	size_t start = t->len;

	for (size_t i = 0; i < s.len; i++) {
		char c = s.p[i];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if (c == '%')
			text_add_str(t, "pct");
		else if (is_key_char(c))
			text_add_char(t, c);
		else if (t->len > start && t->p[t->len - 1] != '_')
			text_add_char(t, '_');
	}
	if (t->len > start && t->p[t->len - 1] == '_')
		t->len--;
}

static void
add_unit(struct text *t, const char *unit)
{
	size_t n = strcspn(unit, "/");

	text_add_char(t, '_');
	title_key_add_text(t, (struct span){unit, n});
	if (unit[n] != '\0')
		text_printf(t, "_per_%s", unit + n + 1);
}

static bool
ends_with_time(struct span name)
{
	static const char word[] = "_time";
	const size_t n = sizeof(word) - 1;

	return name.len > n && memcmp(name.p + name.len - n, word, n) == 0;
}

/* titles of nsys whose keys are others */
static struct span
key_word(const char *title)
{
	if (strcmp(title, "Result") == 0) /* as in records */
		return SPAN("ret");
	if (strcmp(title, "Row#") == 0) /* row is a member of json */
		return SPAN("row_number");
	return span_of(title);
}

void
title_key_add(struct text *t, const struct column *c, const char *unit)
{
	size_t start = t->len;

	title_key_add_text(t, key_word(c->name));
	if (unit != NULL) {
		if (c->unit == UNIT_TIME &&
		    ends_with_time((struct span){t->p + start, t->len - start}))
			t->len -= strlen("_time");
		add_unit(t, unit);
	}
	if (c->twin > 0)
		text_printf(t, "_%u", c->twin + 1);
}

/* units differ as keys do: any name of each will do */
static void
key_of(struct text *t, const struct column *c)
{
	static const char *const units[] = {[UNIT_PERCENT] = "%",
	    [UNIT_TIME] = "ns",
	    [UNIT_SIZE] = "B",
	    [UNIT_THROUGHPUT] = "B/s"};

	t->len = 0;
	title_key_add(t, &(struct column){.name = c->name, .unit = c->unit},
	    units[c->unit]);
}

void
title_key_number(struct table *t)
{
	struct text key = {0}, other = {0};

	for (size_t i = 0; i < t->column_count; i++) {
		t->columns[i].twin = 0;
		key_of(&key, &t->columns[i]);
		for (size_t n = 0; n < i; n++) {
			key_of(&other, &t->columns[n]);
			t->columns[i].twin +=
			    span_eq(text_span(&key), text_span(&other));
		}
	}
	text_free(&key);
	text_free(&other);
}
