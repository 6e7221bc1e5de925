/*
 * tag.c - any bytes as rules for categories of kernels: what is accepted gives
 * a kernel a category that is a JSON string, and the same one again.
 */

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "change/tag.h"
#include "fuzz.h"
#include "fuzz_exit.h"

/* what was allocated until a jump is lost */
const char *__asan_default_options(void);

const char *
__asan_default_options(void)
{
	return "detect_leaks=0";
}

/* rule_lines.c prints and exits through this */
void
expr_complain(struct span text, const struct expr_error *error)
{
	REQUIRE(error->at <= text.len);
	longjmp(ended, 1);
}

static struct tag *
read_rules(const uint8_t *data, size_t size)
{
	struct tag *volatile t = NULL;
	char path[32];
	volatile int fd = memfd_create("rules", MFD_CLOEXEC);

	REQUIRE(write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (setjmp(ended) == 0)
		t = tag_open(path);
	close(fd);
	return t;
}

static bool
find_symbol(void *arg, int64_t sym, bool mangled, struct span *name)
{
	(void)arg;
	*name = mangled ? SPAN("_Z4gemmi") : SPAN("gemm<float>(int)");
	return sym == 1;
}

/* the category that the rules give to a kernel */
static struct span
category_of_kernel(struct tag *t, const struct event *ev)
{
	static const struct expr_symbols symbols = {find_symbol, NULL};
	struct edit edit = {0};
	const char *error = NULL;

	tag_apply(t, ev, &symbols, &edit, &error);
	if (error != NULL || !keyset_has(&edit.set, KEY_category))
		return SPAN("");
	return edit.value[KEY_category];
}

static void
check_kernel(struct tag *t, const char *line)
{
	struct event ev = {0};
	struct text padded = {0};
	struct span category, again;

	text_add_str(&padded, line);
	text_reserve(&padded, EVENT_PADDING);
	REQUIRE(event_parse(&ev, text_span(&padded), NULL));
	category = category_of_kernel(t, &ev);
	if (category.len > 0) {
		REQUIRE(category.len > 2 && *category.p == '"' &&
			category.p[category.len - 1] == '"');
		REQUIRE(memchr(category.p + 1, '"', category.len - 2) == NULL);
	}
	again = category_of_kernel(t, &ev);
	REQUIRE(span_eq(category, again));
	event_free(&ev);
	text_free(&padded);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tag *t = read_rules(data, size);

	if (t == NULL)
		return 0;
	check_kernel(t, "{\"kind\":\"kernel\",\"ts\":1,\"dur\":5,\"name\":"
			"\"gemm\",\"sym\":1}");
	check_kernel(t, "{\"kind\":\"kernel\",\"name\":\"\\u0000\\n\"}");
	check_kernel(t, "{\"kind\":\"kernel\"}");
	tag_free(t);
	return 0;
}
