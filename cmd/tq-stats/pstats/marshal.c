/* marshal.c - the values in a file of Python's marshal */

#include <stdlib.h>

#include "tq/base/array.h"

#include "marshal.h"

enum { MARSHAL_REF = 0x80, MOST_DEPTH = 16, DIGIT_BITS = 15 };

static bool
fail(struct marshal *m, const char *error)
{
	m->error = error;
	return false;
}

/* n bytes, or NULL */
static const unsigned char *
take(struct marshal *m, size_t n)
{
	const unsigned char *p = (const unsigned char *)m->file.p + m->at;

	if (n > m->file.len - m->at) {
		fail(m, "the file is cut short");
		return NULL;
	}
	m->at += n;
	return p;
}

/* n bytes as a number, the least first; 0 on an error */
static uint64_t
number(struct marshal *m, size_t n)
{
	const unsigned char *p = take(m, n);
	uint64_t v = 0;

	while (p != NULL && n-- > 0)
		v = v << 8 | p[n];
	return v;
}

/* digits of 15 bits, the least first; their count has the sign */
static bool
long_int(struct marshal *m, int64_t *to)
{
	int32_t count = (int32_t)(uint32_t)number(m, 4);
	uint32_t n = count < 0 ? -(uint32_t)count : (uint32_t)count;
	uint64_t v = 0;

	if (n > 4) /* 60 bits */
		return fail(m, "a number is too large");
	for (uint32_t i = 0; i < n; i++)
		v |= (number(m, 2) & 0x7fff) << (i * DIGIT_BITS);
	*to = count < 0 ? -(int64_t)v : (int64_t)v;
	return m->error == NULL;
}

/* a text or tuple, whose size has so many bytes */
static bool
sized(struct marshal *m, struct marshal_value *v, enum marshal_type type,
    size_t bytes)
{
	v->type = type;
	v->count = (uint32_t)number(m, bytes);
	if (type == MARSHAL_TEXT)
		v->text =
		    (struct span){(const char *)take(m, v->count), v->count};
	return m->error == NULL;
}

static bool
integer(struct marshal *m, struct marshal_value *v, char type)
{
	v->type = MARSHAL_INT;
	if (type == 'l')
		return long_int(m, &v->i);
	v->i = type == 'i' ? (int32_t)(uint32_t)number(m, 4)
			   : (int64_t)number(m, 8);
	return m->error == NULL;
}

/* a value of any type but a reference; its type was at the place start */
static bool
value(struct marshal *m, struct marshal_value *v, char type, size_t start)
{
	switch (type) {
	case '0':
		v->type = MARSHAL_END;
		return true;
	case 'N':
		v->type = MARSHAL_NONE;
		return true;
	case 'i':
	case 'I':
	case 'l':
		return integer(m, v, type);
	case 'g':
		v->type = MARSHAL_REAL;
		v->bits = number(m, 8);
		return m->error == NULL;
	case 'z':
	case 'Z':
		return sized(m, v, MARSHAL_TEXT, 1);
	case 'a':
	case 'A':
	case 's':
	case 't':
	case 'u':
		return sized(m, v, MARSHAL_TEXT, 4);
	case ')':
		return sized(m, v, MARSHAL_TUPLE, 1);
	case '(':
		return sized(m, v, MARSHAL_TUPLE, 4);
	case '{':
		v->type = MARSHAL_DICT;
		return true;
	default:
		m->at = start;
		return fail(m, "no type that totals of cProfile have");
	}
}

/* the value that a reference names */
static bool
referred(struct marshal *m, struct marshal_value *v)
{
	uint64_t i = number(m, 4);
	size_t back = m->at, start;

	if (m->error == NULL && i >= m->count)
		return fail(m, "a reference to nothing");
	if (m->error != NULL)
		return false;
	start = m->refs[i];
	m->at = start + 1;
	if (!value(m, v, (char)(m->file.p[start] & ~MARSHAL_REF), start))
		return false;
	v->inside = m->at;
	v->elsewhere = true;
	m->at = back;
	return true;
}

bool
marshal_next(struct marshal *m, struct marshal_value *v)
{
	const unsigned char *type = take(m, 1);

	*v = (struct marshal_value){0};
	if (type == NULL)
		return false;
	if (*type == 'r')
		return referred(m, v);
	if ((*type & MARSHAL_REF) != 0 && !m->again)
		*array_add(&m->refs, &m->count, &m->cap) = m->at - 1;
	return value(m, v, (char)(*type & ~MARSHAL_REF), m->at - 1);
}

bool
marshal_tuple(struct marshal *m, struct marshal_value *items, uint32_t n)
{
	struct marshal_value v;
	size_t back;

	if (!marshal_next(m, &v))
		return false;
	if (v.type != MARSHAL_TUPLE || v.count != n)
		return fail(m, "not the tuple that cProfile writes here");
	back = m->at;
	m->again = v.elsewhere;
	if (v.elsewhere)
		m->at = v.inside;
	for (uint32_t i = 0; i < n; i++)
		if (!marshal_next(m, &items[i]))
			return false;
	m->again = false;
	if (v.elsewhere)
		m->at = back;
	return true;
}

/* of a dictionary, its end is the last value */
static bool
skip(struct marshal *m, unsigned depth, bool *end)
{
	struct marshal_value v;
	bool last = false;
	uint32_t n;

	if (depth == MOST_DEPTH)
		return fail(m, "values are nested too deeply");
	if (!marshal_next(m, &v))
		return false;
	*end = v.type == MARSHAL_END;
	if (v.elsewhere)
		return true;
	n = v.type == MARSHAL_DICT    ? UINT32_MAX
	    : v.type == MARSHAL_TUPLE ? v.count
				      : 0;
	for (uint32_t i = 0; i < n; i++)
		if (!skip(m, depth + 1, &last))
			return false;
		else if (last && v.type == MARSHAL_DICT)
			break;
	return true;
}

bool
marshal_skip(struct marshal *m)
{
	bool end;

	return skip(m, 0, &end);
}

void
marshal_free(struct marshal *m)
{
	free(m->refs);
}
