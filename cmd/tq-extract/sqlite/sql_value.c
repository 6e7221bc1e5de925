/* sql_value.c - a value of a row as an integer */

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "sql_value.h"

static bool
read_text(struct span s, int64_t *v)
{
	char buf[32], *end;

	if (s.len == 0 || s.len >= sizeof(buf))
		return false;
	memcpy(buf, s.p, s.len);
	buf[s.len] = '\0';
	errno = 0;
	*v = strtoll(buf, &end, 10);
	return errno == 0 && *end == '\0';
}

bool
sql_value_int(const struct sql_value *value, int64_t *v)
{
	switch (value->type) {
	case SQL_INT:
		*v = value->i;
		return true;
	case SQL_REAL:
		*v = fabs(value->d) < 9.2e18 ? (int64_t)value->d : 0;
		return fabs(value->d) < 9.2e18;
	case SQL_TEXT:
		return read_text(value->s, v);
	default:
		return false;
	}
}
