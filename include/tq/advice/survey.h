/*
 * survey.h - a first pass over the stream: which records there are, when each
 * device works, and where steps begin.
 *
 * Rules look at the scope of a process or device: with FEW_STEPS steps or more,
 * or where these were chosen, their time, of a device from its first to its
 * last work that was launched in it; and of that the window.
 */
#ifndef TQ_ADVICE_SURVEY_H
#define TQ_ADVICE_SURVEY_H

#include "tq/account/gpu_numbers.h"
#include "tq/account/wall.h"

#include "tq/advice/clocks.h"
#include "tq/advice/excess.h"
#include "tq/advice/dialect.h"
#include "tq/advice/load_phase.h"
#include "tq/advice/rule_names.h"
#include "tq/advice/runs.h"
#include "tq/advice/steps.h"
#include "tq/advice/workload.h"
#include "tq/ask/range_spec.h"
#include "tq/ask/window.h"
#include "tq/base/numbered.h"
#include "tq/line/event.h"
#include "tq/ranks/rank_waits.h"

enum { FEW_STEPS = 3, WATCHED = 4 };

/* a section */
struct survey_section {
	struct wall wall; /* after survey_finish() it is over */
	int64_t begin;    /* the earliest time; INT64_MAX: none */
	int64_t end;      /* the latest time; INT64_MIN: none */
	int64_t first;    /* the start of the first operation; INT64_MAX */
	int64_t until;    /* the end of the last one; INT64_MIN */
	size_t devices;   /* index of its first device, if it has one */
};

/* a device of a process in a section */
struct survey_device {
	size_t section;
	uint32_t process; /* its number, see names/model.h */
	size_t next;      /* device of the process, from 1; 0: there is none */
	int64_t pid, device;
	uint32_t gpu; /* of the section, that of other processes, too; or
		       * INTERN_NONE: not known */
	int64_t first, until;           /* the active span; of the scope, after
					 * survey_finish() */
	int64_t step_first, step_until; /* of work that steps launched */
	int64_t load_until; /* copies that begin before are the first phase,
			     * which brings data to the device, after
			     * survey_finish(); INT64_MIN: there is none */
	struct load_progress progress;
	int64_t runs_until; /* in either pass: the latest end so far */
	int64_t sms;        /* multiprocessors; 0: unknown */
	struct hardware hardware;
};

/* the last ranges of a thread whose names a rule with .launching may match */
struct thread_watch {
	struct watched_range {
		uint32_t symbol; /* 0: none, or it has launched */
		int64_t end;
	} ranges[WATCHED];
	size_t next;
};

/* ranges of one name, and those in which their thread launches kernels */
struct watched_name {
	int64_t count, launching;
};

/* the steps of a process in a section */
struct survey_steps {
	uint32_t process;
	int64_t seen, count;  /* of that name; that were chosen */
	int64_t first, until; /* start of the first, latest end */
	int64_t second;       /* start of the second step of all, or NO_ID */
	int64_t within;       /* that overlap the window; after its section */
};

/* a step of the section, where a window is given */
struct survey_step {
	uint32_t process;
	int64_t ts, end;
};

/* {0}, or with step and window; set excess.rules, then survey_open */
struct survey {
	struct range_spec step; /* chosen ones */
	bool chosen;
	bool knows_cc;   /* of a device */
	bool asks_runs;  /* else none are counted */
	bool asks_ranks; /* else ranks is empty */
	struct window window;
	struct survey_section *sections;
	size_t section, section_cap; /* that is being read, from 1: the count */
	struct text source;          /* of the first section: nsys */
	uint64_t kinds;              /* of records, a bit each */
	int64_t ops, steps;          /* steps: of the process that has most */
	/* after survey_finish(): of all processes with operations, or of all
	   where there are none, in the window */
	int64_t all_steps;
	int64_t gpus;         /* with operations, of all sections */
	uint32_t gpus_known;  /* of the section, with a number */
	struct names defined; /* its processes and devices */
	struct gpu_numbers gpu_numbers;
	NUMBERED(struct survey_device) device;
	NUMBERED(size_t) devices_of; /* a process: the last one, from 1 */
	NUMBERED(struct survey_steps) step_list; /* by process */
	struct map step_ends;                    /* see range_spec_is_part() */
	struct survey_step *in_section;
	size_t in_section_count, in_section_cap;
	struct step_table by_step; /* of processes */
	/* of devices, by their index */
	struct workload workload;
	struct runs runs;
	uint64_t asks_launches; /* rules, a bit each */
	NUMBERED(struct thread_watch) watched;
	NUMBERED(struct watched_name) watched_names;
	struct rank_waits ranks;
	struct clocks clocks;
	struct excess excess;
	struct rule_names names;
	struct dialect dialect;
	struct hardware hardware; /* of a device whose definition has it */
	const char *error;        /* of an expression that gave up, or NULL */
	struct text name;
};

void survey_open(struct survey *s);

/* Add the keys that survey_event needs. */
void survey_keys(const struct survey *s, struct keyset *want);

/* A section begins. */
void survey_section(struct survey *s);
void survey_event(struct survey *s, const struct event *ev);

/* After the last record: the scope is known. */
void survey_finish(struct survey *s);

/*
 * The scope of a process, and of its devices, after survey_finish(): [*from,
 * *to); empty if *from >= *to.
 */
void survey_scope(const struct survey *s, size_t section, uint32_t process,
    int64_t *from, int64_t *to);

/* An operation, in either pass. */
void survey_run(struct survey_device *d, const struct event *ev);

/* True if an operation of the device of the counter runs, in either pass. */
/* True if a device of the process runs then, as far as survey_run() knows. */
bool survey_process_runs(
    const struct survey *s, size_t section, uint32_t process, int64_t ts);

bool survey_runs(
    const struct survey *s, size_t section, const struct event *ev);

/* True if only the steps of the process are looked at. */
bool survey_has_steps(const struct survey *s, uint32_t process);

/* True if the name and domain of a range are those of steps. */
bool survey_is_step(struct survey *s, const struct event *ev);

/* True if a rule asks it of ranges of this name, and kernels are launched in
   half of them, or more. */
bool survey_launches(struct survey *s, const struct event *range);

/* Each is NULL if there is none in the section. */
const struct survey_device *survey_find_device(
    const struct survey *s, uint32_t device);
const struct survey_steps *survey_find_steps(
    const struct survey *s, uint32_t process);
const struct process_steps *survey_find_by_step(
    const struct survey *s, uint32_t process);

/*
 * The time from which on a process is steady: the start of its second step, or
 * of all but the first fifth of the active span of its devices; INT64_MIN if
 * it has neither.
 */
int64_t survey_steady_from(const struct survey *s, uint32_t process);

void survey_free(struct survey *s);

#endif
