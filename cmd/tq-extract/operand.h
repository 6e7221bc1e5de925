/*
 * operand.h - an open operand and its first bytes
 */
#ifndef OPERAND_H
#define OPERAND_H

#include "tq/base/text.h"
#include "tq/io/zio.h"

enum { OPERAND_HEAD = ZIO_PEEK };

struct operand {
	const char *path; /* as it was given, borrowed */
	const char *name; /* for messages; of visible where that differs */
	struct text visible;
	int fd;
	struct zio_reader *zio; /* reads fd */
	bool is_stdin;
	bool seekable;           /* and not compressed */
	char head[OPERAND_HEAD]; /* the first bytes, decompressed */
	size_t len;
};

/* Open arg ("-" is stdin); exits where it cannot be read. */
void operand_open(struct operand *o, const char *arg);

void operand_close(struct operand *o);

/* True if it begins like a stream. */
bool operand_is_stream(const struct operand *o);

#endif
