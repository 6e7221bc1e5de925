/* flight_recorder.c - the last seconds of a stream, in memory */

#include <err.h>
#include <stdlib.h>
#include <zstd.h>

#include "tq/base/array.h"

#include "flight_recorder.h"

enum {
	FRAME = 4 << 20,       /* bytes of lines in a frame, at most */
	NOTES_MOST = 64 << 10, /* bytes of diagnostics that stay */
	LEVEL = 1,             /* of zstd: as fast as lines are written */
	TROUBLE = 125
};

static const int64_t SECOND = 1000000000;

/* the head of each line that is kept */
struct kept_line {
	int64_t ts, dur;
	size_t len;
};

/* lines, compressed */
struct frame {
	char *packed;
	size_t size;
	int64_t newest; /* ns: the last end of its events */
};

struct kept_lines {
	struct frame *frames;
	size_t count, cap, first; /* those before first are forgotten */
	struct text fresh;        /* not yet compressed */
	int64_t oldest, newest;   /* ends of events in fresh */
	size_t bytes;             /* of the frames */
};

struct loss {
	int64_t ts, count;
};

struct flight_recorder {
	struct kept_lines definitions, notes, events;
	struct loss *losses;
	size_t loss_count, loss_cap;
	ZSTD_CCtx *packer;
};

struct flight_recorder *
flight_recorder_open(void)
{
	struct flight_recorder *r = mem_alloc(sizeof(*r));

	r->packer = ZSTD_createCCtx();
	if (r->packer == NULL)
		errx(TROUBLE, "out of memory");
	return r;
}

/* ---- frames ---- */

/* compress the fresh lines */
static void
pack(struct flight_recorder *r, struct kept_lines *k)
{
	size_t room = ZSTD_compressBound(k->fresh.len), n;
	char *packed;

	if (k->fresh.len == 0)
		return;
	packed = mem_alloc(room);
	n = ZSTD_compressCCtx(
	    r->packer, packed, room, k->fresh.p, k->fresh.len, LEVEL);
	if (ZSTD_isError(n))
		errx(TROUBLE, "zstd: %s", ZSTD_getErrorName(n));
	*array_add(&k->frames, &k->count, &k->cap) =
	    (struct frame){mem_resize(packed, n, 1), n, k->newest};
	k->bytes += n;
	k->fresh.len = 0;
}

static void
keep(struct flight_recorder *r, struct kept_lines *k,
    const struct kept_line *head, int64_t end, struct span line)
{
	if (k->fresh.len > 0 &&
	    (k->fresh.len + line.len > FRAME || end - k->oldest > SECOND))
		pack(r, k);
	if (k->fresh.len == 0)
		k->oldest = k->newest = end;
	if (end < k->oldest)
		k->oldest = end;
	if (end > k->newest)
		k->newest = end;
	text_add(&k->fresh, (const char *)head, sizeof(*head));
	text_add_span(&k->fresh, line);
}

static void
drop_frame(struct kept_lines *k, struct frame *f)
{
	free(f->packed);
	k->bytes -= f->size;
	*f = (struct frame){0};
}

/* ---- reading ---- */

struct giving {
	int64_t from;
	void (*put)(void *arg, const struct sorter_line *line);
	void *arg;
};

/* ns; of an event that is going on there is no end */
static int64_t
end_of(const struct kept_line *l)
{
	return l->dur < INT64_MAX - l->ts ? l->ts + l->dur : INT64_MAX;
}

static void
give_lines(struct span lines, const struct giving *g)
{
	struct kept_line head;

	while (lines.len > 0) {
		memcpy(&head, lines.p, sizeof(head));
		lines.p += sizeof(head);
		if (end_of(&head) >= g->from)
			g->put(g->arg, &(struct sorter_line){.ts = head.ts,
					   .dur = head.dur,
					   .line = {lines.p, head.len}});
		lines.p += head.len;
		lines.len -= sizeof(head) + head.len;
	}
}

