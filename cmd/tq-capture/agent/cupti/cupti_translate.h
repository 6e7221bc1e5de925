/* cupti_translate.h - buffers of CUPTI, record by record, into the arena */
#ifndef TQ_AGENT_CUPTI_TRANSLATE_H
#define TQ_AGENT_CUPTI_TRANSLATE_H

#include "cupti_lib.h"

/*
 * Write the records of a completed buffer into the arena, by this thread. Those
 * whose bits are neither on now nor in cupti_translate_keep are dropped; losses
 * are counted.  Records become marked with CUPTI_RECORD_DONE.
 */
void cupti_translate(
    const struct cupti_lib *lib, uint8_t *buffer, size_t bytes);

/* Records of these bits are written even if arena.on lacks them. */
void cupti_translate_keep(uint32_t bits);

/* True if a record of a device has come. */
bool cupti_translate_saw_device(void);

#endif
