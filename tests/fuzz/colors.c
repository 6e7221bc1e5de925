/*
 * colors.c - any bytes as a colour map: what is accepted gives a colour that
 * the viewers take, and the same one when a name comes again.
 */

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "fuzz_exit.h"
#include "tq/draw/colors.h"

/* what was allocated until a jump is lost */
const char *__asan_default_options(void);

const char *
__asan_default_options(void)
{
	return "detect_leaks=0";
}

static struct colors *
read_map(const uint8_t *data, size_t size)
{
	struct colors *volatile c = colors_new();
	char path[32];
	volatile int fd = memfd_create("colors", MFD_CLOEXEC);

	REQUIRE(write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (setjmp(ended) == 0)
		colors_read(c, path);
	else {
		colors_free(c);
		c = NULL;
	}
	close(fd);
	return c;
}

static void
check_names(struct colors *c)
{
	static const char *const names[] = {"", "gemm_128", "a/b", "größe",
	    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "\xff\xc3"};
	struct event ev = {0};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const struct color *x = colors_find(c, span_of(names[i]), &ev);
		struct color first;

		if (x == NULL)
			continue;
		first = *x;
		REQUIRE(first.rgb <= 0xffffff && first.name != NULL);
		x = colors_find(c, span_of(names[i]), &ev);
		REQUIRE(
		    x != NULL && x->rgb == first.rgb && x->name == first.name);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct colors *volatile c;

	if ((c = read_map(data, size)) == NULL)
		return 0;
	if (setjmp(ended) == 0)
		check_names(c);
	colors_free(c);
	return 0;
}
