/* report_file.c - the report that nsys would have exported to the database */

#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../report/report_writer.h"
#include "report_file.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* As nsys numbers them; 0 ends a list of fields. */
enum { THREAD_PRIORITY = 20, PROCESS_EVENT = 27, PROCESS_BODY = 113 };

/* A field with the same value in all events, in place of a column. */
#define ALWAYS(value) (COLUMNS + (value))

/*
 * The column of a table that is a field of the body, or of the message SUB in
 * it. Fields are in the order of the file.
 */
struct field {
	unsigned char column, sub, number;
	bool string; /* an id in StringIds */
};

struct body {
	int type, number; /* type 0: that of the row */
	struct field fields[40];
};

#define ACTIVITY(kind) \
	{0, 0, 1}, {1, 0, 2}, {6, 0, 3}, {2, 0, 4}, {3, 0, 5}, {5, 0, 6}, \
	    {ALWAYS(kind), 0, 7}, {7, 0, 8}, \
	{ \
		4, 0, 9 \
	}

static const struct body bodies[TABLES] = {
    [T_KERNEL] = {79, 107,
	{ACTIVITY(3), {8, 101, 1, true}, {9, 101, 2, true}, {10, 101, 3, true},
	    {8, 101, 8, true}, {14, 101, 10}, {15, 101, 11}, {16, 101, 12},
	    {17, 101, 13}, {18, 101, 14}, {19, 101, 15}, {20, 101, 16},
	    {21, 101, 17}, {22, 101, 18}, {23, 101, 19}, {24, 101, 20},
	    {13, 101, 21}, {25, 101, 22}, {12, 101, 23}, {11, 101, 24},
	    {26, 101, 27}, {27, 101, 28}, {31, 101, 29}, {32, 101, 31},
	    {33, 101, 32}, {34, 101, 33}, {35, 101, 34}, {36, 101, 35},
	    {37, 101, 36}}},
    [T_MEMCPY] = {80, 107,
	{ACTIVITY(1), {8, 102, 1}, {9, 102, 2}, {11, 102, 4}, {12, 102, 5},
	    {17, 102, 10}, {19, 102, 12}, {20, 102, 16}}},
    [T_MEMSET] = {80, 107,
	{ACTIVITY(2), {9, 103, 1}, {8, 103, 2}, {11, 103, 4}}},
    [T_SYNC] = {106, 107,
	{ACTIVITY(5), {10, 105, 1}, {8, 105, 2}, {11, 105, 3}, {9, 105, 4}}},
    [T_RECORD] = {127, 107,
	{{0, 0, 1}, {5, 0, 3}, {1, 0, 4}, {2, 0, 5}, {4, 0, 6},
	    {ALWAYS(6), 0, 7}, {6, 0, 8}, {3, 0, 9}, {7, 106, 1}, {8, 106, 2}}},
    [T_RUNTIME] = {48, 108,
	{{0, 0, 1}, {1, 0, 2}, {4, 0, 3}, {2, 0, 6}, {5, 0, 7, true}, {6, 0, 8},
	    {3, 0, 13}}},
    [T_NVTX] = {0, 102,
	{{2, 0, 1}, {0, 0, 2}, {3, 0, 4}, {4, 0, 5}, {5, 0, 6}, {6, 0, 7},
	    {7, 0, 9}, {1, 0, 10}, {8, 0, 11}, {9, 0, 12, true}, {10, 0, 13},
	    {ALWAYS(1), 0, 14}}},
    [T_OSRT] = {48, 108,
	{{0, 0, 1}, {1, 0, 2}, {ALWAYS(0), 0, 3}, {2, 0, 6}, {4, 0, 7, true},
	    {5, 0, 8}, {3, 0, 13}, {6, 0, 20}}},
    [T_SCHED] = {41, 106,
	{{0, 0, 1}, {1, 0, 3}, {2, 0, 4}, {4, 0, 5}, {3, 0, 6},
	    {ALWAYS(1), 0, 7}}},
    [T_SAMPLE] = {
	31, 104, {{1, 0, 1}, {2, 0, 3}, {3, 0, 6}, {4, 0, 11}, {5, 0, 12}}}};

/* Ids of strings are without gaps, and 0 is one that no row has. */
static int64_t
value_of(const struct field *f, const struct row *row)
{
	int64_t v;

	if (f->column >= COLUMNS)
		return f->column - COLUMNS;
	v = row->value[f->column];
	return f->string && v != NONE ? rows_string_of(v) + 1 : v;
}

static void
add_field(struct message *to, const struct field *f, const struct row *row)
{
	int64_t v = value_of(f, row);

	if (f->column == row->text_at)
		message_text(to, f->number, row->text);
	else if (v != NONE)
		message_int(to, f->number, v);
}

/* The frames of a sample, which stand before its state. */
static void
add_frames(struct message *to, uint32_t sample, const struct strings *s)
{
	struct message frame = {0};
	struct row row;

	for (uint32_t i = 0; i < FRAMES; i++) {
		rows_frame(&row, sample * FRAMES + i, s);
		message_int(&frame, 1, rows_string_of(row.value[1]) + 1);
		message_int(&frame, 2, rows_string_of(row.value[2]) + 1);
		message_int(&frame, 4, row.value[3]);
		message_int(&frame, 5, row.value[4]);
		message_int(&frame, 6, row.value[5]);
		message_int(&frame, 8, row.value[7]);
		message_int(&frame, 9, row.value[8]);
		message_move(to, 4, &frame);
	}
	message_free(&frame);
}

