/* process_tree.h - a process and all of its descendants */
#ifndef TQ_CAPTURE_PROCESS_TREE_H
#define TQ_CAPTURE_PROCESS_TREE_H

#include <stddef.h>
#include <sys/types.h>

/* {0} is empty */
struct process_tree {
	int *pids;
	size_t count, cap;
};

/*
 * The processes that descend from root now, and root, which may have ended.
 * Children of a process that has ended are not found.
 */
void process_tree_read(struct process_tree *t, pid_t root);

void process_tree_free(struct process_tree *t);

#endif
