/*
 * storm - work for a GPU, and the number of records that it has to leave
 *
 * Every thread launches kernels, copies, fills, allocates, and launches a
 * graph, in streams of its own.  At last a line of JSON says what was done
 * (see counts.h), and the process ends as it was told to.
 */

#include <err.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "counts.h"
#include "work.h"

static struct {
	struct amount amount;
	unsigned int threads, pause;
	bool fork, range, unfinished;
	const char *end, *output;
} options = {
    .amount = {.launches = 100, .nodes = 4, .streams = 1},
    .threads = 1,
    .end = "exit",
};

static pthread_barrier_t barrier;

static _Noreturn void
usage(void)
{
	fputs("usage: storm [-FNru] [-a allocations] [-c copies] [-e end] "
	      "[-f fills]\n\t[-g graphs] [-k nodes] [-n launches] [-o file] "
	      "[-q queries]\n\t[-s streams] [-t threads] [-w ms]\n"
	      "  -F  fork first, and do all in both processes\n"
	      "  -N  NVTX: a range around each launch, a mark for each copy\n"
	      "  -e  end by exit, _exit, kill or abort\n"
	      "  -o  append the numbers to a file\n"
	      "  -q  calls that only ask for state\n"
	      "  -r  do all thrice, the second time between\n"
	      "      cudaProfilerStart and cudaProfilerStop\n"
	      "  -u  do not wait for the last work\n"
	      "  -w  wait before the end\n",
	    stderr);
	exit(2);
}

/* All threads are here; one of them does this. */
static void
between(int round)
{
	int who = pthread_barrier_wait(&barrier);

	if (who == PTHREAD_BARRIER_SERIAL_THREAD) {
		if (options.range && round == 1)
			work_range(true);
		if (options.range && round == 2)
			work_range(false);
	}
	pthread_barrier_wait(&barrier);
}

static void *
run(void *arg)
{
	struct work *w = work_new(&options.amount);
	int rounds = options.range ? 3 : 1;

	for (int i = 0; i < rounds; i++) {
		between(i);
		work_round(w, !options.unfinished || i + 1 < rounds);
	}
	return arg;
}

static void
storm(void)
{
	pthread_t *threads = calloc(options.threads, sizeof(*threads));

	/* what the first call makes: the context, and its stream 0 */
	counts_add(DEVICE, 1);
	counts_add(CONTEXT, 1);
	counts_add(STREAM, 1);
	work_name_kernels();
	pthread_barrier_init(&barrier, NULL, options.threads);
	for (unsigned int i = 0; i < options.threads; i++)
		if (pthread_create(&threads[i], NULL, run, NULL) != 0)
			errx(1, "no thread");
	for (unsigned int i = 0; i < options.threads; i++)
		pthread_join(threads[i], NULL);
	if (!options.unfinished)
		work_synchronize();
	free(threads);
}

static void
report(void)
{
	FILE *fp = stdout;

	if (options.output != NULL && (fp = fopen(options.output, "a")) == NULL)
		err(1, "%s", options.output);
	counts_print(fp);
}

static _Noreturn void
end(int status)
{
	usleep(options.pause * 1000);
	if (strcmp(options.end, "kill") == 0)
		raise(SIGKILL);
	if (strcmp(options.end, "abort") == 0)
		abort();
	if (strcmp(options.end, "_exit") == 0)
		_exit(status);
	exit(status);
}

static unsigned int
number(const char *s)
{
	return (unsigned int)strtoul(s, NULL, 10);
}

int
main(int argc, char *argv[])
{
	struct amount *amount = &options.amount;
	int c;

	while ((c = getopt(argc, argv, "FNa:c:e:f:g:k:n:o:q:rs:t:uw:")) != -1)
		switch (c) {
		case 'F':
			options.fork = true;
			break;
		case 'N':
			amount->nvtx = true;
			break;
		case 'a':
			amount->allocations = number(optarg);
			break;
		case 'c':
			amount->copies = number(optarg);
			break;
		case 'e':
			options.end = optarg;
			break;
		case 'f':
			amount->fills = number(optarg);
			break;
		case 'g':
			amount->graphs = number(optarg);
			break;
		case 'k':
			amount->nodes = number(optarg);
			break;
		case 'n':
			amount->launches = number(optarg);
			break;
		case 'o':
			options.output = optarg;
			break;
		case 'q':
			amount->queries = number(optarg);
			break;
		case 'r':
			options.range = true;
			break;
		case 's':
			amount->streams = number(optarg);
			break;
		case 't':
			options.threads = number(optarg);
			break;
		case 'u':
			options.unfinished = true;
			break;
		case 'w':
			options.pause = number(optarg);
			break;
		default:
			usage();
		}
	if (optind < argc || amount->streams == 0 || options.threads == 0)
		usage();

	if (options.fork && fork() > 0) {
		storm();
		report();
		wait(NULL);
		end(0);
	}
	storm();
	report();
	end(0);
}
