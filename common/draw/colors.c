/*
 * colors.c - colours of slices by their names
 *
 *	file   = { line "\n" }
 *	line   = blank | "#" comment | regex space colour
 *	colour = "#" six hexadecimal digits | a name
 *
 * A regex is one of pattern.h, and may contain spaces.
 */

#include <ctype.h>
#include <err.h>
#include <stdlib.h>

#include "tq/ask/pattern.h"
#include "tq/ask/rule_lines.h"
#include "tq/draw/colors.h"
#include "tq/base/array.h"
#include "tq/io/status.h"

/* all names that the viewer takes: its tr.b.ColorScheme */
static const struct viewer_color {
	const char *name;
	int rgb[3];
} reserved[] = {
    {"thread_state_uninterruptible", {182, 125, 143}},
    {"thread_state_iowait", {255, 140, 0}},
    {"thread_state_running", {126, 200, 148}},
    {"thread_state_runnable", {133, 160, 210}},
    {"thread_state_sleeping", {240, 240, 240}},
    {"thread_state_unknown", {199, 155, 125}},
    {"background_memory_dump", {0, 180, 180}},
    {"light_memory_dump", {0, 0, 180}},
    {"detailed_memory_dump", {180, 0, 180}},
    {"vsync_highlight_color", {0, 0, 255}},
    {"generic_work", {125, 125, 125}},
    {"good", {0, 125, 0}},
    {"bad", {180, 125, 0}},
    {"terrible", {180, 0, 0}},
    {"black", {0, 0, 0}},
    {"grey", {221, 221, 221}},
    {"white", {255, 255, 255}},
    {"yellow", {255, 255, 0}},
    {"olive", {100, 100, 0}},
    {"rail_response", {67, 135, 253}},
    {"rail_animation", {244, 74, 63}},
    {"rail_idle", {238, 142, 0}},
    {"rail_load", {13, 168, 97}},
    {"startup", {230, 230, 0}},
    {"heap_dump_stack_frame", {128, 128, 128}},
    {"heap_dump_object_type", {0, 0, 255}},
    {"heap_dump_child_node_arrow", {204, 102, 0}},
    {"cq_build_running", {255, 255, 119}},
    {"cq_build_passed", {153, 238, 102}},
    {"cq_build_failed", {238, 136, 136}},
    {"cq_build_abandoned", {187, 187, 187}},
    {"cq_build_attempt_passed", {103, 218, 35}},
    {"cq_build_attempt_failed", {197, 81, 81}},
};

enum { RESERVED = sizeof(reserved) / sizeof(reserved[0]), CACHE = 1 << 12 };

struct color_rule {
	struct pattern *pattern;
	struct color color;
};

/* the colour of a name, remembered */
struct color_match {
	struct text name;
	size_t rule; /* the first that matches, or the number of rules */
	bool known;
};

struct colors {
	struct color_rule *rule;
	size_t count, cap;
	struct color_match *cache;

	struct color last; /* of a record */
};

struct colors *
colors_new(void)
{
	return mem_alloc(sizeof(struct colors));
}

void
colors_free(struct colors *c)
{
	for (size_t i = 0; i < c->count; i++)
		pattern_free(c->rule[i].pattern);
	for (size_t i = 0; c->cache != NULL && i < CACHE; i++)
		text_free(&c->cache[i].name);
	free(c->rule);
	free(c->cache);
	free(c);
}

/* ---- names and numbers ---- */

static bool
parse_rgb(struct span s, unsigned *rgb)
{
	if (s.len != 7 || s.p[0] != '#')
		return false;
	*rgb = 0;
	for (size_t i = 1; i < 7; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (!isxdigit(c))
			return false;
		*rgb = *rgb << 4 |
		       (unsigned)(isdigit(c) ? c - '0' : (c | 32) - 'a' + 10);
	}
	return true;
}

/* True if the viewer's black letters are unreadable on it. */
static bool
is_dark(const int rgb[3])
{
	return 299 * rgb[0] + 587 * rgb[1] + 114 * rgb[2] < 90 * 1000;
}

