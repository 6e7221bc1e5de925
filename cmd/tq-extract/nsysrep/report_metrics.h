/*
 * report_metrics.h - the GPU metrics of a report, with the numbers of the file:
 * by what nsys divides them is not known.
 */
#ifndef REPORT_METRICS_H
#define REPORT_METRICS_H

#include "nsysrep.h"
#include "sqlite/database.h"

/* a number in the bytes of a sample: little-endian, without a sign */
struct metric_place {
	uint32_t offset, size;
	int64_t name; /* a string */
};

/* samples of a type: of one GPU */
struct metric_type {
	int64_t id, source, name;    /* name: a string */
	struct metric_place *places; /* by their offsets */
	size_t count, cap;
};

/* {0} has none */
struct report_metrics {
	struct metric_type *types;
	size_t count, cap;
};

/* a sample: one generic event */
struct metric_sample {
	const struct metric_type *type;
	int64_t ts;
	struct span bytes;
};

/*
 * Read the types in the header, and define them in the database, which has the
 * strings.
 */
void report_metrics_open(struct report_metrics *m, const struct nsysrep *r,
    const struct database *db);
void report_metrics_free(struct report_metrics *m);

/* False where the generic event is no sample. */
bool report_metrics_take(const struct report_metrics *m, struct span generic,
    struct metric_sample *sample);

/* The number at place i of a sample; false where the bytes are cut. */
bool report_metrics_value(
    const struct metric_sample *sample, size_t i, uint64_t *v);

#endif
