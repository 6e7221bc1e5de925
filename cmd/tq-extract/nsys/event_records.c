/* event_records.c - where CUDA events were recorded, and who waits for them */

#include <stdlib.h>

#include "event_records.h"
#include "tq/base/array.h"

static const char events[] = "CUPTI_ACTIVITY_KIND_CUDA_EVENT";
static const char syncs[] = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION";

void
event_records_free(struct event_records *e)
{
	map_free(&e->waits);
	free(e->all);
}

/* an integer, or -1 for none, also where 2^32-1 stands for that */
static int64_t
id_of(sqlite3_stmt *st, int col)
{
	int64_t id = sqlite3_column_type(st, col) == SQLITE_INTEGER
			 ? sqlite3_column_int64(st, col)
			 : -1;

	return id == UINT32_MAX ? -1 : id;
}

static void
read_records(struct event_records *e, const struct database *db)
{
	sqlite3_stmt *st = database_prepare(db,
	    "SELECT globalPid, eventId, correlationId, contextId, streamId, %s "
	    "FROM %s WHERE globalPid IS NOT NULL AND correlationId IS NOT NULL "
	    "ORDER BY globalPid, eventId, correlationId",
	    database_column(db, events, "eventSyncId"), events);

	while (st != NULL && database_step(db, st))
		*array_add(&e->all, &e->count, &e->cap) = (struct event_record){
		    .process = (uint64_t)sqlite3_column_int64(st, 0) >> 24,
		    .event = id_of(st, 1),
		    .corr = id_of(st, 2),
		    .context = id_of(st, 3),
		    .stream = id_of(st, 4),
		    .sync_id = id_of(st, 5)};
	sqlite3_finalize(st);
}

static bool
is_before(const struct event_record *a, const struct event_record *b)
{
	if (a->process != b->process)
		return a->process < b->process;
	return a->event != b->event ? a->event < b->event : a->corr < b->corr;
}

/* how many records come before this one, in their order */
static size_t
count_before(const struct event_records *e, const struct event_record *of)
{
	size_t first = 0, end = e->count;

	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (is_before(&e->all[middle], of))
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

/*
 * The record that a wait means, as index + 1: the last of the event before the
 * wait, unless both have an id that tells it; 0 for none.
 */
static size_t
find_record(const struct event_records *e, const struct event_record *wait)
{
	size_t last = count_before(e, wait), i = last;

	if (wait->sync_id <= 0)
		i = 0; /* the export has no such ids */
	for (; i > 0; i--) {
		const struct event_record *r = &e->all[i - 1];

		if (r->process != wait->process || r->event != wait->event ||
		    r->sync_id <= 0)
			break;
		if (r->sync_id == wait->sync_id)
			return i;
	}
	if (last == 0 || e->all[last - 1].process != wait->process ||
	    e->all[last - 1].event != wait->event)
		return 0;
	return last;
}

static void
read_waits(struct event_records *e, const struct database *db)
{
	sqlite3_stmt *st = database_prepare(db,
	    "SELECT globalPid, eventId, correlationId, %s FROM %s "
	    "WHERE globalPid IS NOT NULL AND correlationId IS NOT NULL "
	    "AND eventId NOT IN (0, 4294967295)",
	    database_column(db, syncs, "eventSyncId"), syncs);

	while (st != NULL && database_step(db, st)) {
		const struct event_record wait = {
		    .process = (uint64_t)sqlite3_column_int64(st, 0) >> 24,
		    .event = id_of(st, 1),
		    .corr = id_of(st, 2),
		    .sync_id = id_of(st, 3)};
		size_t i = find_record(e, &wait);

		if (i > 0)
			*map_get(&e->waits, wait.process, (uint64_t)wait.corr) =
			    i;
	}
	sqlite3_finalize(st);
}

void
event_records_read(struct event_records *e, const struct database *db)
{
	read_records(e, db);
	if (e->count > 0)
		read_waits(e, db);
}
