/* captured_process.c - the arena of a process, and how far it was read */

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

#include "drain.h"
#include "salvage.h"

enum { LAUNCHES_AHEAD = 16 }; /* calls */

static const uint64_t LOST_MAX = UINT64_C(1) << 40;

/* by enum arena_loss_kind */
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
    [LOSS_LAUNCH] = {"launch", "not handed over by CUPTI"},
    [LOSS_OSRT] = {"osrt", "buffer full"},
    [LOSS_MPI] = {"mpi", "buffer full"},
    [LOSS_NCCL] = {"nccl", "buffer full"},
    [LOSS_STACK] = {"stack", "buffer full"},
    [LOSS_GIL] = {"gil", "buffer full"},
    [LOSS_TIME] = {"event", "its time is none of this recording"},
    [LOSS_SAMPLE] = {"sample", "buffer full, or in the middle of a record"},
};

const char *
captured_process_loss_what(enum arena_loss_kind kind)
{
	return losses[kind].what;
}

const char *
captured_process_loss_reason(enum arena_loss_kind kind)
{
	return losses[kind].reason;
}

/* ---- the arena ---- */

/* the numbers are read once: the program may change them at any time */
static struct arena *
map_arena(struct captured_process *t, int fd, const char **error)
{
	struct stat st;
	struct arena *a;

	/* were the file made shorter later, we would end by SIGBUS */
	if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) != 0 || fstat(fd, &st) != 0) {
		*error = "its memory can't be sealed";
		return NULL;
	}
	if (st.st_size < ARENA_HEADER) {
		*error = "its memory is too small";
		return NULL;
	}
	t->size = (uint64_t)st.st_size;
	a = mmap(NULL, t->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (a == MAP_FAILED) {
		*error = "its memory can't be mapped";
		return NULL;
	}
	t->chunks = *(volatile uint32_t *)&a->chunks;
	t->buffers = *(volatile uint32_t *)&a->buffers;
	t->start = *(volatile uint64_t *)&a->start;
	if (a->magic != ARENA_MAGIC || t->chunks == 0 ||
	    t->chunks > ARENA_CHUNKS_MAX || t->buffers > ARENA_BUFFERS_MAX ||
	    arena_size(t->chunks, t->buffers) != t->size) {
		munmap(a, t->size);
		*error = "its agent is of another version";
		return NULL;
	}
	return a;
}

/* the value of KEY=VALUE in the agent's text about the process */
static const char *
find_about(const struct captured_process *t, const char *key)
{
	size_t n = strlen(key);

	for (const char *a = t->about; *a != '\0'; a += strlen(a) + 1)
		if (strncmp(a, key, n) == 0 && a[n] == '=')
			return a + n + 1;
	return NULL;
}

const char *
captured_process_variable(const struct captured_process *t, const char *name)
{
	char key[256];

	if (t == NULL)
		return getenv(name);
	snprintf(key, sizeof(key), "env.%s", name);
	return find_about(t, key);
}

const char *
captured_process_rank(const struct captured_process *t)
{
	static const char *const variables[] = {RANK_VARIABLES};
	const char *v = NULL;

	for (size_t i = 0;
	     v == NULL && i < sizeof(variables) / sizeof(variables[0]); i++)
		v = captured_process_variable(t, variables[i]);
	return v;
}

static int64_t
parse_rank(const struct captured_process *t)
{
	const char *v = captured_process_rank(t);
	char *end;
	long long rank;

	if (v == NULL || *v == '\0')
		return -1;
	rank = strtoll(v, &end, 10);
	return *end == '\0' && rank >= 0 ? rank : -1;
}

struct captured_process *
captured_process_open(
    int memfd, int pid, const struct lines *lines, const char **error)
{
	struct captured_process *t = mem_alloc(sizeof(*t));

	t->arena = map_arena(t, memfd, error);
	close(memfd);
	if (t->arena == NULL) {
		free(t);
		return NULL;
	}
	t->about = mem_copy(t->arena->about, sizeof(t->arena->about));
	t->about[sizeof(t->arena->about) - 1] = '\0';
	t->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	t->connection = -1;
	t->progress = mem_alloc(t->chunks * sizeof(*t->progress));
	t->lines = *lines;
	t->lines.pid = pid;
	t->lines.name = find_about(t, "name");
	t->command = find_about(t, "command");
	t->lines.rank = parse_rank(t);
	t->read_until = t->complete_until = clock_ns(lines->clock, t->start);
	t->announced.call = INT64_MAX;
	t->lines.open_calls.start = t->start;
	return t;
}

