/* model.c - dense numbers for the processes, threads ... of records */

#include "tq/names/model.h"

void
model_section(struct model *m)
{
	m->section++;
}

void
model_rewind(struct model *m)
{
	m->section = 0;
	m->in_section = false;
}

void
model_free(struct model *m)
{
	map_free(&m->processes.map);
	map_free(&m->threads.map);
	map_free(&m->devices.map);
	map_free(&m->contexts.map);
	map_free(&m->streams.map);
	*m = (struct model){0};
}

/* ---- of a record ---- */

static uint32_t
get_number(struct model_things *t, uint64_t of, int64_t id)
{
	if (t->number == 0 || t->of != of || t->id != id) {
		t->number = (uint32_t)map_number(&t->map, of, (uint64_t)id);
		t->of = of;
		t->id = id;
	}
	return t->number;
}

uint32_t
model_find_process(const struct event *ev)
{
	return event_memo(ev)->memo.process = get_number(&ev->model->processes,
		   ev->model->section, event_int(ev, KEY_pid, NO_ID));
}

uint32_t
model_find_thread(const struct event *ev)
{
	return event_memo(ev)->memo.thread = get_number(&ev->model->threads,
		   model_process(ev), event_int(ev, KEY_tid, NO_ID));
}

uint32_t
model_find_device(const struct event *ev)
{
	return event_memo(ev)->memo.device = get_number(&ev->model->devices,
		   model_process(ev), event_int(ev, KEY_device, 0));
}

uint32_t
model_find_stream(const struct event *ev)
{
	uint32_t context = get_number(&ev->model->contexts, model_device(ev),
	    event_int(ev, KEY_context, NO_ID));

	return event_memo(ev)->memo.stream = get_number(&ev->model->streams,
		   context, event_int(ev, KEY_stream, NO_ID));
}

uint32_t
model_any_thread(const struct event *ev)
{
	return (uint32_t)map_number(
	    &ev->model->threads.map, model_process(ev), (uint64_t)NO_ID);
}

/* ---- of ids ---- */

static uint32_t
find_number(const struct model_things *t, uint64_t of, int64_t id)
{
	const uint64_t *number = map_find(&t->map, of, (uint64_t)id);

	return number != NULL ? (uint32_t)*number : 0;
}

uint32_t
model_process_of(const struct model *m, int64_t pid)
{
	return find_number(&m->processes, m->section, pid);
}

uint32_t
model_device_of(const struct model *m, int64_t pid, int64_t device)
{
	return find_number(&m->devices, model_process_of(m, pid), device);
}
