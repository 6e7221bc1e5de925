/* ticks.c - the clocks of the kernel, whatever the program has preloaded */

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "ticks.h"

#if defined(__aarch64__)
#define VDSO_CLOCK "__kernel_clock_gettime"
#else
#define VDSO_CLOCK "__vdso_clock_gettime"
#endif

typedef int clock_reader(clockid_t, struct timespec *);

/* syscall(3) may be replaced, too */
static int
call_kernel(clockid_t clock, struct timespec *t)
{
#if defined(__x86_64__)
	long r;

	__asm__ volatile(
	    "syscall"
	    : "=a"(r)
	    : "0"((long)SYS_clock_gettime), "D"((long)clock), "S"(t)
	    : "rcx", "r11", "memory");
	return (int)r;
#elif defined(__aarch64__)
	register long number __asm__("x8") = SYS_clock_gettime;
	register long r __asm__("x0") = clock;
	register struct timespec *to __asm__("x1") = t;

	__asm__ volatile("svc 0" : "+r"(r) : "r"(number), "r"(to) : "memory");
	return (int)r;
#else
	int error = errno, r = (int)syscall(SYS_clock_gettime, clock, t);

	errno = error;
	return r;
#endif
}

/* an address that the dynamic section has, where the image begins at base */
static const void *
place_of(const char *base, ElfW(Addr) bias, const ElfW(Dyn) * d)
{
	return base + (d->d_un.d_ptr - bias);
}

/*
 * The function of the vDSO, or NULL.  base: where the kernel has mapped it.
 * Its symbols end where their names begin.
 */
static clock_reader *
find_in(const char *base)
{
	const ElfW(Ehdr) *head = (const void *)base;
	const ElfW(Phdr) *p = (const void *)(base + head->e_phoff);
	const ElfW(Dyn) *d = NULL;
	const ElfW(Sym) *symbols = NULL;
	const char *names = NULL;
	ElfW(Addr) bias = 0;
	clock_reader *found = NULL;

	for (int i = 0; i < head->e_phnum; i++) {
		if (p[i].p_type == PT_LOAD && p[i].p_offset == 0)
			bias = p[i].p_vaddr;
		if (p[i].p_type == PT_DYNAMIC)
			d = (const void *)(base + p[i].p_offset);
	}
	for (; d != NULL && d->d_tag != DT_NULL; d++) {
		if (d->d_tag == DT_SYMTAB)
			symbols = place_of(base, bias, d);
		if (d->d_tag == DT_STRTAB)
			names = place_of(base, bias, d);
	}
	if (symbols == NULL || names == NULL)
		return NULL;
	for (; (const char *)(symbols + 1) <= names; symbols++)
		if (symbols->st_shndx != SHN_UNDEF &&
		    strcmp(names + symbols->st_name, VDSO_CLOCK) == 0) {
			const char *at = base + (symbols->st_value - bias);

			memcpy(&found, &at, sizeof(found));
			return found;
		}
	return NULL;
}

static clock_reader *
find_reader(void)
{
	const void *base = (const void *)getauxval(AT_SYSINFO_EHDR);
	clock_reader *found = base != NULL ? find_in(base) : NULL;

	return found != NULL ? found : call_kernel;
}

static uint64_t
read_clock(clockid_t clock)
{
	static clock_reader *_Atomic reader;
	clock_reader *f = atomic_load_explicit(&reader, memory_order_relaxed);
	struct timespec t = {0};

	if (f == NULL) {
		f = find_reader();
		atomic_store_explicit(&reader, f, memory_order_relaxed);
	}
	f(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

uint64_t
ticks_system(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t
ticks_utc(void)
{
	return read_clock(CLOCK_REALTIME);
}
