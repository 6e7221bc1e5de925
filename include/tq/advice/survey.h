/*
 * survey.h - what a first pass over the stream finds out: which records there
 * are, when each device works, and where steps begin.
 */
#ifndef SURVEY_H
#define SURVEY_H

#include "tq/advice/excess.h"
#include "tq/advice/occupancy.h"
#include "tq/advice/runs.h"
#include "tq/advice/workload.h"
#include "tq/ask/range_spec.h"
#include "tq/base/keyed.h"
#include "tq/line/event.h"

/* a device of a process in a section */
struct survey_device {
	size_t section;
	int64_t pid, device;
	int64_t first, until;          /* the active span */
	int64_t sms;                   /* multiprocessors; 0: unknown */
	const struct occupancy_sm *sm; /* one of them; NULL: unknown */
};

/* the steps of a process in a section */
struct survey_steps {
	int64_t count;
	int64_t second; /* start of the second step */
};

/* {0}, then set excess.rules, and survey_open */
struct survey {
	struct range_spec step;
	size_t section; /* that is being read, from 1 */
	uint64_t kinds; /* of records, a bit each */
	bool knows_cc;  /* of a device */
	int64_t ops, steps, devices, lost;
	struct map processes; /* (section, pid) -> number */
	KEYED(struct survey_device) device;
	KEYED(struct survey_steps) step_list;
	/* of devices, by their index */
	struct workload workload;
	struct runs runs;
	bool asks_runs; /* else none are counted */
	struct excess excess;
	struct text name, domain;
};

void survey_open(struct survey *s);

/* Add the keys that survey_event needs. */
void survey_keys(const struct survey *s, struct keyset *want);

/* A section begins. */
void survey_section(struct survey *s);
void survey_event(struct survey *s, const struct event *ev);

/* All was read. */
void survey_finish(struct survey *s);

/* Each is NULL if there is none in the section. */
const struct survey_device *survey_find_device(
    const struct survey *s, size_t section, int64_t pid, int64_t device);
const struct survey_steps *survey_find_steps(
    const struct survey *s, size_t section, int64_t pid);

/*
 * The time from which on a process is steady: the start of its second step, or
 * of all but the first fifth of the active span of its devices; INT64_MIN if
 * it has neither.
 */
int64_t survey_steady_from(const struct survey *s, size_t section, int64_t pid);

void survey_free(struct survey *s);

#endif
