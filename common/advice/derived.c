/* derived.c - keys that need other records than the one that has them */

#include "tq/account/cpu_samples.h"
#include "tq/base/array.h"
#include "tq/base/ascii.h"
#include "tq/base/time.h"
#include "tq/line/json.h"
#include "tq/line/sched.h"
#include "tq/names/api_call.h"
#include "tq/names/model.h"
#include "tq/names/symbol_class.h"

#include "tq/advice/derived.h"
#include "tq/evidence/overhead.h"

enum {
	QUEUED_LEAST = 30000,    /* ns */
	SAMPLES_APART = 10000000 /* ns, at most: a thread that runs all the
				  * time is sampled each 0.1 to 10 ms */
};

__extension__ typedef __int128 derived_wide;

#define NAME(key, name) [key] = {name, sizeof(name) - 1}

static const struct span names[DERIVED_KEYS] = {
    NAME(DERIVED_STEADY, "steady"),
    NAME(DERIVED_QUEUED, "queued"),
    NAME(DERIVED_SM_SHARE, "sm_share"),
    NAME(DERIVED_THREADS, "threads"),
    NAME(DERIVED_SPAN_SHARE, "span_share"),
    NAME(DERIVED_OCC, "occ"),
    NAME(DERIVED_WAVES, "waves"),
    NAME(DERIVED_WAVE_SHARE, "wave_share"),
    NAME(DERIVED_NAME_SHARE, "name_share"),
    NAME(DERIVED_NAME_FIRST, "name_first"),
    NAME(DERIVED_SHARED_STREAM, "shared_stream"),
    NAME(DERIVED_SERIAL_STREAM, "serial_stream"),
    NAME(DERIVED_TENSOR_CORES, "tensor_cores"),
    NAME(DERIVED_FP32_MATRIX, "fp32_matrix"),
    NAME(DERIVED_PEERS, "peers"),
    NAME(DERIVED_LATE, "late"),
    NAME(DERIVED_LAST_SHARE, "last_share"),
    NAME(DERIVED_RATE, "rate"),
    NAME(DERIVED_RATE_SHARE, "rate_share"),
    NAME(DERIVED_TRIPS, "trips"),
    NAME(DERIVED_LOAD_PHASE, "load_phase"),
    NAME(DERIVED_CLOCK_SHARE, "clock_share"),
    NAME(DERIVED_THROTTLED, "throttled"),
    NAME(DERIVED_WAITED, "waited"),
    NAME(DERIVED_FIRST_USE, "first_use"),
    NAME(DERIVED_OF_GRAPH, "of_graph"),
    NAME(DERIVED_QUEUED_SHARE, "queued_share"),
    NAME(DERIVED_RUN, "run"),
    NAME(DERIVED_BLOCKING, "blocking"),
    NAME(DERIVED_HAS_WORK, "has_work"),
    NAME(DERIVED_LAUNCHED, "launched"),
    NAME(DERIVED_POLLS, "polls"),
    NAME(DERIVED_SPUN, "spun"),
    NAME(DERIVED_BUSY_WAIT, "busy_wait"),
    NAME(DERIVED_LAUNCHES, "launching"),
    NAME(DERIVED_ROLE, "role"),
    NAME(DERIVED_WAITS, "waits"),
    NAME(DERIVED_PROFILER, "profiler"),
    NAME(DERIVED_LOADING, "loading"),
    NAME(DERIVED_STEP_PHASE, "step_phase"),
    NAME(DERIVED_STEP_SYNCS, "step_syncs"),
    NAME(DERIVED_STEP, "step"),
    NAME(DERIVED_STEP_SHARE, "step_share"),
    NAME(DERIVED_STEP_EXCESS, "step_excess"),
    NAME(DERIVED_IMBALANCE, "imbalance"),
    NAME(DERIVED_IMBALANCE_SHARE, "imbalance_share"),
    NAME(DERIVED_OFF, "off"),
    NAME(DERIVED_DRIFT, "drift"),
    NAME(DERIVED_LEVEL, "level"),
    NAME(DERIVED_LEVEL_EXCESS, "level_excess"),
    NAME(DERIVED_RISES, "rises"),
};

#undef NAME

_Static_assert((int)DERIVED_KEYS <= EVENT_EXTRAS, "each has a bit");

int
derived_number(struct span key)
{
	for (int i = 0; i < DERIVED_KEYS; i++)
		if (span_eq(key, names[i]))
			return i;
	return -1;
}

