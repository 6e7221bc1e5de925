/*
 * replay.c - make records of buffers of CUPTI that were kept (TQ_CUPTI_RAW)
 *
 *	replay [-cf] file ...
 *
 * Prints the records of the buffers as reap does; -f: with
 * all fields; -c: only how many there are of each kind, and "incomplete N".
 * Calls have their names where a libcupti is found, else their number.  An
 * invalid file gets a message on standard error, and makes it exit 1.
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lines.h"
#include "raw.h"

enum { KINDS = 32 };

static struct {
	const char *kind;
	uint64_t count;
} counts[KINDS];
static uint64_t incomplete;
static struct raw raw; /* that is being replayed */

/* ---- names ---- */

static const char *
name_of(uint8_t type, uint64_t id, uint64_t address)
{
	static char text[80];
	const char *s;
	size_t len;

	if (type == RECORD_FUNCTION) {
		s = tq_capture_function(
		    (enum api_source)(id >> 32), (uint32_t)id);
		if (s == NULL)
			snprintf(text, sizeof(text), "%" PRIu32, (uint32_t)id);
	} else {
		s = raw_text(&raw, address, &len);
		snprintf(text, sizeof(text), "%.*s", s == NULL ? 1 : (int)len,
		    s == NULL ? "?" : s);
		s = NULL;
	}
	return s == NULL ? text : s;
}

/* ---- records ---- */

static void
add(const char *kind)
{
	size_t i = 0;

	while (counts[i].kind != NULL && strcmp(counts[i].kind, kind) != 0)
		i++;
	counts[i].kind = kind;
	counts[i].count++;
}

static void
print_counts(void)
{
	size_t i;

	for (i = 0; counts[i].kind != NULL; i++)
		printf("%s %" PRIu64 "\n", counts[i].kind, counts[i].count);
	printf("incomplete %" PRIu64 "\n", incomplete);
}

static const char *
replay(const void *file, size_t n, bool only_counts, bool fields)
{
	const char *problem = raw_open(&raw, file, n);
	char out[RAW_ROOM];

	if (problem != NULL)
		return problem;
	while (raw_next(&raw, out) != 0) {
		add(lines_kind(out));
		if (!only_counts)
			lines_print(out, name_of, fields);
	}
	incomplete += raw.incomplete;
	return NULL;
}

/* All of a file; no larger one is of interest. */
static size_t
read_file(const char *name, void *to, size_t room)
{
	FILE *fp = fopen(name, "r");
	size_t n;

	if (fp == NULL)
		err(1, "%s", name);
	n = fread(to, 1, room, fp);
	if (ferror(fp))
		err(1, "%s", name);
	fclose(fp);
	return n;
}

int
main(int argc, char *argv[])
{
	static uint64_t file[RAW_MOST / 8];
	bool only_counts = false, fields = false;
	const char *problem;
	int c, i, status = 0;

	while ((c = getopt(argc, argv, "cf")) != -1)
		if (c == 'c')
			only_counts = true;
		else if (c == 'f')
			fields = true;
		else
			return 2;
	for (i = optind; i < argc; i++) {
		problem = replay(file, read_file(argv[i], file, sizeof(file)),
		    only_counts, fields);
		if (problem != NULL) {
			warnx("%s: %s", argv[i], problem);
			status = 1;
		}
	}
	if (only_counts)
		print_counts();
	return status;
}
