/* cell.c - what a value is where an integer is wanted */

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "row_format.h"

bool
sql_value_int(const struct sql_value *c, int64_t *v)
{
	char buf[32], *end;

	switch (c->type) {
	case SQL_INT:
		*v = c->i;
		return true;
	case SQL_REAL:
		*v = fabs(c->d) < 9.2e18 ? (int64_t)c->d : 0;
		return fabs(c->d) < 9.2e18;
	case SQL_TEXT:
		if (c->s.len == 0 || c->s.len >= sizeof(buf))
			return false;
		memcpy(buf, c->s.p, c->s.len);
		buf[c->s.len] = '\0';
		errno = 0;
		*v = strtoll(buf, &end, 10);
		return errno == 0 && *end == '\0';
	default:
		return false;
	}
}
