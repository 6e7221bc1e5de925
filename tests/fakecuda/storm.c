/*
 * storm - work for a GPU, and the number of records that it has to leave
 *
 * Every thread launches kernels, copies, fills, allocates, and launches a
 * graph, in streams of its own.  At last a line of JSON says what was done
 * (see counts.h), and the process ends in the given way.
 */

#include <cuda_runtime_api.h>
#include <err.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "counts.h"
#include "work.h"

static struct {
	struct amount amount;
	unsigned int threads, gpus, pause;
	bool fork, late, range, reset, unfinished;
	const char *end, *output;
} options = {
    .amount = {.launches = 100, .nodes = 4, .streams = 1},
    .gpus = 1,
    .threads = 1,
    .end = "exit",
};

static pthread_barrier_t barrier;

static _Noreturn void
usage(void)
{
	fputs("usage: storm [-FLNRru] [-a allocations] [-c copies] "
	      "[-d direct] [-e end]\n\t[-f fills] [-G gpus] [-g graphs] "
	      "[-k nodes] [-n launches] [-o file]\n\t[-p peers] [-q queries] "
	      "[-s streams] [-t threads] [-w ms]\n"
	      "  -F  fork first, and do all in both processes\n"
	      "  -G  GPUs that the threads are distributed to\n"
	      "  -L  fork at last; CUDA must not work in the child\n"
	      "  -N  NVTX: a name for each stream, a range around each launch, "
	      "a\n"
	      "      mark for each copy\n"
	      "  -R  reset the GPU at last\n"
	      "  -d  launches by cuLaunchKernel\n"
	      "  -e  end by exit, _exit, kill, segv or abort\n"
	      "  -o  append the numbers to a file\n"
	      "  -p  copies to GPU 0\n"
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
run(void *device)
{
	struct work *w = work_new(&options.amount, (int)(intptr_t)device);
	int rounds = options.range ? 3 : 1;

	for (int i = 0; i < rounds; i++) {
		between(i);
		work_round(w, !options.unfinished || i + 1 < rounds);
	}
	return NULL;
}

static void
storm(void)
{
	pthread_t *threads = calloc(options.threads, sizeof(*threads));

	/* what the first call makes: the context, and its stream 0 */
	counts_add(DEVICE, options.gpus);
	counts_add(CONTEXT, options.gpus);
	counts_add(STREAM, options.gpus);
	work_name_kernels();
	pthread_barrier_init(&barrier, NULL, options.threads);
	for (unsigned int i = 0; i < options.threads; i++)
		if (pthread_create(&threads[i], NULL, run,
			(void *)(intptr_t)(i % options.gpus)) != 0)
			errx(1, "no thread");
	for (unsigned int i = 0; i < options.threads; i++)
		pthread_join(threads[i], NULL);
	if (!options.unfinished)
		work_synchronize();
	if (options.reset)
		work_reset();
	free(threads);
}

static void
fork_late(void)
{
	pid_t child = fork();
	int status;

	if (child == 0)
		_exit(cudaDeviceSynchronize() != cudaErrorInitializationError);
	if (waitpid(child, &status, 0) != child || status != 0)
		errx(1, "CUDA works in a child");
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
	if (strcmp(options.end, "segv") == 0)
		raise(SIGSEGV);
	if (strcmp(options.end, "abort") == 0)
		abort();
	if (strcmp(options.end, "_exit") == 0)
		_exit(status);
	exit(status);
}

/* The options that are numbers. */
static const struct {
	int letter;
	unsigned int *value;
} numbers[] = {
    {'G', &options.gpus},
    {'a', &options.amount.allocations},
    {'c', &options.amount.copies},
    {'d', &options.amount.direct},
    {'f', &options.amount.fills},
    {'g', &options.amount.graphs},
    {'k', &options.amount.nodes},
    {'n', &options.amount.launches},
    {'p', &options.amount.peers},
    {'q', &options.amount.queries},
    {'s', &options.amount.streams},
    {'t', &options.threads},
    {'w', &options.pause},
};

static void
set_number(int letter, const char *s)
{
	size_t i = 0;

	while (i < sizeof(numbers) / sizeof(*numbers) &&
	       numbers[i].letter != letter)
		i++;
	if (i == sizeof(numbers) / sizeof(*numbers))
		usage();
	*numbers[i].value = (unsigned int)strtoul(s, NULL, 10);
}

int
main(int argc, char *argv[])
{
	static const char letters[] = "FG:LNRa:c:d:e:f:g:k:n:o:p:q:rs:t:uw:";
	int c;

	while ((c = getopt(argc, argv, letters)) != -1)
		switch (c) {
		case 'F':
			options.fork = true;
			break;
		case 'L':
			options.late = true;
			break;
		case 'N':
			options.amount.nvtx = true;
			break;
		case 'R':
			options.reset = true;
			break;
		case 'e':
			options.end = optarg;
			break;
		case 'o':
			options.output = optarg;
			break;
		case 'r':
			options.range = true;
			break;
		case 'u':
			options.unfinished = true;
			break;
		default:
			set_number(c, optarg);
		}
	if (optind < argc || options.amount.streams == 0 || options.gpus == 0 ||
	    options.threads < options.gpus)
		usage();

	if (options.fork && fork() > 0) {
		storm();
		report();
		wait(NULL);
		end(0);
	}
	storm();
	report();
	if (options.late)
		fork_late();
	end(0);
}
