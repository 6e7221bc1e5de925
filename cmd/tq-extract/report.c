/* report.c - what --check says of an export */

#include <inttypes.h>
#include <stdio.h>

#include "report.h"

const char *
report_reason(enum loss loss)
{
	static const char *const reasons[] = {
	    [LOSS_NO_TIME] = "no start time",
	    [LOSS_TIME_RANGE] = "time does not fit 64 bits",
	};

	return reasons[loss];
}

static int64_t
lost_rows(const struct table *t)
{
	int64_t n = 0;

	for (int i = LOSS_NONE + 1; i < LOSS_COUNT; i++)
		n += t->lost[i];
	return n;
}

int64_t
report_lost(const struct table *tables, size_t count)
{
	int64_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += lost_rows(&tables[i]);
	return n;
}

static void
print_tables(const struct table *tables, size_t count)
{
	printf("  %-38s %-10s %10s %10s %8s\n", "table", "kind", "rows",
	    "records", "dropped");
	for (size_t i = 0; i < count; i++) {
		const struct table *t = &tables[i];

		printf("  %-38s %-10s %10" PRId64 " %10" PRId64 " %8" PRId64,
		    t->name, schema_kinds[t->map->kind].name, t->rows,
		    t->records, lost_rows(t));
		for (int k = LOSS_NONE + 1; k < LOSS_COUNT; k++)
			if (t->lost[k] > 0)
				printf("  %" PRId64 " %s", t->lost[k],
				    report_reason((enum loss)k));
		if (t->others > 0 && t->map->other != NULL)
			printf("  (%" PRId64 " other rows: %s)", t->others,
			    t->map->other);
		if (t->outside > 0)
			printf("  (%" PRId64 " outside of the window)",
			    t->outside);
		putchar('\n');
	}
}

/* name a list, a word at a time, under a headline that comes with the first */
static void
print_word(const char *headline, const char *word, bool *any)
{
	printf("%s%s", *any ? ", " : headline, word);
	*any = true;
}

static bool
is_read(const struct table *tables, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (sqlite3_stricmp(tables[i].name, name) == 0)
			return true;
	return false;
}

static void
print_absent(const struct table *tables, size_t count, uint64_t kinds)
{
	bool any = false;

	for (size_t m = 0; m < nsys_table_count; m++) {
		bool found = false;

		for (size_t i = 0; i < count; i++)
			found |= strcmp(tables[i].map->table,
				     nsys_tables[m].table) == 0;
		if (!(kinds >> nsys_tables[m].kind & 1) ||
		    (nsys_tables[m].other == NULL &&
			nsys_tables[m].filter != NULL))
			continue; /* not asked for, or read elsewhere */
		if (!found)
			print_word("  absent: ", nsys_tables[m].table, &any);
	}
	if (any)
		putchar('\n');
}

static void
print_not_read(
    struct nsys *x, const struct table *tables, size_t count, uint64_t kinds)
{
	sqlite3_stmt *st = database_prepare(&x->db,
	    "SELECT name FROM sqlite_master WHERE type = 'table' "
	    "ORDER BY name");
	bool any = false;

	while (st != NULL && database_step(&x->db, st)) {
		struct span name = database_text(st, 0);
		struct text word = {0};
		int64_t rows;

		if (nsys_support_table(name.p) ||
		    is_read(tables, count, name.p) ||
		    (kinds != UINT64_MAX && nsys_event_table(name.p)))
			continue;
		rows = database_int(&x->db, 0,
		    database_prepare(
			&x->db, "SELECT count(*) FROM \"%w\"", name.p));
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
			printf("%s%.*s", any ? ", " : "  columns not known: ",
			    (int)tables[i].unknown.len, tables[i].unknown.p);
			any = true;
		}
	if (any)
		putchar('\n');
}

/* its messages, warnings and worse in full */
static void
print_diagnostics(struct nsys *x)
{
	sqlite3_stmt *st = database_prepare(&x->db,
	    "SELECT severity, text FROM DIAGNOSTIC_EVENT "
	    "WHERE severity IN (2, 3) OR text LIKE '%%drop%%' "
	    "OR text LIKE '%%lost%%' ORDER BY timestamp");

	while (st != NULL && database_step(&x->db, st)) {
		struct span text = database_text(st, 1);
		int severity = sqlite3_column_int(st, 0);

		printf("  producer: %s: ", severity == 3   ? "error"
					   : severity == 2 ? "warning"
							   : "info");
		for (size_t i = 0; i < text.len; i++)
			putchar(
			    (unsigned char)text.p[i] < ' ' ? ' ' : text.p[i]);
		putchar('\n');
	}
	sqlite3_finalize(st);
}

void
report_print(
    struct nsys *x, const struct table *tables, size_t count, uint64_t kinds)
{
	printf("%s: nsys %.*s, schema %.*s\n", x->db.name,
	    x->version.len > 0 ? (int)x->version.len : 7,
	    x->version.len > 0 ? x->version.p : "unknown",
	    x->schema.len > 0 ? (int)x->schema.len : 7,
	    x->schema.len > 0 ? x->schema.p : "unknown");
	print_tables(tables, count);
	print_absent(tables, count, kinds);
	print_not_read(x, tables, count, kinds);
	if (x->bad_bytes > 0)
		printf("  replaced: %" PRId64 " bytes that were no UTF-8\n",
		    x->bad_bytes);
	if (x->odd_values > 0)
		printf("  left out: %" PRId64 " values of a type that their "
		       "column does not have\n",
		    x->odd_values);
	print_diagnostics(x);
	printf("  %" PRId64 " records, %" PRId64 " rows dropped\n",
	    x->out->lines, report_lost(tables, count));
}
