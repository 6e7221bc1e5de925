/*
 * findings.c - what costs the most, a sentence each
 *
 * Each rule looks at the account and the tables, and adds a finding or none.
 * The cost of a finding is time of GPUs, and is said from 2 % on.
 */

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/mem.h"

#include "naming/kernel_parts.h"
#include "sums/launch.h"
#include "amount.h"
#include "fill.h"
#include "parts.h"

enum { MOST_FINDINGS = 7, FEW_OPERATIONS = 50 };

struct rule_state {
	struct fill *f;
	struct page *p;
	struct page_finding *now;
	size_t cap;
};

/* ---- sentences ---- */

static void
add_part(struct rule_state *x, enum page_part_kind kind, struct span s)
{
	if (s.len > 0)
		*array_add(&x->now->parts, &x->now->count, &x->now->cap) =
		    (struct page_part){kind, s};
}

static struct span
amount(struct rule_state *x, char what, va_list *args)
{
	struct text *t = &x->f->text;
	int64_t v = va_arg(*args, int64_t);

	switch (what) {
	case 't':
		amount_time(t, v);
		break;
	case 'z':
		amount_size(t, v);
		break;
	case 'r':
		amount_rate(t, v);
		break;
	case 'p':
		amount_share(t, v, va_arg(*args, int64_t));
		text_add_str(t, " %");
		break;
	default:
		amount_count(t, v);
		break;
	}
	return fill_text(x->f);
}

/*
 * Add to the finding.  %t is an int64_t as a time, %z a size, %r a rate, %c a
 * count, %p a share of two, %n a struct span with a name, %s text that lives.
 */
static void
say(struct rule_state *x, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	while (*format != '\0') {
		size_t n = strcspn(format, "%");

		add_part(x, PAGE_WORDS, (struct span){format, n});
		format += n;
		if (*format == '\0')
			break;
		if (format[1] == 'n')
			add_part(x, PAGE_NAME, va_arg(args, struct span));
		else if (format[1] == 's')
			add_part(
			    x, PAGE_WORDS, span_of(va_arg(args, const char *)));
		else
			add_part(x, PAGE_NUMBER, amount(x, format[1], &args));
		format += 2;
	}
	va_end(args);
}

/* A new finding, which is a note unless cost is set. */
static void
begin(struct rule_state *x, const char *name, const char *title)
{
	struct page *p = x->p;

	x->now = array_add(&p->findings, &p->finding_count, &x->cap);
	*x->now = (struct page_finding){.name = name,
	    .title = span_of(title),
	    .note = true,
	    .most = 3,
	    .confidence = PAGE_SURE};
}

static void
set_cost(struct rule_state *x, int64_t cost)
{
	x->now->note = false;
	x->now->cost = cost;
	x->now->of = x->p->time_of;
}

static void
set_command(struct rule_state *x, const char *before, const char *after)
{
	x->now->command = fill_command(x->f, before, after);
}

static void
set_confidence(struct rule_state *x, enum page_confidence c)
{
	x->now->confidence = c;
	say(x, c == PAGE_LIKELY ? " (likely)" : " (hint)");
}

/* True if time of GPUs is worth a finding. */
static bool
costs(const struct rule_state *x, int64_t time)
{
	return time > 0 && fill_is_part(time, x->p->time_of, 20);
}

/* "GPUs" or "GPU", and its verb */
static const char *
plural(const struct rule_state *x, const char *many, const char *one)
{
	return x->p->gpu_count > 1 ? many : one;
}

/* ---- times of GPUs ---- */

/* the time of a GPU of the page */
struct gpu_part {
	size_t gpu;
	int64_t time;
};

static int
by_time(const void *pa, const void *pb)
{
	const struct gpu_part *a = pa, *b = pb;

	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	return (a->gpu > b->gpu) - (a->gpu < b->gpu);
}

/* The time of each GPU, the largest first; free(3) it. */
static struct gpu_part *
list_parts(
    const struct rule_state *x, const enum page_class *classes, size_t count)
{
	const struct page *p = x->p;
	struct gpu_part *all = mem_resize(NULL, p->gpu_count, sizeof(*all));

	for (size_t i = 0; i < p->gpu_count; i++) {
		all[i] = (struct gpu_part){i, 0};
		for (size_t c = 0; c < count; c++)
			all[i].time =
			    time_end(all[i].time, p->gpus[i].time[classes[c]]);
	}
	qsort(all, p->gpu_count, sizeof(*all), by_time);
	return all;
}

