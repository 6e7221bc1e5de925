/* work_lines.c - the work of ranks as lines of a partial, and back */

#include <inttypes.h>
#include <stdlib.h>

#include "tq/line/json.h"

#include "partial/partial.h"
#include "work_lines.h"

enum { CHUNK = 256 }; /* operations of a line */

/* of operations; what is not of a device did not do anything before */
enum op_column {
	OP_START, /* the first; of others the time since the one before */
	OP_LENGTH,
	OP_KIND,
	OP_PEER,
	OP_BYTES,
	OP_NUMBER, /* less the index in the line */
	OP_AFTER,  /* as in rank_work.h, less the end of the one before, or of
		    * the first its start */
	OP_STEP,
	OP_COMPUTE,
	OP_COPY,
	OP_LATE,
	OP_IDLE,
	OP_COLUMNS
};

static const char *const op_columns[OP_COLUMNS] = {"start", "length", "kind",
    "peer", "bytes", "number", "after", "step", "compute", "copy", "late",
    "idle"};

_Static_assert(OP_COLUMNS - OP_COMPUTE == EXCESS_PARTS,
    "a column for each part of what a rank did");

/* the known time b after a; else NO_ID */
static int64_t
less(int64_t b, int64_t a)
{
	return b == NO_ID ? NO_ID : (int64_t)((uint64_t)b - (uint64_t)a);
}

static int64_t
plus(int64_t a, int64_t b)
{
	return a == NO_ID ? NO_ID : (int64_t)((uint64_t)a + (uint64_t)b);
}

/* ---- writing ---- */

struct held_operations {
	size_t count;
	int64_t until; /* the end of the last */
	int64_t v[OP_COLUMNS][CHUNK];
};

struct lines_writer {
	struct rank_work *work;
	struct output *o;
	const char *report;
	struct held_operations *held; /* by sequence */
};

static void
add_integers(
    struct text *t, const char *name, const int64_t *values, size_t count)
{
	text_printf(t, ",\"%s\":[", name);
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			text_add_char(t, ',');
		text_add_int(t, values[i]);
	}
	text_add_char(t, ']');
}

static void
write_steps(struct text *t, const struct work_process *p)
{
	text_printf(t, ",\"ranges\":%" PRId64 ",\"steps\":[", p->ranges);
	for (size_t i = 0; i < p->count; i++)
		text_printf(t, "%s%" PRId64 ",%" PRId64 ",%" PRId64,
		    i > 0 ? "," : "", p->all[i].number, p->all[i].ts,
		    time_between(p->all[i].ts, p->all[i].end));
	text_add_char(t, ']');
}

static void
write_sequences(struct text *t, const struct job *j, size_t rank)
{
	const char *comma = "";

	text_add_str(t, ",\"sequences\":[");
	for (size_t i = 0; i < j->sequences.count; i++) {
		const struct job_sequence *s = &j->sequences.all[i];

		if (s->rank != rank)
			continue;
		text_printf(t,
		    "%s%" PRIu32 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64
		    ",%d",
		    comma, s->comm, s->members, s->me, s->count, s->next,
		    s->numbered);
		comma = ",";
	}
	text_add_char(t, ']');
}

/* True if no rank before it is of its process. */
static bool
is_first_of_process(const struct job *j, size_t rank)
{
	for (size_t i = 0; i < rank; i++)
		if (j->ranks.all[i].process == j->ranks.all[rank].process)
			return false;
	return true;
}

static void
write_rank(struct lines_writer *l, size_t rank)
{
	static const struct work_rank none = {.first = NO_ID};
	const struct rank_work *w = l->work;
	const struct job_rank *r = &w->job.ranks.all[rank];
	const struct work_rank *work =
	    rank < w->rank_count ? &w->ranks[rank] : &none;
	struct text *t = &l->o->buf;

	partial_open(l->o, l->report);
	add_integers(t, "rank",
	    (int64_t[]){r->section, r->pid, r->device, r->number, r->clock,
		r->spread, r->from, r->to, work->first, work->until},
	    10);
	text_add_str(t, ",\"host\":");
	partial_add_string(t, r->host);
	if (r->mesh.has != 0) {
		text_add_str(t, ",\"mesh\":");
		mesh_write(t, &r->mesh);
	}
	add_integers(t, "parts", work->parts, ACCOUNT_PARTS);
	add_integers(t, "in_steps", work->in_steps, ACCOUNT_PARTS);
	write_sequences(t, &w->job, rank);
	if (is_first_of_process(&w->job, rank))
		write_steps(t, rank_work_steps(w, rank));
	partial_close(l->o);
}

