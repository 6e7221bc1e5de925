/* absent.c - ids that a selection names, and no record has */

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tq/base/array.h"

#include "absent.h"

/* NULL: the key is not the number of anything */
static struct absent_ids *
ids_of(struct absent *a, enum key key)
{
	static const enum key keys[ABSENT_KEYS] = {
	    KEY_pid, KEY_tid, KEY_device, KEY_context, KEY_stream, KEY_rank};

	for (size_t i = 0; i < a->count; i++)
		if (a->ids[i].key == key)
			return &a->ids[i];
	for (size_t i = 0; i < ABSENT_KEYS; i++)
		if (keys[i] == key) {
			a->ids[a->count].key = key;
			return &a->ids[a->count++];
		}
	return NULL;
}

void
absent_ask(struct absent *a, enum key key, int64_t id)
{
	struct absent_ids *ids = ids_of(a, key);

	if (ids == NULL)
		return;
	*array_add(&ids->asked, &ids->count, &ids->cap) =
	    (struct asked_id){.id = id};
	a->watching = true;
}

/* one outside of the selection */
static void
add_other(struct absent_ids *ids, int64_t id)
{
	size_t i = 0;

	while (i < ids->other_count && ids->others[i] < id)
		i++;
	if (i < ids->other_count && ids->others[i] == id)
		return;
	if (ids->other_count == ABSENT_SHOWN) {
		ids->more = true;
		return;
	}
	memmove(ids->others + i + 1, ids->others + i,
	    (ids->other_count++ - i) * sizeof(*ids->others));
	ids->others[i] = id;
}

static void
note_id(struct absent_ids *ids, int64_t id)
{
	bool asked = false;

	for (size_t i = 0; i < ids->count; i++)
		if (ids->asked[i].id == id)
			asked = ids->asked[i].occurs = true;
	if (!asked)
		add_other(ids, id);
}

/* true if the digits are those of the call before; remembers them */
static bool
is_last(struct absent_ids *ids, struct span digits)
{
	if (digits.len == ids->last_len &&
	    memcmp(digits.p, ids->last, digits.len) == 0)
		return true;
	ids->last_len = digits.len <= sizeof(ids->last) ? digits.len : 0;
	memcpy(ids->last, digits.p, ids->last_len);
	return false;
}

void
absent_note(struct absent *a, const struct event *ev)
{
	for (struct absent_ids *ids = a->ids; ids < a->ids + a->count; ids++)
		if (event_has(ev, ids->key) &&
		    !is_last(ids, ev->value[ids->key]))
			note_id(ids, event_int(ev, ids->key, 0));
}

static void
warn_of(const char *key, int64_t id, const struct absent_ids *ids)
{
	struct text t = {0};

	for (size_t i = 0; i < ids->other_count; i++)
		text_printf(
		    &t, "%s%" PRId64, i == 0 ? "" : ", ", ids->others[i]);
	text_add_str(&t, ids->more ? ", ..." : "");
	text_add_char(&t, '\0');
	warnx("warning: no record has %s %" PRId64 "%s%s", key, id,
	    ids->other_count > 0 ? "; there are " : ", nor any other", t.p);
	text_free(&t);
}

void
absent_warn(const struct absent *a)
{
	for (size_t i = 0; a->watching && i < a->count; i++)
		for (size_t j = 0; j < a->ids[i].count; j++)
			if (!a->ids[i].asked[j].occurs) {
				warn_of(schema_keys[a->ids[i].key].name,
				    a->ids[i].asked[j].id, &a->ids[i]);
				return;
			}
}

void
absent_free(struct absent *a)
{
	for (size_t i = 0; i < a->count; i++)
		free(a->ids[i].asked);
}
