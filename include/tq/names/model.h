/*
 * model.h - dense numbers for the processes, threads, devices, streams and
 * symbols of records, and the class and role of a symbol.
 *
 * A number belongs to one process (thread ...) of one section: an id that comes
 * again in another section, or another pass over the same one, has another
 * number there, or again the same.  Numbers begin with 1 and grow in the order
 * in which they are first looked up, so that the state of a thing stands in an
 * array (base/numbered.h).  Ids may be any 64 bits.  Definitions of processes,
 * threads, devices and streams have no part in it, and may come late or twice.
 *
 * The symbol of a record is its name together with the definition that its
 * symbol id has at that time.  So all that is found out about a name, of the
 * record or of the definition, is found out once for each number: a definition
 * that comes late, or again, begins another symbol.
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

#include "tq/base/intern.h"
#include "tq/base/map.h"
#include "tq/names/api_call.h"

enum { MODEL_RECENT = 8 };

/* things of one kind: (what they are of, their id) -> number */
struct model_things {
	struct map map;
	struct model_recent { /* looked up not long ago; number 0: none */
		uint64_t of;
		int64_t id;
		uint32_t number;
	} recent[MODEL_RECENT];
	struct model_text { /* the same, by the text of the id; 0: none */
		uint64_t of, text;
		uint32_t number;
	} texts[MODEL_RECENT];
};

/* a function or kernel, by its name */
struct model_symbol {
	struct span name; /* JSON, as in the record; empty if it has none */
	struct named_call call;
	bool communicates; /* see symbol_class.h */
};

struct model_symbols {
	struct intern names;
	struct map defined;   /* id -> its definition, of the section */
	uint64_t definitions; /* of all sections */
	struct map undefined; /* (section, id) -> number */
	struct map map;       /* (definition, name) -> number */
	struct model_symbol *all;
	size_t count, cap;
	struct model_known *known; /* looked up not long ago, or NULL */
};

/* {0} is before the first section */
struct model {
	uint64_t section;
	bool in_section;
	struct model_things processes;        /* of a section */
	struct model_things threads, devices; /* of a process */
	struct model_things contexts;         /* of a device */
	struct model_things streams;          /* of a context */
	struct model_symbols symbols;
};

/* A section begins, without a record. */
void model_section(struct model *m);

/* part of the next: a record that is the first or last one, or a symbol's */
void model_border(struct model *m, const struct event *ev);

/*
 * A record, before any number of it is looked up.  A section begins with
 * "trace", or with the first record after "end".
 */
static inline void
model_event(struct model *m, const struct event *ev)
{
	const uint64_t border = (uint64_t)1 << KIND_trace |
				(uint64_t)1 << KIND_end |
				(uint64_t)1 << KIND_symbol;

	if (!m->in_section || (border >> ev->kind & 1) != 0)
		model_border(m, ev);
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
uint32_t model_find_symbol(const struct event *ev);
uint32_t model_find_launching(const struct event *ev);

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

/* By its name and symbol id; that of another section has another number. */
static inline uint32_t
model_symbol(const struct event *ev)
{
	return ev->memo.symbol > 0 ? ev->memo.symbol : model_find_symbol(ev);
}

/*
 * The symbol of the call that launched an operation, by its api_name: the
 * model_symbol() of the call itself.
 */
static inline uint32_t
model_launching_symbol(const struct event *ev)
{
	return ev->memo.launching > 0 ? ev->memo.launching
				      : model_find_launching(ev);
}

/* True if an operation is a graph, or a graph launched it. */
bool model_is_of_graph(const struct event *ev);

/* A symbol by its number; good until the next number is looked up. */
static inline const struct model_symbol *
model_symbol_at(const struct model *m, uint32_t number)
{
	return &m->symbols.all[number - 1];
}

/* True if the name of a kernel is one of a library for communication. */
static inline bool
model_communicates(const struct event *ev)
{
	return model_symbol_at(ev->model, model_symbol(ev))->communicates;
}

/* The thread NO_ID of its process: what is kept of it is of all threads. */
uint32_t model_any_thread(const struct event *ev);

/* ---- of ids in the section; 0 if no record of them was looked up ---- */

uint32_t model_process_of(const struct model *m, int64_t pid);
uint32_t model_device_of(const struct model *m, int64_t pid, int64_t device);

#endif
