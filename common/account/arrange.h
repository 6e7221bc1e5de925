/*
 * arrange.h - the account of a recording, in an order that only depends on its
 * contents.
 */
#ifndef TQ_ACCOUNT_ARRANGE_H
#define TQ_ACCOUNT_ARRANGE_H

#include "account_draft.h"

/* Make the account of a recording that is over. */
struct account *arrange_account(const struct account_draft *r);

#endif
