/*
 * advice.h - findings as text for people, and as records for programs.
 */
#ifndef ADVICE_H
#define ADVICE_H

#include "operators.h"
#include "tq/advice/finding.h"
#include "tq/io/printed_command.h"
#include "tq/show/json_document.h"
#include "print/sheet.h"

struct advice {
	const struct findings *findings;
	const struct engine *engine;
	const struct operators *operators; /* or NULL: a device works */
	struct printed_command_input input;
	struct json_head head;
	int64_t most; /* findings that text shows */
	bool verbose; /* notes too */
	struct text scratch;
};

void advice_write(struct advice *a, struct output *o, enum sheet_format format);

/* The title of a finding; good until the next. */
struct span advice_title(struct advice *a, const struct finding *f);

/* The texts of a rule: --explain. */
void advice_explain(const struct rule *r, struct output *o);

void advice_free(struct advice *a);

#endif
