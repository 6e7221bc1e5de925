/*
 * fuzz_database.h - a database of tests/data in which the bytes of the fuzzer
 * are values of columns.
 */
#ifndef FUZZ_DATABASE_H
#define FUZZ_DATABASE_H

#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

enum { MOST_COLUMNS = 512 };

/* a column of a table, as a statement that sets it */
static char *updates[MOST_COLUMNS];
static unsigned update_count;
static unsigned char *base; /* the database before any change */
static sqlite3_int64 base_size;

static char *
read_fixture(const char *fixture)
{
	FILE *in = fopen(fixture, "r");
	static char sql[1 << 16];

	REQUIRE(in != NULL);
	sql[fread(sql, 1, sizeof(sql) - 1, in)] = '\0';
	fclose(in);
	return sql;
}

static void
make_base(const char *fixture)
{
	sqlite3_stmt *st;
	sqlite3 *db;

	REQUIRE(sqlite3_open(":memory:", &db) == SQLITE_OK);
	REQUIRE(sqlite3_exec(db, read_fixture(fixture), NULL, NULL, NULL) ==
		SQLITE_OK);
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
static char path[] = "/tmp/fuzz-database.XXXXXX";

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

/* the database of the fixture with the changes, at path, until it is removed */
static int
make_changed(const char *fixture, const uint8_t *data, size_t size)
{
	int fd;

	if (base == NULL)
		make_base(fixture);
	memcpy(path + strlen(path) - 6, "XXXXXX", 6);
	fd = mkstemp(path);
	REQUIRE(fd >= 0);
	write_changed(fd, data, size);
	return fd;
}

static void
remove_changed(int fd)
{
	close(fd);
	unlink(path);
}

#endif
