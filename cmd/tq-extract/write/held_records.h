/*
 * held_records.h - records that wait until their recording ends, which then
 * come out in order, with times from the earliest one on.
 *
 * A record is held_records_begin, its keys from pid on in the order of
 * events.def, and held_records_end.  A definition may be among them: it comes
 * out before all records of its time, so before those that refer to it.
 */
#ifndef HELD_RECORDS_H
#define HELD_RECORDS_H

#include "source.h"
#include "tq/base/time.h"
#include "tq/io/sorter.h"

/* the ts of what was there before, and comes at the origin */
#define HELD_AT_ORIGIN INT64_MIN

struct held_record {
	enum kind kind;
	int64_t ts;
	int64_t dur; /* NO_ID of an instant, NEVER_ENDED of what is open */
};

/* {0} but for settings, which is borrowed, and sorter: see init */
struct held_records {
	const struct source_settings *settings;
	struct sorter *sorter;
	struct text tail; /* keys of the record that is begun */
	struct keyset chosen;
	struct held_record record;
	int64_t first; /* time of the earliest record; INT64_MAX: none */
	int64_t last;  /* time of the last one that was written */
	struct output *out, *frames;
	int64_t *counts;

	/* where the record that is begun has a patch, and its bytes; 0: none */
	uint32_t patch_at, patch_len;
	/* of the source: append what stands there, as ,"key":value */
	void (*patch)(void *arg, struct text *to, struct span bytes);
	void *arg;
};

void held_records_init(
    struct held_records *h, const struct source_settings *settings);
void held_records_free(struct held_records *h);

void held_records_begin(struct held_records *h, const struct held_record *r);

/*
 * Add a key, if it is chosen; an integer unless it is NO_ID; the string that
 * lenient.h read, unless its p is NULL.
 */
void held_records_int(struct held_records *h, enum key key, int64_t v);
void held_records_str(struct held_records *h, enum key key, struct span value);
void held_records_json(struct held_records *h, enum key key, struct span json);

void held_records_value(
    struct held_records *h, enum key key, struct span value);

/*
 * Add a key whose value is known at the end only, once in a record: patch is
 * called with these bytes when the record is written.
 */
void held_records_patch(
    struct held_records *h, enum key key, const void *bytes, size_t n);

/* Add args, an object of these members, unless there are none. */
void held_records_args(struct held_records *h, struct span members);

/* Hold it; what does not fit the disk ends the program. */
void held_records_end(struct held_records *h);

/* The time that becomes 0. */
int64_t held_records_origin(const struct held_records *h);

/* Write all records that are chosen, definitions to frames; hold none. */
void held_records_write(
    struct held_records *h, struct output *out, struct output *frames);

/* Instead: add how many events of each kind would be written. */
void held_records_count(struct held_records *h, int64_t counts[KIND_COUNT]);

#endif
