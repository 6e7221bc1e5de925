/*
 * nsysrep_source.c - a report of Nsight Systems becomes a section
 *
 * It becomes a database with its strings and definitions, and a store of its
 * events; the source of exports reads both as it reads an export.
 */

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>

#include "report_database.h"
#include "report_store.h"
#include "source.h"
#include "tq/base/mem.h"

struct report_run {
	struct nsysrep report;
	struct database db;
	struct report_store store;
	struct source_input in;
	void *export; /* of nsys_source */
};

static bool
detect(const struct source_input *in)
{
	return !in->settings->via_nsys &&
	       nsysrep_detect(operand_head(in->from));
}

static void *
open_report(const struct source_input *in)
{
	struct report_run *r = mem_alloc(sizeof(*r));

	nsysrep_open(&r->report, in->from, in->settings->salvage);
	database_open_empty(&r->db, in->from);
	report_database_fill(&r->db, &r->report);
	report_store_open(&r->store, &r->report, &r->db, in->settings);
	r->in = *in;
	r->in.db = &r->db;
	r->export = nsys_source.open(&r->in);
	return r;
}

static void
definitions(void *run)
{
	const struct report_run *r = run;

	nsys_source.definitions(r->export);
}

static int
count(void *run, int64_t counts[KIND_COUNT])
{
	const struct report_run *r = run;

	return nsys_source.count(r->export, counts);
}

/* notes on a salvaged report, or an odd one */
static void
warn_of(const struct report_run *r)
{
	const struct nsysrep *of = &r->report;

	if (r->store.events.lost > 0)
		warnx("warning: %s: %" PRId64 " of %" PRId64
		      " events are there: %s",
		    of->name, r->store.seen, of->events,
		    r->store.events.lost_reason);
	else if (r->store.seen != of->events)
		warnx("warning: %s: its header counts %" PRId64
		      " events, its blocks have %" PRId64,
		    of->name, of->events, r->store.seen);
	if (of->strings > 0 && of->strings_at == 0)
		warnx("warning: %s: the strings are missing: names are numbers",
		    of->name);
}

static struct source_result
records(void *run)
{
	const struct report_run *r = run;
	struct source_result result = nsys_source.records(r->export);

	warn_of(r);
	result.told = r->store.events.lost == result.lost;
	return result;
}

static void
check(void *run, struct check_sheet *s)
{
	const struct report_run *r = run;

	nsys_source.check(r->export, s);
}

static void
close_report(void *run)
{
	struct report_run *r = run;

	nsys_source.close(r->export);
	report_store_close(&r->store);
	database_close(&r->db);
	nsysrep_close(&r->report);
	free(r);
}

const struct source nsysrep_source = {
    .name = "nsys-rep",
    .about = "Nsight Systems: a report (.nsys-rep, .qdrep), without nsys",
    .detect = detect,
    .open = open_report,
    .definitions = definitions,
    .count = count,
    .records = records,
    .check = check,
    .close = close_report,
};
