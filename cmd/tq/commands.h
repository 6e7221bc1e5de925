/*
 * commands.h - the commands of tq, and the input of each.
 */
#ifndef TQ_COMMANDS_H
#define TQ_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>

enum feed {
	FEED_ALL,      /* whatever the operands are */
	FEED_STREAM,   /* a stream: an export goes through tq-extract first */
	FEED_LAUNCHES, /* and through tq-correlate; several also tq-align */
	FEED_REPORTS,  /* the same, with all that the reports read */
	FEED_EACH      /* as launches, each operand on its own */
};

struct command {
	const char *name; /* tq-NAME is the program; NULL ends the table */
	const char *help;
	int (*run)(int argc, char *argv[]); /* NULL: run the program */
	enum feed feed;
	bool expression;    /* its first operand need not be a file */
	const char *report; /* it is this report of tq-stats; or NULL */
};

extern const struct command commands[];

/* NULL if there is none. */
const struct command *commands_find(const char *name);

/* There is no such command: name the nearest ones, and exit. */
_Noreturn void commands_refuse(const char *name);

/* Put the folder of this program in front of PATH: tools beside it are found
   before others. */
void commands_locate(const char *argv0);

/* The folder of this program; "" if it was found in PATH, and /proc is not. */
const char *commands_folder(void);

#endif
