/*
 * program.h - a tool that draws a stream: read, lay out, write.
 */
#ifndef TQ_DRAW_PROGRAM_H
#define TQ_DRAW_PROGRAM_H

#include "tq/draw/layout.h"
#include "tq/ranks/rank_waits.h"
#include "tq/io/reader.h"

struct program {
	struct reader in;
	struct output out;
	struct layout *layout;
	const struct sink *sink; /* of *arg, as for layout_new */
	void *arg;
	bool with_ranks; /* draw arrows between ranks: read the input twice */
	struct rank_waits ranks;
};

/*
 * Exit with a message that names the other tool if file, which may be NULL, has
 * the suffix of its output.
 */
void program_suffix(const char *file, const char *suffix, const char *tool);

/*
 * Draw all records of the operands; the caller has opened the output, and set
 * up the layout and the sink.  The trace is closed at the end, and where the
 * input turns out to be none; the output stays open.
 */
void program_run(struct program *p, char **operands);

/*
 * Finish the output, print warnings and, as a note, a summary; free all.
 * Returns the exit status.
 */
int program_finish(struct program *p);

#endif
