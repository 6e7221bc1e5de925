/*
 * live_metrics.c - sums since the start in OpenMetrics, in the part of it that
 * the text format of Prometheus shares: no time stamps, no exemplars
 *
 *	# HELP tq_kernel_seconds Time of kernels, of each in full.
 *	# TYPE tq_kernel_seconds counter
 *	# UNIT tq_kernel_seconds seconds
 *	tq_kernel_seconds_total 1.500000000
 *	# EOF
 */

#include <inttypes.h>

#include "live_texts.h"
#include "tq/show/amount.h"

/* a metric; its name ends with its unit */
struct metric {
	const char *name, *unit, *help;
	bool gauge; /* else a counter, whose samples have the suffix _total */
};

static const struct metric count_metrics[LIVE_COUNTS] = {
    [LIVE_RECORDS] = {"tq_records", "", "Records of the stream."},
    [LIVE_OPERATIONS] = {"tq_device_operations", "",
	"Kernels, copies, fills and graphs that devices ran."},
    [LIVE_KERNELS] = {"tq_kernels", "", "Kernels that devices ran."},
    [LIVE_KERNEL_NS] = {"tq_kernels_seconds", "seconds",
	"Time of all kernels, also of those that ran at once."},
    [LIVE_CALLS] = {"tq_api_calls", "", "CUDA API calls."},
    [LIVE_LAUNCHES] = {"tq_launches", "", "CUDA API calls that launch."},
    [LIVE_RANGES] = {"tq_ranges", "", "Ranges that ended."},
    [LIVE_STEPS] = {"tq_steps", "", "Training steps that ended."},
    [LIVE_LOST] = {"tq_lost_events", "", "Events that the recording lost."},
    [LIVE_STREAM_NS] = {"tq_stream_seconds", "seconds",
	"Time of the recording that device times cover."},
};

static const struct metric gpu_metric = {"tq_gpu_busy_seconds", "seconds",
    "Time of a device by what it does, each moment once."};

static const char *const class_labels[DEVICE_CLASSES] = {
    [DEVICE_COMPUTE] = "compute",
    [DEVICE_COMMUNICATION] = "communication",
    [DEVICE_COPY] = "copy",
};

enum group_value { GROUP_OPERATIONS, GROUP_NS, GROUP_BYTES };

/* of kernels or of copies, by name */
struct group_metric {
	struct metric metric;
	bool copies;
	enum group_value value;
};

static const struct group_metric group_metrics[] = {
    {{"tq_top_kernel_runs", "", "Runs of the kernels that take most time."},
	false, GROUP_OPERATIONS},
    {{"tq_top_kernel_seconds", "seconds",
	 "Time of the kernels that take most time."},
	false, GROUP_NS},
    {{"tq_copies", "", "Copies and fills by direction."}, true,
	GROUP_OPERATIONS},
    {{"tq_copied_bytes", "bytes", "Bytes copied and filled by direction."},
	true, GROUP_BYTES},
};

static void
add_head(struct text *t, const struct metric *m)
{
	text_printf(t, "# HELP %s %s\n# TYPE %s %s\n", m->name, m->help,
	    m->name, m->gauge ? "gauge" : "counter");
	if (*m->unit != '\0')
		text_printf(t, "# UNIT %s %s\n", m->name, m->unit);
}

static void
add_sample_name(struct text *t, const struct metric *m)
{
	text_printf(t, "%s%s", m->name, m->gauge ? "" : "_total");
}

/* The value of a label: valid UTF-8; \, " and newlines are escaped. */
static void
add_label(struct text *t, const char *label, struct span value)
{
	struct text visible = {0};

	text_add_visible(&visible, value, "\n");
	text_printf(t, "%s=\"", label);
	for (size_t i = 0; i < visible.len; i++) {
		char c = visible.p[i];

		if (c == '\\' || c == '"' || c == '\n')
			text_add_char(t, '\\');
		text_add_char(t, c == '\n' ? 'n' : c);
	}
	text_add_char(t, '"');
	text_free(&visible);
}

/* Of time v is in ns, and seconds are printed. */
static void
add_value(struct text *t, const struct metric *m, int64_t v)
{
	text_add_char(t, ' ');
	if (strcmp(m->unit, "seconds") == 0)
		amount_seconds(t, v);
	else
		text_add_int(t, v);
	text_add_char(t, '\n');
}

static void
add_gpus(struct text *t, const struct live_sums *s)
{
	const struct metric *m = &gpu_metric;

	if (s->gpus.count > 0)
		add_head(t, m);
	for (size_t i = 0; i < s->gpus.count * DEVICE_CLASSES; i++) {
		const struct live_gpu *g = &s->gpus.all[i / DEVICE_CLASSES];
		size_t c = i % DEVICE_CLASSES;

		add_sample_name(t, m);
		text_add_char(t, '{');
		if (g->pid != NO_ID)
			text_printf(t, "pid=\"%" PRId64 "\",", g->pid);
		text_printf(t, "device=\"%" PRId64 "\",", g->device);
		add_label(t, "model", g->name);
		text_printf(t, ",activity=\"%s\"}", class_labels[c]);
		add_value(t, m, g->busy[c].total);
	}
}

static int64_t
group_value(const struct live_group *g, enum group_value which)
{
	switch (which) {
	case GROUP_OPERATIONS:
		return g->operations.total;
	case GROUP_NS:
		return g->ns.total;
	default:
		return g->bytes.total;
	}
}

static void
add_groups(
    struct text *t, const struct live_sums *s, const struct group_metric *m)
{
	const struct live_groups *g = m->copies ? &s->copies : &s->kernels;
	uint32_t top[LIVE_TOP];
	size_t n = live_sums_top(g, true, top);

	if (n > 0)
		add_head(t, &m->metric);
	for (size_t i = 0; i < n; i++) {
		add_sample_name(t, &m->metric);
		text_add_char(t, '{');
		add_label(t, m->copies ? "direction" : "kernel",
		    intern_text(&g->names, top[i]));
		text_add_char(t, '}');
		add_value(
		    t, &m->metric, group_value(&g->all[top[i]], m->value));
	}
}

static void
add_gauge(struct text *t, const struct metric *m, int64_t v)
{
	add_head(t, m);
	add_sample_name(t, m);
	add_value(t, m, v);
}

void
live_metrics_add(
    struct text *t, const struct live_sums *s, const struct live_interval *at)
{
	static const struct metric lag = {"tq_stream_lag_seconds", "seconds",
	    "Time from the newest record to now.", true};
	static const struct metric ended = {
	    "tq_stream_ended", "", "1 once the stream has ended.", true};

	for (size_t i = 0; i < LIVE_COUNTS; i++) {
		add_head(t, &count_metrics[i]);
		add_sample_name(t, &count_metrics[i]);
		add_value(t, &count_metrics[i], s->counts[i].total);
	}
	add_gpus(t, s);
	for (size_t i = 0; i < sizeof(group_metrics) / sizeof(*group_metrics);
	     i++)
		add_groups(t, s, &group_metrics[i]);
	if (live_sums_lag(s, at->now_utc) != NO_ID)
		add_gauge(t, &lag, live_sums_lag(s, at->now_utc));
	add_gauge(t, &ended, at->final);
	text_add_str(t, "# EOF\n");
}
