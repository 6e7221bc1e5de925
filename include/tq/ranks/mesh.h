/*
 * mesh.h - the coordinates of a rank: its number in the group of each kind of
 * parallelism.
 *
 * A record has them as an array, "mesh":["dp 7","tp 3"], in the order of
 * MESH_WORDS and without those that are unknown.
 */
#ifndef TQ_RANKS_MESH_H
#define TQ_RANKS_MESH_H

#include "tq/io/output.h"
#include "tq/line/event.h"

/* data, pipeline, context, tensor, decode context and expert parallelism */
#define MESH_WORDS "dp|pp|cp|tp|dcp|ep"

enum mesh_axis {
	MESH_DP,
	MESH_PP,
	MESH_CP,
	MESH_TP,
	MESH_DCP,
	MESH_EP,
	MESH_AXES
};

/* ranks and coordinates have no more digits */
enum { MESH_DIGITS = 6, MESH_MOST = 999999 };

/* {0} has none */
struct mesh {
	unsigned has; /* a bit for each axis */
	int32_t at[MESH_AXES];
};

/* The axis of a word of MESH_WORDS; MESH_AXES: it is none of them. */
enum mesh_axis mesh_axis_of(struct span word);

/* A coordinate from 0 to MESH_MOST; others are left out. */
void mesh_set(struct mesh *m, enum mesh_axis axis, int64_t at);

/*
 * The number that begins at s.p[*i], which is behind it then.  False where
 * there is none, or it has more than MESH_DIGITS digits.
 */
bool mesh_number(struct span s, size_t *i, int64_t *v);

static inline bool
mesh_has(const struct mesh *m, enum mesh_axis axis)
{
	return (m->has >> axis & 1) != 0;
}

/* Add what another source says: coordinates on which the two disagree are
   unknown. */
void mesh_join(struct mesh *m, const struct mesh *other);

/* The key mesh of a record; what is no coordinate is left out. */
struct mesh mesh_of(const struct event *ev);

/* The same of an array of JSON, which is valid. */
struct mesh mesh_read(struct span array);

/* A coordinate that it has: dp 7. */
void mesh_add(struct text *t, const struct mesh *m, enum mesh_axis axis);

/* The array. */
void mesh_write(struct text *t, const struct mesh *m);

/* Add the key to a record, if there are coordinates. */
void mesh_emit(struct output *o, const struct mesh *m);

#endif
