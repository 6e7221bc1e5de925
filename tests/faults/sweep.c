/*
 * sweep - run a program again and again, each time with another fault
 *
 *	sweep [-al] [-i file] [-n points] shim program [argument ...]
 *
 * A first run without a fault counts the calls of the program.  Then each call
 * of each kind fails (with -n: as many of them as that, evenly chosen), once or
 * from then on (with -a both), and reads and writes are short or interrupted.
 * The law is:
 *
 *	- the exit status is 0, and standard output and the file OUT are byte
 *	  for byte those of the first run; or
 *	- it is not 0, standard error has a line that begins with the name of
 *	  the program, the output does not look whole (a stream without its end
 *	  record), and the file OUT is still the old one.
 *
 * With -l, for a program whose output has times, the right output is one with
 *as many lines, or one that says what was lost.
 *
 * No signal ends the program, and it leaves no file behind.  With -i the file
 *is its standard input, as a pipe.  sweep stands in an empty directory of its
 *own. Each breach is a line with the command that shows it; the last line says
 *how many executions there were.
 */

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tq/base/text.h"
#include "tq/io/zio.h"

enum { TOO_LONG = 10, LEAST_POINTS = 4 };

static const char old[] = "the old file\n";
static const char counts_file[] = "counts";

struct outcome {
	int status; /* as waitpid sets it */
	struct text out, err, file;
};

static struct {
	const char *shim;
	char **argv; /* of the program */
	const char *name;
	const char *file; /* the argument OUT, or OUT with a suffix */
	struct text input;
	bool piped, both, lines;
	unsigned long points;
	long executions, breaches;
	struct outcome expected;
} sweep;

/* ---- one execution ---- */

static void
read_fd(struct text *t, int fd)
{
	ssize_t got;

	t->len = 0;
	lseek(fd, 0, SEEK_SET);
	while ((got = read(fd, text_reserve(t, 1 << 16), 1 << 16)) > 0)
		t->len += (size_t)got;
	if (got < 0)
		err(2, "read");
}

static void
read_file(struct text *t, const char *file)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);

	t->len = 0;
	if (fd < 0)
		return;
	read_fd(t, fd);
	close(fd);
}

static void
write_file(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		err(2, "%s", file);
	close(fd);
}

static _Noreturn void
execute(const char *fault, int in, int out, int error)
{
	if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(error, 2) < 0)
		_exit(126);
	setenv("LD_PRELOAD", sweep.shim, 1);
	setenv("FAULT", fault, 1);
	alarm(TOO_LONG); /* outlives exec */
	execvp(sweep.argv[0], sweep.argv);
	_exit(127);
}

/* the input in a pipe that has room for all of it */
static int
pipe_of(const struct text *t)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0 ||
	    fcntl(ends[1], F_SETPIPE_SZ, t->len + 1) < 0 ||
	    write(ends[1], t->p, t->len) != (ssize_t)t->len)
		err(2, "pipe");
	close(ends[1]);
	return ends[0];
}

static void
run_with(const char *fault, struct outcome *o)
{
	int out = memfd_create("out", MFD_CLOEXEC);
	int error = memfd_create("err", MFD_CLOEXEC);
	int in = sweep.piped ? pipe_of(&sweep.input)
			     : open("/dev/null", O_RDONLY | O_CLOEXEC);
	pid_t pid;

	write_file(sweep.file, old);
	sweep.executions++;
	if ((pid = fork()) < 0)
		err(2, "fork");
	if (pid == 0)
		execute(fault, in, out, error);
	while (waitpid(pid, &o->status, 0) < 0)
		if (errno != EINTR)
			err(2, "waitpid");
	read_fd(&o->out, out);
	read_fd(&o->err, error);
	read_file(&o->file, sweep.file);
	close(in);
	close(out);
	close(error);
}

/* ---- the law ---- */

static bool
same(const struct text *a, const struct text *b)
{
	return span_eq(text_span(a), text_span(b));
}

static bool
is_old(const struct text *t)
{
	return span_eq(text_span(t), span_of(old));
}

/* Append what the bytes expand to, as far as they do. */
static void
expand(struct text *to, const struct text *t)
{
	int fd = memfd_create("expand", MFD_CLOEXEC);
	struct zio_reader *r = zio_reader_open(fd);
	const char *error;
	ptrdiff_t got;

	if (write(fd, t->p, t->len) != (ssize_t)t->len)
		err(2, "write");
	lseek(fd, 0, SEEK_SET);
	do {
		got = zio_read(r, text_reserve(to, 1 << 16), 1 << 16, &error);
		to->len += got > 0 ? (size_t)got : 0;
	} while (got > 0);
	zio_reader_close(r);
	close(fd);
}

