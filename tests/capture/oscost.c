/*
 * oscost.c - what calls of the C library cost: prints "call ns" by line, the
 * best of many bursts; last what it costs to start itself.  With an argument it
 * ends at once.
 */

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "now.h"

enum { BURSTS = 300, BURST = 1000, STARTS = 500 };

static int zero, null;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;
static FILE *file;
static char bytes[8];
static volatile long sum;

static void
read_byte(void)
{
	sum += read(zero, bytes, 1);
}

static void
write_byte(void)
{
	sum += write(null, bytes, 1);
}

static void
poll_nothing(void)
{
	poll(NULL, 0, 0);
}

static void
lock_mutex(void)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
}

static void
post_semaphore(void)
{
	sem_post(&semaphore);
	sem_wait(&semaphore);
}

static void
get_byte(void)
{
	sum += fgetc(file);
}

static void
read_bytes(void)
{
	sum += (long)fread(bytes, 1, sizeof(bytes), file);
}

static const struct {
	const char *name;
	void (*call)(void);
} calls[] = {
    {"read", read_byte},
    {"write", write_byte},
    {"poll", poll_nothing},
    {"mutex", lock_mutex},
    {"semaphore", post_semaphore},
    {"fgetc", get_byte},
    {"fread", read_bytes},
};

/* the least that a process takes from its start to its end */
static int64_t
start_process(void)
{
	static char name[] = "oscost", argument[] = "nothing";
	static char *argv[] = {name, argument, NULL};
	int64_t least = INT64_MAX, from;
	pid_t pid;

	for (int i = 0; i < STARTS; i++) {
		from = now();
		if (posix_spawn(
			&pid, "/proc/self/exe", NULL, NULL, argv, environ) != 0)
			return 0;
		waitpid(pid, NULL, 0);
		from = now() - from;
		if (from < least)
			least = from;
	}
	return least;
}

int
main(int argc, char *argv[])
{
	static char buffer[1 << 16];

	(void)argv;
	if (argc > 1)
		return 0;
	zero = open("/dev/zero", O_RDONLY);
	null = open("/dev/null", O_WRONLY);
	file = fopen("/dev/zero", "r");
	if (zero < 0 || null < 0 || file == NULL)
		return 1;
	setvbuf(file, buffer, _IOFBF, sizeof(buffer));
	sem_init(&semaphore, 0, 0);
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		int64_t least = INT64_MAX, from;

		for (int burst = 0; burst < BURSTS; burst++) {
			from = now();
			for (int k = 0; k < BURST; k++)
				calls[i].call();
			from = now() - from;
			if (from < least)
				least = from;
		}
		/* to a tenth */
		printf("%s %lld.%lld\n", calls[i].name,
		    (long long)(least / BURST),
		    (long long)(least % BURST * 10 / BURST));
	}
	printf("preload %lld\n", (long long)start_process());
	return 0;
}
