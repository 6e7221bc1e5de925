/* comment.c - a comparison as Markdown, for a pull request */

#include <stdlib.h>

#include "comment.h"
#include "diff_tables.h"
#include "records.h"
#include "tq/show/escape.h"
#include "tq/show/markdown.h"

/* ROOM: bytes that the checks and devices may need */
enum { ROOM = 24000, DEVICES_MOST = 32 };

/* A name is cut: a C++ name may have thousands of bytes. */
static const struct format_options options = {
    .format = FORMAT_MARKDOWN, .time_unit = 1, .text_width = 120};

static void
add_table(struct text *t, struct table *table)
{
	text_add_char(t, '\n');
	markdown_rows(t, &options, table);
	table_free(table);
}

/* As many rows as a comment has room for. */
static void
add_rows(struct text *t, const struct comparison *c, const int64_t *deltas,
    enum sections_table which, size_t most)
{
	size_t start = t->len, rows;
	struct table table;

	do {
		t->len = start;
		diff_tables_rows(
		    &table, c, deltas, which, &(struct diff_look){most, false});
		rows = table_rows(&table);
		if (rows > 0)
			add_table(t, &table);
		most = rows / 2;
	} while (t->len > COMMENT_MOST - ROOM && most > 0);
}

static void
add_details(struct text *t, struct table *table)
{
	text_printf(t, "\n<details><summary>%s</summary>\n", table->title);
	add_table(t, table);
	text_add_str(t, "\n</details>\n");
}

void
comment_add(
    struct text *t, const struct comparison *c, const struct screen_settings *s)
{
	struct text verdict = {0};
	struct table table;
	int64_t *deltas;

	sections_add_verdict(&verdict, c);
	text_add_str(t, "**");
	escape_markdown(t, text_span(&verdict));
	text_add_str(t, "**\n");
	text_free(&verdict);
	if (!comparison_refused(c)) {
		deltas = records_deltas(c, sections_unit(c));
		diff_tables_sum(&table, c);
		add_table(t, &table);
		for (int i = 0; i < SECTIONS_SAME; i++)
			add_rows(t, c, deltas, (enum sections_table)i, s->rows);
		free(deltas);
		diff_tables_devices(
		    &table, c, &(struct diff_look){DEVICES_MOST, false});
		if (table_rows(&table) > 0)
			add_details(t, &table);
	}
	diff_tables_checks(&table, c);
	add_details(t, &table);
}
