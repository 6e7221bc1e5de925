/*
 * rocpd_ids.h - the strings, processes, threads, agents and symbols behind the
 * ids of a rocpd database.  All of them are held in memory.
 *
 * The tables of a process end in a suffix, and ids are unique within one
 * suffix only.
 */
#ifndef ROCPD_IDS_H
#define ROCPD_IDS_H

#include "sqlite/database.h"
#include "tq/base/keyed.h"
#include "tq/base/region.h"

#define ROCPD_NONE INT64_MIN /* an id that a row does not have */

/* functions of roctx */
enum rocpd_roctx { ROCTX_NONE, ROCTX_PUSH, ROCTX_START, ROCTX_MARK };

struct rocpd_string {
	struct span text;
	enum rocpd_roctx roctx;
};

/* the category of an event */
struct rocpd_category {
	struct span name;
	const char *api; /* NULL: it is a range */
	bool marker;     /* of roctx ranges and marks */
	bool fault;
};

struct rocpd_agent {
	bool gpu, cpu;
	int64_t device; /* of a GPU */
};

struct rocpd_symbol {
	int64_t sym; /* from 1, over all suffixes */
	struct span name;
	int64_t regs, shared; /* or ROCPD_NONE */
};

/* the ids that all rows of a track have in common */
struct rocpd_track {
	int64_t pid, tid, agent, queue, stream, name;
};

struct rocpd_number {
	int64_t v;
};

/* counts of all suffixes */
struct rocpd_counts {
	struct map nodes; /* machine ids, hashed -> number + 1 */
	int64_t symbols, counters;
};

/* {0} but for the first two */
struct rocpd_ids {
	const struct database *db;
	const char *suffix;
	struct region region; /* texts */
	KEYED(struct rocpd_string) strings;
	KEYED(struct rocpd_category) categories;
	KEYED(struct rocpd_number) pids;
	KEYED(struct rocpd_number) tids;
	KEYED(struct rocpd_agent) agents;
	KEYED(struct rocpd_symbol) symbols;
	KEYED(struct rocpd_number) counters;
	KEYED(struct rocpd_track) tracks;
};

/* Read them; counts goes on from suffix to suffix. */
void rocpd_ids_read(struct rocpd_ids *ids, struct rocpd_counts *counts);
void rocpd_ids_free(struct rocpd_ids *ids);

/*
 * The rows of a table of the suffix in order of id: id, then columns, which are
 * separated by spaces; NULL in place of columns that the table lacks.  NULL
 * without the table.
 */
sqlite3_stmt *rocpd_ids_select(
    const struct rocpd_ids *ids, const char *table, const char *columns);

/* An integer column of such a query; ROCPD_NONE for any other value. */
int64_t rocpd_ids_int(sqlite3_stmt *st, int column);

/* The process or thread of an id, which stands for itself without a row. */
int64_t rocpd_ids_pid(const struct rocpd_ids *ids, int64_t id);
int64_t rocpd_ids_tid(const struct rocpd_ids *ids, int64_t id);

/* NULL for an id without a row. */
const struct rocpd_string *rocpd_ids_string(
    const struct rocpd_ids *ids, int64_t id);
const struct rocpd_agent *rocpd_ids_agent(
    const struct rocpd_ids *ids, int64_t id);
const struct rocpd_symbol *rocpd_ids_symbol(
    const struct rocpd_ids *ids, int64_t id);
const struct rocpd_track *rocpd_ids_track(
    const struct rocpd_ids *ids, int64_t id);

/* The category of an id; one named #ID without a row. */
const struct rocpd_category *rocpd_ids_category(
    struct rocpd_ids *ids, int64_t id);

/* The number of a counterdef; ROCPD_NONE without a row. */
int64_t rocpd_ids_counter(const struct rocpd_ids *ids, int64_t id);

/* The device of an agent; ROCPD_NONE where it is no GPU. */
int64_t rocpd_ids_device(const struct rocpd_ids *ids, int64_t agent);

#endif
