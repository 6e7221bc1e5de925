/*
 * pattern.h - regular expressions and globs, over any bytes.
 *
 * Regular expressions are those of PCRE2, in UTF-8; bytes of a text that are
 * not valid match nothing.  No pattern and no text makes it hang: what takes
 * more than a bounded number of steps is given up, after some tenths of a
 * second at most.  A pattern is for one thread at a time.
 */
#ifndef TQ_ASK_PATTERN_H
#define TQ_ASK_PATTERN_H

#include <stdbool.h>

#include "tq/base/text.h"

struct pattern;

enum pattern_result {
	PATTERN_NO,
	PATTERN_YES,
	PATTERN_GAVE_UP /* too many steps, or no memory for them */
};

/*
 * Compile a regular expression, which matches anywhere unless it is
 * anchored.  NULL where it is none: then *error is a text that is good until
 * the next mistake, and *at the place in text that it is about.
 */
struct pattern *pattern_regex(
    struct span text, bool ignore_case, const char **error, size_t *at);

/*
 * Compile a glob, which matches the whole text: * any characters, ? one,
 * [a-z] [!a-z] [^a-z] one of a set, \ before a character that one.  A byte that
 * is not valid UTF-8 is a character.  Matching takes at most the product of
 * both lengths.  Errors as above.
 */
struct pattern *pattern_glob(struct span text, const char **error, size_t *at);

/* Compile a text that only the same bytes match. */
struct pattern *pattern_exact(struct span text);

enum pattern_result pattern_match(const struct pattern *p, struct span text);

/*
 * Append text to *out with each place that a regular expression matches
 * replaced by with, in which $1 to $9 are the parenthesized parts of the match.
 * Places do not overlap, and are not empty.  YES if there was one; after
 * GAVE_UP nothing is appended.  out must not be text's owner.
 */
enum pattern_result pattern_replace(const struct pattern *p, struct span text,
    struct span with, struct text *out);

/*
 * The parts of text that the parentheses (?<NAME>...) of a regular expression
 * match, where it matches first; {NULL, 0} for a name that it lacks, or whose
 * parentheses matched nothing.
 */
enum pattern_result pattern_parts(const struct pattern *p, struct span text,
    const char *const *names, size_t count, struct span *parts);

/* May be given NULL. */
void pattern_free(struct pattern *p);

#endif
