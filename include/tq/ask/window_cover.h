/*
 * window_cover.h - the time that the sections of a stream cover, to say that a
 * window is outside of all of them.
 */
#ifndef TQ_ASK_WINDOW_COVER_H
#define TQ_ASK_WINDOW_COVER_H

#include "tq/ask/window.h"
#include "tq/base/text.h"

/* {0}: no section */
struct window_cover {
	bool any;         /* a section has a record; */
	bool reached;     /* the window reaches one of them */
	struct text text; /* "0ns to 60ms, 10us to 3s" */
};

/*
 * Add a section that has records: where the first one starts and the last one
 * ends, in ns.
 */
void window_cover_add(struct window_cover *c, const struct window *w,
    int64_t first, int64_t last);

/* False, with a message, if the window reaches no section.  Frees *c. */
bool window_cover_reached(struct window_cover *c);

#endif
