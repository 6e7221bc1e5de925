/*
 * oscalls.c - a program that calls the C library in all the ways that wrappers
 * could break, and prints what came of it: the same with and without them
 *
 *	oscalls all          all of the following
 *	oscalls NAME ...     these of them, see the table at the end
 *	oscalls sleep MS     sleep
 *	oscalls locks N      lock and unlock a free mutex N times
 *	oscalls reuse A B    read two files by the same descriptor, in turn
 *	oscalls library FILE call a library that sleeps, opened as others and
 *	                     with RTLD_DEEPBIND
 *	oscalls late FILE    sleep, open it, call it, and keep it
 *	oscalls hang         read from a pipe that nobody writes to
 *	oscalls fast N       read N times a byte of /dev/zero
 *	oscalls threads N    the same in 4 threads, N times in each
 *	oscalls child N      the same in a child
 *	oscalls die HOW      by return, _exit, abort, crash or kill
 */

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/* ---- before main ---- */

static char early[8];
static ssize_t early_count;

/* before the constructors of libraries that were loaded later */
__attribute__((constructor(101))) static void
call_early(void)
{
	int fds[2];

	if (pipe(fds) != 0)
		return;
	if (write(fds[1], "early", 5) == 5)
		early_count = read(fds[0], early, sizeof(early));
	close(fds[0]);
	close(fds[1]);
}

static void
try_constructor(void)
{
	printf("constructor: %zd %.5s\n", early_count, early);
}

/* ---- errors ---- */

/* what a call returned, and its error */
static void
say(const char *what, long r)
{
	printf("%s: %ld %d\n", what, r, errno);
}

static void
try_errno(void)
{
	struct timespec ms = {.tv_nsec = 2000000};
	char c;

	errno = 77;
	say("nanosleep", nanosleep(&ms, NULL));
	say("read", read(-1, &c, 1));
	say("open", open("/nowhere/at/all", O_RDONLY));
	say("open", open((const char *)16, O_RDONLY));
	say("fopen", fopen("/nowhere", "r") == NULL);
	say("mmap", mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			0) == MAP_FAILED);
	errno = 77;
	say("close", close(dup(1)));
}

/* ---- signals ---- */

static volatile sig_atomic_t alarms;
static sigjmp_buf back;

static void
on_alarm(int number)
{
	int fds[2], error = errno;
	char c = 'a';

	(void)number;
	alarms++;
	if (pipe(fds) == 0) {
		if (write(fds[1], &c, 1) == 1 && read(fds[0], &c, 1) == 1)
			usleep(50);
		close(fds[0]);
		close(fds[1]);
	}
	errno = error;
}

static void
on_nothing(int number)
{
	(void)number;
}

static void
jump_back(int number)
{
	(void)number;
	siglongjmp(back, 1);
}

static void
set_handler(int number, void (*handler)(int), int flags)
{
	struct sigaction how = {.sa_handler = handler, .sa_flags = flags};

	sigaction(number, &how, NULL);
}

static void
set_timer(long us, long period)
{
	struct itimerval t = {{0, period}, {0, us}};

	setitimer(ITIMER_REAL, &t, NULL);
}

static void
try_handlers(void)
{
	int zero = open("/dev/zero", O_RDONLY);
	long bytes = 0;
	char c;

	set_handler(SIGALRM, on_alarm, SA_RESTART);
	set_timer(500, 500);
	while (alarms < 100)
		bytes += read(zero, &c, 1) - 1;
	set_timer(0, 0);
	close(zero);
	printf("handlers: %ld\n", bytes);
}

static void
try_eintr(void)
{
	int fds[2];
	char c;

	if (pipe(fds) != 0)
		return;
	set_handler(SIGALRM, on_nothing, 0);
	set_timer(5000, 0);
	say("eintr", read(fds[0], &c, 1));
	set_timer(5000, 0);
	say("eintr", poll(NULL, 0, -1));
	close(fds[0]);
	close(fds[1]);
}

static void
try_longjmp(void)
{
	volatile int times = 0;
	int fds[2];
	char c;

	if (pipe(fds) != 0)
		return;
	set_handler(SIGALRM, jump_back, SA_NODEFER);
	for (times = 0; times < 20; times++)
		if (sigsetjmp(back, 1) == 0) {
			set_timer(2000, 0);
			if (read(fds[0], &c, 1) == 1)
				puts("nobody wrote");
		}
	printf("longjmp: %d\n", times);
	close(fds[0]);
	close(fds[1]);
}

/* ---- threads ---- */

static int cancel_pipe[2];
static int cleaned;

