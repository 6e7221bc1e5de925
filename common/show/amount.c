/* amount.c - amounts as people read them */

#include <inttypes.h>
#include <math.h>

#include "tq/show/amount.h"
#include "tq/show/cells.h"

static void
add_cell(struct text *t, const struct table_cell *cell, enum unit unit)
{
	const struct format_options f = {.time_unit = 1};
	const struct column c = {.name = "", .unit = unit};

	cells_add_human(t, &f, &c, cell);
}

static void
add_amount(struct text *t, int64_t v, enum unit unit)
{
	add_cell(t, &(struct table_cell){.type = CELL_INT, .i = v}, unit);
}

void
amount_time(struct text *t, int64_t ns)
{
	const int64_t second = 1000000000, minute = 60, hour = 3600;
	int64_t s = ns / second + (ns % second >= second / 2);

	if (s < 10 * minute)
		add_amount(t, ns, UNIT_TIME);
	else if (s < hour)
		text_printf(
		    t, "%" PRId64 "m %" PRId64 "s", s / minute, s % minute);
	else
		text_printf(t, "%" PRId64 "h %" PRId64 "m", s / hour,
		    s % hour / minute);
}

void
amount_half_time(struct text *t, wide ns2)
{
	if (ns2 % 2 == 0)
		amount_time(t, (int64_t)(ns2 / 2));
	else
		add_cell(t,
		    &(struct table_cell){.type = CELL_REAL,
			.decimals = 1,
			.d = (long double)ns2 / 2},
		    UNIT_TIME);
}

void
amount_seconds(struct text *t, int64_t ns)
{
	cells_add_fixed(t, ns, 9);
}

void
amount_moment(struct text *t, int64_t ns)
{
	const int64_t ms = 1000000;

	cells_add_fixed(
	    t, ns / ms + (ns % ms >= ms / 2) - (ns % ms <= -ms / 2), 3);
	text_add_str(t, " s");
}

void
amount_size(struct text *t, int64_t bytes)
{
	add_amount(t, bytes, UNIT_SIZE);
}

void
amount_rate(struct text *t, int64_t bytes_per_second)
{
	add_amount(t, bytes_per_second, UNIT_THROUGHPUT);
}

void
amount_count(struct text *t, int64_t n)
{
	add_amount(t, n, UNIT_NONE);
}

void
amount_of(struct text *t, int64_t n, const char *one, const char *more)
{
	amount_count(t, n);
	text_add_char(t, ' ');
	text_add_str(t, n == 1 ? one : more);
}

void
amount_share(struct text *t, int64_t part, int64_t whole)
{
	wide tenths = 0;

	if (whole > 0)
		tenths = ((wide)part * 2000 / whole + 1) / 2;
	if (tenths == 1000 && part < whole)
		tenths--; /* all is not said of less */
	if (tenths == 0 && part > 0)
		text_add_str(t, "<.1");
	else
		text_printf(t, "%" PRId64 ".%d", (int64_t)(tenths / 10),
		    (int)(tenths % 10));
}

void
amount_change(struct text *t, double ratio)
{
	double percent = (ratio - 1) * 100;

	if (fabs(percent) < 0.005)
		text_add_str(t, "0.00 %");
	else
		text_printf(
		    t, fabs(percent) < 1000 ? "%+.2f %%" : "%+.0f %%", percent);
}

void
amount_change_range(struct text *t, double low, double high)
{
	text_printf(t, "%+.2f to %+.2f %%", (low - 1) * 100, (high - 1) * 100);
}
