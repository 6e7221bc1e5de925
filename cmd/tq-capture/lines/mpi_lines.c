/* mpi_lines.c - calls of MPI become lines */

#include <stdio.h>

#include "lines.h"

enum mpi_class { P2P, COLLECTIVES, START_WAIT, OTHER };

static const char *const classes[] = {
    "p2p", "collectives", "start-wait", "other"};

#define FIRST(class, ...) class
static const struct {
	const char *name;
	enum mpi_class of;
} calls[MPI_CALLS] = {
#define CALL(name, words, ...) [MPI_##name] = {#name, FIRST(__VA_ARGS__, )},
#include "arena/mpi_calls.def"
};

/* ---- a line ---- */

/* one message of a call */
struct mpi_half {
	unsigned has; /* of the bits below */
	int32_t peer, tag;
	int64_t bytes, received;
};

static void
write_args(struct text *t, const struct record_mpi *r, const struct mpi_half *h)
{
	text_add_char(t, '{');
	call_line_string(t, "class", span_of(classes[calls[r->call].of]));
	call_line_number(
	    t, "commHandle", (int64_t)r->comm, (r->has & MPI_HAS_COMM) != 0);
	call_line_number(
	    t, "recvSize", h->received, (h->has & MPI_HAS_RECEIVED) != 0);
	call_line_number(
	    t, "remoteRank", h->peer, (h->has & MPI_HAS_PEER) != 0);
	call_line_number(t, "requestHandle", (int64_t)r->request,
	    (r->has & MPI_HAS_REQUEST) != 0);
	call_line_number(t, "rootRank", r->root, (r->has & MPI_HAS_ROOT) != 0);
	call_line_number(t, "size", h->bytes, (h->has & MPI_HAS_SENT) != 0);
	call_line_number(t, "tag", h->tag, (h->has & MPI_HAS_TAG) != 0);
	text_add_char(t, '}');
}

static void
write_line(struct lines *l, int32_t tid, const struct record_mpi *r,
    const struct mpi_half *h)
{
	int64_t ts = clock_ns(l->clock, r->head.ticks), ret = r->ret;
	char name[64];
	struct call_line c = {.kind = KIND_api,
	    .tid = tid,
	    .ts = ts,
	    .dur = r->end != 0 ? lines_dur(l, ts, r->end) : DUR_OPEN,
	    .api = "mpi",
	    .ret = ret != 0 ? &ret : NULL};

	snprintf(name, sizeof(name), "MPI_%s%s", calls[r->call].name,
	    r->has & MPI_IS_LARGE ? "_c" : "");
	c.name = span_of(name);
	call_line_begin(l, &c);
	emit_key(&l->out->line, KEY_args);
	write_args(&l->out->line.buf, r, h);
	lines_put(l, c.ts, c.dur);
}

/* bit to if the record has bit from */
static unsigned
as_bit(const struct record_mpi *r, unsigned from, unsigned to)
{
	return r->has & from ? to : 0;
}

static struct mpi_half
sending_half(const struct record_mpi *r)
{
	return (struct mpi_half){
	    .has = r->has & (MPI_HAS_PEER | MPI_HAS_TAG | MPI_HAS_SENT),
	    .peer = r->peer,
	    .tag = r->tag,
	    .bytes = r->sent};
}

static struct mpi_half
receiving_half(const struct record_mpi *r)
{
	return (struct mpi_half){
	    .has = as_bit(r, MPI_HAS_FROM, MPI_HAS_PEER) |
		   as_bit(r, MPI_HAS_FROM_TAG, MPI_HAS_TAG) |
		   as_bit(r, MPI_HAS_RECEIVED, MPI_HAS_SENT),
	    .peer = r->from,
	    .tag = r->from_tag,
	    .bytes = r->received};
}

static bool
are_equal(const struct mpi_half *a, const struct mpi_half *b)
{
	return a->has == b->has && a->peer == b->peer && a->tag == b->tag &&
	       a->bytes == b->bytes;
}

/* as nsys: a collective has two sizes in its line; a message that is sent and
   one that is received have a line each, unless they are alike */
static void
write_call(struct lines *l, int32_t tid, const struct record_mpi *r)
{
	struct mpi_half send = sending_half(r), receive = receiving_half(r);
	bool two = (r->has & (MPI_HAS_FROM | MPI_HAS_FROM_TAG)) != 0;

	if (calls[r->call].of == COLLECTIVES) {
		send.has |= r->has & MPI_HAS_RECEIVED;
		send.received = r->received;
	} else if (!two && !(r->has & MPI_HAS_SENT)) {
		send.has |= receive.has;
		send.bytes = r->received;
	}
	write_line(l, tid, r, &send);
	if (two && !are_equal(&send, &receive))
		write_line(l, tid, r, &receive);
}

/* ---- calls that are open ---- */

static void
begin_call(struct mpi_thread *t, const struct record_mpi *r)
{
	/* the end of the oldest one is lost, or a program jumped out of it */
	if (t->depth == MPI_NESTED_MAX)
		memmove(&t->open[0], &t->open[1],
		    (size_t)--t->depth * sizeof(t->open[0]));
	t->open[t->depth++] = *r;
}

static void
end_call(struct mpi_thread *t, const struct record_mpi *r)
{
	while (
	    t->depth > 0 && t->open[t->depth - 1].head.ticks >= r->head.ticks)
		t->depth--;
}

static struct mpi_thread *
find_thread(struct lines *l, int32_t tid)
{
	bool fresh;
	struct mpi_thread *t =
	    keyed_get(&l->mpi.threads, (uint32_t)tid, 0, &fresh);

	if (fresh)
		*t = (struct mpi_thread){.tid = tid};
	return t;
}

int
mpi_lines_record(
    struct lines *l, const struct chunk *c, const struct record *record)
{
	const struct record_mpi *r = (const struct record_mpi *)record;
	struct mpi_thread *t = find_thread(l, lines_thread(l, c)->tid);

	if (record->words != sizeof(*r) / 8 || r->call >= MPI_CALLS)
		return LINES_GARBAGE;
	if (r->end == 0) {
		begin_call(t, r);
		return 0;
	}
	end_call(t, r);
	if ((r->has & MPI_HAS_RANK) && r->rank != l->rank) {
		l->rank = r->rank;
		lines_define(l);
	}
	write_call(l, t->tid, r);
	return 1;
}

int64_t
mpi_lines_open(struct lines *l)
{
	int64_t n = 0;

	for (size_t i = 0; i < l->mpi.threads.count && !l->mpi.lost; i++) {
		const struct mpi_thread *t = &l->mpi.threads.all[i];

		for (int k = 0; k < t->depth; k++, n++)
			write_call(l, t->tid, &t->open[k]);
	}
	return n;
}

void
mpi_lines_free(struct mpi_lines *m)
{
	keyed_free(&m->threads);
}
