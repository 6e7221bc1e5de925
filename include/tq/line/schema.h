/*
 * schema.h - the table of events.def at run time: kinds, their keys, and the
 * names that a user may give them.  All strings are static.
 */
#ifndef TQ_LINE_SCHEMA_H
#define TQ_LINE_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tq/base/suggestion.h"

enum key {
#define KEY(id, type, unit, redact, doc) KEY_##id,
#include "tq/events.def"
	KEY_COUNT,
	KEY_NONE = KEY_COUNT
};

enum kind {
#define KIND(id, name, role, track, category, redact, doc) KIND_##id,
#include "tq/events.def"
	KIND_COUNT,
	KIND_UNKNOWN = KIND_COUNT
};

enum type {
	TYPE_INT,
	TYPE_STR,
	TYPE_BOOL,
	TYPE_NUM,
	TYPE_INTS,
	TYPE_STRS,
	TYPE_OBJ
};

enum role {
	ROLE_FRAME,
	ROLE_DEF,
	ROLE_WORK,
	ROLE_LAUNCH,
	ROLE_RANGE,
	ROLE_EVENT
};

enum track_kind {
	TRACK_NONE,
	TRACK_PROJECTION,
	TRACK_STREAM,
	TRACK_SYNC,
	TRACK_MEMORY,
	TRACK_GAPS,
	TRACK_COUNTER,
	TRACK_THREAD,
	TRACK_ARROW,
	TRACK_CALLS,
	TRACK_GIL,
	TRACK_SCHED,
	TRACK_SAMPLES,
	TRACK_OVERHEAD,
	TRACK_MESSAGES
};

struct schema_key {
	const char *name;
	size_t len;
	enum type type;
	const char *unit;
	const char *redact; /* see below */
	const char *doc;
};

struct schema_kind {
	const char *name;
	size_t len;
	enum role role;
	enum track_kind track;
	const char *category; /* of a viewer */
	const char *redact;   /* of the name; see below */
	const char *doc;
};

/*
 * What replaces a string where names are redacted: the first word of its
 * pseudonym, or one of five texts, compared by address: the string stays, the
 * name of the called function stays, parts are joined by ":", the string is of
 * no known sort.
 */
extern const char schema_keep[], schema_call[], schema_domain[], schema_range[],
    schema_text[];

enum { SCHEMA_IDS = 4 };

/* How a record defines something: by these ids, KEY_NONE behind the last. */
struct schema_definition {
	enum key reference; /* the key by which events refer to it */
	enum key ids[SCHEMA_IDS + 1];
};

/*
 * The rows of events.def in their order: one that opens a kind (key is
 * KEY_NONE), then one for each of its keys (kind is KIND_UNKNOWN).
 */
struct schema_row {
	enum kind kind;
	enum key key;
};

extern const struct schema_key schema_keys[KEY_COUNT];
extern const struct schema_kind schema_kinds[KIND_COUNT];
extern const struct schema_definition schema_definitions[KIND_COUNT];
extern const struct schema_row schema_rows[];
extern const size_t schema_row_count;

/* The meaning of a kind; an unknown kind is an event like any other. */
static inline enum role
schema_role(enum kind kind)
{
	return kind < KIND_COUNT ? schema_kinds[kind].role : ROLE_EVENT;
}

/* True of summaries, which follow the last record that they summarise. */
static inline bool
schema_follows(enum kind kind)
{
	return kind == KIND_gpu_range || kind == KIND_gap;
}

/* A set of keys, a bit each, and one for KEY_NONE. */
enum { KEYSET_WORDS = KEY_COUNT / 64 + 1 };

struct keyset {
	uint64_t bits[KEYSET_WORDS];
};

static inline void
keyset_add(struct keyset *s, enum key k)
{
	s->bits[k >> 6] |= (uint64_t)1 << (k & 63);
}

/* The same for several keys; KEY_NONE ends them, and NULL stands for none. */
static inline void
keyset_add_all(struct keyset *s, const enum key *keys)
{
	for (; keys != NULL && *keys != KEY_NONE; keys++)
		keyset_add(s, *keys);
}

/* Add the keys of another set. */
static inline void
keyset_add_set(struct keyset *s, const struct keyset *more)
{
	for (size_t i = 0; i < KEYSET_WORDS; i++)
		s->bits[i] |= more->bits[i];
}

static inline void
keyset_remove(struct keyset *s, enum key k)
{
	s->bits[k >> 6] &= ~((uint64_t)1 << (k & 63));
}

static inline bool
keyset_has(const struct keyset *s, enum key k)
{
	return s->bits[k >> 6] >> (k & 63) & 1;
}

/* The first key of the set from k on, which may be KEY_NONE; or KEY_NONE. */
static inline enum key
keyset_next(const struct keyset *s, enum key k)
{
	for (size_t i = k >> 6; i < KEYSET_WORDS; i++) {
		uint64_t left = s->bits[i];

		if (i == k >> 6)
			left &= UINT64_MAX << (k & 63);
		if (left != 0)
			return (enum key)(
			    i * 64 + (size_t)__builtin_ctzll(left));
	}
	return KEY_NONE;
}

/* All keys, and bits that no key has. */
static inline struct keyset
keyset_all(void)
{
	struct keyset s;

	for (size_t i = 0; i < KEYSET_WORDS; i++)
		s.bits[i] = UINT64_MAX;
	return s;
}

static inline bool
keyset_is_empty(const struct keyset *s)
{
	uint64_t any = 0;

	for (size_t i = 0; i < KEYSET_WORDS; i++)
		any |= s->bits[i];
	return any == 0;
}

static inline bool
keyset_equals(const struct keyset *a, const struct keyset *b)
{
	uint64_t differ = 0;

	for (size_t i = 0; i < KEYSET_WORDS; i++)
		differ |= a->bits[i] ^ b->bits[i];
	return differ == 0;
}

/* The keys of a that b lacks. */
static inline struct keyset
keyset_without(struct keyset a, const struct keyset *b)
{
	for (size_t i = 0; i < KEYSET_WORDS; i++)
		a.bits[i] &= ~b->bits[i];
	return a;
}

/* The keys that records of a kind may have. */
struct keyset schema_keys_of(enum kind kind);

/* Name of a type as --schema prints it: "int", "string", ... */
const char *schema_type(enum type type);

/* The key or kind spelt by the len bytes at p; KEY_NONE, KIND_UNKNOWN. */
enum key schema_key(const char *p, size_t len);
enum kind schema_kind(const char *p, size_t len);

/*
 * Add the kinds that a comma separated list names to *set (bit KIND_x): kinds,
 * and names in common use (nvtx, cuda, cuda-api, nvtx-kernel).  Returns false,
 * with *bad and *len set to the first word that is neither.
 */
bool schema_choose(
    const char *list, uint64_t *set, const char **bad, size_t *len);

/* Consider all kinds, and the names that schema_choose takes; all keys. */
void schema_near_kinds(struct suggestion *n);
void schema_near_keys(struct suggestion *n);

#endif
