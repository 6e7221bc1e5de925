/* source.c - which source reads an input */

#include <err.h>

#include "source.h"
#include "tq/base/ascii.h"
#include "tq/io/emit.h"
#include "tq/io/foreign.h"
#include "tq/io/status.h"

static const struct source *const sources[] = {
#define SOURCE(name) &name##_source,
    SOURCES(SOURCE)};

enum { COUNT = sizeof(sources) / sizeof(sources[0]) };

/* ---- recordings that are known and not read ---- */

#define LISTED "'tq-extract --list-sources' lists these"

static const struct {
	const char *table, *sql; /* its definition has this word */
	const char *what;
} tables[] = {
    {"A", "KernelName",
	"is made by rocprof v1 or v2: record with rocprofv3, which writes a "
	"database"},
    {"compute_workload", "",
	"is counters of rocprof-compute, without times: record a trace with "
	"rocprofv3"},
};

/* Refuse an input whose first bytes are of a format that tq cannot read. */
static void
refuse_file(const struct operand *from)
{
	const char *what = foreign_refused(from->name, operand_head(from));

	if (what != NULL)
		errx(TQ_FAIL, "%s: %s", from->name, what);
}

/* true if there is no control character that text has not */
static bool
is_text(struct span head)
{
	for (size_t i = 0; i < head.len; i++) {
		unsigned char c = (unsigned char)head.p[i];

		if ((c < ' ' && !ascii_is_space((char)c) && c != '\x1b') ||
		    c == '\x7f')
			return false;
	}
	return true;
}

/* what a file is that no source reads, as the end of a message */
static const char *
unknown_file(const struct operand *from)
{
	return is_text(operand_head(from))
		   ? "is text, but no recording that tq reads: " LISTED
		   : "is no recording that tq reads: " LISTED;
}

/* exit, if it is such a database */
static void
refuse_database(const struct database *db)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (database_int(db, 0,
			database_prepare(db,
			    "SELECT count(*) FROM main.sqlite_master WHERE "
			    "type = 'table' AND name = %Q AND "
			    "instr(sql, %Q) > 0",
			    tables[i].table, tables[i].sql)) > 0)
			errx(TQ_FAIL, "%s: %s", db->name, tables[i].what);
}

/* ---- the source of an input ---- */

static const struct source *
by_name(const char *name)
{
	for (int i = 0; i < COUNT; i++)
		if (strcmp(sources[i]->name, name) == 0)
			return sources[i];
	return NULL;
}

bool
source_exists(const char *name)
{
	return by_name(name) != NULL;
}

void
source_list(struct text *to)
{
	for (int i = 0; i < COUNT; i++)
		text_printf(
		    to, "%-10s %s\n", sources[i]->name, sources[i]->about);
}

/* of sources that read databases, or of all others */
static const struct source *
detect(const struct source_input *in, bool database)
{
	for (int i = 0; i < COUNT; i++)
		if (sources[i]->database == database && sources[i]->detect(in))
			return sources[i];
	return NULL;
}

static void
open_database(struct source_input *in, struct database *db, const char *unknown)
{
	database_open(db, in->from, !in->settings->sqlite,
	    in->settings->via_nsys, unknown);
	in->db = db;
}

const struct source *
source_find(struct source_input *in, struct database *db, const char *format)
{
	const struct source *s;

	if (format != NULL) {
		s = by_name(format);
		if (s->database)
			open_database(in, db, "not a database");
		return s;
	}
	refuse_file(in->from);
	if ((s = detect(in, false)) != NULL)
		return s;
	/* exits where it is none */
	open_database(in, db, unknown_file(in->from));
	if ((s = detect(in, true)) == NULL) {
		refuse_database(db);
		errx(TQ_FAIL, "%s: no table of an nsys export in it", db->name);
	}
	return s;
}

void
source_write_lost(struct output *o, int64_t ts, const char *reason,
    const char *what, int64_t count)
{
	if (count == 0)
		return;
	emit_open(o, KIND_lost);
	emit_int(o, KEY_ts, ts);
	emit_str(o, KEY_reason, span_of(reason));
	emit_str(o, KEY_what, span_of(what));
	emit_int(o, KEY_count, count);
	emit_close(o);
}
