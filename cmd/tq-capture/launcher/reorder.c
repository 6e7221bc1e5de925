/* reorder.c - sort a file that was written as the events came */

#include <err.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tq/line/edit.h"
#include "tq/base/mem.h"
#include "tq/io/reader.h"
#include "tq/io/sorter.h"
#include "tq/io/status.h"
#include "tq/io/temporary.h"

#include "reorder.h"

enum { MEMORY = 64 << 20 };

static void
write_line(void *arg, const struct sorter_line *l)
{
	output_line(arg, l->line);
}

static void
write_trace(struct output *o, struct span line)
{
	struct edit e = {0};
	struct text t = {0};

	edit_drop(&e, KEY_slack);
	edit_write(&e, line, &t);
	output_line(o, text_span(&t));
	text_free(&t);
}

static void
add_event(struct output *o, struct sorter *s, const struct event *ev)
{
	/* a range that never ended is the longest */
	int64_t dur =
	    event_true(ev, KEY_open) ? INT64_MAX : event_int(ev, KEY_dur, 0);

	switch (schema_role(ev->kind)) {
	case ROLE_DEF:
		output_line(o, ev->line);
		break;
	case ROLE_FRAME:
		if (ev->kind == KIND_trace) {
			write_trace(o, ev->line);
			break;
		}
		if (!sorter_finish(s, write_line, o))
			err(TQ_FAIL, "%s", temporary_directory());
		output_line(o, ev->line);
		break;
	default:
		if (!sorter_add(s, event_int(ev, KEY_ts, 0), dur, ev->line, 0))
			err(TQ_FAIL, "%s", temporary_directory());
	}
}

/* errors end the program, as in any tool: call it in a process of its own */
static int
sort_file(char *file, enum zio_format format)
{
	char *operands[] = {file, NULL};
	struct keyset want[KIND_COUNT + 1] = {0};
	struct sorter *s = sorter_open(MEMORY);
	struct output out;
	struct reader in;
	int status;

	for (size_t i = 0; i <= KIND_COUNT; i++) {
		keyset_add(&want[i], KEY_ts);
		keyset_add(&want[i], KEY_dur);
		keyset_add(&want[i], KEY_open);
	}
	output_open_again(&out, file, format);
	reader_init(&in, operands, want, NULL);
	in.any_order = true;
	while (reader_next(&in))
		add_event(&out, s, &in.event);
	status = in.status;
	if (status == TQ_OK)
		output_finish(&out, true);
	else
		output_abandon(&out);
	reader_free(&in);
	sorter_free(s);
	return status;
}

bool
reorder_file(const char *file, enum zio_format format)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		char *copy = mem_copy(file, strlen(file));

		status = sort_file(copy, format);
		free(copy);
		exit(status);
	}
	if (pid > 0 && waitpid(pid, &status, 0) == pid && status == 0)
		return true;
	warnx("%s: its events stay in the order in which they came; "
	      "tq-extract puts them in order",
	    file);
	return false;
}
