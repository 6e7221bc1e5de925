/* readable.c - whether memory can be read, by a system call */

#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "readable.h"

/* The kernel copies the mask before it finds out that it is to do nothing with
   it. */
bool
readable_word(uint64_t address)
{
	return syscall(SYS_rt_sigprocmask, -1, address, NULL, 8) != -1 ||
	       errno != EFAULT;
}
