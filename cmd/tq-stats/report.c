/* report.c - reports by name, and their beginning and end */

#include <ctype.h>
#include <stdlib.h>

#include "tq/line/json.h"
#include "tq/base/mem.h"
#include "tq/base/units.h"
#include "tq/base/numbered_texts.h"
#include "tq/names/fold_name.h"

#include "sums/sums.h"
#include "order.h"
#include "report.h"

const struct report_kind *const report_kinds[] = {
#define REPORT_LIST(name) name,
    REPORT_LISTS(REPORT_LIST) NULL};

static bool
is_name(struct span name, const char *s)
{
	return s != NULL && span_eq(name, span_of(s));
}

/* words that people type first, and the reports that they mean */
static const char *const short_names[][2] = {
    {"api", "cuda_api_sum"},
    {"kernels", "cuda_gpu_kern_sum"},
    {"memcpy", "cuda_gpu_mem_time_sum"},
    {"nvtx", "nvtx_sum"},
    {"osrt", "osrt_sum"},
    {"ranges", "nvtx_sum"},
    {"steps", "step"},
};

static struct span
long_name(struct span name)
{
	for (size_t i = 0; i < sizeof(short_names) / sizeof(*short_names); i++)
		if (is_name(name, short_names[i][0]))
			return span_of(short_names[i][1]);
	return name;
}

static const struct report_kind *
find_kind(struct span name)
{
	for (size_t i = 0; report_kinds[i] != NULL; i++)
		for (const struct report_kind *k = report_kinds[i];
		     k->name != NULL; k++)
			if (is_name(name, k->name) || is_name(name, k->old))
				return k;
	return NULL;
}

/* A copy of arg, if it is one of the words of args; else NULL. */
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

/* the NAME=NUMBER of args, empty without one */
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

static bool
is_digit(char c)
{
	return isdigit((unsigned char)c) != 0;
}

/* A time with its unit, which is not negative. */
static bool
parse_time(struct span s, int64_t *ns)
{
	char *text = mem_copy(s.p, s.len);
	bool is = !is_digit(s.p[s.len - 1]) && units_time(text, ns) && *ns >= 0;

	free(text);
	return is;
}

/*
 * True if arg is the NAME=NUMBER of args, and *v is -1 or positive; or its
 * NAME=TIME, and *v is not negative.
 */
static bool
find_number(const char *args, struct span arg, int64_t *v)
{
	struct span number = number_of(args), value;
	size_t name = strcspn(number.p, "=") + 1;

	if (number.len == 0 || arg.len <= name ||
	    memcmp(arg.p, number.p, name) != 0)
		return false;
	value = (struct span){arg.p + name, arg.len - name};
	if (!is_digit(number.p[number.len - 1]))
		return parse_time(value, v);
	return (*value.p == '-' || is_digit(*value.p)) && json_int(value, v) &&
	       *v >= -1 && *v != 0;
}

/* A word that is one of both is of args, unless that has one. */
static bool
take_word(struct report *r, struct span word)
{
	const struct report_kind *k = r->kind;
	char *more = NULL, *arg;

	if (k->more_of == NULL ||
	    (r->arg != NULL && strcmp(r->arg, k->more_of) == 0))
		more = find_arg(k->more, word);
	arg = more == NULL || r->arg == NULL ? find_arg(k->args, word) : NULL;
	if (arg != NULL) {
		free(more);
		free(r->arg);
		r->arg = arg;
		return true;
	}
	if (more == NULL)
		return false;
	free(r->more);
	r->more = more;
	return true;
}

/* both, one after the other; free(3) it */
static char *
join(struct span a, struct span b)
{
	struct text t = {0};

	text_add_span(&t, a);
	text_add_span(&t, b);
	text_add_char(&t, '\0');
	return t.p;
}

