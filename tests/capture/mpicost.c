/*
 * mpicost.c - what calls of MPI cost: prints "call ns" by line, the best of
 * many bursts, of one process
 */
#include <mpi.h>
#include <stdio.h>

#include "now.h"

enum { BURSTS = 300, BURST = 1000 };

static char byte;

/* is not recorded at all */
static void
ask_rank(void)
{
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
}

/* is recorded if it finds a message */
static void
probe_nothing(void)
{
	int found;

	MPI_Iprobe(0, 1, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE);
}

static void
send_nowhere(void)
{
	MPI_Send(&byte, 1, MPI_CHAR, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
}

static void
reduce_alone(void)
{
	int a = 1, b;

	MPI_Allreduce(&a, &b, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
}

static void
measure(const char *name, void (*call)(void))
{
	int64_t best = INT64_MAX;

	for (int i = 0; i < BURSTS; i++) {
		int64_t from = now(), took;

		for (int k = 0; k < BURST; k++)
			call();
		took = now() - from;
		if (took < best)
			best = took;
	}
	printf("%s %.1f\n", name, (double)best / BURST);
}

int
main(void)
{
	MPI_Init(0, 0);
	measure("mpi_rank", ask_rank);
	measure("mpi_probe", probe_nothing);
	measure("mpi_send", send_nowhere);
	measure("mpi_reduce", reduce_alone);
	MPI_Finalize();
	return 0;
}
