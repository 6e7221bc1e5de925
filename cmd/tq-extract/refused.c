/* refused.c - recordings that are known and not read */

#include <err.h>

#include "read/lenient.h"
#include "refused.h"
#include "tq/io/status.h"

/* bytes that may have a NUL among them */
static const struct refused_bytes {
	struct span bytes;
	const char *what;
} starts[] = {
#define START(bytes, what) {{bytes, sizeof(bytes) - 1}, what},
#include "refused.def"
};

static const struct refused_bytes lines[] = {
#define LINE(text, what) {{text, sizeof(text) - 1}, what},
#include "refused.def"
};

static const struct {
	const char *name, *what;
} keys[] = {
#define KEY(name, what) {name, what},
#include "refused.def"
};

static const struct {
	const char *name, *sql, *what;
} tables[] = {
#define TABLE(name, sql, what) {name, sql, what},
#include "refused.def"
};

enum {
	STARTS = sizeof(starts) / sizeof(starts[0]),
	LINES = sizeof(lines) / sizeof(lines[0]),
	KEYS = sizeof(keys) / sizeof(keys[0]),
	TABLES = sizeof(tables) / sizeof(tables[0])
};

static void
refuse_start(const struct operand *from, struct span head,
    const struct refused_bytes *all, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (span_begins(head, all[i].bytes))
			errx(TQ_FAIL, "%s: is %s", from->name, all[i].what);
}

/*
 * The profile of XLA is a message of protobuf whose field 1 is a plane: a
 * message of an id and a name, which begins with one of the names below.
 */
static bool
is_xplane(struct span head)
{
	static const char *const names[] = {"/host:", "/device:", "/task:"};

	if (head.len == 0 || *head.p != '\n')
		return false;
	if (head.len > 32)
		head.len = 32;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *p =
		    memmem(head.p, head.len, names[i], strlen(names[i]));

		/* its field, and its length */
		if (p != NULL && p - head.p >= 4 && p[-2] == '\x12')
			return true;
	}
	return false;
}

void
refused_file(const struct operand *from)
{
	struct span head = operand_head(from);

	refuse_start(from, head, starts, STARTS);
	refuse_start(from, lenient_start(head), lines, LINES);
	for (size_t i = 0; i < KEYS; i++)
		if (lenient_has_key(head, keys[i].name))
			errx(TQ_FAIL, "%s: is %s", from->name, keys[i].what);
	if (is_xplane(head))
		errx(TQ_FAIL,
		    "%s: is a profile of XLA: give the trace.json.gz beside "
		    "it",
		    from->name);
}

void
refused_database(const struct database *db)
{
	for (size_t i = 0; i < TABLES; i++)
		if (database_int(db, 0,
			database_prepare(db,
			    "SELECT count(*) FROM main.sqlite_master WHERE "
			    "type = 'table' AND name = %Q AND "
			    "instr(sql, %Q) > 0",
			    tables[i].name, tables[i].sql)) > 0)
			errx(TQ_FAIL, "%s: is %s", db->name, tables[i].what);
}
