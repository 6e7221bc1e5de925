/* account_draft.c - the names of a recording, and their numbers */

#include <stdio.h>

#include "tq/base/array.h"
#include "tq/base/ascii.h"
#include "tq/base/time.h"
#include "tq/line/json.h"
#include "tq/names/model.h"

#include "account_draft.h"

enum { SHAPES = 1 << 16, SEQUENCES = 64 };

/* ---- rows ---- */

static void
add_operation_name(struct text *t, const struct event *ev)
{
	switch (ev->kind) {
	case KIND_memcpy:
		text_add_str(t, "[CUDA memcpy");
		if (event_has(ev, KEY_copy)) {
			text_add_char(t, ' ');
			json_decode(t, ev->value[KEY_copy]);
		}
		text_add_char(t, ']');
		break;
	case KIND_memset:
		text_add_str(t, "[CUDA memset]");
		break;
	default:
		if (event_has(ev, KEY_name))
			json_decode(t, ev->value[KEY_name]);
		else if (ev->kind == KIND_graph)
			text_add_str(t, "[CUDA graph]");
	}
}

/* The names of the operation, and their row. */
static uint32_t
find_row(struct account_draft *r, const struct names *names,
    const struct event *ev, enum device_class group)
{
	struct text *t = &r->scratch, *key = &r->key;
	struct recorded_row row = {.kind = ev->kind,
	    .group = group,
	    .in_graph = event_has(ev, KEY_graph_node)};
	struct defined_name symbol = {0};
	uint32_t n;

	t->len = key->len = 0;
	add_operation_name(t, ev);
	row.name = row.full = text_span(t);
	if (event_has(ev, KEY_sym) &&
	    names_symbol(names, event_int(ev, KEY_sym, 0), &symbol)) {
		if (symbol.more.len > 0)
			row.full = symbol.more;
		if (row.name.len == 0)
			row.name = symbol.name;
	}
	text_add_char(key, (char)('a' + (int)row.kind));
	text_add_char(key, (char)('a' + (int)group + 8 * row.in_graph));
	text_add_span(key, row.full);
	n = intern_get(&r->row_keys, text_span(key));
	if (n < r->row_count)
		return n;
	row.name = region_copy(&r->region, row.name);
	row.full = region_copy(&r->region, row.full);
	*array_add(&r->rows, &r->row_count, &r->row_cap) = row;
	return n;
}

static struct draft_symbol *
symbol_of(struct account_draft *r, const struct event *ev)
{
	bool fresh;
	struct draft_symbol *s =
	    numbered_get(&r->symbols, model_symbol(ev), &fresh);

	if (fresh)
		*s = (struct draft_symbol){0};
	return s;
}

uint32_t
account_draft_row(struct account_draft *r, const struct names *names,
    const struct event *ev, enum device_class group)
{
	uint32_t *row;

	if (ev->kind != KIND_kernel)
		return find_row(r, names, ev, group);
	row = &symbol_of(r, ev)->rows[event_has(ev, KEY_graph_node)][group];
	if (*row == 0)
		*row = 1 + find_row(r, names, ev, group);
	return *row - 1;
}

uint32_t
account_draft_host_row(struct account_draft *r, struct span key)
{
	struct recorded_row row = {.kind = (enum kind)(*key.p - 'a')};
	uint32_t n = intern_get(&r->row_keys, key);

	if (n < r->row_count)
		return n;
	row.name = row.full =
	    region_copy(&r->region, (struct span){key.p + 1, key.len - 1});
	*array_add(&r->rows, &r->row_count, &r->row_cap) = row;
	return n;
}

uint32_t
account_draft_row_on(struct account_draft *r, uint32_t row, uint32_t device)
{
	bool fresh;
	struct row_on *to = keyed_get(&r->rows_on, row, device, &fresh);

	if (fresh)
		*to = (struct row_on){row, device};
	return (uint32_t)(to - r->rows_on.all);
}

/* ---- details of operations ---- */

