/*
 * generate - write a synthetic nsys export, the same one every time, and the
 * report that it would be of
 */

#include <err.h>
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report_file.h"
#include "rows.h"
#include "schema.h"
#include "timeline.h"
#include "vocabulary.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum {
	DISPLACED = 5000, /* one row in that many */
	FEW_KERNELS = 20  /* names of kernels with -k */
};

static const char *const thread_names[THREADS] = {
    "python3", "pt_autograd_0", "pt_nccl_watchdg", "pt_data_pin"};

static _Noreturn void
usage(void)
{
	fputs("usage: generate [-k] [-n kernels] [-r report] file\n", stderr);
	exit(2);
}

static int64_t
intern(struct strings *s, const char *text)
{
	size_t i = 0;

	while (i < s->count && strcmp(s->text[i], text) != 0)
		i++;
	if (i == COUNT(s->text))
		errx(1, "too many strings");
	if (i == s->count && (s->text[s->count++] = strdup(text)) == NULL)
		err(1, NULL);
	return rows_string_id(i);
}

static void
intern_list(
    struct strings *s, int64_t *ids, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ids[i] = intern(s, list[i]);
}

static void
intern_all(struct strings *s)
{
	struct kernel_name name;
	size_t i;

	intern_list(s, s->threads, thread_names, THREADS);
	intern_list(s, s->ranges, vocabulary_ranges, RANGES);
	intern_list(s, s->osrts, vocabulary_osrts, OSRTS);
	intern_list(s, s->symbols, vocabulary_symbols, SYMBOLS);
	intern_list(s, s->modules, vocabulary_modules, MODULES);
	for (i = 0; i < CALLS; i++)
		s->calls[i] = intern(s, vocabulary_calls[i].name);
	for (i = 0; i < KERNELS; i++) {
		vocabulary_kernel(&name, s->few ? i % FEW_KERNELS : i);
		s->demangled[i] = intern(s, name.demangled);
		s->brief[i] = intern(s, name.brief);
		s->mangled[i] = intern(s, name.mangled);
	}
}

static void
check(sqlite3 *db, int status, int expected)
{
	if (status != expected)
		errx(1, "%s: %s", sqlite3_db_filename(db, "main"),
		    sqlite3_errmsg(db));
}

