/* rpd.h - a recording of rocmProfileData, while it becomes records */
#ifndef RPD_H
#define RPD_H

#include "rpd_tables.h"
#include "source.h"
#include "sqlite/row_source.h"
#include "tq/base/intern.h"
#include "write/record_values.h"

/*
 * The number of rows of a table by their fate:
 * rows = records + outside + unwanted + no_start + no_number.
 */
struct rpd_counts {
	int64_t rows, records;
	int64_t outside, unwanted;   /* of the window; of the kinds */
	int64_t no_start, no_number; /* lost */
};

/* a recording that is read */
struct rpd {
	const struct database *db;
	const struct source_settings *settings;
	struct output *out, *frames; /* see struct source_input */
	struct row_writer writer;
	struct record_values record;
	struct table_layout layouts[RPD_TABLES];
	struct rpd_counts counts[RPD_TABLES];
	int64_t origin, pid, several; /* pid: of the first call */
	struct intern kernels, counters;
	struct text tables; /* see rpd_tables_find */
	struct text text;
};

/* Write the record of the current row of a table. */
void rpd_rows_write(
    struct rpd *r, enum rpd_rows table, struct row_source *rows);

/* The integer in a column; INT64_MIN for anything else. */
static inline int64_t
rpd_int(const struct sql_value *v)
{
	return v->type == SQL_INT ? v->i : INT64_MIN;
}

static inline void
rpd_put(struct rpd *r, enum key key, const struct sql_value *v)
{
	if (v->type == SQL_INT)
		record_values_int(&r->record, key, v->i);
}

#endif
