/* row_program.c - from a record_map and a row_format to a program */

#include <stdlib.h>

#include "row_program.h"
#include "tq/base/array.h"
#include "tq/base/plain.h"

/* an integer beyond TYPED_EXACT, which becomes a string under args */
struct big_value {
	const char *name;
	struct value_ref from;
};

struct builder {
	const struct record_map *map;
	const struct row_format *format;
	bool flat;
	bool failed; /* a type needs a closer look */
	struct row_ops ops;
	int thread; /* the value that A has; -1 for none */
	bool args;  /* that object was begun */
	bool raw;   /* a function may have a raw name */
	int64_t odd;
	struct big_value *big; /* to come, the first by name at the end */
	size_t big_count, big_cap;
};

/* ---- operations ---- */

/* the operation takes the first n bytes of the text */
static struct row_op *
new_op(struct row_ops *to, enum op_code code, size_t n)
{
	struct row_op *op = array_add(&to->all, &to->count, &to->cap);

	*op = (struct row_op){.from = row_format_null,
	    .code = (unsigned char)code,
	    .len = (unsigned char)n};
	if (n > 0) {
		text_add(&to->texts, to->text.p, n);
		to->text.len -= n;
		memmove(to->text.p, to->text.p + n, to->text.len);
	}
	return op;
}

struct row_op *
row_program_add(
    struct row_ops *to, enum op_code code, struct value_ref from, size_t own)
{
	struct row_op *op;

	while (to->text.len > OP_TEXT_MAX) {
		size_t n = to->text.len - own;

		new_op(to, OP_TEXT, n < OP_TEXT_MAX ? n : OP_TEXT_MAX);
	}
	op = new_op(to, code, to->text.len);
	op->own = (unsigned char)own;
	op->from = from;
	return op;
}

/* own: so many bytes at the end of the text go with the value */
static struct row_op *
add_op(struct builder *b, enum op_code code, struct value_ref from, size_t own)
{
	return row_program_add(&b->ops, code, from, own);
}

static void
set_column(
    const struct builder *b, struct row_op *op, const struct key_source *k)
{
	op->column = (unsigned char)(k->from - b->map->columns);
}

/* ,"name": within args */
static void
add_arg(struct builder *b, const char *name)
{
	text_add_str(&b->ops.text, b->args ? ",\"" : ",\"args\":{\"");
	text_add_str(&b->ops.text, name);
	text_add_str(&b->ops.text, "\":");
	b->args = true;
}

/* ,"key": for a record or for args; returns its length */
static size_t
add_key(struct builder *b, const struct key_source *k)
{
	size_t before = b->ops.text.len;

	if (k->from->key == KEY_args)
		add_arg(b, k->arg);
	else {
		text_add_str(&b->ops.text, ",\"");
		text_add_str(&b->ops.text, schema_keys[k->from->key].name);
		text_add_str(&b->ops.text, "\":");
	}
	return b->ops.text.len - before;
}

/* ---- values ---- */

static struct value_ref
ref_of(const struct builder *b, int value)
{
	return value >= 0 ? b->format->values[value] : row_format_null;
}

static bool
is_null(struct value_ref r)
{
	return r.type == SQL_NULL;
}

/* true for an integer that is the same in all rows */
static bool
is_fixed(struct value_ref r)
{
	return r.type == SQL_INT && r.base == BASE_FIXED;
}

/* true for an integer of one byte */
static bool
is_small(struct value_ref r)
{
	return r.type == SQL_INT && r.shift == 56;
}

static int64_t
fixed_value(struct value_ref r)
{
	return r.offset == FIXED_ONE;
}

/* an integer; false for none */
static bool
integer(struct builder *b, int value, struct value_ref *r)
{
	*r = ref_of(b, value);
	switch (r->type) {
	case SQL_INT:
	case TYPED_ONES:
	case TYPED_BIG:
		return true;
	case TYPED_ODD:
		b->odd++;
		return false;
	default:
		b->failed |= !is_null(*r);
		return false;
	}
}

