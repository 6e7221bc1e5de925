/*
 * cupti.c - records of CUPTI become ours: with the libcupti of the toolkit,
 * if there is one, which tells the sizes of its records and the names of
 * calls without a driver; and with buffers made up here, good and bad
 */
#include <cupti.h>
#include <stdlib.h>
#include <string.h>

#include "agent/cupti/cupti_lib.h"
#include "agent/cupti/cupti_names.h"
#include "agent/cupti/cupti_record.h"
#include "agent/cupti/cupti_translate.h"
#include "agent/agent.h"
#include "arena/salvage_abi.h"
#include "check.h"

/* ---- what write.h promises, in memory ---- */

static struct arena arena;
static char written[1 << 20];
static size_t written_bytes;
static uint64_t lost[LOSSES];

static struct {
	enum record_type type;
	uint64_t id, address;
	char text[64];
} named[64];
static size_t n_named;

struct writer *
agent_thread(void)
{
	return (struct writer *)&arena; /* not looked into */
}

char *
agent_begin(struct writer *w, enum arena_loss_kind kind, size_t bytes)
{
	(void)w;
	if (bytes <= sizeof(written) - written_bytes)
		return written + written_bytes;
	lost[kind]++;
	return NULL;
}

void
agent_copies(struct writer *w, size_t bytes, uint32_t buffer, uint64_t offset)
{
	(void)w;
	(void)bytes;
	CHECK(buffer < ARENA_BUFFERS_MAX, "buffer %u at %llu", buffer,
	    (unsigned long long)offset);
}

void
agent_end(struct writer *w, size_t bytes)
{
	(void)w;
	written_bytes += bytes;
}

uint64_t
agent_clock(void)
{
	static uint64_t now;

	return ++now;
}

uint32_t
agent_generation(void)
{
	return 1;
}

uint32_t
agent_on(void)
{
	return arena.on;
}

struct arena *
agent_arena(void)
{
	return &arena;
}

void
agent_note(enum note_severity severity, const char *text)
{
	(void)severity;
	CHECK(false, "a note: %s", text);
}

bool
agent_name(enum record_type type, uint32_t domain, uint64_t id,
    uint64_t address, const char *text, size_t len)
{
	CHECK(domain == 0, "a name of a domain");
	CHECK(n_named < 64, "too many names");
	named[n_named].type = type;
	named[n_named].id = id;
	named[n_named].address = address;
	snprintf(named[n_named++].text, 64, "%.*s", (int)len, text);
	return true;
}

void
agent_lost(enum arena_loss_kind kind, uint64_t count)
{
	lost[kind] += count;
}

static void
reset(uint32_t on)
{
	memset(lost, 0, sizeof(lost));
	written_bytes = 0;
	n_named = 0;
	arena.on = on;
}

/* ---- the libcupti of the toolkit ---- */

static CUptiResult subscribed;

static bool
first(struct cupti_lib *lib)
{
	CUpti_SubscriberHandle h;

	subscribed = lib->subscribe(&h, NULL, NULL);
	return true;
}

