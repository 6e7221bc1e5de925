/* report_metrics.c - the GPU metrics of a report */

#include <stdlib.h>

#include "read/proto_reader.h"
#include "report_metrics.h"
#include "tq/base/array.h"

/* fields of the header */
enum { SOURCES = 13, TYPES = 14 };

enum { GPUS = 256 }; /* the number of one is a byte */

static bool
is_string(const struct database *db, int64_t id, const char *text)
{
	return database_int(db, 0,
		   database_prepare(db,
		       "SELECT value = %Q FROM StringIds WHERE id = %lld", text,
		       (long long)id)) == 1;
}

/* the number of the source that GPU metrics come from; -1 for none */
static int64_t
gpu_source(const struct nsysrep *r, const struct database *db)
{
	struct proto_reader p = proto_reader(text_span(&r->header));
	struct proto_field f;

	while (proto_reader_next(&p, &f))
		if (f.number == SOURCES && f.bytes.p != NULL &&
		    is_string(db, proto_reader_int(f.bytes, 3), "GpuMetrics"))
			return proto_reader_int(f.bytes, 1);
	return -1;
}

static int
by_offset(const void *a, const void *b)
{
	const struct metric_place *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return (x->size > y->size) - (x->size < y->size);
}

static void
add_type(struct report_metrics *m, struct span message, int64_t source)
{
	struct metric_type *t = array_add(&m->types, &m->count, &m->cap);
	struct proto_reader p = proto_reader(message);
	struct proto_field f;

	*t = (struct metric_type){.id = proto_reader_int(message, 1),
	    .source = source,
	    .name = proto_reader_int(message, 2)};
	while (proto_reader_next(&p, &f)) {
		uint64_t offset, size;

		if (f.number != 3 || f.bytes.p == NULL)
			continue;
		offset = (uint64_t)proto_reader_int(f.bytes, 2);
		size = (uint64_t)proto_reader_int(f.bytes, 3);
		if (offset > UINT16_MAX || size < 1 || size > 8)
			continue;
		*array_add(&t->places, &t->count, &t->cap) =
		    (struct metric_place){(uint32_t)offset, (uint32_t)size,
			proto_reader_int(f.bytes, 1)};
	}
	if (t->count > 0)
		qsort(t->places, t->count, sizeof(*t->places), by_offset);
}

/* the names show that the numbers are the file's own */
static void
define(const struct metric_type *t, const struct database *db)
{
	sqlite3_stmt *st = database_prepare(db,
	    "INSERT INTO TARGET_INFO_GPU_METRICS (typeId, sourceId, metricId, "
	    "metricName) SELECT ?, ?, ?, value || ' (raw)' FROM StringIds "
	    "WHERE id = ?");

	for (size_t i = 0; st != NULL && i < t->count; i++) {
		sqlite3_bind_int64(st, 1, t->id);
		sqlite3_bind_int64(st, 2, t->source);
		sqlite3_bind_int64(st, 3, (int64_t)i);
		sqlite3_bind_int64(st, 4, t->places[i].name);
		database_step(db, st);
		sqlite3_reset(st);
	}
	sqlite3_finalize(st);
}

void
report_metrics_open(struct report_metrics *m, const struct nsysrep *r,
    const struct database *db)
{
	int64_t source = gpu_source(r, db);
	struct proto_reader p = proto_reader(text_span(&r->header));
	struct proto_field f;

	*m = (struct report_metrics){0};
	while (source >= 0 && m->count < GPUS && proto_reader_next(&p, &f)) {
		int64_t id;

		if (f.number != TYPES || f.bytes.p == NULL)
			continue;
		id = proto_reader_int(f.bytes, 1);
		/* the GPU is in bits 0-7, and bits 8-15 are those of samples */
		if ((id & ~(int64_t)UINT32_MAX) == source &&
		    (id >> 8 & 0xff) == 0)
			add_type(m, f.bytes, source);
	}
	for (size_t i = 0; i < m->count; i++)
		define(&m->types[i], db);
}

void
report_metrics_free(struct report_metrics *m)
{
	for (size_t i = 0; i < m->count; i++)
		free(m->types[i].places);
	free(m->types);
}

bool
report_metrics_take(const struct report_metrics *m, struct span generic,
    struct metric_sample *sample)
{
	int64_t id = proto_reader_int(generic, 1);

	for (size_t i = 0; i < m->count; i++)
		if (m->types[i].id == id) {
			*sample = (struct metric_sample){&m->types[i],
			    proto_reader_int(generic, 2),
			    proto_reader_bytes(generic, 3)};
			return true;
		}
	return false;
}

bool
report_metrics_value(const struct metric_sample *sample, size_t i, uint64_t *v)
{
	const struct metric_place *at = &sample->type->places[i];

	*v = 0;
	if ((uint64_t)at->offset + at->size > sample->bytes.len)
		return false;
	memcpy(v, sample->bytes.p + at->offset, at->size);
	return true;
}
