/*
 * stack_copy.h - a copy of the stack of this thread
 */
#ifndef TQ_AGENT_STACK_COPY_H
#define TQ_AGENT_STACK_COPY_H

#include <stddef.h>
#include <stdint.h>

#include "arena/record.h"

/*
 * The bytes that a copy of a stack may have from sp on, most at most, a
 * multiple of 8: none behind the end of the stack of this thread, if sp is in
 * it.
 */
size_t stack_copy_most(uint64_t sp, size_t most);

/*
 * The registers of the function that calls this, and stack_copy_most of its
 * stack; 0: what leads to its callers is not known of this processor.
 */
static inline __attribute__((always_inline)) size_t
stack_copy_here(struct osrt_stack *registers, size_t most)
{
#if defined(__x86_64__)
	__asm__ volatile(
	    "leaq 0(%%rip), %0\n\tmovq %%rsp, %1\n\tmovq %%rbp, %2"
	    : "=r"(registers->pc), "=r"(registers->sp), "=r"(registers->bp));
	return stack_copy_most(registers->sp, most);
#else
	(void)registers, (void)most;
	return 0;
#endif
}

/* The blob of a record with the registers and that many bytes of the stack: the
   bytes of it with their number. */
static inline size_t
stack_copy_bytes(size_t stack)
{
	return sizeof(uint64_t) + sizeof(struct osrt_stack) + stack;
}

/*
 * Put that blob, with as many bytes of the stack as can be read, most at most,
 * a multiple of 8: whatever the stack is, of a thread, of a signal handler, of
 * a coroutine.  tid: of this thread.  Returns the bytes of the blob with their
 * number; changes errno.
 */
size_t stack_copy_put(
    char *to, const struct osrt_stack *registers, size_t most, int32_t tid);

#endif
