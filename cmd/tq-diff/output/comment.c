/* comment.c - a comparison as Markdown, for a pull request */

#include <stdlib.h>

#include "comment.h"
#include "diff_tables.h"
#include "look_at.h"
#include "records.h"
#include "tq/show/escape.h"
#include "tq/show/markdown.h"

/* ROOM: bytes that the checks and devices may need */
enum { ROOM = 24000, DEVICES_MOST = 32 };

/* A text is cut: a C++ name may have thousands of bytes. */
enum { NAME_WIDTH = 120, CHECK_WIDTH = 300 };

static void
add_table(struct text *t, struct table *table, size_t width)
{
	const struct format_options f = {
	    .format = FORMAT_MARKDOWN, .time_unit = 1, .text_width = width};

	text_add_char(t, '\n');
	markdown_rows(t, &f, table);
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
			add_table(t, &table, NAME_WIDTH);
		most = rows / 2;
	} while (t->len > COMMENT_MOST - ROOM && most > 0);
}

/* A table that may be empty, which is freed. */
static void
add_details(struct text *t, struct table *table, size_t width)
{
	if (table_rows(table) > 0) {
		text_printf(
		    t, "\n<details><summary>%s</summary>\n", table->title);
		add_table(t, table, width);
		text_add_str(t, "\n</details>\n");
	} else {
		table_free(table);
	}
}

/* A line for each gate, which a blank line separates from what follows. */
static void
add_gates(struct text *t, const struct gates *g)
{
	struct text line = {0};

	for (size_t i = 0; i < g->count; i++) {
		line.len = 0;
		gate_add_text(&line, &g->all[i]);
		escape_markdown(t, text_span(&line));
		text_add_str(t, "  \n");
	}
	text_add_str(t, g->count > 0 ? "\n" : "");
	text_free(&line);
}

/* The verdict, and a list of what it is of. */
static void
add_head(struct text *t, const struct comparison *c)
{
	struct text verdict = {0};
	struct table lines;

	sections_add_verdict(&verdict, c);
	text_add_str(t, "**");
	escape_markdown(t, text_span(&verdict));
	text_add_str(t, "**\n\n");
	text_free(&verdict);
	diff_tables_summary(&lines, c);
	for (size_t i = 0; i < table_rows(&lines); i++) {
		const struct table_cell *cells = table_row(&lines, i);

		text_add_str(t, "- ");
		text_add_span(t, table_cell_text(&lines, &cells[0]));
		text_add_str(t, ": ");
		escape_markdown(t, table_cell_text(&lines, &cells[1]));
		text_add_char(t, '\n');
	}
	table_free(&lines);
}

static void
add_tables(
    struct text *t, const struct comparison *c, const struct screen_settings *s)
{
	bool launches = comparison_by(c) == ACCOUNT_BY_LAUNCH;
	int64_t *deltas = records_deltas(c, sections_unit(c));
	int count = diff_tables_count(c);
	struct table table;

	if (!launches) {
		diff_tables_sum(&table, c);
		add_table(t, &table, NAME_WIDTH);
	}
	for (int i = 0; i < count; i++)
		add_rows(t, c, deltas, (enum sections_table)i, s->rows);
	free(deltas);
	if (launches)
		return;
	diff_tables_host(&table, c, false);
	if (table_rows(&table) > 0)
		add_table(t, &table, NAME_WIDTH);
	else
		table_free(&table);
	diff_tables_devices(
	    &table, c, &(struct diff_look){DEVICES_MOST, false});
	add_details(t, &table, NAME_WIDTH);
}

static void
add_look(struct text *t, struct span command, size_t nth)
{
	text_add_str(t, nth == 0 ? "\nlook at <code>" : "<br><code>");
	escape_markdown(t, command);
	text_add_str(t, "</code>");
}

void
comment_add(
    struct text *t, const struct comparison *c, const struct screen_settings *s)
{
	struct table table;

	add_gates(t, s->gates);
	add_head(t, c);
	if (!comparison_refused(c)) {
		add_tables(t, c, s);
		if (look_at_each(t, c, s, add_look) > 0)
			text_add_char(t, '\n');
	}
	diff_tables_checks(&table, c);
	add_details(t, &table, CHECK_WIDTH);
}