static void
run(sqlite3 *db, const char *sql)
{
	check(db, sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
}

static sqlite3_stmt *
prepare(sqlite3 *db, const char *table, int columns)
{
	sqlite3_stmt *stmt;
	char sql[256];
	int i, n;

	n = snprintf(sql, sizeof(sql), "INSERT INTO %s VALUES (?", table);
	for (i = 1; i < columns; i++)
		n += snprintf(sql + n, sizeof(sql) - (size_t)n, ",?");
	snprintf(sql + n, sizeof(sql) - (size_t)n, ")");
	check(db, sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
	return stmt;
}

static void
insert(sqlite3 *db, sqlite3_stmt *stmt, const struct row *row, int columns)
{
	int i;

	for (i = 0; i < columns; i++)
		if (i == row->text_at)
			sqlite3_bind_text(
			    stmt, i + 1, row->text, -1, SQLITE_STATIC);
		else if (row->value[i] == NONE)
			sqlite3_bind_null(stmt, i + 1);
		else
			sqlite3_bind_int64(stmt, i + 1, row->value[i]);
	check(db, sqlite3_step(stmt), SQLITE_DONE);
	check(db, sqlite3_reset(stmt), SQLITE_OK);
}

/* One row of a small table. */
static void
put(sqlite3 *db, const char *table, const int64_t *value, int columns,
    int text_at, const char *text)
{
	sqlite3_stmt *stmt = prepare(db, table, columns);
	struct row row;

	rows_set(&row, value, (size_t)columns);
	row.text_at = text_at;
	if (text_at >= 0)
		snprintf(row.text, sizeof(row.text), "%s", text);
	insert(db, stmt, &row, columns);
	sqlite3_finalize(stmt);
}

static void
write_strings(sqlite3 *db, const struct strings *s)
{
	sqlite3_stmt *stmt = prepare(db, "StringIds", 2);

	for (size_t i = 0; i < s->count; i++) {
		sqlite3_bind_int64(stmt, 1, rows_string_id(i));
		sqlite3_bind_text(stmt, 2, s->text[i], -1, SQLITE_STATIC);
		check(db, sqlite3_step(stmt), SQLITE_DONE);
		check(db, sqlite3_reset(stmt), SQLITE_OK);
	}
	sqlite3_finalize(stmt);
}

static void
write_domains(sqlite3 *db, int process)
{
	int columns = rows_exports[T_NVTX].columns;
	sqlite3_stmt *stmt = prepare(db, "NVTX_EVENTS", columns);
	struct row row;

	for (int i = 0; rows_domain(&row, process, i); i++)
		insert(db, stmt, &row, columns);
	sqlite3_finalize(stmt);
}

/* What is known of a process besides its events. */
static void
write_process(sqlite3 *db, int process, const struct strings *s)
{
	int64_t pid = rows_pids[process];
	const int64_t about[] = {VM | pid << 24, pid, NONE};
	const int64_t device[] = {process, 0, pid, NONE, 132};
	const int64_t context[] = {7, 0, 1, pid, 0, CONTEXT, 0, 0, 0};
	int i;

	put(db, "PROCESSES", about, COUNT(about), 2, "python3");
	put(db, "TARGET_INFO_CUDA_DEVICE", device, COUNT(device), 3, "");
	put(db, "TARGET_INFO_CUDA_CONTEXT_INFO", context, COUNT(context), -1,
	    NULL);
	for (i = 0; i < STREAMS; i++) {
		const int64_t stream[] = {rows_streams[i], 0, 1, pid, CONTEXT,
		    0, i == S_COMPUTE ? 3 : 2};

		put(db, "TARGET_INFO_CUDA_STREAM", stream, COUNT(stream), -1,
		    NULL);
	}
	for (i = 0; i < THREADS; i++) {
		const int64_t thread[] = {
		    s->threads[i], 20, rows_global_tid(process * THREADS + i)};

		put(db, "ThreadNames", thread, COUNT(thread), -1, NULL);
	}
	write_domains(db, process);
}

static void
write_table(
    sqlite3 *db, int table, const struct table *t, const struct strings *s)
{
	int columns = rows_exports[table].columns;
	sqlite3_stmt *stmt = prepare(db, rows_exports[table].name, columns);
	struct row row;

	for (size_t i = 0; i < t->count; i++) {
		rows_exports[table].fill(&row, &t->rows[i], s);
		insert(db, stmt, &row, columns);
	}
	sqlite3_finalize(stmt);
}

static void
write_callchains(sqlite3 *db, size_t samples, const struct strings *s)
{
	sqlite3_stmt *stmt = prepare(db, "SAMPLING_CALLCHAINS", FRAME_COLUMNS);
	struct row row;

	for (uint32_t i = 0; i < samples * FRAMES; i++) {
		rows_frame(&row, i, s);
		insert(db, stmt, &row, FRAME_COLUMNS);
	}
	sqlite3_finalize(stmt);
}

static int64_t
duration_of(const struct table *tables)
{
	int64_t end = 0;

	for (size_t i = 0; i < tables[T_RUNTIME].count; i++)
		if (tables[T_RUNTIME].rows[i].end > end)
			end = tables[T_RUNTIME].rows[i].end;
	return end;
}

static void
write_duration(sqlite3 *db, int64_t duration)
{
	int64_t value[] = {VM, duration, INT64_C(35255823190), 0};

	value[3] = value[2] + value[1];
	put(db, "ANALYSIS_DETAILS", value, COUNT(value), -1, NULL);
}

/* By time; a row that encloses another comes first. */
static int
compare(const void *left, const void *right)
{
	const struct event *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return a->corr < b->corr ? -1 : a->corr > b->corr;
}

/* As nsys leaves API calls: sorted for each class and thread only. */
static int
compare_calls(const void *left, const void *right)
{
	const struct event *a = left, *b = right;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return compare(left, right);
}

/* Some rows come a little late. */
static void
displace(const struct table *t)
{
	struct event e, *at;

	for (size_t i = DISPLACED / 2; i + 3 < t->count; i += DISPLACED) {
		at = &t->rows[i];
		e = *at;
		memmove(at, at + 1, 3 * sizeof(e));
		at[3] = e;
	}
}

static void
write_export(sqlite3 *db, const struct table *tables, const struct strings *s)
{
	size_t i;

	run(db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; "
		"PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536; "
		"BEGIN");
	for (i = 0; i < COUNT(schema); i++)
		run(db, schema[i]);
	write_strings(db, s);
	for (i = 0; i < PROCESSES; i++)
		write_process(db, (int)i, s);
	for (i = 0; i < TABLES; i++)
		write_table(db, (int)i, &tables[i], s);
	write_callchains(db, tables[T_SAMPLE].count, s);
	write_duration(db, duration_of(tables));
	run(db, "COMMIT");
}

/* report may be NULL; few: names repeat, as those of training do */
static void
make_files(const char *name, const char *report, size_t kernels, bool few)
{
	static struct table tables[TABLES];
	static struct strings strings;
	sqlite3 *db;
	size_t i;

	if (unlink(name) != 0 && errno != ENOENT)
		err(1, "%s", name);
	if (sqlite3_open(name, &db) != SQLITE_OK)
		errx(1, "%s: %s", name, sqlite3_errmsg(db));
	strings.few = few;
	intern_all(&strings);
	timeline_make(tables, kernels);
	for (i = 0; i < TABLES; i++)
		if (tables[i].count > 1)
			qsort(tables[i].rows, tables[i].count,
			    sizeof(*tables[i].rows),
			    i == T_RUNTIME ? compare_calls : compare);
	displace(&tables[T_OSRT]);
	write_export(db, tables, &strings);
	if (report != NULL)
		report_file_write(
		    report, tables, &strings, duration_of(tables));
	check(db, sqlite3_close(db), SQLITE_OK);
	for (i = 0; i < TABLES; i++)
		free(tables[i].rows);
	for (i = 0; i < strings.count; i++)
		free(strings.text[i]);
}

int
main(int argc, char *argv[])
{
	unsigned long kernels = 1000000;
	char *end, *temporary, *report = NULL;
	bool few = false;
	int c;

	while ((c = getopt(argc, argv, "kn:r:")) != -1)
		switch (c) {
		case 'k':
			few = true;
			break;
		case 'n':
			kernels = strtoul(optarg, &end, 10);
			if (end == optarg || *end != '\0' ||
			    kernels > 100000000)
				errx(2, "%s: not a number of kernels", optarg);
			break;
		case 'r':
			report = optarg;
			break;
		default:
			usage();
		}
	if (optind + 1 != argc)
		usage();
	if (asprintf(&temporary, "%s.tmp", argv[optind]) < 0)
		err(1, NULL);
	make_files(temporary, report, kernels, few);
	if (rename(temporary, argv[optind]) != 0)
		err(1, "%s", argv[optind]);
	free(temporary);
	return 0;
}
