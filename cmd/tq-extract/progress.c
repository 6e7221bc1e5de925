/* progress.c - how much of a file is done */

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "tq/io/note.h"

#include "progress.h"

void
progress_begin(struct progress *p, const char *name, int64_t total)
{
	*p = (struct progress){.name = name,
	    .start = time(NULL),
	    .total = total,
	    .wanted = note_wanted() && isatty(STDERR_FILENO)};
}

void
progress_show(struct progress *p)
{
	if (time(NULL) - p->start < 2)
		return;
	fprintf(stderr, "\rtq-extract: %s: %d%%", p->name,
	    (int)(p->done * 100 / (p->total > 0 ? p->total : 1)));
	p->shown = true;
}

void
progress_copied(struct progress *p, int64_t bytes)
{
	if (!p->wanted || time(NULL) - p->start < 2)
		return;
	fprintf(stderr, "\rtq-extract: %s: %" PRId64 " MB copied", p->name,
	    bytes / 1000000);
	p->shown = true;
}

void
progress_end(struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
}
