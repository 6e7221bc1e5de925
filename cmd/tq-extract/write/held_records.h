/*
 * held_records.h - records that wait until all of the input has been read,
 * since they have no order, and the origin of time is the earliest of them.
 *
 * A record is formatted once, without the keys kind, ts and dur, and waits in
 * a sorter.  What is known at the end only is a patch: bytes of the source
 * that become text when the record is written.
 */
#ifndef HELD_RECORDS_H
#define HELD_RECORDS_H

#include "key_choice.h"
#include "source.h"
#include "tq/base/time.h"
#include "tq/io/emit.h"
#include "tq/io/sorter.h"

/* the ts of what was there before, and comes at the origin */
#define HELD_AT_ORIGIN INT64_MIN

struct held_records {
	const struct source_settings *settings;
	struct output *out;
	struct sorter *sorter;
	struct text tail;     /* of the record that is made */
	struct keyset chosen; /* keys that it is written with */
	int64_t first, last;  /* ts: the earliest; the last that was written */
	int64_t of_kind[KIND_COUNT];
	/* append what stands in place of a patch, as ,"key":value */
	void (*patch)(void *arg, struct text *to, struct span bytes);
	void *arg;
};

void held_records_open(struct held_records *h, const struct source_input *in);
void held_records_free(struct held_records *h);

/* Begin a record; its keys follow in canonical order, pid first. */
void held_records_begin(struct held_records *h, enum kind kind);

/*
 * Append a key, if it is wanted: an integer unless it is NO_ID; any bytes as a
 * string; the string or other value that lenient.h read, unless its p is NULL;
 * a value that is JSON.
 */
void held_records_int(struct held_records *h, enum key key, int64_t v);
void held_records_str(struct held_records *h, enum key key, struct span s);
void held_records_value(
    struct held_records *h, enum key key, struct span value);
void held_records_json(struct held_records *h, enum key key, struct span json);

/* The same for a key whose value is known at the end; once in a record. */
void held_records_patch(
    struct held_records *h, enum key key, const void *bytes, size_t n);

/*
 * Hold the record.  dur is NO_ID of an instant, NEVER_ENDED of what is open;
 * the key open is the caller's.
 */
void held_records_add(
    struct held_records *h, enum kind kind, int64_t ts, int64_t dur);

/* The time that becomes 0. */
int64_t held_records_origin(const struct held_records *h);

/* Write all records, in order. */
void held_records_write(struct held_records *h);

/* Add how many events there are of each kind that is wanted. */
void held_records_count(
    const struct held_records *h, int64_t counts[KIND_COUNT]);

#endif
