/* cupti_translate.h - buffers of CUPTI, record by record, into the arena */
#ifndef TQ_AGENT_CUPTI_TRANSLATE_H
#define TQ_AGENT_CUPTI_TRANSLATE_H

#include "cupti_lib.h"

/*
 * Write the records of a completed buffer, of bytes, by this thread.  Those
 * of kinds that are off now, and were so at the last cupti_translate_keep,
 * are thrown away.  What is lost is counted.  The records are marked with
 * CUPTI_RECORD_DONE.
 */
void cupti_translate(
    const struct cupti_lib *lib, uint8_t *buffer, size_t bytes);

/* Records of these bits of arena.on are kept, whatever arena.on says. */
void cupti_translate_keep(uint32_t bits);

/* Did a record of a device come along? */
bool cupti_translate_saw_device(void);

#endif
