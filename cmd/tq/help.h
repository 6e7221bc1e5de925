/*
 * help.h - tq help: the manual of a command.
 */
#ifndef TQ_HELP_H
#define TQ_HELP_H

#include <stdio.h>

/* Print the commands. */
void help_list(FILE *to);

int help_main(int argc, char *argv[]);

#endif
