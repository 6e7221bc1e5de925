/* rows.c - the row on which a record is drawn */

#include "tq/rows.h"

enum { NO_DEVICE = -1 };

void
rows_init(struct rows *r, struct tracks *tracks)
{
	*r = (struct rows){.tracks = tracks};
}

void
rows_reset(struct rows *r)
{
	rows_init(r, r->tracks);
}

/* ---- by numbers ---- */

struct group *
rows_process(struct rows *r, const struct event *ev)
{
	return tracks_group(
	    r->tracks, event_int(ev, KEY_pid, NAMES_NONE), NAMES_NONE);
}

struct group *
rows_device(struct rows *r, const struct event *ev)
{
	return tracks_group(r->tracks, event_int(ev, KEY_pid, NAMES_NONE),
	    event_int(ev, KEY_device, NO_DEVICE));
}

struct group *
rows_owner(struct rows *r, const struct event *ev)
{
	return event_has(ev, KEY_device) ? rows_device(r, ev)
					 : rows_process(r, ev);
}

static bool
is_of_stream(enum row_kind kind)
{
	return kind == ROW_STREAM || kind == ROW_SYNC;
}

static struct row *
look_up(struct rows *r, const struct event *ev, enum row_kind kind)
{
	if (is_of_stream(kind))
		return tracks_row(r->tracks, rows_device(r, ev), kind,
		    event_int(ev, KEY_context, NAMES_NONE),
		    event_int(ev, KEY_stream, NAMES_NONE));
	return tracks_row(r->tracks,
	    kind == ROW_PROJECTED ? rows_device(r, ev) : rows_process(r, ev),
	    kind, event_int(ev, KEY_tid, NAMES_NONE), 0);
}

/* ---- by text ---- */

/* Up to eight digits as a word, 0 where there is no such key; false if more. */
static inline bool
read_id(const struct event *ev, enum key key, uint64_t *word)
{
	struct span v = ev->value[key];

	*word = 0;
	if (!event_has(ev, key))
		return true;
	memcpy(word, v.p, sizeof(*word)); /* may read the padding */
	*word <<= (64 - v.len * 8) & 63;
	return v.len <= sizeof(*word);
}

static inline bool
read_ids(const struct event *ev, enum row_kind kind, uint64_t id[4])
{
	bool ok = read_id(ev, KEY_pid, &id[0]);

	if (is_of_stream(kind))
		return read_id(ev, KEY_device, &id[1]) &&
		       read_id(ev, KEY_context, &id[2]) &&
		       read_id(ev, KEY_stream, &id[3]) && ok;
	id[2] = id[3] = 0;
	if (kind == ROW_PROJECTED)
		ok &= read_id(ev, KEY_device, &id[2]);
	return read_id(ev, KEY_tid, &id[1]) && ok;
}

static inline size_t
home(const uint64_t id[4])
{
	uint64_t h = (id[0] ^ id[2] >> 3) * 0x9e3779b97f4a7c15u ^
		     (id[1] ^ id[3] >> 5) * 0xd6e8feb86659fd93u;

	return (size_t)(h >> 58) & (ROWS_KNOWN - 1);
}

struct row *
rows_find(struct rows *r, const struct event *ev, enum row_kind kind)
{
	struct rows_known *known;
	uint64_t id[4];

	if (!read_ids(ev, kind, id))
		return look_up(r, ev, kind);
	known = &r->known[kind][home(id)];
	if (known->row == NULL || memcmp(known->id, id, sizeof(id)) != 0) {
		known->row = look_up(r, ev, kind);
		memcpy(known->id, id, sizeof(id));
	}
	return known->row;
}
