/*
 * mutants - damaged databases, read by btree.h and by SQLite: what SQLite
 * refuses is refused, and what it reads has the same rows.  Only what
 * PRAGMA quick_check calls damaged may be refused though SQLite reads it.
 */

#include <sqlite3.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "sqlite/btree.h"
#include "sqlite/row_format.h"
#include "tq/base/array.h"

enum { PAGE = 512, HEADER = 100, COLUMNS = 6, MOST_ROWS = 20000, AHEAD = 63 };

/* three levels of pages, numbers of all lengths, overflow, gaps */
static const char schema[] =
    "PRAGMA page_size = 512;"
    "CREATE TABLE t (a, b, c, d, e, f);"
    "WITH n(i) AS (VALUES (1) UNION SELECT i + 1 FROM n WHERE i < 260)"
    "INSERT INTO t SELECT i, i * i * i * 1000, NULL,"
    " CASE WHEN i % 50 = 0 THEN printf('%900c', 'x')"
    " ELSE printf('%90c', 'x') || i END,"
    " i / 7.0, i % 2 FROM n;"
    "CREATE TABLE u (a INTEGER PRIMARY KEY, b, c, d, e, f);"
    "INSERT INTO u SELECT rowid * 1000, b, x'00ff', d, NULL, -a FROM t"
    " WHERE a < 60;"
    "DELETE FROM t WHERE a % 5 = 0 AND a % 50 <> 0";

/* the columns that are read: as a record needs them, and as an index does */
static const struct query {
	const char *sql, *table;
	struct row_layout row;
} queries[] = {
    {"SELECT rowid, a, b, c, d, e, f FROM t", "t",
	{.slots = {0, 1, 2, 3, 4, 5},
	    .width = 6,
	    .count = 6,
	    .alias = -1,
	    .rowid = -1}},
    {"SELECT rowid, a, b FROM t", "t",
	{.slots = {0, 1}, .width = 2, .count = 2, .alias = -1, .rowid = -1}},
    {"SELECT rowid, f, b FROM t", "t",
	{.slots = {-1, 1, -1, -1, -1, 0},
	    .width = 6,
	    .count = 2,
	    .alias = -1,
	    .rowid = -1}},
    {"SELECT rowid, a, d, f FROM u", "u",
	{.slots = {-1, -1, -1, 1, -1, 2},
	    .width = 6,
	    .count = 3,
	    .alias = 0,
	    .rowid = -1}},
};

/* a hash for each row that was read */
struct read_rows {
	uint64_t *all;
	size_t count, cap;
	bool refused;
};

static unsigned char *base; /* the database before any damage */
static size_t base_size;

/* ---- damage ---- */

static void
make_base(void)
{
	sqlite3_int64 n;
	sqlite3 *db;

	REQUIRE(sqlite3_open(":memory:", &db) == SQLITE_OK);
	REQUIRE(sqlite3_exec(db, schema, NULL, NULL, NULL) == SQLITE_OK);
	base = sqlite3_serialize(db, "main", &n, 0);
	REQUIRE(base != NULL);
	base_size = (size_t)n;
	sqlite3_close(db);
}

/* the cell pointer i of a page, leaf or not */
static unsigned char *
pointer_of(unsigned char *page, unsigned i)
{
	unsigned cells = get2(page + 3), head = page[0] < 8 ? 12 : 8;

	i = head + (cells > 0 ? i % cells : 0) * 2;
	return page + (i < PAGE - 2 ? i : 0);
}

/* a change that five bytes tell */
static void
change(unsigned char *all, const uint8_t *how)
{
	size_t pages = base_size / PAGE;
	unsigned char *page = all + (how[1] % pages) * PAGE, *p;
	unsigned char *other = all + (how[2] % pages) * PAGE;

	if (page == all) { /* the header of the file, but not the schema */
		page[how[2] % HEADER] = how[4];
		return;
	}
	switch (how[0] % 6) {
	case 0: /* any byte */
		page[how[2] * 2 + how[3] % 2] = how[4];
		break;
	case 1: /* the head: type, cells, the last child */
		page[how[2] % 12] = how[4];
		break;
	case 2: /* where a cell is */
		p = pointer_of(page, how[2]);
		p[0] = how[3] % 2;
		p[1] = how[4];
		break;
	case 3: /* a cell: child, size, rowid, types */
		p = pointer_of(page, how[2]);
		page[(get2(p) + how[3] % 16) % PAGE] = how[4];
		break;
	case 4:
		memmove(page, other, PAGE);
		break;
	case 5: /* a cell twice */
		memmove(pointer_of(page, how[2]), pointer_of(page, how[3]), 2);
		break;
	}
}

