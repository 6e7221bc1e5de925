/* plan.c - from the map of a table and the shape of a row to a plan */

#include <stdlib.h>

#include "plan.h"
#include "tq/base/mem.h"

struct builder {
	const struct table *table;
	const struct shape *shape;
	struct op *ops;
	size_t count, cap;
	struct text texts; /* of the operations */
	struct text text;  /* to stand in front of the next value */
	int thread;        /* the cell that is kept as A; -1 for none */
	bool args;         /* that object was begun */
	bool raw;          /* a function may have a raw name */
};

/* ---- operations ---- */

/* the first n bytes of the text are that of the operation */
static struct op *
new_op(struct builder *b, enum op_code code, size_t n)
{
	struct op *op;

	if (b->count == b->cap) {
		b->cap = b->cap * 2 + 16;
		b->ops = mem_resize(b->ops, b->cap, sizeof(*b->ops));
	}
	op = &b->ops[b->count++];
	*op = (struct op){.code = (unsigned char)code, .len = (unsigned char)n};
	if (n > 0) {
		text_add(&b->texts, b->text.p, n);
		b->text.len -= n;
		memmove(b->text.p, b->text.p + n, b->text.len);
	}
	return op;
}

/* own: so many bytes at the end of the text go with the value */
static struct op *
add_op(struct builder *b, enum op_code code, struct place from, size_t own)
{
	struct op *op;

	while (b->text.len > OP_TEXT_MAX) {
		size_t n = b->text.len - own;

		new_op(b, OP_TEXT, n < OP_TEXT_MAX ? n : OP_TEXT_MAX);
	}
	op = new_op(b, code, b->text.len);
	op->own = (unsigned char)own;
	op->from = from;
	return op;
}

static void
set_column(const struct builder *b, struct op *op, const struct step *s)
{
	op->column = (unsigned char)(s->from - b->table->map->columns);
}

/* ,"key": or what it is within args; returns its length */
static size_t
add_key(struct builder *b, const struct step *s)
{
	size_t before = b->text.len;

	if (s->from->key == KEY_args) {
		text_add_str(&b->text, b->args ? ",\"" : ",\"args\":{\"");
		text_add_str(&b->text, s->arg);
		b->args = true;
	} else {
		text_add_str(&b->text, ",\"");
		text_add_str(&b->text, schema_keys[s->from->key].name);
	}
	text_add_str(&b->text, "\":");
	return b->text.len - before;
}

/* ---- values ---- */

static struct place
place_of(const struct builder *b, int cell)
{
	return cell >= 0 ? b->shape->places[cell] : row_null;
}

static bool
is_null(struct place p)
{
	return p.type == CELL_NULL;
}

static bool
is_int(struct place p)
{
	return p.type == CELL_INT;
}

/* is it the same in all rows? */
static bool
is_fixed(struct place p)
{
	return is_int(p) && p.base == BASE_FIXED;
}

/* has it one byte? */
static bool
is_small(struct place p)
{
	return is_int(p) && p.shift == 56;
}

static int64_t
fixed_value(struct place p)
{
	return p.offset == FIXED_ONE;
}

static bool
add_value(struct builder *b, const struct step *s, enum op_code code,
    struct place from)
{
	size_t own = add_key(b, s);

	/* in args, it is not left out: see add_if */
	if (s->from->key == KEY_args)
		own = 0;
	set_column(b, add_op(b, code, from, own), s);
	return true;
}

/* a value in args must be there: what follows it depends on that */
static bool
add_if(struct builder *b, const struct step *s, enum op_code code,
    struct place from)
{
	return s->from->key != KEY_args && add_value(b, s, code, from);
}

static bool
add_number(struct builder *b, const struct step *s, struct place from)
{
	enum how how = s->from->how;

	if (is_fixed(from)) {
		if (how == AS_NONZERO && fixed_value(from) == 0)
			return true;
		add_key(b, s);
		text_add_int(&b->text, fixed_value(from));
		return true;
	}
	if (s->from->key == KEY_args && how != AS_INT)
		return add_value(b, s, OP_SURE, from);
	if (how == AS_NONZERO)
		return add_value(b, s, OP_NONZERO, from);
	if (is_small(from))
		return add_value(b, s, OP_SMALL, from);
	if (from.shift >= 32) /* too small for any exception */
		return add_value(b, s, OP_INT, from);
	return add_value(b, s, how == AS_ID ? OP_ID : OP_EXACT, from);
}

static bool
add_bool(struct builder *b, const struct step *s, struct place from)
{
	if (!is_fixed(from))
		return add_value(b, s, OP_BOOL, from);
	add_key(b, s);
	text_add_str(&b->text, fixed_value(from) != 0 ? "true" : "false");
	return true;
}

