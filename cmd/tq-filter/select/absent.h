/*
 * absent.h - numbers of processes, threads, devices, streams and ranks that a
 * selection names, and no record has.
 */
#ifndef ABSENT_H
#define ABSENT_H

#include "tq/base/text.h"
#include "tq/line/event.h"

enum { ABSENT_KEYS = 6, ABSENT_SHOWN = 6 };

struct absent_ids {
	enum key key;
	struct asked_id {
		int64_t id;
		bool occurs;
	} * asked;
	size_t count, cap;
	int64_t others[ABSENT_SHOWN]; /* ids that occur, ascending */
	size_t other_count;
	bool more;               /* than these */
	char last[TEXT_INT_MAX]; /* digits of the id noted last */
	size_t last_len;
};

/* {0} has none */
struct absent {
	struct absent_ids ids[ABSENT_KEYS];
	size_t count;
	bool watching; /* the selection names ids, and no record has matched */
};

/* The selection is of records whose key is id; other keys are ignored. */
void absent_ask(struct absent *a, enum key key, int64_t id);

/* A definition, or a record that does not match; its keys have been read. */
void absent_note(struct absent *a, const struct event *ev);

/* Warn of the first id that does not occur, unless a record has matched. */
void absent_warn(const struct absent *a);

void absent_free(struct absent *a);

#endif