static uint32_t
shape_text(struct account_draft *r, const struct event *ev)
{
	struct text *key = &r->key;

	if (!event_has(ev, KEY_grid) || !event_has(ev, KEY_block))
		return INTERN_NONE;
	key->len = 0;
	text_add_span(key, ev->value[KEY_grid]);
	text_add_char(key, ' ');
	text_add_span(key, ev->value[KEY_block]);
	if (r->shapes.count >= SHAPES)
		return intern_find(&r->shapes, text_span(key));
	return intern_get(&r->shapes, text_span(key));
}

static uint32_t
copy_text(struct account_draft *r, const struct event *ev)
{
	static const enum key keys[] = {KEY_copy, KEY_src, KEY_dst};
	struct text *key = &r->key;

	key->len = 0;
	for (size_t i = 0; i < 3; i++) {
		if (event_has(ev, keys[i]))
			json_decode(key, ev->value[keys[i]]);
		text_add_char(key, '\0');
	}
	return intern_get(&r->copies, text_span(key));
}

uint32_t
account_draft_detail(
    struct account_draft *r, uint32_t row, const struct event *ev)
{
	uint32_t text = ev->kind == KIND_kernel   ? shape_text(r, ev)
			: ev->kind == KIND_memcpy ? copy_text(r, ev)
						  : INTERN_NONE;
	struct row_detail *to;
	bool fresh;

	if (text == INTERN_NONE)
		return INTERN_NONE;
	to = keyed_get(&r->details, row, text, &fresh);
	if (fresh)
		*to = (struct row_detail){row, text};
	return (uint32_t)(to - r->details.all);
}

/* ---- calls ---- */

uint32_t
account_draft_call(struct account_draft *r, const struct event *ev)
{
	uint32_t *call = &symbol_of(r, ev)->calls[ev->kind != KIND_api];
	struct text *key = &r->key;

	if (*call > 0)
		return *call - 1;
	key->len = 0;
	text_add_char(key, (char)('a' + (int)ev->kind));
	if (event_has(ev, KEY_name))
		json_decode(key, ev->value[KEY_name]);
	*call = 1 + intern_get(&r->calls, text_span(key));
	return *call - 1;
}

/* ---- paths ---- */

/* A name with "*" for its numbers, in r->folded. */
static struct span
fold(struct account_draft *r, struct span name)
{
	char *to;
	bool digits = false;
	size_t n = 0;

	r->folded.len = 0;
	to = text_reserve(&r->folded, name.len + 1);
	for (size_t i = 0; i < name.len; i++) {
		bool digit = ascii_is_digit(name.p[i]);

		if (!digit || !digits)
			to[n++] = digit ? '*' : name.p[i];
		digits = digit;
	}
	r->folded.len = n;
	return text_span(&r->folded);
}

/* The facts of a path, which may be new. */
static struct draft_path *
path_facts(struct account_draft *r, uint32_t path)
{
	while (r->path_count <= path) {
		size_t n = r->path_count;
		uint16_t depth = 0;

		if (n > 0)
			depth = r->path_facts[r->paths.all[n].parent].depth + 1;
		*array_add(&r->path_facts, &r->path_count, &r->path_cap) =
		    (struct draft_path){.depth = depth};
	}
	return &r->path_facts[path];
}

/* The path of a name within a parent. */
static uint32_t
inner_path(struct account_draft *r, uint32_t parent, struct span name)
{
	struct span folded = fold(r, name);

	r->key.len = 0;
	text_add_json(&r->key, folded.p, folded.len);
	return range_paths_get(&r->paths, parent, text_span(&r->key));
}

uint32_t
account_draft_path(struct account_draft *r, struct span array)
{
	struct text *t = &r->scratch;
	struct json j;
	struct span element;
	uint32_t path = range_paths_root(&r->paths);

	json_open_array(&j, array);
	for (size_t depth = 0;
	     depth < ACCOUNT_DEPTH && json_next_element(&j, &element);
	     depth++) {
		t->len = 0;
		if (element.len > 0 && *element.p == '"')
			json_decode(t, element);
		path = inner_path(r, path, text_span(t));
	}
	path_facts(r, path)->used = true;
	return path;
}