static bool
add_enum(struct builder *b, const struct step *s, struct place from)
{
	const char *const *values = s->from->values;
	const char *label;

	if (values == NULL)
		return false;
	if (!is_fixed(from))
		return add_value(b, s, OP_ENUM, from);
	for (int64_t i = 0; i <= fixed_value(from); i++)
		if (values[i] == NULL)
			return false;
	label = values[fixed_value(from)];
	if (*label == '\0')
		return true;
	add_key(b, s);
	text_add_json(&b->text, label, strlen(label));
	return true;
}

/* three numbers; it is left out where all are 0, which are fixed as a rule */
static bool
add_dims(struct builder *b, const struct step *s)
{
	struct place p[3];
	bool some = false, zero = true;

	for (int i = 0; i < 3; i++) {
		p[i] = place_of(b, s->col[i]);
		if (is_null(p[i]))
			return true;
		if (!is_int(p[i]))
			return false;
		some |= is_fixed(p[i]) && fixed_value(p[i]) == 1;
		zero &= is_fixed(p[i]) && fixed_value(p[i]) == 0;
	}
	if (zero)
		return true;
	add_key(b, s);
	for (int i = 0; i < 3; i++) {
		text_add_char(&b->text, i == 0 ? '[' : ',');
		if (is_fixed(p[i])) {
			text_add_int(&b->text, fixed_value(p[i]));
			continue;
		}
		add_op(b,
		    !some            ? OP_SURE
		    : is_small(p[i]) ? OP_SMALL
				     : OP_INT,
		    p[i], 0);
		some = true;
	}
	text_add_char(&b->text, ']');
	return true;
}

/* columns that an operation needs besides; false for a type that is odd */
static bool
add_others(struct builder *b, struct place first, struct place second)
{
	if ((!is_int(first) && !is_null(first)) ||
	    (!is_int(second) && !is_null(second)))
		return false;
	b->thread = -1;
	add_op(b, OP_A, first, 0);
	add_op(b, OP_B, second, 0);
	return true;
}

static bool
add_text_or_id(struct builder *b, const struct step *s)
{
	struct place text = place_of(b, s->col[0]), id = row_null;

	if (s->from->how == AS_NAME)
		id = place_of(b, s->col[1]);
	if (is_int(id))
		return add_value(b, s, OP_STRING, id);
	if (!is_null(id))
		return false;
	if (text.type == CELL_TEXT || text.type == CELL_BLOB)
		return add_value(b, s, OP_BYTES, text);
	return is_null(text);
}

static bool
add_device(struct builder *b, const struct step *s, struct place from)
{
	struct place pid = place_of(b, s->col[1]);
	struct place context = place_of(b, s->col[2]);

	if (!is_int(pid) || !is_int(context))
		return false;
	return add_others(b, pid, context) && add_if(b, s, OP_DEVICE, from);
}

/* what depends on a process or thread: nothing without that */
static bool
add_of_thread(struct builder *b, const struct step *s, enum op_code code,
    struct place from)
{
	struct place thread = place_of(b, s->col[1]);
	struct place other = place_of(b, s->col[2]);

	if (is_null(thread) && s->from->how != AS_END_TID)
		return true;
	if (!is_int(thread) || (!is_int(other) && !is_null(other)))
		return false;
	if (s->from->how != AS_GPU && is_fixed(from) && fixed_value(from) == 0)
		return s->from->how != AS_END_TID; /* the default one */
	if (is_null(other))
		other = (struct place){CELL_INT, BASE_FIXED, 0, FIXED_ZERO};
	if (b->thread != s->col[1])
		add_op(b, OP_A, thread, 0);
	b->thread = s->col[1];
	if (s->from->how == AS_CATEGORY)
		add_op(b, OP_B, other, 0);
	return add_if(b, s, code, from);
}

/* keys that are made of one integer */
static bool
add_integer(struct builder *b, const struct step *s)
{
	struct place from = place_of(b, s->col[0]);

	if (is_null(from))
		return true;
	if (!is_int(from))
		return false;
	switch (s->from->how) {
	case AS_INT:
	case AS_ID:
	case AS_NONZERO:
		return add_number(b, s, from);
	case AS_NUMBER:
	case AS_RANGE_ID:
		return add_value(b, s, OP_INT, from);
	case AS_TID:
		add_op(b, OP_THREAD, from, 0);
		b->thread = s->col[0];
		return true;
	case AS_PID:
		add_op(b, OP_PROCESS, from, 0);
		return s->from->key == KEY_pid;
	case AS_STRING:
		return add_value(b, s, OP_STRING, from);
	case AS_API:
		b->raw = true;
		return add_if(b, s, OP_FUNCTION, from);
	case AS_ENUM:
		return add_enum(b, s, from);
	case AS_BOOL:
		return add_bool(b, s, from);
	case AS_DEVICE8:
		return add_value(b, s, OP_BYTE, from);
	case AS_DEVICE:
		return add_device(b, s, from);
	case AS_HEX:
		if (is_fixed(from) && fixed_value(from) == 0)
			return true;
		return add_value(b, s, OP_HEX, from);
	case AS_COLOR:
		return add_value(b, s, OP_COLOR, from);
	case AS_MODE:
		return add_value(b, s, OP_MODE, from);
	case AS_GPU:
		return add_of_thread(b, s, OP_GPU, from);
	case AS_END_TID:
		return add_of_thread(b, s, OP_END_TID, from);
	case AS_DOMAIN:
		return add_of_thread(b, s, OP_DOMAIN, from);
	case AS_CATEGORY:
		return add_of_thread(b, s, OP_CATEGORY, from);
	default:
		return false;
	}
}

