/* cells.c - cells to text */

#include <math.h>
#include <stdio.h>
#include <strings.h>

#include "tq/show/cells.h"
#include "tq/show/title_key.h"

enum { POWERS = 10 };
static const int64_t powers[POWERS] = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};

static wide
divide(wide v, int64_t by)
{
	return (v + (v < 0 ? -by / 2 : by / 2)) / by;
}

/* True for numbers with no digits behind the point to lose, or hardly any. */
static bool
is_long(long double d)
{
	return fabsl(d) >= 0x1p58L && fabsl(d) < 1e27L;
}

/* The same as scale(), without a number that a long double cannot hold. */
static wide
scale_long(long double d, unsigned decimals, int64_t by)
{
	long double whole = truncl(d);
	wide v = (wide)whole * powers[decimals];

	v += (wide)roundl((d - whole) * (long double)powers[decimals]);
	return divide(v, by);
}

/*
 * cell * 10^decimals / by, rounded half away from zero.  A mean such as
 * 1607.35 is no binary fraction, so a number within the last bits of a half
 * counts as a half; with binary only an exact half of a double does, as in
 * nsys 2024.6.
 */
static wide
scale(const struct table_cell *cell, unsigned decimals, int64_t by, bool binary)
{
	const long double most = 1e36L;
	long double d;

	if (cell->type == CELL_INT)
		return divide((wide)cell->i * powers[decimals], by);
	if (is_long(cell->d))
		return scale_long(cell->d, decimals, by);
	d = fabsl(binary ? (long double)(double)cell->d : cell->d);
	d = d * (long double)powers[decimals] / (long double)by;
	d = floorl(d + 0.5L + (binary ? 0 : d * 0x1p-60L));
	if (d > most)
		d = most;
	return cell->d < 0 ? -(wide)d : (wide)d;
}

static bool
is_number(const struct table_cell *cell)
{
	return cell->type == CELL_INT ||
	       (cell->type == CELL_REAL && isfinite(cell->d));
}

/* v / 10^decimals */
static void
add_fixed(struct text *t, wide v, unsigned decimals, bool separators)
{
	char digits[64], *p = digits + sizeof(digits);
	bool negative = v < 0;
	unsigned n = 0;

	if (negative)
		v = -v;
	while (n <= decimals || v > 0) {
		if (n == decimals && n > 0)
			*--p = '.';
		if (separators && n > decimals && (n - decimals) % 3 == 0)
			*--p = ',';
		*--p = (char)('0' + (int)(v % 10));
		v /= 10;
		n++;
	}
	if (negative)
		*--p = '-';
	text_add(t, p, (size_t)(digits + sizeof(digits) - p));
}

/* add_fixed of 64 bits and no separators, many times faster */
static void
add_short(struct text *t, bool negative, uint64_t v, unsigned decimals)
{
	char digits[TEXT_INT_MAX];
	size_t n = (size_t)(text_digits(digits, v) - digits);
	size_t whole = n > decimals ? n - decimals : 0;

	if (negative && v != 0)
		text_add_char(t, '-');
	if (whole > 0)
		text_add(t, digits, whole);
	else
		text_add_char(t, '0');
	if (decimals == 0)
		return;
	text_add_char(t, '.');
	for (size_t i = n; i < decimals; i++)
		text_add_char(t, '0');
	text_add(t, digits + whole, n - whole);
}

void
cells_add_fixed(struct text *t, int64_t v, unsigned decimals)
{
	add_short(t, v < 0, v < 0 ? -(uint64_t)v : (uint64_t)v, decimals);
}

/* scale by 1 and add_fixed; false if the number is too large */
static bool
add_plain(struct text *t, const struct table_cell *cell, unsigned decimals)
{
	long double d;

	if (cell->type == CELL_INT) {
		text_add_int(t, cell->i);
		return true;
	}
	d = fabsl(cell->d) * (long double)powers[decimals];
	d = d + 0.5L + d * 0x1p-60L;
	if (d >= 1e18L)
		return false;
	add_short(t, cell->d < 0, (uint64_t)d, decimals);
	return true;
}

/* SQLite shows a REAL with a point, even if only 0 is behind it. */
static void
add_significant(struct text *t, double d)
{
	char digits[32];
	size_t n;

	snprintf(digits, sizeof(digits), "%.*g", TABLE_SIGNIFICANT, d);
	n = strcspn(digits, ".e");
	text_add(t, digits, n);
	text_add_str(t, digits[n] == '.' ? "" : ".0");
	text_add_str(t, digits + n);
}

static const char *
time_name(int64_t ns)
{
	return ns == 1         ? "ns"
	       : ns == 1000    ? "us"
	       : ns == 1000000 ? "ms"
			       : "sec";
}

