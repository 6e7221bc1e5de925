/* evidence_facts.c - what was counted becomes facts */

#include <inttypes.h>
#include <string.h>

#include "tq/base/time.h"
#include "tq/base/wide.h"
#include "tq/evidence/api_error.h"
#include "tq/evidence/evidence.h"
#include "tq/show/amount.h"

#include "evidence_facts.h"
#include "message.h"

enum {
	FEW = 3,              /* ids, at least, that two ranks share; and calls
			       * of a kind, of which none has an operation */
	XPROF_MOST = 1000000, /* events that JAX writes */
	MOST_FAILURES = 3,    /* that are named */
	MOST_HANGS = 4        /* groups of threads */
};

static const int64_t HANG_LEAST = 1000000000; /* ns */

/* while facts are made */
struct fact_draft {
	struct recording_evidence *x;
	struct text title, text, to_do;
};

static bool
is_share(int64_t part, int64_t whole, int percent)
{
	return part > 0 && (wide)part * 100 >= (wide)whole * percent;
}

static int64_t
sum(const int64_t of[EVIDENCE_LAUNCH_KINDS])
{
	int64_t n = 0;

	for (int k = 0; k < EVIDENCE_LAUNCH_KINDS; k++)
		n += of[k];
	return n;
}

/* ---- what is taken away ---- */

static bool
is_merged(const struct evidence_process *p)
{
	return (p->twice >= FEW &&
		   is_share(p->twice, p->launches[EVIDENCE_LAUNCH], 10)) ||
	       (p->shared >= FEW && is_share(p->shared, p->operations, 50));
}

/* True if no launch, no copy or no fill has an operation: it was not recorded,
   however few they are. */
static bool
lacks_a_kind(const struct evidence_process *p)
{
	for (int k = 0; k < EVIDENCE_LAUNCH_KINDS; k++)
		if (p->launches[k] >= FEW && p->without[k] == p->launches[k])
			return true;
	return false;
}

/* True if so many launches have no operation that it is worth a word. */
static bool
lacks_operations(const struct evidence_process *p)
{
	return is_share(sum(p->without), sum(p->launches), 1) ||
	       lacks_a_kind(p);
}

static bool
runs_too_long(const struct evidence_process *p)
{
	return is_share(p->wrong, p->work, 1);
}

static bool
is_early(const struct evidence_process *p)
{
	return is_share(p->early, p->early_of, 1);
}

static void
find_reasons(struct recording_evidence *x, const struct evidence_process *p,
    int64_t operations)
{
	if (operations == 0)
		x->without_device = true;
	else if (is_share(p->before, sum(p->without), 90))
		x->began_later = true;
	else if (is_share(p->after, sum(p->without), 90))
		x->ended_early = true;
	else if (x->xprof && is_share(x->records, XPROF_MOST, 99))
		x->full = true;
}

void
evidence_facts_section(struct recording_evidence *x)
{
	int64_t operations = 0;
	unsigned all = 0;

	for (size_t i = x->from; i < x->processes.count; i++) {
		const struct evidence_process *p = &x->processes.all[i];

		operations += p->operations;
		if (is_merged(p))
			all = EVIDENCE_TAKES_SHARES | EVIDENCE_TAKES_VERDICT;
	}
	for (size_t i = x->from; i < x->processes.count; i++) {
		struct evidence_process *p = &x->processes.all[i];

		p->takes = all;
		if (p->failed != INT64_MAX && p->launched < p->failed)
			p->takes |= EVIDENCE_TAKES_ADVICE;
		if (runs_too_long(p))
			p->takes |=
			    EVIDENCE_TAKES_SHARES | EVIDENCE_TAKES_VERDICT;
		if (is_early(p))
			p->takes |= EVIDENCE_TAKES_QUEUE;
		if (all != 0 || !lacks_operations(p))
			continue;
		find_reasons(x, p, operations);
		if (is_share(sum(p->without), sum(p->launches), 5))
			p->takes |= EVIDENCE_TAKES_VERDICT |
				    EVIDENCE_TAKES_IDLE | EVIDENCE_TAKES_GRAPHS;
	}
}

/* ---- facts ---- */

static struct span
keep(struct recording_evidence *x, struct text *t)
{
	struct span s = region_copy(&x->life, text_span(t));

	t->len = 0;
	return s;
}

