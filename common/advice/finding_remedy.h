/*
 * finding_remedy.h - remedies that depend on the machine and on what the device
 * does: values of places in the texts of rules.  e and f are NULL where no
 * recording is.
 */
#ifndef ADVICE_FINDING_REMEDY_H
#define ADVICE_FINDING_REMEDY_H

#include "tq/advice/finding.h"

/* {precision}: which smaller numbers the device multiplies faster. */
void finding_remedy_precision(
    struct text *t, const struct engine *e, const struct finding *f);

/* {overlap}: how copies, or communication, could be hidden, and how much. */
void finding_remedy_overlap(
    struct text *t, const struct engine *e, const struct finding *f);

/* {pool}: how to keep what is allocated. */
void finding_remedy_pool(
    struct text *t, const struct engine *e, const struct finding *f);

#endif
