/* stack_copy.c - a copy of the stack of this thread */

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "readable.h"
#include "stack_copy.h"

enum { PAGE = 4096 };

size_t
stack_copy_most(uint64_t sp, size_t most)
{
	/* glibc has the descriptor of a thread where its stack ends */
	uint64_t end = (uint64_t)pthread_self();

	if (sp < end && end - sp < most)
		most = (size_t)(end - sp);
	return most & ~(size_t)7;
}

/* not even the first page is sure: a stack that is empty may end where nothing
   is mapped behind it */
static size_t
readable_bytes(uint64_t sp, size_t most)
{
	uint64_t page = sp & ~(uint64_t)(PAGE - 1);

	while (page < sp + most && readable_word(page))
		page += PAGE;
	if (page <= sp)
		return 0;
	return page < sp + most ? page - sp : most;
}

/* Copy bytes, a multiple of 8, from that address; not memcpy, which a sanitizer
   of the program's would stop at red zones of its stack. */
static void
copy_words(char *to, uint64_t from, size_t bytes)
{
	const volatile uint64_t *words =
	    (const volatile uint64_t *)(uintptr_t)from;

	for (size_t i = 0; i < bytes / 8; i++) {
		uint64_t word = words[i];

		memcpy(to + 8 * i, &word, 8);
	}
}

/*
 * Copy as many bytes as can be read; returns their number.  The kernel copies
 * them, unless a filter denies the system call: another thread may unmap the
 * pages behind a stack at any moment, and a read of them here would end the
 * program.
 */
static size_t
copy_stack(char *to, uint64_t sp, size_t most, int32_t tid)
{
	const struct iovec here = {to, most},
			   from = {(void *)(uintptr_t)sp, most}; // NOLINT
	long n =
	    syscall(SYS_process_vm_readv, (long)tid, &here, 1L, &from, 1L, 0L);

	if (n < 0 && errno == EFAULT)
		n = 0;
	if (n < 0) {
		n = (long)(readable_bytes(sp, most) & ~(size_t)7);
		copy_words(to, sp, (size_t)n);
	}
	return (size_t)n & ~(size_t)7;
}

size_t
stack_copy_put(
    char *to, const struct osrt_stack *registers, size_t most, int32_t tid)
{
	size_t n = copy_stack(to + sizeof(uint64_t) + sizeof(*registers),
	    registers->sp, most, tid);
	uint64_t bytes = sizeof(*registers) + n;

	memcpy(to, &bytes, sizeof(bytes));
	memcpy(to + sizeof(bytes), registers, sizeof(*registers));
	return stack_copy_bytes(n);
}
