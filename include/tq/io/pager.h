/*
 * pager.h - text that is longer than the terminal goes to a pager: TQ_PAGER,
 * else PAGER, else less, which gets the options FRX where LESS is unset.  An
 * empty one and cat are none, and so is less on a dumb terminal.
 */
#ifndef TQ_IO_PAGER_H
#define TQ_IO_PAGER_H

#include <stdbool.h>

#include "tq/base/text.h"

/* True if TERM names none that moves its cursor. */
bool pager_terminal_is_dumb(void);

/*
 * Hand all of a text to the pager, and wait until it ends.  False if there is
 * no pager, or it could not be run: nothing was shown.
 */
bool pager_show(struct span page);

/* Bytes of the pipe to a pager, which is full while the pager reads none. */
enum { PAGER_PIPE = 1 << 16 };

/*
 * Start the pager, which gets what is written to standard output until
 * pager_end, or until the program ends.  False if there is none, or it could
 * not be run: standard output is what it was.  A write behind the end of the
 * pager fails with EPIPE; the signals of the terminal are the pager's.
 */
bool pager_begin(void);

/*
 * Instead of pager_end, after EPIPE: wait until the pager ends.  False if the
 * shell could not run it: standard output is the terminal again.
 */
bool pager_has_run(void);

/* Close standard output, and wait until the pager ends. */
void pager_end(void);

#endif
