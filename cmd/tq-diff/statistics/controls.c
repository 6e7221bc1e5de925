/* controls.c - what did not change measures the noise */

#include <math.h>
#include <stdlib.h>

#include "controls.h"
#include "middle.h"
#include "tq/base/mem.h"

static bool
is_long(const struct control *c)
{
	return (c->a + c->b) / 2 >= CONTROLS_LONG;
}

/* of the long (1), the short (0), or of all (2) */
static struct controls_class
measure(const struct control *all, size_t n, int which)
{
	struct controls_class c = {0};
	double *logs = mem_resize(NULL, n + 1, sizeof(*logs));

	for (size_t i = 0; i < n; i++)
		if (which == 2 || is_long(&all[i]) == (which == 1))
			logs[c.count++] = log(all[i].b / all[i].a);
	if (c.count > CONTROLS_LEAST) { /* one of them is judged */
		middle_sort(logs, c.count);
		c.centre = middle_median(logs, c.count);
		c.width = middle_width(logs, c.count, c.centre);
	} else
		c.count = 0;
	free(logs);
	return c;
}

void
controls_measure(struct controls *c, const struct control *all, size_t n)
{
	*c = (struct controls){0};
	for (int i = 0; i < 2; i++)
		c->classes[i] = measure(all, n, i);
	if (c->classes[1].count == 0) {
		c->classes[1] = measure(all, n, 2);
		c->joined = c->classes[1].count > 0;
	}
}

struct controls_result
controls_judge(const struct controls *c, const struct control *one)
{
	const struct controls_class *class = &c->classes[is_long(one)];
	double tick = 2.0 * CONTROLS_TICK / (one->a < one->b ? one->a : one->b);
	struct controls_result r = {0};

	if (class->count == 0)
		return r;
	r.count = class->count - 1;
	r.centre = class->centre;
	r.width = class->width > tick ? class->width : tick;
	r.widths = fabs(log(one->b / one->a) - r.centre) / r.width;
	r.far = r.widths > CONTROLS_FAR;
	return r;
}
