/*
 * url.h - text as a part of a URL.
 */
#ifndef TQ_URL_H
#define TQ_URL_H

#include "tq/base/text.h"

/* Append it; letters, digits and -_.~ stay, all other bytes become %XX. */
void url_add(struct text *t, struct span s);

#endif
