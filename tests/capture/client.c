/*
 * client.c - a program with NVTX in it, for the tests of the capture
 *
 *	client [action [argument ...]] ...
 *
 * does what its arguments say, one after the other, and exits 0.
 */

#include <err.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <nvtx3/nvToolsExtCounters.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long
number(const char *s)
{
	char *end;
	long n = strtol(s, &end, 10);

	if (end == s || *end != '\0')
		errx(2, "not a number: %s", s);
	return n;
}

/* ---- events; each returns nothing and takes how many ---- */

static void
marks(long n)
{
	for (long i = 0; i < n; i++)
		nvtxMarkA("a mark");
}

static void
pairs(long n)
{
	for (long i = 0; i < n; i++) {
		nvtxRangePushA("a range");
		nvtxRangePop();
	}
}

/* ranges that a thread starts, and this one ends, which has recorded before */
static void *
start_all(void *ranges)
{
	for (nvtxRangeId_t *r = ranges; *r != 0; r++)
		*r = nvtxRangeStartA("handed over");
	return NULL;
}

static void
handed(long n)
{
	nvtxRangeId_t *ranges = malloc(((size_t)n + 1) * sizeof(*ranges));
	pthread_t thread;

	if (ranges == NULL)
		err(2, NULL);
	nvtxMarkA("before");
	memset(ranges, 1, (size_t)n * sizeof(*ranges));
	ranges[n] = 0;
	if (pthread_create(&thread, NULL, start_all, ranges) != 0)
		errx(2, "pthread_create");
	pthread_join(thread, NULL);
	for (long i = 0; i < n; i++)
		nvtxRangeEnd(ranges[i]);
	free(ranges);
}

/* a mark of a category whose name changes n times, and changes back */
static void
renamed(long n)
{
	nvtxEventAttributes_t a = {.version = NVTX_VERSION,
	    .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
	    .category = 3,
	    .messageType = NVTX_MESSAGE_TYPE_ASCII};

	a.message.ascii = "of a category";
	for (long i = 0; i <= 2 * n; i++)
		nvtxNameCategoryA(3, i % 2 == 0 ? "first" : "other");
	nvtxMarkEx(&a);
}

/* n ranges, each within the one before */
static void
nested(long n)
{
	for (long i = 0; i < n; i++)
		if (nvtxRangePushA("nested") != i)
			errx(1, "the range is not at level %ld", i);
	for (long i = n - 1; i >= 0; i--)
		if (nvtxRangePop() != i)
			errx(1, "the range was not at level %ld", i);
}

static void
registered(long n)
{
	nvtxDomainHandle_t d = nvtxDomainCreateA("a domain");
	nvtxEventAttributes_t a = {.version = NVTX_VERSION,
	    .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
	    .messageType = NVTX_MESSAGE_TYPE_REGISTERED};

	a.message.registered = nvtxDomainRegisterStringA(d, "registered");
	for (long i = 0; i < n; i++) {
		nvtxDomainRangePushEx(d, &a);
		nvtxDomainRangePop(d);
	}
}

static void
styled(long n)
{
	nvtxEventAttributes_t a = {.version = NVTX_VERSION,
	    .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
	    .category = 7,
	    .colorType = NVTX_COLOR_ARGB,
	    .color = 0xff336699,
	    .payloadType = NVTX_PAYLOAD_TYPE_INT32,
	    .messageType = NVTX_MESSAGE_TYPE_ASCII};

	nvtxNameCategoryA(7, "a category");
	a.payload.ullValue = ~UINT64_C(0);
	a.payload.iValue = -2;
	a.message.ascii = "styled";
	for (long i = 0; i < n; i++)
		nvtxMarkEx(&a);
}

static void
names(long n)
{
	for (long i = 0; i < n; i++) {
		nvtxNameOsThreadA(77, "a thread");
#ifdef NVTX_STAND_IN
		nvtxNameCudaStreamA(0x1234, "a stream");
#endif
	}
}

