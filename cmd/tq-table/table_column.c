/* table_column.c - a column of a row group while it is made */

#include <err.h>
#include <stdlib.h>

#include "tq/io/status.h"

#include "table_column.h"
#include "thrift.h"

enum {
	PAGE_BYTES = 1 << 16,       /* of values, or of levels, of a page */
	PAGE_TEXT = 1 << 22,        /* that its indexes stand for */
	DICTIONARY_LOOK = 1 << 10,  /* entries, after which it is judged */
	DICTIONARY_MOST = 1 << 15,  /* entries */
	DICTIONARY_BYTES = 1 << 20, /* of text */
	REPEATS_INT = 4,            /* uses of an entry that pay for it */
	REPEATS_TEXT = 2,
	ENTRY_BYTES = 40, /* of memory, beside its text */
	FEW = 1 << 12,    /* values of which several forms are tried */
	TINY = 32,        /* bytes that zstd does not make fewer */
	LEVEL = 3         /* of zstd */
};

/* numbers of Parquet: the type of a page */
enum { DATA_PAGE = 0, DICTIONARY_PAGE = 2 };

void
table_column_free_press(struct page_press *press)
{
	ZSTD_freeCCtx(press->zstd);
	text_free(&press->body);
	text_free(&press->packed);
}

bool
table_column_any(const struct table_column *c)
{
	return c->nulls < c->entries;
}

/* ---- pages ---- */

static void
compress(struct page_press *press)
{
	size_t room = ZSTD_compressBound(press->body.len), n;

	press->packed.len = 0;
	if (press->zstd == NULL)
		press->zstd = ZSTD_createCCtx();
	n = press->zstd == NULL ? (size_t)-1
				: ZSTD_compressCCtx(press->zstd,
				      text_reserve(&press->packed, room), room,
				      press->body.p, press->body.len, LEVEL);
	if (ZSTD_isError(n))
		errx(TQ_FAIL, "out of memory");
	press->packed.len = n;
}

/* press->body becomes a page at the end of *to; returns its bytes before */
static int64_t
add_page(struct page_press *press, bool compressed, struct text *to, int type,
    size_t values, int encoding)
{
	size_t start = to->len;
	struct thrift t = {.to = to};
	struct span body = text_span(&press->body);

	if (compressed) {
		compress(press);
		body = text_span(&press->packed);
	}
	thrift_int(&t, 1, THRIFT_I32, type);
	thrift_int(&t, 2, THRIFT_I32, (int64_t)press->body.len);
	thrift_int(&t, 3, THRIFT_I32, (int64_t)body.len);
	thrift_open(&t, type == DATA_PAGE ? 5 : 7);
	thrift_int(&t, 1, THRIFT_I32, (int64_t)values);
	thrift_int(&t, 2, THRIFT_I32, encoding);
	if (type == DATA_PAGE) {
		thrift_int(&t, 3, THRIFT_I32, ENCODING_LEVELS);
		thrift_int(&t, 4, THRIFT_I32, ENCODING_LEVELS);
	}
	thrift_close(&t);
	thrift_close(&t);
	start = to->len - start;
	text_add_span(to, body);
	return (int64_t)(start + press->body.len);
}

static int
add_values(struct table_column *c, struct text *body)
{
	if (c->indexes.count > 0) {
		page_values_indexes(body, &c->indexes);
		return ENCODING_DICTIONARY;
	}
	if (c->type == COLUMN_INT && c->plain_count > 0) {
		page_values_deltas(body, c->plain.p, c->plain_count);
		return ENCODING_DELTAS;
	}
	if (c->type == COLUMN_BOOL)
		page_values_bits(body, c->plain.p, c->plain_count);
	else
		text_add_span(body, text_span(&c->plain));
	return ENCODING_PLAIN;
}

static void
add_data(struct table_column *c, struct page_press *press)
{
	struct column_pages *p = &c->pages;
	int encoding;

	press->body.len = 0;
	if (c->list)
		page_values_levels(&press->body, &c->repeats, 1);
	if (!c->required)
		page_values_levels(&press->body, &c->present, c->list ? 2 : 1);
	encoding = add_values(c, &press->body);
	p->unpacked += add_page(press, p->compressed, &p->data, DATA_PAGE,
	    c->present.count, encoding);
	p->encodings |= 1u << encoding | 1u << ENCODING_LEVELS;
}

static void
clear_page(struct table_column *c)
{
	page_values_clear(&c->present);
	page_values_clear(&c->repeats);
	page_values_clear(&c->indexes);
	c->plain.len = 0;
	c->plain_count = 0;
	c->page_bytes = 0;
}

