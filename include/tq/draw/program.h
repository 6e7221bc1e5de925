/*
 * program.h - what a tool does that draws a stream: read, lay out, write.
 */
#ifndef TQ_DRAW_PROGRAM_H
#define TQ_DRAW_PROGRAM_H

#include "tq/draw/layout.h"
#include "tq/io/reader.h"

struct program {
	struct reader in;
	struct output out;
	struct layout layout;
	const struct sink *sink; /* of *arg, as for layout_init */
	void *arg;
};

/*
 * Read the operands, and draw all of their records; the caller has opened the
 * output, and set up the layout and the sink.  The trace is closed in the
 * end, and also where the input turns out to be none; the output is not.
 */
void program_run(struct program *d, char **operands);

#endif
