/*
 * cpp_name.h - names of C++ functions, as a demangler spells them
 */
#ifndef TQ_BASE_CPP_NAME_H
#define TQ_BASE_CPP_NAME_H

#include "tq/base/span.h"

/*
 * The base name of a function within its full name, as nsys has it: without
 * return type, scopes, template arguments and parameters.
 */
struct span cpp_name_base(struct span full);

#endif
