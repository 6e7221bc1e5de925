/* row_writer.c - a row becomes a record, by the program of its format */

#include <math.h>

#include "number.h"
#include "row_writer.h"
#include "time_window.h"
#include "tq/base/plain.h"
#include "tq/io/emit.h"

static inline bool
is_exact(int64_t v)
{
	return v <= TYPED_EXACT && v >= -TYPED_EXACT;
}

/*
 * Room at p, which may move, for the n bytes of a value and the rest of the
 * record.
 */
static inline char *
need(const struct row_writer *w, char *p, size_t n)
{
	struct text *t = &w->out->buf;

	if (n > OP_VALUE_MAX - STRING_IDS_SLACK &&
	    (size_t)(t->p + t->cap - p) < n + w->program->room) {
		size_t len = t->len, at = (size_t)(p - t->p);

		t->len = at;
		text_reserve(t, n + w->program->room);
		t->len = len;
		p = t->p + at;
	}
	return p;
}

static inline char *
put(const struct row_writer *w, char *p, struct span s)
{
	p = need(w, p, s.len);
	memcpy(p, s.p, s.len);
	return p + s.len;
}

/*
 * A string of string_ids.h: most are not longer than STRING_IDS_SLACK, and are
 * copied without a look at their length.
 */
static inline char *
put_cached(struct row_writer *w, char *p, struct span s)
{
	p = need(w, p, s.len);
	w->odd |= (unsigned char)s.p[s.len];
	memcpy(p, s.p, STRING_IDS_SLACK);
	for (size_t i = STRING_IDS_SLACK; i < s.len; i += STRING_IDS_SLACK)
		memcpy(p + i, s.p + i, STRING_IDS_SLACK);
	return p + s.len;
}

/* p as the end of the output, for a value that is appended to it */
static inline struct text *
begin_append(const struct row_writer *w, const char *p)
{
	struct text *t = &w->out->buf;

	text_end(t, p);
	return t;
}

/* where the record goes on behind it; record: where it began */
static inline char *
end_append(const struct row_writer *w, size_t record)
{
	struct text *t = &w->out->buf;
	char *p = text_reserve(t, w->program->room);

	t->len = record;
	return p;
}

static char *
put_json(struct row_writer *w, char *p, struct span s)
{
	size_t record = w->out->buf.len;
	struct text *t = begin_append(w, p);

	w->bad += (int64_t)text_add_json(t, s.p, s.len);
	return end_append(w, record);
}

