/*
 * event.c - a line: what is taken for a record is JSON, is the same record
 * in any other spelling, the same where only some keys are wanted, and
 * whatever lines were read before.
 */

#include "../unit/respell.h"
#include "fuzz.h"

/* an event, and its line with hostile bytes behind it */
struct parsed {
	struct event event;
	char *line;
};

static bool
parse(struct parsed *p, struct span line, const struct keyset *want)
{
	*p = (struct parsed){.line = malloc(line.len + EVENT_PADDING)};
	if (line.len > 0)
		memcpy(p->line, line.p, line.len);
	memcpy(p->line + line.len, "\",]}1\"]},1:\"n]}1", EVENT_PADDING);
	return event_parse(&p->event, (struct span){p->line, line.len}, want);
}

static void
parsed_free(struct parsed *p)
{
	event_free(&p->event);
	free(p->line);
}

static void
check_respelled(const struct event *ev, unsigned style)
{
	struct parsed other;
	struct text t = {0};
	const char *difference;

	if (!respell(&t, ev->line, style) && (style & RESPELL_REVERSED)) {
		text_free(&t);
		return;
	}
	REQUIRE(parse(&other, text_span(&t), NULL));
	difference = event_difference(ev, &other.event, NULL);
	if (difference != NULL) {
		fprintf(stderr, "%s differs in style %u: %.*s\n", difference,
		    style, (int)t.len, t.p);
		abort();
	}
	parsed_free(&other);
	text_free(&t);
}

static void
check_wanted(const struct event *ev, uint64_t some)
{
	struct keyset want[KIND_COUNT + 1] = {0};
	struct parsed other;
	struct text t = {0};

	for (size_t i = 0; i <= KIND_COUNT; i++)
		for (enum key k = 0; k < KEY_COUNT; k++)
			if (some >> (k * 7 + i) % 64 & 1)
				keyset_add(&want[i], k);
	/* a key that stands there twice may be read at its first place */
	if (respell(&t, ev->line, 0)) {
		REQUIRE(parse(&other, ev->line, want));
		REQUIRE(event_difference(ev, &other.event, &want[ev->kind]) ==
			NULL);
		parsed_free(&other);
	}
	text_free(&t);
}

/* an event that read all lines so far, this one twice */
static void
check_experienced(const struct parsed *p)
{
	static struct event ev;
	const char *error = p->event.error;

	for (int i = 0; i < 2; i++) {
		if (!event_parse(&ev, p->event.line, NULL)) {
			REQUIRE(error != NULL && strcmp(error, ev.error) == 0);
			continue;
		}
		REQUIRE(error == NULL);
		REQUIRE(event_difference(&p->event, &ev, NULL) == NULL);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct parsed p;
	struct text t = {0};
	uint64_t some = 1;

	if (size < 1)
		return 0;
	for (size_t i = 0; i < size; i++)
		some = some * 6364136223846793005u + data[i];
	if (!parse(&p, (struct span){(const char *)data + 1, size - 1}, NULL)) {
		REQUIRE(p.event.error != NULL && *p.event.error != '\0');
	} else {
		REQUIRE(json_valid(p.event.line));
		REQUIRE(event_has(&p.event, KEY_kind));
		event_str(&p.event, KEY_name, &t);
		check_respelled(&p.event, *data % RESPELL_STYLES);
		check_wanted(&p.event, some);
	}
	check_experienced(&p);
	parsed_free(&p);
	text_free(&t);
	return 0;
}
