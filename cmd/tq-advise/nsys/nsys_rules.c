/* nsys_rules.c - the rules of nsys analyze: which, their arguments, rows */

#include <err.h>
#include <errno.h>
#include <inttypes.h>

#include "tq/base/suggestion.h"
#include "tq/base/time.h"
#include "tq/io/status.h"
#include "tq/show/column_doc.h"

#include "nsys_rules.h"

static const struct nsys_rule_kind *const kinds[] = {&nsys_copies_async,
    &nsys_copies_sync, &nsys_copies_memset, &nsys_calls_sync, &nsys_idle_gaps,
    &nsys_idle_util};

enum { KINDS_COUNT = sizeof(kinds) / sizeof(*kinds) };

/* ---- which ---- */

static struct span
word_at(const char *list)
{
	return (struct span){list, strcspn(list, ":,")};
}

static bool
is_name(struct span word, const char *name)
{
	return span_eq(word, span_of(name));
}

bool
nsys_rules_known(const char *name)
{
	struct span word = word_at(name);

	for (size_t i = 0; i < KINDS_COUNT; i++)
		if (is_name(word, kinds[i]->name))
			return true;
	return is_name(word, "nsys");
}

static _Noreturn void
refuse_rule(struct span word)
{
	struct suggestion near = {.word = word};

	for (size_t i = 0; i < KINDS_COUNT; i++)
		suggestion_consider(&near, kinds[i]->name);
	suggestion_consider(&near, "nsys");
	errx(TQ_USAGE, "no rule of nsys is named '%.*s'%s", (int)word.len,
	    word.p, suggestion_text(&near));
}

/* ---- arguments ---- */

static const struct nsys_args usual = {.rows = 50,
    .gap = 500,
    .chunks = 30,
    .threshold = 50,
    .process = NO_ID,
    .thread = NO_ID};

static const struct {
	const char *name;
	size_t to;
	int64_t least, most;
} arguments[] = {
    {"rows", offsetof(struct nsys_args, rows), -1, INT32_MAX},
    {"gap", offsetof(struct nsys_args, gap), 0, INT32_MAX},
    {"chunks", offsetof(struct nsys_args, chunks), 1, 1000},
    {"threshold", offsetof(struct nsys_args, threshold), 0, INT32_MAX},
    {"process", offsetof(struct nsys_args, process), 0, INT64_MAX},
    {"thread", offsetof(struct nsys_args, thread), 0, INT64_MAX},
};

/* " rows gap " has "gap" */
static bool
has_word(const char *words, struct span word)
{
	const char *p = words;

	while ((p = memmem(p, strlen(p), word.p, word.len)) != NULL) {
		if (p[-1] == ' ' && p[word.len] == ' ')
			return true;
		p++;
	}
	return false;
}

/* "gap=1"; false if the rule has no such argument */
static bool
take_argument(struct nsys_rule *r, struct span text)
{
	const char *equal = memchr(text.p, '=', text.len);
	struct span name = {
	    text.p, equal != NULL ? (size_t)(equal - text.p) : text.len};
	char *end;
	int64_t v;

	if (equal == NULL || name.len == 0)
		errx(TQ_USAGE, "expected an argument like rows=5, not '%.*s'",
		    (int)text.len, text.p);
	if (!has_word(r->kind->args, name))
		return false;
	errno = 0;
	v = strtoll(equal + 1, &end, 10);
	for (size_t i = 0; i < sizeof(arguments) / sizeof(*arguments); i++) {
		if (!is_name(name, arguments[i].name))
			continue;
		if (errno != 0 || end == equal + 1 ||
		    end != text.p + text.len || v < arguments[i].least ||
		    v > arguments[i].most)
			errx(TQ_USAGE,
			    "%s: expected a number from %" PRId64
			    ", not '%.*s'",
			    arguments[i].name, arguments[i].least,
			    (int)(text.len - name.len - 1), equal + 1);
		*(int64_t *)(void *)((char *)&r->args + arguments[i].to) = v;
	}
	return true;
}

/* The arguments of a rule of the list, behind its name. */
static void
take_arguments(struct nsys_rule *r, const char *p, bool all)
{
	while (*p == ':') {
		struct span text = word_at(++p);

		if (!take_argument(r, text) && !all)
			errx(TQ_USAGE, "%s takes no argument '%.*s', but%.*s",
			    r->kind->name, (int)text.len, text.p,
			    (int)strlen(r->kind->args) - 1, r->kind->args);
		p += text.len;
	}
}

static void
add_rule(struct nsys_rules *all, const struct nsys_rule_kind *kind,
    const char *arguments_of, bool every)
{
	struct nsys_rule *r = array_add(&all->all, &all->count, &all->cap);

	*r = (struct nsys_rule){.kind = kind, .args = usual};
	take_arguments(r, arguments_of, every);
}

void
nsys_rules_choose(struct nsys_rules *all, const char *list)
{
	while (*list != '\0') {
		struct span word = word_at(list);
		bool every = is_name(word, "nsys");

		if (!nsys_rules_known(list))
			refuse_rule(word);
		for (size_t i = 0; i < KINDS_COUNT; i++)
			if (every || is_name(word, kinds[i]->name))
				add_rule(all, kinds[i], list + word.len, every);
		list += strcspn(list, ",");
		list += *list == ',';
	}
}

/* ---- records ---- */

