/* graph_annotation.c - annotations of torch.cuda.graph */

#include <ctype.h>
#include <err.h>
#include <fcntl.h>
#include <unistd.h>

#include "tq/io/status.h"
#include "tq/io/whole_file.h"
#include "tq/line/json.h"

#include "graph_annotation.h"

enum { PICKLE = 0x80, PEEK = 256 };

bool
graph_annotation_is(const char *file)
{
	char bytes[PEEK];
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = -1, i = 0;

	if (fd < 0)
		return false;
	if (lseek(fd, 0, SEEK_CUR) == 0) /* a pipe is a stream */
		n = read(fd, bytes, sizeof(bytes));
	close(fd);
	if (n > 0 && (unsigned char)bytes[0] == PICKLE)
		errx(TQ_FAIL,
		    "%s is a pickle: write JSON: json.dump({str(k): v for k, "
		    "v in get_kernel_annotations().items()}, f)",
		    file);
	while (i < n && isspace((unsigned char)bytes[i]))
		i++;
	if (i >= n || bytes[i++] != '{')
		return false;
	while (i < n && isspace((unsigned char)bytes[i]))
		i++;
	return i + 1 < n && bytes[i] == '"' &&
	       isdigit((unsigned char)bytes[i + 1]);
}

/* texts of an annotation */
struct annotation {
	struct text name, module, shapes;
	bool parts; /* module is of the parameters */
};

/* the names that all parameters have in front: model.layers.0 */
static void
take_parameters(struct annotation *a, struct span map)
{
	struct json j;
	struct text key = {0}, path = {0};
	struct span value;
	bool first = true;

	json_open(&j, map);
	while (json_next(&j, &key, &value)) {
		size_t n = 0, whole = 0;

		path.len = 0;
		if (value.len > 0 && *value.p == '"')
			json_decode(&path, value);
		if (first) {
			a->module.len = 0;
			text_add_span(&a->module, text_span(&path));
			first = false;
			continue;
		}
		for (; n < path.len && n < a->module.len &&
		       path.p[n] == a->module.p[n];
		     n++)
			if (path.p[n] == '.')
				whole = n;
		if ((n == path.len || path.p[n] == '.') &&
		    (n == a->module.len || a->module.p[n] == '.'))
			whole = n;
		a->module.len = whole;
	}
	a->parts = a->module.len > 0;
	text_free(&key);
	text_free(&path);
}

static void
take_text(struct text *t, struct span value)
{
	t->len = 0;
	if (value.len > 0 && *value.p == '"')
		json_decode(t, value);
}

static void
take_object(struct annotation *a, struct span object)
{
	struct json j;
	struct text key = {0};
	struct span value;

	json_open(&j, object);
	while (json_next(&j, &key, &value)) {
		struct span k = text_span(&key);

		if (span_eq(k, SPAN("name")))
			take_text(&a->name, value);
		else if ((span_eq(k, SPAN("str")) ||
			     span_eq(k, SPAN("module_fqn"))) &&
			 !a->parts)
			take_text(&a->module, value);
		else if (span_eq(k, SPAN("fqn_map")) && *value.p == '{')
			take_parameters(a, value);
		else if (span_eq(k, SPAN("In msg nelems"))) {
			a->shapes.len = 0;
			text_add_span(&a->shapes, value);
		}
	}
	text_free(&key);
}

/* an object, a text, or the last of a list of them */
static void
take_value(struct annotation *a, struct span value)
{
	struct json j;
	struct span element, last = value;

	a->name.len = a->module.len = a->shapes.len = 0;
	a->parts = false;
	if (*value.p == '[') {
		last.len = 0;
		json_open_array(&j, value);
		while (json_next_element(&j, &element))
			last = element;
	}
	if (last.len > 0 && *last.p == '{')
		take_object(a, last);
	else if (last.len > 0)
		take_text(&a->name, last);
}

/* a text as in a record, without the quotes */
static struct span
escaped(struct text *to, const struct text *t)
{
	to->len = 0;
	if (t->len == 0)
		return (struct span){"", 0};
	text_add_json(to, t->p, t->len);
	return (struct span){to->p + 1, to->len - 2};
}

/* the parts of a label, escaped */
struct label_parts {
	struct text texts[3];
	struct span op, module, shapes;
};

/* Without a module the name is of one. */
static void
part_annotation(struct label_parts *p, const struct annotation *a)
{
	bool named = a->module.len > 0;
	const struct text none = {0};

	p->op = escaped(&p->texts[0], named ? &a->name : &none);
	p->module = escaped(&p->texts[1], named ? &a->module : &a->name);
	p->shapes = escaped(&p->texts[2], &a->shapes);
}

static void
free_annotation(struct annotation *a, struct label_parts *p)
{
	text_free(&a->name);
	text_free(&a->module);
	text_free(&a->shapes);
	for (size_t i = 0; i < 3; i++)
		text_free(&p->texts[i]);
}

bool
graph_annotation_label(
    struct graph_labels *l, struct span args, uint32_t *label)
{
	struct annotation a = {0};
	struct label_parts parts = {0};
	bool any;

	take_object(&a, args);
	any = a.name.len > 0 || a.module.len > 0;
	if (any) {
		part_annotation(&parts, &a);
		*label =
		    graph_label_of(l, parts.op, parts.module, parts.shapes);
	}
	free_annotation(&a, &parts);
	return any;
}

void
graph_annotation_read(struct graph_survey *s, const char *file)
{
	struct text all = {0}, key = {0};
	struct annotation a = {0};
	struct label_parts parts = {0};
	struct json j;
	struct span value;
	int64_t node;

	whole_file_read(&all, file);
	text_reserve(&all, 1)[0] = '\0';
	json_open(&j, text_span(&all));
	while (json_next(&j, &key, &value)) {
		if (!json_int(text_span(&key), &node))
			errx(TQ_FAIL,
			    "%s: expected the id of a node, not '%.*s'", file,
			    (int)key.len, key.p);
		take_value(&a, value);
		part_annotation(&parts, &a);
		graph_survey_annotate(
		    s, node, parts.op, parts.module, parts.shapes);
	}
	if (j.error != NULL)
		errx(TQ_FAIL, "%s: %s", file, j.error);
	text_free(&all);
	text_free(&key);
	free_annotation(&a, &parts);
}