void
cells_title(struct text *t, const struct format_options *f,
    const struct column *c, enum cells_base base)
{
	const char *unit = NULL;

	switch (c->unit) {
	case UNIT_NONE:
		break;
	case UNIT_PERCENT:
		unit = "%";
		break;
	case UNIT_TIME:
		unit = time_name(f->time_unit);
		break;
	case UNIT_SIZE:
		unit = base == CELLS_ONE ? "B" : "MB";
		break;
	case UNIT_THROUGHPUT:
		unit = base == CELLS_ONE ? "B/s" : "MB/s";
		break;
	}
	if (f->plain_keys) {
		title_key_add(t, c, unit);
		return;
	}
	text_add_str(t, c->name);
	if (unit != NULL)
		text_printf(t, " (%s)", unit);
}

bool
cells_add(struct text *t, const struct format_options *f,
    const struct column *c, const struct table_cell *cell, enum cells_base base,
    bool separators)
{
	unsigned decimals = cell->type == CELL_REAL ? cell->decimals : 0;
	int64_t by = 1;

	if (!is_number(cell))
		return false;
	if (cell->type == CELL_REAL && decimals == TABLE_SIGNIFICANT) {
		add_significant(t, (double)cell->d);
		return true;
	}
	if (cell->type == CELL_REAL && decimals == TABLE_SIX_DIGITS) {
		text_printf(t, "%.6g", (double)cell->d);
		return true;
	}
	if (c->unit == UNIT_TIME && f->time_unit != 1) {
		by = f->time_unit;
		decimals = by == 1000 ? 3 : 4;
	} else if (base == CELLS_MEGA &&
		   (c->unit == UNIT_SIZE || c->unit == UNIT_THROUGHPUT)) {
		by = 1000000;
		decimals = 3;
	}
	if (decimals >= POWERS)
		decimals = POWERS - 1;
	if (by == 1 && !separators && !f->binary &&
	    add_plain(t, cell, decimals))
		return true;
	add_fixed(
	    t, scale(cell, decimals, by, f->binary), decimals, separators);
	return true;
}

/* ---- for people ---- */

struct scale {
	const char *name;
	int64_t by;
};

static const struct scale times[] = {
    {"ns", 1},
    {"us", 1000},
    {"ms", 1000000},
    {"s", 1000000000},
    {0},
};
static const struct scale sizes[] = {
    {"B", 1},
    {"kB", 1000},
    {"MB", 1000000},
    {"GB", 1000000000},
    {"TB", 1000000000000},
    {0},
};

static bool
ends_with(const char *name, const char *end)
{
	size_t n = strlen(name), len = strlen(end);

	return n >= len && strcasecmp(name + n - len, end) == 0;
}

static bool
is_moment(const struct column *c)
{
	return c->unit == UNIT_TIME &&
	       (ends_with(c->name, "start") || ends_with(c->name, "end"));
}

/* three digits, in the smallest unit where they suffice */
static void
add_scaled(struct text *t, const struct table_cell *cell, const struct scale *s)
{
	unsigned most = cell->type == CELL_REAL ? 2 : 1; /* and one less */
	wide v;

	for (;; s++, most = 3)
		for (unsigned n = most; n-- > 0;) {
			v = scale(cell, n, s->by, false);
			if ((v > -1000 && v < 1000) ||
			    (n == 0 && s[1].name == NULL)) {
				add_fixed(t, v, n, true);
				text_printf(t, " %s", s->name);
				return;
			}
		}
}

void
cells_title_human(
    struct text *t, const struct format_options *f, const struct column *c)
{
	if (c->unit == UNIT_PERCENT ||
	    (c->unit == UNIT_TIME && f->time_unit != 1))
		cells_title(t, f, c, CELLS_MEGA);
	else if (is_moment(c))
		text_printf(t, "%s (s)", c->name);
	else
		text_add_str(t, c->name);
}

bool
cells_add_human(struct text *t, const struct format_options *f,
    const struct column *c, const struct table_cell *cell)
{
	if (!is_number(cell))
		return false;
	if (c->unit == UNIT_SIZE || c->unit == UNIT_THROUGHPUT) {
		add_scaled(t, cell, sizes);
		if (c->unit == UNIT_THROUGHPUT)
			text_add_str(t, "/s");
	} else if (c->unit != UNIT_TIME || f->time_unit != 1)
		/* an id is no amount: no separators */
		return cells_add(t, f, c, cell, CELLS_MEGA,
		    c->unit != UNIT_NONE || !ends_with(c->name, "id"));
	else if (is_moment(c))
		add_fixed(t, scale(cell, 9, 1000000000, false), 9, true);
	else
		add_scaled(t, cell, times);
	return true;
}
