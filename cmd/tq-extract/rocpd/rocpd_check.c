/* rocpd_check.c - the report of --check on a rocpd database */

#include <inttypes.h>
#include <stdio.h>

#include "rocpd.h"
#include "tq/evidence/evidence.h"
#include "tq/show/col.h"
#include "tq/show/escape.h"

const char *
rocpd_check_reason(enum rocpd_fate lost)
{
	return lost == FATE_NO_START    ? "no start"
	       : lost == FATE_ZERO_TIME ? EVIDENCE_NO_TIME
	       : lost == FATE_BACKWARD  ? EVIDENCE_BACKWARD
					: "time does not fit 64 bits";
}

static int64_t
lost_of_table(const struct rocpd_table *t)
{
	int64_t n = 0;

	for (int f = FATE_LOST; f < FATES; f++)
		n += t->fates[f];
	return n;
}

static int64_t
records_of_table(const struct rocpd_table *t)
{
	int64_t n = 0;

	for (enum kind k = 0; k < KIND_COUNT; k++)
		n += t->records[k];
	return n;
}

int64_t
rocpd_check_lost(const struct rocpd *r)
{
	int64_t n = 0;

	for (size_t i = 0; i < r->names.count; i++) {
		const struct rocpd_suffix *s = &r->suffixes[i];

		for (int k = 0; k < ROCPD_TABLES; k++)
			n += lost_of_table(&s->tables[k]);
		if ((r->settings->kinds >> KIND_counter & 1) != 0)
			n += s->not_numbers + s->without_event;
	}
	return n;
}

int64_t
rocpd_check_rows(const struct rocpd *r)
{
	int64_t n = 0;

	for (size_t i = 0; i < r->names.count; i++)
		for (int k = 0; k < ROCPD_TABLES; k++)
			n += r->suffixes[i].tables[k].fates[FATE_RECORD];
	return n;
}

/* ---- a line for each table ---- */

/* a row, and free its reasons */
static void
count_row(struct table *t, const char *name, int64_t rows, int64_t records,
    int64_t folded, int64_t lost, int64_t not_read, struct text *reasons)
{
	col_text(t, "table", span_of(name));
	col_int(t, "rows", UNIT_NONE, rows);
	col_int(t, "records", UNIT_NONE, records);
	col_int(t, "folded", UNIT_NONE, folded);
	col_int(t, "lost", UNIT_NONE, lost);
	col_int(t, "not read", UNIT_NONE, not_read);
	col_text(t, "", text_span(reasons));
	text_free(reasons);
}

/* A reason ends with blanks. */
static void
add_reason(struct text *t, int64_t count, const char *reason)
{
	if (count > 0)
		text_printf(t, "%" PRId64 " %s  ", count, reason);
}

static void
add_table(struct table *to, const struct rocpd_table *t)
{
	int64_t lost = lost_of_table(t);
	int64_t not_read = t->fates[FATE_OUTSIDE] + t->fates[FATE_UNWANTED];
	struct text reasons = {0};

	if (t->name == NULL)
		return;
	for (enum kind k = 0; k < KIND_COUNT; k++)
		add_reason(&reasons, t->records[k], schema_kinds[k].name);
	for (int f = FATE_LOST; f < FATES; f++)
		add_reason(&reasons, t->fates[f],
		    rocpd_check_reason((enum rocpd_fate)f));
	add_reason(&reasons, t->fates[FATE_OUTSIDE], "outside of the window");
	add_reason(&reasons, t->fates[FATE_UNWANTED], "of other kinds");
	count_row(to, t->table,
	    t->fates[FATE_RECORD] + t->fates[FATE_OUTSIDE] + lost,
	    records_of_table(t), t->fates[FATE_FOLDED], lost, not_read,
	    &reasons);
}

