/*
 * finding_text.h - the texts of a rule, with values of the finding: {count},
 * {what} ... as tq-advise(1) has them.
 */
#ifndef TQ_ADVICE_FINDING_TEXT_H
#define TQ_ADVICE_FINDING_TEXT_H

#include "tq/advice/finding.h"
#include "tq/base/text.h"

enum { PLACE_LEAST = PPM / 5 };

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
 * The place of most of the host's time that it claimed, if that is PLACE_LEAST
 * of it; else NULL.
 */
const struct finding_place *finding_text_place(
    const struct finding *f, enum place_part part);

#endif
