/*
 * controls.h - unchanged work measures the noise: with one recording a side,
 * the ratios of most launches are due to it, and one far off is not.
 *
 * Each row counts once, however many controls it has, and none judges itself.
 */
#ifndef CONTROLS_H
#define CONTROLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	CONTROLS_LONG = 10000, /* ns: shorter launches are their own class */
	CONTROLS_LEAST = 5,    /* controls that a class needs */
	CONTROLS_TICK = 32,    /* ns: a tick of the timer of a GPU */
	CONTROLS_FAR = 5       /* widths off the centre are suspect */
};

/* launches that both sides have: how long one takes */
struct control {
	double a, b; /* ns, > 0 */
	uint32_t row;
	double weight; /* 1 / how many controls its row has */
};

/* how far a row is off */
struct controls_result {
	size_t count;  /* of controls; 0: too few for a verdict */
	double centre; /* the median of log(b / a) of the controls */
	double width; /* 1.4826 times the median distance from it, and not under
			 two ticks of the row's time */
	double widths; /* |log(b / a) - centre| / width */
	bool far;      /* more than CONTROLS_FAR */
};

/*
 * Judge a row by the controls of its class, under CONTROLS_LONG or longer; of
 * the longer are too few, by all.
 */
struct controls_result controls_judge(
    const struct control *all, size_t n, const struct control *one);

/*
 * The log(b / a) by which most of n rows moved: their median, if more than half
 * of at least CONTROLS_LEAST lie within half of it; else 0.
 */
double controls_scale(const struct control *rows, size_t n);

#endif
