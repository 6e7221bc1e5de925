/*
 * row_cache.h - the row on which a record is drawn, and whose it is.
 *
 * Rows are found by ids, and records name them in the same few ways over and
 * over: a row that was found is known by the text of its ids from then on.
 */
#ifndef ROW_CACHE_H
#define ROW_CACHE_H

#include "tracks.h"

enum { ROW_CACHE_SIZE = 64 };

struct row_cache {
	struct tracks *tracks;
	struct row_cache_entry {
		struct track_row *row;
		uint64_t id[4]; /* of the keys that tell rows of its kind */
	} known[ROW_KINDS][ROW_CACHE_SIZE];
};

void row_cache_init(struct row_cache *r, struct tracks *tracks);

/* Forget all: a new section. */
void row_cache_reset(struct row_cache *r);

/* The process of a record, its device, or the latter if there is one. */
struct track_group *row_cache_process(
    struct row_cache *r, const struct event *ev);
struct track_group *row_cache_device(
    struct row_cache *r, const struct event *ev);
struct track_group *row_cache_owner(
    struct row_cache *r, const struct event *ev);

/*
 * The row of a record: of its stream for ROW_STREAM and ROW_SYNC, else of its
 * thread, which for ROW_PROJECTED is on its device.
 */
struct track_row *row_cache_find(
    struct row_cache *r, const struct event *ev, enum row_kind kind);

#endif
