/* backlog.c - records that wait in a file until the launcher has time */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tq/io/temporary.h"

#include "backlog.h"

/* stands before the records of a chunk */
struct backlog_entry {
	struct chunk head;
	uint64_t bytes;
};

enum { PUNCH = 16 << 20 }; /* bytes that go back to the disk at once */

bool
backlog_put(
    struct backlog *b, const struct chunk *head, const char *records, size_t n)
{
	struct backlog_entry piece = {.bytes = n};
	struct iovec parts[2] = {
	    {&piece, sizeof(piece)},
	    {(char *)(uintptr_t)records, n},
	};
	ssize_t done;

	memcpy(&piece.head, head, sizeof(*head));
	if (b->file == 0) {
		int fd = temporary_open();

		if (fd < 0)
			return false;
		b->file = fd + 1;
	}
	done = pwritev(b->file - 1, parts, 2, b->written);
	if (done != (ssize_t)(sizeof(piece) + n)) {
		if (done >= 0)
			errno = ENOSPC;
		return false; /* the next one overwrites it */
	}
	b->written += done;
	return true;
}

/* free the disk space of bytes that were read */
static void
shrink(struct backlog *b, off_t from)
{
	if (b->read == b->written) {
		if (ftruncate(b->file - 1, 0) == 0)
			b->read = b->written = 0;
		return;
	}
	if (from / PUNCH != b->read / PUNCH)
		fallocate(b->file - 1,
		    FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
		    b->read / PUNCH * PUNCH);
}

size_t
backlog_get(struct backlog *b, struct chunk *head, char *records, size_t room)
{
	struct backlog_entry piece;
	off_t from = b->read;

	if (backlog_is_empty(b))
		return 0;
	if (pread(b->file - 1, &piece, sizeof(piece), b->read) !=
		sizeof(piece) ||
	    piece.bytes > room ||
	    pread(b->file - 1, records, piece.bytes,
		b->read + (off_t)sizeof(piece)) != (ssize_t)piece.bytes) {
		b->read = b->written;
		shrink(b, from);
		b->broken = true;
		return 0;
	}
	memcpy(head, &piece.head, sizeof(*head));
	b->read += (off_t)(sizeof(piece) + piece.bytes);
	shrink(b, from);
	return piece.bytes;
}

bool
backlog_is_empty(const struct backlog *b)
{
	return b->read == b->written;
}

void
backlog_free(struct backlog *b)
{
	if (b->file != 0)
		close(b->file - 1);
	b->file = 0;
}
