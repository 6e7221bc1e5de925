/* page.c - the model of the page: its header, its GPUs, and what goes on */

#include <inttypes.h>
#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/mem.h"

#include "page_draft.h"
#include "tq/show/amount.h"

/* ---- operands ---- */

static void
add_operands(struct page_draft *f, const struct report_settings *settings)
{
	page_draft_input(&f->input, settings);
	printed_command_title(&f->text, settings->operands);
	f->p->file = page_draft_text(f);
}

/* ---- the header ---- */

/* The words of a command, of which paths become base names. */
static struct span
short_command(struct page_draft *f, struct span command)
{
	const char *p = command.p, *end = p + command.len;

	while (p < end) {
		const char *word = p, *last = p;

		for (; p < end && *p != ' '; p++)
			if (*p == '/' && p + 1 < end && p[1] != ' ')
				last = p + 1;
		if (*word == '-' || memmem(word, p - word, "://", 3) != NULL)
			last = word;
		text_add(&f->text, last, (size_t)(p - last));
		for (; p < end && *p == ' '; p++)
			text_add_char(&f->text, ' ');
	}
	return page_draft_text(f);
}

static bool
have_one_command(const struct run_report_total *r)
{
	for (size_t i = 1; i < r->sections; i++)
		if (!span_eq(r->all[i].command, r->all[0].command))
			return false;
	return r->sections > 0 && r->all[0].command.len > 0;
}

/* "2 recordings", and the command where they share it */
static struct span
count_recordings(struct page_draft *f)
{
	const struct run_report_total *r = f->recorded;

	amount_count(&f->text, (int64_t)r->sections);
	text_add_str(&f->text, " recordings");
	if (have_one_command(r)) {
		text_add_str(&f->text, ": ");
		text_add_span(&f->text, f->p->command);
	}
	return page_draft_text(f);
}

/* The part before a word. */
static struct span
before(struct span s, const char *word)
{
	const char *p = memmem(s.p, s.len, word, strlen(word));

	return p != NULL ? (struct span){s.p, (size_t)(p - s.p)} : s;
}

/* A stream from a pipe is called what ran, else what recorded it. */
static void
add_title(struct page *p)
{
	p->title = p->file;
	if (p->title.len == 0)
		p->title = p->command;
	if (p->title.len == 0)
		p->title = before(p->producer, " ");
	if (p->title.len == 0)
		p->title = SPAN("stream");
}

static void
fill_header(struct page_draft *f)
{
	const struct run_report_total *r = f->recorded;
	struct page *p = f->p;

	p->command = short_command(f, r->command);
	if (run_report_unrelated(r))
		p->command = count_recordings(f);
	p->traces = r->sections;
	for (enum kind k = 0; k <= KIND_COUNT; k++)
		p->any |= r->kinds[k] > 0;
	p->operations = (int64_t)r->work;
	p->lost = r->lost;
	p->cut = r->cut;
	p->producer = region_copy(&p->life, before(r->producer, ", schema"));
	add_title(p);
	if (r->start.len < 16 || run_report_unrelated(r))
		return;
	text_add(&f->text, r->start.p, 16); /* to the minute */
	text_add_str(&f->text, " UTC");
	p->utc = page_draft_text(f);
}

/* ---- the GPUs ---- */

static int
by_number(const void *pa, const void *pb, void *account)
{
	const struct gpu_account *s = account;
	const struct account_gpu *a = s->gpus[*(const size_t *)pa];
	const struct account_gpu *b = s->gpus[*(const size_t *)pb];

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->trace != b->trace)
		return a->trace < b->trace ? -1 : 1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return (a->pid > b->pid) - (a->pid < b->pid);
}

/* what the GPUs of the page differ by */
struct gpu_origins {
	bool ranks, traces;
};

static struct gpu_origins
find_origins(const struct gpu_account *s)
{
	struct gpu_origins differ = {false, false};

	for (size_t i = 1; i < s->gpu_count; i++) {
		differ.ranks |= s->gpus[i]->rank != s->gpus[0]->rank;
		differ.traces |= s->gpus[i]->trace != s->gpus[0]->trace;
	}
	return differ;
}

