/*
 * python_start.h - the start of each Python of the command: it imports
 * sitecustomize.py from a folder beside the agent, which annotates functions
 */
#ifndef TQ_CAPTURE_PYTHON_START_H
#define TQ_CAPTURE_PYTHON_START_H

#include "capture_options.h"

/* True if Python can import from that folder; false: *why is the reason. */
bool python_start_try(const char *agent, struct text *why);

/*
 * The functions of the options, in the format of TQ_CAPTURE_PYTHON (see
 * sitecustomize.py); empty: none.  False: *why is the error, with file and
 * line.
 */
bool python_start_read(struct text *functions, const struct capture_options *o,
    const char *agent, struct text *why);

/* Set the variables of the command. */
void python_start_set(
    struct capture_options *o, const char *functions, const char *agent);

#endif
