/*
 * account_build.h - the account of each recording of a stream.
 *
 * A section is a recording; sections behind it that state another rank are
 * parts of the same one.
 *
 * Memory grows with names, units and devices, not with operations: of an open
 * unit, its sums of each name are held, and the names of its launches in order,
 * up to a million.
 */
#ifndef TQ_ACCOUNT_ACCOUNT_BUILD_H
#define TQ_ACCOUNT_ACCOUNT_BUILD_H

#include "tq/account/account.h"
#include "tq/account/account_units.h"
#include "tq/names.h"

struct account_build;

/*
 * Accounts are added to *all.  units and names, the definitions of the section,
 * are borrowed.  A regular expression that takes too many steps ends in
 * account_build_error().
 */
struct account_build *account_build_new(const struct account_units *units,
    const struct names *names, struct accounts *all);

/* The keys that it reads, by kind: for reader_init. */
void account_build_keys(struct keyset *want);

/*
 * A record, after names_define(); trace opens a section.  name is the input's.
 */
void account_build_event(
    struct account_build *b, const struct event *ev, const char *name);

/* The section is over; complete: with its end record. */
void account_build_section_end(struct account_build *b, bool complete);

/* The input is over. */
void account_build_finish(struct account_build *b);

/* A constant text once something could not be decided, or NULL. */
const char *account_build_error(const struct account_build *b);

void account_build_free(struct account_build *b);

#endif
