/*
 * row_cache.h - the row on which a record is drawn, and whose it is.
 *
 * Rows are found by ids, and records name them in the same few ways over and
 * over: a row that was found is known by the text of its ids from then on.
 */
#ifndef TQ_DRAW_ROW_CACHE_H
#define TQ_DRAW_ROW_CACHE_H

#include "tq/draw/tracks.h"

enum { ROWS_KNOWN = 64 };

struct rows {
	struct tracks *tracks;
	struct rows_known {
		struct row *row;
		uint64_t id[4]; /* of the keys that tell rows of its kind */
	} known[ROW_KINDS][ROWS_KNOWN];
};

void rows_init(struct rows *r, struct tracks *tracks);

/* Forget all: a new section. */
void rows_reset(struct rows *r);

/* The process of a record, its device, or the latter if there is one. */
struct group *rows_process(struct rows *r, const struct event *ev);
struct group *rows_device(struct rows *r, const struct event *ev);
struct group *rows_owner(struct rows *r, const struct event *ev);

/*
 * The row of a record: of its stream for ROW_STREAM and ROW_SYNC, else of its
 * thread, which for ROW_PROJECTED is on its device.
 */
struct row *rows_find(
    struct rows *r, const struct event *ev, enum row_kind kind);

#endif
