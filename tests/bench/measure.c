/* measure - run a pipeline, and say what each of its processes took */

#include <err.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*
 * Keep this program small: max_rss of a child includes what the parent had
 * when it forked.
 */

struct stage {
	char **argv;
	struct rusage usage;
	pid_t pid;
	int status; /* as a shell would say it */
};

static _Noreturn void
usage(void)
{
	fputs("usage: measure [-i input] [-o output] [-n name] "
	      "command [argument ...] ['|' command [argument ...]] ...\n",
	    stderr);
	exit(2);
}

/* Cut argv at the bars; returns how many stages there are. */
static size_t
split(struct stage *stages, char *argv[])
{
	size_t count = 0;
	bool first = true;

	for (; *argv != NULL; argv++)
		if (strcmp(*argv, "|") == 0) {
			if (first)
				usage();
			*argv = NULL;
			first = true;
		} else if (first) {
			stages[count++].argv = argv;
			first = false;
		}
	if (first)
		usage();
	return count;
}

static int
open_file(const char *name, int flags)
{
	int fd = open(name, flags | O_CLOEXEC, 0666);

	if (fd < 0)
		err(1, "%s", name);
	return fd;
}

static void
start(struct stage *stage, int input, int output)
{
	stage->pid = fork();
	if (stage->pid < 0)
		err(1, "fork");
	if (stage->pid > 0)
		return;
	if (dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0)
		err(126, "dup2");
	execvp(stage->argv[0], stage->argv);
	warn("%s", stage->argv[0]);
	_exit(127);
}

/* Start all stages; takes the descriptors over. */
static void
start_all(struct stage *stages, size_t count, int input, int output)
{
	for (size_t i = 0; i < count; i++) {
		int ends[2] = {-1, output};

		if (i + 1 < count && pipe2(ends, O_CLOEXEC) != 0)
			err(1, "pipe");
		start(&stages[i], input, ends[1]);
		if (input != STDIN_FILENO)
			close(input);
		close(ends[1]);
		input = ends[0];
	}
}

static bool
wait_all(struct stage *stages, size_t count)
{
	bool good = true;
	int status;

	for (size_t i = 0; i < count; i++) {
		if (wait4(stages[i].pid, &status, 0, &stages[i].usage) < 0)
			err(1, "wait");
		stages[i].status = WIFEXITED(status) ? WEXITSTATUS(status)
						     : 128 + WTERMSIG(status);
		good = good && stages[i].status == 0;
	}
	return good;
}

static void
print_string(const char *s)
{
	putchar('"');
	for (; *s != '\0'; s++)
		if ((unsigned char)*s < ' ')
			printf("\\u%04x", (unsigned)*s);
		else if (*s == '"' || *s == '\\')
			printf("\\%c", *s);
		else
			putchar(*s);
	putchar('"');
}

static int64_t
nanoseconds(struct timeval t)
{
	return (t.tv_sec * INT64_C(1000000) + t.tv_usec) * 1000;
}

static void
print_stage(const struct stage *stage)
{
	const char *name = strrchr(stage->argv[0], '/');

	printf("{\"command\":");
	print_string(name != NULL ? name + 1 : stage->argv[0]);
	printf(",\"user_ns\":%lld,\"system_ns\":%lld,\"max_rss_bytes\":%lld,"
	       "\"status\":%d}",
	    (long long)nanoseconds(stage->usage.ru_utime),
	    (long long)nanoseconds(stage->usage.ru_stime),
	    stage->usage.ru_maxrss * 1024LL, stage->status);
}

static void
print(const char *name, int64_t wall, const struct stage *stages, size_t count)
{
	printf("{\"name\":");
	print_string(name);
	printf(",\"wall_ns\":%lld,\"stages\":[", (long long)wall);
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			putchar(',');
		print_stage(&stages[i]);
	}
	puts("]}");
}

static int64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

int
main(int argc, char *argv[])
{
	const char *name = NULL, *output = "/dev/null";
	struct stage *stages;
	size_t count;
	int64_t begin;
	int c, in = STDIN_FILENO, out;
	bool good;

	while ((c = getopt(argc, argv, "+i:n:o:")) != -1)
		switch (c) {
		case 'i':
			in = open_file(optarg, O_RDONLY);
			break;
		case 'n':
			name = optarg;
			break;
		case 'o':
			output = optarg;
			break;
		default:
			usage();
		}
	stages = calloc((size_t)argc, sizeof(*stages));
	if (stages == NULL)
		err(1, NULL);
	count = split(stages, argv + optind);
	out = open_file(output, O_WRONLY | O_CREAT | O_TRUNC);

	begin = now();
	start_all(stages, count, in, out);
	good = wait_all(stages, count);
	print(name != NULL ? name : stages[0].argv[0], now() - begin, stages,
	    count);
	free(stages);
	if (fflush(stdout) != 0)
		err(1, "<stdout>");
	return good ? 0 : 1;
}
