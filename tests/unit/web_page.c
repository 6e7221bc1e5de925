/*
 * web_page.c - the page in HTML of a recording that has the most of all:
 * its size, its tags, what becomes of names that look like tags
 */

#include <stdlib.h>

#include "page/html/web_page.h"
#include "page/thread_intervals.h"
#include "page/class_bins.h"
#include "check.h"

enum { NAME = 5000, GPUS = 8, LIMIT = 200000 };

/* a name of all that must be escaped, and of bytes that must not be there */
static struct span
hostile(void)
{
	static char name[NAME];
	static const char part[] = "</title></script><b>&\"'>\x01\xe2\x80\xa6";

	for (size_t i = 0; i < NAME; i++)
		name[i] = part[i % (sizeof(part) - 1)];
	return (struct span){name, NAME};
}

/* ---- a page ---- */

static struct dist
durations(void)
{
	struct dist d = {0};

	for (int i = 0; i < 300; i++)
		dist_add(&d, (int64_t)(check_random() >> (i % 62 + 2)));
	dist_sort(&d);
	return d;
}

static void
fill_table(struct page_table *t, const struct dist *d, const char *title)
{
	static int64_t classes[PAGE_CLASSES] = {1, 2, 3, 4, 5, 6};
	static int64_t weights[PAGE_ROWS];
	static const struct page_column columns[PAGE_COLUMNS] = {{""}, {"%"},
	    {"Time"}, {"N", 6}, {"Median", 5}, {"Min", 1}, {"Spread", 2},
	    {"", 3}, {"Kernel", 0, true}};

	*t = (struct page_table){.title = title,
	    .of = hostile(),
	    .column_count = PAGE_COLUMNS,
	    .count = PAGE_ROWS,
	    .weights = weights,
	    .whole = 100,
	    .total = 1000,
	    .more = hostile()};
	memcpy(t->columns, columns, sizeof(columns));
	t->rows = calloc(PAGE_ROWS, sizeof(*t->rows));
	for (int64_t i = 0; i < PAGE_ROWS; i++) {
		const struct page_cell row[PAGE_COLUMNS] = {
		    {PAGE_BAR, .v = 10 - i, .of = 100},
		    {PAGE_SHARE, .v = 10 - i, .of = 100},
		    {PAGE_TIME, .v = INT64_MAX - i},
		    {PAGE_COUNT, .v = INT64_MAX},
		    {PAGE_TIME, true, .v = 123456 * i}, {PAGE_RATE, .v = i},
		    {PAGE_SPREAD, .times = d}, {PAGE_STACK, .classes = classes},
		    {PAGE_KERNEL, .v = i}};

		memcpy(t->rows[i], row, sizeof(row));
		if (d != NULL)
			continue;
		t->rows[i][6] = (struct page_cell){0};
		t->rows[i][8] =
		    (struct page_cell){PAGE_TEXT, .text = hostile()};
	}
}

/* Strips and lanes in which each bin and interval differs from the next. */
static void
page_draft_gpu(struct page_gpu *g)
{
	static struct span name;
	int64_t at = 0;

	name = hostile();
	*g = (struct page_gpu){.name = hostile(),
	    .model = hostile(),
	    .time = {6, 5, 4, 3, 2, 1},
	    .strip = malloc(sizeof(*g->strip)),
	    .lane = calloc(1, sizeof(*g->lane)),
	    .lane_names = &name};
	class_bins_begin(g->strip, 0);
	for (int i = 0; i < 20000; i++) {
		int64_t to = at + (int64_t)(check_random() % 100000);

		class_bins_add(g->strip, (unsigned)i % PAGE_CLASSES, at, to);
		if (i % 30 == 0)
			thread_intervals_add(g->lane, at, to, 0);
		at = to;
	}
	g->to = at;
}

static void
fill_finding(struct page_finding *f)
{
	static struct page_part parts[8];

	for (size_t i = 0; i < 8; i++)
		parts[i] = (struct page_part){i % 3, hostile()};
	*f = (struct page_finding){.title = hostile(),
	    .parts = parts,
	    .count = 8,
	    .cost = 1,
	    .of = 4,
	    .most = 3,
	    .command = hostile()};
}

