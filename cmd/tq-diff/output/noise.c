/* noise.c - how much recordings of one thing differ */

#include <math.h>
#include <stdlib.h>

#include "comparison.h"
#include "noise.h"
#include "records.h"
#include "statistics/quantiles.h"
#include "tq/base/mem.h"
#include "tq/show/col.h"

/* metrics: the parts, then */
enum { NOISE_WALL = ACCOUNT_PARTS, NOISE_BUSY, NOISE_IDLE, NOISE_METRICS };

static const char *
metric_title(int metric)
{
	static const char *const names[] = {"wall", "busy", "idle"};

	return metric < ACCOUNT_PARTS
		   ? account_part_name((enum account_part)metric)
		   : names[metric - ACCOUNT_PARTS];
}

static double
metric_value(const struct account *a, int metric)
{
	double sum = 0;

	if (metric == NOISE_WALL)
		return comparison_wall(a);
	for (size_t d = 0; d < a->device_count; d++)
		for (int p = 0; p < ACCOUNT_PARTS; p++)
			if (p == metric ||
			    (metric == NOISE_BUSY && p < PART_SYNC) ||
			    (metric == NOISE_IDLE && p >= PART_SYNC))
				sum += (double)a->devices[d].parts[p];
	return a->unit_count > 0 ? sum / (double)a->unit_count : 0;
}

/* |log(x / y)| of all pairs; how many there are */
static size_t
pair_ratios(const struct accounts *all, int metric, double *ratios)
{
	size_t n = 0;

	for (size_t i = 0; i < all->count; i++)
		for (size_t k = i + 1; k < all->count; k++) {
			double x = metric_value(all->all[i], metric);
			double y = metric_value(all->all[k], metric);

			if (x > 0 && y > 0)
				ratios[n++] = fabs(log(x / y));
		}
	return n;
}

/* the difference of two recordings in a metric: 0.02 is 2 % */
struct noise_row {
	const char *metric;
	double median, largest, threshold;
};

/* The metrics that two recordings have; free(3) them. */
static struct noise_row *
make_rows(const struct accounts *all, size_t *count)
{
	double *ratios =
	    mem_resize(NULL, all->count * all->count + 1, sizeof(*ratios));
	struct noise_row *rows = mem_resize(NULL, NOISE_METRICS, sizeof(*rows));

	*count = 0;
	for (int i = 0; i < NOISE_METRICS; i++) { /* the wall first */
		int metric = (i + NOISE_WALL) % NOISE_METRICS;
		size_t n = pair_ratios(all, metric, ratios);
		struct noise_row r = {.metric = metric_title(metric)};

		if (n == 0)
			continue;
		quantiles_sort(ratios, n);
		r.median = exp(quantiles_median(ratios, n)) - 1;
		r.largest = exp(ratios[n - 1]) - 1;
		r.threshold = ceil(r.largest * 1000) / 1000;
		rows[(*count)++] = r;
	}
	free(ratios);
	return rows;
}

/* for programs */
static void
noise_row(struct table *t, const struct noise_row *r)
{
	col_text(t, "kind", SPAN("noise"));
	col_text(t, "metric", span_of(r->metric));
	col_six_digits_if(t, "median", true, r->median);
	col_six_digits_if(t, "largest", true, r->largest);
	col_six_digits_if(t, "threshold", true, r->threshold);
}

/* ---- for people ---- */

static void
percent_cell(struct table *t, const char *name, double ratio)
{
	struct text cell = {0};

	text_printf(&cell, "%.2f %%", ratio * 100);
	col_digits(t, name, text_span(&cell));
	text_free(&cell);
}

/* the same for people */
static void
metric_row(struct table *t, const struct noise_row *r)
{
	col_text(t, "Metric", span_of(r->metric));
	percent_cell(t, "Median", r->median);
	percent_cell(t, "Largest", r->largest);
	percent_cell(t, "Threshold", r->threshold);
}

static void
make_table(struct table *t, const struct accounts *all,
    void (*add)(struct table *t, const struct noise_row *r))
{
	size_t count;
	struct noise_row *rows = make_rows(all, &count);

	col_heading(t, add, &(struct noise_row){.metric = ""});
	for (size_t i = 0; i < count; i++)
		add(t, &rows[i]);
	free(rows);
}

void
noise_write(struct output *o, const struct json_head *head,
    const struct accounts *all, enum format format)
{
	const struct format_options f = {.format = format,
	    .time_unit = 1,
	    .bare = true,
	    .page = "tq-diff --noise"};
	bool keys = format_has_keys(&f);
	struct text title = {0};
	struct table t = {0};

	/* a blank line below it in a text */
	text_printf(&title, "%zu recordings, %zu pairs%s", all->count,
	    all->count * (all->count - (all->count > 0)) / 2,
	    format == FORMAT_TABLE ? "\n" : "");
	text_add_char(&title, '\0');
	t.title = t.report = title.p;
	make_table(&t, all, keys ? noise_row : metric_row);
	if (keys && format != FORMAT_CSV && format != FORMAT_TSV) {
		records_write_one(o, head, &t, "noise",
		    "no two recordings have a metric", format);
	} else {
		format_begin(o, &f);
		format_table(o, &f, &t, true);
		format_end(o, &f);
	}
	table_free(&t);
	text_free(&title);
}
