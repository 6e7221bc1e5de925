/* event_records.c - where CUDA events were recorded, and who waits for them */

#include <stdlib.h>

#include "event_records.h"
#include "sqlite/row_source.h"
#include "tq/base/array.h"

void
event_records_free(struct event_records *e)
{
	map_free(&e->waits);
	free(e->all);
}

/* ---- rows ---- */

enum { IDS = 6 };

/* the order of struct event_record */
static const char *const columns[IDS] = {"globalPid", "eventId",
    "correlationId", "eventSyncId", "contextId", "streamId"};

/* the ids of a table, and which of the columns that it has is which */
struct id_source {
	struct row_source rows;
	struct table_layout layout;
	struct row_formats formats;
	char *names[IDS];
	int values[IDS]; /* -1: the table lacks the column */
};

static void
open_ids(struct id_source *s, const struct database *db, const char *table)
{
	struct name_list all = database_names(
	    db, database_prepare(
		    db, "SELECT name FROM pragma_table_info(%Q)", table));
	int count = 0;

	for (int i = 0; i < IDS; i++) {
		s->values[i] = -1;
		if (name_list_find(&all, columns[i]) < 0)
			continue;
		s->values[i] = count;
		s->names[count++] = mem_copy(columns[i], strlen(columns[i]));
	}
	name_list_free(&all);
	row_source_layout(&s->layout, db, table, s->names, count);
	row_format_open(&s->formats, &s->layout.row, 0);
	row_source_open(&s->rows, db, &s->layout, &s->formats, NULL, 0);
}

static void
close_ids(struct id_source *s)
{
	row_source_close(&s->rows);
	row_format_close(&s->formats);
	for (int i = 0; i < s->layout.row.count; i++)
		free(s->names[i]);
}

/* the next row; false at the end.  2^32-1 means none */
static bool
next_ids(struct id_source *s, struct event_record *r)
{
	int64_t ids[IDS];

	if (!row_source_next(&s->rows))
		return false;
	for (int i = 0; i < IDS; i++)
		if (!row_source_int(&s->rows, s->values[i], &ids[i]) ||
		    ids[i] == UINT32_MAX)
			ids[i] = -1;
	*r = (struct event_record){
	    (uint64_t)ids[0] >> 24, ids[1], ids[2], ids[3], ids[4], ids[5]};
	return true;
}

/* ---- records ---- */

static bool
is_before(const struct event_record *a, const struct event_record *b)
{
	if (a->process != b->process)
		return a->process < b->process;
	return a->event != b->event ? a->event < b->event : a->corr < b->corr;
}

static int
by_place(const void *a, const void *b)
{
	return is_before(a, b) ? -1 : is_before(b, a);
}

void
event_records_add(struct event_records *e, const struct event_record *record)
{
	if (record->corr >= 0)
		*array_add(&e->all, &e->count, &e->cap) = *record;
}

void
event_records_order(struct event_records *e)
{
	if (e->count > 0)
		qsort(e->all, e->count, sizeof(*e->all), by_place);
}

static void
read_records(
    struct event_records *e, const struct database *db, const char *table)
{
	struct event_record r;
	struct id_source s;

	open_ids(&s, db, table);
	while (next_ids(&s, &r))
		event_records_add(e, &r);
	close_ids(&s);
	event_records_order(e);
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

/* records of an event between the one that is meant and the wait, at most */
enum { LATER_RECORDS = 1024 };

/*
 * The record that a wait refers to, as index + 1: the last of the event before
 * the wait, unless both have an id that decides it; 0 for none.
 */
static size_t
find_record(const struct event_records *e, const struct event_record *wait)
{
	size_t last = count_before(e, wait), i = last;

	if (wait->sync_id <= 0)
		i = 0; /* the export has no such ids */
	for (; i > 0 && last - i < LATER_RECORDS; i--) {
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

void
event_records_add_wait(struct event_records *e, const struct event_record *wait)
{
	size_t i;

	if (wait->corr >= 0 && wait->event > 0 &&
	    (i = find_record(e, wait)) > 0)
		*map_get(&e->waits, wait->process, (uint64_t)wait->corr) = i;
}

static void
read_waits(
    struct event_records *e, const struct database *db, const char *table)
{
	struct event_record wait;
	struct id_source s;

	open_ids(&s, db, table);
	while (next_ids(&s, &wait))
		event_records_add_wait(e, &wait);
	close_ids(&s);
}

void
event_records_read(struct event_records *e, const struct database *db,
    const char *events, const char *syncs)
{
	read_records(e, db, events);
	if (e->count > 0)
		read_waits(e, db, syncs);
}
