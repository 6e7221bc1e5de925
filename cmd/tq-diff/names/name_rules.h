/*
 * name_rules.h - rules by which kernels with different names are one:
 * share/tq/names.rules.
 *
 * A rule is a line "LEVEL /REGEX/ REPLACEMENT": each match of the regular
 * expression in a name is replaced; $1 to $9 are its parts.  "\/" is a slash.
 * The replacement ends with the line, and may be empty.  "#" begins a comment
 * line.
 *
 *	level 2   cleaning: what no user would call a difference.  All rules
 *		  apply, in their order
 *	level 3   families: configurations of one kernel.  The first rule that
 *		  matches the base name of the cleaned name applies, no other
 */
#ifndef NAME_RULES_H
#define NAME_RULES_H

#include "tq/base/text.h"

struct name_rules;

/* The lines of names.rules, and NULL; the Makefile makes them. */
extern const char *const name_rules_default[];

/* Longer names are in a class of their own: no rule looks at them. */
enum { NAME_RULES_LONGEST = 1 << 16 };

/*
 * The rules of a file, or the built-in ones for NULL.  An error is printed with
 * file and line, and ends the program: with status 1 if the file cannot be
 * read, 2 if a rule is wrong.
 */
struct name_rules *name_rules_open(const char *file);

/* May be given NULL. */
void name_rules_free(struct name_rules *r);

/* Append a full name as level 2 has it, cleaned. */
void name_rules_clean(
    struct name_rules *r, struct span full, struct text *clean);

/* The base name of a cleaned name, within it. */
struct span name_rules_base(struct span clean);

/* Append the family of a base name. */
void name_rules_family(
    struct name_rules *r, struct span base, struct text *family);

#endif
