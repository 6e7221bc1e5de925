/*
 * name_rules.c - any bytes as a name, and, up to the first NUL, as rules: a
 * rule that is accepted gives each name one class, the same one again.
 */

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "fuzz_exit.h"
#include "names/name_rules.h"

/* what was allocated until a jump is lost */
const char *__asan_default_options(void);

const char *
__asan_default_options(void)
{
	return "detect_leaks=0";
}

static struct name_rules *
read_rules(const uint8_t *data, size_t size)
{
	struct name_rules *volatile r = NULL;
	char path[32];
	volatile int fd = memfd_create("rules", MFD_CLOEXEC);

	REQUIRE(write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (setjmp(ended) == 0)
		r = name_rules_open(path);
	close(fd);
	return r;
}

static void
check_name(struct name_rules *r, struct span full)
{
	struct text clean = {0}, family = {0}, again = {0};
	struct span base;

	name_rules_clean(r, full, &clean);
	name_rules_clean(r, full, &again);
	REQUIRE(span_eq(text_span(&clean), text_span(&again)));
	base = name_rules_base(text_span(&clean));
	REQUIRE(base.len <= clean.len);
	REQUIRE(base.len == 0 || (base.p >= clean.p &&
				     base.p + base.len <= clean.p + clean.len));
	name_rules_family(r, base, &family);
	again.len = 0;
	name_rules_family(r, base, &again);
	REQUIRE(span_eq(text_span(&family), text_span(&again)));
	text_free(&clean);
	text_free(&family);
	text_free(&again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct name_rules *usual;
	const uint8_t *end = size > 0 ? memchr(data, 0, size) : NULL;
	size_t n = end != NULL ? (size_t)(end - data) : 0;
	struct name_rules *r = read_rules(data, n);
	struct span name = {(const char *)data + n, size - n};

	if (usual == NULL)
		usual = name_rules_open(NULL);
	check_name(usual, name);
	if (r != NULL)
		check_name(r, name);
	name_rules_free(r);
	return 0;
}
