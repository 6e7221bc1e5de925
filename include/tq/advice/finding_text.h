/*
 * finding_text.h - the texts of a rule, with what was found: {count},
 * {what} ... as tq-advise(1) has them.
 */
#ifndef TQ_ADVICE_FINDING_TEXT_H
#define TQ_ADVICE_FINDING_TEXT_H

#include "tq/advice/finding.h"
#include "tq/base/text.h"

/*
 * Append a text of the finding's rule.  file replaces the word FILE, unless it
 * is empty; it is as a shell reads it.
 */
void finding_text_add(struct text *t, const struct engine *e,
    const struct finding *f, struct span text, struct span file);

/* ppm as percent with one decimal, without its sign: "48.2" */
void finding_text_share(struct text *t, int64_t ppm);

#endif
