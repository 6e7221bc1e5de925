/* check_report.c - the report of --check */

#include <inttypes.h>
#include <stdio.h>

#include "check_report.h"
#include "event_store.h"
#include "source.h"
#include "tq/evidence/evidence.h"
#include "tq/show/col.h"
#include "tq/show/escape.h"

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
print_tables(const struct event_table *tables, size_t count)
{
	struct table t = {0};

	col_heading(&t, count_row, "", "", &(struct event_table){0});
	for (size_t i = 0; i < count; i++)
		count_row(&t, tables[i].name,
		    schema_kinds[tables[i].map->kind].name, &tables[i]);
	source_print_table(&t);
}

/* print a list word by word, the headline with the first */
static void
print_word(const char *headline, const char *word, bool *any)
{
	fputs(*any ? ", " : headline, stdout);
	escape_print(stdout, span_of(word));
	*any = true;
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
print_absent(const struct event_table *tables, size_t count, uint64_t kinds)
{
	bool any = false;

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
			print_word(
			    "  absent: ", nsys_map_tables[m].table, &any);
	}
	if (any)
		putchar('\n');
}

static void
print_not_read(struct nsys *x, const struct event_table *tables, size_t count,
    uint64_t kinds)
{
	sqlite3_stmt *st = database_prepare(x->db,
	    "SELECT name FROM sqlite_master WHERE type = 'table' "
	    "ORDER BY name");
	bool any = false;

	while (st != NULL && database_step(x->db, st)) {
		struct span name = database_text(st, 0);
		struct text word = {0};
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
		text_printf(&word, "%s (%" PRId64 " rows)%c", name.p, rows, 0);
		print_word("  not read: ", word.p, &any);
		text_free(&word);
	}
	sqlite3_finalize(st);
	if (any)
		putchar('\n');
	any = false;
	for (size_t i = 0; i < count; i++)
		if (tables[i].unknown.len > 0) {
			fputs(any ? ", " : "  columns not known: ", stdout);
			escape_print(stdout, text_span(&tables[i].unknown));
			any = true;
		}
	if (any)
		putchar('\n');
}

/* the messages of nsys; below a warning, only messages on losses */
static void
print_diagnostics(struct nsys *x)
{
	sqlite3_stmt *st = database_prepare(x->db,
	    "SELECT severity, text FROM DIAGNOSTIC_EVENT "
	    "WHERE severity IN (2, 3) OR text LIKE '%%drop%%' "
	    "OR text LIKE '%%lost%%' ORDER BY timestamp");

	while (st != NULL && database_step(x->db, st)) {
		struct span text = database_text(st, 1);
		int severity = sqlite3_column_int(st, 0);

		printf("  producer: %s: ", severity == 3   ? "error"
					   : severity == 2 ? "warning"
							   : "info");
		escape_print(stdout, text);
		putchar('\n');
	}
	sqlite3_finalize(st);
}

static void
print_known(const char *before, struct span s)
{
	fputs(before, stdout);
	escape_print(stdout, s.len > 0 ? s : SPAN("unknown"));
}

void
check_report_print(const struct row_writer *w, const struct event_table *tables,
    size_t count, uint64_t kinds)
{
	struct nsys *x = w->x;
	int64_t bad = x->strings.bad_bytes + w->bad_bytes, lost;

	escape_print(stdout, span_of(x->db->name));
	print_known(": nsys ", text_span(&x->version));
	print_known(", schema ", text_span(&x->schema));
	putchar('\n');
	print_tables(tables, count);
	if (x->db->store != NULL)
		x->db->store->check(x->db->store);
	print_absent(tables, count, kinds);
	print_not_read(x, tables, count, kinds);
	if (bad > 0)
		printf(
		    "  replaced: %" PRId64 " bytes that were no UTF-8\n", bad);
	if (w->odd_values > 0)
		printf("  left out: %" PRId64 " values of a type that their "
		       "column does not have\n",
		    w->odd_values);
	print_diagnostics(x);
	lost = check_report_lost(tables, count);
	if (x->db->store != NULL)
		lost += x->db->store->lost;
	printf("  %" PRId64 " records, %" PRId64 " rows dropped\n",
	    x->out->lines, lost);
}
