/* advice.c - findings as text for people, and as records for programs */

#include <inttypes.h>

#include "tq/advice/finding_text.h"
#include "tq/base/time.h"
#include "tq/show/amount.h"
#include "tq/show/col.h"
#include "tq/show/column_doc.h"
#include "tq/show/escape.h"
#include "tq/show/format.h"

#include "print/advice.h"

static const char *const part_names[ACCOUNT_PARTS] = {"compute",
    "communication", "copy", "sync", "host", "launch", "next", "queue",
    "unknown"};

/* A text of a rule, with its places and FILE filled in. */
static struct span
fill(struct advice *a, const struct finding *f, struct span text)
{
	a->scratch.len = 0;
	finding_text_add(
	    &a->scratch, a->engine, f, text, text_span(&a->input.files));
	return text_span(&a->scratch);
}

/* A command, whose word FILE is the input. */
static struct span
fill_command(struct advice *a, const struct finding *f, struct span command)
{
	struct text filled = {0};

	finding_text_add(&filled, a->engine, f, command, SPAN(""));
	a->scratch.len = 0;
	printed_command_add(&a->scratch, &a->input, text_span(&filled));
	text_free(&filled);
	return text_span(&a->scratch);
}

struct span
advice_title(struct advice *a, const struct finding *f)
{
	return f->fact != NULL ? f->fact->title : fill(a, f, f->rule->title);
}

static struct span
why_of(struct advice *a, const struct finding *f)
{
	return f->fact != NULL ? f->fact->text : fill(a, f, f->rule->why);
}

static struct span
look_of(struct advice *a, const struct finding *f)
{
	bool own = f->fact != NULL && f->fact->look != NULL;

	return fill_command(a, f, own ? span_of(f->fact->look) : f->rule->look);
}

static struct span
do_of(struct advice *a, const struct finding *f)
{
	a->scratch.len = 0;
	finding_text_add_do(
	    &a->scratch, a->engine, f, text_span(&a->input.files));
	return text_span(&a->scratch);
}

/* The command that shows the time after the start-up. */
static struct span
rest_of(struct advice *a)
{
	struct text command = {0};

	start_up_add_look(&command, &a->findings->start_up);
	a->scratch.len = 0;
	printed_command_add(&a->scratch, &a->input, text_span(&command));
	text_free(&command);
	return text_span(&a->scratch);
}

/* True of a recording of PyTorch in which no device works. */
static bool
has_operators(const struct advice *a)
{
	return a->operators != NULL &&
	       operators_nth(a->operators, 0) != INTERN_NONE &&
	       span_eq(a->findings->start_up.source, SPAN("kineto"));
}

/* The command that shows the time of the host, where no device works; or
   NULL. */
static const char *
host_command(const struct advice *a)
{
	static const struct {
		enum kind kind;
		const char *command;
	} commands[] = {
	    {KIND_sample, "tq-stats -r functions FILE"},
	    {KIND_range, "tq-stats -r nvtx_sum:folded FILE"},
	    {KIND_osrt, "tq-stats -r osrt_sum FILE"},
	    {KIND_sched, "tq-stats -r cpu_sum FILE"},
	};
	uint64_t kinds = a->engine->survey->kinds;

	if (engine_has_devices(a->engine))
		return NULL;
	if ((kinds >> KIND_range & 1) != 0 &&
	    span_eq(a->findings->start_up.source, SPAN("kineto")))
		return "tq-stats -r torch_ops FILE";
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if ((kinds >> commands[i].kind & 1) != 0)
			return commands[i].command;
	return NULL;
}

/* The same for the input; empty where there is none. */
static struct span
host_look(struct advice *a)
{
	const char *command = host_command(a);

	a->scratch.len = 0;
	if (command != NULL)
		printed_command_add(&a->scratch, &a->input, span_of(command));
	return text_span(&a->scratch);
}

/* ---- the account ---- */

/* the part of a launch that is behind its call */
enum { QUEUED = ACCOUNT_PARTS };

/* The least and the most of a part of the devices, in tenths of a percent; what
   stands before it. */
static void
add_part(
    struct text *t, const struct engine *e, size_t part, const char *before)
{
	int64_t least = PPM, most = 0;

	for (size_t i = 0; i < e->device_count; i++) {
		const struct engine_device *d = &e->devices[i];
		int64_t ppm = finding_ppm(
		    part == QUEUED ? d->queued : d->parts[part], d->wall);

		least = least < ppm ? least : ppm;
		most = most > ppm ? most : ppm;
	}
	if (most < PPM / 2000)
		return;
	text_add_str(t, before);
	text_printf(t, "%s ", part == QUEUED ? "in a queue" : part_names[part]);
	if ((least + 500) / 1000 != (most + 500) / 1000) {
		amount_share(t, least, PPM);
		text_add_char(t, '-');
	}
	amount_share(t, most, PPM);
	text_add_str(t, part == QUEUED ? " %)" : " %");
}

