/* perfetto_words.h - what categories and arguments of a trace mean */
#ifndef PERFETTO_WORDS_H
#define PERFETTO_WORDS_H

#include "tq/base/span.h"
#include "tq/line/schema.h"

struct perfetto_word {
	const char *category;
	enum kind kind;
	enum key key; /* that the category has a value for, or KEY_NONE */
	const char *value;
};

/* The kind of records of a category; NULL where the category is unknown. */
const struct perfetto_word *perfetto_words_category(struct span category);

/* The same, of a trace that tq-perfetto wrote; KIND_UNKNOWN. */
enum kind perfetto_words_our_category(struct span category);

/* The key that an argument of another trace is; KEY_NONE. */
enum key perfetto_words_key(struct span argument);

/* The direction of a copy by its name; empty where the name has none. */
struct span perfetto_words_copy(struct span name);

#endif