/* The names of the worst GPUs, and what their times are of. */
static void
say_parts(struct rule_state *x, const struct gpu_part *all)
{
	const struct page *p = x->p;
	const struct gpu_part *median = &all[(p->gpu_count - 1) / 2];

	say(x, "%t", all[0].time);
	if (p->gpu_count > 1)
		say(x, " on %n", p->gpus[all[0].gpu].name);
	if (p->gpu_count == 2 && all[1].time > 0)
		say(x, " and %t on %n", all[1].time, p->gpus[all[1].gpu].name);
	if (p->gpu_count > 2)
		say(x, ", the most of %c GPUs, and %t on %n, their median",
		    (int64_t)p->gpu_count, median->time,
		    p->gpus[median->gpu].name);
	say(x, p->gpu_count > 1 ? ", of "
	       : p->active_only ? " of the "
				: " of ");
	fill_add_span(x->f, &x->f->text);
	add_part(x, PAGE_WORDS, fill_text(x->f));
}

static void
say_class(struct rule_state *x, enum page_class c)
{
	struct gpu_part *all = list_parts(x, &c, 1);

	say_parts(x, all);
	free(all);
}

/* Of all GPUs. */
static struct account_cause
all_of_cause(const struct rule_state *x, enum gap_cause cause)
{
	const struct gpu_account *s = x->f->account;
	struct account_cause sum = {0};

	for (size_t i = 0; i < s->gpu_count; i++) {
		sum.time = time_end(sum.time, s->gpus[i]->causes[cause].time);
		sum.count += s->gpus[i]->causes[cause].count;
	}
	return sum;
}

/* ---- the recording ---- */

/* All other numbers are of what is left. */
static void
find_loss(struct rule_state *x)
{
	const struct recorded_total *r = x->f->recorded;
	const struct page *p = x->p;

	if (p->lost == 0 && !p->cut)
		return;
	begin(x, "lost", "Events were lost");
	x->now->loss = true;
	if (p->lost > 0) {
		say(x, "%c event%s lost", p->lost,
		    p->lost > 1 ? "s were" : " was");
		if (r->lost_at != NO_ID)
			say(x, ", first at %t", r->lost_at);
		say(x, ". ");
	}
	if (p->cut)
		say(x, "The stream was cut before its end. ");
	say(x, "Counts, times and the shares of compute, communication and "
	       "copies may be too low, those of idle time too high.");
	if (r->kinds[KIND_lost] > 0)
		set_command(x, "tq-filter -k lost", NULL);
	else
		set_command(x, "tq-stats -r run", NULL);
}

static void
find_uncorrelated(struct rule_state *x)
{
	const struct recorded_total *r = x->f->recorded;

	if (r->work == 0 || r->correlated || r->joined > 0)
		return;
	begin(x, "not-correlated", "Why GPUs wait is unknown");
	say(x, "Causes need tq-correlate: it finds the call that launched each "
	       "operation.");
	set_command(x, "tq-correlate", " | tq-stats");
}

/* "/31.4s": up to the first operation, or a little later */
static void
add_time_before(struct text *t, int64_t ts)
{
	static const char *const units[] = {"us", "ms", "s"};
	int64_t tenth = 100;
	size_t i = 0;

	for (; i < 2 && ts >= tenth * 10000; i++)
		tenth *= 1000;
	ts = ts / tenth + (ts % tenth > 0);
	text_printf(
	    t, "/%" PRId64 ".%" PRId64 "%s", ts / 10, ts % 10, units[i]);
}

