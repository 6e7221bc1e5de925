/*
 * live.h - a page of a stream that goes on: sums in intervals of this machine's
 * clock, for a terminal, for a program, or as a file for Prometheus.
 *
 * The records of a live section (tq-capture --live) come in any order.  They
 * wait in a window of LIVE_WINDOW, and go on to the reports in order; so
 * the times of devices are that much behind, all other sums are not.
 */
#ifndef LIVE_H
#define LIVE_H

#include "tq/io/output.h"
#include "tq/io/sorter.h"

#include "live_texts.h"
#include "page/text/terminal.h"

#define LIVE_WINDOW INT64_C(1000000000) /* ns */

enum live_form { LIVE_NDJSON, LIVE_METRICS, LIVE_SCREEN };

struct live {
	/* set before live_begin, as is waited.model */
	int64_t every; /* ns; 0: no live page */
	enum live_form form;
	const char *file;              /* of LIVE_METRICS */
	const struct range_spec *step; /* ranges that are steps; its name may be
					* NULL */
	const struct names *names;
	struct output *out;        /* of LIVE_NDJSON */
	enum terminal_color color; /* of LIVE_SCREEN */
	const struct keyset *want; /* of the records, as for event_parse */
	/* Takes the records; of a form without reports definitions alone. */
	void (*hand_on)(void *arg, const struct event *ev);
	void *arg;

	struct live_sums sums;
	struct range_spec standard; /* steps, unless others were chosen */
	struct live_interval at;
	int64_t start, began, next; /* of the monotonic clock, ns */
	unsigned unchecked;         /* records since it was looked at */

	bool in_any_order; /* the section is live */
	struct sorter *window;
	int64_t released;     /* older records went on */
	int64_t mark, marked; /* the newest time + 1, or NO_ID, and when that
			       * was: of the monotonic clock */
	struct event waited;
	struct text line;
};

/* Before the first record; reads the steps that are chosen. */
void live_begin(struct live *l);

/* A record.  live: of a live section. */
void live_event(struct live *l, const struct event *ev, bool live);

/* All records of the section go on. */
void live_section_end(struct live *l);

/* Before a wait for input: returns the ms until the next interval ends. */
int live_idle(void *live);

/* The stream has ended, and its last interval. */
void live_finish(struct live *l);

void live_free(struct live *l);

#endif
