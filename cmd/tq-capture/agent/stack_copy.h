/*
 * stack_copy.h - a copy of the stack of this thread
 */
#ifndef TQ_AGENT_STACK_COPY_H
#define TQ_AGENT_STACK_COPY_H

#include <stddef.h>
#include <stdint.h>

#include "arena/record.h"

/*
 * How many bytes can be read from sp on, most at most, a multiple of 8:
 * whatever the stack is, of a thread, of a signal handler, of a coroutine.
 */
size_t stack_copy_size(uint64_t sp, size_t most);

/*
 * The registers of the function that calls this, and how many bytes of its
 * stack can be copied, most at most; 0: what leads to its callers is not known
 * of this processor.
 */
static inline __attribute__((always_inline)) size_t
stack_copy_here(struct osrt_stack *registers, size_t most)
{
#if defined(__x86_64__)
	__asm__ volatile(
	    "leaq 0(%%rip), %0\n\tmovq %%rsp, %1\n\tmovq %%rbp, %2"
	    : "=r"(registers->pc), "=r"(registers->sp), "=r"(registers->bp));
	return stack_copy_size(registers->sp, most);
#else
	(void)registers, (void)most;
	return 0;
#endif
}

/* The blob of a record with the registers and that many bytes of the stack:
   its bytes with their number, and the blob itself. */
static inline size_t
stack_copy_bytes(size_t stack)
{
	return sizeof(uint64_t) + sizeof(struct osrt_stack) + stack;
}

void stack_copy_put(char *to, const struct osrt_stack *registers, size_t stack);

#endif
