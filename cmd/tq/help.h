/*
 * help.h - tq help: the manual of a command.
 */
#ifndef TQ_HELP_H
#define TQ_HELP_H

#include <stdio.h>

/* Print the commands, one per line; the caller looks for errors. */
void help_list(FILE *to);

/* What to type first, and the commands; the same. */
void help_start(FILE *to);

int help_main(int argc, char *argv[]);

#endif
