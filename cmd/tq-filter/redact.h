/*
 * redact.h - what could tell of whom a trace is becomes a pseudonym: paths,
 * hosts, command lines, the names of kernels, ranges, threads and processes,
 * texts, all under args, and all that the schema does not know.
 *
 * A pseudonym is the same for the same text of the same sort ("kernel_" and
 * twelve hexadecimal digits for a kernel) and the same key, in every file, run
 * and version, and tells nothing of the text to who does not have the key.
 * What the field itself named stays: kinds, API and OS functions (not what
 * stands behind, as the file in "dlopen(libx.so)"), directions of copies,
 * models of devices.  All numbers and the names of all keys stay.
 *
 * A path has domains and names of ranges joined by ":".  So that it agrees
 * with them, what stands between ":" in a domain or in the name of a range has
 * a pseudonym of its own, "domain_" or, behind the last, "range_".
 */
#ifndef REDACT_H
#define REDACT_H

#include "tq/line/event.h"

struct redact;

/*
 * key is any text; the pseudonyms hang on it.  Who can guess it can test
 * guesses of the names too, so it should be long and random.
 */
struct redact *redact_open(const char *key);

/* May be given NULL. */
void redact_free(struct redact *r);

/*
 * Append the redacted record to line, without a newline; ev was parsed whole.
 * False, and nothing appended, where there is nothing to redact in it.
 */
bool redact_apply(struct redact *r, const struct event *ev, struct text *line);

/* SipHash-2-4 of text, for the tests. */
uint64_t redact_siphash(const uint64_t key[2], struct span text);

#endif
