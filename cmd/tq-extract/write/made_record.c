/* made_record.c - a record that a source makes value by value */

#include "made_record.h"
#include "time_window.h"

/* clang-format off */
static const struct column_map columns[MADE_COUNT + 1] = {
    [MADE_PID] = {"pid", KEY_pid, AS_INT},
    [MADE_TID] = {"tid", KEY_tid, AS_INT},
    [MADE_CORR] = {"corr", KEY_corr, AS_INT},
    [MADE_NAME] = {"name", KEY_name, AS_TEXT},
    [MADE_ID] = {"id", KEY_id, AS_INT},
    [MADE_HOST] = {"host", KEY_host, AS_TEXT},
    [MADE_RANK] = {"rank", KEY_rank, AS_INT},
    [MADE_SYM] = {"sym", KEY_sym, AS_INT},
    [MADE_API] = {"api", KEY_api, AS_TEXT},
    [MADE_DEVICE] = {"device", KEY_device, AS_INT},
    [MADE_STREAM] = {"stream", KEY_stream, AS_INT},
    [MADE_QUEUE] = {"queue", KEY_queue, AS_INT},
    [MADE_COUNTER] = {"counter", KEY_counter, AS_INT},
    [MADE_GRID_X] = {"gridX", KEY_grid, AS_DIMS},
    [MADE_GRID_Y] = {"gridY", KEY_grid, AS_NOTHING},
    [MADE_GRID_Z] = {"gridZ", KEY_grid, AS_NOTHING},
    [MADE_BLOCK_X] = {"blockX", KEY_block, AS_DIMS},
    [MADE_BLOCK_Y] = {"blockY", KEY_block, AS_NOTHING},
    [MADE_BLOCK_Z] = {"blockZ", KEY_block, AS_NOTHING},
    [MADE_REGS] = {"regs", KEY_regs, AS_INT},
    [MADE_SMEM_STATIC] = {"smem_static", KEY_smem_static, AS_INT},
    [MADE_SMEM_DYNAMIC] = {"smem_dynamic", KEY_smem_dynamic, AS_INT},
    [MADE_LOCAL] = {"local", KEY_local, AS_INT},
    [MADE_BYTES] = {"bytes", KEY_bytes, AS_INT},
    [MADE_COPY] = {"copy", KEY_copy, AS_TEXT},
    [MADE_SRC] = {"src", KEY_src, AS_TEXT},
    [MADE_DST] = {"dst", KEY_dst, AS_TEXT},
    [MADE_SRC_DEVICE] = {"src_device", KEY_src_device, AS_INT},
    [MADE_DST_DEVICE] = {"dst_device", KEY_dst_device, AS_INT},
    [MADE_MEM] = {"mem", KEY_mem, AS_TEXT},
    [MADE_GRAPH] = {"graph", KEY_graph, AS_INT},
    [MADE_GRAPH_NODE] = {"graph_node", KEY_graph_node, AS_INT},
    [MADE_SYNC] = {"sync", KEY_sync, AS_TEXT},
    [MADE_GPU] = {"gpu", KEY_gpu, AS_INT},
    [MADE_MODE] = {"mode", KEY_mode, AS_TEXT},
    [MADE_DOMAIN] = {"domain", KEY_domain, AS_TEXT},
    [MADE_STACK] = {"stack", KEY_stack, AS_INT},
    [MADE_VALUE] = {"value", KEY_value, AS_NUMBER},
    [MADE_ADDRESS] = {"address", KEY_address, AS_TEXT},
    [MADE_OP] = {"op", KEY_op, AS_TEXT},
    [MADE_WHAT] = {"what", KEY_what, AS_TEXT},
    [MADE_BUS] = {"bus", KEY_bus, AS_TEXT},
    [MADE_SMS] = {"sms", KEY_sms, AS_INT},
    [MADE_CC] = {"cc", KEY_cc, AS_TEXT},
    [MADE_VENDOR] = {"vendor", KEY_vendor, AS_TEXT},
    [MADE_DEMANGLED] = {"demangled", KEY_demangled, AS_TEXT},
    [MADE_MANGLED] = {"mangled", KEY_mangled, AS_TEXT},
    [MADE_UNIT] = {"unit", KEY_unit, AS_TEXT},
    [MADE_ARGS] = {"args", KEY_args, AS_MEMBERS},
    [MADE_START] = {"start", KEY_ts, AS_TIME},
    [MADE_END] = {"end", KEY_dur, AS_END},
};
/* clang-format on */

/* the values that records of a kind may have */
static size_t
count_values(enum kind kind)
{
	if (schema_role(kind) == ROLE_DEF)
		return MADE_START;
	return kind == KIND_mark || kind == KIND_counter ? MADE_END
							 : MADE_COUNT;
}

static void
make_map(struct record_map *m, const struct key_choice *keys, enum kind kind)
{
	size_t count = count_values(kind);
	const char *names[MADE_COUNT];
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
made_record_free(struct made_record *r)
{
	for (enum kind k = 0; k < KIND_COUNT; k++)
		if (r->maps[k].columns != NULL)
			record_map_free(&r->maps[k]);
}

void
made_record_begin(struct made_record *r, enum kind kind)
{
	r->map = &r->maps[kind];
	if (r->map->columns == NULL)
		make_map(r->map, r->keys, kind);
	flat_row_clear(&r->map->flat);
}

static void
set(struct made_record *r, enum made_value value, const struct sql_value *v)
{
	flat_row_set(&r->map->flat, (int)value, r->map->uses[value], v);
}

void
made_record_int(struct made_record *r, enum made_value value, int64_t v)
{
	const struct sql_value i = {SQL_INT, .i = v};

	set(r, value, &i);
}

void
made_record_real(struct made_record *r, enum made_value value, double v)
{
	const struct sql_value d = {SQL_REAL, .d = v};

	set(r, value, &d);
}

void
made_record_text(struct made_record *r, enum made_value value, struct span text)
{
	const struct sql_value s = {SQL_TEXT, .s = text};

	set(r, value, &s);
}

void
made_record_write(struct made_record *r, int64_t ts, int64_t dur)
{
	static const struct sql_value ended = {SQL_INT, .i = 0};
	struct record_map *m = r->map;

	if (m->end >= 0 && dur != NEVER_ENDED)
		flat_row_set(&m->flat, m->end, USE_INTEGER, &ended);
	row_writer_flat(r->writer, m, ts, dur);
}

void
made_record_define(struct made_record *r)
{
	row_writer_flat(r->writer, r->map, 0, 0);
}

void
made_record_count(const struct made_record *r, int64_t counts[KIND_COUNT])
{
	for (enum kind k = 0; k < KIND_COUNT; k++)
		if (schema_role(k) != ROLE_DEF)
			counts[k] += r->maps[k].records;
}
