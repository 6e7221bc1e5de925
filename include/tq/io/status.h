/*
 * status.h - how tools end, and what they say of themselves.
 */
#ifndef TQ_IO_STATUS_H
#define TQ_IO_STATUS_H

enum {
	TQ_OK,    /* all of the input was processed */
	TQ_FAIL,  /* bad input, unwritable output, no memory */
	TQ_USAGE, /* the command line made no sense */
	TQ_GATE,  /* a gate that was asked for said no */
};

/*
 * help is a synopsis that begins with "usage: " and ends with an empty line,
 * and a line per option.  All of these exit: with all of it on stdout, with
 * the synopsis on stderr, with name and version on stdout.
 */
_Noreturn void status_help(const char *help);
_Noreturn void status_usage(const char *help);
_Noreturn void status_usage_as(const char *help, int status);
_Noreturn void status_version(const char *tool);

#endif
