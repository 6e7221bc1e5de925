/* rows.c - how events become rows of an nsys export */

#include <stdio.h>
#include <string.h>

#include "rows.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define NO_STREAM INT64_C(4294967295)

const int rows_pids[PROCESSES] = {2101, 2102};
const int rows_streams[STREAMS] = {7, 13, 20, 24};
static const int tids[THREADS] = {0, 113, 57, 88}; /* less the pid */

static int64_t
global_pid(const struct event *e)
{
	return VM | (int64_t)rows_pids[e->thread / THREADS] << 24;
}

int64_t
rows_global_tid(int thread)
{
	int pid = rows_pids[thread / THREADS];

	return VM | (int64_t)pid << 24 | (pid + tids[thread % THREADS]);
}

static int64_t
stream_id(const struct event *e)
{
	return e->stream < STREAMS ? rows_streams[e->stream] : NO_STREAM;
}

uint32_t
rows_scramble(uint32_t x)
{
	x = (x ^ x >> 16) * 0x45D9F3BU;
	x = (x ^ x >> 16) * 0x45D9F3BU;
	return x ^ x >> 16;
}

void
rows_set(struct row *row, const int64_t *value, size_t count)
{
	memcpy(row->value, value, count * sizeof(*value));
	row->text_at = -1;
}

/* Ids are as sparse as those of nsys. */
int64_t
rows_string_id(size_t i)
{
	return 21 + (int64_t)i * 1237;
}

int64_t
rows_string_of(int64_t id)
{
	return (id - 21) / 1237;
}

void
rows_frame(struct row *row, uint32_t i, const struct strings *s)
{
	const int64_t depth = i % FRAMES;
	uint32_t n = rows_scramble(i);
	const int64_t value[FRAME_COLUMNS] = {i / FRAMES + 1,
	    s->symbols[n % SYMBOLS], s->modules[n % MODULES], 0, 0, n % 4 == 3,
	    NONE, 0x71391F000000 + n % 65536, depth == 0 ? 0 : 7, depth};

	rows_set(row, value, COUNT(value));
}

bool
rows_domain(struct row *row, int process, int i)
{
	bool category = i == DOMAINS - 1;
	int64_t tid = rows_global_tid(process * THREADS + MAIN);
	const int64_t value[] = {1000 * (process + 1), NONE,
	    category ? NVTX_CATEGORY : NVTX_DOMAIN, NONE,
	    category ? CATEGORY : NONE, NONE, NONE, tid, NONE, NONE,
	    category ? DOMAIN_NCCL : DOMAIN_DEFAULT + 1 + i, NONE, NONE, NONE,
	    NONE, NONE, NONE, NONE, NONE, NONE};

	if (i >= DOMAINS)
		return false;
	rows_set(row, value, COUNT(value));
	row->text_at = 6;
	snprintf(row->text, sizeof(row->text), "%s",
	    category ? "collective"
		     : vocabulary_domains[DOMAIN_DEFAULT + 1 + i]);
	return true;
}

static void
fill_kernel(struct row *row, const struct event *e, const struct strings *s)
{
	uint32_t shape = rows_scramble(e->name);
	uint32_t size = rows_scramble(e->corr) % 10;
	int64_t graph = e->data != 0 ? e->data / 64 + 1 : NONE;
	int64_t node = e->data != 0 ? graph << 32 | e->data % 64 : NONE;
	const int64_t value[] = {e->start, e->end, 0, CONTEXT, 0, stream_id(e),
	    e->corr, global_pid(e), s->demangled[e->name], s->brief[e->name],
	    s->mangled[e->name], 1, 1, 16 + shape % 30 * 8,
	    1 + (shape >> 5) % (16U << size), 1 + (shape >> 9) % 4, 1,
	    32 << (shape >> 14) % 6, 1, 1, (shape >> 17) % 4 * 4096,
	    (shape >> 19) % 2 * 65536, 0, 250871808, e->corr,
	    32768 << (shape >> 20) % 3, node, 0, NONE, NONE, NONE, graph,
	    (shape >> 22) % 3, (shape >> 22) % 3, (shape >> 22) % 3, 1, 0, 0,
	    NONE};

	rows_set(row, value, COUNT(value));
	row->text_at = COUNT(value);
	strcpy(row->text, "[]");
}

