/*
 * fakempi.c - stands in for an MPI with the ABI of MPICH, in one process: for
 * calls that fail, or come where they may not
 */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	ERR_TYPE = 3,
	ERR_RANK = 6,
	ERR_OTHER = 15,
	ERR_REQUEST = 19,
	BYTE = 0x4c00010d,
	NULL_REQUEST = 0x2c000000,
	UNDEFINED = -32766,
	RANKS = 5
};

static int finalized;

#define QUERY(name, parameters, ...) \
	int PMPI_##name parameters \
	{ \
		__VA_ARGS__ \
	}

QUERY(Comm_rank, (int comm, int *rank), (void)comm; *rank = 0; return 0;)
QUERY(Comm_size, (int comm, int *n), (void)comm; *n = RANKS; return 0;)
QUERY(Comm_test_inter, (int comm, int *yes), (void)comm; *yes = 0; return 0;)
QUERY(Type_size, (int type, int *n), *n = 1;
      return type == BYTE ? 0 : ERR_TYPE;)
QUERY(Get_count, (const int *status, int type, int *n), *n = status[0];
      return type == BYTE ? 0 : ERR_TYPE;)

int
MPI_Init_thread(int *argc, char ***argv, int wanted, int *provided)
{
	(void)argc, (void)argv;
	*provided = wanted;
	return 0;
}

int
MPI_Send(const void *p, int n, int type, int to, int tag, int comm)
{
	(void)p, (void)n, (void)tag, (void)comm;
	if (finalized)
		return ERR_OTHER;
	return to >= RANKS ? ERR_RANK : type != BYTE ? ERR_TYPE : 0;
}

/* a status of a call that fails is not written */
int
MPI_Recv(void *p, int n, int type, int from, int tag, int comm, int *status)
{
	(void)p, (void)type, (void)comm;
	if (from >= RANKS)
		return ERR_RANK;
	if (status != (int *)1) { /* MPI_STATUS_IGNORE */
		memset(status, 0, 5 * sizeof(*status));
		status[0] = n / 2;
		status[2] = from;
		status[3] = tag;
	}
	return 0;
}

int
MPI_Wait(int *request, int *status)
{
	(void)status;
	return *request == NULL_REQUEST ? 0 : ERR_REQUEST;
}

int
MPI_Waitall(int n, int requests[], int *statuses)
{
	(void)requests, (void)statuses;
	return n < 0 ? ERR_OTHER : 0;
}

int
MPI_Testsome(int n, int requests[], int *found, int indices[], int *statuses)
{
	(void)requests, (void)indices, (void)statuses;
	if (n < 0)
		return ERR_OTHER; /* and found is not written */
	*found = n == 0 ? UNDEFINED : n;
	return 0;
}

int
MPI_Alltoallw(const void *p, const int counts[], const int at[],
    const int types[], void *to, const int to_counts[], const int to_at[],
    const int to_types[], int comm)
{
	(void)p, (void)counts, (void)at, (void)types, (void)to, (void)comm;
	(void)to_counts, (void)to_at, (void)to_types;
	return ERR_OTHER;
}

int
MPI_Finalize(void)
{
	return finalized++ != 0 ? ERR_OTHER : 0;
}

int
MPI_Abort(int comm, int code)
{
	(void)comm;
	_exit(code);
}
