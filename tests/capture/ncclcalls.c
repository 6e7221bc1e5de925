/*
 * ncclcalls.c - stands in for NCCL: calls the profiler that the environment
 * names, as NCCL does, by one of the versions of its interface
 *
 *	ncclcalls VERSION ACTION
 *
 * Says of each event what its record is to say, a line each:
 *
 *	class name bytes comm commName rank ranks root peer datatype count
 *	algorithm protocol channels sn captured state
 *
 * with - for what that version does not tell; state is open of an event that
 * never ends, other of one that another thread ends.
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "now.h"

enum { GROUP = 1, COLL = 2, P2P = 4, PROXY_OP = 8, KERNEL = 64 };
enum { GROUP_API = 256, COLL_API = 512, P2P_API = 1024, LAUNCH = 2048 };
enum { THREADS = 8, EACH = 500, VERSIONS = 5 };

struct profiler {
	const char *name;
	void (*init)(void);
	int (*start)(void *context, void **handle, void *event);
	int (*stop)(void *handle);
	int (*state)(void *handle, int state, void *about);
	int (*finalize)(void *context);
};

typedef int init_1(void **, int *);
typedef int init_4(
    void **, int *, const char *, uint64_t, int, int, int, void (*)(void));
typedef int init_5(
    void **, uint64_t, int *, const char *, int, int, int, void (*)(void));

static const struct profiler *profiler;
static int version, mask;

/* ---- what NCCL calls things, by number ---- */

static const char *const functions[] = {"Broadcast", "Reduce", "AllGather",
    "ReduceScatter", "AllReduce", "SendRecv", "Send", "Recv"};
static const char *const datatypes[] = {"ncclInt8", "ncclUint8", "ncclInt32",
    "ncclUint32", "ncclInt64", "ncclUint64", "ncclFloat16", "ncclFloat32",
    "ncclFloat64", "ncclBfloat16", "ncclFloat8e4m3", "ncclFloat8e5m2"};
static const int sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
static const char *const algorithms[] = {"TREE", "RING", "COLLNET_DIRECT",
    "COLLNET_CHAIN", "NVLS", "NVLS_TREE", "PAT"};
static const char *const protocols[] = {"LL", "LL128", "SIMPLE"};

/* ---- where the members of an event are, in bytes ---- */

enum { TYPE = 0, PARENT = 8, RANK = 16, EVENT = 160 };

static const struct coll_layout {
	int name, hash, sequence, function, count, root, datatype, channels,
	    algorithm, protocol;
} colls[VERSIONS + 1] = {
    [1] = {24, 32, 40, 48, 72, 80, 84, 104, 106, 107},
    [2] = {24, 32, 40, 48, 72, 80, 88, 104, 112, 120},
    [3] = {24, 32, 40, 48, 72, 80, 88, 96, 104, 112},
    [4] = {-1, -1, 24, 32, 56, 64, 72, 80, 88, 96},
    [5] = {-1, -1, 24, 32, 56, 64, 72, 80, 88, 96},
};

static const struct p2p_layout {
	int name, hash, function, datatype, count, peer, channels;
} p2ps[VERSIONS + 1] = {
    [1] = {24, 32, 40, 56, 64, 72, -1},
    [2] = {24, 32, 40, 56, 64, 72, -1},
    [3] = {24, 32, 40, 56, 64, 72, -1},
    [4] = {-1, -1, 24, 40, 48, 56, 60},
    [5] = {-1, -1, 24, 40, 48, 56, 60},
};

static void
put(char *event, int at, const void *value, size_t size)
{
	if (at >= 0)
		memcpy(event + at, value, size);
}

static void
put_int(char *event, int at, int value)
{
	put(event, at, &value, sizeof(value));
}

static void
put_long(char *event, int at, uint64_t value)
{
	put(event, at, &value, sizeof(value));
}

/* a number in version 1, a pointer to text later */
static void
put_word(char *event, int at, const char *const *words, int number)
{
	if (version == 1)
		event[at] = (char)number;
	else
		put(event, at, &words[number], sizeof(words[number]));
}

/* what NCCL does not set is not 0 */
static void
begin(char event[EVENT], int type, void *parent, int rank)
{
	memset(event, 0x5a, EVENT);
	if (version < 5)
		event[TYPE] = (char)type;
	else
		put_long(event, TYPE, (uint64_t)type);
	put(event, PARENT, &parent, sizeof(parent));
	put_int(event, RANK, rank);
}

/* ---- communicators ---- */

static struct comm {
	uint64_t hash;
	const char *name;
	int rank, ranks;
	void *context;
	uint64_t numbers[8]; /* by function */
} world = {0xfeedfacecafebeef, "world", 1, 4, NULL, {0}},
  pair = {0x123, "a \"pair\"", 0, 2, NULL, {0}};

