/*
 * mpierrors.c - calls of fakempi.c that fail, of many threads at once, without
 * statuses, behind the end of MPI, and one that ends the process with 9; prints
 * what each returns
 */

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { BYTE = 0x4c00010d, WORLD = 0x44000000, THREADS = 8, CALLS = 500 };
enum { THREAD_MULTIPLE = 3, NULL_REQUEST = 0x2c000000 };

int MPI_Init_thread(int *, char ***, int, int *);
int MPI_Send(const void *, int, int, int, int, int);
int MPI_Recv(void *, int, int, int, int, int, int *);
int MPI_Wait(int *, int *);
int MPI_Waitall(int, int *, int *);
int MPI_Testsome(int, int *, int *, int *, int *);
int MPI_Alltoallw(const void *, const int *, const int *, const int *, void *,
    const int *, const int *, const int *, int);
int MPI_Finalize(void);
int MPI_Abort(int, int);

/* of requests that no call returned; clang-tidy knows MPI_Wait */
static int (*const volatile wait_for)(int *, int *) = MPI_Wait;

static int *const ignored = (int *)1;

/* every fifth call fails, and each thread has its tag */
static void *
send_all(void *tag)
{
	long failed = 0;
	char c = 0;

	for (int i = 0; i < CALLS; i++)
		failed += MPI_Send(&c, 1, BYTE, i % 5 == 4 ? 77 : 1,
			      *(int *)tag, WORLD) != 0;
	return (void *)failed;
}

static long
send_from_threads(void)
{
	pthread_t threads[THREADS];
	int tags[THREADS];
	long sum = 0;
	void *failed;

	for (int i = 0; i < THREADS; i++) {
		tags[i] = i;
		pthread_create(&threads[i], NULL, send_all, &tags[i]);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &failed);
		sum += (long)failed;
	}
	return sum;
}

int
main(void)
{
	int provided = -1, request = NULL_REQUEST, wild = 5, found = 77, at[4];
	int status[5] = {1, 2, 3, 4, 5};
	char bytes[16] = {0};

	printf("%d", MPI_Init_thread(NULL, NULL, THREAD_MULTIPLE, &provided));
	printf(" %d\n", provided);
	printf("%ld\n", send_from_threads());
	printf("%d", MPI_Send(bytes, 3, 12345, 1, 0, WORLD));
	printf(" %d", MPI_Send(NULL, -3, BYTE, 1, 0, WORLD));
	printf(" %d\n", MPI_Send(NULL, 3, 12345, -1, 0, WORLD));
	printf("%d", MPI_Recv(bytes, 8, BYTE, 2, 6, WORLD, ignored));
	printf(" %d", MPI_Recv(bytes, 8, BYTE, 2, 6, WORLD, status));
	printf(" %d %d %d", status[0], status[2], status[3]);
	printf(" %d", MPI_Recv(bytes, 8, BYTE, 99, 6, WORLD, ignored));
	printf(" %d", MPI_Recv(bytes, 8, BYTE, 99, 6, WORLD, NULL));
	printf(" %d\n", MPI_Recv(bytes, 8, 12345, -2, -1, WORLD, ignored));
	printf("%d", wait_for(&request, ignored));
	printf(" %d", wait_for(&wild, ignored));
	printf(" %d", MPI_Waitall(0, NULL, ignored));
	printf(" %d\n", MPI_Waitall(-1, NULL, NULL));
	printf("%d", MPI_Testsome(0, NULL, &found, at, ignored));
	printf(" %d", MPI_Testsome(2, &request, &found, at, ignored));
	printf(" %d %d\n", MPI_Testsome(-1, NULL, NULL, NULL, NULL), found);
	printf("%d\n", MPI_Alltoallw(NULL, NULL, NULL, NULL, NULL, NULL, NULL,
			   NULL, WORLD));
	printf("%d", MPI_Finalize());
	printf(" %d", MPI_Finalize());
	printf(" %d\n", MPI_Send(bytes, 1, BYTE, 1, 0, WORLD));
	fflush(stdout);
	MPI_Abort(WORLD, 9);
}
