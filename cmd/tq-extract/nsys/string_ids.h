/*
 * string_ids.h - the strings of an export: rows refer to them by their id in
 * the table StringIds.
 */
#ifndef STRING_IDS_H
#define STRING_IDS_H

#include "sqlite/database.h"

enum {
	STRING_IDS_CACHE = 1 << 12, /* strings in memory */
	STRING_IDS_SLACK = 32,      /* bytes that may be read behind one */
};

struct cached_string {
	int64_t id;
	bool used;
	struct text json; /* the string, ready to be written */
	struct text raw;  /* of an API function: with its version suffix */
};

struct string_ids {
	const struct database *db;
	sqlite3_stmt *lookup; /* NULL without the table */
	struct cached_string strings[STRING_IDS_CACHE];
	struct cached_string functions[STRING_IDS_CACHE];
	int64_t bad_bytes; /* that were no UTF-8 */
};

/* db is borrowed. */
void string_ids_open(struct string_ids *s, const struct database *db);
void string_ids_close(struct string_ids *s);

/* Not to be called directly: read a string into the cache. */
void string_ids_read(
    struct string_ids *s, struct cached_string *c, int64_t id, bool shorten);

/*
 * The string of an id as JSON, "#ID" where it is not in StringIds; good until
 * the next call.  STRING_IDS_SLACK bytes behind it may be read; the first of
 * them is 0 if the string is plain (plain.h).
 */
static inline struct span
string_ids_get(struct string_ids *s, int64_t id)
{
	struct cached_string *c = &s->strings[(uint64_t)id % STRING_IDS_CACHE];

	if (c->id != id || !c->used)
		string_ids_read(s, c, id, false);
	return text_span(&c->json);
}

/*
 * The same for an API function, without its version suffix; *raw is the
 * whole name where it differs, else empty.
 */
static inline struct span
string_ids_function(struct string_ids *s, int64_t id, struct span *raw)
{
	struct cached_string *c =
	    &s->functions[(uint64_t)id % STRING_IDS_CACHE];

	if (c->id != id || !c->used)
		string_ids_read(s, c, id, true);
	*raw = text_span(&c->raw);
	return text_span(&c->json);
}

/*
 * The bytes of the string of an id, good until the next look-up of any; false
 * where it is not in StringIds.
 */
bool string_ids_find(struct string_ids *s, int64_t id, struct span *string);

/* Append any bytes as a JSON string, and count the ones that are no UTF-8. */
void string_ids_add_json(struct string_ids *s, struct text *t, struct span v);

/*
 * Append the label that an ENUM_ table gives to v, as JSON; "#V" where there is
 * none.  Slow: for values that nsys_map.c lacks.
 */
void string_ids_add_label(
    struct string_ids *s, struct text *t, const char *table, int64_t v);

#endif