/* text or a blob; false for none */
static bool
bytes(struct builder *b, int value, struct value_ref *r)
{
	*r = ref_of(b, value);
	if (r->type == SQL_TEXT || r->type == SQL_BLOB)
		return true;
	b->failed |= !is_null(*r);
	return false;
}

static void
add_value(struct builder *b, const struct key_source *k, enum op_code code,
    struct value_ref from)
{
	size_t own = add_key(b, k);

	/* members of args stay: the commas between them are fixed */
	if (k->from->key == KEY_args)
		own = 0;
	set_column(b, add_op(b, code, from, own), k);
}

/* ---- integers beyond TYPED_EXACT ---- */

static void
add_quoted(struct builder *b, const char *name, struct value_ref from)
{
	add_arg(b, name);
	text_add_char(&b->ops.text, '"');
	add_op(b, OP_INT, from, 0);
	text_add_char(&b->ops.text, '"');
}

/* keep it until args comes to its name */
static void
keep_big(struct builder *b, const char *name, struct value_ref from)
{
	const struct big_value v = {name, from};
	size_t i = b->big_count;

	*array_add(&b->big, &b->big_count, &b->big_cap) = v;
	for (; i > 0 && strcmp(b->big[i - 1].name, name) <= 0; i--)
		b->big[i] = b->big[i - 1];
	b->big[i] = v;
}

/* the ones with a name up to before; NULL: all */
static void
add_kept(struct builder *b, const char *before)
{
	while (b->big_count > 0) {
		const struct big_value *v = &b->big[b->big_count - 1];

		if (before != NULL && strcmp(v->name, before) > 0)
			return;
		add_quoted(b, v->name, v->from);
		b->big_count--;
	}
}

static void
add_big(struct builder *b, const struct key_source *k, struct value_ref from)
{
	if (k->from->key == KEY_args)
		add_quoted(b, k->arg, from);
	else if (keyset_has(&b->map->chosen, KEY_args))
		keep_big(b, schema_keys[k->from->key].name, from);
}

/* ---- keys ---- */

/* flat rows have types for all values that are left out or not exact */
static enum op_code
number_op(
    const struct builder *b, const struct key_source *k, struct value_ref from)
{
	enum how how = k->from->how;

	if (b->flat)
		return OP_INT;
	if (k->from->key == KEY_args && how != AS_INT)
		return OP_SURE;
	if (how == AS_NONZERO)
		return OP_NONZERO;
	if (is_small(from))
		return OP_SMALL;
	if (from.shift >= 32) /* too small for any exception */
		return OP_INT;
	return how == AS_ID ? OP_ID : OP_EXACT;
}

static void
add_number(struct builder *b, const struct key_source *k, struct value_ref from)
{
	enum how how = k->from->how;

	if (is_fixed(from)) {
		if (how == AS_NONZERO && fixed_value(from) == 0)
			return;
		add_key(b, k);
		text_add_int(&b->ops.text, fixed_value(from));
	} else if (from.type == TYPED_BIG)
		add_big(b, k, from);
	else if (from.type != TYPED_ONES || (how != AS_ID && how != AS_NONZERO))
		add_value(b, k, number_op(b, k, from), from);
}

static void
add_bool(struct builder *b, const struct key_source *k, struct value_ref from)
{
	if (!is_fixed(from)) {
		add_value(b, k, OP_BOOL, from);
		return;
	}
	add_key(b, k);
	text_add_str(&b->ops.text, fixed_value(from) != 0 ? "true" : "false");
}

/* the label of a value that is the same in all rows; NULL for none */
static const char *
fixed_label(const struct key_source *k, struct value_ref from)
{
	const char *const *values = k->from->values;

	if (values == NULL || !is_fixed(from) || values[0] == NULL)
		return NULL;
	return values[fixed_value(from)];
}

