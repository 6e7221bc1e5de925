/* expr_value.c - values: read from JSON, ordered, reckoned with */

#include <math.h>
#include <stdlib.h>

#include "expr_node.h"
#include "tq/line/json.h"

static const struct value absent = {.type = VALUE_ABSENT};

static inline bool
is_number(const struct value *v)
{
	return v->type == VALUE_INT || v->type == VALUE_REAL;
}

static long double
real(const struct value *v)
{
	return v->type == VALUE_INT ? (long double)v->i : v->real;
}

struct value
expr_value_json(struct span json, struct text *t)
{
	struct value v = {VALUE_OBJECT, {.s = json}};

	switch (*json.p) {
	case '"':
		v.type = VALUE_STRING;
		v.s = (struct span){json.p + 1, json.len - 2};
		if (memchr(v.s.p, '\\', v.s.len) != NULL) {
			t->len = 0;
			json_decode(t, json);
			v.s = text_span(t);
		}
		return v;
	case '[':
		v.type = VALUE_ARRAY;
		return v;
	case '{':
		return v;
	case 't':
	case 'f':
		v.type = VALUE_BOOL;
		v.i = *json.p == 't';
		return v;
	case 'n':
		return absent;
	}
	if (json_int(json, &v.i)) {
		v.type = VALUE_INT;
	} else {
		v.type = VALUE_REAL; /* the byte behind the text ends it */
		v.real = strtold(json.p, NULL);
	}
	return v;
}

/* ---- order ---- */

enum value_type
expr_value_class(const struct value *v)
{
	return v->type == VALUE_REAL ? VALUE_INT : v->type;
}

int
expr_value_order(const struct value *a, const struct value *b)
{
	enum value_type own = expr_value_class(a), other = expr_value_class(b);

	if (own != other)
		return own < other ? -1 : 1;
	if (own == VALUE_STRING)
		return span_cmp(a->s, b->s);
	if (a->type == VALUE_REAL || b->type == VALUE_REAL) {
		long double x = real(a), y = real(b);

		return (x > y) - (x < y);
	}
	return (a->i > b->i) - (a->i < b->i);
}

/* ---- arithmetic ---- */

static struct value
integers(int64_t a, char sign, int64_t b)
{
	bool wrong;
	int64_t v = 0;

	switch (sign) {
	case '+':
		wrong = __builtin_add_overflow(a, b, &v);
		break;
	case '-':
		wrong = __builtin_sub_overflow(a, b, &v);
		break;
	case '*':
		wrong = __builtin_mul_overflow(a, b, &v);
		break;
	default:
		wrong = b == 0 || (sign == '/' && a == INT64_MIN && b == -1);
		if (wrong)
			break;
		/* INT64_MIN % -1 traps as well */
		v = sign == '/' ? a / b : b == -1 ? 0 : a % b;
	}
	return wrong ? absent : (struct value){VALUE_INT, {.i = v}};
}

struct value
expr_value_arithmetic(
    const struct value *left, char sign, const struct value *right)
{
	struct value v = {.type = VALUE_REAL};
	long double a, b;

	if (!is_number(left) || !is_number(right))
		return absent;
	if (left->type == VALUE_INT && right->type == VALUE_INT)
		return integers(left->i, sign, right->i);
	a = real(left);
	b = real(right);
	if ((sign == '/' || sign == '%') && b == 0)
		return absent;
	v.real = sign == '+'   ? a + b
		 : sign == '-' ? a - b
		 : sign == '*' ? a * b
		 : sign == '/' ? a / b
			       : fmodl(a, b);
	return isfinite(v.real) ? v : absent;
}
