/* perf_rings.c - rings of records of perf_event_open(2) */

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tq/base/array.h"

#include "perf_registers.h"
#include "perf_rings.h"

enum {
	PAGES = 512, /* of a ring */
	PAGES_LEAST =
	    128,       /* with one more, the memory that any user may lock */
	SAMPLE_ID = 32 /* bytes behind records: pid, tid, time, id, processor */
};

struct perf_ring {
	int fd, cpu;
	struct perf_event_mmap_page *page;
	const char *data;
	uint64_t size;
	uint64_t head, tail;     /* of the records that are read */
	struct perf_record next; /* the one at tail, if has_next */
	uint64_t next_size;
	bool has_next;
};

static const int64_t SECOND = 1000000000;

/* ---- opening ---- */

static struct perf_event_attr
attributes(const struct perf_wish *w)
{
	struct perf_event_attr a = {.type = PERF_TYPE_SOFTWARE,
	    .size = sizeof(a),
	    .config = w->hz > 0 ? PERF_COUNT_SW_CPU_CLOCK : PERF_COUNT_SW_DUMMY,
	    .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
			   PERF_SAMPLE_CPU,
	    .disabled = !w->running,
	    .inherit = 1,
	    .enable_on_exec = !w->running,
	    .mmap = 1,
	    .mmap2 = 1,
	    .comm = 1,
	    .comm_exec = 1,
	    .task = 1,
	    .sample_id_all = 1,
	    .exclude_hv = 1,
	    .use_clockid = 1,
	    .clockid = CLOCK_MONOTONIC,
	    .watermark = 1,
	    .wakeup_watermark = PAGES_LEAST * 4096 / 2};

	a.context_switch = w->switches;
	if (w->hz > 0)
		a.sample_period = (uint64_t)(SECOND / w->hz);
	if (w->hz > 0 && w->chains) {
		a.sample_type |= PERF_SAMPLE_CALLCHAIN;
		a.exclude_callchain_kernel = 1;
	}
	if (w->hz > 0 && PERF_REGISTERS != 0) {
		a.sample_type |= PERF_SAMPLE_REGS_USER;
		a.sample_regs_user = PERF_REGISTERS;
	}
	if (w->hz > 0 && w->stack > 0) {
		a.sample_type |= PERF_SAMPLE_STACK_USER;
		a.sample_stack_user = w->stack;
	}
	return a;
}

/* 0, or errno; ENODEV: the processor is off */
static int
open_ring(struct perf_ring *ring, struct perf_event_attr *a, pid_t pid, int cpu,
    size_t pages)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *at;

	ring->cpu = cpu;
	ring->fd = (int)syscall(
	    SYS_perf_event_open, a, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (ring->fd < 0)
		return errno;
	at = mmap(NULL, (pages + 1) * page, PROT_READ | PROT_WRITE, MAP_SHARED,
	    ring->fd, 0);
	if (at == MAP_FAILED) {
		close(ring->fd);
		return ENOLCK; /* the user has locked what he may */
	}
	ring->page = at;
	ring->data = (const char *)at + page;
	ring->size = pages * page;
	return 0;
}

static void
close_all(struct perf_rings *r)
{
	for (size_t i = 0; i < r->count; i++) {
		struct perf_ring *ring = &r->all[i];

		munmap(ring->page,
		    (size_t)(ring->data - (char *)ring->page) + ring->size);
		close(ring->fd);
	}
	r->count = 0;
}

/* r->all has room for all processors */
static int
open_all(struct perf_rings *r, struct perf_event_attr *a, pid_t pid,
    const cpu_set_t *cpus, size_t pages)
{
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		struct perf_ring ring = {0};
		int error;

		if (!CPU_ISSET(cpu, cpus))
			continue;
		error = open_ring(&ring, a, pid, cpu, pages);
		if (error == ENODEV)
			continue;
		if (error != 0) {
			close_all(r);
			return error;
		}
		r->all[r->count++] = ring;
	}
	return r->count > 0 ? 0 : ENODEV;
}

