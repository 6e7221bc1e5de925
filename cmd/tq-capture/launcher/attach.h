/*
 * attach.h - a process that runs already: --attach
 *
 * Nothing is put into it: it is looked at from outside, by samples of its
 * processors and of Python, context switches, and counters.
 */
#ifndef TQ_CAPTURE_ATTACH_H
#define TQ_CAPTURE_ATTACH_H

#include <sys/types.h>

#include "outputs.h"

/* A descriptor that can be read once the process has ended; -1 with errno. */
int attach_open(pid_t pid);

/* Its command line, in the form of execve(2); free it with attach_free. */
char **attach_command(pid_t pid);
void attach_free(char **command);

/* Define the names of the process, its descendants and their threads. */
void attach_define(struct outputs *to, pid_t pid);

#endif