static void
add_enum(struct builder *b, const struct key_source *k, struct value_ref from)
{
	const char *label = fixed_label(k, from);

	if (label == NULL) {
		add_value(b, k, OP_ENUM, from);
	} else if (*label != '\0') {
		add_key(b, k);
		text_add_json(&b->ops.text, label, strlen(label));
	}
}

static void
add_hex(struct builder *b, const struct key_source *k, struct value_ref from)
{
	if (!is_fixed(from) || fixed_value(from) != 0)
		add_value(b, k, OP_HEX, from);
}

/* three numbers; left out where all are 0, which are fixed as a rule */
static void
add_dims(struct builder *b, const struct key_source *k)
{
	struct value_ref r[3];
	bool some = false, zero = true;

	for (int i = 0; i < 3; i++) {
		if (!integer(b, k->value[i], &r[i]))
			return;
		some |= is_fixed(r[i]) ? fixed_value(r[i]) == 1 : b->flat;
		zero &= is_fixed(r[i]) && fixed_value(r[i]) == 0;
	}
	if (zero)
		return;
	add_key(b, k);
	for (int i = 0; i < 3; i++) {
		text_add_char(&b->ops.text, i == 0 ? '[' : ',');
		if (is_fixed(r[i])) {
			text_add_int(&b->ops.text, fixed_value(r[i]));
			continue;
		}
		add_op(b,
		    !some            ? OP_SURE
		    : is_small(r[i]) ? OP_SMALL
				     : OP_INT,
		    r[i], 0);
		some = true;
	}
	text_add_char(&b->ops.text, ']');
}

static void
add_real_or_int(struct builder *b, const struct key_source *k)
{
	struct value_ref r = ref_of(b, k->value[0]);

	if (r.type == SQL_REAL)
		add_value(b, k, OP_REAL, r);
	else if (r.type == SQL_INT || r.type > SQL_BLOB)
		add_value(b, k, OP_INT, r);
}

static void
add_text(struct builder *b, const struct key_source *k, enum op_code code)
{
	struct value_ref r;

	if (bytes(b, k->value[0], &r))
		add_value(b, k, code, r);
}

/* members of args that the row has itself */
static void
add_members(struct builder *b, const struct key_source *k)
{
	struct value_ref r;

	if (!bytes(b, k->value[0], &r))
		return;
	text_add_str(&b->ops.text, b->args ? "," : ",\"args\":{");
	b->args = true;
	add_op(b, OP_MEMBERS, r, 0);
}

static void
add_name(struct builder *b, const struct key_source *k)
{
	struct value_ref r;

	if (integer(b, k->value[1], &r))
		add_value(b, k, OP_STRING, r);
	else
		add_text(b, k, b->flat ? OP_JSON : OP_BYTES);
}

/* the device of a flat row has been looked up */
static void
add_device(struct builder *b, const struct key_source *k, struct value_ref from)
{
	struct value_ref pid, context;

	if (!integer(b, k->value[1], &pid) ||
	    !integer(b, k->value[2], &context) || b->flat) {
		add_number(b, k, from);
		return;
	}
	b->thread = -1;
	add_op(b, OP_A, pid, 0);
	add_op(b, OP_B, context, 0);
	add_value(b, k, OP_DEVICE, from);
}

/* a flat row has the type that its call or its other columns decide */
static void
add_sync(struct builder *b, const struct key_source *k, struct value_ref from)
{
	struct value_ref pid, corr;

	if (b->flat) {
		add_enum(b, k, from);
		return;
	}
	b->failed |=
	    !integer(b, k->value[1], &pid) || !integer(b, k->value[2], &corr);
	if (b->failed)
		return;
	b->thread = -1;
	add_op(b, OP_A, pid, 0);
	add_op(b, OP_B, corr, 0);
	add_value(b, k, OP_SYNC, from);
}

/* a key of a process or thread, which the second value is */
static void
add_of_thread(struct builder *b, const struct key_source *k, enum op_code code,
    struct value_ref from)
{
	struct value_ref thread, other = row_format_null;
	bool known = integer(b, k->value[1], &thread);
	bool two = code == OP_CATEGORY || code == OP_WAIT_CONTEXT;

