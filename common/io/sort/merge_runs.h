/*
 * merge_runs.h - piles and runs, which are each in order, as one.
 */
#ifndef TQ_IO_SORT_MERGE_RUNS_H
#define TQ_IO_SORT_MERGE_RUNS_H

#include "pile.h"
#include "run.h"

enum { RUNS = 32, HEADS = PILES + RUNS };

/* where a pile or a run stands */
struct sort_head {
	struct sort_key key;
	size_t order; /* of equal keys */
	struct pile *pile;
	struct run *run; /* or NULL */
	size_t at;       /* in the pile */
};

/* behind all that can be */
extern const struct sort_head merge_runs_last;

struct merge_runs {
	struct piles *piles;
	struct run *runs;
	size_t run_buffer; /* bytes to read a run */

	/* the rest of them */
	struct sort_head heap[HEADS];
	size_t count;

	struct sort_head until; /* no further than this */
	bool forget; /* lines that were put are not needed any more */
	/* false, with errno set, to stop */
	bool (*put)(void *arg, const struct sorter_line *line);
	void *arg;
	int error; /* errno of a run that is broken */
};

/* Nothing yet, to be forgotten or not, and put by nobody. */
void merge_runs_open(struct merge_runs *w, struct piles *piles,
    struct run *runs, size_t run_buffer);

/* Go over n piles from i, none of them empty, or over so many runs, too. */
void merge_runs_piles(struct merge_runs *w, size_t i, size_t n);
void merge_runs_runs(struct merge_runs *w, size_t i, size_t n);

/*
 * Put all lines in order.  False, with errno set, where put was, or where
 * there was a run of which not all could be read: that is broken.
 */
bool merge_runs_all(struct merge_runs *w);

#endif
