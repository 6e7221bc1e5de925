/*
 * row_cache.h - the row on which a record is drawn, and its group.
 *
 * Rows are found by ids, and records spell the same ids over and over: the
 * cache leads from the text of the ids to the row.
 */
#ifndef ROW_CACHE_H
#define ROW_CACHE_H

#include "tracks.h"

enum { ROW_CACHE_SLOTS = 64 };

struct row_cache {
	struct tracks *tracks;
	struct row_cache_slot {
		struct track_row *row;
		uint64_t id[4]; /* of the keys of its kind's rows */
	} slots[ROW_KINDS][ROW_CACHE_SLOTS];
};

void row_cache_init(struct row_cache *r, struct tracks *tracks);

/* Forget all: a new section. */
void row_cache_reset(struct row_cache *r);

/* The group of a record's process, or of its device if it has one. */
struct track_group *row_cache_process(
    struct row_cache *r, const struct event *ev);
struct track_group *row_cache_owner(
    struct row_cache *r, const struct event *ev);

/*
 * The row of a record: of its stream for ROW_STREAM and ROW_SYNC, of its
 * process for ROW_OVERHEAD, else of its thread; for ROW_PROJECTED that is on
 * its device.
 */
struct track_row *row_cache_find(
    struct row_cache *r, const struct event *ev, enum row_kind kind);

#endif