	if (known && two && !integer(b, k->value[2], &other))
		other = (struct value_ref){SQL_INT, BASE_FIXED, 0, FIXED_ZERO};
	if (code == OP_END_TID && !known)
		add_value(b, k, OP_TID, from);
	if (!known || ((code == OP_DOMAIN || code == OP_CATEGORY) &&
			  is_fixed(from) && fixed_value(from) == 0))
		return; /* the default one */
	if (b->thread != k->value[1])
		add_op(b, OP_A, thread, 0);
	b->thread = k->value[1];
	if (two)
		add_op(b, OP_B, other, 0);
	add_value(b, k, code, from);
}

/* meanings of an integer that are one operation */
static const enum op_code integer_ops[AS_NOTHING] = {
    [AS_UINT] = OP_UINT,
    [AS_INT32] = OP_INT32,
    [AS_ANY_PID] = OP_PID,
    [AS_ANY_TID] = OP_TID,
    [AS_HOST] = OP_HOST,
    [AS_STRING] = OP_STRING,
    [AS_API] = OP_FUNCTION,
    [AS_DEVICE8] = OP_BYTE,
    [AS_COLOR] = OP_COLOR,
    [AS_MODE] = OP_MODE,
    [AS_FILE] = OP_FILE,
    [AS_FILE_BYTES] = OP_FILE_BYTES,
};

/* the same for keys of a process or thread */
static const enum op_code thread_ops[AS_NOTHING] = {
    [AS_GPU] = OP_GPU,
    [AS_END_TID] = OP_END_TID,
    [AS_DOMAIN] = OP_DOMAIN,
    [AS_CATEGORY] = OP_CATEGORY,
    [AS_WAIT_STREAM] = OP_WAIT_STREAM,
    [AS_WAIT_CONTEXT] = OP_WAIT_CONTEXT,
    [AS_WAIT_CORR] = OP_WAIT_CORR,
};

/* keys that are made of one integer, and perhaps others */
static void
add_integer(struct builder *b, const struct key_source *k)
{
	enum how how = k->from->how;
	struct value_ref from;

	if (!integer(b, k->value[0], &from))
		return;
	switch (how) {
	case AS_INT:
	case AS_ID:
	case AS_NONZERO:
		add_number(b, k, from);
		break;
	case AS_TID:
		if (!keyset_has(&b->map->chosen, KEY_tid)) {
			add_op(b, OP_PROCESS, from, 0);
			break;
		}
		add_op(b, OP_THREAD, from, 0);
		b->thread = k->value[0];
		break;
	case AS_PID:
		add_op(b, OP_PROCESS, from, 0);
		break;
	case AS_ENUM:
		add_enum(b, k, from);
		break;
	case AS_BOOL:
		add_bool(b, k, from);
		break;
	case AS_DEVICE:
		add_device(b, k, from);
		break;
	case AS_SYNC:
		add_sync(b, k, from);
		break;
	case AS_HEX:
		add_hex(b, k, from);
		break;
	default:
		b->raw |= how == AS_API && keyset_has(&b->map->chosen, KEY_raw);
		if (thread_ops[how] != 0)
			add_of_thread(b, k, thread_ops[how], from);
		else
			add_value(b, k, integer_ops[how], from);
	}
}

/* true if records of the format have a duration */
static bool
has_end(const struct builder *b)
{
	return !is_null(ref_of(b, b->map->end));
}

