/*
 * arguments.h - the words of a tool's command line, as far as tq has to know
 * them: which ones may be files that the tool reads, and which one it writes.
 */
#ifndef TQ_ARGUMENTS_H
#define TQ_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

enum argument_is {
	ARGUMENT_OPTION, /* with its value, where that is in the same word */
	ARGUMENT_VALUE,  /* of the option before it: a file */
	ARGUMENT_END,    /* "--": no options behind it */
	ARGUMENT_OPERAND /* or the value of an option that takes no file */
};

struct argument {
	const char *word;
	enum argument_is is;
	bool perhaps_value; /* an operand behind an option that may take it */
	const char
	    *output; /* the file that the option -o names here, or NULL */
};

/* The words of a command line, argc of them; free(3) the list. */
struct argument *arguments_parse(int argc, char *argv[]);

/* End the program with TQ_USAGE where an option -o names this input; "-" is
   stdin. */
void arguments_refuse_output(
    const struct argument *all, size_t count, const char *input);

#endif