/* The same where no device works: the thread with the longest steps. */
static void
add_steps(struct text *t, const struct engine *e, int64_t wall)
{
	text_add_str(t, "no operation of a device");
	if (e->device_count == 0) {
		text_printf(t, ", and %s",
		    e->survey->steps == 0          ? "no steps"
		    : e->survey->steps < FEW_STEPS ? "fewer than 3 steps"
						   : "no step of a thread");
		return;
	}
	text_printf(t, "; %" PRId64 " step%s of %zu thread%s, ", e->step_count,
	    e->step_count > 1 ? "s" : "", e->device_count,
	    e->device_count > 1 ? "s" : "");
	text_add_str(t, e->device_count > 1 ? "at most " : "");
	amount_time(t, wall);
	text_add_str(t, e->device_count > 1 ? " of one" : "");
}

enum { OPERATORS = 3 }; /* that are named */

static void
add_operators(struct text *t, const struct operators *o)
{
	uint32_t name;

	text_add_str(t, "; ");
	amount_time(t, o->all);
	text_add_str(t, " of operators, annotations and calls:");
	for (size_t i = 0; i < OPERATORS; i++) {
		if ((name = operators_nth(o, i)) == INTERN_NONE)
			break;
		text_add_str(t, i > 0 ? ", " : " ");
		escape_terminal(t, intern_text(&o->names, name));
		text_add_char(t, ' ');
		amount_share(t, o->own[name], o->all);
		text_add_str(t, " %");
	}
}

/* A GPU that several processes use is one, as on the page. */
static int64_t
gpus_of(const struct engine *e)
{
	int64_t devices = (int64_t)e->device_count;

	return e->survey->gpus < devices ? e->survey->gpus : devices;
}

/* True unless a finding says that the account is not. */
static bool
is_proved(const struct findings *all)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->all[i].fact != NULL &&
		    (all->all[i].fact->takes & EVIDENCE_TAKES_ACCOUNT) != 0)
			return false;
	return true;
}

/* Then no share of a process is one of the GPU. */
static bool
any_is_shared(const struct engine *e)
{
	for (size_t i = 0; i < e->device_count; i++)
		if (finding_is_shared(e, i))
			return true;
	return false;
}

/* What the time went into, as shares. */
static void
add_parts_of_time(struct text *t, const struct engine *e)
{
	size_t from;

	text_add_str(t, ": ");
	from = t->len;
	for (size_t p = 0; p < ACCOUNT_PARTS; p++) {
		add_part(t, e, p, t->len == from ? "" : ", ");
		if (p == PART_LAUNCH)
			add_part(t, e, QUEUED, " (");
	}
}

static void
add_account(struct text *t, const struct advice *a)
{
	const struct engine *e = a->engine;
	int64_t wall = 0;

	for (size_t i = 0; i < e->device_count; i++)
		if (wall < e->devices[i].wall)
			wall = e->devices[i].wall;
	if (!engine_has_devices(e)) {
		add_steps(t, e, wall);
		return;
	}
	if (e->device_count == 0) {
		text_add_str(t, "no operation of a device");
		return;
	}
	amount_time(t, wall);
	text_add_str(t, " of ");
	amount_of(t, gpus_of(e), "device", "devices");
	if (!is_proved(a->findings))
		text_add_str(t, ", whose shares are not proved");
	else if (any_is_shared(e))
		text_add_str(t, ", on which several processes work");
	else if (wall > 0)
		add_parts_of_time(t, e);
	text_add_str(t, "; ");
	if (e->ops != e->survey->ops) {
		amount_count(t, e->ops);
		text_add_str(t, " of ");
	}
	amount_of(t, e->survey->ops, "operation", "operations");
	if (e->survey->all_steps > 0)
		text_printf(t, ", %" PRId64 " step%s", e->survey->all_steps,
		    e->survey->all_steps == 1 ? "" : "s");
	else
		text_add_str(t, ", no steps");
	if ((e->survey->kinds >> KIND_range & 1) == 0)
		text_add_str(t, ", no ranges");
}

static void
add_start_up(struct text *t, const struct start_up *s)
{
	if (s->recorded == 0 ||
	    finding_ppm(start_up_all(s), s->recorded) < PPM / 20)
		return;
	text_add_str(t, "; ");
	start_up_add(t, s);
}

/* ---- text ---- */

static void
add_wrapped(struct text *t, const char *label, struct span s)
{
	if (s.len == 0)
		return;
	text_printf(t, "          %-5s ", label);
	escape_terminal(t, s);
	text_add_char(t, '\n');
}

