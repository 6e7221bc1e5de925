/*
 * cuda.h - what the reports of CUDA share: what things are called, texts that
 * are kept once, and the reports that are in files of their own.
 */
#ifndef CUDA_H
#define CUDA_H

#include "groups.h"
#include "report.h"

/* ---- texts, each kept once ---- */

struct cuda_texts {
	struct map map; /* (hash, attempt) -> place */
	struct text t;
};

/* The place of a text, which is never 0. */
uint64_t cuda_texts_put(struct cuda_texts *ts, struct span text);

/* Good until the next cuda_texts_put. */
struct span cuda_texts_get(const struct cuda_texts *ts, uint64_t place);

void cuda_texts_free(struct cuda_texts *ts);

/* ---- names; those that have to be made are, at the end of *t ---- */

/*
 * Is it a call of the runtime or the driver?  Libraries have api records as
 * well.
 */
bool cuda_is_call(const struct event *ev);

/* Of an api record. */
struct span cuda_api_name(
    const struct report *r, const struct event *ev, struct text *t);

/* Of a kernel, as the argument of the report says. */
struct span cuda_kernel_name(
    const struct report *r, const struct event *ev, struct text *t);

/* Of a copy, a fill, or a graph that was traced as a whole. */
struct span cuda_operation_name(const struct event *ev, struct text *t);

/*
 * Three numbers, and how nsys spells them; absent ones are 0, and three
 * absent ones nothing.
 */
bool cuda_dims(const struct event *ev, enum key k, int64_t d[3]);
struct span cuda_dims_text(const struct event *ev, enum key k, struct text *t);

/* ---- what is inside which range, for nsys ---- */

/*
 * The innermost range is for nsys one that the whole call is in, of whatever
 * domain, and of equal ones the first.  Where one ends that was never closed
 * is known at the end of a section only.
 */
struct cuda_inside {
	struct map threads; /* (pid, tid) -> index + 1 */
	struct inside_thread *all;
	size_t count, cap;
	int64_t last; /* time of an annotation */
};

void cuda_inside_add(struct cuda_inside *in, const struct event *range);

/* All ranges are there. */
void cuda_inside_close(struct cuda_inside *in);

/* The id of the range around [ts, end] of a thread, or NO_ID. */
int64_t cuda_inside_find(const struct cuda_inside *in, int64_t pid, int64_t tid,
    int64_t ts, int64_t end);

/* A new section. */
void cuda_inside_reset(struct cuda_inside *in);

/* ---- cuda_exec.c: kernels with their calls ---- */

/* for nsys: calls that have another name for it than for everybody else */
struct exec_calls {
	struct map map; /* (pid, corr) -> place in texts */
};

/* what is alike of launches, by places, and a kernel: steps to a group */
struct exec_sum {
	struct exec_calls calls;
	struct cuda_texts texts;
	struct map symbols; /* -> place of a name, of this section */
	struct map threads, devices, apis, kernels; /* steps of a key */
	struct groups groups;
	struct text key, scratch;
};

struct exec_trace {
	struct exec_calls calls;
	struct cuda_texts texts;
	struct map symbols;
	struct exec_row *rows;
	size_t count, cap, section; /* section: the first row of it */
	struct text scratch;
};

void exec_sum_open(struct report *r);
void exec_sum_event(struct report *r, const struct event *ev);
void exec_sum_section_end(struct report *r);
void exec_sum_table(struct report *r, struct table *t);
struct groups *exec_sum_groups(const struct report *r);
void exec_sum_close(struct report *r);

void exec_trace_event(struct report *r, const struct event *ev);
void exec_trace_section_end(struct report *r);
void exec_trace_table(struct report *r, struct table *t);
void exec_trace_close(struct report *r);

#endif
