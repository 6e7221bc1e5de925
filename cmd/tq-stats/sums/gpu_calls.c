/* gpu_calls.c - calls of CUDA and HIP, and how many of them failed */

#include "tq/show/amount.h"

#include "gpu_calls.h"

void
gpu_calls_keys(struct keyset *want)
{
	static const enum key keys[] = {TWICE_KEYS, KEY_api, KEY_ret, KEY_NONE};

	keyset_add_all(&want[KIND_api], keys);
}

bool
gpu_calls_add(struct gpu_calls *c, const struct event *ev)
{
	if (!api_call_is_of_gpu(ev) || twice_seen(&c->twice, ev))
		return false;
	c->count++;
	c->coded |= event_has(ev, KEY_ret);
	return true;
}

void
gpu_calls_section_end(struct gpu_calls *c)
{
	twice_reset(&c->twice);
}

void
gpu_calls_add_failed(struct text *t, const struct gpu_calls *c,
    const struct recording_evidence *e)
{
	int64_t failed = 0;

	for (size_t i = 0; i < e->failures.count; i++)
		failed += e->failures.all[i].count;
	if (!c->coded) {
		text_add_str(t, "what calls returned is not recorded");
		return;
	}
	if (failed == 0)
		text_add_str(t, "none");
	else
		amount_count(t, failed);
	text_add_str(t, " of ");
	amount_count(t, c->count);
	text_add_str(t, " calls failed");
}

void
gpu_calls_free(struct gpu_calls *c)
{
	twice_free(&c->twice);
}
