/* record.c - a row of the export becomes a record of the stream */

#include <inttypes.h>

#include "table.h"
#include "tq/io/emit.h"

/*
 * Integers beyond this are strings under args, since readers may use
 * doubles: those that have a key of their own are kept until args is written.
 */
#define EXACT ((int64_t)1 << 53)

struct big_value {
	const char *name;
	int64_t v;
};

struct big {
	struct big_value values[KEY_COUNT];
	int count;
};

/* the integer of a cell; false where there is none */
static inline bool
integer(struct nsys *x, const struct cell *row, int col, int64_t *v)
{
	if (col < 0 || row[col].type == CELL_NULL)
		return false;
	if (row[col].type == CELL_INT) {
		*v = row[col].i;
		return true;
	}
	if (cell_int(&row[col], v))
		return true;
	x->odd_values++;
	return false;
}

/* the bytes of a cell, whatever its type; false where it has none */
static bool
bytes(
    const struct cell *row, int col, char digits[TEXT_INT_MAX], struct span *s)
{
	if (col < 0 || row[col].type == CELL_NULL || row[col].type == CELL_REAL)
		return false;
	if (row[col].type == CELL_INT)
		*s = (struct span){digits,
		    (size_t)(text_digits_int(digits, row[col].i) - digits)};
	else
		*s = row[col].s;
	return true;
}

/* ---- what is written after a key: each false for nothing ---- */

static bool
add_enum(struct nsys *x, struct text *t, const struct nsys_column *c, int64_t v)
{
	struct span label = {0};
	int64_t n = 0;
	sqlite3_stmt *st;

	while (c->values != NULL && c->values[n] != NULL)
		n++;
	if (v >= 0 && v < n) {
		if (*c->values[v] == '\0')
			return false;
		text_add_json(t, c->values[v], strlen(c->values[v]));
		return true;
	}
	/* newer than we are, or not ours to know */
	st = database_prepare(&x->db,
	    "SELECT label FROM \"%w\" WHERE id = %lld", c->aux, (long long)v);
	if (st != NULL && database_step(&x->db, st))
		label = database_text(st, 0);
	if (label.len > 0) {
		export_add_json(x, t, label);
	} else {
		text_add_str(t, "\"#");
		text_add_int(t, v);
		text_add_char(t, '"');
	}
	sqlite3_finalize(st);
	return true;
}

static bool
add_color(struct text *t, int64_t argb)
{
	text_printf(t, "\"#%06x\"", (unsigned)(argb & 0xffffff));
	return true;
}

static bool
add_dims(struct nsys *x, struct text *t, const struct cell *row, const int *col)
{
	int64_t v[3];

	for (int i = 0; i < 3; i++)
		if (!integer(x, row, col[i], &v[i]))
			return false;
	if (v[0] == 0 && v[1] == 0 && v[2] == 0)
		return false; /* a cluster that there is not */
	text_add_char(t, '[');
	for (int i = 0; i < 3; i++) {
		if (i > 0)
			text_add_char(t, ',');
		text_add_int(t, v[i]);
	}
	text_add_char(t, ']');
	return true;
}

static bool
add_hex(struct text *t, int64_t v)
{
	if (v == 0)
		return false;
	text_add_char(t, '"');
	text_add_hex(t, (uint64_t)v);
	text_add_char(t, '"');
	return true;
}

static bool
add_bytes(struct text *t, struct span s)
{
	static const char hex[] = "0123456789abcdef";

	text_add_char(t, '"');
	for (size_t i = 0; i < s.len; i++) {
		text_add_char(t, hex[(unsigned char)s.p[i] >> 4]);
		text_add_char(t, hex[s.p[i] & 15]);
	}
	text_add_char(t, '"');
	return true;
}

/* text of a column, or by a second column, an id in StringIds */
static bool
add_text_or_id(struct nsys *x, struct text *t, const struct step *s,
    const struct cell *row)
{
	char digits[TEXT_INT_MAX];
	struct span text;
	int64_t id;

	if (integer(x, row, s->col[1], &id)) {
		text_add_span(t, export_string(x, id));
		return true;
	}
	if (!bytes(row, s->col[0], digits, &text))
		return false;
	export_add_json(x, t, text);
	return true;
}

static bool
add_number(struct text *t, const struct cell *c)
{
	switch (c->type) {
	case CELL_INT:
		text_add_int(t, c->i);
		return true;
	case CELL_REAL:
		text_add_double(t, c->d);
		return true;
	default:
		return false;
	}
}

static bool
add_name_of(struct text *t, struct span json)
{
	text_add_span(t, json);
	return json.len > 0;
}

static void
add_string_int(struct text *t, int64_t v)
{
	text_add_char(t, '"');
	text_add_int(t, v);
	text_add_char(t, '"');
}

