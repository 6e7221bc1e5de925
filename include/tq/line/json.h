/*
 * json.h - the complete JSON parser (RFC 8259), in place: for lines that the
 * fast path of event.h does not take, and for JSON anywhere else.
 *
 * All text ends at a byte that is readable and is not part of it.
 */
#ifndef TQ_LINE_JSON_H
#define TQ_LINE_JSON_H

#include <stdbool.h>

#include "tq/base/text.h"

enum { JSON_DEPTH = 64 }; /* nesting that is accepted */

/* The members of an object, one after the other. */
struct json {
	const char *p, *end;
	const char *error; /* constant text once something failed */
	bool first;
};

/* Open the object that text holds, and nothing behind it but white space. */
void json_open(struct json *j, struct span text);

/*
 * The next member: its key decoded into *key (cleared first), its value as the
 * validated text of it.  False at the end of the object or on an error; then
 * j->error is a text about it, or NULL at the end.
 */
bool json_next(struct json *j, struct text *key, struct span *value);

/* The same for the elements of an array. */
void json_open_array(struct json *j, struct span text);
bool json_next_element(struct json *j, struct span *value);

/*
 * The same in two steps: first the key, and then one of the functions below
 * takes its value.
 */
bool json_next_key(struct json *j, struct text *key);
bool json_take(struct json *j, struct span *value);

/* {0} is empty; free(3) all */
struct json_integers {
	int64_t *all;
	size_t count, cap;
};

/* An array of integers, of text that is known to be valid; false if the value
   is something else. */
bool json_take_integers(struct json *j, struct json_integers *to);

/*
 * The end of the value that starts at p, validated; NULL with *error set to
 * a constant text where it is not JSON.
 */
const char *json_value(const char *p, const char *end, const char **error);

/* The end of the string whose opening quote is at p, likewise. */
const char *json_string(const char *p, const char *end, const char **error);

/* Append the bytes that a validated string (quotes included) stands for. */
void json_decode(struct text *t, struct span string);

/*
 * Append a validated value as tq spells it: no white space between tokens, and
 * the escapes of text_add_json; numbers stay as they are.  At most
 * JSON_RESPELT times as long.
 */
enum { JSON_RESPELT = 6 };
void json_respell(struct text *t, struct span value);

/* The integer that a validated number stands for; false if it is none, and *v
   stays as it is. */
bool json_int(struct span number, int64_t *v);

/* Is text one JSON value, and nothing else? */
bool json_valid(struct span text);

#endif