uint64_t
derived_bit(struct span key)
{
	int number = derived_number(key);

	return number >= 0 ? (uint64_t)1 << number : 0;
}

bool
derived_ask(struct derived *d, enum kind kind, struct span key)
{
	uint64_t bit = derived_bit(key);

	d->asked[kind] |= bit;
	return bit != 0;
}

static bool
asked(const struct derived *d, const struct event *ev, enum derived_key key)
{
	return d->asked[ev->kind] >> key & 1;
}

void
derived_section(struct derived *d)
{
	d->section++;
	numbered_clear(&d->off);
	numbered_clear(&d->waited);
	numbered_clear(&d->polls);
	numbered_clear(&d->waits);
	numbered_clear(&d->launches);
	numbered_clear(&d->given);
}

/* Each adds its key where a rule asks for it. */
static inline void
add_int(
    struct derived *d, const struct event *ev, enum derived_key key, int64_t v)
{
	uint64_t bit = (uint64_t)1 << key;

	if (!asked(d, ev, key))
		return;
	d->has |= bit;
	d->extra.has |= bit;
	d->extra.value[key] = v;
}

static inline void
add_bool(
    struct derived *d, const struct event *ev, enum derived_key key, bool v)
{
	uint64_t bit = (uint64_t)1 << key;

	if (!asked(d, ev, key))
		return;
	add_int(d, ev, key, v);
	d->extra.is_bool |= bit;
	d->is_false |= v ? 0 : bit;
}

static void
add_role(struct derived *d, struct event *ev, struct span role)
{
	if (!asked(d, ev, DERIVED_ROLE))
		return;
	*array_add(&ev->unknown, &ev->unknown_count, &ev->unknown_cap) =
	    (struct event_member){names[DERIVED_ROLE], role};
	d->has |= (uint64_t)1 << DERIVED_ROLE;
}

/* ---- steady ---- */

static void
add_steady(struct derived *d, struct event *ev)
{
	if (!asked(d, ev, DERIVED_STEADY))
		return;
	if (d->process != model_process(ev)) {
		d->process = model_process(ev);
		d->steady_from = survey_steady_from(d->survey, d->process);
	}
	add_bool(
	    d, ev, DERIVED_STEADY, event_int(ev, KEY_ts, 0) >= d->steady_from);
}

/* ---- kernels ---- */

/*
 * The product of up to four numbers of up to four digits, as they are written:
 * [64,1,1].  False: it may be one all the same.
 */
static bool
small_product(struct span array, int64_t *all)
{
	int64_t product = 1, v = 0;
	size_t digits = 0, numbers = 0;

	for (size_t i = 1; i < array.len; i++) {
		char c = array.p[i];

		if (ascii_is_digit(c) && digits < 4) {
			v = v * 10 + (c - '0');
			digits++;
		} else if (c == (i + 1 < array.len ? ',' : ']') && v > 0 &&
			   numbers < 4) {
			product *= v;
			numbers++;
			v = 0;
			digits = 0;
		} else
			return false;
	}
	*all = product;
	return numbers > 0;
}

/* The product of an array of integers; 0 if it is none, or too large. */
static int64_t
product(const struct event *ev, enum key k)
{
	struct json j;
	struct span element;
	int64_t all = 1, v;

	if (!event_has(ev, k))
		return 0;
	if (small_product(ev->value[k], &all))
		return all;
	json_open_array(&j, ev->value[k]);
	while (json_next_element(&j, &element))
		if (!json_int(element, &v) || v <= 0 ||
		    __builtin_mul_overflow(all, v, &all))
			return 0;
	return all;
}

/* Its multiprocessors: of the process's device, or of that of all processes. */
static const struct survey_device *
find_device(const struct derived *d, const struct event *ev)
{
	const struct survey_device *x = &d->survey->device.all[d->device];
	const struct survey_device *all;

	if (x->sms > 0 || x->hardware.vendor != HARDWARE_UNKNOWN)
		return x;
	all = survey_find_device(d->survey,
	    model_device_of(ev->model, NO_ID, event_int(ev, KEY_device, 0)));
	return all != NULL ? all : x;
}

