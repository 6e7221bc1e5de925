/* write.c - a row becomes a record, by its plan */

#include "number.h"
#include "plan.h"
#include "tq/io/emit.h"
#include "tq/base/plain.h"

/* the record at hand */
struct writing {
	struct nsys *x;
	const struct plan *plan;
	const struct row *row;
	int64_t ts, dur;
	int64_t a, b, symbol, stack;
	struct span raw;
	int64_t bad; /* bytes that were no UTF-8 */
};

/* as it is in record.c */
#define EXACT ((int64_t)1 << 53)

static inline bool
is_exact(int64_t v)
{
	return v <= EXACT && v >= -EXACT;
}

/*
 * Room at p, which may move, for the n bytes of a value and the rest of the
 * record.
 */
static inline char *
need(const struct writing *w, char *p, size_t n)
{
	struct text *t = &w->x->out->buf;

	if (n > OP_VALUE_MAX - CACHED_SLACK &&
	    (size_t)(t->p + t->cap - p) < n + w->plan->room) {
		size_t len = t->len, at = (size_t)(p - t->p);

		t->len = at;
		text_reserve(t, n + w->plan->room);
		t->len = len;
		p = t->p + at;
	}
	return p;
}

static inline char *
put(const struct writing *w, char *p, struct span s)
{
	p = need(w, p, s.len);
	memcpy(p, s.p, s.len);
	return p + s.len;
}

/*
 * A string that export.h has at hand, with CACHED_SLACK bytes: most are not
 * longer than that, and copied without a look at their length.
 */
static inline char *
put_cached(const struct writing *w, char *p, struct span s)
{
	p = need(w, p, s.len);
	memcpy(p, s.p, CACHED_SLACK);
	for (size_t i = CACHED_SLACK; i < s.len; i += CACHED_SLACK)
		memcpy(p + i, s.p + i, CACHED_SLACK);
	return p + s.len;
}

static char *
put_json(struct writing *w, char *p, struct span s)
{
	struct text *t = &w->x->out->buf;
	size_t len = t->len;

	text_end(t, p);
	w->bad += (int64_t)text_add_json(t, s.p, s.len);
	p = text_reserve(t, w->plan->room);
	t->len = len;
	return p;
}

/* a text in a row; those that are short and plain are copied as they are */
static inline char *
put_text(struct writing *w, char *p, struct span s)
{
	if (s.len > OP_VALUE_MAX - 2 * PLAIN_BLOCK || !plain_string(s))
		return put_json(w, p, s);
	*p = '"';
	p = plain_put(p + 1, s);
	*p = '"';
	return p + 1;
}

/* the label of a value; NULL where it is not known */
static const char *
label_of(const struct nsys_column *c, int64_t v)
{
	const char *const *label = c->values;

	if (v < 0)
		return NULL;
	while (v-- > 0 && *label != NULL)
		label++;
	return *label;
}

static char *
put_hex(char *p, uint64_t v, int digits)
{
	for (int i = digits; i-- > 0; v >>= 4)
		p[i] = "0123456789abcdef"[v & 15];
	return p + digits;
}

static char *
put_address(char *p, uint64_t v)
{
	memcpy(p, "\"0x", 3);
	p = put_hex(p + 3, v, (67 - __builtin_clzll(v | 1)) / 4);
	*p = '"';
	return p + 1;
}

static char *
put_color(char *p, int64_t argb)
{
	memcpy(p, "\"#", 2);
	p = put_hex(p + 2, (uint64_t)argb, 6);
	*p = '"';
	return p + 1;
}

/*
 * Operations that are not in every record.  NULL where the row is not one
 * for a plan; p less the operation's own text where there is no value.
 */
