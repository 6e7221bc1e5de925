/* about.h - the description of a process in its arena */
#ifndef TQ_AGENT_ABOUT_H
#define TQ_AGENT_ABOUT_H

#include <stddef.h>

/*
 * Fill about[size] as arena.h has it: name, variables, command.  A value that
 * does not fit is cut, and ends in "...".
 */
void about_fill(char *about, size_t size);

#endif
