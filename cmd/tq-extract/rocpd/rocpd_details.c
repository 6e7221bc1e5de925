/* rocpd_details.c - rows that belong to an event */

#include <stdlib.h>

#include "rocpd_details.h"

/* rows to go on to before it is quicker to search */
enum { NEAR_ROWS = 256 };

/* ---- the table ---- */

/* copies of the names that the table has */
static void
choose_columns(struct rocpd_details *d, const char *columns)
{
	struct name_list has = database_names(
	    d->db, database_prepare(d->db,
		       "SELECT name FROM pragma_table_info(%Q)", d->name));

	for (int i = 0; *columns != '\0'; i++) {
		size_t n = strcspn(columns, " ");
		char *name = mem_copy(columns, n);

		d->value[i] = -1;
		if (name_list_find(&has, name) >= 0) {
			d->value[i] = d->layout.row.count;
			d->columns[d->layout.row.count++] = name;
		} else
			free(name);
		columns += n + (columns[n] == ' ');
	}
	name_list_free(&has);
}

/* count the rows; true if their ids ascend */
static bool
count_rows(struct rocpd_details *d)
{
	struct table_layout ids;
	struct row_formats formats = {0};
	int64_t before = INT64_MIN, id;
	struct row_source rows;
	bool ascends = true;

	d->rows = 0;
	row_source_layout(&ids, d->db, d->name, &d->columns[d->value[0]], 1);
	row_format_open(&formats, &ids.row, 0);
	row_source_open(&rows, d->db, &ids, &formats, NULL, 0);
	while (row_source_next(&rows)) {
		if (!row_source_int(&rows, 0, &id))
			id = ROCPD_NONE;
		ascends &= id >= before;
		before = id;
		d->last = rows.row.bytes->rowid;
		d->rows++;
	}
	row_source_close(&rows);
	row_format_close(&formats);
	return ascends;
}

static void
prepare(struct rocpd_details *d)
{
	char **columns = d->columns;
	int count = d->layout.row.count;

	row_source_layout(&d->layout, d->db, d->name, columns, count);
	row_format_open(&d->formats, &d->layout.row, 0);
}

/* read a sorted copy instead */
static void
sort(struct rocpd_details *d)
{
	char *copy = database_sql("%s sorted", d->name);
	char *sql = database_sql("CREATE TEMP TABLE \"%w\" AS SELECT * "
				 "FROM \"%w\" ORDER BY \"%w\", rowid",
	    copy, d->name, d->columns[d->value[0]]);

	if (sqlite3_exec(d->db->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
		database_fail(d->db);
	sqlite3_free(sql);
	sqlite3_free(d->name);
	d->name = copy;
	row_format_close(&d->formats);
	d->formats = (struct row_formats){0};
	prepare(d);
	count_rows(d);
}

void
rocpd_details_open(struct rocpd_details *d, const struct rocpd_ids *ids,
    const char *table, const char *columns)
{
	*d = (struct rocpd_details){.db = ids->db};
	d->table = database_sql("rocpd_%s%s", table, ids->suffix);
	d->name = database_sql("%s", d->table);
	choose_columns(d, columns);
	if (d->value[0] < 0) {
		rocpd_details_free(d);
		*d = (struct rocpd_details){.db = ids->db};
		return;
	}
	prepare(d);
	if (!d->layout.has_rowid || !count_rows(d))
		sort(d);
}

void
rocpd_details_free(struct rocpd_details *d)
{
	for (int i = 0; i < d->layout.row.count; i++)
		free(d->columns[i]);
	row_format_close(&d->formats);
	sqlite3_free(d->name);
	sqlite3_free(d->table);
}

/* ---- a reader ---- */

/* note the id of the current row, if there is one */
static bool
arrive(struct rocpd_details_reader *r, bool found)
{
	r->found = found;
	if (!found)
		return false;
	if (r->of->layout.row.alias == r->of->value[0])
		r->key = r->rows.row.bytes->rowid;
	else
		r->key = rocpd_details_int(r, 0);
	return true;
}

static bool
seek(struct rocpd_details_reader *r, int64_t rowid)
{
	return arrive(r, row_source_seek(&r->rows, rowid));
}

static bool
step(struct rocpd_details_reader *r)
{
	return arrive(r, row_source_next(&r->rows));
}

/* go to the first row whose id is at least id */
static void
search(struct rocpd_details_reader *r, int64_t id)
{
	int64_t low, high = r->of->last;

	if (r->of->layout.row.alias == r->of->value[0]) {
		seek(r, id);
		return;
	}
	if (!seek(r, INT64_MIN))
		return;
	low = r->rows.row.bytes->rowid;
	while (low < high) {
		uint64_t room = (uint64_t)high - (uint64_t)low;
		int64_t middle = low + (int64_t)(room / 2);

		if (!seek(r, middle) || r->key >= id)
			high = middle;
		else
			low = r->rows.row.bytes->rowid + 1;
	}
	seek(r, low);
}

static void
open_reader(struct rocpd_details_reader *r, struct rocpd_details *of)
{
	row_source_open(&r->rows, of->db, &of->layout, &of->formats, NULL, 0);
	r->of = of;
	r->open = true;
	r->asked = INT64_MAX;
}

bool
rocpd_details_find(
    struct rocpd_details_reader *r, struct rocpd_details *of, int64_t id)
{
	if (of->rows == 0 || id == ROCPD_NONE)
		return false;
	if (!r->open)
		open_reader(r, of);
	/* rows before the current one have ids up to the one looked up last */
	if (id <= r->asked) {
		search(r, id);
	} else {
		for (int i = 0; r->found && r->key < id && i < NEAR_ROWS; i++)
			step(r);
		if (r->found && r->key < id)
			search(r, id);
	}
	r->asked = id;
	return r->found && r->key == id;
}

bool
rocpd_details_next(struct rocpd_details_reader *r)
{
	int64_t key = r->key;

	return step(r) && r->key == key;
}

void
rocpd_details_close(struct rocpd_details_reader *r)
{
	if (r->open)
		row_source_close(&r->rows);
}

struct sql_value
rocpd_details_value(struct rocpd_details_reader *r, int column)
{
	int i = r->of->value[column];

	return i >= 0 ? row_source_values(&r->rows)[i]
		      : (struct sql_value){SQL_NULL};
}

int64_t
rocpd_details_int(struct rocpd_details_reader *r, int column)
{
	int64_t v;

	return row_source_int(&r->rows, r->of->value[column], &v) ? v
								  : ROCPD_NONE;
}
