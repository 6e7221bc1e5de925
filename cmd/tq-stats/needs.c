/* needs.c - what tq-extract and tq-correlate have to deliver for reports */

#include "tq/join/join_keys.h"
#include "tq/ranks/operation.h"

#include "needs.h"
#include "report.h"

struct needs {
	uint64_t events;     /* all kinds of events, a bit each */
	uint64_t operations; /* of these, operations */
	uint64_t read;       /* by the reports */
	uint64_t extract;    /* kinds that tq-extract has to write */
	struct keyset want[KIND_COUNT + 1];
	struct keyset fields[KIND_COUNT]; /* the keys that a kind may have */
};

static bool
has_kind(uint64_t kinds, enum kind k)
{
	return (kinds >> k & 1) != 0;
}

/* losses are written for any choice */
static void
read_schema(struct needs *n)
{
	enum kind kind = 0;

	for (enum kind k = 0; k < KIND_COUNT; k++) {
		enum role role = schema_kinds[k].role;
		uint64_t bit = (uint64_t)1 << k;

		if (role != ROLE_FRAME && role != ROLE_DEF && k != KIND_lost)
			n->events |= bit;
		if (role == ROLE_WORK)
			n->operations |= bit;
	}
	for (size_t i = 0; i < schema_row_count; i++)
		if (schema_rows[i].key == KEY_NONE)
			kind = schema_rows[i].kind;
		else
			keyset_add(&n->fields[kind], schema_rows[i].key);
}

/* ---- kinds and keys ---- */

/* What values of a record are made of, beside the record itself. */
static void
add_sources(struct needs *n)
{
	bool stacks = has_kind(n->read, KIND_stack);

	/* definitions that are written when they are first referred to */
	if (has_kind(n->read, KIND_symbol))
		keyset_add(&n->want[KIND_kernel], KEY_sym);
	/*
	 * an operation has the stack of its call: only for reports that read it
	 */
	for (enum kind k = 0; stacks && k < KIND_COUNT; k++)
		if (!has_kind(n->operations, k))
			keyset_add(&n->want[k], KEY_stack);
	/* what the count of a call counts */
	if (has_kind(n->extract, KIND_api) &&
	    keyset_has(&n->want[KIND_api], KEY_gpu))
		n->extract |= n->operations;
}

static bool
has_any(const struct keyset *set, const enum key *keys)
{
	for (; *keys != KEY_NONE; keys++)
		if (keyset_has(set, *keys))
			return true;
	return false;
}

/* True if an operation is read with one of these keys. */
static bool
operations_need(const struct needs *n, const enum key *keys)
{
	for (enum kind k = 0; k < KIND_COUNT; k++)
		if (has_kind(n->read & n->operations, k) &&
		    has_any(&n->want[k], keys))
			return true;
	return false;
}

/* True if records are read that tq-correlate writes, or changes. */
static bool
needs_correlate(const struct needs *n)
{
	for (enum kind k = 0; k < KIND_COUNT; k++)
		if (has_kind(n->read, k) &&
		    (k == KIND_gpu_range ||
			has_any(&n->want[k], join_keys_added(k))))
			return true;
	return false;
}

/* The keys that tq-correlate reads to hand them on, to records of kind to. */
static void
drop_unread(struct needs *n, enum kind kind, const struct keyset *before,
    enum key key, bool read)
{
	if (!read && !keyset_has(before, key))
		keyset_remove(&n->want[kind], key);
}

/* The kinds and keys that tq-correlate reads. */
static void
add_joined(struct needs *n)
{
	/* what the creation of nodes of graphs names is of ranges, too */
	static const enum key ranges[] = {
	    KEY_range, KEY_path, KEY_op_name, KEY_module, KEY_shapes, KEY_NONE};
	static const enum key labels[] = {
	    KEY_op_name, KEY_module, KEY_shapes, KEY_NONE};
	static const enum key operators[] = {KEY_op_name, KEY_shapes, KEY_NONE};
	static const enum key shapes[] = {KEY_shapes, KEY_NONE};
	static const enum key names[] = {KEY_api_name, KEY_NONE};
	static const enum key stacks[] = {KEY_stack, KEY_NONE};
	const struct keyset call = n->want[KIND_api];
	const struct keyset range = n->want[KIND_range];
	const struct keyset *projected = &n->want[KIND_gpu_range];

	n->extract |= KINDS(api);
	if (has_kind(n->read, KIND_gpu_range))
		n->extract |= n->operations | KINDS(range);
	if (operations_need(n, ranges) || operations_need(n, stacks))
		n->extract |= KINDS(range);
	for (enum kind k = 0; k < KIND_COUNT; k++)
		keyset_add_all(&n->want[k], join_keys_read(k));
	if (operations_need(n, shapes))
		keyset_add(&n->want[KIND_range], KEY_args);
	/* an annotation of PyTorch is among the args of an operation */
	for (enum kind k = 0; k < KIND_COUNT && operations_need(n, labels); k++)
		if (has_kind(n->read & n->operations, k))
			keyset_add(&n->want[k], KEY_args);
	drop_unread(n, KIND_api, &call, KEY_name, operations_need(n, names));
	drop_unread(n, KIND_api, &call, KEY_stack, operations_need(n, stacks));
	drop_unread(n, KIND_range, &range, KEY_category,
	    keyset_has(projected, KEY_category) ||
		operations_need(n, operators));
	drop_unread(
	    n, KIND_range, &range, KEY_color, keyset_has(projected, KEY_color));
}

