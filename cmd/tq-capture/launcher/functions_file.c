/* functions_file.c - a file of functions of Python */

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "tq/io/whole_file.h"
#include "tq/line/json.h"

#include "arena/arena.h"
#include "functions_file.h"

enum { FILE_MAX = 1 << 20, COLOR_DIGITS = 6 };

/* a file of functions while it is read */
struct functions_file {
	const char *name;
	struct span all;
	struct text *to, *why;
	unsigned flags; /* of all its functions */
};

/* the settings of an object for its functions, or for one; empty: none */
struct said {
	struct text module, domain, name, function;
	struct span functions; /* JSON */
	uint32_t color;        /* ARGB */
	unsigned flags;
};

static void
free_said(struct said *s)
{
	text_free(&s->module);
	text_free(&s->domain);
	text_free(&s->name);
	text_free(&s->function);
}

/* False, and the problem with file and line, unless there is one. */
static bool
refuse(const struct functions_file *f, const char *at, const char *problem)
{
	size_t line = 1;

	if (f->why->len > 0)
		return false;
	for (const char *p = f->all.p; p < at; p++)
		line += *p == '\n';
	text_printf(f->why, "%s:%zu: %s", f->name, line, problem);
	return false;
}

/* ---- values ---- */

/* The value of a string of JSON: a line of TQ_CAPTURE_PYTHON can have it. */
static bool
take_text(const struct functions_file *f, struct text *t, struct span value)
{
	t->len = 0;
	if (value.len == 0 || *value.p != '"')
		return refuse(f, value.p, "not a string");
	json_decode(t, value);
	for (size_t i = 0; i < t->len; i++)
		if (iscntrl((unsigned char)t->p[i]))
			return refuse(
			    f, value.p, "a control character in a name");
	return t->len > 0 || refuse(f, value.p, "an empty name");
}

/* The colors of nvtx.annotate and of a few more names; "76b900", "#76b900",
   "0x76b900", or a number.  0: unknown. */
static uint32_t
color_of(struct span text)
{
	static const struct {
		const char *name;
		uint32_t rgb;
	} colors[] = {{"black", 0}, {"blue", 0x0000ff}, {"brown", 0xa52a2a},
	    {"cyan", 0x00ffff}, {"gray", 0x808080}, {"green", 0x008000},
	    {"grey", 0x808080}, {"lime", 0x00ff00}, {"magenta", 0xff00ff},
	    {"navy", 0x000080}, {"olive", 0x808000}, {"orange", 0xffa500},
	    {"pink", 0xffc0cb}, {"purple", 0x800080}, {"rapids", 0x7400ff},
	    {"red", 0xff0000}, {"teal", 0x008080}, {"white", 0xffffff},
	    {"yellow", 0xffff00}};
	const uint32_t opaque = UINT32_C(0xff) << 24;
	uint32_t rgb = 0;

	for (size_t i = 0; i < sizeof(colors) / sizeof(colors[0]); i++)
		if (span_eq(text, span_of(colors[i].name)))
			return opaque | colors[i].rgb;
	if (text.len > 0 && *text.p == '#')
		text = (struct span){text.p + 1, text.len - 1};
	else if (text.len > 2 && memcmp(text.p, "0x", 2) == 0)
		text = (struct span){text.p + 2, text.len - 2};
	if (text.len != COLOR_DIGITS)
		return 0;
	for (size_t i = 0; i < text.len; i++) {
		int c = tolower((unsigned char)text.p[i]);

		if (!isxdigit(c))
			return 0;
		rgb =
		    rgb << 4 | (uint32_t)(isdigit(c) ? c - '0' : c - 'a' + 10);
	}
	return opaque | rgb;
}

static bool
take_color(const struct functions_file *f, uint32_t *color, struct span value)
{
	struct text t = {0};
	int64_t number;
	bool ok = true;

	if (json_int(value, &number) && number >= 0 && number <= UINT32_MAX)
		*color = (uint32_t)number;
	else if ((ok = take_text(f, &t, value)))
		*color = color_of(text_span(&t));
	if (ok && *color == 0)
		ok = refuse(f, value.p,
		    "not a color: a name, RRGGBB, or a number that is ARGB");
	text_free(&t);
	return ok;
}

static bool
take_flag(const struct functions_file *f, unsigned *flags, unsigned flag,
    struct span value)
{
	if (span_eq(value, SPAN("true")))
		*flags |= flag;
	else if (span_eq(value, SPAN("false")))
		*flags &= ~flag;
	else
		return refuse(f, value.p, "not true or false");
	return true;
}

/* ---- objects ---- */

