/* page_reports.c - records taken apart, whatever their lengths say */

#include "lines/record_parts.h"
#include "check.h"

/* a record in words, so that it is aligned */
struct words {
	uint64_t w[16];
	size_t n;
};

static struct record *
head(struct words *x, uint8_t type, uint8_t flags)
{
	struct record r = {.words = 2, .type = type, .flags = flags};

	memset(x, 0, sizeof(*x));
	memcpy(x->w, &r, sizeof(r));
	x->n = 2;
	return (void *)x->w;
}

static void
add(struct words *x, uint64_t v)
{
	x->w[x->n++] = v;
	((struct record *)(void *)x->w)->words = (uint16_t)x->n;
}

static void
add_text(struct words *x, const char *s)
{
	size_t n = strlen(s), words = (n + 7) / 8;

	add(x, n);
	memcpy(x->w + x->n, s, n);
	x->n += words;
	((struct record *)(void *)x->w)->words = (uint16_t)x->n;
}

static void
test_cursor(void)
{
	uint64_t w[4] = {1, 5, 0, 2};
	struct record_cursor c = {(const char *)w, sizeof(w), true};
	struct span s;

	memcpy(&w[2], "hello", 5);
	CHECK(cursor_number(&c) == 1, "a number");
	s = cursor_text(&c);
	CHECK(span_eq(s, span_of("hello")), "a text");
	CHECK(cursor_number(&c) == 2 && c.ok && c.left == 0, "behind it");
	CHECK(cursor_number(&c) == 0 && !c.ok, "there is no more");

	c = (struct record_cursor){(const char *)w, 15, true};
	cursor_number(&c);
	CHECK(c.left == 7 && cursor_number(&c) == 0 && !c.ok, "half a number");

	/* the last one may lack its padding */
	c = (struct record_cursor){(const char *)(w + 1), 13, true};
	s = cursor_text(&c);
	CHECK(s.len == 5 && c.ok && c.left == 0, "no padding");
	c = (struct record_cursor){(const char *)(w + 1), 12, true};
	s = cursor_text(&c);
	CHECK(s.len == 0 && !c.ok, "a byte is missing");

	c = (struct record_cursor){(const char *)w, sizeof(w), true};
	CHECK(cursor_bytes(&c, UINT64_MAX).len == 0 && !c.ok, "too long");
	c.ok = true;
	CHECK(cursor_bytes(&c, 0).len == 0 && c.ok && c.left == sizeof(w),
	    "none");
}

static void
test_length(void)
{
	struct words x;
	struct record *r = head(&x, RECORD_MARK, 0);
	const char *p = (const char *)x.w;

	CHECK(record_parts_length(p, 16) == 16 &&
		  record_parts_length(p, 128) == 16,
	    "16");
	CHECK(record_parts_length(p, 15) == 0 && record_parts_length(p, 0) == 0,
	    "cut");
	r->words = 1;
	CHECK(record_parts_length(p, 128) == 0, "less than its head");
	r->words = 0;
	CHECK(record_parts_length(p, 128) == 0, "none");
	r->words = 16;
	CHECK(record_parts_length(p, 128) == 128 &&
		  record_parts_length(p, 127) == 0,
	    "all");
	r->words = UINT16_MAX;
	CHECK(record_parts_length(p, 128) == 0, "more than there is");
}

static void
test_parts(void)
{
	struct words x;
	struct record_parts got;
	struct record *r = head(&x, RECORD_START, 0xff & ~FLAG_PARTS);

	add(&x, 7);
	add(&x, (uint64_t)3 << 32 | 0xff112233);
	add(&x, 1);
	add(&x, 42);
	add(&x, 9);
	add_text(&x, "text");
	add_text(&x, "more than a word");
	add(&x, 11);
	CHECK(record_parts_parse(&got, r, sizeof(*r)), "all parts");
	CHECK(got.id == 7 && got.argb == 0xff112233 && got.category == 3 &&
		  got.payload_type == 1 && got.payload == 42 &&
		  got.string == 9 && got.range == 11,
	    "numbers");
	CHECK(span_eq(got.text, span_of("text")) &&
		  span_eq(got.blob, span_of("more than a word")),
	    "texts");
	for (size_t n = 2; n < x.n; n++) {
		r->words = (uint16_t)n;
		CHECK(!record_parts_parse(&got, r, sizeof(*r)), "%zu words", n);
	}
	r->words = 2;
	CHECK(!record_parts_parse(&got, r, sizeof(struct record_kernel)),
	    "less than its type needs");
	r->flags = 0;
	CHECK(record_parts_parse(&got, r, sizeof(*r)) && got.id == 0 &&
		  got.text.len == 0,
	    "none");
	r = head(&x, RECORD_MARK, FLAG_TEXT);
	add(&x, UINT64_MAX - 6);
	CHECK(!record_parts_parse(&got, r, sizeof(*r)), "a length that wraps");
}

static void
give(
    struct gathered_parts *g, uint8_t flags, const char *text, const char *blob)
{
	struct words x;
	struct record *r = head(&x, RECORD_PART, flags);

	if (flags & FLAG_TEXT)
		add_text(&x, text);
	if (flags & FLAG_BLOB)
		add_text(&x, blob);
	record_parts_gather(g, r);
}

static void
test_gather(void)
{
	struct gathered_parts g = {0};
	struct words x;
	struct record_parts got;
	struct record *r;

	/* one that was given up, then two of another */
	give(&g, FLAG_TEXT, "given up", NULL);
	give(&g, FLAG_TEXT, "one ", NULL);
	give(&g, FLAG_TEXT | FLAG_BLOB | FLAG_PARTS, "two ", "blob ");
	r = head(&x, RECORD_MARK, FLAG_TEXT | FLAG_BLOB | FLAG_PARTS);
	add_text(&x, "three");
	add_text(&x, "end");
	CHECK(record_parts_parse_gathered(&g, &got, r), "parts");
	CHECK(span_eq(got.text, span_of("one two three")), "%.*s",
	    (int)got.text.len, got.text.p);
	CHECK(span_eq(got.blob, span_of("blob end")), "%.*s", (int)got.blob.len,
	    got.blob.p);

	/* a record of its own has nothing of them */
	give(&g, FLAG_TEXT, "given up", NULL);
	r = head(&x, RECORD_MARK, FLAG_TEXT);
	add_text(&x, "alone");
	CHECK(record_parts_parse_gathered(&g, &got, r) &&
		  span_eq(got.text, span_of("alone")),
	    "alone");

	/* broken parts add nothing */
	give(&g, 0, NULL, NULL);
	r = head(&x, RECORD_PART, FLAG_TEXT | FLAG_PARTS);
	add(&x, 100);
	record_parts_gather(&g, r);
	r = head(&x, RECORD_MARK, FLAG_TEXT | FLAG_PARTS);
	add_text(&x, "rest");
	CHECK(record_parts_parse_gathered(&g, &got, r) &&
		  span_eq(got.text, span_of("rest")),
	    "broken");
	record_parts_free(&g);
}

int
main(void)
{
	test_cursor();
	test_length();
	test_parts();
	test_gather();
	return check_status();
}