/* The fact of what d->title and d->text have. */
static void
add_fact(struct fact_draft *d, const struct evidence_fact *fact)
{
	struct evidence_fact *f = &d->x->facts[d->x->fact_count++];

	*f = *fact;
	f->title = keep(d->x, &d->title);
	f->text = keep(d->x, &d->text);
	f->to_do = keep(d->x, &d->to_do);
}

/* A blank before it, where it is not the first; NULL: nothing. */
static void
add_sentence(struct text *t, const char *sentence)
{
	if (sentence == NULL)
		return;
	if (t->len > 0)
		text_add_char(t, ' ');
	text_add_str(t, sentence);
}

static void
add_first(struct fact_draft *d, int64_t ts)
{
	text_add_str(&d->text, "The first at ");
	amount_time(&d->text, ts);
	text_add_str(&d->text, ". ");
}

static const struct evidence_process *
process_of(const struct recording_evidence *x, const struct evidence_failure *f)
{
	return numbered_find(&x->processes, x->calls.all[f->call].process);
}

/* "21 of 21 cudaLaunchKernel failed: 222 cudaErrorUnsupportedPtxVersion" */
static void
add_failure(struct text *t, const struct recording_evidence *x,
    const struct evidence_failure *f)
{
	const struct evidence_call *c = &x->calls.all[f->call];
	const char *name = api_error_name(c->call.family, f->code);

	amount_count(t, f->count);
	text_add_str(t, " of ");
	amount_count(t, c->count);
	text_add_char(t, ' ');
	text_add_span(t, intern_text(&x->texts, f->name));
	text_printf(t, " failed: %" PRId64, f->code);
	if (name != NULL)
		text_printf(t, " %s", name);
}

/*
 * Of a context that is gone, or a runtime that is unloaded, at the end of its
 * process.
 */
static bool
is_of_exit(const struct recording_evidence *x, const struct evidence_failure *f)
{
	const struct evidence_process *p = process_of(x, f);

	return (f->code == 4 || f->code == 709) && p->launched < f->ts;
}

/* what ended the work of its process, then the most */
static int
most_first(const void *pa, const void *pb, void *evidence)
{
	const struct evidence_failure *a = *(void *const *)pa;
	const struct evidence_failure *b = *(void *const *)pb;
	unsigned of_a = process_of(evidence, a)->takes & EVIDENCE_TAKES_ADVICE;
	unsigned of_b = process_of(evidence, b)->takes & EVIDENCE_TAKES_ADVICE;

	if (of_a != of_b)
		return of_a != 0 ? -1 : 1;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return (a->ts > b->ts) - (a->ts < b->ts);
}

/* What the process of the failures in the title did after the first of them. */
static void
add_consequence(
    struct fact_draft *d, const struct evidence_process *p, int64_t ts)
{
	if ((p->takes & EVIDENCE_TAKES_ADVICE) != 0)
		text_add_str(&d->text,
		    "No launch of its process succeeded after that, so nothing "
		    "else is advised on it. ");
	else if (p->launched > ts)
		text_add_str(&d->text, "Its process went on. ");
	if (sum(p->launches) == 0 && p->operations > 0)
		text_printf(&d->text,
		    "Yet %" PRId64 " operation%s of it %s recorded. ",
		    p->operations, p->operations == 1 ? "" : "s",
		    p->operations == 1 ? "was" : "were");
}

static void
find_failed(struct fact_draft *d)
{
	struct recording_evidence *x = d->x;
	const struct evidence_failure *all[EVIDENCE_FAILURES];
	struct evidence_fact f = {.check = EVIDENCE_FAILED, .ts = INT64_MAX};
	const struct evidence_process *worst;
	size_t n = 0;

	for (size_t i = 0; i < x->failures.count; i++)
		if (!is_of_exit(x, &x->failures.all[i]))
			all[n++] = &x->failures.all[i];
	if (n == 0)
		return;
	qsort_r(all, n, sizeof(*all), most_first, x);
	worst = process_of(x, all[0]);
	for (size_t i = 0; i < n; i++) {
		const struct evidence_process *p = process_of(x, all[i]);

		f.count += all[i]->count;
		f.takes |= p->takes & EVIDENCE_TAKES_ADVICE;
		if (p == worst && f.ts > all[i]->ts)
			f.ts = all[i]->ts;
	}
	add_failure(&d->title, x, all[0]);
	add_first(d, f.ts);
	add_consequence(d, worst, f.ts);
	for (size_t i = 1; i < n && i < MOST_FAILURES; i++) {
		add_failure(&d->text, x, all[i]);
		text_add_str(&d->text, ". ");
	}
	if (n > MOST_FAILURES)
		text_printf(&d->text, "%zu more failure%s. ", n - MOST_FAILURES,
		    n - MOST_FAILURES == 1 ? "" : "s");
	d->text.len--; /* the blank */
	add_fact(d, &f);
}

