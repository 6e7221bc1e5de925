/* pstats.c - the totals of cProfile, as a table */

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tq/base/array.h"
#include "tq/io/status.h"
#include "tq/io/zio.h"

#include "tq/show/col.h"
#include "marshal.h"
#include "pstats.h"

enum { NS = 1000000000, MOST_BYTES = 64 << 20, READ_SIZE = 1 << 16 };

static const char not_totals[] = "not the value that cProfile has here";

/* ---- the file ---- */

/* The seconds of a double in ns, rounded once, half away from zero. */
static bool
ns_of_double(uint64_t bits, int64_t *ns)
{
	unsigned exponent = bits >> 52 & 0x7ff, shift;
	wide v = (wide)(bits & ((UINT64_C(1) << 52) - 1)) * NS;

	if (exponent > 1075) /* 2^53 s and more, or no number */
		return false;
	if (exponent > 0)
		v += (wide)NS << 52;
	else
		exponent = 1;
	shift = 1075 - exponent;
	if (shift > 100)
		v = 0;
	else if (shift > 0)
		v = (v + ((wide)1 << (shift - 1))) >> shift;
	if (v > INT64_MAX)
		return false;
	*ns = bits >> 63 != 0 ? -(int64_t)v : (int64_t)v;
	return true;
}

static bool
take_time(struct marshal *m, int64_t *ns)
{
	struct marshal_value v;

	if (!marshal_next(m, &v))
		return false;
	if (v.type == MARSHAL_REAL
		? ns_of_double(v.bits, ns)
		: v.type == MARSHAL_INT && !__builtin_mul_overflow(v.i, NS, ns))
		return true;
	m->error = "no time";
	return false;
}

static bool
take_calls(struct marshal *m, int64_t *calls)
{
	struct marshal_value v;

	if (!marshal_next(m, &v))
		return false;
	*calls = v.i;
	if (v.type != MARSHAL_INT || v.i < 0)
		m->error = "no number of calls";
	return m->error == NULL;
}

/* (primitive calls, calls, own time, time, {of the callers}) */
static bool
take_totals(struct marshal *m, struct pstats_function *f)
{
	struct marshal_value v;

	if (!marshal_next(m, &v))
		return false;
	if (v.type != MARSHAL_TUPLE || v.elsewhere || v.count != 5) {
		m->error = not_totals;
		return false;
	}
	return take_calls(m, &f->primitive) && take_calls(m, &f->calls) &&
	       take_time(m, &f->own) && take_time(m, &f->all) &&
	       marshal_skip(m);
}

/* (file, line, name), or the end of the dictionary */
static bool
take_function(struct marshal *m, struct pstats_function *f)
{
	struct marshal_value key[3];

	if (!marshal_tuple(m, key, 3))
		return false;
	if (key[0].type != MARSHAL_TEXT || key[1].type != MARSHAL_INT ||
	    key[2].type != MARSHAL_TEXT) {
		m->error = not_totals;
		return false;
	}
	f->file = key[0].text;
	f->line = key[1].i;
	f->name = key[2].text;
	return take_totals(m, f);
}

static bool
read_all(struct marshal *m, struct pstats *p)
{
	struct pstats_function f;
	struct marshal_value v;

	if (!marshal_next(m, &v))
		return false;
	if (v.type != MARSHAL_DICT) {
		m->at = 0;
		m->error = "not a dictionary of cProfile";
		return false;
	}
	while (m->at >= m->file.len || m->file.p[m->at] != '0') {
		if (!take_function(m, &f))
			return false;
		*array_add(&p->functions, &p->count, &p->cap) = f;
	}
	if (++m->at < m->file.len)
		m->error = "more behind the totals";
	return m->error == NULL;
}

static int
by_time(const void *a, const void *b)
{
	const struct pstats_function *x = a, *y = b;
	int order;

	if (x->all != y->all)
		return x->all > y->all ? -1 : 1;
	if (x->own != y->own)
		return x->own > y->own ? -1 : 1;
	if ((order = span_cmp(x->file, y->file)) != 0)
		return order;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return span_cmp(x->name, y->name);
}

