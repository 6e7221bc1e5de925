/*
 * lanes.c - slices of one row, put side by side where they would cross
 *
 * A lane is a forest of intervals: neighbours do not overlap, and children
 * lie in their parent.  Most slices come in order, and are appended to the
 * last of the last, to which the lane knows the way; where all do (a small
 * window), what is inside of others than the last is forgotten at once.
 */

#include <stdlib.h>
#include <string.h>

#include "lanes.h"
#include "tq/base/mem.h"

enum {
	DEPTH = 200,   /* viewers draw no more than some hundred */
	WINDOW = 1024, /* at least: more than what forget() cannot forget */
	SMALL = 16,    /* nodes of a list whose memory is kept for others */
	SPARE = 256,   /* as many of these */
	AHEAD = 4      /* nodes */
};

struct lane_list {
	struct lane_node *node;
	uint32_t count;
	uint32_t cap : 31;
	uint32_t deep : 1; /* some of its nodes may have something inside */
};

struct lane_node {
	int64_t start, end;
	struct lane_list inner; /* or opaque: there was something, forgotten */
};

static const struct lane_list opaque = {.cap = INT32_MAX};

static inline bool
is_opaque(const struct lane_node *n)
{
	return n->inner.cap == opaque.cap;
}

struct lanes_lane {
	struct lane_list top;
	size_t count; /* nodes */
	struct lane_node *
	    *way; /* the last of top, the last inside of that ... */
	struct lane_list
	    *spare;      /* memory for lists, none of which is looked at */
	uint32_t leaves; /* as many first ones of top have nothing inside */
	uint16_t height; /* at least the depth of the deepest */
	uint16_t way_len, way_cap;
	uint16_t spares;
};

void
lanes_init(struct lanes *l, bool flat, size_t window)
{
	*l = (struct lanes){
	    .flat = flat, .window = window > WINDOW ? window : WINDOW};
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
resize(struct lane_list *list, uint32_t cap)
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
		free_lane(&l->lane[i]);
	free(l->lane);
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

/* forget what is inside of the first so many of a list */
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

/* something is put inside of a node of the list */
static inline void
put_inside(struct lanes_lane *lane, struct lane_list *list, uint32_t at)
{
	list->deep = true;
	if (list == &lane->top && lane->leaves > at)
		lane->leaves = at;
}

/* the older half of the list becomes one interval */
static void
merge(struct lanes_lane *lane, struct lane_list *list)
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
 * Down to target nodes.  What is last, and last in that, stays as it is: it
 * is where the next slice will most likely be.
 */
static void
forget(struct lanes_lane *lane, size_t target)
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
				merge(lane, list);
				progress = true;
			}
	}
}

/* so that free_list does not go deep */
static void
flatten(struct lanes_lane *lane)
{
	lane->way_len = 0;
	forget_all(lane, &lane->top, lane->top.count);
	lane->height = 1;
}

/* ---- placing ---- */

static inline void
rise(struct lanes_lane *lane, unsigned depth)
{
	if (lane->height < depth)
		lane->height = (uint16_t)depth;
}

/* the first node that ends after start; most likely it is one of the last */
static uint32_t
lower(const struct lane_list *list, int64_t start)
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

/* room for one more */
static void
make_room(struct lanes_lane *lane, struct lane_list *list)
{
	if (list->cap == 0)
		*list = new_list(lane);
	if (list->count == list->cap)
		resize(list, list->cap * 2 + 4);
}

static inline void
insert(struct lanes_lane *lane, struct lane_list *list, uint32_t at,
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

/* insert behind all that is before at, which nothing will be put into */
static inline void
insert_behind(const struct lanes *l, struct lanes_lane *lane,
    struct lane_list *list, uint32_t at, int64_t start, int64_t end)
{
	if (at > 0 && l->window == WINDOW)
		forget_inside(lane, &list->node[at - 1]);
	insert(lane, list, at, start, end);
}

/* nodes [from, to) go into a new one */
static void
wrap(struct lanes_lane *lane, struct lane_list *list, uint32_t from,
    uint32_t to, int64_t start, int64_t end)
{
	uint32_t n = to - from;
	struct lane_node outer = {.start = start, .end = end};

	outer.inner = new_list(lane);
	if (outer.inner.node == NULL || outer.inner.cap < n)
		resize(&outer.inner, n);
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
		flatten(lane);
}

/* can [start, end) be placed inside of the node? */
static inline bool
holds(const struct lane_node *n, int64_t start, int64_t end)
{
	return n->start <= start && n->end >= end && !is_opaque(n) &&
	       (n->start < start || n->end < LANES_OPEN);
}

/* the list is depth deep, and holds all that has to do with [start, end) */
__attribute__((noinline)) static bool
place_in(struct lanes *l, struct lanes_lane *lane, struct lane_list *list,
    unsigned depth, int64_t start, int64_t end)
{
	for (; depth <= DEPTH; depth++) {
		uint32_t from = lower(list, start), to = from;
		struct lane_node *first;

		while (to < list->count && list->node[to].start < end)
			to++;
		if (l->apart && to < list->count && list->node[to].start == end)
			return false;
		if (from == to) {
			insert_behind(l, lane, list, from, start, end);
			rise(lane, depth);
			return true;
		}
		if (l->flat)
			return false;
		first = &list->node[from];
		if (holds(first, start, end)) {
			put_inside(lane, list, from);
			list = &first->inner;
			continue;
		}
		if (first->start <= start || list->node[to - 1].end > end)
			return false;
		wrap(lane, list, from, to, start, end);
		return true;
	}
	return false;
}

/* the last list on the way that can take [start, end) */
static inline struct lane_list *
go_up(struct lanes_lane *lane, int64_t start, int64_t end)
{
	for (; lane->way_len > 0; lane->way_len--) {
		struct lane_node *n = lane->way[lane->way_len - 1];

		if (holds(n, start, end))
			return &n->inner;
	}
	return &lane->top;
}

/* the list inside of the last node of one */
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
 * What comes in order lies in the last of the last, or behind that, or crosses
 * it; the latter has no place here.
 */
static inline bool
place(struct lanes *l, struct lanes_lane *lane, int64_t start, int64_t end)
{
	struct lane_list *list = go_up(lane, start, end);

	while (list->count > 0) {
		const struct lane_node *last = &list->node[list->count - 1];

		if (last->end <= start)
			break;
		if (last->start > start || lane->way_len + 1 >= DEPTH)
			return place_in(
			    l, lane, list, lane->way_len + 1, start, end);
		if (l->flat || !holds(last, start, end))
			return false;
		list = go_down(lane, list);
	}
	insert_behind(l, lane, list, list->count, start, end);
	rise(lane, lane->way_len + 1);
	return true;
}

static void
add_lane(struct lanes *l)
{
	l->lane = mem_resize(l->lane, l->count + 1, sizeof(*l->lane));
	l->lane[l->count++] = (struct lanes_lane){0};
}

size_t
lanes_place(struct lanes *l, int64_t start, int64_t end)
{
	size_t i = 0;

	if (end <= start)
		end = start < INT64_MAX ? start + 1 : start;
	if (l->count == 0)
		add_lane(l);
	while (!place(l, &l->lane[i], start, end))
		if (++i == l->count)
			add_lane(l); /* which has room */
	if (l->lane[i].count > l->window)
		forget(&l->lane[i], l->window / 4 * 3);
	return i;
}