static void
find_merged(struct fact_draft *d)
{
	struct recording_evidence *x = d->x;
	struct evidence_fact f = {.check = EVIDENCE_MERGED, .ts = NO_ID};

	for (size_t i = 0; i < x->processes.count; i++) {
		const struct evidence_process *p = &x->processes.all[i];

		if (!is_merged(p))
			continue;
		f.count += p->twice > 0 ? p->twice : p->shared;
		f.takes |= EVIDENCE_TAKES_SHARES | EVIDENCE_TAKES_VERDICT;
	}
	if (f.takes == 0)
		return;
	text_add_str(&d->title, "Two ranks or more are in one recording");
	amount_count(&d->text, f.count);
	text_add_str(&d->text,
	    " launches have the correlation id of another one, so "
	    "operations of several GPUs look like those of one. No share of a "
	    "GPU's time is right: give the ranks as files of their own.");
	add_fact(d, &f);
}

/* "91 of 91 launches and 91 of 91 copies have no operation" */
static void
add_without(
    struct fact_draft *d, const int64_t without[], const int64_t launches[])
{
	static const char *const words[] = {"launch", "copy", "fill"};
	static const char *const plural[] = {"launches", "copies", "fills"};
	bool any = false;

	for (int k = 0; k < EVIDENCE_LAUNCH_KINDS; k++) {
		if (without[k] == 0)
			continue;
		text_add_str(&d->title, any ? " and " : "");
		any = true;
		amount_count(&d->title, without[k]);
		text_add_str(&d->title, " of ");
		amount_of(&d->title, launches[k], words[k], plural[k]);
	}
	text_add_str(&d->title, sum(without) == 1 ? " has" : " have");
	text_add_str(&d->title, " no operation");
}

static void
add_reasons(struct fact_draft *d)
{
	const struct recording_evidence *x = d->x;

	if (x->without_device)
		text_add_str(&d->text,
		    "No operation of a device was recorded at all, only calls "
		    "of the host. ");
	if (x->without_device && x->wsl)
		text_add_str(&d->text,
		    "It was recorded in WSL2, whose driver gives operations "
		    "only where the profiler supports it. ");
	if (x->began_later)
		text_add_str(&d->text,
		    "Nearly all of them were called before the first operation "
		    "that was recorded: the profiler began later on the "
		    "device. ");
	if (x->ended_early)
		text_add_str(&d->text,
		    "Nearly all of them are the last ones: the recording ended "
		    "before their operations ran. ");
	if (x->full)
		text_add_str(&d->text,
		    "The trace has about 1,000,000 events, the most that JAX "
		    "writes. ");
	if (x->old_profiler)
		text_add_str(
		    &d->text, "The profiler is older than the driver. ");
}

/* Of the first reason that is known. */
static const char *
without_remedy(const struct recording_evidence *x, const int64_t without[])
{
	if (x->ended_early)
		return "Let the recording go on until the GPU is done: wait "
		       "for it (cudaDeviceSynchronize) before it ends.";
	if (x->began_later)
		return "Begin to record before the first launch.";
	if (x->full)
		return "Record fewer steps.";
	if (x->rocpd && without[EVIDENCE_LAUNCH] == 0)
		return "rocprofv3 records copies with --memory-copy-trace.";
	return NULL;
}

