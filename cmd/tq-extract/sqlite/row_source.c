/* row_source.c - the rows of a table, read by btree.h or by SQLite */

#include <err.h>
#include <stdlib.h>

#include "row_source.h"
#include "slot_row.h"
#include "tq/base/mem.h"

/* up to so many rows, reading on beats a seek */
enum { FAR = 256 };

/* ---- the layout of a table ---- */

/*
 * Find the columns that are read in the rows of the file.  False where a row
 * may lack some: behind generated columns, and columns with a default that are
 * read, which rows older than the column do not have.
 */
static bool
place_columns(struct table_layout *l, const struct database *db)
{
	struct row_layout *row = &l->row;
	sqlite3_stmt *st = database_prepare(db,
	    "SELECT name, upper(type), dflt_value, pk, hidden, "
	    "(SELECT count(*) FROM pragma_table_info(%Q) WHERE pk > 0) "
	    "FROM pragma_table_xinfo(%Q) ORDER BY cid",
	    l->table, l->table);
	bool plain = true;
	int col = 0;

	for (; st != NULL && database_step(db, st); col++) {
		const char *name = database_text(st, 0).p;
		bool alias = sqlite3_column_int(st, 3) == 1 &&
			     sqlite3_column_int(st, 5) == 1 &&
			     span_eq(database_text(st, 1), SPAN("INTEGER"));
		bool whole =
		    sqlite3_column_type(st, 2) == SQLITE_NULL || db->whole_rows;

		plain &= col < ROW_COLUMNS && sqlite3_column_int(st, 4) == 0;
		if (!plain)
			break;
		row->slots[col] = -1;
		for (int i = 0; i < row->count; i++) {
			if (sqlite3_stricmp(l->columns[i], name) != 0)
				continue;
			plain &= whole;
			/* an alias of the rowid is not stored */
			if (alias)
				row->alias = i;
			else {
				row->slots[col] = (short)i;
				row->width = col + 1;
			}
		}
	}
	sqlite3_finalize(st);
	return plain && col > 0;
}

enum { VIEW = -1 }; /* in place of the page of a root */

void
row_source_layout(struct table_layout *l, const struct database *db,
    const char *table, char **columns, int count)
{
	int64_t root = database_int(db, 0,
	    database_prepare(db,
		"SELECT CASE type WHEN 'table' THEN rootpage ELSE %d END "
		"FROM main.sqlite_master "
		"WHERE type IN ('table', 'view') AND name = %Q",
		VIEW, table));
	sqlite3_stmt *st;

	if (root == 0)
		root = database_int(db, 0,
		    database_prepare(db,
			"SELECT %d FROM temp.sqlite_master "
			"WHERE type = 'view' AND name = %Q",
			VIEW, table));
	*l = (struct table_layout){.table = table,
	    .columns = columns,
	    .row = {.count = count, .alias = -1, .rowid = -1}};
	for (int i = 0; i < count; i++)
		if (strcmp(columns[i], "rowid") == 0)
			l->row.rowid = i;
	/* of a view it is NULL, or an error, as SQLite was compiled */
	st = root == VIEW
		 ? NULL
		 : database_prepare(db, "SELECT rowid FROM \"%w\"", table);
	l->has_rowid = st != NULL;
	sqlite3_finalize(st);
	if (root > 0 && root <= UINT32_MAX && db->direct.fd >= 0 &&
	    count < 127 && place_columns(l, db))
		l->root = (uint32_t)root;
}

/* ---- rows ---- */

static const struct rowids all_rowids = {INT64_MIN, INT64_MAX};

/* order is an ORDER BY clause, or NULL for intervals that are bound later */
static sqlite3_stmt *
prepare(
    const struct database *db, const struct table_layout *l, const char *order)
{
	/* rows without a number get one: those of a view */
	const char *rowid = l->has_rowid ? "rowid" : "row_number() OVER ()";
	struct text sql = {0};
	sqlite3_stmt *st;

	text_add_str(&sql, "SELECT ");
	text_add_str(&sql, rowid);
	for (int i = 0; i < l->row.count; i++) {
		char *column = i != l->row.rowid
				   ? database_sql(", \"%w\"", l->columns[i])
				   : database_sql(", %s", rowid);

		text_add_str(&sql, column);
		sqlite3_free(column);
	}
	text_add_char(&sql, '\0');
	if (order == NULL)
		order = l->has_rowid ? "WHERE rowid BETWEEN ?1 AND ?2 "
				       "ORDER BY rowid"
				     : "";
	st = database_prepare(db, "%s FROM \"%w\" %s", sql.p, l->table, order);
	text_free(&sql);
	if (st == NULL)
		database_fail(db);
	return st;
}

static void
bind_rowids(struct row_source *s)
{
	sqlite3_reset(s->st);
	sqlite3_bind_int64(s->st, 1, s->current->first);
	sqlite3_bind_int64(s->st, 2, s->current->last);
}

static void
prepare_values(struct row_source *s, const struct database *db,
    const struct table_layout *l)
{
	*s = (struct row_source){.db = db, .layout = l};
	row_init(&s->row);
	s->values = mem_alloc((size_t)(l->row.count + 1) * sizeof(*s->values));
}

void
row_source_open(struct row_source *s, const struct database *db,
    const struct table_layout *l, struct row_formats *formats,
    const struct rowids *intervals, size_t count)
{
	prepare_values(s, db, l);
	s->formats = formats;
	s->current = intervals != NULL ? intervals : &all_rowids;
	s->end = s->current + (intervals != NULL ? count : 1);
	if (l->root != 0) {
		if (btree_open(&s->btree, &db->direct, l->root)) {
			btree_seek(&s->btree, s->current->first);
			return;
		}
		btree_close(&s->btree);
	}
	s->sqlite = true;
	s->st = prepare(db, l, NULL);
	bind_rowids(s);
}

