/*
 * finding_text.h - the texts of a rule, with values of the finding: {count},
 * {what} ... as tq-advise(1) has them.
 */
#ifndef TQ_ADVICE_FINDING_TEXT_H
#define TQ_ADVICE_FINDING_TEXT_H

#include "tq/advice/finding.h"
#include "tq/base/text.h"

/* a part of the idle time that a finding claims: "10 ms in read" */
struct finding_where {
	int64_t ns;
	const char *words; /* with a blank before a text */
	struct span text;
	bool queued; /* operations waited there, and not the host */
};

enum { WHERE_MOST = NAMES_MOST + 3 };

/*
 * Append a text of the finding's rule.  Without an engine and a finding it has
 * the words for devices, and values of a finding stay unreplaced.  file
 * replaces the word FILE, unless it is empty; it is quoted for a shell.
 */
void finding_text_add(struct text *t, const struct engine *e,
    const struct finding *f, struct span text, struct span file);

/* Append what to do; where the finding is the first of a start-up that leads,
   to record without it. */
void finding_text_add_do(struct text *t, const struct engine *e,
    const struct finding *f, struct span file);

/*
 * Where the host was in the time that it claimed of the worst device: the
 * largest names, what has none, and the file and line with most of it.  The
 * number of parts.
 */
size_t finding_text_where(
    const struct finding *f, struct finding_where where[WHERE_MOST]);

/*
 * Append why the host's time was exposed, where a wait did that with half of
 * what the finding claims or more: "exposed because each step ends with a wait
 * (cudaDeviceSynchronize)".  Else false, and nothing is appended.
 */
bool finding_text_add_exposed(
    struct text *t, const struct engine *e, const struct finding *f);

/* Append ", and 90 ms more that would only be idle time behind the host", if
   the gain of the finding is so much less than what it claims. */
void finding_text_add_behind(struct text *t, const struct finding *f);

#endif
