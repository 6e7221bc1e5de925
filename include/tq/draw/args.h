/*
 * args.h - the arguments of a slice: keys of its record that the slice does not
 * show otherwise, then unknown keys and the members of KEY_args, sorted.
 */
#ifndef TQ_DRAW_ARGS_H
#define TQ_DRAW_ARGS_H

#include "tq/draw/sink.h"

/*
 * Keys that the slices of a track show otherwise, or that every record of the
 * track has alike: the record's kind, name, times, and the ids in the track.
 */
struct keyset args_left_out(const struct track *t);

/* True if the record has a duration that can be drawn. */
static inline bool
args_lasts(const struct event *ev)
{
	return event_has(ev, KEY_dur) && *ev->value[KEY_dur].p != '-';
}

/* The keys that are arguments; a time that is not drawn as it is, is one. */
static inline struct keyset
args_keys(const struct sink_slice *s, const struct keyset *left_out)
{
	struct keyset keys = *left_out;

	if (s->moved)
		keyset_remove(&keys, KEY_ts);
	if (s->dur < 0 || !args_lasts(s->event))
		keyset_remove(&keys, KEY_dur);
	return keyset_without(s->event->has, &keys);
}

/* What viewers call a key. */
static inline struct span
args_name(enum key key)
{
	if (key == KEY_corr)
		return SPAN("correlation"); /* as Kineto's tools look for it */
	return (struct span){schema_keys[key].name, schema_keys[key].len};
}

struct arg {
	struct span key; /* bytes */
	struct span value;
	size_t at;
};

/* {0} is empty; kept from one use to the next */
struct args {
	struct arg *all;
	size_t count, cap;
	struct text keys, key;
};

void args_free(struct args *a);

/*
 * The members of a JSON object, sorted by key.  Of equal keys the last counts.
 * Good until the next call with *a.
 */
void args_of(struct args *a, struct span object);

enum args_names {
	ARGS_AS_THEY_ARE,
	ARGS_APART /* none is a key of the schema, or empty */
};

/*
 * Unknown keys of a record, and the members of its KEY_args, likewise.  A name
 * that another argument has already has "args." before it; with ARGS_APART
 * also one that a key of the schema has, so that a reader knows which is which,
 * one that begins so itself, and an empty one.
 */
void args_others(struct args *a, const struct event *ev, enum args_names names);

/* The unknown keys of a record, sorted.  Good until the next call with *a. */
void args_unknown(struct args *a, const struct event *ev);

/*
 * Append valid JSON as it stands, but the members of each object in the order
 * of their keys; of equal keys the last counts.
 */
void args_add_sorted(struct text *t, struct span json);

/* True if args_others finds any. */
static inline bool
args_has_others(const struct event *ev)
{
	return ev->unknown_count > 0 || event_has(ev, KEY_args);
}

#endif
