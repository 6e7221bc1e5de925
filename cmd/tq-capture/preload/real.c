/* real.c - the functions of the C library that the wrappers stand before */

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "real.h"

void *_Atomic real_functions[OSRT_CALLS];

static const char *const names[OSRT_CALLS] = {
#define CALL(result, type, name, ...) #name,
#define OWN(name) #name,
#include "arena/osrt_calls.def"
};

/* this C library has no such function */
static long
missing(void)
{
	errno = ENOSYS;
	return -1;
}

/* These have an old version, too, which dlsym(3) may find. */
static void *
find_condition(const char *name)
{
#if defined(__x86_64__)
	return dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
#elif defined(__aarch64__)
	return dlvsym(RTLD_NEXT, name, "GLIBC_2.17");
#else
	return NULL;
#endif
}

/*
 * dlsym takes the library that it returns to for its caller: were it a tail
 * call, that would be another one.  So is this file compiled with
 * -fno-optimize-sibling-calls, and the result used here.
 */
void *
real_find(enum osrt_number call)
{
	const char *name = names[call];
	void *real = NULL;
	int error = errno;

	if (strncmp(name, "pthread_cond_", 13) == 0)
		real = find_condition(name);
	if (real == NULL)
		real = dlsym(RTLD_NEXT, name);
	if (real == NULL)
		*(long (**)(void))(&real) = missing;
	atomic_store_explicit(
	    &real_functions[call], real, memory_order_relaxed);
	errno = error;
	return real;
}
