/*
 * pager.h - pages that are longer than the terminal.
 */
#ifndef PAGER_H
#define PAGER_H

#include "tq/base/text.h"

/*
 * Hand all of a page to the pager, and wait until it ends: TQ_PAGER, else
 * PAGER, else less, which gets the options FRX where LESS is unset.  An empty
 * one and cat are none, and so is less on a dumb terminal.
 *
 * False if there is no pager, or it could not be run: nothing was shown.
 */
bool pager_show(struct span page);

#endif
