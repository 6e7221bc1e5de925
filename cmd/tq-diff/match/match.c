/* match.c - which operations of two sides are the same */

#include <stdlib.h>

#include "grids.h"
#include "match.h"
#include "path_rows.h"
#include "place_match.h"
#include "tq/base/array.h"
#include "tq/base/map.h"

static int
by_kind_and_name(const void *x, const void *y)
{
	const struct match_name *a = x, *b = y;

	int c = a->kind != b->kind ? (a->kind > b->kind) - (a->kind < b->kind)
				   : span_cmp(a->full, b->full);

	return c != 0 ? c : a->in_graph - b->in_graph;
}

/* ---- graphs ---- */

/* The graphs of a side: bit 0 as a whole, bit 1 their nodes. */
static unsigned
graphs_of(const struct accounts *side)
{
	unsigned has = 0;

	for (size_t r = 0; r < side->count; r++)
		for (size_t i = 0; i < side->all[r]->row_count; i++) {
			const struct account_row *row = &side->all[r]->rows[i];

			has |= row->kind == KIND_graph ? 1U : 0U;
			has |= row->in_graph ? 2U : 0U;
		}
	return has;
}

static bool
are_graphs_joined(const struct match *m)
{
	unsigned a = graphs_of(m->sides[SIDE_A]);
	unsigned b = graphs_of(m->sides[SIDE_B]);

	return (a | b) == 3 && (a & b) == 0;
}

static struct match_name
describe_name(const struct match *m, const struct account_row *row)
{
	return (struct match_name){.kind = row->kind,
	    .group = row->group,
	    .in_graph = m->joined && row->in_graph,
	    .full = row->full};
}

/* ---- names of recordings ---- */

/* All names of all recordings, each once. */
static void
collect_names(struct match *m)
{
	size_t count = 0;

	for (int side = 0; side < SIDES; side++)
		for (size_t r = 0; r < m->sides[side]->count; r++) {
			const struct account *a = m->sides[side]->all[r];

			for (size_t i = 0; i < a->row_count; i++)
				*array_add(
				    &m->names, &m->name_count, &m->name_cap) =
				    describe_name(m, &a->rows[i]);
		}
	if (m->name_count == 0)
		return;
	qsort(m->names, m->name_count, sizeof(*m->names), by_kind_and_name);
	for (size_t i = 0; i < m->name_count; i++)
		if (count == 0 ||
		    by_kind_and_name(&m->names[count - 1], &m->names[i]) != 0)
			m->names[count++] = m->names[i];
	m->name_count = count;
}

static uint32_t
name_of(const struct match *m, const struct account_row *row)
{
	struct match_name key = describe_name(m, row);
	const struct match_name *found = bsearch(
	    &key, m->names, m->name_count, sizeof(*m->names), by_kind_and_name);

	return (uint32_t)(found - m->names);
}

/* Which name each row of a recording has; and the sums of the names. */
static void
index_rows(struct match *m)
{
	for (int side = 0; side < SIDES; side++) {
		const struct accounts *all = m->sides[side];

		m->index[side] =
		    region_get(&m->region, (all->count + 1) * sizeof(void *));
		for (size_t r = 0; r < all->count; r++) {
			const struct account *a = all->all[r];
			uint32_t *index = region_get(
			    &m->region, (a->row_count + 1) * sizeof(*index));

			for (size_t i = 0; i < a->row_count; i++) {
				index[i] = name_of(m, &a->rows[i]);
				account_sum_add(&m->names[index[i]].on[side],
				    account_row_sum(a, &a->rows[i]));
			}
			m->index[side][r] = index;
		}
	}
}

/* ---- levels ---- */

/* of a name: full, clean, base, family; the level of a key is one more */
enum { KEY_FULL, KEY_CLEAN, KEY_BASE, KEY_FAMILY, KEYS };

struct level_keys {
	struct intern texts;
	uint32_t *all; /* KEYS of each name */
};

static bool
is_on(const struct match_name *n, int side)
{
	return n->on[side].n > 0 || n->on[side].dur > 0;
}