void
nsys_rules_keys(const struct nsys_rules *all, struct keyset *want)
{
	static const enum key keys[] = {KEY_ts, KEY_dur, KEY_pid, KEY_tid,
	    KEY_corr, KEY_name, KEY_raw, KEY_device, KEY_context, KEY_stream,
	    KEY_green_context, KEY_bytes, KEY_copy, KEY_src, KEY_dst,
	    KEY_src_device, KEY_dst_device, KEY_mem, KEY_NONE};

	for (size_t i = 0; i < all->count; i++)
		for (size_t k = 0; k < KIND_COUNT; k++)
			if ((all->all[i].kind->kinds |
				all->all[i].kind->events) >>
				k &
			    1)
				keyset_add_all(&want[k], keys);
}

uint32_t
nsys_rules_text(struct nsys_rules *all, const struct event *ev, enum key key)
{
	all->scratch.len = 0;
	return intern_get(&all->texts, event_str(ev, key, &all->scratch));
}

uint32_t
nsys_rules_call(struct nsys_rules *all, const struct event *ev)
{
	uint32_t n = nsys_rules_text(
	    all, ev, event_has(ev, KEY_raw) ? KEY_raw : KEY_name);

	while (all->named_count <= n) {
		struct named_call call = api_call_of(
		    intern_text(&all->texts, (uint32_t)all->named_count));

		*array_add(&all->named, &all->named_count, &all->named_cap) =
		    call;
	}
	return n;
}

/* Remember the call of a copy or fill. */
static void
add_call(struct nsys_rules *all, const struct event *ev)
{
	uint32_t name = nsys_rules_call(all, ev);
	struct named_call call = all->named[name];

	if (call.role != API_COPY && call.role != API_FILL)
		return;
	*map_get(&all->calls, (uint64_t)event_int(ev, KEY_pid, NO_ID),
	    (uint64_t)event_int(ev, KEY_corr, NO_ID)) = (uint64_t)name + 1;
}

void
nsys_rules_event(struct nsys_rules *all, const struct event *ev)
{
	if (ev->kind == KIND_UNKNOWN)
		return;
	if (ev->kind == KIND_api && event_has(ev, KEY_name) &&
	    event_has(ev, KEY_corr))
		add_call(all, ev);
	for (size_t i = 0; i < all->count; i++)
		if (all->all[i].kind->events >> ev->kind & 1)
			all->all[i].kind->event(all, &all->all[i], ev);
}

void
nsys_rules_section_end(struct nsys_rules *all)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->all[i].kind->section_end != NULL)
			all->all[i].kind->section_end(&all->all[i]);
	map_clear(&all->calls);
}

/* ---- rows ---- */

static int
longest_first(const void *pa, const void *pb)
{
	const struct nsys_row *a = pa, *b = pb;

	if (a->dur != b->dur)
		return a->dur > b->dur ? -1 : 1;
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return (a->ts > b->ts) - (a->ts < b->ts);
}

static void
cut_rows(struct nsys_rule *r)
{
	if (r->row_count > 0)
		qsort(r->rows, r->row_count, sizeof(*r->rows), longest_first);
	if (r->args.rows >= 0 && r->row_count > (size_t)r->args.rows)
		r->row_count = (size_t)r->args.rows;
}

void
nsys_rules_add_row(struct nsys_rule *r, const struct nsys_row *row)
{
	if (r->args.rows >= 0 && r->row_count > 1024 &&
	    r->row_count / 2 > (size_t)r->args.rows)
		cut_rows(r);
	*array_add(&r->rows, &r->row_count, &r->row_cap) = *row;
}

void
nsys_rules_text_column(struct table *t, const char *name,
    const struct nsys_rules *all, uint32_t text)
{
	col_text(
	    t, name, t->heading ? SPAN("") : intern_text(&all->texts, text));
}

static const struct column_doc docs[] = {
    DOC_VALUE("Row#", "number of the row, from 1"),
    {NULL, "Start", COLUMN_MOMENT, "begin, from the origin of the recording",
	NULL},
    DOC_VALUE("Duration", "end minus begin"),
    DOC_VALUE("In-Use", "share of the time in which something runs"),
    DOC_VALUE("Bytes", "bytes that were moved"),
    DOC_KEY("API Name", "name of the API call"),
    DOC_KEY("Src Kind", "kind of memory of the source"),
    DOC_KEY("Dst Kind", "kind of memory of the destination"),
    DOC_KEY("Memory Kind", "kind of memory that is set"),
    DOC_KEY("Device ID", "number of the device in its process"),
    DOC_VALUE("Context ID", "context on the device"),
    DOC_VALUE("Green Context ID", "green context on the device"),
    DOC_VALUE("Stream ID", "stream of the device"),
    DOC_VALUE("PID", "process"),
    DOC_VALUE("TID", "thread"),
    {0},
};

void
nsys_rules_write(
    struct nsys_rules *all, struct output *o, enum sheet_format format)
{
	for (size_t i = 0; i < all->count; i++) {
		struct nsys_rule *r = &all->all[i];
		struct table t = {.title = r->kind->name,
		    .report = r->kind->name,
		    .docs = docs,
		    .reason = "nothing found"};

		cut_rows(r);
		r->kind->write(all, r, &t);
		sheet_write(&t, o, format, i == 0);
		table_free(&t);
	}
}

void
nsys_rules_free(struct nsys_rules *all)
{
	for (size_t i = 0; i < all->count; i++) {
		struct nsys_rule *r = &all->all[i];

		for (size_t d = 0; d < r->devices.count; d++)
			free(r->devices.all[d].work);
		keyed_free(&r->devices);
		free(r->rows);
		free(r->overhead);
		free(r->times);
	}
	free(all->all);
	intern_free(&all->texts);
	free(all->named);
	map_free(&all->calls);
	text_free(&all->scratch);
}