/* The sizes of 13.0 are those of its header, kind by kind. */
static void
test_sizes(const struct cupti_lib *lib)
{
	static const struct {
		uint32_t kind;
		size_t bytes;
	} rows[] = {
	    {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
		sizeof(CUpti_ActivityKernel10)},
	    {CUPTI_ACTIVITY_KIND_KERNEL, sizeof(CUpti_ActivityKernel10)},
	    {CUPTI_ACTIVITY_KIND_MEMCPY, sizeof(CUpti_ActivityMemcpy6)},
	    {CUPTI_ACTIVITY_KIND_MEMCPY2, sizeof(CUpti_ActivityMemcpyPtoP4)},
	    {CUPTI_ACTIVITY_KIND_MEMSET, sizeof(CUpti_ActivityMemset4)},
	    {CUPTI_ACTIVITY_KIND_GRAPH_TRACE,
		sizeof(CUpti_ActivityGraphTrace2)},
	    {CUPTI_ACTIVITY_KIND_RUNTIME, sizeof(CUpti_ActivityAPI)},
	    {CUPTI_ACTIVITY_KIND_DRIVER, sizeof(CUpti_ActivityAPI)},
	    {CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
		sizeof(CUpti_ActivitySynchronization2)},
	    {CUPTI_ACTIVITY_KIND_CUDA_EVENT, sizeof(CUpti_ActivityCudaEvent2)},
	    {CUPTI_ACTIVITY_KIND_MEMORY2, sizeof(CUpti_ActivityMemory4)},
	    {CUPTI_ACTIVITY_KIND_MEMORY_POOL,
		sizeof(CUpti_ActivityMemoryPool3)},
	    {CUPTI_ACTIVITY_KIND_OVERHEAD, sizeof(CUpti_ActivityOverhead3)},
	    {CUPTI_ACTIVITY_KIND_DEVICE, sizeof(CUpti_ActivityDevice5)},
	    {CUPTI_ACTIVITY_KIND_CONTEXT, sizeof(CUpti_ActivityContext3)},
	    {CUPTI_ACTIVITY_KIND_STREAM, sizeof(CUpti_ActivityStream)},
	    {CUPTI_ACTIVITY_KIND_INVALID, 0},
	    {63, 0},
	};
	uint16_t stride[ARENA_STRIDES];
	size_t i;

	cupti_lib_strides(lib, stride);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		CHECK(stride[rows[i].kind] == rows[i].bytes,
		    "kind %u has %u bytes, not %zu", rows[i].kind,
		    stride[rows[i].kind], rows[i].bytes);
}

static void
test_functions(const struct cupti_lib *lib)
{
	reset(0);
	cupti_names_function(lib, API_RUNTIME, 211);
	cupti_names_function(lib, API_DRIVER, 307);
	cupti_names_function(lib, API_RUNTIME, 211);
	cupti_names_function(lib, API_RUNTIME, 4000);
	cupti_names_function(lib, API_RUNTIME, UINT32_MAX);
	CHECK(n_named == 2, "%zu names", n_named);
	CHECK(named[0].id == ((uint64_t)API_RUNTIME << 32 | 211) &&
		  named[0].type == RECORD_FUNCTION &&
		  strcmp(named[0].text, "cudaLaunchKernel_v7000") == 0,
	    "211 is %s", named[0].text);
	CHECK(named[1].id == ((uint64_t)API_DRIVER << 32 | 307) &&
		  strcmp(named[1].text, "cuLaunchKernel") == 0,
	    "307 is %s", named[1].text);
	CHECK(strcmp(shown(tq_capture_function(API_RUNTIME, 211)),
		  "cudaLaunchKernel_v7000") == 0,
	    "211 is %s", shown(tq_capture_function(API_RUNTIME, 211)));
	CHECK(tq_capture_function(API_DRIVER, 1u << 20) == NULL,
	    "a function that is none");
}

static void
test_toolkit(void)
{
	struct cupti_lib lib;

	if (!cupti_lib_find(&lib, first))
		return;
	/* no driver, or one: anything but a crash */
	CHECK(subscribed == CUPTI_SUCCESS ||
		  subscribed == CUPTI_ERROR_UNKNOWN ||
		  subscribed == CUPTI_ERROR_NOT_INITIALIZED,
	    "cuptiSubscribe: %d", subscribed);
	if (lib.version / 100 == 1300)
		test_sizes(&lib);
	test_functions(&lib);
}

/* ---- buffers ---- */

static CUptiResult
no_next_record(uint8_t *buffer, size_t bytes, CUpti_Activity **r)
{
	(void)buffer;
	(void)bytes;
	(void)r;
	return CUPTI_ERROR_INVALID_KIND;
}

static CUptiResult
no_name(CUpti_CallbackDomain domain, uint32_t id, const char **name)
{
	(void)domain;
	(void)id;
	(void)name;
	return CUPTI_ERROR_INVALID_PARAMETER;
}

static const struct cupti_lib none = {
    .next_record = no_next_record, .callback_name = no_name};

static void
set_strides(size_t kernel, size_t api)
{
	memset(arena.stride, 0, sizeof(arena.stride));
	arena.stride[CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL] = (uint16_t)kernel;
	arena.stride[CUPTI_ACTIVITY_KIND_RUNTIME] = (uint16_t)api;
	arena.stride[CUPTI_ACTIVITY_KIND_DEVICE] = 184;
	arena.stride[CUPTI_ACTIVITY_KIND_MODULE] = 40;
}