/* the value of a step behind its key */
static bool
add_value(struct nsys *x, struct text *t, const struct step *s,
    const struct cell *row, struct big *big)
{
	const struct nsys_column *c = s->from;
	char digits[TEXT_INT_MAX];
	int64_t v, global, domain;
	struct span text;

	switch (c->how) {
	case AS_CONST:
		text_add_json(t, c->aux, strlen(c->aux));
		return true;
	case AS_DIMS:
		return add_dims(x, t, row, s->col);
	case AS_NAME:
		return add_text_or_id(x, t, s, row);
	case AS_TEXT:
		if (!bytes(row, s->col[0], digits, &text))
			return false;
		export_add_json(x, t, text);
		return true;
	case AS_BINARY:
		return bytes(row, s->col[0], digits, &text) &&
		       add_bytes(t, text);
	case AS_NUMBER:
		return add_number(t, &row[s->col[0]]);
	case AS_SYMBOL:
	case AS_STACK: /* defined before the record was opened */
		if (s->value != 0)
			text_add_int(t, s->value);
		return s->value != 0;
	default:
		break;
	}

	if (!integer(x, row, s->col[0], &v))
		return false;
	switch (c->how) {
	case AS_PID:
		/* a global id without a process stands for the whole host */
		if ((v >> 24 & 0xffffff) == 0)
			return false;
		v = export_pid(x, (uint64_t)v);
		break;
	case AS_END_TID:
		if (integer(x, row, s->col[1], &global) && global == v)
			return false;
		v = export_tid((uint64_t)v);
		break;
	case AS_DEVICE:
		if (integer(x, row, s->col[1], &global) &&
		    integer(x, row, s->col[2], &domain))
			v = export_device(x, (uint64_t)global >> 24, domain, v);
		break;
	case AS_ID:
		if (v == UINT32_MAX)
			return false;
		break;
	case AS_NONZERO:
		if (v == 0 || v == UINT32_MAX)
			return false;
		break;
	case AS_UINT:
		if (v >= 0)
			break;
		text_printf(t, "\"%" PRIu64 "\"", (uint64_t)v);
		return true;
	case AS_DEVICE8:
		v &= 0xff;
		break;
	case AS_BOOL:
		text_add_str(t, v != 0 ? "true" : "false");
		return true;
	case AS_HEX:
		return add_hex(t, v);
	case AS_STRING:
		text_add_span(t, export_string(x, v));
		return true;
	case AS_ENUM:
		return add_enum(x, t, c, v);
	case AS_MODE:
		text_add_str(t, v == 60 || v == 71 ? "\"start\"" : "\"push\"");
		return true;
	case AS_COLOR:
		return add_color(t, v);
	case AS_GPU:
		if (!integer(x, row, s->col[1], &global))
			return false;
		v = launches_get(
		    &x->launched, (uint64_t)global >> 24, (uint64_t)v);
		if (v == 0)
			return false;
		break;
	case AS_DOMAIN:
		if (!integer(x, row, s->col[1], &global))
			return false;
		return add_name_of(t, export_domain(x, (uint64_t)global, v));
	case AS_CATEGORY:
		if (!integer(x, row, s->col[1], &global))
			return false;
		if (!integer(x, row, s->col[2], &domain))
			domain = 0;
		return add_name_of(
		    t, export_category(x, (uint64_t)global, domain, v));
	default:
		break;
	}
	if (v > EXACT || v < -EXACT) {
		if (c->key == KEY_args)
			add_string_int(t, v);
		else
			big->values[big->count++] =
			    (struct big_value){schema_keys[c->key].name, v};
		return c->key == KEY_args;
	}
	text_add_int(t, v);
	return true;
}

/* ---- the record ---- */

/* stacks and symbols are records of their own, before the one at hand */
static void
define(struct nsys *x, struct table *t, const struct cell *row)
{
	for (int i = 0; i < t->step_count; i++) {
		struct step *s = &t->steps[i];
		int64_t v[3] = {-1, -1, -1};

		if (s->from->how == AS_STACK) {
			s->value = 0;
			if (integer(x, row, s->col[0], &v[0]))
				s->value = export_stack(x, s->from->aux, v[0]);
		} else if (s->from->how == AS_SYMBOL) {
			s->value = 0;
			for (int k = 0; k < 3; k++)
				integer(x, row, s->col[k], &v[k]);
			if (v[0] >= 0 || v[1] >= 0)
				s->value = export_symbol(x, v[0], v[1], v[2]);
		}
	}
}

