/*
 * units.c - numbers with units
 *
 *	quantity = [ "-" ] number unit { number unit }
 *	number   = digit { digit } [ "." { digit } ]
 */

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "tq/base/ascii.h"
#include "tq/base/units.h"
#include "tq/base/wide.h" /* no product of ours overflows it */

struct unit {
	const char *name;
	int64_t factor;
};

static const struct unit times[] = {
    {"", 1},
    {"ns", 1},
    {"\xc2\xb5s", 1000}, /* micro sign */
    {"us", 1000},
    {"ms", 1000000},
    {"s", 1000000000},
    {"m", 60000000000},
    {"h", 3600000000000},
    {NULL, 0},
};

static const struct unit sizes[] = {
    {"", 1},
    {"B", 1},
    {"kB", 1000},
    {"MB", 1000000},
    {"GB", 1000000000},
    {"TB", 1000000000000},
    {"k", 1 << 10},
    {"K", 1 << 10},
    {"KiB", 1 << 10},
    {"M", 1 << 20},
    {"MiB", 1 << 20},
    {"G", 1 << 30},
    {"GiB", 1 << 30},
    {"T", (int64_t)1 << 40},
    {"TiB", (int64_t)1 << 40},
    {NULL, 0},
};

static const struct unit percents[] = {{"%", UNITS_PERCENT}, {NULL, 0}};

/* add digits * factor, where scale is how many of them are a fraction */
static bool
add_scaled(wide digits, int scale, int64_t factor, int64_t *sum)
{
	wide v = digits * factor;

	for (; scale > 0; scale--)
		v /= 10;
	v += *sum;
	*sum = (int64_t)v;
	return v <= INT64_MAX;
}

static bool
term(const char **text, const struct unit *units, int64_t *sum)
{
	const char *p = *text;
	wide digits = 0;
	int scale = 0;
	bool point = false;
	size_t n;

	if (!ascii_is_digit(*p))
		return false;
	for (; ascii_is_digit(*p) || (*p == '.' && !point); p++) {
		if (*p == '.') {
			point = true;
			continue;
		}
		if (digits > INT64_MAX) {
			if (!point)
				return false;
			continue; /* digits that no unit reaches */
		}
		digits = digits * 10 + (*p - '0');
		scale += point;
	}
	for (n = 0; p[n] != '\0' && !ascii_is_digit(p[n]);)
		n++;
	if (point && n == 0)
		return false; /* of a nanosecond or byte? seconds were meant */
	for (; units->name != NULL; units++)
		if (strlen(units->name) == n &&
		    memcmp(units->name, p, n) == 0) {
			*text = p + n;
			return add_scaled(digits, scale, units->factor, sum);
		}
	return false;
}

static bool
quantity(const char *text, const struct unit *units, int64_t *v)
{
	bool negative = *text == '-';
	int64_t sum = 0;

	if (negative)
		text++;
	do
		if (!term(&text, units, &sum))
			return false;
	while (*text != '\0');
	*v = negative ? -sum : sum;
	return true;
}

bool
units_time(const char *text, int64_t *ns)
{
	return quantity(text, times, ns);
}

/* "12", "-1.5" */
static bool
lacks_unit(const char *text)
{
	text += *text == '-';
	return *text != '\0' && text[strspn(text, "0123456789.")] == '\0' &&
	       text[strspn(text, "0.")] != '\0';
}

const char *
units_option_time(const char *text, int64_t *ns)
{
	if (lacks_unit(text))
		return "a time has no unit: s, ms, us or ns?";
	return units_time(text, ns) ? NULL
				    : "expected a time, as in 1.5s or 200ms";
}

/* The same, where a number without a unit has this one. */
static bool
quantity_in(
    const char *text, const char *unit, const struct unit *units, int64_t *v)
{
	char with[64];
	bool bare = *text != '\0' && text[strspn(text, "-.0123456789")] == '\0';

	if (!bare)
		return quantity(text, units, v);
	return snprintf(with, sizeof(with), "%s%s", text, unit) <
		   (int)sizeof(with) &&
	       quantity(with, units, v);
}

const char *
units_option_time_in(const char *text, const char *unit, int64_t *ns)
{
	return quantity_in(text, unit, times, ns)
		   ? NULL
		   : "expected a time, as in 1.5s or 200ms";
}

bool
units_size(const char *text, int64_t *bytes)
{
	return quantity(text, sizes, bytes);
}

bool
units_percent(const char *text, int64_t *parts)
{
	return quantity_in(text, "%", percents, parts);
}

static void
add_quantity(struct text *t, const struct unit *units, int64_t v)
{
	const struct unit *best = units;

	for (; v != 0 && units->name != NULL; units++)
		if (v % units->factor == 0 && units->factor >= best->factor)
			best = units;
	text_printf(t, "%" PRId64 "%s", v / best->factor, best->name);
}

void
units_add_time(struct text *t, int64_t ns)
{
	add_quantity(t, times, ns);
}

void
units_add_size(struct text *t, int64_t bytes)
{
	add_quantity(t, sizes, bytes);
}