static void
clean_up(void *arg)
{
	(void)arg;
	cleaned++;
}

static void *
wait_for_cancel(void *arg)
{
	char c;

	(void)arg;
	pthread_cleanup_push(clean_up, NULL);
	while (read(cancel_pipe[0], &c, 1) >= 0)
		;
	pthread_cleanup_pop(0);
	return NULL;
}

static void *
wait_for_post(void *sem)
{
	pthread_cleanup_push(clean_up, NULL);
	while (sem_wait(sem) == 0)
		;
	pthread_cleanup_pop(0);
	return NULL;
}

static void
cancel_one(void *(*run)(void *), void *arg)
{
	pthread_t t;
	void *result = NULL;

	pthread_create(&t, NULL, run, arg);
	usleep(3000);
	pthread_cancel(t);
	pthread_join(t, &result);
	printf("cancel: %d %d\n", result == PTHREAD_CANCELED, cleaned);
}

static void
try_cancel(void)
{
	sem_t sem;

	if (pipe(cancel_pipe) != 0)
		return;
	sem_init(&sem, 0, 3);
	cancel_one(wait_for_cancel, NULL);
	cancel_one(wait_for_post, &sem);
	close(cancel_pipe[0]);
	close(cancel_pipe[1]);
}

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t rings = PTHREAD_COND_INITIALIZER;
static int rung;
static atomic_bool holds;

