/*
 * cupti_names.h - names that CUPTI's records point to, each told once
 *
 * May be called from any thread.  Calls nothing of CUPTI under its lock.
 */
#ifndef TQ_AGENT_CUPTI_NAMES_H
#define TQ_AGENT_CUPTI_NAMES_H

#include "arena/record.h"
#include "cupti_lib.h"

/*
 * The RECORD_SYMBOL that has the text at that address; it is defined if need
 * be.  An address may come to hold another text, when a module was
 * unloaded.  0 where it can't be defined.
 */
uint64_t cupti_names_symbol(const char *text);

/* Define the RECORD_FUNCTION of a callback, unless that was done. */
void cupti_names_function(
    const struct cupti_lib *lib, enum api_source source, uint32_t callback);

#endif