static char *
put_seldom(struct writing *w, const struct op *op, char *p, int64_t v)
{
	struct nsys *x = w->x;
	struct span name;
	const char *label;

	switch (op->code) {
	case OP_ENUM:
		label = label_of(&w->plan->columns[op->column], v);
		if (label == NULL || *label == '\0')
			return NULL;
		return put_json(w, p, span_of(label));
	case OP_BOOL:
		return put(w, p, v != 0 ? SPAN("true") : SPAN("false"));
	case OP_BYTE:
		return text_digits(p, (uint64_t)v & 0xff);
	case OP_HEX:
		return v != 0 ? put_address(p, (uint64_t)v) : NULL;
	case OP_COLOR:
		return put_color(p, v);
	case OP_MODE:
		return put(w, p,
		    v == 60 || v == 71 ? SPAN("\"start\"") : SPAN("\"push\""));
	case OP_DEVICE:
		v = export_device(x, (uint64_t)w->a >> 24, w->b, v);
		return is_exact(v) ? text_digits_int(p, v) : NULL;
	case OP_END_TID:
		if (v == w->a)
			return p - op->own;
		return text_digits_int(p, export_tid((uint64_t)v));
	case OP_DOMAIN:
		name = export_domain(x, (uint64_t)w->a, v);
		return name.len > 0 ? put(w, p, name) : p - op->own;
	case OP_CATEGORY:
		name = export_category(x, (uint64_t)w->a, w->b, v);
		return name.len > 0 ? put(w, p, name) : p - op->own;
	default:
		return NULL;
	}
}

static char *
put_far_time(struct recent_time *recent, char *p, int64_t ts)
{
	int64_t high = ts / DIGITS_EIGHT;
	char *end;

	if (ts < DIGITS_EIGHT || high > UINT32_MAX)
		return digits_put_int(p, ts);
	end = text_digits(recent->text, (uint64_t)high);
	recent->len = (unsigned char)(end - recent->text);
	recent->from = high * DIGITS_EIGHT;
	memcpy(p, recent->text, sizeof(recent->text));
	return number_put_eight(p + recent->len, (uint64_t)(ts - recent->from));
}

/* a time is near the one before, and has the same digits in front */
static inline char *
put_time(struct nsys *x, char *p, int64_t ts)
{
	struct recent_time *recent = &x->recent_time;
	uint64_t low = (uint64_t)ts - (uint64_t)recent->from;

	if (low >= DIGITS_EIGHT)
		return put_far_time(recent, p, ts);
	memcpy(p, recent->text, sizeof(recent->text));
	return number_put_eight(p + recent->len, low);
}

/* keys of which a copy of a fixed length is made */
static inline char *
put_thread(struct nsys *x, char *p, uint64_t global)
{
	const struct thread_keys *k = export_thread(x, global);

	memcpy(p, k->text, sizeof(k->text));
	return p + k->len;
}

/*
 * The hot loop.  The text is copied whole, with what is behind its end, since
 * a length that is known is several times faster to copy.  Operations with a
 * number end in a break, all others continue.
 */
