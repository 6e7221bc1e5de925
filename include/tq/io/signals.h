/*
 * signals.h - signals that end a tool
 *
 * Ctrl-C reaches every process of a pipeline.  The first one of the pipeline
 * ends by it, or writes what it has and then ends; a tool that reads from it
 * sees the end of its input, and is to finish its output.
 */
#ifndef TQ_IO_SIGNALS_H
#define TQ_IO_SIGNALS_H

/*
 * Run act, which may only do what is safe in a signal handler, before a signal
 * (HUP, INT, PIPE, QUIT, TERM, XCPU, XFSZ) ends the process, and at exit.
 * Signals that are ignored stay so.  A second call with the same act does
 * nothing; up to SIGNALS_ACTS different ones are kept, and more abort.
 */
void signals_before_death(void (*act)(void));

enum { SIGNALS_ACTS = 4 };

/*
 * From here to signals_reader_ends the process reads fd.  Where that is a pipe
 * or a socket, the first SIGINT of the process does nothing; the next one ends
 * it.  Does nothing for other files, and where SIGINT is ignored.
 */
void signals_reader_begins(int fd);

void signals_reader_ends(int fd);

#endif