static void
write_column(struct text *t, const char *name, const int64_t *v, size_t count)
{
	size_t same = 1;

	while (same < count && v[same] == v[0])
		same++;
	add_integers(t, name, v, same == count ? 1 : count);
}

/* Write the operations that are held of a sequence. */
static void
write_operations(struct lines_writer *l, size_t sequence)
{
	const struct job_sequence *s = &l->work->job.sequences.all[sequence];
	struct held_operations *h = &l->held[sequence];
	struct text *t = &l->o->buf;

	partial_open(l->o, l->report);
	add_integers(t, "operations",
	    (int64_t[]){s->rank, s->comm, (int64_t)h->count}, 3);
	for (size_t i = 0; i < OP_COLUMNS; i++)
		write_column(t, op_columns[i], h->v[i], h->count);
	partial_close(l->o);
	h->count = 0;
}

static void
hold(void *writer, const struct work_operation *op)
{
	struct lines_writer *l = writer;
	struct held_operations *h = &l->held[op->op.sequence];
	const struct job_operation *o = &op->op;
	size_t i = h->count;
	bool first = i == 0;
	int64_t last = first ? o->start : h->until;

	h->v[OP_START][i] = first ? o->start : less(o->start, h->until);
	h->v[OP_LENGTH][i] = time_between(o->start, o->end);
	h->v[OP_KIND][i] = o->kind;
	h->v[OP_PEER][i] = o->peer;
	h->v[OP_BYTES][i] = o->bytes;
	h->v[OP_NUMBER][i] = less(o->number, (int64_t)i);
	h->v[OP_AFTER][i] = less(op->after, last);
	h->v[OP_STEP][i] = op->step;
	for (int p = 0; p < EXCESS_PARTS; p++)
		h->v[OP_COMPUTE + p][i] = op->did[p];
	h->until = o->end;
	if (++h->count == CHUNK)
		write_operations(l, o->sequence);
}

static void
write_job(struct lines_writer *l)
{
	const struct job *j = &l->work->job;
	struct text *t = &l->o->buf;

	partial_open(l->o, l->report);
	text_printf(t, ",\"sections\":%" PRId64 ",\"unnamed\":%s,\"comms\":[",
	    j->section, j->unnamed ? "true" : "false");
	for (uint32_t i = 0; i < j->comms.count; i++) {
		if (i > 0)
			text_add_char(t, ',');
		partial_add_string(t, intern_text(&j->comms, i));
	}
	text_add_char(t, ']');
	partial_close(l->o);
}

void
work_lines_write(struct rank_work *w, struct output *o, const char *report)
{
	struct lines_writer l = {.work = w, .o = o, .report = report};

	write_job(&l);
	for (size_t i = 0; i < w->job.ranks.count; i++)
		write_rank(&l, i);
	l.held = mem_alloc((w->job.sequences.count + 1) * sizeof(*l.held));
	rank_work_operations(w, hold, &l);
	for (size_t i = 0; i < w->job.sequences.count; i++)
		if (l.held[i].count > 0)
			write_operations(&l, i);
	free(l.held);
}

/* ---- reading ---- */

enum line_member {
	LINE_SECTIONS,
	LINE_UNNAMED,
	LINE_COMMS,
	LINE_RANK,
	LINE_HOST,
	LINE_MESH,
	LINE_PARTS,
	LINE_IN_STEPS,
	LINE_RANGES,
	LINE_STEPS,
	LINE_SEQUENCES,
	LINE_OPERATIONS,
	LINE_COLUMN,
	LINE_MEMBERS = LINE_COLUMN + OP_COLUMNS
};

static const char *const line_members[] = {"sections", "unnamed", "comms",
    "rank", "host", "mesh", "parts", "in_steps", "ranges", "steps", "sequences",
    "operations"};

_Static_assert(sizeof(line_members) / sizeof(*line_members) == LINE_COLUMN,
    "each member has a name");

struct line_reader {
	struct rank_work *work;
	struct work_part *part;
	struct span m[LINE_MEMBERS]; /* p is NULL if absent */
	struct text t;
	struct json_integers ints;
};

static void
take_apart(struct line_reader *l, struct span line)
{
	struct span value;
	struct json j;

	json_open(&j, line);
	while (json_next(&j, &l->t, &value)) {
		struct span key = text_span(&l->t);

		for (int i = 0; i < LINE_MEMBERS; i++)
			if (span_eq(key,
				span_of(i < LINE_COLUMN
					    ? line_members[i]
					    : op_columns[i - LINE_COLUMN])))
				l->m[i] = value;
	}
}

/* The integers of an array that is valid; false if it has not count of them, 0
   being any number. */
