/*
 * notes.h - debug annotations of a track event: JSON values as messages.
 */
#ifndef NOTES_H
#define NOTES_H

#include "packets.h"

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

#endif
