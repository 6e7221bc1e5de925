/*
 * page_sums.c - the sums of the page are those of device_time and gaps_sum, to
 * the nanosecond: of streams made at random, and of the files that are named
 */

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "choose.h"
#include "page/gpu_account.h"
#include "page/page_reports.h"
#include "tq/io/reader.h"
#include "tq/names/model.h"

enum { STREAMS = 200, RECORDS = 300 };

/* what a tool holds */
struct page_run {
	struct report_settings settings;
	struct names names;
	struct model model;
	struct wall wall;
	bool dropped;
	struct reports rs;
	struct reader in;
	struct page page;
};

static void
open_reports(struct page_run *x)
{
	const struct report like = {.settings = &x->settings,
	    .names = &x->names,
	    .wall = &x->wall,
	    .dropped = &x->dropped};

	x->settings = (struct report_settings){.version = 2024, .approx = true};
	x->wall.after = INT64_MIN;
	x->wall.before = INT64_MAX;
	choose_page(&x->rs, &like, page_reports_of_page);
	choose_reports(&x->rs, &like, "device_time,gaps_sum");
	for (size_t i = 0; i < x->rs.count; i++)
		report_open(&x->rs.all[i]);
	for (size_t i = 0; i < x->rs.count; i++)
		report_begin(&x->rs.all[i], &x->rs);
}

static void
end_section(struct page_run *x)
{
	wall_section_end(&x->wall);
	for (size_t i = 0; i < x->rs.count; i++)
		report_section_end(&x->rs.all[i]);
	names_reset(&x->names);
}

static void
read_record(struct page_run *x, const struct event *ev)
{
	model_event(&x->model, ev);
	if (ev->kind == KIND_trace)
		end_section(x);
	if (schema_role(ev->kind) == ROLE_DEF)
		names_define(&x->names, ev);
	else if (ev->kind == KIND_trace)
		wall_begin(&x->wall, ev);
	else if (event_has(ev, KEY_ts))
		wall_add(&x->wall, ev);
	for (size_t i = 0; i < x->rs.count; i++)
		if ((x->rs.all[i].kind->kinds >> ev->kind & 1) != 0)
			report_event(&x->rs.all[i], ev);
}

static struct page_run *
read_file(char *file)
{
	static struct keyset want[KIND_COUNT + 1];
	char *operands[] = {file, NULL};
	struct page_run *x = calloc(1, sizeof(*x));

	memset(want, 0xff, sizeof(want));
	open_reports(x);
	reader_init(&x->in, operands, want, NULL);
	x->in.event.model = &x->model;
	while (reader_next(&x->in))
		read_record(x, &x->in.event);
	end_section(x);
	x->settings.operands = operands;
	CHECK(page_fill(&x->page, &x->rs), "%s: no page", file);
	return x;
}

static void
free_run(struct page_run *x)
{
	page_free(&x->page);
	for (size_t i = 0; i < x->rs.count; i++)
		report_free(&x->rs.all[i]);
	free(x->rs.all);
	names_free(&x->names);
	model_free(&x->model);
	reader_free(&x->in);
	free(x);
}

/* ---- tables ---- */

static size_t
find_column(const struct table *t, const char *name)
{
	size_t i = 0;

	while (i < t->column_count && strcmp(t->columns[i].name, name) != 0)
		i++;
	CHECK(i < t->column_count, "no column %s", name);
	return i;
}

/*
 * The sum of a column; of rows with that cause, if there is one.  A device that
 * has a part of a shared GPU has no row of its own on the page.
 */
static int64_t
sum_column(struct table *t, const char *column, const char *cause)
{
	size_t at = find_column(t, column), device = find_column(t, "Device");
	size_t shared = find_column(t, "Shared GPU");
	int64_t sum = 0;

	for (size_t i = 0; i < table_rows(t); i++) {
		const struct table_cell *c = table_row(t, i);

		if (c[device].type != CELL_EMPTY &&
		    c[shared].type != CELL_EMPTY)
			continue;
		if (cause == NULL ||
		    span_eq(table_cell_text(t, &c[find_column(t, "Cause")]),
			span_of(cause)))
			sum += c[at].i;
	}
	return sum;
}

static void
make_table(struct page_run *x, const char *name, struct table *t)
{
	for (size_t i = 0; i < x->rs.count; i++)
		if (strcmp(x->rs.all[i].name, name) == 0)
			report_table(&x->rs.all[i], t);
}

/* ---- checks ---- */

static void
check_gpus(const struct page_run *x, const char *file)
{
	const struct page *p = &x->page;

	for (size_t i = 0; i < p->gpu_count; i++) {
		const struct page_gpu *g = &p->gpus[i];
		int64_t sum = 0;

		for (size_t c = 0; c < PAGE_CLASSES; c++)
			sum += g->time[c];
		CHECK(sum == g->to - g->from,
		    "%s: GPU %zu: parts %" PRId64 ", not %" PRId64, file, i,
		    sum, g->to - g->from);
	}
}

