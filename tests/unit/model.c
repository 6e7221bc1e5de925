/* model.c - the numbers of processes, threads, devices and streams, and the
   arrays that are indexed by them */

#include <stdlib.h>

#include "check.h"
#include "tq/base/numbered.h"
#include "tq/names/model.h"

static struct model model;
static struct event ev = {.model = &model};

/* The record, of which all numbers are new to look up. */
static const struct event *
record(const char *json)
{
	static char line[512];

	snprintf(line, sizeof(line) - EVENT_PADDING, "%s", json);
	CHECK(event_parse(&ev, span_of(line), NULL), "%s", json);
	model_event(&model, &ev);
	return &ev;
}

#define OF(ids) "{\"kind\":\"kernel\",\"ts\":1," ids "\"name\":\"k\"}"
#define TRACE "{\"kind\":\"trace\",\"version\":1}"
#define END "{\"kind\":\"end\",\"records\":1}"

static uint32_t
process_of(const char *json)
{
	uint32_t n = model_process(record(json));

	CHECK(n > 0 && n == model_process(&ev), "%s: twice", json);
	CHECK(n == model_process_of(&model, event_int(&ev, KEY_pid, NO_ID)),
	    "%s: by its pid", json);
	return n;
}

static void
check_ids(void)
{
	uint32_t a, b;

	record(TRACE);
	CHECK(process_of(OF("\"pid\":7,")) == 1, "the first");
	CHECK(process_of(OF("\"pid\":8,")) == 2, "the second");
	CHECK(process_of(OF("\"pid\":7,")) == 1, "again");
	CHECK(process_of(OF("")) == 3, "no pid is a process of its own");
	CHECK(process_of(OF("\"pid\":-1,")) == 4, "negative");
	CHECK(process_of(OF("\"pid\":2147483648,")) == 5, "2^31");
	CHECK(process_of(OF("\"pid\":9223372036854775807,")) == 6, "2^63-1");
	CHECK(process_of(OF("\"pid\":-9223372036854775807,")) == 7, "-2^63+1");
	CHECK(process_of(OF("\"pid\":2147483655,")) == 8,
	    "the low half of an id is not enough");
	a = model_thread(record(OF("\"pid\":7,\"tid\":8,")));
	b = model_thread(record(OF("\"pid\":8,\"tid\":7,")));
	CHECK(a == 1 && b == 2, "threads %u %u", a, b);
	CHECK(model_thread(record(OF("\"pid\":7,\"tid\":8,"))) == a, "again");
	a = model_device(record(OF("\"pid\":7,\"device\":1,")));
	b = model_device(record(OF("\"pid\":8,\"device\":1,")));
	CHECK(a == 1 && b == 2, "devices %u %u", a, b);
	a = model_device(record(OF("\"pid\":7,")));
	CHECK(a == model_device(record(OF("\"pid\":7,\"device\":0,"))),
	    "without a device it is 0");
	CHECK(model_device_of(&model, 7, 0) == a, "by ids");
	CHECK(model_device_of(&model, 8, 0) == 0, "no such device");
	CHECK(model_device_of(&model, 99, 0) == 0, "no such process");
	a = model_stream(record(OF("\"pid\":7,\"stream\":7,")));
	b = model_stream(record(OF("\"pid\":7,\"device\":1,\"stream\":7,")));
	CHECK(a == 1 && b == 2, "streams %u %u", a, b);
	b = model_stream(record(OF("\"pid\":7,\"context\":1,\"stream\":7,")));
	CHECK(b == 3, "the same stream of another context");
	b = model_stream(record(OF("\"pid\":7,\"context\":7,")));
	CHECK(b == 4, "a context without a stream");
	b = model_stream(record(OF("\"pid\":7,\"stream\":7,")));
	CHECK(b == a, "and without a context");
}

/* A definition, early, late or twice, changes no number. */
static void
check_definitions(void)
{
	uint32_t n = process_of(OF("\"pid\":7,"));

	record("{\"kind\":\"process\",\"pid\":7,\"name\":\"late\"}");
	CHECK(process_of(OF("\"pid\":7,")) == n, "a late definition");
	record("{\"kind\":\"process\",\"pid\":7,\"name\":\"other\"}");
	CHECK(process_of(OF("\"pid\":7,")) == n, "another one");
}

static void
check_sections(void)
{
	uint32_t first = process_of(OF("\"pid\":7,")), second, between;

	record(TRACE);
	second = process_of(OF("\"pid\":7,"));
	CHECK(second != first, "a section has processes of its own");
	record(END);
	between = process_of(OF("\"pid\":7,"));
	CHECK(between != second, "end is the end of a section");
	CHECK(process_of(OF("\"pid\":7,")) == between, "and one record begins "
						       "the next");
	model_rewind(&model);
	record(TRACE);
	CHECK(process_of(OF("\"pid\":7,")) == first, "a second pass");
	record(TRACE);
	CHECK(process_of(OF("\"pid\":7,")) == second, "in its next section");
}

static void
check_numbered(void)
{
	NUMBERED(int) values = {0};
	bool fresh;

	*numbered_get(&values, 900, &fresh) = 9;
	CHECK(fresh && values.count == 1, "new");
	*numbered_get(&values, 1000, &fresh) = 10;
	CHECK(*numbered_get(&values, 900, &fresh) == 9 && !fresh, "known");
	CHECK(numbered_find(&values, 901) == NULL, "never");
	CHECK(numbered_find(&values, 100000) == NULL, "beyond all");
	CHECK(*(int *)numbered_find(&values, 1000) == 10, "found");
	numbered_close(&values);
	CHECK(numbered_find(&values, 900) == NULL && values.count == 2,
	    "their numbers alone are forgotten");
	*numbered_get(&values, 5, &fresh) = 5;
	CHECK(fresh && values.all[2] == 5, "behind those before");
	numbered_clear(&values);
	CHECK(values.count == 0 && numbered_find(&values, 5) == NULL, "none");
	numbered_free(&values);
}

int
main(void)
{
	check_ids();
	check_definitions();
	check_sections();
	check_numbered();
	model_free(&model);
	event_free(&ev);
	return check_status();
}
