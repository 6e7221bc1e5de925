/* json_document.c - tables as one JSON object */

#include <inttypes.h>
#include <stdlib.h>

#include "tq/base/hash.h"
#include "tq/base/mem.h"
#include "tq/base/shell.h"
#include "tq/base/utf8.h"
#include "tq/io/printed_command.h"
#include "tq/show/cells.h"
#include "tq/show/column_doc.h"
#include "tq/show/format.h"

/* bytes of the member "row", but for the hash of a longer one */
enum { ROW_KEY_MOST = 60 };

static void
add_string(struct text *b, struct span s)
{
	text_add_json(b, s.p, s.len);
}

static void
add_member(struct text *b, const char *key, const char *s)
{
	text_printf(b, ",\"%s\":", key);
	if (s != NULL)
		add_string(b, span_of(s));
	else
		text_add_str(b, "null");
}

/* ---- the head ---- */

static void
add_file(void *text, struct span name)
{
	struct text *b = text;

	if (b->p[b->len - 1] != '[')
		text_add_char(b, ',');
	add_string(b, name);
}

static void
add_files(struct text *b, char *const *operands)
{
	if (operands != NULL)
		printed_command_each(operands, add_file, b);
}

static void
add_bound(struct text *b, const char *key, int64_t ns, int64_t open)
{
	text_printf(b, "\"%s\":", key);
	if (ns == open)
		text_add_str(b, "null,");
	else
		text_printf(b, "%" PRId64 ",", ns);
}

void
json_document_begin(struct text *b, const struct json_head *h)
{
	text_add_str(b, "{\"tq\":\"" TQ_VERSION "\",\"file\":[");
	add_files(b, h->operands);
	if (h->others != NULL)
		add_files(b, h->others);
	text_add_str(b, "],\"window\":");
	if (h->window == NULL) {
		text_add_str(b, "null");
	} else {
		text_add_char(b, '{');
		add_bound(b, "from_ns", h->from, INT64_MIN);
		add_bound(b, "to_ns", h->to, INT64_MAX);
		text_printf(b, "\"kind\":\"%s\"}", h->window);
	}
	text_add_str(b, ",\"reports\":[");
}

void
json_document_end(struct text *b)
{
	text_add_str(b, "]}\n");
}

/* ---- columns ---- */

static bool
ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), len = strlen(end);

	return n >= len && strcmp(s + n - len, end) == 0;
}

static const char *
unit_of(const struct format_options *f, const struct column *c,
    const struct column_doc *doc)
{
	switch (c->unit) {
	case UNIT_PERCENT:
		return "%";
	case UNIT_TIME:
		return f->time_unit == 1         ? "ns"
		       : f->time_unit == 1000    ? "us"
		       : f->time_unit == 1000000 ? "ms"
						 : "s";
	case UNIT_SIZE:
		return "B";
	case UNIT_THROUGHPUT:
		return "B/s";
	case UNIT_NONE:
		break;
	}
	if (ends_with(c->name, " (B)"))
		return "B";
	if (ends_with(c->name, " (MB)"))
		return "MB";
	return ends_with(c->name, " (nsec)") ? "ns" : doc->unit;
}

/* a column as rows need it */
struct json_column {
	size_t key, len; /* ,"total_ns": in the keys */
	enum column_role role;
};

struct json_columns {
	struct json_column *all;
	struct text keys;
	bool keyed; /* the row has a key */
};

static void
add_key(struct json_columns *cs, const struct format_options *f,
    const struct column *c, struct json_column *to)
{
	struct text key = {0};

	cells_title(&key, f, c, CELLS_ONE);
	to->key = cs->keys.len;
	text_add_char(&cs->keys, ',');
	add_string(&cs->keys, text_span(&key));
	text_add_char(&cs->keys, ':');
	to->len = cs->keys.len - to->key;
	text_free(&key);
}

