/*
 * reader.h - the records of the operands, and the sections they stand in.
 *
 * Errors of the input are printed: a line that is no record, or an operand that
 * cannot be opened, ends the program with status 1 ("tool: FILE:17: expected
 * ':'"); an operand without a line, as one whose writer died at once, or a
 * section that does not reach its end, causes a warning, and status becomes 1
 * ("tool: warning: FILE: stream ends without its end record"); likewise an end
 * record of a section that has no beginning.  A section marked as not in order
 * of time ends the program too; records out of order in any other section are
 * counted, cause a warning at the end of the operand, and status becomes 1:
 * unless any_order was set after reader_init.  takes_live, set likewise, allows
 * records in any order in sections that are marked so and are read while they
 * are written: not from a file.  A partial or an account, see foreign_part(),
 * ends the program too, unless takes_parts, set likewise, has its kind.
 */
#ifndef TQ_IO_READER_H
#define TQ_IO_READER_H

#include "tq/line/event.h"
#include "tq/io/input.h"
#include "tq/io/output.h"

/* the latest time of a section; as text, that most are compared with */
struct newest_time {
	char text[16];
	size_t len; /* of text; 0: compare with value */
	int64_t value;
};

struct reader {
	struct event event; /* the record at hand */
	int status;         /* 0, or 1 once a section was cut short */
	bool in_section;
	bool any; /* an operand that was read to its end had a line */

	struct input in;
	const struct keyset *want;
	int64_t lines;
	bool any_order;             /* records need not be in order of time */
	bool takes_live;            /* nor those of a section with slack */
	uint64_t takes_parts;       /* 1 << KIND_partial, ... */
	bool live;                  /* the section has slack */
	bool grep;                  /* nor lines that stand in no section */
	bool timed[KIND_COUNT + 1]; /* kinds in order of their ts */
	struct newest_time newest;
	int64_t late, section_late; /* records behind newer ones */
	bool quiet; /* warnings were printed in an earlier pass */
	/*
	 * Set after reader_init, or NULL: called for a line that is no record,
	 * with in.name and in.lineno; true if it is of something else that the
	 * tool reads, and the next line follows.
	 */
	bool (*other)(void *arg, struct span line);
	void *other_arg;
};

/*
 * operands as for input_init.  want as for event_parse.  out, when not NULL,
 * is flushed before each wait for input.
 */
void reader_init(struct reader *r, char **operands, const struct keyset *want,
    struct output *out);

/*
 * Go to the next record: false at the end of all operands.  An "end" record
 * is seen only where its section is complete and in order, so that a tool that
 * writes its own for it never makes a cut section look whole.
 */
bool reader_next(struct reader *r);

/*
 * Begin with the first operand again, after input_keep(&r->in, ...).  No
 * warning is printed twice.  An operand that changed since ends the program
 * with status 1.
 */
void reader_rewind(struct reader *r);

void reader_free(struct reader *r);

#endif