static void
fill_memcpy(struct row *row, const struct event *e, const struct strings *s)
{
	const int64_t value[] = {e->start, e->end, 0, CONTEXT, 0, stream_id(e),
	    e->corr, global_pid(e), e->data, e->kind, NONE,
	    e->kind == 1 ? 1 : 2, e->kind == 2 ? 1 : 2, NONE, NONE, NONE, NONE,
	    NONE, NONE, NONE, 1};

	(void)s;
	rows_set(row, value, COUNT(value));
}

static void
fill_memset(struct row *row, const struct event *e, const struct strings *s)
{
	const int64_t value[] = {e->start, e->end, 0, CONTEXT, 0, stream_id(e),
	    e->corr, global_pid(e), 0, e->data, NONE, 2};

	(void)s;
	rows_set(row, value, COUNT(value));
}

static void
fill_sync(struct row *row, const struct event *e, const struct strings *s)
{
	const int64_t value[] = {e->start, e->end, 0, CONTEXT, NONE,
	    stream_id(e), e->corr, global_pid(e), NONE, e->kind, e->data,
	    e->kind <= 2 ? e->data : 0};

	(void)s;
	rows_set(row, value, COUNT(value));
}

static void
fill_record(struct row *row, const struct event *e, const struct strings *s)
{
	const int64_t value[] = {0, 0, CONTEXT, 0, stream_id(e), e->corr,
	    global_pid(e), e->data, e->data};

	(void)s;
	rows_set(row, value, COUNT(value));
}

static void
fill_runtime(struct row *row, const struct event *e, const struct strings *s)
{
	const int64_t value[] = {e->start, e->end, e->kind,
	    rows_global_tid(e->thread), e->corr, s->calls[e->name], 0, NONE};

	rows_set(row, value, COUNT(value));
}

static void
fill_nvtx(struct row *row, const struct event *e, const struct strings *s)
{
	bool layer = e->corr == 0 && e->name >= RANGE_LAYER;
	const int64_t value[] = {e->start, e->end, e->kind,
	    e->data != 0 ? e->data : NONE,
	    e->domain == DOMAIN_NCCL ? CATEGORY : NONE,
	    layer ? 0xFF00FF00 : NONE, NONE, rows_global_tid(e->thread),
	    e->end_thread != e->thread ? rows_global_tid(e->end_thread) : NONE,
	    e->corr == 0 ? s->ranges[e->name] : NONE, e->domain, NONE, NONE,
	    NONE, NONE, NONE, NONE, NONE, NONE, NONE};

	rows_set(row, value, COUNT(value));
	if (e->corr == 0)
		return;
	row->text_at = 6;
	snprintf(row->text, sizeof(row->text), "%s, op_id = %u",
	    vocabulary_ops[e->name], s->few ? e->corr % 8 : e->corr);
}

static void
fill_osrt(struct row *row, const struct event *e, const struct strings *s)
{
	const int64_t value[] = {e->start, e->end, 27,
	    rows_global_tid(e->thread), s->osrts[e->name], 0, e->kind, 0, 0};

	rows_set(row, value, COUNT(value));
}

static void
fill_sched(struct row *row, const struct event *e, const struct strings *s)
{
	const int64_t value[] = {
	    e->start, e->data, e->kind, rows_global_tid(e->thread), 0, NONE};

	(void)s;
	rows_set(row, value, COUNT(value));
}

static void
fill_sample(struct row *row, const struct event *e, const struct strings *s)
{
	const int64_t value[] = {
	    NONE, e->start, e->data, 1, rows_global_tid(e->thread), 1};

	(void)s;
	rows_set(row, value, COUNT(value));
}

const struct table_rows rows_exports[TABLES] = {
    [T_KERNEL] = {"CUPTI_ACTIVITY_KIND_KERNEL", 40, fill_kernel},
    [T_MEMCPY] = {"CUPTI_ACTIVITY_KIND_MEMCPY", 21, fill_memcpy},
    [T_MEMSET] = {"CUPTI_ACTIVITY_KIND_MEMSET", 12, fill_memset},
    [T_SYNC] = {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", 12, fill_sync},
    [T_RECORD] = {"CUPTI_ACTIVITY_KIND_CUDA_EVENT", 9, fill_record},
    [T_RUNTIME] = {"CUPTI_ACTIVITY_KIND_RUNTIME", 8, fill_runtime},
    [T_NVTX] = {"NVTX_EVENTS", 20, fill_nvtx},
    [T_OSRT] = {"OSRT_API", 9, fill_osrt},
    [T_SCHED] = {"SCHED_EVENTS", 6, fill_sched},
    [T_SAMPLE] = {"COMPOSITE_EVENTS", 6, fill_sample}};
