/* choose.c - the reports of a command line */

#include <err.h>
#include <stdlib.h>

#include "tq/base/mem.h"
#include "tq/base/suggestion.h"
#include "tq/io/opts.h"
#include "tq/io/status.h"

#include "choose.h"

static void
list_report(FILE *f, const struct report_kind *k)
{
	fprintf(f, "  %-24s %s%s%s%s%s%s%s\n", k->name, k->title,
	    k->args != NULL ? ", :" : "", k->args != NULL ? k->args : "",
	    k->more != NULL ? ", :" : "", k->more_of != NULL ? k->more_of : "",
	    k->more_of != NULL ? ":" : "", k->more != NULL ? k->more : "");
}

static const char *const questions[] = {
    [ASKS_WHOLE] = "What is in it, and is it whole?",
    [ASKS_FIRST] = "What is to be looked at first?",
    [ASKS_DEVICES] = "What took long on the devices?",
    [ASKS_HOST] = "What took long on the host?",
    [ASKS_RANGES] = "Which range, operator or line is it?",
    [ASKS_IDLE] = "Why are the devices idle?",
    [ASKS_LATE] = "Is the host too late?",
    [ASKS_STEPS] = "How long do steps take?",
    [ASKS_MEMORY] = "Who holds the memory?",
    [ASKS_RANKS] = "Which rank do the others wait for?",
    [ASKS_KEYS] = "And by keys of your own?",
};

static void
list_answers(FILE *f, enum report_question question)
{
	for (size_t i = 0; report_kinds[i] != NULL; i++)
		for (const struct report_kind *k = report_kinds[i];
		     k->name != NULL; k++)
			if (k->question == question)
				list_report(f, k);
}

void
choose_list(FILE *f)
{
	/* an error is one line, and what is indented below it */
	const char *indent = f == stderr ? " " : "";

	for (enum report_question q = ASKS_WHOLE; q <= ASKS_KEYS; q++) {
		fprintf(f, "%s%s\n", indent, questions[q]);
		list_answers(f, q);
	}
	list_answers(f, ASKS_NOTHING);
}

void
choose_describe(FILE *f, const struct report *r)
{
	const char *separator = "  of records of kind ";

	list_report(f, r->kind);
	for (enum kind k = 0; k < KIND_COUNT; k++)
		if ((r->kind->kinds >> k & 1) != 0) {
			fprintf(f, "%s%s", separator, schema_kinds[k].name);
			separator = ", ";
		}
	if (*separator == ',')
		fprintf(f, "\n");
}

static _Noreturn void
no_report(struct span name)
{
	struct suggestion near = {.word = name};
	static const char *const graphics[] = {
	    "opengl", "vulkan", "dx1", "wddm", "khr", "nvvideo"};

	for (size_t i = 0; i < sizeof(graphics) / sizeof(*graphics); i++)
		if (name.len >= strlen(graphics[i]) &&
		    memcmp(name.p, graphics[i], strlen(graphics[i])) == 0)
			errx(TQ_USAGE,
			    "%.*s: graphics reports are not supported",
			    (int)name.len, name.p);
	for (size_t i = 0; report_kinds[i] != NULL; i++)
		for (const struct report_kind *k = report_kinds[i];
		     k->name != NULL; k++)
			suggestion_consider(&near, k->name);
	if (near.best[0].text != NULL)
		errx(TQ_USAGE, "no report is named '%.*s'%s", (int)name.len,
		    name.p, suggestion_text(&near));
	warnx("no report is named '%.*s'; there are:", (int)name.len, name.p);
	choose_list(stderr);
	exit(TQ_USAGE);
}

static struct report
parse_report(const struct report *like, struct span text)
{
	struct report r = *like;
	struct span bad;

	if (report_parse(&r, text, &bad))
		return r;
	if (r.kind == NULL)
		no_report(bad);
	errx(TQ_USAGE, "%s takes no argument '%.*s'%s%s%s", r.kind->name,
	    (int)bad.len, bad.p, r.kind->args != NULL ? " (" : "",
	    r.kind->args != NULL ? opts_list(r.kind->args) : "",
	    r.kind->args != NULL ? ")" : "");
}

static struct report *
add_report(struct reports *rs, struct report r)
{
	rs->all = mem_resize(rs->all, rs->count + 1, sizeof(*rs->all));
	rs->all[rs->count++] = r;
	return &rs->all[rs->count - 1];
}

