/* value_reader.c - JSON of any size, read value by value */

#include <stdlib.h>

#include "tq/base/mem.h"
#include "tq/io/input.h"
#include "value_reader.h"

enum { BLOCK_SIZE = 1 << 20, VALUE_MAX = INPUT_LINE_MAX };

void
value_reader_open(struct value_reader *r, struct operand *from)
{
	*r = (struct value_reader){.cap = BLOCK_SIZE};
	r->buf = mem_alloc(r->cap + LENIENT_PADDING);
	r->from = read_ahead_open(from->zio, !from->seekable);
}

void
value_reader_close(struct value_reader *r)
{
	read_ahead_close(r->from);
	free(r->buf);
}

bool
value_reader_more(struct value_reader *r)
{
	size_t before;
	ptrdiff_t n;

	if (r->eof)
		return false;
	memmove(r->buf, r->buf + r->pos, r->len - r->pos);
	r->base += (int64_t)r->pos;
	r->len -= r->pos;
	r->pos = 0;
	if (r->len == r->cap) {
		if (r->cap >= VALUE_MAX) {
			r->error = "a value has more than 128 MiB";
			return false;
		}
		r->cap *= 2;
		r->buf = mem_resize(r->buf, r->cap + LENIENT_PADDING, 1);
	}
	/* all of it: a value is begun again after each */
	before = r->len;
	while (r->len < r->cap && !r->eof) {
		n = read_ahead_next(
		    r->from, r->buf + r->len, r->cap - r->len, &r->error);
		r->eof = n <= 0;
		if (n > 0)
			r->len += (size_t)n;
	}
	memset(r->buf + r->len, 0, LENIENT_PADDING);
	return r->len > before;
}

int
value_reader_peek(struct value_reader *r)
{
	struct lenient l;

	do {
		l.end = r->buf + r->len;
		r->pos = (size_t)(lenient_space(&l, r->buf + r->pos) - r->buf);
	} while (r->pos == r->len && value_reader_more(r));
	return r->pos < r->len ? (unsigned char)r->buf[r->pos] : -1;
}

void
value_reader_skip_mark(struct value_reader *r)
{
	static const char mark[] = "\xef\xbb\xbf";

	while (r->len < sizeof(mark) - 1 && value_reader_more(r))
		;
	if (r->len >= 3 && memcmp(r->buf, mark, 3) == 0)
		r->pos = 3;
}

bool
value_reader_skip(struct value_reader *r, char c)
{
	if (value_reader_peek(r) != (unsigned char)c)
		return false;
	r->pos++;
	return true;
}

bool
value_reader_value(struct value_reader *r, struct span *value)
{
	struct lenient l;
	const char *p;

	do {
		l = (struct lenient){r->buf + r->len, false};
		if ((p = lenient_value(&l, r->buf + r->pos)) != NULL) {
			*value = (struct span){
			    r->buf + r->pos, (size_t)(p - (r->buf + r->pos))};
			r->offset = r->base + (int64_t)r->pos;
			r->pos += value->len;
			return true;
		}
	} while (l.more && value_reader_more(r));
	r->cut = l.more;
	r->offset = r->base + (int64_t)r->pos;
	return false;
}

bool
value_reader_key(struct value_reader *r, struct text *key)
{
	struct span text;

	if (value_reader_peek(r) != '"' || !value_reader_value(r, &text))
		return false;
	key->len = 0;
	text_add_span(key, lenient_inner(text));
	return value_reader_skip(r, ':') && value_reader_peek(r) >= 0;
}

/* pass over the rest of a line; false where nothing comes behind it */
static bool
skip_line(struct value_reader *r)
{
	const char *newline;

	do {
		newline = memchr(r->buf + r->pos, '\n', r->len - r->pos);
		r->pos =
		    newline != NULL ? (size_t)(newline - r->buf) + 1 : r->len;
	} while (newline == NULL && value_reader_more(r));
	return newline != NULL;
}

enum value_item
value_reader_next(struct value_reader *r, struct span *value)
{
	if (value_reader_peek(r) < 0)
		return r->error != NULL ? VALUE_CUT : VALUE_END;
	if (value_reader_value(r, value))
		return VALUE_WHOLE;
	if (r->error != NULL || (!skip_line(r) && r->cut))
		return VALUE_CUT;
	return VALUE_BROKEN;
}

enum value_item
value_reader_element(struct value_reader *r, struct span *value)
{
	while (value_reader_skip(r, ','))
		;
	if (value_reader_skip(r, ']'))
		return VALUE_END;
	return value_reader_value(r, value) ? VALUE_WHOLE : VALUE_CUT;
}

const char *
value_reader_error(const struct value_reader *r)
{
	if (r->error != NULL)
		return r->error;
	return r->cut || r->pos == r->len ? "the file ends too early"
					  : "is not JSON";
}
