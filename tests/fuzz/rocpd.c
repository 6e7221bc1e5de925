/*
 * rocpd.c - any values in the columns of a rocpd database: both readers write
 * the same stream, and every row is accounted for.
 */

#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "fuzz_exit.h"
#include "rocpd/rocpd.h"
#include "rocpd/rocpd_source.h"

/* what a message said is of no use here, nor memory that a jump leaves */
const char *__asan_default_options(void);

const char *
__asan_default_options(void)
{
	return "detect_leaks=0";
}

enum { MOST_COLUMNS = 512 };

/* a column of a table, as a statement that sets it */
static char *updates[MOST_COLUMNS];
static unsigned update_count;
static unsigned char *base; /* the database before any change */
static sqlite3_int64 base_size;

/* ---- the database ---- */

static char *
read_fixture(void)
{
	FILE *in = fopen("tests/data/rocpd.sql", "r");
	static char sql[1 << 16];

	REQUIRE(in != NULL);
	sql[fread(sql, 1, sizeof(sql) - 1, in)] = '\0';
	fclose(in);
	return sql;
}

static void
make_base(void)
{
	sqlite3_stmt *st;
	sqlite3 *db;

	REQUIRE(sqlite3_open(":memory:", &db) == SQLITE_OK);
	REQUIRE(
	    sqlite3_exec(db, read_fixture(), NULL, NULL, NULL) == SQLITE_OK);
	REQUIRE(sqlite3_prepare_v2(db,
		    "SELECT t.name, c.name FROM sqlite_master t, "
		    "pragma_table_info(t.name) c WHERE t.type = 'table' "
		    "AND c.pk = 0",
		    -1, &st, NULL) == SQLITE_OK);
	while (sqlite3_step(st) == SQLITE_ROW && update_count < MOST_COLUMNS)
		updates[update_count++] = sqlite3_mprintf(
		    "UPDATE \"%w\" SET \"%w\" = ?1 WHERE rowid = ?2",
		    sqlite3_column_text(st, 0), sqlite3_column_text(st, 1));
	sqlite3_finalize(st);
	base = sqlite3_serialize(db, "main", &base_size, 0);
	REQUIRE(base != NULL);
	sqlite3_close(db);
}

/* bind a value; returns the bytes it took */
static size_t
bind(sqlite3_stmt *st, const uint8_t *p, size_t size)
{
	size_t n = size < 8 ? size : 8, length;
	sqlite3_int64 i = 0;
	double d = 0;

	memcpy(&i, p + 1, n > 0 ? n - 1 : 0);
	memcpy(&d, &i, sizeof(d));
	switch (*p % 6) {
	case 0:
		sqlite3_bind_null(st, 1);
		return 1;
	case 1:
		sqlite3_bind_int(st, 1, size > 1 ? (signed char)p[1] : 0);
		return 2;
	case 2:
		sqlite3_bind_int64(st, 1, i);
		return 8;
	case 3:
		sqlite3_bind_double(st, 1, d);
		return 8;
	default:
		length = size > 1 ? p[1] : 0;
		if (length > size - 2)
			length = size < 2 ? 0 : size - 2;
		if (*p % 6 == 4)
			sqlite3_bind_text(st, 1, (const char *)p + 2,
			    (int)length, SQLITE_STATIC);
		else
			sqlite3_bind_blob(
			    st, 1, p + 2, (int)length, SQLITE_STATIC);
		return 2 + length;
	}
}

/* SQLite opens files by name */
static char path[] = "/tmp/fuzz-rocpd.XXXXXX";

/* the file becomes the database with the changes that the bytes tell */
static void
write_changed(int fd, const uint8_t *data, size_t size)
{
	unsigned char *copy = sqlite3_malloc64((sqlite3_uint64)base_size);
	sqlite3_int64 n;
	sqlite3_stmt *st;
	sqlite3 *db;

	memcpy(copy, base, (size_t)base_size);
	REQUIRE(sqlite3_open(":memory:", &db) == SQLITE_OK);
	REQUIRE(sqlite3_deserialize(db, "main", copy, base_size, base_size,
		    SQLITE_DESERIALIZE_FREEONCLOSE |
			SQLITE_DESERIALIZE_RESIZEABLE) == SQLITE_OK);
	while (size > 4) {
		unsigned which = (data[0] | (unsigned)data[1] << 8);
		size_t took;

		REQUIRE(sqlite3_prepare_v2(db, updates[which % update_count],
			    -1, &st, NULL) == SQLITE_OK);
		sqlite3_bind_int(st, 2, data[2]);
		took = 3 + bind(st, data + 3, size - 3);
		sqlite3_step(st);
		sqlite3_finalize(st);
		if (took >= size)
			break;
		data += took;
		size -= took;
	}
	copy = sqlite3_serialize(db, "main", &n, 0);
	REQUIRE(copy != NULL && write(fd, copy, (size_t)n) == (ssize_t)n);
	sqlite3_free(copy);
	sqlite3_close(db);
}

/* ---- the source ---- */

static void
check_rows(const struct rocpd *r)
{
	for (size_t i = 0; i < r->names.count; i++)
		for (int k = 0; k < ROCPD_TABLES; k++) {
			const struct rocpd_table *t = &r->suffixes[i].tables[k];
			int64_t records = 0;

			for (enum kind kind = 0; kind < KIND_COUNT; kind++)
				records += t->records[kind];
			REQUIRE(t->fates[FATE_RECORD] ==
				records + t->fates[FATE_FOLDED]);
		}
}

/* false where the source ends the program */
static bool
extract(bool sqlite, struct output *out)
{
	static struct source_settings settings;
	static struct operand from;
	static struct database db;
	struct source_input in = {.from = &from,
	    .db = &db,
	    .settings = &settings,
	    .out = out,
	    .frames = out};
	void *run;

	settings = (struct source_settings){.kinds = UINT64_MAX,
	    .window = {INT64_MIN, INT64_MAX},
	    .sqlite = sqlite};
	if (setjmp(ended) != 0)
		return false;
	operand_open(&from, path);
	database_open(&db, &from, !sqlite);
	run = rocpd_source.open(&in);
	rocpd_source.definitions(run);
	rocpd_source.records(run);
	check_rows(run);
	rocpd_source.close(run);
	database_close(&db);
	operand_close(&from);
	return true;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct output direct, sqlite;
	int fd;

	if (base == NULL)
		make_base();
	memcpy(path + strlen(path) - 6, "XXXXXX", 6);
	fd = mkstemp(path);
	write_changed(fd, data, size);
	direct = sqlite = (struct output){0};
	REQUIRE(extract(false, &direct) == extract(true, &sqlite));
	REQUIRE(span_eq(text_span(&direct.buf), text_span(&sqlite.buf)));
	text_free(&direct.buf);
	text_free(&sqlite.buf);
	close(fd);
	unlink(path);
	return 0;
}
