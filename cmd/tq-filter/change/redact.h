/*
 * redact.h - strings that could identify the owner of a trace become
 * pseudonyms: paths, hosts, command lines, the names of kernels, ranges,
 * threads and processes, texts, all strings under args and all strings outside
 * of the schema.
 *
 * A pseudonym is the same for the same text of the same sort ("kernel_" and
 * twelve hexadecimal digits for a kernel) and the same key, in every file, run
 * and version, and reveals nothing of the text to a reader without the key.
 * The words of the field stay: kinds, API and OS functions (not the file in
 * "dlopen(libx.so)"), directions of copies, models of devices.  All numbers and
 * the names of all keys stay.
 *
 * A path has domains and names of ranges joined by ":".  So that pseudonyms in
 * it agree with the pseudonyms of domains and ranges, each part of a domain or
 * range between ":" has its own, "domain_" or, behind the last, "range_".
 */
#ifndef REDACT_H
#define REDACT_H

#include "tq/line/event.h"

struct redact;

/*
 * key is any text, from which the pseudonyms are made.  A reader who guesses
 * it can test guesses of names too, so it should be long and random.
 */
struct redact *redact_open(const char *key);

/* r may be NULL. */
void redact_free(struct redact *r);

/*
 * Append the redacted record to line, without a newline; ev was parsed in full.
 * False, and nothing appended, if the record has nothing to redact.
 */
bool redact_apply(struct redact *r, const struct event *ev, struct text *line);

/* SipHash-2-4 of text, for the tests. */
uint64_t redact_siphash(const uint64_t key[2], struct span text);

#endif