/* moments and times of steps: a row of a step has the key of the step */
static bool
has_key(const struct json_columns *cs, const struct table *t)
{
	bool key = false, moment = false, step = false;

	for (size_t i = 0; i < t->column_count; i++) {
		key |= cs->all[i].role == COLUMN_KEY;
		moment |= cs->all[i].role == COLUMN_MOMENT;
		step |= strcmp(t->columns[i].name, "Step") == 0;
	}
	return key && (step || !moment);
}

static void
open_columns(struct json_columns *cs, const struct format_options *f,
    const struct table *t)
{
	text_reserve(&cs->keys, 1);
	cs->all = mem_resize(NULL, t->column_count + 1, sizeof(*cs->all));
	for (size_t i = 0; i < t->column_count; i++) {
		add_key(cs, f, &t->columns[i], &cs->all[i]);
		cs->all[i].role = column_doc_find(t, &t->columns[i])->role;
	}
	cs->keyed = has_key(cs, t);
}

static void
free_columns(struct json_columns *cs)
{
	free(cs->all);
	text_free(&cs->keys);
}

static void
add_column(struct text *b, const struct format_options *f,
    const struct table *t, const struct column *c)
{
	const struct column_doc *doc = column_doc_find(t, c);
	struct text key = {0};

	cells_title(&key, f, c, CELLS_ONE);
	text_add_str(b, "{\"key\":");
	add_string(b, text_span(&key));
	add_member(b, "title", c->name);
	add_member(b, "unit", unit_of(f, c, doc));
	add_member(b, "doc", doc->doc);
	text_add_char(b, '}');
	text_free(&key);
}

void
json_document_report(
    struct text *b, const struct format_options *f, struct table *t, bool first)
{
	text_add_str(b, first ? "\n{\"report\":" : ",\n{\"report\":");
	add_string(b, span_of(t->report));
	add_member(b, "title", t->title != NULL ? t->title : t->report);
	text_add_str(b, ",\"columns\":[");
	for (size_t i = 0; i < t->column_count; i++) {
		text_add_str(b, i > 0 ? ",\n" : "\n");
		add_column(b, f, t, &t->columns[i]);
	}
	text_add_str(b, "],\"rows\":[");
}

/* ---- what stands behind the rows ---- */

static void
add_next(struct text *b, const struct format_options *f, const char *commands)
{
	struct printed_command_input in = {0};
	const char *between = "";
	struct text command = {0};

	if (f->head.operands != NULL && f->head.others == NULL)
		printed_command_input(&in, f->head.operands);
	in.window = f->head.asked;
	text_add_str(b, ",\"next\":[");
	while (commands != NULL && *commands != '\0') {
		size_t n = strcspn(commands, "\n");

		command.len = 0;
		printed_command_add(&command, &in, (struct span){commands, n});
		text_add_str(b, between);
		add_string(b, text_span(&command));
		between = ",";
		commands += n + (commands[n] == '\n');
	}
	text_add_char(b, ']');
	text_free(&command);
	printed_command_input_free(&in);
}

static void
add_base(struct text *b, const struct table *t)
{
	if (t->base == NULL) {
		text_add_str(b, ",\"base\":null");
		return;
	}
	text_add_str(b, ",\"base\":{\"what\":");
	add_string(b, span_of(t->base));
	if (t->base_ns > 0)
		text_printf(b, ",\"ns\":%" PRId64 "}", t->base_ns);
	else
		text_add_str(b, ",\"ns\":null}");
}

void
json_document_report_end(struct text *b, const struct format_options *f,
    const struct table *t, size_t shown, size_t total)
{
	text_printf(b, "],\n\"shown\":%zu,\"total\":%zu", shown, total);
	add_base(b, t);
	add_member(b, "reason", total > 0 ? NULL : t->reason);
	add_next(b, f, t->next);
	text_add_char(b, '}');
}

/* ---- rows ---- */

/* Where s is cut, between two characters. */
static size_t
head_of(struct span s, size_t most)
{
	struct span rest = s;
	size_t end = 0;

	while (rest.len > 0 && s.len - rest.len <= most) {
		end = s.len - rest.len;
		utf8_take(&rest);
	}
	return end;
}