/* What of the host is in the time before: the command shows rows. */
static void
command_before(struct rule_state *x, const struct account_trace *t)
{
	struct text *c = &x->f->text;
	bool calls = t->before[KIND_api] > 0, os = t->before[KIND_osrt] > 0;
	bool ranges = t->before[KIND_range] > 0;
	struct span before;

	if (x->f->account->trace_count > 1 || t->first <= 0 ||
	    !(calls || os || ranges)) {
		set_command(x, "tq-stats -r run", NULL);
		return;
	}
	text_printf(c,
	    "tq-stats -r %s%s%s --filter-time=", calls ? "cuda_api_sum" : "",
	    calls && os ? "," : "",
	    os       ? "osrt_sum"
	    : !calls ? "nvtx_sum:folded"
		     : "");
	add_time_before(c, t->first);
	text_add_char(c, '\0');
	before = fill_text(x->f);
	set_command(x, before.p, NULL);
}

/* The longer of the two first. */
static void
say_edges(struct rule_state *x, int64_t before, int64_t after)
{
	bool first = before >= after;
	int64_t most = first ? before : after, least = first ? after : before;

	say(x, "%t of %t recorded (%p) pass %s", most, x->p->recorded, most,
	    x->p->recorded,
	    first ? "before the first GPU operation"
		  : "after the last GPU operation");
	if (least > 0)
		say(x, ", %t %s", least,
		    first ? "after the last" : "before the first");
}

static void
find_long_way(struct rule_state *x)
{
	const struct gpu_account *s = x->f->account;
	const struct page *p = x->p;
	int64_t before = 0, after = 0;

	for (size_t i = 0; i < s->trace_count; i++) {
		const struct account_trace *t = &s->traces[i];

		if (!t->any)
			continue;
		before = time_end(before, time_between(t->from, t->first));
		after = time_end(after, time_between(t->until, t->to));
	}
	if (!p->active_only)
		return;
	begin(x, "long-way",
	    before >= after ? "A long way to the first operation"
			    : "Long after the last operation");
	say_edges(x, before, after);
	say(x, ". All shares here are of the %t between.", p->active);
	command_before(x, &s->traces[s->gpus[0]->trace]);
}

/* ---- idle time ---- */

/* The range in which a host that is late is for most of the time. */
static void
say_reason(struct rule_state *x, int64_t host)
{
	const struct gpu_account *s = x->f->account;
	size_t most = 0;

	for (size_t i = 1; i < s->late_cap; i++)
		if (s->late[i] > s->late[most])
			most = i;
	if (s->late_cap == 0 || !fill_is_part(s->late[most], host, 400))
		return;
	/* gaps count whole, with the launch at their end */
	say(x, " For %t of it the host is in the range %n.",
	    s->late[most] < host ? s->late[most] : host,
	    region_copy(&x->p->life, inside_name(&s->ranges, (uint32_t)most)));
}

static void
say_longest(struct rule_state *x, enum gap_cause cause)
{
	const struct report *gaps = fill_report(x->f, "gaps");
	struct gap_listed g;

	for (size_t i = 0; gaps_longest(gaps, i, &g); i++) {
		if (g.cause != cause)
			continue;
		say(x, " Longest: %t before %n", g.dur, g.next);
		if (g.range.len > 0)
			say(x, " in %n", fill_range(x->f, g.range));
		say(x, ".");
		return;
	}
}

static void
find_host(struct rule_state *x)
{
	int64_t host = x->p->time[PAGE_HOST];

	if (!costs(x, host))
		return;
	begin(x, "host-late", "Host launches late");
	set_cost(x, host);
	say(x, plural(x, "The GPUs wait for the host to launch: ",
		   "The GPU waits for the host to launch: "));
	say_class(x, PAGE_HOST);
	say(x, ".");
	say_reason(x, host);
	say_longest(x, GAP_HOST);
	set_command(x, "tq-stats -r gaps,range_self", NULL);
}

static void
find_sync(struct rule_state *x)
{
	int64_t sync = x->p->time[PAGE_SYNC];
	int64_t gaps = all_of_cause(x, GAP_SYNC).count;

	if (!costs(x, sync))
		return;
	begin(x, "sync-wait", "Host waits, then GPU idles");
	set_cost(x, sync);
	say(x,
	    "While the host waited for the GPU nothing was launched: the %s ",
	    plural(x, "GPUs then idle", "GPU then idles"));
	say_class(x, PAGE_SYNC);
	say(x, ", in %c gap%s.", gaps, gaps > 1 ? "s" : "");
	set_command(x, "tq-stats -r gaps,cuda_api_sum", NULL);
}