static void
fill_page(struct page *p, const struct dist *d)
{
	static struct page_gpu gpus[GPUS];
	static struct page_finding findings[7];
	static struct page_line lines[9];
	static struct page_command commands[3];
	static struct span kernels[PAGE_ROWS];

	*p = (struct page){.title = hostile(),
	    .command = hostile(),
	    .producer = hostile(),
	    .subject = "The GPUs",
	    .sentence = hostile(),
	    .findings = findings,
	    .finding_count = 7,
	    .gpus = gpus,
	    .gpu_count = GPUS,
	    .shown_gpu_count = GPUS,
	    .gap_count = PAGE_GAPS,
	    .recorded_lines = lines,
	    .recorded_count = 9,
	    .go_on = commands,
	    .go_on_count = 3,
	    .kernel_names = kernels,
	    .kernel_count = PAGE_ROWS};
	for (size_t i = 0; i < 7; i++)
		fill_finding(&findings[i]);
	for (size_t i = 0; i < GPUS; i++) {
		page_draft_gpu(&gpus[i]);
		p->shown_gpus[i] = i;
	}
	for (size_t i = 0; i < 9; i++)
		lines[i] = (struct page_line){"Events", hostile()};
	for (size_t i = 0; i < 3; i++)
		commands[i] = (struct page_command){hostile(), "it"};
	for (size_t i = 0; i < PAGE_ROWS; i++)
		kernels[i] = hostile(), kernels[i].len -= i;
	for (size_t i = 0; i < PAGE_GAPS; i++)
		p->gaps[i] = (struct page_gap){
		    .gpu = hostile(), .before = hostile(), .range = hostile()};
	fill_table(&p->kernels, d, "KERNELS");
	fill_table(&p->waits, NULL, "WHERE THE GPUS WAIT");
	fill_table(&p->copies, NULL, "MEMCPY AND MEMSET");
	fill_table(&p->calls, NULL, "CUDA API CALLS");
	fill_table(&p->steps, NULL, "STEPS");
	fill_table(&p->ranges, NULL, "RANGES");
}

static void
free_page(struct page *p)
{
	struct page_table *const tables[] = {&p->kernels, &p->waits, &p->copies,
	    &p->calls, &p->steps, &p->ranges};

	for (size_t i = 0; i < 6; i++)
		free(tables[i]->rows);
	for (size_t i = 0; i < p->gpu_count; i++) {
		class_bins_free(p->gpus[i].strip);
		free(p->gpus[i].strip);
		thread_intervals_free(p->gpus[i].lane);
		free(p->gpus[i].lane);
	}
}

/* ---- its tags ---- */

enum { DEPTH = 32 };

/* The length of the tag name at p. */
static size_t
tag_length(const char *p)
{
	return strspn(p, "abcdefghijklmnopqrstuvwxyz0123456789!DOCTYPE");
}

/*
 * Every "<" begins a tag of ours, tags are closed in order, and no attribute
 * ends a tag.  The number of elements.
 */
static size_t
check_tags(const char *p)
{
	const char *open[DEPTH];
	size_t depth = 0, count = 0;

	for (; (p = strchr(p, '<')) != NULL && depth < DEPTH; p++) {
		bool ends = p[1] == '/';
		size_t len = tag_length(p + 1 + ends);
		const char *end = strchr(p, '>');

		CHECK(len > 0 && end != NULL, "no tag: %.30s", p);
		if (end == NULL || p[1] == '!' || end[-1] == '/')
			continue;
		if (!ends) {
			open[depth++] = p + 1;
			count++;
			continue;
		}
		if (depth-- == 0 || strncmp(open[depth], p + 2, len) != 0 ||
		    tag_length(open[depth]) != len) {
			CHECK(false, "nothing to close: %.30s", p);
			return count;
		}
	}
	CHECK(depth == 0, "%zu tags are open", depth);
	return count;
}

int
main(void)
{
	static struct page p, empty;
	struct dist d = durations();
	struct text a = {0}, b = {0};

	fill_page(&p, &d);
	web_page(&a, &p);
	if (getenv("DUMP"))
		fwrite(a.p, 1, a.len, stdout);
	CHECK(a.len < LIMIT, "%zu bytes", a.len);
	web_page(&b, &p);
	CHECK(text_is(&a, b.p) || a.len == b.len, "the same page twice");
	CHECK(memcmp(a.p, b.p, a.len) == 0, "byte for byte");
	CHECK(memchr(a.p, 1, a.len) == NULL, "control characters");
	text_add_char(&a, '\0');
	CHECK(check_tags(a.p) > 500, "elements");
	CHECK(strstr(a.p, "<h2>Where the GPUs wait</h2>") != NULL, "a title");
	CHECK(strstr(a.p, "<h2>CUDA API calls</h2>") != NULL, "a title");
	b.len = 0;
	empty = (struct page){.sentence = SPAN("Nothing was recorded.")};
	web_page(&b, &empty);
	text_add_char(&b, '\0');
	check_tags(b.p);
	CHECK(strstr(b.p, "<table") == NULL, "tables of nothing");
	free_page(&p);
	dist_free(&d);
	text_free(&a);
	text_free(&b);
	return check_status();
}