static void
give_frame(const struct frame *f, struct text *room, const struct giving *g)
{
	unsigned long long n = ZSTD_getFrameContentSize(f->packed, f->size);
	size_t got;

	room->len = 0;
	text_reserve(room, n);
	got = ZSTD_decompress(room->p, room->cap, f->packed, f->size);
	if (room->p == NULL || ZSTD_isError(got))
		errx(TROUBLE, "zstd: %s", ZSTD_getErrorName(got));
	give_lines((struct span){room->p, got}, g);
}

static void
give(const struct kept_lines *k, const struct giving *g)
{
	struct text room = {0};

	for (size_t i = k->first; i < k->count; i++)
		if (k->frames[i].newest >= g->from)
			give_frame(&k->frames[i], &room, g);
	give_lines(text_span(&k->fresh), g);
	text_free(&room);
}

static void
forget_all(struct kept_lines *k)
{
	for (size_t i = k->first; i < k->count; i++)
		drop_frame(k, &k->frames[i]);
	k->first = k->count = 0;
	k->fresh.len = 0;
}

/* ---- the recorder ---- */

void
flight_recorder_define(struct flight_recorder *r, struct span line)
{
	keep(r, &r->definitions, &(struct kept_line){.len = line.len}, 0, line);
}

void
flight_recorder_add(struct flight_recorder *r, int64_t ts, int64_t dur,
    bool note, struct span line)
{
	struct kept_line head = {ts, dur, line.len};
	int64_t end = end_of(&head);

	if (note && r->notes.fresh.len < NOTES_MOST) {
		keep(r, &r->notes, &head, 0, line);
		return;
	}
	/* one that goes on may be forgotten with events that ended by now */
	if (end == INT64_MAX)
		end = ts > r->events.newest ? ts : r->events.newest;
	keep(r, &r->events, &head, end, line);
}

void
flight_recorder_lose(struct flight_recorder *r, int64_t ts, int64_t count)
{
	*array_add(&r->losses, &r->loss_count, &r->loss_cap) =
	    (struct loss){ts, count};
}

static void
forget_losses(struct flight_recorder *r, int64_t before)
{
	size_t left = 0;

	for (size_t i = 0; i < r->loss_count; i++)
		if (r->losses[i].ts >= before)
			r->losses[left++] = r->losses[i];
	r->loss_count = left;
}

void
flight_recorder_forget(struct flight_recorder *r, int64_t before)
{
	struct kept_lines *k = &r->events;

	if (k->fresh.len > 0 && k->newest < before)
		k->fresh.len = 0;
	while (k->first < k->count && k->frames[k->first].newest < before)
		drop_frame(k, &k->frames[k->first++]);
	if (k->first > k->count / 2) {
		k->count -= k->first;
		memmove(k->frames, k->frames + k->first,
		    k->count * sizeof(*k->frames));
		k->first = 0;
	}
	forget_losses(r, before);
}

void
flight_recorder_definitions(const struct flight_recorder *r,
    void (*put)(void *arg, const struct sorter_line *line), void *arg)
{
	give(&r->definitions, &(struct giving){INT64_MIN, put, arg});
}

int64_t
flight_recorder_take(struct flight_recorder *r, int64_t from,
    void (*put)(void *arg, const struct sorter_line *line), void *arg)
{
	int64_t lost = 0;

	give(&r->notes, &(struct giving){INT64_MIN, put, arg});
	give(&r->events, &(struct giving){from, put, arg});
	forget_all(&r->events);
	for (size_t i = 0; i < r->loss_count; i++)
		if (r->losses[i].ts >= from)
			lost += r->losses[i].count;
	r->loss_count = 0;
	return lost;
}

size_t
flight_recorder_bytes(const struct flight_recorder *r)
{
	return r->definitions.bytes + r->definitions.fresh.cap +
	       r->events.bytes + r->events.fresh.cap + r->notes.fresh.cap;
}

static void
free_lines(struct kept_lines *k)
{
	forget_all(k);
	free(k->frames);
	text_free(&k->fresh);
}

void
flight_recorder_free(struct flight_recorder *r)
{
	if (r == NULL)
		return;
	free_lines(&r->definitions);
	free_lines(&r->notes);
	free_lines(&r->events);
	free(r->losses);
	ZSTD_freeCCtx(r->packer);
	free(r);
}
