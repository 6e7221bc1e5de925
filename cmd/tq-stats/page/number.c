/* number.c - numbers of the page, as people read them */

#include <inttypes.h>

#include "tq/base/span.h"

#include "number.h"

/* a unit, and how many of the least unit it is */
struct number_unit {
	const char *name;
	uint64_t factor;
};

/* n / d, rounded, with n < 2^63 and d <= 10^19 */
static uint64_t
divide(uint64_t n, uint64_t d)
{
	return n / d + (n % d >= d - n % d);
}

/* n of the least unit in this one, with three significant digits. */
static void
add_digits(struct text *t, uint64_t n, uint64_t factor)
{
	int decimals = 0;
	uint64_t scaled, one = 1;

	while (decimals < 2 && factor >= 10 && n / factor < 100 / one) {
		decimals++;
		one *= 10;
	}
	scaled = divide(n, factor / one);
	if (scaled >= 1000 && decimals > 0) { /* 9.999 is 10.0 */
		decimals--;
		one /= 10;
		scaled = divide(n, factor / one);
	}
	text_printf(t, "%" PRIu64, scaled / one);
	if (decimals > 0)
		text_printf(t, ".%0*" PRIu64, decimals, scaled % one);
}

/* The last unit of which there is one at least, after rounding. */
static void
add_unit(struct text *t, uint64_t n, const struct number_unit *units)
{
	while (units[1].name != NULL &&
	       divide(n, units->factor) >= units[1].factor / units->factor)
		units++;
	add_digits(t, n, units->factor);
	text_printf(t, " %s", units->name);
}

static uint64_t
add_sign(struct text *t, int64_t v)
{
	if (v < 0)
		text_add_char(t, '-');
	return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

void
number_time(struct text *t, int64_t ns)
{
	static const struct number_unit units[] = {{"ns", 1}, {"us", 1000},
	    {"ms", 1000000}, {"s", 1000000000}, {NULL, 0}};
	uint64_t n = add_sign(t, ns), s = divide(n, 1000000000);

	if (s < 600)
		add_unit(t, n, units);
	else if (s < 3600)
		text_printf(t, "%" PRIu64 "m %" PRIu64 "s", s / 60, s % 60);
	else
		text_printf(
		    t, "%" PRIu64 "h %" PRIu64 "m", s / 3600, s % 3600 / 60);
}

void
number_moment(struct text *t, int64_t ns)
{
	uint64_t ms = divide(add_sign(t, ns), 1000000);

	text_printf(t, "%" PRIu64 ".%03" PRIu64 " s", ms / 1000, ms % 1000);
}

static const struct number_unit sizes[] = {{"B", 1}, {"kB", 1000},
    {"MB", 1000000}, {"GB", 1000000000}, {"TB", 1000000000000},
    {"PB", 1000000000000000}, {NULL, 0}};

void
number_size(struct text *t, int64_t bytes)
{
	add_unit(t, add_sign(t, bytes), sizes);
}

void
number_rate(struct text *t, int64_t bytes_per_second)
{
	number_size(t, bytes_per_second);
	text_add_str(t, "/s");
}

void
number_count(struct text *t, int64_t n)
{
	char digits[TEXT_INT_MAX];
	size_t len = (size_t)(text_digits(digits, add_sign(t, n)) - digits);

	for (size_t i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			text_add_char(t, ',');
		text_add_char(t, digits[i]);
	}
}

void
number_share(struct text *t, int64_t part, int64_t all)
{
	long double tenths =
	    all > 0 ? 1000 * (long double)part / (long double)all : 0;
	int64_t n = (int64_t)(tenths + 0.5L);

	if (n == 0 && part > 0)
		text_add_str(t, "<.1");
	else
		text_printf(t, "%" PRId64 ".%d", n / 10, (int)(n % 10));
}