static void
wide(long n)
{
	for (long i = 0; i < n; i++)
		nvtxMarkW(L"\u00fc\u20ac\U0001f600.");
}

static void
ranges(long n)
{
	for (long i = 0; i < n; i++)
		nvtxRangeEnd(nvtxRangeStartA("start/end"));
}

/* what a program may do wrong, and must outlive */
static void
odd(long n)
{
	static const uint64_t foreign[4] = {1, 2, 3, 4};
	nvtxEventAttributes_t a = {.version = NVTX_VERSION,
	    .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
	    .messageType = NVTX_MESSAGE_TYPE_REGISTERED};

	for (long i = 0; i < n; i++) {
		nvtxMarkA(NULL);
		nvtxMarkEx(NULL);
		a.message.registered = NULL;
		nvtxMarkEx(&a);
		a.message.registered = (nvtxStringHandle_t)(uintptr_t)foreign;
		nvtxMarkEx(&a);
		nvtxDomainMarkEx((nvtxDomainHandle_t)(uintptr_t)foreign, &a);
		if (nvtxRangePop() >= 0)
			errx(1, "there was a range to pop");
		nvtxRangeEnd(12345);
		nvtxRangeEnd(0);
	}
	a.messageType = NVTX_MESSAGE_TYPE_ASCII;
	a.message.ascii = "beyond its size";
	a.size = 32; /* up to the payload */
	nvtxMarkEx(&a);
}

/* a mark of n bytes */
static void
long_mark(long n)
{
	char *s = malloc((size_t)n + 1);

	if (s == NULL)
		err(1, NULL);
	for (long i = 0; i < n; i++)
		s[i] = (char)('a' + i % 26);
	s[n] = '\0';
	nvtxMarkA(s);
	free(s);
}

/* n strings are registered, and one mark made of each */
static void
strings(long n)
{
	nvtxEventAttributes_t a = {.version = NVTX_VERSION,
	    .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
	    .messageType = NVTX_MESSAGE_TYPE_REGISTERED};
	char text[32];

	for (long i = 0; i < n; i++) {
		snprintf(text, sizeof(text), "string %ld", i);
		a.message.registered = nvtxDomainRegisterStringA(NULL, text);
		nvtxMarkEx(&a);
	}
}

static void
payloads(long n)
{
	static struct sample {
		int32_t rank;
		double loss;
	} sample; /* static: with its padding 0 */
	nvtxPayloadSchemaEntry_t entries[] = {
	    {.type = NVTX_PAYLOAD_ENTRY_TYPE_INT32, .name = "rank"},
	    {.type = NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE,
		.name = "loss",
		.offset = offsetof(struct sample, loss)},
	};
	nvtxPayloadSchemaAttr_t schema = {
	    .fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME |
			 NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
			 NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
			 NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
			 NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE,
	    .name = "sample",
	    .type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC,
	    .entries = entries,
	    .numEntries = 2,
	    .payloadStaticSize = sizeof(sample)};
	nvtxPayloadData_t data = {.size = SIZE_MAX, .payload = &sample};
	nvtxDomainHandle_t d = nvtxDomainCreateA("payloads");

	sample.rank = 3;
	sample.loss = 0.5;
	data.schemaId = nvtxPayloadSchemaRegister(d, &schema);
	for (long i = 0; i < n; i++) {
		nvtxRangePushPayload(d, &data, 1);
		nvtxMarkPayload(d, &data, 1);
		nvtxRangePopPayload(d, &data, 1);
	}
	if (!nvtxDomainIsEnabled(d) && getenv("NVTX_INJECTION64_PATH") != NULL)
		errx(1, "the domain is not enabled");
}

static void
counters(long n)
{
	nvtxCounterAttr_t attributes = {.structSize = sizeof(attributes),
	    .schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64,
	    .name = "a counter"};
	uint64_t id = nvtxCounterRegister(NULL, &attributes);

	for (long i = 0; i < n; i++) {
		nvtxCounterSampleInt64(NULL, id, i);
		nvtxCounterSampleFloat64(NULL, id, (double)i / 2);
	}
}

