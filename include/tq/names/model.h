/*
 * model.h - dense numbers for the processes, threads, devices and streams of
 * records.
 *
 * A number belongs to one process (thread ...) of one section: an id that comes
 * again in another section, or another pass over the same one, has another
 * number there, or again the same.  Numbers begin with 1 and grow in the order
 * in which they are first looked up, so that the state of a thing stands in an
 * array (base/numbered.h).  Ids may be any 64 bits; definitions have no part in
 * it, and may come late or twice.
 *
 * A tool that has consumers of numbers sets event.model of its reader, and
 * gives each record to model_event() first:
 *
 *	struct model m = {0};
 *
 *	reader.event.model = &m;
 *	while (reader_next(&reader)) {
 *		model_event(&m, &reader.event);
 *		...
 *	}
 *	model_rewind(&m); and once more
 *	model_free(&m);
 */
#ifndef TQ_NAMES_MODEL_H
#define TQ_NAMES_MODEL_H

#include "tq/base/map.h"
#include "tq/line/event.h"

/* things of one kind: (what they are of, their id) -> number */
struct model_things {
	struct map map;
	/* that was looked up last; number 0: none was */
	uint64_t of;
	int64_t id;
	uint32_t number;
};

/* {0} is before the first section */
struct model {
	uint64_t section;
	bool in_section;
	struct model_things processes;        /* of a section */
	struct model_things threads, devices; /* of a process */
	struct model_things contexts;         /* of a device */
	struct model_things streams;          /* of a context */
};

/* A section begins; model_event() calls it. */
void model_section(struct model *m);

/*
 * A record, before any number of it is looked up.  A section begins with
 * "trace", or with the first record after "end".
 */
static inline void
model_event(struct model *m, const struct event *ev)
{
	if (!m->in_section || ev->kind == KIND_trace)
		model_section(m);
	m->in_section = ev->kind != KIND_end;
}

/* The same sections are read once more; their numbers stay. */
void model_rewind(struct model *m);

void model_free(struct model *m);

/* ---- of a record: the number, from 1 ---- */

/* parts of the functions below: look it up */
uint32_t model_find_process(const struct event *ev);
uint32_t model_find_thread(const struct event *ev);
uint32_t model_find_device(const struct event *ev);
uint32_t model_find_stream(const struct event *ev);

/*
 * A record without a pid (tid ...) has the number of NO_ID; one without a
 * device the number of device 0.  An id of a stream is unique within its
 * context: whoever numbers streams reads KEY_context, too.
 */
static inline uint32_t
model_process(const struct event *ev)
{
	return ev->memo.process > 0 ? ev->memo.process : model_find_process(ev);
}

static inline uint32_t
model_thread(const struct event *ev)
{
	return ev->memo.thread > 0 ? ev->memo.thread : model_find_thread(ev);
}

static inline uint32_t
model_device(const struct event *ev)
{
	return ev->memo.device > 0 ? ev->memo.device : model_find_device(ev);
}

static inline uint32_t
model_stream(const struct event *ev)
{
	return ev->memo.stream > 0 ? ev->memo.stream : model_find_stream(ev);
}

/* The thread NO_ID of its process: what is kept of it is of all threads. */
uint32_t model_any_thread(const struct event *ev);

/* ---- of ids in the section; 0 if no record of them was looked up ---- */

uint32_t model_process_of(const struct model *m, int64_t pid);
uint32_t model_device_of(const struct model *m, int64_t pid, int64_t device);

#endif
