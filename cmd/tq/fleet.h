/*
 * fleet.h - tq fleet: the recordings of a job, summed up rank by rank.
 *
 * The steps are a script, fleet.sh: they are what jobs of Slurm run, too.
 */
#ifndef TQ_FLEET_H
#define TQ_FLEET_H

#include <stdbool.h>

int fleet_main(int argc, char *argv[]);

/*
 * Print for each recording of the folder with results a line: its name, a tab,
 * "todo", "made" (all of its first task is there and no older than its input)
 * or "placed" (of its second one, too), a tab, and its rank if it is made: -1
 * where that is unknown.  The names, each with a tab and its path, are in the
 * file "recordings" there, or come from stdin.  Returns an exit status.
 */
int fleet_states(const char *out, bool from_stdin);

/* Print the rank that the name of a recording says, or its last number; nothing
   where there is none.  Returns an exit status. */
int fleet_names_rank(const char *name);

/*
 * Copy lines from stdin, which begin with the name of a recording and a tab,
 * without those whose process hands work to ranks: a message names these.
 * Returns an exit status.
 */
int fleet_names_of_ranks(void);

/* The lines of fleet.sh, and NULL; the Makefile makes them. */
extern const char *const fleet_script[];

#endif