static bool
add_step(struct builder *b, const struct step *s)
{
	struct place from = place_of(b, s->col[0]);

	switch (s->from->how) {
	case AS_CONST:
		add_key(b, s);
		text_add_json(&b->text, s->from->aux, strlen(s->from->aux));
		return true;
	case AS_TIME: /* and what comes next, the time between */
		return add_value(b, s,
		    is_null(place_of(b, b->table->when.end)) ? OP_TS : OP_TIMES,
		    row_null);
	case AS_END:
		return true;
	case AS_DIMS:
		return add_dims(b, s);
	case AS_NAME:
	case AS_TEXT:
		return add_text_or_id(b, s);
	case AS_SYMBOL:
		return add_if(b, s, OP_SYMBOL_ID, row_null);
	case AS_STACK:
		return is_null(from) || add_if(b, s, OP_STACK_ID, row_null);
	default:
		return add_integer(b, s);
	}
}

/* ---- the record ---- */

/* symbols and stacks come before it */
static bool
add_definition(struct builder *b, const struct step *s)
{
	struct place from = place_of(b, s->col[0]);

	if (s->from->how == AS_STACK) {
		if (is_null(from))
			return true;
		set_column(b, add_op(b, OP_STACK, from, 0), s);
		return is_int(from);
	}
	if (s->from->how != AS_SYMBOL)
		return true;
	if (!add_others(b, from, place_of(b, s->col[2])))
		return false;
	from = place_of(b, s->col[1]);
	add_op(b, OP_SYMBOL, from, 0);
	return is_int(from) || is_null(from);
}

/* as write_between of record.c */
static void
add_between(struct builder *b, enum key last, enum key next)
{
	int end = b->table->when.end;

	if (last < KEY_raw && next > KEY_raw && b->raw) {
		text_add_str(&b->text, ",\"raw\":");
		add_op(b, OP_RAW, row_null, strlen(",\"raw\":"));
	}
	if (last < KEY_open && next > KEY_open && end >= 0 &&
	    is_null(place_of(b, end)))
		text_add_str(&b->text, ",\"open\":true");
}

static bool
add_record(struct builder *b)
{
	const struct table *t = b->table;
	enum key last = KEY_kind;

	for (int i = 0; i < t->step_count; i++)
		if (!add_definition(b, &t->steps[i]))
			return false;
	text_add_str(&b->text, "{\"kind\":\"");
	text_add_str(&b->text, schema_kinds[t->map->kind].name);
	text_add_char(&b->text, '"');
	for (int i = 0; i < t->step_count; i++) {
		add_between(b, last, t->steps[i].from->key);
		last = t->steps[i].from->key;
		if (!add_step(b, &t->steps[i]))
			return false;
	}
	add_between(b, last, KEY_COUNT);
	text_add_str(&b->text, b->args ? "}}\n" : "}\n");
	add_op(b, OP_END, row_null, 0);
	return true;
}

/* all that was gathered, in one piece */
static struct plan *
assemble(const struct builder *b)
{
	size_t ops = b->count * sizeof(*b->ops);
	struct plan *plan =
	    mem_alloc(sizeof(*plan) + ops + b->texts.len + OP_TEXT_MAX);
	char *text = (char *)plan->ops + ops;

	*plan =
	    (struct plan){.room = (b->count + 1) * (OP_TEXT_MAX + OP_VALUE_MAX),
		.text = text,
		.columns = b->table->map->columns,
		.defines = b->table->defines};
	memcpy(plan->ops, b->ops, ops);
	memcpy(text, b->texts.p, b->texts.len);
	return plan;
}

struct plan *
plan_make(const struct table *t, const struct shape *shape)
{
	struct builder b = {.table = t, .shape = shape, .thread = -1};
	struct plan *plan = add_record(&b) ? assemble(&b) : NULL;

	free(b.ops);
	text_free(&b.texts);
	text_free(&b.text);
	return plan;
}