/* ---- losses, the end ---- */

/* How many calls the wrappers timed that were too short for a record. */
static int64_t
count_short_calls(const struct captured_process *t)
{
	uint32_t n = atomic_load(&t->arena->threads_high);
	uint64_t calls = 0;
	int64_t left;

	for (uint32_t i = 0; i < n && i < ARENA_THREADS; i++)
		calls += t->arena->threads[i].calls;
	/* more means that the program overwrote it */
	left = (int64_t)(calls < LOST_MAX ? calls : 0) -
	       t->lines.counts[COUNT_OSRT];
	return left > 0 ? left : 0;
}

void
captured_process_report_losses(struct captured_process *t)
{
	const struct clock *c = t->lines.clock;
	int64_t now = clock_now(c);

	t->busy = clock_span(c, atomic_load(&t->arena->busy));
	t->blocked = clock_span(c, atomic_load(&t->arena->blocked));
	t->short_calls = count_short_calls(t);
	atomic_fetch_add(
	    &t->arena->lost[LOSS_TIME].count, (uint64_t)t->lines.untimely);
	t->lines.untimely = 0;
	for (int i = 0; i < LOSSES; i++) {
		uint64_t count = atomic_load(&t->arena->lost[i].count);
		int64_t n;

		/* a larger count means that the program overwrote it */
		n = (int64_t)(count < LOST_MAX ? count : LOST_MAX) - t->lost[i];
		if (n <= 0)
			continue;
		t->lost[i] += n;
		out_stream_lost(t->lines.out, now, t->lines.process,
		    t->lines.pid,
		    &(struct lost_records){
			losses[i].reason, losses[i].what, n});
	}
}

/*
 * Launches without records: the newest one is far newer than the newest record
 * of a call, and not just ahead of it by what threads did in their last moment.
 */
static void
count_launches(struct captured_process *t)
{
	struct arena *a = t->arena;
	uint64_t launched = a->launched, records = a->launch_records;
	int32_t ahead = (int32_t)(a->launch_corr - a->record_corr);

	if (launched <= records || ahead <= LAUNCHES_AHEAD)
		return;
	atomic_fetch_add(&a->lost[LOSS_LAUNCH].count, launched - records);
	lines_note(&t->lines, clock_now(t->lines.clock), t->lines.pid,
	    NOTE_WARNING,
	    SPAN("CUPTI handed over no records of the last launches: another "
		 "CUPTI client, such as torch.profiler, took its place, or the "
		 "process died first"));
}

void
captured_process_read_rest(struct captured_process *t, const char *agent)
{
	drain_rest(t);
	salvage_target(t, agent);
	count_launches(t);
	captured_process_report_losses(t);
	t->lines.mpi.lost = t->lost[LOSS_MPI] > 0;
	t->lines.nccl.lost = t->lost[LOSS_NCCL] > 0;
	open_calls_read(&t->lines.open_calls, t->arena);
	lines_finish(&t->lines);
	captured_process_report_losses(t); /* of events that were open */
}

void
captured_process_close(struct captured_process *t)
{
	/* a process that runs on records nothing, which nobody would read */
	atomic_store(&t->arena->on, 0);
	munmap(t->arena, t->size);
	t->arena = NULL;
	t->ended = true;
	if (t->pidfd >= 0)
		close(t->pidfd);
	if (t->connection >= 0)
		close(t->connection);
	t->pidfd = t->connection = -1;
	free(t->progress);
	free(t->about);
	t->progress = NULL;
	t->lines.name = t->command = t->about = NULL;
	lines_free(&t->lines);
	backlog_free(&t->backlog);
	announced_records_free(&t->announced);
}

void
captured_process_free(struct captured_process *t)
{
	if (!t->ended)
		captured_process_close(t);
	free(t);
}
