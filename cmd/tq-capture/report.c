/* report.c - what a capture says of itself at its end */

#include <inttypes.h>
#include <stdio.h>

#include "report.h"

void
report_print(const struct capture *c)
{
	int64_t lines = 0, bytes = 0, lost = 0, late = 0;

	for (size_t i = 0; i < c->outputs.count; i++) {
		const struct stream *s = c->outputs.all[i];

		lines += s->lines;
		bytes += s->bytes;
		lost += s->dropped + s->lost;
		late += s->late;
	}
	fprintf(stderr,
	    "tq-capture: %" PRId64 " records of %zu process%s, %" PRId64
	    " bytes; %" PRId64 " lost\n",
	    lines, c->count, c->count == 1 ? "" : "es", bytes, lost);
	(void)late;
}
