/*
 * python_start.h - what each Python of the command does when it starts: it
 * imports sitecustomize.py from a folder beside the agent, which annotates
 * functions
 */
#ifndef TQ_CAPTURE_PYTHON_START_H
#define TQ_CAPTURE_PYTHON_START_H

#include "capture_options.h"

/* Python can import from that folder; false: *why says why not. */
bool python_start_try(const char *agent, struct text *why);

/*
 * The functions that the options ask for, as TQ_CAPTURE_PYTHON has them (see
 * sitecustomize.py); empty: none.  False: *why says what is wrong, with file
 * and line.
 */
bool python_start_read(struct text *functions, const struct capture_options *o,
    const char *agent, struct text *why);

/* Set the variables of the command. */
void python_start_set(
    struct capture_options *o, const char *functions, const char *agent);

#endif
