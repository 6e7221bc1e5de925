/* kind_files.c - the records of a stream as tables */

#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "tq/base/utf8.h"
#include "tq/io/emit.h"
#include "tq/io/status.h"
#include "tq/line/json.h"

#include "kind_files.h"

enum {
	MEMORY = 16 << 20,    /* bytes of all row groups */
	LOOK_EVERY = 1 << 18, /* bytes of records */
	SORTED = 2 << 20      /* bytes of summaries in memory */
};

/* ---- the files ---- */

static struct table_column
column_of(enum key k)
{
	static const enum column_type types[] = {
	    [TYPE_INT] = COLUMN_INT,
	    [TYPE_STR] = COLUMN_TEXT,
	    [TYPE_BOOL] = COLUMN_BOOL,
	    [TYPE_NUM] = COLUMN_DOUBLE,
	    [TYPE_INTS] = COLUMN_INT,
	    [TYPE_STRS] = COLUMN_TEXT,
	    [TYPE_OBJ] = COLUMN_TEXT,
	};
	const struct schema_key *key = &schema_keys[k];

	return (struct table_column){
	    .name = key->name,
	    .unit = key->unit,
	    .doc = key->doc,
	    .type = types[key->type],
	    .list = key->type == TYPE_INTS || key->type == TYPE_STRS,
	    .required = k == KEY_kind,
	};
}

static bool
is_path_key(const struct kind_files *f, enum key k)
{
	return f->hive && (k == KEY_kind || k == KEY_rank);
}

/* the keys of a table, in their order; returns how many */
static size_t
keys_of(const struct kind_files *f, enum kind kind, enum key keys[KEY_COUNT])
{
	static const enum key other[] = {
	    KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_corr, KEY_name, KEY_NONE};
	struct keyset has = schema_keys_of(kind);
	size_t count = 0;

	keyset_add(&has, KEY_kind);
	keyset_add(&has, KEY_args);
	if (kind == KIND_UNKNOWN)
		keyset_add_all(&has, other);
	for (enum key k = 0; k < KEY_COUNT; k++)
		if (keyset_has(&has, k) && !is_path_key(f, k))
			keys[count++] = k;
	return count;
}

static const char *
kind_name(enum kind kind)
{
	return kind < KIND_COUNT ? schema_kinds[kind].name : "other";
}

static size_t
add_file(struct kind_files *f, enum kind kind, int64_t rank)
{
	struct text name = {0};
	size_t number, *parts;
	bool fresh;

	text_add_str(&name, f->hive ? "kind=" : "");
	text_add_str(&name, kind_name(kind));
	if (f->hive) {
		text_add_str(&name, "/rank=");
		if (rank == NO_ID)
			text_add_str(&name, "__HIVE_DEFAULT_PARTITION__");
		else
			text_add_int(&name, rank);
		parts = keyed_get(
		    &f->parts, (uint64_t)kind, (uint64_t)rank, &fresh);
		if (fresh)
			*parts = 0;
		text_printf(&name, "/part-%zu", (*parts)++);
	}
	text_printf(&name, ".parquet%c", 0);
	number = whole_folder_add(f->folder, name.p);
	text_free(&name);
	return number;
}

static struct kind_file *
new_file(struct kind_files *f, enum kind kind, int64_t rank)
{
	struct kind_file *k = mem_alloc(sizeof(*k));
	enum key keys[KEY_COUNT];
	size_t count = keys_of(f, kind, keys);
	struct table_column *c = mem_alloc((count + 1) * sizeof(*c));

	k->kind = kind;
	k->rank = rank;
	k->file = (struct parquet_file){
	    .folder = f->folder,
	    .number = add_file(f, kind, rank),
	    .columns = c,
	    .count = count + 1,
	};
	for (size_t i = 0; i < count; i++) {
		c[i] = column_of(keys[i]);
		k->of[keys[i]] = &c[i];
	}
	c[count] = (struct table_column){.name = "section",
	    .unit = "",
	    .doc = "number of the section of the stream, from 1",
	    .type = COLUMN_INT,
	    .required = true};
	k->section = &c[count];
	k->file.order = k->of[KEY_ts];
	return k;
}

