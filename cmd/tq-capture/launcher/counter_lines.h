/* counter_lines.h - polled counters become lines of the outputs */
#ifndef TQ_CAPTURE_COUNTER_LINES_H
#define TQ_CAPTURE_COUNTER_LINES_H

#include "counters/counter_thread.h"
#include "outputs.h"
#include "tq/base/map.h"

/* {0} writes nothing */
struct counter_lines {
	struct counter_thread *from;
	struct map defined; /* (output, counter) -> its id there */
	int64_t *ids;       /* of the capture, by counter */
	size_t count, cap;
};

/*
 * Write the values polled since the last call.  With several outputs, a value
 * of a process goes to the outputs of that process, any other to all.  Returns
 * from when on (ns) values may still come.
 */
int64_t counter_lines_write(struct counter_lines *l, struct outputs *to,
    struct capture_ids *ids, struct captured_process *const *targets,
    size_t count);

void counter_lines_free(struct counter_lines *l);

#endif
