/* lines.c - records of the agent as text */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lines.h"

enum { NAME_MOST = 63 };

const char *
lines_part(const char *p, uint8_t flag, size_t *len)
{
	struct record head;
	uint64_t n;
	const char *end;

	memcpy(&head, p, sizeof(head));
	end = p + (size_t)head.words * 8;
	p += head.type == RECORD_DEVICE ? sizeof(struct record_device)
					: sizeof(head);
	if ((head.flags & FLAG_ID) != 0) {
		if (flag == FLAG_ID)
			return p;
		p += 8;
	}
	if ((head.flags & FLAG_TEXT) != 0) {
		memcpy(&n, p, sizeof(n));
		if (flag == FLAG_TEXT) {
			*len = n;
			return p + 8;
		}
		p += 8 + (n + 7) / 8 * 8;
	}
	return (head.flags & flag) != 0 && p < end ? p : NULL;
}

/* as much of it as is known */
static union record_any
read_record(const char *p)
{
	union record_any r;
	size_t n;

	memset(&r, 0, sizeof(r));
	memcpy(&r.head, p, sizeof(r.head));
	n = (size_t)r.head.words * 8;
	memcpy(&r, p, n < sizeof(r) ? n : sizeof(r));
	return r;
}

const char *
lines_kind(const char *record)
{
	const union record_any r = read_record(record);

	switch (r.head.type) {
	case RECORD_KERNEL:
		return "kernel";
	case RECORD_MEMCPY:
		return "memcpy";
	case RECORD_PEER:
		return "memcpy2";
	case RECORD_MEMSET:
		return "memset";
	case RECORD_SYNC:
		return "sync";
	case RECORD_GRAPH:
		return "graph";
	case RECORD_API:
		return r.api.source == API_RUNTIME ? "runtime" : "driver";
	case RECORD_ALLOC:
		return "memory";
	case RECORD_POOL:
		return "pool";
	case RECORD_OVERHEAD:
		return "overhead";
	case RECORD_CUDA_EVENT:
		return "event";
	case RECORD_DEVICE:
		return "device";
	case RECORD_CONTEXT:
		return "context";
	case RECORD_STREAM:
		return "stream";
	case RECORD_NOTE:
		return "note";
	case RECORD_OBJECT:
		return "object";
	case RECORD_PROFILER_START:
		return "start";
	case RECORD_PROFILER_STOP:
		return "stop";
	default:
		return "other";
	}
}

static void
line(const char *p, uint64_t corr, uint64_t end, uint32_t where,
    const char *name)
{
	struct record head;

	memcpy(&head, p, sizeof(head));
	printf("%s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu32 " %.*s\n",
	    lines_kind(p), corr, head.ticks, end, where, NAME_MOST, name);
}

/* one with a text */
static void
text_line(const char *p, const char *before)
{
	size_t len = 0;
	const char *s = lines_part(p, FLAG_TEXT, &len);

	printf(
	    "%s %s%.*s\n", lines_kind(p), before, (int)len, s == NULL ? "" : s);
}

static void
object_line(const char *p)
{
	char number[32] = "- ";
	uint64_t stream;
	size_t len;
	const char *s = lines_part(p, FLAG_RANGE, &len);

	if (s != NULL) {
		memcpy(&stream, s, sizeof(stream));
		snprintf(number, sizeof(number), "%" PRIu64 " ", stream);
	}
	text_line(p, number);
}

static void
profiler_line(const char *p)
{
	uint64_t id = 0;
	size_t len;
	const char *s = lines_part(p, FLAG_ID, &len);

	if (s != NULL)
		memcpy(&id, s, sizeof(id));
	line(p, id, 0, 0, "");
}

/* ---- all members of CUPTI's ---- */

static void
print_member(const char *name, int64_t value)
{
	printf(" %s %" PRId64, name, value);
}

static void
print_members(const union record_any *r)
{
	switch (r->head.type) {
#define EVENT(TYPE, name, ...) \
	case RECORD_##TYPE: { \
		const struct record_##name *m = &r->name; \
\
		putchar('\t');
#define DEFINITION(TYPE, name, ...) EVENT(TYPE, name, )
#define FIELD(type, member, ...) print_member(#member, (int64_t)m->member);
#define DATA(type, member, from) FIELD(type, member, )
#define DIMS(member, ...) \
	printf(" %s %d %d %d", #member, m->member[0], m->member[1], \
	    m->member[2]);
#define END_EVENT(name) \
	putchar('\n'); \
	break; \
	}
#define END_DEFINITION(name) END_EVENT(name)
#include "arena/records.def"
	default:
		break;
	}
}

static void
kernel_line(const char *p, const struct record_kernel *k, lines_name *name)
{
	line(p, k->corr, k->end, k->stream,
	    name(RECORD_SYMBOL, k->symbol, k->address));
	if (k->graph_node != 0)
		printf(
		    "node %" PRIu64 " %" PRIu64 "\n", k->graph, k->graph_node);
}

static void
print_line(const char *p, const union record_any *r, lines_name *name)
{
	switch (r->head.type) {
	case RECORD_KERNEL:
		kernel_line(p, &r->kernel, name);
		break;
	case RECORD_MEMCPY:
		line(p, r->memcpy.corr, r->memcpy.end, r->memcpy.stream, "");
		break;
	case RECORD_PEER:
		line(p, r->peer.corr, r->peer.end, r->peer.stream, "");
		break;
	case RECORD_MEMSET:
		line(p, r->memset.corr, r->memset.end, r->memset.stream, "");
		break;
	case RECORD_SYNC:
		line(p, r->sync.corr, r->sync.end, r->sync.stream, "");
		break;
	case RECORD_GRAPH:
		line(p, r->graph.corr, r->graph.end, r->graph.stream, "");
		break;
	case RECORD_API:
		line(p, r->api.corr, r->api.end, r->api.tid,
		    name(RECORD_FUNCTION,
			(uint64_t)r->api.source << 32 | r->api.callback, 0));
		break;
	case RECORD_ALLOC:
		line(p, r->alloc.corr, r->alloc.bytes, r->alloc.stream, "");
		break;
	case RECORD_POOL:
		line(p, r->pool.corr, r->pool.bytes, UINT32_MAX, "");
		break;
	case RECORD_OVERHEAD:
		line(p, 0, r->overhead.end, r->overhead.tid, "");
		break;
	case RECORD_CUDA_EVENT:
		line(p, r->cuda_event.corr, 0, r->cuda_event.stream, "");
		break;
	case RECORD_DEVICE:
	case RECORD_NOTE:
		text_line(p, "");
		break;
	case RECORD_CONTEXT:
		printf("context\n");
		break;
	case RECORD_STREAM:
		printf("stream %" PRIu32 "\n", r->stream.stream);
		break;
	case RECORD_OBJECT:
		object_line(p);
		break;
	case RECORD_PROFILER_START:
	case RECORD_PROFILER_STOP:
		profiler_line(p);
		break;
	default:
		printf("other %d\n", r->head.type);
	}
}

void
lines_print(const char *record, lines_name *name, bool fields)
{
	union record_any r = read_record(record);

	print_line(record, &r, name);
	if (fields)
		print_members(&r);
}
