/* check_report.c - the report of --check */

#include <inttypes.h>

#include "check_report.h"
#include "event_store.h"
#include "source.h"
#include "tq/evidence/evidence.h"
#include "tq/show/col.h"

const char *
check_report_reason(enum row_is lost)
{
	return lost == ROW_NO_TIME     ? "no start time"
	       : lost == ROW_ZERO_TIME ? EVIDENCE_NO_TIME
	       : lost == ROW_BACKWARD  ? EVIDENCE_BACKWARD
				       : "time does not fit 64 bits";
}

int64_t
check_report_lost(const struct event_table *tables, size_t count)
{
	int64_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += event_table_lost(&tables[i]);
	return n;
}

/* what became of rows that are no records; each ends with blanks */
static void
add_fates(struct text *s, const struct event_table *t)
{
	int64_t others = t->rows[ROW_OTHER], outside = t->rows[ROW_OUTSIDE];

	for (int k = ROW_LOST; k < ROW_IS_COUNT; k++)
		if (t->rows[k] > 0)
			text_printf(s, "%" PRId64 " %s  ", t->rows[k],
			    check_report_reason((enum row_is)k));
	if (others > 0 && t->map->other != NULL)
		text_printf(
		    s, "(%" PRId64 " other rows: %s)  ", others, t->map->other);
	if (outside > 0)
		text_printf(s, "(%" PRId64 " outside of the window)", outside);
}

static void
count_row(struct table *rows, const char *name, const char *kind,
    const struct event_table *t)
{
	struct text fates = {0};

	add_fates(&fates, t);
	col_text(rows, "table", span_of(name));
	col_text(rows, "kind", span_of(kind));
	col_int(rows, "rows", UNIT_NONE, event_table_rows(t));
	col_int(rows, "records", UNIT_NONE, t->record.records);
	col_int(rows, "dropped", UNIT_NONE, event_table_lost(t));
	col_text(rows, "", text_span(&fates));
	text_free(&fates);
}

static void
write_tables(
    struct check_sheet *s, const struct event_table *tables, size_t count)
{
	struct table t = {0};

	col_heading(&t, count_row, "", "", &(struct event_table){0});
	for (size_t i = 0; i < count; i++)
		count_row(&t, tables[i].name,
		    schema_kinds[tables[i].map->kind].name, &tables[i]);
	check_sheet_table(s, "tables", &t);
}

static void
add_word(struct text *list, struct span word)
{
	if (list->len > 0)
		text_add_str(list, ", ");
	text_add_span(list, word);
}

/* write a list, which is freed, unless it is empty */
static void
write_list(struct check_sheet *s, const char *note, struct text *list)
{
	if (list->len > 0)
		check_sheet_text(s, note, text_span(list));
	text_free(list);
}

static bool
is_read(const struct event_table *tables, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (sqlite3_stricmp(tables[i].name, name) == 0)
			return true;
	return false;
}

static void
write_absent(struct check_sheet *s, const struct event_table *tables,
    size_t count, uint64_t kinds)
{
	struct text list = {0};

	for (size_t m = 0; m < nsys_map_count; m++) {
		bool found = false;

		for (size_t i = 0; i < count; i++)
			found |= strcmp(tables[i].map->table,
				     nsys_map_tables[m].table) == 0;
		if (!(kinds >> nsys_map_tables[m].kind & 1) ||
		    (nsys_map_tables[m].other == NULL &&
			nsys_map_tables[m].filter != NULL))
			continue; /* not chosen, or another map reads it */
		if (!found)
			add_word(&list, span_of(nsys_map_tables[m].table));
	}
	write_list(s, "absent", &list);
}

static void
write_not_read(struct check_sheet *s, struct nsys *x,
    const struct event_table *tables, size_t count, uint64_t kinds)
{
	sqlite3_stmt *st = database_prepare(x->db,
	    "SELECT name FROM sqlite_master WHERE type = 'table' "
	    "ORDER BY name");
	struct text list = {0};

	while (st != NULL && database_step(x->db, st)) {
		struct span name = database_text(st, 0);
		int64_t rows;

		if (nsys_map_is_support_table(name.p) ||
		    is_read(tables, count, name.p) ||
		    (kinds != UINT64_MAX && nsys_map_is_event_table(name.p)))
			continue;
		rows = database_int(x->db, 0,
		    database_prepare(
			x->db, "SELECT count(*) FROM \"%w\"", name.p));
		if (rows == 0)
			continue;
		add_word(&list, name);
		text_printf(&list, " (%" PRId64 " rows)", rows);
	}
	sqlite3_finalize(st);
	write_list(s, "not read", &list);
	for (size_t i = 0; i < count; i++)
		if (tables[i].unknown.len > 0)
			add_word(&list, text_span(&tables[i].unknown));
	write_list(s, "columns not known", &list);
}

/* the messages of nsys; below a warning, only messages on losses */
static void
write_diagnostics(struct check_sheet *s, struct nsys *x)
{
	sqlite3_stmt *st = database_prepare(x->db,
	    "SELECT severity, text FROM DIAGNOSTIC_EVENT "
	    "WHERE severity IN (2, 3) OR text LIKE '%%drop%%' "
	    "OR text LIKE '%%lost%%' ORDER BY timestamp");
	struct text message = {0};

	while (st != NULL && database_step(x->db, st)) {
		int severity = sqlite3_column_int(st, 0);

		message.len = 0;
		text_add_str(&message, severity == 3   ? "error: "
				       : severity == 2 ? "warning: "
						       : "info: ");
		text_add_span(&message, database_text(st, 1));
		check_sheet_text(s, "producer", text_span(&message));
	}
	sqlite3_finalize(st);
	text_free(&message);
}

static struct span
known(const struct text *s)
{
	return s->len > 0 ? text_span(s) : SPAN("unknown");
}

static void
write_source(struct check_sheet *s, const struct nsys *x)
{
	struct text source = {0};

	text_add_str(&source, "nsys ");
	text_add_span(&source, known(&x->version));
	text_add_str(&source, ", schema ");
	text_add_span(&source, known(&x->schema));
	check_sheet_source(s, x->db->name, text_span(&source));
	text_free(&source);
}

void
check_report_write(const struct row_writer *w, const struct event_table *tables,
    size_t count, uint64_t kinds, struct check_sheet *s)
{
	struct nsys *x = w->x;
	int64_t bad = x->strings.bad_bytes + w->bad_bytes, lost;

	write_source(s, x);
	write_tables(s, tables, count);
	if (x->db->store != NULL)
		x->db->store->check(x->db->store, s);
	write_absent(s, tables, count, kinds);
	write_not_read(s, x, tables, count, kinds);
	if (bad > 0)
		check_sheet_count(
		    s, "replaced", bad, "bytes that were no UTF-8");
	if (w->odd_values > 0)
		check_sheet_count(s, "left out", w->odd_values,
		    "values of a type that their column does not have");
	write_diagnostics(s, x);
	lost = check_report_lost(tables, count);
	if (x->db->store != NULL)
		lost += x->db->store->lost;
	check_sheet_sum(s, x->out->lines, "records", lost, ROWS_DROPPED);
}
