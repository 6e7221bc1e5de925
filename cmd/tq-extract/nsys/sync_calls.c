/*
 * sync_calls.c - the API calls that synchronise, and the objects they wait for
 */

#include "sync_calls.h"
#include "tq/base/text.h"
#include "tq/names/api_call.h"

void
sync_calls_free(struct sync_calls *c)
{
	launches_free(&c->calls);
}

/* a part of a version, and go behind it and a dot */
static uint64_t
next_part(struct span *version)
{
	uint64_t part = 0;

	while (version->len > 0 && part < UINT32_MAX) {
		unsigned char c = (unsigned char)*version->p;

		*version = (struct span){version->p + 1, version->len - 1};
		if (c < '0' || c > '9')
			break;
		part = part * 10 + c - '0';
	}
	return part;
}

void
sync_calls_init(
    struct sync_calls *c, struct string_ids *strings, struct span schema)
{
	uint64_t major = next_part(&schema);
	uint64_t minor = next_part(&schema);
	uint64_t patch = next_part(&schema);

	*c = (struct sync_calls){.strings = strings};
	c->names[0].id = 1; /* not in this slot; nor is 0 in the others */
	c->stable_types = major > 3 || (major == 3 && minor > 24) ||
			  (major == 3 && minor == 24 && patch >= 14);
}

/* ---- names ---- */

static enum sync_type
type_of(struct span function)
{
	static const enum sync_type types[API_ABOUTS] = {
	    [API_CONTEXT] = SYNC_CONTEXT,
	    [API_STREAM] = SYNC_STREAM,
	    [API_EVENT] = SYNC_EVENT,
	    [API_STREAM_WAITS] = SYNC_STREAM_WAIT_EVENT,
	};

	return types[api_call_of(function).about];
}

void
sync_calls_read(struct sync_calls *c, struct sync_name *name, int64_t id)
{
	struct span function;

	*name = (struct sync_name){id, SYNC_UNKNOWN};
	if (string_ids_find(c->strings, id, &function))
		name->type = type_of(function);
}

/* ---- synchronisations ---- */

enum sync_type
sync_calls_get(struct sync_calls *c, uint64_t process, uint64_t corr)
{
	return (enum sync_type)launches_get(&c->calls, process, corr);
}

/* false where the column is absent, or means none */
static bool
has_id(const struct sql_value *value, int64_t first)
{
	int64_t id;

	return value != NULL && sql_value_int(value, &id) && id >= first &&
	       id != UINT32_MAX;
}

int64_t
sync_calls_guess(const struct sync_calls *c, const struct sync_columns *of)
{
	static const enum sync_type deprecated[] = {
	    SYNC_CONTEXT, SYNC_EVENT, SYNC_STREAM};
	int64_t type = SYNC_UNKNOWN, old;
	bool stream, event;

	if (of->deprecated != NULL && sql_value_int(of->deprecated, &old) &&
	    old >= 0 && old < 3)
		return deprecated[old];
	if (!sql_value_int(of->type, &type) || c->stable_types)
		return type;
	/* all versions agree on the two columns that the types differ in */
	stream = has_id(of->stream, 0);
	event = has_id(of->event, 1);
	return stream && event ? SYNC_STREAM_WAIT_EVENT
	       : stream        ? SYNC_STREAM
	       : event         ? SYNC_EVENT
			       : SYNC_CONTEXT;
}
