/*
 * progress.h - how much of a file is done, on a terminal, after two seconds,
 * unless -q is given
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct progress {
	const char *name; /* borrowed */
	time_t start;
	int64_t total, done;
	bool wanted, shown;
};

void progress_begin(struct progress *p, const char *name, int64_t total);
void progress_end(struct progress *p);

/* So many bytes were copied, of a total that is not known. */
void progress_copied(struct progress *p, int64_t bytes);

/* Not to be called directly. */
void progress_show(struct progress *p);

/* One more of the total is done. */
static inline void
progress_step(struct progress *p)
{
	if ((++p->done & 0x3fff) == 0 && p->wanted)
		progress_show(p);
}

#endif