static void
end_page(struct table_column *c, struct page_press *press)
{
	c->pages.compressed = true;
	add_data(c, press);
	clear_page(c);
}

static bool
is_full(const struct table_column *c)
{
	return c->indexes.each.len >= PAGE_BYTES ||
	       c->present.each.len >= PAGE_BYTES ||
	       c->repeats.each.len >= PAGE_BYTES ||
	       c->plain.len >= PAGE_BYTES || c->page_bytes >= PAGE_TEXT;
}

/* ---- the dictionary ---- */

static void
add_plain(struct table_column *c, struct span v)
{
	uint32_t len = (uint32_t)v.len;

	if (c->type == COLUMN_TEXT)
		text_add(&c->plain, (const char *)&len, sizeof(len));
	text_add_span(&c->plain, v);
	c->plain_count++;
}

static void
drop_dictionary(struct table_column *c)
{
	intern_free(&c->dictionary);
	c->dictionary_bytes = 0;
	c->recent = (struct span){NULL, 0};
}

/* from the page at hand on, values stand for themselves */
static void
leave_dictionary(struct table_column *c)
{
	for (size_t i = 0; i < c->indexes.count; i++)
		add_plain(c, intern_text(&c->dictionary,
				 page_values_at(&c->indexes, i)));
	page_values_clear(&c->indexes);
	if ((c->pages.encodings >> ENCODING_DICTIONARY & 1) == 0)
		drop_dictionary(c);
	c->past_dictionary = true;
}

static bool
is_worth_it(const struct table_column *c)
{
	size_t uses = c->type == COLUMN_TEXT ? REPEATS_TEXT : REPEATS_INT;

	return c->dictionary.count * uses <= c->values;
}

/* an entry was added */
static void
judge_dictionary(struct table_column *c)
{
	size_t n = c->dictionary.count;

	if (n >= DICTIONARY_LOOK && (n & (n - 1)) == 0 && !is_worth_it(c))
		c->direct = true;
	if (c->direct || n == DICTIONARY_MOST ||
	    c->dictionary_bytes > DICTIONARY_BYTES)
		leave_dictionary(c);
}

static void
add_index(struct table_column *c, struct span v)
{
	size_t before = c->dictionary.count;

	if (c->recent.p == NULL || !span_eq(v, c->recent)) {
		uint32_t number = intern_get(&c->dictionary, v);

		c->recent = intern_text(&c->dictionary, number);
		c->recent_number = (uint16_t)number;
	}
	page_values_add(&c->indexes, c->recent_number, 1);
	if (c->dictionary.count == before)
		return;
	c->dictionary_bytes += v.len;
	judge_dictionary(c);
}

static void
add_value(struct table_column *c, struct span v)
{
	c->values++;
	c->page_bytes += v.len;
	if (c->past_dictionary)
		add_plain(c, v);
	else
		add_index(c, v);
}

/* ---- rows ---- */

/* the level of a value, or of what lacks one */
static void
add_level(struct table_column *c, uint16_t present, size_t count)
{
	page_values_add(&c->present, present, count);
	if (c->list)
		page_values_add(&c->repeats, c->in_list, count);
	c->entries += (int64_t)count;
}

/* Go to a row that has the column; rows since the last one lack it. */
static void
begin_row(struct table_column *c, struct page_press *press, int64_t row)
{
	if (is_full(c))
		end_page(c, press);
	if (c->rows == 0)
		c->past_dictionary = c->direct || c->type == COLUMN_BOOL ||
				     c->type == COLUMN_DOUBLE;
	if (c->rows < row)
		add_level(c, 0, (size_t)(row - c->rows));
	c->nulls += row - c->rows;
	c->rows = row + 1;
}

static void
add_present(struct table_column *c, struct span v)
{
	add_value(c, v);
	add_level(c, c->list ? 2 : 1, 1);
}

static void
add_int(struct table_column *c, int64_t v)
{
	bool first = !table_column_any(c);

	if (first || v < c->least)
		c->least = v;
	if (first || v > c->most)
		c->most = v;
	add_present(c, (struct span){(const char *)&v, sizeof(v)});
}

void
table_column_int(
    struct table_column *c, struct page_press *press, int64_t row, int64_t v)
{
	begin_row(c, press, row);
	add_int(c, v);
}

void
table_column_bool(
    struct table_column *c, struct page_press *press, int64_t row, bool v)
{
	char byte = v;

