/* zio.c - zstd and gzip, in and out */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define ZLIB_CONST
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "tq/base/mem.h"
#include "tq/io/parcel.h"
#include "tq/io/signals.h"
#include "tq/io/zio.h"

enum { CHUNK = 1 << 17, ZSTD_LEVEL = 1, GZIP_LEVEL = 1 };

static const char no_memory[] = "out of memory";
static const char other_version[] = "comes from another version of tq";

static const struct {
	const char *text;
	enum zio_format format;
} suffixes[] = {{".zst", ZIO_ZSTD}, {".gz", ZIO_GZIP}};

/* its row; one behind them: the name has none, or is nothing else */
static size_t
suffix_of(struct span file)
{
	size_t i = 0;

	while (i < sizeof(suffixes) / sizeof(suffixes[0]) &&
	       (file.len <= strlen(suffixes[i].text) ||
		   !span_ends(file, span_of(suffixes[i].text))))
		i++;
	return i;
}

enum zio_format
zio_format_of(const char *file)
{
	size_t i = suffix_of(span_of(file));

	return i < sizeof(suffixes) / sizeof(suffixes[0]) ? suffixes[i].format
							  : ZIO_PLAIN;
}

struct span
zio_plain_name(const char *file)
{
	struct span name = span_of(file);
	size_t i = suffix_of(name);

	if (i < sizeof(suffixes) / sizeof(suffixes[0]))
		name.len -= strlen(suffixes[i].text);
	return name;
}

enum zio_format
zio_format_for(enum zio_format asked, const char *file)
{
	return asked != ZIO_PLAIN || file == NULL ? asked : zio_format_of(file);
}

/* ---- reading ---- */

struct zio_reader {
	int fd;
	int64_t taken;          /* bytes from fd */
	void (*before)(void *); /* a read, or NULL */
	void *before_arg;
	enum zio_format format;
	bool started, eof, in_frame;
	bool more;          /* comes out without more going in */
	unsigned char *buf; /* compressed bytes, or the first plain ones */
	size_t pos, len;
	char peeked[ZIO_PEEK]; /* that are to be given again */
	size_t peeked_pos, peeked_len;
	ZSTD_DStream *zstd;
	z_stream gzip;
	struct parcel_queue *parcels; /* or NULL: none may come */
	bool parcelled;               /* they come */
	struct text head;             /* of the last parcel, up to its text */
	size_t text;                  /* bytes of it that are left */
};

struct zio_reader *
zio_reader_open(int fd)
{
	struct zio_reader *r = mem_alloc(sizeof(*r));

	r->fd = fd;
	r->buf = mem_resize(NULL, CHUNK, 1);
	signals_reader_begins(fd);
	return r;
}

void
zio_reader_before(struct zio_reader *r, void (*before)(void *), void *arg)
{
	r->before = before;
	r->before_arg = arg;
}

void
zio_reader_close(struct zio_reader *r)
{
	signals_reader_ends(r->fd);
	if (r->format == ZIO_ZSTD)
		ZSTD_freeDStream(r->zstd);
	if (r->format == ZIO_GZIP)
		inflateEnd(&r->gzip);
	text_free(&r->head);
	free(r->buf);
	free(r);
}

void
zio_reader_parcels(struct zio_reader *r, struct parcel_queue *q)
{
	r->parcels = q;
}

static ptrdiff_t
read_some(struct zio_reader *r, void *buf, size_t n, const char **error)
{
	ssize_t got;

	if (r->before != NULL)
		r->before(r->before_arg);
	do
		got = read(r->fd, buf, n);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		*error = strerror(errno);
	else
		r->taken += got;
	return got;
}

int64_t
zio_reader_taken(const struct zio_reader *r)
{
	return r->taken;
}

/* more compressed bytes behind those not yet used; false on an error */
static bool
refill(struct zio_reader *r, const char **error)
{
	ptrdiff_t got;

	memmove(r->buf, r->buf + r->pos, r->len - r->pos);
	r->len -= r->pos;
	r->pos = 0;
	got = read_some(r, r->buf + r->len, CHUNK - r->len, error);
	if (got < 0)
		return false;
	r->len += (size_t)got;
	r->eof = got == 0;
	return true;
}