/* A cause of idle time that has no class of its own. */
static bool
begin_cause(struct rule_state *x, enum gap_cause cause, const char *name,
    const char *title, const char *sentence)
{
	struct account_cause sum = all_of_cause(x, cause);

	if (!costs(x, sum.time))
		return false;
	begin(x, name, title);
	set_cost(x, sum.time);
	say(x, "%s: %t in %c gap%s, of ", sentence, sum.time, sum.count,
	    sum.count > 1 ? "s" : "");
	fill_add_span(x->f, &x->f->text);
	add_part(x, PAGE_WORDS, fill_text(x->f));
	say(x, ".");
	return true;
}

static void
find_other_idle(struct rule_state *x)
{
	if (begin_cause(x, GAP_LAUNCH, "slow-launch", "Launches take long",
		"The next operation was being launched while the GPU idled")) {
		say_longest(x, GAP_LAUNCH);
		set_command(x, "tq-stats -r gaps,launch", NULL);
	}
	if (begin_cause(x, GAP_NEXT, "back-to-back", "Short gaps add up",
		"From one operation to the next, below 10 us each")) {
		say(x, " A CUDA graph would shorten them");
		set_confidence(x, PAGE_HINT);
		say(x, ".");
		set_command(x, "tq-stats -r gaps_sum,launch", NULL);
	}
	if (begin_cause(x, GAP_QUEUE, "queue-stall", "Launched work waits",
		"Operations were launched, and waited for something else")) {
		say_longest(x, GAP_QUEUE);
		set_command(x, "tq-stats -r gaps,gaps:stream", NULL);
	}
}

/* ---- communication and copies ---- */

static void
say_hidden(struct rule_state *x)
{
	const struct gpu_account *s = x->f->account;
	int64_t all = 0, hidden = 0;

	for (size_t i = 0; i < s->gpu_count; i++) {
		const struct device_time *t = &s->gpus[i]->time;

		all = time_end(all, t->total[DEVICE_COMMUNICATION]);
		hidden = time_end(hidden, t->total[DEVICE_COMMUNICATION] -
					      t->exposed[DEVICE_COMMUNICATION]);
	}
	if (hidden == 0)
		say(x, "; compute hides none of it.");
	else
		say(x, "; compute hides %p of all communication.", hidden, all);
}

static void
find_communication(struct rule_state *x)
{
	static const enum page_class c = PAGE_COMMUNICATION;
	const struct page *p = x->p;
	struct gpu_part *all;
	const struct gpu_part *last;

	if (!costs(x, p->time[c]))
		return;
	all = list_parts(x, &c, 1);
	last = &all[p->gpu_count - 1];
	begin(x, "exposed-communication", "Communication is not hidden");
	set_cost(x, p->time[c]);
	say(x, "Communication runs without compute beside it: ");
	say_parts(x, all);
	say_hidden(x);
	if (p->gpu_count > 1 && !fill_is_part(last->time, all[0].time, 800)) {
		say(x, " %n is in it %t longer than %n: it waits for its %s",
		    p->gpus[all[0].gpu].name, all[0].time - last->time,
		    p->gpus[last->gpu].name,
		    p->gpu_count > 2 ? "peers" : "peer");
		set_confidence(x, PAGE_LIKELY);
		say(x, ".");
	}
	set_command(x, "tq-stats -r overlap", NULL);
	free(all);
}

/* What most of the time of copies is. */
static void
say_copies(struct rule_state *x)
{
	struct report *r = fill_report(x->f, "page_copies");
	const struct group *g;
	int64_t time, bytes;
	struct span name;

	if (r->groups.count == 0)
		return;
	g = r->groups.all[0]; /* the table has sorted them */
	time = (int64_t)g->values.sum;
	bytes = g->numbers[PARTS_BYTES];
	if (time <= 0 || bytes == 0 ||
	    span_eq(groups_key(g, 0), SPAN("fill")) ||
	    !fill_is_part(time, x->p->copies.whole, 500))
		return;
	name = groups_key(g, 0);
	name.len -=
	    span_ends(name, SPAN(" pageable")) ? strlen(" pageable") : 0;
	say(x, " %z %n%s at %r", bytes, region_copy(&x->p->life, name),
	    name.len < groups_key(g, 0).len ? " of pageable memory" : "",
	    (int64_t)((dist_wide)bytes * 1000000000 / time));
	say(x, name.len < groups_key(g, 0).len
		   ? "; pinned memory would be several times faster."
		   : ".");
}

