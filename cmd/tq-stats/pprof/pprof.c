/* pprof.c - a profile of pprof */

#include <stdlib.h>

#include "tq/base/ascii.h"
#include "tq/base/time.h"
#include "tq/draw/proto.h"

#include "pprof.h"

/* fields of messages of profile.proto */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_TIME = 9,
	PROFILE_DURATION = 10,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12,
	PROFILE_DEFAULT_TYPE = 14,
	TYPE_TYPE = 1,
	TYPE_UNIT = 2,
	SAMPLE_LOCATION = 1,
	SAMPLE_VALUE = 2,
	SAMPLE_LABEL = 3,
	LABEL_KEY = 1,
	LABEL_TEXT = 2,
	LABEL_NUMBER = 3,
	MAPPING_ID = 1,
	MAPPING_FILE = 5,
	MAPPING_BUILD = 6,
	MAPPING_FUNCTIONS = 7,
	LOCATION_ID = 1,
	LOCATION_MAPPING = 2,
	LOCATION_LINE = 4,
	LINE_FUNCTION = 1,
	LINE_LINE = 2,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILE = 4
};

enum { LINE_MOST = 9 }; /* digits */

static uint32_t
text_of(struct pprof *p, struct span s)
{
	if (p->texts.count == 0)
		intern_get(&p->texts, SPAN(""));
	return intern_get(&p->texts, s);
}

/* ---- frames ---- */

void
pprof_module(struct pprof *p, struct span path, struct span build)
{
	const char *slash = memrchr(path.p, '/', path.len);
	struct span name = path;
	uint32_t full = text_of(p, path);

	if (slash != NULL)
		name = (struct span){
		    slash + 1, (size_t)(path.p + path.len - slash - 1)};
	*map_get(&p->modules, text_of(p, name), 0) = (uint64_t)full + 1;
	*map_get(&p->builds, full, 0) = text_of(p, build);
}

/* The number of the mapping of a name, from 1; 0 if no module has it. */
static uint32_t
mapping_of(struct pprof *p, struct span name)
{
	uint32_t text = intern_find(&p->texts, name);
	const uint64_t *path =
	    text != INTERN_NONE ? map_find(&p->modules, text, 0) : NULL;
	uint32_t *mapping;
	bool fresh;

	if (path == NULL)
		return 0;
	mapping = keyed_get(&p->mappings, *path, 0, &fresh);
	*mapping = (uint32_t)*path - 1;
	return (uint32_t)(mapping - p->mappings.all) + 1;
}

/* a frame taken apart */
struct frame_parts {
	struct span name, file;
	uint32_t line, mapping;
};

/* The digits at the end of s behind a colon, which go; 0 where none are. */
static uint32_t
take_line(struct span *s)
{
	size_t n = s->len;
	uint32_t line = 0;

	while (n > 0 && ascii_is_digit(s->p[n - 1]))
		n--;
	if (n < 2 || s->p[n - 1] != ':' || n == s->len ||
	    s->len - n > LINE_MOST || s->p[n] == '0')
		return 0;
	for (size_t i = n; i < s->len; i++)
		line = line * 10 + (uint32_t)(s->p[i] - '0');
	s->len = n - 1;
	return line;
}

static struct frame_parts
parts_of(struct pprof *p, struct span frame)
{
	struct frame_parts whole = {.name = frame}, parts = {.name = frame};
	size_t at = frame.len;

	if (at == 0 || frame.p[at - 1] != ')')
		return whole;
	while (at > 1 && !(frame.p[at - 1] == '(' && frame.p[at - 2] == ' '))
		at--;
	if (at <= 2)
		return whole;
	parts.name.len = at - 2;
	parts.file = (struct span){frame.p + at, frame.len - 1 - at};
	if ((parts.line = take_line(&parts.file)) > 0)
		return parts;
	parts.mapping = mapping_of(p, parts.file);
	parts.file = (struct span){0};
	return parts.mapping > 0 ? parts : whole;
}

