/*
 * controls.h - what did not change measures the noise: with one recording a
 * side, the ratios of most launches are due to it, and one far off is not.
 */
#ifndef CONTROLS_H
#define CONTROLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	CONTROLS_LONG = 10000, /* ns: shorter launches are a class of their own */
	CONTROLS_LEAST = 5,    /* controls that a class needs */
	CONTROLS_TICK = 32,    /* ns: a tick of the timer of a GPU */
	CONTROLS_FAR = 5       /* widths off the centre are suspect */
};

/* a matched launch or row: how long it takes on both sides */
struct control {
	double a, b; /* ns, > 0 */
};

struct controls_class {
	size_t count;  /* 0: too few controls for this class */
	double centre; /* the median of log(b / a) */
	double width;  /* 1.4826 times the median distance from it */
};

struct controls {
	struct controls_class classes[2]; /* under CONTROLS_LONG, and longer */
	bool joined;                      /* one is of both: the long are few */
};

void controls_measure(
    struct controls *c, const struct control *all, size_t n);

/* how far one is off, by its class */
struct controls_result {
	size_t count;          /* of controls; 0: nothing can be said */
	double centre, width;  /* not under two ticks of its duration */
	double widths;         /* |log(b / a) - centre| / width */
	bool far;              /* more than CONTROLS_FAR */
};

/* One of the n itself is not its own control: the count is without it. */
struct controls_result controls_judge(
    const struct controls *c, const struct control *one);

#endif
