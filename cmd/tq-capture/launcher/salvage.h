/*
 * salvage.h - records in the buffers that CUPTI had when its process died
 */
#ifndef TQ_CAPTURE_SALVAGE_H
#define TQ_CAPTURE_SALVAGE_H

#include "captured_process.h"

/* Write their lines; agent is the file of the library that can read them. */
void salvage_target(struct captured_process *t, const char *agent);

#endif