/* The number of the location of a frame, from 1. */
static uint32_t
location_of(struct pprof *p, struct span frame)
{
	struct frame_parts f = parts_of(p, frame);
	uint32_t name = text_of(p, f.name), file = text_of(p, f.file);
	struct pprof_function *function;
	struct pprof_line *line;
	uint32_t number;
	bool fresh;

	function = keyed_get(&p->functions, name, file, &fresh);
	*function = (struct pprof_function){name, file};
	number = (uint32_t)(function - p->functions.all) + 1;
	line = keyed_get(
	    &p->lines, number, (uint64_t)f.line << 32 | f.mapping, &fresh);
	*line = (struct pprof_line){number, f.line, f.mapping};
	return (uint32_t)(line - p->lines.all) + 1;
}

/* ---- samples ---- */

static uint32_t
path_of(struct pprof *p, struct span stack)
{
	const char *end, *from;

	if (stack.len == 0)
		stack = SPAN("[no stack]");
	end = stack.p + stack.len;
	p->path.len = 0;
	do {
		uint32_t number;

		from = stack.p == end
			   ? NULL
			   : memrchr(stack.p, ';', (size_t)(end - stack.p));
		from = from != NULL ? from + 1 : stack.p;
		number =
		    location_of(p, (struct span){from, (size_t)(end - from)});
		text_add(&p->path, (const char *)&number, sizeof(number));
		end = from - 1;
	} while (from > stack.p);
	return intern_get(&p->paths, text_span(&p->path));
}

static uint32_t
labels_of(struct pprof *p, const struct pprof_labels *l)
{
	struct pprof_label_texts texts = {
	    text_of(p, l->process), text_of(p, l->thread), l->pid, l->tid};
	struct pprof_label_texts *labels;
	bool fresh;

	labels = keyed_get(&p->labels,
	    (uint64_t)texts.process << 32 | texts.thread,
	    map_number(&p->pairs, (uint64_t)l->pid, (uint64_t)l->tid), &fresh);
	*labels = texts;
	return (uint32_t)(labels - p->labels.all);
}

void
pprof_add(struct pprof *p, struct span stack, const struct pprof_labels *labels,
    const int64_t values[PPROF_VALUES])
{
	uint32_t path = path_of(p, stack), of = labels_of(p, labels);
	struct pprof_sample *s;
	bool fresh;

	s = keyed_get(&p->samples, path, of, &fresh);
	if (fresh)
		*s = (struct pprof_sample){.path = path, .labels = of};
	for (size_t i = 0; i < PPROF_VALUES; i++)
		s->values[i] = time_end(s->values[i], values[i]);
}

/* ---- the message ---- */

static void
put_type(struct text *to, struct pprof *p, unsigned field,
    const struct pprof_type *type)
{
	size_t open = proto_open(to, field);

	proto_uint(to, TYPE_TYPE, text_of(p, span_of(type->type)));
	proto_uint(to, TYPE_UNIT, text_of(p, span_of(type->unit)));
	proto_close(to, open);
}

static void
put_text_label(struct text *to, struct pprof *p, const char *key, uint32_t text)
{
	size_t open;

	if (text == 0)
		return;
	open = proto_open(to, SAMPLE_LABEL);
	proto_uint(to, LABEL_KEY, text_of(p, span_of(key)));
	proto_uint(to, LABEL_TEXT, text);
	proto_close(to, open);
}

static void
put_number_label(struct text *to, struct pprof *p, const char *key, int64_t id)
{
	size_t open;

	if (id == NO_ID)
		return;
	open = proto_open(to, SAMPLE_LABEL);
	proto_uint(to, LABEL_KEY, text_of(p, span_of(key)));
	proto_uint(to, LABEL_NUMBER, (uint64_t)id);
	proto_close(to, open);
}

static void
put_sample(struct text *to, struct pprof *p, const struct pprof_sample *s,
    const struct pprof_about *about)
{
	const struct pprof_label_texts *l = &p->labels.all[s->labels];
	struct span path = intern_text(&p->paths, s->path);
	size_t open = proto_open(to, PROFILE_SAMPLE);

	for (size_t at = 0; at < path.len; at += sizeof(uint32_t)) {
		uint32_t number;

		memcpy(&number, path.p + at, sizeof(number));
		proto_uint(to, SAMPLE_LOCATION, number);
	}
	for (size_t i = 0; i < PPROF_VALUES && about->types[i].type != NULL;
	     i++)
		proto_uint(to, SAMPLE_VALUE, (uint64_t)s->values[i]);
	put_text_label(to, p, "process", l->process);
	put_text_label(to, p, "thread", l->thread);
	put_number_label(to, p, "pid", l->pid);
	put_number_label(to, p, "tid", l->tid);
	proto_close(to, open);
}

