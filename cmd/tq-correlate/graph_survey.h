/*
 * graph_survey.h - the captures and the launches of graphs, before any record
 * is written: which capture is replayed by which launch.
 *
 * A capture is what a thread launches between BeginCapture and EndCapture.  A
 * launch replays one if they have the same operations in the same order, or all
 * but the last one or two, which some profilers lose: by the names of kernels,
 * and by their grids where both sides have them.  Where several captures fit,
 * the launches within one outermost range of a profiler are, in order, those of
 * one capture range; else only what all agree on is known.  Where the calls of
 * a capture have no names, counts prove nothing: graphs with ids are then the
 * captures in the order of these ids, if they are as many.  Where none fits, a
 * launch gets labels of what it resembles, see graph_resemblance.h: its
 * operations are read once more for that.
 *
 * Memory: 12 bytes for each call that was captured, each distinct label, about
 * 130 bytes for each launch of a graph, and 16 for each operation of a distinct
 * sequence that no capture has; and what project.h holds.
 */
#ifndef GRAPH_SURVEY_H
#define GRAPH_SURVEY_H

#include "tq/base/keyed.h"
#include "tq/io/output.h"

#include "graph_names.h"
#include "graph_resemblance.h"

/* a sequence of operations, summed so that their order of arrival is nothing */
struct graph_sums {
	uint64_t kinds, names, grids;
	size_t count;
};

enum { GRAPH_LOST = 2 }; /* operations at the end that may be missing */

struct graph_capture {
	uint64_t process;    /* that captured; 0: of another recording */
	uint64_t group;      /* its innermost range of a profiler, or 0 */
	size_t first, items; /* of the calls */
	size_t ops;          /* of these, that are operations */
	size_t first_op;     /* where these stand without the others */
	bool named, sized;   /* all kernels have a name, a grid */
	/* without the last 0, 1 or 2; by place among all calls, and among
	   operations */
	struct graph_sums all[GRAPH_LOST + 1], dense[GRAPH_LOST + 1];
};

struct graph_launch {
	uint64_t process, group; /* group: its outermost range of a profiler */
	struct graph_sums sums;
	int64_t graph, stream;
	bool any, by_node, sized;
	bool mixed;    /* no order of its operations is known */
	uint32_t set;  /* of captures that fit */
	size_t answer; /* 1 + index; 0: none */
	size_t target; /* the same, of what no capture has */
	int64_t next;  /* place of the operation to come */
};

/* the labels of a launch */
struct graph_answer {
	size_t first, first_op;
	struct span proof; /* JSON */
	bool common;
	bool lost; /* the last operations are not recorded */
	bool used; /* an operation got its name */
};

struct graph_call; /* that was captured, or launched its operation itself */

/* calls of a thread: a capture, or a range with captures, or a step */
struct graph_window {
	struct graph_call *calls;
	size_t count, cap;
	int64_t until; /* the last call ends: those within it are its parts */
	uint64_t process, group;
	bool open, in_range; /* of a capture: within the range of captures */
	bool complete;       /* of others: it becomes a source */
};

/* a name as a hash, and what is compared where no capture fits */
struct graph_symbol {
	uint64_t name, like;
};

/* a distinct sequence that no capture has, and the launch to read it of */
struct graph_unmatched {
	struct graph_target ops;
	size_t launch;
};

struct graph_survey {
	struct graph_labels labels;
	struct project project; /* of the section at hand */
	struct output silent, *to;
	int64_t section;
	bool foreign; /* another recording is read */
	bool eager;   /* its launches that are of no graph are sources */
	bool loose;   /* families of names are compared where no capture fits */
	int64_t percent; /* of the operations that have to be alike */

	struct map processes; /* section and pid -> number */
	bool used_annotation;
	struct map annotated; /* node -> 1 + label: graph_annotation.h */
	KEYED(struct graph_symbol) symbols;  /* of the section, by id */
	KEYED(struct graph_window) windows;  /* by process and thread */
	KEYED(struct graph_window) programs; /* by range, or by thread */
	struct map pending; /* process and corr -> program << 32 | call */
	struct graph_resemblance resemblance;
	KEYED(struct graph_unmatched) unmatched; /* by process and sums */
	size_t best, best_of; /* names alike of the refused ones, of so many */
	struct graph_capture *captures;
	size_t capture_count, capture_cap;
	uint32_t *calls; /* labels of all captures */
	size_t call_count, call_cap;
	KEYED(struct graph_launch) launches; /* by process and corr */
	struct intern sets;
	KEYED(struct graph_answer) answers; /* by set and proof */
	struct text scratch, name;
};

/* {0} and this; s must not move. */
void graph_survey_open(struct graph_survey *s);

/* The keys that a survey reads. */
const struct keyset *graph_survey_keys(void);

/* A record; sections are told apart by "trace". */
void graph_survey_event(struct graph_survey *s, const struct event *ev);

/* A recording is over; foreign: the next one only has captures, and eager:
   steps that are no graphs, to compare with. */
void graph_survey_next(struct graph_survey *s, bool foreign, bool eager);

/* A node has these texts, which are escaped, or empty. */
void graph_survey_annotate(struct graph_survey *s, int64_t node,
    struct span operator, struct span module, struct span shapes);

/*
 * All is read: find the captures of the launches.  True if some have none, and
 * there is something to compare them with: then the recording is read once
 * more, from its first section on, by graph_survey_collect and _compare.
 */
bool graph_survey_decide(struct graph_survey *s);
void graph_survey_collect(struct graph_survey *s, const struct event *ev);
void graph_survey_compare(struct graph_survey *s);

/* Records are read again, from the first section on; one begins. */
void graph_survey_rewind(struct graph_survey *s);

static inline void
graph_survey_section(struct graph_survey *s)
{
	s->section++;
}

/* The name of an operation of a node that a file annotates. */
bool graph_survey_annotation(
    struct graph_survey *s, int64_t node, struct graph_name *name);

/*
 * The name of an operation of a launch, in the order in which they stand;
 * *common: it has only what several captures agree on.  False: it has none.
 */
bool graph_survey_find(struct graph_survey *s, int64_t pid, int64_t corr,
    int64_t node, struct graph_name *name, bool *common);

/* Print what the best was that was too little. */
void graph_survey_refusal(const struct graph_survey *s);

/* What was found, in words: " (sequence, order)"; and how many launches. */
void graph_survey_describe(const struct graph_survey *s, struct text *t);

void graph_survey_free(struct graph_survey *s);

#endif
