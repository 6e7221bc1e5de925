/* pretty.c - tables for people, on a terminal */

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <wchar.h>

#include "tq/base/mem.h"

#include "formats.h"
#include "cells.h"
#include "short_column.h"

enum { KERNEL_WIDTH = 50 }; /* columns of a name of a kernel on a page */
enum { NARROWEST = 20 };    /* no column of text becomes narrower */

static const char ellipsis[] = "...";

void
pretty_begin(void)
{
	setlocale(LC_CTYPE, ""); /* for wcwidth */
}

/* ---- the width of text ---- */

enum { REPLACEMENT = 0xfffd };

/* The code point at p, and its bytes; REPLACEMENT and 1 if it is not UTF-8. */
static size_t
code_point(const char *p, size_t len, wchar_t *c)
{
	unsigned char first = (unsigned char)*p;
	size_t n = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
	unsigned v = n == 1 ? first : first & (0x7fu >> n);
	bool valid = n <= len && (n == 1 || (first >= 0xc2 && first < 0xf5));

	for (size_t i = 1; valid && i < n; i++) {
		valid = ((unsigned char)p[i] & 0xc0) == 0x80;
		v = v << 6 | ((unsigned char)p[i] & 0x3f);
	}
	*c = valid ? (wchar_t)v : REPLACEMENT;
	return valid ? n : 1;
}

