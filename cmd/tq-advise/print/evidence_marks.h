/*
 * evidence_marks.h - the evidence of findings as records of kind mark, in the
 * stream that they are of.
 *
 * A mark has the domain tq-advise, the severity as its category, and a device:
 * viewers have a row for these, see layout.c.  Marks of that domain that the
 * stream has already are left out.
 */
#ifndef EVIDENCE_MARKS_H
#define EVIDENCE_MARKS_H

#include "tq/io/reader.h"
#include "print/advice.h"

#define EVIDENCE_MARKS_DOMAIN "tq-advise"

struct mark {
	const struct finding *finding;
	const struct evidence *evidence;
};

/* {0} has none */
struct evidence_marks {
	struct mark *all; /* in order of section and time */
	size_t count, cap;
};

/* The evidence of the findings that text shows. */
void evidence_marks_make(struct evidence_marks *m, const struct advice *a);

/* Add the keys that evidence_marks_write needs. */
void evidence_marks_keys(struct keyset *want);

/*
 * Pass the stream on, each mark before the first record that begins after it.
 * in stands at the beginning.
 */
void evidence_marks_write(const struct evidence_marks *m, struct advice *a,
    struct reader *in, struct output *o);

void evidence_marks_free(struct evidence_marks *m);

#endif