/* Which share of a device has blocks, and for how many waves. */
static void
add_occupancy(struct derived *d, struct event *ev,
    const struct survey_device *x, int64_t threads)
{
	struct occupancy_block block = {.threads = threads,
	    .regs = event_int(ev, KEY_regs, -1),
	    .shared = event_int(ev, KEY_smem, 0)};
	struct occupancy o;
	int64_t wave;

	if (!event_has(ev, KEY_smem) &&
	    __builtin_add_overflow(event_int(ev, KEY_smem_static, 0),
		event_int(ev, KEY_smem_dynamic, 0), &block.shared))
		return;
	if (!occupancy_of(x->hardware.sm, &block, &o))
		return;
	d->limit = o.limit;
	add_int(d, ev, DERIVED_OCC, o.percent);
	if (d->sms <= 0 || d->blocks <= 0 ||
	    __builtin_mul_overflow(d->sms, o.blocks, &wave) ||
	    d->blocks > INT64_MAX - wave)
		return;
	d->places = (d->blocks + wave - 1) / wave * wave;
	add_int(d, ev, DERIVED_WAVES,
	    (int64_t)((derived_wide)d->blocks * 100 / wave));
	add_int(d, ev, DERIVED_WAVE_SHARE,
	    (int64_t)((derived_wide)d->blocks * 100 / d->places));
}

/* What the device does with the symbol and the stream of the kernel. */
static void
add_use(struct derived *d, struct event *ev)
{
	struct workload *w = &d->survey->workload;

	if (asked(d, ev, DERIVED_NAME_SHARE))
		add_int(d, ev, DERIVED_NAME_SHARE, workload_name_share(w, ev));
	if (asked(d, ev, DERIVED_NAME_FIRST))
		add_bool(d, ev, DERIVED_NAME_FIRST, workload_name_first(w, ev));
	if (asked(d, ev, DERIVED_SHARED_STREAM))
		add_bool(d, ev, DERIVED_SHARED_STREAM, workload_shared(w, ev));
	if (asked(d, ev, DERIVED_SERIAL_STREAM))
		add_bool(d, ev, DERIVED_SERIAL_STREAM, workload_serial(w, ev));
}

/* By its name, or the full one of its symbol. */
static bool
is_fp32_matrix(struct derived *d, const struct event *ev)
{
	bool fresh;
	bool *is = numbered_get(&d->fp32_matrix, model_symbol(ev), &fresh);
	const bool *full = NULL;
	struct text t = {0};

	if (!fresh)
		return *is;
	if (event_has(ev, KEY_sym))
		full = keyed_find(&d->full_fp32_matrix, d->section,
		    (uint64_t)event_int(ev, KEY_sym, 0));
	*is = full != NULL && *full;
	if (!*is)
		*is = symbol_class_is_fp32_matrix(event_str(ev, KEY_name, &t));
	text_free(&t);
	return *is;
}

/* What the kernel has to do with those of other ranks. */
static void
add_ranks(struct derived *d, struct event *ev)
{
	const struct kernel_wait *x = rank_waits_kernel(&d->survey->ranks);

	d->wait = x;
	if (x == NULL)
		return;
	add_int(d, ev, DERIVED_PEERS, x->peers);
	add_int(d, ev, DERIVED_LATE, x->wait);
	add_int(d, ev, DERIVED_LAST_SHARE, x->last_share);
}

static void
add_kernel(struct derived *d, struct event *ev)
{
	const struct survey_device *x = find_device(d, ev);
	int64_t threads = product(ev, KEY_block);

	d->blocks = product(ev, KEY_grid);
	d->sms = x->sms > 0 ? x->sms : 0;
	if (d->blocks > 0 && d->sms > 0)
		add_int(d, ev, DERIVED_SM_SHARE,
		    (int64_t)((derived_wide)d->blocks * 100 / d->sms));
	if (threads > 0)
		add_int(d, ev, DERIVED_THREADS, threads);
	if (x->hardware.matrix != MATRIX_UNKNOWN)
		add_bool(d, ev, DERIVED_TENSOR_CORES,
		    x->hardware.matrix != MATRIX_NONE);
	if (asked(d, ev, DERIVED_FP32_MATRIX))
		add_bool(d, ev, DERIVED_FP32_MATRIX, is_fp32_matrix(d, ev));
	if (threads > 0)
		add_occupancy(d, ev, x, threads);
	add_use(d, ev);
}

