/* sql_value.h - a value of a row, as SQLite types it */
#ifndef SQL_VALUE_H
#define SQL_VALUE_H

#include <stdbool.h>

#include "tq/base/text.h"

enum sql_type { SQL_NULL, SQL_INT, SQL_REAL, SQL_TEXT, SQL_BLOB };

/* text and blobs are good until the next row */
struct sql_value {
	enum sql_type type;
	union {
		int64_t i;
		double d;
		struct span s;
	};
};

/*
 * The integer in a column that should hold one: a real is cut, and text that
 * spells an integer counts.  False for anything else.
 */
bool sql_value_int(const struct sql_value *value, int64_t *v);

#endif
