/*
 * unwind_table - the table by which tq-capture follows stacks in a library:
 * prints the bytes of the file, those of the table, and the ns of the processor
 * that it took to make, the least of three
 */

#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "stacks/unwind_table.h"

enum { TIMES = 3 };

static int64_t
processor_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static size_t
table_bytes(const struct unwind_table *t)
{
	return t->count * (sizeof(*t->offsets) + sizeof(*t->rules_of)) +
	       t->rule_count * sizeof(*t->rules);
}

int
main(int argc, char *argv[])
{
	int64_t least = INT64_MAX;
	struct elf_file e;
	size_t bytes = 0;
	int fd;

	if (argc != 2)
		errx(2, "usage: unwind_table FILE");
	if ((fd = open(argv[1], O_RDONLY | O_CLOEXEC)) < 0)
		err(1, "%s", argv[1]);
	if (!elf_file_open(&e, fd))
		errx(1, "%s: no ELF file of 64 bits", argv[1]);
	for (int i = 0; i < TIMES; i++) {
		struct unwind_table t = {0};
		int64_t from = processor_time(), ns;

		unwind_table_read(&t, &e);
		ns = processor_time() - from;
		least = ns < least ? ns : least;
		bytes = table_bytes(&t);
		unwind_table_free(&t);
	}
	printf("%" PRIu64 " %zu %" PRId64 "\n", e.size, bytes, least);
	elf_file_close(&e);
	close(fd);
	return 0;
}