/* Where most of the recording is start-up, what to do about that. */
static void
write_later(struct advice *a, struct text *t)
{
	const struct start_up *s = &a->findings->start_up;

	if (!start_up_leads(s))
		return;
	a->scratch.len = 0;
	start_up_add_do(&a->scratch, s);
	add_wrapped(t, "do", text_span(&a->scratch));
	add_wrapped(t, "look", rest_of(a));
}

static void
add_evidence(struct text *t, const struct engine *e, const struct evidence *v)
{
	size_t from = t->len;

	if (v->dur == 0)
		return;
	text_add_str(t, "          ");
	amount_seconds(t, v->ts);
	text_add_str(t, " s  ");
	amount_time(t, v->dur);
	text_add_str(t, "  ");
	escape_terminal(t, intern_text(&e->texts, v->what));
	if (v->bytes != NO_ID) {
		text_add_char(t, ' ');
		amount_size(t, v->bytes);
	}
	while (t->len - from < 70 &&
	       (v->device != NO_ID || v->tid != NO_ID || v->corr != NO_ID))
		text_add_char(t, ' ');
	if (v->tid != NO_ID)
		text_printf(t, "  thread %" PRId64, v->tid);
	if (v->device != NO_ID)
		text_printf(t, "  device %" PRId64, v->device);
	if (v->corr != NO_ID)
		text_printf(t, ", correlation %" PRId64, v->corr);
	text_add_char(t, '\n');
}

/* "10 ms in read, 2 ms in open; exposed because each step ends with a wait
   (cudaDeviceSynchronize)" */
static void
add_places(struct text *t, const struct engine *e, const struct finding *f)
{
	struct finding_where where[WHERE_MOST];
	size_t n = finding_text_where(f, where);
	struct text all = {0}, exposed = {0};

	for (size_t i = 0; i < n; i++) {
		text_add_str(&all, i > 0 ? ", " : "");
		amount_time(&all, where[i].ns);
		text_printf(&all, " %s", where[i].words);
		text_add_span(&all, where[i].text);
	}
	if (finding_text_add_exposed(&exposed, e, f)) {
		text_add_str(&all, n > 0 ? "; " : "");
		text_add_span(&all, text_span(&exposed));
	}
	add_wrapped(t, "where", text_span(&all));
	text_free(&all);
	text_free(&exposed);
}

static void
add_shares(struct text *t, const struct finding *f)
{
	if (f->fact != NULL) {
		text_add_str(t, "of the recording itself");
		return;
	}
	if (f->ppm == 0) {
		text_add_str(t, f->behind > 0 ? "no gain" : "without a cost");
		finding_text_add_behind(t, f);
		return;
	}
	text_add_str(t, f->gain > 0 ? "at most " : "");
	if (f->devices > 1 &&
	    (f->least_ppm + 500) / 1000 != (f->ppm + 500) / 1000) {
		amount_share(t, f->least_ppm, PPM);
		text_add_char(t, '-');
	}
	amount_share(t, f->ppm, PPM);
	text_add_str(t, " %");
	if (f->gain > 0) {
		text_add_str(t, " (");
		amount_time(t, f->gain);
		text_add_char(t, ')');
	}
	if (f->matched_ns > 0) {
		text_add_str(t, ", ");
		amount_share(t, f->rule->gain, PPM);
		text_add_str(t, " % of ");
		amount_time(t, f->matched_ns);
	}
	finding_text_add_behind(t, f);
}

static void
write_finding(struct advice *a, struct text *t, const struct finding *f)
{
	const struct rule *r = f->rule;

	text_printf(t, "\n%-9s ", rule_severity_name(f->severity));
	escape_terminal(t, advice_title(a, f));
	text_add_str(t, "\n          ");
	text_add_span(t, r->name);
	text_add_str(t, ": ");
	add_shares(t, f);
	text_printf(t, ", %s", rule_confidence_name(f->confidence));
	for (size_t i = 0; i < f->part_count; i++) {
		text_add_str(t, i == 0 ? "; of it " : ", ");
		text_add_span(t, f->parts[i].rule->name);
		text_add_char(t, ' ');
		amount_share(t, f->parts[i].ppm, PPM);
		text_add_str(t, " %");
	}
	text_add_char(t, '\n');
	for (size_t i = 0; i < EVIDENCE; i++)
		add_evidence(t, a->engine, &f->best[i]);
	add_places(t, a->engine, f);
	add_wrapped(t, "why", why_of(a, f));
	add_wrapped(t, "do", do_of(a, f));
	add_wrapped(t, "not", fill(a, f, r->but));
	add_wrapped(t, "look", look_of(a, f));
}