static void
find_without_operation(struct fact_draft *d)
{
	struct recording_evidence *x = d->x;
	int64_t without[EVIDENCE_LAUNCH_KINDS] = {0};
	int64_t launches[EVIDENCE_LAUNCH_KINDS] = {0};
	struct evidence_fact f = {
	    .check = EVIDENCE_WITHOUT_OPERATION, .ts = INT64_MAX};

	for (size_t i = 0; i < x->processes.count; i++) {
		const struct evidence_process *p = &x->processes.all[i];

		if ((p->takes & EVIDENCE_TAKES_SHARES) != 0 ||
		    !lacks_operations(p))
			continue;
		for (int k = 0; k < EVIDENCE_LAUNCH_KINDS; k++) {
			without[k] += p->without[k];
			launches[k] += p->launches[k];
		}
		f.takes |=
		    p->takes & (EVIDENCE_TAKES_VERDICT | EVIDENCE_TAKES_IDLE |
				   EVIDENCE_TAKES_GRAPHS);
		if (f.ts > p->without_first)
			f.ts = p->without_first;
	}
	f.count = sum(without);
	f.of = sum(launches);
	if (f.count == 0)
		return;
	add_without(d, without, launches);
	text_add_str(&d->text, "The calls succeeded. ");
	add_first(d, f.ts);
	add_reasons(d);
	add_sentence(&d->to_do, without_remedy(x, without));
	text_add_str(&d->text,
	    f.takes != 0 ? "The recording knows a part of what the GPU did: "
			   "there is no verdict, no cause of idle time and no "
			   "advice on graphs."
			 : "Times of the GPU may be too low.");
	add_fact(d, &f);
}

static void
find_durations(struct fact_draft *d)
{
	struct recording_evidence *x = d->x;
	struct evidence_fact f = {.check = EVIDENCE_DURATIONS,
	    .count = x->too_long + x->backward,
	    .ts = x->too_long > 0 ? x->too_long_at : x->backward_at};

	if (f.count == 0)
		return;
	for (size_t i = 0; i < x->processes.count; i++)
		if (runs_too_long(&x->processes.all[i]))
			f.takes |=
			    EVIDENCE_TAKES_SHARES | EVIDENCE_TAKES_VERDICT;
	if (x->too_long == 0) {
		amount_of(&d->title, f.count, "event ends", "events end");
		text_add_str(&d->title, " before the start");
	} else {
		amount_of(&d->title, f.count, "event has", "events have");
		text_add_str(&d->title, f.count > 1
					    ? " impossible durations"
					    : " an impossible duration");
	}
	if (f.ts != NO_ID)
		add_first(d, f.ts);
	if (x->too_long > 0) {
		amount_of(
		    &d->text, x->too_long, "operation runs", "operations run");
		text_add_str(&d->text, " over the start of up to ");
		amount_of(&d->text, x->over, "later one", "later ones");
		text_add_str(&d->text, " of the same stream. ");
	}
	if (x->backward > 0) {
		text_add_str(&d->text, "What ends before its start is left out "
				       "of all times. ");
	}
	text_add_str(&d->text, f.takes == 0
				   ? "Shares change by less than 1 %."
				   : "No share of a GPU's time is right.");
	add_fact(d, &f);
}

static void
find_losses(struct fact_draft *d)
{
	struct recording_evidence *x = d->x;
	struct evidence_fact f = {
	    .check = EVIDENCE_LOSSES, .count = x->lost, .ts = NO_ID};

	if (x->lost == 0 && x->cut == 0)
		return;
	f.look = x->lost > 0 ? NULL : "tq-stats -r run FILE";
	text_add_str(&d->title, x->lost > 0
				    ? "Events were lost"
				    : "The stream was cut before its end");
	if (x->lost > 0) {
		f.ts = x->lost_at;
		f.count = time_end(x->lost, x->lost_by_time);
		amount_count(&d->text, f.count);
		text_add_str(&d->text, " of them");
		if (x->lost_by_time > 0) {
			text_add_str(&d->text, ", ");
			amount_count(&d->text, x->lost_by_time);
			text_add_str(&d->text, " for an impossible time");
		}
		if (x->lost_at != NO_ID) {
			text_add_str(&d->text, ", the first at ");
			amount_time(&d->text, x->lost_at);
		}
		text_add_str(&d->text,
		    x->cut > 0 ? ", and the stream was cut before its end. "
			       : ". ");
	}
	text_add_str(&d->text,
	    "Counts, times and the shares of compute, communication and "
	    "copies may be too low, those of idle time too high.");
	add_fact(d, &f);
}

