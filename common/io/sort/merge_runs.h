/*
 * spool_walk.h - piles and runs, which are each in order, as one.
 */
#ifndef SPOOL_WALK_H
#define SPOOL_WALK_H

#include "pile.h"
#include "run.h"

enum { RUNS = 32, HEADS = PILES + RUNS };

/* where a pile or a run stands */
struct spool_head {
	struct spool_key key;
	size_t order; /* of equal keys */
	struct spool_pile *pile;
	struct spool_run *run; /* or NULL */
	size_t at;             /* in the pile */
};

/* behind all that can be */
extern const struct spool_head spool_walk_last;

struct spool_walk {
	struct spool_piles *piles;
	struct spool_run *runs;
	size_t run_buffer; /* bytes to read a run */

	/* what is left of them */
	struct spool_head heap[HEADS];
	size_t count;

	struct spool_head until; /* no further than this */
	bool forget;             /* what was put is not needed any more */
	/* false, with errno set, to stop */
	bool (*put)(void *arg, const struct spool_line *line);
	void *arg;
	int error; /* errno of a run that is broken */
};

/* Nothing yet, to be forgotten or not, and put by nobody. */
void spool_walk_open(struct spool_walk *w, struct spool_piles *piles,
    struct spool_run *runs, size_t run_buffer);

/* Go over n piles from i, none of them empty, or over so many runs, too. */
void spool_walk_piles(struct spool_walk *w, size_t i, size_t n);
void spool_walk_runs(struct spool_walk *w, size_t i, size_t n);

/*
 * Put all lines in order.  False, with errno set, where put was, or where
 * there was a run of which not all could be read: that is broken.
 */
bool spool_walk_all(struct spool_walk *w);

#endif