static void
init(struct comm *c)
{
	if (profiler == NULL)
		return;
	if (version < 4)
		((init_1 *)profiler->init)(&c->context, &mask);
	else if (version == 4)
		((init_4 *)profiler->init)(&c->context, &mask, c->name, c->hash,
		    1, c->ranks, c->rank, NULL);
	else
		((init_5 *)profiler->init)(&c->context, c->hash, &mask, c->name,
		    1, c->ranks, c->rank, NULL);
}

/* ---- events ---- */

struct operation {
	size_t count;
	int type, function, datatype;
	int peer, channels, algorithm, protocol; /* peer: or root */
	bool captured;
};

static const struct operation known[] = {
    {1000, COLL, 4, 7, 0, 4, 1, 2, false},
    {4096, COLL, 0, 0, 2, 2, 0, 0, false},
    {77, COLL, 2, 9, 0, 8, 4, 1, true},
    {3, COLL, 3, 8, 0, 1, 6, 2, false},
    {10, COLL, 1, 5, 3, 16, 3, 2, false},
    {64, P2P, 6, 6, 3, 1, 0, 0, false},
    {128, P2P, 7, 2, 0, 2, 0, 0, true},
    {0, COLL, 4, 11, 0, 24, 5, 2, false},
};
enum { KNOWN = sizeof(known) / sizeof(known[0]) };

__attribute__((format(printf, 2, 3))) static void
say(bool told, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	putchar(' ');
	if (told)
		vprintf(format, ap);
	else
		putchar('-');
	va_end(ap);
}

static void
say_comm(const struct comm *c, bool told)
{
	say(told, "0x%" PRIx64, c->hash);
	say(told, "%s", c->name);
	say(told, "%d", c->rank);
	say(version >= 4, "%d", c->ranks);
}

/* an event without a function */
static void
tell(const char *class, const char *name, const struct comm *c, bool captured)
{
	flockfile(stdout);
	printf("%s %s -", class, name);
	say_comm(c, version >= 4);
	printf(" - - - - - - - - %s -\n", captured ? "true" : "-");
	funlockfile(stdout);
}

/* is_api: the call of the program, else a collective or a message */
static void
tell_function(const struct comm *c, const struct operation *o, bool is_api,
    uint64_t number, const char *state)
{
	bool coll = o->type == COLL, how = coll && !is_api;

	flockfile(stdout);
	printf("%s%s nccl%s%s", coll ? "collective" : "p2p",
	    is_api ? "-api" : "", functions[o->function], is_api ? "Api" : "");
	say(true, "%zu", o->count * (size_t)sizes[o->datatype]);
	say_comm(c, true);
	say(coll && o->function < 2, "%d", o->peer);
	say(!coll && !is_api, "%d", o->peer);
	say(true, "%s", datatypes[o->datatype]);
	say(true, "%zu", o->count);
	say(how, "%s", algorithms[o->algorithm]);
	say(how, "%s", protocols[o->protocol]);
	say(how || (version >= 4 && !is_api), "%d", o->channels);
	say(how, "%" PRIu64, number);
	say(is_api && o->captured, "true");
	printf(" %s\n", state);
	funlockfile(stdout);
}

static void *
start(const struct comm *c, char event[EVENT])
{
	void *handle = NULL;

	if (profiler != NULL)
		profiler->start(c->context, &handle, event);
	return handle;
}

static void
stop(void *handle)
{
	if (handle != NULL)
		profiler->stop(handle);
}

/* a collective or a message, as the group of operations starts it */
static void *
start_operation(
    struct comm *c, const struct operation *o, void *parent, const char *state)
{
	const struct coll_layout *l = &colls[version];
	const struct p2p_layout *p = &p2ps[version];
	uint64_t number = c->numbers[o->function]++;
	bool coll = o->type == COLL;
	char event[EVENT];

	if (!(mask & o->type))
		return NULL;
	begin(event, o->type, parent, c->rank);
	put(event, coll ? l->name : p->name, &c->name, sizeof(c->name));
	put_long(event, coll ? l->hash : p->hash, c->hash);
	put_word(
	    event, coll ? l->function : p->function, functions, o->function);
	put_word(
	    event, coll ? l->datatype : p->datatype, datatypes, o->datatype);
	put_long(event, coll ? l->count : p->count, o->count);
	put_int(event, coll ? l->root : p->peer, o->peer);
	if (coll || p->channels >= 0)
		event[coll ? l->channels : p->channels] = (char)o->channels;
	if (coll) {
		put_long(event, l->sequence, number);
		put_word(event, l->algorithm, algorithms, o->algorithm);
		put_word(event, l->protocol, protocols, o->protocol);
	}
	if (state != NULL)
		tell_function(c, o, false, number, state);
	return start(c, event);
}

