/*
 * call_chains.h - stack records, which other records refer to by id, from the
 * tables of call chains.
 */
#ifndef CALL_CHAINS_H
#define CALL_CHAINS_H

#include "string_ids.h"
#include "tq/base/map.h"
#include "tq/io/output.h"

enum { CALL_CHAINS_TABLES = 4 };

struct sequential_chains;

struct chain_table {
	const char *name;
	sqlite3_stmt *frames; /* of a chain; NULL where there is no table */
	struct sequential_chains *sequential; /* NULL: use frames */
	bool tried;                           /* to open sequential */
	struct map ids; /* of chains -> id of the stack + 1; a cache */
};

struct call_chains {
	const struct database *db; /* whose store may have the frames */
	struct string_ids *strings;
	struct output *out;
	struct chain_table tables[CALL_CHAINS_TABLES];
	struct map stacks; /* two hashes of the frames -> id */
	int64_t stack_count;
	struct text frames; /* of a stack, as JSON */
};

/* db, strings and out are set, and borrowed. */
void call_chains_open(struct call_chains *c);
void call_chains_close(struct call_chains *c);

/*
 * The id of the stack of a call chain; its record is written where it is new.
 * 0 where the export lacks the chain.
 */
int64_t call_chains_stack(
    struct call_chains *c, const char *table, int64_t chain);

#endif