static bool
integers(struct line_reader *l, struct span array, size_t count)
{
	struct json j;

	if (array.p == NULL)
		return false;
	j = (struct json){.p = array.p, .end = array.p + array.len};
	return json_take_integers(&j, &l->ints) &&
	       (count == 0 || l->ints.count == count);
}

/* the text of a string, in l->t */
static bool
string(struct line_reader *l, struct span value)
{
	if (value.p == NULL || *value.p != '"')
		return false;
	l->t.len = 0;
	json_decode(&l->t, value);
	return true;
}

/* the names of communicators, which the job may have already */
static bool
read_comms(struct line_reader *l)
{
	struct work_part *p = l->part;
	struct span value;
	struct json j;

	p->comm_count = 0;
	if (l->m[LINE_COMMS].p == NULL || *l->m[LINE_COMMS].p != '[')
		return false;
	json_open_array(&j, l->m[LINE_COMMS]);
	while (json_next_element(&j, &value)) {
		if (!string(l, value))
			return false;
		*array_add(&p->comms, &p->comm_count, &p->comm_cap) =
		    intern_get(&l->work->job.comms, text_span(&l->t));
	}
	return j.error == NULL;
}

static const char *
read_job(struct line_reader *l)
{
	struct job *j = &l->work->job;

	if (!json_int(l->m[LINE_SECTIONS], &l->part->sections) ||
	    l->part->sections < 0 || l->part->sections > INT32_MAX)
		return "sections is no number";
	if (!read_comms(l))
		return "comms is no array of names";
	if (l->m[LINE_UNNAMED].p != NULL &&
	    span_eq(l->m[LINE_UNNAMED], SPAN("true")))
		j->unnamed = true;
	l->part->section = j->section;
	l->part->rank = j->ranks.count;
	j->section += l->part->sections;
	return NULL;
}

/* ns, each at least 0 */
static bool
read_parts(struct line_reader *l, struct span array, int64_t *parts)
{
	if (!integers(l, array, ACCOUNT_PARTS))
		return false;
	for (size_t i = 0; i < ACCOUNT_PARTS; i++)
		if ((parts[i] = l->ints.all[i]) < 0)
			return false;
	return true;
}

/* The steps of the process of a rank. */
static bool
read_steps(struct line_reader *l, size_t rank)
{
	struct work_process *p;

	if (l->m[LINE_STEPS].p == NULL)
		return true;
	if (!integers(l, l->m[LINE_STEPS], 0) || l->ints.count % 3 != 0)
		return false;
	p = rank_work_process(l->work, rank);
	p->count = 0;
	for (const int64_t *v = l->ints.all; v < l->ints.all + l->ints.count;
	     v += 3) {
		if (v[2] < 0 ||
		    (p->count > 0 && v[1] < p->all[p->count - 1].end))
			return false;
		*array_add(&p->all, &p->count, &p->cap) = (struct work_step){
		    .number = v[0], .ts = v[1], .end = time_end(v[1], v[2])};
	}
	return json_int(l->m[LINE_RANGES], &p->ranges);
}

/* the communicator with that index in the part */
static bool
comm_of(const struct work_part *p, int64_t index, uint32_t *comm)
{
	if (index < 0 || (uint64_t)index >= p->comm_count)
		return false;
	*comm = p->comms[index];
	return true;
}

static bool
read_sequences(struct line_reader *l, size_t rank)
{
	if (!integers(l, l->m[LINE_SEQUENCES], 0) || l->ints.count % 6 != 0)
		return false;
	for (const int64_t *v = l->ints.all; v < l->ints.all + l->ints.count;
	     v += 6) {
		struct job_sequence *s;
		uint32_t comm;

		if (!comm_of(l->part, v[0], &comm) || v[3] < 1)
			return false;
		s = job_sequence(&l->work->job, rank, comm);
		s->members = v[1];
		s->me = v[2];
		s->count = v[3];
		s->next = v[4];
		s->numbered = v[5] != 0;
	}
	return true;
}

static const char *
read_rank(struct line_reader *l)
{
	static const char error[] = "a rank is not as partials have it";
	struct job *j = &l->work->job;
	int64_t section = j->section, *v;
	size_t before = j->ranks.count, index;
	struct work_rank *work;
	struct job_rank *r;

	if (!integers(l, l->m[LINE_RANK], 10))
		return error;
	v = l->ints.all;
	if (v[0] < 0 || v[0] >= l->part->sections || v[5] < 0)
		return error;
	j->section = l->part->section + v[0];
	index = job_rank(j, v[1], v[2]);
	j->section = section;
	if (j->ranks.count == before)
		return "a rank is there twice";
	r = &j->ranks.all[index];
	r->number = v[3];
	r->clock = v[4] == -1 ? -1 : r->section;
	r->spread = v[5];
	r->from = v[6];
	r->to = v[7];
	work = rank_work_rank(l->work, index);
	work->first = v[8];
	work->until = v[9];
	if (!string(l, l->m[LINE_HOST]))
		return error;
	r->host = region_copy(&j->texts, text_span(&l->t));
	if (l->m[LINE_MESH].p != NULL)
		r->mesh = mesh_read(l->m[LINE_MESH]);
	return read_parts(l, l->m[LINE_PARTS], work->parts) &&
		       read_parts(l, l->m[LINE_IN_STEPS], work->in_steps) &&
		       read_sequences(l, index) && read_steps(l, index)
		   ? NULL
		   : error;
}