const char *
pstats_read(struct pstats *p, struct span file, size_t *at)
{
	struct marshal m = {.file = file};

	read_all(&m, p);
	if (p->count > 0)
		qsort(p->functions, p->count, sizeof(*p->functions), by_time);
	*at = m.at;
	marshal_free(&m);
	return m.error;
}

/* ---- the table ---- */

/* file:line(name), or of a built-in function {name} */
static void
add_name(struct text *t, const struct pstats_function *f)
{
	struct span name = f->name;
	bool quoted =
	    name.len > 1 && name.p[0] == '<' && name.p[name.len - 1] == '>';

	if (f->line != 0 || !span_eq(f->file, SPAN("~"))) {
		text_add_span(t, f->file);
		text_add_char(t, ':');
		text_add_int(t, f->line);
		text_add_char(t, '(');
		text_add_span(t, name);
		text_add_char(t, ')');
	} else if (quoted) {
		text_add_char(t, '{');
		text_add(t, name.p + 1, name.len - 2);
		text_add_char(t, '}');
	} else {
		text_add_span(t, name);
	}
}

static int64_t
per_call(int64_t ns, int64_t calls)
{
	wide half = ns < 0 ? -(calls / 2) : calls / 2;

	return calls > 0 ? (int64_t)((ns + half) / calls) : 0;
}

static void
function_row(struct table *t, const struct pstats_function *f, struct span name)
{
	col_int(t, "Calls", UNIT_NONE, f->calls);
	col_int(t, "Primitive Calls", UNIT_NONE, f->primitive);
	col_int(t, "Own Time", UNIT_TIME, f->own);
	col_int_if(t, "Own per Call", UNIT_TIME, f->calls > 0,
	    per_call(f->own, f->calls));
	col_int(t, "Cumulative Time", UNIT_TIME, f->all);
	col_int_if(t, "Cumulative per Call", UNIT_TIME, f->primitive > 0,
	    per_call(f->all, f->primitive));
	col_text(t, "Function", name);
}

void
pstats_table(const struct pstats *p, struct table *t)
{
	struct text name = {0};

	t->report = "pstats";
	t->title = "Python Functions (cProfile)";
	col_heading(t, function_row, &(struct pstats_function){0}, SPAN(""));
	for (size_t i = 0; i < p->count; i++) {
		name.len = 0;
		add_name(&name, &p->functions[i]);
		function_row(t, &p->functions[i], text_span(&name));
	}
	text_free(&name);
}

static void
read_file(const char *path, struct text *to)
{
	int fd = strcmp(path, "-") == 0 ? STDIN_FILENO
					: open(path, O_RDONLY | O_CLOEXEC);
	struct zio_reader *zio;
	const char *error = NULL;
	ptrdiff_t n;

	if (fd < 0)
		err(TQ_FAIL, "%s", path);
	zio = zio_reader_open(fd);
	while ((n = zio_read(
		    zio, text_reserve(to, READ_SIZE), READ_SIZE, &error)) > 0) {
		to->len += (size_t)n;
		if (to->len > MOST_BYTES)
			errx(TQ_FAIL, "%s: larger than 64 MiB", path);
	}
	if (n < 0)
		errx(TQ_FAIL, "%s: %s", path, error);
	zio_reader_close(zio);
	if (fd != STDIN_FILENO)
		close(fd);
}

void
pstats_table_of(const char *path, struct table *t)
{
	struct pstats p = {0};
	struct text file = {0};
	const char *error;
	size_t at;

	read_file(path, &file);
	if ((error = pstats_read(&p, text_span(&file), &at)) != NULL)
		errx(TQ_FAIL, "%s: byte %zu: %s", path, at, error);
	if (p.count == 0)
		errx(TQ_FAIL, "%s: no function is in it", path);
	pstats_table(&p, t);
	pstats_free(&p);
	text_free(&file);
}

void
pstats_free(struct pstats *p)
{
	free(p->functions);
	*p = (struct pstats){0};
}
