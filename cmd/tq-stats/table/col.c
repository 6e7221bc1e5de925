/* col.c - a row of a table, column by column */

#include "col.h"

void
col_real(struct table *t, const char *name, enum unit unit, long double v,
    unsigned char decimals)
{
	if (t->heading)
		table_column(t, name, unit);
	else
		table_real(t, v, decimals);
}

void
col_ratio(struct table *t, const char *name, enum unit unit, dist_wide part,
    dist_wide all, unsigned char decimals)
{
	if (t->heading)
		table_column(t, name, unit);
	else if (all > 0)
		table_real(t, (long double)part / (long double)all, decimals);
	else
		table_empty(t);
}

void
col_share(struct table *t, const char *name, dist_wide part, dist_wide all)
{
	if (t->heading)
		table_column(t, name, UNIT_PERCENT);
	else
		table_share(t, part, all);
}

void
col_rate(struct table *t, const char *name, dist_wide bytes, int64_t ns)
{
	if (t->heading)
		table_column(t, name, UNIT_THROUGHPUT);
	else if (ns > 0)
		table_real(t, (long double)bytes * 1e9L / ns, 0);
	else
		table_empty(t);
}
