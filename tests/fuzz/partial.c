/*
 * partial.c - any bytes as partials of tq-stats: what was read and is written
 * is read again, and then written the same.
 */

#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sums/groups.h"
#include "partial/partial.h"
#include "fuzz.h"
#include "fuzz_exit.h"
#include "tq/base/mem.h"

/* partial_read.c prints and exits through these */
void
warnx(const char *fmt, ...)
{
	(void)fmt;
}

struct run {
	struct report_settings settings;
	struct names names;
	struct reports set;
	struct recordings recordings;
	struct partial p;
};

/* false if it is wrong */
static bool
read_partials(struct run *run, const void *data, size_t size)
{
	char path[32], *operands[] = {path, NULL};
	int fd = memfd_create("partial", MFD_CLOEXEC);
	volatile bool ok = false;

	memset(run, 0, sizeof(*run));
	run->p.settings = &run->settings;
	run->p.names = &run->names;
	run->p.set = &run->set;
	run->p.recordings = &run->recordings;
	REQUIRE(write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (setjmp(ended) == 0) {
		partial_read(&run->p, operands);
		ok = true;
	}
	partial_read_free(&run->p);
	close(fd);
	return ok;
}

/* nothing of what was read may break the tables either */
static void
make_tables(struct run *run)
{
	for (size_t i = 0; i < run->p.count; i++) {
		struct report *r = &run->p.reports[i];
		struct output o = {0};
		struct table t = {0};

		if (r->kind->text != NULL)
			r->kind->text(r, &o);
		if (r->kind->text == NULL || r->kind->table != NULL)
			report_table(r, &t);
		table_free(&t);
		text_free(&o.buf);
	}
}

static void
free_run(struct run *run)
{
	for (size_t i = 0; i < run->p.count; i++)
		report_free(&run->p.reports[i]);
	free(run->p.reports);
	recordings_free(&run->recordings);
	free(run->settings.group);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct output first = {0}, second = {0};
	struct run run;

	if (read_partials(&run, data, size)) {
		make_tables(&run);
		free_run(&run);
		REQUIRE(read_partials(&run, data, size));
		partial_write(&first, &run.p);
		free_run(&run);
		REQUIRE(read_partials(&run, first.buf.p, first.buf.len));
		partial_write(&second, &run.p);
		REQUIRE(span_eq(text_span(&first.buf), text_span(&second.buf)));
	}
	free_run(&run);
	text_free(&first.buf);
	text_free(&second.buf);
	return 0;
}
