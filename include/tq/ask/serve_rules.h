/*
 * serve_rules.h - the steps of inference servers, by the names of their ranges,
 * and what their kernels are for, by their names: share/tq/serve.rules, whose
 * head says how a line is made.
 */
#ifndef TQ_ASK_SERVE_RULES_H
#define TQ_ASK_SERVE_RULES_H

#include <stdbool.h>

#include "tq/base/span.h"

/* The lines of serve.rules, and NULL; the Makefile makes them. */
extern const char *const serve_rules_default[];

enum serve_class {
	SERVE_PREFILL,
	SERVE_DECODE,
	SERVE_MIXED,
	SERVE_IDLE,
	SERVE_VERIFY,
	SERVE_DRAFT,
	SERVE_DENOISE,
	SERVE_UNKNOWN,
	SERVE_CLASSES
};

enum serve_work {
	SERVE_ATTENTION,
	SERVE_GEMM,
	SERVE_MOE,
	SERVE_COMM,
	SERVE_NORM_ACT,
	SERVE_SAMPLING,
	SERVE_COPY,
	SERVE_OTHER,
	SERVE_WORKS
};

/* of a step; a number is NO_ID where the name does not tell it */
struct serve_counts {
	struct span engine; /* one text for all steps of it */
	enum serve_class class;
	int64_t requests, batch;
	int64_t context, generated; /* tokens */
	int64_t tokens;
};

struct serve_rules;

/*
 * The rules of a file, or the built-in ones for NULL.  An error is printed with
 * file and line, and ends the program: with status 1 if the file cannot be
 * read, 2 if a line is wrong.
 */
struct serve_rules *serve_rules_open(const char *file);

/* Is a range of that name a step? */
bool serve_rules_step(
    struct serve_rules *r, struct span name, struct serve_counts *c);

/* What a kernel of that full name is for, and what an operator is; SERVE_WORKS
   where no rule knows the operator. */
enum serve_work serve_rules_kernel(struct serve_rules *r, struct span name);
enum serve_work serve_rules_operator(struct serve_rules *r, struct span name);

/* "prefill", and back; SERVE_CLASSES for another word. */
struct span serve_rules_class(enum serve_class class);
enum serve_class serve_rules_class_of(struct span word);

/* May be given NULL. */
void serve_rules_free(struct serve_rules *r);

#endif