/* ---- threads, processes, ends ---- */

static void *
thread(void *n)
{
	pairs(*(long *)n);
	return NULL;
}

static void
threads(long count, long n)
{
	pthread_t *t = calloc((size_t)count, sizeof(*t));

	if (t == NULL)
		err(1, NULL);
	for (long i = 0; i < count; i++)
		if (pthread_create(&t[i], NULL, thread, &n) != 0)
			errx(1, "no thread");
	for (long i = 0; i < count; i++)
		pthread_join(t[i], NULL);
	free(t);
}

/* threads of a crowd that may have a range open: less than there are parts of
   the smallest buffer of the tests */
enum { CROWD_OPEN = 32 };

static pthread_barrier_t crowd_barrier;
static sem_t crowd_open;

static void *
in_crowd(void *n)
{
	marks(*(long *)n);
	pthread_barrier_wait(&crowd_barrier);
	sem_wait(&crowd_open);
	pairs(*(long *)n);
	sem_post(&crowd_open);
	pthread_barrier_wait(&crowd_barrier);
	marks(*(long *)n);
	return NULL;
}

/* threads that all live at once: n marks, n pairs and n marks of each */
static void
crowd(long count, long n)
{
	pthread_t *t = calloc((size_t)count, sizeof(*t));
	pthread_attr_t small;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 1 << 16);
	pthread_barrier_init(&crowd_barrier, NULL, (unsigned)count);
	sem_init(&crowd_open, 0, CROWD_OPEN);
	for (long i = 0; i < count; i++)
		if (pthread_create(&t[i], &small, in_crowd, &n) != 0)
			errx(1, "no thread");
	for (long i = 0; i < count; i++)
		pthread_join(t[i], NULL);
	free(t);
}

static volatile sig_atomic_t alarms;

static void
on_alarm(int sig)
{
	(void)sig;
	alarms++;
	nvtxMarkA("in a signal handler");
}

