/*
 * spin.c - a program whose stacks and context switches are known
 *
 *	spin sort N        sort N times, by a function that takes its time
 *	spin signal N      the same, with a handler that takes time as well
 *	spin pingpong N    two threads that wait for each other N times
 *	spin crowd N       eight threads that do "sort N", 20 frames deep
 *	spin child N       a child that does "sort N"
 *	spin nap N         sleep N times for 200 ms, while another thread
 *	                   waits to be joined
 *	spin staff N       200 threads that wait, then N more in turn, of
 *	                   50 ms each
 *	spin heirs N       200 threads, each of which makes the next one before
 *	                   it ends, N times
 *	spin deny COMMAND  run a command which may not call perf_event_open(2)
 *	spin blind COMMAND the same, nor process_vm_readv(2)
 *
 * All but the last two print how much processor time they took, in ms.
 */

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
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

/* functions that are frames of their own, under their names */
#ifdef __clang__
#define KEPT __attribute__((noinline))
#else
#define KEPT __attribute__((noinline, noclone))
#endif

enum { COUNT = 300, ROUNDS = 300 };

static _Thread_local volatile unsigned long sum;

static KEPT void
burn(int rounds)
{
	for (int i = 0; i < rounds; i++)
		sum += (unsigned long)i * sum;
}

static KEPT int
compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	burn(ROUNDS);
	return (x > y) - (x < y);
}

static KEPT void
sort(int times)
{
	for (int i = 0; i < times; i++) {
		int v[COUNT];

		for (int k = 0; k < COUNT; k++)
			v[k] = k * 7919 % COUNT;
		qsort(v, COUNT, sizeof(*v), compare);
		sum += (unsigned long)v[0];
	}
}

static KEPT void
handle(int number)
{
	(void)number;
	burn(ROUNDS * 10000);
	sum++;
}

static void
sort_with_signals(int times)
{
	struct itimerval t = {{0, 20000}, {0, 20000}};

	signal(SIGALRM, handle);
	setitimer(ITIMER_REAL, &t, NULL);
	sort(times);
}

static int pipes[2][2];

static KEPT void
play(int side, int times)
{
	char byte = 0;

	for (int i = 0; i < times; i++) {
		if (side == 0 && write(pipes[0][1], &byte, 1) != 1)
			exit(1);
		if (read(pipes[1 - side][0], &byte, 1) != 1)
			exit(1);
		if (side == 1 && write(pipes[1][1], &byte, 1) != 1)
			exit(1);
	}
}

static void *
other_side(void *times)
{
	play(1, *(int *)times);
	return NULL;
}

static void
pingpong(int times)
{
	pthread_t other;

	if (pipe(pipes[0]) != 0 || pipe(pipes[1]) != 0 ||
	    pthread_create(&other, NULL, other_side, &times) != 0)
		exit(1);
	play(0, times);
	pthread_join(other, NULL);
}

static KEPT void
sort_deep(int frames, int times)
{
	if (frames > 1)
		sort_deep(frames - 1, times);
	else
		sort(times);
	sum++;
}

static void *
sort_in_crowd(void *times)
{
	sort_deep(14, *(int *)times);
	return NULL;
}

static void
crowd(int times)
{
	enum { THREADS = 8 };
	pthread_t all[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&all[i], NULL, sort_in_crowd, &times) != 0)
			exit(1);
	for (int i = 0; i < THREADS; i++)
		pthread_join(all[i], NULL);
}

static void
run_child(int times)
{
	pid_t pid = fork();

	if (pid == 0) {
		sort(times);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static KEPT void
nap(int times)
{
	for (int i = 0; i < times; i++)
		usleep(200000);
	sum++;
}

static KEPT void *
nap_beside(void *times)
{
	nap(*(int *)times);
	return NULL;
}

static void *
wait_for_ever(void *nothing)
{
	while (pause() != 0)
		continue;
	return nothing;
}

static void *
work_a_day(void *nothing)
{
	for (int i = 0; i < 50; i++)
		usleep(1000);
	return nothing;
}

static void
hire(int count)
{
	pthread_attr_t a;
	pthread_t t;

	pthread_attr_init(&a);
	pthread_attr_setstacksize(&a, 65536);
	pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
	for (int i = 0; i < 200; i++)
		pthread_create(&t, &a, wait_for_ever, NULL);
	for (int i = 0; i < count; i++) {
		pthread_create(&t, &a, work_a_day, NULL);
		usleep(300);
	}
}

/* the threads that it makes in turn are left in *times */
static void *
leave_heirs(void *times)
{
	pthread_attr_t a;
	pthread_t t;

	usleep(5000);
	pthread_attr_init(&a);
	pthread_attr_setstacksize(&a, 65536);
	pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
	if (--*(int *)times > 0)
		pthread_create(&t, &a, leave_heirs, times);
	return NULL;
}

static void
found_families(int times)
{
	static int left[200];
	bool any = true;

	for (int i = 0; i < 200; i++) {
		left[i] = times + 1;
		leave_heirs(&left[i]);
	}
	while (any) {
		any = false;
		for (int i = 0; i < 200; i++)
			any |= left[i] > 0;
		usleep(1000);
	}
}

static KEPT void
wait_for_naps(int times)
{
	pthread_t other;

	if (pthread_create(&other, NULL, nap_beside, &times) != 0)
		exit(1);
	pthread_join(other, NULL);
	sum++;
}

static void
deny(char *command[], unsigned another)
{
	struct sock_filter rules[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
					  offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 1, 0),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, another, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
	struct sock_fprog program = {sizeof(rules) / sizeof(rules[0]), rules};

	/* root may keep setuid programs what they are */
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0 &&
	    (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0))
		exit(77);
	execvp(command[0], command);
	exit(1);
}

int
main(int argc, char *argv[])
{
	static const struct {
		const char *name;
		void (*run)(int times);
	} games[] = {{"sort", sort}, {"signal", sort_with_signals},
	    {"crowd", crowd}, {"pingpong", pingpong}, {"child", run_child},
	    {"nap", wait_for_naps}, {"staff", hire}, {"heirs", found_families}};

	if (argc > 2 && strcmp(argv[1], "deny") == 0)
		deny(argv + 2, SYS_perf_event_open);
	if (argc > 2 && strcmp(argv[1], "blind") == 0)
		deny(argv + 2, SYS_process_vm_readv);
	for (size_t i = 0; argc == 3 && i < sizeof(games) / sizeof(*games); i++)
		if (strcmp(argv[1], games[i].name) == 0) {
			games[i].run((int)strtol(argv[2], NULL, 10));
			printf("%ld\n", (long)clock() / 1000);
			return 0;
		}
	return 2;
}
