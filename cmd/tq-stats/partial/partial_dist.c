/* partial_dist.c - a distribution as members of an object of JSON */

#include <inttypes.h>

#include "tq/line/json.h"
#include "tq/base/mem.h"

#include "partial_dist.h"

const char *const partial_dist_names[DIST_MEMBERS] = {
    "count", "values", "min", "max", "sum", "squares", "buckets"};

/* ---- there ---- */

static void
write_values(struct text *t, struct dist *d)
{
	int64_t last = 0;

	dist_sort(d);
	text_add_str(t, ",\"values\":[");
	for (size_t i = 0; i < d->count; i++) {
		int64_t v = dist_at(d, i);
		char *end = text_reserve(t, TEXT_INT_MAX + 1);

		if (i == 0) {
			end = text_digits_int(end, v);
		} else {
			*end++ = ',';
			end = text_digits(end, (uint64_t)v - (uint64_t)last);
		}
		text_end(t, end);
		last = v;
	}
	text_add_char(t, ']');
}

static void
write_sketch(struct text *t, const struct sketch *s, wide sum)
{
	const struct squares *q = &s->squares;
	const char *comma = "";
	uint64_t n;

	text_printf(t, ",\"min\":%" PRId64 ",\"max\":%" PRId64, s->min, s->max);
	text_printf(t, ",\"sum\":[%" PRId64 ",%" PRIu64 "]",
	    (int64_t)(sum >> 64), (uint64_t)sum);
	text_printf(t,
	    ",\"squares\":[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "],\"buckets\":[",
	    q->high, (uint64_t)(q->low >> 64), (uint64_t)q->low);
	for (int b = SKETCH_FIRST; (n = sketch_next(s, &b)) > 0; b++) {
		text_printf(t, "%s%d,%" PRIu64, comma, b, n);
		comma = ",";
	}
	text_add_char(t, ']');
}

void
partial_dist_write(struct text *t, struct dist *d)
{
	if (d->sketch != NULL)
		write_sketch(t, d->sketch, d->sum);
	else
		write_values(t, d);
}

/* ---- and back ---- */

bool
partial_natural(struct span s, uint64_t *v)
{
	*v = 0;
	for (size_t i = 0; i < s.len; i++) {
		unsigned digit = (unsigned)(unsigned char)s.p[i] - '0';

		if (digit > 9 || __builtin_mul_overflow(*v, 10u, v) ||
		    __builtin_add_overflow(*v, digit, v))
			return false;
	}
	return s.len > 0;
}

static const char *
read_values(struct span values, struct dist *d, int64_t count)
{
	struct json j;
	struct span value;
	int64_t v = 0, n = 0;
	uint64_t more;

	json_open_array(&j, values);
	for (; json_next_element(&j, &value); n++) {
		if (n == 0 ? !json_int(value, &v)
			   : !partial_natural(value, &more))
			return "a value is no integer, or too large";
		if (n > 0 && more > (uint64_t)INT64_MAX - (uint64_t)v)
			return "a value is too large";
		if (n > 0)
			v = (int64_t)((uint64_t)v + more);
		dist_add(d, v);
	}
	if (j.error != NULL)
		return "expected values";
	return n == count ? NULL : "count is not the number of values";
}

/* the parts of a large number, highest first; its first may be negative */
static bool
read_parts(struct span array, uint64_t *parts, size_t n)
{
	struct json j;
	struct span value;
	int64_t first;
	size_t i = 0;

	if (array.p == NULL)
		return false;
	json_open_array(&j, array);
	for (; i < n && json_next_element(&j, &value); i++) {
		if (i == 0 && json_int(value, &first))
			parts[i] = (uint64_t)first;
		else if (!partial_natural(value, &parts[i]))
			return false;
	}
	return i == n && !json_next_element(&j, &value) && j.error == NULL;
}

/* pairs of a bucket and how many are in it; how many in all, or 0 */
static uint64_t
read_buckets(struct span buckets, struct sketch *s)
{
	int last = sketch_bucket(s->max), b = sketch_bucket(s->min) - 1;
	struct json j;
	struct span value;
	int64_t next;
	uint64_t n, all = 0;

	json_open_array(&j, buckets);
	while (json_next_element(&j, &value)) {
		if (!json_int(value, &next) || next <= b || next > last ||
		    (all == 0 && next != b + 1))
			return 0;
		b = (int)next;
		if (!json_next_element(&j, &value) ||
		    !partial_natural(value, &n) || n == 0 ||
		    __builtin_add_overflow(all, n, &all))
			return 0;
		*sketch_count(s, b) = n;
	}
	return j.error == NULL && b == last ? all : 0;
}

static const char *
read_sketch(const struct span m[DIST_MEMBERS], struct dist *d)
{
	struct sketch *s = d->sketch;
	uint64_t sum[2], squares[3];

	if (m[DIST_MIN].p == NULL || !json_int(m[DIST_MIN], &s->min) ||
	    m[DIST_MAX].p == NULL || !json_int(m[DIST_MAX], &s->max))
		return "min or max is no integer, or too large";
	if (read_buckets(m[DIST_BUCKETS], s) != d->count || d->count == 0)
		return "buckets are not as count, min and max have it";
	if (!read_parts(m[DIST_SUM], sum, 2))
		return "sum is not two integers";
	if (!read_parts(m[DIST_SQUARES], squares, 3))
		return "squares is not three integers";
	d->sum = (wide)((uwide)sum[0] << 64 | sum[1]);
	if (d->sum < (wide)s->min * (wide)d->count ||
	    d->sum > (wide)s->max * (wide)d->count)
		return "sum is not between min and max";
	s->squares.high = squares[0];
	s->squares.low = (uwide)squares[1] << 64 | squares[2];
	return NULL;
}

const char *
partial_dist_read(const struct span m[DIST_MEMBERS], struct dist *d)
{
	struct dist part = {0};
	const char *error;
	int64_t count;
	size_t all;

	if (m[DIST_COUNT].p == NULL || !json_int(m[DIST_COUNT], &count) ||
	    count < 0)
		return "count is no integer, or too large";
	if (m[DIST_BUCKETS].p == NULL)
		return m[DIST_VALUES].p == NULL
			   ? "expected values"
			   : read_values(m[DIST_VALUES], d, count);
	part.count = (size_t)count;
	part.sketch = mem_alloc(sizeof(*part.sketch));
	error = read_sketch(m, &part);
	if (error == NULL &&
	    (__builtin_add_overflow(d->count, part.count, &all) ||
		all > (size_t)INT64_MAX))
		error = "count becomes too large";
	if (error == NULL)
		dist_merge(d, &part);
	dist_free(&part);
	return error;
}
