/*
 * web_diff.h - a comparison as a page of HTML that needs nothing else: the
 * verdict, where the change comes from, the time of both sides, the tables, and
 * how sure all that is.
 */
#ifndef WEB_DIFF_H
#define WEB_DIFF_H

#include "screen.h"

void web_diff_add(struct text *t, const struct comparison *c,
    const struct screen_settings *s);

#endif
