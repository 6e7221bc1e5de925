/*
 * pprof.h - stacks and their values as a profile of pprof: a message Profile of
 * profile.proto, of github.com/google/pprof.
 *
 * A frame "f (x.py:12)" is function f, file x.py, line 12; "f (libx.so)" is
 * function f of a mapping, if a module of that name is known; any other is a
 * function as it is.
 */
#ifndef PPROF_H
#define PPROF_H

#include "tq/base/intern.h"
#include "tq/base/keyed.h"

enum { PPROF_VALUES = 2 };

/* what a value is, "cpu" in "nanoseconds" */
struct pprof_type {
	const char *type, *unit; /* NULL: it has no more values */
};

/* whose stack it is: empty texts and NO_ID where that is unknown */
struct pprof_labels {
	struct span process, thread;
	int64_t pid, tid;
};

/* head of a profile */
struct pprof_about {
	struct pprof_type types[PPROF_VALUES]; /* the first is there */
	int64_t period; /* in the unit of the last type; 0: unknown */
	int64_t origin; /* ns since 1970 of time 0, or NO_ID */
	int64_t ns;     /* for which it was recorded */
};

struct pprof_line {
	uint32_t function, line; /* numbers from 1; 0: no line */
	uint32_t mapping;        /* number from 1, or 0 */
};

struct pprof_function {
	uint32_t name, file; /* texts */
};

struct pprof_sample {
	uint32_t path; /* number of paths */
	uint32_t labels;
	int64_t values[PPROF_VALUES];
};

struct pprof_label_texts {
	uint32_t process, thread;
	int64_t pid, tid;
};

/* {0} is empty */
struct pprof {
	struct intern texts;      /* 0 is "" */
	struct map modules;       /* text of a name -> text of its path + 1 */
	struct map builds;        /* text of a path -> text of a build id */
	KEYED(uint32_t) mappings; /* texts of paths */
	KEYED(struct pprof_function) functions;
	KEYED(struct pprof_line) lines; /* locations */
	struct intern paths;            /* numbers of lines, innermost first */
	KEYED(struct pprof_label_texts) labels;
	KEYED(struct pprof_sample) samples;
	struct map pairs;
	struct text path;
};

/* A file of code that the program had in memory; build may be empty. */
void pprof_module(struct pprof *p, struct span path, struct span build);

/*
 * Add values to those of a stack, frames outermost first, separated by ';'.
 * An empty one is "[no stack]".
 */
void pprof_add(struct pprof *p, struct span stack,
    const struct pprof_labels *labels, const int64_t values[PPROF_VALUES]);

/* The message, which is not compressed. */
void pprof_write(
    struct text *to, struct pprof *p, const struct pprof_about *about);

void pprof_free(struct pprof *p);

#endif
