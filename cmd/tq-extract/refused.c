/* refused.c - recordings that are known and not read */

#include <err.h>

#include "refused.h"
#include "tq/io/foreign.h"
#include "tq/io/status.h"

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
