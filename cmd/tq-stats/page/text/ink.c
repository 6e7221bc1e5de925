/* ink.c - signs and colours of the page */

#include "ink.h"

static const char *const codes[INK_COUNT] = {
    [INK_BOLD] = "1",
    [INK_GREY] = "90",
    [INK_RED] = "31",
    [INK_YELLOW] = "33",
    [INK_BLUE] = "34",
    [INK_MAGENTA] = "35",
    [INK_CYAN] = "36",
};

static const struct {
	const char *utf8, *ascii;
	enum ink ink;
} signs[PAGE_CLASSES] = {
    [PAGE_COMPUTE] = {"\u2588", "#", INK_BLUE},
    [PAGE_COMMUNICATION] = {"\u2593", "=", INK_YELLOW},
    [PAGE_COPY] = {"\u2592", "+", INK_CYAN},
    [PAGE_HOST] = {"\u2591", "!", INK_RED},
    [PAGE_SYNC] = {"\u2504", ":", INK_MAGENTA},
    [PAGE_OTHER] = {"\u00b7", ".", INK_GREY},
};

void
ink_add(struct text *t, const struct terminal *on, enum ink ink, struct span s)
{
	bool colored = on->color && ink != INK_PLAIN && s.len > 0;

	if (colored)
		text_printf(t, "\033[%sm", codes[ink]);
	text_add_span(t, s);
	if (colored)
		text_add_str(t, "\033[m");
}

const char *
ink_sign(const struct terminal *on, enum page_class class)
{
	return on->utf8 ? signs[class].utf8 : signs[class].ascii;
}

enum ink ink_of(enum page_class class)
{
	return signs[class].ink;
}

const char *
ink_ellipsis(const struct terminal *on)
{
	return on->utf8 ? "\u2026" : "..";
}

const char *
ink_dot(const struct terminal *on)
{
	return on->utf8 ? "\u00b7" : "|";
}

static const char *const blocks[] = {" ", "\u2581", "\u2582", "\u2583",
    "\u2584", "\u2585", "\u2586", "\u2587", "\u2588"};
static const char *const ascii_blocks[] = {
    " ", ".", ":", "-", "=", "+", "*", "#"};

const char *
ink_height(const struct terminal *on, unsigned height)
{
	return on->utf8 ? blocks[height] : ascii_blocks[height];
}

unsigned
ink_highest(const struct terminal *on)
{
	return on->utf8 ? sizeof(blocks) / sizeof(*blocks) - 1
			: sizeof(ascii_blocks) / sizeof(*ascii_blocks) - 1;
}
