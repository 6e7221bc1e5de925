/*
 * survey.h - what a first pass over the stream finds out: which records there
 * are, when each device works, and where steps begin.
 */
#ifndef SURVEY_H
#define SURVEY_H

#include "tq/ask/range_spec.h"
#include "tq/base/keyed.h"
#include "tq/line/event.h"

/* a device of a process in a section */
struct survey_device {
	size_t section;
	int64_t pid, device;
	int64_t first, until; /* the active span */
	int64_t sms;          /* multiprocessors; 0: unknown */
};

/* the steps of a process in a section */
struct survey_steps {
	int64_t count;
	int64_t second; /* start of the second step */
};

/* {0}, then survey_open */
struct survey {
	struct range_spec step;
	size_t section; /* that is being read, from 1 */
	uint64_t kinds; /* of records, a bit each */
	int64_t ops, steps, devices, lost;
	struct map processes; /* (section, pid) -> number */
	KEYED(struct survey_device) device;
	KEYED(struct survey_steps) step_list;
	struct text name, domain;
};

void survey_open(struct survey *s);

/* Add the keys that survey_event needs. */
void survey_keys(struct keyset *want);

/* A section begins. */
void survey_section(struct survey *s);
void survey_event(struct survey *s, const struct event *ev);

/* Each is NULL if there is none in the section. */
const struct survey_device *survey_find_device(
    const struct survey *s, size_t section, int64_t pid, int64_t device);
const struct survey_steps *survey_find_steps(
    const struct survey *s, size_t section, int64_t pid);

void survey_free(struct survey *s);

#endif
