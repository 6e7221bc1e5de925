/*
 * exec_wrappers.h - the capture goes on in programs that a process starts
 *
 * A launcher script that sets LD_PRELOAD for its program, as for another
 * allocator, would run it without them: they are put in front.  A program of
 * musl, which would not start with them, gets none.  An environment without
 * LD_PRELOAD, or without the settings of the capture, stays as it is.
 */
#ifndef TQ_PRELOAD_EXEC_WRAPPERS_H
#define TQ_PRELOAD_EXEC_WRAPPERS_H

#include <stdbool.h>
#include <stddef.h>

/* what becomes of an environment */
struct exec_plan {
	size_t count; /* of its variables */
	size_t at;    /* the index of LD_PRELOAD */
	bool leave;   /* our libraries leave it, else they come to it */
	size_t room;  /* bytes of the new environment */
};

/* Note the libraries that are ours in this process's LD_PRELOAD; the first, the
   agent, has a function at that address. */
void exec_begin(const void *in_agent);

/*
 * False if the environment stays as it is.  by_name: the program is looked for
 * in PATH, as execvp(3) does.  Calls the kernel only; keeps errno.
 */
bool exec_plan(
    struct exec_plan *p, const char *program, bool by_name, char *const *env);

/* The new environment, in p->room bytes. */
char *const *exec_environment(
    const struct exec_plan *p, char *const *env, void *room);

/* env becomes what the program gets; in the frame of the caller */
#define EXEC_KEEP(program, by_name, env) \
	do { \
		struct exec_plan plan_; \
\
		if (exec_plan(&plan_, (program), (by_name), (env))) \
			(env) = exec_environment( \
			    &plan_, (env), __builtin_alloca(plan_.room)); \
	} while (0)

#endif