static void
write_row(struct report_writer *w, int table, const struct row *row,
    uint32_t number, const struct strings *s)
{
	static struct message body, inner;
	const struct body *b = &bodies[table];
	const struct field *f = b->fields;

	for (; f->number != 0; f++) {
		if (table == T_SAMPLE && f->number == 6)
			add_frames(&body, number, s);
		add_field(f->sub != 0 ? &inner : &body, f, row);
		if (f->sub != 0 && f[1].sub != f->sub)
			message_move(&body, f->sub, &inner);
	}
	report_writer_event(w, b->type != 0 ? b->type : row->value[2],
	    (unsigned)b->number, &body);
}

/*
 * All events by time, where their tables are in that order; what was written
 * per thread are runs behind each other, as in real files.
 */
static void
write_events(struct report_writer *w, const struct table *tables,
    const struct strings *s)
{
	size_t at[TABLES] = {0};
	struct row row;

	for (;;) {
		int first = -1;

		for (int i = 0; i < TABLES; i++)
			if (at[i] < tables[i].count &&
			    (first < 0 ||
				tables[i].rows[at[i]].start <
				    tables[first].rows[at[first]].start))
				first = i;
		if (first < 0)
			break;
		rows_exports[first].fill(
		    &row, &tables[first].rows[at[first]], s);
		write_row(w, first, &row, (uint32_t)at[first], s);
		at[first]++;
	}
}

/* ---- definitions ---- */

static void
add_numbers(
    struct message *to, unsigned number, const int64_t *values, size_t count)
{
	struct message m = {0};

	for (size_t i = 0; i < count; i++)
		if (values[i] != NONE)
			message_int(&m, (unsigned)i + 1, values[i]);
	message_move(to, number, &m);
	message_free(&m);
}

static void
write_gpu(struct report_writer *w, int gpu)
{
	struct message m = {0};
	const char *uuid = gpu == 0 ? "8b3dc3f9-0f87-aab1-2135-d50c31743030"
				    : "8b3dc3f9-0f87-aab1-2135-d50c31743031";

	message_int(&m, 1, gpu);
	message_text(&m, 2, "NVIDIA H100 80GB HBM3");
	message_text(&m, 3, gpu == 0 ? "0000:19:00.0" : "0000:3b:00.0");
	message_text(&m, 5, uuid);
	message_text(&m, 7, "GH100");
	message_int(&m, 11, INT64_C(84942979072));
	message_int(&m, 14, 132);
	message_int(&m, 15, gpu);
	message_int(&m, 41, 9);
	message_int(&m, 42, 0);
	message_move(&w->devices, 7, &m);
	message_free(&m);
}

static void
write_domains(struct report_writer *w, int process, const struct strings *s)
{
	struct row row;

	for (int i = 0; rows_domain(&row, process, i); i++)
		write_row(w, T_NVTX, &row, 0, s);
}

/* What is known of a process besides its events. */
static void
write_process(struct report_writer *w, int process, const struct strings *s)
{
	int64_t pid = rows_pids[process];
	const int64_t device[] = {process, 0, pid, NONE, NONE, 132};
	const int64_t context[] = {7, 0, 1, pid, 0, CONTEXT, 0, 0, 0};
	struct message body = {0};

	write_gpu(w, process);
	add_numbers(&w->devices, 9, device, COUNT(device));
	add_numbers(&w->info, 14, context, COUNT(context));
	for (int i = 0; i < STREAMS; i++) {
		const int64_t stream[] = {rows_streams[i], 0, 1, pid, CONTEXT,
		    0, i == S_COMPUTE ? 3 : 2};

		add_numbers(&w->info, 15, stream, COUNT(stream));
	}
	for (int i = 0; i < THREADS; i++) {
		const int64_t thread[] = {NONE,
		    rows_string_of(s->threads[i]) + 1, THREAD_PRIORITY,
		    rows_global_tid(process * THREADS + i)};

		add_numbers(&w->threads, 1, thread, COUNT(thread));
		w->thread_count++;
	}
	message_int(&body, 1, 0);
	message_int(&body, 2, VM | pid << 24);
	message_text(&body, 6, "python3");
	report_writer_event(w, PROCESS_EVENT, PROCESS_BODY, &body);
	message_free(&body);
	write_domains(w, process, s);
}

static void
write_target(struct report_writer *w, int key, const char *text)
{
	struct message m = {0};

	message_int(&m, 1, key);
	message_text(&m, 2, text);
	message_move(&w->target, 1, &m);
	message_free(&m);
}

static void
write_session(struct report_writer *w, int64_t duration)
{
	report_writer_set_version(w, "2026.2.1.210");
	w->utc = INT64_C(1779630014975716426);
	w->start = INT64_C(35255823190);
	w->stop = w->start + duration;
	write_target(w, 605, "Ubuntu 22.04.5 LTS");
	write_target(w, 619, "synthetic");
	message_text(&w->process, 10, "torchrun");
}

void
report_file_write(const char *name, const struct table *tables,
    const struct strings *strings, int64_t duration)
{
	struct report_writer w;
	struct message file = {0};
	FILE *to = fopen(name, "w");

	if (to == NULL)
		err(1, "%s", name);
	report_writer_open(&w);
	for (size_t i = 0; i < strings->count; i++)
		report_writer_new_string(
		    &w, strings->text[i], strlen(strings->text[i]));
	write_session(&w, duration);
	for (int i = 0; i < PROCESSES; i++)
		write_process(&w, i, strings);
	write_events(&w, tables, strings);
	report_writer_finish(&w, &file);
	report_writer_close(&w);
	if (fwrite(file.p, 1, file.len, to) != file.len || fclose(to) != 0)
		err(1, "%s", name);
	message_free(&file);
}
