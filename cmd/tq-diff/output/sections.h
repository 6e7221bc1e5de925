/*
 * sections.h - the parts of all forms for people: the sum, and rows in tables,
 * each of which adds up.
 */
#ifndef SECTIONS_H
#define SECTIONS_H

#include "comparison.h"

/* ---- the sum ---- */

/* terms, parts; of per call: shape, same shape; of idle time: finer causes */
enum { SECTIONS_SUM = TERMS_AND_PARTS + 2 + ACCOUNT_IDLE * IDLE_CAUSES };

/* lines that are not 0, or have lines that are not, and their total: in units
   of sections_unit() */
struct sections_sum {
	struct {
		const char *name;
		size_t term; /* as of wall_terms_value() */
		int64_t value;
		bool of_line; /* a part of the last line that is none */
	} lines[SECTIONS_SUM];
	size_t count;
	int64_t total;
};

void sections_sum(struct sections_sum *s, const struct comparison *c);

/*
 * The parts of a rounded per call, all of them in this unit: shape and same
 * shape; the rest is of rows without grids.
 */
void sections_shapes(const struct comparison *c, int64_t per_call, int64_t unit,
    int64_t shapes[2]);

/* ---- devices ---- */

/*
 * a line for each device and their mean: the difference of the wall, and its
 * terms
 */
struct sections_devices {
	bool has[TERMS_AND_PARTS]; /* columns that are not 0 in all lines */
	struct sections_device {
		int64_t total, values[TERMS_AND_PARTS];
	} * all;      /* of each device, then the mean */
	size_t count; /* 0: none */
};

void sections_devices(struct sections_devices *d, const struct comparison *c);

/* "rank 0 GPU 1 NVIDIA H100"; behind the last device "mean" */
void sections_add_device(
    struct text *t, const struct comparison *c, size_t device);

/* The name of a term or part, as a title. */
const char *sections_term_name(size_t term);

void sections_devices_free(struct sections_devices *d);

/* ---- tables ---- */

enum sections_table {
	SECTIONS_SLOWER,
	SECTIONS_FASTER,
	SECTIONS_PLACE, /* rows of other names in the same place */
	SECTIONS_SAME,
	SECTIONS_TABLES
};

/* the rows of a table, by their contribution, the most first */
struct sections_rows {
	const char *title;
	size_t *rows; /* that are shown */
	size_t count;
	size_t hidden;  /* the others */
	int64_t others; /* their contribution */
};

/* deltas as of records_deltas(); most: rows, 0: all. */
void sections_rows(struct sections_rows *r, const struct comparison *c,
    const int64_t *deltas, enum sections_table table, size_t most);

void sections_rows_free(struct sections_rows *r);

/* ---- words ---- */

/* The ns that the last of three decimals is: 1 is us, 1000 ms. */
int64_t sections_unit(const struct comparison *c);
/* A scaled time, see wall_terms.h, in this unit. */
int64_t sections_terms(const struct comparison *c, wide scaled);

const char *sections_unit_name(const struct comparison *c);

/* "step", "span" ...; "unit" where the sides have different ones */
const char *sections_unit_word(const struct comparison *c);

/* The recording of A whose period the units are, or NULL. */
const struct account *sections_period(const struct comparison *c);

/*
 * "from every 2nd launch of flash_fwd_kernel to the next; 96.9 % of them have
 * the same launches, by time 100.0 %"; nothing if no period was found.
 */
void sections_add_period(struct text *t, const struct comparison *c);

/*
 * The time of a launch of B by one of A, if the clock were A's; kernels have it
 * where the clocks of the sides differ.
 */
bool sections_has_clock(const struct comparison *c, const struct match_row *m);
double sections_at_equal_clock(
    const struct comparison *c, const struct match_row *m);

/* A name cut to width columns of a screen, clean; of a path its end stays. */
void sections_add_cut(struct text *t, struct span s, size_t width);
void sections_add_end(struct text *t, struct span path, size_t width);

/*
 * The texts below may have names of the stream as they are: writers escape
 * them.
 */

/* The verdict on a row: suspect, slower, gone ... */
void sections_add_note(struct text *t, const struct comparison *c, size_t row);

/* "likely slower: ...; +3.22 %, 17.977 -> 18.557 ms a step" */
void sections_add_verdict(struct text *t, const struct comparison *c);

/* A number with three decimals and its sign. */
void sections_add_signed(struct text *t, int64_t thousandths);

#endif