static void
add_copy(struct derived *d, struct event *ev)
{
	struct workload *w = &d->survey->workload;

	d->rate = workload_rate(ev);
	if (d->rate > 0)
		add_int(d, ev, DERIVED_RATE, d->rate);
	if (event_int(ev, KEY_bytes, 0) >= WORKLOAD_LARGE)
		d->best_rate = workload_best_rate(w, ev);
	if (d->rate > 0 && d->best_rate > 0)
		add_int(d, ev, DERIVED_RATE_SHARE,
		    (int64_t)((derived_wide)d->rate * 100 / d->best_rate));
	if (asked(d, ev, DERIVED_TRIPS))
		add_int(d, ev, DERIVED_TRIPS, workload_trips(w, ev));
}

static struct derived_given *
given_of(struct derived *d, const struct event *ev)
{
	bool fresh;
	struct derived_given *g =
	    numbered_get(&d->given, model_process(ev), &fresh);

	if (fresh)
		*g = (struct derived_given){INT64_MIN, INT64_MIN};
	return g;
}

static void
start_work(struct derived *d, const struct event *ev)
{
	struct derived_given *g = given_of(d, ev);
	int64_t call = event_int(ev, KEY_api_ts, 0);

	if (g->started < call)
		g->started = call;
}

/* True if the call that launched the copy or fill returns when it is done. */
static bool
is_blocking(const struct event *ev)
{
	struct named_call call =
	    model_symbol_at(ev->model, model_launching_symbol(ev))->call;

	return (call.role == API_COPY || call.role == API_FILL) && !call.async;
}

static void
add_operation(struct derived *d, struct event *ev)
{
	const struct survey_device *x =
	    survey_find_device(d->survey, model_device(ev));
	int64_t call = event_int(ev, KEY_api_ts, 0);

	call = time_end(call, event_int(ev, KEY_api_dur, 0));
	if (event_has(ev, KEY_api_ts) &&
	    (d->asked[KIND_api] >> DERIVED_HAS_WORK & 1) != 0)
		start_work(d, ev);
	if (event_has(ev, KEY_api_ts))
		add_int(d, ev, DERIVED_QUEUED,
		    time_between(call, event_int(ev, KEY_ts, 0)));
	if (asked(d, ev, DERIVED_BLOCKING) && event_has(ev, KEY_api_name))
		add_bool(d, ev, DERIVED_BLOCKING, is_blocking(ev));
	if (x == NULL)
		return;
	d->device = (size_t)(x - d->survey->device.all);
	survey_run(&d->survey->device.all[d->device], ev);
	if (ev->kind == KIND_kernel)
		add_kernel(d, ev);
	else if (ev->kind == KIND_memcpy)
		add_copy(d, ev);
	add_bool(d, ev, DERIVED_LOAD_PHASE,
	    event_int(ev, KEY_ts, 0) < x->load_until);
}

static void
add_clock(struct derived *d, struct event *ev)
{
	const struct clocks *c = &d->survey->clocks;
	int64_t share;

	if (d->asked[ev->kind] == 0 || !survey_runs(d->survey, d->section, ev))
		return;
	share = clocks_share(c, d->section, ev);
	if (share >= 0)
		add_int(d, ev, DERIVED_CLOCK_SHARE, share);
	if (asked(d, ev, DERIVED_THROTTLED))
		add_bool(d, ev, DERIVED_THROTTLED,
		    clocks_throttled(c, d->section, ev));
}

/* The share of the active span of its device, in percent. */
static void
add_gap(struct derived *d, struct event *ev)
{
	const struct survey_device *x =
	    survey_find_device(d->survey, model_device(ev));
	int64_t span = x != NULL ? time_between(x->first, x->until) : 0;

	if (span > 0)
		add_int(d, ev, DERIVED_SPAN_SHARE,
		    (int64_t)((derived_wide)event_int(ev, KEY_dur, 0) * 100 /
			      span));
}

/* ---- steps ---- */

/* A call of the host, in a step of its thread. */
static void
add_call(struct derived *d, struct event *ev, const struct step *x)
{
	add_int(d, ev, DERIVED_STEP_PHASE,
	    steps_phase(x, event_int(ev, KEY_ts, 0)));
	add_int(d, ev, DERIVED_STEP_SYNCS, x->syncs);
}

/* A range that is a step. */
static void
add_imbalance(struct derived *d, struct event *ev, const struct step *x)
{
	d->slowest = x->slowest;
	add_int(d, ev, DERIVED_IMBALANCE, x->imbalance);
	add_int(d, ev, DERIVED_IMBALANCE_SHARE,
	    steps_share(x->imbalance, x->computes));
}

