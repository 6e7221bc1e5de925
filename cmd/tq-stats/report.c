/* report.c - reports by name, and their beginning and end */

#include <ctype.h>
#include <stdlib.h>

#include "tq/line/json.h"
#include "tq/base/mem.h"

#include "sums/groups.h"
#include "report.h"

const struct report_kind *const report_kinds[] = {report_cuda,
    report_cuda_trace, report_nvtx, report_nvtx_gpu, report_host, report_device,
    report_step, report_gaps, report_launch, report_self, report_memory,
    report_mpi, report_um, report_hist, report_group, report_overview, NULL};

static bool
is(struct span name, const char *s)
{
	return s != NULL && span_eq(name, span_of(s));
}

static const struct report_kind *
find_kind(struct span name)
{
	for (size_t i = 0; report_kinds[i] != NULL; i++)
		for (const struct report_kind *k = report_kinds[i];
		     k->name != NULL; k++)
			if (is(name, k->name) || is(name, k->old))
				return k;
	return NULL;
}

/* is arg one of the words of args? */
static char *
find_arg(const char *args, struct span arg)
{
	while (args != NULL && *args != '\0') {
		size_t n = strcspn(args, "|");

		if (span_eq(arg, (struct span){args, n}))
			return mem_copy(args, n);
		args += n + (args[n] == '|');
	}
	return NULL;
}

/* the NAME=NUMBER of args, empty where it has none */
static struct span
number_of(const char *args)
{
	const char *equal = args != NULL ? strchr(args, '=') : NULL;
	const char *p = equal;

	if (equal == NULL)
		return (struct span){"", 0};
	while (p > args && p[-1] != '|')
		p--;
	return (struct span){p, (size_t)(equal - p) + strcspn(equal, "|")};
}

/* is arg the NAME=NUMBER of args, with a number that is -1 or positive? */
static bool
find_number(const char *args, struct span arg, int64_t *v)
{
	struct span known = number_of(args);
	size_t name = strcspn(known.p, "=") + 1;

	return known.len > 0 && arg.len > name &&
	       memcmp(arg.p, known.p, name) == 0 &&
	       (arg.p[name] == '-' || isdigit((unsigned char)arg.p[name])) &&
	       json_int((struct span){arg.p + name, arg.len - name}, v) &&
	       *v >= -1 && *v != 0;
}

bool
report_parse(struct report *r, struct span text, struct span *bad)
{
	const char *p = text.p, *end = p + text.len, *colon;

	colon = memchr(p, ':', text.len);
	*bad = (struct span){p, (size_t)((colon != NULL ? colon : end) - p)};
	r->name = r->arg = NULL;
	if ((r->kind = find_kind(*bad)) == NULL)
		return false;
	find_number(r->kind->args, number_of(r->kind->args), &r->number);
	while (colon != NULL && colon < end) {
		const char *start = colon + 1;

		colon = memchr(start, ':', (size_t)(end - start));
		*bad = (struct span){
		    start, (size_t)((colon != NULL ? colon : end) - start)};
		if (span_eq(*bad, SPAN("pct"))) {
			r->pct = true;
			continue;
		}
		if (find_number(r->kind->args, *bad, &r->number))
			continue;
		free(r->arg);
		if ((r->arg = find_arg(r->kind->args, *bad)) == NULL)
			return false;
	}
	r->name = mem_copy(text.p, text.len);
	return true;
}

bool
report_same(const struct report *a, const struct report *b)
{
	return strcmp(a->kind->name, b->kind->name) == 0 &&
	       (a->arg == NULL ? b->arg == NULL : is(span_of(a->arg), b->arg));
}

void
report_open(struct report *r)
{
	r->state = mem_alloc(r->kind->size);
	if (r->kind->open != NULL)
		r->kind->open(r);
	if (r->ask->approx && r->kind->groups != NULL)
		groups_approximate(r->kind->groups(r));
}

const char report_approximation[] =
    "medians and percentiles are within 1/256 (0.4 %) of the exact ones";

void
report_section_end(struct report *r)
{
	if (r->kind->section_end != NULL)
		r->kind->section_end(r);
	if (r->kind->groups != NULL) /* the next has a clock of its own */
		groups_section_end(r->kind->groups(r));
}

bool
report_approximated(const struct report *r)
{
	_Static_assert(SKETCH_ERROR == 256, "as the text has it");

	return r->kind->groups != NULL &&
	       groups_approximated(r->kind->groups(r));
}

const char *
report_title(const struct report *r, struct text *t)
{
	if (!report_approximated(r))
		return r->kind->title;
	text_printf(t, "%s: %s", r->kind->title, report_approximation);
	text_add_char(t, '\0');
	return t->p;
}

void
report_copy(struct report *r, const struct report *of)
{
	*r = *of;
	r->name = mem_copy(of->name, strlen(of->name));
	if (of->arg != NULL)
		r->arg = mem_copy(of->arg, strlen(of->arg));
	report_open(r);
}

void
report_close(struct report *r)
{
	if (r->page)
		return;
	if (r->state != NULL)
		r->kind->close(r);
	free(r->state);
	r->state = NULL;
	table_free(&r->made);
	r->made = (struct table){0};
}

void
report_free(struct report *r)
{
	r->page = false;
	report_close(r);
	text_free(&r->title);
	free(r->name);
	free(r->arg);
}
