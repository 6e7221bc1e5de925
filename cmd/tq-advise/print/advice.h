/*
 * advice.h - findings as text for people, and as records for programs.
 */
#ifndef ADVICE_H
#define ADVICE_H

#include "tq/advice/finding.h"
#include "print/sheet.h"

struct advice {
	const struct findings *findings;
	const struct engine *engine;
	const char *file; /* for commands, or NULL */
	int64_t most;     /* findings that text shows */
	bool verbose;     /* notes too */
	struct text scratch;
};

void advice_write(struct advice *a, struct output *o, enum sheet_format format);

/* What a rule says: --explain. */
void advice_explain(const struct rule *r, struct output *o);

void advice_free(struct advice *a);

#endif
