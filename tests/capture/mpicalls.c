/*
 * mpicalls.c - calls of MPI whose number and bytes are known, one after the
 * other; each process prints what it received
 *
 *	mpicalls ACTION ...
 *
 * known     by 3 processes or more: what tests/capture_mpi.bats knows of
 * more FILE the same by 2 processes
 * loop N    rank 0 sends N messages of 8 bytes to rank 1
 * threads   4 threads send 1000 messages each to themselves
 * die       rank 1 kills itself, while the others wait for it
 */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 64 }; /* processes */

static int rank, size;
static int data[1 << 16], room[1 << 16];

static void
show(const char *what, const int *from, int n)
{
	long sum = 0;

	for (int i = 0; i < n; i++)
		sum += from[i];
	printf("%d %s %ld\n", rank, what, sum);
}

/* around the ring; a receive has more room than comes */
static void
messages(void)
{
	int next = (rank + 1) % size, before = (rank + size - 1) % size, n;
	MPI_Request requests[2], one;
	MPI_Status status;

	if (rank == 0)
		MPI_Send(data, 100, MPI_INT, 1, 5, MPI_COMM_WORLD);
	if (rank == 1) {
		MPI_Recv(room, 1000, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
		    MPI_COMM_WORLD, &status);
		MPI_Get_count(&status, MPI_INT, &n);
		printf("%d from %d tag %d count %d\n", rank, status.MPI_SOURCE,
		    status.MPI_TAG, n);
		MPI_Ssend(data, 3, MPI_DOUBLE, 2, 6, MPI_COMM_WORLD);
	}
	if (rank == 2)
		MPI_Recv(room, 50, MPI_DOUBLE, 1, 6, MPI_COMM_WORLD,
		    MPI_STATUS_IGNORE);
	MPI_Irecv(room, 200, MPI_INT, before, 7, MPI_COMM_WORLD, &requests[0]);
	MPI_Isend(data, 200, MPI_INT, next, 7, MPI_COMM_WORLD, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	show("ring", room, 200);
	MPI_Irecv(room, 10, MPI_CHAR, before, 8, MPI_COMM_WORLD, &one);
	MPI_Send(data, 10, MPI_CHAR, next, 8, MPI_COMM_WORLD);
	MPI_Wait(&one, MPI_STATUS_IGNORE);
	MPI_Sendrecv(data, 4, MPI_INT, next, 9, room, 100, MPI_INT, before, 9,
	    MPI_COMM_WORLD, &status);
	MPI_Send(data, 77, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
	MPI_Recv(room, 77, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status);
}

static void
collectives(void)
{
	int counts[MOST], places[MOST];

	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		data[0] = 99;
	MPI_Bcast(data, 250, MPI_INT, 0, MPI_COMM_WORLD);
	show("bcast", data, 250);
	MPI_Allreduce(data, room, 16, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	show("allreduce", room, 16);
	MPI_Allreduce(MPI_IN_PLACE, data, 16, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Reduce(data, room, 12, MPI_INT, MPI_SUM, 2, MPI_COMM_WORLD);
	/* what is not of the root may be anything */
	MPI_Gather(data, 7, MPI_INT, room, rank == 1 ? 7 : -1,
	    rank == 1 ? MPI_INT : MPI_DATATYPE_NULL, 1, MPI_COMM_WORLD);
	for (int i = 0; i < size; i++) {
		counts[i] = i + 1;
		places[i] = 10 * i;
	}
	MPI_Gatherv(data, rank + 1, MPI_INT, room, rank == 0 ? counts : NULL,
	    rank == 0 ? places : NULL, rank == 0 ? MPI_INT : MPI_DATATYPE_NULL,
	    0, MPI_COMM_WORLD);
	MPI_Allgather(data, 5, MPI_INT, room, 5, MPI_INT, MPI_COMM_WORLD);
	show("allgather", room, 5 * size);
	MPI_Alltoall(data, 2, MPI_INT, room, 2, MPI_INT, MPI_COMM_WORLD);
	MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, room, 2, MPI_INT,
	    MPI_COMM_WORLD);
	/* to i go i + 1, from each come rank + 1 */
	{
		int come[MPI_MAX_PROCESSOR_NAME];

		for (int i = 0; i < size; i++)
			come[i] = rank + 1;
		MPI_Alltoallv(data, counts, places, MPI_INT, room, come, places,
		    MPI_INT, MPI_COMM_WORLD);
	}
	MPI_Reduce_scatter(
	    data, room, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	show("reduce_scatter", room, rank + 1);
}

/* polls, a communicator of its own, and one between two groups */
static void
others(void)
{
	MPI_Comm half, between;
	MPI_Request request;
	int flag = 0, n = 0, group = rank > 0;

	if (rank == 0)
		MPI_Irecv(room, 1, MPI_INT, 1, 11, MPI_COMM_WORLD, &request);
	while (rank == 0 && !flag) {
		MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
		if (n++ == 10)
			MPI_Send(data, 1, MPI_INT, 1, 10, MPI_COMM_WORLD);
	}
	if (rank == 1) {
		MPI_Recv(
		    data, 1, MPI_INT, 0, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(data, 1, MPI_INT, 0, 11, MPI_COMM_WORLD);
	}
	MPI_Comm_split(MPI_COMM_WORLD, group, rank, &half);
	MPI_Intercomm_create(
	    half, 0, MPI_COMM_WORLD, group ? 0 : 1, 3, &between);
	MPI_Gatherv(data, 1, group ? MPI_INT : MPI_DATATYPE_NULL, room,
	    group ? NULL : (int[MOST]){[0 ... MOST - 1] = 1},
	    group ? NULL : (int[MOST]){0}, group ? MPI_DATATYPE_NULL : MPI_INT,
	    group ? 0 : MPI_ROOT, between);
	MPI_Comm_free(&between);
	MPI_Comm_free(&half);
}

static void
errors(void)
{
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	printf("%d error %d\n", rank,
	    MPI_Send(data, 1, MPI_INT, size + 5, 0, MPI_COMM_WORLD) !=
		MPI_SUCCESS);
}

/* messages that are started again, found first, or sent back */
static void
more_messages(void)
{
	int other = 1 - rank, found;
	MPI_Request request;
	MPI_Message message;
	MPI_Status status;

	if (rank == 0) {
		MPI_Send_init(data, 6, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
		for (int i = 0; i < 2; i++) {
			MPI_Start(&request);
			MPI_Wait(&request, &status);
		}
		MPI_Request_free(&request);
		MPI_Send(data, 3, MPI_INT, 1, 2, MPI_COMM_WORLD);
	} else {
		for (int i = 0; i < 2; i++)
			MPI_Recv(room, 6, MPI_INT, 0, 1, MPI_COMM_WORLD,
			    MPI_STATUS_IGNORE);
		MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
		    &message, MPI_STATUS_IGNORE);
		MPI_Mrecv(room, 100, MPI_INT, &message, &status);
	}
	MPI_Sendrecv_replace(data, 2, MPI_INT, other, 3, other, 3,
	    MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Iprobe(other, 77, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
}

static void
more_collectives(void)
{
	int one_two[] = {1, 2}, places[] = {0, 8}, zeros[] = {0, 0};
	int bytes[] = {0, 32};
	MPI_Datatype types[] = {MPI_INT, MPI_CHAR};
	MPI_Datatype same[] = {
	    rank ? MPI_CHAR : MPI_INT, rank ? MPI_CHAR : MPI_INT};
	int mine[] = {rank + 1, rank + 1};
	MPI_Request requests[3];

	MPI_Scatter(data, 4, MPI_INT, rank ? room : MPI_IN_PLACE, 4, MPI_INT, 0,
	    MPI_COMM_WORLD);
	MPI_Scatterv(data, rank ? NULL : one_two, rank ? NULL : places, MPI_INT,
	    room, rank + 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Allgatherv(data, rank + 1, MPI_INT, room, one_two, places, MPI_INT,
	    MPI_COMM_WORLD);
	/* an int to rank 0 and two bytes to rank 1 */
	MPI_Alltoallw(data, one_two, bytes, types, room, mine, bytes, same,
	    MPI_COMM_WORLD);
	MPI_Alltoallv(data, zeros, zeros, MPI_INT, room, zeros, zeros, MPI_INT,
	    MPI_COMM_WORLD);
	MPI_Scan(data, room, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Exscan(data, room, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Reduce_scatter_block(
	    data, room, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Iallreduce(
	    data, room, 5, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &requests[0]);
	MPI_Ibcast(data, 6, MPI_INT, 1, MPI_COMM_WORLD, &requests[1]);
	MPI_Ibarrier(MPI_COMM_WORLD, &requests[2]);
	MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
}

static void
more_others(const char *name)
{
	int at = 0, other = 1 - rank;
	char pack[64];
	MPI_Win win;
	MPI_File f;
	MPI_Status status;

	MPI_Win_create(room, 4096, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_fence(0, win);
	MPI_Put(data, 9, MPI_INT, other, 0, 9, MPI_INT, win);
	MPI_Win_fence(0, win);
	MPI_Win_lock(MPI_LOCK_SHARED, other, 0, win);
	MPI_Get(data, 7, MPI_INT, other, 100, 7, MPI_INT, win);
	MPI_Win_unlock(other, win);
	MPI_Win_free(&win);
	MPI_Pack(data, 5, MPI_INT, pack, 64, &at, MPI_COMM_WORLD);
	MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR,
	    MPI_INFO_NULL, &f);
	MPI_File_write_at(f, 100 * rank, data, 25, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_sync(f);
	MPI_Barrier(MPI_COMM_WORLD);
	/* there are 200 bytes */
	MPI_File_read_at(f, 0, room, 1000, MPI_INT, &status);
	MPI_File_close(&f);
	printf("%d packed %d\n", rank, at);
}

static void
loop(int n)
{
	for (int i = 0; i < n && rank == 0; i++)
		MPI_Send(data, 2, MPI_INT, 1, 1, MPI_COMM_WORLD);
	for (int i = 0; i < n && rank == 1; i++)
		MPI_Recv(
		    room, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void *
send_and_receive(void *tag)
{
	int n = 7, came = 0, right = 0;

	for (int i = 0; i < 1000; i++) {
		MPI_Sendrecv(&n, 1, MPI_INT, rank, *(int *)tag, &came, 1,
		    MPI_INT, rank, *(int *)tag, MPI_COMM_WORLD,
		    MPI_STATUS_IGNORE);
		right += came == n++;
	}
	printf("%d right %d\n", rank, right);
	return NULL;
}

static void
threads(void)
{
	int tags[4] = {1, 2, 3, 4};
	pthread_t thread[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, send_and_receive, &tags[i]);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
}

static void
die(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 1) {
		usleep(200000);
		kill(getpid(), SIGKILL);
	}
	MPI_Recv(room, 9, MPI_INT, 1, 42, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int
main(int argc, char *argv[])
{
	int level;

	if (argc > 1 && strcmp(argv[1], "threads") == 0)
		MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	else
		MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < 1000; i++)
		data[i] = rank * 1000 + i;
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "known") == 0) {
			messages();
			collectives();
			others();
			errors();
		} else if (strcmp(argv[i], "more") == 0) {
			more_messages();
			more_collectives();
			more_others(argv[++i]);
		} else if (strcmp(argv[i], "loop") == 0)
			loop(atoi(argv[++i]));
		else if (strcmp(argv[i], "threads") == 0)
			threads();
		else if (strcmp(argv[i], "die") == 0)
			die();
	MPI_Finalize();
	return 0;
}