/* True if a page is among them, or what one reads. */
static bool
has_page(const struct reports *rs)
{
	for (size_t i = 0; i < rs->count; i++)
		if (rs->all[i].page)
			return true;
	return false;
}

/* The reports that another one reads, which have no tables of their own. */
static void
add_read(struct reports *rs, const struct report *like,
    const struct report_kind *reader)
{
	size_t first = rs->count, n = first;

	if (reader->reads == NULL || has_page(rs))
		return;
	choose_page(rs, like, reader->reads);
	for (size_t i = first; i < rs->count; i++) {
		if (rs->all[i].kind == reader) {
			report_free(&rs->all[i]);
			continue;
		}
		rs->all[n] = rs->all[i];
		rs->all[n++].hidden = true;
	}
	rs->count = n;
}

/* NAME[:ARGUMENT]... */
static void
add_text(struct reports *rs, const struct report *like, struct span text)
{
	struct report r = parse_report(like, text);
	const struct report_part *part = r.kind->parts;

	if (part == NULL) {
		add_read(rs, like, r.kind);
		add_report(rs, r);
		return;
	}
	report_free(&r);
	choose_page(rs, like, part);
}

void
choose_page(struct reports *rs, const struct report *like,
    const struct report_part *part)
{
	for (; part->report != NULL; part++) {
		struct report r = *like, *added;

		if (part->kind != NULL) {
			r.kind = part->kind;
			r.name = mem_copy(part->report, strlen(part->report));
		} else {
			r = parse_report(like, span_of(part->report));
		}
		added = add_report(rs, r);
		added->page = true;
		added->hidden = part->hidden;
		added->limit = part->rows;
	}
}

void
choose_reports(struct reports *rs, const struct report *like, const char *list)
{
	for (;;) {
		size_t n = strcspn(list, ",");

		add_text(rs, like, (struct span){list, n});
		if (list[n] == '\0')
			return;
		list += n + 1;
	}
}

void
choose_profile(struct reports *rs, const struct report *like)
{
	for (size_t i = 0; i < rs->count; i++) {
		struct report *r = &rs->all[i], other;
		struct text name = {0};

		if (r->kind->profiled != NULL && r->more != NULL)
			errx(TQ_USAGE,
			    "%s: a profile has all processes and threads",
			    r->name);
		if (r->kind->profiled != NULL) {
			text_add_str(&name, r->kind->profiled);
			if (r->arg != NULL)
				text_printf(&name, ":%s", r->arg);
			other = parse_report(like, text_span(&name));
			report_free(r);
			*r = other;
			text_free(&name);
		}
		if (r->kind->profile == NULL)
			errx(TQ_USAGE,
			    "%s has no stacks: -f pprof needs functions or "
			    "folded",
			    r->name);
	}
}

void
choose_keys(const struct reports *rs, struct keyset *want)
{
	for (size_t i = 0; i < rs->count; i++) {
		const struct report_kind *kind = rs->all[i].kind;

		for (enum kind k = 0; k < KIND_COUNT; k++) {
			if ((report_kinds_read(&rs->all[i]) >> k & 1) == 0)
				continue;
			keyset_add_all(&want[k], kind->keys);
			if (kind->grouped)
				group_keys(&want[k], k, rs->all[i].settings);
			if (schema_kinds[k].role == ROLE_WORK)
				keyset_add_all(&want[k], kind->work_keys);
		}
		if (kind->wanted != NULL)
			kind->wanted(want);
	}
}

static _Noreturn void
refuse(const struct report *r, bool tables)
{
	const char *why = r->kind->unmerged;

	if (tables)
		errx(TQ_USAGE, "%s cannot be a finished table", r->name);
	errx(TQ_USAGE, "%s cannot be merged%s%s", r->name,
	    why != NULL ? ": " : "", why != NULL ? why : "");
}

void
choose_mergeable(struct reports *rs, bool must, bool tables)
{
	bool (*has)(const struct report *r) =
	    tables ? report_finishes : report_merges;
	size_t n = 0;

	for (size_t i = 0; i < rs->count; i++)
		if (has(&rs->all[i]) && !rs->all[i].hidden)
			rs->all[n++] = rs->all[i];
		else if (must && !rs->all[i].hidden)
			refuse(&rs->all[i], tables);
		else
			report_free(&rs->all[i]);
	rs->count = n;
}
