/* source.c - the rows of a table, by whichever reader can */

#include <err.h>
#include <stdlib.h>

#include "source.h"
#include "tq/mem.h"

/* ---- what a table looks like ---- */

/*
 * Columns by their place in a row.  False where rows are not what they seem:
 * generated columns, or defaults that rows older than the column lack.
 */
static bool
place_columns(struct layout *l, const struct database *db)
{
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

		plain &= col < BTREE_COLUMNS &&
			 sqlite3_column_type(st, 2) == SQLITE_NULL &&
			 sqlite3_column_int(st, 4) == 0;
		if (!plain)
			break;
		l->slots[col] = -1;
		for (int i = 0; i < l->count; i++) {
			if (sqlite3_stricmp(l->columns[i], name) != 0)
				continue;
			/* an alias of the rowid is not stored */
			if (alias)
				l->alias = i;
			else {
				l->slots[col] = (signed char)i;
				l->width = col + 1;
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
	    .count = count,
	    .alias = -1,
	    .rowid = -1};
	for (int i = 0; i < count; i++)
		if (strcmp(columns[i], "rowid") == 0)
			l->rowid = i;
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

static sqlite3_stmt *
prepare(const struct database *db, const struct layout *l, int64_t first,
    int64_t last, const char *order)
{
	struct text sql = {0};
	sqlite3_stmt *st;

	text_add_str(&sql, "SELECT ");
	text_add_str(&sql, l->has_rowid ? "rowid" : "0");
	for (int i = 0; i < l->count; i++) {
		char *column =
		    i != l->rowid
			? sqlite3_mprintf(", \"%w\"", l->columns[i])
			: sqlite3_mprintf(l->has_rowid ? ", rowid" : ", 0");

		text_add_str(&sql, column);
		sqlite3_free(column);
	}
	text_add_char(&sql, '\0');
	if (order != NULL)
		st = database_prepare(
		    db, "%s FROM \"%w\" %s", sql.p, l->table, order);
	else if (l->has_rowid)
		st = database_prepare(db,
		    "%s FROM \"%w\" WHERE rowid BETWEEN %lld AND %lld "
		    "ORDER BY rowid",
		    sql.p, l->table, (long long)first, (long long)last);
	else
		st = database_prepare(db, "%s FROM \"%w\"", sql.p, l->table);
	text_free(&sql);
	if (st == NULL)
		database_fail(db);
	return st;
}

void
source_open(struct source *s, const struct database *db, const struct layout *l,
    int64_t first, int64_t last, const char *order, uint32_t window)
{
	*s = (struct source){.db = db, .layout = l};
	s->cells = mem_alloc((size_t)(l->count + 1) * sizeof(*s->cells));
	if (order == NULL && l->root != 0) {
		if (btree_open(
			&s->btree, &db->direct, l->root, first, last, window))
			return;
		btree_close(&s->btree);
	}
	s->sqlite = true;
	s->st = prepare(db, l, first, last, order);
}

static bool
next_sqlite(struct source *s)
{
	if (!database_step(s->db, s->st))
		return false;
	s->rowid = sqlite3_column_int64(s->st, 0);
	for (int i = 0; i < s->layout->count; i++) {
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
	return true;
}

static void
set_rowid(struct source *s, int cell)
{
	if (cell >= 0) {
		s->cells[cell].type = CELL_INT;
		s->cells[cell].i = s->rowid;
	}
}

bool
source_next(struct source *s)
{
	const struct layout *l = s->layout;

	if (s->sqlite)
		return next_sqlite(s);
	if (!btree_next(&s->btree, l->slots, l->width, s->cells)) {
		if (s->btree.corrupt)
			errx(1, "%s: database disk image is malformed (%s)",
			    s->db->name, l->table);
		return false;
	}
	s->rowid = s->btree.rowid;
	set_rowid(s, l->alias);
	set_rowid(s, l->rowid);
	return true;
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
