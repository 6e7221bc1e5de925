/* match.c - which operations of two sides are the same */

#include <stdlib.h>

#include "match.h"
#include "place.h"
#include "tq/base/array.h"
#include "tq/base/map.h"

/* ---- names ---- */

static int
by_kind_and_name(const void *x, const void *y)
{
	const struct match_name *a = x, *b = y;

	return a->kind != b->kind ? (a->kind > b->kind) - (a->kind < b->kind)
				  : span_cmp(a->full, b->full);
}

static int
find_by_name(const void *x, const void *y)
{
	return by_kind_and_name(x, y);
}

static void
add_sum(struct account_sum *to, struct account_sum sum)
{
	to->n += sum.n;
	to->dur += sum.dur;
	to->exposed += sum.exposed;
}

/* All names of all recordings, each once. */
static void
collect_names(struct match *m)
{
	size_t count = 0;

	for (int side = 0; side < SIDES; side++)
		for (size_t r = 0; r < m->sides[side]->count; r++) {
			const struct account *a = m->sides[side]->all[r];

			for (size_t i = 0; i < a->row_count; i++)
				*array_add(&m->names, &m->name_count,
				    &m->name_cap) = (struct match_name){
				    .kind = a->rows[i].kind,
				    .group = a->rows[i].group,
				    .full = a->rows[i].full,
				};
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
	struct match_name key = {.kind = row->kind, .full = row->full};
	const struct match_name *found = bsearch(
	    &key, m->names, m->name_count, sizeof(*m->names), find_by_name);

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
				add_sum(&m->names[index[i]].on[side],
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
		text_add_char(&t, (char)n->kind);
		text_add_span(&t, n->full);
		for (int key = 0; key < KEYS; key++)
			keys[key] = intern_get(&k->texts, text_span(&t));
		if (n->kind != KIND_kernel)
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
unite_all(struct match *m, const struct level_keys *k, enum match_by by,
    uint32_t *set)
{
	place_sets(m, set);
	for (uint32_t i = 0; i < m->name_count; i++)
		if (set[i] != i)
			m->names[i].level = m->names[set[i]].level =
			    MATCH_PLACE;
	unite_keys(m, k, KEY_CLEAN, MATCH_CLEAN, set);
	unite_keys(m, k, KEY_BASE, MATCH_BASE, set);
	unite_keys(m, k, KEY_FAMILY, MATCH_FAMILY, set);
	if (by == MATCH_BY_CATEGORY)
		unite_groups(m, set);
	else if (by != MATCH_BY_NAME)
		unite_keys(
		    m, k, by == MATCH_BY_BASE ? KEY_BASE : KEY_FAMILY, -1, set);
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

/* Its key; if its names have several, what they have in common. */
static void
name_row(
    struct match *m, const struct level_keys *k, uint32_t row, enum match_by by)
{
	static const int keys[] = {[MATCH_BY_BASE] = KEY_BASE,
	    [MATCH_BY_NAME] = KEY_FULL,
	    [MATCH_BY_FAMILY] = KEY_FAMILY};
	struct match_row *r = &m->rows[row];
	struct text t = {0};
	int key = by == MATCH_BY_CATEGORY ? KEYS : keys[by];
	size_t first = SIZE_MAX;

	for (size_t i = 0; i < m->name_count && key < KEYS; i++) {
		if (m->names[i].row != row)
			continue;
		first = first == SIZE_MAX ? i : first;
		while (key < KEYS && k->all[i * KEYS + (size_t)key] !=
					 k->all[first * KEYS + (size_t)key])
			key++;
	}
	if (by == MATCH_BY_CATEGORY)
		text_add_str(
		    &t, account_part_name((enum account_part)r->group));
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

static void
add_rows(struct match *m, const struct level_keys *k, const uint32_t *set,
    enum match_by by)
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
		for (int side = 0; side < SIDES; side++) {
			add_sum(&r->on[side], n->on[side]);
			r->names[side] += is_on(n, side);
		}
	}
	for (uint32_t i = 0; i < m->row_count; i++)
		name_row(m, k, i, by);
}

/* What a row has of each recording: the mean, and the durations. */
static void
add_recordings(struct match *m, int side)
{
	const struct accounts *all = m->sides[side];
	size_t size = (all->count + 1) * sizeof(double);
	int64_t *n = mem_resize(NULL, m->row_count + 1, sizeof(*n));

	for (size_t i = 0; i < m->row_count; i++)
		m->rows[i].means[side] = region_get(&m->region, size);
	for (size_t r = 0; r < all->count; r++) {
		const struct account *a = all->all[r];

		memset(n, 0, m->row_count * sizeof(*n));
		for (size_t i = 0; i < a->row_count; i++) {
			uint32_t row = m->names[m->index[side][r][i]].row;
			struct account_sum sum =
			    account_row_sum(a, &a->rows[i]);

			durations_merge(
			    &m->rows[row].times[side], &a->rows[i].times);
			m->rows[row].means[side][r] += (double)sum.dur;
			n[row] += sum.n;
		}
		for (size_t i = 0; i < m->row_count; i++)
			m->rows[i].means[side][r] =
			    n[i] > 0 ? m->rows[i].means[side][r] / (double)n[i]
				     : 0;
	}
	free(n);
}

static void
add_shapes(struct match *m, int side, struct map *shapes, struct intern *grids)
{
	for (size_t r = 0; r < m->sides[side]->count; r++) {
		const struct account *a = m->sides[side]->all[r];

		for (size_t i = 0; i < a->row_count; i++)
			for (size_t s = 0; s < a->rows[i].shape_count; s++) {
				const struct account_shape *from =
				    &a->rows[i].shapes[s];
				uint32_t name = m->index[side][r][i];
				uint64_t *at = map_get(shapes, name,
				    intern_get(grids, from->grid));
				struct match_shape *to;

				if (*at == 0) {
					*array_add(&m->shapes, &m->shape_count,
					    &m->shape_cap) =
					    (struct match_shape){
						.row = m->names[name].row};
					*at = m->shape_count;
				}
				to = &m->shapes[*at - 1];
				to->n[side] += from->n;
				to->dur[side] += from->dur;
			}
	}
}

/* Only those that both sides have stay. */
static void
make_shapes(struct match *m)
{
	struct map shapes = {0};
	struct intern grids = {0};
	size_t count = 0;

	for (int side = 0; side < SIDES; side++)
		add_shapes(m, side, &shapes, &grids);
	for (size_t i = 0; i < m->shape_count; i++)
		if (m->shapes[i].n[SIDE_A] > 0 && m->shapes[i].n[SIDE_B] > 0)
			m->shapes[count++] = m->shapes[i];
	m->shape_count = count;
	map_free(&shapes);
	intern_free(&grids);
}

void
match_make(struct match *m, const struct accounts *a, const struct accounts *b,
    struct name_rules *rules, enum match_by by)
{
	struct level_keys k = {0};
	uint32_t *set;

	*m = (struct match){.sides = {a, b}};
	collect_names(m);
	index_rows(m);
	if (m->name_count == 0)
		return;
	make_keys(m, rules, &k);
	find_levels(m, &k);
	set = mem_resize(NULL, m->name_count + 1, sizeof(*set));
	unite_all(m, &k, by, set);
	add_rows(m, &k, set, by);
	for (int side = 0; side < SIDES; side++)
		add_recordings(m, side);
	make_shapes(m);
	free(set);
	free(k.all);
	intern_free(&k.texts);
}

unsigned
match_level(const struct match_row *row)
{
	return row->level > MATCH_BASE ? row->level - 1U : row->level;
}

double
match_share(const struct match *m)
{
	double all = 0, matched = 0;

	for (size_t i = 0; i < m->name_count; i++)
		for (int side = 0; side < SIDES; side++) {
			double dur = (double)m->names[i].on[side].dur;

			all += dur;
			if (m->names[i].level != MATCH_ONE_SIDE &&
			    m->names[i].level != MATCH_PLACE)
				matched += dur;
		}
	return all > 0 ? matched / all : 1;
}

void
match_free(struct match *m)
{
	for (size_t i = 0; i < m->row_count; i++)
		for (int side = 0; side < SIDES; side++)
			durations_free(&m->rows[i].times[side]);
	free(m->names);
	free(m->rows);
	free(m->shapes);
	region_free(&m->region);
}
