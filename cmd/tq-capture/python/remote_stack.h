/*
 * remote_stack.h - the Python stacks of the threads of another process, read
 * from its memory while it runs
 *
 * The memory may change meanwhile: a stack is only kept if each frame has an
 * object that is code.
 */
#ifndef TQ_CAPTURE_REMOTE_STACK_H
#define TQ_CAPTURE_REMOTE_STACK_H

#include "tq/base/intern.h"
#include "tq/base/keyed.h"
#include "tq/base/text.h"

#include "remote_python.h"

enum {
	REMOTE_FRAMES = 128, /* of a stack; one for "and so on" */
	REMOTE_HEAD = 144,   /* bytes of code that identify it */
	REMOTE_CHUNK = 65536 /* bytes of frames that are read at once */
};

/* a function; found by the address of its code, which may be used again */
struct remote_code {
	uint64_t address;
	uint64_t serial;            /* 0: it has not been read yet */
	int32_t line;               /* the first */
	uint64_t name, file, table; /* addresses */
	uint64_t head[3];           /* of the table of lines */
	struct text function, path, lines;
};

/* a frame of a stack while it is read */
struct remote_frame {
	uint64_t address;
	uint64_t code, last; /* last: a number or an address, as it is there */
	size_t same; /* the first frame of this code, which has the rest */
	uint64_t head[3];
	unsigned char object[REMOTE_HEAD];
};

struct remote_stack {
	struct remote_python python;
	struct intern *names; /* borrowed: texts of frames */
	KEYED(struct remote_code) codes;
	uint64_t serials;
	struct map by_instruction; /* (serial, last) -> frame + 1 */

	/* of the thread that is read */
	uint64_t cell; /* address of the word that has the first frame */
	uint64_t chunk, chunk_size;
	uint64_t first; /* the value of the word */
	char *memory;   /* of the chunk */
	/* read again later: the word, the memory, and where its frames end */
	uint64_t now, top;
	char *again;
	struct remote_frame *frames;
	uint32_t numbers[REMOTE_FRAMES]; /* of the result, in names */
	size_t count;
};

enum remote_result {
	REMOTE_GONE,  /* the process has ended, or runs another program */
	REMOTE_TORN,  /* the stack changed while it was read */
	REMOTE_WHOLE, /* count, numbers: 0 if the thread runs no Python */
};

/* names is borrowed */
void remote_stack_open(struct remote_stack *s,
    const struct remote_python *python, struct intern *names);

/*
 * The addresses of the states of all threads, at most room of them, and their
 * numbers in the kernel; PYTHON_NONE: the process is gone.
 */
struct remote_thread {
	uint64_t state;
	uint64_t self; /* the member of the state that identifies its thread */
	pid_t tid;     /* 0: not known */
};
int remote_stack_threads(
    struct remote_stack *s, struct remote_thread *to, int room);

/* Read the stack of a thread into s. */
enum remote_result remote_stack_take(
    struct remote_stack *s, const struct remote_thread *thread);

void remote_stack_close(struct remote_stack *s);

#endif
