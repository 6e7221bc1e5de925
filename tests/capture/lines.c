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

/* ---- all else ---- */

static void
kernel_fields(const struct record_kernel *k)
{
	printf("\tdevice %u context %u grid %d %d %d block %d %d %d cluster "
	       "%d %d %d regs %u static %d dynamic %d local %" PRIu64
	       " launch %u graph %" PRIu64 " node %" PRIu64 "\n",
	    k->device, k->context, k->grid[0], k->grid[1], k->grid[2],
	    k->block[0], k->block[1], k->block[2], k->cluster[0], k->cluster[1],
	    k->cluster[2], k->regs, k->smem_static, k->smem_dynamic, k->local,
	    k->launch, k->graph, k->graph_node);
}

static void
device_fields(const struct record_device *d)
{
	int i;

	printf("\tdevice %u memory %" PRIu64 " sms %u cc %u.%u uuid ",
	    d->device, d->memory, d->sms, d->cc_major, d->cc_minor);
	for (i = 0; i < 16; i++)
		printf("%02x", d->uuid[i]);
	putchar('\n');
}

static void
print_fields(const union record_any *r)
{
	switch (r->head.type) {
	case RECORD_KERNEL:
		kernel_fields(&r->kernel);
		break;
	case RECORD_MEMCPY:
		printf("\tdevice %u context %u bytes %" PRIu64
		       " copy %u src %u dst %u node %" PRIu64 "\n",
		    r->memcpy.device, r->memcpy.context, r->memcpy.bytes,
		    r->memcpy.copy, r->memcpy.src, r->memcpy.dst,
		    r->memcpy.graph_node);
		break;
	case RECORD_PEER:
		printf("\tdevice %u context %u bytes %" PRIu64
		       " copy %u src %u dst %u from %u to %u node %" PRIu64
		       "\n",
		    r->peer.device, r->peer.context, r->peer.bytes,
		    r->peer.copy, r->peer.src, r->peer.dst, r->peer.src_device,
		    r->peer.dst_device, r->peer.graph_node);
		break;
	case RECORD_MEMSET:
		printf("\tdevice %u context %u bytes %" PRIu64
		       " value %u mem %u node %" PRIu64 "\n",
		    r->memset.device, r->memset.context, r->memset.bytes,
		    r->memset.value, r->memset.mem, r->memset.graph_node);
		break;
	case RECORD_SYNC:
		printf("\tcontext %u event %u sync %u\n", r->sync.context,
		    r->sync.event, r->sync.sync);
		break;
	case RECORD_GRAPH:
		printf("\tdevice %u context %u graph %" PRIu64 "\n",
		    r->graph.device, r->graph.context, r->graph.graph);
		break;
	case RECORD_API:
		printf("\tcallback %u ret %u\n", r->api.callback, r->api.ret);
		break;
	case RECORD_ALLOC:
		printf("\taddress %" PRIx64 " bytes %" PRIu64 " pool %" PRIx64
		       " device %u context %u op %u mem %u type %u\n",
		    r->alloc.address, r->alloc.bytes, r->alloc.pool,
		    r->alloc.device, r->alloc.context, r->alloc.op,
		    r->alloc.mem, r->alloc.pool_type);
		break;
	case RECORD_POOL:
		printf("\taddress %" PRIx64 " bytes %" PRIu64 " pool %" PRIx64
		       " device %u op %u type %u\n",
		    r->pool.address, r->pool.bytes, r->pool.pool,
		    r->pool.device, r->pool.op, r->pool.pool_type);
		break;
	case RECORD_OVERHEAD:
		printf("\twhat %u\n", r->overhead.what);
		break;
	case RECORD_DEVICE:
		device_fields(&r->device);
		break;
	case RECORD_CONTEXT:
		printf("\tcontext %u device %u\n", r->context.context,
		    r->context.device);
		break;
	case RECORD_STREAM:
		printf("\tcontext %u priority %d flags %u\n", r->stream.context,
		    r->stream.priority, r->stream.flags);
		break;
	case RECORD_CUDA_EVENT:
		printf("\tcontext %u event %u\n", r->cuda_event.context,
		    r->cuda_event.event);
		break;
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
		print_fields(&r);
}
