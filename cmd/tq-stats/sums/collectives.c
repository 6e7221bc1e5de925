/*
 * collectives.c - torch_collectives: bytes that kernels of collectives of
 * PyTorch moved, by their args
 *
 * An element of a type that is not in the table counts 0 bytes.
 */

#include "tq/line/json.h"

#include "sums.h"
#include "tq/line/record_args.h"
#include "tq/show/col.h"

/* numbers of a group; its values are durations */
enum { BYTES_IN, BYTES_OUT, NUMBERS };

enum { NAME, DESCRIPTION, GROUP, SIZE, DTYPE, NELEMS_IN, NELEMS_OUT, MEMBERS };

static const char *const members[MEMBERS] = {"Collective name",
    "Process Group Description", "Process Group Name", "Group size", "dtype",
    "In msg nelems", "Out msg nelems"};

/* bytes of an element, by the names that PyTorch gives to types */
static const struct {
	const char *name;
	int64_t bytes;
} types[] = {
    {"Bool", 1},
    {"Byte", 1},
    {"Char", 1},
    {"Float8_e4m3fn", 1},
    {"Float8_e4m3fnuz", 1},
    {"Float8_e5m2", 1},
    {"Float8_e5m2fnuz", 1},
    {"Short", 2},
    {"Half", 2},
    {"BFloat16", 2},
    {"Int", 4},
    {"Float", 4},
    {"Long", 8},
    {"Double", 8},
    {"ComplexFloat", 8},
    {"ComplexDouble", 16},
};

static int64_t
size_of(struct span dtype)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (record_args_is(dtype, types[i].name))
			return types[i].bytes;
	return 0;
}

/* The text of a member, or of a number; empty where it is absent. */
static void
add_part(struct report *r, struct span value)
{
	r->scratch.len = 0;
	if (value.len > 0 && *value.p == '"') {
		json_decode(&r->scratch, value);
		value = text_span(&r->scratch);
	}
	groups_part(&r->key, value);
}

static int64_t
bytes_of(struct span nelems, int64_t size)
{
	int64_t n;

	if (!record_args_int(nelems, &n) || n < 0)
		return 0;
	return __builtin_mul_overflow(n, size, &n) ? INT64_MAX : n;
}

static void
collectives_event(struct report *r, const struct event *ev)
{
	struct span values[MEMBERS];
	struct group *g;
	int64_t size;

	if (!event_has(ev, KEY_dur) || !event_has(ev, KEY_args))
		return;
	record_args_find(ev, members, MEMBERS, values, &r->scratch);
	if (values[NAME].len == 0)
		return;
	r->key.len = 0;
	add_part(r, values[NAME]);
	add_part(r, values[values[DESCRIPTION].len > 2 ? DESCRIPTION : GROUP]);
	add_part(r, values[SIZE]);
	add_part(r, values[DTYPE]);
	g = sums_group(r);
	size = size_of(values[DTYPE]);
	groups_number(g, BYTES_IN, bytes_of(values[NELEMS_IN], size));
	groups_number(g, BYTES_OUT, bytes_of(values[NELEMS_OUT], size));
	sums_interval(
	    r, g, event_int(ev, KEY_ts, 0), event_int(ev, KEY_dur, 0));
}

static void
collectives_row(struct table *t, struct report *r, struct group *g)
{
	int64_t in = g->numbers[BYTES_IN], out = g->numbers[BYTES_OUT];
	struct dist *d = &g->values;

	col_text(t, "Collective", groups_key(g, 0));
	col_text(t, "Group", groups_key(g, 1));
	col_text(t, "Group Size", groups_key(g, 2));
	col_text(t, "Type", groups_key(g, 3));
	col_int(t, "Kernels", UNIT_NONE, (int64_t)d->count);
	col_sum(t, "Total Time", UNIT_TIME, d->sum);
	groups_stats(t, groups_stat_names, UNIT_TIME, d);
	if (r->pct)
		groups_more(t, d);
	col_sum(t, "In", UNIT_SIZE, in);
	col_sum(t, "Out", UNIT_SIZE, out);
	col_rate(t, "Algorithm Bandwidth", in > out ? in : out,
	    d->sum < INT64_MAX ? (int64_t)d->sum : INT64_MAX);
}

const struct report_kind collectives_reports[] = {
    {.name = "torch_collectives",
	.question = ASKS_RANKS,
	.title = "Collectives of PyTorch",
	.missing = "no kernel in the stream has args of a collective",
	.kinds = KINDS(kernel),
	.keys = KEYS(KEY_ts, KEY_dur, KEY_args),
	.sum =
	    SUM(KEY_dur, "Kernels", .row = collectives_row, .numbers = NUMBERS),
	.event = collectives_event},
    {0},
};