void
json_document_add_row_key(struct text *b, struct span key)
{
	struct text cut = {0};

	text_add_str(b, ",\"row\":");
	if (key.len <= ROW_KEY_MOST) {
		add_string(b, key);
		return;
	}
	text_add(&cut, key.p, head_of(key, ROW_KEY_MOST));
	text_printf(&cut, "~%08" PRIx32, (uint32_t)hash_text(key));
	add_string(b, text_span(&cut));
	text_free(&cut);
}

/* "python (4711)" is another number elsewhere, and 4711 no name */
static struct span
without_id(struct span s)
{
	size_t n = s.len;

	if (n > 0 && s.p[n - 1] == ')')
		n--;
	while (n > 0 && s.p[n - 1] >= '0' && s.p[n - 1] <= '9')
		n--;
	if (n == 0)
		return (struct span){s.p, 0};
	if (s.p[s.len - 1] == ')' && n > 1 && s.p[n - 1] == '(' &&
	    s.p[n - 2] == ' ')
		return (struct span){s.p, n - 2};
	return s;
}

static bool
is_named(const struct column *c, const char *name)
{
	return strcmp(c->name, name) == 0;
}

/* "GPU 0", "rank 3" */
static void
add_number_key(struct text *key, const struct format_options *f,
    const struct column *c, const struct table_cell *cell)
{
	if (is_named(c, "Device") || is_named(c, "DevId"))
		text_add_str(key, "GPU");
	else
		for (const char *p = c->name; *p != '\0'; p++)
			text_add_char(
			    key, *p >= 'A' && *p <= 'Z' ? *p | 0x20 : *p);
	text_add_char(key, ' ');
	cells_add(key, f, c, cell, CELLS_ONE, false);
}

static void
add_cell_key(struct text *key, const struct format_options *f,
    const struct table *t, const struct column *c,
    const struct table_cell *cell)
{
	struct span s;

	if (cell->type == CELL_EMPTY)
		return;
	if (cell->type != CELL_TEXT) {
		text_add_str(key, key->len > 0 ? "/" : "");
		add_number_key(key, f, c, cell);
		return;
	}
	s = table_cell_text(t, cell);
	if (is_named(c, "Process") || is_named(c, "Thread"))
		s = without_id(s);
	if (s.len == 0)
		return;
	text_add_str(key, key->len > 0 ? "/" : "");
	text_add_span(key, s);
}

static void
add_value(struct text *b, const struct format_options *f, const struct table *t,
    const struct column *c, const struct table_cell *cell)
{
	if (cell->type == CELL_TEXT)
		add_string(b, table_cell_text(t, cell));
	else if (!cells_add(b, f, c, cell, CELLS_ONE, false))
		text_add_str(b, "null");
}

static void
add_row(struct text *b, const struct format_options *f,
    const struct json_columns *cs, const struct table *t,
    const struct table_cell *cells, struct text *key)
{
	text_add_char(b, '{');
	key->len = 0;
	for (size_t i = 0; i < t->column_count; i++) {
		const struct json_column *c = &cs->all[i];
		size_t comma = i == 0;

		text_add(b, cs->keys.p + c->key + comma, c->len - comma);
		add_value(b, f, t, &t->columns[i], &cells[i]);
		if (cs->keyed && c->role == COLUMN_KEY)
			add_cell_key(key, f, t, &t->columns[i], &cells[i]);
	}
	if (cs->keyed)
		json_document_add_row_key(b, text_span(key));
	else
		text_add_str(b, ",\"row\":null");
	text_add_char(b, '}');
}

void
json_document_table(struct output *o, const struct format_options *f,
    struct table *t, bool first)
{
	struct json_columns cs = {0};
	struct text key = {0};

	json_document_report(&o->buf, f, t, first);
	open_columns(&cs, f, t);
	for (size_t row = 0; row < table_shown(t); row++) {
		text_add_str(&o->buf, row > 0 ? ",\n" : "\n");
		add_row(&o->buf, f, &cs, t, table_row(t, row), &key);
		output_check(o);
	}
	json_document_report_end(&o->buf, f, t, table_shown(t), table_rows(t));
	free_columns(&cs);
	text_free(&key);
}