static void
add_source(struct builder *b, const struct key_source *k)
{
	switch (k->from->how) {
	case AS_CONST:
		add_key(b, k);
		text_add_json(&b->ops.text, k->from->aux, strlen(k->from->aux));
		break;
	case AS_TIME: /* and the next key, the duration */
		add_value(b, k, has_end(b) ? OP_TIMES : OP_TS, row_format_null);
		break;
	case AS_END:
		break;
	case AS_DIMS:
		add_dims(b, k);
		break;
	case AS_NAME:
		add_name(b, k);
		break;
	case AS_TEXT:
		add_text(b, k, b->flat ? OP_JSON : OP_BYTES);
		break;
	case AS_BINARY:
		add_text(b, k, OP_BINARY);
		break;
	case AS_MEMBERS:
		add_members(b, k);
		break;
	case AS_NUMBER:
	case AS_RANGE_ID:
		add_real_or_int(b, k);
		break;
	case AS_SYMBOL:
		add_value(b, k, OP_SYMBOL_ID, row_format_null);
		break;
	case AS_STACK:
		if (!is_null(ref_of(b, k->value[0])))
			add_value(b, k, OP_STACK_ID, row_format_null);
		break;
	default:
		add_integer(b, k);
	}
}

/* ---- the record ---- */

/* symbols and stacks come before it, and whether it is written at all */
static void
add_definition(struct builder *b, const struct key_source *k)
{
	struct value_ref r[3];

	if (k->from->how == AS_GPU && b->map->launches) {
		for (int i = 0; i < 2; i++)
			if (!integer(b, k->value[i], &r[i]))
				r[i] = row_format_null;
		add_op(b, OP_A, r[1], 0);
		add_op(b, OP_LAUNCHES, r[0], 0);
	} else if (k->from->how == AS_STACK) {
		if (integer(b, k->value[0], &r[0]))
			set_column(b, add_op(b, OP_STACK, r[0], 0), k);
	} else if (k->from->how == AS_SYMBOL) {
		for (int i = 0; i < 3; i++)
			if (!integer(b, k->value[i], &r[i]))
				r[i] = row_format_null;
		add_op(b, OP_A, r[0], 0);
		add_op(b, OP_B, r[2], 0);
		add_op(b, OP_SYMBOL, r[1], 0);
	}
}

/*
 * Two keys have no source of their own and stand between others: the raw name
 * of a function, and open, for an interval that never ended.
 */
static void
add_between(struct builder *b, enum key last, enum key next)
{
	if (last < KEY_raw && next > KEY_raw && b->raw) {
		text_add_str(&b->ops.text, ",\"raw\":");
		add_op(b, OP_RAW, row_format_null, strlen(",\"raw\":"));
	}
	if (last < KEY_open && next > KEY_open && b->map->end >= 0 &&
	    !has_end(b))
		text_add_str(&b->ops.text, ",\"open\":true");
}

static void
add_record(struct builder *b)
{
	const struct record_map *m = b->map;
	enum key last = KEY_kind;

	for (size_t i = 0; i < m->key_count; i++)
		add_definition(b, &m->keys[i]);
	text_add_str(&b->ops.text, "{\"kind\":\"");
	text_add_str(&b->ops.text, schema_kinds[m->kind].name);
	text_add_char(&b->ops.text, '"');
	for (size_t i = 0; i < m->key_count; i++) {
		const struct key_source *k = &m->keys[i];

		add_between(b, last, k->from->key);
		last = k->from->key;
		if (last == KEY_args)
			add_kept(b, k->arg);
		add_source(b, k);
	}
	add_between(b, last, KEY_COUNT);
	add_kept(b, NULL);
	text_add_str(&b->ops.text, b->args ? "}}\n" : "}\n");
	add_op(b, OP_END, row_format_null, 0);
}

struct row_program *
row_program_assemble(struct row_ops *from, const struct column_map *columns)
{
	size_t ops = from->count * sizeof(*from->all);
	struct row_program *p =
	    mem_alloc(sizeof(*p) + ops + from->texts.len + OP_TEXT_MAX);
	char *text = (char *)p->ops + ops;

	*p = (struct row_program){
	    .room = (from->count + 1) * (OP_TEXT_MAX + OP_VALUE_MAX),
	    .text = text,
	    .columns = columns};
	memcpy(p->ops, from->all, ops);
	memcpy(text, from->texts.p, from->texts.len);
	free(from->all);
	text_free(&from->texts);
	text_free(&from->text);
	return p;
}

