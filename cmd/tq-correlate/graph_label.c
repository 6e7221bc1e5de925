/* graph_label.c - the ranges that were open where an operation was captured */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/io/emit.h"
#include "tq/names/module_name.h"

#include "graph_label.h"

/* between the two parts of a label; JSON escapes it */
enum { PARTS = '\n' };

/* ranges of profilers and of captures: they say nothing of the model */
static const struct span of_profilers[] = {
    {"capture_", 8},
    {"capture ", 8},
    {"ProfilerStep", 12},
    {"execute_", 8},
    {"step[", 5},
    {"CUDAGraphNode", 13},
};

/* the value of a member of a range, which is the first of its piece */
static struct span
value_of(
    const struct range *r, unsigned piece, unsigned next, struct span member)
{
	struct span s = {
	    r->members.p + r->at[piece], r->at[next] - r->at[piece]};

	if (!span_begins(s, member))
		return (struct span){NULL, 0};
	s.p += member.len;
	s.len -= member.len;
	return s;
}

/* the text of a string between its quotes, escaped; of several members, of the
   first */
static struct span
string_of(struct span value)
{
	const char *p = value.p, *end = value.p + value.len;

	if (value.len < 2 || *p != '"')
		return (struct span){"", 0};
	for (p++; p < end && *p != '"'; p++)
		p += *p == '\\';
	return (struct span){value.p + 1, (size_t)(p - value.p - 1)};
}

static struct span
name_of(const struct range *r)
{
	return string_of(
	    value_of(r, RANGE_NAME, RANGE_DOMAIN, SPAN(",\"name\":")));
}

static struct span
category_of(const struct range *r)
{
	return string_of(
	    value_of(r, RANGE_COLOR, RANGE_ID, SPAN(",\"category\":")));
}

static struct span
domain_of(const struct range *r)
{
	return string_of(
	    value_of(r, RANGE_DOMAIN, RANGE_COLOR, SPAN(",\"domain\":")));
}

static bool
is_of_profiler(struct span name)
{
	enum { COUNT = sizeof(of_profilers) / sizeof(of_profilers[0]) };

	for (size_t i = 0; i < COUNT; i++)
		if (span_begins(name, of_profilers[i]))
			return true;
	return false;
}

/* what stands behind a word in a text; {NULL, 0} if the word is not there */
static struct span
behind(struct span text, struct span word)
{
	const char *p = memmem(text.p, text.len, word.p, word.len);

	if (p == NULL)
		return (struct span){NULL, 0};
	p += word.len;
	return (struct span){p, (size_t)(text.p + text.len - p)};
}

/* the list at the beginning of a text, with all lists in it */
static struct span
list_at(struct span text)
{
	size_t open = 0;

	for (size_t i = 0; i < text.len; i++) {
		open += text.p[i] == '[';
		open -= text.p[i] == ']' && open > 0;
		if (open == 0)
			return (struct span){text.p, i == 0 ? 0 : i + 1};
	}
	return (struct span){NULL, 0};
}

/* up to a character, or all */
static struct span
up_to(struct span text, char end)
{
	const char *p = text.len > 0 ? memchr(text.p, end, text.len) : NULL;

	if (p != NULL)
		text.len = (size_t)(p - text.p);
	return text;
}

struct label_draft {
	struct span op, module, shapes;
	bool has_op;
};

/* A dictionary in the text of a range has the shapes, too. */
static void
take_module(struct label_draft *d, struct span module, struct span *name)
{
	d->module = module;
	if (!span_begins(*name, SPAN("{")))
		return;
	if (!d->has_op)
		d->shapes = list_at(behind(*name, SPAN("'Inputs': ")));
	*name = module;
}

/* an operator as emit_nvtx of PyTorch writes it: aten::mm, seq = 1, sizes = */
static bool
is_nvtx_operator(struct span name)
{
	return memmem(name.p, name.len, ", op_id = ", 10) != NULL ||
	       memmem(name.p, name.len, ", seq = ", 8) != NULL ||
	       memmem(name.p, name.len, ", sizes = ", 10) != NULL;
}

static void
take_operator(struct label_draft *d, const struct range *r, struct span *name)
{
	struct span category = category_of(r);

	if (span_eq(category, SPAN("cpu_op"))) {
		d->shapes = text_span(&r->shapes);
	} else if (category.len == 0 && is_nvtx_operator(*name)) {
		d->shapes = list_at(behind(*name, SPAN(", sizes = ")));
		*name = up_to(*name, ',');
	} else
		return;
	d->op = *name;
	d->has_op = true;
}

static void
add_to_path(struct text *path, const struct range *r, struct span name)
{
	struct span domain = domain_of(r);

	text_add_str(path, path->len > 0 ? ",\"" : "\"");
	if (domain.len > 0) {
		text_add_span(path, domain);
		text_add_char(path, ':');
	}
	text_add_span(path, name);
	text_add_char(path, '"');
}