static void
find_without_time(struct fact_draft *d)
{
	struct recording_evidence *x = d->x;
	struct evidence_fact f = {.check = EVIDENCE_WITHOUT_TIME,
	    .count = x->without_time,
	    .ts = NO_ID};

	if (x->without_time == 0)
		return;
	amount_of(&d->title, f.count, "operation has", "operations have");
	text_add_str(&d->title, " no time");
	text_add_str(&d->text,
	    "The profiler could not collect their start and end; they are "
	    "left out of all times.");
	add_fact(d, &f);
}

static void
find_clocks(struct fact_draft *d)
{
	struct recording_evidence *x = d->x;
	struct evidence_fact f = {.check = EVIDENCE_CLOCKS, .ts = INT64_MAX};
	int64_t most = 0;

	for (size_t i = 0; i < x->processes.count; i++) {
		const struct evidence_process *p = &x->processes.all[i];

		if (!is_early(p))
			continue;
		f.count += p->early;
		f.of += p->early_of;
		f.takes |= EVIDENCE_TAKES_QUEUE;
		if (most < p->early_most)
			most = p->early_most;
		if (f.ts > p->early_first)
			f.ts = p->early_first;
	}
	if (f.count == 0)
		return;
	text_add_str(&d->title, "The clock of the device is up to ");
	amount_time(&d->title, most);
	text_add_str(&d->title, " early");
	amount_count(&d->text, f.count);
	text_add_str(&d->text, " of ");
	amount_of(&d->text, f.of, "operation", "operations");
	text_add_str(&d->text,
	    f.count == 1 ? " starts before its call begins, so no arrow is "
			   "drawn to it. "
			 : " start before their calls begin, so no arrow is "
			   "drawn to them. ");
	text_add_str(
	    &d->text, "Idle time by launches and queues is uncertain.");
	add_fact(d, &f);
}

/* ---- calls that hang ---- */