/* Is the last line of a stream, compressed or not, a whole end record? */
static bool
looks_whole(const struct text *stream)
{
	static const char end[] = "{\"kind\":\"end\"";
	struct text t = {0};
	size_t from;
	bool whole;

	if (stream->len == 0)
		return false;
	expand(&t, stream);
	if (t.len < 2 || t.p[t.len - 1] != '\n') {
		text_free(&t);
		return false;
	}
	for (from = t.len - 1; from > 0 && t.p[from - 1] != '\n'; from--)
		;
	whole = t.len - from > sizeof(end) &&
		memcmp(t.p + from, end, sizeof(end) - 1) == 0;
	text_free(&t);
	return whole;
}

/* how many lines the bytes expand to */
static size_t
count_lines(const struct text *compressed)
{
	struct text t = {0};
	size_t n = 0;

	if (compressed->len > 0)
		expand(&t, compressed);
	for (size_t i = 0; i < t.len; i++)
		n += t.p[i] == '\n';
	text_free(&t);
	return n;
}

/* Is that the output of the run without a fault? */
static bool
is_right(const struct text *a, const struct text *expected)
{
	return same(a, expected) ||
	       (sweep.lines && count_lines(a) == count_lines(expected));
}

/* Is it a recording whose events stand in the order in which they came? */
static bool
is_unordered(const struct text *file)
{
	static const char slack[] = "\"slack\":";
	struct text t = {0};
	bool found;

	if (file->len == 0)
		return false;
	expand(&t, file);
	found = memmem(t.p, t.len, slack, sizeof(slack) - 1) != NULL;
	text_free(&t);
	return found;
}

/*
 * Is the old file still there, or a recording that has no end record, or one
 * that could not be put in order?
 */
static bool
is_kept(const struct text *file)
{
	return is_old(file) ||
	       (sweep.lines && (!looks_whole(file) || is_unordered(file)));
}

/* Does each line of a failure begin with the name of the program? */
static const char *
wrong_message(const struct text *t)
{
	size_t n = strlen(sweep.name);
	const char *p = t->p, *end = t->p + t->len;

	if (t->len == 0)
		return "it fails without a message";
	if (end[-1] != '\n')
		return "its message has no end";
	while (p < end) {
		if ((size_t)(end - p) < n + 2 ||
		    memcmp(p, sweep.name, n) != 0 || p[n] != ':')
			return "its message does not name the program";
		p = (const char *)memchr(p, '\n', (size_t)(end - p)) + 1;
	}
	return NULL;
}

/* a file beside OUT and the counts, or a temporary one */
static const char *
left_behind(const char *dir)
{
	static char name[300];
	DIR *d = opendir(dir);
	struct dirent *e;

	if (d == NULL)
		err(2, "%s", dir);
	name[0] = '\0';
	while ((e = readdir(d)) != NULL) {
		if (strcmp(e->d_name, ".") == 0 ||
		    strcmp(e->d_name, "..") == 0 ||
		    strcmp(e->d_name, sweep.file) == 0 ||
		    strcmp(e->d_name, "tmp") == 0 ||
		    strcmp(e->d_name, counts_file) == 0)
			continue;
		snprintf(name, sizeof(name), "it leaves %s behind", e->d_name);
		unlinkat(dirfd(d), e->d_name, 0);
	}
	closedir(d);
	return name[0] != '\0' ? name : NULL;
}

/* What is wrong with an outcome?  NULL: nothing. */
static const char *
breach(const struct outcome *o)
{
	const struct outcome *expected = &sweep.expected;
	const char *left;

	if (WIFSIGNALED(o->status))
		return WTERMSIG(o->status) == SIGALRM ? "it hangs"
						      : "a signal ends it";
	if ((left = left_behind(".")) != NULL ||
	    (left = left_behind("tmp")) != NULL)
		return left;
	if (WEXITSTATUS(o->status) == WEXITSTATUS(expected->status)) {
		if (sweep.lines && o->err.len > 0)
			return wrong_message(&o->err);
		if (!is_right(&o->out, &expected->out))
			return "it succeeds with another output";
		if (!is_right(&o->file, &expected->file))
			return "it succeeds with another OUT";
		return NULL;
	}
	if (!is_kept(&o->file) && !is_right(&o->file, &expected->file))
		return "it fails and does not keep the old OUT";
	if (!is_right(&o->out, &expected->out) && looks_whole(&o->out))
		return "it fails with an output that looks whole";
	return wrong_message(&o->err);
}

