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
		*p = (struct chrome_process){.pid = pid, .plane = NO_ID};
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

/* the last name counts; most names repeat */
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

/*
 * the number behind word at the beginning of a name; *rest: the text behind it
 */
static bool
number_behind(struct span name, struct span word, int64_t *v, struct span *rest)
{
	size_t n = word.len;

	if (!span_begins(name, word))
		return false;
	while (n < name.len && name.p[n] >= '0' && name.p[n] <= '9')
		n++;
	*rest = (struct span){name.p + n, name.len - n};
	return lenient_int((struct span){name.p + word.len, n - word.len}, v);
}

/* Kineto's "stream 7", Ascend's "Stream 7", XProf's "Stream #7(Compute)" */
static bool
stream_number(struct span name, bool npu, int64_t *v)
{
	struct span rest;

	if (number_behind(name, SPAN("Stream #"), v, &rest))
		return true;
	if (!number_behind(name, SPAN("stream "), v, &rest) &&
	    !(npu && number_behind(name, SPAN("Stream "), v, &rest)))
		return false;
	while (rest.len > 0 && *rest.p == ' ') {
		rest.p++;
		rest.len--;
	}
	return rest.len == 0;
}

/* the part that a name of a process means for Ascend's profiler */
static enum chrome_part
part_of(struct span name)
{
	if (span_eq(name, SPAN("Ascend Hardware")))
		return PART_NPU;
	if (span_eq(name, SPAN("CANN")))
		return PART_CANN;
	return span_eq(name, SPAN("Overlap Analysis")) ? PART_COMPUTED
						       : PART_NONE;
}

/* an NPU has a number where its label has none, in order of appearance */
static void
name_part(struct chrome_ids *ids, struct chrome_process *p, struct span name)
{
	p->part = part_of(name);
	if (p->part == PART_NONE)
		return;
	ids->ascend = true;
	if (p->part == PART_NPU && p->plane == NO_ID)
		p->plane = ids->npus++;
}

static void
label_process(struct chrome_process *p, struct span label)
{
	struct span rest;
	int64_t npu;

	p->device = span_begins(label, SPAN("GPU "));
	if (p->part == PART_NPU &&
	    number_behind(label, SPAN("NPU "), &npu, &rest))
		p->plane = npu;
}

static void
name_process(struct chrome_ids *ids, int64_t pid, struct span name)
{
	struct chrome_process *p = chrome_ids_process(ids, pid);
	struct span rest;

	set_name(ids, &p->name, name);
	if (number_behind(name, SPAN("/device:GPU:"), &p->plane, &rest))
		ids->xprof = p->device = true;
	else if (span_begins(name, SPAN("/host:")))
		chrome_ids_host(ids, pid, false);
	else
		name_part(ids, p, name);
}

static void
name_thread(struct chrome_ids *ids, int64_t pid, int64_t tid, struct span name)
{
	int64_t plane = chrome_ids_plane(ids, pid), stream;
	bool fresh;

	if (!stream_number(
		name, chrome_ids_part(ids, pid) == PART_NPU, &stream)) {
		set_name(ids, &get_thread(ids, pid, tid)->name, name);
		return;
	}
	if (plane != NO_ID)
		pid = plane;
	*keyed_get(&ids->streams, (uint64_t)pid, (uint64_t)stream, &fresh) =
	    (struct chrome_thread){.pid = pid, .tid = stream};
}

void
chrome_ids_metadata(struct chrome_ids *ids, struct span event, int64_t pid,
    int64_t tid, struct span text)
{
	if (span_eq(event, SPAN("process_name")))
		name_process(ids, pid, text);
	else if (span_eq(event, SPAN("process_labels")))
		label_process(chrome_ids_process(ids, pid), text);
	else if (span_eq(event, SPAN("thread_name")))
		name_thread(ids, pid, tid, text);
}

int64_t
chrome_ids_plane(const struct chrome_ids *ids, int64_t pid)
{
	const struct chrome_process *p =
	    keyed_find(&ids->processes, (uint64_t)pid, 0);

	return p != NULL ? p->plane : NO_ID;
}

enum chrome_part
chrome_ids_part(const struct chrome_ids *ids, int64_t pid)
{
	const struct chrome_process *p =
	    keyed_find(&ids->processes, (uint64_t)pid, 0);

	return p != NULL ? p->part : PART_NONE;
}

bool
chrome_ids_is_stream(
    const struct chrome_ids *ids, int64_t device, int64_t stream)
{
	return keyed_find(&ids->streams, (uint64_t)device, (uint64_t)stream) !=
	       NULL;
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
    struct output *o, int64_t rank, const struct mesh *mesh)
{
	struct text name = {0};

	emit_open(o, KIND_process);
	emit_int(o, KEY_pid, p->pid);
	write_name(o, p->name, name_of_id(ids, p->pid, &name));
	if (rank != NO_ID && p->pid == ids->host)
		emit_int(o, KEY_rank, rank);
	if (p->pid == ids->host)
		mesh_emit(o, mesh);
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

	if (p != NULL && (p->device || p->part != PART_NONE) &&
	    !chrome_ids_is_host(ids, t->pid))
		return;
	emit_open(o, KIND_thread);
	emit_int(o, KEY_pid, t->pid);
	emit_int(o, KEY_tid, t->tid);
	write_name(o, t->name, name_of_id(ids, t->tid, &name));
	emit_close(o);
	text_free(&name);
}

void
chrome_ids_write(const struct chrome_ids *ids, struct output *o, int64_t rank,
    const struct mesh *mesh)
{
	for (size_t i = 0; i < ids->processes.count; i++) {
		const struct chrome_process *p = &ids->processes.all[i];

		if (p->used ||
		    (p->name.len > 0 && !p->device &&
			(p->part == PART_NONE ||
			    (p->part == PART_CANN && p->pid == ids->host))))
			write_process(ids, p, o, rank, mesh);
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
