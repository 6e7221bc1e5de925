/* write.c - records into the arena: the way in for what is not NVTX */

#include <string.h>

#include "nvtx_record.h"
#include "agent/nvtx/registry.h"
#include "agent.h"

struct writer *
write_thread(void)
{
	struct writer *w = writer_enter();

	if (w != NULL)
		writer_leave();
	return w;
}

char *
write_begin(struct writer *w, enum arena_loss_kind kind, size_t bytes)
{
	char *p;

	writer_self.inside = 1;
	atomic_signal_fence(memory_order_seq_cst);
	if ((p = writer_room(w, kind, bytes)) == NULL)
		writer_leave();
	return p;
}

void
write_end(struct writer *w, size_t bytes)
{
	writer_commit(w, bytes, 0);
	writer_leave();
}

uint64_t
write_clock(void)
{
	return process_clock();
}

struct arena *
write_arena(void)
{
	if (process == NULL || process->generation == 0)
		return NULL;
	return process->arena;
}

uint32_t
write_on(void)
{
	struct arena *a = write_arena();

	return a != NULL ? a->on : 0;
}

void
write_note(enum note_severity severity, const char *text)
{
	struct writer *w = writer_enter();
	struct event e = {
	    .type = RECORD_NOTE, .loss = LOSS_NAME, .domain = severity};

	if (w == NULL)
		return;
	emit_set_text(&e, text);
	emit(w, &e);
	writer_leave();
}

bool
write_name(enum record_type type, uint32_t domain, uint64_t id,
    uint64_t address, const char *text, size_t len)
{
	struct event e = {.type = (uint8_t)type,
	    .flags = FLAG_ID | FLAG_TEXT | (address != 0 ? FLAG_RANGE : 0),
	    .loss = LOSS_NAME,
	    .domain = domain,
	    .id = id,
	    .text = {.bytes = text, .len = len},
	    .range = address};
	bool ok;

	if (writer_enter() == NULL)
		return false;
	ok = names_write(&e);
	writer_leave();
	return ok;
}

void
write_lost(enum arena_loss_kind kind, uint64_t count)
{
	writer_lost(kind, count);
}
