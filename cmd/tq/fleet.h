/*
 * fleet.h - tq fleet: the recordings of a job, summed up rank by rank.
 *
 * The steps are a script, fleet.sh: they are what jobs of Slurm run, too.
 */
#ifndef TQ_FLEET_H
#define TQ_FLEET_H

int fleet_main(int argc, char *argv[]);

/*
 * Print for each recording of the folder with results a line: its name, a tab,
 * "todo", "made" (all of its first task is there and no older than its input)
 * or "placed" (of its second one, too), a tab, and its rank if it is made: -1
 * where that is unknown.  Returns an exit status.
 */
int fleet_states(const char *out);

/* The lines of fleet.sh, and NULL; the Makefile makes them. */
extern const char *const fleet_script[];

#endif
