/* json_members.c - the members of an object of JSON */

#include <stdlib.h>

#include "json_members.h"
#include "tq/base/array.h"
#include "tq/base/time.h"

void
json_members_add(struct json_members *m, struct span key, struct span value)
{
	*array_add(&m->all, &m->count, &m->cap) =
	    (struct json_member){key, value, false};
}

void
json_members_read(struct json_members *m, struct span object)
{
	struct lenient l = {NULL, false};
	struct span key, value;
	const char *p;

	m->count = 0;
	if (object.len == 0 || *object.p != '{')
		return;
	l.end = object.p + object.len;
	for (p = object.p + 1;;) {
		p = lenient_member(&l, p, &key, &value);
		if (p == NULL || key.p == NULL)
			return;
		json_members_add(m, key, value);
	}
}

static struct json_member *
find(const struct json_members *m, const char *name)
{
	struct span key = span_of(name);

	for (size_t i = m->count; i-- > 0;)
		if (span_eq(m->all[i].key, key))
			return &m->all[i];
	return NULL;
}

struct span
json_members_take(struct json_members *m, const char *name)
{
	struct json_member *found = find(m, name);

	if (found == NULL)
		return (struct span){NULL, 0};
	found->taken = true;
	return found->value;
}

int64_t
json_members_take_int(struct json_members *m, const char *name)
{
	struct json_member *found = find(m, name);
	int64_t v;

	if (found == NULL || !lenient_int(found->value, &v))
		return NO_ID;
	found->taken = true;
	return v;
}

bool
json_members_take_three(
    struct json_members *m, const char *name, struct text *json)
{
	struct json_member *found = find(m, name);
	const char *at = NULL;
	struct span element;
	int64_t v;
	int n = 0;

	json->len = 0;
	while (found != NULL && lenient_element(found->value, &at, &element) &&
	       lenient_int(element, &v)) {
		text_add_char(json, n++ == 0 ? '[' : ',');
		text_add_int(json, v);
	}
	text_add_char(json, ']');
	if (n == 3)
		found->taken = true;
	return n == 3;
}

void
json_members_write(const struct json_members *m, struct text *to)
{
	for (size_t i = 0; i < m->count; i++) {
		if (m->all[i].taken)
			continue;
		if (to->len > 0)
			text_add_char(to, ',');
		lenient_write_string(to, m->all[i].key);
		text_add_char(to, ':');
		lenient_write(to, m->all[i].value);
	}
}

void
json_members_free(struct json_members *m)
{
	free(m->all);
}
