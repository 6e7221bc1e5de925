/*
 * account_draft.h - the account of a recording while it is made: names, and
 * sums by the numbers of names.
 */
#ifndef TQ_ACCOUNT_ACCOUNT_DRAFT_H
#define TQ_ACCOUNT_ACCOUNT_DRAFT_H

#include "tq/account/device_lanes.h"
#include "tq/account/range_paths.h"
#include "tq/base/numbered.h"
#include "tq/names.h"

#include "unit_sums.h"

struct recorded_row {
	enum kind kind;
	enum device_class group;
	bool in_graph;
	struct span name, full;
};

/* the operations of a row on a device */
struct row_on {
	uint32_t row, device;
};

/* the operations of a row with one shape of kernels, or one copy */
struct row_detail {
	uint32_t row, text; /* of shapes or copies */
};

struct draft_path {
	uint16_t depth; /* how many names it has */
	bool used;      /* it is not only the beginning of another */
};

/* the rows and calls of a symbol, index + 1 each; 0: not looked up yet */
struct draft_symbol {
	uint32_t rows[2][DEVICE_CLASSES]; /* of a kernel; in graphs: 1 */
	uint32_t calls[2];                /* api: 0, osrt: 1 */
};

/* {0} is empty */
struct account_draft {
	struct intern row_keys;
	struct recorded_row *rows; /* by number of the key */
	size_t row_count, row_cap;
	NUMBERED(struct draft_symbol) symbols; /* of the section */
	KEYED(struct row_on) rows_on;
	KEYED(struct row_detail) details;
	struct intern shapes, calls, copies, fact_names;
	struct range_paths paths;
	struct draft_path *path_facts; /* by number of the path */
	size_t path_count, path_cap;
	struct span *facts; /* values, by number of the name */
	size_t fact_count, fact_cap;
	NUMBERED(struct account_device) devices; /* in the section */
	struct account_unit *units;
	size_t unit_count, unit_cap;
	struct intern sequence_keys; /* bytes of the launches */
	int64_t *sequence_units;     /* by number of the key */
	size_t sequence_count, sequence_cap;
	size_t sequence_launches; /* of all sequences */
	int64_t unsequenced, left_out, left_wall, memory_peak;
	struct unit_sums sums;
	struct text scratch, key, folded;
	struct region region;
};

/* The row of an operation of that class. */
uint32_t account_draft_row(struct account_draft *r, const struct names *names,
    const struct event *ev, enum device_class group);

/* The row of a call, range or function of the host: 'a' + its kind, its name.
 */
uint32_t account_draft_host_row(struct account_draft *r, struct span key);

/* The number of a row on a device. */
uint32_t account_draft_row_on(
    struct account_draft *r, uint32_t row, uint32_t device);

/* The number of the shape of a kernel, or of the copy; INTERN_NONE if the
   operation has none, or none is kept. */
uint32_t account_draft_detail(
    struct account_draft *r, uint32_t row, const struct event *ev);

/* An API or OS call. */
uint32_t account_draft_call(struct account_draft *r, const struct event *ev);

/*
 * The path that is a JSON array of names.  Digits of names become "*".  A path
 * has the ACCOUNT_DEPTH outermost names.
 */
enum { ACCOUNT_DEPTH = 256 };
uint32_t account_draft_path(struct account_draft *r, struct span array);

/*
 * The path of name within parent, a path or INTERN_NONE.  *deep: it is the
 * parent, which has all names that a path may have.
 */
uint32_t account_draft_inner_path(
    struct account_draft *r, uint32_t parent, struct span name, bool *deep);

/* The device, added if it is new. */
struct account_device *account_draft_device(struct account_draft *r,
    const struct names *names, const struct device_lane *of, uint32_t *index);

/* Keep the launches of a unit: index + 1, or 0. */
uint32_t account_draft_sequence(
    struct account_draft *r, const struct unit_sums *s);

/* Set a fact; the last value stays. */
void account_draft_fact(
    struct account_draft *r, const char *name, struct span value);
void account_draft_fact_int(
    struct account_draft *r, const char *name, int64_t value);

/* A section is over: ids of symbols and devices are those of the next one. */
void account_draft_section_end(struct account_draft *r);

void account_draft_free(struct account_draft *r);

#endif
