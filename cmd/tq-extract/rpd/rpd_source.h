/* rpd_source.h - the databases of rocmProfileData (AMD) */
#ifndef RPD_SOURCE_H
#define RPD_SOURCE_H

#include "source.h"

extern const struct source rpd_source;

#endif
