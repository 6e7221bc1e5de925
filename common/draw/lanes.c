/*
 * lanes.c - slices of one row, put side by side where they would cross
 *
 * A lane is a forest of intervals: neighbours do not overlap, and children lie
 * in their parent.  Most slices come in order, and are appended to the last
 * node of the last node and so on, to which the lane keeps the path.  With a
 * small window, the children of all other nodes are forgotten at once.
 */

#include <stdlib.h>
#include <string.h>

#include "lanes.h"
#include "tq/base/array.h"

enum {
	DEPTH = 200,   /* viewers draw no more than some hundred */
	WINDOW = 1024, /* minimum; above the nodes that forget_old() keeps */
	SMALL = 16,    /* nodes of a list whose memory is used again */
	SPARE = 256,   /* such lists, at most */
	AHEAD = 4,     /* nodes to prefetch */
	FEW = 8        /* lanes that are tried one after another */
};

struct lane_list {
	struct lane_node *node;
	uint32_t count;
	uint32_t cap : 31;
	uint32_t deep : 1; /* some of its nodes may have children */
};

struct lane_node {
	int64_t start, end;
	struct lane_list inner; /* or opaque: children that are forgotten */
};

static const struct lane_list opaque = {.cap = INT32_MAX};

static inline bool
is_opaque(const struct lane_node *n)
{
	return n->inner.cap == opaque.cap;
}

struct lanes_lane {
	struct lane_list top;
	size_t count;            /* nodes */
	struct lane_node **way;  /* the last of top, the last child of that */
	struct lane_list *spare; /* memory for lists; their nodes are void */
	uint32_t leaves;         /* so many first nodes of top are childless */
	uint16_t height;         /* not below the depth of the deepest node */
	uint16_t way_len, way_cap;
	uint16_t spares;
	bool solid;            /* nothing fits inside of what ... */
	int64_t blocked_until; /* refused a slice and ends then */
};

void
lanes_init(struct lanes *l, bool flat, size_t window)
{
	*l = (struct lanes){
	    .latest = INT64_MIN,
	    .flat = flat,
	    .window = window > WINDOW ? window : WINDOW,
	};
}

static inline struct lane_list
new_list(struct lanes_lane *lane)
{
	if (lane->spares == 0)
		return (struct lane_list){0};
	return lane->spare[--lane->spares];
}

static void
free_memory(struct lanes_lane *lane, struct lane_list *list)
{
	if (lane->spare == NULL)
		lane->spare = mem_resize(NULL, SPARE, sizeof(*lane->spare));
	if (list->cap <= SMALL && lane->spares < SPARE)
		lane->spare[lane->spares++] =
		    (struct lane_list){list->node, .cap = list->cap};
	else
		free(list->node);
	*list = (struct lane_list){0};
}

static void
resize_list(struct lane_list *list, uint32_t cap)
{
	list->node = mem_resize(list->node, cap, sizeof(*list->node));
	list->cap = cap & INT32_MAX;
}

static void
free_list(struct lanes_lane *lane, struct lane_list *list)
{
	lane->count -= list->count;
	for (uint32_t i = 0; list->deep && i < list->count; i++)
		if (list->node[i].inner.node != NULL)
			free_list(lane, &list->node[i].inner);
	free_memory(lane, list);
}

static void
free_lane(struct lanes_lane *lane)
{
	free_list(lane, &lane->top);
	while (lane->spares > 0)
		free(lane->spare[--lane->spares].node);
	free(lane->spare);
	free(lane->way);
}

void
lanes_free(struct lanes *l)
{
	for (size_t i = 0; i < l->count; i++)
		free_lane(&l->all[i]);
	free(l->all);
	lane_search_free(&l->search);
	*l = (struct lanes){0};
}

/* ---- forgetting ---- */

static inline void
forget_inside(struct lanes_lane *lane, struct lane_node *n)
{
	if (n->inner.node != NULL) {
		free_list(lane, &n->inner);
		n->inner = opaque;
	}
}

/* forget the children of the nodes before end */
static void
forget_all(struct lanes_lane *lane, struct lane_list *list, uint32_t end)
{
	uint32_t i = list == &lane->top ? lane->leaves : 0;

	for (; i < end; i++) {
		if (i + AHEAD < end)
			__builtin_prefetch(list->node[i + AHEAD].inner.node);
		forget_inside(lane, &list->node[i]);
	}
	if (list == &lane->top && lane->leaves < end)
		lane->leaves = end;
}

/* a node of the list gets a child */
static inline void
put_inside(struct lanes_lane *lane, struct lane_list *list, uint32_t at)
{
	list->deep = true;
	if (list == &lane->top && lane->leaves > at)
		lane->leaves = at;
}

/* the older half of the list becomes one interval */
static void
merge_older(struct lanes_lane *lane, struct lane_list *list)
{
	uint32_t half = list->count / 2;

	forget_all(lane, list, half);
	list->node[0].end = list->node[half - 1].end;
	list->node[0].inner = opaque;
	memmove(list->node + 1, list->node + half,
	    (list->count - half) * sizeof(*list->node));
	list->count -= half - 1;
	lane->count -= half - 1;
	if (list == &lane->top)
		lane->leaves -= half - 1;
}

