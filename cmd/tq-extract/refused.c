/* refused.c - recordings that are known and not read */

#include <err.h>

#include "refused.h"
#include "tq/base/ascii.h"
#include "tq/io/foreign.h"
#include "tq/io/status.h"

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

void
refused_file(const struct operand *from)
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

const char *
refused_unknown(const struct operand *from)
{
	return is_text(operand_head(from))
		   ? "is text, but no recording that tq reads: " LISTED
		   : "is no recording that tq reads: " LISTED;
}

void
refused_database(const struct database *db)
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
