/* row_cache.c - the row of a record */

#include "row_cache.h"

enum { NO_DEVICE = -1 };

void
row_cache_init(struct row_cache *r, struct tracks *tracks)
{
	*r = (struct row_cache){.tracks = tracks};
}

void
row_cache_reset(struct row_cache *r)
{
	row_cache_init(r, r->tracks);
}

/* ---- by numbers ---- */

struct track_group *
row_cache_process(struct row_cache *r, const struct event *ev)
{
	return tracks_group(r->tracks, event_int(ev, KEY_pid, NO_ID), NO_ID);
}

static struct track_group *
group_of_device(struct row_cache *r, const struct event *ev)
{
	return tracks_group(r->tracks, event_int(ev, KEY_pid, NO_ID),
	    event_int(ev, KEY_device, NO_DEVICE));
}

struct track_group *
row_cache_owner(struct row_cache *r, const struct event *ev)
{
	return event_has(ev, KEY_device) ? group_of_device(r, ev)
					 : row_cache_process(r, ev);
}

static bool
is_of_stream(enum row_kind kind)
{
	return kind == ROW_STREAM || kind == ROW_SYNC;
}

/* True if the stream is unknown, but not the queue. */
static inline bool
is_of_queue(const struct event *ev, enum row_kind kind)
{
	return kind == ROW_STREAM && !event_has(ev, KEY_stream) &&
	       event_has(ev, KEY_queue);
}

static struct track_row *
look_up_row(struct row_cache *r, const struct event *ev, enum row_kind kind)
{
	if (is_of_queue(ev, kind))
		return tracks_row(r->tracks, group_of_device(r, ev), kind,
		    TRACKS_QUEUE, event_int(ev, KEY_queue, NO_ID));
	if (is_of_stream(kind))
		return tracks_row(r->tracks, group_of_device(r, ev), kind,
		    event_int(ev, KEY_context, NO_ID),
		    event_int(ev, KEY_stream, NO_ID));
	if (kind == ROW_OVERHEAD)
		return tracks_row(
		    r->tracks, row_cache_process(r, ev), kind, NO_ID, 0);
	if (kind == ROW_PROJECTED)
		return tracks_row(r->tracks, group_of_device(r, ev), kind,
		    event_int(ev, KEY_tid, NO_ID),
		    event_int(ev, KEY_stream, NO_ID));
	return tracks_row(r->tracks, row_cache_process(r, ev), kind,
	    event_int(ev, KEY_tid, NO_ID), 0);
}

/* ---- by text ---- */

/* the ids of a record, as text: up to eight digits are a word, no key is 0 */
struct row_ids {
	uint64_t word[4];
	size_t over; /* >= 8 if an id is longer */
};

static inline void
read_id(struct row_ids *ids, size_t i, const struct event *ev, enum key key)
{
	struct span v = ev->value[key];
	uint64_t word;

	if (!event_has(ev, key))
		return;
	memcpy(&word, v.p, sizeof(word)); /* may read the padding */
	ids->word[i] = word << ((0 - v.len * 8) & 63);
	ids->over |= v.len - 1;
}

static inline size_t
home(const uint64_t id[4])
{
	uint64_t h = (id[0] ^ id[2] >> 3) * 0x9e3779b97f4a7c15u ^
		     (id[1] ^ id[3] >> 5) * 0xd6e8feb86659fd93u;

	return (size_t)(h >> 58) & (ROW_CACHE_SLOTS - 1);
}

static inline bool
equal(const uint64_t a[4], const uint64_t b[4])
{
	return ((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) |
		   (a[3] ^ b[3])) == 0;
}

/* remember the row */
__attribute__((noinline)) static struct track_row *
remember_row(struct row_cache *r, const struct event *ev, enum row_kind kind,
    struct row_ids ids, struct row_cache_slot *slot)
{
	slot->row = look_up_row(r, ev, kind);
	memcpy(slot->id, ids.word, sizeof(ids.word));
	return slot->row;
}

static inline struct track_row *
find_row(struct row_cache *r, const struct event *ev, enum row_kind kind,
    struct row_ids ids)
{
	struct row_cache_slot *slot = &r->slots[kind][home(ids.word)];

	if (ids.over >= 8)
		return look_up_row(r, ev, kind);
	if (slot->row == NULL || !equal(slot->id, ids.word))
		return remember_row(r, ev, kind, ids, slot);
	return slot->row;
}

struct track_row *
row_cache_find(struct row_cache *r, const struct event *ev, enum row_kind kind)
{
	struct row_ids ids = {0};

	read_id(&ids, 0, ev, KEY_pid);
	if (is_of_stream(kind)) {
		read_id(&ids, 1, ev, KEY_device);
		read_id(&ids, 2, ev, KEY_context);
		read_id(&ids, 3, ev, KEY_stream);
		if (is_of_queue(ev, kind))
			return look_up_row(r, ev, kind);
		return find_row(r, ev, kind, ids);
	}
	read_id(&ids, 1, ev, KEY_tid);
	if (kind == ROW_PROJECTED) {
		read_id(&ids, 2, ev, KEY_device);
		read_id(&ids, 3, ev, KEY_stream);
	}
	return find_row(r, ev, kind, ids);
}