static unsigned char *
damaged(const uint8_t *data, size_t size)
{
	unsigned char *copy = sqlite3_malloc64(base_size);

	memcpy(copy, base, base_size);
	for (; size >= 5; data += 5, size -= 5)
		change(copy, data);
	return copy;
}

/* ---- rows ---- */

static uint64_t
hash_of(uint64_t hash, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;

	for (size_t i = 0; i < n; i++)
		hash = (hash ^ p[i]) * 0x100000001b3u;
	return hash;
}

static uint64_t
hash_value(uint64_t hash, const struct sql_value *v)
{
	hash = hash_of(hash, &v->type, sizeof(v->type));
	if (v->type == SQL_INT)
		return hash_of(hash, &v->i, sizeof(v->i));
	if (v->type == SQL_REAL)
		return hash_of(hash, &v->d, sizeof(v->d));
	return v->type == SQL_NULL ? hash : hash_of(hash, v->s.p, v->s.len);
}

static void
add_row(struct read_rows *rows, int64_t rowid, const struct sql_value *values,
    int count)
{
	uint64_t hash = hash_of(0, &rowid, sizeof(rowid));

	for (int i = 0; i < count; i++)
		hash = hash_value(hash, &values[i]);
	*array_add(&rows->all, &rows->count, &rows->cap) = hash;
}

static struct sql_value
column(sqlite3_stmt *st, int i)
{
	struct sql_value v = {SQL_NULL};

	switch (sqlite3_column_type(st, i)) {
	case SQLITE_INTEGER:
		return (struct sql_value){
		    SQL_INT, .i = sqlite3_column_int64(st, i)};
	case SQLITE_FLOAT:
		return (struct sql_value){
		    SQL_REAL, .d = sqlite3_column_double(st, i)};
	case SQLITE_TEXT:
		v.type = SQL_TEXT;
		v.s.p = (const char *)sqlite3_column_text(st, i);
		break;
	case SQLITE_BLOB:
		v.type = SQL_BLOB;
		v.s.p = sqlite3_column_blob(st, i);
		break;
	}
	v.s.len = (size_t)sqlite3_column_bytes(st, i);
	return v;
}

static struct read_rows
read_sqlite(sqlite3 *db, const struct query *q)
{
	struct read_rows rows = {0};
	struct sql_value values[COLUMNS];
	sqlite3_stmt *st;
	int status;

	if (sqlite3_prepare_v2(db, q->sql, -1, &st, NULL) != SQLITE_OK) {
		rows.refused = true;
		return rows;
	}
	while ((status = sqlite3_step(st)) == SQLITE_ROW &&
	       rows.count < MOST_ROWS) {
		for (int i = 0; i < q->row.count; i++)
			values[i] = column(st, i + 1);
		add_row(
		    &rows, sqlite3_column_int64(st, 0), values, q->row.count);
	}
	rows.refused = status != SQLITE_DONE;
	sqlite3_finalize(st);
	return rows;
}

/* a format and decoding must agree; a number that is none is NULL */
static void
compare(const struct row_bytes *bytes, const struct sql_value *values, int n)
{
	struct row r;

	if (bytes->format == NULL)
		return;
	row_init(&r);
	row_set(&r, bytes);
	for (int i = 0; i < n; i++) {
		const struct value_ref *at = &bytes->format->values[i];

		REQUIRE(at->type == values[i].type ||
			(at->type == SQL_REAL && values[i].type == SQL_NULL));
		if (at->type == SQL_INT)
			REQUIRE(row_int(&r, at) == values[i].i);
		else if (at->type >= SQL_TEXT)
			REQUIRE(span_eq(row_text(&r, at), values[i].s));
	}
}