static struct kind_file *
file_of(struct kind_files *f, enum kind kind, int64_t rank)
{
	struct kind_file **k = &f->recent[kind];
	bool fresh;

	if (*k != NULL && (*k)->rank == rank)
		return *k;
	k = keyed_get(&f->open, (uint64_t)kind, (uint64_t)rank, &fresh);
	if (fresh)
		*k = new_file(f, kind, rank);
	return f->recent[kind] = *k;
}

static void
finish_file(struct kind_files *f, struct kind_file *k, bool complete)
{
	const struct parquet_property properties[] = {
	    {"table.kind", kind_name(k->kind)},
	    {"table.doc", k->kind < KIND_COUNT
			      ? schema_kinds[k->kind].doc
			      : "records of kinds without a table"},
	    {"table.complete", complete ? "true" : "false"},
	};

	parquet_file_finish(&k->file, &f->press, properties,
	    sizeof(properties) / sizeof(*properties));
	f->bytes += k->file.size;
	free(k);
}

static void
finish_files(struct kind_files *f, bool complete)
{
	for (size_t i = 0; i < f->open.count; i++)
		finish_file(f, f->open.all[i], complete);
	keyed_clear(&f->open);
	memset(f->recent, 0, sizeof(f->recent));
}

/* ---- memory ---- */

/* the largest row groups end before they are full, until half of it is free */
static void
make_room(struct kind_files *f)
{
	struct kind_file *largest;
	size_t sum, most, n;

	f->unchecked = 0;
	for (size_t limit = MEMORY;; limit = MEMORY / 2) {
		largest = NULL;
		sum = most = 0;
		for (size_t i = 0; i < f->open.count; i++) {
			struct kind_file *k = f->open.all[i];

			n = parquet_file_memory(&k->file);
			sum += n;
			if (n > most && k->file.rows > 0) {
				most = n;
				largest = k;
			}
		}
		if (sum <= limit || largest == NULL)
			return;
		parquet_file_flush(&largest->file, &f->press, true);
	}
}

/* ---- values ---- */

/* what Parquet calls a string is valid UTF-8 */
static struct span
valid_text(struct kind_files *f, struct span s, struct text *to)
{
	const unsigned char *p = (const unsigned char *)s.p, *end = p + s.len;
	const unsigned char *from = p, *at = p;
	size_t start = to->len;
	bool bad = false;

	while (p < end) {
		at = p;
		if (*p < 0x80) {
			p++;
			continue;
		}
		if (utf8_next(&p, end) < UTF8_NONE)
			continue;
		bad = true;
		text_add(to, (const char *)from, (size_t)(at - from));
		text_add_str(to, "\xef\xbf\xbd");
		from = p;
	}
	if (!bad)
		return s;
	f->repaired++;
	text_add(to, (const char *)from, (size_t)(end - from));
	return (struct span){to->p + start, to->len - start};
}

/* true if the number is the value of a double, or has a fraction */
static bool
read_double(struct kind_files *f, struct span number, double *d)
{
	int64_t i;

	f->scratch.len = 0;
	text_add_span(&f->scratch, number);
	text_add_char(&f->scratch, '\0');
	*d = strtod(f->scratch.p, NULL);
	if (isinf(*d))
		return false;
	if (strpbrk(f->scratch.p, ".eE") != NULL)
		return true;
	return json_int(number, &i) && *d < 0x1p63 && (int64_t)*d == i;
}

static void
add_integers(struct table_column *c, struct span array)
{
	struct json j;
	struct span v;

	json_open_array(&j, array);
	while (json_next_element(&j, &v)) {
		int64_t i = 0;

		json_int(v, &i);
		table_column_add_int(c, i);
	}
}

static void
add_texts(struct kind_files *f, struct table_column *c, struct span array)
{
	struct json j;
	struct span v;

	json_open_array(&j, array);
	while (json_next_element(&j, &v)) {
		f->scratch.len = f->valid.len = 0;
		json_decode(&f->scratch, v);
		v = valid_text(f, text_span(&f->scratch), &f->valid);
		table_column_add_text(c, v);
	}
}

/* False if the column has no such value. */
static bool
add_value(struct kind_files *f, struct table_column *c, const struct event *ev,
    enum key k, int64_t row)
{
	struct span v = ev->value[k];
	double d;

