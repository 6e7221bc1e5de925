/*
 * lenient.h - the JSON that profilers write: the grammar of json.h, and raw
 * control characters, bytes that are no UTF-8 and unknown escapes in strings,
 * NaN and Infinity, and a comma before a closing bracket.
 *
 * Up to LENIENT_PADDING bytes behind the end of a text are read.
 */
#ifndef LENIENT_H
#define LENIENT_H

#include "tq/base/text.h"

enum { LENIENT_PADDING = 16, LENIENT_DEPTH = 60 };

/* text that may go on behind end */
struct lenient {
	const char *end;
	bool more; /* a function returned NULL since the text ends there */
};

/* Past white space, which may reach to the end. */
const char *lenient_space(const struct lenient *l, const char *p);

/*
 * The end of the value that starts at p.  NULL where it is not JSON, or more
 * text is needed to decide.
 */
const char *lenient_value(struct lenient *l, const char *p);

/*
 * One member of an object, or the end of the object.  p stands behind "{" or
 * a member; the result behind the member, whose key is without its quotes, or
 * behind "}", and then key->p is NULL.  NULL as above.
 */
const char *lenient_member(
    struct lenient *l, const char *p, struct span *key, struct span *value);

/*
 * The two halves of it: the key, whose value is at the result, or the end as
 * above; and from behind the value to behind the member.
 */
const char *lenient_key(struct lenient *l, const char *p, struct span *key);
const char *lenient_member_end(struct lenient *l, const char *p);

/*
 * The last member of an object that has this key; p is NULL if there is none,
 * or the value is no object.
 */
struct span lenient_find(struct span object, const char *key);

/*
 * True if a file that begins with this text is an object with this key, as far
 * as the text goes.
 */
bool lenient_has_key(struct span head, const char *key);

/* The start of a file behind a byte order mark and white space. */
struct span lenient_start(struct span head);

/*
 * The elements of an array, one after the other: *at is NULL before the first.
 * False behind the last one, or if the value is no array.
 */
bool lenient_element(struct span array, const char **at, struct span *element);

/*
 * Write a value that was read by these functions as JSON without white space.
 * Integers beyond 2^53, NaN and Infinity become strings.  Returns how many
 * strings were repaired.
 */
size_t lenient_write(struct text *to, struct span value);

/*
 * The same of a string by the text between its quotes: written with quotes,
 * escapes in their canonical form, or as the bytes that it stands for.
 */
size_t lenient_write_string(struct text *to, struct span inner);
void lenient_decode(struct text *to, struct span inner);

/*
 * The integer that a number or a string stands for, also in hexadecimal
 * (0x...), or with a fraction of zeros.  False where it is none, or does not
 * fit.
 */
bool lenient_int(struct span value, int64_t *v);

/* That of a member, see lenient_find(); false if there is none, too. */
bool lenient_find_int(struct span object, const char *key, int64_t *v);

static inline bool
lenient_is_string(struct span value)
{
	return value.len > 0 && *value.p == '"';
}

/* The text between the quotes of a string; other values as they are. */
static inline struct span
lenient_inner(struct span value)
{
	if (!lenient_is_string(value))
		return value;
	return (struct span){value.p + 1, value.len - 2};
}

#endif
