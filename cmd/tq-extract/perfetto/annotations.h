/*
 * annotations.h - the arguments of an event: debug annotations, and fields of
 * extensions that the trace describes, as JSON.
 */
#ifndef ANNOTATIONS_H
#define ANNOTATIONS_H

#include "sequence.h"
#include "tq/base/intern.h"
#include "tq/base/text.h"

enum { ANNOTATIONS_DEPTH = 32 }; /* nesting; deeper values become null */

/* Append the value of a DebugAnnotation. */
void annotations_value(
    struct text *t, const struct sequence *q, struct span annotation);

/* Its name. */
struct span annotations_name(const struct sequence *q, struct span annotation);

/* An integer; a string beyond 2^53. */
void annotations_int(struct text *t, int64_t v);

/* a field of a message, and a value of an enumeration */
struct extension_field {
	struct span name;
	uint32_t type; /* number of its message or enumeration + 1; or 0 */
	bool repeated;
};

/* fields by the ExtensionDescriptors of a trace; {0} is empty */
struct extensions {
	struct intern types;                  /* full names */
	KEYED(struct extension_field) fields; /* by type and number */
	KEYED(struct extension_field) values; /* the same, of enumerations */
	struct region texts;
	bool ours; /* the package is tq-perfetto's */
};

void extensions_take(struct extensions *x, struct span descriptor);

/* The message of field n of TrackEvent; 0 where it is none. */
uint32_t extensions_message(const struct extensions *x, uint32_t n);

/*
 * Give each field of such a message to put: the name, and the value as JSON.
 * put may be called several times for a name that is repeated.
 */
void extensions_read(const struct extensions *x, uint32_t message,
    struct span bytes,
    void (*put)(void *arg, const struct extension_field *f, struct span value),
    void *arg);

void extensions_free(struct extensions *x);

#endif
