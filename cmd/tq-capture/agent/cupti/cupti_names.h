/*
 * cupti_names.h - names that CUPTI's records point to, each defined once
 *
 * For any thread.  Calls nothing of CUPTI under its lock.
 */
#ifndef TQ_AGENT_CUPTI_NAMES_H
#define TQ_AGENT_CUPTI_NAMES_H

#include "arena/record.h"
#include "cupti_lib.h"

/*
 * The id of the RECORD_SYMBOL of that text, which is defined if need be.  The
 * address of text may hold another text later, once a module is unloaded.  0 if
 * there is no room to define it.
 */
uint64_t cupti_names_symbol(const char *text);

/* Define the RECORD_FUNCTION of a callback, unless it is defined. */
void cupti_names_function(
    const struct cupti_lib *lib, enum api_source source, uint32_t callback);

#endif
