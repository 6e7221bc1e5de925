/* join_keys.c - the keys that join operations to calls, and calls to ranges */

#include "tq/join/join_keys.h"

static const enum key work[] = {KEY_ts, KEY_dur, KEY_pid, KEY_corr, KEY_device,
    KEY_graph, KEY_graph_node, KEY_NONE};
static const enum key work_added[] = {KEY_tid, KEY_api_ts, KEY_api_dur,
    KEY_api_name, KEY_stack, KEY_range, KEY_path, KEY_graph_depth, KEY_op_name,
    KEY_module, KEY_shapes, KEY_node_index, KEY_proof, KEY_NONE};
static const enum key call[] = {KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_corr,
    KEY_name, KEY_gpu, KEY_open, KEY_stack, KEY_NONE};
static const enum key range[] = {KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name,
    KEY_id, KEY_domain, KEY_category, KEY_color, KEY_end_tid, KEY_open, KEY_cut,
    KEY_NONE};
static const enum key range_added[] = {KEY_parent, KEY_depth, KEY_NONE};
static const enum key event[] = {KEY_ts, KEY_NONE};
static const enum key none[] = {KEY_NONE};

static const struct {
	const enum key *read, *added;
} by_role[] = {
    [ROLE_FRAME] = {none, none},
    [ROLE_DEF] = {none, none},
    [ROLE_WORK] = {work, work_added},
    [ROLE_LAUNCH] = {call, none},
    [ROLE_RANGE] = {range, range_added},
    [ROLE_EVENT] = {event, none},
};

const enum key *
join_keys_read(enum kind kind)
{
	return by_role[schema_role(kind)].read;
}

const enum key *
join_keys_added(enum kind kind)
{
	return by_role[schema_role(kind)].added;
}
