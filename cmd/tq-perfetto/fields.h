/*
 * fields.h - arguments that are integers and strings: typed fields of a message
 * that extends track events.  It has the name of annotations, "debug", so that
 * Perfetto shows both kinds of arguments alike; but a field takes 2 or 3 bytes
 * where an annotation takes 6 or 7.
 *
 *	message Slice { extend TrackEvent { optional Args debug = 9900; } }
 *	message Args { optional int64 correlation = 1; ...
 *	    repeated int64 grid = 5; optional Value api = 3; ... }
 *	enum Value { cudaLaunchKernel_v7000 = 1; ... }
 *
 * The values of the enumeration are the strings of the records; it grows with
 * the records.
 */
#ifndef FIELDS_H
#define FIELDS_H

#include "tq/line/event.h"
#include "tq/draw/proto.h"

enum { FIELDS_EVENT = 9900 }; /* of TrackEvent; fields up to 9999 are free */

/*
 * Keys that are fields: INT and INTS but references to symbols and stacks, and
 * STR but keys that hardly ever have a value twice.
 */
extern struct keyset fields_keys;

extern struct field {
	char tag[2];
	unsigned char tag_len;
	unsigned char type;
	unsigned char key;
} fields[KEY_COUNT];

/* Append the description of a value of the enumeration. */
void fields_add_value(struct text *values, struct span s, uint32_t number);

/* Append the ExtensionDescriptor of all this, or only of the values. */
void fields_describe(struct text *t, struct span values, bool only_values);

/* The most bytes of a field per byte of JSON, and behind it. */
enum { FIELDS_GROWTH = 6, FIELDS_SPARE = 16 };

/*
 * Put a field to p, where there is room for FIELDS_GROWTH times the value and
 * its key in JSON, and FIELDS_SPARE bytes; returns the end.
 */
static inline char *
fields_put_tag(char *p, const struct field *f)
{
	memcpy(p, f->tag, sizeof(f->tag));
	return p + f->tag_len;
}

static inline char *
fields_put(char *p, const struct field *f, uint32_t v)
{
	return proto_put(fields_put_tag(p, f), v);
}

/* The same of an INT, with 8 readable bytes behind; many are a digit. */
static inline char *
fields_put_int(char *p, const struct field *f, struct span json)
{
	p = fields_put_tag(p, f);
	if (json.len == 1) {
		*p = (char)(*json.p - '0');
		return p + 1;
	}
	if (json.len > 8 || *json.p == '-')
		return proto_put(p, (uint64_t)event_long_number(json));
	return proto_put_small(p, words_number(json.p, json.len));
}

/* The same of INTS; NULL where these are not canonical. */
char *fields_put_ints(char *p, const struct field *f, struct span json);

#endif