/* "one-time, at most 30.0 %:" before the first finding of a group. */
static void
write_group(const struct advice *a, struct text *t, size_t at)
{
	const struct findings *f = a->findings;
	int64_t ppm[2] = {0};
	bool once = f->all[at].rule->once;

	for (size_t i = 0; i < f->count; i++) {
		const struct finding *x = &f->all[i];

		if (finding_is_first(x) || x->gain == 0 ||
		    x->rank == SEVERITY_NOTE)
			continue;
		if (i < at && x->rule->once == once)
			return;
		ppm[x->rule->once] += x->ppm;
	}
	if (ppm[true] == 0 || finding_is_first(&f->all[at]))
		return;
	text_printf(t, "\n%s, at most ", rule_group_name(once));
	amount_share(t, ppm[once] < PPM ? ppm[once] : PPM, PPM);
	text_add_str(t, " %:\n");
}

/* A note is in one line with others, but for facts of the recording and what
   comes among warnings. */
static bool
is_short(const struct advice *a, const struct finding *f)
{
	return f->rank == SEVERITY_NOTE && f->fact == NULL && !a->verbose;
}

static void
write_notes(struct advice *a, struct text *t)
{
	const struct findings *f = a->findings;
	size_t notes = 0, shown = 0;

	for (size_t i = 0; i < f->count; i++)
		notes += is_short(a, &f->all[i]);
	if (notes == 0)
		return;
	text_printf(t, "\n%zu note%s:", notes, notes > 1 ? "s" : "");
	for (size_t i = 0; i < f->count; i++) {
		if (!is_short(a, &f->all[i]))
			continue;
		text_add_str(t, shown++ > 0 ? ", " : " ");
		text_add_span(t, f->all[i].rule->name);
		if (f->all[i].ppm == 0)
			continue;
		text_add_char(t, ' ');
		amount_share(t, f->all[i].ppm, PPM);
		text_add_str(t, " %");
	}
	text_add_str(t, " (-v)\n");
}

static bool
same_reason(const struct abstention *a, const struct abstention *b)
{
	return strcmp(a->needs, b->needs) == 0 &&
	       strcmp(a->reason, b->reason) == 0;
}

/* A reason for all rules that have it. */
static void
write_abstained(const struct findings *f, struct text *t)
{
	for (size_t i = 0; i < f->abstained_count; i++) {
		const struct abstention *a = &f->abstained[i];
		size_t before = 0, n = 0;

		while (before < i && !same_reason(&f->abstained[before], a))
			before++;
		if (before < i)
			continue;
		text_add_str(t, i == 0 ? "\nabstained " : "; ");
		for (size_t k = i; k < f->abstained_count; k++) {
			if (!same_reason(&f->abstained[k], a))
				continue;
			text_add_str(t, n++ > 0 ? ", " : "");
			text_add_span(t, f->abstained[k].rule->name);
		}
		text_printf(t, ": %s", a->reason);
		if (schema_kind(a->needs, strlen(a->needs)) != KIND_UNKNOWN)
			text_printf(t, " of kind %s", a->needs);
	}
	if (f->abstained_count > 0)
		text_add_char(t, '\n');
}

static void
write_text(struct advice *a, struct output *o)
{
	const struct findings *f = a->findings;
	struct text *t = &o->buf;
	int64_t shown = 0, more = 0;

	text_add_str(t, "tq-advise: ");
	if (f->count == 0 && f->abstained_count == 0 && !has_operators(a))
		text_add_str(t, "nothing stands out: ");
	add_account(t, a);
	if (has_operators(a))
		add_operators(t, a->operators);
	add_start_up(t, &f->start_up);
	text_add_char(t, '\n');
	write_later(a, t);
	add_wrapped(t, "look", host_look(a));
	for (size_t i = 0; i < f->count; i++) {
		bool counts =
		    f->all[i].rank > SEVERITY_NOTE && f->all[i].fact == NULL;

		if (is_short(a, &f->all[i]))
			continue;
		if (counts && shown++ >= a->most)
			more++;
		else {
			write_group(a, t, i);
			write_finding(a, t, &f->all[i]);
		}
		output_check(o);
	}
	if (more > 0)
		text_printf(t, "\n%" PRId64 " more (-n)\n", more);
	write_notes(a, t);
	write_abstained(f, t);
}

/* ---- records ---- */

static void
add_str(struct text *t, const char *key, struct span s)
{
	text_printf(t, ",\"%s\":", key);
	text_add_json(t, s.p, s.len);
}

static void
add_int(struct text *t, const char *key, int64_t v)
{
	text_printf(t, ",\"%s\":%" PRId64, key, v);
}