/*
 * the rings share the memory that a user may lock: all are as large as the last
 * can be
 */
static int
open_largest(struct perf_rings *r, struct perf_event_attr *a, pid_t pid,
    const cpu_set_t *cpus)
{
	size_t pages = PAGES;
	int error;

	do
		error = open_all(r, a, pid, cpus, pages);
	while (error == ENOLCK && (pages /= 2) >= PAGES_LEAST);
	return error;
}

int
perf_rings_open(struct perf_rings *r, const struct perf_wish *wish, pid_t pid)
{
	struct perf_event_attr a = attributes(wish);
	cpu_set_t cpus;
	int error;

	*r = (struct perf_rings){.wish = *wish, .kernel = true};
	if (sched_getaffinity(0, sizeof(cpus), &cpus) != 0)
		return errno;
	r->all = mem_alloc((size_t)CPU_COUNT(&cpus) * sizeof(*r->all));
	error = open_largest(r, &a, pid, &cpus);
	if (error == EACCES || error == EPERM) {
		/* users may record their own processes */
		a.exclude_kernel = 1;
		r->kernel = false;
		error = open_largest(r, &a, pid, &cpus);
	}
	if (error != 0)
		perf_rings_close(r);
	return error;
}

static int
join_ring(struct perf_rings *r, const struct perf_ring *ring, pid_t tid)
{
	struct perf_event_attr a = attributes(&r->wish);
	uint64_t id;
	int fd, error;

	a.exclude_kernel = !r->kernel;
	fd = (int)syscall(
	    SYS_perf_event_open, &a, tid, ring->cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return errno;
	if (ioctl(fd, PERF_EVENT_IOC_ID, &id) != 0 ||
	    ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd) != 0) {
		error = errno;
		close(fd);
		return error;
	}
	*array_add(&r->joined_events, &r->joined_count, &r->joined_events_cap) =
	    fd;
	*map_get(&r->joined_ids, id, 0) = (uint64_t)tid;
	return 0;
}

int
perf_rings_join(struct perf_rings *r, pid_t tid)
{
	size_t before = r->joined_count;
	struct perf_owner *owner;
	bool fresh;
	int error = 0;

	owner = keyed_get(&r->owners, (uint64_t)tid, 0, &fresh);
	if (!fresh)
		return EEXIST;
	*owner = (struct perf_owner){(uint64_t)tid};
	for (size_t i = 0; i < r->count && error == 0; i++)
		error = join_ring(r, &r->all[i], tid);
	if (error == 0)
		return 0;
	/* its inherited events remain alone */
	owner->tid = 0;
	while (r->joined_count > before)
		close(r->joined_events[--r->joined_count]);
	return error;
}

/* ---- records ---- */

/* size bytes from an offset in the ring on; joined where they go around */
static const char *
bytes_at(struct perf_rings *r, const struct perf_ring *ring, uint64_t from,
    size_t size)
{
	uint64_t at = from % ring->size, first = ring->size - at;

	if (size <= first)
		return ring->data + at;
	if (size > r->joined_cap) {
		r->joined = mem_resize(r->joined, size, 1);
		r->joined_cap = size;
	}
	memcpy(r->joined, ring->data + at, first);
	memcpy(r->joined + first, ring->data, size - first);
	return r->joined;
}