static bool
read_ahead(struct btree *b, struct row_formats *formats, const struct query *q,
    struct read_rows *rows)
{
	struct row_bytes ahead[1 + AHEAD] = {
	    {.p = b->row, .size = b->size, .rowid = b->rowid}};
	struct sql_value values[COLUMNS];
	unsigned n = 1 + btree_next_here(b, ahead + 1, AHEAD);

	for (unsigned i = 0; i < n; i++) {
		if (!row_format_find(formats, &ahead[i]) ||
		    !row_format_decode(&ahead[i], &q->row, values))
			return false;
		compare(&ahead[i], values, q->row.count);
		add_row(rows, ahead[i].rowid, values, q->row.count);
	}
	return true;
}

static struct read_rows
read_direct(const struct btree_file *f, uint32_t root, const struct query *q)
{
	struct read_rows rows = {0};
	struct row_formats formats;
	struct btree b;

	row_format_open(&formats, &q->row, 0);
	rows.refused = !btree_open(&b, f, root);
	while (!rows.refused && btree_next(&b))
		rows.refused = !read_ahead(&b, &formats, q, &rows);
	rows.refused |= b.corrupt;
	btree_close(&b);
	row_format_close(&formats);
	return rows;
}

/* ---- the property ---- */

static bool
says_ok(const char *sql, sqlite3 *db)
{
	sqlite3_stmt *st;
	bool ok = false;

	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) == SQLITE_OK &&
	    sqlite3_step(st) == SQLITE_ROW)
		ok =
		    strcmp((const char *)sqlite3_column_text(st, 0), "ok") == 0;
	sqlite3_finalize(st);
	return ok;
}

/* the page of the root; 0 where SQLite does not find the table */
static uint32_t
root_of(sqlite3 *db, const char *table)
{
	sqlite3_stmt *st;
	uint32_t root = 0;

	if (sqlite3_prepare_v2(db,
		"SELECT rootpage FROM sqlite_master WHERE name = ?1 "
		"AND type = 'table'",
		-1, &st, NULL) != SQLITE_OK)
		return 0;
	sqlite3_bind_text(st, 1, table, -1, SQLITE_STATIC);
	if (sqlite3_step(st) == SQLITE_ROW)
		root = (uint32_t)sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	return root;
}

static void
check_query(sqlite3 *db, const struct btree_file *f, const struct query *q)
{
	uint32_t root = root_of(db, q->table);
	struct read_rows sqlite, direct;

	if (root == 0)
		return;
	sqlite = read_sqlite(db, q);
	direct = read_direct(f, root, q);
	if (sqlite.refused)
		REQUIRE(direct.refused);
	else if (direct.refused)
		REQUIRE(!says_ok("PRAGMA quick_check(1)", db));
	else {
		REQUIRE(direct.count == sqlite.count);
		for (size_t i = 0; i < sqlite.count; i++)
			REQUIRE(direct.all[i] == sqlite.all[i]);
	}
	free(sqlite.all);
	free(direct.all);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned char *copy;
	struct btree_file f;
	sqlite3 *db;
	int fd;

	if (base == NULL)
		make_base();
	copy = damaged(data, size);
	fd = memfd_create("mutant", 0);
	REQUIRE(fd >= 0);
	REQUIRE(write(fd, copy, base_size) == (ssize_t)base_size);
	REQUIRE(sqlite3_open(":memory:", &db) == SQLITE_OK);
	REQUIRE(sqlite3_deserialize(db, "main", copy, (sqlite3_int64)base_size,
		    (sqlite3_int64)base_size,
		    SQLITE_DESERIALIZE_FREEONCLOSE |
			SQLITE_DESERIALIZE_READONLY) == SQLITE_OK);
	if (btree_file_open(&f, fd))
		for (size_t i = 0; i < sizeof(queries) / sizeof(*queries); i++)
			check_query(db, &f, &queries[i]);
	sqlite3_close(db);
	close(fd);
	return 0;
}
