/* cell.c - what a value is where an integer is wanted */

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "row.h"

bool
cell_int(const struct cell *c, int64_t *v)
{
	char buf[32], *end;

	switch (c->type) {
	case CELL_INT:
		*v = c->i;
		return true;
	case CELL_REAL:
		*v = fabs(c->d) < 9.2e18 ? (int64_t)c->d : 0;
		return fabs(c->d) < 9.2e18;
	case CELL_TEXT:
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
