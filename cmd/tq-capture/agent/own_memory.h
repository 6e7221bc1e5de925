/*
 * own_memory.h - memory of the agent, from the kernel itself
 *
 * Libraries such as UCX put a hook in front of mmap(2), munmap(2) and
 * madvise(2) of the C library, which takes a lock of theirs.  A record may be
 * made by a thread that has this lock.
 */
#ifndef TQ_AGENT_OWN_MEMORY_H
#define TQ_AGENT_OWN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* size bytes to read and write, as mmap(2); NULL with errno: there are none. */
static inline void *
own_memory_map(size_t size, int flags, int fd)
{
	long at = syscall(SYS_mmap, NULL, size, (long)(PROT_READ | PROT_WRITE),
	    (long)flags, (long)fd, 0L);

	return at == -1 ? NULL : (void *)(uintptr_t)at; // NOLINT
}

static inline void
own_memory_unmap(void *p, size_t size)
{
	syscall(SYS_munmap, p, size);
}

/* False with errno: the kernel refuses. */
static inline bool
own_memory_advise(void *p, size_t size, int advice)
{
	return syscall(SYS_madvise, p, size, (long)advice) == 0;
}

#endif
