/*
 * zio.c - compressed bytes: any are read without harm, whatever the size of
 * the reads; what was compressed reads back, and cut or changed it is never
 * something else of which nobody says a word.
 *
 * The first byte of the input says what is done, the rest is the text.
 */

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "tq/base/text.h"
#include "tq/io/zio.h"

enum { ENOUGH = 1 << 22 }; /* of what a few bytes may expand to */

static int fd = -1;

static bool
read_all(struct text *t, size_t step)
{
	struct zio_reader *r;
	const char *error = NULL;
	ptrdiff_t got;

	lseek(fd, 0, SEEK_SET);
	r = zio_reader_open(fd);
	t->len = 0;
	do {
		got = zio_read(r, text_reserve(t, step), step, &error);
		REQUIRE(got >= -1 && got <= (ptrdiff_t)step);
		if (got > 0)
			t->len += (size_t)got;
	} while (got > 0 && t->len < ENOUGH);
	zio_reader_close(r);
	REQUIRE((got < 0) == (error != NULL));
	return got >= 0;
}

static void
put(const uint8_t *data, size_t size)
{
	REQUIRE(ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0);
	REQUIRE(write(fd, data, size) == (ssize_t)size);
}

/* any bytes, read in large and in small steps */
static void
check_any(const uint8_t *data, size_t size)
{
	struct text large = {0}, small = {0};

	put(data, size);
	/* in small steps zstd itself overlooks some wrong frame sizes */
	if (read_all(&large, 1 << 16) && large.len < 4096)
		REQUIRE(read_all(&small, 1 + size % 7) &&
			span_eq(text_span(&large), text_span(&small)));
	text_free(&large);
	text_free(&small);
}

static void
check_round_trip(
    enum zio_format format, unsigned change, const uint8_t *data, size_t size)
{
	struct zio_writer *w = zio_writer_open(fd, format);
	struct text t = {0};
	size_t half = size / 2;
	off_t end;

	put(data, 0);
	REQUIRE(zio_write(w, (const char *)data, half, change & 1));
	REQUIRE(
	    zio_write(w, (const char *)data + half, size - half, change & 2));
	REQUIRE(zio_finish(w));
	zio_writer_close(w);
	REQUIRE(
	    read_all(&t, 4096) &&
	    span_eq(text_span(&t), (struct span){(const char *)data, size}));

	/* one byte less */
	end = lseek(fd, 0, SEEK_END);
	REQUIRE(ftruncate(fd, end - 1) == 0);
	REQUIRE(!read_all(&t, 4096));
	/* one bit of what both formats have a checksum of: the text */
	if (format == ZIO_GZIP && end > 40) {
		char c;
		off_t at = 10 + (off_t)(change * 7) % (end - 18);

		REQUIRE(pread(fd, &c, 1, at) == 1);
		c ^= (char)(1 << change % 8);
		REQUIRE(pwrite(fd, &c, 1, at) == 1);
		REQUIRE(!read_all(&t, 4096));
	}
	text_free(&t);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1)
		return 0;
	if (fd < 0)
		fd = memfd_create("zio", MFD_CLOEXEC);
	switch (data[0] % 4) {
	case 0:
		check_round_trip(ZIO_ZSTD, data[0] / 4, data + 1, size - 1);
		break;
	case 1:
		check_round_trip(ZIO_GZIP, data[0] / 4, data + 1, size - 1);
		break;
	default:
		check_any(data + 1, size - 1);
	}
	return 0;
}