static void
add_evidence_objects(
    struct text *t, const struct engine *e, const struct finding *f)
{
	text_add_str(t, ",\"evidence\":[");
	for (size_t i = 0; i < EVIDENCE && f->best[i].dur > 0; i++) {
		const struct evidence *v = &f->best[i];

		text_printf(t, "%s{\"ts\":%" PRId64 ",\"dur\":%" PRId64,
		    i > 0 ? "," : "", v->ts, v->dur);
		add_int(t, "pid", v->pid == NO_ID ? -1 : v->pid);
		if (v->tid != NO_ID)
			add_int(t, "tid", v->tid);
		if (v->device != NO_ID)
			add_int(t, "device", v->device);
		if (v->corr != NO_ID)
			add_int(t, "corr", v->corr);
		if (v->bytes != NO_ID)
			add_int(t, "bytes", v->bytes);
		add_str(t, "what", intern_text(&e->texts, v->what));
		text_add_char(t, '}');
	}
	text_add_char(t, ']');
}

static void
add_parts(struct text *t, const struct finding *f)
{
	text_add_str(t, ",\"parts\":[");
	for (size_t i = 0; i < f->part_count; i++) {
		text_add_str(t, i > 0 ? ",{\"rule\":" : "{\"rule\":");
		text_add_json(
		    t, f->parts[i].rule->name.p, f->parts[i].rule->name.len);
		add_int(t, "share_ppm", f->parts[i].ppm);
		text_add_char(t, '}');
	}
	text_add_char(t, ']');
}

/* {"text":"read","ns":10} */
static void
add_place(struct text *t, const struct finding_place *x)
{
	text_add_str(t, "{\"text\":");
	text_add_json(t, x->text.p, x->text.len);
	add_int(t, "ns", x->ns);
	text_add_char(t, '}');
}

static void
add_place_objects(struct text *t, const struct finding *f)
{
	const struct finding_place *const places[] = {
	    &f->names[0], &f->file, &f->line};
	static const char *const names[] = {"name", "file", "line"};
	const char *before = ",\"where\":{";

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (places[i]->ns == 0)
			continue;
		text_printf(t, "%s\"%s\":", before, names[i]);
		add_place(t, places[i]);
		before = ",";
	}
	if (before[1] == '\0')
		text_add_char(t, '}');
	for (size_t i = 0; i < NAMES_MOST && f->names[i].ns > 0; i++) {
		text_add_str(t, i == 0 ? ",\"names\":[" : ",");
		add_place(t, &f->names[i]);
		if (i + 1 == NAMES_MOST || f->names[i + 1].ns == 0)
			text_add_char(t, ']');
	}
	if (f->unnamed > 0)
		add_int(t, "unnamed_ns", f->unnamed);
}

/* "exposed":{"ns":10,"step_ns":10,"waits":[{"text":"cudaFree","ns":10}]} */
static void
add_exposed(struct text *t, const struct finding *f)
{
	if (f->exposed == 0)
		return;
	text_printf(t, ",\"exposed\":{\"ns\":%" PRId64, f->exposed);
	add_int(t, "step_ns", f->step_exposed);
	text_add_str(t, ",\"waits\":[");
	for (size_t i = 0; i < WAITS_MOST && f->waits[i].ns > 0; i++) {
		const struct finding_wait *w = &f->waits[i];

		text_add_str(t, i > 0 ? ",{\"text\":" : "{\"text\":");
		text_add_json(t, w->call.p, w->call.len);
		if (w->range.len > 0)
			add_str(t, "in", w->range);
		add_int(t, "ns", w->ns);
		text_add_char(t, '}');
	}
	text_add_str(t, "]}");
}

/* What the fact takes away, and the place of the first record. */
static void
add_takes(struct text *t, const struct evidence_fact *fact)
{
	const char *between = "";

	text_add_str(t, ",\"takes\":[");
	for (unsigned i = 0; i < EVIDENCE_TAKES_COUNT; i++) {
		if ((fact->takes >> i & 1) == 0)
			continue;
		text_printf(t, "%s\"%s\"", between, evidence_takes_word(i));
		between = ",";
	}
	text_add_char(t, ']');
	if (fact->of > 0)
		add_int(t, "of", fact->of);
	if (fact->ts != NO_ID)
		add_int(t, "first_ts", fact->ts);
}

static void
add_edges(struct text *t, const struct long_way *w)
{
	add_int(t, "before_ns", w->before);
	add_int(t, "after_ns", w->after);
	add_int(t, "recorded_ns", w->recorded);
}

