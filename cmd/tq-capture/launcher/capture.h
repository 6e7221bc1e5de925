/*
 * capture.h - the processes under capture, from their first message to their
 * end
 */
#ifndef TQ_CAPTURE_CAPTURE_H
#define TQ_CAPTURE_CAPTURE_H

#include "agent_file.h"
#include "arena/program_loader.h"
#include "cost.h"
#include "capture_options.h"
#include "counter_lines.h"
#include "dumps.h"
#include "outputs.h"
#include "python/python_sampler.h"
#include "samples/blocked_poll.h"
#include "samples/sampler.h"
#include "session.h"
#include "unloaded_processes.h"
#include "unrecorded_processes.h"
#include "captured_process.h"

struct capture {
	struct capture_options options;
	struct clock clock;
	struct outputs outputs;
	struct capture_ids ids;
	struct counter_lines counters;
	struct stack_lines stacks;
	struct sampler sampler;
	struct python_sampler python;
	struct process_tree tree;               /* of the command */
	struct unrecorded_processes unrecorded; /* of it, with -t osrt */
	struct unloaded_processes unloaded;
	struct blocked_poll blocked; /* of where timers take the samples */
	pid_t root;                  /* the command; 0: it has not begun */
	/* also processes that ended, for the summary */
	struct captured_process **processes;
	size_t count, cap;
	size_t running;             /* of them */
	size_t refused;             /* processes that are not captured */
	bool no_cupti;              /* the agent was built without it */
	enum program_loader loader; /* of the command */
	struct dumps dumps;         /* of the flight recorder */
	struct cost cost;
	double spent;          /* ns that the capture had cost, a second ago */
	uint32_t sample_every; /* periods between samples by timers, if > 1 */
	uint32_t on; /* ARENA_* bits while the capture is not paused */
	/* ns: each process that recorded anything before it is known */
	int64_t heard;
	bool is_over;    /* end_focus has written the calls that were open */
	int64_t checked; /* ns: the last time of check_processes */
	int64_t second;  /* ns: the last time of each_second */
	char agent[AGENT_FILE_PATH]; /* file of the library */
	struct text functions;       /* of Python: see python_start.h */
	struct text wrappers; /* ":FILE" for each library that it needs */
};

/* Find the agent, start the clock, open the outputs; false after a message. */
bool capture_open(struct capture *c);

/* Set the environment of the command: its processes connect with that key.
   False after a message. */
bool capture_environment(struct capture *c, const struct session_key *key);

/* Load the agent into a process that runs already, if CUDA is to be recorded
   of it.  False after a message. */
bool capture_inject(
    struct capture *c, const struct session_key *key, pid_t pid);

/* False after a message if nothing that is asked for may be read of it. */
bool capture_may_attach(const struct capture *c, pid_t pid);

/*
 * All processes are to record nothing from now on, but what CUPTI still has of
 * them comes for CAPTURE_REST_MS of ticks.
 */
void capture_pause_all(struct capture *c);
enum { CAPTURE_REST_MS = 1000 };

/* The command waits for its exec: sample it, if the options have that. */
void capture_prepare(struct capture *c, pid_t pid);

/* The command runs: poll counters of it, if the options have that. */
void capture_watch(struct capture *c, pid_t pid);

/* A process connected that can't be captured: print why, note it in the
   streams, and count it. */
void capture_refuse(struct capture *c, int pid, const char *why);

/* A process has sent its memfd over that connection. */
void capture_add(struct capture *c, int memfd, int connection, int pid);

/*
 * Read the records that there are and write the lines that are in order.
 * Returns in how many ms to call it again.
 */
int capture_tick(struct capture *c);

/* The command gets a signal, which may end it: see where its threads are. */
void capture_look(struct capture *c);

/* Start or stop recording; false if it is so already. */
bool capture_set(struct capture *c, bool on);

/* Append a line with the state of the capture. */
void capture_status(const struct capture *c, struct text *t);

/* All processes have ended: write the rest; false after a message. */
bool capture_finish(struct capture *c);

/* True if there is no event, of all kinds that were asked for. */
bool capture_is_empty(const struct capture *c);

void capture_free(struct capture *c);

#endif
