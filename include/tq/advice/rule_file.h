/*
 * rule_file.h - files of rules.
 *
 *	file  = { rule | blank | "#" TEXT LF }
 *	rule  = { KEY blanks VALUE LF { blanks TEXT LF } }  the first is "rule"
 *
 * A line that begins with a blank goes on with the value before it; a blank
 * line ends a rule.
 */
#ifndef TQ_ADVICE_RULE_FILE_H
#define TQ_ADVICE_RULE_FILE_H

#include "tq/advice/rule.h"

/*
 * Add the rules of a text: one of the same name replaces a rule in its place, a
 * new one comes before the rules that were there, after the new ones of the
 * same file.  An error ends the program with status 2: "FILE:LINE: ...".
 */
void rule_file_parse(struct rules *r, const char *file, struct span text);

/* The same of a file; "default" are the rules that come with tq-advise. */
void rule_file_read(struct rules *r, const char *file);

/* "pageable-copy.least=2%": change a number of a rule, or exit. */
void rule_file_set(struct rules *r, const char *assignment);

/* The rules that come with tq-advise: lines, NULL behind the last. */
extern const char *const rule_file_defaults[];

#endif
