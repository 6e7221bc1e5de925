/*
 * rocpd.c - any values in the columns of a rocpd database: both readers write
 * the same stream, and every row is accounted for.
 */

#include "fuzz_database.h"
#include "fuzz_exit.h"
#include "rocpd/rocpd.h"
#include "source.h"

/* what a message said is of no use here, nor memory that a jump leaves */
const char *__asan_default_options(void);

const char *
__asan_default_options(void)
{
	return "detect_leaks=0";
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
	database_open(&db, &from, !sqlite, false, "");
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
	int fd = make_changed("tests/data/rocpd.sql", data, size);

	direct = sqlite = (struct output){0};
	REQUIRE(extract(false, &direct) == extract(true, &sqlite));
	REQUIRE(span_eq(text_span(&direct.buf), text_span(&sqlite.buf)));
	text_free(&direct.buf);
	text_free(&sqlite.buf);
	remove_changed(fd);
	return 0;
}
