/* measure.c - times and sizes as people read them */

#include <inttypes.h>

#include "measure.h"

/* v of units of 1000 each, with three digits */
static void
add_scaled(struct text *t, int64_t v, const char *const *units, size_t count)
{
	int64_t unit = 1;
	size_t i = 0;

	for (; i + 1 < count && v / unit >= 1000; i++)
		unit *= 1000;
	if (unit == 1)
		text_printf(t, "%" PRId64, v);
	else if (v / unit >= 100)
		text_printf(t, "%" PRId64, v / unit);
	else if (v / unit >= 10)
		text_printf(
		    t, "%" PRId64 ".%" PRId64, v / unit, v / (unit / 10) % 10);
	else
		text_printf(t, "%" PRId64 ".%02" PRId64, v / unit,
		    v / (unit / 100) % 100);
	text_printf(t, " %s", units[i]);
}

void
measure_time(struct text *t, int64_t ns)
{
	static const char *const units[] = {"ns", "us", "ms", "s"};

	add_scaled(t, ns, units, 4);
}

void
measure_size(struct text *t, int64_t bytes)
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};

	add_scaled(t, bytes, units, 5);
}
