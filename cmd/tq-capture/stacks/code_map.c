/* code_map.c - which file is at an address of a process */

#include <stdlib.h>
#include <string.h>

#include "tq/base/lower_bound.h"

#include "code_map.h"
#include "proc_maps.h"

/* the first area that ends behind the address */
static size_t
lower(const struct code_map *m, uint64_t address)
{
	size_t i;

	LOWER_BOUND(i, 0, m->count, m->all[i].end <= address);
	return i;
}

static void
insert(struct code_map *m, size_t at, struct code_area area)
{
	array_add(&m->all, &m->count, &m->cap);
	memmove(m->all + at + 1, m->all + at,
	    (m->count - 1 - at) * sizeof(*m->all));
	m->all[at] = area;
}

/* take away the areas in start to end */
static void
cut(struct code_map *m, uint64_t start, uint64_t end)
{
	size_t i = lower(m, start), n;

	if (i < m->count && m->all[i].start < start) {
		struct code_area rest = m->all[i];

		m->all[i].end = start;
		i++;
		if (rest.end > end) {
			rest.offset += end - rest.start;
			rest.start = end;
			insert(m, i, rest);
			return;
		}
	}
	for (n = i; n < m->count && m->all[n].end <= end; n++)
		;
	if (n == m->count) {
		m->count = i;
		return;
	}
	memmove(m->all + i, m->all + n, (m->count - n) * sizeof(*m->all));
	m->count -= n - i;
	if (i < m->count && m->all[i].start < end) {
		m->all[i].offset += end - m->all[i].start;
		m->all[i].start = end;
	}
}

void
code_map_add(struct code_map *m, struct code_area area)
{
	if (area.end <= area.start)
		return;
	cut(m, area.start, area.end);
	insert(m, lower(m, area.start), area);
}

void
code_map_add_module(
    struct code_map *m, struct modules *all, const struct module_key *key)
{
	if (key->end > key->start)
		code_map_add(m, (struct code_area){.start = key->start,
				    .end = key->end,
				    .offset = key->offset,
				    .module = module_of(all, key)});
}

/* where the areas of a process go */
struct mapped_code {
	struct code_map *map;
	struct modules *all;
	int pid;
};

static bool
add_area(void *arg, const struct mapped_area *a)
{
	const struct mapped_code *c = arg;

	if (a->runs)
		code_map_add_module(c->map, c->all,
		    &(struct module_key){.path = span_of(a->path),
			.device = a->device,
			.inode = a->inode,
			.start = a->start,
			.end = a->end,
			.offset = a->offset,
			.pid = c->pid});
	return true;
}

void
code_map_add_process(struct code_map *m, struct modules *all, int pid)
{
	proc_maps_read(pid, add_area, &(struct mapped_code){m, all, pid});
}

const struct code_area *
code_map_find(const struct code_map *m, uint64_t address)
{
	size_t i = lower(m, address);

	return i < m->count && m->all[i].start <= address ? &m->all[i] : NULL;
}

void
code_map_copy(struct code_map *to, const struct code_map *from)
{
	code_map_free(to);
	if (from->count == 0)
		return;
	to->all = mem_resize(NULL, from->count, sizeof(*to->all));
	memcpy(to->all, from->all, from->count * sizeof(*to->all));
	to->count = to->cap = from->count;
}

void
code_map_free(struct code_map *m)
{
	free(m->all);
	*m = (struct code_map){0};
}
