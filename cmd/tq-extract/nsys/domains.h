/*
 * domains.h - the names of NVTX domains and categories, which records have in
 * place of their numbers.
 */
#ifndef DOMAINS_H
#define DOMAINS_H

#include "string_ids.h"
#include "tq/base/keyed.h"

struct domains {
	const struct database *db;
	struct string_ids *strings;
	char *table;     /* of the name rows; NULL: no table was searched */
	int64_t *rowids; /* that name a domain, a category or a thread */
	size_t count, cap;
	/* names as JSON, by process and number */
	KEYED(struct text) domains;
	KEYED(struct text) categories;
};

void domains_free(struct domains *d);

/* A row of the table that names something; in order of rowids. */
void domains_add_row(struct domains *d, int64_t rowid);

/*
 * Read the names from the rows that were added, or from all rows where no
 * table was searched; afterwards temp.nvtx_names has these rows.
 */
void domains_read(struct domains *d);

/*
 * The name as JSON, "#NUMBER" where it has none, empty for number 0; good
 * until the next call.  global: of the process or a thread of it.
 */
struct span domains_name(struct domains *d, uint64_t global, int64_t domain);
struct span domains_category(
    struct domains *d, uint64_t global, int64_t domain, int64_t category);

#endif