/* True if the first thread of the process sleeps, by calls without a record */
static bool
main_sleeps(void)
{
	char text[512], *name_ends;
	int fd =
	    (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/stat", O_RDONLY);
	ssize_t n = syscall(SYS_read, fd, text, sizeof(text) - 1);

	syscall(SYS_close, fd);
	text[n > 0 ? n : 0] = '\0';
	name_ends = strrchr(text, ')');
	return name_ends != NULL && strncmp(name_ends, ") S", 3) == 0;
}

/* The lock is held until "tried" is set and the first thread sleeps, and 20 ms
   more. */
static void *
hold_and_ring(void *tried)
{
	pthread_mutex_lock(&held);
	atomic_store(&holds, true);
	while (!atomic_load((atomic_bool *)tried))
		usleep(1000);
	while (!main_sleeps())
		usleep(1000);
	usleep(20000);
	rung++;
	pthread_cond_broadcast(&rings);
	pthread_mutex_unlock(&held);
	return NULL;
}

static struct timespec
from_now(long ms)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += ms * 1000000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

static void
try_mutexes(void)
{
	pthread_mutexattr_t how;
	pthread_mutex_t m;
	struct timespec until = from_now(5);
	atomic_bool tried = false;
	pthread_t t;

	pthread_mutexattr_init(&how);
	pthread_mutexattr_settype(&how, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&m, &how);
	printf("mutex: %d", pthread_mutex_lock(&m));
	printf(" %d", pthread_mutex_lock(&m));
	printf(" %d", pthread_mutex_timedlock(&m, &until));
	printf(" %d", pthread_mutex_trylock(&m));
	printf(" %d\n", pthread_mutex_unlock(&m));
	pthread_create(&t, NULL, hold_and_ring, &tried);
	while (!atomic_load(&holds))
		usleep(1000);
	until = from_now(2);
	printf("held: %d", pthread_mutex_timedlock(&held, &until));
	atomic_store(&tried, true);
	printf(" %d", pthread_mutex_lock(&held));
	printf(" %d %d\n", rung, pthread_mutex_unlock(&held));
	pthread_join(t, NULL);
}

static void
try_conditions(void)
{
	struct timespec until = from_now(5);
	atomic_bool tried = true;
	pthread_t t;

	pthread_mutex_lock(&held);
	printf("cond: %d", pthread_cond_timedwait(&rings, &held, &until));
	rung = 0;
	pthread_create(&t, NULL, hold_and_ring, &tried);
	while (rung == 0)
		pthread_cond_wait(&rings, &held);
	pthread_mutex_unlock(&held);
	pthread_join(t, NULL);
	printf(" %d %d\n", rung, pthread_cond_signal(&rings));
}

static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;

static void *
read_shared(void *arg)
{
	int *count = arg;

	pthread_rwlock_rdlock(&shared);
	*count = *count + 1;
	pthread_rwlock_unlock(&shared);
	return NULL;
}

static void
try_other_locks(void)
{
	struct timespec until = from_now(3);
	pthread_spinlock_t spin;
	pthread_barrier_t barrier;
	sem_t sem;
	pthread_t t;
	int count = 0;

	pthread_rwlock_wrlock(&shared);
	pthread_create(&t, NULL, read_shared, &count);
	usleep(3000);
	printf("rwlock: %d", pthread_rwlock_unlock(&shared));
	pthread_join(t, NULL);
	pthread_rwlock_rdlock(&shared);
	printf(" %d", pthread_rwlock_timedwrlock(&shared, &until));
	printf(" %d %d\n", pthread_rwlock_unlock(&shared), count);
	pthread_spin_init(&spin, 0);
	printf("spin: %d", pthread_spin_lock(&spin));
	printf(" %d\n", pthread_spin_unlock(&spin));
	pthread_barrier_init(&barrier, NULL, 1);
	printf("barrier: %d\n", pthread_barrier_wait(&barrier));
	sem_init(&sem, 0, 1);
	errno = 77;
	say("sem", sem_wait(&sem));
	until = from_now(3);
	say("sem", sem_timedwait(&sem, &until));
}

/* ---- stacks of other kinds ---- */

enum { PAGE = 4096, FIBRE = 16 * PAGE };

static ucontext_t here, there;

static void
run_fibre(void)
{
	usleep(2000);
	puts("fibre");
}

/* a stack of its own, behind which nothing can be read */
static void
try_fibre(void)
{
	char *stack = mmap(NULL, FIBRE + PAGE, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (stack == MAP_FAILED ||
	    mprotect(stack + FIBRE, PAGE, PROT_NONE) != 0)
		return;
	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = FIBRE;
	there.uc_link = &here;
	makecontext(&there, run_fibre, 0);
	swapcontext(&here, &there);
	munmap(stack, FIBRE + PAGE);
}

static void
rest_in_handler(int number)
{
	usleep(2000);
	alarms += number;
}

static void
try_other_stack(void)
{
	static char stack[FIBRE];
	stack_t other = {.ss_sp = stack, .ss_size = sizeof(stack)};

	sigaltstack(&other, NULL);
	set_handler(SIGUSR1, rest_in_handler, SA_ONSTACK);
	alarms = 0;
	raise(SIGUSR1);
	printf("other stack: %d\n", (int)alarms);
}

static void *
rest_briefly(void *arg)
{
	usleep(200);
	return arg;
}

static void
try_many_threads(void)
{
	enum { THREADS = 300 };
	pthread_t t[THREADS];
	int n = 0;

	for (int i = 0; i < THREADS; i++)
		n += pthread_create(&t[i], NULL, rest_briefly, NULL) == 0;
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	printf("threads: %d\n", n);
}

/* ---- processes ---- */

static int
status_of(pid_t pid)
{
	int status = -1;

	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static void
try_fork(void)
{
	pid_t pid;
	int fds[2];
	char c = 0;

	fflush(stdout);
	if (pipe(fds) != 0)
		return;
	if ((pid = fork()) == 0) {
		usleep(2000);
		_exit(write(fds[1], "f", 1) == 1 ? 3 : 4);
	}
	say("fork", read(fds[0], &c, 1));
	printf("fork: %c %d\n", c, status_of(pid));
	close(fds[0]);
	close(fds[1]);
	printf("system: %d\n", system("exit 3") >> 8);
}

/* the child's descriptors are not its parent's, its memory is */
static void
try_vfork(void)
{
	static char name[] = "true";
	static char *argv[] = {name, NULL};
	int fd = open("/dev/zero", O_RDONLY);
	int null = open("/dev/null", O_RDONLY);
	pid_t pid;
	char c = 1;

	fflush(stdout);
	/* NOLINTBEGIN(clang-analyzer-*): that is what is tried */
	if ((pid = vfork()) == 0) {
		dup2(null, fd);
		if (read(fd, &c, 1) != 0)
			_exit(9);
		execvp(name, argv);
		_exit(10);
	}
	/* NOLINTEND(clang-analyzer-*) */
	printf("vfork: %d\n", status_of(pid));
	say("vfork", read(fd, &c, 1) + c);
	close(fd);
	close(null);
	if (posix_spawnp(&pid, name, NULL, NULL, argv, environ) == 0)
		printf("spawn: %d\n", status_of(pid));
}

/* ---- files ---- */

static void
try_stdio(void)
{
	FILE *f = fopen("oscalls.txt", "w+");
	char *line = NULL, text[64];
	size_t size = 0;
	unsigned sum = 0;
	int c;

	if (f == NULL)
		return;
	for (int i = 0; i < 3000; i++) {
		fputs("line ", f);
		putc('0' + i % 10, f);
		fwrite(" of many\n", 1, 9, f);
	}
	rewind(f);
	printf("stdio: %s", fgets(text, sizeof(text), f));
	say("stdio", getline(&line, &size, f));
	printf("stdio: %s", line);
	printf("stdio: %zu", fread(text, 3, 20, f));
	ungetc('!', f);
	while ((c = fgetc(f)) != EOF)
		sum = sum * 31 + (unsigned)c;
	printf(" %u %d %d\n", sum, feof(f) != 0, fflush(NULL));
	flockfile(f);
	funlockfile(f);
	f = freopen("/dev/null", "r", f);
	if (f != NULL) {
		say("freopen", fgetc(f));
		say("freopen", fclose(f));
	}
	free(line);
	unlink("oscalls.txt");
}

static void
try_vectors(void)
{
	char a[4] = "", b[4] = "", c[] = "abc", d[] = "def";
	struct iovec out[] = {{c, 3}, {d, 3}}, in[] = {{a, 3}, {b, 3}};
	int fd = open("oscalls.bin", O_RDWR | O_CREAT | O_TRUNC, 0600);

	printf("writev: %zd", writev(fd, out, 2));
	printf(" %zd", pwrite(fd, "XY", 2, 2));
	printf(" %zd", preadv(fd, in, 2, 0));
	printf(" %s %s", a, b);
	printf(" %d", fcntl(fd, F_GETFL) & O_ACCMODE);
	printf(" %d\n", ftruncate(fd, 4));
	close(fd);
	unlink("oscalls.bin");
}

/* ---- sockets ---- */

static void *
answer(void *arg)
{
	int listener = *(int *)arg, fd = accept(listener, NULL, NULL);
	char text[16];
	ssize_t n = recv(fd, text, sizeof(text), 0);

	usleep(2000);
	if (n > 0)
		send(fd, text, (size_t)n, 0);
	close(fd);
	return NULL;
}

static void
try_sockets(void)
{
	struct sockaddr_in at = {.sin_family = AF_INET};
	socklen_t size = sizeof(at);
	int listener = socket(AF_INET, SOCK_STREAM, 0), fd;
	char text[16] = "";
	pthread_t t;

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(listener, (struct sockaddr *)&at, sizeof(at)) != 0 ||
	    listen(listener, 1) != 0)
		return;
	getsockname(listener, (struct sockaddr *)&at, &size);
	pthread_create(&t, NULL, answer, &listener);
	fd = socket(AF_INET, SOCK_STREAM, 0);
	printf("connect: %d", connect(fd, (struct sockaddr *)&at, sizeof(at)));
	printf(" %zd", send(fd, "hello", 5, 0));
	printf(" %zd", recv(fd, text, sizeof(text), MSG_WAITALL));
	printf(" %s", text);
	printf(" %zd\n", recv(fd, text, sizeof(text), 0));
	pthread_join(t, NULL);
	close(fd);
	close(listener);
}

static void
try_polling(void)
{
	struct timeval soon = {.tv_usec = 2000};
	struct epoll_event event = {.events = EPOLLIN};
	int pair[2], queue = epoll_create1(EPOLL_CLOEXEC);
	struct pollfd fd;
	fd_set set;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
		return;
	fd = (struct pollfd){pair[0], POLLIN, 0};
	printf("poll: %d", poll(&fd, 1, 2));
	printf(" %zd", write(pair[1], "x", 1));
	printf(" %d", poll(&fd, 1, -1));
	FD_ZERO(&set);
	FD_SET(pair[1], &set);
	printf(" %d", select(pair[1] + 1, &set, NULL, NULL, &soon));
	printf(" %d", epoll_ctl(queue, EPOLL_CTL_ADD, pair[0], &event));
	printf(" %d\n", epoll_wait(queue, &event, 1, -1));
	close(pair[0]);
	close(pair[1]);
	close(queue);
}

/* ---- what tests look at in the stream ---- */

static void
lock_free_mutex(long n)
{
	pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

	for (long i = 0; i < n; i++) {
		pthread_mutex_lock(&m);
		pthread_mutex_unlock(&m);
	}
}

static void
read_one(const char *file)
{
	int fd = open(file, O_RDONLY);
	char text[16];

	if (fd < 0 || read(fd, text, sizeof(text)) < 0)
		perror(file);
	close(fd);
}

static void
read_by_dup(const char *a, const char *b)
{
	int fd = open(a, O_RDONLY), other = open(b, O_RDONLY);
	char text[16];

	if (read(fd, text, 1) != 1 || dup2(other, fd) != fd ||
	    read(fd, text, 2) != 2)
		perror(a);
	close(other);
	if (read(fd, text, 3) != 3)
		perror(b);
	close(fd);
}

typedef int rest_function(long us);

static rest_function *
open_library(const char *file, int flags, void **library)
{
	rest_function *rest;

	*library = dlopen(file, flags);
	if (*library == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	*(void **)&rest = dlsym(*library, "slow_rest");
	return rest;
}

static void
call_library(const char *file)
{
	static const int flags[] = {RTLD_NOW, RTLD_NOW | RTLD_DEEPBIND};

	for (int i = 0; i < 2; i++) {
		void *library;

		open_library(file, flags[i], &library)(i == 0 ? 3000 : 7000);
		dlclose(library);
	}
}

static void
call_late_library(const char *file)
{
	void *library;

	usleep(1000);
	open_library(file, RTLD_NOW, &library)(3000);
}

static void
hang(void)
{
	int fds[2];
	char c;

	if (pipe(fds) == 0 && write(1, "hang\n", 5) == 5)
		printf("%zd\n", read(fds[0], &c, 1));
}

static void
read_fast(long n)
{
	int fd = open("/dev/zero", O_RDONLY);
	char c;

	for (long i = 0; i < n; i++)
		if (read(fd, &c, 1) != 1)
			break;
	close(fd);
}

static void *
read_in_thread(void *n)
{
	read_fast((long)(intptr_t)n);
	return NULL;
}

static void
read_in_threads(long n)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, read_in_thread, (void *)n);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
}

static void
read_in_child(long n)
{
	pid_t pid = fork();

	if (pid == 0) {
		read_fast(n);
		_exit(0);
	}
	status_of(pid);
}

static void
die(const char *how)
{
	if (strcmp(how, "_exit") == 0)
		_exit(0);
	if (strcmp(how, "abort") == 0)
		abort();
	if (strcmp(how, "crash") == 0)
		raise(SIGSEGV);
	if (strcmp(how, "kill") == 0)
		raise(SIGKILL);
}

static const struct {
	const char *name;
	void (*run)(void);
} trials[] = {
    {"constructor", try_constructor},
    {"errno", try_errno},
    {"handlers", try_handlers},
    {"eintr", try_eintr},
    {"longjmp", try_longjmp},
    {"cancel", try_cancel},
    {"mutexes", try_mutexes},
    {"conditions", try_conditions},
    {"other-locks", try_other_locks},
    {"fibre", try_fibre},
    {"other-stack", try_other_stack},
    {"many-threads", try_many_threads},
    {"fork", try_fork},
    {"vfork", try_vfork},
    {"stdio", try_stdio},
    {"vectors", try_vectors},
    {"sockets", try_sockets},
    {"polling", try_polling},
    {"hang", hang},
};

enum { TRIALS = sizeof(trials) / sizeof(trials[0]), ALL = TRIALS - 1 };

static const struct {
	const char *name;
	void (*run)(long n);
} counted[] = {
    {"locks", lock_free_mutex},
    {"fast", read_fast},
    {"threads", read_in_threads},
    {"child", read_in_child},
};

static int
run_counted(char *argv[])
{
	for (size_t i = 0; i < sizeof(counted) / sizeof(counted[0]); i++)
		if (strcmp(argv[0], counted[i].name) == 0) {
			counted[i].run(strtol(argv[1], NULL, 10));
			return 2;
		}
	return 0;
}

/* those with an argument; returns how many of argv it was */
static int
run_with(char *argv[])
{
	if (strcmp(argv[0], "reuse") == 0 && argv[1] != NULL &&
	    argv[2] != NULL) {
		read_one(argv[1]);
		read_one(argv[2]);
		read_by_dup(argv[1], argv[2]);
		return 3;
	}
	if (argv[1] == NULL)
		return 0;
	if (strcmp(argv[0], "sleep") == 0)
		usleep((unsigned)strtol(argv[1], NULL, 10) * 1000);
	else if (strcmp(argv[0], "library") == 0)
		call_library(argv[1]);
	else if (strcmp(argv[0], "late") == 0)
		call_late_library(argv[1]);
	else if (strcmp(argv[0], "die") == 0)
		die(argv[1]);
	else
		return run_counted(argv);
	return 2;
}

int
main(int argc, char *argv[])
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 1, n; i < argc; i += n) {
		bool all = strcmp(argv[i], "all") == 0, known = all;

		n = run_with(argv + i);
		if (n > 0)
			continue;
		n = 1;
		for (int k = 0; k < TRIALS; k++)
			if ((all && k < ALL) ||
			    strcmp(argv[i], trials[k].name) == 0) {
				trials[k].run();
				known = true;
			}
		if (!known)
			return 2;
	}
	return 0;
}
