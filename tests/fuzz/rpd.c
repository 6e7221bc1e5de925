/*
 * rpd.c - any values in the columns of a recording of rocmProfileData: what is
 * written is a stream, and every row is accounted for.
 */

#include "fuzz_database.h"
#include "fuzz_exit.h"
#include "rpd/rpd.h"
#include "source.h"
#include "tq/line/json.h"

/* what a message said is of no use here, nor memory that a jump leaves */
const char *__asan_default_options(void);

const char *
__asan_default_options(void)
{
	return "detect_leaks=0";
}

static void
check_rows(const struct rpd *r)
{
	for (int i = 0; i < RPD_TABLES; i++) {
		const struct rpd_counts *n = &r->counts[i];

		REQUIRE(n->rows == n->records + n->outside + n->unwanted +
				       n->no_start + n->no_number);
	}
}

/* each line is JSON */
static void
check_lines(struct span all)
{
	while (all.len > 0) {
		const char *end = memchr(all.p, '\n', all.len);
		size_t n;

		REQUIRE(end != NULL);
		n = (size_t)(end - all.p);
		REQUIRE(json_valid((struct span){all.p, n}));
		all.p += n + 1;
		all.len -= n + 1;
	}
}

static void
extract(struct output *out)
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

	settings = (struct source_settings){
	    .kinds = UINT64_MAX, .window = {INT64_MIN, INT64_MAX}};
	if (setjmp(ended) != 0)
		return;
	operand_open(&from, path);
	database_open(&db, &from, true, false, "");
	run = rpd_source.open(&in);
	rpd_source.definitions(run);
	rpd_source.records(run);
	check_rows(run);
	check_lines(text_span(&out->buf));
	rpd_source.close(run);
	database_close(&db);
	operand_close(&from);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct output out;
	int fd = make_changed("tests/data/rpd.sql", data, size);

	out = (struct output){0};
	extract(&out);
	text_free(&out.buf);
	remove_changed(fd);
	return 0;
}
