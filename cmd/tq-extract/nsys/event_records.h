/*
 * event_records.h - where CUDA events were recorded: a synchronisation that
 * waits for an event waits for the stream that recorded it.
 */
#ifndef EVENT_RECORDS_H
#define EVENT_RECORDS_H

#include "sqlite/database.h"
#include "tq/base/map.h"

/* a row of CUPTI_ACTIVITY_KIND_CUDA_EVENT; -1: the row lacks the value */
struct event_record {
	uint64_t process; /* a global id without its lowest 24 bits */
	int64_t event, corr, sync_id, context, stream;
};

/* {0} is empty */
struct event_records {
	struct event_record *all; /* by process, event, corr */
	size_t count, cap;
	struct map waits; /* (process, corr) of who waits -> index + 1 */
	bool wanted;      /* from a store (event_store.h) */
};

void event_records_free(struct event_records *e);

/*
 * Read the records of events, and who waits for them: events is the table
 * CUPTI_ACTIVITY_KIND_CUDA_EVENT, syncs CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
 * as the export spells them.
 */
void event_records_read(struct event_records *e, const struct database *db,
    const char *events, const char *syncs);

/*
 * The same of rows that come one by one: all records, then how they are put in
 * order, then all waits.
 */
void event_records_add(
    struct event_records *e, const struct event_record *record);
void event_records_order(struct event_records *e);
void event_records_add_wait(
    struct event_records *e, const struct event_record *wait);

/* The event that a call waits for; NULL: none, or unknown. */
static inline const struct event_record *
event_records_waited(
    const struct event_records *e, uint64_t process, uint64_t corr)
{
	const uint64_t *i = map_find(&e->waits, process, corr);

	return i != NULL ? &e->all[*i - 1] : NULL;
}

#endif