static size_t
put_kernel(uint8_t *p, const char *name, uint64_t start, uint64_t end)
{
	CUpti_ActivityKernel8 k = {
	    .kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL};

	k.start = start;
	k.end = end;
	k.name = name;
	k.gridX = 7;
	k.correlationId = 77;
	k.graphNodeId = 5;
	k.clusterX = k.clusterY = k.clusterZ = 2;
	memcpy(p, &k, sizeof(k));
	return arena.stride[k.kind];
}

static size_t
put_api(uint8_t *p, uint32_t callback, uint64_t start, uint64_t end)
{
	CUpti_ActivityAPI a = {.kind = CUPTI_ACTIVITY_KIND_RUNTIME};

	a.cbid = callback;
	a.start = start;
	a.end = end;
	memcpy(p, &a, sizeof(a));
	return arena.stride[a.kind];
}

/* two kernels, a third without times, a module, two calls, a silent one */
static size_t
fill(uint8_t *p)
{
	const uint32_t module = CUPTI_ACTIVITY_KIND_MODULE;
	uint8_t *begin = p;

	p += put_kernel(p, "first", 10, 20);
	p += put_kernel(p, "second", 30, 40);
	p += put_kernel(p, "second", 0, 0);
	memcpy(p, &module, sizeof(module));
	p += 40;
	p += put_api(p, 211, 1, 2);
	p += put_api(p, CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020, 3, 4);
	p += put_api(p, 211, 5, 6);
	return (size_t)(p - begin);
}

static uint64_t buffer_words[8192];
static uint8_t *const buffer = (uint8_t *)buffer_words;

/* how many records of a type there are in those bytes */
static size_t
count(const char *p, size_t bytes, enum record_type type)
{
	size_t n = 0, at;
	struct record head;

	for (at = 0; at < bytes; at += (size_t)head.words * 8) {
		memcpy(&head, p + at, sizeof(head));
		CHECK(head.words >= 2, "a record of %u words", head.words);
		if (head.words < 2)
			break;
		n += head.type == type;
	}
	CHECK(at == bytes, "a record is cut");
	return n;
}

static void
test_translate(void)
{
	struct record_kernel k;
	size_t bytes;

	memset(buffer_words, 0, sizeof(buffer_words));
	set_strides(232, 56); /* longer than any that is known */
	reset(ARENA_GPU | ARENA_RUNTIME);
	bytes = fill(buffer);
	cupti_translate(&none, buffer, bytes);
	CHECK(count(written, written_bytes, RECORD_KERNEL) == 2, "kernels");
	CHECK(count(written, written_bytes, RECORD_API) == 2, "calls");
	CHECK(lost[LOSS_GPU] == 1, "%d lost", (int)lost[LOSS_GPU]);
	CHECK(n_named == 2 && strcmp(named[0].text, "first") == 0 &&
		  named[0].address != 0,
	    "%zu names", n_named);
	memcpy(&k, written, sizeof(k));
	CHECK(k.head.ticks == 10 && k.end == 20 && k.corr == 77 &&
		  k.grid[0] == 7 && k.cluster[2] == 2 && k.graph_node == 5 &&
		  k.symbol == named[0].id,
	    "the first kernel");

	/* what is off is thrown away, and is no loss; names are told once */
	reset(ARENA_RUNTIME);
	cupti_translate(&none, buffer, fill(buffer));
	CHECK(count(written, written_bytes, RECORD_KERNEL) == 0 &&
		  count(written, written_bytes, RECORD_API) == 2 &&
		  lost[LOSS_GPU] == 0 && n_named == 0,
	    "kernels that are off");

	/* an old libcupti: what its records do not have is not read */
	memset(buffer_words, 0, sizeof(buffer_words));
	set_strides(sizeof(CUpti_ActivityKernel4), 40);
	reset(ARENA_GPU);
	cupti_translate(&none, buffer, fill(buffer));
	memcpy(&k, written, sizeof(k));
	CHECK(k.cluster[0] == 0 && k.graph_node == 0 && k.corr == 77,
	    "a short kernel");
}

