/* find_members.c - all variants find what a byte by byte look finds */

#include <stdlib.h>

#include "tq/line/find_members.h"
#include "check.h"

enum { ROUNDS = 20000, LONGEST = 400, ENOUGH = 8 };

static uint64_t state = 1;

static size_t
below(size_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (size_t)(state >> 33) % n;
}

/* text of few different bytes; all that counts is among them */
static void
fill(char *p, size_t len, size_t different)
{
	static const char bytes[] = ",\"ax~ \x7f\x80\xff\n\\\x1f\x01";

	for (size_t i = 0; i < len; i++)
		p[i] = bytes[below(different < sizeof(bytes) - 1
				       ? different
				       : sizeof(bytes) - 1)];
}

static bool
marks(struct member_starts *m, const char *p, size_t len)
{
	m->count = m->quotes = 0;
	m->plain = true;
	for (size_t i = 0; i < len; i++) {
		m->plain &= (unsigned char)p[i] < 0x7f;
		if (p[i] == '\\' || (unsigned char)p[i] < 0x20)
			return false;
		m->quotes += p[i] == '"';
		if (i == 0 || p[i] != '"' || p[i - 1] != ',')
			continue;
		if (m->count == MARKS_MAX)
			return false;
		m->at[m->count++] = (uint32_t)i;
	}
	return true;
}

static void
test_marks(const struct finder *b, const char *p, size_t len)
{
	struct member_starts expect, got;
	bool good = marks(&expect, p, len);
	/* so that a sanitizer sees what is read behind the text */
	char *copy = malloc(len > 0 ? len : 1);

	memcpy(copy, p, len);
	CHECK(b->marks(&got, copy, len) == good, "%s: %.*s", b->name, (int)len,
	    p);
	if (good)
		CHECK(got.count == expect.count &&
			  got.quotes == expect.quotes &&
			  got.plain == expect.plain &&
			  memcmp(got.at, expect.at,
			      got.count * sizeof(got.at[0])) == 0,
		    "%s: marks of %.*s", b->name, (int)len, p);
	free(copy);
}

static void
test_newlines(const struct finder *b, const char *p, size_t len)
{
	uint32_t at[ENOUGH + NEWLINES_ROOM];
	size_t done, n, i, all = 0, pos = 0;
	char *copy = malloc(len + BLOCK);

	memcpy(copy, p, len);
	memset(copy + len, '\n', BLOCK);
	for (; pos < len; pos += done) {
		n = b->newlines(at, ENOUGH, copy + pos, len - pos, &done);
		CHECK(done > 0 && done <= len - pos, "%s: %zu of %zu", b->name,
		    done, len - pos);
		CHECK(n >= ENOUGH || pos + done == len, "%s: stopped", b->name);
		for (i = 0; i < n; i++)
			CHECK(at[i] < done && p[pos + at[i]] == '\n' &&
				  (i == 0 || at[i] > at[i - 1]),
			    "%s: newline %u", b->name, at[i]);
		all += n;
	}
	for (i = 0; i < len; i++)
		all -= p[i] == '\n';
	CHECK(all == 0, "%s: newlines of %.*s", b->name, (int)len, p);
	free(copy);
}

int
main(void)
{
	char text[LONGEST];

	for (size_t i = 0; i < ROUNDS; i++) {
		size_t len = below(LONGEST);

		fill(text, len, 2 + below(12));
		for (size_t v = 0; v < find_members_variant_count; v++) {
			if (!find_members_variants[v].supported())
				continue;
			test_marks(&find_members_variants[v], text, len);
			test_newlines(&find_members_variants[v], text, len);
		}
	}
	return check_status();
}
