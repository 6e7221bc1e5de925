/* process_groups.c - the coordinates of a rank, by its process groups */

#include "process_groups.h"

/* Descriptions of groups: of Megatron-LM, of torch's device meshes and of who
   names a group by the axis. */
static const struct {
	const char *text;
	enum mesh_axis axis;
} descriptions[] = {
    {"DATA_PARALLEL_GROUP", MESH_DP},
    {"PIPELINE_MODEL_PARALLEL_GROUP", MESH_PP},
    {"CONTEXT_PARALLEL_GROUP", MESH_CP},
    {"TENSOR_MODEL_PARALLEL_GROUP", MESH_TP},
    {"EXPERT_MODEL_PARALLEL_GROUP", MESH_EP},
};

static enum mesh_axis
axis_of(struct span description)
{
	static const struct span mesh = {"mesh_", 5};

	for (size_t i = 0; i < sizeof(descriptions) / sizeof(*descriptions);
	     i++)
		if (span_eq(description, span_of(descriptions[i].text)))
			return descriptions[i].axis;
	if (span_begins(description, mesh)) {
		description.p += mesh.len;
		description.len -= mesh.len;
	}
	return mesh_axis_of(description);
}

/* what groups say of an axis */
struct group_place {
	struct span ranks; /* of the first group; p is NULL without one */
	int64_t at;        /* the place of the rank among them */
	bool ambiguous;
};

/* an integer member, or NO_ID */
static int64_t
member(struct span object, const char *key)
{
	int64_t v;

	return lenient_find_int(object, key, &v) ? v : NO_ID;
}

/* The place of the rank in a group, NO_ID where it has none; and the size. */
static int64_t
place_in(struct span ranks, int64_t rank, int64_t *size)
{
	struct span value;
	const char *at = NULL;
	int64_t place = NO_ID, v;

	*size = 0;
	while (lenient_element(ranks, &at, &value)) {
		if (lenient_int(value, &v) && v == rank)
			place = *size;
		++*size;
	}
	return place;
}

static void
take_group(
    struct group_place *known, struct span group, int64_t rank, int64_t world)
{
	struct span description = lenient_find(group, "pg_desc");
	struct span ranks = lenient_find(group, "ranks");
	int64_t at, size;
	enum mesh_axis axis;

	if (description.p == NULL || ranks.p == NULL)
		return;
	axis = axis_of(lenient_inner(description));
	at = place_in(ranks, rank, &size);
	if (axis == MESH_AXES || at == NO_ID)
		return;
	known += axis;
	if (size < 2 || size == world || size != member(group, "pg_size") ||
	    (known->ranks.p != NULL && !span_eq(known->ranks, ranks)))
		known->ambiguous = true;
	known->ranks = ranks;
	known->at = at;
}

struct mesh
process_groups_mesh(struct span info, int64_t rank)
{
	struct span groups = lenient_find(info, "pg_config"), group;
	int64_t world = member(info, "world_size");
	struct group_place known[MESH_AXES] = {0};
	const char *at = NULL;
	struct mesh m = {0};

	while (groups.p != NULL && lenient_element(groups, &at, &group))
		take_group(known, group, rank, world);
	for (int i = 0; i < MESH_AXES; i++)
		if (known[i].ranks.p != NULL && !known[i].ambiguous)
			mesh_set(&m, i, known[i].at);
	return m;
}
