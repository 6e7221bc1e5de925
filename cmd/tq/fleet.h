/*
 * fleet.h - tq fleet: the recordings of a job, summed up rank by rank.
 *
 * The steps are a script, fleet.sh: they are what jobs of Slurm run, too.
 */
#ifndef TQ_FLEET_H
#define TQ_FLEET_H

int fleet_main(int argc, char *argv[]);

/* The lines of fleet.sh, and NULL; the Makefile makes them. */
extern const char *const fleet_script[];

#endif
