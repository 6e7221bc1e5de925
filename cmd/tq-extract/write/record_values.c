/* record_values.c - a record that a source makes value by value */

#include "record_values.h"
#include "time_window.h"

/* clang-format off */
static const struct column_map columns[RECORD_COUNT + 1] = {
    [RECORD_PID] = {"pid", KEY_pid, AS_INT},
    [RECORD_TID] = {"tid", KEY_tid, AS_INT},
    [RECORD_CORR] = {"corr", KEY_corr, AS_INT},
    [RECORD_NAME] = {"name", KEY_name, AS_TEXT},
    [RECORD_ID] = {"id", KEY_id, AS_INT},
    [RECORD_HOST] = {"host", KEY_host, AS_TEXT},
    [RECORD_RANK] = {"rank", KEY_rank, AS_INT},
    [RECORD_SYM] = {"sym", KEY_sym, AS_INT},
    [RECORD_API] = {"api", KEY_api, AS_TEXT},
    [RECORD_DEVICE] = {"device", KEY_device, AS_INT},
    [RECORD_STREAM] = {"stream", KEY_stream, AS_INT},
    [RECORD_QUEUE] = {"queue", KEY_queue, AS_INT},
    [RECORD_COUNTER] = {"counter", KEY_counter, AS_INT},
    [RECORD_GRID_X] = {"gridX", KEY_grid, AS_DIMS},
    [RECORD_GRID_Y] = {"gridY", KEY_grid, AS_NOTHING},
    [RECORD_GRID_Z] = {"gridZ", KEY_grid, AS_NOTHING},
    [RECORD_BLOCK_X] = {"blockX", KEY_block, AS_DIMS},
    [RECORD_BLOCK_Y] = {"blockY", KEY_block, AS_NOTHING},
    [RECORD_BLOCK_Z] = {"blockZ", KEY_block, AS_NOTHING},
    [RECORD_REGS] = {"regs", KEY_regs, AS_INT},
    [RECORD_SMEM_STATIC] = {"smem_static", KEY_smem_static, AS_INT},
    [RECORD_SMEM_DYNAMIC] = {"smem_dynamic", KEY_smem_dynamic, AS_INT},
    [RECORD_LOCAL] = {"local", KEY_local, AS_INT},
    [RECORD_BYTES] = {"bytes", KEY_bytes, AS_INT},
    [RECORD_COPY] = {"copy", KEY_copy, AS_TEXT},
    [RECORD_SRC] = {"src", KEY_src, AS_TEXT},
    [RECORD_DST] = {"dst", KEY_dst, AS_TEXT},
    [RECORD_SRC_DEVICE] = {"src_device", KEY_src_device, AS_INT},
    [RECORD_DST_DEVICE] = {"dst_device", KEY_dst_device, AS_INT},
    [RECORD_MEM] = {"mem", KEY_mem, AS_TEXT},
    [RECORD_GRAPH] = {"graph", KEY_graph, AS_INT},
    [RECORD_GRAPH_NODE] = {"graph_node", KEY_graph_node, AS_INT},
    [RECORD_SYNC] = {"sync", KEY_sync, AS_TEXT},
    [RECORD_GPU] = {"gpu", KEY_gpu, AS_INT},
    [RECORD_MODE] = {"mode", KEY_mode, AS_TEXT},
    [RECORD_DOMAIN] = {"domain", KEY_domain, AS_TEXT},
    [RECORD_STACK] = {"stack", KEY_stack, AS_INT},
    [RECORD_VALUE] = {"value", KEY_value, AS_NUMBER},
    [RECORD_ADDRESS] = {"address", KEY_address, AS_TEXT},
    [RECORD_OP] = {"op", KEY_op, AS_TEXT},
    [RECORD_WHAT] = {"what", KEY_what, AS_TEXT},
    [RECORD_BUS] = {"bus", KEY_bus, AS_TEXT},
    [RECORD_SMS] = {"sms", KEY_sms, AS_INT},
    [RECORD_CC] = {"cc", KEY_cc, AS_TEXT},
    [RECORD_VENDOR] = {"vendor", KEY_vendor, AS_TEXT},
    [RECORD_DEMANGLED] = {"demangled", KEY_demangled, AS_TEXT},
    [RECORD_MANGLED] = {"mangled", KEY_mangled, AS_TEXT},
    [RECORD_UNIT] = {"unit", KEY_unit, AS_TEXT},
    [RECORD_ARGS] = {"args", KEY_args, AS_MEMBERS},
    [RECORD_START] = {"start", KEY_ts, AS_TIME},
    [RECORD_END] = {"end", KEY_dur, AS_END},
};
/* clang-format on */

/* the values that records of a kind may have */
static size_t
count_values(enum kind kind)
{
	if (schema_role(kind) == ROLE_DEF)
		return RECORD_START;
	return kind == KIND_mark || kind == KIND_counter ? RECORD_END
							 : RECORD_COUNT;
}

static void
make_map(struct record_map *m, const struct key_choice *keys, enum kind kind)
{
	size_t count = count_values(kind);
	const char *names[RECORD_COUNT];
	struct name_list available = {0};

	for (size_t i = 0; i < count; i++) {
		names[i] = columns[i].column;
		name_list_add(&available, span_of(names[i]));
	}
	*m = (struct record_map){.kind = kind,
	    .chosen = key_choice_of(keys, kind),
	    .columns = columns};
	record_map_init(m, &available, names, count);
	name_list_free(&available);
}

void
record_values_free(struct record_values *r)
{
	for (enum kind k = 0; k < KIND_COUNT; k++)
		if (r->maps[k].columns != NULL)
			record_map_free(&r->maps[k]);
}

void
record_values_begin(struct record_values *r, enum kind kind)
{
	r->map = &r->maps[kind];
	if (r->map->columns == NULL)
		make_map(r->map, r->keys, kind);
	typed_row_clear(&r->map->flat);
}

static void
set(struct record_values *r, enum record_value value, const struct sql_value *v)
{
	typed_row_set(&r->map->flat, (int)value, r->map->uses[value], v);
}

void
record_values_int(struct record_values *r, enum record_value value, int64_t v)
{
	const struct sql_value i = {SQL_INT, .i = v};

	set(r, value, &i);
}

void
record_values_real(struct record_values *r, enum record_value value, double v)
{
	const struct sql_value d = {SQL_REAL, .d = v};

	set(r, value, &d);
}

void
record_values_text(
    struct record_values *r, enum record_value value, struct span text)
{
	const struct sql_value s = {SQL_TEXT, .s = text};

	set(r, value, &s);
}

void
record_values_write(struct record_values *r, int64_t ts, int64_t dur)
{
	static const struct sql_value ended = {SQL_INT, .i = 0};
	struct record_map *m = r->map;

	if (m->end >= 0 && dur != NEVER_ENDED)
		typed_row_set(&m->flat, m->end, USE_INTEGER, &ended);
	row_writer_flat(r->writer, m, ts, dur);
}

void
record_values_define(struct record_values *r)
{
	row_writer_flat(r->writer, r->map, 0, 0);
}

void
record_values_count(const struct record_values *r, int64_t counts[KIND_COUNT])
{
	for (enum kind k = 0; k < KIND_COUNT; k++)
		if (schema_role(k) != ROLE_DEF)
			counts[k] += r->maps[k].records;
}
