/*
 * account_units.c - the units of an account
 *
 *	per  = "step" | "kernel" NAME | "range" NAME | "graph" [ "/" N ]
 *	     | "span" | "launch"
 *	NAME = "~" REGEX [ "/" N ] | "=" TEXT [ "/" N ]
 */

#include <stdlib.h>
#include <string.h>

#include "tq/account/account_units.h"

static const char wants[] =
    "expected step, kernel~REGEX, range~REGEX, graph, span or launch";

/* The last part of the spec is a number of starts, not one of them. */
static const char *
take_every(struct account_units *u)
{
	u->every = 1;
	if (u->spec.first == 0 && u->spec.last == RANGE_SPEC_LAST)
		return NULL;
	if (u->spec.first != u->spec.last || u->spec.first == 0)
		return "expected a number from 1 behind the last '/'";
	u->every = u->spec.first;
	return NULL;
}

/* The name and the text behind it; skip: bytes of the text before it. */
static const char *
parse_name(struct account_units *u, const char *text, size_t skip, size_t *at)
{
	const char *name = text + skip, *bad;

	*at = skip;
	if (*name != '~' && *name != '=')
		return wants;
	if (*name == '=')
		name++;
	bad = range_spec_parse(&u->spec, name, at);
	*at += (size_t)(name - text);
	return bad;
}

static const char *
parse_graph(struct account_units *u, const char *text, size_t *at)
{
	char *end;

	*at = strlen("graph");
	u->every = 1;
	if (text[*at] == '\0')
		return NULL;
	if (text[*at] != '/' || text[*at + 1] < '1' || text[*at + 1] > '9')
		return wants;
	u->every = strtoll(text + *at + 1, &end, 10);
	*at = (size_t)(end - text);
	return *end == '\0' ? NULL : wants;
}

/* steps of the standard names, or of a text */
static const char *
parse_step(struct account_units *u, const char *text, size_t *at)
{
	u->by = ACCOUNT_BY_STEP;
	if (range_spec_parse_step(&u->spec, text, at) != NULL)
		return range_spec_parse(&u->spec, text, at); /* all of a name */
	if (!u->spec.median)
		return NULL;
	*at = 0;
	return "expected steps, not their median";
}

static const char *
parse(struct account_units *u, const char *text, size_t *at)
{
	const char *bad;

	*at = 0;
	u->per = text;
	if (strcmp(text, "step") == 0)
		return parse_step(u, "0..", at);
	if (strcmp(text, "span") == 0 || strcmp(text, "launch") == 0) {
		u->by = *text == 's' ? ACCOUNT_BY_SPAN : ACCOUNT_BY_LAUNCH;
		return NULL;
	}
	if (strncmp(text, "graph", strlen("graph")) == 0) {
		u->by = ACCOUNT_BY_GRAPH;
		return parse_graph(u, text, at);
	}
	if (strncmp(text, "range", strlen("range")) == 0) {
		u->by = ACCOUNT_BY_RANGE;
		return parse_name(u, text, strlen("range"), at);
	}
	if (strncmp(text, "kernel", strlen("kernel")) != 0)
		return wants;
	u->by = ACCOUNT_BY_KERNEL;
	bad = parse_name(u, text, strlen("kernel"), at);
	return bad != NULL ? bad : take_every(u);
}

const char *
account_units_parse(struct account_units *u, const char *text, size_t *at)
{
	const char *bad;

	*u = (struct account_units){0};
	bad = parse(u, text, at);
	if (bad != NULL)
		account_units_free(u);
	return bad;
}

const char *
account_units_step(struct account_units *u, const char *text, size_t *at)
{
	const char *bad;

	*u = (struct account_units){.or_span = true, .per = "step"};
	if (text != NULL)
		u->per = text;
	bad = parse_step(u, text != NULL ? text : "0..", at);
	if (bad != NULL)
		account_units_free(u);
	return bad;
}

void
account_units_free(struct account_units *u)
{
	range_spec_free(&u->spec);
	*u = (struct account_units){0};
}