/* Two that are neighbours by_number() have one name but for the process. */
static bool
named_alike(const struct account_gpu *a, const struct account_gpu *b)
{
	return a->trace == b->trace && a->number == b->number &&
	       a->rank == b->rank;
}

static struct span
gpu_name(struct page_draft *f, const struct account_gpu *g,
    struct gpu_origins differ, bool twice)
{
	if (differ.ranks && g->rank != NO_ID)
		text_printf(&f->text, "rank %" PRId64 " ", g->rank);
	else if (differ.traces)
		text_printf(&f->text, "trace %zu ", g->trace);
	text_printf(&f->text, "GPU %" PRId64, g->number);
	if (twice)
		text_printf(&f->text, " of process %" PRId64, g->pid);
	return page_draft_text(f);
}

static int64_t
add_times(int64_t sum, int64_t from, int64_t to)
{
	return time_end(sum, time_between(from, to));
}

/* The recording, the active span, and of which of them shares are. */
static void
fill_spans(struct page_draft *f)
{
	const struct gpu_account *s = f->account;
	struct page *p = f->p;

	for (size_t i = 0; i < s->trace_count; i++) {
		const struct account_trace *t = &s->traces[i];

		p->recorded = add_times(p->recorded, t->from, t->to);
		if (t->any)
			p->active = add_times(p->active, t->first, t->until);
	}
	p->untimed = run_report_untimed(f->recorded);
	p->active_only = s->gpu_count > 0 &&
			 !page_draft_is_part(p->active, p->recorded, 950);
}

/* Its part of the account; before and after its work it is idle. */
static void
fill_gpu_time(const struct page_draft *f, struct page_gpu *g,
    const struct account_gpu *of)
{
	const struct account_trace *t = &f->account->traces[of->trace];
	bool active = f->p->active_only;
	int64_t busy = 0;

	*g = of->gpu;
	g->model = of->model;
	if (g->model.len > 7 && memcmp(g->model.p, "NVIDIA ", 7) == 0)
		g->model = (struct span){g->model.p + 7, g->model.len - 7};
	g->trace = of->trace;
	g->first = of->first;
	g->until = of->until;
	g->from = active ? t->first : t->from;
	g->to = active ? t->until : t->to;
	g->time[PAGE_OTHER] = 0;
	for (size_t c = 0; c < PAGE_CLASSES; c++)
		busy = time_end(busy, g->time[c]);
	g->time[PAGE_OTHER] = time_between(g->from, g->to) - busy;
	if (g->time[PAGE_OTHER] < 0)
		g->time[PAGE_OTHER] = 0;
}

/* The folded names of ranges, by number. */
static struct span *
range_names(struct page_draft *f)
{
	const struct range_names *ranges = &f->account->ranges;
	size_t count = range_names_count(ranges);
	struct span *names =
	    region_get(&f->p->life, (count + 1) * sizeof(*names));

	for (uint32_t i = 0; i < count; i++)
		names[i] = range_names_text(ranges, i);
	return names;
}

