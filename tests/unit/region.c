/* region.c - memory that is freed together */

#include <stdalign.h>
#include <stdlib.h>

#include "check.h"
#include "tq/base/region.h"

static bool
is_zero(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] != '\0')
			return false;
	return true;
}

/* objects of many sizes, large ones between small ones, overlap nowhere */
static void
test_objects(void)
{
	static const size_t sizes[] = {
	    0, 1, 15, 16, 17, 1000, 1024, 5000, 65536, 1, 200000, 3, 65535, 40};
	enum { COUNT = sizeof(sizes) / sizeof(*sizes) };
	struct region r = {0};
	char *p[COUNT];

	for (size_t i = 0; i < COUNT; i++) {
		p[i] = region_get(&r, sizes[i]);
		CHECK((uintptr_t)p[i] % alignof(max_align_t) == 0,
		    "object %zu is not aligned", i);
		CHECK(is_zero(p[i], sizes[i]), "object %zu is not zeroed", i);
		memset(p[i], (int)i + 1, sizes[i]);
		(void)region_copy(&r, SPAN("abc")); /* not aligned behind it */
	}
	for (size_t i = 0; i < COUNT; i++)
		for (size_t n = 0; n < sizes[i]; n++)
			if (p[i][n] != (char)(i + 1)) {
				CHECK(false, "object %zu is overwritten", i);
				break;
			}
	region_free(&r);
	CHECK(r.last == NULL, "a freed region is empty");
	region_free(&r);
}

static void
test_copies(void)
{
	struct region r = {0};
	struct span none = region_copy(&r, (struct span){NULL, 0});
	struct span inner = region_copy(&r, (struct span){"a\0b", 3});
	struct span other = region_copy(&r, SPAN("other"));

	CHECK(none.len == 0 && none.p != NULL && *none.p == '\0', "no bytes");
	CHECK(inner.len == 3 && memcmp(inner.p, "a\0b", 4) == 0, "a NUL in it");
	CHECK(other.len == 5 && strcmp(other.p, "other") == 0, "a text");
	region_free(&r);
}

/* what a reset frees is given out again, zeroed; what was before stays */
static void
test_marks(size_t size, int objects)
{
	struct region r = {0};
	struct span first = region_copy(&r, SPAN("first"));
	struct region_mark mark = region_mark(&r);

	for (int pass = 0; pass < 3; pass++) {
		struct region_mark inner;

		for (int i = 0; i < objects; i++) {
			char *p = region_get(&r, size);

			CHECK(is_zero(p, size),
			    "%zu bytes, pass %d: not zeroed", size, pass);
			memset(p, 'x', size);
			inner = region_mark(&r);
			memset(region_get(&r, size), 'y', size);
			region_reset(&r, inner);
			CHECK(size == 0 || p[size - 1] == 'x',
			    "%zu bytes: a reset frees too much", size);
		}
		region_reset(&r, mark);
		CHECK(r.last == mark.block, "a reset frees too little");
	}
	CHECK(strcmp(first.p, "first") == 0, "what is before a mark stays");
	region_reset(&r, (struct region_mark){0});
	CHECK(r.last == NULL, "the mark {0} is the beginning");
	mark = region_mark(&r);
	memset(region_get(&r, 10), 'z', 10);
	region_reset(&r, mark);
	CHECK(r.last == NULL, "a mark of an empty region is the beginning");
}

int
main(void)
{
	test_objects();
	test_copies();
	test_marks(0, 10);
	test_marks(24, 1);
	test_marks(24, 1000);
	test_marks(100000, 10);
	return check_status();
}
