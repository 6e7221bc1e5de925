/* join.c - API calls that wait for the operations that they launch */

#include <stdlib.h>

#include "tq/base/mem.h"
#include "tq/join/join.h"

enum {
	BUCKETS_BITS = 6,   /* of the smallest table */
	BUCKETS_KEPT = 4096 /* the most that stay for the next section */
};

/* ---- by process and correlation id ---- */

static struct join_call **
bucket_of(const struct join *j, int64_t pid, int64_t corr)
{
	uint64_t h = (uint64_t)pid * 0xd6e8feb86659fd93u +
		     (uint64_t)corr * 0x9e3779b97f4a7c15u;

	return &j->buckets[h >> j->shift];
}

static void
put_in_bucket(struct join *j, struct join_call *c)
{
	struct join_call **first = bucket_of(j, c->pid, c->corr);

	c->next = *first;
	*first = c;
}

static void
take_from_bucket(struct join *j, struct join_call *c)
{
	struct join_call **in = bucket_of(j, c->pid, c->corr);

	while (*in != c)
		in = &(*in)->next;
	*in = c->next;
}

static void
free_buckets(struct join *j)
{
	free(j->buckets);
	j->buckets = NULL;
	j->bucket_count = 0;
}

static void
grow(struct join *j)
{
	size_t count = j->bucket_count;

	free_buckets(j);
	j->shift = count > 0 ? j->shift - 1 : 64 - BUCKETS_BITS;
	j->bucket_count = (size_t)1 << (64 - j->shift);
	j->buckets = mem_alloc(j->bucket_count * sizeof(*j->buckets));
	for (struct join_call *c = j->oldest; c != NULL; c = c->newer)
		if (!c->hidden)
			put_in_bucket(j, c);
}

struct join_call *
join_find(const struct join *j, int64_t pid, int64_t corr)
{
	struct join_call *c;

	if (j->count == 0)
		return NULL;
	for (c = *bucket_of(j, pid, corr); c != NULL; c = c->next)
		if (c->corr == corr && c->pid == pid)
			break;
	return c;
}

/* ---- the life of a call ---- */

struct join_call *
join_new(struct join *j)
{
	struct join_call *c = j->spare;

	if (c == NULL)
		return mem_alloc(j->size);
	j->spare = c->older;
	return c;
}

void
join_give_back(struct join *j, struct join_call *c)
{
	c->older = j->spare;
	j->spare = c;
}

void
join_add(struct join *j, struct join_call *c)
{
	if (j->count * 2 >= j->bucket_count) /* mostly one in a bucket */
		grow(j);
	j->count++;
	c->hidden = false;
	put_in_bucket(j, c);
	c->newer = NULL;
	c->older = j->newest;
	*(c->older != NULL ? &c->older->newer : &j->oldest) = c;
	j->newest = c;
}

void
join_hide(struct join *j, struct join_call *c)
{
	take_from_bucket(j, c);
	c->hidden = true;
}

void
join_remove(struct join *j, struct join_call *c)
{
	if (!c->hidden)
		take_from_bucket(j, c);
	j->count--;
	*(c->older != NULL ? &c->older->newer : &j->oldest) = c->newer;
	*(c->newer != NULL ? &c->newer->older : &j->newest) = c->older;
}

void
join_reset(struct join *j)
{
	if (j->bucket_count > BUCKETS_KEPT)
		free_buckets(j);
	j->counting = false;
}

void
join_free(struct join *j)
{
	struct join_call *c;

	free_buckets(j);
	while ((c = j->spare) != NULL) {
		j->spare = c->older;
		free(c);
	}
}