static void
fill_gpus(struct page_draft *f)
{
	const struct gpu_account *s = f->account;
	struct page *p = f->p;
	const struct span *names = range_names(f);
	const struct gpu_origins differ = find_origins(s);
	size_t *order =
	    region_get(&p->life, (s->gpu_count + 1) * sizeof(*order));

	for (size_t i = 0; i < s->gpu_count; i++)
		order[i] = i;
	if (s->gpu_count > 1)
		qsort_r(order, s->gpu_count, sizeof(*order), by_number,
		    (void *)(uintptr_t)s);
	p->gpus = region_get(&p->life, (s->gpu_count + 1) * sizeof(*p->gpus));
	f->gpu_of =
	    region_get(&p->life, (s->gpu_count + 1) * sizeof(*f->gpu_of));
	p->gpu_count = s->gpu_count;
	for (size_t i = 0; i < p->gpu_count; i++) {
		const struct account_gpu *of = s->gpus[order[i]];
		struct page_gpu *g = &p->gpus[i];
		bool twice =
		    (i > 0 && named_alike(s->gpus[order[i - 1]], of)) ||
		    (i + 1 < p->gpu_count &&
			named_alike(of, s->gpus[order[i + 1]]));

		f->gpu_of[order[i]] = i;
		fill_gpu_time(f, g, of);
		g->name = gpu_name(f, of, differ, twice);
		g->lane_names = names;
		for (size_t c = 0; c < PAGE_CLASSES; c++)
			p->time[c] = time_end(p->time[c], g->time[c]);
		p->time_of = add_times(p->time_of, g->from, g->to);
		if (i == 0 || span_eq(p->model, g->model))
			p->model = g->model;
		else
			p->model = (struct span){"", 0};
	}
}

static int
by_busy(const void *pa, const void *pb, void *gpus)
{
	const struct page_gpu *all = gpus;
	size_t a = *(const size_t *)pa, b = *(const size_t *)pb;
	int64_t ta = page_busy(all[a].time), tb = page_busy(all[b].time);

	return ta != tb ? (ta > tb) - (ta < tb) : (a > b) - (a < b);
}

/* All, or the least, the median and the largest by their busy time. */
static void
choose_gpus(struct page_draft *f)
{
	struct page *p = f->p;
	size_t n = p->gpu_count, *order;

	if (n <= sizeof(p->shown_gpus) / sizeof(*p->shown_gpus)) {
		for (size_t i = 0; i < n; i++)
			p->shown_gpus[i] = i;
		p->shown_gpu_count = n;
		return;
	}
	order = mem_resize(NULL, n, sizeof(*order));
	for (size_t i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof(*order), by_busy, p->gpus);
	p->shown_gpus[0] = order[0];
	p->shown_gpus[1] = order[(n - 1) / 2];
	p->shown_gpus[2] = order[n - 1];
	p->shown_gpu_count = 3;
	free(order);
}

/* ---- the verdict ---- */

static void
add_verb(struct page *p, enum page_class c, const char *one, const char *all,
    int64_t time)
{
	if (time <= 0 || !page_draft_is_part(time, p->time_of, 5))
		return;
	p->verbs[p->verb_count++] =
	    (struct page_verb){c, p->gpu_count > 1 ? all : one, time};
}

static void
fill_verdict(struct page_draft *f)
{
	struct page *p = f->p;
	const int64_t *time = p->time;

	p->subject = p->gpu_count > 1 ? "The GPUs" : "The GPU";
	if (p->gpu_count == 0) {
		p->sentence =
		    p->any ? SPAN("No GPU operation is in this recording.")
			   : SPAN("Nothing was recorded but names of processes "
				  "and threads.");
		return;
	}
	add_verb(p, PAGE_COMPUTE, "computes", "compute", time[PAGE_COMPUTE]);
	add_verb(p, PAGE_HOST, "idles", "idle", page_idle(time));
	add_verb(p, PAGE_COMMUNICATION, "communicates", "communicate",
	    time[PAGE_COMMUNICATION]);
	add_verb(p, PAGE_COPY, "copies", "copy", time[PAGE_COPY]);
	text_add_str(&f->text, "of ");
	if (!page_draft_same_span(f)) {
		page_draft_add_span(f, &f->text);
	} else {
		amount_time(&f->text, page_gpu_length(&p->gpus[0]));
		text_add_str(&f->text,
		    p->active_only ? ", first to last operation" : " recorded");
	}
	p->time_of_text = page_draft_text(f);
}

/* ---- RECORDED ---- */

static void
add_line(struct page_draft *f, size_t *cap, const char *label)
{
	struct page *p = f->p;

	if (f->text.len > 0)
		*array_add(&p->recorded_lines, &p->recorded_count, cap) =
		    (struct page_line){
			.label = label, .text = page_draft_text(f)};
}

