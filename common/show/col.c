/* col.c - a row of a table, column by column */

#include "tq/show/col.h"

void
col_sum(struct table *t, const char *name, enum unit unit, wide v)
{
	col_sum_if(t, name, unit, true, v);
}

void
col_sum_if(struct table *t, const char *name, enum unit unit, bool has, wide v)
{
	int64_t shown = v >= INT64_MAX   ? INT64_MAX
			: v <= INT64_MIN ? INT64_MIN
					 : (int64_t)v;

	if (has && (shown == INT64_MAX || shown == INT64_MIN))
		t->saturated = true;
	col_int_if(t, name, unit, has, shown);
}

/* part / all; 64 bits and more exactly as far as a long double goes */
static long double
quotient(wide part, wide all)
{
	wide whole;

	if (all > 0 && (part > INT64_MAX || part < INT64_MIN)) {
		whole = part / all;
		return (long double)whole +
		       (long double)(part % all) / (long double)all;
	}
	return (long double)part / (long double)all;
}

void
col_real(struct table *t, const char *name, enum unit unit, long double v,
    unsigned char decimals)
{
	col_real_if(t, name, unit, true, v, decimals);
}

void
col_real_if(struct table *t, const char *name, enum unit unit, bool has,
    long double v, unsigned char decimals)
{
	if (t->heading)
		table_column(t, name, unit);
	else if (has)
		table_real(t, v, decimals);
	else
		table_empty(t);
}

void
col_significant_if(struct table *t, const char *name, bool has, double v)
{
	col_real_if(t, name, UNIT_NONE, has, v, TABLE_SIGNIFICANT);
}

void
col_six_digits_if(struct table *t, const char *name, bool has, double v)
{
	col_real_if(t, name, UNIT_NONE, has, v, TABLE_SIX_DIGITS);
}

void
col_ratio(struct table *t, const char *name, enum unit unit, wide part,
    wide all, unsigned char decimals)
{
	col_real_if(t, name, unit, all > 0, quotient(part, all), decimals);
}

void
col_share(struct table *t, const char *name, wide part, wide all)
{
	col_real_if(t, name, UNIT_PERCENT, all > 0,
	    100 * (long double)part / (long double)all, 1);
}

void
col_rate(struct table *t, const char *name, wide bytes, int64_t ns)
{
	col_real_if(t, name, UNIT_THROUGHPUT, ns > 0,
	    (long double)bytes * 1e9L / ns, 0);
}
