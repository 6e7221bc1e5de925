/*
 * operand.h - an operand that was opened, and what its first bytes say
 */
#ifndef OPERAND_H
#define OPERAND_H

#include "tq/io/zio.h"

enum { OPERAND_HEAD = ZIO_PEEK };

struct operand {
	const char *path; /* as it was given, borrowed */
	const char *name; /* for messages */
	int fd;
	struct zio_reader *zio; /* what comes out of fd */
	bool is_stdin;
	bool seekable;           /* and not compressed */
	char head[OPERAND_HEAD]; /* the first bytes, decompressed */
	size_t len;
};

/* Open arg ("-" is stdin); what cannot be read ends the program. */
void operand_open(struct operand *o, const char *arg);

void operand_close(struct operand *o);

/* Does it look like the lines of a stream? */
bool operand_is_stream(const struct operand *o);

#endif
