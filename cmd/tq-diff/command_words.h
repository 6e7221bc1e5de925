/*
 * command_words.h - the words in which two commands differ.
 */
#ifndef COMMAND_WORDS_H
#define COMMAND_WORDS_H

#include "tq/base/text.h"

/*
 * Append "only A has --compile, only B --steps=5 x": the words that one has
 * more often than the other, in their order.
 */
void command_words_add(struct text *t, struct span a, struct span b);

#endif