static size_t
columns_of(wchar_t c)
{
	int n;

	if (c < 0x80 || strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		return 1;
	n = wcwidth(c);
	return n < 0 ? 1 : (size_t)n;
}

static size_t
width_of(struct span s)
{
	size_t width = 0;
	wchar_t c;

	for (size_t i = 0; i < s.len;) {
		i += code_point(s.p + i, s.len - i, &c);
		width += columns_of(c);
	}
	return width;
}

/* the bytes at the start of s that fit in width columns */
static size_t
head_of(struct span s, size_t width)
{
	size_t i = 0;
	wchar_t c;

	while (i < s.len) {
		size_t n = code_point(s.p + i, s.len - i, &c);

		if (columns_of(c) > width)
			break;
		width -= columns_of(c);
		i += n;
	}
	return i;
}

/* the last width columns of s */
static struct span
tail_of(struct span s, size_t width)
{
	size_t all = width_of(s);
	wchar_t c;

	while (all > width) {
		size_t n = code_point(s.p, s.len, &c);

		all -= columns_of(c);
		s = (struct span){s.p + n, s.len - n};
	}
	return s;
}

/* Shorten s in the middle if it is wider than width; returns its width. */
static size_t
add_shortened(struct text *t, struct span s, size_t width)
{
	size_t was = width_of(s), start = t->len, keep;

	if (was <= width) {
		text_add_span(t, s);
		return was;
	}
	keep = width - (sizeof(ellipsis) - 1);
	text_add(t, s.p, head_of(s, keep - keep / 2));
	text_add_str(t, ellipsis);
	text_add_span(t, tail_of(s, keep / 2));
	return width_of((struct span){t->p + start, t->len - start});
}

/* Control characters do not reach the terminal. */
static void
add_clean(struct text *t, struct span s)
{
	for (size_t i = 0; i < s.len;) {
		wchar_t c;
		size_t n = code_point(s.p + i, s.len - i, &c);

		if (c == '\t' || c == '\n' || c == '\r')
			text_add_char(t, ' ');
		else if (c < 0x20 || (c >= 0x7f && c < 0xa0) ||
			 (c == REPLACEMENT && n == 1))
			text_add_char(t, '?');
		else
			text_add(t, s.p + i, n);
		i += n;
	}
}

/* ---- a table ---- */

/* a table as it looks */
struct look {
	struct table *t;
	const struct format_options *f;
	struct text scratch;
	size_t *widths;
	struct short_column kernels;
};

/* The text of a cell, or if it is NULL of the title; until the next call. */
static struct span
look_at(struct look *l, size_t column, const struct table_cell *cell)
{
	const struct column *c = &l->t->columns[column];

	l->scratch.len = 0;
	text_reserve(&l->scratch, 1);
	if (cell == NULL && l->f->human)
		cells_title_human(&l->scratch, l->f, c);
	else if (cell == NULL)
		cells_title(&l->scratch, l->f, c, CELLS_MEGA);
	else if (cell->type == CELL_TEXT && l->kernels.any &&
		 column == l->kernels.column)
		add_clean(&l->scratch, short_column_text(&l->kernels,
					   table_cell_text(l->t, cell)));
	else if (cell->type == CELL_TEXT)
		add_clean(&l->scratch, table_cell_text(l->t, cell));
	else if (l->f->human)
		cells_add_human(&l->scratch, l->f, c, cell);
	else
		cells_add(&l->scratch, l->f, c, cell, CELLS_MEGA, false);
	return text_span(&l->scratch);
}

static void
measure_columns(struct look *l)
{
	for (size_t i = 0; i < l->t->column_count; i++)
		l->widths[i] = width_of(look_at(l, i, NULL));
	for (size_t row = 0; row < table_shown(l->t); row++) {
		const struct table_cell *cells = table_row(l->t, row);

		for (size_t i = 0; i < l->t->column_count; i++) {
			size_t width = width_of(look_at(l, i, &cells[i]));

			if (width > l->widths[i])
				l->widths[i] = width;
		}
	}
}

/* Narrow the widest column of text, again and again, until the line fits. */
static void
narrow_columns(struct look *l)
{
	size_t width = 1, widest;

	for (size_t i = 0; i < l->t->column_count; i++)
		width += l->widths[i] + (i > 0 ? 2 : 0);
	while (l->f->width > 0 && width > l->f->width) {
		widest = SIZE_MAX;
		for (size_t i = 0; i < l->t->column_count; i++)
			if (l->t->columns[i].left && l->widths[i] > NARROWEST &&
			    (widest == SIZE_MAX ||
				l->widths[i] >= l->widths[widest]))
				widest = i;
		if (widest == SIZE_MAX)
			return;
		l->widths[widest]--;
		width--;
	}
}

/* Names of kernels get the width that is left, and stay different. */
static void
fit_columns(struct look *l)
{
	bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	const char *dots = utf8 ? "\xe2\x80\xa6" : "..";

	if (l->f->width > 0)
		short_column_open(&l->kernels, l->t);
	short_column_make(&l->kernels, KERNEL_WIDTH, dots);
	measure_columns(l);
	narrow_columns(l);
	if (l->kernels.any && l->widths[l->kernels.column] < KERNEL_WIDTH)
		short_column_make(
		    &l->kernels, l->widths[l->kernels.column], dots);
}

static void
add_padding(struct text *b, size_t n, char c)
{
	memset(text_reserve(b, n), c, n);
	b->len += n;
}

/* cells == NULL: the titles */
static void
add_line(struct look *l, struct text *b, const struct table_cell *cells)
{
	for (size_t i = 0; i < l->t->column_count; i++) {
		struct span s = look_at(l, i, cells != NULL ? cells + i : NULL);
		size_t width;

		add_padding(b, i > 0 ? 2 : 1, ' ');
		if (l->t->columns[i].left) {
			width = add_shortened(b, s, l->widths[i]);
			add_padding(b, l->widths[i] - width, ' ');
		} else {
			add_padding(b, l->widths[i] - width_of(s), ' ');
			text_add_span(b, s);
		}
	}
	while (b->p[b->len - 1] == ' ')
		b->len--;
	text_add_char(b, '\n');
}

void
pretty_table(struct output *o, const struct format_options *f, struct table *t,
    bool first)
{
	struct text *b = &o->buf;
	struct look l = {t, f};

	l.widths = mem_resize(NULL, t->column_count + 1, sizeof(*l.widths));
	fit_columns(&l);
	text_printf(
	    b, "%s ** %s (%s):\n\n", first ? "" : "\n", t->title, t->report);
	add_line(&l, b, NULL);
	for (size_t i = 0; i < t->column_count; i++) {
		add_padding(b, i > 0 ? 2 : 1, ' ');
		add_padding(b, l.widths[i], '-');
	}
	text_add_char(b, '\n');
	for (size_t row = 0; row < table_shown(t); row++) {
		add_line(&l, b, table_row(t, row));
		output_check(o);
	}
	if (table_hidden(t) > 0 && t->part)
		text_printf(
		    b, " ... %zu more: -r %s\n", table_hidden(t), t->report);
	else if (table_hidden(t) > 0)
		text_printf(b, " ... %zu more\n", table_hidden(t));
	short_column_free(&l.kernels);
	free(l.widths);
	text_free(&l.scratch);
}