/* a text in a row; short and plain ones are copied as they are */
static inline char *
put_text(struct row_writer *w, char *p, struct span s)
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
label_of(const struct column_map *c, int64_t v)
{
	const char *const *label = c->values;

	if (v < 0 || label == NULL)
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

static char *
put_hex_bytes(const struct row_writer *w, char *p, struct span s)
{
	p = need(w, p, s.len * 2 + 2);
	*p++ = '"';
	for (size_t i = 0; i < s.len; i++)
		p = put_hex(p, (unsigned char)s.p[i], 2);
	*p = '"';
	return p + 1;
}

/*
 * A payload: its fields, or its bytes as digits.  The text before p is the name
 * of the column, which the fields replace.
 */
static char *
put_binary(struct row_writer *w, char *p, struct span s)
{
	size_t record = w->out->buf.len;
	struct text *t = begin_append(w, p - strlen("\"binaryData\":"));

	if (payloads_add(&w->x->payloads, t, s))
		return end_append(w, record);
	t->len = record;
	return put_hex_bytes(w, p, s);
}

/* NULL where it is no number */
static char *
put_real(const struct row_writer *w, char *p, int64_t bits)
{
	size_t record = w->out->buf.len;
	double d;

	memcpy(&d, &bits, sizeof(d));
	if (isnan(d))
		return NULL;
	text_add_double(begin_append(w, p), d);
	return end_append(w, record);
}

/* 64 bits without a sign */
static char *
put_uint(char *p, uint64_t v)
{
	if (v <= (uint64_t)TYPED_EXACT)
		return text_digits(p, v);
	*p = '"';
	p = text_digits(p + 1, v);
	*p = '"';
	return p + 1;
}

/* a label that nsys_map.c lacks: the export may have it */
static char *
put_other_label(
    const struct row_writer *w, char *p, const char *table, int64_t v)
{
	size_t record = w->out->buf.len;

	string_ids_add_label(&w->x->strings, begin_append(w, p), table, v);
	return end_append(w, record);
}

static char *
put_label(struct row_writer *w, const struct row_op *op, char *p, int64_t v)
{
	const struct column_map *c = &w->program->columns[op->column];
	const char *label = label_of(c, v);

	if (label == NULL)
		return put_other_label(w, p, c->aux, v);
	return *label != '\0' ? put_json(w, p, span_of(label)) : p - op->own;
}

/* the value is left out; NULL where it is a member of args */
static inline char *
leave_out(const struct row_op *op, char *p)
{
	return op->own > 0 ? p - op->own : NULL;
}

/* host and virtual machine of a process, unless it is on the first host */
static char *
put_host(
    struct row_writer *w, const struct row_op *op, char *p, uint64_t global)
{
	if (global_ids_pid(&w->x->ids, global) >> 24 == 0)
		return p - op->own;
	*p = '"';
	p = text_digits(p + 1, global >> 56);
	*p = '.';
	p = text_digits(p + 1, global >> 48 & 0xff);
	*p = '"';
	return p + 1;
}

static char *
put_name(const struct row_writer *w, const struct row_op *op, char *p,
    struct span name)
{
	return name.len > 0 ? put(w, p, name) : p - op->own;
}

/* a number about the record of the event that a call waits for */
static char *
put_wait(struct row_writer *w, const struct row_op *op, char *p, int64_t corr)
{
	const struct event_record *r = event_records_waited(
	    &w->x->records, (uint64_t)w->a >> 24, (uint64_t)corr);
	int64_t v = -1;

	if (r != NULL)
		v = op->code == OP_WAIT_STREAM ? r->stream
		    : op->code == OP_WAIT_CORR ? r->corr
		    : r->context != w->b       ? r->context
					       : -1;
	return v >= 0 && is_exact(v) ? text_digits_int(p, v) : p - op->own;
}

/* the file of an OS call, or the bytes that it read or wrote */
static char *
put_file(struct row_writer *w, const struct row_op *op, char *p, int64_t global)
{
	const struct file_access *f = file_accesses_find(
	    &w->x->files, (uint64_t)global, w->row->bytes->ts);

	if (f == NULL)
		return p - op->own;
	if (op->code == OP_FILE)
		return put_json(w, p, text_span(&f->path));
	return f->bytes >= 0 && is_exact(f->bytes)
		   ? text_digits_int(p, f->bytes)
		   : p - op->own;
}

/*
 * Operations that few records have.  NULL where the row needs a closer look;
 * p less the operation's own text where there is no value.
 */
static char *
put_rare(struct row_writer *w, const struct row_op *op, char *p, int64_t v)
{
	struct nsys *x = w->x;

	switch (op->code) {
	case OP_UINT:
		return put_uint(p, (uint64_t)v);
	case OP_REAL:
		return put_real(w, p, v);
	case OP_JSON:
		return put_json(w, p, row_text(w->row, &op->from));
	case OP_BINARY:
		return put_binary(w, p, row_text(w->row, &op->from));
	case OP_MEMBERS:
		return put(w, p, row_text(w->row, &op->from));
	case OP_ENUM:
		return put_label(w, op, p, v);
	case OP_BOOL:
		return put(w, p, v != 0 ? SPAN("true") : SPAN("false"));
	case OP_INT32:
		return text_digits_int(p, (int32_t)v);
	case OP_PID:
		return text_digits_int(p, global_ids_pid(&x->ids, (uint64_t)v));
	case OP_HOST:
		return put_host(w, op, p, (uint64_t)v);
	case OP_BYTE:
		return text_digits(p, (uint64_t)v & 0xff);
	case OP_HEX:
		return v != 0 ? put_address(p, (uint64_t)v) : leave_out(op, p);
	case OP_COLOR:
		return put_color(p, v);
	case OP_MODE:
		return put(w, p,
		    v == 60 || v == 71 ? SPAN("\"start\"") : SPAN("\"push\""));
	case OP_DEVICE:
		v = global_ids_device(&x->ids, (uint64_t)w->a >> 24, w->b, v);
		return is_exact(v) ? text_digits_int(p, v) : NULL;
	case OP_SYNC:
		v = sync_calls_get(
		    &x->syncs, (uint64_t)w->a >> 24, (uint64_t)w->b);
		return v != SYNC_UNKNOWN ? put_label(w, op, p, v) : NULL;
	case OP_WAIT_STREAM:
	case OP_WAIT_CONTEXT:
	case OP_WAIT_CORR:
		return put_wait(w, op, p, v);
	case OP_FILE:
	case OP_FILE_BYTES:
		return put_file(w, op, p, v);
	case OP_END_TID:
		if (v == w->a)
			return p - op->own;
		return text_digits_int(p, global_ids_tid((uint64_t)v));
	case OP_TID:
		return text_digits_int(p, global_ids_tid((uint64_t)v));
	case OP_DOMAIN:
		return put_name(
		    w, op, p, domains_name(&x->domains, (uint64_t)w->a, v));
	case OP_CATEGORY:
		return put_name(w, op, p,
		    domains_category(&x->domains, (uint64_t)w->a, w->b, v));
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
put_time(struct recent_time *recent, char *p, int64_t ts)
{
	uint64_t low = (uint64_t)ts - (uint64_t)recent->from;

	if (low >= DIGITS_EIGHT)
		return put_far_time(recent, p, ts);
	memcpy(p, recent->text, sizeof(recent->text));
	return number_put_eight(p + recent->len, low);
}

/* keys of which a copy of a fixed length is made */
static inline char *
put_thread(
    struct global_ids *ids, char *p, uint64_t global, const char **thread)
{
	const struct thread_keys *k = global_ids_thread(ids, global);

	memcpy(p, k->text, sizeof(k->text));
	*thread = p + k->pid_len;
	return p + k->len;
}

/* are the bytes from there to p plain?  There is room behind p */
static inline bool
plain_since(const char *from, char *p)
{
	if (from >= p)
		return true;
	memset(p, 0, PLAIN_BLOCK); /* as it looks there, too */
	return plain_line((struct span){from, (size_t)(p - from)});
}

/* where the record begins, which may move */
static inline const char *
record_begin(const struct row_writer *w)
{
	return w->out->buf.p + w->out->buf.len;
}

/*
 * The hot loop.  It copies OP_TEXT_MAX bytes of text, since a constant length
 * is several times faster to copy.  Operations with a number end in a break,
 * all others continue.  places: w->places and w->members are set, and w->odd
 * has all that it may be.
 */
__attribute__((always_inline)) static inline char *
put_record(struct row_writer *w, const struct row_op *op, char *p, bool places)
{
	const char *text = w->program->text, *begin = record_begin(w);
	const struct row *r = w->row;
	struct nsys *x = w->x;
	uint16_t *place = w->places;
	const char *at;
	int64_t v;

#define PLACE(at) (void)(places && (*place++ = (uint16_t)((at)-begin), true))

	for (;; op++) {
		if (places) {
			*place = (uint16_t)(p - begin);
			place += op->begins;
		}
		memcpy(p, text, OP_TEXT_MAX);
		text += op->len;
		p += op->len;
		switch ((enum op_code)op->code) {
		case OP_END:
			if (places)
				w->members = (size_t)(place - w->places);
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
			p = put_time(&w->recent, p, w->row->bytes->ts);
			continue;
		case OP_TIMES:
			v = w->row->bytes->dur;
			if (v == NEVER_ENDED)
				return NULL;
			p = put_time(&w->recent, p, w->row->bytes->ts);
			PLACE(p);
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
			v = launches_get(&x->launches, (uint64_t)w->a >> 24,
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
			PLACE(p);
			p = put_thread(&x->ids, p, (uint64_t)w->a, &at);
			PLACE(at);
			continue;
		case OP_PROCESS:
			v = row_int(r, &op->from);
			PLACE(p);
			p = put_thread(
			    &x->ids, p, (uint64_t)v & ~(uint64_t)0xffffff, &at);
			PLACE(at);
			continue;
		case OP_STRING:
			v = row_int(r, &op->from);
			p = put_cached(w, p, string_ids_get(&x->strings, v));
			begin = record_begin(w);
			continue;
		case OP_FUNCTION:
			v = row_int(r, &op->from);
			p = put_cached(
			    w, p, string_ids_function(&x->strings, v, &w->raw));
			begin = record_begin(w);
			continue;
		case OP_RAW:
			p = w->raw.len > 0 ? put_cached(w, p, w->raw)
					   : p - op->own;
			begin = record_begin(w);
			continue;
		case OP_BYTES:
			v = p - begin;
			p = put_text(w, p, row_text(r, &op->from));
			begin = record_begin(w);
			if (places)
				w->odd |= !plain_since(begin + v, p);
			continue;
		case OP_UINT:
		case OP_REAL:
		case OP_INT32:
		case OP_PID:
		case OP_HOST:
		case OP_JSON:
		case OP_BINARY:
		case OP_MEMBERS:
		case OP_ENUM:
		case OP_BOOL:
		case OP_BYTE:
		case OP_HEX:
		case OP_COLOR:
		case OP_MODE:
		case OP_DEVICE:
		case OP_SYNC:
		case OP_WAIT_STREAM:
		case OP_WAIT_CONTEXT:
		case OP_WAIT_CORR:
		case OP_FILE:
		case OP_FILE_BYTES:
		case OP_TID:
		case OP_END_TID:
		case OP_DOMAIN:
		case OP_CATEGORY:
			at = p - op->len; /* put_binary replaces a name */
			p = put_rare(w, op, p, row_int(r, &op->from));
			if (p == NULL)
				return NULL;
			if (places) {
				v = at - begin;
				begin = record_begin(w);
				w->odd |= !plain_since(begin + v, p);
			}
			continue;
		default: /* those of define */
			__builtin_unreachable();
		}
		p = number_put(p, v);
	}
#undef PLACE
}

/*
 * Records that this one refers to are written before it.  NULL where the row is
 * left out.
 */
static const struct row_op *
define(struct row_writer *w, const struct row_op *op)
{
	w->symbol = w->stack = 0;
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
				w->symbol = symbols_get(&w->x->symbols,
				    (struct symbol_names){w->a, v, w->b});
			break;
		case OP_LAUNCHES:
			if (launches_any(&w->x->launches) &&
			    launches_get(&w->x->launches, (uint64_t)w->a >> 24,
				(uint64_t)v) == 0)
				return NULL;
			break;
		case OP_STACK:
			w->stack = call_chains_stack(&w->x->chains,
			    w->program->columns[op->column].aux, v);
			break;
		default:
			return op;
		}
	}
}

/* ---- outlines ---- */

typedef uint16_t places_block __attribute__((vector_size(16)));
typedef unsigned char bytes_half __attribute__((vector_size(8)));

/* the lengths of eight members, whose bits are added to all */
static inline void
set_eight(unsigned char *len, const uint16_t *places, places_block *all)
{
	places_block at, next;
	bytes_half bytes;

	memcpy(&at, places, sizeof(at));
	memcpy(&next, places + 1, sizeof(next));
	*all |= next - at;
	bytes = __builtin_convertvector(next - at, bytes_half);
	memcpy(len, &bytes, sizeof(bytes));
}

/*
 * Hand on the outline of the record: w->places says where its members are, and
 * it has so many bytes but for its last brace.
 */
static inline void
outline_record(struct row_writer *w, struct outline_plan *x, size_t bytes)
{
	places_block end = (places_block){0} + (uint16_t)bytes, all = {0};
	struct outline o;

	if (bytes > UINT16_MAX || w->members != x->count)
		return;
	/* those behind the last one have the length 0 */
	memcpy(w->places + x->count, &end, sizeof(end));
	memcpy(w->places + x->count + 8, &end, sizeof(end));
	for (size_t i = 0; i < x->count; i += PLAIN_BLOCK) {
		set_eight(o.len + i, w->places + i, &all);
		set_eight(o.len + i + 8, w->places + i + 8, &all);
	}
	if (plain_any((plain_block)(all >> 8)))
		return; /* one is too long */
	o.bytes = (uint16_t)bytes;
	outline_finish(&o, x);
	output_outline(w->out, &o, bytes);
}

static __attribute__((noinline)) char *
put_outlined(
    struct row_writer *w, struct row_program *program, const struct row_op *op)
{
	enum { END = 2 }; /* a brace, a newline */
	char *p;

	w->odd = 0;
	p = put_record(w, op, text_reserve(&w->out->buf, program->room), true);
	if (p != NULL && w->odd == 0)
		outline_record(
		    w, &program->outline, (size_t)(p - record_begin(w)) - END);
	return p;
}

/*
 * False, with nothing written but definitions, where the values of the row
 * need a closer look.
 */
static inline bool
run_program(
    struct row_writer *w, struct row_program *program, const struct row *r)
{
	struct output *out = w->out;
	const struct row_op *op = program->ops;
	size_t start;
	char *p;

	w->program = program;
	w->row = r;
	w->bad = program->bad;
	if (program->defines && (op = define(w, op)) == NULL)
		return true;
	if (program->outlined)
		p = put_outlined(w, program, op);
	else
		p = put_record(
		    w, op, text_reserve(&out->buf, program->room), false);
	if (p == NULL)
		return false;
	start = out->buf.len;
	text_end(&out->buf, p);
	w->bad_bytes += w->bad;
	emit_count(out, start);
	return true;
}

/* ---- constants of a format ---- */

enum { SETTLE_AFTER = 4, SETTLED_TEXT = 1 << 12 };

/* true where the operation writes the same for all rows of a format */
static bool
is_constant(const struct row_op *op)
{
	bool constant =
	    op->from.base == BASE_CONSTANT || op->from.base == BASE_FIXED;

	switch ((enum op_code)op->code) {
	case OP_TEXT:
	case OP_RAW: /* of the function before it */
	case OP_SYMBOL_ID:
	case OP_STACK_ID:
		return true;
	case OP_A: /* what later operations need, and write nothing */
	case OP_B:
	case OP_TS:
	case OP_TIMES:
	case OP_GPU:
	case OP_SYNC:
	case OP_WAIT_STREAM:
	case OP_WAIT_CONTEXT:
	case OP_WAIT_CORR:
	case OP_FILE:
	case OP_FILE_BYTES:
	case OP_END:
		return false;
	default:
		return constant;
	}
}

/*
 * The bytes that one operation of a program writes for the current row, with
 * its text; one has room for them and an end.
 */
static bool
write_one(struct row_writer *w, struct row_program *one,
    const struct row_op *op, const char *text, struct text *to)
{
	struct text *out = &w->out->buf;
	char *p;

	one->ops[0] = *op;
	one->ops[1] = (struct row_op){.code = OP_END};
	one->text = text;
	w->program = one;
	p = put_record(w, one->ops, text_reserve(out, one->room), false);
	if (p != NULL)
		text_add(
		    to, out->p + out->len, (size_t)(p - out->p) - out->len);
	return p != NULL;
}

/* an operation that is not constant, with the text that it had */
static void
keep_op(struct row_ops *to, const struct row_op *op, const char *text)
{
	struct row_op *kept;

	text_add(&to->text, text, op->len);
	kept = row_program_add(to, (enum op_code)op->code, op->from, op->own);
	kept->column = op->column;
}

/*
 * The program for the rows of a format that has constants, after it has written
 * the current row: the constants are part of its texts.  NULL where it cannot
 * be made.
 */
__attribute__((cold, noinline)) static struct row_program *
settle(struct row_writer *w, const struct row_program *program)
{
	const struct row_op *op = program->ops;
	const char *text = program->text;
	struct row_program *settled, *one;
	struct row_ops ops = {0};
	bool ok = true;

	one = mem_alloc(sizeof(*one) + 2 * sizeof(*one->ops));
	*one = *program;
	w->bad = 0;
	for (; ok; text += op->len, op++) {
		/* what these define has been written */
		if (op->code == OP_SYMBOL || op->code == OP_STACK)
			ok = op->from.base != BASE_ROW;
		else if (is_constant(op))
			ok = write_one(w, one, op, text, &ops.text);
		else
			keep_op(&ops, op, text);
		if (op->code == OP_THREAD)
			row_program_add(&ops, OP_A, op->from, 0);
		if (op->code == OP_A)
			w->a = row_int(w->row, &op->from);
		if (op->code == OP_B)
			w->b = row_int(w->row, &op->from);
		ok &= ops.text.len + ops.texts.len < SETTLED_TEXT;
		if (op->code == OP_END)
			break;
	}
	settled = row_program_assemble(&ops, program->columns);
	settled->odd = program->odd;
	settled->bad = w->bad;
	free(one);
	if (ok && program->outlined)
		return row_program_outline(settled, program->outline.kind);
	if (!ok) {
		free(settled);
		settled = NULL;
	}
	return settled;
}

static inline void
settle_format(struct row_writer *w, struct row_format *format)
{
	struct row_program *settled;

	if (format->settled || ++format->uses < SETTLE_AFTER)
		return;
	format->settled = true;
	settled = settle(w, format->program);
	if (settled == NULL)
		return;
	free(format->program);
	format->program = settled;
}

/* NULL where rows of the format need a closer look */
static inline struct row_program *
program_of(const struct row_writer *w, const struct record_map *m,
    struct row_format *format, bool flat)
{
	if (!format->tried) {
		format->tried = true;
		format->program = row_program_make(m, format, flat);
		if (format->program != NULL && w->out->parcels != NULL)
			format->program =
			    row_program_outline(format->program, m->kind);
	}
	return format->program;
}

/* a program for flat rows can't fail, so the device is looked up before it */
static void
set_device(
    struct row_writer *w, struct record_map *m, const struct sql_value *values)
{
	const int *of = m->device->value;
	struct sql_value device = {SQL_INT};
	int64_t pid, context;

	if (sql_value_int(&values[of[0]], &device.i) && of[1] >= 0 &&
	    sql_value_int(&values[of[1]], &pid) && of[2] >= 0 &&
	    sql_value_int(&values[of[2]], &context)) {
		device.i = global_ids_device(
		    &w->x->ids, (uint64_t)pid >> 24, context, device.i);
		typed_row_set(&m->flat, of[0], USE_INTEGER, &device);
	}
}

static const struct sql_value *
value_at(const struct sql_value *values, int i)
{
	return i >= 0 ? &values[i] : NULL;
}

/* the same for the type of a synchronisation */
static void
set_sync(
    struct row_writer *w, struct record_map *m, const struct sql_value *values)
{
	const int *of = m->sync->value;
	const struct sync_columns columns = {&values[of[0]],
	    value_at(values, of[3]), value_at(values, of[4]),
	    value_at(values, of[5])};
	struct sql_value type = {SQL_INT};
	int64_t pid, corr;

	if (!sql_value_int(&values[of[0]], &type.i))
		return;
	if (of[1] >= 0 && sql_value_int(&values[of[1]], &pid) && of[2] >= 0 &&
	    sql_value_int(&values[of[2]], &corr))
		type.i = sync_calls_get(
		    &w->x->syncs, (uint64_t)pid >> 24, (uint64_t)corr);
	else
		type.i = SYNC_UNKNOWN;
	if (type.i == SYNC_UNKNOWN)
		type.i = sync_calls_guess(&w->x->syncs, &columns);
	typed_row_set(&m->flat, of[0], USE_INTEGER, &type);
}

/* the row as values that need no closer look */
__attribute__((cold, noinline)) static const struct row *
flatten(struct row_writer *w, struct record_map *m, struct row_source *rows)
{
	const struct sql_value *values = row_source_values(rows);
	const struct row_bytes *times = rows->row.bytes;
	const struct sql_value ended = {SQL_INT};
	struct typed_row *f = &m->flat;

	for (size_t i = 0; i < m->names.count; i++)
		typed_row_set(f, (int)i, m->uses[i], &values[i]);
	if (m->end >= 0 && times->dur != NEVER_ENDED)
		typed_row_set(f, m->end, USE_INTEGER, &ended);
	if (m->device != NULL)
		set_device(w, m, values);
	if (m->sync != NULL)
		set_sync(w, m, values);
	return typed_row_finish(f, times->ts, times->dur);
}

/* rows: NULL for a flat row, whose program does not fail */
void
row_writer_row(
    struct row_writer *w, struct record_map *m, struct row_source *rows)
{
	const struct row *r = rows != NULL ? &rows->row : &m->flat.row;
	struct row_program *program = NULL;

	if (r->bytes->format != NULL)
		program = program_of(w, m, r->bytes->format, rows == NULL);
	m->records++;
	while (program == NULL || !run_program(w, program, r)) {
		if (rows == NULL)
			abort();
		r = flatten(w, m, rows);
		program = program_of(w, m, r->bytes->format, true);
		w->odd_values += program->odd;
	}
	if (r->bytes->format->flat && r->bytes->format->constants != NULL &&
	    !m->launches)
		settle_format(w, r->bytes->format);
}

void
row_writer_flat(
    struct row_writer *w, struct record_map *m, int64_t ts, int64_t dur)
{
	typed_row_finish(&m->flat, ts, dur);
	row_writer_row(w, m, NULL);
}

void
row_writer_init(struct row_writer *w, struct output *out, struct nsys *x)
{
	*w = (struct row_writer){.out = out,
	    .x = x,
	    .recent = {.from = DIGITS_EIGHT, .text = "1", .len = 1}};
}
