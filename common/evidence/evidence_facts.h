/*
 * evidence_facts.h - what was counted becomes facts.
 */
#ifndef EVIDENCE_FACTS_H
#define EVIDENCE_FACTS_H

#include "tq/evidence/evidence.h"

/* A section is over: what is taken away on its processes. */
void evidence_facts_section(struct recording_evidence *x);

/* All sections are: make the facts. */
void evidence_facts_make(struct recording_evidence *x);

#endif
