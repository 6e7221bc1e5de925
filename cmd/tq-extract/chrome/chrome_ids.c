/* chrome_ids.c - processes, threads and streams of a trace */

#include "chrome_ids.h"
#include "read/lenient.h"
#include "tq/io/emit.h"

enum {
	/* how much an event of the host counts; a Python function counts 1 */
	HOST_WEIGHT = 1000000
};

int64_t
chrome_ids_number(struct chrome_ids *ids, struct span value)
{
	int64_t v;

	if (value.p == NULL || span_eq(value, SPAN("null")))
		return NO_ID;
	if (lenient_int(value, &v))
		return v;
	return CHROME_NAMED_ID + intern_get(&ids->names, lenient_inner(value));
}

struct chrome_process *
chrome_ids_process(struct chrome_ids *ids, int64_t pid)
{
	bool fresh;
	struct chrome_process *p =
	    keyed_get(&ids->processes, (uint64_t)pid, 0, &fresh);

	if (fresh)
		*p = (struct chrome_process){.pid = pid};
	return p;
}

static struct chrome_thread *
get_thread(struct chrome_ids *ids, int64_t pid, int64_t tid)
{
	bool fresh;
	struct chrome_thread *t =
	    keyed_get(&ids->threads, (uint64_t)pid, (uint64_t)tid, &fresh);

	if (fresh)
		*t = (struct chrome_thread){.pid = pid, .tid = tid};
	return t;
}

/* the last name counts; most are said over and over again */
static void
set_name(struct chrome_ids *ids, struct span *name, struct span inner)
{
	struct text json = {0};

	lenient_write_string(&json, inner);
	if (!span_eq(*name, text_span(&json)))
		*name = region_copy(&ids->texts, text_span(&json));
	text_free(&json);
}

void
chrome_ids_thread(struct chrome_ids *ids, int64_t pid, int64_t tid)
{
	if (tid < CHROME_NAMED_ID ||
	    tid >= CHROME_NAMED_ID + (int64_t)ids->names.count)
		return;
	get_thread(ids, pid, tid);
}

void
chrome_ids_host(struct chrome_ids *ids, int64_t pid, bool python)
{
	chrome_ids_process(ids, pid)->events += python ? 1 : HOST_WEIGHT;
}

/* the number of a stream in "stream 7"; false if that is no such name */
static bool
stream_number(struct span name, int64_t *v)
{
	struct span word = SPAN("stream ");

	if (!span_begins(name, word))
		return false;
	name.p += word.len;
	name.len -= word.len;
	while (name.len > 0 && name.p[name.len - 1] == ' ')
		name.len--;
	return lenient_int(name, v);
}

void
chrome_ids_metadata(struct chrome_ids *ids, struct span event, int64_t pid,
    int64_t tid, struct span text)
{
	bool fresh;
	int64_t stream;

	if (span_eq(event, SPAN("process_name"))) {
		set_name(ids, &chrome_ids_process(ids, pid)->name, text);
	} else if (span_eq(event, SPAN("process_labels"))) {
		chrome_ids_process(ids, pid)->device =
		    span_begins(text, SPAN("GPU "));
	} else if (span_eq(event, SPAN("thread_name"))) {
		if (!stream_number(text, &stream))
			set_name(ids, &get_thread(ids, pid, tid)->name, text);
		else
			*keyed_get(&ids->streams, (uint64_t)pid,
			    (uint64_t)stream, &fresh) =
			    (struct chrome_thread){.pid = pid, .tid = stream};
	}
}

void
chrome_ids_settle(struct chrome_ids *ids)
{
	const struct chrome_process *best = NULL;
	int full = 0;

	for (size_t i = 0; i < ids->processes.count; i++) {
		const struct chrome_process *p = &ids->processes.all[i];

		full += p->events >= HOST_WEIGHT;
		if (p->events > 0 &&
		    (best == NULL || p->events > best->events ||
			(p->events == best->events && p->pid < best->pid)))
			best = p;
	}
	ids->host = best != NULL ? best->pid : NO_ID;
	ids->merged = full > 1;
}

bool
chrome_ids_is_host(const struct chrome_ids *ids, int64_t pid)
{
	const struct chrome_process *p =
	    keyed_find(&ids->processes, (uint64_t)pid, 0);

	return pid == ids->host || (p != NULL && p->events >= HOST_WEIGHT);
}

/* ---- records ---- */

/* the name that an id stands for, as JSON in *t, or nothing */
static struct span
name_of_id(const struct chrome_ids *ids, int64_t id, struct text *t)
{
	t->len = 0;
	if (id >= CHROME_NAMED_ID &&
	    id < CHROME_NAMED_ID + (int64_t)ids->names.count)
		lenient_write_string(t,
		    intern_text(&ids->names, (uint32_t)(id - CHROME_NAMED_ID)));
	return text_span(t);
}

static void
write_name(struct output *o, struct span name, struct span otherwise)
{
	if (name.len == 0)
		name = otherwise;
	if (name.len > 0)
		emit_json(o, KEY_name, name);
}

static void
write_process(const struct chrome_ids *ids, const struct chrome_process *p,
    struct output *o, int64_t rank)
{
	struct text name = {0};

	emit_open(o, KIND_process);
	emit_int(o, KEY_pid, p->pid);
	write_name(o, p->name, name_of_id(ids, p->pid, &name));
	if (rank != NO_ID && p->pid == ids->host)
		emit_int(o, KEY_rank, rank);
	emit_close(o);
	text_free(&name);
}

static void
write_thread(const struct chrome_ids *ids, const struct chrome_thread *t,
    struct output *o)
{
	const struct chrome_process *p =
	    keyed_find(&ids->processes, (uint64_t)t->pid, 0);
	struct text name = {0};

	if (p != NULL && p->device && !chrome_ids_is_host(ids, t->pid))
		return;
	emit_open(o, KIND_thread);
	emit_int(o, KEY_pid, t->pid);
	emit_int(o, KEY_tid, t->tid);
	write_name(o, t->name, name_of_id(ids, t->tid, &name));
	emit_close(o);
	text_free(&name);
}

void
chrome_ids_write(const struct chrome_ids *ids, struct output *o, int64_t rank)
{
	for (size_t i = 0; i < ids->processes.count; i++) {
		const struct chrome_process *p = &ids->processes.all[i];

		if (p->used || (p->name.len > 0 && !p->device))
			write_process(ids, p, o, rank);
	}
	for (size_t i = 0; i < ids->threads.count; i++)
		write_thread(ids, &ids->threads.all[i], o);
	for (size_t i = 0; i < ids->streams.count; i++) {
		const struct chrome_thread *t = &ids->streams.all[i];

		emit_open(o, KIND_stream);
		if (ids->host != NO_ID && !ids->merged)
			emit_int(o, KEY_pid, ids->host);
		emit_int(o, KEY_device, t->pid);
		emit_int(o, KEY_stream, t->tid);
		emit_close(o);
	}
}

void
chrome_ids_free(struct chrome_ids *ids)
{
	intern_free(&ids->names);
	keyed_free(&ids->processes);
	keyed_free(&ids->threads);
	keyed_free(&ids->streams);
	region_free(&ids->texts);
}