uint32_t
account_draft_inner_path(
    struct account_draft *r, uint32_t parent, struct span name, bool *deep)
{
	uint32_t path;

	*deep = parent != INTERN_NONE &&
		path_facts(r, parent)->depth == ACCOUNT_DEPTH;
	if (*deep)
		return parent;
	path = inner_path(r,
	    parent != INTERN_NONE ? parent : range_paths_root(&r->paths), name);
	path_facts(r, path)->used = true;
	return path;
}

/* ---- devices ---- */

struct account_device *
account_draft_device(struct account_draft *r, const struct names *names,
    const struct device_lane *of, uint32_t *index)
{
	struct defined_name name, process;
	bool fresh;
	struct account_device *d =
	    numbered_get(&r->devices, of->number, &fresh);

	*index = (uint32_t)(d - r->devices.all);
	if (!fresh)
		return d;
	names_device(names, of->pid, of->device, &name);
	names_process(names, of->pid, &process);
	*d = (struct account_device){.rank = process.number,
	    .pid = of->pid,
	    .device = of->device,
	    .name = region_copy(&r->region, name.name),
	    .sms = NO_ID};
	return d;
}

/* ---- sequences ---- */

uint32_t
account_draft_sequence(struct account_draft *r, const struct unit_sums *s)
{
	struct span bytes = {
	    (const char *)s->launches, s->launch_count * sizeof(*s->launches)};
	uint32_t n = INTERN_NONE;

	if (s->launch_count == 0 || s->unsequenced) {
		r->unsequenced += s->unsequenced;
		return 0;
	}
	if (r->sequence_count < SEQUENCES &&
	    r->sequence_launches + s->launch_count <= SEQUENCE_LAUNCHES)
		n = intern_get(&r->sequence_keys, bytes);
	else
		n = intern_find(&r->sequence_keys, bytes);
	if (n == INTERN_NONE) {
		r->unsequenced++;
		return 0;
	}
	if (n == r->sequence_count) {
		*array_add(&r->sequence_units, &r->sequence_count,
		    &r->sequence_cap) = 0;
		r->sequence_launches += s->launch_count;
	}
	r->sequence_units[n]++;
	return n + 1;
}

/* ---- facts ---- */

void
account_draft_fact(struct account_draft *r, const char *name, struct span value)
{
	uint32_t n = intern_get(&r->fact_names, span_of(name));

	if (n == r->fact_count)
		array_add(&r->facts, &r->fact_count, &r->fact_cap);
	r->facts[n] = region_copy(&r->region, value);
}

void
account_draft_fact_int(struct account_draft *r, const char *name, int64_t value)
{
	char digits[TEXT_INT_MAX + 1];
	char *end = text_digits_int(digits, value);

	account_draft_fact(
	    r, name, (struct span){digits, (size_t)(end - digits)});
}

void
account_draft_section_end(struct account_draft *r)
{
	numbered_clear(&r->symbols);
	numbered_close(&r->devices);
}

void
account_draft_free(struct account_draft *r)
{
	intern_free(&r->row_keys);
	intern_free(&r->shapes);
	intern_free(&r->calls);
	range_paths_free(&r->paths);
	free(r->path_facts);
	intern_free(&r->copies);
	intern_free(&r->fact_names);
	intern_free(&r->sequence_keys);
	numbered_free(&r->symbols);
	keyed_free(&r->rows_on);
	keyed_free(&r->details);
	numbered_free(&r->devices);
	free(r->rows);
	free(r->facts);
	free(r->units);
	free(r->sequence_units);
	unit_sums_free(&r->sums);
	text_free(&r->scratch);
	text_free(&r->key);
	text_free(&r->folded);
	region_free(&r->region);
	*r = (struct account_draft){0};
}