void
row_source_open_sorted(struct row_source *s, const struct database *db,
    const struct table_layout *l, const char *order)
{
	prepare_values(s, db, l);
	s->sqlite = true;
	s->st = prepare(db, l, order);
}

void
row_source_open_query(struct row_source *s, const struct database *db,
    const struct table_layout *l, sqlite3_stmt *st)
{
	prepare_values(s, db, l);
	s->sqlite = s->query = true;
	s->st = st;
}

void
row_source_open_feed(
    struct row_source *s, const struct row_feed *feed, void *fed_by, int count)
{
	*s = (struct row_source){.feed = feed, .fed_by = fed_by};
	row_init(&s->row);
	s->values = mem_alloc((size_t)(count + 1) * sizeof(*s->values));
}

static bool
next_sqlite(struct row_source *s)
{
	while (!database_step(s->db, s->st)) {
		if (s->current == NULL || ++s->current == s->end)
			return false;
		bind_rowids(s);
	}
	s->ahead[0].rowid = s->query ? 0 : sqlite3_column_int64(s->st, 0);
	s->at = 0;
	s->count = 1;
	return true;
}

static _Noreturn void
malformed(const struct row_source *s)
{
	database_check_unchanged(s->db);
	if (s->btree.error != 0)
		errx(1, "%s: %s", s->db->name, strerror(s->btree.error));
	errx(1, "%s: database disk image is malformed (%s)", s->db->name,
	    s->layout->table);
}

/*
 * True if an interval has the row.  If not, the current interval becomes the
 * one behind the row: rows before it are skipped or, if many, not read.
 */
static bool
in_rowids(struct row_source *s, int64_t rowid)
{
	while (rowid > s->current->last) {
		if (s->current + 1 == s->end) {
			s->ended = true;
			return false;
		}
		s->current++;
	}
	s->far = s->current->first > rowid &&
		 (uint64_t)s->current->first - (uint64_t)rowid > FAR;
	return rowid >= s->current->first;
}

/* of the first n rows ahead, keep the ones in intervals; how many */
static unsigned
keep_in_rowids(struct row_source *s, unsigned n)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < n && !s->far && !s->ended; i++)
		if (in_rowids(s, s->ahead[i].rowid))
			s->ahead[kept++] = s->ahead[i];
	return kept;
}

/*
 * Rows up to the end of a page: to read the next page may overwrite them.
 * Returns how many.
 */
static unsigned
read_ahead(struct row_source *s)
{
	struct row_bytes *r = s->ahead;
	struct btree *b = &s->btree;
	unsigned n;

	r->p = b->row;
	r->size = b->size;
	r->rowid = b->rowid;
	n = 1 + btree_next_here(b, r + 1, ROW_SOURCE_AHEAD - 1);
	if (r->rowid < s->current->first || b->rowid > s->current->last)
		n = keep_in_rowids(s, n);
	for (unsigned i = 0; i < n; i++)
		if (!row_format_find(s->formats, &r[i]))
			malformed(s);
	return n;
}

bool
row_source_fill(struct row_source *s)
{
	struct btree *b = &s->btree;

	s->row.bytes = NULL;
	if (s->feed != NULL)
		return s->feed->fill(s, s->fed_by);
	if (s->sqlite)
		return next_sqlite(s);
	s->at = s->count = 0;
	while (s->count == 0) {
		if (s->ended)
			return false;
		if (s->far && btree_seek(b, s->current->first))
			s->far = false;
		if (!btree_next(b)) {
			if (b->corrupt)
				malformed(s);
			return false;
		}
		s->count = read_ahead(s);
	}
	return true;
}

const struct sql_value *
row_source_values(struct row_source *s)
{
	if (s->decoded)
		return s->values;
	s->decoded = true;
	if (s->feed != NULL)
		slot_row_values(&s->row, s->values);
	else if (s->sqlite)
		for (int i = 0; i < s->layout->row.count; i++)
			s->values[i] = database_value(s->st, i + !s->query);
	else if (!row_format_decode(s->row.bytes, &s->layout->row, s->values))
		malformed(s);
	return s->values;
}

/* begin again at a number */
static void
reposition(struct row_source *s, int64_t rowid)
{
	s->at = s->count = 0;
	s->row.bytes = NULL;
	if (!s->sqlite) {
		btree_seek(&s->btree, rowid);
		return;
	}
	s->current = &all_rowids;
	s->end = s->current + 1;
	sqlite3_reset(s->st);
	sqlite3_bind_int64(s->st, 1, rowid);
	sqlite3_bind_int64(s->st, 2, INT64_MAX);
}

bool
row_source_seek(struct row_source *s, int64_t rowid)
{
	int64_t last = s->count > 0 ? s->ahead[s->count - 1].rowid : INT64_MIN;
	unsigned low = 0, high;

	if (s->count == 0 || rowid < s->ahead[0].rowid ||
	    (rowid > last && (uint64_t)rowid - (uint64_t)last > FAR))
		reposition(s, rowid);
	while (s->count == 0 || s->ahead[s->count - 1].rowid < rowid)
		if (!row_source_fill(s)) {
			s->count = 0;
			return false;
		}
	for (high = s->count; low < high;) {
		unsigned middle = (low + high) / 2;

		if (s->ahead[middle].rowid < rowid)
			low = middle + 1;
		else
			high = middle;
	}
	row_source_set(s, low);
	s->at = low + 1;
	return true;
}

void
row_source_close(struct row_source *s)
{
	if (s->feed != NULL)
		s->feed->close(s->fed_by);
	else if (s->sqlite)
		sqlite3_finalize(s->st);
	else
		btree_close(&s->btree);
	free(s->values);
}
