/*
 * range_spec.h - instances of ranges, selected by name:
 * "NAME[@DOMAIN][/INDEX]".
 */
#ifndef TQ_ASK_RANGE_SPEC_H
#define TQ_ASK_RANGE_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "tq/ask/pattern.h"
#include "tq/ask/serve_rules.h"
#include "tq/base/map.h"
#include "tq/line/event.h"

#define RANGE_SPEC_LAST INT64_MAX

struct range_spec {
	struct pattern *name;
	struct pattern *domain; /* NULL: any */
	const char *initials;   /* names begin with one of these; NULL: any */
	struct text plain;      /* the name; empty for a REGEX */
	int64_t first, last; /* instances, from 0; 0 and RANGE_SPEC_LAST: all */
	bool median;         /* the one of median duration (steps only) */
	struct serve_rules *serve; /* of steps of a server, or NULL */
	enum serve_class class;    /* of these; SERVE_CLASSES: any */
	int64_t seen, most;        /* for the caller; 0 after parsing */
};

/*
 * Parse the name of ranges:
 *
 *	spec   = name [ "@" domain ] [ "/" index ]
 *	name   = TEXT | "~" REGEX
 *	domain = TEXT | "~" REGEX | "*"
 *	index  = NUMBER [ ".." [ NUMBER ] ]
 *
 * Without a domain it is the default one (records without the key domain).  The
 * text behind the last "/" is an index only if it looks like one, else part of
 * the name.  "\@", "\/", "\~", "\*" and "\\" stand for the character itself,
 * and a "@" of a name has to be written so (in a REGEX only "\@" and "\/" do,
 * all else is left to it).  NULL, or a constant text with the error; *at is
 * then its place in text, and r holds nothing.
 */
const char *range_spec_parse(
    struct range_spec *r, const char *text, size_t *at);

/*
 * The same for steps: INDEX alone, "median" alone, or a spec whose index is one
 * of the two and may not be left out.  Alone it selects from the names that
 * training loops give to their steps, in any domain.  "serve:CLASS", with an
 * index or without, selects the steps of an inference server, see
 * serve_rules.h; CLASS may be all.
 */
const char *range_spec_parse_step(
    struct range_spec *r, const char *text, size_t *at);

/* The same without the median, for whoever looks at each step as it comes. */
const char *range_spec_parse_steps(
    struct range_spec *r, const char *text, size_t *at);

/* Has a range of this name and domain ("" is the default one) that name? */
enum pattern_result range_spec_match(
    const struct range_spec *r, struct span name, struct span domain);

/*
 * The same of a range record.  Its name is decoded into *scratch, and *name set
 * to it unless that is NULL: good until *scratch changes.
 */
enum pattern_result range_spec_match_event(const struct range_spec *r,
    const struct event *ev, struct text *scratch, struct span *name);

/*
 * True if a range that is a step by its name is a part of another step of its
 * thread: it lies within the last one that is none.  The caller gives the steps
 * of a thread in order of ts, with their end, INT64_MAX of one that was never
 * closed, which has no parts.  ends: {0} at first, by process and thread.
 */
bool range_spec_is_part(
    struct map *ends, uint64_t process, uint64_t thread, int64_t end);

void range_spec_free(struct range_spec *r);

#endif
