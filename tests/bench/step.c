/*
 * step - step over the rows of queries with libsqlite3, take each value, and
 * do nothing else: what any reader of a database that uses it has to pay
 */

#include <err.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

enum { QUERY_MAX = 1 << 16 };

static char *
read_queries(const char *name)
{
	static char text[QUERY_MAX];
	FILE *f = fopen(name, "r");
	size_t n;

	if (f == NULL)
		err(1, "%s", name);
	n = fread(text, 1, sizeof(text) - 1, f);
	if (n == sizeof(text) - 1)
		errx(1, "%s: too long", name);
	text[n] = '\0';
	fclose(f);
	return text;
}

/* Numbers as int64, text as bytes: no type is asked for, as that costs. */
static int64_t
step(sqlite3_stmt *query)
{
	int columns = sqlite3_column_count(query), status;
	int text[128] = {0};
	int64_t sum = 0;

	for (int i = 0; i < columns && i < 128; i++) {
		const char *type = sqlite3_column_decltype(query, i);

		text[i] = type != NULL && strcasecmp(type, "TEXT") == 0;
	}
	while ((status = sqlite3_step(query)) == SQLITE_ROW)
		for (int i = 0; i < columns && i < 128; i++)
			if (text[i]) {
				const void *p = sqlite3_column_text(query, i);

				sum += sqlite3_column_bytes(query, i) +
				       (p != NULL);
			} else {
				sum += sqlite3_column_int64(query, i);
			}
	if (status != SQLITE_DONE)
		errx(1, "%s", sqlite3_errmsg(sqlite3_db_handle(query)));
	return sum;
}

int
main(int argc, char *argv[])
{
	sqlite3 *db;
	sqlite3_stmt *query;
	const char *rest;
	char uri[4096];
	int64_t sum = 0;

	if (argc != 3) {
		fputs("usage: step queries.sql database\n", stderr);
		return 2;
	}
	snprintf(uri, sizeof(uri), "file:%s?mode=ro&immutable=1", argv[2]);
	if (sqlite3_open_v2(uri, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
		NULL) != SQLITE_OK)
		errx(1, "%s: %s", argv[2], sqlite3_errmsg(db));
	for (rest = read_queries(argv[1]); *rest != '\0';) {
		if (sqlite3_prepare_v2(db, rest, -1, &query, &rest) !=
		    SQLITE_OK)
			errx(1, "%s: %s", argv[1], sqlite3_errmsg(db));
		if (query == NULL) /* what is left is blank */
			break;
		sum += step(query);
		sqlite3_finalize(query);
	}
	sqlite3_close(db);
	printf("%lld\n", (long long)sum);
	return 0;
}
