/*
 * flight_recorder.h - the last seconds of a stream, in memory, until a dump:
 * --keep
 *
 * Lines are kept compressed, in frames of a second or 4 MiB at most.  Memory:
 * all definitions, and the events of the time that is kept, at about a tenth of
 * their size as text.
 */
#ifndef TQ_CAPTURE_FLIGHT_RECORDER_H
#define TQ_CAPTURE_FLIGHT_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "tq/io/sorter.h"

struct flight_recorder;

struct flight_recorder *flight_recorder_open(void);

/* Keep a definition, whole with its newline, for ever. */
void flight_recorder_define(struct flight_recorder *r, struct span line);

/*
 * Keep an event that begins at ts and takes dur (ns); INT64_MAX: it is still
 * going on.  note: it is a diagnostic, which stays for ever, as long as all of
 * them take little.
 */
void flight_recorder_add(struct flight_recorder *r, int64_t ts, int64_t dur,
    bool note, struct span line);

/* So many records were lost at ts. */
void flight_recorder_lose(struct flight_recorder *r, int64_t ts, int64_t count);

/* Forget events that were over before that time; some may stay longer. */
void flight_recorder_forget(struct flight_recorder *r, int64_t before);

/* Give the definitions, in the order in which they came. */
void flight_recorder_definitions(const struct flight_recorder *r,
    void (*put)(void *arg, const struct sorter_line *line), void *arg);

/*
 * Give the diagnostics that stay and the events that were not over at from, and
 * forget these events.  Returns how many records were lost since then.
 */
int64_t flight_recorder_take(struct flight_recorder *r, int64_t from,
    void (*put)(void *arg, const struct sorter_line *line), void *arg);

/* Bytes of memory. */
size_t flight_recorder_bytes(const struct flight_recorder *r);

/* May be given NULL. */
void flight_recorder_free(struct flight_recorder *r);

#endif
