/*
 * python_text.h - a str of Python as UTF-8
 */
#ifndef TQ_AGENT_PYTHON_TEXT_H
#define TQ_AGENT_PYTHON_TEXT_H

#include <stddef.h>

#include "python_layout.h"

/* Copy as many whole characters as there is room for; returns the bytes. */
size_t python_text_copy(
    char *to, size_t room, const struct python_layout *l, const char *str);

#endif