static void
check_time(const struct page_run *x, struct table *t, enum page_class c,
    const char *column, const char *file)
{
	int64_t expect = sum_column(t, column, NULL);

	CHECK(x->page.time[c] == expect, "%s: %s: %" PRId64 ", not %" PRId64,
	    file, column, x->page.time[c], expect);
}

static void
check_causes(struct page_run *x, struct table *t, const char *file)
{
	const struct gpu_account *s = NULL;

	for (size_t i = 0; i < x->rs.count; i++)
		if (x->rs.all[i].kind == &gpu_account_kind)
			s = gpu_account_of(&x->rs.all[i]);
	CHECK(s != NULL, "%s: no account", file);
	for (enum gap_cause c = 0; s != NULL && c < GAP_CAUSES; c++) {
		const char *name = gap_cause_name(c);
		int64_t sum = 0, expect = sum_column(t, "Total", name);

		if (c == GAP_BEFORE || c == GAP_AFTER || c == GAP_BUSY)
			continue;
		for (size_t i = 0; i < s->gpu_count; i++)
			sum += s->gpus[i]->causes[c].time;
		CHECK(sum == expect, "%s: %s: %" PRId64 ", not %" PRId64, file,
		    name, sum, expect);
	}
}

static void
check_file(char *file)
{
	struct page_run *x = read_file(file);
	struct table time = {0}, gaps = {0};
	const int64_t *sum = x->page.time;

	make_table(x, "device_time", &time);
	make_table(x, "gaps_sum", &gaps);
	check_gpus(x, file);
	check_time(x, &time, PAGE_COMPUTE, "Compute", file);
	check_time(x, &time, PAGE_COMMUNICATION, "Exposed Communication", file);
	check_time(x, &time, PAGE_COPY, "Exposed Copy", file);
	CHECK(x->page.active_only ||
		  sum[PAGE_HOST] + sum[PAGE_SYNC] + sum[PAGE_OTHER] ==
		      sum_column(&time, "Idle", NULL),
	    "%s: idle time", file);
	check_causes(x, &gaps, file);
	table_free(&time);
	table_free(&gaps);
	free_run(x);
}

/* ---- streams ---- */

static void
write_operation(FILE *f, uint64_t ts)
{
	static const char *const kinds[] = {
	    "kernel", "kernel", "memcpy", "memset"};
	static const char *const names[] = {"k", "ncclSend", "c", "s"};
	uint64_t kind = check_random() % 4, ago = check_random() % 60;

	fprintf(f,
	    "{\"kind\":\"%s\",\"ts\":%" PRIu64 ",\"dur\":%" PRIu64
	    ",\"pid\":%" PRIu64 ",\"tid\":1,\"corr\":%" PRIu64
	    ",\"name\":\"%s\",\"device\":%" PRIu64
	    ",\"context\":1,\"stream\":7",
	    kinds[kind], ts, check_random() % 40, 1 + check_random() % 2, ts,
	    names[kind], check_random() % 2);
	if (check_random() % 8 > 0 && ts > ago)
		fprintf(f, ",\"api_ts\":%" PRIu64 ",\"api_dur\":%" PRIu64,
		    ts - ago, check_random() % 30);
	fputs("}\n", f);
}

/* Some with one GPU for two processes, and some of two sections. */
static void
write_section(FILE *f, bool shared)
{
	uint64_t ts = check_random() % 100;
	size_t n = check_random() % RECORDS;

	fputs("{\"kind\":\"trace\",\"version\":1}\n", f);
	for (int pid = 1; shared && pid <= 2; pid++)
		for (int device = 0; device < 2; device++)
			fprintf(f,
			    "{\"kind\":\"device\",\"pid\":%d,\"name\":\"X\","
			    "\"device\":%d,\"uuid\":\"a%d\"}\n",
			    pid, device, pid == 1 ? device : !device);
	for (size_t i = 0; i < n; i++) {
		ts += check_random() % 30;
		if (check_random() % 6 > 0)
			write_operation(f, ts);
		else
			fprintf(f,
			    "{\"kind\":\"api\",\"ts\":%" PRIu64
			    ",\"dur\":%" PRIu64 ",\"pid\":1,\"tid\":1,\"name\":"
			    "\"cudaStreamSynchronize\"}\n",
			    ts, check_random() % 50);
	}
	fprintf(f, "{\"kind\":\"end\",\"events\":%zu,\"dropped\":0}\n",
	    n + (shared ? 4 : 0));
}

static void
check_random_streams(void)
{
	char file[] = "/tmp/tq-page-sums-XXXXXX";
	int fd = mkstemp(file);

	close(fd);
	for (int i = 0; i < STREAMS; i++) {
		FILE *f = fopen(file, "w");

		write_section(f, i % 3 == 0);
		if (i % 5 == 0)
			write_section(f, false);
		fclose(f);
		check_file(file);
	}
	unlink(file);
}

int
main(int argc, char *argv[])
{
	for (int i = 1; i < argc; i++)
		check_file(argv[i]);
	if (argc == 1)
		check_random_streams();
	return check_status();
}
