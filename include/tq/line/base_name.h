/* base_name.h - the base name of a C++ function within its full name */
#ifndef TQ_LINE_BASE_NAME_H
#define TQ_LINE_BASE_NAME_H

#include "tq/base/text.h"

/*
 * The base name of a function within its full name, as nsys has it: without
 * return type, scopes, template arguments and parameters.  A part of full.
 */
struct span base_name(struct span full);

#endif
