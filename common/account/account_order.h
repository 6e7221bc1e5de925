/*
 * account_order.h - the account of a recording, in an order that only depends
 * on its contents.
 */
#ifndef TQ_ACCOUNT_ACCOUNT_ORDER_H
#define TQ_ACCOUNT_ACCOUNT_ORDER_H

#include "account_draft.h"

/* Make the account of a recording that is over; it takes the draft's paths. */
struct account *account_order_account(struct account_draft *r);

#endif
