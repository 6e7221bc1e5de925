/* agent.c - records into the arena, for the half for CUPTI */

#include <string.h>

#include "nvtx_record.h"
#include "agent/nvtx/registry.h"
#include "agent/python/python_stack.h"
#include "agent.h"
#include "osrt_modules.h"
#include "stack_copy.h"

struct writer *
agent_thread(void)
{
	struct writer *w = writer_enter();

	if (w != NULL)
		writer_leave(w);
	return w;
}

char *
agent_begin(struct writer *w, enum arena_loss_kind kind, size_t bytes)
{
	char *p;

	writer_enter_again(w, WRITER_FRAME());
	if ((p = writer_room(w, kind, bytes)) == NULL)
		writer_leave(w);
	return p;
}

void
agent_copies(struct writer *w, size_t bytes, uint32_t buffer, uint64_t offset)
{
	struct arena *a = process->arena;
	uint64_t chunk =
	    (uint64_t)((char *)w->chunk - (char *)arena_chunk(a, 0)) /
	    ARENA_CHUNK;
	uint64_t end = (uint64_t)(w->place - (char *)(w->chunk + 1)) + bytes;

	atomic_store_explicit(&a->writing[buffer],
	    arena_writing(offset, chunk, end), memory_order_release);
}

void
agent_end(struct writer *w, size_t bytes)
{
	writer_commit(w, bytes, 0);
	writer_leave(w);
}

uint32_t
agent_python_stack(struct writer *w)
{
	uint32_t stack;

	writer_enter_again(w, WRITER_FRAME());
	stack = python_stack_take();
	writer_leave(w);
	return stack;
}

uint64_t
agent_clock(void)
{
	return process_clock();
}

struct arena *
agent_arena(void)
{
	if (process == NULL || process->generation == 0)
		return NULL;
	return process->arena;
}

uint32_t
agent_generation(void)
{
	return process != NULL ? process->generation : 0;
}

void
agent_put_stack(struct writer *w, struct record *r, size_t bytes, size_t most,
    uint64_t period)
{
	struct osrt_stack registers;
	size_t stack = stack_copy_here(&registers, most);
	char *p;

	if (stack == 0)
		return;
	osrt_modules_tell(w, process_clock(), period);
	p = agent_begin(w, LOSS_STACK, bytes + stack_copy_bytes(stack));
	if (p == NULL)
		return;
	stack = stack_copy_put(p + bytes, &registers, stack, w->tid);
	r->words = (uint16_t)((bytes + stack) / 8);
	r->flags |= FLAG_BLOB;
	memcpy(p, r, bytes);
	agent_end(w, bytes + stack);
}

uint32_t
agent_on(void)
{
	struct arena *a = agent_arena();

	return a != NULL ? a->on : 0;
}

void
agent_note(enum note_severity severity, const char *text)
{
	struct writer *w = writer_enter();
	struct nvtx_record e = {
	    .type = RECORD_NOTE, .loss = LOSS_NAME, .domain = severity};

	if (w == NULL)
		return;
	nvtx_record_set_text(&e, text);
	nvtx_record_put(w, &e);
	writer_leave(w);
}

bool
agent_name(enum record_type type, uint32_t domain, uint64_t id,
    uint64_t address, const char *text, size_t len)
{
	struct nvtx_record e = {.type = (uint8_t)type,
	    .flags = FLAG_ID | FLAG_TEXT | (address != 0 ? FLAG_RANGE : 0),
	    .loss = LOSS_NAME,
	    .domain = domain,
	    .id = id,
	    .text = {.bytes = text, .len = len},
	    .range = address};
	struct writer *w = writer_enter();
	bool ok;

	if (w == NULL)
		return false;
	ok = registry_write(&e);
	writer_leave(w);
	return ok;
}

void
agent_lost(enum arena_loss_kind kind, uint64_t count)
{
	writer_lost(kind, count);
}
