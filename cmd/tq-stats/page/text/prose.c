/* prose.c - sentences, lists and commands, in lines that fit */

#include "tq/show/display.h"
#include "tq/show/escape.h"
#include "prose.h"

enum { GOES_ON = 4 }; /* columns that the lines of a command are indented */

static size_t
prose_width(const struct terminal *on)
{
	return on->width < TERMINAL_PROSE ? on->width : TERMINAL_PROSE;
}

static struct span
behind(struct span s, size_t n)
{
	return (struct span){s.p + n, s.len - n};
}

static size_t
blanks_of(struct span s)
{
	size_t n = 0;

	while (n < s.len && s.p[n] == ' ')
		n++;
	return n;
}

/* ---- sentences ---- */

/* The bytes at the start of s that become a line of so many columns. */
static size_t
line_of(struct span s, size_t width)
{
	size_t fits = display_head(s, width), blank;

	if (fits == s.len || s.p[fits] == ' ')
		return fits;
	for (blank = fits; blank > 0 && s.p[blank] != ' ';)
		blank--;
	if (blank > 0)
		return blank;
	/* a character wider than the line, too */
	return fits > 0 ? fits : display_head(s, 2);
}

/* Append a line, with blanks where words are tied. */
static void
add_words(
    struct text *t, const struct terminal *on, enum ink ink, struct span line)
{
	size_t start = t->len;

	ink_add(t, on, ink, line);
	for (char *p = t->p + start; p < t->p + t->len; p++)
		if (*p == PROSE_TIED)
			*p = ' ';
	text_add_char(t, '\n');
}

void
prose_add(struct text *t, const struct terminal *on, enum ink ink,
    struct span s, size_t column, size_t indent)
{
	size_t width = prose_width(on) - (column > indent ? column : indent);

	s = behind(s, blanks_of(s));
	while (s.len > 0) {
		size_t n = line_of(s, width);

		add_words(t, on, ink, (struct span){s.p, n});
		s = behind(s, n);
		s = behind(s, blanks_of(s));
		if (s.len > 0)
			display_fill(t, indent, ' ');
	}
}

/* ---- lists ---- */

static size_t
item_width(const struct prose_item *item)
{
	size_t sign = display_width(span_of(item->sign));

	return sign + (sign > 0) + display_width(item->text);
}

static void
add_item(struct text *t, const struct terminal *on,
    const struct prose_item *item, size_t width)
{
	struct text cut = {0};
	bool signs = *item->sign != '\0';

	if (signs) {
		ink_add(t, on, item->ink, span_of(item->sign));
		text_add_char(t, ' ');
		width -= 2;
	}
	display_add_cut(&cut, item->text, width, DISPLAY_CUT, ink_ellipsis(on));
	ink_add(t, on, signs ? INK_PLAIN : item->ink, text_span(&cut));
	text_free(&cut);
}

void
prose_add_list(struct text *t, const struct terminal *on,
    const struct prose_item *items, size_t count, const char *separator,
    size_t indent)
{
	size_t between = display_width(span_of(separator));
	size_t width = prose_width(on) - indent, at = 0;

	for (size_t i = 0; i < count; i++) {
		size_t item = item_width(&items[i]);

		if (at > 0 && at + between + item > width) {
			text_add_char(t, '\n');
			at = 0;
		}
		if (at == 0)
			display_fill(t, indent, ' ');
		else
			text_add_str(t, separator);
		add_item(t, on, &items[i], width);
		at += item + (at > 0 ? between : 0);
	}
	if (count > 0)
		text_add_char(t, '\n');
}

/* ---- commands ---- */

/* the rest of a command */
struct command_rest {
	struct span s;
	char quote; /* that s begins in; 0: none */
};

/*
 * The bytes of its first word with the blanks behind it: quotes and backslashes
 * hide blanks.
 */