static bool
open_zstd(struct zio_reader *r, const char **error)
{
	if ((r->zstd = ZSTD_createDStream()) == NULL) {
		*error = no_memory;
		return false;
	}
	r->format = ZIO_ZSTD;
	return true;
}

static bool
open_gzip(struct zio_reader *r, const char **error)
{
	int status = inflateInit2(&r->gzip, 15 + 16);

	if (status != Z_OK) {
		*error =
		    status == Z_MEM_ERROR ? no_memory : "cannot start gzip";
		return false;
	}
	r->format = ZIO_GZIP;
	return true;
}

static bool
start(struct zio_reader *r, const char **error)
{
	static const unsigned char zstd[4] = {0x28, 0xb5, 0x2f, 0xfd};
	static const unsigned char skippable[3] = {0x2a, 0x4d, 0x18};

	while (r->len < 4 && !r->eof)
		if (!refill(r, error))
			return false;
	r->started = true;
	if (r->len >= 4 && (memcmp(r->buf, zstd, 4) == 0 ||
			       ((r->buf[0] & 0xf0) == 0x50 &&
				   memcmp(r->buf + 1, skippable, 3) == 0)))
		return open_zstd(r, error);
	if (r->len >= 2 && r->buf[0] == 0x1f && r->buf[1] == 0x8b)
		return open_gzip(r, error);
	r->parcelled = r->parcels != NULL && r->len >= 4 &&
		       memcmp(r->buf, parcel_magic, 4) == 0;
	return true;
}

static ptrdiff_t
read_plain(struct zio_reader *r, char *buf, size_t n, const char **error)
{
	size_t left = r->len - r->pos;

	if (left == 0)
		return r->eof ? 0 : read_some(r, buf, n, error);
	if (left > n)
		left = n;
	memcpy(buf, r->buf + r->pos, left);
	r->pos += left;
	return (ptrdiff_t)left;
}

/* ---- parcels ---- */

/*
 * n bytes behind those in head; false at the end of the file, too.  Memory is
 * for bytes that come, not for all that are announced.
 */
static bool
read_head(struct zio_reader *r, size_t n, const char **error)
{
	while (n > 0) {
		size_t some = n < CHUNK ? n : CHUNK;
		ptrdiff_t got =
		    read_plain(r, text_reserve(&r->head, some), some, error);

		if (got <= 0)
			return false;
		r->head.len += (size_t)got;
		n -= (size_t)got;
	}
	return true;
}

/*
 * The next parcel up to its text; false at the end.  A writer that died in the
 * midst of it has written no more than the text before.
 */
static bool
begin_parcel(struct zio_reader *r, const char **error)
{
	struct parcel_head h;

	r->head.len = 0;
	if (!read_head(r, sizeof(h), error))
		return false;
	memcpy(&h, r->head.p, sizeof(h));
	if (!parcel_head_is(&h)) {
		*error = other_version;
		return false;
	}
	if (!read_head(r, (size_t)h.shapes + h.outlines, error))
		return false;
	if (!parcel_take(r->parcels, &h, r->head.p + sizeof(h))) {
		*error = other_version;
		return false;
	}
	r->text = h.text;
	return true;
}

static ptrdiff_t
read_parcels(struct zio_reader *r, char *buf, size_t n, const char **error)
{
	ptrdiff_t got;

	*error = NULL;
	if (r->text > 0)
		r->head.len = 0;
	else if (!begin_parcel(r, error))
		return *error != NULL ? -1 : 0;
	got = read_plain(r, buf, n < r->text ? n : r->text, error);
	if (got > 0)
		r->text -= (size_t)got;
	return got;
}

struct span
zio_reader_head(const struct zio_reader *r)
{
	return text_span(&r->head);
}

/* ---- compressed ---- */

