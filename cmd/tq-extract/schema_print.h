/*
 * schema_print.h - the kinds and keys of the stream, for people and databases.
 */
#ifndef SCHEMA_PRINT_H
#define SCHEMA_PRINT_H

#include "tq/base/text.h"

/* their names in this order, see tq-extract(1) */
#define SCHEMA_PRINT_NAMES "ndjson|duckdb|clickhouse|sqlite"

enum schema_print_form {
	SCHEMA_PRINT_NDJSON,
	SCHEMA_PRINT_DUCKDB,
	SCHEMA_PRINT_CLICKHOUSE,
	SCHEMA_PRINT_SQLITE
};

void schema_print(struct text *t, enum schema_print_form form);

#endif
