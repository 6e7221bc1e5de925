/* text_lines.c - the lines of an operand that is text */

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>

#include "text_lines.h"
#include "tq/base/mem.h"

enum { BLOCK = 256 << 10 };

/* read more behind the rest of the block; false where there is no more */
static bool
fill(struct text_lines *t)
{
	ptrdiff_t n;

	if (t->eof)
		return false;
	if (t->block == NULL)
		t->block = mem_alloc(BLOCK);
	memmove(t->block, t->block + t->pos, t->len - t->pos);
	t->len -= t->pos;
	t->pos = 0;
	n = zio_read(t->from, t->block + t->len, BLOCK - t->len, &t->error);
	if (n <= 0)
		t->eof = true;
	else
		t->len += (size_t)n;
	return n > 0;
}

static void
begin(struct text_lines *t)
{
	t->begun = true;
	while (t->len < 3 && fill(t))
		;
	if (t->len >= 3 && memcmp(t->block, "\xef\xbb\xbf", 3) == 0) {
		t->pos = 3;
	} else if (t->len >= 2 && memcmp(t->block, "\xff\xfe", 2) == 0) {
		t->encoding = TEXT_UTF16LE;
		t->pos = 2;
	} else if (t->len >= 2 && memcmp(t->block, "\xfe\xff", 2) == 0) {
		t->encoding = TEXT_UTF16BE;
		t->pos = 2;
	}
}

/* ---- UTF-8 ---- */

/* append up to the end of the line or the block; true at the end of a line */
static bool
take_bytes(struct text_lines *t)
{
	const char *p = t->block + t->pos;
	size_t left = t->len - t->pos;
	const char *newline = memchr(p, '\n', left);
	size_t n = newline != NULL ? (size_t)(newline - p) : left;

	text_add(&t->line, p, n);
	t->pos += n + (newline != NULL);
	return newline != NULL;
}

/* ---- UTF-16 ---- */

static unsigned
unit_at(const struct text_lines *t, size_t at)
{
	unsigned a = (unsigned char)t->block[at];
	unsigned b = (unsigned char)t->block[at + 1];

	return t->encoding == TEXT_UTF16LE ? a | b << 8 : a << 8 | b;
}

static void
add_character(struct text *line, unsigned c)
{
	if (c < 0x80) {
		text_add_char(line, (char)c);
		return;
	}
	if (c >= 0x10000) {
		text_add_char(line, (char)(0xf0 | c >> 18));
		text_add_char(line, (char)(0x80 | (c >> 12 & 0x3f)));
	} else if (c >= 0x800)
		text_add_char(line, (char)(0xe0 | c >> 12));
	if (c >= 0x800)
		text_add_char(line, (char)(0x80 | (c >> 6 & 0x3f)));
	else
		text_add_char(line, (char)(0xc0 | c >> 6));
	text_add_char(line, (char)(0x80 | (c & 0x3f)));
}

/* half a pair stays as it is: what writes it makes U+FFFD of its bytes */
static bool
take_units(struct text_lines *t)
{
	while (t->len - t->pos >= 2) {
		unsigned c = unit_at(t, t->pos), low;

		if (c >= 0xd800 && c < 0xdc00 && t->len - t->pos < 4 && !t->eof)
			return false;
		t->pos += 2;
		if (c >= 0xd800 && c < 0xdc00 && t->len - t->pos >= 2) {
			low = unit_at(t, t->pos);
			if (low >= 0xdc00 && low < 0xe000) {
				c = 0x10000 +
				    ((c & 0x3ff) << 10 | (low & 0x3ff));
				t->pos += 2;
			}
		}
		if (c == '\n')
			return true;
		add_character(&t->line, c);
	}
	return false;
}

/* ---- lines ---- */

bool
text_lines_next(struct text_lines *t, struct span *line)
{
	bool whole = false;

	if (!t->begun)
		begin(t);
	t->line.len = 0;
	do {
		whole =
		    t->encoding == TEXT_UTF8 ? take_bytes(t) : take_units(t);
		if (t->line.len > TEXT_LINES_MAX) {
			t->error = "a line has more than 128 MiB";
			return false;
		}
	} while (!whole && fill(t));
	if (t->error != NULL || (!whole && t->line.len == 0))
		return false;
	t->number++;
	while (t->line.len > 0 && t->line.p[t->line.len - 1] == '\r')
		t->line.len--;
	*line = text_span(&t->line);
	return true;
}

void
text_lines_warn(const struct text_lines *t, const char *name, bool *cut)
{
	if (t->error == NULL)
		return;
	warnx("warning: %s:%" PRId64 ": %s", name, t->number + 1, t->error);
	*cut = true;
}

void
text_lines_free(struct text_lines *t)
{
	free(t->block);
	text_free(&t->line);
}
