/*
 * thread_comm.h - the name that the kernel has for a thread, as it is now
 */
#ifndef TQ_CAPTURE_THREAD_COMM_H
#define TQ_CAPTURE_THREAD_COMM_H

#include <stdbool.h>
#include <sys/types.h>

enum { THREAD_COMM = 64 }; /* bytes, with the NUL */

/* False, and "": the thread has ended, or may not be looked at. */
bool thread_comm_read(char name[THREAD_COMM], pid_t pid, pid_t tid);

#endif