	begin_row(c, press, row);
	add_present(c, (struct span){&byte, 1});
}

void
table_column_double(
    struct table_column *c, struct page_press *press, int64_t row, double v)
{
	begin_row(c, press, row);
	add_present(c, (struct span){(const char *)&v, sizeof(v)});
}

void
table_column_text(struct table_column *c, struct page_press *press, int64_t row,
    struct span v)
{
	begin_row(c, press, row);
	add_present(c, v);
}

void
table_column_list(struct table_column *c, struct page_press *press, int64_t row)
{
	begin_row(c, press, row);
}

void
table_column_add_int(struct table_column *c, int64_t v)
{
	add_int(c, v);
	c->in_list = 1;
}

void
table_column_add_text(struct table_column *c, struct span v)
{
	add_present(c, v);
	c->in_list = 1;
}

void
table_column_end_list(struct table_column *c)
{
	if (c->in_list == 0) { /* it has no elements */
		add_level(c, 1, 1);
		c->nulls++;
	}
	c->in_list = 0;
}

/* ---- the end of a row group ---- */

static void
add_dictionary(struct table_column *c, struct page_press *press)
{
	struct column_pages *p = &c->pages;

	press->body.len = 0;
	for (size_t i = 0; i < c->dictionary.count; i++) {
		struct span v = intern_text(&c->dictionary, (uint32_t)i);
		uint32_t len = (uint32_t)v.len;

		if (c->type == COLUMN_TEXT)
			text_add(&press->body, (const char *)&len, sizeof(len));
		text_add_span(&press->body, v);
	}
	p->unpacked += add_page(press, p->compressed, &p->dictionary,
	    DICTIONARY_PAGE, c->dictionary.count, ENCODING_PLAIN);
	p->encodings |= 1u << ENCODING_PLAIN;
}

static void
free_pages(struct column_pages *p)
{
	text_free(&p->dictionary);
	text_free(&p->data);
}

/* the page at hand, as it is: c->pages, unless that has fewer bytes */
static void
try_pages(struct table_column *c, struct page_press *press, bool compressed)
{
	struct column_pages best = c->pages, *p = &c->pages;

	*p = (struct column_pages){.compressed = compressed};
	add_data(c, press);
	if (c->indexes.count > 0)
		add_dictionary(c, press);
	if (best.data.len > 0 && best.dictionary.len + best.data.len <=
				     p->dictionary.len + p->data.len) {
		free_pages(p);
		*p = best;
	} else
		free_pages(&best);
}

static void
try_both(struct table_column *c, struct page_press *press)
{
	try_pages(c, press, false);
	if (press->body.len > TINY)
		try_pages(c, press, true);
}

/* the smallest of the forms of a few values */
static void
finish_few(struct table_column *c, struct page_press *press)
{
	try_both(c, press);
	if (c->indexes.count > 0) {
		leave_dictionary(c);
		try_both(c, press);
	}
	clear_page(c);
}

void
table_column_finish(
    struct table_column *c, struct page_press *press, int64_t rows)
{
	if (c->rows < rows)
		add_level(c, 0, (size_t)(rows - c->rows));
	c->nulls += rows - c->rows;
	c->rows = rows;
	if (c->pages.encodings == 0 && c->values <= FEW) {
		finish_few(c, press);
		return;
	}
	if (c->pages.encodings == 0 && c->indexes.count > 0 && !is_worth_it(c))
		leave_dictionary(c);
	if (c->present.count > 0)
		end_page(c, press);
	if (c->dictionary.count > 0)
		add_dictionary(c, press);
}

void
table_column_clear(struct table_column *c, bool trim)
{
	drop_dictionary(c);
	c->rows = c->entries = c->nulls = 0;
	c->past_dictionary = false;
	c->values = 0;
	c->pages.dictionary.len = c->pages.data.len = 0;
	c->pages.unpacked = 0;
	c->pages.encodings = 0;
	if (!trim)
		return;
	free_pages(&c->pages);
	text_free(&c->plain);
	text_free(&c->present.each);
	text_free(&c->repeats.each);
	text_free(&c->indexes.each);
}

void
table_column_free(struct table_column *c)
{
	table_column_clear(c, true);
}

size_t
table_column_memory(const struct table_column *c)
{
	return c->pages.dictionary.cap + c->pages.data.cap + c->plain.cap +
	       c->present.each.cap + c->repeats.each.cap + c->indexes.each.cap +
	       c->dictionary_bytes + c->dictionary.count * ENTRY_BYTES;
}