/* The first progress with so much of one of its numbers; NULL: none. */
static const struct account_progress *
find_progress(const struct account_gpu *g, int64_t computed, int64_t copied)
{
	for (size_t i = 0; i < g->progress_count; i++)
		if (g->progress[i].computed > computed ||
		    g->progress[i].copied > copied)
			return &g->progress[i];
	return NULL;
}

/*
 * The time in which 95 % was copied, of the GPU that took longest; 0 unless
 * that was over before a tenth was computed.
 */
static int64_t
loading_time(const struct rule_state *x)
{
	const struct gpu_account *s = x->f->account;
	int64_t early = 0, longest = 0;

	for (size_t i = 0; i < s->gpu_count; i++) {
		const struct account_gpu *g = s->gpus[i];
		const int64_t *time = g->gpu.time;
		const struct account_progress *p =
		    find_progress(g, time[PAGE_COMPUTE] / 10, INT64_MAX);
		int64_t from = x->p->gpus[x->f->gpu_of[i]].from;

		if (p == NULL)
			continue;
		early = time_end(early, p->copied);
		p = find_progress(g, INT64_MAX, time[PAGE_COPY] / 20 * 19);
		if (p != NULL && longest < time_between(from, p->at))
			longest = time_between(from, p->at);
	}
	return fill_is_part(early, x->p->time[PAGE_COPY], 950) ? longest : 0;
}

static void
find_copies(struct rule_state *x)
{
	int64_t loading = loading_time(x);

	if (!costs(x, x->p->time[PAGE_COPY]))
		return;
	begin(x, "exposed-copy", "Copies are not hidden");
	set_cost(x, x->p->time[PAGE_COPY]);
	say(x, "Copies run while nothing computes: ");
	say_class(x, PAGE_COPY);
	say(x, ".");
	say_copies(x);
	if (loading > 0) {
		say(x,
		    " Nearly all in the first %t, before the kernels: loading",
		    loading);
		x->now->most = 2;
		set_confidence(x, PAGE_LIKELY);
		say(x, ".");
	}
	set_command(x, "tq-stats -r memory", NULL);
}

/* ---- kernels ---- */

/* kernels of a sort */
struct kernel_sort {
	int64_t time, launches;
	struct span most; /* the base name of the first, which took the most */
};

static bool
has(struct span s, const char *word)
{
	return memmem(s.p, s.len, word, strlen(word)) != NULL;
}

static bool
is_elementwise(struct span name, struct span base)
{
	(void)name;
	return has(base, "elementwise") || has(base, "CatArray");
}

/* The time of kernels; those of graphs that were recorded whole count. */
static int64_t
kernel_time(const struct rule_state *x)
{
	const struct page *p = x->p;
	int64_t busy =
	    time_end(p->time[PAGE_COMPUTE], p->time[PAGE_COMMUNICATION]);

	return p->kernels.whole > busy ? p->kernels.whole : busy;
}

/* By what the libraries call it: sgemm, simt, f32 without tensor ops. */
static bool
is_fp32_gemm(struct span name, struct span base)
{
	static const char *const tensor[] = {"tensorop", "tf32", "1688",
	    "16816", "s884", "bf16", "f16f16", "hgemm"};

	for (size_t i = 0; i < sizeof(tensor) / sizeof(*tensor); i++)
		if (has(name, tensor[i]))
			return false;
	return has(base, "sgemm") || has(base, "gemm_f32f32_f32f32_f32") ||
	       (has(name, "gemm") && has(name, "simt_s"));
}

/* The name without types and arguments; it lives as long as the page. */
static struct span
base_name(struct rule_state *x, struct span name)
{
	struct kernel_parts parts = {0};

	kernel_parts_find(&parts, name, &x->p->life);
	kernel_parts_free(&parts); /* the base is in x->p->life */
	return parts.base;
}

