/*
 * graph_annotation.c - any bytes as a file of annotations: it is read, or
 * refused, and the names that it gives are JSON.
 */

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "fuzz_exit.h"
#include "graph_annotation.h"

/* what was allocated until a jump is lost */
const char *__asan_default_options(void);

const char *
__asan_default_options(void)
{
	return "detect_leaks=0";
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct graph_survey s = {0};
	char path[32];
	volatile int fd = memfd_create("annotations", MFD_CLOEXEC);

	REQUIRE(write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	graph_survey_open(&s);
	if (setjmp(ended) == 0 && graph_annotation_is(path))
		graph_annotation_read(&s, path);
	for (size_t i = 0; i < s.labels.count; i++) {
		struct span members = s.labels.all[i].members;

		REQUIRE(members.len == 0 || *members.p == ',');
	}
	graph_survey_free(&s);
	close(fd);
	return 0;
}
