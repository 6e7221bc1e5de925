/*
 * outputs.h - the streams of a capture: one, or with --split one for each name
 * that the template of -o expands to
 */
#ifndef TQ_CAPTURE_OUTPUTS_H
#define TQ_CAPTURE_OUTPUTS_H

#include "capture_options.h"
#include "captured_process.h"
#include "lines/out_stream.h"

struct outputs {
	const struct capture_options *options;
	const struct clock *clock;
	struct focus *focus;
	struct out_stream **all;
	size_t count;
	int not_opened;   /* errno of the first that could not be; 0: none */
	struct map named; /* (output, thread) that outputs_name_thread named */
};

/*
 * The file name that the template expands to for a process; NULL: stdout.
 * free(3) it.
 *
 *	%p         its process id
 *	%h         the name of the host
 *	%q{NAME}   its environment variable NAME; empty if not set
 *	%{rank}    its rank; empty if it has none
 *	%%         a percent sign
 *
 * In a value '/', control bytes, and a dot at the beginning of a file name or
 * behind another dot become '_': so no value leads out of the folder that the
 * template names.  Before anything else a percent sign stands for itself.
 * t is NULL for the capture as a whole: then the values are the launcher's.
 */
char *outputs_name(const char *pattern, const struct captured_process *p);

/* The names of the variables in a template, with commas between. */
void outputs_variables(struct text *names, const char *pattern);

/*
 * Wait until an output that is a FIFO has a reader, as open(2) does; before
 * signals are blocked, which may end that.  Returns a descriptor that keeps it
 * open, or -1.
 */
int outputs_wait_for_reader(const struct capture_options *o);

/*
 * Open the only stream; with --split look whether one can be opened.  False
 * after a message.
 */
bool outputs_open(struct outputs *o);

/* The stream for this process, NULL after a message. */
struct out_stream *outputs_for(
    struct outputs *o, const struct captured_process *p);

/* The stream of one of these processes; NULL: it has none. */
struct out_stream *outputs_of_process(const struct outputs *o, int pid,
    struct captured_process *const *targets, size_t count);

/* Define a thread in s with its name as it is now, once; it may have ended. */
void outputs_name_thread(
    struct outputs *o, struct out_stream *s, int pid, int tid);

/* Bytes that wait for a slow reader, of the stream where most wait. */
size_t outputs_behind(const struct outputs *o);

/* errno of an output that failed, 0: none has. */
int outputs_error(const struct outputs *o);

/* True if no stream needs its events in order. */
bool outputs_are_live(const struct outputs *o);

/* As in out_stream.h, for all streams. */
void outputs_release(struct outputs *o, int64_t until);
void outputs_flush(struct outputs *o);
bool outputs_close(struct outputs *o);

/*
 * With a recorder: forget events that were over before that time (ns), and
 * write a section of the events that were not over at from; returns its lines.
 */
void outputs_forget(struct outputs *o, int64_t before);
int64_t outputs_dump(struct outputs *o, int64_t from);

/* Close all without an end record, and remove the files. */
void outputs_abandon(struct outputs *o);

void outputs_free(struct outputs *o);

#endif
