/* range_paths.c - paths of ranges: numbers, texts and their order */

#include <stdlib.h>

#include "check.h"
#include "tq/account/range_paths.h"
#include "tq/base/mem.h"

enum { MANY = 3000 };

/* names in which what follows a name in a path is before or behind letters */
static const char *const names[] = {"\"a\"", "\"a \"", "\"a!\"", "\"a,\"",
    "\"ab\"", "\"a]\"", "\"\"", "\"\\\"\"", "\"\xc3\xa4\"", "\"step *\""};

enum { NAMES = sizeof(names) / sizeof(*names) };

static struct span
text_of(struct text *t, const struct range_paths *p, uint32_t path)
{
	t->len = 0;
	range_paths_add(t, p, path);
	return text_span(t);
}

static void
make_many(struct range_paths *p)
{
	for (int i = 0; i < MANY; i++) {
		uint32_t parent = range_paths_root(p), path;
		size_t count;
		struct span name = span_of(names[check_random() % NAMES]);

		parent = (uint32_t)(check_random() % p->count);
		path = range_paths_get(p, parent, name);
		count = p->count;
		CHECK(range_paths_get(p, parent, name) == path &&
			  p->count == count,
		    "path %u has another number", path);
	}
}

/* What was read of a text is the path with that text. */
static void
test_texts(struct range_paths *p)
{
	struct text t = {0};
	size_t count = p->count;
	uint32_t path;

	for (uint32_t i = 0; i < count; i++) {
		text_of(&t, p, i);
		CHECK(range_paths_read(p, text_span(&t), &path) && path == i,
		    "%.*s: %u, not %u", (int)t.len, t.p, path, i);
		CHECK(t.len == range_paths_length(p, i), "length of %u", i);
	}
	CHECK(p->count == count, "%zu paths, not %zu", p->count, count);
	text_of(&t, p, 0);
	CHECK(text_is(&t, "[]"), "%.*s", (int)t.len, t.p);
	CHECK(!range_paths_read(p, SPAN("[\"a\""), &path), "no array");
	text_free(&t);
}

static void
test_order(const struct range_paths *p)
{
	uint32_t *order = range_paths_order(p);
	bool *seen = mem_alloc(p->count + 1);
	struct text before = {0}, t = {0};

	for (size_t i = 0; i < p->count; i++) {
		struct span s = text_of(&t, p, order[i]);

		CHECK(!seen[order[i]], "%u twice", order[i]);
		seen[order[i]] = true;
		CHECK(i == 0 || span_cmp(text_span(&before), s) < 0,
		    "%.*s is not before %.*s", (int)before.len, before.p,
		    (int)t.len, t.p);
		before.len = 0;
		text_add_span(&before, s);
	}
	free(order);
	free(seen);
	text_free(&before);
	text_free(&t);
}

int
main(void)
{
	struct range_paths p = {0};

	test_order(&p);
	make_many(&p);
	test_texts(&p);
	test_order(&p);
	range_paths_close(&p);
	test_order(&p);
	range_paths_free(&p);
	return check_status();
}
