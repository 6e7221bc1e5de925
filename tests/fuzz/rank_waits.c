/*
 * rank_waits.c - any lines as the stream of several ranks: what is known of a
 * kernel is possible, and no operation is lost.
 */

#include <string.h>

#include "fuzz.h"
#include "tq/line/event.h"
#include "tq/ranks/rank_waits.h"

/* each line that is a record, for one of the two readings */
static void
each_line(struct rank_waits *w, const char *bytes, size_t size,
    void (*take)(struct rank_waits *w, const struct event *ev))
{
	struct event ev = {0};
	struct text line = {0};

	while (size > 0) {
		const char *end = memchr(bytes, '\n', size);
		size_t n = end != NULL ? (size_t)(end - bytes) : size;

		line.len = 0;
		text_add(&line, bytes, n);
		memset(text_reserve(&line, EVENT_PADDING), 0, EVENT_PADDING);
		if (event_parse(&ev, text_span(&line), NULL))
			take(w, &ev);
		bytes += n + (end != NULL);
		size -= n + (end != NULL);
	}
	event_free(&ev);
	text_free(&line);
}

static int64_t matched;

static void
check_kernel(struct rank_waits *w, const struct event *ev)
{
	const struct kernel_wait *x;

	if (ev->kind != KIND_kernel || !event_has(ev, KEY_ts))
		return;
	x = rank_waits_kernel(w);
	if (x == NULL)
		return;
	matched++;
	REQUIRE(x->peers >= 2);
	REQUIRE(x->wait >= 0 && x->wait <= event_int(ev, KEY_dur, 0));
	REQUIRE(x->last_share >= 0 && x->last_share <= 100);
	REQUIRE((int64_t)x->ends.from_count < x->peers);
	REQUIRE((int64_t)x->ends.to_count < x->peers);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rank_waits w = {0};

	each_line(&w, (const char *)data, size, rank_waits_event);
	rank_waits_finish(&w);
	matched = 0;
	each_line(&w, (const char *)data, size, check_kernel);
	/* ranges of NCCL Inspector are operations, too, and no kernels */
	REQUIRE(
	    matched + w.unmatched >= (int64_t)w.count || w.job.ranks.count > 0);
	REQUIRE(w.next == w.count);
	rank_waits_free(&w);
	return 0;
}
