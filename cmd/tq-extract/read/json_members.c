/* json_members.c - the members of an object of JSON */

#include <stdlib.h>

#include "json_members.h"
#include "tq/base/time.h"

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

struct json_member *
json_members_find(const struct json_members *m, struct span name)
{
	for (size_t i = m->count; i-- > 0;)
		if (span_eq(m->all[i].key, name))
			return &m->all[i];
	return NULL;
}

struct span
json_members_take(const struct json_members *m, struct span name)
{
	struct json_member *found = json_members_find(m, name);

	if (found == NULL)
		return (struct span){NULL, 0};
	found->taken = true;
	return found->value;
}

int64_t
json_members_take_int(const struct json_members *m, struct span name)
{
	struct json_member *found = json_members_find(m, name);
	int64_t v;

	if (found == NULL || !lenient_int(found->value, &v))
		return NO_ID;
	found->taken = true;
	return v;
}

bool
json_members_take_three(
    const struct json_members *m, struct span name, struct text *json)
{
	struct json_member *found = json_members_find(m, name);
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

size_t
json_members_write(const struct json_members *m, struct text *to, size_t start)
{
	size_t repaired = 0;

	for (size_t i = 0; i < m->count; i++) {
		if (m->all[i].taken)
			continue;
		if (to->len > start)
			text_add_char(to, ',');
		repaired += lenient_write_string(to, m->all[i].key);
		text_add_char(to, ':');
		repaired += lenient_write(to, m->all[i].value);
	}
	return repaired;
}

void
json_members_free(struct json_members *m)
{
	free(m->all);
}