	switch (schema_keys[k].type) {
	case TYPE_INT:
		table_column_int(c, &f->press, row, event_number(v));
		return true;
	case TYPE_STR:
		f->scratch.len = f->valid.len = 0;
		v = event_str(ev, k, &f->scratch);
		if (!ev->plain)
			v = valid_text(f, v, &f->valid);
		table_column_text(c, &f->press, row, v);
		return true;
	case TYPE_BOOL:
		table_column_bool(c, &f->press, row, *v.p == 't');
		return true;
	case TYPE_NUM:
		if (!read_double(f, v, &d))
			return false;
		table_column_double(c, &f->press, row, d);
		return true;
	case TYPE_INTS:
	case TYPE_STRS:
		table_column_list(c, &f->press, row);
		if (schema_keys[k].type == TYPE_INTS)
			add_integers(c, v);
		else
			add_texts(f, c, v);
		table_column_end_list(c);
		return true;
	case TYPE_OBJ:
		break;
	}
	return true; /* args: at the end */
}

/* ---- args ---- */

/* is a key of what was added to the object in f->rest also one of args? */
static bool
collides(struct kind_files *f, struct span args)
{
	struct json a, b;
	struct text name = {0}, other = {0};
	struct span v, rest = {f->rest.p, f->rest.len};
	bool found = false;

	json_open(&a, args);
	while (!found && json_next(&a, &name, &v)) {
		json_open(&b, rest);
		while (!found && json_next(&b, &other, &v))
			found = span_eq(text_span(&name), text_span(&other));
	}
	text_free(&name);
	text_free(&other);
	return found;
}

static void
begin_member(struct text *t)
{
	text_add_char(t, t->len == 0 ? '{' : ',');
}

static void
add_rest(struct text *t, struct span name, struct span value)
{
	begin_member(t);
	text_add_json(t, name.p, name.len);
	text_add_char(t, ':');
	text_add_span(t, value);
}

/* what has no column, and what args has: f->rest is an object of the first */
static struct span
with_args(struct kind_files *f, const struct event *ev)
{
	struct span args = ev->value[KEY_args], inner;
	struct text t = {0};

	text_add_char(&f->rest, '}');
	if (!event_has(ev, KEY_args))
		return text_span(&f->rest);
	if (collides(f, args)) {
		f->rest.len--;
		add_rest(&f->rest, SPAN("args"), args);
		text_add_char(&f->rest, '}');
		return text_span(&f->rest);
	}
	inner = span_trimmed((struct span){args.p + 1, args.len - 2});
	text_add_char(&t, '{');
	text_add_span(&t, inner);
	if (inner.len > 0)
		text_add_char(&t, ',');
	text_add(&t, f->rest.p + 1, f->rest.len - 1);
	f->rest.len = 0;
	text_add_span(&f->rest, text_span(&t));
	text_free(&t);
	return text_span(&f->rest);
}

static void
add_args(struct kind_files *f, struct table_column *c, const struct event *ev,
    int64_t row)
{
	struct span v = ev->value[KEY_args];

	for (size_t i = 0; i < ev->unknown_count; i++)
		add_rest(&f->rest, ev->unknown[i].key, ev->unknown[i].value);
	if (f->rest.len > 0)
		v = with_args(f, ev);
	else if (!event_has(ev, KEY_args))
		return;
	f->valid.len = 0;
	table_column_text(c, &f->press, row, valid_text(f, v, &f->valid));
}

/* ---- records ---- */

/* of the record, else of its process, else of its section */
static int64_t
rank_of(const struct kind_files *f, const struct event *ev)
{
	const struct rank_of_process *r;

	if (!f->hive)
		return NO_ID;
	r = keyed_find(&f->ranks, (uint64_t)event_int(ev, KEY_pid, NO_ID), 0);
	return event_int(ev, KEY_rank, r != NULL ? r->rank : f->section_rank);
}

/* a key of the record: into its column, or else into f->rest */
static void
add_key(struct kind_files *f, const struct kind_file *k, const struct event *ev,
    enum key key, int64_t row)
{
	struct table_column *c = k->of[key];
	struct span name = {schema_keys[key].name, schema_keys[key].len};

