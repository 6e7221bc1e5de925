/*
 * parcel.h - pieces of a stream with the outlines of their lines: what a tool
 * hands to the next one where tq joins them.
 *
 *	parcel  = head { new shape } { outline } text
 *
 * The texts of the parcels, one after the other, are the stream, byte for byte.
 * Numbers have the byte order of the machine: no parcel leaves it, or reaches a
 * file that has a name.  In TQ_PARCELS, tq tells a tool that the tool before it
 * may write parcels ("in"), that the next one reads them ("out"), or both
 * ("in,out").  Where a user has set the variable, as to "none", tq leaves it,
 * and its tools hand on text.
 */
#ifndef TQ_IO_PARCEL_H
#define TQ_IO_PARCEL_H

#include "tq/base/text.h"
#include "tq/line/outline.h"

#define PARCEL_VARIABLE "TQ_PARCELS"

struct parcel_head {
	unsigned char magic[4];          /* parcel_magic */
	uint32_t schema;                 /* of this build: its kinds and keys */
	uint32_t shapes, outlines, text; /* bytes of each */
};

/* The first four bytes of a parcel, which no stream begins with. */
extern const unsigned char parcel_magic[4];

/* True if the input, a pipe, may have parcels. */
bool parcel_may_come(void);

/* True if the program that reads the standard output takes them. */
bool parcel_may_go(void);

/*
 * Tell the tool that the process becomes what these two return there, unless
 * the user has set TQ_PARCELS; false on an error, with errno set.
 */
bool parcel_tell(bool in, bool out);

/* ---- writing ---- */

enum { PARCEL_LENT = 16 };

/* the memory of a text that a pipe may still have */
struct parcel_lent {
	struct text text;
	uint64_t pages; /* that were lent with it and before */
};

/* {0} has none */
struct parcel_writer {
	struct text outlines;
	size_t covered;  /* bytes of the text up to the last outlined line */
	uint16_t shapes; /* that the reader has */
	struct text head;
	struct parcel_lent lent[PARCEL_LENT];
	size_t lent_first, lent_count;
	uint64_t pages; /* that were lent so far */
};

/* The line that begins at a place of the text has an outline. */
static inline void parcel_add(
    struct parcel_writer *w, const struct outline *o, size_t at);

/*
 * Write the text as a parcel, and empty it; false on an error, with errno set.
 * Its memory may become that of a pipe, without a copy: then it gets another.
 */
bool parcel_write(struct parcel_writer *w, int fd, struct text *t);

void parcel_writer_free(struct parcel_writer *w);

/* ---- reading ---- */

/* a shape of the writer */
struct parcel_shape {
	uint16_t number; /* here, or 0: there is no room for it */
	uint16_t count;  /* of its keys */
};

/*
 * Outlines of lines that were not read yet, but for those whose shapes have no
 * room here.  Places are those of the stream, from 0.
 */
struct parcel_queue {
	struct text outlines;
	size_t at;     /* of the next one */
	uint64_t next; /* where its line begins; UINT64_MAX: there is none */
	uint64_t end;  /* of the line of the last one */
	uint64_t text; /* where the text of the next parcel begins */
	struct parcel_shape *shapes; /* behind those of kinds alone */
	size_t shape_count, shape_cap;
};

/* True of the head of a parcel that this build of tq may have written. */
bool parcel_head_is(const struct parcel_head *h);

/*
 * Take in the bytes of a parcel between its head and its text.  False where
 * they are none of this build of tq.
 */
bool parcel_take(
    struct parcel_queue *q, const struct parcel_head *h, const char *p);

/*
 * The next outline, of the line at q->next; good until parcel_take.  The second
 * one also goes on to the one behind it.
 */
static inline const struct outline *parcel_first(const struct parcel_queue *q);
static inline const struct outline *parcel_next(struct parcel_queue *q);

void parcel_queue_free(struct parcel_queue *q);

/* ---- an outline among others ---- */

/* the bytes in front of its line that have none, then the outline as it is */
struct parcel_entry {
	uint32_t skip;
	struct outline outline; /* only as many lengths as it has members */
};

enum { PARCEL_ALIGN = 4 };

static inline size_t
parcel_entry_bytes(size_t members)
{
	return (offsetof(struct parcel_entry, outline.len) + members +
		   PARCEL_ALIGN - 1) &
	       ~(size_t)(PARCEL_ALIGN - 1);
}

static inline void
parcel_add(struct parcel_writer *w, const struct outline *o, size_t at)
{
	struct parcel_entry *e;

	if (o->shape == 0)
		return;
	e = (void *)text_reserve(&w->outlines, sizeof(*e));
	e->skip = (uint32_t)(at - w->covered);
	e->outline = *o;
	w->outlines.len += parcel_entry_bytes(outline_shapes[o->shape]->count);
	w->covered = at + o->bytes + 2; /* the brace, the newline */
}

static inline struct parcel_entry *
parcel_entry_at(const struct parcel_queue *q, size_t at)
{
	return (void *)(q->outlines.p + at);
}

static inline const struct outline *
parcel_first(const struct parcel_queue *q)
{
	return &parcel_entry_at(q, q->at)->outline;
}

static inline const struct outline *
parcel_next(struct parcel_queue *q)
{
	const struct outline *o = parcel_first(q);
	uint64_t end = q->next + o->bytes + 2;

	q->at += parcel_entry_bytes(outline_shapes[o->shape]->count);
	q->next = q->at < q->outlines.len
		      ? end + parcel_entry_at(q, q->at)->skip
		      : UINT64_MAX;
	return o;
}

#endif