struct row_program *
row_program_make(
    const struct record_map *m, const struct row_format *format, bool flat)
{
	struct builder b = {
	    .map = m, .format = format, .flat = flat, .thread = -1};
	struct row_program *p;

	add_record(&b);
	p = row_program_assemble(&b.ops, m->columns);
	p->odd = b.odd;
	p->defines = m->defines;
	free(b.big);
	if (b.failed) {
		free(p);
		p = NULL;
	}
	return p;
}

/* ---- outlines ---- */

/* reads the texts of a program: where it is in the record */
struct text_state {
	int depth; /* of objects and arrays */
	bool string, escape;
	bool key; /* behind the comma of a member */
	struct text name;
	unsigned char keys[OUTLINE_MEMBERS + 1]; /* that were read */
	size_t count;
};

/* True at the comma in front of a member of the record. */
static bool
begins_member(const struct text_state *s, char c)
{
	return c == ',' && s->depth == 1 && !s->string;
}

/* True at the end of the key of one. */
static bool
ends_key(struct text_state *s, char c)
{
	if (begins_member(s, c)) {
		s->key = true;
		s->name.len = 0;
	}
	if (s->string && (s->escape || c != '"')) {
		s->escape = !s->escape && c == '\\';
		if (s->key)
			text_add_char(&s->name, c);
		return false;
	}
	if (c == '"') {
		s->string = !s->string;
		return s->key && !s->string;
	}
	s->depth += (c == '{' || c == '[') - (c == '}' || c == ']');
	s->key &= c != ':';
	return false;
}

static void
add_member(struct text_state *s, enum key key)
{
	s->keys[s->count] = (unsigned char)key;
	if (s->count < OUTLINE_MEMBERS)
		s->count++;
	else
		s->keys[0] = KEY_NONE; /* too many */
}

/* the members that the value of an operation has */
static void
add_members_of(struct text_state *s, enum op_code code)
{
	if (code == OP_TIMES)
		add_member(s, KEY_dur);
	if (code != OP_THREAD && code != OP_PROCESS)
		return;
	add_member(s, KEY_pid);
	add_member(s, KEY_tid);
}

/* the operation, each of its members with an operation of its own */
static void
split(struct row_ops *to, struct text_state *s, const struct row_op *op,
    const char *text)
{
	unsigned char begins = 0;
	struct row_op *last;

	for (size_t i = 0; i < op->len; i++) {
		if (begins_member(s, text[i])) {
			if (to->text.len > 0)
				new_op(to, OP_TEXT, to->text.len)->begins =
				    begins;
			begins = 1;
		}
		if (ends_key(s, text[i]))
			add_member(s, schema_key(s->name.p, s->name.len));
		text_add_char(&to->text, text[i]);
	}
	last = new_op(to, (enum op_code)op->code, to->text.len);
	last->from = op->from;
	last->own = op->own;
	last->column = op->column;
	last->begins = begins;
	add_members_of(s, (enum op_code)op->code);
}

struct row_program *
row_program_outline(struct row_program *program, enum kind kind)
{
	const struct row_op *op = program->ops;
	const char *text = program->text;
	struct text_state s = {0};
	struct row_program *p;
	struct row_ops ops = {0};
	bool plain;

	for (;; text += op->len, op++) {
		split(&ops, &s, op, text);
		if (op->code == OP_END)
			break;
	}
	text_free(&s.name);
	memset(text_reserve(&ops.texts, PLAIN_BLOCK), 0, PLAIN_BLOCK);
	plain = plain_line(text_span(&ops.texts));
	p = row_program_assemble(&ops, program->columns);
	p->odd = program->odd;
	p->bad = program->bad;
	p->defines = program->defines;
	p->outlined =
	    plain && outline_plan_set(&p->outline, kind, s.keys, s.count);
	free(program);
	return p;
}