	if (c != NULL && add_value(f, c, ev, key, row))
		return;
	/* the path has it, but for the name of an unknown kind */
	if (is_path_key(f, key) &&
	    (key != KEY_kind || ev->kind != KIND_UNKNOWN))
		return;
	add_rest(&f->rest, name, ev->value[key]);
}

static void
add_row(struct kind_files *f, const struct event *ev)
{
	struct kind_file *k = file_of(f, ev->kind, rank_of(f, ev));
	int64_t row = k->file.rows;

	parquet_file_row(
	    &k->file, event_has(ev, KEY_ts), event_int(ev, KEY_ts, 0));
	f->rest.len = 0;
	for (enum key key = keyset_next(&ev->has, 0); key != KEY_NONE;
	     key = keyset_next(&ev->has, key + 1))
		add_key(f, k, ev, key, row);
	add_args(f, k->of[KEY_args], ev, row);
	table_column_int(k->section, &f->press, row, f->section);
	f->records++;
	if (k->file.rows == PARQUET_FILE_ROWS)
		parquet_file_flush(&k->file, &f->press, false);
	f->unchecked += ev->line.len;
	if (f->unchecked > LOOK_EVERY)
		make_room(f);
}

static void
add_sorted(void *arg, const struct sorter_line *line)
{
	struct kind_files *f = arg;

	f->line.len = 0;
	text_reserve(&f->line, line->line.len + EVENT_PADDING);
	text_add_span(&f->line, line->line);
	memset(f->line.p + f->line.len, 0, EVENT_PADDING);
	if (event_parse(&f->sorted, text_span(&f->line), NULL))
		add_row(f, &f->sorted);
}

static _Noreturn void
fail_sorting(void)
{
	err(TQ_FAIL, "temporary file");
}

/* records that follow what they summarise wait for the end of the section */
static void
hold(struct kind_files *f, const struct event *ev)
{
	if (f->sorter == NULL)
		f->sorter = sorter_open(SORTED);
	if (!sorter_add(f->sorter, event_int(ev, KEY_ts, INT64_MIN),
		event_int(ev, KEY_dur, 0), ev->line, 0))
		fail_sorting();
}

static void
end_section(struct kind_files *f)
{
	if (f->sorter != NULL && !sorter_finish(f->sorter, add_sorted, f))
		fail_sorting();
	if (f->hive)
		finish_files(f, f->ended || !f->opened);
	f->in_section = f->opened = f->ended = false;
	keyed_clear(&f->ranks);
	f->section_rank = NO_ID;
}

static void
begin_section(struct kind_files *f)
{
	if (f->in_section)
		end_section(f);
	f->section++;
	f->in_section = true;
	f->section_rank = NO_ID;
}

void
kind_files_add(struct kind_files *f, const struct event *ev)
{
	bool fresh;

	if (ev->kind == KIND_trace || !f->in_section)
		begin_section(f);
	if (ev->kind == KIND_trace) {
		f->opened = true;
		f->section_rank = event_int(ev, KEY_rank, NO_ID);
	}
	if (ev->kind == KIND_process && event_has(ev, KEY_rank) &&
	    event_has(ev, KEY_pid))
		keyed_get(
		    &f->ranks, (uint64_t)event_int(ev, KEY_pid, 0), 0, &fresh)
		    ->rank = event_int(ev, KEY_rank, 0);
	if (ev->kind < KIND_COUNT && schema_follows(ev->kind))
		hold(f, ev);
	else
		add_row(f, ev);
	if (ev->kind == KIND_end) {
		f->ended = true;
		end_section(f);
	}
}

void
kind_files_finish(struct kind_files *f, bool complete)
{
	if (f->in_section)
		end_section(f);
	finish_files(f, complete);
}

void
kind_files_free(struct kind_files *f)
{
	keyed_free(&f->open);
	keyed_free(&f->parts);
	keyed_free(&f->ranks);
	sorter_free(f->sorter);
	event_free(&f->sorted);
	table_column_free_press(&f->press);
	text_free(&f->line);
	text_free(&f->scratch);
	text_free(&f->valid);
	text_free(&f->rest);
}