static void
add_kind(struct page_draft *f, enum kind k)
{
	if (f->recorded->kinds[k] == 0)
		return;
	if (f->text.len > 0)
		text_add_str(&f->text, ", ");
	amount_count(&f->text, (int64_t)f->recorded->kinds[k]);
	text_printf(
	    &f->text, " %s", k < KIND_COUNT ? schema_kinds[k].name : "unknown");
}

/*
 * Operations and calls first; without kinds that tq-correlate adds, and kinds
 * with a line of their own.
 */
static void
add_kinds(struct page_draft *f)
{
	for (enum kind k = 0; k < KIND_COUNT; k++)
		if (schema_kinds[k].role == ROLE_WORK ||
		    schema_kinds[k].role == ROLE_LAUNCH)
			add_kind(f, k);
	for (enum kind k = 0; k <= KIND_COUNT; k++)
		if (k == KIND_COUNT ||
		    (schema_kinds[k].role != ROLE_WORK &&
			schema_kinds[k].role != ROLE_LAUNCH &&
			k != KIND_gpu_range && k != KIND_diagnostic))
			add_kind(f, k);
}

static void
add_losses(struct page_draft *f)
{
	const struct page *p = f->p;

	if (p->lost > 0)
		amount_count(&f->text, p->lost);
	text_add_str(&f->text, p->lost == 1  ? " event lost"
			       : p->lost > 0 ? " events lost"
			       : p->doubt    ? p->doubt
					     : "nothing lost");
	if (p->cut)
		text_add_str(&f->text, ", cut before its end");
}

static void
add_launches(struct page_draft *f)
{
	const struct run_report_total *r = f->recorded;

	if (r->work == 0)
		return;
	if (r->joined == 0 && !r->correlated) {
		text_add_str(&f->text, "launches unknown");
	} else {
		text_add_str(&f->text, "launch known of ");
		amount_count(&f->text, (int64_t)r->joined);
		text_add_str(&f->text, " of ");
		amount_of(
		    &f->text, (int64_t)r->work, "operation", "operations");
	}
	text_add_str(&f->text, "; ");
}

static void
add_warnings(struct page_draft *f, size_t *cap)
{
	struct page *p = f->p;
	int64_t n = (int64_t)f->recorded->warnings;
	struct span command =
	    page_draft_command(f, "tq-filter -k diagnostic FILE");

	if (n == 0)
		return;
	amount_count(&f->text, n);
	text_printf(&f->text, " warning%s of the profiler: ", n > 1 ? "s" : "");
	*array_add(&p->recorded_lines, &p->recorded_count, cap) =
	    (struct page_line){"Warnings", page_draft_text(f), command};
}

/* Append to a list that begins behind a blank. */
static void
add_part(struct page_draft *f, struct span part)
{
	if (part.len > 0 && f->text.p[f->text.len - 1] != ' ')
		text_add_str(&f->text, ", ");
	text_add_span(&f->text, part);
}

struct file_name {
	struct page_draft *f;
	size_t wanted, count;
};

static void
take_file_name(void *arg, struct span name)
{
	struct file_name *n = arg;

	if (n->count++ == n->wanted)
		add_part(n->f, name);
}

/* The name of the file of a recording, if each has one of its own. */
static void
add_file_name(struct page_draft *f, size_t recording)
{
	char *const *operands = page_draft_report(f, "run")->settings->operands;
	struct file_name n = {f, SIZE_MAX, 0};

	printed_command_each(operands, take_file_name, &n);
	if (n.count != f->recorded->sections)
		return;
	n = (struct file_name){f, recording, 0};
	printed_command_each(operands, take_file_name, &n);
}

