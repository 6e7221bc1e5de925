/*
 * fields.h - arguments that are integers and strings: typed fields of a
 * message that extends track events.  It is called as annotations are,
 * "debug", so that Perfetto knows both kinds of arguments by the same names;
 * but a field takes 2 or 3 bytes where an annotation takes 6 or 7.
 *
 *	message Slice { extend TrackEvent { optional Args debug = 9900; } }
 *	message Args { optional int64 correlation = 1; ...
 *	    repeated int64 grid = 5; optional Value api = 3; ... }
 *	enum Value { cudaLaunchKernel_v7000 = 1; ... }
 *
 * The values of the enumeration are the strings that the records have; it
 * grows as these come.
 */
#ifndef FIELDS_H
#define FIELDS_H

#include "tq/proto.h"
#include "tq/schema.h"
#include "tq/words.h"

enum { FIELDS_EVENT = 9900 }; /* of TrackEvent; those up to 9999 are free */

/*
 * Keys that are fields: INT and INTS, but for those that stand for others;
 * and STR, but for those that hardly ever have a value twice.
 */
extern struct keyset fields_keys;

extern struct fields_tag {
	char text[2];
	unsigned char len;
	unsigned char type;
} fields_tags[KEY_COUNT];

/* Append what says that a string is that value of the enumeration. */
void fields_add_value(struct text *values, struct span s, uint32_t number);

/*
 * Append the ExtensionDescriptor that says all this, or only what values
 * there are.
 */
void fields_describe(struct text *t, struct span values, bool only_values);

/* What an annotation or a field of a key is called. */
struct span fields_name(enum key key);

/* the number that eight digits stand for, the first of which is the lowest */
static inline uint64_t
fields_digits(uint64_t v)
{
	v = (v & WORDS_ONES * 0x0f) * (10 << 8 | 1) >> 8;
	v = (v & 0x00ff00ff00ff00ffu) * (100 << 16 | 1) >> 16;
	return (v & 0x0000ffff0000ffffu) * ((uint64_t)10000 << 32 | 1) >> 32;
}

/* The value of an INT; 8 bytes are readable behind it. */
static inline uint64_t
fields_int(struct span json)
{
	uint64_t sign = *json.p == '-', high, v;
	const char *p = json.p + sign;
	size_t n = json.len - sign;

	memcpy(&high, p, 8);
	if (n <= 8) {
		v = fields_digits(high << (64 - 8 * n));
	} else if (n <= 16) {
		memcpy(&v, p + n - 8, 8);
		v = fields_digits(high << (128 - 8 * n)) * 100000000 +
		    fields_digits(v);
	} else
		for (v = 0; n > 0; n--)
			v = v * 10 + (unsigned char)(*p++ - '0');
	return (v ^ (0 - sign)) + sign;
}

enum { FIELDS_GROWTH = 6 }; /* bytes of a field, at most, for each of JSON */

/*
 * The field of a key at p, where there is room for FIELDS_GROWTH times the
 * value and its key in JSON; returns the end.
 */
static inline char *
fields_put(char *p, enum key key, uint64_t v)
{
	memcpy(p, fields_tags[key].text, sizeof(fields_tags->text));
	return proto_put(p + fields_tags[key].len, v);
}

/* The same of an INT; most are small. */
static inline char *
fields_put_int(char *p, enum key key, struct span json)
{
	if (json.len > 2 || *json.p == '-')
		return fields_put(p, key, fields_int(json));
	memcpy(p, fields_tags[key].text, sizeof(fields_tags->text));
	p += fields_tags[key].len;
	*p = (char)(json.len == 1 ? json.p[0] - '0'
				  : json.p[0] * 10 + json.p[1] - '0' * 11);
	return p + 1;
}

/* The same for INTS; NULL where these are not canonical. */
char *fields_put_ints(char *p, enum key key, struct span json);

#endif
