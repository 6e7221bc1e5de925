/*
 * sorted_records.h - records that wait until their recording ends, which then
 * come out in order, with times from the earliest one on.
 *
 * A record is sorted_records_begin, its keys from pid on in the order of
 * events.def, and sorted_records_end.  A definition may be among them: it comes
 * out before all records of its time, so before records that refer to it.
 *
 * A patch appends keys whose values the source knows at the end only.  Before,
 * the source may look at all patches, and leave out provisional records.
 */
#ifndef SORTED_RECORDS_H
#define SORTED_RECORDS_H

#include "source.h"
#include "tq/base/time.h"
#include "tq/io/sorter.h"

/*
 * the ts of a definition from before the recording, which comes at the origin
 */
#define SORTED_AT_ORIGIN INT64_MIN

struct sorted_record {
	enum kind kind;
	int64_t ts;
	int64_t dur; /* NO_ID of an instant, NEVER_ENDED of an open range */
};

/* {0} but for settings, which is borrowed, and sorter: see init */
struct sorted_records {
	const struct source_settings *settings;
	struct sorter *sorter;
	struct text tail; /* keys of the record that is begun */
	struct keyset chosen;
	struct sorted_record record;
	int64_t first; /* time of the earliest record; INT64_MAX: none */
	int64_t first_provisional; /* the same of provisional ones */
	int64_t last;              /* time of the last one that was written */
	int64_t repaired;          /* strings of sorted_records_value */
	bool drop_provisional;
	struct output *out, *frames;
	int64_t *counts;

	/* of the record that is begun, which the source may set */
	bool provisional;
	bool held; /* its kind is chosen, or sorted_records_look needs it */

	/* where it has a patch, and its bytes; 0: none */
	uint32_t patch_at, patch_len;
	/* of the source: append keys there, if chosen, as ,"key":value */
	void (*patch)(void *arg, struct text *to, struct span bytes,
	    const struct keyset *chosen);
	void (*look)(void *arg, enum kind kind, struct span bytes);
	void *arg;
};

void sorted_records_init(
    struct sorted_records *h, const struct source_settings *settings);
void sorted_records_free(struct sorted_records *h);

void sorted_records_begin(
    struct sorted_records *h, const struct sorted_record *r);

/*
 * Add a key, if it is chosen; an integer unless it is NO_ID; the string that
 * lenient.h read, unless its p is NULL.
 */
void sorted_records_int(struct sorted_records *h, enum key key, int64_t v);
void sorted_records_str(
    struct sorted_records *h, enum key key, struct span value);
void sorted_records_json(
    struct sorted_records *h, enum key key, struct span json);

void sorted_records_value(
    struct sorted_records *h, enum key key, struct span value);

/* Here comes the key that a record has which never ended. */
void sorted_records_open(struct sorted_records *h);

/*
 * Here come keys whose values are known at the end only, once in a record:
 * patch is called with these bytes when the record is written.
 */
void sorted_records_patch(
    struct sorted_records *h, const void *bytes, size_t n);

/* Add args, an object of these members, unless there are none. */
void sorted_records_args(struct sorted_records *h, struct span members);

/* Hold it; a full disk ends the program. */
void sorted_records_end(struct sorted_records *h);

/* All are held: call look with the patch of each record that has one. */
void sorted_records_look(struct sorted_records *h);

/* All records are held: keep the provisional ones, or leave them out. */
void sorted_records_decide(struct sorted_records *h, bool keep);

/* The time that becomes 0; provisional records count once they are kept. */
int64_t sorted_records_origin(const struct sorted_records *h);

/* Write all records that are chosen, definitions to frames; hold none. */
void sorted_records_write(
    struct sorted_records *h, struct output *out, struct output *frames);

/* Instead: add how many events of each kind would be written. */
void sorted_records_count(struct sorted_records *h, int64_t counts[KIND_COUNT]);

#endif