static void
report(const char *fault, const char *what, const struct outcome *o)
{
	sweep.breaches++;
	printf("FAULT='%s'", fault);
	for (char **arg = sweep.argv; *arg != NULL; arg++)
		printf(strpbrk(*arg, " '\"$") != NULL ? " '%s'" : " %s", *arg);
	printf(": %s (status %d, signal %d: %.*s)\n", what,
	    WIFEXITED(o->status) ? WEXITSTATUS(o->status) : 0,
	    WIFSIGNALED(o->status) ? WTERMSIG(o->status) : 0,
	    (int)strcspn(o->err.len > 0 ? o->err.p : "", "\n"),
	    o->err.len > 0 ? o->err.p : "");
}

/* ---- all of them ---- */

static void
try_fault(const char *call, unsigned long n, const char *after)
{
	static struct outcome o;
	const char *what;
	char fault[100];

	snprintf(
	    fault, sizeof(fault), "%s %s %lu%s", sweep.name, call, n, after);
	run_with(fault, &o);
	text_add_char(&o.err, '\0'); /* for printf */
	o.err.len--;
	if ((what = breach(&o)) != NULL)
		report(fault, what, &o);
}

/* fail some of n calls, or all; the first ones and the last in any case */
static void
try_call(const char *call, unsigned long n)
{
	unsigned long points = sweep.points, step;

	if (points == 0 || points > n)
		points = n;
	step = points > 0 ? (n << 16) / points : 0;
	for (unsigned long i = 0; i < points; i++) {
		unsigned long at = 1 + (i * step >> 16);

		if (i < LEAST_POINTS)
			at = i + 1;
		if (i + 1 == points)
			at = n;
		if (sweep.both || i % 2 == 0)
			try_fault(call, at, "");
		if (sweep.both || i % 2 == 1)
			try_fault(call, at, "+");
	}
}

static void
try_calls(void)
{
	struct text counts = {0};
	char *line, *next;

	read_file(&counts, counts_file);
	text_add_char(&counts, '\0');
	if (counts.len < 2)
		errx(2, "%s: the shim counts no calls", sweep.name);
	for (line = strtok_r(counts.p, "\n", &next); line != NULL;
	     line = strtok_r(NULL, "\n", &next)) {
		char *number = strchr(line, ' ');

		if (number != NULL) {
			*number++ = '\0';
			try_call(line, strtoul(number, NULL, 10));
		}
	}
	text_free(&counts);
}

static void
sweep_all(void)
{
	char fault[100];

	snprintf(fault, sizeof(fault), "%s count", sweep.name);
	setenv("FAULT_COUNTS", counts_file, 1);
	run_with(fault, &sweep.expected);
	unsetenv("FAULT_COUNTS");
	if (!WIFEXITED(sweep.expected.status) ||
	    WEXITSTATUS(sweep.expected.status) != 0)
		errx(2, "%s fails without a fault: %.*s", sweep.name,
		    (int)sweep.expected.err.len, sweep.expected.err.p);
	try_calls();
	for (unsigned long seed = 1; seed <= LEAST_POINTS; seed++) {
		try_fault("short", seed, "");
		try_fault("interrupted", seed, "");
	}
}

static _Noreturn void
usage(void)
{
	fputs("usage: sweep [-al] [-i file] [-n points] shim program "
	      "[argument ...]\n",
	    stderr);
	exit(2);
}

int
main(int argc, char *argv[])
{
	int c;

	while ((c = getopt(argc, argv, "+ai:ln:")) != -1)
		switch (c) {
		case 'a':
			sweep.both = true;
			break;
		case 'i':
			sweep.piped = true;
			read_file(&sweep.input, optarg);
			break;
		case 'l':
			sweep.lines = true;
			break;
		case 'n':
			sweep.points = strtoul(optarg, NULL, 10);
			break;
		default:
			usage();
		}
	if (argc - optind < 2)
		usage();
	sweep.shim = argv[optind];
	sweep.argv = argv + optind + 1;
	sweep.name = strrchr(sweep.argv[0], '/');
	sweep.name = sweep.name != NULL ? sweep.name + 1 : sweep.argv[0];
	sweep.file = "OUT";
	for (char **arg = sweep.argv; *arg != NULL; arg++)
		if (strncmp(*arg, "OUT", 3) == 0)
			sweep.file = *arg;
	mkdir("tmp", 0777);
	setenv("TMPDIR", "tmp", 1);
	sweep_all();
	printf(
	    "%ld executions, %ld breaches:", sweep.executions, sweep.breaches);
	for (char **arg = sweep.argv; *arg != NULL; arg++)
		printf(strpbrk(*arg, " '\"$") != NULL ? " '%s'" : " %s", *arg);
	putchar('\n');
	return sweep.breaches > 0;
}
