/*
 * capture_options.h - the command line of tq-capture.
 */
#ifndef CAPTURE_OPTIONS_H
#define CAPTURE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "tq/base/text.h"
#include "tq/io/zio.h"

#include "agent/settings.h"
#include "lines/clock.h"
#include "lines/domain_choice.h"
#include "lines/focus.h"

enum on_full { FULL_DROP, FULL_BLOCK, FULL_SPILL };

/* --pytorch: what of PyTorch is annotated */
enum {
	PYTORCH_AUTOGRAD = 1 << 0, /* operations, by its own emit_nvtx */
	PYTORCH_AUTOGRAD_SHAPES = 1 << 1,
	PYTORCH_FUNCTIONS = 1 << 2, /* forward, backward, step and the like */
	PYTORCH_FUNCTION_SHAPES = 1 << 3
};
#define PYTORCH_WORDS \
	"autograd-nvtx|autograd-shapes-nvtx|functions-trace|" \
	"functions-trace-shapes"

/* how the callers of a sample are found */
enum backtrace {
	BACKTRACE_DWARF, /* by tables of the files that run */
	BACKTRACE_FP,    /* by frame pointers, which the kernel follows */
	BACKTRACE_NONE
};

/* options of nsys for data that tq-capture does not record */
enum nsys_option {
#define NSYS(ID, ...) NSYS_##ID,
#include "nsys.def"
	NSYS_OPTIONS
};

struct capture_options {
	char **command;    /* and its arguments, NULL at the end */
	const char *order; /* start, stop, dump or status, to a session; NULL */
	int64_t attach;    /* process id; 0: the command is started */
	const char *session; /* NULL: it has no name */
	const char *file;    /* -o, or its template; NULL: stdout */
	bool chosen;         /* by us: stdout is a terminal, and no -o given */
	enum zio_format format;
	uint32_t on; /* ARENA_* bits: kinds of records */
	bool cuda_events, cuda_memory, graph_nodes; /* also, with CUDA */
	struct focus focus;
	struct domain_choice domains;
	bool require_range;
	enum clock_choice clock;
	enum backtrace backtrace;
	enum on_full full;
	int64_t keep;        /* ns of a flight recorder; 0: none */
	int64_t buffer;      /* bytes of each arena for records */
	double max_overhead; /* percent; 0: no limit */
	const char *ranks;   /* only these; NULL: all */
	const char *key;     /* --hotkey, one character, or NULL */
	bool end_given;      /* true if --capture-range-end was given */
	bool trace_given;
	bool samples;        /* of processors */
	bool switches;       /* between threads */
	bool blocked;        /* where threads wait; see sample_method.h */
	bool python_samples; /* of threads that run Python */
	bool keep_nested;    /* calls of the driver within the runtime's */
	bool split, live, wait_for_primary, verbose;
	bool keep_existing;     /* a file that is there is not replaced */
	bool hide_output;       /* of the command */
	bool clean_environment; /* the command gets only these variables */
	char **variables;       /* names, NULL at the end; those of -e */
	size_t variables_count;
	int64_t osrt_ns;      /* shorter calls are not recorded */
	uint32_t osrt_groups; /* 1 << enum osrt_group: they are */
	uint32_t python;      /* ARENA_PYTHON_*: records with a Python stack */
	/* calls of CUDA that take so long have a native stack, by enum
	   cuda_class; < 0: none */
	int64_t cuda_ns[CUDA_CLASSES];
	const char *functions; /* a file of Python's; NULL: none */
	uint32_t pytorch;      /* PYTORCH_* */
	int64_t osrt_stack_ns; /* calls that take so long have a stack */
	int64_t osrt_stack;    /* bytes of it */
	bool osrt_files;       /* of files all are */
	int64_t sample_hz;     /* samples a second on each processor */
	int64_t python_hz;     /* how often */
	uint32_t counters;     /* COUNTERS_* bits */
	int64_t counter_hz;    /* how often they are read */
	int kill;              /* signal at the end of a recording; 0: none */
	bool kill_given, strict;
	bool environment; /* order status: of the machine, not a session */
	struct text not_traced;         /* words of --trace, as "a,b" */
	const char *nsys[NSYS_OPTIONS]; /* their values, or NULL */
};

/* Parse the command line; exits if it makes no sense. */
void capture_options_parse(struct capture_options *o, int argc, char *argv[]);

/* Set a variable of the command, which it gets with a clean environment too. */
void capture_options_set(
    struct capture_options *o, const char *name, const char *value);

/* The value of a variable that the command will have; NULL: not set. */
const char *capture_options_variable(
    const struct capture_options *o, const char *name);

void capture_options_free(struct capture_options *o);

#endif