static void
add_finding(struct advice *a, struct text *t, const struct finding *f, bool row)
{
	const struct engine *e = a->engine;
	const struct rule *r = f->rule;
	const struct engine_device *d =
	    e->device_count > 0 ? &e->devices[f->worst] : NULL;

	text_add_str(t, "{\"finding\":");
	text_add_json(t, r->name.p, r->name.len);
	add_str(t, "severity", span_of(rule_severity_name(f->severity)));
	add_str(t, "class", r->class);
	add_str(t, "group", span_of(rule_group_name(r->once)));
	add_str(t, "confidence", span_of(rule_confidence_name(f->confidence)));
	add_int(t, "share_ppm", f->ppm);
	add_int(t, "gain_ns", f->gain);
	add_int(t, "of_ns", f->of);
	if (f->matched_ns > 0)
		add_int(t, "matched_ns", f->matched_ns);
	if (f->overlap > 0)
		add_int(t, "overlap_ns", f->overlap);
	if (f->behind > 0)
		add_int(t, "behind_host_ns", f->behind);
	if (d != NULL)
		text_printf(t, ",\"worst%s\":[%" PRId64 ",%" PRId64 "]",
		    d->tid != NO_ID ? "_thread" : "",
		    d->pid == NO_ID ? -1 : d->pid,
		    d->tid != NO_ID ? d->tid : d->device);
	add_int(t, "devices", (int64_t)f->devices);
	add_int(t, "least_ppm", f->least_ppm);
	add_int(t, "count", f->matched);
	add_int(t, "pieces", f->pieces);
	add_parts(t, f);
	add_evidence_objects(t, e, f);
	add_place_objects(t, f);
	add_exposed(t, f);
	if (f->fact == &a->findings->long_way.fact)
		add_edges(t, &a->findings->long_way);
	else if (f->fact != NULL)
		add_takes(t, f->fact);
	add_str(t, "title", advice_title(a, f));
	add_str(t, "why", why_of(a, f));
	add_str(t, "do", do_of(a, f));
	add_str(t, "look", look_of(a, f));
	if (row)
		json_document_add_row_key(t, r->name);
	text_add_char(t, '}');
}

static void
add_abstention(struct text *t, const struct abstention *a, bool row)
{
	text_add_str(t, "{\"abstained\":");
	text_add_json(t, a->rule->name.p, a->rule->name.len);
	add_str(t, "reason", span_of(a->reason));
	add_str(t, "needs", span_of(a->needs));
	if (row)
		json_document_add_row_key(t, a->rule->name);
	text_add_char(t, '}');
}

/* the parts of the wall of each device, or thread */
static void
add_devices(const struct engine *e, struct text *t, bool rows)
{
	struct text key = {0};

	for (size_t i = 0; i < e->device_count; i++) {
		const struct engine_device *d = &e->devices[i];

		text_add_str(t, i > 0 ? "," : "");
		text_printf(t, "%s{\"pid\":%" PRId64, rows ? "\n" : "",
		    d->pid == NO_ID ? -1 : d->pid);
		add_int(t, d->tid != NO_ID ? "tid" : "device",
		    d->tid != NO_ID ? d->tid : d->device);
		add_int(t, "ts", d->from);
		add_int(t, "wall_ns", d->wall);
		for (size_t p = 0; p < ACCOUNT_PARTS; p++)
			add_int(t, part_names[p], d->parts[p]);
		add_int(t, "launch_queued", d->queued);
		key.len = 0;
		if (d->tid == NO_ID)
			text_printf(&key, "GPU %" PRId64, d->device);
		if (rows)
			json_document_add_row_key(t, text_span(&key));
		text_add_char(t, '}');
	}
	text_free(&key);
}

static void
add_operator_objects(struct text *t, const struct operators *o)
{
	uint32_t name;

	add_int(t, "operators_ns", o->all);
	text_add_str(t, ",\"operators\":[");
	for (size_t i = 0; i < OPERATORS; i++) {
		if ((name = operators_nth(o, i)) == INTERN_NONE)
			break;
		text_add_str(t, i > 0 ? ",{" : "{");
		text_printf(t, "\"own_ns\":%" PRId64, o->own[name]);
		add_str(t, "name", intern_text(&o->names, name));
		text_add_char(t, '}');
	}
	text_add_char(t, ']');
}

/* The members of the whole recording.  The caller writes the comma before
   them. */
static void
add_recording(struct advice *a, struct text *t)
{
	const struct engine *e = a->engine;
	const struct start_up *s = &a->findings->start_up;

	text_printf(t, "\"operations\":%" PRId64, e->ops);
	add_int(t, "steps", e->survey->all_steps);
	if (s->recorded > 0) {
		add_int(t, "recorded_ns", s->recorded);
		add_int(t, "start_up_ns", start_up_all(s));
	}
	if (has_operators(a))
		add_operator_objects(t, a->operators);
	if (start_up_leads(s)) {
		a->scratch.len = 0;
		start_up_add_do(&a->scratch, s);
		add_str(t, "do", text_span(&a->scratch));
		add_str(t, "look", rest_of(a));
	} else if (host_command(a) != NULL) {
		add_str(t, "look", host_look(a));
	}
}