/* True of calls in which a program waits for work, or for time to pass. */
static bool
is_idle(struct span name)
{
	static const char *const words[] = {"poll", "select", "accept", "sleep",
	    "wait4", "waitid", "waitpid", "pause", "sigwait", "sigsuspend",
	    "sigtimedwait", "restart_syscall"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (memmem(name.p, name.len, words[i], strlen(words[i])) !=
		    NULL)
			return true;
	return span_eq(name, SPAN("wait"));
}

/*
 * True of a thread in a call that should return: the first one of its process,
 * or any that waits for a device or another rank.
 */
static bool
is_hung(const struct evidence_hang *h)
{
	return (h->tid == h->pid || h->api) && !is_idle(h->name) &&
	       time_between(h->ts, h->end) >= HANG_LEAST;
}

/* True if the process of h hangs. */
static bool
is_of_hung(const struct recording_evidence *x, const struct evidence_hang *h)
{
	if (time_between(h->ts, h->end) < HANG_LEAST || is_idle(h->name))
		return false;
	for (size_t i = 0; i < x->hang_count; i++)
		if (x->hangs[i].pid == h->pid && x->hangs[i].end == h->end &&
		    is_hung(&x->hangs[i]))
			return true;
	return false;
}

static void
add_thread(struct text *t, const struct evidence_hang *h, int64_t tid)
{
	if (tid == h->pid)
		text_add_str(t, "the main thread");
	else
		text_printf(t, "thread %" PRId64, tid);
}

/* True if they wait in the same place, for the same. */
static bool
are_equal(const struct evidence_hang *a, const struct evidence_hang *b)
{
	return span_eq(a->name, b->name) && span_eq(a->at, b->at) &&
	       a->owner == b->owner && (a->tid == a->pid) == (b->tid == b->pid);
}

/* "the main thread in read at f (a.c), held by thread 12", "3 threads in ..."
 */
static void
add_hang(struct text *t, const struct evidence_hang *h, int64_t threads)
{
	if (threads > 1)
		text_printf(t, "%" PRId64 " threads", threads);
	else
		add_thread(t, h, h->tid);
	text_add_str(t, " in ");
	text_add_span(t, h->name);
	if (h->at.len > 0) {
		text_add_str(t, " at ");
		text_add_span(t, h->at);
	}
	if (h->owner == NO_ID)
		return;
	text_add_str(t, ", held by ");
	if (h->owner == h->tid && threads == 1)
		text_add_str(t, "itself");
	else
		add_thread(t, h, h->owner);
}

/* threads that wait in one place */
struct hang_group {
	const struct evidence_hang *first;
	int64_t threads;
};

static struct hang_group *
group_of(struct hang_group *groups, size_t *n, const struct evidence_hang *h)
{
	for (size_t i = 0; i < *n; i++)
		if (are_equal(groups[i].first, h))
			return &groups[i];
	if (*n == MOST_HANGS)
		return NULL;
	groups[*n].first = h;
	return &groups[(*n)++];
}

static void
add_groups(
    struct text *t, const struct hang_group *groups, size_t n, int64_t threads)
{
	for (size_t i = 0; i < n; i++) {
		text_add_str(t, i > 0 ? "; " : "");
		add_hang(t, groups[i].first, groups[i].threads);
		threads -= groups[i].threads;
	}
	if (threads > 0)
		text_printf(t, "; and %" PRId64 " more", threads);
	text_add_char(t, '.');
	if (t->p[0] == 't')
		t->p[0] = 'T'; /* of "the" or "thread" */
}

static void
find_hangs(struct fact_draft *d)
{
	const struct recording_evidence *x = d->x;
	struct evidence_fact f = {.check = EVIDENCE_HANGS, .ts = NO_ID};
	struct hang_group groups[MOST_HANGS] = {0}, *g;
	int64_t longest = 0;
	size_t n = 0;

	for (size_t i = 0; i < x->hang_count; i++) {
		const struct evidence_hang *h = &x->hangs[i];

		if (!is_of_hung(x, h))
			continue;
		if ((g = group_of(groups, &n, h)) != NULL)
			g->threads++;
		if (f.count++ == 0 || h->ts < f.ts)
			f.ts = h->ts;
		if (longest < time_between(h->ts, h->end))
			longest = time_between(h->ts, h->end);
	}
	if (f.count == 0)
		return;
	add_groups(&d->text, groups, n, f.count);
	text_printf(&d->title, "%" PRId64 " thread%s wait%s since ", f.count,
	    f.count > 1 ? "s" : "", f.count > 1 ? "" : "s");
	amount_time(&d->title, longest);
	add_fact(d, &f);
}

static void
find_messages(struct fact_draft *d)
{
	struct recording_evidence *x = d->x;
	struct evidence_fact f = {.check = EVIDENCE_DIAGNOSTICS, .ts = NO_ID};

	for (int m = MESSAGE_NOTHING + 1; m < MESSAGES; m++) {
		if (x->messages[m] == 0)
			continue;
		f.count += x->messages[m];
		if (d->title.len == 0) {
			text_add_str(&d->title, message_title((enum message)m));
		} else {
			text_add_str(&d->text, message_title((enum message)m));
			text_add_str(&d->text, ". ");
		}
		text_add_str(&d->text, message_reason((enum message)m));
		text_add_char(&d->text, ' ');
		add_sentence(&d->to_do, message_remedy((enum message)m));
		if (m == MESSAGE_ERROR) {
			text_add_span(&d->text, x->error);
			text_add_char(&d->text, ' ');
		}
	}
	if (f.count == 0)
		return;
	d->text.len--; /* the last blank */
	add_fact(d, &f);
}

void
evidence_facts_make(struct recording_evidence *x)
{
	static void (*const find[EVIDENCE_CHECKS])(struct fact_draft *) = {
	    [EVIDENCE_FAILED] = find_failed,
	    [EVIDENCE_MERGED] = find_merged,
	    [EVIDENCE_HANGS] = find_hangs,
	    [EVIDENCE_WITHOUT_OPERATION] = find_without_operation,
	    [EVIDENCE_DURATIONS] = find_durations,
	    [EVIDENCE_LOSSES] = find_losses,
	    [EVIDENCE_WITHOUT_TIME] = find_without_time,
	    [EVIDENCE_CLOCKS] = find_clocks,
	    [EVIDENCE_DIAGNOSTICS] = find_messages,
	};
	struct fact_draft d = {.x = x};

	for (int c = 0; c < EVIDENCE_CHECKS; c++)
		find[c](&d);
	text_free(&d.title);
	text_free(&d.text);
	text_free(&d.to_do);
}