/* ---- the lines ---- */

/*
 * True if the key has to be named for tq-extract: kind and ts are always
 * written, and tq-correlate adds its own; but the thread of an operation some
 * recordings have without its call.
 */
static bool
is_written(const struct needs *n, enum kind kind, enum key key)
{
	const enum key keys[] = {key, KEY_NONE};
	struct keyset added = {0};

	if (!has_kind(n->extract, kind) || key == KEY_kind || key == KEY_ts)
		return false;
	keyset_add_all(&added, join_keys_added(kind));
	return keyset_has(&n->fields[kind], key) &&
	       (key == KEY_tid || !has_any(&added, keys)) &&
	       keyset_has(&n->want[kind], key);
}

static void
add_word(struct text *list, const char *kind, const char *key)
{
	if (list->len > 0)
		text_add_char(list, ',');
	if (kind != NULL) {
		text_add_str(list, kind);
		text_add_char(list, '.');
	}
	text_add_str(list, key);
}

/* KEY, or KIND.KEY for each kind if other kinds have the key, too */
static void
add_key(const struct needs *n, struct text *list, enum key key)
{
	uint64_t written = 0, have = 0;

	for (enum kind k = 0; k < KIND_COUNT; k++) {
		written |= (uint64_t)is_written(n, k, key) << k;
		if (has_kind(n->extract, k) && keyset_has(&n->fields[k], key))
			have |= (uint64_t)1 << k;
	}
	if (written == have && written != 0)
		add_word(list, NULL, schema_keys[key].name);
	for (enum kind k = 0; written != have && k < KIND_COUNT; k++)
		if (has_kind(written, k))
			add_word(
			    list, schema_kinds[k].name, schema_keys[key].name);
}

/* "-k KINDS" behind the words before, unless these are all kinds */
static void
print_kinds(struct text *to, const char *before, uint64_t kinds, uint64_t all)
{
	struct text list = {0};

	if ((kinds & all) == all)
		return;
	for (enum kind k = 0; k < KIND_COUNT; k++)
		if (has_kind(kinds & all, k))
			add_word(&list, NULL, schema_kinds[k].name);
	if (list.len == 0) /* only definitions are read */
		add_word(&list, NULL, schema_kinds[KIND_trace].name);
	text_add_str(to, before);
	text_add_str(to, "-k ");
	text_add_span(to, text_span(&list));
	text_free(&list);
}

static void
print_extract(const struct needs *n, struct text *to)
{
	struct text list = {0};
	size_t start = to->len;
	/* gpu-ranges are named where they are read: few recordings have some */
	uint64_t all = n->events & ~(~n->read & KINDS(gpu_range));

	print_kinds(to, "", n->extract, all);
	if (has_kind(n->extract, KIND_api) && !has_kind(n->read, KIND_api))
		text_add_str(to, " --launches");
	for (enum key k = 0; k < KEY_COUNT; k++)
		add_key(n, &list, k);
	if (list.len == 0)
		add_word(&list, NULL, schema_keys[KEY_ts].name);
	text_add_str(to, to->len > start ? " --keys " : "--keys ");
	text_add_span(to, text_span(&list));
	text_add_char(to, '\n');
	text_free(&list);
}

/* tq-correlate writes the kinds it gets that are read, and its own */
static void
print_correlate(const struct needs *n, struct text *to)
{
	text_add_str(to, "tq-correlate");
	print_kinds(to, " ", n->read, n->extract | KINDS(gpu_range));
	text_add_char(to, '\n');
}

void
needs_print(struct text *to, uint64_t kinds, bool all, bool clocks,
    const struct keyset want[KIND_COUNT + 1])
{
	struct needs n = {.read = kinds};
	bool correlate;

	read_schema(&n);
	if (all) /* tq-correlate adds no time that others lack */
		n.read |= n.events & ~KINDS(gpu_range);
	memcpy(n.want, want, sizeof(n.want));
	if (clocks) {
		n.read |= KINDS(kernel) | KINDS(range);
		operation_keys(n.want);
	}
	n.extract = n.read & n.events;
	add_sources(&n);
	correlate = needs_correlate(&n);
	if (correlate)
		add_joined(&n);
	print_extract(&n, to);
	if (correlate)
		print_correlate(&n, to);
	if (clocks)
		text_add_str(to, "tq-align --auto\n");
}
