/*
 * notes.h - debug annotations of a track event: JSON values as messages.
 */
#ifndef NOTES_H
#define NOTES_H

#include "packets.h"
#include "tq/draw/args.h"

enum { NOTES_FIELD = 4 }; /* of TrackEvent */

/* fields of DebugAnnotation */
enum {
	NOTE_KEY = 1,
	NOTE_BOOL = 2,
	NOTE_UINT = 3,
	NOTE_INT = 4,
	NOTE_DOUBLE = 5,
	NOTE_STRING = 6,
	NOTE_JSON = 9,
	NOTE_MEMBER = 11,
	NOTE_ELEMENT = 12,
	NOTE_INTERNED = 17
};

/* Append members, each as an annotation in that field. */
void notes_members(struct packets *p, unsigned field, const struct args *m);

/* Append the value of an annotation: valid JSON. */
void notes_value(struct packets *p, struct span json);

#endif