/* The keys begin with the kind; only kernels have more names than one. */
static void
make_keys(struct match *m, struct name_rules *rules, struct level_keys *k)
{
	struct text t = {0}, base = {0};

	k->all = mem_resize(NULL, (m->name_count + 1) * KEYS, sizeof(*k->all));
	for (size_t i = 0; i < m->name_count; i++) {
		const struct match_name *n = &m->names[i];
		uint32_t *keys = &k->all[i * KEYS];

		t.len = base.len = 0;
		text_add_char(&t, (char)(n->in_graph ? KIND_graph : n->kind));
		text_add_span(&t, n->full);
		for (int key = 0; key < KEYS; key++)
			keys[key] = intern_get(&k->texts, text_span(&t));
		if (n->kind != KIND_kernel || n->in_graph)
			continue;
		t.len = 1;
		name_rules_clean(rules, n->full, &t);
		keys[1] = intern_get(&k->texts, text_span(&t));
		text_add_char(&base, (char)n->kind);
		text_add_span(
		    &base, name_rules_base((struct span){t.p + 1, t.len - 1}));
		keys[2] = intern_get(&k->texts, text_span(&base));
		t.len = 1;
		name_rules_family(
		    rules, (struct span){base.p + 1, base.len - 1}, &t);
		keys[3] = intern_get(&k->texts, text_span(&t));
	}
	text_free(&t);
	text_free(&base);
}

/* The level of each name: of the first key that has both sides. */
static void
find_levels(struct match *m, const struct level_keys *k)
{
	unsigned char *on = mem_alloc(k->texts.count + 1);

	for (size_t i = 0; i < m->name_count && m->joined; i++)
		if (m->names[i].in_graph || m->names[i].kind == KIND_graph)
			m->names[i].level = MATCH_GRAPH;
	for (int key = 0; key < KEYS; key++) {
		memset(on, 0, k->texts.count + 1);
		for (size_t i = 0; i < m->name_count; i++)
			if (m->names[i].level == MATCH_ONE_SIDE)
				on[k->all[i * KEYS + (size_t)key]] |=
				    (unsigned char)(is_on(
							&m->names[i], SIDE_A) |
						    is_on(&m->names[i], SIDE_B)
							<< 1);
		for (size_t i = 0; i < m->name_count; i++)
			if (m->names[i].level == MATCH_ONE_SIDE &&
			    on[k->all[i * KEYS + (size_t)key]] == 3)
				m->names[i].level = (unsigned char)(key + 1);
	}
	free(on);
}

/* ---- sets of names, which are rows ---- */

static uint32_t
root(uint32_t *set, uint32_t name)
{
	while (set[name] != name)
		name = set[name] = set[set[name]];
	return name;
}

static void
unite(uint32_t *set, uint32_t x, uint32_t y)
{
	x = root(set, x);
	y = root(set, y);
	set[x > y ? x : y] = x < y ? x : y;
}

/* Unite names with equal keys of one column; only those of a level, or all. */
static void
unite_keys(const struct match *m, const struct level_keys *k, size_t key,
    int level, uint32_t *set)
{
	uint32_t *first = mem_alloc((k->texts.count + 1) * sizeof(*first));

	for (uint32_t i = 0; i < m->name_count; i++) {
		uint32_t *f = &first[k->all[i * KEYS + key]];

		if (level >= 0 && m->names[i].level != level)
			continue;
		if (*f == 0)
			*f = i + 1;
		unite(set, *f - 1, i);
	}
	free(first);
}

/* Unite all names of a class of operations, or of a level. */
static void
unite_groups(const struct match *m, uint32_t *set)
{
	uint32_t groups[DEVICE_CLASSES] = {0};

	for (uint32_t i = 0; i < m->name_count; i++) {
		uint32_t *g = &groups[m->names[i].group];

		if (*g == 0)
			*g = i + 1;
		unite(set, *g - 1, i);
	}
}

static void
unite_level(const struct match *m, int level, uint32_t *set)
{
	uint32_t first = 0;

	for (uint32_t i = 0; i < m->name_count; i++) {
		if (m->names[i].level != level)
			continue;
		if (first == 0)
			first = i + 1;
		unite(set, first - 1, i);
	}
}

/* Names that are the same become one set, whatever a row is. */
static void
make_sets(struct match *m, const struct level_keys *k, uint32_t *set)
{
	place_match_sets(m, set);
	for (uint32_t i = 0; i < m->name_count; i++)
		if (set[i] != i)
			m->names[i].level = m->names[set[i]].level =
			    MATCH_PLACE;
	unite_level(m, MATCH_GRAPH, set);
	unite_keys(m, k, KEY_CLEAN, MATCH_CLEAN, set);
	unite_keys(m, k, KEY_BASE, MATCH_BASE, set);
	unite_keys(m, k, KEY_FAMILY, MATCH_FAMILY, set);
	for (uint32_t i = 0; i < m->name_count; i++)
		m->names[i].set = root(set, i);
}