static void *
start_group(const struct comm *c, bool captured)
{
	char event[EVENT];

	if (mask == 0)
		return NULL;
	begin(event, version < 5 ? GROUP : GROUP_API, NULL, 0);
	if (version == 5)
		event[24] = captured;
	if (version < 5)
		tell("group", "ncclGroup", c, false);
	else
		tell("group-api", "ncclGroupApi", c, captured);
	return start(c, event);
}

/* the call of the program */
static void *
start_api(const struct comm *c, const struct operation *o, void *group)
{
	bool coll = o->type == COLL;
	char event[EVENT];

	begin(event, coll ? COLL_API : P2P_API, group, 0);
	put_word(event, 24, functions, o->function);
	put_long(event, 32, o->count);
	put_word(event, 40, datatypes, o->datatype);
	if (coll)
		put_int(event, 48, o->peer);
	event[coll ? 64 : 56] = o->captured;
	tell_function(c, o, true, 0, "-");
	return start(c, event);
}

static void *
start_launch(const struct comm *c, void *group)
{
	char event[EVENT];

	begin(event, LAUNCH, group, 0);
	tell("launch", "ncclKernelLaunch", c, false);
	return start(c, event);
}

/* version 5 has the older groups too, within its own */
static void *
start_old_group(const struct comm *c)
{
	char event[EVENT];

	begin(event, GROUP, NULL, 0);
	return start(c, event);
}

static void
run_one(struct comm *c, const struct operation *o)
{
	void *group = start_group(c, o->captured), *api = NULL, *launch, *it;

	if (version == 5 && mask != 0) {
		api = start_api(c, o, group);
		stop(api);
		stop(start_old_group(c));
		profiler->state(group, 24, NULL);
		launch = start_launch(c, group);
		stop(launch);
	}
	/* before version 5 NCCL tells no operations of a group without a handle
	 */
	if (version == 5 || group != NULL) {
		it = start_operation(c, o, version == 5 ? api : group, "-");
		stop(it);
	}
	stop(group);
}

static void
run_known(void)
{
	for (int i = 0; i < KNOWN; i++)
		run_one(i % 3 == 2 ? &pair : &world, &known[i]);
}

/* ---- threads ---- */

static pthread_barrier_t barrier;
static void *handles[THREADS][EACH];

/* each thread ends what the next one has started */
static void *
run_thread(void *number)
{
	int me = *(int *)number;
	struct comm c = world;

	for (int i = 0; i < EACH; i++)
		handles[me][i] =
		    start_operation(&c, &known[i % KNOWN], NULL, "other");
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < EACH; i++)
		stop(handles[(me + 1) % THREADS][i]);
	return NULL;
}

