/*
 * condition.h - conditions on all of a stream.
 *
 *	condition = "count" "(" EXPR ")" compare NUMBER
 *	          | "share" "(" EXPR " of " EXPR ")" compare NUMBER "%"
 *	          | "time" "(" EXPR ")" compare NUMBER "%"
 *	          | ("runs" | "exposed") "(" ")" compare NUMBER "%"
 *	compare   = ">=" | "<"
 */
#ifndef TQ_ADVICE_CONDITION_H
#define TQ_ADVICE_CONDITION_H

#include "tq/advice/rule.h"

struct condition_text {
	enum condition_of of;
	struct span what, all; /* expressions, or empty; all is of a share */
	bool below;
	int64_t limit;
};

/* NULL, or a constant text about what was expected. */
const char *condition_parse(struct span text, struct condition_text *c);

/* "5%", "0.5%" as ppm; a number that is not negative. */
bool condition_share(struct span text, int64_t *ppm);
bool condition_number(struct span text, int64_t *n);

#endif
