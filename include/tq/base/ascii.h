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

/* A letter, a digit or '_'. */
static inline bool
ascii_is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       ascii_is_digit(c) || c == '_';
}

/* White space, as JSON has it. */
static inline bool
ascii_is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

#endif
