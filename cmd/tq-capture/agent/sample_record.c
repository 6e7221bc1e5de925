/* sample_record.c - where a timer interrupted a thread becomes a record */

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "agent.h"
#include "osrt_modules.h"
#include "sample_call.h"
#include "settings.h"
#include "stack_copy.h"
#include "writer.h"

int64_t
tq_capture_sample_begin(void)
{
	if (!process_is_wanted() || !(settings_get()->on & ARENA_SAMPLES))
		return 0;
	writer_prepare();
	return (int64_t)settings_get()->sample.period;
}

void
tq_capture_sample_blocked(void)
{
	static atomic_flag said = ATOMIC_FLAG_INIT;

	if (!atomic_flag_test_and_set(&said))
		agent_note(NOTE_WARNING,
		    "threads that block all signals are not sampled");
}

void
tq_capture_sample_end(void)
{
	agent_note(NOTE_WARNING,
	    "the program uses the signal of the timers: it is not sampled any "
	    "more");
}

uint32_t
tq_capture_sample_every(void)
{
	const struct arena *a = agent_arena();
	uint32_t every = a != NULL ? a->sample_every : 0;

	return every > 1 ? every : 1;
}

/* with most bytes of the stack at most; returns the bytes of the record */
static size_t
put(char *p, const struct osrt_stack *registers, uint32_t count, size_t most,
    int32_t tid)
{
	int cpu = sched_getcpu();
	struct record_sample r = {.head = {.type = RECORD_SAMPLE,
				      .flags = FLAG_BLOB,
				      .ticks = agent_clock()},
	    .count = count,
	    .cpu = cpu >= 0 ? (uint32_t)cpu : 0};
	size_t bytes =
	    sizeof(r) + stack_copy_put(p + sizeof(r), registers, most, tid);

	r.head.words = (uint16_t)(bytes / 8);
	memcpy(p, &r, sizeof(r));
	return bytes;
}

/* true in the middle of a record of this thread, or of its first one */
static bool
is_inside(void)
{
	const struct writer *w = writer_self.writer;

	return writer_self.inside != 0 || (w != NULL && w->inside != 0);
}

void
tq_capture_sample(const struct osrt_stack *registers, uint32_t count)
{
	const struct sample_settings *s = &settings_get()->sample;
	struct writer *w = is_inside() ? NULL : agent_thread();
	size_t most;
	char *p;

	if (w == NULL) {
		writer_lost(LOSS_SAMPLE, count);
		return;
	}
	if (!(agent_on() & ARENA_SAMPLES))
		return;
	osrt_modules_tell(w, process_clock(), s->modules);
	most = stack_copy_most(registers->sp, s->stack);
	p = agent_begin(
	    w, LOSSES, sizeof(struct record_sample) + stack_copy_bytes(most));
	if (p == NULL) {
		writer_lost(LOSS_SAMPLE, count);
		return;
	}
	agent_end(w, put(p, registers, count, most, w->tid));
}
