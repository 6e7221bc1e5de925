/* report_database.c - the database of a report: strings and definitions */

#include <stdio.h>

#include "read/proto_reader.h"
#include "report_database.h"
#include "report_tables.h"

enum { COLUMNS = 16 };

/* a column of a definition: the field of its message */
struct definition_column {
	const char *name;
	uint32_t field;
	bool text;
};

struct definition_table {
	const char *name;
	struct definition_column columns[COLUMNS];
};

/* in the order of the statements that insert */
static const struct definition_table threads = {
    "ThreadNames", {{"nameId", 2}, {"priority", 3}, {"globalTid", 4}}};

static const struct definition_table gpus = {"TARGET_INFO_GPU",
    {{"id", 1}, {"name", 2, true}, {"busLocation", 3, true}, {"uuid", 5, true},
	{"chipName", 7, true}, {"totalMemory", 11}, {"smCount", 14},
	{"cuDevice", 15}, {"computeMajor", 41}, {"computeMinor", 42}}};

/* in 2020 the number of a GPU was its device's */
static const struct definition_table gpus_2020 = {"TARGET_INFO_GPU",
    {{"id", 1}, {"deviceId", 1}, {"name", 2, true}, {"busLocation", 3, true},
	{"uuid", 5, true}, {"chipName", 7, true}}};

static const struct definition_table cuda_gpus = {"TARGET_INFO_CUDA_GPU",
    {{"name", 1, true}, {"globalMemorySize", 3}, {"numMultiprocessors", 9},
	{"computeCapabilityMajor", 22}, {"computeCapabilityMinor", 23},
	{"deviceId", 24}, {"pid", 25}, {"pciBusId", 26, true}}};

static const struct definition_table cuda_devices = {"TARGET_INFO_CUDA_DEVICE",
    {{"gpuId", 1}, {"cudaId", 2}, {"pid", 3}, {"uuid", 5, true},
	{"numMultiprocessors", 6}}};

static const struct definition_table contexts = {
    "TARGET_INFO_CUDA_CONTEXT_INFO",
    {{"nullStreamId", 1}, {"hwId", 2}, {"vmId", 3}, {"processId", 4},
	{"deviceId", 5}, {"contextId", 6}, {"parentContextId", 7}}};

static const struct definition_table stream_names = {
    "TARGET_INFO_NVTX_CUDA_STREAM",
    {{"name", 1, true}, {"hwId", 2}, {"vmId", 3}, {"processId", 4},
	{"deviceId", 5}, {"contextId", 6}, {"streamId", 7}}};

static const struct definition_table streams = {"TARGET_INFO_CUDA_STREAM",
    {{"streamId", 1}, {"hwId", 2}, {"vmId", 3}, {"processId", 4},
	{"contextId", 5}, {"priority", 6}, {"flag", 7}}};

/* ---- tables ---- */