/* ---- operations ---- */

/* True if the columns have a value for each operation, or one for all. */
static bool
read_columns(struct line_reader *l, struct held_operations *h)
{
	for (size_t c = 0; c < OP_COLUMNS; c++) {
		if (!integers(l, l->m[LINE_COLUMN + c], 0) ||
		    (l->ints.count != 1 && l->ints.count != h->count))
			return false;
		for (size_t i = 0; i < h->count; i++)
			h->v[c][i] = l->ints.all[l->ints.count > 1 ? i : 0];
	}
	return true;
}

static bool
read_operation(const struct held_operations *h, size_t i, int64_t until,
    struct work_operation *op)
{
	struct job_operation *o = &op->op;
	int64_t kind = h->v[OP_KIND][i], peer = h->v[OP_PEER][i];
	int64_t length = h->v[OP_LENGTH][i];

	if (kind < 0 || kind >= OPERATION_KINDS || length < 0 ||
	    peer < INT32_MIN || peer > INT32_MAX)
		return false;
	o->start = i == 0 ? h->v[OP_START][0] : plus(h->v[OP_START][i], until);
	o->end = time_end(o->start, length);
	o->kind = (uint8_t)kind;
	o->peer = (int32_t)peer;
	o->bytes = h->v[OP_BYTES][i];
	o->number = plus(h->v[OP_NUMBER][i], (int64_t)i);
	op->after = plus(h->v[OP_AFTER][i], i == 0 ? o->start : until);
	op->step = h->v[OP_STEP][i];
	for (int p = 0; p < EXCESS_PARTS; p++)
		if ((op->did[p] = h->v[OP_COMPUTE + p][i]) < 0)
			return false;
	return true;
}

/* Add the operations of the columns, which are of the sequence of *op. */
static bool
add_operations(struct line_reader *l, const struct held_operations *h,
    struct work_operation *op)
{
	int64_t until = 0;

	for (size_t i = 0; i < h->count; i++) {
		if (!read_operation(h, i, until, op))
			return false;
		rank_work_add(l->work, op);
		until = op->op.end;
	}
	return true;
}

static const char *
read_operations(struct line_reader *l)
{
	static const char error[] = "operations are not as partials have them";
	struct job *j = &l->work->job;
	struct held_operations *h;
	struct work_operation op;
	struct job_sequence *s;
	int64_t rank, n;
	bool good;

	if (!integers(l, l->m[LINE_OPERATIONS], 3))
		return error;
	rank = l->ints.all[0];
	n = l->ints.all[2];
	memset(&op, 0, sizeof(op)); /* its padding, too, is held */
	if (rank < 0 || (uint64_t)rank >= j->ranks.count - l->part->rank ||
	    n < 1 || n > CHUNK ||
	    !comm_of(l->part, l->ints.all[1], &op.op.comm))
		return error;
	op.op.rank = (uint32_t)(l->part->rank + (size_t)rank);
	s = keyed_find(&j->sequences, op.op.rank, op.op.comm);
	if (s == NULL)
		return error;
	op.op.sequence = (uint32_t)(s - j->sequences.all);
	h = mem_alloc(sizeof(*h));
	h->count = (size_t)n;
	good = read_columns(l, h) && add_operations(l, h, &op);
	free(h);
	return good ? NULL : error;
}

const char *
work_lines_read(struct rank_work *w, struct work_part *part, struct span line)
{
	struct line_reader l = {.work = w, .part = part};
	const char *error = "no line of this report";

	take_apart(&l, line);
	if (l.m[LINE_SECTIONS].p != NULL)
		error = read_job(&l);
	else if (l.m[LINE_RANK].p != NULL)
		error = read_rank(&l);
	else if (l.m[LINE_OPERATIONS].p != NULL)
		error = read_operations(&l);
	text_free(&l.t);
	free(l.ints.all);
	return error;
}

void
work_lines_free(struct work_part *part)
{
	free(part->comms);
}
