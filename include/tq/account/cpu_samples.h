/*
 * cpu_samples.h - the samples of a section, added up by thread and stack, and
 * which of them count.
 *
 * A recording may hold a thread twice: native samples and samples of Python,
 * or two events of perf.  Their time is the same, so that only one kind of
 * samples counts for each thread and state: native before Python, and of
 * several native ones the event that the section has first.  Where the kernel
 * took the native ones, which leaves no thread out, a thread that has none did
 * not run, whatever samples of Python say, if another one of its process has.
 *
 * A native sample that counts stands below the frames of Python that the
 * nearest sample of Python has: at most two of its periods away, on the same
 * thread.
 *
 *	cpu_samples_event(s, ev);             trace and sample
 *	cpu_samples_end(s);                   at the end of the section
 *	for (size_t i = 0; i < s->all.count; i++)
 *		if (cpu_samples_counts(s, &s->all.all[i]))
 *			...
 *	cpu_samples_clear(s);
 */
#ifndef TQ_ACCOUNT_CPU_SAMPLES_H
#define TQ_ACCOUNT_CPU_SAMPLES_H

#include "tq/base/keyed.h"
#include "tq/names.h"

enum cpu_samples_which {
	CPU_SAMPLES_ONE,    /* one kind for each thread, running */
	CPU_SAMPLES_NATIVE, /* running */
	CPU_SAMPLES_PYTHON, /* running */
	CPU_SAMPLES_ALL     /* both kinds, sleeping threads, too */
};

enum cpu_samples_state {
	CPU_SAMPLES_RUNNING,
	CPU_SAMPLES_BLOCKED,
	CPU_SAMPLES_OFF, /* neither of both */
	CPU_SAMPLES_STATES
};

/* samples that are alike */
struct cpu_sample {
	uint32_t thread; /* index of threads */
	uint32_t kind;   /* index of kinds */
	enum cpu_samples_state state;
	int64_t stack, python; /* id, or NO_ID; python: of the frames above */
	int64_t count;
	int64_t ns, timed;       /* of so many of them, which have a time */
	int64_t events, metered; /* of so many of them, which have a period */
};

/* a native sample that waits for the next one of Python */
struct waiting_sample {
	int64_t ts;
	struct cpu_sample of;
};

struct sampled_thread {
	uint32_t number; /* model_thread() */
	uint32_t label;
	int64_t pid, tid;
	uint32_t best[CPU_SAMPLES_STATES]; /* kind + 1 that counts; 0: none */
	int64_t python_ts, python;         /* of the last one, or NO_ID */
	struct waiting_sample *waiting;
	size_t count, cap;
};

/* {0} is empty */
struct cpu_samples {
	enum cpu_samples_which which;
	uint32_t label; /* of the next sample: a thread of two is two threads */
	bool apart;     /* stacks are not told apart: all are NO_ID */
	int64_t native_period; /* ns; 0: unknown */
	int64_t python_period;
	bool of_kernel; /* native samples are of all threads of a process */
	bool any_python;
	struct intern kinds; /* 0: Python; the event of others */
	KEYED(struct sampled_thread) threads; /* (number, label) */
	KEYED(struct cpu_sample) all;
	struct map pairs;  /* (stack, python) -> number */
	struct map native; /* pids of native samples */
	struct text scratch;
	uint32_t *frames;
	size_t frame_cap;
};

/* ONE of NULL, or what native, python or all chooses. */
enum cpu_samples_which cpu_samples_word(const char *word);

/* A trace record or a sample that stands for time; others change nothing. */
void cpu_samples_event(struct cpu_samples *s, const struct event *ev);

/* The section is over: all has all samples. */
void cpu_samples_end(struct cpu_samples *s);

/* True if the samples are of those that `which` chooses. */
bool cpu_samples_counts(
    const struct cpu_samples *s, const struct cpu_sample *x);

/* True if the samples are of the one kind that counts for thread and state. */
bool cpu_samples_are_best(
    const struct cpu_samples *s, const struct cpu_sample *x);

/*
 * The frames of samples, innermost first, until the next call; 0 where they
 * have no stack.  Frames of Python take the place of the interpreter.
 */
size_t cpu_samples_frames(struct cpu_samples *s, const struct names *names,
    const struct cpu_sample *x, const uint32_t **frames);

/* Add the function of a frame: "f (x.py)" of "f (x.py:12)". */
void cpu_samples_add_function(struct text *t, struct span frame);

/* The state of a thread in a sample; Running where it has none. */
enum cpu_samples_state cpu_samples_state_of(const struct event *ev);

/* True if the sample is of Python. */
bool cpu_samples_is_python(const struct event *ev);

/* The keys that it reads of trace and sample; KEY_NONE ends them. */
extern const enum key cpu_samples_keys[];

/* Forget the section. */
void cpu_samples_clear(struct cpu_samples *s);

void cpu_samples_free(struct cpu_samples *s);

#endif
