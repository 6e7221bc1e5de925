/*
 * domain_choice.h - the NVTX domains that are recorded
 */
#ifndef TQ_CAPTURE_DOMAIN_CHOICE_H
#define TQ_CAPTURE_DOMAIN_CHOICE_H

#include <stdbool.h>

#include "tq/base/text.h"

/* {0}: all domains */
struct domain_choice {
	char **names; /* "default": the default domain */
	size_t count;
	bool exclude; /* true: all domains but these */
};

/* Add the names of a list "a,b"; "\," is a comma in a name. */
void domain_choice_add(struct domain_choice *d, const char *list);

/* True if events of that domain are recorded; empty: the default domain. */
bool domain_choice_want(const struct domain_choice *d, struct span name);

void domain_choice_free(struct domain_choice *d);

#endif