/* Sets of names that are one row. */
static void
unite_rows(struct match *m, const struct level_keys *k, uint32_t *set)
{
	switch (m->by) {
	case MATCH_BY_CATEGORY:
		unite_groups(m, set);
		break;
	case MATCH_BY_BASE:
		unite_keys(m, k, KEY_BASE, -1, set);
		break;
	case MATCH_BY_FAMILY:
		unite_keys(m, k, KEY_FAMILY, -1, set);
		break;
	default:
		break;
	}
	for (uint32_t i = 0; i < m->name_count; i++)
		set[i] = root(set, i);
}

/* ---- rows ---- */

static struct span
key_text(const struct level_keys *k, size_t name, int key)
{
	struct span s =
	    intern_text(&k->texts, k->all[name * KEYS + (size_t)key]);

	return (struct span){s.p + 1, s.len - 1};
}

enum { SET_SHOWN = 3 };

/* "{a, b}": the base names of a side of a row, each once */
static void
add_set(struct text *t, const struct match *m, const struct level_keys *k,
    uint32_t row, int side)
{
	struct map seen = {0};

	text_add_char(t, '{');
	for (size_t i = 0; i < m->name_count; i++) {
		size_t count = seen.count;

		if (m->names[i].row != row || !is_on(&m->names[i], side))
			continue;
		map_get(&seen, k->all[i * KEYS + KEY_BASE], 0);
		if (seen.count == count || count >= SET_SHOWN)
			continue;
		text_add_str(t, count > 0 ? ", " : "");
		text_add_span(t, key_text(k, i, KEY_BASE));
	}
	if (seen.count > SET_SHOWN)
		text_printf(t, ", %zu more", seen.count - SET_SHOWN);
	text_add_char(t, '}');
	map_free(&seen);
}

/* Its key; if its names have several, their common part. */
static void
name_row(struct match *m, const struct level_keys *k, uint32_t row)
{
	static const int keys[] = {[MATCH_BY_BASE] = KEY_BASE,
	    [MATCH_BY_NAME] = KEY_FULL,
	    [MATCH_BY_FAMILY] = KEY_FAMILY,
	    [MATCH_BY_CATEGORY] = KEYS,
	    [MATCH_BY_GRID] = KEY_FULL};
	struct match_row *r = &m->rows[row];
	struct text t = {0};
	int key = keys[m->by];
	size_t first = SIZE_MAX;

	for (size_t i = 0; i < m->name_count && key < KEYS; i++) {
		if (m->names[i].row != row)
			continue;
		first = first == SIZE_MAX ? i : first;
		while (key < KEYS && k->all[i * KEYS + (size_t)key] !=
					 k->all[first * KEYS + (size_t)key])
			key++;
	}
	if (m->by == MATCH_BY_CATEGORY)
		text_add_str(
		    &t, account_part_name((enum account_part)r->group));
	else if (r->level == MATCH_GRAPH)
		text_add_str(&t, "graph");
	else if (key < KEYS && first != SIZE_MAX)
		text_add_span(&t, key_text(k, first, key));
	else {
		add_set(&t, m, k, row, SIDE_A);
		text_add_str(&t, " -> ");
		add_set(&t, m, k, row, SIDE_B);
	}
	r->name = region_copy(&m->region, text_span(&t));
	text_free(&t);
}

/* Rows of sets of names. */
static void
make_name_rows(struct match *m, const struct level_keys *k, const uint32_t *set)
{
	for (uint32_t i = 0; i < m->name_count; i++) {
		struct match_name *n = &m->names[i];
		struct match_row *r;

		if (set[i] == i) {
			n->row = (uint32_t)m->row_count;
			*array_add(&m->rows, &m->row_count, &m->row_cap) =
			    (struct match_row){
				.kind = n->kind, .group = n->group};
		} else
			n->row = m->names[set[i]].row;
		r = &m->rows[n->row];
		r->level = n->level > r->level ? n->level : r->level;
	}
	for (uint32_t i = 0; i < m->row_count; i++)
		name_row(m, k, i);
}

/* The work that a recording adds to each row. */
static void
collect_cells(const struct match *m, int side, size_t r, struct match_cells *c)
{
	const struct account *a = m->sides[side]->all[r];

	c->count = 0;
	if (m->by == MATCH_BY_PATH)
		path_rows_cells(m, a, c);
	else if (m->by == MATCH_BY_GRID)
		grids_cells(m, side, r, c);
	else
		for (size_t i = 0; i < a->row_count; i++)
			*array_add(&c->all, &c->count, &c->cap) =
			    (struct match_cell){
				m->names[m->index[side][r][i]].row,
				account_row_sum(a, &a->rows[i])};
}