/* steps that write more than a value behind their key; true if s is one */
static bool
write_special(struct nsys *x, const struct step *s, const struct cell *row,
    int64_t ts, int64_t dur, struct span *raw)
{
	struct output *o = x->out;
	int64_t v;

	switch (s->from->how) {
	case AS_TIME:
		emit_int(o, KEY_ts, ts);
		return true;
	case AS_END:
		if (dur != NEVER_ENDED)
			emit_int(o, KEY_dur, dur);
		return true;
	case AS_TID:
		if (!integer(x, row, s->col[0], &v))
			return true;
		if ((v >> 24 & 0xffffff) != 0)
			emit_int(o, KEY_pid, export_pid(x, (uint64_t)v));
		if (export_tid((uint64_t)v) != 0)
			emit_int(o, KEY_tid, export_tid((uint64_t)v));
		return true;
	case AS_RANGE_ID:
		emit_int(o, KEY_id, row[s->col[0]].i);
		return true;
	case AS_API:
		if (integer(x, row, s->col[0], &v))
			emit_json(o, KEY_name, export_function(x, v, raw));
		return true;
	default:
		return false;
	}
}

static void
begin_arg(struct text *t, const char *name, bool *opened)
{
	text_add_str(t, *opened ? ",\"" : ",\"args\":{\"");
	text_add_str(t, name);
	text_add_str(t, "\":");
	*opened = true;
}

/* the big values whose names come before that of the next argument */
static void
write_big(struct text *t, struct big *big, const char *before, bool *opened)
{
	for (;;) {
		struct big_value *least = NULL;

		for (int i = 0; i < big->count; i++) {
			struct big_value *b = &big->values[i];

			if (b->name != NULL &&
			    (least == NULL || strcmp(b->name, least->name) < 0))
				least = b;
		}
		if (least == NULL ||
		    (before != NULL && strcmp(least->name, before) > 0))
			return;
		begin_arg(t, least->name, opened);
		add_string_int(t, least->v);
		least->name = NULL;
	}
}

static void
write_arg(struct nsys *x, const struct step *s, const struct cell *row,
    struct big *big, bool *opened)
{
	struct text *t = &x->out->buf;
	bool time_encloses_start;
	size_t start;

	if (big->count > 0)
		write_big(t, big, s->arg, opened);
	time_encloses_start = *opened;
	start = t->len;
	begin_arg(t, s->arg, opened);
	if (!add_value(x, t, s, row, big)) {
		t->len = start;
		*opened = time_encloses_start;
	}
}

static void
write_key(struct nsys *x, const struct step *s, const struct cell *row,
    struct big *big)
{
	size_t start = x->out->buf.len;

	emit_key(x->out, s->from->key);
	if (!add_value(x, &x->out->buf, s, row, big))
		x->out->buf.len = start;
}

/*
 * Two keys have no step of their own and stand between those of others: the
 * raw name of a function, and that an interval never ended.
 */
static void
write_between(
    struct nsys *x, enum key last, enum key next, struct span raw, int64_t dur)
{
	if (last < KEY_raw && next > KEY_raw && raw.len > 0)
		emit_json(x->out, KEY_raw, raw);
	if (last < KEY_open && next > KEY_open && dur == NEVER_ENDED)
		emit_bool(x->out, KEY_open, true);
}

/* the common case; false where it is not one */
static inline bool
write_number(struct nsys *x, const struct step *s, const struct cell *row)
{
	const struct cell *c = &row[s->col[0]];

	if (!s->number || c->type != CELL_INT || c->i > EXACT || c->i < -EXACT)
		return false;
	if (!(s->not_zero && c->i == 0) && !(s->not_ones && c->i == UINT32_MAX))
		emit_int(x->out, s->from->key, c->i);
	return true;
}

void
table_write_cells(struct nsys *x, struct table *t, const struct cell *row,
    int64_t ts, int64_t dur)
{
	struct span raw = {0};
	struct big big; /* not cleared: it is large, and nearly always empty */
	enum key last = KEY_kind;
	bool opened = false;

	big.count = 0;
	if (t->defines)
		define(x, t, row);
	emit_open(x->out, t->map->kind);
	for (int i = 0; i < t->step_count; i++) {
		const struct step *s = &t->steps[i];

		if (s->after_raw)
			write_between(x, last, s->from->key, raw, dur);
		last = s->from->key;
		if (write_number(x, s, row))
			continue;
		if (last == KEY_args)
			write_arg(x, s, row, &big, &opened);
		else if (!write_special(x, s, row, ts, dur, &raw))
			write_key(x, s, row, &big);
	}
	write_between(x, last, KEY_COUNT, raw, dur);
	if (big.count > 0)
		write_big(&x->out->buf, &big, NULL, &opened);
	if (opened)
		text_add_char(&x->out->buf, '}');
	emit_close(x->out);
}