static void
run_sql(const struct database *db, const char *sql)
{
	if (sqlite3_exec(db->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
		database_fail(db);
}

/* tables of events: a column for each column in report_tables.def */
static void
create_event_tables(const struct database *db)
{
	static const struct {
		enum report_table table;
		const char *column;
	} columns[] = {
#define FIELD(id, column, as, sub, number) {REPORT_##id, column},
#define FIELD_SINCE(id, column, as, sub, number, release) {REPORT_##id, column},
#define FIELD_BEFORE(id, column, as, sub, number, release) \
	{REPORT_##id, column},
#define COMPUTED(id, column) {REPORT_##id, column},
#include "report_tables.def"
	};
	enum { COUNT = sizeof(columns) / sizeof(columns[0]) };

	for (enum report_table t = 0; t < REPORT_TABLES; t++) {
		struct text sql = {0};

		text_printf(&sql, "CREATE TABLE %s", report_tables_names[t]);
		for (size_t i = 0, n = 0; i < COUNT; i++) {
			size_t same = 0;

			if (columns[i].table != t)
				continue;
			while (same < i && (columns[same].table != t ||
					       strcmp(columns[same].column,
						   columns[i].column) != 0))
				same++;
			if (same == i) /* the first of this name */
				text_printf(&sql, "%s\"%s\"",
				    n++ == 0 ? " (" : ", ", columns[i].column);
		}
		text_add(&sql, ")", 2);
		run_sql(db, sql.p);
		text_free(&sql);
	}
}

/* a statement that inserts a row, and makes the table if it is needed */
static sqlite3_stmt *
prepare_insert(
    const struct database *db, const struct definition_table *t, int *count)
{
	struct text create = {0}, insert = {0};
	sqlite3_stmt *st;

	text_printf(&create, "CREATE TABLE IF NOT EXISTS %s", t->name);
	text_printf(&insert, "INSERT INTO %s VALUES", t->name);
	for (*count = 0; *count < COLUMNS && t->columns[*count].name != NULL;
	     ++*count) {
		const struct definition_column *c = &t->columns[*count];

		text_printf(&create, "%s%s %s", *count == 0 ? " (" : ", ",
		    c->name, c->text ? "TEXT" : "INTEGER");
		text_add_str(&insert, *count == 0 ? " (?" : ", ?");
	}
	text_add(&create, ")", 2);
	text_add(&insert, ")", 2);
	run_sql(db, create.p);
	st = database_prepare(db, "%s", insert.p);
	text_free(&create);
	text_free(&insert);
	if (st == NULL)
		database_fail(db);
	return st;
}

static void
bind_field(sqlite3_stmt *st, int at, struct span message,
    const struct definition_column *c)
{
	struct proto_field f;

	if (!proto_reader_find(message, c->field, &f) ||
	    (f.bytes.p != NULL) != c->text)
		sqlite3_bind_null(st, at);
	else if (c->text)
		sqlite3_bind_text64(
		    st, at, f.bytes.p, f.bytes.len, SQLITE_STATIC, SQLITE_UTF8);
	else
		sqlite3_bind_int64(st, at, (int64_t)f.v);
}

/* a row for each message in field `number` of a message */
static void
insert_all(const struct database *db, const struct definition_table *t,
    struct span message, uint32_t number)
{
	struct proto_reader p = proto_reader(message);
	sqlite3_stmt *st = NULL;
	struct proto_field f;
	int count = 0;

	while (proto_reader_next(&p, &f)) {
		if (f.number != number || f.bytes.p == NULL)
			continue;
		if (st == NULL)
			st = prepare_insert(db, t, &count);
		for (int i = 0; i < count; i++)
			bind_field(st, i + 1, f.bytes, &t->columns[i]);
		database_step(db, st);
		sqlite3_reset(st);
	}
	sqlite3_finalize(st);
}

/* ---- strings ---- */

struct string_insert {
	const struct database *db;
	sqlite3_stmt *st;
};

static void
insert_string(void *arg, int64_t id, struct span s)
{
	const struct string_insert *to = arg;

	sqlite3_bind_int64(to->st, 1, id);
	sqlite3_bind_text64(to->st, 2, s.p, s.len, SQLITE_STATIC, SQLITE_UTF8);
	database_step(to->db, to->st);
	sqlite3_reset(to->st);
}

static void
fill_strings(const struct database *db, struct nsysrep *r)
{
	struct string_insert to = {.db = db};

	run_sql(
	    db, "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT)");
	to.st = database_prepare(db, "INSERT INTO StringIds VALUES (?, ?)");
	if (to.st == NULL)
		database_fail(db);
	nsysrep_strings(r, insert_string, &to);
	sqlite3_finalize(to.st);
}

/* ---- the session ---- */

static bool
find_number(struct span message, uint32_t field, int64_t *v)
{
	struct proto_field f;

	if (!proto_reader_find(message, field, &f) || f.bytes.p != NULL)
		return false;
	*v = (int64_t)f.v;
	return true;
}

static void
insert_value(const struct database *db, const char *table, const char *name,
    struct span value)
{
	sqlite3_stmt *st = database_prepare(
	    db, "INSERT INTO %s (name, value) VALUES (?, ?)", table);

	if (st == NULL)
		database_fail(db);
	sqlite3_bind_text(st, 1, name, -1, SQLITE_STATIC);
	sqlite3_bind_text64(
	    st, 2, value.p, value.len, SQLITE_STATIC, SQLITE_UTF8);
	database_step(db, st);
	sqlite3_finalize(st);
}

/* the command and its arguments; beside them is the environment */
static void
fill_command(const struct database *db, struct span options)
{
	struct span process = {0};
	struct proto_reader p = proto_reader(options);
	struct proto_field f;
	char name[48];
	int n = 0;

	while (process.p == NULL && proto_reader_next(&p, &f))
		if (f.number == 26 && f.bytes.p != NULL)
			process = f.bytes;
	if (process.p == NULL)
		return;
	p = proto_reader(process);
	while (proto_reader_next(&p, &f)) {
		if (f.bytes.p == NULL || (f.number != 10 && f.number != 11))
			continue;
		if (f.number == 11)
			snprintf(
			    name, sizeof(name), "PROCESS_0:ARGUMENT_%d", n++);
		insert_value(db, "META_DATA_CAPTURE",
		    f.number == 10 ? "PROCESS_0:COMMAND" : name, f.bytes);
	}
}

/* the name of a value of the system that the export reads, or NULL */
static const char *
name_of_value(int64_t key)
{
	static const struct {
		int64_t key;
		const char *name;
	} names[] = {{605, "OsDescription"}, {618, "SoftwareReleaseVersion"},
	    {619, "Hostname"}};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].key == key)
			return names[i].name;
	return NULL;
}

/* the system, and the name of the host */
static void
fill_target(const struct database *db, struct span target)
{
	struct proto_reader p = proto_reader(proto_reader_bytes(target, 2));
	struct proto_field f, value;
	const char *name;
	int64_t key;

	while (proto_reader_next(&p, &f)) {
		if (f.number != 1 || f.bytes.p == NULL ||
		    !find_number(f.bytes, 1, &key) ||
		    (name = name_of_value(key)) == NULL ||
		    !proto_reader_find(f.bytes, 2, &value) ||
		    value.bytes.p == NULL)
			continue;
		insert_value(db, "TARGET_INFO_SYSTEM_ENV", name, value.bytes);
	}
}

/* ---- the time of day at time 0 ---- */

/* digits with a sign or without, modulo 2^64 */
static uint64_t
decimal(struct span s)
{
	bool negative = s.len > 0 && *s.p == '-';
	uint64_t v = 0;

	for (size_t i = negative; i < s.len; i++) {
		if (s.p[i] < '0' || s.p[i] > '9')
			break;
		v = v * 10 + (uint64_t)(s.p[i] - '0');
	}
	return negative ? -v : v;
}

/* to 2025.6: clock a = clock b + an offset */
static bool
offset_of(struct span pairs, int64_t a, int64_t b, uint64_t *offset)
{
	struct proto_reader p = proto_reader(pairs);
	struct proto_field f;
	bool found = false;
	int64_t x, y;

	while (proto_reader_next(&p, &f)) {
		if (f.number != 1 || f.bytes.p == NULL ||
		    !find_number(f.bytes, 1, &x) ||
		    !find_number(f.bytes, 2, &y) || x != a || y != b)
			continue;
		*offset = decimal(proto_reader_bytes(f.bytes, 5));
		found = true;
	}
	return found;
}

static bool
utc_of_offsets(struct span pairs, uint64_t *utc)
{
	enum { SYSTEM_1 = 1, SYSTEM = 3, SESSION = 7, UTC = 9 };
	uint64_t to_utc, to_session, between = 0;

	if (!offset_of(pairs, SYSTEM, UTC, &to_utc) ||
	    !offset_of(pairs, SESSION, SYSTEM_1, &to_session))
		return false;
	offset_of(pairs, SYSTEM_1, SYSTEM, &between);
	*utc = -to_utc - between - to_session;
	return true;
}

/* from 2025.6: clocks have an id and a kind, and pairs of them a moment */
enum { CLOCKS = 64 }; /* that are looked at; real reports have five */

struct clock_id {
	struct span id;
	int64_t kind;
};

static int
read_clocks(struct span all, struct clock_id clocks[CLOCKS])
{
	struct proto_reader p = proto_reader(proto_reader_bytes(all, 1));
	struct proto_field f;
	int n = 0;

	while (n < CLOCKS && proto_reader_next(&p, &f)) {
		if (f.number != 1 || f.bytes.p == NULL)
			continue;
		clocks[n++] = (struct clock_id){proto_reader_bytes(f.bytes, 1),
		    proto_reader_int(f.bytes, 2)};
	}
	return n;
}

/* true if the clock in a field of a pair has this kind */
static bool
is_of_kind(struct span pair, uint32_t field, int64_t kind,
    const struct clock_id *clocks, int count)
{
	struct span id = proto_reader_bytes(pair, field);

	for (int i = 0; i < count; i++)
		if (span_eq(clocks[i].id, id))
			return clocks[i].kind == kind;
	return false;
}

/* a moment in two clocks; false where the report has none */
static bool
moment_of(struct span all, int64_t a, int64_t b, uint64_t at[2])
{
	struct proto_reader p = proto_reader(proto_reader_bytes(all, 2));
	struct clock_id clocks[CLOCKS];
	int count = read_clocks(all, clocks);
	struct proto_field f;
	bool found = false;

	while (proto_reader_next(&p, &f)) {
		struct span point;

		if (f.number != 1 || f.bytes.p == NULL ||
		    !is_of_kind(f.bytes, 1, a, clocks, count) ||
		    !is_of_kind(f.bytes, 2, b, clocks, count))
			continue;
		point = proto_reader_bytes(proto_reader_bytes(f.bytes, 3), 1);
		at[0] = (uint64_t)proto_reader_int(point, 1);
		at[1] = (uint64_t)proto_reader_int(point, 2);
		found = true;
	}
	return found;
}

static bool
utc_of_moments(struct span all, uint64_t *utc)
{
	enum { SYSTEM = 7, UTC = 11, SESSION = 14, BOOT = 15 };
	uint64_t system[2], session[2];

	if (!moment_of(all, UTC, SYSTEM, system) ||
	    !moment_of(all, BOOT, SESSION, session))
		return false;
	*utc = system[0] + (session[0] - system[1]);
	return true;
}

static void
fill_session(const struct database *db, const struct nsysrep *r)
{
	struct span head = text_span(&r->head);
	int64_t start, stop, duration;
	char sql[128];
	uint64_t utc;

	if (utc_of_offsets(proto_reader_bytes(head, 16), &utc) ||
	    utc_of_moments(text_span(&r->clocks), &utc)) {
		snprintf(sql, sizeof(sql),
		    "CREATE TABLE TARGET_INFO_SESSION_START_TIME AS "
		    "SELECT %lld AS utcEpochNs",
		    (long long)utc);
		run_sql(db, sql);
	}
	if (find_number(head, 17, &start) && find_number(head, 18, &stop) &&
	    !__builtin_sub_overflow(stop, start, &duration)) {
		snprintf(sql, sizeof(sql),
		    "CREATE TABLE ANALYSIS_DETAILS AS SELECT %lld AS duration",
		    (long long)duration);
		run_sql(db, sql);
	}
}

/* ---- all of it ---- */

/* devices of each virtual machine */
static void
fill_devices(const struct database *db, const struct nsysrep *r)
{
	struct proto_reader p = proto_reader(text_span(&r->info)), machine;
	struct proto_field f, part;

	while (proto_reader_next(&p, &f)) {
		if (f.number != 1 || f.bytes.p == NULL)
			continue;
		machine = proto_reader(f.bytes);
		while (proto_reader_next(&machine, &part)) {
			if (part.number != 2 || part.bytes.p == NULL)
				continue;
			insert_all(db,
			    r->release < REPORT_RELEASE(2021, 0, 0) ? &gpus_2020
								    : &gpus,
			    part.bytes, 7);
			insert_all(db, &cuda_gpus, part.bytes, 1);
			insert_all(db, &cuda_devices, part.bytes, 9);
		}
	}
}

void
report_database_fill(const struct database *db, struct nsysrep *r)
{
	struct proto_reader p = proto_reader(text_span(&r->head));
	struct span info = text_span(&r->info);
	struct proto_field f;

	create_event_tables(db);
	run_sql(db,
	    "CREATE TABLE META_DATA_CAPTURE (name TEXT, value TEXT);"
	    "CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);"
	    "CREATE TABLE TARGET_INFO_SYSTEM_ENV (name TEXT, value TEXT);"
	    "CREATE TABLE TARGET_INFO_GPU_METRICS (typeId INTEGER, "
	    "sourceId INTEGER, metricId INTEGER, metricName TEXT)");
	if (r->version.len > 0)
		insert_value(db, "META_DATA_EXPORT", "EXPORT_PRODUCT_VERSION",
		    text_span(&r->version));
	/* words that exports have from then on */
	if (r->release >= REPORT_RELEASE(2022, 4, 0))
		run_sql(db,
		    "CREATE TABLE ENUM_NSYS_EVENT_CLASS (id INTEGER, "
		    "label TEXT); INSERT INTO ENUM_NSYS_EVENT_CLASS VALUES "
		    "(31, 'OSRT start'), (32, 'OSRT finish')");
	fill_strings(db, r);
	fill_session(db, r);
	while (proto_reader_next(&p, &f)) {
		if (f.number == 1 && f.bytes.p != NULL)
			fill_target(db, f.bytes);
		if (f.number == 2 && f.bytes.p != NULL)
			fill_command(db, f.bytes);
	}
	insert_all(db, &threads, text_span(&r->threads), 1);
	fill_devices(db, r);
	insert_all(db, &contexts, info, 14);
	insert_all(db, &stream_names, info, 13);
	insert_all(db, &streams, info, 15);
}
