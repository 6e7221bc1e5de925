/* nsys_source.h - SQLite exports of Nsight Systems, of all its versions */
#ifndef NSYS_SOURCE_H
#define NSYS_SOURCE_H

#include "source.h"

extern const struct source nsys_source;

#endif