static void
add_range(struct graph_labels *l, struct label_draft *d, const struct range *r)
{
	struct span name = name_of(r), module = module_name(name);

	if (is_of_profiler(name))
		return;
	if (module.len > 0)
		take_module(d, module, &name);
	else if (span_eq(category_of(r), SPAN("python_function")))
		return;
	else
		take_operator(d, r, &name);
	add_to_path(&l->path, r, name);
}

/* a member whose value is a string; its text is escaped already */
static void
add_member(struct graph_labels *l, enum key key, struct span text)
{
	struct text *t = &l->shapes;

	if (text.len == 0)
		return;
	t->len = 0;
	text_add_char(t, '"');
	text_add_span(t, text);
	text_add_char(t, '"');
	emit_add_json(&l->members, key, text_span(t));
}

bool
graph_label_is_capture(const struct range *r)
{
	struct span name = name_of(r);

	return span_begins(name, SPAN("capture_")) ||
	       span_begins(name, SPAN("capture "));
}

bool
graph_label_is_frame(const struct range *r)
{
	return is_of_profiler(name_of(r));
}

static struct graph_label
split(struct span text)
{
	struct span path = up_to(text, PARTS);

	return (struct graph_label){
	    path, {path.p + path.len + 1, text.len - path.len - 1}};
}

/* the label whose path and members stand in l */
static uint32_t
number(struct graph_labels *l)
{
	uint32_t label;

	text_add_char(&l->path, PARTS);
	text_add_span(&l->path, text_span(&l->members));
	label = intern_get(&l->texts, text_span(&l->path));
	if (label == l->count)
		*array_add(&l->all, &l->count, &l->cap) =
		    split(intern_text(&l->texts, label));
	return label;
}

uint32_t
graph_label_get(
    struct graph_labels *l, struct project *p, const struct enclosing *e)
{
	struct label_draft d = {0};
	struct range *const *ranges = NULL;
	size_t count = project_ranges(p, e, &ranges);

	l->path.len = l->members.len = 0;
	for (size_t i = 0; i < count; i++)
		add_range(l, &d, ranges[i]);
	add_member(l, KEY_op_name, d.op);
	add_member(l, KEY_module, d.module);
	add_member(l, KEY_shapes, d.shapes);
	return number(l);
}

uint32_t
graph_label_of(struct graph_labels *l, struct span operator, struct span module,
    struct span shapes)
{
	l->path.len = l->members.len = 0;
	if (module.len > 0) {
		text_add_char(&l->path, '"');
		text_add_span(&l->path, module);
		text_add_char(&l->path, '"');
	}
	add_member(l, KEY_op_name, operator);
	add_member(l, KEY_module, module);
	add_member(l, KEY_shapes, shapes);
	return number(l);
}

/* the names at the beginning of two paths that are the same */
static struct span
common_path(struct span a, struct span b)
{
	size_t same = 0, whole = 0;

	while (same < a.len && same < b.len && a.p[same] == b.p[same]) {
		same++;
		if ((same == a.len || a.p[same] == ',') &&
		    (same == b.len || b.p[same] == ',') && a.p[same - 1] == '"')
			whole = same;
	}
	return (struct span){a.p, whole};
}

/* the text of a member; empty if it is absent */
static struct span
member_of(struct span members, struct span key)
{
	struct span rest = behind(members, key);

	return rest.p == NULL ? (struct span){"", 0} : string_of(rest);
}

static const struct label_member {
	enum key key;
	struct span member;
} label_members[] = {
    {KEY_op_name, {",\"op_name\":", 11}}, {KEY_module, {",\"module\":", 10}},
    {KEY_shapes, {",\"shapes\":", 10}}, /* the last */
};
enum { LABEL_MEMBERS = sizeof(label_members) / sizeof(label_members[0]) };

/* the label that has what two have in common, of the first so many members */
static uint32_t
common_label(struct graph_labels *l, uint32_t a, uint32_t b, size_t members)
{
	struct graph_label x = l->all[a], y = l->all[b];

	l->path.len = l->members.len = 0;
	text_add_span(&l->path, common_path(x.path, y.path));
	for (size_t i = 0; i < members; i++) {
		const struct label_member *m = &label_members[i];
		struct span s = member_of(x.members, m->member);

		if (span_eq(s, member_of(y.members, m->member)))
			add_member(l, m->key, s);
	}
	return number(l);
}

uint32_t
graph_label_common(struct graph_labels *l, uint32_t a, uint32_t b)
{
	return a == b ? a : common_label(l, a, b, LABEL_MEMBERS);
}

uint32_t
graph_label_shapeless(struct graph_labels *l, uint32_t label)
{
	return common_label(l, label, label, LABEL_MEMBERS - 1);
}

void
graph_label_clear(struct graph_labels *l)
{
	intern_clear(&l->texts);
	l->count = 0;
}

void
graph_label_free(struct graph_labels *l)
{
	intern_free(&l->texts);
	free(l->all);
	text_free(&l->path);
	text_free(&l->members);
	text_free(&l->shapes);
}
