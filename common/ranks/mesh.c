/* mesh.c - the coordinates of a rank */

#include "tq/base/ascii.h"
#include "tq/io/emit.h"
#include "tq/io/opts.h"
#include "tq/line/json.h"
#include "tq/ranks/mesh.h"

enum mesh_axis
mesh_axis_of(struct span word)
{
	int axis = 0;

	for (; axis < MESH_AXES; axis++)
		if (span_eq(word, opts_word_at(MESH_WORDS, axis)))
			break;
	return (enum mesh_axis)axis;
}

void
mesh_set(struct mesh *m, enum mesh_axis axis, int64_t at)
{
	if (at < 0 || at > MESH_MOST)
		return;
	m->has |= 1U << axis;
	m->at[axis] = (int32_t)at;
}

void
mesh_join(struct mesh *m, const struct mesh *other)
{
	for (int i = 0; i < MESH_AXES; i++)
		if (!mesh_has(other, i))
			continue;
		else if (!mesh_has(m, i))
			mesh_set(m, i, other->at[i]);
		else if (m->at[i] != other->at[i])
			m->has &= ~(1U << i);
}

bool
mesh_number(struct span s, size_t *i, int64_t *v)
{
	size_t from = *i;

	*v = 0;
	for (; *i < s.len && ascii_is_digit(s.p[*i]); ++*i)
		if (*i - from < MESH_DIGITS)
			*v = *v * 10 + (s.p[*i] - '0');
	return *i > from && *i - from <= MESH_DIGITS;
}

/* ---- as JSON ---- */

/* "dp 7" */
static void
take_coordinate(struct mesh *m, struct span s)
{
	const char *space = memchr(s.p, ' ', s.len);
	enum mesh_axis axis;
	size_t i;
	int64_t at;

	if (space == NULL)
		return;
	i = (size_t)(space - s.p);
	axis = mesh_axis_of((struct span){s.p, i++});
	if (axis < MESH_AXES && mesh_number(s, &i, &at) && i == s.len)
		mesh_set(m, axis, at);
}

struct mesh
mesh_read(struct span array)
{
	struct mesh m = {0};
	struct text t = {0};
	struct span value;
	struct json j;

	json_open_array(&j, array);
	while (json_next_element(&j, &value)) {
		t.len = 0;
		if (*value.p == '"')
			json_decode(&t, value);
		if (t.len > 0)
			take_coordinate(&m, text_span(&t));
	}
	text_free(&t);
	return m;
}

struct mesh
mesh_of(const struct event *ev)
{
	return event_has(ev, KEY_mesh) ? mesh_read(ev->value[KEY_mesh])
				       : (struct mesh){0};
}

void
mesh_add(struct text *t, const struct mesh *m, enum mesh_axis axis)
{
	text_add_span(t, opts_word_at(MESH_WORDS, (int)axis));
	text_printf(t, " %d", m->at[axis]);
}

void
mesh_write(struct text *t, const struct mesh *m)
{
	char separator = '[';

	for (int i = 0; i < MESH_AXES; i++) {
		if (!mesh_has(m, i))
			continue;
		text_add_char(t, separator);
		text_add_char(t, '"');
		mesh_add(t, m, i);
		text_add_char(t, '"');
		separator = ',';
	}
	text_add_char(t, ']');
}

void
mesh_emit(struct output *o, const struct mesh *m)
{
	if (m->has == 0)
		return;
	emit_key(o, KEY_mesh);
	mesh_write(&o->buf, m);
}