static char *
put_record(struct writing *w, const struct op *op, char *p)
{
	const char *text = w->plan->text;
	const struct row *r = w->row;
	struct nsys *x = w->x;
	int64_t v;

	for (;; op++) {
		memcpy(p, text, OP_TEXT_MAX);
		text += op->len;
		p += op->len;
		switch ((enum op_code)op->code) {
		case OP_END:
			return p;
		case OP_TEXT:
			continue;
		case OP_A:
			w->a = row_int(r, &op->from);
			continue;
		case OP_B:
			w->b = row_int(r, &op->from);
			continue;
		case OP_TS:
			p = put_time(x, p, w->ts);
			continue;
		case OP_TIMES:
			v = w->dur;
			if (v == NEVER_ENDED)
				return NULL;
			p = put_time(x, p, w->ts);
			memcpy(p, ",\"dur\":", 8);
			p += 7;
			break;
		case OP_SURE:
			v = row_int(r, &op->from);
			if (v == 0 || v == UINT32_MAX || !is_exact(v))
				return NULL;
			break;
		case OP_EXACT:
			v = row_int(r, &op->from);
			if (!is_exact(v))
				return NULL;
			break;
		case OP_SMALL:
			p = number_put_small(p, row_byte(r, &op->from));
			continue;
		case OP_INT:
			v = row_int(r, &op->from);
			break;
		case OP_NONZERO:
		case OP_ID:
			v = row_int(r, &op->from);
			if (!is_exact(v))
				return NULL;
			if (v != UINT32_MAX && (v != 0 || op->code == OP_ID))
				break;
			p -= op->own;
			continue;
		case OP_GPU:
			v = launches_get(&x->launched, (uint64_t)w->a >> 24,
			    (uint64_t)row_int(r, &op->from));
			if (v != 0)
				break;
			p -= op->own;
			continue;
		case OP_SYMBOL_ID:
			v = w->symbol;
			if (v != 0)
				break;
			p -= op->own;
			continue;
		case OP_STACK_ID:
			v = w->stack;
			if (v != 0)
				break;
			p -= op->own;
			continue;
		case OP_THREAD:
			w->a = row_int(r, &op->from);
			p = put_thread(x, p, (uint64_t)w->a);
			continue;
		case OP_PROCESS:
			v = row_int(r, &op->from);
			p = put_thread(x, p, (uint64_t)v & ~(uint64_t)0xffffff);
			continue;
		case OP_STRING:
			v = row_int(r, &op->from);
			p = put_cached(w, p, export_string(x, v));
			continue;
		case OP_FUNCTION:
			v = row_int(r, &op->from);
			p = put_cached(w, p, export_function(x, v, &w->raw));
			continue;
		case OP_RAW:
			p = w->raw.len > 0 ? put_cached(w, p, w->raw)
					   : p - op->own;
			continue;
		case OP_BYTES:
			p = put_text(w, p, row_text(r));
			continue;
		case OP_ENUM:
		case OP_BOOL:
		case OP_BYTE:
		case OP_HEX:
		case OP_COLOR:
		case OP_MODE:
		case OP_DEVICE:
		case OP_END_TID:
		case OP_DOMAIN:
		case OP_CATEGORY:
			p = put_seldom(w, op, p, row_int(r, &op->from));
			if (p == NULL)
				return NULL;
			continue;
		default: /* those of define */
			__builtin_unreachable();
		}
		p = number_put(p, v);
	}
}

/* what the record refers to is written before it */
static const struct op *
define(struct writing *w, const struct op *op)
{
	for (;; op++) {
		int64_t v = row_int(w->row, &op->from);

		switch (op->code) {
		case OP_A:
			w->a = v;
			break;
		case OP_B:
			w->b = v;
			break;
		case OP_SYMBOL:
			if (w->a >= 0 || v >= 0)
				w->symbol = export_symbol(w->x, w->a, v, w->b);
			break;
		case OP_STACK:
			w->stack = export_stack(
			    w->x, w->plan->columns[op->column].aux, v);
			break;
		default:
			return op;
		}
	}
}

/*
 * False, with nothing written but definitions, where the values of the row
 * are none for a plan.
 */
static bool
write_planned(struct nsys *x, const struct plan *plan, const struct row *r)
{
	struct text *t = &x->out->buf;
	struct writing w = {.x = x,
	    .plan = plan,
	    .row = r,
	    .ts = r->bytes->ts,
	    .dur = r->bytes->dur};
	const struct op *op = plan->defines ? define(&w, plan->ops) : plan->ops;
	char *p = put_record(&w, op, text_reserve(t, plan->room));

	if (p == NULL)
		return false;
	text_end(t, p);
	x->bad_bytes += w.bad;
	x->out->lines++;
	output_check(x->out);
	return true;
}

void
table_write(struct nsys *x, struct table *t, struct source *row)
{
	const struct row_bytes *r = row->row.bytes;
	struct shape *shape = r->shape;

	t->records++;
	if (shape != NULL && !shape->planned) {
		shape->planned = true;
		shape->plan = plan_make(t, shape);
	}
	if (shape == NULL || shape->plan == NULL ||
	    !write_planned(x, shape->plan, &row->row))
		table_write_cells(x, t, source_cells(row), r->ts, r->dur);
}