static void
run_threads(void)
{
	pthread_t threads[THREADS];
	int numbers[THREADS];

	pthread_barrier_init(&barrier, NULL, THREADS);
	for (int i = 0; i < THREADS; i++) {
		numbers[i] = i;
		pthread_create(&threads[i], NULL, run_thread, &numbers[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

/* ---- others ---- */

static void
run_open(void)
{
	run_one(&world, &known[0]);
	start_operation(&world, &known[1], NULL, "open");
	stop(start_operation(&pair, &known[5], NULL, "-"));
}

/* more than a small buffer takes, while tq-capture stands still */
static void
run_storm(void)
{
	enum { MANY = 5000 };

	for (int i = 0; i < MANY; i++) {
		run_one(&world, &known[0]);
		if (i == 0)
			kill(getppid(), SIGSTOP);
	}
	kill(getppid(), SIGCONT);
}

/* events of no known type, and what is not asked for */
static void
run_strange(void)
{
	static const int types[] = {
	    0, PROXY_OP, 16, 32, KERNEL, 128, COLL | P2P, 1 << 20};
	char event[EVENT];
	void *handle = NULL;

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		/* those of one byte can't be more */
		if (version < 5 && types[i] > 255)
			continue;
		begin(event, types[i], NULL, 0);
		if (start(&world, event) != NULL)
			puts("a handle for a strange event");
	}
	/* a parent that is no event; no event, and no place for a handle */
	begin(event, COLL, (void *)UINTPTR_MAX, -1);
	memset(event + 24, 0, sizeof(event) - 24);
	stop(start(&world, event));
	profiler->start(world.context, NULL, event);
	profiler->start(world.context, &handle, NULL);
	if (handle != NULL)
		puts("a handle for a strange event");
	stop((void *)(uintptr_t)987654321);
	profiler->stop(NULL);
	profiler->state(NULL, 1000, NULL);
	profiler->finalize(NULL);
}

/* no words, or long ones; numbers that are none */
static void
run_hostile(void)
{
	static const char *const none[1];
	static char lengthy[300];
	const char *words = lengthy;
	const struct coll_layout *l = &colls[version];
	char event[EVENT];
	void *handle = NULL, *again;

	memset(lengthy, 'x', sizeof(lengthy) - 1);
	for (int i = 0; i < 2; i++) {
		begin(event, COLL, NULL, 1);
		put(event, l->name, &none[0], sizeof(none[0]));
		put_long(event, l->hash, 0);
		put_long(event, l->count, UINT64_MAX);
		put_long(event, l->sequence, 7);
		put_int(event, l->root, -1);
		event[l->channels] = 0;
		if (version == 1)
			event[l->function] = event[l->datatype] =
			    event[l->algorithm] = event[l->protocol] =
				(char)250;
		for (int k = 0; version > 1 && k < 4; k++)
			put(event,
			    ((int[]){l->function, l->datatype, l->algorithm,
				l->protocol})[k],
			    i == 0 ? &none[0] : &words, sizeof(words));
		profiler->start(NULL, &handle, event);
		profiler->stop(handle);
		profiler->stop(handle);
	}
	again = start_operation(&world, &known[0], NULL, "-");
	stop(again);
	run_strange();
}

/* an event of that type without words, below a parent */
static void *
start_wordless(const struct comm *c, int type, void *parent)
{
	char event[EVENT];

	begin(event, type, parent, c->rank);
	memset(event + 24, 0, sizeof(event) - 24);
	if (type == P2P)
		put_long(event, p2ps[version].count, UINT64_MAX);
	if (type == COLL_API || type == P2P_API)
		put_long(event, 32, UINT64_MAX);
	return start(c, event);
}

/* a child ends an event of its parent, and has one of its own */
static void
end_in_child(void *handle)
{
	pid_t child = fork();

	if (child == 0) {
		stop(handle);
		stop(start_wordless(&world, P2P, NULL));
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

/* communicators without a name, or with a long one; events without words,
   below parents that are over, ended when their communicator is gone */
static void
run_nameless(void)
{
	static char lengthy[300];
	struct comm comms[] = {{1, NULL, 2, 4, NULL, {0}},
	    {2, lengthy, INT32_MIN, INT32_MAX, NULL, {0}}};
	static const int types[] = {P2P, COLL_API, P2P_API, LAUNCH};
	size_t n = version < 5 ? 1 : sizeof(types) / sizeof(types[0]);
	void *last = NULL;

	memset(lengthy, 'n', sizeof(lengthy) - 1);
	for (size_t i = 0; i < 2; i++) {
		void *group;

		init(&comms[i]);
		group = start_group(&comms[i], false);
		stop(group);
		for (size_t k = 0; k < n; k++) {
			last = start_wordless(&comms[i], types[k], group);
			if (i == 0 || k + 1 < n)
				stop(last);
		}
		profiler->finalize(comms[i].context);
	}
	end_in_child(last);
	stop(last);
}

/* prints "nccl ns": the best burst of starts and stops */
static void
run_cost(void)
{
	enum { BURSTS = 300, BURST = 1000 };
	int64_t best = INT64_MAX;

	for (int i = 0; i < BURSTS; i++) {
		int64_t from = now(), took;

		for (int k = 0; k < BURST; k++)
			stop(start_operation(&world, &known[0], NULL, NULL));
		took = now() - from;
		if (took < best)
			best = took;
	}
	printf("nccl %.1f\n", (double)best / BURST);
}

static void
load(void)
{
	const char *path = getenv("NCCL_PROFILER_PLUGIN");
	char symbol[] = "ncclProfiler_v0";
	void *library =
	    path != NULL ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;

	symbol[sizeof(symbol) - 2] = (char)('0' + version);
	if (library != NULL)
		profiler = dlsym(library, symbol);
}

int
main(int argc, char *argv[])
{
	static const struct {
		const char *name;
		void (*run)(void);
	} actions[] = {{"known", run_known}, {"threads", run_threads},
	    {"open", run_open}, {"storm", run_storm}, {"hostile", run_hostile},
	    {"nameless", run_nameless}, {"cost", run_cost}};

	version = argc == 3 ? (int)strtol(argv[1], NULL, 10) : 0;
	if (version < 1 || version > VERSIONS)
		return 2;
	load();
	init(&world);
	init(&pair);
	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
		if (strcmp(argv[2], actions[i].name) == 0)
			actions[i].run();
	if (profiler != NULL) {
		profiler->finalize(world.context);
		profiler->finalize(pair.context);
	}
	return 0;
}
