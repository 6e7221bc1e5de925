/* source.c - the rows of a table, by whichever reader can */

#include <err.h>
#include <stdlib.h>

#include "source.h"
#include "tq/base/mem.h"

/* rows that it is cheaper to pass over than to look for what is behind them */
enum { FAR = 256 };

/* ---- what a table looks like ---- */

/*
 * Columns by their place in a row.  False where rows are not what they seem:
 * generated columns, or defaults that rows older than the column lack.
 */
static bool
place_columns(struct layout *l, const struct database *db)
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

		plain &= col < ROW_COLUMNS &&
			 sqlite3_column_type(st, 2) == SQLITE_NULL &&
			 sqlite3_column_int(st, 4) == 0;
		if (!plain)
			break;
		row->slots[col] = -1;
		for (int i = 0; i < row->count; i++) {
			if (sqlite3_stricmp(l->columns[i], name) != 0)
				continue;
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

void
layout_init(struct layout *l, const struct database *db, const char *table,
    char **columns, int count)
{
	sqlite3_stmt *st;

	*l = (struct layout){.table = table,
	    .columns = columns,
	    .row = {.count = count, .alias = -1, .rowid = -1}};
	for (int i = 0; i < count; i++)
		if (strcmp(columns[i], "rowid") == 0)
			l->row.rowid = i;
	st = database_prepare(db, "SELECT rowid FROM \"%w\"", table);
	l->has_rowid = st != NULL;
	sqlite3_finalize(st);
	if (db->direct.fd >= 0 && count < 127 && place_columns(l, db))
		l->root = (uint32_t)database_int(db, 0,
		    database_prepare(db,
			"SELECT rootpage FROM sqlite_master "
			"WHERE type = 'table' AND name = %Q",
			table));
}

/* ---- rows ---- */

static const struct run all_rows = {INT64_MIN, INT64_MAX};

/* order is an ORDER BY clause, or NULL for runs that are to be bound */
static sqlite3_stmt *
prepare(const struct database *db, const struct layout *l, const char *order)
{
	struct text sql = {0};
	sqlite3_stmt *st;

	text_add_str(&sql, "SELECT ");
	text_add_str(&sql, l->has_rowid ? "rowid" : "0");
	for (int i = 0; i < l->row.count; i++) {
		char *column =
		    i != l->row.rowid
			? sqlite3_mprintf(", \"%w\"", l->columns[i])
			: sqlite3_mprintf(l->has_rowid ? ", rowid" : ", 0");

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
bind_run(struct source *s)
{
	sqlite3_reset(s->st);
	sqlite3_bind_int64(s->st, 1, s->run->first);
	sqlite3_bind_int64(s->st, 2, s->run->last);
}

static void
prepare_cells(
    struct source *s, const struct database *db, const struct layout *l)
{
	*s = (struct source){.db = db, .layout = l};
	row_init(&s->row);
	s->cells = mem_alloc((size_t)(l->row.count + 1) * sizeof(*s->cells));
}

void
source_open(struct source *s, const struct database *db, const struct layout *l,
    struct row_shapes *shapes, const struct run *runs, size_t count)
{
	prepare_cells(s, db, l);
	s->shapes = shapes;
	s->run = runs != NULL ? runs : &all_rows;
	s->runs_end = s->run + (runs != NULL ? count : 1);
	if (l->root != 0) {
		if (btree_open(&s->btree, &db->direct, l->root)) {
			btree_seek(&s->btree, s->run->first);
			return;
		}
		btree_close(&s->btree);
	}
	s->sqlite = true;
	s->st = prepare(db, l, NULL);
	bind_run(s);
}

void
source_open_sorted(struct source *s, const struct database *db,
    const struct layout *l, const char *order)
{
	prepare_cells(s, db, l);
	s->sqlite = true;
	s->st = prepare(db, l, order);
}

static bool
next_sqlite(struct source *s)
{
	while (!database_step(s->db, s->st)) {
		if (s->run == NULL || ++s->run == s->runs_end)
			return false;
		bind_run(s);
	}
	s->ahead[0].rowid = sqlite3_column_int64(s->st, 0);
	s->at = 0;
	s->count = 1;
	return true;
}

static void
read_cells(struct source *s)
{
	for (int i = 0; i < s->layout->row.count; i++) {
		struct cell *c = &s->cells[i];

		switch (sqlite3_column_type(s->st, i + 1)) {
		case SQLITE_INTEGER:
			c->type = CELL_INT;
			c->i = sqlite3_column_int64(s->st, i + 1);
			break;
		case SQLITE_FLOAT:
			c->type = CELL_REAL;
			c->d = sqlite3_column_double(s->st, i + 1);
			break;
		case SQLITE_TEXT:
			c->type = CELL_TEXT;
			c->s = database_text(s->st, i + 1);
			break;
		case SQLITE_BLOB:
			c->type = CELL_BLOB;
			c->s = database_text(s->st, i + 1);
			break;
		default:
			c->type = CELL_NULL;
		}
	}
}

static _Noreturn void
malformed(const struct source *s)
{
	errx(1, "%s: database disk image is malformed (%s)", s->db->name,
	    s->layout->table);
}

/*
 * Is the row in a run?  If not, the run that is to come is at hand: rows
 * before it are passed over or, where they are many, not read.
 */
static bool
in_run(struct source *s, int64_t rowid)
{
	while (rowid > s->run->last) {
		if (s->run + 1 == s->runs_end) {
			s->ended = true;
			return false;
		}
		s->run++;
	}
	s->far = s->run->first > rowid &&
		 (uint64_t)s->run->first - (uint64_t)rowid > FAR;
	return rowid >= s->run->first;
}

/* of the first n rows ahead those that are in runs; how many */
static unsigned
keep_in_runs(struct source *s, unsigned n)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < n && !s->far && !s->ended; i++)
		if (in_run(s, s->ahead[i].rowid))
			s->ahead[kept++] = s->ahead[i];
	return kept;
}

/* rows up to the end of a page, as what is behind may take their place */
static unsigned
read_ahead(struct source *s)
{
	struct row_bytes *r = s->ahead;
	struct btree *b = &s->btree;
	unsigned n;

	r->p = b->row;
	r->size = b->size;
	r->rowid = b->rowid;
	n = 1 + btree_next_here(b, r + 1, SOURCE_ROWS - 1);
	if (r->rowid < s->run->first || b->rowid > s->run->last)
		n = keep_in_runs(s, n);
	for (unsigned i = 0; i < n; i++)
		if (!row_shapes_find(s->shapes, &r[i]))
			malformed(s);
	return n;
}

bool
source_fill(struct source *s)
{
	struct btree *b = &s->btree;

	s->row.bytes = NULL;
	if (s->sqlite)
		return next_sqlite(s);
	s->at = s->count = 0;
	while (s->count == 0) {
		if (s->ended)
			return false;
		if (s->far && btree_seek(b, s->run->first))
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

const struct cell *
source_cells(struct source *s)
{
	if (s->decoded)
		return s->cells;
	s->decoded = true;
	if (s->sqlite)
		read_cells(s);
	else if (!row_decode(s->row.bytes, &s->layout->row, s->cells))
		malformed(s);
	return s->cells;
}

void
source_close(struct source *s)
{
	if (s->sqlite)
		sqlite3_finalize(s->st);
	else
		btree_close(&s->btree);
	free(s->cells);
}