bool
report_parse(struct report *r, struct span text, struct span *bad)
{
	const char *p = text.p, *end = p + text.len, *colon;
	struct span name, arguments;

	colon = memchr(p, ':', text.len);
	*bad = (struct span){p, (size_t)((colon != NULL ? colon : end) - p)};
	name = long_name(*bad);
	arguments = (struct span){p + bad->len, text.len - bad->len};
	r->name = r->arg = r->more = NULL;
	if ((r->kind = find_kind(name)) == NULL)
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
		if (!take_word(r, *bad))
			return false;
	}
	r->name = join(name, arguments);
	return true;
}

static bool
same_word(const char *a, const char *b)
{
	return a == NULL ? b == NULL : is_name(span_of(a), b);
}

bool
report_same(const struct report *a, const struct report *b)
{
	return strcmp(a->kind->name, b->kind->name) == 0 &&
	       same_word(a->arg, b->arg) && same_word(a->more, b->more);
}

void
report_begin(struct report *r, const struct reports *set)
{
	r->set = set;
	if (r->kind->begin != NULL)
		r->kind->begin(r);
}

void
report_open(struct report *r)
{
	r->state = region_get(&r->life, r->kind->size);
	if (r->kind->open != NULL)
		r->kind->open(r); /* which may make it of another kind */
	r->event = r->kind->event != NULL ? r->kind->event : sums_event;
	if (r->kind->sum == NULL)
		return;
	r->groups.more = r->kind->sum->more;
	r->groups.numbers = r->kind->sum->numbers + (r->families.parts != 0);
	if (r->settings->approx)
		groups_approximate(&r->groups);
}

void
report_rows(struct report *r, struct table *t)
{
	r->rows.report = t->report;
	r->rows.title = t->title;
	r->rows.limit = t->limit;
	*t = r->rows;
	r->rows = (struct table){0};
}

void
report_keep_largest(struct report *r)
{
	struct table all = r->rows;
	struct order by = {.top = r->kind->most};

	if (r->kind->largest == NULL || all.column_count == 0)
		return;
	by.column = span_of(r->kind->largest);
	order_rows(&by, &all);
	r->rows = (struct table){0};
	table_copy_columns(&r->rows, &all);
	for (size_t i = 0; i < table_rows(&all) && i < by.top; i++)
		table_copy_row(&r->rows, &all, i);
	table_free(&all);
}

void
report_table(struct report *r, struct table *t)
{
	families_settle(&r->families, &r->groups);
	if (r->merged) {
		report_keep_largest(r);
		report_rows(r, t);
	} else if (r->kind->table != NULL)
		r->kind->table(r, t);
	else if (r->kind->sum != NULL)
		sums_table(r, t);
	else
		report_rows(r, t);
}

const char report_approximation[] =
    "medians and percentiles are within 1/256 (0.4 %) of the exact ones";

void
report_section_end(struct report *r)
{
	if (r->kind->section_end != NULL)
		r->kind->section_end(r);
	groups_section_end(&r->groups); /* the next has a clock of its own */
	numbered_clear(&r->symbol_groups);
	keyed_clear(&r->known_groups);
	region_free(&r->section);
}

bool
report_approximated(const struct report *r)
{
	_Static_assert(SKETCH_ERROR == 256, "as the text has it");

	return groups_approximated(&r->groups);
}

/* The whole of a page's percentages, or NULL. */
static const char *
shares_of(const struct report *r)
{
	const struct sum *sum = r->kind->sum;

	if (!r->page || r->kind->shares != NULL)
		return r->page ? r->kind->shares : NULL;
	return sum != NULL && sum->of == KEY_dur && sum->row == NULL
		   ? "Time (%) is of the total of all rows"
		   : NULL;
}

