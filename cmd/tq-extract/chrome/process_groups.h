/*
 * process_groups.h - the coordinates of a rank, by the process groups that
 * torch.distributed had when the profiler began:
 *
 *	distributedInfo = {"rank":N,"world_size":N,"pg_config":[GROUP,...],...}
 *	GROUP = {"pg_desc":TEXT,"pg_size":N,"ranks":[N,...],...}
 */
#ifndef PROCESS_GROUPS_H
#define PROCESS_GROUPS_H

#include "read/lenient.h"
#include "tq/ranks/mesh.h"

/*
 * Of a group that a description gives an axis, the place of the rank in it.  A
 * group says nothing that has one rank or all of the world, or not as many as
 * its size, or where two groups of the rank with that axis differ.
 */
struct mesh process_groups_mesh(struct span info, int64_t rank);

#endif
