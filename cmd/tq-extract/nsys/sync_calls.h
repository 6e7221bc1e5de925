/*
 * sync_calls.h - the API calls that synchronise, by process and correlation id:
 * their name decides what a record of CUPTI_ACTIVITY_KIND_SYNCHRONIZATION waits
 * for.
 *
 * The number in syncType does not: before schema 3.24.14 its meaning changes
 * from version to version, and the table of its labels is wrong.
 */
#ifndef SYNC_CALLS_H
#define SYNC_CALLS_H

#include "launches.h"
#include "string_ids.h"

/* the object of a wait, with the numbers that syncType has since 3.24.14 */
enum sync_type {
	SYNC_UNKNOWN,
	SYNC_EVENT,
	SYNC_STREAM_WAIT_EVENT,
	SYNC_STREAM,
	SYNC_CONTEXT,
};

enum { SYNC_CALLS_NAMES = 256 };

/* the type of a function, by the id of its name */
struct sync_name {
	int64_t id;
	enum sync_type type;
};

struct sync_calls {
	struct string_ids *strings;
	struct launches calls; /* process: without its lowest 24 bits */
	struct sync_name names[SYNC_CALLS_NAMES]; /* a cache, by the id's low
						     bits */
	bool stable_types; /* syncType is an enum sync_type */
	bool wanted;       /* calls are to be added */
};

/* the columns that decide without a call; NULL where the export lacks one */
struct sync_columns {
	const struct sql_value *type, *deprecated, *stream, *event;
};

/* strings is borrowed.  schema: the version of the export, "" for unknown. */
void sync_calls_init(
    struct sync_calls *c, struct string_ids *strings, struct span schema);
void sync_calls_free(struct sync_calls *c);

/* Not to be called directly: read a name into the cache. */
void sync_calls_read(struct sync_calls *c, struct sync_name *name, int64_t id);

/*
 * The object that a function waits for, by the id of its name; SYNC_UNKNOWN:
 * none.
 */
static inline enum sync_type
sync_calls_name(struct sync_calls *c, int64_t id)
{
	struct sync_name *name = &c->names[(uint64_t)id % SYNC_CALLS_NAMES];

	if (name->id != id)
		sync_calls_read(c, name, id);
	return name->type;
}

/*
 * The object that the call waits for; SYNC_UNKNOWN where no such call was
 * added.
 */
enum sync_type sync_calls_get(
    struct sync_calls *c, uint64_t process, uint64_t corr);

/*
 * The object of a synchronisation without a call: the number of enum sync_type,
 * or one that only the export has a label for.
 */
int64_t sync_calls_guess(
    const struct sync_calls *c, const struct sync_columns *of);

#endif