/* devices that CUDA_VISIBLE_DEVICES hides have numbers of others */
static void
test_hidden_device(void)
{
	CUpti_ActivityDevice4 d = {.kind = CUPTI_ACTIVITY_KIND_DEVICE};
	struct salvage s = {.arena = &arena,
	    .buffer = (char *)buffer,
	    .bytes = sizeof(buffer_words)};
	char out[SALVAGE_ROOM];

	memset(buffer_words, 0, sizeof(buffer_words));
	set_strides(216, 40);
	reset(0);
	memcpy(buffer, &d, sizeof(d));
	d.isCudaVisible = 1;
	d.name = "a device";
	memcpy(buffer + 184, &d, sizeof(d));
	CHECK(tq_capture_salvage(&s, out, sizeof(out)) ==
		  sizeof(struct record_device),
	    "salvaged");
	cupti_translate(&none, buffer, 2 * 184);
	CHECK(written_bytes == sizeof(struct record_device) + 16,
	    "%zu bytes of devices", written_bytes);
	CHECK(lost[LOSS_CUDA] == 0, "a hidden device is no loss");
}

/* one address with another text, and one text at two addresses */
static void
test_symbols(void)
{
	char text[] = "one", same[] = "two";
	uint64_t a, b;

	reset(0);
	a = cupti_names_symbol(text);
	CHECK(a != 0 && a == cupti_names_symbol(text) && n_named == 1, "one");
	memcpy(text, "two", 3);
	b = cupti_names_symbol(text);
	CHECK(b != a && n_named == 2 && strcmp(named[1].text, "two") == 0,
	    "changed");
	CHECK(cupti_names_symbol(same) == b && n_named == 3 &&
		  named[2].address == (uintptr_t)same,
	    "the same elsewhere");
	CHECK(cupti_names_symbol(NULL) == 0, "no name");
}

static size_t
salvage(struct salvage *s, char *out, size_t room)
{
	size_t n, used = 0;

	while ((n = tq_capture_salvage(s, out + used, SALVAGE_ROOM)) != 0) {
		CHECK(n <= SALVAGE_ROOM, "too much");
		used += n;
		if (room - used < SALVAGE_ROOM)
			used = 0;
	}
	return used;
}

static void
test_salvage(void)
{
	static char out[1 << 16];
	struct salvage s = {&arena, (char *)buffer, sizeof(buffer_words)};
	struct record_kernel k;
	size_t bytes;

	memset(buffer_words, 0, sizeof(buffer_words));
	set_strides(216, 40);
	fill(buffer);
	bytes = salvage(&s, out, sizeof(out));
	CHECK(count(out, bytes, RECORD_KERNEL) == 2 &&
		  count(out, bytes, RECORD_API) == 2 && s.incomplete == 1,
	    "%zu bytes salvaged", bytes);
	memcpy(&k, out, sizeof(k));
	CHECK(k.symbol == 0 && k.address != 0 && k.end == 20, "a kernel");

	/* nor is what was copied when the process died, but not marked */
	s.at = 0;
	s.written = 216 + 1;
	bytes = salvage(&s, out, sizeof(out));
	CHECK(count(out, bytes, RECORD_KERNEL) == 1, "salvaged though copied");
	s.written = 0;

	/* what was translated already is not salvaged again */
	reset(ARENA_GPU);
	cupti_translate(&none, buffer, 2 * 216);
	s.at = 0;
	bytes = salvage(&s, out, sizeof(out));
	CHECK(count(out, bytes, RECORD_KERNEL) == 0 &&
		  count(out, bytes, RECORD_API) == 2,
	    "salvaged twice");
}

/* Whatever is in the arena: nothing outside of it is read. */
static void
test_garbage(void)
{
	static char out[1 << 16];
	size_t bytes = 4096, i;
	int round;

	srand(1);
	for (round = 0; round < 2000; round++) {
		uint64_t *exact = malloc(bytes);
		struct salvage s = {&arena, (char *)exact, bytes};

		if (exact == NULL)
			return;
		for (i = 0; i < ARENA_STRIDES; i++)
			arena.stride[i] = (uint16_t)(rand() % 64 * 8);
		for (i = 0; i < bytes / 8; i++)
			exact[i] = rand() % 3 == 0 ? (uint64_t)rand()
						   : (uint64_t)(rand() % 64);
		salvage(&s, out, sizeof(out));
		CHECK(s.at <= bytes, "beyond the end");
		free(exact);
	}
}

int
main(void)
{
	test_toolkit();
	test_translate();
	test_hidden_device();
	test_symbols();
	test_salvage();
	test_garbage();
	return check_status();
}
