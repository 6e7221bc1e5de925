/*
 * remote_stack.c - any bytes as the memory of a process that runs Python: its
 * threads and stacks are read, and reading ends
 *
 *	version of Python (1 byte), how the memory changes (1 byte), the memory
 *
 * An address is an offset in the memory, over and over again, so that pointers
 * lead somewhere, and in circles; high ones lead nowhere.
 */

#include <errno.h>
#include <string.h>
#include <sys/uio.h>

#include "fuzz.h"
#include "python/remote_stack.h"

enum { HEAD = 2, THREADS = 8, TAKES = 3, CALLS_MOST = 200000 };

static const uint64_t HIGH = UINT64_C(1) << 47;
static char memory[1 << 17]; /* the input, over and over again */
static size_t memory_size;
static unsigned calls, reads;
static unsigned changes; /* every so many reads; 0: never */

static void
copy(char *to, uint64_t address, size_t size)
{
	bool change = changes > 0 && ++reads % changes == 0;

	while (size > 0) {
		size_t at = address % memory_size, n = memory_size - at;

		if (n > size)
			n = size;
		memcpy(to, memory + at, n);
		for (size_t i = 0; change && i < n; i++)
			to[i] ^= 1;
		to += n;
		address += n;
		size -= n;
	}
}

/* as often as there is room: large reads are fast */
static void
fill_memory(const uint8_t *data, size_t size)
{
	size_t times = sizeof(memory) / size;

	for (size_t i = 0; i < times; i++)
		memcpy(memory + i * size, data, size);
	memory_size = times * size;
}

/* instead of that of the C library */
ssize_t
process_vm_readv(pid_t pid, const struct iovec *to, unsigned long n,
    const struct iovec *from, unsigned long m, unsigned long flags)
{
	ssize_t sum = 0;

	(void)pid, (void)flags;
	REQUIRE(n == m);
	for (unsigned long i = 0; i < n; i++) {
		uint64_t address = (uint64_t)(uintptr_t)from[i].iov_base;

		REQUIRE(to[i].iov_len == from[i].iov_len);
		if (address >= HIGH) {
			errno = EFAULT;
			return sum > 0 ? sum : -1;
		}
		copy(to[i].iov_base, address, to[i].iov_len);
		sum += (ssize_t)to[i].iov_len;
	}
	REQUIRE(++calls < CALLS_MOST);
	return sum;
}

static void
take_stacks(struct remote_stack *s)
{
	struct remote_thread threads[THREADS];
	int n = remote_stack_threads(s, threads, THREADS);

	REQUIRE(n <= THREADS);
	for (int i = 0; i < n; i++)
		if (remote_stack_take(s, &threads[i]) == REMOTE_WHOLE)
			REQUIRE(s->count <= REMOTE_FRAMES);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const versions[] = {
	    "3.8", "3.9", "3.10", "3.11", "3.12", "3.13"};
	struct remote_python python = {.pid = 1};
	struct intern names = {0};
	struct remote_stack s;

	if (size < HEAD + 8 || size - HEAD > sizeof(memory))
		return 0;
	fill_memory(data + HEAD, size - HEAD);
	calls = reads = 0;
	changes = data[1];
	memcpy(&python.code_type, memory, sizeof(python.code_type));
	if (!remote_python_layout(&python, versions[data[0] % 6]))
		return 0;
	remote_stack_open(&s, &python, &names);
	for (int i = 0; i < TAKES; i++)
		take_stacks(&s);
	remote_stack_close(&s);
	intern_free(&names);
	return 0;
}
