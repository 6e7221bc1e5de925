/* osrt_lines.c - calls of the C library become lines */

#include "osrt_lines.h"
#include "lines.h"
#include "python_lines.h"
#include "sample_lines.h"

static const char *const names[OSRT_CALLS] = {
#define CALL(result, type, name, ...) #name,
#define OWN(name) #name,
#include "arena/osrt_calls.def"
};

/* behind a prefix, if it has it */
static struct span
behind(struct span s, struct span prefix)
{
	if (!span_begins(s, prefix))
		return s;
	return (struct span){s.p + prefix.len, s.len - prefix.len};
}

/* "__read_chk", "__open64_2", "_IO_getc", "__getdelim" and "__isoc99_scanf" are
   read, open64, getc, getdelim and scanf */
static struct span
plain_name(struct span s)
{
	size_t len;

	if (!span_begins(s, SPAN("__")))
		return behind(s, SPAN("_IO_"));
	s = behind(s, SPAN("__"));
	s = behind(behind(s, SPAN("isoc99_")), SPAN("isoc23_"));
	for (len = s.len; len > 0 && s.p[len - 1] != '_'; len--)
		;
	return (struct span){s.p, len > 0 ? len - 1 : s.len};
}

/*
 * The functions for large files are those that they stand for, "preadv64v2"
 * preadv2.  The name is in to where it is none of the table.
 */
struct span
osrt_lines_name(unsigned call, char to[OSRT_LINES_NAME])
{
	struct span s = plain_name(span_of(names[call]));
	const char *at = memmem(s.p, s.len, "64", 2);
	size_t head, tail;

	if (at == NULL || s.len >= OSRT_LINES_NAME)
		return s;
	head = (size_t)(at - s.p);
	tail = s.len - head - 2;
	memcpy(to, s.p, head);
	memcpy(to + head, at + 2, tail);
	if (tail > 1 && to[head] == 'v') /* of v2 */
		memmove(to + head, to + head + 1, --tail);
	return (struct span){to, head + tail};
}

unsigned
osrt_lines_number(const char *symbol)
{
	const char *begin =
	    strncmp(symbol, "__GI_", 5) == 0 ? symbol + 5 : symbol;
	struct span name;
	char text[OSRT_LINES_NAME];
	unsigned call = 0;

	begin += strspn(begin, "_");
	name = (struct span){begin, strcspn(begin, "@")};
	while (call < OSRT_CALLS && !span_eq(osrt_lines_name(call, text), name))
		call++;
	return call;
}

int
osrt_lines_module(
    struct lines *l, const struct chunk *c, const struct record *r)
{
	struct module_place place;
	struct record_parts x;

	(void)c;
	if (!record_parts_parse_gathered(&l->gathered, &x, r) ||
	    x.blob.len < sizeof(place))
		return LINES_GARBAGE;
	memcpy(&place, x.blob.p, sizeof(place));
	if (x.text.p == NULL)
		x.text.p = "";
	code_map_add_module(&l->code, &l->stacks->names.modules,
	    &(struct module_key){.path = x.text,
		.device = place.device,
		.inode = place.inode,
		.start = x.id,
		.end = place.end,
		.offset = place.offset,
		.pid = l->pid});
	return 0;
}

/* The name before a NUL; *target: behind it. */
static struct span
take_target(struct span both, struct span *target)
{
	const char *end = both.len > 0 ? memchr(both.p, '\0', both.len) : NULL;

	if (end == NULL)
		return both;
	*target = (struct span){end + 1, both.len - (size_t)(end + 1 - both.p)};
	return (struct span){both.p, (size_t)(end - both.p)};
}

static void
write_line(struct lines *l, int32_t tid, const struct record_osrt *r,
    const struct record_parts *x, int64_t native)
{
	int64_t ts = clock_ns(l->clock, r->head.ticks);
	char name[OSRT_LINES_NAME];
	struct call_line c = {.kind = KIND_osrt,
	    .tid = tid,
	    .ts = ts,
	    .dur = lines_dur(l, ts, r->end),
	    .name = osrt_lines_name(r->call, name),
	    .bytes = r->bytes > 0 ? &r->bytes : NULL,
	    .ret = r->has & OSRT_HAS_RET ? &r->ret : NULL,
	    .file = x->text,
	    .python = python_lines_stack(l, r->python),
	    .native = native,
	    .lock = r->object,
	    .fd = &r->fd};

	if (r->has & OSRT_HAS_TO) {
		c.file = take_target(c.file, &c.to_file);
		c.to = &r->to;
	}
	call_line_write(l, &c);
}

int
osrt_lines_record(
    struct lines *l, const struct chunk *c, const struct record *r)
{
	const struct record_osrt *call = (const struct record_osrt *)r;
	int32_t tid = lines_thread(l, c)->tid;
	struct record_parts x;

	if (!record_parts_parse(&x, r, sizeof(*call)) ||
	    call->call >= OSRT_CALLS)
		return LINES_GARBAGE;
	open_calls_over(&l->open_calls, tid, clock_ns(l->clock, call->end));
	write_line(l, tid, call, &x, sample_lines_stack(l, &x));
	return 1;
}
