/* model.c - the numbers of processes, threads, devices, streams and symbols,
   and the arrays that are indexed by them */

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

/* ---- symbols ---- */

static uint32_t
symbol_of(const char *json)
{
	uint32_t n = model_symbol(record(json));

	CHECK(n > 0 && n == model_symbol(&ev), "%s: twice", json);
	return n;
}

static uint32_t
kernel(int64_t id, const char *name)
{
	char json[512];

	snprintf(json, sizeof(json),
	    "{\"kind\":\"kernel\",\"ts\":1,\"name\":\"%s\",\"sym\":%lld}", name,
	    (long long)id);
	return symbol_of(json);
}

static void
defined(int64_t id)
{
	char json[512];

	snprintf(json, sizeof(json),
	    "{\"kind\":\"symbol\",\"name\":\"k\",\"id\":%lld}", (long long)id);
	record(json);
}

static void
check_symbols(void)
{
	static const int64_t ids[] = {0, 1, -1, 2, 1025, INT32_MAX,
	    (int64_t)1 << 31, (int64_t)1 << 32, ((int64_t)1 << 32) + 1,
	    INT64_MAX, -INT64_MAX};
	enum { IDS = sizeof(ids) / sizeof(*ids) };
	uint32_t n[IDS], first;

	record(TRACE);
	for (size_t i = 0; i < IDS; i++) {
		n[i] = kernel(ids[i], "k");
		CHECK(i == 0 || n[i] == n[0] + i, "they grow by one");
	}
	for (size_t i = 0; i < IDS; i++)
		CHECK(kernel(ids[i], "k") == n[i], "%lld again",
		    (long long)ids[i]);
	first = n[1];
	CHECK(kernel(1, "other") != first && kernel(1, "k") == first,
	    "the name is a part of it");
	CHECK(symbol_of(OF("")) != first, "a name without a symbol id");
	CHECK(symbol_of("{\"kind\":\"kernel\",\"ts\":1,\"sym\":1}") != first,
	    "a symbol id without a name");
	CHECK(symbol_of("{\"kind\":\"memset\",\"ts\":1}") > 0, "neither");
	defined(1);
	CHECK(kernel(1, "k") != first && kernel(2, "k") == n[3],
	    "a late definition begins another symbol");
	first = kernel(1, "k");
	defined(1);
	CHECK(kernel(1, "k") != first, "and so does another one");
	defined(1025);
	CHECK(kernel(1025, "k") != n[4], "of a slot that two ids share");
	first = kernel(1, "k");
	record(TRACE);
	CHECK(kernel(1, "k") != first, "a section has symbols of its own");
}

/* A second pass that sees the definitions finds the same numbers. */
static void
check_second_pass(void)
{
	uint32_t n[2][4];

	for (size_t pass = 0; pass < 2; pass++) {
		model_rewind(&model);
		record(TRACE);
		n[pass][0] = kernel(1, "k");
		defined(1);
		n[pass][1] = kernel(1, "k");
		defined(1);
		/* the first pass alone looks the symbol up here */
		n[pass][2] = pass == 0 ? kernel(1, "k") : n[0][2];
		record(TRACE);
		defined(1);
		n[pass][3] = kernel(1, "k");
	}
	for (size_t i = 0; i < 4; i++)
		CHECK(n[0][i] == n[1][i], "pass 2: %zu", i);
}

static void
check_many_symbols(void)
{
	enum { MANY = 5000 };
	static uint32_t n[MANY];
	char name[128];

	record(TRACE);
	for (size_t pass = 0; pass < 2; pass++)
		for (int i = 0; i < MANY; i++) {
			uint32_t is;

			snprintf(name, sizeof(name), "%0*d", i % 100, i);
			is = i % 2 == 0 ? kernel(i, name)
					: kernel(i, "the_same_name");
			CHECK(pass == 0 || is == n[i], "%d", i);
			CHECK(pass > 0 || i == 0 || is == n[i - 1] + 1,
			    "%d is new", i);
			n[i] = is;
		}
}

static void
check_meaning(void)
{
	uint32_t call;

	kernel(1, "ncclDevKernel_AllReduce_Sum_f32");
	CHECK(model_communicates(&ev), "NCCL");
	kernel(1, "gemm");
	CHECK(!model_communicates(&ev), "not NCCL");
	call = symbol_of(
	    "{\"kind\":\"api\",\"ts\":1,\"name\":\"cudaGraphLaunch\"}");
	CHECK(api_call_of_event(&ev).role == API_GRAPH_LAUNCH, "its role");
	record("{\"kind\":\"kernel\",\"ts\":1,\"name\":\"k\","
	       "\"api_name\":\"cudaGraphLaunch\"}");
	CHECK(model_launching_symbol(&ev) == call &&
		  model_symbol_at(&model, call)->call.role == API_GRAPH_LAUNCH,
	    "the call that launched it");
	CHECK(api_call_of_event(&ev).role == API_OTHER, "it is no call");
}

/* ---- arrays ---- */

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
	check_symbols();
	check_second_pass();
	check_many_symbols();
	check_meaning();
	check_numbered();
	model_free(&model);
	event_free(&ev);
	return check_status();
}