/* The kernels for which is() is true; groups are sorted. */
static struct kernel_sort
sum_kernels(
    struct rule_state *x, bool (*is)(struct span name, struct span base))
{
	const struct report *r = fill_report(x->f, "cuda_gpu_kern_sum");
	struct kernel_sort sum = {0};

	for (size_t i = 0; i < x->p->kernel_count; i++) {
		const struct group *g = r->groups.all[i];
		struct span name = x->p->kernel_names[i];
		struct span base = base_name(x, name);

		if (!is(name, base))
			continue;
		sum.time = time_end(sum.time, fill_sum(x->f, g->values.sum));
		sum.launches += (int64_t)g->values.count;
		if (sum.most.len == 0)
			sum.most = base;
	}
	return sum;
}

static bool
have_tensor_cores(const struct rule_state *x, int64_t cc)
{
	const struct gpu_account *s = x->f->account;

	for (size_t i = 0; i < s->gpu_count; i++)
		if (s->gpus[i]->cc < cc) /* NO_ID is less */
			return false;
	return true;
}

static void
find_fp32(struct rule_state *x)
{
	const struct page *p = x->p;
	struct kernel_sort gemm;

	if (!have_tensor_cores(x, 70))
		return;
	gemm = sum_kernels(x, is_fp32_gemm);
	if (!costs(x, gemm.time) &&
	    (gemm.time <= 0 || !fill_is_part(gemm.time, kernel_time(x), 300)))
		return;
	begin(x, "fp32-gemm", "Matrix products in FP32");
	if (costs(x, gemm.time))
		set_cost(x, gemm.time < p->time_of ? gemm.time : p->time_of);
	say(x,
	    "Matrix products in FP32, without tensor cores: %t of %t of "
	    "kernel time (%p)",
	    gemm.time, p->kernels.whole, gemm.time, p->kernels.whole);
	if (p->model.len > 0)
		say(x, " on %n", p->model);
	say(x, ", most in %n. %s would use them.", gemm.most,
	    have_tensor_cores(x, 80) ? "TF32 or bf16" : "FP16");
	set_command(x, "tq-stats -r cuda_gpu_kern_sum:base", NULL);
}

static void
find_short_kernels(struct rule_state *x)
{
	struct launch_tally t = launch_tally(fill_report(x->f, "launch"));

	int64_t idle = all_of_cause(x, GAP_HOST).time +
		       all_of_cause(x, GAP_LAUNCH).time +
		       all_of_cause(x, GAP_NEXT).time;

	if (t.launches < FEW_OPERATIONS ||
	    !fill_is_part(t.brief, t.launches, 500) ||
	    !fill_is_part(t.calls, t.run, 100) ||
	    !fill_is_part(idle, x->p->time_of, 50))
		return;
	begin(x, "short-kernels", "Kernels shorter than their launch");
	say(x,
	    "%c of %c launches of kernels and graphs with a known call (%p) "
	    "ran shorter than that call: the host can hardly keep ahead of "
	    "the %s. Larger kernels, fusion or CUDA graphs would help",
	    t.brief, t.launches, t.brief, t.launches, plural(x, "GPUs", "GPU"));
	set_confidence(x, PAGE_HINT);
	say(x, ".");
	set_command(x, "tq-stats -r launch", NULL);
}

static void
find_main_graph(struct rule_state *x)
{
	struct launch_tally t = launch_tally(fill_report(x->f, "launch"));

	if (t.graph_run <= 0 || !fill_is_part(t.graph_run, t.run, 300))
		return;
	begin(x, "one-graph", "One graph takes the most");
	say(x,
	    "%n takes %t of %t of all that was launched (%p), in %c "
	    "launch%s.",
	    region_copy(&x->p->life, t.graph), t.graph_run, t.run, t.graph_run,
	    t.run, t.graph_launches, t.graph_launches > 1 ? "es" : "");
	set_command(x, "tq-stats -r launch,cuda_gpu_sum", NULL);
}

