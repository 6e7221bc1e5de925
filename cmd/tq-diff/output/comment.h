/*
 * comment.h - a comparison as Markdown, for a pull request: the verdict, the
 * sum and rows; checks and the rest in <details>.
 */
#ifndef COMMENT_H
#define COMMENT_H

#include "screen.h"

enum { COMMENT_MOST = 60000 }; /* bytes: more is no comment of GitHub */

void comment_add(struct text *t, const struct comparison *c,
    const struct screen_settings *s);

#endif
