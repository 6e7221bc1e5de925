/*
 * program_loader.c - any bytes as the file of a program: its loader is found,
 * or none, and the answer depends on the file alone
 */

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arena/program_loader.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum program_loader loader;
	char path[64];
	int fd = memfd_create("program", MFD_CLOEXEC);

	REQUIRE(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	loader = program_loader_of(path);
	REQUIRE(loader == PROGRAM_LOADER_OTHER ||
		loader == PROGRAM_LOADER_MUSL || loader == PROGRAM_LOADER_NONE);
	REQUIRE(program_loader_of(path) == loader);
	/* neither a program nor a script */
	if (size < 4 || (memcmp(data, "\177ELF", 4) != 0 && data[0] != '#'))
		REQUIRE(loader == PROGRAM_LOADER_OTHER);
	close(fd);
	return 0;
}
