/*
 * help.h - tq help: the manual of a command.
 */
#ifndef TQ_HELP_H
#define TQ_HELP_H

/* Print the synopsis and the commands. */
void help_list(void);

int help_main(int argc, char *argv[]);

#endif
