/*
 * chrome_ids.h - processes, threads and streams of a trace.
 *
 * A host event names its process and thread by the numbers of the operating
 * system.  A device event names its device as the process, and its stream as
 * the thread.
 */
#ifndef CHROME_IDS_H
#define CHROME_IDS_H

#include "tq/base/intern.h"
#include "tq/base/keyed.h"
#include "tq/base/time.h"
#include "tq/io/output.h"
#include "tq/ranks/mesh.h"

#define CHROME_NAMED_ID \
	((int64_t)1 << 30) /* the first of ids that are names \
			    */

/* a process of a trace that is no process, but a part of one */
enum chrome_part {
	PART_NONE,
	PART_NPU,     /* a device */
	PART_CANN,    /* the runtime of one, on the threads of the host */
	PART_COMPUTED /* what the profiler computed of the others */
};

struct chrome_process {
	int64_t pid;
	int64_t events; /* on the host; python functions weigh little */
	bool device;    /* a GPU, by a label or its name */
	int64_t plane;  /* XProf's "/device:GPU:n", an NPU: n; else NO_ID */
	enum chrome_part part; /* of a trace of Ascend's */
	bool used;             /* records have it */
	struct span name;      /* JSON; empty: none */
};

struct chrome_thread {
	int64_t pid, tid;
	struct span name; /* JSON */
};

struct chrome_ids {
	struct intern names; /* of ids that are no numbers, as they are spelt */
	KEYED(struct chrome_process) processes;
	KEYED(struct chrome_thread) threads, streams;
	struct region texts;
	int64_t host; /* the process of device records; NO_ID: none */
	bool merged;  /* several processes launch */
	bool xprof;   /* a process is a plane of XProf, with a GPU */
	bool ascend;  /* a process is a part of Ascend's profiler */
	int64_t npus; /* that have been named */
};

/* The number of a pid or tid; NO_ID where it is absent. */
int64_t chrome_ids_number(struct chrome_ids *ids, struct span value);

/* The process of a number, a new one if there is none; good until the next. */
struct chrome_process *chrome_ids_process(struct chrome_ids *ids, int64_t pid);

/* A thread, which gets a record if it has a name, or its tid is one. */
void chrome_ids_thread(struct chrome_ids *ids, int64_t pid, int64_t tid);

/* An event of the host; python: it is a function of Python. */
void chrome_ids_host(struct chrome_ids *ids, int64_t pid, bool python);

/* The metadata event NAME of a process or thread; text as in its args. */
void chrome_ids_metadata(struct chrome_ids *ids, struct span event, int64_t pid,
    int64_t tid, struct span text);

/* All is known: choose the host. */
void chrome_ids_settle(struct chrome_ids *ids);

/* True if records of this pid are of a host. */
bool chrome_ids_is_host(const struct chrome_ids *ids, int64_t pid);

/* The number of the device that a process stands for, or NO_ID. */
int64_t chrome_ids_plane(const struct chrome_ids *ids, int64_t pid);

/* The part of its host that a process of Ascend's profiler stands for. */
enum chrome_part chrome_ids_part(const struct chrome_ids *ids, int64_t pid);

/* True if a thread has named this stream. */
bool chrome_ids_is_stream(
    const struct chrome_ids *ids, int64_t device, int64_t stream);

/* Write process, thread and stream records, the host's with its rank, which may
   be NO_ID, and coordinates. */
void chrome_ids_write(const struct chrome_ids *ids, struct output *o,
    int64_t rank, const struct mesh *mesh);

void chrome_ids_free(struct chrome_ids *ids);

#endif