static size_t
word_of(struct span s, char quote)
{
	size_t n = 0;

	for (; n < s.len && (quote != '\0' || s.p[n] != ' '); n++) {
		if (s.p[n] == quote)
			quote = '\0';
		else if (quote == '\0' && (s.p[n] == '\'' || s.p[n] == '"'))
			quote = s.p[n];
		else if (s.p[n] == '\\' && quote != '\'' && n + 1 < s.len)
			n++;
	}
	return n + blanks_of(behind(s, n));
}

static struct span
without_blanks(struct span s)
{
	while (s.len > 0 && s.p[s.len - 1] == ' ')
		s.len--;
	return s;
}

static bool
is_pipe(struct span word)
{
	return span_eq(without_blanks(word), SPAN("|"));
}

/*
 * The bytes of a line of a command: up to the last pipe that fits, else up to
 * the last word with room for a backslash; all of it if it fits.
 */
static size_t
command_line(const struct command_rest *c, size_t width)
{
	size_t n = 0, fits = 0, pipe = 0;

	if (display_width(c->s) <= width)
		return c->s.len;
	while (n < c->s.len) {
		size_t word =
		    word_of(behind(c->s, n), n == 0 ? c->quote : '\0');
		struct span line = {c->s.p, n + word};

		if (is_pipe(behind(line, n)) &&
		    display_width(without_blanks(line)) <= width)
			pipe = line.len;
		if (fits == 0 || display_width(line) < width)
			fits = line.len;
		n += word;
	}
	return pipe > 0 ? pipe : fits;
}

/* True of an expression of tq-filter, in which a line may end at any blank. */
static bool
is_expression(struct span word)
{
	static const char *const signs[] = {
	    " == ", " ~ ", " < ", " >= ", " and "};

	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		if (memmem(word.p, word.len, signs[i], strlen(signs[i])))
			return true;
	return false;
}

/*
 * Where a first word that is wider than a line ends one: the bytes up to the
 * last blank in its quotes that fits, or 0.
 */
static size_t
line_of_expression(const struct command_rest *c, size_t width)
{
	struct span word = {c->s.p, word_of(c->s, c->quote)};
	size_t fits = 0;

	if (display_width(without_blanks(word)) <= width ||
	    (c->quote != '\'' && (*word.p != '\'' || !is_expression(word))))
		return 0;
	for (size_t i = 1; i < without_blanks(word).len; i++)
		if (word.p[i] == ' ' &&
		    display_width((struct span){word.p, i}) <= width)
			fits = i + 1;
	return fits;
}

void
prose_add_command(struct text *t, const struct terminal *on,
    struct span command, size_t indent)
{
	size_t width = prose_width(on) - indent - 2;
	struct text clean = {0}, line = {0};
	struct command_rest c = {0};

	escape_terminal(&clean, command);
	c.s = text_span(&clean);
	text_add_str(&line, "$ ");
	while (c.s.len > 0) {
		size_t inside = line_of_expression(&c, width);
		size_t n = inside > 0 ? inside : command_line(&c, width);
		bool last = n == c.s.len;

		text_add_span(&line, without_blanks((struct span){c.s.p, n}));
		if (!last && inside == 0 && line.p[line.len - 1] != '|')
			text_add_str(&line, " \\");
		display_fill(t, indent, ' ');
		ink_add(t, on, INK_GREY, text_span(&line));
		text_add_char(t, '\n');
		line.len = 0;
		if (!last)
			display_fill(&line, GOES_ON, ' ');
		width = prose_width(on) - indent - GOES_ON;
		c = (struct command_rest){
		    behind(c.s, n), inside > 0 ? '\'' : '\0'};
	}
	text_free(&clean);
	text_free(&line);
}

void
prose_add_more(struct text *t, const struct terminal *on, struct span more,
    struct span command)
{
	struct text clean = {0};

	escape_terminal(&clean, command);
	text_add_span(t, more);
	if (display_width(more) + display_width(text_span(&clean)) <=
	    prose_width(on)) {
		ink_add(t, on, INK_GREY, text_span(&clean));
		text_add_char(t, '\n');
	} else {
		t->p[t->len - 1] = '\n'; /* instead of the blank */
		prose_add_command(t, on, command, GOES_ON);
	}
	text_free(&clean);
}
