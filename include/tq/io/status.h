/*
 * status.h - the exit status of a tool.
 */
#ifndef TQ_IO_STATUS_H
#define TQ_IO_STATUS_H

enum {
	TQ_OK,    /* all of the input was processed */
	TQ_FAIL,  /* bad input, unwritable output, no memory */
	TQ_USAGE, /* the command line made no sense */
	TQ_GATE,  /* a gate of the command line failed */
};

#endif