static bool
take_member(const struct functions_file *f, struct said *s, struct span key,
    struct span value)
{
	static const struct {
		const char *key;
		size_t text; /* of struct said */
	} texts[] = {{"module", offsetof(struct said, module)},
	    {"domain", offsetof(struct said, domain)},
	    {"name", offsetof(struct said, name)},
	    {"function", offsetof(struct said, function)}};
	static const struct {
		const char *key;
		unsigned flag;
	} flags[] = {{"class", FUNCTION_CLASS}, {"shapes", FUNCTION_SHAPES},
	    {"optional", FUNCTION_OPTIONAL}};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (span_eq(key, span_of(texts[i].key)))
			return take_text(f,
			    (struct text *)(void *)((char *)s + texts[i].text),
			    value);
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (span_eq(key, span_of(flags[i].key)))
			return take_flag(f, &s->flags, flags[i].flag, value);
	if (span_eq(key, SPAN("color")))
		return take_color(f, &s->color, value);
	if (span_eq(key, SPAN("functions")))
		s->functions = value;
	return true; /* of a "_comment", and of what newer files have */
}

static bool
take_object(const struct functions_file *f, struct said *s, struct span value)
{
	struct text key = {0};
	struct json j;
	bool ok = true;

	if (value.len == 0 || *value.p != '{')
		return refuse(f, value.p, "not an object");
	json_open(&j, value);
	while (ok && json_next(&j, &key, &value))
		ok = take_member(f, s, text_span(&key), value);
	text_free(&key);
	return ok && (j.error == NULL || refuse(f, j.p, j.error));
}

/* one of "functions", of a group: a string, or an object */
static bool
add_function(
    const struct functions_file *f, const struct said *group, struct span value)
{
	struct said one = {.color = group->color, .flags = group->flags};
	struct span domain, name;
	bool ok = *value.p == '{' ? take_object(f, &one, value)
				  : take_text(f, &one.function, value);

	if (ok && one.function.len == 0)
		ok = refuse(f, value.p, "no \"function\"");
	domain = text_span(one.domain.len > 0      ? &one.domain
			   : group->domain.len > 0 ? &group->domain
						   : &group->module);
	name = text_span(one.name.len > 0 ? &one.name : &one.function);
	if (ok)
		text_printf(f->to,
		    "%sfunction\t%.*s\t%.*s\t%.*s\t%.*s\t%" PRIu32 "\t%u",
		    f->to->len > 0 ? "\n" : "", (int)group->module.len,
		    group->module.p, (int)one.function.len, one.function.p,
		    (int)domain.len, domain.p, (int)name.len, name.p, one.color,
		    one.flags);
	free_said(&one);
	return ok;
}

static bool
add_group(const struct functions_file *f, struct span value)
{
	struct said group = {.flags = f->flags};
	struct span one;
	struct json j;
	bool ok = take_object(f, &group, value);

	if (ok && group.module.len == 0)
		ok = refuse(f, value.p, "no \"module\"");
	if (ok && (group.functions.len == 0 || *group.functions.p != '['))
		ok = refuse(f, value.p, "no array \"functions\"");
	if (ok) {
		json_open_array(&j, group.functions);
		while (ok && json_next_element(&j, &one))
			ok = add_function(f, &group, one);
		ok = ok && (j.error == NULL || refuse(f, j.p, j.error));
	}
	free_said(&group);
	return ok;
}

static bool
add_groups(const struct functions_file *f)
{
	struct span group, all = f->all;
	struct json j;
	bool ok = true;

	while (all.len > 0 && isspace((unsigned char)*all.p))
		all = (struct span){all.p + 1, all.len - 1};
	if (all.len == 0 || *all.p != '[')
		return refuse(f, all.p, "not an array of objects");
	json_open_array(&j, all);
	while (ok && json_next_element(&j, &group))
		ok = add_group(f, group);
	return ok && (j.error == NULL || refuse(f, j.p, j.error));
}

/* ---- files ---- */

bool
functions_file_parse(struct text *to, const char *name, struct span all,
    unsigned flags, struct text *why)
{
	return add_groups(&(struct functions_file){name, all, to, why, flags});
}

bool
functions_file_read(
    struct text *to, const char *name, unsigned flags, struct text *why)
{
	struct text all = {0};
	int error = whole_file_try(&all, name, FILE_MAX);
	bool ok = false;

	if (error == EFBIG)
		text_printf(why, "%s: larger than 1 MiB", name);
	else if (error != 0)
		text_printf(why, "%s: %s", name, strerror(error));
	else {
		text_add_char(&all, '\0');
		all.len--;
		ok =
		    functions_file_parse(to, name, text_span(&all), flags, why);
	}
	text_free(&all);
	return ok;
}
