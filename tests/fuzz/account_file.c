/*
 * account_file.c - any bytes as an account, of this version or of the one
 * before: what was read is written and read again, and then written the same.
 */

#include "fuzz.h"
#include "tq/account/account_file.h"

static bool
read_line(struct account_file *f, struct event *ev, struct span line,
    struct accounts *all)
{
	if (!event_parse(ev, line, NULL))
		return account_file_read_line(f, line, all);
	return account_file_has(f, ev) && account_file_read(f, ev, all);
}

/* Read each line of text; the file ends at the first that is wrong. */
static void
read_lines(struct span text, struct accounts *all)
{
	struct account_file f = {0};
	struct event ev = {0};
	const char *p = text.p, *end = text.p + text.len;

	while (p < end) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		struct span line = {
		    p, (size_t)((newline != NULL ? newline : end) - p)};

		if (!read_line(&f, &ev, line, all))
			break;
		p += line.len + 1;
	}
	event_free(&ev);
	account_file_free(&f);
}

static void
write_all(struct output *o, const struct accounts *all)
{
	for (size_t i = 0; i < all->count; i++)
		account_file_write(o, all->all[i]);
	text_reserve(&o->buf, EVENT_PADDING); /* bytes that are readable */
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct accounts first = {0}, second = {0};
	struct output once = {0}, twice = {0};
	struct text text = {0};

	text_add(&text, (const char *)data, size);
	text_reserve(&text, EVENT_PADDING);
	read_lines(text_span(&text), &first);
	write_all(&once, &first);
	read_lines(text_span(&once.buf), &second);
	REQUIRE(first.count == second.count);
	write_all(&twice, &second);
	REQUIRE(span_eq(text_span(&once.buf), text_span(&twice.buf)));
	account_free_all(&first);
	account_free_all(&second);
	text_free(&text);
	text_free(&once.buf);
	text_free(&twice.buf);
	return 0;
}