/* The sums of all recordings, and the mean of each. */
static void
add_recordings(struct match *m, int side)
{
	size_t count = m->sides[side]->count;
	struct account_sum *of =
	    mem_resize(NULL, m->row_count + 1, sizeof(*of));
	struct match_cells cells = {0};

	for (size_t i = 0; i < m->row_count; i++)
		m->rows[i].means[side] =
		    region_get(&m->region, (count + 1) * sizeof(double));
	for (size_t r = 0; r < count; r++) {
		memset(of, 0, m->row_count * sizeof(*of));
		collect_cells(m, side, r, &cells);
		for (size_t i = 0; i < cells.count; i++)
			account_sum_add(
			    &of[cells.all[i].row], cells.all[i].sum);
		for (size_t i = 0; i < m->row_count; i++) {
			account_sum_add(&m->rows[i].on[side], of[i]);
			m->rows[i].means[side][r] =
			    of[i].n > 0 ? (double)of[i].dur / (double)of[i].n
					: 0;
		}
	}
	free(cells.all);
	free(of);
}

void
match_make(struct match *m, const struct accounts *a, const struct accounts *b,
    struct name_rules *rules, enum match_by by)
{
	struct level_keys k = {0};
	uint32_t *set;

	*m = (struct match){.sides = {a, b}, .by = by};
	m->joined = are_graphs_joined(m);
	collect_names(m);
	index_rows(m);
	if (m->name_count == 0)
		return;
	make_keys(m, rules, &k);
	find_levels(m, &k);
	set = mem_resize(NULL, m->name_count + 1, sizeof(*set));
	make_sets(m, &k, set);
	unite_rows(m, &k, set);
	if (by == MATCH_BY_PATH) {
		path_rows_make(m);
	} else {
		make_name_rows(m, &k, set);
		grids_make(m);
	}
	for (int side = 0; side < SIDES; side++)
		add_recordings(m, side);
	free(set);
	free(k.all);
	intern_free(&k.texts);
}

unsigned
match_level(const struct match_row *row)
{
	return row->level > MATCH_BASE ? row->level - 1U : row->level;
}

bool
match_is_pair(const struct match_row *r)
{
	return r->level != MATCH_ONE_SIDE && r->level < MATCH_PLACE &&
	       r->on[SIDE_A].n > 0 && r->on[SIDE_B].n > 0 &&
	       r->on[SIDE_A].dur > 0 && r->on[SIDE_B].dur > 0;
}

bool
match_on_host(const struct match *m)
{
	const struct accounts *a = m->sides[SIDE_A];

	return a->count > 0 && account_fact(a->all[0], "work").len > 0;
}

static bool
both_have_kernels(const struct match *m)
{
	bool on[SIDES] = {false, false};

	for (size_t i = 0; i < m->name_count; i++)
		for (int side = 0; side < SIDES; side++)
			on[side] |= m->names[i].kind == KIND_kernel &&
				    m->names[i].on[side].n > 0;
	return on[SIDE_A] && on[SIDE_B];
}

double
match_share(const struct match *m)
{
	bool kernels = both_have_kernels(m);
	double all = 0, matched = 0;

	for (size_t i = 0; i < m->name_count; i++)
		for (int side = 0; side < SIDES; side++) {
			double dur = (double)m->names[i].on[side].dur;

			if (kernels && m->names[i].kind != KIND_kernel)
				continue;
			all += dur;
			if (m->names[i].level != MATCH_ONE_SIDE &&
			    m->names[i].level != MATCH_PLACE)
				matched += dur;
		}
	return all > 0 ? matched / all : 1;
}

double
match_grid_share(const struct match *m)
{
	double all[SIDES] = {0}, same = 0;

	for (size_t i = 0; i < m->grid_count; i++) {
		const struct match_grid *g = &m->grids[i];

		if (g->grid.len == 0 || !match_is_pair(&m->rows[g->row]))
			continue;
		for (int side = 0; side < SIDES; side++) {
			all[side] += (double)g->on[side].dur;
			same += match_has_grid(g) ? (double)g->on[side].dur : 0;
		}
	}
	return all[SIDE_A] > 0 && all[SIDE_B] > 0
		   ? same / (all[SIDE_A] + all[SIDE_B])
		   : 1;
}

void
match_free(struct match *m)
{
	free(m->names);
	free(m->rows);
	free(m->grids);
	map_free(&m->found);
	intern_free(&m->texts);
	region_free(&m->region);
}
