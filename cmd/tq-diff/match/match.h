/*
 * match.h - which operations of two sides are the same: one row for each pair
 * that is compared, and each launch in exactly one row.
 *
 * Names are paired by levels, from fine to coarse: the full name (1), the same
 * cleaned (2), base name and family (3), place (4).  Names paired at one level
 * do not take part in the next.  Within a level all names of one key are one
 * set: there is no choice to make, and no order to depend on.
 */
#ifndef MATCH_H
#define MATCH_H

#include "names/name_rules.h"
#include "tq/account/account.h"
#include "tq/base/map.h"

enum { SIDE_A, SIDE_B, SIDES };

/* the grain of a row; finer ones are summed */
enum match_by {
	MATCH_BY_BASE,
	MATCH_BY_NAME,
	MATCH_BY_FAMILY,
	MATCH_BY_CATEGORY,
	MATCH_BY_PATH,
	MATCH_BY_GRID
};

#define MATCH_BY_WORDS "base|name|family|category|path|name,grid"

enum {
	MATCH_ONE_SIDE, /* new or gone */
	MATCH_FULL,
	MATCH_CLEAN,
	MATCH_BASE,
	MATCH_FAMILY,
	MATCH_PLACE,
	MATCH_GRAPH /* whole graphs, which the other side has node by node */
};

/* a name of operations of one kind, of all recordings and devices of a side */
struct match_name {
	enum kind kind;
	enum device_class group;
	bool in_graph; /* where these are MATCH_GRAPH */
	struct span full;
	struct account_sum on[SIDES];
	uint32_t set; /* the first of the names that are the same to it */
	uint32_t row;
	unsigned char level;
};

struct match_row {
	struct span name;
	enum kind kind;          /* of its first name; range: it is a path */
	enum device_class group; /* the same */
	unsigned char level;     /* the coarsest of its names */
	struct account_sum on[SIDES];
	double *means[SIDES]; /* ns of a launch, by recording; 0: none */
	size_t grid, grids;   /* its first grid, and how many */
};

/* the launches of one set of names with one grid */
struct match_grid {
	uint32_t set;
	struct span grid; /* empty: the rest of the set */
	struct account_sum on[SIDES];
	uint32_t row;
};

/* the work that a recording adds to a row */
struct match_cell {
	uint32_t row;
	struct account_sum sum;
};

struct match_cells {
	struct match_cell *all;
	size_t count, cap;
};

struct match {
	const struct accounts *sides[SIDES];
	enum match_by by;
	bool joined;              /* there are names of MATCH_GRAPH */
	struct match_name *names; /* in order of kind and full name */
	size_t name_count, name_cap;
	struct match_row *rows; /* in order of kind and name, or of paths */
	size_t row_count, row_cap;
	struct match_grid *grids; /* in order of row, set and grid */
	size_t grid_count, grid_cap;
	uint32_t **index[SIDES];  /* of a recording: name of each row */
	int64_t unaligned[SIDES]; /* units whose launches have no known order */
	struct intern texts;      /* of grids, or paths, by whose numbers */
	struct map found;         /* grids or rows are found */
	struct region region;
};

/* Match the recordings of two sides, which stay. */
void match_make(struct match *m, const struct accounts *a,
    const struct accounts *b, struct name_rules *rules, enum match_by by);

/*
 * 1 full name, 2 cleaned, 3 base name or family, 4 place, 5 whole graphs; 0: on
 * one side only
 */
unsigned match_level(const struct match_row *row);

/* True if the launches of both sides can be compared one by one. */
bool match_is_pair(const struct match_row *row);

/* True if a grid is one, and both sides have launches with it. */
static inline bool
match_has_grid(const struct match_grid *g)
{
	return g->grid.len > 0 && g->on[SIDE_A].n > 0 && g->on[SIDE_B].n > 0;
}

/*
 * True if rows are of the host: of recordings without operations of a device.
 */
bool match_on_host(const struct match *m);

/*
 * The share of the time of both sides in names that are paired but by place: of
 * kernels, where both sides have some.
 */
double match_share(const struct match *m);

/*
 * The share of the time of paired names in launches with a grid that both sides
 * have; 1 where a side has no grids.
 */
double match_grid_share(const struct match *m);

void match_free(struct match *m);

#endif
