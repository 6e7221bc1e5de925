/*
 * inject.h - the agent loaded into a process that runs already
 *
 * One thread that waits in a system call is stopped, and calls dlopen(3) and a
 * function of the agent; then it waits on as if nothing had been.  A thread
 * that may hold a lock of malloc or of the loader is left alone.
 */
#ifndef TQ_CAPTURE_INJECT_H
#define TQ_CAPTURE_INJECT_H

#include <stdbool.h>
#include <sys/types.h>

#include "tq/base/text.h"

/*
 * Load the file `agent` into the process, and begin with these settings, a
 * string in the format of CAPTURE_VARIABLE.  False: *why is the reason, and the
 * process goes on as before.
 */
bool inject_agent(
    pid_t pid, const char *agent, const char *settings, struct text *why);

#endif
