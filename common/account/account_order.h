/*
 * account_order.h - the account of a recording, in an order that only depends
 * on its contents.
 */
#ifndef TQ_ACCOUNT_ACCOUNT_ORDER_H
#define TQ_ACCOUNT_ACCOUNT_ORDER_H

#include "account_draft.h"

/* Make the account of a recording that is over. */
struct account *account_order_account(const struct account_draft *r);

#endif