const char *
report_title(const struct report *r, struct text *t)
{
	const char *shares = shares_of(r), *separator = ": ";
	const char *wall = NULL;

	if (r->kept_title != NULL)
		return r->kept_title;
	if (r->wall != NULL && (r->kind->wall_title || r->pct))
		wall = wall_meanings(r->wall);
	t->len = 0;
	text_add_str(t, r->kind->title);
	if (report_approximated(r)) {
		text_printf(t, "%s%s", separator, report_approximation);
		separator = "; ";
	}
	if (wall != NULL) {
		text_printf(t, "%sthe wall %s", separator, wall);
		separator = "; ";
	}
	if (shares != NULL)
		text_printf(t, "%s%s", separator, shares);
	text_add_char(t, '\0');
	return t->p;
}

bool
report_wants_mangled(const struct report *r)
{
	return r->arg != NULL && strcmp(r->arg, "mangled") == 0;
}

bool
report_wants_folded(const struct report *r)
{
	return same_word(r->arg, "folded") || same_word(r->more, "folded");
}

/* True if it can have folded names, and has not. */
static bool
may_fold(const struct report *r)
{
	char *word = NULL, *more = NULL;
	bool may;

	if (r->kind->grouped)
		return group_may_fold(r->settings);
	if (report_wants_folded(r) || r->merged)
		return false;
	if (r->arg == NULL)
		word = find_arg(r->kind->args, SPAN("folded"));
	more = find_arg(r->kind->more, SPAN("folded"));
	may = word != NULL || more != NULL;
	free(word);
	free(more);
	return may;
}

/* True if folded they are half as many; groups fold with their keys. */
static bool
folds_well(struct report *r)
{
	const struct numbered_texts *own =
	    r->kind->names != NULL ? r->kind->names(r) : NULL;
	size_t count = own != NULL ? own->count : r->groups.count;
	struct intern names = {0};
	bool well;

	for (size_t i = 0; i < count; i++) {
		r->key.len = 0;
		text_add_span(
		    &r->key, own != NULL ? numbered_texts_text(own, (uint32_t)i)
					 : r->groups.all[i]->key);
		r->key.len = fold_name_always(r->key.p, r->key.len);
		r->key.len = fold_name_numbers(r->key.p, r->key.len);
		intern_get(&names, text_span(&r->key));
	}
	well = names.count * 2 <= count;
	intern_free(&names);
	return well;
}

const char *
report_folded(struct report *r)
{
	if (!may_fold(r) || r->settings->compat || !folds_well(r))
		return NULL;
	r->folded.len = 0;
	if (r->kind->grouped) {
		text_add_str(&r->folded, "-g ");
		group_spell(&r->folded, r->settings, true);
	} else {
		text_printf(&r->folded, "-r %s:folded", r->name);
	}
	text_add_char(&r->folded, '\0');
	return r->folded.p;
}

void
report_copy(struct report *r, const struct report *of)
{
	*r = (struct report){.kind = of->kind,
	    .name = mem_copy(of->name, strlen(of->name)),
	    .number = of->number,
	    .pct = of->pct,
	    .page = of->page,
	    .hidden = of->hidden,
	    .limit = of->limit,
	    .settings = of->settings,
	    .names = of->names,
	    .wall = of->wall,
	    .dropped = of->dropped};
	if (of->arg != NULL)
		r->arg = mem_copy(of->arg, strlen(of->arg));
	if (of->more != NULL)
		r->more = mem_copy(of->more, strlen(of->more));
	report_open(r);
}

void
report_close(struct report *r)
{
	if (r->page)
		return;
	if (r->state != NULL && r->kind->close != NULL)
		r->kind->close(r);
	r->state = NULL;
	table_free(&r->rows);
	groups_free(&r->groups);
	families_free(&r->families);
	numbered_free(&r->symbol_groups);
	keyed_free(&r->known_groups);
	text_free(&r->key);
	text_free(&r->scratch);
	region_free(&r->life);
	region_free(&r->section);
	table_free(&r->made);
}

void
report_free(struct report *r)
{
	r->page = false;
	report_close(r);
	text_free(&r->title);
	text_free(&r->folded);
	free(r->name);
	free(r->arg);
	free(r->more);
}
