/*
 * comparison.h - two sides compared: the contents of the output.
 */
#ifndef COMPARISON_H
#define COMPARISON_H

#include "comparability.h"
#include "device_terms.h"
#include "match/host_rows.h"
#include "match/match.h"
#include "statistics/controls.h"
#include "verdict.h"

struct comparison_settings {
	struct comparability_settings checks;
	enum match_by by;
	double least_wall, least_row; /* effects: 0.01 is 1 % */
	double noise; /* of the wall of equal recordings, or 0 */
};

/* of a row of the match */
struct comparison_row {
	struct verdict verdict;         /* of a launch; a is 0 without one */
	struct controls_result control; /* count is 0 without one */
	bool suspect;
	bool weighs; /* enough for a verdict */
};

/* of the work that two spans have in common */
struct comparison_pace {
	bool known;  /* the unit is a span, and kernels are matched */
	double work; /* B / A: see matched_work.h */
	double pace; /* ratio of the walls by work */
	bool cut;    /* more or less work in the same time: the recording's */
	bool other;  /* more or less work, and in another time */
};

struct comparison {
	struct match match;
	struct host_rows host;
	struct comparability checks;
	struct wall_terms terms;
	struct device_terms devices;
	struct verdict wall;
	struct comparison_pace pace;
	bool within; /* by the units of one recording a side, the estimate is */
	double within_low, within_high; /* between these, with 95 % */
	struct comparison_row *rows;
	size_t *order; /* of rows: by their contribution, the most first */
	int64_t suspects, launches; /* launches of B that are suspect; of all */
};

void comparison_make(struct comparison *c, const struct accounts *a,
    const struct accounts *b, struct name_rules *rules,
    const struct comparison_settings *s);

/* True if the output has nothing but the reason. */
static inline bool
comparison_refused(const struct comparison *c)
{
	return (c->checks.limits & CHECK_REFUSED) != 0;
}

/* The enum account_by of the recordings. */
enum account_by comparison_by(const struct comparison *c);

/* The mean wall of the units of a recording, ns; 0 without units. */
double comparison_wall(const struct account *a);

void comparison_free(struct comparison *c);

#endif