static void
find_main_kernel(struct rule_state *x)
{
	const struct report *r = fill_report(x->f, "cuda_gpu_kern_sum");
	int64_t all = kernel_time(x), time;
	const struct dist *d;

	if (x->p->kernel_count == 0)
		return;
	d = &r->groups.all[0]->values;
	time = fill_sum(x->f, d->sum);
	if (time <= 0 || !fill_is_part(time, all, 300))
		return;
	begin(x, "one-kernel", "One kernel takes the most");
	say(x, "%n takes %t of %t of kernel time (%p): %c launch%s",
	    base_name(x, x->p->kernel_names[0]), time, all, time, all,
	    (int64_t)d->count, d->count > 1 ? "es" : "");
	if (d->count > 1)
		say(x, " of %t to %t", dist_min(d), dist_max(d));
	say(x, ".");
	set_command(x, "tq-stats -r hist", NULL);
}

static void
find_elementwise(struct rule_state *x)
{
	struct kernel_sort sum = sum_kernels(x, is_elementwise);
	const struct report *r = fill_report(x->f, "cuda_gpu_kern_sum");
	int64_t all = kernel_time(x), launches = 0;

	if (sum.time <= 0 || !fill_is_part(sum.time, all, 200))
		return;
	for (size_t i = 0; i < r->groups.count; i++)
		launches += (int64_t)r->groups.all[i]->values.count;
	begin(x, "elementwise", "Elementwise work");
	say(x,
	    "Elementwise and cast kernels take %t of %t of kernel time (%p) "
	    "in %c of %c launches: fusion would save most of their memory "
	    "traffic.",
	    sum.time, all, sum.time, all, sum.launches, launches);
	set_command(x, "tq-filter -k kernel 'name ~ /elementwise|CatArray/'",
	    " | tq-stats -g name");
}

/* ---- the host ---- */

/* The range in which all of these calls are, or most. */
static void
say_waiting_range(struct rule_state *x)
{
	const struct gpu_account *s = x->f->account;
	size_t most = 0;

	for (size_t i = 1; i < s->waited_cap; i++)
		if (s->waited[i] > s->waited[most])
			most = i;
	if (s->waited_cap == 0 || s->waited[most] * 2 <= s->waits)
		return;
	say(x, s->waited[most] == s->waits ? ", all in %n" : ", most in %n",
	    region_copy(&x->p->life, inside_name(&s->ranges, (uint32_t)most)));
}

static void
find_stops(struct rule_state *x)
{
	const struct gpu_account *s = x->f->account;

	if (s->waits < 10 || !fill_is_part(s->wait_time, x->p->recorded, 50))
		return;
	begin(x, "host-stops", "The host stops for the GPU");
	say(x,
	    "The host waits for the GPU in %c calls of *Synchronize, %t each",
	    s->waits, s->wait_time / s->waits);
	say_waiting_range(x);
	say(x, s->event_waits == 0 ? "; after each the launch queue is empty."
				   : ".");
	set_command(x, "tq-filter 'name ~ /Synchronize$/'", NULL);
}

/* ---- all ---- */

/* Losses first, then by cost; notes keep the order of the rules. */
static int
by_cost(const void *pa, const void *pb)
{
	const struct page_finding *a = pa, *b = pb;

	if (a->loss != b->loss)
		return a->loss ? -1 : 1;
	if (a->note != b->note)
		return a->note ? 1 : -1;
	if (!a->note && a->cost != b->cost)
		return a->cost > b->cost ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static void
sort_findings(struct page *p)
{
	for (size_t i = 0; i < p->finding_count; i++) {
		p->findings[i].order = (unsigned)i;
		/* shares of so few operations mean nothing */
		p->findings[i].note |= p->operations < FEW_OPERATIONS;
	}
	if (p->finding_count > 1)
		qsort(p->findings, p->finding_count, sizeof(*p->findings),
		    by_cost);
	while (p->finding_count > MOST_FINDINGS)
		free(p->findings[--p->finding_count].parts);
}

void
findings_fill(struct fill *f)
{
	static void (*const rules[])(struct rule_state *) = {find_uncorrelated,
	    find_host, find_sync, find_other_idle, find_communication,
	    find_copies, find_fp32, find_short_kernels, find_main_graph,
	    find_main_kernel, find_elementwise, find_stops, find_long_way};
	struct rule_state x = {.f = f, .p = f->p};

	find_loss(&x);
	if (f->p->gpu_count > 0)
		for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
			rules[i](&x);
	sort_findings(f->p);
}