/* one object a line; json1: the elements of an array */
static void
write_objects(struct advice *a, struct output *o, bool array)
{
	const struct findings *f = a->findings;
	const char *between = array ? ",\n" : "\n";

	text_add_str(&o->buf, array ? "[\n" : "");
	text_add_str(&o->buf, "{\"account\":[");
	add_devices(a->engine, &o->buf, false);
	text_add_str(&o->buf, "],");
	add_recording(a, &o->buf);
	text_add_char(&o->buf, '}');
	for (size_t i = 0; i < f->count; i++) {
		text_add_str(&o->buf, between);
		add_finding(a, &o->buf, &f->all[i], false);
		output_check(o);
	}
	for (size_t i = 0; i < f->abstained_count; i++) {
		text_add_str(&o->buf, between);
		add_abstention(&o->buf, &f->abstained[i], false);
	}
	text_add_str(&o->buf, array ? "\n]\n" : "\n");
}

/* ---- one object ---- */

/* the members that each row has */
static const struct column_doc docs[] = {
    DOC_KEY("finding", "name of the rule"),
    DOC_KEY("abstained", "name of the rule"),
    DOC_VALUE("severity", "critical, warning or note"),
    DOC_VALUE("class", "what the finding is about"),
    DOC_VALUE("group", "one-time or recurring"),
    DOC_VALUE("confidence", "how certain the cause is"),
    DOC_NUMBER("share_ppm", "ppm", "part of the wall that it costs"),
    DOC_NUMBER("gain_ns", "ns", "time that it costs"),
    DOC_NUMBER("of_ns", "ns", "time that the share is of"),
    DOC_VALUE("devices", "devices that have it"),
    DOC_NUMBER("least_ppm", "ppm", "the share on the device with the least"),
    DOC_VALUE("count", "records that the rule matched"),
    DOC_VALUE("pieces", "pieces of time that it claims"),
    DOC_VALUE("parts", "findings that it includes"),
    DOC_VALUE("evidence", "the longest records that show it"),
    DOC_VALUE("title", "the finding in a sentence"),
    DOC_VALUE("why", "why it costs time"),
    DOC_VALUE("do", "what to do about it"),
    DOC_VALUE("look", "command that shows it"),
    DOC_VALUE("reason", "what the rule lacks"),
    DOC_VALUE("needs", "kind or key that would have it"),
    DOC_VALUE("pid", "process"),
    DOC_KEY("device", "number of the device in its process"),
    DOC_VALUE("tid", "thread, where no device works"),
    DOC_NUMBER("ts", "ns", "when its time begins"),
    DOC_NUMBER("wall_ns", "ns", "time that the parts add up to"),
    DOC_NUMBER("compute", "ns", "a kernel computes"),
    DOC_NUMBER("communication", "ns", "a kernel communicates, none computes"),
    DOC_NUMBER("copy", "ns", "memcpy or memset, and no kernel"),
    DOC_IDLE_PARTS,
    DOC_NUMBER("launch_queued", "ns", "of launch: 10 us or more behind it"),
    {0},
};

/* Begin the report of rows that have these members at least. */
static void
begin_report(struct text *b, struct table *t, const char *name,
    const char *title, const char *const *members, bool first)
{
	static const struct format_options f = {
	    .format = FORMAT_JSON, .time_unit = 1, .plain_keys = true};

	*t = (struct table){.report = name, .title = title, .docs = docs};
	for (; *members != NULL; members++)
		table_column(t, *members, UNIT_NONE);
	json_document_report(b, &f, t, first);
}

static void
end_report(struct text *b, struct table *t, size_t rows, const char *reason)
{
	static const struct format_options f = {.format = FORMAT_JSON};

	t->reason = reason;
	json_document_report_end(b, &f, t, rows, rows);
	table_free(t);
}

static void
write_findings(struct advice *a, struct output *o)
{
	static const char *const members[] = {"finding", "severity", "class",
	    "group", "confidence", "share_ppm", "gain_ns", "of_ns", "devices",
	    "least_ppm", "count", "pieces", "parts", "evidence", "title", "why",
	    "do", "look", NULL};
	const struct findings *f = a->findings;
	struct table t;

	begin_report(&o->buf, &t, "findings", "What costs most", members, true);
	for (size_t i = 0; i < f->count; i++) {
		text_add_str(&o->buf, i > 0 ? ",\n" : "\n");
		add_finding(a, &o->buf, &f->all[i], true);
		output_check(o);
	}
	end_report(&o->buf, &t, f->count,
	    f->abstained_count > 0 ? "nothing stands out; some rules abstain"
				   : "nothing stands out");
}

