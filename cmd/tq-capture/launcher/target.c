/* process.c - a process under capture: its arena read, its records as lines */

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tq/base/mem.h"

#include "target.h"

const char *const count_names[COUNTS] = {
    "ranges", "marks", "calls", "device operations", "other records"};

static const uint64_t LOST_MAX = UINT64_C(1) << 40;

/* what is lost, and why */
static const struct {
	const char *what, *reason;
} losses[LOSSES] = {
    [LOSS_RANGE] = {"range", "buffer full"},
    [LOSS_RANGE_END] = {"end of range", "buffer full"},
    [LOSS_MARK] = {"mark", "buffer full"},
    [LOSS_COUNTER] = {"counter", "buffer full"},
    [LOSS_API] = {"api", "buffer full"},
    [LOSS_GPU] = {"device operation", "buffer full"},
    [LOSS_CUDA] = {"record of CUDA", "buffer full"},
    [LOSS_NAME] = {"name", "buffer full"},
    [LOSS_REENTERED] = {"event", "in a signal handler"},
    [LOSS_CUPTI] = {"record of CUDA", "dropped by CUPTI"},
};

const char *
target_loss_what(enum arena_loss_kind kind)
{
	return losses[kind].what;
}

const char *
target_loss_reason(enum arena_loss_kind kind)
{
	return losses[kind].reason;
}

/* ---- the arena ---- */

/* the numbers are read once, whatever the program makes of them then */
static struct arena *
map_arena(struct target *p, int fd, const char **error)
{
	struct stat st;
	struct arena *a;

	/* one that could be made shorter later would end us by SIGBUS */
	if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) != 0 || fstat(fd, &st) != 0) {
		*error = "its memory can't be sealed";
		return NULL;
	}
	if (st.st_size < ARENA_HEADER) {
		*error = "its memory is too small";
		return NULL;
	}
	p->size = (uint64_t)st.st_size;
	a = mmap(NULL, p->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (a == MAP_FAILED) {
		*error = "its memory can't be mapped";
		return NULL;
	}
	p->chunks = *(volatile uint32_t *)&a->chunks;
	p->buffers = *(volatile uint32_t *)&a->buffers;
	p->start = *(volatile uint64_t *)&a->start;
	if (a->magic != ARENA_MAGIC || p->chunks == 0 ||
	    p->chunks > ARENA_CHUNKS_MAX || p->buffers > ARENA_BUFFERS_MAX ||
	    arena_size(p->chunks, p->buffers) != p->size) {
		munmap(a, p->size);
		*error = "its agent is of another version";
		return NULL;
	}
	return a;
}

/* the value of KEY=VALUE in what the process says of itself */
static const char *
about(const struct target *p, const char *key)
{
	size_t n = strlen(key);

	for (const char *a = p->about; *a != '\0'; a += strlen(a) + 1)
		if (strncmp(a, key, n) == 0 && a[n] == '=')
			return a + n + 1;
	return NULL;
}

const char *
target_variable(const struct target *p, const char *name)
{
	char key[256];

	if (p == NULL)
		return getenv(name);
	snprintf(key, sizeof(key), "env.%s", name);
	return about(p, key);
}

const char *
target_rank(const struct target *p)
{
	static const char *const variables[] = {RANK_VARIABLES};
	const char *v = NULL;

	for (size_t i = 0;
	     v == NULL && i < sizeof(variables) / sizeof(variables[0]); i++)
		v = target_variable(p, variables[i]);
	return v;
}

static int64_t
rank_of(const struct target *p)
{
	const char *v = target_rank(p);
	char *end;
	long long rank;

	if (v == NULL || *v == '\0')
		return -1;
	rank = strtoll(v, &end, 10);
	return *end == '\0' && rank >= 0 ? rank : -1;
}

struct target *
target_open(int memfd, int pid, const struct source *from,
    struct symbols *symbols, const char **error)
{
	struct target *p = mem_alloc(sizeof(*p));

	p->arena = map_arena(p, memfd, error);
	close(memfd);
	if (p->arena == NULL) {
		free(p);
		return NULL;
	}
	p->about = mem_copy(p->arena->about, sizeof(p->arena->about));
	p->about[sizeof(p->arena->about) - 1] = '\0';
	p->pid = pid;
	p->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	p->connection = -1;
	p->readings = mem_alloc(p->chunks * sizeof(*p->readings));
	p->name = about(p, "name");
	p->command = about(p, "command");
	p->rank = rank_of(p);
	p->symbols = symbols;
	p->from = *from;
	p->from.pid = pid;
	p->from.names = &p->names;
	p->from.counters = &p->counters;
	p->read_until = clock_ns(from->clock, p->start);
	return p;
}

void
target_define(const struct target *p)
{
	struct output *o = &p->from.out->line;

	emit_open(o, KIND_process);
	emit_int(o, KEY_pid, p->pid);
	if (p->name != NULL)
		emit_str(o, KEY_name, span_of(p->name));
	if (p->rank >= 0)
		emit_int(o, KEY_rank, p->rank);
	emit_close(o);
	out_stream_define(p->from.out);
}

/* ---- losses, the end ---- */

void
target_report_losses(struct target *p)
{
	struct output *o = &p->from.out->line;
	const struct clock *c = p->from.clock;
	int64_t now = clock_now(c);

	p->busy = clock_span(c, atomic_load(&p->arena->busy));
	p->blocked = clock_span(c, atomic_load(&p->arena->blocked));
	for (int i = 0; i < LOSSES; i++) {
		uint64_t count = atomic_load(&p->arena->lost[i].count);
		int64_t n;

		/* what is more than that the program has overwritten */
		n = (int64_t)(count < LOST_MAX ? count : LOST_MAX) - p->lost[i];
		if (n <= 0)
			continue;
		p->lost[i] += n;
		p->from.out->dropped += n;
		out_stream_begin(p->from.out, LINE_ALWAYS, p->from.process, 0);
		emit_open(o, KIND_lost);
		emit_int(o, KEY_ts, now);
		emit_int(o, KEY_pid, p->pid);
		emit_str(o, KEY_reason, span_of(losses[i].reason));
		emit_str(o, KEY_what, span_of(losses[i].what));
		emit_int(o, KEY_count, n);
		emit_close(o);
		out_stream_put(p->from.out, now, 0);
	}
}

void
target_read_rest(struct target *p, const char *agent)
{
	drain_rest(p);
	salvage_target(p, agent);
	target_report_losses(p);
	p->counts[COUNT_OTHER] += gpu_release(&p->gpu, &p->from, true);
	p->counts[COUNT_RANGES] += nvtx_lines_finish(&p->ranges, &p->from);
}

void
target_close(struct target *p)
{
	/* it may run on: what it would record nobody reads */
	atomic_store(&p->arena->on, 0);
	munmap(p->arena, p->size);
	p->arena = NULL;
	p->ended = true;
	if (p->pidfd >= 0)
		close(p->pidfd);
	if (p->connection >= 0)
		close(p->connection);
	p->pidfd = p->connection = -1;
	free(p->readings);
	free(p->about);
	p->readings = NULL;
	p->name = p->command = p->about = NULL;
	dictionary_free(&p->names);
	record_parts_free(&p->gather);
	nvtx_lines_free(&p->ranges);
	map_free(&p->counters);
	gpu_free(&p->gpu);
	backlog_free(&p->backlog);
}

void
target_free(struct target *p)
{
	if (!p->ended)
		target_close(p);
	free(p);
}
