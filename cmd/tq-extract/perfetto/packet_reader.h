/*
 * packet_reader.h - the packets of a trace, one by one, also packets that are
 * compressed together in one.
 */
#ifndef PACKET_READER_H
#define PACKET_READER_H

#include "operand.h"

enum { PACKET_MAX = 128 << 20 }; /* bytes of a packet, decompressed */

/* {0} but for from, which is borrowed */
struct packet_reader {
	struct zio_reader *from;
	const char *error; /* constant text, once the file ended too early */
	int64_t offset;    /* of the packet in the file */
	int64_t broken;    /* compressed packets that could not be read */

	char *buf;
	size_t pos, len, cap;
	int64_t base; /* offset of buf */
	bool eof;

	struct text inner; /* the packets in a compressed one */
	size_t inner_pos;
};

/* The next packet, good until the next call; false at the end. */
bool packet_reader_next(struct packet_reader *r, struct span *packet);

void packet_reader_free(struct packet_reader *r);

/* True if a file that begins with head is such a trace. */
bool packet_reader_detect(struct span head);

#endif
