/*
 * account_file.c - any bytes as an account: what was read is written and read
 * again, and then written the same.
 */

#include "fuzz.h"
#include "tq/account/account_file.h"

/* Read each line of text; the file ends at the first that is wrong. */
static void
read_lines(struct span text, struct accounts *all)
{
	struct account_file f = {0};
	const char *p = text.p, *end = text.p + text.len;

	while (p < end) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		struct span line = {
		    p, (size_t)((newline != NULL ? newline : end) - p)};

		if (!account_file_read(&f, line, all))
			break;
		p += line.len + 1;
	}
	account_file_free(&f);
}

static void
write_all(struct text *t, const struct accounts *all)
{
	for (size_t i = 0; i < all->count; i++)
		account_file_write(t, all->all[i]);
	text_add_char(t, '\0'); /* a byte that is readable */
	t->len--;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct accounts first = {0}, second = {0};
	struct text text = {0}, once = {0}, twice = {0};

	text_add(&text, (const char *)data, size);
	text_add_char(&text, '\0');
	text.len--;
	read_lines(text_span(&text), &first);
	write_all(&once, &first);
	read_lines(text_span(&once), &second);
	REQUIRE(first.count == second.count);
	write_all(&twice, &second);
	REQUIRE(span_eq(text_span(&once), text_span(&twice)));
	account_free_all(&first);
	account_free_all(&second);
	text_free(&text);
	text_free(&once);
	text_free(&twice);
	return 0;
}
