/* model.c - dense numbers for the processes, threads ... of records */

#include "tq/names/model.h"

void
model_section(struct model *m)
{
	m->section++;
	m->process = 0;
}

void
model_event(struct model *m, const struct event *ev)
{
	if (ev->kind == KIND_trace || !m->in_section)
		model_section(m);
	m->in_section = ev->kind != KIND_end;
}

void
model_rewind(struct model *m)
{
	m->section = 0;
	m->in_section = false;
	m->process = 0;
}

void
model_free(struct model *m)
{
	map_free(&m->processes);
	map_free(&m->threads);
	map_free(&m->devices);
	map_free(&m->streams);
	*m = (struct model){0};
}

/* ---- of a record ---- */

uint32_t
model_find_process(const struct event *ev)
{
	struct model *m = ev->model;
	int64_t pid = event_int(ev, KEY_pid, NO_ID);

	if (m->process == 0 || m->pid != pid) {
		m->process = (uint32_t)map_number(
		    &m->processes, m->section, (uint64_t)pid);
		m->pid = pid;
	}
	return event_memo(ev)->memo.process = m->process;
}

uint32_t
model_find_thread(const struct event *ev)
{
	return event_memo(ev)->memo.thread =
		   (uint32_t)map_number(&ev->model->threads, model_process(ev),
		       (uint64_t)event_int(ev, KEY_tid, NO_ID));
}

uint32_t
model_find_device(const struct event *ev)
{
	return event_memo(ev)->memo.device =
		   (uint32_t)map_number(&ev->model->devices, model_process(ev),
		       (uint64_t)event_int(ev, KEY_device, 0));
}

uint32_t
model_find_stream(const struct event *ev)
{
	return event_memo(ev)->memo.stream =
		   (uint32_t)map_number(&ev->model->streams, model_device(ev),
		       (uint64_t)event_int(ev, KEY_stream, NO_ID));
}

uint32_t
model_any_thread(const struct event *ev)
{
	return (uint32_t)map_number(
	    &ev->model->threads, model_process(ev), (uint64_t)NO_ID);
}

/* ---- of ids ---- */

static uint32_t
number_of(const struct map *m, uint64_t a, int64_t b)
{
	const uint64_t *number = map_find(m, a, (uint64_t)b);

	return number != NULL ? (uint32_t)*number : 0;
}

uint32_t
model_process_of(const struct model *m, int64_t pid)
{
	if (m->process > 0 && m->pid == pid)
		return m->process;
	return number_of(&m->processes, m->section, pid);
}

uint32_t
model_thread_of(const struct model *m, int64_t pid, int64_t tid)
{
	return number_of(&m->threads, model_process_of(m, pid), tid);
}

uint32_t
model_device_of(const struct model *m, int64_t pid, int64_t device)
{
	return number_of(&m->devices, model_process_of(m, pid), device);
}
