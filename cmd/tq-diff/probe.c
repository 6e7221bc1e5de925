/* probe.c - the unit that two recordings have in common */

#include <err.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "tq/account/account_file.h"
#include "tq/io/reader.h"
#include "tq/io/status.h"

#include "probe.h"

enum { MOST_TRIES = 256 }; /* candidates, the shortest first */

/* ---- reading ---- */

/* An account has its units already. */
static bool
refuse_account(void *reader, struct span line)
{
	const struct reader *in = reader;

	if (account_file_begins(line))
		errx(TQ_USAGE, "%s: --per auto needs streams, not accounts",
		    in->in.name);
	return false;
}

static bool
is_step(const struct range_spec *steps, const struct event *ev, struct text *t)
{
	struct span name, domain;

	t->len = 0;
	text_reserve(t, ev->value[KEY_name].len + ev->value[KEY_domain].len);
	name = event_str(ev, KEY_name, t);
	domain = event_str(ev, KEY_domain, t);
	return event_has(ev, KEY_dur) &&
	       range_spec_match(steps, name, domain) == PATTERN_YES;
}

/* True if there is a step; else the launches are those of the file. */
static bool
read_file(struct period_launches *l, char *file, const struct range_spec *steps)
{
	static const enum key keys[] = {KEY_ts, KEY_dur, KEY_pid, KEY_device,
	    KEY_name, KEY_domain, KEY_NONE};
	struct keyset want[KIND_COUNT + 1] = {{{0}}};
	char *operands[] = {file, NULL};
	struct stat st;
	struct reader in;
	struct text t = {0};
	bool found = false, more = true;

	if (stat(file, &st) != 0 || !S_ISREG(st.st_mode))
		errx(TQ_USAGE, "%s: --per auto needs files, to read them twice",
		    file);
	keyset_add_all(&want[KIND_kernel], keys);
	keyset_add_all(&want[KIND_range], keys);
	reader_init(&in, operands, want, NULL);
	in.quiet = in.grep = true;
	in.other = refuse_account;
	in.other_arg = &in;
	while (!found && more && reader_next(&in))
		if (in.event.kind == KIND_range)
			found = is_step(steps, &in.event, &t);
		else if (in.event.kind == KIND_kernel)
			more = period_add(l, &in.event);
	text_free(&t);
	reader_free(&in);
	return found;
}

/* ---- the period ---- */

static bool
fits_both(
    const struct probe *p, struct period *candidate, struct period_fit *fit)
{
	struct period_fit other;

	return period_fits(&p->launches[0], candidate, fit) &&
	       period_fits(&p->launches[1], candidate, &other) &&
	       fit->signature == other.signature;
}

static void
find_period(struct probe *p)
{
	size_t count;
	struct period *all = period_candidates(&p->launches[0], &count);

	for (size_t i = 0; i < count && i < MOST_TRIES; i++)
		if (fits_both(p, &all[i], &p->fit)) {
			p->found = all[i];
			break;
		}
	free(all);
}

/* The name as --per takes it: a "/", "@", "~" or "\" is that character. */
static void
spell_period(struct probe *p)
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

void
probe_units(struct probe *p, char *a, char *b, struct account_units units[2])
{
	bool steps[2];
	size_t at;

	for (int side = 0; side < 2; side++)
		account_units_step(&units[side], NULL, &at);
	steps[0] = read_file(&p->launches[0], a, &units[0].spec);
	steps[1] = read_file(&p->launches[1], b, &units[1].spec);
	if (steps[0] && steps[1])
		return;
	find_period(p);
	if (p->found.every == 0)
		return;
	spell_period(p);
	for (int side = 0; side < 2; side++) {
		const char *bad;

		account_units_free(&units[side]);
		bad = account_units_parse(&units[side], p->per.p, &at);
		if (bad != NULL)
			errx(TQ_FAIL, "--per %s: %s", p->per.p, bad);
	}
}

void
probe_describe(const struct probe *p, struct account *a)
{
	if (p->found.every == 0)
		return;
	a->period_name = region_copy(&a->region, p->found.name);
	a->period_every = p->found.every;
	a->period_fit = p->fit.fit;
	a->period_equal = p->fit.equal;
}

void
probe_free(struct probe *p)
{
	period_free(&p->launches[0]);
	period_free(&p->launches[1]);
	text_free(&p->per);
}
