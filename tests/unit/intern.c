/* intern.c - texts and their numbers; the hash under them */

#include <stdlib.h>

#include "check.h"
#include "tq/base/hash.h"
#include "tq/base/intern.h"
#include "tq/base/mem.h"

enum { MANY = 50000, SAME_HASH = 300, LONGEST = 130 };

/* the text of a number, in buf */
static struct span
text_of(char buf[32], int i)
{
	int len = i % 3 == 0 ? snprintf(buf, 32, "%d", i)
			     : snprintf(buf, 32, "%d: kernel_%d", i % 7, i);

	return (struct span){buf, (size_t)len};
}

static void
test_many(struct intern *in)
{
	char buf[32];

	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < MANY; i++) {
			uint32_t n = intern_get(in, text_of(buf, i));

			CHECK(n == (uint32_t)i, "text %d: number %u", i, n);
		}
	CHECK(in->count == MANY, "%zu texts", in->count);
	for (int i = 0; i < MANY; i++) {
		struct span s = text_of(buf, i);
		struct span t = intern_text(in, (uint32_t)i);

		CHECK(span_eq(s, t) && t.p[t.len] == '\0', "text %d", i);
		CHECK(intern_find(in, s) == (uint32_t)i, "find %d", i);
	}
	CHECK(intern_find(in, SPAN("none")) == INTERN_NONE, "find none");
	CHECK(in->count == MANY, "find adds none");
}

static void
test_odd_texts(void)
{
	static const struct span rows[] = {
	    {"", 0}, {"\0", 1}, {"\0\0", 2}, {"a", 1}, {"a\0", 2}, {"a\0b", 3}};
	enum { COUNT = sizeof(rows) / sizeof(*rows) };
	struct intern in = {0};

	CHECK(intern_find(&in, rows[0]) == INTERN_NONE, "{0} is empty");
	CHECK(intern_get(&in, (struct span){NULL, 0}) == 0, "no bytes at all");
	for (int pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < COUNT; i++)
			CHECK(intern_get(&in, rows[i]) == i, "row %u", i);
	intern_free(&in);
}

/* texts made to have one hash: numbers are right nonetheless */
static void
test_one_hash(void)
{
	struct intern in = {0};
	uint64_t text[2] = {0x9e3779b97f4a7c15u, 0};
	struct span s = {(const char *)text, sizeof(text)};
	uint64_t hash = hash_text(s);

	for (int pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < SAME_HASH; i++) {
			text[1] = i;
			CHECK(hash_text(s) == hash, "text %u: its hash", i);
			CHECK(
			    intern_get(&in, s) == i, "text %u: its number", i);
		}
	text[1] = SAME_HASH;
	CHECK(intern_find(&in, s) == INTERN_NONE, "one more of that hash");
	intern_free(&in);
}

/* each byte counts, and nothing outside of the text is read */
static void
test_lengths(void)
{
	for (size_t len = 0; len <= LONGEST; len++) {
		char *p = mem_resize(NULL, len, 1);
		char *q = mem_resize(NULL, len, 1);
		struct span s = {p, len};
		uint64_t hash;

		for (size_t i = 0; i < len; i++)
			p[i] = q[i] = (char)check_random();
		hash = hash_text(s);
		CHECK(hash_equal(q, s), "%zu bytes: not equal", len);
		for (size_t i = 0; i < len; i++) {
			p[i] ^= 0x10;
			CHECK(!hash_equal(q, s), "%zu bytes: equal", len);
			CHECK(hash_text(s) != hash, "%zu bytes: hash", len);
			p[i] ^= 0x10;
		}
		free(p);
		free(q);
	}
}

int
main(void)
{
	struct intern in = {0};

	test_many(&in);
	intern_clear(&in); /* of many */
	CHECK(in.count == 0, "clear");
	CHECK(intern_find(&in, SPAN("0")) == INTERN_NONE, "find after clear");
	CHECK(intern_get(&in, SPAN("7")) == 0, "numbers begin at 0 again");
	intern_clear(&in); /* of few, after many */
	CHECK(in.size == 0, "many slots for few texts are freed");
	test_many(&in);
	intern_free(&in);
	test_odd_texts();
	test_one_hash();
	test_lengths();
	return check_status();
}
