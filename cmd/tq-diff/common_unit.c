/* common_unit.c - the unit that the sides have in common */

#include <stdlib.h>
#include <sys/stat.h>

#include "common_unit.h"
#include "tq/account/account_file.h"

enum { MOST_TRIES = 256 }; /* candidates, the shortest first */

/* ---- reading ---- */

/* a side that is read, and the account that may begin it */
struct probe_reading {
	struct common_unit_side *side;
	struct account_file file;
	struct accounts none;
};

/* An account, whose header was good if it is, has its units already. */
static void
take_header(struct probe_reading *r, bool good)
{
	struct common_unit_side *p = r->side;

	p->is_account = true;
	if (good) {
		p->by = r->file.a->by;
		text_add_span(&p->per, r->file.a->per);
		text_add_char(&p->per, '\0');
	}
}

static bool
take_account(struct probe_reading *r, const struct event *ev)
{
	if (!r->side->is_account && account_file_has(&r->file, ev))
		take_header(r, account_file_read(&r->file, ev, &r->none));
	return r->side->is_account;
}

/* version 2: until the release after 0.2 */
static bool
take_account_line(void *reading, struct span line)
{
	struct probe_reading *r = reading;

	if (r->side->is_account)
		return true;
	if (!account_file_has_line(&r->file, line))
		return false;
	take_header(r, account_file_read_line(&r->file, line, &r->none));
	return true;
}

static bool
is_step(const struct range_spec *steps, const struct event *ev, struct text *t)
{
	return event_has(ev, KEY_dur) &&
	       range_spec_match_event(steps, ev, t, NULL) == PATTERN_YES;
}

/* True as long as more is to be known of the first operand. */
static bool
look_at(struct common_unit_side *p, const struct event *ev,
    const struct range_spec *steps, struct text *t)
{
	if (ev->kind == KIND_range)
		p->has_steps = is_step(steps, ev, t);
	else if (ev->kind == KIND_kernel)
		return period_add(&p->launches, ev);
	return !p->has_steps;
}

/* What cannot be read twice is copied, to its end. */
static void
read_to_end(struct input *in)
{
	const char *error;
	struct span line;
	struct stat st;

	if (!in->opened || (fstat(in->fd, &st) == 0 && S_ISREG(st.st_mode)))
		return;
	while (input_line(in, &line, &error))
		continue;
}

void
common_unit_look(struct common_unit_side *p, struct reader *in)
{
	struct probe_reading reading = {.side = p};
	struct account_units steps;
	struct text t = {0};
	char **operands = in->in.operands;
	size_t at;

	p->looked = true;
	account_units_step(&steps, NULL, &at);
	in->quiet = in->grep = true;
	in->other = take_account_line;
	in->other_arg = &reading;
	while (reader_next(in))
		if (take_account(&reading, &in->event) ||
		    in->in.operands != operands + 1 ||
		    !look_at(p, &in->event, &steps.spec, &t)) {
			read_to_end(&in->in);
			break;
		}
	reader_rewind(in);
	in->quiet = in->grep = false;
	in->status = 0;
	text_free(&t);
	account_units_free(&steps);
	account_file_free(&reading.file);
	account_free_all(&reading.none);
}

/* ---- the period ---- */

static bool
fits_all(const struct common_unit *p, struct period *candidate,
    struct period_fit *fit)
{
	struct period_fit first = {0};
	bool any = false;

	for (int side = 0; side < SIDES; side++) {
		if (!p->sides[side].looked)
			continue;
		if (!period_fits(&p->sides[side].launches, candidate, fit) ||
		    (any && fit->signature != first.signature))
			return false;
		first = any ? first : *fit;
		any = true;
	}
	*fit = first;
	return any;
}

static void
find_period(struct common_unit *p)
{
	size_t count;
	struct period *all =
	    period_candidates(&p->sides[SIDE_A].launches, &count);

	for (size_t i = 0; i < count && i < MOST_TRIES; i++)
		if (fits_all(p, &all[i], &p->fit)) {
			p->found = all[i];
			break;
		}
	free(all);
}

/* The name as --per takes it: a "/", "@", "~" or "\" is that character. */
static void
spell_period(struct common_unit *p)
{
	text_add_str(&p->per, "kernel=");
	for (size_t i = 0; i < p->found.name.len; i++) {
		char c = p->found.name.p[i];

		if (c == '/' || c == '@' || c == '\\' ||
		    (i == 0 && (c == '~' || c == '*')))
			text_add_char(&p->per, '\\');
		text_add_char(&p->per, c);
	}
	text_printf(&p->per, "/%lld", (long long)p->found.every);
	text_add_char(&p->per, '\0');
}

/* ---- the units ---- */

/* The unit by its text; false if it is unknown. */
static bool
set_units(struct account_units *u, const char *text, bool step)
{
	struct account_units units;
	const char *bad;
	size_t at;

	bad = step ? account_units_step(&units, text, &at)
		   : account_units_parse(&units, text, &at);
	if (bad != NULL)
		return false;
	account_units_free(u);
	*u = units;
	return true;
}

/* The sides count as an account does. */
static void
take_from_account(
    const struct common_unit_side *of, struct account_units u[SIDES])
{
	bool named = of->per.len > 0 && strcmp(of->per.p, "step") != 0;

	for (int side = 0; side < SIDES; side++)
		if (of->by == ACCOUNT_BY_SPAN)
			set_units(&u[side], "span", false);
		else if (named)
			set_units(
			    &u[side], of->per.p, of->by == ACCOUNT_BY_STEP);
}

void
common_unit_units(struct common_unit *p, struct account_units units[SIDES])
{
	bool steps = true;
	size_t at;

	for (int side = 0; side < SIDES; side++) {
		account_units_step(&units[side], NULL, &at);
		steps &= !p->sides[side].looked || p->sides[side].has_steps;
	}
	for (int side = 0; side < SIDES; side++)
		if (p->sides[side].is_account) {
			take_from_account(&p->sides[side], units);
			return;
		}
	if (steps)
		return;
	find_period(p);
	if (p->found.every > 0)
		spell_period(p);
	else /* steps of one side are no unit of the other */
		text_add(&p->per, "span", sizeof("span"));
	for (int side = 0; side < SIDES; side++)
		if (!set_units(&units[side], p->per.p, false))
			p->found.every = 0;
}

void
common_unit_describe(const struct common_unit *p, struct account *a)
{
	if (p->found.every == 0 || a->by != ACCOUNT_BY_KERNEL ||
	    a->period_name.len > 0)
		return;
	a->period_name = region_copy(&a->region, p->found.name);
	a->period_every = p->found.every;
	a->period_fit = p->fit.fit;
	a->period_equal = p->fit.equal;
}

void
common_unit_free(struct common_unit *p)
{
	for (int side = 0; side < SIDES; side++) {
		period_free(&p->sides[side].launches);
		text_free(&p->sides[side].per);
	}
	text_free(&p->per);
}