/* n pairs while signal handlers make marks; prints how many marks */
static void
interrupted(long n)
{
	struct sigaction act = {.sa_handler = on_alarm};
	struct itimerval often = {{0, 50}, {0, 50}}, never = {{0, 0}, {0, 0}};

	marks(1); /* NVTX itself can't be interrupted in its first call */
	sigaction(SIGALRM, &act, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	pairs(n);
	setitimer(ITIMER_REAL, &never, NULL);
	printf("%d\n", (int)alarms);
}

/* from now on memfd_create fails as in a kernel that has none */
static void
old_kernel(void)
{
	struct sock_filter filter[] = {
	    BPF_STMT(
		BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {
	    sizeof(filter) / sizeof(filter[0]), filter};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		err(1, "seccomp");
}

static sigjmp_buf before_marks;

static void
on_jump(int sig)
{
	(void)sig;
	alarms++;
	siglongjmp(before_marks, 1);
}

/*
 * n marks and strings, while signal handlers jump out of whatever they
 * interrupt; prints how many did
 */
static void
jumps(long n)
{
	struct sigaction act = {.sa_handler = on_jump};
	struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
	volatile long i = 0;

	marks(1);
	sigaction(SIGALRM, &act, NULL);
	if (sigsetjmp(before_marks, 1) == 0)
		setitimer(ITIMER_REAL, &often, NULL);
	while (i < n) {
		i++;
		nvtxMarkA("a mark");
		nvtxDomainRegisterStringA(NULL, "a string");
	}
	signal(SIGALRM, SIG_IGN);
	setitimer(ITIMER_REAL, &never, NULL);
	nvtxMarkA("after all jumps");
	printf("%d\n", (int)alarms);
}

static _Atomic int is_halted, goes_on, is_over;

static void
on_halt(int sig)
{
	const struct timespec look = {0, 1000000};

	(void)sig;
	is_halted = 1;
	while (!goes_on)
		nanosleep(&look, NULL);
	is_halted = 0;
}

static void *
mark_on(void *arg)
{
	while (!is_over)
		marks(1);
	return arg;
}

/*
 * A thread makes marks, and stands still n times, wherever it is in one, while
 * this one makes marks for 0.3 s
 */
static void
halted(long n)
{
	struct sigaction act = {.sa_handler = on_halt};
	const struct timespec between = {0, 3000000};
	pthread_t other;

	marks(1);
	sigaction(SIGUSR1, &act, NULL);
	if (pthread_create(&other, NULL, mark_on, NULL) != 0)
		errx(1, "no thread");
	for (long i = 0; i < n; i++) {
		goes_on = 0;
		pthread_kill(other, SIGUSR1);
		while (!is_halted)
			sched_yield();
		for (int k = 0; k < 100; k++) {
			marks(1);
			nanosleep(&between, NULL);
		}
		goes_on = 1;
		while (is_halted)
			sched_yield();
	}
	is_over = 1;
	pthread_join(other, NULL);
}

/* n categories, each with a name of its own */
static void
categories(long n)
{
	char name[32];

	for (long i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "category %ld", i);
		nvtxNameCategoryA((uint32_t)i + 1, name);
	}
	marks(1);
}

static void
fork_one(long raw, long n)
{
	pid_t pid =
	    raw ? (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) : fork();

	if (pid < 0)
		err(1, "fork");
	if (pid == 0) {
		nvtxRangePop(); /* the parent's, if any: not ours */
		marks(n);
		registered(1);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void
forks(long count, long n)
{
	for (long i = 0; i < count; i++)
		if (fork() == 0) {
			marks(n);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
}

/* A child that is forked ns after the first call of NVTX, in another thread,
   has loaded the library; exits 1 if the child does not come to its end. */
static void
fork_first(long ns, long n)
{
	struct timespec delay = {.tv_nsec = ns}, ms = {.tv_nsec = 1000000};
	long one = 1;
	pthread_t t;
	pid_t pid;

	if (pthread_create(&t, NULL, thread, &one) != 0)
		errx(1, "no thread");
	while (dlopen(getenv("NVTX_INJECTION64_PATH"),
		   RTLD_LAZY | RTLD_NOLOAD) == NULL)
		sched_yield();
	nanosleep(&delay, NULL);
	if ((pid = fork()) == 0) {
		marks(n);
		_exit(0);
	}
	for (int i = 0; waitpid(pid, NULL, WNOHANG) == 0; i++) {
		if (i == 5000) {
			kill(pid, SIGKILL);
			errx(1, "the child hangs");
		}
		nanosleep(&ms, NULL);
	}
	pthread_join(t, NULL);
}

static volatile int storming;

static void *
storm_thread(void *unused)
{
	(void)unused;
	while (storming) {
		strings(100);
		styled(10);
	}
	return NULL;
}

/* children of a process with threads that define names and end all the time */
static void
storm(long count, long n)
{
	enum { THREADS = 4 };
	pthread_t t[THREADS];

	marks(1); /* a child of NVTX's first call would wait for it for ever */
	storming = 1;
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&t[i], NULL, storm_thread, NULL) != 0)
			errx(1, "no thread");
	for (long i = 0; i < count; i++) {
		fork_one(i % 2, n);
		threads(2, 1);
	}
	storming = 0;
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
}

static void
spawn(long n)
{
	char name[] = "client", what[] = "marks", end[] = "kill", text[32];
	char *args[] = {name, what, text, end, NULL};
	pid_t pid;

	snprintf(text, sizeof(text), "%ld", n);
	if (posix_spawn(&pid, "/proc/self/exe", NULL, NULL, args, environ) != 0)
		errx(1, "posix_spawn");
	waitpid(pid, NULL, 0);
}

static void
close_all(void)
{
	for (int fd = 3; fd < 4096; fd++)
		close(fd);
}

static void
load(const char *path, long n)
{
	void *library = dlopen(path, RTLD_NOW);
	void (*emit)(long);

	if (library == NULL)
		errx(1, "%s", dlerror());
	*(void **)&emit = dlsym(library, "dso_pairs");
	emit(n);
}

static void
wait_ms(long ms)
{
	struct timespec ts = {ms / 1000, ms % 1000 * 1000000};

	nanosleep(&ts, NULL);
}

/* for ever: there is no way back */
static void
be_user(long id)
{
	if (setresgid((gid_t)id, (gid_t)id, (gid_t)id) != 0 ||
	    setresuid((uid_t)id, (uid_t)id, (uid_t)id) != 0)
		err(1, "setresuid");
}

static void
crash(void)
{
	raise(SIGSEGV);
}

static const struct action {
	const char *name;
	int arguments;
	void (*one)(long), (*two)(long, long), (*none)(void);
} actions[] = {
    {"marks", 1, marks, NULL, NULL},
    {"handed", 1, handed, NULL, NULL},
    {"pairs", 1, pairs, NULL, NULL},
    {"nested", 1, nested, NULL, NULL},
    {"registered", 1, registered, NULL, NULL},
    {"renamed", 1, renamed, NULL, NULL},
    {"styled", 1, styled, NULL, NULL},
    {"names", 1, names, NULL, NULL},
    {"wide", 1, wide, NULL, NULL},
    {"ranges", 1, ranges, NULL, NULL},
    {"odd", 1, odd, NULL, NULL},
    {"long", 1, long_mark, NULL, NULL},
    {"strings", 1, strings, NULL, NULL},
    {"payloads", 1, payloads, NULL, NULL},
    {"counters", 1, counters, NULL, NULL},
    {"interrupted", 1, interrupted, NULL, NULL},
    {"jumps", 1, jumps, NULL, NULL},
    {"halted", 1, halted, NULL, NULL},
    {"categories", 1, categories, NULL, NULL},
    {"spawn", 1, spawn, NULL, NULL},
    {"wait", 1, wait_ms, NULL, NULL},
    {"user", 1, be_user, NULL, NULL},
    {"threads", 2, NULL, threads, NULL},
    {"crowd", 2, NULL, crowd, NULL},
    {"fork", 2, NULL, fork_one, NULL},
    {"forks", 2, NULL, forks, NULL},
    {"fork-first", 2, NULL, fork_first, NULL},
    {"storm", 2, NULL, storm, NULL},
    {"closeall", 0, NULL, NULL, close_all},
    {"abort", 0, NULL, NULL, abort},
    {"crash", 0, NULL, NULL, crash},
    {"old-kernel", 0, NULL, NULL, old_kernel},
};

/* what needs more than numbers; returns the arguments used, 0: not known */
static int
special(char *argv[])
{
	if (strcmp(*argv, "kill") == 0)
		return raise(SIGKILL);
	if (strcmp(*argv, "_exit") == 0)
		_exit(0);
	if (strcmp(*argv, "exit_group") == 0)
		return (int)syscall(SYS_exit_group, 0);
	if (strcmp(*argv, "push") == 0)
		return nvtxRangePushA("left open") >= -2;
	if (strcmp(*argv, "dso") == 0 && argv[1] != NULL && argv[2] != NULL) {
		load(argv[1], number(argv[2]));
		return 3;
	}
	if (strcmp(*argv, "exec") == 0) /* the rest is for the new image */
		execv("/proc/self/exe", argv);
	return 0;
}

static int
act(char *argv[])
{
	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
		const struct action *a = &actions[i];

		if (strcmp(*argv, a->name) != 0)
			continue;
		for (int j = 1; j <= a->arguments; j++)
			if (argv[j] == NULL)
				return 0;
		if (a->one != NULL)
			a->one(number(argv[1]));
		else if (a->two != NULL)
			a->two(number(argv[1]), number(argv[2]));
		else
			a->none();
		return a->arguments + 1;
	}
	return special(argv);
}

int
main(int argc, char *argv[])
{
	(void)argc;
	for (argv++; *argv != NULL;) {
		int used = act(argv);

		if (used <= 0)
			errx(2, "what is %s?", *argv);
		argv += used;
	}
	return 0;
}