/* A line for each recording, as GPUs are named by their number. */
static void
add_recordings(struct page_draft *f, size_t *cap)
{
	enum { MOST = 8 };
	const struct run_report_total *r = f->recorded;

	for (size_t i = 0; i < r->sections && i < MOST; i++) {
		const struct run_report_section *s = &r->all[i];
		struct span command = short_command(f, s->command);

		text_printf(&f->text, "trace %zu: ", i);
		add_file_name(f, i);
		add_part(f, command);
		add_part(f, s->host);
		add_part(f, s->start);
		add_line(f, cap, i == 0 ? "Recordings" : "");
	}
	if (r->sections > MOST) {
		amount_count(&f->text, (int64_t)(r->sections - MOST));
		text_add_str(&f->text, " more");
		add_line(f, cap, "");
	}
}

static void
fill_recorded(struct page_draft *f)
{
	const struct run_report_total *r = f->recorded;
	bool unrelated = run_report_unrelated(r);
	size_t cap = 0;

	if (unrelated)
		add_recordings(f, &cap);
	f->p->listed = f->p->recorded_count;
	add_kinds(f);
	add_line(f, &cap, "Events");
	text_add_span(&f->text, f->p->producer);
	if (!unrelated && r->host.len > 0) {
		text_add_str(&f->text, f->text.len > 0 ? " on " : "");
		text_add_span(&f->text, r->host);
	}
	if (f->p->utc.len > 0) {
		text_add_str(&f->text, f->text.len > 0 ? ", " : "");
		text_add_span(&f->text, f->p->utc);
	}
	add_line(f, &cap, "Recorded by");
	add_launches(f);
	add_losses(f);
	add_line(f, &cap, "Complete");
	add_warnings(f, &cap);
}

/* ---- GO ON ---- */

static void
add_command(
    struct page_draft *f, size_t *cap, const char *command, const char *says)
{
	*array_add(&f->p->go_on, &f->p->go_on_count, cap) =
	    (struct page_command){page_draft_command(f, command), says, false};
}

static void
fill_go_on(struct page_draft *f)
{
	size_t cap = 0;

	if (!f->p->any) {
		add_command(f, &cap, "tq-capture -o r.tq ./program",
		    "record a program");
		add_command(f, &cap, "tq-stats --help-reports", "all reports");
		return;
	}
	if (f->p->gpu_count == 0 && f->recorded->kinds[KIND_api] > 0)
		add_command(f, &cap, "tq-capture -o r.tq ./program",
		    "capture kernels too");
	add_command(f, &cap, "tq-perfetto -o t.pftrace FILE",
	    "see it, in ui.perfetto.dev");
	add_command(f, &cap, "tq-stats -f html -o page.html FILE",
	    "this page with a timeline");
	f->p->go_on[f->p->go_on_count - 1].page = true;
	if (f->p->gpu_count > 0 || f->p->finding_count > 0) {
		add_command(
		    f, &cap, "tq-advise FILE", "the evidence of findings");
		f->p->all_findings = f->p->go_on[f->p->go_on_count - 1].command;
	}
	add_command(f, &cap, "tq-stats --help-reports", "everything else");
}

/* ---- the page ---- */

bool
page_fill(struct page *p, const struct reports *rs)
{
	struct page_draft f = {.p = p, .rs = rs};

	*p = (struct page){0};
	if (page_draft_report(&f, "page_account") == NULL)
		return false; /* next alone */
	f.account = gpu_account_of(page_draft_report(&f, "page_account"));
	f.recorded = run_report_total(page_draft_report(&f, "run"));
	if (!f.recorded->begun && f.account->trace_count == 0)
		return false;
	add_operands(&f, page_draft_report(&f, "run")->settings);
	fill_header(&f);
	fill_spans(&f);
	fill_gpus(&f);
	choose_gpus(&f);
	fill_verdict(&f);
	tables_fill(&f);
	rank_tables_fill(&f);
	findings_fill(&f);
	fill_recorded(&f);
	fill_go_on(&f);
	printed_command_input_free(&f.input);
	text_free(&f.text);
	return true;
}

void
page_free(struct page *p)
{
	for (size_t i = 0; i < p->finding_count; i++)
		free(p->findings[i].parts);
	free(p->findings);
	free(p->recorded_lines);
	free(p->go_on);
	region_free(&p->life);
}