static void
add_range(struct derived *d, struct event *ev, const struct process_steps *p,
    const struct step *x)
{
	add_int(d, ev, DERIVED_STEP, x->number);
	if (p->median > 0) {
		add_int(d, ev, DERIVED_STEP_SHARE,
		    steps_share(x->length, p->median));
		add_int(d, ev, DERIVED_STEP_EXCESS,
		    time_between(p->median, x->length));
	}
	if (x->imbalance > 0)
		add_imbalance(d, ev, x);
	add_int(d, ev, DERIVED_DRIFT, p->drift);
	if (x->slower > 0) {
		add_int(d, ev, DERIVED_LEVEL, p->level);
		add_int(d, ev, DERIVED_LEVEL_EXCESS, x->slower);
	}
	if (p->allocates && !p->memory_unsure)
		add_int(d, ev, DERIVED_RISES, x->rises);
}

/* Keys of calls and ranges from the step that they are in, or are. */
static void
add_step(struct derived *d, struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	const struct process_steps *p;
	const struct step *x;

	if (d->asked[ev->kind] >> DERIVED_STEP_PHASE == 0)
		return;
	p = survey_find_by_step(d->survey, model_process(ev));
	if (p == NULL || event_int(ev, KEY_tid, NO_ID) != p->tid ||
	    (x = steps_at(p, ts)) == NULL)
		return;
	if (ev->kind == KIND_api)
		add_call(d, ev, x);
	else if (x->ts == ts && x->end == event_end(ev, ts) &&
		 survey_is_step(d->survey, ev))
		add_range(d, ev, p, x);
}

/* ---- threads ---- */

static struct derived_wait *
wait_of(struct derived *d, const struct event *ev)
{
	bool fresh;
	struct derived_wait *w =
	    numbered_get(&d->waits, model_thread(ev), &fresh);

	if (fresh)
		*w = (struct derived_wait){.on = NO_ID, .sampled = NO_ID};
	return w;
}

static void
add_ran(struct derived *d, struct event *ev, const struct derived_wait *w,
    int64_t from, int64_t to)
{
	if (from >= to)
		return;
	d->busy_from = from;
	d->busy_symbol = w->symbol;
	add_int(d, ev, DERIVED_BUSY_WAIT, time_between(from, to));
}

/* The thread has had its processor up to now. */
static void
add_ran_until(
    struct derived *d, struct event *ev, struct derived_wait *w, int64_t now)
{
	int64_t to = w->end < now ? w->end : now;

	if (w->symbol > 0 && w->on != NO_ID)
		add_ran(d, ev, w, w->on > w->from ? w->on : w->from, to);
	w->from = to > w->from ? to : w->from;
}

/* True if the call can be told to sleep: it is of CUDA or HIP. */
static bool
can_sleep(const struct event *ev)
{
	struct span name = model_symbol_at(ev->model, model_symbol(ev))->name;

	return span_begins(name, SPAN("\"cu")) ||
	       span_begins(name, SPAN("\"hip"));
}

/* A call that waits, which may be in another one. */
static void
add_waiting(struct derived *d, struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);
	struct derived_wait *w = wait_of(d, ev);

	if (w->symbol > 0 && ts < w->end) {
		w->end = end > w->end ? end : w->end;
		return;
	}
	add_ran_until(d, ev, w, ts);
	w->from = ts;
	w->end = end;
	w->sampled = NO_ID;
	w->symbol = can_sleep(ev) ? model_symbol(ev) : 0;
}

static void
add_ran_or_not(struct derived *d, struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	struct derived_wait *w = wait_of(d, ev);

	if (event_true(ev, KEY_on)) {
		w->on = ts;
		return;
	}
	add_ran_until(d, ev, w, ts);
	w->on = NO_ID;
}

/* A sample of a running thread. */
static void
add_sample(struct derived *d, struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	struct derived_wait *w;

	if (!asked(d, ev, DERIVED_BUSY_WAIT) || cpu_samples_is_python(ev) ||
	    (d->survey->kinds >> KIND_sched & 1) != 0 ||
	    cpu_samples_state_of(ev) != CPU_SAMPLES_RUNNING)
		return;
	w = wait_of(d, ev);
	if (w->symbol == 0 || ts < w->from || ts >= w->end)
		return;
	if (w->sampled != NO_ID &&
	    time_between(w->sampled, ts) <= SAMPLES_APART)
		add_ran(d, ev, w, w->sampled, ts);
	w->sampled = ts;
}

