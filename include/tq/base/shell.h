/*
 * shell.h - words of commands that people are to run.
 */
#ifndef TQ_BASE_SHELL_H
#define TQ_BASE_SHELL_H

#include <stdbool.h>

#include "tq/base/text.h"

/*
 * Append the name of a file as a POSIX shell has to be given it: in quotes
 * where it is not plain, and so that no command takes it for an option.  A
 * control character, and a byte that is no UTF-8, becomes a ? outside of the
 * quotes, which matches it.
 */
void shell_add_file(struct text *t, const char *name);

/* The same of any word; a dash is the beginning of an option. */
void shell_add_word(struct text *t, const char *word);

/*
 * Set t to the first word of words that the functions here made, without its
 * quotes, and *words behind it.  False without one.
 */
bool shell_next_word(const char **words, struct text *t);

/* Append a text, escaped to stand between single quotes of a shell. */
void shell_add_quoted(struct text *t, struct span s);

#endif
