/* fleet_states.c - which results of tq fleet are there, and up to date */

#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tq/base/text.h"
#include "tq/io/status.h"
#include "tq/line/json.h"

#include "fleet.h"

struct folder {
	const char *name;
	struct text path; /* of the file that is looked at */
};

/* NAME.SUFFIX of a recording, or a file of the folder without a suffix */
static const char *
path_in(struct folder *f, const char *name, const char *suffix)
{
	f->path.len = 0;
	text_printf(&f->path, "%s/%s%s%c", f->name, name, suffix, '\0');
	return f->path.p;
}

/* When a file was made; false if it is not there. */
static bool
made_at(const char *path, struct timespec *time)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return false;
	*time = st.st_mtim;
	return true;
}

static bool
is_after(struct timespec a, struct timespec b)
{
	return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec
				    : a.tv_nsec > b.tv_nsec;
}

static struct timespec
later(struct timespec a, struct timespec b)
{
	return is_after(a, b) ? a : b;
}

/* True if the file of the recording is no older than its inputs. */
static bool
is_made(struct folder *f, const char *name, const char *suffix,
    struct timespec inputs)
{
	struct timespec at;

	return made_at(path_in(f, name, suffix), &at) && !is_after(inputs, at);
}

/* The rank in the first line of its points; -1: none. */
static int64_t
rank_of(struct folder *f, const char *name)
{
	FILE *in = fopen(path_in(f, name, ".points"), "re");
	struct text key = {0};
	char *line = NULL;
	size_t cap = 0;
	ssize_t length = in != NULL ? getline(&line, &cap, in) : -1;
	struct span value;
	int64_t rank = -1;
	struct json j;

	if (length > 0) {
		json_open(&j, (struct span){line, (size_t)length});
		while (json_next(&j, &key, &value))
			if (span_eq(text_span(&key), SPAN("rank")) &&
			    !json_int(value, &rank))
				rank = -1;
	}
	if (in != NULL)
		fclose(in);
	free(line);
	text_free(&key);
	return rank;
}

/* times of the files that those of all recordings depend on */
struct common_inputs {
	struct timespec version, reports, clocks;
};

static void
print_state(struct folder *f, const struct common_inputs *in, const char *name,
    const char *recording)
{
	struct timespec at, stream = {0};
	bool made, placed;

	made = made_at(recording, &at) &&
	       is_made(f, name, ".tq.zst", later(at, in->version)) &&
	       made_at(f->path.p, &stream) &&
	       is_made(f, name, ".part", later(stream, in->reports)) &&
	       is_made(f, name, ".points", stream);
	placed = made && is_made(f, name, ".ranks", later(stream, in->clocks));
	printf("%s\t%s\t", name, placed ? "placed" : made ? "made" : "todo");
	if (made)
		printf("%" PRId64, rank_of(f, name));
	putchar('\n');
}

int
fleet_states(const char *out, bool from_stdin)
{
	struct folder f = {.name = out};
	struct common_inputs in = {0};
	char *line = NULL, *tab;
	size_t cap = 0;
	ssize_t length;
	FILE *list;

	made_at(path_in(&f, "version", ""), &in.version);
	made_at(path_in(&f, "reports", ""), &in.reports);
	made_at(path_in(&f, "clocks.tq", ""), &in.clocks);
	list = from_stdin ? stdin : fopen(path_in(&f, "recordings", ""), "re");
	if (list == NULL)
		err(TQ_FAIL, "%s", f.path.p);
	while ((length = getline(&line, &cap, list)) > 0) {
		if (line[length - 1] == '\n')
			line[length - 1] = '\0';
		if ((tab = strchr(line, '\t')) == NULL)
			continue;
		*tab = '\0';
		print_state(&f, &in, line, tab + 1);
	}
	if (!from_stdin)
		fclose(list);
	free(line);
	text_free(&f.path);
	if (fflush(stdout) != 0)
		err(TQ_FAIL, "<stdout>");
	return TQ_OK;
}
