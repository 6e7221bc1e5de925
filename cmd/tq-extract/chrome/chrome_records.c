/* chrome_records.c - whose the records of a trace are */

#include "chrome_records.h"
#include "tq/io/emit.h"

/* the patch of a record */
struct owned {
	int64_t pid, corr;
	enum chrome_owner owner;
	bool connected;
};

#define SEVERAL_CALLERS UINT64_MAX

void
chrome_records_begin(struct chrome *c, const struct chrome_record *r)
{
	struct sorted_records *h = &c->section.records;
	bool calls = r->kind == KIND_api && r->corr != NO_ID;

	c->count->n.records++;
	c->of_kind[r->kind]++;
	if (r->pid != NO_ID && r->owner == OWNER_PID && !r->implied)
		chrome_ids_process(&c->ids, r->pid)->used = true;
	sorted_records_begin(
	    h, &(struct sorted_record){r->kind, r->ts, r->dur});
	h->provisional = r->implied;
	h->held |= calls;
	if (r->owner == OWNER_PID && !calls) {
		sorted_records_int(h, KEY_pid, r->pid);
	} else {
		const struct owned o = {r->pid, r->corr, r->owner,
		    r->connected && r->corr != NO_ID};

		sorted_records_patch(h, &o, sizeof(o));
	}
}

/* the args that are left, and a member of the event that is like one */
static void
add_args(struct sorted_records *h, struct trace_event *e)
{
	struct text *t = &h->tail;
	size_t before = t->len, start;

	if (e->member[TRACE_BP].p != NULL)
		json_members_add(&e->args, SPAN("bp"), e->member[TRACE_BP]);
	emit_add_key(t, KEY_args);
	text_add_char(t, '{');
	start = t->len;
	h->repaired += (int64_t)json_members_write(&e->args, t, start);
	if (t->len == start)
		t->len = before;
	else
		text_add_char(t, '}');
}

void
chrome_records_end(struct chrome *c)
{
	if (keyset_has(&c->section.records.chosen, KEY_args))
		add_args(&c->section.records, &c->reader.event);
	sorted_records_end(&c->section.records);
}

/* ---- all of them ---- */

static int64_t
caller_of(struct chrome *c, int64_t corr)
{
	const uint64_t *caller = NULL;

	if (!c->ids.merged)
		return c->ids.host;
	if (corr != NO_ID)
		caller = map_find(&c->callers, (uint64_t)corr, 0);
	if (caller != NULL && *caller != SEVERAL_CALLERS)
		return c->ids.processes.all[*caller - 1].pid;
	c->unowned++;
	return NO_ID;
}

static int64_t
owner_of(struct chrome *c, const struct owned *o)
{
	switch (o->owner) {
	case OWNER_CALLER:
		return caller_of(c, o->corr);
	case OWNER_HOST:
		return c->ids.host == NO_ID ||
			       chrome_ids_is_host(&c->ids, o->pid)
			   ? o->pid
			   : c->ids.host;
	default:
		return o->pid;
	}
}

/* learn who called */
static void
add_caller(void *chrome, enum kind kind, struct span bytes)
{
	struct chrome *c = chrome;
	struct owned o;
	uint64_t *caller, pid;

	memcpy(&o, bytes.p, sizeof(o));
	if (kind != KIND_api || o.corr == NO_ID || o.pid == NO_ID)
		return;
	/* a process by its place, from 1 */
	pid = (uint64_t)(chrome_ids_process(&c->ids, owner_of(c, &o)) -
			 c->ids.processes.all) +
	      1;
	caller = map_get(&c->callers, (uint64_t)o.corr, 0);
	if (*caller == 0)
		*caller = pid;
	else if (*caller != pid)
		*caller = SEVERAL_CALLERS;
}

/* The correlation id of the operation of a connection; all calls are known. */
static int64_t
call_of(const struct chrome *c, int64_t connection)
{
	const uint64_t *call =
	    map_find(&c->ascend.call_of, (uint64_t)connection, 0);

	return call != NULL ? (int64_t)*call : connection;
}

static void
add_owner(void *chrome, struct text *to, struct span bytes,
    const struct keyset *chosen)
{
	struct chrome *c = chrome;
	struct owned o;
	int64_t pid;

	memcpy(&o, bytes.p, sizeof(o));
	if (o.connected)
		o.corr = call_of(c, o.corr);
	pid = owner_of(c, &o);
	if (pid != NO_ID && keyset_has(chosen, KEY_pid))
		emit_add_int(to, KEY_pid, pid);
	if (o.connected && keyset_has(chosen, KEY_corr))
		emit_add_int(to, KEY_corr, o.corr);
}

void
chrome_records_settle(struct chrome *c)
{
	struct sorted_records *h = &c->section.records;

	h->arg = c;
	h->look = add_caller;
	h->patch = add_owner;
	if (c->ids.merged)
		sorted_records_look(h);
}
