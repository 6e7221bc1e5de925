/*
 * stack_copy.h - a copy of the stack of this thread
 */
#ifndef TQ_AGENT_STACK_COPY_H
#define TQ_AGENT_STACK_COPY_H

#include <stddef.h>
#include <stdint.h>

/*
 * How many bytes can be read from sp on, most at most, a multiple of 8:
 * whatever the stack is, of a thread, of a signal handler, of a coroutine.
 */
size_t stack_copy_size(uint64_t sp, size_t most);

/* Copy bytes, a multiple of 8, from that address. */
void stack_copy_words(char *to, uint64_t from, size_t bytes);

#endif
