/* layout_tell.c - what was drawn of a stream, and what could not be as it is */

#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "tq/draw/layout.h"

static const char *
plural(int64_t n)
{
	return n == 1 ? "" : "s";
}

void
layout_tell_losses(const struct layout *l)
{
	if (l->moved > 0)
		warnx("warning: %" PRId64 " event%s from before the beginning "
		      "drawn at it",
		    l->moved, plural(l->moved));
	if (l->axis.unaligned > 0)
		warnx("warning: %" PRId64 " section%s not aligned in time "
		      "with the first",
		    l->axis.unaligned, plural(l->axis.unaligned));
	if (l->names.shortened > 0)
		warnx("warning: %" PRId64 " call stack%s shortened to the "
		      "innermost frame",
		    l->names.shortened, plural(l->names.shortened));
}

void
layout_tell(const struct layout *l)
{
	const struct draw *d = &l->draw;

	fprintf(stderr,
	    "%s: %" PRId64 " events in, %" PRId64 " out, %" PRId64
	    " lanes added; %" PRId64 " slices, %" PRId64 " arrows\n",
	    program_invocation_short_name, l->in, d->slices + d->values,
	    l->tracks.added, d->slices, d->flows);
}
