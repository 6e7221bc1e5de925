/*
 * operand.h - an open operand and its first bytes
 */
#ifndef OPERAND_H
#define OPERAND_H

#include "tq/base/text.h"
#include "tq/io/zio.h"

/* with room behind it, which readers of text look at */
enum { OPERAND_HEAD = ZIO_PEEK, OPERAND_PADDING = 16 };

struct operand {
	const char *path; /* as it was given, borrowed */
	const char *name; /* for messages; of visible where that differs */
	struct text visible;
	int fd;
	struct zio_reader *zio; /* reads fd */
	bool is_stdin;
	bool seekable; /* and not compressed */
	/* the first bytes, decompressed */
	char head[OPERAND_HEAD + OPERAND_PADDING];
	size_t len;
};

static inline struct span
operand_head(const struct operand *o)
{
	return (struct span){o->head, o->len};
}

/* Open arg ("-" is stdin); exits where it cannot be read. */
void operand_open(struct operand *o, const char *arg);

void operand_close(struct operand *o);

/* True if its first bytes are a stream's. */
bool operand_is_stream(const struct operand *o);

#endif
