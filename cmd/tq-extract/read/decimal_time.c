/* decimal_time.c - times as decimal text, exactly */

#include "decimal_time.h"
#include "tq/base/ascii.h"

enum {
	MOST_DIGITS = 19,     /* so many fit 64 bits without a sign */
	EXPONENT_MAX = 100000 /* more digits than a time has */
};

/* a number taken apart: 0.DIGITS * 10^point, without its sign */
struct decimal {
	const char *digits, *end; /* may have a point between them */
	int64_t point;
	bool negative;
};

static bool
read_exponent(const char *p, const char *end, int64_t *exponent)
{
	bool negative = p < end && *p == '-';
	int64_t v = 0;

	if (p < end && (*p == '-' || *p == '+'))
		p++;
	if (p == end)
		return false;
	for (; p < end && ascii_is_digit(*p); p++)
		if (v < EXPONENT_MAX)
			v = v * 10 + (*p - '0');
	*exponent = negative ? -v : v;
	return p == end;
}

static bool
read_decimal(struct span s, struct decimal *d)
{
	const char *p = s.p, *end = s.p + s.len, *point;
	int64_t exponent = 0;

	d->negative = p < end && *p == '-';
	if (d->negative)
		p++;
	d->digits = p;
	while (p < end && ascii_is_digit(*p))
		p++;
	if (p == d->digits)
		return false;
	point = p;
	if (p < end && *p == '.')
		for (p++; p < end && ascii_is_digit(*p); p++)
			;
	d->end = p;
	if (p < end &&
	    ((*p | 32) != 'e' || !read_exponent(p + 1, end, &exponent)))
		return false;
	d->point = point - d->digits + exponent;
	return true;
}

/* the next digit of d, 0 behind the last one */
static unsigned
next_digit(struct decimal *d)
{
	if (d->digits < d->end && *d->digits == '.')
		d->digits++;
	return d->digits < d->end ? (unsigned)(*d->digits++ - '0') : 0;
}

/* is there a digit but 0 left? */
static bool
has_rest(struct decimal *d)
{
	while (d->digits < d->end)
		if (next_digit(d) != 0)
			return true;
	return false;
}

/* digits, and at most to_ns decimals, as nearly all times are */
static bool
read_plain(struct span s, size_t to_ns, int64_t *ns)
{
	size_t i = 0, decimals = 0;
	uint64_t v = 0;

	if (s.len > MOST_DIGITS + 1)
		return false;
	for (; i < s.len && ascii_is_digit(s.p[i]); i++)
		v = v * 10 + (uint64_t)(s.p[i] - '0');
	if (i == 0 || i > MOST_DIGITS - to_ns)
		return false;
	if (i < s.len && s.p[i] == '.')
		for (i++;
		     i < s.len && decimals < to_ns && ascii_is_digit(s.p[i]);
		     i++, decimals++)
			v = v * 10 + (uint64_t)(s.p[i] - '0');
	for (; decimals < to_ns; decimals++)
		v *= 10;
	*ns = (int64_t)v;
	return i == s.len && v <= INT64_MAX;
}

bool
decimal_time(
    struct span text, enum decimal_unit unit, int64_t *ns, int64_t *rounded)
{
	struct decimal d;
	uint64_t v = 0;
	unsigned digit;
	bool rest;

	if (read_plain(text, unit, ns))
		return true;
	if (!read_decimal(text, &d))
		return false;
	for (int64_t left = d.point + (int)unit; left > 0; left--) {
		if (v == 0 && d.digits == d.end)
			break; /* zeros before zeros */
		digit = next_digit(&d);
		if (v > ((uint64_t)INT64_MAX - digit) / 10)
			return false;
		v = v * 10 + digit;
	}
	digit = d.point + (int)unit >= 0 ? next_digit(&d) : 0;
	rest = has_rest(&d);
	if (digit > 5 || (digit == 5 && (rest || (v & 1) != 0)))
		v++;
	*rounded += digit != 0 || rest;
	if (v > INT64_MAX)
		return false;
	*ns = d.negative ? -(int64_t)v : (int64_t)v;
	return true;
}
