/* Work that has not ended; what ends first comes out first. */
#ifndef FAKECUDA_PENDING_H
#define FAKECUDA_PENDING_H

#include "fakecuda.h"

void pending_add(const struct fake_op *);

/* The first to end, if that is not after now. */
bool pending_take(struct fake_op *, uint64_t now);

#endif