static void
write_abstentions(const struct findings *f, struct output *o)
{
	static const char *const members[] = {
	    "abstained", "reason", "needs", NULL};
	struct table t;

	begin_report(&o->buf, &t, "abstained",
	    "Rules that the recording cannot answer", members, false);
	for (size_t i = 0; i < f->abstained_count; i++) {
		text_add_str(&o->buf, i > 0 ? ",\n" : "\n");
		add_abstention(&o->buf, &f->abstained[i], true);
	}
	end_report(&o->buf, &t, f->abstained_count, "no rule abstains");
}

static void
write_devices(const struct engine *e, struct output *o)
{
	const char *members[ACCOUNT_PARTS + 6] = {
	    "pid", "device", "ts", "wall_ns"};
	struct table t;

	if (!engine_has_devices(e) && e->device_count > 0)
		members[1] = "tid";
	for (size_t p = 0; p < ACCOUNT_PARTS; p++)
		members[4 + p] = part_names[p];
	members[4 + ACCOUNT_PARTS] = "launch_queued";
	begin_report(
	    &o->buf, &t, "account", "The wall of each device", members, false);
	add_devices(e, &o->buf, true);
	end_report(&o->buf, &t, e->device_count,
	    "no operation of a device in the stream");
}

/* json */
static void
write_document(struct advice *a, struct output *o)
{
	json_document_begin(&o->buf, &a->head);
	write_findings(a, o);
	write_abstentions(a->findings, o);
	write_devices(a->engine, o);
	text_add_str(&o->buf, "],\"recording\":{");
	add_recording(a, &o->buf);
	text_add_str(&o->buf, "}}\n");
}

/* ---- tables ---- */

static void
finding_row(struct table *t, struct advice *a, const struct finding *f)
{
	const struct rule *r = f->rule;

	col_text(t, "Severity", span_of(rule_severity_name(f->severity)));
	col_text(t, "Finding", r->name);
	col_text(t, "Class", r->class);
	col_text(t, "Group", span_of(rule_group_name(r->once)));
	col_text(t, "Confidence", span_of(rule_confidence_name(f->confidence)));
	col_ratio(t, "Share", UNIT_PERCENT, f->ppm, PPM / 100, 1);
	col_int(t, "Gain", UNIT_TIME, f->gain);
	col_int(t, "Of", UNIT_TIME, f->of);
	col_int(t, "Overlap", UNIT_TIME, f->overlap);
	col_int(t, "Devices", UNIT_NONE, (int64_t)f->devices);
	col_int(t, "Count", UNIT_NONE, f->matched);
	col_text(t, "Title", advice_title(a, f));
	col_text(t, "Do", do_of(a, f));
}

static void
write_sheet(struct advice *a, struct output *o, enum sheet_format format)
{
	const struct findings *f = a->findings;
	const struct rule no_rule = {0};
	struct table t = {.title = "findings"};

	col_heading(&t, finding_row, a, &(struct finding){.rule = &no_rule});
	for (size_t i = 0; i < f->count; i++)
		finding_row(&t, a, &f->all[i]);
	sheet_write(&t, o, format, true);
	table_free(&t);
}

void
advice_write(struct advice *a, struct output *o, enum sheet_format format)
{
	switch (format) {
	case SHEET_TEXT:
		write_text(a, o);
		break;
	case SHEET_JSON:
		write_document(a, o);
		break;
	case SHEET_NDJSON:
	case SHEET_JSON1:
		write_objects(a, o, format == SHEET_JSON1);
		break;
	default:
		write_sheet(a, o, format);
	}
}

/* A text of a rule without a finding. */
static struct span
plain(struct text *to, struct span text)
{
	to->len = 0;
	finding_text_add(to, NULL, NULL, text, SPAN(""));
	return text_span(to);
}

void
advice_explain(const struct rule *r, struct output *o)
{
	struct text *t = &o->buf, scratch = {0};

	text_add_span(t, r->name);
	text_add_str(t, ": ");
	escape_terminal(t, plain(&scratch, r->title));
	text_add_char(t, '\n');
	add_wrapped(t, "why", plain(&scratch, r->why));
	add_wrapped(t, "do", plain(&scratch, r->to_do));
	add_wrapped(t, "not", plain(&scratch, r->but));
	add_wrapped(t, "when", r->when_text);
	text_add_str(t, "          least ");
	amount_share(t, r->least, PPM);
	text_printf(t, " %%, %" PRId64 " record%s, %s%s\n", r->count,
	    r->count == 1 ? "" : "s", rule_confidence_name(r->confidence),
	    r->note ? ", a note only" : "");
	add_wrapped(t, "look", plain(&scratch, r->look));
	text_free(&scratch);
}

void
advice_free(struct advice *a)
{
	printed_command_input_free(&a->input);
	text_free(&a->scratch);
}
