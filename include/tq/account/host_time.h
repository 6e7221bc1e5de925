/*
 * host_time.h - what each thread did, one thing at a time, for gaps to come.
 *
 * The records of a thread nest: ranges, OS calls in them, calls of an API.  At
 * each moment one of them counts, by its cause (idle_cause.h): the last one of
 * the list; of ranges and of OS calls the innermost one, of calls the
 * outermost. One without a name has that of what is around it: the range in
 * which a thread waits for the lock of Python, or in which it has no processor.
 * So the time of a thread is a row of stretches, 48 bytes each, which are held
 * from the first gap on that is open.  Where that has more than 65536, the
 * first ones are added up by their causes and things, and have no order any
 * more: memory does not grow with a gap, and a gap that has them all has their
 * sums.
 *
 * Most records are over before a gap begins: they wait, at most 4096 of a
 * thread, and only those that reach into an open gap are looked at.
 */
#ifndef TQ_ACCOUNT_HOST_TIME_H
#define TQ_ACCOUNT_HOST_TIME_H

#include "tq/account/idle_cause.h"
#include "tq/base/intern.h"
#include "tq/base/numbered.h"
#include "tq/line/event.h"

/* the name of a record and the file that it is about, as JSON: numbers of
   host_time.texts; and a number of the caller; 0: none */
struct host_thing {
	uint32_t name, file, place;
};

struct host_stretch {
	int64_t ts, end;
	int64_t since; /* its range begins */
	enum idle_cause cause;
	struct host_thing thing;
	uint32_t range; /* the name of the innermost range around; 0: none */
};

/* a record that is open, those that end first last */
struct host_open {
	int64_t end, since;                 /* since: the range begins, */
	enum idle_cause cause, top;         /* top: of it and all before it, */
	struct host_thing thing, top_thing; /* whose thing it is */
	uint32_t range;                     /* the last one of all these */
};

/* a record that waits */
struct host_record {
	int64_t ts, end;
	uint32_t symbol;    /* its name, see names/model.h; 0: none */
	uint32_t text, len; /* in host_line.text: the name of a range, or a
			     * file, as JSON */
	uint32_t place;     /* of the caller */
	unsigned char kind;
	unsigned char cause; /* enum idle_cause, if its symbol has none; of
			      * KIND_sched: whether it lost its processor */
};

struct host_line {
	int64_t pid;
	int64_t since; /* no gap that is open began before */
	int64_t now;   /* the stretches end here */
	bool preempted;
	struct host_record *waiting;
	size_t waiting_count, waiting_cap;
	struct text text;
	struct host_stretch *all; /* in order, apart from each other */
	size_t count, cap;
	struct host_open *open;
	size_t open_count, open_cap, range_count;
};

/* what the records of a symbol have in common */
struct host_time_symbol {
	enum idle_cause os, call; /* the causes of such calls */
	uint32_t name;
};

/* set since and of; all else is 0 at first */
struct host_time {
	/* the earliest beginning of an open gap of the process */
	int64_t (*since)(const void *of, int64_t pid);
	const void *of;

	const struct model *model;        /* of the records */
	NUMBERED(struct host_line) lines; /* by thread, see names/model.h */
	NUMBERED(struct host_time_symbol) symbols;
	struct intern texts;
	size_t bytes; /* of texts */
};

/* A record of a thread: range, osrt, api, gil, sched; or overhead.  place: a
   number that its stretches get; 0: none. */
void host_time_add(struct host_time *h, const struct event *ev, int64_t ts,
    int64_t end, uint32_t place);

/* The time of a thread up to then, from its first gap on that is open; NULL:
   it has no records. */
const struct host_line *host_time_line(
    struct host_time *h, uint32_t thread, int64_t until);

/*
 * The first stretch in [from, to) of a line, which may be NULL, cut to it; time
 * without a record is one of IDLE_HOST.  from < to.
 */
struct host_stretch host_time_next(
    const struct host_line *line, int64_t from, int64_t to);

/* The number of the name of the call that launched an operation. */
uint32_t host_time_launching(struct host_time *h, const struct event *ev);

/* The number of a text of JSON; 0 if it is none, or one too many. */
uint32_t host_time_text(struct host_time *h, struct span json);

/* The text of a number, JSON; empty of 0. */
static inline struct span
host_time_json(const struct host_time *h, uint32_t text)
{
	return text > 0 ? intern_text(&h->texts, text - 1) : SPAN("");
}

/* A new section: forget all but the texts. */
void host_time_reset(struct host_time *h);

void host_time_free(struct host_time *h);

#endif