static uint64_t
word_at(const char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static uint32_t
half_at(const char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* pid, tid, time, id and processor, which samples begin with, and others end
   with */
static void
take_identity(struct perf_record *record, const char *p)
{
	record->pid = half_at(p);
	record->tid = half_at(p + 4);
	record->time = (int64_t)word_at(p + 8);
	record->id = word_at(p + 16);
	record->cpu = half_at(p + 24);
}

/* look at the record at the tail of a ring; false: there is none */
static bool
peek(struct perf_rings *r, struct perf_ring *ring)
{
	struct perf_event_header h;
	const char *p;

	if (ring->has_next)
		return true;
	if (ring->head - ring->tail < sizeof(h))
		return false;
	memcpy(&h, bytes_at(r, ring, ring->tail, sizeof(h)), sizeof(h));
	if (h.size < sizeof(h) || h.size > ring->head - ring->tail) {
		ring->tail =
		    ring->head; /* not the part that the kernel writes */
		return false;
	}
	ring->next = (struct perf_record){.type = h.type, .misc = h.misc};
	ring->next_size = h.size;
	ring->has_next = true;
	if (h.size < sizeof(h) + SAMPLE_ID)
		return true;
	p = bytes_at(r, ring, ring->tail, h.size);
	take_identity(&ring->next, h.type == PERF_RECORD_SAMPLE
				       ? p + sizeof(h)
				       : p + h.size - SAMPLE_ID);
	return true;
}

/* bytes that were read make room */
static void
give_back(struct perf_ring *ring)
{
	__atomic_store_n(&ring->page->data_tail, ring->tail, __ATOMIC_RELEASE);
}

/* the records that are there now */
static void
look(struct perf_rings *r)
{
	for (size_t i = 0; i < r->count; i++)
		r->all[i].head = __atomic_load_n(
		    &r->all[i].page->data_head, __ATOMIC_ACQUIRE);
}

/* the ring with the oldest record before until; NULL: there is none */
static struct perf_ring *
oldest(struct perf_rings *r, int64_t until)
{
	struct perf_ring *found = NULL;

	for (size_t i = 0; i < r->count; i++) {
		struct perf_ring *ring = &r->all[i];

		if (peek(r, ring) && ring->next.time < until &&
		    (found == NULL || ring->next.time < found->next.time))
			found = ring;
	}
	return found;
}

static bool
take_oldest(struct perf_rings *r, int64_t until, struct perf_record *record)
{
	struct perf_ring *ring;
	size_t size;

	if (r->last != NULL)
		give_back(r->last);
	if ((ring = oldest(r, until)) == NULL)
		return false;
	r->last = ring;
	*record = ring->next;
	size = ring->next_size - sizeof(struct perf_event_header);
	record->payload = (struct span){
	    bytes_at(
		r, ring, ring->tail + sizeof(struct perf_event_header), size),
	    size};
	ring->tail += ring->next_size;
	ring->has_next = false;
	return true;
}

/* The thread whose event has made the record; 0: the first one. */
static uint64_t
owner_of_event(const struct perf_rings *r, const struct perf_record *record)
{
	const uint64_t *tid = map_find(&r->joined_ids, record->id, 0);

	return tid != NULL ? *tid : 0;
}

/* A thread has the events that record the one which made it.  Its number may
   have been another thread's. */
static void
take_new_thread(struct perf_rings *r, const struct perf_record *record)
{
	uint32_t ids[4]; /* process, its parent, thread, the one that made it */
	const struct perf_owner *parent;
	uint64_t owner;
	bool fresh;

	if (record->payload.len < sizeof(ids))
		return;
	memcpy(ids, record->payload.p, sizeof(ids));
	parent = keyed_find(&r->owners, ids[3], 0);
	owner = parent != NULL ? parent->tid : owner_of_event(r, record);
	keyed_get(&r->owners, ids[2], 0, &fresh)->tid = owner;
}

/* True if the record is by events that are not those of its thread, which has
   recorded the same.  Of an unknown thread the first record decides. */
static bool
is_double(struct perf_rings *r, const struct perf_record *record)
{
	uint64_t by = owner_of_event(r, record);
	struct perf_owner *owner;
	bool fresh;

	/* losses are of a ring */
	if (r->owners.count == 0 || record->type == PERF_RECORD_LOST)
		return false;
	owner = keyed_get(&r->owners, record->tid, 0, &fresh);
	if (fresh)
		owner->tid = by;
	if (owner->tid != by)
		return true;
	if (record->type == PERF_RECORD_FORK)
		take_new_thread(r, record);
	return false;
}

bool
perf_rings_next(struct perf_rings *r, int64_t until, struct perf_record *record)
{
	bool found;

	if (until != r->until)
		look(r); /* all of before until is there by now */
	r->until = until;
	do
		found = take_oldest(r, until, record);
	while (found && is_double(r, record));
	return found;
}

/* ---- samples ---- */

/* take n bytes from the front of s; NULL: it is shorter */
static const char *
take(struct span *s, size_t n)
{
	const char *p = s->p;

	if (s->len < n)
		return NULL;
	*s = (struct span){s->p + n, s->len - n};
	return p;
}

static bool
take_chain(struct span *rest, struct perf_sample *s)
{
	const char *p = take(rest, 8);
	uint64_t n = p != NULL ? word_at(p) : 0;

	if (p == NULL || n > rest->len / 8)
		return false;
	s->chain_count = n;
	s->chain = take(rest, n * 8);
	return true;
}

/* PERF_SAMPLE_REGS_ABI_64 is 2; none where a thread of the kernel ran */
static bool
take_registers(struct span *rest, struct perf_sample *s)
{
	const char *p;

	if (PERF_REGISTERS == 0)
		return true;
	if ((p = take(rest, 8)) == NULL)
		return false;
	if (word_at(p) == PERF_SAMPLE_REGS_ABI_NONE)
		return true;
	s->has_registers = word_at(p) == PERF_SAMPLE_REGS_ABI_64;
	if ((p = take(rest, 24)) == NULL)
		return false;
	s->bp = word_at(p);
	s->sp = word_at(p + 8);
	s->pc = word_at(p + 16);
	return true;
}

static bool
take_stack(struct span *rest, struct perf_sample *s)
{
	const char *p = take(rest, 8), *bytes;
	uint64_t size = p != NULL ? word_at(p) : 0, used;

	if (p == NULL)
		return false;
	if (size == 0)
		return true;
	if (size > rest->len || (bytes = take(rest, size)) == NULL ||
	    (p = take(rest, 8)) == NULL)
		return false;
	used = word_at(p);
	s->stack = (struct span){bytes, used < size ? used : size};
	return true;
}

bool
perf_rings_sample(const struct perf_rings *r, const struct perf_record *record,
    struct perf_sample *s)
{
	struct span rest = record->payload;

	*s = (struct perf_sample){0};
	return record->type == PERF_RECORD_SAMPLE &&
	       take(&rest, SAMPLE_ID) != NULL &&
	       (!r->wish.chains || take_chain(&rest, s)) &&
	       take_registers(&rest, s) &&
	       (r->wish.stack == 0 || take_stack(&rest, s));
}

void
perf_rings_stop(struct perf_rings *r)
{
	for (size_t i = 0; i < r->count; i++)
		ioctl(r->all[i].fd, PERF_EVENT_IOC_DISABLE, 0);
	for (size_t i = 0; i < r->joined_count; i++)
		ioctl(r->joined_events[i], PERF_EVENT_IOC_DISABLE, 0);
}

void
perf_rings_wait(const struct perf_rings *r, int ms)
{
	struct pollfd *fds = mem_alloc((r->count + 1) * sizeof(*fds));

	for (size_t i = 0; i < r->count; i++)
		fds[i] = (struct pollfd){r->all[i].fd, POLLIN, 0};
	/* the processes of an event have all ended: its ring is always ready */
	if (poll(fds, r->count, ms) > 0)
		for (size_t i = 0; i < r->count; i++)
			if (fds[i].revents & POLLHUP) {
				usleep((useconds_t)ms * 1000);
				break;
			}
	free(fds);
}

void
perf_rings_close(struct perf_rings *r)
{
	for (size_t i = 0; i < r->joined_count; i++)
		close(r->joined_events[i]);
	free(r->joined_events);
	keyed_free(&r->owners);
	map_free(&r->joined_ids);
	close_all(r);
	free(r->all);
	free(r->joined);
	*r = (struct perf_rings){0};
}
