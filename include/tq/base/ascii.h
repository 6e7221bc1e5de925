/*
 * ascii.h - characters by their ASCII codes, in every locale.
 */
#ifndef TQ_BASE_ASCII_H
#define TQ_BASE_ASCII_H

#include <stdbool.h>

static inline bool
ascii_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* White space, as JSON has it. */
static inline bool
ascii_is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

#endif