static void
put_mapping(struct text *to, struct pprof *p, size_t i)
{
	uint32_t path = p->mappings.all[i];
	const uint64_t *build = map_find(&p->builds, path, 0);
	size_t open = proto_open(to, PROFILE_MAPPING);

	proto_uint(to, MAPPING_ID, i + 1);
	proto_uint(to, MAPPING_FILE, path);
	if (build != NULL && *build > 0)
		proto_uint(to, MAPPING_BUILD, *build);
	proto_uint(to, MAPPING_FUNCTIONS, 1);
	proto_close(to, open);
}

static void
put_location(struct text *to, const struct pprof_line *l, size_t i)
{
	size_t open = proto_open(to, PROFILE_LOCATION), line;

	proto_uint(to, LOCATION_ID, i + 1);
	if (l->mapping > 0)
		proto_uint(to, LOCATION_MAPPING, l->mapping);
	line = proto_open(to, LOCATION_LINE);
	proto_uint(to, LINE_FUNCTION, l->function);
	if (l->line > 0)
		proto_uint(to, LINE_LINE, l->line);
	proto_close(to, line);
	proto_close(to, open);
}

static void
put_function(struct text *to, const struct pprof_function *f, size_t i)
{
	size_t open = proto_open(to, PROFILE_FUNCTION);

	proto_uint(to, FUNCTION_ID, i + 1);
	proto_uint(to, FUNCTION_NAME, f->name);
	proto_uint(to, FUNCTION_SYSTEM_NAME, f->name);
	if (f->file > 0)
		proto_uint(to, FUNCTION_FILE, f->file);
	proto_close(to, open);
}

static void
put_times(struct text *to, struct pprof *p, const struct pprof_about *about,
    const struct pprof_type *last)
{
	if (about->origin != NO_ID)
		proto_uint(to, PROFILE_TIME, (uint64_t)about->origin);
	if (about->ns > 0)
		proto_uint(to, PROFILE_DURATION, (uint64_t)about->ns);
	if (about->period > 0) {
		put_type(to, p, PROFILE_PERIOD_TYPE, last);
		proto_uint(to, PROFILE_PERIOD, (uint64_t)about->period);
	}
	proto_uint(to, PROFILE_DEFAULT_TYPE, text_of(p, span_of(last->type)));
}

void
pprof_write(struct text *to, struct pprof *p, const struct pprof_about *about)
{
	const struct pprof_type *last = about->types;

	text_of(p, SPAN("")); /* the first string is empty */
	put_type(to, p, PROFILE_SAMPLE_TYPE, last);
	for (size_t i = 1; i < PPROF_VALUES && about->types[i].type != NULL;
	     i++) {
		last = &about->types[i];
		put_type(to, p, PROFILE_SAMPLE_TYPE, last);
	}
	for (size_t i = 0; i < p->samples.count; i++)
		put_sample(to, p, &p->samples.all[i], about);
	for (size_t i = 0; i < p->mappings.count; i++)
		put_mapping(to, p, i);
	for (size_t i = 0; i < p->lines.count; i++)
		put_location(to, &p->lines.all[i], i);
	for (size_t i = 0; i < p->functions.count; i++)
		put_function(to, &p->functions.all[i], i);
	put_times(to, p, about, last);
	for (size_t i = 0; i < p->texts.count; i++)
		proto_string(
		    to, PROFILE_STRING, intern_text(&p->texts, (uint32_t)i));
}

void
pprof_free(struct pprof *p)
{
	intern_free(&p->texts);
	map_free(&p->modules);
	map_free(&p->builds);
	keyed_free(&p->mappings);
	keyed_free(&p->functions);
	keyed_free(&p->lines);
	intern_free(&p->paths);
	keyed_free(&p->labels);
	keyed_free(&p->samples);
	map_free(&p->pairs);
	text_free(&p->path);
}
