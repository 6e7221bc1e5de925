/* fetch.c - databases that are not files yet */

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fetch.h"
#include "progress.h"
#include "tq/base/mem.h"
#include "tq/io/signals.h"
#include "tq/io/temporary.h"
#include "tq/base/text.h"
#include "tq/io/note.h"

/* mkstemp(3) makes a name of it */
static const char directory_template[] = "/tq-extract.XXXXXX";

/* both, one behind the other; free(3) it */
static char *
joined(const char *a, const char *b)
{
	struct text t = {0};

	text_printf(&t, "%s%s%c", a, b, 0);
	return t.p;
}

/* files and a directory that are removed, however the program ends */
static char *copy, *converted, *converted_in;

static void
remove_files(void)
{
	if (copy != NULL)
		unlink(copy);
	if (converted != NULL)
		unlink(converted);
	if (converted_in != NULL)
		rmdir(converted_in);
}

/* NULL before it is freed: a signal may come in between */
static void
forget(char **path)
{
	char *old = *path;

	*path = NULL;
	free(old);
}

void
fetch_forget_copied(void)
{
	if (copy != NULL)
		unlink(copy);
	forget(&copy);
}

void
fetch_remove_converted(void)
{
	remove_files();
	forget(&converted);
	forget(&converted_in);
}

/*
 * A copy may have so many bytes more than its header declares: space that
 * SQLite had in reserve.  Beyond GROWTH_FREE bytes it may be GROWTH_MOST times
 * the compressed ones, which is ten times what databases of real recordings
 * reach.
 */
enum { RESERVE = 64 << 20, GROWTH_FREE = 256 << 20, GROWTH_MOST = 200 };

static void
check_size(
    const char *name, const struct zio_reader *r, int64_t size, int64_t copied)
{
	if (size >= 0 && copied - RESERVE > size)
		errx(1,
		    "%s: goes on behind the %" PRId64 " bytes of its database",
		    name, size);
	if (copied > GROWTH_FREE && copied / GROWTH_MOST > zio_reader_taken(r))
		errx(1,
		    "%s: grows to more than %d times its size: decompress it "
		    "first, if that is right",
		    name, GROWTH_MOST);
}

/*
 * Copy what r reads to a file of its own.  SQLite opens files by
 * name, so it has one until then.
 */
int
fetch_copy(const char *name, struct zio_reader *r, int64_t size)
{
	const char *dir = temporary_directory(), *error;
	char *buf = mem_resize(NULL, 1 << 18, 1);
	char *path = joined(dir, directory_template);
	struct progress progress;
	int64_t copied = 0;
	ptrdiff_t n;
	int to;

	signals_before_death(remove_files);
	if ((to = mkostemp(path, O_CLOEXEC)) < 0)
		err(1, "%s", dir);
	copy = path;
	progress_begin(&progress, name, 0);
	while ((n = zio_read(r, buf, 1 << 18, &error)) > 0) {
		copied += n;
		check_size(name, r, size, copied);
		if (!zio_write_plain(to, buf, (size_t)n))
			err(1, "%s", dir);
		progress_copied(&progress, copied);
	}
	progress_end(&progress);
	if (n < 0)
		errx(1, "%s: %s", name, error);
	free(buf);
	return to;
}

/*
 * nsys takes long and prints its progress to stdout, which is for the stream:
 * it goes to stderr on a terminal, else, and with -q, to /dev/null.
 */
static int
run_nsys(char *const argv[])
{
	posix_spawn_file_actions_t fa;
	pid_t pid;
	int status, error;

	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_addopen(&fa, 0, "/dev/null", O_RDONLY, 0);
	if (note_wanted() && isatty(STDERR_FILENO)) {
		posix_spawn_file_actions_adddup2(&fa, 2, 1);
	} else {
		posix_spawn_file_actions_addopen(
		    &fa, 1, "/dev/null", O_WRONLY, 0);
		posix_spawn_file_actions_adddup2(&fa, 1, 2);
	}
	error = posix_spawnp(&pid, argv[0], &fa, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&fa);
	if (error != 0)
		return -error;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* the tables that are read, in the syntax of nsys export --tables */
static const char tables_wanted[] =
    "StringIds,ThreadNames,PROCESSES,TARGET_INFO_*,META_DATA_*,ENUM_*,"
    "ANALYSIS_DETAILS,CUPTI_*,CUDA_*,CUDNN_*,CUBLAS_*,NVTX_*,OSRT_*,SYSCALL*,"
    "MPI_*,UCP_*,OPENMP_*,SCHED_EVENTS,COMPOSITE_EVENTS,SAMPLING_CALLCHAINS,"
    "GPU_METRICS,PROFILER_OVERHEAD,DIAGNOSTIC_EVENT";

/* run nsys export; an older one lacks some options */
static int
export_report(const char *report)
{
	char nsys[] = "nsys", verb[] = "export", type[] = "--type=sqlite",
	     quiet[] = "--quiet=true", force[] = "--force-overwrite=true";
	char *to = joined("--output=", converted);
	char *tables = joined("--tables=", tables_wanted);
	char *name = mem_copy(report, strlen(report));
	char *const some[] = {
	    nsys, verb, type, force, quiet, to, tables, name, NULL};
	char *const all[] = {nsys, verb, type, force, to, name, NULL};
	int status;

	if ((status = run_nsys(some)) > 0)
		status = run_nsys(all);
	free(to);
	free(tables);
	free(name);
	return status;
}

const char *
fetch_converted(const char *report)
{
	char *dir = joined(temporary_directory(), directory_template);
	int status;

	signals_before_death(remove_files);
	if (mkdtemp(dir) == NULL)
		err(1, "%s", temporary_directory());
	converted_in = dir;
	converted = joined(dir, "/export.sqlite");
	if (isatty(STDERR_FILENO))
		note("%s: converting with nsys export", report);
	status = export_report(report);
	if (status == -ENOENT)
		errx(1,
		    "%s: a report, not an export: nsys is needed to convert it "
		    "and is not in PATH; run 'nsys export --type=sqlite %s' "
		    "where it is",
		    report, report);
	if (status < 0)
		errx(1, "nsys: %s", strerror(-status));
	if (status > 0)
		errx(
		    1, "%s: nsys export failed with status %d", report, status);
	return converted;
}

const char *
fetch_copied(void)
{
	return copy;
}
