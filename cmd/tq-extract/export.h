/*
 * export.h - what is known of the export at hand, and the names that its
 * rows refer to.
 */
#ifndef EXPORT_H
#define EXPORT_H

#include "database.h"
#include "launches.h"
#include "tq/base/map.h"
#include "tq/io/output.h"

enum {
	CACHE = 1 << 12,   /* strings kept in memory */
	CACHED_SLACK = 32, /* bytes that may be read behind one */
	THREADS = 1 << 6,
	SYMBOLS = 1 << 11,
	LEARNT = 1 << 4,
};

/* what was asked for not long ago */
struct symbol {
	int64_t base, demangled, mangled, id;
};

struct learnt {
	uint64_t process;
	int64_t context, device;
	bool known;
};

struct cached {
	int64_t id;
	bool used, shortened;
	struct text json; /* the string, ready to be written */
	struct text raw;  /* of an API function: with its version suffix */
};

/* the keys pid and tid of a global id, as they stand in a record */
struct thread_keys {
	uint64_t global;
	char text[39];
	unsigned char len;
};

/* the digits of a time but for the last eight, which are zeros in from */
struct recent_time {
	int64_t from;
	char text[16];
	unsigned char len;
};

/* a table of call chains */
struct chain {
	const char *table;
	sqlite3_stmt *frames;      /* NULL where the table is not there */
	struct straight *straight; /* NULL where only that will do */
	bool tried;
	struct map ids; /* id in the table -> id of the stack + 1 */
};

/* rows of the NVTX events that name a domain, a category or a thread */
struct noted {
	char *table; /* that they are in; NULL where none was looked at */
	int64_t *rowids;
	size_t count, cap;
};

enum { CHAINS = 4, HOSTS = 128 };

struct nsys {
	struct database db;
	struct output *out;
	struct text version, schema; /* empty where not known */
	int64_t shift;               /* to be subtracted from all times */
	int64_t bad_bytes;           /* that were no UTF-8 */
	int64_t odd_values;          /* of a type that the column has not */

	sqlite3_stmt *string;
	struct cached strings[CACHE], functions[CACHE];
	struct map symbol_ids; /* (demangled, mangled) -> id */
	struct symbol symbols[SYMBOLS];
	int64_t symbol_count;
	struct chain chains[CHAINS];
	struct map stacks; /* hash of the frames -> id */
	int64_t stack_count;
	struct text frames;       /* of the stack at hand */
	struct launches launched; /* process: the upper bits of a global id */

	struct map contexts; /* (process, context) -> device + 1 */
	struct learnt learnt[LEARNT];

	uint64_t hosts[HOSTS]; /* upper bits of global ids, in order met */
	int host_count;
	struct thread_keys threads[THREADS];
	struct recent_time recent_time;
	struct noted noted;
	struct map domains;    /* (global pid, domain id) -> text + 1 */
	struct map categories; /* hash of pid, domain, id -> text + 1 */
	struct text *names;    /* of domains and categories, as JSON */
	size_t name_count;
};

/*
 * What an export says of itself; from is borrowed.  Exits where the database
 * has no table of an export.
 */
void export_open(struct nsys *x, const struct operand *from, bool direct,
    struct output *out);
void export_close(struct nsys *x);

/*
 * Process and thread of a global id.  The upper 16 bits of one tell host
 * and virtual machine apart: processes of all but the first host get
 * 2^24 * (number of the host) added, so that no two share a pid.
 */
int64_t export_pid(struct nsys *x, uint64_t global);
int64_t export_tid(uint64_t global);

/*
 * Both as keys of a record, each with a comma before it; one that is 0 is
 * left out.  Good until the next call.
 */
void export_fill_thread(struct nsys *x, struct thread_keys *k, uint64_t global);

static inline const struct thread_keys *
export_thread(struct nsys *x, uint64_t global)
{
	size_t slot = global * 0x9e3779b97f4a7c15u >> 58;
	struct thread_keys *k = &x->threads[slot];

	_Static_assert(THREADS == 1 << 6, "the hash has 6 bits");
	if (k->global != global)
		export_fill_thread(x, k, global);
	return k;
}

/*
 * A context (of a process: the upper bits of its global id) is on one
 * device.  The device of a context that was learnt, else the one given.
 */
void export_learn_device(
    struct nsys *x, uint64_t process, int64_t context, int64_t device);
int64_t export_device(
    const struct nsys *x, uint64_t process, int64_t context, int64_t device);

/* Not to be called directly: read a string that was not at hand. */
void export_fill_cached(
    struct nsys *x, struct cached *c, int64_t id, bool shorten);

/*
 * The string of an id as JSON, "#ID" where it is not in StringIds.
 * CACHED_SLACK bytes behind it may be read.
 */
static inline struct span
export_string(struct nsys *x, int64_t id)
{
	struct cached *c = &x->strings[(uint64_t)id % CACHE];

	if (c->id != id || !c->used)
		export_fill_cached(x, c, id, false);
	return text_span(&c->json);
}

/*
 * The same for an API function, without its version suffix; *raw is the
 * whole name where it differs, else empty.
 */
static inline struct span
export_function(struct nsys *x, int64_t id, struct span *raw)
{
	struct cached *c = &x->functions[(uint64_t)id % CACHE];

	if (c->id != id || !c->used)
		export_fill_cached(x, c, id, true);
	*raw = text_span(&c->raw);
	return text_span(&c->json);
}

/*
 * The id of a symbol or stack; its record is written where it is new.  A
 * stack that is not there has id 0.
 */
int64_t export_symbol(
    struct nsys *x, int64_t base, int64_t demangled, int64_t mangled);
int64_t export_stack(struct nsys *x, const char *table, int64_t id);

/* A row that names something; noted in the order of rowids. */
void export_note_name(struct nsys *x, int64_t rowid);

/* To be called once each, before and after. */
void export_open_chains(struct nsys *x);
void export_close_chains(struct nsys *x);

/* Read the names of NVTX domains and categories. */
void export_read_names(struct nsys *x);

/* The name of a domain or category as JSON; empty where it has none. */
struct span export_domain(struct nsys *x, uint64_t global, int64_t domain);
struct span export_category(
    struct nsys *x, uint64_t global, int64_t domain, int64_t category);

/* Append any bytes as a JSON string, counting those that were no UTF-8. */
void export_add_json(struct nsys *x, struct text *t, struct span s);

/* Write the trace record and the definitions that come before all events. */
void export_definitions(struct nsys *x);

#endif
