/*
 * graph_survey.c - any bytes as a recording with captures of graphs, and,
 * behind the first NUL, as one that launches them: an operation has a name of
 * labels that exist, or none, the same when all is read again.
 */

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "fuzz_exit.h"
#include "graph_survey.h"
#include "tq/io/reader.h"

/* what was allocated until a jump is lost */
const char *__asan_default_options(void);

const char *
__asan_default_options(void)
{
	return "detect_leaks=0";
}

/* Give each record to use; true if all could be read. */
static bool
read_bytes(struct graph_survey *s, const uint8_t *data, size_t size,
    void (*use)(struct graph_survey *, const struct event *))
{
	static struct reader in; /* freed after a jump, too */
	char path[32], *operands[] = {path, NULL};
	volatile int fd = memfd_create("stream", MFD_CLOEXEC);
	volatile bool read = false;

	REQUIRE(write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	reader_init(&in, operands, graph_survey_keys(), NULL);
	in.any_order = true;
	if (setjmp(ended) == 0) {
		while (reader_next(&in))
			use(s, &in.event);
		read = true;
	}
	reader_free(&in);
	close(fd);
	return read;
}

static void
find(struct graph_survey *s, const struct event *ev)
{
	struct graph_name name;
	bool common;

	if (ev->kind == KIND_trace)
		graph_survey_section(s);
	if (schema_role(ev->kind) != ROLE_WORK || !event_has(ev, KEY_corr) ||
	    !graph_survey_find(s, event_int(ev, KEY_pid, NO_ID),
		event_int(ev, KEY_corr, NO_ID),
		event_int(ev, KEY_graph_node, NO_ID), &name, &common))
		return;
	REQUIRE(name.label.path.p != NULL && name.index >= 0);
	REQUIRE(common == span_eq(name.proof, SPAN("\"common\"")));
	REQUIRE(name.label.members.len == 0 || *name.label.members.p == ',');
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = size > 0 ? memchr(data, 0, size) : NULL;
	size_t n = end != NULL ? (size_t)(end - data) : 0;
	struct graph_survey s = {0};
	struct text how = {0};

	graph_survey_open(&s);
	graph_survey_next(&s, true, n % 2 == 1);
	if (read_bytes(&s, data, n, graph_survey_event)) {
		graph_survey_next(&s, false, false);
		if (read_bytes(&s, data + n, size - n, graph_survey_event)) {
			graph_survey_decide(&s);
			graph_survey_rewind(&s);
			graph_survey_describe(&s, &how);
			REQUIRE(read_bytes(&s, data + n, size - n, find));
		}
	}
	text_free(&how);
	graph_survey_free(&s);
	return 0;
}
