/* noise.c - how much recordings of one thing differ */

#include <math.h>
#include <stdlib.h>

#include "comparison.h"
#include "line_fields.h"
#include "noise.h"
#include "statistics/quantiles.h"
#include "tq/base/mem.h"
#include "tq/show/col.h"
#include "tq/show/format.h"

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

static void
write_row(struct line_fields *f, const struct noise_row *r)
{
	line_fields_begin(f);
	line_fields_text(f, "kind", SPAN("noise"));
	line_fields_text(f, "metric", span_of(r->metric));
	line_fields_real(f, "median", r->median);
	line_fields_real(f, "largest", r->largest);
	line_fields_real(f, "threshold", r->threshold);
	line_fields_end(f);
}

/* for programs */
static void
write_rows(struct text *t, const struct noise_row *rows, size_t count,
    enum diff_format form)
{
	struct line_fields f = {.out = t,
	    .form = form == DIFF_CSV   ? LINE_FIELDS_CSV
		    : form == DIFF_TSV ? LINE_FIELDS_TSV
				       : LINE_FIELDS_JSON,
	    .titles = true};

	if (f.form != LINE_FIELDS_JSON)
		write_row(&f, &(struct noise_row){.metric = ""});
	f.titles = false;
	if (form == DIFF_JSON)
		text_add_str(t, "{\"noise\":[\n  ");
	for (size_t i = 0; i < count; i++) {
		if (i > 0 && form == DIFF_JSON)
			text_add_str(t, ",\n  ");
		write_row(&f, &rows[i]);
		text_add_str(t, form == DIFF_NDJSON ? "\n" : "");
	}
	if (form == DIFF_JSON)
		text_add_str(t, "]}\n");
}

/* ---- for people ---- */

static void
percent_cell(struct table *t, const char *name, double ratio)
{
	struct text cell = {0};

	text_printf(&cell, "%.2f %%", ratio * 100);
	if (t->heading)
		table_column(t, name, UNIT_NONE);
	else
		table_text(t, text_span(&cell));
	text_free(&cell);
}

static void
metric_row(struct table *t, const struct noise_row *r)
{
	col_text(t, "Metric", span_of(r->metric));
	percent_cell(t, "Median", r->median);
	percent_cell(t, "Largest", r->largest);
	percent_cell(t, "Threshold", r->threshold);
}

static void
write_table(struct output *o, const struct accounts *all,
    const struct noise_row *rows, size_t count, enum format format)
{
	const struct format_options f = {.format = format,
	    .time_unit = 1,
	    .bare = true,
	    .page = "tq-diff --noise"};
	struct text title = {0};
	struct table t = {0};

	/* a blank line below it in a text */
	text_printf(&title, "%zu recordings, %zu pairs%s", all->count,
	    all->count * (all->count - (all->count > 0)) / 2,
	    format == FORMAT_TABLE ? "\n" : "");
	text_add_char(&title, '\0');
	t.title = t.report = title.p;
	col_heading(&t, metric_row, &(struct noise_row){.metric = ""});
	for (size_t i = 0; i < count; i++)
		metric_row(&t, &rows[i]);
	format_begin(o, &f);
	format_table(o, &f, &t, true);
	format_end(o, &f);
	table_free(&t);
	text_free(&title);
}

void
noise_write(struct output *o, const struct accounts *all, enum diff_format form)
{
	size_t count;
	struct noise_row *rows = make_rows(all, &count);

	switch (form) {
	case DIFF_TABLE:
		write_table(o, all, rows, count, FORMAT_TABLE);
		break;
	case DIFF_MARKDOWN:
		write_table(o, all, rows, count, FORMAT_MARKDOWN);
		break;
	case DIFF_HTML:
		write_table(o, all, rows, count, FORMAT_HTML);
		break;
	default:
		write_rows(&o->buf, rows, count, form);
	}
	free(rows);
}
