/*
 * points.c - any bytes as the recordings of two ranks, apart at the first NUL:
 * points that were read are written, read again and then written the same, and
 * a clock is found, or none.
 */

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clock_line.h"
#include "fuzz.h"
#include "fuzz_exit.h"

const char *__asan_default_options(void);

/* what was allocated until a jump is lost */
const char *
__asan_default_options(void)
{
	return "detect_leaks=0";
}

static bool
read_bytes(const char *bytes, size_t size, struct rank_points *p)
{
	static struct keyset want[KIND_COUNT + 1];
	static struct reader in; /* freed after a jump, too */
	char path[32], *operands[] = {path, NULL};
	volatile int fd = memfd_create("points", MFD_CLOEXEC);
	volatile bool read = false;

	*p = (struct rank_points){0};
	rank_points_keys(want);
	REQUIRE(write(fd, bytes, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	reader_init(&in, operands, want, NULL);
	if (setjmp(ended) == 0) {
		rank_points_read(p, &in, false, false);
		read = true;
	}
	reader_free(&in);
	if (!read)
		rank_points_free(p);
	close(fd);
	return read;
}

static void
check_written(const struct rank_points *p)
{
	struct output once = {.fd = -1}, twice = {.fd = -1};
	struct rank_points again;

	rank_points_write(p, &once);
	if (once.buf.len >= OUTPUT_BUFFER)
		return;
	REQUIRE(read_bytes(once.buf.p, once.buf.len, &again));
	rank_points_write(&again, &twice);
	REQUIRE(span_eq(text_span(&once.buf), text_span(&twice.buf)));
	rank_points_free(&again);
	text_free(&once.buf);
	text_free(&twice.buf);
}

static void
check_line(const struct rank_points *a, const struct rank_points *b)
{
	struct text said = {0};
	struct clock_line l = clock_line_find(a, b, &said);

	REQUIRE(l.error == NO_ID || l.error >= 0);
	clock_line_map(&l, INT64_MAX);
	clock_line_map(&l, INT64_MIN);
	clock_line_join(&l, &l);
	text_free(&said);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *bytes = (const char *)data;
	const char *apart = memchr(bytes, '\0', size);
	size_t first = apart != NULL ? (size_t)(apart - bytes) : size;
	struct rank_points a, b;

	if (!read_bytes(bytes, first, &a))
		return 0;
	if (size < OUTPUT_BUFFER / 8)
		check_written(&a);
	if (apart != NULL && read_bytes(apart + 1, size - first - 1, &b)) {
		check_line(&a, &b);
		rank_points_free(&b);
	} else {
		check_line(&a, &a);
	}
	rank_points_free(&a);
	return 0;
}