static void
add_schedule(struct derived *d, struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	bool fresh;
	int64_t *off;

	if (asked(d, ev, DERIVED_BUSY_WAIT))
		add_ran_or_not(d, ev);
	if (!asked(d, ev, DERIVED_OFF))
		return;
	off = numbered_get(&d->off, model_thread(ev), &fresh);
	if (event_true(ev, KEY_on) && !fresh && *off != NO_ID)
		add_int(d, ev, DERIVED_OFF, time_between(*off, ts));
	*off = !event_true(ev, KEY_on) && sched_is_preempted(ev) ? ts : NO_ID;
}

/* Pools that give their memory back at a wait get it again behind it. */
static void
count_allocation(struct derived *d, const struct event *ev, enum api_role role)
{
	int64_t dur = event_int(ev, KEY_dur, 0);
	bool fresh, *waited;

	if (role == API_FREE || role == API_ALLOC || role == API_ALLOC_ASYNC)
		d->allocate = time_end(d->allocate, dur);
	if (role != API_WAIT && role != API_ALLOC_ASYNC)
		return;
	waited = numbered_get(&d->waited, model_thread(ev), &fresh);
	if (role == API_ALLOC_ASYNC && !fresh && *waited)
		d->refill = time_end(d->refill, dur);
	*waited = role == API_WAIT;
}

/* The thread gives work to a device, unless that is a part of another call. */
static void
give_work(struct derived *d, const struct event *ev, struct derived_launches *t,
    enum api_role role)
{
	int64_t ts = event_int(ev, KEY_ts, 0);

	if (ts < t->end)
		return;
	t->end = event_end(ev, ts);
	t->kernels += role == API_LAUNCH;
	given_of(d, ev)->called = ts;
}

void
derived_call(struct derived *d, const struct event *ev)
{
	const uint64_t asks =
	    (uint64_t)1 << DERIVED_HAS_WORK | (uint64_t)1 << DERIVED_LAUNCHED;
	struct derived_launches *t;
	enum api_role role;
	bool fresh;

	if ((d->asked[KIND_api] & asks) == 0 || !event_has(ev, KEY_name))
		return;
	role = model_symbol_at(ev->model, model_symbol(ev))->call.role;
	if (role != API_WAIT && role != API_LAUNCH &&
	    role != API_GRAPH_LAUNCH && role != API_COPY && role != API_FILL)
		return;
	t = numbered_get(&d->launches, model_thread(ev), &fresh);
	if (fresh)
		*t = (struct derived_launches){.end = INT64_MIN};
	if (role != API_WAIT) {
		give_work(d, ev, t, role);
		return;
	}
	d->launched = t->kernels;
	t->kernels = 0;
}

/* True if a device of the process has work when the call begins. */
static bool
has_work(struct derived *d, const struct event *ev)
{
	const struct derived_given *g = given_of(d, ev);

	return g->called > g->started ||
	       survey_process_runs(d->survey, d->section, model_process(ev),
		   event_int(ev, KEY_ts, 0));
}

/* How often the thread asks a device in a row whether it is done, and how long
   since it asked before. */
static void
add_polls(struct derived *d, struct event *ev, struct named_call call)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	struct derived_polls *p;
	bool fresh;

	if (call.role != API_QUERY ||
	    (!asked(d, ev, DERIVED_POLLS) && !asked(d, ev, DERIVED_SPUN)) ||
	    (call.about != API_EVENT && call.about != API_STREAM))
		return;
	p = numbered_get(&d->polls, model_thread(ev), &fresh);
	if (fresh || p->symbol != model_symbol(ev) ||
	    time_between(p->end, ts) > DERIVED_POLLS_APART)
		*p = (struct derived_polls){
		    .symbol = model_symbol(ev), .end = ts};
	add_int(d, ev, DERIVED_SPUN, time_between(p->end, event_end(ev, ts)));
	p->end = event_end(ev, ts);
	p->count++;
	add_int(d, ev, DERIVED_POLLS, p->count);
}