static const char *
nearest_name(unsigned rgb)
{
	const char *name = NULL;
	int best = 0;

	for (size_t i = 0; i < RESERVED; i++) {
		int distance = 0;

		if (is_dark(reserved[i].rgb))
			continue;
		for (int k = 0; k < 3; k++) {
			int d = (int)(rgb >> (16 - 8 * k) & 0xff) -
				reserved[i].rgb[k];

			distance += d * d;
		}
		if (name == NULL || distance < best) {
			best = distance;
			name = reserved[i].name;
		}
	}
	return name;
}

static const struct color *
parse_color(struct colors *c, struct span color)
{
	unsigned rgb;

	if (!parse_rgb(color, &rgb))
		return NULL;
	if (c->last.name == NULL || c->last.rgb != rgb)
		c->last = (struct color){rgb, nearest_name(rgb)};
	return &c->last;
}

static bool
read_color(struct span s, struct color *color)
{
	if (parse_rgb(s, &color->rgb)) {
		color->name = nearest_name(color->rgb);
		return true;
	}
	for (size_t i = 0; i < RESERVED; i++) {
		const int *rgb = reserved[i].rgb;

		if (!span_eq(s, span_of(reserved[i].name)))
			continue;
		color->name = reserved[i].name;
		color->rgb = (unsigned)(rgb[0] << 16 | rgb[1] << 8 | rgb[2]);
		return true;
	}
	return false;
}

/* ---- the map ---- */

static void
add_rule(struct colors *c, const struct rule_lines *l, struct span line)
{
	struct color_rule r;
	struct span color = {line.p + line.len, 0}, regex;
	const char *error;
	size_t at;

	while (color.p > line.p && !isspace((unsigned char)color.p[-1])) {
		color.p--;
		color.len++;
	}
	regex = span_trimmed((struct span){line.p, (size_t)(color.p - line.p)});
	if (regex.len == 0)
		rule_lines_fail(l, "expected a regex and a colour");
	if (!read_color(color, &r.color))
		rule_lines_fail(
		    l, "unknown colour: %.*s", (int)color.len, color.p);
	if ((r.pattern = pattern_regex(regex, false, &error, &at)) == NULL)
		rule_lines_fail(l, "%.*s: %s", (int)regex.len, regex.p, error);
	*array_add(&c->rule, &c->count, &c->cap) = r;
}

void
colors_read(struct colors *c, const char *file)
{
	struct rule_lines l;
	struct span line;

	rule_lines_open(&l, file, NULL, NULL);
	while (rule_lines_next(&l, &line))
		add_rule(c, &l, span_trimmed(line));
	rule_lines_close(&l);
}

void
colors_take(void *colors, const char *file)
{
	struct colors **c = colors;

	if (*c == NULL)
		*c = colors_new();
	colors_read(*c, file);
}

bool
colors_any(const struct colors *c)
{
	return c->count > 0;
}

static size_t
first_match(const struct colors *c, struct span name)
{
	size_t i;

	for (i = 0; i < c->count; i++)
		switch (pattern_match(c->rule[i].pattern, name)) {
		case PATTERN_YES:
			return i;
		case PATTERN_GAVE_UP:
			errx(TQ_FAIL, "colour map: a regular expression took "
				      "too many steps");
		case PATTERN_NO:
			break;
		}
	return i;
}

static const struct color *
match_rule(struct colors *c, struct span name)
{
	struct color_match *a;

	if (c->count == 0)
		return NULL;
	if (c->cache == NULL)
		c->cache = mem_alloc(CACHE * sizeof(*c->cache));
	a = &c->cache[span_hash(name) % CACHE];
	if (!a->known || !span_eq(text_span(&a->name), name)) {
		a->name.len = 0;
		text_add_span(&a->name, name);
		a->rule = first_match(c, name);
		a->known = true;
	}
	return a->rule < c->count ? &c->rule[a->rule].color : NULL;
}

const struct color *
colors_find(struct colors *c, struct span name, const struct event *ev)
{
	const struct color *color = match_rule(c, name);
	struct span own;

	if (color != NULL || !event_has(ev, KEY_color))
		return color;
	own = ev->value[KEY_color];
	return parse_color(c, (struct span){own.p + 1, own.len - 2});
}
