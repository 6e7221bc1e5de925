/* profile.c - samples in Perfetto's own profile of processors */

#include "profile.h"
#include "tq/line/sched.h"

/* fields of PerfSample */
enum {
	SAMPLE_CPU = 1,
	SAMPLE_PID = 2,
	SAMPLE_TID = 3,
	SAMPLE_STACK = 4,
	SAMPLE_MODE = 5,
	MODE_USER = 2
};

/* fields of ProcessTree, and of its processes and threads */
enum {
	TREE_PROCESS = 1,
	PROCESS_PID = 1,
	PROCESS_COMMAND = 3,
	TREE_THREAD = 2,
	THREAD_TID = 1,
	THREAD_NAME = 2,
	THREAD_PID = 3
};

static bool
is_id(int64_t id)
{
	return id >= 0 && id <= INT32_MAX;
}

/* A thread that waits, of which there are samples, too, is on no processor. */
static bool
is_running(const struct event *ev)
{
	return !event_has(ev, KEY_state) || sched_is_runnable(ev);
}

/* The names of a thread and its process. */
static void
describe(struct profile *p, int64_t pid, int64_t tid, int64_t ts)
{
	struct text *b = &p->packets->out->buf;
	uint64_t *known = map_get(&p->threads, (uint64_t)pid, (uint64_t)tid);
	struct defined_name name;
	size_t packet, tree, member;

	if (*known != 0)
		return;
	*known = 1;
	packet = packets_open(p->packets, ts);
	tree = proto_open(b, PACKET_PROCESS_TREE);
	if (names_process(p->names, pid, &name)) {
		member = proto_open(b, TREE_PROCESS);
		proto_uint(b, PROCESS_PID, (uint64_t)pid);
		proto_string(b, PROCESS_COMMAND, name.name);
		proto_close(b, member);
	}
	if (names_thread(p->names, pid, tid, &name)) {
		member = proto_open(b, TREE_THREAD);
		proto_uint(b, THREAD_TID, (uint64_t)tid);
		proto_uint(b, THREAD_PID, (uint64_t)pid);
		proto_string(b, THREAD_NAME, name.name);
		proto_close(b, member);
	}
	proto_close(b, tree);
	packets_close(p->packets, packet);
}

void
profile_sample(struct profile *p, const struct event *ev, int64_t ts)
{
	struct text *b = &p->packets->out->buf;
	int64_t pid = event_int(ev, KEY_pid, NO_ID);
	int64_t tid = event_int(ev, KEY_tid, NO_ID);
	int64_t cpu = event_int(ev, KEY_cpu, 0);
	int64_t count = event_int(ev, KEY_count, 1);
	int64_t stack = event_int(ev, KEY_stack, NO_ID);
	size_t packet, sample;

	if (!is_running(ev) || !is_id(pid) || !is_id(tid))
		return;
	if (count > PROFILE_PERIODS)
		count = PROFILE_PERIODS;
	describe(p, pid, tid, ts);
	for (int64_t i = 0; i < count; i++) {
		uint32_t number = perfetto_args_stack(p->args, stack);

		if (number == 0)
			return;
		packet = packets_open(p->packets, ts);
		sample = proto_open(b, PACKET_PERF_SAMPLE);
		if (is_id(cpu))
			proto_uint(b, SAMPLE_CPU, (uint64_t)cpu);
		proto_uint(b, SAMPLE_PID, (uint64_t)pid);
		proto_uint(b, SAMPLE_TID, (uint64_t)tid);
		proto_uint(b, SAMPLE_STACK, number);
		proto_uint(b, SAMPLE_MODE, MODE_USER);
		proto_close(b, sample);
		packets_close(p->packets, packet);
		packets_check(p->packets);
	}
}

void
profile_free(struct profile *p)
{
	map_free(&p->threads);
}