/* What the function of the call does. */
static void
add_function(struct derived *d, struct event *ev)
{
	struct named_call call = api_call_of_event(ev);

	count_allocation(d, ev, call.role);
	add_polls(d, ev, call);
	if (call.role == API_WAIT)
		add_int(d, ev, DERIVED_LAUNCHED, d->launched);
	if (call.role == API_FREE && asked(d, ev, DERIVED_HAS_WORK))
		add_bool(d, ev, DERIVED_HAS_WORK, has_work(d, ev));
	if (call.role == API_WAIT && asked(d, ev, DERIVED_BUSY_WAIT))
		add_waiting(d, ev);
	add_role(d, ev, api_call_role(call.role));
	add_bool(d, ev, DERIVED_WAITS, api_call_waits(call));
}

/* ---- the profiler ---- */

static void
add_overhead(struct derived *d, struct event *ev)
{
	enum overhead_of of = overhead_of_event(ev);

	add_bool(d, ev, DERIVED_PROFILER, of == OVERHEAD_PROFILER);
	add_bool(d, ev, DERIVED_LOADING, of == OVERHEAD_LOADING);
}

static void
clear(struct derived *d, struct event *ev)
{
	d->has = d->is_false = 0;
	d->extra.has = d->extra.is_bool = 0;
	ev->extra = &d->extra;
}

void
derived_add(struct derived *d, struct event *ev)
{
	clear(d, ev);
	d->device = SIZE_MAX;
	d->blocks = d->sms = d->places = d->rate = d->best_rate = 0;
	d->limit = OCCUPANCY_UNKNOWN;
	d->wait = NULL;
	d->slowest = NO_ID;
	d->busy_symbol = 0;
	if (!event_has(ev, KEY_ts))
		return;
	if (ev->kind == KIND_kernel && d->survey->asks_ranks)
		add_ranks(d, ev);
	add_steady(d, ev);
	if (schema_role(ev->kind) == ROLE_WORK)
		add_operation(d, ev);
	else if (ev->kind == KIND_gap)
		add_gap(d, ev);
	else if (ev->kind == KIND_counter)
		add_clock(d, ev);
	else if (ev->kind == KIND_sched)
		add_schedule(d, ev);
	else if (ev->kind == KIND_sample)
		add_sample(d, ev);
	else if (ev->kind == KIND_overhead)
		add_overhead(d, ev);
	else if (ev->kind == KIND_api && event_has(ev, KEY_name))
		add_function(d, ev);
	else if (d->is_watched && survey_launches(d->survey, ev))
		add_bool(d, ev, DERIVED_LAUNCHES, true);
	if (ev->kind == KIND_api || ev->kind == KIND_range)
		add_step(d, ev);
}

void
derived_again(struct derived *d)
{
	d->has = d->extra.has;
	d->is_false = 0;
	for (uint64_t left = d->extra.is_bool; left != 0; left &= left - 1)
		if (d->extra.value[__builtin_ctzll(left)] == 0)
			d->is_false |= left & -left;
}

void
derived_add_launch(struct derived *d, struct event *ev, bool waited,
    bool first_use, bool of_graph, int64_t queued)
{
	int64_t dur = event_int(ev, KEY_dur, 0);

	queued = queued < QUEUED_LEAST || dur <= 0 ? 0 : queued;
	add_int(d, ev, DERIVED_QUEUED_SHARE,
	    queued > 0 ? (int64_t)((wide)queued * 100 / dur) : 0);
	add_bool(d, ev, DERIVED_OF_GRAPH, of_graph);
	add_bool(d, ev, DERIVED_WAITED, waited);
	if (first_use)
		add_bool(d, ev, DERIVED_FIRST_USE, true);
}

void
derived_add_run(struct derived *d, struct event *ev, int64_t run)
{
	add_int(d, ev, DERIVED_RUN, run);
}

void
derived_define(struct derived *d, const struct event *symbol)
{
	struct text t = {0};
	bool fresh;
	bool *is = keyed_get(&d->full_fp32_matrix, d->section,
	    (uint64_t)event_int(symbol, KEY_id, 0), &fresh);

	*is = symbol_class_is_fp32_matrix(event_str(symbol, KEY_demangled, &t));
	text_free(&t);
}

void
derived_free(struct derived *d)
{
	keyed_free(&d->full_fp32_matrix);
	numbered_free(&d->fp32_matrix);
	numbered_free(&d->waited);
	numbered_free(&d->polls);
	numbered_free(&d->waits);
	numbered_free(&d->launches);
	numbered_free(&d->given);
	numbered_free(&d->off);
}
