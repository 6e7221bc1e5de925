/*
 * osrt_modules.h - which files the code of this process is from, for the
 * launcher, which follows stacks when the process may have ended
 */
#ifndef TQ_AGENT_OSRT_MODULES_H
#define TQ_AGENT_OSRT_MODULES_H

#include "writer.h"

/* how many times 10 us there are between two looks: 100 ms */
enum { OSRT_MODULES_PERIODS = 10000 };

/*
 * Write a RECORD_MODULE for each file whose code is mapped and was not written
 * before; nothing if the last look is less than `period` ticks before now.  If
 * another thread looks for the first time, wait until it is done, but not
 * longer than 20 ms.  w: of this thread, which is not inside.
 * Takes no lock of the loader.  Changes errno.
 */
void osrt_modules_tell(struct writer *w, uint64_t now, uint64_t period);

#endif
