/*
 * function_label.h - the ranges of functions of Python: their names, and which
 * of them are open
 *
 * All functions are for threads that hold the lock of Python, which guards the
 * tables.
 */
#ifndef TQ_AGENT_FUNCTION_LABEL_H
#define TQ_AGENT_FUNCTION_LABEL_H

#include <stdint.h>

enum { FUNCTION_LABEL_NONE = -1 };

/*
 * A range of that name in that domain of NVTX, for calls of one function;
 * color: ARGB, 0 for none.  FUNCTION_LABEL_NONE if there is no memory.
 */
int32_t function_label_add(
    const char *domain, const char *name, uint32_t color);

/*
 * The range begins or ends on this thread.  of NULL, or the text before the
 * name ("Linear" of "Linear.forward"); payload NULL, or a text.  An end without
 * a beginning is nothing: the call ran already when its function became one
 * that is annotated.
 */
void function_label_begin(int32_t label, const char *of, const char *payload);
void function_label_end(int32_t label);

/* The code at that address has this label, unless it has one. */
void function_label_set(const void *code, int32_t label);
int32_t function_label_of(const void *code);

#endif
