/* speedscope_profile.h - a profile, which is a thread, becomes records */
#ifndef SPEEDSCOPE_PROFILE_H
#define SPEEDSCOPE_PROFILE_H

#include "speedscope.h"

/* A profile, as JSON. */
void speedscope_profile_take(struct speedscope *s, struct span profile);

#endif
