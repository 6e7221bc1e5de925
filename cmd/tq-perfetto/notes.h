/*
 * notes.h - debug annotations of a track event: JSON values as messages.
 */
#ifndef NOTES_H
#define NOTES_H

#include "packets.h"
#include "tq/words.h"

enum { NOTES_FIELD = 4 }; /* of TrackEvent */

/* fields of DebugAnnotation */
enum {
	NOTE_KEY = 1,
	NOTE_BOOL = 2,
	NOTE_UINT = 3,
	NOTE_INT = 4,
	NOTE_DOUBLE = 5,
	NOTE_STRING = 6,
	NOTE_MEMBER = 11,
	NOTE_ELEMENT = 12,
	NOTE_INTERNED = 17
};

struct note_member {
	struct span key; /* bytes */
	struct span value;
	size_t at;
};

/* {0} is empty */
struct note_members {
	struct note_member *member;
	size_t cap;
};

struct note_member *notes_reserve(struct note_members *m, size_t count);

/*
 * The members of an object, and their number; *keys gets their names, behind
 * what is there.
 */
size_t notes_take_apart(
    struct note_members *m, struct text *keys, struct span object);

/*
 * Append members, sorted, each as an annotation in that field.  Of several
 * with the same key the last counts.
 */
void notes_sorted(
    struct packets *p, unsigned field, struct note_member *m, size_t count);

/* Append the value of an annotation: valid JSON. */
void notes_value(struct packets *p, struct span json);

/* the number at p, of n digits and perhaps a sign; 8 bytes are readable */
static inline uint64_t
parse_int(const char *p, size_t n)
{
	uint64_t v, sign = *p == '-';

	p += sign;
	n -= sign;
	if (n <= 8) {
		memcpy(&v, p, 8);
		v <<= 64 - 8 * n; /* so that zeros come before it */
		v = (v & WORDS_ONES * 0x0f) * (10 << 8 | 1) >> 8;
		v = (v & 0x00ff00ff00ff00ffu) * (100 << 16 | 1) >> 16;
		v = (v & 0x0000ffff0000ffffu) * ((uint64_t)10000 << 32 | 1) >>
		    32;
	} else
		for (v = 0; n > 0; n--)
			v = v * 10 + (unsigned char)(*p++ - '0');
	return (v ^ (0 - sign)) + sign;
}

enum { NOTES_INT_MAX = 16 }; /* bytes of an annotation with an INT */

/*
 * An annotation of an INT, 22 len 08 key 20 value, at p, which has room for
 * NOTES_INT_MAX bytes; returns the end.
 */
static inline char *
notes_put_int(char *p, struct span v, enum key key)
{
	char *end;

	_Static_assert(KEY_COUNT < 0x80, "a key takes one byte");
	p[0] = NOTES_FIELD << 3 | PROTO_BYTES;
	p[2] = NOTE_KEY << 3 | PROTO_VARINT;
	p[3] = (char)(key + 1);
	p[4] = NOTE_INT << 3 | PROTO_VARINT;
	end = proto_put(p + 5, parse_int(v.p, v.len));
	p[1] = (char)(end - p - 2);
	return end;
}

/* An annotation of a STR: 22 len 08 key 8a 01 number. */
void notes_string(struct packets *p, struct span json, enum key key);

/* The value of an annotation, INTS; false where these are not canonical. */
bool notes_ints(struct text *b, struct span json);

#endif