/* the library's limit of a window bounds the memory for a frame */
static const char *
zstd_problem(size_t result)
{
	switch (ZSTD_getErrorCode(result)) {
	case ZSTD_error_memory_allocation:
		return no_memory;
	case ZSTD_error_frameParameter_windowTooLarge:
		return "zstd data needs a window of more than 128 MiB "
		       "(zstd --long)";
	case ZSTD_error_dictionary_wrong:
		return "zstd data needs a dictionary";
	default:
		return "zstd data is corrupt";
	}
}

static ptrdiff_t
read_zstd(struct zio_reader *r, char *buf, size_t n, const char **error)
{
	ZSTD_outBuffer out = {buf, n, 0};

	while (out.pos == 0) {
		ZSTD_inBuffer in = {r->buf, r->len, r->pos};
		size_t left;

		if (r->pos == r->len && !r->eof && !r->more) {
			if (!refill(r, error))
				return -1;
			continue;
		}
		if (r->pos == r->len && !r->in_frame)
			return 0;
		left = ZSTD_decompressStream(r->zstd, &out, &in);
		if (ZSTD_isError(left)) {
			*error = zstd_problem(left);
			return -1;
		}
		if (r->pos == r->len && r->eof && out.pos == 0) {
			*error = "zstd data is truncated";
			return -1;
		}
		r->in_frame = left != 0;
		r->more = r->in_frame && out.pos == n;
		r->pos = in.pos;
	}
	return (ptrdiff_t)out.pos;
}

static ptrdiff_t
read_gzip(struct zio_reader *r, char *buf, size_t n, const char **error)
{
	z_stream *z = &r->gzip;

	z->next_out = (Bytef *)buf;
	z->avail_out = (uInt)n;
	while (z->avail_out == n) {
		int status;

		if (r->pos == r->len && !r->eof && !r->more) {
			if (!refill(r, error))
				return -1;
			continue;
		}
		if (r->pos == r->len && !r->in_frame && z->total_in > 0)
			return 0;
		if (r->pos == r->len && !r->more) {
			*error = "gzip data is truncated";
			return -1;
		}
		z->next_in = r->buf + r->pos;
		z->avail_in = (uInt)(r->len - r->pos);
		status = inflate(z, Z_NO_FLUSH);
		r->pos = r->len - z->avail_in;
		r->in_frame = status != Z_STREAM_END;
		r->more = r->in_frame && z->avail_out == 0;
		if (status == Z_STREAM_END)
			inflateReset(z), z->total_in = 1;
		else if (status != Z_OK && status != Z_BUF_ERROR) {
			if (z->avail_out < n)
				break; /* the next call fails again */
			*error = status == Z_MEM_ERROR ? no_memory
						       : "gzip data is corrupt";
			return -1;
		}
	}
	return (ptrdiff_t)(n - z->avail_out);
}

static ptrdiff_t
read_any(struct zio_reader *r, char *buf, size_t n, const char **error)
{
	if (!r->started && !start(r, error))
		return -1;
	switch (r->format) {
	case ZIO_ZSTD:
		return read_zstd(r, buf, n, error);
	case ZIO_GZIP:
		return read_gzip(r, buf, n, error);
	case ZIO_PLAIN:
		break;
	}
	if (r->parcelled)
		return read_parcels(r, buf, n, error);
	return read_plain(r, buf, n, error);
}

ptrdiff_t
zio_read(struct zio_reader *r, char *buf, size_t n, const char **error)
{
	size_t left = r->peeked_len - r->peeked_pos;

	if (left == 0)
		return read_any(r, buf, n, error);
	if (left > n)
		left = n;
	memcpy(buf, r->peeked + r->peeked_pos, left);
	r->peeked_pos += left;
	return (ptrdiff_t)left;
}

ptrdiff_t
zio_peek(struct zio_reader *r, char *buf, size_t n, const char **error)
{
	while (r->peeked_len < n) {
		ptrdiff_t got = read_any(
		    r, r->peeked + r->peeked_len, n - r->peeked_len, error);

		if (got < 0)
			return -1;
		if (got == 0)
			break;
		r->peeked_len += (size_t)got;
	}
	if (n > r->peeked_len)
		n = r->peeked_len;
	memcpy(buf, r->peeked, n);
	return (ptrdiff_t)n;
}

/* ---- writing ---- */

