/*
 * serve_rules.c - any bytes as a name, and, up to the first NUL, as rules: what
 * is accepted gives each name one class, the same one again, and no number
 * below 0.
 */

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "fuzz_exit.h"
#include "tq/ask/serve_rules.h"
#include "tq/base/time.h"
#include "tq/line/event.h"

/* what was allocated until a jump is lost */
const char *__asan_default_options(void);

const char *
__asan_default_options(void)
{
	return "detect_leaks=0";
}

static struct serve_rules *
read_rules(const uint8_t *data, size_t size)
{
	struct serve_rules *volatile r = NULL;
	char path[32];
	volatile int fd = memfd_create("rules", MFD_CLOEXEC);

	REQUIRE(write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (setjmp(ended) == 0)
		r = serve_rules_open(path);
	close(fd);
	return r;
}

static void
check_number(int64_t v)
{
	REQUIRE(v == NO_ID || v >= 0);
}

static void
check_name(struct serve_rules *r, struct span name)
{
	struct serve_counts c, again;

	if (serve_rules_step(r, name, &c)) {
		REQUIRE(serve_rules_step(r, name, &again));
		REQUIRE(c.class < SERVE_CLASSES && c.class == again.class);
		REQUIRE(c.engine.p == again.engine.p);
		check_number(c.requests);
		check_number(c.batch);
		check_number(c.context);
		check_number(c.generated);
		check_number(c.tokens);
	}
	REQUIRE(serve_rules_kernel(r, name) < SERVE_WORKS);
	REQUIRE(serve_rules_operator(r, name) <= SERVE_WORKS);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct serve_rules *usual;
	const uint8_t *end = size > 0 ? memchr(data, 0, size) : NULL;
	size_t n = end != NULL ? (size_t)(end - data) : 0;
	struct serve_rules *r = read_rules(data, n);
	struct span name = {(const char *)data + n, size - n};

	if (usual == NULL)
		usual = serve_rules_open(NULL);
	check_name(usual, name);
	if (r != NULL)
		check_name(r, name);
	serve_rules_free(r);
	return 0;
}
