/* range_hint.c - what --range may have meant where no range matches it */

#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "range_hint.h"

enum { MOST = 10000 }; /* ranges whose names are compared letter by letter */

static bool
begins_so(struct span name, struct span with)
{
	return name.len > with.len &&
	       strncasecmp(name.p, with.p, with.len) == 0;
}

static bool
is_guess(const struct range_hint *h, struct span name)
{
	for (size_t i = 0; i < SUGGESTION_MOST && h->names.best[i].text != NULL;
	     i++)
		if (span_eq(span_of(h->names.best[i].text), name))
			return true;
	return false;
}

void
range_hint_consider(struct range_hint *h, const struct range_spec *spec,
    struct span name, struct span domain)
{
	struct region_mark mark = region_mark(&h->memory);

	if (h->domain != NULL)
		return;
	if (pattern_match(spec->name, name) == PATTERN_YES) {
		h->domain = region_copy(&h->memory, domain).p;
		return;
	}
	h->names.word = text_span(&spec->plain);
	if (h->names.word.len == 0 || is_guess(h, name) ||
	    (++h->tried > MOST && !begins_so(name, h->names.word)))
		return;
	if (!suggestion_consider(&h->names, region_copy(&h->memory, name).p))
		region_reset(&h->memory, mark);
}

void
range_hint_warn(const struct range_hint *h, const struct range_spec *spec)
{
	struct span name = text_span(&spec->plain);
	const char *domain;
	struct text visible = {0};
	char *guesses;

	if (h->domain != NULL && *h->domain == '\0') {
		warnx("warning: no range has the name in --range; without a "
		      "domain there is one");
		return;
	}
	if (h->domain != NULL) {
		domain = text_visible_name(&visible, h->domain);
		warnx("warning: no range has the name in --range; in the "
		      "domain '%s' there is one: NAME@%s, or NAME@* for any",
		    domain, domain);
		text_free(&visible);
		return;
	}
	guesses = suggestion_text(&h->names);
	if (name.len == 0)
		warnx("warning: no range has the name in --range%s", guesses);
	else
		warnx("warning: no range is named '%.*s'%s", (int)name.len,
		    name.p, guesses);
	free(guesses);
}

void
range_hint_free(struct range_hint *h)
{
	region_free(&h->memory);
}
