/*
 * capture.h - the processes under capture, from their first word to their end
 */
#ifndef TQ_CAPTURE_CAPTURE_H
#define TQ_CAPTURE_CAPTURE_H

#include "cost.h"
#include "capture_options.h"
#include "outputs.h"
#include "target.h"

struct capture {
	struct capture_options options;
	struct clock clock;
	struct outputs outputs;
	struct capture_ids ids;
	struct target **processes; /* those that ended too: for the report */
	size_t count, cap;
	size_t running; /* of them */
	size_t refused; /* that sent no arena */
	struct cost cost;
	double spent;     /* ns, at the last second */
	uint32_t on;      /* what is recorded when it is not paused */
	int64_t second;   /* ns: when the work of each second was done */
	char agent[4096]; /* the file of the library */
};

/* Find the agent, start the clock, open the outputs; false after a message. */
bool capture_open(struct capture *c);

/* Set the environment for the command, whose processes come to the socket;
   false after a message. */
bool capture_environment(const struct capture *c, const char *socket);

/* A process called that can't be captured: tell why. */
void capture_refuse(struct capture *c, int pid, const char *why);

/* A process has sent its memfd over that connection. */
void capture_add(struct capture *c, int memfd, int connection, int pid);

/*
 * Read what there is, write what is ready; returns in how many ms that is
 * best done again.
 */
int capture_tick(struct capture *c);

/* A person or a program says start, or stop; false: it is so already. */
bool capture_set(struct capture *c, bool on);

/* One line on how it stands. */
void capture_status(const struct capture *c, struct text *t);

/* Nothing will come any more: write the rest; false after a message. */
bool capture_finish(struct capture *c);

void capture_free(struct capture *c);

#endif