struct zio_writer {
	int fd;
	enum zio_format format;
	char *buf;
	ZSTD_CStream *zstd;
	z_stream gzip;
};

static bool
start_zstd(struct zio_writer *w)
{
	return (w->zstd = ZSTD_createCStream()) != NULL &&
	       !ZSTD_isError(ZSTD_CCtx_setParameter(
		   w->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL)) &&
	       !ZSTD_isError(
		   ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_checksumFlag, 1));
}

static bool
start_gzip(struct zio_writer *w)
{
	return deflateInit2(&w->gzip, GZIP_LEVEL, Z_DEFLATED, 15 + 16, 8,
		   Z_DEFAULT_STRATEGY) == Z_OK;
}

struct zio_writer *
zio_writer_open(int fd, enum zio_format format)
{
	struct zio_writer *w = mem_alloc(sizeof(*w));

	w->fd = fd;
	w->format = format;
	if (format == ZIO_PLAIN)
		return w;
	w->buf = mem_resize(NULL, CHUNK, 1);
	if (format == ZIO_ZSTD ? start_zstd(w) : start_gzip(w))
		return w;
	zio_writer_close(w);
	errno = ENOMEM; /* the only way it can fail here */
	return NULL;
}

void
zio_writer_close(struct zio_writer *w)
{
	if (w->format == ZIO_ZSTD)
		ZSTD_freeCStream(w->zstd);
	if (w->format == ZIO_GZIP)
		deflateEnd(&w->gzip);
	free(w->buf);
	free(w);
}

bool
zio_write_plain(int fd, const char *p, size_t n)
{
	while (n > 0) {
		ssize_t put = write(fd, p, n);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return false;
		p += put;
		n -= (size_t)put;
	}
	return true;
}

static bool
write_zstd(struct zio_writer *w, const char *p, size_t n, ZSTD_EndDirective end)
{
	ZSTD_inBuffer in = {p, n, 0};
	size_t left;

	do {
		ZSTD_outBuffer out = {w->buf, CHUNK, 0};

		left = ZSTD_compressStream2(w->zstd, &out, &in, end);
		if (ZSTD_isError(left)) {
			errno = ENOMEM; /* the only way it can fail here */
			return false;
		}
		if (!zio_write_plain(w->fd, w->buf, out.pos))
			return false;
	} while (in.pos < in.size || (end != ZSTD_e_continue && left > 0));
	return true;
}

static bool
write_gzip(struct zio_writer *w, const char *p, size_t n, int flush)
{
	z_stream *z = &w->gzip;

	do {
		size_t step = n < CHUNK ? n : CHUNK;

		z->next_in = (const Bytef *)p;
		z->avail_in = (uInt)step;
		n -= step;
		p += step;
		do {
			z->next_out = (Bytef *)w->buf;
			z->avail_out = CHUNK;
			/* Z_BUF_ERROR: there was nothing to do */
			if (deflate(z, n > 0 ? Z_NO_FLUSH : flush) ==
			    Z_STREAM_ERROR) {
				errno = EINVAL;
				return false;
			}
			if (!zio_write_plain(
				w->fd, w->buf, CHUNK - z->avail_out))
				return false;
		} while (z->avail_out == 0);
	} while (n > 0);
	return true;
}

bool
zio_write(struct zio_writer *w, const char *p, size_t n, bool flush)
{
	switch (w->format) {
	case ZIO_ZSTD:
		return write_zstd(
		    w, p, n, flush ? ZSTD_e_flush : ZSTD_e_continue);
	case ZIO_GZIP:
		return write_gzip(w, p, n, flush ? Z_SYNC_FLUSH : Z_NO_FLUSH);
	case ZIO_PLAIN:
		break;
	}
	return zio_write_plain(w->fd, p, n);
}

bool
zio_finish(struct zio_writer *w)
{
	switch (w->format) {
	case ZIO_ZSTD:
		return write_zstd(w, "", 0, ZSTD_e_end);
	case ZIO_GZIP:
		return write_gzip(w, "", 0, Z_FINISH);
	case ZIO_PLAIN:
		break;
	}
	return true;
}