static void
add_suffix(struct table *t, const struct rocpd *r, const struct rocpd_suffix *s)
{
	bool counters = (r->settings->kinds >> KIND_counter & 1) != 0;
	int64_t lost = counters ? s->not_numbers + s->without_event : 0;
	struct text reasons = {0};

	for (int k = 0; k < ROCPD_TABLES; k++)
		add_table(t, &s->tables[k]);
	if (s->counters.name != NULL) {
		add_reason(&reasons, s->value_records, "counter");
		add_reason(
		    &reasons, counters ? s->not_numbers : 0, "not a number");
		add_reason(
		    &reasons, counters ? s->without_event : 0, "no event");
		count_row(t, s->counters.table, s->counters.rows,
		    s->value_records, 0, lost,
		    s->counters.rows - s->value_records - lost, &reasons);
	}
	if (s->args.name != NULL) {
		/* calls with one event have its arguments each */
		int64_t folded =
		    s->arguments < s->args.rows ? s->arguments : s->args.rows;

		count_row(t, s->args.table, s->args.rows, 0, folded, 0,
		    s->args.rows - folded, &reasons);
	}
}

/* ---- tables that are not read ---- */

/* true for a table of the suffix that is read, or whose rows others refer to */
static bool
is_of_suffix(struct span name, struct span suffix)
{
	static const char *const others[] = {"metadata", "string", "track",
	    "event", "arg", "pmc_event", "timestamp"};

	if (!span_ends(name, suffix))
		return false;
	name.len -= suffix.len;
	if (span_begins(name, SPAN("info_")))
		return true;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (span_eq(name, span_of(others[i])))
			return true;
	for (int k = 0; k < ROCPD_TABLES; k++)
		if (span_eq(
			name, span_of(rocpd_tables_base((enum rocpd_rows)k))))
			return true;
	return false;
}

static bool
is_read(const struct rocpd *r, const char *name)
{
	for (size_t i = 0; i < r->names.count; i++)
		if (is_of_suffix(span_of(name + strlen("rocpd_")),
			span_of(r->names.all[i])))
			return true;
	return false;
}

static void
add_not_read(struct table *t, const struct rocpd *r)
{
	struct name_list names = database_names(r->db,
	    database_prepare(r->db,
		"SELECT name FROM main.sqlite_master WHERE type = 'table' "
		"AND name GLOB 'rocpd_*' ORDER BY name"));

	for (size_t i = 0; i < names.count; i++) {
		int64_t rows;

		if (is_read(r, names.all[i]))
			continue;
		rows = database_int(r->db, 0,
		    database_prepare(
			r->db, "SELECT count(*) FROM \"%w\"", names.all[i]));
		if (rows == 0)
			continue;
		count_row(
		    t, names.all[i], rows, 0, 0, 0, rows, &(struct text){0});
	}
	name_list_free(&names);
}

void
rocpd_check(const struct rocpd *r, struct check_sheet *s)
{
	static const char *const notes[ROCPD_NOTES] = {
	    [NOTE_BROKEN] = "values of extdata are no JSON, and were not read",
	    [NOTE_BLOB] = "values of extdata are compressed, and were not read",
	    [NOTE_NEGATIVE] = "rows end before they start",
	};
	struct text schema = rocpd_definitions_schema(r), source = {0};
	struct table t = {0};

	text_add_str(&source, "rocpd, schema ");
	text_add_span(&source, text_span(&schema));
	check_sheet_source(s, r->db->name, text_span(&source));
	text_free(&schema);
	text_free(&source);
	col_heading(&t, count_row, "", 0, 0, 0, 0, 0, &(struct text){0});
	for (size_t i = 0; i < r->names.count; i++)
		add_suffix(&t, r, &r->suffixes[i]);
	add_not_read(&t, r);
	check_sheet_table(s, "tables", &t);
	for (int i = 0; i < ROCPD_NOTES; i++)
		if (r->notes[i] > 0)
			check_sheet_count(s, "note", r->notes[i], notes[i]);
	if (r->writer.bad_bytes > 0)
		check_sheet_count(s, "note", r->writer.bad_bytes,
		    "bytes were no UTF-8, and replaced");
	check_sheet_sum(
	    s, r->frames->lines, "records", rocpd_check_lost(r), ROWS_DROPPED);
}