static struct lane_list *
inside_last(struct lane_list *list)
{
	return &list->node[list->count - 1].inner;
}

/*
 * Forget nodes, down to target.  The last node, and the last ones inside it,
 * stay: the next slice will most likely lie there.
 */
static void
forget_old(struct lanes_lane *lane, size_t target)
{
	bool progress = true;

	lane->way_len = 0; /* nodes may move */
	for (struct lane_list *list = &lane->top; list->count > 0;
	     list = inside_last(list)) {
		forget_all(lane, list, list->count - 1);
		if (lane->count <= target)
			return;
	}
	while (progress && lane->count > target) {
		progress = false;
		for (struct lane_list *list = &lane->top; list->count > 0;
		     list = inside_last(list))
			if (list->count >= 4) {
				merge_older(lane, list);
				progress = true;
			}
	}
}

/* so that free_list does not recurse deep */
static void
flatten_lane(struct lanes_lane *lane)
{
	lane->way_len = 0;
	forget_all(lane, &lane->top, lane->top.count);
	lane->height = 1;
}

/* ---- placing ---- */

static inline void
note_depth(struct lanes_lane *lane, unsigned depth)
{
	if (lane->height < depth)
		lane->height = (uint16_t)depth;
}

/* the first node that ends after start; one of the last ones, most likely */
static uint32_t
find_overlap(const struct lane_list *list, int64_t start)
{
	uint32_t low, high = list->count, step = 1;

	while (step <= high && list->node[high - step].end > start)
		step *= 2;
	low = step <= high ? high - step + 1 : 0;
	high -= step / 2;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (list->node[middle].end <= start)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* for one more node */
static void
make_room(struct lanes_lane *lane, struct lane_list *list)
{
	if (list->cap == 0)
		*list = new_list(lane);
	if (list->count == list->cap)
		resize_list(list, list->cap * 2 + 4);
}

static inline void
insert_node(struct lanes_lane *lane, struct lane_list *list, uint32_t at,
    int64_t start, int64_t end)
{
	if (list->count == list->cap)
		make_room(lane, list);
	if (at < list->count)
		memmove(list->node + at + 1, list->node + at,
		    (list->count - at) * sizeof(*list->node));
	list->node[at] = (struct lane_node){.start = start, .end = end};
	list->count++;
	lane->count++;
}

/* insert; the nodes before at most likely get no more children */
static inline void
insert_behind(const struct lanes *l, struct lanes_lane *lane,
    struct lane_list *list, uint32_t at, int64_t start, int64_t end)
{
	if (at > 0 && l->window == WINDOW)
		forget_inside(lane, &list->node[at - 1]);
	insert_node(lane, list, at, start, end);
}

/* nodes [from, to) become the children of a new one */
static void
wrap_nodes(struct lanes_lane *lane, struct lane_list *list, uint32_t from,
    uint32_t to, int64_t start, int64_t end)
{
	uint32_t n = to - from;
	struct lane_node outer = {.start = start, .end = end};

	outer.inner = new_list(lane);
	if (outer.inner.node == NULL || outer.inner.cap < n)
		resize_list(&outer.inner, n);
	outer.inner.count = n;
	outer.inner.deep = list->deep;
	memcpy(outer.inner.node, list->node + from, n * sizeof(outer));
	memmove(list->node + from + 1, list->node + to,
	    (list->count - to) * sizeof(outer));
	list->node[from] = outer;
	list->count -= n - 1;
	lane->count++;
	put_inside(lane, list, from);
	if (++lane->height > DEPTH)
		flatten_lane(lane);
}

/* True if [start, end) can be a child of the node. */
static inline bool
can_hold(const struct lane_node *n, int64_t start, int64_t end)
{
	return n->start <= start && n->end >= end && !is_opaque(n) &&
	       (n->start < start || n->end < LANES_OPEN);
}

/* the lane has no place for a slice that overlaps the node */
static inline bool
refuse(struct lanes_lane *lane, const struct lane_node *n, bool solid)
{
	lane->blocked_until = n->end;
	lane->solid = solid || is_opaque(n);
	return false;
}

/* the list, at that depth, has all nodes that overlap [start, end) */
__attribute__((noinline)) static bool
place_in_list(struct lanes *l, struct lanes_lane *lane, struct lane_list *list,
    unsigned depth, int64_t start, int64_t end)
{
	for (;; depth++) {
		uint32_t from = find_overlap(list, start), to = from;
		struct lane_node *first;

		while (to < list->count && list->node[to].start < end)
			to++;
		if (l->apart && to < list->count && list->node[to].start == end)
			return false;
		if (from == to) {
			insert_behind(l, lane, list, from, start, end);
			note_depth(lane, depth);
			return true;
		}
		first = &list->node[from];
		if (l->flat)
			return refuse(lane, first, true);
		if (can_hold(first, start, end)) {
			if (depth == DEPTH)
				return refuse(lane, first, true);
			put_inside(lane, list, from);
			list = &first->inner;
			continue;
		}
		if (first->start <= start || list->node[to - 1].end > end)
			return refuse(lane, first, false);
		wrap_nodes(lane, list, from, to, start, end);
		return true;
	}
}

/* the innermost list on the way that can hold [start, end) */
static inline struct lane_list *
go_up(struct lanes_lane *lane, int64_t start, int64_t end)
{
	for (; lane->way_len > 0; lane->way_len--) {
		struct lane_node *n = lane->way[lane->way_len - 1];

		if (can_hold(n, start, end))
			return &n->inner;
	}
	return &lane->top;
}

/* the children of the last node of a list */
static inline struct lane_list *
go_down(struct lanes_lane *lane, struct lane_list *list)
{
	struct lane_node *last = &list->node[list->count - 1];

	put_inside(lane, list, list->count - 1);
	if (lane->way_len == lane->way_cap) {
		lane->way_cap = (uint16_t)(lane->way_cap * 2 + 4);
		lane->way = mem_resize(
		    lane->way, lane->way_cap, sizeof(struct lane_node *));
	}
	lane->way[lane->way_len++] = last;
	return &last->inner;
}

/*
 * A slice that comes in order lies in the last node on the way, or behind it,
 * or crosses it; in that case it has no place on this lane.  All slices come
 * here: a call of the function would cost a fifth of it.
 */
__attribute__((always_inline)) static inline bool
place_in_lane(
    struct lanes *l, struct lanes_lane *lane, int64_t start, int64_t end)
{
	struct lane_list *list = go_up(lane, start, end);

	while (list->count > 0) {
		const struct lane_node *last = &list->node[list->count - 1];

		if (last->end <= start)
			break;
		if (last->start > start || lane->way_len + 1 >= DEPTH)
			return place_in_list(
			    l, lane, list, lane->way_len + 1, start, end);
		if (l->flat || !can_hold(last, start, end))
			return refuse(lane, last, l->flat);
		list = go_down(lane, list);
	}
	insert_behind(l, lane, list, list->count, start, end);
	note_depth(lane, lane->way_len + 1);
	return true;
}

/* the first lane that takes the slice, but for lane 0, or the number of lanes
 */
static size_t
try_lanes(struct lanes *l, int64_t start, int64_t end)
{
	size_t i = 1;

	while (i < l->count && !place_in_lane(l, &l->all[i], start, end))
		i++;
	return i;
}

/* the same, for a slice that starts no earlier than all others */
static size_t
search_lanes(struct lanes *l, int64_t start, int64_t end)
{
	struct lane_search *s = &l->search;
	size_t i = 1;

	while ((i = lane_search_first(s, i, l->count, start, end)) < l->count) {
		struct lanes_lane *lane = &l->all[i];

		if (place_in_lane(l, lane, start, end)) {
			lane_search_block(s, i, end, l->flat);
			break;
		}
		lane_search_block(s, i, lane->blocked_until, lane->solid);
		i++;
	}
	return i;
}

/* likewise, and a new lane if none takes it */
__attribute__((noinline)) static size_t
place_beside(struct lanes *l, int64_t start, int64_t end, bool in_order)
{
	size_t i = in_order && l->count >= FEW ? search_lanes(l, start, end)
					       : try_lanes(l, start, end);

	if (i == l->count) {
		*array_add(&l->all, &l->count, &l->cap) =
		    (struct lanes_lane){0};
		place_in_lane(l, &l->all[i], start, end); /* it has room */
	}
	return i;
}

size_t
lanes_place(struct lanes *l, int64_t start, int64_t end)
{
	bool in_order = start >= l->latest;
	size_t i = 0;

	if (end <= start)
		end = start < INT64_MAX ? start + 1 : start;
	if (in_order)
		l->latest = start;
	if (l->count == 0)
		*array_add(&l->all, &l->count, &l->cap) =
		    (struct lanes_lane){0};
	if (!place_in_lane(l, &l->all[0], start, end))
		i = place_beside(l, start, end, in_order);
	if (l->all[i].count > l->window)
		forget_old(&l->all[i], l->window / 4 * 3);
	return i;
}

static void
look_at(struct lanes_found *best, size_t lane, const struct lane_node *n)
{
	if (n->end - n->start > 1 && n->start >= best->start)
		*best = (struct lanes_found){
		    .lane = lane,
		    .start = n->start,
		    .end = n->end,
		    .inner = n->inner.count > 0 ? n->inner.node[0].start
						: LANES_OPEN,
		};
}

bool
lanes_find(const struct lanes *l, int64_t ts, struct lanes_found *found)
{
	*found = (struct lanes_found){.start = INT64_MIN, .end = INT64_MIN};
	for (size_t i = 0; i < l->count; i++) {
		const struct lane_list *list = &l->all[i].top;

		while (list->count > 0) {
			uint32_t at = find_overlap(list, ts);

			if (at == list->count || list->node[at].start > ts) {
				if (at == 0 || list->node[at - 1].end < ts)
					break;
				at--; /* it ends at ts */
			}
			look_at(found, i, &list->node[at]);
			list = &list->node[at].inner;
		}
	}
	return found->end != INT64_MIN;
}
